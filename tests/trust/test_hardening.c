/* Hostile surroundings: planted modules, names that act on a terminal, cells that a spreadsheet
 * would run, memory that runs out.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "program.h"
#include "report/report.h"

/* A shell command in the folder; $carom is the program. The exit status. */
static int shell(fixture *f, const char *command)
{
    return shell_with(f, CAROM_PROGRAM, command);
}

static void assert_says(const char *text, const char *words)
{
    if (strstr(text, words) == NULL) {
        fail_msg("'%s' does not say '%s'", text, words);
    }
}

/* ---- Modules -------------------------------------------------------------------------------- */

#ifdef CAROM_HAVE_HDF5

/* A module that says so when it is loaded, in every place that was ever looked at but one. */
static void a_planted_module_is_not_loaded(void **state)
{
    fixture *f = *state;
    put_file(f, "c.yaml", "chain: {count: 3, velocity: [1]}\n");
    put_file(f, "evil.c",
             "#include <stdio.h>\n"
             "int crm_hdf5;\n"
             "__attribute__((constructor)) static void f(void) { puts(\"EVIL\"); }\n");
    if (shell(f, "cc -shared -fPIC -o evil.so evil.c") != 0) {
        print_message("skipped: no compiler\n");
        skip();
    }
    assert_int_equal(
        shell(f, "mkdir -p t/bin t/lib/carom t/bin/lib/carom && cp $carom t/bin/carom && "
                 "for d in . t t/bin t/lib t/bin/lib/carom; do cp evil.so $d/crm_hdf5.so; done"),
        0);
    assert_int_equal(shell(f, "t/bin/carom solve c.yaml --history x.h5"), 2);
    assert_says(f->err, "has no HDF5");
    assert_null(strstr(f->out, "EVIL"));
    assert_int_equal(shell(f, "cd t/bin && LD_LIBRARY_PATH=.:$PWD:$PWD/.. ./carom solve "
                              "../../c.yaml --history x.h5"),
                     2);
    assert_null(strstr(f->out, "EVIL"));
    /* Where it belongs, but others could have put it there. */
    assert_int_equal(shell(f, "cp evil.so t/lib/carom/crm_hdf5.so && chmod 777 t/lib/carom && "
                              "t/bin/carom solve c.yaml --history x.h5"),
                     2);
    assert_says(f->err, "writable by others");
    assert_null(strstr(f->out, "EVIL"));
    assert_int_equal(shell(f, "chmod 755 t/lib/carom; chmod 777 t/lib/carom/crm_hdf5.so; "
                              "t/bin/carom solve c.yaml --history x.h5"),
                     2);
    assert_null(strstr(f->out, "EVIL"));
    assert_false(is_there(f, "x.h5"));
}

#endif

/* Items, too, come from the installation or from where one says, not from where one stands. */
static void items_are_not_taken_from_the_current_folder(void **state)
{
    fixture *f = *state;
    assert_int_equal(shell(f, "mkdir -p t/bin reproduce; cp $carom t/bin/carom; "
                              "t/bin/carom reproduce"),
                     2);
    assert_says(f->err, "the published items were not found");
}

/* ---- Terminals ------------------------------------------------------------------------------ */

/* Controls of C0 and C1, DEL, a byte that is no UTF-8, an override of the direction. */
#define NASTY "\"$(printf 'n\\033[31m\\302\\233\\177\\377\\342\\200\\256')%s\""

static void check_message(fixture *f, const char *command)
{
    assert_int_not_equal(shell(f, command), 0);
    assert_says(f->err, "n\\u001b[31m\\u009b\\u007f\\xff\\u202e");
    for (const char *at = f->err; *at != '\0'; at++) {
        assert_true(*at == '\n' || (*at >= ' ' && *at < 0x7f));
    }
}

static void no_control_of_a_name_reaches_the_terminal(void **state)
{
    fixture *f = *state;
    static const struct {
        const char *command, *ending;
    } cases[] = {
        {"solve " NASTY, ".yaml"},
        {"solve c.yaml --history " NASTY, "/x.csv"},
        {"solve c.yaml --history " NASTY, ".txt"},
        {"solve c.yaml --history " NASTY, ""},
        {"solve c.yaml -f " NASTY, ""},
        {"solve c.yaml -j " NASTY, ""},
        {"solve c.yaml --" NASTY, ""},
        {"solve c.yaml --law " NASTY, ""},
        {"solve c.yaml --set " NASTY, "=1"},
        {"solve c.yaml --set chain.count=" NASTY, ""},
        {"solve c.yaml -o " NASTY, "/x"},
        {"simulate c.yaml --impacts " NASTY, ""},
        {"sweep " NASTY, ""},
        {"sweep c.yaml --shard " NASTY, ""},
        {"laws " NASTY, ""},
        {"fields " NASTY, ""},
        {"help " NASTY, ""},
        {"reproduce " NASTY, ""},
        {"reproduce " NASTY, ".yaml"},
        {NASTY, ""},
    };
    put_file(f, "c.yaml", "chain: {count: 3, velocity: [1]}\n");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char rest[256], command[512];
        snprintf(rest, sizeof rest, cases[i].command, cases[i].ending);
        snprintf(command, sizeof command, "$carom %s", rest);
        check_message(f, command);
    }
    char command[512];
    snprintf(command, sizeof command,
             "n=" NASTY "; cp c.yaml \"$n\"; $carom solve \"$n\" -o \"./$n\"", ".yaml");
    check_message(f, command);
}

/* ---- Spreadsheets --------------------------------------------------------------------------- */

static void check_cell(const char *text, const char *expected)
{
    char *cell = NULL, bare[64];
    size_t length = 0;
    FILE *stream = open_memstream(&cell, &length);
    assert_non_null(stream);
    crm_csv_text(stream, text);
    fclose(stream);
    assert_string_equal(cell, expected);
    /* What was written comes back; the cells with quotes here have none inside. */
    bool quoted = cell[0] == '"';
    snprintf(bare, sizeof bare, "%.*s", (int)length - 2 * quoted, cell + quoted);
    assert_string_equal(crm_csv_bare(bare), text);
    free(cell);
}

static void cells_that_would_run_are_made_text(void **state)
{
    (void)state;
    check_cell("=1+1", "'=1+1");
    check_cell("+x", "'+x");
    check_cell("-x", "'-x");
    check_cell("@SUM(A1)", "'@SUM(A1)");
    check_cell("\tx", "'\tx");
    check_cell("=a,b", "\"'=a,b\"");
    check_cell("'=1", "''=1");
    check_cell("''-x", "'''-x");
    check_cell("-", "'-");
    /* Behind what separates cells, or rows, for whoever does not mind the quotes. */
    check_cell(";=1+1", ";'=1+1");
    check_cell("a;=1+1;b;@x", "a;'=1+1;b;'@x");
    check_cell("=1;=2", "'=1;'=2");
    check_cell("a\t=1", "a\t'=1");
    check_cell("a;'=1", "a;''=1");
    check_cell("a\n=1,2", "\"a\n'=1,2\"");
    check_cell("-1;+2;x", "-1;+2;x");
    /* Numbers stay numbers, and text that is harmless stays as it is. */
    check_cell("-1", "-1");
    check_cell("+2.5e-3", "+2.5e-3");
    check_cell("'n", "'n");
    check_cell("a=1", "a=1");
    check_cell("", "");
    check_cell("a,b", "\"a,b\"");
}

static void tables_carry_no_formulas(void **state)
{
    fixture *f = *state;
    put_file(f, "s.yaml",
             "title: \"=cmd|x\"\n"
             "laws: [{law: newton, label: \"=1+1\"}, {law: moreau, label: \"@a\"}]\n"
             "bodies:\n"
             "  - {name: \"+a\", radius: 1, mass: 1, position: [0], velocity: [1]}\n"
             "  - {name: \"-b\", radius: 1, mass: 1, position: [2]}\n"
             "contacts: {restitution: 1}\n"
             "simulate: {duration: 1}\n"
             "sweep: {grid: {contacts.restitution: [0.5, 1]}, record: [\"velocity[1]\"]}\n");
    static const char *const commands[] = {
        "$carom solve s.yaml -f csv", "$carom sweep s.yaml",
        "$carom simulate s.yaml --history h.csv --impacts i.csv -f csv && cat h.csv i.csv"};
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        char command[256];
        /* Cells begin a line or follow a comma; a minus may begin a number. */
        snprintf(command, sizeof command, "(%s) >t && ! grep -E '(^|,)\"?([=+@]|-[^0-9])' t",
                 commands[i]);
        if (shell(f, command) != 0) {
            fail_msg("%s: %s%s", commands[i], f->out, f->err);
        }
        assert_int_equal(shell(f, "grep -q \"'[=+@-]\" t"), 0);
    }
}

/* ---- Memory --------------------------------------------------------------------------------- */

#ifdef __SANITIZE_ADDRESS__
enum { LIMITED = false }; /* the sanitizer wants all addresses for itself */
#else
enum { LIMITED = true };
#endif

/* A million balls do not fit: too little to read them, or to solve them. */
static void out_of_memory_has_a_status_of_its_own(void **state)
{
    fixture *f = *state;
    if (!LIMITED) {
        skip();
    }
    put_file(f, "c.yaml", "laws: [moreau]\nchain: {count: 1000000, velocity: [1]}\n");
    put_file(f, "s.yaml",
             "laws: [moreau]\nchain: {count: 1000000, velocity: [1]}\n"
             "sweep: {grid: {chain.restitution: [0.5, 0.6]}}\n");
    put_file(f, "i.yaml",
             "name: i\nsource: a\ntitle: b\n"
             "scenario: {laws: [moreau], chain: {count: 1000000, velocity: [1]}}\n"
             "published: [{quantity: 'velocity[2]', value: 1}]\n");
    static const char *const commands[] = {"solve c.yaml -q -o x.txt", "check c.yaml -o x.txt",
                                           "sweep s.yaml -q -j 1 -o x.txt",
                                           "reproduce ./i.yaml -q -j 1 -o x.txt"};
    static const unsigned kilobytes[] = {300000, 600000};
    for (size_t i = 0; i < 2 * sizeof commands / sizeof commands[0]; i++) {
        char command[256];
        put_file(f, "x.txt", "old\n");
        snprintf(command, sizeof command, "export OPENBLAS_NUM_THREADS=1; ulimit -v %u; $carom %s",
                 kilobytes[i % 2], commands[i / 2]);
        int status = shell(f, command);
        if (status == 0 && i % 2 == 1 && i / 2 == 1) {
            continue; /* what is only read fits */
        }
        if (status != 6) {
            fail_msg("%s: exit %d: %s", command, status, f->err);
        }
        assert_null(strstr(f->err, "deviates"));
        assert_int_equal(shell(f, "grep -qx old x.txt"), 0);
        assert_int_equal(shell(f, "ls -A | grep -c carom-"), 1);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

/* ---- Items of the record -------------------------------------------------------------------- */

static void markdown_of_a_record_has_no_elements(void **state)
{
    fixture *f = *state;
    put_file(f, "item.yaml",
             "name: item\nsource: s\n"
             "title: '<img src=x onerror=alert(1)> | \\<b> [a](javascript:b) `c`'\n"
             "kind: shape\nscenario: {laws: [lzb], chain: {count: 3, velocity: [1]}}\n"
             "checks: [{what: '<i>w</i>', quantity: 'velocity[1]', least: -1, most: 1}]\n");
    assert_int_equal(run_carom(f, "reproduce ./item.yaml -q -o i.md"), 0);
    char *page = get_file(f, "i.md");
    assert_non_null(page);
    ASSERT_SAYS(page, "| item | \\<img src=x onerror=alert(1)> \\| \\\\\\<b> "
                      "[a\\](javascript:b) \\`c\\` |");
    for (const char *at = page; (at = strchr(at, '<')) != NULL; at++) {
        assert_int_equal(at[-1], '\\');
    }
    free(page);
}

/* Whoever opens a pipe waits for somebody to write to it. */
static void a_pipe_among_the_items_is_none(void **state)
{
    fixture *f = *state;
    assert_int_equal(shell_with(f, CAROM_PROGRAM,
                                "mkdir r && mkfifo r/f.yaml && cp " CAROM_SOURCE_DIR
                                "/reproduce/P0-figure-12.yaml r && "
                                "CAROM_REPRODUCE=r timeout 20 $carom reproduce"),
                     0);
    ASSERT_SAYS(f->out, "P0-figure-12");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef CAROM_HAVE_HDF5
        TEST(a_planted_module_is_not_loaded),
#endif
        TEST(items_are_not_taken_from_the_current_folder),
        TEST(no_control_of_a_name_reaches_the_terminal),
        cmocka_unit_test(cells_that_would_run_are_made_text),
        TEST(tables_carry_no_formulas),
        TEST(out_of_memory_has_a_status_of_its_own),
        cmocka_unit_test_setup_teardown(markdown_of_a_record_has_no_elements, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_pipe_among_the_items_is_none, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
