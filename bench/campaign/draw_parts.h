/* What the kinds of random systems are made of. */
#ifndef CAROM_CAMPAIGN_DRAW_PARTS_H
#define CAROM_CAMPAIGN_DRAW_PARTS_H

#include "support.h"

/* ---- Numbers ------------------------------------------------------------------------------- */

typedef double draw_number(rng *r);

bool one_chance_in(rng *r, size_t one_in);
double common_exponent(rng *r);
double any_restitution(rng *r);
void fill(rng *r, double *values, size_t count, draw_number *number, bool same);
double near_one(rng *r);
double one(rng *r);
void draw_contacts(rng *r, small_system *system);
void store_energy(rng *r, small_system *system);
void set_masses(small_system *system, const double *mass);

/* ---- Discs and balls ------------------------------------------------------------------------ */

small_system draw_patch(rng *r);
small_system draw_ring(rng *r);
small_system draw_stack(rng *r);
small_system draw_space(rng *r);

#endif
