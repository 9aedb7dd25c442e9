/* Where outcomes are not differentiable: the nearest place. */
#include "law/smoothness.h"

#include <math.h>

#include "model/model.h"

crm_smoothness crm_smoothness_begin(void)
{
    return (crm_smoothness){
        .differentiable = true, .contact = SIZE_MAX, .reason = "", .margin = INFINITY};
}

/* Relative rounding of gap velocities, as parts of their terms. */
static const double ROUNDING = 1e-15;

double crm_smoothness_scale(const crm_problem *problem, double speed, double threshold)
{
    const crm_model *model = problem->model;
    double largest = 0;
    for (size_t j = 0; j < model->contacts; j++) {
        double sum = fabs(model->boundary_velocity[j]);
        for (size_t k = model->w_start[j]; k < model->w_start[j + 1]; k++) {
            sum += fabs(model->w_value[k] * problem->velocity[model->w_row[k]]);
        }
        largest = fmax(largest, sum);
    }
    return fmax(speed, ROUNDING / threshold * largest);
}

double crm_smoothness_margin(double speed, double scale)
{
    return scale > 0 ? speed / scale : 0;
}

void crm_smoothness_note(crm_smoothness *smoothness, size_t contact, double margin,
                         double threshold, const char *reason)
{
    if (margin < smoothness->margin) {
        smoothness->contact = contact;
        smoothness->margin = margin;
        smoothness->reason = reason;
        smoothness->differentiable = !(margin < threshold);
    }
}
