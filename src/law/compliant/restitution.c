/* One contact by itself: the restitution that its damping makes, and the damping for a restitution.
 *
 * In the units of compliant_single the equations have D = K = s = 1. A step is solved by
 * collocation as in solve.c, by plain iteration; the first is tiny and each is as long as the time
 * before it, so that x^eta is smooth in all but the first.
 */
#include <math.h>

#include "base/elementary.h"
#include "law/compliant/compliant.h"

static const double FIRST = 1e-4, LONGEST = 0.1, FOR_EVER = 200;
/* Greatest product of a step and the rate of decay. */
static const double MOST_DECAY = 0.7;
enum { SWEEPS = 22, MOST_STEPS = 200000, MOST_SECANTS = 60, MOST_EXPANSIONS = 60 };

typedef struct ball {
    double x, c, z;
} ball;

static compliant_contact contact_of(const compliant_single *single, double damping)
{
    return (compliant_contact){.model = single->model,
                               .kind = lzb_contact_kind(single->exponent),
                               .stiffness = 1,
                               .exponent = single->exponent,
                               .damping = damping,
                               .arm = single->arm};
}

static double force_of(const compliant_contact *of, const ball *b)
{
    bool linear = of->kind == LZB_LINEAR; /* goes on below 0 */
    return linear && of->model != COMPLIANT_HUNT_CROSSLEY ? compliant_pull(of, b->x, b->c, b->z)
                                                          : compliant_force(of, b->x, b->c, b->z);
}

/* A sum over the columns of a table. */
static double sum_at(const lzb_nodal *columns, const double *y, unsigned place)
{
    double sum = 0;
    for (unsigned j = 0; j < LZB_NODES; j++) {
        sum += columns[j][place] * y[j];
    }
    return sum;
}

static double total(const lzb_nodal *weights, const double *y)
{
    double sum = 0;
    for (unsigned j = 0; j < LZB_NODES; j++) {
        sum += (*weights)[j] * y[j];
    }
    return sum;
}

static ball step_of(const compliant_contact *of, ball at, double h, lzb_map map)
{
    const lzb_table *table = &lzb_nodes_gauss.map[map];
    double yields = of->model == COMPLIANT_ZENER ? compliant_yield(of, 0) : 0;
    double back = of->model == COMPLIANT_MAXWELL ? 1 / of->damping : 0;
    double force[LZB_NODES], arm[LZB_NODES], next_force[LZB_NODES], next_arm[LZB_NODES];
    for (unsigned l = 0; l < LZB_NODES; l++) {
        force[l] = force_of(of, &at);
        arm[l] = at.z;
    }
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        for (unsigned l = 0; l < LZB_NODES; l++) {
            double impulse = h * sum_at(table->once, force, l);
            ball b = {.c = at.c - impulse};
            double way = h * table->time[l] * at.c - h * h * sum_at(table->twice, force, l);
            b.x = at.x + way - back * impulse;
            b.z = next_arm[l] = at.z + way - yields * h * sum_at(table->once, arm, l);
            next_force[l] = force_of(of, &b);
        }
        for (unsigned l = 0; l < LZB_NODES; l++) {
            force[l] = next_force[l];
            arm[l] = next_arm[l];
        }
    }
    double impulse = h * total(&table->impulse, force);
    double way = h * at.c - h * h * total(&table->moment, force);
    return (ball){.x = at.x + way - back * impulse,
                  .c = at.c - impulse,
                  .z = at.z + way - yields * h * total(&table->impulse, arm)};
}

/* Positive while it presses. */
static double left_of(const compliant_contact *of, const ball *b)
{
    bool by_pull = of->model == COMPLIANT_KELVIN_VOIGT || of->model == COMPLIANT_ZENER;
    return by_pull ? compliant_pull(of, b->x, b->c, b->z) : b->x;
}

static double length_of(const compliant_contact *of, const ball *at, double time)
{
    double x = fmax(at->x, 1e-3);
    double decay = fmax(compliant_resistance(of, x), compliant_yield(of, x));
    return fmin(fmin(LONGEST, time), decay > 0 ? MOST_DECAY / decay : INFINITY);
}

/* The rebound, where the step to `over` is one too far: false position. */
static double rebound(const compliant_contact *of, const ball *at, double length)
{
    lzb_map map = left_of(of, at) == at->x ? LZB_MAP_END_CUBED : LZB_MAP_PLAIN;
    double low = 0, high = length, above = left_of(of, at), below = -1;
    ball end = step_of(of, *at, high, map);
    below = fmin(left_of(of, &end), -1e-300);
    for (int n = 0; n < MOST_SECANTS && high - low > 1e-15 * length; n++) {
        double middle = low + (high - low) * above / (above - below);
        end = step_of(of, *at, middle, map);
        double value = left_of(of, &end);
        if (fabs(value) < 1e-17) {
            break;
        }
        if (value > 0) {
            low = middle;
            above = value;
            below *= 0.5; /* of the end that stays */
        } else {
            high = middle;
            below = value;
            above *= 0.5;
        }
    }
    return -end.c;
}

double compliant_restitution_of(const compliant_single *single, double damping)
{
    compliant_contact of = contact_of(single, damping);
    ball at = {.c = 1};
    double time = 0, length = FIRST;
    for (int n = 0; n < MOST_STEPS && time < FOR_EVER * (1 + damping); n++) {
        length = n == 0 ? fmin(FIRST, length_of(&of, &at, FIRST)) : length_of(&of, &at, time);
        ball next = step_of(&of, at, length, n == 0 ? LZB_MAP_START_CUBED : LZB_MAP_PLAIN);
        if (next.c < 0 && !(left_of(&of, &next) > 0)) {
            return rebound(&of, &at, length);
        }
        at = next;
        time += length;
    }
    return 0; /* it does not leave */
}

/* ---- The other way round --------------------------------------------------------------------- */

/* (1 + k)/(1 - k e) = exp(k (1 + e)) by logarithms, divided by k^2, which grows through 0: by its
 * series where k is small.
 */
static double hunt_crossley(double k, double e)
{
    if (k > 0.1) {
        return (crm_log1p(k) - crm_log1p(-k * e) - k * (1 + e)) / (k * k);
    }
    double sum = -0.5 * (1 - e) * (1 + e), power = k, of_e = e * e * e;
    for (int n = 3; n < 26; n++) {
        sum += power * ((n % 2 ? 1 : -1) + of_e) / n;
        power *= k;
        of_e *= e;
    }
    return sum;
}

static double hunt_crossley_damping(double e)
{
    double low = 0, high = 1 / e;
    for (int n = 0; n < 2000 && high - low > 1e-16 * high; n++) {
        double middle = low > 0 && high > 4 * low ? sqrt(low * high)
                        : low > 0                 ? 0.5 * (low + high)
                                                  : 0.25 * high;
        if (middle <= low || middle >= high) {
            break;
        }
        *(hunt_crossley(middle, e) < 0 ? &low : &high) = middle;
    }
    return 0.5 * (low + high);
}

typedef struct bracket {
    double low, high, at_low,
        at_high; /* dampings; what is above 0 at the one, below at the other */
} bracket;

/* In the logarithm of the damping. */
static double root_in(const compliant_single *single, bracket b, double sign)
{
    double middle = b.low;
    for (int n = 0; n < MOST_SECANTS && b.high - b.low > 1e-15 * b.high; n++) {
        double part = b.at_low / (b.at_low - b.at_high);
        middle = b.low * crm_exp(part * crm_log(b.high / b.low));
        double value = sign * (compliant_restitution_of(single, middle) - single->restitution);
        if (fabs(value) < 1e-15) {
            break;
        }
        if (value > 0) {
            b.low = middle;
            b.at_low = value;
            b.at_high *= 0.5;
        } else {
            b.high = middle;
            b.at_high = value;
            b.at_low *= 0.5;
        }
    }
    return middle;
}

/* Where a Zener contact loses most. */
static double worst_damping(const compliant_single *single)
{
    double low = crm_log(1e-3 * single->arm), high = crm_log(1e3 * (1 + single->arm));
    for (int n = 0; n < 40; n++) {
        double left = low + (high - low) / 3, right = high - (high - low) / 3;
        bool falls = compliant_restitution_of(single, crm_exp(left)) >
                     compliant_restitution_of(single, crm_exp(right));
        low = falls ? left : low;
        high = falls ? high : right;
    }
    return crm_exp(0.5 * (low + high));
}

bool compliant_restitution_damping(const compliant_single *single, double *damping,
                                   double *restitution)
{
    double e = single->restitution, sign = single->model == COMPLIANT_MAXWELL ? -1 : 1;
    *restitution = 0;
    if (single->model == COMPLIANT_HUNT_CROSSLEY && e > 0) {
        *damping = hunt_crossley_damping(e);
        return true;
    }
    bracket b = {.low = 1, .high = 1};
    if (single->model == COMPLIANT_ZENER) {
        b.low = b.high = worst_damping(single);
        *restitution = compliant_restitution_of(single, b.high);
        if (*restitution > e) {
            return false;
        }
    }
    for (int n = 0; n < MOST_EXPANSIONS && !(b.at_low > 0); n++) {
        b.low *= 0.3;
        b.at_low = sign * (compliant_restitution_of(single, b.low) - e);
    }
    for (int n = 0; n < MOST_EXPANSIONS && !(b.at_high < 0); n++) {
        b.at_high = sign * (compliant_restitution_of(single, b.high) - e);
        b.high *= b.at_high < 0 ? 1 : 3;
    }
    if (!(b.at_low > 0) || !(b.at_high < 0)) {
        return false;
    }
    *damping = root_in(single, b, sign);
    return true;
}
