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
/* The last state, one row per coordinate: index (from 1), name, position, velocity. */
void crm_motion_report_csv(const crm_motion_report *report, FILE *stream);

/* ---- Names -------------------------------------------------------------------------------- */

/* The positions of a scene, body after body: the centre, then the angle of what has one, or the
 * orientation of an ellipsoid; of a bob its angle alone; of a fixed body none. Velocities go beside
 * them, but for the last of an orientation, which has none.
 */
typedef struct crm_scene_walk {
    const crm_scene_def *scene;
    size_t body, component; /* where it is */
    size_t bob;             /* the next of the scene's bobs */
    size_t rate;            /* index of the velocity beside it */
} crm_scene_walk;

crm_scene_walk crm_scene_begin(const crm_scene_def *scene);
/* False past the last one. */
bool crm_scene_next(crm_scene_walk *walk);
bool crm_scene_has_rate(const crm_scene_walk *walk);
size_t crm_scene_positions(const crm_scene_def *scene);
size_t crm_scene_velocities(const crm_scene_def *scene);
enum { CRM_COORDINATE_SIZE = CRM_NAME_SIZE + 16 };
/* "ball x", "rod angle"; as a velocity "ball vx", "rod spin". */
void crm_scene_name(const crm_scene_walk *walk, bool velocity, char *text, size_t size);

/* ---- Rows as they come ---------------------------------------------------------------------- */

/* time, positions and velocities by name */
void crm_states_begin(const crm_scene_def *scene, FILE *stream);
void crm_states_row(FILE *stream, double time, size_t positions, const double *position,
                    size_t velocities, const double *velocity);

/* impact, time, contacts, closing_speed, lost, impulse, status, the four verdicts (0 or 1); what
 * there is of every contact is joined by ';'. False: no memory, and the row is not whole.
 */
void crm_impacts_begin(FILE *stream);
bool crm_impacts_row(const crm_scene_def *scene, FILE *stream, const crm_impact_report *impact);

#endif
