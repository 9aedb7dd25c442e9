/* One thread's share of a study: a tree of its own, in which the points are set one by one. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solve/call.h"
#include "study/course.h"
#include "study/parts.h"

enum { REASON_SIZE = 512 };

struct crm_study_worker {
    const crm_study *study;
    crm_variant variant; /* its slots are the study's fields */
    size_t law_count;    /* room below */
    crm_outcome **outcomes;
    crm_study_row *rows;
    char (*reasons)[REASON_SIZE];
    double *values;
    crm_watch watcher; /* of the caller; go_on NULL: none */
    crm_watch watch;   /* the worker's own, which asks it */
    bool stopped;
};

/* ---- Making --------------------------------------------------------------------------------- */

static crm_status open_variant(crm_study_worker *w, crm_read_error *error)
{
    const crm_study *study = w->study;
    crm_variant_def def = {.text = study->text,
                           .length = study->length,
                           .source = study->source,
                           .limits = &study->tree->limits,
                           .own = study->tree->own,
                           .overrides = study->overrides,
                           .override_count = study->override_count,
                           .laws = study->laws,
                           .moves = study->moves,
                           .slots = study->slots,
                           .slot_count = study->field_count};
    return crm_variant_open(&w->variant, &def, error);
}

crm_status crm_worker_make(const crm_study *study, crm_study_worker **worker, crm_read_error *error)
{
    *worker = NULL;
    crm_study_worker *made = CRM_NEW(crm_study_worker, 1);
    if (made == NULL) {
        return crm_yaml_fail_memory(study->tree, error);
    }
    made->study = study;
    crm_status status = open_variant(made, error);
    if (status != CRM_OK) {
        crm_study_worker_free(made);
        return status;
    }
    *worker = made;
    return CRM_OK;
}

static bool make_rows(crm_study_worker *w)
{
    size_t count = w->study->law_count, quantities = w->study->quantity_count;
    w->law_count = count;
    w->outcomes = CRM_NEW(crm_outcome *, count);
    w->rows = CRM_NEW(crm_study_row, count);
    w->reasons = crm_memory_allocate(count, sizeof *w->reasons);
    w->values = CRM_NEW(double, count *quantities);
    return w->outcomes != NULL && w->rows != NULL && w->reasons != NULL && w->values != NULL;
}

crm_status crm_study_worker_create(const crm_study *study, crm_study_worker **worker,
                                   crm_error *error)
{
    crm_read_error failure = {0};
    crm_status status = crm_worker_make(study, worker, &failure);
    if (status != CRM_OK || *worker == NULL) {
        return crm_fail(error, status, NULL, "%.500s", failure.text);
    }
    if (!make_rows(*worker)) {
        crm_study_worker_free(*worker);
        *worker = NULL;
        return crm_fail_memory(error);
    }
    return CRM_OK;
}

/* ---- One point ------------------------------------------------------------------------------ */

static void forget_outcomes(crm_study_worker *w)
{
    for (size_t i = 0; w->outcomes != NULL && i < w->law_count; i++) {
        crm_outcome_free(w->outcomes[i]);
        w->outcomes[i] = NULL;
    }
}

static void set_fields(crm_study_worker *w, size_t point)
{
    for (size_t i = 0; i < w->study->field_count; i++) {
        crm_study_value value = crm_study_value_at(w->study, point, i);
        if (value.node != NULL) {
            /* Nodes of the study's own tree are only read, by any number of workers. */
            crm_variant_set_node(&w->variant, i, value.node);
        } else {
            crm_variant_set_number(&w->variant, i, value.number);
        }
    }
}

crm_status crm_worker_load(crm_study_worker *worker, size_t point, crm_read_error *error)
{
    forget_outcomes(worker);
    set_fields(worker, point);
    return crm_variant_read(&worker->variant, error);
}

void crm_study_worker_free(crm_study_worker *worker)
{
    if (worker == NULL) {
        return;
    }
    forget_outcomes(worker);
    free(worker->outcomes);
    free(worker->rows);
    free(worker->reasons);
    free(worker->values);
    crm_variant_close(&worker->variant);
    free(worker);
}

/* ---- Solving -------------------------------------------------------------------------------- */

static bool go_on(void *context, const crm_watch_report *progress)
{
    crm_study_worker *w = context;
    w->stopped = w->stopped || !w->watcher.go_on(w->watcher.context, progress);
    return !w->stopped;
}

void crm_study_worker_watch(crm_study_worker *worker, const crm_watch *watch)
{
    worker->watcher = watch != NULL ? *watch : (crm_watch){0};
    worker->watch = worker->watcher;
    worker->watch.context = worker;
    worker->watch.go_on = worker->watcher.go_on != NULL ? go_on : NULL;
}

/* NULL: there is none. */
static const crm_watch *watch_of(const crm_study_worker *w)
{
    return w->watcher.go_on != NULL ? &w->watch : NULL;
}

static void fail_all(crm_study_worker *w, const char *reason)
{
    for (size_t i = 0; i < w->law_count; i++) {
        w->rows[i].result = CRM_FAILED;
        snprintf(w->reasons[i], REASON_SIZE, "%.*s", REASON_SIZE - 1, reason);
    }
}

/* A law that has no answer says so in its row; memory that ran out says nothing about the law. */
static crm_status solve_law(crm_study_worker *w, size_t i, crm_error *failure)
{
    const crm_scenario *s = w->variant.scenario;
    crm_error error = {0};
    crm_status status = crm_solve_on(1, watch_of(w), s->model, s->velocity, s->laws[i].settings,
                                     NULL, &w->outcomes[i], &error);
    if (status == CRM_ERROR_MEMORY) {
        return crm_fail(failure, status, NULL, "%s", error.message);
    }
    const crm_outcome *outcome = w->outcomes[i];
    crm_study_row *row = &w->rows[i];
    row->label = s->laws[i].label;
    row->outcome = outcome;
    row->result = outcome != NULL ? outcome->result : CRM_FAILED;
    snprintf(w->reasons[i], REASON_SIZE, "%s",
             outcome != NULL            ? outcome->reason
             : error.message[0] != '\0' ? error.message
                                        : crm_status_text(status));
    return CRM_OK;
}

static bool needs_course(const crm_study *study)
{
    bool needs = false;
    for (size_t k = 0; k < study->quantity_count; k++) {
        needs = needs || crm_course_is_needed(&study->quantities[k]);
    }
    return needs;
}

static crm_status take_quantities(crm_study_worker *w, size_t law, crm_error *error)
{
    const crm_scenario *s = w->variant.scenario;
    crm_course course = {0};
    crm_status status = CRM_OK;
    bool followed = w->outcomes[law] != NULL && needs_course(w->study);
    if (followed) {
        status = crm_course_follow(s->model, s->velocity, s->laws[law].settings, watch_of(w),
                                   w->outcomes[law], &course, error);
    }
    crm_impact impact = {.model = w->variant.scenario->model,
                         .velocity = w->variant.scenario->velocity,
                         .outcome = w->outcomes[law],
                         .first = w->outcomes[0],
                         .course = followed && status == CRM_OK ? &course : NULL};
    size_t count = w->study->quantity_count;
    for (size_t k = 0; k < count; k++) {
        w->values[law * count + k] = crm_recorded_value(&w->study->quantities[k], &impact);
    }
    crm_course_release(&course);
    return status;
}

static crm_status move_by_law(crm_study_worker *w, const crm_scenario_law *law, size_t i,
                              crm_error *error)
{
    crm_motion_state moved = {0};
    crm_study_row *row = &w->rows[i];
    row->label = law->label;
    crm_status status = crm_study_run_motion(w->variant.scenario, law, watch_of(w), &moved,
                                             &row->result, w->reasons[i], REASON_SIZE, error);
    size_t count = w->study->quantity_count;
    for (size_t k = 0; k < count && status == CRM_OK; k++) {
        w->values[i * count + k] = crm_recorded_value(&w->study->quantities[k], &moved);
    }
    crm_study_release_moved(&moved);
    return status;
}

static void clear_rows(crm_study_worker *w)
{
    w->stopped = false;
    size_t count = w->study->quantity_count;
    for (size_t i = 0; i < w->law_count; i++) {
        w->reasons[i][0] = '\0';
        w->rows[i] = (crm_study_row){
            .label = w->study->labels[i], .reason = w->reasons[i], .values = w->values + i * count};
    }
    for (size_t k = 0; k < w->law_count * count; k++) {
        w->values[k] = NAN;
    }
}

static crm_status solve_point(crm_study_worker *worker, size_t point, crm_error *error)
{
    crm_read_error failure = {0};
    crm_status status = crm_worker_load(worker, point, &failure);
    if (status == CRM_ERROR_MEMORY) {
        return crm_fail(error, status, NULL, "%.500s",
                        crm_variant_bare(&worker->variant, &failure));
    }
    if (status != CRM_OK) {
        fail_all(worker, crm_variant_bare(&worker->variant, &failure));
        return CRM_OK;
    }
    const crm_scenario_law *laws;
    if (crm_study_laws_of(worker->study, worker->variant.scenario, &laws) != worker->law_count) {
        fail_all(worker, "has a different number of laws from the other points");
        return CRM_OK;
    }
    for (size_t i = 0; worker->study->moves && i < worker->law_count && status == CRM_OK; i++) {
        status = move_by_law(worker, &laws[i], i, error);
    }
    if (worker->study->moves) {
        return status;
    }
    for (size_t i = 0; i < worker->law_count && status == CRM_OK; i++) {
        status = solve_law(worker, i, error);
    }
    for (size_t i = 0; i < worker->law_count && status == CRM_OK; i++) {
        status = take_quantities(worker, i, error);
    }
    return status;
}

crm_status crm_study_solve(crm_study_worker *worker, size_t point, const crm_study_row **rows,
                           crm_error *error)
{
    clear_rows(worker);
    *rows = worker->rows;
    crm_status status = solve_point(worker, point, error);
    return status == CRM_OK && worker->stopped ? crm_fail(error, CRM_ERROR_STOPPED, NULL, "stopped")
                                               : status;
}

const crm_scenario *crm_study_scenario(const crm_study_worker *worker)
{
    return worker->variant.scenario;
}
