/* See compliant/series.h.
 *
 * With x = sum x_k t^k and z = x^q, q = eta - 1, x z' = q x' z gives
 *
 *     k x_0 z_k = sum over l = 1 .. k of (q l - (k - l)) x_l z_(k-l),
 *
 * and with that the series of w, hence those of c and x, one power after the other.
 */
#include "law/compliant/series.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"

enum { LEAST_ORDER = 8, ROWS = COMPLIANT_MOST_ORDER + 1, ARRAYS = 5, NUMBERS = 2 };

/* x^(eta-1) */
static double shape(double exponent, double x)
{
    switch (lzb_contact_kind(exponent)) {
    case LZB_LINEAR:
        return 1;
    case LZB_HERTZ:
        return sqrt(x);
    default:
        return crm_pow(x, exponent - 1.0);
    }
}

double compliant_force(double stiffness, double exponent, double damping, double x, double c)
{
    return x > 0 ? shape(exponent, x) * (stiffness * x + damping * c) : 0;
}

/* ---- Creation ------------------------------------------------------------------------------- */

/* Terms shrink by about e^2 from one to the next where the work for a given time is least (Jorba
 * and Zou, Experimental Mathematics 14 (2005) 99-117).
 */
static size_t order_for(double tolerance)
{
    double order = ceil(-0.5 * crm_log(tolerance)) + 1.0;
    return (size_t)fmin(fmax(order, LEAST_ORDER), COMPLIANT_MOST_ORDER);
}

compliant_series compliant_series_create(double damping, double tolerance)
{
    return (compliant_series){
        .order = order_for(tolerance), .damping = damping, .tolerance = tolerance};
}

void compliant_series_release(compliant_series *series)
{
    free(series->arrays);
    free(series->spread);
    free(series->product);
}

static crm_status make_room(compliant_series *series, size_t count, crm_error *error)
{
    series->count = count;
    if (count > series->capacity) {
        size_t capacity = 2 * count;
        free(series->arrays);
        series->arrays = CRM_NEW(double, (ARRAYS * ROWS + NUMBERS) * capacity);
        series->capacity = series->arrays != NULL ? capacity : 0;
        if (series->arrays == NULL) {
            return crm_fail_memory(error);
        }
    }
    double *next = series->arrays;
    double **tables[ARRAYS] = {&series->x, &series->c, &series->w, &series->z, &series->g};
    for (size_t i = 0; i < ARRAYS; i++, next += ROWS * count) {
        *tables[i] = next;
    }
    series->stiffness = next;
    series->power = next + count;
    return CRM_OK;
}

/* ---- The series ----------------------------------------------------------------------------- */

static void start(const lzb_state *state, const compliant_active *active, compliant_series *s)
{
    for (size_t i = 0; i < s->count; i++) {
        uint32_t j = active->contact[i];
        s->x[i] = state->x[j];
        s->c[i] = s->unit * state->c[j]; /* of x in t, until the end */
        s->stiffness[i] = state->model->stiffness[j];
        s->power[i] = state->model->exponent[j] - 1.0;
        s->z[i] = i < active->powers ? shape(state->model->exponent[j], s->x[i]) : 1;
    }
}

/* Row k > 0 of z, for the contacts with eta != 1. */
static void powers_row(const compliant_active *active, compliant_series *s, size_t k)
{
    size_t count = s->count, powers = active->powers;
    double *z = s->z + k * count;
    const double *power = s->power;
    memset(z, 0, powers * sizeof *z);
    for (size_t l = 1; l <= k; l++) {
        const double *x = s->x + l * count, *before = s->z + (k - l) * count;
        double a = (double)l, b = (double)(k - l);
        for (size_t i = 0; i < powers; i++) {
            z[i] += (power[i] * a - b) * x[i] * before[i];
        }
    }
    for (size_t i = 0; i < powers; i++) {
        z[i] /= (double)k * s->x[i];
    }
}

/* Row k of g; c is dx/dt, the time in units, here. */
static void pull_row(const compliant_active *active, compliant_series *s, size_t k)
{
    const double *x = s->x + k * s->count, *c = s->c + k * s->count;
    double *g = s->g + k * s->count, damping = s->damping / s->unit;
    for (size_t i = 0; i < active->indented; i++) {
        double cutoff = k == 0 ? active->cutoff[active->contact[i]] : 0;
        g[i] = s->stiffness[i] * (x[i] - cutoff) + damping * c[i];
    }
}

/* Row k of w = z g. */
static void force_row(const compliant_active *active, compliant_series *s, size_t k)
{
    size_t count = s->count, powers = active->powers;
    double *w = s->w + k * count;
    pull_row(active, s, k);
    if (k > 0) {
        powers_row(active, s, k);
    }
    memset(w, 0, powers * sizeof *w);
    for (size_t l = 0; l <= k; l++) {
        const double *g = s->g + l * count, *z = s->z + (k - l) * count;
        for (size_t i = 0; i < powers; i++) {
            w[i] += g[i] * z[i];
        }
    }
    memcpy(w + powers, s->g + k * count + powers, (active->pressing - powers) * sizeof *w);
}

/* next = D w for the pressing contacts. */
static void moved_by(const compliant_active *active, const double *w, double *next)
{
    for (size_t i = 0; i < active->count; i++) {
        double sum = 0;
        for (size_t l = active->start[i]; l < active->start[i + 1]; l++) {
            sum += active->value[l] * w[active->by[l]];
        }
        next[i] = sum;
    }
}

static crm_status moved_by_operator(const lzb_state *state, const compliant_active *active,
                                    compliant_series *s, const double *w, double *next,
                                    crm_error *error)
{
    size_t contacts = state->contacts;
    if (s->spread == NULL) {
        s->spread = CRM_NEW(double, contacts);
        s->product = CRM_NEW(double, contacts);
    }
    if (s->spread == NULL || s->product == NULL) {
        return crm_fail_memory(error);
    }
    memset(s->spread, 0, contacts * sizeof *s->spread);
    for (size_t i = 0; i < active->pressing; i++) {
        s->spread[active->contact[i]] = w[i];
    }
    crm_status status = crm_model_delassus_apply(state->model, s->spread, s->product, error);
    for (size_t i = 0; i < active->count; i++) {
        next[i] = s->product[active->contact[i]];
    }
    return status;
}

crm_status compliant_series_build(const lzb_state *state, const compliant_active *active,
                                  double unit, compliant_series *s, crm_error *error)
{
    crm_status status = make_room(s, active->count, error);
    if (status != CRM_OK) {
        return status;
    }
    s->unit = unit;
    s->evaluations++;
    start(state, active, s);
    for (size_t k = 0; k < s->order && status == CRM_OK; k++) {
        double *x = s->x + k * s->count, *c = s->c + k * s->count;
        double *next_x = x + s->count, *next_c = c + s->count;
        force_row(active, s, k);
        if (crm_model_has_delassus(state->model)) {
            moved_by(active, s->w + k * s->count, next_c);
        } else {
            status = moved_by_operator(state, active, s, s->w + k * s->count, next_c, error);
        }
        double per = 1.0 / (double)(k + 1), scale = -unit * unit * per;
        for (size_t i = 0; i < s->count; i++) {
            next_c[i] *= scale;
            next_x[i] = c[i] * per;
        }
    }
    return status;
}

/* ---- How far it reaches ---------------------------------------------------------------------- */

/* The impulse of term k at t changes a speed by D unit |w_k| t^(k+1) / (k+1). */
static double reach_of_term(const lzb_state *state, const compliant_active *active,
                            const compliant_series *s, size_t k)
{
    double allowed = s->tolerance * state->speed * (double)(k + 1), most = 0;
    for (size_t i = 0; i < active->pressing; i++) {
        double d = state->model->d_diagonal[active->contact[i]];
        double term = d * s->unit * fabs(s->w[k * s->count + i]);
        most = term > most ? term : most; /* not fmax, see compliant.c */
    }
    return most > 0 ? crm_pow(allowed / most, 1.0 / (double)(k + 1)) : INFINITY;
}

double compliant_series_reach(const lzb_state *state, const compliant_active *active,
                              const compliant_series *s, double most)
{
    double last = reach_of_term(state, active, s, s->order - 1);
    return fmin(most, fmin(last, reach_of_term(state, active, s, s->order - 2)));
}

double compliant_series_at(const compliant_series *s, const double *rows, size_t last, size_t place,
                           double t)
{
    double value = rows[last * s->count + place];
    for (size_t k = last; k-- > 0;) {
        value = value * t + rows[k * s->count + place];
    }
    return value;
}

/* w by the equations, from x and c at t. */
static double force_at(const lzb_state *state, const compliant_active *active,
                       const compliant_series *s, size_t place, double t)
{
    uint32_t j = active->contact[place];
    double x = compliant_series_at(s, s->x, s->order, place, t);
    double c = compliant_series_at(s, s->c, s->order, place, t) / s->unit;
    double g = s->stiffness[place] * (x - active->cutoff[j]) + s->damping * c;
    return x > 0 ? shape(state->model->exponent[j], x) * g : 0;
}

/* It grows like t^order, so that the impulse it amounts to is about that of its end over order + 1.
 */
compliant_defect compliant_series_defect(const lzb_state *state, const compliant_active *active,
                                         const compliant_series *s, double t)
{
    compliant_defect defect = {0};
    for (size_t i = 0; i < active->pressing; i++) {
        uint32_t j = active->contact[i];
        double w = compliant_series_at(s, s->w, s->order - 1, i, t);
        double c = fabs(compliant_series_at(s, s->c, s->order, i, t)) / s->unit;
        double impulse =
            fabs(force_at(state, active, s, i, t) - w) * s->unit * t / (double)s->order;
        double speed = state->model->d_diagonal[j] * impulse / state->speed;
        defect.speed = fmax(defect.speed, speed);
        defect.energy += impulse * fmax(c, fabs(state->c[j]));
    }
    return defect;
}

/* ---- Events --------------------------------------------------------------------------------- */

/* Contacts may turn twice at one instant, when another's event undoes their own; not for ever. */
enum { MOST_TURNS = 4 };

/* sign * rows, less `level`, must stay above 0. `at_zero`: it starts from there, so that the sign
 * of the first term that is not 0 decides, and the rest is searched.
 */
static bool falls(const compliant_series *s, const double *rows, size_t last, size_t place,
                  double sign, double level, bool at_zero, double *t)
{
    double a[COMPLIANT_MOST_ORDER + 1];
    size_t first = at_zero ? 1 : 0;
    for (size_t k = 0; k <= last; k++) {
        a[k] = sign * (rows[k * s->count + place] - (k == 0 ? level : 0));
    }
    while (at_zero && first < last && a[first] == 0) {
        first++;
    }
    if (a[first] < 0) {
        *t = 0;
        return true;
    }
    return compliant_first_root(a + first, last - first, t);
}

/* Open: x rises to x_f. Pressing: g falls to 0, without damping x to x_f, which is the same.
 * Released: either g rises, or x falls. A contact tired of turning rests released.
 */
static void look_at(const lzb_state *state, const compliant_active *active,
                    const compliant_series *s, size_t i, double *t, compliant_event *event)
{
    uint32_t j = active->contact[i];
    compliant_mode mode = (compliant_mode)state->mode[j];
    bool tired = active->turns[j] >= MOST_TURNS;
    bool x_zero = active->zero[j] == COMPLIANT_ZERO_X, g_zero = active->zero[j] == COMPLIANT_ZERO_G;
    double opening = mode == COMPLIANT_OPEN ? -1 : 1,
           releasing = mode == COMPLIANT_PRESSING ? 1 : -1;
    double level = mode == COMPLIANT_OPEN ? active->onset[j] : active->cutoff[j];
    if (mode == COMPLIANT_OPEN ? !tired : mode == COMPLIANT_RELEASED || s->damping == 0) {
        if (falls(s, s->x, s->order, i, opening, level, x_zero, t)) {
            *event = (compliant_event){(uint32_t)i, COMPLIANT_ZERO_X, *t == 0 && !x_zero};
        }
    }
    if (mode != COMPLIANT_OPEN && s->damping > 0 && !(tired && mode == COMPLIANT_RELEASED)) {
        if (falls(s, s->g, s->order - 1, i, releasing, 0, g_zero, t)) {
            *event = (compliant_event){(uint32_t)i, COMPLIANT_ZERO_G, *t == 0 && !g_zero};
        }
    }
}

compliant_event compliant_series_event(const lzb_state *state, const compliant_active *active,
                                       const compliant_series *s, double *t)
{
    compliant_event event = {.place = UINT32_MAX};
    for (size_t i = 0; i < s->count; i++) {
        look_at(state, active, s, i, t, &event);
    }
    return event;
}

/* ---- What a step brings ---------------------------------------------------------------------- */

double compliant_series_impulse(const compliant_series *s, size_t place, double t)
{
    double sum = 0;
    for (size_t k = s->order; k-- > 0;) {
        sum = sum * t + s->w[k * s->count + place] / (double)(k + 1);
    }
    return sum * t * s->unit;
}

/* Of w c: c is dx/dt here, so that the integral over t is one over time. */
double compliant_series_work(const compliant_series *s, size_t place, double t)
{
    double sum = 0;
    for (size_t k = s->order; k-- > 0;) {
        double product = 0;
        for (size_t l = 0; l <= k; l++) {
            product += s->w[l * s->count + place] * s->c[(k - l) * s->count + place];
        }
        sum = sum * t + product / (double)(k + 1);
    }
    return sum * t;
}

static double slope_at(const compliant_series *s, size_t place, double t)
{
    double sum = 0;
    for (size_t k = s->order; k-- > 1;) {
        sum = sum * t + (double)k * s->w[k * s->count + place];
    }
    return sum;
}

/* A step is too short for w to rise, fall and rise again. The series of w is good for the impulse,
 * and in very short steps for no more, so it tells when, and the equations how much.
 */
double compliant_series_peak(const lzb_state *state, const compliant_active *active,
                             const compliant_series *s, size_t place, double t)
{
    double low = 0, high = t;
    double ends = fmax(force_at(state, active, s, place, 0), force_at(state, active, s, place, t));
    if (!(slope_at(s, place, 0) > 0 && slope_at(s, place, t) < 0)) {
        return ends;
    }
    for (int i = 0; i < 30; i++) { /* a peak is flat: half the digits of its time are enough */
        double middle = 0.5 * (low + high);
        *(slope_at(s, place, middle) > 0 ? &low : &high) = middle;
    }
    return fmax(ends, force_at(state, active, s, place, low));
}
