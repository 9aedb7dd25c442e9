/* One thread's share of a study: a tree of its own, in which the points are set one by one. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solve/call.h"
#include "study/parts.h"

enum { NUMBER_SIZE = 32, REASON_SIZE = 512 };

struct crm_study_worker {
    const crm_study *study;
    crm_tree *tree;
    crm_place *places; /* one per field, like the two below; all in the tree's arena */
    crm_node **scalars;
    char (*texts)[NUMBER_SIZE];
    crm_arena_mark mark; /* what a point takes from the arena is given back before the next */
    crm_scenario *scenario;
    size_t law_count; /* room below */
    crm_outcome **outcomes;
    crm_study_row *rows;
    char (*reasons)[REASON_SIZE];
    double *values;
    crm_watch asked; /* who watches; go_on NULL: nobody */
    crm_watch watch; /* the worker's own, which asks it */
    bool told_to_end;
};

/* ---- Making --------------------------------------------------------------------------------- */

/* A list whose entries are drawn, in the place of what stood there. */
static crm_status place_list(crm_study_worker *w, size_t first, size_t count, crm_read_error *error)
{
    const crm_varied *field = &w->study->fields[first];
    crm_node *list = CRM_ARENA_NEW(&w->tree->arena, crm_node, 1);
    crm_node **items = CRM_ARENA_NEW(&w->tree->arena, crm_node *, count);
    if (list == NULL || items == NULL) {
        return crm_complain_memory(w->tree, error);
    }
    *list = (crm_node){.kind = CRM_NODE_SEQUENCE,
                       .source = field->node->source,
                       .line = field->node->line,
                       .column = field->node->column,
                       .count = count,
                       .items = items};
    for (size_t i = 0; i < count; i++) {
        items[i] = w->scalars[first + i];
        items[i]->parent = list;
        w->places[first + i] = (crm_place){list, i};
    }
    crm_place place;
    return crm_tree_place(w->tree, field->path, field->node, list, &place, error);
}

static crm_status place_fields(crm_study_worker *w, crm_read_error *error)
{
    const crm_study *study = w->study;
    crm_status status = CRM_OK;
    for (size_t i = 0; i < study->field_count && status == CRM_OK;) {
        const crm_varied *field = &study->fields[i];
        size_t each = field->axis == SIZE_MAX ? study->variables[field->variable].each : 0;
        status = each > 0 ? place_list(w, i, each, error)
                          : crm_tree_place(w->tree, field->path, field->node, w->scalars[i],
                                           &w->places[i], error);
        i += each > 0 ? each : 1;
    }
    return status;
}

static bool make_scalars(crm_study_worker *w)
{
    crm_arena *arena = &w->tree->arena;
    size_t count = w->study->field_count;
    w->places = CRM_ARENA_NEW(arena, crm_place, count);
    w->scalars = CRM_ARENA_NEW(arena, crm_node *, count);
    w->texts = crm_arena_allocate(arena, count, sizeof *w->texts);
    if (w->places == NULL || w->scalars == NULL || w->texts == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const crm_node *asked = w->study->fields[i].node;
        crm_node *scalar = CRM_ARENA_NEW(arena, crm_node, 1);
        if (scalar == NULL) {
            return false;
        }
        *scalar = (crm_node){.plain = true,
                             .source = asked->source,
                             .line = asked->line,
                             .column = asked->column,
                             .text = w->texts[i]};
        w->scalars[i] = scalar;
    }
    return true;
}

static crm_status make_tree(crm_study_worker *w, crm_read_error *error)
{
    const crm_study *study = w->study;
    crm_status status = crm_tree_parse(study->text, study->length, study->source,
                                       &study->tree->limits, &w->tree, error);
    if (status == CRM_OK) {
        w->tree->own = study->tree->own;
    }
    for (size_t i = 0; i < study->override_count && status == CRM_OK; i++) {
        status = crm_tree_set(w->tree, study->overrides[i], error);
    }
    if (status == CRM_OK && !make_scalars(w)) {
        status = crm_complain_memory(w->tree, error);
    }
    if (status == CRM_OK) {
        status = place_fields(w, error);
    }
    if (status == CRM_OK) {
        w->mark = crm_arena_now(&w->tree->arena);
    }
    return status;
}

crm_status crm_worker_make(const crm_study *study, crm_study_worker **worker, crm_read_error *error)
{
    *worker = NULL;
    crm_study_worker *made = CRM_NEW(crm_study_worker, 1);
    if (made == NULL) {
        return crm_complain_memory(study->tree, error);
    }
    made->study = study;
    crm_status status = make_tree(made, error);
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
    w->reasons = crm_allocate(count, sizeof *w->reasons);
    w->values = CRM_NEW(double, count *quantities);
    return w->outcomes != NULL && w->rows != NULL && w->reasons != NULL && w->values != NULL;
}

crm_status crm_study_worker_create(const crm_study *study, crm_study_worker **worker,
                                   crm_error *error)
{
    crm_read_error complaint = {0};
    crm_status status = crm_worker_make(study, worker, &complaint);
    if (status != CRM_OK || *worker == NULL) {
        return crm_fail(error, status, NULL, "%.500s", complaint.text);
    }
    if (!make_rows(*worker)) {
        crm_study_worker_free(*worker);
        *worker = NULL;
        return crm_fail_memory(error);
    }
    return CRM_OK;
}

/* ---- One point ------------------------------------------------------------------------------ */

static void forget_point(crm_study_worker *w)
{
    for (size_t i = 0; w->outcomes != NULL && i < w->law_count; i++) {
        crm_outcome_free(w->outcomes[i]);
        w->outcomes[i] = NULL;
    }
    if (w->scenario != NULL) {
        w->scenario->tree = NULL; /* it stays the worker's */
        crm_scenario_free(w->scenario);
        w->scenario = NULL;
    }
}

static void set_fields(crm_study_worker *w, size_t point)
{
    for (size_t i = 0; i < w->study->field_count; i++) {
        crm_study_value value = crm_study_value_at(w->study, point, i);
        crm_place place = w->places[i];
        if (value.node != NULL) {
            /* Nodes of the study's own tree are only read, by any number of workers. */
            place.container->items[place.index] = (crm_node *)value.node;
            continue;
        }
        /* As many digits as give the same number when they are read. */
        int length = snprintf(w->texts[i], NUMBER_SIZE, "%.17g", value.number);
        w->scalars[i]->count = (size_t)length;
        place.container->items[place.index] = w->scalars[i];
    }
}

crm_status crm_worker_load(crm_study_worker *worker, size_t point, crm_read_error *error)
{
    forget_point(worker);
    crm_arena_return(&worker->tree->arena, worker->mark);
    set_fields(worker, point);
    crm_status status = worker->study->moves
                            ? crm_motion_scenario_from_tree(worker->tree, &worker->scenario, error)
                            : crm_scenario_from_tree(worker->tree, &worker->scenario, error);
    if (status == CRM_OK && worker->study->laws != NULL) {
        status = crm_scenario_choose_laws(worker->scenario, worker->study->laws, error);
    }
    if (status != CRM_OK) {
        forget_point(worker);
    }
    return status;
}

void crm_study_worker_free(crm_study_worker *worker)
{
    if (worker == NULL) {
        return;
    }
    forget_point(worker);
    free(worker->outcomes);
    free(worker->rows);
    free(worker->reasons);
    free(worker->values);
    crm_tree_free(worker->tree);
    free(worker);
}

/* ---- Solving -------------------------------------------------------------------------------- */

static bool go_on(void *context, const crm_watch_report *progress)
{
    crm_study_worker *w = context;
    w->told_to_end = w->told_to_end || !w->asked.go_on(w->asked.context, progress);
    return !w->told_to_end;
}

void crm_study_worker_watch(crm_study_worker *worker, const crm_watch *watch)
{
    worker->asked = watch != NULL ? *watch : (crm_watch){0};
    worker->watch = worker->asked;
    worker->watch.context = worker;
    worker->watch.go_on = worker->asked.go_on != NULL ? go_on : NULL;
}

/* NULL: nobody watches. */
static const crm_watch *watch_of(const crm_study_worker *w)
{
    return w->asked.go_on != NULL ? &w->watch : NULL;
}

/* A table is about values, not about files: the message without "file:line:column: ". */
static const char *bare_message(const crm_tree *tree, const crm_read_error *error)
{
    for (size_t i = 0; i < tree->source_count; i++) {
        size_t length = strlen(tree->sources[i]);
        if (strncmp(error->text, tree->sources[i], length) == 0 && error->text[length] == ':') {
            const char *rest = error->text + length + 1;
            rest += error->line > 0 ? strspn(rest, "0123456789:") : 0;
            return rest + strspn(rest, " ");
        }
    }
    return error->text;
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
    const crm_scenario *s = w->scenario;
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

static void take_quantities(crm_study_worker *w, size_t law)
{
    crm_impact impact = {.model = w->scenario->model,
                         .velocity = w->scenario->velocity,
                         .outcome = w->outcomes[law],
                         .first = w->outcomes[0]};
    size_t count = w->study->quantity_count;
    for (size_t k = 0; k < count; k++) {
        w->values[law * count + k] = crm_recorded_value(&w->study->quantities[k], &impact);
    }
}

static crm_status move_by_law(crm_study_worker *w, const crm_scenario_law *law, size_t i,
                              crm_error *error)
{
    crm_moved moved = {0};
    crm_study_row *row = &w->rows[i];
    row->label = law->label;
    crm_status status = crm_study_move(w->scenario, law, watch_of(w), &moved, &row->result,
                                       w->reasons[i], REASON_SIZE, error);
    size_t count = w->study->quantity_count;
    for (size_t k = 0; k < count && status == CRM_OK; k++) {
        w->values[i * count + k] = crm_recorded_value(&w->study->quantities[k], &moved);
    }
    crm_moved_release(&moved);
    return status;
}

static void clear_rows(crm_study_worker *w)
{
    w->told_to_end = false;
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
    crm_read_error complaint = {0};
    crm_status status = crm_worker_load(worker, point, &complaint);
    if (status == CRM_ERROR_MEMORY) {
        return crm_fail(error, status, NULL, "%.500s", bare_message(worker->tree, &complaint));
    }
    if (status != CRM_OK) {
        fail_all(worker, bare_message(worker->tree, &complaint));
        return CRM_OK;
    }
    const crm_scenario_law *laws;
    if (crm_study_laws_of(worker->study, worker->scenario, &laws) != worker->law_count) {
        fail_all(worker, "has another number of laws than the other points");
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
        take_quantities(worker, i);
    }
    return status;
}

crm_status crm_study_solve(crm_study_worker *worker, size_t point, const crm_study_row **rows,
                           crm_error *error)
{
    clear_rows(worker);
    *rows = worker->rows;
    crm_status status = solve_point(worker, point, error);
    return status == CRM_OK && worker->told_to_end
               ? crm_fail(error, CRM_ERROR_STOPPED, NULL, "told to end")
               : status;
}

const crm_scenario *crm_study_scenario(const crm_study_worker *worker)
{
    return worker->scenario;
}
