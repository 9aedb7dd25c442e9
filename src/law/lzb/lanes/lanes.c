/* Who is in which lane, and what becomes of it at events. */
#include "law/lzb/lanes/lanes.h"

#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "law/lzb/lanes/kernel.h"

/* Below this restitution a contact expands so fast that lanes would wait for it. */
static const double LEAST_RESTITUTION = 0.1;
/* With less tolerance rounding needs more care than a fixed order takes; with more, steps would be
 * so long that events hide in them.
 */
static const double LEAST_TOLERANCE = 1e-10, MOST_TOLERANCE = 1e-8;
/* The error allowed in one step, as a part of the tolerance. */
static const double STEP_SHARE = 8e-3;
/* What the errors of the steps may have grown to by the end: in random systems less than twofold,
 * but for a few in ten thousand in which a contact all but opens or closes.
 */
static const double BLIND = 10;
enum { MOST_TRIES = 1000 };

typedef struct lane_state {
    bool busy;
    size_t tag;
    const crm_model *model;
    double speed, unit; /* of time */
    double growth;      /* bound on what errors have been magnified by so far */
    uint8_t mode[LZB_LANES_CONTACTS];
    double impulse_unit[LZB_LANES_CONTACTS];
    double scale[LZB_LANES_CONTACTS]; /* x_scale, in units of speed and time */
} lane_state;

struct lzb_lanes {
    lanes_pack pack; /* first: aligned */
    lane_state lane[LZB_LANES];
    size_t busy;
    double quiet, tolerance;
    lanes_stepper *step;
};

/* ---- Who may come in ------------------------------------------------------------------------- */

bool lzb_lanes_serve(const crm_settings *settings)
{
    lzb_options options;
    lzb_options_read(settings, &options);
    return options.scheme == LZB_AUTO && options.stiffness == LZB_BI &&
           options.tolerance >= LEAST_TOLERANCE && isnan(options.max_steps);
}

static lzb_kind kind_of(const crm_model *model)
{
    lzb_kind kind = lzb_contact_kind(model->exponent[0]);
    for (size_t j = 1; j < model->contacts; j++) {
        kind = lzb_contact_kind(model->exponent[j]) == kind ? kind : LZB_POWER;
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

lanes_stepper *lzb_lanes_stepper(crm_width width)
{
    lanes_stepper *const steppers[] = {lzb_lanes_step_16, lzb_lanes_step_32, lzb_lanes_step_64};
    return steppers[width];
}

crm_status lzb_lanes_create(const crm_settings *settings, lzb_lanes **lanes, crm_error *error)
{
    lzb_options options;
    lzb_options_read(settings, &options);
    *lanes = crm_memory_allocate_aligned(LANES_ALIGNMENT, 1, sizeof(lzb_lanes));
    if (*lanes == NULL) {
        return crm_fail_memory(error);
    }
    memset(*lanes, 0, sizeof(lzb_lanes));
    double tolerance = fmin(options.tolerance, MOST_TOLERANCE);
    (*lanes)->pack.tolerance = fmax(STEP_SHARE * tolerance, LZB_FINEST);
    (*lanes)->step = lzb_lanes_stepper(settings->width);
    (*lanes)->tolerance = options.tolerance;
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
    return lanes->pack.p[contact][lane] * lanes->lane[lane].impulse_unit[contact];
}

/* ---- Coming in ------------------------------------------------------------------------------- */

static double closing_speed(const double *u, size_t count)
{
    double speed = 0;
    for (size_t j = 0; j < count; j++) {
        speed = fmax(speed, -u[j]);
    }
    return speed;
}

static void set_mode(lzb_lanes *lanes, unsigned l, size_t j, lzb_mode mode)
{
    double e = lanes->lane[l].model->restitution[j];
    lanes->lane[l].mode[j] = (uint8_t)mode;
    lanes->pack.rate[j][l] = lzb_contact_rate(LZB_BI, mode, e);
    lanes->pack.watch[j][l] = mode != LZB_COMPRESSING ? 1 : e < 1 ? -1 : 0;
}

/* A force is counted by what it does to its own contact. */
static void load_couplings(lanes_pack *pack, const crm_model *model, unsigned l)
{
    for (size_t j = 0; j < pack->contacts; j++) {
        for (size_t k = 0; k < pack->contacts; k++) {
            pack->d[j][k][l] = 0;
        }
        for (size_t e = model->d_start[j]; e < model->d_start[j + 1]; e++) {
            size_t k = model->d_column[e];
            pack->d[j][k][l] = model->d_value[e] / model->d_diagonal[k];
        }
    }
}

static size_t band_of(const crm_model *model)
{
    size_t band = 0;
    for (size_t j = 0; j < model->contacts; j++) {
        for (size_t e = model->d_start[j]; e < model->d_start[j + 1]; e++) {
            size_t k = model->d_column[e], apart = k > j ? k - j : j - k;
            band = apart > band ? apart : band;
        }
    }
    return band;
}

static void load_contact(lzb_lanes *lanes, unsigned l, size_t j, double closing)
{
    lanes_pack *pack = &lanes->pack;
    lane_state *lane = &lanes->lane[l];
    const crm_model *model = lane->model;
    double eta = model->exponent[j], d = model->d_diagonal[j];
    lane->scale[j] /= lane->speed * lane->unit;
    lane->impulse_unit[j] = lane->speed / d;
    /* d K scale^(eta + 1) = (eta + 1) / 2 speed^2 */
    pack->stiffness[j][l] = 0.5 * (eta + 1.0) / crm_pow(lane->scale[j], eta + 1.0);
    pack->exponent[j][l] = eta;
    pack->feedback[j][l] = 1.0 / (2.0 * (eta + 1.0) * (eta + 1.0) * (eta + 2.0));
    pack->per_growth[j][l] = 1.0 / (2.0 * eta + 2.0);
    pack->x[j][l] = pack->f[j][l] = pack->p[j][l] = 0;
    pack->c[j][l] = closing;
    set_mode(lanes, l, j, closing < 0 ? LZB_OPEN : LZB_COMPRESSING);
}

static void load(lzb_lanes *lanes, unsigned l, const double *u)
{
    lanes_pack *pack = &lanes->pack;
    lane_state *lane = &lanes->lane[l];
    const crm_model *model = lane->model;
    double shortest = INFINITY;
    for (size_t j = 0; j < pack->contacts; j++) {
        lane->scale[j] =
            lzb_contact_indentation(model->stiffness[j], model->exponent[j],
                                    lane->speed * lane->speed / (2.0 * model->d_diagonal[j]));
        shortest = fmin(shortest, lane->scale[j] / lane->speed);
    }
    lane->unit = shortest;
    load_couplings(pack, model, l);
    for (size_t j = 0; j < pack->contacts; j++) {
        load_contact(lanes, l, j, -u[j] / lane->speed);
    }
    pack->time[l] = pack->opened[l] = pack->error[l] = pack->steps[l] = pack->tries[l] = 0;
    pack->longest[l] = LANES_LONGEST;
}

bool lzb_lanes_take(lzb_lanes *lanes, const crm_model *model, const double *u, size_t tag)
{
    lanes_pack *pack = &lanes->pack;
    lzb_kind kind = kind_of(model);
    size_t band = band_of(model);
    if (lanes->busy == 0) {
        pack->contacts = model->contacts;
        pack->kind = kind;
        pack->band = band;
    }
    if (lanes->busy == LZB_LANES || pack->contacts != model->contacts || pack->kind != kind ||
        pack->band != band) {
        return false;
    }
    unsigned l = 0;
    while (lanes->lane[l].busy) {
        l++;
    }
    lanes->lane[l] = (lane_state){.busy = true,
                                  .tag = tag,
                                  .model = model,
                                  .speed = closing_speed(u, model->contacts),
                                  .growth = 1};
    lanes->busy++;
    load(lanes, l, u);
    return true;
}

/* ---- Events ---------------------------------------------------------------------------------- */

/* The closing speed of contact j has gone through 0. To be pressed again while it still stores
 * energy, which from then on counts in full, magnifies what is wrong with it up to 1/e-fold.
 */
static void turn(lzb_lanes *lanes, unsigned l, size_t j)
{
    lane_state *lane = &lanes->lane[l];
    switch ((lzb_mode)lane->mode[j]) {
    case LZB_COMPRESSING:
        set_mode(lanes, l, j, lanes->pack.x[j][l] > 0 ? LZB_EXPANDING : LZB_OPEN);
        return;
    case LZB_EXPANDING:
        lane->growth /= lane->model->restitution[j];
        set_mode(lanes, l, j, LZB_COMPRESSING);
        return;
    case LZB_OPEN:
        set_mode(lanes, l, j, LZB_COMPRESSING);
    }
}

static void follow_modes(lzb_lanes *lanes, unsigned l)
{
    lanes_pack *pack = &lanes->pack;
    for (size_t j = 0; j < pack->contacts; j++) {
        if (pack->opens[j][l] != 0) {
            set_mode(lanes, l, j, LZB_OPEN);
        } else if (pack->turns[j][l] != 0) {
            pack->c[j][l] = fabs(pack->c[j][l]) < LANES_STILL ? 0 : pack->c[j][l];
            turn(lanes, l, j);
        }
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
        quiet &= c <= lanes->quiet && pack->x[j][l] <= lanes->quiet * lane->scale[j];
    }
    return over ? IS_OVER : quiet ? GIVES_UP : GOES_ON;
}

/* ---- All lanes ------------------------------------------------------------------------------- */

static crm_lane_end leave(lzb_lanes *lanes, unsigned l, bool solved)
{
    lane_state *lane = &lanes->lane[l];
    lanes_pack *pack = &lanes->pack;
    double estimate = BLIND * pack->error[l] + LZB_FINEST * sqrt(100.0 + pack->steps[l]);
    lane->busy = false;
    lanes->busy--;
    for (size_t j = 0; j < pack->contacts; j++) {
        pack->x[j][l] = pack->c[j][l] = pack->f[j][l] = pack->rate[j][l] = 0;
    }
    return (crm_lane_end){.tag = lane->tag,
                          .solved = solved && estimate <= lanes->tolerance,
                          .duration = pack->opened[l] * lane->unit,
                          .error_estimate = estimate,
                          .steps = (uint64_t)pack->steps[l],
                          .lane = l};
}

size_t lzb_lanes_advance(lzb_lanes *lanes, crm_lane_end *ends)
{
    size_t count = 0;
    unsigned events = lanes->step(&lanes->pack);
    for (unsigned l = 0; l < LZB_LANES; l++) {
        if (!lanes->lane[l].busy) {
            continue;
        }
        verdict v = lanes->pack.tries[l] > MOST_TRIES ? GIVES_UP : GOES_ON;
        if (events >> l & 1) {
            follow_modes(lanes, l);
            verdict judged = judge(lanes, l);
            v = lanes->lane[l].growth > LZB_GROWTH_UNSEEN ? GIVES_UP
                : judged != GOES_ON                       ? judged
                                                          : v;
        }
        if (v != GOES_ON) {
            ends[count++] = leave(lanes, l, v == IS_OVER);
        }
    }
    return count;
}
