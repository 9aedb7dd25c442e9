#define _XOPEN_SOURCE 700 /* realpath, fchown */
#include "cli/file/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"
#include "cli/cli.h"

int crm_output_refuse_for(const char *path, const char *why)
{
    return strcmp(why, crm_status_text(CRM_ERROR_MEMORY)) == 0
               ? crm_message_memory()
               : crm_message(CRM_EXIT_WRITE, "%s could not be written: %s", path, why);
}

int crm_output_refuse(const char *path, int problem)
{
    return crm_output_refuse_for(path, problem == ENOMEM ? crm_status_text(CRM_ERROR_MEMORY)
                                       : problem != 0    ? strerror(problem)
                                                         : "unknown error");
}

/* ---- Where a path leads --------------------------------------------------------------------- */

/* The number in "/dev/fd/3"; -1: it is no name of an open file. What such a name leads to must not
 * be replaced: the shell may have opened it to append.
 */
static int descriptor_of(const char *path)
{
    static const char *const prefixes[] = {"/dev/fd/", "/proc/self/fd/"};
    if (strcmp(path, "/dev/stdout") == 0) {
        return STDOUT_FILENO;
    }
    if (strcmp(path, "/dev/stderr") == 0) {
        return STDERR_FILENO;
    }
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        size_t length = strlen(prefixes[i]);
        char *end;
        if (strncmp(path, prefixes[i], length) == 0) {
            long number = strtol(path + length, &end, 10);
            return end != path + length && *end == '\0' && number >= 0 && number < INT32_MAX
                       ? (int)number
                       : -1;
        }
    }
    return -1;
}

static bool is_standard(const char *path)
{
    return path == NULL || strcmp(path, "-") == 0 || descriptor_of(path) == STDOUT_FILENO;
}

/* A file that is not there yet; its folder may be named through links. A link to nothing is not
 * followed: whoever made it may have meant another place.
 */
static int locate_new(const char *path, char **target)
{
    struct stat info;
    if (lstat(path, &info) == 0) {
        return crm_message(CRM_EXIT_WRITE, "%s could not be written: it is a dangling link", path);
    }
    *target = crm_memory_copy_text(path);
    return *target != NULL ? CRM_EXIT_DONE : crm_output_refuse(path, ENOMEM);
}

int crm_output_locate(const char *path, char **target)
{
    struct stat info;
    *target = NULL;
    if (is_standard(path) || descriptor_of(path) >= 0) {
        return CRM_EXIT_DONE;
    }
    if (stat(path, &info) != 0) {
        return errno == ENOENT ? locate_new(path, target) : crm_output_refuse(path, errno);
    }
    if (!S_ISREG(info.st_mode)) {
        return CRM_EXIT_DONE;
    }
    /* A rename would replace a file that its owner has protected. */
    if (access(path, W_OK) != 0) {
        return crm_output_refuse(path, errno);
    }
    *target = realpath(path, NULL);
    return *target != NULL ? CRM_EXIT_DONE : crm_output_refuse(path, errno);
}

/* ---- Opening -------------------------------------------------------------------------------- */

/* O_EXCL makes a name that is taken an error, so that it need not be unique, only not foreseen. */
static uint64_t draw_number(void)
{
    uint64_t number;
    struct timespec time;
    if (getrandom(&number, sizeof number, GRND_NONBLOCK) != (ssize_t)sizeof number) {
        clock_gettime(CLOCK_REALTIME, &time);
        number = ((uint64_t)time.tv_sec << 32 ^ (uint64_t)time.tv_nsec << 16) ^ (uint64_t)getpid();
    }
    return number;
}

/* In the folder of the target, hidden, and no longer than any name may be. */
static char *name_temporary(const char *target)
{
    enum { SIZE = sizeof ".carom-0123456789abcdef" };
    const char *slash = strrchr(target, '/');
    size_t folder = slash != NULL ? (size_t)(slash - target) + 1 : 0;
    char *name = CRM_NEW(char, folder + SIZE);
    if (name != NULL) {
        memcpy(name, target, folder);
        snprintf(name + folder, SIZE, ".carom-%016llx", (unsigned long long)draw_number());
    }
    return name;
}

/* The descriptor; -1 with errno. */
static int create(crm_output *output, mode_t mode)
{
    output->temporary = name_temporary(output->target);
    if (output->temporary == NULL) {
        errno = ENOMEM;
        return -1;
    }
    bool watched = crm_interrupt_add_file(output->temporary);
    errno = ENAMETOOLONG;
    int file =
        watched ? open(output->temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
                : -1;
    if (file < 0) {
        int problem = errno;
        crm_interrupt_remove_file(output->temporary);
        free(output->temporary);
        output->temporary = NULL;
        errno = problem;
    }
    return file;
}

/* The owner and the permissions of the file that is replaced, as far as the system lets us, else
 * those of any new file.
 */
static int create_like(crm_output *output)
{
    struct stat before, now;
    bool replaces = stat(output->target, &before) == 0;
    int file = create(output, replaces ? S_IRUSR | S_IWUSR : 0666);
    if (file >= 0 && replaces && fstat(file, &now) == 0) {
        if (before.st_uid != now.st_uid || before.st_gid != now.st_gid) {
            (void)!fchown(file, before.st_uid, before.st_gid);
        }
        (void)!fchmod(file, before.st_mode & 0777);
    }
    return file;
}

static int open_stream(crm_output *output, int file, const char *path)
{
    output->stream = file >= 0 ? fdopen(file, "w") : NULL;
    if (output->stream == NULL) {
        int problem = errno;
        if (file >= 0) {
            close(file);
        }
        return crm_output_refuse(path, problem);
    }
    return CRM_EXIT_DONE;
}

static int open_in_place(const char *path)
{
    int number = descriptor_of(path);
    return number >= 0 ? dup(number) : open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
}

int crm_output_open(crm_output *output, const char *path)
{
    *output = (crm_output){0};
    if (is_standard(path)) {
        output->stream = stdout;
        return CRM_EXIT_DONE;
    }
    int status = crm_output_locate(path, &output->target);
    if (status != CRM_EXIT_DONE) {
        return status;
    }
    if (output->target != NULL) {
        return open_stream(output, create_like(output), path);
    }
    output->target = crm_memory_copy_text(path);
    return output->target != NULL ? open_stream(output, open_in_place(path), path)
                                  : crm_output_refuse(path, ENOMEM);
}

/* ---- Closing -------------------------------------------------------------------------------- */

/* Everything must have reached the disk: that it is full may show only when buffers are emptied. Of
 * several failures the errno of the first is reported.
 */
static bool close_stream(crm_output *output, int *problem)
{
    FILE *stream = output->stream;
    output->stream = NULL;
    errno = 0;
    bool good = !ferror(stream);
    good = fflush(stream) == 0 && good;
    good = good && (output->temporary == NULL || fsync(fileno(stream)) == 0);
    *problem = errno;
    if (stream != stdout) {
        errno = 0;
        bool closed = fclose(stream) == 0;
        *problem = good && !closed ? errno : *problem;
        good = closed && good;
    }
    return good;
}

/* The name, too, must survive a power failure. The file is in its place by then, so a file system
 * that cannot synchronize folders is no error.
 */
static void sync_folder(const char *target)
{
    const char *slash = strrchr(target, '/');
    size_t length = slash == NULL ? 0 : slash == target ? 1 : (size_t)(slash - target);
    char *folder = CRM_NEW(char, length + 2);
    if (folder == NULL) {
        return;
    }
    memcpy(folder, length > 0 ? target : ".", length > 0 ? length : 1);
    int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file >= 0) {
        (void)!fsync(file);
        close(file);
    }
    free(folder);
}

int crm_output_commit(crm_output *output)
{
    int problem;
    const char *name = output->target != NULL ? output->target : "standard output";
    if (!close_stream(output, &problem)) {
        return crm_output_refuse(name, problem);
    }
    if (output->temporary == NULL) {
        return CRM_EXIT_DONE;
    }
    if (rename(output->temporary, output->target) != 0) {
        return crm_output_refuse(name, errno);
    }
    crm_interrupt_remove_file(output->temporary);
    sync_folder(output->target);
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
        crm_interrupt_remove_file(output->temporary);
    }
    free(output->temporary);
    free(output->target);
    *output = (crm_output){0};
}
