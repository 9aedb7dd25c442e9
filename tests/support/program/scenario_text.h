/* Scenarios from texts, and what is said about those that are refused. */
#ifndef CRM_TEST_SCENARIO_TEXT_H
#define CRM_TEST_SCENARIO_TEXT_H

#include "scenario/scenario.h"

/* NULL: refused, as *error says. */
crm_scenario *read_with(const char *text, const char *const *sets, size_t count,
                        crm_read_error *error);
/* One that must be taken; set: "PATH=VALUE" or NULL. */
crm_scenario *good_with(const char *text, const char *set);
crm_scenario *good(const char *text);
/* One that must be refused, in these words. */
void refused_with(const char *text, const char *set, const char *complaint);

typedef struct refusal {
    const char *text;
    const char *complaint;
} refusal;

void refuse_all(const refusal *cases, size_t count);

#define REFUSE_ALL(cases) refuse_all((cases), sizeof(cases) / sizeof((cases)[0]))

#endif
