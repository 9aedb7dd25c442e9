/* Random scenes of bodies that meet, part and meet again while others are far away: rods, boxes,
 * ellipses and discs, in space spheres and ellipsoids; among them bobs and springs; walls that move
 * and walls that do not.
 */
#ifndef CAROM_TEST_ENCOUNTER_DRAW_H
#define CAROM_TEST_ENCOUNTER_DRAW_H

#include "carom/carom.h"
#include "support.h"

enum { ENCOUNTER_BODIES = 10, ENCOUNTER_WALLS = 4 };

typedef struct encounter {
    crm_scene_def def;
    crm_body_def body[ENCOUNTER_BODIES];
    crm_wall_def wall[ENCOUNTER_WALLS];
    crm_wall_motion swing[ENCOUNTER_WALLS];
    crm_suspension string[1];
    crm_spring_def spring[2];
    double velocity[6 * ENCOUNTER_BODIES];
    const char *kind, *law;
    double tolerance, restitution, duration;
} encounter;

/* The scene of a seed, one and the same everywhere; def points into it. */
void draw_encounter(uint64_t seed, encounter *scene);

#endif
