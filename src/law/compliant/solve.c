/* The collocation equations of a step, by iteration from contact to contact: as in LZB
 * (docs/theory/lzb-collocation.md), with forces that depend on closing speeds, too.
 */
#include <math.h>
#include <string.h>

#include "base/width.h"
#include "law/compliant/compliant.h"
#include "law/lzb/state/power.h"

typedef int64_t compliant_bits
    __attribute__((vector_size(LZB_NODES * sizeof(int64_t)), aligned(8)));

#define LOOPS "law/compliant/solve_loops.h"
#include "base/loops.h"
LOOP(guess);
LOOP(sweep);
LOOP(relax);
LOOP(pull_of);

enum { MOST_SWEEPS = 30 };
/* Residual of the iteration, as a fraction of the step error. */
static const double LEFT_SHARE = 0.02;
/* An aim is met when it is missed by no more than this part of the step, or of its length next to
 * nothing.
 */
static const double AIM_MISSED = 1e-3, AIM_ROUNDING = 1e-14;

static double dot(const lzb_nodal *a, const lzb_nodal *b)
{
    lzb_nodal p = *a * *b;
    return ((p[0] + p[1]) + (p[2] + p[3])) + ((p[4] + p[5]) + (p[6] + p[7]));
}

/* ---- D --------------------------------------------------------------------------------------- */

crm_status compliant_step_respond(compliant_step *step, const double *impulse, double *product,
                                  crm_error *error)
{
    const compliant_active *active = step->active;
    const crm_model *model = step->state->model;
    if (step->pull == NULL) {
        for (size_t i = 0; i < active->count; i++) {
            double sum = 0;
            for (size_t l = active->start[i]; l < active->start[i + 1]; l++) {
                sum += active->value[l] * impulse[active->by[l]];
            }
            product[i] = sum;
        }
        return CRM_OK;
    }
    memset(step->spread, 0, model->contacts * sizeof *step->spread);
    for (size_t i = 0; i < active->pressing; i++) {
        step->spread[active->contact[i]] = impulse[i];
    }
    crm_status status = crm_model_delassus_apply(model, step->spread, step->product, error);
    for (size_t i = 0; i < active->count && status == CRM_OK; i++) {
        product[i] = step->product[active->contact[i]];
    }
    return status;
}

/* Where D is an operator only, it is applied to the forces of each node. */
static crm_status pull_all(compliant_step *step, crm_error *error)
{
    const compliant_active *active = step->active;
    crm_status status = CRM_OK;
    for (unsigned l = 0; step->pull != NULL && l < LZB_NODES && status == CRM_OK; l++) {
        for (size_t i = 0; i < active->pressing; i++) {
            step->sum[i] = step->force[i][l];
        }
        status = compliant_step_respond(step, step->sum, step->change, error);
        for (size_t i = 0; i < active->count; i++) {
            step->pull[i][l] = step->change[i];
        }
    }
    return status;
}

void compliant_step_pull(const compliant_step *step, size_t place, lzb_nodal *to)
{
    pull_of[step->state->width](step, place, to);
}

/* ---- The start ------------------------------------------------------------------------------- */

static void load_site(compliant_step *step, size_t i)
{
    const lzb_state *state = step->state;
    uint32_t j = step->active->contact[i];
    const compliant_contact *of = &step->of[j];
    double e = of->restitution;
    bool presses = compliant_presses(state->mode[j]);
    compliant_site *site = &step->site[i];
    *site =
        (compliant_site){.contact = j,
                         .mode = state->mode[j],
                         .of = *of,
                         .own = state->model->d_diagonal[j],
                         .rate = state->mode[j] == COMPLIANT_EXPANDING ? 1 / (e * e) : 1,
                         .yield = of->model == COMPLIANT_MAXWELL && presses ? 1 / of->damping : 0,
                         .x = state->x[j],
                         .c = state->c[j],
                         .z = step->active->arm[j]};
    site->force = presses ? compliant_force(of, site->x, site->c, site->z) : 0;
    step->arm[i] = (lzb_nodal){0};
    step->force[i] = (lzb_nodal){0};
}

crm_status compliant_step_load(compliant_step *step, crm_error *error)
{
    const compliant_active *active = step->active;
    for (size_t i = 0; i < active->count; i++) {
        load_site(step, i);
        step->sum[i] = step->site[i].force;
    }
    crm_status status = compliant_step_respond(step, step->sum, step->change, error);
    for (size_t i = 0; i < active->count && status == CRM_OK; i++) {
        step->site[i].accel = -step->change[i];
    }
    for (size_t i = 0; i < active->pressing; i++) {
        const compliant_site *site = &step->site[i];
        double way = site->rate * site->c - site->yield * site->force;
        step->sum[i] = compliant_slope(&site->of, site->x, site->c, site->z) * way +
                       compliant_resistance(&site->of, site->x) * site->accel;
    }
    if (status == CRM_OK) {
        status = compliant_step_respond(step, step->sum, step->change, error);
    }
    for (size_t i = 0; i < active->count && status == CRM_OK; i++) {
        step->site[i].jerk = -step->change[i];
    }
    return status;
}

crm_status compliant_step_guess(compliant_step *step, crm_error *error)
{
    guess[step->state->width](step);
    for (size_t i = 0; i < step->active->pressing; i++) {
        step->sum[i] =
            step->trial.length * dot(&compliant_step_table(step)->impulse, &step->force[i]);
    }
    return compliant_step_respond(step, step->sum, step->change, error);
}

void compliant_step_resample(compliant_step *step, double length, lzb_map map)
{
    const lzb_table *table = &lzb_nodes_gauss.map[map];
    double places[LZB_NODES];
    lzb_nodal columns[LZB_NODES];
    for (unsigned l = 0; l < LZB_NODES; l++) {
        places[l] = lzb_nodes_tau(step->trial.map, length * table->time[l] / step->trial.length);
    }
    lzb_nodes_interpolate(places, columns);
    for (size_t i = 0; i < step->active->pressing; i++) {
        lzb_nodal force = {0}, arm = {0};
        for (unsigned j = 0; j < LZB_NODES; j++) {
            force += columns[j] * step->force[i][j];
            arm += columns[j] * step->arm[i][j];
        }
        step->force[i] = force;
        step->arm[i] = arm;
    }
    step->trial.length = length;
    step->trial.map = map;
}

/* ---- The iteration --------------------------------------------------------------------------- */

/* The speed error caused by missing a quantity by `missed`: a wrong force acts for `time`, or the
 * travel is wrong.
 */
static double cost_of_missing(const compliant_step *step, const compliant_site *site, double missed,
                              double time)
{
    double usual = step->state->speed / step->state->x_scale[site->contact];
    switch (step->trial.aim.what) {
    case COMPLIANT_ZERO_C:
        return site->of.restitution == 0 ? missed : site->rate * usual * missed * time;
    case COMPLIANT_ZERO_G:
        return site->own * compliant_shape(&site->of, lzb_larger(site->x, 0)) * missed * time *
               (site->of.model == COMPLIANT_HUNT_CROSSLEY ? site->of.stiffness * site->x : 1);
    default:
        return usual * missed;
    }
}

/* Newton's method for the length at which the aim is met, with the forces as they are now. false:
 * it is not to be met.
 */
static bool approach(compliant_step *step, bool *met)
{
    const lzb_table *table = compliant_step_table(step);
    compliant_trial *trial = &step->trial;
    const compliant_site *site = &step->site[trial->aim.place];
    compliant_watch watch;
    lzb_nodal pull, *force = &step->force[trial->aim.place], *arm = &step->arm[trial->aim.place];
    if (!compliant_watch_of(step, site, trial->aim.what, &watch)) {
        return false;
    }
    if (site->mode == COMPLIANT_RELEASED && site->of.model == COMPLIANT_ZENER) {
        relax[step->state->width](step, trial->aim.place); /* no sweep goes there */
    }
    compliant_step_pull(step, trial->aim.place, &pull);
    double h = trial->length, yields = compliant_yield(&site->of, 0);
    double c = site->c - h * dot(&table->impulse, &pull), accel = -dot(&lzb_nodes_gauss.end, &pull);
    double way = h * site->c - h * h * dot(&table->moment, &pull);
    double x = site->x + site->rate * way - site->yield * h * dot(&table->impulse, force);
    double x_rate = site->rate * c - site->yield * dot(&lzb_nodes_gauss.end, force), z = 0;
    if (site->of.model == COMPLIANT_ZENER) {
        z = site->z + (x - site->x) - yields * h * dot(&table->impulse, arm);
    } else {
        yields = 0;
    }
    double value = watch.constant + watch.x * x + watch.c * c + watch.z * z;
    double slope = watch.x * x_rate + watch.c * accel + watch.z * (c - yields * z);
    double change = slope < 0 ? -value / slope : INFINITY;
    if (!(fabs(change) < 0.5 * h)) {
        return false;
    }
    *met = fabs(change) <= AIM_ROUNDING * h ||
           (fabs(change) <= AIM_MISSED * h &&
            cost_of_missing(step, site, fabs(value), fabs(change)) <= LEFT_SHARE * step->small);
    if (!*met) { /* else the forces converge faster without */
        trial->length = h + change;
    }
    return true;
}

crm_status compliant_step_solve(compliant_step *step, unsigned *sweeps, crm_error *error)
{
    compliant_trial *trial = &step->trial;
    double last = INFINITY, first_length = trial->length;
    crm_status status = CRM_OK;
    *sweeps = 0;
    for (unsigned n = 1; n <= MOST_SWEEPS && status == CRM_OK; n++) {
        double allowed = LEFT_SHARE * step->small / trial->length;
        status = pull_all(step, error);
        double most = sweep[step->state->width](step);
        step->evaluations += step->active->pressing;
        bool met = true;
        if (trial->aim.what != COMPLIANT_NO_ZERO) {
            if (!approach(step, &met) || trial->length < 0.1 * first_length ||
                trial->length > 2 * first_length) {
                return status;
            }
        }
        double next = n > 3 && most < last ? most * (most / last) : most;
        if (met && (most <= allowed || (next < most && next <= 0.3 * allowed))) {
            trial->left = trial->length * next;
            *sweeps = n;
            return status;
        }
        if (!(most < INFINITY)) {
            return status;
        }
        last = most;
    }
    return status;
}

/* ---- The end of the step --------------------------------------------------------------------- */

/* 17 j_8(wh/2), of the spherical Bessel function, by the first term of its series: the share of the
 * 8th Legendre coefficient in an answer of rate w.
 */
static double eighth_coefficient(double phase)
{
    const double double_factorial = 34459425; /* 17!! */
    double half2 = 0.25 * phase * phase, fourth = half2 * half2;
    return lzb_smaller(17 * fourth * fourth / double_factorial, 1);
}

/* As in LZB: the last Legendre coefficient of a force, times the share of what it does that is as
 * high. A slow end leaves coefficients that fall like a power.
 */
static double error_of(const compliant_step *step, const compliant_site *site,
                       const lzb_nodal *force)
{
    const compliant_trial *trial = &step->trial;
    const lzb_table *table = compliant_step_table(step);
    double highest = fabs(dot(&table->highest[0], force));
    double before = fabs(dot(&table->highest[1], force)), scale = trial->length * site->own;
    bool cubed = trial->map >= LZB_MAP_START_CUBED;
    double last = scale * lzb_larger(highest, (cubed ? 0.05 : 0.3) * before);
    double sum = fabs(site->own * site->impulse);
    if (!(last < sum)) {
        return last;
    }
    double ratio = last / sum, swing = eighth_coefficient(trial->length * site->swing);
    if (trial->map == LZB_MAP_PLAIN) {
        return last * lzb_larger(3 * ratio, swing);
    }
    double power = ratio > 1e-100 ? ratio * lzb_near_power(ratio, 0.3) : 0, fractional = 0;
    if (cubed) {
        bool sooner = site->of.model == COMPLIANT_KELVIN_VOIGT;
        double falls = 6 * site->of.exponent + (sooner ? -1 : 5);
        fractional = 0.2 * lzb_near_power(7.0 / 16, falls) * scale * highest;
    }
    return last * lzb_larger(power, swing) + fractional;
}

/* How f answers to x and c where the contact is stiffest, at the start or the end. */
static void answers(const compliant_site *site, double *slope, double *resistance)
{
    double deep = lzb_larger(site->x, site->x1);
    *slope = *resistance = 0;
    if (deep > 0) {
        const compliant_contact *of = &site->of;
        double fast = lzb_larger(site->c, site->c1), stretched = lzb_larger(site->z, site->z1);
        *slope = site->rate *
                 fabs(compliant_slope(of, deep, lzb_larger(fast, 0), lzb_larger(stretched, 0)));
        *resistance = compliant_resistance(of, deep) +
                      (of->model == COMPLIANT_ZENER ? 0 : compliant_yield(of, deep) / site->own);
        if (of->model == COMPLIANT_ZENER) {
            *slope += compliant_shape(of, deep) * of->arm;
        }
    }
}

/* The rates at which what others do is answered, by Gershgorin's bound. */
static void find_swings(compliant_step *step)
{
    const compliant_active *active = step->active;
    for (size_t i = 0; i < active->pressing; i++) {
        compliant_site *site = &step->site[i];
        double slope, resistance, square = 0, plain = 0;
        answers(site, &slope, &resistance);
        if (step->pull != NULL) {
            square = site->own * slope;
            plain = site->own * resistance;
        }
        for (size_t l = active->start[i]; step->pull == NULL && l < active->start[i + 1]; l++) {
            answers(&step->site[active->by[l]], &slope, &resistance);
            square += fabs(active->value[l]) * slope;
            plain += fabs(active->value[l]) * resistance;
        }
        site->swing = sqrt(square) + plain;
    }
}

void compliant_step_speeds(const compliant_step *step, size_t place, const lzb_nodal *pull,
                           lzb_nodal *c, lzb_nodal *x_rate)
{
    const lzb_table *table = compliant_step_table(step);
    const compliant_site *site = &step->site[place];
    lzb_nodal sum = {0};
    for (unsigned j = 0; j < LZB_NODES; j++) {
        sum += table->once[j] * (*pull)[j];
    }
    *c = site->c - step->trial.length * sum;
    *x_rate = site->rate * *c - site->yield * step->force[place];
}

/* Between which c stays, c and x at the end; `first` is the moment's part. */
static void finish_site(compliant_step *step, size_t i, double kick, double moment)
{
    const compliant_active *active = step->active;
    compliant_site *site = &step->site[i];
    double h = step->trial.length, down = INFINITY, up = -INFINITY;
    if (step->pull == NULL) {
        down = up = 0;
        for (size_t l = active->start[i]; l < active->start[i + 1]; l++) {
            double part = active->value[l] * step->site[active->by[l]].impulse;
            *(part > 0 ? &down : &up) += part;
        }
    }
    site->low = site->c - down;
    site->high = site->c - up;
    site->c1 = site->c - kick;
    site->x1 = site->x + site->rate * (h * site->c - moment) - site->yield * site->impulse;
    site->z1 = site->z;
    if (site->of.model == COMPLIANT_ZENER && i < active->indented) {
        double yields = compliant_yield(&site->of, 0);
        site->z1 = site->z + (site->x1 - site->x) -
                   yields * h * dot(&compliant_step_table(step)->impulse, &step->arm[i]);
    }
}

crm_status compliant_step_finish(compliant_step *step, crm_error *error)
{
    const compliant_active *active = step->active;
    const lzb_table *table = compliant_step_table(step);
    double h = step->trial.length, *impulse = step->sum, *moment = step->sum + active->count;
    double *kick = step->change, *change = step->change + active->count;
    crm_status status = pull_all(step, error);
    for (size_t i = active->pressing; i < active->indented && status == CRM_OK; i++) {
        if (step->site[i].of.model == COMPLIANT_ZENER) {
            relax[step->state->width](step, i);
        }
    }
    for (size_t i = 0; i < active->pressing; i++) {
        compliant_site *site = &step->site[i];
        impulse[i] = site->impulse = h * dot(&table->impulse, &step->force[i]);
        moment[i] = site->moment = h * h * dot(&table->moment, &step->force[i]);
    }
    if (status == CRM_OK) {
        status = compliant_step_respond(step, impulse, kick, error);
    }
    if (status == CRM_OK) {
        status = compliant_step_respond(step, moment, change, error);
    }
    for (size_t i = 0; i < active->count; i++) {
        finish_site(step, i, kick[i], change[i]);
    }
    find_swings(step);
    step->trial.error = 0;
    for (size_t i = 0; i < active->pressing; i++) {
        compliant_site *site = &step->site[i];
        site->error = error_of(step, site, &step->force[i]);
        step->trial.error = lzb_larger(step->trial.error, site->error);
    }
    return status;
}
