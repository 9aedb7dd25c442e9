/* Scenes of balls and walls, moved by the library, from the same numbers as the judge's. */
#ifndef FLIGHT_CALL_H
#define FLIGHT_CALL_H

#include <carom/carom.h>

#include "flight_judge.h"

judge_scene judge_scene_blank(unsigned dimension);
/* Returns its number. */
size_t judge_scene_ball(judge_scene *scene, double radius, double mass, double x, double y,
                        double z);
size_t judge_scene_wall(judge_scene *scene, double nx, double ny, double nz, double offset);

/* A ball of radius 0.1 under gravity of 9.81, its lowest point so high. */
judge_scene ball_over_floor(double height);

/* NULL: newton, which is the same as the contact's restitution for one contact. */
crm_settings *named_law(const char *name);
/* The definition of a scene, and all that it points to. */
typedef struct scene_parts {
    crm_body_def body[JUDGE_BALLS];
    crm_wall_def wall[JUDGE_WALLS];
    crm_wall_motion motion[JUDGE_WALLS];
    double velocity[3 * JUDGE_BALLS];
    crm_scene_def def;
} scene_parts;
void flight_scene_parts(const judge_scene *scene, double restitution, scene_parts *parts);
/* Must succeed. */
crm_motion *flight_motion(const judge_scene *scene, double restitution,
                          const crm_motion_options *options);
/* The same by a law of this name; both are ended by end_motion. */
crm_motion *motion_by(const judge_scene *scene, double restitution, const char *law,
                      crm_settings **settings);
void end_motion(crm_motion *motion, crm_settings *settings);
void flight_run(crm_motion *motion, double time, crm_motion_stop expected);
/* The motion's state becomes the scene's. */
void flight_scene_read(const crm_motion *motion, judge_scene *scene);

/* The next impact, or none until `end`. */
typedef struct seen_impact {
    bool seen;
    double time;
    size_t contacts;
    size_t party[64][2];
    double closing_speed[64];
} seen_impact;

seen_impact flight_next_impact(crm_motion *motion, double end);

#endif
