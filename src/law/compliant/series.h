/* One step of the compliant law by Taylor series. Internal. */
#ifndef CRM_COMPLIANT_SERIES_H
#define CRM_COMPLIANT_SERIES_H

#include "law/compliant/compliant.h"
#include "law/compliant/roots.h"

/* Coefficients of the powers of t = time / unit since the start of the step, row after row, in each
 * the active contacts by place: x and c to t^order, g and w to t^(order-1).
 */
typedef struct compliant_series {
    size_t order, count; /* of rows, of places */
    double damping;
    double tolerance; /* of a step, relative to speed */
    double unit;
    double *x, *c, *w;
    double *z, *g; /* x^(eta-1) where it is not 1; g as in compliant.h */
    double *stiffness, *power;
    double *spread, *product; /* by contact of the model: where D is an operator only */
    double *arrays;
    size_t capacity; /* places there is room for */
    uint64_t evaluations;
} compliant_series;

/* Without arrays: they come with the first step. */
compliant_series compliant_series_create(double damping, double tolerance);
void compliant_series_release(compliant_series *series);

/* From the present state. `unit`: about the length of a step. */
crm_status compliant_series_build(const lzb_state *state, const compliant_active *active,
                                  double unit, compliant_series *series, crm_error *error);
/* The longest t, not above `most`, at which the last terms are still below the tolerance. */
double compliant_series_reach(const lzb_state *state, const compliant_active *active,
                              const compliant_series *series, double most);
/* What the series leaves of the equations up to t: the speed that would change, relative, and the
 * energy that comes from nowhere or is lost to it.
 */
typedef struct compliant_defect {
    double speed, energy;
} compliant_defect;

compliant_defect compliant_series_defect(const lzb_state *state, const compliant_active *active,
                                         const compliant_series *series, double t);

/* What happens next: place UINT32_MAX if nothing does. */
typedef struct compliant_event {
    uint32_t place;
    compliant_zero what; /* passes 0 */
    bool past;           /* it has left 0 behind: what another's event brought about */
} compliant_event;

/* *t becomes the time of the first event before it. */
compliant_event compliant_series_event(const lzb_state *state, const compliant_active *active,
                                       const compliant_series *series, double *t);

/* Values of rows 0 to last at t. */
double compliant_series_at(const compliant_series *series, const double *rows, size_t last,
                           size_t place, double t);
/* Impulse, and work done on the contact, from 0 to t. */
double compliant_series_impulse(const compliant_series *series, size_t place, double t);
double compliant_series_work(const compliant_series *series, size_t place, double t);
/* The largest force from 0 to t. */
double compliant_series_peak(const lzb_state *state, const compliant_active *active,
                             const compliant_series *series, size_t place, double t);

#endif
