/* From definitions to what is computed with: copied and checked. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/elementary.h"
#include "model/model.h"

/* Of points and of forces, in size: as those of stored energies. */
static const double LEAST = 1e-140, MOST = 1e140;

/* Where an error is: a contact, and which part of it. */
typedef struct where {
    const char *contact; /* "contacts[3]" */
    const char *part;    /* "loading" */
} where;

static crm_status refuse(const where *w, const char *what, size_t entry, double value,
                         const char *allowed, crm_error *error)
{
    char place[128];
    snprintf(place, sizeof place, "%s.%s", w->contact, w->part);
    return entry == SIZE_MAX ? crm_fail(error, CRM_ERROR_MODEL, place, "%s is %g, must be %s", what,
                                        value, allowed)
                             : crm_fail(error, CRM_ERROR_MODEL, place, "%s %zu is %g, must be %s",
                                        what, entry + 1, value, allowed);
}

static crm_status refuse_missing(const where *w, const char *what, crm_error *error)
{
    char place[128];
    snprintf(place, sizeof place, "%s.%s", w->contact, w->part);
    return crm_fail(error, CRM_ERROR_ARGUMENT, place, "%s is missing", what);
}

static bool is_size(double value)
{
    return value >= LEAST && value <= MOST;
}

/* ---- Curves ---------------------------------------------------------------------------------- */

static crm_status check_power(const where *w, double stiffness, double exponent, crm_error *error)
{
    char place[128];
    snprintf(place, sizeof place, "%s.%s.stiffness", w->contact, w->part);
    crm_status status = crm_ranges_check(CRM_DATUM_STIFFNESS, stiffness, place, 0, error);
    if (status == CRM_OK) {
        snprintf(place, sizeof place, "%s.%s.exponent", w->contact, w->part);
        status = crm_ranges_check(CRM_DATUM_EXPONENT, exponent, place, 0, error);
    }
    return status;
}

/* 0: whole, 1: half of a whole number, 2: another. */
static int roughness(double exponent)
{
    return exponent == floor(exponent) ? 0 : 2 * exponent == floor(2 * exponent) ? 1 : 2;
}

static void note_exponent(crm_curve *c, double exponent)
{
    int before = roughness(c->roughest), now = roughness(exponent);
    bool first = !(c->exponent > 0);
    c->exponent = first || exponent < c->exponent ? exponent : c->exponent;
    if (first || now > before || (now == before && exponent < c->roughest)) {
        c->roughest = exponent;
    }
}

static crm_status make_terms(const crm_curve_def *def, size_t count, crm_curve *c, const where *w,
                             crm_error *error)
{
    if (count == 0 || def->stiffness == NULL || def->exponent == NULL) {
        return refuse_missing(w, "stiffness or exponent", error);
    }
    c->stiffness = CRM_NEW(double, count);
    c->eta = CRM_NEW(double, count);
    if (c->stiffness == NULL || c->eta == NULL) {
        return crm_fail_memory(error);
    }
    for (size_t k = 0; k < count; k++) {
        crm_status status = check_power(w, def->stiffness[k], def->exponent[k], error);
        if (status != CRM_OK) {
            return status;
        }
        c->stiffness[k] = def->stiffness[k];
        c->eta[k] = def->exponent[k];
        note_exponent(c, c->eta[k]);
    }
    c->terms = count;
    c->pieces = 1;
    return CRM_OK;
}

static crm_status make_bounded(const crm_curve_def *def, crm_curve *c, const where *w,
                               crm_error *error)
{
    crm_status status = make_terms(def, 1, c, w, error);
    if (status != CRM_OK) {
        return status;
    }
    if (!is_size(def->yield)) {
        return refuse(w, "yield", SIZE_MAX, def->yield, "a positive indentation", error);
    }
    c->cubic = CRM_NEW(crm_cubic, 2);
    if (c->cubic == NULL) {
        return crm_fail_memory(error);
    }
    c->cubic[1] =
        (crm_cubic){.start = def->yield,
                    .energy = crm_curve_energy(c, def->yield),
                    .a = {crm_curve_force(c, def->yield), crm_curve_slope_on(c, 0, def->yield)}};
    c->pieces = 2;
    return CRM_OK;
}

static crm_status check_points(const crm_curve_def *def, const where *w, crm_error *error)
{
    if (def->count < 2 || def->x == NULL || def->force == NULL) {
        return refuse_missing(w, "a table of two points or more", error);
    }
    if (def->x[0] != 0 || def->force[0] != 0) {
        return refuse(w, def->x[0] != 0 ? "the indentation of point" : "the force of point", 0,
                      def->x[0] != 0 ? def->x[0] : def->force[0],
                      "0: without one there is no "
                      "other",
                      error);
    }
    for (size_t k = 1; k < def->count; k++) {
        if (!is_size(def->x[k]) || !(def->x[k] > def->x[k - 1])) {
            return refuse(w, "the indentation of point", k, def->x[k],
                          "above that of the point before", error);
        }
        if (!is_size(def->force[k]) || !(def->force[k] > def->force[k - 1])) {
            return refuse(w, "the force of point", k, def->force[k],
                          "above that of the point before: a loading curve rises", error);
        }
    }
    return CRM_OK;
}

/* Hermite's cubics through points with slopes, and a line beyond. */
static void fill_cubics(const crm_curve_def *def, const double *slope, crm_cubic *cubic)
{
    double energy = 0;
    for (size_t k = 0; k < def->count; k++) {
        bool last = k + 1 == def->count;
        crm_cubic *c = &cubic[k];
        *c = (crm_cubic){.start = def->x[k], .energy = energy, .a = {def->force[k], slope[k]}};
        if (!last) {
            double h = def->x[k + 1] - def->x[k], d = (def->force[k + 1] - def->force[k]) / h;
            c->a[2] = (3 * d - 2 * slope[k] - slope[k + 1]) / h;
            c->a[3] = (slope[k] + slope[k + 1] - 2 * d) / (h * h);
            energy += h * (c->a[0] + h * (c->a[1] / 2 + h * (c->a[2] / 3 + h * (c->a[3] / 4))));
        }
    }
}

static crm_status make_table(const crm_curve_def *def, crm_curve *c, const where *w,
                             crm_error *error)
{
    crm_status status = check_points(def, w, error);
    if (status != CRM_OK) {
        return status;
    }
    double *slope = CRM_NEW(double, def->count);
    c->cubic = CRM_NEW(crm_cubic, def->count);
    if (slope == NULL || c->cubic == NULL) {
        free(slope);
        return crm_fail_memory(error);
    }
    crm_monotone_slopes(def->count, def->x, def->force, slope);
    fill_cubics(def, slope, c->cubic);
    free(slope);
    c->pieces = def->count;
    note_exponent(c, 1);
    return CRM_OK;
}

static crm_status make_function(const crm_curve_def *def, crm_curve *c, const where *w,
                                crm_error *error)
{
    if (def->function == NULL) {
        return refuse_missing(w, "the function", error);
    }
    double exponent = def->exponent != NULL ? def->exponent[0] : 1.5;
    c->function = def->function;
    c->context = def->context;
    c->pieces = 1;
    note_exponent(c, exponent);
    return check_power(w, 1, exponent, error);
}

static void free_curve(crm_curve *c)
{
    if (c != NULL) {
        free(c->stiffness);
        free(c->eta);
        free(c->cubic);
        free(c);
    }
}

static crm_status make_curve(const crm_curve_def *def, crm_curve **made, const where *w,
                             crm_error *error)
{
    if (def == NULL) {
        return CRM_OK;
    }
    crm_curve *c = *made = CRM_NEW(crm_curve, 1);
    if (c == NULL) {
        return crm_fail_memory(error);
    }
    switch (def->form) {
    case CRM_CURVE_SUM:
        return make_terms(def, def->count, c, w, error);
    case CRM_CURVE_BOUNDED:
        return make_bounded(def, c, w, error);
    case CRM_CURVE_TABLE:
        return make_table(def, c, w, error);
    case CRM_CURVE_FUNCTION:
        return make_function(def, c, w, error);
    }
    return crm_ranges_check_choice(def->form, CRM_CURVE_FUNCTION + 1, w->part, error);
}

/* ---- Restitution ----------------------------------------------------------------------------- */

static crm_status check_restitutions(const crm_restitution_def *def, const where *w,
                                     crm_error *error)
{
    if (def->count < 1 || def->at == NULL || def->value == NULL) {
        return refuse_missing(w, "a table of points", error);
    }
    for (size_t k = 0; k < def->count; k++) {
        bool rises = k == 0 || def->at[k] > def->at[k - 1];
        if (!(def->at[k] >= 0 && def->at[k] <= MOST) || !rises) {
            return refuse(w, def->of_work ? "the work of point" : "the speed of point", k,
                          def->at[k], "0 or positive, and above that of the point before", error);
        }
        if (!(def->value[k] >= 0 && def->value[k] <= 1)) {
            return refuse(w, "the restitution of point", k, def->value[k], "between 0 and 1",
                          error);
        }
    }
    return CRM_OK;
}

static crm_status make_restitutions(const crm_restitution_def *def, crm_restitution *r,
                                    const where *w, crm_error *error)
{
    crm_status status = check_restitutions(def, w, error);
    if (status != CRM_OK) {
        return status;
    }
    r->count = def->count;
    r->at = crm_memory_copy_doubles(def->at, def->count);
    r->value = crm_memory_copy_doubles(def->value, def->count);
    r->slope = CRM_NEW(double, def->count);
    if (r->at == NULL || r->value == NULL || r->slope == NULL) {
        return crm_fail_memory(error);
    }
    if (def->count > 1) {
        crm_monotone_slopes(def->count, r->at, r->value, r->slope);
    }
    return CRM_OK;
}

static void free_restitution(crm_restitution *r)
{
    if (r != NULL) {
        free(r->at);
        free(r->value);
        free(r->slope);
        free(r);
    }
}

static crm_status make_restitution(const crm_restitution_def *def, crm_restitution **made,
                                   const where *w, crm_error *error)
{
    if (def == NULL) {
        return CRM_OK;
    }
    crm_restitution *r = *made = CRM_NEW(crm_restitution, 1);
    if (r == NULL) {
        return crm_fail_memory(error);
    }
    r->form = def->form;
    r->of_work = def->of_work && def->form != CRM_RESTITUTION_YIELD &&
                 def->form != CRM_RESTITUTION_VISCOELASTIC;
    switch (def->form) {
    case CRM_RESTITUTION_TABLE:
        return make_restitutions(def, r, w, error);
    case CRM_RESTITUTION_YIELD:
        r->parameter = def->speed;
        return is_size(def->speed)
                   ? CRM_OK
                   : refuse(w, "the speed of yield", SIZE_MAX, def->speed, "positive", error);
    case CRM_RESTITUTION_VISCOELASTIC:
        r->parameter = def->loss;
        return def->loss >= 0 && def->loss <= MOST
                   ? CRM_OK
                   : refuse(w, "the loss", SIZE_MAX, def->loss, "0 or positive", error);
    case CRM_RESTITUTION_FUNCTION:
        r->function = def->function;
        r->context = def->context;
        return def->function != NULL ? CRM_OK : refuse_missing(w, "the function", error);
    }
    return crm_ranges_check_choice(def->form, CRM_RESTITUTION_FUNCTION + 1, w->part, error);
}

/* ---- Of contacts ----------------------------------------------------------------------------- */

static void free_compliance(crm_compliance *c)
{
    if (c != NULL) {
        free_curve(c->loading);
        free_curve(c->unloading);
        free_restitution(c->restitution);
        free(c);
    }
}

static crm_status make(const crm_compliance_def *def, crm_compliance *c, const char *contact,
                       crm_error *error)
{
    const where loading = {contact, "loading"}, unloading = {contact, "unloading"},
                restitution = {contact, "restitution"};
    if (def->unloading != NULL && def->restitution != NULL) {
        return crm_fail(error, CRM_ERROR_MODEL, contact,
                        "restitution and unloading are both given; with an unloading curve "
                        "restitution is an outcome");
    }
    crm_status status = make_curve(def->loading, &c->loading, &loading, error);
    if (status == CRM_OK) {
        status = make_curve(def->unloading, &c->unloading, &unloading, error);
    }
    return status == CRM_OK
               ? make_restitution(def->restitution, &c->restitution, &restitution, error)
               : status;
}

static bool is_same(const crm_compliance_def *a, const crm_compliance_def *b)
{
    return a->loading == b->loading && a->unloading == b->unloading &&
           a->restitution == b->restitution;
}

static crm_status refuse_both(const char *contact, crm_error *error)
{
    return crm_fail(error, CRM_ERROR_ARGUMENT, contact,
                    "made is given beside loading, unloading or restitution, which it has");
}

/* The definition's, made when it is met for the first time. */
static crm_status find(crm_compliance_store *store, const crm_compliance_def *def,
                       const char *contact, const crm_compliance **found, crm_error *error)
{
    for (size_t k = store->count; k-- > 0;) {
        if (is_same(&store->from[k], def)) {
            *found = store->made[k];
            return CRM_OK;
        }
    }
    size_t more = store->count + 1;
    crm_compliance **made = crm_memory_resize(store->made, more, sizeof *made);
    store->made = made != NULL ? made : store->made;
    crm_compliance_def *from = crm_memory_resize(store->from, more, sizeof *from);
    store->from = from != NULL ? from : store->from;
    crm_compliance *one = made != NULL && from != NULL ? CRM_NEW(crm_compliance, 1) : NULL;
    if (one == NULL) {
        return crm_fail_memory(error);
    }
    store->made[store->count] = one;
    store->from[store->count++] = *def;
    *found = one;
    return make(def, one, contact, error);
}

crm_status crm_compliance_give(crm_compliance_store *store, size_t contacts, size_t j,
                               const crm_compliance_def *def, crm_error *error)
{
    if (!crm_compliance_is_given(def)) {
        return CRM_OK;
    }
    if (store->of == NULL) {
        store->of = CRM_NEW(const crm_compliance *, contacts);
        if (store->of == NULL) {
            return crm_fail_memory(error);
        }
    }
    char contact[48];
    snprintf(contact, sizeof contact, "contacts[%zu]", j + 1);
    if (def->made != NULL) {
        store->of[j] = def->made;
        return is_same(def, &(crm_compliance_def){0}) ? CRM_OK : refuse_both(contact, error);
    }
    return find(store, def, contact, &store->of[j], error);
}

void crm_compliance_release(crm_compliance_store *store)
{
    for (size_t k = 0; k < store->count; k++) {
        free_compliance(store->made[k]);
    }
    free(store->made);
    free(store->from);
    free(store->of);
    *store = (crm_compliance_store){0};
}

/* ---- Of a model ------------------------------------------------------------------------------ */

/* The energy that is stored at a force. */
static double energy_at_force(const crm_model *model, size_t j, double force)
{
    const crm_compliance *c = crm_model_compliance(model, j);
    if (c != NULL && c->loading != NULL) {
        return crm_curve_energy(c->loading, crm_curve_at_force(c->loading, force));
    }
    double eta = model->exponent[j];
    return force * crm_pow(force / model->stiffness[j], 1 / eta) / (1 + eta);
}

static crm_status take_force(crm_model *model, size_t j, double force, crm_error *error)
{
    char place[48];
    snprintf(place, sizeof place, "contacts[%zu].force", j + 1);
    if (!is_size(force)) {
        return crm_fail(error, CRM_ERROR_MODEL, place,
                        "force is %g, must be 0 or positive (from %g to %g)", force, LEAST, MOST);
    }
    if (model->stored_energy[j] > 0) {
        return crm_fail(error, CRM_ERROR_MODEL, place,
                        "force is %g and energy %g: give one of them", force,
                        model->stored_energy[j]);
    }
    model->stored_energy[j] = energy_at_force(model, j, force);
    return CRM_OK;
}

void crm_model_mark_compliance(crm_model *model)
{
    for (size_t j = 0; model->compliance.of != NULL && j < model->contacts; j++) {
        const crm_compliance *c = model->compliance.of[j];
        if (c != NULL && c->loading != NULL) {
            model->stiffness[j] = model->exponent[j] = NAN;
        }
        if (c != NULL && (c->unloading != NULL || c->restitution != NULL)) {
            model->restitution[j] = NAN;
        }
    }
}

crm_status crm_model_comply(crm_model *model, const crm_compliance_def *defs, const double *force,
                            crm_error *error)
{
    crm_status status = CRM_OK;
    for (size_t j = 0; status == CRM_OK && defs != NULL && j < model->contacts; j++) {
        status = crm_compliance_give(&model->compliance, model->contacts, j, &defs[j], error);
    }
    free(model->compliance.from); /* definitions are not asked for any more */
    model->compliance.from = NULL;
    crm_model_mark_compliance(model);
    for (size_t j = 0; status == CRM_OK && force != NULL && j < model->contacts; j++) {
        if (!isnan(force[j]) && force[j] != 0) {
            status = take_force(model, j, force[j], error);
        }
    }
    return status;
}

crm_status crm_model_find_restitution(const crm_model *model, size_t j, double speed, double *e,
                                      crm_error *error)
{
    const crm_compliance *c = crm_model_compliance(model, j);
    if (c == NULL || c->restitution == NULL) {
        *e = model->restitution[j];
        return CRM_OK;
    }
    double own = model->d_diagonal[j], s = speed > 0 ? speed : 0;
    return crm_restitution_find(c->restitution, 0.5 * s * s / own, own, j, e, error);
}
