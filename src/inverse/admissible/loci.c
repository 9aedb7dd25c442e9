/* Where a law's outcomes are as one of its parameters runs. The system is copied, so that its
 * contacts may have other data; where loading curves stand for these, there are no loci.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inverse/admissible/problem.h"
#include "solve/call.h"

enum { STEPS = 41, COORDINATES_MOST = 300 };

/* What runs. */
typedef enum runs { OF_CONTACTS, OF_LAW, OF_STIFFNESS, OF_RATIOS, OF_ORDERS } runs;

static const struct {
    const char *law;
    runs what;
    const char *parameter;
    double from, to;
    bool logarithmic;
} loci[] = {
    {"lzb", OF_CONTACTS, "restitution", 0, 1, false},
    {"lzb", OF_STIFFNESS, "stiffness ratio", 1e-4, 1e4, true},
    {"moreau", OF_LAW, "restitution", 0, 1, false},
    {"newton", OF_CONTACTS, "restitution", 0, 1, false},
    {"poisson", OF_CONTACTS, "restitution", 0, 1, false},
    {"fremond", OF_CONTACTS, "restitution", 0, 1, false},
    {"binary", OF_ORDERS, "order", 0, 2, false},
    {"impulse-ratio", OF_RATIOS, "ratio", 0, 2, false},
};

typedef struct running {
    const crm_admissible_problem *problem;
    const crm_watch *watch;
    const crm_settings *settings; /* of the scenario's law */
    crm_model *model;             /* a copy */
    double *contacts;             /* room for data of contacts, twice */
} running;

/* ---- A copy of the system -------------------------------------------------------------------- */

static crm_status copy_model(const crm_model *model, crm_model **copy, crm_error *error)
{
    size_t n = crm_model_coordinates(model), s = crm_model_contacts(model);
    double *mass = CRM_NEW(double, n *n), *w = CRM_NEW(double, n *s);
    crm_status status = mass != NULL && w != NULL ? CRM_OK : crm_fail_memory(error);
    for (size_t i = 0; i < n * n && status == CRM_OK; i++) {
        mass[i] = crm_model_mass(model, i / n, i % n);
    }
    for (size_t j = 0; j < s && status == CRM_OK; j++) {
        size_t count;
        const uint32_t *row;
        const double *value;
        crm_model_gradient(model, j, &count, &row, &value);
        for (size_t k = 0; k < count; k++) {
            w[j * n + row[k]] = value[k];
        }
    }
    if (status == CRM_OK) {
        crm_system_def def = crm_system_def_default();
        def.coordinates = n;
        def.contacts = s;
        def.mass_dense = mass;
        def.w_dense = w;
        def.stiffness = crm_model_stiffness(model);
        def.exponent = crm_model_exponent(model);
        def.restitution = crm_model_restitution(model);
        def.stored_energy = crm_model_stored_energy(model);
        def.boundary_velocity = crm_model_boundary_velocity(model);
        status = crm_model_from_system(&def, copy, error);
    }
    free(mass);
    free(w);
    return status;
}

/* ---- One point ------------------------------------------------------------------------------- */

/* Contact 1 keeps its stiffness, the others get `value` times that; or all get this restitution. */
static crm_status change_contacts(running *r, runs what, double value, crm_error *error)
{
    const crm_model *model = r->problem->scenario->model;
    size_t s = crm_model_contacts(model);
    double *restitution = r->contacts, *stiffness = r->contacts + s;
    for (size_t j = 0; j < s; j++) {
        restitution[j] = what == OF_CONTACTS ? value : crm_model_restitution(model)[j];
        stiffness[j] = what == OF_STIFFNESS && j > 0 ? value * crm_model_stiffness(model)[0]
                                                     : crm_model_stiffness(model)[j];
    }
    crm_system_def def = crm_system_def_default();
    def.restitution = restitution;
    def.stiffness = stiffness;
    return crm_model_update(r->model, &def, error);
}

/* The law with its options as in the scenario as far as they matter here, and with this one. */
static crm_status make_settings(const running *r, runs what, double value, crm_settings **settings,
                                crm_error *error)
{
    static const char *const orders[] = {"left-to-right", "right-to-left", "fastest"};
    char model[16];
    double ratio = NAN;
    crm_status status = crm_settings_create(crm_settings_law(r->settings), settings, error);
    if (status != CRM_OK) {
        return status;
    }
    if (what == OF_LAW) {
        status = crm_settings_set_number(*settings, "restitution", value, error);
    } else if (what == OF_ORDERS) {
        status = crm_settings_set_text(*settings, "order", orders[(size_t)value], error);
    } else if (what == OF_RATIOS) {
        const double ratios[] = {1, value};
        status = crm_settings_set_list(*settings, "ratios", 2, ratios, error);
        if (status == CRM_OK &&
            crm_settings_get_number(r->settings, "energy_ratio", &ratio, error) == CRM_OK &&
            !isnan(ratio)) {
            status = crm_settings_set_number(*settings, "energy_ratio", ratio, error);
        }
    } else if (crm_settings_get_text(r->settings, "stiffness_model", model, sizeof model, NULL) ==
               CRM_OK) {
        status = crm_settings_set_text(*settings, "stiffness_model", model, error);
    }
    return status;
}

/* A point without an answer is left out. */
static crm_status add_point(running *r, runs what, double value, crm_admissible_curve *curve,
                            crm_error *error)
{
    crm_settings *settings = NULL;
    crm_outcome *outcome = NULL;
    const crm_admissible_problem *p = r->problem;
    crm_status status = make_settings(r, what, value, &settings, error);
    if (status == CRM_OK) {
        status = change_contacts(r, what, value, error);
    }
    if (status == CRM_OK) {
        status = crm_solve_on(1, r->watch, r->model, p->scenario->velocity, settings, NULL,
                              &outcome, error);
    }
    if (status == CRM_OK && outcome->result == CRM_SOLVED) {
        const crm_impact impact = {
            .model = p->scenario->model, .velocity = p->scenario->velocity, .outcome = outcome};
        curve->value[curve->count] = value;
        curve->x[curve->count] = crm_recorded_value(&p->plane[0].what, &impact);
        curve->y[curve->count++] = crm_recorded_value(&p->plane[1].what, &impact);
    }
    crm_outcome_free(outcome);
    crm_settings_free(settings);
    return status == CRM_ERROR_MEMORY || status == CRM_ERROR_STOPPED ? status : CRM_OK;
}

/* ---- One locus ------------------------------------------------------------------------------- */

static double value_at(size_t locus, size_t step)
{
    double from = loci[locus].from, to = loci[locus].to;
    double part = (double)step / (STEPS - 1);
    if (loci[locus].what == OF_ORDERS) {
        return (double)step;
    }
    /* powers of ten by products: the same everywhere */
    double value = from + (to - from) * part;
    if (loci[locus].logarithmic) {
        value = from;
        for (size_t k = 0; k < step; k++) {
            value *= 1.584893192461113485; /* 10^(8/40) */
        }
    }
    return value;
}

static crm_status add_locus(running *r, size_t locus, const char *label,
                            crm_admissible_picture *picture, crm_error *error)
{
    runs what = loci[locus].what;
    size_t s = crm_model_contacts(r->model);
    size_t count = what == OF_ORDERS ? 3 : STEPS;
    if ((what == OF_STIFFNESS && s < 2) || (what == OF_RATIOS && s != 2)) {
        return CRM_OK;
    }
    crm_admissible_curve *curve = crm_admissible_add_curve(
        picture, what == OF_ORDERS ? CRM_ADMISSIBLE_POINTS : CRM_ADMISSIBLE_LOCUS, label,
        loci[locus].parameter, count);
    crm_status status = curve != NULL ? CRM_OK : crm_fail_memory(error);
    for (size_t k = 0; k < count && status == CRM_OK; k++) {
        status = add_point(r, what, value_at(locus, k), curve, error);
    }
    return status;
}

static crm_status add_of_law(running *r, size_t law, crm_admissible_picture *picture,
                             crm_error *error)
{
    const crm_scenario *scenario = r->problem->scenario;
    r->settings = scenario->laws[law].settings;
    crm_status status = CRM_OK;
    for (size_t k = 0; k < CRM_COUNT(loci) && status == CRM_OK; k++) {
        if (strcmp(loci[k].law, crm_settings_law(r->settings)->name) == 0) {
            status = add_locus(r, k, scenario->laws[law].label, picture, error);
        }
    }
    return status;
}

crm_status crm_admissible_add_loci(const crm_admissible_problem *problem, const crm_watch *watch,
                                   crm_admissible_picture *picture, crm_error *error)
{
    const crm_scenario *scenario = problem->scenario;
    if (crm_model_coordinates(scenario->model) > COORDINATES_MOST ||
        crm_model_has_compliance(scenario->model)) {
        return CRM_OK;
    }
    running r = {.problem = problem,
                 .watch = watch,
                 .contacts = CRM_NEW(double, 2 * crm_model_contacts(scenario->model))};
    crm_status status = r.contacts != NULL ? CRM_OK : crm_fail_memory(error);
    if (status == CRM_OK) {
        status = copy_model(scenario->model, &r.model, error);
    }
    size_t most = scenario->law_count < 16 ? scenario->law_count : 16;
    for (size_t i = 0; i < most && status == CRM_OK; i++) {
        status = add_of_law(&r, i, picture, error);
    }
    crm_model_free(r.model);
    free(r.contacts);
    return status;
}
