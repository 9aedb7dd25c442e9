/* Scenes with strings, rods and springs in motion: closed forms, docs/motion.md. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "motion_call.h"
#include "support.h"

static const double PI = 3.14159265358979323846, G = 9.81;
static const double CLOSE = 1e-9;

static crm_motion *scene_motion(const crm_scene_def *def, const crm_motion_options *options)
{
    crm_motion *motion;
    crm_error error = {0};
    assert_ok(crm_motion_from_scene(def, options, &motion, &error), &error);
    return motion;
}

/* ---- A cradle -------------------------------------------------------------------------------- */

enum { MOST_BOBS = 5 };
static const double STRING = 0.4, RADIUS = 0.02, MASS = 0.25;

typedef struct cradle {
    crm_body_def body[MOST_BOBS];
    crm_suspension hung[MOST_BOBS];
    crm_material steel;
    crm_scene_def def;
} cradle;

/* The first bob drawn aside; they touch when they hang down. */
static void hang(cradle *c, size_t count, double angle, double restitution)
{
    memset(c, 0, sizeof *c);
    c->steel = (crm_material){.young = 2.1e11, .poisson = 0.3, .density = 7800};
    for (size_t i = 0; i < count; i++) {
        c->body[i] = ball_at(RADIUS, MASS, 0, 0, 0);
        c->body[i].material = &c->steel;
        c->hung[i] = (crm_suspension){i, {2 * RADIUS * (double)i, 1}, STRING, 0, 0};
    }
    c->hung[0].angle = -angle;
    c->def = crm_scene_def_default();
    c->def.bodies = bodies_def(2, c->body, count);
    c->def.bodies.contact.restitution = restitution;
    c->def.suspended = c->hung;
    c->def.suspended_count = count;
    c->def.gravity[1] = -G;
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

typedef struct first_blow {
    double time, closing[MOST_BOBS];
    size_t contacts, party[MOST_BOBS][2];
    bool by_gap;
} first_blow;

static crm_status see_first(void *context, const crm_impact_report *impact)
{
    first_blow *seen = context;
    seen->time = impact->time;
    seen->contacts = impact->contacts;
    seen->by_gap = impact->gap != NULL;
    assert_true(impact->contacts <= MOST_BOBS);
    memcpy(seen->closing, impact->closing_speed, impact->contacts * sizeof(double));
    memcpy(seen->party, impact->party, impact->contacts * sizeof seen->party[0]);
    return CRM_OK;
}

/* The same impact on bobs that hang straight down, each with one coordinate along its path. */
static void solve_blow(size_t count, double stiffness, double restitution, double speed,
                       double *velocity)
{
    double mass[MOST_BOBS * MOST_BOBS] = {0}, w[MOST_BOBS * MOST_BOBS] = {0};
    double k[MOST_BOBS], e[MOST_BOBS], before[MOST_BOBS] = {speed / STRING};
    for (size_t i = 0; i < count; i++) {
        mass[i * count + i] = MASS * STRING * STRING;
        k[i] = stiffness;
        e[i] = restitution;
        if (i + 1 < count) {
            w[i * count + i] = -STRING;
            w[i * count + i + 1] = STRING;
        }
    }
    crm_system_def system = crm_system_def_default();
    system.coordinates = count;
    system.contacts = count - 1;
    system.mass_dense = mass;
    system.w_dense = w;
    system.stiffness = k;
    system.restitution = e;
    crm_error error = {0};
    crm_model *model;
    crm_outcome *outcome;
    crm_settings *law = law_named("lzb");
    assert_ok(crm_model_from_system(&system, &model, &error), &error);
    assert_ok(crm_solve(model, before, law, NULL, &outcome, &error), &error);
    memcpy(velocity, outcome->velocity, count * sizeof *velocity);
    crm_outcome_free(outcome);
    crm_model_free(model);
    crm_settings_free(law);
}

static void strike_cradle(size_t count)
{
    const double angle = 0.6, e = 0.97;
    cradle c;
    hang(&c, count, angle, e);
    crm_motion_options options = crm_motion_options_default();
    options.stop_impacts = 1;
    options.closure_kind = CRM_CLOSURE_INDENTATION;
    crm_motion *motion = scene_motion(&c.def, &options);
    first_blow seen = {0};
    const crm_observer observer = {.context = &seen, .impact = see_first};
    assert_int_equal(run_to(motion, 2, &observer), CRM_STOP_IMPACTS);
    double speed = 2 * sqrt(G * STRING) * sin(angle / 2), v[MOST_BOBS], want[MOST_BOBS];
    assert_met("cradle of bobs: first impact", seen.time,
               sqrt(STRING / G) * elliptic(sin(angle / 2)), CLOSE);
    assert_met("cradle of bobs: its speed", seen.closing[0], speed, CLOSE);
    assert_false(seen.by_gap);
    assert_int_equal(seen.contacts, count - 1);
    for (size_t j = 0; j + 1 < count; j++) {
        assert_int_equal(seen.party[j][0], j);
        assert_int_equal(seen.party[j][1], j + 1);
    }
    double stiffness = crm_hertz_stiffness(c.steel, RADIUS, c.steel, RADIUS);
    solve_blow(count, stiffness, e, seen.closing[0], want);
    crm_motion_read(motion, NULL, v);
    assert_all_near(v, want, count, 1e-12 * speed / STRING);
    crm_motion_free(motion);
}

static void cradles_strike_as_solve_says(void **state)
{
    (void)state;
    strike_cradle(3);
    strike_cradle(5);
}

static void swing_cradle(size_t count)
{
    const double angle = 0.6, swing = 4 * sqrt(STRING / G) * elliptic(sin(angle / 2));
    cradle c;
    hang(&c, count, angle, 0.97);
    crm_motion_options options = crm_motion_options_default();
    options.closure_kind = CRM_CLOSURE_INDENTATION;
    crm_motion *motion = scene_motion(&c.def, &options);
    double energy = INFINITY;
    for (int k = 1; k <= 400; k++) {
        run_to(motion, 20 * swing * k / 400, NULL);
        crm_motion_account now = crm_motion_summarize(motion).energy;
        assert_true(now.kinetic_after + now.potential_after <= energy + 1e-12);
        energy = now.kinetic_after + now.potential_after;
    }
    assert_true(crm_motion_summarize(motion).impacts >= 20);
    assert_account_closes(motion, CLOSE);
    crm_motion_free(motion);
}

static void cradles_never_gain_energy(void **state)
{
    (void)state;
    swing_cradle(3);
    swing_cradle(5);
}

/* ---- Rods ------------------------------------------------------------------------------------ */

static crm_body_def rod_at(double length, double x, double y, double angle)
{
    crm_body_def rod = crm_body_def_default();
    rod.shape = CRM_SHAPE_ROD;
    rod.length = length;
    rod.mass = 1;
    rod.position[0] = x;
    rod.position[1] = y;
    rod.angle = angle;
    return rod;
}

/* Between a wall on the left and a floor, from rest: it leaves the wall when its top is at 2/3 of
 * its first height. */
static void ladder_leaves_the_wall(void **state)
{
    (void)state;
    const double angle = 1.2;
    crm_body_def rod = rod_at(2, cos(angle), sin(angle), PI - angle);
    crm_wall_def wall[2] = {crm_wall_def_default(), crm_wall_def_default()};
    wall[0].normal[1] = 1;
    wall[1].normal[0] = 1;
    crm_scene_def def = crm_scene_def_default();
    def.bodies = bodies_def(2, &rod, 1);
    def.bodies.walls = wall;
    def.bodies.wall_count = 2;
    def.gravity[1] = -G;
    crm_motion *motion = scene_motion(&def, NULL);
    assert_int_equal(crm_motion_positions(motion), 3);
    double q[3], v[3], turning = sqrt(G * sin(angle) / 2), height = 2.0 / 3 * sin(angle);
    bool left = false;
    for (double t = 0.01; !left; t += 0.01) {
        run_to(motion, t, NULL);
        crm_motion_read(motion, q, v);
        left = q[0] + cos(q[2]) > 1e-8;
        if (sin(q[2]) > height * (1 + 1e-6)) { /* on both: energy */
            assert_near(q[0], -cos(q[2]), 1e-12);
            assert_near(v[2], sqrt(1.5 * G * (sin(angle) - sin(q[2]))), CLOSE);
        }
    }
    assert_true(sin(q[2]) < height && sin(q[2]) > height - 0.1);
    assert_met("rod between wall and floor: speed with which it leaves", v[0], height * turning,
               CLOSE);
    assert_account_closes(motion, CLOSE);
    crm_motion_free(motion);
}

/* Both ends at once, by laws that keep the symmetry: a bouncing ball. */
static void flat_rod_bounces_like_a_ball(void **state)
{
    (void)state;
    const double h = 0.5, e = 0.6;
    crm_body_def rod = rod_at(1, 0.3, h, 0);
    crm_wall_def floor = crm_wall_def_default();
    floor.normal[1] = 1;
    crm_scene_def def = crm_scene_def_default();
    def.bodies = bodies_def(2, &rod, 1);
    def.bodies.walls = &floor;
    def.bodies.wall_count = 1;
    def.bodies.contact.restitution = e;
    def.gravity[1] = -G;
    crm_settings *law = law_named("moreau");
    crm_motion_options options = crm_motion_options_default();
    options.law = law;
    options.stop_at_rest = true;
    crm_motion *motion = scene_motion(&def, &options);
    first_blow seen = {0};
    crm_observer observer = {.context = &seen, .impact = see_first};
    assert_int_equal(run_to(motion, 0.4, &observer), CRM_STOP_DURATION);
    assert_near(seen.time, sqrt(2 * h / G), CLOSE);
    assert_int_equal(seen.contacts, 2);
    assert_int_equal(seen.party[1][1], 1);
    assert_int_equal(run_to(motion, 10, NULL), CRM_STOP_AT_REST);
    assert_met("flat rod on a floor: instant of rest", crm_motion_summarize(motion).at_rest_since,
               sqrt(2 * h / G) * (1 + e) / (1 - e), CLOSE);
    crm_motion_free(motion);
    crm_settings_free(law);
}

/* One end strikes: with the lever b = l/2 cos(angle) and 1/D = 1 / (1/m + b^2/J), J = m l^2/12, the
 * impulse (1 + e) u / D turns it. */
static void slanting_rod_strikes_with_one_end(void **state)
{
    (void)state;
    const double h = 0.5, e = 0.6, angle = 0.4;
    crm_body_def rod = rod_at(1, 0, h + 0.5 * sin(angle), angle);
    crm_wall_def floor = crm_wall_def_default();
    floor.normal[1] = 1;
    crm_scene_def def = crm_scene_def_default();
    def.bodies = bodies_def(2, &rod, 1);
    def.bodies.walls = &floor;
    def.bodies.wall_count = 1;
    def.bodies.contact.restitution = e;
    def.gravity[1] = -G;
    crm_settings *law = law_named("newton");
    crm_motion_options options = crm_motion_options_default();
    options.law = law;
    options.stop_impacts = 1;
    crm_motion *motion = scene_motion(&def, &options);
    assert_int_equal(run_to(motion, 1, NULL), CRM_STOP_IMPACTS);
    double v[3], u = sqrt(2 * G * h), b = 0.5 * cos(angle),
                 impulse = (1 + e) * u / (1 + 12 * b * b);
    crm_motion_read(motion, NULL, v);
    assert_near(crm_motion_time(motion), sqrt(2 * h / G), CLOSE);
    assert_near(v[1], impulse - u, CLOSE);
    assert_near(v[2], -12 * b * impulse, CLOSE);
    crm_motion_free(motion);
    crm_settings_free(law);
}

/* On two thin pegs at -a and a, e = 0: each impact leaves the part (1 - 3 a^2) / (1 + 3 a^2) of the
 * angular velocity (half length 1), but for terms of the angle squared. */
static void rod_rocks_on_two_pegs(void **state)
{
    (void)state;
    const double a = 0.3, angle = 1e-3, thin = 1e-6;
    crm_body_def body[3] = {rod_at(2, 0, 0, angle), ball_at(thin, 1, -a, 0, 0),
                            ball_at(thin, 1, a, 0, 0)};
    body[1].fixed = body[2].fixed = true;
    /* On the left peg: its distance from the axis is its radius. */
    body[0].position[1] = thin / cos(angle) + a * tan(angle);
    crm_scene_def def = crm_scene_def_default();
    def.bodies = bodies_def(2, body, 3);
    def.bodies.contact.restitution = 0;
    def.gravity[1] = -G;
    static impact_list impacts;
    crm_settings *law = law_named("moreau");
    crm_motion_options options = crm_motion_options_default();
    options.law = law;
    crm_motion *motion = scene_motion(&def, &options);
    crm_observer observer = impact_observer(&impacts);
    double part = (1 - 3 * a * a) / (1 + 3 * a * a),
           first = sqrt(2 * angle * (1.0 / 3 + a * a) / (G * a));
    run_to(motion, 3.5 * first, &observer);
    assert_true(impacts.count >= 2);
    assert_near(impacts.row[0].time, first, 1e-5 * first);
    double before = fmax(impacts.row[0].closing[0], impacts.row[0].closing[1]);
    double after = fmax(impacts.row[1].closing[0], impacts.row[1].closing[1]);
    assert_near(after / before, part, 1e-5);
    crm_motion_free(motion);
    crm_settings_free(law);
}

/* A disc on a fixed rod, on its way off the end. Fast (v^2 > g R) it flies from there; slowly it
 * turns about the end until g cos a = v^2 / R, with v^2 = v0^2 + 2 g R (1 - cos a) by energy:
 * cos a = (v0^2 / (g R) + 2) / 3.
 */
static crm_motion *disc_on_rod(double speed)
{
    static crm_body_def body[2];
    const double velocity[2] = {speed, 0};
    body[0] = ball_at(0.1, 1, 0.3, 0.1, 0);
    body[1] = rod_at(1, 0, 0, 0);
    body[1].fixed = true;
    crm_scene_def def = crm_scene_def_default();
    def.bodies = bodies_def(2, body, 2);
    def.velocity = velocity;
    def.gravity[1] = -G;
    return scene_motion(&def, NULL);
}

static void disc_flies_from_the_end_of_a_rod(void **state)
{
    (void)state;
    for (int k = 0; k < 50; k++) {
        double q[2], v[2], t = 0.4, fast = 1.05 + 0.037 * k, flying = t - 0.2 / fast;
        crm_motion *motion = disc_on_rod(fast);
        run_to(motion, t, NULL);
        crm_motion_read(motion, q, v);
        assert_near(q[0], 0.3 + fast * t, CLOSE);
        assert_near(q[1], 0.1 - 0.5 * G * flying * flying, CLOSE);
        crm_motion_free(motion);
    }
}

static void disc_turns_about_the_end_of_a_rod(void **state)
{
    (void)state;
    const double slow = 0.3, r = 0.1;
    double q[2], v[2], cosine = (slow * slow / (G * r) + 2) / 3;
    crm_motion *motion = disc_on_rod(slow);
    run_to(motion, 1.5, NULL);
    crm_motion_read(motion, q, v);
    assert_met("disc off the end of a rod: speed with which it leaves", v[0],
               sqrt(G * r * cosine) * cosine, CLOSE);
    assert_int_equal(crm_motion_summarize(motion).impacts, 0);
    assert_account_closes(motion, CLOSE);
    crm_motion_free(motion);
}

/* A rod without thickness on a floor slides from under a disc that the floor carries. */
static void rod_slides_from_under_a_disc(void **state)
{
    (void)state;
    crm_body_def body[2] = {rod_at(1, 0, 0, 0), ball_at(0.1, 1, 0.2, 0.1, 0)};
    const double velocity[5] = {-2, 0, 0, -0.1, 0};
    crm_wall_def floor = crm_wall_def_default();
    floor.normal[1] = 1;
    crm_scene_def def = crm_scene_def_default();
    def.bodies = bodies_def(2, body, 2);
    def.bodies.walls = &floor;
    def.bodies.wall_count = 1;
    def.velocity = velocity;
    def.gravity[1] = -G;
    crm_motion *motion = scene_motion(&def, NULL);
    double q[5], v[5];
    run_to(motion, 1, NULL);
    crm_motion_read(motion, q, v);
    assert_all_near(q, ((double[]){-2, 0, 0, 0.1, 0.1}), 5, CLOSE);
    assert_all_near(v, velocity, 5, CLOSE);
    crm_motion_free(motion);
}

/* ---- Springs --------------------------------------------------------------------------------- */

static void oscillate(double damping)
{
    const double m = 1.7, k = 33, rest = 0.8, out = 0.25;
    crm_body_def ball = ball_at(0.05, m, rest + out, 0, 0);
    const crm_spring_def spring = {0, SIZE_MAX, {0}, k, damping, rest};
    crm_scene_def def = crm_scene_def_default();
    def.bodies = bodies_def(1, &ball, 1);
    def.springs = &spring;
    def.spring_count = 1;
    crm_motion *motion = scene_motion(&def, NULL);
    double decay = damping / (2 * m), omega = sqrt(k / m - decay * decay);
    for (int i = 1; i <= 50; i++) {
        double t = 0.2 * i, x, v;
        run_to(motion, t, NULL);
        crm_motion_read(motion, &x, &v);
        double amplitude = out * exp(-decay * t);
        assert_near(x - rest, amplitude * (cos(omega * t) + decay / omega * sin(omega * t)), CLOSE);
        assert_near(v, -amplitude * k / (m * omega) * sin(omega * t), CLOSE);
        crm_motion_account e = crm_motion_summarize(motion).energy;
        assert_near(e.potential_before, 0.5 * k * out * out, 1e-14);
        assert_near(e.potential_after, 0.5 * k * (x - rest) * (x - rest), CLOSE);
        assert_near(e.potential_after + e.kinetic_after - e.work, e.potential_before, CLOSE);
        assert_true(damping > 0 ? e.work < 0 : fabs(e.work) < CLOSE);
    }
    double period = 2 * PI / omega, x, v;
    run_to(motion, ceil(10 / period) * period, NULL);
    crm_motion_read(motion, &x, &v);
    assert_met("mass on a spring: velocity after whole periods", v, 0, CLOSE);
    crm_motion_free(motion);
}

static void mass_on_a_spring(void **state)
{
    (void)state;
    oscillate(0);
    oscillate(1.1);
}

/* Two masses on one spring in space, turning and falling: the centre falls freely, momentum and
 * angular momentum are what they were, and energy closes. */
static void two_masses_on_a_spring(void **state)
{
    (void)state;
    crm_body_def body[2] = {ball_at(0.1, 1, 0, 0, 0), ball_at(0.1, 3, 1, 0, 0)};
    const crm_spring_def spring = {0, 1, {0}, 40, 0, 0.9};
    const double velocity[6] = {0, 1, 0.5, 0, -1, 0.2};
    crm_scene_def def = crm_scene_def_default();
    def.bodies = bodies_def(3, body, 2);
    def.springs = &spring;
    def.spring_count = 1;
    def.velocity = velocity;
    def.gravity[2] = -G;
    crm_motion *motion = scene_motion(&def, NULL);
    double q[6], v[6], t = 3;
    run_to(motion, t, NULL);
    crm_motion_read(motion, q, v);
    for (int d = 0; d < 3; d++) {
        double mean = (velocity[d] + 3 * velocity[3 + d]) / 4, start = d == 0 ? 0.75 : 0;
        double fall = d == 2 ? -G : 0;
        assert_near((v[d] + 3 * v[3 + d]) / 4, mean + fall * t, CLOSE);
        assert_near((q[d] + 3 * q[3 + d]) / 4, start + mean * t + 0.5 * fall * t * t, CLOSE);
    }
    /* About the centre, with the reduced mass 3/4: r x r'. */
    double r[3], w[3];
    for (int d = 0; d < 3; d++) {
        r[d] = q[3 + d] - q[d];
        w[d] = v[3 + d] - v[d];
    }
    assert_near(r[0] * w[1] - r[1] * w[0], -2, CLOSE * 10);
    assert_near(r[2] * w[0] - r[0] * w[2], 0.3, CLOSE * 10);
    assert_near(r[1] * w[2] - r[2] * w[1], 0, CLOSE * 10);
    assert_account_closes(motion, CLOSE * 10);
    crm_motion_free(motion);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cradles_strike_as_solve_says),
        cmocka_unit_test(cradles_never_gain_energy),
        cmocka_unit_test(ladder_leaves_the_wall),
        cmocka_unit_test(flat_rod_bounces_like_a_ball),
        cmocka_unit_test(slanting_rod_strikes_with_one_end),
        cmocka_unit_test(rod_rocks_on_two_pegs),
        cmocka_unit_test(disc_flies_from_the_end_of_a_rod),
        cmocka_unit_test(disc_turns_about_the_end_of_a_rod),
        cmocka_unit_test(rod_slides_from_under_a_disc),
        cmocka_unit_test(mass_on_a_spring),
        cmocka_unit_test(two_masses_on_a_spring),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
