/* The derivatives of the law: a path and the ways along it, and where there are none. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "law/lzb/derivative/replay.h"

/* What is decided by less than this, relative, is not: the law's own tolerance is no better. */
static const double TOO_NEAR = 1e-8;
/* Final closing speeds below this, relative, are reported as margins. */
static const double WORTH_NOTING = 1e-2;
/* A change, or a weight, below this part of the largest is none, ... */
static const double NO_PART = 1e-6;
/* ... nor a change that is what rounding has left of the largest on the way. */
static const double ROUNDING = 1e-11;

static const char opening[] =
    "it opens, or is pressed again before it has opened, by a small margin: the outcome has a kink";
static const char jump[] =
    "it opens under force, or is barely pressed again before that: the outcome jumps";
static const char graze[] = "it is barely pressed again, or barely not, and then opens by "
                            "another compression: the outcome jumps";
static const char plastic_stop[] =
    "a plastic contact barely stops closing: the outcome jumps where it does not";
static const char tie[] = "it opens under force at the same instant as another contact: the "
                          "derivative depends on which is first";
static const char same_peaks[] =
    "two compressions reach the same force: the peak is that of one or the other";
static const char reentry[] =
    "it is left closing or separating at a speed near 0: the outcome has a kink where that "
    "changes its sign";
static const char rest[] =
    "it is at rest before the wave arrives: closing before it and separating "
    "have different derivatives; that of separating is given";
static const char slow_start[] =
    "it is nearly at rest before the impact: the outcome has a kink where it is, between closing "
    "and separating";
static const char no_energy[] =
    "it stores no energy before the impact: the derivative to that is not finite";
static const char no_restitution[] =
    "its restitution is 0, where the law jumps or grows to one side: there is no derivative to it";

static double largest(const double *values, size_t count)
{
    double most = 0;
    for (size_t j = 0; j < count; j++) {
        most = fmax(most, fabs(values[j]));
    }
    return most;
}

static bool supports(const crm_settings *settings)
{
    lzb_options options;
    lzb_options_read(settings, &options);
    return options.scheme == LZB_AUTO;
}

static void free_trace(void *memory)
{
    lzb_trace *trace = memory;
    if (trace != NULL) {
        lzb_path_release(&trace->path);
    }
}

static crm_status create_trace(const crm_problem *problem, crm_trace_request request, void **memory,
                               double *impulse, crm_error *error)
{
    const crm_model *model = problem->model;
    size_t s = model->contacts;
    crm_pool *pool = problem->pool;
    lzb_trace *trace = CRM_TAKE(pool, lzb_trace, 1);
    *memory = NULL;
    if (trace == NULL) {
        return crm_fail_memory(error);
    }
    double **arrays[] = {&trace->x,
                         &trace->c,
                         &trace->p,
                         &trace->top,
                         &trace->reached,
                         &trace->bx,
                         &trace->bc,
                         &trace->bp,
                         &trace->data.stiffness,
                         &trace->data.exponent,
                         &trace->data.rate};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        *arrays[i] = CRM_TAKE(pool, double, s);
        if (*arrays[i] == NULL) {
            return crm_fail_memory(error);
        }
    }
    trace->data.d = CRM_TAKE(pool, double, model->d_start[s]);
    if (trace->data.d == NULL) {
        return crm_fail_memory(error);
    }
    lzb_options options;
    lzb_options_read(problem->settings, &options);
    crm_status status =
        lzb_path_make(problem, options.stiffness_model, request, &trace->path, error);
    if (status != CRM_OK) {
        free_trace(trace);
        return status;
    }
    status = lzb_tangent_create(&trace->tangent, &trace->path, pool, error);
    if (status != CRM_OK) {
        free_trace(trace);
        return status;
    }
    trace->at_stake = CRM_TAKE(pool, double, trace->path.marginals.count);
    if (trace->at_stake == NULL) {
        free_trace(trace);
        return crm_fail_memory(error);
    }
    double most = trace->path.state.speed > 0 ? 0 : largest(problem->gap_velocity, s);
    trace->speed = crm_smoothness_scale(problem, fmax(trace->path.state.speed, most), TOO_NEAR);
    memcpy(impulse, trace->path.state.p, s * sizeof *impulse);
    *memory = trace;
    return CRM_OK;
}

/* After lzb_path_replay_forward. */
static double least_change(const lzb_trace *trace)
{
    double at_end = largest(trace->c, trace->path.model->contacts);
    return fmax(NO_PART * at_end, ROUNDING * trace->most);
}

/* ---- Where it is not differentiable ---------------------------------------------------------- */

/* How far the closing speed that contact j is left with is from 0. */
static double margin_of(const lzb_trace *trace, size_t j)
{
    return crm_smoothness_margin(fabs(trace->path.state.c[j]), trace->speed);
}

static bool is_near(const lzb_trace *trace, size_t j)
{
    return margin_of(trace, j) < WORTH_NOTING;
}

/* What the course of the impact decided by little. */
static void note_marginals(const lzb_trace *trace, double least, bool peaks, crm_smoothness *smooth)
{
    const lzb_path *path = &trace->path;
    static const char *const reasons[] = {
        [LZB_MARGINAL_OPENING] = opening, [LZB_MARGINAL_JUMP] = jump,
        [LZB_MARGINAL_GRAZE] = graze,     [LZB_MARGINAL_STOP] = plastic_stop,
        [LZB_MARGINAL_TIE] = tie,         [LZB_MARGINAL_PEAK] = same_peaks};
    for (size_t i = 0; i < path->marginals.count; i++) {
        const lzb_path_marginal *marginal = &lzb_path_marginals(path)[i];
        if (marginal->kind == LZB_MARGINAL_PEAK ? peaks : trace->at_stake[i] > least) {
            crm_smoothness_note(smooth, marginal->contact, marginal->margin, TOO_NEAR,
                                reasons[marginal->kind]);
        }
    }
}

/* After lzb_path_replay_forward: closing speeds that change and are near 0. */
static void note_reentries(const lzb_trace *trace, crm_smoothness *smooth)
{
    const lzb_path *path = &trace->path;
    size_t s = path->model->contacts;
    double least = least_change(trace);
    for (size_t j = 0; j < s; j++) {
        if (is_near(trace, j) && fabs(trace->c[j]) > least) {
            crm_smoothness_note(smooth, j, margin_of(trace, j), TOO_NEAR, reentry);
        }
    }
}

/* A contact that closes or parts slowly before it takes part. `change`: of its closing speed, or
 * what that is worth.
 */
static void note_slow_start(const lzb_path *path, size_t j, double change, double least,
                            crm_smoothness *smooth)
{
    double c = fabs(path->before[j]);
    if (c > path->ignored && c < WORTH_NOTING * path->state.speed && path->state.p[j] > 0 &&
        path->model->stored_energy[j] == 0 && fabs(change) > least) {
        crm_smoothness_note(smooth, j, c / path->state.speed, TOO_NEAR, slow_start);
    }
}

/* What gives up all its energy at once has no derivative to its restitution, and 0 is none. */
static bool is_plastic(const lzb_path *path, size_t j)
{
    return path->model->restitution[j] == 0 && path->state.p[j] > 0;
}

static void withhold(double *values, size_t count)
{
    for (size_t j = 0; values != NULL && j < count; j++) {
        values[j] = NAN;
    }
}

/* Is a plastic contact's restitution to change? Then there is no number for what that does. */
static void withhold_change(const lzb_path *path, const crm_data_change *by,
                            crm_answer_change *change)
{
    size_t s = path->model->contacts, j = 0;
    while (j < s && !(lzb_part(by->restitution, j) != 0 && is_plastic(path, j))) {
        j++;
    }
    if (j < s) {
        withhold(change->impulse, s);
        withhold(change->loss, s);
        withhold(change->peak_force, s);
        change->duration = NAN;
    }
}

static void note_ends_of_ranges(const lzb_path *path, size_t j, bool energy, bool restitution,
                                crm_smoothness *smooth)
{
    if (energy && path->model->stored_energy[j] == 0) {
        crm_smoothness_note(smooth, j, 0, TOO_NEAR, no_energy);
    }
    if (restitution && is_plastic(path, j)) {
        crm_smoothness_note(smooth, j, 0, TOO_NEAR, no_restitution);
    }
}

static crm_status forward(void *memory, const crm_data_change *by, crm_answer_change *change,
                          crm_smoothness *smooth, crm_error *error)
{
    lzb_trace *trace = memory;
    const lzb_path *path = &trace->path;
    crm_status status = lzb_path_replay_forward(trace, by, change, error);
    if (status != CRM_OK) {
        return status;
    }
    double least = least_change(trace);
    note_marginals(trace, least, change->peak_force != NULL, smooth);
    for (size_t j = 0; j < path->model->contacts; j++) {
        note_ends_of_ranges(path, j, lzb_part(by->stored_energy, j) != 0,
                            lzb_part(by->restitution, j) != 0, smooth);
        if (trace->reached[j] > least) {
            crm_smoothness_note(smooth, j, 0, TOO_NEAR, rest);
        }
        note_slow_start(path, j, lzb_part(by->gap_velocity, j), least, smooth);
    }
    note_reentries(trace, smooth);
    withhold_change(path, by, change);
    return CRM_OK;
}

/* Do the closing speeds that are near 0 change when the data do, or are they held there? Tried by
 * a change of all gap velocities, each by another number.
 */
static crm_status probe(lzb_trace *trace, bool *asked, crm_smoothness *smooth, crm_error *error)
{
    const lzb_path *path = &trace->path;
    size_t s = path->model->contacts;
    double speed = trace->speed > 0 ? trace->speed : 1;
    double *u = trace->data.d; /* not used by such a change; D has s diagonal entries */
    for (size_t j = 0; j < s; j++) {
        double golden = (double)(j + 1) * 0.6180339887498949;
        u[j] = speed * (golden - floor(golden) - 0.5);
    }
    const crm_data_change by = {.gap_velocity = u};
    crm_answer_change change = {0};
    crm_status status = lzb_path_replay_forward(trace, &by, &change, error);
    double least = NO_PART * speed;
    for (size_t j = 0; status == CRM_OK && j < s; j++) {
        if (asked[j] && fabs(trace->c[j]) > least) {
            crm_smoothness_note(smooth, j, margin_of(trace, j), TOO_NEAR, reentry);
        }
    }
    return status;
}

static crm_status reverse(void *memory, const crm_answer_change *weights, crm_data_change *to,
                          crm_smoothness *smooth, crm_error *error)
{
    lzb_trace *trace = memory;
    const lzb_path *path = &trace->path;
    size_t s = path->model->contacts;
    if (weights->duration != 0 && path->last == SIZE_MAX && path->steps.count > 0) {
        return crm_fail(error, CRM_ERROR_NUMERICS, "weights.duration",
                        "the impact has no last opening: contacts open at the same instant, or "
                        "it ends in an endless tail");
    }
    crm_status status = lzb_path_replay_reverse(trace, weights, to, error);
    if (status != CRM_OK) {
        return status;
    }
    double least = weights->impulse != NULL ? NO_PART * largest(weights->impulse, s) : 0;
    note_marginals(trace, least, weights->peak_force != NULL, smooth);
    bool any = false, *asked = CRM_NEW(bool, s);
    if (asked == NULL) {
        return crm_fail_memory(error);
    }
    for (size_t j = 0; j < s; j++) {
        note_ends_of_ranges(path, j, to->stored_energy != NULL, to->restitution != NULL, smooth);
        if (to->restitution != NULL && is_plastic(path, j)) {
            to->restitution[j] = NAN;
        }
        if ((path->resting[j] == LZB_REACHED && to->gap_velocity != NULL && trace->c[j] != 0) ||
            (to->delassus != NULL && trace->reached[j] != 0)) {
            crm_smoothness_note(smooth, j, 0, TOO_NEAR, rest);
        }
        if (to->gap_velocity != NULL) {
            note_slow_start(path, j, trace->c[j], least, smooth);
        }
        asked[j] = is_near(trace, j) && fabs(lzb_part(weights->impulse, j)) > least;
        any = any || asked[j];
    }
    if (any) {
        status = probe(trace, asked, smooth, error);
    }
    free(asked);
    return status;
}

const struct crm_law_derivative lzb_derivative_of_law = {.supports = supports,
                                                         .create_trace = create_trace,
                                                         .free_trace = free_trace,
                                                         .forward = forward,
                                                         .reverse = reverse,
                                                         .timed = true};
