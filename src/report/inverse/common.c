/* What the reports of derivatives, fits and designs share. */
#include "report/inverse/common.h"

#include <math.h>

#include "base/base.h"
#include "base/locale.h"

int crm_inverse_widest(const char *const *names, size_t count, int least, int most)
{
    int width = least;
    for (size_t i = 0; i < count; i++) {
        int own = crm_text_width(names[i]);
        width = own > width ? own : width;
    }
    return width < most ? width : most;
}

crm_sheet crm_inverse_sheet(crm_style style, FILE *stream, const char *const *names, size_t count)
{
    crm_sheet sheet = {.stream = stream,
                       .colour = style.colour,
                       .width = style.width,
                       .first_titled = true,
                       .column_width = CRM_INVERSE_COLUMN_WIDTH};
    sheet.name_width = crm_inverse_widest(names, count, 0, CRM_INVERSE_NAME_WIDTH_MOST);
    return sheet;
}

/* A number below this part of the terms that sum to it is rounding. */
static const double ROUNDING = 1e-13;

void crm_inverse_cell_beside(const crm_sheet *sheet, double value, double scale)
{
    char text[CRM_INVERSE_NUMBER_SIZE] = "-";
    value = fabs(value) <= ROUNDING * scale ? 0 : value;
    if (!isnan(value)) {
        crm_snprintf(text, sizeof text, "%.6g", value);
    }
    crm_sheet_cell(sheet, CRM_TONE_PLAIN, text);
}

void crm_inverse_cell(const crm_sheet *sheet, double value)
{
    crm_inverse_cell_beside(sheet, value, 0);
}

void crm_inverse_print_head(const crm_sheet *sheet, const char *title, const char *what,
                            const char *law, bool exact)
{
    char text[256];
    if (title[0] != '\0') {
        crm_sheet_title(sheet, sheet->width, title);
    }
    snprintf(text, sizeof text, "%s, law %s; %s", what, law,
             exact ? "exact derivatives" : "derivatives by finite differences of whole solves");
    crm_text_wrap(sheet->stream, sheet->width, text, 0, 2);
}

void crm_inverse_print_sentence(const crm_sheet *sheet, const char *text)
{
    crm_text_wrap(sheet->stream, sheet->width, text, 0, 2);
}

json_t *crm_inverse_json_numbers(const double *values, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        crm_json_add(&array, crm_json_number(values[i]));
    }
    return array;
}

json_t *crm_inverse_json_rows(const double *values, size_t count, size_t columns)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        crm_json_add(&array, crm_inverse_json_numbers(values + i * columns, columns));
    }
    return array;
}

json_t *crm_inverse_json_texts(const char *const *values, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        crm_json_add(&array, json_string(values[i]));
    }
    return array;
}

json_t *crm_inverse_json_begin(const char *title, const char *law)
{
    json_t *object = json_object();
    crm_json_put(&object, "carom", json_string(crm_version()));
    crm_json_put(&object, "title", json_string(title));
    crm_json_put(&object, "law", json_string(law));
    return object;
}

json_t *crm_inverse_json_size(size_t count)
{
    return json_integer((json_int_t)count);
}

const char *crm_inverse_json_method(bool exact)
{
    return exact ? "exact" : "differences";
}
