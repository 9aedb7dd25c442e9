/* Between the files of this folder. */
#ifndef CRM_LCP_FRONTS_INNER_H
#define CRM_LCP_FRONTS_INNER_H

#include <pthread.h>
#include <stdatomic.h>

#include "lcp/factor/fronts/branches.h"
#include "lcp/factor/fronts/fronts.h"
#include "lcp/factor/tile.h"

/* Where the numbers of a front are. */
typedef struct crm_lcp_front_layout {
    size_t columns;  /* padded */
    size_t diagonal; /* tiles of its own columns, */
    size_t below;    /* and of its rows */
    size_t value;    /* the block of its columns, then its rows, in `value` */
    size_t pivot;    /* in `pivot` and `inverse` */
    size_t made;     /* what is left for the parent, on the stack, as it is made, */
    size_t left;     /* and where it waits */
    uint32_t inside; /* rows that are contacts of its branch; the later ones are those above it */
    size_t outer;    /* where in `outer` these begin */
} crm_lcp_front_layout;

/* Work space of one thread. */
typedef struct crm_lcp_scratch {
    atomic_bool busy;
    uint32_t *position; /* contact -> its place among the rows of the present front */
    uint32_t *at;       /* row of a child -> its place among this front's columns or rows */
    double *x;          /* solving: a front's own part, */
    double *y;          /* its rows, */
    double *sums;
} crm_lcp_scratch;

struct crm_lcp_fronts {
    const crm_lcp_matrix *matrix;
    const crm_lcp_tile_kernels *kernels;
    crm_lcp_tree tree;
    crm_lcp_branches branches;
    crm_lcp_front_layout *place;
    size_t most_columns, most_rows; /* of a front; padded, and tiles */
    double *value;
    double *pivot;
    double *inverse;
    double *stack;
    uint32_t *outer; /* rows of fronts that are above their branch: which row of its root it is,
                        all roots' together */
    double *spill;   /* by such row: what a branch adds to x above it */
    size_t scratch_count;
    crm_lcp_scratch *scratch;
    crm_team_lazy *threads; /* NULL: the caller alone */
    crm_watching *watching; /* NULL: not watched */
    pthread_t caller;       /* the one thread that consults the watch */
    atomic_bool ended;      /* interrupted, or broken down */
};

/* A front with the addresses of its numbers. */
typedef struct crm_lcp_front_view {
    const crm_lcp_front *front;
    const crm_lcp_front_layout *place;
    const uint32_t *row;
    double *block; /* its columns' own part, then its rows */
    double *rows;
    double *left;
} crm_lcp_front_view;

/* Doubles of a front's columns. */
static inline size_t crm_lcp_front_layout_entries(const crm_lcp_front_layout *p)
{
    return (p->diagonal + p->below) * CRM_LCP_TILE * p->columns;
}

/* Doubles of what a front with `tiles` tiles of rows leaves. */
static inline size_t crm_lcp_left_size(size_t tiles)
{
    return 32 * tiles * (tiles + 1);
}

/* ---- fronts.c -------------------------------------------------------------------------------- */

crm_lcp_front_view crm_lcp_fronts_view(const crm_lcp_fronts *fronts, size_t f);

/* Called after this many products. Only the caller's thread consults the watch; the others read the
 * flag that it sets.
 */
bool crm_lcp_fronts_are_interrupted(crm_lcp_fronts *fronts, const crm_lcp_front_view *w,
                                    uint64_t products);

/* There are as many as threads, so that one is always free. */
crm_lcp_scratch *crm_lcp_fronts_take_scratch(crm_lcp_fronts *fronts);
void crm_lcp_fronts_return_scratch(crm_lcp_scratch *scratch);

/* ---- assemble.c ------------------------------------------------------------------------------ */

/* The front from the matrix's entries and what its children left; false: interrupted. */
bool crm_lcp_front_assemble(crm_lcp_fronts *fronts, const crm_lcp_scratch *scratch,
                            const crm_lcp_front_view *w, const bool *active,
                            const double *diagonal);

/* What it leaves, down to where it waits; false: interrupted. */
bool crm_lcp_front_move_down(crm_lcp_fronts *fronts, const crm_lcp_front_view *w);

#endif
