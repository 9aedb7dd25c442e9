/* icr: Ceanga and Hurmuzlu's impulse correlation ratio, with energetic restitution.
 *
 * A contact works alone, and a fixed share r of its impulse passes to its neighbours. While
 * contact i works, with its neighbours N that were at rest,
 *     dP_j = r dP_i,  j in N,      du = D a dP_i,  a_i = 1, a_N = r,
 * so that every closing speed is linear in P_i and every work a quadratic:
 *     contact i:  compression W_i = w_i + c_i^2 / (2 d), d = (Da)_i, opens at u = sqrt(2 d e^2 W_i)
 *     neighbour:  w_j += r (c_j P - (Da)_j P^2 / 2).
 * w_j, the work already put into a contact, is released with the rest when it works itself.
 * Three equal balls: P_1 = (1+e)/(2-r) v_0, w_2 = r(1-2r) P_1^2/2, and contact 2 then opens at
 * sqrt(4 e^2 (w_2 + c_2^2/4)), c_2 = (1-2r) P_1.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/locale.h"
#include "law/collisions/collisions.h"

enum { RATIO, MAX_COLLISIONS, TOLERANCE };

static const crm_parameter parameters[] = {
    [RATIO] = {.name = "ratio",
               .kind = CRM_PARAMETER_NUMBER,
               .standard = NAN,
               .least = 0,
               .most = 1,
               .standard_text = "none; must be given for more than one contact",
               .text = "Share of an active contact's impulse that passes to each neighbour at "
                       "rest; 0 gives binary collisions."},
    [MAX_COLLISIONS] = CRM_MAX_COLLISIONS_PARAMETER,
    [TOLERANCE] = CRM_COLLISION_TOLERANCE_PARAMETER(1e-140),
};

typedef struct triplets {
    crm_collisions *collisions;
    const crm_model *model;
    crm_collision_plan plan;
    double ratio;
    double *stored; /* w_j */
    bool *fresh;    /* at rest before the impact, and has not worked since */
    double *change; /* D a, on the contacts reached */
    bool *is_reached;
    uint32_t *reached, *neighbour;
    size_t reached_count, neighbour_count;
} triplets;

/* ---- Who works next -------------------------------------------------------------------------- */

/* Work that contact j can still release, if no impulse passed to its neighbours. */
static double pending_work(const triplets *t, size_t j)
{
    double closing = fmax(0, -t->collisions->gap_velocity[j]);
    return t->stored[j] + closing * closing / (2 * t->model->d_diagonal[j]);
}

/* Contacts that hold work go first, so that a wave runs through before anything returns; among
 * them, and among the others, the one with most work. Keys: W > 0, and -1/W < 0.
 */
static void reschedule(triplets *t, size_t j)
{
    double work = pending_work(t, j);
    double least = t->plan.tolerance * t->plan.tolerance / (2 * t->model->d_diagonal[j]);
    if (work > least) {
        crm_heap_put(&t->collisions->heap, j, t->stored[j] > 0 ? work : -1 / work);
    } else {
        crm_heap_drop(&t->collisions->heap, j);
    }
}

/* More than one contact of the first one's kind waits: the rule above decides, not mechanics. */
static bool has_choice(const crm_heap *heap)
{
    if (heap->key[heap->entry[0]] < 0) {
        return heap->count > 1;
    }
    for (size_t place = 1; place < 3 && place < heap->count; place++) {
        if (heap->key[heap->entry[place]] > 0) {
            return true;
        }
    }
    return false;
}

/* Contacts that store work are at the top. */
static bool none_stores_work(const crm_heap *heap)
{
    return heap->count > 0 && heap->key[heap->entry[0]] < 0;
}

/* ---- One contact works ----------------------------------------------------------------------- */

static crm_status add_direction(triplets *t, size_t j, double share, crm_error *error)
{
    crm_row row;
    crm_status status = crm_rows_get(&t->collisions->rows, j, &row, error);
    for (size_t k = 0; status == CRM_OK && k < row.count; k++) {
        uint32_t i = row.column[k];
        if (!t->is_reached[i]) {
            t->is_reached[i] = true;
            t->reached[t->reached_count++] = i;
            t->change[i] = 0;
        }
        t->change[i] = crm_collisions_add_cleared(t->change[i], share * row.value[k]);
    }
    return status;
}

static crm_status find_direction(triplets *t, size_t worker, crm_error *error)
{
    for (size_t k = 0; k < t->reached_count; k++) {
        t->is_reached[t->reached[k]] = false;
    }
    t->reached_count = t->neighbour_count = 0;
    crm_status status = add_direction(t, worker, 1, error);
    size_t direct = status == CRM_OK ? t->reached_count : 0;
    for (size_t k = 0; k < direct; k++) {
        uint32_t j = t->reached[k];
        bool takes = j != worker && t->fresh[j] && t->collisions->gap_velocity[j] <= 0 &&
                     crm_collisions_are_coupled(t->model, worker, j, t->change[j]);
        if (takes && t->ratio > 0) {
            t->neighbour[t->neighbour_count++] = j;
        }
    }
    for (size_t k = 0; k < t->neighbour_count && status == CRM_OK; k++) {
        status = add_direction(t, t->neighbour[k], t->ratio, error);
    }
    return status;
}

static void refuse(const triplets *t, size_t worker, size_t neighbour, crm_outcome *outcome)
{
    outcome->result = CRM_FAILED;
    double most =
        -crm_model_delassus(t->model, worker, neighbour) / t->model->d_diagonal[neighbour];
    crm_snprintf(
        outcome->reason, sizeof outcome->reason,
        "not defined: with ratio %.6g contact %zu would separate while contact %zu presses it; "
        "these two contacts alone allow a ratio of at most %.6g",
        t->ratio, neighbour + 1, worker + 1, most);
}

/* The neighbours' share of the work. False: one of them would have to pull. */
static bool load_neighbours(triplets *t, size_t worker, double impulse, crm_outcome *outcome)
{
    for (size_t k = 0; k < t->neighbour_count; k++) {
        size_t j = t->neighbour[k];
        double closing = -t->collisions->gap_velocity[j];
        if (crm_collisions_add_cleared(closing, -t->change[j] * impulse) < 0) {
            refuse(t, worker, j, outcome);
            return false;
        }
        t->stored[j] += t->ratio * impulse * (closing - t->change[j] * impulse / 2);
        t->collisions->impulse[j] += t->ratio * impulse;
    }
    return true;
}

/* Gap velocity at which the contact opens: its compression work W is given back but for 1 - e^2
 * of it. A contact that already separates but holds work only expands.
 */
static double opening_speed(triplets *t, size_t worker)
{
    double e = t->model->restitution[worker], d = t->change[worker];
    double u = t->collisions->gap_velocity[worker];
    double work = t->stored[worker] + (u < 0 ? u * u / (2 * d) : 0);
    t->collisions->loss[worker] += (1 - e * e) * work;
    return t->stored[worker] == 0 && u < 0 ? -e * u
                                           : sqrt((u > 0 ? u * u : 0) + 2 * d * e * e * work);
}

/* *defined: whether the law has an answer; else the outcome says why not. */
static crm_status work_contact(triplets *t, size_t worker, bool *defined, crm_outcome *outcome,
                               crm_error *error)
{
    crm_collisions *c = t->collisions;
    crm_status status = find_direction(t, worker, error);
    if (status != CRM_OK) {
        return status;
    }
    if (!(t->change[worker] > 0)) { /* the neighbours push back harder than the contact itself */
        refuse(t, worker, t->neighbour[0], outcome);
        *defined = false;
        return CRM_OK;
    }
    double opening = opening_speed(t, worker);
    double impulse = (opening - c->gap_velocity[worker]) / t->change[worker];
    t->stored[worker] = 0;
    t->fresh[worker] = false;
    *defined = load_neighbours(t, worker, impulse, outcome);
    c->impulse[worker] += impulse;
    c->collided[worker]++;
    c->count++;
    for (size_t k = 0; k < t->reached_count; k++) {
        uint32_t i = t->reached[k];
        double *u = &c->gap_velocity[i];
        *u = i == worker ? opening : crm_collisions_add_cleared(*u, t->change[i] * impulse);
        reschedule(t, i);
    }
    return CRM_OK;
}

/* ---- The impact ------------------------------------------------------------------------------ */

static crm_status create(triplets *t, crm_error *error)
{
    size_t contacts = t->model->contacts;
    t->stored = CRM_NEW(double, contacts);
    t->change = CRM_NEW(double, contacts);
    t->fresh = CRM_NEW(bool, contacts);
    t->is_reached = CRM_NEW(bool, contacts);
    t->reached = CRM_NEW(uint32_t, contacts);
    t->neighbour = CRM_NEW(uint32_t, contacts);
    if (t->stored == NULL || t->change == NULL || t->fresh == NULL || t->is_reached == NULL ||
        t->reached == NULL || t->neighbour == NULL) {
        return crm_fail_memory(error);
    }
    for (size_t j = 0; j < contacts; j++) {
        t->fresh[j] = t->collisions->gap_velocity[j] == 0;
        reschedule(t, j);
    }
    return CRM_OK;
}

static void release(triplets *t)
{
    free(t->stored);
    free(t->change);
    free(t->fresh);
    free(t->is_reached);
    free(t->reached);
    free(t->neighbour);
}

static crm_status run(triplets *t, crm_outcome *outcome, crm_error *error)
{
    crm_collisions *c = t->collisions;
    crm_status status = create(t, error);
    bool defined = true, endless = false;
    while (status == CRM_OK && defined && c->heap.count > 0 && (double)c->count < t->plan.most &&
           !endless && !crm_collisions_are_interrupted(c, t->reached_count)) {
        size_t j = c->heap.entry[0];
        c->choices += has_choice(&c->heap);
        status = work_contact(t, j, &defined, outcome, error);
        if (status == CRM_OK && none_stores_work(&c->heap)) { /* collisions are binary */
            status = crm_collapse_observe(c, &t->plan, j, &endless, error);
        }
    }
    if (status != CRM_OK || !defined) {
        return status;
    }
    for (size_t j = 0; j < c->contacts; j++) {
        c->loss[j] += t->stored[j]; /* of an impact cut short */
    }
    outcome->unique = c->choices == 0;
    if (c->choices > 0) {
        crm_note_continue(
            outcome,
            "Before %llu of %llu collisions several contacts could have worked next; the "
            "one with most work was taken.",
            (unsigned long long)c->choices, (unsigned long long)c->count);
    }
    return crm_collisions_report(c, &t->plan, outcome, error);
}

static crm_status solve(const crm_problem *problem, crm_outcome *outcome, crm_error *error)
{
    double ratio = crm_settings_number(problem->settings, RATIO);
    crm_status known = crm_law_refuse_compliance(
        problem, false, true, "a number, since neighbours are given work before they collide",
        error);
    if (known != CRM_OK) {
        return known;
    }
    if (isnan(ratio) && problem->model->contacts > 1) {
        return crm_fail(error, CRM_ERROR_OPTION, "ratio",
                        "law icr: ratio must be given, a number between 0 and 1");
    }
    crm_collisions collisions;
    triplets t = {.collisions = &collisions,
                  .model = problem->model,
                  .plan = {.order = CRM_ORDER_WORK,
                           .most = crm_settings_number(problem->settings, MAX_COLLISIONS),
                           .tolerance = crm_settings_number(problem->settings, TOLERANCE)},
                  .ratio = isnan(ratio) ? 0 : ratio};
    crm_status status = crm_collisions_create(problem, &collisions, error);
    if (status == CRM_OK) {
        status = run(&t, outcome, error);
    }
    release(&t);
    crm_collisions_release(&collisions);
    return status;
}

/* Energetic: u+^2/(2 d) = e^2 u-^2/(2 d). */
static double single(const crm_settings *settings, double restitution)
{
    (void)settings;
    return restitution;
}

extern const crm_law crm_law_icr;
const crm_law crm_law_icr = {
    .name = "icr",
    .summary = "Ceanga-Hurmuzlu: contacts act in turn, and pass a fixed share to their neighbours",
    .description =
        "One contact acts at a time, with an energetic coefficient of restitution, while "
        "each neighbour (coupled, at rest before the impact, not yet active itself, not "
        "separating) receives the impulse r dP. The work this puts into the neighbour is "
        "released when its turn comes. For three balls struck at an end this is the published "
        "law. It is extended to other systems as follows: the same r holds for every such pair of "
        "contacts, on both sides of the active one; contacts that hold work go first, then those "
        "with most work to do; a contact that closes again collides as in the law binary.",
    .equation = "contact i acts:   du = D a dP,  a_i = 1,  a_j = r for neighbours j at rest\n"
                "compression:      W_i = w_i + c_i² / (2 d),  d = (D a)_i\n"
                "opening:          u_i = √(2 d e_i² W_i)\n"
                "neighbours:       w_j grows by the work r ∫ c_j dP done on them",
    .assumptions =
        "Positions do not change; no friction; stiffness, exponent and stored energy of the "
        "contacts play no part, the ratio stands for them. Always p >= 0 and T+ <= T-. Not "
        "defined where r would make a neighbour separate under load (three equal balls: r > "
        "1/2): reported as failed. The order is a convention where several contacts could act next "
        "(the outcome is then not unique). The collisions need not end.",
    .restitution = "energetic: e^2 of the work of compression of a contact is given back",
    .reference = "V. Ceanga, Y. Hurmuzlu, ASME J. Appl. Mech. 68 (2001) 575-583; C. Liu, Z. Zhao, "
                 "B. Brogliato, Proc. R. Soc. A 465 (2009) 1-23, table 2.",
    .parameters = parameters,
    .parameter_count = sizeof parameters / sizeof parameters[0],
    .solve = solve,
    .compliance = true,
    .single = single};
