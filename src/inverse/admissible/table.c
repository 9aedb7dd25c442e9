/* All extremes, and where the laws' outcomes are. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "inverse/admissible/problem.h"
#include "model/model.h"
#include "solve/call.h"

/* A distance that is proven to be more than this is no rounding. */
static const double APART = 1e-8;

typedef struct kept {
    crm_admissible_table table;
    crm_arena arena;
    const crm_admissible_problem *problem;
    crm_admissible *set;
    const crm_watch *watch;
} kept;

static const char *keep_text(kept *k, const char *text)
{
    return crm_arena_text(&k->arena, text, strlen(text));
}

/* ---- Extremes -------------------------------------------------------------------------------- */

typedef struct found {
    crm_extreme extreme;
    double *p, *v;
} found;

static crm_status find(kept *k, const crm_admissible_quantity *quantity, bool most, found *f,
                       crm_error *error)
{
    f->p = CRM_ARENA_NEW(&k->arena, double, k->table.contacts);
    f->v = CRM_ARENA_NEW(&k->arena, double, k->table.coordinates);
    if (f->p == NULL || f->v == NULL) {
        return crm_fail_memory(error);
    }
    return most ? crm_admissible_most(k->set, quantity, &f->extreme, f->p, f->v, error)
                : crm_admissible_least(k->set, quantity, &f->extreme, f->p, f->v, error);
}

/* h v^2 of a v between two found: 0 on the way from one to the other, if they have two signs. */
static void square(double h, crm_admissible_table *t, found *least, found *most)
{
    double low = least->extreme.value, high = most->extreme.value;
    double outside = fmax(fabs(least->extreme.bound), fabs(most->extreme.bound));
    found far = -low > high ? *least : *most, near = -low > high ? *most : *least;
    if (low < 0 && high > 0) {
        double part = high / (high - low);
        for (size_t j = 0; j < t->contacts; j++) {
            near.p[j] = part * least->p[j] + (1 - part) * most->p[j];
        }
        for (size_t i = 0; i < t->coordinates; i++) {
            near.v[i] = part * least->v[i] + (1 - part) * most->v[i];
        }
        near.extreme = (crm_extreme){.violation = fmax(low, high)};
    } else {
        double inside = low >= 0 ? least->extreme.bound : -most->extreme.bound;
        near.extreme.value = h * near.extreme.value * near.extreme.value;
        near.extreme.bound = inside > 0 ? h * inside * inside : 0;
    }
    near.extreme.violation = fmax(least->extreme.violation, most->extreme.violation);
    far.extreme.value = h * far.extreme.value * far.extreme.value;
    far.extreme.bound = h * outside * outside;
    *least = near;
    *most = far;
}

/* The farther of the two keeps its impulse, so that the nearer one may be mixed in place. */
static crm_status fill_range(kept *k, const crm_admissible_named *named,
                             crm_admissible_range *range, crm_error *error)
{
    found least, most;
    crm_status status = find(k, &named->quantity, false, &least, error);
    if (status == CRM_OK) {
        status = find(k, &named->quantity, true, &most, error);
    }
    if (status != CRM_OK) {
        return status;
    }
    if (named->half_mass > 0) {
        square(named->half_mass, &k->table, &least, &most);
    }
    const crm_outcome_field *field = crm_outcome_field_at(named->what.field);
    range->unit = field->unit != NULL ? keep_text(k, field->unit) : NULL;
    range->what = keep_text(k, named->name);
    range->least = least.extreme;
    range->most = most.extreme;
    if (isfinite(least.extreme.value)) {
        range->least_impulse = least.p;
        range->least_velocity = least.v;
    }
    if (isfinite(most.extreme.value)) {
        range->most_impulse = most.p;
        range->most_velocity = most.v;
    }
    bool kept_all = range->what != NULL && (field->unit == NULL || range->unit != NULL);
    return kept_all ? CRM_OK : crm_fail_memory(error);
}

static crm_status fill_ranges(kept *k, crm_error *error)
{
    const crm_admissible_problem *p = k->problem;
    crm_admissible_range *ranges = CRM_ARENA_NEW(&k->arena, crm_admissible_range, p->count);
    crm_status status = ranges != NULL ? CRM_OK : crm_fail_memory(error);
    bool any = k->table.kind != CRM_ADMISSIBLE_EMPTY;
    for (size_t i = 0; i < p->count && any && status == CRM_OK; i++) {
        status = fill_range(k, &p->named[i], &ranges[i], error);
        k->table.range_count = i + 1;
    }
    k->table.ranges = ranges;
    return status;
}

/* ---- Outcomes -------------------------------------------------------------------------------- */

/* An outcome that passes the verdicts is one of the set. One that does not may have velocities that
 * another impulse gives.
 */
static crm_status place(kept *k, const crm_outcome *outcome, crm_admissible_outcome *o,
                        crm_error *error)
{
    o->judged = true;
    o->inside = outcome->kinematic && outcome->kinetic && outcome->energetic;
    if (o->inside) {
        return CRM_OK;
    }
    o->distance = NAN;
    if (k->table.kind == CRM_ADMISSIBLE_EMPTY) {
        return CRM_OK;
    }
    crm_extreme distance;
    crm_status status = crm_admissible_distance(k->set, outcome->impulse, &distance, error);
    o->inside = status == CRM_OK && !(distance.bound > APART);
    o->distance = o->inside ? 0 : distance.value;
    return status;
}

static crm_status fill_values(kept *k, const crm_outcome *outcome, crm_admissible_outcome *o,
                              crm_error *error)
{
    const crm_admissible_problem *p = k->problem;
    const crm_impact impact = {
        .model = p->scenario->model, .velocity = p->scenario->velocity, .outcome = outcome};
    double *values = CRM_ARENA_NEW(&k->arena, double, p->count);
    for (size_t i = 0; i < p->count && values != NULL; i++) {
        values[i] = outcome != NULL ? crm_recorded_value(&p->named[i].what, &impact) : NAN;
    }
    o->values = values;
    return values != NULL ? CRM_OK : crm_fail_memory(error);
}

/* A law that does not fit the system is reported, and the others go on. */
static crm_status fill_outcome(kept *k, size_t law, crm_admissible_outcome *o, crm_error *error)
{
    const crm_scenario *scenario = k->problem->scenario;
    crm_outcome *outcome = NULL;
    crm_error why = {0};
    crm_status status = crm_solve_on(1, k->watch, scenario->model, scenario->velocity,
                                     scenario->laws[law].settings, NULL, &outcome, &why);
    if (status == CRM_ERROR_MEMORY) {
        return crm_fail_memory(error);
    }
    bool answers = status == CRM_OK &&
                   (outcome->result == CRM_SOLVED || outcome->result == CRM_NOT_TERMINATED);
    o->label = keep_text(k, scenario->laws[law].label);
    o->reason = keep_text(k, status != CRM_OK                ? why.message
                             : outcome->result == CRM_SOLVED ? ""
                                                             : outcome->reason);
    o->distance = NAN;
    status = o->label != NULL && o->reason != NULL ? CRM_OK : crm_fail_memory(error);
    if (status == CRM_OK && answers) {
        o->distance = 0;
        status = place(k, outcome, o, error);
    }
    if (status == CRM_OK) {
        status = fill_values(k, answers ? outcome : NULL, o, error);
    }
    crm_outcome_free(outcome);
    return status;
}

static crm_status fill_outcomes(kept *k, crm_error *error)
{
    size_t count = k->problem->scenario->law_count;
    crm_admissible_outcome *outcomes = CRM_ARENA_NEW(&k->arena, crm_admissible_outcome, count);
    crm_status status = outcomes != NULL ? CRM_OK : crm_fail_memory(error);
    for (size_t i = 0; i < count && status == CRM_OK; i++) {
        status = fill_outcome(k, i, &outcomes[i], error);
    }
    k->table.outcomes = outcomes;
    k->table.outcome_count = count;
    return status;
}

/* ---- The whole ------------------------------------------------------------------------------- */

crm_status crm_admissible_make_set(const crm_admissible_problem *problem, double energy_ratio,
                                   const crm_watch *watch, crm_admissible **set, crm_error *error)
{
    crm_admissible_def def = crm_admissible_def_default();
    def.model = problem->scenario->model;
    def.velocity = problem->scenario->velocity;
    def.energy_ratio = energy_ratio;
    def.watch = watch;
    return crm_admissible_create(&def, set, error);
}

static crm_status fill(kept *k, crm_error *error)
{
    const crm_model *model = k->problem->scenario->model;
    k->table.title = keep_text(k, k->problem->scenario->title);
    if (k->table.title == NULL) {
        return crm_fail_memory(error);
    }
    crm_status status = crm_admissible_make_set(k->problem, 1, k->watch, &k->set, error);
    if (status != CRM_OK) {
        return status;
    }
    k->table.kind = crm_admissible_kind_of(k->set);
    k->table.coordinates = model->coordinates;
    k->table.contacts = model->contacts;
    for (size_t j = 0; j < model->contacts; j++) {
        k->table.pinched += crm_admissible_pinched(k->set)[j];
    }
    status = fill_ranges(k, error);
    return status == CRM_OK ? fill_outcomes(k, error) : status;
}

crm_status crm_admissible_make_table(const crm_admissible_problem *problem, const crm_watch *watch,
                                     crm_admissible_table **table, crm_error *error)
{
    *table = NULL;
    kept *made = CRM_NEW(kept, 1);
    if (made == NULL) {
        return crm_fail_memory(error);
    }
    made->problem = problem;
    made->watch = watch;
    crm_status status = fill(made, error);
    crm_admissible_free(made->set);
    if (status == CRM_OK) {
        *table = &made->table;
    } else {
        crm_admissible_table_free(&made->table);
    }
    return status;
}

void crm_admissible_table_free(crm_admissible_table *table)
{
    if (table != NULL) {
        kept *made = (kept *)table;
        crm_arena_free(&made->arena);
        free(made);
    }
}

crm_status crm_admissible_solve(const crm_source *source, const crm_watch *watch,
                                crm_admissible_table **table, crm_error *error)
{
    CRM_USUAL_ARITHMETIC;
    if (crm_fail_if_null(table, "table", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    *table = NULL;
    crm_scenario *scenario = NULL;
    crm_admissible_problem problem = {0};
    crm_read_error failure = {0};
    crm_status status = crm_scenario_load(source, &scenario, error);
    if (status == CRM_OK && crm_admissible_open(&problem, scenario, &failure) != CRM_OK) {
        status = crm_load_error(source, &failure, error);
    }
    if (status == CRM_OK) {
        status = crm_admissible_make_table(&problem, watch, table, error);
    }
    crm_admissible_close(&problem);
    crm_scenario_free(scenario);
    return status;
}
