/* Derivatives, fits and designs as JSON: the layout that programs rely on. */
#include "report/inverse/json.h"
#include "report/json.h"

static json_t *numbers(const double *values, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        crm_json_add(&array, crm_json_number(values[i]));
    }
    return array;
}

static json_t *rows(const double *values, size_t count, size_t columns)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        crm_json_add(&array, numbers(values + i * columns, columns));
    }
    return array;
}

static json_t *texts(const char *const *values, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        crm_json_add(&array, json_string(values[i]));
    }
    return array;
}

static json_t *begin(const char *title, const char *law)
{
    json_t *object = json_object();
    crm_json_put(&object, "carom", json_string(crm_version()));
    crm_json_put(&object, "title", json_string(title));
    crm_json_put(&object, "law", json_string(law));
    return object;
}

static json_t *size(size_t count)
{
    return json_integer((json_int_t)count);
}

static const char *way(bool exact)
{
    return exact ? "exact" : "differences";
}

/* ---- Derivatives ---------------------------------------------------------------------------- */

static json_t *uncertain_fields(const crm_sensitivity *t)
{
    json_t *array = json_array();
    for (size_t j = 0; j < t->uncertain_count; j++) {
        json_t *one = json_object();
        crm_json_put(&one, "name", json_string(t->uncertain[j].name));
        crm_json_put(&one, "uncertainty", crm_json_number(t->uncertain[j].deviation));
        crm_json_add(&array, one);
    }
    return array;
}

static json_t *spreads(const crm_sensitivity *t)
{
    json_t *array = json_array();
    for (size_t i = 0; i < t->of_count; i++) {
        const crm_spread *s = &t->spread[i];
        json_t *one = json_object();
        crm_json_put(&one, "what", json_string(t->of[i]));
        crm_json_put(&one, "value", crm_json_number(t->value[i]));
        crm_json_put(&one, "first_order", crm_json_number(s->first_order));
        crm_json_put(&one, "mean", crm_json_number(s->mean));
        crm_json_put(&one, "sampled", crm_json_number(s->sampled));
        crm_json_put(&one, "linear", json_boolean(!s->disagrees));
        crm_json_add(&array, one);
    }
    return array;
}

static json_t *robustness(const crm_sensitivity *t)
{
    json_t *object = json_object();
    crm_json_put(&object, "fields", uncertain_fields(t));
    crm_json_put(&object, "samples", size(t->samples));
    crm_json_put(&object, "unanswered", size(t->unanswered));
    crm_json_put(&object, "outcomes", spreads(t));
    return object;
}

crm_status crm_sensitivity_json(const crm_sensitivity *table, FILE *stream, crm_error *error)
{
    json_t *object = begin(table->title, table->law);
    crm_json_put(&object, "of", texts(table->of, table->of_count));
    crm_json_put(&object, "to", texts(table->to, table->to_count));
    crm_json_put(&object, "value", numbers(table->value, table->of_count));
    crm_json_put(&object, "at", numbers(table->at, table->to_count));
    crm_json_put(&object, "derivative", rows(table->derivative, table->of_count, table->to_count));
    crm_json_put(&object, "derivatives", json_string(way(table->exact)));
    crm_json_put(&object, "note", json_string(table->doubt));
    if (table->uncertain_count > 0) {
        crm_json_put(&object, "uncertainty", robustness(table));
    }
    return crm_json_print(object, stream, error);
}

/* ---- Fits ----------------------------------------------------------------------------------- */

static json_t *parameters(const crm_fit *fit)
{
    json_t *array = json_array();
    for (size_t j = 0; j < fit->parameter_count; j++) {
        const crm_fit_parameter *p = &fit->parameters[j];
        json_t *one = json_object();
        crm_json_put(&one, "name", json_string(p->name));
        crm_json_put(&one, "value", crm_json_number(p->value));
        crm_json_put(&one, "uncertainty", crm_json_number(p->uncertainty));
        crm_json_put(&one, "interval", numbers(p->interval, 2));
        crm_json_put(&one, "determined", json_boolean(p->determined));
        crm_json_put(&one, "at_bound", json_boolean(p->at_bound));
        crm_json_put(&one, "start", crm_json_number(p->start));
        crm_json_add(&array, one);
    }
    return array;
}

static json_t *residuals(const crm_fit *fit)
{
    json_t *array = json_array();
    for (size_t i = 0; i < fit->residual_count; i++) {
        const crm_fit_residual *r = &fit->residuals[i];
        json_t *one = json_object();
        crm_json_put(&one, "what", json_string(r->what));
        crm_json_put(&one, "measured", crm_json_number(r->measured));
        crm_json_put(&one, "uncertainty", crm_json_number(r->uncertainty));
        crm_json_put(&one, "fitted", crm_json_number(r->fitted));
        crm_json_put(&one, "deviation", crm_json_number(r->deviation));
        crm_json_add(&array, one);
    }
    return array;
}

static json_t *minima(const crm_fit *fit)
{
    json_t *array = json_array();
    for (size_t i = 0; i < fit->minimum_count; i++) {
        json_t *one = json_object();
        crm_json_put(&one, "chi2", crm_json_number(fit->minima[i].chi2));
        crm_json_put(&one, "starts", size(fit->minima[i].starts));
        crm_json_put(&one, "values", numbers(fit->minima[i].values, fit->parameter_count));
        crm_json_add(&array, one);
    }
    return array;
}

json_t *crm_fit_object(const crm_fit *fit)
{
    json_t *object = begin(fit->title, fit->law);
    crm_json_put(&object, "parameters", parameters(fit));
    crm_json_put(&object, "correlation",
                 rows(fit->correlation, fit->parameter_count, fit->parameter_count));
    crm_json_put(&object, "residuals", residuals(fit));
    crm_json_put(&object, "chi2", crm_json_number(fit->chi2));
    crm_json_put(&object, "degrees_of_freedom", size(fit->degrees_of_freedom));
    crm_json_put(&object, "converged", json_boolean(fit->converged));
    crm_json_put(&object, "scatter", crm_json_number(fit->scatter));
    crm_json_put(&object, "derivatives", json_string(way(fit->exact)));
    crm_json_put(&object, "starts", size(fit->starts));
    crm_json_put(&object, "failed", size(fit->failed));
    crm_json_put(&object, "minima", minima(fit));
    crm_json_put(&object, "notes", texts(fit->notes, fit->note_count));
    return object;
}

crm_status crm_fit_json(const crm_fit *fit, FILE *stream, crm_error *error)
{
    return crm_json_print(crm_fit_object(fit), stream, error);
}

/* ---- Designs -------------------------------------------------------------------------------- */

static json_t *chosen(const crm_design *design)
{
    json_t *array = json_array();
    for (size_t j = 0; j < design->field_count; j++) {
        json_t *one = json_object();
        crm_json_put(&one, "name", json_string(design->names[j]));
        crm_json_put(&one, "value", crm_json_number(design->best[j]));
        crm_json_put(&one, "start", crm_json_number(design->own[j]));
        crm_json_put(&one, "from", crm_json_number(design->from[j]));
        crm_json_put(&one, "to", crm_json_number(design->to[j]));
        crm_json_add(&array, one);
    }
    return array;
}

static json_t *ends(const crm_design *design)
{
    json_t *array = json_array();
    for (size_t k = 0; k < design->end_count; k++) {
        json_t *one = json_object();
        crm_json_put(&one, "start", crm_json_number(design->ends[k].start));
        crm_json_put(&one, "value", crm_json_number(design->ends[k].value));
        crm_json_put(&one, "converged", json_boolean(design->ends[k].converged));
        crm_json_add(&array, one);
    }
    return array;
}

crm_status crm_design_json(const crm_design *design, FILE *stream, crm_error *error)
{
    json_t *object = begin(design->title, design->law);
    crm_json_put(&object, design->largest ? "maximize" : "minimize", json_string(design->what));
    crm_json_put(&object, "value", crm_json_number(design->value));
    crm_json_put(&object, "start_value", crm_json_number(design->own_value));
    crm_json_put(&object, "start_moved", json_boolean(design->moved));
    crm_json_put(&object, "fields", chosen(design));
    crm_json_put(&object, "starts", ends(design));
    crm_json_put(&object, "method", json_string(design->method));
    crm_json_put(&object, "derivatives", json_string(way(design->exact)));
    crm_json_put(&object, "solves", size(design->evaluations));
    return crm_json_print(object, stream, error);
}
