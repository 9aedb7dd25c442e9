/* The chain rule through M, W and v-; its equations are in docs/sensitivity.md. */
#include "sensitivity/chain.h"

#include <string.h>

#include "model/impulse.h"

static double part(const double *array, size_t i)
{
    return array != NULL ? array[i] : 0;
}

static bool is_diagonal(const crm_model *model)
{
    return model->mass.form == CRM_MASS_DIAGONAL;
}

/* out = dM x, dM as in crm_variation */
static void multiply_mass(const crm_model *model, const double *mass, const double *x, double *out)
{
    size_t n = model->coordinates;
    for (size_t i = 0; i < n; i++) {
        if (is_diagonal(model)) {
            out[i] = mass[i] * x[i];
            continue;
        }
        out[i] = 0;
        for (size_t k = 0; k < n; k++) {
            out[i] += 0.5 * (mass[i * n + k] + mass[k * n + i]) * x[k];
        }
    }
}

/* ---- A and v+ -------------------------------------------------------------------------------- */

static bool take_arrays(crm_chain_rule *chain, size_t entries, crm_pool *pool)
{
    size_t n = chain->model->coordinates, s = chain->model->contacts;
    chain->after = CRM_TAKE(pool, double, n);
    chain->momentum = CRM_TAKE(pool, double, n);
    chain->start = CRM_TAKE(pool, size_t, s + 1);
    chain->row = CRM_TAKE(pool, uint32_t, entries);
    chain->value = CRM_TAKE(pool, double, entries);
    chain->work = CRM_TAKE(pool, double, 3 * n);
    return chain->after != NULL && chain->momentum != NULL && chain->start != NULL &&
           chain->row != NULL && chain->value != NULL && chain->work != NULL;
}

static void scatter_w(const crm_model *model, size_t j, double *x)
{
    for (size_t e = model->w_start[j]; e < model->w_start[j + 1]; e++) {
        x[model->w_row[e]] = model->w_value[e];
    }
}

static crm_status solve_mass(const crm_chain_rule *chain, double *x, crm_error *error)
{
    return crm_mass_solve_in(&chain->model->mass, x, chain->work + chain->model->coordinates,
                             error);
}

/* Column j of A. */
static crm_status fill_column(crm_chain_rule *chain, size_t j, crm_error *error)
{
    const crm_model *model = chain->model;
    size_t filled = chain->start[j];
    crm_status status = CRM_OK;
    if (is_diagonal(model)) {
        for (size_t e = model->w_start[j]; e < model->w_start[j + 1]; e++, filled++) {
            chain->row[filled] = model->w_row[e];
            chain->value[filled] = model->w_value[e] / model->mass.diagonal[model->w_row[e]];
        }
    } else {
        double *x = chain->work;
        memset(x, 0, 2 * model->coordinates * sizeof *x);
        scatter_w(model, j, x);
        status = solve_mass(chain, x, error);
        for (size_t i = 0; status == CRM_OK && i < model->coordinates; i++) {
            if (x[i] != 0) {
                chain->row[filled] = (uint32_t)i;
                chain->value[filled++] = x[i];
            }
        }
        memset(x, 0, 2 * model->coordinates * sizeof *x);
    }
    chain->start[j + 1] = filled;
    return status;
}

/* M v+ */
static void find_momentum(const crm_chain_rule *chain)
{
    const crm_model *model = chain->model;
    size_t n = model->coordinates;
    for (size_t i = 0; i < n; i++) {
        chain->momentum[i] = 0;
        for (size_t k = is_diagonal(model) ? i : 0; k < (is_diagonal(model) ? i + 1 : n); k++) {
            chain->momentum[i] += crm_mass_entry(&model->mass, i, k) * chain->after[k];
        }
    }
}

crm_status crm_chain_rule_make(crm_chain_rule *chain, const crm_model *model, const double *before,
                               const double *impulse, crm_pool *pool, crm_error *error)
{
    size_t n = model->coordinates, s = model->contacts;
    *chain = (crm_chain_rule){.model = model, .before = before, .impulse = impulse};
    if (!take_arrays(chain, is_diagonal(model) ? model->w_start[s] : n * s, pool)) {
        return crm_fail_memory(error);
    }
    crm_status status = CRM_OK;
    for (size_t j = 0; status == CRM_OK && j < s; j++) {
        status = fill_column(chain, j, error);
    }
    memcpy(chain->after, before, n * sizeof *before);
    if (status == CRM_OK) {
        status = crm_model_add_impulse(model, impulse, chain->after, chain->work, error);
        memset(chain->work, 0, 3 * n * sizeof *chain->work);
    }
    if (status == CRM_OK) {
        find_momentum(chain);
    }
    return status;
}

/* ---- Forwards -------------------------------------------------------------------------------- */

/* y_j = dw_j - dM A_j / 2, so that dD_jk = y_j'A_k + A_j'y_k. */
static void find_half(const crm_chain_rule *chain, const crm_variation *by, size_t j, double *y)
{
    const crm_model *model = chain->model;
    size_t n = model->coordinates;
    double *column = chain->work + n;
    for (size_t e = model->w_start[j]; by->jacobian != NULL && e < model->w_start[j + 1]; e++) {
        y[model->w_row[e]] += by->jacobian[e];
    }
    if (by->mass == NULL) {
        return;
    }
    if (is_diagonal(model)) {
        for (size_t e = chain->start[j]; e < chain->start[j + 1]; e++) {
            y[chain->row[e]] -= 0.5 * by->mass[chain->row[e]] * chain->value[e];
        }
        return;
    }
    for (size_t e = chain->start[j]; e < chain->start[j + 1]; e++) {
        column[chain->row[e]] = chain->value[e];
    }
    multiply_mass(model, by->mass, column, column + n);
    for (size_t i = 0; i < n; i++) {
        y[i] -= 0.5 * column[n + i];
    }
    memset(column, 0, 2 * n * sizeof *column);
}

static void clear_half(const crm_chain_rule *chain, size_t j, double *y)
{
    const crm_model *model = chain->model;
    if (!is_diagonal(model)) {
        memset(y, 0, model->coordinates * sizeof *y);
        return;
    }
    for (size_t e = model->w_start[j]; e < model->w_start[j + 1]; e++) {
        y[model->w_row[e]] = 0;
    }
}

static double times_column(const crm_chain_rule *chain, const double *y, size_t k)
{
    double sum = 0;
    for (size_t e = chain->start[k]; e < chain->start[k + 1]; e++) {
        sum += y[chain->row[e]] * chain->value[e];
    }
    return sum;
}

/* Entry (k, j) of D, of which (j, k) is one. */
static size_t mirror(const crm_model *model, size_t k, size_t j)
{
    size_t low = model->d_start[k], high = model->d_start[k + 1];
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        *(model->d_column[middle] <= j ? &low : &high) = middle;
    }
    return low;
}

/* Entries above the diagonal and their mirrors become their sum, the diagonal twice itself. */
static void add_mirrors(const crm_model *model, double *matrix)
{
    for (size_t j = 0; j < model->contacts; j++) {
        for (size_t e = model->d_start[j]; e < model->d_start[j + 1]; e++) {
            size_t k = model->d_column[e];
            if (k >= j) {
                size_t other = mirror(model, k, j);
                matrix[e] = matrix[other] = matrix[e] + matrix[other];
            }
        }
    }
}

void crm_chain_rule_enter(const crm_chain_rule *chain, const crm_variation *by,
                          const crm_data_change *change)
{
    const crm_model *model = chain->model;
    for (size_t j = 0; j < model->contacts; j++) {
        double u = part(by->boundary_velocity, j);
        for (size_t e = model->w_start[j]; e < model->w_start[j + 1]; e++) {
            size_t i = model->w_row[e];
            u += model->w_value[e] * part(by->velocity, i) +
                 part(by->jacobian, e) * chain->before[i];
        }
        change->gap_velocity[j] = u;
        if (by->mass == NULL && by->jacobian == NULL) {
            continue;
        }
        double *y = chain->work;
        find_half(chain, by, j, y);
        for (size_t e = model->d_start[j]; e < model->d_start[j + 1]; e++) {
            change->delassus[e] = times_column(chain, y, model->d_column[e]);
        }
        clear_half(chain, j, y);
    }
    if (by->mass != NULL || by->jacobian != NULL) {
        add_mirrors(model, change->delassus);
    }
}

/* dv+ = dv- + M^-1 (dW p + W dp - dM (v+ - v-)) */
static crm_status change_velocity(const crm_chain_rule *chain, const crm_variation *by,
                                  const double *impulse, double *change, crm_error *error)
{
    const crm_model *model = chain->model;
    size_t n = model->coordinates;
    double *difference = chain->work + n, *product = difference + n;
    memset(change, 0, n * sizeof *change);
    for (size_t j = 0; j < model->contacts; j++) {
        for (size_t e = model->w_start[j]; e < model->w_start[j + 1]; e++) {
            change[model->w_row[e]] +=
                model->w_value[e] * impulse[j] + part(by->jacobian, e) * chain->impulse[j];
        }
    }
    if (by->mass != NULL) {
        for (size_t i = 0; i < n; i++) {
            difference[i] = chain->after[i] - chain->before[i];
        }
        multiply_mass(model, by->mass, difference, product);
        for (size_t i = 0; i < n; i++) {
            change[i] -= product[i];
        }
    }
    crm_status status = solve_mass(chain, change, error);
    for (size_t i = 0; i < n; i++) {
        change[i] += part(by->velocity, i);
    }
    return status;
}

crm_status crm_chain_rule_leave(const crm_chain_rule *chain, const crm_variation *by,
                                const double *impulse, crm_response *response, crm_error *error)
{
    size_t n = chain->model->coordinates;
    double *change = chain->work, *product = change + n;
    crm_status status = change_velocity(chain, by, impulse, change, error);
    response->energy = 0;
    for (size_t i = 0; i < n; i++) {
        response->energy += chain->momentum[i] * change[i];
    }
    if (response->velocity != NULL) {
        memcpy(response->velocity, change, n * sizeof *change);
    }
    if (by->mass != NULL) {
        multiply_mass(chain->model, by->mass, chain->after, product);
        for (size_t i = 0; i < n; i++) {
            response->energy += 0.5 * chain->after[i] * product[i];
        }
    }
    memset(chain->work, 0, 3 * n * sizeof *chain->work);
    return status;
}

/* ---- Backwards ------------------------------------------------------------------------------- */

crm_status crm_chain_rule_weigh(const crm_chain_rule *chain, const crm_response *weights,
                                double *of_velocity, double *through, double *impulse,
                                crm_error *error)
{
    const crm_model *model = chain->model;
    size_t n = model->coordinates;
    for (size_t i = 0; i < n; i++) {
        of_velocity[i] = part(weights->velocity, i) + weights->energy * chain->momentum[i];
        through[i] = of_velocity[i];
    }
    crm_status status = solve_mass(chain, through, error);
    memset(chain->work, 0, 3 * n * sizeof *chain->work);
    for (size_t j = 0; j < model->contacts; j++) {
        impulse[j] = part(weights->impulse, j);
        for (size_t e = model->w_start[j]; e < model->w_start[j + 1]; e++) {
            impulse[j] += model->w_value[e] * through[model->w_row[e]];
        }
    }
    return status;
}

/* The part of the gradient to M that is x y', made symmetric. */
static void add_mass(const crm_model *model, double *mass, double factor, const double *x,
                     const double *y)
{
    size_t n = model->coordinates;
    for (size_t i = 0; i < n; i++) {
        if (is_diagonal(model)) {
            mass[i] += factor * x[i] * y[i];
            continue;
        }
        for (size_t k = 0; k < n; k++) {
            mass[i * n + k] += 0.5 * factor * (x[i] * y[k] + x[k] * y[i]);
        }
    }
}

/* What D hands on: with q_j the sum of (G + G')_jk A_k, dD's part is the sum of q_j'dw_j minus half
 * of that of A_j'dM q_j.
 */
static void collect_delassus(const crm_chain_rule *chain, const double *gradient, crm_variation *to)
{
    const crm_model *model = chain->model;
    size_t n = model->coordinates;
    double *q = chain->work, *column = q + n;
    for (size_t j = 0; j < model->contacts; j++) {
        for (size_t e = model->d_start[j]; e < model->d_start[j + 1]; e++) {
            size_t k = model->d_column[e];
            for (size_t a = chain->start[k]; a < chain->start[k + 1]; a++) {
                q[chain->row[a]] += gradient[e] * chain->value[a];
            }
        }
        for (size_t e = model->w_start[j]; to->jacobian != NULL && e < model->w_start[j + 1]; e++) {
            to->jacobian[e] += q[model->w_row[e]];
        }
        for (size_t a = chain->start[j]; to->mass != NULL && a < chain->start[j + 1]; a++) {
            size_t i = chain->row[a];
            if (is_diagonal(model)) {
                to->mass[i] -= 0.5 * chain->value[a] * q[i];
            } else {
                column[i] = chain->value[a];
            }
        }
        if (to->mass != NULL && !is_diagonal(model)) {
            add_mass(model, to->mass, -0.5, column, q);
            memset(column, 0, n * sizeof *column);
        }
        for (size_t e = model->d_start[j]; e < model->d_start[j + 1]; e++) {
            size_t k = model->d_column[e];
            for (size_t a = chain->start[k]; a < chain->start[k + 1]; a++) {
                q[chain->row[a]] = 0;
            }
        }
    }
}

void crm_chain_rule_collect(const crm_chain_rule *chain, const crm_response *weights,
                            const double *of_velocity, const double *through,
                            crm_data_change *gradient, crm_variation *to)
{
    const crm_model *model = chain->model;
    size_t n = model->coordinates, s = model->contacts;
    if (to->velocity != NULL) {
        memcpy(to->velocity, of_velocity, n * sizeof *of_velocity);
    }
    if (to->mass != NULL) {
        double *difference = chain->work;
        for (size_t i = 0; i < n; i++) {
            difference[i] = chain->after[i] - chain->before[i];
        }
        memset(to->mass, 0, crm_variation_mass_size(model) * sizeof *to->mass);
        add_mass(model, to->mass, -1, through, difference);
        add_mass(model, to->mass, 0.5 * weights->energy, chain->after, chain->after);
        memset(difference, 0, n * sizeof *difference);
    }
    for (size_t j = 0; gradient->gap_velocity != NULL && j < s; j++) {
        double u = gradient->gap_velocity[j];
        for (size_t e = model->w_start[j]; e < model->w_start[j + 1]; e++) {
            size_t i = model->w_row[e];
            if (to->velocity != NULL) {
                to->velocity[i] += model->w_value[e] * u;
            }
            if (to->jacobian != NULL) {
                to->jacobian[e] = through[i] * chain->impulse[j] + u * chain->before[i];
            }
        }
    }
    if (to->boundary_velocity != NULL) {
        memcpy(to->boundary_velocity, gradient->gap_velocity, s * sizeof *gradient->gap_velocity);
    }
    if (gradient->delassus != NULL) {
        add_mirrors(model, gradient->delassus);
        collect_delassus(chain, gradient->delassus, to);
    }
}
