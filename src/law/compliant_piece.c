/* A smooth piece of a compliant impact, integrated by CVODE.
 *
 * The unknowns are x, p and, with damping, the energy lost, of the contacts in the region, one
 * block after the other. Errors are measured by the largest component, each on its own scale: a
 * mean over all contacts would let a wave in a long chain be as wrong as the chain is long.
 */
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <stdlib.h>
#include <string.h>
#include <sundials/sundials_config.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "law/compliant.h"

#if SUNDIALS_VERSION_MAJOR != 6
#error "written for SUNDIALS 6: contexts without communicators, error handlers by integrator"
#endif

/* A contact this far on the wrong side (relative to x_scale) has passed an event unnoticed. */
static const double MISSED = 1e-12;
/* Kinks and singular slopes at first touch may take many attempts. */
enum { MOST_FAILURES = 60, MOST_ITERATIONS = 4 };

static unsigned blocks_of(const compliant_piece *piece)
{
    return piece->damping > 0 ? 3 : 2;
}

/* ---- Creation ------------------------------------------------------------------------------- */

static void lay_out(compliant_view *view, double *arrays, size_t s)
{
    *view = (compliant_view){.x = arrays,
                             .c = arrays + s,
                             .p = arrays + 2 * s,
                             .lost = arrays + 3 * s,
                             .force = arrays + 4 * s,
                             .slope = arrays + 5 * s};
}

/* An impulse of this size at contact j changes no closing speed by more than `speed`. */
static double impulse_scale(const lzb_state *state, size_t j)
{
    const crm_model *model = state->model;
    double most = model->d_diagonal[j];
    if (crm_model_has_delassus(model)) {
        for (size_t l = model->d_start[j]; l < model->d_start[j + 1]; l++) {
            most = fmax(most, fabs(model->d_value[l]));
        }
    }
    return state->speed / most;
}

crm_status compliant_piece_create(const lzb_state *state, const compliant_region *region,
                                  double damping, double tolerance, compliant_piece *piece,
                                  crm_error *error)
{
    size_t s = state->contacts;
    *piece = (compliant_piece){.state = state,
                               .region = region,
                               .damping = damping,
                               .tolerance = tolerance,
                               .c0 = CRM_NEW(double, s),
                               .spread = CRM_NEW(double, s),
                               .product = CRM_NEW(double, s),
                               .impulse_scale = CRM_NEW(double, s),
                               .found = CRM_NEW(int, 2 * s),
                               .arrays = CRM_NEW(double, 18 * s)};
    SUNContext context = NULL;
    if (piece->c0 == NULL || piece->spread == NULL || piece->product == NULL ||
        piece->impulse_scale == NULL || piece->found == NULL || piece->arrays == NULL ||
        SUNContext_Create(NULL, &context) != 0) {
        return crm_fail_memory(error);
    }
    piece->context = context;
    lay_out(&piece->before, piece->arrays, s);
    lay_out(&piece->now, piece->arrays + 6 * s, s);
    lay_out(&piece->between, piece->arrays + 12 * s, s);
    for (size_t j = 0; j < s; j++) {
        piece->impulse_scale[j] = impulse_scale(state, j);
    }
    return CRM_OK;
}

void compliant_piece_release(compliant_piece *piece)
{
    compliant_piece_stop(piece);
    SUNContext context = piece->context;
    if (context != NULL) {
        SUNContext_Free(&context);
    }
    free(piece->c0);
    free(piece->spread);
    free(piece->product);
    free(piece->impulse_scale);
    free(piece->found);
    free(piece->arrays);
}

void compliant_piece_stop(compliant_piece *piece)
{
    if (piece->cvode != NULL) {
        CVodeFree(&piece->cvode);
    }
    if (piece->iteration != NULL) {
        SUNNonlinSolFree(piece->iteration);
    }
    if (piece->y != NULL) {
        N_VDestroy(piece->y);
    }
    if (piece->weights != NULL) {
        N_VDestroy(piece->weights);
    }
    piece->cvode = piece->iteration = piece->y = piece->weights = NULL;
}

/* ---- The equations -------------------------------------------------------------------------- */

/* product = D q for the region's contacts; q is 0 elsewhere. */
static crm_status apply_delassus(compliant_piece *piece, const double *q)
{
    const compliant_region *region = piece->region;
    const crm_model *model = piece->state->model;
    for (size_t k = 0; k < region->count; k++) {
        piece->spread[region->contact[k]] = q[k];
    }
    if (!crm_model_has_delassus(model)) {
        return crm_model_delassus_apply(model, piece->spread, piece->product, piece->error);
    }
    for (size_t k = 0; k < region->count; k++) {
        uint32_t j = region->contact[k];
        double sum = 0;
        for (size_t l = model->d_start[j]; l < model->d_start[j + 1]; l++) {
            sum += model->d_value[l] * piece->spread[model->d_column[l]];
        }
        piece->product[j] = sum;
    }
    return CRM_OK;
}

static crm_status closing_speeds(compliant_piece *piece, const double *p, double *c)
{
    crm_status status = apply_delassus(piece, p);
    for (size_t k = 0; status == CRM_OK && k < piece->region->count; k++) {
        c[k] = piece->c0[k] - piece->product[piece->region->contact[k]];
    }
    return status;
}

static compliant_force force_at(const compliant_piece *piece, size_t k, double x, double c)
{
    const lzb_state *state = piece->state;
    uint32_t j = piece->region->contact[k];
    return compliant_force_of((compliant_mode)state->mode[j], state->model->stiffness[j],
                              state->model->exponent[j], piece->damping, x, c);
}

static int derivative(sunrealtype t, N_Vector y, N_Vector y_dot, void *data)
{
    (void)t;
    compliant_piece *piece = data;
    size_t count = piece->region->count;
    const double *x = N_VGetArrayPointer(y), *p = x + count;
    double *c = N_VGetArrayPointer(y_dot), *force = c + count, *lost = force + count;
    piece->evaluations++;
    piece->status = closing_speeds(piece, p, c);
    if (piece->status != CRM_OK) {
        return -1;
    }
    for (size_t k = 0; k < count; k++) {
        compliant_force f = force_at(piece, k, x[k], c[k]);
        force[k] = f.total;
        if (piece->damping > 0) {
            lost[k] = (f.total - f.elastic) * c[k];
        }
    }
    return 0;
}

/* Whose root is what happens next to a contact: a pressing one opens, an open one closes. A
 * touching one that opens is noticed when its gap is one; at the edge of the region it is noticed
 * when it begins to count.
 */
static double event_of(const compliant_piece *piece, size_t k, double x)
{
    uint32_t j = piece->region->contact[k];
    double shallow = piece->region->shallow[j];
    if (piece->region->edge[k]) {
        return x - shallow;
    }
    return piece->state->mode[j] == COMPLIANT_TOUCHING ? x + shallow : x;
}

/* With damping, the force also ends, or comes back, where K x + C c = 0; that of a touching contact
 * must end by more than it ever was.
 */
static double release_of(const compliant_piece *piece, size_t k, double x, double c)
{
    const lzb_state *state = piece->state;
    uint32_t j = piece->region->contact[k];
    double stiffness = state->model->stiffness[j];
    switch ((compliant_mode)state->mode[j]) {
    case COMPLIANT_OPEN:
        return 1;
    case COMPLIANT_TOUCHING:
        return stiffness * (x + piece->region->shallow[j]) +
               piece->damping * (c + piece->region->level * state->speed);
    default:
        return stiffness * x + piece->damping * c;
    }
}

static int events(sunrealtype t, N_Vector y, sunrealtype *g, void *data)
{
    (void)t;
    compliant_piece *piece = data;
    size_t count = piece->region->count;
    const double *x = N_VGetArrayPointer(y), *p = x + count;
    double *c = piece->between.c;
    if (piece->damping > 0) {
        piece->status = closing_speeds(piece, p, c);
        if (piece->status != CRM_OK) {
            return -1;
        }
    }
    for (size_t k = 0; k < count; k++) {
        g[k] = event_of(piece, k, x[k]);
        if (piece->damping > 0) {
            g[count + k] = release_of(piece, k, x[k], c[k]);
        }
    }
    return 0;
}

/* ---- Setting CVODE up ----------------------------------------------------------------------- */

static sunrealtype largest_weighted(N_Vector x, N_Vector weight)
{
    const double *value = N_VGetArrayPointer(x), *by = N_VGetArrayPointer(weight);
    sunindextype length = N_VGetLength(x);
    double most = 0;
    for (sunindextype i = 0; i < length; i++) {
        double size = fabs(value[i] * by[i]);
        most = size > most ? size : most;
    }
    return most;
}

static void be_silent(int code, const char *module, const char *function, char *message, void *data)
{
    (void)code;
    (void)module;
    (void)function;
    (void)message;
    (void)data;
}

static void fill_start(compliant_piece *piece)
{
    const compliant_region *region = piece->region;
    const lzb_state *state = piece->state;
    size_t count = region->count;
    double *y = N_VGetArrayPointer(piece->y), *weight = N_VGetArrayPointer(piece->weights);
    memset(piece->spread, 0, state->contacts * sizeof *piece->spread);
    for (size_t k = 0; k < count; k++) {
        uint32_t j = region->contact[k];
        piece->c0[k] = state->c[j];
        y[k] = state->x[j];
        y[count + k] = 0;
        weight[k] = piece->tolerance * state->x_scale[j];
        weight[count + k] = piece->tolerance * piece->impulse_scale[j];
        if (piece->damping > 0) {
            y[2 * count + k] = 0;
            weight[2 * count + k] = piece->tolerance * state->speed * piece->impulse_scale[j];
        }
    }
}

/* Open contacts rise to 0, and those at the edge to where they count; all others fall. */
static void root_directions(const compliant_piece *piece, int *direction)
{
    const compliant_region *region = piece->region;
    for (size_t k = 0; k < region->count; k++) {
        bool open = piece->state->mode[region->contact[k]] == COMPLIANT_OPEN;
        direction[k] = open || region->edge[k] ? 1 : -1;
        direction[region->count + k] = 0;
    }
}

/* No step beyond the time in which the slowest contact alone takes up the incoming speed. */
static double longest_step(const compliant_piece *piece)
{
    double longest = 0;
    for (size_t k = 0; k < piece->region->count; k++) {
        longest = fmax(longest, piece->state->x_scale[piece->region->contact[k]]);
    }
    return longest / piece->state->speed;
}

static bool configure(compliant_piece *piece, double longest)
{
    void *cvode = piece->cvode;
    piece->aim = fmin(longest_step(piece), longest);
    int roots = (int)(piece->region->count * (blocks_of(piece) - 1));
    root_directions(piece, piece->found);
    return CVodeSetErrHandlerFn(cvode, be_silent, NULL) == CV_SUCCESS &&
           CVodeInit(cvode, derivative, 0, piece->y) == CV_SUCCESS &&
           CVodeSetUserData(cvode, piece) == CV_SUCCESS &&
           CVodeSVtolerances(cvode, piece->tolerance, piece->weights) == CV_SUCCESS &&
           CVodeSetNonlinearSolver(cvode, piece->iteration) == CV_SUCCESS &&
           CVodeSetMaxNonlinIters(cvode, MOST_ITERATIONS) == CV_SUCCESS &&
           CVodeSetMaxErrTestFails(cvode, MOST_FAILURES) == CV_SUCCESS &&
           CVodeSetMaxConvFails(cvode, MOST_FAILURES) == CV_SUCCESS &&
           CVodeSetMaxHnilWarns(cvode, -1) == CV_SUCCESS &&
           CVodeSetMaxStep(cvode, piece->aim) == CV_SUCCESS &&
           (longest == INFINITY || CVodeSetStopTime(cvode, longest) == CV_SUCCESS) &&
           CVodeRootInit(cvode, roots, events) == CV_SUCCESS &&
           CVodeSetRootDirection(cvode, piece->found) == CV_SUCCESS &&
           CVodeSetNoInactiveRootWarn(cvode) == CV_SUCCESS;
}

/* ---- Looking at the state ------------------------------------------------------------------- */

/* d force/dt of a pressing contact, from its force, x, c and c' = -D f. */
static double force_slope(const compliant_piece *piece, size_t k, const compliant_view *v,
                          double acceleration)
{
    uint32_t j = piece->region->contact[k];
    double x = v->x[k], c = v->c[k];
    if (piece->state->mode[j] == COMPLIANT_OPEN || piece->state->mode[j] == COMPLIANT_RELEASED) {
        return 0;
    }
    double exponent = piece->state->model->exponent[j];
    double slope = exponent * force_at(piece, k, x, c).elastic / x * c;
    if (piece->damping > 0) {
        slope +=
            piece->damping * pow(x, exponent - 2.0) * ((exponent - 1.0) * c * c + x * acceleration);
    }
    return slope;
}

static crm_status view(compliant_piece *piece, const double *y, double time, compliant_view *v)
{
    size_t count = piece->region->count;
    v->time = time;
    memcpy(v->x, y, count * sizeof *y);
    memcpy(v->p, y + count, count * sizeof *y);
    crm_status status = closing_speeds(piece, v->p, v->c);
    for (size_t k = 0; k < count; k++) {
        v->lost[k] = piece->damping > 0 ? y[2 * count + k] : 0;
        v->force[k] = force_at(piece, k, v->x[k], v->c[k]).total;
    }
    if (status == CRM_OK && piece->damping > 0) {
        status = apply_delassus(piece, v->force);
    }
    for (size_t k = 0; k < count; k++) {
        v->slope[k] = force_slope(piece, k, v, -piece->product[piece->region->contact[k]]);
    }
    return status;
}

crm_status compliant_piece_start(compliant_piece *piece, double longest, crm_error *error)
{
    sunindextype length = (sunindextype)(piece->region->count * blocks_of(piece));
    piece->error = error;
    piece->cvode = CVodeCreate(CV_ADAMS, piece->context);
    N_Vector y = N_VNew_Serial(length, piece->context);
    if (y != NULL) {
        y->ops->nvwrmsnorm = largest_weighted; /* before it is cloned */
        piece->iteration = SUNNonlinSol_FixedPoint(y, 0, piece->context);
        piece->weights = N_VClone(y);
    }
    piece->y = y;
    if (piece->cvode == NULL || y == NULL || piece->iteration == NULL || piece->weights == NULL) {
        return crm_fail_memory(error);
    }
    fill_start(piece);
    if (!configure(piece, longest)) {
        return crm_fail(error, CRM_ERROR_NUMERICS, NULL, "the integrator could not be set up");
    }
    return view(piece, N_VGetArrayPointer(y), 0, &piece->now);
}

/* ---- Steps ---------------------------------------------------------------------------------- */

static void swap(compliant_view *a, compliant_view *b)
{
    compliant_view kept = *a;
    *a = *b;
    *b = kept;
}

/* Contacts that went through 0 and back, or started at 0, can escape the search for roots. */
static bool passed_unnoticed(const compliant_piece *piece)
{
    const lzb_state *state = piece->state;
    for (size_t k = 0; k < piece->region->count; k++) {
        uint32_t j = piece->region->contact[k];
        double x = piece->now.x[k] / state->x_scale[j];
        if ((state->mode[j] == COMPLIANT_OPEN && x > MISSED) ||
            (state->mode[j] == COMPLIANT_PRESSING && x < -MISSED)) {
            return true;
        }
    }
    return false;
}

/* A contact found at 0 is at 0. */
static void land(compliant_piece *piece)
{
    if (CVodeGetRootInfo(piece->cvode, piece->found) != CV_SUCCESS) {
        return;
    }
    for (size_t k = 0; k < piece->region->count; k++) {
        bool touching = piece->state->mode[piece->region->contact[k]] == COMPLIANT_TOUCHING;
        if (piece->found[k] != 0 && !touching) {
            piece->now.x[k] = 0;
        }
    }
}

static const char *trouble_of(int flag)
{
    switch (flag) {
    case CV_TOO_MUCH_ACC:
        return "the tolerance is finer than rounding";
    case CV_ERR_FAILURE:
    case CV_TOO_CLOSE:
        return "the steps became too small";
    case CV_CONV_FAILURE:
        return "the contacts are too stiff for the iteration";
    default:
        return "the integrator broke down";
    }
}

crm_status compliant_piece_step(compliant_piece *piece, bool *event, const char **trouble,
                                crm_error *error)
{
    sunrealtype time = 0;
    piece->error = error;
    piece->status = CRM_OK;
    *event = true;
    *trouble = NULL;
    int flag = CVode(piece->cvode, piece->aim, piece->y, &time, CV_ONE_STEP);
    if (piece->status != CRM_OK) {
        return piece->status;
    }
    if (flag == CV_MEM_FAIL) {
        return crm_fail_memory(error);
    }
    if (flag < 0) {
        *trouble = trouble_of(flag);
        return CRM_OK;
    }
    piece->steps++;
    swap(&piece->before, &piece->now);
    crm_status status = view(piece, N_VGetArrayPointer(piece->y), time, &piece->now);
    if (flag == CV_ROOT_RETURN) {
        land(piece);
    } else if (flag != CV_TSTOP_RETURN) {
        *event = status == CRM_OK && passed_unnoticed(piece);
    }
    return status;
}

crm_status compliant_piece_look(compliant_piece *piece, double time, crm_error *error)
{
    piece->error = error;
    if (CVodeGetDky(piece->cvode, time, 0, piece->weights) != CV_SUCCESS) {
        return crm_fail(error, CRM_ERROR_NUMERICS, NULL, "no state between steps at t = %g",
                        piece->state->time + time);
    }
    return view(piece, N_VGetArrayPointer(piece->weights), time, &piece->between);
}
