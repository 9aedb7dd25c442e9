/* A depth-first search of the states (gap velocities) that collisions lead to. Two ways to the
 * same gap velocities lead to the same velocities: D (p - p') = 0 implies W (p - p') = 0. They are
 * therefore one state, and the search is over a graph rather than over the far greater tree of
 * sequences.
 */
#include "law/collisions/reachable.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rounding may part two ways to one state by some hundred units, 1e-14; MERGED is far above that. A
 * collision must move a state further than MERGED, or it would be taken for no move at all: closing
 * speeds up to SLOWEST are left alone. What such a tail may still do to the gap velocities, some
 * ten times as much, is far below what parts two outcomes.
 */
static const double MERGED = 1e-12;
static const double SLOWEST = 1e-11;
const double crm_reachable_distinct = 1e-9;

enum {
    MOST_OUTCOMES = 1024,   /* compared one with the other */
    MOST_ENTRIES = 1 << 23, /* numbers kept for the states' gap velocities */
    MOVES_PER_STATE = 64    /* on average; sets of contacts tried */
};

typedef struct search {
    const crm_problem *problem;
    crm_reachable_limits limits;
    crm_rows rows;
    size_t contacts;
    size_t rows_of_contact, entries; /* of u and p: normals and tangents, contact after contact */
    double scale;
    size_t capacity, states;
    double *u, *p;     /* of each state, in units of scale */
    uint32_t *waiting; /* states whose moves are still to be made */
    size_t waiting_count;
    uint32_t *table; /* hash of a state -> state + 1; 0: free */
    size_t slots;
    double *next_u, *next_p;
    uint32_t ends[MOST_OUTCOMES]; /* states that are distinct outcomes */
    uint64_t neighbours[CRM_REACHABLE_CONTACTS];
    uint64_t moves;
    crm_reachable *found;
    crm_status status;
    crm_error *error;
} search;

/* ---- States ---------------------------------------------------------------------------------- */

static bool same_state(const double *a, const double *b, size_t entries, double difference)
{
    for (size_t j = 0; j < entries; j++) {
        if (!(fabs(a[j] - b[j]) <= difference)) {
            return false;
        }
    }
    return true;
}

/* Of the gap velocities rounded to MERGED. Where rounding falls on either side of a half the two
 * are kept as different states, which costs time only.
 */
static uint64_t hash_of(const double *u, size_t entries)
{
    uint64_t hash = 14695981039346656037U;
    for (size_t j = 0; j < entries; j++) {
        double whole = nearbyint(fmin(fmax(u[j] / MERGED, -9e18), 9e18));
        hash = (hash ^ (uint64_t)(int64_t)whole) * 0x9e3779b97f4a7c15U;
        hash ^= hash >> 29;
    }
    return hash;
}

/* The place of next_u in the table: taken by the same state, or free. */
static size_t slot_of(const search *s)
{
    size_t slot = hash_of(s->next_u, s->entries) & (s->slots - 1);
    while (s->table[slot] != 0 &&
           !same_state(s->u + (s->table[slot] - 1) * s->entries, s->next_u, s->entries, MERGED)) {
        slot = (slot + 1) & (s->slots - 1);
    }
    return slot;
}

static double largest_closing(const search *s, const double *u)
{
    double closing = 0;
    for (size_t i = 0; i < s->entries; i += s->rows_of_contact) {
        closing = fmax(closing, -u[i]);
    }
    return closing;
}

static void add_end(search *s, uint32_t state)
{
    const double *u = s->u + state * s->entries;
    for (size_t k = 0; k < s->found->count; k++) {
        if (same_state(s->u + s->ends[k] * s->entries, u, s->entries, crm_reachable_distinct)) {
            return;
        }
    }
    if (s->found->count == MOST_OUTCOMES) {
        s->found->complete = false;
        return;
    }
    s->found->unfinished += largest_closing(s, u) > 0;
    s->ends[s->found->count++] = state;
}

/* next_u, next_p become a state, unless they are one already. */
static void add_state(search *s)
{
    size_t slot = slot_of(s);
    if (s->table[slot] != 0) {
        return;
    }
    if (s->states == s->capacity) {
        s->found->complete = false;
        return;
    }
    uint32_t state = (uint32_t)s->states++;
    s->table[slot] = state + 1;
    memcpy(s->u + state * s->entries, s->next_u, s->entries * sizeof *s->u);
    memcpy(s->p + state * s->entries, s->next_p, s->entries * sizeof *s->p);
    if (largest_closing(s, s->next_u) > SLOWEST) {
        s->waiting[s->waiting_count++] = state;
    } else {
        add_end(s, state);
    }
}

/* ---- Moves ----------------------------------------------------------------------------------- */

static void start_from(search *s, uint32_t state)
{
    memcpy(s->next_u, s->u + state * s->entries, s->entries * sizeof *s->u);
    memcpy(s->next_p, s->p + state * s->entries, s->entries * sizeof *s->p);
}

/* i: a normal or tangent. */
static void add_impulse(search *s, size_t i, double impulse)
{
    crm_row row;
    crm_status status = crm_rows_get(&s->rows, i, &row, s->error);
    if (status != CRM_OK) {
        s->status = status;
        return;
    }
    for (size_t k = 0; k < row.count; k++) {
        double *u = &s->next_u[row.column[k]];
        *u = crm_collisions_add_cleared(*u, row.value[k] * impulse);
    }
    s->next_p[i] += impulse;
}

/* e of a contact in a collision at this gap velocity, in units of the scale. */
static double restitution_of(search *s, size_t j, double u)
{
    double e;
    crm_status status =
        crm_model_find_restitution(s->problem->model, j, -u * s->scale, &e, s->error);
    s->status = s->status == CRM_OK ? status : s->status;
    return e;
}

static void collide_one(search *s, uint32_t state, size_t j)
{
    size_t first = j * s->rows_of_contact;
    const double *u = s->u + state * s->entries + first;
    crm_blow blow;
    crm_blow_find(s->problem->model, j, u, restitution_of(s, j, u[0]), &blow);
    start_from(s, state);
    for (size_t a = 0; a < s->rows_of_contact; a++) {
        add_impulse(s, first + a, blow.impulse[a]);
    }
    memcpy(s->next_u + first, blow.after, s->rows_of_contact * sizeof *s->next_u);
    s->found->locked += s->rows_of_contact > 1 && blow.locked;
    s->moves++;
    add_state(s);
}

/* D_SS p = (1 + e) c_S by Cholesky's method; false: the contacts of the set are dependent. */
static bool solve_set(search *s, const size_t *set, size_t size, const double *u, double *p)
{
    double factor[CRM_REACHABLE_CONTACTS][CRM_REACHABLE_CONTACTS];
    const crm_model *model = s->problem->model;
    for (size_t i = 0; i < size; i++) {
        for (size_t k = 0; k <= i; k++) {
            double sum = crm_model_delassus(model, set[i], set[k]);
            for (size_t l = 0; l < k; l++) {
                sum -= factor[i][l] * factor[k][l];
            }
            if (i == k && !(sum > MERGED * model->d_diagonal[set[i]])) {
                return false;
            }
            factor[i][k] = i == k ? sqrt(sum) : sum / factor[k][k];
        }
    }
    for (size_t i = 0; i < size; i++) {
        p[i] = -(1 + restitution_of(s, set[i], u[set[i]])) * u[set[i]];
        for (size_t l = 0; l < i; l++) {
            p[i] -= factor[i][l] * p[l];
        }
        p[i] /= factor[i][i];
    }
    for (size_t i = size; i-- > 0;) {
        for (size_t l = i + 1; l < size; l++) {
            p[i] -= factor[l][i] * p[l];
        }
        p[i] /= factor[i][i];
    }
    return true;
}

/* All contacts of the set reverse their gap velocities at once, u_j+ = -e_j u_j-. Admissible when
 * every one of them pushes.
 */
static void collide_set(search *s, uint32_t state, uint64_t mask)
{
    const double *u = s->u + state * s->contacts;
    size_t set[CRM_REACHABLE_CONTACTS] = {0}, size = 0;
    for (size_t j = 0; j < s->contacts; j++) {
        if (mask >> j & 1) {
            set[size++] = j;
        }
    }
    double p[CRM_REACHABLE_CONTACTS], largest = 0;
    s->moves++;
    if (!solve_set(s, set, size, u, p)) {
        s->found->dependent++;
        return;
    }
    for (size_t i = 0; i < size; i++) {
        largest = fmax(largest, p[i]);
    }
    for (size_t i = 0; i < size; i++) {
        if (!(p[i] > MERGED * largest)) {
            return;
        }
    }
    start_from(s, state);
    for (size_t i = 0; i < size; i++) {
        add_impulse(s, set[i], p[i]);
    }
    for (size_t i = 0; i < size; i++) {
        s->next_u[set[i]] = -restitution_of(s, set[i], u[set[i]]) * u[set[i]];
    }
    add_state(s);
}

/* ---- Connected sets -------------------------------------------------------------------------- */

typedef struct candidates {
    uint32_t state;
    uint64_t touching; /* may take part: not separating */
    uint64_t closing;  /* one of them must take part */
} candidates;

static bool is_told_to_end(const search *s)
{
    crm_watching *watching = s->problem->watching;
    if (!crm_watch_due(watching, s->contacts)) {
        return false;
    }
    const crm_watch_report progress = {
        .time = NAN, .left = NAN, .working = s->waiting_count, .steps = s->states};
    return crm_watch_ends(watching, &progress);
}

static bool exhausted(const search *s)
{
    return s->status != CRM_OK || s->moves > (uint64_t)s->capacity * MOVES_PER_STATE ||
           is_told_to_end(s);
}

/* Every connected set that contains `set` and else only what is reached from `frontier` without
 * `excluded`, each once: a contact passed over is excluded from then on. Uncoupled contacts need
 * no common set: together or one after the other is the same.
 */
static void extend_set(search *s, const candidates *c, uint64_t set, uint64_t frontier,
                       uint64_t excluded)
{
    if (exhausted(s)) {
        s->found->complete = false;
        return;
    }
    if ((set & c->closing) != 0 && (set & (set - 1)) != 0) {
        collide_set(s, c->state, set);
    }
    while (frontier != 0) {
        uint64_t lowest = frontier & (~frontier + 1);
        size_t j = 0;
        while (lowest >> j != 1) {
            j++;
        }
        frontier &= ~lowest;
        excluded |= lowest;
        extend_set(s, c, set | lowest,
                   frontier | (s->neighbours[j] & c->touching & ~excluded & ~set), excluded);
    }
}

static void collide_sets(search *s, uint32_t state)
{
    const double *u = s->u + state * s->contacts;
    candidates c = {.state = state};
    for (size_t j = 0; j < s->contacts; j++) {
        c.touching |= (uint64_t)(u[j] <= 0) << j;
        c.closing |= (uint64_t)(-u[j] > SLOWEST) << j;
    }
    for (size_t j = s->contacts; j-- > 0;) {
        uint64_t one = (uint64_t)1 << j;
        if ((c.touching & one) != 0) {
            uint64_t excluded = one | (one - 1);
            extend_set(s, &c, one, s->neighbours[j] & c.touching & ~excluded, excluded);
        }
    }
}

static void make_moves(search *s, uint32_t state)
{
    if (s->limits.simultaneous) {
        collide_sets(s, state);
    }
    for (size_t j = s->contacts; j-- > 0;) { /* the last one pushed is followed first */
        if (-s->u[state * s->entries + j * s->rows_of_contact] > SLOWEST) {
            collide_one(s, state, j);
        }
    }
}

/* ---- The search ------------------------------------------------------------------------------ */

static void find_neighbours(search *s)
{
    const crm_model *model = s->problem->model;
    for (size_t i = 0; i < s->contacts; i++) {
        for (size_t j = 0; j < s->contacts; j++) {
            double d = crm_model_delassus(model, i, j);
            bool tied = i != j && crm_collisions_are_coupled(model, i, j, -fabs(d));
            s->neighbours[i] |= (uint64_t)tied << j;
        }
    }
}

static size_t power_of_two_above(size_t count)
{
    size_t power = 1;
    while (power < count) {
        power *= 2;
    }
    return power;
}

static crm_status prepare(search *s)
{
    size_t fit = MOST_ENTRIES / (s->entries + 1);
    s->capacity = s->limits.states < fit ? s->limits.states : fit;
    s->slots = power_of_two_above(2 * s->capacity);
    s->u = CRM_NEW(double, s->capacity * s->entries);
    s->p = CRM_NEW(double, s->capacity * s->entries);
    s->next_u = CRM_NEW(double, s->entries);
    s->next_p = CRM_NEW(double, s->entries);
    s->waiting = CRM_NEW(uint32_t, s->capacity);
    s->table = CRM_NEW(uint32_t, s->slots);
    if (s->u == NULL || s->p == NULL || s->next_u == NULL || s->next_p == NULL ||
        s->waiting == NULL || s->table == NULL) {
        return crm_fail_memory(s->error);
    }
    if (s->limits.simultaneous) {
        find_neighbours(s);
    }
    return crm_rows_create(crm_blow_directions(s->problem->model), &s->rows, s->error);
}

static void release(search *s)
{
    free(s->u);
    free(s->p);
    free(s->next_u);
    free(s->next_p);
    free(s->waiting);
    free(s->table);
    crm_rows_release(&s->rows);
    free(s);
}

static crm_status follow_all(search *s)
{
    crm_collisions_scale_gap_velocity(s->problem, s->next_u, &s->scale);
    s->found->complete = true;
    add_state(s);
    while (s->waiting_count > 0 && s->found->complete && s->status == CRM_OK) {
        make_moves(s, s->waiting[--s->waiting_count]);
        s->found->complete &= !is_told_to_end(s);
    }
    s->found->states = s->states;
    s->found->impulse = CRM_NEW(double, s->found->count * s->entries);
    if (s->found->impulse == NULL) {
        return crm_fail_memory(s->error);
    }
    for (size_t k = 0; k < s->found->count; k++) {
        for (size_t i = 0; i < s->entries; i++) {
            s->found->impulse[k * s->entries + i] = s->scale * s->p[s->ends[k] * s->entries + i];
        }
    }
    return s->status;
}

crm_status crm_reachable_find(const crm_problem *problem, crm_reachable_limits limits,
                              crm_reachable *reachable, crm_error *error)
{
    *reachable = (crm_reachable){0};
    search *s = CRM_NEW(search, 1);
    if (s == NULL) {
        return crm_fail_memory(error);
    }
    s->problem = problem;
    s->limits = limits;
    s->contacts = problem->model->contacts;
    s->rows_of_contact = 1 + problem->model->tangents;
    s->entries = s->contacts * s->rows_of_contact;
    s->found = reachable;
    s->error = error;
    crm_status status = prepare(s);
    if (status == CRM_OK) {
        status = follow_all(s);
    }
    release(s);
    return status;
}

void crm_reachable_release(crm_reachable *reachable)
{
    free(reachable->impulse);
}

crm_status crm_reachable_velocity(const crm_problem *problem, const crm_reachable *reachable,
                                  size_t k, double *velocity, crm_error *error)
{
    const crm_model *model = crm_blow_directions(problem->model);
    memcpy(velocity, problem->velocity, model->coordinates * sizeof *velocity);
    return crm_model_apply_impulse(model, reachable->impulse + k * model->contacts, velocity,
                                   error);
}
