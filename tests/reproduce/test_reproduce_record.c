/* The published items: all can be read, the quick ones agree with the papers, and docs/record.md
 * tells what they tell.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "reproduce/item_index.h"
#include "reproduce/print/print.h"
#include "reproduce/record.h"
#include "support.h"

/* Read and computed once: everything here is about the same run. */
typedef struct published {
    crm_item_index index;
    size_t count;
    crm_record **quick;
    char *record; /* docs/record.md */
} published;

static int set_up(void **state)
{
    published *p = calloc(1, sizeof *p);
    crm_read_error error = {0};
    crm_error failure = {0};
    size_t length;
    assert_non_null(p);
    if (crm_item_index_read(CAROM_SOURCE_DIR "/reproduce", &p->index, &error) != CRM_OK ||
        crm_file_read(CAROM_SOURCE_DIR "/docs/record.md", &p->record, &length, &error) != CRM_OK) {
        fail_msg("%s", error.text);
    }
    p->quick = calloc(p->index.count, sizeof *p->quick);
    assert_non_null(p->quick);
    for (size_t i = 0; i < p->index.count; i++) {
        if (p->index.items[i]->quick) {
            assert_ok(crm_record_create(p->index.items[i], &p->quick[p->count++], &failure),
                      &failure);
        }
    }
    crm_records_run(p->quick, p->count, 2, NULL);
    *state = p;
    return 0;
}

static int tear_down(void **state)
{
    published *p = *state;
    for (size_t i = 0; i < p->count; i++) {
        crm_record_free(p->quick[i]);
    }
    free(p->quick);
    free(p->record);
    crm_item_index_free(&p->index);
    free(p);
    return 0;
}

static const crm_record *find(const published *p, const char *name)
{
    for (size_t i = 0; i < p->count; i++) {
        if (strcmp(p->quick[i]->item->name, name) == 0) {
            return p->quick[i];
        }
    }
    fail_msg("no quick item is called %s", name);
    return NULL;
}

/* ---- What must be there --------------------------------------------------------------------- */

static bool has_item(const published *p, const char *name)
{
    for (size_t i = 0; i < p->index.count; i++) {
        if (crm_item_index_matches(p->index.items[i], name)) {
            return true;
        }
    }
    return false;
}

static void every_table_has_an_item(void **state)
{
    static const struct {
        const char *paper;
        int first, last;
    } tables[] = {{"P0", 2, 12}, {"P1", 1, 4}, {"P4", 2, 6}};
    for (size_t i = 0; i < 3; i++) {
        for (int number = tables[i].first; number <= tables[i].last; number++) {
            char name[32];
            snprintf(name, sizeof name, "%s-table-%d", tables[i].paper, number);
            if (!has_item(*state, name)) {
                fail_msg("%s is missing", name);
            }
        }
    }
}

static void items_are_in_the_order_of_their_numbers(void **state)
{
    const published *p = *state;
    size_t six = 0, twelve = 0;
    for (size_t i = 0; i < p->index.count; i++) {
        six = strcmp(p->index.items[i]->name, "P0-table-6") == 0 ? i : six;
        twelve = strcmp(p->index.items[i]->name, "P0-table-12") == 0 ? i : twelve;
    }
    assert_true(six < twelve);
}

static void words_mean_items(void **state)
{
    const published *p = *state;
    const crm_item *item = find(p, "P0-table-6")->item;
    assert_true(crm_item_index_matches(item, "P0-table-6"));
    assert_true(crm_item_index_matches(item, "P0"));
    assert_true(crm_item_index_matches(item, "P0-table"));
    assert_true(crm_item_index_matches(item, "all"));
    assert_true(crm_item_index_matches(item, "quick"));
    assert_false(crm_item_index_matches(item, "P"));
    assert_false(crm_item_index_matches(item, "P0-tab"));
    assert_false(crm_item_index_matches(item, "P0-table-66"));
    const crm_item *several = find(p, "P0-figure-24-27")->item;
    assert_true(crm_item_index_matches(several, "P0-figure-24"));
    assert_true(crm_item_index_matches(several, "P0-figure-26"));
    assert_true(crm_item_index_matches(several, "P0-figure-27"));
    assert_false(crm_item_index_matches(several, "P0-figure-28"));
    assert_false(crm_item_index_matches(several, "P1-figure-26"));
    assert_false(crm_item_index_matches(several, "P0-figure-x"));
}

/* ---- What they say -------------------------------------------------------------------------- */

static void nothing_deviates(void **state)
{
    const published *p = *state;
    for (size_t i = 0; i < p->count; i++) {
        for (size_t k = 0; k < p->quick[i]->item->claim_count; k++) {
            const crm_finding *finding = &p->quick[i]->findings[k];
            if (finding->verdict == CRM_VERDICT_DEVIATES) {
                fail_msg("%s: %s: published %s, ours %s %s", p->quick[i]->item->name,
                         finding->claim->what, finding->published, finding->ours, finding->trouble);
            }
        }
    }
}

/* Bernoulli's solution in closed form (P0 103) at pi/3, the last six numbers of the table. */
static void bernoulli_s_table_is_his_formula(void **state)
{
    const crm_record *record = find(*state, "P0-table-7");
    static const double printed = 1e-7; /* the law's tolerance */
    double tangent = sqrt(3), share = 2 / (3 + tangent * tangent);
    const double wanted[] = {share, share * tangent, 1 - 2 * share, 0, share, -share * tangent};
    assert_int_equal(record->verdict, CRM_VERDICT_MATCHES);
    assert_int_equal(record->digits, 2);
    for (size_t i = 0; i < 6; i++) {
        assert_near(record->findings[18 + i].ours_number, wanted[i], printed);
    }
}

/* P1 table 2 follows from (15): each big ball keeps 1/3, each small one -1/3, and passes on 4/3 of
 * its speed, or 2/3.
 */
static void a_decorated_chain_follows_from_two_ball_collisions(void **state)
{
    static const double rounding = 1e-14;
    const crm_record *record = find(*state, "P1-table-2");
    double speed = 1;
    assert_int_equal(record->verdict, CRM_VERDICT_MATCHES);
    for (size_t i = 0; i < 6; i++) {
        assert_near(record->findings[i].ours_number, (i % 2 == 0 ? 1.0 : -1.0) * speed / 3,
                    rounding);
        speed *= i % 2 == 0 ? 4.0 / 3 : 2.0 / 3;
    }
    assert_near(record->findings[6].ours_number, speed, rounding);
}

/* An erratum that is no longer needed hides nothing, but it should go. */
static void errata_are_needed(void **state)
{
    const published *p = *state;
    for (size_t i = 0; i < p->count; i++) {
        for (size_t k = 0; k < p->quick[i]->item->claim_count; k++) {
            const crm_finding *finding = &p->quick[i]->findings[k];
            if (finding->claim->right != NULL && finding->verdict == CRM_VERDICT_MATCHES) {
                fail_msg("%s: %s agrees with the paper", p->quick[i]->item->name,
                         finding->claim->what);
            }
        }
    }
}

/* ---- docs/record.md ------------------------------------------------------------------------- */

static void needs_line(const published *p, const char *line)
{
    if (strstr(p->record, line) == NULL) {
        fail_msg("docs/record.md is not current: it has no '%s'; make it again with "
                 "scripts/document-record",
                 line);
    }
}

/* Verdict, digits and what was printed; the last bits of ours may differ between machines. */
static void the_record_is_current(void **state)
{
    const published *p = *state;
    for (size_t i = 0; i < p->count; i++) {
        const crm_record *record = p->quick[i];
        char words[256], line[1024], digits[16] = "";
        crm_print_counts(record, words, sizeof words);
        if (record->digits >= 0) {
            snprintf(digits, sizeof digits, "%d", record->digits);
        }
        snprintf(line, sizeof line, "%s | %s | %s | %s |\n", crm_item_kind_text(record->item->kind),
                 crm_judge_verdict_text(record->verdict), digits, words);
        char start[256];
        snprintf(start, sizeof start, "\n| %s | %s | ", record->item->name, record->item->title);
        needs_line(p, start);
        const char *after = strstr(p->record, start) + strlen(start);
        if (strncmp(after, line, strlen(line)) != 0) {
            fail_msg("docs/record.md is not current about %s: it should say '%s'",
                     record->item->name, line);
        }
        for (size_t k = 0; k < record->item->claim_count; k++) {
            const crm_finding *finding = &record->findings[k];
            snprintf(line, sizeof line, "\n| %s | %s | ", finding->claim->what, finding->published);
            needs_line(p, line);
        }
    }
}

static void the_record_tells_of_every_item(void **state)
{
    const published *p = *state;
    for (size_t i = 0; i < p->index.count; i++) {
        char line[128];
        snprintf(line, sizeof line, "\n## %s\n", p->index.items[i]->name);
        needs_line(p, line);
    }
}

/* ---- The command ---------------------------------------------------------------------------- */

/* Exit status of `carom reproduce ARGUMENTS`; what it wrote goes into text. */
static int run(const char *environment, const char *arguments, char *text, size_t size)
{
    char command[1024];
    snprintf(command, sizeof command, "%s %s reproduce %s 2>&1", environment, CAROM_PROGRAM,
             arguments);
    FILE *stream = popen(command, "r");
    assert_non_null(stream);
    size_t length = fread(text, 1, size - 1, stream);
    text[length] = '\0';
    while (fgetc(stream) != EOF) {
    }
    int status = pclose(stream);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void the_command_lists_and_runs(void **state)
{
    (void)state;
    static char text[65536];
    static const char here[] = "CAROM_REPRODUCE=" CAROM_SOURCE_DIR "/reproduce";
    assert_int_equal(run(here, "", text, sizeof text), 0);
    assert_non_null(strstr(text, "P0-table-6 "));
    assert_non_null(strstr(text, "P1-figure-15 "));
    assert_int_equal(run(here, "P1-table-2", text, sizeof text), 0);
    assert_non_null(strstr(text, "-0.4444"));
    assert_non_null(strstr(text, "matches: all 8 rows agree"));
    assert_int_equal(run(here, "P4-table-2 P0-table-3 P0-table-2 P2-figure-9 P2-figure-10 --jobs 2",
                         text, sizeof text),
                     0);
    assert_non_null(strstr(text, "5 items: 3 match as printed, 0 carry the step error of a "
                                 "scheme, 1 with errata,\n  1 not explained in full, 0 deviate"));
    assert_int_equal(run(here, "list", text, sizeof text), 0);
    assert_non_null(strstr(text, "also P4-table-6"));
    assert_int_equal(run(here, "P4-table-6", text, sizeof text), 0);
    assert_non_null(strstr(text, "P0-table-7  Bernoulli"));
    assert_int_equal(run(here, "P1-tabel-2", text, sizeof text), 2);
    assert_non_null(strstr(text, "did you mean 'P1-table-2'"));
    assert_int_equal(run("CAROM_REPRODUCE=/nowhere", "", text, sizeof text), 3);
}

static void write_item(const char *path, const char *value)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file,
            "name: x\nsource: a\ntitle: b\n"
            "scenario: {laws: [newton], chain: {count: 2, velocity: [1]}}\n"
            "published: [{quantity: 'velocity[2]', %s}]\n",
            value);
    fclose(file);
}

static void the_exit_status_tells_of_deviations(void **state)
{
    (void)state;
    char text[4096], directory[] = "/tmp/carom-test-XXXXXX", path[96];
    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/x.yaml", directory);
    static const struct {
        const char *value;
        int status;
    } cases[] = {{"value: 1", 0},
                 {"value: 2, right: 1, reason: a slip", 0},
                 {"value: 2", 4},
                 {"value: two", 3}};
    for (size_t i = 0; i < 4; i++) {
        write_item(path, cases[i].value);
        assert_int_equal(run("", path, text, sizeof text), cases[i].status);
    }
    unlink(path);
    rmdir(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_table_has_an_item),
        cmocka_unit_test(items_are_in_the_order_of_their_numbers),
        cmocka_unit_test(words_mean_items),
        cmocka_unit_test(nothing_deviates),
        cmocka_unit_test(bernoulli_s_table_is_his_formula),
        cmocka_unit_test(a_decorated_chain_follows_from_two_ball_collisions),
        cmocka_unit_test(errata_are_needed),
        cmocka_unit_test(the_record_is_current),
        cmocka_unit_test(the_record_tells_of_every_item),
        cmocka_unit_test(the_command_lists_and_runs),
        cmocka_unit_test(the_exit_status_tells_of_deviations),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
