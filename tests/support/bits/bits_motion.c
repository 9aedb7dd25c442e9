/* Hashes of motions, see bits.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "bits.h"
#include "motion_relay.h"
#include "support.h"

static bits_hash hash_of(const crm_motion *motion)
{
    size_t n = crm_motion_positions(motion), m = crm_motion_velocities(motion);
    double *state = calloc(n + m + 1, sizeof *state);
    assert_non_null(state);
    crm_motion_read(motion, state, state + n);
    crm_motion_summary s = crm_motion_summarize(motion);
    const double numbers[] = {crm_motion_time(motion),
                              s.at_rest_since,
                              s.max_penetration,
                              s.energy.kinetic_before,
                              s.energy.potential_before,
                              s.energy.kinetic_after,
                              s.energy.potential_after,
                              s.energy.lost,
                              s.energy.work + s.energy.correction,
                              s.energy.error};
    bits_hash hash = bits_empty;
    bits_add_numbers(&hash, state, n + m);
    bits_add_numbers(&hash, numbers, sizeof numbers / sizeof numbers[0]);
    bits_add_whole(&hash, s.impacts);
    bits_add_text(&hash, crm_motion_reason(motion));
    free(state);
    return hash;
}

typedef struct watched {
    bits_hash hash;
    size_t positions, velocities;
} watched;

static crm_status see(void *context, double time, const double *position, const double *velocity)
{
    watched *w = context;
    bits_add_number(&w->hash, time);
    bits_add_numbers(&w->hash, position, w->positions);
    bits_add_numbers(&w->hash, velocity, w->velocities);
    return CRM_OK;
}

static void same(const bits_group *group, const char *how, bits_hash got, bits_hash want)
{
    if (got != want) {
        fail_msg("group %s, %s: %s gives other bits", group->name, group->names[group->count - 1],
                 how);
    }
}

static bits_hash end_of(crm_motion *motion, double duration)
{
    relay_run(motion, duration, NULL);
    bits_hash hash = hash_of(motion);
    crm_motion_free(motion);
    return hash;
}

void bits_move(bits_group *group, bits_begin_motion *begin, const void *scene, double duration,
               crm_settings *settings)
{
    bits_hash *hash = &group->system[group->count - 1];
    bits_next_vectors(settings);
    bits_hash want = end_of(begin(scene), duration);
    bits_add_whole(hash, want);

    bits_next_vectors(settings);
    crm_motion *motion = begin(scene);
    watched w = {bits_empty, crm_motion_positions(motion), crm_motion_velocities(motion)};
    const crm_observer observer = {.context = &w, .every = duration / 7, .state = see};
    relay_run(motion, 0.5 * duration, &observer);
    bytes saved = relay_saved(motion);
    relay_run(motion, duration, &observer);
    same(group, "to be watched", hash_of(motion), want);
    crm_motion_free(motion);
    bits_add_whole(hash, w.hash);

    bits_next_vectors(settings);
    motion = begin(scene);
    relay_load(motion, &saved);
    same(group, "to go on from a checkpoint", end_of(motion, duration), want);
    free(saved.at);
}
