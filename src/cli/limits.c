#define _GNU_SOURCE /* sched_getaffinity */
#include "cli/limits.h"

#include <libgen.h>
#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"
#include "base/locale.h"
#include "base/team.h"

/* Global, like the signal handlers: set once, before anything is computed. */
static double began, most_seconds, most_bytes;
static bool bounded;
static struct rlimit before;

/* A timer of 0 seconds would be switched off. */
static const double SECONDS_LEAST = 1e-3;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* ---- Time ----------------------------------------------------------------------------------- */

double crm_limits_time_left(void)
{
    return most_seconds > 0 ? fmax(began + most_seconds - now(), 0) : INFINITY;
}

/* Rounded to two digits, since messages show it. */
double crm_limits_time_for_call(void)
{
    char text[32];
    crm_snprintf(text, sizeof text, "%.2g", fmax(crm_limits_time_left(), SECONDS_LEAST));
    return most_seconds > 0 ? crm_strtod(text, NULL) : 0;
}

void crm_limits_begin_polling(void)
{
    crm_interrupt_set_alarm(0, NULL);
}

void crm_limits_begin_writing(void)
{
    static char message[160];
    crm_interrupt_release();
    if (most_seconds > 0) {
        crm_snprintf(message, sizeof message,
                     "carom: time limit of %.3g s reached, and exceeded twofold while writing; "
                     "files are unchanged\n",
                     most_seconds);
        crm_interrupt_set_alarm(fmax(began + 2 * most_seconds - now(), SECONDS_LEAST), message);
    }
}

static void begin_time(double seconds)
{
    static char message[128];
    began = now();
    most_seconds = seconds;
    if (seconds > 0) {
        crm_snprintf(message, sizeof message,
                     "carom: time limit of %.3g s reached before there was an answer\n", seconds);
        crm_interrupt_set_alarm(seconds, message);
    }
}

/* ---- Memory --------------------------------------------------------------------------------- */

/* What a container allows, where there is one. */
static double read_bytes(const char *path)
{
    FILE *file = fopen(path, "r");
    unsigned long long bytes = 0;
    bool known = false;
    if (file != NULL) {
        known = fscanf(file, "%llu", &bytes) == 1;
        fclose(file);
    }
    return known ? (double)bytes : INFINITY;
}

/* Half of what there is, so that other programs have room, too. */
static double machine_bytes(void)
{
    double all = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    return 0.5 * fmin(all > 0 ? all : INFINITY, read_bytes("/sys/fs/cgroup/memory.max"));
}

/* Bytes of private memory at present, programs and libraries among them; 0: not known. */
static double bytes_now(void)
{
    unsigned long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file != NULL) {
        /* The sixth number: data and stacks, as RLIMIT_DATA counts them. */
        pages = fscanf(file, "%*s %*s %*s %*s %*s %llu", &pages) == 1 ? pages : 0;
        fclose(file);
    }
    return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

/* A limit that the system enforces, also for allocations that cannot be foreseen, such as those of
 * libraries.
 */
static void bound_memory(double bytes)
{
    double all = bytes_now() + bytes;
    if (getrlimit(RLIMIT_DATA, &before) == 0 && all < (double)before.rlim_max) {
        struct rlimit limit = {(rlim_t)all, before.rlim_max};
        bounded = setrlimit(RLIMIT_DATA, &limit) == 0;
    }
}

double crm_limits_memory(void)
{
    return most_bytes;
}

crm_yaml_limits crm_limits_for_scenario(void)
{
    crm_yaml_limits limits = crm_yaml_limits_default();
    limits.memory = most_bytes;
    return limits;
}

bool crm_limits_memory_allows(double bytes, const char *what)
{
    char needed[32], most[32];
    if (bytes <= most_bytes) {
        return true;
    }
    crm_text_bytes(bytes, needed, sizeof needed);
    crm_text_bytes(most_bytes, most, sizeof most);
    crm_message(0, "%s needs about %s of memory; the limit is %s (--max-memory)", what, needed,
                most);
    return false;
}

bool crm_limits_disk_allows(double bytes, const char *path)
{
    struct statvfs disk;
    char needed[32], left[32];
    char *copy = path != NULL ? crm_memory_copy_text(path) : NULL;
    bool known = copy != NULL && statvfs(dirname(copy), &disk) == 0;
    double most = known ? (double)disk.f_bavail * (double)disk.f_frsize : INFINITY;
    free(copy);
    if (bytes <= most) {
        return true;
    }
    crm_text_bytes(bytes, needed, sizeof needed);
    crm_text_bytes(most, left, sizeof left);
    crm_message(0, "%s needs about %s; the disk has %s left", path, needed, left);
    return false;
}

/* ---- Threads -------------------------------------------------------------------------------- */

/* Those this process may run on: a batch system or mpirun may have given it only some. */
static unsigned cores(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) {
        return (unsigned)CPU_COUNT(&set);
    }
    return (unsigned)crm_team_processors();
}

unsigned crm_limits_jobs(const crm_options *options)
{
    return options->jobs > 0 ? options->jobs : cores();
}

/* ---- Both ------------------------------------------------------------------------------------ */

void crm_limits_begin(const crm_options *options)
{
    begin_time(options->max_seconds);
    most_bytes = options->max_memory > 0 ? options->max_memory : machine_bytes();
    if (options->max_memory > 0) {
        bound_memory(options->max_memory);
    }
}

void crm_limits_end(void)
{
    crm_interrupt_set_alarm(0, NULL);
    if (bounded) {
        setrlimit(RLIMIT_DATA, &before);
    }
}
