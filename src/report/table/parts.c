/* The parts of the table, by name. */
#include <string.h>

#include "report/table/table.h"

static const char *const OWN_PARTS[] = {"all", "energy", "course", "checks", "notes"};

enum { OWN = sizeof OWN_PARTS / sizeof OWN_PARTS[0] };

/* Lists known before the impact are input, which `carom check` shows. */
static bool is_part(const crm_outcome_field *field)
{
    return field->of != CRM_OF_IMPACT && !field->before;
}

const char *crm_table_part_name(size_t index)
{
    if (index < OWN) {
        return OWN_PARTS[index];
    }
    size_t left = index - OWN;
    for (size_t i = 0; i < crm_outcome_fields(); i++) {
        const crm_outcome_field *field = crm_outcome_field_at(i);
        if (is_part(field) && left-- == 0) {
            return field->name;
        }
    }
    return NULL;
}

static bool is_listed(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; *at != '\0';) {
        size_t word = strcspn(at, ",");
        if (word == length && strncmp(at, name, length) == 0) {
            return true;
        }
        at += word + (at[word] == ',');
    }
    return false;
}

bool crm_table_shows(const crm_table *t, const char *part, bool by_default)
{
    const char *show = t->style.show;
    if (show == NULL) {
        return by_default;
    }
    return is_listed(show, part) || (by_default && is_listed(show, OWN_PARTS[0]));
}
