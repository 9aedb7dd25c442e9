/* How long a command may take, and how much memory.
 *
 * The time runs from the start of the command. Work that polls the clock asks crm_limits_time_left,
 * and ends with what it has computed; while nothing polls (a file is read, a model is made) a timer
 * ends the program, which then has no result.
 */
#ifndef CRM_CLI_LIMITS_H
#define CRM_CLI_LIMITS_H

#include "cli/cli.h"

/* Set both limits from the options; lift them at the end, where libraries may wait forever for
 * memory.
 */
void crm_limits_begin(const crm_options *options);
void crm_limits_end(void);

/* Seconds; INFINITY: there is no limit; never below 0. */
double crm_limits_time_left(void);
/* Switch the timer off: from now on the work polls. */
void crm_limits_begin_polling(void);
/* The computation is over: results may be written until twice the limit. Then, or on a signal, the
 * program ends, and files stay unchanged.
 */
void crm_limits_begin_writing(void);
/* The limit for a call that polls: 0 for none, else a number above 0. */
double crm_limits_time_for_call(void);

/* Bytes that may be taken, about: --max-memory, or half of what this machine has. */
double crm_limits_memory(void);
crm_yaml_limits crm_limits_for_scenario(void);
/* Whether so much may be taken; if not, prints "WHAT needs about 39 GB, ...". */
bool crm_limits_memory_allows(double bytes, const char *what);
/* Does the disk of `path` have this many bytes left? If not, says so. NULL, and a disk about which
 * nothing can be found out, are allowed.
 */
bool crm_limits_disk_allows(double bytes, const char *path);

/* --jobs, or one for every core this process may use. */
unsigned crm_limits_jobs(const crm_options *options);

#endif
