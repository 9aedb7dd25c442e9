/* Going along a path again. Internal to its room. */
#ifndef CRM_LZB_DERIVATIVE_REPLAY_H
#define CRM_LZB_DERIVATIVE_REPLAY_H

#include "law/lzb/derivative/step.h"

/* A path with arrays to go along it: by contact, and by places of the band. */
typedef struct lzb_trace {
    lzb_path path;
    lzb_tangent tangent;
    double speed;                    /* crm_smoothness_scale */
    double *x, *c, *p, *top;         /* changes, or weights, by contact */
    double *bx, *bc, *bp;            /* by place */
    lzb_tangent_data data, gathered; /* room for all parts; those of them that are in use */
    double most;                     /* the largest change of c on the way */
    double *reached;                 /* change, or weight, of c when a wave came, by contact */
    double
        *at_stake; /* by marginal: the change of x, as a speed, or the weight of an impulse there */
    size_t loaded; /* the window that is in tangent; SIZE_MAX: none */
} lzb_trace;

/* A step; true: it is of another window than the one before. */
bool lzb_replay_step(lzb_trace *trace, size_t step);
/* The changes at the members of the present window, by place: bx, bc, bp; ... */
void lzb_replay_gather(lzb_trace *trace);
/* ... and back. */
void lzb_replay_scatter(lzb_trace *trace);

/* A contact at an instant: force, its slope, energy, and how the energy changes with eta. */
typedef struct lzb_spring {
    double force, slope, energy, by_exponent, log_x;
} lzb_spring;

/* x' = rate c in expansion. */
static inline double lzb_replay_rate(const lzb_path *path, size_t contact)
{
    return lzb_contact_rate(path->state.stiffness_model, LZB_EXPANDING,
                            path->model->restitution[contact]);
}

lzb_spring lzb_replay_spring(const crm_model *model, size_t contact, double x);

/* The change of the data, none of which need be there. */
static inline double lzb_part(const double *array, size_t j)
{
    return array != NULL ? array[j] : 0;
}

/* ---- forward.c, reverse.c -------------------------------------------------------------------- */

/* Leaves the changes at the end in trace->x, c, p. */
crm_status lzb_path_replay_forward(lzb_trace *trace, const crm_data_change *direction,
                                   crm_answer_change *change, crm_error *error);
crm_status lzb_path_replay_reverse(lzb_trace *trace, const crm_answer_change *weights,
                                   crm_data_change *gradient, crm_error *error);

#endif
