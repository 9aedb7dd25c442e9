#include "study/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "field/field.h"
#include "study/parts.h"

/* ---- Quantities from elsewhere -------------------------------------------------------------- */

static crm_status take_record(crm_reader *reader, const char *const *names, size_t count,
                              crm_study *study)
{
    crm_arena *arena = &study->tree->arena;
    study->quantity_nodes = NULL;
    study->quantity_count = count;
    study->quantities = CRM_ARENA_NEW(arena, crm_recorded, count);
    if (study->quantities == NULL) {
        return crm_reader_fail_memory(reader);
    }
    for (size_t i = 0; i < count; i++) {
        char problem[256];
        const char *name = crm_arena_text(arena, names[i], strlen(names[i]));
        if (name == NULL) {
            return crm_reader_fail_memory(reader);
        }
        if (!crm_recorded_parse(study->recordable, name, &study->quantities[i], problem,
                                sizeof problem)) {
            return crm_yaml_fail_at(reader->error, CRM_ERROR_MODEL, study->source, 0, 0, "'%s' %s",
                                    name, problem);
        }
    }
    return CRM_OK;
}

/* ---- Trying points --------------------------------------------------------------------------- */

/* Points that are tried, evenly spread, until one can be read. */
enum { TRIED_MOST = 1000 };

static size_t tried_point(const crm_study *study, size_t trial, size_t trials)
{
    return trials > 1 ? (size_t)((double)trial * (double)(study->points - 1) / (double)(trials - 1))
                      : 0;
}

/* Notes which quantities this point has; the first that none has had so far, and how many entries
 * its list has here.
 */
static size_t first_unknown(const crm_study *study, const crm_scenario *scenario, bool *known,
                            size_t *entries)
{
    const crm_impact impact = {.model = scenario->model};
    const crm_motion_state moved = {.scene = study->moves ? &scenario->motion->scene : NULL};
    const void *of = study->moves ? (const void *)&moved : &impact;
    size_t first = study->quantity_count;
    for (size_t k = study->quantity_count; k-- > 0;) {
        known[k] = known[k] || crm_recorded_exists(&study->quantities[k], of);
        first = known[k] ? first : k;
    }
    const crm_recorded *q = first < study->quantity_count ? &study->quantities[first] : NULL;
    *entries = q != NULL ? q->kind->count(q->field, of) : 0;
    return first;
}

size_t crm_study_laws_of(const crm_study *study, const crm_scenario *scenario,
                         const crm_scenario_law **laws)
{
    bool own = study->moves && study->laws == NULL && scenario->motion->law.settings != NULL;
    *laws = own ? &scenario->motion->law : scenario->laws;
    return own ? 1 : scenario->law_count;
}

static crm_status keep_labels(crm_study *study, const crm_scenario *scenario, crm_read_error *error)
{
    crm_arena *arena = &study->tree->arena;
    const crm_scenario_law *laws;
    study->law_count = crm_study_laws_of(study, scenario, &laws);
    study->labels = CRM_ARENA_NEW(arena, const char *, study->law_count);
    for (size_t i = 0; i < study->law_count && study->labels != NULL; i++) {
        const char *label = laws[i].label;
        study->labels[i] = crm_arena_text(arena, label, strlen(label));
        if (study->labels[i] == NULL) {
            study->labels = NULL;
        }
    }
    return study->labels != NULL ? CRM_OK : crm_yaml_fail_memory(study->tree, error);
}

/* ---- Lists ---------------------------------------------------------------------------------- */

static bool any_whole(const crm_study *study)
{
    bool any = false;
    for (size_t k = 0; k < study->quantity_count; k++) {
        any = any || study->quantities[k].whole;
    }
    return any;
}

/* How many columns each quantity takes: a list, as many as it has entries in the longest of the
 * points that are tried.
 */
static void count_columns(const crm_study *study, crm_study_worker *worker, size_t *columns)
{
    size_t trials = study->points < TRIED_MOST ? study->points : TRIED_MOST;
    for (size_t k = 0; k < study->quantity_count; k++) {
        columns[k] = !study->quantities[k].whole;
    }
    for (size_t i = 0; i < trials; i++) {
        crm_read_error none = {0};
        if (crm_worker_load(worker, tried_point(study, i, trials), &none) != CRM_OK) {
            continue;
        }
        const crm_scenario *scenario = crm_study_scenario(worker);
        const crm_impact impact = {.model = scenario->model};
        const crm_motion_state moved = {.scene = study->moves ? &scenario->motion->scene : NULL};
        for (size_t k = 0; k < study->quantity_count; k++) {
            const crm_recorded *q = &study->quantities[k];
            size_t entries =
                q->whole ? q->kind->count(q->field, study->moves ? (const void *)&moved : &impact)
                         : 1;
            columns[k] = entries > columns[k] ? entries : columns[k];
        }
    }
}

static bool is_recorded(const crm_study *study, const char *name)
{
    size_t i = 0;
    while (i < study->quantity_count && strcmp(study->quantities[i].name, name) != 0) {
        i++;
    }
    return i < study->quantity_count;
}

static crm_status refuse_again(const crm_study *study, const char *name, const crm_node *node,
                               crm_read_error *error)
{
    return crm_yaml_fail(study->tree, node, error, "'%s' is recorded already, as part of a list",
                         name);
}

static crm_status add_columns(crm_study *study, const crm_recorded *q, const crm_node *node,
                              size_t columns, crm_read_error *error)
{
    char name[160], problem[256];
    for (size_t k = 1; k <= columns; k++) {
        int used = snprintf(name, sizeof name, "%s[%zu]", q->name, k);
        const char *kept = crm_arena_text(&study->tree->arena, name, (size_t)used);
        crm_recorded *added = &study->quantities[study->quantity_count];
        if (kept == NULL) {
            return crm_yaml_fail_memory(study->tree, error);
        }
        if (is_recorded(study, kept)) {
            return refuse_again(study, kept, node, error);
        }
        (void)crm_recorded_parse(q->kind, kept, added, problem, sizeof problem);
        study->quantity_nodes[study->quantity_count++] = node;
    }
    return CRM_OK;
}

/* A list that is recorded as a whole is one column per entry. */
static crm_status take_lists_apart(crm_study *study, crm_study_worker *worker,
                                   crm_read_error *error)
{
    size_t count = study->quantity_count, all = 0;
    const crm_recorded *before = study->quantities;
    const crm_node *const *nodes = study->quantity_nodes;
    size_t *columns = CRM_ARENA_NEW(&study->tree->arena, size_t, count);
    if (columns == NULL) {
        return crm_yaml_fail_memory(study->tree, error);
    }
    count_columns(study, worker, columns);
    for (size_t k = 0; k < count; k++) {
        all += columns[k];
    }
    study->quantities = CRM_ARENA_NEW(&study->tree->arena, crm_recorded, all);
    study->quantity_nodes = CRM_ARENA_NEW(&study->tree->arena, const crm_node *, all);
    study->quantity_count = 0;
    if (study->quantities == NULL || study->quantity_nodes == NULL) {
        return crm_yaml_fail_memory(study->tree, error);
    }
    crm_status status = CRM_OK;
    for (size_t k = 0; k < count && status == CRM_OK; k++) {
        if (before[k].whole) {
            status = add_columns(study, &before[k], nodes[k], columns[k], error);
        } else if (is_recorded(study, before[k].name)) {
            status = refuse_again(study, before[k].name, nodes[k], error);
        } else {
            study->quantities[study->quantity_count] = before[k];
            study->quantity_nodes[study->quantity_count++] = nodes[k];
        }
    }
    return status;
}

/* ---- The first look ------------------------------------------------------------------------ */

static crm_status refuse_quantity(const crm_study *study, size_t i, size_t entries,
                                  crm_read_error *error)
{
    const char *name = study->quantities[i].name;
    static const char format[] = "'%s' is an entry that this system does not have; entries go from "
                                 "1 to %zu (or from -1, the last)";
    return study->quantity_nodes != NULL
               ? crm_yaml_fail(study->tree, study->quantity_nodes[i], error, format, name, entries)
               : crm_yaml_fail_at(error, CRM_ERROR_MODEL, study->source, 0, 0, format, name,
                                  entries);
}

/* Units are absolute if any of the points tried sets a stiffness: who varies it has chosen it. */
static void find_units(crm_study *study, const crm_scenario *scenario, bool first)
{
    if (!study->moves) {
        study->generalized = scenario->generalized;
        study->relative = (first || study->relative) &&
                          crm_field_unit(scenario->model, "N") == crm_field_unit_relative;
    }
}

const char *crm_study_unit(const crm_study *study, const char *unit)
{
    bool depends = unit != NULL && (strcmp(unit, "N") == 0 || strcmp(unit, "s") == 0);
    return study->generalized ? NULL : study->relative && depends ? crm_field_unit_relative : unit;
}

/* Entries may exist in some points only (a chain that grows); one that is in none is a mistake. */
static crm_status look(crm_study *study, crm_study_worker *worker, crm_read_error *error)
{
    size_t trials = study->points < TRIED_MOST ? study->points : TRIED_MOST;
    size_t missing = study->quantity_count, entries = 0;
    bool *known = CRM_NEW(bool, study->quantity_count);
    bool readable = false, complete = false;
    crm_status status = known != NULL ? CRM_OK : crm_yaml_fail_memory(study->tree, error);
    for (size_t i = 0; i < trials && status == CRM_OK && !complete; i++) {
        crm_read_error failure = {0};
        if (crm_worker_load(worker, tried_point(study, i, trials), &failure) != CRM_OK) {
            if (i == 0) {
                *error = failure;
            }
            continue;
        }
        const crm_scenario *scenario = crm_study_scenario(worker);
        if (!readable) {
            status = keep_labels(study, scenario, error);
        }
        find_units(study, scenario, !readable);
        readable = true;
        missing = first_unknown(study, scenario, known, &entries);
        complete = missing == study->quantity_count;
    }
    free(known);
    crm_read_error none = {0};
    if (study->relative && crm_worker_load(worker, study->points - 1, &none) == CRM_OK) {
        find_units(study, crm_study_scenario(worker), false);
    }
    if (status == CRM_OK && !readable) {
        return error->status != CRM_OK ? error->status : CRM_ERROR_MODEL;
    }
    return status == CRM_OK && !complete ? refuse_quantity(study, missing, entries, error) : status;
}

/* ---- The whole ------------------------------------------------------------------------------ */

static uint64_t mix(uint64_t hash, const char *text, size_t length)
{
    /* FNV-1a, of the length too, so that pieces cannot run into one another. */
    static const uint64_t PRIME = 0x100000001b3u;
    for (size_t i = 0; i < sizeof length; i++) {
        hash = (hash ^ (length >> (8 * i) & 0xff)) * PRIME;
    }
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ (unsigned char)text[i]) * PRIME;
    }
    return hash;
}

static uint64_t digest(const crm_study *study)
{
    uint64_t hash = 0xcbf29ce484222325u;
    hash = mix(hash, crm_version(), strlen(crm_version()));
    hash = mix(hash, study->text, study->length);
    for (size_t i = 0; i < study->override_count; i++) {
        hash = mix(hash, study->overrides[i], strlen(study->overrides[i]));
    }
    hash = mix(hash, study->laws != NULL ? study->laws : "",
               study->laws != NULL ? strlen(study->laws) : 0);
    for (size_t i = 0; i < study->quantity_count; i++) {
        hash = mix(hash, study->quantities[i].name, strlen(study->quantities[i].name));
    }
    return hash;
}

/* Everything that is given, copied into the tree's memory. */
static bool keep(crm_study *study, const crm_study_def *def)
{
    crm_arena *arena = &study->tree->arena;
    const char **overrides = CRM_ARENA_NEW(arena, const char *, def->override_count);
    study->text = crm_arena_text(arena, def->text, def->length);
    study->length = def->length;
    study->source = crm_arena_text(arena, def->source, strlen(def->source));
    study->overrides = overrides;
    study->override_count = def->override_count;
    bool good = overrides != NULL && study->text != NULL && study->source != NULL;
    for (size_t i = 0; i < def->override_count && good; i++) {
        overrides[i] = crm_arena_text(arena, def->overrides[i], strlen(def->overrides[i]));
        good = overrides[i] != NULL;
    }
    if (good && def->laws != NULL) {
        study->laws = crm_arena_text(arena, def->laws, strlen(def->laws));
        good = study->laws != NULL;
    }
    return good;
}

static crm_status read_block(const crm_study_def *def, crm_study *study, crm_read_error *error)
{
    static const char *const of_impact[] = {"energy_ratio", "dispersion", "difference_percent"};
    static const char *const of_motion[] = {"time", "impacts", "at_rest_since", "energy.lost"};
    const char *const *standard = study->moves ? of_motion : of_impact;
    size_t count = study->moves ? CRM_COUNT(of_motion) : CRM_COUNT(of_impact);
    crm_reader reader = {.tree = study->tree, .error = error};
    crm_mistakes mistakes;
    crm_mistakes_begin(&reader, &mistakes);
    crm_status status = crm_mistakes_end(
        &reader, crm_study_read_sweep(&reader, crm_yaml_find(study->tree->root, "sweep"), study));
    if (status == CRM_OK && def->record != NULL) {
        status = take_record(&reader, def->record, def->record_count, study);
    } else if (status == CRM_OK && study->quantity_count == 0) {
        status = take_record(&reader, standard, count, study);
    }
    crm_arena_free(&reader.scratch);
    return status;
}

static crm_status read_all(const crm_study_def *def, crm_study *study, crm_read_error *error)
{
    crm_yaml_limits limits = def->limits != NULL ? *def->limits : crm_yaml_limits_default();
    crm_status status =
        crm_yaml_parse(def->text, def->length, def->source, &limits, &study->tree, error);
    if (status == CRM_OK) {
        study->tree->own = def->own;
    }
    for (size_t i = 0; i < def->override_count && status == CRM_OK; i++) {
        status = crm_yaml_set(study->tree, def->overrides[i], error);
    }
    if (status == CRM_OK && !keep(study, def)) {
        status = crm_yaml_fail_memory(study->tree, error);
    }
    if (status == CRM_OK) {
        study->moves = crm_yaml_find(study->tree->root, "simulate") != NULL;
        study->recordable = study->moves ? &crm_recordable_motion : &crm_recordable_impact;
        status = read_block(def, study, error);
    }
    if (status != CRM_OK) {
        return status;
    }
    study->digest = digest(study);
    crm_study_worker *worker = NULL;
    status = crm_worker_make(study, &worker, error);
    if (status == CRM_OK && any_whole(study)) {
        status = take_lists_apart(study, worker, error);
        crm_study_worker_free(worker); /* it has room for fewer quantities */
        worker = NULL;
        status = status == CRM_OK ? crm_worker_make(study, &worker, error) : status;
    }
    if (status == CRM_OK) {
        status = look(study, worker, error);
    }
    crm_study_worker_free(worker);
    return status;
}

crm_status crm_study_read(const crm_study_def *def, crm_study **study, crm_read_error *error)
{
    *study = NULL;
    crm_study *made = CRM_NEW(crm_study, 1);
    if (made == NULL) {
        return crm_yaml_fail_at(error, CRM_ERROR_MEMORY, def->source, 0, 0, "out of memory");
    }
    crm_status status = read_all(def, made, error);
    if (status != CRM_OK) {
        crm_study_free(made);
        return status;
    }
    *study = made;
    return CRM_OK;
}

void crm_study_free(crm_study *study)
{
    if (study != NULL) {
        crm_tree_free(study->tree);
        free(study);
    }
}

/* ---- Asking --------------------------------------------------------------------------------- */

size_t crm_study_points(const crm_study *study)
{
    return study->points;
}

size_t crm_study_fields(const crm_study *study)
{
    return study->field_count;
}

size_t crm_study_quantities(const crm_study *study)
{
    return study->quantity_count;
}

size_t crm_study_laws(const crm_study *study)
{
    return study->law_count;
}

const char *crm_study_field(const crm_study *study, size_t field)
{
    return study->fields[field].name;
}

const char *crm_study_quantity(const crm_study *study, size_t quantity)
{
    return study->quantities[quantity].name;
}

const char *crm_study_label(const crm_study *study, size_t law)
{
    return study->labels[law];
}

const char *crm_study_title(const crm_study *study)
{
    const crm_node *title = crm_yaml_find(study->tree->root, "title");
    return title != NULL && title->kind == CRM_NODE_SCALAR ? title->text : "";
}

const char *crm_study_text(const crm_study *study)
{
    return study->text;
}

uint64_t crm_study_digest(const crm_study *study)
{
    return study->digest;
}

bool crm_study_is_numeric(const crm_study *study, size_t field)
{
    size_t axis = study->fields[field].axis;
    if (axis == SIZE_MAX) {
        return true;
    }
    const crm_axis *of = &study->axes[axis];
    for (size_t i = 0; of->kind == CRM_AXIS_LIST && i < of->count; i++) {
        if (isnan(crm_grid_number(of, i))) {
            return false;
        }
    }
    return true;
}

static double changed(const crm_variable *variable, double base, double draw)
{
    switch (variable->use) {
    case CRM_DRAW_FACTOR:
        return base * draw;
    case CRM_DRAW_OFFSET:
        return base + draw;
    default:
        return draw;
    }
}

crm_study_value crm_study_value_at(const crm_study *study, size_t point, size_t field)
{
    const crm_varied *f = &study->fields[field];
    if (f->axis == SIZE_MAX) {
        const crm_variable *variable = &study->variables[f->variable];
        double draw = crm_sample_draw(variable, study->seed, point % study->draws, f->entry);
        return (crm_study_value){.number = changed(variable, f->base, draw)};
    }
    const crm_axis *axis = &study->axes[f->axis];
    size_t index = point / study->draws / axis->stride % axis->count;
    return (crm_study_value){.node = axis->kind == CRM_AXIS_LIST ? axis->items[index] : NULL,
                             .number = crm_grid_number(axis, index)};
}
