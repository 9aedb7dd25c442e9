#include "inverse/map/exact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/sensitivity.h"
#include "solve/call.h"

/* Steps of the differences, of an unknown's size: of two sides, and where there is only one. */
static const double STEP = 1e-5, ONE_SIDED = 1e-7;

/* ---- What it may be asked for --------------------------------------------------------------- */

static bool is_derived(const char *field)
{
    static const char *const others[] = {"contact_duration", "error_estimate",     "energy_error",
                                         "tail_speed",       "peak_time",          "arrival",
                                         "period",           "contact_restitution"};
    for (size_t i = 0; i < CRM_COUNT(others); i++) {
        if (strcmp(field, others[i]) == 0) {
            return false;
        }
    }
    return true;
}

bool crm_exact_is_possible(const crm_map *map)
{
    bool possible = !map->moves;
    for (size_t k = 0; k < map->slot_count && possible; k++) {
        /* Options of a law are no data of the impact. */
        possible = strncmp(map->slots[k].path, "laws", 4) != 0;
    }
    for (size_t i = 0; i < map->output_count && possible; i++) {
        const crm_recorded *what = &map->outputs[i].what;
        for (size_t k = 0; k < what->factor_count && possible; k++) {
            possible = is_derived(map->recordable->name(what->factors[k].field));
        }
    }
    return possible;
}

/* ---- Data and responses as rows of numbers -------------------------------------------------- */

typedef struct shape {
    size_t n, s, masses, entries;
    size_t data, response; /* numbers in a row */
} shape;

static shape shape_of(const crm_model *model)
{
    shape f = {.n = crm_model_coordinates(model),
               .s = crm_model_contacts(model),
               .masses = crm_variation_mass_size(model),
               .entries = crm_variation_jacobian_size(model)};
    f.data = f.n + f.masses + f.entries + 5 * f.s;
    f.response = f.n + 3 * f.s + 1;
    return f;
}

static bool same_shape(shape a, shape b)
{
    return a.n == b.n && a.s == b.s && a.masses == b.masses && a.entries == b.entries;
}

static crm_variation data_of(shape f, double *row)
{
    crm_variation v = {.velocity = row, .mass = row + f.n, .jacobian = row + f.n + f.masses};
    v.boundary_velocity = v.jacobian + f.entries;
    v.stiffness = v.boundary_velocity + f.s;
    v.exponent = v.stiffness + f.s;
    v.restitution = v.exponent + f.s;
    v.stored_energy = v.restitution + f.s;
    return v;
}

/* The same without the parts that do not change in any of `rows`: what is not asked for need not be
 * smooth.
 */
static crm_variation changed_data_of(shape f, double *row, const double *rows, size_t count)
{
    crm_variation v = data_of(f, row);
    double **parts[] = {&v.velocity,  &v.mass,     &v.jacobian,    &v.boundary_velocity,
                        &v.stiffness, &v.exponent, &v.restitution, &v.stored_energy};
    size_t sizes[] = {f.n, f.masses, f.entries, f.s, f.s, f.s, f.s, f.s};
    for (size_t part = 0, at = 0; part < CRM_COUNT(parts); at += sizes[part++]) {
        bool changes = false;
        for (size_t k = 0; k < count * sizes[part] && !changes; k++) {
            changes = rows[k / sizes[part] * f.data + at + k % sizes[part]] != 0;
        }
        *parts[part] = changes ? *parts[part] : NULL;
    }
    return v;
}

/* The last number of the row is the duration, which the struct has by value. T+ follows from v+. */
static crm_response response_of(shape f, double *row)
{
    crm_response r = {.velocity = row, .impulse = row + f.n};
    r.loss = r.impulse + f.s;
    r.peak_force = r.loss + f.s;
    r.duration = row[f.response - 1];
    return r;
}

static void read_data(const crm_model *model, const double *velocity, shape f, double *row)
{
    crm_variation v = data_of(f, row);
    double *entry = v.jacobian;
    memcpy(v.velocity, velocity, f.n * sizeof *row);
    for (size_t i = 0; i < f.masses; i++) {
        v.mass[i] =
            f.masses == f.n ? crm_model_mass(model, i, i) : crm_model_mass(model, i / f.n, i % f.n);
    }
    for (size_t j = 0; j < f.s; j++) {
        size_t count;
        const uint32_t *columns;
        const double *values;
        crm_model_gradient(model, j, &count, &columns, &values);
        memcpy(entry, values, count * sizeof *entry);
        entry += count;
    }
    memcpy(v.boundary_velocity, crm_model_boundary_velocity(model), f.s * sizeof *row);
    memcpy(v.stiffness, crm_model_stiffness(model), f.s * sizeof *row);
    memcpy(v.exponent, crm_model_exponent(model), f.s * sizeof *row);
    memcpy(v.restitution, crm_model_restitution(model), f.s * sizeof *row);
    memcpy(v.stored_energy, crm_model_stored_energy(model), f.s * sizeof *row);
}

/* ---- One trial ------------------------------------------------------------------------------ */

/* Where the two ends of an unknown's differences are. */
typedef struct span {
    double low, high;
} span;

typedef struct exact {
    crm_map *map;
    size_t trial;
    double *x; /* is moved, and moved back */
    double *derivative;
    crm_derived *derived;
    shape f;
    size_t outputs;   /* of this trial */
    double *room;     /* all that follows */
    span *spans;      /* one per unknown */
    double *ends;     /* two rows of data */
    double *rows;     /* a row of data per unknown: how they change with it */
    double *response; /* forward: a row per unknown; reverse: weights, a row per output */
    double *gradient; /* reverse: a row of data per output */
    double *outcome;  /* a row of responses: the outcome at x */
    double *moved;    /* another, with the velocities of gaps behind it */
    crm_variation *views;
    crm_response *answers;
    crm_smoothness *smooth;
    crm_outcome *at; /* the outcome at x */
} exact;

static const crm_scenario *scenario_of(const exact *e)
{
    return e->map->trials[e->trial].variant.scenario;
}

/* The scenario with unknown j at `value`. */
static bool read_at(exact *e, size_t j, double value, bool *memory)
{
    crm_variant *variant = &e->map->trials[e->trial].variant;
    crm_read_error failure = {0};
    for (size_t i = 0; i < e->map->unknown_count; i++) {
        const crm_unknown *u = &e->map->unknowns[i];
        for (size_t k = 0; k < u->slots; k++) {
            crm_variant_set_number(variant, u->slot + k, i == j ? value : e->x[i]);
        }
    }
    crm_status status = crm_variant_read(variant, &failure);
    *memory = status == CRM_ERROR_MEMORY;
    return status == CRM_OK;
}

static crm_status fail_exact(crm_error *error, const char *why)
{
    return crm_fail(error, CRM_ERROR_OPTION, NULL, "%s", why);
}

/* The data with unknown j at `value`. CRM_ERROR_MODEL: there are none. */
static crm_status read_end(exact *e, size_t j, double value, double *row, crm_error *error)
{
    bool memory = false;
    if (!read_at(e, j, value, &memory)) {
        return memory ? crm_fail_memory(error) : CRM_ERROR_MODEL;
    }
    const crm_scenario *s = scenario_of(e);
    if (!same_shape(shape_of(s->model), e->f)) {
        return fail_exact(error, "contacts come or go with it");
    }
    read_data(s->model, s->velocity, e->f, row);
    return CRM_OK;
}

/* Both ends of a span; which of them has none, if one has. */
static crm_status read_span(exact *e, size_t j, span at, size_t *none, crm_error *error)
{
    crm_status low = read_end(e, j, at.low, e->ends, error);
    crm_status high = read_end(e, j, at.high, e->ends + e->f.data, error);
    *none = low == CRM_ERROR_MODEL ? 0 : 1;
    return low != CRM_OK && low != CRM_ERROR_MODEL ? low : high != CRM_OK ? high : low;
}

/* How the data change with unknown j: by a step to both sides, or to the one there is. */
static crm_status find_direction(exact *e, size_t j, crm_error *error)
{
    const crm_unknown *u = &e->map->unknowns[j];
    double x = e->x[j], size = x != 0 ? fmax(fabs(x), 1e-3 * u->scale) : u->scale;
    size_t none;
    span at = {x - STEP * size, x + STEP * size};
    crm_status status = read_span(e, j, at, &none, error);
    if (status == CRM_ERROR_MODEL) {
        at = none == 0 ? (span){x, x + ONE_SIDED * size} : (span){x - ONE_SIDED * size, x};
        status = read_span(e, j, at, &none, error);
    }
    if (status != CRM_OK) {
        return status == CRM_ERROR_MODEL ? fail_exact(error, "it cannot be varied") : status;
    }
    double *row = e->rows + j * e->f.data, *low = e->ends, *high = e->ends + e->f.data;
    for (size_t k = 0; k < e->f.data; k++) {
        row[k] = (high[k] - low[k]) / (at.high - at.low);
    }
    e->spans[j] = at;
    return CRM_OK;
}

/* ---- From an outcome to the outputs --------------------------------------------------------- */

static void keep_outcome(exact *e)
{
    crm_response r = response_of(e->f, e->outcome);
    size_t bytes = e->f.s * sizeof(double);
    memcpy(r.velocity, e->at->velocity, e->f.n * sizeof(double));
    memcpy(r.impulse, e->at->impulse, bytes);
    memcpy(r.loss, e->at->loss, bytes);
    if (e->at->peak_force != NULL) {
        memcpy(r.peak_force, e->at->peak_force, bytes);
    }
    e->outcome[e->f.response - 1] = e->at->duration;
}

/* The outputs of this trial, in order, of the scenario as it is read and the outcome in `moved`;
 * what follows from both is made to.
 */
static double output_of(exact *e, const crm_map_output *output)
{
    const crm_scenario *s = scenario_of(e);
    crm_response r = response_of(e->f, e->moved);
    crm_outcome outcome = *e->at;
    outcome.velocity = r.velocity;
    outcome.impulse = r.impulse;
    outcome.loss = r.loss;
    outcome.peak_force = e->at->peak_force != NULL ? r.peak_force : NULL;
    outcome.gap_velocity = e->moved + e->f.response;
    outcome.duration = e->moved[e->f.response - 1];
    crm_model_gap_velocity(s->model, outcome.velocity, outcome.gap_velocity);
    outcome.energy_before = crm_model_kinetic_energy(s->model, s->velocity);
    outcome.energy_after = crm_model_kinetic_energy(s->model, outcome.velocity);
    outcome.stored_before = 0;
    double lost = 0;
    for (size_t j = 0; j < e->f.s; j++) {
        outcome.stored_before += crm_model_stored_energy(s->model)[j];
        lost += outcome.loss[j];
    }
    outcome.boundary_work =
        outcome.energy_after + lost - outcome.energy_before - outcome.stored_before;
    crm_impact impact = {
        .model = s->model, .velocity = s->velocity, .outcome = &outcome, .first = &outcome};
    return crm_recorded_value(&output->what, &impact);
}

/* The outcome at x and `times` a row of changes. What the law does not derive is no number, and
 * outputs of it are none.
 */
static void move(exact *e, const double *row, double times)
{
    for (size_t k = 0; k < e->f.response; k++) {
        e->moved[k] = e->outcome[k] + (row != NULL ? times * row[k] : 0);
    }
}

/* d(output)/d(unknown j) of all outputs of the trial, along a row of changes of the outcome; NULL:
 * while the outcome stays.
 */
static crm_status add_column(exact *e, size_t j, const double *row, crm_error *error)
{
    crm_map *map = e->map;
    span at = e->spans[j];
    for (int end = 0; end < 2; end++) {
        double place = end == 0 ? at.low : at.high;
        bool memory;
        if (!read_at(e, j, place, &memory)) {
            return memory ? crm_fail_memory(error) : fail_exact(error, "it cannot be varied");
        }
        move(e, row, place - e->x[j]);
        for (size_t i = 0; i < map->output_count; i++) {
            if (map->outputs[i].trial == e->trial) {
                double value = output_of(e, &map->outputs[i]) / (at.high - at.low);
                e->derivative[i * map->unknown_count + j] += end == 0 ? -value : value;
            }
        }
    }
    return CRM_OK;
}

/* ---- Forward -------------------------------------------------------------------------------- */

static void note_smoothness(exact *e, size_t count)
{
    for (size_t k = 0; k < count && e->derived->note[0] == '\0'; k++) {
        const crm_smoothness *s = &e->smooth[k];
        if (!s->differentiable) {
            char name[CRM_NAME_SIZE] = "the contacts";
            if (s->contact < e->f.s) {
                crm_contact_name(scenario_of(e)->model, s->contact, name, sizeof name);
            }
            snprintf(e->derived->note, sizeof e->derived->note,
                     "not differentiable here, at %.80s: %.200s; a one-sided derivative is given",
                     name, s->reason);
        }
    }
}

static crm_status derive_forward(exact *e, crm_workspace *workspace, crm_error *error)
{
    const crm_scenario *s = scenario_of(e);
    size_t unknowns = e->map->unknown_count;
    for (size_t j = 0; j < unknowns; j++) {
        double *row = e->rows + j * e->f.data;
        e->views[j] = changed_data_of(e->f, row, row, 1);
        e->answers[j] = response_of(e->f, e->response + j * e->f.response);
    }
    crm_status status = crm_solve_forward(workspace, s->model, s->velocity, s->laws[0].settings,
                                          unknowns, e->views, e->answers, e->smooth, error);
    if (status == CRM_OK) {
        note_smoothness(e, unknowns);
    }
    for (size_t j = 0; j < unknowns && status == CRM_OK; j++) {
        double *row = e->response + j * e->f.response;
        row[e->f.response - 1] = e->answers[j].duration;
        status = add_column(e, j, row, error);
    }
    return status;
}

/* ---- Reverse -------------------------------------------------------------------------------- */

/* d(output)/d(outcome), number by number. */
static void find_weights(exact *e, const crm_map_output *output, double *weights)
{
    size_t parts[] = {e->f.n, e->f.s, e->f.s, e->f.s, 1};
    size_t k = 0;
    move(e, NULL, 0);
    for (size_t part = 0; part < CRM_COUNT(parts); part++) {
        double largest = 0;
        for (size_t i = k; i < k + parts[part]; i++) {
            largest = fmax(largest, fabs(e->outcome[i]));
        }
        double h = STEP * (largest > 0 ? largest : 1);
        for (size_t end = k + parts[part]; k < end; k++) {
            double middle = e->moved[k];
            e->moved[k] = middle + h;
            double high = output_of(e, output);
            e->moved[k] = middle - h;
            double weight = (high - output_of(e, output)) / (2 * h);
            weights[k] = isfinite(weight) ? weight : 0; /* an outcome may lack what it is of */
            e->moved[k] = middle;
        }
    }
}

/* Those that count; the law need not define the others. */
static crm_response weights_of(shape f, double *row)
{
    crm_response r = response_of(f, row);
    double **parts[] = {&r.velocity, &r.impulse, &r.loss, &r.peak_force};
    for (size_t part = 0; part < CRM_COUNT(parts); part++) {
        bool counts = false;
        for (size_t k = 0; k < (part == 0 ? f.n : f.s); k++) {
            counts = counts || (*parts[part])[k] != 0;
        }
        *parts[part] = counts ? *parts[part] : NULL;
    }
    return r;
}

static crm_status derive_reverse(exact *e, crm_workspace *workspace, crm_error *error)
{
    const crm_scenario *s = scenario_of(e);
    crm_map *map = e->map;
    size_t row = 0;
    for (size_t i = 0; i < map->output_count; i++) {
        if (map->outputs[i].trial == e->trial) {
            double *weights = e->response + row * e->f.response;
            find_weights(e, &map->outputs[i], weights);
            e->answers[row] = weights_of(e->f, weights);
            e->views[row] =
                changed_data_of(e->f, e->gradient + row * e->f.data, e->rows, map->unknown_count);
            row++;
        }
    }
    crm_status status = crm_solve_reverse(workspace, s->model, s->velocity, s->laws[0].settings,
                                          row, e->answers, e->views, e->smooth, error);
    if (status == CRM_OK) {
        note_smoothness(e, row);
    }
    row = 0;
    for (size_t i = 0; i < map->output_count && status == CRM_OK; i++) {
        for (size_t j = 0; map->outputs[i].trial == e->trial && j < map->unknown_count; j++) {
            const double *gradient = e->gradient + row * e->f.data, *by = e->rows + j * e->f.data;
            for (size_t k = 0; k < e->f.data; k++) {
                e->derivative[i * map->unknown_count + j] += gradient[k] * by[k];
            }
        }
        row += map->outputs[i].trial == e->trial;
    }
    for (size_t j = 0; j < map->unknown_count && status == CRM_OK; j++) {
        status = add_column(e, j, NULL, error);
    }
    return status;
}

/* ---- The whole ------------------------------------------------------------------------------ */

/* One that goes through the impact for every unknown, or for every output: whichever is fewer. */
static bool is_reverse(const exact *e)
{
    return e->outputs < e->map->unknown_count;
}

static bool make_room(exact *e)
{
    size_t unknowns = e->map->unknown_count, rows = e->outputs > unknowns ? e->outputs : unknowns;
    shape f = e->f;
    size_t gradients = is_reverse(e) ? e->outputs : 0;
    size_t responses = is_reverse(e) ? e->outputs : unknowns;
    e->room =
        CRM_NEW(double, (2 + unknowns + gradients) * f.data + (2 + responses) * f.response + f.s);
    e->spans = CRM_NEW(span, unknowns);
    e->views = CRM_NEW(crm_variation, rows);
    e->answers = CRM_NEW(crm_response, rows);
    e->smooth = CRM_NEW(crm_smoothness, rows);
    if (e->room == NULL || e->spans == NULL || e->views == NULL || e->answers == NULL ||
        e->smooth == NULL) {
        return false;
    }
    e->ends = e->room;
    e->rows = e->ends + 2 * f.data;
    e->gradient = e->rows + unknowns * f.data;
    e->response = e->gradient + gradients * f.data;
    e->outcome = e->response + responses * f.response;
    e->moved = e->outcome + f.response;
    return true;
}

static void clean_up(exact *e)
{
    crm_outcome_free(e->at);
    free(e->room);
    free(e->spans);
    free(e->views);
    free(e->answers);
    free(e->smooth);
}

static crm_status solve(exact *e, crm_error *error)
{
    const crm_scenario *s = scenario_of(e);
    crm_status status =
        crm_solve_on(1, NULL, s->model, s->velocity, s->laws[0].settings, NULL, &e->at, error);
    if (status == CRM_OK && e->at->result != CRM_SOLVED) {
        status = fail_exact(error, e->at->reason);
    }
    if (status == CRM_OK) {
        keep_outcome(e);
    }
    return status;
}

static crm_status derive(exact *e, crm_workspace *workspace, crm_error *error)
{
    crm_status status = CRM_OK;
    bool memory = false;
    for (size_t j = 0; j < e->map->unknown_count && status == CRM_OK; j++) {
        status = find_direction(e, j, error);
    }
    if (status == CRM_OK && !read_at(e, SIZE_MAX, 0, &memory)) {
        status = memory ? crm_fail_memory(error) : fail_exact(error, "it cannot be read");
    }
    status = status == CRM_OK ? solve(e, error) : status;
    if (status != CRM_OK) {
        return status;
    }
    return is_reverse(e) ? derive_reverse(e, workspace, error)
                         : derive_forward(e, workspace, error);
}

static crm_status derive_trial(exact *e, crm_workspace *workspace, crm_error *error)
{
    bool memory = false;
    if (!read_at(e, SIZE_MAX, 0, &memory)) {
        return memory ? crm_fail_memory(error) : fail_exact(error, "it cannot be read");
    }
    e->f = shape_of(scenario_of(e)->model);
    for (size_t i = 0; i < e->map->output_count; i++) {
        e->outputs += e->map->outputs[i].trial == e->trial;
    }
    crm_status status = make_room(e) ? derive(e, workspace, error) : crm_fail_memory(error);
    clean_up(e);
    return status == CRM_OK || status == CRM_ERROR_MEMORY || status == CRM_ERROR_STOPPED
               ? status
               : CRM_ERROR_OPTION;
}

static bool are_numbers(const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(values[i])) {
            return false;
        }
    }
    return true;
}

crm_status crm_exact_derive(crm_map *map, const double *x, double *y, double *derivative,
                            crm_derived *derived, crm_error *error)
{
    size_t count = map->output_count * map->unknown_count;
    crm_workspace *workspace = NULL;
    double *own = crm_memory_copy_doubles(x, map->unknown_count);
    crm_status status = crm_map_evaluate(map, x, y, error);
    if (status == CRM_OK) {
        status = own != NULL ? crm_workspace_create(&workspace, error) : crm_fail_memory(error);
    }
    memset(derivative, 0, count * sizeof *derivative);
    if (status == CRM_OK && map->watch != NULL) {
        crm_workspace_watch(workspace, &map->polled);
    }
    for (size_t t = 0; t < map->trial_count && status == CRM_OK; t++) {
        exact e = {.map = map, .trial = t, .x = own, .derivative = derivative, .derived = derived};
        status = derive_trial(&e, workspace, error);
    }
    if (map->stopped) {
        status = crm_fail(error, CRM_ERROR_STOPPED, NULL, "stopped");
    }
    if (status == CRM_OK && !are_numbers(derivative, count)) {
        status = fail_exact(error, "it is not a number");
    }
    derived->exact = status == CRM_OK;
    crm_workspace_free(workspace);
    free(own);
    return status;
}
