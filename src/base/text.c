#include "base/text.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/locale.h"

/* ---- Appending ------------------------------------------------------------------------------ */

void crm_text_append_list(char *text, size_t size, const char *format, va_list arguments)
{
    static const char cut[] = "...";
    size_t used = strlen(text);
    int wanted = crm_vsnprintf(text + used, size - used, format, arguments); /* NOLINT */
    if (wanted >= 0 && used + (size_t)wanted >= size) {
        memcpy(text + size - sizeof cut, cut, sizeof cut);
    }
}

void crm_text_append(char *text, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    crm_text_append_list(text, size, format, arguments);
    va_end(arguments);
}

void crm_text_bytes(double bytes, char *text, size_t size)
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB"};
    size_t i = 0;
    while (bytes >= 1000 && i + 1 < sizeof units / sizeof units[0]) {
        bytes /= 1000;
        i++;
    }
    crm_snprintf(text, size, bytes < 100 ? "%.2g %s" : "%.0f %s", bytes, units[i]);
}

/* ---- The name that was meant ---------------------------------------------------------------- */

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

/* Of two candidates equally far apart, as those that contain the text are, the one with the fewest
 * other letters is nearer.
 */
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

/* ---- Characters that are not to be shown ---------------------------------------------------- */

/* Unicode 15: general categories Cc, Cf, Zl and Zp. */
static const struct {
    uint32_t first, last;
} hidden_ranges[] = {
    {0x00, 0x1f},       {0x7f, 0x9f},       {0xad, 0xad},       {0x600, 0x605},
    {0x61c, 0x61c},     {0x6dd, 0x6dd},     {0x70f, 0x70f},     {0x890, 0x891},
    {0x8e2, 0x8e2},     {0x180e, 0x180e},   {0x200b, 0x200f},   {0x2028, 0x202e},
    {0x2060, 0x206f},   {0xfeff, 0xfeff},   {0xfff9, 0xfffb},   {0x110bd, 0x110bd},
    {0x110cd, 0x110cd}, {0x13430, 0x1343f}, {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a},
    {0xe0000, 0xe0fff},
};

static bool is_hidden(uint32_t code)
{
    for (size_t i = 0; i < sizeof hidden_ranges / sizeof hidden_ranges[0]; i++) {
        if (code >= hidden_ranges[i].first && code <= hidden_ranges[i].last) {
            return true;
        }
    }
    return false;
}

/* Length of the character and its code; 0: no UTF-8. Long forms and surrogates are none. */
static size_t decode(const char *text, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *byte = (const unsigned char *)text;
    size_t length = byte[0] < 0x80             ? 1
                    : (byte[0] & 0xe0) == 0xc0 ? 2
                    : (byte[0] & 0xf0) == 0xe0 ? 3
                    : (byte[0] & 0xf8) == 0xf0 ? 4
                                               : 0;
    *code = length < 2 ? byte[0] : byte[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((byte[i] & 0xc0) != 0x80) {
            return 0;
        }
        *code = *code << 6 | (byte[i] & 0x3f);
    }
    bool valid = *code >= least[length] && *code <= 0x10ffff && (*code < 0xd800 || *code > 0xdfff);
    return valid ? length : 0;
}

size_t crm_text_character(const char *text, bool *hidden)
{
    uint32_t code;
    size_t length = decode(text, &code);
    *hidden = length == 0 || is_hidden(code);
    return length > 0 ? length : 1;
}

bool crm_text_hides(const char *text)
{
    bool hidden = false;
    while (*text != '\0' && !hidden) {
        text += crm_text_character(text, &hidden);
    }
    return hidden;
}

size_t crm_text_escape(const char *text, char escape[CRM_ESCAPE_SIZE])
{
    uint32_t code;
    size_t length = decode(text, &code);
    if (length == 0) {
        snprintf(escape, CRM_ESCAPE_SIZE, "\\x%02x", (unsigned char)text[0]);
        return 1;
    }
    if (is_hidden(code)) {
        snprintf(escape, CRM_ESCAPE_SIZE, code > 0xffff ? "\\U%08x" : "\\u%04x", (unsigned)code);
    } else {
        memcpy(escape, text, length);
        escape[length] = '\0';
    }
    return length;
}
