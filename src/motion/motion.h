/* What every kind of motion has, and the functions that it must provide. Internal to the library.
 */
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
    /* Runs to `time`, which is finite and not before motion->time. A motion that cannot go on sets
     * motion->reason and stops with CRM_STOP_FAILED. */
    crm_status (*run)(crm_motion *motion, double time, const crm_observer *observer,
                      crm_motion_stop *stopped, crm_error *error);
    void (*read)(const crm_motion *motion, double *position, double *velocity);
    crm_motion_summary (*summarize)(const crm_motion *motion);
    void (*free)(crm_motion *motion);
    /* Lists its own state, without that of all kinds; NULL: it cannot be saved. */
    void (*archive)(crm_motion *motion, crm_archive *archive);
} crm_motion_kind;

/* Parts of a motion's definition: a hash of each shows whether an archive belongs to it. */
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
    const crm_settings *law;        /* that resolves impacts */
    crm_settings *own_law;          /* when the options name none */
    struct crm_motion_rules *rules; /* scene/rules.c; NULL: contacts have numbers alone */
    crm_settings *plastic; /* a law that leaves nothing closing: ends accumulations of impacts */
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
    crm_watch watch;  /* of each run; {0}: none */
    crm_watching run; /* of the present run */
    crm_watching
        *watching; /* &run, or that of the motion that this is part of; NULL: no watch or no run */
};

/* Checks and copies options, makes workspace and law. `motion` is zero except for its kind. */
crm_status crm_motion_begin(crm_motion *motion, const crm_motion_options *options,
                            crm_error *error);
/* Curves and rules of a scene's contacts, made once: *with is the definition, its contacts and
 * pairs with crm_compliance_def.made. *rules NULL: there are none, and *with is *def.
 */
crm_status crm_motion_rules_make(const crm_scene_def *def, const crm_motion_options *options,
                                 crm_scene_def *with, struct crm_motion_rules **rules,
                                 crm_error *error);
void crm_motion_rules_free(struct crm_motion_rules *rules); /* NULL is fine */

/* Frees what crm_motion_begin made. */
void crm_motion_end(crm_motion *motion);
/* Sets motion->part, for a scene and for a Lagrangian system. */
void crm_motion_hash_scene(crm_motion *motion, const crm_scene_def *def);
void crm_motion_hash_system(crm_motion *motion, const crm_lagrangian_def *def);
void crm_motion_hash_rules(crm_motion *motion, const crm_compliance *const *of, size_t gaps);
/* The summary; `now`: kinetic and potential energy, position correction, and work so far without
 * that of impacts.
 */
crm_motion_summary crm_motion_sum_up(const crm_motion *motion, crm_motion_account now);
/* Reports progress to the watch; whether the run must end. */
bool crm_motion_must_end(crm_motion *motion);
/* The same, if due after so much more work, in contacts visited. */
static inline bool crm_motion_ends(crm_motion *motion, uint64_t work)
{
    return crm_watch_due(motion->watching, work) && crm_motion_must_end(motion);
}
/* The motion cannot go on: sets the reason and *stopped. Returns CRM_OK, like crm_motion_run. */
crm_status crm_motion_fail(crm_motion *motion, crm_motion_stop *stopped, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The first multiple of observer->every after `after`; INFINITY: the observer has no states. */
double crm_motion_next_sample(const crm_observer *observer, double after);

#endif
