/* Contacts at rest, which a change of the data may press or let apart before a wave comes. */
#include <math.h>

#include "law/lzb/derivative/path.h"

/* Of a contact that presses at the start of the trial: is it at work? */
static bool is_working(const lzb_path *path, const lzb_member *member, double ignored)
{
    double x = member->x + member->open;
    return x > path->watch[member->contact].ignored || member->c > ignored ||
           (x > 0 && member->c < -ignored);
}

/* What the contacts at work do to contact i, or are about to: > 0: they press it, < 0: they pull it
 * apart, 0: neither.
 */
static double push_on(const lzb_path *path, const lzb_engine *e, size_t i)
{
    const lzb_engine_window *w = &e->window;
    double now = 0, soon = 0;
    for (uint32_t k = w->start[i]; k < w->start[i + 1]; k++) {
        const lzb_member *other = &w->member[w->column[k]];
        if (w->column[k] != i && is_working(path, other, e->ignored)) {
            now -= w->value[k] * other->force;
            soon -= w->value[k] * fmax(other->c, 0);
        }
    }
    return now != 0 ? now : soon;
}

/* What the impulses so far, or with those of the trial, would do to a contact that does not feel
 * them, if it did.
 */
static double speed_unmodelled(const lzb_path *path, const lzb_engine *trial, size_t j)
{
    const crm_model *model = path->model;
    double sum = 0;
    for (size_t e = model->d_start[j]; e < model->d_start[j + 1]; e++) {
        size_t k = model->d_column[e], place = trial != NULL ? trial->window.place[k] : 0;
        double more = place > 0 ? trial->window.member[place - 1].impulse : 0;
        sum += fabs(path->state.p[k] + more) * sqrt(model->d_diagonal[j] * model->d_diagonal[k]);
    }
    return sum;
}

/* A wave comes to a contact that has rested so far; within the trial if nothing presses it yet. */
static void leave_rest(lzb_path *path, const lzb_engine *e, size_t i)
{
    const lzb_member *member = &e->window.member[i];
    size_t j = member->contact;
    const lzb_engine *trial = push_on(path, e, i) > 0 ? NULL : e;
    lzb_path_watch *watch = &path->watch[j];
    double reached = isnan(watch->reached) ? speed_unmodelled(path, trial, j) : watch->reached;
    watch->stopped = false;
    path->resting[j] = path->resting[j] == LZB_RESTING ? LZB_REACHED : path->resting[j];
    lzb_path_keep_event(path, (lzb_path_event){.kind = LZB_PATH_REACH,
                                               .contact = member->contact,
                                               .step = path->steps.count,
                                               .time = path->state.time,
                                               .c = member->c,
                                               .a = reached - watch->unmodelled});
}

/* Plastic contacts that have stopped since the last step, and are not pressed on, rest. */
static void note_stopped(lzb_path *path, const lzb_engine *e)
{
    for (size_t k = path->seen; k < path->events.count; k++) {
        const lzb_path_event *event = &lzb_path_events(path)[k];
        uint32_t j = event->contact, place = e->window.place[j];
        bool goes_on = place > 0 && place <= e->window.pressing && push_on(path, e, place - 1) > 0;
        if (event->kind == LZB_PATH_STOP && !goes_on) {
            path->watch[j].stopped = true;
            path->watch[j].unmodelled = speed_unmodelled(path, NULL, j);
            path->watch[j].reached = NAN;
        }
    }
}

/* One that is pulled apart counts where eta <= 1 alone: else what a small closing speed presses
 * into it before is of higher order.
 */
void lzb_rest_note(lzb_path *path, const lzb_engine *e)
{
    const lzb_engine_window *w = &e->window;
    note_stopped(path, e);
    for (size_t i = 0; i < w->count; i++) {
        const lzb_member *member = &w->member[i];
        size_t j = member->contact;
        if (path->resting[j] != LZB_RESTING && !path->watch[j].stopped) {
            continue;
        }
        bool pulled = i >= w->pressing && push_on(path, e, i) < 0;
        if (i < w->pressing || (pulled && path->model->exponent[j] <= 1)) {
            leave_rest(path, e, i);
        } else if (pulled) {
            path->watch[j].stopped = false;
            path->resting[j] = LZB_NOT_RESTING;
        }
    }
}

void lzb_rest_note_entry(lzb_path *path, size_t k)
{
    const crm_model *model = path->model;
    for (size_t e = model->d_start[k]; e < model->d_start[k + 1]; e++) {
        size_t j = model->d_column[e];
        bool rests = path->resting[j] == LZB_RESTING || path->watch[j].stopped;
        if (rests && model->d_value[e] < 0 && isnan(path->watch[j].reached)) {
            path->watch[j].reached = speed_unmodelled(path, NULL, j);
        }
    }
}

void lzb_rest_note_start(lzb_path *path, double ignored)
{
    for (size_t j = 0; j < path->model->contacts; j++) {
        bool rests = fabs(path->state.c[j]) <= ignored && path->model->stored_energy[j] == 0;
        path->watch[j].reached = NAN;
        path->resting[j] = (uint8_t)(rests ? LZB_RESTING : LZB_NOT_RESTING);
    }
}
