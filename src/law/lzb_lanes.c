/* Who is in which lane, and what each makes of the step that was tried. */
#include "law/lzb_lanes.h"

#include <stdlib.h>
#include <string.h>

#include "law/lzb_lanes_kernel.h"

/* Below this restitution a contact expands so fast that lanes would wait for it. */
static const double LEAST_RESTITUTION = 0.1;
/* With less tolerance rounding needs more care than a fixed order takes; with more, steps would be
 * so long that events hide in them.
 */
static const double LEAST_TOLERANCE = 1e-10, MOST_TOLERANCE = 1e-8;
/* Part of a step's error that passing an event late may cost. */
static const double LATE = 0.5;
/* Near kinks the difference of two columns falls short of the error; up to fourteen
 * times has been seen, in thousands of random systems.
 */
static const double BLIND = 50;
/* Below this part of its scale an indentation that shrinks is at its end. */
static const double NOTHING = 1e-12;
enum { MOST_TRIALS = 1000 };

typedef struct lane_state {
    bool busy;
    size_t tag;
    const crm_model *model;
    double speed, time, opened;
    double planned; /* length of the step, but for events */
    bool rejected;  /* the last try was */
    double error;   /* of the steps so far, in units of the tolerance */
    uint64_t steps, trials;
    uint8_t mode[LZB_LANES_CONTACTS];
    double scale[LZB_LANES_CONTACTS]; /* x_scale */
} lane_state;

struct lzb_lanes {
    lanes_pack pack; /* first: aligned */
    lane_state lane[LZB_LANES];
    size_t busy;
    double tolerance, quiet;
};

/* ---- Who may come in --------------------------------------------------------------------------
 */

bool lzb_lanes_serve(const crm_settings *settings)
{
    lzb_options options;
    return lzb_options_read(settings, &options) && options.scheme == LZB_AUTO &&
           options.stiffness == LZB_BI && options.tolerance >= LEAST_TOLERANCE &&
           isnan(options.max_steps);
}

static lzb_kind kind_of(const crm_model *model)
{
    lzb_kind kind = lzb_kind_of(model->exponent[0]);
    for (size_t j = 1; j < model->contacts; j++) {
        kind = lzb_kind_of(model->exponent[j]) == kind ? kind : LZB_POWER;
    }
    return kind;
}

bool lzb_lanes_fit(const crm_model *model)
{
    if (model->contacts == 0 || model->contacts > LZB_LANES_CONTACTS ||
        !crm_model_has_delassus(model)) {
        return false;
    }
    for (size_t j = 0; j < model->contacts; j++) {
        if (model->restitution[j] < LEAST_RESTITUTION || model->stored_energy[j] > 0 ||
            model->exponent[j] < 1) {
            return false;
        }
    }
    return true;
}

crm_status lzb_lanes_create(const crm_settings *settings, lzb_lanes **lanes, crm_error *error)
{
    lzb_options options = {0};
    lzb_options_read(settings, &options);
    size_t size = (sizeof(lzb_lanes) + LANES_ALIGNMENT - 1) / LANES_ALIGNMENT * LANES_ALIGNMENT;
    *lanes = aligned_alloc(LANES_ALIGNMENT, size);
    if (*lanes == NULL) {
        return crm_fail_memory(error);
    }
    memset(*lanes, 0, size);
    double tolerance = fmin(options.tolerance, MOST_TOLERANCE);
    (*lanes)->tolerance = fmax(LZB_STEP_SHARE * tolerance, LZB_FINEST);
    (*lanes)->quiet = LZB_QUIET_SHARE * tolerance;
    return CRM_OK;
}

void lzb_lanes_free(lzb_lanes *lanes)
{
    free(lanes);
}

size_t lzb_lanes_busy(const lzb_lanes *lanes)
{
    return lanes->busy;
}

double lzb_lanes_impulse(const lzb_lanes *lanes, unsigned lane, size_t contact)
{
    return lanes->pack.p[contact][lane];
}

/* ---- Coming in --------------------------------------------------------------------------------
 */

static double closing_speed(const double *u, size_t count)
{
    double speed = 0;
    for (size_t j = 0; j < count; j++) {
        speed = fmax(speed, -u[j]);
    }
    return speed;
}

static void set_rate(lzb_lanes *lanes, unsigned l, size_t j, lzb_mode mode)
{
    double e = lanes->lane[l].model->restitution[j];
    lanes->lane[l].mode[j] = (uint8_t)mode;
    lanes->pack.rate[j][l] = mode == LZB_OPEN ? 0 : mode == LZB_COMPRESSING ? 1 : 1.0 / (e * e);
}

static void load_couplings(lanes_pack *pack, const crm_model *model, unsigned l)
{
    for (size_t j = 0; j < pack->contacts; j++) {
        for (size_t k = 0; k < pack->contacts; k++) {
            pack->d[j][k][l] = 0;
        }
        for (size_t e = model->d_start[j]; e < model->d_start[j + 1]; e++) {
            size_t k = model->d_column[e], apart = k > j ? k - j : j - k;
            pack->d[j][k][l] = model->d_value[e];
            pack->band = apart > pack->band ? apart : pack->band;
        }
    }
}

static void load(lzb_lanes *lanes, unsigned l, const double *u)
{
    lanes_pack *pack = &lanes->pack;
    lane_state *lane = &lanes->lane[l];
    const crm_model *model = lane->model;
    double shortest = INFINITY;
    pack->per_speed[l] = 1.0 / lane->speed;
    load_couplings(pack, model, l);
    for (size_t j = 0; j < pack->contacts; j++) {
        lane->scale[j] = lzb_indentation(model->stiffness[j], model->exponent[j],
                                         lane->speed * lane->speed / (2.0 * model->d_diagonal[j]));
        pack->stiffness[j][l] = model->stiffness[j];
        pack->exponent[j][l] = model->exponent[j];
        pack->per_scale[j][l] = 1.0 / lane->scale[j];
        pack->x[j][l] = pack->p[j][l] = 0;
        pack->c[j][l] = -u[j];
        set_rate(lanes, l, j, u[j] > 0 ? LZB_OPEN : LZB_COMPRESSING);
        if (-u[j] > lanes->quiet * lane->speed) {
            shortest = fmin(shortest, lane->scale[j] / lane->speed);
        }
    }
    pack->length[l] = lane->planned = 1e-2 * shortest;
}

bool lzb_lanes_take(lzb_lanes *lanes, const crm_model *model, const double *u, size_t tag)
{
    lanes_pack *pack = &lanes->pack;
    lzb_kind kind = kind_of(model);
    if (lanes->busy == 0) {
        pack->contacts = model->contacts;
        pack->kind = kind;
        pack->band = 0;
    }
    if (lanes->busy == LZB_LANES || pack->contacts != model->contacts || pack->kind != kind) {
        return false;
    }
    unsigned l = 0;
    while (lanes->lane[l].busy) {
        l++;
    }
    lanes->lane[l] = (lane_state){
        .busy = true, .tag = tag, .model = model, .speed = closing_speed(u, model->contacts)};
    lanes->busy++;
    load(lanes, l, u);
    return true;
}

/* ---- What to make of a try --------------------------------------------------------------------
 */

/* 0.94 (0.65 / error)^(1 / (2 rows - 1)), within bounds, to a quarter of a percent: logarithm and
 * power by parabolas between powers of two. A pow for every lane and try would cost a tenth of all.
 */
static double growth(double error)
{
    const double least = 0.02, most = 8.0;
    if (!(error > 1e-20)) {
        return most;
    }
    int exponent;
    double m = 2.0 * frexp(0.65 / error, &exponent) - 1.0; /* 0.65/error = (1 + m) 2^(exponent-1) */
    double y = (exponent - 1 + m * (4.0 - m) / 3.0) / (2.0 * LANES_ROWS - 1.0);
    double whole = floor(y), part = y - whole;
    double grow = 0.94 * ldexp(1.0 + part * (0.6565 + 0.3435 * part), (int)whole);
    return grow < least ? least : grow > most ? most : grow;
}

/* By how much the rate of a contact will change when its closing speed changes sign. */
static double kink(const lane_state *lane, size_t j)
{
    double e = lane->model->restitution[j];
    return lane->mode[j] == LZB_OPEN ? 1 : 1.0 / (e * e) - 1.0;
}

/* Has the closing speed changed sign, so that the contact has to open, close or turn? */
static bool turned(const lane_state *lane, size_t j, double c)
{
    switch ((lzb_mode)lane->mode[j]) {
    case LZB_OPEN:
        return c > 0;
    case LZB_COMPRESSING:
        return c < 0 && lane->model->restitution[j] < 1;
    default:
        return c > 0;
    }
}

/* An event that the step has passed: how late, and where to look for it. */
typedef struct passed {
    bool late;
    double guess; /* a length that ends slightly behind it */
} passed;

/* A contact that turned a time t ago at c' = a has been moved wrongly by kink a t^2 / 2 =
 * kink c^2 / (2 a).
 */
static passed pass_turn(const lzb_lanes *lanes, unsigned l, size_t j)
{
    const lanes_pack *pack = &lanes->pack;
    const lane_state *lane = &lanes->lane[l];
    double c = pack->end_c[j][l], a = fabs(pack->end_a[j][l]), tried = pack->length[l];
    double allowed = LATE * lanes->tolerance * lane->scale[j], weight = kink(lane, j);
    if (weight * c * c <= 2.0 * allowed * a) {
        return (passed){.late = false};
    }
    double window = 0.3 * sqrt(2.0 * allowed * a / weight);
    bool towards = c * pack->end_a[j][l] > 0; /* else it is about to turn back */
    return (passed){true, towards ? tried - (fabs(c) - window) / a : 0};
}

/* A contact that opened at x = 0 is thought to pull at its neighbours by some of the rows, which
 * have not looked at it since; that puts D E / |c| into its speed, with E the energy at -x.
 */
static passed pass_opening(const lzb_lanes *lanes, unsigned l, size_t j)
{
    const lanes_pack *pack = &lanes->pack;
    const lane_state *lane = &lanes->lane[l];
    double x = -pack->end_x[j][l] / lane->scale[j], c = -pack->end_c[j][l] / lane->speed;
    double power = 1.0 + lane->model->exponent[j];
    double most = pow(2.0 * LATE * lanes->tolerance * c, 1.0 / power);
    if (x <= most) {
        return (passed){.late = false};
    }
    double back = (x - 0.3 * most) * lane->scale[j] / (pack->rate[j][l] * c * lane->speed);
    return (passed){true, pack->length[l] - back};
}

/* Could a quantity that starts and ends below zero have been above it in between? By its tangents
 * at both ends.
 */
static bool may_rise(double y0, double slope0, double y1, double slope1, double length)
{
    if (!(slope0 > 0 && slope1 < 0)) {
        return false;
    }
    double meet = (y1 - y0 - slope1 * length) / (slope0 - slope1);
    return y0 + slope0 * fmin(fmax(meet, 0), length) > 0;
}

/* A pair of events that cancel each other within the step, of which its end knows nothing. */
static bool may_hide_events(const lzb_lanes *lanes, unsigned l, size_t j)
{
    const lanes_pack *pack = &lanes->pack;
    const lane_state *lane = &lanes->lane[l];
    double c0 = pack->c[j][l], c1 = pack->end_c[j][l], a0 = pack->a[j][l], a1 = pack->end_a[j][l];
    double x0 = pack->x[j][l], x1 = pack->end_x[j][l], h = pack->length[l];
    double quiet = lanes->tolerance * lane->speed;
    switch ((lzb_mode)lane->mode[j]) {
    case LZB_OPEN:
        return c1 <= 0 && may_rise(c0 - quiet, a0, c1 - quiet, a1, h);
    case LZB_COMPRESSING:
        if (lane->model->restitution[j] < 1) {
            return x0 > 0 && c0 > 0 && c1 >= 0 && may_rise(-c0, -a0, -c1, -a1, h);
        }
        return x0 > 0 && x1 > 0 && may_rise(-x0, -c0, -x1, -c1, h);
    default:
        return c1 <= 0 && x1 > 0 && may_rise(c0, a0, c1, a1, h);
    }
}

/* Has the step passed events by too much? Then *length is to be tried next. */
static bool is_late(const lzb_lanes *lanes, unsigned l, double *length)
{
    const lanes_pack *pack = &lanes->pack;
    const lane_state *lane = &lanes->lane[l];
    double tried = pack->length[l];
    bool any = false;
    *length = tried;
    for (size_t j = 0; j < pack->contacts; j++) {
        double x0 = pack->x[j][l], x = pack->end_x[j][l], c = pack->end_c[j][l];
        bool pressed = x0 > 0 || pack->end_p[j][l] > 0;
        passed event = {false, 0};
        if (may_hide_events(lanes, l, j)) {
            event = (passed){true, 0};
        } else if (turned(lane, j, c) && (lane->mode[j] == LZB_OPEN || pressed)) {
            event = pass_turn(lanes, l, j);
        } else if (lane->mode[j] != LZB_OPEN && x <= 0 && pressed) {
            event = c < 0 ? pass_opening(lanes, l, j) : (passed){-x > NOTHING * lane->scale[j], 0};
        }
        if (event.late) {
            bool usable = event.guess > 0.02 * tried && event.guess < tried;
            *length = fmin(*length, usable ? event.guess : 0.5 * tried);
            any = true;
        }
    }
    return any;
}

static void follow_modes(lzb_lanes *lanes, unsigned l)
{
    lanes_pack *pack = &lanes->pack;
    lane_state *lane = &lanes->lane[l];
    for (size_t j = 0; j < pack->contacts; j++) {
        double x = pack->end_x[j][l], c = pack->end_c[j][l];
        bool pressing = lane->mode[j] != LZB_OPEN;
        if (pressing && c < 0 && x <= NOTHING * lane->scale[j]) {
            lane->opened = pack->x[j][l] > 0 || x > 0 ? lane->time : lane->opened;
            set_rate(lanes, l, j, LZB_OPEN);
        } else if (turned(lane, j, c)) {
            bool expands = lane->mode[j] == LZB_COMPRESSING;
            lane->error += LATE;
            set_rate(lanes, l, j, expands ? LZB_EXPANDING : LZB_COMPRESSING);
        }
        pack->x[j][l] = lane->mode[j] == LZB_OPEN ? 0 : fmax(x, 0);
        pack->c[j][l] = c;
        pack->p[j][l] += pack->end_p[j][l];
    }
}

typedef enum verdict { GOES_ON, IS_OVER, GIVES_UP } verdict;

/* Over: nothing is stored, nothing closes. What goes on below the quiet level is a tail. */
static verdict judge(const lzb_lanes *lanes, unsigned l)
{
    const lanes_pack *pack = &lanes->pack;
    const lane_state *lane = &lanes->lane[l];
    bool over = true, quiet = true;
    for (size_t j = 0; j < pack->contacts; j++) {
        over &= !(pack->c[j][l] > 0) && !(pack->x[j][l] > 0);
        double c = pack->x[j][l] > 0 ? fabs(pack->c[j][l]) : pack->c[j][l];
        quiet &= c <= lanes->quiet * lane->speed && pack->x[j][l] <= lanes->quiet * lane->scale[j];
    }
    return over ? IS_OVER : quiet ? GIVES_UP : GOES_ON;
}

static void reject(lzb_lanes *lanes, unsigned l, double length)
{
    lanes->lane[l].rejected = true;
    lanes->pack.length[l] = lanes->lane[l].planned = length;
}

static verdict accept(lzb_lanes *lanes, unsigned l)
{
    lane_state *lane = &lanes->lane[l];
    double tried = lanes->pack.length[l], error = lanes->pack.error[l];
    lane->steps++;
    lane->time += tried;
    lane->error += error;
    follow_modes(lanes, l);
    double next = tried * growth(error);
    next = lane->rejected ? fmin(next, tried) : next;
    if (tried < lane->planned) { /* an event cut it: nothing was learnt */
        next = fmax(next, lane->planned);
    }
    lane->rejected = false;
    lanes->pack.length[l] = lane->planned = next;
    return judge(lanes, l);
}

static verdict decide(lzb_lanes *lanes, unsigned l)
{
    lane_state *lane = &lanes->lane[l];
    double tried = lanes->pack.length[l], error = lanes->pack.error[l];
    double length;
    if (++lane->trials > MOST_TRIALS || !(tried > 1e-14 * lane->time)) {
        return GIVES_UP;
    }
    bool late = is_late(lanes, l, &length);
    if (!(error <= 1)) {
        double shorter = fmin(tried * (error < INFINITY ? growth(error) : 0.05), 0.9 * tried);
        reject(lanes, l, late && length < 0.98 * tried ? fmax(length, shorter) : shorter);
        return GOES_ON;
    }
    if (late) {
        lanes->pack.length[l] = length;
        return GOES_ON;
    }
    return accept(lanes, l);
}

/* ---- All lanes --------------------------------------------------------------------------------
 */

static lzb_lane_end leave(lzb_lanes *lanes, unsigned l, bool solved)
{
    lane_state *lane = &lanes->lane[l];
    lane->busy = false;
    lanes->busy--;
    lanes->pack.length[l] = 0;
    for (size_t j = 0; j < lanes->pack.contacts; j++) {
        lanes->pack.x[j][l] = lanes->pack.c[j][l] = 0;
    }
    return (lzb_lane_end){.tag = lane->tag,
                          .solved = solved,
                          .duration = lane->opened,
                          .error_estimate = BLIND * lane->error * lanes->tolerance +
                                            LZB_FINEST * sqrt(100.0 + (double)lane->steps),
                          .steps = lane->steps,
                          .lane = l};
}

size_t lzb_lanes_advance(lzb_lanes *lanes, lzb_lane_end *ends)
{
    size_t count = 0;
    lzb_lanes_try(&lanes->pack, 1.0 / lanes->tolerance);
    for (unsigned l = 0; l < LZB_LANES; l++) {
        if (lanes->lane[l].busy) {
            verdict v = decide(lanes, l);
            if (v != GOES_ON) {
                ends[count++] = leave(lanes, l, v == IS_OVER);
            }
        }
    }
    return count;
}
