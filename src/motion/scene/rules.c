/* Curves and rules of the contacts of a scene (model/compliance/), made once for all its impacts.
 */
#include <stdlib.h>
#include <string.h>

#include "model/values.h"
#include "motion/motion.h"

struct crm_motion_rules {
    crm_compliance_store store; /* of all contacts, then of pairs */
    crm_pair_def *pairs;
};

/* What loses energy in compression is followed through the impact, by lzb alone. */
static crm_status check_law(const struct crm_motion_rules *rules, const crm_motion_options *options,
                            crm_error *error)
{
    const crm_settings *law = options->law;
    const char *name = law != NULL                            ? crm_settings_law(law)->name
                       : options->scheme == CRM_TIME_STEPPING ? "moreau"
                                                              : "lzb";
    bool unloads = false;
    for (size_t k = 0; k < rules->store.count; k++) {
        unloads = unloads || rules->store.made[k]->unloading != NULL;
    }
    return !unloads || strcmp(name, "lzb") == 0
               ? CRM_OK
               : crm_fail(error, CRM_ERROR_MODEL, "unloading",
                          "law %s takes restitution; contacts with an unloading curve move by lzb",
                          name);
}

static bool has_rules(const crm_bodies_def *def)
{
    bool any = crm_compliance_is_given(&def->contact.compliance);
    for (size_t k = 0; k < def->pair_count && !any; k++) {
        any = crm_compliance_is_given(&def->pairs[k].contact.compliance);
    }
    return any;
}

/* What it gives is made, at a place of the store. */
static crm_status make(struct crm_motion_rules *rules, size_t places, size_t place,
                       crm_contact_def *contact, crm_error *error)
{
    crm_status status =
        crm_compliance_give(&rules->store, places, place, &contact->compliance, error);
    const crm_compliance *made = rules->store.of != NULL ? rules->store.of[place] : NULL;
    contact->compliance = (crm_compliance_def){.made = made};
    return status;
}

static crm_status make_all(struct crm_motion_rules *rules, const crm_bodies_def *from,
                           crm_bodies_def *to, crm_error *error)
{
    size_t places = from->pair_count + 1;
    crm_status status = make(rules, places, 0, &to->contact, error);
    for (size_t k = 0; k < from->pair_count && status == CRM_OK; k++) {
        rules->pairs[k] = from->pairs[k];
        crm_contact_def *contact = &rules->pairs[k].contact;
        contact->compliance = crm_values_overlay(*contact, from->contact).compliance;
        status = make(rules, places, k + 1, contact, error);
    }
    to->pairs = rules->pairs;
    return status;
}

crm_status crm_motion_rules_make(const crm_scene_def *def, const crm_motion_options *options,
                                 crm_scene_def *with, struct crm_motion_rules **made,
                                 crm_error *error)
{
    *with = *def;
    *made = NULL;
    if (!has_rules(&def->bodies)) {
        return CRM_OK;
    }
    struct crm_motion_rules *rules = CRM_NEW(struct crm_motion_rules, 1);
    if (rules == NULL) {
        return crm_fail_memory(error);
    }
    rules->pairs = CRM_NEW(crm_pair_def, def->bodies.pair_count);
    crm_status status = rules->pairs != NULL ? make_all(rules, &def->bodies, &with->bodies, error)
                                             : crm_fail_memory(error);
    status = status == CRM_OK ? check_law(rules, options, error) : status;
    if (status != CRM_OK) {
        crm_motion_rules_free(rules);
        return status;
    }
    *made = rules;
    return CRM_OK;
}

void crm_motion_rules_free(struct crm_motion_rules *rules)
{
    if (rules != NULL) {
        crm_compliance_release(&rules->store);
        free(rules->pairs);
        free(rules);
    }
}
