/* A parameter study: one scenario, some of whose fields take many values.
 *
 * From the scenario's `sweep` block come the points (a grid, random draws, or every draw at every
 * point of a grid) and the quantities to record; every point is solved by every law. The study
 * itself is immutable and may be shared between threads. A worker has a tree of its own in which
 * it sets the fields of one point after the other: one worker per thread.
 */
#ifndef CRM_STUDY_H
#define CRM_STUDY_H

#include <stdint.h>

#include "carom/carom.h"
#include "carom/study.h"
#include "scenario/scenario.h"

typedef struct crm_study_worker crm_study_worker;

/* ---- The study ------------------------------------------------------------------------------ */

/* What a study is made from; everything is copied. */
typedef struct crm_study_def {
    const char *text; /* of the scenario */
    size_t length;
    const char *source;           /* the name that errors begin with */
    const char *const *overrides; /* "PATH=VALUE" ... */
    size_t override_count;
    const char *laws;          /* as --law takes them; NULL: those of the scenario */
    const char *const *record; /* quantities; NULL: those of sweep.record, or the standard ones */
    size_t record_count;
    const crm_yaml_limits *limits; /* of the scenario; NULL: the default ones */
    crm_own_laws own;              /* that the scenario may name, too; not copied */
} crm_study_def;

/* A definition made of a caller's source, valid while `use` runs, whose error becomes the caller's.
 */
typedef crm_status crm_study_def_user(crm_study_def *def, void *context, crm_read_error *error);
crm_status crm_study_def_use(const crm_source *source, crm_study_def_user *use, void *context,
                             crm_error *error);

/* Read it all and try a point, so that mistakes show before the work begins. A study no point of
 * which can be read is refused with the first point's error; a point of its own that cannot be
 * read is a failed row. Without a `sweep` block there is one point, the scenario as it stands.
 * CRM_ERROR_OPTION: `laws` is wrong; all else is the scenario's fault.
 */
crm_status crm_study_read(const crm_study_def *def, crm_study **study, crm_read_error *error);

const char *crm_study_title(const crm_study *study); /* "" when it has none */
const char *crm_study_text(const crm_study *study);  /* of the scenario, as given */
/* Different for studies that give different tables: text, overrides, laws, quantities, version. */
uint64_t crm_study_digest(const crm_study *study);

/* The unit of a quantity of this study, of which `unit` is the usual one (crm_field_unit); NULL:
 * none. */
const char *crm_study_unit(const crm_study *study, const char *unit);

/* ---- The value of a field at a point -------------------------------------------------------- */

typedef struct crm_study_value {
    const crm_node *node; /* as the grid lists it; NULL: only a number */
    double number;        /* NAN when the value is no number */
} crm_study_value;

crm_study_value crm_study_value_at(const crm_study *study, size_t point, size_t field);

/* ---- Solving -------------------------------------------------------------------------------- */

/* What came of one point and one law. */
typedef struct crm_study_row {
    const char *label;
    crm_result result;
    const char *reason;         /* "" when solved */
    const double *values;       /* one per quantity; NAN: not defined */
    const crm_outcome *outcome; /* NULL: none */
} crm_study_row;

crm_status crm_study_worker_create(const crm_study *study, crm_study_worker **worker,
                                   crm_error *error);
void crm_study_worker_free(crm_study_worker *worker); /* NULL is fine */

/* From now on go_on is called in every point, and the memory limit holds; the time limit does not
 * (carom/watch.h). The watch is copied; NULL: none.
 */
void crm_study_worker_watch(crm_study_worker *worker, const crm_watch *watch);

/* Solve point `point` (from 0) by every law. *rows has crm_study_laws entries, in the order of the
 * file, and lives until the worker's next call. A law without an answer, or a point that is not a
 * valid scenario, says so in its row. The same bits whatever the worker did before.
 * CRM_ERROR_STOPPED: it was stopped before the point was solved.
 */
crm_status crm_study_solve(crm_study_worker *worker, size_t point, const crm_study_row **rows,
                           crm_error *error);
/* The scenario of the last point; NULL when it could not be read. */
const crm_scenario *crm_study_scenario(const crm_study_worker *worker);

/* ---- Many points ---------------------------------------------------------------------------- */

/* Both are called by several threads at once. */
typedef struct crm_study_workers {
    unsigned jobs;
    const crm_watch *watch; /* over every point, as of a worker; NULL: none */
    void *context;
    /* The next point to solve; false: there are no more. */
    bool (*next)(void *context, size_t *point);
    /* What came of it, borrowed for the length of the call; false: stop all work. */
    bool (*take)(void *context, const crm_study_worker *worker, size_t point,
                 const crm_study_row *rows);
} crm_study_workers;

/* Solve points with `jobs` threads, each with a worker of its own, until there are no more, or one
 * is stopped. When a thread cannot be started the others do its share.
 */
crm_status crm_study_run(const crm_study *study, const crm_study_workers *workers,
                         crm_error *error);

#endif
