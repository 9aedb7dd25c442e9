/* Random discs and boxes in a trough, by several laws: whatever happens, the account closes,
 * nothing penetrates, what is elastic keeps its energy, and nothing hangs.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "motion_call.h"
#include "support.h"

enum { MOST_BODIES = 6, DISC_GAPS = 3, CORNERS = 4, BOX_GAPS = 3 * CORNERS, MOST_GAPS = 64 };
static const double HALF_TROUGH = 3;

/* Discs first, two coordinates each, then boxes with three. Discs touch each other, the floor and
 * the sides; boxes the floor and the sides with their corners, and pass the others by.
 */
typedef struct trough {
    size_t discs, boxes, n, gaps;
    double mass[MOST_BODIES], radius[MOST_BODIES], half_width[MOST_BODIES],
        half_height[MOST_BODIES];
    double gravity, tilt;
} trough;

static size_t box_place(const trough *s, size_t k)
{
    return 2 * s->discs + 3 * k;
}

static double box_inertia(const trough *s, size_t body)
{
    double a = s->half_width[body], b = s->half_height[body];
    return s->mass[body] * (a * a + b * b) / 3;
}

static crm_status trough_mass(void *context, const double *q, double *mass)
{
    const trough *s = context;
    (void)q;
    memset(mass, 0, s->n * s->n * sizeof *mass);
    for (size_t i = 0; i < 2 * s->discs; i++) {
        mass[i * (s->n + 1)] = s->mass[i / 2];
    }
    for (size_t k = 0; k < s->boxes; k++) {
        size_t at = box_place(s, k), body = s->discs + k;
        mass[at * (s->n + 1)] = mass[(at + 1) * (s->n + 1)] = s->mass[body];
        mass[(at + 2) * (s->n + 1)] = box_inertia(s, body);
    }
    return CRM_OK;
}

static crm_status trough_force(void *context, double t, const double *q, const double *v, double *h)
{
    const trough *s = context;
    (void)t, (void)q, (void)v;
    memset(h, 0, s->n * sizeof *h);
    for (size_t body = 0; body < s->discs + s->boxes; body++) {
        size_t at = body < s->discs ? 2 * body : box_place(s, body - s->discs);
        h[at] = s->mass[body] * s->tilt;
        h[at + 1] = -s->mass[body] * s->gravity;
    }
    return CRM_OK;
}

static double trough_potential(void *context, double t, const double *q)
{
    const trough *s = context;
    double h[3 * MOST_BODIES], sum = 0;
    trough_force(context, t, q, NULL, h);
    for (size_t i = 0; i < s->n; i++) {
        sum -= h[i] * q[i];
    }
    return sum;
}

/* Corner c of box k, from its centre. */
static void corner(const trough *s, const double *q, size_t k, size_t c, double *x, double *y)
{
    double angle = q[box_place(s, k) + 2];
    double a = (c & 1 ? 1 : -1) * s->half_width[s->discs + k];
    double b = (c & 2 ? 1 : -1) * s->half_height[s->discs + k];
    *x = a * cos(angle) - b * sin(angle);
    *y = a * sin(angle) + b * cos(angle);
}

static double *three_walls(double *gap, double x, double y, double radius)
{
    gap[0] = y - radius;
    gap[1] = HALF_TROUGH + x - radius;
    gap[2] = HALF_TROUGH - x - radius;
    return gap + 3;
}

static crm_status trough_gap(void *context, double t, const double *q, double *gap)
{
    const trough *s = context;
    (void)t;
    for (size_t i = 0; i < s->discs; i++) {
        gap = three_walls(gap, q[2 * i], q[2 * i + 1], s->radius[i]);
        for (size_t j = 0; j < i; j++) {
            double distance = hypot(q[2 * i] - q[2 * j], q[2 * i + 1] - q[2 * j + 1]);
            *gap++ = distance - s->radius[i] - s->radius[j];
        }
    }
    for (size_t k = 0; k < s->boxes; k++) {
        for (size_t c = 0; c < CORNERS; c++) {
            double x, y;
            corner(s, q, k, c, &x, &y);
            gap = three_walls(gap, q[box_place(s, k)] + x, q[box_place(s, k) + 1] + y, 0);
        }
    }
    return CRM_OK;
}

static crm_status trough_gradient(void *context, double t, const double *q, double *w)
{
    const trough *s = context;
    (void)t;
    memset(w, 0, s->gaps * s->n * sizeof *w);
    for (size_t i = 0; i < s->discs; i++, w += DISC_GAPS * s->n) {
        w[2 * i + 1] = 1;
        w[s->n + 2 * i] = 1;
        w[2 * s->n + 2 * i] = -1;
        for (size_t j = 0; j < i; j++, w += s->n) {
            double *row = w + DISC_GAPS * s->n;
            double x = q[2 * i] - q[2 * j], y = q[2 * i + 1] - q[2 * j + 1], d = hypot(x, y);
            row[2 * i] = x / d;
            row[2 * i + 1] = y / d;
            row[2 * j] = -x / d;
            row[2 * j + 1] = -y / d;
        }
    }
    for (size_t k = 0; k < s->boxes; k++) {
        for (size_t c = 0; c < CORNERS; c++, w += 3 * s->n) {
            double x, y, *row = w + box_place(s, k);
            corner(s, q, k, c, &x, &y);
            row[1] = 1;
            row[2] = x;
            row[s->n] = 1;
            row[s->n + 2] = -y;
            row[2 * s->n] = -1;
            row[2 * s->n + 2] = y;
        }
    }
    return CRM_OK;
}

/* ---- Random ones ----------------------------------------------------------------------------- */

static trough random_trough(rng *r, double *q, double *v)
{
    trough s = {.discs = rng_below(r, 5), .boxes = rng_below(r, 3)};
    s.boxes += s.discs + s.boxes == 0;
    s.gravity = rng_below(r, 5) > 0 ? 9.81 : 0;
    s.tilt = rng_below(r, 3) == 0 ? rng_uniform(r, -5, 5) : 0;
    s.n = 2 * s.discs + 3 * s.boxes;
    s.gaps = DISC_GAPS * s.discs + s.discs * (s.discs - (s.discs > 0)) / 2 + BOX_GAPS * s.boxes;
    for (size_t body = 0; body < s.discs + s.boxes; body++) {
        size_t at = body < s.discs ? 2 * body : box_place(&s, body - s.discs);
        s.mass[body] = rng_uniform(r, 0.2, 3);
        s.radius[body] = rng_uniform(r, 0.1, 0.3);
        s.half_width[body] = rng_uniform(r, 0.05, 0.4);
        s.half_height[body] = rng_uniform(r, 0.05, 0.4);
        q[at] = body < s.discs ? -2.4 + 1.2 * (double)body : rng_uniform(r, -1, 1);
        q[at + 1] = rng_uniform(r, 0.8, 2);
        v[at] = rng_uniform(r, -2, 2);
        v[at + 1] = rng_uniform(r, -2, 2);
        if (body >= s.discs) {
            q[at + 2] = rng_uniform(r, -3, 3);
            v[at + 2] = rng_uniform(r, -4, 4);
        }
    }
    return s;
}

static void follow(rng *r, const char *law_name)
{
    double q[3 * MOST_BODIES], v[3 * MOST_BODIES], e[MOST_GAPS];
    trough s = random_trough(r, q, v);
    size_t kind = rng_below(r, 5);
    double restitution = kind == 0 ? 0 : kind == 1 ? 1 : rng_uniform(r, 0, 0.8);
    for (size_t j = 0; j < s.gaps; j++) {
        e[j] = restitution;
    }
    crm_lagrangian_def def = crm_lagrangian_def_default();
    def.context = &s;
    def.positions = def.velocities = s.n;
    def.gaps = s.gaps;
    def.mass = trough_mass;
    def.force = trough_force;
    def.gap = trough_gap;
    def.gradient = trough_gradient;
    def.potential = trough_potential;
    def.position = q;
    def.velocity = v;
    def.restitution = e;
    crm_settings *law = law_named(law_name);
    crm_motion_options options = crm_motion_options_default();
    options.law = law;
    crm_motion *motion = motion_of(&def, &options);
    run_to(motion, 3, NULL);
    crm_motion_summary summary = crm_motion_summarize(motion);
    const crm_motion_account *account = &summary.energy;
    double scale = account->kinetic_before + fabs(account->potential_before);
    assert_near(account->error, 0, 1e-9 * scale);
    assert_near(account->work, 0, 1e-9 * scale);
    assert_true(account->lost > -1e-9 * scale);
    assert_near(restitution == 1 ? account->lost : 0, 0, 1e-8 * scale);
    assert_near(summary.max_penetration, 0, 1e-9);
    crm_motion_free(motion);
    crm_settings_free(law);
}

static void whatever_happens(void **state)
{
    (void)state;
    static const char *const laws[] = {"lzb", "moreau", "newton", "poisson", "binary"};
    int count = (int)rounds(40, 8);
    rng r = rng_seeded(11);
    for (int k = 0; k < count; k++) {
        follow(&r, laws[k % 5]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(whatever_happens)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
