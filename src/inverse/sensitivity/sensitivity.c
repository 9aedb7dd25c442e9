#include "inverse/sensitivity/sensitivity.h"

#include "base/arithmetic.h"

#include <stdlib.h>
#include <string.h>

typedef struct kept {
    crm_sensitivity table;
    crm_arena arena;
} kept;

/* ---- Filling -------------------------------------------------------------------------------- */

static const char *keep_text(kept *k, const char *text)
{
    return crm_arena_text(&k->arena, text, strlen(text));
}

static bool keep_names(kept *k, const crm_sensitivity_problem *p)
{
    const crm_map *map = &p->map;
    crm_sensitivity *t = &k->table;
    t->of_count = map->output_count;
    t->to_count = p->to_count;
    const char **of = CRM_ARENA_NEW(&k->arena, const char *, t->of_count);
    const char **to = CRM_ARENA_NEW(&k->arena, const char *, t->to_count);
    t->title = keep_text(k, crm_map_title(map));
    t->law = keep_text(k, crm_map_law(map));
    bool good = of != NULL && to != NULL && t->title != NULL && t->law != NULL;
    for (size_t i = 0; i < t->of_count && good; i++) {
        of[i] = keep_text(k, map->outputs[i].what.name);
        good = of[i] != NULL;
    }
    for (size_t j = 0; j < t->to_count && good; j++) {
        to[j] = keep_text(k, map->unknowns[j].name);
        good = to[j] != NULL;
    }
    t->of = of;
    t->to = to;
    return good;
}

static bool keep_uncertain(kept *k, const crm_sensitivity_problem *p)
{
    const crm_map *map = &p->map;
    crm_uncertain *uncertain = CRM_ARENA_NEW(&k->arena, crm_uncertain, map->unknown_count);
    bool good = uncertain != NULL;
    for (size_t j = 0; j < map->unknown_count && good; j++) {
        if (p->deviation[j] > 0) {
            const char *name = keep_text(k, map->unknowns[j].name);
            uncertain[k->table.uncertain_count++] = (crm_uncertain){name, p->deviation[j]};
            good = name != NULL;
        }
    }
    k->table.uncertain = uncertain;
    return good;
}

static crm_status add_spread(kept *k, crm_sensitivity_problem *p, const double *derivative,
                             crm_error *error)
{
    crm_spread *spread = CRM_ARENA_NEW(&k->arena, crm_spread, k->table.of_count);
    if (spread == NULL || !keep_uncertain(k, p)) {
        return crm_fail_memory(error);
    }
    k->table.spread = spread;
    k->table.samples = p->samples;
    return crm_spread_find(p, k->table.value, derivative, spread, &k->table.unanswered, error);
}

/* ---- The whole ------------------------------------------------------------------------------ */

static crm_status fill(kept *k, crm_sensitivity_problem *p, crm_error *error)
{
    size_t n = p->map.unknown_count, m = p->map.output_count;
    double *x = CRM_ARENA_NEW(&k->arena, double, n);
    double *y = CRM_ARENA_NEW(&k->arena, double, m);
    double *all = CRM_ARENA_NEW(&k->arena, double, m *n);
    double *derivative = CRM_ARENA_NEW(&k->arena, double, m * p->to_count);
    if (x == NULL || y == NULL || all == NULL || derivative == NULL || !keep_names(k, p)) {
        return crm_fail_memory(error);
    }
    for (size_t j = 0; j < n; j++) {
        x[j] = p->map.unknowns[j].start;
    }
    crm_derived derived;
    crm_status status = crm_map_derive(&p->map, x, y, all, &derived, error);
    for (size_t i = 0; i < m * p->to_count; i++) {
        derivative[i] = all[i / p->to_count * n + i % p->to_count];
    }
    k->table.value = y;
    k->table.at = x;
    k->table.derivative = derivative;
    k->table.exact = derived.exact;
    k->table.note = keep_text(k, derived.note);
    if (status == CRM_OK && k->table.note == NULL) {
        return crm_fail_memory(error);
    }
    return status == CRM_OK && p->deviation != NULL ? add_spread(k, p, all, error) : status;
}

static crm_status run(kept *k, crm_sensitivity_problem *p, crm_read_error *error)
{
    crm_error cause = {0};
    double *y = CRM_ARENA_NEW(&k->arena, double, p->map.output_count);
    crm_status status =
        y != NULL ? crm_map_try(&p->map, y, error) : crm_yaml_fail_memory(p->map.tree, error);
    if (status != CRM_OK) {
        return status;
    }
    status = fill(k, p, &cause);
    if (status == CRM_ERROR_MEMORY) {
        return crm_yaml_fail_memory(p->map.tree, error);
    }
    return status == CRM_OK
               ? CRM_OK
               : crm_yaml_fail_at(error, status, p->map.def.source, 0, 0, "%s", cause.message);
}

crm_status crm_sensitivity_run(crm_sensitivity_problem *problem, const crm_watch *watch,
                               crm_sensitivity **sensitivity, crm_read_error *error)
{
    *sensitivity = NULL;
    kept *made = CRM_NEW(kept, 1);
    if (made == NULL) {
        return crm_yaml_fail_memory(problem->map.tree, error);
    }
    crm_map_watch(&problem->map, watch);
    crm_status status = run(made, problem, error);
    if (status == CRM_OK) {
        *sensitivity = &made->table;
    } else {
        crm_sensitivity_free(&made->table);
    }
    return status;
}

void crm_sensitivity_free(crm_sensitivity *sensitivity)
{
    if (sensitivity != NULL) {
        kept *made = (kept *)sensitivity;
        crm_arena_free(&made->arena);
        free(made);
    }
}

/* What crm_sensitivity_solve is asked for. */
typedef struct solving {
    const crm_watch *watch;
    crm_sensitivity **sensitivity;
} solving;

static crm_status solve_def(crm_study_def *def, void *context, crm_read_error *failure)
{
    const solving *s = context;
    crm_sensitivity_problem problem = {0};
    crm_status status = crm_sensitivity_open(&problem, def, failure);
    if (status == CRM_OK) {
        status = crm_sensitivity_run(&problem, s->watch, s->sensitivity, failure);
    }
    crm_sensitivity_close(&problem);
    return status;
}

crm_status crm_sensitivity_solve(const crm_source *source, const crm_watch *watch,
                                 crm_sensitivity **sensitivity, crm_error *error)
{
    CRM_USUAL_ARITHMETIC;
    if (crm_fail_if_null(sensitivity, "sensitivity", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    *sensitivity = NULL;
    solving s = {.watch = watch, .sensitivity = sensitivity};
    return crm_study_def_use(source, solve_def, &s, error);
}
