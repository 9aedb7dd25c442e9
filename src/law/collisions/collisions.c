#include "law/collisions/collisions.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"

/* A sum this small beside its terms is rounding: D's entries, the impulse and the product bring a
 * unit each or two.
 */
static const double CANCELLED = 32 * DBL_EPSILON;

/* cos of a kinetic angle that counts as 0. */
static const double RIGHT_ANGLE = 1e-12;

bool crm_collisions_are_coupled(const crm_model *model, size_t i, size_t j, double d_ij)
{
    return d_ij < -RIGHT_ANGLE * sqrt(model->d_diagonal[i] * model->d_diagonal[j]);
}

/* ---- Gap velocities -------------------------------------------------------------------------- */

double crm_collisions_add_cleared(double u, double term)
{
    double sum = u + term;
    return fabs(sum) <= CANCELLED * fmax(fabs(u), fabs(term)) ? 0 : sum;
}

/* Sum of |w_ij v_i| and |w-hat_j|: what u_j is the difference of. */
static double terms_of_gap_velocity(const crm_model *model, const double *velocity, size_t j)
{
    double sum = fabs(model->boundary_velocity[j]);
    for (size_t k = model->w_start[j]; k < model->w_start[j + 1]; k++) {
        sum += fabs(model->w_value[k] * velocity[model->w_row[k]]);
    }
    return sum;
}

void crm_collisions_scale_gap_velocity(const crm_problem *problem, double *u, double *scale)
{
    const crm_model *model = problem->model, *all = crm_blow_directions(model);
    size_t rows = 1 + model->tangents;
    double most = 0;
    for (size_t j = 0, i = 0; j < model->contacts; j++) {
        for (size_t a = 0; a < rows; a++, i++) {
            double value = a == 0 ? problem->gap_velocity[j]
                                  : problem->slip_velocity[j * model->tangents + a - 1];
            double terms = terms_of_gap_velocity(all, problem->velocity, i);
            u[i] = fabs(value) <= CANCELLED * terms ? 0 : value;
            most = a == 0 ? fmax(most, -u[i]) : most;
        }
    }
    for (size_t i = 0; i < all->contacts && most > 0; i++) {
        u[i] /= most;
    }
    *scale = most;
}

/* ---- Collisions ------------------------------------------------------------------------------ */

crm_status crm_collisions_create(const crm_problem *problem, crm_collisions *collisions,
                                 crm_error *error)
{
    const crm_model *all = crm_blow_directions(problem->model);
    size_t contacts = problem->model->contacts;
    *collisions = (crm_collisions){.problem = problem,
                                   .contacts = contacts,
                                   .rows_of_contact = 1 + problem->model->tangents,
                                   .gap_velocity = CRM_NEW(double, all->contacts),
                                   .impulse = CRM_NEW(double, all->contacts),
                                   .loss = CRM_NEW(double, contacts),
                                   .collided = CRM_NEW(uint32_t, contacts)};
    if (!crm_heap_create(&collisions->heap, contacts) || collisions->gap_velocity == NULL ||
        collisions->impulse == NULL || collisions->loss == NULL || collisions->collided == NULL) {
        return crm_fail_memory(error);
    }
    if (problem->model->tangents > 0) {
        collisions->loss_friction = CRM_NEW(double, contacts);
        collisions->path = CRM_NEW(uint32_t, contacts);
        if (collisions->loss_friction == NULL || collisions->path == NULL) {
            return crm_fail_memory(error);
        }
    }
    crm_collisions_scale_gap_velocity(problem, collisions->gap_velocity, &collisions->scale);
    return crm_rows_create(all, &collisions->rows, error);
}

void crm_collisions_release(crm_collisions *collisions)
{
    crm_rows_release(&collisions->rows);
    crm_heap_release(&collisions->heap);
    crm_collapse_release(&collisions->collapse);
    free(collisions->gap_velocity);
    free(collisions->impulse);
    free(collisions->loss);
    free(collisions->loss_friction);
    free(collisions->path);
    free(collisions->collided);
}

static double closing_of(const crm_collisions *collisions, size_t j)
{
    return -collisions->gap_velocity[j * collisions->rows_of_contact];
}

static inline void reschedule(crm_collisions *collisions, const crm_collision_plan *plan, size_t j,
                              double closing)
{
    if (!(closing > plan->tolerance)) {
        crm_heap_drop(&collisions->heap, j);
        return;
    }
    double key = plan->order == CRM_ORDER_FASTEST    ? closing
                 : plan->order == CRM_ORDER_GREATEST ? (double)j
                                                     : 0; /* equal keys: least index first */
    crm_heap_put(&collisions->heap, j, key);
}

/* The impulse of row `from`, a normal or tangent of contact j, whose own u is `after` then. rows: a
 * constant where there is no friction.
 */
__attribute__((always_inline)) static inline void strike(crm_collisions *collisions,
                                                         const crm_collision_plan *plan,
                                                         size_t rows, const crm_row *row,
                                                         size_t from, const crm_blow *blow)
{
    size_t j = from / rows, a = from % rows;
    for (size_t k = 0; k < row->count; k++) {
        size_t to = row->column[k], contact = to / rows, b = to % rows;
        double *u = &collisions->gap_velocity[to];
        *u = contact == j ? blow->after[b]
                          : crm_collisions_add_cleared(*u, row->value[k] * blow->impulse[a]);
        if (b == 0) {
            reschedule(collisions, plan, contact, -*u);
        }
    }
    collisions->impulse[from] += blow->impulse[a];
}

static crm_status hit(crm_collisions *collisions, const crm_collision_plan *plan, size_t from,
                      const crm_blow *blow, crm_error *error)
{
    size_t rows = collisions->rows_of_contact;
    crm_row row;
    crm_status status = crm_rows_get(&collisions->rows, from, &row, error);
    if (status != CRM_OK) {
        return status;
    }
    if (rows == 1) {
        strike(collisions, plan, 1, &row, from, blow);
    } else {
        strike(collisions, plan, rows, &row, from, blow);
    }
    return CRM_OK;
}

static void add_up(crm_collisions *collisions, size_t j, const crm_blow *blow)
{
    collisions->loss[j] += blow->loss;
    collisions->collided[j]++;
    collisions->count++;
    if (collisions->rows_of_contact == 1) {
        return;
    }
    collisions->loss_friction[j] += blow->loss_friction;
    collisions->path[j] |= blow->path;
    if (blow->locked) {
        collisions->locked = j + 1;
        collisions->held += blow->held;
    }
}

static crm_status collide(crm_collisions *collisions, const crm_collision_plan *plan, size_t j,
                          crm_error *error)
{
    const crm_model *model = collisions->problem->model;
    size_t rows = collisions->rows_of_contact;
    double e, closing = closing_of(collisions, j);
    crm_status status =
        crm_model_find_restitution(model, j, collisions->scale * closing, &e, error);
    if (status != CRM_OK) {
        return status;
    }
    crm_blow blow;
    crm_blow_find(model, j, collisions->gap_velocity + j * rows, e, &blow);
    if (collisions->on_collision != NULL) {
        collisions->on_collision(collisions->context, j, closing);
    }
    for (size_t a = 0; a < rows && status == CRM_OK; a++) {
        status = hit(collisions, plan, j * rows + a, &blow, error);
    }
    if (status == CRM_OK) {
        add_up(collisions, j, &blow);
    }
    return status;
}

/* splitmix64: one word of state, any seed will do. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

static size_t pick(const crm_heap *heap, crm_order order, uint64_t *random)
{
    /* 32 random bits times the count: uneven by less than count / 2^32. */
    size_t place =
        order == CRM_ORDER_RANDOM ? (size_t)(((next_random(random) >> 32) * heap->count) >> 32) : 0;
    return heap->entry[place];
}

bool crm_collisions_are_interrupted(const crm_collisions *collisions, size_t work)
{
    crm_watching *watching = collisions->problem->watching;
    if (!crm_watch_due(watching, work)) {
        return false;
    }
    const crm_watch_report progress = {
        .time = NAN, .left = NAN, .working = collisions->heap.count, .steps = collisions->count};
    return crm_watch_ends(watching, &progress);
}

crm_status crm_collisions_run(crm_collisions *collisions, const crm_collision_plan *asked,
                              crm_error *error)
{
    crm_collision_plan own = *asked, *plan = &own;
    if (collisions->scale > 0) {
        own.tolerance =
            fmax(asked->tolerance, collisions->problem->negligible_speed / collisions->scale);
    }
    uint64_t random = plan->seed;
    for (size_t j = 0; j < collisions->contacts; j++) {
        reschedule(collisions, plan, j, closing_of(collisions, j));
    }
    crm_heap *heap = &collisions->heap;
    crm_status status = CRM_OK;
    bool endless = false;
    while (status == CRM_OK && heap->count > 0 && (double)collisions->count < plan->most &&
           !endless && collisions->locked == 0 && !crm_collisions_are_interrupted(collisions, 1)) {
        size_t j = pick(heap, plan->order, &random);
        collisions->choices += heap->count > 1;
        status = collide(collisions, plan, j, error);
        if (status == CRM_OK) {
            status = crm_collapse_observe(collisions, plan, j, &endless, error);
        }
    }
    return status;
}

/* ---- What came of it ------------------------------------------------------------------------- */

double crm_collisions_left(const crm_collisions *collisions, size_t *contact)
{
    double left = 0;
    *contact = 0;
    for (size_t j = 0; j < collisions->contacts; j++) {
        if (closing_of(collisions, j) > left) {
            left = closing_of(collisions, j);
            *contact = j;
        }
    }
    return left;
}

static void report_end(const crm_collisions *collisions, const crm_collision_plan *plan,
                       crm_outcome *outcome)
{
    size_t contact;
    double left = crm_collisions_left(collisions, &contact);
    unsigned long long count = collisions->count;
    if (collisions->locked > 0) {
        outcome->result = CRM_NOT_TERMINATED;
        crm_snprintf(outcome->reason, sizeof outcome->reason,
                     "after %llu collisions contact %zu locks: friction holds it closed, with "
                     "%.4g J in it",
                     count, collisions->locked, outcome->energy_held);
        return;
    }
    if (left == 0) {
        outcome->result = CRM_SOLVED;
        return;
    }
    outcome->result = CRM_NOT_TERMINATED;
    if (collisions->collapse.period > 0) {
        crm_collapse_describe(collisions, outcome->reason, sizeof outcome->reason);
    } else if (collisions->heap.count > 0) {
        crm_snprintf(
            outcome->reason, sizeof outcome->reason,
            "after %llu collisions (max_collisions) contact %zu still closes at %.3g of the "
            "largest closing speed before the impact",
            count, contact + 1, left);
    } else {
        crm_snprintf(
            outcome->reason, sizeof outcome->reason,
            "after %llu collisions closing speeds of up to %.3g of the first are left, below "
            "the tolerance %.3g: the sequence dies away without an end in sight",
            count, left, plan->tolerance);
    }
}

crm_status crm_collisions_report(const crm_collisions *collisions, const crm_collision_plan *plan,
                                 crm_outcome *outcome, crm_error *error)
{
    const crm_model *model = collisions->problem->model;
    size_t contacts = collisions->contacts, rows = collisions->rows_of_contact;
    if (crm_outcome_want(collisions->problem, &outcome->loss) == NULL ||
        crm_outcome_want_counts(collisions->problem, &outcome->compressions) == NULL ||
        (rows > 1 && crm_outcome_want_counts(collisions->problem, &outcome->path) == NULL)) {
        return crm_fail_memory(error);
    }
    double unit = collisions->scale * collisions->scale;
    for (size_t j = 0; j < contacts; j++) {
        outcome->impulse[j] = collisions->scale * collisions->impulse[j * rows];
        outcome->loss[j] = model->stored_energy[j] + unit * collisions->loss[j];
        outcome->compressions[j] = collisions->collided[j];
        for (size_t a = 1; a < rows; a++) {
            outcome->tangential_impulse[j * (rows - 1) + a - 1] =
                collisions->scale * collisions->impulse[j * rows + a];
        }
    }
    for (size_t j = 0; j < contacts && rows > 1; j++) {
        outcome->loss_friction[j] = unit * collisions->loss_friction[j];
        outcome->path[j] = collisions->path[j];
    }
    outcome->energy_held = unit * collisions->held;
    outcome->steps = collisions->count;
    report_end(collisions, plan, outcome);
    return CRM_OK;
}
