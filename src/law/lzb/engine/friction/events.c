/* Events of friction within a step: a contact that slips comes to rest, one that sticks begins to
 * slip.
 */
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "law/lzb/engine/friction/friction.h"
#include "law/lzb/nodes/bernstein.h"

/* Of the step, how near the instant is found at which a contact begins to slip; and how far beyond,
 * as a part of the way to where it was seen, those that do are told from the others.
 */
static const double LOCATED = 1e-13, BEYOND = 1e-3;
/* Of a step: so near its start slip that begins is easily taken for slip that ends. */
static const double START = 1e-2;
/* Of contacts that begin to slip at once, the least a beside the largest. */
static const double AT_ONCE = 1e-2;
/* Friction beyond mu lambda by this part of what it is summed from is rounding. */
static const double IN_DISC = 1e-12;

/* ---- Coming to rest -------------------------------------------------------------------------- */

/* d u_t along the direction at the start: b, less `part` of it at the start. */
static void slip_polynomial(const lzb_engine *e, size_t i, double part, double *b)
{
    const lzb_friction *f = e->friction;
    size_t j = e->window.member[i].contact;
    b[0] = 0;
    for (unsigned k = 0; k < f->d; k++) {
        b[0] += (1 - part) * f->direction[j * f->d + k] * f->slip[j * f->d + k];
    }
    lzb_nodal along = {0};
    for (unsigned k = 0; k < f->d; k++) {
        lzb_nodal pull;
        lzb_engine_pull(e, lzb_friction_row(e, i, k), &pull);
        along += f->direction[j * f->d + k] * pull;
    }
    lzb_engine_integrate(e, &along, e->trial.length, b);
}

static void look_at_slip(const lzb_engine *e, size_t i, lzb_located_event *first)
{
    const lzb_friction *f = e->friction;
    double b[LZB_BERNSTEIN];
    slip_polynomial(e, i, f->d > 1 ? LZB_FRICTION_FALL : 0, b);
    for (unsigned k = 0; k <= LZB_NODES; k++) {
        b[k] += f->band;
    }
    if (!(lzb_bernstein_least(b) < 0)) {
        return;
    }
    double tau = lzb_bernstein_first_root(b);
    bool at_start = tau < START && b[LZB_NODES] > 2 * f->band; /* more likely none at all */
    lzb_engine_note(first, e, i, at_start ? LZB_NO_EVENT : LZB_SLIP_EVENT, at_start ? 0.5 : tau);
}

/* ---- Beginning to slip ----------------------------------------------------------------------- */

/* Do the contacts that stick go on to, with these forces by column? Where each has its own force
 * that is seen at once.
 */
static bool can_stick(lzb_engine *e, const double *forces)
{
    lzb_friction *f = e->friction;
    const lzb_sticking *held = &f->sticking;
    bool can = true;
    for (size_t j = 0; j < held->count && can; j++) {
        size_t i = held->place[j];
        double square = 0, size = 0;
        double most = f->coefficient[e->window.member[i].contact] * forces[i];
        for (unsigned k = 0; k < f->d; k++) {
            double force = lzb_friction_force(e, i, k, forces, &size);
            square += force * force;
        }
        can = sqrt(square) <= most + IN_DISC * (most + size);
    }
    if (can || held->rank == held->count * f->d) {
        return can;
    }
    return lzb_friction_sticks(lzb_friction_hold(e, forces));
}

/* Forces by column at LZB_NODES instants; `at` is one of them. */
static void forces_at(const lzb_engine *e, const lzb_nodal *columns, unsigned at, double *forces)
{
    const lzb_friction *f = e->friction;
    size_t s = f->contacts, p = e->window.pressing;
    for (size_t c = 0; c < s * (1 + f->d); c++) {
        double sum = 0;
        if (c < p || (f->d > 1 && c >= s && c < s + p * f->d)) {
            for (unsigned n = 0; n < LZB_NODES; n++) {
                sum += columns[n][at] * e->force[c][n];
            }
        }
        forces[c] = sum;
    }
}

/* The first of LZB_NODES ascending instants at which not all can stick; LZB_NODES: none. */
static unsigned first_failure(lzb_engine *e, const double *places)
{
    lzb_nodal columns[LZB_NODES];
    lzb_nodes_interpolate(places, columns);
    for (unsigned n = 0; n < LZB_NODES; n++) {
        forces_at(e, columns, n, e->friction->sum);
        if (!can_stick(e, e->friction->sum)) {
            return n;
        }
    }
    return LZB_NODES;
}

/* Those that begin to slip a little beyond tau, and their directions. Returns one of them. */
static size_t find_beginning(lzb_engine *e, double tau)
{
    lzb_friction *f = e->friction;
    const lzb_sticking *held = &f->sticking;
    lzb_nodal columns[LZB_NODES];
    double places[LZB_NODES], most = 0;
    for (unsigned n = 0; n < LZB_NODES; n++) {
        places[n] = tau;
    }
    lzb_nodes_interpolate(places, columns);
    forces_at(e, columns, 0, f->sum);
    lzb_friction_hold(e, f->sum);
    size_t one = held->place[0];
    for (int pass = 0; pass < 2; pass++) {
        for (size_t j = 0; j < held->count; j++) {
            const double *a = held->discs.a + j * f->d;
            double size = f->d == 1 ? fabs(a[0]) : crm_hypot(a[0], a[1]);
            size_t contact = e->window.member[held->place[j]].contact;
            if (pass == 0 && size > most) {
                most = size;
                one = held->place[j];
            }
            f->begins[contact] = pass == 1 && size > 0 && size >= AT_ONCE * most;
            for (unsigned k = 0; f->begins[contact] && k < f->d; k++) {
                f->direction[contact * f->d + k] = a[k] / size;
            }
        }
    }
    return one;
}

static void look_at_sticking(lzb_engine *e, lzb_located_event *first)
{
    double before = 0, seen = 2, places[LZB_NODES];
    /* The nodes, and between them and at the end. */
    for (int half = 0; half < 2; half++) {
        for (unsigned n = 0; n < LZB_NODES; n++) {
            double next = n + 1 < LZB_NODES ? lzb_nodes_gauss.at[n + 1] : 2 - lzb_nodes_gauss.at[n];
            places[n] = half == 0 ? lzb_nodes_gauss.at[n] : 0.5 * (lzb_nodes_gauss.at[n] + next);
        }
        unsigned failed = first_failure(e, places);
        if (failed < LZB_NODES) {
            seen = fmin(seen, places[failed]);
        }
    }
    if (seen > 1) {
        return;
    }
    for (unsigned n = 0; n < LZB_NODES; n++) {
        before = lzb_nodes_gauss.at[n] < seen ? fmax(before, lzb_nodes_gauss.at[n]) : before;
    }
    double after = seen;
    while (after - before > LOCATED) {
        double step = (after - before) / (LZB_NODES + 1);
        for (unsigned n = 0; n < LZB_NODES; n++) {
            places[n] = before + step * (n + 1);
        }
        unsigned failed = first_failure(e, places);
        after = failed < LZB_NODES ? places[failed] : after;
        before = failed > 0 ? places[failed - 1] : before;
    }
    double time = e->trial.length * lzb_nodes_time(e->trial.map, after);
    if (time < first->time) {
        size_t i = find_beginning(e, after + BEYOND * (seen - after));
        *first = (lzb_located_event){LZB_LIMIT_EVENT, i, time};
    }
}

void lzb_friction_look(lzb_engine *e, lzb_located_event *first)
{
    const lzb_located_event *end_event = &e->trial.end_event;
    for (size_t i = 0; i < e->window.pressing; i++) {
        bool aimed_at = end_event->event == LZB_SLIP_EVENT && end_event->place == i;
        if (lzb_friction_acts(e, i) && lzb_friction_grip(e, i) == LZB_SLIPS && !aimed_at) {
            look_at_slip(e, i, first);
        }
    }
    if (e->friction->sticking.count > 0 && end_event->event != LZB_LIMIT_EVENT) {
        look_at_sticking(e, first);
    }
}
