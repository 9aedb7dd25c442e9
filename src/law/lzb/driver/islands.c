/* Islands: contacts that D connects, directly or through others.
 *
 * Steps, scales and the end of an impact are chosen for all contacts at work together, so islands
 * that go side by side would disturb each other within the tolerance of the faster one, and each
 * would pay for the steps of all. An island is a model of its own: the columns of W, the rows of D
 * and the coordinates that belong to it.
 */
#include "law/lzb/driver/islands.h"

#include <string.h>

#include "law/lzb/state/line.h"

static const uint32_t NONE = UINT32_MAX;

typedef struct island {
    size_t contacts;
    const uint32_t *contact; /* of the whole, ascending */
} island;

typedef struct map {
    size_t islands;    /* in which something happens */
    uint32_t *members; /* contacts, island by island */
    size_t *start;
    uint32_t *place; /* by contact of the whole: its place in its island */
} map;

/* ---- Finding them ---------------------------------------------------------------------------- */

static bool begins_at(const crm_problem *problem, size_t j)
{
    return problem->gap_velocity[j] < 0 || problem->model->stored_energy[j] > 0;
}

/* All that D connects with the contacts listed from `first` on; returns the new count. */
static size_t spread(const crm_model *model, uint32_t *members, size_t first, size_t count,
                     uint32_t *place)
{
    for (size_t k = first; k < count; k++) {
        uint32_t j = members[k];
        for (size_t e = model->d_start[j]; e < model->d_start[j + 1]; e++) {
            uint32_t i = model->d_column[e];
            if (place[i] == NONE && model->d_value[e] != 0) {
                place[i] = 0;
                members[count++] = i;
            }
        }
    }
    return count;
}

/* Ascending, as in the whole: counted off, since a sort of a large island would be expensive. */
static void put_in_order(map *m, size_t contacts, uint32_t *island_of, uint32_t *sorted)
{
    size_t *next = m->start + m->islands + 1;
    memcpy(next, m->start, m->islands * sizeof *next);
    for (size_t i = 0; i < m->islands; i++) {
        for (size_t k = m->start[i]; k < m->start[i + 1]; k++) {
            island_of[m->members[k]] = (uint32_t)i;
        }
    }
    for (size_t j = 0; j < contacts; j++) {
        if (m->place[j] != NONE) {
            size_t at = next[island_of[j]]++;
            sorted[at] = (uint32_t)j;
            m->place[j] = (uint32_t)(at - m->start[island_of[j]]);
        }
    }
    m->members = sorted;
}

static crm_status find(const crm_problem *problem, map *m, crm_error *error)
{
    const crm_model *model = problem->model;
    crm_pool *pool = problem->pool;
    size_t s = model->contacts, count = 0;
    uint32_t *work = CRM_TAKE(pool, uint32_t, 4 * s);
    m->start = CRM_TAKE(pool, size_t, 2 * s + 2);
    if (work == NULL || m->start == NULL) {
        return crm_fail_memory(error);
    }
    m->members = work;
    m->place = work + s;
    memset(m->place, 0xff, s * sizeof *m->place);
    for (size_t j = 0; j < s; j++) {
        if (m->place[j] == NONE && begins_at(problem, j)) {
            m->place[j] = 0;
            m->members[count] = (uint32_t)j;
            count = spread(model, m->members, count, count + 1, m->place);
            m->start[++m->islands] = count;
        }
    }
    if (m->islands > 1) {
        put_in_order(m, s, work + 2 * s, work + 3 * s);
    }
    return CRM_OK;
}

/* ---- One as a model of its own --------------------------------------------------------------- */

typedef struct copier {
    crm_pool *pool;
    const island *island;
    bool failed;
} copier;

static double *copy_values(copier *c, const double *of_whole)
{
    double *values = CRM_TAKE(c->pool, double, c->island->contacts);
    c->failed |= values == NULL;
    for (size_t k = 0; values != NULL && k < c->island->contacts; k++) {
        values[k] = of_whole[c->island->contact[k]];
    }
    return values;
}

/* Rows of D or columns of W: those of contact k run from start[k] to start[k + 1] - 1. */
typedef struct lists {
    size_t *start;
    uint32_t *index;
    double *value;
} lists;

static lists copy_lists(copier *c, lists whole)
{
    size_t count = c->island->contacts, entries = 0;
    for (size_t k = 0; k < count; k++) {
        uint32_t j = c->island->contact[k];
        entries += whole.start[j + 1] - whole.start[j];
    }
    lists own = {CRM_TAKE(c->pool, size_t, count + 1), CRM_TAKE(c->pool, uint32_t, entries),
                 CRM_TAKE(c->pool, double, entries)};
    c->failed |= own.start == NULL || own.index == NULL || own.value == NULL;
    for (size_t k = 0; !c->failed && k < count; k++) {
        uint32_t j = c->island->contact[k];
        size_t first = whole.start[j], length = whole.start[j + 1] - first, at = own.start[k];
        memcpy(own.index + at, whole.index + first, length * sizeof *own.index);
        memcpy(own.value + at, whole.value + first, length * sizeof *own.value);
        own.start[k + 1] = at + length;
    }
    return own;
}

static void copy_delassus(copier *c, const crm_model *whole, const uint32_t *place,
                          crm_model *model)
{
    lists own = copy_lists(c, (lists){whole->d_start, whole->d_column, whole->d_value});
    size_t at = 0;
    for (size_t k = 0, e = 0; !c->failed && k < c->island->contacts; k++) {
        for (size_t end = own.start[k + 1]; e < end; e++) {
            if (own.value[e] != 0) { /* what is 0 may lead to another island */
                own.index[at] = place[own.index[e]];
                own.value[at++] = own.value[e];
            }
        }
        own.start[k + 1] = at;
    }
    model->d_start = own.start;
    model->d_column = own.index;
    model->d_value = own.value;
}

static void copy_gradients(copier *c, const crm_model *whole, crm_model *model)
{
    lists own = copy_lists(c, (lists){whole->w_start, whole->w_row, whole->w_value});
    model->w_start = own.start;
    model->w_row = own.index;
    model->w_value = own.value;
}

/* With a diagonal M only the coordinates that the island moves are kept, so that many islands do
 * not each cost as much as the whole. `number`: by coordinate of the whole, all NONE, and left so.
 */
static void keep_own_coordinates(copier *c, crm_model *model, const double **velocity,
                                 uint32_t *number)
{
    size_t entries = model->w_start[model->contacts], count = 0;
    double *mass = CRM_TAKE(c->pool, double, entries), *own = CRM_TAKE(c->pool, double, entries);
    uint32_t *old = CRM_TAKE(c->pool, uint32_t, entries);
    if (mass == NULL || own == NULL || old == NULL) {
        c->failed = true;
        return;
    }
    for (size_t e = 0; e < entries; e++) {
        uint32_t row = model->w_row[e];
        if (number[row] == NONE) {
            number[row] = (uint32_t)count;
            old[count] = row;
            mass[count] = model->mass.diagonal[row];
            own[count++] = (*velocity)[row];
        }
        model->w_row[e] = number[row];
    }
    for (size_t k = 0; k < count; k++) {
        number[old[k]] = NONE;
    }
    model->coordinates = model->mass.size = count;
    model->mass.diagonal = mass;
    *velocity = own;
}

/* A view: its memory is the room's. *velocity: of the whole, then of its own coordinates. */
static crm_model model_of(copier *c, const crm_model *whole, const uint32_t *place,
                          uint32_t *number, const double **velocity)
{
    crm_model model = {.coordinates = whole->coordinates,
                       .contacts = c->island->contacts,
                       .mass = whole->mass,
                       .stiffness = copy_values(c, whole->stiffness),
                       .exponent = copy_values(c, whole->exponent),
                       .restitution = copy_values(c, whole->restitution),
                       .stored_energy = copy_values(c, whole->stored_energy),
                       .boundary_velocity = copy_values(c, whole->boundary_velocity),
                       .d_diagonal = copy_values(c, whole->d_diagonal)};
    copy_delassus(c, whole, place, &model);
    copy_gradients(c, whole, &model);
    if (!c->failed && model.mass.form == CRM_MASS_DIAGONAL) {
        keep_own_coordinates(c, &model, velocity, number);
    }
    return model;
}

/* ---- Solving them ---------------------------------------------------------------------------- */

static void take_over(const island *own, const crm_outcome *part, const double *part_remainder,
                      crm_outcome *outcome, double *remainder)
{
    for (size_t k = 0; k < own->contacts; k++) {
        uint32_t j = own->contact[k];
        outcome->impulse[j] = part->impulse[k];
        remainder[j] = part_remainder != NULL ? part_remainder[k] : 0;
        outcome->loss[j] = part->loss[k];
        outcome->peak_force[j] = part->peak_force[k];
        outcome->contact_duration[j] = part->contact_duration[k];
        outcome->compressions[j] = part->compressions[k];
    }
}

/* `share`: the island's speed as a part of the fastest one's, to which errors are relative. */
static void add_up(const crm_outcome *part, double share, crm_outcome *outcome)
{
    outcome->steps += part->steps;
    outcome->evaluations += part->evaluations;
    outcome->duration = fmax(outcome->duration, part->duration);
    outcome->error_estimate = fmax(outcome->error_estimate, share * part->error_estimate);
    outcome->tail_closed |= part->tail_closed;
    outcome->tail_speed = fmax(outcome->tail_speed, share * part->tail_speed);
    if (part->result != CRM_SOLVED && outcome->result == CRM_SOLVED) {
        outcome->result = part->result;
        memcpy(outcome->reason, part->reason, sizeof outcome->reason);
    }
}

static crm_status solve_one(const crm_problem *problem, const lzb_options *options,
                            lzb_solver *solve, const island *own, const map *m, uint32_t *number,
                            double fastest, crm_outcome *outcome, double *remainder,
                            crm_error *error)
{
    copier c = {.pool = problem->pool, .island = own};
    crm_problem part = *problem;
    crm_model model = model_of(&c, problem->model, m->place, number, &part.velocity);
    part.model = &model;
    part.gap_velocity = copy_values(&c, problem->gap_velocity);
    crm_outcome found = {.law = outcome->law, .contacts = own->contacts};
    if (c.failed || crm_outcome_want(&part, &found.impulse) == NULL) {
        return crm_fail_memory(error);
    }
    const double *part_remainder = NULL;
    crm_status status = solve(&part, options, &found, &part_remainder, error);
    if (status == CRM_OK) {
        take_over(own, &found, part_remainder, outcome, remainder);
        add_up(&found, lzb_state_speed(&part) / fastest, outcome);
    }
    return status;
}

static crm_status solve_each(const crm_problem *problem, const lzb_options *options,
                             lzb_solver *solve, const map *m, crm_outcome *outcome,
                             const double **remainder, crm_error *error)
{
    size_t n = problem->model->coordinates;
    double *whole_remainder = CRM_TAKE(problem->pool, double, problem->model->contacts);
    uint32_t *number = CRM_TAKE(problem->pool, uint32_t, n);
    if (number == NULL || whole_remainder == NULL ||
        crm_outcome_want(problem, &outcome->loss) == NULL ||
        crm_outcome_want(problem, &outcome->peak_force) == NULL ||
        crm_outcome_want(problem, &outcome->contact_duration) == NULL ||
        crm_outcome_want_counts(problem, &outcome->compressions) == NULL) {
        return crm_fail_memory(error);
    }
    *remainder = whole_remainder;
    memset(number, 0xff, n * sizeof *number);
    outcome->duration = outcome->error_estimate = 0;
    double fastest = lzb_state_speed(problem);
    crm_status status = CRM_OK;
    for (size_t i = 0; status == CRM_OK && i < m->islands; i++) {
        island own = {m->start[i + 1] - m->start[i], m->members + m->start[i]};
        status = solve_one(problem, options, solve, &own, m, number, fastest, outcome,
                           whole_remainder, error);
    }
    return status;
}

crm_status lzb_islands_solve(const crm_problem *problem, const lzb_options *options,
                             lzb_solver *solve, crm_outcome *outcome, const double **remainder,
                             crm_error *error)
{
    const crm_model *model = problem->model;
    map m = {0};
    /* Contacts with a compliance: errors name them by their place in the whole model. */
    bool whole = !crm_model_has_delassus(model) || crm_model_has_compliance(model) ||
                 crm_model_friction(model) != NULL;
    if (!whole && !lzb_line_fits(model)) {
        crm_status status = find(problem, &m, error);
        if (status != CRM_OK) {
            return status;
        }
    }
    return m.islands > 1 ? solve_each(problem, options, solve, &m, outcome, remainder, error)
                         : solve(problem, options, outcome, remainder, error);
}
