#include <string.h>

#include "field/field.h"

bool crm_body_is_called(const crm_model *model, size_t body, const char *name)
{
    char own[CRM_NAME_SIZE];
    crm_model_body_name(model, body, own, sizeof own);
    return strcmp(own, name) == 0;
}
