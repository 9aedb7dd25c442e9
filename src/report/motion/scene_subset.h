/* The bodies of a scene that a page or figure shows: all, or some of very many, evenly spread. */
#ifndef CRM_SCENE_SUBSET_H
#define CRM_SCENE_SUBSET_H

#include "field/motion.h"

/* Indices in the scene, ascending. */
typedef struct crm_scene_subset {
    bool whole; /* they are all there are */
    size_t body_count, translation_count, rotation_count, velocity_count, spin_count;
    size_t *bodies;
    size_t *translations, *rotations; /* positions: of the centre; angles and orientations */
    size_t *velocities, *spins;       /* their velocities */
} crm_scene_subset;

/* At most `most` bodies. To be freed also after an error. */
crm_status crm_scene_subset_make(const crm_scene_def *scene, size_t most, crm_scene_subset *subset,
                                 crm_error *error);
void crm_scene_subset_free(crm_scene_subset *subset); /* also zeroed */
/* Whether a body of the scene is among them. */
bool crm_scene_subset_has(const crm_scene_subset *subset, size_t body, size_t *place);

#endif
