/* The tree of a scenario file and the memory it is in, below what a scenario says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "scenario/yaml/arena.h"
#include "scenario/yaml/tree.h"

static void what_an_arena_gets_back_is_zero_when_taken_again(void **state)
{
    (void)state;
    enum { LARGE = 200000 };
    crm_arena arena = {0};
    assert_non_null(crm_arena_text(&arena, "kept", 4));
    crm_arena_mark mark = crm_arena_now(&arena);
    char *first = crm_arena_allocate(&arena, 64, 1);
    assert_non_null(first);
    memset(first, 0xff, 64);
    assert_non_null(crm_arena_allocate(&arena, LARGE, 1)); /* a block of its own */
    crm_arena_return(&arena, mark);
    char *again = crm_arena_allocate(&arena, 64, 1);
    assert_ptr_equal(again, first);
    for (size_t i = 0; i < 64; i++) {
        assert_int_equal(again[i], 0);
    }
    crm_arena_free(&arena);
}

/* Two overrides below an alias: the place it was first written keeps both values. */
static void overrides_below_an_alias_leave_the_other_place_alone(void **state)
{
    (void)state;
    static const char text[] = "a: &x {b: {c: 1}, d: {e: 2}}\nz: *x\n";
    crm_yaml_limits limits = crm_yaml_limits_default();
    crm_tree *tree = NULL;
    static crm_read_error error;
    assert_int_equal(crm_yaml_parse(text, strlen(text), "file", &limits, &tree, &error), CRM_OK);
    assert_int_equal(crm_yaml_set(tree, "z.b.c=5", &error), CRM_OK);
    assert_int_equal(crm_yaml_set(tree, "z.d.e=7", &error), CRM_OK);
    bool complete;
    assert_string_equal(crm_yaml_locate(tree->root, "a.b.c", &complete)->text, "1");
    assert_string_equal(crm_yaml_locate(tree->root, "a.d.e", &complete)->text, "2");
    assert_string_equal(crm_yaml_locate(tree->root, "z.b.c", &complete)->text, "5");
    assert_string_equal(crm_yaml_locate(tree->root, "z.d.e", &complete)->text, "7");
    crm_tree_free(tree);
}

/* ---- Aliases written out -------------------------------------------------------------------- */

enum { LONG = 8192 };

/* "a1: &a1 [x, x]", then `levels` lines that each name the one before it as often as there are
 * words in `item`, with % for the alias.
 */
static size_t write_chain(char *text, size_t levels, const char *first, const char *item)
{
    size_t used = (size_t)snprintf(text, LONG, "a0: &a0 %s\n", first);
    for (size_t i = 1; i <= levels; i++) {
        used += (size_t)snprintf(text + used, LONG - used, "a%zu: &a%zu ", i, i);
        for (const char *at = item; *at != '\0'; at++) {
            used += (size_t)(*at == '%' ? snprintf(text + used, LONG - used, "*a%zu", i - 1)
                                        : snprintf(text + used, LONG - used, "%c", *at));
        }
        used += (size_t)snprintf(text + used, LONG - used, "\n");
    }
    assert_true(used < LONG);
    return used;
}

/* Whether the chain is read; 0: it is, else the line of the complaint. */
static size_t refused_in(size_t levels, const char *first, const char *item, size_t values,
                         const char *words)
{
    static char text[LONG];
    static crm_read_error error;
    size_t length = write_chain(text, levels, first, item);
    crm_yaml_limits limits = crm_yaml_limits_default();
    limits.nodes = values;
    crm_tree *tree = NULL;
    error = (crm_read_error){0};
    crm_status status = crm_yaml_parse(text, length, "file", &limits, &tree, &error);
    crm_tree_free(tree);
    if (status != CRM_OK && strstr(error.text, words) == NULL) {
        fail_msg("'%s' does not say '%s'", error.text, words);
    }
    return status != CRM_OK ? error.line : 0;
}

/* The mapping is one value; a0 is a key, a list and ten numbers; a level is a key, a list, and ten
 * times what is below: 1 + 12, + 1 + 111, + 1 + 1111.
 */
static void aliases_count_as_what_they_name(void **state)
{
    (void)state;
    static const char ten[] = "[1,1,1,1,1,1,1,1,1,1]", all[] = "[%,%,%,%,%,%,%,%,%,%]";
    const char *words = "more than";
    assert_int_equal(refused_in(2, ten, all, 13 + 112 + 1112, words), 0);
    assert_int_equal(refused_in(2, ten, all, 13 + 112 + 1112 - 1, words), 3);
    assert_int_equal(refused_in(1, ten, all, 13 + 112, words), 0);
    assert_int_equal(refused_in(1, ten, all, 13 + 112 - 1, words), 2);
    assert_int_equal(refused_in(60, ten, all, 50000000, words), 8); /* 11, 111, ... 111111111 */
}

/* A text of 640 bytes is eleven values: a key and that, then twice a key and that with a list. */
static void a_long_text_counts_as_often_as_it_is_named(void **state)
{
    (void)state;
    char text[641] = "";
    memset(text, 'x', sizeof text - 1);
    assert_int_equal(refused_in(1, text, "[%, %]", 1 + 12 + 2 + 22, "more than"), 0);
    assert_int_equal(refused_in(1, text, "[%, %]", 1 + 12 + 2 + 21, "more than"), 2);
}

/* The root is a level, a0 the second, and each alias one more. */
static void aliases_nest_as_deep_as_what_they_name(void **state)
{
    (void)state;
    const char *words = "nested deeper than 64 levels";
    assert_int_equal(refused_in(CRM_DEPTH_MOST - 2, "[x]", "[%]", 100000, words), 0);
    assert_int_equal(refused_in(CRM_DEPTH_MOST - 1, "[x]", "[%]", 100000, words), CRM_DEPTH_MOST);
    assert_int_equal(refused_in(100, "[x]", "{k: %}", 100000, words), CRM_DEPTH_MOST);
}

static crm_status set_deep(size_t steps, const char *value, crm_read_error *error)
{
    static const char text[] = "a: {b: 1}\n";
    crm_yaml_limits limits = crm_yaml_limits_default();
    crm_tree *tree = NULL;
    char assignment[LONG];
    size_t used = 0;
    assert_int_equal(crm_yaml_parse(text, strlen(text), "file", &limits, &tree, error), CRM_OK);
    for (size_t i = 0; i < steps; i++) {
        used += (size_t)snprintf(assignment + used, LONG - used, "%sa", i > 0 ? "." : "");
    }
    snprintf(assignment + used, LONG - used, "=%s", value);
    crm_status status = crm_yaml_set(tree, assignment, error);
    crm_tree_free(tree);
    return status;
}

static void what_is_set_nests_no_deeper_than_a_file(void **state)
{
    (void)state;
    static crm_read_error error;
    assert_int_equal(set_deep(CRM_DEPTH_MOST, "1", &error), CRM_OK);
    assert_int_equal(set_deep(CRM_DEPTH_MOST + 1, "1", &error), CRM_ERROR_MODEL);
    assert_non_null(strstr(error.text, "nested deeper than 64 levels"));
    assert_int_equal(set_deep(CRM_DEPTH_MOST - 2, "[{x: 1}]", &error), CRM_OK);
    assert_int_equal(set_deep(CRM_DEPTH_MOST - 1, "[{x: 1}]", &error), CRM_ERROR_MODEL);
    assert_int_equal(set_deep(4000, "1", &error), CRM_ERROR_MODEL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_an_arena_gets_back_is_zero_when_taken_again),
        cmocka_unit_test(overrides_below_an_alias_leave_the_other_place_alone),
        cmocka_unit_test(aliases_count_as_what_they_name),
        cmocka_unit_test(a_long_text_counts_as_often_as_it_is_named),
        cmocka_unit_test(aliases_nest_as_deep_as_what_they_name),
        cmocka_unit_test(what_is_set_nests_no_deeper_than_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
