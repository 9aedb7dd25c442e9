/* What the course of an impact decides by little. */
#include <math.h>
#include <string.h>

#include "law/lzb/derivative/path.h"

/* Of what is decided by less than this, relative, a marginal is kept. */
static const double WORTH_KEEPING = 1e-2;

void lzb_marginal_note(lzb_path *path, lzb_path_marginal_kind kind, size_t j, double margin)
{
    const lzb_path_watch *watch = &path->watch[j];
    bool at_stake = watch->top > watch->end || lzb_state_depth(&path->state, j) > watch->end;
    if (margin < WORTH_KEEPING && at_stake) {
        size_t event = path->events.count > 0 ? path->events.count - 1 : 0;
        lzb_path_keep_marginal(path, (lzb_path_marginal){kind, (uint32_t)j, event, margin});
    }
}

static bool is_mono(const lzb_path *path, size_t j)
{
    return path->state.stiffness_model == LZB_MONO && path->model->restitution[j] < 1;
}

static const lzb_path_event *last_event(const lzb_path *path)
{
    return &lzb_path_events(path)[path->events.count - 1];
}

static void note_peak(lzb_path *path, size_t j)
{
    size_t *peak = &path->watch[j].peak;
    double before = *peak == SIZE_MAX ? 0 : lzb_path_events(path)[*peak].x, x = last_event(path)->x;
    if (x > before) {
        *peak = path->events.count - 1;
    }
    lzb_marginal_note(path, LZB_MARGINAL_PEAK, j, fabs(x - before) / x);
}

void lzb_marginal_turn(lzb_path *path, size_t j)
{
    lzb_path_watch *watch = &path->watch[j];
    note_peak(path, j);
    /* By mono-stiffness a contact that is pressed again opens by its new top, however little it was
     * pressed: by the closing speed a t / 4, about, that it reached, or that of the beginning.
     */
    double reached = 0.25 * watch->reentry_accel * (last_event(path)->time - watch->reentry_time);
    if (watch->reentered && is_mono(path, j)) {
        lzb_marginal_note(path, LZB_MARGINAL_GRAZE, j,
                          fmax(reached, fabs(watch->reentry_c)) / path->state.speed);
    }
    watch->reentered = false;
}

static lzb_path_marginal_kind kind_of_opening(const lzb_path *path, size_t j)
{
    return is_mono(path, j) ? LZB_MARGINAL_JUMP : LZB_MARGINAL_OPENING;
}

void lzb_marginal_reentry(lzb_path *path, size_t j, double left, double c, double accel)
{
    lzb_path_watch *watch = &path->watch[j];
    lzb_marginal_note(path, kind_of_opening(path, j), j, left / watch->top);
    watch->reentry_time = last_event(path)->time;
    watch->reentry_c = c;
    watch->reentry_accel = accel;
    watch->reentered = true;
}

void lzb_marginal_opening(lzb_path *path, size_t j, double accel)
{
    const lzb_path_event *at = last_event(path);
    if (accel > 0) {
        double further = at->rate * at->c * at->c / (2 * accel);
        lzb_marginal_note(path, kind_of_opening(path, j), j, further / path->watch[j].top);
    }
}

/* Two that feel each other and let go at one instant: the order matters. */
void lzb_marginal_release(lzb_path *path, size_t j)
{
    const lzb_path_event *before =
        path->jump != SIZE_MAX ? &lzb_path_events(path)[path->jump] : NULL;
    path->jump = path->events.count - 1;
    if (before != NULL && crm_model_delassus(path->model, j, before->contact) != 0) {
        double apart = last_event(path)->time - before->time;
        lzb_marginal_note(path, LZB_MARGINAL_TIE, j,
                          apart * path->state.speed / path->state.x_scale[j]);
    }
}

/* How decidedly the closing speed of a plastic contact falls through 0. */
static double decision(const lzb_path *path, size_t j, double accel)
{
    const crm_model *model = path->model;
    double parts = 0;
    for (size_t e = model->d_start[j]; e < model->d_start[j + 1]; e++) {
        size_t k = model->d_column[e];
        parts +=
            fabs(model->d_value[e]) * lzb_contact_force(model->stiffness[k], model->exponent[k],
                                                        lzb_state_depth(&path->state, k));
    }
    return parts > 0 ? accel / parts * (accel / parts) : INFINITY;
}

void lzb_marginal_stop(lzb_path *path, size_t j, double accel)
{
    lzb_marginal_note(path, LZB_MARGINAL_STOP, j, decision(path, j, accel));
    note_peak(path, j);
    lzb_marginal_release(path, j);
}

/* ---- Turns that are nearly there --------------------------------------------------------------
 */

/* A contact whose closing speed would make a difference if it changed its sign: 1 if it must not
 * fall below 0, -1 if it must not rise above; 0: any other.
 */
static double sign_at_stake(const lzb_path *path, const lzb_member *member)
{
    bool stops = member->mode == LZB_COMPRESSING && path->model->restitution[member->contact] == 0;
    return stops ? 1 : member->mode == LZB_EXPANDING && is_mono(path, member->contact) ? -1 : 0;
}

/* A time of the trial, and c and c' of a contact then, with the sign that c must keep. */
typedef struct instant {
    double time, c, a;
} instant;

/* Those at the beginning, the nodes and the end. */
static void instants_of(const lzb_engine *e, size_t i, double sign, instant *at)
{
    const lzb_engine_window *w = &e->window;
    const lzb_member *member = &w->member[i];
    const lzb_table *table = lzb_engine_table(e);
    double h = e->trial.length;
    lzb_nodal pull = {0}, once = {0};
    for (uint32_t k = w->start[i]; k < w->start[i + 1]; k++) {
        pull += w->value[k] * e->force[w->column[k]];
    }
    for (unsigned l = 0; l < LZB_NODES; l++) {
        once += table->once[l] * pull[l];
    }
    at[0] = (instant){0, sign * member->c, sign * member->accel};
    for (unsigned l = 0; l < LZB_NODES; l++) {
        at[l + 1] =
            (instant){h * table->time[l], sign * (member->c - h * once[l]), -sign * pull[l]};
    }
    at[LZB_NODES + 1] = (instant){h, sign * member->c1, sign * lzb_engine_accel_after(e, i, 0)};
}

/* The same at a time inside the trial, by a step that ends there. false: there is none. */
static bool go_to(lzb_engine *e, size_t i, double sign, double time, instant *at)
{
    static const lzb_map before_end[LZB_MAPS] = {[LZB_MAP_START] = LZB_MAP_START,
                                                 [LZB_MAP_BOTH] = LZB_MAP_START,
                                                 [LZB_MAP_START_CUBED] = LZB_MAP_START_CUBED,
                                                 [LZB_MAP_BOTH_CUBED] = LZB_MAP_START_CUBED};
    e->trial.end_event.event = LZB_NO_EVENT;
    lzb_engine_resample(e, time, before_end[e->trial.map]);
    if (lzb_engine_solve(e) == 0) {
        return false;
    }
    lzb_engine_finish(e);
    *at = (instant){time, sign * e->window.member[i].c1, sign * lzb_engine_accel_after(e, i, 0)};
    return true;
}

/* The least c between two instants, before and after which c' changes its sign. */
static double least_between(lzb_path *path, lzb_engine *e, size_t i, double sign, instant low,
                            instant high)
{
    enum { ROUNDS = 3 };
    const lzb_trial trial = e->trial;
    const lzb_engine_window *w = &e->window;
    memcpy(path->kept_force, e->force, w->pressing * sizeof *e->force);
    memcpy(path->kept_member, w->member, w->count * sizeof *w->member);
    double least = fmin(low.c, high.c);
    for (int round = 0; round < ROUNDS && high.time > low.time; round++) {
        double slope = (high.a - low.a) / (high.time - low.time);
        instant at;
        bool there = go_to(e, i, sign, low.time - low.a / slope, &at);
        e->trial = trial;
        memcpy(e->force, path->kept_force, w->pressing * sizeof *e->force);
        memcpy(w->member, path->kept_member, w->count * sizeof *w->member);
        if (!there) {
            break;
        }
        least = at.c - 0.5 * at.a * at.a / slope;
        *(at.a < 0 ? &low : &high) = at;
    }
    return least;
}

static void note_near_turn(lzb_path *path, size_t j, double sign, double least)
{
    lzb_marginal_note(path, sign < 0 ? LZB_MARGINAL_GRAZE : LZB_MARGINAL_STOP, j,
                      fabs(least) / path->state.speed);
}

static void note_turns_of(lzb_path *path, lzb_engine *e, size_t i, double sign)
{
    const lzb_member *member = &e->window.member[i];
    size_t j = member->contact;
    instant at[LZB_NODES + 2];
    if (sign * path->watch[j].rate < 0 && sign * member->accel > 0 && sign * member->c > 0) {
        note_near_turn(path, j, sign, sign * member->c); /* at the event before */
    }
    instants_of(e, i, sign, at);
    for (unsigned k = 0; k <= LZB_NODES; k++) {
        bool dips = at[k].a < 0 && at[k + 1].a > 0 && at[k].c > 0 && at[k + 1].c > 0;
        double rough = fmin(at[k].c, at[k + 1].c);
        if (dips && rough < 2 * WORTH_KEEPING * path->state.speed) {
            note_near_turn(path, j, sign, least_between(path, e, i, sign, at[k], at[k + 1]));
        }
    }
}

void lzb_marginal_hidden(lzb_path *path, lzb_engine *e)
{
    for (size_t i = 0; i < e->window.pressing; i++) {
        double sign = sign_at_stake(path, &e->window.member[i]);
        if (sign != 0) {
            note_turns_of(path, e, i, sign);
        }
    }
}
