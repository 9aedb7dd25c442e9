/* What every kind of motion has, and what it must be able to do. Internal to the library. */
#ifndef CRM_MOTION_INTERNAL_H
#define CRM_MOTION_INTERNAL_H

#include "base/base.h"
#include "base/watch.h"
#include "carom/motion.h"
#include "carom/workspace.h"

typedef struct crm_archive crm_archive; /* motion/archive.h */

/* One kind of motion: any Lagrangian system, a scene ... */
typedef struct crm_motion_kind {
    const char *name; /* in archives */
    /* Move on; `time` is finite and not before motion->time. A motion that cannot go on says why
     * in motion->reason and stops with CRM_STOP_FAILED. */
    crm_status (*run)(crm_motion *motion, double time, const crm_observer *observer,
                      crm_motion_stop *stopped, crm_error *error);
    void (*read)(const crm_motion *motion, double *position, double *velocity);
    crm_motion_summary (*summarize)(const crm_motion *motion);
    void (*free)(crm_motion *motion);
    /* Its state, but for what all kinds have; NULL: it cannot be saved. */
    void (*archive)(crm_motion *motion, crm_archive *archive);
} crm_motion_kind;

/* Of what a motion is made: a hash of each part of its definition, to tell whether an archive
 * belongs to it.
 */
#define CRM_MOTION_PART_LIST(X)                                                                    \
    X(CRM_PART_SYSTEM, "system")                                                                   \
    X(CRM_PART_BODIES, "bodies")                                                                   \
    X(CRM_PART_WALLS, "walls")                                                                     \
    X(CRM_PART_CONTACTS, "contacts")                                                               \
    X(CRM_PART_SUSPENDED, "suspended bodies")                                                      \
    X(CRM_PART_SPRINGS, "springs")                                                                 \
    X(CRM_PART_GRAVITY, "gravity")                                                                 \
    X(CRM_PART_VELOCITY, "velocities at the start")

#define CRM_MOTION_PART_ENUM(name, text) name,
enum { CRM_MOTION_PART_LIST(CRM_MOTION_PART_ENUM) CRM_PART_COUNT };
#undef CRM_MOTION_PART_ENUM

/* First member of each kind's own struct. */
struct crm_motion {
    const crm_motion_kind *kind;
    crm_motion_options options;
    const crm_settings *law; /* that resolves impacts */
    crm_settings *own_law;   /* when the options name none */
    crm_workspace *workspace;
    double time;
    size_t positions, velocities;
    uint64_t part[CRM_PART_COUNT];
    uint64_t impacts;
    double at_rest_since; /* NAN: it moves */
    double max_penetration;
    double kinetic_before, potential_before;
    double lost;        /* in impacts */
    double impact_work; /* of moving walls, in impacts */
    bool failed;
    char reason[512];
    crm_watch watch;        /* over each run; {0}: nobody watches */
    crm_watching run;       /* of the run under way */
    crm_watching *watching; /* the same, or that of the motion that this is a part of; NULL: nobody
                               does, or there is no run */
};

/* Options checked and copied, workspace and law made. `motion` is zeroed but for its kind. */
crm_status crm_motion_begin(crm_motion *motion, const crm_motion_options *options,
                            crm_error *error);
/* What crm_motion_begin made. */
void crm_motion_end(crm_motion *motion);
/* The parts of a scene's definition; that of a Lagrangian system. */
void crm_motion_hash_scene(crm_motion *motion, const crm_scene_def *def);
void crm_motion_hash_system(crm_motion *motion, const crm_lagrangian_def *def);
/* The summary of what the motion has counted; `now`: kinetic and potential energy, and the work
 * done so far but for that of impacts, and of position correction.
 */
crm_motion_summary crm_motion_sum_up(const crm_motion *motion, crm_motion_account now);
/* The run is looked over: is it to end? */
bool crm_motion_must_end(crm_motion *motion);
/* The same, after so much has been done, in contacts gone through. */
static inline bool crm_motion_ends(crm_motion *motion, uint64_t work)
{
    return crm_watch_due(motion->watching, work) && crm_motion_must_end(motion);
}
/* It cannot go on: the reason is kept, *stopped set. Returns CRM_OK, as crm_motion_run promises. */
crm_status crm_motion_fail(crm_motion *motion, crm_motion_stop *stopped, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Multiples of observer->every in (after, until], one after the other: the first of them, or
 * INFINITY. */
double crm_motion_next_sample(const crm_observer *observer, double after);

#endif
