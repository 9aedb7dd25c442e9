/* The published first-order schemes of the LZB law, kept plain: the baseline to measure against.
 *
 * time-euler      P1, algorithms 2-4: a constant time step.
 * impulse-euler   P4, section 2: a constant step of the primary impulse, that of the contact with
 *                 the largest stored energy.
 *
 * Both carry the stored energies E_j and differ only in the impulses of a step. Errata (theory
 * section 10) are followed: exponent eta/(eta+1) in the distributing law, the increment of each
 * contact's own impulse in its energy. Ratios are written through the forces
 * lambda_j = (1+eta)^(eta/(1+eta)) K^(1/(1+eta)) E^(eta/(1+eta)), which is the distributing law
 * for equal exponents and its meaning for mixed ones.
 *
 * Critical points (P0, section 5; P4, section 2) are where a closing speed is 0 or a contact opens.
 * A constant step passes them by up to its length. With critical_points: located, a step that
 * passes one is shortened to end there. The papers do not say how such a step is found; here it is
 * by bisection, which needs no case for the increments of a contact that enters, a power of the
 * step.
 */
#include <float.h>
#include <stdio.h>

#include "base/elementary.h"
#include "base/locale.h"
#include "law/lzb/euler.h"
#include "law/lzb/state/history.h"
#include "law/lzb/state/tail.h"

/* Default steps: P1's 1e-8 s for its steel beads is this part of x_scale/speed there, and its
 * 1e-6 N s is this part of P_est (P4 2.1).
 */
static const double TIME_STEP = 5e-4;
static const double IMPULSE_STEP = 3e-5;
/* Steps after which an impact is given up: chains that lose energy take some 1e4 a contact. */
static const double MOST_STEPS = 1e7, MOST_STEPS_EACH = 1e5;

/* Both schemes keep the books of every step, so that energy comes from nowhere in one way only: a
 * step takes more out of a contact than is in it. In a run that follows the law that happens where
 * a contact opens, and is some 1e-4 of the energy at steps as published, falling faster than the
 * step. A run that breaks down feeds on it: a contact that enters while the primary one is nearly
 * empty is given an impulse out of all proportion (2.16 is no longer small beside the rest). And a
 * step so long that a contact enters and leaves within it knows nothing of its compression. More
 * than this part of the energy there was by either, and what is computed is the scheme, not the
 * law.
 */
static const double ERROR_MOST = 1e-2;

/* A tail is looked for only now and then. */
enum { TAIL_PERIOD = 1024 };

typedef struct euler {
    const crm_model *model;
    lzb_stiffness_model stiffness_model;
    bool located; /* steps end at critical points */
    size_t contacts;
    double time;
    double available;    /* energy there was */
    double created;      /* taken out of contacts beyond what was in them, so far */
    double passed;       /* brought to contacts that entered and left within one step, so far */
    double part_needed;  /* of the last step that did so: the part that would have sufficed */
    double *c;           /* closing speeds */
    double *energy;      /* E_j */
    double *compression; /* W_c,j: E_j at the end of the latest compression */
    double *factor;      /* force = factor E^(eta/(1+eta)) */
    double *dp;          /* impulses of the step */
    double *change;      /* D dp */
    uint8_t *expanding;
} euler;

static double force_of(const euler *e, size_t j, double energy)
{
    double exponent = e->model->exponent[j];
    return e->factor[j] * crm_pow(energy, exponent / (1.0 + exponent));
}

static void find_factors(euler *e)
{
    for (size_t j = 0; j < e->contacts; j++) {
        double exponent = e->model->exponent[j], part = 1.0 / (1.0 + exponent);
        e->factor[j] =
            crm_pow(1.0 + exponent, exponent * part) * crm_pow(e->model->stiffness[j], part);
    }
}

/* P1 algorithm 3: is a contact still in the impact? */
static bool at_work(const euler *e, size_t j)
{
    return e->energy[j] > 0 || e->c[j] > 0;
}

/* ---- The impulses of a step ----------------------------------------------------------------- */

/* P1 (33), and (34) for a contact that begins. */
static double time_increments(euler *e, double step)
{
    const crm_model *model = e->model;
    for (size_t j = 0; j < e->contacts; j++) {
        if (e->energy[j] > 0) {
            e->dp[j] = force_of(e, j, e->energy[j]) * step;
        } else if (e->c[j] > 0) {
            e->dp[j] =
                0.5 * model->stiffness[j] * crm_pow(e->c[j] * step, model->exponent[j]) * step;
        } else {
            e->dp[j] = 0;
        }
    }
    return step;
}

/* P4 (2.11), and (2.3) at the start: largest energy, else largest closing speed. */
static size_t primary_contact(const euler *e, bool *stores)
{
    size_t by_energy = 0, by_speed = 0;
    for (size_t j = 1; j < e->contacts; j++) {
        by_energy = e->energy[j] > e->energy[by_energy] ? j : by_energy;
        by_speed = e->c[j] > e->c[by_speed] ? j : by_speed;
    }
    *stores = e->energy[by_energy] > 0;
    return *stores ? by_energy : by_speed;
}

/* P4 (2.4): nothing is stored yet. All indentations grow as c t; t is when the primary contact,
 * alone, has taken the step: K (c t)^eta t / (1 + eta) = step.
 */
static double starting_increments(euler *e, size_t i, double step)
{
    const crm_model *model = e->model;
    double eta = model->exponent[i];
    double t = crm_pow((1.0 + eta) * step / (model->stiffness[i] * crm_pow(e->c[i], eta)),
                       1.0 / (1.0 + eta));
    double primary = model->stiffness[i] * crm_pow(e->c[i] * t, eta);
    for (size_t j = 0; j < e->contacts; j++) {
        e->dp[j] = e->c[j] > 0 ? step * model->stiffness[j] *
                                     crm_pow(e->c[j] * t, model->exponent[j]) / primary
                               : 0;
    }
    return t;
}

/* P4 (2.5), (2.7), and (2.16) for a contact that enters: dP = (1+eta)^eta K c^eta
 * (dP_i/lambda_i)^(eta+1). */
static double running_increments(euler *e, size_t i, double step)
{
    const crm_model *model = e->model;
    double dt = step / force_of(e, i, e->energy[i]);
    for (size_t j = 0; j < e->contacts; j++) {
        double eta = model->exponent[j];
        if (e->energy[j] > 0) {
            e->dp[j] = force_of(e, j, e->energy[j]) * dt;
        } else if (e->c[j] > 0) {
            e->dp[j] =
                crm_pow((1.0 + eta) * e->c[j], eta) * model->stiffness[j] * crm_pow(dt, eta + 1.0);
        } else {
            e->dp[j] = 0;
        }
    }
    return dt;
}

static double impulse_increments(euler *e, double step)
{
    bool stores;
    size_t i = primary_contact(e, &stores);
    return stores ? running_increments(e, i, step) : starting_increments(e, i, step);
}

/* ---- The energies after it ------------------------------------------------------------------ */

/* A contact that opens keeps what it has lost; a step that ends beyond that point has taken more
 * out of it than there was. `energy` is E_j after the step, had it gone on.
 */
static double overdrawn(const euler *e, size_t j, double work, double energy, double returned)
{
    if (e->stiffness_model == LZB_MONO) {
        double stored = lzb_contact_stored_at_opening(e->stiffness_model, e->model->restitution[j]);
        return fmax(stored * e->compression[j] - energy, 0);
    }
    return fmax(returned > 0 ? -energy * returned : -work, 0);
}

/* The part of the step after which the contact would just have stopped closing, or opening: its
 * speed changes with the step, or when it enters with the power 1 + eta of it.
 */
static double part_of_step(const euler *e, size_t j, double c_before)
{
    double part = fmin(fabs(c_before) / fabs(e->c[j] - c_before), 1);
    return e->energy[j] > 0 ? part : crm_pow(part, 1.0 / (1.0 + e->model->exponent[j]));
}

/* Does the work of the step expand the contact? By the papers, where its end does; a step that ends
 * at a critical point lies on one side of it, and its mean speed tells which.
 */
static bool is_opening(const euler *e, double c_before, double c_after)
{
    return e->located ? c_before + c_after < 0 : c_after < 0;
}

/* P1 (35)-(36) and P4 (2.9)-(2.13): E_j after a step from c_before to c_after. */
static double energy_after(const euler *e, size_t j, double c_before, double c_after, double *work)
{
    bool opening = is_opening(e, c_before, c_after);
    double restitution = e->model->restitution[j];
    double returned = opening ? lzb_contact_returned(e->stiffness_model, restitution) : 1.0;
    *work = 0.5 * (c_before + c_after) * e->dp[j];
    return returned > 0 ? e->energy[j] + *work / returned : 0;
}

/* Returns the work done on the contact: its energy may have been cut off at 0 or discarded, what
 * was put in was put in. What was taken out beyond that is no loss of the contact but the scheme's
 * error, and left to the account as such (outcome.h, energy_error).
 */
static double update_energy(euler *e, size_t j, double c_before, uint32_t *compressions)
{
    double restitution = e->model->restitution[j], d = e->model->d_diagonal[j], work;
    double energy = energy_after(e, j, c_before, e->c[j], &work);
    bool opening = is_opening(e, c_before, e->c[j]);
    if (opening && !e->expanding[j] && e->energy[j] + work > 0) {
        e->compression[j] = e->energy[j] + fmax(work, 0);
        ++*compressions;
    }
    e->expanding[j] = opening;
    double returned = opening ? lzb_contact_returned(e->stiffness_model, restitution) : 1.0;
    double stored = lzb_contact_stored_at_opening(e->stiffness_model, restitution);
    bool opens = (opening && energy <= stored * e->compression[j]) || !(energy > 0);
    double created = opens ? overdrawn(e, j, work, energy, returned) : 0;
    double passed = opening && e->energy[j] == 0 ? 0.5 * c_before * c_before / d : 0;
    if (created > 0 || passed > 0) {
        e->created += created;
        e->passed += passed;
        e->part_needed = part_of_step(e, j, c_before);
    }
    e->energy[j] = opens ? 0 : energy;
    e->compression[j] = opens ? 0 : e->compression[j];
    return work + created;
}

/* ---- Critical points ------------------------------------------------------------------------ */

static bool turns(double c_before, double c_after)
{
    return (c_before < 0 && c_after > 0) || (c_before > 0 && c_after < 0);
}

static bool empties(const euler *e, size_t j, double c_after)
{
    if (!(e->energy[j] > 0) || !is_opening(e, e->c[j], c_after)) {
        return false;
    }
    double work, energy = energy_after(e, j, e->c[j], c_after, &work);
    double most = e->expanding[j] ? e->compression[j] : e->energy[j];
    return energy <=
           lzb_contact_stored_at_opening(e->stiffness_model, e->model->restitution[j]) * most;
}

static bool passes_critical_point(const euler *e)
{
    for (size_t j = 0; j < e->contacts; j++) {
        double after = e->c[j] - e->change[j];
        if (turns(e->c[j], after) || empties(e, j, after)) {
            return true;
        }
    }
    return false;
}

/* The impulses of a step, and what they do to the closing speeds. */
static crm_status find_increments(euler *e, const lzb_options *options, double step, double *dt,
                                  crm_error *error)
{
    *dt =
        options->scheme == LZB_TIME_EULER ? time_increments(e, step) : impulse_increments(e, step);
    return crm_model_delassus_apply(e->model, e->dp, e->change, error);
}

/* The step that just passes the first critical point within `step`, to rounding. */
static crm_status end_at_critical_point(euler *e, const lzb_options *options, double step,
                                        double *dt, crm_error *error)
{
    double before = 0, beyond = step;
    crm_status status = CRM_OK;
    while (status == CRM_OK && beyond - before > DBL_EPSILON * beyond &&
           beyond > DBL_EPSILON * step) {
        double middle = before + 0.5 * (beyond - before);
        status = find_increments(e, options, middle, dt, error);
        if (passes_critical_point(e)) {
            beyond = middle;
        } else {
            before = middle;
        }
    }
    return status == CRM_OK ? find_increments(e, options, beyond, dt, error) : status;
}

static crm_status step_on(euler *e, const lzb_options *options, double step, crm_outcome *outcome,
                          crm_error *error)
{
    double dt;
    crm_status status = find_increments(e, options, step, &dt, error);
    if (status == CRM_OK && e->located && passes_critical_point(e)) {
        status = end_at_critical_point(e, options, step, &dt, error);
    }
    for (size_t j = 0; status == CRM_OK && j < e->contacts; j++) {
        double c_before = e->c[j], c_after = c_before - e->change[j];
        e->c[j] = e->located && turns(c_before, c_after) ? 0 : c_after;
        if (e->dp[j] > 0) {
            outcome->loss[j] += update_energy(e, j, c_before, &outcome->compressions[j]);
            outcome->peak_force[j] = fmax(outcome->peak_force[j], e->dp[j] / dt);
            outcome->contact_duration[j] += dt;
            outcome->impulse[j] += e->dp[j];
        }
    }
    e->time += dt;
    return status;
}

/* ---- The course ----------------------------------------------------------------------------- */

/* Gaps may be counted in any unit; impulses are counted in its inverse. */
static double largest_gradient(const crm_model *model)
{
    double most = 0;
    for (size_t k = 0; k < model->w_start[model->contacts]; k++) {
        most = fmax(most, fabs(model->w_value[k]));
    }
    return most;
}

static double default_step(const crm_problem *problem, const lzb_options *options,
                           const lzb_state *state)
{
    if (options->scheme == LZB_IMPULSE_EULER) {
        double estimate = crm_mass_momentum_bound(&problem->model->mass, problem->velocity) /
                          largest_gradient(problem->model);
        for (size_t j = 0; j < state->contacts; j++) { /* precompressed: sqrt(2 m E) */
            estimate = fmax(
                estimate, sqrt(2.0 * state->model->stored_energy[j] / state->model->d_diagonal[j]));
        }
        return IMPULSE_STEP * estimate;
    }
    double shortest = INFINITY;
    for (size_t j = 0; j < state->contacts; j++) {
        shortest = fmin(shortest, state->x_scale[j] / state->speed);
    }
    return TIME_STEP * shortest;
}

static void mirror(const euler *e, lzb_state *state)
{
    state->time = e->time;
    for (size_t j = 0; j < e->contacts; j++) {
        state->c[j] = e->c[j];
        state->x[j] = e->energy[j] > 0
                          ? lzb_contact_indentation(e->model->stiffness[j], e->model->exponent[j],
                                                    e->energy[j])
                          : 0;
    }
}

/* The loss so far counts what is stored as lost; closing the tail counts it once more. */
static crm_status try_tail(const euler *e, const lzb_options *options, lzb_state *state,
                           crm_outcome *outcome, crm_error *error)
{
    mirror(e, state);
    for (size_t j = 0; j < e->contacts; j++) {
        outcome->loss[j] -= e->energy[j];
    }
    crm_status status = lzb_tail_close(state, state->model, options->tolerance,
                                       &outcome->tail_closed, &outcome->tail_speed, error);
    for (size_t j = 0; status == CRM_OK && !outcome->tail_closed && j < e->contacts; j++) {
        outcome->loss[j] += e->energy[j];
    }
    return status;
}

/* Boundaries that move may have brought energy in. */
static bool is_broken(const euler *e, const crm_outcome *outcome)
{
    double wrong = e->created + e->passed, available = e->available;
    for (size_t j = 0; wrong > ERROR_MOST * available && j < e->contacts; j++) {
        available += fabs(outcome->impulse[j] * e->model->boundary_velocity[j]);
    }
    return !(wrong <= ERROR_MOST * available);
}

/* A step that went just too far wants to be halved; after one that left all numbers behind nothing
 * can be said but what this scheme would have chosen.
 */
static double step_needed(const euler *e, double step, double standard)
{
    bool told = isfinite(e->created) && e->part_needed > 0;
    return told ? step * fmin(e->part_needed, 0.5) : standard;
}

static void say_broken(const euler *e, const lzb_options *options, double step, double standard,
                       crm_outcome *outcome)
{
    const char *unit = options->scheme == LZB_TIME_EULER ? "s" : "N s";
    char what[128];
    if (e->created > e->passed) {
        crm_snprintf(what, sizeof what,
                     "it took %.2g times the energy there was out of empty contacts",
                     e->created / e->available);
    } else {
        snprintf(what, sizeof what, "contacts are entered and left within one step");
    }
    outcome->result = CRM_FAILED;
    crm_snprintf(outcome->reason, sizeof outcome->reason,
                 "the step of %.3g %s is too long: %s; it would have to be about %.1g %s or less "
                 "(scheme auto chooses its own)",
                 step, unit, what, step_needed(e, step, standard), unit);
}

static bool any_at_work(const euler *e)
{
    for (size_t j = 0; j < e->contacts; j++) {
        if (at_work(e, j)) {
            return true;
        }
    }
    return false;
}

static bool is_quiet(const euler *e, const lzb_state *state, double limit)
{
    for (size_t j = 0; j < e->contacts; j++) {
        double stored = sqrt(2.0 * e->energy[j] * e->model->d_diagonal[j]);
        if (fmax(e->c[j], stored) > limit * state->speed) {
            return false;
        }
    }
    return true;
}

static bool is_told_to_end(const euler *e, const lzb_state *state, const crm_outcome *outcome)
{
    if (!crm_watch_due(state->watching, e->contacts)) {
        return false;
    }
    crm_watch_report progress = {.time = e->time, .left = NAN, .steps = outcome->steps};
    for (size_t j = 0; j < e->contacts; j++) {
        progress.working += at_work(e, j);
    }
    return crm_watch_ends(state->watching, &progress);
}

static crm_status run(euler *e, const lzb_options *options, double standard, lzb_state *state,
                      lzb_history *history, crm_outcome *outcome, crm_error *error)
{
    double step = isnan(options->step) ? standard : options->step;
    double most_steps = isnan(options->max_steps)
                            ? MOST_STEPS + MOST_STEPS_EACH * (double)e->contacts
                            : options->max_steps;
    double quiet = options->tolerance;
    crm_status status = CRM_OK;
    while (status == CRM_OK && any_at_work(e)) {
        if ((double)outcome->steps >= most_steps || is_told_to_end(e, state, outcome)) {
            outcome->result = CRM_NOT_TERMINATED;
            snprintf(outcome->reason, sizeof outcome->reason,
                     "contacts still at work after %llu steps; the state reached is given",
                     (unsigned long long)outcome->steps);
            break;
        }
        if (outcome->steps % TAIL_PERIOD == TAIL_PERIOD - 1 && is_quiet(e, state, quiet)) {
            quiet *= 0.25;
            status = try_tail(e, options, state, outcome, error);
            if (outcome->tail_closed) {
                return status;
            }
        }
        if (status == CRM_OK) {
            status = step_on(e, options, step, outcome, error);
            outcome->steps++;
        }
        if (status == CRM_OK && is_broken(e, outcome)) {
            say_broken(e, options, step, standard, outcome);
            break;
        }
        if (status == CRM_OK && history->recorder != NULL) {
            mirror(e, state);
            status = lzb_history_record(history, state, NULL, 0, error);
        }
    }
    return status;
}

static crm_status start(const crm_problem *problem, const lzb_options *options,
                        const lzb_state *state, euler *e, crm_error *error)
{
    size_t s = problem->model->contacts;
    *e = (euler){.model = problem->model,
                 .stiffness_model = options->stiffness_model,
                 .located = options->located,
                 .contacts = s,
                 .c = CRM_TAKE(state->pool, double, s),
                 .energy = CRM_TAKE(state->pool, double, s),
                 .compression = CRM_TAKE(state->pool, double, s),
                 .factor = CRM_TAKE(state->pool, double, s),
                 .dp = CRM_TAKE(state->pool, double, s),
                 .change = CRM_TAKE(state->pool, double, s),
                 .expanding = CRM_TAKE(state->pool, uint8_t, s)};
    if (e->c == NULL || e->energy == NULL || e->compression == NULL || e->factor == NULL ||
        e->dp == NULL || e->change == NULL || e->expanding == NULL) {
        return crm_fail_memory(error);
    }
    for (size_t j = 0; j < s; j++) {
        e->c[j] = state->c[j];
        e->energy[j] = e->compression[j] = problem->model->stored_energy[j];
        e->available += problem->model->stored_energy[j];
    }
    e->available += crm_model_kinetic_energy(problem->model, problem->velocity);
    find_factors(e);
    return CRM_OK;
}

crm_status lzb_euler_solve(const crm_problem *problem, const lzb_options *options,
                           crm_outcome *outcome, crm_error *error)
{
    lzb_state state;
    lzb_history history = {0};
    euler e = {0};
    crm_status status = lzb_state_create(problem, options->stiffness_model, &state, outcome, error);
    outcome->duration = 0;
    if (status == CRM_OK && state.speed > 0) {
        status = start(problem, options, &state, &e, error);
        if (status == CRM_OK) {
            status = lzb_history_create(problem, &history, error);
        }
        for (size_t j = 0; status == CRM_OK && j < e.contacts; j++) {
            outcome->loss[j] = e.energy[j]; /* what is stored before is given back as work */
            outcome->peak_force[j] = force_of(&e, j, e.energy[j]);
        }
        if (status == CRM_OK) {
            double standard = default_step(problem, options, &state);
            status = run(&e, options, standard, &state, &history, outcome, error);
        }
        for (size_t j = 0; status == CRM_OK && outcome->result != CRM_SOLVED && j < e.contacts;
             j++) {
            outcome->loss[j] -= e.energy[j]; /* still stored, not lost */
        }
        outcome->duration = e.time;
        outcome->evaluations = outcome->steps;
    }
    return status;
}
