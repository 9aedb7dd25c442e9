/* Which contacts rest, and which of those carry load.
 *
 * Candidates are the contacts that are closed and do not separate. On them
 *
 *     0 <= lambda,   u' = D lambda + W'M^-1 h + bias >= 0,   lambda'u' = 0,
 *
 * the same problem as an impact's, on accelerations. u' is unique; lambda need not be, where
 * gradients depend on each other (a block on three supports). Then lambda is moved along the
 * dependences until the loaded contacts are independent (Caratheodory), so that forces are
 * functions of the state while the set lasts; the others are redundant.
 *
 * lambda_j = u'_j = 0 decides nothing. Such a contact stays closed, with a force that can go either
 * way from 0; if it falls, the contact opens; if the contact can neither stay nor open, it is kept
 * closed for a step. Of several such contacts that depend on each other, one is loaded and the
 * others are redundant; those whose force has just fallen to 0 come last, so that another one is
 * loaded, whose force rises where theirs falls. A released contact stays so until time advances: so
 * each contact is released once at an instant, and an instant has finitely many events.
 */
#include <math.h>
#include <string.h>

#include "carom/lcp.h"
#include "motion/dense.h"
#include "motion/lagrange/lagrange.h"

/* Rounding of an acceleration, relative to its terms. */
static const double ACCELERATION_NOISE = 1e-10;
/* Where gaps move, also relative to its terms at the largest acceleration so far: the acceleration
 * of an oscillating wall is as exact as the time.
 */
static const double PAST_NOISE = 1e-14;
/* Bounces lower than this part of the size are measured by u: g has lost too many digits. */
static const double LOW_PART = 1e-6;
/* A contact with a gap up to this part of the tolerance may rest; the gap is then closed. */
static const double REST_PART = 0.01;
/* A contact depends on others if less than this part of D_jj is independent of theirs. */
static const double DEPENDENT = 1e-9;

double lagrange_zero_gap(const lagrange_motion *motion)
{
    return 1e-3 * motion->common.options.tolerance * motion->def.size;
}

double lagrange_low_bounce_height(const lagrange_motion *motion)
{
    return LOW_PART * motion->def.size;
}

/* A contact with a smaller gap may rest. */
static double rest_gap(const lagrange_motion *motion)
{
    const crm_motion_options *options = &motion->common.options;
    double part = REST_PART * options->tolerance;
    if (options->closure_kind == CRM_CLOSURE_DISTANCE) {
        part = fmin(part, options->closure);
    }
    return fmax(part * motion->def.size, lagrange_zero_gap(motion));
}

/* Size of the terms of u'_j. */
static double acceleration_scale(const lagrange_motion *m, size_t j)
{
    const double *w = m->values.w + j * m->n;
    double sum = fabs(m->values.bias[j]);
    for (size_t i = 0; i < m->n; i++) {
        sum += fabs(w[i] * m->values.free[i]);
    }
    return sum;
}

/* ---- Candidates ------------------------------------------------------------------------------ */

static double largest_acceleration_scale(const lagrange_motion *m)
{
    double most = 0;
    for (size_t j = 0; j < m->gaps; j++) {
        most = fmax(most, acceleration_scale(m, j));
    }
    return most;
}

static double acceleration_noise(const lagrange_motion *m)
{
    double past = 0;
    for (size_t j = 0; m->def.gaps_move && j < m->gaps; j++) {
        double sum = 0;
        for (size_t i = 0; i < m->n; i++) {
            sum += fabs(m->values.w[j * m->n + i]) * m->largest_acceleration;
        }
        past = fmax(past, sum);
    }
    return ACCELERATION_NOISE * largest_acceleration_scale(m) + PAST_NOISE * past;
}

bool lagrange_in_low_bounce(const lagrange_contact *contact)
{
    return contact->state == LAGRANGE_OPEN && contact->low_bounce && contact->height > 0 &&
           contact->closing_speed == 0 && !contact->just_closed;
}

/* The largest gap of a contact at rest. A contact that took part in an impact was closed for it,
 * and may rest where it is; otherwise it would hover, thrown back by each impact of the others on
 * its way down.
 */
static double resting_reach(const lagrange_motion *m, size_t j)
{
    const lagrange_contact *contact = &m->contact[j];
    const crm_motion_options *options = &m->common.options;
    double reach = rest_gap(m);
    if (contact->state != LAGRANGE_OPEN) {
        reach += contact->offset;
    }
    if (contact->closing_speed > 0 && options->closure_kind == CRM_CLOSURE_DISTANCE) {
        reach = fmax(reach, options->closure * m->def.size);
    }
    return reach;
}

/* A contact that opens faster than `slow` rises above the tolerance, whatever presses it. */
static void find_candidates(lagrange_motion *m)
{
    double most = largest_acceleration_scale(m);
    double slow = sqrt(2 * most * m->common.options.tolerance * m->def.size);
    for (size_t j = 0; j < m->gaps; j++) {
        double noise = lagrange_speed_noise(m, j), u = m->values.speed[j];
        m->member[j] = m->values.gap[j] <= resting_reach(m, j) &&
                       !lagrange_in_low_bounce(&m->contact[j]) && u <= fmax(slow, noise) &&
                       u >= -lagrange_least_closing_speed(m, j);
        m->force_scale[j] = most / lagrange_delassus(m, j, j);
    }
}

static size_t list_members(lagrange_motion *m)
{
    size_t count = 0;
    for (size_t j = 0; j < m->gaps; j++) {
        if (m->member[j]) {
            m->list[count++] = j;
        }
    }
    return count;
}

/* ---- Complementarity ------------------------------------------------------------------------- */

static double free_acceleration(const lagrange_motion *m, size_t j)
{
    return crm_dense_dot(m->values.z + j * m->n, m->values.k, m->n) + m->values.bias[j];
}

static crm_status solve_many(lagrange_motion *m, size_t count, double *lambda, double *acceleration,
                             crm_lcp_result *result, crm_error *error)
{
    double *q = m->wide, *d = m->other;
    for (size_t a = 0; a < count; a++) {
        m->column_start[a] = a * count;
        q[a] = free_acceleration(m, m->list[a]);
        for (size_t b = 0; b < count; b++) {
            m->row[a * count + b] = (uint32_t)b;
            d[a * count + b] = lagrange_delassus(m, m->list[a], m->list[b]);
        }
    }
    m->column_start[count] = count * count;
    const crm_sparse_view view = {m->column_start, m->row, d};
    crm_lcp *lcp;
    crm_lcp_info info;
    crm_status status = crm_lcp_create(count, &view, &lcp, error);
    if (status == CRM_OK) {
        status = crm_lcp_solve(lcp, q, NULL, lambda, acceleration, &info, error);
        *result = info.result;
        crm_lcp_free(lcp);
    }
    return status;
}

/* lambda and u' of the listed, into candidate_force and candidate_speed by gap. */
static crm_status solve_candidates(lagrange_motion *m, size_t count, crm_lcp_result *result,
                                   crm_error *error)
{
    double *lambda = m->wide + m->gaps, *acceleration = m->wide + 2 * m->gaps;
    *result = CRM_LCP_SOLVED;
    crm_status status = CRM_OK;
    if (count == 1) {
        double q = free_acceleration(m, m->list[0]);
        lambda[0] = fmax(0, -q / lagrange_delassus(m, m->list[0], m->list[0]));
        acceleration[0] = fmax(q, 0);
    } else if (count > 1) {
        status = solve_many(m, count, lambda, acceleration, result, error);
    }
    memset(m->candidate_force, 0, m->gaps * sizeof *m->candidate_force);
    for (size_t c = 0; status == CRM_OK && c < count; c++) {
        m->candidate_force[m->list[c]] = lambda[c];
        m->candidate_speed[m->list[c]] = acceleration[c];
    }
    return status;
}

/* ---- Independent loaded contacts ------------------------------------------------------------- */

/* D_BB x = D_Bj for the loaded B: w_j = sum x_c w_c + an independent part; returns that part of
 * D_jj, relative.
 */
static double own_part(lagrange_motion *m, size_t j, double *x)
{
    double whole = lagrange_delassus(m, j, j), left = whole;
    double *right = m->wide;
    for (size_t c = 0; c < m->loaded_count; c++) {
        right[c] = x[c] = lagrange_delassus(m, m->loaded[c], j);
    }
    if (m->loaded_count == 0 || !lagrange_solve_loaded(m, x)) {
        return 1;
    }
    return (left - crm_dense_dot(right, x, m->loaded_count)) / whole;
}

/* w_j = sum x_c w_c: moves lambda_j to the others until it, or one of theirs, is 0; that one leaves
 * the loaded ones, and its place among them is returned.
 */
static size_t exchange(lagrange_motion *m, size_t j, const double *x)
{
    double *force = m->candidate_force, move = force[j];
    size_t leaves = SIZE_MAX;
    for (size_t c = 0; c < m->loaded_count; c++) {
        double bound = x[c] < 0 ? -force[m->loaded[c]] / x[c] : INFINITY;
        if (bound < move) {
            move = bound;
            leaves = c;
        }
    }
    for (size_t c = 0; c < m->loaded_count; c++) {
        force[m->loaded[c]] += move * x[c];
    }
    force[j] = leaves == SIZE_MAX ? 0 : force[j] - move;
    if (leaves != SIZE_MAX) {
        force[m->loaded[leaves]] = 0;
        m->loaded_count--;
        memmove(m->loaded + leaves, m->loaded + leaves + 1,
                (m->loaded_count - leaves) * sizeof *m->loaded);
    }
    return leaves;
}

/* Contact j joins the loaded ones. While it depends on them, it exchanges load with them; the one
 * that leaves may have had so small a part in w_j that j depends on those that stay, too.
 */
static void load(lagrange_motion *m, size_t j)
{
    double *x = m->wide + m->gaps;
    size_t place = m->loaded_count;
    while (own_part(m, j, x) <= DEPENDENT) {
        place = exchange(m, j, x);
        if (place == SIZE_MAX) { /* its load is theirs */
            return;
        }
    }
    memmove(m->loaded + place + 1, m->loaded + place,
            (m->loaded_count - place) * sizeof *m->loaded);
    m->loaded[place] = j;
    m->loaded_count++;
}

/* An exchange may leave several contacts without load. */
static void drop_unloaded(lagrange_motion *m, double noise)
{
    size_t kept = 0;
    for (size_t c = 0; c < m->loaded_count; c++) {
        size_t j = m->loaded[c];
        if (m->candidate_force[j] * lagrange_delassus(m, j, j) > noise) {
            m->loaded[kept++] = j;
        }
    }
    m->loaded_count = kept;
}

static void choose_loaded(lagrange_motion *m, size_t count, double noise)
{
    m->loaded_count = 0;
    for (size_t c = 0; c < count; c++) {
        size_t j = m->list[c];
        if (m->candidate_force[j] * lagrange_delassus(m, j, j) > noise) {
            load(m, j);
        }
    }
    drop_unloaded(m, noise);
}

static bool is_loaded(const lagrange_motion *m, size_t j)
{
    for (size_t c = 0; c < m->loaded_count; c++) {
        if (m->loaded[c] == j) {
            return true;
        }
    }
    return false;
}

/* ---- States ---------------------------------------------------------------------------------- */

/* A low bounce continues, or begins here. */
static void open_contact(const lagrange_motion *m, size_t j, unsigned order)
{
    lagrange_contact *contact = &m->contact[j];
    bool in_bounce = lagrange_in_low_bounce(contact);
    bool closed = !in_bounce && m->values.gap[j] <= lagrange_zero_gap(m);
    contact->state = LAGRANGE_OPEN;
    contact->order = closed ? order : 0;
    contact->low_bounce = in_bounce || (closed && order > 0);
    contact->height = in_bounce ? contact->height : 0;
    contact->unloaded_at_start = contact->kept_closed = false;
    contact->offset = 0;
}

/* Rests at a gap of 0, unless its gap is larger than that of a resting contact. */
static void keep_place(const lagrange_motion *m, size_t j)
{
    lagrange_contact *contact = &m->contact[j];
    if (contact->state == LAGRANGE_OPEN) {
        contact->offset = m->values.gap[j] > rest_gap(m) ? m->values.gap[j] : 0;
    }
}

/* A candidate without load. */
static void place_unloaded(lagrange_motion *m, size_t j, double noise)
{
    lagrange_contact *contact = &m->contact[j];
    if (m->values.speed[j] > lagrange_speed_noise(m, j)) {
        open_contact(m, j, 1);
    } else if (m->candidate_speed[j] > noise) {
        open_contact(m, j, 2);
    } else if (own_part(m, j, m->wide + m->gaps) <= DEPENDENT) {
        keep_place(m, j);
        contact->state = LAGRANGE_REDUNDANT;
        contact->order = 0;
        contact->height = 0;
        contact->unloaded_at_start = contact->kept_closed = contact->low_bounce = false;
    } else if (contact->released && !contact->cannot_open) {
        open_contact(m, j, 3);
    } else {
        keep_place(m, j);
        contact->state = LAGRANGE_LOADED;
        contact->unloaded_at_start = true;
        contact->low_bounce = false;
        contact->kept_closed = contact->released;
        m->loaded[m->loaded_count++] = j;
    }
}

/* Candidates without load: those released at this instant, or the others. */
static void place_unloaded_all(lagrange_motion *m, bool released, double noise)
{
    for (size_t j = 0; j < m->gaps; j++) {
        if (m->member[j] && m->contact[j].released == released && !is_loaded(m, j)) {
            place_unloaded(m, j, noise);
        }
    }
}

static void place_all(lagrange_motion *m, double noise)
{
    for (size_t c = 0; c < m->loaded_count; c++) {
        lagrange_contact *contact = &m->contact[m->loaded[c]];
        keep_place(m, m->loaded[c]);
        contact->state = LAGRANGE_LOADED;
        contact->order = 0;
        contact->unloaded_at_start = contact->kept_closed = contact->low_bounce = false;
    }
    for (size_t j = 0; j < m->gaps; j++) {
        if (!m->member[j]) {
            open_contact(m, j, m->values.speed[j] > 0 ? 1 : 0);
        }
    }
    place_unloaded_all(m, false, noise);
    place_unloaded_all(m, true, noise);
}

/* Makes their gap velocities 0, which changes those of coupled contacts. */
static void stop_loaded(lagrange_motion *m)
{
    double work;
    for (size_t c = 0; c < m->loaded_count; c++) {
        size_t j = m->loaded[c];
        m->contact[j].bounces_cut |= m->values.speed[j] > lagrange_speed_noise(m, j);
    }
    m->common.lost += lagrange_project_velocity(m, m->y, &work);
    m->common.impact_work += work;
    for (size_t j = 0; j < m->gaps; j++) {
        m->values.speed[j] =
            crm_dense_dot(m->values.w + j * m->n, m->y + m->positions, m->n) + m->values.rate[j];
    }
}

crm_status lagrange_decide_states(lagrange_motion *m, crm_motion_stop *stopped, crm_error *error)
{
    crm_status status = lagrange_evaluate_instant(m, error);
    if (status == CRM_OK) {
        status = lagrange_evaluate_bias(m, m->t, m->y, error);
    }
    if (status != CRM_OK || m->gaps == 0) {
        return status;
    }
    find_candidates(m);
    m->shortest_bounce = INFINITY;
    double noise = acceleration_noise(m);
    crm_lcp_result result = CRM_LCP_SOLVED;
    do {
        size_t count = list_members(m);
        status = solve_candidates(m, count, &result, error);
        if (status != CRM_OK) {
            return status;
        }
        choose_loaded(m, count, noise);
    } while (result == CRM_LCP_SOLVED && lagrange_exclude_bouncing(m, m->candidate_force) > 0);
    if (result != CRM_LCP_SOLVED) {
        return crm_motion_fail(&m->common, stopped,
                               "no forces keep the resting contacts apart at t = %.17g (%s)", m->t,
                               crm_lcp_result_text(result));
    }
    stop_loaded(m);
    place_all(m, noise);
    return CRM_OK;
}
