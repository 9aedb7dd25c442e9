/* Turns, openings, re-entries: acting on events, and what it comes to that they were met where
 * closing speeds and indentations are not quite 0.
 *
 * To leading order that is known, and made up for. A contact said to turn at c = d instead of 0
 * goes the way d^2/2a on the wrong side, with the rate of the wrong mode; one that enters has come
 * the way d^2/2a; one let go at x gives the impulse E(x) / |x'| that was still to come.
 */
#include <math.h>

#include "law/lzb/engine/friction/friction.h"

/* Of the error of a step, what may be wrong by meeting an event inexactly. */
static const double MET_SHARE = 0.05;
/* A plastic contact jumps at its turn, one of mono-stiffness at its re-entry: no way to make up. */
static const double JUMP_SHARE = 0.2;
/* Of the indentation, how far it may go on the wrong side. */
static const double MOST_WAY = 1e-2;
/* A contact is sure to open that would go on for so many times the way it has to go. */
static const double WAYS_TO_OPEN = 10;
/* Of the time for which a contact is held: so far ahead others hardly change their accelerations.
 */
static const double FORESEEN_PART = 1e-2;
/* An indentation is next to nothing that is less than so many ignored speeds, each as a part of the
 * scale of the impact.
 */
static const double NEGLIGIBLE_DEPTHS = 3;
enum { MOST_ROUNDS = 8 };

/* ---- What it comes to ------------------------------------------------------------------------ */

/* Its own frequency at this x; where there is next to no force yet, that of the impact. */
double lzb_engine_frequency(const lzb_engine *e, const lzb_member *member, double x)
{
    double depth = x + member->open, usual = e->state->speed / e->state->x_scale[member->contact];
    if (!(depth > 0)) {
        return usual;
    }
    double slope = lzb_member_slope(member, lzb_member_force(member, x), depth);
    return lzb_larger(sqrt(member->own * slope), usual);
}

/* The difference of the rates in expansion and compression. */
static double change_of_rate(const lzb_engine *e, const lzb_member *member)
{
    double restitution = lzb_larger(member->restitution, e->state->least_restitution);
    return e->state->stiffness_model == LZB_MONO ? 0 : 1 / (restitution * restitution) - 1;
}

double lzb_engine_kink(const lzb_engine *e, const lzb_member *member)
{
    bool elastic = member->turns && member->restitution == 1; /* what a change of that would make */
    if (e->state->memory != NULL &&
        lzb_branch_unloading(e->state->model, member->contact) != NULL) {
        return lzb_branch_stiffening(e->state->model, member->contact,
                                     lzb_larger(member->x, member->x1));
    }
    return e->state->stiffness_model == LZB_MONO || elastic ? 1 : change_of_rate(e, member);
}

/* Where the law jumps, or nothing is made up for. */
static double jump_band(const lzb_engine *e)
{
    return lzb_larger(JUMP_SHARE * e->small, LZB_SIGNLESS * e->state->speed);
}

/* With mono-stiffness a contact of small e opens right after its turn: is the way on the wrong side
 * little beside the one that is left, too?
 */
static bool is_short(const lzb_engine *e, const lzb_member *member, double way, double x)
{
    return way <= MOST_WAY * x &&
           (e->state->stiffness_model == LZB_BI ||
            way <= MOST_WAY * lzb_branch_turn(LZB_MONO, member->restitution, e->state->model,
                                              member->contact, x)
                                  .above);
}

/* What the way costs, and where it ends, is told by the piece of the curve that it begins on: a
 * compression ends on it.
 */
double lzb_engine_band(const lzb_engine *e, const lzb_member *member, double c, double accel,
                       double x)
{
    bool mono = e->state->stiffness_model == LZB_MONO;
    bool jumps = member->restitution == 0 || (mono && member->mode == LZB_EXPANDING);
    double a = fabs(accel);
    if (jumps || !(a > 0)) {
        return jumps ? JUMP_SHARE * e->small : 0;
    }
    double frequency = lzb_engine_frequency(e, member, x),
           change = lzb_larger(frequency, fabs(member->jerk) / a);
    double way = 0.5 * c * c / a, time = fabs(c) / a;
    double cost = lzb_engine_kink(e, member) * frequency * way * change * time;
    double least = mono ? jump_band(e) : LZB_SIGNLESS * e->state->speed;
    bool same_piece = member->mode != LZB_COMPRESSING || x + way <= lzb_member_top(member);
    bool met = cost <= MET_SHARE * e->small && same_piece && is_short(e, member, way, x);
    return met ? lzb_larger(fabs(c), least) : least;
}

/* What a contact keeps if others turn it before it opens it is pressed from, and an indentation is
 * an error like any other: a force, which a large exponent makes nothing, does not tell. So either
 * the indentation is next to nothing, too, or the contact would go on for many times the way, with
 * the forces of the others now and with those foreseen, no further ahead than the step reached.
 */
static bool is_sure_to_open(const lzb_engine *e, size_t i, double accel, double time)
{
    const lzb_member *member = &e->window.member[i];
    const lzb_state *state = e->state;
    double scale = state->x_scale[member->contact];
    if (member->x1 * state->speed <= MET_SHARE * e->small * scale) {
        return true;
    }
    double a = lzb_larger(accel, lzb_engine_accel_after(e, i, time));
    double way = a > 0 ? member->rate * member->c1 * member->c1 / (2 * a) : INFINITY;
    return time <= lzb_larger(e->trial.length, FORESEEN_PART * scale / state->speed) &&
           way >= WAYS_TO_OPEN * member->x1;
}

bool lzb_engine_may_open(const lzb_engine *e, size_t i, double accel, lzb_release *release)
{
    const lzb_member *member = &e->window.member[i];
    double speed = member->rate * -member->c1, h = e->trial.length;
    if (!(speed > 0)) {
        return false;
    }
    double time = member->x1 / speed,
           rest = member->open > 0 ? lzb_member_force(member, 0) * time
                                   : lzb_member_energy(member, fabs(member->x1)) / speed;
    double kick = member->own * fabs(rest), away = fabs(accel * time);
    if (e->observer != NULL && member->open == 0 &&
        member->x1 > e->observer->accuracy * e->state->x_scale[member->contact]) {
        return false;
    }
    bool without_force = time < 0 && member->open == 0 && member->kind != LZB_LINEAR;
    *release = (lzb_release){.impulse = without_force ? 0 : rest,
                             .time = member->x1 / (speed + 0.5 * member->rate * kick)};
    double wrong = kick * (kick + away) / -member->c1 + kick * fabs(time) / h;
    return wrong <= MET_SHARE * e->small && away <= -0.1 * member->c1 &&
           (release->time <= 0 || is_sure_to_open(e, i, accel, time));
}

/* ---- Acting ---------------------------------------------------------------------------------- */

/* A contact that closes goes on along the curve on which it opened, or begins anew. */
static lzb_mode begin_branch(lzb_engine *e, uint32_t j)
{
    lzb_memory *memory = lzb_state_memory(e->state, j);
    double given = e->state->model->restitution[j];
    e->state->restitution[j] = isnan(given) ? 1 : given;
    if (memory != NULL) {
        memory->piece = 0;
    }
    return memory != NULL && memory->unloading ? LZB_EXPANDING : LZB_COMPRESSING;
}

void lzb_engine_join(lzb_engine *e, size_t i, double x)
{
    uint32_t j = e->window.member[i].contact;
    e->state->mode[j] = (uint8_t)begin_branch(e, j);
    e->state->x[j] = x;
    e->window.stale = true;
    lzb_engine_notify(e, &e->window.member[i], LZB_ENTERS, 0);
}

static void open_contact(lzb_engine *e, uint32_t j, double loss, double later)
{
    lzb_state *state = e->state;
    state->contact_time[j] += later;
    state->loss[j] += loss;
    state->x[j] = state->x_open[j] = 0;
    state->mode[j] = LZB_OPEN;
    state->opened = lzb_larger(state->opened, state->time + later);
    e->window.stale = true;
}

/* A contact of mono-stiffness opens, or is pressed again just before: which of the two, the law
 * jumps at. It was decided by so much indentation.
 */
static void note_margin(const lzb_engine *e, const lzb_member *member, double indentation)
{
    lzb_state *state = e->state;
    size_t j = member->contact;
    double speed = sqrt(2 * member->own * lzb_member_energy(member, member->x));
    if (state->stiffness_model == LZB_MONO && !member->branch.unloading && indentation > 0 &&
        speed > e->ignored) {
        double margin = indentation / state->x_scale[j], *least = &state->margin[j];
        *least = *least > 0 ? lzb_smaller(*least, margin) : margin;
    }
}

/* Do others hold the contact while it expands? The work of their pressure on the way to its opening
 * is then more than what it stores, and it turns before it gets there.
 */
static bool is_held(const lzb_member *member)
{
    double pressure = member->accel + member->own * member->force;
    return pressure * member->x > member->own * lzb_member_energy(member, member->x);
}

typedef enum ending { OPENS, EXPANDS, FALLS } ending;

/* What becomes of it after a compression, with this e. A fall is not told to who watches, and is
 * known of powers only: else it expands with the least e instead.
 */
static ending ending_of(const lzb_engine *engine, const lzb_member *member, double e)
{
    lzb_state *state = engine->state;
    size_t j = member->contact;
    state->restitution[j] = e;
    if (e == 0 || e >= state->least_restitution || state->stiffness_model == LZB_MONO) {
        return e == 0 ? OPENS : EXPANDS;
    }
    if (is_held(member)) {
        bool falls = engine->observer == NULL && member->branch.curve == NULL && member->accel < 0;
        state->restitution[j] = falls ? e : state->least_restitution;
        return falls ? FALLS : EXPANDS;
    }
    state->step_error[j] += e < LZB_LEAST_RESTITUTION_FREE ? e : 0;
    return e < LZB_LEAST_RESTITUTION_FREE ? OPENS : EXPANDS;
}

/* The way on the other side of c = 0. A speed that is 0 but for rounding tells none: where hardly
 * any force is left, c^2/2a may be anything.
 */
static double way_of(const lzb_engine *e, const lzb_member *member)
{
    double band = lzb_engine_band(e, member, member->c, member->accel, member->x);
    double way = member->accel != 0 ? 0.5 * member->c * member->c / fabs(member->accel) : INFINITY;
    return fabs(member->c) <= band && way <= MOST_WAY * member->x ? way : 0;
}

/* The end of a compression at x = top, of a contact with a compliance of its own: on to the
 * unloading curve, on the piece of it where the contact is, or *restitution of what begins.
 */
static bool turn_by_compliance(lzb_engine *e, const lzb_member *member, double top, double way,
                               double *restitution)
{
    lzb_state *state = e->state;
    size_t j = member->contact;
    lzb_memory *memory = lzb_state_memory(state, j);
    double y, lost = memory->lost;
    e->status = lzb_branch_end_compression(state->model, j, memory, top, &y, restitution, e->error);
    if (e->status != CRM_OK || !memory->unloading) {
        return false;
    }
    state->loss[j] += memory->lost - lost;
    state->mode[j] = LZB_EXPANDING;
    state->x[j] = lzb_larger(y - way, 0.5 * y);
    memory->piece = (uint32_t)crm_curve_piece(lzb_branch_unloading(state->model, j), state->x[j]);
    return true;
}

static void turn(lzb_engine *e, const lzb_member *member)
{
    lzb_state *state = e->state;
    size_t j = member->contact;
    double way = way_of(e, member), top = member->x + way,
           restitution = state->model->restitution[j];
    bool counts = top > LZB_COUNTED_INDENTATION * state->x_scale[j];
    state->peak[j] = lzb_larger(state->peak[j], top);
    if (lzb_state_memory(state, j) != NULL &&
        (turn_by_compliance(e, member, top, way, &restitution) || e->status != CRM_OK)) {
        state->compressions[j] += counts && member->c < 0; /* else when c falls through 0 */
        return;
    }
    state->compressions[j] += counts;
    ending ends = ending_of(e, member, restitution);
    if (ends == FALLS) {
        lzb_state_fall(state, j, top, 1 + member->accel / (member->own * member->force));
        return;
    }
    lzb_engine_notify(e, member, ends == OPENS ? LZB_STOPS : LZB_TURNS, member->accel);
    if (ends == OPENS) {
        open_contact(e, member->contact, lzb_member_energy(member, member->x), 0);
        return;
    }
    lzb_depth left = lzb_branch_turn(state->stiffness_model, restitution, state->model, j, top);
    double missed = (change_of_rate(e, member) + 1) * way;
    state->mode[j] = LZB_EXPANDING;
    state->x[j] = lzb_larger(left.above - missed, 0.5 * left.above);
    state->x_open[j] = left.open;
}

static void reenter(lzb_engine *e, const lzb_member *member)
{
    lzb_state *state = e->state;
    size_t j = member->contact;
    note_margin(e, member, member->x);
    double missed = change_of_rate(e, member) * way_of(e, member);
    lzb_engine_notify(e, member, LZB_REENTERS, member->accel);
    double given = state->model->restitution[j];
    state->mode[j] = LZB_COMPRESSING;
    state->restitution[j] = isnan(given) ? 1 : given;
    state->recompressions[j]++;
    state->x[j] = lzb_larger(member->x - missed, 0.5 * member->x) + member->open;
    state->x_open[j] = 0;
}

/* Is c, which is on the side of the present mode where sign * c > 0, to be taken for past 0? (With
 * mono-stiffness what turned too early would be taken for pressed again.)
 */
static bool has_passed(const lzb_engine *e, const lzb_member *member, double sign)
{
    double c = sign * member->c, a = sign * member->accel;
    double band = lzb_engine_band(e, member, member->c, member->accel, member->x);
    if (c > 0) {
        bool mono = e->state->stiffness_model == LZB_MONO;
        return a < 0 && c <= (mono ? lzb_smaller(band, jump_band(e)) : band);
    }
    return a < 0 || c < -band; /* else it is on its way back, and nearly there */
}

/* Do contacts that are at work press this one? */
static bool is_pressed(const lzb_engine *e, size_t i)
{
    const lzb_engine_window *w = &e->window;
    double push = 0;
    for (uint32_t k = w->start[i]; k < w->start[i + 1]; k++) {
        const lzb_member *other = &w->member[w->column[k]];
        bool works = fabs(other->c) > e->ignored ||
                     other->x * e->state->speed > e->ignored * e->state->x_scale[other->contact];
        push -= w->column[k] != i && works ? w->value[k] * other->force : 0;
    }
    return push > 0;
}

/* As slow as what is left alone, with next to nothing stored, and about to stay so? */
static bool is_negligible(const lzb_engine *e, size_t i)
{
    const lzb_member *member = &e->window.member[i];
    if (member->mode == LZB_OPEN || fabs(member->c) > e->ignored ||
        fabs(member->accel) * e->next_length > e->ignored) {
        return false;
    }
    double stored = lzb_member_energy(member, member->x),
           scale = e->state->x_scale[member->contact];
    return 2 * member->own * stored <= e->ignored * e->ignored &&
           member->x * e->state->speed <= NEGLIGIBLE_DEPTHS * e->ignored * scale;
}

/* On to the next piece, or from the end of unloading to loading. */
static void cross(lzb_engine *e, const lzb_member *member, double x, bool up)
{
    lzb_state *state = e->state;
    size_t j = member->contact;
    lzb_memory *memory = lzb_state_memory(state, j);
    bool unloading = memory->unloading;
    state->x[j] = lzb_branch_cross(state->model, j, memory, x + member->open, up) - member->open;
    if (unloading && !memory->unloading) {
        state->mode[j] = LZB_COMPRESSING;
        state->recompressions[j]++;
    }
}

/* Has it left its branch, and goes on? */
static bool crosses(lzb_engine *e, const lzb_member *member)
{
    double depth = member->x + member->open;
    bool up = depth >= member->branch.top && member->c > 0;
    bool down = depth <= member->branch.bottom && member->c < 0;
    if ((!up && !down) || lzb_engine_stays(e, member, up)) {
        return false;
    }
    cross(e, member, member->x, up);
    return true;
}

static bool update_mode(lzb_engine *e, size_t i)
{
    const lzb_member *member = &e->window.member[i];
    if (is_negligible(e, i) && !(e->observer != NULL && is_pressed(e, i))) {
        lzb_engine_notify(e, member, LZB_FADES, member->accel);
        open_contact(e, member->contact, lzb_member_energy(member, member->x), 0);
        return true;
    }
    switch (member->mode) {
    case LZB_OPEN:
        if (member->c > e->ignored) {
            lzb_engine_join(e, i, 0);
            return true;
        }
        return false;
    case LZB_COMPRESSING:
        if (crosses(e, member)) {
            return true;
        }
        if (!(member->x > 0)) {
            if (member->c < 0 && member->accel <= 0) {
                lzb_engine_notify(e, member, LZB_FADES, member->accel);
                open_contact(e, member->contact, 0, 0);
                return true;
            }
            return false;
        }
        if (member->turns && has_passed(e, member, 1)) {
            turn(e, member);
            return true;
        }
        return false;
    case LZB_EXPANDING:
        if (crosses(e, member)) {
            return true;
        }
        if (member->branch.unloading) { /* elastic, and perhaps just closed */
            if (!(member->x > 0) && member->c < 0 && member->accel <= 0) {
                open_contact(e, member->contact, 0, 0);
                return true;
            }
            return false;
        }
        if (has_passed(e, member, -1)) {
            reenter(e, member);
            return true;
        }
    }
    return false;
}

void lzb_engine_update_modes(lzb_engine *e)
{
    bool changed = true;
    for (int round = 0; round < MOST_ROUNDS && changed; round++) {
        lzb_engine_load(e);
        changed = false;
        for (size_t i = 0; i < e->window.count; i++) {
            changed |= update_mode(e, i);
        }
    }
    if (changed) {
        lzb_engine_load(e);
    }
}

/* ---- The end of a step ----------------------------------------------------------------------- */

/* The impulse that was still to come is given at once. */
static void give_rest(lzb_engine *e, const lzb_member *member, double rest)
{
    const crm_model *model = e->state->model;
    size_t j = member->contact;
    lzb_state_add_impulse(e->state, j, rest);
    if (e->friction != NULL) {
        lzb_friction_give(e, e->window.place[j] - 1, rest);
        return;
    }
    for (size_t k = model->d_start[j]; k < model->d_start[j + 1]; k++) {
        uint32_t place = e->window.place[model->d_column[k]];
        if (place > 0) {
            e->window.member[place - 1].c1 -= model->d_value[k] * rest;
        }
    }
}

static void book_energy(const lzb_engine *e, const lzb_member *member)
{
    lzb_state *state = e->state;
    double back = lzb_contact_returned(state->stiffness_model, member->restitution);
    if (member->mode == LZB_EXPANDING && back < 1) {
        state->loss[member->contact] += (1 - back) * (lzb_member_energy(member, member->x) -
                                                      lzb_member_energy(member, member->x1));
    }
}

static void accept_pressing(lzb_engine *e, size_t i)
{
    lzb_state *state = e->state;
    lzb_member *member = &e->window.member[i];
    size_t j = member->contact;
    state->contact_time[j] += e->trial.length;
    state->step_error[j] += e->sum[i] / state->speed;
    lzb_state_add_impulse(state, j, member->impulse);
    double highest = lzb_larger(member->x, member->x1);
    bool turns_unseen =
        (member->mode == LZB_COMPRESSING && !member->turns) || member->branch.unloading;
    if (turns_unseen && member->low < 0 && member->high > 0) {
        double least = LZB_COUNTED_INDENTATION * state->x_scale[j];
        state->compressions[j] += lzb_engine_count_turns(e, i, least, &highest);
    }
    if (!member->branch.unloading) {
        state->peak[j] = lzb_larger(state->peak[j], highest + member->open);
    }
    lzb_release release;
    double accel = lzb_member_gives_back(member) ? lzb_engine_accel_after(e, i, 0) : 0;
    if (lzb_member_gives_back(member) && lzb_engine_may_open(e, i, accel, &release)) {
        note_margin(e, member, accel > 0 ? 0.5 * member->c1 * member->c1 / accel : 0);
        lzb_engine_notify(e, member, LZB_OPENS, accel);
        give_rest(e, member, release.impulse);
        member->x1 = 0;
        book_energy(e, member);
        open_contact(e, member->contact, lzb_member_energy(member, 0), release.time);
        return;
    }
    member->x1 = lzb_larger(member->x1, 0);
    book_energy(e, member);
    state->x[j] = member->x1;
    const lzb_located_event *end_event = &e->trial.end_event;
    if (end_event->place == i &&
        (end_event->event == LZB_TOP_EVENT || end_event->event == LZB_BOTTOM_EVENT)) {
        cross(e, member, member->x1, end_event->event == LZB_TOP_EVENT);
    }
}

/* x off by a rounding of r x makes a swing of frequency w, w^2 = D rate F', in which c goes to
 * r x w / rate.
 */
static double rounding_of(const lzb_member *member)
{
    double depth = member->x + member->open;
    return member->branch.curve != NULL
               ? member->own * lzb_member_slope(member, member->force, depth) * depth * depth /
                     member->rate
               : member->own * member->exponent * member->force * (member->x + member->open) /
                     member->rate;
}

void lzb_engine_accept(lzb_engine *e)
{
    lzb_state *state = e->state;
    lzb_engine_window *w = &e->window;
    if (e->observer != NULL) {
        e->observer->step(e->observer->self, e);
    }
    state->time += e->trial.length;
    double rounding = 0;
    if (e->friction != NULL) {
        lzb_friction_accept(e);
    }
    for (size_t i = 0; i < w->pressing; i++) {
        rounding += rounding_of(&w->member[i]);
        accept_pressing(e, i);
    }
    e->rounding += rounding;
    e->left += e->trial.left;
    for (size_t i = 0; i < w->count; i++) {
        const lzb_member *member = &w->member[i];
        state->c[member->contact] = member->c1;
        if (member->mode == LZB_OPEN && member->c1 > e->ignored) {
            double accel = lzb_engine_accel_after(e, i, 0);
            double since_zero = accel > 0 ? 0.5 * member->c1 * member->c1 / accel : 0;
            lzb_engine_join(e, i,
                            member->c >= -e->ignored ? lzb_larger(member->x1, 0) : since_zero);
        }
    }
    e->steps++;
}
