/* The note of an outcome. */
#include "law/law.h"

void crm_note_add(crm_outcome *outcome, const char *format, ...)
{
    if (outcome->note[0] != '\0') {
        crm_text_append(outcome->note, sizeof outcome->note, " ");
    }
    va_list arguments;
    va_start(arguments, format);
    crm_text_append_list(outcome->note, sizeof outcome->note, format, arguments);
    va_end(arguments);
}

void crm_note_continue(crm_outcome *outcome, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    crm_text_append_list(outcome->note, sizeof outcome->note, format, arguments);
    va_end(arguments);
}
