/* Files of figures, by the program: every format, and what cannot be drawn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "program.h"

static int shell(fixture *f, const char *command)
{
    return shell_with(f, CAROM_PROGRAM, command);
}

static void every_figure_is_written_in_every_format(void **state)
{
    fixture *f = *state;
    static const char *const plots[] = {"velocities", "forces", "wave", "energy"};
    static const char *const files[] = {"p.svg", "p.pdf", "p.png"}, *const heads[] = {"<?xml",
                                                                                      "%PDF-1.",
                                                                                      "\x89PNG"};
    put_file(f, "c.yaml", "laws: [lzb, moreau]\nchain: {count: 5, velocity: [1]}\n");
    put_file(f, "b.yaml",
             "bodies:\n - {radius: 1, mass: 1, position: [0, 0], velocity: [1, 0]}\n"
             " - {shape: rod, length: 4, mass: 1, position: [1, 0], angle: 90 deg}\n");
    for (size_t i = 0; i < 4; i++) {
        for (size_t k = 0; k < 3; k++) {
            char command[128];
            snprintf(command, sizeof command, "$carom solve %s -q --plot-of %s --plot %s",
                     i % 2 == 0 ? "c.yaml" : "b.yaml", plots[i], files[k]);
            int status = shell(f, command);
            if (status == 2 && strstr(f->err, "cannot draw figures") != NULL) {
                printf("skipped: built without Cairo\n");
                return;
            }
            assert_int_equal(status, 0);
            char *file = get_file(f, files[k]);
            assert_non_null(file);
            assert_memory_equal(file, heads[k], strlen(heads[k]));
            free(file);
        }
    }
}

static void a_figure_that_cannot_be_is_reported(void **state)
{
    fixture *f = *state;
    put_file(f, "c.yaml", "laws: [moreau]\nchain: {count: 3, velocity: [1]}\n");
    assert_int_equal(shell(f, "$carom solve c.yaml --plot p.gif"), 2);
    assert_non_null(strstr(f->err, "must be a file that ends in .svg, .pdf or .png"));
    assert_int_equal(shell(f, "$carom solve c.yaml --plot-of waves --plot p.svg"), 2);
    assert_non_null(strstr(f->err, "must be velocities, forces, wave or energy"));
    int status = shell(f, "$carom solve c.yaml --plot-of wave --plot p.svg");
    if (status == 2) {
        printf("skipped: built without Cairo\n");
        return;
    }
    assert_int_equal(status, 4);
    assert_non_null(strstr(f->err, "none of the laws resolves the impact in time"));
    assert_false(is_there(f, "p.svg"));
    assert_int_equal(shell(f, "$carom solve c.yaml --plot no/p.svg"), 5);
}

static void what_a_figure_has_no_room_for_is_reported(void **state)
{
    fixture *f = *state;
    put_file(
        f, "s.yaml",
        "laws: [newton, moreau]\n"
        "chain: {count: 3, velocity: [1]}\n"
        "sweep:\n"
        "  grid: {chain.count: [3, 4, 6, 9, 14], chain.restitution: {from: 0, to: 1, steps: 7}}\n"
        "  record: [energy_ratio]\n");
    assert_int_equal(run_carom(f, "sweep s.yaml -q -o t.csv --plot t.svg"), 0);
    ASSERT_SAYS(f->err, "t.svg shows only 8 of the curves");
    assert_int_equal(run_carom(f, "sweep s.yaml -q -o u.csv --plot u.svg --set "
                                  "'sweep.grid={chain.restitution: [0, 0.5, 1]}'"),
                     0);
    assert_string_equal(f->err, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_figure_is_written_in_every_format, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_figure_that_cannot_be_is_reported, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_a_figure_has_no_room_for_is_reported, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
