/* What is told of a motion. */
#ifndef CRM_REPORT_MOTION_H
#define CRM_REPORT_MOTION_H

#include "report/report.h"

/* The impact with the highest closing speed. */
typedef struct crm_strongest {
    uint64_t number; /* 0: there was none */
    double time, closing_speed;
    size_t party[2];
} crm_strongest;

typedef struct crm_motion_report {
    const char *title; /* "" when there is none */
    const crm_scene_def *scene;
    crm_motion_scheme scheme;
    const char *law; /* its label */
    double time, duration;
    crm_motion_stop stopped;
    const char *reason; /* of CRM_STOP_FAILED */
    crm_motion_summary summary;
    crm_strongest strongest;
    uint64_t unsolved; /* impacts to which the law gave no answer but the state it had reached */
    const double *position, *velocity;
} crm_motion_report;

const char *crm_motion_scheme_text(crm_motion_scheme scheme);

/* As crm_report_table and crm_report_json do. */
void crm_motion_report_table(const crm_motion_report *report, crm_style style, FILE *stream);
crm_status crm_motion_report_json(const crm_motion_report *report, FILE *stream, crm_error *error);
/* The last state, one row per coordinate: index (from 1), name, position, velocity; empty where
 * there is none.
 */
void crm_motion_report_csv(const crm_motion_report *report, FILE *stream);

/* ---- Names -------------------------------------------------------------------------------- */

/* The positions or the velocities of a scene, body after body: a place, then the angle of a rod; of
 * a bob its angle alone; of a fixed body none.
 */
typedef struct crm_scene_walk {
    const crm_scene_def *scene;
    bool velocity;
    size_t body, component; /* where it is */
    size_t bob;             /* the next of the scene's bobs */
} crm_scene_walk;

crm_scene_walk crm_scene_begin(const crm_scene_def *scene, bool velocity);
/* False past the last one. */
bool crm_scene_next(crm_scene_walk *walk);
void crm_scene_skip(crm_scene_walk *walk); /* to the next body */
/* Of the body where it is. */
size_t crm_scene_components(const crm_scene_walk *walk, bool velocity);
const crm_suspension *crm_scene_bob(const crm_scene_walk *walk); /* NULL: it does not hang */
/* "ball x", "rod angle"; of velocities "ball vx", "rod spin". */
void crm_scene_name(const crm_scene_walk *walk, char *text, size_t size);
size_t crm_scene_coordinates(const crm_scene_def *scene, bool velocity);

/* Positions beside velocities, zeroed before the first. */
typedef struct crm_scene_pairs {
    crm_scene_walk walk;
    bool has[2];     /* a position, a velocity */
    size_t index[2]; /* of them */
    char name[CRM_NAME_SIZE + 8];
} crm_scene_pairs;

bool crm_scene_next_pair(crm_scene_pairs *pairs, const crm_scene_def *scene);

/* ---- Places -------------------------------------------------------------------------------- */

/* A body in space; coordinates that the scene does not have are 0. */
typedef struct crm_pose {
    size_t body;
    double x[3], v[3];     /* of the centre */
    double orientation[4]; /* w, x, y, z */
    double spin[3];
    double radius;
    double extent[3]; /* half of it, along the body's own axes */
} crm_pose;

/* One for each body. */
void crm_scene_poses(const crm_scene_def *scene, const double *position, const double *velocity,
                      crm_pose *places);

/* ---- Rows as they come ---------------------------------------------------------------------- */

/* time, positions and velocities by name */
void crm_states_begin(const crm_scene_def *scene, FILE *stream);
void crm_states_row(FILE *stream, double time, size_t positions, const double *position,
                    size_t velocities, const double *velocity);

/* The same for ParaView, a file for each time and a collection of them. */
void crm_states_vtp(FILE *stream, double time, const crm_pose *places, size_t count);
void crm_collection_begin(FILE *stream);
void crm_collection_entry(FILE *stream, double time, const char *file);
void crm_collection_end(FILE *stream);

/* impact, time, contacts, closing_speed, lost, impulse, status, the four verdicts (0 or 1); what
 * there is of every contact is joined by ';'.
 */
void crm_impacts_begin(const crm_scene_def *scene, FILE *stream);
void crm_impacts_row(const crm_scene_def *scene, FILE *stream, const crm_impact_report *impact);

#endif
