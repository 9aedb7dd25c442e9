/* Names of a scene's coordinates; states, impacts and the last state as CSV. */
#include "report/motion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "model/touches.h"

const char *crm_motion_scheme_text(crm_motion_scheme scheme)
{
    return scheme == CRM_TIME_STEPPING ? "time-stepping" : "event-driven";
}

/* ---- Names ---------------------------------------------------------------------------------- */

const crm_suspension *crm_scene_bob(const crm_scene_walk *walk)
{
    const crm_scene_def *scene = walk->scene;
    bool hangs =
        walk->bob < scene->suspended_count && scene->suspended[walk->bob].body == walk->body;
    return hangs ? &scene->suspended[walk->bob] : NULL;
}

size_t crm_scene_components(const crm_scene_walk *walk, bool velocity)
{
    const crm_body_def *body = &walk->scene->bodies.bodies[walk->body];
    (void)velocity; /* of all shapes there are as many as positions */
    if (body->fixed) {
        return 0;
    }
    return crm_scene_bob(walk) != NULL
               ? 1
               : walk->scene->bodies.dimension + (body->shape == CRM_SHAPE_ROD);
}

void crm_scene_skip(crm_scene_walk *walk)
{
    walk->bob += crm_scene_bob(walk) != NULL;
    walk->body++;
    walk->component = 0;
}

/* Before the first one: the next is component 0 of body 0, or of the first that has any. */
crm_scene_walk crm_scene_begin(const crm_scene_def *scene, bool velocity)
{
    return (crm_scene_walk){.scene = scene, .velocity = velocity, .component = SIZE_MAX};
}

bool crm_scene_next(crm_scene_walk *walk)
{
    walk->component++;
    while (walk->body < walk->scene->bodies.body_count &&
           walk->component >= crm_scene_components(walk, walk->velocity)) {
        crm_scene_skip(walk);
    }
    return walk->body < walk->scene->bodies.body_count;
}

size_t crm_scene_coordinates(const crm_scene_def *scene, bool velocity)
{
    size_t count = 0;
    for (crm_scene_walk walk = {.scene = scene}; walk.body < scene->bodies.body_count;
         crm_scene_skip(&walk)) {
        count += crm_scene_components(&walk, velocity);
    }
    return count;
}

void crm_scene_name(const crm_scene_walk *walk, char *text, size_t size)
{
    static const char *const places[] = {"x", "y", "z"}, *const rates[] = {"vx", "vy", "vz"};
    const char *word = walk->velocity ? "spin" : "angle";
    if (crm_scene_bob(walk) == NULL && walk->component < walk->scene->bodies.dimension) {
        word = walk->velocity ? rates[walk->component] : places[walk->component];
    }
    crm_party_name(&walk->scene->bodies, walk->body, text, size);
    size_t used = strlen(text);
    snprintf(text + used, size - used, " %s", word);
}

/* One after the other; where a body has more positions than velocities, or fewer, one is missing.
 */
bool crm_scene_next_pair(crm_scene_pairs *pairs, const crm_scene_def *scene)
{
    crm_scene_walk *walk = &pairs->walk;
    bool first = walk->scene == NULL;
    walk->scene = scene;
    for (int k = 0; k < 2 && !first; k++) {
        pairs->index[k] += pairs->has[k];
    }
    walk->component += !first;
    while (walk->body < scene->bodies.body_count &&
           walk->component >= crm_scene_components(walk, false) &&
           walk->component >= crm_scene_components(walk, true)) {
        crm_scene_skip(walk);
    }
    if (walk->body == scene->bodies.body_count) {
        return false;
    }
    pairs->has[0] = walk->component < crm_scene_components(walk, false);
    pairs->has[1] = walk->component < crm_scene_components(walk, true);
    walk->velocity = !pairs->has[0];
    crm_scene_name(walk, pairs->name, sizeof pairs->name);
    return true;
}

/* ---- States --------------------------------------------------------------------------------- */

static void write_names(const crm_scene_def *scene, bool velocity, FILE *stream)
{
    for (crm_scene_walk walk = crm_scene_begin(scene, velocity); crm_scene_next(&walk);) {
        char name[CRM_NAME_SIZE + 8];
        crm_scene_name(&walk, name, sizeof name);
        fputc(',', stream);
        crm_csv_text(stream, name);
    }
}

static void write_numbers(FILE *stream, size_t count, const double *values)
{
    for (size_t i = 0; i < count; i++) {
        fputc(',', stream);
        crm_csv_number(stream, values[i]);
    }
}

void crm_states_begin(const crm_scene_def *scene, FILE *stream)
{
    fputs("time", stream);
    write_names(scene, false, stream);
    write_names(scene, true, stream);
    fputc('\n', stream);
}

void crm_states_row(FILE *stream, double time, size_t positions, const double *position,
                    size_t velocities, const double *velocity)
{
    crm_csv_number(stream, time);
    write_numbers(stream, positions, position);
    write_numbers(stream, velocities, velocity);
    fputc('\n', stream);
}

void crm_motion_report_csv(const crm_motion_report *report, FILE *stream)
{
    size_t index = 0;
    fputs("index,name,position,velocity\n", stream);
    for (crm_scene_pairs pairs = {0}; crm_scene_next_pair(&pairs, report->scene);) {
        fprintf(stream, "%zu,", ++index);
        crm_csv_text(stream, pairs.name);
        write_numbers(stream, 1, pairs.has[0] ? &report->position[pairs.index[0]] : &(double){NAN});
        write_numbers(stream, 1, pairs.has[1] ? &report->velocity[pairs.index[1]] : &(double){NAN});
        fputc('\n', stream);
    }
}

/* ---- Impacts -------------------------------------------------------------------------------- */

void crm_impacts_begin(const crm_scene_def *scene, FILE *stream)
{
    (void)scene; /* the same for all */
    fputs("impact,time,contacts,closing_speed,lost,impulse,status,kinematic,kinetic,energetic,"
          "unique\n",
          stream);
}

/* Quoted when one of the names must be. */
static void write_contacts(const crm_scene_def *scene, FILE *stream,
                           const crm_impact_report *impact)
{
    char *text = NULL;
    size_t size = 0;
    FILE *names = open_memstream(&text, &size);
    for (size_t j = 0; names != NULL && j < impact->contacts; j++) {
        char first[CRM_NAME_SIZE], second[CRM_NAME_SIZE];
        crm_party_name(&scene->bodies, impact->party[j][0], first, sizeof first);
        crm_party_name(&scene->bodies, impact->party[j][1], second, sizeof second);
        fprintf(names, "%s%s - %s", j > 0 ? ";" : "", first, second);
    }
    if (names != NULL) {
        fclose(names);
    }
    crm_csv_text(stream, text != NULL ? text : "");
    free(text);
}

static void write_joined(FILE *stream, size_t count, const double *values)
{
    for (size_t j = 0; j < count; j++) {
        fputs(j > 0 ? ";" : "", stream);
        crm_csv_number(stream, values[j]);
    }
}

void crm_impacts_row(const crm_scene_def *scene, FILE *stream, const crm_impact_report *impact)
{
    fprintf(stream, "%llu,", (unsigned long long)impact->number);
    crm_csv_number(stream, impact->time);
    fputc(',', stream);
    write_contacts(scene, stream, impact);
    fputc(',', stream);
    write_joined(stream, impact->contacts, impact->closing_speed);
    fputc(',', stream);
    crm_csv_number(stream, impact->lost);
    fputc(',', stream);
    write_joined(stream, impact->contacts, impact->impulse);
    fprintf(stream, ",%s,%d,%d,%d,%d\n", crm_result_text(impact->result), impact->kinematic,
            impact->kinetic, impact->energetic, impact->unique);
}
