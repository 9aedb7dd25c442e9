#include "glue.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- Arrays that grow --------------------------------------------------------------------- */

/* Room for `more` entries behind `count`; false: no memory, and nothing is lost. */
static bool reserve(void **array, size_t size, size_t count, size_t more, size_t *capacity)
{
    enum { FIRST = 64 };
    if (count + more <= *capacity) {
        return true;
    }
    size_t larger = *capacity > 0 ? 2 * *capacity : FIRST;
    larger = larger > count + more ? larger : count + more;
    void *grown = larger <= PTRDIFF_MAX / size ? realloc(*array, larger * size) : NULL;
    if (grown == NULL) {
        return false;
    }
    *array = grown;
    *capacity = larger;
    return true;
}

static crm_status fail(crm_error *error, crm_status status, const char *message)
{
    if (error != NULL) {
        *error = (crm_error){.status = status};
        snprintf(error->message, sizeof error->message, "%s", message);
    }
    return status;
}

static crm_status fail_memory(crm_error *error)
{
    return fail(error, CRM_ERROR_MEMORY, crm_status_text(CRM_ERROR_MEMORY));
}

/* ---- One impact ----------------------------------------------------------------------------- */

size_t crmpy_history_width(const crmpy_history *history)
{
    return 3 + history->coordinates + 4 * history->contacts;
}

crmpy_history *crmpy_history_create(size_t coordinates, size_t contacts)
{
    crmpy_history *made = calloc(1, sizeof *made);
    if (made != NULL) {
        made->coordinates = coordinates;
        made->contacts = contacts;
    }
    return made;
}

void crmpy_history_free(crmpy_history *history)
{
    if (history != NULL) {
        free(history->numbers);
        free(history);
    }
}

/* from NULL: what a law does not know. */
static double *copy(double *to, const double *from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        to[i] = from != NULL ? from[i] : NAN;
    }
    return to + count;
}

static crm_status record(void *context, const crm_sample *sample)
{
    crmpy_history *h = context;
    size_t width = crmpy_history_width(h);
    void *numbers = h->numbers;
    if (!reserve(&numbers, width * sizeof(double), h->rows, 1, &h->capacity)) {
        return CRM_ERROR_MEMORY;
    }
    h->numbers = numbers;
    double *at = h->numbers + h->rows++ * width;
    at[0] = sample->time;
    at[1] = sample->primary < h->contacts ? (double)sample->primary : -1;
    at[2] = sample->primary_impulse;
    at = copy(at + 3, sample->velocity, h->coordinates);
    at = copy(at, sample->force, h->contacts);
    at = copy(at, sample->stored_energy, h->contacts);
    at = copy(at, sample->closing_speed, h->contacts);
    copy(at, sample->impulse, h->contacts);
    return CRM_OK;
}

crm_status crmpy_solve(crm_workspace *workspace, const crm_model *model, const double *velocity,
                       const crm_settings *settings, crmpy_history *history, double interval,
                       crm_outcome **outcome, crm_error *error)
{
    const crm_recorder recorder = {
        .context = history, .interval = interval, .only_multiples = interval > 0, .record = record};
    const crm_outcome *found;
    *outcome = NULL;
    crm_status status = crm_solve_with(workspace, model, velocity, settings,
                                       history != NULL ? &recorder : NULL, &found, error);
    if (status == CRM_OK && history != NULL && history->rows > 0) {
        double last = history->numbers[(history->rows - 1) * crmpy_history_width(history)];
        status = crm_record_end(&recorder, found, last, error);
    }
    return status == CRM_OK ? crm_workspace_take_outcome(workspace, outcome, error) : status;
}

/* ---- Models --------------------------------------------------------------------------------- */

static const double *at(const double *array, size_t stride, size_t system)
{
    return array != NULL ? array + stride * system : NULL;
}

static crm_system_def system_at(const crm_system_def *def, const crmpy_strides *by, size_t i)
{
    crm_system_def one = *def;
    one.mass_diagonal = at(def->mass_diagonal, by->mass, i);
    one.mass_dense = at(def->mass_dense, by->mass, i);
    one.w_dense = at(def->w_dense, by->w, i);
    one.stiffness = at(def->stiffness, by->stiffness, i);
    one.exponent = at(def->exponent, by->exponent, i);
    one.restitution = at(def->restitution, by->restitution, i);
    one.stored_energy = at(def->stored_energy, by->stored_energy, i);
    one.boundary_velocity = at(def->boundary_velocity, by->boundary_velocity, i);
    one.force = at(def->force, by->force, i);
    return one;
}

crm_status crmpy_models_create(size_t count, const crm_system_def *def, crmpy_strides strides,
                               crm_model **models, size_t *failed, crm_error *error)
{
    for (size_t i = 0; i < count; i++) {
        crm_system_def one = system_at(def, &strides, i);
        crm_status status = crm_model_from_system(&one, &models[i], error);
        if (status != CRM_OK) {
            crmpy_models_free(i, models);
            *failed = i;
            return status;
        }
    }
    return CRM_OK;
}

void crmpy_models_free(size_t count, crm_model **models)
{
    for (size_t i = 0; i < count; i++) {
        crm_model_free(models[i]);
        models[i] = NULL;
    }
}

static crm_status delassus_by_operator(const crm_model *model, double *d, crm_error *error)
{
    size_t s = crm_model_contacts(model);
    double *unit = calloc(s > 0 ? s : 1, sizeof *unit);
    crm_status status = unit != NULL ? CRM_OK : fail_memory(error);
    for (size_t j = 0; j < s && status == CRM_OK; j++) {
        unit[j] = 1;
        status = crm_model_delassus_apply(model, unit, d + j * s, error);
        unit[j] = 0;
    }
    free(unit);
    return status;
}

void crmpy_mass(const crm_model *model, double *mass)
{
    size_t n = crm_model_coordinates(model);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            mass[i * n + j] = crm_model_mass(model, i, j);
        }
    }
}

crm_status crmpy_delassus(const crm_model *model, double *d, crm_error *error)
{
    if (!crm_model_has_delassus(model)) {
        return delassus_by_operator(model, d, error);
    }
    size_t s = crm_model_contacts(model);
    memset(d, 0, s * s * sizeof *d);
    for (size_t j = 0; j < s; j++) {
        size_t count;
        const uint32_t *column;
        const double *value;
        crm_model_delassus_row(model, j, &count, &column, &value);
        for (size_t k = 0; k < count; k++) {
            d[j * s + column[k]] = value[k];
        }
    }
    return CRM_OK;
}

size_t crmpy_gradient_entries(const crm_model *model)
{
    size_t entries = 0, count;
    const uint32_t *row;
    const double *value;
    for (size_t j = 0; j < crm_model_contacts(model); j++) {
        crm_model_gradient(model, j, &count, &row, &value);
        entries += count;
    }
    return entries;
}

void crmpy_gradients(const crm_model *model, int64_t *start, int32_t *row, double *value)
{
    int64_t filled = 0;
    for (size_t j = 0; j < crm_model_contacts(model); j++) {
        size_t count;
        const uint32_t *rows;
        const double *values;
        start[j] = filled;
        crm_model_gradient(model, j, &count, &rows, &values);
        for (size_t k = 0; k < count; k++, filled++) {
            row[filled] = (int32_t)rows[k];
            value[filled] = values[k];
        }
    }
    start[crm_model_contacts(model)] = filled;
}

/* ---- Motions --------------------------------------------------------------------------------- */

crmpy_course *crmpy_course_create(crm_motion *motion, double every, double step)
{
    crmpy_course *made = calloc(1, sizeof *made);
    if (made != NULL) {
        made->motion = motion;
        made->positions = crm_motion_positions(motion);
        made->velocities = crm_motion_velocities(motion);
        made->every = every;
        made->step = step;
    }
    return made;
}

void crmpy_course_free(crmpy_course *course)
{
    if (course != NULL) {
        free(course->states);
        free(course->impact);
        free(course->touch);
        free(course);
    }
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const double LOOK_EVERY = 0.05;

static crm_status look_up(crmpy_course *c, double time)
{
    double clock = now();
    if (c->watch.go_on != NULL && !c->over && clock - c->consulted >= LOOK_EVERY) {
        const crm_watch_report progress = {.time = time, .left = NAN, .steps = c->impacts};
        c->consulted = clock;
        c->over = !c->watch.go_on(c->watch.context, &progress);
    }
    return c->over || c->out_of_memory ? CRM_ERROR_STOPPED : CRM_OK;
}

static double *new_row(crmpy_course *c)
{
    size_t width = 1 + c->positions + c->velocities;
    void *states = c->states;
    if (!reserve(&states, width * sizeof(double), c->rows, 1, &c->row_capacity)) {
        c->out_of_memory = true;
        return NULL;
    }
    c->states = states;
    return c->states + c->rows++ * width;
}

static crm_status on_state(void *context, double time, const double *position,
                           const double *velocity)
{
    crmpy_course *c = context;
    double *row = c->every > 0 ? new_row(c) : NULL;
    if (row != NULL) {
        row[0] = time;
        copy(copy(row + 1, position, c->positions), velocity, c->velocities);
    }
    return look_up(c, time);
}

static void keep_impact(crmpy_course *c, const crm_impact_report *i)
{
    void *impact = c->impact, *touch = c->touch;
    if (!reserve(&impact, sizeof *c->impact, c->impacts, 1, &c->impact_capacity)) {
        c->out_of_memory = true;
        return;
    }
    c->impact = impact;
    if (!reserve(&touch, sizeof *c->touch, c->touches, i->contacts, &c->touch_capacity)) {
        c->out_of_memory = true;
        return;
    }
    c->touch = touch;
    c->impact[c->impacts++] = (crmpy_impact){.time = i->time,
                                             .lost = i->lost,
                                             .number = i->number,
                                             .first = c->touches,
                                             .contacts = i->contacts,
                                             .result = (int32_t)i->result,
                                             .kinematic = i->kinematic,
                                             .kinetic = i->kinetic,
                                             .energetic = i->energetic,
                                             .unique = i->unique};
    for (size_t j = 0; j < i->contacts; j++) {
        c->touch[c->touches++] =
            (crmpy_touch){.party = {(int64_t)i->party[j][0], (int64_t)i->party[j][1]},
                          .closing_speed = i->closing_speed[j],
                          .impulse = i->impulse[j],
                          .peak_force = i->peak_force != NULL ? i->peak_force[j] : NAN};
    }
}

/* The state after it is read when the run has been left. */
static crm_status on_impact(void *context, const crm_impact_report *impact)
{
    crmpy_course *c = context;
    keep_impact(c, impact);
    c->row_due = c->every == 0;
    crm_status status = look_up(c, impact->time);
    return c->row_due ? CRM_ERROR_STOPPED : status;
}

static void add_row(crmpy_course *c)
{
    double *row = new_row(c);
    c->row_due = false;
    if (row != NULL) {
        row[0] = crm_motion_time(c->motion);
        crm_motion_read(c->motion, row + 1, row + 1 + c->positions);
    }
}

/* Time-stepping does not consult the watch within a run. Divided into several runs the motion is
 * the same, so that it is made in slices, each short enough for an interruption.
 */
enum { FIRST_STEPS = 64 };

crm_status crmpy_course_run(crmpy_course *course, double time, const crm_watch *watch,
                            crm_motion_stop *stopped, crm_error *error)
{
    crmpy_course *c = course;
    crm_observer observer = {
        .context = c, .every = c->every, .state = on_state, .impact = on_impact};
    c->watch = watch != NULL ? *watch : (crm_watch){0};
    c->consulted = now();
    c->over = false;
    crm_motion_watch(c->motion, watch);
    double slice = FIRST_STEPS * c->step;
    crm_status status;
    bool paused, short_of_it;
    do {
        double began = now(), now_at = crm_motion_time(c->motion);
        double until = slice > 0 && slice < time - now_at ? now_at + slice : time;
        status = crm_motion_run(c->motion, until, &observer, stopped, error);
        paused = status == CRM_OK && c->row_due && *stopped == CRM_STOP_INTERRUPTED;
        short_of_it = status == CRM_OK && *stopped == CRM_STOP_DURATION && until < time;
        if (c->row_due && status == CRM_OK) {
            add_row(c);
        }
        if (short_of_it && look_up(c, until) != CRM_OK) {
            *stopped = CRM_STOP_INTERRUPTED;
            break;
        }
        slice *= now() - began < LOOK_EVERY ? 2 : 0.5;
    } while ((paused || short_of_it) && !c->over && !c->out_of_memory);
    crm_motion_watch(c->motion, NULL);
    return status == CRM_OK && c->out_of_memory ? fail_memory(error) : status;
}
