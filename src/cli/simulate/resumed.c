/* What an earlier run has written, copied up to its checkpoint. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/simulate/simulate.h"

int crm_resumed_refuse(const char *path)
{
    return crm_message(CRM_EXIT_USAGE,
                       "%s does not match the checkpoint; choose another name, or remove it, to "
                       "write the rows from there on",
                       path);
}

static int refuse(const char *path, int problem)
{
    return crm_message(CRM_EXIT_WRITE, "%s cannot be continued: %s", path, strerror(problem));
}

/* Copies `bytes` of `from`, and counts lines. False: it ends before. */
static bool copy(FILE *from, uint64_t bytes, FILE *to, uint64_t *lines)
{
    char part[1 << 16], last = '\n';
    while (bytes > 0) {
        size_t size = bytes < sizeof part ? (size_t)bytes : sizeof part;
        if (fread(part, 1, size, from) != size || fwrite(part, 1, size, to) != size) {
            return false;
        }
        for (size_t i = 0; i < size; i++) {
            *lines += part[i] == '\n';
        }
        last = part[size - 1];
        bytes -= size;
    }
    return last == '\n';
}

static bool begins(FILE *from, const char *heading)
{
    for (; *heading != '\0'; heading++) {
        if (fgetc(from) != (unsigned char)*heading) {
            return false;
        }
    }
    rewind(from);
    return true;
}

static uint64_t lines_of(const char *text)
{
    uint64_t lines = 0;
    for (; *text != '\0'; text++) {
        lines += *text == '\n';
    }
    return lines;
}

static bool take_over(FILE *file, const char *heading, crm_mark mark, FILE *to)
{
    uint64_t lines = 0;
    return mark.bytes >= strlen(heading) && begins(file, heading) &&
           copy(file, mark.bytes, to, &lines) && lines == lines_of(heading) + mark.rows;
}

int crm_resumed_copy(const char *path, const char *heading, const crm_mark *from, FILE *to,
                     crm_mark *mark)
{
    FILE *file = from != NULL ? fopen(path, "rb") : NULL;
    *mark = (crm_mark){0, strlen(heading)};
    if (file == NULL) {
        fputs(heading, to);
        return from == NULL || errno == ENOENT ? CRM_EXIT_DONE : refuse(path, errno);
    }
    bool same = take_over(file, heading, *from, to);
    fclose(file);
    *mark = *from;
    return same ? CRM_EXIT_DONE : crm_resumed_refuse(path);
}

int crm_resumed_copy_all(const char *path, FILE *to, bool *found)
{
    FILE *file = fopen(path, "rb");
    *found = file != NULL;
    if (file == NULL) {
        return errno == ENOENT ? CRM_EXIT_DONE : refuse(path, errno);
    }
    char part[1 << 16];
    size_t size;
    bool good = true;
    while (good && (size = fread(part, 1, sizeof part, file)) > 0) {
        good = fwrite(part, 1, size, to) == size;
    }
    good = good && !ferror(file) && fflush(to) == 0;
    fclose(file);
    return good ? CRM_EXIT_DONE : refuse(path, errno);
}

char *crm_resumed_heading(crm_heading_writer heading, const void *of)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (stream == NULL) {
        return NULL;
    }
    heading(of, stream);
    if (fclose(stream) != 0) {
        free(text);
        return NULL;
    }
    return text;
}
