/* Random numbers of a distribution, as studies draw fields and chains their disorder. */
#include <math.h>

#include "base/elementary.h"
#include "scenario/block/distribution.h"

/* Of the draws, at least this share must lie within the limits ... */
static const double SHARE_LEAST = 0.01;
/* ... so that as many attempts as this do not fail within the age of the universe (0.99^10000). */
enum { ATTEMPTS_MOST = 10000 };

static double draw_once(const crm_distribution *d, crm_random_place place)
{
    if (d->kind == CRM_UNIFORM) {
        return d->a + (d->b - d->a) * crm_random_uniform(place);
    }
    double value = d->a + d->b * crm_random_normal(place);
    return d->kind == CRM_LOGNORMAL ? crm_exp(value) : value;
}

double crm_distribution_draw(const crm_distribution *d, crm_random_place place)
{
    double value = draw_once(d, place);
    while ((value < d->least || value > d->most) && place.attempt < ATTEMPTS_MOST) {
        place.attempt++;
        value = draw_once(d, place);
    }
    return value;
}

/* ---- Limits --------------------------------------------------------------------------------- */

static double normal_below(double x)
{
    return 0.5 * crm_erfc(-x / sqrt(2));
}

/* The probability of a draw below x. */
static double share_below(const crm_distribution *d, double x)
{
    if (d->kind == CRM_UNIFORM) {
        double part = (x - d->a) / (d->b - d->a);
        return part < 0 ? 0 : part > 1 ? 1 : part;
    }
    if (d->kind == CRM_LOGNORMAL) {
        return x > 0 ? normal_below((crm_log(x) - d->a) / d->b) : 0;
    }
    return normal_below((x - d->a) / d->b);
}

static crm_status read_within(crm_reader *reader, const crm_node *node, crm_distribution *d)
{
    double ends[2] = {0};
    crm_status status = crm_reader_list(reader, node, 2, "end", ends);
    if (status != CRM_OK || crm_mistakes_any(reader)) {
        return status;
    }
    d->least = ends[0];
    d->most = ends[1];
    double share = share_below(d, d->most) - share_below(d, d->least);
    if (!(share >= SHARE_LEAST)) {
        return crm_reader_fail(
            reader, node,
            "contains a fraction of %.2g of the distribution; must contain at least %g",
            fmax(share, 0), SHARE_LEAST);
    }
    return CRM_OK;
}

/* ---- The block ------------------------------------------------------------------------------ */

enum { DISTRIBUTIONS = CRM_LOGNORMAL + 1, WITHIN = DISTRIBUTIONS };

static crm_status read_kind(crm_reader *reader, const crm_node *node, const crm_node *const *fields,
                            crm_distribution *d)
{
    size_t found = DISTRIBUTIONS, count = 0;
    for (size_t i = 0; i < DISTRIBUTIONS; i++) {
        if (fields[i] != NULL) {
            found = i;
            count++;
        }
    }
    if (count != 1) {
        return crm_reader_fail(
            reader, node,
            "must have one of uniform: [least, most], normal: [mean, deviation] and "
            "lognormal: [mean, deviation] of the logarithm");
    }
    double ab[2] = {0};
    crm_status status = crm_reader_list(reader, fields[found], 2, "parameter", ab);
    if (status != CRM_OK || crm_mistakes_any(reader)) {
        return status;
    }
    d->kind = (crm_distribution_kind)found;
    d->a = ab[0];
    d->b = ab[1];
    bool good = found == CRM_UNIFORM ? d->b > d->a : d->b > 0;
    return good ? CRM_OK
                : crm_reader_fail(reader, fields[found], "is [%g, %g]; %s", d->a, d->b,
                                  found == CRM_UNIFORM ? "the second must be above the first"
                                                       : "the deviation must be above 0");
}

crm_status crm_distribution_read(crm_reader *reader, const crm_node *node,
                                 const crm_node *const *fields, crm_distribution *d)
{
    d->least = -INFINITY;
    d->most = INFINITY;
    crm_status status = read_kind(reader, node, fields, d);
    return status == CRM_OK && fields[WITHIN] != NULL ? read_within(reader, fields[WITHIN], d)
                                                      : status;
}
