/* Numbers far from 1, and numbers that are refused: carom/model.h, "Ranges". */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support.h"

/* ---- A change of units ---------------------------------------------------------------------- */

/* What one unit is in the new ones: mass, length, time, and what gaps are counted in. Powers of
 * two, so that masses and velocities change without rounding.
 */
typedef struct units {
    int mass, length, time, gap;
} units;

enum { BALLS = 4, CONTACTS = 4 };

/* A chain on a wall of unequal balls and mixed contacts; `full` couples the masses. */
typedef struct system_data {
    bool full;
    double exponent, restitution;
} system_data;

static double power_of_two(int power)
{
    return ldexp(1, power);
}

/* (1 + eta) energy = K indentation^(1 + eta). */
static double stiffness_in(units u, double stiffness, double exponent)
{
    double energy = u.mass + 2.0 * (u.length - u.time), indentation = u.length + u.gap;
    return stiffness * exp2(energy - (1 + exponent) * indentation);
}

static crm_model *model_in(units u, const system_data *data)
{
    static const double mass[BALLS] = {1, 0.4, 2.5, 1};
    double m[BALLS * BALLS] = {0}, w[CONTACTS * BALLS] = {0}, k[CONTACTS], eta[CONTACTS],
                     e[CONTACTS];
    for (size_t i = 0; i < BALLS; i++) {
        m[i * BALLS + i] = mass[i] * power_of_two(u.mass);
        w[i * BALLS + i] = -power_of_two(u.gap);
        if (i + 1 < BALLS) {
            w[i * BALLS + i + 1] = power_of_two(u.gap);
            m[i * BALLS + i + 1] = m[(i + 1) * BALLS + i] =
                data->full ? 0.1 * power_of_two(u.mass) : 0;
        }
    }
    for (size_t j = 0; j < CONTACTS; j++) {
        eta[j] = data->exponent;
        e[j] = data->restitution;
        k[j] = stiffness_in(u, 1.0 + 0.3 * (double)j, eta[j]);
    }
    crm_system_def def = crm_system_def_default();
    def.coordinates = BALLS;
    def.contacts = CONTACTS;
    def.mass_dense = m;
    def.w_dense = w;
    def.stiffness = k;
    def.exponent = eta;
    def.restitution = e;
    crm_model *model = NULL;
    crm_error error = {0};
    assert_ok(crm_model_from_system(&def, &model, &error), &error);
    return model;
}

typedef struct law_options {
    const char *law, *option, *choice;
} law_options;

static crm_outcome *solve_in(units u, const system_data *data, const law_options *options)
{
    double v[BALLS] = {1, 0.5, 0.2, 0};
    for (size_t i = 0; i < BALLS; i++) {
        v[i] *= power_of_two(u.length - u.time);
    }
    crm_model *model = model_in(u, data);
    crm_settings *settings = law_settings(crm_law_find(options->law));
    crm_outcome *outcome = NULL;
    crm_error error = {0};
    if (options->option != NULL) {
        assert_ok(crm_settings_set_text(settings, options->option, options->choice, &error),
                  &error);
    }
    assert_ok(crm_solve(model, v, settings, NULL, &outcome, &error), &error);
    crm_settings_free(settings);
    crm_model_free(model);
    return outcome;
}

/* Powers of the stiffness are rounded, and integrators go on from there. */
static const double SAME = 1e-7;

static void assert_same_outcome(const crm_outcome *a, const crm_outcome *b, units u)
{
    double speed = power_of_two(u.length - u.time);
    double energy = power_of_two(u.mass) * speed * speed;
    double impulse = power_of_two(u.mass) * speed / power_of_two(u.gap);
    assert_int_equal(a->result, b->result);
    assert_int_equal(a->kinematic, b->kinematic);
    assert_int_equal(a->kinetic, b->kinetic);
    assert_int_equal(a->energetic, b->energetic);
    assert_int_equal(a->unique, b->unique);
    for (size_t i = 0; i < BALLS; i++) {
        assert_near(b->velocity[i] / speed, a->velocity[i], SAME);
    }
    for (size_t j = 0; j < CONTACTS; j++) {
        assert_near(b->impulse[j] / impulse, a->impulse[j], SAME);
        assert_near(b->loss[j] / energy, a->loss[j], SAME);
    }
    assert_near(b->energy_before / energy, a->energy_before, SAME);
    assert_near(b->energy_after / energy, a->energy_after, SAME);
    assert_int_equal(isnan(a->error_estimate), isnan(b->error_estimate));
}

/* Beside every law as it is. */
static const law_options variants[] = {{"lzb", "stiffness_model", "mono"},
                                       {"lzb", "scheme", "impulse-euler"},
                                       {"lzb", "scheme", "time-euler"},
                                       {"binary", "order", "all"},
                                       {"impulse-ratio", "from", "compliant"}};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

/* The corners of the ranges: 2^196 is 1e59, 2^132 is 4e39, 2^98 is 3e29. */
static const units corners[] = {
    {196, 0, 0, 0},     {-196, 0, 0, 0},     {0, 0, -132, 0},     {0, 0, 132, 0},
    {0, 0, 0, 98},      {0, 0, 0, -98},      {196, 0, -132, 98},  {-196, 0, 132, -98},
    {196, 0, 132, -98}, {-196, 0, -132, 98}, {0, 100, 100, 0},    {0, -100, -100, 0},
    {60, 60, 20, -20},  {-60, 40, -40, 60},  {196, 100, 100, 60}, {-196, -100, -100, -60},
};

static void a_change_of_units_changes_nothing_else(void **state)
{
    (void)state;
    static const system_data data[] = {{false, 1.5, 0.8}, {true, 1, 1}};
    for (size_t k = 0; k < VARIANTS + crm_law_count(); k++) {
        law_options law =
            k < VARIANTS ? variants[k] : (law_options){.law = crm_law_at(k - VARIANTS)->name};
        for (size_t d = 0; d < 2; d++) {
            crm_outcome *here = solve_in((units){0}, &data[d], &law);
            for (size_t c = 0; c < sizeof corners / sizeof corners[0]; c++) {
                crm_outcome *there = solve_in(corners[c], &data[d], &law);
                assert_same_outcome(here, there, corners[c]);
                crm_outcome_free(there);
            }
            crm_outcome_free(here);
        }
    }
}

/* ---- Refusals ------------------------------------------------------------------------------- */

static void assert_refused(crm_status status, const crm_error *error, const char *place,
                           const char *words)
{
    assert_int_not_equal(status, CRM_OK);
    assert_string_equal(error->place, place);
    if (strstr(error->message, words) == NULL) {
        fail_msg("'%s' does not say '%s'", error->message, words);
    }
}

/* Two coordinates and a contact, one number of which is `value`. */
static void systems_with_numbers_out_of_range_are_refused(void **state)
{
    (void)state;
    enum { MASS, W, STIFFNESS, EXPONENT, RESTITUTION, ENERGY, BOUNDARY, FIELDS };
    static const struct {
        int field;
        double value;
        const char *place, *words;
    } cases[] = {
        {MASS, 1e-61, "mass[1]", "mass is 1e-61, must be a positive number (from 1e-60 to 1e60)"},
        {MASS, 1e61, "mass[1]", "from 1e-60 to 1e60"},
        {MASS, 5e-324, "mass[1]", "from 1e-60 to 1e60"},
        {W, 1e-31, "contacts[1].w", "the largest entry of w is 1e-31 in size"},
        {W, 1e31, "contacts[1].w[1]", "w is 1e+31, must be a finite number (at most 1e30 in size"},
        {W, 1e-320, "contacts[1].w", "must be from 1e-30"},
        {STIFFNESS, 1e-151, "contacts[1].stiffness", "from 1e-150 to 1e150"},
        {STIFFNESS, 1e151, "contacts[1].stiffness", "from 1e-150 to 1e150"},
        {EXPONENT, 1e-5, "contacts[1].exponent", "from 1e-4 to 100"},
        {EXPONENT, 1e5, "contacts[1].exponent", "from 1e-4 to 100"},
        {RESTITUTION, 1e-100, "contacts[1].restitution", "between 0 and 1 (0, or from 1e-14 on)"},
        {RESTITUTION, NAN, "contacts[1].restitution", "between 0 and 1 (0, or from 1e-14 on)"},
        {ENERGY, 1e-141, "contacts[1].energy", "0 or positive (from 1e-140 to 1e140)"},
        {ENERGY, INFINITY, "contacts[1].energy", "0 or positive (from 1e-140 to 1e140)"},
        {BOUNDARY, -1e71, "contacts[1].boundary_velocity", "at most 1e70 in size"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double one[FIELDS] = {1, 1, 1, 1.5, 1, 0, 0};
        one[cases[i].field] = cases[i].value;
        double mass[] = {one[MASS], 1}, w[] = {one[W], 0};
        crm_system_def def = crm_system_def_default();
        def.coordinates = 2;
        def.contacts = 1;
        def.mass_diagonal = mass;
        def.w_dense = w;
        def.stiffness = &one[STIFFNESS];
        def.exponent = &one[EXPONENT];
        def.restitution = &one[RESTITUTION];
        def.stored_energy = &one[ENERGY];
        def.boundary_velocity = &one[BOUNDARY];
        crm_model *model = NULL;
        crm_error error = {0};
        crm_status status = crm_model_from_system(&def, &model, &error);
        assert_refused(status, &error, cases[i].place, cases[i].words);
        assert_null(model);
    }
}

static void full_masses_out_of_range_are_refused(void **state)
{
    (void)state;
    double mass[] = {1, 0, 0, 1e-200}, w[] = {1, 1};
    crm_system_def def = crm_system_def_default();
    def.coordinates = 2;
    def.contacts = 1;
    def.mass_dense = mass;
    def.w_dense = w;
    crm_model *model = NULL;
    crm_error error = {0};
    crm_status status = crm_model_from_system(&def, &model, &error);
    assert_refused(status, &error, "mass[2][2]", "from 1e-60 to 1e60");
}

static crm_model *three_balls(double mass, double stiffness)
{
    crm_chain_def def = crm_chain_def_default();
    def.count = 3;
    def.mass.all = mass;
    def.stiffness.all = stiffness;
    crm_model *model = NULL;
    crm_error error = {0};
    assert_ok(crm_model_from_chain(&def, &model, &error), &error);
    return model;
}

static void velocities_out_of_range_are_refused_by_every_law(void **state)
{
    (void)state;
    static const struct {
        double speed;
        const char *words;
    } cases[] = {{1e160, "velocity is 1e+160, must be a finite number (at most 1e40 in size"},
                 {1e200, "at most 1e40 in size"},
                 {NAN, "at most 1e40 in size"},
                 {1e-41, "the largest velocity is 1e-41, must be 0, or from 1e-40 to 1e40 in size"},
                 {5e-324, "must be 0, or from 1e-40 to 1e40 in size"}};
    crm_model *model = three_balls(1, 1);
    for (size_t k = 0; k < crm_law_count(); k++) {
        crm_settings *settings = NULL;
        assert_ok(crm_settings_create(crm_law_at(k), &settings, NULL), NULL);
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            double v[] = {0, cases[i].speed, 0};
            crm_outcome *outcome = NULL;
            crm_error error = {0};
            crm_status status = crm_solve(model, v, settings, NULL, &outcome, &error);
            assert_refused(status, &error, "velocity[2]", cases[i].words);
            assert_null(outcome);
        }
        crm_settings_free(settings);
    }
    crm_model_free(model);
}

/* Small beside the others is no matter. */
static void tiny_velocities_among_others_are_as_good_as_none(void **state)
{
    (void)state;
    crm_model *model = three_balls(1, 1);
    crm_settings *settings = NULL;
    assert_ok(crm_settings_create(crm_law_find("lzb"), &settings, NULL), NULL);
    double none[] = {1, 0, 0}, tiny[] = {1, -1e-300, 5e-324};
    crm_outcome *a = NULL, *b = NULL;
    crm_error error = {0};
    assert_ok(crm_solve(model, none, settings, NULL, &a, &error), &error);
    assert_ok(crm_solve(model, tiny, settings, NULL, &b, &error), &error);
    for (size_t i = 0; i < 3; i++) {
        assert_near(a->velocity[i], b->velocity[i], SAME);
    }
    crm_outcome_free(a);
    crm_outcome_free(b);
    crm_settings_free(settings);
    crm_model_free(model);
}

static void energies_beyond_all_stiffness_are_refused(void **state)
{
    (void)state;
    crm_model *model = three_balls(1e60, 1e-100);
    crm_settings *settings = NULL;
    assert_ok(crm_settings_create(crm_law_find("lzb"), &settings, NULL), NULL);
    double v[] = {1e30, 0, 0};
    crm_outcome *outcome = NULL;
    crm_error error = {0};
    crm_status status = crm_solve(model, v, settings, NULL, &outcome, &error);
    assert_refused(status, &error, "contacts[1].stiffness", "must be from 1e-150 to 1e+150");
    crm_settings_free(settings);
    crm_model_free(model);
}

/* In lanes or not: the system is named, the others are solved. */
static void a_batch_refuses_the_system_that_is_out_of_range(void **state)
{
    (void)state;
    enum { SYSTEMS = 40 };
    crm_model *model = three_balls(1, 1);
    crm_settings *settings = NULL;
    assert_ok(crm_settings_create(crm_law_find("lzb"), &settings, NULL), NULL);
    double v[3 * SYSTEMS] = {0};
    for (size_t i = 0; i < SYSTEMS; i++) {
        v[3 * i] = i == 17 ? 1e160 : 1 + 0.01 * (double)i;
    }
    for (int lanes = 0; lanes < 2; lanes++) {
        double after[3 * SYSTEMS];
        crm_batch_item items[SYSTEMS];
        crm_batch_def def = {.count = SYSTEMS,
                             .model = model,
                             .velocities = v,
                             .settings = settings,
                             .threads = 1,
                             .in_lanes = lanes != 0};
        crm_batch_results results = {.velocities = after, .items = items};
        crm_error error = {0};
        crm_status status = crm_solve_batch(&def, &results, &error);
        assert_refused(status, &error, "systems[18].velocity[1]", "at most 1e40 in size");
        for (size_t i = 0; i < SYSTEMS; i++) {
            assert_int_equal(items[i].status == CRM_OK, i != 17);
            assert_int_equal(isnan(after[3 * i]), i == 17);
        }
    }
    crm_settings_free(settings);
    crm_model_free(model);
}

/* An option of a law may still lead beyond all numbers: that is no answer. */
static void a_law_that_overflows_has_no_answer(void **state)
{
    (void)state;
    crm_model *model = three_balls(1, 1);
    crm_settings *settings = NULL;
    double matrix[] = {1e300, 0, 0, 1e300}, v[] = {1e40, 0, 0};
    crm_outcome *outcome = NULL;
    crm_error error = {0};
    assert_ok(crm_settings_create(crm_law_find("generalized-newton"), &settings, &error), &error);
    assert_ok(crm_settings_set_list(settings, "restitution_matrix", 4, matrix, &error), &error);
    assert_ok(crm_solve(model, v, settings, NULL, &outcome, &error), &error);
    assert_int_equal(outcome->result, CRM_FAILED);
    assert_true(outcome->reason[0] != '\0');
    for (size_t i = 0; i < 3; i++) {
        assert_true(outcome->velocity[i] == v[i]);
    }
    crm_outcome_free(outcome);
    crm_settings_free(settings);
    crm_model_free(model);
}

/* ---- Geometry ------------------------------------------------------------------------------- */

static void bodies_out_of_range_are_refused(void **state)
{
    (void)state;
    enum { RADIUS, POSITION, POINT, NORMAL, SPEED, FIELDS };
    static const struct {
        int field;
        double value;
        const char *place, *words;
    } cases[] = {
        {RADIUS, 1e-200, "bodies[1].radius", "from 1e-30 to 1e30"},
        {RADIUS, 1e200, "bodies[1].radius", "from 1e-30 to 1e30"},
        {POSITION, 1e160, "bodies[1].position[2]",
         "position is 1e+160, must be a finite number (at most 1e30"},
        {POINT, -1e160, "walls[1].point[2]", "at most 1e30 in size"},
        {NORMAL, 1e160, "walls[1].normal[2]", "at most 1e30 in size"},
        {NORMAL, 1e-170, "walls[1].normal", "a length from 1e-30 to 1e30"},
        {SPEED, 1e160, "walls[1].velocity[2]", "at most 1e40 in size"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double one[FIELDS] = {1, 1, 0, 1, 0};
        one[cases[i].field] = cases[i].value;
        crm_body_def ball = crm_body_def_default();
        ball.radius = one[RADIUS];
        ball.mass = 1;
        ball.position[1] = one[POSITION];
        crm_wall_def floor = crm_wall_def_default();
        floor.point[1] = one[POINT];
        floor.normal[1] = one[NORMAL];
        floor.velocity[1] = one[SPEED];
        crm_bodies_def def = crm_bodies_def_default();
        def.dimension = 2;
        def.body_count = 1;
        def.bodies = &ball;
        def.wall_count = 1;
        def.walls = &floor;
        crm_model *model = NULL;
        crm_error error = {0};
        crm_status status = crm_model_from_bodies(&def, &model, &error);
        assert_refused(status, &error, cases[i].place, cases[i].words);
    }
}

static void materials_out_of_range_are_refused(void **state)
{
    (void)state;
    static const struct {
        crm_material material;
        const char *words;
    } cases[] = {
        {{203e9, NAN, 7780}, "poisson is nan, must be above -1 and at most 0.5"},
        {{203e9, 2, 7780}, "poisson is 2"},
        {{-1, 0.3, 7780}, "young is -1"},
        {{NAN, 0.3, 7780}, "young is nan"},
        {{203e9, 0.3, -7780}, "density is -7780"},
        {{203e9, 0.3, INFINITY}, "density is inf"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        crm_chain_def def = crm_chain_def_default();
        def.count = 2;
        def.radius.all = 0.01;
        def.material = &cases[i].material;
        crm_model *model = NULL;
        crm_error error = {0};
        crm_status status = crm_model_from_chain(&def, &model, &error);
        assert_refused(status, &error, "material", cases[i].words);
    }
}

/* ---- Enumerations --------------------------------------------------------------------------- */

static void enumerations_out_of_range_are_refused(void **state)
{
    (void)state;
    static const int values[] = {3, 4, 5, 7, -1, 1 << 30};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        crm_model *model = NULL;
        crm_error error = {0};
        crm_packing_def packing = crm_packing_def_default();
        packing.columns = packing.rows = 3;
        packing.walls = (crm_packing_walls)values[i];
        crm_status status = crm_model_from_packing(&packing, &model, &error);
        assert_refused(status, &error, "walls", "which is none of the 3 there are");
        packing.walls = CRM_PACKING_OPEN;
        if (values[i] != 3 && values[i] != 4) {
            packing.lattice = (crm_lattice)values[i];
            status = crm_model_from_packing(&packing, &model, &error);
            assert_refused(status, &error, "lattice", "which is none of the 5 there are");
            assert_int_equal(crm_packing_balls(&packing), 0);
            assert_int_equal(crm_packing_contacts(&packing), 0);
        }
        crm_chain_def chain = crm_chain_def_default();
        chain.count = 3;
        chain.wall_side = (crm_wall_side)values[i];
        status = crm_model_from_chain(&chain, &model, &error);
        assert_refused(status, &error, "wall_side", "which is none of the 3 there are");
        crm_body_def ball = crm_body_def_default();
        ball.radius = ball.mass = 1;
        ball.shape = (crm_shape)(values[i] < 0 ? values[i] : values[i] + 2);
        crm_bodies_def bodies = crm_bodies_def_default();
        bodies.dimension = 2;
        bodies.body_count = 1;
        bodies.bodies = &ball;
        status = crm_model_from_bodies(&bodies, &model, &error);
        assert_refused(status, &error, "bodies[1].shape", "which is none of the 5 there are");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_change_of_units_changes_nothing_else),
        cmocka_unit_test(systems_with_numbers_out_of_range_are_refused),
        cmocka_unit_test(full_masses_out_of_range_are_refused),
        cmocka_unit_test(velocities_out_of_range_are_refused_by_every_law),
        cmocka_unit_test(tiny_velocities_among_others_are_as_good_as_none),
        cmocka_unit_test(energies_beyond_all_stiffness_are_refused),
        cmocka_unit_test(a_batch_refuses_the_system_that_is_out_of_range),
        cmocka_unit_test(a_law_that_overflows_has_no_answer),
        cmocka_unit_test(bodies_out_of_range_are_refused),
        cmocka_unit_test(materials_out_of_range_are_refused),
        cmocka_unit_test(enumerations_out_of_range_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
