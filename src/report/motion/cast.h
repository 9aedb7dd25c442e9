/* Which bodies of a scene are told of: all, or of very many some, evenly spread. */
#ifndef CRM_CAST_H
#define CRM_CAST_H

#include "field/motion.h"

/* Numbers in the scene, ascending. */
typedef struct crm_cast {
    bool whole; /* they are all there are */
    size_t body_count, place_count, turn_count, velocity_count, spin_count;
    size_t *bodies;
    size_t *places, *turns;     /* positions: coordinates, and angles or orientations */
    size_t *velocities, *spins; /* velocities: of the same */
} crm_cast;

/* At most `most` bodies. To be freed also after an error. */
crm_status crm_cast_make(const crm_scene_def *scene, size_t most, crm_cast *cast, crm_error *error);
void crm_cast_free(crm_cast *cast); /* also zeroed */
/* Whether a body of the scene is among them. */
bool crm_cast_has(const crm_cast *cast, size_t body, size_t *place);

#endif
