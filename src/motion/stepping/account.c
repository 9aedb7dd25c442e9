/* Energies, impacts, rest.
 *
 * A step changes T by (v+ - v)'M (v+ + v)/2 = h F'(v + v+)/2 + p'W'(v + v+)/2. The first is the
 * work of the forces along the way h (v + v+)/2, exactly -dU where they are constant. Of the
 * second, with W'v = u - r (r the speed at which walls open the gap), -p'r is the work of the walls
 * and -p'(u + u+)/2 what is lost: by u+ = -eps u where p > 0 it is -p'u (1 - eps)/2 >= 0, each term
 * of it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "motion/stepping/stepping.h"

/* At rest: slower than this part of the change by forces in a step. Complementarity is solved to
 * 1e-12 of that or better.
 */
static const double REST = 1e-9;

double stepping_kinetic(const stepping *s, const double *v)
{
    crm_sum sum = {0, 0};
    for (size_t k = 0; k < s->scene->velocities; k++) {
        crm_sum_add(&sum, 0.5 * s->scene->inertia[k] * v[k] * v[k]);
    }
    return sum.sum + sum.remainder;
}

static double after(const stepping *s, const stepping_contact *c)
{
    return stepping_contact_dot(s, &s->contacts, c, s->v) + c->rate;
}

static double lost_in(const stepping *s, const stepping_contact *c)
{
    return -0.5 * c->p * (c->before + after(s, c));
}

/* Work of the part of F that depends on v: dampers and gyroscopic moments. */
static void account_damping(stepping *s)
{
    double h = s->common.options.step;
    memset(s->mean, 0, s->scene->velocities * sizeof *s->mean);
    scene_forces(s->scene, s->middle, s->mean, s->work);
    for (size_t k = 0; k < s->scene->velocities; k++) {
        double mean = 0.5 * (s->v0[k] + s->v[k]);
        double damping = s->root[k] * s->root[k] * (s->free[k] - s->v0[k]) - h * s->work[k];
        crm_sum_add(&s->work_done, damping * mean);
    }
}

void stepping_account_step(stepping *s)
{
    for (size_t j = 0; j < s->gaps; j++) {
        s->gap[j].impulse = 0;
        s->gap[j].open_steps += s->gap[j].open_steps < STEPPING_LONG_OPEN;
    }
    for (size_t k = 0; k < s->contacts.count; k++) {
        const stepping_contact *c = &s->contacts.contact[k];
        if (c->p > 0) {
            crm_sum_add(&s->lost, lost_in(s, c));
            crm_sum_add(&s->work_done, -c->p * c->rate);
            s->gap[c->gap].impulse = c->p / c->length;
            s->gap[c->gap].open_steps = 0;
        }
    }
    if (s->damped) {
        account_damping(s);
    }
}

/* ---- Impacts --------------------------------------------------------------------------------- */

/* It was open in the step before, and closes faster than by forces of one step. */
static bool strikes(const stepping *s, const stepping_contact *c)
{
    return c->p > 0 && s->gap[c->gap].open_steps > 0 && -c->before > c->force_change;
}

static crm_status make_room(stepping *s, size_t contacts, crm_error *error)
{
    if (contacts <= s->report_room) {
        return CRM_OK;
    }
    free(s->report_party);
    free(s->report_speed);
    free(s->report_impulse);
    s->report_room = 2 * contacts;
    s->report_party = (size_t(*)[2])crm_memory_allocate(s->report_room, sizeof *s->report_party);
    s->report_speed = CRM_NEW(double, s->report_room);
    s->report_impulse = CRM_NEW(double, s->report_room);
    bool made = s->report_party != NULL && s->report_speed != NULL && s->report_impulse != NULL;
    s->report_room = made ? s->report_room : 0;
    return made ? CRM_OK : crm_fail_memory(error);
}

/* The loaded contacts of an island. */
static crm_impact_report describe(stepping *s, size_t island, double t)
{
    const stepping_islands *i = &s->islands;
    crm_impact_report report = {.number = ++s->common.impacts,
                                .time = t,
                                .party = (const size_t(*)[2])s->report_party,
                                .closing_speed = s->report_speed,
                                .impulse = s->report_impulse,
                                .result = CRM_SOLVED,
                                .kinematic = true,
                                .kinetic = true};
    for (size_t m = i->contact_start[island]; m < i->contact_start[island + 1]; m++) {
        const stepping_contact *c = &s->contacts.contact[i->contact[m]];
        if (!(c->p > 0)) {
            continue;
        }
        size_t k = report.contacts++;
        s->report_party[k][0] = s->gap[c->gap].party[0];
        s->report_party[k][1] = s->gap[c->gap].party[1];
        s->report_speed[k] = -c->before * c->length;
        s->report_impulse[k] = c->p / c->length;
        report.lost += lost_in(s, c);
    }
    report.energetic = report.lost >= 0;
    report.unique = report.contacts == 1;
    return report;
}

/* An observer that interrupts at one of them has the others, too: they are not repeated. */
crm_status stepping_notify_impacts(stepping *s, double t, crm_error *error)
{
    const stepping_islands *i = &s->islands;
    for (size_t island = 0; island < i->count; island++) {
        bool struck = false;
        for (size_t m = i->contact_start[island]; m < i->contact_start[island + 1]; m++) {
            struck |= strikes(s, &s->contacts.contact[i->contact[m]]);
        }
        if (!struck) {
            continue;
        }
        size_t most = i->contact_start[island + 1] - i->contact_start[island];
        crm_status status = make_room(s, most, error);
        if (status != CRM_OK) {
            return status;
        }
        crm_impact_report report = describe(s, island, t);
        const crm_observer *o = s->observer;
        if (o != NULL && o->impact != NULL) {
            s->interrupted |= o->impact(o->context, &report) != CRM_OK;
        }
    }
    return CRM_OK;
}

/* ---- Rest ------------------------------------------------------------------------------------ */

/* v'M v / m of a body. */
static double speed_of(const stepping *s, size_t body, const double *v)
{
    double square = 0;
    for (uint32_t k = 0; k < stepping_width(s, body); k++) {
        double part = s->root[stepping_first(s, body) + k] * v[stepping_first(s, body) + k];
        square += part * part;
    }
    return square / s->body[body].mass;
}

static bool is_still(const stepping *s, const double *v)
{
    double bound = REST * REST * s->largest_force_change;
    for (size_t i = 0; i < s->scene->bodies; i++) {
        if (s->body[i].hold != SCENE_FIXED && speed_of(s, i, v) > bound) {
            return false;
        }
    }
    return true;
}

/* A step that begins and ends at rest: every later step is the same. */
void stepping_detect_rest(stepping *s)
{
    bool rests = !s->walls_move && is_still(s, s->v) && is_still(s, s->v0);
    if (!rests) {
        s->common.at_rest_since = NAN;
    } else if (isnan(s->common.at_rest_since)) {
        s->common.at_rest_since = stepping_time(s, s->steps);
    }
}
