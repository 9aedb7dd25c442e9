/* A priority queue. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/heap.h"
#include "support.h"

/* The one that goes first, by looking at all of them. */
static size_t first_by_search(const double *key, const bool *waits, size_t size)
{
    size_t first = SIZE_MAX;
    for (size_t j = 0; j < size; j++) {
        if (waits[j] && (first == SIZE_MAX || key[j] > key[first])) {
            first = j;
        }
    }
    return first;
}

/* Contacts come, change and go at random; keys are few, so that some are equal. */
static void the_agenda_has_the_greatest_key_first(void **state)
{
    (void)state;
    enum { SIZE = 100, CHANGES = 20000 };
    rng r = rng_seeded(5);
    double key[SIZE] = {0};
    bool waits[SIZE] = {false};
    crm_heap heap;
    assert_true(crm_heap_create(&heap, SIZE));
    for (int i = 0; i < CHANGES; i++) {
        size_t j = (size_t)rng_uniform(&r, 0, SIZE);
        waits[j] = rng_uniform(&r, 0, 1) < 0.6;
        if (waits[j]) {
            key[j] = floor(rng_uniform(&r, 0, 50));
            crm_heap_put(&heap, j, key[j]);
        } else {
            crm_heap_drop(&heap, j);
        }
        size_t first = first_by_search(key, waits, SIZE);
        assert_true((first == SIZE_MAX) == (heap.count == 0));
        assert_true(first == SIZE_MAX || heap.entry[0] == first);
    }
    crm_heap_release(&heap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_agenda_has_the_greatest_key_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
