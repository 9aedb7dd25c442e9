/* The models of a compliant contact: closed forms, a plain integration, limits, random systems
 * beside the judge; what the restitution means; options that are refused.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "compliant_call.h"
#include "compliant_judge.h"
#include "compliant_trial.h"
#include "model/model.h"

static const double PI = 3.141592653589793238;
/* The default tolerance is 1e-10. */
static const double ERROR = 1e-9;

/* Two balls with D = 1/m1 + 1/m2, closing at s. */
typedef struct pair {
    small_system system;
    double d, s;
} pair;

static pair random_pair(rng *r, double exponent, double restitution)
{
    pair p = {.system = small_system_chain(2, false)};
    p.system.mass[0] = rng_log(r, 1e-2, 1e2);
    p.system.mass[3] = rng_log(r, 1e-2, 1e2);
    p.system.stiffness[0] = rng_log(r, 1e-4, 1e10);
    p.system.exponent[0] = exponent;
    p.system.restitution[0] = restitution;
    p.s = rng_log(r, 1e-3, 10);
    p.system.velocity[0] = p.s;
    p.d = 1 / p.system.mass[0] + 1 / p.system.mass[3];
    return p;
}

/* The rebound, as a part of s; loss and energy account on the way. */
static double rebound_of(const pair *p, const char *model, double damping, double arm)
{
    compliant_options o = {.model = model, .contacts = 1};
    o.dampings = damping > 0 ? &damping : NULL;
    o.arms = arm > 0 ? &arm : NULL;
    crm_outcome *outcome = compliant_solve(&p->system, o);
    double e = outcome->gap_velocity[0] / p->s, approach = 0.5 * p->s * p->s / p->d;
    assert_near(outcome->loss[0] / approach, 1 - e * e, 1e-8);
    assert_true(outcome->energy_error < 1e-12);
    assert_true(outcome->energetic && outcome->kinetic && outcome->kinematic);
    crm_outcome_free(outcome);
    return e;
}

/* ---- Closed forms ---------------------------------------------------------------------------- */

/* (1 + k)/(1 - k e) = exp(k (1 + e)), k = chi s, whatever the exponent. */
static void hunt_crossley_has_a_closed_form(void **state)
{
    (void)state;
    static const double exponents[] = {1, 1.5, 0.7, 2.3};
    rng r = rng_seeded(41);
    for (int i = 0; i < 24; i++) {
        pair p = random_pair(&r, exponents[i % 4], 1);
        double k = rng_log(&r, 1e-3, 20), e = rebound_of(&p, "hunt-crossley", k / p.s, 0);
        assert_near(log1p(k) - log1p(-k * e) - k * (1 + e), 0, 1e-8 * (1 + k));
    }
}

static void damping_by_restitution_rebounds_with_it(void **state)
{
    (void)state;
    static const char *const models[] = {"hunt-crossley", "kelvin-voigt", "maxwell",
                                         "zener",         "hysteretic",   "auto"};
    rng r = rng_seeded(42);
    for (int i = 0; i < 60; i++) {
        const char *model = models[i % 6];
        double least = strcmp(model, "zener") == 0 ? 0.75 : 0.02;
        double e = i < 12 ? 0.9999 : rng_uniform(&r, least, 1);
        pair p = random_pair(&r, i % 5 == 0 ? 1 : i % 5 == 1 ? rng_uniform(&r, 1, 3) : 1.5, e);
        assert_near(rebound_of(&p, model, 0, 0), e, 1e-8);
    }
}

/* y'' + (K/C) y' + D K y = 0 from y = 0 to y = 0: e = exp(-z pi/sqrt(1 - z^2)). */
static void a_linear_maxwell_contact_has_a_closed_form(void **state)
{
    (void)state;
    rng r = rng_seeded(43);
    for (int i = 0; i < 20; i++) {
        pair p = random_pair(&r, 1, 1);
        double z = rng_uniform(&r, 0.01, 0.7), w = sqrt(p.d * p.system.stiffness[0]);
        double e = rebound_of(&p, "maxwell", p.system.stiffness[0] / (2 * z * w), 0);
        assert_near(e, exp(-z * PI / sqrt(1 - z * z)), ERROR);
    }
}

static void hysteresis_does_not_know_the_speed(void **state)
{
    (void)state;
    rng r = rng_seeded(44);
    for (int i = 0; i < 24; i++) {
        double e = i < 4 ? 0 : i < 8 ? 1e-6 : rng_uniform(&r, 0, 1);
        pair p = random_pair(&r, rng_log(&r, 0.4, 4), e);
        assert_near(rebound_of(&p, "hysteretic", 0, 0), e, ERROR);
    }
}

/* ---- A plain integration --------------------------------------------------------------------- */

/* m = 1 against a wall: x' = c - f/C (Maxwell) or z' = c - K1/C z (Zener), c' = -f, by the
 * classical method of fourth order with steps of one length, in extended precision.
 */
typedef struct plain {
    bool zener;
    long double k, eta, damping, arm;
} plain;

static long double plain_force(const plain *of, const long double *y)
{
    if (!(y[0] > 0)) {
        return 0;
    }
    return powl(y[0], of->eta - 1) * (of->k * y[0] + (of->zener ? of->arm * y[2] : 0));
}

static void plain_rates(const plain *of, const long double *y, long double *rate)
{
    long double f = plain_force(of, y);
    rate[0] = y[1] - (of->zener ? 0 : f / of->damping);
    rate[1] = -f;
    rate[2] = y[1] - of->arm / of->damping * y[2];
}

static double plain_rebound(const plain *of, long double s, long double h)
{
    long double y[3] = {0, s, 0};
    for (long step = 0; step < 2000000 && (step < 10 || plain_force(of, y) > 0); step++) {
        long double k[4][3], z[3];
        static const long double ahead[] = {0, 0.5L, 0.5L, 1};
        for (int stage = 0; stage < 4; stage++) {
            for (int l = 0; l < 3; l++) {
                z[l] = y[l] + (stage > 0 ? ahead[stage] * h * k[stage - 1][l] : 0);
            }
            plain_rates(of, z, k[stage]);
        }
        for (int l = 0; l < 3; l++) {
            y[l] += h / 6 * (k[0][l] + 2 * k[1][l] + 2 * k[2][l] + k[3][l]);
        }
    }
    return (double)(-y[1] / s);
}

static void it_agrees_with_a_plain_integration(void **state)
{
    (void)state;
    rng r = rng_seeded(45);
    for (int i = 0; i < 12; i++) {
        bool zener = i % 2;
        double eta = i % 4 < 2 ? 1.5 : 1, damping = rng_log(&r, 0.5, 5);
        plain of = {zener, rng_log(&r, 0.5, 2), eta, damping, zener ? rng_log(&r, 0.2, 5) : 0};
        pair p = {.system = small_system_chain(1, true), .d = 1, .s = rng_log(&r, 0.3, 3)};
        p.system.stiffness[0] = (double)of.k;
        p.system.exponent[0] = eta;
        p.system.velocity[0] = p.s;
        double e = rebound_of(&p, zener ? "zener" : "maxwell", damping, (double)of.arm);
        assert_near(e, plain_rebound(&of, p.s, 1e-5L), 1e-7); /* of its last step */
        assert_true(e < 0.99);
    }
}

/* ---- Limits ---------------------------------------------------------------------------------- */

static small_system three_balls(double stiffness)
{
    small_system chain = small_system_chain(3, false);
    chain.velocity[0] = 1;
    chain.stiffness[0] = chain.stiffness[1] = stiffness;
    return chain;
}

static crm_outcome *solve_three(double stiffness, const char *model, double damping, double arm)
{
    small_system chain = three_balls(stiffness);
    double dampings[] = {damping, damping}, arms[] = {arm, arm};
    bool zener = model != NULL && strcmp(model, "zener") == 0;
    return compliant_solve(&chain, (compliant_options){.model = model,
                                                       .dampings = model != NULL ? dampings : NULL,
                                                       .arms = zener ? arms : NULL,
                                                       .contacts = 2});
}

static void limits_are_springs(void **state)
{
    (void)state;
    static const struct {
        const char *model;
        double damping, arm, error;
    } cases[] = {{"kelvin-voigt", 1e-9, 0, 1e-7},  {"kelvin-voigt", 0, 0, 1e-9},
                 {"hunt-crossley", 1e-9, 0, 1e-7}, {"maxwell", 1e9, 0, 1e-7},
                 {"zener", 0.5, 0, 1e-9},          {"zener", 0, 2, 1e-9},
                 {"zener", 1e9, 3, 1e-7}};
    crm_outcome *spring = solve_three(1, NULL, 0, 0), *both = solve_three(4, NULL, 0, 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        crm_outcome *outcome = solve_three(1, cases[i].model, cases[i].damping, cases[i].arm);
        bool stiff = cases[i].damping == 1e9 && cases[i].arm > 0; /* the arm is a spring, too */
        assert_all_near(outcome->velocity, spring->velocity, 3, cases[i].error);
        assert_near(outcome->duration, stiff ? both->duration : spring->duration, 1e-5);
        crm_outcome_free(outcome);
    }
    crm_outcome_free(spring);
    crm_outcome_free(both);
}

/* Where no contact opens and comes back, a hysteretic one is one of LZB. */
static void hysteresis_without_gaps_is_lzb(void **state)
{
    (void)state;
    small_system chain = three_balls(1);
    rng r = rng_seeded(46);
    for (int i = 0; i < 12; i++) {
        chain.restitution[0] = rng_uniform(&r, 0.6, 1);
        chain.restitution[1] = rng_uniform(&r, 0.6, 1);
        chain.stiffness[1] = rng_log(&r, 0.5, 2);
        crm_outcome *compliant = compliant_solve(&chain, (compliant_options){0});
        crm_outcome *lzb = lzb_solve_small(&chain, (lzb_choices){.tolerance = 1e-10});
        if (lzb->compressions[0] == 1 && lzb->compressions[1] == 1) {
            assert_all_near(compliant->velocity, lzb->velocity, 3, ERROR);
            assert_all_near(compliant->loss, lzb->loss, 2, ERROR);
        }
        assert_non_null(strstr(compliant->note, "hysteretic"));
        crm_outcome_free(compliant);
        crm_outcome_free(lzb);
    }
}

/* ---- Any system ------------------------------------------------------------------------------ */

static double account_of(const small_system *system, const crm_outcome *outcome)
{
    double before = small_system_energy(system, system->velocity);
    double after = small_system_energy(system, outcome->velocity);
    for (size_t j = 0; j < system->s; j++) {
        before += system->stored_energy[j] - outcome->impulse[j] * system->boundary_velocity[j];
        after += outcome->loss[j];
    }
    return after / before;
}

/* What the judge finds within a few thousand steps. (More: bench/campaign_compliant.c.) */
static void random_systems_are_as_judged(void **state)
{
    (void)state;
    size_t judged = 0;
    for (size_t i = 0; i < 60; i++) {
        compliant_model_trial t = compliant_model_trial_of(12, i);
        double dampings[SMALL], arms[SMALL];
        for (size_t j = 0; j < t.system.s; j++) {
            dampings[j] = t.contact[j].damping;
            arms[j] = t.contact[j].arm;
        }
        compliant_judgement truth = compliant_judge_models(&t.system, t.contact, 1e-15, 0.1, 1500);
        if (!truth.finished || !(truth.speed > 0)) {
            continue;
        }
        judged++;
        bool zener = strcmp(t.model, "zener") == 0;
        crm_outcome *outcome =
            compliant_solve(&t.system, (compliant_options){.model = t.model,
                                                           .dampings = t.damped ? dampings : NULL,
                                                           .arms = zener ? arms : NULL,
                                                           .contacts = t.system.s,
                                                           .tolerance = t.tolerance});
        double error =
            largest_difference(outcome->velocity, truth.velocity, t.system.n) / truth.speed;
        assert_near(error, 0, t.tolerance);
        assert_near(account_of(&t.system, outcome), 1, 1e-12);
        assert_true(outcome->kinematic && outcome->kinetic && outcome->energetic);
        crm_outcome_free(outcome);
    }
    assert_true(judged > 30);
}

/* ---- Refused --------------------------------------------------------------------------------- */

static void check_refused(const small_system *chain, compliant_options o, const char *place,
                          const char *part)
{
    crm_model *model = small_system_model(chain);
    crm_settings *settings = compliant_settings(o);
    crm_outcome *outcome = NULL;
    crm_error error = {0};
    assert_int_equal(crm_solve(model, chain->velocity, settings, NULL, &outcome, &error),
                     CRM_ERROR_OPTION);
    assert_string_equal(error.place, place);
    if (strstr(error.message, part) == NULL) {
        fail_msg("'%s' not in '%s'", part, error.message);
    }
    assert_null(outcome);
    crm_settings_free(settings);
    crm_model_free(model);
}

static void bad_options_are_refused(void **state)
{
    (void)state;
    static const double two[] = {0.1, 0}, three[] = {1, 1, 1};
    small_system chain = three_balls(1), lossy = three_balls(1), dead = three_balls(1);
    lossy.restitution[1] = 0.1;
    dead.restitution[0] = 0;
    check_refused(&chain, (compliant_options){.dampings = three, .contacts = 3}, "damping",
                  "damping has 3 entries, must have one for each of the 2 contacts");
    check_refused(&chain, (compliant_options){.model = "hysteretic", .damping = 1}, "damping",
                  "model hysteretic has none");
    check_refused(&chain, (compliant_options){.arms = two, .contacts = 2}, "arm_stiffness",
                  "only zener has");
    check_refused(&chain, (compliant_options){.model = "maxwell", .dampings = two, .contacts = 2},
                  "damping", "damping is 0 at contact 2, must be above 0");
    check_refused(&dead, (compliant_options){.model = "hunt-crossley"}, "model",
                  "restitution 0 at contact 1 cannot come from damping by model hunt-crossley, "
                  "must be above 0");
    check_refused(&lossy, (compliant_options){.model = "zener"}, "model",
                  "restitution 0.1 at contact 2 cannot come from damping by model zener, must be "
                  "at least 0.");
    lossy.exponent[1] = 0.8;
    check_refused(&lossy, (compliant_options){.model = "kelvin-voigt"}, "model",
                  "with exponent 0.8 at contact 2");
    static const double negative[] = {0.1, -1};
    crm_settings *settings = compliant_settings((compliant_options){0});
    crm_error error = {0};
    assert_int_equal(crm_settings_set_list(settings, "damping", 2, negative, &error),
                     CRM_ERROR_OPTION);
    assert_non_null(strstr(error.message, "damping[2] is -1, must be a number of at least 0"));
    crm_settings_free(settings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hunt_crossley_has_a_closed_form),
        cmocka_unit_test(damping_by_restitution_rebounds_with_it),
        cmocka_unit_test(a_linear_maxwell_contact_has_a_closed_form),
        cmocka_unit_test(hysteresis_does_not_know_the_speed),
        cmocka_unit_test(it_agrees_with_a_plain_integration),
        cmocka_unit_test(limits_are_springs),
        cmocka_unit_test(hysteresis_without_gaps_is_lzb),
        cmocka_unit_test(random_systems_are_as_judged),
        cmocka_unit_test(bad_options_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
