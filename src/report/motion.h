/* The report on a motion. */
#ifndef CRM_REPORT_MOTION_H
#define CRM_REPORT_MOTION_H

#include "field/motion.h"
#include "report/motion/scene_subset.h"
#include "report/report.h"

typedef struct crm_motion_report {
    const char *title; /* "" when there is none */
    crm_motion_scheme scheme;
    const char *law; /* its label */
    double duration;
    const char *reason;           /* of CRM_STOP_FAILED */
    const crm_warnings *warnings; /* warnings about what was read; NULL: none */
    crm_motion_state moved;
    const crm_scene_subset *subset; /* the bodies that JSON has; NULL: all */
} crm_motion_report;

const char *crm_motion_scheme_text(crm_motion_scheme scheme);

/* Whether the result calls for another computation, such as a shorter step; the text says which. */
bool crm_motion_warning(const crm_motion_state *moved, char *text, size_t size);

/* As crm_report_table and crm_report_json do. */
crm_status crm_motion_report_table(const crm_motion_report *report, crm_style style, FILE *stream,
                                   crm_error *error);
crm_status crm_motion_report_json(const crm_motion_report *report, FILE *stream, crm_error *error);
/* The last state, one row per coordinate: index (from 1), name, position, velocity; empty where
 * there is none.
 */
void crm_motion_report_csv(const crm_motion_report *report, FILE *stream);

/* "N", or "K=1" where no contact of the scene has any other stiffness than 1: then forces within
 * impacts, unlike the time of the motion, have no unit (crm_field_unit).
 */
const char *crm_scene_force_unit(const crm_scene_def *scene);

/* ---- Poses ----------------------------------------------------------------------------------- */

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
void crm_poses_compute(const crm_scene_def *scene, const double *position, const double *velocity,
                       crm_pose *poses);

/* ---- Some of the bodies ---------------------------------------------------------------------- */

bool crm_scene_is_called(const crm_bodies_def *bodies, size_t body, const char *name);
/* Those that a list such as "cue, 1-3, -1" names or numbers become true of `chosen`, which has an
 * entry for each body and is false before. None of them: an error.
 */
crm_status crm_scene_choose(const crm_scene_def *scene, const char *list, bool *chosen,
                            crm_error *error);

/* ---- Histories and impacts, row by row ------------------------------------------------------- */

/* time, positions and velocities by name, of the bodies chosen; NULL: of all */
void crm_motion_csv_states_heading(const crm_scene_def *scene, const bool *chosen, FILE *stream);
void crm_motion_csv_states_row(FILE *stream, double time, size_t positions, const double *position,
                               size_t velocities, const double *velocity);

/* The same for ParaView, a file for each time and a collection of them. */
void crm_vtk_states(FILE *stream, double time, const crm_pose *poses, size_t count);
void crm_vtk_collection_begin(FILE *stream);
void crm_vtk_collection_entry(FILE *stream, double time, const char *file);
void crm_vtk_collection_end(FILE *stream);

/* impact, time, contacts, closing_speed, lost, impulse, status, the four verdicts (0 or 1); values
 * of the contacts are joined by ';'. False: no memory, and the row is not whole.
 */
void crm_motion_csv_impacts_heading(FILE *stream);
bool crm_motion_csv_impacts_row(const crm_scene_def *scene, FILE *stream,
                                const crm_impact_report *impact);

#endif
