/* Warnings about a scenario: values that make little sense, and bodies that nearly touch. */
#include <math.h>

#include "base/elementary.h"
#include "base/locale.h"
#include "report/report.h"
#include "report/text/sheet.h"

/* Up to two digits, so that it can be typed. */
static double rounded_up(double value)
{
    double unit = crm_pow(10, floor(crm_log10(value)) - 1);
    return ceil(value / unit) * unit;
}

static void print_pairs(const crm_near_contacts *near_contacts, int width, FILE *stream)
{
    fputs("\nnearly touching\n", stream);
    for (size_t i = 0; i < near_contacts->kept; i++) {
        const crm_near_contact *miss = &near_contacts->nearest[i];
        char text[2 * CRM_NAME_SIZE + 64];
        crm_snprintf(text, sizeof text, "%s and %s: gap %.3g m, %.2g of their size",
                     miss->first_name, miss->second_name, miss->gap, miss->relative);
        fputs("  ", stream);
        crm_text_wrap(stream, width, text, 2, 4);
    }
    if (near_contacts->total > near_contacts->kept) {
        fprintf(stream, "  and %zu more\n", near_contacts->total - near_contacts->kept);
    }
}

/* So near that the gap is hardly intended. */
static bool are_too_near(const crm_near_contacts *near_contacts)
{
    static const double MEANT_TO_TOUCH = 1e-3;
    return near_contacts != NULL && near_contacts->kept > 0 &&
           near_contacts->nearest[0].relative < MEANT_TO_TOUCH;
}

void crm_report_warnings(const crm_report *report, bool near_misses, int width, FILE *stream)
{
    char hint[512];
    bool near = near_misses && are_too_near(report->near_contacts) &&
                crm_report_near_contact_hint(report, hint, sizeof hint);
    size_t count = report->warnings != NULL ? report->warnings->count : 0;
    fputs(count > 0 || near ? "\n" : "", stream);
    for (size_t i = 0; i < count; i++) {
        fputs("note: ", stream);
        crm_text_wrap(stream, width, report->warnings->text[i], 6, 4);
    }
    if (near) {
        fputs("note: ", stream);
        crm_text_wrap(stream, width, hint, 6, 4);
    }
}

void crm_report_near_contacts(const crm_report *report, int width, FILE *stream)
{
    const crm_near_contacts *near_contacts = report->near_contacts;
    if (near_contacts == NULL || near_contacts->kept == 0) {
        return;
    }
    const crm_near_contact *nearest = &near_contacts->nearest[0],
                           *last = &near_contacts->nearest[near_contacts->kept - 1];
    print_pairs(near_contacts, width, stream);
    char text[128];
    crm_snprintf(text, sizeof text,
                 "contacts.tolerance %.2g would make the first a contact, %.2g %s",
                 rounded_up(nearest->relative), rounded_up(last->relative),
                 near_contacts->kept == near_contacts->total ? "all of them" : "those listed");
    crm_text_wrap(stream, width, text, 0, 0);
}

bool crm_report_near_contact_hint(const crm_report *report, char *text, size_t size)
{
    const crm_near_contacts *near_contacts = report->near_contacts;
    if (near_contacts == NULL || near_contacts->kept == 0) {
        return false;
    }
    const crm_near_contact *nearest = &near_contacts->nearest[0];
    crm_snprintf(
        text, size,
        "%zu %s, the nearest (%s and %s) %.3g m apart: --set contacts.tolerance=%.2g would "
        "make it a contact; 'carom check' lists them",
        near_contacts->total,
        near_contacts->total == 1 ? "pair nearly touches" : "pairs nearly touch",
        nearest->first_name, nearest->second_name, nearest->gap, rounded_up(nearest->relative));
    return true;
}
