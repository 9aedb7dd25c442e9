/* The rows of D, whether it is stored or not. Internal. */
#ifndef CRM_COLLISIONS_ROWS_H
#define CRM_COLLISIONS_ROWS_H

#include "law/law.h"

typedef struct crm_row {
    size_t count;
    const uint32_t *column;
    const double *value;
} crm_row;

/* Gives any row of D: the stored one, else D applied to a unit vector. Start from {0}. */
typedef struct crm_rows {
    const crm_model *model;
    double *unit, *full; /* only where D is not stored */
    uint32_t *every;
} crm_rows;

crm_status crm_rows_create(const crm_model *model, crm_rows *rows, crm_error *error);
void crm_rows_release(crm_rows *rows);
/* The row of contact j, valid until the next call. */
crm_status crm_rows_get(crm_rows *rows, size_t j, crm_row *row, crm_error *error);

#endif
