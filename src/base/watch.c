#include "base/watch.h"

#include <stdio.h>
#include <time.h>

#include "base/locale.h"

/* Seconds between two callbacks, unless the watch says otherwise: short beside the reaction of a
 * person who interrupts. */
static const double EVERY = 0.05;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

crm_watching crm_watch_begin(const crm_watch *watch)
{
    crm_watching watching = {.watch = watch};
    if (watch != NULL) {
        watching.began = watching.asked = now();
    }
    return watching;
}

static bool time_is_up(const crm_watching *watching, double seconds)
{
    return watching->watch->seconds > 0 && seconds >= watching->watch->seconds;
}

/* Calls go_on. Whether the call may continue. */
static bool ask(const crm_watching *watching, const crm_watch_report *progress, double seconds)
{
    const crm_watch *watch = watching->watch;
    crm_watch_report report = *progress;
    report.seconds = seconds;
    return watch->go_on == NULL || watch->go_on(watch->context, &report);
}

/* A thread that finds another one calling back need not do so. */
static bool ask_in_turn(const crm_watching *watching, const crm_watch_report *progress,
                        double seconds)
{
    crm_watch_group *group = watching->group;
    if (group == NULL) {
        return ask(watching, progress, seconds);
    }
    if (pthread_mutex_trylock(&group->lock) != 0) {
        return true;
    }
    bool go_on = atomic_load(&group->over) || ask(watching, progress, seconds);
    pthread_mutex_unlock(&group->lock);
    return go_on;
}

bool crm_watch_ends(crm_watching *watching, const crm_watch_report *progress)
{
    const crm_watch *watch = watching->watch;
    watching->done = 0;
    if (watching->over) {
        return true;
    }
    double time = now(), seconds = time - watching->began;
    bool over = time_is_up(watching, seconds) ||
                (watching->group != NULL && atomic_load(&watching->group->over));
    if (!over && time - watching->asked >= (watch->every > 0 ? watch->every : EVERY)) {
        over = !ask_in_turn(watching, progress, seconds);
        watching->asked = time;
    }
    if (over && watching->group != NULL) {
        atomic_store(&watching->group->over, true);
    }
    watching->over = over;
    return over;
}

void crm_watch_reason(const crm_watching *watching, char *text, size_t size)
{
    double seconds = now() - watching->began;
    if (time_is_up(watching, seconds)) {
        crm_snprintf(text, size, "time limit of %.3g s reached", watching->watch->seconds);
    } else {
        crm_snprintf(text, size, "stopped after %.3g s", seconds);
    }
}

bool crm_watch_group_begin(crm_watch_group *group)
{
    atomic_init(&group->over, false);
    return pthread_mutex_init(&group->lock, NULL) == 0;
}

void crm_watch_group_end(crm_watch_group *group)
{
    pthread_mutex_destroy(&group->lock);
}
