/* Results written whole or not at all. */
#define _XOPEN_SOURCE 700 /* realpath */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
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

/* ---- How it is to look ---------------------------------------------------------------------- */

enum { WIDTH_LEAST = 60, WIDTH_MOST = 240 };

static bool is_given(const char *text)
{
    return text != NULL && text[0] != '\0';
}

/* The first of these that is set says which characters the terminal takes. */
static bool takes_utf8(void)
{
    static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const char *value = getenv(variables[i]);
        if (is_given(value)) {
            return strstr(value, "UTF-8") != NULL || strstr(value, "utf8") != NULL ||
                   strstr(value, "UTF8") != NULL || strstr(value, "utf-8") != NULL;
        }
    }
    return false;
}

static int terminal_width(int standard)
{
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    long width = is_given(columns) ? strtol(columns, NULL, 10) : 0;
    if (width <= 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) {
        width = size.ws_col;
    }
    if (width <= 0) {
        return standard;
    }
    return width < WIDTH_LEAST ? WIDTH_LEAST : width > WIDTH_MOST ? WIDTH_MOST : (int)width;
}

crm_style crm_output_style(const crm_output *output)
{
    crm_style style = crm_style_plain();
    const char *terminal = getenv("TERM");
    bool dumb = terminal != NULL && strcmp(terminal, "dumb") == 0;
    if (output->stream == stdout && isatty(STDOUT_FILENO)) {
        style.colour = !is_given(getenv("NO_COLOR")) && !dumb;
        style.bars = takes_utf8() && !dumb;
        style.width = terminal_width(style.width);
    }
    return style;
}
