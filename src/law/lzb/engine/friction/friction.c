/* What the engine keeps of friction, made and let go. */
#include "law/lzb/engine/friction/friction.h"

#include <math.h>
#include <string.h>

/* How large u_t may be at rest: of the error of a step, and of the speeds there are, for rounding.
 */
static const double BAND_SHARE = 0.05, ROUNDING = 2e-14;
/* Below this part of the speed of the impact nothing moves. */
static const double LOCKED = 1e-11;
/* Contacts less deep than this, as a part of how deep they would be alone, are at their end. */
static const double LEAST_HELD = 1e-6;

static bool take_sticking(lzb_friction *f, crm_pool *pool)
{
    size_t s = f->contacts, m = s * f->d;
    lzb_sticking *held = &f->sticking;
    held->place = CRM_TAKE(pool, uint32_t, s);
    held->pivot = CRM_TAKE(pool, uint32_t, m);
    held->q = CRM_TAKE(pool, double, m);
    held->work = CRM_TAKE(pool, double, m);
    held->radius = CRM_TAKE(pool, double, s);
    return held->place != NULL && held->pivot != NULL && held->q != NULL && held->work != NULL &&
           held->radius != NULL;
}

static bool take_arrays(lzb_friction *f, const crm_problem *problem, crm_outcome *outcome)
{
    crm_pool *pool = problem->pool;
    size_t s = f->contacts, m = s * f->d;
    f->slip = CRM_TAKE(pool, double, m);
    f->direction = CRM_TAKE(pool, double, m);
    f->grip = CRM_TAKE(pool, uint8_t, s);
    f->begins = CRM_TAKE(pool, bool, s);
    f->stopped = CRM_TAKE(pool, bool, s);
    f->known = CRM_TAKE(pool, bool, s);
    f->sum = CRM_TAKE(pool, double, s + m);
    f->seen = CRM_TAKE(pool, bool, s + m);
    f->list = CRM_TAKE(pool, uint32_t, s + m);
    f->force.start = CRM_TAKE(pool, uint32_t, m + 1);
    f->impulse = outcome->tangential_impulse = CRM_TAKE(problem->outcome_pool, double, m);
    f->loss = crm_outcome_want(problem, &outcome->loss_friction);
    f->path = crm_outcome_want_counts(problem, &outcome->path);
    return f->slip != NULL && f->direction != NULL && f->grip != NULL && f->begins != NULL &&
           f->stopped != NULL && f->known != NULL && f->sum != NULL && f->seen != NULL &&
           f->list != NULL && f->force.start != NULL && f->impulse != NULL && f->loss != NULL &&
           f->path != NULL && take_sticking(f, pool);
}

static double fastest(const crm_problem *problem)
{
    const crm_model *model = problem->model;
    double most = lzb_state_speed(problem);
    for (size_t k = 0; k < model->contacts * model->tangents; k++) {
        most = fmax(most, fabs(problem->slip_velocity[k]));
    }
    return most;
}

crm_status lzb_friction_create(lzb_engine *e, const crm_problem *problem, crm_outcome *outcome,
                               crm_error *error)
{
    const crm_model *model = problem->model;
    e->friction = NULL;
    if (model->friction == NULL) {
        return CRM_OK;
    }
    lzb_friction *f = e->friction = CRM_TAKE(problem->pool, lzb_friction, 1);
    if (f == NULL) {
        return crm_fail_memory(error);
    }
    *f = (lzb_friction){.all = model->directions,
                        .coefficient = model->friction,
                        .d = model->tangents,
                        .contacts = model->contacts,
                        .before = problem->slip_velocity,
                        .band = fmax(BAND_SHARE * e->small, ROUNDING * fastest(problem)),
                        .unique = true};
    if (!take_arrays(f, problem, outcome)) {
        return crm_fail_memory(error);
    }
    e->state->tangential = f->impulse;
    return CRM_OK;
}

void lzb_friction_finish_outcome(lzb_engine *e, crm_outcome *outcome)
{
    const lzb_friction *f = e->friction;
    for (size_t j = 0; f != NULL && j < f->contacts; j++) {
        outcome->loss[j] += f->loss[j];
    }
    outcome->tangential_unique = f == NULL || f->unique;
}

/* u_t of a contact by all impulses so far. */
static void find_slip(lzb_engine *e, size_t j)
{
    lzb_friction *f = e->friction;
    const crm_model *all = f->all;
    for (unsigned k = 0; k < f->d; k++) {
        size_t row = j * (1 + f->d) + 1 + k;
        double sum = f->before[j * f->d + k];
        for (size_t l = all->d_start[row]; l < all->d_start[row + 1]; l++) {
            size_t contact = all->d_column[l] / (1 + f->d), t = all->d_column[l] % (1 + f->d);
            sum += all->d_value[l] *
                   (t == 0 ? e->state->p[contact] : f->impulse[contact * f->d + t - 1]);
        }
        f->slip[j * f->d + k] = sum;
    }
}

double lzb_friction_own(const crm_model *model, size_t j)
{
    size_t normal = j * (1 + model->tangents);
    double square = 0;
    for (unsigned k = 1; k <= model->tangents; k++) {
        double entry = crm_model_delassus(model->directions, normal, normal + k);
        square += entry * entry;
    }
    return model->d_diagonal[j] + model->friction[j] * sqrt(square);
}

void lzb_friction_gather(lzb_engine *e)
{
    lzb_friction *f = e->friction;
    for (size_t j = 0; j < f->contacts; j++) {
        bool presses = e->state->mode[j] != LZB_OPEN;
        if (presses && !f->known[j]) {
            find_slip(e, j);
            f->stopped[j] = f->begins[j] = false;
        }
        f->known[j] = presses;
    }
    f->stale = true;
}

crm_status lzb_friction_load(lzb_engine *e, crm_error *error)
{
    lzb_friction *f = e->friction;
    bool make = f->stale || f->turned;
    crm_status status = f->stale ? lzb_friction_decide(e, error) : CRM_OK;
    f->turned = false;
    for (size_t c = f->contacts; c < f->contacts * (1 + f->d); c++) {
        e->sum[c] = 0;
        e->force[c] = (lzb_nodal){0};
    }
    return status == CRM_OK && make ? lzb_friction_make_rows(e, error) : status;
}

/* Does this place stay as it is? */
static bool is_still(const lzb_engine *e, size_t i)
{
    const lzb_engine_window *w = &e->window;
    const lzb_member *member = &w->member[i];
    double size = 0;
    for (uint32_t k = w->start[i]; k < w->start[i + 1]; k++) {
        size += fabs(w->value[k] * w->member[w->column[k]].force);
    }
    size += i < w->pressing ? member->own * member->force : 0;
    bool slow = member->accel <= LOCKED * size && member->c <= LOCKED * e->state->speed;
    if (i >= w->pressing) {
        return slow;
    }
    return slow && member->accel >= -LOCKED * size && member->c >= -LOCKED * e->state->speed &&
           (!lzb_friction_acts(e, i) || lzb_friction_grip(e, i) == LZB_STICKS);
}

bool lzb_friction_is_locked(const lzb_engine *e)
{
    const lzb_engine_window *w = &e->window;
    double deepest = 0;
    for (size_t i = 0; i < w->pressing && e->friction != NULL; i++) {
        const lzb_member *member = &w->member[i];
        deepest = fmax(deepest, member->x / e->state->x_scale[member->contact]);
    }
    bool still = deepest > LEAST_HELD;
    for (size_t i = 0; i < w->count && still; i++) {
        still = is_still(e, i);
    }
    return still;
}

bool lzb_friction_is_bound(const lzb_engine *e)
{
    return e->friction != NULL && e->friction->sticking.count > 0;
}
