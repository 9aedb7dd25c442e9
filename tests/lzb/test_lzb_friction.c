/* LZB with Coulomb friction: printed values of another author, closed forms, an independent
 * integrator (friction_judge.h), and what holds for every impact.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "friction_call.h"
#include "friction_closed.h"
#include "friction_judge.h"
#include "friction_named.h"
#include "friction_printed.h"
#include "friction_random.h"
#include "law/lzb/engine/friction/discs.h"
#include "law_call.h"
#include "rng.h"

/* What is printed to eight digits, the last of them off by one here and there. */
static const double PRINTED = 1.6e-8;

static crm_outcome *solve_by(const friction_case *c, double tolerance, const char *model_name,
                             const crm_recorder *recorder)
{
    crm_model *model = friction_model(c);
    crm_settings *settings = law_settings(crm_law_find("lzb"));
    crm_outcome *outcome = NULL;
    crm_error error = {0};
    assert_ok(crm_settings_set_number(settings, "tolerance", tolerance, &error), &error);
    assert_ok(crm_settings_set_text(settings, "stiffness_model", model_name, &error), &error);
    assert_ok(crm_solve(model, c->velocity, settings, recorder, &outcome, &error), &error);
    crm_settings_free(settings);
    crm_model_free(model);
    return outcome;
}

static crm_outcome *solve(const friction_case *c)
{
    return solve_by(c, 1e-10, "bi", NULL);
}

static void close_to(double value, double printed)
{
    if (!(fabs(value - printed) <= PRINTED)) {
        fail_msg("%.10f where %.8f is printed", value, printed);
    }
}

static void all_close_to(const double *value, const double *printed, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        close_to(value[i], printed[i]);
    }
}

static double sum_of(const double *numbers, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += numbers[i];
    }
    return sum;
}

static void losses_close_to(const crm_outcome *o, double normal, double tangential)
{
    double friction = o->loss_friction != NULL ? sum_of(o->loss_friction, o->contacts) : 0;
    close_to(friction, tangential);
    close_to(sum_of(o->loss, o->contacts) - friction, normal);
}

/* ---- Printed values -------------------------------------------------------------------------- */

static void a_block_rocks(void **state)
{
    (void)state;
    for (size_t i = 0; i < FRICTION_BLOCK_ROWS; i++) {
        const friction_block_row *row = &friction_printed_block[i];
        friction_case c = friction_rocking_block(row->half_height,
                                                 (friction_law){row->exponent, row->e, row->mu});
        crm_outcome *o = solve(&c);
        assert_int_equal(o->result, CRM_SOLVED);
        all_close_to(o->velocity, row->velocity, 3);
        all_close_to(o->impulse, row->impulse, 2);
        close_to(o->tangential_impulse != NULL ? sum_of(o->tangential_impulse, 2) : 0, row->q);
        losses_close_to(o, row->loss_normal, row->loss_tangential);
        crm_outcome_free(o);
    }
}

static void discs_in_a_line(void **state)
{
    (void)state;
    for (size_t i = 0; i < FRICTION_LINE_ROWS; i++) {
        const friction_line_row *row = &friction_printed_line[i];
        friction_case c = friction_disc_line((friction_law){1.5, row->e, row->mu});
        crm_outcome *o = solve(&c);
        all_close_to(o->velocity, row->velocity, 9);
        all_close_to(o->impulse, row->impulse, 2);
        if (row->mu > 0) {
            all_close_to(o->tangential_impulse, row->tangential, 2);
        }
        losses_close_to(o, row->loss_normal, row->loss_tangential);
        crm_outcome_free(o);
    }
}

static void a_cue_strikes_two_discs(void **state)
{
    (void)state;
    for (size_t i = 0; i < FRICTION_BERNOULLI_ROWS; i++) {
        const friction_bernoulli_row *row = &friction_printed_bernoulli[i];
        friction_case c = friction_bernoulli(1, 0, 0, (friction_law){1.5, row->e, row->mu});
        crm_outcome *o = solve(&c);
        close_to(o->velocity[0], row->cue);
        close_to(o->velocity[3], row->x);
        close_to(o->velocity[4], row->y);
        close_to(o->velocity[5], row->spin);
        losses_close_to(o, row->loss_normal, row->loss_tangential);
        crm_outcome_free(o);
    }
}

static void a_sphere_on_three_supports(void **state)
{
    (void)state;
    for (size_t i = 0; i < FRICTION_SPHERE_ROWS; i++) {
        const friction_sphere_row *row = &friction_printed_sphere[i];
        friction_case c = friction_sphere_on_three(row->before, (friction_law){1.5, 0.8, row->mu});
        crm_outcome *o = solve(&c);
        assert_int_equal(o->result, CRM_SOLVED);
        all_close_to(o->velocity, row->velocity, 6);
        all_close_to(o->impulse, row->impulse, 3);
        losses_close_to(o, row->loss_normal, row->loss_tangential);
        crm_outcome_free(o);
    }
}

static void a_rod_on_a_rough_floor(void **state)
{
    (void)state;
    for (size_t i = 0; i < FRICTION_ROD_ROWS; i++) {
        const friction_rod_row *row = &friction_printed_rod[i];
        friction_case c = friction_rod(2, row->u_n, row->u_t, (friction_law){1.5, row->e, row->mu});
        crm_outcome *o = solve(&c);
        assert_int_equal(o->result, CRM_SOLVED);
        close_to(o->gap_velocity[0], row->after_n);
        close_to(o->slip_velocity[0], row->after_t);
        close_to(o->impulse[0], row->p);
        close_to(o->tangential_impulse[0], row->q);
        losses_close_to(o, row->loss_normal, row->loss_tangential);
        bool sticks = row->path == FRICTION_STOPS || row->path == FRICTION_JAMS;
        assert_int_equal((o->path[0] & CRM_PATH_STICK) != 0, sticks);
        assert_int_equal((o->path[0] & CRM_PATH_REVERSED) != 0, row->path == FRICTION_REVERSES);
        assert_int_equal((o->path[0] & CRM_PATH_JAM) != 0, row->path == FRICTION_JAMS);
        crm_outcome_free(o);
    }
}

/* Held where mu >= tan gamma: sin gamma / (sin gamma + mu cos gamma) of the energy stays. */
static void a_groove_holds_a_disc(void **state)
{
    (void)state;
    friction_case c = friction_groove(0.6, 0, (friction_law){1.5, 1, 0.8});
    crm_outcome *o = solve(&c);
    assert_int_equal(o->result, CRM_NOT_TERMINATED);
    assert_non_null(strstr(o->reason, "locked"));
    close_to(o->energy_held, 2 * 0.11524153);
    close_to(sum_of(o->loss_friction, 2), 2 * 0.13475847);
    for (size_t i = 0; i < 3; i++) {
        assert_true(fabs(o->velocity[i]) < 1e-10);
    }
    crm_outcome_free(o);
    c = friction_groove(0.6, 0, (friction_law){1.5, 0.5, 0.3});
    o = solve(&c);
    assert_int_equal(o->result, CRM_SOLVED);
    close_to(o->velocity[1], 0.31238144);
    crm_outcome_free(o);
    c = friction_groove(0.6, 0.3, (friction_law){1.5, 1, 0.8});
    o = solve(&c);
    assert_int_equal(o->result, CRM_NOT_TERMINATED);
    assert_non_null(strstr(o->reason, "bound"));
    crm_outcome_free(o);
}

/* ---- Closed forms ---------------------------------------------------------------------------- */

/* One contact is as Stronge says whatever its stiffness and exponent, by either stiffness model. */
static void single_contacts(const char *stiffness_model, uint64_t seed, size_t count)
{
    rng r = rng_seeded(seed);
    for (size_t i = 0; i < count; i++) {
        friction_case c = friction_random_plane(&r);
        friction_closed closed;
        if (!friction_closed_solve(&c, &closed)) {
            continue;
        }
        crm_outcome *o = solve_by(&c, 1e-10, stiffness_model, NULL);
        double allowed = 1e-9 * friction_speed(&c) * fmax(1, 1e-6 * (double)closed.conditioning);
        for (size_t k = 0; k < c.n; k++) {
            if (!(fabs(o->velocity[k] - (double)closed.velocity[k]) <= allowed)) {
                fail_msg("contact %zu: v[%zu] = %.12g where %.12g is right (%s %s)", i, k,
                         o->velocity[k], (double)closed.velocity[k], crm_result_text(o->result),
                         o->reason);
            }
        }
        if ((o->result == CRM_SOLVED) == closed.locked) {
            fail_msg("contact %zu: %s, e = %g; locked %d; held %g and %g", i, o->reason,
                     c.restitution[0], closed.locked, o->energy_held, (double)closed.held);
        }
        crm_outcome_free(o);
    }
}

static void one_contact_follows_stronge(void **state)
{
    (void)state;
    single_contacts("bi", 11, 600);
    single_contacts("mono", 12, 200);
}

static void spheres_slip_and_stick(void **state)
{
    (void)state;
    rng r = rng_seeded(5);
    for (size_t i = 0; i < 100; i++) {
        friction_case c = friction_random_sphere(&r);
        friction_closed closed;
        if (!friction_closed_solve(&c, &closed)) {
            continue;
        }
        crm_outcome *o = solve(&c);
        assert_int_equal(o->result, CRM_SOLVED);
        for (size_t k = 0; k < c.n; k++) {
            double off = fabs(o->velocity[k] - (double)closed.velocity[k]);
            assert_true(off <= 1e-9 * friction_speed(&c) * fmax(1, fabs(o->velocity[k])));
        }
        crm_outcome_free(o);
    }
}

/* ---- Random systems -------------------------------------------------------------------------- */

/* False: the judge does not know well enough. */
static bool agrees_with_the_judge(uint64_t seed, size_t i, size_t contacts)
{
    friction_draw draw;
    friction_case c = friction_random_of(seed, i, contacts, &draw);
    friction_answer judge;
    if (!friction_judge_solve(&c, &judge) || judge.status != FRICTION_ENDED ||
        !(judge.error < 3e-9)) {
        return false;
    }
    crm_outcome *o = solve_by(&c, 1e-8, "bi", NULL);
    if (o->result != CRM_SOLVED) {
        fail_msg("system %zu: %s", i, o->reason);
    }
    double speed = friction_speed(&c), off = 0;
    for (size_t k = 0; k < c.n; k++) {
        off = fmax(off, fabs(o->velocity[k] - judge.velocity[k]) / speed);
    }
    if (!(off <= 10 * o->error_estimate + 3 * judge.error + 1e-12)) {
        fail_msg("system %zu is off by %g, estimate %g, the judge's %g", i, off, o->error_estimate,
                 judge.error);
    }
    assert_true(o->kinematic && o->kinetic && o->energetic);
    if (!(o->energy_error < 1e-8)) { /* the tolerance */
        fail_msg("system %zu: the integration lost %g of the energy", i, o->energy_error);
    }
    for (size_t j = 0; j < c.s; j++) {
        assert_true(o->loss_friction == NULL || o->loss_friction[j] >= 0);
    }
    crm_outcome_free(o);
    return true;
}

static void random_systems_agree_with_the_judge(void **state)
{
    (void)state;
    size_t compared = 0;
    for (size_t i = 0; i < 60; i++) {
        compared += agrees_with_the_judge(7, i, 3);
    }
    assert_true(compared > 40);
}

/* Sticking is seen to end in a step that is then taken shorter, while another contact joins. */
static void a_step_not_taken_ends_no_sticking(void **state)
{
    (void)state;
    assert_true(agrees_with_the_judge(2, 470, 4));
}

/* Of four contacts or six some that stick begin to slip in space, from u_t = 0, with directions
 * that turn at once. That takes no more steps than the rest of an impact.
 */
static void slip_begins_in_space(void **state)
{
    (void)state;
    const size_t system[][2] = {{16, 4}, {16, 6}, {108, 4}, {150, 4}, {150, 6}};
    for (size_t i = 0; i < sizeof system / sizeof *system; i++) {
        friction_draw draw;
        friction_case c = friction_random_of(1, system[i][0], system[i][1], &draw);
        assert_int_equal(c.dim, 2);
        crm_outcome *o = solve_by(&c, 1e-8, "bi", NULL);
        assert_int_equal(o->result, CRM_SOLVED);
        if (!(o->steps < 1000)) {
            fail_msg("system %zu took %llu steps", i, (unsigned long long)o->steps);
        }
        assert_true(o->kinematic && o->kinetic && o->energetic);
        assert_true(o->energy_error < 1e-8);
        crm_outcome_free(o);
    }
}

enum { INSTANT_CONTACTS = 6, INSTANT_ROWS = 2 * INSTANT_CONTACTS };

/* A = T'T and q = T'f of random rows T of n columns. */
static void draw_instant(rng *r, size_t m, size_t n, double *matrix, double *q)
{
    double tangent[INSTANT_ROWS][INSTANT_ROWS], force[INSTANT_ROWS];
    for (size_t k = 0; k < n; k++) {
        force[k] = rng_normal(r);
        for (size_t i = 0; i < m; i++) {
            tangent[i][k] = rng_normal(r);
        }
    }
    for (size_t i = 0; i < m; i++) {
        q[i] = 0;
        for (size_t k = 0; k < n; k++) {
            q[i] += tangent[i][k] * force[k];
        }
        for (size_t j = 0; j < m; j++) {
            matrix[i * m + j] = 0;
            for (size_t k = 0; k < n; k++) {
                matrix[i * m + j] += tangent[i][k] * tangent[j][k];
            }
        }
    }
}

/* a = 0, or f on its circle against a, but for rounding of the largest force. */
static void obeys_coulomb(const lzb_discs *discs, size_t j, double rounding)
{
    unsigned d = discs->d;
    double size = 0, press = 0, off = 0, radius = discs->radius[j];
    for (unsigned k = 0; k < d; k++) {
        size = hypot(size, discs->a[j * d + k]);
        press = hypot(press, discs->f[j * d + k]);
    }
    for (unsigned k = 0; k < d && size > 0; k++) {
        off = fmax(off, fabs(discs->f[j * d + k] + radius * discs->a[j * d + k] / size));
    }
    assert_true(press <= radius * (1 + 1e-12));
    if (size > 1e-10 * discs->size && !(off <= 1e-6 * radius + rounding)) {
        fail_msg("a = %g of %g, f off by %g of %g", size, discs->size, off, radius);
    }
}

/* Coulomb's law on accelerations, for contacts that press by anything from nothing to all, of
 * dependent tangents.
 */
static void instants_obey_coulomb(void **state)
{
    (void)state;
    rng r = rng_seeded(17);
    for (size_t trial = 0; trial < 2000; trial++) {
        unsigned d = 1 + trial % 2;
        size_t count = 2 + rng_below(&r, INSTANT_CONTACTS - 1), m = count * d;
        double matrix[INSTANT_ROWS * INSTANT_ROWS], q[INSTANT_ROWS], radius[INSTANT_CONTACTS];
        double most = 0;
        draw_instant(&r, m, 1 + rng_below(&r, m), matrix, q);
        for (size_t j = 0; j < count; j++) {
            radius[j] = rng_below(&r, 2) ? rng_log(&r, 1e-2, 1e1) : rng_log(&r, 1e-35, 1e-20);
            most = fmax(most, radius[j]);
        }
        crm_pool pool = {0};
        lzb_discs discs = {0};
        assert_true(lzb_discs_take(&discs, count, d, &pool));
        memset(discs.f, 0, m * sizeof *discs.f);
        discs.count = count;
        discs.matrix = matrix;
        discs.q = q;
        discs.radius = radius;
        lzb_discs_solve(&discs);
        for (size_t j = 0; j < count; j++) {
            obeys_coulomb(&discs, j, 1e-15 * most);
        }
        crm_pool_release(&pool);
    }
}

/* Two contacts are left that creep at a speed which counts as none. */
static void creeping_ends(void **state)
{
    (void)state;
    friction_draw draw;
    friction_case c = friction_random_of(2, 279, 12, &draw);
    crm_outcome *o = solve_by(&c, 1e-8, "bi", NULL);
    assert_int_equal(o->result, CRM_SOLVED);
    assert_true(o->kinematic && o->kinetic && o->energetic);
    crm_outcome_free(o);
}

/* ---- Without friction, histories, what is refused -------------------------------------------- */

static void no_friction_changes_no_bit(void **state)
{
    (void)state;
    for (size_t i = 0; i < 40; i++) {
        friction_draw draw;
        friction_case c = friction_random_of(9, i, 6, &draw);
        memset(c.friction, 0, sizeof c.friction);
        crm_outcome *o = solve(&c);
        crm_system_def def = crm_system_def_default();
        def.coordinates = c.n;
        def.contacts = c.s;
        def.mass_dense = c.mass;
        def.w_dense = c.w;
        def.stiffness = c.stiffness;
        def.exponent = c.exponent;
        def.restitution = c.restitution;
        def.boundary_velocity = c.wall_normal;
        crm_model *model = NULL;
        crm_error error = {0};
        assert_ok(crm_model_from_system(&def, &model, &error), &error);
        crm_settings *settings = law_settings(crm_law_find("lzb"));
        assert_ok(crm_settings_set_number(settings, "tolerance", 1e-10, &error), &error);
        crm_outcome *plain = NULL;
        assert_ok(crm_solve(model, c.velocity, settings, NULL, &plain, &error), &error);
        assert_memory_equal(o->velocity, plain->velocity, c.n * sizeof *o->velocity);
        assert_memory_equal(o->impulse, plain->impulse, c.s * sizeof *o->impulse);
        assert_null(o->tangential_impulse);
        crm_outcome_free(plain);
        crm_outcome_free(o);
        crm_settings_free(settings);
        crm_model_free(model);
    }
}

typedef struct last_sample {
    double velocity[FRICTION_COORDINATES];
    size_t coordinates;
    uint64_t samples;
} last_sample;

static crm_status keep(void *context, const crm_sample *sample)
{
    last_sample *last = context;
    memcpy(last->velocity, sample->velocity, last->coordinates * sizeof *last->velocity);
    last->samples++;
    return CRM_OK;
}

/* The velocities shown are by the impulses of friction, too. */
static void histories_end_with_the_outcome(void **state)
{
    (void)state;
    friction_case c = friction_bernoulli(1, 0.2, 0.3, (friction_law){1.5, 0.8, 0.3});
    last_sample last = {.coordinates = c.n};
    const crm_recorder recorder = {.context = &last, .record = keep};
    crm_outcome *shown = solve_by(&c, 1e-10, "bi", &recorder), *o = solve(&c);
    assert_true(last.samples > 10);
    assert_memory_equal(shown->velocity, o->velocity, c.n * sizeof *o->velocity);
    for (size_t i = 0; i < c.n; i++) {
        assert_true(fabs(last.velocity[i] - o->velocity[i]) < 1e-9);
    }
    crm_outcome_free(shown);
    crm_outcome_free(o);
}

static void published_schemes_refuse_friction(void **state)
{
    (void)state;
    friction_case c = friction_rod(2, -1, -1, (friction_law){1.5, 0.5, 0.3});
    crm_model *model = friction_model(&c);
    crm_settings *settings = law_settings(crm_law_find("lzb"));
    crm_outcome *outcome = NULL;
    crm_error error = {0};
    assert_ok(crm_settings_set_text(settings, "scheme", "impulse-euler", &error), &error);
    assert_int_not_equal(crm_solve(model, c.velocity, settings, NULL, &outcome, &error), CRM_OK);
    assert_non_null(strstr(error.message, "friction"));
    crm_settings_free(settings);
    crm_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_rocks),
        cmocka_unit_test(discs_in_a_line),
        cmocka_unit_test(a_cue_strikes_two_discs),
        cmocka_unit_test(a_sphere_on_three_supports),
        cmocka_unit_test(a_rod_on_a_rough_floor),
        cmocka_unit_test(a_groove_holds_a_disc),
        cmocka_unit_test(one_contact_follows_stronge),
        cmocka_unit_test(spheres_slip_and_stick),
        cmocka_unit_test(random_systems_agree_with_the_judge),
        cmocka_unit_test(a_step_not_taken_ends_no_sticking),
        cmocka_unit_test(slip_begins_in_space),
        cmocka_unit_test(creeping_ends),
        cmocka_unit_test(instants_obey_coulomb),
        cmocka_unit_test(no_friction_changes_no_bit),
        cmocka_unit_test(histories_end_with_the_outcome),
        cmocka_unit_test(published_schemes_refuse_friction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
