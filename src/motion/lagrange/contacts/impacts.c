/* Impacts at one instant. Each has the closed contacts that are coupled through D, directly or
 * through others, to one that is closing; impacts that are not coupled are resolved one after
 * another.
 *
 * A law that leaves contacts closing is called again. Its impacts may accumulate within the instant
 * (an inelastic collapse of binary collisions, within which others collapse). They end, as bounces
 * do (accumulation.c), once no contact closes fast enough to rise above H: followed on, the
 * contacts B that collide would come to u_B = 0 with impulses p >= 0, in whatever order, and no
 * other would close. That is the nearest velocity with u >= 0 in the metric of M.
 */
#include <math.h>
#include <string.h>

#include "motion/impact.h"
#include "motion/lagrange/lagrange.h"

/* Impacts at one instant, of a law that leaves contacts closing, before what is left is made 0. */
enum { IMPACTS_PER_INSTANT = 100 };

static bool closes(const lagrange_motion *m, size_t j)
{
    bool there = m->values.gap[j] <= lagrange_zero_gap(m) || m->contact[j].just_closed ||
                 m->contact[j].state != LAGRANGE_OPEN;
    return there && m->values.speed[j] < -lagrange_least_closing_speed(m, j);
}

/* With the forces that have been decided it opens again before its gap is less than -zero_gap. */
static bool grazes(const lagrange_motion *m, size_t j)
{
    double u = m->values.speed[j], a = m->candidate_speed[j];
    return m->member[j] && m->contact[j].state == LAGRANGE_OPEN && a > 0 &&
           m->values.gap[j] - u * u / (2 * a) > -lagrange_zero_gap(m);
}

size_t lagrange_closing_gap(const lagrange_motion *m, bool decided)
{
    size_t seed = m->gaps;
    for (size_t j = 0; j < m->gaps; j++) {
        if (closes(m, j) && !(decided && grazes(m, j)) &&
            (seed == m->gaps || m->values.speed[j] < m->values.speed[seed])) {
            seed = j;
        }
    }
    return seed;
}

static bool is_closed(const lagrange_motion *m, size_t j, double closing_speed)
{
    const crm_motion_options *options = &m->common.options;
    double reach = lagrange_zero_gap(m);
    if (options->closure_kind == CRM_CLOSURE_DISTANCE) {
        reach = fmax(reach, options->closure * m->def.size);
    } else {
        const crm_contact_def contact = lagrange_contact_values(m, j);
        reach = fmax(reach,
                     crm_impact_indentation(&contact, lagrange_delassus(m, j, j), closing_speed));
    }
    return m->values.gap[j] <= reach || m->contact[j].state != LAGRANGE_OPEN ||
           m->contact[j].just_closed;
}

/* m->cluster, in the order of gaps; its size. */
static size_t gather(lagrange_motion *m, size_t seed)
{
    double speed = -m->values.speed[seed];
    memset(m->member, 0, m->gaps * sizeof *m->member);
    m->member[seed] = true;
    for (bool grows = true; grows;) {
        grows = false;
        for (size_t j = 0; j < m->gaps; j++) {
            for (size_t i = 0; !m->member[j] && i < m->gaps; i++) {
                if (m->member[i] && is_closed(m, j, speed) && lagrange_are_coupled(m, i, j)) {
                    m->member[j] = grows = true;
                }
            }
        }
    }
    size_t count = 0;
    for (size_t j = 0; j < m->gaps; j++) {
        if (m->member[j]) {
            m->cluster[count++] = j;
        }
    }
    return count;
}

/* The whole M; W and parameters of the cluster's contacts. */
static crm_system_def cluster_system(lagrange_motion *m, size_t count)
{
    double *w = m->other, *value = m->wide;
    for (size_t c = 0; c < count; c++) {
        size_t j = m->cluster[c];
        memcpy(w + c * m->n, m->values.w + j * m->n, m->n * sizeof *w);
        value[c] = m->stiffness[j];
        value[m->gaps + c] = m->exponent[j];
        value[2 * m->gaps + c] = m->restitution[j];
        value[3 * m->gaps + c] = m->values.rate[j];
        m->cluster_compliance[c] = lagrange_contact_values(m, j).compliance;
    }
    crm_system_def system = crm_system_def_default();
    system.coordinates = m->n;
    system.contacts = count;
    system.mass_dense = m->values.mass;
    system.w_dense = w;
    system.stiffness = value;
    system.exponent = value + m->gaps;
    system.restitution = value + 2 * m->gaps;
    system.boundary_velocity = value + 3 * m->gaps;
    system.compliance = m->compliance.of != NULL ? m->cluster_compliance : NULL;
    return system;
}

/* For the report: gaps, or their parties. */
static void name_cluster(lagrange_motion *m, size_t count, crm_impact_problem *impact)
{
    if (m->party == NULL) {
        impact->gap = m->cluster;
        return;
    }
    for (size_t c = 0; c < count; c++) {
        memcpy(m->cluster_party[c], m->party[m->cluster[c]], sizeof m->cluster_party[c]);
    }
    impact->party = (const size_t(*)[2])m->cluster_party;
}

static void note_closing_speeds(lagrange_motion *m, size_t count)
{
    for (size_t c = 0; c < count; c++) {
        lagrange_contact *contact = &m->contact[m->cluster[c]];
        double speed = -m->values.speed[m->cluster[c]];
        contact->closing_speed = fmax(contact->closing_speed, fmax(speed, 0));
        m->impact_speed = fmax(m->impact_speed, speed);
    }
}

/* Of the cluster: no contact that closes with it rises above what is neglected. */
static double negligible_speed(const lagrange_motion *m, size_t count)
{
    double most = 0;
    for (size_t c = 0; c < count; c++) {
        most = fmax(most, lagrange_negligible_speed(m, m->cluster[c]));
    }
    return most;
}

static double allowed_error(const lagrange_motion *m, size_t count)
{
    double most = 0;
    for (size_t c = 0; c < count; c++) {
        most = fmax(most, lagrange_allowed_speed_error(m, m->cluster[c]));
    }
    return most;
}

/* Contacts of the cluster close, none faster than is negligible; u of each. */
static bool close_negligibly(const lagrange_motion *m, size_t count, const double *u)
{
    double most = negligible_speed(m, count);
    bool close = false;
    for (size_t c = 0; c < count; c++) {
        if (-u[c] > most) {
            return false;
        }
        close |= -u[c] > lagrange_least_closing_speed(m, m->cluster[c]);
    }
    return close;
}

/* The impacts of an instant so far. */
typedef struct sequence {
    size_t impacts;
    bool endless; /* the law has not ended one of them */
} sequence;

/* The law, unless its bounces would be neglected; what it leaves is stopped if that is negligible,
 * or the last impact of the instant.
 */
static crm_status apply_law(lagrange_motion *m, size_t seed, const sequence *before,
                            crm_impact_problem *impact, crm_impact_ending *end, crm_error *error)
{
    size_t count = impact->system.contacts;
    bool first = before->impacts == 0, last = before->impacts >= IMPACTS_PER_INSTANT + m->gaps;
    for (size_t c = 0; c < count; c++) {
        impact->gap_velocity[c] = -impact->closing_speed[c];
    }
    if (first && lagrange_accumulates_jointly(m, seed) &&
        close_negligibly(m, count, impact->gap_velocity)) {
        return crm_impact_stop(&m->common, impact, end, error);
    }
    crm_status status = crm_impact_apply(&m->common, impact, m->common.law, end, error);
    if (status == CRM_OK && *end == CRM_IMPACT_DONE &&
        (last || close_negligibly(m, count, impact->gap_velocity))) {
        status = crm_impact_stop(&m->common, impact, end, error);
    }
    return status;
}

static crm_status resolve_once(lagrange_motion *m, size_t seed, sequence *before,
                               const crm_observer *observer, crm_impact_ending *end,
                               crm_error *error)
{
    size_t count = gather(m, seed);
    crm_impact_problem impact = {.time = m->t,
                                 .system = cluster_system(m, count),
                                 .velocity = m->trial,
                                 .closing_speed = m->candidate_speed,
                                 .impulse = m->candidate_force,
                                 .peak_force = m->peak_force,
                                 .gap_velocity = m->speed_left};
    impact.negligible_speed = before->endless ? negligible_speed(m, count) : 0;
    impact.allowed_error = allowed_error(m, count);
    memcpy(m->trial, m->y + m->positions, m->n * sizeof *m->trial);
    name_cluster(m, count, &impact);
    note_closing_speeds(m, count);
    crm_status status = crm_impact_begin(&impact, error);
    if (status == CRM_OK) {
        crm_impact_find_closing_speeds(&impact);
        status = apply_law(m, seed, before, &impact, end, error);
    }
    if (status == CRM_OK && *end == CRM_IMPACT_DONE) {
        memcpy(m->y + m->positions, m->trial, m->n * sizeof *m->trial);
        m->common.lost += impact.lost;
        m->common.impact_work += impact.work;
        m->common.impacts++;
        if (crm_impact_notify(&impact, m->common.impacts, impact.lost, observer) != CRM_OK) {
            *end = CRM_IMPACT_INTERRUPTED;
        }
    }
    before->impacts++;
    before->endless |= impact.result == CRM_NOT_TERMINATED;
    crm_impact_end(&impact);
    return status;
}

crm_status lagrange_resolve_impacts(lagrange_motion *m, const crm_observer *observer,
                                    crm_motion_stop *stopped, bool *go_on, crm_error *error)
{
    sequence before = {0};
    *go_on = true;
    for (;;) {
        crm_status status = lagrange_evaluate_instant(m, error);
        size_t seed = status == CRM_OK ? lagrange_closing_gap(m, false) : m->gaps;
        if (seed == m->gaps) {
            return status;
        }
        if (before.impacts >= 2 * (IMPACTS_PER_INSTANT + m->gaps)) {
            *go_on = false;
            return crm_motion_fail(&m->common, stopped,
                                   "the law %s leaves gap %zu closing with %g after %zu impacts at "
                                   "t = %.17g",
                                   crm_settings_law(m->common.law)->name, seed + 1,
                                   -m->values.speed[seed], before.impacts, m->t);
        }
        crm_impact_ending end;
        status = resolve_once(m, seed, &before, observer, &end, error);
        if (status != CRM_OK || end == CRM_IMPACT_DONE) {
            if (status != CRM_OK) {
                return status;
            }
            continue;
        }
        *go_on = false;
        *stopped = end == CRM_IMPACT_NO_ANSWER ? CRM_STOP_FAILED : CRM_STOP_INTERRUPTED;
        m->common.failed = end == CRM_IMPACT_NO_ANSWER;
        return CRM_OK;
    }
}
