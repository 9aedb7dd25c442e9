/* The end of a step: slip velocities, tangential impulses, what friction has dissipated. */
#include <math.h>
#include <string.h>

#include "law/lzb/engine/friction/friction.h"

static double dot(const lzb_nodal *a, const lzb_nodal *b)
{
    double sum = 0;
    for (unsigned l = 0; l < LZB_NODES; l++) {
        sum += (*a)[l] * (*b)[l];
    }
    return sum;
}

/* Was it pressed together by its own force? */
static bool is_jamming(const lzb_engine *e, size_t i)
{
    const lzb_engine_window *w = &e->window;
    const double rounding = 1e-13;
    double own = 0;
    for (uint32_t k = w->start[i]; k < w->start[i + 1]; k++) {
        own += w->column[k] == i ? w->value[k] : 0;
    }
    return own < -rounding * e->state->model->d_diagonal[w->member[i].contact];
}

static void note_path(lzb_engine *e, size_t i)
{
    lzb_friction *f = e->friction;
    size_t j = e->window.member[i].contact;
    bool slips = f->grip[j] == LZB_SLIPS;
    double along = 0;
    for (unsigned k = 0; k < f->d; k++) {
        along += f->direction[j * f->d + k] * f->slip[j * f->d + k];
    }
    f->path[j] |= slips ? CRM_PATH_SLIP : CRM_PATH_STICK;
    f->path[j] |= slips && f->stopped[j] && along <= f->band ? CRM_PATH_REVERSED : 0;
    f->path[j] |= slips && f->d == 1 && is_jamming(e, i) ? CRM_PATH_JAM : 0;
    f->stopped[j] = false;
}

static void accept_slipping(lzb_engine *e, size_t i)
{
    lzb_friction *f = e->friction;
    const lzb_nodal *weight = &lzb_engine_table(e)->impulse;
    size_t j = e->window.member[i].contact;
    double h = e->trial.length, loss = 0, along = 0, size = 0, before = 0;
    for (unsigned k = 0; k < f->d; k++) {
        lzb_nodal slip, force, pull;
        lzb_friction_slip_at_nodes(e, i, k, &slip);
        lzb_friction_force_at_nodes(e, i, k, &force);
        lzb_engine_pull(e, lzb_friction_row(e, i, k), &pull);
        lzb_nodal power = force * slip;
        before += f->direction[j * f->d + k] * f->slip[j * f->d + k];
        loss -= h * dot(weight, &power);
        f->impulse[j * f->d + k] += h * dot(weight, &force);
        f->slip[j * f->d + k] += h * dot(weight, &pull);
        along += f->direction[j * f->d + k] * f->slip[j * f->d + k];
        size += f->slip[j * f->d + k] * f->slip[j * f->d + k];
    }
    f->loss[j] += fmax(loss, 0);
    const lzb_located_event *end_event = &e->trial.end_event;
    bool slow = !(f->d == 1 ? along > f->band : sqrt(size) > f->band);
    bool stops = slow || (end_event->event == LZB_SLIP_EVENT && end_event->place == i && f->d == 1);
    bool rises = slow && f->begins[j] && along >= before; /* and will go on to */
    f->begins[j] = rises;
    if (rises) {
        return;
    }
    if (stops) {
        memset(f->slip + j * f->d, 0, f->d * sizeof *f->slip);
        f->stopped[j] = before > f->band;
        f->stale = true;
    } else if (f->d > 1) {
        for (unsigned k = 0; k < f->d; k++) {
            f->direction[j * f->d + k] = f->slip[j * f->d + k] / sqrt(size);
        }
        f->turned = true;
    }
}

/* The impulses of those that stick follow from the others; where they are not unique those are
 * taken that are admissible, which there are: the integrals of forces that are.
 */
static void accept_sticking(lzb_engine *e)
{
    lzb_friction *f = e->friction;
    const lzb_sticking *held = &f->sticking;
    double size = 0;
    bool unique = held->rank == held->count * f->d;
    for (size_t c = 0; c < f->contacts * (1 + f->d); c++) {
        bool used = c < e->window.pressing ||
                    (c >= f->contacts && c < f->contacts + e->window.pressing * f->d && f->d > 1);
        f->sum[c] = used ? e->window.member[c].impulse : 0;
    }
    if (!unique) {
        lzb_friction_hold(e, f->sum);
        f->unique = false;
    }
    for (size_t r = 0; r < held->count * f->d; r++) {
        size_t i = held->place[r / f->d];
        unsigned k = (unsigned)(r % f->d);
        size_t j = e->window.member[i].contact;
        f->impulse[j * f->d + k] +=
            unique ? lzb_friction_force(e, i, k, f->sum, &size) : held->discs.f[r];
        f->slip[j * f->d + k] = 0;
    }
}

void lzb_friction_accept(lzb_engine *e)
{
    lzb_friction *f = e->friction;
    if (f->sticking.count > 0) {
        accept_sticking(e);
    }
    for (size_t i = 0; i < e->window.pressing; i++) {
        if (lzb_friction_acts(e, i)) {
            note_path(e, i);
            if (lzb_friction_grip(e, i) == LZB_SLIPS) {
                accept_slipping(e, i);
            }
        }
    }
    bool limit = e->trial.end_event.event == LZB_LIMIT_EVENT;
    for (size_t j = 0; j < f->contacts; j++) {
        if (f->grip[j] == LZB_STICKS) {
            f->begins[j] &= limit;
            f->grip[j] = f->begins[j] ? LZB_SLIPS : LZB_STICKS;
        }
    }
    f->stale |= limit;
}

void lzb_friction_give(lzb_engine *e, size_t i, double impulse)
{
    lzb_friction *f = e->friction;
    lzb_engine_window *w = &e->window;
    size_t rows = w->count + w->pressing * f->d;
    for (size_t r = 0; r < rows; r++) {
        for (uint32_t k = w->start[r]; k < w->start[r + 1]; k++) {
            if (w->column[k] != i) {
                continue;
            }
            if (r < w->count) {
                w->member[r].c1 -= w->value[k] * impulse;
                continue;
            }
            size_t place = (r - w->count) / f->d, t = (r - w->count) % f->d,
                   j = w->member[place].contact;
            if (lzb_friction_grip(e, place) == LZB_SLIPS) {
                f->slip[j * f->d + t] += w->value[k] * impulse;
            }
        }
    }
    for (size_t r = 0; r < w->pressing * f->d; r++) {
        for (uint32_t k = f->force.start[r]; k < f->force.start[r + 1]; k++) {
            if (f->force.column[k] == i) {
                f->impulse[w->member[r / f->d].contact * f->d + r % f->d] +=
                    f->force.value[k] * impulse;
            }
        }
    }
}
