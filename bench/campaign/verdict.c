#include "verdict.h"

#include <math.h>
#include <stdio.h>

#include "series.h"

/* The first look closes tails at this part of the tolerance, the second at that. */
static const double FIRST_TAIL = 5e-3, SECOND_TAIL = 1e-4, LEAST_TAIL = 1e-14;
/* Most steps of the first look, and if it leaves much open; of the second as a multiple of what the
 * first one took.
 */
enum { FIRST_LIMIT = 20000, LONG_LIMIT = 80000, SECOND_LIMIT = 4, SETTLING_LIMIT = 200000 };
/* The judge's doubt is known by one trial, so this many times as much is granted. */
static const double FAIR = 10;
/* What magnifies changes more than that is a jump of the law: either side of it is right. */
static const double JUMP = 1e8;
/* Rounding of the numbers compared. */
static const double ROUNDING = 1e-15;

static double away(const small_system *system, const double *a, const double *b, double speed)
{
    return largest_difference(a, b, system->n) / speed;
}

/* Every speed changed by a part of the largest, up or down. */
static small_system changed(const small_system *system, double part, double speed)
{
    small_system other = *system;
    rng r = rng_seeded(1);
    for (size_t i = 0; i < system->n; i++) {
        other.velocity[i] += rng_below(&r, 2) ? part * speed : -part * speed;
    }
    return other;
}

static void look_again(const small_system *system, bool mono, double tolerance, const answer *a,
                       verdict *v)
{
    const double small = 1e-15, large = 1e-13;
    series_options fine = {.mono = mono,
                           .order = 32,
                           .tolerance = 5e-19,
                           .tail = fmax(SECOND_TAIL * tolerance, LEAST_TAIL),
                           .limit = SECOND_LIMIT * (v->judge_steps + 1000)};
    series_options other = fine;
    other.order = 24;
    other.tolerance = 1e-17;
    series_judgement truth = series_judge(system, fine);
    small_system near = changed(system, small, truth.speed),
                 far = changed(system, large, truth.speed);
    series_judgement beside = series_judge(&near, other), apart = series_judge(&far, other);
    v->error = away(system, a->velocity, truth.velocity, truth.speed);
    v->doubt = truth.tail_speed + beside.tail_speed + ROUNDING +
               away(system, beside.velocity, truth.velocity, truth.speed);
    v->amplification = away(system, apart.velocity, truth.velocity, truth.speed) / large;
    v->judged = truth.finished && beside.finished && v->amplification < JUMP;
}

/* false: it would take too long to know. */
static bool look_first(const small_system *system, bool mono, double tolerance, const answer *a,
                       unsigned long limit, verdict *v)
{
    series_judgement j =
        series_judge(system, (series_options){.mono = mono,
                                              .tail = fmax(FIRST_TAIL * tolerance, LEAST_TAIL),
                                              .limit = limit});
    v->judge_steps = j.steps;
    v->error = away(system, a->velocity, j.velocity, j.speed);
    v->doubt = j.tail_speed + ROUNDING;
    if (a->loss != NULL) {
        v->loss_error = largest_difference(a->loss, j.loss, system->s) / draw_energy(system);
    }
    return j.finished && !(v->error <= v->doubt && j.steps == limit);
}

static void judge_error(const small_system *system, bool mono, double tolerance, const answer *a,
                        verdict *v)
{
    double allowed = fmin(tolerance, VERDICT_TRUST * a->estimate);
    v->amplification = NAN;
    v->judged = look_first(system, mono, tolerance, a, FIRST_LIMIT, v) ||
                look_first(system, mono, tolerance, a, LONG_LIMIT, v);
    if (v->judged && !(v->error + v->doubt <= allowed)) {
        look_again(system, mono, tolerance, a, v);
    }
    double certain = v->error - FAIR * v->doubt;
    v->above_tolerance = v->judged && !(certain <= tolerance);
    v->above_estimate = v->judged && !(certain <= VERDICT_TRUST * a->estimate);
    v->judged = v->above_tolerance || v->above_estimate || v->error + v->doubt <= allowed;
}

/* ---- What needs no judge --------------------------------------------------------------------- */

static void look_at_signs(const small_system *system, const answer *a, verdict *v)
{
    double u[SMALL], energy = draw_energy(system), most = largest_size(a->impulse, system->s);
    small_system_gap_velocity(system, a->velocity, u);
    for (size_t j = 0; j < system->s; j++) {
        v->closing = fmax(v->closing, -u[j] / draw_speed(system));
        v->negative_impulse = fmax(v->negative_impulse, -a->impulse[j] / most);
        if (a->loss != NULL) {
            v->negative_loss = fmax(v->negative_loss, -a->loss[j] / energy);
        }
    }
}

/* T+ = T- + what was stored + the work of moving walls - what was lost. */
static void look_at_energy(const small_system *system, const answer *a, verdict *v)
{
    double left = draw_energy(system) - small_system_energy(system, a->velocity);
    for (size_t j = 0; j < system->s; j++) {
        left -= a->impulse[j] * system->boundary_velocity[j] + a->loss[j];
    }
    v->account = fabs(left) / draw_energy(system);
}

static void look_at_momentum(const small_system *system, const answer *a, verdict *v)
{
    for (size_t i = 0; i < system->n; i++) {
        double left = 0, terms = 0;
        for (size_t k = 0; k < system->n; k++) {
            double m = system->mass[i * system->n + k];
            left += m * (a->velocity[k] - system->velocity[k]);
            terms += fabs(m * a->velocity[k]) + fabs(m * system->velocity[k]);
        }
        for (size_t j = 0; j < system->s; j++) {
            left -= system->w[j * system->n + i] * a->impulse[j];
            terms += fabs(system->w[j * system->n + i] * a->impulse[j]);
        }
        v->momentum = fmax(v->momentum, terms > 0 ? fabs(left) / terms : 0);
    }
}

verdict verdict_without(const small_system *system, bool mono, double tolerance)
{
    series_judgement j =
        series_judge(system, (series_options){.mono = mono,
                                              .tail = fmax(FIRST_TAIL * tolerance, LEAST_TAIL),
                                              .limit = FIRST_LIMIT});
    return (verdict){.judged = j.finished && j.tail_speed <= tolerance,
                     .judge_steps = j.steps,
                     .amplification = NAN};
}

verdict verdict_on(const small_system *system, bool mono, double tolerance, const answer *a)
{
    verdict v = {0};
    judge_error(system, mono, tolerance, a, &v);
    if (a->impulse != NULL) {
        look_at_signs(system, a, &v);
        look_at_momentum(system, a, &v);
        if (a->loss != NULL) {
            look_at_energy(system, a, &v);
        }
    }
    return v;
}

void verdict_settle(const small_system *system, bool mono, const answer *a, bool quad)
{
    series_options fine = {.mono = mono, .quad = quad, .tail = 1e-13, .limit = SETTLING_LIMIT};
    fine.order = quad ? 0 : 32;
    fine.tolerance = quad ? 0 : 5e-19;
    series_judgement truth = series_judge(system, fine);
    printf("# the judge, %s: %s, %lu steps, %lu events, tail %.1e\n",
           quad && series_has_quad() ? "113 bits" : "64 bits",
           truth.finished ? "finished" : "gave up", truth.steps, truth.events, truth.tail_speed);
    for (size_t i = 0; i < system->n; i++) {
        printf("# velocity[%zu]: judge %.17g, answer %.17g, apart %.1e\n", i + 1, truth.velocity[i],
               a->velocity[i], a->velocity[i] - truth.velocity[i]);
    }
    for (size_t j = 0; j < system->s && a->loss != NULL; j++) {
        printf("# contact %zu: impulse %.9g, answer %.9g; loss %.9g, answer %.9g\n", j + 1,
               truth.impulse[j], a->impulse[j], truth.loss[j], a->loss[j]);
    }
}
