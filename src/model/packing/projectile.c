#include <math.h>

#include "carom/model.h"

crm_projectile_def crm_projectile_def_default(void)
{
    return (crm_projectile_def){
        .over = {NAN, NAN}, .radius = NAN, .mass = NAN, .contact = crm_contact_def_default()};
}
