/* Numbers in scenarios that are computed or carry a unit. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "scenario/number/number.h"
#include "scenario_text.h"

typedef struct said {
    const char *text;
    double value;
} said;

static double value_of(const char *text)
{
    crm_node node = {.kind = CRM_NODE_SCALAR, .plain = true, .count = strlen(text), .text = text};
    double value = NAN;
    if (!crm_number_value(&node, &value)) {
        fail_msg("'%s' was not understood", text);
    }
    return value;
}

static void check_all(const said *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double value = value_of(cases[i].text);
        if (value != cases[i].value) {
            fail_msg("'%s' is %.17g, not %.17g", cases[i].text, value, cases[i].value);
        }
    }
}

#define CHECK_ALL(cases) check_all((cases), sizeof(cases) / sizeof((cases)[0]))

/* What comes out is the nearest number, to the last bit: the right sides are read by the compiler.
 */
static void arithmetic_is_to_the_bit(void **state)
{
    (void)state;
    static const said cases[] = {
        {"1 + 2*3", 7},
        {"(1 + 2)*3", 9},
        {"7 - 4 - 2", 1},
        {"8/4/2", 1},
        {"2^3^2", 512},
        {"-2^2", -4},
        {"2^-1", 0.5},
        {"--3", 3},
        {"0.1 + 0.2", 0.3},
        {"1e2*1E-2", 1},
        {".5 + 5.", 5.5},
        {"pi", 3.14159265358979323846},
        {"2 pi", 6.28318530717958647693},
        {"-pi/6", -0.52359877559829887308},
        {"2*sqrt(3)", 3.46410161513775458705},
        {"sqrt(2)^2", 2},
        {"cbrt(27)", 3},
        {"abs(-4)", 4},
        {"exp(1)", 2.71828182845904523536},
        {"log(exp(3))", 3},
        {"atan(1)", 0.78539816339744830962},
        {"acos(0)*2", 3.14159265358979323846},
    };
    CHECK_ALL(cases);
}

static void units_become_si(void **state)
{
    (void)state;
    static const said cases[] = {
        {"1 cm", 0.01},
        {"7 cm", 0.07},
        {"7cm", 0.07},
        {"2.54 cm", 0.0254},
        {"1 in", 0.0254},
        {"33 mm", 0.033},
        {"5 um", 5e-6},
        {"5 µm", 5e-6},
        {"5 μm", 5e-6},
        {"1 km", 1000},
        {"30 g", 0.03},
        {"2 kg", 2},
        {"3 mg", 3e-6},
        {"1 t", 1000},
        {"2 min", 120},
        {"1 h", 3600},
        {"4 ms", 0.004},
        {"203 GPa", 203e9},
        {"7.8 g/cm^3", 7800},
        {"10 km/h", 10 / 3.6},
        {"30 kHz", 30e3},
        {"3 deg", 0.05235987755982988731},
        {"180 deg", 3.14159265358979323846},
        {"1/2 m", 0.5},
        {"(1 + 2) mm", 0.003},
        {"1 m + 1 cm", 1.01},
        {"sqrt(4 m^2)", 2},
        {"2 kg m/s", 2},
        {"9.81 m/s^2", 9.81},
        {"5 N/mm", 5000},
        {"sin(30 deg)", 0.5},
        {"1 mJ", 0.001},
    };
    CHECK_ALL(cases);
}

/* Bare numbers stay what YAML says they are. */
static void bare_numbers_are_left_alone(void **state)
{
    (void)state;
    static const said cases[] = {
        {"0x10", 16}, {"0o17", 15}, {"1e3", 1000}, {"-0.5", -0.5}, {"+3", 3}};
    CHECK_ALL(cases);
    assert_true(isnan(value_of("1e-400")));
    assert_true(isnan(value_of("1e-200*1e-200"))); /* not 0 */
    assert_true(value_of("1 - 1") == 0);
}

static void problem_is(const char *text, const char *expected)
{
    char problem[128] = "";
    crm_quantity quantity;
    if (crm_expression_read(text, &quantity, problem, sizeof problem)) {
        fail_msg("'%s' was understood", text);
    }
    assert_string_equal(problem, expected);
}

static void what_is_wrong_is_said(void **state)
{
    (void)state;
    problem_is("2*sqt(3)", "'sqt' is not a unit, constant or function");
    problem_is("2*", "a number is missing at the end");
    problem_is("2*(1+3", "')' is missing at the end");
    problem_is("sqrt 2", "'(' is missing before '2'");
    problem_is("2 3", "an operator is missing before '3'");
    problem_is("1 + *2", "a number is missing before '*2'");
    problem_is("1.2.3*1", "'1.2.3' is not a number");
    problem_is("1 m + 1 kg", "'+' is between different units");
    problem_is("1 m - 1", "'-' is between different units");
    problem_is("sin(1 m)", "sin takes a number without unit");
    problem_is("2^(1 m)", "an exponent has no unit");
    problem_is("", "a number is missing at the end");
    problem_is("3 \x1b[2J", "an operator is missing before '\\u001b[2J'");
}

static void nesting_ends(void **state)
{
    (void)state;
    char text[4096];
    memset(text, '(', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    problem_is(text, "it is nested more than 64 deep");
    memset(text, '-', sizeof text - 1);
    problem_is(text, "it is nested more than 64 deep");
    char digits[200];
    memset(digits, '1', sizeof digits - 1);
    digits[sizeof digits - 1] = '\0';
    problem_is(digits, "a number has more than 63 digits");
}

/* ---- In scenarios --------------------------------------------------------------------------- */

static void every_block_takes_them(void **state)
{
    (void)state;
    crm_scenario *s =
        good("materials: {steel: {young: 203 GPa, poisson: 3/10, density: 7.78 g/cm^3}}\n"
             "chain: {count: 2+1, radius: 1 cm, material: steel, velocity: [36 km/h],"
             " restitution: 1 - 0.03, exponent: 3/2, stiffness: [5 kN/mm^1.5, 1]}\n"
             "laws: {law: lzb, tolerance: 10^-7}\n"
             "history: {interval: 1 us}\n");
    assert_int_equal(crm_model_coordinates(s->model), 3);
    assert_true(s->velocity[0] == 10);
    assert_true(s->history_interval == 1e-6);
    assert_true(crm_model_restitution(s->model)[0] == 0.97);
    /* 5e3 N / (1e-3 m)^1.5 */
    assert_true(fabs(crm_model_stiffness(s->model)[0] / (5e3 * pow(1000, 1.5)) - 1) < 1e-15);
    crm_scenario_free(s);
    s = good_with("chain: {count: 2, velocity: [1]}\n", "chain.mass=[10 g, 1 kg/2]");
    assert_true(crm_model_kinetic_energy(s->model, (double[]){1, 0}) == 0.005);
    assert_true(crm_model_kinetic_energy(s->model, (double[]){0, 1}) == 0.25);
    crm_scenario_free(s);
}

/* Body 'pi' and an index 1 are not confused, and words stay words. */
static void names_stay_names(void **state)
{
    (void)state;
    crm_scenario *s = good("bodies:\n"
                           "  - {name: pi, radius: 1, mass: 1, position: 0, velocity: 1}\n"
                           "  - {name: g, radius: 1, mass: 1, position: 2, velocity: 0}\n"
                           "pairs: [{between: [pi, g], restitution: 0.5}]\n");
    assert_true(crm_model_restitution(s->model)[0] == 0.5);
    crm_scenario_free(s);
}

/* What is read, but hardly meant. */
static void senseless_values_are_doubted(void **state)
{
    (void)state;
    static const char *const steel =
        "materials: {steel: {young: 203e9, poisson: 0.3, density: 7780}}\n"
        "chain: {count: 2, radius: 0.01, material: steel, velocity: [1]}\n";
    static const struct {
        const char *set, *doubt; /* NULL: none */
    } cases[] = {
        {NULL, NULL},
        {"materials.steel.young=203",
         "materials.steel.young is 203 Pa, which no solid has (steel: 203 GPa)"},
        {"materials.steel.density=7.78",
         "materials.steel.density is 7.78 kg/m^3, which no solid has (steel: 7780)"},
        {"chain.radius=10", "chain.radius is 10 m; was it meant in mm or cm?"},
        {"chain.radius=5 mm", NULL},
        {"chain.mass=0.03", NULL}, /* 4/3 pi r^3 rho = 0.0326 kg */
        {"chain.mass=32", "chain.mass is 32 kg; a ball of its radius and density has 0.0326 kg"},
        {"chain.mass=[0.03, 32]",
         "chain.mass[2] is 32 kg; a ball of its radius and density has 0.0326 kg"},
        {"chain.mass=[0.03, 1e-4]", NULL}, /* a thin shell */
        {"chain.mass=1e-8",
         "chain.mass is 1e-08 kg; a ball of its radius and density has 0.0326 kg"},
        {"chain.velocity=[100]", NULL},
        {"chain.velocity=[300]", "chain closes so fast that balls 1 and 2 would be indented by 0.2 "
                                 "of their radius; Hertz's law holds up to about 0.1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        crm_scenario *s = good_with(steel, cases[i].set);
        bool expected = cases[i].doubt != NULL;
        if (s->warnings.count > 0) {
            assert_string_equal(s->warnings.text[0], expected ? cases[i].doubt : "");
        }
        assert_int_equal(s->warnings.count > 0, expected);
        crm_scenario_free(s);
    }
}

/* The same of bodies in space, of packings and gases; what has no material may have any units, but
 * for angles.
 */
static void sizes_and_angles_of_bodies_are_doubted(void **state)
{
    (void)state;
    static const struct {
        const char *text, *doubt; /* NULL: none */
    } cases[] = {
        {"bodies: [{radius: 20, mass: 1, position: [0, 0]}]", NULL},
        {"bodies: [{radius: 5, material: steel, position: [0, 0]}]", NULL},
        {"bodies: [{radius: 20, material: steel, position: [0, 0]}]",
         "bodies[1].radius is 20 m; was it meant in mm or cm?"},
        {"bodies: [{radius: 0.02, material: steel, mass: 261, position: [0, 0]}]",
         "bodies[1].mass is 261 kg; a ball of its radius and density has 0.261 kg"},
        {"bodies: [{shape: disc, radius: 0.02, material: steel, mass: 261, position: [0, 0]}]",
         NULL},
        {"packing: {lattice: square, columns: 2, rows: 2, radius: 20, mass: 1}", NULL},
        {"packing: {lattice: square, columns: 2, rows: 2, radius: 20, material: steel}",
         "packing.radius is 20 m; was it meant in mm or cm?"},
        {"packing: {lattice: square, columns: 2, rows: 2, radius: 0.02, material: steel, "
         "projectile: {velocity: [0, -1], radius: 20}}",
         "packing.projectile.radius is 20 m; was it meant in mm or cm?"},
        {"gas: {count: 2, box: [1000, 1000], radius: 20, material: steel}",
         "gas.radius is 20 m; was it meant in mm or cm?"},
        {"gas: {count: 2, box: [1000, 1000], radius: 20}", NULL},
        {"bodies: [{shape: box, size: [1, 2], mass: 1, position: [0, 0], angle: 30 deg}]", NULL},
        {"bodies: [{shape: box, size: [1, 2], mass: 1, position: [0, 0], angle: -30}]",
         "bodies[1].angle is -30 rad, 4.8 turns; was it meant in degrees (-30 deg)?"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        crm_scenario *s = good(cases[i].text);
        assert_int_equal(s->warnings.count, cases[i].doubt != NULL);
        if (cases[i].doubt != NULL) {
            assert_string_equal(s->warnings.text[0], cases[i].doubt);
        }
        crm_scenario_free(s);
    }
}

static void units_of_the_wrong_kind(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {"chain: {count: 2, mass: 3 cm}\n", "s.yaml:1:25: chain.mass is '3 cm'; must be in kg"},
        {"chain: {count: 2, mass: [1, 2 s]}\n",
         "s.yaml:1:29: chain.mass[2] is '2 s'; must be in kg"},
        {"chain: {count: 2 m}\n",
         "s.yaml:1:16: chain.count is '2 m'; must be a number without unit"},
        {"chain: {count: 2, restitution: 1 kg}\n",
         "s.yaml:1:32: chain.restitution is '1 kg'; must be a number without unit"},
        {"chain: {count: 2, stiffness: 3 m}\n",
         "s.yaml:1:30: chain.stiffness is '3 m'; must be in N/m^η"},
        {"chain: {count: 2, mass: 2*sqt(3)}\n",
         "s.yaml:1:25: chain.mass is '2*sqt(3)'; must be a finite number, but 'sqt' is not a unit, "
         "constant or function"},
        {"chain: {count: 2, mass: 1/0}\n",
         "s.yaml:1:25: chain.mass is '1/0'; must be a finite number"},
        {"chain: {count: 2, mass: '1 g'}\n",
         "s.yaml:1:25: chain.mass is the text \"1 g\"; must be a finite number"},
        {"chain: {count: 2, mass: heavy}\n",
         "s.yaml:1:25: chain.mass is 'heavy'; must be a finite number"},
    };
    REFUSE_ALL(cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arithmetic_is_to_the_bit),
        cmocka_unit_test(units_become_si),
        cmocka_unit_test(bare_numbers_are_left_alone),
        cmocka_unit_test(what_is_wrong_is_said),
        cmocka_unit_test(nesting_ends),
        cmocka_unit_test(every_block_takes_them),
        cmocka_unit_test(names_stay_names),
        cmocka_unit_test(senseless_values_are_doubted),
        cmocka_unit_test(sizes_and_angles_of_bodies_are_doubted),
        cmocka_unit_test(units_of_the_wrong_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
