/* From a scenario to its motion. */
#include "base/base.h"
#include "scenario/scenario.h"

const crm_scenario_law *crm_scenario_motion_law(const crm_scenario *scenario)
{
    const crm_scenario_law *own = &scenario->motion->law;
    return own->settings != NULL ? own : &scenario->laws[0];
}

static bool anything_moves(const crm_scene_def *scene, size_t velocities)
{
    bool moves = scene->spring_count > 0;
    for (size_t k = 0; k < velocities; k++) {
        moves |= scene->velocity[k] != 0;
    }
    for (unsigned d = 0; d < scene->bodies.dimension; d++) {
        moves |= scene->gravity[d] != 0;
    }
    for (size_t k = 0; k < scene->bodies.wall_count; k++) {
        const double *v = scene->bodies.walls[k].velocity;
        moves |= v[0] != 0 || v[1] != 0 || v[2] != 0 || scene->wall_motion[k].amplitude != 0;
    }
    return moves;
}

crm_status crm_scenario_begin_motion(const crm_scenario *scenario, const crm_scenario_law *law,
                                     crm_motion **motion, crm_error *error)
{
    const crm_scenario_motion *m = scenario->motion;
    crm_motion_options options = m->options;
    options.law = law->settings;
    crm_status status = crm_motion_from_scene(&m->scene, &options, motion, error);
    if (status != CRM_OK || anything_moves(&m->scene, crm_motion_velocities(*motion))) {
        return status;
    }
    crm_motion_free(*motion);
    *motion = NULL;
    return crm_fail(error, CRM_ERROR_MODEL, "bodies",
                    "nothing moves: no body has a velocity, and there is no gravity, spring or "
                    "moving wall");
}
