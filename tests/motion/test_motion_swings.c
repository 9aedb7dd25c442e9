/* Cradles, ellipses, beads, a double pendulum: closed forms, quadratures, conservation laws.
 * docs/motion.md, "How accurate it is".
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "motion_call.h"
#include "support.h"

static const double CLOSE = 1e-9; /* what the default tolerance promises */
static const double G = 9.81;
static const double PI = 3.14159265358979323846;

static impact_list impacts;

static void diagonal(double *mass, size_t n, const double *values)
{
    memset(mass, 0, n * n * sizeof *mass);
    for (size_t i = 0; i < n; i++) {
        mass[i * n + i] = values[i];
    }
}

/* ---- A cradle -------------------------------------------------------------------------------- */

enum { MOST_BOBS = 5 };
typedef struct cradle {
    size_t count;
    double length, radius;
} cradle;

static crm_status cradle_mass(void *context, const double *q, double *mass)
{
    const cradle *c = context;
    (void)q;
    memset(mass, 0, c->count * c->count * sizeof *mass);
    for (size_t i = 0; i < c->count; i++) {
        mass[i * c->count + i] = c->length * c->length;
    }
    return CRM_OK;
}

static crm_status cradle_force(void *context, double t, const double *q, const double *v, double *h)
{
    const cradle *c = context;
    (void)t, (void)v;
    for (size_t i = 0; i < c->count; i++) {
        h[i] = -G * c->length * sin(q[i]);
    }
    return CRM_OK;
}

/* Between neighbours, hung 2 radii apart. */
static void bob_distance(const cradle *c, const double *q, size_t i, double *x, double *y)
{
    *x = 2 * c->radius + c->length * (sin(q[i + 1]) - sin(q[i]));
    *y = -c->length * (cos(q[i + 1]) - cos(q[i]));
}

static crm_status cradle_gap(void *context, double t, const double *q, double *gap)
{
    const cradle *c = context;
    (void)t;
    for (size_t i = 0; i + 1 < c->count; i++) {
        double x, y;
        bob_distance(c, q, i, &x, &y);
        gap[i] = hypot(x, y) - 2 * c->radius;
    }
    return CRM_OK;
}

static crm_status cradle_gradient(void *context, double t, const double *q, double *w)
{
    const cradle *c = context;
    (void)t;
    memset(w, 0, (c->count - 1) * c->count * sizeof *w);
    for (size_t i = 0; i + 1 < c->count; i++) {
        double x, y;
        bob_distance(c, q, i, &x, &y);
        double d = hypot(x, y), *row = w + i * c->count;
        row[i] = -c->length * (x * cos(q[i]) + y * sin(q[i])) / d;
        row[i + 1] = c->length * (x * cos(q[i + 1]) + y * sin(q[i + 1])) / d;
    }
    return CRM_OK;
}

static double cradle_potential(void *context, double t, const double *q)
{
    const cradle *c = context;
    (void)t;
    double sum = 0;
    for (size_t i = 0; i < c->count; i++) {
        double half = sin(q[i] / 2);
        sum += 2 * G * c->length * half * half;
    }
    return sum;
}

static crm_lagrangian_def cradle_def(cradle *c, const double *position, const double *velocity,
                                     const double *restitution)
{
    crm_lagrangian_def def = crm_lagrangian_def_default();
    def.context = c;
    def.positions = def.velocities = c->count;
    def.gaps = c->count - 1;
    def.mass = cradle_mass;
    def.force = cradle_force;
    def.gap = cradle_gap;
    def.gradient = cradle_gradient;
    def.potential = cradle_potential;
    def.position = position;
    def.velocity = velocity;
    def.restitution = restitution;
    return def;
}

/* K(k) by the arithmetic-geometric mean. */
static double elliptic(double modulus)
{
    double a = 1, b = sqrt(1 - modulus * modulus);
    for (int k = 0; k < 40; k++) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return PI / (2 * a);
}

static void cradle_strikes_as_solve_says(void **state)
{
    (void)state;
    cradle c = {5, 0.1, 0.01};
    const double angle = 0.8, e[] = {0.95, 0.95, 0.95, 0.95};
    const double position[] = {-0.8, 0, 0, 0, 0}, velocity[5] = {0};
    crm_lagrangian_def def = cradle_def(&c, position, velocity, e);
    crm_motion_options options = crm_motion_options_default();
    options.stop_impacts = 1;
    crm_motion *motion = motion_of(&def, &options);
    crm_observer observer = impact_observer(&impacts);
    assert_int_equal(run_to(motion, 1, &observer), CRM_STOP_IMPACTS);
    double speed = 2 * sqrt(G * c.length) * sin(angle / 2), v[5], p[5];
    assert_met("cradle: first impact", impacts.row[0].time,
               sqrt(c.length / G) * elliptic(sin(angle / 2)), CLOSE);
    assert_met("cradle: its speed", impacts.row[0].closing[0], speed, CLOSE);
    assert_int_equal(impacts.row[0].contacts, 4);

    crm_chain_def chain = crm_chain_def_default();
    chain.count = 5;
    chain.restitution.all = 0.95;
    crm_model *model = chain_model(&chain);
    const double before[] = {impacts.row[0].closing[0], 0, 0, 0, 0};
    crm_outcome *after = lzb_solve(model, before, lzb_bi);
    crm_motion_read(motion, p, v);
    for (size_t i = 0; i < 5; i++) {
        assert_near(v[i] * c.length, after->velocity[i], 1e-10 * speed);
    }
    assert_all_near(impacts.row[0].impulse, after->impulse, 4, 1e-10 * speed);
    crm_outcome_free(after);
    crm_model_free(model);
    crm_motion_free(motion);
}

/* Forces between bobs are equal and opposite and, for small swings, along their way: the mean of
 * the angles is a pendulum. With losses all swing together in the end.
 */
static void mean_of_a_cradle_swings_on(void **state)
{
    (void)state;
    cradle c = {3, 1, 0.05};
    const double angle = 1e-5, e[] = {0.5, 0.5}, position[] = {-1e-5, 0, 0}, velocity[3] = {0};
    const char *laws[] = {"lzb", "moreau", "poisson"};
    for (size_t k = 0; k < 3; k++) {
        crm_lagrangian_def def = cradle_def(&c, position, velocity, e);
        def.size = angle;
        crm_motion_options options = crm_motion_options_default();
        crm_settings *law = law_named(laws[k]);
        options.law = law;
        crm_motion *motion = motion_of(&def, &options);
        double q[3], v[3];
        for (int i = 1; i <= 60; i++) {
            run_to(motion, i, NULL);
            crm_motion_read(motion, q, v);
            assert_near((q[0] + q[1] + q[2]) / 3, -angle / 3 * cos(sqrt(G) * i), 1e-8 * angle);
        }
        assert_met("cradle: mean of the angles after 60 s, of the first",
                   (q[0] + q[1] + q[2]) / 3 / angle, -cos(sqrt(G) * 60) / 3, 1e-8);
        assert_near(q[0], q[2], 0.02 * angle);
        assert_account_closes(motion, 1e-8 * G * angle * angle);
        crm_motion_free(motion);
        crm_settings_free(law);
    }
}

/* ---- An ellipse on a floor ------------------------------------------------------------------- */

static const double WIDE = 0.3, FLAT = 0.2;

static crm_status ellipse_mass(void *context, const double *q, double *mass)
{
    (void)context, (void)q;
    diagonal(mass, 2, (double[]){1, (WIDE * WIDE + FLAT * FLAT) / 4});
    return CRM_OK;
}

static crm_status ellipse_force(void *context, double t, const double *q, const double *v,
                                double *h)
{
    (void)context, (void)t, (void)q, (void)v;
    h[0] = -G;
    h[1] = 0;
    return CRM_OK;
}

static double ellipse_potential(void *context, double t, const double *q)
{
    (void)context, (void)t;
    return G * q[0];
}

static double ellipse_height(double angle)
{
    return hypot(WIDE * sin(angle), FLAT * cos(angle));
}

static double ellipse_slope(double angle)
{
    return (WIDE * WIDE - FLAT * FLAT) * sin(angle) * cos(angle) / ellipse_height(angle);
}

static crm_status ellipse_gap(void *context, double t, const double *q, double *gap)
{
    (void)context, (void)t;
    gap[0] = q[0] - ellipse_height(q[1]);
    return CRM_OK;
}

static crm_status ellipse_gradient(void *context, double t, const double *q, double *w)
{
    (void)context, (void)t;
    w[0] = 1;
    w[1] = -ellipse_slope(q[1]);
    return CRM_OK;
}

/* -h''(theta) theta'^2, with h h'' + h'^2 = (a^2 - b^2) cos 2 theta. */
static crm_status ellipse_bias(void *context, double t, const double *q, const double *v,
                               double *bias)
{
    (void)context, (void)t;
    double slope = ellipse_slope(q[1]);
    bias[0] = -((WIDE * WIDE - FLAT * FLAT) * cos(2 * q[1]) - slope * slope) /
              ellipse_height(q[1]) * v[1] * v[1];
    return CRM_OK;
}

/* A quarter of the period from energy; theta = angle sin s takes the root out of the integrand. */
static double ellipse_period(double angle)
{
    enum { POINTS = 400 };
    double inertia = (WIDE * WIDE + FLAT * FLAT) / 4, sum = 0;
    for (int k = 0; k < POINTS; k++) {
        double s = PI / 2 * (k + 0.5) / POINTS, theta = angle * sin(s),
               slope = ellipse_slope(theta);
        double near = angle * 2 * pow(sin(PI / 4 - s / 2), 2); /* angle - theta */
        double fall = 2 * G * (WIDE * WIDE - FLAT * FLAT) * sin(angle + theta) * sin(near) /
                      (ellipse_height(angle) + ellipse_height(theta));
        sum += angle * cos(s) * sqrt((inertia + slope * slope) / fall);
    }
    return 4 * sum * (PI / 2) / POINTS;
}

static void swing_ellipse(double angle, bool by_differences)
{
    const double position[] = {ellipse_height(angle), angle}, velocity[] = {0, 0};
    crm_lagrangian_def def = crm_lagrangian_def_default();
    def.positions = def.velocities = 2;
    def.gaps = 1;
    def.mass = ellipse_mass;
    def.force = ellipse_force;
    def.gap = ellipse_gap;
    def.gradient = by_differences ? NULL : ellipse_gradient;
    def.gap_bias = by_differences ? NULL : ellipse_bias;
    def.potential = ellipse_potential;
    def.position = position;
    def.velocity = velocity;
    crm_motion *motion = motion_of(&def, NULL);
    double q[2], v[2], period = ellipse_period(angle), close = by_differences ? 1e-8 : CLOSE;
    run_to(motion, 5 * period, NULL);
    crm_motion_read(motion, q, v);
    assert_met(by_differences ? "ellipse: angle after five periods, by differences"
                              : "ellipse: angle after five periods",
               q[1], angle, close);
    assert_near(v[1] * period, 0, 20 * close);
    run_to(motion, 5.25 * period, NULL);
    crm_motion_read(motion, q, v);
    assert_near(q[1], 0, close);
    assert_near(q[0], FLAT, close);
    assert_int_equal(crm_motion_summarize(motion).impacts, 0);
    assert_account_closes(motion, close);
    crm_motion_free(motion);
}

static void ellipse_swings(void **state)
{
    (void)state;
    double small = sqrt(4 * G * (WIDE * WIDE - FLAT * FLAT) / (FLAT * (WIDE * WIDE + FLAT * FLAT)));
    assert_near(ellipse_period(1e-4) * small, 2 * PI, 1e-7);
    swing_ellipse(0.01, false);
    swing_ellipse(0.5, false);
    swing_ellipse(0.5, true);
    swing_ellipse(1.2, false);
}

/* ---- Beads ----------------------------------------------------------------------------------- */

static crm_status beads_mass(void *context, const double *q, double *mass)
{
    (void)context, (void)q;
    diagonal(mass, 3, (double[]){1, 1, 1});
    return CRM_OK;
}

static crm_status beads_gap(void *context, double t, const double *q, double *gap)
{
    (void)context, (void)t;
    gap[0] = q[1] - q[0];
    gap[1] = q[2] - q[1];
    return CRM_OK;
}

/* Pair by pair, on gaps and gap velocities: equal masses, each impact turns u_j into -e u_j and
 * gives half the change to the other, with the other sign.
 */
typedef struct sequence {
    size_t count;
    double time, u[2];
} sequence;

static sequence pair_by_pair(double e, double g1, double g2, double u1, double u2, double closed)
{
    sequence s = {.u = {u1, u2}};
    double g[2] = {g1, g2};
    while (s.count < 1000) {
        double wait[2];
        for (int j = 0; j < 2; j++) {
            wait[j] = s.u[j] < 0 ? g[j] / -s.u[j] : INFINITY;
        }
        int j = wait[0] <= wait[1] ? 0 : 1;
        if (isinf(wait[j]) || (g[0] < closed && g[1] < closed)) {
            break;
        }
        s.time += wait[j];
        g[1 - j] += wait[j] * s.u[1 - j];
        g[j] = 0;
        double change = -(1 + e) * s.u[j];
        s.u[j] += change;
        s.u[1 - j] -= change / 2;
        s.count++;
    }
    return s;
}

static void meet_beads(double e, bool collapse)
{
    const double position[] = {0, 1, 2.3}, velocity[] = {1, 0, -1}, restitution[] = {e, e};
    crm_lagrangian_def def = crm_lagrangian_def_default();
    def.positions = def.velocities = 3;
    def.gaps = 2;
    def.mass = beads_mass;
    def.gap = beads_gap;
    def.position = position;
    def.velocity = velocity;
    def.restitution = restitution;
    crm_motion_options options = crm_motion_options_default();
    options.closure = collapse ? options.closure : 0; /* pairs only */
    crm_motion *motion = motion_of(&def, &options);
    crm_observer observer = impact_observer(&impacts);
    sequence want = pair_by_pair(e, 1, 1.3, -1, -1, options.closure);
    run_to(motion, 50, &observer);
    double v[3];
    crm_motion_read(motion, NULL, v);
    assert_near(v[0] + v[1] + v[2], 0, 1e-12);
    if (collapse) {
        const impact_row *last = &impacts.row[impacts.count - 1];
        assert_int_equal(last->contacts, 2); /* all three at once: the end */
        assert_near(last->time, want.time, CLOSE);
        assert_near(v[0], v[1], 1e-4);
        assert_near(v[2], v[1], 1e-4);
    } else {
        assert_int_equal(impacts.count, want.count);
        assert_near(impacts.row[impacts.count - 1].time, want.time, CLOSE);
        assert_near(v[1] - v[0], want.u[0], CLOSE);
        assert_near(v[2] - v[1], want.u[1], CLOSE);
    }
    assert_account_closes(motion, 1e-12);
    crm_motion_free(motion);
}

static void beads_collapse_below_their_limit(void **state)
{
    (void)state;
    assert_near(7 - 4 * sqrt(3), 0.0718, 1e-4);
    meet_beads(0.05, true);
    meet_beads(0.07, true);
    meet_beads(0.1, false);
    meet_beads(0.3, false);
    meet_beads(1, false);
}

/* ---- A double pendulum between stops --------------------------------------------------------- */

/* Angles from straight down, unit lengths and masses; stops at |q1| <= 1 and |q2 - q1| <= 1.2. */
static crm_status double_mass(void *context, const double *q, double *mass)
{
    (void)context;
    double c = cos(q[0] - q[1]);
    const double m[] = {2, c, c, 1};
    memcpy(mass, m, sizeof m);
    return CRM_OK;
}

static crm_status double_force(void *context, double t, const double *q, const double *v, double *h)
{
    (void)context, (void)t;
    double s = sin(q[0] - q[1]);
    h[0] = -s * v[1] * v[1] - 2 * G * sin(q[0]);
    h[1] = s * v[0] * v[0] - G * sin(q[1]);
    return CRM_OK;
}

static crm_status double_gap(void *context, double t, const double *q, double *gap)
{
    (void)context, (void)t;
    gap[0] = 1 - q[0];
    gap[1] = 1 + q[0];
    gap[2] = 1.2 - q[1] + q[0];
    gap[3] = 1.2 + q[1] - q[0];
    return CRM_OK;
}

static double double_potential(void *context, double t, const double *q)
{
    (void)context, (void)t;
    return -G * (2 * cos(q[0]) + cos(q[1]));
}

static void double_pendulum_keeps_its_energy(void **state)
{
    (void)state;
    rng r = rng_seeded(7);
    size_t all = 0;
    double drift = 0;
    for (int k = 0; k < 20; k++) {
        const double position[] = {rng_uniform(&r, -0.9, 0.9), rng_uniform(&r, -0.2, 0.2)};
        const double velocity[] = {rng_uniform(&r, -5, 5), rng_uniform(&r, -5, 5)};
        crm_lagrangian_def def = crm_lagrangian_def_default();
        def.positions = def.velocities = 2;
        def.gaps = 4;
        def.mass = double_mass;
        def.force = double_force;
        def.gap = double_gap;
        def.potential = double_potential;
        def.position = position;
        def.velocity = velocity;
        crm_motion_options options = crm_motion_options_default();
        crm_settings *law = law_named(k % 2 == 0 ? "lzb" : "moreau");
        options.law = law;
        crm_motion *motion = motion_of(&def, &options);
        run_to(motion, 20, NULL);
        crm_motion_summary s = crm_motion_summarize(motion);
        double before = s.energy.kinetic_before + s.energy.potential_before;
        drift = fmax(drift, fabs(s.energy.kinetic_after + s.energy.potential_after - before));
        assert_near(s.energy.lost, 0, 1e-8);
        assert_near(s.energy.work, 0, 1e-8);
        assert_near(s.max_penetration, 0, CLOSE);
        all += s.impacts;
        crm_motion_free(motion);
        crm_settings_free(law);
    }
    assert_true(all > 500);
    assert_met("double pendulum, 20 x 20 s: energy", drift, 0, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cradle_strikes_as_solve_says),
        cmocka_unit_test(mean_of_a_cradle_swings_on),
        cmocka_unit_test(ellipse_swings),
        cmocka_unit_test(beads_collapse_below_their_limit),
        cmocka_unit_test(double_pendulum_keeps_its_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
