/* The end of an endless impact. Internal. */
#ifndef CRM_LZB_TAIL_H
#define CRM_LZB_TAIL_H

#include "law/lzb/state/state.h"

/* Close an endless small tail with the plastic projection if that moves no velocity by more than
 * limit * speed (theory section 2). *closed says whether it was done. `model`: of all contacts,
 * which the state's own may not be.
 */
crm_status lzb_tail_close(lzb_state *state, const crm_model *model, double limit, bool *closed,
                          double *moved, crm_error *error);

/* The impulses at the end if nothing came any more but what the projection says. *known = false:
 * there is none.
 */
crm_status lzb_tail_foresee(lzb_state *state, const crm_model *model, double *impulse, bool *known,
                            crm_error *error);

#endif
