/* What the complementarity laws share (docs/theory.md, section 3): problems in the Delassus
 * matrix, 0 <= p, D p + q >= 0, p'(D p + q) = 0, and what an outcome says of them.
 */
#ifndef CRM_COMPLEMENTARITY_H
#define CRM_COMPLEMENTARITY_H

#include "law/complementarity/stages/stages.h"

/* Newton's family, P2 (3.2) and (3.9): where p_j > 0 contact j leaves at u_j+ = rebound_j, and
 * nowhere is u_j+ < rebound_j. That is q = u- - rebound. The gap velocities hold the boundary
 * motion on both sides, so that restitution is of the velocity relative to a moving boundary.
 *
 * A law says how the rebound follows from u-, linearly; `data` is its own.
 */
typedef void crm_rebound_function(const crm_problem *problem, const void *data,
                                  const crm_twofold *u, crm_twofold *rebound);

typedef struct crm_newton_law {
    crm_rebound_function *find;
    const void *data;
    const crm_law_causes *causes;
    bool every_answer; /* with friction */
} crm_newton_law;

crm_status crm_complementarity_solve_newton(const crm_problem *problem, const crm_newton_law *law,
                                            crm_outcome *outcome, crm_error *error);

/* The option of the laws with friction. */
#define CRM_ANSWERS_PARAMETER                                                                      \
    {                                                                                              \
        .name = "answers", .kind = CRM_PARAMETER_CHOICE, .choices = "one|all",                     \
        .text =                                                                                    \
            "With friction in the plane and up to 8 contacts, all finds every answer that the "    \
            "law allows, and writes the velocities of the others into the notes."                  \
    }

#endif
