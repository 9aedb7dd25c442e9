/* Closing speeds by way of the bodies, where D does not tell them. Internal. */
#ifndef CRM_LZB_BODIES_H
#define CRM_LZB_BODIES_H

#include "law/lzb/state/state.h"

/* Decides whether that is so; if not, the next does nothing. */
crm_status lzb_bodies_begin(lzb_state *state, double tolerance, crm_error *error);
/* Closing speeds after a step in which these contacts, and no others near them, gave impulses. */
void lzb_bodies_kick(const lzb_state *state, const uint32_t *contacts, size_t count,
                     const double *impulse, const double *before, double *after);

#endif
