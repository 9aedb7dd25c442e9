/* Several threads at one study. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/base.h"
#include "base/team.h"
#include "study/study.h"

typedef struct shared {
    const crm_study *study;
    const crm_study_workers *workers;
    atomic_bool stop;
    pthread_mutex_t lock;
    crm_error error; /* of the first that failed; status CRM_OK: none did */
} shared;

static void fail(shared *s, const crm_error *error)
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
    shared *s = context;
    const crm_study_workers *workers = s->workers;
    crm_study_worker *worker = NULL;
    crm_error error = {0};
    size_t point;
    if (crm_study_worker_create(s->study, &worker, &error) != CRM_OK) {
        fail(s, &error);
        return NULL;
    }
    crm_study_worker_watch(worker, workers->watch);
    while (!atomic_load(&s->stop) && workers->next(workers->context, &point)) {
        const crm_study_row *rows;
        crm_status status = crm_study_solve(worker, point, &rows, &error);
        if (status == CRM_ERROR_STOPPED) {
            atomic_store(&s->stop, true);
        } else if (status != CRM_OK) {
            fail(s, &error);
        } else if (!workers->take(workers->context, worker, point, rows)) {
            atomic_store(&s->stop, true);
        }
    }
    crm_study_worker_free(worker);
    return NULL;
}

crm_status crm_study_run(const crm_study *study, const crm_study_workers *workers, crm_error *error)
{
    shared s = {.study = study, .workers = workers};
    pthread_t *threads = CRM_NEW(pthread_t, workers->jobs);
    unsigned started = 0;
    if (threads == NULL || pthread_mutex_init(&s.lock, NULL) != 0) {
        free(threads);
        return crm_fail_memory(error);
    }
    while (started + 1 < workers->jobs && crm_team_start(&threads[started], work, &s)) {
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
