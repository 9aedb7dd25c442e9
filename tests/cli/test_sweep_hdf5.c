/* Tables as HDF5, read back by the HDF5 library itself. */
#define _XOPEN_SOURCE 700 /* mkdtemp */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static const char SCENARIO[] = "laws: [moreau, {law: binary}]\n"
                               "chain: {count: 2, velocity: [1]}\n"
                               "materials: {steel: {young: 1, poisson: 0.3}}\n"
                               "sweep:\n"
                               "  grid:\n"
                               "    chain.restitution: [0.5, 1, 1.5]\n"
                               "    laws[2].order: [left-to-right, fastest]\n"
                               "  record: [energy_ratio, max(peak_force)]\n";

static int shell(const char *folder, const char *text)
{
    char command[1024];
    snprintf(command, sizeof command, "cd %s && carom='%s' && ( %s )", folder, CAROM_PROGRAM, text);
    int status = system(command);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void make_scenario(char *folder)
{
    char path[128];
    strcpy(folder, "/tmp/carom-hdf5-XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/s.yaml", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(SCENARIO, file);
    assert_int_equal(fclose(file), 0);
}

static void remove_folder(const char *folder)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    assert_int_equal(system(command), 0);
}

#ifdef CAROM_HAVE_HDF5
#include <hdf5.h>

enum { ROWS = 12, WIDTH = 128 };

static void read_numbers(hid_t file, const char *name, double *values)
{
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    assert_true(set >= 0);
    hid_t space = H5Dget_space(set);
    assert_int_equal(H5Sget_simple_extent_npoints(space), ROWS);
    assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Sclose(space);
    H5Dclose(set);
}

static void read_texts(hid_t file, const char *name, char texts[][WIDTH])
{
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT), type = H5Tcopy(H5T_C_S1);
    assert_true(set >= 0);
    H5Tset_size(type, WIDTH);
    H5Tset_cset(type, H5T_CSET_UTF8);
    assert_true(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts) >= 0);
    H5Tclose(type);
    H5Dclose(set);
}

static void check_scenario(hid_t file)
{
    char text[sizeof SCENARIO + 1] = "";
    hid_t attribute = H5Aopen(file, "scenario", H5P_DEFAULT);
    assert_true(attribute >= 0);
    hid_t type = H5Aget_type(attribute);
    assert_int_equal(H5Tget_size(type), strlen(SCENARIO));
    assert_true(H5Aread(attribute, type, text) >= 0);
    assert_string_equal(text, SCENARIO);
    H5Tclose(type);
    H5Aclose(attribute);
}

/* Two balls: e = 1/2 keeps 5/8 of the energy, e = 1 all of it, e = 3/2 is refused. */
static void file_has_the_table_and_the_scenario(void **state)
{
    (void)state;
    char folder[64], path[128];
    make_scenario(folder);
    assert_int_equal(shell(folder, "$carom sweep s.yaml -q -o x.h5"), 4);
    snprintf(path, sizeof path, "%s/x.h5", folder);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    double point[ROWS], e[ROWS], ratio[ROWS], force[ROWS];
    char law[ROWS][WIDTH], status[ROWS][WIDTH], reason[ROWS][WIDTH], order[ROWS][WIDTH];
    read_numbers(file, "table/point", point);
    read_numbers(file, "table/chain.restitution", e);
    read_numbers(file, "table/energy_ratio", ratio);
    read_numbers(file, "table/max(peak_force)", force);
    read_texts(file, "table/law", law);
    read_texts(file, "table/laws[2].order", order);
    read_texts(file, "table/status", status);
    read_texts(file, "table/reason", reason);
    for (int i = 0; i < ROWS; i++) {
        static const double known[] = {0.625, 1, NAN};
        assert_true(point[i] == i / 2 + 1);
        assert_true(e[i] == 0.5 * (i / 4 + 1));
        assert_true(i < 8 ? fabs(ratio[i] - known[i / 4]) < 1e-15 : isnan(ratio[i]));
        assert_true(isnan(force[i]));
        assert_string_equal(law[i], i % 2 == 0 ? "moreau" : "binary");
        assert_string_equal(order[i], i / 2 % 2 == 0 ? "left-to-right" : "fastest");
        assert_string_equal(status[i], i < 8 ? "solved" : "failed");
        assert_int_equal(reason[i][0] == '\0', i < 8);
    }
    check_scenario(file);
    H5Fclose(file);
    remove_folder(folder);
}

/* A resumed study, another number of jobs, a second later: the same bytes. */
static void file_is_the_same_whenever_and_however_it_is_made(void **state)
{
    (void)state;
    char folder[64];
    make_scenario(folder);
    assert_int_equal(shell(folder, "$carom sweep s.yaml -q -j 1 -o x.h5"), 4);
    /* By another name the journal stays. */
    assert_int_equal(shell(folder, "touch y.h5.part; ln y.h5.part whole; "
                                   "$carom sweep s.yaml -q -o y.h5"),
                     4);
    assert_int_equal(shell(folder, "rm y.h5; sleep 1.1; head -c 900 whole >y.h5.part; "
                                   "$carom sweep s.yaml -q --resume -o y.h5"),
                     4);
    assert_int_equal(shell(folder, "cmp x.h5 y.h5"), 0);
    assert_int_equal(shell(folder, "test ! -e y.h5.part"), 0);
    remove_folder(folder);
}

static void a_full_disk_is_told(void **state)
{
    (void)state;
    char folder[64];
    make_scenario(folder);
    assert_int_equal(shell(folder, "ulimit -f 4; $carom sweep s.yaml -q -o x.h5 2>err"), 5);
    assert_int_equal(shell(folder, "grep -q 'x.h5 could not be written' err"), 0);
    assert_int_equal(shell(folder, "test -e x.h5.part -a ! -e x.h5"), 0);
    assert_int_equal(shell(folder, "$carom sweep s.yaml -q -o x.h5 --resume"), 4);
    remove_folder(folder);
}

#else

static void without_hdf5_the_program_says_so(void **state)
{
    (void)state;
    char folder[64];
    print_message("skipped: no HDF5\n");
    make_scenario(folder);
    assert_int_equal(shell(folder, "$carom sweep s.yaml -q -o x.h5 2>err"), 2);
    assert_int_equal(shell(folder, "grep -q 'this carom has no HDF5' err"), 0);
    remove_folder(folder);
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef CAROM_HAVE_HDF5
        cmocka_unit_test(file_has_the_table_and_the_scenario),
        cmocka_unit_test(file_is_the_same_whenever_and_however_it_is_made),
        cmocka_unit_test(a_full_disk_is_told),
#else
        cmocka_unit_test(without_hdf5_the_program_says_so),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
