/* The state of a time-stepping motion, for archives: both ends of the last step, positions of
 * bodies and walls when candidates were listed, the state of their gaps, and counts.
 *
 * Candidates are listed anew from those positions. Solvers keep analyses, which follow from the
 * shapes of their problems, and no numbers.
 */
#include "motion/archive.h"

#include <math.h>

#include "motion/stepping/stepping.h"

static void list_sums(crm_archive *a, stepping *s)
{
    double *const numbers[] = {
        &s->lost.sum,       &s->lost.remainder,       &s->work_done.sum, &s->work_done.remainder,
        &s->correction.sum, &s->correction.remainder, &s->residual,      &s->notified_until};
    uint64_t *const counts[] = {&s->steps,          &s->lists,   &s->sets,
                                &s->factorizations, &s->by_dual, &s->projections};
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
        crm_archive_number(a, numbers[k]);
    }
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        crm_archive_long(a, counts[k]);
    }
}

static void list_ends(crm_archive *a, stepping *s)
{
    crm_archive_numbers(a, s->q, s->scene->positions);
    crm_archive_numbers(a, s->q0, s->scene->positions);
    crm_archive_numbers(a, s->v, s->scene->velocities);
    crm_archive_numbers(a, s->v0, s->scene->velocities);
}

/* Levels of cells are computed from pads. */
static void check_places(crm_archive *a, const stepping *s)
{
    for (size_t i = 0; i < s->scene->bodies; i++) {
        const double *centre = s->centre[i];
        if (!(s->pad[i] >= 0 && isfinite(s->pad[i]) && isfinite(centre[0]) && isfinite(centre[1]) &&
              isfinite(centre[2]))) {
            crm_archive_refuse(
                a, "it is damaged: the position of body %zu before the step makes no sense", i + 1);
        }
    }
}

static void list_candidates(crm_archive *a, stepping *s)
{
    for (size_t i = 0; i < s->scene->bodies; i++) {
        crm_archive_numbers(a, s->centre[i], 3);
    }
    crm_archive_numbers(a, s->pad, s->scene->bodies);
    crm_archive_numbers(a, s->wall_place, s->scene->walls);
    crm_archive_numbers(a, s->wall_pad, s->scene->walls);
    if (crm_archive_reads(a)) {
        check_places(a, s);
    }
    if (crm_archive_reads(a) && stepping_candidates_list(s, NULL) != CRM_OK) {
        crm_archive_fail_memory(a);
    }
}

static void list_gaps(crm_archive *a, stepping *s)
{
    size_t gaps = s->gaps;
    crm_archive_count(a, &gaps, s->gaps);
    if (gaps != s->gaps) {
        crm_archive_refuse(a, "it is damaged: %zu gaps are near in it, must be %zu", gaps, s->gaps);
    }
    for (size_t j = 0; j < s->gaps && crm_archive_is_good(a); j++) {
        size_t open_steps = s->gap[j].open_steps;
        crm_archive_number(a, &s->gap[j].impulse);
        crm_archive_number(a, &s->gap[j].push);
        crm_archive_count(a, &open_steps, STEPPING_LONG_OPEN);
        s->gap[j].open_steps = (uint32_t)open_steps;
    }
}

void stepping_archive(crm_motion *motion, crm_archive *a)
{
    stepping *s = (stepping *)motion;
    list_sums(a, s);
    list_ends(a, s);
    list_candidates(a, s);
    list_gaps(a, s);
}
