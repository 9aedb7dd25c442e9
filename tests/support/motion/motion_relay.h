/* Motions that are saved, freed and loaded into another one, again and again; forged archives. */
#ifndef CAROM_TEST_MOTION_RELAY_H
#define CAROM_TEST_MOTION_RELAY_H

#include "carom/carom.h"
#include "support.h"

/* ---- Bytes: free() what they are at ---------------------------------------------------------- */

typedef struct bytes {
    unsigned char *at;
    size_t size, room, read;
} bytes;

crm_status relay_give(void *context, void *some, size_t size);
bytes relay_saved(const crm_motion *motion);
void relay_load(crm_motion *motion, bytes *b);
/* Checksums as the head of archive.h describes them. */
void relay_sign(bytes *b);
/* Other bytes for a value of 4 or 8 that begins anywhere in the content; then signed. */
void relay_forge(bytes *b, rng *r);
/* Saves it, forges that so often and loads it: whatever numbers an archive has, nothing is read or
 * written where it must not be (for the sanitizers). How many were loaded; those that were go on
 * for `further`.
 */
size_t relay_forgeries(crm_motion *motion, rng *r, size_t tries, double further);

/* ---- Runs ------------------------------------------------------------------------------------ */

/* All that an observer had, and where it interrupts. */
typedef struct told {
    uint64_t hash;
    size_t calls;
    size_t left; /* calls until it stops the run; 0: never */
    size_t positions, velocities;
} told;

/* It may end anywhere, but without an error. */
crm_motion_stop relay_run(crm_motion *motion, double end, const crm_observer *observer);
crm_motion_stop relay_tell(crm_motion *motion, double end, told *l);
void relay_add_end(const crm_motion *motion, told *l);

typedef crm_motion *relay_begin(void *scene);
told relay_whole(relay_begin *begin, void *scene, double end);
/* Saved, thrown away and loaded into another after every `stride` calls, and `first` ones. */
told relay_parts(relay_begin *begin, void *scene, double end, size_t first, size_t stride);

#endif
