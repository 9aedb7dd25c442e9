/* The coordinates of a model: their bodies and names. */
#include <stdio.h>
#include <string.h>

#include "field/field.h"

/* The body whose coordinate it is: coordinates are numbered body after body. */
static size_t body_of(const crm_model *model, size_t coordinate)
{
    size_t low = 0, high = crm_model_bodies(model);
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (crm_model_body_start(model, middle) <= coordinate) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

void crm_coordinate_name(const crm_model *model, size_t coordinate, char *text, size_t size)
{
    static const char *const axes[] = {"x", "y", "z"};
    if (size == 0) {
        return;
    }
    size_t body = body_of(model, coordinate);
    size_t start = crm_model_body_start(model, body);
    size_t count = crm_model_body_start(model, body + 1) - start;
    crm_model_body_name(model, body, text, size);
    size_t used = strlen(text);
    if (crm_model_is_angle(model, coordinate)) {
        bool three = count == 6; /* in space, after the place */
        snprintf(text + used, size - used, " spin%s%s", three ? " " : "",
                 three ? axes[coordinate - start - 3] : "");
    } else if (count == 6 && crm_model_is_angle(model, start + 5)) {
        snprintf(text + used, size - used, " %s", axes[coordinate - start]);
    } else if (count > 1 && count <= 3) {
        snprintf(text + used, size - used, " %s", axes[coordinate - start]);
    } else if (count > 3) {
        snprintf(text + used, size - used, " [%zu]", coordinate - start + 1);
    }
}

bool crm_coordinate_is_called(const crm_model *model, size_t coordinate, const char *name)
{
    char own[CRM_NAME_SIZE];
    crm_coordinate_name(model, coordinate, own, sizeof own);
    return strcmp(own, name) == 0 || crm_body_is_called(model, body_of(model, coordinate), name);
}
