/* What people see on a terminal: colour and bars where it can show them and nobody declined them,
 * as wide as it is.
 */
#define _XOPEN_SOURCE 700 /* strtok_r */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/command/run.h"
#include "terminal.h"

/* What `carom ARGUMENTS` shows on a terminal, with these variables set before it; to be freed. */
static char *show_in(fixture *f, window size, const char *variables, const char *arguments)
{
    char command[512];
    int status;
    snprintf(command, sizeof command, "$carom %s", arguments);
    char *shown = shown_in(f, size, CAROM_PROGRAM, variables, command, &status);
    assert_int_equal(status, 0);
    return shown;
}

static char *show(fixture *f, const char *variables, const char *arguments)
{
    return show_in(f, (window){0, 0}, variables, arguments);
}

/* Characters of UTF-8 in a line. */
static size_t width_of(const char *line, size_t bytes)
{
    size_t width = 0;
    for (size_t i = 0; i < bytes; i++) {
        width += ((unsigned char)line[i] & 0xc0) != 0x80;
    }
    return width;
}

static size_t count_lines(const char *text)
{
    size_t lines = 0;
    for (; *text != '\0'; text++) {
        lines += *text == '\n';
    }
    return lines;
}

/* The longest line that begins with these words. */
static size_t widest(const char *shown, const char *words)
{
    size_t most = 0;
    for (const char *line = shown; *line != '\0';) {
        size_t bytes = strcspn(line, "\n"), width = width_of(line, bytes);
        if (strncmp(line, words, strlen(words)) == 0 && width > most) {
            most = width;
        }
        line += bytes + (line[bytes] == '\n');
    }
    return most;
}

static const char scenario[] = "laws: [lzb, moreau]\nchain: {count: 3, velocity: [1]}\n";
static const char ESCAPE[] = "\x1b[", BAR[] = "\xe2\x96";

static void colour_and_bars_are_shown(void **state)
{
    fixture *f = *state;
    put_file(f, "a.yaml", scenario);
    char *shown = show(f, "LANG=C.UTF-8", "solve a.yaml");
    assert_non_null(strstr(shown, ESCAPE));
    assert_non_null(strstr(shown, BAR));
    free(shown);
    shown = show(f, "LC_ALL=C LANG=C.UTF-8", "solve a.yaml"); /* the first that is set counts */
    assert_non_null(strstr(shown, ESCAPE));
    assert_null(strstr(shown, BAR));
    free(shown);
}

static void colour_can_be_declined(void **state)
{
    fixture *f = *state;
    put_file(f, "a.yaml", scenario);
    char *shown = show(f, "NO_COLOR=1 LC_CTYPE=en_US.utf8", "solve a.yaml");
    assert_non_null(strstr(shown, "lzb"));
    assert_null(strstr(shown, ESCAPE));
    assert_non_null(strstr(shown, BAR));
    free(shown);
    shown = show(f, "TERM=dumb LANG=C.UTF-8", "solve a.yaml");
    assert_non_null(strstr(shown, "lzb"));
    assert_null(strstr(shown, ESCAPE));
    assert_null(strstr(shown, BAR));
    free(shown);
}

static void files_and_pipes_have_neither(void **state)
{
    fixture *f = *state;
    put_file(f, "a.yaml", scenario);
    assert_int_equal(shell_with(f, CAROM_PROGRAM, "TERM=xterm LANG=C.UTF-8 $carom solve a.yaml"),
                     0);
    assert_null(strstr(f->out, ESCAPE));
}

static void the_table_is_as_wide_as_the_terminal(void **state)
{
    fixture *f = *state;
    put_file(f, "a.yaml",
             "laws: [lzb, moreau, binary, sequential, poisson, newton]\n"
             "chain: {count: 3, velocity: [1]}\n");
    char *narrow = show(f, "NO_COLOR=1 COLUMNS=60", "solve a.yaml");
    char *wide = show_in(f, (window){200, 0}, "NO_COLOR=1", "solve a.yaml");
    assert_in_range(widest(narrow, "  ball"), 20, 60);
    assert_in_range(widest(wide, "  ball"), 61, 200);
    free(narrow);
    free(wide);
}

/* ---- Width ---------------------------------------------------------------------------------- */

/* A line may be longer only if a single word is. */
static void expect_width(const char *shown, size_t width, const char *command)
{
    for (const char *line = shown; *line != '\0';) {
        size_t bytes = strcspn(line, "\n"), start = strspn(line, " ");
        bool breakable = memchr(line + start, ' ', bytes > start ? bytes - start : 0) != NULL;
        if (width_of(line, bytes) > width && breakable) {
            fail_msg("carom %s at %zu columns: %.*s", command, width, (int)bytes, line);
        }
        line += bytes + (line[bytes] == '\n');
    }
}

static void expect_widths(fixture *f, const char *command)
{
    static const unsigned short widths[] = {80, 120};
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        char *shown = show_in(f, (window){widths[i], 0}, "NO_COLOR=1 LANG=C.UTF-8", command);
        expect_width(shown, widths[i], command);
        free(shown);
    }
}

/* Every help page, every law, every block of fields: the first word of each line of a list. */
static void expect_widths_of_all(fixture *f, const char *list, const char *command)
{
    int status;
    char *names = shown_in(f, (window){80, 0}, CAROM_PROGRAM, "NO_COLOR=1", list, &status);
    size_t count = 0;
    for (char *rest = NULL, *name = strtok_r(names, " \n", &rest); name != NULL;
         name = strtok_r(NULL, " \n", &rest), count++) {
        char text[256];
        snprintf(text, sizeof text, "%s %s", command, name);
        expect_widths(f, text);
    }
    assert_true(count >= 10);
    free(names);
}

static void everything_told_keeps_to_the_width(void **state)
{
    fixture *f = *state;
    expect_widths(f, "help");
    expect_widths(f, "laws");
    expect_widths(f, "fields");
    expect_widths(f, "examples");
    expect_widths(f, "materials");
    expect_widths(f, "materials steel");
    expect_widths(f, "reproduce");
    expect_widths_of_all(f, "$carom help | sed -n 's/^  \\([a-z]*\\) .*/\\1/p' | grep -v carom",
                         "help");
    expect_widths_of_all(f, "$carom laws | sed -n 's/^  \\([a-z-]*\\) .*/\\1/p'", "laws");
    expect_widths_of_all(f, "$carom fields | sed -n 's/^  \\([a-z_]*\\)[ .[].*/\\1/p' | sort -u",
                         "fields");
}

/* Examples of every kind, names too long for any column, notes, verdicts that fail. */
static void every_table_keeps_to_the_width(void **state)
{
    static const char *const examples[] = {"three_balls", "column_on_wall", "rod_on_obstacles",
                                           "billiards_break", "system"};
    fixture *f = *state;
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        char command[256];
        snprintf(command, sizeof command, "check " CAROM_SOURCE_DIR "/examples/%s.yaml",
                 examples[i]);
        expect_widths(f, command);
        snprintf(command, sizeof command, "solve --show all " CAROM_SOURCE_DIR "/examples/%s.yaml",
                 examples[i]);
        expect_widths(f, command);
    }
    put_file(
        f, "long.yaml",
        "title: A title that is so long that nobody would have put it into one line of a "
        "terminal, and yet someone did\n"
        "laws: [{law: lzb, label: a label of a law that is quite long itself}, newton]\n"
        "bodies:\n"
        "  - {name: the first of two bodies with long names, shape: sphere, radius: 1, mass: 1,"
        " position: [0, 0], velocity: [1, 0]}\n"
        "  - {name: the second of two bodies with long names, shape: sphere, radius: 1, mass: "
        "1, position: [2.000001, 0], velocity: [0, 0]}\n"
        "contacts: {tolerance: 1e-5, restitution: 0.5}\n");
    expect_widths(f, "check long.yaml");
    expect_widths(f, "solve long.yaml");
    expect_widths(f, "solve long.yaml --set contacts.tolerance=1e-9");
    put_file(f, "fails.yaml", /* newton's rule gives energy where restitutions differ */
             "laws: [newton]\nchain: {count: 3, velocity: [1, 0, -1], restitution: [0.9, 0]}\n");
    expect_widths(f, "solve fails.yaml");
}

/* ---- Whole pages ----------------------------------------------------------------------------- */

/* The page of tests/golden, made by hand once: what people see, to the character. */
static void expect_page(fixture *f, unsigned short width, const char *command, const char *name)
{
    char path[256];
    snprintf(path, sizeof path, CAROM_SOURCE_DIR "/tests/golden/%s.%u.txt", name, width);
    char *shown = show_in(f, (window){width, 0}, "NO_COLOR=1 LANG=C.UTF-8", command);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        fail_msg("%s is not there; carom %s shows\n%s", path, command, shown);
    }
    char page[1 << 14];
    page[fread(page, 1, sizeof page - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(shown, page);
    free(shown);
}

/* By Moreau's law three equal balls have (1 - 2e)/3 and twice (1 + e)/3: -1/5 and 3/5 for e = 4/5,
 * a third each for e = 0; energies 19/50 and 1/6 of 1/2.
 */
static const char THREE[] = "title: Three balls\n"
                            "laws: [moreau, {law: moreau, label: plastic, restitution: 0}]\n"
                            "chain: {count: 3, velocity: [1], restitution: 0.8}\n";
#define PARTS " --show velocity,energy,loss,impulse,checks"

static void pages_are_as_they_were(void **state)
{
    fixture *f = *state;
    put_file(f, "three.yaml", THREE);
    for (unsigned short width = 80; width <= 120; width = (unsigned short)(width + 40)) {
        expect_page(f, width, "solve three.yaml" PARTS, "solve");
        expect_page(f, width, "check three.yaml", "check");
        expect_page(f, width, "laws moreau", "laws_moreau");
        expect_page(f, width, "fields history", "fields_history");
    }
}

/* ---- Height --------------------------------------------------------------------------------- */

static void what_does_not_fit_is_summed_up(void **state)
{
    fixture *f = *state;
    put_file(f, "three.yaml", THREE);
    char *whole = show_in(f, (window){80, 60}, "NO_COLOR=1", "solve three.yaml");
    assert_non_null(strstr(whole, "\nimpulse, N s"));
    assert_null(strstr(whole, "--show all"));
    char *part = show_in(f, (window){80, (unsigned short)count_lines(whole)}, "NO_COLOR=1",
                         "solve three.yaml");
    assert_null(strstr(part, "\nimpulse, N s"));
    assert_non_null(strstr(part, "--show all prints every part"));
    assert_true(count_lines(part) < count_lines(whole));
    char *asked = show_in(f, (window){80, 10}, "NO_COLOR=1", "solve three.yaml --show all");
    assert_string_equal(asked, whole);
    free(whole);
    free(part);
    free(asked);
    assert_int_equal(shell_with(f, CAROM_PROGRAM, "LINES=5 $carom solve three.yaml"), 0);
    assert_non_null(strstr(f->out, "\nimpulse, N s")); /* nobody looks: nothing is left out */
}

/* ---- Waiting -------------------------------------------------------------------------------- */

/* Told to a law that has been at it for so long, with so much of the speed left. */
static void expect_told(crm_run_progress *waiting, double seconds, double left, const char *words)
{
    char text[256];
    const crm_watch_report report = {
        .seconds = seconds, .time = 0.5, .left = left, .working = 100, .steps = 1};
    crm_run_describe_progress(waiting, &report, text, sizeof text);
    assert_string_equal(text, words);
}

/* A chain that loses energy is struck in no time, and evens out in a long one: from 1e-2 to 1e-3 in
 * 10 s leaves 10 s to 1e-4 and 50 s to 1e-8.
 */
static void it_is_told_what_is_waited_for(void **state)
{
    (void)state;
    crm_run_progress lossy = {.unit = "s", .loses = true, .tolerance = 1e-8};
    expect_told(&lossy, 1, 0.5,
                "t = 0.5 s, 100 active contacts, closing at up to 0.5 of the initial speed");
    expect_told(&lossy, 2, 1e-2, "100 contacts settle, 0.01 of the speed left");
    expect_told(&lossy, 12, 1e-3,
                "100 contacts settle, 0.001 of the speed left; about 50 s to 1e-08, 10 s to "
                "1e-04");
    expect_told(&lossy, 32, 1e-5,
                "100 contacts settle, 1e-05 of the speed left; about 30 s to 1e-08");
    crm_run_progress elastic = {.unit = "K=1", .tolerance = 1e-8};
    expect_told(&elastic, 12, 1e-3,
                "t = 0.5, 100 active contacts, closing at up to 0.001 of the initial speed");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(colour_and_bars_are_shown),
        TEST(colour_can_be_declined),
        TEST(files_and_pipes_have_neither),
        TEST(the_table_is_as_wide_as_the_terminal),
        TEST(everything_told_keeps_to_the_width),
        TEST(every_table_keeps_to_the_width),
        TEST(pages_are_as_they_were),
        TEST(what_does_not_fit_is_summed_up),
        cmocka_unit_test(it_is_told_what_is_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
