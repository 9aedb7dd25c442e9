/* simulate, and what bodies and walls say for a motion: strings, springs, swinging walls. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "scenario/number/number.h"
#include "scenario/reader.h"

enum { CRM_SIMULATE_FIELDS(CRM_FIELD_INDEX) SIMULATE_FIELDS };

enum { CRM_STOP_FIELDS(CRM_FIELD_INDEX) STOP_FIELDS };

enum { CRM_SPRING_FIELDS(CRM_FIELD_INDEX) SPRING_FIELDS };

enum { CRM_SUSPENDED_FIELDS(CRM_FIELD_INDEX) SUSPENDED_FIELDS };

enum { CRM_WALL_MOTION_FIELDS(CRM_FIELD_INDEX) MOTION_FIELDS };

static const double TWO_PI = 6.28318530717958647692;

/* A number in its range, if it is given. */
typedef struct entry {
    size_t field;
    crm_range range;
    double *value;
} entry;

static crm_status read_entries(crm_reader *reader, const crm_node *const *fields,
                               const entry *entries, size_t count)
{
    crm_status status = CRM_OK;
    for (size_t i = 0; i < count && status == CRM_OK; i++) {
        const crm_node *node = fields[entries[i].field];
        if (node != NULL) {
            status = crm_reader_in_range(reader, node, entries[i].range, entries[i].value);
        }
    }
    return status;
}

/* ---- Strings and walls ---------------------------------------------------------------------- */

crm_status crm_simulate_read_suspended(crm_reader *reader, const crm_node *node,
                                       crm_suspension *suspension)
{
    const crm_node *fields[SUSPENDED_FIELDS];
    const entry entries[] = {
        {SUSPENDED_LENGTH, {1e-30, 1e30, false, "a length " CRM_LENGTHS}, &suspension->length}};
    crm_status status = crm_reader_block(reader, node, CRM_BLOCK_SUSPENDED, fields);
    for (size_t i = 0; i < SUSPENDED_FIELDS && status == CRM_OK; i++) {
        if (fields[i] == NULL) {
            return crm_reader_fail_missing(reader, node,
                                           crm_block_at(CRM_BLOCK_SUSPENDED)->fields[i].name);
        }
    }
    if (status == CRM_OK) {
        status = crm_reader_list(reader, fields[SUSPENDED_FROM], 2, "coordinate", suspension->from);
    }
    return status == CRM_OK ? read_entries(reader, fields, entries, CRM_COUNT(entries)) : status;
}

crm_status crm_simulate_read_wall_motion(crm_reader *reader, const crm_node *node,
                                         crm_wall_motion *motion)
{
    const crm_node *fields[MOTION_FIELDS];
    const entry entries[] = {
        {MOTION_AMPLITUDE, {-1e30, 1e30, false, "a length " CRM_POSITIONS}, &motion->amplitude},
        {MOTION_FREQUENCY, {0, 1e40, false, "a frequency from 0, in 1/s"}, &motion->frequency},
        {MOTION_PHASE, {-DBL_MAX, DBL_MAX, false, "an angle"}, &motion->phase}};
    crm_status status = crm_reader_block(reader, node, CRM_BLOCK_WALL_MOTION, fields);
    for (size_t i = 0; i < MOTION_PHASE && status == CRM_OK; i++) {
        if (fields[i] == NULL) {
            return crm_reader_fail_missing(reader, node,
                                           crm_block_at(CRM_BLOCK_WALL_MOTION)->fields[i].name);
        }
    }
    return status == CRM_OK ? read_entries(reader, fields, entries, CRM_COUNT(entries)) : status;
}

void crm_simulate_start_wall(const crm_wall_motion *motion, unsigned dimension, crm_wall_def *wall)
{
    double squares = 0;
    for (unsigned d = 0; d < dimension; d++) {
        squares += wall->normal[d] * wall->normal[d];
    }
    if (motion->amplitude == 0 || !(squares > 0)) {
        return; /* a normal without length is refused later */
    }
    double omega = TWO_PI * motion->frequency;
    double shift = motion->amplitude * crm_sin(motion->phase) / sqrt(squares);
    double speed = motion->amplitude * omega * crm_cos(motion->phase) / sqrt(squares);
    for (unsigned d = 0; d < dimension; d++) {
        wall->point[d] += shift * wall->normal[d];
        wall->velocity[d] += speed * wall->normal[d];
    }
}

/* ---- Contacts ------------------------------------------------------------------------------- */

crm_status crm_simulate_read_closure(crm_reader *reader, const crm_node *node)
{
    static const crm_range range = {0, 0.1, false,
                                    "a relative distance from 0 to 0.1, or the word indentation"};
    crm_motion_options *options = &reader->motion.options;
    if (node->kind == CRM_NODE_SCALAR && strcmp(node->text, "indentation") == 0) {
        options->closure_kind = CRM_CLOSURE_INDENTATION;
        return CRM_OK;
    }
    double number;
    return crm_number_value(node, &number)
               ? crm_reader_in_range(reader, node, range, &options->closure)
               : crm_reader_fail_value(reader, node, range.text);
}

/* ---- Springs -------------------------------------------------------------------------------- */

static crm_status read_end(crm_reader *reader, const crm_node *node, const crm_names *names,
                           const crm_bodies_def *def, size_t *body)
{
    size_t things = def->body_count + def->wall_count;
    crm_status status = crm_pairs_read_party(reader, node, names, things, body);
    return status == CRM_OK && *body >= def->body_count
               ? crm_reader_fail_value(reader, node,
                                       "a body; a wall has no centre to attach a spring to")
               : status;
}

/* The second end may be a point. */
static crm_status read_ends(crm_reader *reader, const crm_node *between, const crm_names *names,
                            const crm_bodies_def *def, crm_spring_def *spring)
{
    if (between->kind != CRM_NODE_SEQUENCE || between->count != 2) {
        return crm_reader_fail_value(reader, between,
                                     "a list of two: a body, and a body or a point");
    }
    crm_status status = read_end(reader, between->items[0], names, def, &spring->first);
    if (status != CRM_OK) {
        return status;
    }
    if (between->items[1]->kind == CRM_NODE_SEQUENCE) {
        spring->second = SIZE_MAX;
        return crm_reader_vector(reader, between->items[1], def->dimension, spring->point);
    }
    return read_end(reader, between->items[1], names, def, &spring->second);
}

static crm_status read_spring(crm_reader *reader, const crm_node *node, const crm_names *names,
                              const crm_bodies_def *def, crm_spring_def *spring)
{
    static const crm_range from_0 = {0, DBL_MAX, false, "a number from 0"};
    const crm_node *fields[SPRING_FIELDS];
    const entry entries[] = {{SPRING_STIFFNESS, from_0, &spring->stiffness},
                             {SPRING_DAMPING, from_0, &spring->damping},
                             {SPRING_LENGTH, from_0, &spring->length}};
    crm_status status = crm_reader_block(reader, node, CRM_BLOCK_SPRING, fields);
    if (status != CRM_OK) {
        return status;
    }
    if (fields[SPRING_BETWEEN] == NULL || fields[SPRING_STIFFNESS] == NULL) {
        return crm_reader_fail_missing(reader, node,
                                       fields[SPRING_BETWEEN] == NULL ? "between" : "stiffness");
    }
    status = read_ends(reader, fields[SPRING_BETWEEN], names, def, spring);
    return status == CRM_OK ? read_entries(reader, fields, entries, CRM_COUNT(entries)) : status;
}

crm_status crm_simulate_read_springs(crm_reader *reader, const crm_node *node,
                                     const crm_names *names, const crm_bodies_def *def)
{
    if (node == NULL) {
        return CRM_OK;
    }
    if (node->kind != CRM_NODE_SEQUENCE) {
        return crm_reader_fail_value(reader, node,
                                     "a list of springs: - {between: [1, 2], stiffness: ...}");
    }
    crm_spring_def *springs = CRM_ARENA_NEW(&reader->scratch, crm_spring_def, node->count);
    if (springs == NULL) {
        return crm_reader_fail_memory(reader);
    }
    crm_status status = CRM_OK;
    for (size_t i = 0; i < node->count && status == CRM_OK; i++) {
        status =
            crm_mistakes_pass(reader, read_spring(reader, node->items[i], names, def, &springs[i]));
    }
    reader->motion.scene.springs = springs;
    reader->motion.scene.spring_count = node->count;
    return status;
}

/* ---- simulate ------------------------------------------------------------------------------- */

static crm_status read_stop(crm_reader *reader, const crm_node *node)
{
    static const size_t IMPACTS_MOST = CRM_SIZE_MOST(UINT64_C(1) << 53);
    const crm_node *fields[STOP_FIELDS];
    bool at_rest = false;
    size_t impacts = 0;
    crm_status status = crm_reader_block(reader, node, CRM_BLOCK_STOP, fields);
    if (status == CRM_OK) {
        status = crm_reader_flag(reader, fields[STOP_AT_REST], &at_rest);
    }
    if (status == CRM_OK && fields[STOP_IMPACTS] != NULL) {
        status = crm_mistakes_pass(
            reader, crm_reader_count(reader, fields[STOP_IMPACTS], IMPACTS_MOST, &impacts));
    }
    reader->motion.options.stop_at_rest = at_rest;
    reader->motion.options.stop_impacts = impacts;
    return status;
}

static crm_status read_scheme(crm_reader *reader, const crm_node *node)
{
    static const char *const schemes[] = {
        [CRM_EVENT_DRIVEN] = "event-driven", [CRM_TIME_STEPPING] = "time-stepping"};
    size_t scheme = CRM_EVENT_DRIVEN;
    crm_status status = crm_reader_choice(reader, node, schemes, CRM_COUNT(schemes), &scheme);
    reader->motion.options.scheme = (crm_motion_scheme)scheme;
    return status;
}

static crm_status read_times(crm_reader *reader, const crm_node *const *fields)
{
    static const crm_range above_0 = {0, DBL_MAX, true, "a time above 0, in seconds"};
    crm_scenario_motion *m = &reader->motion;
    const entry entries[] = {
        {SIMULATE_DURATION, above_0, &m->duration},
        {SIMULATE_TOLERANCE,
         {1e-13, 0.01, false, "a number from 1e-13 to 0.01"},
         &m->options.tolerance},
        {SIMULATE_STEP, above_0, &m->options.step},
        {SIMULATE_OUTPUT_EVERY, {0, DBL_MAX, false, "a time in seconds, or 0"}, &m->output_every}};
    crm_status status = read_entries(reader, fields, entries, CRM_COUNT(entries));
    if (status == CRM_OK && fields[SIMULATE_OUTPUT_EVERY] == NULL) {
        m->output_every = m->duration / 1000;
    }
    return status;
}

crm_status crm_simulate_read(crm_reader *reader, const crm_node *node)
{
    crm_scenario_motion *m = &reader->motion;
    const crm_node *fields[SIMULATE_FIELDS];
    crm_status status = crm_reader_block(reader, node, CRM_BLOCK_SIMULATE, fields);
    m->node = node;
    if (status == CRM_OK && fields[SIMULATE_DURATION] == NULL) {
        status = crm_mistakes_pass(reader, crm_reader_fail_missing(reader, node, "duration"));
    }
    if (status == CRM_OK) {
        status = read_times(reader, fields);
    }
    /* How many coordinates it has, the bodies say. */
    if (status == CRM_OK && !crm_mistakes_any(reader)) {
        status = crm_reader_velocity(reader, fields[SIMULATE_GRAVITY], m->scene.bodies.dimension,
                                     m->scene.gravity);
    }
    if (status == CRM_OK && fields[SIMULATE_SCHEME] != NULL) {
        status = crm_mistakes_pass(reader, read_scheme(reader, fields[SIMULATE_SCHEME]));
    }
    if (status == CRM_OK && fields[SIMULATE_LAW] != NULL) {
        status =
            crm_mistakes_pass(reader, crm_laws_read_one(reader, fields[SIMULATE_LAW], 0, &m->law));
    }
    return status == CRM_OK && fields[SIMULATE_STOP] != NULL
               ? read_stop(reader, fields[SIMULATE_STOP])
               : status;
}
