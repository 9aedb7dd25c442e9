#include "lcp/interior/pairs.h"

#include <math.h>

#include "base/extreme.h"

/* Part of the way to the nearest bound. */
static const double STEP_FRACTION = 0.995;

/* Products are drawn into [NARROW, WIDE] times their aim, by at most this many corrections. */
static const double NARROW = 0.1;
static const double WIDE = 10.0;
enum { MAX_CENTRALITY = 3 };

/* Parts of a correction that are tried. */
enum { PARTS = 8 };

double crm_lcp_pairs_mean(const crm_lcp_pairs *pairs, double step)
{
    double sum = 0.0;
    for (size_t k = 0; k < pairs->size; k++) {
        sum += (pairs->p[k] + step * pairs->dp[k]) * (pairs->w[k] + step * pairs->dw[k]);
    }
    return sum / (double)pairs->size;
}

/* The longest step that keeps p and w >= 0, up to a little more than 1. */
static double longest_step(const crm_lcp_pairs *pairs)
{
    double step = 1.0 / STEP_FRACTION;
    for (size_t k = 0; k < pairs->size; k++) {
        if (pairs->p[k] + step * pairs->dp[k] < 0.0) {
            step = -pairs->p[k] / pairs->dp[k];
        }
        if (pairs->w[k] + step * pairs->dw[k] < 0.0) {
            step = -pairs->w[k] / pairs->dw[k];
        }
    }
    return step;
}

/* Steps are sought piece by piece. */
enum { PIECE = 8192 };

typedef struct search {
    const crm_lcp_pairs *pairs;
    const double *part;
    crm_extreme step[PARTS];
} search;

static void search_part(void *context, size_t piece)
{
    search *s = context;
    const crm_lcp_pairs *pairs = s->pairs;
    size_t end = (piece + 1) * PIECE < pairs->size ? (piece + 1) * PIECE : pairs->size;
    double step[PARTS];
    for (size_t m = 0; m < PARTS; m++) {
        step[m] = 1.0 / STEP_FRACTION;
    }
    for (size_t k = piece * PIECE; k < end; k++) {
        for (size_t m = 0; m < PARTS; m++) {
            double dp = pairs->dp[k] + s->part[m] * pairs->cp[k];
            double dw = pairs->dw[k] + s->part[m] * pairs->cw[k];
            if (pairs->p[k] + step[m] * dp < 0.0) {
                step[m] = -pairs->p[k] / dp;
            }
            if (pairs->w[k] + step[m] * dw < 0.0) {
                step[m] = -pairs->w[k] / dw;
            }
        }
    }
    for (size_t m = 0; m < PARTS; m++) {
        crm_extreme_offer(&s->step[m], step[m]);
    }
}

/* The longest steps with part[m] of the correction added. */
static void longest_steps(const crm_lcp_pairs *pairs, const double *part, double *step)
{
    search s = {.pairs = pairs, .part = part};
    for (size_t m = 0; m < PARTS; m++) {
        crm_extreme_begin(&s.step[m], true, 1.0 / STEP_FRACTION);
    }
    crm_team_run(pairs->team, (pairs->size + PIECE - 1) / PIECE, search_part, &s);
    for (size_t m = 0; m < PARTS; m++) {
        step[m] = crm_extreme_value(&s.step[m]);
    }
}

/* Adds that part of the correction, least to 1, that allows the longest step (M. Colombo, J.
 * Gondzio, Comput. Optim. Appl. 41 (2008)): a correction is made for a long step, and all of it may
 * spoil a short one. Returns the step.
 */
static double add_correction(const crm_lcp_pairs *pairs, double least)
{
    double part[PARTS];
    double step[PARTS];
    size_t best = 0;
    for (size_t m = 0; m < PARTS; m++) {
        part[m] = 1.0 - (1.0 - least) * (double)m / (PARTS - 1);
    }
    longest_steps(pairs, part, step);
    for (size_t m = 1; m < PARTS && step[0] < 1.0; m++) {
        best = step[m] > step[best] ? m : best;
    }
    for (size_t k = 0; k < pairs->size; k++) {
        pairs->dp[k] += part[best] * pairs->cp[k];
        pairs->dw[k] += part[best] * pairs->cw[k];
    }
    return step[best];
}

void crm_lcp_pairs_advance(const crm_lcp_pairs *pairs, double step)
{
    for (size_t k = 0; k < pairs->size; k++) {
        pairs->p[k] += step * pairs->dp[k];
        pairs->w[k] += step * pairs->dw[k];
    }
}

/* Aim for a longer step by moving the products that would end far from the mean back towards it. */
static void aim_at_centre(const crm_lcp_pairs *pairs, double wanted, double centring)
{
    for (size_t k = 0; k < pairs->size; k++) {
        double end = (pairs->p[k] + wanted * pairs->dp[k]) * (pairs->w[k] + wanted * pairs->dw[k]);
        double aim = fmin(fmax(end, NARROW * centring), WIDE * centring);
        pairs->right[k] = fmax(aim - end, -WIDE * centring);
    }
}

/* Gondzio's corrections. Returns the longest step. */
static double correct_repeatedly(const crm_lcp_pairs *pairs, double longest, double centring,
                                 void (*find)(void *context), void *context)
{
    for (unsigned count = 0; count < MAX_CENTRALITY && longest < 0.95; count++) {
        double wanted = fmin(1.0, 1.5 * longest + 0.1);
        aim_at_centre(pairs, wanted, centring);
        find(context);
        double corrected = add_correction(pairs, 0.0);
        if (corrected < longest + 0.1 * (wanted - longest)) {
            return corrected;
        }
        longest = corrected;
    }
    return longest;
}

double crm_lcp_pairs_improve(const crm_lcp_pairs *pairs, void (*find)(void *context), void *context)
{
    double mean = crm_lcp_pairs_mean(pairs, 0.0);
    double longest = fmin(1.0, longest_step(pairs));
    double reduced = crm_lcp_pairs_mean(pairs, longest) / mean;
    double centring = reduced * reduced * reduced * mean;
    for (size_t k = 0; k < pairs->size; k++) {
        pairs->right[k] = centring - pairs->dp[k] * pairs->dw[k];
    }
    find(context);
    longest = add_correction(pairs, longest * longest);
    longest = correct_repeatedly(pairs, longest, centring, find, context);
    return fmin(1.0, fmax(STEP_FRACTION, 1.0 - reduced) * longest);
}
