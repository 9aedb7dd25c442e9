/* Every law the library knows. To add one: write its file, name its descriptor here. */
#include <string.h>

#include "law/problem.h"

extern const crm_law crm_law_lzb;

static const crm_law *const laws[] = {
    &crm_law_lzb,
};

enum { LAW_COUNT = sizeof laws / sizeof laws[0] };

size_t crm_law_count(void)
{
    return LAW_COUNT;
}

const crm_law *crm_law_at(size_t index)
{
    return index < LAW_COUNT ? laws[index] : NULL;
}

const crm_law *crm_law_find(const char *name)
{
    for (size_t i = 0; i < LAW_COUNT; i++) {
        if (strcmp(laws[i]->name, name) == 0) {
            return laws[i];
        }
    }
    return NULL;
}

const char *crm_law_nearest(const char *name)
{
    const char *names[LAW_COUNT];
    for (size_t i = 0; i < LAW_COUNT; i++) {
        names[i] = laws[i]->name;
    }
    return names[crm_text_nearest(name, names, LAW_COUNT)];
}
