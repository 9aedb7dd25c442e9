/* Whether batches give the same bits, whoever computes them: in any company, with any number of
 * threads.
 *
 *     campaign_threads [RUNS] [SYSTEMS] [SEED] [TOLERANCE]    (default 200 500 77 1e-6)
 *
 * Systems of campaign/ensemble.h, from the 2400th on, in lanes. First each by itself; then all of
 * them in one batch by one thread, in windows that begin elsewhere each time, so that neighbours
 * change; then RUNS batches by two threads. Exit status 1 if any bit differs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ensemble.h"

enum { FIRST = 2400, WINDOWS = 8 };

typedef struct batch {
    size_t count;
    const crm_model **models;
    size_t *start; /* of their velocities; count + 1 entries */
    double *before, *alone, *after;
    const crm_settings *settings;
} batch;

static void *room(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (memory == NULL) {
        abort();
    }
    return memory;
}

static batch batch_create(const small_system *systems, size_t count, const crm_settings *settings)
{
    batch b = {.count = count,
               .models = room(count, sizeof(crm_model *)),
               .start = room(count + 1, sizeof(size_t)),
               .before = room(count * SMALL, sizeof(double)),
               .alone = room(count * SMALL, sizeof(double)),
               .after = room(count * SMALL, sizeof(double)),
               .settings = settings};
    for (size_t i = 0; i < count; i++) {
        b.models[i] = small_system_model(&systems[i]);
        b.start[i + 1] = b.start[i] + systems[i].n;
        memcpy(b.before + b.start[i], systems[i].velocity, systems[i].n * sizeof(double));
    }
    return b;
}

static void batch_free(batch *b)
{
    for (size_t i = 0; i < b->count; i++) {
        crm_model_free((crm_model *)b->models[i]);
    }
    free((void *)b->models);
    free(b->start);
    free(b->before);
    free(b->alone);
    free(b->after);
}

/* Systems first to first + count - 1. */
static void solve(const batch *b, size_t first, size_t count, size_t threads, double *after)
{
    const crm_batch_def def = {.count = count,
                               .models = b->models + first,
                               .velocities = b->before + b->start[first],
                               .settings = b->settings,
                               .threads = threads,
                               .in_lanes = true};
    const crm_batch_results results = {.velocities = after + b->start[first]};
    crm_solve_batch(&def, &results, NULL);
}

static size_t differing(const batch *b, size_t first, size_t end, const char *how, size_t run)
{
    size_t found = 0;
    for (size_t i = first; i < end; i++) {
        size_t from = b->start[i], size = b->start[i + 1] - from;
        if (memcmp(b->alone + from, b->after + from, size * sizeof(double)) != 0) {
            printf("%s, run %zu: system %zu has other bits, by %.1e\n", how, run, FIRST + i,
                   largest_difference(b->alone + from, b->after + from, size));
            found++;
        }
    }
    return found;
}

int main(int argc, char **argv)
{
    size_t runs = argc > 1 ? strtoul(argv[1], NULL, 10) : 200;
    size_t count = argc > 2 ? strtoul(argv[2], NULL, 10) : 500;
    uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 77;
    double tolerance = argc > 4 ? strtod(argv[4], NULL) : 1e-6;
    count = count > WINDOWS ? count : WINDOWS + 1;
    small_system *systems = ensemble(seed, FIRST + count);
    crm_settings *settings = lzb_settings((lzb_options){.tolerance = tolerance});
    batch b = batch_create(systems + FIRST, count, settings);
    size_t in_company = 0, with_threads = 0;
    for (size_t i = 0; i < count; i++) {
        solve(&b, i, 1, 1, b.alone);
    }
    for (size_t k = 0; k < WINDOWS; k++) {
        solve(&b, k, count - k, 1, b.after);
        in_company += differing(&b, k, count, "one thread", k);
    }
    for (size_t k = 0; k < runs; k++) {
        solve(&b, 0, count, 2, b.after);
        with_threads += differing(&b, 0, count, "two threads", k);
    }
    printf("%zu systems: other bits than alone %zu times in %d batches by one thread, %zu times in "
           "%zu by two\n",
           count, in_company, WINDOWS, with_threads, runs);
    batch_free(&b);
    crm_settings_free(settings);
    free(systems);
    return in_company + with_threads > 0;
}
