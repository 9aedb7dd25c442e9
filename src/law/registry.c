/* Every law the library knows. To add one: write its file, name its descriptor here. */
#include <string.h>

#include "law/law.h"

extern const crm_law crm_law_lzb;
extern const crm_law crm_law_moreau;
extern const crm_law crm_law_newton;
extern const crm_law crm_law_generalized_newton;
extern const crm_law crm_law_poisson;
extern const crm_law crm_law_binary;
extern const crm_law crm_law_sequential;
extern const crm_law crm_law_impulse_ratio;
extern const crm_law crm_law_icr;
extern const crm_law crm_law_compliant;
extern const crm_law crm_law_fremond;

static const crm_law *const laws[] = {
    &crm_law_lzb,     &crm_law_moreau,    &crm_law_newton,     &crm_law_generalized_newton,
    &crm_law_poisson, &crm_law_binary,    &crm_law_sequential, &crm_law_impulse_ratio,
    &crm_law_icr,     &crm_law_compliant, &crm_law_fremond,
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
    for (size_t i = 0; name != NULL && i < LAW_COUNT; i++) {
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
    return names[crm_text_nearest(name != NULL ? name : "", names, LAW_COUNT)];
}
