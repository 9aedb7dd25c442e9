/* The parts of `carom simulate`. Internal to src/cli/simulate.
 *
 *     simulate.c    the command: from the scenario to the report
 *     run.c         the run: rows, progress, pauses for checkpoints
 *     checkpoint.c  a motion in a file, with the positions of the other files
 *     states.c      --history: rows, or a collection for ParaView
 *     impacts.c     --impacts: rows
 *     pictures.c    --report and --plot: the motion in frames
 *     row_file.c    a file of rows, CSV or HDF5 by its name
 *     collection.c  NAME.pvd, and a file for every row
 *     resumed.c     what an earlier run has written, copied
 */
#ifndef CRM_SIMULATE_H
#define CRM_SIMULATE_H

#include <stdint.h>

#include "cli/cli.h"
#include "cli/terminal/progress.h"
#include "plugin/plugin.h"
#include "report/figure/motion.h"
#include "report/motion.h"
#include "report/motion/potential.h"
#include "report/page/motion/kept_impacts.h"
#include "scenario/scenario.h"

/* The position in a row file. */
typedef struct crm_mark {
    uint64_t rows;
    uint64_t bytes; /* of text; 0: it is none */
} crm_mark;

/* Metadata that the files contain. */
typedef struct crm_file_header {
    const crm_scenario *scenario;
    const char *text; /* of the scenario */
    const char *sets; /* what --set said, a line each */
    double time;      /* of the first row */
} crm_file_header;

/* ---- What an earlier run has written --------------------------------------------------------- */

typedef void (*crm_heading_writer)(const void *of, FILE *stream);
/* What it writes, to be freed; NULL: no memory. */
char *crm_resumed_heading(crm_heading_writer heading, const void *of);

/* To `to`, the heading and no more (`from` NULL, or there is no such file), or the first
 * `from->bytes` of a file that begins with it and has `from->rows` lines after it: then *mark is
 * that. Another file is refused.
 */
int crm_resumed_copy(const char *path, const char *heading, const crm_mark *from, FILE *to,
                     crm_mark *mark);
/* All of a file, to `to`; *found: whether there is one. */
int crm_resumed_copy_all(const char *path, FILE *to, bool *found);
/* "... is not what the run had written until the checkpoint ..." */
int crm_resumed_refuse(const char *path);

/* ---- A file of rows: CSV, or HDF5 with one group --------------------------------------------- */

typedef struct crm_row_file {
    crm_mark mark;
    crm_output output;
    const crm_hdf5_module *module; /* NULL: CSV */
    crm_hdf5_stream *stream;
    bool failed;        /* HDF5 */
    bool out_of_memory; /* of memory for a row */
    bool resumed;       /* HDF5 that an earlier run has written */
} crm_row_file;

/* CSV has its heading then, HDF5 needs a group. `from` NULL: a new file. */
int crm_row_file_open(crm_row_file *rows, const char *path, const char *heading,
                      const crm_mark *from);
int crm_row_file_group(crm_row_file *rows, const crm_file_header *header, const char *name,
                       const crm_series *series, size_t count);
void crm_row_file_append(crm_row_file *rows, const void *const *row); /* HDF5 */
bool crm_row_file_failed(const crm_row_file *rows);
crm_mark crm_row_file_mark(crm_row_file *rows);
int crm_row_file_commit(crm_row_file *rows);
void crm_row_file_abandon(crm_row_file *rows); /* also after a commit, or zeroed */

/* ---- --history ------------------------------------------------------------------------------- */

typedef struct crm_collection crm_collection;

/* Numbers of a state, some or all. */
typedef struct crm_selection {
    size_t count;
    size_t *place; /* of each in the state; NULL: all, as they are */
    double *value;
} crm_selection;

typedef struct crm_states_file {
    const crm_scene_def *scene;
    bool *chosen; /* by body; NULL: all */
    crm_selection position, velocity;
    crm_collection *collection; /* NULL: rows */
    crm_row_file rows;
    const char *about[3][2]; /* of the sets of HDF5: unit, columns; needed until its end */
    char *names[2];          /* of positions and velocities there */
} crm_states_file;

/* `from` NULL: a new file; else what is there is taken over until that mark. */
int crm_states_open(crm_states_file *file, const char *path, const crm_file_header *header,
                    const crm_mark *from);
void crm_states_add(crm_states_file *file, double time, const double *position,
                    const double *velocity);
bool crm_states_failed(const crm_states_file *file);
crm_mark crm_states_mark(crm_states_file *file);
int crm_states_commit(crm_states_file *file);
void crm_states_abandon(crm_states_file *file); /* also after a commit, or zeroed */

/* The collection NAME.pvd and its folder NAME, with a file for every row, of the bodies chosen
 * (NULL: of all). What is written is whole at any time. A folder with files of others is refused.
 */
int crm_collection_open(crm_collection **collection, const char *path, const crm_scene_def *scene,
                        const bool *chosen, const crm_mark *from);
bool crm_collection_add(crm_collection *collection, double time, const double *position,
                        const double *velocity);
bool crm_collection_failed(const crm_collection *collection);
crm_mark crm_collection_mark(const crm_collection *collection);
int crm_collection_commit(crm_collection *collection);
void crm_collection_abandon(crm_collection *collection); /* NULL is fine */

/* ---- --impacts ------------------------------------------------------------------------------- */

int crm_impacts_open(crm_row_file *file, const char *path, const crm_file_header *header,
                     const crm_mark *from);
void crm_impacts_add(crm_row_file *file, const crm_scene_def *scene,
                     const crm_impact_report *impact);

/* ---- --report and --plot --------------------------------------------------------------------- */

/* The motion in as many instants as a page has room for: every so often, and after so many impacts;
 * less often when there is no more room.
 */
typedef struct crm_simulate_pictures {
    bool wanted;
    crm_output page, figure;
    char *solver; /* for --live */
    crm_motion_figure plot;
    crm_scene_subset subset;
    crm_potential potential;
    crm_frames frames;
    crm_kept_impacts impacts;
    double every, longest; /* between two instants, now and at most */
    double next;           /* the next of them; INFINITY: none is wanted */
    uint64_t impact_count,
        stride;          /* impacts since the last of them, and after how many there is one */
    double first_impact; /* when the first of these was */
    bool steps;          /* time-stepping */
} crm_simulate_pictures;

int crm_pictures_open(crm_simulate_pictures *pictures, const crm_options *options,
                      const crm_scenario_motion *motion, double time);
/* The same without files: of a motion that is shown beside another. */
int crm_pictures_plan(crm_simulate_pictures *pictures, const crm_options *options,
                      const crm_scenario_motion *motion, double time);
/* An impact; whether the state after it is wanted. */
bool crm_pictures_add_impact(crm_simulate_pictures *pictures, const crm_impact_report *impact);
/* The motion as it is now, between two runs. `state`: room for positions and velocities. */
void crm_pictures_add_state(crm_simulate_pictures *pictures, const crm_motion *motion,
                            double *state);
/* When all is computed. */
typedef struct crm_simulate_beside {
    const crm_motion_report *report;
    crm_simulate_pictures *pictures;
} crm_simulate_beside;

/* `beside`: another motion of the scene; NULL: none. */
int crm_pictures_write(crm_simulate_pictures *pictures, const crm_options *options,
                       const crm_motion_report *report, const char *scenario,
                       const crm_simulate_beside *beside);
void crm_pictures_abandon(crm_simulate_pictures *pictures); /* also zeroed */

/* ---- Checkpoints ----------------------------------------------------------------------------- */

/* The state of a run, other than the motion itself. */
typedef struct crm_checkpoint {
    crm_mark states, impacts;
    crm_strongest strongest;
    uint64_t unsolved;
} crm_checkpoint;

/* Whole or not at all. */
int crm_checkpoint_write(const char *path, const crm_checkpoint *checkpoint,
                         const crm_motion *motion);
int crm_checkpoint_read(const char *path, crm_checkpoint *checkpoint, crm_motion *motion);

/* ---- The run --------------------------------------------------------------------------------- */

typedef struct crm_simulation {
    const crm_options *options;
    crm_scenario *scenario;
    char *text, *sets;                    /* of the scenario, and of --set */
    const crm_scenario_law *law, *beside; /* of a second motion, for the page; NULL: none */
    crm_motion *motion;
    crm_output output;
    crm_states_file states;
    crm_row_file impacts;
    crm_simulate_pictures pictures;
    crm_motion_report report;
    crm_progress progress;
    double *state; /* positions, then velocities */
    double saved;  /* when the last checkpoint was written */
    bool paused;   /* by the program, for a row after an impact, or a checkpoint */
    bool row_due, picture_due;
    bool late; /* the time limit is reached */
} crm_simulation;

/* Run until the end, an interrupt or the time limit. A checkpoint that cannot be written ends the
 * run, too, with its exit status in *end.
 */
crm_status crm_simulate_run(crm_simulation *s, int *end, crm_error *error);
int crm_simulate_save(crm_simulation *s); /* a checkpoint, if one is wanted */

#endif
