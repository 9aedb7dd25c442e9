#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/locale.h"
#include "report/report.h"

static bool separates(char c)
{
    return c == ';' || c == '\t' || c == '\r' || c == '\n';
}

/* A spreadsheet takes a cell that begins like this for a formula, within quotes, too, unless it is
 * a number. An apostrophe before it makes it text. One that begins with apostrophes already gets
 * one more, so that taking one away always gives back what was written.
 *
 * One that separates cells by semicolons or tabs, and does not mind quotes within them, sees a cell
 * begin behind each of these: `part`, up to the next.
 */
static bool is_guarded(const char *part)
{
    const char *bare = part + strspn(part, "'");
    char *end;
    if (bare[0] == '\0' || strchr("=+-@\t\r", bare[0]) == NULL) {
        return false;
    }
    (void)crm_strtod(bare, &end);
    return (*end != '\0' && !separates(*end)) || end == bare;
}

char *crm_csv_bare(char *cell)
{
    char *to = cell;
    for (const char *at = cell; *at != '\0'; at++) {
        bool begins = at == cell || separates(at[-1]);
        if (!(begins && *at == '\'' && is_guarded(at))) {
            *to++ = *at;
        }
    }
    *to = '\0';
    return cell;
}

void crm_csv_text(FILE *stream, const char *text)
{
    bool quoted = text[strcspn(text, ",\"\r\n")] != '\0';
    fputs(quoted ? "\"" : "", stream);
    for (const char *at = text; *at != '\0'; at++) {
        bool begins = at == text || separates(at[-1]);
        fputs(begins && is_guarded(at) ? "'" : "", stream);
        fputs(*at == '"' ? "\"" : "", stream);
        fputc(*at, stream);
    }
    fputs(quoted ? "\"" : "", stream);
}

/* With as few digits as give the same number when they are read: 0.52, not 0.52000000000000002. */
void crm_csv_number(FILE *stream, double value)
{
    enum { DIGITS_KEPT = 15, DIGITS_ENOUGH = 17 };
    if (isnan(value)) {
        return;
    }
    char text[32];
    value = value == 0 ? 0.0 : value; /* no "-0" */
    for (int digits = DIGITS_KEPT; digits <= DIGITS_ENOUGH; digits++) {
        crm_snprintf(text, sizeof text, "%.*g", digits, value);
        if (crm_strtod(text, NULL) == value) {
            break;
        }
    }
    fputs(text, stream);
}

/* ---- The columns ----------------------------------------------------------------------------- */

/* Fields of an outcome that have a column, in the columns' order: .csv of the table in
 * field/outcome.c, which counts from 1 without holes (tests/report/test_field.c); those of friction
 * are the last.
 */
typedef struct columns {
    size_t count;
    const crm_outcome_field **fields;
} columns;

static bool order_columns(const crm_model *model, columns *c)
{
    c->fields = CRM_NEW(const crm_outcome_field *, crm_outcome_fields());
    for (size_t i = 0; i < crm_outcome_fields() && c->fields != NULL; i++) {
        const crm_outcome_field *field = crm_outcome_field_at(i);
        if (field->csv > 0 && crm_field_exists(field, model)) {
            c->fields[field->csv - 1] = field;
            c->count++;
        }
    }
    return c->fields != NULL;
}

static void write_heading(const columns *c, FILE *stream)
{
    fputs("law,label,status,kind,index,name", stream);
    for (size_t i = 0; i < c->count; i++) {
        fprintf(stream, ",%s", c->fields[i]->name);
    }
    fputs(",options,reason,note\n", stream);
}

/* ---- The rows -------------------------------------------------------------------------------- */

/* Rows of one law: entry `entry` of the report. */
typedef struct rows {
    const columns *columns;
    const crm_report *report;
    size_t entry;
    FILE *stream;
} rows;

/* The law's options, reason and note, once. */
static void write_texts(const crm_report_entry *entry, bool here, FILE *stream)
{
    char options[1024];
    crm_settings_text(entry->settings, options, sizeof options);
    const char *texts[] = {options, crm_entry_reason(entry),
                           entry->outcome != NULL ? entry->outcome->note : ""};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        fputc(',', stream);
        crm_csv_text(stream, here ? texts[i] : "");
    }
}

static void write_path(FILE *stream, double path)
{
    char words[64];
    crm_field_path_text(path, words, sizeof words);
    crm_csv_text(stream, words);
}

/* Fields that do not belong to the kind of row are left empty. */
static void write_row(const rows *r, crm_field_of of, size_t index, const char *name)
{
    static const char *const kinds[] = {[CRM_OF_IMPACT] = "impact",
                                        [CRM_OF_COORDINATE] = "coordinate",
                                        [CRM_OF_CONTACT] = "contact",
                                        [CRM_OF_BODY] = "body",
                                        [CRM_OF_TANGENT] = "tangent"};
    const crm_report_entry *entry = &r->report->entries[r->entry];
    crm_impact impact = crm_entry_impact(r->report, r->entry);
    fprintf(r->stream, "%s,", entry->law->name);
    crm_csv_text(r->stream, entry->label);
    fprintf(r->stream, ",%s,%s,%zu,", crm_entry_status(entry), kinds[of], index + 1);
    crm_csv_text(r->stream, name);
    for (size_t i = 0; i < r->columns->count; i++) {
        const crm_outcome_field *field = r->columns->fields[i];
        fputc(',', r->stream);
        bool here = crm_field_row(field, impact.model) == of;
        double value = here ? crm_field_value(field, &impact, index) : NAN;
        if (field->kind == CRM_FIELD_PATH) {
            write_path(r->stream, value);
        } else {
            crm_csv_number(r->stream, value);
        }
    }
    write_texts(entry, of == CRM_OF_IMPACT, r->stream);
    fputc('\n', r->stream);
}

static void write_law(const rows *r)
{
    const crm_model *model = r->report->model;
    char name[2 * CRM_NAME_SIZE];
    for (size_t i = 0; i < crm_model_coordinates(model); i++) {
        crm_coordinate_name(model, i, name, CRM_NAME_SIZE);
        write_row(r, CRM_OF_COORDINATE, i, name);
    }
    for (size_t j = 0; j < crm_model_contacts(model); j++) {
        crm_contact_name(model, j, name, sizeof name);
        write_row(r, CRM_OF_CONTACT, j, name);
    }
    size_t tangents = crm_model_tangents(model) > 1 ? 2 * crm_model_contacts(model) : 0;
    for (size_t k = 0; k < tangents; k++) { /* in the plane they are in the contacts' rows */
        crm_contact_tangent_name(model, k, name, sizeof name);
        write_row(r, CRM_OF_TANGENT, k, name);
    }
    write_row(r, CRM_OF_IMPACT, 0, r->report->title);
}

crm_status crm_report_csv(const crm_report *report, FILE *stream, crm_error *error)
{
    columns c = {0};
    if (!order_columns(report->model, &c)) {
        return crm_fail_memory(error);
    }
    write_heading(&c, stream);
    for (size_t i = 0; i < report->count; i++) {
        write_law(&(rows){.columns = &c, .report = report, .entry = i, .stream = stream});
    }
    free(c.fields);
    return CRM_OK;
}
