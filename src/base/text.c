#include "base/text.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

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
