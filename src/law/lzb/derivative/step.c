/* The equations of a step, linear in small changes, and their transpose. */
#include "law/lzb/derivative/step.h"

#include <math.h>
#include <string.h>

#include "base/width.h"
#include "law/lzb/state/power.h"

#define LOOPS "law/lzb/derivative/step_loops.h"
#include "base/loops.h"
LOOP(tangent);
LOOP(forward);
LOOP(reverse);

enum { MOST_SWEEPS = 60 };
/* What may be left of the iteration, relative. */
static const double LEFT = 1e-15;

/* ---- The window and the step ----------------------------------------------------------------- */

crm_status lzb_tangent_create(lzb_tangent *b, const lzb_path *path, crm_pool *pool,
                              crm_error *error)
{
    const crm_model *model = path->model;
    size_t s = model->contacts, entries = model->d_start[s];
    *b = (lzb_tangent){.model = model,
                       .width = path->state.width,
                       .member = CRM_TAKE(pool, uint32_t, s),
                       .place = CRM_TAKE(pool, uint32_t, s),
                       .start = CRM_TAKE(pool, uint32_t, s + 1),
                       .column = CRM_TAKE(pool, uint32_t, entries),
                       .entry = CRM_TAKE(pool, size_t, entries),
                       .d = CRM_TAKE(pool, double, entries),
                       .pressed = CRM_TAKE(pool, lzb_tangent_contact, s),
                       .known = CRM_TAKE(pool, lzb_nodal, s),
                       .change = CRM_TAKE(pool, lzb_nodal, s),
                       .pull = CRM_TAKE(pool, lzb_nodal, s),
                       .sum = CRM_TAKE(pool, double, 2 * s)};
    if (b->member == NULL || b->place == NULL || b->start == NULL || b->column == NULL ||
        b->entry == NULL || b->d == NULL || b->pressed == NULL || b->known == NULL ||
        b->change == NULL || b->pull == NULL || b->sum == NULL) {
        return crm_fail_memory(error);
    }
    for (size_t j = 0; j < s; j++) {
        b->place[j] = LZB_NOWHERE;
    }
    return CRM_OK;
}

static void fill_rows(lzb_tangent *b)
{
    const crm_model *model = b->model;
    uint32_t filled = 0;
    for (size_t i = 0; i < b->count; i++) {
        size_t j = b->member[i];
        b->start[i] = filled;
        for (size_t k = model->d_start[j]; k < model->d_start[j + 1]; k++) {
            uint32_t place = b->place[model->d_column[k]];
            if (place < b->pressing) {
                b->column[filled] = place;
                b->entry[filled] = k;
                b->d[filled++] = model->d_value[k];
            }
        }
    }
    b->start[b->count] = filled;
    b->entries = filled;
}

void lzb_tangent_load_window(lzb_tangent *b, const lzb_path *path, size_t window)
{
    const crm_model *model = b->model;
    const lzb_path_window *from = &lzb_path_windows(path)[window];
    const uint32_t *members = (const uint32_t *)path->members.items + from->first;
    const uint8_t *modes = (const uint8_t *)path->modes.items + from->first;
    for (size_t i = 0; i < b->count; i++) {
        b->place[b->member[i]] = LZB_NOWHERE;
    }
    b->count = from->count;
    b->pressing = from->pressing;
    for (size_t i = 0; i < b->count; i++) {
        uint32_t j = members[i];
        b->member[i] = j;
        b->place[j] = (uint32_t)i;
        b->pressed[i] = (lzb_tangent_contact){.kind = lzb_contact_kind(model->exponent[j]),
                                              .stiffness = model->stiffness[j],
                                              .exponent = model->exponent[j],
                                              .own = model->d_diagonal[j],
                                              .rate = lzb_contact_rate(path->state.stiffness_model,
                                                                       (lzb_mode)modes[i],
                                                                       model->restitution[j])};
    }
    fill_rows(b);
}

static double dot(const lzb_nodal *a, const lzb_nodal *b)
{
    lzb_nodal p = *a * *b;
    return ((p[0] + p[1]) + (p[2] + p[3])) + ((p[4] + p[5]) + (p[6] + p[7]));
}

static const lzb_table *table_of(const lzb_tangent *b)
{
    return &lzb_nodes_gauss.map[b->map];
}

void lzb_tangent_load_step(lzb_tangent *b, const lzb_path *path, size_t number, bool logs)
{
    const lzb_path_step *step = &lzb_path_steps(path)[number];
    const double *depths = (const double *)path->states.items + step->state;
    b->length = step->length;
    b->map = step->map;
    const lzb_table *table = table_of(b);
    double h = b->length;
    for (unsigned j = 0; j < LZB_NODES; j++) {
        for (unsigned l = 0; l < LZB_NODES; l++) {
            b->transposed[l][j] = table->twice[j][l];
        }
    }
    for (size_t i = 0; i < b->pressing; i++, depths += LZB_PATH_DEPTHS) {
        lzb_tangent_contact *pressed = &b->pressed[i];
        memcpy(&pressed->depth, depths, sizeof pressed->depth);
        pressed->starts = depths[LZB_PATH_STARTS];
        pressed->ends = depths[LZB_PATH_ENDS];
        tangent[b->width](pressed);
        pressed->impulse = h * dot(&table->impulse, &pressed->force);
        pressed->moment = h * h * dot(&table->moment, &pressed->force);
        for (unsigned l = 0; logs && l < LZB_NODES; l++) {
            double depth = pressed->depth[l];
            pressed->by_depth[l] = depth > 0 ? pressed->force[l] * crm_log(depth) : 0;
        }
    }
}

/* ---- Forwards -------------------------------------------------------------------------------- */

static double rows(const lzb_tangent *b, size_t i, const double *matrix, const double *from)
{
    double sum = 0;
    for (uint32_t k = b->start[i]; k < b->start[i + 1]; k++) {
        sum += matrix[k] * from[b->column[k]];
    }
    return sum;
}

/* Changes of the forces if the others' did not change. */
static void change_alone(lzb_tangent *b, const lzb_tangent_data *data, const double *dx,
                         const double *dc)
{
    const lzb_table *table = table_of(b);
    double h = b->length;
    for (size_t i = 0; i < b->pressing; i++) {
        const lzb_tangent_contact *pressed = &b->pressed[i];
        lzb_nodal x = dx[i] + (pressed->rate * h * dc[i]) * table->time, force = {0};
        if (data->rate != NULL) {
            x += data->rate[i] * (pressed->depth - pressed->starts);
        }
        if (data->d != NULL) {
            lzb_nodal pull = {0}, twice = {0};
            for (uint32_t k = b->start[i]; k < b->start[i + 1]; k++) {
                pull += data->d[k] * b->pressed[b->column[k]].force;
            }
            for (unsigned l = 0; l < LZB_NODES; l++) {
                twice += table->twice[l] * pull[l];
            }
            x -= (h * h * pressed->rate) * twice;
        }
        if (data->stiffness != NULL) {
            force += data->stiffness[i] * pressed->force;
        }
        if (data->exponent != NULL && data->exponent[i] != 0) {
            force += data->exponent[i] * pressed->by_depth;
        }
        b->known[i] = b->change[i] = pressed->slope * x + force;
    }
}

static void iterate(lzb_tangent *b, double (*sweep)(lzb_tangent *, double *))
{
    double last = INFINITY;
    for (unsigned n = 0; n < MOST_SWEEPS; n++) {
        double largest, most = sweep(b, &largest);
        bool next_is = n > 1 && most < last && most * (most / last) <= 0.1 * LEFT * largest;
        if (!(most > LEFT * largest) || next_is) {
            return;
        }
        last = most;
    }
}

void lzb_tangent_forward(lzb_tangent *b, const lzb_tangent_data *data, double *dx, double *dc,
                         double *dp)
{
    const lzb_table *table = table_of(b);
    double h = b->length, *impulse = b->sum, *moment = b->sum + b->pressing;
    change_alone(b, data, dx, dc);
    iterate(b, forward[b->width]);
    for (size_t i = 0; i < b->pressing; i++) {
        impulse[i] = h * dot(&table->impulse, &b->change[i]);
        moment[i] = h * h * dot(&table->moment, &b->change[i]);
        dp[i] += impulse[i];
    }
    for (size_t i = 0; i < b->count; i++) {
        const lzb_tangent_contact *pressed = &b->pressed[i];
        if (i < b->pressing) {
            dx[i] += pressed->rate * (h * dc[i] - rows(b, i, b->d, moment));
            dx[i] += data->rate != NULL ? data->rate[i] * (pressed->ends - pressed->starts) : 0;
        }
        dc[i] -= rows(b, i, b->d, impulse);
        for (uint32_t k = b->start[i]; data->d != NULL && k < b->start[i + 1]; k++) {
            const lzb_tangent_contact *other = &b->pressed[b->column[k]];
            dc[i] -= data->d[k] * other->impulse;
            dx[i] -= i < b->pressing ? pressed->rate * data->d[k] * other->moment : 0;
        }
    }
}

/* ---- Backwards ------------------------------------------------------------------------------- */

/* Weights of the changes of force, by what the impulses do at the end. */
static void weigh_ends(lzb_tangent *b, const double *of_x, const double *of_c, const double *of_p)
{
    const lzb_table *table = table_of(b);
    double h = b->length, *impulse = b->sum, *moment = b->sum + b->pressing;
    memset(impulse, 0, 2 * b->pressing * sizeof *impulse);
    for (size_t i = 0; i < b->count; i++) {
        double of_moment = i < b->pressing ? b->pressed[i].rate * of_x[i] : 0;
        for (uint32_t k = b->start[i]; k < b->start[i + 1]; k++) {
            impulse[b->column[k]] += b->d[k] * of_c[i];
            moment[b->column[k]] += b->d[k] * of_moment;
        }
    }
    for (size_t i = 0; i < b->pressing; i++) {
        b->known[i] =
            (h * (of_p[i] - impulse[i])) * table->impulse - (h * h * moment[i]) * table->moment;
        b->change[i] = (lzb_nodal){0};
        b->pull[i] = (lzb_nodal){0};
    }
}

static void add_gradient(const lzb_tangent *b, lzb_tangent_data *to, const double *of_x,
                         const double *of_c)
{
    double square = b->length * b->length;
    for (size_t i = 0; i < b->count; i++) {
        const lzb_tangent_contact *pressed = &b->pressed[i];
        bool presses = i < b->pressing;
        for (uint32_t k = b->start[i]; to->d != NULL && k < b->start[i + 1]; k++) {
            const lzb_tangent_contact *other = &b->pressed[b->column[k]];
            to->d[k] -= of_c[i] * other->impulse;
            if (presses) {
                to->d[k] -= pressed->rate * of_x[i] * other->moment +
                            square * dot(&b->pull[i], &other->force);
            }
        }
        if (!presses) {
            continue;
        }
        lzb_nodal weight = pressed->slope * b->change[i], way = pressed->depth - pressed->starts;
        if (to->stiffness != NULL) {
            to->stiffness[i] += dot(&pressed->force, &b->change[i]);
        }
        if (to->exponent != NULL) {
            to->exponent[i] += dot(&pressed->by_depth, &b->change[i]);
        }
        if (to->rate != NULL) {
            to->rate[i] += dot(&way, &weight) + (pressed->ends - pressed->starts) * of_x[i];
        }
    }
}

void lzb_tangent_reverse(lzb_tangent *b, lzb_tangent_data *gradient, double *of_x, double *of_c,
                         const double *of_p)
{
    const lzb_table *table = table_of(b);
    weigh_ends(b, of_x, of_c, of_p);
    iterate(b, reverse[b->width]);
    add_gradient(b, gradient, of_x, of_c);
    for (size_t i = 0; i < b->pressing; i++) {
        const lzb_tangent_contact *pressed = &b->pressed[i];
        lzb_nodal weight = pressed->slope * b->change[i];
        of_c[i] += pressed->rate * b->length * (of_x[i] + dot(&table->time, &weight));
        for (unsigned l = 0; l < LZB_NODES; l++) {
            of_x[i] += weight[l];
        }
    }
}
