/* A study spread over the ranks of an MPI job. Rank 0 keeps the journal and hands out points; the
 * others ask for some, and send each back as soon as it is done.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/base.h"
#include "cli/limits.h"
#include "cli/sweep/sweep.h"

enum { ASK, DONE, FAILED }; /* what a message to rank 0 is about */

typedef struct message {
    uint64_t kind;
    uint64_t point, unsolved; /* of DONE; the rows' text follows */
} message;

/* Points per batch: few enough that all ranks finish together, enough that none waits. */
enum { BATCH_MOST = 16 };

/* ---- Rank 0 --------------------------------------------------------------------------------- */

static size_t batch_size(const crm_ranks_service *s)
{
    size_t left = s->queue->journal->last - s->queue->next;
    size_t share = left / (4 * (size_t)s->ranks);
    return share < 1 ? 1 : share > BATCH_MOST ? BATCH_MOST : share;
}

/* Returns false when there was nothing left to give. */
static bool answer(const crm_ranks_service *s, int rank)
{
    uint64_t batch[BATCH_MOST];
    size_t count = 0, most = batch_size(s), point;
    while (count < most && crm_sweep_next_point(s->queue, &point)) {
        batch[count++] = point;
    }
    s->messenger->send(rank, batch, count * sizeof *batch);
    return count > 0;
}

static void take(const crm_ranks_service *s, const char *bytes, size_t size)
{
    message m;
    memcpy(&m, bytes, sizeof m);
    s->take(s->context, (size_t)m.point, bytes + sizeof m, size - sizeof m, (size_t)m.unsolved);
}

/* Returns how many ranks it ended: 0 or 1. */
static int handle(const crm_ranks_service *s, int rank, size_t size, bool *good)
{
    char *bytes = CRM_NEW(char, size);
    if (bytes == NULL) {
        abort(); /* the message could not even be taken from the line; mpirun ends the others */
    }
    s->messenger->receive(rank, bytes, size);
    message m;
    memcpy(&m, bytes, sizeof m);
    int ended = 0;
    if (m.kind == ASK) {
        ended = !answer(s, rank);
    } else if (m.kind == DONE) {
        take(s, bytes, size);
    } else {
        *good = false;
        ended = 1;
    }
    free(bytes);
    return ended;
}

bool crm_ranks_serve(const crm_ranks_service *service)
{
    const struct timespec pause = {.tv_nsec = 200000}; /* the core belongs to the workers */
    bool good = true;
    for (int ended = 0; ended < service->ranks - 1;) {
        int rank;
        size_t size;
        if (service->messenger->poll(&rank, &size)) {
            ended += handle(service, rank, size, &good);
        } else {
            nanosleep(&pause, NULL);
        }
    }
    return good;
}

/* ---- The others ----------------------------------------------------------------------------- */

typedef struct remote_rank {
    const crm_messenger *messenger;
    const crm_study *study;
    pthread_mutex_t lock; /* of everything below, and of the messenger */
    uint64_t batch[BATCH_MOST];
    size_t count, used;
    bool ended;
} remote_rank;

static void ask(remote_rank *v)
{
    message m = {.kind = ASK};
    int from;
    size_t size;
    v->messenger->send(0, &m, sizeof m);
    v->messenger->wait(&from, &size);
    v->messenger->receive(from, v->batch, size);
    v->count = size / sizeof v->batch[0];
    v->used = 0;
    v->ended = v->count == 0;
}

static bool next_point(void *context, size_t *point)
{
    remote_rank *v = context;
    pthread_mutex_lock(&v->lock);
    if (v->used == v->count && !v->ended) {
        ask(v);
    }
    bool any = v->used < v->count && crm_limits_time_left() > 0;
    if (any) {
        *point = (size_t)v->batch[v->used++];
    }
    pthread_mutex_unlock(&v->lock);
    return any;
}

static bool send_point(void *context, const crm_study_worker *worker, size_t point,
                       const crm_study_row *rows)
{
    (void)worker;
    remote_rank *v = context;
    size_t length = 0, unsolved = 0;
    char *text = crm_sweep_rows(v->study, point, rows, &length, &unsolved);
    char *bytes = text != NULL ? CRM_NEW(char, sizeof(message) + length) : NULL;
    if (bytes != NULL) {
        message m = {.kind = DONE, .point = point, .unsolved = unsolved};
        memcpy(bytes, &m, sizeof m);
        memcpy(bytes + sizeof m, text, length);
        pthread_mutex_lock(&v->lock);
        v->messenger->send(0, bytes, sizeof m + length);
        pthread_mutex_unlock(&v->lock);
    }
    bool good = bytes != NULL;
    free(bytes);
    free(text);
    return good;
}

crm_status crm_ranks_work(const crm_messenger *messenger, const crm_study *study, unsigned jobs,
                          crm_error *error)
{
    remote_rank v = {.messenger = messenger, .study = study};
    pthread_mutex_init(&v.lock, NULL);
    crm_study_workers workers = {.jobs = jobs,
                                 .watch = &crm_sweep_watch,
                                 .context = &v,
                                 .next = next_point,
                                 .take = send_point};
    crm_limits_begin_polling();
    crm_status status = crm_study_run(study, &workers, error);
    if (!v.ended) {
        message m = {.kind = FAILED};
        messenger->send(0, &m, sizeof m);
        status = status != CRM_OK ? status : crm_fail_memory(error);
    }
    pthread_mutex_destroy(&v.lock);
    return status;
}
