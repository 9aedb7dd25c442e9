/* generalized-newton: a matrix of restitution, by which a closing contact drives others (P2 3.9).
 *
 * p_i >= 0, u_i+ + sum_k e_ik u_k- >= 0, complementary.
 */
#include <math.h>

#include "law/complementarity/derivative.h"

enum { RESTITUTION_MATRIX };

static const crm_parameter parameters[] = {
    [RESTITUTION_MATRIX] = {.name = "restitution_matrix",
                            .kind = CRM_PARAMETER_MATRIX,
                            .standard = NAN,
                            .least = -INFINITY,
                            .most = INFINITY,
                            .standard_text = "the contacts' own restitution on the diagonal",
                            .text = "Row i, column k: the part of the closing speed of contact k "
                                    "before the impact at which contact i leaves."},
};

static const crm_law_causes causes = {.gain = "the matrix of restitution asks for it",
                                      .closing = "the matrix of restitution asks for it"};

static crm_status check_size(size_t count, size_t contacts, crm_error *error)
{
    /* contacts * contacts cannot overflow where a matrix of that many numbers was given */
    bool fits = contacts > 0 ? count / contacts == contacts && count % contacts == 0 : count == 0;
    if (fits) {
        return CRM_OK;
    }
    return crm_fail(error, CRM_ERROR_OPTION, "restitution_matrix",
                    "law generalized-newton: restitution_matrix has %zu numbers, must have a row "
                    "and a column for each of the %zu contacts (%zu x %zu)",
                    count, contacts, contacts, contacts);
}

/* matrix NULL: the contacts' own restitution on the diagonal. */
static void find_rebound(const crm_problem *problem, const void *data, const crm_twofold *u,
                         crm_twofold *rebound)
{
    const double *matrix = data;
    size_t s = problem->model->contacts;
    for (size_t i = 0; i < s; i++) {
        crm_twofold sum = {0, 0};
        if (matrix == NULL) {
            sum = crm_twofold_product(crm_twofold_of(problem->model->restitution[i]), u[i]);
        }
        for (size_t k = 0; matrix != NULL && k < s; k++) {
            sum = crm_twofold_add_product(sum, crm_twofold_of(matrix[i * s + k]), u[k]);
        }
        rebound[i] = crm_twofold_negative(sum);
    }
}

static crm_status solve(const crm_problem *problem, crm_outcome *outcome, crm_error *error)
{
    size_t count;
    const double *matrix = crm_settings_list(problem->settings, RESTITUTION_MATRIX, &count);
    crm_status status = matrix != NULL ? check_size(count, outcome->contacts, error) : CRM_OK;
    if (status != CRM_OK) {
        return status;
    }
    return crm_complementarity_solve_newton(problem, find_rebound, matrix, &causes, outcome, error);
}

/* A matrix fits one number of contacts; `solve` checks whether it is the right one. */
static double single(const crm_settings *settings, double restitution)
{
    size_t count;
    return crm_settings_list(settings, RESTITUTION_MATRIX, &count) == NULL ? restitution : NAN;
}

static crm_status create_trace(const crm_problem *problem, crm_trace_request request, void **trace,
                               double *impulse, crm_error *error)
{
    (void)request;
    size_t count;
    const double *matrix = crm_settings_list(problem->settings, RESTITUTION_MATRIX, &count);
    crm_status status =
        matrix != NULL ? check_size(count, problem->model->contacts, error) : CRM_OK;
    const crm_complementarity_rule rule = {.restitution = problem->model->restitution,
                                           .of_contacts = matrix == NULL,
                                           .matrix = matrix};
    return status == CRM_OK
               ? crm_complementarity_create_trace(problem, &rule, trace, impulse, error)
               : status;
}

static const struct crm_law_derivative derivative = {.create_trace = create_trace,
                                                     .free_trace = crm_complementarity_free_trace,
                                                     .forward = crm_complementarity_forward,
                                                     .reverse = crm_complementarity_reverse};

extern const crm_law crm_law_generalized_newton;
const crm_law crm_law_generalized_newton = {
    .name = "generalized-newton",
    .summary = "Newton with a matrix of restitution: a closing contact may drive others apart",
    .description =
        "As newton, but the speed at which contact i leaves is made up of the closing speeds of "
        "all contacts, by the entries e_ik of a matrix: p >= 0, u+ + E u- >= 0, one of the two "
        "zero at each contact. What waves would carry through the bodies can thus be prescribed: "
        "with "
        "e_21 = 1 and zeros elsewhere the cradle of three balls passes its speed to the last.",
    .equation = "u⁺ = u⁻ + D p,  0 ≤ p_i ⊥ u_i⁺ + Σ_k e_ik u_k⁻ ≥ 0",
    .assumptions =
        "The matrix is known beforehand, relative to moving boundaries, and need not be "
        "symmetric; no friction; stored energies are disregarded. Always p >= 0. Nothing else is "
        "assured: depending on the matrix contacts may close after the impact, energy may be "
        "created, and with contacts that depend on each other there may be no solution.",
    .restitution = "kinematic: of gap velocities, by the matrix or else of each contact",
    .reference = "M. Fremond, Phys. Lett. A 204 (1995) 33-41; Ch. Glocker, Phil. Trans. R. Soc. "
                 "Lond. A 359 (2001) 2385-2404, equation 3.9.",
    .parameters = parameters,
    .parameter_count = sizeof parameters / sizeof parameters[0],
    .solve = solve,
    .single = single,
    .derivative = &derivative};
