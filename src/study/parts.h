/* What a study is made of. Internal to src/study. */
#ifndef CRM_STUDY_PARTS_H
#define CRM_STUDY_PARTS_H

#include "scenario/block/distribution.h"
#include "scenario/reader.h"
#include "study/motion.h"
#include "study/recorded.h"
#include "study/study.h"
#include "study/variant.h"

/* ---- Grid ----------------------------------------------------------------------------------- */

typedef enum crm_axis_kind { CRM_AXIS_LIST, CRM_AXIS_LINEAR, CRM_AXIS_LOG } crm_axis_kind;

/* One factor of the grid; its fields move together. */
typedef struct crm_axis {
    crm_axis_kind kind;
    size_t count;
    size_t stride;          /* grid points until its value changes */
    double from, to;        /* of a range */
    crm_node *const *items; /* of a list */
} crm_axis;

double crm_grid_number(const crm_axis *axis, size_t index); /* NAN: no number */

/* ---- Draws ---------------------------------------------------------------------------------- */

/* What becomes of a draw: the value itself, or a change of the scenario's. */
typedef enum crm_draw_use { CRM_DRAW_VALUE, CRM_DRAW_FACTOR, CRM_DRAW_OFFSET } crm_draw_use;

typedef struct crm_variable {
    crm_distribution distribution;
    crm_draw_use use;
    size_t each;     /* entries of the list it makes; 0: one value */
    uint32_t number; /* from 0, in the order of the file */
} crm_variable;

double crm_sample_draw(const crm_variable *variable, uint64_t seed, size_t draw, size_t entry);

/* ---- Fields --------------------------------------------------------------------------------- */

/* One column of the table. */
typedef struct crm_varied {
    const char *name;     /* in the table: "chain.mass[2]" */
    const char *path;     /* where it is set: of a list that is drawn, the list's */
    const crm_node *node; /* of the key in the file */
    size_t axis;          /* SIZE_MAX: drawn */
    size_t variable;
    size_t entry;
    double base; /* the scenario's own number, where a draw changes it */
} crm_varied;

struct crm_study {
    crm_tree *tree; /* values of lists live here, and everything else below in its arena */
    const char *text;
    size_t length;
    const char *source;
    const char *const *overrides;
    size_t override_count;
    const char *laws; /* NULL: those of the scenario */
    bool moves;       /* points are motions, not impacts */
    bool generalized; /* a system: its quantities have no units */
    bool relative;    /* no stiffness is given: times and forces are relative to K = 1 */
    const crm_recordable *recordable;

    size_t axis_count, variable_count, field_count, quantity_count;
    crm_axis *axes;
    crm_variable *variables;
    crm_varied *fields;
    crm_variant_slot *slots; /* the fields as workers set them */
    crm_recorded *quantities;
    const crm_node **quantity_nodes; /* NULL: not from the file */

    uint64_t seed;
    size_t grid_points, draws, points;

    size_t law_count;
    const char **labels;
    uint64_t digest;
};

/* The sweep block (NULL: none) into axes, variables, fields and counts. */
crm_status crm_study_read_sweep(crm_reader *reader, const crm_node *node, crm_study *study);
crm_status crm_study_read_grid(crm_reader *reader, const crm_node *node, crm_study *study);
crm_status crm_study_read_sample(crm_reader *reader, const crm_node *node, crm_study *study);
/* Room for one more field; NULL when out of memory. */
crm_varied *crm_study_add_varied(crm_study *study);

enum { CRM_POINTS_MOST = 1000000000 };

/* ---- Laws and motions ----------------------------------------------------------------------- */

/* By which laws a point is solved: all of the scenario, or the one that its motion names. */
size_t crm_study_laws_of(const crm_study *study, const crm_scenario *scenario,
                         const crm_scenario_law **laws);

/* ---- Workers -------------------------------------------------------------------------------- */

crm_status crm_worker_make(const crm_study *study, crm_study_worker **worker,
                           crm_read_error *error);
/* Set the point and read its scenario, which replaces the one before. */
crm_status crm_worker_load(crm_study_worker *worker, size_t point, crm_read_error *error);

#endif
