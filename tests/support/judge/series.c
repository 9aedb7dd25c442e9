/* The third judge: see series.h. Compiled a second time, by series_quad.c, for 113 bits.
 *
 * While no contact changes its phase
 *     c = c_start - D p,   p' = f = K x^eta,   x' = rate c
 * is analytic but at x = 0 with a broken eta. The coefficients follow from each other: those of f
 * from x f' = eta x' f, and then c' = -D f. A contact so slightly pressed that its force could not
 * change a speed by more than rounding within the step is left to the others; that takes it over
 * x = 0, from where the lengths of the steps grow with x.
 *
 * Phases change when a closing speed has left a band of some hundred roundings round 0 on the
 * wrong side, or an indentation has come to its end. An elastic contact needs no phases.
 *
 * Its parts are headers, so that both precisions are compiled from them: series_run.h the numbers
 * and how it begins, series_step.h a step, series_events.h the first event within it,
 * series_phases.h what that changes. Here: from step to step, and the end.
 */
#include "series.h"

#include <math.h>

#include "dense.h"
#include "series_events.h"
#include "series_phases.h"
#include "series_run.h"
#include "series_step.h"

enum { STANDARD_LIMIT = 60000, TAIL_INTERVAL = 50 };

series_judgement NAME(const series_system *system, series_options options, double *velocity,
                      double *impulse, double *loss);

/* ---- The end --------------------------------------------------------------------------------- */

static bool all_open(const run *r)
{
    for (size_t j = 0; j < r->s; j++) {
        if (r->contacts[j].phase != OPEN) {
            return false;
        }
    }
    return true;
}

/* Nothing changes any more: what is not pressed is open. false: it is not that. */
static bool release_idle(run *r)
{
    bool any = false;
    for (size_t j = 0; j < r->s; j++) {
        contact *k = &r->contacts[j];
        if (k->phase != OPEN && !(k->x > 0)) {
            open_contact(r, k);
            any = true;
        }
    }
    return any;
}

/* The plastic projection of a large system: p >= 0, D p - c >= 0, complementary, one contact after
 * the other until nothing closes faster than `still`.
 */
static void relax(const run *r, long double still, const long double *c, long double *p)
{
    const unsigned most_rounds = 20000;
    long double fastest = INFINITY;
    for (unsigned round = 0; round < most_rounds && fastest > still; round++) {
        fastest = 0;
        for (size_t j = 0; j < r->s; j++) {
            const real *d = &r->d[j * r->s];
            long double closing = c[j], before = p[j];
            for (size_t l = r->start[j]; l < r->start[j + 1]; l++) {
                closing -= (long double)d[r->coupled[l]] * p[r->coupled[l]];
            }
            p[j] = fmaxl(before + closing / (long double)d[j], 0);
            fastest = fmaxl(fastest, fabsl(p[j] - before) * (long double)d[j]);
        }
    }
}

static void project(const run *r, const long double *c, long double *p)
{
    long double d[SMALL * SMALL], small[SMALL];
    if (r->s > SMALL) {
        relax(r, 1e-15L * (long double)r->speed, c, p);
        return;
    }
    for (size_t j = 0; j < r->s; j++) {
        for (size_t k = 0; k < r->s; k++) {
            d[j * SMALL + k] = (long double)r->d[j * r->s + k];
        }
    }
    dense_project(d, r->s, 1e-18L * (long double)r->speed, c, small);
    memcpy(p, small, r->s * sizeof *p);
}

/* By p no contact closes any more. *twice: the energy that p takes is added, twofold. */
static bool takes_all(const run *r, const long double *p, real most, real *twice)
{
    for (size_t j = 0; j < r->s; j++) {
        real left = r->contacts[j].c;
        for (size_t l = r->start[j]; l < r->start[j + 1]; l++) {
            size_t k = r->coupled[l];
            *twice += (real)p[j] * r->d[j * r->s + k] * (real)p[k];
            left -= r->d[j * r->s + k] * (real)p[k];
        }
        if (left > most) {
            return false;
        }
    }
    return true;
}

/* With v* the plastic projection of v, what is to come differs from v* by no more than
 * sqrt(|v - v*|^2 + 2E) in the norm of M (theory, section 2.6).
 */
static bool close_tail(run *r, real tail, series_judgement *result)
{
    real twice = 0;
    const real most = tail * r->speed;
    for (size_t j = 0; j < r->s; j++) {
        twice += 2 * energy_at(&r->contacts[j], r->contacts[j].x);
    }
    if (r->lightest * twice > most * most) {
        return false;
    }
    long double *c = room(2 * r->s, sizeof *c), *p = c + r->s;
    for (size_t j = 0; j < r->s; j++) {
        c[j] = (long double)r->contacts[j].c;
    }
    project(r, c, p);
    bool closed = takes_all(r, p, 0.01L * most, &twice) && !(r->lightest * twice > most * most);
    for (size_t j = 0; closed && j < r->s; j++) {
        book(r, &r->contacts[j]);
        r->contacts[j].p += p[j];
    }
    free(c);
    if (closed) {
        result->tail = true;
        result->tail_speed = (double)(ROOT(r->lightest * twice) / r->speed);
    }
    return closed;
}

static void report(const run *r, const series_system *system, double *velocity, double *impulse,
                   double *loss)
{
    for (size_t i = 0; i < r->n; i++) {
        real v = system->velocity[i];
        for (size_t j = 0; j < r->s; j++) {
            v += r->answer[j * r->n + i] * r->contacts[j].p;
        }
        velocity[i] = (double)v;
    }
    for (size_t j = 0; impulse != NULL && j < r->s; j++) {
        impulse[j] = (double)r->contacts[j].p;
        loss[j] = (double)(r->contacts[j].loss + (real)system->stored_energy[j]);
    }
}

/* ---- From step to step ----------------------------------------------------------------------- */

/* `impulse` and `loss` may be NULL. */
series_judgement NAME(const series_system *system, series_options options, double *velocity,
                      double *impulse, double *loss)
{
    series_judgement result = {0};
    run r;
    set_up(&r, system, options);
    const real tail = options.tail > 0 ? (real)options.tail : (real)1e-12L;
    const unsigned long limit = options.limit > 0 ? options.limit : STANDARD_LIMIT;
    real time = 0;
    for (; result.steps < limit; result.steps++) {
        for (size_t round = 0; round < 4 * (r.s + SMALL) && settle(&r); round++) {
        }
        result.finished = all_open(&r) || (result.steps % TAIL_INTERVAL == TAIL_INTERVAL - 1 &&
                                           close_tail(&r, tail, &result));
        if (result.finished) {
            break;
        }
        mark_faint(&r);
        expand(&r);
        real h = step_length(&r);
        if (!(h > 0 && h < HUGE_VALL)) {
            if (!release_idle(&r)) {
                break;
            }
            continue;
        }
        event next = find_event(&r, &h);
        advance(&r, h);
        time += h;
        if (next.contact < r.s) {
            act(&r, next, h);
        }
    }
    if (!result.finished) { /* tail_speed bounds what it may still change */
        result.finished = close_tail(&r, (real)1, &result);
    }
    result.duration = (double)time;
    result.speed = (double)r.speed;
    result.events = r.events;
    report(&r, system, velocity, impulse, loss);
    clear_away(&r);
    return result;
}

#ifndef SERIES_QUAD
#ifdef CAROM_HAVE_QUAD
series_judgement series_judge_quad(const series_system *system, series_options options,
                                   double *velocity, double *impulse, double *loss);
#endif

bool series_has_quad(void)
{
#ifdef CAROM_HAVE_QUAD
    return true;
#else
    return false;
#endif
}

series_judgement series_judge(const small_system *small, series_options options)
{
    const series_system system = {.n = small->n,
                                  .s = small->s,
                                  .mass = small->mass,
                                  .w = small->w,
                                  .velocity = small->velocity,
                                  .stiffness = small->stiffness,
                                  .exponent = small->exponent,
                                  .restitution = small->restitution,
                                  .stored_energy = small->stored_energy,
                                  .boundary_velocity = small->boundary_velocity};
    double velocity[SMALL] = {0}, impulse[SMALL] = {0}, loss[SMALL] = {0};
#ifdef CAROM_HAVE_QUAD
    series_judgement result = (options.quad ? series_judge_quad : series_judge_extended)(
        &system, options, velocity, impulse, loss);
#else
    series_judgement result = series_judge_extended(&system, options, velocity, impulse, loss);
#endif
    memcpy(result.velocity, velocity, sizeof velocity);
    memcpy(result.impulse, impulse, sizeof impulse);
    memcpy(result.loss, loss, sizeof loss);
    return result;
}

series_judgement series_judge_large(const series_system *system, series_options options,
                                    double *velocity)
{
    return series_judge_extended(system, options, velocity, NULL, NULL);
}
#endif
