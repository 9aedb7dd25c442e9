/* Messages on standard error. */
#include "cli/terminal/message.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "base/locale.h"
#include "base/text.h"
#include "cli/cli.h"

void crm_message_line(const char *text)
{
    char piece[CRM_ESCAPE_SIZE];
    while (*text != '\0') {
        text += crm_text_escape(text, piece);
        fputs(piece, stderr);
    }
    fputc('\n', stderr);
}

int crm_message(int status, const char *format, ...)
{
    char text[4096];
    va_list arguments;
    va_start(arguments, format);
    crm_vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fputs("carom: ", stderr);
    crm_message_line(text);
    return status;
}

int crm_message_unknown(const char *what, const char *word, const char *const *names, size_t count,
                        const char *list)
{
    const char *nearest = count > 0 ? names[crm_text_nearest(word, names, count)] : "";
    return count > 0 && crm_text_is_near(word, nearest)
               ? crm_message(CRM_EXIT_USAGE, "%s '%s'; did you mean '%s'? ('%s' lists them)", what,
                             word, nearest, list)
               : crm_message(CRM_EXIT_USAGE, "%s '%s'; '%s' lists them", what, word, list);
}

int crm_message_memory(void)
{
    return crm_message(CRM_EXIT_MEMORY, "out of memory");
}

int crm_message_error(int status, const crm_error *error)
{
    return crm_message(error->status == CRM_ERROR_MEMORY ? CRM_EXIT_MEMORY : status, "%s",
                       error->message);
}

int crm_message_read_error(int status, const crm_read_error *error)
{
    crm_message_line(error->text);
    for (const char *line = error->more; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        fprintf(stderr, "%.*s\n", (int)length, line); /* it is escaped already */
        line += length + (line[length] != '\0');
    }
    return error->status == CRM_ERROR_MEMORY ? CRM_EXIT_MEMORY : status;
}
