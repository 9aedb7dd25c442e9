/* Samples as rows for the HDF5 module. */
#include <stdint.h>

#include "base/base.h"
#include "cli/history/history.h"

enum { UNIT, ABOUT, TEXTS };

static const char *const text_names[TEXTS] = {[UNIT] = "unit", [ABOUT] = "about"};

enum {
    TIME,
    PRIMARY,
    PRIMARY_IMPULSE,
    VELOCITY,
    FORCE,
    STORED_ENERGY,
    CLOSING_SPEED,
    IMPULSE,
    ALL
};

typedef struct quantity {
    const char *name;
    const char *texts[TEXTS];
} quantity;

static const quantity quantities[ALL] = {
    [TIME] = {"time", {"s", "since the impact began"}},
    [PRIMARY] = {"primary", {"1", "the contact that stores most energy, from 1; 0: none"}},
    [PRIMARY_IMPULSE] = {"primary_impulse", {"N s", "integral of the primary contact's force"}},
    [VELOCITY] = {"velocity", {"m/s; rad/s of a spin", "row, coordinate"}},
    [FORCE] = {"force", {"N", "row, contact"}},
    [STORED_ENERGY] = {"stored_energy", {"J", "row, contact"}},
    [CLOSING_SPEED] = {"closing_speed", {"m/s", "row, contact; positive while it closes"}},
    [IMPULSE] = {"impulse", {"N s", "row, contact; since the impact began"}},
};

static size_t width_of(const crm_history_hdf5 *to, size_t which)
{
    return which == VELOCITY ? to->coordinates : to->contacts;
}

static crm_series describe(const crm_history_hdf5 *to, size_t which)
{
    size_t first = to->generalized ? ABOUT : UNIT;
    return (crm_series){
        .name = quantities[which].name,
        .kind = which == PRIMARY ? CRM_COLUMN_INTEGER : CRM_COLUMN_NUMBER,
        .single = which < VELOCITY,
        .width = width_of(to, which),
        .about = {TEXTS - first, text_names + first, quantities[which].texts + first}};
}

static void begin_law(void *context, const char *label)
{
    crm_history_hdf5 *to = context;
    static const char *const name = "label";
    const crm_texts about = {1, &name, &label};
    crm_series series[ALL];
    for (size_t i = 0; i < ALL; i++) {
        series[i] = describe(to, i);
    }
    to->failed = !to->module->group(to->stream, label, &about, series, ALL);
}

static bool write_sample(void *context, const crm_sample *sample)
{
    crm_history_hdf5 *to = context;
    uint64_t primary = sample->primary != SIZE_MAX ? sample->primary + 1 : 0;
    const void *rows[ALL] = {[TIME] = &sample->time,
                             [PRIMARY] = &primary,
                             [PRIMARY_IMPULSE] = &sample->primary_impulse,
                             [VELOCITY] = sample->velocity,
                             [FORCE] = sample->force,
                             [STORED_ENERGY] = sample->stored_energy,
                             [CLOSING_SPEED] = sample->closing_speed,
                             [IMPULSE] = sample->impulse};
    to->failed = !to->module->append(to->stream, rows);
    return !to->failed;
}

const crm_history_format crm_history_as_hdf5 = {.law = begin_law, .sample = write_sample};
