/* sequential: every admissible sequence of collisions, simultaneous ones among them (Han and
 * Gilmore).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "law/collisions/reachable.h"

enum { MAX_STATES, MAX_COLLISIONS };

static const crm_parameter parameters[] = {
    [MAX_STATES] = {.name = "max_states",
                    .kind = CRM_PARAMETER_INTEGER,
                    .standard = 20000,
                    .least = 1,
                    .most = 1e6,
                    .text = "Different states after which the enumeration is given up; the "
                            "outcomes found so far are reported."},
    [MAX_COLLISIONS] = {.name = "max_collisions",
                        .kind = CRM_PARAMETER_INTEGER,
                        .standard = 1e7,
                        .least = 1,
                        .most = 1e15,
                        .text = "Single collisions after which the sequence reported is called not "
                                "terminated."},
};

/* Closing speeds left alone in the sequence reported: the default of the law binary. */
static const double TOLERANCE = 1e-12;

/* A velocity this small beside the closing speed is written as 0. */
static const double WRITTEN_AS_ZERO = 1e-6;

/* ---- The other outcomes ---------------------------------------------------------------------- */

static bool same_velocity(const double *a, const double *b, size_t n, double scale)
{
    for (size_t i = 0; i < n; i++) {
        if (!(fabs(a[i] - b[i]) <= crm_reachable_distinct * scale)) {
            return false;
        }
    }
    return true;
}

static void append_velocity(crm_outcome *outcome, const double *velocity, size_t n, double scale)
{
    crm_note_continue(outcome, " (");
    for (size_t i = 0; i < n; i++) {
        double value = fabs(velocity[i]) <= WRITTEN_AS_ZERO * scale ? 0 : velocity[i];
        crm_note_continue(outcome, i == 0 ? "%.5g" : " %.5g", value);
    }
    crm_note_continue(outcome, ")");
}

static crm_status list_others(const crm_problem *problem, const crm_reachable *reachable,
                              double scale, crm_outcome *outcome, crm_error *error)
{
    size_t n = problem->model->coordinates;
    double *velocity = CRM_NEW(double, 2 * n);
    if (velocity == NULL) {
        return crm_fail_memory(error);
    }
    double *own = velocity + n;
    const crm_reachable mine = {.count = 1, .impulse = outcome->impulse};
    crm_status status = crm_reachable_velocity(problem, &mine, 0, own, error);
    for (size_t k = 0; k < reachable->count && status == CRM_OK; k++) {
        status = crm_reachable_velocity(problem, reachable, k, velocity, error);
        if (!same_velocity(own, velocity, n, scale)) {
            append_velocity(outcome, velocity, n, scale);
        }
    }
    free(velocity);
    return status;
}

static crm_status note_outcomes(const crm_problem *problem, const crm_reachable *reachable,
                                double scale, crm_outcome *outcome, crm_error *error)
{
    crm_note_continue(outcome, "%s%zu admissible outcome%s", reachable->complete ? "" : "At least ",
                      reachable->count, reachable->count == 1 ? "" : "s");
    if (reachable->count > 1) {
        crm_note_continue(outcome, " further than %g of the largest closing speed apart",
                          crm_reachable_distinct);
    }
    if (!reachable->complete) {
        crm_note_continue(outcome, " (the search was given up after %zu states)",
                          reachable->states);
    }
    if (reachable->unfinished > 0) {
        crm_note_continue(outcome, ", %zu of sequences that die away without an end",
                          reachable->unfinished);
    }
    if (reachable->dependent > 0) {
        crm_note_continue(outcome, ", dependent contacts never taken together");
    }
    if (reachable->count <= 1) {
        crm_note_continue(outcome, ".");
        return CRM_OK;
    }
    crm_note_continue(outcome,
                      "; this is the one of single collisions from the left, the others are");
    return list_others(problem, reachable, scale, outcome, error);
}

/* ---- The law --------------------------------------------------------------------------------- */

static crm_status enumerate(const crm_problem *problem, double scale, crm_outcome *outcome,
                            crm_error *error)
{
    crm_reachable reachable;
    crm_reachable_limits limits = {
        .states = (size_t)crm_settings_number(problem->settings, MAX_STATES), .simultaneous = true};
    crm_status status = crm_reachable_find(problem, limits, &reachable, error);
    if (status == CRM_OK) {
        outcome->unique = reachable.complete && reachable.count == 1 && reachable.dependent == 0;
        status = note_outcomes(problem, &reachable, scale, outcome, error);
    }
    crm_reachable_release(&reachable);
    return status;
}

static crm_status solve(const crm_problem *problem, crm_outcome *outcome, crm_error *error)
{
    crm_status known = crm_law_refuse_compliance(problem, false, false, "", error);
    if (known != CRM_OK) {
        return known;
    }
    if (problem->model->contacts > CRM_REACHABLE_CONTACTS) {
        outcome->result = CRM_FAILED;
        snprintf(outcome->reason, sizeof outcome->reason,
                 "the enumeration takes at most %d contacts, the system has %zu",
                 CRM_REACHABLE_CONTACTS, problem->model->contacts);
        return CRM_OK;
    }
    const crm_collision_plan single_file = {
        .order = CRM_ORDER_LEAST,
        .most = crm_settings_number(problem->settings, MAX_COLLISIONS),
        .tolerance = TOLERANCE};
    crm_collisions collisions;
    crm_status status = crm_collisions_create(problem, &collisions, error);
    if (status == CRM_OK) {
        status = crm_collisions_run(&collisions, &single_file, error);
    }
    if (status == CRM_OK) {
        status = crm_collisions_report(&collisions, &single_file, outcome, error);
    }
    if (status == CRM_OK) {
        status = enumerate(problem, collisions.scale, outcome, error);
    }
    crm_collisions_release(&collisions);
    return status;
}

static double single(const crm_settings *settings, double restitution)
{
    (void)settings;
    return restitution;
}

extern const crm_law crm_law_sequential;
const crm_law crm_law_sequential = {
    .name = "sequential",
    .summary = "Han-Gilmore: all admissible sequences of single and simultaneous collisions",
    .description =
        "At every stage any connected set of contacts that do not separate, at least one of them "
        "closing, may collide at once: u+ = -e u- on the set, admissible when all its impulses are "
        "positive. Stages follow until nothing closes. All sequences are enumerated, states that "
        "are equal merged. The outcome reported is that of single collisions, least index first; "
        "the note counts the others and lists them. Three equal balls, e = 1: "
        "(0, 0, 1) and (-1/3, 2/3, 2/3).",
    .equation = "while some c_j > 0, one of the connected sets S with all c_S ≥ 0, not all 0:\n"
                "    D_SS q = (1 + e) c_S, q > 0,   p_S ← p_S + q,   c ← c − D_·S q\n"
                "and so for every choice of S",
    .assumptions =
        "As for binary collisions; in addition contacts at rest may be struck together with a "
        "neighbour. With e = 1 energy is kept; with unequal e a simultaneous stage may gain some, "
        "though the outcome reported (single collisions) never does. Rarely unique. Sequences with "
        "e < 1 need not end. At most 64 contacts; sets of dependent contacts are left out.",
    .restitution = "kinematic: of the gap velocities of the contacts that take part in a collision",
    .reference = "I. Han, B.J. Gilmore, ASME J. Mech. Des. 115 (1993) 412-422, as used by V. Acary "
                 "and B. Brogliato.",
    .parameters = parameters,
    .parameter_count = sizeof parameters / sizeof parameters[0],
    .solve = solve,
    .compliance = true,
    .single = single};
