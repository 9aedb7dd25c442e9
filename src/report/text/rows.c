#include "report/text/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/locale.h"

/* ---- What is asked for ----------------------------------------------------------------------- */

/* An item of "1-5,-3,8-,cue": two numbers, from the end when negative, or a name. */
typedef struct item {
    bool named;
    long first, last;
    char name[CRM_NAME_SIZE];
} item;

/* A whole number and nothing else up to `end`. */
static bool read_number(const char *text, const char **end, long *value)
{
    const char *digits = text + (text[0] == '-');
    char *after;
    if (!crm_isdigit(digits[0])) {
        return false;
    }
    *value = strtol(text, &after, 10);
    *end = after;
    return *value != 0;
}

/* "5", "-1", "2-5", "5-" (to the end), "-3-" (the last three). */
static bool read_range(const char *text, item *it)
{
    const char *at;
    if (!read_number(text, &at, &it->first)) {
        return false;
    }
    it->last = it->first;
    if (*at == '\0') {
        return true;
    }
    if (*at != '-') {
        return false;
    }
    if (at[1] == '\0') {
        it->last = -1;
        return true;
    }
    return read_number(at + 1, &at, &it->last) && *at == '\0';
}

/* The next item, without blanks around it; false: the list is at its end. */
static bool next_item(const char **list, item *it)
{
    if (**list == '\0') {
        return false;
    }
    size_t length = strcspn(*list, ",");
    const char *from = *list, *to = from + length;
    *list = to + (*to == ',');
    while (from < to && crm_isspace(*from)) {
        from++;
    }
    while (to > from && crm_isspace(to[-1])) {
        to--;
    }
    snprintf(it->name, sizeof it->name, "%.*s", (int)(to - from), from);
    it->named = !read_range(it->name, it);
    return true;
}

bool crm_rows_are_valid(const char *wanted)
{
    item it;
    bool any = false;
    for (const char *at = wanted; next_item(&at, &it);) {
        if (it.name[0] == '\0' || strcmp(it.name, "0") == 0) {
            return false;
        }
        any = true;
    }
    return any;
}

/* ---- Choosing -------------------------------------------------------------------------------- */

/* From 0; `total` and more: there is no such row. */
static size_t place_of(long number, size_t total)
{
    if (number > 0) {
        return (size_t)number - 1;
    }
    size_t back = (size_t)-number;
    return back <= total ? total - back : SIZE_MAX;
}

static void add_row(crm_rows *rows, bool *taken, size_t row)
{
    if (!taken[row]) {
        taken[row] = true;
        rows->index[rows->count++] = row;
    }
}

static void add_item(const crm_listed *list, const item *it, crm_rows *rows, bool *taken)
{
    if (it->named) {
        for (size_t i = 0; i < list->total; i++) {
            if (list->is_called != NULL && list->is_called(list->context, i, it->name)) {
                add_row(rows, taken, i);
            }
        }
        return;
    }
    size_t first = place_of(it->first, list->total), last = place_of(it->last, list->total);
    first = first == SIZE_MAX ? 0 : first;
    for (size_t i = first; i < list->total && last != SIZE_MAX && i <= last; i++) {
        add_row(rows, taken, i);
    }
}

static crm_status choose_wanted(const crm_listed *list, const char *wanted, crm_rows *rows,
                                crm_error *error)
{
    bool *taken = CRM_NEW(bool, list->total);
    rows->index = CRM_NEW(size_t, list->total);
    if (taken == NULL || rows->index == NULL) {
        free(taken);
        return crm_fail_memory(error);
    }
    item it;
    for (const char *at = wanted; next_item(&at, &it);) {
        add_item(list, &it, rows, taken);
    }
    free(taken);
    return CRM_OK;
}

/* The largest so far, in order; rows of the same size as they come. */
static void choose_largest(const crm_listed *list, size_t most, crm_rows *rows)
{
    rows->by_size = true;
    for (size_t i = 0; i < list->total; i++) {
        double size = list->size(list->context, i);
        size_t at = rows->count;
        while (at > 0 && list->size(list->context, rows->index[at - 1]) < size) {
            at--;
        }
        if (at < most) {
            size_t kept = rows->count < most ? rows->count : most - 1;
            if (rows->count == most) {
                rows->rest = fmax(rows->rest, list->size(list->context, rows->index[most - 1]));
            }
            memmove(rows->index + at + 1, rows->index + at, (kept - at) * sizeof *rows->index);
            rows->index[at] = i;
            rows->count = kept + 1;
        } else {
            rows->rest = fmax(rows->rest, size);
        }
    }
    rows->left_after = rows->count;
}

static void choose_edges(size_t total, size_t most, crm_rows *rows)
{
    size_t first = most - most / 2;
    for (size_t i = 0; i < most; i++) {
        rows->index[i] = i < first ? i : total - most + i;
    }
    rows->count = most;
    rows->left_after = first;
}

static void choose_all(size_t total, crm_rows *rows)
{
    for (size_t i = 0; i < total; i++) {
        rows->index[i] = i;
    }
    rows->count = total;
}

crm_status crm_rows_choose(const crm_listed *list, const char *wanted, size_t most, crm_rows *rows,
                           crm_error *error)
{
    *rows = (crm_rows){0};
    if (wanted != NULL) {
        return choose_wanted(list, wanted, rows, error);
    }
    size_t limit = most < CRM_ROWS_CUT ? most : CRM_ROWS_CUT;
    rows->index = CRM_NEW(size_t, most);
    if (rows->index == NULL) {
        return crm_fail_memory(error);
    }
    if (list->total <= most) {
        choose_all(list->total, rows);
        return CRM_OK;
    }
    if (list->size != NULL) {
        choose_largest(list, limit, rows);
    } else {
        choose_edges(list->total, limit, rows);
    }
    rows->left_out = list->total - rows->count;
    return CRM_OK;
}

void crm_rows_free(crm_rows *rows)
{
    free(rows->index);
}

void crm_rows_print_omission(const crm_rows *rows, size_t place, const char *what,
                             const crm_sheet *sheet)
{
    char text[128];
    if (rows->left_out == 0 || place + 1 != rows->left_after) {
        return;
    }
    snprintf(text, sizeof text, "  ... %zu more %s", rows->left_out, what);
    if (rows->by_size) {
        crm_text_append(text, sizeof text, ", none above %.3g", rows->rest);
    }
    crm_text_append(text, sizeof text, "\n");
    crm_sheet_text(sheet, CRM_TONE_FAINT, text);
}
