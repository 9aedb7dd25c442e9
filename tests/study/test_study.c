/* Parameter studies: which points there are, what is recorded, which mistakes are told. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "studies.h"
#include "support.h"

/* A few roundings. */
static const double ROUNDING = 1e-14;
static void bad(const char *text, const char *complaint)
{
    crm_study *study = NULL;
    static crm_read_error error;
    assert_int_not_equal(read_with(text, NULL, &study, &error), CRM_OK);
    assert_null(study);
    assert_string_equal(error.text, complaint);
}

/* ---- Grids ---------------------------------------------------------------------------------- */

static void grid_is_the_product_with_the_last_field_fastest(void **state)
{
    (void)state;
    crm_study *study = good("chain: {count: 2, velocity: [1]}\n"
                            "sweep:\n"
                            "  grid:\n"
                            "    chain.restitution: {from: 0, to: 1, steps: 5}\n"
                            "    chain.exponent: [1, 1.5, 2]\n");
    static const double e[] = {0, 0.25, 0.5, 0.75, 1}, eta[] = {1, 1.5, 2};
    assert_int_equal(crm_study_points(study), 15);
    assert_int_equal(crm_study_fields(study), 2);
    assert_string_equal(crm_study_field(study, 0), "chain.restitution");
    assert_string_equal(crm_study_field(study, 1), "chain.exponent");
    for (size_t i = 0; i < 15; i++) {
        assert_true(number_at(study, i, 0) == e[i / 3]);
        assert_true(number_at(study, i, 1) == eta[i % 3]);
    }
    crm_study_free(study);
}

static void linear_ranges_meet_round_numbers_as_they_are_read(void **state)
{
    (void)state;
    crm_study *study = good("chain: {count: 2, velocity: [1]}\n"
                            "sweep:\n"
                            "  grid:\n"
                            "    chain.restitution: {from: 0.8, to: 1, steps: 41}\n");
    for (size_t i = 0; i < 41; i++) {
        char decimal[16]; /* 0.800, 0.805, ... */
        snprintf(decimal, sizeof decimal, "%.3f", 0.8 + 0.005 * (double)i);
        assert_true(number_at(study, i, 0) == strtod(decimal, NULL));
    }
    crm_study_free(study);
}

static void other_numbers_of_a_range_have_fifteen_digits(void **state)
{
    (void)state;
    crm_study *study = good("chain: {count: 2, velocity: [1]}\n"
                            "sweep: {grid: {chain.restitution: {from: 0, to: 1, steps: 4}}}\n");
    assert_true(fabs(number_at(study, 1, 0) - 1.0 / 3) < 1e-15);
    assert_true(fabs(number_at(study, 2, 0) - 2.0 / 3) < 1e-15);
    crm_study_free(study);
}

static void logarithmic_ranges_have_a_common_ratio(void **state)
{
    (void)state;
    crm_study *study = good("chain: {count: 2, velocity: [1]}\n"
                            "sweep:\n"
                            "  grid:\n"
                            "    chain.stiffness: {from: 1e-2, to: 1e4, steps: 7, scale: log}\n");
    static const double decades[] = {1e-2, 1e-1, 1, 1e1, 1e2, 1e3, 1e4};
    for (size_t i = 0; i < 7; i++) {
        assert_true(number_at(study, i, 0) == decades[i]);
    }
    crm_study_free(study);
}

static void fields_with_commas_move_together(void **state)
{
    (void)state;
    crm_study *study = good("chain: {count: 2, velocity: [1], wall: {side: right}}\n"
                            "sweep:\n"
                            "  grid:\n"
                            "    chain.restitution, chain.wall.restitution: [0.2, 0.4]\n");
    assert_int_equal(crm_study_points(study), 2);
    assert_int_equal(crm_study_fields(study), 2);
    assert_string_equal(crm_study_field(study, 1), "chain.wall.restitution");
    assert_true(number_at(study, 1, 0) == 0.4 && number_at(study, 1, 1) == 0.4);
    crm_study_free(study);
}

/* What a grid lists may be anything that the field may be. */
static void values_may_be_words_and_lists(void **state)
{
    (void)state;
    crm_study *study = good("laws: [{law: lzb, stiffness_model: bi}]\n"
                            "chain: {mass: [1, 1], velocity: [1]}\n"
                            "sweep:\n"
                            "  grid:\n"
                            "    laws[1].stiffness_model: [bi, mono]\n"
                            "    chain.mass: [[1, 2], [3, 4], [5, 6]]\n"
                            "  record: energy_before\n");
    assert_int_equal(crm_study_points(study), 6);
    assert_false(crm_study_is_numeric(study, 0));
    assert_false(crm_study_is_numeric(study, 1));
    assert_string_equal(crm_study_value_at(study, 3, 0).node->text, "mono");
    assert_true(isnan(number_at(study, 3, 0)));
    crm_study_worker *worker = NULL;
    assert_int_equal(crm_study_worker_create(study, &worker, NULL), CRM_OK);
    static const double first[] = {1, 3, 5};
    for (size_t i = 0; i < 6; i++) {
        const crm_study_row *rows;
        assert_int_equal(crm_study_solve(worker, i, &rows, NULL), CRM_OK);
        const crm_scenario *scenario = crm_study_scenario(worker);
        double energy = crm_model_body_energy(scenario->model, 0, scenario->velocity);
        assert_true(energy == first[i % 3] / 2);
    }
    crm_study_worker_free(worker);
    crm_study_free(study);
}

/* ---- What is recorded ----------------------------------------------------------------------- */

/* Two equal balls, e = 1/2: v = (1/4, 3/4), p = 3/4, 3/16 J of 1/2 J are lost. */
static void quantities_are_those_of_two_balls(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double value;
    } known[] = {
        {"energy_ratio", 0.625},
        {"energy_before", 0.5},
        {"energy_after", 0.3125},
        {"velocity[1]", 0.25},
        {"velocity[2]", 0.75},
        {"velocity[-1]", 0.75},
        {"velocity[-2]", 0.25},
        {"velocity[ball 2]", 0.75},
        {"velocity_before[1]", 1},
        {"impulse[1]", 0.75},
        {"impulse[ball 1 - ball 2]", 0.75},
        {"gap_velocity[-1]", 0.5},
        {"loss[1]", 0.1875},
        {"body_energy[2]", 0.28125},
        {"max(velocity)", 0.75},
        {"min(velocity)", 0.25},
        {"sum(velocity)", 1},
        {"mean(velocity)", 0.5},
        {"sum(loss)", 0.1875},
        {"dispersion", 0.8}, /* energies 1/32 and 9/32: mean 5/32, deviation 4/32 */
        {"difference_percent", 0},
        {"near", 2},
        {"forward", 2},
        {"forward_share", 1},
        {"last_share", 0.9},
        {"stuck_pairs", 0},
        {"effective_restitution", -1},
        {"kinematic", 1},
        {"kinetic", 1},
        {"energetic", 1},
        {"bodies", 2},
        {"contacts", 1},
        {"stored_before", 0},
    };
    enum { KNOWN = sizeof known / sizeof known[0] };
    const char *names[KNOWN];
    for (size_t i = 0; i < KNOWN; i++) {
        names[i] = known[i].name;
    }
    static const char text[] = "laws: [moreau]\nchain: {count: 2, velocity: [1], restitution: 0.5}";
    crm_study_def def = {.text = text,
                         .length = strlen(text),
                         .source = "file",
                         .record = names,
                         .record_count = KNOWN};
    crm_study *study = NULL;
    static crm_read_error error;
    assert_int_equal(crm_study_read(&def, &study, &error), CRM_OK);
    assert_int_equal(crm_study_points(study), 1);
    crm_study_table table;
    assert_int_equal(crm_study_solve_all(study, 1, NULL, &table, NULL), CRM_OK);
    for (size_t i = 0; i < KNOWN; i++) {
        if (!(fabs(table.values[i] - known[i].value) < ROUNDING)) {
            fail_msg("%s is %.17g", known[i].name, table.values[i]);
        }
    }
    crm_study_table_free(&table);
    crm_study_free(study);
}

/* Moreau's law knows no forces, and difference_percent is against the first law of the point. */
static void what_a_law_does_not_define_is_left_out(void **state)
{
    (void)state;
    crm_study *study = good("laws: [moreau, binary]\n"
                            "chain: {count: 3, velocity: [1]}\n"
                            "sweep:\n"
                            "  grid: {chain.restitution: [1]}\n"
                            "  record: [max(peak_force), difference_percent]\n");
    crm_study_table table;
    assert_int_equal(crm_study_solve_all(study, 1, NULL, &table, NULL), CRM_OK);
    assert_int_equal(table.rows, 2);
    assert_true(isnan(table.values[0]));
    assert_true(table.values[1] == 0);
    /* (0, 0, 1) beside (-1/3, 2/3, 2/3): |difference|^2 = 1/9 + 4/9 + 1/9, |reference|^2 = 1. */
    assert_true(fabs(table.values[3] - 100 * sqrt(2.0 / 3)) < 1e-10);
    crm_study_table_free(&table);
    crm_study_free(study);
}

/* A chain that grows: the third ball is there from the second point on. */
static void an_entry_may_be_there_in_some_points_only(void **state)
{
    (void)state;
    crm_study *study = good("laws: [binary]\n"
                            "chain: {count: 2, velocity: [1]}\n"
                            "sweep:\n"
                            "  grid: {chain.count: {from: 2, to: 4, steps: 3}}\n"
                            "  record: [\"velocity[3]\", bodies]\n");
    crm_study_table table;
    assert_int_equal(crm_study_solve_all(study, 1, NULL, &table, NULL), CRM_OK);
    assert_true(isnan(table.values[0]) && table.values[1] == 2);
    assert_true(table.values[2] == 1 && table.values[3] == 3);
    assert_true(table.values[4] == 0 && table.values[5] == 4);
    crm_study_table_free(&table);
    crm_study_free(study);
}

/* By Moreau's law the first of three leaves with (1 - 2e)/3, the others with (1 + e)/3. */
static void a_range_records_its_entries(void **state)
{
    (void)state;
    crm_study *study = good("laws: [moreau]\n"
                            "chain: {count: 3, velocity: [1]}\n"
                            "sweep:\n"
                            "  grid: {chain.restitution: [0.5]}\n"
                            "  record: [bodies, \"velocity[1..3]\", \"impulse[2..2]\"]\n");
    crm_study_table table;
    static const char *const names[] = {"bodies", "velocity[1]", "velocity[2]", "velocity[3]",
                                        "impulse[2]"};
    static const double values[] = {3, 0, 0.5, 0.5, 0.5};
    assert_int_equal(crm_study_quantities(study), 5);
    assert_int_equal(crm_study_solve_all(study, 1, NULL, &table, NULL), CRM_OK);
    for (size_t k = 0; k < 5; k++) {
        assert_string_equal(crm_study_quantity(study, k), names[k]);
        assert_true(fabs(table.values[k] - values[k]) < 1e-12);
    }
    crm_study_table_free(&table);
    crm_study_free(study);
}

/* As many columns as the longest chain has balls: Moreau's law gives (2 - n)/n and 2/n. */
static void a_list_is_one_column_per_entry(void **state)
{
    (void)state;
    crm_study *study =
        good("laws: [moreau]\n"
             "chain: {count: 3, velocity: [1]}\n"
             "sweep: {grid: {chain.count: [2, 5, 4]}, record: [energy_ratio, velocity]}\n");
    crm_study_table table;
    assert_int_equal(crm_study_solve_all(study, 1, NULL, &table, NULL), CRM_OK);
    assert_int_equal(table.quantities, 6);
    assert_string_equal(crm_study_quantity(study, 0), "energy_ratio");
    assert_string_equal(crm_study_quantity(study, 5), "velocity[5]");
    static const int balls[] = {2, 5, 4};
    for (int row = 0; row < 3; row++) {
        for (int k = 1; k <= 5; k++) {
            double ours = table.values[6 * row + k], n = balls[row];
            assert_true(k > balls[row] ? isnan(ours)
                                       : fabs(ours - (k == 1 ? (2 - n) / n : 2 / n)) < ROUNDING);
        }
    }
    crm_study_table_free(&table);
    crm_study_free(study);
}

/* Four balls: (-1, 1, 1, 1)/2 beside (0, 0, 0, 1), which is as large as 1: each is off by a half.
 */
static void closeness_is_a_parameter_of_near(void **state)
{
    (void)state;
    crm_study *study =
        good("laws: [binary, moreau]\n"
             "chain: {count: 4, velocity: [1]}\n"
             "sweep: {grid: {chain.restitution: [1]}, record: [near(0.49), near(0.51), near]}\n");
    crm_study_table table;
    assert_int_equal(crm_study_solve_all(study, 1, NULL, &table, NULL), CRM_OK);
    static const double expected[] = {4, 4, 4, 0, 4, 0};
    for (size_t i = 0; i < 6; i++) {
        assert_true(table.values[i] == expected[i]);
    }
    crm_study_table_free(&table);
    crm_study_free(study);
}

/* Newton's law for two equal balls: (1 - e)/2 and (1 + e)/2; the impulse is (1 + e)/2, too. */
static void ratios_and_products_are_quantities(void **state)
{
    (void)state;
    crm_study *study =
        good("laws: [newton]\n"
             "chain: {count: 2, velocity: [1]}\n"
             "sweep:\n"
             "  grid: {chain.restitution: [0.5, 1]}\n"
             "  record: [\"velocity[1]/velocity[2]\", \"velocity[2]*sum(impulse)/energy_after\",\n"
             "    \"energy_before/velocity[ball 1]\", \"near(0.1)*bodies\"]\n");
    crm_study_table table;
    assert_int_equal(crm_study_solve_all(study, 1, NULL, &table, NULL), CRM_OK);
    assert_true(fabs(table.values[0] - 1.0 / 3) < ROUNDING);
    assert_true(fabs(table.values[1] - 0.75 * 0.75 / 0.3125) < ROUNDING);
    assert_true(fabs(table.values[2] - 2) < ROUNDING);
    assert_true(table.values[3] == 4);
    assert_true(table.values[4] == 0);
    assert_true(fabs(table.values[5] - 2) < ROUNDING);
    assert_true(isnan(table.values[6])); /* divided by nothing */
    crm_study_table_free(&table);
    crm_study_free(study);
}

static void points_that_are_no_scenario_are_failed_rows(void **state)
{
    (void)state;
    crm_study *study = good("laws: [moreau, binary]\n"
                            "chain: {count: 2, velocity: [1]}\n"
                            "sweep: {grid: {chain.restitution: [1.2, 0.5, -3]}}\n");
    crm_study_table table;
    assert_int_equal(crm_study_solve_all(study, 2, NULL, &table, NULL), CRM_OK);
    assert_int_equal(table.rows, 6);
    static const crm_result expected[] = {CRM_FAILED, CRM_FAILED, CRM_SOLVED,
                                          CRM_SOLVED, CRM_FAILED, CRM_FAILED};
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(table.result[i], expected[i]);
        assert_int_equal(isnan(table.values[i * table.quantities]), expected[i] == CRM_FAILED);
    }
    assert_non_null(strstr(table.reason[0],
                           "restitution is 1.2, must be between 0 and 1 (0, or from 1e-14 on)"));
    assert_null(strstr(table.reason[0], "file:"));
    assert_string_equal(table.reason[2], "");
    crm_study_table_free(&table);
    crm_study_free(study);
}

static void any_number_of_jobs_gives_the_same_bits(void **state)
{
    (void)state;
    crm_study *study = good("laws: [lzb, moreau, binary]\n"
                            "chain: {count: 5, velocity: [1]}\n"
                            "sweep:\n"
                            "  grid: {chain.restitution: [0.5, 0.9, 1.2]}\n"
                            "  sample: {points: 7, of: {chain.mass: {normal: [1, 0.1], each: 5}}}\n"
                            "  record: [energy_ratio, \"velocity[1]\", max(peak_force)]\n");
    crm_study_table one, three;
    assert_int_equal(crm_study_solve_all(study, 1, NULL, &one, NULL), CRM_OK);
    assert_int_equal(crm_study_solve_all(study, 3, NULL, &three, NULL), CRM_OK);
    assert_memory_equal(one.values, three.values, one.rows * one.quantities * sizeof(double));
    assert_memory_equal(one.result, three.result, one.rows * sizeof *one.result);
    crm_study_table_free(&one);
    crm_study_table_free(&three);
    crm_study_free(study);
}

/* ---- Mistakes ------------------------------------------------------------------------------- */

#define CHAIN "chain: {count: 2, velocity: [1]}\n"

static void mistakes_are_told_with_their_place(void **state)
{
    (void)state;
    bad(CHAIN "sweep: {grid: {chain.restitution: [0.5]}, record: [energy_ration]}\n",
        "file:2:52: 'energy_ration' is not a quantity of an outcome; did you mean 'energy_ratio'?");
    bad(CHAIN "sweep: {grid: {chain.restitution: [0.5]}, record: [gap_percent]}\n",
        "file:2:52: 'gap_percent' is not a quantity of an outcome; did you mean "
        "'difference_percent'?");
    bad(CHAIN "sweep: {grid: {chain.restitution: [0.5]}, record: [\"velocity[5]\"]}\n",
        "file:2:52: 'velocity[5]' is an entry that this system does not have; entries go from 1 to "
        "2 (or from -1, the last)");
    bad(CHAIN "sweep: {grid: {chain.restitution: [0.5]}, record: [velocity, \"velocity[2]\"]}\n",
        "file:2:62: 'velocity[2]' is recorded already, as part of a list");
    bad(CHAIN "sweep: {grid: {chain.restitution: [0.5]}, record: [\"velocity[2]\", velocity]}\n",
        "file:2:67: 'velocity[2]' is recorded already, as part of a list");
    bad(CHAIN "sweep: {grid: {chain.restitution: [0.5]}, record: [near(x)]}\n",
        "file:2:52: 'near(x)' must have a number above 0 between its brackets, as near(0.05)");
    bad(CHAIN "sweep: {grid: {chain.restitution: [0.5]}, record: [\"loss[1]/los\"]}\n",
        "file:2:52: 'loss[1]/los' is not a quantity of an outcome; did you mean 'loss'?");
    bad(CHAIN "sweep: {grid: {chain.restitution: [0.5]}, record: [\"loss[1]*loss[7]\"]}\n",
        "file:2:52: 'loss[1]*loss[7]' is an entry that this system does not have; entries go from "
        "1 to "
        "1 (or from -1, the last)");
    bad(CHAIN "sweep: {grid: {chain.restitution: [0.5]}, record: [near(-1)]}\n",
        "file:2:52: 'near(-1)' must have a number above 0 between its brackets, as near(0.05)");
    bad(CHAIN "sweep: {grid: {chain.restitutoin: [0.5]}}\n",
        "file:2:16: unknown field 'restitutoin' in chain; did you mean 'restitution'?");
    bad(CHAIN "sweep: {grid: {chian.restitution: [0.5]}}\n",
        "file:2:16: unknown field 'chian' in scenario; did you mean 'chain'?");
    bad(CHAIN "sweep: {grid: {chain.restitution: [0.5]}, record: [forward, forward]}\n",
        "file:2:61: sweep.record[2] is recorded already");
    bad(CHAIN "sweep: {grid: {chain.restitution: [0.5]}, record: [\"velocity[2..1]\"]}\n",
        "file:2:52: sweep.record[1] must go from 1 or more upwards, to 2000 at most");
    bad(CHAIN "sweep: {grid: {chain.restitution: [0.5]}, record: [\"velocity[0..3000]\"]}\n",
        "file:2:52: sweep.record[1] must go from 1 or more upwards, to 2000 at most");
    bad(CHAIN "sweep: {grid: {chain.restitution: [0.5]}, record: [\"velocity[1..2]\", "
              "\"velocity[2]\"]}\n",
        "file:2:70: sweep.record[2] is recorded already");
    bad(CHAIN "sweep: {grid: {chain.restitution: [0.5]}, record: [\"velocity[1..3]\"]}\n",
        "file:2:52: 'velocity[3]' is an entry that this system does not have; entries go from 1 to "
        "2 (or from -1, the last)");
    bad(CHAIN "sweep: {grid: {chain.restitution: [0.5]}, record: [\"velocitee[1..2]\"]}\n",
        "file:2:52: 'velocitee[1]' is not a quantity of an outcome; did you mean 'velocity'?");
    bad(CHAIN "sweep: {grid: {chain.restitution: [0.5]}, record: "
              "[\"loss[-9223372036854775808]\"]}\n",
        "file:2:52: 'loss[-9223372036854775808]' must name an entry, such as loss[1] or loss[-1], "
        "or be max(loss)");
    bad(CHAIN "sweep: {}\n", "file:2:8: sweep varies nothing; it needs a grid, a sample or both");
    bad(CHAIN "sweep: {grid: {chain.mass: {from: 0, to: 1, steps: 3, scale: log}}}\n",
        "file:2:28: sweep.grid.chain.mass goes from 0 to 1; a logarithmic range must not reach 0");
    bad(CHAIN "sweep: {grid: {chain.mass: {from: 1, to: 2}}}\n",
        "file:2:28: sweep.grid.chain.mass has no field 'steps', which is required");
    bad(CHAIN "sweep: {grid: {chain.mass: []}}\n",
        "file:2:28: sweep.grid.chain.mass has no values; give a list, or {from, to, steps}");
    bad(CHAIN "sweep: {grid: {laws: [lzb, moreau]}}\n",
        "file:2:16: laws cannot be varied as a whole: every point is solved by every law of the "
        "list; vary laws[1] or its options");
    bad(CHAIN "sweep: {grid: {chain.mass: [1]}, sample: {points: 2, of: {chain.mass: {normal: [1, "
              "1]}}}}\n",
        "file:2:16: chain.mass is varied twice");
    bad(CHAIN "sweep: {sample: {points: 2, of: {chain.mass: {normal: [1, 0]}}}}\n",
        "file:2:55: sweep.sample.of.chain.mass.normal is [1, 0]; the deviation must be above 0");
    bad(CHAIN "sweep: {sample: {points: 2, of: {chain.mass: {normal: [1, 1], each: true}}}}\n",
        "file:2:69: sweep.sample.of.chain.mass.each is true, but the scenario has no list there; "
        "give the number of entries instead");
    bad(CHAIN "sweep: {sample: {points: 2, of: {chain.mass: {normal: [1, 1], within: [4, 5]}}}}\n",
        "file:2:71: sweep.sample.of.chain.mass.within contains a fraction of 0.0013 of the "
        "distribution; must contain at least 0.01");
    bad(CHAIN "sweep: {grid: {chain.restitution: [1.5, 2]}}\n",
        "file:2:36: sweep.grid.chain.restitution[1]: restitution is 1.5, must be between 0 and 1 "
        "(0, or from 1e-14 on)");
}

static void a_law_that_does_not_exist_is_the_command_lines_fault(void **state)
{
    (void)state;
    crm_study *study = NULL;
    static crm_read_error error;
    assert_int_equal(read_with(CHAIN "sweep: {grid: {chain.mass: [1]}}\n", "morau", &study, &error),
                     CRM_ERROR_OPTION);
    assert_int_equal(
        read_with(CHAIN "sweep: {grid: {chain.mass: [1]}}\n", "moreau,binary", &study, &error),
        CRM_OK);
    assert_int_equal(crm_study_laws(study), 2);
    assert_string_equal(crm_study_label(study, 1), "binary");
    crm_study_free(study);
}

static void different_studies_have_different_digests(void **state)
{
    (void)state;
    crm_study *a = good(CHAIN "sweep: {grid: {chain.mass: [1]}}\n");
    crm_study *b = good(CHAIN "sweep: {grid: {chain.mass: [2]}}\n");
    crm_study *c = good(CHAIN "sweep: {grid: {chain.mass: [1]}}\n");
    assert_true(crm_study_digest(a) != crm_study_digest(b));
    assert_true(crm_study_digest(a) == crm_study_digest(c));
    crm_study_free(a);
    crm_study_free(b);
    crm_study_free(c);
}

/* Whatever is written there, a study is read or refused, and what was read can be solved. */
static void damaged_studies_are_read_or_refused(void **state)
{
    (void)state;
    static const char text[] = "laws: [moreau, {law: binary, order: fastest}]\n"
                               "chain: {mass: [1, 2], velocity: [1], wall: {side: right}}\n"
                               "sweep:\n"
                               "  grid:\n"
                               "    chain.restitution, chain.wall.restitution: [0.2, 0.4]\n"
                               "    chain.stiffness: {from: 1, to: 9, steps: 3, scale: log}\n"
                               "    laws[2].order: [fastest, left-to-right]\n"
                               "  sample:\n"
                               "    points: 4\n"
                               "    seed: 2\n"
                               "    of:\n"
                               "      chain.mass: {normal: [1, 0.1], as: factor, each: true}\n"
                               "      chain.exponent: {uniform: [1, 2], within: [1, 3]}\n"
                               "  record: [\"velocity[-1]\", max(loss), \"impulse[1]\", near]\n";
    static const char letters[] = "0159.-+[]{}:,\"' \n#&*!|>%@eaxt";
    size_t rounds = getenv("CAROM_TEST_QUICK") != NULL ? 300 : 3000, readable = 0;
    rng r = rng_seeded(5);
    for (size_t i = 0; i < rounds; i++) {
        char damaged[sizeof text];
        memcpy(damaged, text, sizeof text);
        for (size_t k = 0; k <= i % 3; k++) {
            damaged[rng_below(&r, sizeof text - 1)] = letters[rng_below(&r, sizeof letters - 1)];
        }
        crm_study *study = NULL;
        crm_study_worker *worker = NULL;
        const crm_study_row *rows;
        static crm_read_error error;
        if (read_with(damaged, NULL, &study, &error) != CRM_OK) {
            assert_true(error.text[0] != '\0');
            continue;
        }
        readable++;
        assert_int_equal(crm_study_worker_create(study, &worker, NULL), CRM_OK);
        assert_int_equal(crm_study_solve(worker, 0, &rows, NULL), CRM_OK);
        assert_int_equal(crm_study_solve(worker, crm_study_points(study) - 1, &rows, NULL), CRM_OK);
        crm_study_worker_free(worker);
        crm_study_free(study);
    }
    assert_true(readable > rounds / 100 && readable < rounds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grid_is_the_product_with_the_last_field_fastest),
        cmocka_unit_test(linear_ranges_meet_round_numbers_as_they_are_read),
        cmocka_unit_test(other_numbers_of_a_range_have_fifteen_digits),
        cmocka_unit_test(logarithmic_ranges_have_a_common_ratio),
        cmocka_unit_test(fields_with_commas_move_together),
        cmocka_unit_test(values_may_be_words_and_lists),
        cmocka_unit_test(quantities_are_those_of_two_balls),
        cmocka_unit_test(what_a_law_does_not_define_is_left_out),
        cmocka_unit_test(an_entry_may_be_there_in_some_points_only),
        cmocka_unit_test(a_range_records_its_entries),
        cmocka_unit_test(a_list_is_one_column_per_entry),
        cmocka_unit_test(closeness_is_a_parameter_of_near),
        cmocka_unit_test(ratios_and_products_are_quantities),
        cmocka_unit_test(points_that_are_no_scenario_are_failed_rows),
        cmocka_unit_test(any_number_of_jobs_gives_the_same_bits),
        cmocka_unit_test(mistakes_are_told_with_their_place),
        cmocka_unit_test(a_law_that_does_not_exist_is_the_command_lines_fault),
        cmocka_unit_test(different_studies_have_different_digests),
        cmocka_unit_test(damaged_studies_are_read_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
