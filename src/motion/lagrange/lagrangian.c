#include "carom/motion.h"

crm_lagrangian_def crm_lagrangian_def_default(void)
{
    return (crm_lagrangian_def){.size = 1};
}
