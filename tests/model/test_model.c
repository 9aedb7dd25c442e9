/* The model: M, W and D against hand computation; contacts found from geometry; stiffnesses.
 * (What the builders refuse: test_model_refusals.c.)
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "support.h"

static const double PI = 3.141592653589793238;
static const double ROUNDING = 1e-13;

static crm_model *bodies_of(const crm_bodies_def *def)
{
    crm_model *model = NULL;
    crm_error error = {0};
    assert_ok(crm_model_from_bodies(def, &model, &error), &error);
    return model;
}

static size_t rank_of(const crm_model *model)
{
    size_t rank = 0;
    crm_error error = {0};
    assert_ok(crm_model_rank(model, &rank, &error), &error);
    return rank;
}

/* ---- Chains ---------------------------------------------------------------------------------- */

static void chain_has_the_tridiagonal_delassus_matrix(void **state)
{
    (void)state;
    const double mass[] = {1, 2, 4, 8}, velocity[] = {3, 2, 1, -1};
    crm_chain_def def = crm_chain_def_default();
    def.count = 4;
    def.mass.each = mass;
    crm_model *model = chain_model(&def);
    assert_int_equal(crm_model_coordinates(model), 4);
    assert_int_equal(crm_model_contacts(model), 3);
    assert_int_equal(crm_model_bodies(model), 4);
    assert_true(crm_model_has_delassus(model));
    const double want[3][3] = {{1.5, -0.5, 0}, {-0.5, 0.75, -0.25}, {0, -0.25, 0.375}};
    for (size_t i = 0; i < 3; i++) {
        for (size_t j = 0; j < 3; j++) {
            assert_near(crm_model_delassus(model, i, j), want[i][j], ROUNDING);
        }
        size_t count;
        const uint32_t *column;
        const double *value;
        crm_model_delassus_row(model, i, &count, &column, &value);
        assert_true(count >= 2 && count <= 3);
        for (size_t k = 0; k < count; k++) {
            assert_true(k == 0 || column[k] > column[k - 1]);
            assert_near(value[k], want[i][column[k]], ROUNDING);
        }
    }
    double u[3];
    const double gap[] = {-1, -1, -2};
    crm_model_gap_velocity(model, velocity, u);
    assert_all_near(u, gap, 3, ROUNDING);
    assert_near(crm_model_kinetic_energy(model, velocity), 0.5 * (9 + 8 + 4 + 8), ROUNDING);
    assert_near(crm_model_body_energy(model, 1, velocity), 4.0, ROUNDING);
    const double *exponent = crm_model_exponent(model), *e = crm_model_restitution(model);
    for (size_t j = 0; j < 3; j++) {
        assert_true(crm_model_stiffness(model)[j] == 1.0 && exponent[j] == 1.5 && e[j] == 1.0);
        assert_true(crm_model_stored_energy(model)[j] == 0.0);
        assert_true(crm_model_boundary_velocity(model)[j] == 0.0);
    }
    crm_model_free(model);
}

static void impulses_change_velocities_by_inverse_mass_times_w(void **state)
{
    (void)state;
    rng r = rng_seeded(61);
    for (int i = 0; i < 60; i++) {
        random_choice choice = random_choice_default();
        choice.most_contacts = 8;
        small_system system = random_lagrangian(&r, choice);
        crm_model *model = small_system_model(&system);
        double p[SMALL], v[SMALL], u[SMALL], out[SMALL], after[SMALL];
        crm_error error = {0};
        memcpy(v, system.velocity, sizeof v);
        for (size_t j = 0; j < system.s; j++) {
            p[j] = rng_normal(&r);
        }
        assert_ok(crm_model_apply_impulse(model, p, v, &error), &error);
        for (size_t a = 0; a < system.n; a++) { /* M (v+ - v-) = W p */
            double sum = 0.0;
            for (size_t b = 0; b < system.n; b++) {
                sum += system.mass[a * system.n + b] * (v[b] - system.velocity[b]);
            }
            for (size_t j = 0; j < system.s; j++) {
                sum -= system.w[j * system.n + a] * p[j];
            }
            assert_near(sum, 0.0, 1e-10);
        }
        assert_ok(crm_model_delassus_apply(model, p, out, &error), &error); /* u+ - u- = D p */
        small_system_gap_velocity(&system, system.velocity, u);
        small_system_gap_velocity(&system, v, after);
        for (size_t j = 0; j < system.s; j++) {
            assert_near(out[j], after[j] - u[j], 1e-9);
            for (size_t k = 0; k < system.s && crm_model_has_delassus(model); k++) {
                assert_near(crm_model_delassus(model, j, k), crm_model_delassus(model, k, j),
                            1e-10);
            }
        }
        assert_near(crm_model_kinetic_energy(model, v), small_system_energy(&system, v), 1e-10);
        assert_int_equal(rank_of(model), system.s < system.n ? system.s : system.n);
        crm_model_free(model);
    }
}

static void the_three_ways_to_give_m_and_w_agree(void **state)
{
    (void)state;
    const double diagonal[] = {1, 2, 3}, dense[] = {1, 0, 0, 0, 2, 0, 0, 0, 3};
    const size_t mass_start[] = {0, 1, 2, 3}, w_start[] = {0, 2, 4};
    const uint32_t mass_row[] = {0, 1, 2}, w_row[] = {1, 0, 1, 2}; /* rows in any order */
    const double w_value[] = {1, -1, -1, 1}, w_dense[] = {-1, 1, 0, 0, -1, 1};
    const crm_sparse_view mass_sparse = {mass_start, mass_row, diagonal};
    const crm_sparse_view w_sparse = {w_start, w_row, w_value};
    for (int i = 0; i < 6; i++) {
        crm_system_def def = crm_system_def_default();
        def.coordinates = 3;
        def.contacts = 2;
        def.mass_diagonal = i % 3 == 0 ? diagonal : NULL;
        def.mass_dense = i % 3 == 1 ? dense : NULL;
        def.mass_sparse = i % 3 == 2 ? &mass_sparse : NULL;
        def.w_dense = i < 3 ? w_dense : NULL;
        def.w_sparse = i < 3 ? NULL : &w_sparse;
        crm_model *model = NULL;
        crm_error error = {0};
        assert_ok(crm_model_from_system(&def, &model, &error), &error);
        double p[] = {1, 2}, out[2], v[] = {0, 0, 0};
        const double want[] = {1.5 - 2 * 0.5, -0.5 + 2 * (0.5 + 1.0 / 3)};
        const double moved[] = {-1, -0.5, 2.0 / 3};
        assert_ok(crm_model_delassus_apply(model, p, out, &error), &error);
        assert_all_near(out, want, 2, ROUNDING);
        assert_ok(crm_model_apply_impulse(model, p, v, &error), &error);
        assert_all_near(v, moved, 3, ROUNDING);
        char name[64];
        crm_model_body_name(model, 0, name, sizeof name);
        assert_true(name[0] != '\0');
        crm_model_free(model);
    }
}

static void names_are_counted_from_one_and_cut_to_size(void **state)
{
    (void)state;
    crm_chain_def def = crm_chain_def_default();
    def.count = 12;
    def.wall_side = CRM_WALL_RIGHT;
    crm_model *model = chain_model(&def);
    char text[32];
    crm_model_body_name(model, 0, text, sizeof text);
    assert_string_equal(text, "ball 1");
    crm_model_body_name(model, 11, text, sizeof text);
    assert_string_equal(text, "ball 12");
    crm_model_party_name(model, 3, 0, text, sizeof text);
    assert_string_equal(text, "ball 4");
    crm_model_party_name(model, 3, 1, text, sizeof text);
    assert_string_equal(text, "ball 5");
    crm_model_party_name(model, 11, 1, text, sizeof text);
    assert_non_null(strstr(text, "wall"));
    crm_model_body_name(model, 11, text, 5);
    assert_string_equal(text, "ball");
    crm_model_free(model);
}

static void walls_bound_a_chain_on_either_side(void **state)
{
    (void)state;
    const double velocity[] = {2, 3};
    for (int side = 0; side < 2; side++) {
        crm_chain_def def = crm_chain_def_default();
        def.count = 2;
        def.stiffness.all = 7.0;
        def.restitution.all = 0.5;
        def.wall_side = side ? CRM_WALL_RIGHT : CRM_WALL_LEFT;
        def.wall.exponent = 1.0;
        def.wall_velocity = 0.25;
        crm_model *model = chain_model(&def);
        assert_int_equal(crm_model_contacts(model), 2);
        assert_int_equal(crm_model_bodies(model), 2);
        double u[2];
        crm_model_gap_velocity(model, velocity, u);
        /* gap to the wall: x_w - x_2 on the right, x_1 - x_w on the left */
        const double want[] = {1.0, side ? 0.25 - 3.0 : 2.0 - 0.25};
        assert_all_near(u, want, 2, ROUNDING);
        assert_true(crm_model_stiffness(model)[1] == 7.0); /* falls back to that of all contacts */
        assert_true(crm_model_restitution(model)[1] == 0.5);
        assert_true(crm_model_exponent(model)[1] == 1.0 && crm_model_exponent(model)[0] == 1.5);
        assert_near(crm_model_delassus(model, 1, 1), 1.0, ROUNDING);
        assert_near(crm_model_delassus(model, 0, 1), -1.0, ROUNDING);
        crm_model_free(model);
    }
}

/* ---- Kinetic angles and rank ----------------------------------------------------------------- */

static void kinetic_angles(void **state)
{
    (void)state;
    crm_chain_def def = crm_chain_def_default();
    def.count = 4;
    crm_model *model = chain_model(&def);
    assert_near(crm_model_kinetic_angle(model, 0, 1), 2.0 * PI / 3.0,
                ROUNDING); /* theory, section 1.2 */
    assert_near(crm_model_kinetic_angle(model, 0, 2), PI / 2.0, ROUNDING);
    assert_near(crm_model_kinetic_angle(model, 1, 1), 0.0, 1e-7);
    crm_model_free(model);
    for (int k = 1; k < 9; k++) { /* Bernoulli: D12/D11 = cos(2 angle)/2 */
        double angle = PI / 6.0 + 0.1 * k, c = cos(angle), s = sin(angle);
        const crm_body_def balls[] = {ball_at(0.5, 1, c, s, 0), ball_at(0.5, 1, 0, 0, 0),
                                      ball_at(0.5, 1, c, -s, 0)};
        crm_bodies_def bodies = bodies_def(2, balls, 3);
        model = bodies_of(&bodies);
        assert_int_equal(crm_model_contacts(model), 2);
        assert_near(crm_model_kinetic_angle(model, 0, 1), acos(0.5 * cos(2.0 * angle)), 1e-12);
        crm_model_free(model);
    }
}

/* Seven discs: 12 contacts, 14 coordinates, 3 rigid motions: rank 11. Three: independent. */
static void rank_of_a_hexagon(void **state)
{
    (void)state;
    crm_body_def discs[7] = {ball_at(0.5, 1, 0, 0, 0)};
    for (int k = 0; k < 6; k++) {
        discs[k + 1] = ball_at(0.5, 1, cos(k * PI / 3), sin(k * PI / 3), 0);
    }
    crm_bodies_def def = bodies_def(2, discs, 7);
    crm_model *model = bodies_of(&def);
    assert_int_equal(crm_model_contacts(model), 12);
    assert_int_equal(rank_of(model), 11);
    crm_model_free(model);
    def.body_count = 3;
    model = bodies_of(&def);
    assert_int_equal(crm_model_contacts(model), 3);
    assert_int_equal(rank_of(model), 3);
    crm_model_free(model);
    crm_chain_def chain = crm_chain_def_default();
    chain.count = 1000;
    model = chain_model(&chain);
    assert_int_equal(rank_of(model), 999);
    crm_model_free(model);
}

/* ---- Stiffnesses ----------------------------------------------------------------------------- */

static void hertz_stiffnesses(void **state)
{
    (void)state;
    const crm_material steel = {.young = 21.6e10, .poisson = 0.276};
    /* P0 section 9 prints 6.9716e9 and 9.858e9 */
    assert_near(crm_hertz_stiffness(steel, 4e-3, steel, 4e-3) / 6.9716e9, 1.0, 2e-4);
    assert_near(crm_hertz_stiffness(steel, 4e-3, steel, INFINITY) / 9.858e9, 1.0, 2e-4);
    double e_star = 21.6e10 / (2.0 * (1.0 - 0.276 * 0.276));
    assert_near(crm_hertz_stiffness(steel, 4e-3, steel, 4e-3) / (4.0 / 3.0 * sqrt(2e-3) * e_star),
                1.0, ROUNDING);
    const crm_material soft = {.young = 3e9, .poisson = 0.4};
    double mixed = 1.0 / ((1 - 0.276 * 0.276) / 21.6e10 + (1 - 0.16) / 3e9);
    double want = 4.0 / 3.0 * sqrt(1.0 / (1 / 2e-3 + 1 / 5e-3)) * mixed;
    assert_near(crm_hertz_stiffness(steel, 2e-3, soft, 5e-3) / want, 1.0, ROUNDING);
    assert_near(crm_hertz_stiffness(soft, 5e-3, steel, 2e-3) / want, 1.0, ROUNDING);
    /* tau = 2.94 (5m/4K)^(2/5) v^(-1/5), there and back */
    double stiffness = 9.858e9, mass = 2.05e-3, speed = 0.316;
    double tau = 2.94 * pow(5.0 * mass / (4.0 * stiffness), 0.4) * pow(speed, -0.2);
    assert_near(crm_hertz_stiffness_from_duration(mass, tau, speed) / stiffness, 1.0, 1e-12);
    assert_near(crm_pressurised_stiffness(1e5, 0.1), 2e4 * PI, 1e-8);
    assert_near(crm_series_stiffness(3.0, 6.0), 2.0, ROUNDING);
}

static void material_gives_chain_masses_and_stiffnesses(void **state)
{
    (void)state;
    const crm_material steel = {.young = 203e9, .poisson = 0.3, .density = 7780};
    crm_chain_def def = crm_chain_def_default();
    def.count = 3;
    def.radius.all = 0.01;
    def.material = &steel;
    def.wall_side = CRM_WALL_RIGHT;
    crm_model *model = chain_model(&def);
    double mass = 4.0 / 3.0 * PI * 1e-6 * 7780, v[] = {1, 0, 0};
    assert_near(crm_model_kinetic_energy(model, v) / (0.5 * mass), 1.0, 1e-12);
    assert_near(crm_model_stiffness(model)[0], crm_hertz_stiffness(steel, .01, steel, .01), 1.0);
    assert_near(crm_model_stiffness(model)[2], crm_hertz_stiffness(steel, .01, steel, INFINITY),
                1.0);
    crm_model_free(model);
}

/* ---- Contacts from geometry ------------------------------------------------------------------ */

static void contacts_are_found_in_order_with_unit_normals(void **state)
{
    (void)state;
    const crm_body_def balls[] = {ball_at(1, 1, 0, 0, 0), ball_at(1, 1, 2, 0, 0),
                                  ball_at(1, 1, 0, 2, 0), ball_at(1, 1, 20, 5, 0)};
    crm_wall_def floor = crm_wall_def_default();
    floor.point[1] = -1.0;
    floor.normal[1] = 5.0; /* any length */
    floor.velocity[1] = 0.125;
    floor.name = "floor";
    crm_bodies_def def = bodies_def(2, balls, 4);
    def.walls = &floor;
    def.wall_count = 1;
    crm_model *model = bodies_of(&def);
    assert_int_equal(crm_model_contacts(model), 4); /* (1,2) (1,3) (1,floor) (2,floor) */
    const double velocity[] = {1, 2, 4, 8, 16, 32, 0, 0};
    const double want[] = {4 - 1, 32 - 2, 2 - 0.125, 8 - 0.125};
    double u[4];
    crm_model_gap_velocity(model, velocity, u);
    assert_all_near(u, want, 4, ROUNDING);
    char text[32];
    crm_model_party_name(model, 2, 1, text, sizeof text);
    assert_string_equal(text, "floor");
    crm_model_party_name(model, 0, 1, text, sizeof text);
    assert_string_equal(text, "body 2");
    assert_int_equal(crm_model_body_start(model, 2), 4);
    crm_model_free(model);
}

static void touching_is_within_the_tolerance(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        double gap = k ? 3e-9 : 1e-9; /* against 1e-9 (1 + 1) = 2e-9 */
        const crm_body_def balls[] = {ball_at(1, 1, 0, 0, 0), ball_at(1, 1, 2 + gap, 0, 0)};
        crm_bodies_def def = bodies_def(1, balls, 2);
        crm_model *model = bodies_of(&def);
        assert_int_equal(crm_model_contacts(model), k ? 0 : 1);
        crm_model_free(model);
        def.tolerance = 1e-6;
        model = bodies_of(&def);
        assert_int_equal(crm_model_contacts(model), 1);
        crm_model_free(model);
    }
}

static void space_has_three_coordinates_each(void **state)
{
    (void)state;
    double a = 1.0 / sqrt(2.0);
    const crm_body_def tetrahedron[] = {
        ball_at(a, 1, 0.5, 0.5, 0.5), ball_at(a, 1, 0.5, -0.5, -0.5),
        ball_at(a, 1, -0.5, 0.5, -0.5), ball_at(a, 1, -0.5, -0.5, 0.5)};
    crm_bodies_def def = bodies_def(3, tetrahedron, 4);
    crm_model *model = bodies_of(&def);
    assert_int_equal(crm_model_coordinates(model), 12);
    assert_int_equal(crm_model_contacts(model), 6);
    assert_int_equal(rank_of(model), 6);
    for (size_t j = 0; j < 6; j++) {
        assert_near(crm_model_delassus(model, j, j), 2.0, ROUNDING);
    }
    assert_near(crm_model_kinetic_angle(model, 0, 1), acos(0.25), 1e-12); /* edges at pi/3 */
    crm_model_free(model);
}

static void many_bodies_are_searched_quickly_and_completely(void **state)
{
    (void)state;
    enum { SIDE = 40 };
    crm_body_def *balls = calloc(SIDE * SIDE, sizeof *balls);
    assert_non_null(balls);
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            balls[y * SIDE + x] = ball_at(0.5, 1, x, y, 0);
        }
    }
    crm_bodies_def def = bodies_def(2, balls, SIDE * SIDE);
    crm_model *model = bodies_of(&def);
    assert_int_equal(crm_model_contacts(model), 2 * SIDE * (SIDE - 1));
    double v[2 * SIDE * SIDE] = {0}, u[2 * SIDE * (SIDE - 1)];
    v[2] = 1.0; /* ball 2 along x: contacts (1,2), (1,41), (2,3) come first */
    crm_model_gap_velocity(model, v, u);
    assert_near(u[0], 1.0, ROUNDING);
    assert_near(u[1], 0.0, ROUNDING);
    assert_near(u[2], -1.0, ROUNDING);
    crm_model_free(model);
    free(balls);
}

static void pairs_override_defaults_and_materials(void **state)
{
    (void)state;
    const crm_material steel = {.young = 200e9, .poisson = 0.3};
    crm_body_def balls[] = {ball_at(1, 1, 0, 0, 0), ball_at(1, 1, 2, 0, 0), ball_at(1, 1, 4, 0, 0)};
    for (int i = 0; i < 3; i++) {
        balls[i].material = &steel;
    }
    crm_wall_def end = crm_wall_def_default();
    end.point[0] = 5.0;
    end.normal[0] = -1.0;
    crm_contact_def soft = crm_contact_def_default(), wall = crm_contact_def_default();
    soft.restitution = 0.25;
    soft.stored_energy = 3.0;
    wall.stiffness = 11.0;
    const crm_pair_def pairs[] = {{1, 0, soft}, {2, 3, wall}}; /* wall is 3 + 0 */
    crm_bodies_def def = bodies_def(1, balls, 3);
    def.walls = &end;
    def.wall_count = 1;
    def.pairs = pairs;
    def.pair_count = 2;
    def.contact.restitution = 0.75;
    crm_model *model = bodies_of(&def);
    assert_int_equal(crm_model_contacts(model), 3);
    const double *k = crm_model_stiffness(model), *e = crm_model_restitution(model);
    double hertz = crm_hertz_stiffness(steel, 1, steel, 1);
    assert_near(k[0] / hertz, 1.0, ROUNDING);
    assert_near(k[1] / hertz, 1.0, ROUNDING);
    assert_true(k[2] == 11.0 && e[0] == 0.25 && e[1] == 0.75 && e[2] == 0.75);
    assert_true(crm_model_stored_energy(model)[0] == 3.0);
    assert_true(crm_model_exponent(model)[0] == 1.5);
    crm_model_free(model);
}

static void a_model_may_have_no_contact(void **state)
{
    (void)state;
    crm_chain_def def = crm_chain_def_default();
    def.count = 1;
    crm_model *model = chain_model(&def);
    assert_int_equal(crm_model_contacts(model), 0);
    assert_int_equal(rank_of(model), 0);
    crm_model_free(model);
    crm_model_free(NULL);
}

/* ---- Size ------------------------------------------------------------------------------------ */

static double peak_megabytes(void)
{
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    return (double)usage.ru_maxrss / 1024.0;
}

/* Some thirty numbers a ball: M, W, D and five contact values. */
static void a_million_balls_fit(void **state)
{
    (void)state;
    double before = peak_megabytes();
    crm_chain_def def = crm_chain_def_default();
    def.count = 1000000;
    crm_model *model = chain_model(&def);
    assert_int_equal(crm_model_contacts(model), 999999);
    assert_near(crm_model_delassus(model, 500000, 500001), -1.0, ROUNDING);
    double taken = peak_megabytes() - before;
    crm_model_free(model);
    print_message("a million balls: %.0f MB\n", taken);
#if !defined(__SANITIZE_ADDRESS__)
    assert_true(taken < 300.0);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chain_has_the_tridiagonal_delassus_matrix),
        cmocka_unit_test(impulses_change_velocities_by_inverse_mass_times_w),
        cmocka_unit_test(the_three_ways_to_give_m_and_w_agree),
        cmocka_unit_test(names_are_counted_from_one_and_cut_to_size),
        cmocka_unit_test(walls_bound_a_chain_on_either_side),
        cmocka_unit_test(kinetic_angles),
        cmocka_unit_test(rank_of_a_hexagon),
        cmocka_unit_test(hertz_stiffnesses),
        cmocka_unit_test(material_gives_chain_masses_and_stiffnesses),
        cmocka_unit_test(contacts_are_found_in_order_with_unit_normals),
        cmocka_unit_test(touching_is_within_the_tolerance),
        cmocka_unit_test(space_has_three_coordinates_each),
        cmocka_unit_test(many_bodies_are_searched_quickly_and_completely),
        cmocka_unit_test(pairs_override_defaults_and_materials),
        cmocka_unit_test(a_model_may_have_no_contact),
        cmocka_unit_test(a_million_balls_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
