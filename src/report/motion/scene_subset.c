#include "report/motion/scene_subset.h"

#include <stdlib.h>

#include "base/base.h"

static bool take_memory(const crm_scene_def *scene, crm_scene_subset *subset)
{
    size_t positions = crm_scene_coordinates(scene, false);
    size_t velocities = crm_scene_coordinates(scene, true);
    subset->bodies = CRM_NEW(size_t, scene->bodies.body_count);
    subset->translations = CRM_NEW(size_t, positions);
    subset->rotations = CRM_NEW(size_t, positions);
    subset->velocities = CRM_NEW(size_t, velocities);
    subset->spins = CRM_NEW(size_t, velocities);
    return subset->bodies != NULL && subset->translations != NULL && subset->rotations != NULL &&
           subset->velocities != NULL && subset->spins != NULL;
}

/* Of `count` coordinates from `first` on, translations to one list, rotations to the other. */
static void add_coordinates(size_t first, size_t count, size_t own_translations,
                            size_t *translation, size_t *translation_count, size_t *rotation,
                            size_t *rotation_count)
{
    for (size_t k = 0; k < count; k++) {
        if (k < own_translations) {
            translation[(*translation_count)++] = first + k;
        } else {
            rotation[(*rotation_count)++] = first + k;
        }
    }
}

static void take_body(const crm_scene_walk *walk, size_t position, size_t velocity,
                      crm_scene_subset *c)
{
    size_t own_translations = crm_scene_bob(walk) != NULL ? 0 : walk->scene->bodies.dimension;
    c->bodies[c->body_count++] = walk->body;
    add_coordinates(position, crm_scene_components(walk, false), own_translations, c->translations,
                    &c->translation_count, c->rotations, &c->rotation_count);
    add_coordinates(velocity, crm_scene_components(walk, true), own_translations, c->velocities,
                    &c->velocity_count, c->spins, &c->spin_count);
}

/* The k-th of `most` among `all` is floor(k all / most). */
crm_status crm_scene_subset_make(const crm_scene_def *scene, size_t most, crm_scene_subset *subset,
                                 crm_error *error)
{
    size_t all = scene->bodies.body_count, position = 0, velocity = 0;
    *subset = (crm_scene_subset){.whole = all <= most};
    if (!take_memory(scene, subset)) {
        return crm_fail_memory(error);
    }
    crm_scene_walk walk = {.scene = scene};
    for (; walk.body < all; crm_scene_skip(&walk)) {
        if (subset->whole || walk.body == subset->body_count * all / most) {
            take_body(&walk, position, velocity, subset);
        }
        position += crm_scene_components(&walk, false);
        velocity += crm_scene_components(&walk, true);
    }
    return CRM_OK;
}

void crm_scene_subset_free(crm_scene_subset *subset)
{
    free(subset->bodies);
    free(subset->translations);
    free(subset->rotations);
    free(subset->velocities);
    free(subset->spins);
    *subset = (crm_scene_subset){0};
}

bool crm_scene_subset_has(const crm_scene_subset *subset, size_t body, size_t *place)
{
    size_t low = 0, high = subset->body_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (subset->bodies[middle] < body) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    *place = low;
    return low < subset->body_count && subset->bodies[low] == body;
}
