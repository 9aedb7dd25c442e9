/* The contacts at work: those that press, and the open ones that D ties to them. */
#include "law/lzb/engine/friction/friction.h"

void lzb_engine_enter_all(lzb_engine *e)
{
    lzb_state *state = e->state;
    lzb_engine_window *w = &e->window;
    for (size_t i = 0; i < w->count; i++) {
        w->place[w->member[i].contact] = 0;
    }
    w->count = 0;
    for (size_t j = 0; j < state->contacts; j++) {
        if (state->x[j] > 0 || state->c[j] > e->ignored) {
            w->member[w->count++].contact = (uint32_t)j;
            state->mode[j] = state->mode[j] == LZB_OPEN ? LZB_COMPRESSING : state->mode[j];
        } else {
            state->mode[j] = LZB_OPEN;
        }
    }
    w->stale = true;
}

crm_status lzb_engine_create(lzb_engine *e, crm_error *error)
{
    lzb_state *state = e->state;
    const crm_model *model = state->model;
    size_t s = state->contacts, entries = model->d_start[s], columns = s * (1 + model->tangents);
    lzb_engine_window *w = &e->window;
    w->member = CRM_TAKE(state->pool, lzb_member, columns);
    w->place = CRM_TAKE(state->pool, uint32_t, s);
    w->start = CRM_TAKE(state->pool, uint32_t, columns + 1);
    w->column = CRM_TAKE(state->pool, uint32_t, entries);
    w->value = CRM_TAKE(state->pool, double, entries);
    e->force = CRM_TAKE(state->pool, lzb_nodal, columns);
    e->sum = CRM_TAKE(state->pool, double, columns);
    e->slope = CRM_TAKE(state->pool, double, columns);
    if (state->per_mass != NULL) {
        e->bodies.contact = CRM_TAKE(state->pool, uint32_t, s);
        e->bodies.impulse = CRM_TAKE(state->pool, double, 3 * s);
        if (e->bodies.contact == NULL || e->bodies.impulse == NULL) {
            return crm_fail_memory(error);
        }
        e->bodies.before = e->bodies.impulse + s;
        e->bodies.after = e->bodies.before + s;
    }
    if (w->member == NULL || w->place == NULL || w->start == NULL || w->column == NULL ||
        w->value == NULL || e->force == NULL || e->sum == NULL || e->slope == NULL) {
        return crm_fail_memory(error);
    }
    lzb_engine_enter_all(e);
    return CRM_OK;
}

static void enter(lzb_engine_window *w, const lzb_state *state, uint32_t j)
{
    const crm_model *model = state->model;
    double exponent = model->exponent[j];
    w->place[j] = (uint32_t)(w->count + 1);
    w->member[w->count++] = (lzb_member){
        .contact = j,
        .kind = lzb_contact_kind(exponent),
        .stiffness = model->stiffness[j],
        .exponent = exponent,
        .own = model->friction == NULL ? model->d_diagonal[j] : lzb_friction_own(model, j),
        .branch = LZB_WHOLE};
}

/* A contact with a compliance of its own, as it is now. */
static void load_branch(const lzb_state *state, lzb_member *member)
{
    const lzb_memory *memory = lzb_state_memory(state, member->contact);
    const crm_model *model = state->model;
    uint32_t j = member->contact;
    if (memory == NULL) {
        return;
    }
    member->branch = lzb_branch_now(model, j, memory);
    const crm_curve *curve = member->branch.curve;
    member->kind = curve != NULL ? LZB_POWER : lzb_contact_kind(model->exponent[j]);
    member->exponent = curve != NULL ? curve->roughest : model->exponent[j];
    member->turns = !memory->unloading && member->mode != LZB_EXPANDING &&
                    (member->turns || isnan(model->restitution[j]));
    const crm_restitution *depends = crm_model_compliance(model, j)->restitution;
    if (depends != NULL && member->mode != LZB_EXPANDING) { /* if it turned now */
        double work = lzb_branch_energy(model, j, member->x);
        member->restitution = crm_restitution_after(depends, work, member->own);
    }
}

/* The contacts whose gaps an impulse of this one moves. */
static void enter_coupled(lzb_engine_window *w, const lzb_state *state, size_t j)
{
    const crm_model *model = state->model, *all = model->directions;
    if (all == NULL) {
        for (size_t k = model->d_start[j]; k < model->d_start[j + 1]; k++) {
            if (w->place[model->d_column[k]] == 0) {
                enter(w, state, model->d_column[k]);
            }
        }
        return;
    }
    size_t each = 1 + model->tangents;
    for (size_t k = all->d_start[j * each]; k < all->d_start[(j + 1) * each]; k++) {
        uint32_t other = (uint32_t)(all->d_column[k] / each);
        if (all->d_column[k] % each == 0 && w->place[other] == 0) {
            enter(w, state, other);
        }
    }
}

static void gather(lzb_engine *e)
{
    lzb_engine_window *w = &e->window;
    const lzb_state *state = e->state;
    const crm_model *model = state->model;
    uint32_t *pressing = w->column; /* long enough, and filled below */
    size_t count = 0;
    for (size_t i = 0; i < w->count; i++) {
        uint32_t j = w->member[i].contact;
        w->place[j] = 0;
        if (state->mode[j] != LZB_OPEN) {
            pressing[count++] = j;
        }
    }
    w->count = 0;
    for (size_t i = 0; i < count; i++) {
        enter(w, state, pressing[i]);
    }
    w->pressing = count;
    for (size_t i = 0; i < count; i++) {
        enter_coupled(w, state, w->member[i].contact);
    }
    w->stale = false;
    if (e->friction != NULL) {
        lzb_friction_gather(e);
        return;
    }
    uint32_t entries = 0;
    for (size_t i = 0; i < w->count; i++) {
        size_t j = w->member[i].contact;
        w->start[i] = entries;
        for (size_t k = model->d_start[j]; k < model->d_start[j + 1]; k++) {
            uint32_t place = w->place[model->d_column[k]];
            if (place > 0 && place <= count) {
                w->column[entries] = place - 1;
                w->value[entries++] = model->d_value[k];
            }
        }
    }
    w->start[w->count] = entries;
}

double lzb_engine_row(const lzb_engine *e, size_t i, const double *from)
{
    const lzb_engine_window *w = &e->window;
    double sum = 0;
    for (uint32_t k = w->start[i]; k < w->start[i + 1]; k++) {
        sum += w->value[k] * from[w->column[k]];
    }
    return sum;
}

double lzb_engine_accel_after(const lzb_engine *e, size_t i, double time)
{
    const lzb_engine_window *w = &e->window;
    double sum = 0;
    for (uint32_t k = w->start[i]; k < w->start[i + 1]; k++) {
        const lzb_member *member = &w->member[w->column[k]];
        bool turns = w->column[k] >= e->state->contacts; /* a force of friction, which is small */
        sum -= turns ? 0
                     : w->value[k] *
                           lzb_member_force(member, member->x1 + member->rate * member->c1 * time);
    }
    return sum;
}

void lzb_engine_load(lzb_engine *e)
{
    lzb_engine_window *w = &e->window;
    const lzb_state *state = e->state;
    if (w->stale) {
        gather(e);
    }
    for (size_t i = 0; i < w->count; i++) {
        lzb_member *member = &w->member[i];
        uint32_t j = member->contact;
        member->mode = (lzb_mode)state->mode[j];
        member->restitution = state->restitution[j];
        member->turns = member->restitution < 1 || (e->observer != NULL && e->observer->turns);
        member->open = state->x_open[j];
        member->x = state->x[j];
        member->c = state->c[j];
        if (state->memory != NULL) {
            load_branch(state, member);
        }
        member->rate = member->mode == LZB_OPEN ? 1 : lzb_state_rate(state, j, member->mode);
        member->force = lzb_member_force(member, member->x);
        e->sum[i] = member->force;
    }
    if (e->friction != NULL && e->status == CRM_OK) {
        e->status = lzb_friction_load(e, e->error);
    }
    for (size_t i = 0; i < w->count; i++) {
        w->member[i].accel = -lzb_engine_row(e, i, e->sum);
    }
    for (size_t i = 0; i < w->pressing; i++) {
        lzb_member *member = &w->member[i];
        double depth = member->x + member->open;
        e->sum[i] = depth > 0
                        ? lzb_member_slope(member, member->force, depth) * member->rate * member->c
                        : 0;
    }
    for (size_t i = 0; i < w->count; i++) {
        w->member[i].jerk = -lzb_engine_row(e, i, e->sum);
    }
}
