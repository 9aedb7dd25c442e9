/* Calling the laws by complementarity: moreau, newton, generalized-newton, poisson. */
#ifndef CAROM_TEST_COMPLEMENTARITY_CALL_H
#define CAROM_TEST_COMPLEMENTARITY_CALL_H

#include "support.h"

enum { LAWS = 4 };
extern const char *const every_law[LAWS];

crm_settings *settings_of(const char *law);
/* The call succeeds; the outcome may be anything. */
crm_outcome *outcome_by(const crm_settings *settings, const small_system *system);
crm_outcome *outcome_of(const char *law, const small_system *system);
/* And it must be solved. */
void assert_solved(const crm_outcome *outcome);
crm_outcome *solve_by(const char *law, const small_system *system);
crm_outcome *solve_matrix(const small_system *system, const double *matrix);

void set_restitution(small_system *system, double e);
/* Twelve kinds of system in turn; every third has moving boundaries. */
small_system random_struck_system(rng *r, int kind);

/* Contacts that part before the impact are made to close, every other one brought to rest, by
 * prescribed motion.
 */
void make_all_close(small_system *system);
bool some_part(const small_system *system);
/* M (v+ - v-) = W p, u+ = W'v+ + boundary velocity and p >= 0, from the numbers of the system. */
void check_mechanics(const small_system *system, const crm_outcome *outcome);

#endif
