/* The admissible set in a plane of two quantities: its outline, and those of less energy.
 *
 * A plane section of a convex set would hide what other quantities allow; this is its shadow. For
 * each direction a the point of greatest a'(x, y) is an extreme of a linear quantity; between two
 * of them the outline is at most as far outside as where their tangents meet.
 */
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "inverse/admissible/problem.h"
#include "model/model.h"
#include "solve/call.h"

/* Directions, and levels between the least energy and all of it. */
enum { DIRECTIONS = 180, LEVELS = 4 };
static const double TURN = 6.283185307179586;

const char *crm_admissible_curve_text(crm_admissible_curve_kind kind)
{
    static const char *const texts[] = {[CRM_ADMISSIBLE_OUTLINE] = "outline",
                                        [CRM_ADMISSIBLE_LEVEL] = "level",
                                        [CRM_ADMISSIBLE_LOCUS] = "locus",
                                        [CRM_ADMISSIBLE_POINTS] = "points",
                                        [CRM_ADMISSIBLE_OUTCOME] = "outcome"};
    return texts[kind];
}

crm_admissible_curve *crm_admissible_add_curve(crm_admissible_picture *picture,
                                               crm_admissible_curve_kind kind, const char *label,
                                               const char *parameter, size_t room)
{
    crm_admissible_curve *curve = &picture->curves[picture->count];
    if (picture->count == CRM_ADMISSIBLE_CURVES_MOST) {
        return NULL;
    }
    double *numbers = CRM_ARENA_NEW(&picture->arena, double, 3 * room);
    *curve = (crm_admissible_curve){
        .kind = kind,
        .label = crm_arena_text(&picture->arena, label, strlen(label)),
        .parameter = crm_arena_text(&picture->arena, parameter, strlen(parameter)),
        .value = numbers};
    if (numbers == NULL || curve->label == NULL || curve->parameter == NULL) {
        return NULL;
    }
    curve->x = numbers + room;
    curve->y = curve->x + room;
    picture->count++;
    return curve;
}

/* ---- Outlines -------------------------------------------------------------------------------- */

typedef struct plane {
    const crm_admissible_problem *problem;
    double *velocity, *impulse; /* weights of a direction */
    double *p, *v;              /* at its end */
    double size[2];             /* of the set along the axes, so that directions are even */
} plane;

static double at(const crm_admissible_quantity *q, size_t n, size_t s, const double *p,
                 const double *v)
{
    double sum = q->constant;
    for (size_t i = 0; q->velocity != NULL && i < n; i++) {
        sum += q->velocity[i] * v[i];
    }
    for (size_t j = 0; q->impulse != NULL && j < s; j++) {
        sum += q->impulse[j] * p[j];
    }
    return sum;
}

static void aim(const plane *axes, double angle)
{
    const crm_model *model = axes->problem->scenario->model;
    const double weight[] = {crm_cos(angle) / axes->size[0], crm_sin(angle) / axes->size[1]};
    memset(axes->velocity, 0, model->coordinates * sizeof(double));
    memset(axes->impulse, 0, model->contacts * sizeof(double));
    for (size_t k = 0; k < 2; k++) {
        const crm_admissible_quantity *q = &axes->problem->plane[k].quantity;
        for (size_t i = 0; q->velocity != NULL && i < model->coordinates; i++) {
            axes->velocity[i] += weight[k] * q->velocity[i];
        }
        for (size_t j = 0; q->impulse != NULL && j < model->contacts; j++) {
            axes->impulse[j] += weight[k] * q->impulse[j];
        }
    }
}

static crm_status find_ends(const plane *axes, crm_admissible *set, crm_admissible_curve *curve,
                            crm_error *error)
{
    const crm_model *model = axes->problem->scenario->model;
    const crm_admissible_quantity along = {.velocity = axes->velocity, .impulse = axes->impulse};
    crm_status status = CRM_OK;
    for (size_t i = 0; i <= DIRECTIONS && status == CRM_OK; i++) {
        crm_extreme extreme;
        aim(axes, TURN * (double)(i % DIRECTIONS) / DIRECTIONS);
        status = crm_admissible_most(set, &along, &extreme, axes->p, axes->v, error);
        if (status == CRM_OK && isfinite(extreme.value)) {
            for (size_t k = 0; k < 2; k++) {
                const crm_admissible_quantity *q = &axes->problem->plane[k].quantity;
                (k == 0 ? curve->x : curve->y)[curve->count] =
                    at(q, model->coordinates, model->contacts, axes->p, axes->v);
            }
            curve->count++;
        }
    }
    return status;
}

static crm_status add_outline(plane *axes, double energy_ratio, const crm_watch *watch,
                              crm_admissible_picture *picture, crm_error *error)
{
    bool whole = energy_ratio == 1;
    crm_admissible *set = NULL;
    crm_admissible_curve *curve =
        crm_admissible_add_curve(picture, whole ? CRM_ADMISSIBLE_OUTLINE : CRM_ADMISSIBLE_LEVEL,
                                 "any law", "energy_ratio", DIRECTIONS + 1);
    if (curve == NULL) {
        return crm_fail_memory(error);
    }
    for (size_t i = 0; i <= DIRECTIONS; i++) {
        curve->value[i] = energy_ratio;
    }
    crm_status status = crm_admissible_make_set(axes->problem, energy_ratio, watch, &set, error);
    if (status == CRM_OK && crm_admissible_kind_of(set) != CRM_ADMISSIBLE_EMPTY) {
        status = find_ends(axes, set, curve, error);
    }
    crm_admissible_free(set);
    return status;
}

/* The sizes of the set along the axes, and the least energy. */
static crm_status measure(plane *axes, const crm_watch *watch, double *least, crm_error *error)
{
    crm_admissible *set = NULL;
    const crm_scenario *scenario = axes->problem->scenario;
    double before = crm_model_kinetic_energy(scenario->model, scenario->velocity);
    crm_status status = crm_admissible_make_set(axes->problem, 1, watch, &set, error);
    for (size_t k = 0; k < 2 && status == CRM_OK; k++) {
        crm_extreme low, high;
        const crm_admissible_quantity *q = &axes->problem->plane[k].quantity;
        status = crm_admissible_least(set, q, &low, NULL, NULL, error);
        status = status == CRM_OK ? crm_admissible_most(set, q, &high, NULL, NULL, error) : status;
        double size = status == CRM_OK ? high.value - low.value : 0;
        axes->size[k] = size > 0 && isfinite(size) ? size : 1;
    }
    if (status == CRM_OK) {
        const crm_admissible_quantity energy = {.energy = 1};
        crm_extreme extreme;
        status = crm_admissible_least(set, &energy, &extreme, NULL, NULL, error);
        *least = status == CRM_OK ? fmax(extreme.value, 0) / before : 1;
    }
    crm_admissible_free(set);
    return status;
}

static crm_status add_outlines(plane *axes, const crm_watch *watch, crm_admissible_picture *picture,
                               crm_error *error)
{
    double least = 1;
    crm_status status = measure(axes, watch, &least, error);
    for (size_t k = LEVELS + 1; k > 0 && status == CRM_OK; k--) {
        double ratio = k > LEVELS ? 1 : least + (1 - least) * (double)k / (LEVELS + 1);
        if (k > LEVELS || least < 1) {
            status = add_outline(axes, ratio, watch, picture, error);
        }
    }
    return status;
}

/* ---- The whole ------------------------------------------------------------------------------- */

static crm_status add_outcomes(const crm_admissible_problem *problem,
                               const crm_admissible_table *table, const crm_watch *watch,
                               crm_admissible_picture *picture, crm_error *error)
{
    const crm_scenario *scenario = problem->scenario;
    for (size_t i = 0; i < table->outcome_count; i++) {
        crm_outcome *outcome = NULL;
        crm_error ignored;
        if (!table->outcomes[i].judged) {
            continue;
        }
        crm_status status = crm_solve_on(1, watch, scenario->model, scenario->velocity,
                                         scenario->laws[i].settings, NULL, &outcome, &ignored);
        if (status == CRM_ERROR_MEMORY) {
            return crm_fail_memory(error);
        }
        if (status != CRM_OK) {
            continue;
        }
        const crm_impact impact = {
            .model = scenario->model, .velocity = scenario->velocity, .outcome = outcome};
        crm_admissible_curve *curve = crm_admissible_add_curve(picture, CRM_ADMISSIBLE_OUTCOME,
                                                               table->outcomes[i].label, "", 1);
        if (curve != NULL) {
            curve->count = 1;
            curve->value[0] = NAN;
            curve->x[0] = crm_recorded_value(&problem->plane[0].what, &impact);
            curve->y[0] = crm_recorded_value(&problem->plane[1].what, &impact);
        }
        crm_outcome_free(outcome);
        if (curve == NULL) {
            return crm_fail_memory(error);
        }
    }
    return CRM_OK;
}

static const char *unit_of(const crm_admissible_named *named)
{
    return crm_outcome_field_at(named->what.field)->unit;
}

crm_status crm_admissible_draw(const crm_admissible_problem *problem,
                               const crm_admissible_table *table, const crm_watch *watch,
                               crm_admissible_picture *picture, crm_error *error)
{
    const crm_model *model = problem->scenario->model;
    size_t n = model->coordinates, s = model->contacts;
    double *room = CRM_ARENA_NEW(&picture->arena, double, 2 * (n + s));
    if (room == NULL) {
        return crm_fail_memory(error);
    }
    plane axes = {.problem = problem, .velocity = room, .impulse = room + n};
    axes.v = room + n + s;
    axes.p = axes.v + n;
    picture->x_name = problem->plane[0].name;
    picture->y_name = problem->plane[1].name;
    picture->x_unit = unit_of(&problem->plane[0]);
    picture->y_unit = unit_of(&problem->plane[1]);
    crm_status status = CRM_OK;
    if (table->kind == CRM_ADMISSIBLE_REGION) {
        status = add_outlines(&axes, watch, picture, error);
    }
    if (status == CRM_OK) {
        status = crm_admissible_add_loci(problem, watch, picture, error);
    }
    return status == CRM_OK ? add_outcomes(problem, table, watch, picture, error) : status;
}

void crm_admissible_picture_free(crm_admissible_picture *picture)
{
    crm_arena_free(&picture->arena);
    *picture = (crm_admissible_picture){0};
}
