/* Numbers that sum an outcome up (theory section 9). */
#include <math.h>

#include "base/arithmetic.h"
#include "base/precondition.h"
#include "carom/outcome.h"
#include "model/model.h"

/* Slower than this beside the fastest body counts as standing still. */
static const double STILL = 1e-12;
/* Parts more slowly than this, relative to the incoming speed: stays together. */
static const double STUCK = 1e-3;

static double ratio(double part, double whole)
{
    return whole != 0 ? part / whole : NAN;
}

static double total_energy(const crm_model *model, const double *velocity)
{
    double sum = 0;
    for (size_t i = 0; i < crm_model_bodies(model); i++) {
        sum += crm_model_body_energy(model, i, velocity);
    }
    return sum;
}

double crm_measure_dispersion(const crm_model *model, const double *velocity)
{
    CRM_USUAL_ARITHMETIC;
    CRM_PRECONDITION(model != NULL);
    CRM_PRECONDITION(velocity != NULL);
    size_t count = crm_model_bodies(model);
    double squares = 0, mean = total_energy(model, velocity) / (double)count;
    for (size_t i = 0; i < count; i++) {
        double deviation = crm_model_body_energy(model, i, velocity) - mean;
        squares += deviation * deviation;
    }
    return mean > 0 ? sqrt(squares / (double)count) / mean : 0;
}

/* ---- Beside a reference ---------------------------------------------------------------------- */

/* |a - b|^2 over coordinates first .. last-1; b NULL: 0. */
static double square_distance(const double *a, const double *b, size_t first, size_t last)
{
    double sum = 0;
    for (size_t i = first; i < last; i++) {
        double d = a[i] - (b != NULL ? b[i] : 0);
        sum += d * d;
    }
    return sum;
}

double crm_measure_difference_percent(const crm_model *model, const double *velocity,
                                      const double *reference)
{
    CRM_USUAL_ARITHMETIC;
    CRM_PRECONDITION(model != NULL);
    CRM_PRECONDITION(velocity != NULL);
    size_t n = crm_model_coordinates(model);
    double difference = square_distance(velocity, reference, 0, n);
    double size = square_distance(reference, NULL, 0, n);
    if (size > 0) {
        return 100.0 * sqrt(difference / size);
    }
    return difference > 0 ? INFINITY : 0;
}

size_t crm_measure_near(const crm_model *model, const double *velocity, const double *reference,
                        double closeness)
{
    CRM_USUAL_ARITHMETIC;
    CRM_PRECONDITION(model != NULL);
    CRM_PRECONDITION(velocity != NULL);
    double size = square_distance(reference, NULL, 0, crm_model_coordinates(model));
    double allowed = closeness * sqrt(size);
    size_t count = 0;
    for (size_t i = 0; i < crm_model_bodies(model); i++) {
        double away = square_distance(velocity, reference, crm_model_body_start(model, i),
                                      crm_model_body_start(model, i + 1));
        count += sqrt(away) < allowed;
    }
    return count;
}

/* ---- Forward --------------------------------------------------------------------------------- */

static double fastest(const crm_model *model, const double *velocity)
{
    double most = 0;
    for (size_t i = 0; i < crm_model_coordinates(model); i++) {
        most = fmax(most, fabs(velocity[i]));
    }
    return most;
}

static bool moves_forward(const crm_model *model, size_t body, const double *velocity, double most)
{
    return velocity[crm_model_body_start(model, body)] > STILL * most;
}

size_t crm_measure_forward_above(const crm_model *model, const double *velocity, double speed)
{
    CRM_USUAL_ARITHMETIC;
    CRM_PRECONDITION(model != NULL);
    CRM_PRECONDITION(velocity != NULL);
    double least = fmax(STILL * fastest(model, velocity), speed);
    size_t count = 0;
    for (size_t i = 0; i < crm_model_bodies(model); i++) {
        count += velocity[crm_model_body_start(model, i)] > least;
    }
    return count;
}

size_t crm_measure_forward(const crm_model *model, const double *velocity)
{
    CRM_USUAL_ARITHMETIC;
    CRM_PRECONDITION(model != NULL);
    CRM_PRECONDITION(velocity != NULL);
    return crm_measure_forward_above(model, velocity, 0);
}

double crm_measure_forward_share(const crm_model *model, const double *velocity)
{
    CRM_USUAL_ARITHMETIC;
    CRM_PRECONDITION(model != NULL);
    CRM_PRECONDITION(velocity != NULL);
    double most = fastest(model, velocity), forward = 0;
    for (size_t i = 0; i < crm_model_bodies(model); i++) {
        if (moves_forward(model, i, velocity, most)) {
            forward += crm_model_body_energy(model, i, velocity);
        }
    }
    return ratio(forward, total_energy(model, velocity));
}

double crm_measure_last_share(const crm_model *model, const double *velocity)
{
    CRM_USUAL_ARITHMETIC;
    CRM_PRECONDITION(model != NULL);
    CRM_PRECONDITION(velocity != NULL);
    return ratio(crm_model_body_energy(model, crm_model_bodies(model) - 1, velocity),
                 total_energy(model, velocity));
}

double crm_measure_effective_restitution_above(const crm_model *model, const double *before,
                                               const double *after, double speed)
{
    CRM_USUAL_ARITHMETIC;
    CRM_PRECONDITION(model != NULL);
    CRM_PRECONDITION(before != NULL);
    double sum_before = 0, sum_after = 0;
    for (size_t i = 0; i < crm_model_bodies(model); i++) {
        double v = after[crm_model_body_start(model, i)];
        sum_before += before[crm_model_body_start(model, i)];
        sum_after += fabs(v) > speed ? v : 0;
    }
    return ratio(-sum_after, sum_before);
}

double crm_measure_effective_restitution(const crm_model *model, const double *before,
                                         const double *after)
{
    CRM_USUAL_ARITHMETIC;
    return crm_measure_effective_restitution_above(model, before, after, 0);
}

/* ---- Contacts -------------------------------------------------------------------------------- */

static double gap_velocity(const crm_model *model, size_t contact, const double *velocity)
{
    double sum = model->boundary_velocity[contact];
    for (size_t k = model->w_start[contact]; k < model->w_start[contact + 1]; k++) {
        sum += model->w_value[k] * velocity[model->w_row[k]];
    }
    return sum;
}

size_t crm_measure_stuck_pairs(const crm_model *model, const double *before, const double *after)
{
    CRM_USUAL_ARITHMETIC;
    CRM_PRECONDITION(model != NULL);
    CRM_PRECONDITION(before != NULL);
    double incoming = 0;
    for (size_t j = 0; j < model->contacts; j++) {
        incoming = fmax(incoming, -gap_velocity(model, j, before));
    }
    size_t count = 0;
    for (size_t j = 0; j < model->contacts; j++) {
        count += fabs(gap_velocity(model, j, after)) < STUCK * incoming;
    }
    return count;
}
