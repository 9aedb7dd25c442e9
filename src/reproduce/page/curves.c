/* What the claims of an item are about, as curves: over the item's parameter where it has one, else
 * over the entries of a list such as the velocities. "velocity[3]" is entry 3 of such a curve.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "report/json.h"
#include "reproduce/judge/curve.h"
#include "reproduce/page/parts.h"

enum { NAME_SIZE = 96, LABEL_SIZE = 512 };

/* A claim as one of a curve. */
typedef struct subject {
    crm_claim whole;       /* the claim, about the whole curve */
    char array[NAME_SIZE]; /* its quantity, where that is an entry of a list */
    long entry;            /* which, from 1, or from the last by -1; 0: it is none */
} subject;

/* "velocity[-1]": the list and the number. */
static bool is_entry(const char *quantity, char *array, size_t size, long *entry)
{
    size_t length = strcspn(quantity, "[");
    char *end;
    if (quantity[length] != '[' || length == 0 || length >= size) {
        return false;
    }
    *entry = strtol(quantity + length + 1, &end, 10);
    snprintf(array, size, "%.*s", (int)length, quantity);
    return *entry != 0 && strcmp(end, "]") == 0 && strpbrk(array, "()") == NULL;
}

/* False: it is about no curve. */
static bool make_subject(const crm_record *record, const crm_claim *claim, subject *s)
{
    bool varied = record->item->variation.count > 1;
    *s = (subject){.whole = *claim};
    s->whole.from = -DBL_MAX;
    s->whole.to = DBL_MAX;
    if (claim->kind == CRM_CLAIM_STATUS) {
        return false;
    }
    if (claim->along) {
        return true;
    }
    if (varied) {
        s->whole.at = NAN;
        return true;
    }
    s->whole.along = is_entry(claim->quantity, s->array, sizeof s->array, &s->entry);
    return s->whole.along;
}

static const char *quantity_of(const subject *s)
{
    return s->entry != 0 ? s->array : s->whole.quantity;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool same_chart(const subject *a, const subject *b)
{
    return a->whole.along == b->whole.along && strcmp(quantity_of(a), quantity_of(b)) == 0 &&
           same_text(a->whole.per, b->whole.per) && a->whole.times == b->whole.times &&
           a->whole.power == b->whole.power;
}

/* Both laws by their label: the first may be named or not. */
static const char *law_of(const crm_record *record, const subject *s)
{
    const crm_scenario *scenario = crm_record_point(record, &s->whole)->scenario;
    return s->whole.law != NULL ? s->whole.law : scenario != NULL ? scenario->laws[0].label : "";
}

static bool same_curve(const crm_record *record, const subject *a, const subject *b)
{
    bool same_place = a->whole.at == b->whole.at || (isnan(a->whole.at) && isnan(b->whole.at));
    return same_chart(a, b) && a->whole.case_index == b->whole.case_index && same_place &&
           strcmp(law_of(record, a), law_of(record, b)) == 0;
}

/* ---- One curve ------------------------------------------------------------------------------ */

static void write_label(const crm_record *record, const subject *s, char *text, size_t size)
{
    const crm_item *item = record->item;
    const char *name = item->cases[s->whole.case_index].name;
    text[0] = '\0';
    crm_text_append(text, size, "%s%s%s", name, name[0] != '\0' ? ", " : "", law_of(record, s));
    if (s->whole.along && !isnan(s->whole.at)) {
        crm_text_append(text, size, ", %s = %g", item->variation.parameter, s->whole.at);
    }
}

static json_t *list(const double *values, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        crm_json_add(&array, crm_json_number(values[i]));
    }
    return array;
}

/* The numbers that stand on the curve, as printed, or as computed elsewhere. */
static json_t *marks(const crm_record *record, const subject *curve, size_t entries, bool again)
{
    json_t *array = json_array();
    for (size_t i = 0; i < record->item->claim_count; i++) {
        const crm_claim *claim = &record->item->claims[i];
        subject s;
        if (claim->kind != CRM_CLAIM_VALUE || claim->recomputed != again ||
            !make_subject(record, claim, &s) || !same_curve(record, &s, curve)) {
            continue;
        }
        double last = (double)entries + 1;
        double x = s.entry > 0 ? (double)s.entry : s.entry < 0 ? last + (double)s.entry : claim->at;
        crm_json_add(&array, list((double[]){x, claim->published}, 2));
    }
    return array;
}

/* A list of two is better shown as bars. */
static size_t points_least(const subject *s)
{
    return s->whole.along ? 3 : 2;
}

/* null: it has too few points. */
static json_t *curve_object(const crm_record *record, const subject *s)
{
    char label[LABEL_SIZE], trouble[sizeof((crm_finding *)0)->trouble] = "";
    crm_claim claim = s->whole;
    crm_claim_curve path;
    claim.quantity = quantity_of(s);
    if (!crm_curve_collect(record, &claim, &path, trouble, sizeof trouble)) {
        crm_curve_free(&path);
        return NULL;
    }
    bool enough = path.count >= points_least(s);
    json_t *object = enough ? json_object() : json_null();
    if (enough) {
        write_label(record, s, label, sizeof label);
        crm_json_put(&object, "label", json_string(label));
        crm_json_put(&object, "x", list(path.x, path.count));
        crm_json_put(&object, "y", list(path.y, path.count));
        crm_json_put(&object, "published", marks(record, s, path.count, false));
        crm_json_put(&object, "recomputed", marks(record, s, path.count, true));
    }
    crm_curve_free(&path);
    return object;
}

/* ---- Charts --------------------------------------------------------------------------------- */

static void write_quantity(const subject *s, char *text, size_t size)
{
    text[0] = '\0';
    crm_text_append(text, size, "%s", quantity_of(s));
    if (s->whole.per != NULL) {
        crm_text_append(text, size, " / %s", s->whole.per);
    }
    if (s->whole.power != 1) {
        crm_text_append(text, size, s->whole.per != NULL ? ", to the power %g" : " to the power %g",
                        s->whole.power);
    }
    if (s->whole.times != 1) {
        crm_text_append(text, size, " × %g", s->whole.times);
    }
}

static bool is_first(const crm_record *record, size_t claim, const subject *s, bool of_chart)
{
    for (size_t i = 0; i < claim; i++) {
        subject before;
        if (make_subject(record, &record->item->claims[i], &before) &&
            (of_chart ? same_chart(&before, s) : same_curve(record, &before, s))) {
            return false;
        }
    }
    return true;
}

static json_t *chart_curves(const crm_record *record, const subject *chart)
{
    json_t *array = json_array();
    for (size_t i = 0; i < record->item->claim_count; i++) {
        subject s;
        if (!make_subject(record, &record->item->claims[i], &s) || !same_chart(&s, chart) ||
            !is_first(record, i, &s, false)) {
            continue;
        }
        json_t *curve = curve_object(record, &s);
        if (json_is_null(curve)) {
            json_decref(curve);
        } else {
            crm_json_add(&array, curve);
        }
    }
    return array;
}

json_t *crm_curves_charts(const crm_record *record)
{
    json_t *charts = json_array();
    for (size_t i = 0; i < record->item->claim_count; i++) {
        subject s;
        if (!make_subject(record, &record->item->claims[i], &s) || !is_first(record, i, &s, true)) {
            continue;
        }
        char quantity[LABEL_SIZE];
        const char *parameter = record->item->variation.parameter;
        json_t *curves = chart_curves(record, &s), *object = json_object();
        bool empty = curves != NULL && json_array_size(curves) == 0;
        write_quantity(&s, quantity, sizeof quantity);
        crm_json_put(&object, "quantity", json_string(quantity));
        crm_json_put(&object, "along", json_boolean(s.whole.along));
        crm_json_put(&object, "parameter",
                     s.whole.along || parameter == NULL ? json_null() : json_string(parameter));
        crm_json_put(&object, "curves", curves);
        if (empty) {
            json_decref(object);
        } else {
            crm_json_add(&charts, object);
        }
    }
    return charts;
}
