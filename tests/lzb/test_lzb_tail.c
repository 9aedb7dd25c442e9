/* The end of an impact by plastic projection: on a line of contacts against the complementarity
 * solver, which knows nothing of lines; and what it loses.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "law/lzb/state/line.h"
#include "law/lzb/state/tail.h"
#include "support.h"

static crm_model *random_line(rng *r, size_t balls, bool wall)
{
    double *mass = calloc(balls, sizeof *mass);
    assert_non_null(mass);
    for (size_t i = 0; i < balls; i++) {
        mass[i] = rng_log(r, 1e-2, 1e2);
    }
    crm_chain_def def = crm_chain_def_default();
    crm_error error = {0};
    crm_model *model = NULL;
    def.count = balls;
    def.mass.each = mass;
    def.stiffness.all = 1;
    def.wall_side = wall ? CRM_WALL_RIGHT : CRM_WALL_NONE;
    def.wall.stiffness = 1;
    assert_int_equal(crm_model_from_chain(&def, &model, &error), CRM_OK);
    free(mass);
    return model;
}

static void lines_are_projected_as_by_complementarity(void **state)
{
    (void)state;
    rng r = rng_seeded(5);
    for (int i = 0; i < 300; i++) {
        size_t balls = 2 + rng_below(&r, 60);
        crm_model *model = random_line(&r, balls, rng_below(&r, 2));
        size_t s = model->contacts;
        double closers = rng_uniform(&r, 0.0, 1.0);
        double *q = calloc(5 * s, sizeof *q), *p = q + s, *w = p + s, *p_lcp = w + s;
        double *w_lcp = p_lcp + s;
        assert_non_null(q);
        for (size_t j = 0; j < s; j++) {
            q[j] = rng_log(&r, 1e-3, 1.0) * (rng_uniform(&r, 0.0, 1.0) < closers ? -1 : 1);
        }
        crm_lcp *lcp = NULL;
        crm_lcp_info info;
        crm_error error = {0};
        assert_int_equal(crm_lcp_create_for_model(model, &lcp, &error), CRM_OK);
        assert_int_equal(crm_lcp_solve(lcp, q, NULL, p_lcp, w_lcp, &info, &error), CRM_OK);
        assert_int_equal(info.result, CRM_LCP_SOLVED);
        assert_true(lzb_line_project(model, q, p, w));
        for (size_t j = 0; j < s; j++) {
            double size = 1.0 + model->d_diagonal[j] * p_lcp[j];
            assert_near(w[j], w_lcp[j], 1e-11 * size);
            assert_near(model->d_diagonal[j] * p[j], model->d_diagonal[j] * p_lcp[j], 1e-9 * size);
            assert_true(p[j] >= 0 && w[j] >= 0 && p[j] * w[j] == 0);
        }
        crm_lcp_free(lcp);
        crm_model_free(model);
        free(q);
    }
}

/* Two contacts on the same side of a body: pressing one opens the other. D = ((1, 1/2), (1/2,
 * 5/4)), q = (-1, -1/10): the first presses alone, p = (1, 0), and both together would have to
 * pull. That is no line of bodies, whatever the unit of mass.
 */
static void contacts_that_open_each_other_are_not_projected(void **state)
{
    (void)state;
    for (int k = -6; k <= 6; k += 6) {
        small_system system = small_system_blank(2, 2);
        system.w[0] = 1;
        system.w[2] = 0.5;
        system.w[3] = 1;
        system.mass[0] = system.mass[3] = pow(10, k);
        crm_model *model = small_system_model(&system);
        double q[] = {-1, -0.1}, p[2], w[2];
        assert_false(lzb_line_project(model, q, p, w));
        crm_model_free(model);
    }
}

enum { CONTACTS = 6 };

/* Contacts that meet themselves, and each other where `meets` says so. */
static bool is_line(bool (*meets)[CONTACTS])
{
    size_t start[CONTACTS + 1] = {0}, filled = 0;
    uint32_t column[CONTACTS * CONTACTS];
    for (size_t i = 0; i < CONTACTS; i++) {
        for (size_t j = 0; j < CONTACTS; j++) {
            if (i == j || meets[i][j]) {
                column[filled++] = (uint32_t)j;
            }
        }
        start[i + 1] = filled;
    }
    const crm_model model = {.contacts = CONTACTS, .d_start = start, .d_column = column};
    return lzb_line_fits(&model);
}

/* Of all ways in which six contacts can meet each other, one is a line. */
static void lines_are_lines(void **state)
{
    (void)state;
    enum { PAIRS = CONTACTS * (CONTACTS - 1) / 2 };
    for (unsigned set = 0; set < 1U << PAIRS; set++) {
        bool meets[CONTACTS][CONTACTS] = {0}, line = true;
        unsigned pair = 0;
        for (size_t i = 0; i < CONTACTS; i++) {
            for (size_t j = i + 1; j < CONTACTS; j++, pair++) {
                meets[i][j] = meets[j][i] = set >> pair & 1;
                line &= meets[i][j] == (j == i + 1);
            }
        }
        assert_int_equal(is_line(meets), line);
    }
}

/* In the midst of an impact: at the velocities before it, with energy stored. */
static lzb_state state_of(const crm_model *model, const double *velocity, double *room)
{
    size_t s = model->contacts, n = model->coordinates;
    static uint8_t mode[SMALL];
    lzb_state made = {.model = model,
                      .contacts = s,
                      .velocity = velocity,
                      .speed = 1,
                      .mode = mode,
                      .x = room,
                      .c = room + s,
                      .p = room + 2 * s,
                      .remainder = room + 3 * s,
                      .x_open = room + 4 * s,
                      .loss = room + 5 * s,
                      .tail_room = room + 6 * s};
    memset(room, 0, (9 * s + 3 * n) * sizeof *room);
    return made;
}

/* To be closed, however much is left of the impact: the energy stored and what the velocities lose
 * go to the contacts that lose, in wedges as well.
 */
static void what_is_lost_is_booked(void **unused)
{
    (void)unused;
    rng r = rng_seeded(6);
    for (int i = 0; i < 200; i++) {
        disc_patch patch;
        small_system system = i % 2 ? random_chain(&r, random_choice_default(), i % 4 == 1)
                                    : random_disc_patch(&r, random_choice_default(), &patch);
        crm_model *model = small_system_model(&system);
        double room[9 * SMALL + 3 * SMALL], after[SMALL], stored = 0, lost = 0, moved;
        lzb_state state = state_of(model, system.velocity, room);
        crm_model_gap_velocity(model, system.velocity, state.c);
        for (size_t j = 0; j < system.s; j++) {
            state.c[j] *= -1;
            state.x[j] = (double)rng_below(&r, 2) * rng_uniform(&r, 0, 0.5);
            state.x_open[j] = (double)rng_below(&r, 2) * rng_uniform(&r, 0, 0.5);
            stored += system.stiffness[j] / (1 + system.exponent[j]) *
                      pow(state.x[j] + state.x_open[j], 1 + system.exponent[j]);
        }
        bool closed = false;
        crm_error error = {0};
        assert_ok(lzb_tail_close(&state, model, 1e6, &closed, &moved, &error), &error);
        assert_true(closed);
        memcpy(after, system.velocity, sizeof after);
        assert_ok(crm_model_apply_impulse(model, state.p, after, &error), &error);
        double before = crm_model_kinetic_energy(model, system.velocity) + stored;
        for (size_t j = 0; j < system.s; j++) {
            assert_true(state.loss[j] >= 0);
            assert_true(state.c[j] < 1e-9 && state.x[j] == 0 && state.x_open[j] == 0);
            lost += state.loss[j];
        }
        assert_near(lost, before - crm_model_kinetic_energy(model, after), 1e-10 * before);
        crm_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_projected_as_by_complementarity),
        cmocka_unit_test(contacts_that_open_each_other_are_not_projected),
        cmocka_unit_test(lines_are_lines),
        cmocka_unit_test(what_is_lost_is_booked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
