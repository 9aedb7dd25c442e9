#include "inverse/fit/fit.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/locale.h"
#include "base/random.h"
#include "inverse/least/least.h"
#include "inverse/least/student.h"

enum { NOTES_MOST = 32, NOTE_SIZE = 640 };

/* What solvers may be wrong by, relative: sums of squares of that are rounding. */
static const double ANSWER = 1e-9;
static const double CONFIDENCE = 0.95;
/* Minima are the same within this part of chi2, and of the uncertainty of every parameter or its
 * range.
 */
static const double SAME_CHI2 = 1e-3, SAME_DEVIATION = 0.1, SAME_RANGE = 1e-3;

typedef struct kept {
    crm_fit fit;
    crm_arena arena;
} kept;

/* One start and its end. */
typedef struct attempt {
    double *x;
    double chi2;
    bool answered, converged;
} attempt;

typedef struct fitting {
    crm_fit_problem *problem;
    kept *kept;
    size_t n, m;
    double *weight; /* 1 / uncertainty */
    double *y, *r, *jacobian;
    double *from, *to;
    double *room, *covariance, *null; /* crm_verdict */
    size_t null_count;
    attempt *attempts;
    size_t best;
    crm_derived derived;
    size_t notes;
    const char *note[NOTES_MOST];
} fitting;

/* ---- Room ----------------------------------------------------------------------------------- */

static bool make_room(fitting *f)
{
    crm_arena *arena = &f->kept->arena;
    size_t n = f->n, m = f->m, starts = f->problem->starts;
    f->weight = CRM_ARENA_NEW(arena, double, 3 * m + m * n);
    f->from = CRM_ARENA_NEW(arena, double, 2 * n + starts * n);
    f->room = CRM_ARENA_NEW(arena, double, n *(m + n + 1) + 2 * n * n);
    f->attempts = CRM_ARENA_NEW(arena, attempt, starts);
    if (f->weight == NULL || f->from == NULL || f->room == NULL || f->attempts == NULL) {
        return false;
    }
    f->y = f->weight + m;
    f->r = f->y + m;
    f->jacobian = f->r + m;
    f->to = f->from + n;
    f->covariance = f->room + n * (m + n + 1);
    f->null = f->covariance + n * n;
    for (size_t k = 0; k < starts; k++) {
        f->attempts[k].x = f->to + n + k * n;
    }
    return true;
}

static void fill_problem(fitting *f)
{
    const crm_fit_problem *p = f->problem;
    for (size_t i = 0; i < f->m; i++) {
        f->weight[i] = p->weighed ? 1 / p->uncertainty[i] : 1;
    }
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

/* The norm of what was measured, in its uncertainties. */
static double size_of_data(const fitting *f)
{
    double sum = 0;
    for (size_t i = 0; i < f->m; i++) {
        double fitted = f->problem->measured[i] * f->weight[i];
        sum += fitted * fitted;
    }
    return sqrt(sum);
}

static void choose_start(const fitting *f, size_t start, double *x)
{
    for (size_t j = 0; j < f->n; j++) {
        crm_random_place place = {
            .seed = f->problem->seed, .draw = (uint32_t)start, .field = (uint32_t)j};
        double part = crm_random_uniform(place);
        x[j] = start == 0 ? f->problem->map.unknowns[j].start
                          : f->from[j] + part * (f->to[j] - f->from[j]);
    }
}

static crm_status search(fitting *f, double *x, attempt *a, crm_error *error)
{
    double size = ANSWER * size_of_data(f);
    crm_least least = {.unknowns = f->n,
                       .residuals = f->m,
                       .from = f->from,
                       .to = f->to,
                       .rounding = size * size,
                       .context = f,
                       .evaluate = evaluate};
    crm_least_end end;
    crm_status status = crm_least_solve(&least, x, f->r, f->jacobian, &end, error);
    *a = (attempt){.x = x, .chi2 = INFINITY};
    if (status == CRM_OK) {
        *a = (attempt){.x = x, .chi2 = end.sum, .answered = true, .converged = end.converged};
    }
    return status == CRM_ERROR_MODEL ? CRM_OK : status; /* a start without an answer is left */
}

static crm_status search_all(fitting *f, crm_error *error)
{
    crm_status status = CRM_OK;
    for (size_t k = 0; k < f->problem->starts && status == CRM_OK; k++) {
        attempt *a = &f->attempts[k];
        choose_start(f, k, a->x);
        status = search(f, a->x, a, error);
        bool better = a->converged != f->attempts[f->best].converged
                          ? a->converged
                          : a->chi2 < f->attempts[f->best].chi2;
        f->best = better ? k : f->best;
    }
    if (status == CRM_OK) { /* residuals and Jacobian of the best */
        status = evaluate(f, f->attempts[f->best].x, f->r, f->jacobian, error);
        f->kept->fit.exact = f->derived.exact;
    }
    return status;
}

/* ---- Words ---------------------------------------------------------------------------------- */

static void note(fitting *f, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void note(fitting *f, const char *format, ...)
{
    char text[NOTE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    crm_vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const char *keep =
        f->notes < NOTES_MOST ? crm_arena_text(&f->kept->arena, text, strlen(text)) : NULL;
    if (keep != NULL) {
        f->note[f->notes++] = keep;
    }
}

static const char *name_of(const fitting *f, size_t j)
{
    return f->problem->map.unknowns[j].name;
}

/* "chain.stiffness by +1 %, chain.restitution by -0.4 %" */
static void tell_combination(fitting *f, const double *null)
{
    char text[NOTE_SIZE - 160] = "";
    size_t count = 0, only = 0;
    for (size_t j = 0; j < f->n; j++) {
        if (crm_verdict_moves(null, j)) {
            crm_append(text, sizeof text, "%s%s by %+.3g %%", count > 0 ? ", " : "", name_of(f, j),
                       null[j]);
            only = j;
            count++;
        }
    }
    if (count == 1) {
        bool bound = f->kept->fit.parameters[only].at_bound;
        note(f, "%s cannot be determined: nothing that was measured depends on it%s.",
             name_of(f, only), bound ? " at its bound" : "");
    } else {
        note(f,
             "These cannot be determined separately: a change of %s at once changes nothing that "
             "was measured.",
             text);
    }
}

static void tell_minima(fitting *f)
{
    const crm_fit *fit = &f->kept->fit;
    for (size_t i = 1; i < fit->minimum_count; i++) {
        const crm_fit_minimum *other = &fit->minima[i];
        char at[256] = "";
        for (size_t j = 0; j < f->n && j < 4; j++) {
            crm_append(at, sizeof at, "%s%s = %.5g", j > 0 ? ", " : "", name_of(f, j),
                       other->values[j]);
        }
        note(f,
             "%zu of %zu starts ended in another minimum, where chi2 is %.5g instead of %.5g: %s.",
             other->starts, fit->starts, other->chi2, fit->chi2, at);
    }
    if (fit->failed > 0) {
        note(f, "%zu of %zu starts came to no minimum.", fit->failed, fit->starts);
    }
}

/* Whether chi2 is more than chance allows: five of its standard deviations above its mean. */
static bool is_poor(const crm_fit *fit)
{
    double mean = (double)fit->degrees_of_freedom;
    return fit->weighed && fit->degrees_of_freedom > 0 && fit->chi2 > mean + 5 * sqrt(2 * mean);
}

static void tell_all(fitting *f)
{
    const crm_fit *fit = &f->kept->fit;
    for (size_t k = 0; k < f->null_count; k++) {
        tell_combination(f, f->null + k * f->n);
    }
    for (size_t j = 0; j < f->n; j++) {
        const crm_fit_parameter *p = &fit->parameters[j];
        if (!p->determined && !isnan(p->uncertainty)) {
            note(f, "%s is not narrowed within its bounds by what was measured.", p->name);
        }
        if (p->at_bound) {
            note(f, "%s sits on its bound, %.9g.", p->name, p->value);
        }
    }
    tell_minima(f);
    if (!fit->converged) {
        note(f, "The search did not come to a minimum; what is given is the best it has seen.");
    }
    if (is_poor(fit)) {
        note(f,
             "chi2 is %.4g for %zu degrees of freedom: the model does not describe what was "
             "measured within these uncertainties.",
             fit->chi2, fit->degrees_of_freedom);
    }
    if (f->derived.doubt[0] != '\0') {
        note(f, "%s; uncertainties there are rough.", f->derived.doubt);
    }
}

/* ---- What came of it ------------------------------------------------------------------------ */

static bool is_null(const fitting *f, size_t j)
{
    for (size_t k = 0; k < f->null_count; k++) {
        if (crm_verdict_moves(f->null + k * f->n, j)) {
            return true;
        }
    }
    return false;
}

static void find_verdict(fitting *f, double *scale)
{
    crm_fit *fit = &f->kept->fit;
    const double *x = f->attempts[f->best].x;
    for (size_t j = 0; j < f->n; j++) {
        double range = f->to[j] - f->from[j];
        scale[j] = fmin(range, fmax(fabs(x[j]), 1e-3 * range));
    }
    crm_verdict_problem verdict = {.unknowns = f->n,
                                   .residuals = f->m,
                                   .jacobian = f->jacobian,
                                   .scale = scale,
                                   .size = size_of_data(f)};
    f->null_count = crm_verdict(&verdict, f->room, f->covariance, f->null);
    fit->degrees_of_freedom = f->m - (f->n - f->null_count);
    if (!fit->weighed) {
        double square = fit->chi2 / (double)fit->degrees_of_freedom;
        fit->scatter = fit->degrees_of_freedom > 0 ? sqrt(square) : NAN;
        for (size_t i = 0; i < f->n * f->n; i++) {
            f->covariance[i] *= fit->scatter * fit->scatter;
        }
    }
}

static crm_fit_parameter parameter_of(const fitting *f, size_t j, double quantile)
{
    const crm_unknown *u = &f->problem->map.unknowns[j];
    double x = f->attempts[f->best].x[j];
    bool null = is_null(f, j);
    double deviation = null ? NAN : sqrt(f->covariance[j * f->n + j]);
    double low = x - quantile * deviation, high = x + quantile * deviation;
    crm_fit_parameter p = {.name = u->name,
                           .value = x,
                           .uncertainty = deviation,
                           .interval = {low > u->from ? low : u->from, high < u->to ? high : u->to},
                           .from = u->from,
                           .to = u->to,
                           .start = u->start};
    p.determined = !null && (isnan(deviation) || low > u->from || high < u->to);
    p.at_bound = x <= u->from || x >= u->to;
    return p;
}

static bool fill_parameters(fitting *f)
{
    crm_fit *fit = &f->kept->fit;
    crm_arena *arena = &f->kept->arena;
    crm_fit_parameter *parameters = CRM_ARENA_NEW(arena, crm_fit_parameter, f->n);
    double *correlation = CRM_ARENA_NEW(arena, double, f->n * f->n + f->n);
    if (parameters == NULL || correlation == NULL) {
        return false;
    }
    find_verdict(f, correlation + f->n * f->n);
    double quantile = fit->weighed ? crm_normal_within(CONFIDENCE)
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

static bool is_same(const fitting *f, const attempt *a, const crm_fit_minimum *b)
{
    const crm_fit *fit = &f->kept->fit;
    if (fabs(a->chi2 - b->chi2) > SAME_CHI2 * (fit->weighed ? 1 + b->chi2 : b->chi2)) {
        return false;
    }
    for (size_t j = 0; j < f->n; j++) {
        const crm_fit_parameter *p = &fit->parameters[j];
        double near = fmax(SAME_RANGE * (p->to - p->from),
                           isnan(p->uncertainty) ? 0 : SAME_DEVIATION * p->uncertainty);
        if (p->determined && fabs(a->x[j] - b->values[j]) > near) {
            return false;
        }
    }
    return true;
}

/* Every attempt that arrived belongs to a minimum; the best one's comes first. */
static void add_to_minima(fitting *f, const attempt *a, crm_fit_minimum *minima)
{
    crm_fit *fit = &f->kept->fit;
    size_t i = 0;
    while (i < fit->minimum_count && !is_same(f, a, &minima[i])) {
        i++;
    }
    if (i == fit->minimum_count) {
        minima[fit->minimum_count++] = (crm_fit_minimum){.chi2 = a->chi2, .values = a->x};
    }
    minima[i].starts++;
}

static int by_chi2(const void *a, const void *b)
{
    double x = ((const crm_fit_minimum *)a)->chi2, y = ((const crm_fit_minimum *)b)->chi2;
    return (x > y) - (x < y);
}

static bool fill_minima(fitting *f)
{
    crm_fit *fit = &f->kept->fit;
    crm_fit_minimum *minima =
        CRM_ARENA_NEW(&f->kept->arena, crm_fit_minimum, f->problem->starts + 1);
    if (minima == NULL) {
        return false;
    }
    fit->starts = f->problem->starts;
    fit->minima = minima;
    for (size_t k = 0; k < fit->starts; k++) {
        const attempt *a = &f->attempts[k];
        if (a->converged) {
            add_to_minima(f, a, minima);
        } else {
            fit->failed++;
        }
    }
    qsort(minima, fit->minimum_count, sizeof *minima, by_chi2);
    return true;
}

static void fill_sums(fitting *f)
{
    crm_fit *fit = &f->kept->fit;
    const attempt *best = &f->attempts[f->best];
    fit->law = crm_map_law(&f->problem->map);
    fit->weighed = f->problem->weighed;
    fit->chi2 = best->chi2;
    fit->scatter = NAN;
    fit->converged = best->converged;
    fit->evaluations = f->problem->map.evaluations;
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
    bool good = fill_parameters(f) && fill_residuals(f) && fill_minima(f);
    if (good) {
        tell_all(f);
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
        return crm_complain_memory(tree, error);
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
               ? (status == CRM_OK ? CRM_OK : crm_complain_memory(tree, error))
               : crm_complain_at(error, status, f->problem->map.def.source, 0, 0, "%s",
                                 cause.message);
}

crm_status crm_fit_run(crm_fit_problem *problem, const crm_watch *watch, crm_fit **fit,
                       crm_read_error *error)
{
    kept *made = CRM_NEW(kept, 1);
    *fit = NULL;
    if (made == NULL) {
        return crm_complain_memory(problem->map.tree, error);
    }
    fitting *f = CRM_ARENA_NEW(&made->arena, fitting, 1);
    crm_map_watch(&problem->map, watch);
    crm_status status = CRM_ERROR_MEMORY;
    if (f != NULL) {
        *f = (fitting){.problem = problem,
                       .kept = made,
                       .n = problem->map.unknown_count,
                       .m = problem->map.output_count};
        status = run(f, error);
    } else {
        crm_complain_memory(problem->map.tree, error);
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
        kept *made = (kept *)fit;
        crm_arena_free(&made->arena);
        free(made);
    }
}

/* What crm_fit_solve is asked for. */
typedef struct solving {
    const crm_watch *watch;
    crm_fit **fit;
} solving;

static crm_status solve_def(crm_study_def *def, void *context, crm_read_error *complaint)
{
    const solving *s = context;
    crm_fit_problem problem = {0};
    crm_status status = crm_fit_open(&problem, def, complaint);
    if (status == CRM_OK) {
        status = crm_fit_run(&problem, s->watch, s->fit, complaint);
    }
    crm_fit_close(&problem);
    return status;
}

crm_status crm_fit_solve(const crm_source *source, const crm_watch *watch, crm_fit **fit,
                         crm_error *error)
{
    CRM_USUAL_ARITHMETIC;
    if (crm_is_missing(fit, "fit", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    *fit = NULL;
    solving s = {.watch = watch, .fit = fit};
    return crm_study_def_use(source, solve_def, &s, error);
}
