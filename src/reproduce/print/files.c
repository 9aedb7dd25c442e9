/* The record for programs and for the documentation: JSON, CSV, markdown. */
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "report/json.h"
#include "report/report.h"
#include "reproduce/page/parts.h"
#include "reproduce/print/print.h"

/* ---- JSON ----------------------------------------------------------------------------------- */

static json_t *number(double value)
{
    return isfinite(value) ? json_real(value == 0 ? 0.0 : value) : json_null();
}

static json_t *number_or_text(double value, const char *text)
{
    return isfinite(value) ? number(value) : json_string(text);
}

/* json_pack passes a NULL on, so that a failed allocation anywhere is one NULL at the end. */
static json_t *row(const crm_finding *finding)
{
    const crm_claim *claim = finding->claim;
    json_t *published = claim->recomputed
                            ? json_null()
                            : number_or_text(finding->published_number, finding->published);
    json_t *object =
        json_pack("{s:s, s:o, s:o, s:o, s:s}", "what", claim->what, "published", published, "ours",
                  number_or_text(finding->ours_number, finding->ours), "deviation",
                  number(finding->deviation), "verdict", crm_judge_verdict_text(finding->verdict));
    if (object != NULL && claim->recomputed) {
        json_object_set_new(object, "recomputed", number(finding->again_number));
    }
    if (object != NULL && !isnan(finding->scheme_number)) {
        json_object_set_new(object, "scheme", number(finding->scheme_number));
    }
    if (object != NULL && claim->reason != NULL && finding->verdict != CRM_VERDICT_MATCHES) {
        json_object_set_new(object, "reason", json_string(claim->reason));
    }
    if (object != NULL && finding->trouble[0] != '\0') {
        json_object_set_new(object, "trouble", json_string(finding->trouble));
    }
    return object;
}

static json_t *item(const crm_record *record)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < record->item->claim_count; i++) {
        if (rows != NULL && json_array_append_new(rows, row(&record->findings[i])) != 0) {
            json_decref(rows);
            rows = NULL;
        }
    }
    if (rows == NULL) {
        return NULL;
    }
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:o}", "name", record->item->name,
                     "source", record->item->source, "title", record->item->title, "kind",
                     crm_item_kind_text(record->item->kind), "verdict",
                     crm_judge_verdict_text(record->verdict), "digits",
                     record->digits >= 0 ? json_integer(record->digits) : json_null(), "worst",
                     number(record->worst), "rows", rows);
}

json_t *crm_print_json_object(crm_record *const *records, size_t count)
{
    json_t *items = json_array();
    for (size_t i = 0; i < count; i++) {
        if (items != NULL && json_array_append_new(items, item(records[i])) != 0) {
            json_decref(items);
            items = NULL;
        }
    }
    return items != NULL ? json_pack("{s:o}", "items", items) : NULL;
}

crm_status crm_print_json(crm_record *const *records, size_t count, FILE *stream, crm_error *error)
{
    return crm_json_print(crm_print_json_object(records, count), stream, error);
}

/* ---- CSV ------------------------------------------------------------------------------------ */

static void csv_number_or_text(FILE *stream, double value, const char *text)
{
    if (isfinite(value)) {
        crm_csv_number(stream, value);
    } else {
        crm_csv_text(stream, text);
    }
}

void crm_print_csv(crm_record *const *records, size_t count, FILE *stream)
{
    fputs("item,what,published,ours,deviation,digits,verdict,reason\n", stream);
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < records[i]->item->claim_count; k++) {
            const crm_finding *finding = &records[i]->findings[k];
            bool has_reason =
                finding->verdict != CRM_VERDICT_MATCHES && finding->claim->reason != NULL;
            crm_csv_text(stream, records[i]->item->name);
            fputc(',', stream);
            crm_csv_text(stream, finding->claim->what);
            fputc(',', stream);
            csv_number_or_text(stream, finding->published_number,
                               finding->claim->recomputed ? "" : finding->published);
            fputc(',', stream);
            csv_number_or_text(stream, finding->ours_number, finding->ours);
            fputc(',', stream);
            crm_csv_number(stream, finding->deviation);
            fputc(',', stream);
            if (finding->digits >= 0) {
                fprintf(stream, "%d", finding->digits);
            }
            fprintf(stream, ",%s,", crm_judge_verdict_text(finding->verdict));
            crm_csv_text(stream, has_reason ? finding->claim->reason : "");
            fputc('\n', stream);
        }
    }
}

/* ---- Markdown ------------------------------------------------------------------------------- */

/* Text is text: a bar would end a cell, < begin an element, & a character, and "](" or "]:" make a
 * link of what is in brackets.
 */
static void put(FILE *stream, const char *before, const char *text)
{
    fputs(before, stream);
    for (const char *at = text; *at != '\0'; at++) {
        bool link = *at == ']' && (at[1] == '(' || at[1] == ':' || at[1] == '[');
        if (link || strchr("|<&\\`", *at) != NULL) {
            fputc('\\', stream);
        }
        fputc(*at == '\n' ? ' ' : *at, stream);
    }
}

static void put_introduction(FILE *stream)
{
    fputs(
        "# The published record\n\n"
        "Every table of the papers that was computed by a model, and what can be read from their "
        "figures, recomputed and compared with the printed values. Made by "
        "`scripts/document-record`; "
        "`carom reproduce NAME` prints one of them.\n\n"
        "Kinds: a *table* has printed numbers; *numbers* are those that the text quotes from a "
        "figure; a *shape* is what a curve shows where only the curve is printed. A number "
        "*matches* when ours rounds to it (or is within the tolerance stated, where the text says "
        "\"about\"). Where ours is right by a closed form, a conservation law or an independent "
        "computation and the print differs, it is an *erratum* if the paper errs in print or "
        "derivation, *scheme* if the paper's first-order scheme gives the printed digits at the "
        "stated step, as shown, and *not explained* if no run gives them; what was tried is on "
        "a page of its own, [steps of the published schemes](record/steps.md), as are the places "
        "where we [contradict a paper on purpose](record/contradictions.md). Otherwise it "
        "*deviates*.\n\n"
        "Not counted among the rows: a *recomputed* number is printed in no paper; the result of "
        "an independent computation is given in parentheses. A *sanity* check holds for any sound "
        "computation (symmetric data give symmetric results; energy is conserved at e = 1) and "
        "says nothing about the paper. A row *beside* is shown, but not judged. Digits: the "
        "smallest number of digits of a printed number that matches.\n\n"
        "Papers: P0 Liu, Zhao, Brogliato, INRIA research report; P1 Nguyen, Brogliato, 2018; P2 "
        "Glocker, 2001; P3 "
        "HAL inria-00424055; P4 Liu, Zhao, Brogliato, Proc. R. Soc. A 465 (2009).\n\n"
        "The curves of figures 9, 15 and 21 of P1 are drawn on a separate page: [three figures "
        "beside the paper's](record/figures.md).\n\n",
        stream);
}

static void put_overview(crm_record *const *records, size_t count, FILE *stream)
{
    fputs("| item | what | kind | verdict | digits | rows |\n|---|---|---|---|---|---|\n", stream);
    for (size_t i = 0; i < count; i++) {
        const crm_record *record = records[i];
        char words[256], digits[16] = "";
        crm_print_counts(record, words, sizeof words);
        if (record->digits >= 0) {
            snprintf(digits, sizeof digits, "%d", record->digits);
        }
        put(stream, "| ", record->item->name);
        put(stream, " | ", record->item->title);
        fprintf(stream, " | %s | %s | %s | %s |\n", crm_item_kind_text(record->item->kind),
                crm_judge_verdict_text(record->verdict), digits, words);
    }
}

static void put_rows(const crm_record *record, FILE *stream)
{
    crm_reasons reasons = crm_print_reasons(record);
    fputs("\n| | published | ours | deviation | |\n|---|---|---|---|---|\n", stream);
    for (size_t i = 0; i < record->item->claim_count; i++) {
        const crm_finding *finding = &record->findings[i];
        char deviation[32], scheme[48], letter = crm_print_reason_letter(&reasons, finding);
        crm_print_deviation(finding, deviation, sizeof deviation);
        crm_print_scheme(finding, scheme, sizeof scheme);
        put(stream, "| ", finding->claim->what);
        put(stream, " | ", finding->published);
        put(stream, " | ", finding->ours);
        fprintf(stream, " | %s | %s%s", deviation, crm_judge_verdict_text(finding->verdict),
                scheme);
        fprintf(stream, letter != 0 ? " (%c) |\n" : " |\n", letter);
    }
    fputc('\n', stream);
    for (size_t i = 0; i < reasons.count; i++) {
        const char before[] = {'(', (char)('a' + i), ')', ' ', '\0'};
        put(stream, before, reasons.texts[i]);
        fputs("\n\n", stream);
    }
}

void crm_print_markdown(crm_record *const *records, size_t count, FILE *stream)
{
    put_introduction(stream);
    put_overview(records, count, stream);
    for (size_t i = 0; i < count; i++) {
        const crm_item *shown = records[i]->item;
        put(stream, "\n## ", shown->name);
        put(stream, "\n\n", shown->title);
        put(stream, ". ", shown->source);
        put(stream, shown->note[0] != '\0' ? ". " : ".", shown->note);
        fputc('\n', stream);
        put_rows(records[i], stream);
    }
}
