/* LZB against solutions in closed form. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "support.h"

/* Ten digits of a single contact, at the default tolerance and at a finer one. */
static const double two_body_error = 1e-10;
static const double two_body_error_by_default = 1e-9; /* a tenth of the tolerance */
static const double finest = 1e-11;
/* Several contacts, whose errors add up, with a tolerance of 1e-10. */
static const double several_body_error = 1e-8;
static const double tight = 1e-10;

static const double pi = 3.141592653589793238;

static lzb_choices model_options(int mono, double tolerance)
{
    return (lzb_choices){.stiffness_model = mono ? "mono" : "bi", .tolerance = tolerance};
}

/* ---- One contact ----------------------------------------------------------------------------- */

static small_system random_pair(rng *r)
{
    static const double restitutions[] = {0.0, 1.0, 0.5, 0.97, 0.05};
    small_system pair = small_system_chain(2, false);
    pair.mass[0] = rng_log(r, 1e-3, 1e3);
    pair.mass[3] = rng_log(r, 1e-3, 1e3);
    pair.stiffness[0] = rng_log(r, 1e-6, 1e10);
    pair.exponent[0] = rng_log(r, 0.2, 6.0);
    size_t pick = rng_below(r, 10);
    pair.restitution[0] = pick < 5   ? restitutions[pick]
                          : pick < 8 ? rng_uniform(r, 0.0, 1.0)
                                     : rng_log(r, 1e-14, 1e-2);
    pair.velocity[0] = rng_uniform(r, 0.0, 1.0);
    pair.velocity[1] = pair.velocity[0] - rng_log(r, 1e-4, 10.0);
    return pair;
}

/* An expansion that is shorter than the rounding of the time before it may be said not to be known;
 * what has been reached must be right all the same.
 */
static const double UNRESOLVED = 1e-13;

static crm_outcome *solve_pair(const small_system *pair, lzb_choices options)
{
    crm_model *model = small_system_model(pair);
    crm_outcome *outcome = lzb_outcome(model, pair->velocity, options);
    double e = pair->restitution[0];
    bool resolved = e == 0 || e >= UNRESOLVED;
    crm_model_free(model);
    assert_true(outcome->result == CRM_SOLVED ||
                (outcome->result == CRM_NOT_TERMINATED && !resolved));
    return outcome;
}

static void two_bodies_separate_at_e_times_their_closing_speed(void **state)
{
    (void)state;
    rng r = rng_seeded(11);
    for (int i = 0; i < 500; i++) {
        small_system pair = random_pair(&r);
        double closing = pair.velocity[0] - pair.velocity[1];
        double momentum = pair.mass[0] * pair.velocity[0] + pair.mass[3] * pair.velocity[1];
        for (int k = 0; k < 4; k++) { /* bi and mono, finest and default tolerance */
            double error = k < 2 ? two_body_error : two_body_error_by_default;
            crm_outcome *outcome = solve_pair(&pair, model_options(k % 2, k < 2 ? finest : 0.0));
            double e = pair.restitution[0];
            assert_near(outcome->gap_velocity[0] / closing, e, error);
            assert_near(outcome->gap_velocity[0] / closing, e, 10.0 * outcome->error_estimate);
            double reduced = pair.mass[0] * pair.mass[3] / (pair.mass[0] + pair.mass[3]);
            assert_near(outcome->impulse[0] / (reduced * closing), 1.0 + e, error);
            double after =
                pair.mass[0] * outcome->velocity[0] + pair.mass[3] * outcome->velocity[1];
            assert_near(after, momentum, 1e-12 * (fabs(momentum) + pair.mass[0] + pair.mass[3]));
            /* Of the energy of approach; the account is kept in the total, to rounding. */
            double approach = 0.5 * reduced * closing * closing;
            double allowed = 4.0 * error * approach + 1e-14 * outcome->energy_before;
            assert_near(outcome->loss[0], (1.0 - e * e) * approach, allowed);
            assert_near(outcome->energy_before - outcome->energy_after, (1.0 - e * e) * approach,
                        allowed);
            crm_outcome_free(outcome);
        }
    }
}

/* Energy c^2/2D + E0 is stored at the most; e^2 of it comes back. If the bodies part to begin
 * with, the latest "compression" is what was stored: e^2 E0 is added to the energy of parting.
 */
static void stored_energy_comes_back_times_e_squared(void **state)
{
    (void)state;
    rng r = rng_seeded(12);
    for (int i = 0; i < 100; i++) {
        small_system pair = random_pair(&r);
        if (i % 2) {
            double kept = pair.velocity[0];
            pair.velocity[0] = pair.velocity[1];
            pair.velocity[1] = kept;
        }
        double d = 1.0 / pair.mass[0] + 1.0 / pair.mass[3], e = pair.restitution[0];
        double closing = pair.velocity[0] - pair.velocity[1];
        pair.stored_energy[0] = rng_log(&r, 0.01, 10.0) * closing * closing / (2.0 * d);
        double most = closing * closing + 2.0 * d * pair.stored_energy[0];
        double want = closing > 0.0
                          ? e * sqrt(most)
                          : sqrt(closing * closing + 2.0 * d * e * e * pair.stored_energy[0]);
        for (int mono = 0; mono < 2; mono++) {
            crm_outcome *outcome = lzb_solve_small(&pair, model_options(mono, finest));
            assert_near(outcome->gap_velocity[0] / sqrt(most), want / sqrt(most), two_body_error);
            assert_near(outcome->stored_before, pair.stored_energy[0],
                        1e-15 * pair.stored_energy[0]);
            crm_outcome_free(outcome);
        }
    }
}

/* Half a period is (x_m/c) sqrt(pi) Gamma(1+a)/Gamma(1/2+a), a = 1/(eta+1); the expansion of the
 * bi-stiffness model is e times as long. The force is largest at x_m.
 */
static void duration_and_peak_force_of_one_contact(void **state)
{
    (void)state;
    rng r = rng_seeded(13);
    for (int i = 0; i < 100; i++) {
        small_system pair = random_pair(&r);
        pair.restitution[0] = fmax(pair.restitution[0], 0.05);
        if (i % 2 == 0) { /* those that have kernels of their own */
            pair.exponent[0] = 1.0 + 0.5 * (i / 2 % 5);
        }
        double d = 1.0 / pair.mass[0] + 1.0 / pair.mass[3];
        double closing = pair.velocity[0] - pair.velocity[1];
        double a = 1.0 / (pair.exponent[0] + 1.0);
        double deepest = pow(closing * closing / (2.0 * d * a * pair.stiffness[0]), a);
        double half = deepest / closing * sqrt(pi) * tgamma(1.0 + a) / tgamma(0.5 + a);
        double peak = pair.stiffness[0] * pow(deepest, pair.exponent[0]);
        crm_outcome *outcome = lzb_solve_small(&pair, model_options(0, tight));
        assert_near(outcome->duration / (half * (1.0 + pair.restitution[0])), 1.0, 1e-9);
        assert_non_null(outcome->peak_force);
        /* of e = 1 by interpolation within a step */
        assert_near(outcome->peak_force[0] / peak, 1.0, pair.restitution[0] < 1 ? 1e-9 : 1e-8);
        assert_non_null(outcome->compressions);
        assert_int_equal(outcome->compressions[0], 1);
        assert_non_null(outcome->contact_duration);
        assert_near(outcome->contact_duration[0] / outcome->duration, 1.0, 1e-12);
        crm_outcome_free(outcome);
    }
}

static void a_ball_meets_a_moving_wall(void **state)
{
    (void)state;
    for (int k = 0; k <= 10; k++) {
        small_system ball = small_system_chain(1, true);
        ball.restitution[0] = 0.1 * k;
        ball.velocity[0] = 1.0;
        ball.boundary_velocity[0] = -0.7; /* the wall comes towards it */
        for (int mono = 0; mono < 2; mono++) {
            crm_outcome *outcome = lzb_solve_small(&ball, model_options(mono, finest));
            /* u- = -1 - 0.7, u+ = 1.7 e = -v+ - 0.7 */
            assert_near(outcome->velocity[0], -0.7 - 0.17 * k, 2.0 * two_body_error);
            double work = outcome->energy_after - outcome->energy_before + outcome->loss[0];
            assert_near(outcome->boundary_work, work, 1e-10);
            assert_near(outcome->loss[0], 0.5 * 1.7 * 1.7 * (1.0 - 0.01 * k * k), 1e-9);
            crm_outcome_free(outcome);
        }
    }
}

static void nothing_happens_when_nothing_closes(void **state)
{
    (void)state;
    small_system chain = small_system_chain(4, false);
    const double parting[] = {-1.0, 0.0, 0.0, 2.0};
    memcpy(chain.velocity, parting, sizeof parting);
    for (int mono = 0; mono < 2; mono++) {
        crm_outcome *outcome = lzb_solve_small(&chain, model_options(mono, 0.0));
        for (size_t i = 0; i < 4; i++) {
            assert_true(outcome->velocity[i] == parting[i]);
        }
        assert_true(outcome->impulse[0] == 0.0 && outcome->impulse[1] == 0.0 &&
                    outcome->impulse[2] == 0.0);
        assert_true(outcome->duration == 0.0);
        assert_true(outcome->kinematic && outcome->kinetic && outcome->energetic);
        crm_outcome_free(outcome);
    }
}

/* ---- Bernoulli: two contacts that do the same at the same time ------------------------------- */

/* Ball 2 (mass `ratio`) strikes 1 and 3 along its line; contacts at +-angle to it. Coordinates
 * x1 y1 x2 y2 x3 y3. The lines of a system, so that the outer balls may even overlap.
 */
static small_system bernoulli(double angle, double ratio)
{
    small_system system = small_system_blank(6, 2);
    double c = cos(angle), s = sin(angle);
    const double w[] = {c, s, -c, -s, 0, 0, 0, 0, -c, s, c, -s};
    memcpy(system.w, w, sizeof w);
    system.mass[2 * 7] = system.mass[3 * 7] = ratio;
    system.velocity[2] = 1.0;
    return system;
}

/* The two contacts are mirror images; their w, and with them D, differ by rounding. */
static const double mirror_rounding = 1e-12;

static void bernoulli_elastic_is_formula_103(void **state)
{
    (void)state;
    for (int k = 1; k < 60; k++) {
        double angle = pi / 2.0 * k / 60.0, t = tan(angle), f = 2.0 / (3.0 + t * t);
        const double want[] = {f, f * t, 1.0 - 2.0 * f, 0.0, f, -f * t};
        for (int mono = 0; mono < 2; mono++) {
            small_system system = bernoulli(angle, 1.0);
            crm_outcome *outcome = lzb_solve_small(&system, model_options(mono, 0.0));
            assert_all_near(outcome->velocity, want, 6, several_body_error);
            crm_outcome_free(outcome);
        }
    }
}

/* With any e, exponent and mass of the middle ball the two contacts stay equal: each is a single
 * contact with D = D11 + D12, so its gap velocity is reversed by e.
 */
static void bernoulli_with_losses_reverses_both_gap_velocities_by_e(void **state)
{
    (void)state;
    rng r = rng_seeded(14);
    for (int i = 0; i < 150; i++) {
        double angle = rng_uniform(&r, 0.01, 1.55), e = i % 10 == 0 ? 0.0 : rng_uniform(&r, 0, 1);
        small_system system = bernoulli(angle, rng_log(&r, 0.01, 100.0));
        system.restitution[0] = system.restitution[1] = e;
        system.exponent[0] = system.exponent[1] = rng_log(&r, 0.3, 4.0);
        system.stiffness[0] = system.stiffness[1] = rng_log(&r, 1e-3, 1e9);
        for (int mono = 0; mono < 2; mono++) {
            crm_outcome *outcome = lzb_solve_small(&system, model_options(mono, 0.0));
            for (size_t j = 0; j < 2; j++) {
                assert_near(outcome->gap_velocity[j] / cos(angle), e, several_body_error);
            }
            assert_near(outcome->velocity[3], 0.0, mirror_rounding);
            assert_near(outcome->velocity[1], -outcome->velocity[5], mirror_rounding);
            crm_outcome_free(outcome);
        }
    }
}

/* ---- Three balls, linear contacts, e = 1 ---------------------------------------------------- */

/* While the same contacts are closed the indentations are x'' = -D K x, harmonic modes. */
typedef struct linear_three {
    long double d[2][2], k[2], start[2]; /* D, K, closing speeds before */
    long double x[2], c[2];
    int closed; /* bit j: contact j */
} linear_three;

/* x and c a time t later, with the present contacts closed. */
static void linear_three_at(const linear_three *s, long double t, long double *x, long double *c)
{
    for (int j = 0; j < 2; j++) {
        int o = 1 - j;
        if (s->closed ==
            1 << j) { /* alone: one oscillator; the other's speed follows the impulse */
            long double w = sqrtl(s->d[j][j] * s->k[j]);
            x[j] = s->x[j] * cosl(w * t) + s->c[j] / w * sinl(w * t);
            c[j] = s->c[j] * cosl(w * t) - s->x[j] * w * sinl(w * t);
            x[o] = 0.0L;
            c[o] = s->c[o] + s->d[o][j] / s->d[j][j] * (c[j] - s->c[j]);
            return;
        }
    }
    /* both: y = sqrt(K) x has the symmetric stiffness S = sqrt(K) D sqrt(K) */
    long double r0 = sqrtl(s->k[0]), r1 = sqrtl(s->k[1]);
    long double a = s->d[0][0] * s->k[0], b = s->d[0][1] * r0 * r1, e = s->d[1][1] * s->k[1];
    long double angle = 0.5L * atan2l(2.0L * b, a - e), cs = cosl(angle), sn = sinl(angle);
    long double square[2] = {a * cs * cs + 2.0L * b * cs * sn + e * sn * sn,
                             a * sn * sn - 2.0L * b * cs * sn + e * cs * cs};
    long double y[2] = {r0 * s->x[0], r1 * s->x[1]}, dy[2] = {r0 * s->c[0], r1 * s->c[1]};
    long double m[2] = {cs * y[0] + sn * y[1], -sn * y[0] + cs * y[1]};
    long double dm[2] = {cs * dy[0] + sn * dy[1], -sn * dy[0] + cs * dy[1]};
    for (int i = 0; i < 2; i++) {
        long double w = sqrtl(square[i]), now = m[i];
        m[i] = now * cosl(w * t) + dm[i] / w * sinl(w * t);
        dm[i] = dm[i] * cosl(w * t) - now * w * sinl(w * t);
    }
    x[0] = (cs * m[0] - sn * m[1]) / r0;
    x[1] = (sn * m[0] + cs * m[1]) / r1;
    c[0] = (cs * dm[0] - sn * dm[1]) / r0;
    c[1] = (sn * dm[0] + cs * dm[1]) / r1;
}

/* A closed contact has been pressed out, or an open one closes. */
static int linear_three_past(const linear_three *s, long double t)
{
    long double x[2], c[2];
    linear_three_at(s, t, x, c);
    int past = 0;
    for (int j = 0; j < 2; j++) {
        int closed = s->closed >> j & 1;
        if (closed ? x[j] < 0.0L && c[j] < 0.0L : c[j] > 0.0L) {
            past |= 1 << j;
        }
    }
    return past;
}

static void linear_three_advance(linear_three *s)
{
    long double shortest = 0.0L;
    for (int j = 0; j < 2; j++) {
        shortest = fmaxl(shortest, sqrtl(s->d[j][j] * s->k[j]));
    }
    long double step = 0.002L / shortest, high = step;
    while (!linear_three_past(s, high)) {
        high += step;
    }
    long double low = high - step;
    for (int i = 0; i < 80; i++) {
        long double middle = 0.5L * (low + high);
        *(linear_three_past(s, middle) ? &high : &low) = middle;
    }
    int changed = linear_three_past(s, high);
    long double x[2], c[2];
    linear_three_at(s, high, x, c);
    s->closed ^= changed;
    for (int j = 0; j < 2; j++) {
        s->x[j] = s->closed >> j & 1 ? x[j] : 0.0L;
        s->c[j] = c[j];
    }
}

/* v+ of three balls with linear elastic contacts. Ball 1 starts the impact: both contacts are
 * at work from the first instant (c2' > 0 as soon as contact 1 pushes).
 */
static void linear_three_balls(const double *mass, const double *stiffness, const double *before,
                               double *after)
{
    linear_three s = {.k = {stiffness[0], stiffness[1]}, .closed = 3};
    long double inverse[3];
    for (int i = 0; i < 3; i++) {
        inverse[i] = 1.0L / (long double)mass[i];
    }
    s.d[0][0] = inverse[0] + inverse[1];
    s.d[1][1] = inverse[1] + inverse[2];
    s.d[0][1] = s.d[1][0] = -inverse[1];
    for (int j = 0; j < 2; j++) {
        s.start[j] = s.c[j] = (long double)before[j] - (long double)before[j + 1];
    }
    while (s.closed) {
        linear_three_advance(&s);
    }
    /* c = start - D p */
    long double determinant = s.d[0][0] * s.d[1][1] - s.d[0][1] * s.d[0][1];
    long double g[2] = {s.start[0] - s.c[0], s.start[1] - s.c[1]};
    long double p0 = (s.d[1][1] * g[0] - s.d[0][1] * g[1]) / determinant;
    long double p1 = (s.d[0][0] * g[1] - s.d[0][1] * g[0]) / determinant;
    after[0] = (double)((long double)before[0] - inverse[0] * p0);
    after[1] = (double)((long double)before[1] + inverse[1] * (p0 - p1));
    after[2] = (double)((long double)before[2] + inverse[2] * p1);
}

static void check_linear_three(const double *mass, const double *stiffness)
{
    small_system chain = small_system_chain(3, false);
    double want[3];
    chain.velocity[0] = 1.0;
    for (size_t i = 0; i < 3; i++) {
        chain.mass[4 * i] = mass[i];
    }
    for (size_t j = 0; j < 2; j++) {
        chain.stiffness[j] = stiffness[j];
        chain.exponent[j] = 1.0;
    }
    linear_three_balls(mass, stiffness, chain.velocity, want);
    for (int mono = 0; mono < 2; mono++) {
        crm_outcome *outcome = lzb_solve_small(&chain, model_options(mono, tight));
        assert_all_near(outcome->velocity, want, 3, several_body_error);
        crm_outcome_free(outcome);
    }
}

/* The closed form itself, against the digits of theory section 7 and its printed separations. */
static void linear_closed_form_gives_the_published_digits(void **state)
{
    (void)state;
    const double mass[] = {1, 1, 1}, stiffness[] = {1, 1}, before[] = {1, 0, 0};
    const double want[] = {-0.1303, 0.1502, 0.9801};
    double after[3];
    linear_three_balls(mass, stiffness, before, after);
    assert_all_near(after, want, 3, 0.7e-4); /* the third digit group is 0.98003 rounded up */
    linear_three s = {.k = {1, 1}, .d = {{2, -1}, {-1, 2}}, .c = {1, 0}, .closed = 3};
    long double x[2], c[2];
    linear_three_at(&s, 2.5548L, x, c);
    assert_near(x[0], 0.0, 1e-4); /* contact 1 opens at 2.5548 */
}

static void three_linear_balls_follow_their_modes(void **state)
{
    (void)state;
    const double equal[] = {1, 1, 1};
    for (int k = -12; k <= 12; k++) {
        const double stiffness[] = {1.0, pow(10.0, k / 4.0)};
        check_linear_three(equal, stiffness);
    }
    rng r = rng_seeded(15);
    for (int i = 0; i < 60; i++) {
        const double mass[] = {rng_log(&r, 0.1, 10), rng_log(&r, 0.1, 10), rng_log(&r, 0.1, 10)};
        const double stiffness[] = {rng_log(&r, 0.01, 100), rng_log(&r, 0.01, 100)};
        check_linear_three(mass, stiffness);
    }
}

/* ---- Limits ---------------------------------------------------------------------------------- */

static void check_limit(double stiffness_ratio, double exponent, const double *limit, double error)
{
    small_system chain = small_system_chain(3, false);
    chain.velocity[0] = 1.0;
    chain.stiffness[1] = stiffness_ratio;
    chain.exponent[0] = chain.exponent[1] = exponent;
    crm_outcome *outcome = lzb_solve_small(&chain, lzb_bi);
    assert_all_near(outcome->velocity, limit, 3, error);
    crm_outcome_free(outcome);
}

static const double billiard[] = {0.0, 0.0, 1.0};
static const double bonded[] = {-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0};

/* A soft second contact gets an impulse of the order of gamma while the first one works; in a
 * stiff one the last two balls move as one but for vibrations of the order of gamma^-1/2.
 */
static void stiffness_ratio_has_the_billiard_and_the_bonded_limit(void **state)
{
    (void)state;
    for (double gamma = 1e-2; gamma > 1e-9; gamma /= 10.0) {
        check_limit(gamma, 1.0, billiard, 5.0 * gamma + 1e-8);
        check_limit(1.0 / gamma, 1.0, bonded, 2.0 * sqrt(gamma));
    }
}

/* The harder the contact (large exponent), the more the collisions come one after the other; as
 * the exponent goes to 0 the forces are constant and the outcome is Moreau's.
 */
static void exponent_has_the_billiard_and_the_bonded_limit(void **state)
{
    (void)state;
    check_limit(1.0, 10.0, billiard, 1e-5); /* the judge: 1e-6 and 3e-6 from the limits */
    check_limit(1.0, 40.0, billiard, 1e-6);
    check_limit(1.0, 0.1, bonded, 1e-3);
    check_limit(1.0, 0.05, bonded, 1e-5);
}

/* Nearly constant forces make the contacts chatter without end in sight. The answer may be that
 * it was not reached, never a wrong one.
 */
static void a_nearly_constant_force_is_solved_or_said_not_to_be(void **state)
{
    (void)state;
    small_system chain = small_system_chain(3, false);
    chain.velocity[0] = 1.0;
    chain.exponent[0] = chain.exponent[1] = 0.01;
    crm_model *model = small_system_model(&chain);
    crm_outcome *outcome = lzb_outcome(model, chain.velocity, lzb_bi);
    if (outcome->result == CRM_SOLVED) {
        assert_all_near(outcome->velocity, bonded, 3, 1e-5);
    } else {
        assert_int_equal(outcome->result, CRM_NOT_TERMINATED);
        assert_true(outcome->reason[0] != '\0');
    }
    crm_outcome_free(outcome);
    crm_model_free(model);
}

/* e = 0: nothing is given back, the chain ends as one body (theory, section 3.6). */
static void plastic_chain_moves_as_one(void **state)
{
    (void)state;
    for (size_t n = 2; n <= 10; n++) {
        small_system chain = small_system_chain(n, false);
        chain.velocity[0] = 1.0;
        memset(chain.restitution, 0, sizeof chain.restitution);
        for (int mono = 0; mono < 2; mono++) {
            crm_outcome *outcome = lzb_solve_small(&chain, model_options(mono, 0.0));
            for (size_t i = 0; i < n; i++) {
                assert_near(outcome->velocity[i], 1.0 / (double)n, several_body_error);
            }
            assert_true(outcome->kinematic);
            crm_outcome_free(outcome);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_bodies_separate_at_e_times_their_closing_speed),
        cmocka_unit_test(stored_energy_comes_back_times_e_squared),
        cmocka_unit_test(duration_and_peak_force_of_one_contact),
        cmocka_unit_test(a_ball_meets_a_moving_wall),
        cmocka_unit_test(nothing_happens_when_nothing_closes),
        cmocka_unit_test(bernoulli_elastic_is_formula_103),
        cmocka_unit_test(bernoulli_with_losses_reverses_both_gap_velocities_by_e),
        cmocka_unit_test(linear_closed_form_gives_the_published_digits),
        cmocka_unit_test(three_linear_balls_follow_their_modes),
        cmocka_unit_test(stiffness_ratio_has_the_billiard_and_the_bonded_limit),
        cmocka_unit_test(exponent_has_the_billiard_and_the_bonded_limit),
        cmocka_unit_test(a_nearly_constant_force_is_solved_or_said_not_to_be),
        cmocka_unit_test(plastic_chain_moves_as_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
