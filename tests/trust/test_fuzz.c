/* A fuzzer that needs no special compiler: the inputs of a corpus, then mutations of them, the same
 * on every run. TARGET is that of a tests/fuzz/fuzz_TARGET.c; its inputs are in tests/fuzz/TARGET.
 *
 *     test_fuzz                        every target, a standard number of mutations
 *     test_fuzz TARGET FILE...         replay inputs
 *     test_fuzz --seed N COUNT TARGET  look further
 */
#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOLDER CAROM_SOURCE_DIR "/tests/fuzz/"

typedef int try_input(const uint8_t *data, size_t size);
try_input fuzz_archive, fuzz_calls, fuzz_definitions, fuzz_inverse, fuzz_journal, fuzz_judge,
    fuzz_scenario, fuzz_set, fuzz_sweep;

typedef struct target {
    const char *name;
    try_input *try_input;
    const char *corpus; /* folder */
    const char *more;   /* a folder, of whose files those that end in .yaml; NULL: none */
    const char *words;  /* a dictionary, as libFuzzer takes them; NULL: none */
    size_t mutations;   /* a few seconds of them */
} target;

static const target targets[] = {
    {"archive", fuzz_archive, FOLDER "archive", NULL, NULL, 20000},
    {"calls", fuzz_calls, FOLDER "definitions", NULL, NULL, 3000},
    {"definitions", fuzz_definitions, FOLDER "definitions", NULL, NULL, 30000},
    {"inverse", fuzz_inverse, FOLDER "inverse", CAROM_SOURCE_DIR "/examples", FOLDER "yaml.dict",
     60000},
    {"journal", fuzz_journal, FOLDER "journal", NULL, FOLDER "journal.dict", 100000},
    {"judge", fuzz_judge, FOLDER "judge", NULL, NULL, 300},
    {"scenario", fuzz_scenario, FOLDER "scenario", CAROM_SOURCE_DIR "/examples", FOLDER "yaml.dict",
     60000},
    {"set", fuzz_set, FOLDER "set", NULL, FOLDER "yaml.dict", 30000},
    {"sweep", fuzz_sweep, FOLDER "sweep", NULL, FOLDER "yaml.dict", 30000},
};
enum { TARGETS = sizeof targets / sizeof targets[0] };

enum { INPUT_MOST = 4096, SEEDS_MOST = 128, CHANGES_MOST = 6, WORDS_MOST = 256, WORD_SIZE = 64 };

typedef struct input {
    size_t length;
    uint8_t bytes[INPUT_MOST];
} input;

/* What is put into inputs; the last one is empty. */
typedef struct word {
    size_t length;
    char bytes[WORD_SIZE];
} word;

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

/* ---- Words --------------------------------------------------------------------------------- */

/* One line of a dictionary: "text", with \\, \" and \x0a in it. False: it has none. */
static bool parse_word(const char *line, word *made)
{
    made->length = 0;
    if (*line != '"') {
        return false;
    }
    for (line++; *line != '"' && *line != '\0' && made->length < WORD_SIZE; line++) {
        unsigned code;
        if (*line == '\\' && line[1] == 'x' && sscanf(line + 2, "%2x", &code) == 1) {
            made->bytes[made->length++] = (char)code;
            line += 3;
        } else {
            line += *line == '\\';
            made->bytes[made->length++] = *line;
        }
    }
    return true;
}

static size_t load_words(const char *path, word *words)
{
    size_t count = 0;
    char line[4 * WORD_SIZE + 8];
    FILE *file = path != NULL ? fopen(path, "r") : NULL;
    while (file != NULL && count < WORDS_MOST && fgets(line, sizeof line, file) != NULL) {
        count += parse_word(line, &words[count]);
    }
    if (file != NULL) {
        fclose(file);
    }
    return count;
}

/* ---- Mutations ----------------------------------------------------------------------------- */

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

static void mutate(input *in, const input *other, const word *added, uint64_t *state)
{
    size_t start = below(state, in->length + 1);
    size_t span = below(state, in->length - start + 1);
    size_t short_span = span > 12 ? below(state, 12) : span;
    uint8_t byte = (uint8_t)next_random(state);
    uint8_t copy[INPUT_MOST];
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
        replace(in, start, 0, added->bytes, added->length);
        break;
    case 5:
        replace(in, start, short_span, added->bytes, added->length);
        break;
    case 6:
        span = below(state, other->length + 1);
        replace(in, start, in->length - start, other->bytes + other->length - span, span);
        break;
    default:
        replace(in, in->length, 0, "", 1);
        replace(in, in->length, 0, added->bytes, added->length);
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

static size_t load_folder(const char *path, const char *ending, input *seeds, size_t count)
{
    DIR *folder = path != NULL ? opendir(path) : NULL;
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        char name[1024];
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.' && strstr(entry->d_name, ending) != NULL &&
            count < SEEDS_MOST) {
            count += load(name, &seeds[count]);
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
    static word words[WORDS_MOST + 1];
    size_t word_count = load_words(t->words, words);
    for (size_t i = 0; i < count; i++) {
        *in = seeds[below(&seed, seed_count)];
        for (size_t k = 1 + below(&seed, CHANGES_MOST); k > 0; k--) {
            mutate(in, &seeds[below(&seed, seed_count)], &words[below(&seed, word_count)], &seed);
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
    size_t seed_count = load_folder(t->corpus, "", seeds, 0);
    seed_count = load_folder(t->more, ".yaml", seeds, seed_count);
    if (seed_count == 0) {
        fprintf(stderr, "%s has nothing to start from\n", t->corpus);
        free(seeds);
        return 1;
    }
    /* A folder lists its files in any order; the run must not depend on it. */
    qsort(seeds, seed_count, sizeof *seeds, compare_inputs);
    for (size_t i = 0; i < seed_count; i++) {
        keep(&seeds[i]);
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
    size_t part = getenv("CAROM_TEST_QUICK") != NULL ? 2 : 1;
    for (size_t i = 0; i < TARGETS; i++) {
        worst |= run(&targets[i], 1, targets[i].mutations / part);
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
