#include "base/base.h"

#include <stdio.h>
#include <string.h>

#include "base/locale.h"

const char *crm_status_text(crm_status status)
{
#define CRM_STATUS_CASE(name, text) text,
    static const char *const texts[] = {CRM_STATUS_LIST(CRM_STATUS_CASE)};
#undef CRM_STATUS_CASE
    return (unsigned)status < CRM_STATUS_COUNT ? texts[status] : "unknown status";
}

crm_status crm_fail(crm_error *error, crm_status status, const char *place, const char *format, ...)
{
    if (error != NULL) {
        error->status = status;
        snprintf(error->place, sizeof error->place, "%s", place != NULL ? place : "");
        va_list arguments;
        va_start(arguments, format);
        crm_vsnprintf(error->message, sizeof error->message, format, arguments); /* NOLINT */
        va_end(arguments);
    }
    return status;
}

bool crm_is_missing(const void *pointer, const char *place, crm_error *error)
{
    if (pointer == NULL) {
        crm_fail(error, CRM_ERROR_ARGUMENT, place, "%s is NULL", place);
    }
    return pointer == NULL;
}

crm_status crm_fail_memory(crm_error *error)
{
    return crm_fail(error, CRM_ERROR_MEMORY, NULL, "out of memory");
}

void crm_append_list(char *text, size_t size, const char *format, va_list arguments)
{
    static const char cut[] = "...";
    size_t used = strlen(text);
    int wanted = crm_vsnprintf(text + used, size - used, format, arguments); /* NOLINT */
    if (wanted >= 0 && used + (size_t)wanted >= size) {
        memcpy(text + size - sizeof cut, cut, sizeof cut);
    }
}

void crm_append(char *text, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    crm_append_list(text, size, format, arguments);
    va_end(arguments);
}

uint64_t crm_hash(uint64_t so_far, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++) {
        so_far = (so_far ^ at[i]) * 0x100000001b3u;
    }
    return so_far;
}

int crm_ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Names are short; anything longer than this is compared by its beginning. */
enum { DISTANCE_LENGTH = 63 };

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t crm_text_distance(const char *a, const char *b)
{
    size_t n = smaller(strlen(a), DISTANCE_LENGTH);
    size_t m = smaller(strlen(b), DISTANCE_LENGTH);
    /* Rows i-2, i-1 and i of the table of optimal string alignment. */
    size_t table[3][DISTANCE_LENGTH + 1];
    size_t *before = table[0], *above = table[1], *row = table[2];
    for (size_t j = 0; j <= m; j++) {
        above[j] = j;
    }
    for (size_t i = 1; i <= n; i++) {
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t replace = above[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = smaller(replace, smaller(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = smaller(row[j], before[j - 2] + 1);
            }
        }
        size_t *spare = before;
        before = above;
        above = row;
        row = spare;
    }
    return above[m];
}

/* A part of a word stands for it: "pos" for position, "cradle" for newton_cradle; and so does a
 * word in a longer one: "youngs_modulus" for young.
 */
static bool is_part(const char *text, const char *candidate)
{
    enum { LETTERS_LEAST = 3, WORD_LEAST = 4 };
    return (strlen(text) >= LETTERS_LEAST && strstr(candidate, text) != NULL) ||
           (strlen(candidate) >= WORD_LEAST && strstr(text, candidate) != NULL);
}

static size_t apart(const char *text, const char *candidate)
{
    return is_part(text, candidate) ? 0 : crm_text_distance(text, candidate);
}

/* Of several with a part in common, the one with the least beside it. */
static bool is_nearer(const char *text, const char *candidate, const char *other)
{
    size_t here = apart(text, candidate), there = apart(text, other);
    return here < there ||
           (here == there && crm_text_distance(text, candidate) < crm_text_distance(text, other));
}

size_t crm_text_nearest(const char *text, const char *const *candidates, size_t count)
{
    size_t best = 0;
    for (size_t i = 1; i < count; i++) {
        best = is_nearer(text, candidates[i], candidates[best]) ? i : best;
    }
    return best;
}

/* One mistake in three letters, and the first: half of the letters may agree by chance, as those of
 * friction and position do.
 */
bool crm_text_is_near(const char *text, const char *candidate)
{
    size_t length = strlen(text), mistakes = apart(text, candidate);
    return mistakes == 0 || (mistakes < length && 3 * mistakes <= length + 2);
}

void crm_bytes_show(double bytes, char *text, size_t size)
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB"};
    size_t i = 0;
    while (bytes >= 1000 && i + 1 < sizeof units / sizeof units[0]) {
        bytes /= 1000;
        i++;
    }
    crm_snprintf(text, size, bytes < 100 ? "%.2g %s" : "%.0f %s", bytes, units[i]);
}

crm_status crm_fail_bytes(crm_error *error, const char *place, double bytes, double most)
{
    char needed[32], allowed[32];
    crm_bytes_show(bytes, needed, sizeof needed);
    crm_bytes_show(most, allowed, sizeof allowed);
    return crm_fail(error, CRM_ERROR_MEMORY, place, "needs about %s of memory, and may take %s",
                    needed, allowed);
}
