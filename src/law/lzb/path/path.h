/* The path of an impact, kept so that it can be gone along again, forwards with small changes of
 * the data or backwards with the weights of its outcome (docs/sensitivity.md). Internal.
 *
 * The path is followed by a way of its own: extrapolated leapfrogs, whose steps end at every change
 * of a contact's mode. A step is a fixed formula, so its derivative, and the transpose of that, are
 * exact; forward and reverse agree to rounding.
 */
#ifndef CRM_LZB_PATH_H
#define CRM_LZB_PATH_H

#include "law/derivative.h"
#include "law/lzb/state/state.h"

/* Leapfrogs of 1, 2, ... substeps, whose results are extrapolated to substeps of no length. */
enum { LZB_PATH_COLUMNS = 5, LZB_PATH_KICKS = 15, LZB_PATH_ENDS = 5 };

/* The contacts at work while no mode changes: the first `active` have a force, the others are open
 * and feel it.
 */
typedef struct lzb_band {
    const crm_model *model;
    size_t count, active, entries; /* of contacts, of those with a force, of their rows of D */
    size_t count_room, entry_room;
    uint32_t *member; /* the contact's number */
    uint32_t *place;  /* of every contact of the model: where it is in the band; or none */
    uint8_t *kind;    /* lzb_kind */
    double *stiffness, *exponent, *rate;
    /* Rows of D of the active contacts, by places; `entry` is that of the model. */
    size_t *row_start, *entry;
    uint32_t *column;
    double *d;

    /* The step that was tried last. */
    double *x0, *c0, *a0; /* at its beginning: indentations, closing speeds, c' */
    double *x1, *c1, *a1; /* and at its end */
    double *impulse;      /* of the step */
    /* At each kick: x and the force there, its slope dforce/dx, and c after the kick. */
    double *x, *force, *slope, *c;
    double *ends, *work; /* of the columns, and as many again */
    bool logs;           /* the integral of force log x is looked at, which exponents change */
    void *block;
} lzb_band;

enum { LZB_NOWHERE = UINT32_MAX };

/* What happens to one contact at an instant. */
typedef enum lzb_path_kind {
    LZB_PATH_START, /* energy E0 is stored */
    LZB_PATH_REACH, /* a wave comes to a contact at rest; a: what impulses since it rests would make
                       of a coupling that is not there */
    LZB_PATH_LOSE,  /* at the start: stored energy of a plastic contact is lost */
    LZB_PATH_TOP,   /* compression ends, c = 0 */
    LZB_PATH_TURN,  /* it is pressed again, c = 0, before it has opened */
    LZB_PATH_LET_GO, /* x = 0 */
    LZB_PATH_FAINT,  /* what it stores, and its closing speed, are left alone */
    LZB_PATH_DROP,   /* mono-stiffness: it opens under force */
    LZB_PATH_STOP    /* e = 0: compression ends, c = 0, and all is lost */
} lzb_path_kind;

typedef struct lzb_path_event {
    lzb_path_kind kind;
    uint32_t contact;
    size_t step;          /* before which it happens */
    double time, x, c, a; /* a = c' before it */
    double rate;          /* x' = rate c before it */
    double top;           /* x where the latest compression ended */
} lzb_path_event;

typedef struct lzb_path_step {
    double length;
    size_t band;  /* in lzb_path.bands */
    size_t state; /* in lzb_path.states: x of the active contacts, then c of all in the band */
} lzb_path_step;

/* Who was in the band: in lzb_path.members and .modes. */
typedef struct lzb_path_band {
    size_t first, count, active;
} lzb_path_band;

/* Places where the outcome is nearly not differentiable. */
typedef enum lzb_path_doubt_kind {
    LZB_DOUBT_OPENING, /* it opened, or was pressed again, by a hair: x there */
    LZB_DOUBT_JUMP,    /* the same where force is lost: the outcome jumps */
    LZB_DOUBT_GRAZE,   /* mono-stiffness: pressed again, or not, by a hair: another top counts */
    LZB_DOUBT_STOP,    /* a plastic contact barely stops */
    LZB_DOUBT_TIE,     /* two contacts that feel each other let go under force at one instant */
    LZB_DOUBT_PEAK     /* two compressions have nearly the same force at their ends */
} lzb_path_doubt_kind;

typedef struct lzb_path_doubt {
    lzb_path_doubt_kind kind;
    uint32_t contact;
    size_t event;
    double margin;
} lzb_path_doubt;

/* At rest at the start while no wave is at it, or until one came. */
typedef enum lzb_path_rest { LZB_NOT_RESTING, LZB_RESTING, LZB_REACHED } lzb_path_rest;

typedef struct lzb_path {
    const crm_model *model;
    crm_watching *watching;
    lzb_stiffness stiffness;
    bool tops;    /* end compressions of elastic contacts are located, too */
    double speed; /* scale of closing speeds */
    double quiet; /* a closing speed below which contacts are left alone */
    double time;
    double *x, *c, *p; /* at the end, and while it is made at the present instant */
    double *before;    /* c before the impact */
    double *x_open;    /* where expansion ends */
    double *x_top;     /* where the latest compression ended, or the deepest since it began */
    double *x_scale;   /* indentation if the contact alone took up `speed` */
    double *x_quiet;   /* the same for `quiet` */
    double *x_end;     /* and for the speed at which a tail ends */
    double *turned_at; /* when, and at which c', it was last pressed again before it opened; ... */
    double *turned_by; /* ... 0: not since compression began */
    double *rate;      /* c' at the end of the last step that it was in */
    double *entered;   /* when it began to close */
    uint8_t *mode;
    uint8_t *resting;  /* lzb_path_rest */
    uint8_t *stopped;  /* at rest since a plastic stop */
    double *unfelt;    /* what impulses until it came to rest would do to it if it felt them */
    size_t *peak;      /* event of the largest force; SIZE_MAX: none */
    size_t jump;       /* the latest event that lets force go; SIZE_MAX: none */
    size_t last;       /* event of the last opening; SIZE_MAX: none, or a faint one */
    bool last_is_tied; /* another contact opened at the same instant */

    lzb_path_step *steps;
    lzb_path_event *events;
    lzb_path_band *bands;
    lzb_path_doubt *doubts;
    uint32_t *members;
    uint8_t *modes;
    double *states;
    size_t step_count, event_count, band_count, doubt_count, member_count, state_count;
    size_t step_room, event_room, band_room, doubt_room, member_room, mode_room, state_room;

    lzb_band band; /* the present one */
} lzb_path;

/* ---- band.c ---------------------------------------------------------------------------------- */

crm_status lzb_band_create(lzb_band *band, const crm_model *model, crm_pool *pool,
                           crm_error *error);
void lzb_band_release(lzb_band *band);
/* Contacts and their modes, those with a force first. */
crm_status lzb_band_fill(lzb_band *band, const uint32_t *members, const uint8_t *modes,
                         size_t count, size_t active, lzb_stiffness stiffness, crm_error *error);

/* ---- leap.c: one step ------------------------------------------------------------------------ */

/* The leapfrogs from x0, c0, each kick kept. */
void lzb_leap_columns(lzb_band *band, double length);
/* From their ends: x1, c1, a1, impulse. Returns the error, relative to what is allowed. */
double lzb_leap_end(lzb_band *band, const lzb_path *path, double length);
/* c' at these indentations. */
void lzb_leap_rates(const lzb_band *band, const double *x, double *a);

/* A change of the data, or a gradient, as far as a band is concerned, by places; entries of D by
 * those of the band. NULL: none, or not wanted.
 */
typedef struct lzb_leap_data {
    double *stiffness, *exponent, *rate; /* relative change of K; change of eta; of the rate */
    double *d;
} lzb_leap_data;

/* After lzb_leap_columns: changes dx, dc at the beginning of the step become those at its end, and
 * dp grows by that of the impulse.
 */
void lzb_leap_forward(lzb_band *band, double length, const lzb_leap_data *data, double *dx,
                      double *dc, double *dp);
/* The transpose: weights of x, c at the end become those at the beginning; those of p, which stay
 * as they are, are handed in; the gradient is added to.
 */
void lzb_leap_reverse(lzb_band *band, double length, lzb_leap_data *gradient, double *of_x,
                      double *of_c, const double *of_p);

/* ---- course.c -------------------------------------------------------------------------------- */

crm_status lzb_path_make(const crm_problem *problem, lzb_stiffness stiffness,
                         crm_trace_request request, lzb_path *path, crm_error *error);
void lzb_path_release(lzb_path *path);

static inline bool lzb_path_is_working(const lzb_path *path, size_t j)
{
    double x = path->x[j], c = path->c[j];
    bool opens = x > 0 && c < -path->quiet;
    return path->mode[j] != LZB_OPEN && (x > path->x_quiet[j] || c > path->quiet || opens);
}

/* ---- rest.c ---------------------------------------------------------------------------------- */

/* What the contacts at work do to a contact at rest, or are about to: > 0: they press it, < 0: they
 * pull it apart, 0: neither.
 */
double lzb_rest_push(const lzb_path *path, const double *force, size_t j);
/* Of contacts in the list, `active` of them at work, those that have rested so far. One that is
 * pulled apart counts where eta <= 1 alone: else what a small closing speed presses into it
 * before is of higher order.
 */
crm_status lzb_rest_note_reached(lzb_path *path, const double *force, const uint32_t *list,
                                 size_t active, size_t end, crm_error *error);
/* Plastic contacts that have stopped since an event, and are not pressed on, rest. */
void lzb_rest_note_stopped(lzb_path *path, size_t event);
/* Contacts at rest from the start, after the first band is known. */
void lzb_rest_note_start(lzb_path *path);

/* ---- record.c -------------------------------------------------------------------------------- */

crm_status lzb_path_keep_band(lzb_path *path, const uint32_t *members, size_t count, size_t active,
                              crm_error *error);
crm_status lzb_path_keep_step(lzb_path *path, double length, crm_error *error);
crm_status lzb_path_keep_event(lzb_path *path, lzb_path_event event, crm_error *error);
crm_status lzb_path_keep_doubt(lzb_path *path, lzb_path_doubt doubt, crm_error *error);

extern const struct crm_law_derivative lzb_path_of_law;

#endif
