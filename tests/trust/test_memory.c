/* Address space that runs out in earnest, by a limit of the system. (Allocations that a test
 * refuses: test_torture.c. There the numerical library still gets its pages, which it asks the
 * system for.)
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "program.h"
#include "support.h"

/* Sanitizers need address space without end, and programs built for coverage wait at their end for
 * the threads of OpenBLAS, which then have no end (src/cli/main.c).
 */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(CAROM_COVERAGE)
enum { LIMITS = 0 };
#else
enum { LIMITS = 1 };
#endif

/* Seconds after which a run that waits is ended; kilobytes that are enough for the program and all
 * it links to, and not for a buffer of OpenBLAS.
 */
enum { SECONDS_MOST = 60, TIGHT = 100000 };

static const double full[] = {2, 0.5, 0, 0.5, 3, 0.25, 0, 0.25, 1};
static const double w[] = {-1, 1, 0};

static crm_status make(const crm_system_def *def)
{
    crm_model *model = NULL;
    crm_error error = {0};
    crm_status status = crm_model_from_system(def, &model, &error);
    crm_model_free(model);
    return status == error.status ? status : CRM_STATUS_COUNT;
}

static crm_status make_full(void)
{
    crm_system_def def = crm_system_def_default();
    def.coordinates = 3;
    def.contacts = 1;
    def.mass_dense = full;
    def.w_dense = w;
    return make(&def);
}

static crm_status make_blocks(void)
{
    static const size_t start[] = {0, 2, 4, 5};
    static const uint32_t row[] = {0, 1, 0, 1, 2};
    static const double value[] = {2, 0.5, 0.5, 3, 1};
    const crm_sparse_view mass = {start, row, value};
    crm_system_def def = crm_system_def_default();
    def.coordinates = 3;
    def.contacts = 1;
    def.mass_sparse = &mass;
    def.w_dense = w;
    return make(&def);
}

static crm_status find_rank(void)
{
    crm_chain_def chain = crm_chain_def_default();
    chain.count = 4;
    crm_model *model = chain_model(&chain);
    size_t rank = 0;
    crm_status status = crm_model_rank(model, &rank, NULL);
    crm_model_free(model);
    return status;
}

static const struct {
    const char *name;
    crm_status (*act)(void);
} deeds[] = {{"full", make_full}, {"blocks", make_blocks}, {"rank", find_rank}};

/* In a process of its own, which has nothing from before: the matrix is all they need. */
static void factorizations_need_no_buffers(void **state)
{
    fixture *f = *state;
    char itself[4096] = "", line[128];
    assert_true(readlink("/proc/self/exe", itself, sizeof itself - 1) > 0);
    for (size_t i = 0; i < sizeof deeds / sizeof deeds[0]; i++) {
        snprintf(line, sizeof line, "$carom %s", deeds[i].name);
        assert_int_equal(shell_with(f, itself, line), CRM_OK);
        snprintf(line, sizeof line, "ulimit -v %d; timeout -s KILL %d $carom %s", TIGHT,
                 SECONDS_MOST, deeds[i].name);
        if (LIMITS) {
            assert_int_equal(shell_with(f, itself, line), CRM_OK);
        }
    }
}

/* The threads of OpenBLAS, which get no buffers, must not keep the program from its end. Below
 * about 60 MB that library ends it before it begins; then it says what it always says, or that
 * there is no memory.
 */
static void the_program_ends(void **state)
{
    fixture *f = *state;
    static const char *const commands[] = {"solve", "check", "laws"};
    put_file(f, "a.yaml",
             "laws: [lzb, moreau]\n"
             "bodies:\n"
             "  - {radius: 0.5, mass: 1, position: [0, 0], velocity: [1, 0]}\n"
             "  - {radius: 0.5, mass: 1, position: [0.8090169943749475, 0.5877852522924731]}\n"
             "  - {radius: 0.5, mass: 1, position: [0.8090169943749475, -0.5877852522924731]}\n"
             "  - {radius: 0.5, mass: 1, position: [1.618033988749895, 0]}\n");
    for (size_t i = 0; LIMITS && i < 3; i++) {
        char line[128];
        int status = 0;
        for (int kilobytes = 50000; kilobytes <= 800000; kilobytes += kilobytes / 3) {
            snprintf(line, sizeof line, "ulimit -v %d; timeout -s KILL %d $carom %s %s", kilobytes,
                     SECONDS_MOST, commands[i], i < 2 ? "a.yaml" : "");
            status = shell_with(f, CAROM_PROGRAM, line);
            bool begun = strstr(f->err, "OpenBLAS") == NULL && strstr(f->err, "loading") == NULL;
            assert_int_not_equal(status, 137);
            if (begun && status != 0) {
                assert_int_equal(status, 6);
                assert_non_null(strstr(f->err, "out of memory"));
            }
        }
        assert_int_equal(status, 0);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(factorizations_need_no_buffers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_program_ends, set_up, tear_down),
    };
    for (size_t i = 0; argc > 1 && i < sizeof deeds / sizeof deeds[0]; i++) {
        if (strcmp(argv[1], deeds[i].name) == 0) {
            _exit((int)deeds[i].act()); /* not by way of OpenBLAS' end */
        }
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
