/* What the builders of models refuse, with the place and the reason. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support.h"

/* The error must name every word, in its place or message, in any case of letters. */
static void check_refusal(crm_status status, const crm_model *model, const crm_error *error,
                          const char *const *words, int line)
{
    char text[sizeof error->place + sizeof error->message + 4], lower[sizeof text];
    strcpy(text, error->place);
    strcat(text, ": ");
    strcat(text, error->message);
    for (size_t i = 0; i < sizeof text; i++) {
        lower[i] = (char)(text[i] >= 'A' && text[i] <= 'Z' ? text[i] + 32 : text[i]);
        if (!text[i]) {
            break;
        }
    }
    if (status == CRM_OK || model != NULL || error->status != status || error->message[0] == 0) {
        print_error("line %d: status %d, model %p, error status %d, \"%s\"\n", line, (int)status,
                    (const void *)model, (int)error->status, text);
        _fail(__FILE__, line);
    }
    for (; *words; words++) {
        if (!strstr(lower, *words)) {
            print_error("line %d: \"%s\" does not name \"%s\"\n", line, text, *words);
            _fail(__FILE__, line);
        }
    }
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define refuse_system(def, ...)                                                                    \
    do {                                                                                           \
        crm_model *refused = NULL;                                                                 \
        crm_error error = {0};                                                                     \
        crm_status status = crm_model_from_system(&(def), &refused, &error);                       \
        check_refusal(status, refused, &error, WORDS(__VA_ARGS__), __LINE__);                      \
        assert_int_not_equal(crm_model_from_system(&(def), &refused, NULL), CRM_OK);               \
    } while (0)
#define refuse_chain(def, ...)                                                                     \
    do {                                                                                           \
        crm_model *refused = NULL;                                                                 \
        crm_error error = {0};                                                                     \
        crm_status status = crm_model_from_chain(&(def), &refused, &error);                        \
        check_refusal(status, refused, &error, WORDS(__VA_ARGS__), __LINE__);                      \
    } while (0)
#define refuse_bodies(def, ...)                                                                    \
    do {                                                                                           \
        crm_model *refused = NULL;                                                                 \
        crm_error error = {0};                                                                     \
        crm_status status = crm_model_from_bodies(&(def), &refused, &error);                       \
        check_refusal(status, refused, &error, WORDS(__VA_ARGS__), __LINE__);                      \
    } while (0)

static const double unit_mass[] = {1, 1, 1};
static const double unit_w[] = {-1, 1, 0, 0, -1, 1};

static crm_system_def good_system(void)
{
    crm_system_def def = crm_system_def_default();
    def.coordinates = 3;
    def.contacts = 2;
    def.mass_diagonal = unit_mass;
    def.w_dense = unit_w;
    return def;
}

static void bad_mass_is_refused(void **state)
{
    (void)state;
    const double bad[] = {0.0, -1.0, NAN, INFINITY};
    for (size_t i = 0; i < 4; i++) {
        const double mass[] = {1, 1, bad[i]};
        crm_system_def def = good_system();
        def.mass_diagonal = mass;
        refuse_system(def, "mass", "[3]");
    }
    const double singular[] = {1, 1, 0, 1, 1, 0, 0, 0, 1}, skew[] = {1, .5, 0, .25, 1, 0, 0, 0, 1};
    const double indefinite[] = {1, 2, 0, 2, 1, 0, 0, 0, 1},
                 nan_inside[] = {1, NAN, 0, NAN, 1, 0, 0, 0, 1};
    crm_system_def def = good_system();
    def.mass_diagonal = NULL;
    refuse_system(def, "mass"); /* none given */
    def.mass_dense = singular;
    refuse_system(def, "mass", "positive");
    def.mass_dense = indefinite;
    refuse_system(def, "mass", "positive");
    def.mass_dense = skew;
    refuse_system(def, "mass", "symmetric");
    def.mass_dense = nan_inside;
    refuse_system(def, "mass");
    def.mass_diagonal = unit_mass; /* two given */
    refuse_system(def, "mass");
}

static void bad_sparse_matrices_are_refused(void **state)
{
    (void)state;
    const size_t start[] = {0, 2, 4}, backwards[] = {0, 3, 2};
    const uint32_t row[] = {0, 1, 1, 2}, outside[] = {0, 1, 1, 3}, twice[] = {0, 1, 1, 1};
    const double value[] = {-1, 1, -1, 1}, infinite[] = {-1, 1, INFINITY, 1};
    crm_system_def def = good_system();
    crm_sparse_view w = {start, outside, value};
    def.w_dense = NULL;
    refuse_system(def, "w"); /* none given */
    def.w_sparse = &w;
    refuse_system(def, "w");
    w.row = twice;
    refuse_system(def, "w");
    w = (crm_sparse_view){backwards, row, value};
    refuse_system(def, "w");
    w = (crm_sparse_view){start, row, infinite};
    refuse_system(def, "w");
    def.w_dense = unit_w; /* two given */
    refuse_system(def, "w");
}

static void bad_contacts_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *field;
        double value;
    } cases[] = {{"stiffness", 0.0},      {"stiffness", -1.0},  {"stiffness", NAN},
                 {"stiffness", INFINITY}, {"exponent", 0.0},    {"exponent", -1.5},
                 {"exponent", NAN},       {"restitution", -.1}, {"restitution", 1.1},
                 {"restitution", NAN},    {"energy", -1.0},     {"energy", INFINITY},
                 {"velocity", INFINITY},  {"velocity", NAN}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const double values[] = {0.5, cases[i].value};
        crm_system_def def = good_system();
        const char *field = cases[i].field;
        def.stiffness = strcmp(field, "stiffness") ? NULL : values;
        def.exponent = strcmp(field, "exponent") ? NULL : values;
        def.restitution = strcmp(field, "restitution") ? NULL : values;
        def.stored_energy = strcmp(field, "energy") ? NULL : values;
        def.boundary_velocity = strcmp(field, "velocity") ? NULL : values;
        refuse_system(def, field, "[2]");
    }
    const double nothing[] = {-1, 1, 0, 0, 0, 0}, nan_inside[] = {-1, 1, 0, 0, NAN, 1};
    crm_system_def def = good_system();
    def.w_dense = nothing; /* a gap that no motion changes */
    refuse_system(def, "w", "2");
    def.w_dense = nan_inside;
    refuse_system(def, "w", "2");
    def = good_system();
    def.coordinates = 0;
    refuse_system(def, "coordinates");
}

static void bad_chains_are_refused(void **state)
{
    (void)state;
    const crm_material steel = {.young = 203e9, .poisson = 0.3};
    const double radii[] = {0.01, -0.01, 0.01};
    crm_chain_def def = crm_chain_def_default();
    def.count = 0;
    refuse_chain(def, "count");
    def.count = 3;
    def.mass.all = -1.0;
    refuse_chain(def, "mass");
    def.mass.all = 1.0;
    def.restitution.all = 2.0;
    refuse_chain(def, "restitution", "2");
    def.restitution.all = NAN;
    def.exponent.all = 0.0;
    refuse_chain(def, "exponent");
    def.exponent.all = NAN;
    def.radius.each = radii;
    refuse_chain(def, "radius", "[2]");
    def.radius = (crm_values){NAN, NULL};
    def.material = &steel; /* a material needs a radius */
    refuse_chain(def, "radius");
    def.mass.all = NAN;
    def.radius.all = 0.01; /* and a mass needs a density */
    refuse_chain(def, "density");
    def = crm_chain_def_default();
    def.count = 2;
    def.wall_side = CRM_WALL_LEFT;
    def.wall.restitution = 1.5;
    refuse_chain(def, "wall", "restitution");
    def.wall.restitution = NAN;
    def.wall_velocity = NAN;
    refuse_chain(def, "wall", "velocity");
}

static void bad_bodies_are_refused(void **state)
{
    (void)state;
    crm_body_def balls[] = {ball_at(1, 1, 0, 0, 0), ball_at(1, 1, 2, 0, 0)};
    crm_bodies_def def = bodies_def(2, balls, 2);
    balls[1].position[0] = 1.5;
    refuse_bodies(def, "overlap", "body 1", "body 2");
    balls[1].position[0] = 0.0;
    refuse_bodies(def, "body 1", "body 2"); /* same centre */
    balls[1].position[0] = NAN;
    refuse_bodies(def, "position", "[2]");
    balls[1].position[0] = 2.0;
    balls[1].radius = 0.0;
    refuse_bodies(def, "radius", "[2]");
    balls[1].radius = 1.0;
    balls[1].mass = -2.0;
    refuse_bodies(def, "mass", "[2]");
    balls[1].mass = NAN; /* neither mass nor density */
    refuse_bodies(def, "mass", "[2]");
    balls[1].mass = 1.0;
    def.dimension = 4;
    refuse_bodies(def, "4", "1, 2 or 3");
    def.dimension = 2;
    const crm_material steel = {.young = 200e9, .poisson = 0.3};
    balls[0].material = balls[1].material = &steel;
    def.contact.exponent = 1.0; /* a stiffness from materials is Hertz' */
    refuse_bodies(def, "exponent");
    def.body_count = 0;
    refuse_bodies(def, "bod");
}

static void bad_walls_and_pairs_are_refused(void **state)
{
    (void)state;
    const crm_body_def balls[] = {ball_at(1, 1, 0, 0, 0), ball_at(1, 1, 2, 0, 0)};
    crm_bodies_def def = bodies_def(2, balls, 2);
    crm_wall_def wall = crm_wall_def_default();
    wall.point[1] = -1.0;
    def.walls = &wall;
    def.wall_count = 1;
    memset(wall.normal, 0, sizeof wall.normal);
    refuse_bodies(def, "normal", "[1]");
    wall.normal[1] = 1.0;
    wall.point[1] = -0.5;
    refuse_bodies(def, "wall 1", "body 1"); /* a ball in the wall */
    wall.point[1] = NAN;
    refuse_bodies(def, "point", "[1]");
    wall.point[1] = -1.0;
    crm_contact_def contact = crm_contact_def_default();
    crm_pair_def pair = {0, 7, contact};
    def.pairs = &pair;
    def.pair_count = 1;
    refuse_bodies(def, "pair", "[1]");
    pair.second = 0; /* with itself */
    refuse_bodies(def, "pair", "[1]");
    wall.point[1] = -5.0;
    const crm_wall_def walls[] = {wall, wall};
    def.walls = walls;
    def.wall_count = 2;
    pair.first = 2; /* of two walls */
    pair.second = 3;
    refuse_bodies(def, "pairs[1]", "a body and a wall");
    pair = (crm_pair_def){0, 1, contact};
    pair.contact.restitution = -1.0;
    refuse_bodies(def, "pair", "[1]", "restitution");
}

/* Which of the two would count? */
static void a_pair_named_again_is_refused(void **state)
{
    (void)state;
    const crm_body_def balls[] = {ball_at(1, 1, 0, 0, 0), ball_at(1, 1, 2, 0, 0),
                                  ball_at(1, 1, 4, 0, 0)};
    crm_bodies_def def = bodies_def(2, balls, 3);
    const crm_contact_def contact = crm_contact_def_default();
    const crm_pair_def pairs[] = {{1, 2, contact}, {0, 1, contact}, {2, 1, contact}};
    def.pairs = pairs;
    def.pair_count = 3;
    refuse_bodies(def, "pairs[3]", "body 2 and body 3", "pair 1 already");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_mass_is_refused),
        cmocka_unit_test(bad_sparse_matrices_are_refused),
        cmocka_unit_test(bad_contacts_are_refused),
        cmocka_unit_test(bad_chains_are_refused),
        cmocka_unit_test(bad_bodies_are_refused),
        cmocka_unit_test(bad_walls_and_pairs_are_refused),
        cmocka_unit_test(a_pair_named_again_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
