/* The block `admissible` of a scenario: quantities whose extremes over all outcomes are wanted. */
#ifndef CRM_ADMISSIBLE_PROBLEM_H
#define CRM_ADMISSIBLE_PROBLEM_H

#include "carom/admissible.h"
#include "scenario/reader.h"
#include "study/recorded.h"

/* A quantity by name, as one that the set knows (carom/admissible.h). */
typedef struct crm_admissible_named {
    crm_recorded what;
    const char *name;
    const crm_node *node; /* that asks for it; NULL: nobody, it is a usual one */
    crm_admissible_quantity quantity;
    double half_mass; /* NAN: the quantity itself; else this much of its square is meant */
} crm_admissible_named;

typedef struct crm_admissible_problem {
    const crm_scenario *scenario; /* borrowed */
    crm_arena arena;              /* of all that follows */
    size_t count;
    crm_admissible_named *named;
    size_t plane_count; /* 2: the axes of the picture; 0: there are none */
    crm_admissible_named *plane;
} crm_admissible_problem;

/* Zeroed before; to be closed also after an error. Without the block there are the usual
 * quantities.
 */
crm_status crm_admissible_open(crm_admissible_problem *problem, const crm_scenario *scenario,
                               crm_read_error *error);
void crm_admissible_close(crm_admissible_problem *problem);

/* The set of the scenario, with T+ <= energy_ratio T- + E0; and all extremes and outcomes. */
crm_status crm_admissible_make_set(const crm_admissible_problem *problem, double energy_ratio,
                                   const crm_watch *watch, crm_admissible **set, crm_error *error);
crm_status crm_admissible_make_table(const crm_admissible_problem *problem, const crm_watch *watch,
                                     crm_admissible_table **table, crm_error *error);

/* What a name stands for. False: it is no quantity that the set knows; `message` says why. */
bool crm_admissible_name_quantity(crm_admissible_problem *problem, crm_admissible_named *named,
                                  char *message, size_t size, bool *memory);

#endif
