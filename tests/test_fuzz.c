/* A fuzzer that needs no special compiler: the inputs of a corpus, then mutations of them, the same
 * on every run. TARGET is scenario (its corpus: the examples) or definitions.
 *
 *     test_fuzz                        the standard number of mutations of each target
 *     test_fuzz TARGET FILE...         replay inputs
 *     test_fuzz --seed N COUNT TARGET  look further
 */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LLVMFuzzerTestOneInput fuzz_scenario
#include "fuzz/fuzz_scenario.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_definitions
#include "fuzz/fuzz_definitions.c"
#undef LLVMFuzzerTestOneInput

typedef struct target {
    const char *name;
    int (*try_input)(const uint8_t *data, size_t size);
    const char *corpus; /* folder */
    const char *ending; /* of the names of its files */
    size_t mutations;   /* a few seconds of them */
} target;

static const target targets[] = {
    {"scenario", fuzz_scenario, CAROM_SOURCE_DIR "/examples", ".yaml", 100000},
    {"definitions", fuzz_definitions, CAROM_SOURCE_DIR "/tests/fuzz/definitions", "", 3000},
};
enum { TARGETS = sizeof targets / sizeof targets[0] };

enum { INPUT_MOST = 4096, SEEDS_MOST = 64, CHANGES_MOST = 6 };

typedef struct input {
    size_t length;
    uint8_t bytes[INPUT_MOST];
} input;

/* ---- Randomness ---------------------------------------------------------------------------- */

/* splitmix64: small, good enough, and the same everywhere. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static size_t below(uint64_t *state, size_t bound)
{
    return bound > 0 ? (size_t)(next_random(state) % bound) : 0;
}

/* ---- Mutations ----------------------------------------------------------------------------- */

static const char *const words[] = {"-1",
                                    "0",
                                    "1e999",
                                    ".nan",
                                    "-.inf",
                                    "1e-320",
                                    "99999999999999999999",
                                    "1500",
                                    "[",
                                    "]",
                                    "{",
                                    "}",
                                    "[1, 2, 3]",
                                    "{1: 1}",
                                    "&a ",
                                    "*a",
                                    "!!str ",
                                    "!x ",
                                    "\"",
                                    "'",
                                    "|\n",
                                    ": ",
                                    ", ",
                                    "\n",
                                    "\n  - ",
                                    "? ",
                                    "#",
                                    "---\n",
                                    "...\n",
                                    "%YAML 1.2\n",
                                    "\t",
                                    "null",
                                    "~",
                                    "true",
                                    "\xc3\xa9",
                                    "\xff",
                                    "chain",
                                    "count",
                                    "mass",
                                    "velocity",
                                    "stiffness",
                                    "restitution",
                                    "wall",
                                    "right",
                                    "side",
                                    "bodies",
                                    "walls",
                                    "pairs",
                                    "between",
                                    "contacts",
                                    "system",
                                    "w",
                                    "names",
                                    "laws",
                                    "law",
                                    "lzb",
                                    "label",
                                    "materials",
                                    "young",
                                    "poisson",
                                    "density",
                                    "material",
                                    "radius",
                                    "position",
                                    "normal",
                                    "point",
                                    "history",
                                    "interval",
                                    "sweep",
                                    "title",
                                    "exponent",
                                    "energy",
                                    "tolerance",
                                    "<<",
                                    "boundary_velocity"};

static const char *const assignments[] = {"chain.mass=-1",
                                          "chain.count=7",
                                          "laws[1].tolerance=1e-6",
                                          "bodies[2].mass=3",
                                          "bodies[cue].radius=2",
                                          "chain.wall=right",
                                          "chain.velocity[1]=[1]",
                                          "laws[1]=lzb",
                                          "chain.wall.side=left",
                                          "system.mass[1]=2",
                                          "a.b.c=1",
                                          "chain=*a",
                                          "laws[=1",
                                          "pairs[1].between[1]=2"};

static void replace(input *in, size_t start, size_t removed, const void *bytes, size_t added)
{
    size_t rest = in->length - start - removed;
    if (start + added + rest > INPUT_MOST) {
        return;
    }
    memmove(in->bytes + start + added, in->bytes + start + removed, rest);
    memcpy(in->bytes + start, bytes, added);
    in->length = start + added + rest;
}

static void mutate(input *in, const input *other, uint64_t *state)
{
    size_t start = below(state, in->length + 1);
    size_t span = below(state, in->length - start + 1);
    size_t short_span = span > 12 ? below(state, 12) : span;
    uint8_t byte = (uint8_t)next_random(state);
    uint8_t copy[INPUT_MOST];
    const char *word = words[below(state, sizeof words / sizeof words[0])];
    switch (below(state, 8)) {
    case 0:
        replace(in, start, 0, &byte, 1);
        break;
    case 1:
        replace(in, start, start < in->length ? 1 : 0, &byte, 1);
        break;
    case 2:
        replace(in, start, short_span, "", 0);
        break;
    case 3:
        memcpy(copy, in->bytes + start, span);
        replace(in, below(state, in->length + 1), 0, copy, span);
        break;
    case 4:
        replace(in, start, 0, word, strlen(word));
        break;
    case 5:
        replace(in, start, short_span, word, strlen(word));
        break;
    case 6:
        span = below(state, other->length + 1);
        replace(in, start, in->length - start, other->bytes + other->length - span, span);
        break;
    default:
        word = assignments[below(state, sizeof assignments / sizeof assignments[0])];
        replace(in, in->length, 0, "", 1);
        replace(in, in->length, 0, word, strlen(word));
    }
}

/* ---- Inputs -------------------------------------------------------------------------------- */

static bool load(const char *path, input *in)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return false;
    }
    in->length = fread(in->bytes, 1, INPUT_MOST, file);
    fclose(file);
    return true;
}

static size_t load_corpus(const target *t, input *seeds)
{
    size_t count = 0;
    DIR *folder = opendir(t->corpus);
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", t->corpus, entry->d_name);
        if (entry->d_name[0] != '.' && strstr(entry->d_name, t->ending) != NULL &&
            count < SEEDS_MOST) {
            count += load(path, &seeds[count]);
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
    return count;
}

static int compare_inputs(const void *a, const void *b)
{
    const input *first = a, *second = b;
    size_t length = first->length < second->length ? first->length : second->length;
    int order = memcmp(first->bytes, second->bytes, length);
    return order != 0 ? order : (first->length > second->length) - (first->length < second->length);
}

/* What crashed must be found again: it is written before it is tried. */
static void keep(const input *in)
{
    const char *path = getenv("CAROM_FUZZ_KEEP");
    FILE *file = path != NULL ? fopen(path, "wb") : NULL;
    if (file != NULL) {
        fwrite(in->bytes, 1, in->length, file);
        fclose(file);
    }
}

static void try_mutations(const target *t, const input *seeds, size_t seed_count, uint64_t seed,
                          size_t count, input *in)
{
    for (size_t i = 0; i < count; i++) {
        *in = seeds[below(&seed, seed_count)];
        for (size_t k = 1 + below(&seed, CHANGES_MOST); k > 0; k--) {
            mutate(in, &seeds[below(&seed, seed_count)], &seed);
        }
        keep(in);
        t->try_input(in->bytes, in->length);
    }
}

static int run(const target *t, uint64_t seed, size_t count)
{
    input *seeds = calloc(SEEDS_MOST + 1, sizeof *seeds);
    if (seeds == NULL) {
        return 1;
    }
    size_t seed_count = load_corpus(t, seeds);
    if (seed_count == 0) {
        fprintf(stderr, "%s has nothing to start from\n", t->corpus);
        free(seeds);
        return 1;
    }
    /* A folder lists its files in any order; the run must not depend on it. */
    qsort(seeds, seed_count, sizeof *seeds, compare_inputs);
    for (size_t i = 0; i < seed_count; i++) {
        t->try_input(seeds[i].bytes, seeds[i].length);
    }
    try_mutations(t, seeds, seed_count, seed, count, &seeds[SEEDS_MOST]);
    free(seeds);
    printf("%s: %zu inputs and %zu mutations without harm\n", t->name, seed_count, count);
    return 0;
}

static int replay(const target *t, int count, char **paths)
{
    static input in;
    for (int i = 0; i < count; i++) {
        if (!load(paths[i], &in)) {
            fprintf(stderr, "%s cannot be read\n", paths[i]);
            return 1;
        }
        t->try_input(in.bytes, in.length);
    }
    return 0;
}

/* The first one when there is none of that name. */
static const target *find_target(const char *name)
{
    const target *found = targets;
    for (size_t i = 0; i < TARGETS; i++) {
        found = strcmp(targets[i].name, name) == 0 ? &targets[i] : found;
    }
    return found;
}

static int run_all(void)
{
    int worst = 0;
    for (size_t i = 0; i < TARGETS; i++) {
        worst |= run(&targets[i], 1, targets[i].mutations);
    }
    return worst;
}

int main(int argc, char **argv)
{
    if (argc >= 4 && strcmp(argv[1], "--seed") == 0) {
        return run(find_target(argc > 4 ? argv[4] : ""), strtoull(argv[2], NULL, 10),
                   strtoull(argv[3], NULL, 10));
    }
    return argc > 2 ? replay(find_target(argv[1]), argc - 2, argv + 2) : run_all();
}
