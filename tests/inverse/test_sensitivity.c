/* Derivatives of lzb outcomes: against differences of the judge's, forwards against backwards, and
 * what must hold whatever the system.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sensitivity_call.h"

/* ---- Against the judge ----------------------------------------------------------------------- */

/* No further from a kink than this, relative to what the data change by: where differences of the
 * judge's outcomes with steps of 1e-4 see none.
 */
static const double MARGIN_OF_JUDGE = 1e-2;
static const double WANTED = 1e-6, ADJOINT_WANTED = 1e-8;

typedef struct tally {
    size_t compared, near, rough;
} tally;

/* A system of every kind in turn. Chains are struck: most of their contacts are at rest. Half of
 * them, and of the others, are set moving everywhere; at rest, speeds are not changed.
 */
static small_system draw(rng *r, size_t number, bool *moving)
{
    random_choice choice = random_choice_default();
    choice.stored_energy = number % 5 == 3;
    choice.plastic_sometimes = number % 3 == 1;
    choice.elastic = number % 7 == 6;
    choice.uniform_exponent = number % 2;
    disc_patch patch;
    small_system system = number % 4 == 0   ? random_chain(r, choice, false)
                          : number % 4 == 1 ? random_chain(r, choice, true)
                          : number % 4 == 2 ? random_lagrangian(r, choice)
                                            : random_disc_patch(r, choice, &patch);
    *moving = rng_below(r, 2);
    for (size_t i = 0; *moving && i < system.n; i++) {
        system.velocity[i] += 0.1 * rng_uniform(r, -1, 1);
    }
    return system;
}

static small_variation draw_direction(rng *r, const small_system *system, const crm_model *model,
                                      bool moving)
{
    small_variation by = random_direction(r, system, model);
    if (!moving) {
        memset(by.velocity, 0, sizeof by.velocity);
        memset(by.jacobian, 0, sizeof by.jacobian);
        memset(by.boundary_velocity, 0, sizeof by.boundary_velocity);
    }
    return by;
}

static small_response forward(const small_system *system, const crm_model *model, bool mono,
                              small_variation *by, crm_smoothness *smoothness)
{
    crm_settings *settings = lzb_settings(mono ? lzb_mono : lzb_bi);
    small_response response = {0};
    crm_response view = response_view(&response);
    crm_variation direction = variation_view(by);
    crm_error error;
    assert_ok(crm_solve_forward(NULL, model, system->velocity, settings, 1, &direction, &view,
                                smoothness, &error),
              &error);
    crm_settings_free(settings);
    response.energy = view.energy;
    response.duration = view.duration;
    return response;
}

/* The largest difference, relative to the largest number wanted; numbers below 1e-3 count as such.
 */
static double apart(const double *got, const double *want, size_t count)
{
    return largest_difference(got, want, count) / fmax(1e-3, largest_size(want, count));
}

static double worst_of(const small_system *system, const small_response *got,
                       const small_response *want)
{
    double worst = apart(got->velocity, want->velocity, system->n);
    worst = fmax(worst, apart(got->impulse, want->impulse, system->s));
    worst = fmax(worst, apart(got->loss, want->loss, system->s));
    worst = fmax(worst, apart(got->peak_force, want->peak_force, system->s));
    worst = fmax(worst, apart(&got->energy, &want->energy, 1));
    return isnan(got->duration) ? worst : fmax(worst, apart(&got->duration, &want->duration, 1));
}

/* By steps of 1e-4 or, where second derivatives jump within them, of 1e-5: the nearer to `got`. */
static double against_judge(const small_system *system, const crm_model *model, bool mono,
                            const small_variation *by, const small_response *got,
                            double *uncertainty)
{
    small_response coarse, fine;
    bool finished = judge_differences(system, model, mono, by, 1e-4, &coarse) &&
                    judge_differences(system, model, mono, by, 1e-5, &fine);
    *uncertainty = finished ? worst_of(system, &coarse, &fine) : INFINITY;
    return fmin(worst_of(system, got, &coarse), worst_of(system, got, &fine));
}

/* An impact that the judge takes long for ends in a tail. */
static bool judge_is_quick(const small_system *system, bool mono)
{
    judgement outcome = judge(system, mono, 0);
    return outcome.finished && !outcome.tail && outcome.steps < 2000;
}

static void compare_with_judge(size_t number, bool low_exponents, tally *count)
{
    rng r = rng_seeded(1000 + number);
    bool moving, mono = number % 8 >= 4;
    small_system system = draw(&r, number, &moving);
    for (size_t j = 0; low_exponents && j < system.s; j++) {
        system.exponent[j] = rng_uniform(&r, 0.35, 0.6);
    }
    crm_model *model = small_system_model(&system);
    small_variation by = draw_direction(&r, &system, model, moving);
    crm_smoothness smoothness;
    small_response got = forward(&system, model, mono, &by, &smoothness);
    double uncertainty = 0;
    if (!smoothness.differentiable || smoothness.margin < MARGIN_OF_JUDGE) {
        count->near++;
    } else if (judge_is_quick(&system, mono)) {
        double worst = against_judge(&system, model, mono, &by, &got, &uncertainty);
        count->compared++;
        count->rough += uncertainty > WANTED;
        if (!(worst <= fmax(WANTED, 3 * uncertainty))) {
            small_system_print(&system);
            fail_msg("system %zu: derivatives are %g from the judge's (uncertain by %g)", number,
                     worst, uncertainty);
        }
    }
    crm_model_free(model);
}

static void derivatives_are_those_of_the_judge(void **state)
{
    (void)state;
    const size_t systems = rounds(240, 30);
    tally count = {0};
    for (size_t i = 0; i < systems; i++) {
        compare_with_judge(i, false, &count);
    }
    print_message("%zu compared, %zu near a kink, %zu where differences are rough\n",
                  count.compared, count.near, count.rough);
    assert_true(count.compared > systems / 2);
    assert_true(count.rough < systems / 20);
}

/* Slopes of forces are infinite where these begin and end. */
static void so_they_are_at_low_exponents(void **state)
{
    (void)state;
    const size_t systems = rounds(60, 20);
    tally count = {0};
    for (size_t i = 0; i < systems; i++) {
        compare_with_judge(i, true, &count);
    }
    assert_true(count.compared > systems / 2);
}

/* ---- Forwards and backwards ------------------------------------------------------------------ */

static void backwards_is_the_transpose_of_forwards(void **state)
{
    (void)state;
    for (size_t number = 0; number < rounds(400, 60); number++) {
        rng r = rng_seeded(5000 + number);
        bool moving, mono = number % 8 >= 4;
        small_system system = draw(&r, number, &moving);
        crm_model *model = small_system_model(&system);
        small_variation by = random_direction(&r, &system, model), gradient;
        for (size_t j = 0; j < system.s; j++) { /* ends of ranges, which are told, have none */
            by.restitution[j] = system.restitution[j] > 0 ? rng_uniform(&r, -1, 0) : 0;
        }
        small_response got = {0}, weights = {0};
        crm_settings *settings = lzb_settings(mono ? lzb_mono : lzb_bi);
        crm_response change = response_view(&got);
        crm_variation direction = variation_view(&by);
        crm_error error;
        crm_status status = crm_solve_forward(NULL, model, system.velocity, settings, 1, &direction,
                                              &change, NULL, &error);
        assert_ok(status, &error);
        got.energy = change.energy;
        got.duration = change.duration;
        for (size_t i = 0; i < SMALL; i++) {
            weights.velocity[i] = rng_uniform(&r, -1, 1);
            weights.impulse[i] = rng_uniform(&r, -1, 1);
            weights.loss[i] = rng_uniform(&r, -1, 1);
            weights.peak_force[i] = rng_uniform(&r, -1, 1);
        }
        weights.energy = rng_uniform(&r, -1, 1);
        weights.duration = isnan(got.duration) ? 0 : rng_uniform(&r, -1, 1);
        got.duration = isnan(got.duration) ? 0 : got.duration;
        crm_response view = response_view(&weights);
        crm_variation to = variation_view(&gradient);
        assert_ok(
            crm_solve_reverse(NULL, model, system.velocity, settings, 1, &view, &to, NULL, &error),
            &error);
        for (size_t j = 0; j < system.s; j++) {
            gradient.restitution[j] = system.restitution[j] > 0 ? gradient.restitution[j] : 0;
        }
        double one = response_product(model, &weights, &got),
               other = variation_product(model, &gradient, &by);
        assert_near(other, one, ADJOINT_WANTED * fmax(1, fabs(one)));
        crm_settings_free(settings);
        crm_model_free(model);
    }
}

/* ---- What must hold -------------------------------------------------------------------------- */

/* Chains of one exponent without stored energy, set moving everywhere. */
static small_system draw_uniform(rng *r, bool wall, bool elastic)
{
    random_choice choice = random_choice_default();
    choice.uniform_exponent = true;
    choice.elastic = elastic;
    choice.least_restitution = 0.4;
    small_system system = random_chain(r, choice, wall);
    for (size_t i = 0; i < system.n; i++) {
        system.velocity[i] += 0.1 * rng_uniform(r, -1, 1);
    }
    return system;
}

/* Speeds times (1 + t): v+ and p with them, energies twice, peak forces by 2 eta / (1 + eta), and
 * durations by -(eta - 1) / (1 + eta). Stiffnesses: v+ does not change; forces by 1 / (1 + eta),
 * durations by minus that. Masses and stiffnesses together: v+ and the duration do not change.
 */
static void scalings_are_exact(void **state)
{
    (void)state;
    for (size_t number = 0; number < rounds(100, 20); number++) {
        rng r = rng_seeded(9000 + number);
        bool mono = number % 2;
        small_system system = draw_uniform(&r, number % 4 > 1, false);
        crm_model *model = small_system_model(&system);
        crm_outcome *outcome =
            lzb_solve(model, system.velocity,
                      (lzb_choices){.stiffness_model = mono ? "mono" : "bi", .tolerance = 1e-11});
        double eta = system.exponent[0], zeros[SMALL] = {0}, near = 1e-7;
        const double near_peak = 1e-5; /* the solver's own are those of its steps */
        small_variation faster = {0}, stiffer = {0}, heavier = {0};
        memcpy(faster.velocity, system.velocity, sizeof faster.velocity);
        memcpy(stiffer.stiffness, system.stiffness, sizeof stiffer.stiffness);
        memcpy(heavier.stiffness, system.stiffness, sizeof heavier.stiffness);
        bool diagonal = crm_variation_mass_size(model) == system.n;
        for (size_t i = 0; i < system.n; i++) {
            size_t place = diagonal ? i : i * system.n + i;
            heavier.mass[place] = system.mass[i * system.n + i];
        }
        small_response by_speed = forward(&system, model, mono, &faster, NULL),
                       by_stiffness = forward(&system, model, mono, &stiffer, NULL),
                       by_mass = forward(&system, model, mono, &heavier, NULL);
        assert_all_near(by_speed.velocity, outcome->velocity, system.n, near);
        assert_all_near(by_speed.impulse, outcome->impulse, system.s, near);
        assert_near(by_speed.energy, 2 * outcome->energy_after, near);
        assert_all_near(by_stiffness.velocity, zeros, system.n, near);
        assert_all_near(by_stiffness.loss, zeros, system.s, near);
        assert_all_near(by_mass.velocity, zeros, system.n, near);
        assert_all_near(by_mass.impulse, outcome->impulse, system.s, near);
        for (size_t j = 0; j < system.s; j++) {
            double peak = outcome->peak_force[j];
            assert_near(by_speed.loss[j], 2 * outcome->loss[j], near);
            assert_near(by_speed.peak_force[j], 2 * eta / (1 + eta) * peak, near_peak * peak);
            assert_near(by_stiffness.peak_force[j], peak / (1 + eta), near_peak * peak);
        }
        if (!isnan(by_speed.duration)) {
            double duration = outcome->duration;
            assert_near(by_speed.duration, (1 - eta) / (1 + eta) * duration, 1e-5 * duration);
            assert_near(by_stiffness.duration, -duration / (1 + eta), 1e-5 * duration);
            assert_near(by_mass.duration, 0, 1e-5 * duration);
        }
        crm_outcome_free(outcome);
        crm_model_free(model);
    }
}

static double sum_of(const double *values, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += values[i];
    }
    return sum;
}

/* Momentum of free chains, the account of energy of all systems, T+ = T- of elastic ones. */
static void momentum_and_energy_are_kept(void **state)
{
    (void)state;
    for (size_t number = 0; number < rounds(200, 30); number++) {
        rng r = rng_seeded(12000 + number);
        bool moving, mono = number % 8 >= 4;
        small_system system = draw(&r, number, &moving);
        crm_model *model = small_system_model(&system);
        small_variation by = random_direction(&r, &system, model);
        memset(by.jacobian, 0, sizeof by.jacobian);
        memset(by.boundary_velocity, 0, sizeof by.boundary_velocity);
        small_response got = forward(&system, model, mono, &by, NULL);
        crm_outcome *outcome =
            lzb_outcome(model, system.velocity,
                        (lzb_choices){.stiffness_model = mono ? "mono" : "bi", .tolerance = 1e-11});
        small_system more = moved(&system, model, &by, 1e-6),
                     less = moved(&system, model, &by, -1e-6);
        double before = (small_system_energy(&more, more.velocity) -
                         small_system_energy(&less, less.velocity)) /
                        2e-6;
        if (!outcome->tail_closed) {
            assert_near(got.energy + sum_of(got.loss, system.s),
                        before + sum_of(by.stored_energy, system.s), 1e-6);
        }
        double momentum = 0;
        for (size_t i = 0; i < system.n; i++) {
            for (size_t k = 0; k < system.n; k++) {
                bool diagonal = crm_variation_mass_size(model) == system.n;
                double dm = !diagonal ? by.mass[i * system.n + k] : i == k ? by.mass[i] : 0;
                momentum += system.mass[i * system.n + k] * (got.velocity[k] - by.velocity[k]) +
                            dm * (outcome->velocity[k] - system.velocity[k]);
            }
        }
        if (number % 4 == 0) { /* a free chain */
            assert_near(momentum, 0, 1e-7);
        }
        crm_outcome_free(outcome);
        crm_model_free(model);
    }
}

/* m1 against m2: v2+ - v1+ = e (v1 - v2), whatever the contact. */
static void two_balls_are_closed_forms(void **state)
{
    (void)state;
    static const double coefficients[] = {0.3, 0.9, 1};
    for (size_t k = 0; k < 6; k++) {
        small_system system = small_system_chain(2, false);
        double e = coefficients[k / 2], m1 = 2, m2 = 3, all = m1 + m2;
        system.mass[0] = m1;
        system.mass[3] = m2;
        system.restitution[0] = e;
        system.velocity[0] = 1;
        crm_model *model = small_system_model(&system);
        bool diagonal = crm_variation_mass_size(model) == 2;
        small_variation softer = {.restitution = {1}}, heavier = {0};
        heavier.mass[diagonal ? 1 : 3] = 1;
        small_response by_e = forward(&system, model, k % 2, &softer, NULL),
                       by_m2 = forward(&system, model, k % 2, &heavier, NULL);
        assert_near(by_e.velocity[0], -m2 / all, 1e-9);
        assert_near(by_e.velocity[1], m1 / all, 1e-9);
        assert_near(by_e.loss[0], -e * m1 * m2 / all, 1e-9);
        assert_near(by_m2.velocity[0], -(1 + e) * m1 / (all * all), 1e-9);
        assert_near(by_m2.velocity[1], -(1 + e) * m1 / (all * all), 1e-9);
        crm_model_free(model);
    }
}

/* A ball on a wall leaves with -e v, so that it is -v by which its velocity changes with e at 0, to
 * the one side there is; between balls the law jumps there. The path has neither, and says so.
 */
static void a_plastic_contact_has_no_derivative_to_its_restitution(void **state)
{
    (void)state;
    small_system system = small_system_chain(3, false);
    system.restitution[0] = 0;
    system.restitution[1] = 0.5;
    system.velocity[0] = 1;
    system.velocity[2] = -1;
    crm_model *model = small_system_model(&system);
    crm_settings *settings = lzb_settings(lzb_bi);
    for (size_t j = 0; j < 2; j++) {
        double along[2] = {0}, change[3], weight[] = {0, 0, 1}, to[2];
        along[j] = 1;
        crm_variation direction = {.restitution = along}, gradient = {.restitution = to};
        crm_response response = {.velocity = change}, weights = {.velocity = weight};
        crm_smoothness smooth;
        crm_error error;
        assert_ok(crm_solve_forward(NULL, model, system.velocity, settings, 1, &direction,
                                    &response, &smooth, &error),
                  &error);
        assert_int_equal(smooth.differentiable, j == 1);
        assert_int_equal(isnan(change[2]), j == 0);
        assert_ok(crm_solve_reverse(NULL, model, system.velocity, settings, 1, &weights, &gradient,
                                    NULL, &error),
                  &error);
        assert_int_equal(isnan(to[j]), j == 0);
    }
    crm_settings_free(settings);
    crm_model_free(model);
}

/* e = 0: they go on together, and nothing can change that. */
static void balls_that_stick_stick(void **state)
{
    (void)state;
    small_system system = small_system_chain(3, false);
    system.restitution[0] = system.restitution[1] = 0;
    system.velocity[0] = 1;
    system.mass[0] = 1.3;
    crm_model *model = small_system_model(&system);
    crm_settings *settings = lzb_settings(lzb_bi);
    double weight[] = {0, 0, 1}, mass[9], velocity[3];
    crm_response weights = {.velocity = weight};
    crm_variation gradient = {.mass = mass, .velocity = velocity};
    crm_error error;
    assert_ok(crm_solve_reverse(NULL, model, system.velocity, settings, 1, &weights, &gradient,
                                NULL, &error),
              &error);
    size_t next = crm_variation_mass_size(model) == 3 ? 1 : 4;
    double all = 3.3; /* v+ = m1 v1 / all */
    assert_near(mass[0], 1 / all - 1.3 / (all * all), 1e-7);
    assert_near(mass[next], -1.3 / (all * all), 1e-7);
    assert_near(mass[2 * next], -1.3 / (all * all), 1e-7);
    assert_near(velocity[0], 1.3 / all, 1e-7);
    crm_settings_free(settings);
    crm_model_free(model);
}

/* Balls that part while their plastic contact still holds E0, beside an impact: it is lost at once,
 * and the peak is the force there, K x^eta with K x^(eta+1) / (eta+1) = E0.
 */
static void stored_energy_is_lost_at_once(void **state)
{
    (void)state;
    const double eta = 2, energy = 0.3, stiffness = 5;
    small_system system = small_system_blank(4, 2);
    system.w[0] = system.w[4 + 2] = -1;
    system.w[1] = system.w[4 + 3] = 1;
    system.velocity[0] = system.velocity[3] = 1;
    system.exponent[1] = eta;
    system.stiffness[1] = stiffness;
    system.stored_energy[1] = energy;
    system.restitution[1] = 0;
    double depth = pow((eta + 1) * energy / stiffness, 1 / (eta + 1)),
           force = stiffness * pow(depth, eta);
    for (int mono = 0; mono < 2; mono++) {
        crm_model *model = small_system_model(&system);
        crm_outcome *outcome = lzb_solve(model, system.velocity, mono ? lzb_mono : lzb_bi);
        assert_near(outcome->peak_force[1], force, 1e-12);
        assert_near(outcome->loss[1], energy, 1e-12);
        small_variation more = {.stored_energy = {0, 1}}, stiffer = {.stiffness = {0, 1}};
        small_response by_energy = forward(&system, model, mono, &more, NULL),
                       by_stiffness = forward(&system, model, mono, &stiffer, NULL);
        assert_near(by_energy.peak_force[1], eta / (eta + 1) * force / energy, 1e-9);
        assert_near(by_energy.loss[1], 1, 1e-9);
        assert_near(by_stiffness.peak_force[1], force / stiffness / (eta + 1), 1e-9);
        assert_near(by_stiffness.loss[1], 0, 1e-9);
        crm_outcome_free(outcome);
        crm_model_free(model);
    }
}

/* Such a contact is pressed later, by the first ball of the chain: what it lost before is lost, and
 * nothing but its loss depends on it.
 */
static void energy_lost_at_once_is_not_felt_later(void **state)
{
    (void)state;
    small_system system = small_system_chain(3, false);
    system.velocity[0] = 1;
    system.velocity[2] = 0.1;
    system.stored_energy[1] = 0.3;
    system.restitution[1] = 0;
    crm_model *model = small_system_model(&system);
    for (int mono = 0; mono < 2; mono++) {
        small_variation more = {.stored_energy = {0, 1}}, gradient = {0};
        small_response along = forward(&system, model, mono, &more, NULL);
        small_response weight = {.velocity = {1, 2, 4}, .loss = {8, 16}};
        crm_response weights = response_view(&weight);
        crm_variation to = variation_view(&gradient);
        crm_settings *settings = lzb_settings(mono ? lzb_mono : lzb_bi);
        crm_error error;
        assert_ok(crm_solve_reverse(NULL, model, system.velocity, settings, 1, &weights, &to, NULL,
                                    &error),
                  &error);
        assert_true(fabs(along.velocity[2]) < 1e-12 && fabs(along.impulse[1]) < 1e-12);
        assert_near(along.loss[1], 1, 1e-12);
        assert_near(gradient.stored_energy[1], 16, 1e-9);
        crm_settings_free(settings);
    }
    crm_model_free(model);
}

/* ---- Large ----------------------------------------------------------------------------------- */

static double last_velocity(const crm_chain_def *def, const double *velocity)
{
    crm_model *model = chain_model(def);
    crm_outcome *outcome = lzb_solve(model, velocity, (lzb_choices){.tolerance = 1e-13});
    double last = outcome->velocity[def->count - 1];
    crm_outcome_free(outcome);
    crm_model_free(model);
    return last;
}

/* A long chain's gradient against differences of the solver's own outcomes, which come from another
 * integrator; and masses times a factor, which change no velocity.
 */
static void gradient_of_a_long_chain(void **state)
{
    (void)state;
    enum { MOST = 200 };
    const size_t balls = rounds(MOST, 40);
    double mass[MOST], velocity[MOST] = {1}, weight[MOST] = {0}, gradient[MOST];
    rng r = rng_seeded(3);
    for (size_t i = 0; i < balls; i++) {
        mass[i] = rng_uniform(&r, 0.8, 1.2);
    }
    weight[balls - 1] = 1;
    crm_chain_def def = crm_chain_def_default();
    def.count = balls;
    def.mass.each = mass;
    def.restitution.all = 0.99;
    crm_model *model = chain_model(&def);
    crm_settings *settings = lzb_settings(lzb_bi);
    crm_response weights = {.velocity = weight};
    crm_variation to = {.mass = gradient};
    crm_error error;
    assert_ok(crm_solve_reverse(NULL, model, velocity, settings, 1, &weights, &to, NULL, &error),
              &error);
    double product = 0;
    for (size_t i = 0; i < balls; i++) {
        product += mass[i] * gradient[i];
    }
    assert_near(product, 0, 1e-8);
    for (size_t i = 0; i < balls; i += balls / 6) {
        const double h = 1e-4;
        double own = mass[i], sum = 0;
        static const double places[] = {-2, -1, 1, 2}, factors[] = {1, -8, 8, -1};
        for (size_t k = 0; k < 4; k++) {
            mass[i] = own + places[k] * h;
            sum += factors[k] * last_velocity(&def, velocity);
        }
        mass[i] = own;
        assert_near(gradient[i], sum / (12 * h), 1e-7);
    }
    crm_settings_free(settings);
    crm_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_are_those_of_the_judge),
        cmocka_unit_test(so_they_are_at_low_exponents),
        cmocka_unit_test(backwards_is_the_transpose_of_forwards),
        cmocka_unit_test(scalings_are_exact),
        cmocka_unit_test(momentum_and_energy_are_kept),
        cmocka_unit_test(two_balls_are_closed_forms),
        cmocka_unit_test(balls_that_stick_stick),
        cmocka_unit_test(a_plastic_contact_has_no_derivative_to_its_restitution),
        cmocka_unit_test(stored_energy_is_lost_at_once),
        cmocka_unit_test(energy_lost_at_once_is_not_felt_later),
        cmocka_unit_test(gradient_of_a_long_chain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
