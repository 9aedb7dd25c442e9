/* The page of a parameter study. */
#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "report/json.h"
#include "report/page/assets.h"
#include "report/page/parts.h"
#include "report/page/sweep/study_view.h"

/* Numbers that a page has room for; up to how many they keep all digits. */
static const size_t NUMBERS_MOST = 300000, NUMBERS_EXACT = 150000;
enum { FAILURES_MOST = 500, VALUE_SIZE = 512 };

static const unsigned char *const SCRIPTS[] = {crm_asset_common_js, crm_asset_chart_js,
                                               crm_asset_study_js, NULL};

/* Which points the page has. */
typedef struct kept {
    size_t count;
    size_t *points; /* from the first of the table */
    int digits;
} kept;

/* ---- Which points ---------------------------------------------------------------------------- */

static void keep_extremes(const crm_study_view *p, bool *keep)
{
    size_t points = crm_study_view_points(p);
    for (size_t law = 0; law < crm_study_laws(p->study); law++) {
        for (size_t k = 0; k < p->table->quantities; k++) {
            size_t least = points, most = points;
            for (size_t i = 0; i < points; i++) {
                double value = crm_study_view_value(p, i, law, k);
                if (!isnan(value)) {
                    least = least == points || value < crm_study_view_value(p, least, law, k)
                                ? i
                                : least;
                    most =
                        most == points || value > crm_study_view_value(p, most, law, k) ? i : most;
                }
            }
            if (least < points) {
                keep[least] = keep[most] = true;
            }
        }
    }
}

/* All, or evenly spread ones and those at which a quantity is largest or least. */
static bool choose_points(const crm_study_view *p, kept *k)
{
    size_t points = crm_study_view_points(p);
    size_t per_point = crm_study_fields(p->study) + crm_study_laws(p->study) * p->table->quantities;
    size_t stride = (points * per_point + NUMBERS_MOST - 1) / NUMBERS_MOST;
    bool *keep = CRM_NEW(bool, points);
    k->points = CRM_NEW(size_t, points);
    if (keep == NULL || k->points == NULL) {
        free(keep);
        return false;
    }
    for (size_t i = 0; i<points; i += stride> 0 ? stride : 1) {
        keep[i] = true;
    }
    if (stride > 1) {
        keep_extremes(p, keep);
    }
    for (size_t i = 0; i < points; i++) {
        if (keep[i]) {
            k->points[k->count++] = i;
        }
    }
    k->digits = k->count * per_point > NUMBERS_EXACT ? 9 : 17;
    free(keep);
    return true;
}

/* ---- Fields, failures, quantities ------------------------------------------------------------ */

static json_t *field_object(const crm_study_view *p, size_t field, const kept *k)
{
    bool numeric = crm_study_is_numeric(p->study, field);
    json_t *object = json_object(), *values = json_array();
    for (size_t i = 0; i < k->count && !numeric; i++) {
        char text[VALUE_SIZE];
        crm_study_value_text(p->study, p->first + k->points[i], field, text, sizeof text);
        crm_json_add(&values, json_string(text));
    }
    crm_json_put(&object, "name", json_string(crm_study_field(p->study, field)));
    crm_json_put(&object, "numeric", json_boolean(numeric));
    crm_json_put(&object, "texts", values);
    return object;
}

static json_t *failures(const crm_study_view *p, size_t *count)
{
    size_t laws = crm_study_laws(p->study);
    json_t *array = json_array();
    *count = 0;
    for (size_t row = 0; row < p->table->rows; row++) {
        if (p->table->result[row] == CRM_SOLVED || (*count)++ >= FAILURES_MOST) {
            continue;
        }
        json_t *object = json_object();
        crm_json_put(&object, "point", json_integer((json_int_t)(p->first + row / laws + 1)));
        crm_json_put(&object, "law", json_integer((json_int_t)(row % laws)));
        crm_json_put(&object, "status", json_string(crm_result_text(p->table->result[row])));
        crm_json_put(&object, "reason", json_string(p->table->reason[row]));
        crm_json_add(&array, object);
    }
    return array;
}

static json_t *quantity_objects(const crm_study_view *p)
{
    json_t *array = json_array();
    for (size_t i = 0; i < p->table->quantities; i++) {
        const char *unit = crm_study_view_unit(p, i), *text = crm_study_view_text(p, i);
        json_t *object = json_object();
        crm_json_put(&object, "name", json_string(crm_study_quantity(p->study, i)));
        crm_json_put(&object, "text", text != NULL ? json_string(text) : json_null());
        crm_json_put(&object, "unit", unit != NULL ? json_string(unit) : json_null());
        crm_json_add(&array, object);
    }
    return array;
}

static json_t *about(const crm_study_view *p, const crm_page_source *source, const kept *k)
{
    size_t failed;
    json_t *fields = json_array(), *laws = json_array(), *object = json_object(),
           *report = json_object(), *failed_rows = failures(p, &failed);
    for (size_t i = 0; i < crm_study_fields(p->study); i++) {
        crm_json_add(&fields, field_object(p, i, k));
    }
    for (size_t i = 0; i < crm_study_laws(p->study); i++) {
        crm_json_add(&laws, json_string(crm_study_label(p->study, i)));
    }
    crm_json_put(&report, "kind", json_string("sweep"));
    crm_json_put(&report, "source", crm_page_source_object(source));
    crm_json_put(&report, "points", json_integer((json_int_t)crm_study_view_points(p)));
    crm_json_put(&report, "digits", json_integer(k->digits));
    crm_json_put(&report, "failed", json_integer((json_int_t)failed));
    crm_json_put(&object, "carom", json_string(crm_version()));
    crm_json_put(&object, "title", json_string(crm_study_title(p->study)));
    crm_json_put(&object, "laws", laws);
    crm_json_put(&object, "fields", fields);
    crm_json_put(&object, "quantities", quantity_objects(p));
    crm_json_put(&object, "failures", failed_rows);
    crm_json_put(&object, "report", report);
    return object;
}

/* ---- The numbers ----------------------------------------------------------------------------- */

static void write_number(FILE *stream, double value, int digits, bool first)
{
    fputs(first ? "" : ",", stream);
    crm_page_number(stream, value, digits);
}

/* "points": [...], "inputs": [field][point], "values": [quantity][law][point] */
static void write_numbers(FILE *stream, const crm_study_view *p, const kept *k)
{
    fputs(",\n\"points\":[", stream);
    for (size_t i = 0; i < k->count; i++) {
        fprintf(stream, "%s%zu", i > 0 ? "," : "", p->first + k->points[i] + 1);
    }
    fputs("],\n\"inputs\":[", stream);
    for (size_t f = 0; f < crm_study_fields(p->study); f++) {
        fputs(f > 0 ? ",[" : "[", stream);
        for (size_t i = 0; i < k->count; i++) {
            write_number(stream, crm_study_view_field(p, k->points[i], f), 17, i == 0);
        }
        fputc(']', stream);
    }
    fputs("],\n\"values\":[", stream);
    for (size_t q = 0; q < p->table->quantities; q++) {
        fputs(q > 0 ? ",\n[" : "[", stream);
        for (size_t law = 0; law < crm_study_laws(p->study); law++) {
            fputs(law > 0 ? ",[" : "[", stream);
            for (size_t i = 0; i < k->count; i++) {
                write_number(stream, crm_study_view_value(p, k->points[i], law, q), k->digits,
                             i == 0);
            }
            fputc(']', stream);
        }
        fputc(']', stream);
    }
    fputc(']', stream);
}

crm_status crm_sweep_page_write(const crm_study_view *view, const crm_page_source *source,
                                FILE *stream, crm_error *error)
{
    kept k = {0};
    bool whole = choose_points(view, &k);
    if (whole) {
        crm_page_begin(stream, source);
        whole = crm_page_members(stream, about(view, source, &k));
        write_numbers(stream, view, &k);
        crm_page_end(stream, SCRIPTS, source);
    }
    free(k.points);
    return whole ? CRM_OK : crm_fail_memory(error);
}
