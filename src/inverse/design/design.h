/* The fields of a scenario that make a quantity largest or least. */
#ifndef CRM_DESIGN_H
#define CRM_DESIGN_H

#include "inverse/design/search.h"
#include "inverse/map/map.h"

/* Linear constraints on the unknowns: rows . x = right, or <= right. */
typedef struct crm_constraints {
    size_t count;
    double *rows, *right;
    bool *equal;
} crm_constraints;

typedef struct crm_design_problem {
    crm_map map; /* of one output */
    bool largest;
    crm_constraints constraints;
    const crm_node *constraints_node; /* NULL: there are none */
    size_t starts;
    uint64_t seed;
} crm_design_problem;

/* Zeroed before; to be closed also after an error. The block must be there. */
crm_status crm_design_open(crm_design_problem *problem, const crm_study_def *def,
                           crm_read_error *error);
void crm_design_close(crm_design_problem *problem);

/* ---- Rules ---------------------------------------------------------------------------------- */

/* "sum(chain.mass) = 20", "2*chain.mass[1] <= chain.mass[2] + 1", "increasing(chain.mass)": a list
 * of them.
 */
crm_status crm_constraints_read(crm_reader *reader, const crm_node *node, const crm_map *map,
                                crm_constraints *constraints);
/* The largest violation, relative to the ranges of the unknowns in the constraint. */
double crm_constraints_violation(const crm_constraints *constraints, const crm_map *map,
                                 const double *x);
/* They are satisfied if it is no more than this. */
#define CRM_CONSTRAINTS_TOLERANCE 1e-7
/* Move x as little as possible, relative to its ranges, to where they are satisfied within the
 * bounds; false: they cannot be. room: constraints + unknowns.
 */
bool crm_constraints_project(const crm_constraints *constraints, const crm_map *map, double *x,
                             double *room);

/* ---- The search ----------------------------------------------------------------------------- */

/* One start and its end. */
typedef struct crm_design_end {
    double start, value; /* NAN: none was found */
    bool converged;
    const double *x;
} crm_design_end;

typedef struct crm_design {
    const char *title, *law, *what, *method;
    bool largest;
    size_t field_count, end_count;
    const char *const *names;
    const double *from, *to;
    const double *own; /* the scenario's, or as near to it as the constraints allow */
    bool moved;        /* they did not */
    double own_value;
    const double *best;
    double value;
    bool exact;                 /* the derivatives */
    const crm_design_end *ends; /* one per start */
    size_t evaluations;
} crm_design;

/* Called when a start has ended. */
typedef struct crm_design_progress {
    void *context;
    void (*ended)(void *context, size_t starts, double best);
} crm_design_progress;

/* The design lives in the problem's memory. */
crm_status crm_design_run(crm_design_problem *problem, const crm_searcher *searcher,
                          const crm_watch *watch, const crm_design_progress *progress,
                          crm_design *design, crm_read_error *error);
/* The scenario with the best values, as a file. */
void crm_design_write(crm_design_problem *problem, const crm_design *design, FILE *stream);

#endif
