/* Every example has a page and a figure, by the command it is made for. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "page_data.h"

/* Examples that take long, made shorter, and one with too little to draw. */
static const struct {
    const char *name, *options;
} changed[] = {
    {"pouring.yaml", "--set simulate.duration=0.05"},
    {"cradle_swings.yaml", "--set simulate.duration=3"},
    {"gas_cooling.yaml", "--set simulate.stop.impacts=20000"},
    {"long_chain.yaml", "--set chain.count=60"},
    {"packing_discs.yaml", "--set packing.columns=6 --set packing.rows=7"},
    {"packing_spheres.yaml", "--law lzb"},
    /* elastic, its only energy is level: one line of two points */
    {"beads_counting_pi.yaml", "--set contacts.restitution=0.99"},
};

static const char *options_of(const char *name)
{
    for (size_t k = 0; k < sizeof changed / sizeof changed[0]; k++) {
        if (strcmp(changed[k].name, name) == 0) {
            return changed[k].options;
        }
    }
    return "";
}

/* By the last of the blocks that it has. */
static const char *command_of(const char *text)
{
    return strstr(text, "\nfit:") != NULL        ? "fit"
           : strstr(text, "\nsweep:") != NULL    ? "sweep"
           : strstr(text, "\nsimulate:") != NULL ? "simulate"
                                                 : "solve";
}

/* ---- The page ------------------------------------------------------------------------------- */

static bool is_whole(const json_t *report, const char *command)
{
    const json_t *of = strcmp(command, "solve") == 0 ? json_object_get(report, "sizes") : report;
    return strcmp(command, "fit") == 0 || json_is_true(json_object_get(of, "whole"));
}

/* What is printed, to the last digit; where the page has a part of the bodies, all that is not a
 * list of them.
 */
static void check_result(fixture *f, const char *command)
{
    static const char *const of_bodies[] = {"bodies", "position", "velocity"};
    json_t *data = page_data(f, "p.html", NULL);
    char *text = get_file(f, "r.json");
    json_t *printed = json_loads(text, 0, NULL);
    assert_non_null(printed);
    bool whole = is_whole(json_object_get(data, "report"), command);
    json_object_del(data, "report");
    json_object_del(data, "histories");
    for (size_t k = 0; !whole && k < 3; k++) {
        json_object_del(data, of_bodies[k]);
        json_object_del(printed, of_bodies[k]);
    }
    assert_true(json_equal(data, printed));
    json_decref(data);
    json_decref(printed);
    free(text);
}

/* As many rows as the table has, points times laws. */
static void check_study(fixture *f)
{
    json_t *data = page_data(f, "p.html", NULL);
    char *text = get_file(f, "r.csv");
    size_t lines = 0;
    for (const char *at = text; *at != '\0'; at++) {
        lines += *at == '\n';
    }
    size_t points = json_array_size(json_object_get(data, "points"));
    assert_true(points > 0);
    assert_int_equal(points * json_array_size(json_object_get(data, "laws")), lines - 1);
    json_decref(data);
    free(text);
}

static void check_page(fixture *f, const char *command)
{
    enum { PAGE_MOST = 5000000 };
    if (strcmp(command, "sweep") == 0) {
        check_study(f);
    } else {
        check_result(f, command);
    }
    char *page = get_file(f, "p.html");
    assert_true(strlen(page) < PAGE_MOST);
    assert_non_null(strstr(page, "</html>\n"));
    free(page);
}

/* ---- The figure ----------------------------------------------------------------------------- */

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at++) {
        count++;
    }
    return count;
}

/* Points of curves and marks. Curves are drawn by a pen of 1 point, which nothing else is, and have
 * an L for each point; what is filled is a mark. The legend has one of these for each curve.
 */
static size_t points_of(const char *figure)
{
    size_t points = count_of(figure, "fill-rule:nonzero");
    for (const char *at = figure; (at = strstr(at, "stroke-width:1;")) != NULL; at++) {
        for (const char *c = at; *c != '\n' && *c != '\0'; c++) {
            points += c[0] == 'L' && c[1] == ' ';
        }
    }
    return points;
}

static void check_figure(fixture *f)
{
    enum { POINTS_LEAST = 6 }; /* two of each of two curves, and two of the legend */
    char *figure = get_file(f, "p.svg");
    assert_non_null(figure);
    assert_true(points_of(figure) >= POINTS_LEAST);
    assert_int_equal(count_of(figure, "nan") + count_of(figure, "inf"), 0);
    assert_int_equal(count_of(figure, "</svg>"), 1);
    free(figure);
}

/* ---- All ------------------------------------------------------------------------------------ */

static bool has_figures(fixture *f)
{
    put_file(f, "c.yaml", "laws: [moreau]\nchain: {count: 2, velocity: [1]}\n");
    int status = shell_with(f, CAROM_PROGRAM, "$carom solve -q c.yaml --plot p.svg");
    bool lacks = status == 2 && strstr(f->err, "cannot draw figures") != NULL;
    assert_true(status == 0 || lacks);
    return status == 0;
}

static void check_example(fixture *f, const char *folder, const char *name, bool figures)
{
    char line[1024], path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char text[8192];
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    const char *command = command_of(text);
    figures = figures && strcmp(command, "fit") != 0;
    snprintf(line, sizeof line, "rm -f p.html p.svg; $carom %s -q '%s' %s --report p.html %s -o %s",
             command, path, options_of(name), figures ? "--plot p.svg" : "",
             strcmp(command, "sweep") == 0 ? "r.csv" : "r.json");
    int status = shell_with(f, CAROM_PROGRAM, line);
    if (status != 0) {
        fail_msg("%s %s: exit status %d, %s", command, name, status, f->err);
    }
    print_message("         %s %s\n", command, name);
    check_page(f, command);
    if (figures) {
        check_figure(f);
    }
}

static void check_folder(fixture *f, const char *folder, size_t least, bool figures)
{
    size_t count = 0;
    DIR *list = opendir(folder);
    assert_non_null(list);
    for (struct dirent *entry; (entry = readdir(list)) != NULL;) {
        const char *dot = strrchr(entry->d_name, '.');
        if (dot != NULL && strcmp(dot, ".yaml") == 0) {
            check_example(f, folder, entry->d_name, figures);
            count++;
        }
    }
    closedir(list);
    assert_true(count >= least);
}

static void every_example_has_a_page_and_a_figure(void **state)
{
    bool figures = has_figures(*state);
    if (!figures) {
        printf("skipped figures: built without Cairo\n");
    }
    check_folder(*state, CAROM_SOURCE_DIR "/examples", 35, figures);
    check_folder(*state, CAROM_SOURCE_DIR "/examples/start", 5, figures);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_example_has_a_page_and_a_figure, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
