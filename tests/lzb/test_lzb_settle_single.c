/* Settling in single precision (law/lzb/capturing/kernel/single.h) beside the plain substeps in
 * double precision (substep.h, mono.h), which are of the second order and share no code with it:
 * from random states of random lines, with substeps so short that only rounding and their own
 * errors tell them apart.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "law/lzb/capturing/kernel/pack.h"
#include "law/lzb/capturing/kernel/single.h"
#include "law/lzb/extrapolation/step.h"
#include "support.h"

enum { MOST = 120, SUBSTEPS = 384 };

/* A line of contacts on its way. */
typedef struct line {
    crm_model *model;
    crm_pool pool;
    lzb_state state;
    lzb_window window;
    double x[MOST], c[MOST], x_open[MOST], scale[MOST];
    uint8_t mode[MOST];
} line;

/* What came of a row. */
typedef struct result {
    double x[MOST], p[MOST], release_depth[MOST], out[MOST], held[MOST], peak[MOST], released[MOST];
    double turns[MOST];
} result;

/* PLASTIC: mono-stiffness, and an eighth of the contacts give nothing back. (With bi-stiffness they
 * are stiff when they expand, and with short substeps the time of a top is lost in rounding.)
 */
typedef enum sort { BI, MONO, PLASTIC } sort;

static crm_model *random_model(rng *r, size_t balls, double exponent, sort of, double spread)
{
    double mass[MOST], restitution[MOST], stiffness[MOST];
    for (size_t i = 0; i < balls; i++) {
        mass[i] = rng_log(r, 1 / spread, spread);
        restitution[i] = of == PLASTIC && rng_below(r, 8) == 0 ? 0 : rng_uniform(r, 0.3, 1.0);
        stiffness[i] = rng_log(r, 1 / spread, spread);
    }
    crm_chain_def def = crm_chain_def_default();
    crm_error error = {0};
    crm_model *model = NULL;
    def.count = balls;
    def.mass.each = mass;
    def.restitution.each = restitution;
    def.stiffness.each = stiffness;
    def.exponent.all = exponent;
    def.wall_side = rng_below(r, 2) == 0 ? CRM_WALL_NONE : CRM_WALL_RIGHT;
    def.wall.stiffness = 1;
    def.wall.exponent = exponent;
    def.wall.restitution = 0.5;
    assert_int_equal(crm_model_from_chain(&def, &model, &error), CRM_OK);
    return model;
}

/* Some contacts are open, some pressed, of which some expand. With mono-stiffness x is what is left
 * to the release depth.
 */
static void draw_contact(rng *r, line *l, size_t j, double unit)
{
    double e = l->model->restitution[j], eta = l->model->exponent[j];
    l->scale[j] = lzb_contact_indentation(l->model->stiffness[j], eta,
                                          0.5 * unit * unit / l->model->d_diagonal[j]);
    l->c[j] = unit * rng_uniform(r, -1, 1);
    l->x[j] = rng_below(r, 3) == 0 ? 0 : l->scale[j] * rng_uniform(r, 0, 1);
    if (e == 0 && l->c[j] <= 0) {
        l->x[j] = 0; /* has let go */
    }
    l->x_open[j] = 0;
    l->mode[j] = l->c[j] > 0 || (l->x[j] > 0 && e == 1) ? LZB_COMPRESSING
                 : l->x[j] > 0                          ? LZB_EXPANDING
                                                        : LZB_OPEN;
    if (l->mode[j] == LZB_EXPANDING && l->state.stiffness_model == LZB_MONO) {
        double depth = l->x[j];
        l->x[j] *= lzb_contact_given_back(e, eta);
        l->x_open[j] = depth - l->x[j];
    }
}

static void line_begin(rng *r, line *l, size_t balls, double exponent, sort of, double spread,
                       double unit)
{
    crm_error error = {0};
    memset(l, 0, sizeof *l);
    l->model = random_model(r, balls, exponent, of, spread);
    l->state = (lzb_state){.model = l->model,
                           .restitution = l->model->restitution,
                           .width = crm_widest(),
                           .stiffness_model = of == BI ? LZB_BI : LZB_MONO,
                           .contacts = l->model->contacts,
                           .pool = &l->pool,
                           .speed = unit,
                           .x = l->x,
                           .c = l->c,
                           .mode = l->mode,
                           .x_open = l->x_open,
                           .x_scale = l->scale};
    for (size_t j = 0; j < l->state.contacts; j++) {
        draw_contact(r, l, j, unit);
    }
    assert_int_equal(lzb_window_begin(&l->state, 1e-9, 1e-9, NULL, &l->window, &error), CRM_OK);
    lzb_window_include_open(&l->window, true);
    lzb_window_widen(&l->window, MOST);
    lzb_stepper s = {.state = &l->state, .window = &l->window};
    assert_int_equal(lzb_step_build(&s, &error), CRM_OK);
    assert_int_equal(l->window.count, l->model->contacts);
}

static void line_end(line *l)
{
    lzb_window_release(&l->window);
    crm_pool_release(&l->pool);
    crm_model_free(l->model);
}

static lzb_account fresh_account(const line *l)
{
    lzb_account to = lzb_account_of(&l->window, l->state.stiffness_model == LZB_MONO);
    double *const kept[] = {to.held, to.peak,   to.released, to.turns,           to.release_depth,
                            to.out,  to.margin, to.counted,  to.release_fraction};
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        memset(kept[i], 0, l->window.blocks * LZB_BLOCK * sizeof *kept[i]);
    }
    for (size_t k = 0; k < l->window.count; k++) {
        double e = l->model->restitution[k];
        to.returns[k] = to.mono ? 1 : 1 / (e * e);
        to.release_fraction[k] = to.mono ? 1 - lzb_contact_given_back(e, l->model->exponent[k]) : 0;
        to.start[k] = l->x_open[k];
    }
    to.decisive_energy = INFINITY;
    return to;
}

/* A time in radians of the unit's swings. */
static double time_of(const line *l, double radians)
{
    double least = INFINITY;
    for (size_t j = 0; j < l->state.contacts; j++) {
        least = fmin(least, l->scale[j]);
    }
    return radians * least / l->state.speed;
}

typedef enum way { PLAIN, SINGLE } way;

static void run(line *l, way how, unsigned substeps, double length, result *found)
{
    lzb_account to = fresh_account(l);
    size_t count = l->window.count, size = count * sizeof(double);
    if (how == PLAIN) {
        lzb_substeps_row(&l->window, &to, 0, substeps, length, true);
    } else {
        /* the motion may be slower than the unit by any factor: any unit of speed will do */
        lzb_single_substeps(&l->window, &to, substeps, length, 0.7 * l->state.speed,
                            l->state.speed);
    }
    const double *x = lzb_window_row(&l->window, 0);
    memcpy(found->x, x, size);
    memcpy(found->p, x + 2 * l->window.blocks * LZB_BLOCK, size);
    memcpy(found->held, to.held, size);
    memcpy(found->peak, to.peak, size);
    memcpy(found->released, to.released, size);
    memcpy(found->turns, to.turns, size);
    for (size_t k = 0; k < count; k++) {
        found->out[k] = to.mono && to.out[k] > 0 ? 1 : 0;
        found->release_depth[k] = found->out[k] > 0 ? to.release_depth[k] : 0;
    }
}

/* How far two results are apart at contact k, in units of the motion. */
static double gap_at(const line *l, const result *a, const result *b, size_t k, double length)
{
    double scale = l->scale[k], impulse = l->state.speed / l->model->d_diagonal[k];
    double energy = impulse * l->state.speed;
    double gap = fabs(a->x[k] - b->x[k]) / scale + fabs(a->p[k] - b->p[k]) / impulse;
    gap = fmax(gap, fabs(a->release_depth[k] - b->release_depth[k]) / scale);
    gap = fmax(gap, fabs(a->held[k] - b->held[k]) / length);
    gap = fmax(gap, fabs(a->peak[k] - b->peak[k]) / scale);
    gap = fmax(gap, fabs(a->released[k] - b->released[k]) / energy);
    return gap;
}

/* Where a contact is just about to let go or to turn they may disagree: in one of a thousand. */
static void compare(line *l, double *worst, size_t *apart, size_t *asked)
{
    static result plain, single;
    const double close = 5e-4;
    double length = time_of(l, 3);
    assert_true(lzb_single_suits(&l->window));
    run(l, PLAIN, SUBSTEPS, length, &plain);
    run(l, SINGLE, SUBSTEPS, length, &single);
    for (size_t k = 0; k < l->window.count; k++) {
        double gap = gap_at(l, &plain, &single, k, length);
        bool same = gap < close && plain.turns[k] == single.turns[k];
        *apart += same ? 0 : 1;
        *worst = same ? fmax(*worst, gap) : *worst;
        *asked += 1;
    }
}

static void single_precision_gives_what_double_precision_does(void **state)
{
    (void)state;
    rng r = rng_seeded(8);
    static line l;
    for (int kind = 0; kind < 4; kind++) {
        bool mono = kind % 2 == 1;
        double exponent = kind < 2 ? 1 : 1.5, worst = 0;
        size_t apart = 0, asked = 0;
        for (int i = 0; i < 40; i++) {
            double unit = rng_log(&r, 1e-9, 1e3);
            line_begin(&r, &l, 10 + rng_below(&r, MOST - 10), exponent, mono ? MONO : BI,
                       rng_log(&r, 1, 4), unit);
            compare(&l, &worst, &apart, &asked);
            line_end(&l);
        }
        printf("%s, exponent %g: %zu contacts, gap %.1e, %zu apart\n", mono ? "mono" : "bi",
               exponent, asked, worst, apart);
        assert_true(1000 * apart < asked);
    }
}

/* What a way is off by, with these numbers of substeps. */
typedef struct off {
    double rough, fine, plain;
    size_t other_turns, turns;
} off;

static double distance(const line *l, const result *a, const result *b)
{
    double sum = 0;
    for (size_t k = 0; k < l->window.count; k++) {
        double impulse = l->state.speed / l->model->d_diagonal[k];
        sum += fabs(a->x[k] - b->x[k]) / l->scale[k] + fabs(a->p[k] - b->p[k]) / impulse;
    }
    return sum;
}

static void find_errors(line *l, off *all)
{
    static result exact, rough, fine, plain;
    double length = time_of(l, 2);
    run(l, PLAIN, 4096, length, &exact);
    run(l, PLAIN, 64, length, &plain);
    run(l, SINGLE, 16, length, &rough);
    run(l, SINGLE, 64, length, &fine);
    all->rough += distance(l, &rough, &exact);
    all->fine += distance(l, &fine, &exact);
    all->plain += distance(l, &plain, &exact);
    for (size_t k = 0; k < l->window.count; k++) {
        all->turns += exact.turns[k] > 0;
        all->other_turns += fine.turns[k] != exact.turns[k];
    }
}

/* Errors fall with the cube of the substep, until they are rounding, and are far below those of
 * plain substeps; less so where contacts give nothing back.
 */
static void errors_are_of_the_third_order(void **state)
{
    (void)state;
    rng r = rng_seeded(9);
    static line l;
    static const char *const NAMES[] = {"bi", "mono", "plastic"};
    static const double FALL[] = {32, 32, 8, 32, 32, 16}, BELOW[] = {60, 50, 4, 12, 30, 2};
    for (int kind = 0; kind < 6; kind++) {
        off all = {0};
        double exponent = kind < 3 ? 1 : 1.5;
        for (int i = 0; i < 20; i++) {
            line_begin(&r, &l, 60, exponent, (sort)(kind % 3), 1.2, 1);
            find_errors(&l, &all);
            line_end(&l);
        }
        printf("%s, exponent %g: %.1e, with a quarter of the substep %.1e (plain %.1e); %zu of %zu "
               "turns\n",
               NAMES[kind % 3], exponent, all.rough, all.fine, all.plain, all.other_turns,
               all.turns);
        assert_true(all.fine < all.rough / FALL[kind]);
        assert_true(all.fine < all.plain / BELOW[kind]);
        assert_true(50 * all.other_turns < all.turns);
    }
}

/* x = left + c t + a t^2 / 2 is 0 when the contact lets go: on the way out, or after its top. */
static void contacts_are_released_at_their_release_depths(void **state)
{
    (void)state;
    rng r = rng_seeded(11);
    size_t within = 0, after_top = 0;
    for (int i = 0; i < 10000; i++) {
        float a = (float)rng_uniform(&r, -1, 1), c = (float)rng_uniform(&r, -1, 1);
        float left = (float)rng_uniform(&r, 0, 0.5), end = left + c + 0.5f * a;
        if (end > 0 || (c > 0 && a >= 0)) {
            continue;
        }
        float t = time_to_release(-a, c, left);
        assert_true(t > 0 && t <= 1);
        assert_near(left + t * (c + 0.5f * a * t), 0, 1e-5);
        assert_true(c + a * t <= 1e-3); /* downwards: the first time, or after the top */
        within++;
        after_top += c > 0;
        /* a release depth above: at once, or at the top if that is where it is */
        if (c > 0) {
            assert_near(time_to_release(-a, c, 0.5f * c * c / a), -c / a, 2e-3);
        } else {
            assert_true(time_to_release(-a, c, -left) == 0);
        }
    }
    assert_true(within > 1000 && after_top > 100);
}

/* Where contacts are a thousand times as slow as others, their steps would be lost in rounding. */
static void far_slower_contacts_are_not_for_single_precision(void **state)
{
    (void)state;
    rng r = rng_seeded(10);
    static line l;
    line_begin(&r, &l, 60, 1.5, BI, 2, 1);
    assert_true(lzb_single_suits(&l.window));
    l.window.fixed.scale[30] *= 2e3;
    assert_false(lzb_single_suits(&l.window));
    line_end(&l);
    line_begin(&r, &l, 60, 2, BI, 2, 1);
    assert_false(lzb_single_suits(&l.window));
    line_end(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_precision_gives_what_double_precision_does),
        cmocka_unit_test(errors_are_of_the_third_order),
        cmocka_unit_test(contacts_are_released_at_their_release_depths),
        cmocka_unit_test(far_slower_contacts_are_not_for_single_precision),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
