#include "motion_relay.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- Bytes ----------------------------------------------------------------------------------- */

static crm_status take(void *context, const void *some, size_t size)
{
    bytes *b = context;
    if (b->size + size > b->room) {
        b->room = 2 * (b->size + size);
        b->at = realloc(b->at, b->room);
        assert_non_null(b->at);
    }
    memcpy(b->at + b->size, some, size);
    b->size += size;
    return CRM_OK;
}

crm_status relay_give(void *context, void *some, size_t size)
{
    bytes *b = context;
    if (b->size - b->read < size) {
        return CRM_ERROR_STOPPED;
    }
    memcpy(some, b->at + b->read, size);
    b->read += size;
    return CRM_OK;
}

bytes relay_saved(const crm_motion *motion)
{
    bytes b = {0};
    crm_error error = {0};
    assert_ok(crm_motion_save(motion, take, &b, &error), &error);
    return b;
}

void relay_load(crm_motion *motion, bytes *b)
{
    crm_error error = {0};
    b->read = 0;
    assert_ok(crm_motion_load(motion, relay_give, b, &error), &error);
    assert_int_equal(b->read, b->size);
}

/* ---- Forgeries ------------------------------------------------------------------------------- */

enum { HEADING = 13 + 8, CHECKSUM = 8 };

void relay_sign(bytes *b)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t at = HEADING; at + 4 <= b->size;) {
        uint32_t size;
        memcpy(&size, b->at + at, sizeof size);
        at += sizeof size;
        for (size_t i = 0; i < size; i++) {
            hash = (hash ^ b->at[at + i]) * 0x100000001b3u;
        }
        memcpy(b->at + at + size, &hash, sizeof hash);
        at += size + CHECKSUM;
    }
}

void relay_forge(bytes *b, rng *r)
{
    static const uint64_t values[] = {
        0, 1, UINT64_MAX, UINT32_MAX, 0x7ff0000000000000u, 0x7ff8000000000000u, 40, 1u << 31};
    uint32_t first;
    memcpy(&first, b->at + HEADING, sizeof first);
    size_t most = first < 60000 ? first : 60000, size = rng_below(r, 2) == 0 ? 4 : 8;
    size_t at = HEADING + 4 + rng_below(r, most - size);
    uint64_t value = rng_below(r, 3) == 0 ? rng_next(r) : values[rng_below(r, 8)];
    memcpy(b->at + at, &value, rng_below(r, 4) == 0 ? 1 : size);
    relay_sign(b);
}

static void read_all(const crm_motion *motion)
{
    double *position = calloc(crm_motion_positions(motion) + 1, sizeof *position);
    double *velocity = calloc(crm_motion_velocities(motion) + 1, sizeof *velocity);
    assert_true(position != NULL && velocity != NULL);
    crm_motion_read(motion, position, velocity);
    crm_motion_summarize(motion);
    free(position);
    free(velocity);
}

size_t relay_forgeries(crm_motion *motion, rng *r, size_t tries, double further)
{
    bytes b = relay_saved(motion), forged = {.at = malloc(b.size), .size = b.size};
    double end = crm_motion_time(motion) + further;
    size_t loaded = 0;
    assert_non_null(forged.at);
    for (size_t n = 0; n < tries; n++) {
        memcpy(forged.at, b.at, b.size);
        relay_forge(&forged, r);
        forged.read = 0;
        if (crm_motion_load(motion, relay_give, &forged, NULL) != CRM_OK) {
            continue;
        }
        loaded++;
        if (further > 0 && fabs(end - crm_motion_time(motion)) <= further) {
            relay_run(motion, end, NULL);
        }
        read_all(motion);
    }
    free(b.at);
    free(forged.at);
    return loaded;
}

/* ---- Runs ------------------------------------------------------------------------------------ */

static void add(told *l, const void *some, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        l->hash = (l->hash ^ ((const unsigned char *)some)[i]) * 0x100000001b3u;
    }
}

static crm_status end_call(told *l)
{
    l->calls++;
    return l->left > 0 && --l->left == 0 ? CRM_ERROR_STOPPED : CRM_OK;
}

static crm_status on_state(void *context, double time, const double *position,
                           const double *velocity)
{
    told *l = context;
    add(l, &time, sizeof time);
    add(l, position, l->positions * sizeof *position);
    add(l, velocity, l->velocities * sizeof *velocity);
    return end_call(l);
}

static crm_status on_impact(void *context, const crm_impact_report *impact)
{
    told *l = context;
    add(l, &impact->number, sizeof impact->number);
    add(l, &impact->time, sizeof impact->time);
    add(l, impact->closing_speed, impact->contacts * sizeof(double));
    add(l, impact->impulse, impact->contacts * sizeof(double));
    add(l, &impact->lost, sizeof impact->lost);
    return end_call(l);
}

crm_motion_stop relay_run(crm_motion *motion, double end, const crm_observer *observer)
{
    crm_motion_stop stopped;
    crm_error error = {0};
    assert_ok(crm_motion_run(motion, end, observer, &stopped, &error), &error);
    return stopped;
}

crm_motion_stop relay_tell(crm_motion *motion, double end, told *l)
{
    crm_observer observer = {.context = l, .every = 0.03, .state = on_state, .impact = on_impact};
    l->positions = crm_motion_positions(motion);
    l->velocities = crm_motion_velocities(motion);
    return relay_run(motion, end, &observer);
}

void relay_add_end(const crm_motion *motion, told *l)
{
    bytes b = relay_saved(motion);
    crm_motion_summary sum = crm_motion_summarize(motion);
    add(l, b.at, b.size);
    add(l, &sum.impacts, sizeof sum.impacts);
    add(l, &sum.max_penetration, sizeof sum.max_penetration);
    add(l, &sum.energy, sizeof sum.energy);
    l->hash ^= isnan(sum.at_rest_since) ? 0 : (uint64_t)(1e9 * sum.at_rest_since);
    free(b.at);
}

told relay_whole(relay_begin *begin, void *scene, double end)
{
    told l = {0};
    crm_motion *motion = begin(scene);
    relay_tell(motion, end, &l);
    relay_add_end(motion, &l);
    crm_motion_free(motion);
    return l;
}

told relay_parts(relay_begin *begin, void *scene, double end, size_t first, size_t stride)
{
    told l = {.left = first};
    crm_motion *motion = begin(scene);
    while (relay_tell(motion, end, &l) == CRM_STOP_INTERRUPTED) {
        bytes b = relay_saved(motion);
        crm_motion_free(motion);
        motion = begin(scene);
        relay_load(motion, &b);
        free(b.at);
        l.left = stride;
    }
    relay_add_end(motion, &l);
    crm_motion_free(motion);
    return l;
}
