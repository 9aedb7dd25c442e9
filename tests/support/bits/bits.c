#include "bits.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support.h"

/* ---- Hashes --------------------------------------------------------------------------------- */

const bits_hash bits_empty = 0xcbf29ce484222325;

static void add_byte(bits_hash *hash, unsigned char byte)
{
    *hash = (*hash ^ byte) * 0x100000001b3;
}

/* Low byte first, whatever the processor's order. */
void bits_add_wholes(bits_hash *hash, const uint64_t *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (unsigned shift = 0; shift < 64; shift += 8) {
            add_byte(hash, (unsigned char)(values[i] >> shift));
        }
    }
}

/* By words, which is quicker; the fold brings high bits down, which multiplying does not. */
void bits_add_whole(bits_hash *hash, uint64_t value)
{
    *hash = (*hash ^ value) * 0x100000001b3;
    *hash ^= *hash >> 32;
}

void bits_add_number(bits_hash *hash, double value)
{
    const uint64_t none = 0x7ff8000000000000;
    uint64_t word;
    memcpy(&word, &value, sizeof word);
    bits_add_whole(hash, isnan(value) ? none : word);
}

void bits_add_numbers(bits_hash *hash, const double *values, size_t count)
{
    bits_add_whole(hash, values != NULL);
    for (size_t i = 0; values != NULL && i < count; i++) {
        bits_add_number(hash, values[i]);
    }
}

void bits_add_text(bits_hash *hash, const char *text)
{
    do {
        add_byte(hash, (unsigned char)*text);
    } while (*text++ != '\0');
}

void bits_add_outcome(bits_hash *hash, const crm_outcome *o)
{
    size_t n = o->coordinates, s = o->contacts;
    bits_add_text(hash, o->law->name);
    bits_add_whole(hash, o->result);
    bits_add_text(hash, o->reason);
    bits_add_text(hash, o->note);
    bits_add_whole(hash, n);
    bits_add_whole(hash, s);
    bits_add_numbers(hash, o->velocity, n);
    const double *by_contact[] = {o->impulse, o->gap_velocity, o->loss, o->peak_force,
                                  o->contact_duration};
    for (size_t k = 0; k < sizeof by_contact / sizeof by_contact[0]; k++) {
        bits_add_numbers(hash, by_contact[k], s);
    }
    for (size_t j = 0; o->compressions != NULL && j < s; j++) {
        bits_add_whole(hash, o->compressions[j]);
    }
    const double numbers[] = {o->energy_before, o->energy_after,   o->stored_before,
                              o->boundary_work, o->energy_error,   o->energy_unaccounted,
                              o->duration,      o->error_estimate, o->tail_speed};
    bits_add_numbers(hash, numbers, sizeof numbers / sizeof numbers[0]);
    const uint64_t wholes[] = {o->kinematic, o->kinetic,     o->energetic,  o->unique,
                               o->steps,     o->evaluations, o->tail_closed};
    bits_add_wholes(hash, wholes, sizeof wholes / sizeof wholes[0]);
}

void bits_add_sample(bits_hash *hash, const crm_sample *sample, size_t coordinates, size_t contacts)
{
    bits_add_number(hash, sample->time);
    bits_add_whole(hash, sample->primary);
    bits_add_number(hash, sample->primary_impulse);
    bits_add_numbers(hash, sample->force, contacts);
    bits_add_numbers(hash, sample->stored_energy, contacts);
    bits_add_numbers(hash, sample->closing_speed, contacts);
    bits_add_numbers(hash, sample->impulse, contacts);
    bits_add_numbers(hash, sample->velocity, coordinates);
}

/* ---- Groups --------------------------------------------------------------------------------- */

void bits_group_begin(bits_group *group, const char *name)
{
    *group = (bits_group){.name = name};
    crm_error error = {0};
    assert_ok(crm_workspace_create(&group->workspace, &error), &error);
}

void bits_group_end(bits_group *group)
{
    crm_workspace_free(group->workspace);
}

bits_hash bits_group_hash(const bits_group *group)
{
    bits_hash hash = bits_empty;
    bits_add_wholes(&hash, group->system, group->count);
    return hash;
}

bits_hash *bits_system(bits_group *group, const char *name, ...)
{
    assert_true(group->count < BITS_SYSTEMS);
    va_list values;
    va_start(values, name);
    vsnprintf(group->names[group->count], BITS_NAME, name, values);
    va_end(values);
    group->system[group->count] = bits_empty;
    return &group->system[group->count++];
}

static bits_hash *present(bits_group *group)
{
    assert_true(group->count > 0);
    return &group->system[group->count - 1];
}

/* ---- Widths of vectors ---------------------------------------------------------------------- */

static unsigned forced, ways;

void bits_force_vectors(unsigned bytes)
{
    forced = bytes;
}

void bits_next_vectors(crm_settings *settings)
{
    const unsigned bytes[] = {0, 16, 32};
    unsigned next = forced != 0 ? forced : bytes[ways++ % 3];
    if (crm_settings_use_vectors(settings, next, NULL) != CRM_OK) {
        crm_settings_use_vectors(settings, 0, NULL);
    }
}

/* ---- Ways to solve -------------------------------------------------------------------------- */

typedef struct history {
    bits_hash hash;
    size_t coordinates, contacts;
} history;

static crm_status record(void *context, const crm_sample *sample)
{
    history *h = context;
    bits_add_sample(&h->hash, sample, h->coordinates, h->contacts);
    return CRM_OK;
}

/* What was asked for but cannot be done has bits, too: those of the message. */
static bits_hash hash_of(crm_status status, const crm_outcome *outcome, const crm_error *error)
{
    bits_hash hash = bits_empty;
    bits_add_whole(&hash, status);
    if (status == CRM_OK) {
        bits_add_outcome(&hash, outcome);
    } else {
        bits_add_text(&hash, error->place);
        bits_add_text(&hash, error->message);
    }
    return hash;
}

/* A seventh of the time that it takes is no multiple of anything; 1/16 where it takes none. */
static bits_hash solve_alone(const crm_model *model, const double *velocity, crm_settings *settings,
                             double *interval)
{
    bits_next_vectors(settings);
    crm_outcome *outcome = NULL;
    crm_error error = {0};
    crm_status status = crm_solve(model, velocity, settings, NULL, &outcome, &error);
    bits_hash hash = hash_of(status, outcome, &error);
    bool lasts = status == CRM_OK && outcome->duration > 0 && outcome->duration < INFINITY;
    *interval = lasts ? outcome->duration / 7 : 1.0 / 16;
    crm_outcome_free(outcome);
    return hash;
}

static bits_hash solve_with(bits_group *group, const crm_model *model, const double *velocity,
                            crm_settings *settings, const crm_recorder *recorder)
{
    bits_next_vectors(settings);
    const crm_outcome *outcome = NULL;
    crm_error error = {0};
    crm_status status =
        crm_solve_with(group->workspace, model, velocity, settings, recorder, &outcome, &error);
    return hash_of(status, outcome, &error);
}

static void same(const bits_group *group, const char *way, bits_hash got, bits_hash want)
{
    if (got != want) {
        fail_msg("group %s, %s: %s gives other bits than crm_solve", group->name,
                 group->names[group->count - 1], way);
    }
}

/* The same outcome, and the history in the hash. */
static bits_hash add_history(bits_group *group, const crm_model *model, const double *velocity,
                             crm_settings *settings, crm_recorder recorder, bits_hash want)
{
    history h = {bits_empty, crm_model_coordinates(model), crm_model_contacts(model)};
    recorder.context = &h;
    recorder.record = record;
    same(group, "a history", solve_with(group, model, velocity, settings, &recorder), want);
    return h.hash;
}

void bits_solve(bits_group *group, const crm_model *model, const double *velocity,
                crm_settings *settings)
{
    double interval;
    bits_hash alone = solve_alone(model, velocity, settings, &interval);
    same(group, "a workspace", solve_with(group, model, velocity, settings, NULL), alone);
    bits_add_whole(present(group), alone);
    const crm_recorder recorders[] = {
        {.interval = 0}, {.interval = interval}, {.interval = interval, .only_multiples = true}};
    for (size_t k = 0; k < sizeof recorders / sizeof recorders[0]; k++) {
        bits_add_whole(present(group),
                       add_history(group, model, velocity, settings, recorders[k], alone));
    }
}

void bits_solve_on_threads(bits_group *group, const crm_model *model, const double *velocity,
                           crm_settings *settings)
{
    const size_t threads[] = {1, 2, 3, 7};
    double interval;
    bits_hash alone = solve_alone(model, velocity, settings, &interval);
    bits_add_whole(present(group), alone);
    for (size_t t = 0; t < sizeof threads / sizeof threads[0]; t++) {
        crm_workspace_use_threads(group->workspace, threads[t]);
        same(group, "a team", solve_with(group, model, velocity, settings, NULL), alone);
    }
    const crm_recorder recorder = {.interval = interval, .only_multiples = true};
    bits_hash seen = add_history(group, model, velocity, settings, recorder, alone);
    bits_add_whole(present(group), seen);
    crm_workspace_use_threads(group->workspace, 1);
    same(group, "one thread's history",
         add_history(group, model, velocity, settings, recorder, alone), seen);
}

/* ---- Batches -------------------------------------------------------------------------------- */

typedef struct batch {
    crm_batch_def def;
    size_t *first_coordinate, *first_contact; /* of each system, and behind the last */
    crm_batch_results results;
} batch;

static const crm_model *model_at(const crm_batch_def *def, size_t i)
{
    return def->model != NULL ? def->model : def->models[i];
}

static batch new_batch(crm_batch_def def)
{
    batch b = {.def = def};
    b.first_coordinate = calloc(def.count + 1, sizeof *b.first_coordinate);
    b.first_contact = calloc(def.count + 1, sizeof *b.first_contact);
    for (size_t i = 0; i < def.count; i++) {
        const crm_model *model = model_at(&def, i);
        b.first_coordinate[i + 1] = b.first_coordinate[i] + crm_model_coordinates(model);
        b.first_contact[i + 1] = b.first_contact[i] + crm_model_contacts(model);
    }
    b.results.velocities = calloc(b.first_coordinate[def.count], sizeof(double));
    b.results.impulses = calloc(b.first_contact[def.count], sizeof(double));
    b.results.items = calloc(def.count, sizeof *b.results.items);
    return b;
}

static void free_batch(batch *b)
{
    free(b->first_coordinate);
    free(b->first_contact);
    free(b->results.velocities);
    free(b->results.impulses);
    free(b->results.items);
}

static bits_hash hash_batch(const batch *b)
{
    bits_hash hash = bits_empty;
    bits_add_numbers(&hash, b->results.velocities, b->first_coordinate[b->def.count]);
    bits_add_numbers(&hash, b->results.impulses, b->first_contact[b->def.count]);
    for (size_t i = 0; i < b->def.count; i++) {
        const crm_batch_item *item = &b->results.items[i];
        const double numbers[] = {item->energy_before, item->energy_after, item->duration,
                                  item->error_estimate};
        const uint64_t wholes[] = {item->status,  item->result,    item->steps,  item->kinematic,
                                   item->kinetic, item->energetic, item->unique, item->tail_closed};
        bits_add_numbers(&hash, numbers, sizeof numbers / sizeof numbers[0]);
        bits_add_wholes(&hash, wholes, sizeof wholes / sizeof wholes[0]);
    }
    return hash;
}

/* What crm_solve would put there. */
static void fill_alone(batch *b)
{
    for (size_t i = 0; i < b->def.count; i++) {
        const crm_model *model = model_at(&b->def, i);
        const double *velocity = b->def.velocities + b->first_coordinate[i];
        crm_outcome *o = NULL;
        crm_error error = {0};
        assert_ok(crm_solve(model, velocity, b->def.settings, NULL, &o, &error), &error);
        memcpy(b->results.velocities + b->first_coordinate[i], o->velocity,
               o->coordinates * sizeof(double));
        memcpy(b->results.impulses + b->first_contact[i], o->impulse, o->contacts * sizeof(double));
        b->results.items[i] =
            (crm_batch_item){CRM_OK,      o->result,         o->energy_before, o->energy_after,
                             o->duration, o->error_estimate, o->steps,         o->kinematic,
                             o->kinetic,  o->energetic,      o->unique,        o->tail_closed};
        crm_outcome_free(o);
    }
}

void bits_solve_batch(bits_group *group, crm_batch_def def, crm_settings *settings)
{
    def.settings = settings;
    batch b = new_batch(def);
    bits_hash want = 0;
    if (!def.in_lanes) {
        fill_alone(&b);
        want = hash_batch(&b);
    }
    for (size_t threads = 1; threads <= 3; threads++) {
        crm_error error = {0};
        b.def.threads = threads;
        bits_next_vectors(settings);
        assert_ok(crm_solve_batch(&b.def, &b.results, &error), &error);
        bits_hash got = hash_batch(&b);
        if (def.in_lanes && threads == 1) {
            want = got;
        }
        same(group, "a batch", got, want);
    }
    bits_add_whole(present(group), want);
    free_batch(&b);
}
