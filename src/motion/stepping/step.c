/* One step.
 *
 *     q_m = q + h/2 v,    M (v_free - v) = h F(q_m, (v + v_free)/2),
 *     v+ = v_free + M^-1 W p,    q+ = q_m + h/2 v+,
 *
 * W at q_m. Without contacts this is the leapfrog: of second order, symmetric in time, and stable
 * while h times the largest angular frequency is below 2. Where forces depend on v (dampers,
 * gyroscopic moments) v_free is that of the midpoint rule, by iteration.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "motion/stepping/stepping.h"

/* The iteration for v_free: its limit, and the relative change that is rounding. */
enum { MAX_ITERATIONS = 200 };
static const double ROUNDED = 4e-16;

void stepping_advance(const stepping *s, const double *q, const double *v, double h, double *rate,
                      double *to)
{
    if (!s->straight) {
        scene_kinematics(s->scene, q, v, rate);
    }
    const double *moves = s->straight ? v : rate;
    for (size_t k = 0; k < s->scene->positions; k++) {
        to[k] = q[k] + h * moves[k];
    }
    if (!s->straight) {
        scene_normalize(s->scene, to);
    }
}

/* ---- Free motion ----------------------------------------------------------------------------- */

/* v_free from the force at the mean of v and the last v_free; returns its relative change. */
static double iterate(stepping *s)
{
    double h = s->common.options.step, change = 0, most = 0;
    for (size_t k = 0; k < s->scene->velocities; k++) {
        s->mean[k] = 0.5 * (s->v[k] + s->free[k]);
    }
    scene_forces(s->scene, s->middle, s->mean, s->force);
    for (size_t k = 0; k < s->scene->velocities; k++) {
        double next = s->v[k] + h * s->force[k] / s->scene->inertia[k];
        change = fmax(change, s->root[k] * fabs(next - s->free[k]));
        most = fmax(most, s->root[k] * fmax(fabs(next), fabs(s->v[k])));
        s->free[k] = next;
    }
    return most > 0 ? change / most : 0;
}

/* One evaluation is enough where forces depend on positions only, none where they are constant. */
static bool move_freely(stepping *s)
{
    double last = INFINITY, change = 0;
    for (size_t k = 0; k < s->scene->velocities; k++) {
        s->free[k] = s->steady ? s->v[k] + s->kick[k] : s->v[k];
    }
    if (s->steady) {
        return true;
    }
    for (unsigned count = 0; count < (s->damped ? MAX_ITERATIONS : 1); count++) {
        change = iterate(s);
        if (change <= ROUNDED || (change < 1e-12 && change >= last)) {
            return true;
        }
        last = change;
    }
    return !s->damped;
}

/* The square of the change by forces, h^2 a'M a, of each body. */
static void find_force_changes(stepping *s)
{
    s->largest_force_change = 0;
    for (size_t i = 0; i < s->scene->bodies; i++) {
        double force_change = 0;
        for (uint32_t k = stepping_first(s, i); k < stepping_first(s, i) + stepping_width(s, i);
             k++) {
            double part = s->root[k] * (s->free[k] - s->v[k]);
            force_change += part * part;
        }
        s->force_change[i] = force_change;
        if (s->body[i].hold != SCENE_FIXED) {
            s->largest_force_change =
                stepping_larger(s->largest_force_change, force_change / s->body[i].mass);
        }
    }
}

/* ---- Failures -------------------------------------------------------------------------------- */

static void name_pair(const stepping *s, size_t gap, char *text, size_t size)
{
    char a[48], b[48];
    stepping_party_name(s, s->gap[gap].party[0], a, sizeof a);
    stepping_party_name(s, s->gap[gap].party[1], b, sizeof b);
    snprintf(text, size, "%s and %s", a, b);
}

/* Whether two bodies have passed through each other: their relative path in the step is longer than
 * their size and crosses it.
 */
static bool passes(const stepping *s, const stepping_gap *candidate)
{
    if (candidate->party[1] >= s->scene->bodies) {
        return false;
    }
    double from[3], way[3], way_way = 0, from_way = 0, square = 0;
    double a0[3], b0[3], a1[3], b1[3];
    stepping_centre(s, candidate->party[0], s->q0, a0);
    stepping_centre(s, candidate->party[1], s->q0, b0);
    stepping_centre(s, candidate->party[0], s->q, a1);
    stepping_centre(s, candidate->party[1], s->q, b1);
    for (unsigned d = 0; d < 3; d++) {
        from[d] = b0[d] - a0[d];
        way[d] = b1[d] - a1[d] - from[d];
        way_way += way[d] * way[d];
        from_way += from[d] * way[d];
    }
    if (!(way_way > candidate->size * candidate->size)) {
        return false;
    }
    double nearest = fmax(0, fmin(1, -from_way / way_way));
    for (unsigned d = 0; d < 3; d++) {
        square += (from[d] + nearest * way[d]) * (from[d] + nearest * way[d]);
    }
    return square < candidate->size * candidate->size;
}

static size_t find_passed(const stepping *s)
{
    for (size_t j = 0; j < s->gaps; j++) {
        if (passes(s, &s->gap[j])) {
            return j;
        }
    }
    return SIZE_MAX;
}

/* Restores the state before the step. */
static crm_status fail_step(stepping *s, crm_motion_stop *stopped, const char *what, size_t gap)
{
    char pair[128] = "";
    if (gap < s->gaps) {
        name_pair(s, gap, pair, sizeof pair);
    }
    memcpy(s->q, s->q0, s->scene->positions * sizeof *s->q);
    memcpy(s->v, s->v0, s->scene->velocities * sizeof *s->v);
    return crm_motion_fail(&s->common, stopped, "%s%s in the step from t = %.10g (step %g s)", pair,
                           what, stepping_time(s, s->steps), s->common.options.step);
}

/* ---- The step -------------------------------------------------------------------------------- */

static crm_status resolve_contacts(stepping *s, double t, size_t *failed_gap, crm_error *error)
{
    double h = s->common.options.step;
    crm_status status = stepping_candidates_update(s, s->middle, t + 0.5 * h, error);
    if (status == CRM_OK) {
        status = stepping_contacts_find(s, t, error);
    }
    if (status == CRM_OK) {
        status = stepping_islands_solve(s, &s->contacts, &s->velocity, s->force, failed_gap, error);
    }
    for (size_t k = 0; k < s->scene->velocities && status == CRM_OK; k++) {
        s->v[k] = s->free[k] + s->force[k] / s->root[k];
    }
    return status;
}

static crm_status finish_step(stepping *s, double t, crm_motion_stop *stopped, crm_error *error)
{
    double h = s->common.options.step;
    bool apart = true;
    stepping_advance(s, s->middle, s->v, 0.5 * h, s->work, s->q);
    size_t passed = find_passed(s);
    if (passed != SIZE_MAX) {
        return fail_step(s, stopped, " pass through each other (take a shorter step)", passed);
    }
    crm_status status = stepping_notify_impacts(s, t + 0.5 * h, error);
    stepping_account_step(s);
    status = status == CRM_OK ? stepping_project(s, t + h, &apart, error) : status;
    if (status == CRM_OK && !apart) {
        return fail_step(s, stopped, "bodies overlap and cannot be brought apart", SIZE_MAX);
    }
    stepping_detect_rest(s);
    s->steps++;
    return status;
}

crm_status stepping_take(stepping *s, crm_motion_stop *stopped, crm_error *error)
{
    double t = stepping_time(s, s->steps);
    size_t failed_gap = SIZE_MAX;
    memcpy(s->q0, s->q, s->scene->positions * sizeof *s->q);
    memcpy(s->v0, s->v, s->scene->velocities * sizeof *s->v);
    stepping_advance(s, s->q, s->v, 0.5 * s->common.options.step, s->work, s->middle);
    if (!move_freely(s)) {
        return fail_step(s, stopped, "the step is too long for the dampers", SIZE_MAX);
    }
    find_force_changes(s);
    crm_status status = resolve_contacts(s, t, &failed_gap, error);
    if (status != CRM_OK) {
        return status;
    }
    if (failed_gap != SIZE_MAX) {
        return fail_step(s, stopped, " cannot move: no velocity satisfies all contacts",
                         failed_gap);
    }
    return finish_step(s, t, stopped, error);
}
