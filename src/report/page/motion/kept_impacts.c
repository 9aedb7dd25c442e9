#include "report/page/motion/kept_impacts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "field/motion.h"

enum { IMPACTS_MOST = 4096, CONTACTS_MOST = 32768, CONTACTS_EACH = 64 };

crm_status crm_kept_impacts_create(crm_kept_impacts *impacts, crm_error *error)
{
    *impacts = (crm_kept_impacts){.stride = 1,
                                  .impacts = CRM_NEW(crm_kept_impact, IMPACTS_MOST),
                                  .contacts = CRM_NEW(crm_kept_contact, CONTACTS_MOST)};
    if (impacts->impacts == NULL || impacts->contacts == NULL) {
        crm_kept_impacts_free(impacts);
        return crm_fail_memory(error);
    }
    return CRM_OK;
}

void crm_kept_impacts_free(crm_kept_impacts *impacts)
{
    free(impacts->impacts);
    free(impacts->contacts);
    *impacts = (crm_kept_impacts){0};
}

/* ---- Adding ---------------------------------------------------------------------------------- */

static crm_kept_contact contact_of(const crm_impact_report *impact, size_t j)
{
    return (crm_kept_contact){.party = {impact->party[j][0], impact->party[j][1]},
                              .place = crm_impact_contact_number(impact, j),
                              .closing_speed = impact->closing_speed[j],
                              .impulse = impact->impulse[j],
                              .peak_force =
                                  impact->peak_force != NULL ? impact->peak_force[j] : NAN};
}

static size_t weakest_of(const crm_kept_contact *contacts, size_t count)
{
    size_t weakest = 0;
    for (size_t k = 1; k < count; k++) {
        weakest = contacts[k].impulse < contacts[weakest].impulse ? k : weakest;
    }
    return weakest;
}

/* In their order as long as there is room; then each in place of the weakest, if it is stronger. */
static size_t keep_contacts(const crm_impact_report *impact, crm_kept_contact *to)
{
    size_t kept = 0, weakest = 0;
    for (size_t j = 0; j < impact->contacts; j++) {
        if (kept < CONTACTS_EACH) {
            to[kept++] = contact_of(impact, j);
            weakest = kept == CONTACTS_EACH ? weakest_of(to, kept) : 0;
        } else if (impact->impulse[j] > to[weakest].impulse) {
            to[weakest] = contact_of(impact, j);
            weakest = weakest_of(to, kept);
        }
    }
    return kept;
}

static crm_kept_impact kept_impact_of(const crm_kept_impacts *b, const crm_impact_report *impact)
{
    crm_kept_impact kept_impact = {.number = impact->number,
                                   .represents = 1,
                                   .time = impact->time,
                                   .lost = impact->lost,
                                   .strongest = -INFINITY,
                                   .contacts = impact->contacts,
                                   .first = b->contact_count,
                                   .kept = keep_contacts(impact, b->contacts + b->contact_count),
                                   .result = impact->result,
                                   .kinematic = impact->kinematic,
                                   .kinetic = impact->kinetic,
                                   .energetic = impact->energetic,
                                   .unique = impact->unique};
    for (size_t j = 0; j < impact->contacts; j++) {
        kept_impact.strongest = fmax(kept_impact.strongest, impact->closing_speed[j]);
    }
    return kept_impact;
}

/* ---- Leaving out ----------------------------------------------------------------------------- */

static bool is_in_order(const crm_kept_impact *kept_impact)
{
    return kept_impact->result == CRM_SOLVED && kept_impact->kinematic && kept_impact->kinetic &&
           kept_impact->energetic;
}

static const crm_kept_impact *stronger(const crm_kept_impact *a, const crm_kept_impact *b)
{
    if (is_in_order(a) != is_in_order(b)) {
        return is_in_order(a) ? b : a;
    }
    return b->strongest > a->strongest ? b : a;
}

/* The last of those that stay; its contacts move to after those of the others. */
static void append(crm_kept_impacts *b, crm_kept_impact stays)
{
    memmove(b->contacts + b->contact_count, b->contacts + stays.first,
            stays.kept * sizeof *b->contacts);
    stays.first = b->contact_count;
    b->contact_count += stays.kept;
    b->impacts[b->count++] = stays;
}

static crm_kept_impact both(const crm_kept_impact *a, const crm_kept_impact *b)
{
    crm_kept_impact stays = *stronger(a, b);
    stays.represents = a->represents + b->represents;
    return stays;
}

void crm_kept_impacts_thin(crm_kept_impacts *b)
{
    size_t count = b->count;
    b->count = b->contact_count = 0;
    b->stride *= 2;
    for (size_t i = 0; i < count; i += 2) {
        append(b, i + 1 < count ? both(&b->impacts[i], &b->impacts[i + 1]) : b->impacts[i]);
    }
}

void crm_kept_impacts_add(crm_kept_impacts *b, const crm_impact_report *impact)
{
    if (b->count == IMPACTS_MOST || b->contact_count + CONTACTS_EACH > CONTACTS_MOST) {
        crm_kept_impacts_thin(b);
    }
    crm_kept_impact kept_impact = kept_impact_of(b, impact);
    if (b->count > 0 && b->impacts[b->count - 1].represents < b->stride) {
        crm_kept_impact last = b->impacts[--b->count];
        b->contact_count = last.first;
        kept_impact = both(&last, &kept_impact);
    }
    append(b, kept_impact);
    b->total++;
}
