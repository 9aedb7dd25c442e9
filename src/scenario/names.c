/* Names and the things they stand for. */
#include <stdlib.h>
#include <string.h>

#include "scenario/reader.h"

/* Comparing with more names than this is not worth a hint. */
enum { NEAREST_MOST = 10000 };

static int compare(const void *a, const void *b)
{
    const crm_name *first = a, *second = b;
    int order = strcmp(first->text, second->text);
    return order != 0 ? order : (first->index > second->index) - (first->index < second->index);
}

crm_status crm_names_sort(crm_reader *reader, crm_names *names, const char *what)
{
    if (names->count < 2) {
        return CRM_OK;
    }
    qsort(names->sorted, names->count, sizeof *names->sorted, compare);
    for (size_t i = 1; i < names->count; i++) {
        if (strcmp(names->sorted[i].text, names->sorted[i - 1].text) == 0) {
            char shown[64];
            crm_yaml_show_text(names->sorted[i].text, shown, sizeof shown);
            return crm_reader_fail(reader, names->sorted[i].node,
                                   "is '%s', which is already the name of another %s", shown, what);
        }
    }
    return CRM_OK;
}

const crm_name *crm_names_find(const crm_names *names, const char *text)
{
    size_t low = 0, high = names->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(names->sorted[middle].text, text);
        if (order == 0) {
            return &names->sorted[middle];
        }
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return NULL;
}

const char *crm_names_nearest(const crm_names *names, const char *text)
{
    const char *best = "";
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < names->count && names->count <= NEAREST_MOST; i++) {
        size_t distance = crm_text_distance(text, names->sorted[i].text);
        if (distance < least) {
            least = distance;
            best = names->sorted[i].text;
        }
    }
    return crm_text_is_near(text, best) ? best : "";
}
