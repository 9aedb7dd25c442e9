/* Along a path with a small change of the data. */
#include <string.h>

#include "law/lzb/derivative/replay.h"

typedef struct walk {
    lzb_trace *trace;
    const crm_data_change *by;
    crm_answer_change *change;
    size_t marginal; /* the next one */
} walk;

static void gather_data(const walk *w)
{
    lzb_trace *trace = w->trace;
    const lzb_path *path = &trace->path;
    const lzb_tangent *tangent = &trace->tangent;
    const crm_data_change *by = w->by;
    const uint8_t *modes =
        (const uint8_t *)path->modes.items + lzb_path_windows(path)[trace->loaded].first;
    lzb_tangent_data *to = &trace->gathered;
    *to = (lzb_tangent_data){by->stiffness != NULL ? trace->data.stiffness : NULL,
                             by->exponent != NULL ? trace->data.exponent : NULL,
                             by->restitution != NULL ? trace->data.rate : NULL,
                             by->delassus != NULL ? trace->data.d : NULL};
    for (size_t i = 0; i < tangent->pressing; i++) {
        size_t j = tangent->member[i];
        if (to->stiffness != NULL) {
            to->stiffness[i] = by->stiffness[j] / path->model->stiffness[j];
        }
        if (to->exponent != NULL) {
            to->exponent[i] = by->exponent[j];
        }
        if (to->rate != NULL) {
            bool bi = path->state.stiffness_model == LZB_BI && modes[i] == LZB_EXPANDING;
            to->rate[i] = bi ? -2 * by->restitution[j] / path->model->restitution[j] : 0;
        }
    }
    for (size_t k = 0; to->d != NULL && k < tangent->entries; k++) {
        to->d[k] = by->delassus[tangent->entry[k]];
    }
}

static void step(const walk *w, size_t number)
{
    lzb_trace *trace = w->trace;
    if (lzb_replay_step(trace, number)) {
        gather_data(w);
    }
    lzb_replay_gather(trace);
    lzb_tangent_forward(&trace->tangent, &trace->gathered, trace->bx, trace->bc, trace->bp);
    lzb_replay_scatter(trace);
    for (size_t i = 0; i < trace->tangent.count; i++) {
        trace->most = fmax(trace->most, fabs(trace->bc[i]));
    }
}

static double change_of_energy(const walk *w, size_t j, const lzb_spring *s)
{
    return s->force * w->trace->x[j] +
           s->energy * lzb_part(w->by->stiffness, j) / w->trace->path.model->stiffness[j] +
           s->by_exponent * lzb_part(w->by->exponent, j);
}

static double change_of_force(const walk *w, size_t j, const lzb_spring *s)
{
    return s->slope * w->trace->x[j] +
           s->force * (lzb_part(w->by->stiffness, j) / w->trace->path.model->stiffness[j] +
                       s->log_x * lzb_part(w->by->exponent, j));
}

static void lose(const walk *w, size_t j, double change)
{
    if (w->change->loss != NULL) {
        w->change->loss[j] += change;
    }
}

/* x0 = ((1 + eta) E0 / K)^(1 / (1 + eta)) */
static void happen_start(const walk *w, const lzb_path_event *at)
{
    const crm_model *model = w->trace->path.model;
    size_t j = at->contact;
    double more = 1 + model->exponent[j];
    double relative = (lzb_part(w->by->stored_energy, j) / model->stored_energy[j] -
                       lzb_part(w->by->stiffness, j) / model->stiffness[j]) /
                          more +
                      lzb_part(w->by->exponent, j) * (1 / more - crm_log(at->x)) / more;
    w->trace->x[j] = at->x * relative;
}

/* Energy lost by bi-stiffness is (1 - e^2) of that given up from a top to an opening or a turn. */
static void lose_share(const walk *w, const lzb_path_event *at, const lzb_spring *s, double sign)
{
    const lzb_path *path = &w->trace->path;
    size_t j = at->contact;
    if (path->state.stiffness_model == LZB_BI) {
        double e = path->model->restitution[j];
        lose(w, j,
             sign * ((1 - e * e) * change_of_energy(w, j, s) -
                     2 * e * lzb_part(w->by->restitution, j) * s->energy));
    }
}

/* Force is let go at once, a time later by the change of data, which makes an impulse. */
static void press(const walk *w, size_t j, double impulse)
{
    const crm_model *model = w->trace->path.model;
    w->trace->p[j] += impulse;
    for (size_t e = model->d_start[j]; e < model->d_start[j + 1]; e++) {
        w->trace->c[model->d_column[e]] -= model->d_value[e] * impulse;
    }
}

/* It opens where E - (1 - e^2) E_top = 0, which falls by force * c. */
static double happen_drop(const walk *w, const lzb_path_event *at, const lzb_spring *s)
{
    const crm_model *model = w->trace->path.model;
    size_t j = at->contact;
    double e = model->restitution[j], q = 1 - e * e, de = lzb_part(w->by->restitution, j),
           deta = lzb_part(w->by->exponent, j), dtop = w->trace->top[j];
    lzb_spring t = lzb_replay_spring(model, j, at->top);
    double surplus = s->force * w->trace->x[j] - q * t.force * dtop + 2 * e * t.energy * de +
                     s->energy * (s->log_x - t.log_x) * deta;
    press(w, j, -surplus / at->c);
    lose(w, j,
         q * (t.force * dtop + t.energy * lzb_part(w->by->stiffness, j) / model->stiffness[j] +
              t.by_exponent * deta) -
             2 * e * de * t.energy);
    double later = q > 0 ? -surplus / (s->force * at->c) : -w->trace->x[j] / at->c;
    w->trace->x[j] = 0;
    return q == 0 && de != 0 ? NAN : later; /* at e = 1 the change with e is not finite */
}

/* Of the way c^2/2a on the wrong side of a turn, by the rate of compression. */
static double missed_way(const walk *w, const lzb_path_event *at)
{
    return at->a != 0 ? w->trace->c[at->contact] * at->c / fabs(at->a) : 0;
}

/* What a kink at this event is about: how the indentation changes. */
static void weigh_marginals(walk *w, size_t number)
{
    const lzb_path *path = &w->trace->path;
    while (w->marginal < path->marginals.count &&
           lzb_path_marginals(path)[w->marginal].event <= number) {
        const lzb_path_marginal *of = &lzb_path_marginals(path)[w->marginal];
        size_t j = of->contact;
        w->trace->at_stake[w->marginal++] =
            of->kind == LZB_MARGINAL_OPENING
                ? fabs(w->trace->x[j]) * path->state.speed / path->state.x_scale[j]
                : INFINITY;
    }
}

static void happen(walk *w, size_t number)
{
    lzb_trace *trace = w->trace;
    const lzb_path *path = &trace->path;
    const lzb_path_event *at = &lzb_path_events(path)[number];
    size_t j = at->contact;
    lzb_spring s = lzb_replay_spring(path->model, j, at->x);
    double later = 0; /* it happens */
    double missed = missed_way(w, at);
    weigh_marginals(w, number);
    trace->x[j] += at->kind == LZB_PATH_TURN      ? missed
                   : at->kind == LZB_PATH_REENTER ? -lzb_replay_rate(path, j) * missed
                                                  : 0;
    if (path->watch[j].peak == number && w->change->peak_force != NULL) {
        w->change->peak_force[j] = change_of_force(w, j, &s);
    }
    switch (at->kind) {
    case LZB_PATH_START:
        happen_start(w, at);
        break;
    case LZB_PATH_REACH:
        trace->reached[j] = fmax(trace->reached[j], fabs(trace->c[j]));
        break;
    case LZB_PATH_ENTER:
        trace->x[j] = trace->c[j] * at->c / at->a;
        break;
    case LZB_PATH_TURN:
        trace->top[j] = trace->x[j];
        lose_share(w, at, &s, 1);
        trace->x[j] -= lzb_replay_rate(path, j) * missed;
        break;
    case LZB_PATH_REENTER:
        lose_share(w, at, &s, -1);
        trace->x[j] += missed;
        break;
    case LZB_PATH_RELEASE:
        later = happen_drop(w, at, &s);
        break;
    case LZB_PATH_STOP:
        later = -trace->c[j] / at->a;
        lose(w, j, change_of_energy(w, j, &s));
        press(w, j, s.force * later);
        trace->x[j] = 0;
        break;
    case LZB_PATH_LOSE:
        lose(w, j, change_of_energy(w, j, &s));
        trace->x[j] = 0;
        break;
    case LZB_PATH_OPEN:
        later = -(trace->x[j] - at->x * trace->c[j] / at->c) / (at->rate * at->c);
        press(w, j, s.force * later);
        trace->x[j] = 0;
        break;
    case LZB_PATH_FADE:
        trace->x[j] = 0;
        break;
    }
    if (number == path->last) {
        w->change->duration = later;
    }
}

static void begin(const walk *w)
{
    lzb_trace *trace = w->trace;
    size_t s = trace->path.model->contacts;
    crm_answer_change *change = w->change;
    trace->most = 0;
    for (size_t j = 0; j < s; j++) {
        trace->x[j] = trace->p[j] = trace->top[j] = trace->reached[j] = 0;
        trace->c[j] = -lzb_part(w->by->gap_velocity, j);
        trace->most = fmax(trace->most, fabs(trace->c[j]));
    }
    if (change->loss != NULL) {
        memset(change->loss, 0, s * sizeof *change->loss);
    }
    if (change->peak_force != NULL) {
        memset(change->peak_force, 0, s * sizeof *change->peak_force);
    }
    change->duration = trace->path.steps.count > 0 ? NAN : 0;
    trace->loaded = SIZE_MAX;
}

crm_status lzb_path_replay_forward(lzb_trace *trace, const crm_data_change *direction,
                                   crm_answer_change *change, crm_error *error)
{
    const lzb_path *path = &trace->path;
    walk w = {trace, direction, change, 0};
    begin(&w);
    size_t next = 0;
    for (size_t k = 0; k <= path->steps.count; k++) {
        while (next < path->events.count && lzb_path_events(path)[next].step == k) {
            happen(&w, next++);
        }
        if (k == path->steps.count) {
            break;
        }
        if (crm_watch_interrupts(path->state.watching, LZB_NODES * trace->tangent.count)) {
            return crm_fail(error, CRM_ERROR_STOPPED, NULL, "told to end");
        }
        step(&w, k);
    }
    if (change->impulse != NULL) {
        memcpy(change->impulse, trace->p, path->model->contacts * sizeof *trace->p);
    }
    return CRM_OK;
}
