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
static double terms_of_gap_velocity(const crm_problem *problem, size_t j)
{
    const crm_model *model = problem->model;
    double sum = fabs(model->boundary_velocity[j]);
    for (size_t k = model->w_start[j]; k < model->w_start[j + 1]; k++) {
        sum += fabs(model->w_value[k] * problem->velocity[model->w_row[k]]);
    }
    return sum;
}

void crm_collisions_scale_gap_velocity(const crm_problem *problem, double *u, double *scale)
{
    size_t contacts = problem->model->contacts;
    *scale = 0;
    for (size_t j = 0; j < contacts; j++) {
        double value = problem->gap_velocity[j];
        u[j] = fabs(value) <= CANCELLED * terms_of_gap_velocity(problem, j) ? 0 : value;
        *scale = fmax(*scale, -u[j]);
    }
    for (size_t j = 0; j<contacts && * scale> 0; j++) {
        u[j] /= *scale;
    }
}

/* ---- Collisions ------------------------------------------------------------------------------ */

crm_status crm_collisions_create(const crm_problem *problem, crm_collisions *collisions,
                                 crm_error *error)
{
    size_t contacts = problem->model->contacts;
    *collisions = (crm_collisions){.problem = problem,
                                   .contacts = contacts,
                                   .gap_velocity = CRM_NEW(double, contacts),
                                   .impulse = CRM_NEW(double, contacts),
                                   .loss = CRM_NEW(double, contacts),
                                   .collided = CRM_NEW(uint32_t, contacts)};
    if (!crm_heap_create(&collisions->heap, contacts) || collisions->gap_velocity == NULL ||
        collisions->impulse == NULL || collisions->loss == NULL || collisions->collided == NULL) {
        return crm_fail_memory(error);
    }
    crm_collisions_scale_gap_velocity(problem, collisions->gap_velocity, &collisions->scale);
    return crm_rows_create(problem->model, &collisions->rows, error);
}

void crm_collisions_release(crm_collisions *collisions)
{
    crm_rows_release(&collisions->rows);
    crm_heap_release(&collisions->heap);
    crm_collapse_release(&collisions->collapse);
    free(collisions->gap_velocity);
    free(collisions->impulse);
    free(collisions->loss);
    free(collisions->collided);
}

static void reschedule(crm_collisions *collisions, const crm_collision_plan *plan, size_t j)
{
    double closing = -collisions->gap_velocity[j];
    if (!(closing > plan->tolerance)) {
        crm_heap_drop(&collisions->heap, j);
        return;
    }
    double key = plan->order == CRM_ORDER_FASTEST    ? closing
                 : plan->order == CRM_ORDER_GREATEST ? (double)j
                                                     : 0; /* equal keys: least index first */
    crm_heap_put(&collisions->heap, j, key);
}

static crm_status collide(crm_collisions *collisions, const crm_collision_plan *plan, size_t j,
                          crm_error *error)
{
    crm_row row;
    crm_status status = crm_rows_get(&collisions->rows, j, &row, error);
    if (status != CRM_OK) {
        return status;
    }
    const crm_model *model = collisions->problem->model;
    double e, closing = -collisions->gap_velocity[j];
    status = crm_model_find_restitution(model, j, collisions->scale * closing, &e, error);
    if (status != CRM_OK) {
        return status;
    }
    double impulse = (1 + e) * closing / model->d_diagonal[j];
    if (collisions->on_collision != NULL) {
        collisions->on_collision(collisions->context, j, closing);
    }
    for (size_t k = 0; k < row.count; k++) {
        size_t i = row.column[k];
        double *u = &collisions->gap_velocity[i];
        *u = i == j ? e * closing : crm_collisions_add_cleared(*u, row.value[k] * impulse);
        reschedule(collisions, plan, i);
    }
    collisions->impulse[j] += impulse;
    collisions->loss[j] += 0.5 * (1 - e * e) * closing * closing / model->d_diagonal[j];
    collisions->collided[j]++;
    collisions->count++;
    return CRM_OK;
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
        reschedule(collisions, plan, j);
    }
    crm_heap *heap = &collisions->heap;
    crm_status status = CRM_OK;
    bool endless = false;
    while (status == CRM_OK && heap->count > 0 && (double)collisions->count < plan->most &&
           !endless && !crm_collisions_are_interrupted(collisions, 1)) {
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
        if (-collisions->gap_velocity[j] > left) {
            left = -collisions->gap_velocity[j];
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
    size_t contacts = collisions->contacts;
    if (crm_outcome_want(collisions->problem, &outcome->loss) == NULL ||
        crm_outcome_want_counts(collisions->problem, &outcome->compressions) == NULL) {
        return crm_fail_memory(error);
    }
    for (size_t j = 0; j < contacts; j++) {
        outcome->impulse[j] = collisions->scale * collisions->impulse[j];
        outcome->loss[j] =
            model->stored_energy[j] + collisions->scale * collisions->scale * collisions->loss[j];
        outcome->compressions[j] = collisions->collided[j];
    }
    outcome->steps = collisions->count;
    report_end(collisions, plan, outcome);
    return CRM_OK;
}
