#include "model/impulse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/twofold.h"

crm_status crm_model_add_impulse(const crm_model *model, const double *impulse, double *velocity,
                                 double *work, crm_error *error)
{
    size_t n = model->coordinates;
    double *change = work;
    memset(change, 0, n * sizeof *change);
    for (size_t j = 0; j < model->contacts; j++) {
        for (size_t k = model->w_start[j]; k < model->w_start[j + 1]; k++) {
            change[model->w_row[k]] += model->w_value[k] * impulse[j];
        }
    }
    crm_status status = crm_mass_solve_in(&model->mass, change, work + n, error);
    for (size_t i = 0; status == CRM_OK && i < n; i++) {
        velocity[i] += change[i];
    }
    return status;
}

crm_status crm_model_add_split_impulse(const crm_model *model, const double *impulse,
                                       const double *remainder, double *velocity, double *work,
                                       crm_error *error)
{
    size_t n = model->coordinates;
    double *change = work, *low = work + n;
    memset(work, 0, 2 * n * sizeof *work);
    for (size_t j = 0; j < model->contacts; j++) {
        for (size_t k = model->w_start[j]; k < model->w_start[j + 1]; k++) {
            size_t i = model->w_row[k];
            crm_twofold term = crm_two_product(model->w_value[k], impulse[j]);
            crm_twofold sum = crm_two_sum(change[i], term.high);
            change[i] = sum.high;
            low[i] += sum.low + (term.low + model->w_value[k] * remainder[j]);
        }
    }
    for (size_t i = 0; i < n; i++) {
        change[i] += low[i];
    }
    crm_status status = crm_mass_solve_in(&model->mass, change, low, error);
    for (size_t i = 0; status == CRM_OK && i < n; i++) {
        velocity[i] += change[i];
    }
    return status;
}

crm_status crm_model_apply_impulse(const crm_model *model, const double *impulse, double *velocity,
                                   crm_error *error)
{
    CRM_USUAL_ARITHMETIC;
    if (crm_fail_if_null(model, "model", error) || crm_fail_if_null(velocity, "velocity", error) ||
        (model->contacts > 0 && crm_fail_if_null(impulse, "impulse", error))) {
        return CRM_ERROR_ARGUMENT;
    }
    double *work = CRM_NEW(double, 2 * model->coordinates);
    if (work == NULL) {
        return crm_fail_memory(error);
    }
    crm_status status = crm_model_add_impulse(model, impulse, velocity, work, error);
    free(work);
    return status;
}

/* M^-1 W p into `work`, of 3n entries, and the largest entry of it. */
static crm_status velocity_by(const crm_model *model, const double *impulse, double *work,
                              double *most, crm_error *error)
{
    size_t n = model->coordinates;
    memset(work, 0, n * sizeof *work);
    crm_status status = crm_model_add_impulse(model, impulse, work, work + n, error);
    *most = 0;
    for (size_t i = 0; i < n; i++) {
        *most = fmax(*most, fabs(work[i]));
    }
    return status;
}

static double largest_gap_change(const crm_model *model, const double *velocity)
{
    double most = 0;
    for (size_t j = 0; j < model->contacts; j++) {
        double sum = 0;
        for (size_t k = model->w_start[j]; k < model->w_start[j + 1]; k++) {
            sum += model->w_value[k] * velocity[model->w_row[k]];
        }
        most = fmax(most, fabs(sum));
    }
    return most;
}

crm_status crm_model_change_as_gap_speed(const crm_model *model, const double *impulse,
                                         const double *change, double *work, double *speed,
                                         crm_error *error)
{
    double velocity = 0, changed = 0;
    crm_status status = velocity_by(model, impulse, work, &velocity, error);
    double gap = largest_gap_change(model, work);
    if (status == CRM_OK) {
        status = velocity_by(model, change, work, &changed, error);
    }
    double ratio = velocity > 0 && gap > 0 ? velocity / gap : 1;
    *speed = changed / ratio;
    return status;
}
