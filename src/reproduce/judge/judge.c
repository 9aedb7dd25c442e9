/* Ours beside the printed: how many digits agree, and what to think of it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/locale.h"
#include "reproduce/record.h"

/* Numbers like 0.125 lie half a unit from 0.12, and rounding must not decide. */
static const double ROUNDING = 1e-9;

static const char *const verdict_names[] = {
    [CRM_VERDICT_MATCHES] = "matches",   [CRM_VERDICT_SCHEME] = "scheme",
    [CRM_VERDICT_ERRATUM] = "erratum",   [CRM_VERDICT_UNEXPLAINED] = "not explained",
    [CRM_VERDICT_DEVIATES] = "deviates", [CRM_VERDICT_RECOMPUTED] = "recomputed",
    [CRM_VERDICT_SANITY] = "sanity",     [CRM_VERDICT_BESIDE] = "beside",
};

const char *crm_judge_verdict_text(crm_verdict verdict)
{
    return verdict_names[verdict];
}

/* ---- Digits --------------------------------------------------------------------------------- */

/* A number as printed, taken apart: sign, digits before and after the point, power of ten. */
typedef struct printed_number {
    int whole;    /* digits before the point, a lone 0 not counted */
    int decimals; /* after it */
    int exponent;
} printed_number;

static printed_number take_apart(const char *printed)
{
    printed_number number = {0};
    const char *at = printed + strspn(printed, "+-");
    number.whole = (int)strspn(at, "0123456789");
    bool lone_zero = number.whole == 1 && *at == '0';
    at += number.whole;
    if (*at == '.') {
        number.decimals = (int)strspn(at + 1, "0123456789");
        at += 1 + number.decimals;
    }
    if (lone_zero && number.decimals > 0) {
        number.whole = 0;
    }
    if (*at == 'e' || *at == 'E') {
        number.exponent = atoi(at + 1);
    }
    return number;
}

int crm_judge_digits(const char *printed)
{
    printed_number number = take_apart(printed);
    return number.whole + number.decimals;
}

double crm_judge_half_unit(const char *printed)
{
    printed_number number = take_apart(printed);
    return 0.5 * crm_pow(10, number.exponent - number.decimals);
}

/* Printed digits, less those at the end that do not agree. */
static int agreeing_digits(const char *printed, double deviation)
{
    int digits = crm_judge_digits(printed);
    double allowed = crm_judge_half_unit(printed);
    while (digits > 0 && fabs(deviation) > allowed * (1 + ROUNDING)) {
        digits--;
        allowed *= 10;
    }
    return digits;
}

/* ---- One claim ------------------------------------------------------------------------------ */

static bool near(double value, double wanted, double tolerance)
{
    return fabs(value - wanted) <= tolerance * (1 + ROUNDING);
}

/* Two digits more than were printed. */
static void show_ours(const char *printed, double value, char *text, size_t size)
{
    printed_number number = take_apart(printed);
    double zero = 0.1 * crm_judge_half_unit(printed) / 100;
    value = fabs(value) < zero ? 0 : value; /* no "-0.00" */
    if (number.decimals == 0 && value == floor(value)) {
        crm_snprintf(text, size, "%.0f", value); /* a count */
    } else if (strpbrk(printed, "eE") != NULL || fabs(value) >= 1e7) {
        crm_snprintf(text, size, "%.*e", number.decimals + 2, value);
    } else {
        crm_snprintf(text, size, "%.*f", number.decimals + 2, value);
    }
}

static double tolerance_of(const crm_claim *claim)
{
    return isnan(claim->tolerance) ? crm_judge_half_unit(claim->printed) : claim->tolerance;
}

/* Ours is right: what of the print? The paper's scheme, where it is named, must give it. */
static crm_verdict judge_difference(const crm_record *record, crm_finding *finding)
{
    crm_claim by_scheme = *finding->claim;
    if (by_scheme.scheme == NULL) {
        return CRM_VERDICT_ERRATUM;
    }
    if (strcmp(by_scheme.scheme, "none") == 0) {
        return CRM_VERDICT_UNEXPLAINED;
    }
    by_scheme.law = by_scheme.scheme;
    const crm_point *point = crm_record_point(record, &by_scheme);
    finding->scheme_number =
        crm_record_value(record, &by_scheme, point, finding->trouble, sizeof finding->trouble);
    return near(finding->scheme_number, by_scheme.published, tolerance_of(&by_scheme))
               ? CRM_VERDICT_SCHEME
               : CRM_VERDICT_DEVIATES;
}

/* Numbers that no paper prints are not shown under "published". */
static void fill_recomputed(crm_finding *finding)
{
    char ours[sizeof finding->ours];
    snprintf(ours, sizeof ours, "%s", finding->ours);
    snprintf(finding->ours, sizeof finding->ours, "%.60s (%.16s)", ours, finding->claim->printed);
    snprintf(finding->published, sizeof finding->published, "-");
    finding->again_number = finding->published_number;
    finding->published_number = finding->deviation = NAN;
    finding->digits = -1;
}

static void judge_value(const crm_record *record, crm_finding *finding)
{
    const crm_claim *claim = finding->claim;
    const crm_point *point = crm_record_point(record, claim);
    double ours = crm_record_value(record, claim, point, finding->trouble, sizeof finding->trouble);
    finding->published_number = claim->published;
    finding->ours_number = ours;
    snprintf(finding->published, sizeof finding->published, "%s", claim->printed);
    if (isnan(ours)) {
        snprintf(finding->ours, sizeof finding->ours, "none");
        return;
    }
    show_ours(claim->printed, ours, finding->ours, sizeof finding->ours);
    finding->deviation = ours - claim->published;
    finding->digits = agreeing_digits(claim->printed, finding->deviation);
    if (near(ours, claim->published, tolerance_of(claim))) {
        finding->verdict = CRM_VERDICT_MATCHES;
    } else if (claim->right != NULL &&
               near(ours, crm_strtod(claim->right, NULL), crm_judge_half_unit(claim->right))) {
        finding->verdict = judge_difference(record, finding);
    }
}

static void judge_status(const crm_record *record, crm_finding *finding)
{
    const crm_claim *claim = finding->claim;
    const crm_point *point = crm_record_point(record, claim);
    size_t law = 0;
    snprintf(finding->published, sizeof finding->published, "%s", claim->printed);
    if (point->trouble[0] != '\0' || crm_point_law(point, claim->law, &law) != CRM_OK) {
        snprintf(finding->ours, sizeof finding->ours, "none");
        snprintf(finding->trouble, sizeof finding->trouble, "%s", point->trouble);
        return;
    }
    snprintf(finding->ours, sizeof finding->ours, "%s",
             crm_result_text(point->outcomes[law]->result));
    if (strcmp(finding->ours, finding->published) == 0) {
        finding->verdict = CRM_VERDICT_MATCHES;
    }
}

/* What agrees, but says nothing of the print, does not count as agreeing with it. */
static void classify(crm_finding *finding)
{
    const crm_claim *claim = finding->claim;
    bool agrees = finding->verdict == CRM_VERDICT_MATCHES;
    if (claim->recomputed) {
        fill_recomputed(finding);
    }
    if (claim->beside) {
        finding->verdict = CRM_VERDICT_BESIDE;
    } else if (agrees && claim->recomputed) {
        finding->verdict = CRM_VERDICT_RECOMPUTED;
    } else if (agrees && claim->sanity) {
        finding->verdict = CRM_VERDICT_SANITY;
    }
}

static void judge(const crm_record *record, crm_finding *finding)
{
    finding->verdict = CRM_VERDICT_DEVIATES;
    finding->published_number = finding->ours_number = finding->deviation = NAN;
    finding->again_number = finding->scheme_number = NAN;
    finding->digits = -1;
    switch (finding->claim->kind) {
    case CRM_CLAIM_VALUE:
        judge_value(record, finding);
        break;
    case CRM_CLAIM_STATUS:
        judge_status(record, finding);
        break;
    default:
        crm_shape_judge(record, finding);
        break;
    }
    classify(finding);
}

/* ---- The item ------------------------------------------------------------------------------- */

/* Digits are those of the numbers that agree. Values with a tolerance of their own were said to be
 * "about" that: their digits say nothing.
 */
static void sum_up(crm_record *record, const crm_finding *finding)
{
    record->counts[finding->verdict]++;
    if (finding->verdict == CRM_VERDICT_BESIDE || finding->claim->kind != CRM_CLAIM_VALUE) {
        return;
    }
    if (!isnan(finding->deviation)) {
        record->worst = fmax(isnan(record->worst) ? 0 : record->worst, fabs(finding->deviation));
    }
    if (finding->verdict == CRM_VERDICT_MATCHES && isnan(finding->claim->tolerance)) {
        record->digits = record->digits < 0 || finding->digits < record->digits ? finding->digits
                                                                                : record->digits;
    }
}

void crm_judge_record(crm_record *record)
{
    record->digits = -1;
    record->worst = NAN;
    memset(record->counts, 0, sizeof record->counts);
    for (size_t i = 0; i < record->item->claim_count; i++) {
        crm_finding *finding = &record->findings[i];
        *finding = (crm_finding){.claim = &record->item->claims[i]};
        judge(record, finding);
        sum_up(record, finding);
    }
    record->verdict = record->counts[CRM_VERDICT_DEVIATES] > 0      ? CRM_VERDICT_DEVIATES
                      : record->counts[CRM_VERDICT_UNEXPLAINED] > 0 ? CRM_VERDICT_UNEXPLAINED
                      : record->counts[CRM_VERDICT_ERRATUM] > 0     ? CRM_VERDICT_ERRATUM
                      : record->counts[CRM_VERDICT_SCHEME] > 0      ? CRM_VERDICT_SCHEME
                                                                    : CRM_VERDICT_MATCHES;
}
