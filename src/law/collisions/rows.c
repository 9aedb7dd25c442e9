#include "law/collisions/rows.h"

#include <stdlib.h>

crm_status crm_rows_create(const crm_model *model, crm_rows *rows, crm_error *error)
{
    *rows = (crm_rows){.model = model};
    if (model->d_start != NULL) {
        return CRM_OK;
    }
    rows->unit = CRM_NEW(double, model->contacts);
    rows->full = CRM_NEW(double, model->contacts);
    rows->every = CRM_NEW(uint32_t, model->contacts);
    if (rows->unit == NULL || rows->full == NULL || rows->every == NULL) {
        return crm_fail_memory(error);
    }
    for (size_t j = 0; j < model->contacts; j++) {
        rows->every[j] = (uint32_t)j;
    }
    return CRM_OK;
}

void crm_rows_release(crm_rows *rows)
{
    free(rows->unit);
    free(rows->full);
    free(rows->every);
}

crm_status crm_rows_get(crm_rows *rows, size_t j, crm_row *row, crm_error *error)
{
    const crm_model *model = rows->model;
    if (model->d_start != NULL) {
        size_t start = model->d_start[j];
        *row = (crm_row){model->d_start[j + 1] - start, model->d_column + start,
                         model->d_value + start};
        return CRM_OK;
    }
    rows->unit[j] = 1;
    crm_status status = crm_model_delassus_apply(model, rows->unit, rows->full, error);
    rows->unit[j] = 0;
    *row = (crm_row){model->contacts, rows->every, rows->full};
    return status;
}
