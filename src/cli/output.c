/* Results written whole or not at all. */
#define _XOPEN_SOURCE 700 /* realpath */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "cli/cli.h"

static int refuse(const char *path, const char *why)
{
    return crm_say(CRM_EXIT_WRITE, "%s could not be written: %s", path, why);
}

/* What a rename would replace must be the file itself, not a link to it. */
static char *resolve(const char *path)
{
    char *resolved = realpath(path, NULL);
    return resolved != NULL ? resolved : crm_copy_text(path);
}

/* The permissions of the file that is replaced, else those of any new file. */
static mode_t permissions(const char *target)
{
    struct stat info;
    if (stat(target, &info) == 0) {
        return info.st_mode & 0777;
    }
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

static bool is_special(const char *target)
{
    struct stat info;
    return stat(target, &info) == 0 && !S_ISREG(info.st_mode);
}

static int open_in_place(crm_output *output)
{
    output->stream = fopen(output->target, "w");
    return output->stream != NULL ? CRM_EXIT_DONE : refuse(output->target, strerror(errno));
}

static int open_beside(crm_output *output)
{
    static const char suffix[] = ".XXXXXX";
    size_t length = strlen(output->target);
    output->temporary = CRM_NEW(char, length + sizeof suffix);
    if (output->temporary == NULL) {
        return refuse(output->target, "out of memory");
    }
    memcpy(output->temporary, output->target, length);
    memcpy(output->temporary + length, suffix, sizeof suffix);
    int file = mkstemp(output->temporary);
    if (file < 0) {
        int status = refuse(output->target, strerror(errno));
        free(output->temporary);
        output->temporary = NULL;
        return status;
    }
    crm_interrupt_watch(output->temporary);
    /* A file system without permissions refuses; the file is as good. */
    (void)!fchmod(file, permissions(output->target));
    output->stream = fdopen(file, "w");
    if (output->stream == NULL) {
        int status = refuse(output->target, strerror(errno));
        close(file);
        return status;
    }
    return CRM_EXIT_DONE;
}

int crm_output_open(crm_output *output, const char *path)
{
    *output = (crm_output){0};
    if (path == NULL || strcmp(path, "-") == 0) {
        output->stream = stdout;
        return CRM_EXIT_DONE;
    }
    output->target = resolve(path);
    if (output->target == NULL) {
        return refuse(path, "out of memory");
    }
    return is_special(output->target) ? open_in_place(output) : open_beside(output);
}

/* Everything must have reached the system: a full disk may show only when buffers are emptied. */
static bool close_stream(crm_output *output)
{
    FILE *stream = output->stream;
    output->stream = NULL;
    errno = 0;
    bool good = !ferror(stream);
    good = fflush(stream) == 0 && good;
    if (stream != stdout) {
        good = fclose(stream) == 0 && good;
    }
    return good;
}

int crm_output_commit(crm_output *output)
{
    const char *name = output->target != NULL ? output->target : "standard output";
    if (!close_stream(output)) {
        return refuse(name, errno != 0 ? strerror(errno) : "the device refused");
    }
    if (output->temporary == NULL) {
        return CRM_EXIT_DONE;
    }
    if (rename(output->temporary, output->target) != 0) {
        return refuse(name, strerror(errno));
    }
    crm_interrupt_forget(output->temporary);
    free(output->temporary);
    output->temporary = NULL;
    return CRM_EXIT_DONE;
}

void crm_output_abandon(crm_output *output)
{
    if (output->stream != NULL && output->stream != stdout) {
        fclose(output->stream);
    }
    if (output->temporary != NULL) {
        unlink(output->temporary);
        crm_interrupt_forget(output->temporary);
    }
    free(output->temporary);
    free(output->target);
    *output = (crm_output){0};
}

bool crm_output_colour(const crm_output *output)
{
    const char *declined = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    return output->stream == stdout && isatty(STDOUT_FILENO) &&
           (declined == NULL || declined[0] == '\0') &&
           (terminal == NULL || strcmp(terminal, "dumb") != 0);
}
