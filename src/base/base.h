/* The small base under every module: errors, memory, text. */
#ifndef CRM_BASE_H
#define CRM_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "carom/status.h"

/* Fill *error (if not NULL) and return the status, so that callers write
 *     return crm_fail(error, CRM_ERROR_MODEL, "mass[3]", "mass is %g, must be positive", m);
 * place may be NULL. An error already filled is overwritten.
 */
crm_status crm_fail(crm_error *error, crm_status status, const char *place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Whether a pointer that must be there is NULL; then *error says so, and the caller returns
 * CRM_ERROR_ARGUMENT. `place` is the argument's name.
 */
bool crm_is_missing(const void *pointer, const char *place, crm_error *error);

/* The one message for a failed allocation. */
crm_status crm_fail_memory(crm_error *error);
/* For what is not even asked for: so many bytes are needed, about, and so many may be taken. */
crm_status crm_fail_bytes(crm_error *error, const char *place, double bytes, double most);

/* Append to a text in `size` bytes; "..." at its end says that it was cut. */
void crm_append(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void crm_append_list(char *text, size_t size, const char *format, va_list arguments);

/* Edit distance (insert, delete, replace, swap neighbours = 1 each), for "did you mean". */
size_t crm_text_distance(const char *a, const char *b);
/* Index of the candidate nearest to text; count must be > 0. */
size_t crm_text_nearest(const char *text, const char *const *candidates, size_t count);
/* Near enough to have been meant. */
bool crm_text_is_near(const char *text, const char *candidate);

/* FNV-1a, begun with CRM_HASH_START: tells accidents, not malice. */
#define CRM_HASH_START 0xcbf29ce484222325u
uint64_t crm_hash(uint64_t so_far, const void *bytes, size_t size);

/* Bytes for people, of two digits: "39 GB". */
void crm_bytes_show(double bytes, char *text, size_t size);

/* For qsort and bsearch, of uint32_t. */
int crm_ascending(const void *a, const void *b);

#endif
