/* lzb: Liu, Zhao and Brogliato's law, the Darboux-Keller shock dynamics with distributed energy. */
#include <math.h>
#include <stdio.h>

#include "law/lzb/state/state.h"

enum { STIFFNESS_MODEL, SCHEME, TOLERANCE, STEP, MAX_STEPS };

static const crm_parameter parameters[] = {
    [STIFFNESS_MODEL] = {.name = "stiffness_model",
                         .kind = CRM_PARAMETER_CHOICE,
                         .choices = "bi|mono",
                         .text = "Where a contact loses energy: all through expansion, by a "
                                 "different stiffness (bi), or at the end of it (mono)."},
    [SCHEME] = {.name = "scheme",
                .kind = CRM_PARAMETER_CHOICE,
                .choices = "auto|impulse-euler|time-euler",
                .text = "How the equations are integrated: with error control (auto), or by the "
                        "published first-order schemes, which estimate no error; a run in which "
                        "they make more than 1 % of the energy out of nothing fails, and says what "
                        "step it would need."},
    [TOLERANCE] = {.name = "tolerance",
                   .kind = CRM_PARAMETER_NUMBER,
                   .standard = 1e-8,
                   .least = 1e-13,
                   .most = 0.1,
                   .text = "Relative error aimed at in the velocities (auto); size below which "
                           "an endless tail is closed."},
    [STEP] = {.name = "step",
              .kind = CRM_PARAMETER_NUMBER,
              .standard = NAN,
              .least = 0,
              .most = INFINITY,
              .open_least = true,
              .standard_text = "chosen by the scheme",
              .text = "Step of the Euler schemes: a time (time-euler) or an impulse "
                      "(impulse-euler)."},
    [MAX_STEPS] = CRM_MAX_STEPS_PARAMETER,
};

extern const crm_law crm_law_lzb;

bool lzb_options_read(const crm_settings *settings, lzb_options *options)
{
    if (settings->law != &crm_law_lzb) {
        return false;
    }
    *options =
        (lzb_options){.stiffness = (lzb_stiffness)crm_settings_choice(settings, STIFFNESS_MODEL),
                      .scheme = (lzb_scheme)crm_settings_choice(settings, SCHEME),
                      .tolerance = crm_settings_number(settings, TOLERANCE),
                      .step = crm_settings_number(settings, STEP),
                      .max_steps = crm_settings_number(settings, MAX_STEPS)};
    return true;
}

static crm_status solve(const crm_problem *problem, crm_outcome *outcome, crm_error *error)
{
    lzb_options options = {0};
    lzb_options_read(problem->settings, &options);
    return options.scheme == LZB_AUTO ? lzb_solve_auto(problem, &options, outcome, error)
                                      : lzb_solve_euler(problem, &options, outcome, error);
}

/* Bi- and mono-stiffness alike release e^2 of the work of compression, u-^2/(2 D). The published
 * schemes come near that only as far as their step allows.
 */
static double single(const crm_settings *settings, double restitution)
{
    return crm_settings_choice(settings, SCHEME) == LZB_AUTO ? restitution : NAN;
}

const crm_law crm_law_lzb = {
    .name = "lzb",
    .summary = "Liu-Zhao-Brogliato: waves of energy through compliant contacts at frozen positions",
    .description =
        "Each contact stores energy in a spring K x^eta whose loss is set by an energetic "
        "coefficient of restitution; the impact is integrated on the scale of the impulses until "
        "all stored energy is released and no contact closes. Waves, several compressions and "
        "re-entry of a contact come out of it. Depends on stiffness ratios, not on stiffness.",
    .assumptions =
        "Positions do not change during the impact, so an opened contact re-enters as soon as it "
        "closes again; no friction. The law itself always has u+ >= 0, p >= 0 and T+ <= T-; an "
        "impact that was cut short, or whose tail was closed at a price, may miss u+ >= 0, and its "
        "verdict then says so. Mono-stiffness depends discontinuously on the data where a "
        "recompression just precedes an opening.",
    .reference = "C. Liu, Z. Zhao, B. Brogliato, Proc. R. Soc. A 464 (2008) 3193-3211 and 465 "
                 "(2009) 1-23; N.S. Nguyen, B. Brogliato (2018).",
    .parameters = parameters,
    .parameter_count = sizeof parameters / sizeof parameters[0],
    .solve = solve,
    .single = single};
