/* Scenario files (docs/scenario.md) through the library: what the program reads, a caller can.
 *
 * A scenario that was read owns what it hands out: its model, its settings, its texts. It is
 * immutable and may be shared between threads.
 */
#ifndef CAROM_SCENARIO_H
#define CAROM_SCENARIO_H

#include "carom/law.h"
#include "carom/motion.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A function of the caller's that a scenario may name, as a curve, `loading: {function: NAME}`, or
 * as a restitution; NULL: it is none.
 */
typedef struct crm_named_function {
    const char *name;
    crm_curve_function *curve;
    crm_restitution_function *restitution;
    void *context; /* of either */
} crm_named_function;

/* Where a scenario comes from. Start from {0}. Nothing is kept of it but the own laws and
 * functions, which must outlive what is made with them.
 */
typedef struct crm_source {
    const char *path; /* of the file; "-": standard input */
    const char *text; /* or the scenario itself, in YAML or JSON: `path` is then the name
                         that complaints begin with, or NULL */
    size_t length;    /* of the text, in bytes */
    const char *const *overrides; /* "chain.restitution=0.9", as --set takes them */
    size_t override_count;
    const char *laws; /* "lzb,moreau", as --law takes them; NULL: the scenario's own */
    const crm_law *const *own_laws; /* of the caller's (carom/problem.h), which may be named */
    size_t own_law_count;           /*  like those of the library */
    const crm_named_function *own_functions;
    size_t own_function_count;
    double bytes;         /* that the system may take, about; 0: any number */
    char *mistakes;       /* NULL, or where a call that refuses the source writes all that it found
                             wrong: "file:line:column: ...", a line each, the first as in its error;
                             at most ten, then "and 3 more"; whole lines that fit */
    size_t mistakes_size; /* bytes of it; 0: none are written */
} crm_source;

typedef struct crm_scenario crm_scenario;

/* Read one impact, or one motion (the scenario must have `simulate`). Mistakes are reported
 * as by the program: the message is "file:line:column: ...", the place "file:line:column"; of
 * several mistakes that of the first (crm_source.mistakes: all). Free with crm_scenario_free.
 */
CRM_API crm_status crm_scenario_load(const crm_source *source, crm_scenario **scenario,
                                     crm_error *error);
CRM_API crm_status crm_scenario_load_motion(const crm_source *source, crm_scenario **scenario,
                                            crm_error *error);
CRM_API void crm_scenario_free(crm_scenario *scenario); /* NULL is fine */

CRM_API const char *crm_scenario_title(const crm_scenario *scenario); /* "" when it has none */
/* Laws in the order of the file, with labels that are unique. */
CRM_API size_t crm_scenario_law_count(const crm_scenario *scenario);
CRM_API const char *crm_scenario_label(const crm_scenario *scenario, size_t law);
CRM_API const crm_settings *crm_scenario_settings(const crm_scenario *scenario, size_t law);
/* What was read, but is hardly what was meant. */
CRM_API size_t crm_scenario_note_count(const crm_scenario *scenario);
CRM_API const char *crm_scenario_note(const crm_scenario *scenario, size_t note);

/* ---- Of an impact ------------------------------------------------------------------------- */

CRM_API const crm_model *crm_scenario_model(const crm_scenario *scenario); /* NULL: a motion */
CRM_API const double *crm_scenario_velocity(const crm_scenario *scenario); /* v- */
CRM_API double crm_scenario_interval(const crm_scenario *scenario); /* of a history; 0: each step */

/* ---- Of a motion -------------------------------------------------------------------------- */

/* Of an impact: no scene (NULL), NAN, the options' defaults, and "" as label and as names. */
CRM_API const crm_scene_def *crm_scenario_scene(const crm_scenario *scenario);
CRM_API double crm_scenario_duration(const crm_scenario *scenario);
CRM_API double crm_scenario_output_every(const crm_scenario *scenario); /* 0: after every impact */
/* How it moves, with the law that resolves the impacts. */
CRM_API crm_motion_options crm_scenario_motion_options(const crm_scenario *scenario);
/* The label of that law: that of `simulate`, else the first. */
CRM_API const char *crm_scenario_motion_label(const crm_scenario *scenario);
/* The motion at its start. The scenario must outlive it. */
CRM_API crm_status crm_scenario_make_motion(const crm_scenario *scenario, crm_motion **motion,
                                            crm_error *error);
/* What a position, or a velocity, is called: "ball x", "rod angle", "ball vx"; "" past the last.
 * Writes at most size bytes, always terminated; size 0: nothing.
 */
CRM_API void crm_scenario_coordinate_name(const crm_scenario *scenario, bool velocity,
                                          size_t coordinate, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
