/* Which starts ended in the same minimum, and when there were enough of them. */
#include <math.h>

#include "inverse/fit/fitting.h"

/* Minima are the same within this part of chi2. */
static const double SAME_CHI2 = 1e-3;
/* Residuals below this fraction of the measured values are the solvers' own errors. */
static const double EXACT = 1e-7;
/* Rise of chi2 at the ends of a 95 % confidence interval of one parameter. */
static const double LIKELY = 3.84;
/* The search ends when the expected share of the range that leads to minima not yet found is at
 * most this: for problems that seem linear, for others, and where chi2 suggests a better minimum.
 */
static const double UNOBSERVED_LINEAR = 0.2, UNOBSERVED = 0.05, UNOBSERVED_POOR = 0.02;

static const crm_fit_attempt *best_of(const crm_fitting *f)
{
    return &f->attempts[f->best];
}

/* ---- Which are the same --------------------------------------------------------------------- */

static bool is_less(const crm_fitting *f, double chi2, double than)
{
    double unit = f->problem->weighed ? 1 : 0;
    double exact = EXACT * f->size;
    return chi2 + SAME_CHI2 * (unit + chi2) + exact * exact < than;
}

static bool is_same(const crm_fitting *f, const crm_fit_attempt *a, const crm_fit_attempt *b)
{
    if (is_less(f, a->chi2, b->chi2) || is_less(f, b->chi2, a->chi2)) {
        return false;
    }
    for (size_t j = 0; j < f->n; j++) {
        if (fabs(a->x[j] - b->x[j]) > fmax(a->radius[j], b->radius[j])) {
            return false;
        }
    }
    return true;
}

void crm_minima_add(crm_fitting *f, size_t attempt)
{
    const crm_fit_attempt *a = &f->attempts[attempt], *best = best_of(f);
    size_t i = 0;
    bool better = a->converged != best->converged ? a->converged : is_less(f, a->chi2, best->chi2);
    f->best = better ? attempt : f->best;
    f->attempt_count++;
    f->failed += !a->converged;
    if (!a->converged) {
        return;
    }
    while (i < f->minimum_count && !is_same(f, a, &f->attempts[f->first[i]])) {
        i++;
    }
    bool found = i == f->minimum_count;
    if (found || better) {
        f->minima[i] = (crm_fit_minimum){
            .chi2 = a->chi2, .values = a->x, .starts = found ? 0 : f->minima[i].starts};
        f->first[i] = attempt;
    }
    f->minimum_count += found;
    f->minima[i].starts++;
}

/* ---- When there are enough ------------------------------------------------------------------ */

bool crm_minima_is_as_good(const crm_fitting *f, double chi2)
{
    const crm_fit_attempt *best = best_of(f);
    double free = (double)best->degrees_of_freedom, exact = EXACT * f->size;
    double square = f->problem->weighed ? 1 : free > 0 ? best->chi2 / free : 0;
    return chi2 <= best->chi2 + LIKELY * square + exact * exact;
}

/* The cube root of chi2 over its mean is nearly normal (Wilson and Hilferty): five of its standard
 * deviations, which chance exceeds once in some million fits.
 */
bool crm_minima_is_poor(const crm_fitting *f)
{
    double mean = (double)best_of(f)->degrees_of_freedom, variance = 2 / (9 * mean);
    double root = 1 - variance + 5 * sqrt(variance);
    return f->problem->weighed && mean > 0 && best_of(f)->chi2 > mean * root * root * root;
}

size_t crm_minima_starts(const crm_fitting *f)
{
    for (size_t i = 0; i < f->minimum_count; i++) {
        if (f->minima[i].values == best_of(f)->x) {
            return f->minima[i].starts;
        }
    }
    return 0;
}

bool crm_minima_is_confirmed(const crm_fitting *f)
{
    for (size_t k = 0; k < f->attempt_count; k++) {
        if (is_less(f, f->attempts[k].chi2, best_of(f)->chi2)) {
            return false;
        }
    }
    return crm_minima_starts(f) > 1;
}

static bool is_linear(const crm_fitting *f)
{
    for (size_t k = 0; k < f->attempt_count; k++) {
        if (!f->attempts[k].linear) {
            return false;
        }
    }
    return true;
}

/* Boender and Rinnooy Kan: when N starts ended in w minima, and nothing was known before of how
 * many there are and how large their parts of the range, the part of those not seen is expected to
 * be w (w + 1) / (N (N - 1)). If the best fit is good, the only question is whether it is
 * ambiguous: then only starts that ended in minima as good as it count.
 */
bool crm_minima_suffice(const crm_fitting *f)
{
    double exact = EXACT * f->size, starts = 0, minima = 0;
    const crm_fit_attempt *best = best_of(f);
    bool judged = f->problem->weighed && best->degrees_of_freedom > 0, poor = crm_minima_is_poor(f);
    bool good = best->chi2 <= exact * exact || (judged && !poor);
    for (size_t i = 0; i < f->minimum_count; i++) {
        if (!good || crm_minima_is_as_good(f, f->minima[i].chi2)) {
            minima++;
            starts += (double)f->minima[i].starts;
        }
    }
    double unobserved = minima * (minima + 1) / (starts * (starts - 1));
    double allowed = poor ? UNOBSERVED_POOR : is_linear(f) ? UNOBSERVED_LINEAR : UNOBSERVED;
    return crm_minima_is_confirmed(f) && unobserved <= allowed;
}
