/* The present state, handed to the recorder if there is one. Internal. */
#ifndef CRM_LZB_HISTORY_H
#define CRM_LZB_HISTORY_H

#include "law/lzb/state/state.h"

typedef struct lzb_history {
    const crm_recorder *recorder;
    double *force, *energy, *velocity;
    const double *velocity_before;
    size_t primary;
    double primary_impulse;
    double impulse_before; /* of the primary contact, as it was when it became or stayed so */
    double *work;          /* for the velocities, 2 n entries */
    double *impulse;       /* of all directions */
    double next;           /* next multiple of the interval */
} lzb_history;

crm_status lzb_history_create(const crm_problem *problem, lzb_history *history, crm_error *error);
/* The contacts that store energy or close are among these (NULL: among all). */
crm_status lzb_history_record(lzb_history *history, const lzb_state *state,
                              const uint32_t *contacts, size_t count, crm_error *error);

#endif
