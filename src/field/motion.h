/* The fields of a motion that has ended: one description, from which JSON, `carom fields motion`
 * and the quantities that studies record are made. Another one is one line of the table in
 * motion.c.
 */
#ifndef CRM_FIELD_MOTION_H
#define CRM_FIELD_MOTION_H

#include "carom/carom.h"
#include "field/field.h"

/* ---- Whose they are ------------------------------------------------------------------------- */

/* The impact with the highest closing speed. */
typedef struct crm_strongest {
    uint64_t number; /* 0: there was none */
    double time, closing_speed;
    size_t party[2];
} crm_strongest;

/* A motion where it has come to, with all that a field may be taken from. */
typedef struct crm_motion_state {
    const crm_scene_def *scene;
    double time;
    crm_motion_stop stopped;
    crm_motion_summary summary;
    crm_strongest strongest;
    uint64_t unsolved; /* impacts to which the law gave no answer but the state it had reached */
    const double *position, *velocity; /* NULL: it did not move; then nothing is defined */
} crm_motion_state;

/* One more impact. */
void crm_motion_add_impact(crm_motion_state *moved, const crm_impact_report *impact);

/* ---- Descriptions --------------------------------------------------------------------------- */

typedef enum crm_motion_of { CRM_OF_MOTION, CRM_OF_POSITION, CRM_OF_VELOCITY } crm_motion_of;

typedef struct crm_motion_field {
    const char *name; /* of JSON and studies; "energy.lost" is `lost` in JSON's `energy` */
    const char *text; /* for the documents */
    const char *unit; /* NULL: none */
    crm_motion_of of;
    crm_field_kind kind;
    bool json;
    double (*value)(const crm_motion_state *moved, size_t index); /* NAN: not defined */
} crm_motion_field;

size_t crm_motion_fields(void);
const crm_motion_field *crm_motion_field_at(size_t index);
/* How many entries it has in a scene; 1 of the motion itself. */
size_t crm_motion_field_count(const crm_motion_field *field, const crm_scene_def *scene);
/* What an entry is called: "ball x", "rod spin". */
void crm_motion_entry_name(const crm_motion_field *field, const crm_scene_def *scene, size_t index,
                           char *text, size_t size);

/* ---- The coordinates of a scene ------------------------------------------------------------- */

/* The positions or the velocities of a scene, body after body: a place, then the angle of what
 * has one, or the orientation of an ellipsoid, whose spins are one fewer; of a bob its angle alone;
 * of a fixed body none.
 */
enum { CRM_COORDINATE_SIZE = CRM_NAME_SIZE + 16 }; /* of a name, with its 0 */

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
void crm_scene_name_at(const crm_scene_def *scene, bool velocity, size_t index, char *text,
                       size_t size);
size_t crm_scene_coordinates(const crm_scene_def *scene, bool velocity);

/* ---- The contacts of an impact --------------------------------------------------------------- */

/* Which of several contacts between the same two it is, from 1; 0: there is no other one. They
 * follow one another.
 */
size_t crm_impact_contact_number(const crm_impact_report *impact, size_t contact);
/* "block - floor (2)"; place 0: "block - floor" */
void crm_impact_contact_name(const crm_scene_def *scene, const size_t party[2], size_t place,
                             char *text, size_t size);

/* ---- Positions and velocities, side by side -------------------------------------------------- */

/* Positions beside velocities, zeroed before the first. */
typedef struct crm_scene_pairs {
    crm_scene_walk walk;
    bool has[2];     /* a position, a velocity */
    size_t index[2]; /* of them */
    char name[CRM_COORDINATE_SIZE];
} crm_scene_pairs;

bool crm_scene_next_pair(crm_scene_pairs *pairs, const crm_scene_def *scene);

#endif
