#include "report/sheet.h"

#include <math.h>
#include <string.h>

enum { LINE_WIDTH = 92, DIGITS = 6 };

int crm_text_width(const char *text)
{
    int width = 0;
    for (; *text != '\0'; text++) {
        width += ((unsigned char)*text & 0xc0) != 0x80;
    }
    return width;
}

void crm_sheet_text(const crm_sheet *sheet, crm_tone tone, const char *text)
{
    static const char *const codes[] = {[CRM_TONE_PLAIN] = NULL,
                                        [CRM_TONE_STRONG] = "\033[1m",
                                        [CRM_TONE_FAINT] = "\033[2m",
                                        [CRM_TONE_BAD] = "\033[1;31m"};
    bool coloured = sheet->colour && codes[tone] != NULL;
    fprintf(sheet->stream, "%s%s%s", coloured ? codes[tone] : "", text, coloured ? "\033[0m" : "");
}

static void pad(const crm_sheet *sheet, int count)
{
    fprintf(sheet->stream, "%*s", count > 0 ? count : 0, "");
}

void crm_sheet_heading(const crm_sheet *sheet, const char *heading)
{
    fputc('\n', sheet->stream);
    crm_sheet_text(sheet, CRM_TONE_STRONG, heading);
    pad(sheet, sheet->name_width + 2 - crm_text_width(heading));
    for (size_t i = 0; i < sheet->columns; i++) {
        bool blank = i == 0 && !sheet->first_titled;
        crm_sheet_cell(sheet, CRM_TONE_STRONG, blank ? "" : sheet->titles[i]);
    }
    crm_sheet_end_row(sheet);
}

void crm_sheet_name(const crm_sheet *sheet, const char *name)
{
    fprintf(sheet->stream, "  %s", name);
    pad(sheet, sheet->name_width - crm_text_width(name));
}

void crm_sheet_cell(const crm_sheet *sheet, crm_tone tone, const char *text)
{
    pad(sheet, sheet->column_width + 2 - crm_text_width(text));
    crm_sheet_text(sheet, tone, text);
}

void crm_sheet_end_row(const crm_sheet *sheet)
{
    fputc('\n', sheet->stream);
}

/* ---- Long lists --------------------------------------------------------------------------- */

size_t crm_sheet_next_row(size_t row, size_t count)
{
    bool at_edge = count > CRM_ROWS_MOST && row + 1 == CRM_ROWS_EDGE;
    return at_edge ? count - CRM_ROWS_EDGE : row + 1;
}

void crm_sheet_gap(const crm_sheet *sheet, size_t row, size_t next, const char *what)
{
    if (next != row + 1) {
        char text[96];
        snprintf(text, sizeof text, "  ... %zu more %s\n", next - row - 1, what);
        crm_sheet_text(sheet, CRM_TONE_FAINT, text);
    }
}

/* ---- Numbers ------------------------------------------------------------------------------ */

crm_scale crm_scale_for(double largest)
{
    crm_scale scale = {.decimals = DIGITS - 1, .zero = largest * 1e-12};
    if (!(largest > 0) || !isfinite(largest)) {
        return scale;
    }
    int magnitude = (int)floor(log10(largest));
    scale.scientific = magnitude < -3 || magnitude > 6;
    if (!scale.scientific) {
        int decimals = DIGITS - 1 - magnitude;
        scale.decimals = decimals > 0 ? decimals : 0;
    }
    return scale;
}

/* Zero is a plain 0 under the units, so that what moves stands out. */
static void format_zero(crm_scale scale, char *text, size_t size)
{
    int behind = scale.decimals > 0 ? scale.decimals + 1 : 0;
    snprintf(text, size, "0%*s", scale.scientific ? 0 : behind, "");
}

void crm_scale_format(crm_scale scale, double value, char *text, size_t size)
{
    if (isnan(value)) {
        snprintf(text, size, "-");
    } else if (fabs(value) <= scale.zero) {
        format_zero(scale, text, size);
    } else if (scale.scientific) {
        snprintf(text, size, "%.*e", DIGITS - 1, value);
    } else if (fabs(value) < 0.5 * pow(10, -scale.decimals)) {
        snprintf(text, size, "%.1e", value); /* small, but not rounding: no row of zeros */
    } else {
        snprintf(text, size, "%.*f", scale.decimals, value);
    }
}

/* ---- Words -------------------------------------------------------------------------------- */

void crm_text_wrap(FILE *stream, const char *text, int used, int indent)
{
    bool first = true;
    while (*text != '\0') {
        int length = (int)strcspn(text, " \n");
        if (length > 0) {
            if (!first && used + 1 + length > LINE_WIDTH) {
                fprintf(stream, "\n%*s", indent, "");
                used = indent;
            } else if (!first) {
                fputc(' ', stream);
                used++;
            }
            fprintf(stream, "%.*s", length, text);
            used += length;
            first = false;
        }
        text += length + (text[length] != '\0');
    }
    fputc('\n', stream);
}
