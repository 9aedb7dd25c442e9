/* What happens within a step.
 *
 * Forces only press, so the impulses of a step bound each closing speed from both sides, and for
 * most contacts that is all. For others c is a polynomial in tau, which stays above the least of
 * its Bernstein coefficients.
 */
#include <math.h>
#include <string.h>

#include "law/lzb/engine/friction/friction.h"
#include "law/lzb/nodes/bernstein.h"

/* Of the error of a step, what passing an event may come to. */
static const double PASSED_SHARE = 0.05;
/* The same where the law jumps. */
static const double JUMP_SHARE = 0.05;
/* The integral of the polynomial of degree 8 that is left out, as a part of the last coefficient.
 */
static const double DOUBT_OF_LAST = 0.1;
/* Of the depth of a knot, how far a contact may go beyond that stays. */
static const double MOST_BEYOND = 1e-2;
/* Of a step: so near its start what was just met is easily taken for an event. */
static const double START = 1e-2;
enum { LAST = LZB_NODES };

/* ---- Closing speeds and indentations as polynomials -------------------------------------------
 */

void lzb_engine_integrate(const lzb_engine *e, const lzb_nodal *y, double factor, double *b)
{
    const lzb_table *table = lzb_engine_table(e);
    lzb_nodal sum = {0};
    for (unsigned j = 0; j < LZB_NODES; j++) {
        sum += table->bernstein[j] * (*y)[j];
    }
    for (unsigned i = 0; i < LZB_NODES; i++) {
        b[i + 1] = b[0] + factor * sum[i];
    }
}

void lzb_engine_pull(const lzb_engine *e, size_t i, lzb_nodal *pull)
{
    const lzb_engine_window *w = &e->window;
    *pull = (lzb_nodal){0};
    for (uint32_t k = w->start[i]; k < w->start[i + 1]; k++) {
        *pull += w->value[k] * e->force[w->column[k]];
    }
}

/* sign * c; returns how far off it may be in the middle of the step, from its highest coefficient.
 * At both ends it is as good as the step.
 */
static double speed_polynomial(const lzb_engine *e, size_t i, double sign, double *b)
{
    const lzb_nodal *highest = &lzb_engine_table(e)->highest[0];
    lzb_nodal pull;
    double last = 0;
    lzb_engine_pull(e, i, &pull);
    b[0] = sign * e->window.member[i].c;
    lzb_engine_integrate(e, &pull, -sign * e->trial.length, b);
    for (unsigned j = 0; j < LZB_NODES; j++) {
        last += (*highest)[j] * pull[j];
    }
    return DOUBT_OF_LAST * e->trial.length * fabs(last);
}

/* Coefficient k is off by this at most. */
static double uncertainty_at(unsigned k, double uncertainty)
{
    const double part = (double)k / LAST;
    return 4 * part * (1 - part) * uncertainty;
}

static void depth_polynomial(const lzb_engine *e, size_t i, double *b)
{
    const lzb_table *table = lzb_engine_table(e);
    const lzb_member *member = &e->window.member[i];
    lzb_nodal pull, c = {0};
    lzb_engine_pull(e, i, &pull);
    for (unsigned j = 0; j < LZB_NODES; j++) {
        c -= table->once[j] * pull[j];
    }
    c = c * e->trial.length + member->c;
    b[0] = member->x;
    lzb_engine_integrate(e, &c, member->rate * e->trial.length, b);
}

/* How often a polynomial falls through 0 where another is above its least value that counts;
 * *highest is raised to the largest value of the other one there.
 */
static unsigned count_falls(const double *c, const double *x, double least, unsigned halvings,
                            double *highest)
{
    unsigned changes = 0;
    for (unsigned i = 1; i <= LAST; i++) {
        changes += (c[i] < 0) != (c[i - 1] < 0);
    }
    if (changes == 0 || halvings == LZB_BERNSTEIN_HALVINGS || (changes == 1 && c[0] < 0)) {
        return 0;
    }
    if (changes == 1) {
        double slope, there = lzb_bernstein_value(x, lzb_bernstein_only_root(c), &slope);
        *highest = lzb_larger(*highest, there);
        return there > least;
    }
    double c_left[LZB_BERNSTEIN], c_right[LZB_BERNSTEIN];
    double x_left[LZB_BERNSTEIN], x_right[LZB_BERNSTEIN];
    lzb_bernstein_halve(c, c_left, c_right);
    lzb_bernstein_halve(x, x_left, x_right);
    return count_falls(c_left, x_left, least, halvings + 1, highest) +
           count_falls(c_right, x_right, least, halvings + 1, highest);
}

unsigned lzb_engine_count_turns(const lzb_engine *e, size_t i, double least, double *highest)
{
    double c[LZB_BERNSTEIN], x[LZB_BERNSTEIN];
    speed_polynomial(e, i, 1, c);
    depth_polynomial(e, i, x);
    return count_falls(c, x, least, 0, highest);
}

/* May c, for all that is known, be below 0 where it is not seen to be? */
static bool is_unclear(const double *b, double uncertainty)
{
    unsigned k = 0;
    while (k <= LAST && b[k] >= uncertainty_at(k, uncertainty)) {
        k++;
    }
    return k <= LAST;
}

/* ---- Looking ----------------------------------------------------------------------------------
 */

void lzb_engine_note(lzb_located_event *first, const lzb_engine *e, size_t i, lzb_event event,
                     double tau)
{
    double time = e->trial.length * lzb_nodes_time(e->trial.map, tau);
    if (tau <= 1 && time < first->time) {
        *first = (lzb_located_event){event, i, time};
    }
}

/* Does the law jump where c of this contact goes through 0? */
static bool jumps_at(const lzb_engine *e, const lzb_member *member)
{
    return member->restitution == 0 ||
           (member->mode == LZB_EXPANDING && e->state->stiffness_model == LZB_MONO);
}

/* sign * c goes so far below 0: does passing that cost next to nothing? */
static bool may_pass(const lzb_engine *e, size_t i, double sign, double beyond)
{
    const lzb_member *member = &e->window.member[i];
    double accel = lzb_engine_accel_after(e, i, 0), end = sign * member->c1;
    if (end < 0 && sign * accel < 0 &&
        beyond <= lzb_engine_band(e, member, end, accel, member->x1)) {
        return true; /* met at the end */
    }
    double missed = 0.5 * beyond * e->trial.length;
    double frequency = lzb_engine_frequency(e, member, lzb_larger(member->x, member->x1));
    return member->x1 > 0 &&
           (jumps_at(e, member)
                ? beyond <= JUMP_SHARE * e->small
                : lzb_engine_kink(e, member) * frequency * missed <= PASSED_SHARE * e->small);
}

/* A contact that presses: does c go where its mode ends? */
static void look_at_sign(lzb_engine *e, size_t i, lzb_located_event *first)
{
    const lzb_member *member = &e->window.member[i];
    double sign = member->mode == LZB_COMPRESSING ? 1 : -1, b[LZB_BERNSTEIN];
    if (sign > 0 ? member->low >= 0 : member->high <= 0) {
        return;
    }
    double uncertainty = speed_polynomial(e, i, sign, b), beyond = -lzb_bernstein_least(b);
    bool unclear =
        jumps_at(e, member) && uncertainty > JUMP_SHARE * e->small && is_unclear(b, uncertainty);
    if (!unclear && (!(beyond > 0) || may_pass(e, i, sign, beyond))) {
        return;
    }
    double start = b[0] < 0 ? 1.001 * b[0] : 0; /* on its way back */
    for (unsigned k = 0; k <= LAST; k++) {
        b[k] += uncertainty_at(k, uncertainty) - start;
    }
    double tau = lzb_bernstein_first_root(b);
    bool at_start = tau < START && sign * member->c1 > 0; /* more likely none at all */
    if (at_start || (tau > 1 && unclear)) {
        lzb_engine_note(first, e, i, LZB_NO_EVENT, 0.5); /* look closer */
    } else {
        lzb_engine_note(first, e, i, LZB_SIGN_EVENT, tau);
    }
}

/* An open contact that closes from the start on. */
static bool is_felt(const lzb_engine *e, size_t i)
{
    const lzb_member *member = &e->window.member[i];
    double most = member->c1 > e->ignored ? member->x1 : 0, h = e->trial.length;
    if (e->observer != NULL && most > 0) { /* changes of it may be large */
        return true;
    }
    if (!(member->c1 > e->ignored) && member->own * lzb_member_force(member, h * member->high) * h >
                                          0.3 * e->small) { /* to and fro */
        double b[LZB_BERNSTEIN];
        speed_polynomial(e, i, -1, b);
        most = -lzb_bernstein_least(b) > e->ignored ? -lzb_bernstein_least(b) * h : 0;
    }
    return member->own * lzb_member_force(member, most) * h > e->small;
}

/* An open contact whose c rises through 0 in the step. */
static void look_at_entry(lzb_engine *e, size_t i, lzb_located_event *first)
{
    const lzb_member *member = &e->window.member[i];
    double h = e->trial.length, b[LZB_BERNSTEIN];
    if (member->c1 > 0) {
        double accel = lzb_engine_accel_after(e, i, 0), since = member->c1 / accel;
        double x = 0.5 * member->c1 * since;
        if (accel > 0 && since < 0.1 * h && x * since < 0.3 * e->small * h * h &&
            member->own * lzb_member_force(member, x) * since < 0.3 * e->small) {
            return;
        }
    }
    speed_polynomial(e, i, -1, b);
    double most = -lzb_bernstein_least(b);
    if (most > e->ignored &&
        (member->c1 > 0 ||
         member->own * lzb_member_force(member, most * h) * h > PASSED_SHARE * e->small)) {
        lzb_engine_note(first, e, i, LZB_SIGN_EVENT, lzb_bernstein_first_root(b));
    }
}

/* While it compresses without a turn, or unloads, c may have either sign: x may go below 0 and come
 * back.
 */
static void look_at_opening(lzb_engine *e, size_t i, lzb_located_event *first)
{
    const lzb_member *member = &e->window.member[i];
    lzb_release release;
    double b[LZB_BERNSTEIN];
    double lowest = member->x + member->rate * e->trial.length * lzb_smaller(member->low, 0);
    bool either_sign = member->mode == LZB_COMPRESSING || member->branch.unloading;
    bool returns = either_sign && member->x > 0 && member->high > 0;
    if (member->x1 >= 0 && (lowest >= 0 || !returns)) {
        return;
    }
    if (member->x1 < 0 && member->c1 < 0 &&
        lzb_engine_may_open(e, i, lzb_engine_accel_after(e, i, 0), &release)) {
        return;
    }
    depth_polynomial(e, i, b);
    b[0] = lzb_larger(b[0], 1e-300);
    double tau = lzb_bernstein_first_root(b);
    if (tau > 1 && member->x1 < 0 && member->c1 < 0) { /* below the rounding of the polynomial */
        tau = 1 - 1e-9;
    }
    lzb_engine_note(first, e, i, LZB_OPENING_EVENT, tau);
}

/* It would go c^2/2a beyond, in a time that follows. The cost is at most twice what the band of a
 * turn counts there, so a contact that leaves G does not turn at once on F.
 */
bool lzb_engine_stays(const lzb_engine *e, const lzb_member *member, bool up)
{
    double sign = up ? 1 : -1, a = -sign * member->accel, c = sign * member->c;
    double end = up ? lzb_member_top(member) : lzb_member_bottom(member);
    if (!(a > 0) || !(c > 0)) {
        return false;
    }
    double beyond = lzb_larger(sign * (member->x - end) + 0.5 * member->rate * c * c / a, 0);
    double time = 2 * sqrt(2 * beyond / (member->rate * a));
    if (!(beyond <= MOST_BEYOND * (end + member->open))) {
        return false;
    }
    double kink = lzb_branch_kink(e->state->model, member->contact, &member->branch, up, beyond);
    return member->own * kink * time <= 2 * PASSED_SHARE * e->small;
}

/* A polynomial from `from` to `to`. */
static void part_of(const double *b, double from, double to, double *part)
{
    double q[LZB_BERNSTEIN];
    memcpy(q, b, sizeof q);
    for (unsigned k = LAST; k > 0; k--) { /* what is before `from` is left out */
        for (unsigned i = 0; i < k; i++) {
            q[i] += from * (q[i + 1] - q[i]);
        }
    }
    double t = from < 1 ? (to - from) / (1 - from) : 1;
    for (unsigned k = 0; k <= LAST; k++) { /* and what is after `to` */
        part[k] = q[0];
        for (unsigned i = 0; i + k < LAST; i++) {
            q[i] += t * (q[i + 1] - q[i]);
        }
    }
}

/* The first t after 0 at which a polynomial with a root at 0 falls below 0, or is there from 0 on:
 * that of the quotient by t.
 */
static double next_root(const double *b)
{
    double quotient[LZB_BERNSTEIN] = {LAST * b[1]};
    for (unsigned k = 1; k <= LAST; k++) { /* of degree LAST - 1, raised by one */
        quotient[k] = b[k] + (k < LAST ? (LAST - k) * b[k + 1] / (k + 1) : 0);
    }
    return lzb_bernstein_first_root(quotient);
}

/* Where the next stretch below 0 begins and ends; `at` is 0 or a root. false: none. */
static bool next_below(const double *b, double at, double *from, double *to)
{
    double rest[LZB_BERNSTEIN];
    part_of(b, at, 1, rest);
    bool below = at == 0 && b[0] < 0;
    double t = at > 0 || b[0] == 0 ? next_root(rest) : lzb_bernstein_first_root(rest);
    if (t > 1) {
        return false;
    }
    *from = at + t * (1 - at);
    part_of(b, *from, 1, rest);
    for (unsigned k = 0; k <= LAST; k++) {
        rest[k] = -rest[k];
    }
    t = below ? lzb_bernstein_first_root(rest) : next_root(rest);
    *to = t > 1 ? 1 : *from + t * (1 - *from);
    return true;
}

/* Does x leave its branch at this end? Stretches beyond it come to the wrong force for as long as
 * they last. Where x is beyond from the start on, or turns there, the step is too long if that
 * costs too much: once c is of a size that matters the contact crosses.
 */
static void look_at_knot(const lzb_engine *e, size_t i, bool up, lzb_located_event *first)
{
    const lzb_member *member = &e->window.member[i];
    const lzb_trial *trial = &e->trial;
    double end = up ? lzb_member_top(member) : lzb_member_bottom(member), sign = up ? 1 : -1;
    double far = member->x + member->rate * trial->length *
                                 (up ? lzb_larger(member->high, 0) : lzb_smaller(member->low, 0));
    if (!(sign * far > sign * end)) {
        return;
    }
    double b[LZB_BERNSTEIN], part[LZB_BERNSTEIN], from, to = 0, cost = 0;
    depth_polynomial(e, i, b);
    for (unsigned k = 0; k <= LAST; k++) {
        b[k] = sign * (end - b[k]);
    }
    bool turning = b[0] * fabs(member->accel) < member->rate * member->c * member->c &&
                   lzb_engine_stays(e, member, up); /* nearer than twice the way it goes on */
    bool starts = b[0] < 0 || turning;
    double most = up ? INFINITY : 0.5 * (end + member->open); /* far down both forces are 0 */
    for (unsigned k = 0; k < LAST && to < 1 && next_below(b, to, &from, &to); k++) {
        part_of(b, from, to, part);
        double time =
            trial->length * (lzb_nodes_time(trial->map, to) - lzb_nodes_time(trial->map, from));
        cost += member->own * time *
                lzb_branch_kink(e->state->model, member->contact, &member->branch, up,
                                lzb_smaller(lzb_larger(-lzb_bernstein_least(part), 0), most));
        starts &= k == 0;
        if (cost > PASSED_SHARE * e->small) {
            lzb_event event = up ? LZB_TOP_EVENT : LZB_BOTTOM_EVENT;
            lzb_engine_note(first, e, i, starts ? LZB_NO_EVENT : event, starts ? 0.5 : from);
            return;
        }
    }
}

lzb_located_event lzb_engine_look(lzb_engine *e, bool *joined)
{
    const lzb_engine_window *w = &e->window;
    const lzb_located_event *end_event = &e->trial.end_event;
    lzb_located_event first = {.event = LZB_NO_EVENT, .time = INFINITY};
    *joined = false;
    for (size_t i = 0, count = w->count; i < count; i++) {
        const lzb_member *member = &w->member[i];
        bool aimed_at = end_event->event != LZB_NO_EVENT && end_event->place == i;
        if (member->mode == LZB_OPEN) {
            if (member->high > e->ignored && member->c >= -e->ignored) {
                if (is_felt(e, i)) {
                    lzb_engine_join(e, i, 0);
                    *joined = true;
                }
            } else if (member->high > e->ignored && !aimed_at) {
                look_at_entry(e, i, &first);
            }
            continue;
        }
        if ((member->turns || member->mode == LZB_EXPANDING) && !member->branch.unloading) {
            look_at_sign(e, i, &first);
        }
        if (member->branch.top < INFINITY && !(aimed_at && end_event->event == LZB_TOP_EVENT)) {
            look_at_knot(e, i, true, &first);
        }
        if (member->branch.bottom > 0 && !(aimed_at && end_event->event == LZB_BOTTOM_EVENT)) {
            look_at_knot(e, i, false, &first);
        }
        if (lzb_member_gives_back(member) && !(aimed_at && end_event->event == LZB_OPENING_EVENT)) {
            look_at_opening(e, i, &first);
        }
    }
    if (e->friction != NULL && !*joined) {
        lzb_friction_look(e, &first);
    }
    return first;
}
