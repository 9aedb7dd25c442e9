/* What the files that make a packing share. Internal. */
#ifndef CRM_PACKING_H
#define CRM_PACKING_H

#include "model/packing/lattice.h"
#include "model/parts.h"
#include "model/values.h"

/* Where the projectile touches: balls of the top level, and sides of a box (left, right, front,
 * back).
 */
typedef struct crm_packing_strike {
    size_t count;
    size_t ball[4];
    double normal[4][3]; /* from the ball to the projectile */
    bool on_side[4];
} crm_packing_strike;

crm_status crm_packing_find_strike(const crm_packing_def *def, const crm_lattice_shape *shape,
                                   crm_packing_strike *strike, crm_error *error);

/* The parts, being filled contact after contact. */
typedef struct crm_packing_filler {
    crm_lattice_shape shape;
    unsigned turns; /* spins of a ball; 0 without friction */
    size_t bodies;
    crm_parts *parts;
    uint32_t *party;
    size_t contacts, entries, tangent_entries; /* so far */
} crm_packing_filler;

/* Spins of a ball: none without friction, else 1 in the plane and 3 in space. */
unsigned crm_packing_turns(const crm_packing_def *def);
static inline size_t crm_packing_stride(const crm_packing_filler *f)
{
    return f->shape.dimension + f->turns;
}
/* Given, or that of the balls. */
static inline double crm_packing_radius(const crm_packing_def *def, bool projectile)
{
    return projectile ? crm_values_first_given(def->projectile->radius, def->radius) : def->radius;
}

/* Every contact, in the order that carom/model.h promises. */
crm_status crm_packing_fill_contacts(const crm_packing_def *def, const crm_packing_strike *strike,
                                     crm_packing_filler *f, crm_error *error);
size_t crm_packing_count_wall_contacts(const crm_packing_def *def, const crm_lattice_shape *shape,
                                       const crm_packing_strike *strike);
size_t crm_packing_count_walls(const crm_packing_def *def, const crm_lattice_shape *shape);

#endif
