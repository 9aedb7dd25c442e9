#include "law/lzb/contact/branch.h"

#include <stdio.h>

/* Differences below this fraction of an energy are rounding. */
static const double ROUNDING = 1e-11;

static const crm_curve *present(const crm_model *model, size_t j, const lzb_memory *m)
{
    return m->unloading ? lzb_branch_unloading(model, j) : lzb_branch_loading(model, j);
}

lzb_branch lzb_branch_now(const crm_model *model, size_t j, const lzb_memory *m)
{
    lzb_branch branch = LZB_WHOLE;
    branch.curve = present(model, j, m);
    branch.unloading = m->unloading;
    branch.lost = m->unloading ? 0 : m->lost;
    if (branch.curve != NULL) {
        branch.piece = m->piece;
        branch.bottom = m->piece > 0 ? crm_curve_start(branch.curve, m->piece) : -INFINITY;
        branch.top = crm_curve_start(branch.curve, (size_t)m->piece + 1);
    }
    if (m->unloading) {
        branch.top = lzb_smaller(branch.top, m->highest);
    }
    return branch;
}

double lzb_branch_stored(const crm_model *model, size_t j, const lzb_memory *m, double x)
{
    return m->unloading ? crm_curve_energy(lzb_branch_unloading(model, j), x)
           : x > 0      ? lzb_branch_energy(model, j, x) - m->lost
                        : 0;
}

double lzb_branch_force_now(const crm_model *model, size_t j, const lzb_memory *m, double x)
{
    return m->unloading ? crm_curve_force(lzb_branch_unloading(model, j), x)
                        : lzb_branch_force(model, j, x);
}

/* ---- The end of a compression ---------------------------------------------------------------- */

static crm_status begin_unloading(const crm_model *model, size_t j, lzb_memory *m, double x,
                                  double *y, crm_error *error)
{
    const crm_curve *g = lzb_branch_unloading(model, j);
    double force = lzb_branch_force(model, j, x), work = lzb_branch_energy(model, j, x);
    double top = crm_curve_at_force(g, force), back = crm_curve_energy(g, top);
    double lost = work - back;
    if (!(lost >= m->lost - ROUNDING * work)) {
        char place[48];
        snprintf(place, sizeof place, "contacts[%zu].unloading", j + 1);
        return crm_fail(error, CRM_ERROR_MODEL, place,
                        "unloading from a force of %g N gives back %g J of %g J, and so more than "
                        "was done since the last one: it must be at least as steep as loading",
                        force, back, work);
    }
    m->work = work - m->lost;
    m->returned = lzb_smaller(back, m->work);
    m->deepest = x;
    m->highest = *y = top;
    m->lost = lzb_larger(lost, m->lost);
    m->unloading = true;
    m->piece = (uint32_t)crm_curve_piece(g, top);
    return CRM_OK;
}

crm_status lzb_branch_end_compression(const crm_model *model, size_t j, lzb_memory *m, double x,
                                      double *y, double *restitution, crm_error *error)
{
    const crm_compliance *c = crm_model_compliance(model, j);
    *y = x;
    *restitution = 1;
    if (c->unloading != NULL) {
        return begin_unloading(model, j, m, x, y, error);
    }
    m->work = lzb_branch_energy(model, j, x);
    *restitution = model->restitution[j];
    crm_status status = c->restitution != NULL
                            ? crm_restitution_find(c->restitution, m->work, model->d_diagonal[j], j,
                                                   restitution, error)
                            : CRM_OK;
    m->returned = *restitution * *restitution * m->work;
    return status;
}

/* ---- Knots ----------------------------------------------------------------------------------- */

double lzb_branch_cross(const crm_model *model, size_t j, lzb_memory *m, double x, bool up)
{
    bool leaves =
        up && m->unloading &&
        !(crm_curve_start(lzb_branch_unloading(model, j), (size_t)m->piece + 1) < m->highest);
    if (leaves) {
        const crm_curve *f = lzb_branch_loading(model, j);
        double way = x - m->highest;
        m->unloading = false;
        m->piece = f != NULL ? (uint32_t)crm_curve_piece(f, m->deepest) : 0;
        return m->deepest + way;
    }
    m->piece = up ? m->piece + 1 : m->piece - 1;
    return x;
}

double lzb_branch_kink(const crm_model *model, size_t j, const lzb_branch *branch, bool up,
                       double far)
{
    double x = up ? branch->top + far : branch->bottom - far;
    double here = crm_curve_force_on(branch->curve, branch->piece, x), there;
    if (up && crm_curve_start(branch->curve, branch->piece + 1) > branch->top) { /* the end of G */
        const crm_curve *f = lzb_branch_loading(model, j);
        double from =
            f != NULL ? crm_curve_at_force(f, crm_curve_force(branch->curve, branch->top))
                      : crm_pow(crm_curve_force(branch->curve, branch->top) / model->stiffness[j],
                                1 / model->exponent[j]);
        there = lzb_branch_force(model, j, from + far);
    } else {
        there = crm_curve_force_on(branch->curve, up ? branch->piece + 1 : branch->piece - 1, x);
    }
    return fabs(there - here);
}

double lzb_branch_stiffening(const crm_model *model, size_t j, double x)
{
    const crm_curve *g = lzb_branch_unloading(model, j), *f = lzb_branch_loading(model, j);
    if (g == NULL || !(x > 0)) {
        return 0;
    }
    double force = lzb_branch_force(model, j, x), y = crm_curve_at_force(g, force);
    double slope = f != NULL ? crm_curve_slope_on(f, crm_curve_piece(f, x), x)
                             : lzb_contact_slope(model->exponent[j], force, x);
    return crm_curve_slope_on(g, crm_curve_piece(g, y), y) / slope - 1;
}
