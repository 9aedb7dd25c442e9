/* Small systems side by side, one in each lane of the machine's vectors. Internal.
 *
 * A single small system fills no vector, and half of its time goes into deciding about steps. Here
 * a step is tried for several systems of the same number of contacts at once, each with a length of
 * its own; then each decides on its own what to make of it. No lane knows of the others: what comes
 * out for a system does not depend on its neighbours, to the last bit.
 *
 * Steps are Taylor series (batch/kernel.h). A system to which anything unusual happens is given
 * back unsolved, for the general scheme.
 */
#ifndef CRM_LZB_BATCH_H
#define CRM_LZB_BATCH_H

#include "law/lzb/state/state.h"

enum { LZB_LANES = 8, LZB_BATCH_CONTACTS = 12 };

typedef struct lzb_batch lzb_batch;

/* Do the options permit it? Does the model fit? */
bool lzb_batch_serve(const crm_settings *settings);
bool lzb_batch_fit(const crm_model *model);

/* The settings must be served. */
crm_status lzb_batch_create(const crm_settings *settings, lzb_batch **batch, crm_error *error);
void lzb_batch_free(lzb_batch *batch); /* NULL is fine */

/* Put a system with closing speeds -u into a free lane. false: there is none, or other systems are
 * under way with another number of contacts or another kind of force; try again later.
 */
bool lzb_batch_take(lzb_batch *batch, const crm_model *model, const double *u, size_t tag);
size_t lzb_batch_busy(const lzb_batch *batch);

/* Try a step in every lane. A lane that has ended is then idle, its results are there
 * until it takes another system. Returns how many have; ends has LZB_LANES entries.
 */
size_t lzb_batch_advance(lzb_batch *batch, crm_lane_end *ends);
double lzb_batch_impulse(const lzb_batch *batch, unsigned lane, size_t contact);

extern const struct crm_law_lanes lzb_batch_of_law; /* all of this, for the law's description */

#endif
