/* The compliant law beside others: LZB where both agree, a plain integration of positions; and
 * its account of energy and error.
 */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compliant_call.h"
#include "model/model.h"

static double sum_of(const double *values, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += values[i];
    }
    return sum;
}

/* ---- Beside LZB ----------------------------------------------------------------------------- */

/* Does a contact act that had parted, at frozen positions: without a gap to be closed first? */
typedef struct re_entry {
    bool parted[SMALL], found;
    size_t contacts;
} re_entry;

static crm_status look_for_re_entry(void *context, const crm_sample *sample)
{
    re_entry *seen = context;
    for (size_t j = 0; j < seen->contacts; j++) {
        bool acts = sample->stored_energy[j] > 0;
        seen->found |= seen->parted[j] && acts;
        seen->parted[j] |= !acts && sample->closing_speed[j] < 0;
    }
    return CRM_OK;
}

static crm_outcome *lzb_outcome_seen(const small_system *system, re_entry *seen)
{
    crm_error error = {0};
    crm_outcome *outcome = NULL;
    crm_model *model = small_system_model(system);
    crm_settings *settings = lzb_settings((lzb_choices){.tolerance = 1e-10});
    crm_recorder recorder = {.context = seen, .record = look_for_re_entry};
    assert_ok(crm_solve(model, system->velocity, settings, &recorder, &outcome, &error), &error);
    crm_settings_free(settings);
    crm_model_free(model);
    return outcome;
}

static void without_re_entry_it_is_lzb(void **state)
{
    (void)state;
    rng r = rng_seeded(75);
    random_choice choice = random_choice_default();
    choice.elastic = true;
    choice.most_contacts = 6;
    int compared = 0, several = 0, different = 0;
    for (int i = 0; i < 200; i++) {
        small_system chain = random_chain(&r, choice, false);
        re_entry seen = {.contacts = chain.s};
        crm_outcome *lzb = lzb_outcome_seen(&chain, &seen);
        crm_outcome *compliant = compliant_solve(&chain, (compliant_options){0});
        double difference = largest_difference(lzb->velocity, compliant->velocity, chain.n);
        if (!seen.found) {
            assert_near(difference, 0.0, 1e-8);
            compared++;
            for (size_t j = 0; j < chain.s; j++) {
                assert_int_equal(compliant->compressions[j], lzb->compressions[j]);
                several += lzb->compressions[j] > 1;
            }
        } else {
            different += difference > 1e-4;
        }
        crm_outcome_free(lzb);
        crm_outcome_free(compliant);
    }
    assert_true(compared >= 50);
    assert_true(several >= 1);
    assert_true(different >= 5);
}

/* Long enough for the region around the wave to be a small part of the chain. */
static void a_long_chain_is_lzb_too(void **state)
{
    (void)state;
    enum { COUNT = 300 };
    double *velocity = calloc(COUNT, sizeof *velocity);
    crm_chain_def def = crm_chain_def_default();
    def.count = COUNT;
    velocity[0] = 1.0;
    crm_model *model = NULL;
    crm_error error = {0};
    assert_ok(crm_model_from_chain(&def, &model, &error), &error);
    crm_outcome *lzb = lzb_solve(model, velocity, (lzb_choices){.tolerance = 1e-10});
    crm_outcome *compliant = compliant_outcome(model, velocity, (compliant_options){0});
    assert_int_equal(compliant->result, CRM_SOLVED);
    assert_all_near(compliant->velocity, lzb->velocity, COUNT, 1e-8);
    assert_near(compliant->duration, lzb->duration, 1e-3);
    assert_true(compliant->kinematic && compliant->kinetic && compliant->energetic);
    for (size_t j = 0; j + 1 < COUNT; j++) { /* what was left undone below the tolerance included */
        assert_true(compliant->gap_velocity[j] > -1e-13);
    }
    crm_outcome_free(lzb);
    crm_outcome_free(compliant);
    crm_model_free(model);
    free(velocity);
}

/* ---- Beside a plain integration of positions ------------------------------------------------ */

/* A line of balls, possibly with a wall on the right: every position, steps of one length, the
 * classical method of fourth order, no events. Kinks cost it accuracy, not its independence.
 */
enum { LINE = 64 };

typedef struct line_of_balls {
    size_t count;
    bool wall;
    double mass[LINE], stiffness[LINE], exponent, damping;
} line_of_balls;

static void line_derivative(const line_of_balls *line, const double *y, double *out)
{
    size_t n = line->count, contacts = n - (line->wall ? 0 : 1);
    for (size_t i = 0; i < n; i++) {
        out[i] = y[n + i];
        out[n + i] = 0;
    }
    for (size_t j = 0; j < contacts; j++) {
        double x = y[j] - (j + 1 < n ? y[j + 1] : 0), c = y[n + j] - (j + 1 < n ? y[n + j + 1] : 0);
        if (!(x > 0)) {
            continue;
        }
        double force = pow(x, line->exponent - 1.0) * (line->stiffness[j] * x + line->damping * c);
        force = fmax(force, 0);
        out[n + j] -= force / line->mass[j];
        if (j + 1 < n) {
            out[n + j + 1] += force / line->mass[j + 1];
        }
    }
}

static void line_step(const line_of_balls *line, double h, double *y)
{
    double k[4][2 * LINE] = {{0}}, z[2 * LINE] = {0};
    size_t size = 2 * line->count;
    static const double ahead[] = {0, 0.5, 0.5, 1.0};
    for (int stage = 0; stage < 4; stage++) {
        for (size_t i = 0; i < size; i++) {
            z[i] = y[i] + (stage > 0 ? ahead[stage] * h * k[stage - 1][i] : 0);
        }
        line_derivative(line, z, k[stage]);
    }
    for (size_t i = 0; i < size; i++) {
        y[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
    }
}

/* The first ball strikes at speed 1. */
static void check_line(const line_of_balls *line, double h, double tolerance)
{
    crm_chain_def def = crm_chain_def_default();
    def.count = line->count;
    def.mass.each = line->mass;
    def.stiffness.each = line->stiffness;
    def.exponent.all = line->exponent;
    def.wall_side = line->wall ? CRM_WALL_RIGHT : CRM_WALL_NONE;
    def.wall.stiffness = line->stiffness[line->count - 1];
    crm_model *model = NULL;
    crm_error error = {0};
    assert_ok(crm_model_from_chain(&def, &model, &error), &error);
    double velocity[LINE] = {1.0}, y[2 * LINE] = {0};
    crm_outcome *outcome =
        compliant_outcome(model, velocity, (compliant_options){.damping = line->damping});
    assert_int_equal(outcome->result, CRM_SOLVED);
    y[line->count] = 1.0;
    long steps = (long)ceil((outcome->duration + 1.0) / h);
    for (long i = 0; i < steps; i++) {
        line_step(line, h, y);
    }
    assert_all_near(outcome->velocity, y + line->count, line->count, tolerance);
    crm_outcome_free(outcome);
    crm_model_free(model);
}

/* Thrown back by the wall, the balls meet again after flights through several gaps. */
static void flights_end_where_the_gaps_close(void **state)
{
    (void)state;
    rng r = rng_seeded(79);
    for (int i = 0; i < 12; i++) {
        line_of_balls line = {.count = 4 + rng_below(&r, 5), .wall = true};
        line.exponent = i % 2 ? 1.5 : 1.0;
        for (size_t j = 0; j < line.count; j++) {
            line.mass[j] = rng_log(&r, 0.5, 2.0);
            line.stiffness[j] = rng_log(&r, 0.5, 2.0);
        }
        check_line(&line, 1e-3, 1e-5);
    }
}

/* With damping, a pulse runs along many contacts before any of them opens. */
static void a_damped_pulse_travels(void **state)
{
    (void)state;
    static const double dampings[] = {0.1, 1.0, 5.0};
    for (size_t i = 0; i < 3; i++) {
        for (int hertz = 0; hertz < 2; hertz++) {
            line_of_balls line = {.count = 50, .exponent = hertz ? 1.5 : 1.0};
            line.damping = dampings[i];
            for (size_t j = 0; j < line.count; j++) {
                line.mass[j] = line.stiffness[j] = 1.0;
            }
            /* the force of a linear dashpot jumps at first touch, which steps of one length miss */
            check_line(&line, 2e-3, hertz ? 1e-5 : 1e-4);
        }
    }
}

/* ---- Energy --------------------------------------------------------------------------------- */

static void check_account(const small_system *system, const crm_outcome *outcome)
{
    double before = small_system_energy(system, system->velocity);
    for (size_t j = 0; j < system->s; j++) {
        before += system->stored_energy[j] - outcome->impulse[j] * system->boundary_velocity[j];
    }
    double after = small_system_energy(system, outcome->velocity);
    assert_near((after + sum_of(outcome->loss, system->s)) / before, 1.0, 1e-12);
    assert_true(outcome->energy_error < 1e-8);
}

static small_system any_system(rng *r, random_choice choice, int i)
{
    disc_patch patch;
    switch (i % 3) {
    case 0:
        return random_chain(r, choice, i % 2);
    case 1:
        return random_lagrangian(r, choice);
    default:
        return random_disc_patch(r, choice, &patch);
    }
}

static void without_damping_nothing_is_lost(void **state)
{
    (void)state;
    rng r = rng_seeded(76);
    random_choice choice = random_choice_default();
    choice.stored_energy = true;
    for (int i = 0; i < 120; i++) {
        small_system system = any_system(&r, choice, i);
        crm_outcome *outcome = compliant_solve(&system, (compliant_options){.model = "elastic"});
        double before =
            small_system_energy(&system, system.velocity) + sum_of(system.stored_energy, system.s);
        assert_near(small_system_energy(&system, outcome->velocity) / before, 1.0, 1e-8);
        check_account(&system, outcome);
        assert_true(outcome->kinematic && outcome->kinetic && outcome->energetic);
        crm_outcome_free(outcome);
    }
}

static void damping_loses_energy_at_every_contact_that_works(void **state)
{
    (void)state;
    rng r = rng_seeded(77);
    random_choice choice = random_choice_default();
    choice.stored_energy = true;
    for (int i = 0; i < 90; i++) {
        small_system system = any_system(&r, choice, i);
        for (size_t j = 0; j < system.s; j++) {
            system.exponent[j] = fmax(system.exponent[j], 1.0);
        }
        crm_outcome *outcome =
            compliant_solve(&system, (compliant_options){.damping = rng_log(&r, 1e-3, 3.0)});
        double before =
            small_system_energy(&system, system.velocity) + sum_of(system.stored_energy, system.s);
        check_account(&system, outcome);
        for (size_t j = 0; j < system.s; j++) {
            assert_true(outcome->loss[j] > -1e-9 * before);
        }
        assert_true(sum_of(outcome->loss, system.s) > 1e-6 * before);
        assert_true(outcome->kinematic && outcome->kinetic && outcome->energetic);
        crm_outcome_free(outcome);
    }
}

/* The estimate must hold against an answer known to be better. */
static void the_error_estimate_holds(void **state)
{
    (void)state;
    rng r = rng_seeded(78);
    random_choice choice = random_choice_default();
    int beyond = 0;
    for (int i = 0; i < 60; i++) {
        small_system system = any_system(&r, choice, i);
        crm_outcome *coarse = compliant_solve(&system, (compliant_options){.tolerance = 1e-6});
        crm_outcome *fine = compliant_solve(&system, (compliant_options){.tolerance = 1e-11});
        double u[SMALL];
        small_system_gap_velocity(&system, system.velocity, u);
        double scale = fmax(largest_size(u, system.s), largest_size(system.velocity, system.n));
        double error = largest_difference(coarse->velocity, fine->velocity, system.n) / scale;
        beyond += error > coarse->error_estimate;
        assert_true(error < 3.0 * coarse->error_estimate);
        assert_true(error < 1e-6);
        crm_outcome_free(coarse);
        crm_outcome_free(fine);
    }
    assert_true(beyond <= 12); /* a fifth: it is an estimate, not a bound */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_re_entry_it_is_lzb),
        cmocka_unit_test(a_long_chain_is_lzb_too),
        cmocka_unit_test(flights_end_where_the_gaps_close),
        cmocka_unit_test(a_damped_pulse_travels),
        cmocka_unit_test(without_damping_nothing_is_lost),
        cmocka_unit_test(damping_loses_energy_at_every_contact_that_works),
        cmocka_unit_test(the_error_estimate_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
