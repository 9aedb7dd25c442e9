/* What is kept of a path: arrays that grow. */
#include <string.h>

#include "law/lzb/path/path.h"

/* Room for `count` more; the array is one of the path's. */
static bool grow(void *array, size_t *room, size_t used, size_t count, size_t size)
{
    if (used + count <= *room) {
        return true;
    }
    size_t wanted = used + count + *room / 2 + 64;
    void *old;
    memcpy(&old, array, sizeof old);
    void *larger = crm_memory_resize(old, wanted, size);
    if (larger == NULL) {
        return false;
    }
    memcpy(array, &larger, sizeof larger);
    *room = wanted;
    return true;
}

crm_status lzb_path_keep_band(lzb_path *path, const uint32_t *members, size_t count, size_t active,
                              crm_error *error)
{
    size_t first = path->member_count;
    if (!grow(&path->bands, &path->band_room, path->band_count, 1, sizeof *path->bands) ||
        !grow(&path->members, &path->member_room, first, count, sizeof *path->members) ||
        !grow(&path->modes, &path->mode_room, first, count, sizeof *path->modes)) {
        return crm_fail_memory(error);
    }
    memcpy(path->members + first, members, count * sizeof *members);
    for (size_t i = 0; i < count; i++) {
        path->modes[first + i] = path->mode[members[i]];
    }
    path->member_count += count;
    path->bands[path->band_count++] = (lzb_path_band){first, count, active};
    return CRM_OK;
}

crm_status lzb_path_keep_step(lzb_path *path, double length, crm_error *error)
{
    const lzb_band *band = &path->band;
    size_t state = path->state_count, size = band->active + band->count;
    if (!grow(&path->steps, &path->step_room, path->step_count, 1, sizeof *path->steps) ||
        !grow(&path->states, &path->state_room, state, size, sizeof *path->states)) {
        return crm_fail_memory(error);
    }
    memcpy(path->states + state, band->x0, band->active * sizeof *band->x0);
    memcpy(path->states + state + band->active, band->c0, band->count * sizeof *band->c0);
    path->state_count += size;
    path->steps[path->step_count++] = (lzb_path_step){length, path->band_count - 1, state};
    return CRM_OK;
}

crm_status lzb_path_keep_event(lzb_path *path, lzb_path_event event, crm_error *error)
{
    if (!grow(&path->events, &path->event_room, path->event_count, 1, sizeof *path->events)) {
        return crm_fail_memory(error);
    }
    path->events[path->event_count++] = event;
    return CRM_OK;
}

crm_status lzb_path_keep_doubt(lzb_path *path, lzb_path_doubt doubt, crm_error *error)
{
    if (!grow(&path->doubts, &path->doubt_room, path->doubt_count, 1, sizeof *path->doubts)) {
        return crm_fail_memory(error);
    }
    path->doubts[path->doubt_count++] = doubt;
    return CRM_OK;
}
