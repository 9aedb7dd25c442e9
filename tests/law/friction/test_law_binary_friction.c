/* binary with friction: Stronge's law at a single contact in closed form and by small steps, and
 * what holds of all sequences.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "friction_call.h"
#include "friction_closed.h"
#include "friction_named.h"
#include "friction_random.h"
#include "law/single/single.h"

static const double ROUNDING = 1e-13; /* closed forms with numbers near 1 */
static const double DIGITS_8 = 6e-9;

/* ---- A rod: u+, P, Q, losses and path -------------------------------------------------------- */

typedef struct rod_row {
    double u_n, u_t, mu, e;
    double after_n, after_t, p, q, loss_n, loss_t;
    unsigned path;
} rod_row;

enum {
    SLIP = CRM_PATH_SLIP,
    STOP = CRM_PATH_SLIP | CRM_PATH_STICK,
    BACK = CRM_PATH_SLIP | CRM_PATH_REVERSED,
    JAM = STOP | CRM_PATH_JAM
};

/* tan theta = 2: a = 1.6, b = -1.2, d = 3.4. */
static const rod_row rod_rows[] = {
    {-1, -1, .3, 0, 0, -1.14516129, .80645161, .24193548, .40322581, .25949532, SLIP},
    {-1, -1, .3, .5, .5, -1.21774194, 1.20967742, .36290323, .30241935, .40241285, SLIP},
    {-1, -1, .3, 1, 1, -1.29032258, 1.61290323, .48387097, 0, .55411030, SLIP},
    {-1, -1, 1, .5, .64064640, 0, 1.69454944, .89219392, .52329545, .22727273, STOP},
    {-1, -1, 1, 1, 1.28129280, 0, 2.23909888, 1.08438784, 0, .22727273, STOP},
    {-1, -1, 2, 0, 0, 0, 1.15, .7, .74642857, .17857143, JAM},
    {-1, -1, 2, .5, .66262782, 0, 1.71323365, .89878835, .55982143, .17857143, JAM},
    {-1, -1, 5, 1, 1.34319387, 0, 2.29171479, 1.10295816, 0, .15822785, JAM},
    {-.001, -1, .3, .5, .0005, -1.00021774, .00120968, .00036290, .00000030, .00036294, SLIP},
    {-.001, -1, 1, 1, .001, -.989, .005, .005, 0, .00497250, SLIP},
    {-.001, -1, 2, .5, .11305646, 0, .39694799, .43421694, .01629675, .17857143, JAM},
    {-.001, -1, 5, 1, .31463359, 0, .56828856, .49469008, 0, .15822785, JAM},
    {-1, 1, .3, 0, 0, -.01700087, .54489974, -.10680035, .25713377, .06780843, BACK},
    {-1, 1, .3, .5, .39927802, -.07496058, .86689814, -.01020083, .19285033, .07225014, BACK},
    {-1, 1, .3, 1, .79855604, -.13292030, 1.18889654, .08639869, 0, .08229074, BACK},
    {-1, 1, 1, .5, .35670415, 0, .85319853, .00701125, .16222826, .10869565, STOP},
    {-1, 1, 2, 1, .68599434, 0, 1.13309519, .10579830, 0, .125, STOP},
    {-1, 1, 5, .5, .33222721, 0, .83239313, -.00033184, .14072802, .13736264, STOP},
};

static void a_rod_on_a_rough_floor(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof rod_rows / sizeof rod_rows[0]; k++) {
        const rod_row *row = &rod_rows[k];
        friction_case c = friction_rod(2, row->u_n, row->u_t, (friction_law){1, row->e, row->mu});
        crm_outcome *o = friction_solve("binary", &c);
        assert_near(o->gap_velocity[0], row->after_n, DIGITS_8);
        assert_near(o->slip_velocity[0], row->after_t, DIGITS_8);
        assert_near(o->impulse[0], row->p, DIGITS_8);
        assert_near(o->tangential_impulse[0], row->q, DIGITS_8);
        assert_near(o->loss[0] - o->loss_friction[0], row->loss_n, DIGITS_8);
        assert_near(o->loss_friction[0], row->loss_t, DIGITS_8);
        assert_int_equal(o->path[0], row->path);
        assert_true(o->kinematic && o->kinetic && o->energetic && o->unique);
        crm_outcome_free(o);
    }
}

/* The rod at 45 degrees that gains energy by Newton's law; and two links. */
static void stronge_beside_newton(void **state)
{
    (void)state;
    friction_case c = friction_rod(1, -1, .6, (friction_law){1, 1, .5});
    crm_outcome *o = friction_solve("binary", &c);
    assert_near(o->gap_velocity[0], .7599478, 6e-8);
    assert_near(o->slip_velocity[0], -.1501224, 6e-8);
    assert_near(o->loss_friction[0], .0552640, 6e-8);
    crm_outcome_free(o);
    static const double table[][3] = {
        {.5, .25, .6074}, {.5, .5, .5532}, {.7, .5, .6001}, {.7, .7, .5708}};
    for (size_t k = 0; k < 4; k++) {
        double deg = acos(-1) / 180, half = .5 * cos(10 * deg);
        c = friction_blank(2, 1, 1);
        friction_set_all(&c, 1.5, table[k][0], table[k][1]);
        memcpy(c.mass, (double[4]){4. / 3, half, half, 1. / 3}, 4 * sizeof *c.mass);
        memcpy(c.w, (double[2]){sin(20 * deg), sin(30 * deg)}, 2 * sizeof *c.w);
        memcpy(c.t, (double[2]){cos(20 * deg), cos(30 * deg)}, 2 * sizeof *c.t);
        memcpy(c.velocity, (double[2]){-.1, -.2}, 2 * sizeof *c.velocity);
        o = friction_solve("binary", &c);
        assert_near(o->energy_after / o->energy_before, table[k][2], 6e-5);
        crm_outcome_free(o);
    }
}

/* As the closing speed goes to 0 a jam becomes an impact without collision. */
static void a_jam_strikes_without_closing_speed(void **state)
{
    (void)state;
    crm_single rod = {.tangents = 1,
                      .d = {{1.6, -1.2}, {-1.2, 3.4}},
                      .u = {-1e-300, -1},
                      .friction = 2,
                      .restitution = 1};
    crm_single_end end = crm_single_solve(&rod);
    assert_near(end.u[0], .2245443566, 6e-11);
    assert_near(end.impulse[0], .4908627031, 6e-11);
    assert_near(end.loss_friction, .1785714286, 6e-11);
    assert_near(crm_single_critical_friction(&rod), 4. / 3, ROUNDING);
}

/* ---- Random single contacts ------------------------------------------------------------------ */

static double difference(const friction_case *c, const friction_closed *want, const crm_outcome *o)
{
    double speed = friction_speed(c), worst = 0;
    double size = fmax(o->energy_before, 1e-300);
    double impulse = (double)want->impulse;
    worst = fmax(worst, fabs(o->gap_velocity[0] - (double)want->u_n) / speed);
    worst = fmax(worst, fabs(o->impulse[0] - impulse) / impulse);
    for (size_t k = 0; k < c->dim; k++) {
        worst = fmax(worst, fabs(o->slip_velocity[k] - (double)want->u_t[k]) / speed);
        double q = o->tangential_impulse[k] - (double)want->tangential[k];
        worst = fmax(worst, fabs(q) / impulse / (1 + c->friction[0]));
    }
    worst = fmax(worst, fabs(o->loss_friction[0] - (double)want->loss_tangential) / size);
    double loss = o->loss[0] - o->loss_friction[0];
    return fmax(worst, fabs(loss - (double)want->loss_normal) / size);
}

static unsigned path_of(const friction_closed *want)
{
    static const unsigned paths[FRICTION_PATHS] = {
        [FRICTION_REST_SLIPS] = SLIP, [FRICTION_REST_STICKS] = CRM_PATH_STICK,
        [FRICTION_SLIPS] = SLIP,      [FRICTION_REVERSES] = BACK,
        [FRICTION_STOPS] = STOP,      [FRICTION_JAMS] = JAM};
    return paths[want->path];
}

/* Rounding may make slip of none, and where D is singular slip and closing end together. */
static bool is_clear(const friction_case *c, const crm_outcome *o)
{
    static const size_t ROW = FRICTION_ROWS;
    long double u[FRICTION_ROWS], d[FRICTION_ROWS * FRICTION_ROWS];
    friction_slip(c, c->velocity, u);
    friction_delassus(c, d, NULL);
    double before = hypot((double)u[1], c->dim > 1 ? (double)u[2] : 0), speed = friction_speed(c);
    bool regular = c->dim > 1 || d[0] * d[ROW + 1] - d[1] * d[1] > 1e-9L * d[0] * d[ROW + 1];
    return regular && (before == 0 || before > 1e-9 * speed) && o->impulse[0] > 0;
}

static void compare(friction_case c, double *worst, size_t *paths, size_t *locked)
{
    friction_closed want;
    if (!friction_closed_solve(&c, &want) || c.friction[0] == 0) {
        return;
    }
    crm_outcome *o = friction_outcome("binary", &c);
    if (want.locked) {
        (*locked)++;
        assert_int_equal(o->result, CRM_NOT_TERMINATED);
        assert_non_null(strstr(o->reason, "contact 1 locks"));
        assert_near(o->energy_held, (double)want.held, 1e-9 * o->energy_before);
        assert_near(o->loss_friction[0], (double)want.loss_tangential, 1e-9 * o->energy_before);
        crm_outcome_free(o);
        return;
    }
    assert_int_equal(o->result, CRM_SOLVED);
    paths[want.path]++;
    *worst = fmax(*worst, difference(&c, &want, o) / fmax(1, 1e-6 * (double)want.conditioning));
    if (is_clear(&c, o)) {
        if (o->path[0] != path_of(&want)) {
            fail_msg("path %u, not %u: mu %g, e %g, P %.17g, %.17Lg", o->path[0], path_of(&want),
                     c.friction[0], c.restitution[0], o->impulse[0], want.impulse);
        }
    }
    crm_outcome_free(o);
}

static void single_contacts_have_their_closed_form(void **state)
{
    (void)state;
    rng r = rng_seeded(31);
    size_t paths[FRICTION_PATHS] = {0}, locked = 0, count = rounds(1500, 200);
    double plane = 0, sphere = 0;
    for (size_t k = 0; k < count; k++) {
        compare(friction_random_plane(&r), &plane, paths, &locked);
        double a = rng_log(&r, .1, 10), d = rng_log(&r, .1, 10);
        double b = rng_uniform(&r, -.99, .99) * sqrt(a * d), mu = rng_log(&r, .01, 3);
        friction_law law = {1, rng_uniform(&r, 0, 1), mu};
        compare(friction_plane_contact(a, b, d, -1, 0, law), &plane, paths, &locked);
    }
    for (size_t path = 0; path < FRICTION_PATHS; path++) {
        assert_true(paths[path] > 0);
    }
    for (size_t k = 0; k < count; k++) {
        compare(friction_random_sphere(&r), &sphere, paths, &locked);
    }
    print_message("largest difference: plane %.2g, spheres %.2g; %zu locked\n", plane, sphere,
                  locked);
    assert_true(plane <= 1e-9 && sphere <= 1e-9);
}

/* ---- Space, by small steps ------------------------------------------------------------------- */

typedef long double real;

typedef struct walk {
    real u[3], q[3], work, rubbed; /* q: P, Q */
} walk;

/* d/dP of all, friction as while it slips. */
static walk rate_of(const crm_single *c, const walk *w)
{
    real f[3] = {1, 0, 0}, slip = hypotl(w->u[1], w->u[2]);
    walk rate = {.work = -w->u[0], .rubbed = c->friction * slip};
    for (int a = 1; a < 3; a++) {
        f[a] = -c->friction * w->u[a] / slip;
    }
    for (int a = 0; a < 3; a++) {
        rate.q[a] = f[a];
        for (int b = 0; b < 3; b++) {
            rate.u[a] += c->d[a][b] * f[b];
        }
    }
    return rate;
}

static walk moved(const walk *w, const walk *rate, real by)
{
    walk to = *w;
    for (int a = 0; a < 3; a++) {
        to.u[a] += by * rate->u[a];
        to.q[a] += by * rate->q[a];
    }
    to.work += by * rate->work;
    to.rubbed += by * rate->rubbed;
    return to;
}

/* Runge and Kutta. */
static walk stepped(const crm_single *c, const walk *w, real h)
{
    walk k1 = rate_of(c, w), at = moved(w, &k1, h / 2);
    walk k2 = rate_of(c, &at);
    at = moved(w, &k2, h / 2);
    walk k3 = rate_of(c, &at);
    at = moved(w, &k3, h);
    walk k4 = rate_of(c, &at);
    at = moved(w, &k1, h / 6);
    at = moved(&at, &k2, h / 3);
    at = moved(&at, &k3, h / 3);
    return moved(&at, &k4, h / 6);
}

/* Slips throughout, compression and then expansion: steps of a part of |u_t|, halved at the end of
 * each phase. False: it does not slip throughout, or is pressed together again.
 */
static bool slip_by_steps(const crm_single *c, walk *w)
{
    real size = fabs(c->d[1][1]) + fabs(c->d[2][2]) + fabs(c->d[0][0]), stored = 0;
    real scale = c->friction * size + fabs(c->d[0][1]) + fabs(c->d[0][2]) + size;
    *w = (walk){.u = {c->u[0], c->u[1], c->u[2]}};
    real first = hypotl(w->u[1], w->u[2]);
    for (int phase = 0; phase < 2; phase++) {
        real part = 2e-3L;
        for (long k = 0; part > 1e-19L; k++) {
            real slip = hypotl(w->u[1], w->u[2]);
            walk next = stepped(c, w, part * slip / scale);
            bool over = phase == 0 ? next.u[0] >= 0 : next.work <= 0;
            if (slip < 1e-3L * first || k > 30000 || (phase == 1 && next.u[0] < 0)) {
                return false;
            }
            if (over) {
                part /= 2;
            } else {
                *w = next;
            }
        }
        stored = phase == 0 ? w->work : stored;
        w->work = (real)c->restitution * c->restitution * stored;
    }
    return true;
}

static void slip_in_space_turns(void **state)
{
    (void)state;
    rng r = rng_seeded(7);
    size_t found = 0;
    double worst = 0, turned = 0;
    for (size_t k = 0; k < rounds(120, 10); k++) {
        friction_case f = friction_random_space(&r);
        long double d[FRICTION_ROWS * FRICTION_ROWS], u[FRICTION_ROWS];
        f.restitution[0] = rng_uniform(&r, .2, 1);
        friction_slip(&f, f.velocity, u);
        if (!(u[0] < 0) || f.friction[0] == 0 || !friction_delassus(&f, d, NULL)) {
            continue;
        }
        crm_single c = {.tangents = 2,
                        .friction = f.friction[0],
                        .restitution = f.restitution[0],
                        .u = {(double)u[0], (double)u[1], (double)u[2]}};
        for (int a = 0; a < 9; a++) {
            c.d[a / 3][a % 3] = (double)d[a / 3 * FRICTION_ROWS + a % 3];
        }
        walk w;
        if (!slip_by_steps(&c, &w)) {
            continue;
        }
        crm_single_end end = crm_single_solve(&c);
        double speed = friction_speed(&f);
        for (int a = 0; a < 3; a++) {
            worst = fmax(worst, fabs(end.u[a] - (double)w.u[a]) / speed);
            worst = fmax(worst, fabs(end.impulse[a] - (double)w.q[a]) / (double)w.q[0]);
        }
        double cross = c.u[1] * end.u[2] - c.u[2] * end.u[1];
        turned = fmax(turned, fabs(cross) / hypot(c.u[1], c.u[2]) / hypot(end.u[1], end.u[2]));
        worst = fmax(worst, fabs(end.loss_friction - (double)w.rubbed) / (double)w.rubbed);
        assert_int_equal(end.path & ~(unsigned)CRM_PATH_JAM, SLIP);
        found++;
    }
    print_message("%zu contacts, largest difference %.2g, largest sine of turn %.2g\n", found,
                  worst, turned);
    assert_true(found >= rounds(20, 2));
    assert_true(worst <= 1e-9);
}

/* Whatever the path: Stronge's balance, the cone, u = D r + u-, and stick or slip at the end as
 * Coulomb's law has it.
 */
static void single_contacts_in_space_keep_the_law(void **state)
{
    (void)state;
    rng r = rng_seeded(8);
    size_t stuck = 0, reversed = 0, count = rounds(3000, 200);
    for (size_t k = 0; k < count; k++) {
        friction_case f = friction_random_space(&r);
        if (k % 5 == 0) { /* no slip before */
            long double u[FRICTION_ROWS];
            friction_slip(&f, f.velocity, u);
            f.wall_tangent[0] -= (double)u[1];
            f.wall_tangent[1] -= (double)u[2];
        }
        crm_outcome *o = friction_outcome("binary", &f);
        if (o->result != CRM_SOLVED || o->tangents == 0) {
            crm_outcome_free(o);
            continue;
        }
        double size = o->energy_before + fabs(o->boundary_work) + fabs(o->loss_friction[0]);
        assert_true(o->kinetic && o->kinematic && o->energetic);
        double terms[FRICTION_ROWS];
        friction_terms(&f, o, terms);
        double rounded = 1e-15 * o->impulse[0] * terms[0] / o->energy_before;
        assert_true(o->energy_error <= 1e-12 + rounded);
        assert_true(o->loss[0] >= o->loss_friction[0] - 1e-12 * size);
        assert_true(o->loss_friction[0] >= -1e-12 * size);
        stuck += (o->path[0] & CRM_PATH_STICK) != 0;
        reversed += (o->path[0] & CRM_PATH_REVERSED) != 0;
        crm_outcome_free(o);
    }
    print_message("%zu stuck, %zu reversed of %zu\n", stuck, reversed, count);
    assert_true(stuck > 0 && reversed > 0);
}

/* ---- Locking --------------------------------------------------------------------------------- */

/* A mass on an arm at alpha below its hinge: one degree of freedom, tan alpha <= mu locks; else it
 * returns with e sqrt((tan alpha - mu) / (tan alpha + mu)).
 */
static void a_pendulum_locks_or_returns(void **state)
{
    (void)state;
    double deg = acos(-1) / 180;
    friction_case c = friction_pendulum(30 * deg, (friction_law){1, 1, .8});
    crm_outcome *o = friction_outcome("binary", &c);
    assert_int_equal(o->result, CRM_NOT_TERMINATED);
    assert_non_null(strstr(o->reason, "contact 1 locks"));
    assert_near(o->velocity[0], 0, ROUNDING);
    assert_near(o->energy_held + o->loss_friction[0], o->energy_before, ROUNDING);
    assert_true(o->energy_held > 0);
    crm_outcome_free(o);
    static const double back[2][2] = {{1, .8676138399}, {.5, .4338069199}};
    for (int k = 0; k < 2; k++) {
        c = friction_pendulum(80 * deg, (friction_law){1, back[k][0], .8});
        o = friction_solve("binary", &c);
        assert_near(fabs(o->velocity[0] / c.velocity[0]), back[k][1], 6e-11);
        crm_outcome_free(o);
    }
    o = friction_solve("newton", &c);
    assert_near(fabs(o->velocity[0] / c.velocity[0]), .5, ROUNDING);
    crm_outcome_free(o);
}

/* ---- Several contacts ------------------------------------------------------------------------ */

/* Three discs in a line: the first pair, then the second, and with e = 1 once more the first none;
 * D_nt = 0, so that the normals are those without friction.
 */
static void discs_in_a_line(void **state)
{
    (void)state;
    friction_case c = friction_disc_line((friction_law){1.5, 1, .1});
    crm_outcome *o = friction_solve("binary", &c);
    /* First pair: Q = mu P = .1, D_tt = 2 + 2/J = 6: u_t = -1.3 + .6, still slipping. */
    assert_all_near(o->impulse, ((double[2]){1, 1}), 2, ROUNDING);
    assert_near(o->tangential_impulse[0], .1, ROUNDING);
    assert_near(o->velocity[0], 0, ROUNDING);
    assert_near(o->velocity[6], 1, ROUNDING);
    assert_true(o->path[0] == SLIP);
    crm_outcome_free(o);
}

static void sequences_keep_the_law(void **state)
{
    (void)state;
    size_t solved = 0, count = rounds(600, 40);
    for (size_t k = 0; k < count; k++) {
        friction_draw draw;
        friction_case c = friction_random_of(12, k, 6, &draw);
        crm_model *model = friction_model(&c);
        crm_settings *settings = law_settings(crm_law_find("binary"));
        crm_outcome *o = NULL;
        crm_error error = {0};
        assert_ok(crm_settings_set_number(settings, "max_collisions", 3000, &error), &error);
        assert_ok(crm_settings_set_text(settings, "order", k % 2 ? "fastest" : "random", &error),
                  &error);
        assert_ok(crm_solve(model, c.velocity, settings, NULL, &o, &error), &error);
        solved += o->result == CRM_SOLVED;
        assert_true(o->kinetic && o->energetic);
        assert_true(o->result != CRM_SOLVED || o->kinematic);
        if (o->result != CRM_SOLVED && o->result != CRM_NOT_TERMINATED) {
            fail_msg("%zu, %s: %s", k, friction_kind_name(draw.kind), o->reason);
        }
        assert_true(o->energy_error <= 1e-10);
        for (size_t j = 0; j < c.s && o->tangents > 0; j++) {
            assert_true(o->loss_friction[j] >= -1e-10 * (o->energy_before + o->loss_friction[j]));
        }
        crm_outcome_free(o);
        crm_settings_free(settings);
        crm_model_free(model);
    }
    print_message("%zu of %zu sequences ended\n", solved, count);
    assert_true(solved > count / 2);
}

/* Two contacts struck at once, coupled: left first or right first. */
static void order_all_finds_both_orders(void **state)
{
    (void)state;
    friction_case c = friction_bernoulli(1, .2, .3, (friction_law){1.5, .8, .3});
    crm_model *model = friction_model(&c);
    crm_settings *settings = law_settings(crm_law_find("binary"));
    crm_outcome *o = NULL;
    crm_error error = {0};
    assert_ok(crm_settings_set_text(settings, "order", "all", &error), &error);
    assert_ok(crm_solve(model, c.velocity, settings, NULL, &o, &error), &error);
    assert_non_null(strstr(o->note, "distinct outcomes over all orders"));
    assert_false(o->unique);
    crm_outcome_free(o);
    crm_settings_free(settings);
    crm_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rod_on_a_rough_floor),
        cmocka_unit_test(stronge_beside_newton),
        cmocka_unit_test(a_jam_strikes_without_closing_speed),
        cmocka_unit_test(single_contacts_have_their_closed_form),
        cmocka_unit_test(slip_in_space_turns),
        cmocka_unit_test(single_contacts_in_space_keep_the_law),
        cmocka_unit_test(a_pendulum_locks_or_returns),
        cmocka_unit_test(discs_in_a_line),
        cmocka_unit_test(sequences_keep_the_law),
        cmocka_unit_test(order_all_finds_both_orders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
