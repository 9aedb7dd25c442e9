#include "cli/terminal/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"

/* Seconds. A line that stays is written less often than one that is redrawn. */
static const double SILENT = 1, INTERVAL = 0.2, LINES = 10;

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
                               .wanted = !quiet,
                               .drawn = isatty(STDERR_FILENO) != 0,
                               .now = now};
    progress->start = progress->shown = now();
    pthread_mutex_init(&progress->lock, NULL);
}

/* Whether it is time to; under the lock. */
static bool is_due(crm_progress *p, double time)
{
    bool due = p->drawn ? time - p->start >= SILENT && (!p->visible || time - p->shown >= INTERVAL)
                        : time - p->shown >= LINES;
    p->shown = due ? time : p->shown;
    return due;
}

void crm_progress_format_time(double seconds, char *text, size_t size)
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

/* "3 of 10 points, 12 s left" */
static void format_done(const crm_progress *p, size_t done, double time, char *text, size_t size)
{
    char left[64] = "";
    if (done > p->before) {
        double each = (time - p->start) / (double)(done - p->before);
        char span[48];
        crm_progress_format_time(each * (double)(p->count - done), span, sizeof span);
        snprintf(left, sizeof left, ", %s left", span);
    }
    snprintf(text, size, "%zu of %zu %s%s", done, p->count, p->what, left);
}

static void show_line(crm_progress *p, const char *line)
{
    if (p->drawn) { /* a wrapped line could not be redrawn */
        fprintf(stderr, "\r%.*s\033[K", crm_terminal_width(stderr) - 1, line);
        fflush(stderr);
        p->visible = true;
    } else {
        fprintf(stderr, "carom: %s\n", line);
    }
}

static void draw(crm_progress *p, size_t done, const char *text)
{
    enum { WIDTH = 30 };
    char bar[WIDTH + 1];
    size_t filled = p->count > 0 ? done * WIDTH / p->count : WIDTH;
    for (size_t i = 0; i < WIDTH; i++) {
        bar[i] = i < filled ? '#' : '.';
    }
    bar[WIDTH] = '\0';
    fprintf(stderr, "\r[%s] %s\033[K", bar, text);
    fflush(stderr);
    p->visible = true;
}

void crm_progress_show(crm_progress *progress, size_t done)
{
    if (!progress->wanted) {
        return;
    }
    double time = progress->now();
    pthread_mutex_lock(&progress->lock);
    if (is_due(progress, time)) {
        char text[256];
        format_done(progress, done, time, text, sizeof text);
        if (progress->drawn) {
            draw(progress, done, text);
        } else {
            show_line(progress, text);
        }
    }
    pthread_mutex_unlock(&progress->lock);
}

void crm_progress_show_text(crm_progress *progress, const char *what, const char *how_far)
{
    if (!progress->wanted) {
        return;
    }
    double time = progress->now();
    pthread_mutex_lock(&progress->lock);
    if (is_due(progress, time)) {
        char line[512], span[48];
        crm_progress_format_time(time - progress->start, span, sizeof span);
        snprintf(line, sizeof line, "%s, %s: %s", what, span, how_far);
        show_line(progress, line);
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
