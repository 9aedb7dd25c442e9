#include <math.h>

#include "carom/model.h"

crm_contact_def crm_contact_def_default(void)
{
    return (crm_contact_def){NAN, NAN, NAN, NAN, NAN, {0}, NAN};
}
