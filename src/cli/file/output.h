/* Every file that the program writes is written this way, so that it appears completely or not at
 * all.
 *
 *     crm_output_open       a temporary beside the target, with an unpredictable name
 *     ... output.stream     is written (or output.temporary, by a library that wants a name)
 *     crm_output_commit     synchronized with the disk and renamed to the target
 *     crm_output_abandon    always at the end; what was not committed is removed
 *
 * A target that is a link stays one: what it leads to is replaced, as the shell's > does. What
 * cannot be replaced (standard output, a device, a pipe) is written in place. Signals that end the
 * program remove the temporaries first (interrupt.c).
 */
#ifndef CRM_CLI_OUTPUT_H
#define CRM_CLI_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

typedef struct crm_output {
    FILE *stream;
    char *target;    /* NULL: standard output */
    char *temporary; /* NULL: written in place */
} crm_output;

/* path NULL or "-": standard output. All return an exit status, after printing what went wrong. */
int crm_output_open(crm_output *output, const char *path);
int crm_output_commit(crm_output *output);
void crm_output_abandon(crm_output *output); /* also after a commit, or zeroed */

/* The file that `path` leads to, to be freed; NULL with CRM_EXIT_DONE: it is written in place. */
int crm_output_locate(const char *path, char **target);

/* "PATH could not be written: ..."; the exit status for this errno (0: it is not known). */
int crm_output_refuse(const char *path, int problem);
/* The same for a library that gives its reasons in words. */
int crm_output_refuse_for(const char *path, const char *why);

/* ---- Signals -------------------------------------------------------------------------------- */

/* On signals that end the program: remove the temporaries and exit, 130 after SIGINT, else 128 and
 * the signal's number. Those that are ignored (by nohup, say) stay so. A file that grows beyond
 * what the system allows (SIGXFSZ) is an error of writing like any other.
 */
void crm_interrupt_install(void);
/* The message printed then; NULL: none. */
void crm_interrupt_set_message(const char *text);
/* After this many seconds remove the temporaries, print the text, which must stay valid, and exit
 * with CRM_EXIT_NO_ANSWER; 0: no longer.
 */
void crm_interrupt_set_alarm(double seconds, const char *text);
/* From now on the first SIGINT or SIGTERM only makes crm_interrupt_caught true, for work that can
 * stop and keep what it has; another one exits.
 */
void crm_interrupt_catch(void);
void crm_interrupt_release(void); /* from now on each exits again */
bool crm_interrupt_caught(void);
int crm_interrupt_status(void); /* the exit status after the signal that was caught */
/* To be called before the file is made, so that a signal always finds it. False: there are too
 * many, or the name is too long.
 */
bool crm_interrupt_add_file(const char *temporary);
void crm_interrupt_remove_file(const char *temporary);

#endif
