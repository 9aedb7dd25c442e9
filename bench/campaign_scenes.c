/* campaign_scenes [SCENES [FIRST [KIND]]]: random scenes of 3 to 10 bodies that meet, part and meet
 * again while others are far away, event-driven, by all laws that need no options. At 1000 instants
 * of each all pairs are compared by support functions (tests/support/judge/overlap.h). Counts
 * those that overlap unreported, fail, do not close their account or gain energy; each is printed
 * with its seed, and `campaign_scenes 1 SEED` repeats it. With a kind (cluster, arena, push, space)
 * only scenes of that kind are run.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "encounter_draw.h"
#include "motion_call.h"
#include "overlap.h"

enum { LOOKS = 1000, MOST_IMPACTS_OF_ONE = 1000 };
static const double SECONDS_OF_ONE = 2; /* of the processor; longer is slow */
/* Multiple of what is promised, the tolerance as a fraction of sizes below 1 and of the energy. */
static const double WITHIN = 10;

typedef struct look {
    const encounter *scene;
    overlap worst;
    double when;
} look;

static crm_status look_at(void *context, double t, const double *position, const double *velocity)
{
    look *l = context;
    (void)velocity;
    overlap here = overlap_in_scene(&l->scene->def, t, position);
    if (!(here.depth <= l->worst.depth)) {
        l->worst = here;
        l->when = t;
    }
    return CRM_OK;
}

static bool is_in_time(void *context, const crm_watch_report *progress)
{
    (void)progress;
    return clock() < *(const clock_t *)context;
}

typedef struct tally {
    uint64_t scenes, impacts, silent, failed, off, slow;
    double deepest; /* over the tolerance */
} tally;

static void print_scene(uint64_t seed, const encounter *s, const look *l, const char *what)
{
    printf("%llu: %s, %zu bodies, %zu walls, %s, e = %.3f, tolerance %.0e: overlap %.1e of %zu and "
           "%zu at %.6f: %s\n",
           (unsigned long long)seed, s->kind, s->def.bodies.body_count, s->def.bodies.wall_count,
           s->law, s->restitution, s->tolerance, l->worst.depth, l->worst.first + 1,
           l->worst.second + 1, l->when, what);
    fflush(stdout);
}

/* NULL: the account is right. */
static const char *judge_account(const encounter *s, const crm_motion_summary *summary)
{
    const crm_motion_account *e = &summary->energy;
    double scale = e->kinetic_before + fabs(e->potential_before) + fabs(e->work);
    double allowed = WITHIN * s->tolerance * scale;
    return !(fabs(e->error) <= allowed) ? "the account does not close"
           : -e->lost > allowed         ? "energy is gained"
                                        : NULL;
}

static void follow(uint64_t seed, const char *kind, tally *all)
{
    static encounter s;
    draw_encounter(seed, &s);
    if (kind != NULL && strcmp(s.kind, kind) != 0) {
        return;
    }
    all->scenes++;
    look l = {.scene = &s};
    const crm_observer observer = {.context = &l, .state = look_at, .every = s.duration / LOOKS};
    clock_t end = clock() + (clock_t)(SECONDS_OF_ONE * CLOCKS_PER_SEC);
    const crm_watch watch = {.context = &end, .go_on = is_in_time};
    crm_settings *law = law_named(s.law);
    crm_motion_options options = crm_motion_options_default();
    crm_motion *motion = NULL;
    crm_motion_stop stopped = CRM_STOP_FAILED;
    crm_error error = {0};
    options.law = law;
    options.tolerance = s.tolerance;
    options.stop_impacts = MOST_IMPACTS_OF_ONE;
    crm_status status = crm_motion_from_scene(&s.def, &options, &motion, &error);
    if (status != CRM_OK) {
        all->failed++;
        print_scene(seed, &s, &l, error.message);
        crm_settings_free(law);
        return;
    }
    crm_motion_watch(motion, &watch);
    status = crm_motion_run(motion, s.duration, &observer, &stopped, &error);
    crm_motion_summary summary = crm_motion_summarize(motion);
    all->impacts += summary.impacts;
    const char *wrong = judge_account(&s, &summary);
    bool failed = status != CRM_OK || stopped == CRM_STOP_FAILED;
    if (failed) {
        all->failed++;
        print_scene(seed, &s, &l, status != CRM_OK ? error.message : crm_motion_reason(motion));
    } else if (!(l.worst.depth <= WITHIN * s.tolerance)) {
        all->silent++;
        print_scene(seed, &s, &l, "overlap in silence");
    } else if (wrong != NULL) {
        all->off++;
        print_scene(seed, &s, &l, wrong);
    } else if (stopped == CRM_STOP_INTERRUPTED) {
        all->slow++;
        print_scene(seed, &s, &l, "slow");
    } else {
        all->deepest = fmax(all->deepest, l.worst.depth / s.tolerance);
    }
    crm_motion_free(motion);
    crm_settings_free(law);
}

int main(int count, char **argument)
{
    uint64_t scenes = count > 1 ? strtoull(argument[1], NULL, 10) : 2000;
    uint64_t first = count > 2 ? strtoull(argument[2], NULL, 10) : 1;
    tally all = {0};
    for (uint64_t k = 0; k < scenes; k++) {
        follow(first + k, count > 3 ? argument[3] : NULL, &all);
    }
    printf("%llu scenes, %llu impacts: %llu silent overlaps, %llu failed, %llu accounts off, %llu "
           "slow; deepest %.1e of the tolerance else; %.1f s\n",
           (unsigned long long)all.scenes, (unsigned long long)all.impacts,
           (unsigned long long)all.silent, (unsigned long long)all.failed,
           (unsigned long long)all.off, (unsigned long long)all.slow, all.deepest,
           (double)clock() / CLOCKS_PER_SEC);
    return all.silent + all.failed + all.off > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
