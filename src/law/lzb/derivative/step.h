/* One step of a path, linear in small changes. Internal to the folder.
 *
 * With depths X at the nodes, slopes S = F'(X) and the rates r, the equations of collocation become
 *
 *     dx = dx_0 + dr/r (X - X_0) + r (h phi dc_0 - h^2 B (D dl + dD l)),
 *     dl = S dx + l (dK/K + ln X deta),
 *
 * which are solved as the equations themselves were: from contact to contact, until nothing
 * changes. (docs/theory/derivatives.md)
 */
#ifndef CRM_LZB_DERIVATIVE_STEP_H
#define CRM_LZB_DERIVATIVE_STEP_H

#include "law/lzb/derivative/path.h"

enum { LZB_NOWHERE = UINT32_MAX };

/* A contact that presses. */
typedef struct lzb_tangent_contact {
    lzb_kind kind;
    double stiffness, exponent, own, rate, starts, ends; /* own: D_jj */
    double impulse, moment;
    lzb_nodal depth, force, slope;
    lzb_nodal by_depth; /* force ln depth */
} lzb_tangent_contact;

/* A change of the data, or a gradient, as far as a window is concerned, by places; entries of D by
 * those of the window. NULL: none, or not wanted.
 */
typedef struct lzb_tangent_data {
    double *stiffness, *exponent, *rate; /* relative changes of K and the rate; change of eta */
    double *d;
} lzb_tangent_data;

typedef struct lzb_tangent {
    const crm_model *model;
    crm_width width;
    /* The window: rows of D hold the columns of those that press; `entry` is that of the model. */
    size_t count, pressing, entries;
    uint32_t *member, *place; /* the contact's number; by contact, or LZB_NOWHERE */
    uint32_t *start, *column;
    size_t *entry;
    double *d;
    lzb_tangent_contact *pressed;
    /* The step. */
    double length;
    lzb_map map;
    lzb_nodal transposed[LZB_NODES];  /* of the table that integrates twice */
    lzb_nodal *known, *change, *pull; /* work, by place */
    double *sum;
} lzb_tangent;

crm_status lzb_tangent_create(lzb_tangent *tangent, const lzb_path *path, crm_pool *pool,
                              crm_error *error);
void lzb_tangent_load_window(lzb_tangent *tangent, const lzb_path *path, size_t window);
/* `logs`: exponents change. */
void lzb_tangent_load_step(lzb_tangent *tangent, const lzb_path *path, size_t step, bool logs);

/* Changes dx, dc at the beginning of the step become those at its end, and dp grows by that of the
 * impulse. By place.
 */
void lzb_tangent_forward(lzb_tangent *tangent, const lzb_tangent_data *data, double *dx, double *dc,
                         double *dp);
/* The transpose: weights of x, c at the end become those at the beginning; those of p stay as they
 * are; the gradient is added to.
 */
void lzb_tangent_reverse(lzb_tangent *tangent, lzb_tangent_data *gradient, double *of_x,
                         double *of_c, const double *of_p);

#endif
