/* What the reports of derivatives, fits and designs share. Internal to src/report/inverse. */
#ifndef CRM_INVERSE_COMMON_H
#define CRM_INVERSE_COMMON_H

#include "report/inverse.h"
#include "report/json.h"
#include "report/text/sheet.h"

/* Least width of a table's columns; greatest width of the names of rows and columns. */
enum {
    CRM_INVERSE_COLUMN_WIDTH = 12,
    CRM_INVERSE_NAME_WIDTH_MOST = 34,
    CRM_INVERSE_NUMBER_SIZE = 48
};

/* The width of the widest name, within limits. */
int crm_inverse_widest(const char *const *names, size_t count, int least, int most);
/* A sheet whose rows have these names. */
crm_sheet crm_inverse_sheet(crm_style style, FILE *stream, const char *const *names, size_t count);
/* "-" for NAN. Beside `scale`, the size of the terms that sum to the value, rounding is 0. */
void crm_inverse_cell(const crm_sheet *sheet, double value);
void crm_inverse_cell_beside(const crm_sheet *sheet, double value, double scale);
/* The title, and what was computed by which law. */
void crm_inverse_print_head(const crm_sheet *sheet, const char *title, const char *what,
                            const char *law, bool exact);
void crm_inverse_print_sentence(const crm_sheet *sheet, const char *text);

json_t *crm_inverse_json_begin(const char *title, const char *law);
json_t *crm_inverse_json_numbers(const double *values, size_t count);
json_t *crm_inverse_json_rows(const double *values, size_t count, size_t columns);
json_t *crm_inverse_json_texts(const char *const *values, size_t count);
json_t *crm_inverse_json_size(size_t count);
/* How derivatives were computed. */
const char *crm_inverse_json_method(bool exact);

#endif
