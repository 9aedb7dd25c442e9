/* Derivatives of an outcome, forwards and backwards: the calls. */
#include "carom/sensitivity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arithmetic.h"
#include "outcome/outcome.h"
#include "sensitivity/chain.h"
#include "solve/solve.h"

/* An impact whose law has left a trace. */
typedef struct impact {
    const crm_model *model;
    crm_workspace *own; /* made for the call; NULL: the caller's is used */
    crm_pool *pool;
    const struct crm_law_derivative *law;
    void *trace;
    double *impulse; /* s */
    crm_chain_rule chain;
    crm_data_change data; /* room for all parts of one */
    double *of_impulse;   /* s */
    double *of_velocity, *through;
} impact;

/* ---- What is handed in ----------------------------------------------------------------------- */

static crm_status check_numbers(const double *values, size_t count, const char *name,
                                const char *list, size_t index, crm_error *error)
{
    for (size_t i = 0; values != NULL && i < count; i++) {
        if (!isfinite(values[i])) {
            char place[96];
            snprintf(place, sizeof place, "%s[%zu].%s[%zu]", list, index + 1, name, i + 1);
            return crm_fail(error, CRM_ERROR_ARGUMENT, place, "%s is %g, must be a finite number",
                            name, values[i]);
        }
    }
    return CRM_OK;
}

static crm_status check_direction(const crm_model *model, const crm_variation *by, size_t index,
                                  crm_error *error)
{
    size_t n = model->coordinates, s = model->contacts;
    const struct {
        const double *values;
        size_t count;
        const char *name;
    } parts[] = {{by->velocity, n, "velocity"},
                 {by->mass, by->mass != NULL ? crm_variation_mass_size(model) : 0, "mass"},
                 {by->jacobian, crm_variation_jacobian_size(model), "jacobian"},
                 {by->boundary_velocity, s, "boundary_velocity"},
                 {by->stiffness, s, "stiffness"},
                 {by->exponent, s, "exponent"},
                 {by->restitution, s, "restitution"},
                 {by->stored_energy, s, "stored_energy"}};
    crm_status status = CRM_OK;
    for (size_t i = 0; status == CRM_OK && i < sizeof parts / sizeof *parts; i++) {
        status = check_numbers(parts[i].values, parts[i].count, parts[i].name, "directions", index,
                               error);
    }
    return status;
}

static crm_status check_weights(const crm_model *model, const struct crm_law_derivative *law,
                                const crm_response *weights, size_t index, crm_error *error)
{
    size_t n = model->coordinates, s = model->contacts;
    const double scalars[] = {weights->energy, weights->duration};
    const struct {
        const double *values;
        size_t count;
        const char *name;
    } parts[] = {{weights->velocity, n, "velocity"}, {weights->impulse, s, "impulse"},
                 {weights->loss, s, "loss"},         {weights->peak_force, s, "peak_force"},
                 {&scalars[0], 1, "energy"},         {&scalars[1], 1, "duration"}};
    crm_status status = CRM_OK;
    for (size_t i = 0; status == CRM_OK && i < sizeof parts / sizeof *parts; i++) {
        status =
            check_numbers(parts[i].values, parts[i].count, parts[i].name, "weights", index, error);
    }
    if (status == CRM_OK && !law->timed &&
        (weights->loss != NULL || weights->peak_force != NULL || weights->duration != 0)) {
        return crm_fail(error, CRM_ERROR_ARGUMENT, "weights",
                        "weights[%zu]: this law has derivatives of velocities, impulses and "
                        "energy alone; loss, peak_force and duration must have no weight",
                        index + 1);
    }
    return status;
}

static crm_status check_law(const crm_model *model, const crm_settings *settings, crm_error *error)
{
    const crm_law *law = settings->law;
    if (law->derivative == NULL) {
        return crm_fail(error, CRM_ERROR_OPTION, "law", "the law %s has no derivatives", law->name);
    }
    if (law->derivative->supports != NULL && !law->derivative->supports(settings)) {
        return crm_fail(error, CRM_ERROR_OPTION, "law",
                        "the law %s has no derivatives with these options", law->name);
    }
    if (!crm_model_has_delassus(model)) {
        return crm_fail(error, CRM_ERROR_MODEL, NULL,
                        "the Delassus matrix is too full to be stored; derivatives need it");
    }
    if (crm_model_has_compliance(model)) {
        return crm_fail(
            error, CRM_ERROR_MODEL, "contacts",
            "there are no derivatives where contacts have loading or unloading curves, "
            "or restitution that depends on the impact; differences of whole solves are what "
            "carom sensitivity, fit and design take there");
    }
    if (crm_model_friction(model) != NULL) {
        return crm_fail(error, CRM_ERROR_MODEL, "contacts.friction",
                        "there are no derivatives with friction: outcomes jump, or have kinks, "
                        "where contacts begin to slip");
    }
    return crm_outcome_check_gaps(law, model, error);
}

/* ---- An impact with a trace ------------------------------------------------------------------ */

static bool take_arrays(impact *of)
{
    size_t n = of->model->coordinates, s = of->model->contacts;
    double **by_contact[] = {&of->impulse,           &of->of_impulse,    &of->data.gap_velocity,
                             &of->data.stiffness,    &of->data.exponent, &of->data.restitution,
                             &of->data.stored_energy};
    bool got = true;
    for (size_t i = 0; i < sizeof by_contact / sizeof *by_contact; i++) {
        *by_contact[i] = CRM_TAKE(of->pool, double, s);
        got = got && *by_contact[i] != NULL;
    }
    of->data.delassus = CRM_TAKE(of->pool, double, of->model->d_start[s]);
    of->of_velocity = CRM_TAKE(of->pool, double, n);
    of->through = CRM_TAKE(of->pool, double, n);
    return got && of->data.delassus != NULL && of->of_velocity != NULL && of->through != NULL;
}

static crm_status begin(impact *of, crm_workspace *workspace, const double *velocity,
                        const crm_settings *settings, crm_trace_request wish, crm_error *error)
{
    crm_status status = CRM_OK;
    of->law = settings->law->derivative;
    if (workspace == NULL) {
        status = crm_workspace_create(&of->own, error);
        workspace = of->own;
    }
    if (status != CRM_OK) {
        return status;
    }
    workspace->answered = false;
    crm_workspace_begin(workspace);
    of->pool = &workspace->pool;
    crm_problem problem;
    status = crm_workspace_pose(workspace, of->model, velocity, settings, &problem, error);
    if (status == CRM_OK) {
        status = crm_outcome_start(&problem, &workspace->owned->outcome, error);
    }
    if (status == CRM_OK && !take_arrays(of)) {
        status = crm_fail_memory(error);
    }
    if (status == CRM_OK) {
        status = of->law->create_trace(&problem, wish, &of->trace, of->impulse, error);
    }
    return status == CRM_OK
               ? crm_chain_rule_make(&of->chain, of->model, velocity, of->impulse, of->pool, error)
               : status;
}

static void end(impact *of)
{
    if (of->law != NULL && of->law->free_trace != NULL) {
        of->law->free_trace(of->trace);
    }
    crm_workspace_free(of->own);
}

static bool is_missing(const crm_model *model, const double *velocity, const crm_settings *settings,
                       const void *in, const char *in_place, const void *out, const char *out_place,
                       crm_error *error)
{
    return crm_fail_if_null(model, "model", error) ||
           crm_fail_if_null(velocity, "velocity", error) ||
           crm_fail_if_null(settings, "settings", error) || crm_fail_if_null(in, in_place, error) ||
           crm_fail_if_null(out, out_place, error);
}

/* ---- Forwards -------------------------------------------------------------------------------- */

static void fill(double *values, size_t count, double value)
{
    for (size_t i = 0; values != NULL && i < count; i++) {
        values[i] = value;
    }
}

static crm_status forward(const impact *of, const crm_variation *by, crm_response *response,
                          crm_smoothness *smoothness, crm_error *error)
{
    size_t s = of->model->contacts;
    bool matrix = by->mass != NULL || by->jacobian != NULL;
    crm_chain_rule_enter(&of->chain, by, &of->data);
    const crm_data_change change = {.gap_velocity = of->data.gap_velocity,
                                    .delassus = matrix ? of->data.delassus : NULL,
                                    .stiffness = by->stiffness,
                                    .exponent = by->exponent,
                                    .restitution = by->restitution,
                                    .stored_energy = by->stored_energy};
    crm_answer_change answer = {.impulse = of->of_impulse, .duration = NAN};
    if (of->law->timed) {
        answer.loss = response->loss;
        answer.peak_force = response->peak_force;
    } else {
        fill(response->loss, s, NAN);
        fill(response->peak_force, s, NAN);
    }
    crm_smoothness found = crm_smoothness_begin();
    crm_status status = of->law->forward(of->trace, &change, &answer, &found, error);
    if (status != CRM_OK) {
        return status;
    }
    if (smoothness != NULL) {
        *smoothness = found;
    }
    if (response->impulse != NULL) {
        memcpy(response->impulse, answer.impulse, s * sizeof *answer.impulse);
    }
    response->duration = answer.duration;
    return crm_chain_rule_leave(&of->chain, by, answer.impulse, response, error);
}

crm_status crm_solve_forward(crm_workspace *workspace, const crm_model *model,
                             const double *velocity, const crm_settings *settings, size_t count,
                             const crm_variation *directions, crm_response *responses,
                             crm_smoothness *smoothness, crm_error *error)
{
    CRM_USUAL_ARITHMETIC;
    if (is_missing(model, velocity, settings, directions, "directions", responses, "responses",
                   error)) {
        return CRM_ERROR_ARGUMENT;
    }
    crm_status status = check_law(model, settings, error);
    crm_trace_request wish = {0};
    for (size_t i = 0; status == CRM_OK && i < count; i++) {
        status = check_direction(model, &directions[i], i, error);
        wish.peaks = wish.peaks || responses[i].peak_force != NULL;
        wish.restitution = wish.restitution || directions[i].restitution != NULL;
        wish.exponent = wish.exponent || directions[i].exponent != NULL;
    }
    if (status != CRM_OK) {
        return status;
    }
    impact of = {.model = model};
    status = begin(&of, workspace, velocity, settings, wish, error);
    for (size_t i = 0; status == CRM_OK && i < count; i++) {
        status = forward(&of, &directions[i], &responses[i],
                         smoothness != NULL ? &smoothness[i] : NULL, error);
    }
    end(&of);
    return status;
}

/* ---- Backwards ------------------------------------------------------------------------------- */

static crm_status reverse(impact *of, const crm_response *weights, crm_variation *to,
                          crm_smoothness *smoothness, crm_error *error)
{
    size_t s = of->model->contacts;
    bool matrix = to->mass != NULL || to->jacobian != NULL;
    bool speeds = to->velocity != NULL || to->boundary_velocity != NULL || to->jacobian != NULL;
    crm_data_change gradient = {.gap_velocity = speeds ? of->data.gap_velocity : NULL,
                                .delassus = matrix ? of->data.delassus : NULL,
                                .stiffness = to->stiffness,
                                .exponent = to->exponent,
                                .restitution = to->restitution,
                                .stored_energy = to->stored_energy};
    double *parts[] = {gradient.gap_velocity, gradient.stiffness, gradient.exponent,
                       gradient.restitution, gradient.stored_energy};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        fill(parts[i], s, 0);
    }
    fill(gradient.delassus, of->model->d_start[s], 0);
    crm_status status = crm_chain_rule_weigh(&of->chain, weights, of->of_velocity, of->through,
                                             of->of_impulse, error);
    const crm_answer_change of_answer = {.impulse = of->of_impulse,
                                         .loss = weights->loss,
                                         .peak_force = weights->peak_force,
                                         .duration = weights->duration};
    crm_smoothness found = crm_smoothness_begin();
    if (status == CRM_OK) {
        status = of->law->reverse(of->trace, &of_answer, &gradient, &found, error);
    }
    if (status != CRM_OK) {
        return status;
    }
    if (smoothness != NULL) {
        *smoothness = found;
    }
    crm_chain_rule_collect(&of->chain, weights, of->of_velocity, of->through, &gradient, to);
    return CRM_OK;
}

crm_status crm_solve_reverse(crm_workspace *workspace, const crm_model *model,
                             const double *velocity, const crm_settings *settings, size_t count,
                             const crm_response *weights, crm_variation *gradients,
                             crm_smoothness *smoothness, crm_error *error)
{
    CRM_USUAL_ARITHMETIC;
    if (is_missing(model, velocity, settings, weights, "weights", gradients, "gradients", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    crm_status status = check_law(model, settings, error);
    crm_trace_request wish = {0};
    for (size_t i = 0; status == CRM_OK && i < count; i++) {
        status = check_weights(model, settings->law->derivative, &weights[i], i, error);
        wish.peaks = wish.peaks || weights[i].peak_force != NULL;
        wish.restitution = wish.restitution || gradients[i].restitution != NULL;
        wish.exponent = wish.exponent || gradients[i].exponent != NULL;
    }
    if (status != CRM_OK) {
        return status;
    }
    impact of = {.model = model};
    status = begin(&of, workspace, velocity, settings, wish, error);
    for (size_t i = 0; status == CRM_OK && i < count; i++) {
        status = reverse(&of, &weights[i], &gradients[i],
                         smoothness != NULL ? &smoothness[i] : NULL, error);
    }
    end(&of);
    return status;
}
