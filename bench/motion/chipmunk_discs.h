/* Discs in a box by Chipmunk: sequential impulses, a given number of iterations in each step. */
#ifndef BENCH_CHIPMUNK_DISCS_H
#define BENCH_CHIPMUNK_DISCS_H

#include <stddef.h>

typedef struct chipmunk_discs chipmunk_discs;

/* Without friction and restitution; floor and two sides. `place`: x, y of each disc. NULL: no
 * memory.
 */
chipmunk_discs *chipmunk_discs_create(size_t count, double radius, double width, double gravity,
                                      const double *place, int iterations);
void chipmunk_discs_step(chipmunk_discs *discs, double step);
void chipmunk_discs_read(const chipmunk_discs *discs, double *place);
void chipmunk_discs_free(chipmunk_discs *discs);

#endif
