/* What is kept of a path: arrays that grow. */
#include <string.h>

#include "law/lzb/derivative/path.h"

/* Room for `count` items more; NULL: there is none, and the path's status says so. */
static void *extend(lzb_path *path, lzb_path_list *list, size_t count, size_t size)
{
    if (list->count + count > list->room) {
        size_t room = list->count + count + list->room / 2 + 64;
        void *items = crm_memory_resize(list->items, room, size);
        if (items == NULL) {
            path->status = crm_fail_memory(path->error);
            return NULL;
        }
        list->items = items;
        list->room = room;
    }
    void *next = (char *)list->items + list->count * size;
    list->count += count;
    return next;
}

static bool is_same_window(const lzb_path *path, const lzb_engine_window *w)
{
    if (path->windows.count == 0) {
        return false;
    }
    const lzb_path_window *last = &lzb_path_windows(path)[path->windows.count - 1];
    const uint32_t *members = (const uint32_t *)path->members.items + last->first;
    const uint8_t *modes = (const uint8_t *)path->modes.items + last->first;
    bool same = last->count == w->count && last->pressing == w->pressing;
    for (size_t i = 0; same && i < w->count; i++) {
        same = members[i] == w->member[i].contact && modes[i] == w->member[i].mode;
    }
    return same;
}

void lzb_path_keep_window(lzb_path *path, const lzb_engine *engine)
{
    const lzb_engine_window *w = &engine->window;
    if (is_same_window(path, w)) {
        return;
    }
    size_t first = path->members.count;
    uint32_t *members = extend(path, &path->members, w->count, sizeof *members);
    uint8_t *modes = extend(path, &path->modes, w->count, sizeof *modes);
    lzb_path_window *window = extend(path, &path->windows, 1, sizeof *window);
    if (members == NULL || modes == NULL || window == NULL) {
        return;
    }
    for (size_t i = 0; i < w->count; i++) {
        members[i] = w->member[i].contact;
        modes[i] = (uint8_t)w->member[i].mode;
    }
    *window = (lzb_path_window){first, w->count, w->pressing};
}

void lzb_path_keep_step(lzb_path *path, const lzb_engine *engine)
{
    const lzb_engine_window *w = &engine->window;
    size_t first = path->states.count;
    double *states = extend(path, &path->states, w->pressing * LZB_PATH_DEPTHS, sizeof *states);
    lzb_path_step *step = extend(path, &path->steps, 1, sizeof *step);
    if (states == NULL || step == NULL) {
        return;
    }
    for (size_t i = 0; i < w->pressing; i++, states += LZB_PATH_DEPTHS) {
        const lzb_member *member = &w->member[i];
        memcpy(states, &path->depth[i], sizeof path->depth[i]);
        states[LZB_PATH_STARTS] = member->x + member->open;
        states[LZB_PATH_ENDS] = member->x1 + member->open;
    }
    *step =
        (lzb_path_step){engine->trial.length, engine->trial.map, path->windows.count - 1, first};
}

void lzb_path_keep_event(lzb_path *path, lzb_path_event event)
{
    lzb_path_event *kept = extend(path, &path->events, 1, sizeof *kept);
    if (kept != NULL) {
        *kept = event;
    }
}

void lzb_path_keep_marginal(lzb_path *path, lzb_path_marginal marginal)
{
    lzb_path_marginal *kept = extend(path, &path->marginals, 1, sizeof *kept);
    if (kept != NULL) {
        *kept = marginal;
    }
}
