/* The inside of lzb_bonds. Internal. */
#ifndef CRM_LZB_BONDS_INNER_H
#define CRM_LZB_BONDS_INNER_H

#include "law/lzb/bonds/bonds.h"
#include "law/lzb/bonds/skyline.h"

/* Contacts with a greater exponent, and not faster than a part of the slowest, are never bonds. */
static const double LZB_BONDS_HARD = 0.75;

/* How many steps it may take before more is given up. */
typedef struct lzb_bonds_pace {
    uint64_t budget, next; /* steps until more is given up */
    double affordable;     /* steps while the slowest contact comes and goes */
    uint64_t looked;       /* at the progress, at this step ... */
    double looked_at;      /* ... and time */
} lzb_bonds_pace;

struct lzb_bonds {
    const crm_model *full;
    crm_model reduced; /* by the other contacts: with D_eff */
    bool possible;
    bool line;      /* the contacts are a line (window/window.h) but for bonds */
    double slow;    /* speed that may be given up, as a part of the speed scale */
    double swings;  /* (radians) that a contact must make to be worth bonding while ... */
    double longest; /* ... the slowest contact comes and goes: that time */
    lzb_bonds_pace pace;

    size_t count, trial_count;
    uint32_t *member, *trial; /* ascending */
    size_t *place;            /* of a contact in the set at hand; SIZE_MAX: not in it */
    double *pressing;         /* forces of the contacts that are no bonds */
    double *force;            /* by contact, of bonds: at the start of the step; 0: none */
    double *ended;            /* the same by place, at its end */
    double *most, *top;       /* by contact: the force that breaks it; the largest so far */
    double *highest;          /* the same over all bonds that a contact has been */
    double *given_up;         /* by contact: speeds, relative */
    double *phase, *shift;    /* by contact: error of the speed at which it swings that comes from
                                 being early or late in it, relative; the largest so far */
    double *work;

    lzb_skyline skyline;
    size_t entry_room;
    uint32_t *column;
    double *value;
};

/* The set at hand, or none of it, has places. */
static inline void lzb_bonds_mark(lzb_bonds *b, const uint32_t *set, size_t count, bool in)
{
    for (size_t i = 0; i < count; i++) {
        b->place[set[i]] = in ? i : SIZE_MAX;
    }
}

/* The contacts of the window press so; NULL: not at all. */
static inline void lzb_bonds_press(lzb_bonds *b, const lzb_window *w, const double *force)
{
    for (size_t k = 0; k < w->count; k++) {
        b->pressing[w->contact[k]] = force == NULL ? 0 : force[k];
    }
}

/* What holds the set's speeds while the others press: -D_SS^-1 D_SR pressing. The set is marked
 * and factorized.
 */
void lzb_bonds_forces(const lzb_bonds *bonds, const uint32_t *set, size_t count, double *force);

/* Speed at which contact j swings under this force, at most. */
double lzb_bonds_swing(const crm_model *model, size_t j, double force);

/* state->model becomes what the contacts that are no bonds see. The members are marked and
 * factorized.
 */
crm_status lzb_bonds_reduce(lzb_bonds *bonds, lzb_state *state, crm_error *error);

#endif
