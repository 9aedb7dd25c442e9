/* Contacts that are closed in the middle of the step.
 *
 * With M = 1 by scaling, x = M^1/2 (v+ - v_free), a contact requires u+ >= -eps u, that is
 * c'x >= -(eps u + u_free)/|w| with c = M^-1/2 w/|w|. The coefficient eps is
 *
 *   for u < 0, if a bounce with e|u| would last some steps (least_bounce): the contact's own e;
 *   for u < 0, if it would not: 0. Steps do not resolve such bounces, and they end here;
 *   for u > 0: 1. The gap is opening, and forces close it before the middle of the step: a short
 *          bounce, or a body that slides along a curve, whose tangent in the middle turns away from
 *          v. In both cases u+ = -u keeps the energy, and on the curve the distance, too: q and q+
 *          are symmetric to the normal in the middle.
 *
 * So p u (1 - eps) <= 0 for each contact, whatever the e of the others: energy does not increase
 * (account.c). And v+ = -v satisfies all conditions where walls stand still: there is always a
 * solution.
 *
 * Duration of a bounce: forces change u by at most |w| sqrt(sum h^2 a'M a) in a step, summed over
 * the bodies in contact (Cauchy and Schwarz), and a bounce that begins with u+ lasts 2 u+ h divided
 * by that.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/compliance/compliance.h"
#include "motion/stepping/stepping.h"

/* A contact bounces only after being open for so many steps. */
enum { FLIGHT = 3 };
/* A bounce with e|u| lasts 2 e|u| h/force_change: bounces shorter than a step end, bounces of more
 * than ten steps never do.
 */
static const double LEAST_BOUNCE = 0.5, MOST_BOUNCE = 5;

static crm_status make_room(stepping_contacts *list, crm_error *error)
{
    if (list->count < list->room) {
        return CRM_OK;
    }
    size_t room = 2 * list->room + 16;
    stepping_contact *contact = crm_memory_resize(list->contact, room, sizeof *contact);
    list->contact = contact != NULL ? contact : list->contact;
    double *value = crm_memory_resize(list->value, room, STEPPING_WIDTH * sizeof *value);
    list->value = value != NULL ? value : list->value;
    if (contact == NULL || value == NULL) {
        return crm_fail_memory(error);
    }
    list->room = room;
    return CRM_OK;
}

/* The column by the coordinates of the first body, then of the second, scaled to M = 1; its length.
 */
static double fill_column(const stepping *s, const stepping_gap *candidate, const double *q,
                          double *value)
{
    double square = 0;
    uint32_t count = stepping_gap_gradient(s, candidate, q, value),
             width = stepping_width(s, candidate->party[0]);
    for (uint32_t k = 0; k < count; k++) {
        value[k] /= s->root[k < width ? stepping_first(s, candidate->party[0]) + k
                                      : stepping_first(s, candidate->party[1]) + k - width];
        square += value[k] * value[k];
    }
    double length = sqrt(square);
    for (uint32_t k = 0; k < count && length > 0; k++) {
        value[k] /= length;
    }
    return length;
}

crm_status stepping_contact_add(stepping *s, stepping_contacts *list, size_t gap, const double *q,
                                crm_error *error)
{
    crm_status status = make_room(list, error);
    if (status != CRM_OK) {
        return status;
    }
    stepping_contact *c = &list->contact[list->count];
    *c =
        (stepping_contact){.gap = (uint32_t)gap, .start = (uint32_t)(list->count * STEPPING_WIDTH)};
    c->length = fill_column(s, &s->gap[gap], q, list->value + c->start);
    list->count += c->length > 0; /* else it moves nothing */
    return CRM_OK;
}

/* c'M^1/2 v */
double stepping_contact_dot(const stepping *s, const stepping_contacts *list,
                            const stepping_contact *c, const double *v)
{
    const double *value = list->value + c->start;
    double sum = 0;
    for (unsigned side = 0; side < 2; side++) {
        uint32_t party = s->gap[c->gap].party[side];
        uint32_t width = party < s->scene->bodies ? stepping_width(s, party) : 0;
        uint32_t first = width > 0 ? stepping_first(s, party) : 0;
        for (uint32_t k = 0; k < width; k++) {
            sum += value[k] * s->root[first + k] * v[first + k];
        }
        value += width;
    }
    return sum;
}

/* A bound on the change of u/|w| in a step, by forces and by an oscillating wall. */
static double force_change_on(const stepping *s, const stepping_contact *c, double t)
{
    const stepping_gap *candidate = &s->gap[c->gap];
    double h = s->common.options.step, square = 0;
    for (unsigned side = 0; side < 2; side++) {
        square +=
            candidate->party[side] < s->scene->bodies ? s->force_change[candidate->party[side]] : 0;
    }
    double swing =
        (stepping_gap_rate(s, candidate, t + h) - stepping_gap_rate(s, candidate, t)) / c->length;
    return sqrt(square + swing * swing);
}

/* Forces may close the gap by the middle of the step. Their direction does not count: other bodies
 * may press these together.
 */
static bool is_closed(const stepping *s, const stepping_contact *c, double gap)
{
    double fall = 0.125 * s->common.options.step * c->force_change * c->length;
    return gap <= s->common.options.closure * s->gap[c->gap].size + fall;
}

/* Depending on where in a step the impact is, a body that falls back with u may gain up to
 * e^2 |u| f/2 compared with the exact motion, f the change by forces, and loses (1 - e^2) u^2/2 by
 * the law: below |u| = e^2 f/(1 - e^2) it could bounce for ever. Such bounces end, unless e is so
 * near to 1 that they are longer than MOST_BOUNCE.
 */
static double least_bounce(double e, double force_change)
{
    double ending = e < 1 ? e * e * e / (1 - e * e) : INFINITY;
    return fmin(MOST_BOUNCE, fmax(LEAST_BOUNCE, ending)) * force_change;
}

/* c->before is the speed over the root of D_jj: W = c->before^2 / 2. */
static crm_status find_restitution(const stepping_gap *gap, const stepping_contact *c, double *e,
                                   crm_error *error)
{
    double speed = c->before < 0 ? c->before : 0;
    *e = gap->bounce.restitution;
    return gap->bounce.rule == NULL
               ? CRM_OK
               : crm_restitution_find(gap->bounce.rule->restitution, 0.5 * speed * speed,
                                      c->length * c->length, c->gap, e, error);
}

static crm_status set_bound(const stepping *s, stepping_contact *c, double t, crm_error *error)
{
    const stepping_gap *candidate = &s->gap[c->gap];
    double h = s->common.options.step;
    c->rate = stepping_gap_rate(s, candidate, t + 0.5 * h) / c->length;
    c->before = stepping_contact_dot(s, &s->contacts, c, s->v) + c->rate;
    double free = stepping_contact_dot(s, &s->contacts, c, s->free) + c->rate;
    double e;
    crm_status status = find_restitution(candidate, c, &e, error);
    bool bounces =
        candidate->open_steps >= FLIGHT && -e * c->before > least_bounce(e, c->force_change);
    double eps = c->before > 0 ? 1 : bounces ? e : 0;
    c->bound = -(eps * c->before + free);
    c->p = candidate->impulse * c->length;
    return status;
}

crm_status stepping_contacts_find(stepping *s, double t, crm_error *error)
{
    double middle = t + 0.5 * s->common.options.step;
    stepping_contacts *list = &s->contacts;
    list->count = 0;
    for (size_t j = 0; j < s->gaps; j++) {
        size_t count = list->count;
        crm_status status = stepping_contact_add(s, list, j, s->middle, error);
        if (status != CRM_OK) {
            return status;
        }
        if (list->count > count) {
            stepping_contact *c = &list->contact[count];
            c->force_change = force_change_on(s, c, t);
            double gap = stepping_gap_size(s, &s->gap[j], middle, s->middle);
            list->count -= !is_closed(s, c, gap);
        }
    }
    crm_status status = CRM_OK;
    for (size_t k = 0; k < list->count && status == CRM_OK; k++) {
        status = set_bound(s, &list->contact[k], t, error);
    }
    return status;
}
