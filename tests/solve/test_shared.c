/* One model, many callers: threads that share a model and settings, each with its own workspace,
 * and batches over the same model, all at once and by every law, get the bits of one call alone.
 * Under the thread sanitizer (scripts/threads) it is seen that none writes what another reads.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bits.h"
#include "support.h"

enum { CALLERS = 4, ROUNDS = 3, BALLS = 5, BATCH = 40 };

typedef struct shared {
    const crm_model *model;
    const crm_settings *settings;
    const double *velocity;
    bits_hash want;
} shared;

static bits_hash solve_once(const shared *s)
{
    crm_outcome *outcome = NULL;
    crm_error error = {0};
    bits_hash hash = bits_empty;
    bits_add_whole(&hash, crm_solve(s->model, s->velocity, s->settings, NULL, &outcome, &error));
    if (outcome != NULL) {
        bits_add_outcome(&hash, outcome);
    }
    crm_outcome_free(outcome);
    return hash;
}

/* Returns how many answers were other ones (cmocka may not fail from a thread). */
static void *call(void *context)
{
    const shared *s = context;
    size_t others = 0;
    for (size_t round = 0; round < ROUNDS; round++) {
        others += solve_once(s) != s->want;
    }
    return (void *)others;
}

static void *call_batch(void *context)
{
    const shared *s = context;
    double *velocities = calloc(BATCH * BALLS, sizeof *velocities);
    size_t failed = velocities == NULL;
    for (size_t i = 0; velocities != NULL && i < BATCH; i++) {
        memcpy(velocities + i * BALLS, s->velocity, BALLS * sizeof *velocities);
    }
    for (int lanes = 0; velocities != NULL && lanes < 2; lanes++) {
        const crm_batch_def def = {.count = BATCH,
                                   .model = s->model,
                                   .velocities = velocities,
                                   .settings = s->settings,
                                   .threads = 2,
                                   .in_lanes = lanes};
        crm_batch_item items[BATCH];
        const crm_batch_results results = {.items = items};
        failed += crm_solve_batch(&def, &results, NULL) != CRM_OK;
    }
    free(velocities);
    return (void *)failed;
}

static void all_at_once(const shared *s)
{
    pthread_t threads[CALLERS];
    for (size_t k = 0; k < CALLERS; k++) {
        void *(*work)(void *) = k % 2 == 0 ? call : call_batch;
        assert_int_equal(pthread_create(&threads[k], NULL, work, (void *)(uintptr_t)s), 0);
    }
    for (size_t k = 0; k < CALLERS; k++) {
        void *others;
        assert_int_equal(pthread_join(threads[k], &others), 0);
        assert_null(others);
    }
}

static void callers_who_share_a_model_get_the_same_bits(void **state)
{
    (void)state;
    const small_system chain = small_system_chain(BALLS, false);
    crm_model *model = small_system_model(&chain);
    const double velocity[BALLS] = {1};
    for (size_t k = 0; k < crm_law_count(); k++) {
        crm_settings *settings = law_settings(crm_law_at(k));
        shared s = {.model = model, .settings = settings, .velocity = velocity};
        s.want = solve_once(&s);
        all_at_once(&s);
        crm_settings_free(settings);
    }
    crm_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(callers_who_share_a_model_get_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
