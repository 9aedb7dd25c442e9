/* Wedging: impulses in the friction cones, not all 0, that move nothing.
 *
 * A cone is spanned by its edges g = w + mu t cos + mu t' sin; in the plane there are two, w +- mu
 * t, in space a pyramid has some on the cone (inside) or around it. Edges that carry impulses z >=
 * 0, z not 0, with G z = 0 wedge; if there are none, Gordan has a v with G'v >= 1. Both are found
 * by the convex programme
 *
 *     min |G z|^2 / 2 + (1'z)^2 / 2 - 1'z,   z >= 0      (|.|^2 by M^-1, D = G'M^-1 G)
 *
 * which always has an answer: at it D z >= 1 - 1'z =: m and z'D z = m 1'z, so that 0 <= m <= 1. If
 * m is 0, z wedges; else v = M^-1 G z opens every edge by m at least.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/elementary.h"
#include "carom/coulomb.h"
#include "carom/lcp.h"
#include "model/model.h"

enum { SIDES = 24, EDGES_MOST = 1000 };

typedef struct edges {
    const crm_model *model;
    unsigned each; /* of a contact */
    size_t count;
    double *along; /* of each edge the parts of normal and tangents, 3 */
    double *d;     /* count * count: D, of unit diagonal, and 1 to each entry */
    double *root;  /* sqrt of the diagonal before */
    double *q, *z;
} edges;

/* Without tangents the one edge is the normal. */
static void set_edge(const edges *e, size_t edge, double widened)
{
    const double turn = 2 * crm_acos(-1) / SIDES;
    size_t contact = edge / e->each, side = edge % e->each;
    double mu = e->model->friction != NULL ? e->model->friction[contact] * widened : 0;
    double *along = e->along + 3 * edge;
    along[0] = 1;
    if (e->model->tangents == 1) {
        along[1] = side == 0 ? mu : -mu;
    } else if (e->model->tangents == 2) {
        along[1] = mu * crm_cos(turn * (double)side);
        along[2] = mu * crm_sin(turn * (double)side);
    }
}

static double product(const edges *e, size_t a, size_t b)
{
    unsigned d = 1 + e->model->tangents;
    size_t i = a / e->each, j = b / e->each;
    double sum = 0;
    for (unsigned k = 0; k < d; k++) {
        for (unsigned l = 0; l < d; l++) {
            double own = d == 1 ? crm_model_delassus(e->model, i, j)
                                : crm_model_delassus(e->model->directions, i * d + k, j * d + l);
            sum += e->along[3 * a + k] * e->along[3 * b + l] * own;
        }
    }
    return sum;
}

/* An edge that moves nothing, but for rounding, is a row of zeros. */
static void fill(edges *e, double widened)
{
    static const double ROUNDING = 1e-14;
    size_t n = e->count;
    for (size_t a = 0; a < n; a++) {
        set_edge(e, a, widened);
    }
    for (size_t a = 0; a < n; a++) {
        double normal = crm_model_delassus(e->model, a / e->each, a / e->each);
        double own = product(e, a, a);
        e->root[a] = own > ROUNDING * normal ? sqrt(own) : 0;
        e->q[a] = -1;
    }
    for (size_t a = 0; a < n; a++) {
        for (size_t b = 0; b < n; b++) {
            double scale = e->root[a] * e->root[b];
            double own = a == b ? 1 : scale > 0 ? product(e, a, b) / scale : 0;
            e->d[a * n + b] = 1 + (scale > 0 ? own : 0);
        }
    }
}

static crm_status solve(edges *e, crm_lcp_result *result, crm_error *error)
{
    size_t n = e->count;
    size_t *start = CRM_NEW(size_t, n + 1);
    uint32_t *row = CRM_NEW(uint32_t, n * n);
    crm_lcp *lcp = NULL;
    crm_lcp_info info;
    crm_status status = start != NULL && row != NULL ? CRM_OK : crm_fail_memory(error);
    for (size_t a = 0; status == CRM_OK && a < n; a++) {
        start[a + 1] = start[a] + n;
        for (size_t b = 0; b < n; b++) {
            row[a * n + b] = (uint32_t)b;
        }
    }
    const crm_sparse_view view = {start, row, e->d};
    crm_lcp_options options = crm_lcp_options_default();
    options.least_norm = false;
    if (status == CRM_OK) {
        status = crm_lcp_create(n, &view, &lcp, error);
    }
    if (status == CRM_OK) {
        status = crm_lcp_solve(lcp, e->q, &options, e->z, NULL, &info, error);
        *result = info.result;
    }
    crm_lcp_free(lcp);
    free(start);
    free(row);
    return status;
}

/* ---- Witnesses ------------------------------------------------------------------------------- */

/* Impulses of all directions, from those of the edges. */
static double *gather(const edges *e)
{
    unsigned d = 1 + e->model->tangents;
    double *impulse = CRM_NEW(double, e->model->contacts *d);
    for (size_t a = 0; a < e->count && impulse != NULL; a++) {
        for (unsigned k = 0; k < d; k++) {
            double part = e->root[a] > 0 ? e->z[a] / e->root[a] : e->z[a];
            impulse[a / e->each * d + k] += e->along[3 * a + k] * part;
        }
    }
    return impulse;
}

/* The least u_n - mu |u_t| without what is prescribed. */
static double least_margin(const crm_model *model, const double *v)
{
    double least = INFINITY;
    for (size_t j = 0; j < model->contacts; j++) {
        double u[3] = {0};
        for (unsigned k = 0; k <= model->tangents; k++) {
            size_t count;
            const uint32_t *row;
            const double *value;
            if (k == 0) {
                crm_model_gradient(model, j, &count, &row, &value);
            } else {
                crm_model_tangent(model, j, k - 1, &count, &row, &value);
            }
            for (size_t i = 0; i < count; i++) {
                u[k] += value[i] * v[row[i]];
            }
        }
        double mu = model->friction != NULL ? model->friction[j] : 0;
        least = fmin(least, u[0] - mu * crm_hypot(u[1], u[2]));
    }
    return least;
}

/* What rounding has spoilt is no witness. */
static crm_status find_motion(const edges *e, bool *good, double *witness, crm_error *error)
{
    const crm_model *model = e->model;
    double *impulse = gather(e), *v = CRM_NEW(double, model->coordinates);
    crm_status status =
        impulse != NULL && v != NULL
            ? crm_model_apply_impulse(model->directions != NULL ? model->directions : model,
                                      impulse, v, error)
            : crm_fail_memory(error);
    double least = status == CRM_OK ? least_margin(model, v) : 0;
    *good = least > 0;
    for (size_t i = 0; *good && witness != NULL && i < model->coordinates; i++) {
        witness[i] = v[i] / least;
    }
    free(impulse);
    free(v);
    return status;
}

static crm_status find_stress(const edges *e, double *witness, crm_error *error)
{
    unsigned d = 1 + e->model->tangents;
    double *impulse = gather(e), most = 0;
    if (impulse == NULL) {
        return crm_fail_memory(error);
    }
    for (size_t j = 0; j < e->model->contacts; j++) {
        most = fmax(most, impulse[j * d]);
    }
    for (size_t j = 0; witness != NULL && j < e->model->contacts; j++) {
        witness[j] = impulse[j * d] / most;
    }
    free(impulse);
    return CRM_OK;
}

/* ---- Together -------------------------------------------------------------------------------- */

/* m of the answer, which rounding leaves not quite 0. */
static double margin_of(const edges *e)
{
    double sum = 0;
    for (size_t a = 0; a < e->count; a++) {
        sum += e->z[a];
    }
    return 1 - sum;
}

/* In space cones are taken for the pyramids inside, which may wedge, or around them, which may not.
 */
static crm_status try(edges *e, bool around, crm_coulomb_wedging *wedging, double *witness,
                      crm_error *error)
{
    static const double ROUNDING = 1e-13;
    crm_lcp_result result = CRM_LCP_NOT_TERMINATED;
    fill(e, around && e->model->tangents == 2 ? 1 / crm_cos(crm_acos(-1) / SIDES) : 1);
    crm_status status = solve(e, &result, error);
    bool good = false;
    bool wedges = result == CRM_LCP_SOLVED && fabs(margin_of(e)) <= ROUNDING;
    if (status == CRM_OK && result == CRM_LCP_SOLVED && !wedges) {
        status = find_motion(e, &good, witness, error);
        *wedging = good ? CRM_COULOMB_WEDGING_IMPOSSIBLE : *wedging;
    }
    if (status == CRM_OK && wedges && !around) {
        *wedging = CRM_COULOMB_WEDGING_POSSIBLE;
        status = find_stress(e, witness, error);
    }
    return status;
}

static bool allocate(edges *e)
{
    e->along = CRM_NEW(double, 3 * e->count);
    e->d = CRM_NEW(double, e->count * e->count);
    e->root = CRM_NEW(double, e->count);
    e->q = CRM_NEW(double, e->count);
    e->z = CRM_NEW(double, e->count);
    return e->along != NULL && e->d != NULL && e->root != NULL && e->q != NULL && e->z != NULL;
}

crm_status crm_coulomb_find_wedging(const crm_model *model, crm_coulomb_wedging *wedging,
                                    double *witness, crm_error *error)
{
    CRM_USUAL_ARITHMETIC;
    if (crm_fail_if_null(model, "model", error) || crm_fail_if_null(wedging, "wedging", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    static const unsigned sides[] = {1, 2, SIDES};
    edges e = {.model = model, .each = sides[model->tangents]};
    e.count = e.each * model->contacts;
    *wedging = CRM_COULOMB_WEDGING_UNKNOWN;
    if (e.count > EDGES_MOST) {
        return CRM_OK;
    }
    crm_status status = allocate(&e) ? CRM_OK : crm_fail_memory(error);
    for (int around = 0; around < 2 && status == CRM_OK; around++) {
        /* Outside is asked only in space, where inside alone proves no motion. */
        if (around == 0 || (model->tangents == 2 && *wedging != CRM_COULOMB_WEDGING_POSSIBLE)) {
            status = try(&e, around == 1, wedging, witness, error);
        }
    }
    free(e.along);
    free(e.d);
    free(e.root);
    free(e.q);
    free(e.z);
    return status;
}
