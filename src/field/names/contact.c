/* The contacts of a model: their names. */
#include <stdio.h>
#include <string.h>

#include "field/field.h"

static bool same_parties(const crm_model *model, size_t a, size_t b)
{
    return crm_model_party(model, a, 0) == crm_model_party(model, b, 0) &&
           crm_model_party(model, a, 1) == crm_model_party(model, b, 1);
}

/* Beyond this many contacts between the same two, a number says no more than the row does. */
enum { NUMBERED_MOST = 100 };

void crm_contact_name(const crm_model *model, size_t contact, char *text, size_t size)
{
    char first[CRM_NAME_SIZE], second[CRM_NAME_SIZE];
    if (size == 0) {
        return;
    }
    crm_model_contact_name(model, contact, text, size);
    if (text[0] != '\0') {
        return;
    }
    crm_model_party_name(model, contact, 0, first, sizeof first);
    crm_model_party_name(model, contact, 1, second, sizeof second);
    size_t before = 0, after = contact + 1;
    while (before < contact && before < NUMBERED_MOST &&
           same_parties(model, contact, contact - before - 1)) {
        before++;
    }
    bool again = after < crm_model_contacts(model) && same_parties(model, contact, after);
    if ((before > 0 || again) && before < NUMBERED_MOST) {
        snprintf(text, size, "%s - %s (%zu)", first, second, before + 1);
    } else {
        snprintf(text, size, "%s - %s", first, second);
    }
}

bool crm_contact_is_called(const crm_model *model, size_t contact, const char *name)
{
    char own[2 * CRM_NAME_SIZE];
    crm_contact_name(model, contact, own, sizeof own);
    return strcmp(own, name) == 0 ||
           crm_body_is_called(model, crm_model_party(model, contact, 0), name) ||
           crm_body_is_called(model, crm_model_party(model, contact, 1), name);
}

/* ---- Tangents -------------------------------------------------------------------------------- */

/* Without friction there is one, of which nothing is known. */
static size_t tangents_of(const crm_model *model)
{
    return crm_model_tangents(model) > 1 ? crm_model_tangents(model) : 1;
}

void crm_contact_tangent_name(const crm_model *model, size_t tangent, char *text, size_t size)
{
    size_t each = tangents_of(model);
    crm_contact_name(model, tangent / each, text, size);
    size_t used = strlen(text);
    if (each > 1 && size > 0) {
        snprintf(text + used, size - used, " t%zu", tangent % each + 1);
    }
}

bool crm_contact_tangent_is_called(const crm_model *model, size_t tangent, const char *name)
{
    char own[2 * CRM_NAME_SIZE];
    crm_contact_tangent_name(model, tangent, own, sizeof own);
    return strcmp(own, name) == 0 ||
           crm_contact_is_called(model, tangent / tangents_of(model), name);
}
