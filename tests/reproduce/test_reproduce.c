/* The engine of `carom reproduce`: reading items, judging numbers, telling of them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "item_text.h"
#include "reproduce/item_index.h"
#include "reproduce/print/print.h"
#include "support.h"

static const double EXACT = 1e-12;

/* ---- Reading -------------------------------------------------------------------------------- */

static void mistakes_are_told_with_their_place(void **state)
{
    (void)state;
    refuses(TWO_BALLS "publised: []\n", "5:1", "did you mean 'published'");
    refuses("published: [{quantity: energy_ratio, value: 1}]\n", "1:1", "no field 'scenario'");
    refuses(TWO_BALLS "published: [{quantity: energy_ration, value: 1}]\n", "5:24", "energy_ratio");
    refuses(TWO_BALLS "published: [{quantity: energy_ratio, valu: 1}]\n", "5:38", "'value'");
    refuses(TWO_BALLS "published: [{case: a, quantity: energy_ratio, value: 1}]\n", "5:20",
            "no case");
    refuses(TWO_BALLS "published: [{velocities: [0, 1], right: [1]}]\n", "5:41", "1 entries");
    refuses(TWO_BALLS "published: [{velocities: [0, 1], right: [1, ~]}]\n", "5:13", "reason");
    refuses(TWO_BALLS "published: [{quantity: energy_ratio, value: one}]\n", "5:45", "number");
    refuses(TWO_BALLS "published: [{quantity: threshold, value: 1}]\n", "5:24", "threshold");
    refuses(TWO_BALLS "checks: [{quantity: energy_ratio, least: 1}]\n", "5:10", "'what'");
    refuses(TWO_BALLS "checks: [{what: a, quantity: energy_ratio}]\n", "5:10", "must expect one");
    refuses(TWO_BALLS "checks: [{what: a, quantity: energy_ratio, minimum: 1}]\n", "5:10",
            "'within'");
    refuses("kind: tabel\n" TWO_BALLS "checks: []\n", "4:7", "table");
    refuses(TWO_BALLS "cases: [{name: a}, {name: a}]\nchecks: []\n", "5:20", "second case");
    refuses(TWO_BALLS "cases: [{name: a, set: [{field: chain.mass, count: 2}]}]\nchecks: []\n",
            "5:25", "must be text");
    refuses(TWO_BALLS "vary: {parameter: e, set: []}\nchecks: []\n", "5:7", "'values'");
    refuses(TWO_BALLS "vary: {parameter: e, values: [1], set: [chain.restitution=$]}\n"
                      "published: [{quantity: energy_ratio, at: 2, value: 1}]\n",
            "6:13", "not among the values");
}

static void the_name_is_that_of_the_file(void **state)
{
    (void)state;
    trial t = read_text("");
    finish(&t);
    char path[96], directory[] = "/tmp/carom-test-XXXXXX";
    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/y.yaml", directory);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("name: x\nsource: a\ntitle: b\n" TWO_BALLS "checks: []\n", file);
    fclose(file);
    crm_item *item = NULL;
    crm_read_error error = {0};
    assert_int_not_equal(crm_item_read(path, &item, &error), CRM_OK);
    assert_non_null(strstr(error.text, "name of the file"));
    assert_null(item);
    unlink(path);
    rmdir(directory);
}

/* ---- Digits --------------------------------------------------------------------------------- */

static void digits_are_counted_as_printed(void **state)
{
    (void)state;
    static const struct {
        const char *printed;
        int digits;
        double half;
    } numbers[] = {{"0.0710", 4, 0.5e-4}, {"-1.2118", 5, 0.5e-4}, {"52", 2, 0.5},
                   {"0", 1, 0.5},         {"0.00", 2, 0.5e-2},    {"1.15e10", 3, 0.5e8},
                   {"8.6e-5", 2, 0.5e-6}, {".997", 3, 0.5e-3},    {"100", 3, 0.5}};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        assert_int_equal(crm_judge_digits(numbers[i].printed), numbers[i].digits);
        assert_near(crm_judge_half_unit(numbers[i].printed) / numbers[i].half, 1, EXACT);
    }
}

/* ---- Verdicts ------------------------------------------------------------------------------- */

/* Two equal balls by Newton's law: (1 - e)/2 and (1 + e)/2; e = 0.75: 0.125 and 0.875. */
#define THREE_QUARTERS                                                                             \
    "scenario: {laws: [newton], chain: {count: 2, velocity: [1], restitution: 0.75}}\n"

static void printed_numbers_are_judged_by_their_digits(void **state)
{
    (void)state;
    trial t = run_text(THREE_QUARTERS
                       "published:\n"
                       "  - {quantity: 'velocity[1]', value: 0.125}\n" /* exact */
                       "  - {quantity: 'velocity[1]', value: 0.13}\n"  /* half a unit */
                       "  - {quantity: 'velocity[1]', value: 0.12}\n"  /* half a unit */
                       "  - {quantity: 'velocity[1]', value: 0.126}\n" /* a unit away */
                       "  - {quantity: 'velocity[2]', value: 0.8, tolerance: 0.1}\n"
                       "  - {quantity: 'velocity[2]', value: 0.578, right: 0.875, reason: turned}\n"
                       "  - {quantity: 'velocity[2]', value: 0.578, right: 0.876, reason: wrong}\n"
                       "  - {quantity: 'velocity[2]', value: 0.5, beside: true}\n"
                       "  - {quantity: status, value: solved}\n"
                       "  - {quantity: status, value: infeasible}\n"
                       "  - {law: moreau, quantity: 'velocity[2]', value: 0.875}\n");
    static const crm_verdict wanted[] = {
        CRM_VERDICT_MATCHES, CRM_VERDICT_MATCHES,  CRM_VERDICT_MATCHES,  CRM_VERDICT_DEVIATES,
        CRM_VERDICT_MATCHES, CRM_VERDICT_ERRATUM,  CRM_VERDICT_DEVIATES, CRM_VERDICT_BESIDE,
        CRM_VERDICT_MATCHES, CRM_VERDICT_DEVIATES, CRM_VERDICT_DEVIATES};
    static const int digits[] = {3, 2, 2, 2, -2, 0, 0, -2, -2, -2, -2}; /* -2: not looked at */
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        assert_int_equal(t.record->findings[i].verdict, wanted[i]);
        if (digits[i] != -2) {
            assert_int_equal(t.record->findings[i].digits, digits[i]);
        }
    }
    assert_near(t.record->findings[3].deviation, -0.001, EXACT);
    assert_non_null(strstr(t.record->findings[10].trouble, "moreau"));
    assert_int_equal(t.record->verdict, CRM_VERDICT_DEVIATES);
    assert_int_equal(t.record->counts[CRM_VERDICT_MATCHES], 5);
    finish(&t);
}

/* Another restitution stands for a scheme whose step costs something: it gives 0.75. */
static const char by_a_scheme[] =
    "scenario:\n"
    "  laws: [newton, {law: moreau, label: stepped, restitution: 0.5}]\n"
    "  chain: {count: 2, velocity: [1], restitution: 0.75}\n"
    "published:\n"
    "  - {quantity: 'velocity[2]', value: 0.75, right: 0.875, reason: step, scheme: stepped}\n"
    "  - {quantity: 'velocity[2]', value: 0.76, right: 0.875, reason: step, scheme: stepped}\n"
    "  - {quantity: 'velocity[2]', value: 0.76, right: 0.875, reason: step, scheme: none}\n"
    "  - {quantity: 'velocity[2]', value: 0.76, right: 0.874, reason: step, scheme: none}\n"
    "  - {quantity: 'velocity[2]', value: 0.875, right: 0.8, reason: step, scheme: none}\n";

static void the_step_of_a_scheme_is_no_erratum(void **state)
{
    (void)state;
    static const crm_verdict wanted[] = {CRM_VERDICT_SCHEME, CRM_VERDICT_DEVIATES,
                                         CRM_VERDICT_UNEXPLAINED, CRM_VERDICT_DEVIATES,
                                         CRM_VERDICT_MATCHES};
    trial t = run_text(by_a_scheme);
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        assert_int_equal(t.record->findings[i].verdict, wanted[i]);
    }
    assert_near(t.record->findings[0].scheme_number, 0.75, EXACT);
    assert_true(isnan(t.record->findings[2].scheme_number));
    finish(&t);
    t = run_text(THREE_QUARTERS
                 "published:\n"
                 "  - {quantity: 'velocity[1]', value: 0.125}\n"
                 "  - {quantity: 'velocity[2]', value: 0.8, right: 0.875, reason: x, "
                 "scheme: none}\n");
    assert_int_equal(t.record->verdict, CRM_VERDICT_UNEXPLAINED);
    finish(&t);
}

static void what_no_paper_prints_does_not_count(void **state)
{
    (void)state;
    trial t = run_text(THREE_QUARTERS
                       "published: [{quantity: 'velocity[1]', value: 0.125}]\n"
                       "recomputed: [{quantity: 'velocity[2]', values: [0.88]}]\n"
                       "checks:\n"
                       "  - {what: up, quantity: velocity, along: true, trend: increases, sanity: "
                       "true}\n");
    static const crm_verdict wanted[] = {CRM_VERDICT_MATCHES, CRM_VERDICT_RECOMPUTED,
                                         CRM_VERDICT_SANITY};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(t.record->findings[i].verdict, wanted[i]);
    }
    const crm_finding *again = &t.record->findings[1];
    assert_string_equal(again->published, "-");
    assert_true(isnan(again->published_number) && isnan(again->deviation));
    assert_near(again->again_number, 0.88, 0);
    assert_int_equal(t.record->digits, 3);
    char words[256];
    crm_print_counts(t.record, words, sizeof words);
    assert_string_equal(words, "1 row agrees; 1 number recomputed; 1 sanity check");
    finish(&t);
}

static void what_should_hold_and_does_not_deviates(void **state)
{
    (void)state;
    trial t = run_text(THREE_QUARTERS
                       "recomputed: [{quantity: 'velocity[2]', values: [0.89]}]\n"
                       "checks:\n"
                       "  - {what: down, quantity: velocity, along: true, trend: decreases, "
                       "sanity: true}\n");
    assert_int_equal(t.record->findings[0].verdict, CRM_VERDICT_DEVIATES);
    assert_int_equal(t.record->findings[1].verdict, CRM_VERDICT_DEVIATES);
    finish(&t);
}

static void the_worst_row_is_the_item_s_verdict(void **state)
{
    (void)state;
    trial t = run_text(THREE_QUARTERS "published: [{velocities: [0.125, 0.875]}]\n");
    assert_int_equal(t.record->verdict, CRM_VERDICT_MATCHES);
    assert_int_equal(t.record->digits, 3);
    finish(&t);
    t = run_text(THREE_QUARTERS
                 "published: [{velocities: [0.125, 0.874], right: [~, 0.875], reason: cut}]\n");
    assert_int_equal(t.record->verdict, CRM_VERDICT_ERRATUM);
    assert_int_equal(t.record->digits, 3);
    assert_int_equal(t.record->findings[1].digits, 2);
    assert_near(t.record->worst, 0.001, EXACT);
    finish(&t);
}

static void ratios_powers_and_factors(void **state)
{
    (void)state;
    trial t = run_text(THREE_QUARTERS
                       "published: [{quantity: 'velocity[2]', per: 'velocity[1]', power: 2, "
                       "times: 0.5, value: 24.5}]\n");
    assert_near(t.record->findings[0].ours_number, 0.5 * 49, EXACT * 100);
    finish(&t);
}

/* Three elastic balls: Newton's law gives (-1, 2, 2)/3, binary collisions (0, 0, 1). Relative to
 * the first, of size 1, they are 1/3, 2/3 and 1/3 apart.
 */
static void balls_near_the_first_law_are_counted(void **state)
{
    (void)state;
    trial t = run_text("scenario: {laws: [newton, binary], chain: {count: 3, velocity: [1]}}\n"
                       "published:\n"
                       "  - {law: binary, quantity: near(0.3), value: 0}\n"
                       "  - {law: binary, quantity: near(0.4), value: 2}\n"
                       "  - {law: binary, quantity: near(0.7), value: 3}\n");
    assert_int_equal(t.record->verdict, CRM_VERDICT_MATCHES);
    finish(&t);
}

/* A law that stops early has its state told only to those who ask for it. */
static void unfinished_outcomes_count_only_where_asked(void **state)
{
    (void)state;
    trial t = run_text(
        "scenario: {laws: [{law: binary, max_collisions: 1}], chain: {count: 3, velocity: [1]}}\n"
        "published:\n"
        "  - {velocities: [0, 1, 0], unfinished: true}\n"
        "  - {quantity: 'velocity[2]', value: 1}\n");
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(t.record->findings[i].verdict, CRM_VERDICT_MATCHES);
    }
    assert_int_equal(t.record->findings[3].verdict, CRM_VERDICT_DEVIATES);
    assert_non_null(strstr(t.record->findings[3].trouble, "not_terminated"));
    finish(&t);
}

/* ---- Jobs and formats ----------------------------------------------------------------------- */

static void any_number_of_jobs_gives_the_same_bits(void **state)
{
    (void)state;
    trial one = run_text(STRUCK_MASS "published: [{quantity: 'velocity[2]', at: [0.2, 0.5, 4], "
                                     "values: [1, 1, 1]}]\n");
    trial two = read_text(STRUCK_MASS "published: [{quantity: 'velocity[2]', at: [0.2, 0.5, 4], "
                                      "values: [1, 1, 1]}]\n");
    crm_error error = {0};
    assert_ok(crm_record_create(two.item, &two.record, &error), &error);
    crm_records_run(&two.record, 1, 3, NULL);
    for (size_t i = 0; i < 3; i++) {
        assert_true(one.record->findings[i].ours_number == two.record->findings[i].ours_number);
    }
    finish(&one);
    finish(&two);
}

static char *written(void (*write)(crm_record *const *, size_t, FILE *), crm_record *record)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    crm_error error = {0};
    if (write != NULL) {
        write(&record, 1, stream);
    } else {
        assert_ok(crm_print_json(&record, 1, stream, &error), &error);
    }
    fclose(stream);
    return text;
}

static void a_recomputed_row_has_no_published_number_in_json(void **state)
{
    (void)state;
    trial t = run_text(THREE_QUARTERS "recomputed: [{quantity: 'velocity[2]', values: [0.88]}]\n");
    char *text = written(NULL, t.record);
    json_t *root = json_loads(text, 0, NULL);
    assert_non_null(root);
    double ours, again;
    const char *verdict;
    json_t *item = json_array_get(json_object_get(root, "items"), 0);
    assert_int_equal(json_unpack(json_array_get(json_object_get(item, "rows"), 0),
                                 "{s:n, s:f, s:n, s:f, s:s}", "published", "ours", &ours,
                                 "deviation", "recomputed", &again, "verdict", &verdict),
                     0);
    assert_near(ours, 0.875, EXACT);
    assert_near(again, 0.88, 0);
    assert_string_equal(verdict, "recomputed");
    json_decref(root);
    free(text);
    finish(&t);
}

static void json_has_the_layout_of_the_contract(void **state)
{
    (void)state;
    trial t = run_text(THREE_QUARTERS
                       "published: [{velocities: [0.125, 0.874], right: [~, 0.875], reason: cut}]\n"
                       "checks: [{what: up, quantity: velocity, along: true, trend: increases}]\n");
    char *text = written(NULL, t.record);
    json_error_t error;
    json_t *root = json_loads(text, 0, &error);
    assert_non_null(root);
    const char *name, *source, *verdict, *what, *row_verdict, *reason, *published;
    double worst, printed, ours, deviation;
    int digits;
    json_t *rows;
    assert_int_equal(json_unpack(json_array_get(json_object_get(root, "items"), 0),
                                 "{s:s, s:s, s:s, s:i, s:f, s:o}", "name", &name, "source", &source,
                                 "verdict", &verdict, "digits", &digits, "worst", &worst, "rows",
                                 &rows),
                     0);
    assert_string_equal(name, "x");
    assert_string_equal(source, "a test");
    assert_string_equal(verdict, "erratum");
    assert_int_equal(digits, 3);
    assert_near(worst, 0.001, EXACT);
    assert_int_equal(json_array_size(rows), 3);
    assert_int_equal(json_unpack(json_array_get(rows, 1), "{s:s, s:f, s:f, s:f, s:s, s:s}", "what",
                                 &what, "published", &printed, "ours", &ours, "deviation",
                                 &deviation, "verdict", &row_verdict, "reason", &reason),
                     0);
    assert_string_equal(what, "velocity[2]");
    assert_near(printed, 0.874, 0);
    assert_near(ours, 0.875, EXACT);
    assert_near(deviation, 0.001, EXACT);
    assert_string_equal(row_verdict, "erratum");
    assert_string_equal(reason, "cut");
    assert_int_equal(
        json_unpack(json_array_get(rows, 2), "{s:s, s:n}", "published", &published, "deviation"),
        0);
    assert_string_equal(published, "rises");
    json_decref(root);
    free(text);
    finish(&t);
}

static void csv_has_a_row_per_number(void **state)
{
    (void)state;
    trial t = run_text(THREE_QUARTERS
                       "published: [{velocities: [0.125, 0.874], right: [~, 0.875], reason: "
                       "'cut, not rounded'}]\n");
    char *text = written(crm_print_csv, t.record);
    assert_string_equal(text, "item,what,published,ours,deviation,digits,verdict,reason\n"
                              "x,velocity[1],0.125,0.125,0,3,matches,\n"
                              "x,velocity[2],0.874,0.875,0.0010000000000000009,2,erratum,\"cut, "
                              "not rounded\"\n");
    free(text);
    finish(&t);
}

static void markdown_has_overview_rows_and_reasons(void **state)
{
    (void)state;
    trial t =
        run_text(THREE_QUARTERS
                 "published: [{velocities: [0.125, 0.874], right: [~, 0.875], reason: cut}]\n");
    char *text = written(crm_print_markdown, t.record);
    assert_non_null(strstr(text, "| x | a title | table | erratum | 3 | 1 of 2 rows agree, 1 "
                                 "is the paper's error |\n"));
    assert_non_null(strstr(text, "\n## x\n"));
    assert_non_null(strstr(text, "| velocity[2] | 0.874 | 0.87500 | +1.0e-03 | erratum (a) |\n"));
    assert_non_null(strstr(text, "(a) cut\n"));
    free(text);
    finish(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_are_told_with_their_place),
        cmocka_unit_test(the_name_is_that_of_the_file),
        cmocka_unit_test(digits_are_counted_as_printed),
        cmocka_unit_test(printed_numbers_are_judged_by_their_digits),
        cmocka_unit_test(the_step_of_a_scheme_is_no_erratum),
        cmocka_unit_test(what_no_paper_prints_does_not_count),
        cmocka_unit_test(what_should_hold_and_does_not_deviates),
        cmocka_unit_test(a_recomputed_row_has_no_published_number_in_json),
        cmocka_unit_test(the_worst_row_is_the_item_s_verdict),
        cmocka_unit_test(ratios_powers_and_factors),
        cmocka_unit_test(balls_near_the_first_law_are_counted),
        cmocka_unit_test(unfinished_outcomes_count_only_where_asked),
        cmocka_unit_test(any_number_of_jobs_gives_the_same_bits),
        cmocka_unit_test(json_has_the_layout_of_the_contract),
        cmocka_unit_test(csv_has_a_row_per_number),
        cmocka_unit_test(markdown_has_overview_rows_and_reasons),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
