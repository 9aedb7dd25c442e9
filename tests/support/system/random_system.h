/* Random small systems: chains, any M and W, discs of a packing. */
#ifndef CAROM_TEST_RANDOM_SYSTEM_H
#define CAROM_TEST_RANDOM_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>

#include "rng.h"
#include "small_system.h"

/* What a random system may contain. */
typedef struct random_choice {
    size_t most_contacts;
    bool uniform_exponent; /* one eta for all contacts */
    bool elastic;          /* e = 1 everywhere */
    double least_restitution, most_restitution;
    bool plastic_sometimes;  /* some e = 0 */
    bool stored_energy;      /* some E0 > 0 */
    double stiffness_spread; /* K from 1/spread to spread */
} random_choice;

random_choice random_choice_default(void);
/* A free chain, a struck chain on a wall (never with e = 1 alone) ... */
small_system random_chain(rng *r, random_choice choice, bool wall);
/* A chain of 3 to 8 balls, free or on a wall, with exponents from `least` to `most` (one for the
 * chain, or for each contact its own), equal or mixed masses and stiffnesses, e = 1 or mixed;
 * struck by the first ball, or thrown against the wall.
 */
small_system random_stiff_chain(rng *r, double least, double most, bool each);
/* A full symmetric M and any W; every w has a positive component along one common direction of
 * M^-1, so that a velocity with W'v > 0 exists and the impact can end. Contacts may outnumber
 * coordinates.
 */
small_system random_lagrangian(rng *r, random_choice choice);
/* A connected patch of touching discs cut from a hexagonal packing; fills the geometry too. */
typedef struct disc_patch {
    size_t count;
    double radius;
    double position[SMALL / 2][2];
} disc_patch;
small_system random_disc_patch(rng *r, random_choice choice, disc_patch *patch);

#endif
