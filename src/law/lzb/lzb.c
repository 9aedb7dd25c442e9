/* lzb: Liu, Zhao and Brogliato's law, the Darboux-Keller shock dynamics with distributed energy. */
#include "law/lzb/batch/batch.h"
#include "law/lzb/derivative/path.h"
#include "law/lzb/driver/integrator.h"
#include "law/lzb/euler.h"

static bool has_error_control(const lzb_options *options)
{
    return options->scheme == LZB_AUTO || options->scheme == LZB_GAUSS;
}

/* The loosest tolerance for a caller who knows that slow impacts need not be as exact. */
static const double COARSEST = 1e-3;

/* Errors are relative to the closing speed, which may be next to nothing beside those of others. */
static void loosen(const crm_problem *problem, lzb_options *options)
{
    double allowed = problem->allowed_error, speed = allowed > 0 ? lzb_state_speed(problem) : 0;
    if (speed > 0) {
        options->tolerance = fmax(options->tolerance, fmin(allowed / speed, COARSEST));
    }
}

static crm_status solve(const crm_problem *problem, crm_outcome *outcome, crm_error *error)
{
    lzb_options options;
    lzb_options_read(problem->settings, &options);
    if (!has_error_control(&options) && crm_model_has_compliance(problem->model)) {
        return crm_fail(error, CRM_ERROR_OPTION, "scheme",
                        "law lzb: the published schemes take contacts of one power and one "
                        "restitution; those with a compliance of their own are followed by auto "
                        "and gauss");
    }
    if (!has_error_control(&options) && crm_model_friction(problem->model) != NULL) {
        return crm_fail(error, CRM_ERROR_OPTION, "scheme",
                        "law lzb: the published schemes have no friction; auto and gauss take it");
    }
    loosen(problem, &options);
    return has_error_control(&options) ? lzb_integrator_solve(problem, &options, outcome, error)
                                       : lzb_euler_solve(problem, &options, outcome, error);
}

static double single(const crm_settings *settings, double restitution)
{
    lzb_options options;
    lzb_options_read(settings, &options);
    return has_error_control(&options) ? restitution : NAN;
}

extern const crm_law crm_law_lzb;
const crm_law crm_law_lzb = {
    .name = "lzb",
    .summary = "Liu-Zhao-Brogliato: energy waves through compliant contacts, at frozen positions",
    .description =
        "Each contact stores energy in a spring K x^eta whose loss is set by an energetic "
        "coefficient of restitution; the impact is integrated on the scale of the impulses until "
        "all stored energy is released and no contact closes. Waves, repeated compressions and "
        "contacts that close again are resolved. The outcome depends on stiffness ratios, not on "
        "absolute stiffness.",
    .equation = "M v' = W λ,  p' = λ,  λ_j = K_j x_j^η_j,  c = −u = −(Wᵀv + ŵ)\n"
                "compression:      x_j' = c_j         while c_j ≥ 0\n"
                "expansion, bi:    x_j' = c_j / e_j²  until x_j = 0\n"
                "expansion, mono:  x_j' = c_j         until x_j^(η_j+1) is 1 − e_j² of its peak\n"
                "end:              all x_j = 0 and all c_j ≤ 0",
    .assumptions =
        "Positions do not change during the impact, so an opened contact re-enters as soon as it "
        "closes again. Friction is Coulomb's; tangents have no compliance. The law itself always "
        "has u+ >= 0, p >= 0 and T+ <= T-; an "
        "impact that was cut short, or whose tail was truncated, may violate u+ >= 0, as its "
        "verdict then says. Mono-stiffness depends discontinuously on the data where a "
        "recompression just precedes an opening.",
    .restitution = "energetic: e^2 of the work of compression of a contact is given back",
    .reference = "C. Liu, Z. Zhao, B. Brogliato, Proc. R. Soc. A 464 (2008) 3193-3211 and 465 "
                 "(2009) 1-23; N.S. Nguyen, B. Brogliato (2018).",
    .parameters = lzb_options_table,
    .parameter_count = LZB_PARAMETERS,
    .solve = solve,
    .single = single,
    .create_kept = lzb_integrator_create_kept,
    .free_kept = lzb_integrator_free_kept,
    .lanes = &lzb_batch_of_law,
    .compliance = true,
    .friction = true,
    .derivative = &lzb_derivative_of_law};
