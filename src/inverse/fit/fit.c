#include "inverse/fit/fitting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "inverse/least/least.h"
#include "inverse/least/student.h"
#include "inverse/map/start.h"

/* Where the first ANYWHERE starts all end in one minimum, they suffice. Each later start is the
 * best of DRAWS random points, which cost a solve each, beside some fifty for a search.
 */
enum { ANYWHERE = 4, DRAWS = 8 };

/* Relative error of solvers: sums of squares of that size are rounding. */
static const double ANSWER = 1e-9;
static const double CONFIDENCE = 0.95;
/* Ends are the same minimum within this part of the uncertainty of every parameter, or of its
 * range.
 */
static const double SAME_DEVIATION = 0.1, SAME_RANGE = 1e-3;

typedef crm_fitting fitting;
typedef crm_fit_attempt attempt;

/* ---- Room ----------------------------------------------------------------------------------- */

static bool make_room(fitting *f)
{
    crm_arena *arena = &f->kept->arena;
    size_t n = f->n, m = f->m, starts = f->most;
    f->weight = CRM_ARENA_NEW(arena, double, 3 * m + m * n);
    f->from = CRM_ARENA_NEW(arena, double, 4 * n + 2 * starts * n);
    f->room = CRM_ARENA_NEW(arena, double, n *(m + n + 1) + 2 * n * n);
    f->wide = CRM_ARENA_NEW(arena, bool, n);
    f->attempts = CRM_ARENA_NEW(arena, attempt, starts);
    f->minima = CRM_ARENA_NEW(arena, crm_fit_minimum, starts);
    f->first = CRM_ARENA_NEW(arena, size_t, starts);
    if (f->weight == NULL || f->from == NULL || f->room == NULL || f->wide == NULL ||
        f->attempts == NULL || f->minima == NULL || f->first == NULL) {
        return false;
    }
    f->y = f->weight + m;
    f->r = f->y + m;
    f->jacobian = f->r + m;
    f->to = f->from + n;
    f->scale = f->to + n;
    f->drawn = f->scale + n;
    f->covariance = f->room + n * (m + n + 1);
    f->null = f->covariance + n * n;
    for (size_t k = 0; k < starts; k++) {
        f->attempts[k] = (attempt){.x = f->drawn + (2 * k + 1) * n,
                                   .radius = f->drawn + (2 * k + 2) * n,
                                   .chi2 = INFINITY};
    }
    return true;
}

static void fill_problem(fitting *f)
{
    const crm_fit_problem *p = f->problem;
    double sum = 0;
    for (size_t i = 0; i < f->m; i++) {
        f->weight[i] = p->weighed ? 1 / p->uncertainty[i] : 1;
        double fitted = p->measured[i] * f->weight[i];
        sum += fitted * fitted;
    }
    f->size = sqrt(sum);
    for (size_t j = 0; j < f->n; j++) {
        f->from[j] = p->map.unknowns[j].from;
        f->to[j] = p->map.unknowns[j].to;
    }
}

/* ---- The search ----------------------------------------------------------------------------- */

static crm_status evaluate(void *context, const double *x, double *r, double *jacobian,
                           crm_error *error)
{
    fitting *f = context;
    crm_map *map = &f->problem->map;
    crm_status status = jacobian != NULL ? crm_map_derive(map, x, r, jacobian, &f->derived, error)
                                         : crm_map_evaluate(map, x, r, error);
    for (size_t i = 0; i < f->m && status == CRM_OK; i++) {
        if (!isfinite(r[i])) {
            return crm_fail(error, CRM_ERROR_MODEL, NULL, "%s is not defined here",
                            map->outputs[i].what.name);
        }
        r[i] = (r[i] - f->problem->measured[i]) * f->weight[i];
        for (size_t j = 0; jacobian != NULL && j < f->n; j++) {
            jacobian[i * f->n + j] *= f->weight[i];
        }
    }
    return status;
}

/* ---- What the data say -------------------------------------------------------------------- */

static bool is_null(const fitting *f, size_t j)
{
    for (size_t k = 0; k < f->null_count; k++) {
        if (crm_identify_moves(f->null + k * f->n, j)) {
            return true;
        }
    }
    return false;
}

/* Standard deviation of the residuals, where no uncertainties were given; NAN: not known. */
static double scatter_of(const attempt *a)
{
    return a->degrees_of_freedom > 0 ? sqrt(a->chi2 / (double)a->degrees_of_freedom) : NAN;
}

/* From the Jacobian where an attempt ended. */
static void judge(fitting *f, attempt *a)
{
    for (size_t j = 0; j < f->n; j++) {
        const crm_unknown *u = &f->problem->map.unknowns[j];
        f->scale[j] = crm_map_is_wide(u) ? fabs(a->x[j]) : u->to - u->from;
    }
    crm_identify_problem identify = {.unknowns = f->n,
                                     .residuals = f->m,
                                     .jacobian = f->jacobian,
                                     .scale = f->scale,
                                     .size = f->size};
    f->null_count = crm_identify(&identify, f->room, f->covariance, f->null);
    a->degrees_of_freedom = f->m - (f->n - f->null_count);
    double scatter = scatter_of(a);
    for (size_t i = 0; i < f->n * f->n && !f->problem->weighed; i++) {
        f->covariance[i] *= scatter * scatter;
    }
    for (size_t j = 0; j < f->n; j++) { /* a poor fit's ends are as rough as its residuals */
        double rough = f->problem->weighed ? fmax(1, scatter) : 1;
        double deviation = rough * sqrt(f->covariance[j * f->n + j]);
        a->radius[j] = is_null(f, j) ? INFINITY
                                     : fmax(SAME_RANGE * (f->to[j] - f->from[j]),
                                            isnan(deviation) ? 0 : SAME_DEVIATION * deviation);
    }
}

/* ---- Starts --------------------------------------------------------------------------------- */

static crm_status sum_at(fitting *f, const double *x, double *sum, crm_error *error)
{
    crm_status status = evaluate(f, x, f->r, NULL, error);
    *sum = status == CRM_OK ? 0 : INFINITY;
    for (size_t i = 0; i < f->m && status == CRM_OK; i++) {
        *sum += f->r[i] * f->r[i];
    }
    return status == CRM_ERROR_MODEL ? CRM_OK : status;
}

static crm_map_point point_of(size_t start, uint32_t draw)
{
    return (crm_map_point){.draw = start,
                           .attempt = draw,
                           .even = (start + draw) % 2 == 0 ? CRM_MAP_LOGARITHM : CRM_MAP_EVEN};
}

/* The first guess, then random points, half of them even in the logarithm. */
static crm_status choose_start(fitting *f, size_t start, double *x, crm_error *error)
{
    const crm_map *map = &f->problem->map;
    double least = INFINITY, sum = INFINITY;
    crm_status status = CRM_OK;
    crm_map_draw(map, f->problem->seed, point_of(start, 0), x);
    for (uint32_t k = 0; k < DRAWS && start >= ANYWHERE && status == CRM_OK; k++) {
        crm_map_draw(map, f->problem->seed, point_of(start, k), f->drawn);
        status = sum_at(f, f->drawn, &sum, error);
        if (sum < least) {
            least = sum;
            memcpy(x, f->drawn, f->n * sizeof *x);
        }
    }
    return status;
}

static crm_status search(fitting *f, attempt *a, crm_error *error)
{
    double size = ANSWER * f->size;
    crm_least least = {.unknowns = f->n,
                       .residuals = f->m,
                       .from = f->from,
                       .to = f->to,
                       .rounding = size * size,
                       .context = f,
                       .evaluate = evaluate};
    crm_least_end end;
    crm_status status = crm_least_solve(&least, a->x, f->r, f->jacobian, &end, error);
    if (status == CRM_OK) {
        a->chi2 = end.sum;
        a->converged = end.converged;
        a->linear = end.linear;
        judge(f, a);
    }
    return status == CRM_ERROR_MODEL ? CRM_OK : status; /* a start without an answer is left */
}

static crm_status search_all(fitting *f, crm_error *error)
{
    crm_status status = CRM_OK;
    bool enough = false;
    for (size_t k = 0; k < f->most && status == CRM_OK && !enough; k++) {
        status = choose_start(f, k, f->attempts[k].x, error);
        if (status == CRM_OK) {
            status = search(f, &f->attempts[k], error);
            crm_minima_add(f, k);
        }
        enough = f->problem->starts == 0 && crm_minima_suffice(f);
    }
    if (status == CRM_OK) { /* residuals and Jacobian of the best */
        status = evaluate(f, f->attempts[f->best].x, f->r, f->jacobian, error);
        f->kept->fit.exact = f->derived.exact;
    }
    return status;
}

/* ---- What came of it ------------------------------------------------------------------------ */

/* Whether another minimum, as good as the best, has it outside the interval. */
static bool is_elsewhere(const fitting *f, size_t j, double low, double high)
{
    for (size_t i = 0; i < f->minimum_count; i++) {
        double x = f->minima[i].values[j], near = f->attempts[f->best].radius[j];
        if (crm_minima_is_as_good(f, f->minima[i].chi2) && !(x >= low - near && x <= high + near)) {
            return true;
        }
    }
    return false;
}

static crm_fit_parameter parameter_of(fitting *f, size_t j, double quantile)
{
    const crm_unknown *u = &f->problem->map.unknowns[j];
    double x = f->attempts[f->best].x[j];
    bool null = is_null(f, j);
    double deviation = null ? NAN : sqrt(f->covariance[j * f->n + j]);
    double low = fmax(x - quantile * deviation, u->from);
    double high = fmin(x + quantile * deviation, u->to);
    crm_fit_parameter p = {.name = u->name,
                           .value = x,
                           .uncertainty = deviation,
                           .interval = {low, high},
                           .from = u->from,
                           .to = u->to,
                           .start = u->start};
    f->wide[j] = !null && !isnan(deviation) && low <= u->from && high >= u->to;
    p.determined = !null && !f->wide[j] && crm_minima_is_confirmed(f) && !crm_minima_is_poor(f) &&
                   !is_elsewhere(f, j, low, high);
    p.at_bound = x <= u->from || x >= u->to;
    if (!p.determined) {
        p.interval[0] = u->from;
        p.interval[1] = u->to;
    }
    return p;
}

static bool fill_parameters(fitting *f)
{
    crm_fit *fit = &f->kept->fit;
    crm_arena *arena = &f->kept->arena;
    crm_fit_parameter *parameters = CRM_ARENA_NEW(arena, crm_fit_parameter, f->n);
    double *correlation = CRM_ARENA_NEW(arena, double, f->n * f->n);
    if (parameters == NULL || correlation == NULL) {
        return false;
    }
    double quantile = fit->weighed ? crm_student_normal(CONFIDENCE)
                      : fit->degrees_of_freedom > 0
                          ? crm_student(CONFIDENCE, fit->degrees_of_freedom)
                          : NAN;
    for (size_t j = 0; j < f->n; j++) {
        parameters[j] = parameter_of(f, j, quantile);
    }
    for (size_t i = 0; i < f->n * f->n; i++) {
        double a = parameters[i / f->n].uncertainty, b = parameters[i % f->n].uncertainty;
        correlation[i] = i % (f->n + 1) == 0 && !isnan(a) ? 1 : f->covariance[i] / (a * b);
    }
    fit->parameters = parameters;
    fit->parameter_count = f->n;
    fit->correlation = correlation;
    return true;
}

static bool fill_residuals(fitting *f)
{
    const crm_fit_problem *p = f->problem;
    crm_fit_residual *residuals = CRM_ARENA_NEW(&f->kept->arena, crm_fit_residual, f->m);
    for (size_t i = 0; i < f->m && residuals != NULL; i++) {
        double deviation = f->r[i] / f->weight[i];
        residuals[i] = (crm_fit_residual){.what = p->map.outputs[i].what.name,
                                          .measured = p->measured[i],
                                          .uncertainty = p->uncertainty[i],
                                          .fitted = p->measured[i] + deviation,
                                          .deviation = deviation};
    }
    f->kept->fit.residuals = residuals;
    f->kept->fit.residual_count = f->m;
    return residuals != NULL;
}

static int by_chi2(const void *a, const void *b)
{
    double x = ((const crm_fit_minimum *)a)->chi2, y = ((const crm_fit_minimum *)b)->chi2;
    return (x > y) - (x < y);
}

static void fill_sums(fitting *f)
{
    crm_fit *fit = &f->kept->fit;
    attempt *best = &f->attempts[f->best];
    judge(f, best);
    fit->law = crm_map_law(&f->problem->map);
    fit->weighed = f->problem->weighed;
    fit->chi2 = best->chi2;
    fit->degrees_of_freedom = best->degrees_of_freedom;
    fit->scatter = fit->weighed ? NAN : scatter_of(best);
    fit->converged = best->converged;
    fit->evaluations = f->problem->map.evaluations;
    fit->starts = f->attempt_count;
    fit->failed = f->failed;
    qsort(f->minima, f->minimum_count, sizeof *f->minima, by_chi2);
    fit->minima = f->minima;
    fit->minimum_count = f->minimum_count;
}

/* Names live in the problem, which the caller closes. */
static bool keep_names(fitting *f)
{
    crm_fit *fit = &f->kept->fit;
    crm_arena *arena = &f->kept->arena;
    const char *heading = crm_map_title(&f->problem->map);
    fit->title = crm_arena_text(arena, heading, strlen(heading));
    fit->law = crm_arena_text(arena, fit->law, strlen(fit->law));
    bool good = fit->title != NULL && fit->law != NULL;
    for (size_t j = 0; j < f->n && good; j++) {
        crm_fit_parameter *p = (crm_fit_parameter *)&fit->parameters[j];
        p->name = crm_arena_text(arena, p->name, strlen(p->name));
        good = p->name != NULL;
    }
    for (size_t i = 0; i < f->m && good; i++) {
        crm_fit_residual *r = (crm_fit_residual *)&fit->residuals[i];
        r->what = crm_arena_text(arena, r->what, strlen(r->what));
        good = r->what != NULL;
    }
    const char **notes = CRM_ARENA_NEW(arena, const char *, f->notes);
    for (size_t k = 0; k < f->notes && notes != NULL; k++) {
        notes[k] = f->note[k];
    }
    fit->notes = notes;
    fit->note_count = f->notes;
    return good && notes != NULL;
}

static bool fill(fitting *f)
{
    fill_sums(f);
    bool good = fill_parameters(f) && fill_residuals(f);
    if (good) {
        crm_notes_write(f);
    }
    return good && keep_names(f);
}

/* ---- The whole ------------------------------------------------------------------------------ */

/* The best start has no answer only if the first, which was tried, had none. */
static crm_status run(fitting *f, crm_read_error *error)
{
    crm_error cause = {0};
    crm_tree *tree = f->problem->map.tree;
    if (!make_room(f)) {
        return crm_yaml_fail_memory(tree, error);
    }
    fill_problem(f);
    crm_status status = crm_map_try(&f->problem->map, f->y, error);
    if (status != CRM_OK) {
        return status;
    }
    status = search_all(f, &cause);
    if (status == CRM_OK && !fill(f)) {
        status = CRM_ERROR_MEMORY;
    }
    return status == CRM_OK || status == CRM_ERROR_MEMORY
               ? (status == CRM_OK ? CRM_OK : crm_yaml_fail_memory(tree, error))
               : crm_yaml_fail_at(error, status, f->problem->map.def.source, 0, 0, "%s",
                                  cause.message);
}

crm_status crm_fit_run(crm_fit_problem *problem, const crm_watch *watch, crm_fit **fit,
                       crm_read_error *error)
{
    crm_fit_kept *made = CRM_NEW(crm_fit_kept, 1);
    *fit = NULL;
    if (made == NULL) {
        return crm_yaml_fail_memory(problem->map.tree, error);
    }
    fitting *f = CRM_ARENA_NEW(&made->arena, fitting, 1);
    crm_map_watch(&problem->map, watch);
    crm_status status = CRM_ERROR_MEMORY;
    if (f != NULL) {
        *f = (fitting){.problem = problem,
                       .kept = made,
                       .n = problem->map.unknown_count,
                       .m = problem->map.output_count,
                       .most = problem->starts > 0 ? problem->starts : CRM_FIT_STARTS};
        status = run(f, error);
    } else {
        crm_yaml_fail_memory(problem->map.tree, error);
    }
    if (status == CRM_OK) {
        *fit = &made->fit;
    } else {
        crm_fit_free(&made->fit);
    }
    return status;
}

void crm_fit_free(crm_fit *fit)
{
    if (fit != NULL) {
        crm_fit_kept *made = (crm_fit_kept *)fit;
        crm_arena_free(&made->arena);
        free(made);
    }
}

/* What crm_fit_solve is asked for. */
typedef struct solving {
    const crm_watch *watch;
    crm_fit **fit;
} solving;

static crm_status solve_def(crm_study_def *def, void *context, crm_read_error *failure)
{
    const solving *s = context;
    crm_fit_problem problem = {0};
    crm_status status = crm_fit_open(&problem, def, failure);
    if (status == CRM_OK) {
        status = crm_fit_run(&problem, s->watch, s->fit, failure);
    }
    crm_fit_close(&problem);
    return status;
}

crm_status crm_fit_solve(const crm_source *source, const crm_watch *watch, crm_fit **fit,
                         crm_error *error)
{
    CRM_USUAL_ARITHMETIC;
    if (crm_fail_if_null(fit, "fit", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    *fit = NULL;
    solving s = {.watch = watch, .fit = fit};
    return crm_study_def_use(source, solve_def, &s, error);
}
