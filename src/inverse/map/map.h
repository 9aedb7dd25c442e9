/* The map from unknown fields of a scenario to quantities of its outcomes, and its derivative.
 *
 *     crm_map_open            the scenario's text, overrides and laws
 *     crm_map_add_field       unknowns, ...
 *     crm_map_add_trial       ... experiments, each the scenario with some fields set, ...
 *     crm_map_add_output      ... and quantities of their outcomes
 *     crm_map_prepare         everything is tried at the start
 *     crm_map_evaluate, crm_map_derive
 *
 * Everything is by one law: the first of the scenario's, or the one that was chosen.
 */
#ifndef CRM_MAP_H
#define CRM_MAP_H

#include "base/watch.h"
#include "scenario/reader.h"
#include "study/recorded.h"
#include "study/study.h"
#include "study/variant.h"

typedef struct crm_unknown {
    const char *name;     /* "chain.mass[2]" */
    const crm_node *node; /* of the field or list that asks for it */
    size_t slot, slots;   /* those that it sets */
    double base;          /* the scenario's own number; NAN: it has none */
    double from, to;      /* infinite: no bounds */
    double start;
    double scale; /* its size, for steps that are small beside it */
} crm_unknown;

typedef struct crm_map_output {
    crm_recorded what;
    const crm_node *node; /* of the field or list that asks for it */
    size_t trial;
} crm_map_output;

typedef struct crm_trial {
    const crm_node *node; /* of its list of settings; NULL: the scenario as it stands */
    crm_variant variant;
} crm_trial;

typedef struct crm_map {
    crm_tree *tree; /* everything else lives in its arena */
    crm_study_def def;
    bool moves;
    const crm_recordable *recordable;

    size_t unknown_count, slot_count, trial_count, output_count;
    crm_unknown *unknowns;
    crm_variant_slot *slots;
    crm_trial *trials;
    crm_map_output *outputs;
    size_t evaluations; /* of all trials together, so far */
    size_t refused;     /* the trial by which the last evaluation failed */
    bool stopped;
    const crm_watch *watch; /* NULL: none */
    crm_watch polled;       /* the map's own, which asks the watch, ... */
    crm_watching between;   /* ... and between evaluations, of which each may be short */
} crm_map;

/* Zeroed before; to be closed also after an error. Everything of the definition is copied. */
crm_status crm_map_open(crm_map *map, const crm_study_def *def, crm_read_error *error);
void crm_map_close(crm_map *map);
const char *crm_map_title(const crm_map *map); /* "" when there is none */
const char *crm_map_law(const crm_map *map);   /* its label; after crm_map_prepare */

/* The watch of later calls; borrowed. NULL: none. */
void crm_map_watch(crm_map *map, const crm_watch *watch);

/* ---- What it is of -------------------------------------------------------------------------- */

/* The unknowns of a key of the file: a path, or several with commas that take the same value. A
 * list in the scenario, or `each` > 0, makes an unknown of every entry. *first and *count say which
 * they are.
 */
crm_status crm_map_add_field(crm_map *map, crm_reader *reader, const crm_node *key, size_t each,
                             size_t *first, size_t *count);
/* The same with its range, as fit.parameters and design.over give it. */
crm_status crm_map_add_ranged(crm_map *map, crm_reader *reader, const crm_node *key,
                              const crm_node *range, crm_block_index block);
/* The experiment with these settings, a list of "PATH=VALUE"; NULL: none. The same again is the
 * same trial.
 */
crm_status crm_map_add_trial(crm_map *map, crm_reader *reader, const crm_node *sets, size_t *trial);
crm_status crm_map_add_output(crm_map *map, crm_reader *reader, const crm_node *node,
                              const char *name, size_t trial);
/* The same of a name that may be a list's, which stands for all its entries; after prepare. */
crm_status crm_map_add_outputs(crm_map *map, crm_reader *reader, const crm_node *node,
                               const char *name, size_t trial);

/* Read every trial at the start, and look whether all outputs are there. */
crm_status crm_map_prepare(crm_map *map, crm_read_error *error);
/* Evaluate at the start, for errors with a place: trials that have no answer, quantities that
 * the law does not define. y: outputs.
 */
crm_status crm_map_try(crm_map *map, double *y, crm_read_error *error);

/* ---- What it is ----------------------------------------------------------------------------- */

/* CRM_ERROR_MODEL: there is no answer here, and the message says why; anything else ends the work.
 */
crm_status crm_map_evaluate(crm_map *map, const double *x, double *y, crm_error *error);

/* How a derivative was obtained. */
typedef struct crm_derived {
    bool exact;          /* along the impact; else by differences of whole solves */
    char note[384];      /* where it may not exist; "": nowhere */
    size_t inconsistent; /* entries that differences of two steps do not agree on */
} crm_derived;

/* y and its derivative, outputs * unknowns, row after row. Status as above. */
crm_status crm_map_derive(crm_map *map, const double *x, double *y, double *derivative,
                          crm_derived *derived, crm_error *error);

#endif
