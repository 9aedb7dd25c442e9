/* Bodies that nearly touch are listed. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/bodies/near_contacts.h"
#include "scenario_text.h"
#include "support.h"

static const double ROUNDING = 1e-14; /* of positions of about 1 */

static void the_nearest_come_first(void **state)
{
    (void)state;
    crm_scenario *s = good("bodies:\n"
                           "  - {name: a, radius: 1, mass: 1, position: [0, 0]}\n"
                           "  - {name: b, radius: 1, mass: 1, position: [2.002, 0]}\n"
                           "  - {name: c, radius: 1, mass: 1, position: [4.0021, 0]}\n"
                           "  - {name: far, radius: 1, mass: 1, position: [6.1, 0]}\n"
                           "walls: [{name: floor, point: [0, -1.003], normal: [0, 2]}]\n");
    const crm_near_contacts *m = s->near_contacts;
    assert_int_equal(m->total, 6); /* b c, a b, and all four with the floor */
    assert_int_equal(m->kept, 6);
    assert_string_equal(m->nearest[0].first_name, "b");
    assert_string_equal(m->nearest[0].second_name, "c");
    assert_true(fabs(m->nearest[0].gap - 1e-4) < ROUNDING);
    assert_true(fabs(m->nearest[0].relative - 0.5e-4) < ROUNDING);
    assert_string_equal(m->nearest[1].second_name, "b");
    assert_string_equal(m->nearest[2].second_name, "floor");
    assert_true(fabs(m->nearest[2].relative - 0.003) < ROUNDING);
    crm_scenario_free(s);
}

static void what_touches_is_no_near_miss(void **state)
{
    (void)state;
    crm_scenario *s = good("bodies:\n"
                           "  - {radius: 1, mass: 1, position: 0}\n"
                           "  - {radius: 1, mass: 1, position: 2}\n"
                           "  - {radius: 1, mass: 1, position: 4.5}\n");
    assert_int_equal(s->near_contacts->total, 0);
    crm_scenario_free(s);
    s = good_with("bodies:\n"
                  "  - {radius: 1, mass: 1, position: 0}\n"
                  "  - {radius: 1, mass: 1, position: 2.001}\n",
                  "contacts.tolerance=1e-3");
    assert_int_equal(s->near_contacts->total, 0);
    crm_scenario_free(s);
}

/* A flat box 1 mm over the floor, and a rod's end 2 mm from it. */
static void other_shapes_are_measured_at_their_corners(void **state)
{
    (void)state;
    crm_scenario *s =
        good("bodies:\n"
             "  - {name: box, shape: box, size: [0.6, 0.8], mass: 1, position: [0, 0.401]}\n"
             "  - {name: rod, shape: rod, length: 2, mass: 1, position: [1.302, 0.401]}\n"
             "walls: [{name: floor, point: [0, 0], normal: [0, 1]}]\n");
    const crm_near_contacts *m = s->near_contacts;
    assert_int_equal(m->total, 2);
    assert_true(fabs(m->nearest[0].gap - 0.002) < ROUNDING);
    assert_true(fabs(m->nearest[0].relative - 0.002 / 1.5) <
                ROUNDING); /* half diagonal, half rod */
    assert_true(fabs(m->nearest[1].gap - 0.001) < ROUNDING);
    assert_true(fabs(m->nearest[1].relative - 0.002) < ROUNDING);
    crm_scenario_free(s);
}

/* All pairs, one by one. */
static size_t count_all(const crm_bodies_def *def, double most, double *least)
{
    size_t count = 0;
    for (size_t i = 0; i < def->body_count; i++) {
        for (size_t j = i + 1; j < def->body_count; j++) {
            const crm_body_def *a = &def->bodies[i], *b = &def->bodies[j];
            double size = a->radius + b->radius;
            double gap = hypot(a->position[0] - b->position[0], a->position[1] - b->position[1]);
            double relative = (gap - size) / size;
            if (relative > def->tolerance && relative <= most) {
                count++;
                *least = fmin(*least, relative);
            }
        }
    }
    return count;
}

static void none_is_passed_over(void **state)
{
    (void)state;
    enum { DISCS = 60, SCENES = 50 };
    static const double WIDE = 0.2;
    rng draws = {5};
    size_t seen = 0;
    for (int scene = 0; scene < SCENES; scene++) {
        crm_body_def bodies[DISCS];
        crm_bodies_def def = crm_bodies_def_default();
        def.body_count = DISCS;
        def.bodies = bodies;
        for (size_t i = 0; i < DISCS; i++) {
            bodies[i] = crm_body_def_default();
            bodies[i].radius = rng_uniform(&draws, 0.2, 1.2);
            bodies[i].position[0] = rng_uniform(&draws, 0, 20);
            bodies[i].position[1] = rng_uniform(&draws, 0, 10);
        }
        crm_near_contacts near_contacts;
        double least = INFINITY;
        assert_int_equal(crm_near_contacts_find(&def, WIDE, &near_contacts, NULL), CRM_OK);
        size_t count = count_all(&def, WIDE, &least);
        assert_int_equal(near_contacts.total, count);
        assert_true(count == 0 || fabs(near_contacts.nearest[0].relative - least) < ROUNDING);
        for (size_t i = 1; i < near_contacts.kept; i++) {
            assert_true(near_contacts.nearest[i - 1].relative <= near_contacts.nearest[i].relative);
        }
        seen += count;
    }
    assert_true(seen > SCENES * CRM_NEAR_CONTACTS_KEPT); /* more than are kept, often */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nearest_come_first),
        cmocka_unit_test(what_touches_is_no_near_miss),
        cmocka_unit_test(other_shapes_are_measured_at_their_corners),
        cmocka_unit_test(none_is_passed_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
