/* Between jobs a thread spins for a short while, then sleeps: within a computation jobs follow each
 * other within microseconds, and waking a thread takes longer than that.
 *
 * Each thread has parts of its own, always the same for jobs of the same size, so that their data
 * are still in its cache; when it has done them it helps the others.
 */
#include "base/team.h"

#include <pthread.h>
#include <signal.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/base.h"

enum { CACHE_LINE = 64, LOOKS = 4000 }; /* spins, about 0.1 ms */

/* The gate: the number of the job, whether it is open, and how many threads are inside beside the
 * caller.
 */
static const uint64_t NEXT_JOB = UINT64_C(1) << 32, OPEN = UINT64_C(1) << 31;

static uint64_t job_of(uint64_t gate)
{
    return gate / NEXT_JOB;
}

static uint64_t inside(uint64_t gate)
{
    return gate % OPEN;
}

/* One thread's parts that are not begun. */
typedef struct share {
    alignas(CACHE_LINE) atomic_size_t next;
    size_t end;
} share;

typedef struct member {
    crm_team *team;
    size_t place;
    pthread_t thread;
} member;

struct crm_team {
    alignas(CACHE_LINE) _Atomic uint64_t gate;
    alignas(CACHE_LINE) atomic_bool over; /* the team is being freed */
    atomic_size_t sleepers;               /* members that wait for the gate to open */
    atomic_bool caller_sleeps;            /* until nobody is inside */
    size_t threads;
    pid_t process;  /* whose threads they are: a child that forks has none of them */
    unsigned looks; /* at the gate before going to sleep */
    member *members;
    share *shares;
    pthread_mutex_t lock; /* for sleeping only */
    pthread_cond_t opened, left;

    /* The job; constant while the gate is open or somebody is inside. */
    crm_team_part *part;
    void *context;
};

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/* ---- Working --------------------------------------------------------------------------------- */

static void do_parts(crm_team *team, size_t place)
{
    for (size_t i = 0; i < team->threads; i++) {
        share *s = &team->shares[(place + i) % team->threads];
        while (atomic_load_explicit(&s->next, memory_order_relaxed) < s->end) {
            size_t part = atomic_fetch_add_explicit(&s->next, 1, memory_order_relaxed);
            if (part < s->end) {
                team->part(team->context, part);
            }
        }
    }
}

/* Is there a job to go to after job `last`? */
static bool is_wanted(crm_team *team, uint64_t last)
{
    uint64_t gate = atomic_load(&team->gate);
    return atomic_load(&team->over) || ((gate & OPEN) != 0 && job_of(gate) != last);
}

static void wait_for_job(crm_team *team, uint64_t last)
{
    for (unsigned i = 0; i < team->looks; i++) {
        if (is_wanted(team, last)) {
            return;
        }
        relax();
    }
    pthread_mutex_lock(&team->lock);
    atomic_fetch_add(&team->sleepers, 1); /* before the last look: whoever opens looks after */
    while (!is_wanted(team, last)) {
        pthread_cond_wait(&team->opened, &team->lock);
    }
    atomic_fetch_sub(&team->sleepers, 1);
    pthread_mutex_unlock(&team->lock);
}

static bool enter(crm_team *team, uint64_t *last)
{
    uint64_t gate = atomic_load(&team->gate);
    while ((gate & OPEN) != 0 && job_of(gate) != *last) {
        if (atomic_compare_exchange_weak(&team->gate, &gate, gate + 1)) {
            *last = job_of(gate);
            return true;
        }
    }
    return false;
}

static void leave(crm_team *team)
{
    uint64_t gate = atomic_fetch_sub(&team->gate, 1) - 1;
    if (inside(gate) == 0 && atomic_load(&team->caller_sleeps)) {
        pthread_mutex_lock(&team->lock);
        pthread_cond_signal(&team->left);
        pthread_mutex_unlock(&team->lock);
    }
}

static void *work(void *argument)
{
    member *self = argument;
    uint64_t last = 0;
    for (;;) {
        wait_for_job(self->team, last);
        if (atomic_load(&self->team->over)) {
            return NULL;
        }
        if (enter(self->team, &last)) {
            do_parts(self->team, self->place);
            leave(self->team);
        }
    }
}

/* ---- The caller ------------------------------------------------------------------------------ */

static void wake(crm_team *team)
{
    if (atomic_load(&team->sleepers) > 0) {
        pthread_mutex_lock(&team->lock);
        pthread_cond_broadcast(&team->opened);
        pthread_mutex_unlock(&team->lock);
    }
}

static void wait_until_left(crm_team *team)
{
    for (unsigned i = 0; i < team->looks; i++) {
        if (inside(atomic_load(&team->gate)) == 0) {
            return;
        }
        relax();
    }
    pthread_mutex_lock(&team->lock);
    atomic_store(&team->caller_sleeps, true);
    while (inside(atomic_load(&team->gate)) > 0) {
        pthread_cond_wait(&team->left, &team->lock);
    }
    atomic_store(&team->caller_sleeps, false);
    pthread_mutex_unlock(&team->lock);
}

static void share_out(crm_team *team, size_t parts)
{
    size_t each = parts / team->threads, more = parts % team->threads, next = 0;
    for (size_t i = 0; i < team->threads; i++) {
        atomic_store_explicit(&team->shares[i].next, next, memory_order_relaxed);
        next += each + (i < more);
        team->shares[i].end = next;
    }
}

void crm_team_run(crm_team *team, size_t parts, crm_team_part *part, void *context)
{
    if (team == NULL || parts < 2) {
        for (size_t i = 0; i < parts; i++) {
            part(context, i);
        }
        return;
    }
    team->part = part;
    team->context = context;
    share_out(team, parts);
    atomic_store(&team->gate, (job_of(atomic_load(&team->gate)) + 1) * NEXT_JOB + OPEN);
    wake(team);
    do_parts(team, 0);
    atomic_fetch_and(&team->gate, ~OPEN);
    wait_until_left(team);
}

/* ---- Making and freeing ---------------------------------------------------------------------- */

bool crm_team_start(pthread_t *thread, void *(*run)(void *), void *context)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
    sigset_t blocked, before;
    sigfillset(&blocked);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        sigdelset(&blocked, faults[i]);
    }
    pthread_sigmask(SIG_SETMASK, &blocked, &before);
    bool started = pthread_create(thread, NULL, run, context) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

static void start(crm_team *team, size_t threads)
{
    for (team->threads = 1; team->threads < threads; team->threads++) {
        member *m = &team->members[team->threads];
        *m = (member){.team = team, .place = team->threads};
        if (!crm_team_start(&m->thread, work, m)) {
            return;
        }
    }
}

size_t crm_team_processors(void)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (size_t)online : 1;
}

/* With more threads than processors a spinning thread keeps another from working. */
static unsigned looks_for(size_t threads)
{
    return threads <= crm_team_processors() ? LOOKS : 1;
}

crm_team *crm_team_create(size_t threads)
{
    crm_team *team = threads > 1 ? crm_memory_allocate_aligned(CACHE_LINE, 1, sizeof *team) : NULL;
    if (team == NULL) {
        return NULL;
    }
    *team = (crm_team){
        .looks = looks_for(threads), .process = getpid(), .members = CRM_NEW(member, threads)};
    team->shares = crm_memory_allocate_aligned(CACHE_LINE, threads, sizeof(share));
    if (team->members == NULL || team->shares == NULL) {
        free(team->members);
        free(team->shares);
        free(team);
        return NULL;
    }
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->opened, NULL);
    pthread_cond_init(&team->left, NULL);
    start(team, threads);
    return team;
}

/* In a forked child there is the memory of the team, but none of its threads, and the lock may be
 * held by one of them for ever.
 */
static bool is_here(const crm_team *team)
{
    return team->process == getpid();
}

void crm_team_free(crm_team *team)
{
    if (team == NULL) {
        return;
    }
    if (is_here(team)) {
        atomic_store(&team->over, true);
        wake(team);
        for (size_t i = 1; i < team->threads; i++) {
            pthread_join(team->members[i].thread, NULL);
        }
        pthread_cond_destroy(&team->left);
        pthread_cond_destroy(&team->opened);
        pthread_mutex_destroy(&team->lock);
    }
    free(team->members);
    free(team->shares);
    free(team);
}

size_t crm_team_threads(const crm_team *team)
{
    return team != NULL ? team->threads : 1;
}

/* ---- When needed ----------------------------------------------------------------------------- */

void crm_team_lazy_allow(crm_team_lazy *threads, size_t most)
{
    if (most != threads->most) {
        crm_team_lazy_stop(threads);
        threads->most = most;
    }
}

crm_team *crm_team_lazy_start(crm_team_lazy *threads)
{
    if (threads->team != NULL && !is_here(threads->team)) {
        crm_team_lazy_stop(threads);
    }
    if (threads->team == NULL && threads->most != 1) {
        threads->most = threads->most > 0 ? threads->most : crm_team_processors();
        threads->team = crm_team_create(threads->most);
    }
    return threads->team;
}

void crm_team_lazy_stop(crm_team_lazy *threads)
{
    crm_team_free(threads->team);
    threads->team = NULL;
}
