#include "carom/motion.h"

crm_scene_def crm_scene_def_default(void)
{
    return (crm_scene_def){.bodies = crm_bodies_def_default()};
}
