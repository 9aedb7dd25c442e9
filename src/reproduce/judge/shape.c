/* What a curve shows: where it is least, whether it rises, between what it stays. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/locale.h"
#include "reproduce/judge/curve.h"

/* A curve computed to a tolerance may fall by this part of its size and still be said to rise. */
static const double FLAT = 1e-6;

/* ---- What it shows -------------------------------------------------------------------------- */

static void judge_extreme(const crm_claim_curve *c, crm_finding *finding)
{
    const crm_claim *claim = finding->claim;
    bool minimum = claim->kind == CRM_CLAIM_MINIMUM;
    size_t best = 0;
    for (size_t i = 1; i < c->count; i++) {
        best = (minimum ? c->y[i] < c->y[best] : c->y[i] > c->y[best]) ? i : best;
    }
    const char *word = minimum ? "least" : "largest";
    finding->published_number = claim->published;
    finding->ours_number = c->x[best];
    finding->deviation = c->x[best] - claim->published;
    snprintf(finding->published, sizeof finding->published, "%s at %s", word, claim->printed);
    crm_snprintf(finding->ours, sizeof finding->ours, "%s at %.5g (%.5g)", word, c->x[best],
                 c->y[best]);
    /* At the end of the curve it is no extreme. */
    bool inside = claim->along || (best > 0 && best + 1 < c->count);
    if (inside && fabs(finding->deviation) <= claim->tolerance * (1 + 1e-9)) {
        finding->verdict = CRM_VERDICT_MATCHES;
    }
}

static void judge_trend(const crm_claim_curve *c, crm_finding *finding)
{
    double sign = finding->claim->kind == CRM_CLAIM_INCREASES ? 1 : -1;
    double largest = 0;
    for (size_t i = 0; i < c->count; i++) {
        largest = fmax(largest, fabs(c->y[i]));
    }
    size_t against = 0;
    for (size_t i = 1; i < c->count && against == 0; i++) {
        against = sign * (c->y[i] - c->y[i - 1]) < -FLAT * largest ? i : 0;
    }
    const char *words[] = {"rises", "falls"};
    snprintf(finding->published, sizeof finding->published, "%s", words[sign < 0]);
    if (against == 0 && c->count > 1) {
        crm_snprintf(finding->ours, sizeof finding->ours, "%s from %.4g to %.4g", words[sign < 0],
                     c->y[0], c->y[c->count - 1]);
        finding->verdict = CRM_VERDICT_MATCHES;
    } else {
        crm_snprintf(finding->ours, sizeof finding->ours, "%s at %.4g", words[sign > 0],
                     c->x[against]);
    }
}

static void show_bounds(const crm_claim *claim, char *text, size_t size)
{
    if (claim->least == -DBL_MAX) {
        crm_snprintf(text, size, "at most %.6g", claim->most);
    } else if (claim->most == DBL_MAX) {
        crm_snprintf(text, size, "at least %.6g", claim->least);
    } else {
        crm_snprintf(text, size, "%.6g to %.6g", claim->least, claim->most);
    }
}

static void judge_bounds(const crm_claim_curve *c, crm_finding *finding)
{
    const crm_claim *claim = finding->claim;
    double low = c->y[0], high = c->y[0];
    for (size_t i = 1; i < c->count; i++) {
        low = fmin(low, c->y[i]);
        high = fmax(high, c->y[i]);
    }
    show_bounds(claim, finding->published, sizeof finding->published);
    if (low == high) {
        finding->ours_number = low;
        crm_snprintf(finding->ours, sizeof finding->ours, "%.5g", low);
    } else {
        crm_snprintf(finding->ours, sizeof finding->ours, "%.5g to %.5g", low, high);
    }
    if (low >= claim->least && high <= claim->most) {
        finding->verdict = CRM_VERDICT_MATCHES;
    }
}

void crm_shape_judge(const crm_record *record, crm_finding *finding)
{
    const crm_claim *claim = finding->claim;
    crm_claim_curve c = {0};
    bool followed =
        crm_curve_collect(record, claim, &c, finding->trouble, sizeof finding->trouble) &&
        crm_curve_is_complete(&c);
    if (!followed || c.count == 0) {
        snprintf(finding->ours, sizeof finding->ours, "none");
        snprintf(finding->published, sizeof finding->published, "a curve");
        if (finding->trouble[0] == '\0') {
            snprintf(finding->trouble, sizeof finding->trouble, "the quantity is not defined");
        }
    } else if (claim->kind == CRM_CLAIM_MINIMUM || claim->kind == CRM_CLAIM_MAXIMUM) {
        judge_extreme(&c, finding);
    } else if (claim->kind == CRM_CLAIM_WITHIN) {
        judge_bounds(&c, finding);
    } else {
        judge_trend(&c, finding);
    }
    crm_curve_free(&c);
}
