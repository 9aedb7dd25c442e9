#include "base/fail.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/locale.h"
#include "base/text.h"

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

bool crm_fail_if_null(const void *pointer, const char *place, crm_error *error)
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

crm_status crm_fail_bytes(crm_error *error, const char *place, double bytes, double most)
{
    char needed[32], allowed[32];
    crm_text_bytes(bytes, needed, sizeof needed);
    crm_text_bytes(most, allowed, sizeof allowed);
    return crm_fail(error, CRM_ERROR_MEMORY, place, "needs about %s of memory; the limit is %s",
                    needed, allowed);
}
