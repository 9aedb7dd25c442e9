/* The file of hashes, by lines:
 *
 *     group NAME HASH HHHH HHHH ...    (four digits of the hash of each system)
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bits.h"

/* Enough to tell which system differs; whether any does is the long one's to say. */
static unsigned brief(bits_hash hash)
{
    return (unsigned)(hash >> 48);
}

void bits_print_group(const bits_group *group)
{
    printf("group %s %016" PRIx64, group->name, bits_group_hash(group));
    for (size_t i = 0; i < group->count; i++) {
        printf(" %04x", brief(group->system[i]));
    }
    printf("\n");
}

bits_file bits_file_read(const char *path)
{
    enum { LONGEST = 1 << 20 };
    bits_file file = {calloc(1, LONGEST)};
    FILE *stream = fopen(path, "r");
    if (file.text == NULL || stream == NULL) {
        free(file.text);
        fail_msg("%s cannot be read", path);
    }
    size_t length = fread(file.text, 1, LONGEST - 1, stream);
    file.text[length] = '\0';
    fclose(stream);
    return file;
}

void bits_file_free(bits_file *file)
{
    free(file->text);
}

/* Where the line's hash begins; NULL: there is no such line. */
static const char *find(const bits_file *file, const char *name)
{
    char start[2 * BITS_NAME];
    int length = snprintf(start, sizeof start, "group %s ", name);
    for (const char *line = file->text; line != NULL && *line != '\0';) {
        if (strncmp(line, start, (size_t)length) == 0) {
            return line + length;
        }
        line = strchr(line, '\n');
        line = line != NULL ? line + 1 : NULL;
    }
    return NULL;
}

void bits_file_check(const bits_file *file, const bits_group *group)
{
    const char *found = find(file, group->name);
    if (found == NULL) {
        fail_msg("group %s is not in the file of hashes", group->name);
        return;
    }
    char *rest;
    if (strtoull(found, &rest, 16) == bits_group_hash(group)) {
        return;
    }
    const char *first = NULL;
    size_t differ = 0, listed = 0;
    for (; *rest == ' '; listed++) {
        unsigned short_hash = (unsigned)strtoul(rest, &rest, 16);
        if (listed < group->count && short_hash != brief(group->system[listed])) {
            first = differ++ == 0 ? group->names[listed] : first;
        }
    }
    fail_msg("group %s: other bits in %zu of %zu systems (%zu in the file), first in: %s",
             group->name, differ, group->count, listed, first != NULL ? first : "(none listed)");
}
