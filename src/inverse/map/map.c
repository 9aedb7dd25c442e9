#include "inverse/map/map.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solve/call.h"
#include "study/course.h"
#include "study/motion.h"

/* ---- Making --------------------------------------------------------------------------------- */

static const char *keep_text(crm_arena *arena, const char *text)
{
    return text != NULL ? crm_arena_text(arena, text, strlen(text)) : NULL;
}

/* Everything that is given, copied into the tree's memory. */
static bool keep(crm_map *map, const crm_study_def *def)
{
    crm_arena *arena = &map->tree->arena;
    const char **overrides = CRM_ARENA_NEW(arena, const char *, def->override_count);
    map->def = *def;
    map->def.limits = &map->tree->limits;
    map->def.text = crm_arena_text(arena, def->text, def->length);
    map->def.source = keep_text(arena, def->source);
    map->def.laws = keep_text(arena, def->laws);
    map->def.overrides = overrides;
    bool good = overrides != NULL && map->def.text != NULL && map->def.source != NULL &&
                (def->laws == NULL || map->def.laws != NULL);
    for (size_t i = 0; i < def->override_count && good; i++) {
        overrides[i] = keep_text(arena, def->overrides[i]);
        good = overrides[i] != NULL;
    }
    return good;
}

crm_status crm_map_open(crm_map *map, const crm_study_def *def, crm_read_error *error)
{
    crm_yaml_limits limits = def->limits != NULL ? *def->limits : crm_yaml_limits_default();
    *map = (crm_map){0};
    crm_status status =
        crm_yaml_parse(def->text, def->length, def->source, &limits, &map->tree, error);
    for (size_t i = 0; i < def->override_count && status == CRM_OK; i++) {
        status = crm_yaml_set(map->tree, def->overrides[i], error);
    }
    if (status == CRM_OK && !keep(map, def)) {
        status = crm_yaml_fail_memory(map->tree, error);
    }
    if (status == CRM_OK) {
        map->tree->own = def->own;
        map->moves = crm_yaml_find(map->tree->root, "simulate") != NULL;
        map->recordable = map->moves ? &crm_recordable_motion : &crm_recordable_impact;
    }
    return status;
}

void crm_map_close(crm_map *map)
{
    for (size_t i = 0; i < map->trial_count; i++) {
        crm_variant_close(&map->trials[i].variant);
    }
    crm_tree_free(map->tree);
    *map = (crm_map){0};
}

const char *crm_map_title(const crm_map *map)
{
    const crm_node *title = crm_yaml_find(map->tree->root, "title");
    return title != NULL && title->kind == CRM_NODE_SCALAR ? title->text : "";
}

/* ---- Trials --------------------------------------------------------------------------------- */

/* A setting that cannot be made is the fault of the list that has it. */
static crm_status blame_sets(const crm_map *map, const crm_trial *trial, crm_read_error *error)
{
    static const char flag[] = "--set ";
    char cause[1024];
    bool own = trial->node != NULL && strncmp(error->text, flag, sizeof flag - 1) == 0;
    if (!own) {
        return error->status;
    }
    snprintf(cause, sizeof cause, "%.1000s", error->text + sizeof flag - 1);
    return crm_yaml_fail(map->tree, trial->node, error, "set %s", cause);
}

static crm_status open_trial(crm_map *map, crm_trial *trial, crm_read_error *error)
{
    size_t own = map->def.override_count, more = trial->node != NULL ? trial->node->count : 0;
    const char **overrides = CRM_ARENA_NEW(&map->tree->arena, const char *, own + more);
    if (overrides == NULL) {
        return crm_yaml_fail_memory(map->tree, error);
    }
    for (size_t i = 0; i < own + more; i++) {
        overrides[i] = i < own ? map->def.overrides[i] : trial->node->items[i - own]->text;
    }
    crm_variant_def def = {.text = map->def.text,
                           .length = map->def.length,
                           .source = map->def.source,
                           .limits = map->def.limits,
                           .own = map->def.own,
                           .overrides = overrides,
                           .override_count = own + more,
                           .laws = map->def.laws,
                           .moves = map->moves,
                           .slots = map->slots,
                           .slot_count = map->slot_count};
    crm_status status = crm_variant_open(&trial->variant, &def, error);
    return status == CRM_OK || status == CRM_ERROR_MEMORY ? status : blame_sets(map, trial, error);
}

static void set(const crm_map *map, crm_trial *trial, const double *x)
{
    for (size_t i = 0; i < map->unknown_count; i++) {
        const crm_unknown *u = &map->unknowns[i];
        for (size_t k = 0; k < u->slots; k++) {
            crm_variant_set_number(&trial->variant, u->slot + k, x != NULL ? x[i] : u->start);
        }
    }
}

/* A setting of an unknown would be undone. */
static crm_status check_sets(const crm_map *map, const crm_trial *trial, crm_read_error *error)
{
    for (size_t i = 0; trial->node != NULL && i < trial->node->count; i++) {
        const crm_node *item = trial->node->items[i];
        size_t length = strcspn(item->text, "=");
        for (size_t k = 0; k < map->slot_count; k++) {
            const char *path = map->slots[k].path;
            bool same =
                strncmp(item->text, path, length) == 0 && strchr(".[", path[length]) != NULL;
            if (same) {
                return crm_yaml_fail(map->tree, item, error,
                                     "'%s' sets %s, which is varied: an experiment cannot fix it",
                                     item->text, path);
            }
        }
    }
    return CRM_OK;
}

static crm_status check_laws(const crm_map *map, const crm_scenario *scenario,
                             crm_read_error *error)
{
    return map->def.laws == NULL || scenario->law_count == 1
               ? CRM_OK
               : crm_yaml_fail_at(error, CRM_ERROR_OPTION, "--law", 0, 0,
                                  "'%.200s' names several laws; this command takes one",
                                  map->def.laws);
}

/* ---- Outputs -------------------------------------------------------------------------------- */

/* What an output is taken from, before anything is computed. */
typedef union before {
    crm_impact impact;
    crm_motion_state moved;
} before;

static const void *fill_before(const crm_map *map, const crm_scenario *scenario, before *of)
{
    if (map->moves) {
        of->moved = (crm_motion_state){.scene = &scenario->motion->scene};
        return &of->moved;
    }
    of->impact = (crm_impact){.model = scenario->model};
    return &of->impact;
}

static crm_status check_output(const crm_map *map, const crm_map_output *output,
                               crm_read_error *error)
{
    before of;
    const void *what = fill_before(map, map->trials[output->trial].variant.scenario, &of);
    return crm_recorded_exists(&output->what, what)
               ? CRM_OK
               : crm_yaml_fail(map->tree, output->node, error,
                               "'%s' is an entry that this system does not have; entries go from 1 "
                               "to %zu (or from -1, the last)",
                               output->what.name, map->recordable->count(output->what.field, what));
}

static size_t list_field(const crm_recordable *kind, const char *name)
{
    size_t i = 0;
    while (i < kind->fields() && (!kind->is_list(i) || strcmp(kind->name(i), name) != 0)) {
        i++;
    }
    return i;
}

crm_status crm_map_add_outputs(crm_map *map, crm_reader *reader, const crm_node *node,
                               const char *name, size_t trial)
{
    size_t field = list_field(map->recordable, name);
    bool list = field < map->recordable->fields();
    before of;
    const void *what = fill_before(map, map->trials[trial].variant.scenario, &of);
    size_t count = list ? map->recordable->count(field, what) : 1;
    crm_status status = CRM_OK;
    for (size_t i = 0; i < count && status == CRM_OK; i++) {
        size_t size = strlen(name) + 24;
        char *entry = CRM_ARENA_NEW(&map->tree->arena, char, size);
        if (entry == NULL) {
            return crm_reader_fail_memory(reader);
        }
        if (list) {
            snprintf(entry, size, "%s[%zu]", name, i + 1);
        } else {
            snprintf(entry, size, "%s", name);
        }
        status = crm_map_add_output(map, reader, node, entry, trial);
        if (status == CRM_OK) {
            status = check_output(map, &map->outputs[map->output_count - 1], reader->error);
        }
    }
    return status;
}

/* ---- Before --------------------------------------------------------------------------------- */

/* The largest start of a list, whose entries are one after the other; *end: of the list. */
static double largest_start(const crm_map *map, size_t begin, size_t *end)
{
    double largest = 0;
    for (*end = begin;
         *end < map->unknown_count && map->unknowns[*end].node == map->unknowns[begin].node;
         ++*end) {
        largest = fmax(largest, fabs(map->unknowns[*end].start));
    }
    return largest;
}

/* The size of an unknown: its own, or that of the largest entry of its list, or of its bounds. */
static void find_scales(crm_map *map)
{
    for (size_t begin = 0, end; begin < map->unknown_count; begin = end) {
        double list = largest_start(map, begin, &end);
        for (size_t i = begin; i < end; i++) {
            crm_unknown *u = &map->unknowns[i];
            double bounds = isfinite(u->to - u->from) ? u->to - u->from : 0;
            u->scale = list > 0 ? list : bounds > 0 ? bounds : 1;
        }
    }
}

static crm_status check_starts(const crm_map *map, crm_read_error *error)
{
    for (size_t i = 0; i < map->unknown_count; i++) {
        const crm_unknown *u = &map->unknowns[i];
        if (isnan(u->start)) {
            return crm_yaml_fail(map->tree, u->node, error,
                                 "%s is not given in the scenario; give it there, so that there is "
                                 "a number to vary",
                                 u->name);
        }
    }
    return CRM_OK;
}

crm_status crm_map_prepare(crm_map *map, crm_read_error *error)
{
    crm_reader reader = {.tree = map->tree, .error = error};
    crm_status status = crm_variant_check_slots(&reader, map->slots, map->slot_count);
    if (status == CRM_OK) {
        status = check_starts(map, error);
    }
    find_scales(map);
    for (size_t i = 0; i < map->trial_count && status == CRM_OK; i++) {
        crm_trial *trial = &map->trials[i];
        status = check_sets(map, trial, error);
        if (status == CRM_OK) {
            status = open_trial(map, trial, error);
        }
        if (status == CRM_OK) {
            set(map, trial, NULL);
            status = crm_variant_read(&trial->variant, error);
        }
        if (status == CRM_OK) {
            status = check_laws(map, trial->variant.scenario, error);
        }
    }
    for (size_t i = 0; i < map->output_count && status == CRM_OK; i++) {
        status = check_output(map, &map->outputs[i], error);
    }
    return status;
}

const char *crm_map_law(const crm_map *map)
{
    const crm_scenario *scenario = map->trials[0].variant.scenario;
    return map->moves ? crm_scenario_motion_law(scenario)->label : scenario->laws[0].label;
}

/* ---- Evaluating ----------------------------------------------------------------------------- */

static bool go_on(void *context, const crm_watch_report *progress)
{
    crm_map *map = context;
    const crm_watch *watch = map->watch;
    map->stopped =
        map->stopped || (watch->go_on != NULL && !watch->go_on(watch->context, progress));
    return !map->stopped;
}

void crm_map_watch(crm_map *map, const crm_watch *watch)
{
    map->watch = watch;
    map->stopped = false;
    map->polled = watch != NULL ? *watch : (crm_watch){0};
    map->polled.context = map;
    map->polled.go_on = go_on;
    map->between = crm_watch_begin(watch != NULL ? &map->polled : NULL);
}

static const crm_watch *watch_of(crm_map *map)
{
    return map->watch != NULL ? &map->polled : NULL;
}

static void poll(crm_map *map)
{
    const crm_watch_report progress = {.time = NAN, .left = NAN, .steps = map->evaluations};
    if (map->watch != NULL && crm_watch_ends(&map->between, &progress)) {
        map->stopped = true;
    }
}

static void take(const crm_map *map, size_t trial, const void *of, double *y)
{
    for (size_t i = 0; i < map->output_count; i++) {
        if (map->outputs[i].trial == trial) {
            y[i] = crm_recorded_value(&map->outputs[i].what, of);
        }
    }
}

static crm_status no_answer(crm_error *error, const char *law, crm_result result,
                            const char *reason)
{
    return result == CRM_SOLVED
               ? CRM_OK
               : crm_fail(error, CRM_ERROR_MODEL, NULL, "by law %s the result is %s: %s", law,
                          crm_result_text(result), reason);
}

static bool needs_course(const crm_map *map, size_t trial)
{
    bool needs = false;
    for (size_t i = 0; i < map->output_count; i++) {
        const crm_map_output *output = &map->outputs[i];
        needs = needs || (output->trial == trial && crm_course_is_needed(&output->what));
    }
    return needs;
}

static crm_status strike(crm_map *map, size_t trial, double *y, crm_error *error)
{
    const crm_scenario *s = map->trials[trial].variant.scenario;
    crm_outcome *outcome = NULL;
    crm_error cause = {0};
    crm_status status = crm_solve_on(1, watch_of(map), s->model, s->velocity, s->laws[0].settings,
                                     NULL, &outcome, &cause);
    if (status != CRM_OK) {
        return crm_fail(error, status == CRM_ERROR_MEMORY ? status : CRM_ERROR_MODEL, NULL, "%s",
                        cause.message);
    }
    crm_impact impact = {
        .model = s->model, .velocity = s->velocity, .outcome = outcome, .first = outcome};
    crm_course course = {0};
    if (needs_course(map, trial)) {
        status = crm_course_follow(s->model, s->velocity, s->laws[0].settings, watch_of(map),
                                   outcome, &course, error);
        impact.course = status == CRM_OK ? &course : NULL;
    }
    take(map, trial, &impact, y);
    if (status == CRM_OK) {
        status = no_answer(error, s->laws[0].label, outcome->result, outcome->reason);
    }
    crm_course_release(&course);
    crm_outcome_free(outcome);
    return status;
}

static crm_status move(crm_map *map, size_t trial, double *y, crm_error *error)
{
    const crm_scenario *s = map->trials[trial].variant.scenario;
    const crm_scenario_law *law = crm_scenario_motion_law(s);
    crm_motion_state moved = {0};
    crm_result result = CRM_FAILED;
    char reason[512] = "";
    crm_status status =
        crm_study_run_motion(s, law, watch_of(map), &moved, &result, reason, sizeof reason, error);
    if (status == CRM_OK) {
        take(map, trial, &moved, y);
        status = no_answer(error, law->label, result, reason);
    }
    crm_study_release_moved(&moved);
    return status;
}

static crm_status evaluate_trial(crm_map *map, size_t trial, const double *x, double *y,
                                 crm_error *error)
{
    crm_trial *t = &map->trials[trial];
    crm_read_error failure = {0};
    set(map, t, x);
    map->refused = trial;
    crm_status status = crm_variant_read(&t->variant, &failure);
    if (status != CRM_OK) {
        return crm_fail(error, status == CRM_ERROR_MEMORY ? status : CRM_ERROR_MODEL, NULL,
                        "%.500s", crm_variant_bare(&t->variant, &failure));
    }
    status = map->moves ? move(map, trial, y, error) : strike(map, trial, y, error);
    return map->stopped ? crm_fail(error, CRM_ERROR_STOPPED, NULL, "stopped") : status;
}

crm_status crm_map_evaluate(crm_map *map, const double *x, double *y, crm_error *error)
{
    crm_status status = CRM_OK;
    map->evaluations++;
    poll(map);
    if (map->stopped) {
        return crm_fail(error, CRM_ERROR_STOPPED, NULL, "stopped");
    }
    for (size_t i = 0; i < map->trial_count && status == CRM_OK; i++) {
        status = evaluate_trial(map, i, x, y, error);
    }
    return status;
}

static const crm_node *node_of_trial(const crm_map *map, size_t trial)
{
    for (size_t i = 0; i < map->output_count; i++) {
        if (map->outputs[i].trial == trial) {
            return map->outputs[i].node;
        }
    }
    return map->tree->root;
}

static crm_status check_defined(const crm_map *map, const double *y, crm_read_error *error)
{
    for (size_t i = 0; i < map->output_count; i++) {
        if (!isfinite(y[i])) {
            return crm_yaml_fail(map->tree, map->outputs[i].node, error,
                                 "'%s' is not defined by %s here", map->outputs[i].what.name,
                                 crm_map_law(map));
        }
    }
    return CRM_OK;
}

crm_status crm_map_try(crm_map *map, double *y, crm_read_error *error)
{
    crm_error cause = {0};
    double *x = CRM_ARENA_NEW(&map->tree->arena, double, map->unknown_count);
    if (x == NULL) {
        return crm_yaml_fail_memory(map->tree, error);
    }
    for (size_t i = 0; i < map->unknown_count; i++) {
        x[i] = map->unknowns[i].start;
    }
    crm_status status = crm_map_evaluate(map, x, y, &cause);
    if (status == CRM_ERROR_MEMORY) {
        return crm_yaml_fail_memory(map->tree, error);
    }
    if (status == CRM_ERROR_STOPPED) {
        return crm_yaml_fail_at(error, status, map->def.source, 0, 0, "%s", cause.message);
    }
    if (status != CRM_OK) {
        const crm_node *node = node_of_trial(map, map->refused);
        char path[128];
        crm_yaml_path(node, path, sizeof path);
        return crm_yaml_fail(map->tree, node, error, "%s has no answer at the start: %s", path,
                             cause.message);
    }
    return check_defined(map, y, error);
}
