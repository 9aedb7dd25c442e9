/* Whether 95 % intervals hold the truth in 95 of 100 cases: what was seen is the judge's outcome
 * with noise of the stated uncertainty, again and again.
 *
 * CAROM_TEST_DRAWS: how many draws of each problem (scripts/soak: 1000, of which 93 to 97 % must
 * hold every parameter).
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "carom/inverse.h"
#include "judge.h"
#include "support.h"

enum { TEXT = 4096, DATA = 16, PARAMETERS = 4 };

typedef struct problem {
    const char *head; /* of the scenario */
    size_t data;
    const char *what[DATA]; /* with its `set`, if any */
    double truth[DATA], uncertainty[DATA];
    size_t parameters;
    double parameter[PARAMETERS];
} problem;

static size_t draws(void)
{
    const char *given = getenv("CAROM_TEST_DRAWS");
    return given != NULL ? strtoul(given, NULL, 10) : rounds(25, 4);
}

static void write_text(const problem *p, rng *r, bool weighed, char *text)
{
    size_t used = (size_t)snprintf(text, TEXT, "%s  measured:\n", p->head);
    for (size_t i = 0; i < p->data; i++) {
        double seen = p->truth[i] + p->uncertainty[i] * rng_normal(r);
        used +=
            (size_t)snprintf(text + used, TEXT - used, "    - {value: %.17g, %s", seen, p->what[i]);
        if (weighed) {
            used += (size_t)snprintf(text + used, TEXT - used, ", uncertainty: %.17g",
                                     p->uncertainty[i]);
        }
        used += (size_t)snprintf(text + used, TEXT - used, "}\n");
    }
    assert_true(used < TEXT);
}

/* Chance alone leaves the share of N draws within four of its standard deviations; of 1000 draws
 * it is to be from 93 to 97 %.
 */
static void check_share(size_t held, size_t count, const char *name)
{
    double share = (double)held / (double)count;
    double away = count >= 1000 ? 0.02 : 4 * sqrt(0.95 * 0.05 / (double)count);
    print_message("%s: %.1f %% of %zu intervals hold it\n", name, 100 * share, count);
    assert_true(fabs(share - 0.95) <= away);
}

static void cover(const problem *p, bool weighed)
{
    size_t held[PARAMETERS] = {0}, count = draws();
    char names[PARAMETERS][64] = {""};
    rng r = rng_seeded(2026);
    for (size_t k = 0; k < count; k++) {
        char text[TEXT];
        crm_fit *fit = NULL;
        crm_error error = {0};
        write_text(p, &r, weighed, text);
        crm_source source = {.text = text, .length = strlen(text)};
        assert_ok(crm_fit_solve(&source, NULL, &fit, &error), &error);
        assert_true(fit->converged);
        assert_int_equal(fit->parameter_count, p->parameters);
        for (size_t j = 0; j < p->parameters; j++) {
            const crm_fit_parameter *found = &fit->parameters[j];
            assert_true(found->determined);
            held[j] +=
                found->interval[0] <= p->parameter[j] && p->parameter[j] <= found->interval[1];
            snprintf(names[j], sizeof names[j], "%s", found->name);
        }
        crm_fit_free(fit);
    }
    for (size_t j = 0; j < p->parameters; j++) {
        check_share(held[j], count, names[j]);
    }
}

/* ---- The problems ---------------------------------------------------------------------------- */

static void restitutions_from_velocities(void **state)
{
    (void)state;
    small_system system = small_system_chain(3, false);
    system.mass[0] = 2;
    system.restitution[0] = 0.7;
    system.restitution[1] = 0.85;
    system.stiffness[1] = 3;
    system.velocity[0] = 1;
    judgement one = judge(&system, false, 0);
    system.velocity[2] = -1;
    judgement two = judge(&system, false, 0);
    problem p = {.head = "chain: {mass: [2, 1, 1], velocity: [1], stiffness: [1, 2], restitution: "
                         "[0.5, 0.5]}\n"
                         "fit:\n"
                         "  parameters:\n"
                         "    chain.restitution: {from: 0.05, to: 1}\n"
                         "    'chain.stiffness[2]': {from: 0.1, to: 30}\n",
                 .data = 6,
                 .what = {"what: 'velocity[1]'", "what: 'velocity[2]'", "what: 'velocity[3]'",
                          "what: 'velocity[1]', set: ['chain.velocity=[1, 0, -1]']",
                          "what: 'velocity[2]', set: ['chain.velocity=[1, 0, -1]']",
                          "what: 'velocity[3]', set: ['chain.velocity=[1, 0, -1]']"},
                 .parameters = 3,
                 .parameter = {0.7, 0.85, 3}};
    for (size_t i = 0; i < 6; i++) {
        p.truth[i] = i < 3 ? one.velocity[i] : two.velocity[i - 3];
        p.uncertainty[i] = 0.01;
    }
    cover(&p, true);
}

/* Peak forces and contact times: stiffness and restitution of two balls, and of the wall. */
static void forces_and_times_at_a_wall(void **state)
{
    (void)state;
    problem p = {.head = "chain: {mass: [0.5, 1], velocity: [1], stiffness: 1000, exponent: 1.5, "
                         "restitution: 0.75, wall: {side: right, stiffness: 1700, restitution: "
                         "0.75}}\n"
                         "fit:\n"
                         "  parameters:\n"
                         "    chain.stiffness: {from: 100, to: 5000}\n"
                         "    chain.wall.stiffness: {from: 100, to: 5000}\n"
                         "    chain.restitution: {from: 0.3, to: 1}\n"
                         "    chain.wall.restitution: {from: 0.3, to: 1}\n",
                 .parameters = 4,
                 .parameter = {1200, 1500, 0.8, 0.7}};
    static const char *const whats[2][5] = {{"what: 'peak_force[1]'", "what: 'peak_force[2]'",
                                             "what: duration", "what: 'velocity[1]'",
                                             "what: 'velocity[2]'"},
                                            {"what: 'peak_force[1]', set: ['chain.velocity=[2]']",
                                             "what: 'peak_force[2]', set: ['chain.velocity=[2]']",
                                             "what: duration, set: ['chain.velocity=[2]']",
                                             "what: 'velocity[1]', set: ['chain.velocity=[2]']",
                                             "what: 'velocity[2]', set: ['chain.velocity=[2]']"}};
    for (int fast = 0; fast < 2; fast++) {
        small_system system = small_system_chain(2, true);
        system.mass[0] = 0.5;
        system.velocity[0] = fast ? 2 : 1;
        system.stiffness[0] = 1200;
        system.stiffness[1] = 1500;
        system.restitution[0] = 0.8;
        system.restitution[1] = 0.7;
        judgement seen = judge(&system, false, 0);
        double truth[] = {seen.peak_force[0], seen.peak_force[1], seen.duration, seen.velocity[0],
                          seen.velocity[1]};
        for (size_t i = 0; i < 5; i++, p.data++) {
            p.what[p.data] = whats[fast][i];
            p.truth[p.data] = truth[i];
            p.uncertainty[p.data] = 0.01 * fabs(truth[i]);
        }
    }
    cover(&p, true);
}

/* No uncertainties are given: intervals are Student's, of few degrees of freedom. */
static void a_scatter_that_is_not_known(void **state)
{
    (void)state;
    small_system system = small_system_chain(2, true);
    system.mass[0] = 0.058;
    system.mass[3] = 0.58;
    system.velocity[0] = system.velocity[1] = 5;
    system.exponent[0] = system.exponent[1] = 1;
    system.stiffness[1] = 12;
    system.restitution[0] = 0.5;
    system.restitution[1] = 0.8;
    judgement seen = judge(&system, false, 0);
    problem p = {.head = "chain: {mass: [0.058, 0.58], velocity: 5, exponent: 1, stiffness: 1, "
                         "restitution: 0.7, wall: {side: right, stiffness: 12, restitution: 0.6}}\n"
                         "fit:\n"
                         "  parameters:\n"
                         "    chain.restitution: {from: 0, to: 1}\n"
                         "    chain.wall.restitution: {from: 0, to: 1}\n",
                 .data = 6,
                 .parameters = 2,
                 .parameter = {0.5, 0.8}};
    for (size_t i = 0; i < 6; i++) {
        p.what[i] = i % 2 == 0 ? "what: 'velocity[1]'" : "what: 'velocity[2]'";
        p.truth[i] = seen.velocity[i % 2];
        p.uncertainty[i] = 0.05;
    }
    cover(&p, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(restitutions_from_velocities),
        cmocka_unit_test(forces_and_times_at_a_wall),
        cmocka_unit_test(a_scatter_that_is_not_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
