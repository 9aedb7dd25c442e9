/* Columns of numbers that a reader takes in at a glance. Internal to src/report. */
#ifndef CRM_SHEET_H
#define CRM_SHEET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct crm_sheet {
    FILE *stream;
    bool colour;
    int name_width;
    size_t columns;
    const char *const *titles; /* of the columns */
    bool first_titled;         /* the first column has something in the rows to come */
    int column_width;          /* one for all */
    int bar_width;             /* room for a bar behind every cell; 0: none */
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

/* Lists longer than this are shown by their first and last rows. */
enum { CRM_ROWS_MOST = 40, CRM_ROWS_EDGE = 10 };

/* Characters of UTF-8, which printf would count as bytes. */
int crm_text_width(const char *text);
void crm_sheet_text(const crm_sheet *sheet, crm_tone tone, const char *text);
/* A heading above rows, with the columns' titles, in several lines where they are long. */
void crm_sheet_heading(const crm_sheet *sheet, const char *heading);
void crm_sheet_name(const crm_sheet *sheet, const char *name);
void crm_sheet_cell(const crm_sheet *sheet, crm_tone tone, const char *text);
/* A cell with a bar of that part of the bar's width behind it; backward when negative. */
void crm_sheet_bar_cell(const crm_sheet *sheet, const char *text, double part);
void crm_sheet_end_row(const crm_sheet *sheet);
/* The widest line of a title when it is broken to fit `most`. */
int crm_title_width(const char *title, int most);

/* The next row to show after `row` of `count`, jumping over the middle of a long list. */
size_t crm_sheet_next_row(size_t row, size_t count);
/* Say what was jumped over, if next is not row + 1; `what` is "bodies". */
void crm_sheet_gap(const crm_sheet *sheet, size_t row, size_t next, const char *what);

/* One scale for a block of numbers, so that points stand under points. */
typedef struct crm_scale {
    bool scientific;
    int decimals;
    double zero; /* what is smaller is rounding */
} crm_scale;

crm_scale crm_scale_for(double largest);
void crm_scale_format(crm_scale scale, double value, char *text, size_t size); /* "-" for NAN */

/* Words, wrapped; the first line begins where the cursor is, after `used` characters. */
void crm_text_wrap(FILE *stream, const char *text, int used, int indent);

enum { CRM_BAR_BYTES = 3 }; /* of a cell of a bar, in UTF-8 */
/* A bar of `part` (0 to 1) of `width` cells, in eighths of a cell. */
void crm_bar(double part, int width, char *text, size_t size);

#endif
