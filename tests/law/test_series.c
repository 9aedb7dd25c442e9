/* The judge by series (tests/support/judge/series.h) judged: closed forms, values computed
 * elsewhere, the other judge, and itself with more digits.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "judge.h"
#include "series.h"

/* What is left of 64 bits after some hundred steps, in doubles. */
static const double JUDGE_ERROR = 1e-14;
/* The other judge closes its tails at 1e-10, and locates events to that in the worst case. */
static const double OTHER_JUDGE = 2e-10;
/* Velocities of up to 5, printed with 12 digits. */
static const double ELSEWHERE = 1e-11;

static void a_pair_parts_with_e(void **state)
{
    (void)state;
    rng r = rng_seeded(1);
    for (int i = 0; i < 60; i++) {
        small_system pair = small_system_chain(2, false);
        double e = i % 6 == 0 ? 0 : i % 6 == 1 ? 1 : rng_uniform(&r, 0.01, 1);
        pair.mass[0] = rng_log(&r, 1e-3, 1e3);
        pair.stiffness[0] = rng_log(&r, 1e-6, 1e6);
        pair.exponent[0] = i % 4 == 0 ? 1 + i % 3 : rng_uniform(&r, 0.5, 3);
        pair.restitution[0] = e;
        pair.velocity[0] = 1;
        series_judgement j = series_judge(&pair, (series_options){.mono = i % 2});
        double d = 1 / pair.mass[0] + 1;
        assert_true(j.finished && !j.tail);
        assert_near(j.velocity[1] - j.velocity[0], e, JUDGE_ERROR);
        assert_near(j.loss[0] * 2 * d, 1 - e * e, 10 * JUDGE_ERROR);
    }
}

/* Three balls, linear: by modes, see test_lzb_judge.c. */
static void three_linear_balls_swing_in_their_modes(void **state)
{
    (void)state;
    long double low = 2, high = 3, w = sqrtl(3);
    for (int i = 0; i < 70; i++) {
        long double t = 0.5L * (low + high);
        *(sinl(t) + sinl(w * t) / w > 0 ? &low : &high) = t;
    }
    long double t = low, c1 = 0.5L * (cosl(t) + cosl(w * t)), c2 = 0.5L * (cosl(t) - cosl(w * t));
    long double x2 = 0.5L * (sinl(t) - sinl(w * t) / w), v2 = (1 - c1 + c2) / 3;
    long double v3 = v2 - c2, mean = 0.5L * (v2 + v3), parting = sqrtl(c2 * c2 + 2 * x2 * x2);
    const double want[] = {(double)(v2 + c1), (double)(mean - 0.5L * parting),
                           (double)(mean + 0.5L * parting)};
    small_system chain = small_system_chain(3, false);
    chain.velocity[0] = chain.exponent[0] = chain.exponent[1] = 1;
    series_judgement j = series_judge(&chain, (series_options){0});
    assert_true(j.finished && !j.tail);
    assert_all_near(j.velocity, want, 3, JUDGE_ERROR);
}

/* By an explicit method of order 8 in long double, events bisected, outside of this project. */
static void chains_computed_elsewhere_come_out(void **state)
{
    (void)state;
    const double mass[] = {2.0390828432430537,  1.5767971011586814, 0.6495420522759396,
                           0.34908537630204645, 1.8188344525203193, 4.771498969877952,
                           0.8054906341229414,  2.708725282887018};
    const double velocity[] = {2.060470812261042, 2.2767460244344297, 2.46203562114271,
                               3.26514169323162,  3.5449161507363307, 4.556009938580171,
                               5.023748044955277, 5.329510642747881};
    const double stiffness[] = {0.04087914863197532,  4.8626254596321665, 0.021471796017807843,
                                1.4711482642528566,   3.5122431240377066, 19.874853097602635,
                                0.012322689841650546, 13.148143693369462};
    const double want[] = {-.0994162346881, -.037102518971, -.0355135572247, -.0260042061335,
                           -.0144077133067, -.014364152084, -.0142544517855, -.000698770270255};
    small_system wall = small_system_chain(8, true);
    for (size_t i = 0; i < 8; i++) {
        wall.mass[i * 8 + i] = mass[i];
        wall.velocity[i] = velocity[i];
        wall.stiffness[i] = stiffness[i];
        wall.restitution[i] = 0.30509091207644057;
    }
    assert_all_near(series_judge(&wall, (series_options){0}).velocity, want, 8, ELSEWHERE);

    const double masses[] = {0.21974936360910452, 0.8684736532737161, 0.6085197626165914,
                             0.2815810669134988,  3.642228790374217,  0.42330839819208727,
                             2.5930377033437804};
    const double stiffnesses[] = {0.18415316389256034, 5.043935690466999,   0.7158351195669771,
                                  2.584344779114987,   0.20094801260673248, 0.15086847478645163};
    const double wanted[] = {-.512236515074, -.0515555353204, -.0398237321801, .0293070672761,
                             .0329162030705, .0631893012809,  .0950360050616};
    small_system chain = small_system_chain(7, false);
    chain.velocity[0] = 1;
    for (size_t i = 0; i < 7; i++) {
        chain.mass[i * 7 + i] = masses[i];
        chain.stiffness[i] = i < 6 ? stiffnesses[i] : 1;
        chain.restitution[i] = 0.7618966009578084;
    }
    assert_all_near(series_judge(&chain, (series_options){0}).velocity, wanted, 7, ELSEWHERE);
}

static small_system random_system(rng *r, int i)
{
    disc_patch patch;
    random_choice choice = random_choice_default();
    choice.plastic_sometimes = choice.stored_energy = true;
    choice.most_contacts = 7;
    return i % 4 == 0   ? random_chain(r, choice, false)
           : i % 4 == 1 ? random_chain(r, choice, true)
           : i % 4 == 2 ? random_lagrangian(r, choice)
                        : random_disc_patch(r, choice, &patch);
}

static void both_judges_agree(void **state)
{
    (void)state;
    rng r = rng_seeded(2);
    int compared = 0;
    for (int i = 0; i < 40; i++) {
        small_system system = random_system(&r, i);
        judgement other = judge(&system, i % 3 == 0, 0);
        series_judgement j =
            series_judge(&system, (series_options){.mono = i % 3 == 0, .limit = 4000});
        if (other.finished && j.finished && j.tail_speed < 1e-11 && other.margin > 1e-6) {
            assert_all_near(j.velocity, other.velocity, system.n, OTHER_JUDGE * j.speed);
            compared++;
        }
    }
    print_message("%d systems compared\n", compared);
    assert_true(compared >= 30);
}

/* Looser by two digits, of another order; and in 113 bits. */
static void it_agrees_with_itself(void **state)
{
    (void)state;
    rng r = rng_seeded(3);
    for (int i = 0; i < 60; i++) {
        small_system system = random_system(&r, i);
        series_options options = {.mono = i % 3 == 0, .limit = 600};
        series_judgement j = series_judge(&system, options);
        if (j.steps == options.limit) {
            continue;
        }
        options.limit *= 10;
        options.order = 20;
        options.tolerance = 1e-16;
        series_judgement looser = series_judge(&system, options);
        assert_all_near(looser.velocity, j.velocity, system.n, 100 * JUDGE_ERROR * j.speed);
        if (i % 6 == 0 && series_has_quad() && j.steps < 100) {
            series_options exact = {.mono = options.mono, .quad = true};
            series_judgement finer = series_judge(&system, exact);
            assert_all_near(finer.velocity, j.velocity, system.n, JUDGE_ERROR * j.speed);
        }
    }
}

/* Two plastic contacts that say the same: however the second one is measured (gap times a,
 * stiffness over a^(eta + 1)), both turn at the same instant, and neither is left with its force
 * alone.
 */
static void contacts_that_say_the_same_turn_together(void **state)
{
    (void)state;
    double first[SMALL] = {0};
    for (int i = 0; i < 5; i++) {
        const double measures[] = {1, 0.2, 0.9, 1.1, 7};
        double a = measures[i];
        small_system system = small_system_chain(3, true);
        system.s = 4;
        system.w[3 * 3 + 2] = -a;
        system.stiffness[2] = 0.2; /* alone it would give way to ball 2 */
        system.stiffness[3] = 8 / (a * a);
        for (size_t j = 0; j < 4; j++) {
            system.exponent[j] = 1;
            system.restitution[j] = j < 2 ? 0.6 : 0;
        }
        system.velocity[0] = system.velocity[1] = system.velocity[2] = 1;
        series_judgement j = series_judge(&system, (series_options){0});
        assert_true(j.finished);
        if (i == 0) {
            memcpy(first, j.velocity, sizeof first);
        }
        assert_all_near(j.velocity, first, 3, 100 * JUDGE_ERROR);
    }
}

static void its_energies_add_up(void **state)
{
    (void)state;
    rng r = rng_seeded(4);
    for (int i = 0; i < 60; i++) {
        small_system system = random_system(&r, i);
        series_judgement j = series_judge(&system, (series_options){.mono = i % 2, .limit = 2000});
        double energy = small_system_energy(&system, system.velocity), left = energy;
        left -= small_system_energy(&system, j.velocity);
        for (size_t k = 0; k < system.s; k++) {
            left += system.stored_energy[k] - j.loss[k];
            energy += system.stored_energy[k];
            assert_true(j.loss[k] >= -JUDGE_ERROR * energy);
        }
        if (j.finished && j.tail_speed < 1e-11) {
            assert_near(left / energy, 0, 10 * JUDGE_ERROR);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pair_parts_with_e),
        cmocka_unit_test(three_linear_balls_swing_in_their_modes),
        cmocka_unit_test(chains_computed_elsewhere_come_out),
        cmocka_unit_test(both_judges_agree),
        cmocka_unit_test(it_agrees_with_itself),
        cmocka_unit_test(contacts_that_say_the_same_turn_together),
        cmocka_unit_test(its_energies_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
