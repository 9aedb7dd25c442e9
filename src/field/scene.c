/* The coordinates of a scene, and their names. */
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "field/motion.h"
#include "model/bodies/bodies.h"
#include "model/bodies/touches.h"

const crm_suspension *crm_scene_bob(const crm_scene_walk *walk)
{
    const crm_scene_def *scene = walk->scene;
    bool hangs =
        walk->bob < scene->suspended_count && scene->suspended[walk->bob].body == walk->body;
    return hangs ? &scene->suspended[walk->bob] : NULL;
}

size_t crm_scene_components(const crm_scene_walk *walk, bool velocity)
{
    const crm_body_def *body = &walk->scene->bodies.bodies[walk->body];
    unsigned turns = crm_body_turns(body, 0);
    if (body->fixed) {
        return 0;
    }
    /* An orientation in space has four positions and three rates. */
    return crm_scene_bob(walk) != NULL
               ? 1
               : walk->scene->bodies.dimension + turns + (turns == 3 && !velocity);
}

void crm_scene_skip(crm_scene_walk *walk)
{
    walk->bob += crm_scene_bob(walk) != NULL;
    walk->body++;
    walk->component = 0;
}

/* Before the first one: the next is component 0 of body 0, or of the first that has any. */
crm_scene_walk crm_scene_begin(const crm_scene_def *scene, bool velocity)
{
    return (crm_scene_walk){.scene = scene, .velocity = velocity, .component = SIZE_MAX};
}

bool crm_scene_next(crm_scene_walk *walk)
{
    walk->component++;
    while (walk->body < walk->scene->bodies.body_count &&
           walk->component >= crm_scene_components(walk, walk->velocity)) {
        crm_scene_skip(walk);
    }
    return walk->body < walk->scene->bodies.body_count;
}

size_t crm_scene_coordinates(const crm_scene_def *scene, bool velocity)
{
    size_t count = 0;
    for (crm_scene_walk walk = {.scene = scene}; walk.body < scene->bodies.body_count;
         crm_scene_skip(&walk)) {
        count += crm_scene_components(&walk, velocity);
    }
    return count;
}

void crm_scene_name(const crm_scene_walk *walk, char *text, size_t size)
{
    static const char *const places[] = {"x", "y", "z"}, *const rates[] = {"vx", "vy", "vz"};
    static const char *const turns[] = {"orientation w", "orientation x", "orientation y",
                                        "orientation z"};
    static const char *const spins[] = {"spin x", "spin y", "spin z"};
    unsigned dimension = walk->scene->bodies.dimension;
    const char *word = walk->velocity ? "spin" : "angle";
    if (crm_scene_bob(walk) == NULL && walk->component < dimension) {
        word = walk->velocity ? rates[walk->component] : places[walk->component];
    } else if (dimension == 3) {
        word = walk->velocity ? spins[walk->component - 3] : turns[walk->component - 3];
    }
    crm_bodies_party_name(&walk->scene->bodies, walk->body, text, size);
    size_t used = strlen(text);
    snprintf(text + used, size - used, " %s", word);
}

void crm_scene_name_at(const crm_scene_def *scene, bool velocity, size_t index, char *text,
                       size_t size)
{
    crm_scene_walk walk = crm_scene_begin(scene, velocity);
    for (size_t at = 0; crm_scene_next(&walk) && at < index;) {
        at++;
    }
    crm_scene_name(&walk, text, size);
}

/* In order; where a body has more positions than velocities, or fewer, one of the pair is missing.
 */
bool crm_scene_next_pair(crm_scene_pairs *pairs, const crm_scene_def *scene)
{
    crm_scene_walk *walk = &pairs->walk;
    bool first = walk->scene == NULL;
    walk->scene = scene;
    for (int k = 0; k < 2 && !first; k++) {
        pairs->index[k] += pairs->has[k];
    }
    walk->component += !first;
    while (walk->body < scene->bodies.body_count &&
           walk->component >= crm_scene_components(walk, false) &&
           walk->component >= crm_scene_components(walk, true)) {
        crm_scene_skip(walk);
    }
    if (walk->body == scene->bodies.body_count) {
        return false;
    }
    pairs->has[0] = walk->component < crm_scene_components(walk, false);
    pairs->has[1] = walk->component < crm_scene_components(walk, true);
    walk->velocity = !pairs->has[0];
    crm_scene_name(walk, pairs->name, sizeof pairs->name);
    return true;
}
