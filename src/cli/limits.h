/* How long a command may take, and how much memory.
 *
 * The time runs from the start of the command. Work that looks up asks crm_limits_time_left, and
 * ends with what it has reached; while nothing looks up (a file is read, a system is made) a timer
 * ends the program, which then has reached nothing.
 */
#ifndef CRM_CLI_LIMITS_H
#define CRM_CLI_LIMITS_H

#include "cli/cli.h"

/* Both limits, as the options say; and as if there were none, for the way out, on which libraries
 * may wait forever for memory.
 */
void crm_limits_begin(const crm_options *options);
void crm_limits_end(void);

/* Seconds; INFINITY: there is no limit; never below 0. */
double crm_limits_time_left(void);
/* From now on somebody looks up. */
void crm_limits_begin_polling(void);
/* All is computed that will be: what is reached may be written for as long again as all may take
 * from the start. Then, or on any signal to end, the program ends, and files stay as they were.
 */
void crm_limits_begin_writing(void);
/* For a call that is about to be watched: 0 for any time, else a number above 0. */
double crm_limits_time_for_call(void);

/* Bytes that may be taken, about: --max-memory, or half of what this machine has. */
double crm_limits_memory(void);
crm_yaml_limits crm_limits_for_scenario(void);
/* Is there so much? If not, it is said: "WHAT needs about 39 GB, ...". */
bool crm_limits_memory_allows(double bytes, const char *what);
/* Has the disk that `path` is on, or will be, so many bytes left? If not, it is said. NULL, and
 * what cannot be asked, is allowed.
 */
bool crm_limits_disk_allows(double bytes, const char *path);

/* --jobs, or one for every core this process may use. */
unsigned crm_limits_jobs(const crm_options *options);

#endif
