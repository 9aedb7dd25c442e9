/* The state of an impact at one instant, to come back to. Internal. */
#ifndef CRM_LZB_SNAPSHOT_H
#define CRM_LZB_SNAPSHOT_H

#include "law/lzb/state/state.h"

typedef struct lzb_snapshot {
    double *numbers; /* of all contacts, array by array; NULL: no room yet */
    uint32_t *counts;
    uint8_t *modes;
    double time, opened;
} lzb_snapshot;

/* {0}, or one taken before of the same impact. */
crm_status lzb_snapshot_take(lzb_snapshot *snapshot, const lzb_state *state, crm_error *error);
void lzb_snapshot_restore(const lzb_snapshot *snapshot, lzb_state *state);

#endif
