/* Materials with names: what papers print comes out of them, and a scenario's own come first. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "carom/carom.h"
#include "scenario_text.h"

/* P0, section 9.1: beads of 2.05 g, 4 mm in radius; K of two beads 6.9716e9, of bead and wall
 * 9.858e9; the two differ by the square root of 2 but for 1e-4.
 */
static void beads_of_the_column(void **state)
{
    (void)state;
    crm_material m = crm_material_find("stainless_steel")->properties;
    double radius = 4e-3, volume = 4.0 / 3.0 * 3.14159265358979 * radius * radius * radius;
    assert_true(fabs(m.density * volume - 2.05e-3) < 0.005e-3);
    assert_true(fabs(crm_hertz_stiffness(m, radius, m, radius) - 6.9716e9) < 0.001e9);
    assert_true(fabs(crm_hertz_stiffness(m, radius, m, INFINITY) - 9.858e9) < 0.0005e9);
}

/* Each lies in the range that is printed beside it, unless it was measured otherwise. */
static void values_lie_in_their_ranges(void **state)
{
    (void)state;
    for (size_t i = 0; i < crm_material_count(); i++) {
        const crm_named_material *m = crm_material_at(i);
        double least, most;
        char unit[4];
        assert_int_equal(sscanf(m->range, "%lf to %lf %3s", &least, &most, unit), 3);
        double scale = strcmp(unit, "GPa") == 0 ? 1e9 : 1e6;
        bool inside = m->properties.young >= least * scale && m->properties.young <= most * scale;
        assert_true(inside || strcmp(m->name, "ptfe") == 0);
        assert_true(m->properties.poisson > 0 && m->properties.poisson < 0.5);
        assert_true(m->properties.density > 900 && m->properties.density < 9000);
        assert_ptr_equal(crm_material_find(m->name), m);
    }
    assert_null(crm_material_at(crm_material_count()));
    assert_null(crm_material_find("cheese"));
    assert_null(crm_material_find(NULL));
}

static double stiffness_of(const char *text)
{
    crm_scenario *scenario = good(text);
    double stiffness = crm_model_stiffness(scenario->model)[0];
    crm_scenario_free(scenario);
    return stiffness;
}

/* K is in proportion to E / (1 - nu^2) where both balls are of one material. */
static void a_name_is_enough(void **state)
{
    (void)state;
    double known = stiffness_of("chain: {count: 2, radius: 0.01, material: brass}\n");
    double told = stiffness_of("materials: {m: {young: 103 GPa, poisson: 0.34, density: 8500}}\n"
                               "chain: {count: 2, radius: 0.01, material: m}\n");
    double own = stiffness_of("materials: {brass: {young: 206 GPa, poisson: 0.34, density: 1}}\n"
                              "chain: {count: 2, radius: 0.01, material: brass}\n");
    assert_true(known == told);
    assert_true(fabs(own - 2 * known) <= 1e-15 * own);
}

static void others_are_refused(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {"chain: {count: 2, radius: 0.01, material: bras}\n",
         "s.yaml:1:43: chain.material is 'bras'; must be a name from 'materials' or one that "
         "'carom "
         "materials' lists; did you mean 'brass'?"},
        {"chain: {count: 2, radius: 0.01, material: kryptonite}\n",
         "s.yaml:1:43: chain.material is 'kryptonite'; must be a name from 'materials' or one "
         "that 'carom materials' lists"},
        {"materials: {unobtanium: {young: 1e9, poisson: 0.3}}\n"
         "chain: {count: 2, radius: 0.01, material: unobtainium}\n",
         "s.yaml:2:43: chain.material is 'unobtainium'; must be a name from 'materials' or one "
         "that 'carom materials' lists; did you mean 'unobtanium'?"},
    };
    REFUSE_ALL(cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(beads_of_the_column),
        cmocka_unit_test(values_lie_in_their_ranges),
        cmocka_unit_test(a_name_is_enough),
        cmocka_unit_test(others_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
