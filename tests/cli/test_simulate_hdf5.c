/* The files of carom simulate as HDF5: they have what the tables have, and are gone on with. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "flight.h"

#ifdef CAROM_HAVE_HDF5
#include <hdf5.h>

/* All numbers of a set; how many rows. */
static size_t read_set(hid_t file, const char *path, double *values, size_t most)
{
    hid_t set = H5Dopen2(file, path, H5P_DEFAULT);
    assert_true(set >= 0);
    hid_t space = H5Dget_space(set);
    hsize_t size[2] = {0, 1};
    H5Sget_simple_extent_dims(space, size, NULL);
    assert_true(size[0] * size[1] <= most);
    assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Sclose(space);
    H5Dclose(set);
    return (size_t)size[0];
}

static void read_text(hid_t file, const char *object, const char *name, char text[2048])
{
    hid_t attribute = H5Aopen_by_name(file, object, name, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(attribute >= 0);
    hid_t type = H5Aget_type(attribute);
    assert_true(H5Tget_size(type) < 2048);
    memset(text, 0, 2048);
    assert_true(H5Aread(attribute, type, text) >= 0);
    H5Tclose(type);
    H5Aclose(attribute);
}

static void hdf5_has_what_the_table_has(void **state)
{
    fixture *f = *state;
    double time[64], position[64 * 6], velocity[64 * 6];
    put_file(f, "s.yaml", FLIGHT);
    must(f, "s.yaml --set title=Three --history h.csv -o out");
    must(f, "s.yaml --set title=Three --history h.h5 -o out");
    hid_t file = H5Fopen(in_folder(f, "h.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    assert_int_equal(read_set(file, "states/time", time, 64), 41);
    assert_int_equal(read_set(file, "states/position", position, 64 * 6), 41);
    assert_int_equal(read_set(file, "states/velocity", velocity, 64 * 6), 41);
    char *rows = get_file(f, "h.csv"), *row = rows;
    for (size_t k = 0; k < 41; k++) {
        row = strchr(row, '\n');
        assert_true(strtod(row + 1, &row) == time[k]);
        for (size_t i = 0; i < 6; i++) {
            assert_true(strtod(row + 1, &row) == position[6 * k + i]);
        }
        for (size_t i = 0; i < 6; i++) {
            assert_true(strtod(row + 1, &row) == velocity[6 * k + i]);
        }
    }
    free(rows);
    char text[2048];
    read_text(file, ".", "scenario", text);
    assert_string_equal(text, FLIGHT);
    read_text(file, ".", "set", text);
    assert_string_equal(text, "title=Three");
    read_text(file, "states/velocity", "columns", text);
    assert_string_equal(text, "a vx\na vy\nb vx\nb vy\nc vx\nc vy");
    H5Fclose(file);

    double some[64 * 2];
    must(f, "s.yaml --set history.of=b --history h.h5 -o out");
    file = H5Fopen(in_folder(f, "h.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_int_equal(read_set(file, "states/position", some, 64 * 2), 41);
    for (size_t k = 0; k < 41; k++) {
        assert_true(some[2 * k] == position[6 * k + 2] && some[2 * k + 1] == position[6 * k + 3]);
    }
    read_text(file, "states/position", "columns", text);
    assert_string_equal(text, "b x\nb y");
    H5Fclose(file);
}

static void impacts_as_hdf5_are_those_of_the_table(void **state)
{
    enum { MOST = 1000 };
    fixture *f = *state;
    double number[MOST], lost[MOST];
    put_file(f, "s.yaml", FLIGHT);
    must(f, "s.yaml --impacts i.csv -o out");
    must(f, "s.yaml --impacts i.h5 -o out");
    hid_t file = H5Fopen(in_folder(f, "i.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
    size_t contacts = read_set(file, "impacts/impact", number, MOST);
    assert_int_equal(read_set(file, "impacts/lost", lost, MOST), contacts);
    char unit[2048];
    read_text(file, "impacts/peak_force", "unit", unit);
    assert_string_equal(unit, "K=1"); /* no stiffness is given */
    H5Fclose(file);
    must(f, "s.yaml --set contacts.stiffness=1e6 --impacts k.h5 -o out");
    file = H5Fopen(in_folder(f, "k.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
    read_text(file, "impacts/peak_force", "unit", unit);
    assert_string_equal(unit, "N");
    H5Fclose(file);
    char *rows = get_file(f, "i.csv"), *row = rows;
    size_t impacts = count(rows, "\n") - 1;
    assert_int_equal(number[contacts - 1], impacts);
    double sum = 0, expected = 0;
    for (size_t k = 0; k < contacts; k++) {
        sum += lost[k];
    }
    for (size_t k = 0; k < impacts; k++) {
        row = strchr(row, '\n') + 1;
        const char *cell = row;
        for (int c = 0; c < 4; c++) {
            cell = strchr(cell, ',') + 1;
        }
        expected += strtod(cell, NULL);
    }
    assert_true(fabs(sum - expected) < 1e-12);
    free(rows);
}

/* The numbers of a run in one go and of one in two are the same. */
static void compare_sets(const fixture *f, const char *first, const char *second, const char *set)
{
    enum { MOST = 1000 };
    double a[MOST], b[MOST];
    hid_t file = H5Fopen(in_folder(f, first), H5F_ACC_RDONLY, H5P_DEFAULT);
    size_t rows = read_set(file, set, a, MOST);
    H5Fclose(file);
    file = H5Fopen(in_folder(f, second), H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_int_equal(read_set(file, set, b, MOST), rows);
    H5Fclose(file);
    assert_memory_equal(a, b, rows * sizeof *a);
}

static void hdf5_is_gone_on_with(void **state)
{
    static const char *const part = "s.yaml --set simulate.duration=1 --checkpoint c "
                                    "--history p.h5 --impacts pi.h5 -o out";
    fixture *f = *state;
    put_file(f, "s.yaml", FLIGHT);
    must(f, "s.yaml --history w.h5 --impacts wi.h5 -o out");
    must(f, part);
    must(f, "s.yaml --resume c --history p.h5 --impacts pi.h5 -o out");
    compare_sets(f, "w.h5", "p.h5", "states/time");
    compare_sets(f, "w.h5", "p.h5", "states/position");
    compare_sets(f, "wi.h5", "pi.h5", "impacts/impact");
    compare_sets(f, "wi.h5", "pi.h5", "impacts/impulse");
    must(f, "s.yaml --resume c --history p.h5 -o out"); /* cut, and written again */
    compare_sets(f, "w.h5", "p.h5", "states/velocity");
    must(f, "s.yaml --resume c --history new.h5 -o out");
    must(f, "s.yaml --set simulate.output_every=0.01 --history other.h5 -o out");
    assert_int_equal(run(f, "s.yaml --resume c --history other.h5 -o out"), 2);
    ASSERT_SAYS(f->err, "other.h5 does not match the checkpoint");
    assert_int_equal(run(f, "s.yaml --resume c --impacts p.h5 -o out"), 2);
    put_file(f, "text.h5", "no HDF5");
    assert_int_equal(run(f, "s.yaml --resume c --history text.h5 -o out"), 2);
    char *text = get_file(f, "text.h5");
    assert_string_equal(text, "no HDF5");
    free(text);
}
#else
static void without_hdf5_the_program_says_so(void **state)
{
    fixture *f = *state;
    put_file(f, "s.yaml", FLIGHT);
    assert_int_equal(run(f, "s.yaml --history h.h5 -o out"), 2);
    ASSERT_SAYS(f->err, "this carom has no HDF5");
    assert_false(is_there(f, "h.h5"));
}
#endif

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef CAROM_HAVE_HDF5
        TEST(hdf5_has_what_the_table_has),
        TEST(impacts_as_hdf5_are_those_of_the_table),
        TEST(hdf5_is_gone_on_with),
#else
        TEST(without_hdf5_the_program_says_so),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
