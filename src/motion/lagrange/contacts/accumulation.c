/* Bounces too small to follow: how an accumulation of impacts (Zeno behaviour) ends.
 *
 * A contact that separates with u after an impact and is pressed with the acceleration a falls
 * back after 2u/a, from a height u^2/2a. If every impact leaves the part r of its closing speed,
 * what is left lasts 2u/a (1 + r + r^2 ...) = 2u / (a (1 - r)). The contact is put to rest, its u
 * made 0, if that is a small part of tolerance * sqrt(size / a), the time in which a would move it
 * by its size, times the tolerance; its height is then smaller than the tolerance by far. So both
 * the instant of rest and the positions keep what is promised of them. r is what the impact itself
 * showed: u over the closing speed.
 *
 * a is what would act on the contact alone if its force were taken away while the others hold
 * theirs: lambda_j / (D_BB^-1)_jj, B the loaded ones.
 *
 * With r = 1 the bounces never end; they are neglected once their height is below H, a hundredth of
 * the tolerance, so that work is bounded; the energy lost is accounted for.
 *
 * The same holds for accumulations within accumulations. Where several contacts bounce, an impact
 * of one makes others bounce again that had come to rest, and they accumulate anew within the next
 * bounce of the first: if each were followed to its end, the numbers of impacts would multiply. So
 * a contact is put to rest at bounces below H, too, if its bounces have been neglected before and
 * it has not risen above a low bounce since, or while another contact coupled with it is in a low
 * bounce. What that changes, when the contacts B with speeds u are put to rest at once:
 *
 *   Energy  E = u'D_BB^-1 u / 2 is lost (the nearest velocity in the metric of M has the least
 *           kinetic energy, so none is gained). Each has u_j^2 (D_BB^-1)_jj <= 2 H lambda_j; by the
 *           triangle inequality in that metric E <= H (sum sqrt(lambda_j))^2, which is at most H
 *           times the number of contacts times the sum of their forces.
 *   State   Followed to the end, the accumulation would also lead to v + M^-1 W_B p with u_B = 0:
 *           while W and M do not change, that is one velocity, whatever the order of the impacts.
 *           Meanwhile contacts are off by less than H.
 *   Time    A bounce lasts at most sqrt(8 H / a), all remaining ones 1/(1 - r) of that: by so much
 *           rest may be too early. An impact of others within that time, and a contact that rests
 *           without load, meet speeds that are off by at most sqrt(2 a H).
 *
 * "State" assumes that u_B = 0 closes no other contact. One that nearly depends on B can be closed
 * by it, such as a corner on the round end of a face that slides up to the face: each impact opens
 * it, and putting the others to rest closes it again. Bounces of contacts coupled with one that has
 * failed to open at this instant are followed, and time advances.
 */
#include <math.h>

#include "motion/impact.h"
#include "motion/lagrange/lagrange.h"

/* Largest duration and height of bounces that are neglected, as parts of the tolerance. */
static const double TIME_PART = 0.1, HEIGHT_PART = 0.01;
/* A larger ratio of speeds is 1 within rounding: bounces do not decay. */
static const double ELASTIC = 1 - 1e-9;
/* A closing speed below this part of tolerance * sqrt(size a) is made 0 without the law. */
static const double LEAST_IMPACT_PART = 1e-4;
/* Rounding of a gap velocity: relative to its terms, to its terms at the largest speed so far, ...
 */
static const double SPEED_ROUNDING = 1e-13, PAST_ROUNDING = 1e-15;
/* ... and what a law's verdict counts as 0, relative to the closing speed of the impact. */
static const double LAW_NOISE = 2e-10;

double lagrange_speed_rounding(const lagrange_motion *m, size_t j, double rate)
{
    const double *w = m->values.w + j * m->n, *v = m->y + m->positions;
    double sum = fabs(rate), past = 0;
    for (size_t i = 0; i < m->n; i++) {
        sum += fabs(w[i] * v[i]);
        past += fabs(w[i]) * m->largest_speed;
    }
    return SPEED_ROUNDING * sum + PAST_ROUNDING * past;
}

double lagrange_speed_noise(const lagrange_motion *m, size_t j)
{
    double rounding = lagrange_speed_rounding(m, j, m->values.rate[j]);
    return fmax(rounding, m->contact[j].closing_speed > 0 ? LAW_NOISE * m->impact_speed : 0);
}

/* The sum of the terms of w_j'M^-1 h. */
static double free_acceleration_scale(const lagrange_motion *m, size_t j)
{
    const double *w = m->values.w + j * m->n;
    double sum = 0;
    for (size_t i = 0; i < m->n; i++) {
        sum += fabs(w[i] * m->values.free[i]);
    }
    return sum;
}

double lagrange_least_closing_speed(const lagrange_motion *m, size_t j)
{
    double a = free_acceleration_scale(m, j);
    double least = LEAST_IMPACT_PART * m->common.options.tolerance * sqrt(m->def.size * a);
    return fmax(least, lagrange_speed_noise(m, j));
}

static double negligible_height(const lagrange_motion *m)
{
    return HEIGHT_PART * m->common.options.tolerance * m->def.size;
}

double lagrange_negligible_speed(const lagrange_motion *m, size_t j)
{
    return sqrt(2 * free_acceleration_scale(m, j) * negligible_height(m));
}

double lagrange_allowed_speed_error(const lagrange_motion *m, size_t j)
{
    return TIME_PART * m->common.options.tolerance *
           sqrt(m->def.size * free_acceleration_scale(m, j));
}

/* The ratio of separation to closing speed: its own or, if it rested, that of the impact; the given
 * restitution if neither is known.
 */
static double returned_part(const lagrange_motion *m, size_t j, double u)
{
    const lagrange_contact *contact = &m->contact[j];
    double speed = contact->closing_speed > 0        ? contact->closing_speed
                   : contact->state != LAGRANGE_OPEN ? m->impact_speed
                                                     : 0;
    if (u < ELASTIC * speed) {
        return u / speed;
    }
    const crm_contact_def values = lagrange_contact_values(m, j);
    return crm_impact_restitution(&values, lagrange_delassus(m, j, j), u);
}

bool lagrange_accumulates_jointly(const lagrange_motion *m, size_t j)
{
    bool found = m->contact[j].bounces_cut;
    for (size_t i = 0; i < m->gaps; i++) {
        const lagrange_contact *other = &m->contact[i];
        if (i == j || !(other->cannot_open || lagrange_in_low_bounce(other)) ||
            !lagrange_are_coupled(m, i, j)) {
            continue;
        }
        if (other->cannot_open) {
            return false;
        }
        found = true;
    }
    return found;
}

static bool negligible(const lagrange_motion *m, size_t j, double u, double a)
{
    double tolerance = m->common.options.tolerance, size = m->def.size;
    double part = returned_part(m, j, u);
    if (part >= ELASTIC || lagrange_accumulates_jointly(m, j)) {
        return u * u <= 2 * a * negligible_height(m);
    }
    return 2 * u <= a * (1 - part) * TIME_PART * tolerance * sqrt(size / a);
}

/* (D_BB^-1)_cc */
static double inverse_diagonal(lagrange_motion *m, size_t c)
{
    double *x = m->wide;
    for (size_t k = 0; k < m->loaded_count; k++) {
        x[k] = k == c ? 1 : 0;
    }
    return lagrange_solve_loaded(m, x) ? x[c] : INFINITY;
}

size_t lagrange_exclude_bouncing(lagrange_motion *m, const double *force)
{
    size_t leaving = 0;
    for (size_t c = 0; c < m->loaded_count; c++) {
        size_t j = m->loaded[c];
        double u = m->values.speed[j];
        if (u <= lagrange_speed_noise(m, j)) {
            continue;
        }
        double a = force[j] / inverse_diagonal(m, c);
        if (!negligible(m, j, u, a)) {
            m->member[j] = false;
            m->shortest_bounce = fmin(m->shortest_bounce, 2 * u / a);
            leaving++;
        }
    }
    return leaving;
}
