/* Calls to the motion that must succeed, and what is asked of every motion. */
#ifndef CAROM_TEST_MOTION_CALL_H
#define CAROM_TEST_MOTION_CALL_H

#include "carom/carom.h"

crm_motion *motion_of(const crm_lagrangian_def *def, const crm_motion_options *options);
/* Must not fail; where it stopped. */
crm_motion_stop run_to(crm_motion *motion, double time, const crm_observer *observer);
/* kinetic_before + ... = ... to `tolerance`, with an error as small. */
void assert_account_closes(const crm_motion *motion, double tolerance);
/* assert_near, and a line of the table of docs/motion.md: what, and by how much it was missed. */
#define assert_met(what, got, want, tolerance)                                                     \
    check_met((what), (got), (want), (tolerance), __FILE__, __LINE__)
void check_met(const char *what, double got, double want, double tolerance, const char *file,
               int line);
crm_settings *law_named(const char *name);

/* The impacts of a run, the first `MOST_IMPACTS` of them. */
enum { MOST_IMPACTS = 4096, MOST_CONTACTS = 16 };
typedef struct impact_row {
    double time;
    size_t contacts;
    size_t gap[MOST_CONTACTS];
    double closing[MOST_CONTACTS], impulse[MOST_CONTACTS];
    double lost;
    crm_result result;
} impact_row;
typedef struct impact_list {
    size_t count;
    impact_row row[MOST_IMPACTS];
} impact_list;
/* Forget what the list has; an observer that fills it. */
crm_observer impact_observer(impact_list *list);

#endif
