/* What the program prints, as text: the answers of one or several laws side by side. */
#ifndef CAROM_REPORT_H
#define CAROM_REPORT_H

#include "carom/outcome.h"
#include "carom/scenario.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum crm_report_form {
    CRM_REPORT_TABLE, /* for people */
    CRM_REPORT_JSON,
    CRM_REPORT_CSV
} crm_report_form;

/* Start from {0}. Per law: `count` entries. */
typedef struct crm_report_def {
    const crm_scenario *scenario; /* that it comes from: its title, its notes, what nearly touches;
                                     NULL: none */
    const crm_model *model;
    const double *velocity; /* before the impact */
    bool generalized;       /* coordinates that may be anything, rather than bodies in SI units;
                               that of the scenario counts, if there is one */
    size_t count;
    const char *const *labels;
    const crm_settings *const *settings;
    const crm_outcome *const *outcomes; /* NULL in it: the law had none ... */
    const char *const *reasons;         /* ... and this is why; may be NULL when all have one */
    int width;                          /* characters in a line of the table; 0: 80 */
    bool bars;                          /* small bars beside numbers; they take UTF-8 */
} crm_report_def;

/* *text is terminated, and to be freed with crm_text_free. An outcome of other numbers of
 * coordinates or contacts than the model has is refused. In JSON, bytes of a text that are no UTF-8
 * are U+FFFD.
 */
CRM_API crm_status crm_report_write(const crm_report_def *def, crm_report_form form, char **text,
                                    crm_error *error);
CRM_API void crm_text_free(char *text); /* NULL is fine */

/* What coordinates and contacts are called there: "ball 3", "cue x", "rod spin"; a contact's own
 * name, else "ball 1 - ball 2", "rod - floor (2)" where the same two touch more than once. Write at
 * most size bytes, always terminated; size 0: nothing.
 */
CRM_API void crm_coordinate_name(const crm_model *model, size_t coordinate, char *text,
                                 size_t size);
CRM_API void crm_contact_name(const crm_model *model, size_t contact, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
