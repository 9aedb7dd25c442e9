#include "reproduce/item_index.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/locale.h"

/* ---- Order ---------------------------------------------------------------------------------- */

/* As people sort: P0-table-6 before P0-table-12. */
static int compare_names(const char *a, const char *b)
{
    while (*a != '\0' && *b != '\0') {
        if (crm_isdigit(*a) && crm_isdigit(*b)) {
            char *end_a, *end_b;
            unsigned long left = strtoul(a, &end_a, 10), right = strtoul(b, &end_b, 10);
            if (left != right) {
                return left < right ? -1 : 1;
            }
            a = end_a;
            b = end_b;
        } else if (*a != *b) {
            return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
        } else {
            a++;
            b++;
        }
    }
    return (*a != '\0') - (*b != '\0');
}

static int compare_items(const void *a, const void *b)
{
    return compare_names((*(crm_item *const *)a)->name, (*(crm_item *const *)b)->name);
}

/* ---- Reading -------------------------------------------------------------------------------- */

crm_status crm_item_index_add(crm_item_index *index, const char *path, crm_read_error *error)
{
    crm_item **grown = crm_memory_resize(index->items, index->count + 1, sizeof(crm_item *));
    if (grown == NULL) {
        return crm_yaml_fail_at(error, CRM_ERROR_MEMORY, path, 0, 0, "out of memory");
    }
    index->items = grown;
    crm_status status = crm_item_read(path, &index->items[index->count], error);
    index->count += status == CRM_OK;
    return status;
}

static bool is_item_name(const char *name)
{
    size_t length = strlen(name);
    return length > 5 && name[0] != '.' && strcmp(name + length - 5, ".yaml") == 0;
}

/* Reading a pipe with such a name would block. */
static bool is_item_file(const char *path)
{
    struct stat info;
    return stat(path, &info) != 0 ||
           S_ISREG(info.st_mode); /* what cannot be read is reported later */
}

crm_status crm_item_index_read(const char *directory, crm_item_index *index, crm_read_error *error)
{
    *index = (crm_item_index){0};
    DIR *open = opendir(directory);
    if (open == NULL) {
        return crm_file_fail(error, directory, errno);
    }
    crm_status status = CRM_OK;
    const struct dirent *entry;
    while (status == CRM_OK && (entry = readdir(open)) != NULL) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        if (is_item_name(entry->d_name) && is_item_file(path)) {
            status = crm_item_index_add(index, path, error);
        }
    }
    closedir(open);
    if (status != CRM_OK) {
        crm_item_index_free(index);
    } else if (index->count > 1) {
        qsort(index->items, index->count, sizeof(crm_item *), compare_items);
    }
    return status;
}

void crm_item_index_free(crm_item_index *index)
{
    for (size_t i = 0; i < index->count; i++) {
        crm_item_free(index->items[i]);
    }
    free(index->items);
    *index = (crm_item_index){0};
}

/* "P0-figure-26" is within "P0-figure-24-27". */
static bool is_within(const char *name, const char *word)
{
    const char *hyphen = strrchr(word, '-');
    size_t stem = hyphen != NULL ? (size_t)(hyphen + 1 - word) : 0;
    unsigned first, last, number;
    char rest;
    return stem > 0 && strncmp(name, word, stem) == 0 &&
           sscanf(name + stem, "%u-%u%c", &first, &last, &rest) == 2 &&
           sscanf(word + stem, "%u%c", &number, &rest) == 1 && number >= first && number <= last;
}

static bool is_called(const char *name, const char *word)
{
    size_t length = strlen(word);
    bool begins = strncmp(name, word, length) == 0;
    return (begins && (name[length] == '\0' || name[length] == '-')) || is_within(name, word);
}

bool crm_item_index_matches(const crm_item *item, const char *word)
{
    bool meant = strcmp(word, "all") == 0 || (strcmp(word, "quick") == 0 && item->quick) ||
                 is_called(item->name, word);
    for (size_t i = 0; i < item->also_count && !meant; i++) {
        meant = is_called(item->also[i], word);
    }
    return meant;
}
