/* What each contact is, by the options and the restitution. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/elementary.h"
#include "base/locale.h"
#include "law/compliant/compliant.h"

enum { MODEL, DAMPING, ARM, TOLERANCE, MAX_STEPS };
enum { AUTO, ELASTIC, KELVIN_VOIGT, HUNT_CROSSLEY, MAXWELL, ZENER, HYSTERETIC };

const crm_parameter compliant_options_table[COMPLIANT_PARAMETERS] = {
    [MODEL] = {.name = "model",
               .kind = CRM_PARAMETER_CHOICE,
               .choices = "auto|elastic|kelvin-voigt|hunt-crossley|maxwell|zener|hysteretic",
               .text = "Where a contact loses energy; auto: kelvin-voigt where damping is given, "
                       "else hysteretic with a restitution below 1, and elastic with 1."},
    [DAMPING] = {.name = "damping",
                 .kind = CRM_PARAMETER_NUMBER,
                 .each = true,
                 .standard = NAN,
                 .least = 0,
                 .most = INFINITY,
                 .standard_text = "by the restitution, at the largest closing speed of those "
                                  "connected",
                 .text = "C of kelvin-voigt, maxwell and zener, chi of hunt-crossley; kelvin-voigt "
                         "and zener need exponents of at least 1."},
    [ARM] = {.name = "arm_stiffness",
             .kind = CRM_PARAMETER_NUMBER,
             .each = true,
             .standard = NAN,
             .least = 0,
             .most = INFINITY,
             .standard_text = "the stiffness of the contact",
             .text = "K1 of zener."},
    [TOLERANCE] = {.name = "tolerance",
                   .kind = CRM_PARAMETER_NUMBER,
                   .standard = 1e-10,
                   .least = 1e-12,
                   .most = 0.01,
                   .text = "Target relative error of the velocities; size below which an endless "
                           "tail is truncated."},
    [MAX_STEPS] = CRM_MAX_STEPS_PARAMETER("1e6 and more for many contacts"),
};

static const char *const names[] = {"auto",    "elastic", "kelvin-voigt", "hunt-crossley",
                                    "maxwell", "zener",   "hysteretic"};

/* ---- Given per contact ----------------------------------------------------------------------- */

static bool is_given(const crm_settings *settings, size_t option)
{
    size_t count;
    return crm_settings_list(settings, option, &count) != NULL ||
           !isnan(crm_settings_number(settings, option));
}

static double of_contact(const crm_settings *settings, size_t option, size_t j)
{
    size_t count;
    const double *list = crm_settings_list(settings, option, &count);
    return list != NULL ? list[j] : crm_settings_number(settings, option);
}

static crm_status check_count(const crm_problem *problem, size_t option, crm_error *error)
{
    size_t count, contacts = problem->model->contacts;
    const char *name = compliant_options_table[option].name;
    if (crm_settings_list(problem->settings, option, &count) != NULL && count != contacts) {
        return crm_fail(error, CRM_ERROR_OPTION, name,
                        "law compliant: %s has %zu entries, must have one for each of the %zu "
                        "contacts",
                        name, count, contacts);
    }
    return CRM_OK;
}

static crm_status check_options(const crm_problem *problem, crm_error *error)
{
    const crm_settings *settings = problem->settings;
    size_t model = crm_settings_choice(settings, MODEL);
    if (is_given(settings, DAMPING) && (model == ELASTIC || model == HYSTERETIC)) {
        return crm_fail(error, CRM_ERROR_OPTION, "damping",
                        "law compliant: damping is given, but model %s has none%s", names[model],
                        model == HYSTERETIC ? ": it loses by the restitution" : "");
    }
    if (is_given(settings, ARM) && model != ZENER) {
        return crm_fail(error, CRM_ERROR_OPTION, "arm_stiffness",
                        "law compliant: arm_stiffness is given, but model %s has no arm; only "
                        "zener has",
                        names[model]);
    }
    bool by_restitution = !is_given(settings, DAMPING) && model != ELASTIC;
    crm_status status = crm_law_refuse_compliance(
        problem, true, by_restitution,
        "stiffness and exponent of a power, and a number for the restitution, unless its damping "
        "is given or its model elastic; lzb follows other contacts",
        error);
    if (status == CRM_OK) {
        status = check_count(problem, DAMPING, error);
    }
    return status == CRM_OK ? check_count(problem, ARM, error) : status;
}

/* ---- Closing speeds -------------------------------------------------------------------------- */

/* The largest speed, of closing or of what is stored, that comes at each contact: of those it is
 * connected with by D. `queue` and `speed` by contact.
 */
static void spread_speed(const crm_problem *problem, uint32_t *queue, double *speed, size_t from)
{
    const crm_model *model = problem->model;
    size_t count = 0;
    double most = 0;
    speed[from] = 0;
    queue[count++] = (uint32_t)from;
    for (size_t next = 0; next < count; next++) {
        size_t j = queue[next];
        double stored = sqrt(2.0 * model->stored_energy[j] * model->d_diagonal[j]);
        double own = fmax(-problem->gap_velocity[j], stored);
        most = own > most ? own : most; /* not fmax, see compliant.c */
        for (size_t k = model->d_start[j]; k < model->d_start[j + 1]; k++) {
            uint32_t i = model->d_column[k];
            if (isnan(speed[i])) {
                speed[i] = 0;
                queue[count++] = i;
            }
        }
    }
    for (size_t next = 0; next < count; next++) {
        speed[queue[next]] = most;
    }
}

static crm_status find_speeds(const crm_problem *problem, double **speeds, crm_error *error)
{
    size_t s = problem->model->contacts;
    double *speed = CRM_TAKE(problem->pool, double, s);
    uint32_t *queue = CRM_TAKE(problem->pool, uint32_t, s);
    if (speed == NULL || queue == NULL) {
        return crm_fail_memory(error);
    }
    bool connected = crm_model_has_delassus(problem->model);
    for (size_t j = 0; j < s; j++) {
        speed[j] = connected ? NAN : lzb_state_speed(problem);
    }
    for (size_t j = 0; j < s; j++) {
        if (isnan(speed[j])) {
            spread_speed(problem, queue, speed, j);
        }
    }
    *speeds = speed;
    return CRM_OK;
}

/* ---- Damping by restitution ------------------------------------------------------------------ */

/* The last one asked for: contacts are often alike. */
typedef struct known {
    compliant_single single;
    double damping, least;
    bool found;
} known;

static void ask(const compliant_single *single, known *last)
{
    if (memcmp(single, &last->single, sizeof *single) != 0) {
        last->single = *single;
        last->found = compliant_restitution_damping(single, &last->damping, &last->least);
    }
}

/* C or chi, in the units of the contact; with speed 0 nothing happens. */
static double in_units(const crm_model *model, size_t j, const compliant_contact *of, double speed,
                       double damping)
{
    double depth =
        crm_pow(speed * speed / (model->d_diagonal[j] * of->stiffness), 1.0 / (1.0 + of->exponent));
    switch (of->model) {
    case COMPLIANT_HUNT_CROSSLEY:
        return damping / speed;
    case COMPLIANT_MAXWELL:
        return damping * lzb_contact_force(of->stiffness, of->exponent, depth) / speed;
    default:
        return damping * of->stiffness * depth / speed;
    }
}

static crm_status damp_by_restitution(const crm_model *model, size_t j, double speed,
                                      compliant_contact *of, known *last, crm_error *error)
{
    compliant_single single;
    memset(&single, 0, sizeof single);
    single.model = of->model;
    single.exponent = of->exponent;
    single.arm = of->model == COMPLIANT_ZENER ? of->arm / of->stiffness : 0;
    single.restitution = of->restitution;
    if (of->restitution == 1 || !(speed > 0)) {
        of->model = COMPLIANT_ELASTIC;
        return CRM_OK;
    }
    if (of->restitution > 0 && !(of->model == COMPLIANT_ZENER && of->arm == 0)) {
        ask(&single, last);
    }
    if (!(of->restitution > 0) || single.model != last->single.model || !last->found) {
        bool zener = of->model == COMPLIANT_ZENER && of->restitution > 0;
        double least = of->arm > 0 ? last->least : 1;
        char reachable[64];
        crm_snprintf(reachable, sizeof reachable, zener ? "at least %.6g with its arm" : "above 0",
                     least);
        return crm_fail(error, CRM_ERROR_OPTION, "model",
                        "law compliant: restitution %g at contact %zu cannot come from damping by "
                        "model %s, must be %s; or give damping, or model: hysteretic",
                        of->restitution, j + 1, names[of->model + 1], reachable);
    }
    of->damping = in_units(model, j, of, speed, last->damping);
    return CRM_OK;
}

/* ---- One contact ----------------------------------------------------------------------------- */

static crm_status check_contact(const compliant_contact *of, size_t j, bool given, crm_error *error)
{
    bool by_area = of->model == COMPLIANT_KELVIN_VOIGT || of->model == COMPLIANT_ZENER;
    if (by_area && of->exponent < 1) {
        return crm_fail(error, CRM_ERROR_OPTION, given ? "damping" : "model",
                        "law compliant: damping %g with exponent %g at contact %zu: the "
                        "force %s has no bound at first touch for eta < 1",
                        of->damping, of->exponent, j + 1,
                        of->model == COMPLIANT_ZENER ? "K1 x^(eta-1) z" : "C x^(eta-1) x'");
    }
    if (of->model == COMPLIANT_MAXWELL && !(of->damping > 0)) {
        return crm_fail(error, CRM_ERROR_OPTION, "damping",
                        "law compliant: damping is %g at contact %zu, must be above 0 with model "
                        "maxwell",
                        of->damping, j + 1);
    }
    return CRM_OK;
}

static compliant_model model_of(size_t choice, bool damped, double restitution)
{
    if (choice == AUTO) {
        return damped            ? COMPLIANT_KELVIN_VOIGT
               : restitution < 1 ? COMPLIANT_HYSTERETIC
                                 : COMPLIANT_ELASTIC;
    }
    return (compliant_model)(choice - ELASTIC);
}

static crm_status describe(const crm_problem *problem, size_t j, const double *speed,
                           compliant_contact *of, known *last, crm_error *error)
{
    const crm_model *model = problem->model;
    const crm_settings *settings = problem->settings;
    bool given = is_given(settings, DAMPING);
    *of = (compliant_contact){
        .model = model_of(crm_settings_choice(settings, MODEL), given, model->restitution[j]),
        .kind = lzb_contact_kind(model->exponent[j]),
        .stiffness = model->stiffness[j],
        .exponent = model->exponent[j],
        .restitution = model->restitution[j]};
    if (of->model == COMPLIANT_ZENER) {
        of->arm = is_given(settings, ARM) ? of_contact(settings, ARM, j) : of->stiffness;
    }
    crm_status status = CRM_OK;
    bool damped = of->model != COMPLIANT_ELASTIC && of->model != COMPLIANT_HYSTERETIC;
    if (damped && given) {
        of->damping = of_contact(settings, DAMPING, j);
        bool nothing =
            of->model == COMPLIANT_ZENER ? !(of->damping > 0 && of->arm > 0) : !(of->damping > 0);
        if (nothing && of->model != COMPLIANT_MAXWELL) {
            of->model = COMPLIANT_ELASTIC;
        }
    } else if (damped) {
        if (of->exponent >= 1 || of->model == COMPLIANT_HUNT_CROSSLEY ||
            of->model == COMPLIANT_MAXWELL || of->restitution == 1) {
            status = damp_by_restitution(model, j, speed[j], of, last, error);
        }
    } else if (of->restitution == 1) {
        of->model = COMPLIANT_ELASTIC;
    }
    return status == CRM_OK ? check_contact(of, j, given, error) : status;
}

/* ---- Remarks --------------------------------------------------------------------------------- */

static void note(const crm_problem *problem, const compliant_contact *of, crm_outcome *outcome)
{
    const crm_settings *settings = problem->settings;
    size_t s = problem->model->contacts, lossy = 0, choice = crm_settings_choice(settings, MODEL);
    double least = INFINITY, most = 0;
    for (size_t j = 0; j < s; j++) {
        lossy += problem->model->restitution[j] < 1;
        if (of[j].damping > 0) {
            least = of[j].damping < least ? of[j].damping : least;
            most = of[j].damping > most ? of[j].damping : most;
        }
    }
    if (lossy == 0) {
        return;
    }
    if (choice == ELASTIC || is_given(settings, DAMPING)) {
        crm_note_add(outcome,
                     "The restitution of the contacts is not used: %s, so that energy is lost by "
                     "damping only.",
                     choice == ELASTIC ? "model is elastic" : "damping is given");
    } else if (choice == AUTO) {
        crm_note_add(outcome,
                     "No model is chosen: contacts with a restitution below 1 are hysteretic, each "
                     "alone rebounds with it at any speed.");
    } else if (choice != HYSTERETIC && most > 0) {
        crm_note_add(outcome,
                     "Damping by the restitution, at the largest closing speed of those connected: "
                     "%.6g",
                     least);
        crm_note_continue(outcome, least < most ? " to %.6g." : ".", most);
    }
}

/* A spring gives back what it took, a hysteretic contact its part; what a damper does depends on
 * the speed, unless it is chosen by the restitution.
 */
double compliant_options_single(const crm_settings *settings, double restitution)
{
    size_t choice = crm_settings_choice(settings, MODEL);
    return is_given(settings, DAMPING) ? NAN : choice == ELASTIC ? 1 : restitution;
}

crm_status compliant_options_read(const crm_problem *problem, compliant_options *options,
                                  crm_outcome *outcome, crm_error *error)
{
    const crm_model *model = problem->model;
    compliant_contact *contact = CRM_TAKE(problem->pool, compliant_contact, model->contacts);
    double *speed = NULL;
    known last;
    memset(&last, 0, sizeof last);
    *options = (compliant_options){.contact = contact,
                                   .tolerance = crm_settings_number(problem->settings, TOLERANCE),
                                   .max_steps = crm_settings_number(problem->settings, MAX_STEPS)};
    if (isnan(options->max_steps)) {
        options->max_steps = 1e6 + 4e3 * (double)model->contacts;
    }
    crm_status status = contact != NULL ? CRM_OK : crm_fail_memory(error);
    if (status == CRM_OK) {
        status = check_options(problem, error);
    }
    if (status == CRM_OK) {
        status = find_speeds(problem, &speed, error);
    }
    for (size_t j = 0; j < model->contacts && status == CRM_OK; j++) {
        status = describe(problem, j, speed, &contact[j], &last, error);
    }
    if (status == CRM_OK) {
        note(problem, contact, outcome);
    }
    return status;
}
