/* Columns of L^-1 W, M = L L'; which p; from x back to velocities. */
#include "lcp/dependent/cluster.h"

#include <math.h>
#include <string.h>

/* ---- M and W --------------------------------------------------------------------------------- */

/* The power of two nearest to 1/sqrt(d) from the side that keeps s^2 d in [1/2, 2). */
static double power_scale(double d)
{
    int exponent;
    frexp(d, &exponent);
    int half = exponent >= 0 ? exponent / 2 : -((1 - exponent) / 2);
    return ldexp(1.0, -half);
}

static crm_twofold *root_at(crm_cluster *cluster, size_t row, size_t column)
{
    return &cluster->root[row * cluster->coordinates + column];
}

static double mass_between(const crm_mass *mass, uint32_t i, uint32_t k)
{
    if (mass->block_of[i] != mass->block_of[k]) {
        return 0;
    }
    size_t block = mass->block_of[i];
    size_t size = mass->block_start[block + 1] - mass->block_start[block];
    return mass->matrix[mass->matrix_start[block] + mass->place_of[i] * size + mass->place_of[k]];
}

/* Cholesky; M was found definite when the model was made. */
static void find_root(crm_cluster *cluster)
{
    const crm_mass *mass = &cluster->model->mass;
    size_t n = cluster->coordinates;
    if (cluster->diagonal) {
        for (size_t i = 0; i < n; i++) {
            double m = mass->diagonal[cluster->coordinate[i]];
            cluster->root[i] = crm_twofold_root(crm_twofold_of(m));
        }
        return;
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k <= i; k++) {
            double m = mass_between(mass, cluster->coordinate[i], cluster->coordinate[k]);
            crm_twofold known = crm_twofold_dot(root_at(cluster, i, 0), root_at(cluster, k, 0), k);
            crm_twofold rest = crm_twofold_difference(crm_twofold_of(m), known);
            *root_at(cluster, i, k) = i == k ? crm_twofold_root(rest)
                                             : crm_twofold_quotient(rest, *root_at(cluster, k, k));
        }
    }
}

/* x := L^-1 x */
static void solve_root(crm_cluster *cluster, crm_twofold *x)
{
    for (size_t i = 0; i < cluster->coordinates; i++) {
        if (cluster->diagonal) {
            if (x[i].high != 0) {
                x[i] = crm_twofold_quotient(x[i], cluster->root[i]);
            }
            continue;
        }
        crm_twofold known = crm_twofold_dot(root_at(cluster, i, 0), x, i);
        x[i] = crm_twofold_quotient(crm_twofold_difference(x[i], known), *root_at(cluster, i, i));
    }
}

/* x := L'^-1 x */
static void solve_root_back(crm_cluster *cluster, crm_twofold *x)
{
    for (size_t i = cluster->coordinates; i-- > 0;) {
        if (cluster->diagonal) {
            x[i] = crm_twofold_quotient(x[i], cluster->root[i]);
            continue;
        }
        x[i] = crm_twofold_quotient(x[i], *root_at(cluster, i, i));
        crm_twofold_add_multiple(x, crm_twofold_negative(x[i]), root_at(cluster, i, 0), i);
    }
}

static size_t place_of(const crm_cluster *cluster, uint32_t coordinate)
{
    size_t low = 0, high = cluster->coordinates; /* the list is ascending */
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        low = cluster->coordinate[middle] <= coordinate ? middle : low;
        high = cluster->coordinate[middle] <= coordinate ? high : middle;
    }
    return low;
}

/* `column`: work space, n entries. */
static void find_columns(crm_cluster *cluster, crm_twofold *column)
{
    const crm_model *model = cluster->model;
    for (size_t j = 0; j < cluster->contacts; j++) {
        size_t contact = cluster->contact[j];
        double *row = crm_least_distance_column(&cluster->problem, j);
        cluster->scale[j] = power_scale(model->d_diagonal[contact]);
        memset(column, 0, cluster->coordinates * sizeof *column);
        for (size_t k = model->w_start[contact]; k < model->w_start[contact + 1]; k++) {
            column[place_of(cluster, model->w_row[k])] =
                crm_twofold_of(cluster->scale[j] * model->w_value[k]);
        }
        solve_root(cluster, column);
        for (size_t i = 0; i < cluster->coordinates; i++) {
            crm_row_set(row, i, column[i]);
        }
    }
}

crm_status crm_cluster_create(crm_pool *pool, crm_width width, const crm_model *model,
                              size_t coordinates, const uint32_t *coordinate, size_t contacts,
                              const uint32_t *contact, crm_cluster *cluster, crm_error *error)
{
    *cluster = (crm_cluster){.model = model,
                             .pool = pool,
                             .coordinates = coordinates,
                             .coordinate = coordinate,
                             .contacts = contacts,
                             .contact = contact,
                             .diagonal = model->mass.form == CRM_MASS_DIAGONAL};
    size_t entries = cluster->diagonal ? coordinates : coordinates * coordinates;
    cluster->root = CRM_TAKE(pool, crm_twofold, entries);
    cluster->scale = CRM_TAKE(pool, double, contacts);
    cluster->velocity_change = CRM_TAKE(pool, crm_twofold, coordinates);
    if (cluster->root == NULL || cluster->scale == NULL || cluster->velocity_change == NULL ||
        !crm_least_distance_create(pool, width, coordinates, contacts, 0, &cluster->problem)) {
        return crm_fail_memory(error);
    }
    find_root(cluster);
    find_columns(cluster, cluster->velocity_change);
    memset(cluster->velocity_change, 0, coordinates * sizeof *cluster->velocity_change);
    return CRM_OK;
}

/* ---- Which p --------------------------------------------------------------------------------- */

/* Whether constraint j, which is not active, holds with equality, to the rounding of the data. */
static bool is_tight(const crm_least_distance *problem, size_t j)
{
    double far = sqrt(crm_row_rough_dot(problem->width, problem->blocks, problem->x, problem->x));
    return crm_least_distance_slack(problem, j).high <=
           CRM_LEAST_DISTANCE_COLUMN_ERROR * (problem->noise[j] + far);
}

/* Lists the contacts with w = 0. Returns whether they are independent: then p is unique. The
 * independent ones among them become active.
 */
static bool list_tight(crm_least_distance *problem, size_t *list, size_t *count)
{
    bool independent = true;
    for (size_t j = 0; j < problem->count; j++) {
        if (problem->is_active[j] || !is_tight(problem, j)) {
            continue;
        }
        if (crm_least_distance_is_dependent(problem, j)) {
            independent = false;
            list[(*count)++] = j;
        } else {
            crm_least_distance_activate(problem, j);
        }
    }
    for (size_t k = 0; k < problem->active; k++) {
        list[(*count)++] = problem->set[k];
    }
    return independent;
}

/* Equation k: row k of Q'C over the list, that is sum_j (Q'c_j)_k p_j = (Q'x)_k, and p_j >= 0. The
 * unknowns are those of columns of length 1, |c_j| p_j, which makes the norm that of lcp.h.
 */
static void fill_least_norm(const crm_least_distance *from, const size_t *list, size_t count,
                            const double *length, crm_least_distance *least)
{
    for (size_t k = 0; k < from->active; k++) {
        const double *q = crm_least_distance_basis(from, k);
        double *row = crm_least_distance_column(least, k);
        for (size_t l = 0; l < count; l++) {
            crm_twofold part =
                crm_row_dot(from->width, from->blocks, q, crm_least_distance_column(from, list[l]));
            crm_row_set(row, l, crm_twofold_quotient(part, crm_twofold_of(length[l])));
        }
        crm_twofold scale =
            crm_twofold_of(power_scale(crm_row_rough_dot(least->width, least->blocks, row, row)));
        crm_row_scale(least->width, least->blocks, scale, row, row);
        least->bound[k] =
            crm_twofold_product(crm_row_dot(from->width, from->blocks, q, from->x), scale);
    }
    for (size_t l = 0; l < count; l++) {
        crm_row_set(crm_least_distance_column(least, from->active + l), l, crm_twofold_of(1));
    }
}

/* Replaces p by the p of least norm. Where that cannot be found, p stays. */
static crm_status find_least_norm(crm_cluster *cluster, const size_t *list, size_t count,
                                  crm_error *error)
{
    crm_least_distance *from = &cluster->problem, least;
    double *length = CRM_TAKE(cluster->pool, double, count);
    if (length == NULL || !crm_least_distance_create(cluster->pool, from->width, count,
                                                     from->active + count, from->active, &least)) {
        return crm_fail_memory(error);
    }
    for (size_t l = 0; l < count; l++) {
        const double *c = crm_least_distance_column(from, list[l]);
        length[l] = sqrt(crm_row_dot(from->width, from->blocks, c, c).high);
    }
    fill_least_norm(from, list, count, length, &least);
    least.watching = from->watching;
    if (crm_least_distance_solve(&least) == CRM_LEAST_DISTANCE_FOUND) {
        for (size_t l = 0; l < count; l++) {
            from->p[list[l]] =
                crm_twofold_quotient(crm_row_get(least.x, l), crm_twofold_of(length[l]));
        }
    }
    return CRM_OK;
}

static crm_status choose_p(crm_cluster *cluster, crm_lcp_info *info, crm_error *error)
{
    size_t count = 0, *list = CRM_TAKE(cluster->pool, size_t, cluster->contacts);
    if (list == NULL) {
        return crm_fail_memory(error);
    }
    info->unique = list_tight(&cluster->problem, list, &count);
    return info->unique ? CRM_OK : find_least_norm(cluster, list, count, error);
}

/* ---- The problem ----------------------------------------------------------------------------- */

/* Units in which the largest |q| is near 1; returns the unit of x. */
static double scale_in(crm_cluster *cluster, const crm_twofold *q, const double *noise)
{
    crm_least_distance *problem = &cluster->problem;
    double largest = 0;
    for (size_t j = 0; j < cluster->contacts; j++) {
        problem->bound[j] =
            crm_twofold_negative(crm_twofold_scaled(q[cluster->contact[j]], cluster->scale[j]));
        largest = fmax(largest, fabs(problem->bound[j].high));
    }
    int exponent = 0;
    frexp(largest, &exponent);
    for (size_t j = 0; j < cluster->contacts; j++) {
        problem->bound[j] = crm_twofold_scaled(problem->bound[j], ldexp(1, -exponent));
        problem->noise[j] = ldexp(cluster->scale[j] * noise[cluster->contact[j]], -exponent);
    }
    return ldexp(1, exponent);
}

static void scale_out(const crm_cluster *cluster, double unit, crm_twofold *p, crm_twofold *w)
{
    const crm_least_distance *problem = &cluster->problem;
    for (size_t j = 0; j < cluster->contacts; j++) {
        size_t contact = cluster->contact[j];
        bool loaded = problem->p[j].high > 0;
        crm_twofold slack = loaded ? crm_twofold_of(0) : crm_least_distance_slack(problem, j);
        p[contact] = crm_twofold_scaled(loaded ? problem->p[j] : crm_twofold_of(0),
                                        unit * cluster->scale[j]);
        w[contact] = crm_twofold_scaled(slack, unit / cluster->scale[j]);
    }
}

/* What x is, times the factor. */
static void add_motion(crm_cluster *cluster, crm_twofold factor)
{
    for (size_t i = 0; i < cluster->coordinates; i++) {
        cluster->velocity_change[i] = crm_twofold_add_product(cluster->velocity_change[i], factor,
                                                              crm_row_get(cluster->problem.x, i));
    }
}

crm_status crm_cluster_solve(crm_cluster *cluster, const crm_twofold *q, const double *noise,
                             crm_twofold share, crm_twofold *p, crm_twofold *w, crm_lcp_info *info,
                             crm_error *error)
{
    crm_least_distance *problem = &cluster->problem;
    double unit = scale_in(cluster, q, noise);
    crm_least_distance_result result = crm_least_distance_solve(problem);
    info->pivots += problem->steps;
    info->unique = false;
    info->result = result == CRM_LEAST_DISTANCE_FOUND        ? CRM_LCP_SOLVED
                   : result == CRM_LEAST_DISTANCE_INFEASIBLE ? CRM_LCP_INFEASIBLE
                                                             : CRM_LCP_NOT_TERMINATED;
    crm_status status = CRM_OK;
    if (info->result == CRM_LCP_SOLVED) {
        status = choose_p(cluster, info, error);
        add_motion(cluster, crm_twofold_scaled(share, unit));
    }
    scale_out(cluster, info->result == CRM_LCP_INFEASIBLE ? 1 : unit, p, w);
    return status;
}

void crm_cluster_push(crm_cluster *cluster, const crm_twofold *p, crm_twofold *w)
{
    crm_least_distance *problem = &cluster->problem;
    double *x = problem->x; /* the last answer is out */
    memset(x, 0, problem->blocks * CRM_ROW_BLOCK * sizeof *x);
    for (size_t j = 0; j < cluster->contacts; j++) {
        crm_twofold factor = crm_twofold_scaled(p[cluster->contact[j]], 1 / cluster->scale[j]);
        crm_row_add(problem->width, problem->blocks, x, factor,
                    crm_least_distance_column(problem, j));
    }
    for (size_t j = 0; j < cluster->contacts; j++) {
        crm_twofold sum =
            crm_row_dot(problem->width, problem->blocks, crm_least_distance_column(problem, j), x);
        crm_twofold *to = &w[cluster->contact[j]];
        *to = crm_twofold_sum(*to, crm_twofold_scaled(sum, 1 / cluster->scale[j]));
    }
    add_motion(cluster, crm_twofold_of(1));
}

void crm_cluster_finish(crm_cluster *cluster, double *velocity)
{
    solve_root_back(cluster, cluster->velocity_change);
    for (size_t i = 0; i < cluster->coordinates; i++) {
        double *v = &velocity[cluster->coordinate[i]];
        *v = crm_twofold_sum(crm_twofold_of(*v), cluster->velocity_change[i]).high;
    }
}
