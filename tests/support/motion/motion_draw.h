/* Random scenes of all shapes of the plane between walls, and properties that every motion of them
 * must have.
 */
#ifndef CAROM_TEST_MOTION_DRAW_H
#define CAROM_TEST_MOTION_DRAW_H

#include "carom/carom.h"
#include "support.h"

enum { DRAWN_BODIES = 6, DRAWN_WALLS = 4 };

typedef struct drawn_scene {
    crm_scene_def def;
    crm_body_def body[DRAWN_BODIES];
    crm_wall_def wall[DRAWN_WALLS];
    double velocity[3 * DRAWN_BODIES];
    const char *law;
    double restitution;
    double duration;
} drawn_scene;

/* The scene of a seed, one and the same everywhere; def points into it. */
void draw_scene(uint64_t seed, drawn_scene *scene);

typedef struct drawn_course {
    crm_status status;
    crm_error error;
    crm_motion_stop stopped;
    char reason[512];
    uint64_t impacts;
    double time;        /* where it stopped */
    double error_part;  /* of the energy account, as a part of the energy at the start */
    double gained_part; /* energy that was not there, likewise; 0: none */
    double penetration; /* as the motion says, as a part of the size */
    double overlap;     /* of any two bodies, or of a body and a wall, at 50 instants: by support
                           functions, of which the library has no part */
} drawn_course;

/* Move it, through at most `impacts` of them. */
drawn_course follow_scene(const drawn_scene *scene, uint64_t impacts);
/* NULL: all is well; else what is not. */
const char *judge_course(const drawn_course *course);

#endif
