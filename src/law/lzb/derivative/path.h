/* The path of an impact, kept so that it can be gone along again, forwards with small changes of
 * the data or backwards with the weights of its outcome (docs/sensitivity.md). Internal.
 *
 *     of_law.c     what the law offers, and where there is no derivative
 *       record.c     the run of the engine, recorded
 *         keep.c       its steps and what happens between them
 *         marginal.c      what was decided by little; rest.c: contacts that wait for a wave
 *       forward.c, reverse.c   along it, by
 *         step.c       the collocation equations of a step, differentiated, and their transpose
 *
 * The path is the engine's (law/lzb/engine/): its steps with the indentations at the nodes, from
 * which all that is linear follows. Forward and reverse agree to rounding.
 */
#ifndef CRM_LZB_DERIVATIVE_PATH_H
#define CRM_LZB_DERIVATIVE_PATH_H

#include "law/derivative.h"
#include "law/lzb/engine/engine.h"

/* What happens to one contact at an instant. */
typedef enum lzb_path_kind {
    LZB_PATH_START, /* energy E0 is stored */
    LZB_PATH_REACH, /* a wave comes to a contact at rest; a: what impulses since it rests would make
                       of a coupling that is not there */
    LZB_PATH_LOSE,  /* at the start: stored energy of a plastic contact is lost */
    LZB_PATH_ENTER, /* it presses again, with a small x = c^2/2a */
    LZB_PATH_TURN,  /* compression ends, c = 0 */
    LZB_PATH_REENTER, /* it is pressed again, c = 0, before it has opened */
    LZB_PATH_OPEN,    /* x = 0 */
    LZB_PATH_FADE,    /* what it stores, and its closing speed, are left alone */
    LZB_PATH_RELEASE, /* mono-stiffness: it opens under force */
    LZB_PATH_STOP     /* e = 0: compression ends, c = 0, and all is lost */
} lzb_path_kind;

typedef struct lzb_path_event {
    lzb_path_kind kind;
    uint32_t contact;
    size_t step;          /* before which it happens */
    double time, x, c, a; /* x: from 0, not from the opening; a = c' before it */
    double rate;          /* x' = rate c before it */
    double top;           /* x where the latest compression ended */
} lzb_path_event;

typedef struct lzb_path_step {
    double length;
    lzb_map map;
    size_t window; /* in lzb_path.windows */
    size_t state;  /* in lzb_path.states: of each contact that presses */
} lzb_path_step;

/* Indentations of a contact that presses: at the nodes, at the beginning and at the end. */
enum { LZB_PATH_STARTS = LZB_NODES, LZB_PATH_ENDS, LZB_PATH_DEPTHS };

/* Who is in the window: in lzb_path.members and .modes, those that press first. */
typedef struct lzb_path_window {
    size_t first, count, pressing;
} lzb_path_window;

/* Places where the outcome is nearly not differentiable. */
typedef enum lzb_path_marginal_kind {
    LZB_MARGINAL_OPENING, /* it opened, or was just pressed again before: x there */
    LZB_MARGINAL_JUMP,    /* the same where force is lost: the outcome jumps */
    LZB_MARGINAL_GRAZE,   /* mono-stiffness: just pressed again, or just not: another turn counts */
    LZB_MARGINAL_STOP,    /* a plastic contact barely stops */
    LZB_MARGINAL_TIE,     /* two contacts that feel each other let go under force at one instant */
    LZB_MARGINAL_PEAK     /* two compressions have nearly the same force at their ends */
} lzb_path_marginal_kind;

typedef struct lzb_path_marginal {
    lzb_path_marginal_kind kind;
    uint32_t contact;
    size_t event;
    double margin;
} lzb_path_marginal;

/* At rest at the start while no wave is at it, or until one came. */
typedef enum lzb_path_rest { LZB_NOT_RESTING, LZB_RESTING, LZB_REACHED } lzb_path_rest;

/* By contact, while the path is made. */
typedef struct lzb_path_watch {
    double top;          /* x where the latest compression ended, or the deepest since it began */
    double reentry_time; /* when it was last pressed again before it opened, ... */
    double reentry_c, reentry_accel; /* ... at which c and c' */
    double rate;                     /* c' at the end of the last step that it was in */
    double entered;                  /* when it began to press */
    double ignored;    /* the indentation if it alone took up the ignored speed; ... */
    double end;        /* ... that at which a tail ends */
    double unmodelled; /* what impulses until it came to rest would do to it if it felt them, ... */
    double reached;    /* ... and those until one beside it began to press on it; NAN: none has */
    size_t peak;       /* event of the largest force; SIZE_MAX: none */
    bool reentered;    /* it was pressed again since compression began */
    bool stopped;      /* at rest since a plastic stop */
} lzb_path_watch;

/* Arrays that grow: keep.c. */
typedef struct lzb_path_list {
    void *items;
    size_t count, room;
} lzb_path_list;

typedef struct lzb_path {
    const crm_model *model;
    lzb_state state; /* while it is made; at the end */
    double ignored;  /* a closing speed below which contacts are left alone */
    double *before;  /* c before the impact */
    lzb_path_watch *watch;
    uint8_t *resting;  /* lzb_path_rest */
    size_t jump;       /* the latest event that lets force go; SIZE_MAX: none */
    size_t last;       /* event of the last opening; SIZE_MAX: none, or a faint one */
    bool last_is_tied; /* another contact opened at the same instant */
    size_t seen;       /* events before the present step */

    lzb_path_list steps, events, windows, marginals, members, modes, states;

    /* While it is made. */
    lzb_observer observer;
    double least;     /* the length of a step that is not shortened for what changes make of it */
    lzb_nodal *depth; /* of the trial: at the nodes, by place */
    lzb_nodal *kept_force;
    lzb_member *kept_member;
    crm_status status;
    crm_error *error;
} lzb_path;

static inline const lzb_path_step *lzb_path_steps(const lzb_path *path)
{
    return path->steps.items;
}

static inline const lzb_path_event *lzb_path_events(const lzb_path *path)
{
    return path->events.items;
}

static inline const lzb_path_window *lzb_path_windows(const lzb_path *path)
{
    return path->windows.items;
}

static inline const lzb_path_marginal *lzb_path_marginals(const lzb_path *path)
{
    return path->marginals.items;
}

/* ---- record.c -------------------------------------------------------------------------------- */

crm_status lzb_path_make(const crm_problem *problem, lzb_stiffness_model stiffness_model,
                         crm_trace_request request, lzb_path *path, crm_error *error);
void lzb_path_release(lzb_path *path);

/* ---- marginal.c ---------------------------------------------------------------------------------
 */

/* After the event that was kept last, or inside the step: what was decided by less than is worth
 * keeping.
 */
void lzb_marginal_note(lzb_path *path, lzb_path_marginal_kind kind, size_t contact, double margin);
/* Of the event that was kept last. */
void lzb_marginal_turn(lzb_path *path, size_t contact);
void lzb_marginal_reentry(lzb_path *path, size_t contact, double left, double c, double accel);
void lzb_marginal_opening(lzb_path *path, size_t contact, double accel);
void lzb_marginal_release(lzb_path *path, size_t contact);
void lzb_marginal_stop(lzb_path *path, size_t contact, double accel);
/* Before a trial is accepted: closing speeds that nearly change their sign in it, or at its start,
 * where that would make a difference.
 */
void lzb_marginal_hidden(lzb_path *path, lzb_engine *engine);

/* ---- rest.c ---------------------------------------------------------------------------------- */

/* Of the window of a trial that is accepted: contacts that have rested so far, and rest no more. */
void lzb_rest_note(lzb_path *path, const lzb_engine *engine);
/* A contact begins to press, also on those at rest beside it. */
void lzb_rest_note_entry(lzb_path *path, size_t contact);
/* Contacts at rest from the start. */
void lzb_rest_note_start(lzb_path *path, double ignored);

/* ---- keep.c ---------------------------------------------------------------------------------- */

/* On an error path->status says so. */
void lzb_path_keep_window(lzb_path *path, const lzb_engine *engine);
void lzb_path_keep_step(lzb_path *path, const lzb_engine *engine);
void lzb_path_keep_event(lzb_path *path, lzb_path_event event);
void lzb_path_keep_marginal(lzb_path *path, lzb_path_marginal marginal);

extern const struct crm_law_derivative lzb_derivative_of_law;

#endif
