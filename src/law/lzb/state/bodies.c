/* Closing speeds by way of the bodies: c = c0 - W'M^-1 W p instead of c0 - D p.
 *
 * A light body between heavy ones makes entries of D of 1/m on two contacts, which cancel in what
 * the heavy ones do to each other: their share of D, 1/M, is known to 1e-16 M/m only, and with it
 * how fast the group as a whole comes and goes. A body held for long swings thousands of times
 * meanwhile, so that its velocity in the end depends on that as much as on anything. The rows of a
 * step may be made with D, for what they leave behind is p; what p does to the speeds follows from
 * W and M in twice the precision.
 */
#include "law/lzb/state/bodies.h"

crm_status lzb_bodies_begin(lzb_state *state, double tolerance, crm_error *error)
{
    const crm_model *model = state->model;
    if (!crm_model_has_delassus(model) || !lzb_state_is_uneven(model, tolerance)) {
        return CRM_OK;
    }
    crm_twofold *per_mass = CRM_TAKE(state->pool, crm_twofold, 2 * model->coordinates);
    if (per_mass == NULL) {
        return crm_fail_memory(error);
    }
    if (crm_mass_invert_diagonal(&model->mass, per_mass)) {
        state->per_mass = per_mass;
        state->momentum = per_mass + model->coordinates;
    }
    return CRM_OK;
}

/* momentum = W p of the bodies that these contacts move. */
static void move_bodies(const lzb_state *state, const uint32_t *contacts, size_t count,
                        const double *impulse)
{
    const crm_model *model = state->model;
    for (size_t k = 0; k < count; k++) {
        size_t j = contacts[k];
        for (size_t e = model->w_start[j]; e < model->w_start[j + 1]; e++) {
            state->momentum[model->w_row[e]] = crm_twofold_of(0);
        }
    }
    for (size_t k = 0; k < count; k++) {
        size_t j = contacts[k];
        crm_twofold p = crm_twofold_of(impulse[k]);
        for (size_t e = model->w_start[j]; e < model->w_start[j + 1] && p.high != 0; e++) {
            crm_twofold *to = &state->momentum[model->w_row[e]];
            *to = crm_twofold_quick_sum(*to, crm_twofold_multiple(p, model->w_value[e]));
        }
    }
}

void lzb_bodies_kick(const lzb_state *state, const uint32_t *contacts, size_t count,
                     const double *impulse, const double *before, double *after)
{
    const crm_model *model = state->model;
    if (state->per_mass == NULL) {
        return;
    }
    move_bodies(state, contacts, count, impulse);
    for (size_t k = 0; k < count; k++) {
        size_t j = contacts[k];
        crm_twofold c = crm_twofold_of(before[k]);
        for (size_t e = model->w_start[j]; e < model->w_start[j + 1]; e++) {
            size_t i = model->w_row[e];
            crm_twofold v = crm_twofold_product(state->momentum[i], state->per_mass[i]);
            c = crm_twofold_quick_sum(c, crm_twofold_multiple(v, -model->w_value[e]));
        }
        after[k] = c.high;
    }
}
