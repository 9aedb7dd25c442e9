/* Impacts of several contacts: which contacts belong to one, its model, and any law on it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "law/law.h"
#include "motion/flight/flight.h"
#include "motion/impact.h"

/* After so many impacts of one ball without time passing, closing speeds that are left are made 0:
 * the impacts accumulate, and no law ends that by itself.
 */
enum { PLASTIC_AFTER = 200 };

/* ---- Which contacts belong to it ------------------------------------------------------------- */

void flight_cluster_release(flight_cluster *c)
{
    free(c->ball);
    free(c->contact);
    free(c->party);
    free(c->closing_speed);
    free(c->impulse);
    free(c->peak_force);
}

void flight_cluster_clear(flight *f)
{
    for (size_t i = 0; i < f->cluster.balls; i++) {
        f->member[f->cluster.ball[i]] = FLIGHT_NONE;
    }
    f->cluster.balls = f->cluster.contacts = 0;
}

static bool grow(void **array, size_t room, size_t size)
{
    void *larger = crm_memory_resize(*array, room, size);
    *array = larger != NULL ? larger : *array;
    return larger != NULL;
}

static crm_status add_ball(flight *f, size_t ball, double t, crm_error *error)
{
    flight_cluster *c = &f->cluster;
    if (c->balls == c->ball_room) {
        size_t room = 2 * c->ball_room + 16;
        if (!grow((void **)&c->ball, room, sizeof *c->ball)) {
            return crm_fail_memory(error);
        }
        c->ball_room = room;
    }
    flight_advance(f, ball, t);
    f->member[ball] = (uint32_t)c->balls;
    c->ball[c->balls++] = (uint32_t)ball;
    return CRM_OK;
}

crm_status flight_cluster_add(flight *f, const flight_contact *contact, crm_error *error)
{
    flight_cluster *c = &f->cluster;
    if (c->contacts == c->contact_room) {
        size_t room = 2 * c->contact_room + 16;
        if (!grow((void **)&c->contact, room, sizeof *c->contact) ||
            !grow((void **)&c->party, room, sizeof *c->party) ||
            !grow((void **)&c->closing_speed, room, sizeof *c->closing_speed) ||
            !grow((void **)&c->impulse, room, sizeof *c->impulse) ||
            !grow((void **)&c->peak_force, room, sizeof *c->peak_force)) {
            return crm_fail_memory(error);
        }
        c->contact_room = room;
    }
    c->party[c->contacts][0] = contact->first;
    c->party[c->contacts][1] = contact->second;
    c->contact[c->contacts++] = *contact;
    return CRM_OK;
}

static bool is_first(const flight_contact *first, size_t a, size_t b)
{
    return (first->first == a && first->second == b) || (first->first == b && first->second == a);
}

/* The contact of a member with a party, if it is closed. */
static crm_status try_party(flight *f, const flight_contact *first, size_t ball, size_t party,
                            double t, crm_error *error)
{
    flight_contact c = flight_contact_at(f, ball, party, t);
    if (!is_first(first, ball, party) && c.gap > flight_closure_gap(f, &c, f->cluster.largest)) {
        return CRM_OK;
    }
    f->max_penetration = fmax(f->max_penetration, -c.gap);
    crm_status status = flight_cluster_add(f, &c, error);
    bool joins =
        party < f->balls && f->mode[party] != FLIGHT_FIXED && f->member[party] == FLIGHT_NONE;
    return status == CRM_OK && joins ? add_ball(f, party, t, error) : status;
}

/* Contacts of the member at `place` with later members, fixed balls and walls. */
static crm_status search_around(flight *f, const flight_contact *first, size_t place, double t,
                                crm_error *error)
{
    size_t ball = f->cluster.ball[place];
    flight_neighbours *neighbours = &f->neighbours[0];
    crm_status status = CRM_OK;
    flight_find_neighbours(f, ball, t, neighbours);
    for (size_t n = 0; n < neighbours->count && status == CRM_OK; n++) {
        size_t k = neighbours->ball[n];
        double reach = f->ball[ball].radius + f->ball[k].radius;
        bool seen = f->member[k] != FLIGHT_NONE && f->member[k] < place;
        bool far = flight_dot(neighbours->r[n], neighbours->r[n]) > 1.05 * reach * reach;
        if (!seen && !far) {
            status = try_party(f, first, ball, k, t, error);
        }
    }
    for (size_t k = 0; k < f->walls && status == CRM_OK; k++) {
        status = try_party(f, first, ball, f->balls + k, t, error);
    }
    return status;
}

crm_status flight_cluster_gather(flight *f, const flight_contact *first, double t, crm_error *error)
{
    f->cluster.largest = fmax(0, -first->u);
    crm_status status = add_ball(f, first->first, t, error);
    for (size_t place = 0; status == CRM_OK && place < f->cluster.balls; place++) {
        status = search_around(f, first, place, t, error);
    }
    return status;
}

/* ---- The model ------------------------------------------------------------------------------- */

typedef struct parts {
    double *mass, *velocity;
    size_t *start;
    uint32_t *row;
    double *w, *stiffness, *exponent, *restitution, *boundary, *gap_velocity;
    crm_compliance_def *compliance;
} parts;

static bool take_parts(const flight *f, parts *p)
{
    const flight_cluster *c = &f->cluster;
    size_t n = c->balls * f->dimension, s = c->contacts;
    *p = (parts){.mass = CRM_NEW(double, 2 * n + 5 * s + 2 * s * f->dimension),
                 .start = CRM_NEW(size_t, s + 1),
                 .row = CRM_NEW(uint32_t, 2 * s * f->dimension),
                 .compliance = CRM_NEW(crm_compliance_def, s)};
    if (p->mass == NULL || p->start == NULL || p->row == NULL || p->compliance == NULL) {
        return false;
    }
    p->velocity = p->mass + n;
    p->stiffness = p->velocity + n;
    p->exponent = p->stiffness + s;
    p->restitution = p->exponent + s;
    p->boundary = p->restitution + s;
    p->gap_velocity = p->boundary + s;
    p->w = p->gap_velocity + s;
    return true;
}

static void release_parts(parts *p)
{
    free(p->mass);
    free(p->start);
    free(p->row);
    free(p->compliance);
}

static void fill_column(const flight *f, const flight_contact *c, size_t j, parts *p)
{
    size_t filled = p->start[j];
    const uint32_t party[2] = {c->first, c->second};
    for (int side = 0; side < 2; side++) {
        bool moves = party[side] < f->balls && f->mode[party[side]] != FLIGHT_FIXED;
        for (unsigned d = 0; moves && d < f->dimension; d++) {
            p->row[filled] = f->member[party[side]] * f->dimension + d;
            p->w[filled++] = side == 0 ? -c->normal[d] : c->normal[d];
        }
    }
    p->start[j + 1] = filled;
}

static void fail_stiffness(flight *f, const flight_contact *c)
{
    char a[64], b[64];
    flight_party_name(f, c->first, a, sizeof a);
    flight_party_name(f, c->second, b, sizeof b);
    flight_fail(f,
                "the stiffness of the contact of %s and %s is not known: give both a material with "
                "young and poisson and the exponent 1.5, or the contact a stiffness",
                a, b);
}

/* impact->system refers to *w, and *w to p->start and p->row. */
static void fill_problem(flight *f, double t, parts *p, crm_sparse_view *w,
                         crm_impact_problem *impact)
{
    const flight_cluster *c = &f->cluster;
    for (size_t i = 0; i < c->balls; i++) {
        for (unsigned d = 0; d < f->dimension; d++) {
            p->mass[i * f->dimension + d] = 1 / f->inverse_mass[c->ball[i]];
            p->velocity[i * f->dimension + d] = f->ball[c->ball[i]].v[d];
        }
    }
    for (size_t j = 0; j < c->contacts; j++) {
        const flight_contact *contact = &c->contact[j];
        crm_contact_def values = flight_contact_values(f, contact->first, contact->second);
        if (!flight_stiffness(f, contact->first, contact->second, &values)) {
            fail_stiffness(f, contact);
        }
        fill_column(f, contact, j, p);
        p->stiffness[j] = values.stiffness;
        p->exponent[j] = values.exponent;
        p->restitution[j] = values.restitution;
        p->compliance[j] = values.compliance;
        bool wall = contact->second >= f->balls;
        p->boundary[j] = wall ? -crm_wall_speed(&f->wall[contact->second - f->balls], t) : 0;
    }
    *w = (crm_sparse_view){p->start, p->row, p->w};
    *impact = (crm_impact_problem){.time = t,
                                   .system = crm_system_def_default(),
                                   .velocity = p->velocity,
                                   .party = (const size_t(*)[2])c->party,
                                   .closing_speed = c->closing_speed,
                                   .impulse = c->impulse,
                                   .peak_force = c->peak_force,
                                   .gap_velocity = p->gap_velocity};
    crm_system_def *def = &impact->system;
    def->coordinates = c->balls * f->dimension;
    def->contacts = c->contacts;
    def->mass_diagonal = p->mass;
    def->w_sparse = w;
    def->stiffness = p->stiffness;
    def->exponent = p->exponent;
    def->restitution = p->restitution;
    def->boundary_velocity = p->boundary;
    def->compliance = p->compliance;
}

/* ---- The law --------------------------------------------------------------------------------- */

/* A closing speed that a law leaves is one of three: rounding; a remainder within the law's
 * tolerance; the next impact of a law that resolves one contact after another. The second must be
 * removed, and the third, too, when such impacts do not end.
 */
static bool needs_plastic(const flight *f, const crm_impact_problem *b)
{
    const flight_cluster *c = &f->cluster;
    bool left = b->result == CRM_NOT_TERMINATED, closes = false;
    for (size_t j = 0; j < c->contacts; j++) {
        double noise = flight_contact_noise(f, &c->contact[j]);
        left |= c->contact[j].u < -noise;
        closes |= c->contact[j].u < -noise - f->motion.options.tolerance * c->largest;
    }
    bool law_may_close = b->result != CRM_NOT_TERMINATED;
    for (size_t i = 0; i < c->balls; i++) {
        law_may_close &= f->events[c->ball[i]].repeats < PLASTIC_AFTER;
    }
    return left && !(closes && law_may_close);
}

static void take_gap_velocities(flight *f, const crm_impact_problem *b)
{
    for (size_t j = 0; j < b->system.contacts; j++) {
        f->cluster.contact[j].u = b->gap_velocity[j];
    }
}

static crm_status apply_law(flight *f, crm_impact_problem *b, crm_impact_ending *end,
                            crm_error *error)
{
    crm_status status = crm_impact_apply(&f->motion, b, f->motion.law, end, error);
    if (status != CRM_OK || *end != CRM_IMPACT_DONE) {
        return status;
    }
    take_gap_velocities(f, b);
    if (needs_plastic(f, b)) {
        status = crm_impact_stop(&f->motion, b, end, error);
        take_gap_velocities(f, b);
    }
    return status;
}

/* ---- Afterwards ------------------------------------------------------------------------------ */

static void set_velocities(flight *f, const parts *p, double t)
{
    const flight_cluster *c = &f->cluster;
    for (size_t i = 0; i < c->balls; i++) {
        size_t ball = c->ball[i];
        for (unsigned d = 0; d < f->dimension; d++) {
            f->ball[ball].v[d] = p->velocity[i * f->dimension + d];
        }
        flight_count_impact(f, ball, t);
    }
}

/* Takes velocities, energies and the count of an impact, and reports it. */
static void account_impact(flight *f, const crm_impact_problem *b, const parts *p, double t)
{
    set_velocities(f, p, t);
    crm_sum_add(&f->work, b->work);
    crm_sum_add(&f->lost, b->losses);
    f->impacts++;
    f->interrupted |= crm_impact_notify(b, f->impacts, b->losses, f->observer) != CRM_OK;
}

/* An impact whose law was cut short has not happened: the same event is due again. */
static crm_status resolve(flight *f, double t, bool *cut, crm_error *error)
{
    parts p = {0};
    crm_sparse_view w;
    crm_impact_problem b = {0};
    crm_impact_ending end = CRM_IMPACT_NO_ANSWER;
    crm_status status = CRM_OK;
    if (!take_parts(f, &p)) {
        release_parts(&p);
        return crm_fail_memory(error);
    }
    fill_problem(f, t, &p, &w, &b);
    if (!f->motion.failed) {
        status = crm_impact_begin(&b, error);
        status = status == CRM_OK ? apply_law(f, &b, &end, error) : status;
        f->motion.failed |= status == CRM_OK && end == CRM_IMPACT_NO_ANSWER;
        *cut = end == CRM_IMPACT_CUT_SHORT;
        f->interrupted |= *cut;
    }
    if (status == CRM_OK && end == CRM_IMPACT_DONE) {
        account_impact(f, &b, &p, t);
    }
    crm_impact_end(&b);
    release_parts(&p);
    return status;
}

/* New supports; requests for balls that press each other; new predictions. */
static void update_supports(flight *f, double t)
{
    flight_cluster *c = &f->cluster;
    for (size_t i = 0; i < c->balls; i++) {
        f->version[c->ball[i]]++;
        flight_update_support(f, c->ball[i], c->contact, c->contacts, t, c->largest);
    }
    for (size_t j = 0; j < c->contacts && !f->motion.failed; j++) {
        if (flight_stays_closed(f, &c->contact[j], t, c->largest)) {
            flight_add_request(f, c->contact[j].first, FLIGHT_NONE);
            flight_add_request(f, c->contact[j].second, FLIGHT_NONE);
        }
    }
    for (size_t i = 0; i < c->balls && !f->motion.failed; i++) {
        flight_predict(f, c->ball[i], t, NULL);
    }
}

crm_status flight_cluster_resolve(flight *f, double t, crm_error *error)
{
    flight_cluster *c = &f->cluster;
    bool struck = false, cut = false;
    for (size_t j = 0; j < c->contacts; j++) {
        double u = c->contact[j].u;
        c->closing_speed[j] = -u;
        c->largest = fmax(c->largest, -u);
        struck |= u < -flight_contact_noise(f, &c->contact[j]);
    }
    f->largest_speed = fmax(f->largest_speed, c->largest);
    crm_status status = struck ? resolve(f, t, &cut, error) : CRM_OK;
    if (status == CRM_OK && !f->motion.failed && !cut) {
        if (!struck) {
            flight_count_impact(f, c->ball[0], t);
        }
        update_supports(f, t);
    }
    return status;
}
