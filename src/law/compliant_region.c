/* One contact of the compliant law, and which of many contacts matter at present. */
#include <stdlib.h>

#include "law/compliant.h"

/* So many contacts deep are contacts taken in around those that press noticeably. */
enum { HALO = 8 };
/* Contacts this close to 0 (relative to x_scale) take part in an event elsewhere. */
static const double AT_ONCE = 1e-14;

/* ---- One contact ---------------------------------------------------------------------------- */

compliant_mode compliant_mode_of(double stiffness, double damping, double x, double c,
                                 double shallow, double slow)
{
    if (fabs(x) <= shallow && fabs(c) <= slow) {
        return COMPLIANT_TOUCHING;
    }
    if (x > 0) {
        return stiffness * x + damping * c > 0 ? COMPLIANT_PRESSING : COMPLIANT_RELEASED;
    }
    return x < 0 || c < 0 ? COMPLIANT_OPEN : COMPLIANT_PRESSING;
}

/* C x^(eta-1) c, P3 (20). */
static double viscous(double exponent, double damping, double x, double c)
{
    switch (lzb_kind_of(exponent)) {
    case LZB_LINEAR:
        return damping * c;
    case LZB_HERTZ:
        return damping * sqrt(x) * c;
    default:
        return damping * pow(x, exponent - 1.0) * c;
    }
}

compliant_force compliant_force_of(compliant_mode mode, double stiffness, double exponent,
                                   double damping, double x, double c)
{
    compliant_force f = {0, 0};
    if (mode == COMPLIANT_OPEN || (mode == COMPLIANT_TOUCHING && x < 0)) {
        return f;
    }
    f.elastic = copysign(lzb_force(stiffness, exponent, fabs(x)), x);
    if (mode != COMPLIANT_RELEASED) {
        f.total = f.elastic;
        if (damping > 0) {
            f.total += viscous(exponent, damping, fabs(x), c);
        }
        if (mode == COMPLIANT_TOUCHING) {
            f.total = fmax(f.total, 0);
        }
    }
    return f;
}

/* ---- Region --------------------------------------------------------------------------------- */

crm_status compliant_region_create(size_t contacts, compliant_region *region, crm_error *error)
{
    *region = (compliant_region){.level = NAN,
                                 .shallow = CRM_NEW(double, contacts),
                                 .contact = CRM_NEW(uint32_t, contacts),
                                 .edge = CRM_NEW(uint8_t, contacts),
                                 .depth = CRM_NEW(uint32_t, contacts)};
    return region->shallow != NULL && region->contact != NULL && region->edge != NULL &&
                   region->depth != NULL
               ? CRM_OK
               : crm_fail_memory(error);
}

void compliant_region_release(compliant_region *region)
{
    free(region->shallow);
    free(region->contact);
    free(region->edge);
    free(region->depth);
}

/* The energy E of indentation x can open a contact at sqrt(2 E D) = speed (x/x_scale)^((1+eta)/2).
 */
static void set_level(const lzb_state *state, double level, compliant_region *region)
{
    if (region->level == level) {
        return;
    }
    region->level = level;
    for (size_t j = 0; j < state->contacts; j++) {
        region->shallow[j] =
            state->x_scale[j] * pow(level, 2.0 / (1.0 + state->model->exponent[j]));
    }
}

/* What happens within rounding happens at once: contacts that open or close next to an event.
 * A contact that reached `shallow` must count from then on, so the border is drawn well below.
 */
static void decide_modes(lzb_state *state, double damping, const compliant_region *region)
{
    double slow = 0.5 * region->level * state->speed;
    for (size_t j = 0; j < state->contacts; j++) {
        double near = AT_ONCE * state->x_scale[j];
        bool opens = state->x[j] > 0 && state->x[j] < near && state->c[j] < 0;
        bool closes = state->x[j] < 0 && state->x[j] > -near && state->c[j] > 0;
        if (opens || closes) {
            state->x[j] = 0;
        }
        state->mode[j] =
            (uint8_t)compliant_mode_of(state->model->stiffness[j], damping, state->x[j],
                                       state->c[j], 0.5 * region->shallow[j], slow);
    }
}

static void take_in(compliant_region *region, uint32_t contact, uint32_t depth)
{
    region->depth[contact] = depth;
    region->edge[region->count] = 0;
    region->contact[region->count++] = contact;
}

static void take_in_neighbours(const crm_model *model, compliant_region *region, uint32_t contact)
{
    for (size_t l = model->d_start[contact]; l < model->d_start[contact + 1]; l++) {
        uint32_t i = model->d_column[l];
        if (region->depth[i] == UINT32_MAX) {
            take_in(region, i, region->depth[contact] + 1);
        }
    }
}

static void take_in_pressing(const lzb_state *state, compliant_region *region)
{
    region->count = 0;
    for (uint32_t j = 0; j < state->contacts; j++) {
        region->depth[j] = UINT32_MAX;
        if (state->mode[j] == COMPLIANT_PRESSING || state->mode[j] == COMPLIANT_RELEASED) {
            take_in(region, j, 0);
        }
    }
}

static void take_in_all(const lzb_state *state, compliant_region *region)
{
    for (uint32_t j = 0; j < state->contacts; j++) {
        if (region->depth[j] == UINT32_MAX) {
            take_in(region, j, 0);
        }
    }
}

void compliant_region_build(lzb_state *state, double damping, double level,
                            compliant_region *region)
{
    set_level(state, level, region);
    decide_modes(state, damping, region);
    take_in_pressing(state, region);
    if (region->count > 0 && !crm_model_has_delassus(state->model)) {
        take_in_all(state, region); /* the neighbours are not known */
        return;
    }
    for (size_t k = 0; k < region->count; k++) { /* grows as it goes: breadth first */
        uint32_t j = region->contact[k];
        if (state->mode[j] == COMPLIANT_OPEN) {
            continue;
        }
        if (region->depth[j] < HALO) {
            take_in_neighbours(state->model, region, j);
        } else {
            region->edge[k] = 1;
        }
    }
}
