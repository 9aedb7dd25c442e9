/* moreau, newton and poisson with Coulomb's law: closed forms, conditions, several answers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "friction_call.h"
#include "friction_named.h"
#include "friction_random.h"

static const double ROUNDING = 1e-13;   /* of a contact in closed form */
static const double CONDITIONS = 1e-10; /* of random systems */
static const double DIGITS_5 = 6e-6;

static const char *const laws[] = {"moreau", "newton", "poisson"};
enum { LAWS_WITH = sizeof laws / sizeof laws[0] };

static void set_restitution_of_all(friction_case *c, double e)
{
    for (size_t j = 0; j < c->s; j++) {
        c->restitution[j] = e;
    }
}

/* ---- A rod at 45 degrees: D = [5/2 -3/2; -3/2 5/2] ------------------------------------------- */

static friction_case rod_at_45_degrees(void)
{
    return friction_rod(1, -1, 0.6, (friction_law){1.5, 1, 0.5});
}

/* It would stop both: D (P, Q) = (2, -.6), so that u+ = (1, 0), and T grows from .68 to .7925. */
static void newton_makes_energy_of_a_rod_at_45_degrees(void **state)
{
    (void)state;
    friction_case c = rod_at_45_degrees();
    for (int k = 0; k < 2; k++) {
        crm_outcome *o = friction_solve(laws[k], &c);
        assert_near(o->impulse[0], 1.025, ROUNDING);
        assert_near(o->tangential_impulse[0], 0.375, ROUNDING);
        assert_near(o->gap_velocity[0], 1, ROUNDING);
        assert_near(o->slip_velocity[0], 0, ROUNDING);
        assert_near(o->energy_before, 0.68, ROUNDING);
        assert_near(o->energy_after - o->energy_before, 0.7925 - 0.68, ROUNDING);
        assert_near(o->loss[0], 0.68 - 0.7925, ROUNDING);
        assert_false(o->energetic);
        assert_true(o->kinetic && o->kinematic && o->unique && o->tangential_unique);
        assert_non_null(strstr(o->note, "0.1125 J of energy from nothing"));
        crm_outcome_free(o);
    }
}

/* Compression: stick is beyond the cone, so slip forward: (5/2 + 3/4) P = 1, u_t = .6 - 2.75 P < 0:
 * so stick, P = .4, Q = 0. Expansion: P = .4, Q = .2 up to the cone, u = (.7, -.1).
 */
static void poisson_loses_energy_of_a_rod_at_45_degrees(void **state)
{
    (void)state;
    friction_case c = rod_at_45_degrees();
    crm_outcome *o = friction_solve("poisson", &c);
    assert_near(o->gap_velocity[0], 0.7, ROUNDING);
    assert_near(o->slip_velocity[0], -0.1, ROUNDING);
    assert_near(o->energy_before - o->energy_after, 0.07, ROUNDING);
    assert_true(o->energetic && o->kinetic && o->kinematic && o->unique);
    crm_outcome_free(o);
}

/* ---- Two links, 20 and 30 degrees from the vertical ------------------------------------------ */

static friction_case two_links(double e, double mu)
{
    double deg = acos(-1) / 180, one = 20 * deg, two = 30 * deg, half = 0.5 * cos(two - one);
    friction_case c = friction_blank(2, 1, 1);
    friction_set_all(&c, 1.5, e, mu);
    memcpy(c.mass, (double[4]){4. / 3, half, half, 1. / 3}, 4 * sizeof *c.mass);
    memcpy(c.w, (double[2]){sin(one), sin(two)}, 2 * sizeof *c.w);
    memcpy(c.t, (double[2]){cos(one), cos(two)}, 2 * sizeof *c.t);
    memcpy(c.velocity, (double[2]){-0.1, -0.2}, 2 * sizeof *c.velocity);
    return c;
}

static void a_pendulum_of_two_links_gains_by_newton_alone(void **state)
{
    (void)state;
    static const double table[][4] = {/* e, mu, T+/T- by newton, by poisson */
                                      {0.5, 0.25, 0.9559, 0.5989},
                                      {0.5, 0.5, 1.5875, 0.5449},
                                      {0.7, 0.5, 2.7576, 0.5709},
                                      {0.7, 0.7, 3.1115, 0.5385}};
    for (size_t k = 0; k < sizeof table / sizeof table[0]; k++) {
        friction_case c = two_links(table[k][0], table[k][1]);
        for (int law = 1; law < 3; law++) {
            crm_outcome *o = friction_solve(laws[law], &c);
            assert_near(o->energy_after / o->energy_before, table[k][1 + law], 6e-5);
            assert_int_equal(o->energetic, table[k][1 + law] <= 1);
            crm_outcome_free(o);
        }
    }
}

/* ---- Two contacts with several answers ------------------------------------------------------- */

static void a_plastic_impact_has_several_answers(void **state)
{
    (void)state;
    static const double d[16] = {1.58, -.64, 1.05, 1.13, -.64, 1,    -.11, -.14,
                                 1.05, -.11, .87,  1.08, 1.13, -.14, 1.08, 2.19};
    static const double u[4] = {-1.29, -1.2, -1.42, -.83};
    static const double answers[][4] = {
        {.61428, -1.37575, 0, 0}, {0, 0, .17050, .83141}, {0, -.16760, 0, 0}};
    friction_case c = friction_from_delassus(2, 1, d, u);
    set_restitution_of_all(&c, 0);
    c.friction[0] = 2.9;
    c.friction[1] = 1.8;
    for (size_t law = 0; law < LAWS_WITH; law++) {
        crm_outcome *o = friction_solve(laws[law], &c);
        double after[4] = {o->gap_velocity[0], o->slip_velocity[0], o->gap_velocity[1],
                           o->slip_velocity[1]};
        double nearest = INFINITY;
        for (size_t k = 0; k < 3; k++) {
            nearest = fmin(nearest, largest_difference(after, answers[k], 4));
        }
        assert_near(nearest, 0, DIGITS_5);
        assert_false(o->unique);
        assert_true(o->energetic);
        assert_true(friction_defect(&c, o, NULL) <= CONDITIONS);
        assert_non_null(strstr(o->note, "other impulses"));
        crm_outcome_free(o);
    }
}

/* The three of them in the note, whichever is the outcome. Poisson's law has one more: after the
 * third expansion may stop contact 1, [1.58 -.64; -.64 1] r = (0, .1676), r = (.09165, .22626) in
 * the cone, which opens contact 2 at 1.05 .09165 - .11 .22626.
 */
static void all_answers_are_listed(void **state)
{
    (void)state;
    static const double d[16] = {1.58, -.64, 1.05, 1.13, -.64, 1,    -.11, -.14,
                                 1.05, -.11, .87,  1.08, 1.13, -.14, 1.08, 2.19};
    static const double u[4] = {-1.29, -1.2, -1.42, -.83};
    friction_case c = friction_from_delassus(2, 1, d, u);
    crm_error error = {0};
    set_restitution_of_all(&c, 0);
    c.friction[0] = 2.9;
    c.friction[1] = 1.8;
    crm_model *model = friction_model(&c);
    for (size_t law = 0; law < LAWS_WITH; law++) {
        crm_settings *settings = law_settings(crm_law_find(laws[law]));
        assert_ok(crm_settings_set_text(settings, "answers", "all", &error), &error);
        crm_outcome *o = NULL;
        assert_ok(crm_solve(model, c.velocity, settings, NULL, &o, &error), &error);
        int count = law == 2 ? 4 : 3;
        char wanted[80];
        snprintf(wanted, sizeof wanted, "allows %d velocities after this impact; the others are",
                 count);
        const char *list = strstr(o->note, wanted);
        assert_non_null(list);
        list = strchr(list, '(');
        for (int other = 0; other < count - 1; other++) {
            double v[4];
            long double after[FRICTION_ROWS];
            assert_int_equal(sscanf(list, "(%lf %lf %lf %lf)", v, v + 1, v + 2, v + 3), 4);
            friction_slip(&c, v, after);
            assert_true(fabs((double)after[0] - .61428) < 5e-5 ||
                        fabs((double)after[1] - .17050) < 5e-5 ||
                        fabs((double)after[2] + .16760) < 5e-5 ||
                        (count == 4 && fabs((double)after[1] - .07134) < 5e-5));
            list = strchr(list + 1, '(');
        }
        crm_outcome_free(o);
        crm_settings_free(settings);
    }
    crm_model_free(model);
    friction_case many = friction_random(&(rng){0}, (friction_draw){FRICTION_ANY, 2, 2, 1});
    model = friction_model(&many);
    crm_settings *settings = law_settings(crm_law_find("newton"));
    crm_outcome *o = NULL;
    assert_ok(crm_settings_set_text(settings, "answers", "all", &error), &error);
    assert_int_equal(crm_solve(model, many.velocity, settings, NULL, &o, &error), CRM_ERROR_OPTION);
    assert_non_null(
        strstr(error.message, "in the plane, of up to 8 contacts; there are 2, in space"));
    crm_settings_free(settings);
    crm_model_free(model);
}

static void poisson_can_gain_where_restitutions_differ(void **state)
{
    (void)state;
    static const double d[16] = {4.61, 2.57, -.30, -3.24, 2.57,  2.38,  -.84, -1.85,
                                 -.30, -.84, .75,  .43,   -3.24, -1.85, .43,  2.42};
    static const double u[4] = {-2.14, -.68, -.58, 1.21};
    friction_case c = friction_from_delassus(2, 1, d, u);
    c.restitution[1] = 0;
    c.friction[0] = .1;
    c.friction[1] = 1.6;
    crm_outcome *o = friction_solve("poisson", &c);
    assert_near(o->gap_velocity[0], 4.40636, DIGITS_5);
    assert_near(o->slip_velocity[0], 2.19891, DIGITS_5);
    assert_near(o->gap_velocity[1], 0, DIGITS_5);
    assert_near(o->slip_velocity[1], -3.01274, DIGITS_5);
    assert_near(o->energy_after / o->energy_before, 2.3997, 6e-5);
    assert_false(o->energetic);
    assert_non_null(strstr(o->note, "energy from nothing"));
    crm_outcome_free(o);
    set_restitution_of_all(&c, 0);
    o = friction_solve("poisson", &c);
    assert_near(o->impulse[0], 1.24852, DIGITS_5);
    assert_near(o->impulse[1], .64109, DIGITS_5);
    crm_outcome_free(o);
}

/* ---- What friction determines ---------------------------------------------------------------- */

/* The corners of a block have one tangent: of the friction that holds them the sum alone is known.
 * Half height 1/2 and much friction: it lands flat, w = 0.
 */
static void two_corners_share_their_friction(void **state)
{
    (void)state;
    friction_case c = friction_rocking_block(0.5, (friction_law){1, 0, 2});
    for (size_t law = 0; law < LAWS_WITH; law++) {
        crm_outcome *o = friction_solve(laws[law], &c);
        assert_all_near(o->velocity, ((double[3]){0, 0, 0}), 3, ROUNDING);
        assert_near(o->impulse[0], 1. / 6, ROUNDING);
        assert_near(o->impulse[1], 5. / 6, ROUNDING);
        assert_near(o->tangential_impulse[0] + o->tangential_impulse[1], -.5, ROUNDING);
        assert_false(o->tangential_unique);
        assert_non_null(strstr(o->note, "tangents of contacts that stick depend"));
        crm_outcome_free(o);
    }
    c = friction_rocking_block(1, (friction_law){1, 0, .5}); /* rocks on: one corner is loaded */
    crm_outcome *o = friction_solve("newton", &c);
    assert_near(o->velocity[2], -1. / 7, ROUNDING);
    assert_near(o->tangential_impulse[1], -4. / 7, ROUNDING);
    assert_true(o->tangential_unique);
    crm_outcome_free(o);
}

/* Straight into a groove whose walls hold: at rest, although contacts can wedge. */
static void a_groove_that_wedges_has_an_answer(void **state)
{
    (void)state;
    friction_case c = friction_groove(.6, 0, (friction_law){1.5, 0, .8});
    crm_outcome *o = friction_solve("moreau", &c);
    assert_all_near(o->velocity, ((double[3]){0, 0, 0}), 3, ROUNDING);
    assert_true(friction_defect(&c, o, NULL) <= CONDITIONS);
    crm_outcome_free(o);
}

/* A wall of a wedge moves towards the other one: nothing can give way. */
static void walls_that_meet_are_infeasible(void **state)
{
    (void)state;
    friction_case c = friction_groove(1e-9, 0, (friction_law){1.5, 0, .1});
    memcpy(c.w, (double[6]){1, 0, 0, -1, 0, 0}, 6 * sizeof *c.w);
    memcpy(c.t, (double[6]){0, 1, 0, 0, 1, 0}, 6 * sizeof *c.t);
    c.wall_normal[0] = -1;
    for (size_t law = 0; law < LAWS_WITH; law++) {
        crm_outcome *o = friction_outcome(laws[law], &c);
        assert_int_equal(o->result, CRM_INFEASIBLE);
        assert_non_null(strstr(o->reason, "contacts 1, 2 cannot all part"));
        crm_outcome_free(o);
    }
}

/* ---- One contact in the plane ---------------------------------------------------------------- */

/* Without a slip that ends, Newton = Poisson = Stronge: P = (1 + e) c0 / (a - mu s b). */
static void all_laws_agree_where_slip_does_not_end(void **state)
{
    (void)state;
    friction_case c = friction_plane_contact(1.6, -1.2, 3.4, -1, -1, (friction_law){1, .5, .3});
    for (size_t law = 0; law < LAWS_WITH; law++) {
        crm_outcome *o = friction_solve(laws[law], &c);
        assert_near(o->gap_velocity[0], .5, ROUNDING);
        assert_near(o->slip_velocity[0], -1.21774194, 6e-9);
        assert_near(o->impulse[0], 1.5 / (1.6 - .3 * 1.2), ROUNDING);
        assert_near(o->tangential_impulse[0], .3 * o->impulse[0], ROUNDING);
        assert_near(o->loss_friction[0], .40241285, 6e-9);
        assert_true(o->unique);
        crm_outcome_free(o);
    }
}

/* ---- Random systems -------------------------------------------------------------------------- */

static void make_equal(friction_case *c)
{
    set_restitution_of_all(c, c->restitution[0]);
}

static bool has_answer(const crm_outcome *o, const friction_draw *draw, size_t *without)
{
    if (o->result == CRM_INFEASIBLE || o->result == CRM_NOT_TERMINATED) {
        (*without)++;
        return false;
    }
    if (o->result != CRM_SOLVED) {
        fail_msg("%s, %s: %s", o->law->name, friction_kind_name(draw->kind), o->reason);
    }
    return true;
}

static void account_closes(const friction_case *c, const crm_outcome *o)
{
    double lost = 0, size = 0, rounded = 0, terms[FRICTION_ROWS];
    friction_terms(c, o, terms);
    for (size_t j = 0; j < o->contacts; j++) {
        lost += o->loss[j];
        size += fabs(o->loss[j]) + (o->tangents > 0 ? fabs(o->loss_friction[j]) : 0);
        rounded += o->impulse[j] * terms[j];
    }
    for (size_t k = 0; k < o->contacts * o->tangents; k++) {
        rounded += fabs(o->tangential_impulse[k]) * terms[c->s + k];
    }
    size += o->energy_before + o->energy_after + fabs(o->boundary_work);
    assert_near(o->energy_before + o->boundary_work - o->energy_after - lost, 0,
                1e-12 * size + 1e-15 * rounded);
}

static double check_random(const char *law, const friction_case *c, const friction_draw *draw,
                           size_t *without)
{
    crm_outcome *o = friction_outcome(law, c), *compression = NULL;
    double worst = 0;
    if (has_answer(o, draw, without)) {
        friction_case plastic = *c;
        set_restitution_of_all(&plastic, 0);
        compression = strcmp(law, "poisson") == 0 ? friction_solve("newton", &plastic) : NULL;
        worst = friction_defect(c, o, compression);
        account_closes(c, o);
        assert_true(o->kinetic);
    }
    if (compression != NULL) {
        crm_outcome_free(compression);
    }
    crm_outcome_free(o);
    return worst;
}

static void random_systems_obey_coulombs_law(void **state)
{
    (void)state;
    size_t count = rounds(1500, 60), without = 0;
    double worst[LAWS_WITH] = {0};
    for (size_t k = 0; k < count; k++) {
        friction_draw draw;
        friction_case c = friction_random_of(77, k, 12, &draw);
        for (size_t law = 0; law < LAWS_WITH; law++) {
            friction_case own = c;
            if (law == 0) {
                make_equal(&own);
            }
            double defect = check_random(laws[law], &own, &draw, &without);
            if (!(defect <= CONDITIONS)) {
                print_message("%s %zu, %s, %zu contacts, dim %zu: %.3g\n", laws[law], k,
                              friction_kind_name(draw.kind), c.s, c.dim, defect);
            }
            worst[law] = fmax(worst[law], defect);
        }
    }
    print_message("largest defects %.2g %.2g %.2g; %zu of %zu without an answer\n", worst[0],
                  worst[1], worst[2], without, 3 * count);
    assert_true(fmax(worst[0], fmax(worst[1], worst[2])) <= CONDITIONS);
    assert_true(without <= count / 10);
}

/* Calls with one workspace give the same bits in any order, and the second allocates nothing that
 * its first did not.
 */
static void kept_solvers_change_no_bit(void **state)
{
    (void)state;
    crm_workspace *workspace = NULL;
    crm_error error = {0};
    assert_ok(crm_workspace_create(&workspace, &error), &error);
    for (size_t k = 0; k < 40; k++) {
        friction_draw draw;
        friction_case c = friction_random_of(5, k / 2, 6, &draw);
        c.friction[0] += k % 2 == 0 ? 0 : 0.125;
        c.mass[0] *= k % 2 == 0 ? 1 : 1.5;
        for (size_t law = 1; law < LAWS_WITH; law++) {
            crm_model *model = friction_model(&c);
            crm_settings *settings = law_settings(crm_law_find(laws[law]));
            crm_outcome *alone = friction_outcome(laws[law], &c);
            const crm_outcome *kept;
            assert_ok(crm_solve_with(workspace, model, c.velocity, settings, NULL, &kept, &error),
                      &error);
            assert_memory_equal(alone->velocity, kept->velocity, c.n * sizeof *kept->velocity);
            crm_outcome_free(alone);
            crm_settings_free(settings);
            crm_model_free(model);
        }
    }
    crm_workspace_free(workspace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(newton_makes_energy_of_a_rod_at_45_degrees),
        cmocka_unit_test(poisson_loses_energy_of_a_rod_at_45_degrees),
        cmocka_unit_test(a_pendulum_of_two_links_gains_by_newton_alone),
        cmocka_unit_test(a_plastic_impact_has_several_answers),
        cmocka_unit_test(all_answers_are_listed),
        cmocka_unit_test(poisson_can_gain_where_restitutions_differ),
        cmocka_unit_test(two_corners_share_their_friction),
        cmocka_unit_test(a_groove_that_wedges_has_an_answer),
        cmocka_unit_test(walls_that_meet_are_infeasible),
        cmocka_unit_test(all_laws_agree_where_slip_does_not_end),
        cmocka_unit_test(random_systems_obey_coulombs_law),
        cmocka_unit_test(kept_solvers_change_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
