/* The options of the law: their table, and their values. */
#include "law/lzb/state/state.h"

enum { STIFFNESS_MODEL, SCHEME, TOLERANCE, STEP, CRITICAL_POINTS, MAX_STEPS };

const crm_parameter lzb_options_table[LZB_PARAMETERS] = {
    [STIFFNESS_MODEL] = {.name = "stiffness_model",
                         .kind = CRM_PARAMETER_CHOICE,
                         .choices = "bi|mono",
                         .text = "Where a contact dissipates energy: throughout expansion, by a "
                                 "different stiffness (bi-stiffness), or at the end of expansion, "
                                 "with the same stiffness (mono-stiffness)."},
    [SCHEME] =
        {.name = "scheme",
         .kind = CRM_PARAMETER_CHOICE,
         .choices = "auto|impulse-euler|time-euler|gauss",
         .text = "How the equations are integrated: with error control (auto), or by the "
                 "published first-order schemes, which give no error estimate; a run in which they "
                 "create more than 1 % of the energy fails, and says which step it would need. "
                 "Error control is by Gauss collocation for few contacts and by extrapolated "
                 "leapfrog for many; by collocation for any number (gauss)."},
    [TOLERANCE] = {.name = "tolerance",
                   .kind = CRM_PARAMETER_NUMBER,
                   .standard = 1e-8,
                   .least = 1e-13,
                   .most = 0.1,
                   .text =
                       "Target relative error of the velocities (auto, gauss); size below which an "
                       "endless tail is truncated."},
    [STEP] = {.name = "step",
              .kind = CRM_PARAMETER_NUMBER,
              .standard = NAN,
              .least = 0,
              .most = INFINITY,
              .open_least = true,
              .standard_text = "chosen by the scheme",
              .text = "Step of the Euler schemes: a time (time-euler) or an impulse "
                      "(impulse-euler)."},
    [CRITICAL_POINTS] = {.name = "critical_points",
                         .kind = CRM_PARAMETER_CHOICE,
                         .choices = "passed|located",
                         .text = "What the Euler schemes do where a closing speed becomes 0 or a "
                                 "contact opens within a step: keep the step (passed), or shorten "
                                 "it to end there (located)."},
    [MAX_STEPS] = CRM_MAX_STEPS_PARAMETER("1e6, Euler schemes 1e7, and more for many contacts"),
};

void lzb_options_read(const crm_settings *settings, lzb_options *options)
{
    *options = (lzb_options){
        .stiffness_model = (lzb_stiffness_model)crm_settings_choice(settings, STIFFNESS_MODEL),
        .scheme = (lzb_scheme)crm_settings_choice(settings, SCHEME),
        .tolerance = crm_settings_number(settings, TOLERANCE),
        .step = crm_settings_number(settings, STEP),
        .located = crm_settings_choice(settings, CRITICAL_POINTS) == 1,
        .max_steps = crm_settings_number(settings, MAX_STEPS)};
}
