/* Packings: counted by formulas, held against the same balls found by geometry. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "packing_call.h"
#include "support.h"

/* Sums of a few products of numbers of size 1. */
static const double ROUNDING = 1e-13;

static const crm_material steel = {203e9, 0.3, 7780};
static const crm_material glass = {70e9, 0.2, 2500};

/* ---- The same balls as bodies ---------------------------------------------------------------- */

static bool is_staggered(crm_lattice lattice)
{
    return lattice == CRM_LATTICE_HEXAGONAL || lattice == CRM_LATTICE_FCC ||
           lattice == CRM_LATTICE_RACK;
}

/* The lowest row of a rack has as many balls as it has rows. */
static size_t columns_of(const crm_packing_def *def)
{
    return def->lattice == CRM_LATTICE_RACK ? def->rows : def->columns;
}

/* Centres by the textbook: rows sqrt(3) r apart in the plane, square layers sqrt(2) r in space. */
static size_t place_balls(const crm_packing_def *def, crm_body_def *bodies)
{
    bool plane = crm_lattice_dimension(def->lattice) == 2, staggered = is_staggered(def->lattice);
    size_t levels = plane ? def->rows : def->layers, count = 0;
    double r = def->radius, rise = !staggered ? 2 * r : plane ? sqrt(3) * r : sqrt(2) * r;
    for (size_t z = 0; z < levels; z++) {
        size_t less = def->lattice == CRM_LATTICE_RACK ? z : staggered && z % 2 == 1;
        for (size_t y = 0; y < (plane ? 1 : def->rows - less); y++) {
            for (size_t x = 0; x < columns_of(def) - less; x++, count++) {
                double *at = bodies[count].position;
                bodies[count] = crm_body_def_default();
                bodies[count].radius = r;
                bodies[count].material = def->material;
                bodies[count].mass = def->mass.each != NULL ? def->mass.each[count] : def->mass.all;
                at[0] = r * (1 + 2 * (double)x + (double)less);
                at[plane ? 1 : 2] = r + rise * (double)z;
                if (!plane) {
                    at[1] = r * (1 + 2 * (double)y + (double)less);
                }
            }
        }
    }
    return count;
}

static size_t place_walls(const crm_packing_def *def, crm_wall_def *walls)
{
    bool plane = crm_lattice_dimension(def->lattice) == 2;
    size_t count = def->walls == CRM_PACKING_OPEN    ? 0
                   : def->walls == CRM_PACKING_FLOOR ? 1
                                                     : (plane ? 3 : 5);
    const double sides[2] = {2 * def->radius * (double)columns_of(def),
                             2 * def->radius * (double)def->rows};
    for (size_t k = 0; k < count; k++) {
        walls[k] = crm_wall_def_default();
        walls[k].material = def->wall_material != NULL ? def->wall_material : def->material;
        if (k == 0) {
            walls[k].normal[plane ? 1 : 2] = 1;
        } else {
            size_t axis = (k - 1) / 2;
            walls[k].normal[axis] = k % 2 == 1 ? 1 : -1;
            walls[k].point[axis] = k % 2 == 1 ? 0 : sides[axis];
        }
    }
    return count;
}

enum { MOST = 400 };

/* `centre` is the projectile's, worked out by hand. */
static crm_model *model_by_geometry(const crm_packing_def *def, const double *centre)
{
    static crm_body_def bodies[MOST];
    crm_wall_def walls[5];
    crm_bodies_def all = crm_bodies_def_default();
    crm_model *model = NULL;
    crm_error error = {0};
    all.dimension = crm_lattice_dimension(def->lattice);
    all.body_count = place_balls(def, bodies);
    if (centre != NULL) {
        crm_body_def *last = &bodies[all.body_count++];
        const crm_projectile_def *p = def->projectile;
        *last = crm_body_def_default();
        last->radius = isnan(p->radius) ? def->radius : p->radius;
        last->material = p->material != NULL ? p->material : def->material;
        last->mass = p->mass;
        memcpy(last->position, centre, all.dimension * sizeof *centre);
    }
    all.bodies = bodies;
    all.wall_count = place_walls(def, walls);
    all.walls = walls;
    all.contact.restitution = def->restitution.all;
    assert_ok(crm_model_from_bodies(&all, &model, &error), &error);
    return model;
}

static size_t same_contact(const crm_model *a, size_t j, const crm_model *b)
{
    for (size_t k = 0; k < crm_model_contacts(b); k++) {
        if (crm_model_party(b, k, 0) == crm_model_party(a, j, 0) &&
            crm_model_party(b, k, 1) == crm_model_party(a, j, 1)) {
            return k;
        }
    }
    fail_msg("contact %zu (%zu, %zu) is not there by geometry", j, crm_model_party(a, j, 0),
             crm_model_party(a, j, 1));
    return 0;
}

/* W by what random velocities do, M by what random impulses do. */
static void check_motion(const crm_model *a, const crm_model *b, const size_t *to)
{
    size_t n = crm_model_coordinates(a), s = crm_model_contacts(a);
    double *v = calloc(3 * n, sizeof *v), *u = calloc(4 * s, sizeof *u);
    rng r = rng_seeded(7);
    for (size_t i = 0; i < n; i++) {
        v[i] = rng_normal(&r);
    }
    crm_model_gap_velocity(a, v, u);
    crm_model_gap_velocity(b, v, u + s);
    for (size_t j = 0; j < s; j++) {
        assert_near(u[j], u[s + to[j]], 1e-9); /* geometry holds positions to that */
        u[2 * s + j] = u[3 * s + to[j]] = rng_normal(&r);
    }
    assert_int_equal(crm_model_apply_impulse(a, u + 2 * s, v + n, NULL), CRM_OK);
    assert_int_equal(crm_model_apply_impulse(b, u + 3 * s, v + 2 * n, NULL), CRM_OK);
    assert_all_near(v + n, v + 2 * n, n, 1e-9 * largest_size(v + n, n));
    free(v);
    free(u);
}

static void check_same(const crm_packing_def *def, const double *centre)
{
    crm_model *a = packing_model(def), *b = model_by_geometry(def, centre);
    size_t s = crm_model_contacts(a), *to = calloc(s + 1, sizeof *to);
    assert_int_equal(crm_model_bodies(a), crm_model_bodies(b));
    assert_int_equal(crm_model_coordinates(a), crm_model_coordinates(b));
    assert_int_equal(s, crm_model_contacts(b));
    for (size_t j = 0; j < s; j++) {
        to[j] = same_contact(a, j, b);
        double k = crm_model_stiffness(b)[to[j]], d = crm_model_delassus(b, to[j], to[j]);
        assert_near(crm_model_stiffness(a)[j], k, ROUNDING * k);
        assert_near(crm_model_delassus(a, j, j), d, 1e-9 * d);
        assert_true(crm_model_exponent(a)[j] == crm_model_exponent(b)[to[j]]);
        assert_true(crm_model_restitution(a)[j] == crm_model_restitution(b)[to[j]]);
    }
    check_motion(a, b, to);
    free(to);
    crm_model_free(a);
    crm_model_free(b);
}

static void the_same_system_as_by_geometry(void **state)
{
    (void)state;
    static const crm_packing_walls walls[] = {CRM_PACKING_OPEN, CRM_PACKING_FLOOR, CRM_PACKING_BOX};
    static const size_t sizes[][3] = {{2, 2, 2}, {2, 3, 4}, {5, 4, 3}, {4, 6, 5}, {3, 2, 1}};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        for (int lattice = CRM_LATTICE_SQUARE; lattice <= CRM_LATTICE_RACK; lattice++) {
            for (size_t w = 0; w < 3; w++) {
                crm_packing_def def =
                    packing_of((crm_lattice)lattice, sizes[k][0], sizes[k][1], sizes[k][2]);
                def.radius = 0.02;
                def.material = &steel;
                def.wall_material = w == 2 ? &glass : NULL;
                def.walls = walls[w];
                def.restitution.all = 0.9;
                check_same(&def, NULL);
            }
        }
    }
}

/* One row, one column, one ball: no hollows are needed. */
static void thin_packings(void **state)
{
    (void)state;
    static const struct {
        crm_lattice lattice;
        size_t size[3];
    } cases[] = {{CRM_LATTICE_SQUARE, {1, 1, 0}},    {CRM_LATTICE_SQUARE, {1, 7, 0}},
                 {CRM_LATTICE_HEXAGONAL, {1, 1, 0}}, {CRM_LATTICE_HEXAGONAL, {6, 1, 0}},
                 {CRM_LATTICE_HEXAGONAL, {2, 5, 0}}, {CRM_LATTICE_CUBIC, {1, 1, 4}},
                 {CRM_LATTICE_CUBIC, {1, 5, 1}},     {CRM_LATTICE_FCC, {1, 3, 1}},
                 {CRM_LATTICE_FCC, {2, 2, 5}},       {CRM_LATTICE_RACK, {0, 1, 0}},
                 {CRM_LATTICE_RACK, {0, 2, 0}}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        crm_packing_def def =
            packing_of(cases[k].lattice, cases[k].size[0], cases[k].size[1], cases[k].size[2]);
        def.radius = 1;
        def.mass.all = 2;
        def.walls = CRM_PACKING_BOX;
        def.restitution.all = 1;
        check_same(&def, NULL);
    }
}

/* On the one ball on top of 15, and, larger, against a side of the box of a rack of two rows: the
 * box is 4 r wide, so that a projectile of 2 r fits exactly, and lies on the top ball alone.
 */
static void the_projectile_strikes_the_top_of_a_rack(void **state)
{
    (void)state;
    const double r = 0.02;
    crm_projectile_def p = crm_projectile_def_default();
    crm_packing_def def = packing_of(CRM_LATTICE_RACK, 0, 5, 0);
    def.radius = r;
    def.material = &steel;
    def.restitution.all = 0.9;
    def.projectile = &p;
    assert_int_equal(crm_packing_balls(&def), 15);
    assert_int_equal(crm_packing_contacts(&def), 30);
    check_same(&def, (double[]){5 * r, r + 4 * sqrt(3) * r + 2 * r});
    def.rows = 2;
    def.walls = CRM_PACKING_BOX;
    p.radius = 2 * r;
    check_same(&def, (double[]){2 * r, r + sqrt(3) * r + 3 * r});
}

/* On a ball; in a hollow, where its centre, two (or four) balls and the vertical make right-angled
 * triangles; to the side of a ball; and on the wall.
 */
static void the_projectile_lies_where_geometry_puts_it(void **state)
{
    (void)state;
    const double r = 0.02;
    crm_projectile_def p = crm_projectile_def_default();
    crm_packing_def def = packing_of(CRM_LATTICE_HEXAGONAL, 5, 3, 0);
    def.radius = r;
    def.material = &steel;
    def.restitution.all = 0.9;
    def.projectile = &p;
    def.walls = CRM_PACKING_BOX;
    const double top = r + 2 * sqrt(3) * r;
    check_same(&def, (double[]){5 * r, top + 2 * r});
    p.over[0] = 2.5;
    check_same(&def, (double[]){4 * r, top + sqrt(3) * r});
    p.over[0] = 1; /* straight above the first ball, and on the left wall like it */
    check_same(&def, (double[]){r, top + 2 * r});
    p.over[0] = 3.25; /* half a radius to the right of ball 3 */
    p.radius = 3 * r;
    p.material = &glass;
    check_same(&def, (double[]){5.5 * r, top + sqrt(16 - 0.25) * r});
    def.rows = 4; /* a top row in hollows: from 2 r on */
    p.over[0] = 1.5;
    p.mass = 0.3;
    check_same(&def, (double[]){3 * r, r + 3 * sqrt(3) * r + sqrt(15) * r});

    p = crm_projectile_def_default();
    def = packing_of(CRM_LATTICE_FCC, 4, 5, 3);
    def.radius = r;
    def.mass.all = 2;
    def.restitution.all = 1;
    def.projectile = &p; /* middle: between columns 2 and 3, over row 3 */
    p.mass = 1;
    check_same(&def, (double[]){4 * r, 5 * r, r + 2 * sqrt(2) * r + sqrt(3) * r});
    p.over[0] = 1.5, p.over[1] = 4.5;
    check_same(&def, (double[]){2 * r, 8 * r, r + 2 * sqrt(2) * r + sqrt(2) * r});
    p.radius = 0.5 * r; /* just large enough for the hollow: above (sqrt(2) - 1) r */
    check_same(&def, (double[]){2 * r, 8 * r, r + 2 * sqrt(2) * r + 0.5 * r});
    def.lattice = CRM_LATTICE_CUBIC;
    check_same(&def, (double[]){2 * r, 8 * r, 5 * r + 0.5 * r});
}

/* ---- Counting -------------------------------------------------------------------------------- */

static void counts_follow_the_formulas(void **state)
{
    (void)state;
    for (size_t c = 2; c < 9; c++) {
        for (size_t r = 2; r < 9; r++) {
            crm_packing_def hexagonal = packing_of(CRM_LATTICE_HEXAGONAL, c, r, 0);
            crm_packing_def square = packing_of(CRM_LATTICE_SQUARE, c, r, 0);
            crm_packing_def cubic = packing_of(CRM_LATTICE_CUBIC, c, r, 5);
            crm_packing_def fcc = packing_of(CRM_LATTICE_FCC, c, r, 3);
            assert_int_equal(crm_packing_balls(&hexagonal), r * c - r / 2);
            assert_int_equal(crm_packing_contacts(&hexagonal),
                             r * (c - 1) - r / 2 + 2 * (r - 1) * (c - 1));
            assert_int_equal(crm_packing_balls(&square), r * c);
            assert_int_equal(crm_packing_contacts(&square), r * (c - 1) + c * (r - 1));
            assert_int_equal(crm_packing_balls(&cubic), 5 * r * c);
            assert_int_equal(crm_packing_contacts(&cubic),
                             5 * r * (c - 1) + 5 * c * (r - 1) + 4 * r * c);
            /* Two full layers and one in hollows, whose balls touch four above and four below. */
            assert_int_equal(crm_packing_balls(&fcc), 2 * r * c + (r - 1) * (c - 1));
            assert_int_equal(crm_packing_contacts(&fcc), 2 * (r * (c - 1) + c * (r - 1)) +
                                                             (r - 1) * (c - 2) + (c - 1) * (r - 2) +
                                                             8 * (r - 1) * (c - 1));
        }
    }
}

/* Coordination numbers 4, 6, 6, 12, and as many balls that have all their neighbours as lie inside.
 */
static void inside_every_ball_has_all_its_neighbours(void **state)
{
    (void)state;
    static const struct {
        crm_lattice lattice;
        unsigned neighbours;
        size_t inside; /* of 7 x 6 (x 5) */
    } cases[] = {{CRM_LATTICE_SQUARE, 4, 5 * 4},
                 {CRM_LATTICE_HEXAGONAL, 6, 2 * 5 + 2 * 4},
                 {CRM_LATTICE_CUBIC, 6, 5 * 4 * 3},
                 {CRM_LATTICE_FCC, 12, 5 * 4 + 2 * (4 * 3)}};
    for (size_t k = 0; k < 4; k++) {
        crm_packing_def def = packing_of(cases[k].lattice, 7, 6, 5);
        crm_model *model = packing_model(&def);
        unsigned neighbours[MOST] = {0}, most = 0;
        size_t inside = 0;
        for (size_t j = 0; j < crm_model_contacts(model); j++) {
            neighbours[crm_model_party(model, j, 0)]++;
            neighbours[crm_model_party(model, j, 1)]++;
            assert_true(crm_model_party(model, j, 0) < crm_model_party(model, j, 1));
            /* Unit normals and unit masses. */
            assert_near(crm_model_delassus(model, j, j), 2, ROUNDING);
        }
        for (size_t i = 0; i < crm_model_bodies(model); i++) {
            most = neighbours[i] > most ? neighbours[i] : most;
            inside += neighbours[i] == cases[k].neighbours;
        }
        assert_int_equal(most, cases[k].neighbours);
        assert_int_equal(inside, cases[k].inside);
        crm_model_free(model);
    }
}

/* A contact shares its two balls with 5 others each in the plane; orthogonal ones do not couple in
 * the cubic lattice, where D falls apart into chains.
 */
static void delassus_is_sparse(void **state)
{
    (void)state;
    crm_packing_def def = packing_of(CRM_LATTICE_HEXAGONAL, 100, 101, 0);
    crm_model *model = packing_model(&def);
    size_t full = 0, total = 0;
    for (size_t j = 0; j < crm_model_contacts(model); j++) {
        size_t count;
        const uint32_t *column;
        const double *value;
        crm_model_delassus_row(model, j, &count, &column, &value);
        assert_true(count >= 3 && count <= 11);
        for (size_t k = 0; k < count; k++) {
            assert_true(k == 0 || column[k - 1] < column[k]);
            double size = column[k] == j ? 2 : 0.5; /* cos 60 degrees, or -1 straight on */
            assert_true(fabs(fabs(value[k]) - size) < ROUNDING || fabs(value[k] + 1) < ROUNDING);
        }
        full += count == 11;
        total++;
    }
    assert_true((double)full > 0.9 * (double)total);
    crm_model_free(model);

    def = packing_of(CRM_LATTICE_CUBIC, 6, 7, 8);
    model = packing_model(&def);
    for (size_t j = 0; j < crm_model_contacts(model); j++) {
        size_t count;
        const uint32_t *column;
        const double *value;
        crm_model_delassus_row(model, j, &count, &column, &value);
        assert_true(count <= 3);
    }
    crm_model_free(model);
}

/* ---- Materials, lists, names ----------------------------------------------------------------- */

static void materials_give_masses_and_stiffnesses(void **state)
{
    (void)state;
    crm_projectile_def p = crm_projectile_def_default();
    crm_packing_def def = packing_of(CRM_LATTICE_SQUARE, 3, 2, 0);
    def.radius = 0.01;
    def.material = &steel;
    def.walls = CRM_PACKING_FLOOR;
    def.wall_material = &glass;
    def.projectile = &p;
    p.radius = 0.03;
    p.material = &glass;
    crm_model *model = packing_model(&def);
    const double pi = acos(-1), *k = crm_model_stiffness(model);
    double e_steel = 203e9 / (1 - 0.09), e_glass = 70e9 / (1 - 0.04);
    double mixed = 1 / (1 / e_steel + 1 / e_glass);
    double balls = 4.0 / 3.0 * (e_steel / 2) * sqrt(0.01 / 2);
    double shot = 4.0 / 3.0 * mixed * sqrt(0.01 * 0.03 / 0.04);
    double floor = 4.0 / 3.0 * mixed * sqrt(0.01);
    for (size_t j = 0; j < crm_model_contacts(model); j++) {
        double want = j < 7 ? balls : j == 7 ? shot : floor;
        assert_near(k[j], want, ROUNDING * want);
    }
    assert_int_equal(crm_model_contacts(model), 7 + 1 + 3);
    double v[14] = {0};
    v[13] = 1;
    double mass = 4.0 / 3.0 * pi * 0.03 * 0.03 * 0.03 * 2500;
    assert_near(2 * crm_model_kinetic_energy(model, v), mass, ROUNDING);
    v[13] = 0, v[0] = 1;
    mass = 4.0 / 3.0 * pi * 0.01 * 0.01 * 0.01 * 7780;
    assert_near(2 * crm_model_kinetic_energy(model, v), mass, ROUNDING);
    crm_model_free(model);
}

static void lists_run_over_balls_and_contacts(void **state)
{
    (void)state;
    const double mass[] = {1, 2, 3, 4, 5}, stiffness[] = {1, 2, 3, 4, 5, 6, 7};
    crm_projectile_def p = crm_projectile_def_default();
    crm_packing_def def = packing_of(CRM_LATTICE_HEXAGONAL, 3, 2, 0);
    def.mass.each = mass;
    def.stiffness.each = stiffness;
    def.restitution.all = 0.5;
    def.wall.restitution = 0.25;
    def.walls = CRM_PACKING_FLOOR;
    def.projectile = &p;
    p.mass = 6;
    crm_model *model = packing_model(&def);
    for (size_t i = 0; i < 6; i++) {
        double v[12] = {0};
        v[2 * i + 1] = 1;
        assert_near(2 * crm_model_kinetic_energy(model, v), (double)i + 1, ROUNDING);
    }
    assert_int_equal(crm_model_contacts(model), 7 + 2 + 3);
    for (size_t j = 0; j < 12; j++) {
        assert_near(crm_model_stiffness(model)[j], j < 7 ? stiffness[j] : 1, 0);
        assert_near(crm_model_restitution(model)[j], j < 9 ? 0.5 : 0.25, 0);
    }
    crm_model_free(model);
}

static void bodies_and_walls_have_names(void **state)
{
    (void)state;
    static const char *const walls[] = {"floor", "left wall", "right wall", "front wall",
                                        "back wall"};
    crm_projectile_def p = crm_projectile_def_default();
    crm_packing_def def = packing_of(CRM_LATTICE_CUBIC, 2, 2, 2);
    def.walls = CRM_PACKING_BOX;
    def.projectile = &p;
    crm_model *model = packing_model(&def);
    char name[32];
    crm_model_body_name(model, 7, name, sizeof name);
    assert_string_equal(name, "ball 8");
    crm_model_body_name(model, 8, name, sizeof name);
    assert_string_equal(name, "projectile");
    assert_int_equal(crm_model_bodies(model), 9);
    assert_int_equal(crm_model_body_start(model, 8), 24);
    assert_false(crm_model_is_angle(model, 23));
    size_t first_wall = 12 + 4;
    for (size_t k = 0; k < 5; k++) {
        crm_model_party_name(model, first_wall + 4 * k, 1, name, sizeof name);
        assert_string_equal(name, walls[k]);
    }
    crm_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_system_as_by_geometry),
        cmocka_unit_test(thin_packings),
        cmocka_unit_test(the_projectile_strikes_the_top_of_a_rack),
        cmocka_unit_test(the_projectile_lies_where_geometry_puts_it),
        cmocka_unit_test(counts_follow_the_formulas),
        cmocka_unit_test(inside_every_ball_has_all_its_neighbours),
        cmocka_unit_test(delassus_is_sparse),
        cmocka_unit_test(materials_give_masses_and_stiffnesses),
        cmocka_unit_test(lists_run_over_balls_and_contacts),
        cmocka_unit_test(bodies_and_walls_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
