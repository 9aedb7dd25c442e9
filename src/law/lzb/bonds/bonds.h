/* Contacts so stiff, at the present force, that all they can do is below the accuracy wanted: they
 * are held as rigid bonds. Internal.
 *
 * Pressed by a force f, a contact swings about the indentation (f/K)^(1/eta), at speeds of
 * sqrt(2 D f x). For small exponents, or beside much softer contacts, this is little and fast: at
 * eta = 0.01 and half the force of its neighbours x is 2^-100 of theirs. Such contacts take no part
 * in the steps. Their forces follow from the others' (c_S' = 0),
 *
 *     lambda_S = -D_SS^-1 D_SR lambda_R,     D_eff = D_RR - D_RS D_SS^-1 D_SR,
 *
 * the other contacts see D_eff (bodies that are bonded move as one), and a bond breaks when its
 * force leaves the range from 0 (it opens) to where it would swing at more than the speed allowed
 * (it takes part again). What is given up goes into the estimate of the error.
 */
#ifndef CRM_LZB_BONDS_H
#define CRM_LZB_BONDS_H

#include "law/lzb/extrapolation/step.h"

typedef struct lzb_bonds lzb_bonds;

/* Make it ready for an impact: *bonds is NULL, or was used for an impact before. `slow`: the speed
 * that may be given up, as a part of the speed scale. `effort`: how many steps, 1 being the
 * standard, are taken before more than that is given up. state->bond will be the forces of the
 * bonds, if this system can have any.
 */
crm_status lzb_bonds_begin(lzb_state *state, double slow, double effort, lzb_bonds **bonds,
                           crm_error *error);
void lzb_bonds_free(lzb_bonds *bonds); /* NULL is fine */

/* Before a step, the window having been built: make and break bonds. *changed: the window must be
 * built again.
 */
crm_status lzb_bonds_adjust(lzb_bonds *bonds, lzb_stepper *stepper, bool *changed,
                            crm_error *error);

/* How errors of x are to be judged in the next step. */
void lzb_bonds_weigh(const lzb_bonds *bonds, const lzb_stepper *stepper);

/* Are contacts so stiff, or of such exponents, that bonds are made where they can be? */
bool lzb_bonds_suit(const lzb_state *state);
/* Can this system have bonds? */
bool lzb_bonds_possible(const lzb_bonds *bonds);

/* Does any contact take part as a bond? */
bool lzb_bonds_any(const lzb_bonds *bonds);

/* The step just made, not yet written back: false if a bond should have broken during it, so early
 * that it matters; then *length is one to try instead.
 */
bool lzb_bonds_hold(lzb_bonds *bonds, const lzb_stepper *stepper, double *length);

/* After a step was written back: impulses and times of the bonds. */
void lzb_bonds_follow(lzb_bonds *bonds, const lzb_stepper *stepper, double length);

/* It takes too many steps: give up more. */
void lzb_bonds_relax(lzb_bonds *bonds, const lzb_state *state, uint64_t steps);

/* No more bonds: the state is that of all contacts again, and state->model the model. */
void lzb_bonds_end(lzb_bonds *bonds, lzb_state *state);

#endif
