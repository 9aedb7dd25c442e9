/* All answers of Coulomb's law in the plane, beside the judge, which tries all modes by itself. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "coulomb/plane.h"
#include "coulomb_case.h"
#include "coulomb_judge.h"
#include "support.h"

enum { MOST = 2 * COULOMB_JUDGE_CONTACTS };

static crm_plane plane_of(const coulomb_data *data)
{
    crm_plane plane = {.contacts = data->contacts};
    for (size_t i = 0; i < data->size; i++) {
        for (size_t k = 0; k < data->size; k++) {
            plane.d[i][k] = data->d[i * data->size + k];
        }
        plane.q[i] = data->q[i];
    }
    for (size_t j = 0; j < data->contacts; j++) {
        plane.mu[j] = data->mu[j];
    }
    return plane;
}

static bool is_among(const double *r, const double *list, size_t count, size_t stride, size_t size)
{
    for (size_t k = 0; k < count; k++) {
        if (largest_difference(r, list + k * stride, size) <= 1e-6 * (1 + largest_size(r, size))) {
            return true;
        }
    }
    return false;
}

static void answers_are_those_of_the_judge(void **state)
{
    (void)state;
    rng random = rng_seeded(4);
    size_t several = 0, count = rounds(3000, 100);
    for (size_t k = 0; k < count; k++) {
        size_t contacts = 1 + rng_below(&random, 3);
        coulomb_data data = coulomb_random(&random, COULOMB_REGULAR, 2, contacts);
        for (size_t i = 0; i < data.size; i++) { /* any q, not one with a known answer */
            data.q[i] = rng_normal(&random);
        }
        for (size_t j = 0; j < contacts; j++) {
            data.mu[j] = rng_uniform(&random, 0, 4);
        }
        double judged[COULOMB_JUDGE_ANSWERS * MOST];
        size_t wanted = coulomb_judge_all(&data, judged);
        crm_plane plane = plane_of(&data);
        static crm_plane_answers found;
        crm_plane_find(&plane, &found);
        assert_true(found.complete);
        assert_false(found.normals_differ);
        assert_int_equal(found.count, wanted);
        for (size_t a = 0; a < found.count; a++) {
            assert_true(is_among(found.r[a], judged, wanted, data.size, data.size));
        }
        several += wanted > 1;
        coulomb_data_free(&data);
    }
    print_message("%zu of %zu with several answers\n", several, count);
    assert_true(several > 0);
}

/* A load g that is given takes friction, too: the answer with r_n = g + z of one contact, D = 1:
 * z = 0, u_t = q_t - f, friction up to mu g.
 */
static void a_given_load_has_friction(void **state)
{
    (void)state;
    crm_plane plane = {.contacts = 1, .d = {{1, 0}, {0, 1}}, .mu = {.5}, .pressed = {2}};
    static crm_plane_answers found;
    static const double slips[][2] = {{.3, 0}, {3, 2}, {-4, -3}};
    for (size_t k = 0; k < 3; k++) {
        plane.q[0] = -1.5; /* D g + q = .5: open */
        plane.q[1] = slips[k][0];
        crm_plane_find(&plane, &found);
        assert_true(found.complete);
        assert_int_equal(found.count, 1);
        assert_near(found.r[0][0], 2, 1e-14);
        assert_near(found.u[0][0], .5, 1e-14);
        assert_near(found.u[0][1], slips[k][1], 1e-14);
    }
}

/* Two contacts that are one: the friction of both is shared, and so is the load. */
static void twins_share(void **state)
{
    (void)state;
    crm_plane plane = {.contacts = 2, .q = {-1, .2, -1, .2}, .mu = {.5, .5}};
    for (int i = 0; i < 4; i++) {
        plane.d[i][i] = plane.d[i][(i + 2) % 4] = 1;
    }
    static crm_plane_answers found;
    crm_plane_find(&plane, &found);
    assert_int_equal(found.count, 1);
    assert_true(found.normals_differ);
    assert_near(found.r[0][0] + found.r[0][2], 1, 1e-9);
    assert_near(found.u[0][1], 0, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_those_of_the_judge),
        cmocka_unit_test(a_given_load_has_friction),
        cmocka_unit_test(twins_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
