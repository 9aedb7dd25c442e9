/* Derivatives of the laws by complementarity and of binary collisions: against differences of
 * outcomes by the judges, forwards against backwards, and where there are none.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "dense.h"
#include "lcp_judge.h"
#include "sensitivity_call.h"

static const char *const laws[] = {"moreau", "newton", "generalized-newton", "poisson", "binary"};
enum { LAWS = sizeof laws / sizeof *laws, SYSTEMS = 60 };

/* A system of every kind in turn, moving everywhere. One coefficient for Moreau. */
static small_system draw(rng *r, size_t number, bool one)
{
    random_choice choice = random_choice_default();
    choice.least_restitution = 0.3;
    choice.most_contacts = 4;
    disc_patch patch;
    small_system system = number % 4 == 0   ? random_chain(r, choice, false)
                          : number % 4 == 1 ? random_chain(r, choice, true)
                          : number % 4 == 2 ? random_lagrangian(r, choice)
                                            : random_disc_patch(r, choice, &patch);
    for (size_t i = 0; i < system.n; i++) {
        system.velocity[i] += 0.1 * rng_uniform(r, -1, 1);
    }
    for (size_t j = 0; one && j < system.s; j++) {
        system.restitution[j] = system.restitution[0];
    }
    return system;
}

static crm_settings *settings_of(const char *name, size_t number)
{
    static const char *const orders[] = {"left-to-right", "right-to-left", "fastest"};
    crm_settings *settings = law_settings(crm_law_find(name));
    crm_error error;
    if (strcmp(name, "binary") == 0) {
        assert_ok(crm_settings_set_text(settings, "order", orders[number % 3], &error), &error);
    }
    return settings;
}

/* ---- The laws once more ---------------------------------------------------------------------- */

typedef struct answer {
    double velocity[SMALL], impulse[SMALL];
} answer;

/* The contact that collides next by an order of settings_of; system->s: none closes. */
static size_t next_collision(const small_system *system, size_t order, const double *u)
{
    size_t next = system->s;
    for (size_t k = 0; k < system->s; k++) {
        size_t j = order == 1 ? system->s - 1 - k : k;
        bool first = next == system->s || (order == 2 && u[j] < u[next]);
        if (u[j] < -1e-13 && first) {
            next = j;
        }
    }
    return next;
}

/* Collisions of two bodies at a time: an impulse p = (1 + e) c / D_jj at the contact j. */
static bool collide(const small_system *system, size_t order, answer *a)
{
    size_t n = system->n;
    long double factor[SMALL * SMALL] = {0};
    for (size_t i = 0; i < n * n; i++) {
        factor[i / n * SMALL + i % n] = system->mass[i];
    }
    assert_true(dense_factorize(factor, n));
    memcpy(a->velocity, system->velocity, sizeof a->velocity);
    memset(a->impulse, 0, sizeof a->impulse);
    for (size_t count = 0; count < 10000; count++) {
        double u[SMALL];
        small_system_gap_velocity(system, a->velocity, u);
        size_t j = next_collision(system, order, u);
        if (j == system->s) {
            return true;
        }
        const double *w = &system->w[j * n];
        long double way[SMALL] = {0}, own = 0;
        for (size_t i = 0; i < n; i++) {
            way[i] = w[i];
        }
        dense_solve(factor, n, way);
        for (size_t i = 0; i < n; i++) {
            own += w[i] * way[i];
        }
        double p = -(1 + system->restitution[j]) * u[j] / (double)own;
        a->impulse[j] += p;
        for (size_t i = 0; i < n; i++) {
            a->velocity[i] += (double)way[i] * p;
        }
    }
    return false;
}

/* By Lemke's method in four times the precision, or by the sequence; false: no answer, or the
 * judge is not sure of it.
 */
static bool judge_law(const char *name, size_t number, const small_system *system, answer *a)
{
    if (strcmp(name, "binary") == 0) {
        return collide(system, number % 3, a);
    }
    lcp_verdict verdict =
        strcmp(name, "poisson") == 0 ? lcp_judge_poisson(system) : lcp_judge_newton(system, NULL);
    memcpy(a->velocity, verdict.velocity, sizeof a->velocity);
    memcpy(a->impulse, verdict.impulse, sizeof a->impulse);
    return verdict.sure && verdict.feasible && verdict.independent;
}

/* By central differences. */
static bool differences(const small_system *system, const crm_model *model, const char *name,
                        size_t number, const small_variation *by, small_response *want)
{
    const double h = 1e-5;
    answer a[2];
    double energy[2];
    for (size_t k = 0; k < 2; k++) {
        small_system beside = moved(system, model, by, k == 0 ? h : -h);
        if (!judge_law(name, number, &beside, &a[k])) {
            return false;
        }
        energy[k] = small_system_energy(&beside, a[k].velocity);
    }
    for (size_t i = 0; i < SMALL; i++) {
        want->velocity[i] = i < system->n ? (a[0].velocity[i] - a[1].velocity[i]) / (2 * h) : 0;
        want->impulse[i] = i < system->s ? (a[0].impulse[i] - a[1].impulse[i]) / (2 * h) : 0;
    }
    want->energy = (energy[0] - energy[1]) / (2 * h);
    return true;
}

static void compare(const char *name, size_t number, size_t *compared)
{
    rng r = rng_seeded(700 + number);
    bool one = strcmp(name, "moreau") == 0;
    small_system system = draw(&r, number, one);
    crm_model *model = small_system_model(&system);
    crm_settings *settings = settings_of(name, number);
    small_variation by = random_direction(&r, &system, model), gradient;
    for (size_t j = 0; one && j < system.s; j++) {
        by.restitution[j] = by.restitution[0];
    }
    small_response got = {0}, weights = {0}, want = {0};
    crm_response view = response_view(&got), weigh = response_view(&weights);
    crm_variation direction = variation_view(&by), to = variation_view(&gradient);
    crm_smoothness smoothness;
    crm_error error;
    crm_status status = crm_solve_forward(NULL, model, system.velocity, settings, 1, &direction,
                                          &view, &smoothness, &error);
    bool answered = differences(&system, model, name, number, &by, &want);
    if (status == CRM_ERROR_NUMERICS && !answered) { /* as it is told */
        crm_settings_free(settings);
        crm_model_free(model);
        return;
    }
    assert_ok(status, &error);
    assert_true(isnan(view.duration) && isnan(got.loss[0]) && isnan(got.peak_force[0]));
    if (answered && smoothness.margin > 1e-3) {
        double near = 1e-6 * fmax(1, largest_size(want.velocity, system.n));
        assert_all_near(got.velocity, want.velocity, system.n, near);
        assert_all_near(got.impulse, want.impulse, system.s, near);
        assert_near(view.energy, want.energy, 1e-6 * fmax(1, fabs(want.energy)));
        (*compared)++;
    }
    for (size_t i = 0; i < SMALL; i++) {
        weights.velocity[i] = rng_uniform(&r, -1, 1);
        weights.impulse[i] = rng_uniform(&r, -1, 1);
    }
    weigh.energy = weights.energy = rng_uniform(&r, -1, 1);
    weigh.loss = weigh.peak_force = NULL;
    assert_ok(
        crm_solve_reverse(NULL, model, system.velocity, settings, 1, &weigh, &to, NULL, &error),
        &error);
    memset(got.loss, 0, sizeof got.loss);
    memset(got.peak_force, 0, sizeof got.peak_force);
    got.energy = view.energy;
    double forward = response_product(model, &weights, &got);
    assert_near(variation_product(model, &gradient, &by), forward, 1e-8 * fmax(1, fabs(forward)));
    crm_settings_free(settings);
    crm_model_free(model);
}

static void derivatives_are_those_of_the_laws(void **state)
{
    (void)state;
    for (size_t k = 0; k < LAWS; k++) {
        size_t compared = 0;
        for (size_t number = 0; number < SYSTEMS; number++) {
            compare(laws[k], number, &compared);
        }
        print_message("%s: %zu of %d compared\n", laws[k], compared, (int)SYSTEMS);
        assert_true(compared > SYSTEMS / 3);
    }
}

/* Three balls at a matrix of restitution: v+ = (0, 0, 1) v1, P2 (3.9). */
static void a_matrix_of_restitution_counts(void **state)
{
    (void)state;
    small_system system = small_system_chain(3, false);
    system.velocity[0] = 1;
    crm_model *model = small_system_model(&system);
    crm_settings *settings = law_settings(crm_law_find("generalized-newton"));
    const double matrix[] = {0, 0, 1, 0};
    double faster[] = {1, 0, 0}, change[3];
    crm_variation direction = {.velocity = faster};
    crm_response response = {.velocity = change};
    crm_error error;
    assert_ok(crm_settings_set_list(settings, "restitution_matrix", 4, matrix, &error), &error);
    assert_ok(crm_solve_forward(NULL, model, system.velocity, settings, 1, &direction, &response,
                                NULL, &error),
              &error);
    assert_all_near(change, ((double[]){0, 0, 1}), 3, 1e-14);
    crm_settings_free(settings);
    crm_model_free(model);
}

/* Equal balls: ball 3 strikes ball 2 as fast as ball 1 does, and who is first decides. */
static void a_contest_of_collisions_is_told(void **state)
{
    (void)state;
    small_system system = small_system_chain(3, false);
    system.velocity[0] = 1;
    system.velocity[2] = -1;
    system.restitution[0] = system.restitution[1] = 0.9;
    crm_model *model = small_system_model(&system);
    crm_settings *settings = settings_of("binary", 2);
    double faster[] = {1, 0, 0};
    crm_variation direction = {.velocity = faster};
    crm_response response = {0};
    crm_smoothness found;
    crm_error error;
    assert_ok(crm_solve_forward(NULL, model, system.velocity, settings, 1, &direction, &response,
                                &found, &error),
              &error);
    assert_false(found.differentiable);
    assert_non_null(strstr(found.reason, "as fast as"));
    crm_settings_free(settings);
    settings = settings_of("binary", 0);
    assert_ok(crm_settings_set_text(settings, "order", "all", &error), &error);
    assert_int_equal(crm_solve_forward(NULL, model, system.velocity, settings, 1, &direction,
                                       &response, &found, &error),
                     CRM_ERROR_OPTION);
    crm_settings_free(settings);
    crm_model_free(model);
}

/* Two balls that touch at rest beside an impact: pressed they take part, parted they do not. */
static void contacts_that_hardly_part_are_told(void **state)
{
    (void)state;
    small_system system = small_system_blank(4, 2);
    system.w[0] = system.w[4 + 2] = -1;
    system.w[1] = system.w[4 + 3] = 1;
    system.velocity[0] = 1;
    crm_model *model = small_system_model(&system);
    double apart[] = {0, 0, 0, 1}, first[] = {1, 0, 0, 0};
    crm_variation directions[] = {{.velocity = apart}, {.velocity = first}};
    crm_response responses[2] = {0};
    crm_smoothness found[2];
    crm_error error;
    for (size_t k = 0; k < LAWS; k++) {
        crm_settings *settings = settings_of(laws[k], 0);
        assert_ok(crm_solve_forward(NULL, model, system.velocity, settings, 2, directions,
                                    responses, found, &error),
                  &error);
        assert_false(found[0].differentiable);
        assert_int_equal(found[0].contact, 1);
        assert_true(found[1].differentiable);
        crm_settings_free(settings);
    }
    crm_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_are_those_of_the_laws),
        cmocka_unit_test(a_matrix_of_restitution_counts),
        cmocka_unit_test(a_contest_of_collisions_is_told),
        cmocka_unit_test(contacts_that_hardly_part_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
