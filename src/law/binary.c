/* binary: one pair after the other collides, by Newton's law, until no pair approaches. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "law/collisions/derivative.h"
#include "law/collisions/reachable.h"

#include "base/elementary.h"

enum { ORDER, SEED, MAX_COLLISIONS, TOLERANCE };

static const crm_parameter parameters[] = {
    [ORDER] = {.name = "order",
               .kind = CRM_PARAMETER_CHOICE,
               .choices = "left-to-right|right-to-left|fastest|random|all",
               .text =
                   "Which of several closing contacts collides next: the one of least index, "
                   "of greatest index, of largest closing speed, or a random one; all follows "
                   "every order, counts the outcomes that differ by 1e-9 of the largest closing "
                   "speed or more, and reports how far apart they are."},
    [SEED] = {.name = "seed",
              .kind = CRM_PARAMETER_INTEGER,
              .standard = 1,
              .least = 0,
              .most = 9007199254740992.0,
              .text = "Start of the random numbers for the random order; the same seed gives the "
                      "same collisions."},
    [MAX_COLLISIONS] = CRM_MAX_COLLISIONS_PARAMETER,
    [TOLERANCE] = CRM_COLLISION_TOLERANCE_PARAMETER(1e-250),
};

/* The option's choices, in their order. */
enum { LEFT_TO_RIGHT, RIGHT_TO_LEFT, FASTEST, RANDOM, ALL };

/* Following every order: as far as asked for, and in passing, to see whether the order mattered. */
enum { STATES_ASKED = 200000, STATES_IN_PASSING = 512, CONTACTS_IN_PASSING = 64 };

/* ---- Two contacts: does it end? -------------------------------------------------------------- */

/* Towne and Hadlock's number, for any two coupled contacts. In y_j = c_j / sqrt(D_jj) a collision
 * at contact 1 is
 *     y_1 -> -e_1 y_1,   y_2 -> y_2 + (1 + e_1) k y_1,   k = -cos(kinetic angle),
 * and two in turn are a matrix of determinant e_1 e_2 and trace (1+e_1)(1+e_2)k^2 - e_1 - e_2.
 * Both contacts keep closing for ever only along an eigenvector of positive eigenvalue, so only if
 * trace >= 2 sqrt(determinant):
 *     z = k sqrt((1+e_1)(1+e_2)) / (sqrt(e_1) + sqrt(e_2)) >= 1,
 * for balls of masses m_1, m_2, m_3 and e_1 = e_2 = e
 *     z = (sqrt(e) + 1/sqrt(e)) / 2 / sqrt((1 + m_2/m_1)(1 + m_2/m_3))   (P1 17).
 * For z < 1 the matrix turns every direction: by arccos z per collision when e_1 = e_2, so there
 * are at most ceil(pi / arccos z) of them. For z >= 1 the ratio y_2/y_1 goes to the eigenvector
 * of the larger eigenvalue, unless it starts below that of the smaller one: contact 2 must then
 * already be separating, fast enough not to be caught up with.
 */
static double towne_hadlock(const crm_model *model)
{
    double e1 = model->restitution[0], e2 = model->restitution[1];
    double k = -crm_model_delassus(model, 0, 1) / sqrt(model->d_diagonal[0] * model->d_diagonal[1]);
    return k * sqrt((1 + e1) * (1 + e2)) / (sqrt(e1) + sqrt(e2));
}

static void note_two_contacts(const crm_model *model, crm_outcome *outcome)
{
    if (model->contacts != 2 || crm_model_has_compliance(model) || model->tangents > 0 ||
        !crm_collisions_are_coupled(model, 0, 1, crm_model_delassus(model, 0, 1))) {
        return;
    }
    double z = towne_hadlock(model);
    bool ended = outcome->result == CRM_SOLVED;
    if (z < 1) {
        crm_note_continue(outcome, "Towne and Hadlock's z = %.6g < 1: the collisions end", z);
        if (model->restitution[0] == model->restitution[1]) {
            crm_note_continue(outcome, ", after at most %.0f",
                              ceil(3.14159265358979323846 / crm_acos(z)));
        }
        crm_note_continue(outcome, ".");
    } else {
        crm_note_continue(outcome, "Towne and Hadlock's z = %.6g >= 1: %s.", z,
                          ended
                              ? "collisions of two contacts may have no end, but here one contact "
                                "separates too fast to be caught up with"
                              : "the two contacts collide in turn without end");
    }
}

/* ---- Does the order matter? ------------------------------------------------------------------ */

typedef struct spread {
    double velocity;                  /* largest range of one velocity */
    size_t coordinate;                /* where */
    double least_energy, most_energy; /* after the impact */
} spread;

static crm_status measure_spread(const crm_problem *problem, const crm_reachable *reachable,
                                 spread *s, crm_error *error)
{
    size_t n = problem->model->coordinates;
    double *low = CRM_NEW(double, 3 * n);
    if (low == NULL) {
        return crm_fail_memory(error);
    }
    double *high = low + n, *velocity = high + n;
    *s = (spread){.least_energy = INFINITY};
    crm_status status = CRM_OK;
    for (size_t k = 0; k < reachable->count && status == CRM_OK; k++) {
        status = crm_reachable_velocity(problem, reachable, k, velocity, error);
        double energy = crm_model_kinetic_energy(problem->model, velocity);
        s->least_energy = fmin(s->least_energy, energy);
        s->most_energy = fmax(s->most_energy, energy);
        for (size_t i = 0; i < n; i++) {
            low[i] = k == 0 ? velocity[i] : fmin(low[i], velocity[i]);
            high[i] = k == 0 ? velocity[i] : fmax(high[i], velocity[i]);
            if (high[i] - low[i] > s->velocity) {
                s->velocity = high[i] - low[i];
                s->coordinate = i;
            }
        }
    }
    free(low);
    return status;
}

/* Sequences without an end are cut off; how many limits they have is a matter of closeness. */
static const char *how_many(const crm_reachable *reachable)
{
    if (!reachable->complete) {
        return "At least";
    }
    return reachable->unfinished > 0 ? "About" : "Exactly";
}

static crm_status note_every_order(const crm_problem *problem, const crm_reachable *reachable,
                                   crm_outcome *outcome, crm_error *error)
{
    spread s = {0};
    crm_status status = measure_spread(problem, reachable, &s, error);
    if (status != CRM_OK) {
        return status;
    }
    crm_note_add(
        outcome,
        "%s %zu distinct outcome%s over all orders (this is left-to-right; those that differ "
        "by less than %g of the largest closing speed count as one)",
        how_many(reachable), reachable->count, reachable->count == 1 ? "" : "s",
        crm_reachable_distinct);
    if (reachable->count > 1) {
        crm_note_continue(outcome,
                          ": velocity %zu differs by up to %.6g, energy after from %.6g to %.6g",
                          s.coordinate + 1, s.velocity, s.least_energy, s.most_energy);
    }
    if (reachable->locked > 0) {
        crm_note_continue(outcome, "; on some ways a contact locks");
    }
    if (reachable->unfinished > 0) {
        crm_note_continue(outcome, "; %zu of them die away without an end", reachable->unfinished);
    }
    if (!reachable->complete) {
        crm_note_continue(outcome, "; the search was given up after %zu states", reachable->states);
    }
    crm_note_continue(outcome, ".");
    return CRM_OK;
}

static crm_status follow_every_order(const crm_problem *problem, crm_outcome *outcome,
                                     crm_error *error)
{
    crm_reachable reachable;
    crm_status status = crm_reachable_find(problem, (crm_reachable_limits){.states = STATES_ASKED},
                                           &reachable, error);
    if (status == CRM_OK) {
        outcome->unique = reachable.complete && reachable.count == 1;
        status = note_every_order(problem, &reachable, outcome, error);
    }
    crm_reachable_release(&reachable);
    return status;
}

/* One order was followed. Nothing to choose: any order would have done the same. Else a small
 * search may settle it; where it does not, the answer counts as one of several.
 */
static crm_status judge_order(const crm_collisions *collisions, crm_outcome *outcome,
                              crm_error *error)
{
    outcome->unique = collisions->choices == 0;
    if (outcome->unique) {
        return CRM_OK;
    }
    crm_reachable reachable = {0};
    crm_status status = CRM_OK;
    if (outcome->result == CRM_SOLVED && collisions->contacts <= CONTACTS_IN_PASSING) {
        status = crm_reachable_find(collisions->problem,
                                    (crm_reachable_limits){.states = STATES_IN_PASSING}, &reachable,
                                    error);
        outcome->unique = reachable.complete && reachable.count == 1;
    }
    if (!outcome->unique) {
        crm_note_add(outcome, "Before %llu of %llu collisions several contacts were closing; %s.",
                     (unsigned long long)collisions->choices, (unsigned long long)collisions->count,
                     reachable.count > 1 ? "other orders give other outcomes (order: all)"
                                         : "another order may give another outcome");
    }
    crm_reachable_release(&reachable);
    return status;
}

/* ---- The law --------------------------------------------------------------------------------- */

static crm_collision_plan read_plan(const crm_settings *settings)
{
    static const crm_order orders[] = {[LEFT_TO_RIGHT] = CRM_ORDER_LEAST,
                                       [RIGHT_TO_LEFT] = CRM_ORDER_GREATEST,
                                       [FASTEST] = CRM_ORDER_FASTEST,
                                       [RANDOM] = CRM_ORDER_RANDOM,
                                       [ALL] = CRM_ORDER_LEAST};
    return (crm_collision_plan){.order = orders[crm_settings_choice(settings, ORDER)],
                                .seed = (uint64_t)crm_settings_number(settings, SEED),
                                .most = crm_settings_number(settings, MAX_COLLISIONS),
                                .tolerance = crm_settings_number(settings, TOLERANCE)};
}

static crm_status solve(const crm_problem *problem, crm_outcome *outcome, crm_error *error)
{
    size_t choice = crm_settings_choice(problem->settings, ORDER);
    const crm_collision_plan plan = read_plan(problem->settings);
    crm_collisions collisions = {0};
    crm_status status = crm_law_refuse_compliance(problem, false, false, "", error);
    if (status == CRM_OK) {
        status = crm_collisions_create(problem, &collisions, error);
    }
    if (status == CRM_OK) {
        status = crm_collisions_run(&collisions, &plan, error);
    }
    if (status == CRM_OK) {
        status = crm_collisions_report(&collisions, &plan, outcome, error);
    }
    if (status == CRM_OK) {
        note_two_contacts(problem->model, outcome);
        status = choice == ALL ? follow_every_order(problem, outcome, error)
                               : judge_order(&collisions, outcome, error);
    }
    crm_collisions_release(&collisions);
    return status;
}

static double single(const crm_settings *settings, double restitution)
{
    (void)settings;
    return restitution;
}

/* ---- Derivatives: along the one sequence that there is --------------------------------------- */

static bool has_one_order(const crm_settings *settings)
{
    return crm_settings_choice(settings, ORDER) != ALL;
}

static crm_status create_trace(const crm_problem *problem, crm_trace_request request, void **trace,
                               double *impulse, crm_error *error)
{
    (void)request;
    const crm_collision_plan plan = read_plan(problem->settings);
    return crm_collisions_create_trace(problem, &plan, trace, impulse, error);
}

static const struct crm_law_derivative derivative = {.supports = has_one_order,
                                                     .create_trace = create_trace,
                                                     .free_trace = crm_collisions_free_trace,
                                                     .forward = crm_collisions_forward,
                                                     .reverse = crm_collisions_reverse};

extern const crm_law crm_law_binary;
const crm_law crm_law_binary = {
    .name = "binary",
    .summary = "Binary collisions: pairs collide one after the other, each by Newton's law",
    .description =
        "While some contact closes, one of those that do is picked and gets the impulse "
        "(1 + e) c / D of a collision of its two bodies alone. Which one is picked is a choice "
        "(order) that mechanics does not prescribe, and the outcome may depend on it. Exact for "
        "bodies that do not quite touch; for touching ones it is the limit of contact forces that "
        "grow very steeply with indentation.",
    .equation = "while some c_j > 0, one of these contacts:\n"
                "    q = (1 + e_j) c_j / D_jj,   p_j ← p_j + q,   c ← c − D_·j q\n"
                "friction: instead, with q as time,  du/dq = D (1, f),  f = −μ u_t/|u_t|\n"
                "    or stick, until the part e_j² of the work of compression is returned",
    .assumptions =
        "Collisions are instantaneous and never overlap; stiffness, exponent and stored energy of "
        "the contacts play no part. Always p >= 0 and T+ <= T-, with friction |Q| <= mu p. The "
        "collisions need not end (three balls: if z >= 1), and u+ >= 0 then holds only in the "
        "limit: the outcome is reported as not terminated with the state reached. Not unique "
        "unless every order gives the same. With friction, slip, stick, reversed slip and jams of "
        "each collision are followed; a contact that friction can hold closed for good locks, and "
        "ends the sequence.",
    .restitution = "energetic: of the work of compression, in each collision of a pair; without "
                   "friction kinematic and impulsive restitution are the same",
    .reference = "D.H. Towne, C.R. Hadlock, Am. J. Phys. 45 (1977) 255-259; N.S. Nguyen, B. "
                 "Brogliato (2018), section 3.2 and algorithm 1.",
    .parameters = parameters,
    .parameter_count = sizeof parameters / sizeof parameters[0],
    .solve = solve,
    .compliance = true,
    .friction = true,
    .single = single,
    .derivative = &derivative};
