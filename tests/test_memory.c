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
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "program.h"
#include "support.h"

/* Sanitizers need address space without end. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { LIMITS = 0 };
#else
enum { LIMITS = 1 };
#endif

enum { PATIENCE = 60, SPARE = 16 << 20 };

/* Bytes of address space that this process has. */
static size_t address_space(void)
{
    size_t pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%zu", &pages) != 1) {
        fail_msg("/proc/self/statm cannot be read");
    }
    fclose(file);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* What `act` returns when the process cannot have more than SPARE beyond what it has. A child, in
 * which the numerical library has no buffer yet; one that waits is ended.
 */
static int without_address_space(crm_status (*act)(const void *input), const void *input)
{
    int result = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        struct rlimit limit;
        limit.rlim_cur = limit.rlim_max = address_space() + SPARE;
        alarm(PATIENCE);
        _exit(setrlimit(RLIMIT_AS, &limit) == 0 ? (int)act(input) : 99);
    }
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_true(WIFEXITED(result));
    return WEXITSTATUS(result);
}

static crm_status make(const void *input)
{
    crm_model *model = NULL;
    crm_status status = crm_model_from_system(input, &model, NULL);
    crm_model_free(model);
    return status;
}

static crm_status find_rank(const void *input)
{
    size_t rank = 0;
    return crm_model_rank(input, &rank, NULL);
}

static const double full[] = {2, 0.5, 0, 0.5, 3, 0.25, 0, 0.25, 1};
static const double w[] = {-1, 1, 0};

static void a_full_mass_is_out_of_memory(void **state)
{
    (void)state;
    crm_system_def def = crm_system_def_default();
    def.coordinates = 3;
    def.contacts = 1;
    def.mass_dense = full;
    def.w_dense = w;
    if (LIMITS) {
        assert_int_equal(without_address_space(make, &def), CRM_ERROR_MEMORY);
    }
    assert_int_equal(make(&def), CRM_OK);
}

static void a_mass_in_blocks_is_out_of_memory(void **state)
{
    (void)state;
    static const size_t start[] = {0, 2, 4, 5};
    static const uint32_t row[] = {0, 1, 0, 1, 2};
    static const double value[] = {2, 0.5, 0.5, 3, 1};
    const crm_sparse_view mass = {start, row, value};
    crm_system_def def = crm_system_def_default();
    def.coordinates = 3;
    def.contacts = 1;
    def.mass_sparse = &mass;
    def.w_dense = w;
    if (LIMITS) {
        assert_int_equal(without_address_space(make, &def), CRM_ERROR_MEMORY);
    }
    assert_int_equal(make(&def), CRM_OK);
}

static void a_rank_is_out_of_memory(void **state)
{
    (void)state;
    crm_chain_def chain = crm_chain_def_default();
    chain.count = 4;
    crm_model *model = chain_model(&chain);
    if (LIMITS) {
        assert_int_equal(without_address_space(find_rank, model), CRM_ERROR_MEMORY);
    }
    assert_int_equal(find_rank(model), CRM_OK);
    crm_model_free(model);
}

/* The threads of the numerical library, which get no buffers, must not keep the program from its
 * end. From about 64 MB on, below which that library ends the program before it begins, it says
 * what it always says or that there is no memory.
 */
static void the_program_ends(void **state)
{
    fixture *f = *state;
    static const char *const commands[] = {"solve", "check"};
    put_file(f, "a.yaml", "laws: [lzb, moreau]\nchain: {count: 4, velocity: [1]}\n");
    for (size_t i = 0; LIMITS && i < 2; i++) {
        char line[128];
        bool done = false;
        for (int kilobytes = 50000; kilobytes <= 800000; kilobytes += kilobytes / 3) {
            snprintf(line, sizeof line, "ulimit -v %d; timeout -s KILL %d $carom %s a.yaml",
                     kilobytes, PATIENCE, commands[i]);
            int status = shell_with(f, CAROM_PROGRAM, line);
            bool begun = strstr(f->err, "OpenBLAS") == NULL && strstr(f->err, "loading") == NULL;
            if (begun && status != 0) {
                assert_int_equal(status, 6);
                assert_non_null(strstr(f->err, "out of memory"));
            }
            assert_int_not_equal(status, 137);
            done = status == 0;
        }
        assert_true(done);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_mass_is_out_of_memory),
        cmocka_unit_test(a_mass_in_blocks_is_out_of_memory),
        cmocka_unit_test(a_rank_is_out_of_memory),
        cmocka_unit_test_setup_teardown(the_program_ends, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
