/* The definition, checked and copied. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "model/model.h"
#include "motion/lagrange/lagrange.h"

/* ---- The definition -------------------------------------------------------------------------- */

enum { SIZE_LIMIT = 100000 }; /* arrays are dense: larger ones fit into no memory */

static crm_status check_values(const double *values, size_t count, crm_datum kind,
                               const char *place, crm_error *error)
{
    crm_status status = CRM_OK;
    for (size_t i = 0; i < count && status == CRM_OK; i++) {
        status = crm_ranges_check(kind, values[i], place, i + 1, error);
    }
    return status;
}

static crm_status check_shape(const crm_lagrangian_def *def, crm_error *error)
{
    if (def->positions == 0 || def->velocities == 0) {
        return crm_fail(error, CRM_ERROR_ARGUMENT, "positions",
                        "there are %zu positions and %zu velocities, must be at least 1",
                        def->positions, def->velocities);
    }
    if (def->positions > SIZE_LIMIT || def->velocities > SIZE_LIMIT || def->gaps > SIZE_LIMIT) {
        return crm_fail(error, CRM_ERROR_ARGUMENT, "positions",
                        "%zu positions, %zu velocities and %zu gaps, must be at most %d each",
                        def->positions, def->velocities, def->gaps, SIZE_LIMIT);
    }
    if (def->kinematics == NULL && def->positions != def->velocities) {
        return crm_fail(error, CRM_ERROR_ARGUMENT, "kinematics",
                        "%zu positions and %zu velocities need the callback kinematics",
                        def->positions, def->velocities);
    }
    if (def->mass == NULL || (def->gaps > 0 && def->gap == NULL) || def->position == NULL ||
        def->velocity == NULL) {
        const char *place = def->mass == NULL       ? "mass"
                            : def->position == NULL ? "position"
                            : def->velocity == NULL ? "velocity"
                                                    : "gap";
        return crm_fail(error, CRM_ERROR_ARGUMENT, place, "%s is NULL, must be given", place);
    }
    if (!(def->size > 0 && isfinite(def->size)) || !isfinite(def->start)) {
        bool size = isfinite(def->start);
        return crm_fail(error, CRM_ERROR_ARGUMENT, size ? "size" : "start",
                        size ? "size is %g, must be positive" : "start is %g, must be finite",
                        size ? def->size : def->start);
    }
    crm_status status =
        check_values(def->position, def->positions, CRM_DATUM_POSITION, "position[%zu]", error);
    return status == CRM_OK ? check_values(def->velocity, def->velocities, CRM_DATUM_VELOCITY,
                                           "velocity[%zu]", error)
                            : status;
}

static crm_status check_contacts(const lagrange_motion *m, crm_error *error)
{
    const struct {
        const double *values;
        crm_datum quantity;
        const char *place;
    } fields[] = {{m->stiffness, CRM_DATUM_STIFFNESS, "stiffness[%zu]"},
                  {m->exponent, CRM_DATUM_EXPONENT, "exponent[%zu]"},
                  {m->restitution, CRM_DATUM_RESTITUTION, "restitution[%zu]"}};
    crm_status status = CRM_OK;
    for (size_t f = 0; f < 3; f++) {
        for (size_t j = 0; j < m->gaps && status == CRM_OK; j++) {
            status = crm_ranges_check(fields[f].quantity, fields[f].values[j], fields[f].place,
                                      j + 1, error);
        }
    }
    return status;
}

/* ---- Memory ---------------------------------------------------------------------------------- */

/* All arrays of doubles are parts of one block; called with NULL first, for its size. */
static size_t place_arrays(lagrange_motion *m, double *memory)
{
    size_t n = m->n, s = m->gaps, d = m->dimension, used = 0;
    size_t pairs = s * (s > n ? s : n);
    lagrange_values *l = &m->values;
    struct {
        double **array;
        size_t count;
    } list[] = {
        {&m->y, d},
        {&m->end, d},
        {&m->series, d * LAGRANGE_TERMS},
        {&m->stiffness, s},
        {&m->exponent, s},
        {&m->restitution, s},
        {&m->force_scale, s},
        {&m->speed_noise, s},
        {&l->mass, n * n},
        {&l->factor, n * n},
        {&l->force, n},
        {&l->k, n},
        {&l->free, n},
        {&l->w, s * n},
        {&l->z, s * n},
        {&l->rate, s},
        {&l->bias, s},
        {&l->gap, s},
        {&l->speed, s},
        {&m->trial, d},
        {&m->spare, n + 3 * m->positions},
        {&m->matrix, s * s},
        {&m->vector, n},
        {&m->other, pairs},
        {&m->wide, 4 * s},
        {&m->candidate_force, s},
        {&m->peak_force, s},
        {&m->speed_left, s},
        {&m->candidate_speed, s},
    };
    for (size_t k = 0; k < sizeof list / sizeof list[0]; k++) {
        *list[k].array = memory != NULL ? memory + used : NULL;
        used += list[k].count;
    }
    for (size_t k = 0; k < LAGRANGE_NODES; k++) {
        lagrange_node *node = &m->node[k];
        double **arrays[] = {&node->y,     &node->f,     &node->mass,  &node->gap,
                             &node->speed, &node->force, &node->margin};
        const size_t counts[] = {d, d, n * n, s, s, s, LAGRANGE_MARGINS * s};
        for (size_t a = 0; a < 7; a++) {
            *arrays[a] = memory != NULL ? memory + used : NULL;
            used += counts[a];
        }
    }
    return used;
}

static crm_status take_memory(lagrange_motion *m, crm_error *error)
{
    size_t s = m->gaps;
    m->memory_size = place_arrays(m, NULL);
    m->memory = CRM_NEW(double, m->memory_size);
    m->contact = CRM_NEW(lagrange_contact, s);
    m->loaded = CRM_NEW(size_t, s);
    m->list = CRM_NEW(size_t, s);
    m->cluster = CRM_NEW(size_t, s);
    m->column_start = CRM_NEW(size_t, s + 1);
    m->row = CRM_NEW(uint32_t, s * s);
    m->member = CRM_NEW(bool, s);
    m->cluster_compliance = CRM_NEW(crm_compliance_def, s);
    if (m->memory == NULL || m->contact == NULL || m->loaded == NULL || m->list == NULL ||
        m->cluster == NULL || m->column_start == NULL || m->row == NULL || m->member == NULL ||
        m->cluster_compliance == NULL) {
        return crm_fail_memory(error);
    }
    place_arrays(m, m->memory);
    return CRM_OK;
}

static void free_motion(crm_motion *motion)
{
    lagrange_motion *m = (lagrange_motion *)motion;
    crm_motion_end(motion);
    free(m->memory);
    free(m->contact);
    free(m->loaded);
    free(m->list);
    free(m->cluster);
    free(m->column_start);
    free(m->row);
    free(m->member);
    free(m->cluster_compliance);
    crm_compliance_release(&m->compliance);
    free(m->cluster_party);
    if (m->release != NULL) {
        m->release(m->def.context);
    }
    free(m);
}

crm_status lagrange_attach_scene(crm_motion *motion, size_t (*party)[2],
                                 const lagrange_features *features, void (*release)(void *context),
                                 crm_error *error)
{
    lagrange_motion *m = (lagrange_motion *)motion;
    m->cluster_party = (size_t(*)[2])crm_memory_allocate(m->gaps, sizeof *m->cluster_party);
    if (m->cluster_party == NULL) {
        return crm_fail_memory(error);
    }
    m->party = party;
    m->features = features;
    m->release = release;
    return CRM_OK;
}

/* ---- The start ------------------------------------------------------------------------------- */

static crm_status copy_contacts(lagrange_motion *m, const crm_lagrangian_def *def, crm_error *error)
{
    crm_status status = CRM_OK;
    for (size_t j = 0; def->compliance != NULL && j < m->gaps && status == CRM_OK; j++) {
        status = crm_compliance_give(&m->compliance, m->gaps, j, &def->compliance[j], error);
    }
    for (size_t j = 0; j < m->gaps; j++) {
        m->stiffness[j] = def->stiffness != NULL ? def->stiffness[j] : 1;
        m->exponent[j] = def->exponent != NULL ? def->exponent[j] : 1.5;
        m->restitution[j] = def->restitution != NULL ? def->restitution[j] : 1;
    }
    memcpy(m->y, def->position, m->positions * sizeof *m->y);
    memcpy(m->y + m->positions, def->velocity, m->n * sizeof *m->y);
    m->def.stiffness = m->def.exponent = m->def.restitution = NULL;
    m->def.position = m->def.velocity = NULL;
    m->def.compliance = NULL;
    return status;
}

static crm_status check_symmetry(const lagrange_motion *m, crm_error *error)
{
    static const double ASYMMETRY =
        1e-10; /* of sqrt(m_ii m_jj): more is an error of the callback */
    const double *mass = m->values.mass;
    for (size_t i = 0; i < m->n; i++) {
        for (size_t j = 0; j < i; j++) {
            double a = mass[i * m->n + j], b = mass[j * m->n + i];
            if (fabs(a - b) > ASYMMETRY * sqrt(mass[i * m->n + i] * mass[j * m->n + j])) {
                return crm_fail(error, CRM_ERROR_MODEL, "mass",
                                "the matrix that the callback mass gave is not symmetric: entry "
                                "%zu, %zu is %g, entry %zu, %zu is %g",
                                i + 1, j + 1, a, j + 1, i + 1, b);
            }
        }
    }
    return CRM_OK;
}

static crm_status check_gaps(lagrange_motion *m, crm_error *error)
{
    crm_status status = lagrange_gap(m, m->t, m->y, m->values.gap, error);
    double least = -fmax(m->common.options.closure * m->def.size, lagrange_zero_gap(m));
    for (size_t j = 0; status == CRM_OK && j < m->gaps; j++) {
        if (m->values.gap[j] < least) {
            char place[64];
            snprintf(place, sizeof place, "gap[%zu]", j + 1);
            status = crm_fail(error, CRM_ERROR_MODEL, place,
                              "gap %zu is %g at the start, must not be negative", j + 1,
                              m->values.gap[j]);
        }
    }
    return status;
}

/* A hundredth of the time in which something moves by the size. */
static void choose_first_step(lagrange_motion *m)
{
    static const double PART = 0.01, ANY = 1e-3;
    double speed = 0, acceleration = 0;
    for (size_t i = 0; i < m->n; i++) {
        speed = fmax(speed, fabs(m->y[m->positions + i]));
        acceleration = fmax(acceleration, fabs(m->values.free[i]));
    }
    double by_speed = speed > 0 ? m->def.size / speed : INFINITY;
    double by_force = acceleration > 0 ? sqrt(m->def.size / acceleration) : INFINITY;
    double scale = fmin(by_speed, by_force);
    m->next_h = m->first_h = isfinite(scale) ? PART * scale : ANY;
}

static crm_status evaluate_start(lagrange_motion *m, crm_error *error)
{
    crm_status status = lagrange_evaluate_inertia(m, m->t, m->y, error);
    if (status == CRM_OK) {
        status = check_symmetry(m, error);
    }
    if (status == CRM_OK) {
        choose_first_step(m);
        status = check_gaps(m, error);
    }
    if (status == CRM_OK) {
        status = lagrange_evaluate_gaps(m, m->t, m->y, error);
    }
    if (status == CRM_OK) {
        status = lagrange_evaluate_bias(m, m->t, m->y, error);
    }
    if (status == CRM_OK) {
        status = lagrange_potential(m, m->t, m->y, &m->potential, error);
    }
    m->common.potential_before = m->potential;
    m->common.kinetic_before = lagrange_kinetic(m, m->values.mass, m->y + m->positions);
    return status;
}

static crm_status fill(lagrange_motion *m, const crm_lagrangian_def *def,
                       const crm_motion_options *options, crm_error *error)
{
    crm_status status = crm_motion_begin(&m->common, options, error);
    if (status == CRM_OK && m->common.options.scheme != CRM_EVENT_DRIVEN) {
        status = crm_fail(error, CRM_ERROR_ARGUMENT, "scheme",
                          "a Lagrangian system moves event-driven only");
    }
    if (status == CRM_OK) {
        status = take_memory(m, error);
    }
    if (status == CRM_OK) {
        status = copy_contacts(m, def, error);
    }
    if (status == CRM_OK) {
        crm_motion_hash_rules(&m->common, m->compliance.of, m->gaps);
        status = check_contacts(m, error);
    }
    return status == CRM_OK ? evaluate_start(m, error) : status;
}

static const crm_motion_kind KIND = {.name = "Lagrangian",
                                     .run = lagrange_run,
                                     .read = lagrange_read,
                                     .summarize = lagrange_summarize,
                                     .free = free_motion,
                                     .archive = lagrange_archive};

crm_status crm_motion_from_lagrangian(const crm_lagrangian_def *def,
                                      const crm_motion_options *options, crm_motion **motion,
                                      crm_error *error)
{
    CRM_USUAL_ARITHMETIC;
    if (crm_fail_if_null(motion, "motion", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    *motion = NULL;
    if (crm_fail_if_null(def, "def", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    crm_status status = check_shape(def, error);
    if (status != CRM_OK) {
        return status;
    }
    lagrange_motion *m = CRM_NEW(lagrange_motion, 1);
    if (m == NULL) {
        return crm_fail_memory(error);
    }
    m->common.kind = &KIND;
    m->def = *def;
    m->rule = lagrange_rule_make();
    m->n = m->common.velocities = def->velocities;
    m->positions = m->common.positions = def->positions;
    m->gaps = def->gaps;
    m->dimension = m->positions + m->n;
    m->t = m->common.time = m->instant_time = def->start;
    m->shortest_bounce = INFINITY;
    m->sampled = nextafter(def->start, -INFINITY);
    crm_motion_hash_system(&m->common, def);
    status = fill(m, def, options, error);
    if (status != CRM_OK) {
        free_motion(&m->common);
        return status;
    }
    *motion = &m->common;
    return CRM_OK;
}
