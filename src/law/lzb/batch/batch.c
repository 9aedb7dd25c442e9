/* Systems in lanes, and what events do to them. */
#include "law/lzb/batch/batch.h"

#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "law/lzb/batch/kernel.h"

/* Below this restitution a contact expands so fast that the other lanes would wait for it. */
static const double LEAST_BATCH_RESTITUTION = 0.1;
/* With less tolerance a fixed order does not keep rounding low enough; with more, steps would be so
 * long that events hide in them.
 */
static const double LEAST_TOLERANCE = 1e-10, MOST_TOLERANCE = 1e-8;
/* The error allowed in one step, as a part of the tolerance. */
static const double STEP_SHARE = 8e-3;
/* What the errors of the steps may have been magnified by at the end: in random systems less than
 * twofold, but for a few in ten thousand in which a contact all but opens or closes.
 */
static const double MOST_MAGNIFIED = 10;
enum { MOST_TRIES = 1000 };

typedef struct lane_state {
    bool busy;
    size_t tag;
    const crm_model *model;
    double speed, unit; /* of time */
    double growth;      /* bound on what errors have been magnified by so far */
    uint8_t mode[LZB_BATCH_CONTACTS];
    double impulse_unit[LZB_BATCH_CONTACTS];
    double scale[LZB_BATCH_CONTACTS]; /* x_scale, in units of speed and time */
} lane_state;

struct lzb_batch {
    lanes_pack pack; /* first: aligned */
    lane_state lane[LZB_LANES];
    size_t busy;
    double ignored_speed, tolerance;
    lanes_stepper *step;
};

/* ---- Systems that are served ----------------------------------------------------------------- */

bool lzb_batch_serve(const crm_settings *settings)
{
    lzb_options options;
    lzb_options_read(settings, &options);
    return options.scheme == LZB_AUTO && options.stiffness_model == LZB_BI &&
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

bool lzb_batch_fit(const crm_model *model)
{
    if (model->contacts == 0 || model->contacts > LZB_BATCH_CONTACTS ||
        !crm_model_has_delassus(model) || crm_model_has_compliance(model) ||
        crm_model_friction(model) != NULL) {
        return false;
    }
    for (size_t j = 0; j < model->contacts; j++) {
        if (model->restitution[j] < LEAST_BATCH_RESTITUTION || model->stored_energy[j] > 0 ||
            model->exponent[j] < 1) {
            return false;
        }
    }
    return true;
}

lanes_stepper *lzb_batch_stepper(crm_width width)
{
    lanes_stepper *const steppers[] = {lzb_batch_step_16, lzb_batch_step_32, lzb_batch_step_64};
    return steppers[width];
}

crm_status lzb_batch_create(const crm_settings *settings, lzb_batch **batch, crm_error *error)
{
    lzb_options options;
    lzb_options_read(settings, &options);
    *batch = crm_memory_allocate_aligned(LANES_ALIGNMENT, 1, sizeof(lzb_batch));
    if (*batch == NULL) {
        return crm_fail_memory(error);
    }
    memset(*batch, 0, sizeof(lzb_batch));
    double tolerance = fmin(options.tolerance, MOST_TOLERANCE);
    (*batch)->pack.tolerance = fmax(STEP_SHARE * tolerance, LZB_FINEST);
    (*batch)->step = lzb_batch_stepper(settings->width);
    (*batch)->tolerance = options.tolerance;
    (*batch)->ignored_speed = LZB_IGNORED_SHARE * tolerance;
    return CRM_OK;
}

void lzb_batch_free(lzb_batch *batch)
{
    free(batch);
}

size_t lzb_batch_busy(const lzb_batch *batch)
{
    return batch->busy;
}

double lzb_batch_impulse(const lzb_batch *batch, unsigned lane, size_t contact)
{
    return batch->pack.p[contact][lane] * batch->lane[lane].impulse_unit[contact];
}

/* ---- Loading a lane -------------------------------------------------------------------------- */

static double closing_speed(const double *u, size_t count)
{
    double speed = 0;
    for (size_t j = 0; j < count; j++) {
        speed = fmax(speed, -u[j]);
    }
    return speed;
}

static void set_mode(lzb_batch *batch, unsigned l, size_t j, lzb_mode mode)
{
    double e = batch->lane[l].model->restitution[j];
    batch->lane[l].mode[j] = (uint8_t)mode;
    batch->pack.rate[j][l] = lzb_contact_rate(LZB_BI, mode, e);
    batch->pack.watch[j][l] = mode != LZB_COMPRESSING ? 1 : e < 1 ? -1 : 0;
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

static void load_contact(lzb_batch *batch, unsigned l, size_t j, double closing)
{
    lanes_pack *pack = &batch->pack;
    lane_state *lane = &batch->lane[l];
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
    set_mode(batch, l, j, closing < 0 ? LZB_OPEN : LZB_COMPRESSING);
}

static void load(lzb_batch *batch, unsigned l, const double *u)
{
    lanes_pack *pack = &batch->pack;
    lane_state *lane = &batch->lane[l];
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
        load_contact(batch, l, j, -u[j] / lane->speed);
    }
    pack->time[l] = pack->opened[l] = pack->error[l] = pack->steps[l] = pack->tries[l] = 0;
    pack->longest[l] = LANES_LONGEST;
}

bool lzb_batch_take(lzb_batch *batch, const crm_model *model, const double *u, size_t tag)
{
    lanes_pack *pack = &batch->pack;
    lzb_kind kind = kind_of(model);
    size_t band = band_of(model);
    if (batch->busy == 0) {
        pack->contacts = model->contacts;
        pack->kind = kind;
        pack->band = band;
    }
    if (batch->busy == LZB_LANES || pack->contacts != model->contacts || pack->kind != kind ||
        pack->band != band) {
        return false;
    }
    unsigned l = 0;
    while (batch->lane[l].busy) {
        l++;
    }
    batch->lane[l] = (lane_state){.busy = true,
                                  .tag = tag,
                                  .model = model,
                                  .speed = closing_speed(u, model->contacts),
                                  .growth = 1};
    batch->busy++;
    load(batch, l, u);
    return true;
}

/* ---- Events ---------------------------------------------------------------------------------- */

/* The closing speed of contact j has gone through 0. To be pressed again while it still stores
 * energy, which from then on counts in full, magnifies what is wrong with it up to 1/e-fold.
 */
static void turn(lzb_batch *batch, unsigned l, size_t j)
{
    lane_state *lane = &batch->lane[l];
    switch ((lzb_mode)lane->mode[j]) {
    case LZB_COMPRESSING:
        set_mode(batch, l, j, batch->pack.x[j][l] > 0 ? LZB_EXPANDING : LZB_OPEN);
        return;
    case LZB_EXPANDING:
        lane->growth /= lane->model->restitution[j];
        set_mode(batch, l, j, LZB_COMPRESSING);
        return;
    case LZB_OPEN:
        set_mode(batch, l, j, LZB_COMPRESSING);
    }
}

static void follow_modes(lzb_batch *batch, unsigned l)
{
    lanes_pack *pack = &batch->pack;
    for (size_t j = 0; j < pack->contacts; j++) {
        if (pack->opens[j][l] != 0) {
            set_mode(batch, l, j, LZB_OPEN);
        } else if (pack->turns[j][l] != 0) {
            pack->c[j][l] = fabs(pack->c[j][l]) < LANES_STILL ? 0 : pack->c[j][l];
            turn(batch, l, j);
        }
    }
}

typedef enum verdict { GOES_ON, IS_OVER, GIVES_UP } verdict;

/* Over: nothing is stored, nothing closes. What goes on below the speed that is ignored is a tail.
 */
static verdict judge(const lzb_batch *batch, unsigned l)
{
    const lanes_pack *pack = &batch->pack;
    const lane_state *lane = &batch->lane[l];
    bool over = true, slow = true;
    for (size_t j = 0; j < pack->contacts; j++) {
        over &= !(pack->c[j][l] > 0) && !(pack->x[j][l] > 0);
        double c = pack->x[j][l] > 0 ? fabs(pack->c[j][l]) : pack->c[j][l];
        slow &= c <= batch->ignored_speed && pack->x[j][l] <= batch->ignored_speed * lane->scale[j];
    }
    return over ? IS_OVER : slow ? GIVES_UP : GOES_ON;
}

/* ---- All lanes ------------------------------------------------------------------------------- */

static crm_lane_end finish(lzb_batch *batch, unsigned l, bool solved)
{
    lane_state *lane = &batch->lane[l];
    lanes_pack *pack = &batch->pack;
    double estimate = MOST_MAGNIFIED * pack->error[l] + LZB_FINEST * sqrt(100.0 + pack->steps[l]);
    lane->busy = false;
    batch->busy--;
    for (size_t j = 0; j < pack->contacts; j++) {
        pack->x[j][l] = pack->c[j][l] = pack->f[j][l] = pack->rate[j][l] = 0;
    }
    return (crm_lane_end){.tag = lane->tag,
                          .solved = solved && estimate <= batch->tolerance,
                          .duration = pack->opened[l] * lane->unit,
                          .error_estimate = estimate,
                          .steps = (uint64_t)pack->steps[l],
                          .lane = l};
}

size_t lzb_batch_advance(lzb_batch *batch, crm_lane_end *ends)
{
    size_t count = 0;
    unsigned events = batch->step(&batch->pack);
    for (unsigned l = 0; l < LZB_LANES; l++) {
        if (!batch->lane[l].busy) {
            continue;
        }
        verdict v = batch->pack.tries[l] > MOST_TRIES ? GIVES_UP : GOES_ON;
        if (events >> l & 1) {
            follow_modes(batch, l);
            verdict judged = judge(batch, l);
            v = batch->lane[l].growth > LZB_GROWTH_UNMEASURED ? GIVES_UP
                : judged != GOES_ON                           ? judged
                                                              : v;
        }
        if (v != GOES_ON) {
            ends[count++] = finish(batch, l, v == IS_OVER);
        }
    }
    return count;
}
