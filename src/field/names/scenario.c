#include "field/motion.h"

void crm_scenario_coordinate_name(const crm_scenario *scenario, bool velocity, size_t coordinate,
                                  char *text, size_t size)
{
    if (size == 0) {
        return;
    }
    text[0] = '\0';
    const crm_scene_def *scene = crm_scenario_scene(scenario);
    crm_scene_walk walk = crm_scene_begin(scene, velocity);
    bool there = scene != NULL && crm_scene_next(&walk);
    for (size_t i = 0; i < coordinate && there; i++) {
        there = crm_scene_next(&walk);
    }
    if (there) {
        crm_scene_name(&walk, text, size);
    }
}
