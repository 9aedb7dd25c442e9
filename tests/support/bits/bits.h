/* Hashes of outcomes: every bit of what a law answers, in a number that can be kept in a file.
 *
 * A group of systems has one hash, and a short one for each system, so that a mismatch can name the
 * first that differs. Every system is solved in all ways that must give the same bits; whether they
 * do is checked here, whatever the file says.
 */
#ifndef CAROM_TEST_BITS_H
#define CAROM_TEST_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "carom/carom.h"

/* ---- Hashes, after FNV-1a -------------------------------------------------------------------- */

typedef uint64_t bits_hash;

extern const bits_hash bits_empty;

void bits_add_wholes(bits_hash *hash, const uint64_t *values, size_t count);
void bits_add_whole(bits_hash *hash, uint64_t value);
/* All numbers that are none are alike: which of them comes out is no part of an outcome. */
void bits_add_number(bits_hash *hash, double value);
void bits_add_numbers(bits_hash *hash, const double *values, size_t count); /* NULL is fine */
void bits_add_text(bits_hash *hash, const char *text);
void bits_add_outcome(bits_hash *hash, const crm_outcome *outcome);
void bits_add_sample(bits_hash *hash, const crm_sample *sample, size_t coordinates,
                     size_t contacts);

/* ---- Groups --------------------------------------------------------------------------------- */

enum { BITS_SYSTEMS = 128, BITS_NAME = 64 };

typedef struct bits_group {
    const char *name;
    size_t count;
    char names[BITS_SYSTEMS][BITS_NAME];
    bits_hash system[BITS_SYSTEMS];
    crm_workspace *workspace; /* the same for all: it has seen other systems before */
} bits_group;

void bits_group_begin(bits_group *group, const char *name);
void bits_group_end(bits_group *group);
bits_hash bits_group_hash(const bits_group *group);

/* The next system; what is added after it belongs to it. Returns its hash so far. */
__attribute__((format(printf, 2, 3))) bits_hash *bits_system(bits_group *group, const char *name,
                                                             ...);

/* Ways to solve a system go by turns through the widths of vectors that the processor has; or all
 * take this one, if it is not 0.
 */
void bits_force_vectors(unsigned bytes);
/* The width of the next way. */
void bits_next_vectors(crm_settings *settings);

/* One impact: by itself, with the workspace, with its history in three ways. */
void bits_solve(bits_group *group, const crm_model *model, const double *velocity,
                crm_settings *settings);
/* By itself, and on 1, 2, 3 and 7 threads, once with a history. */
void bits_solve_on_threads(bits_group *group, const crm_model *model, const double *velocity,
                           crm_settings *settings);
/* All systems of a batch: on 1, 2 and 3 threads; in lanes, or one by one and as by crm_solve. */
void bits_solve_batch(bits_group *group, crm_batch_def def, crm_settings *settings);
/* A motion: in one go; watched, and stopped half-way; saved half-way and gone on with in another
 * that was made alike. `begin` makes it, moved by these settings, and must be good for any number
 * of times.
 */
typedef crm_motion *bits_begin_motion(const void *scene);
void bits_move(bits_group *group, bits_begin_motion *begin, const void *scene, double duration,
               crm_settings *settings);

/* Every example by each of its laws; those that move, moving (bits_examples.c). */
void bits_solve_examples(bits_group *group);
void bits_move_examples(bits_group *group);

/* ---- The file (bits_file.c) ------------------------------------------------------------------ */

/* A line each. */
void bits_print_group(const bits_group *group);

typedef struct bits_file {
    char *text;
} bits_file;

bits_file bits_file_read(const char *path); /* fails the test when there is none */
void bits_file_free(bits_file *file);
/* Fails the test, and names the group and the first system that differs. */
void bits_file_check(const bits_file *file, const bits_group *group);

#endif
