/* Numbers that sum an outcome up (theory section 9). */
#include <math.h>

#include "carom/outcome.h"

/* Slower than this beside the fastest body counts as standing still. */
static const double STILL = 1e-12;

double crm_measure_dispersion(const crm_model *model, const double *velocity)
{
    size_t count = crm_model_bodies(model);
    double sum = 0, squares = 0;
    for (size_t i = 0; i < count; i++) {
        double energy = crm_model_body_energy(model, i, velocity);
        sum += energy;
    }
    double mean = sum / (double)count;
    for (size_t i = 0; i < count; i++) {
        double deviation = crm_model_body_energy(model, i, velocity) - mean;
        squares += deviation * deviation;
    }
    return mean > 0 ? sqrt(squares / (double)count) / mean : 0;
}

double crm_measure_gap_percent(const crm_model *model, const double *velocity,
                               const double *reference)
{
    double difference = 0, size = 0;
    for (size_t i = 0; i < crm_model_coordinates(model); i++) {
        double d = velocity[i] - reference[i];
        difference += d * d;
        size += reference[i] * reference[i];
    }
    if (size > 0) {
        return 100.0 * sqrt(difference / size);
    }
    return difference > 0 ? INFINITY : 0;
}

size_t crm_measure_forward(const crm_model *model, const double *velocity)
{
    double fastest = 0;
    for (size_t i = 0; i < crm_model_coordinates(model); i++) {
        fastest = fmax(fastest, fabs(velocity[i]));
    }
    size_t count = 0;
    for (size_t i = 0; i < crm_model_bodies(model); i++) {
        count += velocity[crm_model_body_start(model, i)] > STILL * fastest;
    }
    return count;
}

double crm_measure_effective_restitution(const crm_model *model, const double *before,
                                         const double *after)
{
    double sum_before = 0, sum_after = 0;
    for (size_t i = 0; i < crm_model_bodies(model); i++) {
        sum_before += before[crm_model_body_start(model, i)];
        sum_after += after[crm_model_body_start(model, i)];
    }
    return sum_before != 0 ? -sum_after / sum_before : NAN;
}
