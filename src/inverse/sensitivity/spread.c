/* The uncertainty of a quantity: to first order by its derivatives, and by random draws. */
#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "inverse/sensitivity/sensitivity.h"

/* Mean and deviation of draws may be off by this many of their standard errors by chance; ... */
static const double CHANCE = 4;
/* ... and differences below this part of the deviation are not reported. */
static const double WORD = 0.01;

typedef struct draws {
    double *x, *y;
    double *mean, *squares; /* Welford's sums */
    size_t count, unanswered;
} draws;

static void draw(const crm_sensitivity_problem *p, size_t number, double *x)
{
    for (size_t j = 0; j < p->map.unknown_count; j++) {
        crm_random_place place = {.seed = p->seed, .draw = (uint32_t)number, .field = (uint32_t)j};
        x[j] = p->map.unknowns[j].start;
        x[j] += p->deviation[j] > 0 ? p->deviation[j] * crm_random_normal(place) : 0;
    }
}

static void count(draws *d, size_t outputs)
{
    d->count++;
    for (size_t i = 0; i < outputs; i++) {
        double away = d->y[i] - d->mean[i];
        d->mean[i] += away / (double)d->count;
        d->squares[i] += away * (d->y[i] - d->mean[i]);
    }
}

static crm_status draw_all(crm_sensitivity_problem *p, draws *d, crm_error *error)
{
    crm_status status = CRM_OK;
    for (size_t k = 0; k < p->samples && status == CRM_OK; k++) {
        draw(p, k, d->x);
        status = crm_map_evaluate(&p->map, d->x, d->y, error);
        if (status == CRM_OK) {
            count(d, p->map.output_count);
        } else if (status == CRM_ERROR_MODEL) {
            d->unanswered++;
            status = CRM_OK;
        }
    }
    return status;
}

static double first_order(const crm_sensitivity_problem *p, const double *row)
{
    double sum = 0;
    for (size_t j = 0; j < p->map.unknown_count; j++) {
        sum += row[j] * row[j] * p->deviation[j] * p->deviation[j];
    }
    return sqrt(sum);
}

static crm_spread spread_of(const draws *d, size_t i, double value, double first)
{
    double n = (double)d->count;
    crm_spread s = {.first_order = first, .mean = NAN, .sampled = NAN};
    if (d->count < 2) {
        return s;
    }
    s.mean = d->mean[i];
    s.sampled = sqrt(d->squares[i] / (n - 1));
    double larger = fmax(s.sampled, first), word = WORD * larger + 1e-8 * fabs(value);
    s.disagrees = fabs(s.sampled - first) > CHANCE * larger / sqrt(2 * (n - 1)) + word ||
                  fabs(s.mean - value) > CHANCE * larger / sqrt(n) + word;
    return s;
}

crm_status crm_spread_find(crm_sensitivity_problem *problem, const double *value,
                           const double *derivative, crm_spread *spread, size_t *unanswered,
                           crm_error *error)
{
    size_t n = problem->map.unknown_count, m = problem->map.output_count;
    double *room = CRM_NEW(double, n + 3 * m);
    draws d = {.x = room, .y = room + n, .mean = room + n + m, .squares = room + n + 2 * m};
    crm_status status = room != NULL ? draw_all(problem, &d, error) : crm_fail_memory(error);
    for (size_t i = 0; i < m && status == CRM_OK; i++) {
        spread[i] = spread_of(&d, i, value[i], first_order(problem, derivative + i * n));
    }
    *unanswered = d.unanswered;
    free(room);
    return status;
}
