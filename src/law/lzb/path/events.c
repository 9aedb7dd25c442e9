/* When contacts change their modes, and what that does. */
#include "law/lzb/path/events.h"

/* A closing speed is 0 when it is below this, relative; ... */
static const double NEAR_ZERO = 1e-13;
/* ... a contact that gives up no force has opened when what is left of it can change others by no
 * more than this, relative.
 */
static const double NEAR_OPEN = 1e-12;
/* Of what is decided by less than this, relative, a doubt is kept. */
static const double WORTH_KEEPING = 1e-2;

/* A closing speed is told well by its values at the ends of a step within this part of them. */
static const double END_OF_STEP = 0.02;

/* Openings whose times differ by less than this, relative, are at one instant. */
static const double SAME_INSTANT = 1e-9;

bool lzb_events_located(const lzb_path *path, size_t contact)
{
    return path->tops || path->model->restitution[contact] < 1;
}

lzb_mode lzb_events_closing_mode(const lzb_path *path, size_t contact)
{
    return lzb_events_located(path, contact) ? LZB_COMPRESSING : LZB_EXPANDING;
}

/* ---- When ------------------------------------------------------------------------------------ */

static bool is_faint(const lzb_path *path, size_t j, double x, double c)
{
    return x <= path->x_quiet[j] && fabs(c) <= path->quiet;
}

static double opening_near(const lzb_path *path, size_t j)
{
    double scale = path->x_scale[j];
    return path->x_open[j] > 0
               ? 1e-14 * scale
               : fmin(1e-8, crm_pow(NEAR_OPEN, 1 / path->model->exponent[j])) * scale;
}

lzb_distance lzb_events_distance(const lzb_path *path, size_t place, lzb_path_kind kind)
{
    const lzb_band *band = &path->band;
    size_t j = band->member[place];
    double c = band->c1[place], a = band->a1[place], near = NEAR_ZERO * path->speed;
    switch ((int)kind) {
    case LZB_PATH_TOP:
    case LZB_PATH_STOP:
        return (lzb_distance){c, a, near};
    case LZB_PATH_LET_GO:
    case LZB_PATH_DROP:
        return (lzb_distance){band->x1[place] - path->x_open[j], band->rate[place] * c,
                              opening_near(path, j)};
    default:
        return (lzb_distance){-c, -a, near};
    }
}

/* The cubic with these values and slopes at 0 and 1. */
static double cubic(double v0, double d0, double v1, double d1, double t)
{
    double u = 1 - t;
    return u * u * (1 + 2 * t) * v0 + t * t * (3 - 2 * t) * v1 + t * u * u * d0 - t * t * u * d1;
}

/* Where it first falls from above 0 to below -near; INFINITY: nowhere. 0: it is never above. */
static double first_fall(double v0, double d0, double v1, double d1, double near)
{
    enum { SAMPLES = 32 };
    if (v1 >= -near && !(d0 < 0 && d1 > 0)) {
        return INFINITY;
    }
    double above = v0 >= 0 ? 0 : -1, below = -1;
    for (int k = 1; k <= SAMPLES && below < 0; k++) {
        double t = (double)k / SAMPLES, value = cubic(v0, d0, v1, d1, t);
        above = value >= 0 ? t : above;
        below = value < -near && (above >= 0 || k == SAMPLES) ? t : below;
    }
    if (below < 0) {
        return INFINITY;
    }
    if (above < 0) {
        return 0;
    }
    for (int k = 0; k < 50; k++) {
        double t = 0.5 * (above + below);
        *(cubic(v0, d0, v1, d1, t) >= 0 ? &above : &below) = t;
    }
    return below;
}

static void meet(lzb_crossing *first, size_t place, lzb_path_kind kind, double t)
{
    if (t < first->t) {
        *first = (lzb_crossing){place, kind, t};
    }
}

/* The closing speed, with this sign, falls through 0. */
static double fall_of_speed(const lzb_path *path, size_t i, double sign, double length)
{
    const lzb_band *band = &path->band;
    return first_fall(sign * band->c0[i], sign * band->a0[i] * length, sign * band->c1[i],
                      sign * band->a1[i] * length, NEAR_ZERO * path->speed);
}

static double fall_to_opening(const lzb_path *path, size_t i, double length)
{
    const lzb_band *band = &path->band;
    size_t j = band->member[i];
    double open = path->x_open[j], rate = band->rate[i] * length;
    if (band->c1[i] >= 0 && band->x1[i] >= open) {
        return INFINITY;
    }
    return first_fall(band->x0[i] - open, rate * band->c0[i], band->x1[i] - open,
                      rate * band->c1[i], opening_near(path, j));
}

lzb_path_kind lzb_events_opening(const lzb_path *path, size_t j)
{
    return path->stiffness == LZB_MONO && lzb_events_located(path, j) ? LZB_PATH_DROP
                                                                      : LZB_PATH_LET_GO;
}

lzb_crossing lzb_events_first(const lzb_path *path, double length)
{
    const lzb_band *band = &path->band;
    lzb_crossing first = {.place = SIZE_MAX, .t = INFINITY};
    for (size_t i = 0; i < band->count; i++) {
        size_t j = band->member[i];
        bool active = i < band->active;
        if (active && is_faint(path, j, band->x0[i], band->c0[i]) &&
            is_faint(path, j, band->x1[i], band->c1[i])) {
            continue;
        }
        if (!active) {
            if (band->c0[i] < -path->quiet) {
                meet(&first, i, (lzb_path_kind)LZB_PATH_ENTER, fall_of_speed(path, i, -1, length));
            }
        } else if (path->mode[j] == LZB_COMPRESSING) {
            meet(&first, i, path->model->restitution[j] == 0 ? LZB_PATH_STOP : LZB_PATH_TOP,
                 fall_of_speed(path, i, 1, length));
        } else {
            meet(&first, i, lzb_events_opening(path, j), fall_to_opening(path, i, length));
            if (lzb_events_located(path, j)) {
                meet(&first, i, LZB_PATH_TURN, fall_of_speed(path, i, -1, length));
            }
        }
    }
    return first;
}

/* ---- What ------------------------------------------------------------------------------------ */

static crm_status doubt(lzb_path *path, lzb_path_doubt_kind kind, size_t j, double margin,
                        crm_error *error)
{
    bool at_stake = path->x_top[j] > path->x_end[j] || path->x[j] > path->x_end[j];
    if (!(margin < WORTH_KEEPING) || !at_stake) {
        return CRM_OK;
    }
    size_t event = path->event_count > 0 ? path->event_count - 1 : 0;
    return lzb_path_keep_doubt(path, (lzb_path_doubt){kind, (uint32_t)j, event, margin}, error);
}

static bool is_mono(const lzb_path *path, size_t j)
{
    return path->stiffness == LZB_MONO && path->model->restitution[j] < 1;
}

static lzb_path_doubt_kind doubt_of_opening(const lzb_path *path, size_t j)
{
    return is_mono(path, j) ? LZB_DOUBT_JUMP : LZB_DOUBT_OPENING;
}

static void end_compression(lzb_path *path, size_t j)
{
    double e = path->model->restitution[j], eta = path->model->exponent[j], x = path->x[j];
    path->x_top[j] = x;
    path->x_open[j] =
        path->stiffness == LZB_MONO && e < 1 ? x * crm_pow(1 - e * e, 1 / (1 + eta)) : 0;
    path->mode[j] = LZB_EXPANDING;
}

static crm_status note_peak(lzb_path *path, size_t j, crm_error *error)
{
    size_t *peak = &path->peak[j];
    double before = *peak == SIZE_MAX ? 0 : path->events[*peak].x, x = path->x[j];
    if (x > before) {
        *peak = path->event_count - 1;
    }
    return doubt(path, LZB_DOUBT_PEAK, j, fabs(x - before) / x, error);
}

/* By mono-stiffness a contact that is pressed again opens by its new top, however little it was
 * pressed: by the closing speed a t / 4, about, that it reached.
 */
static crm_status note_graze(lzb_path *path, size_t j, crm_error *error)
{
    double reached = 0.25 * path->turned_by[j] * (path->time - path->turned_at[j]);
    bool turned = path->turned_by[j] > 0 && is_mono(path, j);
    path->turned_by[j] = 0;
    return turned ? doubt(path, LZB_DOUBT_GRAZE, j, reached / path->speed, error) : CRM_OK;
}

/* A contact whose closing speed would make a difference if it changed its sign: 1 if it must not
 * fall below 0, -1 if it must not rise above; 0: any other.
 */
static double sign_at_stake(const lzb_path *path, size_t j)
{
    bool stops = path->mode[j] == LZB_COMPRESSING && path->model->restitution[j] == 0;
    return stops ? 1 : path->mode[j] == LZB_EXPANDING && is_mono(path, j) ? -1 : 0;
}

static crm_status note_near_turn(lzb_path *path, size_t j, double sign, double least,
                                 crm_error *error)
{
    return doubt(path, sign < 0 ? LZB_DOUBT_GRAZE : LZB_DOUBT_STOP, j, fabs(least) / path->speed,
                 error);
}

/* Where in a step the closing speed of a member that is at stake comes nearest to changing its
 * sign, and how near (with the sign it must keep); t = 1: nowhere inside.
 */
static double nearest_turn(const lzb_path *path, size_t i, double length, double *least)
{
    const lzb_band *band = &path->band;
    double sign = sign_at_stake(path, band->member[i]), c0 = sign * band->c0[i],
           a0 = sign * band->a0[i], c1 = sign * band->c1[i], a1 = sign * band->a1[i];
    if (!(a0 < 0 && a1 > 0 && c0 > 0 && c1 > 0)) {
        return 1;
    }
    double t = a0 / (a0 - a1);
    *least = cubic(c0, a0 * length, c1, a1 * length, t);
    return t;
}

double lzb_events_near_turn(const lzb_path *path, double length)
{
    double first = 1, least;
    for (size_t i = 0; length > 0 && i < path->band.active; i++) {
        double t = nearest_turn(path, i, length, &least);
        if (t < first && t > END_OF_STEP && t < 1 - END_OF_STEP &&
            fabs(least) < WORTH_KEEPING * path->speed) {
            first = t;
        }
    }
    return first;
}

crm_status lzb_events_note_turns(lzb_path *path, double length, crm_error *error)
{
    const lzb_band *band = &path->band;
    crm_status status = CRM_OK;
    for (size_t i = 0; status == CRM_OK && length > 0 && i < band->active; i++) {
        size_t j = band->member[i];
        double least;
        if (nearest_turn(path, i, length, &least) < 1) {
            status = note_near_turn(path, j, sign_at_stake(path, j), least, error);
        }
    }
    return status;
}

crm_status lzb_events_note_breaks(lzb_path *path, crm_error *error)
{
    const lzb_band *band = &path->band;
    crm_status status = CRM_OK;
    for (size_t i = 0; status == CRM_OK && i < band->active; i++) {
        size_t j = band->member[i];
        double sign = sign_at_stake(path, j);
        if (sign * path->rate[j] < 0 && sign * band->a0[i] > 0 && sign * band->c0[i] > 0) {
            status = note_near_turn(path, j, sign, band->c0[i], error);
        }
    }
    return status;
}

static void note_last(lzb_path *path)
{
    double now = path->events[path->event_count - 1].time;
    path->last_is_tied =
        path->last != SIZE_MAX && now - path->events[path->last].time <= SAME_INSTANT * now;
    path->last = path->event_count - 1;
}

static void open_contact(lzb_path *path, size_t j)
{
    path->x[j] = path->x_open[j] = 0;
    path->mode[j] = LZB_OPEN;
}

/* How decidedly the closing speed of a plastic contact falls through 0. */
static double decision(const lzb_path *path, size_t j, double a)
{
    const crm_model *model = path->model;
    double parts = 0;
    for (size_t e = model->d_start[j]; e < model->d_start[j + 1]; e++) {
        size_t k = model->d_column[e];
        parts += fabs(model->d_value[e]) *
                 lzb_contact_force(model->stiffness[k], model->exponent[k], path->x[k]);
    }
    return parts > 0 ? a / parts * (a / parts) : INFINITY;
}

/* Two that feel each other and let go at one instant: the order matters. */
static crm_status note_jump(lzb_path *path, size_t j, crm_error *error)
{
    const crm_model *model = path->model;
    const lzb_path_event *before = path->jump != SIZE_MAX ? &path->events[path->jump] : NULL;
    double apart = before != NULL ? path->time - before->time : INFINITY;
    path->jump = path->event_count - 1;
    if (before == NULL || crm_model_delassus(model, j, before->contact) == 0) {
        return CRM_OK;
    }
    return doubt(path, LZB_DOUBT_TIE, j, apart * path->speed / path->x_scale[j], error);
}

crm_status lzb_events_happen(lzb_path *path, size_t j, lzb_path_kind kind, double a,
                             crm_error *error)
{
    const double e = path->model->restitution[j];
    double x = path->x[j], c = path->c[j], top = path->x_top[j];
    if ((int)kind == LZB_PATH_ENTER) {
        path->mode[j] = (uint8_t)lzb_events_closing_mode(path, j);
        path->x[j] = path->x_open[j] = path->x_top[j] = path->turned_by[j] = 0;
        path->entered[j] = path->time;
        return CRM_OK;
    }
    double rate = lzb_contact_rate(path->stiffness, (lzb_mode)path->mode[j], e);
    double left = kind == LZB_PATH_LET_GO ? -x / (rate * c) : 0; /* time, to the very opening */
    crm_status status = lzb_path_keep_event(path,
                                            (lzb_path_event){kind, (uint32_t)j, path->step_count,
                                                             path->time + left, x, c, a, rate, top},
                                            error);
    if (status != CRM_OK) {
        return status;
    }
    switch (kind) {
    case LZB_PATH_START:
    case LZB_PATH_REACH:
        break;
    case LZB_PATH_TOP:
        status = note_peak(path, j, error);
        if (status == CRM_OK) {
            status = note_graze(path, j, error);
        }
        end_compression(path, j);
        break;
    case LZB_PATH_TURN:
        status = doubt(path, doubt_of_opening(path, j), j, (x - path->x_open[j]) / top, error);
        path->mode[j] = LZB_COMPRESSING;
        path->x_open[j] = 0;
        path->turned_at[j] = path->time;
        path->turned_by[j] = a;
        break;
    case LZB_PATH_LET_GO:
    case LZB_PATH_DROP:
        if (a > 0) {
            status = doubt(path, doubt_of_opening(path, j), j, rate * c * c / (2 * a) / top, error);
        }
        note_last(path);
        if (status == CRM_OK && path->x_open[j] > 0) {
            status = note_jump(path, j, error);
        }
        open_contact(path, j);
        break;
    case LZB_PATH_STOP:
        status = doubt(path, LZB_DOUBT_STOP, j, decision(path, j, a), error);
        if (status == CRM_OK) {
            status = note_peak(path, j, error);
        }
        if (status == CRM_OK) {
            status = note_jump(path, j, error);
        }
        note_last(path);
        path->c[j] = 0;
        open_contact(path, j);
        break;
    case LZB_PATH_LOSE:
        status = note_peak(path, j, error);
        open_contact(path, j);
        break;
    case LZB_PATH_FAINT:
        if (x > 1e-2 * path->x_quiet[j]) {
            path->last = SIZE_MAX; /* it would have gone on */
        }
        open_contact(path, j);
        break;
    }
    return status;
}

/* Is the change due, or about to be? */
static bool is_due(const lzb_path *path, size_t place, lzb_path_kind kind)
{
    lzb_distance to = lzb_events_distance(path, place, kind);
    return fabs(to.value) <= to.near && to.slope < 0;
}

static crm_status act_if_due(lzb_path *path, size_t place, lzb_path_kind kind, crm_error *error)
{
    return is_due(path, place, kind) ? lzb_events_happen(path, path->band.member[place], kind,
                                                         path->band.a1[place], error)
                                     : CRM_OK;
}

crm_status lzb_events_act(lzb_path *path, lzb_crossing target, crm_error *error)
{
    const lzb_band *band = &path->band;
    crm_status status = lzb_events_happen(path, band->member[target.place], target.kind,
                                          band->a1[target.place], error);
    for (size_t i = 0; status == CRM_OK && i < band->count; i++) {
        size_t j = band->member[i];
        if (i == target.place || (i < band->active && is_faint(path, j, path->x[j], path->c[j]))) {
            continue;
        }
        if (i >= band->active) {
            status = band->c0[i] < -path->quiet
                         ? act_if_due(path, i, (lzb_path_kind)LZB_PATH_ENTER, error)
                         : CRM_OK;
        } else if (path->mode[j] == LZB_COMPRESSING) {
            status = act_if_due(
                path, i, path->model->restitution[j] == 0 ? LZB_PATH_STOP : LZB_PATH_TOP, error);
        } else {
            status = act_if_due(path, i, lzb_events_opening(path, j), error);
            if (status == CRM_OK && path->mode[j] == LZB_EXPANDING && lzb_events_located(path, j)) {
                status = act_if_due(path, i, LZB_PATH_TURN, error);
            }
        }
    }
    return status;
}
