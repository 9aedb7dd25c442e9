#include "report/motion/cast.h"

#include <stdlib.h>

#include "base/base.h"

static bool take_memory(const crm_scene_def *scene, crm_cast *cast)
{
    size_t positions = crm_scene_coordinates(scene, false);
    size_t velocities = crm_scene_coordinates(scene, true);
    cast->bodies = CRM_NEW(size_t, scene->bodies.body_count);
    cast->places = CRM_NEW(size_t, positions);
    cast->turns = CRM_NEW(size_t, positions);
    cast->velocities = CRM_NEW(size_t, velocities);
    cast->spins = CRM_NEW(size_t, velocities);
    return cast->bodies != NULL && cast->places != NULL && cast->turns != NULL &&
           cast->velocities != NULL && cast->spins != NULL;
}

/* Of `count` numbers from `first` on those of the place to one list, the others to another. */
static void share(size_t first, size_t count, size_t of_place, size_t *place, size_t *place_count,
                  size_t *turn, size_t *turn_count)
{
    for (size_t k = 0; k < count; k++) {
        if (k < of_place) {
            place[(*place_count)++] = first + k;
        } else {
            turn[(*turn_count)++] = first + k;
        }
    }
}

static void take_body(const crm_scene_walk *walk, size_t position, size_t velocity, crm_cast *c)
{
    size_t of_place = crm_scene_bob(walk) != NULL ? 0 : walk->scene->bodies.dimension;
    c->bodies[c->body_count++] = walk->body;
    share(position, crm_scene_components(walk, false), of_place, c->places, &c->place_count,
          c->turns, &c->turn_count);
    share(velocity, crm_scene_components(walk, true), of_place, c->velocities, &c->velocity_count,
          c->spins, &c->spin_count);
}

/* The k-th of `most` among `all` is floor(k all / most). */
crm_status crm_cast_make(const crm_scene_def *scene, size_t most, crm_cast *cast, crm_error *error)
{
    size_t all = scene->bodies.body_count, position = 0, velocity = 0;
    *cast = (crm_cast){.whole = all <= most};
    if (!take_memory(scene, cast)) {
        return crm_fail_memory(error);
    }
    crm_scene_walk walk = {.scene = scene};
    for (; walk.body < all; crm_scene_skip(&walk)) {
        if (cast->whole || walk.body == cast->body_count * all / most) {
            take_body(&walk, position, velocity, cast);
        }
        position += crm_scene_components(&walk, false);
        velocity += crm_scene_components(&walk, true);
    }
    return CRM_OK;
}

void crm_cast_free(crm_cast *cast)
{
    free(cast->bodies);
    free(cast->places);
    free(cast->turns);
    free(cast->velocities);
    free(cast->spins);
    *cast = (crm_cast){0};
}

bool crm_cast_has(const crm_cast *cast, size_t body, size_t *place)
{
    size_t low = 0, high = cast->body_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (cast->bodies[middle] < body) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    *place = low;
    return low < cast->body_count && cast->bodies[low] == body;
}
