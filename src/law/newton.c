/* newton: Newton's law of restitution at each contact, in inequality form (P2 3.2).
 *
 * p_j >= 0, u_j+ + e_j u_j- >= 0, complementary. Energy, by p'(u+ + diag(e) u-) = 0:
 *     T+ - T- - (work of the boundaries) = sum (1 - e_j) u_j- p_j / 2             (P2 3.5)
 * <= 0 when no contact separates before the impact. For equal e it is -(1-e)/(1+e) p'Dp/2 anyway.
 */
#include "law/complementarity/derivative.h"

enum { ANSWERS };

static const crm_parameter parameters[] = {[ANSWERS] = CRM_ANSWERS_PARAMETER};

static const crm_law_causes causes = {
    .gain = "an impulse acts where bodies were parting (u- > 0) and the coefficients differ",
    .closing = "the law also turns round what was parting before",
    .gain_by_friction = "friction opposes the slip after the impact, not that before"};

static void find_rebound(const crm_problem *problem, const void *data, const crm_twofold *u,
                         crm_twofold *rebound)
{
    (void)data;
    for (size_t j = 0; j < problem->model->contacts; j++) {
        crm_twofold factor = crm_twofold_of(-problem->model->restitution[j]);
        rebound[j] = crm_twofold_product(factor, u[j]);
    }
}

static crm_status solve(const crm_problem *problem, crm_outcome *outcome, crm_error *error)
{
    const crm_newton_law law = {find_rebound, NULL, &causes,
                                crm_settings_choice(problem->settings, ANSWERS) == 1};
    return crm_complementarity_solve_newton(problem, &law, outcome, error);
}

static double single(const crm_settings *settings, double restitution)
{
    (void)settings;
    return restitution;
}

static crm_status create_trace(const crm_problem *problem, crm_trace_request request, void **trace,
                               double *impulse, crm_error *error)
{
    (void)request;
    const crm_complementarity_rule rule = {.restitution = problem->model->restitution,
                                           .of_contacts = true};
    return crm_complementarity_create_trace(problem, &rule, trace, impulse, error);
}

static const struct crm_law_derivative derivative = {.create_trace = create_trace,
                                                     .free_trace = crm_complementarity_free_trace,
                                                     .forward = crm_complementarity_forward,
                                                     .reverse = crm_complementarity_reverse};

extern const crm_law crm_law_newton;
const crm_law crm_law_newton = {
    .name = "newton",
    .summary = "Newton in inequality form: each contact reverses its own gap velocity",
    .description =
        "A contact that takes part leaves at e_j times the speed at which it closed; one whose "
        "neighbours drive it apart faster than that takes no impulse: p >= 0, u+ + e u- >= 0, one "
        "of the two zero at each contact. With equal coefficients it is Moreau's law.",
    .equation = "u⁺ = u⁻ + D p,  0 ≤ p_j ⊥ u_j⁺ + e_j u_j⁻ ≥ 0\n"
                "friction:  |Q_j| ≤ μ_j p_j,  Q_j = −μ_j p_j u_t⁺/|u_t⁺| where u_t⁺ ≠ 0",
    .assumptions =
        "The contacts' own restitution, relative to moving boundaries; all contacts act at once "
        "and locally, no waves; stored energies are disregarded. Always p >= 0. If no contact was "
        "separating, also u+ >= 0 and, without friction, T+ <= T-. A contact that was (u- > 0) may "
        "close after the impact and, with unequal coefficients, feed energy in. Contacts that "
        "depend on each other, with unequal coefficients, can demand what no impulse can achieve. "
        "With friction, Coulomb's law between the tangential impulse and the slip after the "
        "impact, T+ > T- is possible unless e = 0, and so are several answers.",
    .restitution = "kinematic: of the gap velocity of each contact",
    .reference = "Ch. Glocker, Phil. Trans. R. Soc. Lond. A 359 (2001) 2385-2404, equations 3.2 "
                 "and 3.5.",
    .parameters = parameters,
    .parameter_count = sizeof parameters / sizeof parameters[0],
    .solve = solve,
    .create_kept = crm_cones_create_kept,
    .free_kept = crm_cones_free_kept,
    .friction = true,
    .single = single,
    .derivative = &derivative};
