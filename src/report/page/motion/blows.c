#include "report/page/motion/blows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "field/motion.h"

enum { BLOWS_MOST = 4096, CONTACTS_MOST = 32768, CONTACTS_EACH = 64 };

crm_status crm_blows_create(crm_blows *blows, crm_error *error)
{
    *blows = (crm_blows){.stride = 1,
                         .blows = CRM_NEW(crm_blow, BLOWS_MOST),
                         .contacts = CRM_NEW(crm_blow_contact, CONTACTS_MOST)};
    if (blows->blows == NULL || blows->contacts == NULL) {
        crm_blows_free(blows);
        return crm_fail_memory(error);
    }
    return CRM_OK;
}

void crm_blows_free(crm_blows *blows)
{
    free(blows->blows);
    free(blows->contacts);
    *blows = (crm_blows){0};
}

/* ---- Adding --------------------------------------------------------------------------------- */

static crm_blow_contact contact_of(const crm_impact_report *impact, size_t j)
{
    return (crm_blow_contact){.party = {impact->party[j][0], impact->party[j][1]},
                              .place = crm_impact_place(impact, j),
                              .closing_speed = impact->closing_speed[j],
                              .impulse = impact->impulse[j],
                              .peak_force =
                                  impact->peak_force != NULL ? impact->peak_force[j] : NAN};
}

static size_t weakest_of(const crm_blow_contact *contacts, size_t count)
{
    size_t weakest = 0;
    for (size_t k = 1; k < count; k++) {
        weakest = contacts[k].impulse < contacts[weakest].impulse ? k : weakest;
    }
    return weakest;
}

/* In their order as long as there is room; then each in place of the weakest, if it is stronger. */
static size_t keep_contacts(const crm_impact_report *impact, crm_blow_contact *to)
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

static crm_blow blow_of(const crm_blows *b, const crm_impact_report *impact)
{
    crm_blow blow = {.number = impact->number,
                     .among = 1,
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
        blow.strongest = fmax(blow.strongest, impact->closing_speed[j]);
    }
    return blow;
}

/* ---- Leaving out ---------------------------------------------------------------------------- */

static bool is_in_order(const crm_blow *blow)
{
    return blow->result == CRM_SOLVED && blow->kinematic && blow->kinetic && blow->energetic;
}

static const crm_blow *stronger(const crm_blow *a, const crm_blow *b)
{
    if (is_in_order(a) != is_in_order(b)) {
        return is_in_order(a) ? b : a;
    }
    return b->strongest > a->strongest ? b : a;
}

/* The last of those that stay; its contacts move to after those of the others. */
static void append(crm_blows *b, crm_blow stays)
{
    memmove(b->contacts + b->contact_count, b->contacts + stays.first,
            stays.kept * sizeof *b->contacts);
    stays.first = b->contact_count;
    b->contact_count += stays.kept;
    b->blows[b->count++] = stays;
}

static crm_blow both(const crm_blow *a, const crm_blow *b)
{
    crm_blow stays = *stronger(a, b);
    stays.among = a->among + b->among;
    return stays;
}

void crm_blows_thin(crm_blows *b)
{
    size_t count = b->count;
    b->count = b->contact_count = 0;
    b->stride *= 2;
    for (size_t i = 0; i < count; i += 2) {
        append(b, i + 1 < count ? both(&b->blows[i], &b->blows[i + 1]) : b->blows[i]);
    }
}

void crm_blows_add(crm_blows *b, const crm_impact_report *impact)
{
    if (b->count == BLOWS_MOST || b->contact_count + CONTACTS_EACH > CONTACTS_MOST) {
        crm_blows_thin(b);
    }
    crm_blow blow = blow_of(b, impact);
    if (b->count > 0 && b->blows[b->count - 1].among < b->stride) {
        crm_blow last = b->blows[--b->count];
        b->contact_count = last.first;
        blow = both(&last, &blow);
    }
    append(b, blow);
    b->seen++;
}
