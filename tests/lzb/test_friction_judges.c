/* The judges of impacts with friction, beside each other, closed forms and printed values: those of
 * the tables were computed by two integrators of another author, to eight digits.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "friction_closed.h"
#include "friction_judge.h"
#include "friction_named.h"
#include "friction_printed.h"
#include "friction_proximal.h"
#include "friction_random.h"

/* What is printed to eight digits, the last of them off by one here and there. */
static const double PRINTED = 1.6e-8;

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

/* What holds whatever the impact: the account, L_t >= 0, the cones, nothing closes at the end. The
 * account is a difference of works of the size of P |u|, far above T where D is nearly singular.
 */
static void assert_lawful(const friction_case *c, const friction_answer *answer)
{
    long double u[FRICTION_ROWS];
    double speed = friction_speed(c), before = friction_energy(c, c->velocity);
    double works = sum_of(answer->impulse, c->s) * speed / before;
    friction_slip(c, answer->velocity, u);
    assert_true(fabs(answer->account) < 1e-13 * fmax(1, works));
    for (size_t j = 0; j < c->s; j++) {
        const double *q = &answer->tangential[j * c->dim];
        double size = c->dim == 1 ? fabs(q[0]) : hypot(q[0], q[1]);
        assert_true(answer->loss_normal[j] >= -1e-15 * before);
        assert_true(answer->loss_tangential[j] >= -1e-15 * before);
        assert_true(size <= c->friction[j] * answer->impulse[j] * (1 + 1e-9) + 1e-15);
        assert_true(answer->status != FRICTION_ENDED || u[j] > -2e-12 * speed);
    }
}

/* An impact with the status that is expected, and lawful. */
static friction_answer judged(const friction_case *c, friction_status status)
{
    friction_answer answer;
    assert_true(friction_judge_solve(c, &answer));
    assert_int_equal(answer.status, status);
    assert_lawful(c, &answer);
    return answer;
}

/* ---- Printed values -------------------------------------------------------------------------- */

static void a_rocking_block(void **state)
{
    (void)state;
    for (size_t i = 0; i < FRICTION_BLOCK_ROWS; i++) {
        const friction_block_row *row = &friction_printed_block[i];
        friction_case c = friction_rocking_block(row->half_height,
                                                 (friction_law){row->exponent, row->e, row->mu});
        friction_answer answer = judged(&c, FRICTION_ENDED);
        all_close_to(answer.velocity, row->velocity, 3);
        all_close_to(answer.impulse, row->impulse, 2);
        close_to(sum_of(answer.tangential, 2), row->q);
        close_to(sum_of(answer.loss_normal, 2), row->loss_normal);
        close_to(sum_of(answer.loss_tangential, 2), row->loss_tangential);
    }
}

static void three_discs_in_a_line(void **state)
{
    (void)state;
    for (size_t i = 0; i < FRICTION_LINE_ROWS; i++) {
        const friction_line_row *row = &friction_printed_line[i];
        friction_case c = friction_disc_line((friction_law){1.5, row->e, row->mu});
        friction_answer answer = judged(&c, FRICTION_ENDED);
        all_close_to(answer.velocity, row->velocity, 9);
        all_close_to(answer.impulse, row->impulse, 2);
        all_close_to(answer.tangential, row->tangential, 2);
        close_to(sum_of(answer.loss_normal, 2), row->loss_normal);
        close_to(sum_of(answer.loss_tangential, 2), row->loss_tangential);
    }
}

static void bernoulli_with_friction(void **state)
{
    (void)state;
    for (size_t i = 0; i < FRICTION_BERNOULLI_ROWS; i++) {
        const friction_bernoulli_row *row = &friction_printed_bernoulli[i];
        friction_case c = friction_bernoulli(1, 0, 0, (friction_law){1.5, row->e, row->mu});
        friction_answer answer = judged(&c, FRICTION_ENDED);
        all_close_to(
            answer.velocity,
            (double[9]){row->cue, 0, 0, row->x, row->y, row->spin, row->x, -row->y, -row->spin}, 9);
        all_close_to(answer.impulse, (double[3]){row->p, row->p, row->p23}, 3);
        all_close_to(answer.tangential, (double[2]){row->q, -row->q}, 2);
        close_to(sum_of(answer.loss_normal, 3), row->loss_normal);
        close_to(sum_of(answer.loss_tangential, 3), row->loss_tangential);
    }
}

static void bernoulli_not_symmetric(void **state)
{
    (void)state;
    friction_case c = friction_bernoulli(1, 0.2, 0.3, (friction_law){1.5, 0.8, 0.3});
    friction_answer answer = judged(&c, FRICTION_ENDED);
    all_close_to(answer.velocity,
                 (double[9]){-0.04663507, 0.03018375, 0.11381047, 0.57728796, 0.39590194,
                             -0.10843431, 0.46934712, -0.22608569, -0.07775522},
                 9);
    all_close_to(answer.impulse, (double[3]){0.69789700, 0.51950937, 0}, 3);
    all_close_to(answer.tangential, (double[3]){0.05421716, 0.03887761, 0}, 3);
    close_to(sum_of(answer.loss_normal, 3), 0.10506910);
    close_to(sum_of(answer.loss_tangential, 3), 0.04749819);
}

static void a_sphere_on_three_supports(void **state)
{
    (void)state;
    for (size_t i = 0; i < FRICTION_SPHERE_ROWS; i++) {
        const friction_sphere_row *row = &friction_printed_sphere[i];
        friction_case c = friction_sphere_on_three(row->before, (friction_law){1.5, 0.8, row->mu});
        friction_answer answer = judged(&c, FRICTION_ENDED);
        all_close_to(answer.velocity, row->velocity, 6);
        all_close_to(answer.impulse, row->impulse, 3);
        close_to(sum_of(answer.loss_normal, 3), row->loss_normal);
        close_to(sum_of(answer.loss_tangential, 3), row->loss_tangential);
    }
}

static void a_rod_on_a_rough_floor(void **state)
{
    (void)state;
    for (size_t i = 0; i < FRICTION_ROD_ROWS; i++) {
        const friction_rod_row *row = &friction_printed_rod[i];
        friction_case c = friction_rod(2, row->u_n, row->u_t, (friction_law){1.5, row->e, row->mu});
        friction_answer answer = judged(&c, FRICTION_ENDED);
        friction_closed out;
        assert_true(friction_closed_solve(&c, &out));
        const double printed[6] = {row->after_n, row->after_t,     row->p,
                                   row->q,       row->loss_normal, row->loss_tangential};
        const double closed[6] = {(double)out.u_n,         (double)out.u_t[0],
                                  (double)out.impulse,     (double)out.tangential[0],
                                  (double)out.loss_normal, (double)out.loss_tangential};
        all_close_to(closed, printed, 6);
        assert_int_equal(out.path, row->path);
        long double u[FRICTION_ROWS];
        friction_slip(&c, answer.velocity, u);
        all_close_to((double[6]){(double)u[0], (double)u[1], answer.impulse[0],
                                 answer.tangential[0], answer.loss_normal[0],
                                 answer.loss_tangential[0]},
                     printed, 6);
    }
}

/* ---- Grooves, the pendulum, the limit of a jam ------------------------------------------------
 */

static void a_disc_in_a_groove(void **state)
{
    (void)state;
    friction_case c = friction_groove(0.6, 0, (friction_law){1.5, 1, 0.8});
    friction_answer answer = judged(&c, FRICTION_LOCKED);
    for (size_t j = 0; j < 2; j++) {
        close_to(answer.held[j], 0.11524153);
        close_to(answer.loss_tangential[j], 0.13475847);
    }
    for (int half = 0; half < 2; half++) {
        c = friction_groove(0.6, 0, (friction_law){1.5, half ? 0.5 : 1, 0.3});
        answer = judged(&c, FRICTION_ENDED);
        close_to(answer.velocity[1], half ? 0.31238144 : 0.62476289);
    }
}

static void a_spinning_disc_is_bound_or_released_late(void **state)
{
    (void)state;
    friction_case c = friction_groove(0.6, 0.3, (friction_law){1.5, 0.8, 0.8});
    friction_answer answer = judged(&c, FRICTION_ENDED);
    const double printed[3] = {3.5355e-5, 8.4104e-5, 4.9451e-5};
    for (size_t i = 0; i < 3; i++) {
        assert_true(fabs(answer.velocity[i] - printed[i]) < 0.6e-9);
    }
    assert_true(fabs(answer.impulse[0] - 13.7299) < 0.6e-4);
    assert_true(fabs(answer.impulse[1] - 13.6272) < 0.6e-4);
    c = friction_groove(0.6, 0.3, (friction_law){1.5, 1, 0.8});
    friction_judge_solve(&c, &answer);
    assert_int_equal(answer.status, FRICTION_BOUND);
}

static void an_impact_pendulum(void **state)
{
    (void)state;
    const double degree = 3.14159265358979323846 / 180;
    friction_case c = friction_pendulum(30 * degree, (friction_law){1.5, 1, 0.8});
    judged(&c, FRICTION_LOCKED);
    c = friction_pendulum(80 * degree, (friction_law){1.5, 1, 0.8});
    assert_true(fabs(judged(&c, FRICTION_ENDED).velocity[0] - 0.8676138399) < 0.6e-10);
    c = friction_pendulum(80 * degree, (friction_law){1.5, 0.5, 0.8});
    assert_true(fabs(judged(&c, FRICTION_ENDED).velocity[0] - 0.4338069199) < 0.6e-10);
}

/* The rod, closed form alone: at c- = 0 itself nothing happens. */
static void the_limit_of_a_jam(void **state)
{
    (void)state;
    friction_closed out = friction_closed_plane(
        (friction_plane){.a = 1.6L, .b = -1.2L, .d = 3.4L, .c0 = 0, .u_t = -1, .e = 1, .mu = 2});
    assert_true(fabsl(out.u_n - 0.2245443566L) < 0.6e-10L);
    assert_true(fabsl(out.impulse - 0.4908627031L) < 0.6e-10L);
    assert_true(fabsl(out.loss_tangential - 0.1785714286L) < 0.6e-10L);
}

/* ---- Random single contacts against the closed form -------------------------------------------
 */

/* Where D is nearly singular a contact that sticks has next to no resistance left to its closing:
 * rounding in D counts by D_nn over what is left of it.
 */
static void assert_as_closed(const friction_case *c)
{
    friction_closed out;
    friction_answer answer;
    double speed = friction_speed(c), off = 0;
    assert_true(friction_closed_solve(c, &out));
    assert_true(friction_judge_solve(c, &answer));
    assert_int_equal(answer.status, out.locked ? FRICTION_LOCKED : FRICTION_ENDED);
    assert_lawful(c, &answer);
    for (size_t i = 0; i < c->n; i++) {
        off = fmax(off, fabs(answer.velocity[i] - (double)out.velocity[i]) / speed);
    }
    if (!out.locked) {
        off = fmax(off, fabs(answer.impulse[0] / (double)out.impulse - 1));
        for (size_t k = 0; k < c->dim; k++) {
            double q = (double)out.tangential[k];
            off = fmax(off, fabs(answer.tangential[k] - q) / (double)out.impulse);
        }
    }
    double before = friction_energy(c, c->velocity);
    off = fmax(off, fabs(answer.loss_normal[0] - (double)out.loss_normal) / before);
    off = fmax(off, fabs(answer.loss_tangential[0] - (double)out.loss_tangential) / before);
    if (off > fmax(1e-11, 1e-16 * (double)out.conditioning)) {
        fail_msg("off by %g, path %d, conditioning %Lg", off, out.path, out.conditioning);
    }
}

static void random_contacts_in_the_plane(void **state)
{
    (void)state;
    rng r = rng_seeded(1);
    for (int i = 0; i < 1000; i++) {
        friction_case c = friction_random_plane(&r);
        assert_as_closed(&c);
    }
}

static void random_spheres(void **state)
{
    (void)state;
    rng r = rng_seeded(2);
    for (int i = 0; i < 100; i++) {
        friction_case c = friction_random_sphere(&r);
        assert_as_closed(&c);
    }
}

/* One contact: the impulse can be the time, so K and eta do not matter. */
static void one_contact_in_space_for_any_curve(void **state)
{
    (void)state;
    rng r = rng_seeded(3);
    for (int i = 0; i < 20; i++) {
        friction_case c = friction_random_space(&r);
        friction_answer first, second;
        friction_judge_solve(&c, &first);
        c.stiffness[0] = 37;
        c.exponent[0] = 2.2;
        friction_judge_solve(&c, &second);
        assert_int_equal(first.status, second.status);
        for (size_t k = 0; first.status == FRICTION_ENDED && k < c.n; k++) {
            double off = fabs(first.velocity[k] - second.velocity[k]) / friction_speed(&c);
            assert_true(off < 1e-10);
        }
    }
}

/* ---- Random systems, by both judges -----------------------------------------------------------
 */

static double apart(const friction_case *c, const double *a, const double *b)
{
    double off = 0;
    for (size_t i = 0; i < c->n; i++) {
        off = fmax(off, fabs(a[i] - b[i]) / friction_speed(c));
    }
    return off;
}

typedef struct beside {
    unsigned compared, unfinished;
    double sum_coarse, sum_fine, worst_fine; /* of the fixed steps */
} beside;

static void set_beside(const friction_case *c, beside *tally)
{
    friction_answer answer;
    proximal_answer coarse, fine;
    friction_judge_solve(c, &answer);
    if (answer.status != FRICTION_ENDED || !(answer.error < 1e-9)) {
        tally->unfinished++;
        return;
    }
    assert_lawful(c, &answer);
    friction_proximal(c, 100, 100000, &coarse);
    friction_proximal(c, 400, 400000, &fine);
    if (!coarse.ended || !fine.ended || fine.unsettled > 0) {
        tally->unfinished++;
        return;
    }
    tally->compared++;
    tally->sum_coarse += log(apart(c, coarse.velocity, answer.velocity) + 1e-12);
    tally->sum_fine += log(apart(c, fine.velocity, answer.velocity) + 1e-12);
    tally->worst_fine = fmax(tally->worst_fine, apart(c, fine.velocity, answer.velocity));
}

static void random_systems_by_both_judges(void **state)
{
    (void)state;
    beside tally = {0};
    for (size_t i = 0; i < 120; i++) {
        friction_draw draw;
        friction_case c = friction_random_of(38, i, 4, &draw);
        set_beside(&c, &tally);
    }
    double ratio = exp((tally.sum_coarse - tally.sum_fine) / tally.compared);
    printf("%u systems, %u unfinished; four times as fine steps: error / %.2f; worst %.1e\n",
           tally.compared, tally.unfinished, ratio, tally.worst_fine);
    assert_true(tally.compared >= 100);
    assert_true(ratio > 3 && tally.worst_fine < 1e-2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rocking_block),
        cmocka_unit_test(three_discs_in_a_line),
        cmocka_unit_test(bernoulli_with_friction),
        cmocka_unit_test(bernoulli_not_symmetric),
        cmocka_unit_test(a_sphere_on_three_supports),
        cmocka_unit_test(a_rod_on_a_rough_floor),
        cmocka_unit_test(a_disc_in_a_groove),
        cmocka_unit_test(a_spinning_disc_is_bound_or_released_late),
        cmocka_unit_test(an_impact_pendulum),
        cmocka_unit_test(the_limit_of_a_jam),
        cmocka_unit_test(random_contacts_in_the_plane),
        cmocka_unit_test(random_spheres),
        cmocka_unit_test(one_contact_in_space_for_any_curve),
        cmocka_unit_test(random_systems_by_both_judges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
