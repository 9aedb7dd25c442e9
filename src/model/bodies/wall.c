#include "carom/model.h"

crm_wall_def crm_wall_def_default(void)
{
    return (crm_wall_def){0};
}
