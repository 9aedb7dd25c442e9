/* The end of an impact that would never end: the plastic projection of what is left. */
#include "law/lzb/state/tail.h"

#include <string.h>

#include "law/lzb/state/line.h"
#include "lcp/solver.h"
#include "model/impulse.h"

static double stored(const lzb_state *state, const crm_model *model, size_t j)
{
    return lzb_state_memory(state, j) != NULL
               ? lzb_state_stored(state, j)
               : lzb_contact_energy(model->stiffness[j], model->exponent[j],
                                    lzb_state_depth(state, j));
}

/* What closing would change: gap velocities, by the projection and by what the energy still stored
 * could give; ...
 */
static double change_of_gaps(const lzb_state *state, const crm_model *model, const double *after)
{
    double most = 0;
    for (size_t j = 0; j < state->contacts; j++) {
        double energy = stored(state, model, j);
        most = fmax(most, fabs(after[j] + state->c[j]) + sqrt(2.0 * energy * model->d_diagonal[j]));
    }
    return most;
}

/* What a contact of the projection loses by Thomson and Tait's rule, p times its mean closing
 * speed; in a wedge one may gain by it what the other loses.
 */
static double loss_by_projection(const lzb_state *state, const double *p, const double *after,
                                 size_t j)
{
    return 0.5 * p[j] * (state->c[j] - after[j]);
}

/* The whole loss goes to those that lose. */
static double share_of_losers(const lzb_state *state, const double *p, const double *after)
{
    double all = 0, losers = 0;
    for (size_t j = 0; j < state->contacts; j++) {
        double loss = loss_by_projection(state, p, after, j);
        all += loss;
        losers += fmax(loss, 0);
    }
    return losers > 0 ? fmax(all, 0) / losers : 0;
}

static void close_contacts(lzb_state *state, const crm_model *model, const double *p,
                           const double *after)
{
    double share = share_of_losers(state, p, after);
    for (size_t j = 0; j < state->contacts; j++) {
        state->loss[j] +=
            stored(state, model, j) + share * fmax(loss_by_projection(state, p, after, j), 0);
    }
    for (size_t j = 0; j < state->contacts; j++) {
        lzb_state_add_impulse(state, j, p[j]);
        state->c[j] = -after[j];
        state->x[j] = state->x_open[j] = 0;
        state->mode[j] = LZB_OPEN;
    }
}

static crm_status project(const lzb_state *state, const crm_model *model, const double *q,
                          double *p, double *w, bool *projected, crm_error *error)
{
    *projected = lzb_line_project(model, q, p, w);
    if (*projected) {
        return CRM_OK;
    }
    crm_lcp *lcp = NULL;
    crm_lcp_info info;
    crm_status status = crm_lcp_create_for_model(model, &lcp, error);
    if (status == CRM_OK) {
        crm_lcp_use_width(lcp, state->width);
        crm_lcp_watch(lcp, state->watching);
        status = crm_lcp_solve(lcp, q, NULL, p, w, &info, error);
    }
    *projected = status == CRM_OK && info.result == CRM_LCP_SOLVED;
    crm_lcp_free(lcp);
    return status;
}

/* The gap velocities of the present velocities, which are consistent with each other to rounding
 * where contacts depend on each other; the closing speeds, each with errors of its own, would make
 * a problem without solution. `work` has 3 n entries.
 */
static crm_status present_gap_velocity(const lzb_state *state, const crm_model *model, double *work,
                                       double *u, crm_error *error)
{
    size_t n = model->coordinates;
    memcpy(work, state->velocity, n * sizeof *work);
    crm_status status =
        crm_model_add_split_impulse(model, state->p, state->remainder, work, work + n, error);
    crm_model_gap_velocity(model, work, u);
    return status;
}

/* The projection of now: by contact, but for the velocities. */
typedef struct projection {
    double *before, *impulse, *after; /* gap velocities before and after */
    double *velocity;                 /* room */
    bool found;
} projection;

static crm_status find_projection(lzb_state *state, const crm_model *model, projection *of,
                                  crm_error *error)
{
    *of = (projection){0};
    if (!crm_model_has_delassus(model)) {
        return CRM_OK;
    }
    size_t s = state->contacts;
    if (state->tail_room == NULL) {
        state->tail_room = CRM_TAKE(state->pool, double, 3 * (s + model->coordinates));
        if (state->tail_room == NULL) {
            return crm_fail_memory(error);
        }
    }
    of->before = state->tail_room;
    of->impulse = of->before + s;
    of->after = of->impulse + s;
    of->velocity = of->after + s;
    crm_status status = present_gap_velocity(state, model, of->velocity, of->before, error);
    return status == CRM_OK
               ? project(state, model, of->before, of->impulse, of->after, &of->found, error)
               : status;
}

crm_status lzb_tail_foresee(lzb_state *state, const crm_model *model, double *impulse, bool *known,
                            crm_error *error)
{
    projection of;
    crm_status status = find_projection(state, model, &of, error);
    *known = status == CRM_OK && of.found;
    for (size_t j = 0; *known && j < state->contacts; j++) {
        impulse[j] = state->p[j] + of.impulse[j];
    }
    return status;
}

crm_status lzb_tail_close(lzb_state *state, const crm_model *model, double limit, bool *closed,
                          double *moved, crm_error *error)
{
    projection of;
    crm_status status = find_projection(state, model, &of, error);
    *closed = false;
    *moved = 0;
    if (status != CRM_OK || !of.found) {
        return status;
    }
    /* ... and velocities, which in a narrow wedge may have to change when gaps do not. */
    double change = change_of_gaps(state, model, of.after), change_of_velocities = 0;
    if (change <= limit * state->speed) {
        status = crm_model_change_as_gap_speed(model, state->p, of.impulse, of.velocity,
                                               &change_of_velocities, error);
        change = fmax(change, change_of_velocities);
    }
    if (status == CRM_OK && change <= limit * state->speed) {
        close_contacts(state, model, of.impulse, of.after);
        *closed = true;
        *moved = change / state->speed;
    }
    return status;
}
