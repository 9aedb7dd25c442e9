/* Whether batches give the same bits, whoever computes them: grouped in any way, with any number of
 * threads.
 *
 *     campaign_threads [RUNS] [SYSTEMS] [SEED] [TOLERANCE]    (default 200 4000 77 1e-6)
 *
 * Systems of campaign/ensemble.h, in lanes. First each by itself; then in batches of 40 by one
 * thread, of which each begins in the middle of the one before, so that every system is grouped
 * with others twice; then RUNS batches of 500 by two threads. Exit status 1 if any bit differs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ensemble.h"

enum { WINDOW = 40, STRIDE = 19, SHARED = 500 };

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

/* Masses as a diagonal: what was seen was seen with that, to the last bit. */
static crm_model *model_of(const small_system *system)
{
    double mass[SMALL];
    for (size_t i = 0; i < system->n; i++) {
        mass[i] = system->mass[i * system->n + i];
    }
    crm_system_def def = small_system_def(system);
    def.mass_dense = NULL;
    def.mass_diagonal = mass;
    crm_model *model = NULL;
    crm_error error = {0};
    if (crm_model_from_system(&def, &model, &error) != CRM_OK) {
        fprintf(stderr, "%s: %s\n", error.place, error.message);
        exit(1);
    }
    return model;
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
        b.models[i] = model_of(&systems[i]);
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
            printf("%s, run %zu: system %zu has other bits, by %.1e\n", how, run, i,
                   largest_difference(b->alone + from, b->after + from, size));
            found++;
        }
    }
    return found;
}

static size_t in_company(const batch *b, size_t *batches)
{
    size_t found = 0;
    for (size_t first = 0; first < b->count; first += STRIDE) {
        size_t end = first + WINDOW < b->count ? first + WINDOW : b->count;
        solve(b, first, end - first, 1, b->after);
        found += differing(b, first, end, "one thread", ++*batches);
    }
    return found;
}

/* From the middle on, where the systems are that were seen. */
static size_t with_threads(const batch *b, size_t runs)
{
    size_t found = 0, first = b->count / 5 * 3;
    size_t end = first + SHARED < b->count ? first + SHARED : b->count;
    for (size_t k = 0; k < runs; k++) {
        solve(b, first, end - first, 2, b->after);
        found += differing(b, first, end, "two threads", k + 1);
    }
    return found;
}

int main(int argc, char **argv)
{
    size_t runs = argc > 1 ? strtoul(argv[1], NULL, 10) : 200;
    size_t count = argc > 2 ? strtoul(argv[2], NULL, 10) : 4000;
    uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 77;
    double tolerance = argc > 4 ? strtod(argv[4], NULL) : 1e-6;
    small_system *systems = ensemble(seed, count);
    crm_settings *settings = lzb_settings((lzb_choices){.tolerance = tolerance});
    batch b = batch_create(systems, count, settings);
    for (size_t i = 0; i < count; i++) {
        solve(&b, i, 1, 1, b.alone);
    }
    size_t batches = 0, one = in_company(&b, &batches), two = with_threads(&b, runs);
    printf(
        "%zu systems: other bits than alone %zu times in %zu batches by one thread, %zu times in "
        "%zu by two\n",
        count, one, batches, two, runs);
    batch_free(&b);
    crm_settings_free(settings);
    free(systems);
    return one + two > 0;
}
