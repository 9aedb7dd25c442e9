/* Back along a path with the weights of its outcome: the transpose of forward.c, part by part. */
#include <string.h>

#include "law/lzb/derivative/replay.h"

typedef struct walk {
    lzb_trace *trace;
    const crm_answer_change *weights;
    crm_data_change *to;
    size_t marginals; /* left */
} walk;

/* A part of a gradient, where it is wanted. */
static void add(double *array, size_t j, double value)
{
    if (array != NULL) {
        array[j] += value;
    }
}

static void add_stiffness(const walk *w, size_t j, double relative)
{
    add(w->to->stiffness, j, relative / w->trace->path.model->stiffness[j]);
}

/* What the steps of the present window have gathered goes to the whole. */
static void scatter_gradient(const walk *w)
{
    lzb_trace *trace = w->trace;
    const lzb_path *path = &trace->path;
    const lzb_tangent *tangent = &trace->tangent;
    lzb_tangent_data *from = &trace->gathered;
    if (trace->loaded == SIZE_MAX) {
        return;
    }
    const uint8_t *modes =
        (const uint8_t *)path->modes.items + lzb_path_windows(path)[trace->loaded].first;
    for (size_t i = 0; i < tangent->pressing; i++) {
        size_t j = tangent->member[i];
        if (from->stiffness != NULL) {
            add_stiffness(w, j, from->stiffness[i]);
        }
        if (from->exponent != NULL) {
            w->to->exponent[j] += from->exponent[i];
        }
        if (from->rate != NULL && path->state.stiffness_model == LZB_BI &&
            modes[i] == LZB_EXPANDING) {
            w->to->restitution[j] -= 2 * from->rate[i] / path->model->restitution[j];
        }
    }
    for (size_t k = 0; from->d != NULL && k < tangent->entries; k++) {
        w->to->delassus[tangent->entry[k]] += from->d[k];
    }
}

static void clear_gradient(const walk *w)
{
    lzb_trace *trace = w->trace;
    const lzb_tangent *tangent = &trace->tangent;
    const crm_data_change *to = w->to;
    trace->gathered = (lzb_tangent_data){to->stiffness != NULL ? trace->data.stiffness : NULL,
                                         to->exponent != NULL ? trace->data.exponent : NULL,
                                         to->restitution != NULL ? trace->data.rate : NULL,
                                         to->delassus != NULL ? trace->data.d : NULL};
    double *parts[] = {trace->gathered.stiffness, trace->gathered.exponent, trace->gathered.rate};
    for (size_t i = 0; i < 3; i++) {
        if (parts[i] != NULL) {
            memset(parts[i], 0, tangent->pressing * sizeof **parts);
        }
    }
    if (trace->gathered.d != NULL) {
        memset(trace->gathered.d, 0, tangent->entries * sizeof *trace->gathered.d);
    }
}

static void step(const walk *w, size_t number)
{
    lzb_trace *trace = w->trace;
    if (trace->loaded != lzb_path_steps(&trace->path)[number].window) {
        scatter_gradient(w);
    }
    if (lzb_replay_step(trace, number)) {
        clear_gradient(w);
    }
    lzb_replay_gather(trace);
    lzb_tangent_reverse(&trace->tangent, &trace->gathered, trace->bx, trace->bc, trace->bp);
    lzb_replay_scatter(trace);
}

/* Transposes of the functions of the same names; `weight` is that of what they compute. */

static void change_of_energy(const walk *w, size_t j, const lzb_spring *s, double weight)
{
    w->trace->x[j] += s->force * weight;
    add_stiffness(w, j, s->energy * weight);
    add(w->to->exponent, j, s->by_exponent * weight);
}

static void change_of_force(const walk *w, size_t j, const lzb_spring *s, double weight)
{
    w->trace->x[j] += s->slope * weight;
    add_stiffness(w, j, s->force * weight);
    add(w->to->exponent, j, s->force * s->log_x * weight);
}

static void happen_start(const walk *w, const lzb_path_event *at)
{
    const crm_model *model = w->trace->path.model;
    size_t j = at->contact;
    double more = 1 + model->exponent[j], weight = w->trace->x[j] * at->x / more;
    add(w->to->stored_energy, j, weight / model->stored_energy[j]);
    add_stiffness(w, j, -weight);
    add(w->to->exponent, j, weight * (1 / more - crm_log(at->x)));
    w->trace->x[j] = 0;
}

static void lose_share(const walk *w, const lzb_path_event *at, const lzb_spring *s, double sign)
{
    const lzb_path *path = &w->trace->path;
    size_t j = at->contact;
    double weight = sign * lzb_part(w->weights->loss, j);
    if (path->state.stiffness_model == LZB_BI && weight != 0) {
        double e = path->model->restitution[j];
        change_of_energy(w, j, s, (1 - e * e) * weight);
        add(w->to->restitution, j, -2 * e * s->energy * weight);
    }
}

/* Of an impulse at contact j. */
static double weight_of_impulse(const walk *w, size_t j)
{
    const crm_model *model = w->trace->path.model;
    double weight = w->trace->p[j];
    for (size_t e = model->d_start[j]; e < model->d_start[j + 1]; e++) {
        weight -= model->d_value[e] * w->trace->c[model->d_column[e]];
    }
    return weight;
}

static void happen_drop(const walk *w, const lzb_path_event *at, const lzb_spring *s,
                        double of_time)
{
    const crm_model *model = w->trace->path.model;
    size_t j = at->contact;
    double e = model->restitution[j], q = 1 - e * e;
    lzb_spring t = lzb_replay_spring(model, j, at->top);
    double surplus = -weight_of_impulse(w, j) / at->c;
    if (of_time != 0 && q > 0) {
        surplus -= of_time / (s->force * at->c);
    }
    double loss = lzb_part(w->weights->loss, j);
    w->trace->x[j] = s->force * surplus - (q == 0 ? of_time / at->c : 0);
    w->trace->top[j] += q * t.force * (loss - surplus);
    add(w->to->restitution, j, 2 * e * t.energy * (surplus - loss));
    add(w->to->exponent, j, s->energy * (s->log_x - t.log_x) * surplus + q * t.by_exponent * loss);
    add_stiffness(w, j, q * t.energy * loss);
}

/* Of the way c^2/2a on the wrong side of a turn, by the rate of compression. */
static void miss_way(const walk *w, const lzb_path_event *at, double weight)
{
    const lzb_trace *trace = w->trace;
    size_t j = at->contact;
    weight += at->kind == LZB_PATH_TURN      ? trace->x[j]
              : at->kind == LZB_PATH_REENTER ? -lzb_replay_rate(&trace->path, j) * trace->x[j]
                                             : 0;
    trace->c[j] += at->a != 0 ? weight * at->c / fabs(at->a) : 0;
}

/* What a kink at this event is about: what an impulse there is worth. */
static void weigh_marginals(walk *w, size_t number)
{
    const lzb_path *path = &w->trace->path;
    while (w->marginals > 0 && lzb_path_marginals(path)[w->marginals - 1].event >= number) {
        w->marginals--;
        w->trace->at_stake[w->marginals] =
            fabs(weight_of_impulse(w, lzb_path_marginals(path)[w->marginals].contact));
    }
}

static void happen(walk *w, size_t number)
{
    lzb_trace *trace = w->trace;
    const lzb_path *path = &trace->path;
    const lzb_path_event *at = &lzb_path_events(path)[number];
    size_t j = at->contact;
    lzb_spring s = lzb_replay_spring(path->model, j, at->x);
    double of_time = number == path->last ? w->weights->duration : 0;
    double missed = 0; /* its weight */
    weigh_marginals(w, number);
    switch (at->kind) {
    case LZB_PATH_START:
        happen_start(w, at);
        break;
    case LZB_PATH_REACH:
        if (at->a > 1e-6 * path->state.speed) {
            trace->reached[j] = fmax(trace->reached[j], fabs(trace->c[j]));
        }
        break;
    case LZB_PATH_ENTER:
        trace->c[j] += trace->x[j] * at->c / at->a;
        trace->x[j] = 0;
        break;
    case LZB_PATH_TURN:
        missed -= lzb_replay_rate(path, j) * trace->x[j];
        trace->x[j] += trace->top[j];
        trace->top[j] = 0;
        lose_share(w, at, &s, 1);
        break;
    case LZB_PATH_REENTER:
        missed += trace->x[j];
        lose_share(w, at, &s, -1);
        break;
    case LZB_PATH_RELEASE:
        happen_drop(w, at, &s, of_time);
        break;
    case LZB_PATH_STOP:
        of_time += s.force * weight_of_impulse(w, j);
        trace->x[j] = 0;
        trace->c[j] -= of_time / at->a;
        change_of_energy(w, j, &s, lzb_part(w->weights->loss, j));
        break;
    case LZB_PATH_LOSE:
        trace->x[j] = 0;
        change_of_energy(w, j, &s, lzb_part(w->weights->loss, j));
        break;
    case LZB_PATH_OPEN:
        trace->x[j] = -(of_time + s.force * weight_of_impulse(w, j)) / (at->rate * at->c);
        trace->c[j] -= at->x * trace->x[j] / at->c;
        break;
    case LZB_PATH_FADE:
        trace->x[j] = 0;
        break;
    }
    if (path->watch[j].peak == number) {
        change_of_force(w, j, &s, lzb_part(w->weights->peak_force, j));
    }
    if (at->kind == LZB_PATH_TURN || at->kind == LZB_PATH_REENTER) {
        miss_way(w, at, missed);
    }
}

crm_status lzb_path_replay_reverse(lzb_trace *trace, const crm_answer_change *weights,
                                   crm_data_change *gradient, crm_error *error)
{
    const lzb_path *path = &trace->path;
    size_t s = path->model->contacts;
    walk w = {trace, weights, gradient, path->marginals.count};
    for (size_t j = 0; j < s; j++) {
        trace->x[j] = trace->c[j] = trace->top[j] = trace->reached[j] = 0;
        trace->p[j] = lzb_part(weights->impulse, j);
    }
    trace->loaded = SIZE_MAX;
    size_t left = path->events.count;
    for (size_t k = path->steps.count + 1; k-- > 0;) {
        while (left > 0 && lzb_path_events(path)[left - 1].step > k) {
            happen(&w, --left);
        }
        if (k == path->steps.count) {
            continue;
        }
        if (crm_watch_interrupts(path->state.watching, LZB_NODES * trace->tangent.count)) {
            return crm_fail(error, CRM_ERROR_STOPPED, NULL, "told to end");
        }
        step(&w, k);
    }
    scatter_gradient(&w);
    while (left > 0) {
        happen(&w, --left);
    }
    for (size_t j = 0; gradient->gap_velocity != NULL && j < s; j++) {
        gradient->gap_velocity[j] -= trace->c[j];
    }
    return CRM_OK;
}
