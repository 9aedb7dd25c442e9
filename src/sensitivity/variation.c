/* The sizes of the arrays of a crm_variation. */
#include "carom/sensitivity.h"
#include "model/model.h"

size_t crm_variation_mass_size(const crm_model *model)
{
    return model->mass.form == CRM_MASS_DIAGONAL ? model->coordinates
                                                 : model->coordinates * model->coordinates;
}

size_t crm_variation_jacobian_size(const crm_model *model)
{
    return model->w_start[model->contacts];
}
