/* What every LZB outcome must satisfy, whatever the system: balances, signs, invariances, and an
 * error estimate that can be trusted.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "judge.h"

/* Balances hold to rounding, whatever the integration did. */
static const double balance = 1e-10;
/* Signs: the default tolerance of the law. */
static const double sign_error = 1e-8;
/* Two runs that must agree: each within its tolerance of 1e-8, with an amplification of ten. */
static const double agreement = 2e-7;
/* Nearer to a jump of the law, runs may differ. */
static const double jump_margin = 1e-5;

typedef enum kind { FREE_CHAIN, WALL_CHAIN, LAGRANGIAN, DISCS, KINDS } kind;

static small_system random_system(rng *r, kind which, random_choice choice)
{
    disc_patch patch;
    switch (which) {
    case FREE_CHAIN:
        return random_chain(r, choice, false);
    case WALL_CHAIN:
        choice.most_contacts = choice.most_contacts < 4 ? choice.most_contacts : 4;
        return random_chain(r, choice, true);
    case LAGRANGIAN:
        return random_lagrangian(r, choice);
    default:
        return random_disc_patch(r, choice, &patch);
    }
}

static random_choice everything(void)
{
    random_choice choice = random_choice_default();
    choice.most_contacts = 8;
    choice.plastic_sometimes = true;
    choice.stored_energy = true;
    return choice;
}

/* Smooth in the data: no plastic contact, so that the bi-stiffness outcome is continuous. */
static random_choice continuous(void)
{
    random_choice choice = random_choice_default();
    choice.least_restitution = 0.3;
    return choice;
}

static double energy_scale(const small_system *system)
{
    double energy = small_system_energy(system, system->velocity);
    for (size_t j = 0; j < system->s; j++) {
        energy += system->stored_energy[j];
    }
    return energy;
}

/* The largest speed before the impact, of a coordinate or of a gap that closes. */
static double speed_scale(const small_system *system)
{
    double u[SMALL], scale = largest_size(system->velocity, system->n);
    small_system_gap_velocity(system, system->velocity, u);
    for (size_t j = 0; j < system->s; j++) {
        scale = fmax(scale, -u[j]);
    }
    return scale;
}

/* ---- Balances and signs --------------------------------------------------------------------- */

static void check_momentum(const small_system *system, const crm_outcome *outcome)
{
    size_t n = system->n;
    double largest = 0.0, residual = 0.0;
    for (size_t i = 0; i < n; i++) {
        double sum = 0.0;
        for (size_t k = 0; k < n; k++) {
            double part = system->mass[i * n + k] * (outcome->velocity[k] - system->velocity[k]);
            sum += part;
            largest = fmax(largest, fabs(part));
        }
        for (size_t j = 0; j < system->s; j++) {
            double part = system->w[j * n + i] * outcome->impulse[j];
            sum -= part;
            largest = fmax(largest, fabs(part));
        }
        residual = fmax(residual, fabs(sum));
    }
    assert_near(residual, 0.0, balance * fmax(largest, 1e-300));
}

static void check_energy(const small_system *system, const crm_outcome *outcome)
{
    double before = small_system_energy(system, system->velocity);
    double after = small_system_energy(system, outcome->velocity), scale = energy_scale(system);
    assert_near(outcome->energy_before, before, balance * scale);
    assert_near(outcome->energy_after, after, balance * scale);
    double account = before + outcome->stored_before + outcome->boundary_work - after;
    for (size_t j = 0; j < system->s; j++) {
        account -= outcome->loss[j];
        assert_true(outcome->loss[j] >= -1e-7 * scale); /* the integration's error is in it */
    }
    assert_near(account, 0.0, balance * scale);
    /* what was missing from the account before it was shared out in the losses */
    assert_true(outcome->energy_error < 1e-8);
}

static void check_signs(const small_system *system, const crm_outcome *outcome)
{
    double u[SMALL], scale = speed_scale(system);
    small_system_gap_velocity(system, outcome->velocity, u);
    for (size_t j = 0; j < system->s; j++) {
        assert_near(outcome->gap_velocity[j], u[j], 1e-12 * scale * (double)system->n * 10.0);
        assert_true(u[j] >= -sign_error * scale);
        assert_true(outcome->impulse[j] >= 0.0);
    }
    assert_true(outcome->kinematic);
    assert_true(outcome->kinetic);
    assert_true(outcome->energetic);
}

static void every_outcome_balances_and_has_the_right_signs(void **state)
{
    (void)state;
    rng r = rng_seeded(41);
    for (size_t i = 0; i < rounds(600, 100); i++) {
        small_system system = random_system(&r, (kind)(i % KINDS), everything());
        for (int mono = 0; mono < 2; mono++) {
            crm_outcome *outcome = lzb_solve_small(&system, mono ? lzb_mono : lzb_bi);
            check_momentum(&system, outcome);
            check_energy(&system, outcome);
            check_signs(&system, outcome);
            crm_outcome_free(outcome);
        }
    }
}

static void euler_outcomes_balance_and_have_the_right_signs(void **state)
{
    (void)state;
    static const char *const schemes[] = {"impulse-euler", "time-euler"};
    rng r = rng_seeded(42);
    random_choice choice = random_choice_default();
    choice.most_contacts = 4;
    choice.uniform_exponent = true; /* the impulse scheme's distributing rule knows one exponent */
    choice.least_restitution = 0.5;
    for (int i = 0; i < 56; i++) {
        choice.stored_energy = i >= 40;
        small_system system = random_system(&r, (kind)(i % KINDS), choice);
        crm_outcome *outcome =
            lzb_solve_small(&system, (lzb_choices){.scheme = schemes[i / 4 % 2]});
        check_momentum(&system, outcome);
        double account = outcome->energy_before + outcome->stored_before - outcome->energy_after;
        for (size_t j = 0; j < system.s; j++) {
            account -= outcome->loss[j];
            assert_true(outcome->impulse[j] >= 0.0);
        }
        assert_true(fabs(outcome->energy_error) < 1e-2); /* that is shared out in the losses */
        assert_near(account, 0.0, balance * energy_scale(&system));
        crm_outcome_free(outcome);
    }
}

static void elastic_outcomes_keep_the_energy(void **state)
{
    (void)state;
    rng r = rng_seeded(43);
    random_choice choice = everything();
    choice.elastic = true;
    for (int i = 0; i < 200; i++) {
        small_system system = random_system(&r, (kind)(i % KINDS), choice);
        crm_outcome *outcome = lzb_solve_small(&system, lzb_bi);
        double scale = energy_scale(&system);
        double change = small_system_energy(&system, outcome->velocity) - scale;
        assert_near(change, 0.0, 1e-7 * scale); /* ten times the default tolerance */
        if (!isnan(outcome->energy_error)) {
            assert_near(fabs(outcome->energy_error), fabs(change) / scale, 1e-8);
        }
        crm_outcome_free(outcome);
    }
}

/* ---- Invariances ---------------------------------------------------------------------------- */

/* Solve and compare with what the invariance predicts from `base`. */
static void check_same(const small_system *changed, lzb_choices options, const double *predicted,
                       double scale)
{
    crm_outcome *outcome = lzb_solve_small(changed, options);
    check_all_near(outcome->velocity, predicted, changed->n, agreement * scale, "velocity",
                   __FILE__, __LINE__);
    crm_outcome_free(outcome);
}

static bool near_a_jump(const small_system *system, bool mono)
{
    if (!mono) {
        return false;
    }
    judgement j = judge(system, mono, 1e-12);
    return !j.finished || j.margin < jump_margin;
}

static void order_of_contacts_and_coordinates_does_not_matter(void **state)
{
    (void)state;
    rng r = rng_seeded(44);
    for (int i = 0; i < 160; i++) {
        small_system system = random_system(&r, (kind)(i % KINDS), continuous());
        bool mono = i / KINDS % 2;
        if (near_a_jump(&system, mono)) {
            continue;
        }
        lzb_choices options = mono ? lzb_mono : lzb_bi;
        size_t contact_order[SMALL], coordinate_order[SMALL];
        rng_shuffle(&r, contact_order, system.s);
        rng_shuffle(&r, coordinate_order, system.n);
        small_system renumbered = small_system_renumbered(&system, contact_order, coordinate_order);
        crm_outcome *base = lzb_solve_small(&system, options);
        double predicted[SMALL];
        for (size_t k = 0; k < system.n; k++) {
            predicted[k] = base->velocity[coordinate_order[k]];
        }
        check_same(&renumbered, options, predicted, speed_scale(&system));
        crm_outcome_free(base);
    }
}

static void a_common_factor_on_the_stiffnesses_does_not_matter(void **state)
{
    (void)state;
    rng r = rng_seeded(45);
    random_choice choice = continuous();
    choice.uniform_exponent = true;
    for (int i = 0; i < 160; i++) {
        small_system system = random_system(&r, (kind)(i % KINDS), choice);
        bool mono = i / KINDS % 2;
        if (near_a_jump(&system, mono)) {
            continue;
        }
        lzb_choices options = mono ? lzb_mono : lzb_bi;
        crm_outcome *base = lzb_solve_small(&system, options);
        double factor = rng_log(&r, 1e-9, 1e9);
        for (size_t j = 0; j < system.s; j++) {
            system.stiffness[j] *= factor;
        }
        check_same(&system, options, base->velocity, speed_scale(&system));
        crm_outcome_free(base);
    }
}

static void the_outcome_is_proportional_to_the_velocity(void **state)
{
    (void)state;
    rng r = rng_seeded(46);
    random_choice choice = continuous();
    choice.uniform_exponent = true;
    for (int i = 0; i < 160; i++) {
        small_system system = random_system(&r, (kind)(i % KINDS), choice);
        bool mono = i / KINDS % 2;
        if (near_a_jump(&system, mono)) {
            continue;
        }
        lzb_choices options = mono ? lzb_mono : lzb_bi;
        crm_outcome *base = lzb_solve_small(&system, options);
        double factor = rng_log(&r, 1e-6, 1e6), predicted[SMALL];
        for (size_t k = 0; k < system.n; k++) {
            predicted[k] = factor * base->velocity[k];
            system.velocity[k] *= factor;
        }
        check_same(&system, options, predicted, speed_scale(&system));
        crm_outcome_free(base);
    }
}

/* In other units of time and mass. */
static small_system in_units(const small_system *from, double time, double mass)
{
    small_system system = *from;
    for (size_t i = 0; i < SMALL * SMALL; i++) {
        system.mass[i] /= mass;
    }
    for (size_t i = 0; i < SMALL; i++) {
        system.velocity[i] *= time;
        system.boundary_velocity[i] *= time;
        system.stiffness[i] *= time * time / mass;
        system.stored_energy[i] *= time * time / mass;
    }
    return system;
}

/* Units that are powers of two round nothing: the same steps, and the same numbers in them. */
static void check_units(const small_system *system, lzb_choices options, double time, double mass)
{
    small_system other = in_units(system, time, mass);
    crm_model *models[] = {small_system_model(system), small_system_model(&other)};
    crm_outcome *one = lzb_outcome(models[0], system->velocity, options),
                *two = lzb_outcome(models[1], other.velocity, options);
    assert_int_equal(two->result, one->result);
    assert_int_equal(two->steps, one->steps);
    assert_int_equal(two->evaluations, one->evaluations);
    assert_true(two->error_estimate == one->error_estimate || isnan(one->error_estimate));
    assert_true(two->duration * time == one->duration);
    for (size_t i = 0; i < system->n; i++) {
        assert_true(two->velocity[i] == time * one->velocity[i]);
    }
    for (size_t j = 0; j < system->s; j++) {
        assert_true(two->impulse[j] * mass == time * one->impulse[j]);
        assert_true(two->peak_force[j] * mass == time * time * one->peak_force[j]);
        assert_int_equal(two->compressions[j], one->compressions[j]);
    }
    crm_outcome_free(one);
    crm_outcome_free(two);
    crm_model_free(models[0]);
    crm_model_free(models[1]);
}

static void units_of_time_and_mass_change_no_bit(void **state)
{
    (void)state;
    static const double times[] = {0x1p30, 0x1p-30}, masses[] = {0x1p20, 1, 0x1p-20};
    rng r = rng_seeded(55);
    for (size_t i = 0; i < 60; i++) {
        bool stiff = i % 12 == 11;
        small_system system = stiff ? random_stiff_chain(&r, 0.3, 1, i % 2)
                                    : random_system(&r, (kind)(i % KINDS), everything());
        lzb_choices options = {.stiffness_model = i / 4 % 2 && !stiff ? "mono" : "bi",
                               .tolerance = i / 8 % 2 || stiff ? 1e-5 : 1e-9};
        check_units(&system, options, times[i % 2], masses[i / 2 % 3]);
    }
}

static void free_bodies_do_not_feel_a_common_velocity(void **state)
{
    (void)state;
    rng r = rng_seeded(47);
    for (int i = 0; i < 160; i++) {
        bool discs = i % 2, mono = i / 2 % 2;
        small_system system = random_system(&r, discs ? DISCS : FREE_CHAIN, continuous());
        if (near_a_jump(&system, mono)) {
            continue;
        }
        lzb_choices options = mono ? lzb_mono : lzb_bi;
        crm_outcome *base = lzb_solve_small(&system, options);
        double drift[2] = {rng_uniform(&r, -3.0, 3.0), rng_uniform(&r, -3.0, 3.0)};
        double predicted[SMALL], scale = speed_scale(&system);
        for (size_t k = 0; k < system.n; k++) {
            double added = drift[discs ? k % 2 : 0];
            predicted[k] = base->velocity[k] + added;
            system.velocity[k] += added;
        }
        check_same(&system, options, predicted, scale);
        crm_outcome_free(base);
    }
}

/* A chain that is its own mirror image, struck from both ends. Nothing distinguishes left from
 * right but the order of a few sums: rounding, grown by the length of the computation, and where
 * the impact magnifies errors (the ninth chain: 260-fold) as much as the estimate says.
 */
static const double mirror_error = 1e-11;

static void a_symmetric_chain_stays_symmetric(void **state)
{
    (void)state;
    rng r = rng_seeded(48);
    for (int i = 0; i < 60; i++) {
        size_t n = 3 + rng_below(&r, 9);
        small_system chain = small_system_chain(n, false);
        double eta = rng_uniform(&r, 0.8, 2.5), e = i % 4 ? rng_uniform(&r, 0.3, 1.0) : 1.0;
        for (size_t j = 0; j < n - 1; j++) {
            size_t mirror = n - 2 - j;
            chain.stiffness[j] = mirror < j ? chain.stiffness[mirror] : rng_log(&r, 0.1, 10.0);
            chain.exponent[j] = eta;
            chain.restitution[j] = e;
        }
        for (size_t k = 0; k < n; k++) {
            size_t mirror = n - 1 - k;
            chain.mass[k * (n + 1)] =
                mirror < k ? chain.mass[mirror * (n + 1)] : rng_log(&r, 0.3, 3.0);
        }
        chain.velocity[0] = 1.0;
        chain.velocity[n - 1] = -1.0;
        crm_outcome *outcome = lzb_solve_small(&chain, i % 2 ? lzb_mono : lzb_bi);
        double allowed = fmax(mirror_error, outcome->error_estimate);
        for (size_t k = 0; k < n; k++) {
            assert_near(outcome->velocity[k], -outcome->velocity[n - 1 - k], allowed);
        }
        crm_outcome_free(outcome);
    }
}

/* ---- Discs by geometry ---------------------------------------------------------------------- */

static void discs_found_by_geometry_are_the_system_written_out(void **state)
{
    (void)state;
    rng r = rng_seeded(49);
    random_choice choice = continuous();
    choice.most_contacts = 8;
    for (int i = 0; i < 60; i++) {
        disc_patch patch;
        small_system system = random_disc_patch(&r, choice, &patch);
        crm_body_def bodies[SMALL];
        for (size_t b = 0; b < patch.count; b++) {
            bodies[b] = crm_body_def_default();
            bodies[b].radius = patch.radius;
            bodies[b].mass = system.mass[2 * b * (system.n + 1)];
            memcpy(bodies[b].position, patch.position[b], sizeof patch.position[b]);
        }
        for (size_t j = 0; j < system.s; j++) { /* geometry gives every contact the same */
            system.stiffness[j] = 2.0;
            system.exponent[j] = 1.5;
            system.restitution[j] = 0.9;
        }
        crm_bodies_def def = crm_bodies_def_default();
        def.dimension = 2;
        def.body_count = patch.count;
        def.bodies = bodies;
        def.contact.stiffness = 2.0;
        def.contact.restitution = 0.9;
        crm_model *model = NULL;
        crm_error error = {0};
        assert_ok(crm_model_from_bodies(&def, &model, &error), &error);
        assert_int_equal(crm_model_contacts(model), system.s);
        crm_outcome *found = lzb_solve(model, system.velocity, lzb_bi);
        check_same(&system, lzb_bi, found->velocity, 1.0);
        crm_outcome_free(found);
        crm_model_free(model);
    }
}

/* ---- Tolerance and error estimate ----------------------------------------------------------- */

/* v+ may differ from the judge's by this many tolerances (the error of a system of a few contacts
 * is amplified by the impact itself) ...
 */
static const double tolerances_allowed = 50.0;
/* ... the estimate by this factor, and nothing is resolved below rounding and the judge's tail. */
static const double trust = 10.0;
static const double blur = 3e-10;

static void error_follows_the_tolerance_and_the_estimate_is_honest(void **state)
{
    (void)state;
    enum { TOLERANCES = 7, SYSTEMS = 80 };
    double worst[TOLERANCES] = {0}, worst_ratio = 0.0;
    rng r = rng_seeded(50);
    for (int i = 0; i < SYSTEMS; i++) {
        small_system system = random_system(&r, (kind)(i % KINDS), continuous());
        bool mono = i / KINDS % 2;
        judgement j = judge(&system, mono, 0.0);
        if (!j.finished || j.margin < 1e-2) { /* at tolerance 1e-4 jumps reach far */
            continue;
        }
        for (int k = 0; k < TOLERANCES; k++) {
            lzb_choices options = mono ? lzb_mono : lzb_bi;
            options.tolerance = pow(10.0, -4 - k);
            crm_outcome *outcome = lzb_solve_small(&system, options);
            double error =
                largest_difference(outcome->velocity, j.velocity, system.n) / speed_scale(&system);
            worst[k] = fmax(worst[k], error);
            double ratio = error / (outcome->error_estimate + blur / trust);
            if (ratio > trust) {
                print_message("tolerance 1e-%d, %s: error %.3g, estimate %.3g\n", 4 + k,
                              mono ? "mono" : "bi", error, outcome->error_estimate);
                small_system_print(&system);
            }
            worst_ratio = fmax(worst_ratio, ratio);
            crm_outcome_free(outcome);
        }
    }
    for (int k = 0; k < TOLERANCES; k++) {
        print_message("tolerance 1e-%d: worst error %.2g\n", 4 + k, worst[k]);
    }
    assert_true(worst_ratio <= trust);
    for (int k = 0; k < TOLERANCES; k++) {
        assert_true(worst[k] <= tolerances_allowed * pow(10.0, -4 - k) + blur);
        assert_true(k == 0 || worst[k] <= worst[k - 1] || worst[k] <= blur);
    }
}

/* The Euler schemes are of first order: the error falls in proportion to the step. */
static void euler_schemes_are_of_first_order(void **state)
{
    (void)state;
    static const char *const schemes[] = {"impulse-euler", "time-euler"};
    enum { STEPS = 6 };
    for (int k = 0; k < 2; k++) {
        small_system chain = small_system_chain(4, false);
        chain.velocity[0] = 1.0;
        chain.restitution[0] = chain.restitution[1] = chain.restitution[2] = 0.9;
        judgement j = judge(&chain, false, 0.0);
        double sx = 0, sy = 0, sxx = 0, sxy = 0;
        for (int i = 0; i < STEPS; i++) {
            double step = 1e-2 / (1 << i);
            lzb_choices options = {.scheme = schemes[k], .step = step, .max_steps = 1e9};
            crm_outcome *outcome = lzb_solve_small(&chain, options);
            double error = largest_difference(outcome->velocity, j.velocity, 4);
            double x = log(step), y = log(error);
            sx += x;
            sy += y;
            sxx += x * x;
            sxy += x * y;
            crm_outcome_free(outcome);
        }
        double order = (STEPS * sxy - sx * sy) / (STEPS * sxx - sx * sx);
        print_message("%s: measured order %.2f\n", schemes[k], order);
        assert_true(order > 0.8 && order < 1.5);
    }
}

static void too_few_steps_is_not_terminated(void **state)
{
    (void)state;
    small_system chain = small_system_chain(10, false);
    chain.velocity[0] = 1.0;
    crm_model *model = small_system_model(&chain);
    crm_outcome *outcome = lzb_outcome(model, chain.velocity, (lzb_choices){.max_steps = 3});
    assert_int_equal(outcome->result, CRM_NOT_TERMINATED);
    assert_true(outcome->reason[0] != '\0');
    crm_outcome_free(outcome);
    crm_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_outcome_balances_and_has_the_right_signs),
        cmocka_unit_test(euler_outcomes_balance_and_have_the_right_signs),
        cmocka_unit_test(elastic_outcomes_keep_the_energy),
        cmocka_unit_test(order_of_contacts_and_coordinates_does_not_matter),
        cmocka_unit_test(a_common_factor_on_the_stiffnesses_does_not_matter),
        cmocka_unit_test(the_outcome_is_proportional_to_the_velocity),
        cmocka_unit_test(units_of_time_and_mass_change_no_bit),
        cmocka_unit_test(free_bodies_do_not_feel_a_common_velocity),
        cmocka_unit_test(a_symmetric_chain_stays_symmetric),
        cmocka_unit_test(discs_found_by_geometry_are_the_system_written_out),
        cmocka_unit_test(error_follows_the_tolerance_and_the_estimate_is_honest),
        cmocka_unit_test(euler_schemes_are_of_first_order),
        cmocka_unit_test(too_few_steps_is_not_terminated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
