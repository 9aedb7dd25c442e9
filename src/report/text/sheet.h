/* A sheet: rows of text with a name and cells under titled columns. Lines, numbers and bars of
 * text. Internal to src/report.
 */
#ifndef CRM_SHEET_H
#define CRM_SHEET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct crm_sheet {
    FILE *stream;
    bool colour;
    int width; /* of a line; 0: any */
    int name_width;
    size_t columns;
    const char *const *titles; /* of the columns */
    bool first_titled;         /* the first column has cells, and so a title */
    int column_width;          /* one for all, */
    const int *widths;         /* or of each, for the heading; NULL: one for all */
    int bar_width;             /* room for a bar behind every cell; 0: none */
    bool bar_signed;           /* bars go from an axis in its middle to either side */
    size_t bar_after;          /* from 1: in a heading, a bar stands behind this column only */
} crm_sheet;

typedef enum crm_tone {
    CRM_TONE_PLAIN,
    CRM_TONE_STRONG,
    CRM_TONE_FAINT,
    CRM_TONE_GOOD,
    CRM_TONE_BAD,
    CRM_TONE_FORWARD,
    CRM_TONE_BACKWARD
} crm_tone;

/* Characters of UTF-8, which printf would count as bytes; of a whole text, of its first bytes. */
int crm_text_width(const char *text);
int crm_text_width_of(const char *text, size_t bytes);
void crm_sheet_text(const crm_sheet *sheet, crm_tone tone, const char *text);
/* In lines of its own. */
void crm_sheet_title(const crm_sheet *sheet, int width, const char *title);
/* A heading above rows, with the columns' titles, in several lines where they are long. */
void crm_sheet_heading(const crm_sheet *sheet, const char *heading);
void crm_sheet_name(const crm_sheet *sheet, const char *name);
void crm_sheet_cell(const crm_sheet *sheet, crm_tone tone, const char *text);
/* A cell with a bar of that part of the bar's width behind it; backward when negative. */
void crm_sheet_bar_cell(const crm_sheet *sheet, const char *text, double part);
void crm_sheet_end_row(const crm_sheet *sheet);
/* The widest line of a title when it is broken to fit `most`. */
int crm_sheet_title_width(const char *title, int most);

/* How many columns go side by side; where not all fit, in parts of about the same size. */
size_t crm_sheet_columns_per_part(int room, int column, size_t count);

/* One format for a block of numbers, so that decimal points are aligned. */
typedef struct crm_scale {
    bool scientific;
    int decimals;
    double zero; /* anything smaller is rounding */
} crm_scale;

crm_scale crm_scale_for(double largest);
void crm_scale_format(crm_scale scale, double value, char *text, size_t size); /* "-" for NAN */

/* Break words into lines: at spaces, so that no line is longer than `width`
 * unless a word is. The first line begins where the cursor is, after `used` characters.
 */
void crm_text_wrap(FILE *stream, int width, const char *text, int used, int indent);
/* "  name      words", the words below one another in a column of their own. */
void crm_text_entry(FILE *stream, int width, const char *name, int column, const char *words);

enum { CRM_BAR_BYTES = 3 }; /* of a cell of a bar, in UTF-8 */
/* A bar of `part` (0 to 1) of `width` cells, in eighths of a cell. */
void crm_text_bar(double part, int width, char *text, size_t size);

#endif
