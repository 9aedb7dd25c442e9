#include "cli/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"

static const double SILENT = 1, INTERVAL = 0.2; /* seconds */

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void crm_progress_begin(crm_progress *progress, const char *what, size_t count, bool quiet)
{
    *progress = (crm_progress){.what = what,
                               .count = count,
                               .start = now(),
                               .wanted = !quiet && isatty(STDERR_FILENO) != 0};
    pthread_mutex_init(&progress->lock, NULL);
}

void crm_time_show(double seconds, char *text, size_t size)
{
    unsigned long s = (unsigned long)(seconds + 0.5);
    if (s >= 3600) {
        snprintf(text, size, "%lu h %02lu min", s / 3600, s / 60 % 60);
    } else if (s >= 60) {
        snprintf(text, size, "%lu min %02lu s", s / 60, s % 60);
    } else {
        snprintf(text, size, "%lu s", s);
    }
}

static void draw(crm_progress *p, size_t done, double time)
{
    enum { WIDTH = 30 };
    char bar[WIDTH + 1], left[64] = "";
    size_t filled = p->count > 0 ? done * WIDTH / p->count : WIDTH;
    for (size_t i = 0; i < WIDTH; i++) {
        bar[i] = i < filled ? '#' : '.';
    }
    bar[WIDTH] = '\0';
    if (done > p->before) {
        double each = (time - p->start) / (double)(done - p->before);
        char span[48];
        crm_time_show(each * (double)(p->count - done), span, sizeof span);
        snprintf(left, sizeof left, ", %s left", span);
    }
    fprintf(stderr, "\r[%s] %zu of %zu %s%s\033[K", bar, done, p->count, p->what, left);
    fflush(stderr);
    p->visible = true;
}

void crm_progress_show(crm_progress *progress, size_t done)
{
    if (!progress->wanted) {
        return;
    }
    double time = now();
    pthread_mutex_lock(&progress->lock);
    if (time - progress->start >= SILENT && time - progress->shown >= INTERVAL) {
        progress->shown = time;
        draw(progress, done, time);
    }
    pthread_mutex_unlock(&progress->lock);
}

void crm_progress_tell(crm_progress *progress, const char *what, const char *how_far)
{
    if (!progress->wanted) {
        return;
    }
    double time = now();
    char span[48];
    crm_time_show(time - progress->start, span, sizeof span);
    pthread_mutex_lock(&progress->lock);
    if (time - progress->start >= SILENT && time - progress->shown >= INTERVAL) {
        progress->shown = time;
        char line[512]; /* one that breaks would not be drawn over */
        snprintf(line, sizeof line, "%s, %s: %s", what, span, how_far);
        fprintf(stderr, "\r%.*s\033[K", crm_stream_width(stderr) - 1, line);
        fflush(stderr);
        progress->visible = true;
    }
    pthread_mutex_unlock(&progress->lock);
}

void crm_progress_end(crm_progress *progress)
{
    if (progress->visible) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
        progress->visible = false;
    }
    pthread_mutex_destroy(&progress->lock);
}
