/* Random numbers of parameter studies: the generator, distributions, which draw belongs to what. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "studies.h"
#include "support.h"

/* A few roundings. */
static const double ROUNDING = 1e-14;
/* A statistic of N draws may be so many of its standard deviations off; less than 1 in 10^8 is
 * farther, and the draws are always the same.
 */
static const double SIGMAS = 5.7;

/* Known answers of the authors' Random123 library (file kat_vectors). */
static void generator_gives_the_published_numbers(void **state)
{
    (void)state;
    static const uint32_t cases[][10] = {
        {0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
        {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x408f276d,
         0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
        {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0xd16cfe09,
         0x94fdcceb, 0x5001e420, 0x24126ea1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint32_t output[4];
        crm_random_philox(cases[i], cases[i] + 4, output);
        assert_memory_equal(output, cases[i] + 6, sizeof output);
    }
}

static const char DRAWS[] = "chain: {count: 2, velocity: [1]}\n"
                            "sweep:\n"
                            "  sample:\n"
                            "    points: 20000\n"
                            "    seed: 7\n"
                            "    of:\n"
                            "      chain.restitution: {uniform: [0.2, 0.8]}\n"
                            "      chain.mass: {normal: [3, 0.5]}\n"
                            "      chain.stiffness: {lognormal: [1, 0.25]}\n";

static void moments(const crm_study *study, size_t field, bool logarithm, double *mean,
                    double *deviation)
{
    size_t count = crm_study_points(study);
    double sum = 0, squares = 0;
    for (size_t i = 0; i < count; i++) {
        double x = number_at(study, i, field);
        x = logarithm ? log(x) : x;
        sum += x;
        squares += x * x;
    }
    *mean = sum / (double)count;
    *deviation = sqrt(squares / (double)count - *mean * *mean);
}

static void check_moments(const crm_study *study, size_t field, bool logarithm, double mean,
                          double deviation, double kurtosis)
{
    double n = (double)crm_study_points(study), m, s;
    moments(study, field, logarithm, &m, &s);
    assert_true(fabs(m - mean) < SIGMAS * deviation / sqrt(n));
    /* The variance of s^2 is sigma^4 (kurtosis - 1) / n. */
    double error = deviation * deviation * sqrt((kurtosis - 1) / n);
    assert_true(fabs(s * s - deviation * deviation) < SIGMAS * error);
}

static void draws_have_the_moments_of_their_distribution(void **state)
{
    (void)state;
    crm_study *study = good(DRAWS);
    check_moments(study, 0, false, 0.5, 0.6 / sqrt(12), 1.8);
    check_moments(study, 1, false, 3, 0.5, 3);
    check_moments(study, 2, true, 1, 0.25, 3);
    crm_study_free(study);
}

static void draws_of_different_fields_and_points_are_independent(void **state)
{
    (void)state;
    crm_study *study = good(DRAWS);
    size_t n = crm_study_points(study);
    double across = 0, along = 0, normals = 0;
    for (size_t i = 0; i + 1 < n; i++) {
        double u = (number_at(study, i, 0) - 0.5) * sqrt(12) / 0.6;
        double next = (number_at(study, i + 1, 0) - 0.5) * sqrt(12) / 0.6;
        across += u * (number_at(study, i, 1) - 3) / 0.5;
        along += u * next;
        normals += (number_at(study, i, 1) - 3) / 0.5 * (log(number_at(study, i, 2)) - 1) / 0.25;
    }
    assert_true(fabs(across) < SIGMAS * sqrt((double)n));
    assert_true(fabs(along) < SIGMAS * sqrt((double)n));
    assert_true(fabs(normals) < SIGMAS * sqrt((double)n));
    crm_study_free(study);
}

static void draws_are_the_same_whatever_the_grid(void **state)
{
    (void)state;
    static const char alone[] = "chain: {count: 2, velocity: [1]}\n"
                                "sweep:\n"
                                "  sample: {points: 5, seed: 3, of: {chain.mass: {normal: [1, "
                                "0.1]}}}\n";
    static const char inside[] = "chain: {count: 2, velocity: [1]}\n"
                                 "sweep:\n"
                                 "  grid: {chain.restitution: [0.1, 0.2, 0.3]}\n"
                                 "  sample: {points: 5, seed: 3, of: {chain.mass: {normal: [1, "
                                 "0.1]}, chain.stiffness: {uniform: [1, 2]}}}\n";
    crm_study *a = good(alone), *b = good(inside);
    assert_int_equal(crm_study_points(b), 15);
    for (size_t i = 0; i < 15; i++) {
        static const double e[] = {0.1, 0.2, 0.3};
        assert_true(number_at(b, i, 0) == e[i / 5]);
        assert_true(number_at(b, i, 1) == number_at(a, i % 5, 0));
    }
    assert_true(number_at(a, 0, 0) != number_at(a, 1, 0));
    crm_study_free(a);
    crm_study_free(b);
}

static void another_seed_gives_other_draws(void **state)
{
    (void)state;
    crm_study *a = good("chain: {count: 2, velocity: [1]}\nsweep: {sample: {points: 2, seed: 1, "
                        "of: {chain.mass: {uniform: [1, 2]}}}}\n");
    crm_study *b = good("chain: {count: 2, velocity: [1]}\nsweep: {sample: {points: 2, seed: 2, "
                        "of: {chain.mass: {uniform: [1, 2]}}}}\n");
    assert_true(number_at(a, 0, 0) != number_at(b, 0, 0));
    crm_study_free(a);
    crm_study_free(b);
}

static void each_entry_of_a_list_has_its_own_draw(void **state)
{
    (void)state;
    crm_study *study =
        good("chain: {mass: [1, 10, 100], velocity: [1]}\n"
             "sweep:\n"
             "  sample: {points: 50, of: {chain.mass: {uniform: [0.9, 1.1], as: factor, each: "
             "true}}}\n"
             "  record: [energy_before]\n");
    assert_int_equal(crm_study_fields(study), 3);
    assert_string_equal(crm_study_field(study, 2), "chain.mass[3]");
    crm_study_worker *worker = NULL;
    assert_int_equal(crm_study_worker_create(study, &worker, NULL), CRM_OK);
    for (size_t i = 0; i < 50; i++) {
        double factor[3], base = 1;
        for (size_t k = 0; k < 3; k++, base *= 10) {
            factor[k] = number_at(study, i, k) / base;
            assert_true(factor[k] > 0.9 && factor[k] < 1.1);
        }
        assert_true(fabs(factor[0] - factor[1]) > 1e-9 && fabs(factor[1] - factor[2]) > 1e-9);
        const crm_study_row *rows;
        assert_int_equal(crm_study_solve(worker, i, &rows, NULL), CRM_OK);
        /* The ball that moves has speed 1 and the drawn mass. */
        assert_true(fabs(rows[0].values[0] - factor[0] / 2) < ROUNDING);
    }
    crm_study_worker_free(worker);
    crm_study_free(study);
}

static void each_makes_a_list_of_the_length_asked_for(void **state)
{
    (void)state;
    crm_study *study = good("chain: {count: 4, mass: 2, velocity: [1]}\n"
                            "sweep:\n"
                            "  sample: {points: 3, of: {chain.mass: {normal: [0, 0.01], as: "
                            "offset, each: 4}}}\n");
    assert_int_equal(crm_study_fields(study), 4);
    assert_true(fabs(number_at(study, 2, 3) - 2) < 0.1);
    crm_study_free(study);
}

static void draws_stay_within_limits(void **state)
{
    (void)state;
    crm_study *study = good("chain: {count: 2, velocity: [1]}\n"
                            "sweep: {sample: {points: 2000, of: {chain.restitution: {normal: "
                            "[0.97, 0.02], within: [0, 1]}}}}\n");
    size_t above_mean = 0;
    for (size_t i = 0; i < 2000; i++) {
        double e = number_at(study, i, 0);
        assert_true(e >= 0 && e <= 1);
        above_mean += e > 0.97;
    }
    /* Of the normal distribution, 0.4332 lies between 0 and 1.5 deviations, 0.5 below 0. */
    double share = 0.4332 / 0.9332, found = (double)above_mean / 2000;
    assert_true(fabs(found - share) < SIGMAS * sqrt(share * (1 - share) / 2000));
    crm_study_free(study);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generator_gives_the_published_numbers),
        cmocka_unit_test(draws_have_the_moments_of_their_distribution),
        cmocka_unit_test(draws_of_different_fields_and_points_are_independent),
        cmocka_unit_test(draws_are_the_same_whatever_the_grid),
        cmocka_unit_test(another_seed_gives_other_draws),
        cmocka_unit_test(each_entry_of_a_list_has_its_own_draw),
        cmocka_unit_test(each_makes_a_list_of_the_length_asked_for),
        cmocka_unit_test(draws_stay_within_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
