/* A whole file, or standard input, as one text. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "scenario/scenario.h"

/* A file that grows while it is read (a device, a pipe) must end somewhere. */
static const size_t LENGTH_MOST = CRM_SIZE_MOST(UINT64_C(4) << 30);

static crm_status refuse(crm_read_error *error, const char *source, const char *why)
{
    return crm_yaml_fail_at(error, CRM_ERROR_ARGUMENT, source, 0, 0, "cannot be read: %s", why);
}

crm_status crm_file_fail(crm_read_error *error, const char *path, int problem)
{
    return problem == ENOMEM ? crm_yaml_fail_at(error, CRM_ERROR_MEMORY, path, 0, 0,
                                                "cannot be read: out of memory")
                             : refuse(error, path, strerror(problem));
}

static bool grow(char **text, size_t *size)
{
    size_t larger = *size > 0 ? 2 * *size : 64 * 1024;
    char *grown = larger > *size ? crm_memory_resize(*text, larger, 1) : NULL;
    if (grown == NULL) {
        return false;
    }
    *text = grown;
    *size = larger;
    return true;
}

static crm_status read_stream(FILE *stream, const char *source, char **text, size_t *length,
                              crm_read_error *error)
{
    size_t size = 0;
    *length = 0;
    do {
        if (*length > LENGTH_MOST) {
            return refuse(error, source, "longer than 4 GiB");
        }
        if (*length + 1 >= size && !grow(text, &size)) {
            return crm_file_fail(error, source, ENOMEM);
        }
        *length += fread(*text + *length, 1, size - *length - 1, stream);
        if (ferror(stream)) {
            return crm_file_fail(error, source, errno);
        }
    } while (!feof(stream));
    (*text)[*length] = '\0';
    return CRM_OK;
}

crm_status crm_file_read(const char *path, char **text, size_t *length, crm_read_error *error)
{
    *text = NULL;
    bool standard = strcmp(path, "-") == 0;
    FILE *stream = standard ? stdin : fopen(path, "rb");
    if (stream == NULL) {
        return crm_file_fail(error, path, errno);
    }
    crm_status status =
        read_stream(stream, standard ? "standard input" : path, text, length, error);
    if (!standard) {
        fclose(stream);
    }
    if (status != CRM_OK) {
        free(*text);
        *text = NULL;
    }
    return status;
}
