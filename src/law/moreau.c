/* moreau: Moreau's law, one coefficient of restitution for the whole system.
 *
 * v+ = -e v- + (1+e) proj_M[V; v-], V = {v: W'v + boundary velocity >= 0} (P1 6). The projection
 * is v- + M^-1 W p_c with 0 <= p_c, u- + D p_c >= 0 complementary, so that p = (1+e) p_c solves
 * the problem with q = (1+e) u- (P1 11): Newton's family with rebound -e u-.
 */
#include <math.h>
#include <stdlib.h>

#include "law/complementarity/derivative.h"

enum { RESTITUTION, ANSWERS };

static const crm_parameter parameters[] = {
    [RESTITUTION] = {.name = "restitution",
                     .kind = CRM_PARAMETER_NUMBER,
                     .standard = NAN,
                     .least = 0,
                     .most = 1,
                     .standard_text = "the contacts' common value; required if they differ",
                     .text = "The one coefficient of restitution of the whole system."},
    [ANSWERS] = CRM_ANSWERS_PARAMETER,
};

static const crm_law_causes causes = {
    .closing = "the law also turns round what was parting before",
    .gain_by_friction = "friction opposes the slip after the impact, not that before"};

static crm_status find_restitution(const crm_problem *problem, double *e, crm_error *error)
{
    const crm_model *model = problem->model;
    *e = crm_settings_number(problem->settings, RESTITUTION);
    if (!isnan(*e)) {
        return CRM_OK;
    }
    *e = model->contacts > 0 ? model->restitution[0] : 0;
    for (size_t j = 1; j < model->contacts; j++) {
        if (model->restitution[j] != *e) {
            return crm_fail(error, CRM_ERROR_OPTION, "restitution",
                            "law moreau has one restitution for all contacts, but they differ "
                            "(contact 1: %g, contact %zu: %g); give its option restitution, or "
                            "take law newton, which has one per contact",
                            *e, j + 1, model->restitution[j]);
        }
    }
    return CRM_OK;
}

static void find_rebound(const crm_problem *problem, const void *data, const crm_twofold *u,
                         crm_twofold *rebound)
{
    crm_twofold factor = crm_twofold_of(-*(const double *)data);
    for (size_t j = 0; j < problem->model->contacts; j++) {
        rebound[j] = crm_twofold_product(factor, u[j]);
    }
}

static crm_status solve(const crm_problem *problem, crm_outcome *outcome, crm_error *error)
{
    double e;
    crm_status status = find_restitution(problem, &e, error);
    if (status != CRM_OK) {
        return status;
    }
    const crm_newton_law law = {find_rebound, &e, &causes,
                                crm_settings_choice(problem->settings, ANSWERS) == 1};
    return crm_complementarity_solve_newton(problem, &law, outcome, error);
}

static double single(const crm_settings *settings, double restitution)
{
    double own = crm_settings_number(settings, RESTITUTION);
    return isnan(own) ? restitution : own;
}

static crm_status create_trace(const crm_problem *problem, crm_trace_request request, void **trace,
                               double *impulse, crm_error *error)
{
    (void)request;
    crm_complementarity_rule rule = {
        .of_contacts = isnan(crm_settings_number(problem->settings, RESTITUTION))};
    crm_status status = find_restitution(problem, &rule.common, error);
    return status == CRM_OK
               ? crm_complementarity_create_trace(problem, &rule, trace, impulse, error)
               : status;
}

static const struct crm_law_derivative derivative = {.create_trace = create_trace,
                                                     .free_trace = crm_complementarity_free_trace,
                                                     .forward = crm_complementarity_forward,
                                                     .reverse = crm_complementarity_reverse};

extern const crm_law crm_law_moreau;
const crm_law crm_law_moreau = {
    .name = "moreau",
    .summary = "Moreau: project the velocity on the admissible ones, one restitution for all",
    .description =
        "The velocity is projected, in the metric of kinetic energy, on those that no contact "
        "forbids, and the change this makes is multiplied by 1 + e: v+ = -e v- + (1+e) proj v-. "
        "In the contacts: p >= 0, u+ + e u- >= 0, one of the two zero at each. Only masses and "
        "geometry count, not stiffness: no wave passes, and a struck chain acts as one body.",
    .equation = "u⁺ = u⁻ + D p,  0 ≤ p ⊥ u⁺ + e u⁻ ≥ 0\n"
                "which is  v⁺ = −e v⁻ + (1 + e) proj v⁻\n"
                "friction:  |Q_j| ≤ μ_j p_j,  Q_j = −μ_j p_j u_t⁺/|u_t⁺| where u_t⁺ ≠ 0",
    .assumptions =
        "One coefficient of restitution for all contacts, relative to moving boundaries; stored "
        "energies are disregarded. Always p >= 0. u+ >= 0 if no contact was separating; one that "
        "was (u- > 0) may close after the impact. Without friction T+ <= T-, and velocities are "
        "unique, impulses only if the contacts are independent. With friction, Coulomb's law "
        "between the tangential impulse and the slip after the impact, T+ > T- is possible unless "
        "e = 0, and so are several answers.",
    .restitution = "kinematic: of gap velocities; one value for all contacts",
    .reference = "J.J. Moreau, C. R. Acad. Sci. Paris 296 (1983) 1473-1476, and in Nonsmooth "
                 "Mechanics and Applications, CISM 302 (1988) 1-82; N.S. Nguyen, B. Brogliato "
                 "(2018), section 3.1.",
    .parameters = parameters,
    .parameter_count = sizeof parameters / sizeof parameters[0],
    .solve = solve,
    .create_kept = crm_cones_create_kept,
    .free_kept = crm_cones_free_kept,
    .friction = true,
    .single = single,
    .derivative = &derivative};
