/* Samples as rows for the HDF5 module. */
#include <stdint.h>

#include "base/base.h"
#include "cli/history/history.h"

enum { UNIT, ABOUT, COLUMNS, TEXTS };

static const char *const text_names[TEXTS] = {
    [UNIT] = "unit", [ABOUT] = "about", [COLUMNS] = "columns"};

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
    const char *texts[2]; /* unit and about */
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

_Static_assert((int)ALL == (int)CRM_HISTORY_SERIES && (int)TEXTS == (int)CRM_HISTORY_TEXTS,
               "history.h");

/* What is one value has no columns. */
static crm_series describe(crm_history_hdf5 *to, size_t which)
{
    size_t first = to->generalized ? ABOUT : UNIT, last = which < VELOCITY ? COLUMNS : TEXTS;
    to->texts[which][UNIT] = crm_field_unit(to->model, quantities[which].texts[UNIT]);
    to->texts[which][ABOUT] = quantities[which].texts[ABOUT];
    to->texts[which][COLUMNS] = to->names[which == VELOCITY ? 0 : 1];
    return (crm_series){.name = quantities[which].name,
                        .kind = which == PRIMARY ? CRM_COLUMN_INTEGER : CRM_COLUMN_NUMBER,
                        .single = which < VELOCITY,
                        .width = width_of(to, which),
                        .about = {last - first, text_names + first, to->texts[which] + first}};
}

/* A line for each; to be freed. */
static char *list_names(const crm_model *model, size_t count, const size_t *which,
                        void (*name)(const crm_model *, size_t, char *, size_t))
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    for (size_t i = 0; stream != NULL && i < count; i++) {
        char own[2 * CRM_NAME_SIZE];
        name(model, which[i], own, sizeof own);
        fprintf(stream, "%s%s", i > 0 ? "\n" : "", own);
    }
    return stream != NULL && fclose(stream) == 0 ? text : NULL;
}

bool crm_history_hdf5_names(crm_history_hdf5 *to, const crm_model *model, const crm_choice *choice)
{
    to->model = model;
    to->names[0] = list_names(model, choice->coordinates, choice->coordinate, crm_coordinate_name);
    to->names[1] = list_names(model, choice->contacts, choice->contact, crm_contact_name);
    return to->names[0] != NULL && to->names[1] != NULL;
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
