/* Words broken into lines. */
#include <string.h>

#include "report/text/sheet.h"

int crm_text_width_of(const char *text, size_t bytes)
{
    int width = 0;
    for (size_t i = 0; i < bytes; i++) {
        width += ((unsigned char)text[i] & 0xc0) != 0x80;
    }
    return width;
}

int crm_text_width(const char *text)
{
    return crm_text_width_of(text, strlen(text));
}

void crm_text_wrap(FILE *stream, int width, const char *text, int used, int indent)
{
    bool first = true;
    while (*text != '\0') {
        size_t bytes = strcspn(text, " \n");
        int length = crm_text_width_of(text, bytes);
        if (bytes > 0) {
            bool breaks = used + (first ? 0 : 1) + length > width && used > indent;
            if (breaks) {
                fprintf(stream, "\n%*s", indent, "");
                used = indent;
            } else if (!first) {
                fputc(' ', stream);
                used++;
            }
            fprintf(stream, "%.*s", (int)bytes, text);
            used += length;
            first = false;
        }
        text += bytes + (text[bytes] != '\0');
    }
    fputc('\n', stream);
}

void crm_text_entry(FILE *stream, int width, const char *name, int column, const char *words)
{
    int used = 2 + crm_text_width(name);
    fprintf(stream, "  %s", name);
    if (used + 1 > column) {
        fputc('\n', stream);
        used = 0;
    }
    fprintf(stream, "%*s", column - used, "");
    crm_text_wrap(stream, width, words, column, column);
}
