/* Memory that runs out when a test says so.
 *
 * As built for release, these take the place of the C library's malloc and its kin for the whole
 * program, so that AMD, libyaml, jansson and the C library itself run out, too, and
 * blocks can be counted. Under the sanitizers, which have an allocator of their own, the question
 * is asked by src/base/memory.c alone (CAROM_FAULTS), and leaks are theirs to find.
 */
#ifndef CAROM_TEST_FAULTS_H
#define CAROM_TEST_FAULTS_H

#include <stdbool.h>
#include <stddef.h>

/* From now on allocations are counted, and number `first` fails (from 1; 0: none); with `onwards`,
 * all later ones fail as well.
 */
void faults_arm(size_t first, bool onwards);
/* Nothing fails any more; how many allocations were asked for. */
size_t faults_disarm(void);
/* Blocks that are allocated now; 0 where they cannot be counted. */
size_t faults_live(void);
/* Says where the allocation that failed first was asked for: its callers, on standard error. */
void faults_trace(bool on);
/* The end of a child, without what the parent's end does: buffers, handlers. */
_Noreturn void faults_leave(int status);

#endif
