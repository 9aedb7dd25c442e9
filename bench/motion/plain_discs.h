/* Equal elastic discs in a square box, written for it alone, for comparison by bench_motion.
 * The method is the textbook's: the next event of each disc, cells, a heap; nothing but two
 * coordinates, one radius, one mass, no gravity, no other shapes, laws or simultaneous contacts.
 */
#ifndef PLAIN_DISCS_H
#define PLAIN_DISCS_H

#include <stddef.h>
#include <stdint.h>

typedef struct plain_discs plain_discs;

/* `state`: x, y, vx, vy of each; the box is from 0 to `side`. NULL: no memory. */
plain_discs *plain_discs_create(size_t count, double side, double radius, const double *state);
void plain_discs_free(plain_discs *discs);
/* Runs until this many impacts of pairs have happened in all. */
void plain_discs_run(plain_discs *discs, uint64_t pair_impacts);
double plain_discs_energy(const plain_discs *discs);
double plain_discs_time(const plain_discs *discs);

#endif
