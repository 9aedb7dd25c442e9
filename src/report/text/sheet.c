#include "report/text/sheet.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/base.h"

void crm_sheet_text(const crm_sheet *sheet, crm_tone tone, const char *text)
{
    static const char *const codes[] = {
        [CRM_TONE_PLAIN] = NULL,         [CRM_TONE_STRONG] = "\033[1m",
        [CRM_TONE_FAINT] = "\033[2m",    [CRM_TONE_GOOD] = "\033[32m",
        [CRM_TONE_BAD] = "\033[1;31m",   [CRM_TONE_FORWARD] = "\033[36m",
        [CRM_TONE_BACKWARD] = "\033[33m"};
    bool coloured = sheet->colour && codes[tone] != NULL && text[0] != '\0';
    fprintf(sheet->stream, "%s%s%s", coloured ? codes[tone] : "", text, coloured ? "\033[0m" : "");
}

static void pad(const crm_sheet *sheet, int count)
{
    fprintf(sheet->stream, "%*s", count > 0 ? count : 0, "");
}

void crm_sheet_title(const crm_sheet *sheet, int width, const char *title)
{
    fputs(sheet->colour ? "\033[1m" : "", sheet->stream);
    crm_text_wrap(sheet->stream, width, title, 0, 0);
    fputs(sheet->colour ? "\033[0m" : "", sheet->stream);
}

/* ---- Titles of columns ----------------------------------------------------------------------- */

enum { TITLE_LINES = 4 };

/* Bytes of the first `most` characters. */
static size_t bytes_of(const char *text, int most)
{
    size_t bytes = 0;
    for (int width = 0; text[bytes] != '\0'; bytes++) {
        width += ((unsigned char)text[bytes] & 0xc0) != 0x80;
        if (width > most) {
            break;
        }
    }
    return bytes;
}

/* Bytes of a title's next line: all that fits, up to the last hyphen or space if it is broken. */
static size_t title_line(const char *title, int most)
{
    size_t fits = bytes_of(title, most), cut = fits;
    if (title[fits] == '\0') {
        return fits;
    }
    while (cut > 0 && title[cut - 1] != '-' && title[cut - 1] != ' ') {
        cut--;
    }
    return cut > 0 ? cut : fits;
}

int crm_sheet_title_width(const char *title, int most)
{
    int widest = 0;
    while (*title != '\0') {
        size_t bytes = title_line(title, most);
        int width = crm_text_width_of(title, bytes);
        widest = width > widest ? width : widest;
        title += bytes;
    }
    return widest;
}

static int count_title_lines(const char *title, int most)
{
    int lines = 0;
    for (; *title != '\0'; title += title_line(title, most)) {
        lines++;
    }
    return lines < TITLE_LINES ? lines : TITLE_LINES;
}

/* Line `line` of a title, from 0; "" when it has fewer. */
static void copy_title_line(const char *title, int most, int line, char *text, size_t size)
{
    for (; line > 0 && *title != '\0'; line--) {
        title += title_line(title, most);
    }
    size_t bytes = title_line(title, most);
    while (bytes > 0 && title[bytes - 1] == ' ') {
        bytes--;
    }
    snprintf(text, size, "%.*s", (int)bytes, title);
}

static const char *title_of(const crm_sheet *sheet, size_t column)
{
    return column == 0 && !sheet->first_titled ? "" : sheet->titles[column];
}

static int width_at(const crm_sheet *sheet, size_t column)
{
    return sheet->widths != NULL ? sheet->widths[column] : sheet->column_width;
}

/* Line `line` of `lines` of the titles; short ones stand on the rows below them. */
static void print_title_line(const crm_sheet *sheet, int line, int lines)
{
    int blank = 0; /* characters without anything so far */
    for (size_t i = 0; i < sheet->columns; i++) {
        const char *title = title_of(sheet, i);
        char text[256] = "";
        int width = width_at(sheet, i), skip = lines - count_title_lines(title, width);
        if (line >= skip) {
            copy_title_line(title, width, line - skip, text, sizeof text);
        }
        bool barred = sheet->bar_width > 0 && (sheet->bar_after == 0 || sheet->bar_after == i + 1);
        int bar = barred ? sheet->bar_width + 1 : 0;
        if (text[0] == '\0') {
            blank += width + 2 + bar;
            continue;
        }
        pad(sheet, blank + width + 2 - crm_text_width(text));
        crm_sheet_text(sheet, CRM_TONE_STRONG, text);
        blank = bar;
    }
    crm_sheet_end_row(sheet);
}

void crm_sheet_heading(const crm_sheet *sheet, const char *heading)
{
    int lines = 1;
    for (size_t i = 0; i < sheet->columns; i++) {
        int own = count_title_lines(title_of(sheet, i), width_at(sheet, i));
        lines = own > lines ? own : lines;
    }
    fputc('\n', sheet->stream);
    for (int line = 0; line < lines; line++) {
        const char *left = line + 1 == lines ? heading : "";
        crm_sheet_text(sheet, CRM_TONE_STRONG, left);
        pad(sheet, sheet->name_width + 2 - crm_text_width(left));
        print_title_line(sheet, line, lines);
    }
}

/* ---- Bars ------------------------------------------------------------------------------------ */

/* Whole cells are U+2588, the rest of 1 to 7 eighths U+258F down to U+2589. */
void crm_text_bar(double part, int width, char *text, size_t size)
{
    int eighths = (int)(fmax(0, fmin(1, part)) * 8 * width + 0.5);
    size_t used = 0;
    text[0] = '\0';
    for (; eighths > 0 && used + CRM_BAR_BYTES < size; eighths -= 8, used += CRM_BAR_BYTES) {
        text[used] = '\xe2';
        text[used + 1] = '\x96';
        text[used + 2] = (char)(0x90 - (eighths < 8 ? eighths : 8));
        text[used + CRM_BAR_BYTES] = '\0';
    }
}

/* A bar of -1 to 1, to the left or right of an axis in the middle of `width` cells. Half cells are
 * as fine as the left side can be: U+2590; the axis is U+2502. */
static void signed_bar(double part, int width, char *text, size_t size)
{
    int side = (width - 1) / 2;
    int halves = part < 0 ? (int)(fmin(1, -part) * 2 * side + 0.5) : 0;
    int blank = side - (halves + 1) / 2;
    char right[CRM_BAR_BYTES * 32 + 1] = "";
    if (part > 0) {
        crm_text_bar(part, side, right, sizeof right);
    }
    snprintf(text, size, "%*s%s", blank, "", halves % 2 != 0 ? "\u2590" : "");
    for (int i = 0; i < halves / 2; i++) {
        crm_text_append(text, size, "\u2588");
    }
    crm_text_append(text, size, "\u2502%s", right);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* A name too long for its column has a line of its own. */
void crm_sheet_name(const crm_sheet *sheet, const char *name)
{
    int width = crm_text_width(name);
    fputs("  ", sheet->stream);
    if (width > sheet->name_width) {
        crm_text_wrap(sheet->stream, sheet->width > 0 ? sheet->width : INT_MAX, name, 2, 4);
        pad(sheet, sheet->name_width + 2);
        return;
    }
    fputs(name, sheet->stream);
    pad(sheet, sheet->name_width - width);
}

static void number_cell(const crm_sheet *sheet, crm_tone tone, const char *text)
{
    pad(sheet, sheet->column_width + 2 - crm_text_width(text));
    crm_sheet_text(sheet, tone, text);
}

void crm_sheet_cell(const crm_sheet *sheet, crm_tone tone, const char *text)
{
    number_cell(sheet, tone, text);
    pad(sheet, sheet->bar_width > 0 ? sheet->bar_width + 1 : 0);
}

void crm_sheet_bar_cell(const crm_sheet *sheet, const char *text, double part)
{
    if (sheet->bar_width == 0) {
        number_cell(sheet, CRM_TONE_PLAIN, text);
        return;
    }
    char bar[CRM_BAR_BYTES * 32 + 1];
    if (sheet->bar_signed) {
        signed_bar(part, sheet->bar_width, bar, sizeof bar);
    } else {
        crm_text_bar(part, sheet->bar_width, bar, sizeof bar);
    }
    number_cell(sheet, CRM_TONE_PLAIN, text);
    fputc(' ', sheet->stream);
    crm_sheet_text(sheet, part < 0 ? CRM_TONE_BACKWARD : CRM_TONE_FORWARD, bar);
    pad(sheet, sheet->bar_width - crm_text_width(bar));
}

void crm_sheet_end_row(const crm_sheet *sheet)
{
    fputc('\n', sheet->stream);
}

size_t crm_sheet_columns_per_part(int room, int column, size_t count)
{
    size_t fit = room >= column ? (size_t)(room / column) : 1, parts = (count + fit - 1) / fit;
    return parts > 1 ? (count + parts - 1) / parts : count;
}
