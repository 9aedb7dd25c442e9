/* Histories as HDF5, read back by the HDF5 library itself and set beside the CSV of the same run.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "program.h"

#ifdef CAROM_HAVE_HDF5
#include <hdf5.h>

/* ---- Reading -------------------------------------------------------------------------------- */

typedef struct table {
    size_t rows, width;
    double *cells;
} table;

static table read_set(hid_t file, const char *law, const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", law, name);
    hid_t set = H5Dopen2(file, path, H5P_DEFAULT);
    assert_true(set >= 0);
    hid_t space = H5Dget_space(set);
    hsize_t size[2] = {0, 1};
    int rank = H5Sget_simple_extent_ndims(space);
    assert_in_range(rank, 1, 2);
    H5Sget_simple_extent_dims(space, size, NULL);
    table t = {size[0], size[1], calloc(size[0] * size[1] + 1, sizeof(double))};
    assert_non_null(t.cells);
    assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, t.cells) >= 0);
    H5Sclose(space);
    H5Dclose(set);
    return t;
}

static size_t count_rows(hid_t file, const char *law)
{
    table t = read_set(file, law, "time");
    free(t.cells);
    return t.rows;
}

static hid_t open_file(const fixture *f, const char *name)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    hid_t file = H5Fopen(in_folder(f, name), H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    return file;
}

static void assert_text(hid_t file, const char *object, const char *name, const char *expected)
{
    char text[128] = "";
    hid_t attribute = H5Aopen_by_name(file, object, name, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(attribute >= 0);
    hid_t type = H5Aget_type(attribute);
    assert_true(H5Tget_size(type) < sizeof text);
    assert_true(H5Aread(attribute, type, text) >= 0);
    assert_string_equal(text, expected);
    H5Tclose(type);
    H5Aclose(attribute);
}

/* ---- Beside the CSV ------------------------------------------------------------------------- */

/* Datasets in the order of the columns after the law. */
static const struct {
    const char *name;
    const char *heading; /* of its first column */
} columns[] = {
    {"time", "time"},
    {"primary", "primary"},
    {"primary_impulse", "primary_impulse"},
    {"velocity", "v[ball 1] (m/s)"},
    {"force", "force[ball 1 - ball 2] (K=1)"},
    {"stored_energy", "energy[ball 1 - ball 2] (J)"},
    {"closing_speed", "closing_speed[ball 1 - ball 2] (m/s)"},
    {"impulse", "impulse[ball 1 - ball 2] (N s)"},
};

enum { SETS = sizeof columns / sizeof columns[0] };

/* 17 digits give back the very number; a zero has no sign in the CSV. */
static const char *compare_cell(const char *at, double value)
{
    char *end;
    assert_int_equal(*at, ',');
    double printed = strtod(at + 1, &end);
    if (!(end == at + 1 ? value == 0 || isnan(value) /* no primary contact */ : printed == value)) {
        fail_msg("%.17g is %.20s in the CSV", value, at + 1);
    }
    return end;
}

/* The rows of a law from *line on, which moves on over them. */
static void compare_law(hid_t file, const char *group, const char *label, const char **line)
{
    table sets[SETS];
    for (size_t i = 0; i < SETS; i++) {
        sets[i] = read_set(file, group, columns[i].name);
        assert_int_equal(sets[i].rows, sets[0].rows);
    }
    for (size_t row = 0; row < sets[0].rows; row++) {
        const char *at = *line + strlen(label);
        assert_int_equal(strncmp(*line, label, strlen(label)), 0);
        for (size_t i = 0; i < SETS; i++) {
            for (size_t k = 0; k < sets[i].width; k++) {
                at = compare_cell(at, sets[i].cells[row * sets[i].width + k]);
            }
        }
        assert_int_equal(*at, '\n');
        *line = at + 1;
    }
    for (size_t i = 0; i < SETS; i++) {
        free(sets[i].cells);
    }
}

static char *history_as_csv(fixture *f, const char *scenario)
{
    char command[256];
    snprintf(command, sizeof command, "solve -q %s --history h.csv", scenario);
    assert_int_equal(run_carom(f, command), 0);
    snprintf(command, sizeof command, "solve -q %s --history h.h5", scenario);
    assert_int_equal(run_carom(f, command), 0);
    char *text = get_file(f, "h.csv");
    assert_non_null(text);
    return text;
}

/* Laws with and without a history, a label that is no name, damping and both stiffness models. */
static void every_law_has_the_numbers_of_the_csv(void **state)
{
    fixture *f = *state;
    put_file(f, "c.yaml",
             "title: three balls\n"
             "laws: [lzb, moreau, {law: lzb, label: a/b, stiffness_model: mono}, compliant]\n"
             "chain: {count: 3, velocity: [1], restitution: 0.85}\n");
    char *text = history_as_csv(f, "c.yaml");
    for (size_t i = 0; i < SETS; i++) {
        ASSERT_SAYS(text, columns[i].heading);
    }
    hid_t file = open_file(f, "h.h5");
    const char *line = strchr(text, '\n') + 1;
    compare_law(file, "lzb", "lzb", &line);
    compare_law(file, "moreau", "moreau", &line);
    compare_law(file, "a|b", "a/b", &line);
    compare_law(file, "compliant", "compliant", &line);
    assert_string_equal(line, "");
    assert_true(count_rows(file, "lzb") > 2 && count_rows(file, "compliant") > 2);
    assert_int_equal(count_rows(file, "moreau"), 0);
    assert_text(file, "/", "title", "three balls");
    assert_text(file, "a|b", "label", "a/b");
    assert_text(file, "lzb/force", "unit", "K=1"); /* none is given: no newtons */
    assert_text(file, "lzb/force", "columns", "ball 1 - ball 2\nball 2 - ball 3");
    assert_text(file, "lzb/velocity", "columns", "ball 1\nball 2\nball 3");
    assert_text(file, "moreau/impulse", "unit", "N s");
    H5Fclose(file);
    free(text);
}

/* A block has at most 8192 rows, and a chunk of that many rows at most 16 columns. */
static void a_history_of_several_blocks_has_the_numbers_of_the_csv(void **state)
{
    fixture *f = *state;
    put_file(f, "c.yaml",
             "laws: [lzb, {law: lzb, label: second}]\n"
             "history: {interval: 0.008}\n"
             "chain: {count: 20, velocity: [1], restitution: 0.96}\n");
    char *text = history_as_csv(f, "c.yaml");
    hid_t file = open_file(f, "h.h5");
    const char *line = strchr(text, '\n') + 1;
    assert_true(count_rows(file, "lzb") > 8192);
    compare_law(file, "lzb", "lzb", &line);
    compare_law(file, "second", "second", &line);
    assert_string_equal(line, "");
    H5Fclose(file);
    free(text);
}

/* Rows so long that they are written from where they are, each in many chunks: of balls of mass 1,
 * every one has what its contacts gave it.
 */
static void long_rows_are_those_of_the_model(void **state)
{
    enum { BALLS = 270000 };
    fixture *f = *state;
    put_file(f, "c.yaml",
             "laws: [{law: lzb, max_steps: 3}]\nchain: {count: 270000, velocity: [1]}\n");
    assert_int_equal(run_carom(f, "solve -q c.yaml -f csv -o x.csv --history h.h5"), 4);
    hid_t file = open_file(f, "h.h5");
    table v = read_set(file, "lzb", "velocity"), p = read_set(file, "lzb", "impulse");
    assert_int_equal(v.rows, 4);
    assert_int_equal(p.rows, 4);
    assert_int_equal(v.width, BALLS);
    assert_int_equal(p.width, BALLS - 1);
    for (size_t row = 0; row < v.rows; row++) {
        const double *given = p.cells + row * p.width;
        assert_true(row == 0 ? given[0] == 0 : given[0] > 0);
        for (size_t i = 0; i < BALLS; i++) {
            double left = i > 0 ? given[i - 1] : 1, right = i + 1 < BALLS ? given[i] : 0;
            assert_true(fabs(v.cells[row * BALLS + i] - (left - right)) <= 1e-15);
        }
    }
    free(v.cells);
    free(p.cells);
    H5Fclose(file);
}

/* The coordinates of a `system` may be anything: no unit is right for all. */
static void a_system_has_no_units(void **state)
{
    fixture *f = *state;
    put_file(f, "c.yaml", "system: {mass: [1, 1], velocity: [1, 0], contacts: [{w: [-1, 1]}]}\n");
    assert_int_equal(run_carom(f, "solve -q c.yaml --history h.h5"), 0);
    hid_t file = open_file(f, "h.h5");
    assert_int_equal(H5Aexists_by_name(file, "lzb/force", "unit", H5P_DEFAULT), 0);
    assert_int_equal(H5Aexists_by_name(file, "lzb/force", "about", H5P_DEFAULT), 1);
    H5Fclose(file);
}

static void laws_keep_their_order_and_bytes_do_not_depend_on_the_time(void **state)
{
    fixture *f = *state;
    put_file(f, "c.yaml",
             "laws: [moreau, lzb, {law: lzb, label: .}, {law: lzb, label: b/a},"
             " {law: lzb, label: b|a}]\nchain: {count: 3, velocity: [1]}\n");
    assert_int_equal(run_carom(f, "solve -q c.yaml --history a.h5"), 0);
    assert_int_equal(shell_with(f, CAROM_PROGRAM,
                                "sleep 1.1; $carom solve -q -j 4 c.yaml --history b.HDF5 && "
                                "cmp a.h5 b.HDF5"),
                     0);
    hid_t file = open_file(f, "a.h5");
    static const char *const names[] = {"moreau", "lzb", "_", "b|a", "b|a_"};
    for (hsize_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char name[32];
        assert_true(H5Lget_name_by_idx(file, ".", H5_INDEX_CRT_ORDER, H5_ITER_INC, i, name,
                                       sizeof name, H5P_DEFAULT) > 0);
        assert_string_equal(name, names[i]);
    }
    H5Fclose(file);
}

/* ---- Whole or not at all -------------------------------------------------------------------- */

static void assert_old(const fixture *f, const char *name)
{
    char *text = get_file(f, name);
    assert_non_null(text);
    assert_string_equal(text, "old");
    free(text);
}

/* The first block, the second law, the end: wherever it happens, HDF5 included. */
static void a_full_disk_leaves_the_old_file(void **state)
{
    fixture *f = *state;
    put_file(f, "c.yaml",
             "laws: [lzb, {law: lzb, label: second}]\nchain: {count: 60, velocity: [1]}\n");
    put_file(f, "x.h5", "old");
    assert_int_equal(run_carom(f, "solve -q c.yaml --history y.h5"), 0);
    hid_t file = open_file(f, "y.h5");
    hsize_t size = 0;
    H5Fget_filesize(file, &size);
    H5Fclose(file);
    for (unsigned part = 0; part <= 7; part++) { /* of the size, in blocks of 512 bytes */
        char command[256];
        snprintf(command, sizeof command,
                 "exec 2>&1; ulimit -f %u; $carom solve -q c.yaml --history x.h5 | cat; "
                 "ls -A | grep 'x.h5.' && exit 1; exit 0",
                 (unsigned)(size / 512 * part / 8 + 1));
        assert_int_equal(shell_with(f, CAROM_PROGRAM, command), 0);
        ASSERT_SAYS(f->out, "x.h5 could not be written: File too large");
        assert_old(f, "x.h5");
    }
    assert_int_equal(run_carom(f, "solve -q c.yaml --history no/such/folder/x.h5"), 5);
    assert_int_equal(
        shell_with(f, CAROM_PROGRAM, "ulimit -f 8; $carom solve -q c.yaml --history x.h5"), 5);
    assert_old(f, "x.h5");
}

/* A scheme with absurdly small steps never ends by itself. */
static const char ENDLESS[] =
    "laws: [{law: lzb, scheme: time-euler, step: 1e-13, max_steps: 1e14}]\n"
    "chain: {count: 3, velocity: [1]}\n";

static void a_disk_that_gets_full_ends_the_run(void **state)
{
    fixture *f = *state;
    put_file(f, "c.yaml", ENDLESS);
    put_file(f, "x.h5", "old");
    assert_int_equal(shell_with(f, CAROM_PROGRAM,
                                "ulimit -f 400; timeout 100 $carom solve -q c.yaml --history x.h5"),
                     5);
    ASSERT_SAYS(f->err, "x.h5 could not be written: File too large");
    assert_int_equal(shell_with(f, CAROM_PROGRAM, "test $(ls | wc -l) -eq 2"), 0);
    assert_old(f, "x.h5");
}

static void an_interrupted_history_leaves_the_old_file(void **state)
{
    fixture *f = *state;
    put_file(f, "c.yaml", ENDLESS);
    put_file(f, "x.h5", "old");
    assert_int_equal(shell_with(f, CAROM_PROGRAM,
                                "$carom solve c.yaml --history x.h5 & p=$!; "
                                "for i in $(seq 500); do "
                                "s=$(cat .carom-* 2>/dev/null | wc -c); "
                                "[ $s -gt 100000 ] && break; sleep 0.02; done; "
                                "[ $s -gt 100000 ] || { kill $p; exit 1; }; kill -INT $p; wait $p"),
                     130);
    assert_int_equal(shell_with(f, CAROM_PROGRAM, "test $(ls | wc -l) -eq 2"), 0);
    assert_old(f, "x.h5");
}

static void a_device_is_refused(void **state)
{
    fixture *f = *state;
    put_file(f, "c.yaml", "chain: {count: 3, velocity: [1]}\n");
    assert_int_equal(
        shell_with(f, CAROM_PROGRAM, "ln -s /dev/null x.h5; $carom solve c.yaml --history x.h5"),
        5);
    ASSERT_SAYS(f->err, "not a device or a pipe");
}

/* ---- Memory --------------------------------------------------------------------------------- */

/* Largest resident size so far of any child, in kB. */
static long largest_child(void)
{
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_CHILDREN, &usage), 0);
    return usage.ru_maxrss;
}

/* How much more the second of two histories takes. */
static long growth(fixture *f, const char *name, double first, double second)
{
    char command[128];
    long size[2];
    const double intervals[] = {first, second};
    for (size_t i = 0; i < 2; i++) {
        snprintf(command, sizeof command, "solve -q c.yaml --set history.interval=%g --history %s",
                 intervals[i], name);
        assert_int_equal(run_carom(f, command), 0);
        size[i] = largest_child();
    }
    return size[1] - size[0];
}

/* CSV: 0.6 and 15 MB. HDF5: one whose blocks of rows are full and one of three times as many rows,
 * 160 MB before they are packed; what it keeps of where things are may take a little more.
 */
static void memory_does_not_grow_with_the_history(void **state)
{
    enum { ROOM = 8 << 10 }; /* kB */
    fixture *f = *state;
    if (getenv("CAROM_TEST_QUICK") != NULL) {
        skip(); /* a sanitizer's memory is its own */
    }
    put_file(f, "c.yaml", "history: {interval: 1}\nchain: {count: 1000, velocity: [1]}\n");
    assert_in_range(growth(f, "h.csv", 100, 4), 0, ROOM);
    assert_in_range(growth(f, "h.h5", 1, 0.3), 0, ROOM);
    hid_t file = open_file(f, "h.h5");
    assert_true((double)count_rows(file, "lzb") * 5 * 999 * sizeof(double) > 150e6);
    H5Fclose(file);
}

#else

static void without_hdf5_the_program_says_so(void **state)
{
    fixture *f = *state;
    print_message("skipped: no HDF5\n");
    put_file(f, "c.yaml", "chain: {count: 3, velocity: [1]}\n");
    assert_int_equal(run_carom(f, "solve c.yaml --history x.h5"), 2);
    ASSERT_SAYS(f->err, "this carom has no HDF5");
    assert_false(is_there(f, "x.h5"));
}

#endif

/* A copy of the program without its modules: what to install is said, and nothing is computed. */
static void a_program_without_its_module_says_what_to_install(void **state)
{
    fixture *f = *state;
    put_file(f, "c.yaml", "chain: {count: 3, velocity: [1]}\n");
    assert_int_equal(
        shell_with(f, CAROM_PROGRAM,
                   "mkdir -p a/b; cp $carom a/b/; a/b/carom solve c.yaml --history x.h5"),
        2);
    ASSERT_SAYS(f->err, "x.h5: this carom has no HDF5");
    ASSERT_SAYS(f->err, "write a .csv file, or install libhdf5-dev and build again");
    assert_string_equal(f->out, "");
    assert_false(is_there(f, "x.h5"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
#ifdef CAROM_HAVE_HDF5
        TEST(memory_does_not_grow_with_the_history),
        TEST(every_law_has_the_numbers_of_the_csv),
        TEST(a_history_of_several_blocks_has_the_numbers_of_the_csv),
        TEST(long_rows_are_those_of_the_model),
        TEST(a_system_has_no_units),
        TEST(laws_keep_their_order_and_bytes_do_not_depend_on_the_time),
        TEST(a_full_disk_leaves_the_old_file),
        TEST(a_disk_that_gets_full_ends_the_run),
        TEST(an_interrupted_history_leaves_the_old_file),
        TEST(a_device_is_refused),
#else
        TEST(without_hdf5_the_program_says_so),
#endif
        TEST(a_program_without_its_module_says_what_to_install),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
