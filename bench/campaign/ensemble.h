/* A fixed ensemble of chains and systems, in which systems in lanes were once wrong, or had other
 * bits with other threads: by an xorshift generator, so that numbers cited elsewhere are found
 * again.
 */
#ifndef CAROM_CAMPAIGN_ENSEMBLE_H
#define CAROM_CAMPAIGN_ENSEMBLE_H

#include "support.h"

/* Free it. NULL: no memory. */
small_system *ensemble(uint64_t seed, size_t count);

#endif
