/* A whole study in memory, and studies for callers of the library (carom/study.h). */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/base.h"
#include "base/locale.h"
#include "base/team.h"
#include "base/watch.h"
#include "study/study.h"

/* ---- Loading and asking ---------------------------------------------------------------------- */

static crm_status open_def(crm_study_def *def, crm_yaml_limits *limits, const crm_source *source,
                           char **read, crm_read_error *error)
{
    *limits = crm_yaml_limits_default();
    limits->memory = source->bytes;
    *def = (crm_study_def){.source = crm_load_source_name(source),
                           .overrides = source->overrides,
                           .override_count = source->override_count,
                           .laws = source->laws,
                           .limits = limits,
                           .own = {source->own_laws, source->own_law_count, source->own_functions,
                                   source->own_function_count}};
    return crm_load_source_text(source, &def->text, &def->length, read, error);
}

crm_status crm_study_def_use(const crm_source *source, crm_study_def_user *use, void *context,
                             crm_error *error)
{
    crm_status status = crm_load_check_source(source, error);
    if (status != CRM_OK) {
        return status;
    }
    char *read;
    crm_yaml_limits limits;
    crm_study_def def;
    crm_read_error failure = {0};
    status = open_def(&def, &limits, source, &read, &failure);
    if (status == CRM_OK) {
        status = use(&def, context, &failure);
    }
    free(read);
    failure.status = status;
    return status == CRM_OK ? CRM_OK : crm_load_error(source, &failure, error);
}

/* What crm_study_load is asked for. */
typedef struct loading {
    const char *const *record;
    size_t record_count;
    crm_study **study;
} loading;

static crm_status read_study(crm_study_def *def, void *context, crm_read_error *failure)
{
    const loading *l = context;
    def->record = l->record;
    def->record_count = l->record_count;
    return crm_study_read(def, l->study, failure);
}

crm_status crm_study_load(const crm_source *source, const char *const *record, size_t record_count,
                          crm_study **study, crm_error *error)
{
    CRM_USUAL_ARITHMETIC;
    if (crm_fail_if_null(study, "study", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    *study = NULL;
    crm_status status = CRM_OK;
    for (size_t i = 0; i < record_count && record != NULL && status == CRM_OK; i++) {
        status = crm_fail_if_null(record[i], "record", error) ? CRM_ERROR_ARGUMENT : CRM_OK;
    }
    if (status != CRM_OK) {
        return status;
    }
    loading l = {.record = record, .record_count = record_count, .study = study};
    return crm_study_def_use(source, read_study, &l, error);
}

double crm_study_number(const crm_study *study, size_t point, size_t field)
{
    CRM_USUAL_ARITHMETIC;
    return crm_study_value_at(study, point, field).number;
}

void crm_study_value_text(const crm_study *study, size_t point, size_t field, char *text,
                          size_t size)
{
    CRM_USUAL_ARITHMETIC;
    if (size == 0) {
        return;
    }
    text[0] = '\0';
    crm_study_value value = crm_study_value_at(study, point, field);
    if (value.node == NULL) {
        crm_snprintf(text, size, "%.17g", value.number);
        return;
    }
    FILE *stream = size > 1 ? fmemopen(text, size, "w") : NULL;
    if (stream != NULL) {
        crm_yaml_write_node(value.node, stream);
        fclose(stream);
        text[size - 1] = '\0';
    }
}

/* ---- All points ----------------------------------------------------------------------------- */

typedef struct filling {
    size_t laws;
    size_t points;
    atomic_size_t next, done;
    atomic_bool out_of_memory; /* of memory */
    crm_study_table *table;

    const crm_watch *watcher; /* of the caller; NULL: none */
    pthread_mutex_t lock;
    atomic_bool over;
    crm_watching between; /* asks between the points, of which each may be short; under `asking` */
} filling;

/* One thread polls at a time; when one is stopped, all are. */
static bool poll_in_turn(void *context, const crm_watch_report *progress)
{
    filling *f = context;
    if (!atomic_load(&f->over) && pthread_mutex_trylock(&f->lock) == 0) {
        if (!f->watcher->go_on(f->watcher->context, progress)) {
            atomic_store(&f->over, true);
        }
        pthread_mutex_unlock(&f->lock);
    }
    return !atomic_load(&f->over);
}

static void poll(filling *f)
{
    if (f->watcher != NULL && !atomic_load(&f->over) && pthread_mutex_trylock(&f->lock) == 0) {
        const crm_watch_report progress = {
            .time = NAN, .left = NAN, .steps = atomic_load(&f->done)};
        if (crm_watch_ends(&f->between, &progress)) {
            atomic_store(&f->over, true);
        }
        pthread_mutex_unlock(&f->lock);
    }
}

static bool next_point(void *context, size_t *point)
{
    filling *f = context;
    poll(f);
    *point = atomic_fetch_add(&f->next, 1);
    return !atomic_load(&f->over) && *point < f->points;
}

/* Every point has rows of its own to write to. */
static bool fill(void *context, const crm_study_worker *worker, size_t point,
                 const crm_study_row *rows)
{
    (void)worker;
    filling *f = context;
    crm_study_table *t = f->table;
    for (size_t i = 0; i < f->laws; i++) {
        size_t r = point * f->laws + i;
        t->result[r] = rows[i].result;
        t->reason[r] = crm_memory_copy_text(rows[i].reason);
        if (t->reason[r] == NULL) {
            atomic_store(&f->out_of_memory, true);
            return false;
        }
        for (size_t k = 0; k < t->quantities; k++) {
            t->values[r * t->quantities + k] = rows[i].values[k];
        }
    }
    atomic_fetch_add(&f->done, 1);
    return true;
}

static crm_status fill_all(const crm_study *study, unsigned jobs, const crm_watch *watch,
                           crm_study_table *table, crm_error *error)
{
    filling f = {.laws = crm_study_laws(study), .points = crm_study_points(study), .table = table};
    f.watcher = watch != NULL && watch->go_on != NULL ? watch : NULL;
    f.between = crm_watch_begin(f.watcher);
    if (pthread_mutex_init(&f.lock, NULL) != 0) {
        return crm_fail_memory(error);
    }
    crm_watch in_turn = watch != NULL ? *watch : (crm_watch){0};
    in_turn.context = &f;
    in_turn.go_on = poll_in_turn;
    crm_study_workers workers = {.jobs = jobs > 0 ? jobs : (unsigned)crm_team_processors(),
                                 .watch = f.watcher != NULL ? &in_turn : NULL,
                                 .context = &f,
                                 .next = next_point,
                                 .take = fill};
    crm_status status = crm_study_run(study, &workers, error);
    pthread_mutex_destroy(&f.lock);
    if (status == CRM_OK && atomic_load(&f.out_of_memory)) {
        return crm_fail_memory(error);
    }
    if (status == CRM_OK && atomic_load(&f.done) < f.points) {
        return crm_fail(error, CRM_ERROR_STOPPED, NULL, "stopped after %zu of %zu points",
                        atomic_load(&f.done), f.points);
    }
    return status;
}

crm_status crm_study_solve_all(const crm_study *study, unsigned jobs, const crm_watch *watch,
                               crm_study_table *table, crm_error *error)
{
    CRM_USUAL_ARITHMETIC;
    if (crm_fail_if_null(study, "study", error) || crm_fail_if_null(table, "table", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    size_t rows = crm_study_points(study) * crm_study_laws(study);
    size_t quantities = crm_study_quantities(study);
    *table = (crm_study_table){.rows = rows,
                               .quantities = quantities,
                               .result = CRM_NEW(crm_result, rows),
                               .reason = CRM_NEW(char *, rows),
                               .values = crm_memory_allocate(rows, quantities * sizeof(double))};
    crm_status status = table->result != NULL && table->reason != NULL && table->values != NULL
                            ? fill_all(study, jobs, watch, table, error)
                            : crm_fail_memory(error);
    if (status != CRM_OK) {
        crm_study_table_free(table);
    }
    return status;
}

void crm_study_table_free(crm_study_table *table)
{
    if (table == NULL) {
        return;
    }
    for (size_t i = 0; table->reason != NULL && i < table->rows; i++) {
        free(table->reason[i]);
    }
    free(table->result);
    free(table->reason);
    free(table->values);
    *table = (crm_study_table){0};
}
