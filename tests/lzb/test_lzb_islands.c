/* Nothing else changes an outcome of LZB: not parts of the system that cannot act on each other,
 * not the other systems of a batch, not a watcher. Some did once (their scenarios: tests/cases).
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support.h"

/* ---- Islands --------------------------------------------------------------------------------- */

/* Both side by side; contacts of the second come after those of the first, or in between. */
static small_system side_by_side(const small_system *a, const small_system *b, bool mixed,
                                 size_t *place_a, size_t *place_b)
{
    small_system both = small_system_blank(a->n + b->n, a->s + b->s);
    const small_system *part[2] = {a, b};
    size_t *place[2] = {place_a, place_b}, next[2] = {0, 0}, n = both.n;
    for (size_t j = 0; j < both.s; j++) {
        bool turn = !mixed || j % 2 == 0 || next[1] == b->s;
        size_t of = turn && next[0] < a->s ? 0 : 1;
        const small_system *p = part[of];
        size_t k = next[of]++, offset = of == 0 ? 0 : a->n;
        place[of][k] = j;
        memset(both.w + j * n, 0, n * sizeof *both.w);
        memcpy(both.w + j * n + offset, p->w + k * p->n, p->n * sizeof *both.w);
        both.stiffness[j] = p->stiffness[k];
        both.exponent[j] = p->exponent[k];
        both.restitution[j] = p->restitution[k];
        both.stored_energy[j] = p->stored_energy[k];
        both.boundary_velocity[j] = p->boundary_velocity[k];
    }
    memset(both.mass, 0, sizeof both.mass);
    for (size_t of = 0; of < 2; of++) {
        const small_system *p = part[of];
        size_t offset = of == 0 ? 0 : a->n;
        for (size_t i = 0; i < p->n; i++) {
            both.velocity[offset + i] = p->velocity[i];
            memcpy(both.mass + (offset + i) * n + offset, p->mass + i * p->n,
                   p->n * sizeof *both.mass);
        }
    }
    return both;
}

/* A full M, even of zeros, would make for a D with zeros in it, and for sums in another order. */
static crm_model *model_with_diagonal_mass(const small_system *system)
{
    double diagonal[SMALL];
    for (size_t k = 0; k < system->n; k++) {
        diagonal[k] = system->mass[k * (system->n + 1)];
    }
    crm_system_def def = crm_system_def_default();
    def.coordinates = system->n;
    def.contacts = system->s;
    def.mass_diagonal = diagonal;
    def.w_dense = system->w;
    def.stiffness = system->stiffness;
    def.exponent = system->exponent;
    def.restitution = system->restitution;
    def.stored_energy = system->stored_energy;
    crm_model *model;
    crm_error error;
    assert_int_equal(crm_model_from_system(&def, &model, &error), CRM_OK);
    return model;
}

static crm_outcome *solve_with_diagonal_mass(const small_system *system, lzb_choices options)
{
    crm_model *model = model_with_diagonal_mass(system);
    crm_outcome *outcome = lzb_solve(model, system->velocity, options);
    crm_model_free(model);
    return outcome;
}

/* The part whose coordinates begin there. */
static void assert_part_is(const crm_outcome *both, const crm_outcome *alone, size_t first,
                           const size_t *place)
{
    assert_memory_equal(both->velocity + first, alone->velocity,
                        alone->coordinates * sizeof *alone->velocity);
    for (size_t k = 0; k < alone->contacts; k++) {
        assert_memory_equal(&both->impulse[place[k]], &alone->impulse[k], sizeof(double));
        assert_int_equal(both->compressions[place[k]], alone->compressions[k]);
        assert_memory_equal(&both->peak_force[place[k]], &alone->peak_force[k], sizeof(double));
    }
}

static void islands_do_not_disturb_each_other(void **state)
{
    (void)state;
    rng r = rng_seeded(371);
    random_choice choice = random_choice_default();
    choice.most_contacts = 5;
    choice.plastic_sometimes = choice.stored_energy = true;
    for (size_t i = 0; i < rounds(200, 40); i++) {
        small_system a = random_chain(&r, choice, i % 2), b = random_chain(&r, choice, i % 3);
        size_t place_a[SMALL], place_b[SMALL];
        double slower = i % 4 ? rng_log(&r, 1e-6, 1) : 1;
        for (size_t k = 0; k < b.n; k++) {
            b.velocity[k] *= slower;
        }
        lzb_choices options = i % 2 ? lzb_bi : lzb_mono;
        small_system both = side_by_side(&a, &b, true, place_a, place_b);
        crm_outcome *of_a = solve_with_diagonal_mass(&a, options),
                    *of_b = solve_with_diagonal_mass(&b, options),
                    *of_both = solve_with_diagonal_mass(&both, options);
        assert_part_is(of_both, of_a, 0, place_a);
        assert_part_is(of_both, of_b, a.n, place_b);
        crm_outcome_free(of_a);
        crm_outcome_free(of_b);
        crm_outcome_free(of_both);
    }
}

/* tests/cases/lzb-two-chains.yaml: the first stays on the wall, with a tenth of the speed, too. */
static void a_chain_rests_on_its_wall_beside_a_slow_copy(void **state)
{
    (void)state;
    static const double mass[] = {0.4343649750885657, 2.5788724324221102, 0.46430674858739335,
                                  2.3165094090143903, 1.475825938227445,  1.9871926205401986,
                                  2.5767029565909323};
    static const double velocity[] = {-1.1312374591156473, -2.4983812429382253, -3.7864843048084706,
                                      -4.433521697157734,  -4.8604324220163004, -5.413624866471979,
                                      -5.9455925274392767};
    static const double stiffness[] = {
        12.076581900156553, 10.447056128893475,   1.944469161109512,   1.0104901392556254,
        5.3484656720015984, 0.061302112695545509, 0.016054349226597642};
    small_system chain = small_system_blank(7, 7), slow;
    for (size_t k = 0; k < 7; k++) {
        chain.mass[k * 8] = mass[k];
        chain.velocity[k] = velocity[k];
        chain.stiffness[k] = stiffness[k];
        chain.restitution[k] = 0.14381129942034054;
        chain.w[k * 7 + k] = k < 6 ? -1 : 0;
        chain.w[k * 7 + (k < 6 ? k + 1 : 0)] = 1;
    }
    slow = chain;
    for (size_t k = 0; k < 7; k++) {
        slow.velocity[k] *= 0.1;
    }
    size_t place_a[SMALL], place_b[SMALL];
    small_system both = side_by_side(&chain, &slow, false, place_a, place_b);
    crm_outcome *outcome = solve_with_diagonal_mass(&both, lzb_bi);
    for (size_t k = 0; k < both.n; k++) {
        assert_near(outcome->velocity[k], 0, 1e-8);
    }
    crm_outcome_free(outcome);
}

/* ---- Lanes ----------------------------------------------------------------------------------- */

static void solve_in_lanes(const crm_model *const *models, size_t count, const double *velocities,
                           double tolerance, double *after, crm_batch_item *items)
{
    crm_settings *settings = lzb_settings((lzb_choices){.tolerance = tolerance});
    crm_batch_def def = {.count = count,
                         .models = models,
                         .velocities = velocities,
                         .settings = settings,
                         .threads = 1,
                         .in_lanes = true};
    crm_batch_results results = {.velocities = after, .items = items};
    crm_error error;
    assert_int_equal(crm_solve_batch(&def, &results, &error), CRM_OK);
    crm_settings_free(settings);
}

/* A closing speed comes to 0 while a contact beside it begins to press. */
static void a_chain_in_a_lane_is_what_it_is_alone(void **state)
{
    (void)state;
    static const double mass[] = {0.21974936360910452, 0.86847365327371606, 0.60851976261659135,
                                  0.28158106691349882, 3.642228790374217,   0.42330839819208727,
                                  2.5930377033437804};
    static const double stiffness[] = {0.18415316389256034, 5.0439356904669994,
                                       0.7158351195669771,  2.5843447791149869,
                                       0.20094801260673248, 0.15086847478645163};
    static const double truth[] = {-.512236515074, -.0515555353204, -.0398237321801, .0293070672761,
                                   .0329162030705, .0631893012809,  .0950360050616};
    small_system system = small_system_chain(7, false);
    system.velocity[0] = 1;
    for (size_t k = 0; k < 7; k++) {
        system.mass[k * 8] = mass[k];
        system.stiffness[k] = k < 6 ? stiffness[k] : 0;
        system.restitution[k] = 0.76189660095780842;
    }
    const crm_model *model = small_system_model(&system);
    double after[7];
    crm_batch_item item;
    solve_in_lanes(&model, 1, system.velocity, 1e-8, after, &item);
    double error = small_system_error(&system, after, truth);
    assert_true(error <= 1e-8 && error <= 10 * item.error_estimate);
    crm_model_free((crm_model *)model);
}

/* A body at rest on one that touches a wall, which moves both: the wall's force has hardly begun,
 * and a linear contact, stiff from the start, is pressed by what it does. Truth by the judge of
 * series.h.
 */
static void a_linear_contact_is_pressed_by_one_that_has_just_begun(void **state)
{
    (void)state;
    static const struct {
        double mass[2], stiffness[2], restitution[2], wall, truth[2];
    } cases[] = {
        {{0.0067049467109788798, 9.0128683486041474},
         {6.4933553922245473, 1.4876902698429448},
         {0.67008648703097251, 0.89115190167063385},
         0,
         {-.891199720440642, -.891151819254595}},
        {{0.21941333684325776, 3.6651266206240782},
         {9.379369584324607, 0.199752220872257},
         {0.99999989022796343, 0.1},
         -0.5687316568561368,
         {-.791352151766721, -.722398000368778}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        small_system system = small_system_chain(2, true);
        for (size_t i = 0; i < 2; i++) {
            system.mass[i * 3] = cases[k].mass[i];
            system.velocity[i] = 1;
            system.stiffness[i] = cases[k].stiffness[i];
            system.restitution[i] = cases[k].restitution[i];
        }
        system.exponent[0] = 1;
        system.exponent[1] = 1.5;
        system.boundary_velocity[1] = cases[k].wall;
        const crm_model *model = small_system_model(&system);
        double after[2];
        crm_batch_item item;
        solve_in_lanes(&model, 1, system.velocity, 1e-8, after, &item);
        double error = small_system_error(&system, after, cases[k].truth);
        assert_true(error <= 1e-8 && error <= 10 * item.error_estimate);
        crm_model_free((crm_model *)model);
    }
}

/* Each alone, and all in one batch, where who is beside whom is another matter. */
static void company_in_the_lanes_changes_no_bit(void **state)
{
    (void)state;
    const size_t systems = rounds(4000, 300);
    rng r = rng_seeded(77);
    random_choice choice = random_choice_default();
    crm_model **models = calloc(systems, sizeof *models);
    double *velocities = calloc(systems * SMALL, sizeof *velocities), *at = velocities;
    double *together = calloc(systems * SMALL, sizeof *together), *in_batch = together;
    for (size_t i = 0; i < systems; i++) {
        choice.most_contacts = 1 + rng_below(&r, 9);
        choice.uniform_exponent = i % 2;
        small_system system = random_chain(&r, choice, i % 3 == 0);
        models[i] = small_system_model(&system);
        memcpy(at, system.velocity, system.n * sizeof *at);
        at += system.n;
    }
    solve_in_lanes((const crm_model *const *)models, systems, velocities, 1e-6, together, NULL);
    at = velocities;
    for (size_t i = 0; i < systems; i++) {
        double alone[SMALL];
        size_t n = crm_model_coordinates(models[i]);
        solve_in_lanes((const crm_model *const *)&models[i], 1, at, 1e-6, alone, NULL);
        assert_memory_equal(alone, in_batch, n * sizeof *alone);
        at += n;
        in_batch += n;
        crm_model_free(models[i]);
    }
    free(models);
    free(velocities);
    free(together);
}

/* ---- Being watched --------------------------------------------------------------------------- */

static crm_status look(void *context, const crm_sample *sample)
{
    (void)sample;
    ++*(size_t *)context;
    return CRM_OK;
}

static void a_history_changes_no_bit_of_the_outcome(void **state)
{
    (void)state;
    rng r = rng_seeded(7);
    random_choice choice = random_choice_default();
    crm_error error;
    for (size_t i = 0; i < rounds(60, 15); i++) {
        small_system system = random_chain(&r, choice, i % 2);
        crm_model *model = small_system_model(&system);
        crm_settings *settings = lzb_settings(i % 3 ? lzb_bi : lzb_mono);
        size_t seen = 0;
        crm_recorder recorder = {.context = &seen,
                                 .interval = i % 4 ? 0.01 : 0,
                                 .only_multiples = i % 5 == 0,
                                 .record = look};
        crm_outcome *alone, *watched;
        assert_int_equal(crm_solve(model, system.velocity, settings, NULL, &alone, &error), CRM_OK);
        assert_int_equal(crm_solve(model, system.velocity, settings, &recorder, &watched, &error),
                         CRM_OK);
        assert_true(seen > 0);
        assert_memory_equal(alone->velocity, watched->velocity, system.n * sizeof(double));
        assert_memory_equal(alone->loss, watched->loss, system.s * sizeof(double));
        assert_memory_equal(alone->peak_force, watched->peak_force, system.s * sizeof(double));
        assert_true(alone->error_estimate == watched->error_estimate);
        crm_outcome_free(alone);
        crm_outcome_free(watched);
        crm_settings_free(settings);
        crm_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(islands_do_not_disturb_each_other),
        cmocka_unit_test(a_chain_rests_on_its_wall_beside_a_slow_copy),
        cmocka_unit_test(a_chain_in_a_lane_is_what_it_is_alone),
        cmocka_unit_test(a_linear_contact_is_pressed_by_one_that_has_just_begun),
        cmocka_unit_test(company_in_the_lanes_changes_no_bit),
        cmocka_unit_test(a_history_changes_no_bit_of_the_outcome),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
