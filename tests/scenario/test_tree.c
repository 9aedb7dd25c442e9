/* The tree of a scenario file and the memory it is in, below what a scenario says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
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
    crm_limits limits = crm_limits_default();
    crm_tree *tree = NULL;
    static crm_read_error error;
    assert_int_equal(crm_tree_parse(text, strlen(text), "file", &limits, &tree, &error), CRM_OK);
    assert_int_equal(crm_tree_set(tree, "z.b.c=5", &error), CRM_OK);
    assert_int_equal(crm_tree_set(tree, "z.d.e=7", &error), CRM_OK);
    bool complete;
    assert_string_equal(crm_node_locate(tree->root, "a.b.c", &complete)->text, "1");
    assert_string_equal(crm_node_locate(tree->root, "a.d.e", &complete)->text, "2");
    assert_string_equal(crm_node_locate(tree->root, "z.b.c", &complete)->text, "5");
    assert_string_equal(crm_node_locate(tree->root, "z.d.e", &complete)->text, "7");
    crm_tree_free(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_an_arena_gets_back_is_zero_when_taken_again),
        cmocka_unit_test(overrides_below_an_alias_leave_the_other_place_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
