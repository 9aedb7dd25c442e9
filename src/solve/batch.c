/* Many independent systems, divided among threads, each with a workspace of its own. */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/team.h"
#include "solve/solve.h"

/* Systems that a thread takes at a time: enough that threads seldom contend, few enough that none
 * has much work left when the others have ended.
 */
enum { SHARE = 8 };

typedef struct batch {
    const crm_batch_def *def;
    const crm_batch_results *results;
    size_t *velocity_start; /* where the system's entries begin; NULL: one model for all */
    size_t *impulse_start;
    const struct crm_law_lanes *lanes; /* systems that fit go into them; NULL: none does */
    atomic_size_t next;                /* the first system that no thread has taken */
    crm_watching watching;             /* as it begins for each worker */
} batch;

typedef struct worker {
    batch *batch;
    crm_workspace *workspace;
    void *lane_state;   /* of the vector lanes; NULL: one system at a time */
    double *u;          /* gap velocities of a system that fits a lane */
    crm_lane_end *ends; /* systems that have ended */
    size_t first, end;  /* systems taken, not begun */
    crm_watching watching;
    size_t first_failed; /* SIZE_MAX: none */
    crm_error error;     /* its */
} worker;

/* ---- One system ------------------------------------------------------------------------------ */

static const crm_model *model_of(const batch *b, size_t i)
{
    return b->def->model != NULL ? b->def->model : b->def->models[i];
}

static crm_batch_item summarize(const crm_outcome *outcome)
{
    return (crm_batch_item){.status = CRM_OK,
                            .result = outcome->result,
                            .energy_before = outcome->energy_before,
                            .energy_after = outcome->energy_after,
                            .duration = outcome->duration,
                            .error_estimate = outcome->error_estimate,
                            .steps = outcome->steps,
                            .kinematic = outcome->kinematic,
                            .kinetic = outcome->kinetic,
                            .energetic = outcome->energetic,
                            .unique = outcome->unique,
                            .tail_closed = outcome->tail_closed};
}

/* values NULL: the system was not solved. */
static void write_values(const double *values, size_t count, double *to)
{
    for (size_t i = 0; to != NULL && i < count; i++) {
        to[i] = values != NULL ? values[i] : NAN;
    }
}

static double *at(double *array, size_t place)
{
    return array != NULL ? array + place : NULL;
}

static size_t velocity_start(const batch *b, size_t i)
{
    return b->velocity_start != NULL ? b->velocity_start[i] : i * b->def->model->coordinates;
}

static size_t impulse_start(const batch *b, size_t i)
{
    return b->impulse_start != NULL ? b->impulse_start[i] : i * b->def->model->contacts;
}

/* outcome NULL: the error says why. */
static void deliver(worker *w, size_t i, const crm_outcome *outcome, const crm_error *error)
{
    const batch *b = w->batch;
    const crm_batch_results *results = b->results;
    const crm_model *model = model_of(b, i);
    bool solved = outcome != NULL;
    write_values(solved ? outcome->velocity : NULL, model->coordinates,
                 at(results->velocities, velocity_start(b, i)));
    write_values(solved ? outcome->impulse : NULL, model->contacts,
                 at(results->impulses, impulse_start(b, i)));
    if (results->items != NULL) {
        results->items[i] = solved ? summarize(outcome) : (crm_batch_item){.status = error->status};
    }
    if (!solved && i < w->first_failed) {
        w->first_failed = i;
        w->error = *error;
    }
}

static void solve_one(worker *w, size_t i)
{
    const batch *b = w->batch;
    const crm_outcome *outcome = NULL;
    crm_error error = {0};
    if (w->workspace != NULL) {
        crm_solve_with(w->workspace, model_of(b, i), b->def->velocities + velocity_start(b, i),
                       b->def->settings, NULL, &outcome, &error);
    } else {
        crm_fail_memory(&error);
    }
    deliver(w, i, outcome, &error);
}

/* ---- Systems side by side -------------------------------------------------------------------- */

/* An impact that begins: there is something to compute, with numbers in range. */
static bool begins(const crm_model *model, const double *velocity, const double *u)
{
    bool closing = false;
    for (size_t j = 0; j < model->contacts; j++) {
        closing |= u[j] < 0;
    }
    return closing && crm_ranges_check_impact(model, velocity, u, NULL) == CRM_OK;
}

/* false: not now. */
static bool begin_system(worker *w, size_t i)
{
    const batch *b = w->batch;
    const crm_model *model = model_of(b, i);
    if (w->lane_state != NULL && !w->watching.over && model->gap == NULL && b->lanes->fits(model)) {
        const double *velocity = b->def->velocities + velocity_start(b, i);
        crm_model_gap_velocity(model, velocity, w->u);
        if (begins(model, velocity, w->u)) {
            return b->lanes->add(w->lane_state, model, w->u, i);
        }
    }
    solve_one(w, i);
    return true;
}

static void copy_end(const worker *w, const crm_lane_end *end, crm_outcome *outcome)
{
    for (size_t j = 0; j < outcome->contacts; j++) {
        outcome->impulse[j] = w->batch->lanes->impulse(w->lane_state, end->lane, j);
    }
    outcome->duration = end->duration;
    outcome->error_estimate = end->error_estimate;
    outcome->steps = end->steps;
}

static void finish_lane(worker *w, const crm_lane_end *end)
{
    const batch *b = w->batch;
    size_t i = end->tag;
    if (!end->solved) {
        solve_one(w, i);
        return;
    }
    crm_problem problem;
    crm_error error = {0};
    crm_outcome *outcome = &w->workspace->owned->outcome;
    crm_workspace_begin(w->workspace);
    crm_status status =
        crm_workspace_pose(w->workspace, model_of(b, i), b->def->velocities + velocity_start(b, i),
                           b->def->settings, &problem, &error);
    if (status == CRM_OK) {
        status = crm_outcome_start(&problem, outcome, &error);
    }
    if (status == CRM_OK) {
        copy_end(w, end, outcome);
        status = crm_outcome_finish(&problem, outcome, &error);
    }
    deliver(w, i, status == CRM_OK ? outcome : NULL, &error);
}

/* Systems in the lanes are finished even when the batch is interrupted: that takes little time. */
static void report_progress(worker *w)
{
    const struct crm_law_lanes *lanes = w->batch->lanes;
    if (crm_watch_due(&w->watching, lanes->lanes * lanes->contacts)) {
        const crm_watch_report progress = {
            .time = NAN, .left = NAN, .working = lanes->active(w->lane_state), .steps = w->first};
        crm_watch_ends(&w->watching, &progress);
    }
}

/* Without memory for the lanes no system is solved, and each reports that: solved one at a time it
 * would have other bits.
 */
static void open_lanes(worker *w)
{
    const struct crm_law_lanes *lanes = w->batch->lanes;
    if (lanes == NULL || w->workspace == NULL) {
        return;
    }
    w->u = CRM_NEW(double, lanes->contacts);
    w->ends = CRM_NEW(crm_lane_end, lanes->lanes);
    if (w->u != NULL && w->ends != NULL) {
        lanes->create(w->batch->def->settings, &w->lane_state, NULL);
    }
    if (w->lane_state == NULL) {
        crm_workspace_free(w->workspace);
        w->workspace = NULL;
    }
}

static void close_lanes(worker *w)
{
    if (w->lane_state != NULL) {
        w->batch->lanes->free(w->lane_state);
    }
    free(w->u);
    free(w->ends);
}

/* ---- Threads --------------------------------------------------------------------------------- */

/* Is there another system to begin? */
static bool has_next(worker *w)
{
    size_t count = w->batch->def->count;
    if (w->first == w->end && w->first < count) {
        w->first = atomic_fetch_add(&w->batch->next, SHARE);
        w->first = w->first < count ? w->first : count;
        w->end = w->first + SHARE < count ? w->first + SHARE : count;
    }
    return w->first < w->end;
}

static void *work(void *argument)
{
    worker *w = argument;
    const struct crm_law_lanes *lanes = w->batch->lanes;
    crm_workspace_create(&w->workspace, NULL); /* without one each system reports the failure */
    if (w->workspace != NULL) {
        w->workspace->watching_batch = &w->watching;
    }
    open_lanes(w);
    bool has_room = true; /* once the lanes are full they are until a system ends */
    for (;;) {
        while (has_room && has_next(w)) {
            has_room = begin_system(w, w->first);
            w->first += has_room;
        }
        if (w->lane_state == NULL || lanes->active(w->lane_state) == 0) {
            break;
        }
        size_t ended = lanes->advance(w->lane_state, w->ends);
        has_room |= ended > 0;
        for (size_t k = 0; k < ended; k++) {
            finish_lane(w, &w->ends[k]);
        }
        report_progress(w);
    }
    close_lanes(w);
    crm_workspace_free(w->workspace);
    return NULL;
}

static size_t thread_count(const crm_batch_def *def)
{
    size_t threads = def->threads > 0 ? def->threads : crm_team_processors();
    size_t shares = def->count / SHARE + 1;
    return threads < shares ? threads : shares;
}

/* The calling thread is the first worker. Threads that cannot be had leave more to the others. */
static void work_together(worker *workers, pthread_t *threads, size_t count)
{
    size_t running = 1;
    while (running < count && crm_team_start(&threads[running], work, &workers[running])) {
        running++;
    }
    work(&workers[0]);
    for (size_t k = 1; k < running; k++) {
        pthread_join(threads[k], NULL);
    }
}

static crm_status report_failure(const worker *workers, size_t count, crm_error *error)
{
    const worker *first = &workers[0];
    for (size_t k = 1; k < count; k++) {
        first = workers[k].first_failed < first->first_failed ? &workers[k] : first;
    }
    if (first->first_failed == SIZE_MAX) {
        return CRM_OK;
    }
    const crm_error *failure = &first->error;
    char place[sizeof failure->place + 32];
    snprintf(place, sizeof place, "systems[%zu]%s%s", first->first_failed + 1,
             failure->place[0] != '\0' ? "." : "", failure->place);
    return crm_fail(error, failure->status, place, "%s", failure->message);
}

static crm_status run(batch *b, crm_error *error)
{
    size_t count = thread_count(b->def);
    worker *workers = CRM_NEW(worker, count);
    pthread_t *threads = CRM_NEW(pthread_t, count);
    crm_status status = workers != NULL && threads != NULL ? CRM_OK : crm_fail_memory(error);
    if (status == CRM_OK) {
        for (size_t k = 0; k < count; k++) {
            workers[k] = (worker){.batch = b, .watching = b->watching, .first_failed = SIZE_MAX};
        }
        work_together(workers, threads, count);
        status = report_failure(workers, count, error);
    }
    free(workers);
    free(threads);
    return status;
}

/* ---- The call -------------------------------------------------------------------------------- */

static crm_status lay_out(batch *b, crm_error *error)
{
    const crm_batch_def *def = b->def;
    b->velocity_start = CRM_NEW(size_t, def->count);
    b->impulse_start = CRM_NEW(size_t, def->count);
    if (b->velocity_start == NULL || b->impulse_start == NULL) {
        return crm_fail_memory(error);
    }
    for (size_t i = 1; i < def->count; i++) {
        b->velocity_start[i] = b->velocity_start[i - 1] + def->models[i - 1]->coordinates;
        b->impulse_start[i] = b->impulse_start[i - 1] + def->models[i - 1]->contacts;
    }
    return CRM_OK;
}

/* Whether count systems of this size can be laid out one after the other. */
static crm_status check_count(const crm_batch_def *def, crm_error *error)
{
    size_t n = def->model != NULL ? def->model->coordinates : 1;
    size_t s = def->model != NULL ? def->model->contacts : 1;
    size_t most = PTRDIFF_MAX / sizeof(crm_batch_item);
    if (def->count > most / (n > s ? n : s)) {
        return crm_fail(error, CRM_ERROR_ARGUMENT, "count",
                        "count is %zu: no array holds that many systems", def->count);
    }
    return CRM_OK;
}

static crm_status check(const crm_batch_def *def, crm_error *error)
{
    if ((def->model == NULL) == (def->models == NULL)) {
        return crm_fail(error, CRM_ERROR_ARGUMENT, "model",
                        "give either one model for all systems or one for each");
    }
    for (size_t i = 0; def->models != NULL && i < def->count; i++) {
        if (def->models[i] == NULL) {
            char place[64];
            snprintf(place, sizeof place, "models[%zu]", i + 1);
            return crm_fail(error, CRM_ERROR_ARGUMENT, place, "the model is missing");
        }
    }
    if (crm_fail_if_null(def->settings, "settings", error) ||
        crm_fail_if_null(def->velocities, "velocities", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    return check_count(def, error);
}

crm_status crm_solve_batch(const crm_batch_def *def, const crm_batch_results *results,
                           crm_error *error)
{
    CRM_USUAL_ARITHMETIC;
    if (crm_fail_if_null(def, "def", error) || crm_fail_if_null(results, "results", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    crm_status status = def->count > 0 ? check(def, error) : CRM_OK;
    if (status != CRM_OK || def->count == 0) {
        return status;
    }
    const struct crm_law_lanes *lanes = def->in_lanes ? def->settings->law->lanes : NULL;
    batch b = {.def = def,
               .results = results,
               .lanes = lanes != NULL && lanes->supports(def->settings) ? lanes : NULL};
    crm_watch_group group;
    if (!crm_watch_group_begin(&group)) {
        return crm_fail_memory(error);
    }
    b.watching = crm_watch_begin(def->watch);
    b.watching.group = &group;
    if (def->models != NULL) {
        status = lay_out(&b, error);
    }
    if (status == CRM_OK) {
        status = run(&b, error);
    }
    crm_watch_group_end(&group);
    free(b.velocity_start);
    free(b.impulse_start);
    return status;
}
