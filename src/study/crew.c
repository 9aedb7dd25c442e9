/* Several threads at one study. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/base.h"
#include "study/study.h"

typedef struct shift {
    const crm_study *study;
    const crm_study_crew *crew;
    atomic_bool stop;
    pthread_mutex_t lock;
    crm_error error; /* of the first that failed; status CRM_OK: none did */
} shift;

static void fail(shift *s, const crm_error *error)
{
    pthread_mutex_lock(&s->lock);
    if (s->error.status == CRM_OK) {
        s->error = *error;
    }
    pthread_mutex_unlock(&s->lock);
    atomic_store(&s->stop, true);
}

static void *work(void *context)
{
    shift *s = context;
    const crm_study_crew *crew = s->crew;
    crm_study_worker *worker = NULL;
    crm_error error = {0};
    size_t point;
    if (crm_study_worker_create(s->study, &worker, &error) != CRM_OK) {
        fail(s, &error);
        return NULL;
    }
    crm_study_worker_watch(worker, crew->watch);
    while (!atomic_load(&s->stop) && crew->next(crew->context, &point)) {
        const crm_study_row *rows;
        crm_status status = crm_study_solve(worker, point, &rows, &error);
        if (status == CRM_ERROR_STOPPED) {
            atomic_store(&s->stop, true);
        } else if (status != CRM_OK) {
            fail(s, &error);
        } else if (!crew->take(crew->context, worker, point, rows)) {
            atomic_store(&s->stop, true);
        }
    }
    crm_study_worker_free(worker);
    return NULL;
}

crm_status crm_study_run(const crm_study *study, const crm_study_crew *crew, crm_error *error)
{
    shift s = {.study = study, .crew = crew};
    pthread_t *threads = CRM_NEW(pthread_t, crew->jobs);
    unsigned started = 0;
    if (threads == NULL || pthread_mutex_init(&s.lock, NULL) != 0) {
        free(threads);
        return crm_fail_memory(error);
    }
    while (started + 1 < crew->jobs && pthread_create(&threads[started], NULL, work, &s) == 0) {
        started++;
    }
    work(&s);
    for (unsigned i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
    }
    free(threads);
    pthread_mutex_destroy(&s.lock);
    if (s.error.status != CRM_OK && error != NULL) {
        *error = s.error;
    }
    return s.error.status;
}

/* ---- All of it in memory ----------------------------------------------------------------------
 */

typedef struct filling {
    size_t laws;
    size_t points;
    atomic_size_t next;
    crm_study_table *table;
} filling;

static bool next_point(void *context, size_t *point)
{
    filling *f = context;
    *point = atomic_fetch_add(&f->next, 1);
    return *point < f->points;
}

/* Every point has rows of its own to write to. */
static bool fill(void *context, const crm_study_worker *worker, size_t point,
                 const crm_study_row *rows)
{
    (void)worker;
    const filling *f = context;
    crm_study_table *t = f->table;
    for (size_t i = 0; i < f->laws; i++) {
        size_t r = point * f->laws + i;
        t->result[r] = rows[i].result;
        t->reason[r] = crm_copy_text(rows[i].reason);
        if (t->reason[r] == NULL) {
            return false;
        }
        for (size_t k = 0; k < t->quantities; k++) {
            t->values[r * t->quantities + k] = rows[i].values[k];
        }
    }
    return true;
}

static crm_status fill_all(const crm_study *study, unsigned jobs, crm_study_table *table,
                           crm_error *error)
{
    filling f = {.laws = crm_study_laws(study), .points = crm_study_points(study), .table = table};
    crm_study_crew crew = {.jobs = jobs, .context = &f, .next = next_point, .take = fill};
    crm_status status = crm_study_run(study, &crew, error);
    for (size_t i = 0; i < table->rows && status == CRM_OK; i++) {
        status = table->reason[i] != NULL ? CRM_OK : crm_fail_memory(error);
    }
    return status;
}

crm_status crm_study_solve_all(const crm_study *study, unsigned jobs, crm_study_table *table,
                               crm_error *error)
{
    size_t rows = crm_study_points(study) * crm_study_laws(study);
    size_t quantities = crm_study_quantities(study);
    *table = (crm_study_table){.rows = rows,
                               .quantities = quantities,
                               .result = CRM_NEW(crm_result, rows),
                               .reason = CRM_NEW(char *, rows),
                               .values = crm_allocate(rows, quantities * sizeof(double))};
    crm_status status = table->result != NULL && table->reason != NULL && table->values != NULL
                            ? fill_all(study, jobs, table, error)
                            : crm_fail_memory(error);
    if (status != CRM_OK) {
        crm_study_table_free(table);
    }
    return status;
}

void crm_study_table_free(crm_study_table *table)
{
    for (size_t i = 0; table->reason != NULL && i < table->rows; i++) {
        free(table->reason[i]);
    }
    free(table->result);
    free(table->reason);
    free(table->values);
    *table = (crm_study_table){0};
}
