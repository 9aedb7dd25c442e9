/* What takes part in an impact, what a law may answer (docs/motion/events.md), orientations. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "motion_call.h"
#include "support.h"

static const double CLOSE = 1e-9;
static const double G = 9.81;

static impact_list impacts;

/* ---- Beads in a line with a small gap -------------------------------------------------------- */

static crm_status beads_mass(void *context, const double *q, double *mass)
{
    (void)context, (void)q;
    memset(mass, 0, 9 * sizeof *mass);
    mass[0] = mass[4] = mass[8] = 1;
    return CRM_OK;
}

static crm_status beads_gap(void *context, double t, const double *q, double *gap)
{
    (void)context, (void)t;
    gap[0] = q[1] - q[0];
    gap[1] = q[2] - q[1];
    return CRM_OK;
}

static crm_lagrangian_def beads_def(const double *position, const double *velocity)
{
    crm_lagrangian_def def = crm_lagrangian_def_default();
    def.positions = def.velocities = 3;
    def.gaps = 2;
    def.mass = beads_mass;
    def.gap = beads_gap;
    def.position = position;
    def.velocity = velocity;
    return def;
}

static size_t contacts_of_first(double gap, const crm_motion_options *options,
                                const double *stiffness, const double *exponent)
{
    const double position[] = {0, 1, 1 + gap}, velocity[] = {1, 0, 0};
    crm_lagrangian_def def = beads_def(position, velocity);
    def.stiffness = stiffness;
    def.exponent = exponent;
    crm_motion *motion = motion_of(&def, options);
    crm_observer observer = impact_observer(&impacts);
    run_to(motion, 5, &observer);
    assert_account_closes(motion, 1e-9);
    crm_motion_free(motion);
    assert_true(impacts.count > 0);
    return impacts.row[0].contacts;
}

static void closure_by_distance(void **state)
{
    (void)state;
    crm_motion_options options = crm_motion_options_default();
    assert_int_equal(contacts_of_first(0.99e-9, &options, NULL, NULL), 2);
    assert_int_equal(contacts_of_first(1.01e-9, &options, NULL, NULL), 1);
    options.closure = 1e-3;
    assert_int_equal(contacts_of_first(0.99e-3, &options, NULL, NULL), 2);
    assert_int_equal(contacts_of_first(1.01e-3, &options, NULL, NULL), 1);
}

/* D_jj = 2: K x^(eta+1) / (eta+1) = c^2/4. Linear, K = 5000: x = sqrt(1/10000) = 0.01; Hertz, K =
 * 6250: x = (2.5 / 25000)^0.4 = 10^-1.6.
 */
static void closure_by_indentation(void **state)
{
    (void)state;
    crm_motion_options options = crm_motion_options_default();
    options.closure_kind = CRM_CLOSURE_INDENTATION;
    const double linear[] = {1, 1}, hertz[] = {1.5, 1.5}, k1[] = {1, 5000}, k2[] = {1, 6250};
    assert_int_equal(contacts_of_first(0.00999, &options, k1, linear), 2);
    assert_int_equal(contacts_of_first(0.01001, &options, k1, linear), 1);
    assert_int_equal(contacts_of_first(0.999 * pow(10, -1.6), &options, k2, hertz), 2);
    assert_int_equal(contacts_of_first(1.001 * pow(10, -1.6), &options, k2, hertz), 1);
}

/* ---- One rests until its load is gone, another lands at that instant ------------------------- */

/* Masses 1; the load of the first falls from 1 to 0 at the instant the second lands, and goes on.
 */
static crm_status pair_mass(void *context, const double *q, double *mass)
{
    (void)context, (void)q;
    mass[0] = mass[3] = 1;
    mass[1] = mass[2] = 0;
    return CRM_OK;
}

static crm_status pair_force(void *context, double t, const double *q, const double *v, double *h)
{
    (void)q, (void)v;
    h[0] = -1 + t / *(double *)context;
    h[1] = -G;
    return CRM_OK;
}

static crm_status pair_gap(void *context, double t, const double *q, double *gap)
{
    (void)context, (void)t;
    gap[0] = q[0];
    gap[1] = q[1];
    return CRM_OK;
}

static void released_as_another_lands(void **state)
{
    (void)state;
    double landing = sqrt(2 / G);
    const double shifts[] = {0, 1e-15, -1e-15, 1e-12, -1e-12};
    for (size_t k = 0; k < 5; k++) {
        double free_at = landing + shifts[k];
        const double position[] = {0, 1}, velocity[] = {0, 0}, e[] = {0.5, 0.5};
        crm_lagrangian_def def = crm_lagrangian_def_default();
        def.context = &free_at;
        def.positions = def.velocities = def.gaps = 2;
        def.mass = pair_mass;
        def.force = pair_force;
        def.gap = pair_gap;
        def.position = position;
        def.velocity = velocity;
        def.restitution = e;
        crm_motion *motion = motion_of(&def, NULL);
        double q[2], v[2], s = 0.3;
        run_to(motion, landing + s, NULL);
        crm_motion_read(motion, q, v);
        assert_near(v[0], s * s / 2 / landing, CLOSE);
        assert_near(q[0], s * s * s / 6 / landing, CLOSE);
        assert_near(q[1], 0.5 * sqrt(2 * G) * s - G * s * s / 2, CLOSE);
        assert_int_equal(crm_motion_summarize(motion).impacts, 1);
        crm_motion_free(motion);
    }
}

/* ---- Laws that have no answer ---------------------------------------------------------------- */

/* Energy ratio 0.1, but most of the energy is in the motion along the floor. */
static crm_status floor_gap(void *context, double t, const double *q, double *gap)
{
    (void)context, (void)t;
    gap[0] = q[1];
    return CRM_OK;
}

static void law_without_answer_stops_the_motion(void **state)
{
    (void)state;
    const double position[] = {0, 1}, velocity[] = {10, -1};
    crm_lagrangian_def def = crm_lagrangian_def_default();
    def.positions = def.velocities = 2;
    def.gaps = 1;
    def.mass = pair_mass;
    def.gap = floor_gap;
    def.position = position;
    def.velocity = velocity;
    crm_motion_options options = crm_motion_options_default();
    crm_settings *law = law_named("impulse-ratio");
    const double one = 1;
    crm_error error = {0};
    assert_ok(crm_settings_set_number(law, "energy_ratio", 0.1, &error), &error);
    assert_ok(crm_settings_set_list(law, "ratios", 1, &one, &error), &error);
    options.law = law;
    crm_motion *motion = motion_of(&def, &options);
    crm_motion_stop stopped;
    for (int k = 0; k < 2; k++) { /* and again: it cannot go on */
        assert_ok(crm_motion_run(motion, 2, NULL, &stopped, &error), &error);
        assert_int_equal(stopped, CRM_STOP_FAILED);
        assert_near(crm_motion_time(motion), 1, 1e-12);
        assert_non_null(strstr(crm_motion_reason(motion), "impulse-ratio"));
    }
    crm_motion_free(motion);
    crm_settings_free(law);
}

/* ---- q' = G v: an angle kept as cosine and sine ---------------------------------------------- */

static const double HALF_WIDTH = 0.1, HALF_HEIGHT = 0.3, INERTIA = 0.1 / 3;

static crm_status block_mass(void *context, const double *q, double *mass)
{
    (void)context, (void)q;
    mass[0] = 1;
    mass[1] = mass[2] = 0;
    mass[3] = INERTIA;
    return CRM_OK;
}

static crm_status block_force(void *context, double t, const double *q, const double *v, double *h)
{
    (void)context, (void)t, (void)q, (void)v;
    h[0] = -G;
    h[1] = 0;
    return CRM_OK;
}

static crm_status block_gap(void *context, double t, const double *q, double *gap)
{
    (void)context, (void)t;
    gap[0] = q[0] + HALF_WIDTH * q[2] - HALF_HEIGHT * q[1];
    gap[1] = q[0] - HALF_WIDTH * q[2] - HALF_HEIGHT * q[1];
    return CRM_OK;
}

static crm_status block_kinematics(void *context, const double *q, const double *v, double *rate)
{
    (void)context;
    rate[0] = v[0];
    rate[1] = -q[2] * v[1];
    rate[2] = q[1] * v[1];
    return CRM_OK;
}

static double block_potential(void *context, double t, const double *q)
{
    (void)context, (void)t;
    return G * q[0];
}

static void positions_need_not_be_coordinates(void **state)
{
    (void)state;
    const double angle = 0.1, velocity[] = {0, 0}, e[] = {0, 0};
    const double position[] = {HALF_WIDTH * sin(angle) + HALF_HEIGHT * cos(angle), cos(angle),
                               sin(angle)};
    crm_lagrangian_def def = crm_lagrangian_def_default();
    def.positions = 3;
    def.velocities = def.gaps = 2;
    def.mass = block_mass;
    def.force = block_force;
    def.gap = block_gap;
    def.kinematics = block_kinematics;
    def.potential = block_potential;
    def.position = position;
    def.velocity = velocity;
    def.restitution = e;
    crm_motion *motion = motion_of(&def, NULL);
    crm_observer observer = impact_observer(&impacts);
    run_to(motion, 10, &observer);
    double b2 = HALF_WIDTH * HALF_WIDTH, part = (INERTIA - b2) / (INERTIA + b2), q[3];
    double speed = sqrt(2 * G * (position[0] - HALF_HEIGHT) / (b2 + INERTIA));
    for (size_t k = 0; k < 10; k++) {
        double closing = fmax(impacts.row[k].closing[0], impacts.row[k].closing[1]);
        assert_near(closing, 2 * HALF_WIDTH * speed, CLOSE);
        speed *= part;
    }
    crm_motion_read(motion, q, NULL);
    assert_false(isnan(crm_motion_summarize(motion).at_rest_since));
    assert_near(q[0], HALF_HEIGHT, CLOSE);
    assert_near(q[1] * q[1] + q[2] * q[2], 1, CLOSE);
    assert_account_closes(motion, CLOSE);
    crm_motion_free(motion);
}

/* ---- A callback that stops the run ----------------------------------------------------------- */

static crm_status tired_force(void *context, double t, const double *q, const double *v, double *h)
{
    int *calls = context;
    (void)t, (void)q, (void)v;
    h[0] = 0;
    h[1] = -G;
    return ++*calls == 200 ? CRM_ERROR_STOPPED : CRM_OK;
}

static void callback_may_stop_the_run(void **state)
{
    (void)state;
    int calls = 0;
    const double position[] = {0, 1}, velocity[] = {1, 0};
    crm_lagrangian_def def = crm_lagrangian_def_default();
    def.context = &calls;
    def.positions = def.velocities = 2;
    def.gaps = 1;
    def.mass = pair_mass;
    def.force = tired_force;
    def.gap = floor_gap;
    def.position = position;
    def.velocity = velocity;
    crm_motion *motion = motion_of(&def, NULL);
    assert_int_equal(run_to(motion, 0.4, NULL), CRM_STOP_INTERRUPTED);
    assert_int_equal(run_to(motion, 0.4, NULL), CRM_STOP_DURATION);
    double q[2];
    crm_motion_read(motion, q, NULL);
    assert_near(q[0], 0.4, CLOSE);
    assert_near(q[1], 1 - G * 0.08, CLOSE);
    crm_motion_free(motion);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closure_by_distance),
        cmocka_unit_test(closure_by_indentation),
        cmocka_unit_test(released_as_another_lands),
        cmocka_unit_test(law_without_answer_stops_the_motion),
        cmocka_unit_test(positions_need_not_be_coordinates),
        cmocka_unit_test(callback_may_stop_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
