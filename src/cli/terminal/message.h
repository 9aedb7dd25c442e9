/* Messages on standard error: errors and remarks of the program. */
#ifndef CRM_CLI_MESSAGE_H
#define CRM_CLI_MESSAGE_H

#include <stddef.h>

#include "carom/status.h"
#include "scenario/yaml/tree.h"

/* A line on standard error. File names and arguments may contain any bytes, so control characters
 * are escaped.
 */
void crm_message_line(const char *text);
/* "carom: ..." on standard error; returns the status, so that callers write
 *     return crm_message(CRM_EXIT_USAGE, "unknown command '%s'", name);
 */
int crm_message(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "WHAT 'word'; did you mean 'name'?" where one is near; `list` is the command that lists them. */
int crm_message_unknown(const char *what, const char *word, const char *const *names, size_t count,
                        const char *list);
int crm_message_memory(void); /* "out of memory"; CRM_EXIT_MEMORY */
/* The message of a failed library call; returns `status` unless memory ran out. */
int crm_message_error(int status, const crm_error *error);
/* The same for an error in a file that is read, with its place. */
int crm_message_read_error(int status, const crm_read_error *error);

#endif
