/* What the tests of studies share: studies made of their text. */
#ifndef CRM_STUDIES_H
#define CRM_STUDIES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "study/study.h"

static inline crm_status read_with(const char *text, const char *laws, crm_study **study,
                                   crm_read_error *error)
{
    crm_study_def def = {.text = text, .length = strlen(text), .source = "file", .laws = laws};
    memset(error, 0, sizeof *error);
    return crm_study_read(&def, study, error);
}

static inline crm_study *good(const char *text)
{
    crm_study *study = NULL;
    static crm_read_error error;
    if (read_with(text, NULL, &study, &error) != CRM_OK) {
        fail_msg("%s", error.text);
    }
    return study;
}

static inline double number_at(const crm_study *study, size_t point, size_t field)
{
    return crm_study_value_at(study, point, field).number;
}

#endif
