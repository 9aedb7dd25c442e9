/* One complementarity problem after another in the same D, refined by W where D does not determine
 * the velocities, and what the outcome says of the answers. Internal.
 *
 * With friction these are problems of Coulomb's law (carom/coulomb.h), and every array of q, p and
 * w has the entries of all normals, then those of all tangents; without, of the normals alone.
 */
#ifndef CRM_STAGES_H
#define CRM_STAGES_H

#include "carom/lcp.h"
#include "law/complementarity/stages/cones.h"
#include "law/law.h"
#include "lcp/dependent/clusters.h"

/* Why the law can violate mechanics: the words after "because" in a note. NULL where it provably
 * cannot, so that only rounding looks like a violation.
 */
typedef struct crm_law_causes {
    const char *gain;             /* more energy than before */
    const char *closing;          /* a contact closes after the impact */
    const char *gain_by_friction; /* as the first, where there is friction */
} crm_law_causes;

/* Speeds and impulses are kept in twice the working precision where D does not determine v+ well
 * enough: there clusters of contacts are solved in the coordinates of W (lcp/dependent/cluster.h).
 */
typedef struct crm_refinement {
    bool on;
    crm_twofold *per_mass; /* M^-1, a diagonal */
    crm_twofold *made;     /* M^-1 W p of the last p */
    crm_twofold *moved;    /* v+ - v- so far */
    bool *loaded;          /* by contact */
    double left;           /* the largest |w| that should be 0 */
} crm_refinement;

typedef struct crm_stages {
    const crm_problem *problem;
    crm_outcome *outcome;
    size_t entries;    /* of q, p and w */
    crm_lcp *lcp;      /* NULL with friction, and when there is no matrix: see outcome->result */
    crm_cones *cones;  /* with friction, else NULL */
    bool every_answer; /* asked for; with friction */
    crm_coulomb_unique unique;  /* with friction, as far as the solver knows */
    const crm_twofold *pressed; /* normal impulses beside p that friction has, too; NULL: none */
    double norm_excess;
    double condition;          /* crm_lcp_condition */
    crm_clusters clusters;     /* none where D is good enough */
    bool searched;             /* clusters were searched */
    bool probed;               /* the condition is from W, D being singular to rounding */
    bool *clustered;           /* by contact */
    crm_refinement refinement; /* of what D gives, where there are no clusters */
    crm_twofold *gap_velocity; /* u-, also of tangents */
    double *noise;             /* the size of what u_j- is made of */
    double *q, *p, *w;         /* in doubles, for the solver of normals */
} crm_stages;

/* The problem and the outcome are set, the rest is zero. CRM_OK with outcome->result = CRM_FAILED
 * when D is not stored. Always end with _end.
 */
crm_status crm_stages_begin(crm_stages *stages, crm_error *error);
/* Solve for q; adds to the outcome's steps, error estimate and uniqueness. Anything but solved
 * goes to its result and reason. p is then the best that was found, or 0 if infeasible.
 * w = D p + q, made exactly 0 where p > 0. noise: the size of what q is made of. share: the part of
 * the change of velocities by p that counts. Nothing is done when the result is not CRM_SOLVED.
 */
crm_status crm_stages_solve(crm_stages *stages, const crm_twofold *q, const double *noise,
                            crm_twofold share, crm_twofold *p, crm_twofold *w, crm_error *error);
/* w += D p for prescribed impulses, which also change the velocities. */
crm_status crm_stages_push(crm_stages *stages, const crm_twofold *p, crm_twofold *w,
                           crm_error *error);
/* The impulses are the outcome's: v+ and the estimate of its error. */
crm_status crm_stages_finish(crm_stages *stages, crm_error *error);
/* Whether the law must solve again from its beginning, now with clusters by W, because D did not
 * determine v+ well enough. The outcome then is as it was when the law was called.
 */
crm_status crm_stages_need_repeat(crm_stages *stages, bool *again, crm_error *error);
void crm_stages_end(crm_stages *stages);

/* ---- Coulomb's law (friction.c) ------------------------------------------------------------- */

/* The same three with friction. */
crm_status crm_stages_begin_friction(crm_stages *stages, crm_error *error);
crm_status crm_stages_solve_friction(crm_stages *stages, const crm_twofold *q, crm_twofold *p,
                                     crm_twofold *w, crm_error *error);
void crm_stages_push_friction(const crm_stages *stages, const crm_twofold *p, crm_twofold *w);
/* The result: no impulses do it. d: the reason, by contact. */
void crm_stages_refuse_infeasible(const crm_model *model, const crm_twofold *d, const char *what,
                                  crm_outcome *outcome);

/* With friction, after the outcome has its impulses: are there others, and which? q: of the (first)
 * problem; restitution: Poisson's, or NULL.
 */
crm_status crm_stages_judge_answers(crm_stages *stages, const crm_twofold *q,
                                    const double *restitution, crm_error *error);

/* ---- How well D determines v+ (accuracy.c) --------------------------------------------------- */

/* Most contacts, and coordinates, of a cluster to be solved by W: the work grows with the third
 * power, and is some milliseconds for _MANY, a second for _MOST. Up to _FEW it takes no longer than
 * the solver would with a singular D.
 */
enum { CRM_CLUSTER_FEW = 32, CRM_CLUSTER_MANY = 128, CRM_CLUSTER_MOST = 512 };

/* Clusters of at most so many are solved by W from now on. */
crm_status crm_stages_find_clusters(crm_stages *stages, size_t most, crm_error *error);
/* D is singular to rounding: find clusters, and the condition from W. */
crm_status crm_stages_examine_singular(crm_stages *stages, crm_error *error);
/* Contacts are nearly dependent, and dependent to the rounding of D: no digit of v+ is known. */
bool crm_stages_are_unresolved(const crm_stages *stages);
/* Turns the largest residual, in the outcome's error_estimate, into an estimate of the error of v+.
 */
void crm_stages_estimate_error(crm_stages *stages);

/* u- in twice the working precision, and its noise. */
void crm_stages_measure_gaps(crm_stages *stages);

/* ---- Impulses by D, refined by W (refine.c) -------------------------------------------------- */

/* Starts refinement where it may be needed and is possible: M diagonal, D definite. */
crm_status crm_stages_begin_refinement(crm_stages *stages, crm_error *error);
/* From p and w by D to those of W, as crm_stages_solve gives them, with the residual of p. false
 * where that does not succeed: p and w must be computed by D again, and refinement is off from now
 * on.
 */
bool crm_stages_refine(crm_stages *stages, const crm_twofold *q, const double *noise,
                       crm_twofold share, crm_twofold *p, crm_twofold *w, crm_lcp_info *info);
/* w += D p; the change of velocities by p is added to the motion. */
void crm_stages_push_refined(crm_stages *stages, const crm_twofold *p, crm_twofold *w);
/* velocity += the motion, rounded once. */
void crm_stages_move_refined(crm_stages *stages);

/* ---- The note (note.c) ----------------------------------------------------------------------- */

/* Write what a careful reader should know into outcome->note: energy gained, contacts left closing,
 * impulses not unique, stored energies disregarded. `after`: u+. The impulses are the outcome's.
 */
void crm_stages_note(const crm_stages *stages, const crm_twofold *after,
                     const crm_law_causes *causes);

#endif
