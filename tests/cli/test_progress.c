/* How far long work has come, where standard error is no terminal: a line every ten seconds. On a
 * terminal: test_terminal.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/terminal/progress.h"

static double seconds;

static double clock_of_test(void)
{
    return seconds;
}

static void begin(crm_progress *progress, size_t count, bool quiet)
{
    crm_progress_begin(progress, "points", count, quiet);
    progress->now = clock_of_test;
    progress->start = progress->shown = seconds = 1000;
}

/* What `work` writes to standard error. */
static void hear(void (*work)(crm_progress *), size_t count, bool quiet, char *text, size_t size)
{
    FILE *file = tmpfile();
    int kept = dup(STDERR_FILENO);
    crm_progress progress;
    assert_true(file != NULL && kept >= 0);
    fflush(stderr);
    assert_true(dup2(fileno(file), STDERR_FILENO) >= 0);
    begin(&progress, count, quiet);
    work(&progress);
    crm_progress_end(&progress);
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
    rewind(file);
    text[fread(text, 1, size - 1, file)] = '\0';
    fclose(file);
}

/* A hundred points, one every half second. */
static void go_through_points(crm_progress *progress)
{
    for (size_t k = 1; k <= 100; k++) {
        seconds += 0.5;
        crm_progress_show(progress, k);
    }
}

static void points_are_told_every_ten_seconds(void **state)
{
    (void)state;
    char text[1024];
    hear(go_through_points, 100, false, text, sizeof text);
    assert_string_equal(text, "carom: 20 of 100 points, 40 s left\n"
                              "carom: 40 of 100 points, 30 s left\n"
                              "carom: 60 of 100 points, 20 s left\n"
                              "carom: 80 of 100 points, 10 s left\n"
                              "carom: 100 of 100 points, 0 s left\n");
}

static void search_for_25_seconds(crm_progress *progress)
{
    for (int k = 1; k <= 250; k++) {
        char text[32];
        seconds += 0.1;
        snprintf(text, sizeof text, "%d solves", k);
        crm_progress_show_text(progress, "running", text);
    }
}

static void searches_are_told_every_ten_seconds(void **state)
{
    (void)state;
    char text[1024];
    int first = 0, second = 0, end = 0;
    hear(search_for_25_seconds, 0, false, text, sizeof text);
    assert_int_equal(sscanf(text,
                            "carom: running, 10 s: %d solves\ncarom: running, 20 s: %d solves\n%n",
                            &first, &second, &end),
                     2);
    assert_in_range(first, 100, 101); /* a tenth is no binary number */
    assert_in_range(second, 200, 202);
    assert_int_equal(end, strlen(text));
}

static void little_is_not_told(crm_progress *progress)
{
    seconds += 9.9;
    crm_progress_show(progress, 50);
}

static void nothing_is_said_of_short_work_or_when_quiet(void **state)
{
    (void)state;
    char text[1024];
    hear(little_is_not_told, 100, false, text, sizeof text);
    assert_string_equal(text, "");
    hear(go_through_points, 100, true, text, sizeof text);
    assert_string_equal(text, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_told_every_ten_seconds),
        cmocka_unit_test(searches_are_told_every_ten_seconds),
        cmocka_unit_test(nothing_is_said_of_short_work_or_when_quiet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
