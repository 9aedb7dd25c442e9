/* The record for people: a table per item, a line per item, a sum. */
#include "reproduce/tell.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/sheet.h"

/* ---- Shared --------------------------------------------------------------------------------- */

static const char *reason_of(const crm_finding *finding)
{
    bool wanted = finding->verdict == CRM_VERDICT_ERRATUM || finding->verdict == CRM_VERDICT_BESIDE;
    return wanted ? finding->claim->reason : NULL;
}

static size_t find_reason(const crm_reasons *reasons, const char *text)
{
    size_t i = 0;
    while (i < reasons->count && strcmp(reasons->texts[i], text) != 0) {
        i++;
    }
    return i;
}

crm_reasons crm_reasons_of(const crm_record *record)
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

char crm_reason_letter(const crm_reasons *reasons, const crm_finding *finding)
{
    const char *text = reason_of(finding);
    size_t i = text != NULL ? find_reason(reasons, text) : reasons->count;
    return i < reasons->count ? (char)('a' + i) : 0;
}

void crm_deviation_text(const crm_finding *finding, char *text, size_t size)
{
    static const double ROUNDING = 1e-12;
    text[0] = '\0';
    if (fabs(finding->deviation) < ROUNDING) {
        snprintf(text, size, "0");
    } else if (!isnan(finding->deviation)) {
        snprintf(text, size, "%+.1e", finding->deviation);
    }
}

void crm_record_words(const crm_record *record, char *text, size_t size)
{
    size_t good = record->counts[CRM_VERDICT_MATCHES];
    size_t known = record->counts[CRM_VERDICT_ERRATUM];
    size_t bad = record->counts[CRM_VERDICT_DEVIATES];
    size_t rows = good + known + bad;
    int used = good == rows
                   ? snprintf(text, size, rows == 1 ? "%zu row agrees" : "all %zu rows agree", rows)
                   : snprintf(text, size, "%zu of %zu rows agree", good, rows);
    size_t at = used > 0 ? (size_t)used : 0;
    if (known > 0 && at < size) {
        at += (size_t)snprintf(text + at, size - at, ", %zu differ%s for a stated reason", known,
                               known == 1 ? "s" : "");
    }
    if (bad > 0 && at < size) {
        snprintf(text + at, size - at, ", %zu deviate%s", bad, bad == 1 ? "s" : "");
    }
}

/* ---- The list ------------------------------------------------------------------------------- */

void crm_records_list(const crm_item *const *items, size_t count, FILE *stream)
{
    for (size_t i = 0; i < count; i++) {
        fprintf(stream, "%-16s %s%s\n", items[i]->name, items[i]->title,
                items[i]->quick ? "" : " (takes longer)");
        fprintf(stream, "%-16s   %s; %s\n", "", items[i]->source,
                crm_item_kind_text(items[i]->kind));
    }
}

/* ---- One item ------------------------------------------------------------------------------- */

static crm_tone tone_of(crm_verdict verdict)
{
    static const crm_tone tones[] = {[CRM_VERDICT_MATCHES] = CRM_TONE_GOOD,
                                     [CRM_VERDICT_ERRATUM] = CRM_TONE_STRONG,
                                     [CRM_VERDICT_DEVIATES] = CRM_TONE_BAD,
                                     [CRM_VERDICT_BESIDE] = CRM_TONE_FAINT};
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
    crm_deviation_text(finding, deviation, sizeof deviation);
    char letter = crm_reason_letter(reasons, finding);
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
    crm_sheet_text(sheet, tone_of(finding->verdict), crm_verdict_text(finding->verdict));
    fprintf(sheet->stream, "%s\n", mark);
    if (finding->trouble[0] != '\0') {
        fprintf(sheet->stream, "      %s\n", finding->trouble);
    }
}

static void put_reasons(const crm_reasons *reasons, FILE *stream)
{
    for (size_t i = 0; i < reasons->count; i++) {
        fprintf(stream, "  (%c) ", (char)('a' + i));
        crm_text_wrap(stream, reasons->texts[i], 6, 6);
    }
}

void crm_record_table(const crm_record *record, bool colour, FILE *stream)
{
    const crm_item *item = record->item;
    crm_sheet sheet = {.stream = stream, .colour = colour};
    crm_reasons reasons = crm_reasons_of(record);
    widths w = measure(record);
    crm_sheet_text(&sheet, CRM_TONE_STRONG, item->name);
    fprintf(stream, "  %s\n  %s\n", item->title, item->source);
    if (item->note[0] != '\0') {
        fputs("  ", stream);
        crm_text_wrap(stream, item->note, 2, 2);
    }
    fprintf(stream, "\n  %*s  %*s  %*s  %9s\n", w.what, "", w.published, "published", w.ours,
            "ours", "deviation");
    for (size_t i = 0; i < item->claim_count; i++) {
        put_row(record, i, &w, &reasons, &sheet);
    }
    char words[160];
    crm_record_words(record, words, sizeof words);
    fputs("  ", stream);
    crm_sheet_text(&sheet, tone_of(record->verdict), crm_verdict_text(record->verdict));
    fprintf(stream, ": %s", words);
    if (record->digits >= 0) {
        fprintf(stream, ", in at least %d printed digit%s", record->digits,
                record->digits == 1 ? "" : "s");
    }
    fputs("\n", stream);
    put_reasons(&reasons, stream);
}

/* ---- All of them ---------------------------------------------------------------------------- */

static void put_line(const crm_record *record, const crm_sheet *sheet)
{
    char words[160], digits[16] = "";
    crm_record_words(record, words, sizeof words);
    if (record->digits >= 0) {
        snprintf(digits, sizeof digits, "%d", record->digits);
    }
    fprintf(sheet->stream, "%-15s  ", record->item->name);
    crm_sheet_text(sheet, tone_of(record->verdict), crm_verdict_text(record->verdict));
    fprintf(sheet->stream, "%*s  %6s  %-8s %s\n",
            (int)(8 - strlen(crm_verdict_text(record->verdict))), "", digits,
            crm_item_kind_text(record->item->kind), words);
}

void crm_records_summary(crm_record *const *records, size_t count, bool colour, FILE *stream)
{
    crm_sheet sheet = {.stream = stream, .colour = colour};
    size_t items[4] = {0}, rows[4] = {0};
    fprintf(stream, "%-15s  %-8s  %6s  %-8s\n", "item", "verdict", "digits", "kind");
    for (size_t i = 0; i < count; i++) {
        put_line(records[i], &sheet);
        items[records[i]->verdict]++;
        for (size_t k = 0; k < 4; k++) {
            rows[k] += records[i]->counts[k];
        }
    }
    size_t judged =
        rows[CRM_VERDICT_MATCHES] + rows[CRM_VERDICT_ERRATUM] + rows[CRM_VERDICT_DEVIATES];
    fprintf(stream,
            "\n%zu items: %zu match as printed, %zu with errata, %zu deviate.\n"
            "%zu rows: %zu agree, %zu differ for a stated reason, %zu deviate; %zu more are shown "
            "beside.\n",
            count, items[CRM_VERDICT_MATCHES], items[CRM_VERDICT_ERRATUM],
            items[CRM_VERDICT_DEVIATES], judged, rows[CRM_VERDICT_MATCHES],
            rows[CRM_VERDICT_ERRATUM], rows[CRM_VERDICT_DEVIATES], rows[CRM_VERDICT_BESIDE]);
}
