/* Each allocation of a deed fails once, and all from it on: what comes of it.
 *
 * A deed is a call of the library, or a command of the program, with the inputs it needs. However
 * memory runs out it must end as documented: the answer it always gives, bit for bit, or "out of
 * memory"; no block is lost, and the same inputs give the same answer afterwards. Deeds are done in
 * a child, so that a crash is counted and does not end the test.
 */
#ifndef CAROM_TEST_TORTURE_H
#define CAROM_TEST_TORTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "carom/carom.h"

/* What became of one run. */
#define TORTURE_VERDICT_LIST(X)                                                                    \
    X(TORTURE_CRASHED, "crashed")                                                                  \
    X(TORTURE_ANSWERED, "the usual answer")                                                        \
    X(TORTURE_REFUSED, "out of memory, and said so")                                               \
    X(TORTURE_MISTAKEN, "another status")                                                          \
    X(TORTURE_SILENT, "no message")                                                                \
    X(TORTURE_LEAKED, "blocks lost")                                                               \
    X(TORTURE_DEVIATED, "another answer")                                                          \
    X(TORTURE_SPOILED, "inputs spoiled")                                                           \
    X(TORTURE_LITTERED, "files half-written or left")                                              \
    X(TORTURE_ENDED, "ended by HDF5 or the loader, nothing lost")

#define TORTURE_VERDICT_ENUM(name, text) name,
typedef enum torture_verdict {
    TORTURE_VERDICT_LIST(TORTURE_VERDICT_ENUM) TORTURE_VERDICTS
} torture_verdict;
#undef TORTURE_VERDICT_ENUM

typedef struct torture_tally {
    size_t runs;
    size_t of[TORTURE_VERDICTS];
} torture_tally;

/* Every `stride`-th allocation; each of them alone, then all from it on. */
typedef struct torture_plan {
    size_t stride;
    size_t daily;     /* 0: all commands; else those of every day, by so many of their strides */
    bool traces;      /* says where the allocation was asked for whose failure was not borne */
    bool tells;       /* how many allocations each deed makes */
    const char *only; /* deeds whose names contain this; NULL: all */
} torture_plan;

/* Runs that did not end as documented; each is told on standard error. */
size_t torture_faults(const torture_tally *tally);
void torture_print(const char *what, const torture_tally *tally);
/* For the runner of one kind of deeds. */
bool torture_wants(const torture_plan *plan, const char *name);
void torture_note(torture_tally *tally, torture_verdict verdict, const char *name, size_t first,
                  bool onwards);

/* All public calls that can fail, and all commands of the program; the latter in a folder. */
void torture_calls(const torture_plan *plan, torture_tally *tally);
void torture_motions(const torture_plan *plan, torture_tally *tally);   /* a part of the calls, */
void torture_scenarios(const torture_plan *plan, torture_tally *tally); /* and another */
void torture_commands(const torture_plan *plan, const char *folder, torture_tally *tally);

/* ---- Calls ---------------------------------------------------------------------------------- */

/* Makes, computes and frees; what it computed goes into *hash. `input` was made with all the memory
 * it wanted, and is only read.
 */
typedef struct torture_deed {
    const char *name;
    crm_status (*act)(const void *input, uint64_t *hash, crm_error *error);
    const void *input;
} torture_deed;

void torture_call(const torture_deed *deed, const torture_plan *plan, torture_tally *tally);
/* FNV-1a. */
void torture_mix(uint64_t *hash, const void *bytes, size_t size);

#endif
