/* The record as text: a table per item, a line per item, totals. */
#include "reproduce/print/print.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/locale.h"
#include "report/text/sheet.h"

/* ---- Shared --------------------------------------------------------------------------------- */

static const char *reason_of(const crm_finding *finding)
{
    bool agrees = finding->verdict == CRM_VERDICT_MATCHES ||
                  finding->verdict == CRM_VERDICT_RECOMPUTED ||
                  finding->verdict == CRM_VERDICT_SANITY;
    return agrees || finding->verdict == CRM_VERDICT_DEVIATES ? NULL : finding->claim->reason;
}

static size_t find_reason(const crm_reasons *reasons, const char *text)
{
    size_t i = 0;
    while (i < reasons->count && strcmp(reasons->texts[i], text) != 0) {
        i++;
    }
    return i;
}

crm_reasons crm_print_reasons(const crm_record *record)
{
    crm_reasons reasons = {0};
    for (size_t i = 0; i < record->item->claim_count; i++) {
        const char *text = reason_of(&record->findings[i]);
        if (text != NULL && reasons.count < CRM_REASONS_MOST &&
            find_reason(&reasons, text) == reasons.count) {
            reasons.texts[reasons.count++] = text;
        }
    }
    return reasons;
}

char crm_print_reason_letter(const crm_reasons *reasons, const crm_finding *finding)
{
    const char *text = reason_of(finding);
    size_t i = text != NULL ? find_reason(reasons, text) : reasons->count;
    return i < reasons->count ? (char)('a' + i) : 0;
}

void crm_print_deviation(const crm_finding *finding, char *text, size_t size)
{
    static const double ROUNDING = 1e-12;
    text[0] = '\0';
    if (fabs(finding->deviation) < ROUNDING) {
        snprintf(text, size, "0");
    } else if (!isnan(finding->deviation)) {
        crm_snprintf(text, size, "%+.1e", finding->deviation);
    }
}

static void append(char *text, size_t size, const char *format, size_t count, const char *ending)
    __attribute__((format(printf, 3, 0)));

/* ", COUNT ...": the format takes the count and the ending of a verb or a plural. */
static void append(char *text, size_t size, const char *format, size_t count, const char *ending)
{
    size_t used = strlen(text);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(text + used, size - used, format, count, ending);
#pragma GCC diagnostic pop
}

/* Rows that are judged by the print. */
static size_t judged_rows(const size_t counts[CRM_VERDICTS])
{
    return counts[CRM_VERDICT_MATCHES] + counts[CRM_VERDICT_SCHEME] + counts[CRM_VERDICT_ERRATUM] +
           counts[CRM_VERDICT_UNEXPLAINED] + counts[CRM_VERDICT_DEVIATES];
}

void crm_print_counts(const crm_record *record, char *text, size_t size)
{
    static const struct {
        crm_verdict verdict;
        const char *format, *one, *many;
    } parts[] = {
        {CRM_VERDICT_SCHEME, ", %zu carr%s the step error of the paper's scheme", "ies", "y"},
        {CRM_VERDICT_ERRATUM, ", %zu %s the paper's error", "is", "are"},
        {CRM_VERDICT_UNEXPLAINED, ", %zu %s not explained", "is", "are"},
        {CRM_VERDICT_DEVIATES, ", %zu deviate%s", "s", ""},
        {CRM_VERDICT_RECOMPUTED, "; %zu number%s recomputed", "", "s"},
        {CRM_VERDICT_SANITY, "; %zu sanity check%s", "", "s"},
    };
    size_t good = record->counts[CRM_VERDICT_MATCHES], rows = judged_rows(record->counts);
    if (good == rows) {
        snprintf(text, size, rows == 1 ? "%zu row agrees" : "all %zu rows agree", rows);
    } else {
        snprintf(text, size, "%zu of %zu rows agree", good, rows);
    }
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        size_t count = record->counts[parts[i].verdict];
        if (count > 0) {
            append(text, size, parts[i].format, count, count == 1 ? parts[i].one : parts[i].many);
        }
    }
}

void crm_print_scheme(const crm_finding *finding, char *text, size_t size)
{
    text[0] = '\0';
    if (!isnan(finding->scheme_number)) {
        crm_snprintf(text, size, ", %.6g by the scheme", finding->scheme_number);
    }
}

/* ---- The list ------------------------------------------------------------------------------- */

static void put_below(const char *text, const char *more, int column, int width, FILE *stream)
{
    char line[512];
    snprintf(line, sizeof line, "%s%s", text, more);
    crm_text_wrap(stream, width, line, column, column);
}

void crm_print_list(const crm_item *const *items, size_t count, int width, FILE *stream)
{
    enum { COLUMN = 17 };
    for (size_t i = 0; i < count; i++) {
        char kind[256];
        fprintf(stream, "%-*s ", COLUMN - 1, items[i]->name);
        put_below(items[i]->title, items[i]->quick ? "" : " (takes longer)", COLUMN, width, stream);
        snprintf(kind, sizeof kind, "; %s", crm_item_kind_text(items[i]->kind));
        for (size_t k = 0; k < items[i]->also_count; k++) {
            size_t used = strlen(kind);
            snprintf(kind + used, sizeof kind - used, "%s%s", k == 0 ? "; also " : ", ",
                     items[i]->also[k]);
        }
        fprintf(stream, "%*s", COLUMN + 2, "");
        put_below(items[i]->source, kind, COLUMN + 2, width, stream);
    }
}

/* ---- One item ------------------------------------------------------------------------------- */

static crm_tone tone_of(crm_verdict verdict)
{
    static const crm_tone tones[] = {
        [CRM_VERDICT_MATCHES] = CRM_TONE_GOOD,    [CRM_VERDICT_SCHEME] = CRM_TONE_STRONG,
        [CRM_VERDICT_ERRATUM] = CRM_TONE_FORWARD, [CRM_VERDICT_UNEXPLAINED] = CRM_TONE_BACKWARD,
        [CRM_VERDICT_DEVIATES] = CRM_TONE_BAD,    [CRM_VERDICT_RECOMPUTED] = CRM_TONE_FAINT,
        [CRM_VERDICT_SANITY] = CRM_TONE_FAINT,    [CRM_VERDICT_BESIDE] = CRM_TONE_FAINT};
    return tones[verdict];
}

/* As wide as the widest entry of a column. */
typedef struct widths {
    int what, published, ours;
} widths;

static int wider(int width, const char *text)
{
    int needed = crm_text_width(text);
    return needed > width ? needed : width;
}

static widths measure(const crm_record *record)
{
    widths w = {0, 9, 6};
    for (size_t i = 0; i < record->item->claim_count; i++) {
        const crm_finding *finding = &record->findings[i];
        w.what = wider(w.what, finding->claim->what);
        w.published = wider(w.published, finding->published);
        w.ours = wider(w.ours, finding->ours);
    }
    return w;
}

/* printf counts bytes. */
static void put_padded(FILE *stream, const char *text, int width, bool to_right)
{
    int pad = width - crm_text_width(text);
    pad = pad > 0 ? pad : 0;
    fprintf(stream, "%*s%s%*s", to_right ? pad : 0, "", text, to_right ? 0 : pad, "");
}

static void put_row(const crm_record *record, size_t i, const widths *w, const crm_reasons *reasons,
                    const crm_sheet *sheet)
{
    const crm_finding *finding = &record->findings[i];
    char deviation[32], mark[8] = "";
    crm_print_deviation(finding, deviation, sizeof deviation);
    char letter = crm_print_reason_letter(reasons, finding);
    if (letter != 0) {
        snprintf(mark, sizeof mark, " (%c)", letter);
    }
    fputs("  ", sheet->stream);
    put_padded(sheet->stream, finding->claim->what, w->what, false);
    fputs("  ", sheet->stream);
    put_padded(sheet->stream, finding->published, w->published, true);
    fputs("  ", sheet->stream);
    put_padded(sheet->stream, finding->ours, w->ours, true);
    fprintf(sheet->stream, "  %9s  ", deviation);
    crm_sheet_text(sheet, tone_of(finding->verdict), crm_judge_verdict_text(finding->verdict));
    char scheme[48];
    crm_print_scheme(finding, scheme, sizeof scheme);
    fprintf(sheet->stream, "%s%s\n", scheme, mark);
    if (finding->trouble[0] != '\0') {
        fprintf(sheet->stream, "      %s\n", finding->trouble);
    }
}

static void put_reasons(const crm_reasons *reasons, int width, FILE *stream)
{
    for (size_t i = 0; i < reasons->count; i++) {
        fprintf(stream, "  (%c) ", (char)('a' + i));
        crm_text_wrap(stream, width, reasons->texts[i], 6, 6);
    }
}

void crm_print_table(const crm_record *record, crm_style style, FILE *stream)
{
    const crm_item *item = record->item;
    crm_sheet sheet = {.stream = stream, .colour = style.colour};
    crm_reasons reasons = crm_print_reasons(record);
    widths w = measure(record);
    crm_sheet_text(&sheet, CRM_TONE_STRONG, item->name);
    fputs("  ", stream);
    crm_text_wrap(stream, style.width, item->title, crm_text_width(item->name) + 2, 4);
    fputs("  ", stream);
    crm_text_wrap(stream, style.width, item->source, 2, 4);
    if (item->note[0] != '\0') {
        fputs("  ", stream);
        crm_text_wrap(stream, style.width, item->note, 2, 2);
    }
    fprintf(stream, "\n  %*s  %*s  %*s  %9s\n", w.what, "", w.published, "published", w.ours,
            "ours", "deviation");
    for (size_t i = 0; i < item->claim_count; i++) {
        put_row(record, i, &w, &reasons, &sheet);
    }
    char words[256];
    crm_print_counts(record, words, sizeof words);
    fputs("  ", stream);
    crm_sheet_text(&sheet, tone_of(record->verdict), crm_judge_verdict_text(record->verdict));
    fprintf(stream, ": %s", words);
    if (record->digits >= 0) {
        fprintf(stream, ", in at least %d printed digit%s", record->digits,
                record->digits == 1 ? "" : "s");
    }
    fputs("\n", stream);
    put_reasons(&reasons, style.width, stream);
}

/* ---- All of them ---------------------------------------------------------------------------- */

enum { VERDICT_WIDTH = 13, ROWS_COLUMN = 49 };

static void put_line(const crm_record *record, int width, const crm_sheet *sheet)
{
    char words[256], digits[16] = "";
    crm_print_counts(record, words, sizeof words);
    if (record->digits >= 0) {
        snprintf(digits, sizeof digits, "%d", record->digits);
    }
    fprintf(sheet->stream, "%-15s  ", record->item->name);
    crm_sheet_text(sheet, tone_of(record->verdict), crm_judge_verdict_text(record->verdict));
    fprintf(sheet->stream, "%*s  %6s  %-8s ",
            (int)(VERDICT_WIDTH - strlen(crm_judge_verdict_text(record->verdict))), "", digits,
            crm_item_kind_text(record->item->kind));
    int used =
        ROWS_COLUMN + (strlen(record->item->name) > 15 ? (int)strlen(record->item->name) - 15 : 0);
    crm_text_wrap(sheet->stream, width, words, used, ROWS_COLUMN);
}

static void put_totals(size_t count, const size_t items[CRM_VERDICTS],
                       const size_t rows[CRM_VERDICTS], int width, FILE *stream)
{
    char text[256];
    snprintf(text, sizeof text,
             "%zu items: %zu match as printed, %zu carry the step error of a scheme, %zu with "
             "errata, %zu not explained in full, %zu deviate.",
             count, items[CRM_VERDICT_MATCHES], items[CRM_VERDICT_SCHEME],
             items[CRM_VERDICT_ERRATUM], items[CRM_VERDICT_UNEXPLAINED],
             items[CRM_VERDICT_DEVIATES]);
    fputc('\n', stream);
    crm_text_wrap(stream, width, text, 0, 2);
    snprintf(text, sizeof text,
             "%zu rows: %zu agree, %zu carry the step error of a scheme, %zu are errors of the "
             "papers, %zu are not explained, %zu deviate.",
             judged_rows(rows), rows[CRM_VERDICT_MATCHES], rows[CRM_VERDICT_SCHEME],
             rows[CRM_VERDICT_ERRATUM], rows[CRM_VERDICT_UNEXPLAINED], rows[CRM_VERDICT_DEVIATES]);
    crm_text_wrap(stream, width, text, 0, 2);
    snprintf(text, sizeof text,
             "Not counted: %zu numbers recomputed, %zu sanity checks, %zu shown for comparison.",
             rows[CRM_VERDICT_RECOMPUTED], rows[CRM_VERDICT_SANITY], rows[CRM_VERDICT_BESIDE]);
    crm_text_wrap(stream, width, text, 0, 2);
}

void crm_print_summary(crm_record *const *records, size_t count, crm_style style, FILE *stream)
{
    crm_sheet sheet = {.stream = stream, .colour = style.colour};
    size_t items[CRM_VERDICTS] = {0}, rows[CRM_VERDICTS] = {0};
    fprintf(stream, "%-15s  %-13s  %6s  %-8s\n", "item", "verdict", "digits", "kind");
    for (size_t i = 0; i < count; i++) {
        put_line(records[i], style.width, &sheet);
        items[records[i]->verdict]++;
        for (size_t k = 0; k < CRM_VERDICTS; k++) {
            rows[k] += records[i]->counts[k];
        }
    }
    put_totals(count, items, rows, style.width, stream);
}
