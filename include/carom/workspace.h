/* Many impacts: a workspace for callers in a time loop, and batches of independent systems.
 *
 * In a multibody simulation M and W change from impact to impact, so the workspace is apart from
 * the model: make one, and pass it to every call, whatever the model and the law.
 */
#ifndef CAROM_WORKSPACE_H
#define CAROM_WORKSPACE_H

#include "carom/outcome.h"
#include "carom/watch.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- One impact after the other ---------------------------------------------------------- */

/* The memory that solving takes, kept from call to call, and the threads it may use. It is called
 * by one thread at a time; different workspaces are independent.
 */
typedef struct crm_workspace crm_workspace;

CRM_API crm_status crm_workspace_create(crm_workspace **workspace, crm_error *error);
CRM_API void crm_workspace_free(crm_workspace *workspace); /* NULL is fine */

/* Most threads for one impact, including the caller's; 0: one for each processor. A
 * new workspace has 1, so that callers with threads of their own get no others. The results are the
 * same to the last bit.
 *
 * The law lzb, scheme auto, uses them while thousands of contacts are loaded at once; moreau,
 * newton, generalized-newton and poisson in the factorizations of large packings (some 20 000
 * contacts and more). Other laws and schemes, and smaller impacts, run in the caller's thread. They
 * are started when first needed, sleep between calls, and end with the workspace.
 */
CRM_API void crm_workspace_use_threads(crm_workspace *workspace, size_t threads);

/* From now on each call with the workspace is watched (carom/watch.h). The watch is copied, what it
 * points to is not; NULL: not watched, as at first.
 *
 * Every law consults it at least ten times a second, except while a complementarity problem is set
 * up (ordering its contacts and, for one that is full, one elimination: seconds for 1e6 contacts).
 */
CRM_API void crm_workspace_watch(crm_workspace *workspace, const crm_watch *watch);

/* crm_solve, with the same result to the last bit. *outcome belongs to the workspace and is valid
 * until the next call with it, or its end; on an error it is NULL, and the workspace may be used
 * again. A recorder must not call with the workspace that calls it.
 *
 * Does not allocate with the law lzb, scheme auto, once the workspace has seen a system as large;
 * but for: the closing of an endless tail (outcome->tail_closed, or tried), an M or a D that is
 * too large and too full to be stored in blocks and rows, and what the C library's qsort takes to
 * sort more than 256 contacts at a time; and the start of threads. The Euler schemes of lzb
 * allocate in the same cases. The other laws keep the outcome, and allocate their own work space in
 * each call.
 */
CRM_API crm_status crm_solve_with(crm_workspace *workspace, const crm_model *model,
                                  const double *velocity, const crm_settings *settings,
                                  const crm_recorder *recorder, const crm_outcome **outcome,
                                  crm_error *error);

/* The outcome of the last call, which was CRM_OK, becomes the caller's, to be freed with
 * crm_outcome_free; the workspace makes another for its next call. CRM_ERROR_ARGUMENT: there is
 * none to take. (For callers who keep some outcomes out of many, or want a watch on crm_solve.)
 */
CRM_API crm_status crm_workspace_take_outcome(crm_workspace *workspace, crm_outcome **outcome,
                                              crm_error *error);

/* ---- Many at once ------------------------------------------------------------------------ */

/* Independent systems, one law. Start from {0}. */
typedef struct crm_batch_def {
    size_t count;
    const crm_model *model;         /* of all systems; or NULL, then ... */
    const crm_model *const *models; /* ... one for each; the same may be there many times */
    const double *velocities;       /* v- of one system after the other */
    const crm_settings *settings;
    size_t threads;         /* at most; 0: one for each processor */
    bool in_lanes;          /* several systems side by side, see below */
    const crm_watch *watch; /* over the whole batch; progress is that of an active system, and what
                               is not begun when it ends is left as it was: CRM_NOT_TERMINATED.
                               NULL: not watched */
} crm_batch_def;

/* What is left of an outcome. */
typedef struct crm_batch_item {
    crm_status status; /* not CRM_OK: the system was not solved, the rest of this is 0 */
    crm_result result;
    double energy_before, energy_after;
    double duration, error_estimate; /* NAN when the law does not define them */
    uint64_t steps;
    bool kinematic, kinetic, energetic, unique, tail_closed;
} crm_batch_item;

/* The caller's arrays, to be filled; each may be NULL. */
typedef struct crm_batch_results {
    double *velocities;    /* v+, laid out like v-; may be the same array */
    double *impulses;      /* p of one system after the other */
    crm_batch_item *items; /* count */
} crm_batch_results;

/* Solve all systems. The results are those of crm_solve to the last bit, for any number of threads.
 *
 * With in_lanes, systems of up to 12 contacts by lzb (scheme auto, bi-stiffness, tolerance 1e-10 or
 * more, no max_steps; no contact with e < 0.1, an exponent below 1 or stored energy) are computed
 * several at a time in the lanes of vectors, four to five times faster per core. Their results do
 * not depend on threads or on the other systems either, and agree with crm_solve within the
 * tolerance but for rare systems, most of them at a tolerance of 1e-10 (docs/accuracy.md).
 *
 * A system that cannot be solved does not keep the others from it: its velocities and impulses are
 * NAN, its item has the status. Returns CRM_OK when all were solved; otherwise the status of the
 * first that was not, and *error says which and why ("systems[3].velocity[2]").
 */
CRM_API crm_status crm_solve_batch(const crm_batch_def *def, const crm_batch_results *results,
                                   crm_error *error);

#ifdef __cplusplus
}
#endif
#endif
