/* Some of the coordinates and contacts of a system, by their numbers and names. */
#include <stdlib.h>

#include "base/base.h"
#include "report/text/rows.h"

static bool coordinate_is_called(const void *context, size_t row, const char *name)
{
    return crm_coordinate_is_called(context, row, name);
}

static bool contact_is_called(const void *context, size_t row, const char *name)
{
    return crm_contact_is_called(context, row, name);
}

void crm_choice_free(crm_choice *choice)
{
    free(choice->coordinate);
    free(choice->contact);
    *choice = (crm_choice){0};
}

crm_status crm_choice_make(const crm_model *model, const char *list, crm_choice *choice,
                           crm_error *error)
{
    size_t n = crm_model_coordinates(model), s = crm_model_contacts(model);
    const crm_listed coordinates = {model, n, "", NULL, coordinate_is_called};
    const crm_listed contacts = {model, s, "", NULL, contact_is_called};
    const char *wanted = list != NULL ? list : "1-";
    crm_rows rows[2] = {{0}, {0}};
    *choice = (crm_choice){0};
    crm_status status = crm_rows_choose(&coordinates, wanted, n, &rows[0], error);
    if (status == CRM_OK) {
        status = crm_rows_choose(&contacts, wanted, s, &rows[1], error);
    }
    if (status == CRM_OK && rows[0].count + rows[1].count == 0) {
        status = crm_fail(error, CRM_ERROR_OPTION, "rows",
                          "'%s' names none of the %zu coordinates and %zu contacts, and no "
                          "body or wall",
                          list, n, s);
    }
    *choice = (crm_choice){rows[0].count, rows[1].count, rows[0].index, rows[1].index};
    if (status != CRM_OK) {
        crm_choice_free(choice);
    }
    return status;
}
