/* Small systems side by side, one in each lane of the machine's vectors. Internal.
 *
 * A single small system fills no vector, and half of its time goes into deciding about steps. Here
 * a step is tried for several systems of the same number of contacts at once, each with a length of
 * its own; then each decides on its own what to make of it. No lane knows of the others: what comes
 * out for a system does not depend on its neighbours, to the last bit.
 *
 * Steps are Taylor series (lanes/kernel.h). A system to which anything unusual happens is given
 * back unsolved, for the general scheme.
 */
#ifndef CRM_LZB_LANES_H
#define CRM_LZB_LANES_H

#include "law/lzb/state/state.h"

enum { LZB_LANES = 8, LZB_LANES_CONTACTS = 12 };

typedef struct lzb_lanes lzb_lanes;

/* Do the options allow of it? And the model? */
bool lzb_lanes_serve(const crm_settings *settings);
bool lzb_lanes_fit(const crm_model *model);

/* The settings must be served. */
crm_status lzb_lanes_create(const crm_settings *settings, lzb_lanes **lanes, crm_error *error);
void lzb_lanes_free(lzb_lanes *lanes); /* NULL is fine */

/* Put a system with closing speeds -u into a free lane. false: there is none, or other systems are
 * under way with another number of contacts or another kind of force; try again later.
 */
bool lzb_lanes_take(lzb_lanes *lanes, const crm_model *model, const double *u, size_t tag);
size_t lzb_lanes_busy(const lzb_lanes *lanes);

/* Try a step in every lane. A lane that has come to an end is then idle, its results are there
 * until it takes another system. Returns how many have; ends has LZB_LANES entries.
 */
size_t lzb_lanes_advance(lzb_lanes *lanes, crm_lane_end *ends);
double lzb_lanes_impulse(const lzb_lanes *lanes, unsigned lane, size_t contact);

extern const struct crm_law_lanes lzb_lanes_of_law; /* all of this, for the law's description */

#endif
