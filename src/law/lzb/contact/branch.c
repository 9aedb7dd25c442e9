#include "law/lzb/contact/branch.h"

#include "base/locale.h"

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

static double slope_of_loading(const crm_model *model, size_t j, double force, double x)
{
    const crm_curve *f = lzb_branch_loading(model, j);
    return f != NULL ? crm_curve_slope_on(f, crm_curve_piece(f, x), x)
                     : lzb_contact_slope(model->exponent[j], force, x);
}

/* G of one power is as steep as F at this force if eta F / y >= F': K = F / y^eta with y = eta F /
 * F'.
 */
static crm_status refuse_gain(const crm_model *model, size_t j, double x, double y, double back,
                              crm_error *error)
{
    const crm_curve *g = lzb_branch_unloading(model, j);
    double force = lzb_branch_force(model, j, x), slope = slope_of_loading(model, j, force, x);
    char place[48], remedy[96] = "";
    if (g->terms == 1 && g->pieces == 1) {
        double eta = g->eta[0];
        crm_snprintf(remedy, sizeof remedy,
                     ", here with its exponent %g a stiffness from about %.4g on", eta,
                     force / crm_pow(eta * force / slope, eta));
    }
    crm_snprintf(place, sizeof place, "contacts[%zu].unloading", j + 1);
    return crm_fail(
        error, CRM_ERROR_MODEL, place,
        "unloading from %.4g N gives back %.4g J of the %.4g J of loading: at this force it "
        "rises by %.4g N/m and loading by %.4g. It must be at least as steep%s; with the "
        "exponent of loading and a larger stiffness it is at every force",
        force, back, lzb_branch_energy(model, j, x),
        crm_curve_slope_on(g, crm_curve_piece(g, y), y), slope, remedy);
}

static crm_status begin_unloading(const crm_model *model, size_t j, lzb_memory *m, double x,
                                  double *y, crm_error *error)
{
    const crm_curve *g = lzb_branch_unloading(model, j);
    double force = lzb_branch_force(model, j, x), work = lzb_branch_energy(model, j, x);
    double top = crm_curve_at_force(g, force), back = crm_curve_energy(g, top);
    double lost = work - back;
    if (!(lost >= m->lost - ROUNDING * work)) {
        return refuse_gain(model, j, x, top, back, error);
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
    const crm_curve *g = lzb_branch_unloading(model, j);
    if (g == NULL || !(x > 0)) {
        return 0;
    }
    double force = lzb_branch_force(model, j, x), y = crm_curve_at_force(g, force);
    return crm_curve_slope_on(g, crm_curve_piece(g, y), y) / slope_of_loading(model, j, force, x) -
           1;
}
