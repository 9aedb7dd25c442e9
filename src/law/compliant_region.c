/* One contact of the compliant law, and which of many contacts matter at present. */
#include <stdlib.h>

#include "law/compliant.h"

/* So many contacts deep are contacts taken in around those that press noticeably. */
enum { HALO = 32 };

/* ---- One contact ------------------------------------------------------------------------------- */

compliant_mode compliant_mode_of(double stiffness, double damping, double x, double c)
{
    if (x > 0) {
        return stiffness * x + damping * c > 0 ? COMPLIANT_PRESSING : COMPLIANT_RELEASED;
    }
    if (x < 0 || c < 0) {
        return COMPLIANT_OPEN;
    }
    return c > 0 ? COMPLIANT_PRESSING : COMPLIANT_TOUCHING;
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

/* ---- Region --------------------------------------------------------------------------------------- */

crm_status compliant_region_create(size_t contacts, compliant_region *region, crm_error *error)
{
    *region = (compliant_region){.contact = CRM_NEW(uint32_t, contacts),
                                 .edge = CRM_NEW(uint8_t, contacts),
                                 .depth = CRM_NEW(uint32_t, contacts)};
    return region->contact != NULL && region->edge != NULL && region->depth != NULL
               ? CRM_OK
               : crm_fail_memory(error);
}

void compliant_region_release(compliant_region *region)
{
    free(region->contact);
    free(region->edge);
    free(region->depth);
}

/* The energy E of indentation x can open a contact at sqrt(2 E D) = speed (x/x_scale)^((1+eta)/2). */
double compliant_region_depth(const lzb_state *state, const compliant_region *region,
                              size_t contact)
{
    double exponent = state->model->exponent[contact];
    return state->x_scale[contact] * pow(region->level, 2.0 / (1.0 + exponent));
}

/* A little less than the depth at which the edge of the region is noticed to be one that counts. */
static bool counts(const lzb_state *state, const compliant_region *region, size_t j)
{
    if (state->mode[j] == COMPLIANT_OPEN || state->mode[j] == COMPLIANT_TOUCHING) {
        return false;
    }
    return state->c[j] > 0.5 * region->level * state->speed ||
           state->x[j] > 0.5 * compliant_region_depth(state, region, j);
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

void compliant_region_build(const lzb_state *state, compliant_region *region)
{
    const crm_model *model = state->model;
    region->count = 0;
    for (uint32_t j = 0; j < state->contacts; j++) {
        region->depth[j] = UINT32_MAX;
    }
    for (uint32_t j = 0; j < state->contacts; j++) {
        if (counts(state, region, j)) {
            take_in(region, j, 0);
        }
    }
    if (region->count == 0) {
        return;
    }
    if (!crm_model_has_delassus(model)) { /* the neighbours are not known: everyone */
        for (uint32_t j = 0; j < state->contacts; j++) {
            if (region->depth[j] == UINT32_MAX) {
                take_in(region, j, 0);
            }
        }
        return;
    }
    for (size_t k = 0; k < region->count; k++) { /* grows as it goes: breadth first */
        uint32_t j = region->contact[k];
        if (state->mode[j] == COMPLIANT_OPEN) {
            continue;
        }
        if (region->depth[j] < HALO) {
            take_in_neighbours(model, region, j);
        } else {
            region->edge[k] = 1;
        }
    }
}
