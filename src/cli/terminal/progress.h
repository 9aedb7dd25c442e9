/* Progress of long computations: a line that is redrawn on a terminal, a new line every ten seconds
 * elsewhere.
 */
#ifndef CRM_PROGRESS_H
#define CRM_PROGRESS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct crm_progress {
    bool wanted;
    const char *what; /* "points" */
    size_t count;
    size_t before;       /* done by an earlier run, and not counted in the rate */
    double (*now)(void); /* seconds */
    double start, shown;
    bool drawn;   /* redrawn, on a terminal */
    bool visible; /* something is drawn */
    pthread_mutex_t lock;
} crm_progress;

/* Nothing is shown when quiet, or in the first second. */
void crm_progress_begin(crm_progress *progress, const char *what, size_t count, bool quiet);
/* May be called by any thread. */
void crm_progress_show(crm_progress *progress, size_t done);
/* The same with text: what is running, and how far it is. */
void crm_progress_show_text(crm_progress *progress, const char *what, const char *how_far);
void crm_progress_end(crm_progress *progress); /* clears the line */

/* "2 h 05 min", "3 min 20 s", "12 s" */
void crm_progress_format_time(double seconds, char *text, size_t size);

#endif
