/* Errors: a status, the place at fault and a message (carom/status.h). */
#ifndef CRM_FAIL_H
#define CRM_FAIL_H

#include <stdbool.h>

#include "carom/status.h"

/* Fill *error (if not NULL) and return the status, so that callers write
 *     return crm_fail(error, CRM_ERROR_MODEL, "mass[3]", "mass is %g, must be positive", m);
 * place may be NULL. An error already filled is overwritten.
 */
crm_status crm_fail(crm_error *error, crm_status status, const char *place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Whether a required pointer is NULL. Then *error says so, and the caller returns
 * CRM_ERROR_ARGUMENT. `place` is the argument's name.
 */
bool crm_fail_if_null(const void *pointer, const char *place, crm_error *error);

/* The message of every failed allocation. */
crm_status crm_fail_memory(crm_error *error);
/* An allocation that is not attempted: it needs about `bytes`, more than the limit `most`. */
crm_status crm_fail_bytes(crm_error *error, const char *place, double bytes, double most);

#endif
