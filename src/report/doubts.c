/* What a scenario hardly means: bodies that nearly touch, values that make no sense. */
#include <math.h>

#include "report/report.h"
#include "report/sheet.h"

/* Up to two digits, so that it can be typed. */
static double rounded_up(double value)
{
    double unit = pow(10, floor(log10(value)) - 1);
    return ceil(value / unit) * unit;
}

static void print_pairs(const crm_near_misses *misses, FILE *stream)
{
    fputs("\nnearly touching\n", stream);
    for (size_t i = 0; i < misses->kept; i++) {
        const crm_near_miss *miss = &misses->nearest[i];
        fprintf(stream, "  %s and %s: %.3g m apart, %.2g of their size\n", miss->first_name,
                miss->second_name, miss->gap, miss->relative);
    }
    if (misses->total > misses->kept) {
        fprintf(stream, "  and %zu more\n", misses->total - misses->kept);
    }
}

void crm_report_doubts(const crm_report *report, FILE *stream)
{
    for (size_t i = 0; report->doubts != NULL && i < report->doubts->count; i++) {
        fputs(i == 0 ? "\n" : "", stream);
        fputs("note: ", stream);
        crm_text_wrap(stream, report->doubts->text[i], 6, 4);
    }
}

void crm_report_near_misses(const crm_report *report, FILE *stream)
{
    const crm_near_misses *misses = report->misses;
    if (misses == NULL || misses->kept == 0) {
        return;
    }
    const crm_near_miss *nearest = &misses->nearest[0], *last = &misses->nearest[misses->kept - 1];
    print_pairs(misses, stream);
    fprintf(stream, "contacts.tolerance of %.2g would close the first, of %.2g %s\n",
            rounded_up(nearest->relative), rounded_up(last->relative),
            misses->kept == misses->total ? "all of them" : "those listed");
}

bool crm_report_hint(const crm_report *report, char *text, size_t size)
{
    const crm_near_misses *misses = report->misses;
    if (misses == NULL || misses->kept == 0) {
        return false;
    }
    const crm_near_miss *nearest = &misses->nearest[0];
    snprintf(text, size,
             "%zu %s, the nearest (%s and %s) %.3g m apart: --set contacts.tolerance=%.2g would "
             "close it; 'carom check' lists them",
             misses->total, misses->total == 1 ? "pair nearly touches" : "pairs nearly touch",
             nearest->first_name, nearest->second_name, nearest->gap,
             rounded_up(nearest->relative));
    return true;
}
