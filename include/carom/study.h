/* Parameter studies (docs/sweep.md): the points of a scenario's `sweep`, each solved by every law.
 *
 * A study is immutable and may be shared between threads.
 */
#ifndef CAROM_STUDY_H
#define CAROM_STUDY_H

#include "carom/outcome.h"
#include "carom/scenario.h"
#include "carom/watch.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct crm_study crm_study;

/* Read it all and try a point, so that mistakes show before the work begins. `record` has the
 * quantities to record; NULL: those of sweep.record, or the standard ones. Without a `sweep` block
 * there is one point, the scenario as it stands.
 */
CRM_API crm_status crm_study_load(const crm_source *source, const char *const *record,
                                  size_t record_count, crm_study **study, crm_error *error);
CRM_API void crm_study_free(crm_study *study); /* NULL is fine */

CRM_API size_t crm_study_points(const crm_study *study);
/* The fields that take values: those of the grid, then those that are drawn. */
CRM_API size_t crm_study_fields(const crm_study *study);
CRM_API size_t crm_study_quantities(const crm_study *study);
/* As many in every point. */
CRM_API size_t crm_study_laws(const crm_study *study);

CRM_API const char *crm_study_field(const crm_study *study, size_t field); /* "chain.restitution" */
CRM_API const char *crm_study_quantity(const crm_study *study,
                                       size_t quantity);                 /* "velocity[-1]" */
CRM_API const char *crm_study_label(const crm_study *study, size_t law); /* at the first readable
                                                                            point */
/* Whether all values of the field are numbers. */
CRM_API bool crm_study_is_numeric(const crm_study *study, size_t field);
/* The value of a field at a point: NAN when it is no number; and as text, for those that are none,
 * written to at most size bytes, always terminated; size 0: nothing.
 */
CRM_API double crm_study_number(const crm_study *study, size_t point, size_t field);
CRM_API void crm_study_value_text(const crm_study *study, size_t point, size_t field, char *text,
                                  size_t size);

/* Of (point, law) number r = point * laws + law; to be freed by crm_study_table_free. */
typedef struct crm_study_table {
    size_t rows;
    size_t quantities;
    crm_result *result; /* rows */
    char **reason;      /* rows; "" when solved */
    double *values;     /* rows * quantities, row after row; NAN: not defined */
} crm_study_table;

/* Solve every point with `jobs` threads; 0: one for each processor. The same bits for any number of
 * them. The watch (may be NULL) is consulted by all of them; an interrupted call is
 * CRM_ERROR_STOPPED, and there is no table.
 */
CRM_API crm_status crm_study_solve_all(const crm_study *study, unsigned jobs,
                                       const crm_watch *watch, crm_study_table *table,
                                       crm_error *error);
CRM_API void crm_study_table_free(crm_study_table *table);

#ifdef __cplusplus
}
#endif
#endif
