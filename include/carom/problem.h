/* A law of the caller's own, beside those of the library.
 *
 * It is a crm_law that the caller fills in: a name, a table of options (or none), and `solve`,
 * which reads the impact from the problem it receives and writes outcome->impulse. That is its
 * only duty: velocities, energies, the account of losses and the verdicts follow from the impulses
 * for every law alike. crm_settings_create takes it like any other, and with the settings every
 * call does: crm_solve, crm_solve_with, crm_solve_batch, motions; a scenario knows it by name when
 * crm_source.own_laws lists it. The library keeps no list of its own: nothing is registered.
 *
 *     static crm_status solve(const crm_problem *problem, crm_outcome *outcome, crm_error *error)
 *     {
 *         const crm_model *model = crm_problem_model(problem);
 *         const double *u = crm_problem_gap_velocity(problem);
 *         for (size_t j = 0; j < crm_model_contacts(model); j++) {
 *             outcome->impulse[j] = fmax(0, -u[j]) / crm_model_delassus(model, j, j);
 *         }
 *         return CRM_OK;
 *     }
 *     static const crm_law one_by_one = {.name = "one-by-one", .solve = solve};
 *
 * `examples/own_law.c` is a whole program. Texts of the description may be NULL, which the
 * library's own laws do not make use of. One law may be called by several threads at once, each
 * with a problem of its own.
 *
 * A law that has no answer says so in outcome->result and outcome->reason and returns CRM_OK; any
 * other status ends the call with that status, and the law fills *error (which may be NULL).
 */
#ifndef CAROM_PROBLEM_H
#define CAROM_PROBLEM_H

#include "carom/outcome.h"
#include "carom/watch.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One impact to be solved, for the length of the call of `solve`. */
typedef struct crm_problem crm_problem;

CRM_API const crm_model *crm_problem_model(const crm_problem *problem);
CRM_API const double *crm_problem_velocity(const crm_problem *problem);     /* v-, n */
CRM_API const double *crm_problem_gap_velocity(const crm_problem *problem); /* u-, s */
/* u_t-, s * crm_model_tangents(model); NULL without friction. */
CRM_API const double *crm_problem_slip_velocity(const crm_problem *problem);
/* The law's options: crm_settings_get_number and its like; crm_settings_law is the law, with its
 * context.
 */
CRM_API const crm_settings *crm_problem_settings(const crm_problem *problem);
CRM_API const crm_recorder *crm_problem_recorder(const crm_problem *problem); /* may be NULL */
CRM_API void *crm_problem_kept(const crm_problem *problem); /* of the law's create_kept; or NULL */

/* So many zeros for the length of the call; not to be freed. NULL: no memory. */
CRM_API double *crm_problem_take(const crm_problem *problem, size_t count);

/* In long loops: may the law continue? Consults the watch, if there is one; many calls a second are
 * fine. A law that may not returns CRM_OK with the impulses it has reached, and need not give the
 * reason. `seconds` of the progress is filled in.
 */
CRM_API bool crm_problem_go_on(const crm_problem *problem, const crm_watch_report *progress);

/* The whole answer of another law to the same impact; never that of the law itself. *answer may be
 * anything before; its arrays are not to be freed, and live as long as the law's own outcome.
 */
CRM_API crm_status crm_problem_solve_by(const crm_problem *problem, const crm_settings *settings,
                                        crm_outcome *answer, crm_error *error);

/* Arrays of the outcome that a law defines beside the impulses (peak_force, contact_duration,
 * loss), s zeros; and compressions. Returns the array; NULL: no memory. An array that is not made
 * is "not defined", except loss, which is then derived from the mean gap velocities.
 */
CRM_API double *crm_outcome_want(const crm_problem *problem, double **array);
CRM_API uint32_t *crm_outcome_want_counts(const crm_problem *problem, uint32_t **array);

#ifdef __cplusplus
}
#endif
#endif
