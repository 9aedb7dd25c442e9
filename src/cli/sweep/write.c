/* From the journal to the table, whole or not at all. */
#define _XOPEN_SOURCE 700 /* fsync, fchmod */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "cli/plugin.h"
#include "cli/sweep/sweep.h"

static int refuse(const char *target, int problem)
{
    return crm_say(CRM_EXIT_WRITE, "%s could not be written: %s", target,
                   problem != 0 ? strerror(problem) : "the device refused");
}

/* ---- CSV ------------------------------------------------------------------------------------ */

static bool copy_rows(void *context, const char *text, size_t length)
{
    return fwrite(text, 1, length, context) == length;
}

static bool write_csv(const crm_study *study, crm_journal *journal, FILE *stream, bool heading)
{
    if (heading) {
        crm_sweep_heading(study, stream);
    }
    return crm_journal_read(journal, copy_rows, stream) && fflush(stream) == 0 && !ferror(stream);
}

static int write_new_csv(const crm_study *study, crm_journal *journal, const char *path,
                         const char *target, bool heading)
{
    FILE *stream = fopen(path, "w");
    if (stream == NULL) {
        return refuse(target, errno);
    }
    errno = 0;
    bool good = write_csv(study, journal, stream, heading) && fsync(fileno(stream)) == 0;
    int problem = errno;
    good = fclose(stream) == 0 && good;
    return good ? CRM_EXIT_DONE : refuse(target, problem);
}

/* ---- The file ------------------------------------------------------------------------------- */

/* The name is always the same, so that a killed program leaves no more than one behind, which the
 * next one writes over.
 */
static char *new_name(const char *target)
{
    size_t size = strlen(target) + sizeof ".new";
    char *name = CRM_NEW(char, size);
    if (name != NULL) {
        snprintf(name, size, "%s.new", target);
    }
    return name;
}

static int write_new(const crm_study *study, crm_journal *journal, const char *path,
                     const char *target, bool heading)
{
    int status = crm_is_hdf5(target) ? crm_sweep_write_hdf5(study, journal, path, target)
                                     : write_new_csv(study, journal, path, target, heading);
    struct stat info;
    if (status == CRM_EXIT_DONE && stat(target, &info) == 0) {
        (void)!chmod(path, info.st_mode & 0777);
    }
    if (status == CRM_EXIT_DONE && rename(path, target) != 0) {
        status = refuse(target, errno);
    }
    if (status != CRM_EXIT_DONE) {
        unlink(path);
    }
    return status;
}

int crm_sweep_write(const crm_study *study, crm_journal *journal, const char *target,
                    crm_output *output, bool heading)
{
    if (output->stream != NULL) {
        (void)write_csv(study, journal, output->stream, heading);
        return crm_output_commit(output); /* says what went wrong */
    }
    char *path = new_name(target);
    if (path == NULL) {
        return refuse(target, ENOMEM);
    }
    crm_interrupt_watch(path);
    int status = write_new(study, journal, path, target, heading);
    crm_interrupt_forget(path);
    free(path);
    return status;
}
