/* The impact of a meeting: a single contact, by formula; several contacts go to cluster.c. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/locale.h"
#include "law/law.h"
#include "model/compliance/compliance.h"
#include "motion/flight/flight.h"

/* An overlap of more than this part of the size is no rounding: times or positions are too large
 * for double precision.
 */
static const double MOST_PENETRATION = 1e-6;
/* Impacts of one ball without time passing before the motion is given up. */
enum { MOST_AT_ONCE = 100000 };
/* Largest cosine of an angle that counts as a right one. */
static const double RIGHT_ANGLE = 1e-15;
/* Squared distances beyond this part of the squared radii are larger than any closure gap. */
static const double NEAR_ENOUGH = 1.02;

void flight_fail(flight *f, const char *format, ...)
{
    if (f->motion.failed) {
        return;
    }
    va_list list;
    va_start(list, format);
    crm_vsnprintf(f->motion.reason, sizeof f->motion.reason, format, list);
    va_end(list);
    f->motion.failed = true;
}

void flight_count_impact(flight *f, size_t ball, double t)
{
    f->events[ball].repeats = t > f->events[ball].last_impact ? 0 : f->events[ball].repeats + 1;
    f->events[ball].last_impact = t;
    if (f->events[ball].repeats > MOST_AT_ONCE) {
        char name[64];
        flight_party_name(f, ball, name, sizeof name);
        flight_fail(f, "%s was struck %d times without time passing, at %.17g", name, MOST_AT_ONCE,
                    t);
    }
}

/* ---- Is it a single contact? ----------------------------------------------------------------- */

static bool touches_ball(const flight *f, size_t ball, size_t other,
                         const flight_neighbours *neighbours, double impact_speed)
{
    for (size_t n = 0; n < neighbours->count; n++) {
        uint32_t k = neighbours->ball[n];
        double reach = f->ball[ball].radius + f->ball[k].radius;
        double square = flight_dot(neighbours->r[n], neighbours->r[n]);
        if (k == other || square > NEAR_ENOUGH * reach * reach) {
            continue;
        }
        flight_contact c = {.first = (uint32_t)ball, .second = k};
        if (sqrt(square) - reach <= flight_closure_gap(f, &c, impact_speed)) {
            return true;
        }
    }
    return false;
}

/* A supporting wall at right angles to the impact takes no part in it. */
static bool is_beside(const flight *f, size_t ball, size_t wall, const double *normal)
{
    return f->mixed && flight_rests_on(f, ball, wall) &&
           fabs(flight_dot(normal, f->wall[wall].normal)) <= RIGHT_ANGLE;
}

static bool touches_wall(const flight *f, size_t ball, const flight_contact *struck, double t)
{
    double speed = fmax(0, -struck->u);
    size_t other = struck->first == ball ? struck->second : struck->first;
    const flight_ball *b = &f->ball[ball]; /* at time t */
    for (size_t k = 0; k < f->walls; k++) {
        const crm_wall *wall = &f->wall[k];
        double middle = flight_dot(wall->normal, b->x) - wall->offset - wall->speed * t - b->radius;
        if (f->balls + k == other || middle - fabs(wall->amplitude) > 0.02 * b->radius ||
            is_beside(f, ball, k, struck->normal)) {
            continue;
        }
        flight_contact c = {.first = (uint32_t)ball, .second = (uint32_t)(f->balls + k)};
        if (flight_dot(wall->normal, b->x) - crm_wall_position(wall, t) - b->radius <=
            flight_closure_gap(f, &c, speed)) {
            return true;
        }
    }
    return false;
}

/* Leaves the neighbours of the two in f->neighbours. */
static bool is_alone(flight *f, const flight_contact *c, double t)
{
    double impact_speed = fmax(0, -c->u);
    flight_find_neighbours(f, c->first, t, &f->neighbours[0]);
    if (touches_ball(f, c->first, c->second, &f->neighbours[0], impact_speed) ||
        touches_wall(f, c->first, c, t)) {
        return false;
    }
    if (c->second >= f->balls || f->mode[c->second] == FLIGHT_FIXED) {
        return true;
    }
    flight_find_neighbours(f, c->second, t, &f->neighbours[1]);
    return !touches_ball(f, c->second, c->first, &f->neighbours[1], impact_speed) &&
           !touches_wall(f, c->second, c, t);
}

/* ---- One contact ----------------------------------------------------------------------------- */

static void push(flight *f, size_t ball, double t, const double *normal, double impulse)
{
    for (int d = 0; d < 3; d++) {
        f->ball[ball].v[d] += impulse * f->inverse_mass[ball] * normal[d];
    }
    f->version[ball]++;
    flight_count_impact(f, ball, t);
}

static void notify_observer(flight *f, const flight_contact *c, double t, double impulse,
                            double lost)
{
    if (f->observer == NULL || f->observer->impact == NULL) {
        return;
    }
    const size_t party[1][2] = {{c->first, c->second}};
    const double closing = -c->u;
    const crm_impact_report report = {.number = f->impacts,
                                      .time = t,
                                      .contacts = 1,
                                      .party = party,
                                      .closing_speed = &closing,
                                      .impulse = &impulse,
                                      .lost = lost,
                                      .result = CRM_SOLVED,
                                      .kinematic = true,
                                      .kinetic = true,
                                      .energetic = true,
                                      .unique = true};
    f->interrupted |= f->observer->impact(f->observer->context, &report) != CRM_OK;
}

/* After an impact with a wall or fixed ball; the walls that supported the ball still do. */
static void update_support_alone(flight *f, const flight_contact *c, double u, double t)
{
    flight_contact after[4] = {*c};
    size_t count = 1, ball = c->first;
    const flight_support *support = &f->support[ball];
    after[0].u = u;
    for (uint32_t k = 0; f->mode[ball] == FLIGHT_SUPPORTED && k < support->count; k++) {
        after[count++] = flight_contact_at(f, ball, f->balls + support->wall[k], t);
    }
    flight_update_support(f, ball, after, count, t, 0);
}

/* Free balls do not press each other; a supported one may press another. */
static void check_rest(flight *f, const flight_contact *c, double u, double t)
{
    flight_contact after = *c;
    after.u = u;
    if ((f->mode[c->first] == FLIGHT_SUPPORTED || f->mode[c->second] == FLIGHT_SUPPORTED) &&
        flight_stays_closed(f, &after, t, 0)) {
        flight_add_request(f, c->first, FLIGHT_NONE);
        flight_add_request(f, c->second, FLIGHT_NONE);
    }
}

/* Impulse p = (1 + e) c / D, loss (1 - e^2) c^2 / (2 D), work of the wall p V. */
static void bounce(flight *f, const flight_contact *c, double t, double e)
{
    double d = flight_delassus(f, c), closing = -c->u;
    double impulse = (1 + e) * closing / d, lost = 0.5 * (1 - e * e) * closing * closing / d;
    bool two = c->second < f->balls && f->mode[c->second] != FLIGHT_FIXED;
    push(f, c->first, t, c->normal, -impulse);
    if (two) {
        push(f, c->second, t, c->normal, impulse);
    }
    crm_sum_add(&f->lost, lost);
    f->largest_speed = fmax(f->largest_speed, closing);
    if (c->second >= f->balls) {
        crm_sum_add(&f->work, impulse * crm_wall_speed(&f->wall[c->second - f->balls], t));
    }
    f->impacts++;
    if (two) {
        flight_update_moving(f, c->first, t);
        flight_update_moving(f, c->second, t);
        check_rest(f, c, e * closing, t);
    } else {
        update_support_alone(f, c, e * closing, t);
    }
    notify_observer(f, c, t, impulse, lost);
    flight_predict(f, c->first, t, &f->neighbours[0]);
    if (two) {
        flight_predict(f, c->second, t, &f->neighbours[1]);
    }
}

/* ---- Any meeting ----------------------------------------------------------------------------- */

static void predict_again(flight *f, size_t ball, size_t party, double t)
{
    if (party < f->balls) {
        flight_predict_meeting(f, ball, t);
    } else {
        flight_predict_wall(f, ball, t);
    }
}

static void note_penetration(flight *f, const flight_contact *c, double t)
{
    f->max_penetration = fmax(f->max_penetration, -c->gap);
    if (-c->gap > MOST_PENETRATION * flight_contact_size(f, c)) {
        char a[64], b[64];
        flight_party_name(f, c->first, a, sizeof a);
        flight_party_name(f, c->second, b, sizeof b);
        flight_fail(f,
                    "%s and %s overlap by %g at time %.17g: times or positions have too few digits "
                    "for bodies that small or fast",
                    a, b, -c->gap, t);
    }
}

/* NAN: the law has to be asked. */
static double single_restitution(const flight *f, const flight_contact *c)
{
    const crm_law *law = f->motion.law->law;
    const crm_compliance *rules = flight_contact_values(f, c->first, c->second).compliance.made;
    bool asks = law->single == NULL || (rules != NULL && rules->unloading != NULL);
    return asks ? NAN : law->single(f->motion.law, flight_restitution(f, c, -c->u));
}

static crm_status meet_several(flight *f, const flight_contact *c, double t, crm_error *error)
{
    crm_status status = flight_cluster_gather(f, c, t, error);
    if (status == CRM_OK) {
        status = flight_cluster_resolve(f, t, error);
    }
    flight_cluster_clear(f);
    return status;
}

crm_status flight_handle_meeting(flight *f, size_t ball, size_t party, double t, bool provisional,
                                 crm_error *error)
{
    flight_contact c = flight_contact_at(f, ball, party, t);
    if (provisional && c.gap > flight_closure_gap(f, &c, 0)) {
        predict_again(f, ball, party, t);
        return CRM_OK;
    }
    flight_advance(f, ball, t);
    if (party < f->balls) {
        flight_advance(f, party, t);
    }
    note_penetration(f, &c, t);
    double e = single_restitution(f, &c);
    if (!isnan(e) && c.u < -flight_contact_noise(f, &c) && is_alone(f, &c, t)) {
        bounce(f, &c, t, e);
        return CRM_OK;
    }
    return meet_several(f, &c, t, error);
}
