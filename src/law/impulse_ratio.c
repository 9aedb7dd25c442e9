/* impulse-ratio: impulses in given proportions, their size from the energy left.
 *
 * p = x a, T+ = energy_ratio T-. With A = a'Da and B = a'W'v-,
 *     T(x) = T- + B x + A x^2 / 2,
 * and of the two x with T(x) = energy_ratio T- the larger one, at which the bodies separate along
 * a, is the impact:
 *     x = (-B + sqrt(B^2 + 2A (energy_ratio - 1) T-)) / A.
 * x grows with energy_ratio, from -B/A where the root is double to -2B/A at 1, and every u_j+ is
 * linear in x: the energy ratios for which a solution exists and no contact closes are an interval.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "law/collisions/collisions.h"

enum { ENERGY_RATIO, RATIOS, FROM, UNCOUPLED, MODEL, DAMPING, ARM };
enum { GIVEN, LZB, COMPLIANT };
enum { ZERO, KEEP };

static const crm_parameter parameters[] = {
    [ENERGY_RATIO] = {.name = "energy_ratio",
                      .kind = CRM_PARAMETER_NUMBER,
                      .standard = NAN,
                      .least = 0,
                      .most = 1,
                      .standard_text = "1, or that of the run the ratios come from",
                      .text = "Kinetic energy after the impact over that before."},
    [RATIOS] = {.name = "ratios",
                .kind = CRM_PARAMETER_LIST,
                .least = 0,
                .most = INFINITY,
                .standard_text = "none; must be given for more than one contact",
                .text = "Impulse of each contact relative to that of contact 1, so the first is "
                        "1."},
    [FROM] = {.name = "from",
              .kind = CRM_PARAMETER_CHOICE,
              .choices = "given|lzb|compliant",
              .text = "Where the ratios come from: the option ratios, or the impulses of another "
                      "law."},
    [UNCOUPLED] = {.name = "uncoupled",
                   .kind = CRM_PARAMETER_CHOICE,
                   .choices = "zero|keep",
                   .text = "What becomes of a given ratio at a contact that no impulse can reach: "
                           "it is taken as 0, or kept, whatever the checks then say."},
    [MODEL] = {.name = "model",
               .kind = CRM_PARAMETER_CHOICE,
               .choices = "auto|elastic|kelvin-voigt|hunt-crossley|maxwell|zener|hysteretic",
               .text = "From compliant: its option of this name."},
    [DAMPING] = {.name = "damping",
                 .kind = CRM_PARAMETER_NUMBER,
                 .each = true,
                 .standard = NAN,
                 .least = 0,
                 .most = INFINITY,
                 .standard_text = "that of compliant",
                 .text = "From compliant: its option of this name."},
    [ARM] = {.name = "arm_stiffness",
             .kind = CRM_PARAMETER_NUMBER,
             .each = true,
             .standard = NAN,
             .least = 0,
             .most = INFINITY,
             .standard_text = "that of compliant",
             .text = "From compliant: its option of this name."},
};

/* Closing speeds after the impact and discriminants that count as rounding, relative. */
static const double ROUNDING = 1e-10;

/* ---- The direction a ------------------------------------------------------------------------- */

static crm_status read_ratios(const crm_problem *problem, double *a, crm_error *error)
{
    size_t count, contacts = problem->model->contacts;
    const double *ratios = crm_settings_list(problem->settings, RATIOS, &count);
    if (ratios == NULL && contacts == 1) {
        a[0] = 1;
        return CRM_OK;
    }
    if (ratios == NULL) {
        return crm_fail(error, CRM_ERROR_OPTION, "ratios",
                        "law impulse-ratio: ratios must be given, one of at least 0 for each of "
                        "the %zu contacts, the first 1; or say where they come from (from: lzb)",
                        contacts);
    }
    if (count != contacts) {
        return crm_fail(error, CRM_ERROR_OPTION, "ratios",
                        "law impulse-ratio: ratios has %zu entries, must have one for each of the "
                        "%zu contacts",
                        count, contacts);
    }
    if (ratios[0] != 1) {
        return crm_fail(error, CRM_ERROR_OPTION, "ratios",
                        "law impulse-ratio: ratios[1] is %g, must be 1: ratios are relative to "
                        "contact 1",
                        ratios[0]);
    }
    memcpy(a, ratios, contacts * sizeof *a);
    return CRM_OK;
}

/* Contacts a pulse can reach from those struck, through coupled contacts that carry an impulse
 * themselves (P3 43-45, for any graph of contacts).
 */
static crm_status find_reached(const crm_problem *problem, const double *a, bool *reached,
                               crm_error *error)
{
    const crm_model *model = problem->model;
    uint32_t *queue = CRM_NEW(uint32_t, model->contacts);
    crm_rows rows;
    crm_status status = crm_rows_create(model, &rows, error);
    size_t count = 0;
    if (queue == NULL) {
        status = crm_fail_memory(error);
    }
    for (size_t j = 0; j < model->contacts && status == CRM_OK; j++) {
        if (problem->gap_velocity[j] < 0 && a[j] > 0) {
            reached[j] = true;
            queue[count++] = (uint32_t)j;
        }
    }
    for (size_t next = 0; next < count && status == CRM_OK; next++) {
        crm_row row;
        status = crm_rows_get(&rows, queue[next], &row, error);
        for (size_t k = 0; k < row.count && status == CRM_OK; k++) {
            uint32_t j = row.column[k];
            if (a[j] > 0 && !reached[j] &&
                crm_collisions_are_coupled(model, queue[next], j, row.value[k])) {
                reached[j] = true;
                queue[count++] = j;
            }
        }
    }
    crm_rows_release(&rows);
    free(queue);
    return status;
}

/* A ratio where no impulse can pass "does not exist or has to be set to zero" (P3, below 43). */
static crm_status clear_unreached(const crm_problem *problem, double *a, crm_outcome *outcome,
                                  crm_error *error)
{
    size_t contacts = problem->model->contacts, cleared = 0;
    bool *reached = CRM_NEW(bool, contacts);
    if (reached == NULL) {
        return crm_fail_memory(error);
    }
    crm_status status = find_reached(problem, a, reached, error);
    for (size_t j = 0; j < contacts && status == CRM_OK; j++) {
        if (a[j] > 0 && !reached[j]) {
            a[j] = 0;
            crm_note_continue(outcome, cleared++ == 0 ? "%s %zu" : ", %s %zu", "contact", j + 1);
        }
    }
    if (cleared > 0) {
        crm_note_continue(
            outcome, ": ratio taken as 0, no impulse can pass there (not struck, kinetic angles up "
                     "to a right angle).");
    }
    free(reached);
    return status;
}

/* ---- Ratios measured from another law -------------------------------------------------------- */

/* The options of the law that is run are this one's of the same names. */
static crm_status pass_option(const crm_problem *problem, size_t option, crm_settings *settings,
                              crm_error *error)
{
    const crm_parameter *p = &parameters[option];
    size_t count;
    const double *list = crm_settings_list(problem->settings, option, &count);
    double number = crm_settings_number(problem->settings, option);
    char word[32];
    if (p->kind == CRM_PARAMETER_CHOICE) {
        crm_status status =
            crm_settings_get_text(problem->settings, p->name, word, sizeof word, error);
        return status == CRM_OK ? crm_settings_set_text(settings, p->name, word, error) : status;
    }
    if (list != NULL) {
        return crm_settings_set_list(settings, p->name, count, list, error);
    }
    return isnan(number) ? CRM_OK : crm_settings_set_number(settings, p->name, number, error);
}

static bool is_passed(const crm_problem *problem, size_t option)
{
    size_t count;
    return parameters[option].kind == CRM_PARAMETER_CHOICE
               ? crm_settings_choice(problem->settings, option) > 0
               : crm_settings_list(problem->settings, option, &count) != NULL ||
                     !isnan(crm_settings_number(problem->settings, option));
}

static crm_status check_passed(const crm_problem *problem, crm_error *error)
{
    for (size_t option = MODEL; option <= ARM; option++) {
        if (is_passed(problem, option) &&
            crm_settings_choice(problem->settings, FROM) != COMPLIANT) {
            return crm_fail(error, CRM_ERROR_OPTION, parameters[option].name,
                            "law impulse-ratio: %s is an option of compliant; give it with from: "
                            "compliant",
                            parameters[option].name);
        }
    }
    return CRM_OK;
}

static crm_status run_law(const crm_problem *problem, const crm_law *law, crm_outcome *run,
                          crm_error *error)
{
    crm_settings *settings;
    crm_status status = crm_settings_create(law, &settings, error);
    if (status == CRM_OK) {
        size_t last = crm_settings_choice(problem->settings, FROM) == COMPLIANT ? ARM : 0;
        for (size_t option = MODEL; option <= last && status == CRM_OK; option++) {
            status = pass_option(problem, option, settings, error);
        }
        if (status != CRM_OK) {
            crm_settings_free(settings);
            return status;
        }
        settings->width = problem->settings->width;
        status = problem->solve_by(problem, settings, run, error);
        crm_settings_free(settings);
    }
    return status;
}

static void note_run(const char *name, const double *a, size_t contacts, double ratio,
                     crm_outcome *outcome)
{
    double most = 0;
    for (size_t j = 0; j < contacts; j++) {
        most = fmax(most, a[j]);
    }
    double unit = a[0] > 0 ? a[0] : most;
    crm_note_continue(outcome, "energy_ratio %.6g, ratios from %s (to %s):", ratio, name,
                      a[0] > 0 ? "contact 1" : "the largest");
    for (size_t j = 0; j < contacts; j++) {
        crm_note_continue(outcome, " %.6g", a[j] / unit);
    }
}

/* T+ of a run, without what the error of its integration may have added to the energy there was. */
static double kept_energy(const crm_outcome *run)
{
    return fmin(run->energy_after, run->energy_before + run->stored_before + run->boundary_work);
}

/* *measured: false if that law gave no answer; the outcome then says so. */
static crm_status measure_ratios(const crm_problem *problem, const char *name, double *a,
                                 double *energy_ratio, bool *measured, crm_outcome *outcome,
                                 crm_error *error)
{
    *measured = false;
    outcome->result = CRM_FAILED;
    const crm_law *law = crm_law_find(name);
    if (law == NULL) {
        snprintf(outcome->reason, sizeof outcome->reason,
                 "ratios cannot come from %s: this library has no such law", name);
        return CRM_OK;
    }
    crm_outcome run;
    crm_status status = run_law(problem, law, &run, error);
    if (status != CRM_OK) {
        return status;
    }
    if (run.result != CRM_SOLVED) {
        snprintf(outcome->reason, sizeof outcome->reason, "ratios from %s: %s: %.160s", name,
                 crm_result_text(run.result), run.reason);
    } else {
        *measured = true;
        outcome->result = CRM_SOLVED;
        memcpy(a, run.impulse, run.contacts * sizeof *a);
        if (isnan(*energy_ratio)) {
            *energy_ratio = kept_energy(&run) / run.energy_before;
        }
        outcome->error_estimate = run.error_estimate;
        note_run(name, a, run.contacts, *energy_ratio, outcome);
    }
    return CRM_OK;
}

/* ---- The size of the impulses ---------------------------------------------------------------- */

typedef struct balance {
    double a, b;    /* A and B */
    double energy;  /* T- */
    double speed;   /* largest |u-| */
    double *change; /* D a */
} balance;

static crm_status set_up(const crm_problem *problem, const double *a, balance *q, crm_error *error)
{
    const crm_model *model = problem->model;
    crm_status status = crm_model_delassus_apply(model, a, q->change, error);
    q->energy = crm_model_kinetic_energy(model, problem->velocity);
    for (size_t j = 0; j < model->contacts; j++) {
        q->a += a[j] * q->change[j];
        q->b += a[j] * (problem->gap_velocity[j] - model->boundary_velocity[j]);
        q->speed = fmax(q->speed, fabs(problem->gap_velocity[j]));
    }
    return status;
}

static double energy_ratio_at(const balance *q, double x)
{
    return 1 + x * (q->b + q->a * x / 2) / q->energy;
}

/* The x, then the energy ratios, for which a root exists and no contact closes. False: none. */
static bool feasible_range(const crm_problem *problem, const balance *q, double *least,
                           double *most)
{
    double low = -q->b / q->a, high = -2 * q->b / q->a;
    low = fmax(low, 0);
    for (size_t j = 0; j < problem->model->contacts; j++) {
        double u = problem->gap_velocity[j], change = q->change[j];
        if (change * high > ROUNDING * q->speed) {
            low = fmax(low, -u / change);
        } else if (change * high < -ROUNDING * q->speed) {
            high = fmin(high, -u / change);
        } else if (u < -ROUNDING * q->speed) {
            return false;
        }
    }
    *least = fmax(energy_ratio_at(q, low), 0);
    *most = fmin(energy_ratio_at(q, high), 1);
    return high > 0 && low <= high * (1 + ROUNDING);
}

static void say_infeasible(const crm_problem *problem, const balance *q, double energy_ratio,
                           const char *why, crm_outcome *outcome)
{
    double least, most;
    outcome->result = CRM_INFEASIBLE;
    crm_text_append(outcome->reason, sizeof outcome->reason,
                    "energy_ratio %.6g with these ratios: %s; ", energy_ratio, why);
    if (feasible_range(problem, q, &least, &most)) {
        crm_text_append(outcome->reason, sizeof outcome->reason,
                        "feasible is an energy_ratio between %.6g and %.6g", least, most);
    } else {
        crm_text_append(outcome->reason, sizeof outcome->reason,
                        "no energy_ratio between 0 and 1 is feasible with them");
    }
}

static void check_gap_velocities(const crm_problem *problem, const balance *q, double x,
                                 double energy_ratio, crm_outcome *outcome)
{
    double worst = -ROUNDING * q->speed;
    size_t contact = SIZE_MAX;
    for (size_t j = 0; j < problem->model->contacts; j++) {
        double u = problem->gap_velocity[j] + q->change[j] * x;
        if (u < worst) {
            worst = u;
            contact = j;
        }
    }
    if (contact != SIZE_MAX) {
        char why[96];
        crm_snprintf(why, sizeof why, "contact %zu would still close, at %.6g", contact + 1,
                     -worst);
        say_infeasible(problem, q, energy_ratio, why, outcome);
    }
}

static void solve_balance(const crm_problem *problem, const double *a, const balance *q,
                          double energy_ratio, crm_outcome *outcome)
{
    double discriminant = q->b * q->b - 2 * q->a * (1 - energy_ratio) * q->energy;
    if (!(q->b < 0)) {
        say_infeasible(problem, q, energy_ratio, "the bodies do not approach along them", outcome);
        return;
    }
    if (discriminant < -ROUNDING * q->b * q->b) {
        say_infeasible(problem, q, energy_ratio, "impulses cannot take that much energy", outcome);
        return;
    }
    double x = (-q->b + sqrt(fmax(discriminant, 0))) / q->a;
    for (size_t j = 0; j < problem->model->contacts; j++) {
        outcome->impulse[j] = x * a[j];
    }
    check_gap_velocities(problem, q, x, energy_ratio, outcome);
}

/* ---- The law --------------------------------------------------------------------------------- */

static bool anything_closes(const crm_problem *problem)
{
    for (size_t j = 0; j < problem->model->contacts; j++) {
        if (problem->gap_velocity[j] < 0) {
            return true;
        }
    }
    return false;
}

/* *ready: whether the direction stands; else the outcome says why not. */
static crm_status choose_direction(const crm_problem *problem, double *a, double *energy_ratio,
                                   bool *ready, crm_outcome *outcome, crm_error *error)
{
    size_t from = crm_settings_choice(problem->settings, FROM), given;
    *ready = true;
    *energy_ratio = crm_settings_number(problem->settings, ENERGY_RATIO);
    if (from != GIVEN) {
        const char *name = from == LZB ? "lzb" : "compliant";
        if (crm_settings_list(problem->settings, RATIOS, &given) != NULL) {
            return crm_fail(error, CRM_ERROR_OPTION, "ratios",
                            "law impulse-ratio: ratios are given and to come from %s; give one of "
                            "the options ratios and from",
                            name);
        }
        return measure_ratios(problem, name, a, energy_ratio, ready, outcome, error);
    }
    *energy_ratio = isnan(*energy_ratio) ? 1 : *energy_ratio;
    crm_status status = read_ratios(problem, a, error);
    if (status != CRM_OK) {
        return status;
    }
    if (problem->gap_velocity[0] >= 0) {
        *ready = false;
        outcome->result = CRM_INFEASIBLE;
        crm_snprintf(
            outcome->reason, sizeof outcome->reason,
            "contact 1, to which the ratios refer, is not struck (gap velocity %.6g); number "
            "the contacts so that it is, or take the ratios from another law (from: lzb)",
            problem->gap_velocity[0]);
        return CRM_OK;
    }
    return crm_settings_choice(problem->settings, UNCOUPLED) == KEEP
               ? CRM_OK
               : clear_unreached(problem, a, outcome, error);
}

/* Only the direction counts; of size 1 its products and their squares stay numbers. */
static void scale_direction(double *a, size_t contacts)
{
    double most = 0;
    for (size_t j = 0; j < contacts; j++) {
        most = fmax(most, a[j]);
    }
    for (size_t j = 0; j < contacts && most > 0; j++) {
        a[j] /= most;
    }
}

static crm_status solve_with(const crm_problem *problem, double *a, double *change,
                             crm_outcome *outcome, crm_error *error)
{
    double energy_ratio;
    bool ready;
    crm_status status = choose_direction(problem, a, &energy_ratio, &ready, outcome, error);
    if (status != CRM_OK || !ready) {
        return status;
    }
    scale_direction(a, problem->model->contacts);
    balance q = {.change = change};
    status = set_up(problem, a, &q, error);
    if (status != CRM_OK) {
        return status;
    }
    if (!(q.energy > 0)) {
        outcome->result = CRM_FAILED;
        snprintf(outcome->reason, sizeof outcome->reason,
                 "not defined: the kinetic energy before the impact is 0, and so no ratio to it");
        return CRM_OK;
    }
    solve_balance(problem, a, &q, energy_ratio, outcome);
    return CRM_OK;
}

static crm_status solve(const crm_problem *problem, crm_outcome *outcome, crm_error *error)
{
    crm_status passed = check_passed(problem, error);
    if (passed != CRM_OK || !anything_closes(problem)) {
        return passed;
    }
    double *a = CRM_NEW(double, problem->model->contacts);
    double *change = CRM_NEW(double, problem->model->contacts);
    crm_status status = a != NULL && change != NULL ? solve_with(problem, a, change, outcome, error)
                                                    : crm_fail_memory(error);
    free(a);
    free(change);
    return status;
}

extern const crm_law crm_law_impulse_ratio;
const crm_law crm_law_impulse_ratio = {
    .name = "impulse-ratio",
    .summary = "Acary-Brogliato: impulses in fixed proportions, their size from the energy left",
    .description =
        "The impulses stand in given ratios to that of contact 1, and one number, the share of "
        "kinetic energy left, fixes their size. The ratios are given, or measured from a run of "
        "lzb or compliant, whose model, damping and arm_stiffness are then options here; with that "
        "run's own energy ratio its outcome is found again. A ratio "
        "counts only where an impulse can pass: at contacts struck, or tied to one by contacts at "
        "kinetic angles above a right angle; elsewhere it is taken as 0 and the note says so, "
        "unless "
        "uncoupled: keep asks for it as given.",
    .equation = "p = p₁ α,  α = (1, α₂, α₃, …),  T⁺ = r T⁻\n"
                "p₁ = (−B + √(B² + 2 A (r − 1) T⁻)) / A,   A = αᵀ D α,  B = αᵀ (u⁻ − ŵ)",
    .assumptions =
        "The ratios hold whatever the speeds; no friction; restitution, stiffness, exponent and "
        "stored energy of the contacts play no part when the ratios are given. T+ is as given "
        "and p >= 0. Not every pair of energy_ratio and ratios has a solution, and u+ >= 0 is not "
        "guaranteed by one that has (three equal balls: energy_ratio >= 1/3 and ratio >= 1/2 are "
        "required): both are reported as infeasible, with the energy ratios that are possible.",
    .restitution = "none: energy_ratio stands for the loss of the whole system",
    .reference = "V. Acary, B. Brogliato (2003); the two-dimensional case and kinetic angles: "
                 "HAL inria-00424055.",
    .parameters = parameters,
    .parameter_count = sizeof parameters / sizeof parameters[0],
    .solve = solve};
