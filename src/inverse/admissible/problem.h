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

/* ---- The picture ----------------------------------------------------------------------------- */

typedef enum crm_admissible_curve_kind {
    CRM_ADMISSIBLE_OUTLINE, /* of all outcomes: a polygon, closed, with a point for each direction
                             */
    CRM_ADMISSIBLE_LEVEL,   /* of those with no more than this share of the energy */
    CRM_ADMISSIBLE_LOCUS,   /* of a law's outcomes as a parameter runs */
    CRM_ADMISSIBLE_POINTS,  /* of a law's outcomes for some choices */
    CRM_ADMISSIBLE_OUTCOME  /* of a law of the scenario */
} crm_admissible_curve_kind;

typedef struct crm_admissible_curve {
    crm_admissible_curve_kind kind;
    const char *label;     /* the law's, or "any law" */
    const char *parameter; /* "restitution"; "": none */
    size_t count;
    double *value; /* of the parameter */
    double *x, *y;
} crm_admissible_curve;

enum { CRM_ADMISSIBLE_CURVES_MOST = 128 };

typedef struct crm_admissible_picture {
    crm_arena arena;
    const char *x_name, *y_name;
    const char *x_unit, *y_unit; /* NULL: none */
    size_t count;
    crm_admissible_curve curves[CRM_ADMISSIBLE_CURVES_MOST];
} crm_admissible_picture;

/* The picture of the problem's plane, which must exist. *picture: zeroed before; to be freed even
 * after an error.
 */
crm_status crm_admissible_draw(const crm_admissible_problem *problem,
                               const crm_admissible_table *table, const crm_watch *watch,
                               crm_admissible_picture *picture, crm_error *error);
void crm_admissible_picture_free(crm_admissible_picture *picture);

/* The next curve with room for this many points; NULL: no memory. */
crm_admissible_curve *crm_admissible_add_curve(crm_admissible_picture *picture,
                                               crm_admissible_curve_kind kind, const char *label,
                                               const char *parameter, size_t room);
/* Loci of the scenario's laws. */
crm_status crm_admissible_add_loci(const crm_admissible_problem *problem, const crm_watch *watch,
                                   crm_admissible_picture *picture, crm_error *error);

const char *crm_admissible_curve_text(crm_admissible_curve_kind kind);

#endif
