/* The contacts of an impact within a motion: their names. */
#include <stdio.h>

#include "base/base.h"
#include "field/motion.h"
#include "model/bodies/bodies.h"

static bool same_parties(const crm_impact_report *impact, size_t a, size_t b)
{
    return impact->party[a][0] == impact->party[b][0] && impact->party[a][1] == impact->party[b][1];
}

size_t crm_impact_contact_number(const crm_impact_report *impact, size_t contact)
{
    size_t before = 0;
    while (before < contact && same_parties(impact, contact, contact - before - 1)) {
        before++;
    }
    bool again = contact + 1 < impact->contacts && same_parties(impact, contact, contact + 1);
    return before > 0 || again ? before + 1 : 0;
}

void crm_impact_contact_name(const crm_scene_def *scene, const size_t party[2], size_t place,
                             char *text, size_t size)
{
    char first[CRM_NAME_SIZE], second[CRM_NAME_SIZE];
    crm_bodies_party_name(&scene->bodies, party[0], first, sizeof first);
    crm_bodies_party_name(&scene->bodies, party[1], second, sizeof second);
    snprintf(text, size, "%s - %s", first, second);
    if (place > 0) {
        crm_text_append(text, size, " (%zu)", place);
    }
}
