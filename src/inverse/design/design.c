#include "inverse/design/design.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "inverse/map/start.h"

enum { EVALUATIONS_MOST = 500 };

typedef struct designing {
    crm_design_problem *problem;
    const crm_searcher *searcher;
    double *from, *to;
    double *gradient;
    double *room; /* crm_constraints_project */
    bool exact;
    crm_status status; /* what ended the search, if anything did */
    crm_error error;
} designing;

/* ---- What is searched ----------------------------------------------------------------------- */

static double sign_of(const designing *d)
{
    return d->problem->largest ? -1 : 1;
}

static bool value_of(void *context, const double *x, double *value, double *gradient)
{
    designing *d = context;
    crm_map *map = &d->problem->map;
    crm_derived derived = {0};
    *value = NAN;
    d->status = gradient != NULL ? crm_map_derive(map, x, value, d->gradient, &derived, &d->error)
                                 : crm_map_evaluate(map, x, value, &d->error);
    *value = d->status == CRM_OK ? sign_of(d) * *value : NAN;
    d->exact = gradient != NULL ? derived.exact : d->exact;
    for (size_t j = 0; gradient != NULL && j < map->unknown_count; j++) {
        gradient[j] = d->status == CRM_OK ? sign_of(d) * d->gradient[j] : 0;
    }
    return d->status == CRM_OK || d->status == CRM_ERROR_MODEL;
}

static crm_status search(designing *d, double *x)
{
    const crm_constraints *constraints = &d->problem->constraints;
    crm_search s = {.count = d->problem->map.unknown_count,
                    .from = d->from,
                    .to = d->to,
                    .constraint_count = constraints->count,
                    .rows = constraints->rows,
                    .right = constraints->right,
                    .equal = constraints->equal,
                    .evaluations = EVALUATIONS_MOST,
                    .context = d,
                    .value = value_of};
    return d->searcher->minimize(&s, x);
}

static bool is_feasible(const designing *d, const double *x)
{
    return crm_constraints_violation(&d->problem->constraints, &d->problem->map, x) <=
           CRM_CONSTRAINTS_TOLERANCE;
}

/* ---- Starts --------------------------------------------------------------------------------- */

/* The nearest place that keeps to the rules. */
static crm_status make_feasible(designing *d, double *x, crm_read_error *error)
{
    const crm_map *map = &d->problem->map;
    return is_feasible(d, x) || crm_constraints_project(&d->problem->constraints, map, x, d->room)
               ? CRM_OK
               : crm_yaml_fail(
                     map->tree, d->problem->constraints_node, error,
                     "design.subject_to cannot be satisfied within the bounds of design.over");
}

/* ---- The search ----------------------------------------------------------------------------- */

static crm_status fail_search(const designing *d, crm_read_error *error)
{
    const crm_map *map = &d->problem->map;
    return d->status == CRM_ERROR_MEMORY
               ? crm_yaml_fail_memory(map->tree, error)
               : crm_yaml_fail_at(error, d->status, map->def.source, 0, 0, "%s", d->error.message);
}

/* Where a start leads to. */
static crm_status follow(designing *d, double *x, crm_design_end *end, crm_read_error *error)
{
    double value = NAN;
    *end = (crm_design_end){.start = NAN, .value = NAN, .x = x};
    if (value_of(d, x, &value, NULL) && d->status == CRM_OK) {
        end->start = sign_of(d) * value;
        crm_status found = search(d, x);
        end->converged = found == CRM_OK;
        d->status = found == CRM_ERROR_MEMORY ? found : d->status;
    }
    bool ended = d->status != CRM_OK && d->status != CRM_ERROR_MODEL;
    if (!ended && value_of(d, x, &value, NULL) && d->status == CRM_OK && is_feasible(d, x)) {
        end->value = sign_of(d) * value;
    }
    ended = d->status != CRM_OK && d->status != CRM_ERROR_MODEL;
    return ended ? fail_search(d, error) : CRM_OK;
}

static bool is_better(const designing *d, double a, double b)
{
    return isnan(b) ? !isnan(a) : d->problem->largest ? a > b : a < b;
}

static crm_status follow_all(designing *d, const crm_design_progress *progress, double *places,
                             crm_design_end *ends, crm_design *design, crm_read_error *error)
{
    size_t n = d->problem->map.unknown_count;
    crm_status status = CRM_OK;
    design->value = NAN;
    for (size_t k = 0; k < d->problem->starts && status == CRM_OK; k++) {
        double *x = places + k * n;
        crm_map_draw(&d->problem->map, d->problem->seed,
                     (crm_map_point){.draw = k, .even = CRM_MAP_LOGARITHM}, x);
        status = make_feasible(d, x, error);
        if (k == 0 && status == CRM_OK) {
            memcpy((double *)design->own, x, n * sizeof *x);
        }
        status = status == CRM_OK ? follow(d, x, &ends[k], error) : status;
        if (status == CRM_OK && is_better(d, ends[k].value, design->value)) {
            design->value = ends[k].value;
            design->best = x;
        }
        if (status == CRM_OK && progress != NULL) {
            progress->ended(progress->context, k + 1, design->value);
        }
    }
    design->own_value = ends[0].start;
    return status;
}

/* ---- The whole ------------------------------------------------------------------------------ */

static void fill_names(const crm_map *map, const char **names, designing *d, crm_design *design)
{
    for (size_t j = 0; j < map->unknown_count; j++) {
        names[j] = map->unknowns[j].name;
        d->from[j] = map->unknowns[j].from;
        d->to[j] = map->unknowns[j].to;
    }
    design->title = crm_map_title(map);
    design->law = crm_map_law(map);
    design->what = map->outputs[0].what.name;
    design->field_count = map->unknown_count;
    design->names = names;
    design->from = d->from;
    design->to = d->to;
}

static bool is_moved(const crm_map *map, const double *own)
{
    for (size_t j = 0; j < map->unknown_count; j++) {
        if (own[j] != map->unknowns[j].start) {
            return true;
        }
    }
    return false;
}

crm_status crm_design_run(crm_design_problem *problem, const crm_searcher *searcher,
                          const crm_watch *watch, const crm_design_progress *progress,
                          crm_design *design, crm_read_error *error)
{
    crm_map *map = &problem->map;
    crm_arena *arena = &map->tree->arena;
    size_t n = map->unknown_count, starts = problem->starts;
    double *room = CRM_ARENA_NEW(arena, double, 5 * n + starts * n + problem->constraints.count);
    const char **names = CRM_ARENA_NEW(arena, const char *, n);
    crm_design_end *ends = CRM_ARENA_NEW(arena, crm_design_end, starts);
    if (room == NULL || names == NULL || ends == NULL) {
        return crm_yaml_fail_memory(map->tree, error);
    }
    designing d = {.problem = problem,
                   .searcher = searcher,
                   .from = room,
                   .to = room + n,
                   .gradient = room + 2 * n,
                   .room = room + 4 * n + starts * n};
    *design = (crm_design){.largest = problem->largest,
                           .method = searcher->name,
                           .own = room + 3 * n,
                           .end_count = starts,
                           .ends = ends};
    crm_map_watch(map, watch);
    fill_names(map, names, &d, design);
    double value = NAN;
    crm_status status = crm_map_try(map, &value, error);
    if (status == CRM_OK) {
        status = follow_all(&d, progress, room + 4 * n, ends, design, error);
    }
    design->moved = is_moved(map, design->own);
    design->exact = d.exact;
    design->evaluations = map->evaluations;
    return status == CRM_OK && design->best == NULL
               ? crm_yaml_fail(
                     map->tree, map->outputs[0].node, error,
                     "no start led to values that have an outcome and satisfy the constraints")
               : status;
}

void crm_design_write(crm_design_problem *problem, const crm_design *design, FILE *stream)
{
    crm_variant *variant = &problem->map.trials[0].variant;
    for (size_t j = 0; j < problem->map.unknown_count; j++) {
        const crm_unknown *u = &problem->map.unknowns[j];
        for (size_t k = 0; k < u->slots; k++) {
            crm_variant_set_number(variant, u->slot + k, design->best[j]);
        }
    }
    crm_yaml_write(variant->tree, stream);
}
