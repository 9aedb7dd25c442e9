/* A scenario: what to strike, and by which laws. */
#ifndef CRM_SCENARIO_H
#define CRM_SCENARIO_H

#include "carom/carom.h"
#include "carom/scenario.h"
#include "model/bodies/near_contacts.h"
#include "scenario/yaml/arena.h"
#include "scenario/yaml/tree.h"

typedef struct crm_scenario_law {
    const char *label; /* unique in the scenario */
    crm_settings *settings;
    const crm_node *node; /* where it was asked for; NULL: by default or on the command line */
} crm_scenario_law;

/* What `simulate` and the parts for it say. */
typedef struct crm_scenario_motion {
    crm_arena memory; /* of what the scene points to */
    crm_scene_def scene;
    crm_motion_options options; /* its law is still to be chosen */
    crm_scenario_law law;       /* settings NULL: the first of the scenario's laws */
    double duration;
    double output_every;  /* 0: after every impact */
    const crm_node *node; /* of `simulate` */
} crm_scenario_motion;

/* Values that can be read, but are hardly meant. */
enum { CRM_WARNINGS_MOST = 8, CRM_WARNING_SIZE = 256 };

typedef struct crm_warnings {
    size_t count;
    char text[CRM_WARNINGS_MOST][CRM_WARNING_SIZE];
} crm_warnings;

struct crm_scenario {
    crm_tree *tree;    /* owned; title and labels live in it */
    char *text;        /* as it was read from a file, before overrides; NULL: not from a file */
    const char *title; /* "" when not given */
    size_t law_count;
    crm_scenario_law *laws;
    crm_model *model;                 /* NULL when read for a motion, ... */
    crm_scenario_motion *motion;      /* ... and this then; else NULL */
    const crm_node *definition;       /* chain, packing, bodies or system */
    bool generalized;                 /* a system: its coordinates may be anything */
    double *velocity;                 /* v-, one per coordinate */
    double history_interval;          /* 0: every step */
    const char *history_of;           /* names and numbers of bodies and contacts; NULL: of all */
    crm_near_contacts *near_contacts; /* of bodies; else NULL */
    crm_warnings warnings;
};

/* Whole text of a file, "-" for standard input. *text is terminated, to be freed. */
crm_status crm_file_read(const char *path, char **text, size_t *length, crm_read_error *error);
/* That a file or folder cannot be read, for this errno. */
crm_status crm_file_fail(crm_read_error *error, const char *path, int problem);

/* Read a tree; on CRM_OK the scenario owns it, otherwise the caller keeps it. */
crm_status crm_scenario_from_tree(crm_tree *tree, crm_scenario **scenario, crm_read_error *error);

/* Text or file, overrides, scenario, laws; `moves`: for carom simulate. limits NULL: the default
 * ones, with what the source says of memory.
 */
crm_status crm_scenario_read_source(const crm_source *source, const crm_yaml_limits *limits,
                                    bool moves, crm_scenario **scenario, crm_read_error *error);
/* Whether it is complete. NULL is an error. */
crm_status crm_load_check_source(const crm_source *source, crm_error *error);
/* The name that errors about it begin with. */
const char *crm_load_source_name(const crm_source *source);
/* Its text, to be freed with free() if it was read from a file: *read, else NULL. */
crm_status crm_load_source_text(const crm_source *source, const char **text, size_t *length,
                                char **read, crm_read_error *error);
/* The error for callers of the library. */
crm_status crm_load_error(const crm_source *source, const crm_read_error *failure,
                          crm_error *error);

/* File, overrides ("PATH=VALUE"), scenario. limits NULL: the default ones. */
crm_status crm_scenario_read(const char *path, const char *const *overrides, size_t override_count,
                             const crm_yaml_limits *limits, crm_scenario **scenario,
                             crm_read_error *error);
/* The same for carom simulate: the scenario must have `simulate`, and gets a motion, no model. */
crm_status crm_scenario_motion_from_tree(crm_tree *tree, crm_scenario **scenario,
                                         crm_read_error *error);
crm_status crm_scenario_motion_read(const char *path, const char *const *overrides,
                                    size_t override_count, const crm_yaml_limits *limits,
                                    crm_scenario **scenario, crm_read_error *error);

/* Replace the laws by those named in "lzb,moreau": labels of the scenario, else laws with their
 * defaults.
 */
crm_status crm_scenario_choose_laws(crm_scenario *scenario, const char *names,
                                    crm_read_error *error);

/* An error of the library about law i, with its place: "file:line:column: ...". */
void crm_scenario_fail_law(const crm_scenario *scenario, size_t law, const crm_error *cause,
                           crm_read_error *error);
/* An error about a field, by its path. */
void crm_scenario_fail_at(const crm_scenario *scenario, const char *path, const crm_error *cause,
                          crm_read_error *error);
/* The same about the scene, how it is to move, or the options of the law that moves it. */
void crm_scenario_fail_motion(const crm_scenario *scenario, const crm_scenario_law *law,
                              const crm_error *cause, crm_read_error *error);

/* The law that resolves a motion's impacts by default. */
const crm_scenario_law *crm_scenario_motion_law(const crm_scenario *scenario);
/* The motion of a scenario that was read for one; refused when nothing would ever move. Scenario
 * and law must outlive it. An error is for crm_scenario_fail_motion.
 */
crm_status crm_scenario_begin_motion(const crm_scenario *scenario, const crm_scenario_law *law,
                                     crm_motion **motion, crm_error *error);

#endif
