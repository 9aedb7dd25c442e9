/* Which contacts rest, and which of those carry load.
 *
 * Candidates are the contacts that are closed and do not separate. On them
 *
 *     0 <= lambda,   u' = D lambda + W'M^-1 h + bias >= 0,   lambda'u' = 0,
 *
 * the same problem as an impact's, on accelerations. u' is unique; lambda need not be, where
 * gradients depend on each other (a block on three supports). Then it is moved along the
 * dependences until what is loaded is independent (Caratheodory), so that forces are functions of
 * the state while the set lasts; the contacts that drop out are carried by the others.
 *
 * lambda_j = u'_j = 0 decides nothing. Such a contact is kept closed and its force watched, which
 * from 0 can go either way; if it falls the contact opens; and if it can neither stay nor open it
 * is held for a step. Of several such that depend on each other, one carries the others; those
 * whose force has just fallen to 0 come last, so that another takes over: its force rises where
 * theirs falls. What has been released stays so until time goes on: so each contact is released
 * once at an instant, and an instant ends.
 */
#include <math.h>
#include <string.h>

#include "carom/lcp.h"
#include "motion/dense.h"
#include "motion/lagrange/lagrange.h"

/* Of the terms of an acceleration: below this it is 0. */
static const double ACCELERATION_NOISE = 1e-10;
/* Where gaps move, of what it would be at the largest acceleration there was, too: that of a wall
 * that swings is as exact as the time.
 */
static const double PAST_NOISE = 1e-14;
/* Flights lower than this part of the size are measured by u: g has lost too many digits. */
static const double LOW_PART = 1e-6;
/* Gaps of contacts that rest, as a part of the tolerance: they are closed the rest of the way. */
static const double REST_PART = 0.01;
/* Less than this part of D_jj its own: it depends on the others. */
static const double DEPENDENT = 1e-9;

double lag_zero_gap(const lag_motion *motion)
{
    return 1e-3 * motion->common.options.tolerance * motion->def.size;
}

double lag_low_flight(const lag_motion *motion)
{
    return LOW_PART * motion->def.size;
}

double lag_rest_gap(const lag_motion *motion)
{
    const crm_motion_options *options = &motion->common.options;
    double part = REST_PART * options->tolerance;
    if (options->closure_kind == CRM_CLOSURE_DISTANCE) {
        part = fmin(part, options->closure);
    }
    return fmax(part * motion->def.size, lag_zero_gap(motion));
}

double lag_pressing(const lag_motion *m, size_t j)
{
    const double *w = m->local.w + j * m->n;
    double sum = fabs(m->local.bias[j]);
    for (size_t i = 0; i < m->n; i++) {
        sum += fabs(w[i] * m->local.free[i]);
    }
    return sum;
}

/* ---- Candidates ------------------------------------------------------------------------------ */

static double pressing_most(const lag_motion *m)
{
    double most = 0;
    for (size_t j = 0; j < m->gaps; j++) {
        most = fmax(most, lag_pressing(m, j));
    }
    return most;
}

static double acceleration_noise(const lag_motion *m)
{
    double past = 0;
    for (size_t j = 0; m->def.gaps_move && j < m->gaps; j++) {
        double sum = 0;
        for (size_t i = 0; i < m->n; i++) {
            sum += fabs(m->local.w[j * m->n + i]) * m->hardest;
        }
        past = fmax(past, sum);
    }
    return ACCELERATION_NOISE * pressing_most(m) + PAST_NOISE * past;
}

bool lag_flies(const lag_contact *contact)
{
    return contact->state == LAG_OPEN && contact->low && contact->height > 0 &&
           contact->closing == 0 && !contact->struck;
}

/* How large a gap may be to rest. What took part in an impact was closed for it, and may rest where
 * it is; if it could not, it would hover: bounced by each impact of the others on its way down.
 */
static double resting_reach(const lag_motion *m, size_t j)
{
    const lag_contact *contact = &m->contact[j];
    const crm_motion_options *options = &m->common.options;
    double reach = lag_rest_gap(m);
    if (contact->state != LAG_OPEN) {
        reach += contact->offset;
    }
    if (contact->closing > 0 && options->closure_kind == CRM_CLOSURE_DISTANCE) {
        reach = fmax(reach, options->closure * m->def.size);
    }
    return reach;
}

/* A bounce that begins faster than this rises above the tolerance whatever presses. */
static void find_candidates(lag_motion *m)
{
    double most = pressing_most(m);
    double slow = sqrt(2 * most * m->common.options.tolerance * m->def.size);
    for (size_t j = 0; j < m->gaps; j++) {
        double noise = lag_speed_noise(m, j), u = m->local.speed[j];
        m->member[j] = m->local.gap[j] <= resting_reach(m, j) && !lag_flies(&m->contact[j]) &&
                       u <= fmax(slow, noise) && u >= -fmax(noise, lag_soft_speed(m, j));
        m->force_scale[j] = most / lag_delassus(m, j, j);
    }
}

static size_t list_members(lag_motion *m)
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

static double free_acceleration(const lag_motion *m, size_t j)
{
    return crm_dense_dot(m->local.z + j * m->n, m->local.k, m->n) + m->local.bias[j];
}

static crm_status solve_many(lag_motion *m, size_t count, double *lambda, double *acceleration,
                             crm_lcp_result *result, crm_error *error)
{
    double *q = m->wide, *d = m->other;
    for (size_t a = 0; a < count; a++) {
        m->column_start[a] = a * count;
        q[a] = free_acceleration(m, m->list[a]);
        for (size_t b = 0; b < count; b++) {
            m->row[a * count + b] = (uint32_t)b;
            d[a * count + b] = lag_delassus(m, m->list[a], m->list[b]);
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
static crm_status solve_candidates(lag_motion *m, size_t count, crm_lcp_result *result,
                                   crm_error *error)
{
    double *lambda = m->wide + m->gaps, *acceleration = m->wide + 2 * m->gaps;
    *result = CRM_LCP_SOLVED;
    crm_status status = CRM_OK;
    if (count == 1) {
        double q = free_acceleration(m, m->list[0]);
        lambda[0] = fmax(0, -q / lag_delassus(m, m->list[0], m->list[0]));
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

/* D_BB x = D_Bj for the loaded B: x of w_j's part along theirs; what is left of D_jj, relative. */
static double own_part(lag_motion *m, size_t j, double *x)
{
    double whole = lag_delassus(m, j, j), left = whole;
    double *right = m->wide;
    for (size_t c = 0; c < m->loaded_count; c++) {
        right[c] = x[c] = lag_delassus(m, m->loaded[c], j);
    }
    if (m->loaded_count == 0 || !lag_solve_loaded(m, x)) {
        return 1;
    }
    return (left - crm_dense_dot(right, x, m->loaded_count)) / whole;
}

/* w_j = sum x_c w_c: lambda_j gives way to the others' until it, or one of them, is 0. */
static void exchange(lag_motion *m, size_t j, const double *x)
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
        m->loaded[leaves] = j;
    }
}

/* Exchanges may leave more than the one that leaves without load. */
static void drop_unloaded(lag_motion *m, double noise)
{
    size_t kept = 0;
    for (size_t c = 0; c < m->loaded_count; c++) {
        size_t j = m->loaded[c];
        if (m->candidate_force[j] * lag_delassus(m, j, j) > noise) {
            m->loaded[kept++] = j;
        }
    }
    m->loaded_count = kept;
}

static void choose_loaded(lag_motion *m, size_t count, double noise)
{
    double *x = m->wide + m->gaps;
    m->loaded_count = 0;
    for (size_t c = 0; c < count; c++) {
        size_t j = m->list[c];
        if (m->candidate_force[j] * lag_delassus(m, j, j) <= noise) {
            continue;
        }
        if (own_part(m, j, x) > DEPENDENT) {
            m->loaded[m->loaded_count++] = j;
        } else {
            exchange(m, j, x);
        }
    }
    drop_unloaded(m, noise);
}

static bool is_loaded(const lag_motion *m, size_t j)
{
    for (size_t c = 0; c < m->loaded_count; c++) {
        if (m->loaded[c] == j) {
            return true;
        }
    }
    return false;
}

/* ---- States ---------------------------------------------------------------------------------- */

/* A low flight goes on, or begins here. */
static void open_contact(const lag_motion *m, size_t j, unsigned order)
{
    lag_contact *contact = &m->contact[j];
    bool on_its_way = lag_flies(contact);
    bool closed = !on_its_way && m->local.gap[j] <= lag_zero_gap(m);
    contact->state = LAG_OPEN;
    contact->order = closed ? order : 0;
    contact->low = on_its_way || (closed && order > 0);
    contact->height = on_its_way ? contact->height : 0;
    contact->idle = contact->held = false;
    contact->offset = 0;
}

/* Where it rests: at 0 if that is near. */
static void keep_place(const lag_motion *m, size_t j)
{
    lag_contact *contact = &m->contact[j];
    if (contact->state == LAG_OPEN) {
        contact->offset = m->local.gap[j] > lag_rest_gap(m) ? m->local.gap[j] : 0;
    }
}

/* A candidate without load. */
static void place_unloaded(lag_motion *m, size_t j, double noise)
{
    lag_contact *contact = &m->contact[j];
    if (m->local.speed[j] > lag_speed_noise(m, j)) {
        open_contact(m, j, 1);
    } else if (m->candidate_speed[j] > noise) {
        open_contact(m, j, 2);
    } else if (own_part(m, j, m->wide + m->gaps) <= DEPENDENT) {
        keep_place(m, j);
        contact->state = LAG_CARRIED;
        contact->order = 0;
        contact->height = 0;
        contact->idle = contact->held = contact->low = false;
    } else if (contact->released && !contact->refused) {
        open_contact(m, j, 3);
    } else {
        keep_place(m, j);
        contact->state = LAG_LOADED;
        contact->idle = true;
        contact->low = false;
        contact->held = contact->released;
        m->loaded[m->loaded_count++] = j;
    }
}

/* Candidates without load, those that have been released here or the others. */
static void place_unloaded_all(lag_motion *m, bool released, double noise)
{
    for (size_t j = 0; j < m->gaps; j++) {
        if (m->member[j] && m->contact[j].released == released && !is_loaded(m, j)) {
            place_unloaded(m, j, noise);
        }
    }
}

static void place_all(lag_motion *m, double noise)
{
    for (size_t c = 0; c < m->loaded_count; c++) {
        lag_contact *contact = &m->contact[m->loaded[c]];
        keep_place(m, m->loaded[c]);
        contact->state = LAG_LOADED;
        contact->order = 0;
        contact->idle = contact->held = contact->low = false;
    }
    for (size_t j = 0; j < m->gaps; j++) {
        if (!m->member[j]) {
            open_contact(m, j, m->local.speed[j] > 0 ? 1 : 0);
        }
    }
    place_unloaded_all(m, false, noise);
    place_unloaded_all(m, true, noise);
}

/* Their velocities are made 0, which others that depend on them feel. */
static void stop_loaded(lag_motion *m)
{
    double work;
    for (size_t c = 0; c < m->loaded_count; c++) {
        size_t j = m->loaded[c];
        m->contact[j].cut |= m->local.speed[j] > lag_speed_noise(m, j);
    }
    m->common.lost += lag_project_velocity(m, m->y, &work);
    m->common.impact_work += work;
    for (size_t j = 0; j < m->gaps; j++) {
        m->local.speed[j] =
            crm_dense_dot(m->local.w + j * m->n, m->y + m->positions, m->n) + m->local.rate[j];
    }
}

crm_status lag_decide(lag_motion *m, crm_motion_stop *stopped, crm_error *error)
{
    crm_status status = lag_local_instant(m, error);
    if (status == CRM_OK) {
        status = lag_local_bias(m, m->t, m->y, error);
    }
    if (status != CRM_OK || m->gaps == 0) {
        return status;
    }
    find_candidates(m);
    m->flight = INFINITY;
    double noise = acceleration_noise(m);
    crm_lcp_result result = CRM_LCP_SOLVED;
    do {
        size_t count = list_members(m);
        status = solve_candidates(m, count, &result, error);
        if (status != CRM_OK) {
            return status;
        }
        choose_loaded(m, count, noise);
    } while (result == CRM_LCP_SOLVED && lag_leave_bouncing(m, m->candidate_force) > 0);
    if (result != CRM_LCP_SOLVED) {
        return crm_motion_fail(&m->common, stopped,
                               "no forces keep the resting contacts apart at t = %.17g (%s)", m->t,
                               crm_lcp_result_text(result));
    }
    stop_loaded(m);
    place_all(m, noise);
    return CRM_OK;
}
