/* Saving and loading a motion: what all kinds have in common. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/carom.h"

#include "base/arithmetic.h"
#include "law/law.h"
#include "motion/archive.h"

/* ---- Does it belong to this motion? ---------------------------------------------------------- */

/* A text that must be the same; `what`: its name. */
static void same_text(crm_archive *a, const char *what, const char *text)
{
    char kept[64];
    snprintf(kept, sizeof kept, "%s", text);
    crm_archive_text(a, kept, sizeof kept);
    if (crm_archive_reads(a) && strncmp(kept, text, sizeof kept - 1) != 0) {
        crm_archive_refuse(a, "its %s is '%.63s', must be '%s'", what, kept, text);
    }
}

static void same_number(crm_archive *a, const char *what, double value)
{
    double kept = value;
    crm_archive_number(a, &kept);
    if (crm_archive_reads(a) && kept != value) {
        crm_archive_refuse(a, "its %s is %g, must be %g", what, kept, value);
    }
}

static void same_hash(crm_archive *a, const char *what, uint64_t hash)
{
    uint64_t kept = hash;
    crm_archive_long(a, &kept);
    if (crm_archive_reads(a) && kept != hash) {
        crm_archive_refuse(a, "it belongs to another motion: they differ in %s", what);
    }
}

static void list_law(crm_archive *a, const void *of)
{
    const crm_settings *settings = of;
    for (size_t k = 0; k < settings->law->parameter_count; k++) {
        const crm_value *value = &settings->values[k];
        crm_archive_fixed_numbers(a, &value->number, 1);
        crm_archive_fixed_count(a, value->count);
        crm_archive_fixed_numbers(a, value->list, value->count);
    }
}

static void list_options(crm_archive *a, const crm_motion *motion)
{
    const crm_motion_options *o = &motion->options;
    bool indents = o->closure_kind == CRM_CLOSURE_INDENTATION;
    same_text(a, "scheme", o->scheme == CRM_TIME_STEPPING ? "time-stepping" : "event-driven");
    same_text(a, "law", motion->law->law->name);
    same_hash(a, "options of the law", crm_archive_hash(list_law, motion->law));
    same_number(a, "tolerance", o->tolerance);
    same_number(a, "step", o->scheme == CRM_TIME_STEPPING ? o->step : 0);
    same_text(a, "closure", indents ? "indentation" : "distance");
    same_number(a, "closure", o->closure);
}

static void list_definition(crm_archive *a, const crm_motion *motion)
{
#define CRM_MOTION_PART_TEXT(name, text) text,
    static const char *const PARTS[] = {CRM_MOTION_PART_LIST(CRM_MOTION_PART_TEXT)};
#undef CRM_MOTION_PART_TEXT
    same_text(a, "version of carom", crm_version());
    for (size_t k = 0; k < CRM_PART_COUNT; k++) {
        same_hash(a, PARTS[k], motion->part[k]);
    }
    list_options(a, motion);
    same_text(a, "way of moving", motion->kind->name);
    same_number(a, "number of positions", (double)motion->positions);
    same_number(a, "number of velocities", (double)motion->velocities);
}

/* ---- The state ------------------------------------------------------------------------------- */

void crm_motion_archive_state(crm_archive *a, crm_motion *motion)
{
    double *const numbers[] = {
        &motion->time,           &motion->at_rest_since,    &motion->max_penetration,
        &motion->kinetic_before, &motion->potential_before, &motion->lost,
        &motion->impact_work};
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
        crm_archive_number(a, numbers[k]);
    }
    crm_archive_long(a, &motion->impacts);
    crm_archive_flag(a, &motion->failed);
    crm_archive_text(a, motion->reason, sizeof motion->reason);
    if (crm_archive_reads(a) && !isfinite(motion->time)) {
        crm_archive_refuse(a, "it is damaged: its time is %g, must be finite", motion->time);
    }
    if (crm_archive_is_good(a)) {
        motion->kind->archive(motion, a);
    }
}

static crm_status refuse_kind(crm_error *error)
{
    return crm_fail(error, CRM_ERROR_ARGUMENT, "archive", "a motion of this kind cannot be saved");
}

static bool is_missing(const crm_motion *motion, bool callback, const char *name, crm_error *error)
{
    return crm_fail_if_null(motion, "motion", error) ||
           crm_fail_if_null(callback ? motion : NULL, name, error);
}

crm_status crm_motion_save(const crm_motion *motion, crm_write_bytes write, void *context,
                           crm_error *error)
{
    CRM_USUAL_ARITHMETIC;
    if (is_missing(motion, write != NULL, "write", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    if (motion->kind->archive == NULL) {
        return refuse_kind(error);
    }
    crm_archive *archive = crm_archive_to(write, context, error);
    if (archive == NULL) {
        return CRM_ERROR_MEMORY;
    }
    list_definition(archive, motion);
    crm_motion_archive_state(archive, (crm_motion *)motion); /* writing changes nothing */
    return crm_archive_end(archive);
}

crm_status crm_motion_load(crm_motion *motion, crm_read_bytes read, void *context, crm_error *error)
{
    CRM_USUAL_ARITHMETIC;
    crm_error own = {0};
    if (is_missing(motion, read != NULL, "read", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    if (motion->kind->archive == NULL) {
        return refuse_kind(error);
    }
    crm_archive *archive = crm_archive_from(read, context, &own);
    crm_status status = archive != NULL ? CRM_OK : CRM_ERROR_MEMORY;
    if (archive != NULL) {
        list_definition(archive, motion);
        crm_motion_archive_state(archive, motion);
        status = crm_archive_end(archive);
    }
    if (status != CRM_OK) {
        crm_motion_stop stopped;
        crm_motion_fail(motion, &stopped, "the motion could not be loaded: %s", own.message);
        if (error != NULL) {
            *error = own;
        }
    }
    return status;
}
