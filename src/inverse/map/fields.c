/* The unknowns of a map, from the keys of a file. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "inverse/map/map.h"
#include "scenario/number/number.h"

enum { EACH_MOST = 100000, FIRST = 8 };

/* ---- Room ----------------------------------------------------------------------------------- */

/* Room for one more in an array of the arena that doubles; NULL when out of memory. */
static void *grow(crm_arena *arena, void **array, size_t *count, size_t size)
{
    size_t used = *count;
    if (used == 0 || (used >= FIRST && (used & (used - 1)) == 0)) {
        void *grown = crm_arena_allocate(arena, used < FIRST ? FIRST : 2 * used, size);
        if (grown == NULL) {
            return NULL;
        }
        if (used > 0) {
            memcpy(grown, *array, used * size);
        }
        *array = grown;
    }
    (*count)++;
    return (char *)*array + used * size;
}

#define GROW(map, array, count)                                                                    \
    grow(&(map)->tree->arena, (void **)&(map)->array, &(map)->count, sizeof *(map)->array)

/* ---- The scenario's own numbers ------------------------------------------------------------- */

static const crm_node *find(const crm_map *map, const char *path)
{
    bool complete = false;
    const crm_node *node = crm_yaml_locate(map->tree->root, path, &complete);
    return complete ? node : NULL;
}

/* What stands there, which must be a number if anything does. */
static crm_status read_base(crm_reader *reader, const crm_node *key, const char *path,
                            const crm_node *there, double *base)
{
    *base = NAN;
    if (there == NULL) {
        return CRM_OK;
    }
    if (!crm_number_value(there, base) || !isfinite(*base)) {
        char shown[96];
        crm_yaml_show(there, shown, sizeof shown);
        return crm_yaml_fail(
            reader->tree, key, reader->error,
            "%s is %s in the scenario; a varied field must be a number or a list of numbers", path,
            shown);
    }
    return CRM_OK;
}

/* ---- Adding --------------------------------------------------------------------------------- */

static crm_status add_slot(crm_map *map, crm_reader *reader, crm_variant_slot slot)
{
    crm_variant_slot *added = GROW(map, slots, slot_count);
    if (added == NULL) {
        return crm_reader_fail_memory(reader);
    }
    *added = slot;
    return CRM_OK;
}

static crm_status add_unknown(crm_map *map, crm_reader *reader, crm_unknown unknown)
{
    crm_unknown *added = GROW(map, unknowns, unknown_count);
    if (added == NULL) {
        return crm_reader_fail_memory(reader);
    }
    unknown.from = -INFINITY;
    unknown.to = INFINITY;
    unknown.start = unknown.base;
    *added = unknown;
    return CRM_OK;
}

static crm_status add_list(crm_map *map, crm_reader *reader, const crm_node *key, const char *path,
                           const crm_node *there, size_t entries)
{
    bool list = there != NULL && there->kind == CRM_NODE_SEQUENCE;
    crm_status status = CRM_OK;
    if (list && there->count != entries) {
        return crm_yaml_fail(
            reader->tree, key, reader->error,
            "%s has %zu entries in the scenario; 'each' must be omitted, or be that number", path,
            there->count);
    }
    for (size_t i = 0; i < entries && status == CRM_OK; i++) {
        size_t size = strlen(path) + 24;
        char *name = CRM_ARENA_NEW(&map->tree->arena, char, size);
        if (name == NULL) {
            return crm_reader_fail_memory(reader);
        }
        snprintf(name, size, "%s[%zu]", path, i + 1);
        crm_unknown unknown = {.name = name, .node = key, .slot = map->slot_count, .slots = 1};
        status = read_base(reader, key, name, list ? there->items[i] : there, &unknown.base);
        if (status == CRM_OK) {
            status = add_slot(map, reader, (crm_variant_slot){path, key, i == 0 ? entries : 0});
        }
        if (status == CRM_OK) {
            status = add_unknown(map, reader, unknown);
        }
    }
    return status;
}

/* One path off a list with commas; NULL: out of memory. "": nothing stands there. */
static const char *take_path(crm_map *map, const char **text)
{
    const char *at = *text + strspn(*text, " ");
    size_t length = strcspn(at, ",");
    *text = at + length + (at[length] == ',');
    while (length > 0 && at[length - 1] == ' ') {
        length--;
    }
    return crm_arena_text(&map->tree->arena, at, length);
}

/* Fields that take the same value: the first that the scenario has gives the present value. */
static crm_status add_joined(crm_map *map, crm_reader *reader, const crm_node *key)
{
    crm_unknown unknown = {
        .name = key->text, .node = key, .slot = map->slot_count, .base = (double)NAN};
    crm_status status = CRM_OK;
    for (const char *at = key->text; *at != '\0' && status == CRM_OK;) {
        const char *path = take_path(map, &at);
        double base = NAN;
        if (path == NULL) {
            return crm_reader_fail_memory(reader);
        }
        if (path[0] == '\0') {
            return crm_reader_fail_value(reader, key,
                                         "a field of the scenario, or several with commas");
        }
        status = read_base(reader, key, path, find(map, path), &base);
        unknown.base = isnan(unknown.base) ? base : unknown.base;
        unknown.slots++;
        if (status == CRM_OK) {
            status = add_slot(map, reader, (crm_variant_slot){path, key, 0});
        }
    }
    return status == CRM_OK ? add_unknown(map, reader, unknown) : status;
}

crm_status crm_map_add_field(crm_map *map, crm_reader *reader, const crm_node *key, size_t each,
                             size_t *first, size_t *count)
{
    const char *path;
    *first = map->unknown_count;
    crm_status status = crm_reader_text(reader, key, &path);
    if (status != CRM_OK) {
        return status;
    }
    const crm_node *there = find(map, path);
    bool list = there != NULL && there->kind == CRM_NODE_SEQUENCE && there->count > 0;
    size_t entries = each > 0 ? each : list ? there->count : 0;
    if (entries > EACH_MOST) {
        return crm_yaml_fail(reader->tree, key, reader->error,
                             "%s has %zu entries; at most %d can be varied", path, entries,
                             EACH_MOST);
    }
    status = entries > 0 ? add_list(map, reader, key, path, there, entries)
                         : add_joined(map, reader, key);
    *count = map->unknown_count - *first;
    return status;
}

/* ---- Ranges --------------------------------------------------------------------------------- */

enum { CRM_UNKNOWN_FIELDS(CRM_FIELD_INDEX) UNKNOWN_FIELDS };

static crm_status check_start(crm_reader *reader, const crm_node *range, const crm_unknown *u)
{
    return u->start >= u->from && u->start <= u->to
               ? CRM_OK
               : crm_reader_fail(
                     reader, range,
                     "starts at %.9g for %s; must start within its bounds, %.9g to %.9g", u->start,
                     u->name, u->from, u->to);
}

static crm_status bound(crm_reader *reader, const crm_node *range, crm_unknown *u, double from,
                        double to, double start)
{
    u->from = from;
    u->to = to;
    u->start = !isnan(start) ? start : !isnan(u->base) ? u->base : from / 2 + to / 2;
    return check_start(reader, range, u);
}

crm_status crm_map_add_ranged(crm_map *map, crm_reader *reader, const crm_node *key,
                              const crm_node *range, crm_block_index block)
{
    const crm_node *fields[UNKNOWN_FIELDS];
    double from = 0, to = 0, start = NAN;
    size_t each = 0, first = 0, count = 0, mistakes = crm_mistakes_count(reader);
    crm_status status = crm_reader_block(reader, range, block, fields);
    for (size_t i = UNKNOWN_FROM; i <= UNKNOWN_TO && status == CRM_OK; i++) {
        status = fields[i] != NULL
                     ? crm_reader_number(reader, fields[i], i == UNKNOWN_FROM ? &from : &to)
                     : crm_reader_fail_missing(reader, range, crm_block_at(block)->fields[i].name);
    }
    if (status == CRM_OK && crm_mistakes_count(reader) > mistakes) {
        return CRM_ERROR_MODEL; /* its numbers could not be read, which has been reported */
    }
    if (status == CRM_OK && !(from < to)) {
        status = crm_reader_fail(reader, range, "goes from %.9g to %.9g; 'from' must be below 'to'",
                                 from, to);
    }
    if (status == CRM_OK && fields[UNKNOWN_START] != NULL) {
        status = crm_reader_number(reader, fields[UNKNOWN_START], &start);
    }
    if (status == CRM_OK && crm_mistakes_count(reader) > mistakes) {
        return CRM_ERROR_MODEL;
    }
    if (status == CRM_OK && fields[UNKNOWN_EACH] != NULL) {
        status = crm_reader_count(reader, fields[UNKNOWN_EACH], EACH_MOST, &each);
    }
    if (status == CRM_OK) {
        status = crm_map_add_field(map, reader, key, each, &first, &count);
    }
    for (size_t i = first; i < first + count && status == CRM_OK; i++) {
        status = bound(reader, range, &map->unknowns[i], from, to, start);
    }
    return status;
}

/* ---- Trials and outputs --------------------------------------------------------------------- */

static bool same_sets(const crm_node *a, const crm_node *b)
{
    if (a == NULL || b == NULL || a->count != b->count) {
        return a == b;
    }
    for (size_t i = 0; i < a->count; i++) {
        if (strcmp(a->items[i]->text, b->items[i]->text) != 0) {
            return false;
        }
    }
    return true;
}

crm_status crm_map_add_trial(crm_map *map, crm_reader *reader, const crm_node *sets, size_t *trial)
{
    crm_status status = CRM_OK;
    if (sets != NULL && sets->kind != CRM_NODE_SEQUENCE) {
        return crm_reader_fail_value(reader, sets, "a list such as [\"chain.velocity=3\"]");
    }
    for (size_t i = 0; sets != NULL && i < sets->count && status == CRM_OK; i++) {
        const char *text;
        status = crm_reader_text(reader, sets->items[i], &text);
    }
    for (size_t i = 0; i < map->trial_count && status == CRM_OK; i++) {
        if (same_sets(map->trials[i].node, sets)) {
            *trial = i;
            return CRM_OK;
        }
    }
    *trial = map->trial_count;
    crm_trial *added = status == CRM_OK ? GROW(map, trials, trial_count) : NULL;
    if (status == CRM_OK && added == NULL) {
        return crm_reader_fail_memory(reader);
    }
    if (added != NULL) {
        *added = (crm_trial){.node = sets};
    }
    return status;
}

crm_status crm_map_add_output(crm_map *map, crm_reader *reader, const crm_node *node,
                              const char *name, size_t trial)
{
    char problem[256], shown[64];
    crm_map_output *added = GROW(map, outputs, output_count);
    if (added == NULL) {
        return crm_reader_fail_memory(reader);
    }
    *added = (crm_map_output){.node = node, .trial = trial};
    bool good = crm_recorded_parse(map->recordable, name, &added->what, problem, sizeof problem);
    if (good && !crm_recorded_is_number(&added->what)) {
        good = false;
        snprintf(problem, sizeof problem, "is a count, which changes in jumps");
    }
    crm_yaml_show_text(name, shown, sizeof shown);
    return good ? CRM_OK
                : crm_yaml_fail(reader->tree, node, reader->error, "'%s' %s", shown, problem);
}
