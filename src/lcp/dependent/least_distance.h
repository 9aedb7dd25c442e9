/* The point of a polyhedron that is nearest to the origin, in twice the working precision:
 *
 *     min x'x/2,   c_i'x = b_i for the first `equations` of the c_i,   c_i'x >= b_i for the others.
 *
 * With c_i the columns of M^-1/2 W and b = -q this is the complementarity problem with D = W'M^-1W,
 * in the velocities: x = M^1/2 (v+ - v-), and the multipliers are p. It depends on whether columns
 * of W are dependent, not on whether columns of D are, whose angles are the squares of those.
 */
#ifndef CRM_LEAST_DISTANCE_H
#define CRM_LEAST_DISTANCE_H

#include "base/base.h"
#include "base/pool.h"
#include "base/twofold.h"
#include "base/watch.h"
#include "lcp/factor/row.h"

typedef enum crm_least_distance_result {
    CRM_LEAST_DISTANCE_FOUND,
    CRM_LEAST_DISTANCE_INFEASIBLE,    /* no such x: the multipliers are d >= 0 with sum d_i c_i = 0,
                                         b'd > 0 */
    CRM_LEAST_DISTANCE_NOT_TERMINATED /* more exchanges than any problem takes */
} crm_least_distance_result;

/* Rows are those of row.h, of `blocks` each. */
typedef struct crm_least_distance {
    crm_width width;         /* of the vectors it is computed with */
    size_t size, blocks;     /* of x */
    size_t count, equations; /* of constraints; c_i of a length near 1 */
    double *column;          /* c_i, a row each */
    crm_twofold *bound;
    double *noise; /* the size of what b_i is made of */

    double *x;      /* a row */
    crm_twofold *p; /* multipliers, 0 for constraints that are not active */
    size_t steps;

    size_t active;    /* active constraints: they hold with equality and are independent: */
    size_t *set;      /* which; */
    bool *is_active;  /* whether (count entries); */
    double *basis;    /* Q, a row each: orthonormal, spans them; */
    double *triangle; /* R, a row for each column: constraint set[k] = sum_l R_lk Q_l */

    double *projection, *orthogonal,
        *rate;              /* rows, of the constraint examined last: Q'c, (I - QQ')c, R^-1 Q'c */
    crm_twofold *part;      /* work */
    bool *accepted;         /* dependent, and violated by no more than rounding */
    crm_watching *watching; /* of crm_least_distance_solve: CRM_LEAST_DISTANCE_NOT_TERMINATED if
                               interrupted; or NULL */
} crm_least_distance;

/* The relative error of a column. Columns that such errors could make dependent count as
 * dependent, for the entries of W are seldom known better. (A double is rounded by 1.1e-16 of
 * itself, and W comes from a few operations with such numbers.)
 */
static const double CRM_LEAST_DISTANCE_COLUMN_ERROR = 1e-14;

/* Takes everything from the pool, the columns and bounds as zeros; false: no memory. */
bool crm_least_distance_create(crm_pool *pool, crm_width width, size_t size, size_t count,
                               size_t equations, crm_least_distance *problem);
crm_least_distance_result crm_least_distance_solve(crm_least_distance *problem);

static inline double *crm_least_distance_column(const crm_least_distance *problem, size_t i)
{
    return problem->column + i * problem->blocks * CRM_ROW_BLOCK;
}

static inline double *crm_least_distance_basis(const crm_least_distance *problem, size_t k)
{
    return problem->basis + k * problem->blocks * CRM_ROW_BLOCK;
}

/* c_i'x - b_i */
crm_twofold crm_least_distance_slack(const crm_least_distance *problem, size_t i);
/* Whether constraint i depends on the active ones; fills projection, orthogonal and rate. */
bool crm_least_distance_is_dependent(crm_least_distance *problem, size_t i);
/* Make the constraint active that was just found independent. */
void crm_least_distance_activate(crm_least_distance *problem, size_t i);

#endif
