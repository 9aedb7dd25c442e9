#include "report.h"

#include <carom/version.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

const char *const REPORT_COLUMNS =
    "case,balls,code,setting,cpu_seconds,how,ratio_to_carom,energy_error,last_ball_error,"
    "worst_error,ok";

/* "model name : ..." of /proc/cpuinfo, where there is one. */
static void find_processor(char *name, size_t room)
{
    char line[256];
    FILE *info = fopen("/proc/cpuinfo", "r");
    snprintf(name, room, "unknown processor");
    while (info != NULL && fgets(line, sizeof line, info) != NULL) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon != NULL) {
            snprintf(name, room, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
            break;
        }
    }
    if (info != NULL) {
        fclose(info);
    }
}

FILE *report_file(const char *folder, const char *name, const char *columns)
{
    if (folder == NULL) {
        return NULL;
    }
    char path[512], processor[256], date[32];
    time_t today = time(NULL);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        perror(path);
        exit(1);
    }
    find_processor(processor, sizeof processor);
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&today));
    fprintf(file, "# %s, %ld cores; %s %s; carom %s; %s\n%s\n", processor,
            sysconf(_SC_NPROCESSORS_ONLN),
#ifdef __clang__
            "clang",
#else
            "gcc",
#endif
            __VERSION__, crm_version(), date, columns);
    return file;
}

void report_head(void)
{
    printf("%-11s %7s  %-28s %-22s %12s %10s  %8s %8s %8s  %s\n", "case", "balls", "code",
           "setting", "CPU s", "x ours", "energy", "last", "worst", "OK");
}

static const char *verdict_text(verdict v)
{
    return v == OK ? "yes" : v == NOT_OK ? "no" : "-";
}

static void print_error(double value)
{
    if (isnan(value)) {
        printf(" %8s", "-");
    } else {
        printf(" %8.1e", value);
    }
}

static void write_number(FILE *csv, double value, const char *format)
{
    fputc(',', csv);
    if (!isnan(value)) {
        fprintf(csv, format, value);
    }
}

void report_row(FILE *csv, const row *r)
{
    printf("%-11s %7zu  %-28s %-22s %c%11.4g", r->what, r->balls, r->code, r->setting,
           r->scaled ? '~' : ' ', r->seconds);
    if (isnan(r->ratio)) {
        printf(" %10s ", "-");
    } else {
        printf(" %10.4g ", r->ratio);
    }
    print_error(r->energy);
    print_error(r->last);
    print_error(r->worst);
    printf("  %s\n", verdict_text(r->acceptable));
    fflush(stdout);
    if (csv == NULL) {
        return;
    }
    fprintf(csv, "%s,%zu,\"%s\",%s,%.4g,%s", r->what, r->balls, r->code, r->setting, r->seconds,
            r->scaled ? "scaled" : "measured");
    write_number(csv, r->ratio, "%.4g");
    write_number(csv, r->energy, "%.2e");
    write_number(csv, r->last, "%.2e");
    write_number(csv, r->worst, "%.2e");
    fprintf(csv, ",%s\n", verdict_text(r->acceptable));
    fflush(csv);
}
