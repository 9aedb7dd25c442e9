#include "reproduce/record.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/team.h"
#include "study/recorded.h"

/* ---- Making --------------------------------------------------------------------------------- */

static void note_trace(crm_record *record, const char *name)
{
    crm_trace trace;
    if (name == NULL || !crm_trace_parse(name, &trace)) {
        return;
    }
    for (size_t i = 0; i < record->trace_count; i++) {
        if (strcmp(record->trace_names[i], name) == 0) {
            return;
        }
    }
    record->trace_names[record->trace_count++] = name;
}

static void note_traces(crm_record *record)
{
    const crm_item *item = record->item;
    for (size_t i = 0; i < item->claim_count; i++) {
        note_trace(record, item->claims[i].quantity);
        note_trace(record, item->claims[i].per);
    }
}

crm_status crm_record_create(const crm_item *item, crm_record **record, crm_error *error)
{
    crm_record *made = CRM_NEW(crm_record, 1);
    *record = made;
    if (made == NULL) {
        return crm_fail_memory(error);
    }
    size_t values = item->variation.count > 0 ? item->variation.count : 1;
    made->item = item;
    made->point_count = item->case_count * values;
    made->points = CRM_NEW(crm_point, made->point_count);
    made->findings = CRM_NEW(crm_finding, item->claim_count);
    made->trace_names = CRM_NEW(const char *, 2 * item->claim_count);
    if (made->points == NULL || made->findings == NULL || made->trace_names == NULL) {
        crm_record_free(made);
        *record = NULL;
        return crm_fail_memory(error);
    }
    note_traces(made);
    return CRM_OK;
}

void crm_record_free(crm_record *record)
{
    if (record == NULL) {
        return;
    }
    for (size_t i = 0; record->points != NULL && i < record->point_count; i++) {
        crm_point_clear(&record->points[i]);
    }
    free(record->points);
    free(record->findings);
    free(record->trace_names);
    free(record);
}

/* ---- Computing ------------------------------------------------------------------------------ */

/* Whether what the threshold is about holds at a value on the grid. Where the law has no answer it
 * does not; a scenario that cannot be read is a trouble.
 */
static bool holds(const crm_record *record, size_t case_index, double parameter, double grid,
                  crm_point *asking)
{
    const crm_threshold *threshold = &record->item->threshold;
    crm_point point;
    crm_point_solve(record, case_index, parameter, grid, &point);
    crm_claim claim = {
        .law = threshold->law, .quantity = threshold->quantity, .times = 1, .power = 1};
    char no_answer[640];
    double value = crm_record_value(record, &claim, &point, no_answer, sizeof no_answer);
    if (point.trouble[0] != '\0') {
        memcpy(asking->trouble, point.trouble, sizeof asking->trouble);
        asking->out_of_memory = point.out_of_memory;
    }
    crm_point_clear(&point);
    return value >= threshold->least && value <= threshold->most;
}

/* Once stopped, a watch stays stopped. */
static bool is_stopped(const crm_record *record)
{
    const crm_watch *watch = record->watch;
    const crm_watch_report nothing = {.time = NAN, .left = NAN};
    return watch != NULL && watch->go_on != NULL && !watch->go_on(watch->context, &nothing);
}

/* Bisection: what holds at one end of the grid stops holding somewhere, and stays so. */
static double find_threshold(const crm_record *record, size_t case_index, crm_point *point)
{
    const crm_threshold *t = &record->item->threshold;
    long last = lround((t->to - t->from) / t->step);
    long good = t->holds_above ? last : 0, bad = t->holds_above ? -1 : last + 1;
    double parameter = point->parameter;
    if (!holds(record, case_index, parameter, t->from + t->step * (double)good, point)) {
        return NAN;
    }
    while (labs(bad - good) > 1 && point->trouble[0] == '\0' && !is_stopped(record)) {
        long middle = good + (bad - good) / 2;
        if (holds(record, case_index, parameter, t->from + t->step * (double)middle, point)) {
            good = middle;
        } else {
            bad = middle;
        }
    }
    return t->from + t->step * (double)good;
}

static bool needs_outcomes(const crm_item *item)
{
    for (size_t i = 0; i < item->claim_count; i++) {
        if (strcmp(item->claims[i].quantity, "threshold") != 0) {
            return true;
        }
    }
    return false;
}

/* Compute point `index`. Different points may be computed at the same time. */
static void compute_point(crm_record *record, size_t index)
{
    const crm_item_variation *variation = &record->item->variation;
    crm_point *point = &record->points[index];
    size_t values = variation->count > 0 ? variation->count : 1;
    size_t case_index = index / values;
    double parameter = variation->count > 0 ? variation->values[index % values] : NAN;
    *point = (crm_point){.parameter = parameter, .threshold = NAN};
    if (needs_outcomes(record->item)) {
        crm_point_solve(record, case_index, parameter, NAN, point);
    }
    if (record->item->threshold.wanted && point->trouble[0] == '\0') {
        point->threshold = find_threshold(record, case_index, point);
    }
    point->computed = !is_stopped(record);
}

bool crm_record_is_computed(const crm_record *record)
{
    bool all = true;
    for (size_t i = 0; i < record->point_count; i++) {
        all &= record->points[i].computed;
    }
    return all;
}

/* ---- Reading -------------------------------------------------------------------------------- */

const crm_point *crm_record_point(const crm_record *record, const crm_claim *claim)
{
    const crm_item_variation *variation = &record->item->variation;
    size_t values = variation->count > 0 ? variation->count : 1, at = 0;
    while (at + 1 < values && variation->values[at] != claim->at) {
        at++;
    }
    return &record->points[claim->case_index * values + at];
}

static double trace_value(const crm_record *record, const crm_point *point, size_t law,
                          const char *name)
{
    for (size_t i = 0; i < record->trace_count; i++) {
        if (strcmp(record->trace_names[i], name) == 0) {
            return point->traces[law * record->trace_count + i];
        }
    }
    return NAN;
}

static crm_impact impact_of(const crm_point *point, size_t law)
{
    return (crm_impact){.model = point->scenario->model,
                        .velocity = point->scenario->velocity,
                        .outcome = point->outcomes[law],
                        .first = point->outcomes[0]};
}

static double quantity_value(const crm_record *record, const crm_point *point, size_t law,
                             const char *name)
{
    crm_recorded quantity;
    crm_trace trace;
    char problem[512];
    if (strcmp(name, "threshold") == 0) {
        return point->threshold;
    }
    if (crm_trace_parse(name, &trace)) {
        return trace_value(record, point, law, name);
    }
    crm_impact impact = impact_of(point, law);
    return crm_recorded_parse(&crm_recordable_impact, name, &quantity, problem, sizeof problem)
               ? crm_recorded_value(&quantity, &impact)
               : NAN;
}

double crm_record_value(const crm_record *record, const crm_claim *claim, const crm_point *point,
                        char *trouble, size_t size)
{
    size_t law = 0;
    if (point->trouble[0] != '\0') {
        snprintf(trouble, size, "%s", point->trouble);
        return NAN;
    }
    if (strcmp(claim->quantity, "threshold") == 0) {
        return point->threshold;
    }
    if (crm_point_law(point, claim->law, &law) != CRM_OK) {
        snprintf(trouble, size, "no law of the scenario is labelled '%s'", claim->law);
        return NAN;
    }
    const crm_outcome *outcome = point->outcomes[law];
    if (outcome->result != CRM_SOLVED && !claim->unfinished) {
        snprintf(trouble, size, "%s: %s", crm_result_text(outcome->result), outcome->reason);
        return NAN;
    }
    double value = quantity_value(record, point, law, claim->quantity);
    double per = claim->per != NULL ? quantity_value(record, point, law, claim->per) : 1;
    return claim->times * (claim->power == 1 ? value / per : crm_pow(value / per, claim->power));
}

bool crm_record_entry(const crm_record *record, const crm_claim *claim, const crm_point *point,
                      size_t i, double *value)
{
    char name[160], problem[512];
    size_t law = 0;
    crm_recorded quantity;
    snprintf(name, sizeof name, "%s[%zu]", claim->quantity, i);
    if (point->trouble[0] != '\0' || crm_point_law(point, claim->law, &law) != CRM_OK ||
        (point->outcomes[law]->result != CRM_SOLVED && !claim->unfinished) ||
        !crm_recorded_parse(&crm_recordable_impact, name, &quantity, problem, sizeof problem) ||
        !crm_recorded_exists(&quantity, &(crm_impact){.model = point->scenario->model})) {
        return false;
    }
    double per = claim->per != NULL ? quantity_value(record, point, law, claim->per) : 1;
    *value = claim->times * crm_pow(quantity_value(record, point, law, name) / per, claim->power);
    return true;
}

/* ---- All of them ---------------------------------------------------------------------------- */

typedef struct work {
    crm_record *const *records;
    size_t count;
    size_t total;
    const crm_record_progress *progress;
    atomic_size_t next, done;
} work;

/* Items that take long go first, so that the small ones fill the gaps at the end. */
static bool locate(const work *w, size_t number, crm_record **record, size_t *point)
{
    for (int quick = 0; quick < 2; quick++) {
        for (size_t i = 0; i < w->count; i++) {
            if (w->records[i]->item->quick != (quick == 1)) {
                continue;
            }
            if (number < w->records[i]->point_count) {
                /* The last points of an item are the largest. */
                *record = w->records[i];
                *point = w->records[i]->point_count - 1 - number;
                return true;
            }
            number -= w->records[i]->point_count;
        }
    }
    return false;
}

static void *compute_points(void *context)
{
    work *w = context;
    crm_record *record;
    size_t point;
    while (locate(w, atomic_fetch_add(&w->next, 1), &record, &point)) {
        if (is_stopped(record)) {
            break;
        }
        compute_point(record, point);
        size_t done = atomic_fetch_add(&w->done, 1) + 1;
        if (w->progress != NULL) {
            w->progress->done(w->progress->context, done, w->total);
        }
    }
    return NULL;
}

static bool ran_out_of_memory(const crm_record *record)
{
    bool out_of_memory = false;
    for (size_t i = 0; i < record->point_count; i++) {
        out_of_memory |= record->points[i].out_of_memory;
    }
    return out_of_memory;
}

static crm_status judge_all(crm_record *const *records, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (ran_out_of_memory(records[i])) {
            return CRM_ERROR_MEMORY;
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (crm_record_is_computed(records[i])) {
            crm_judge_record(records[i]);
        }
    }
    return CRM_OK;
}

crm_status crm_records_run(crm_record *const *records, size_t count, unsigned jobs,
                           const crm_record_progress *progress)
{
    work w = {.records = records, .count = count, .progress = progress};
    for (size_t i = 0; i < count; i++) {
        w.total += records[i]->point_count;
        records[i]->watch = progress != NULL ? progress->watch : NULL;
    }
    /* If threads cannot be started, this one does their work. */
    pthread_t *threads = CRM_NEW(pthread_t, jobs);
    unsigned started = 0;
    while (threads != NULL && started + 1 < jobs &&
           crm_team_start(&threads[started], compute_points, &w)) {
        started++;
    }
    compute_points(&w);
    for (unsigned i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
    }
    free(threads);
    return judge_all(records, count);
}
