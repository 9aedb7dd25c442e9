/* Names of a scene's coordinates; states, impacts and the last state as CSV. */
#include "report/motion.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "model/bodies.h"

const char *crm_motion_scheme_text(crm_motion_scheme scheme)
{
    return scheme == CRM_TIME_STEPPING ? "time-stepping" : "event-driven";
}

/* ---- Names ---------------------------------------------------------------------------------- */

static bool hangs(const crm_scene_walk *walk)
{
    const crm_scene_def *scene = walk->scene;
    return walk->bob < scene->suspended_count && scene->suspended[walk->bob].body == walk->body;
}

/* Positions; an orientation in space has four, and three rates. */
static size_t components(const crm_scene_walk *walk)
{
    const crm_body_def *body = &walk->scene->bodies.bodies[walk->body];
    unsigned turns = crm_body_turns(body);
    if (body->fixed) {
        return 0;
    }
    return hangs(walk) ? 1 : walk->scene->bodies.dimension + (turns == 3 ? 4 : turns);
}

/* Before the first one: the next is component 0 of body 0, or of the first that has any. */
crm_scene_walk crm_scene_begin(const crm_scene_def *scene)
{
    return (crm_scene_walk){.scene = scene, .component = SIZE_MAX};
}

bool crm_scene_has_rate(const crm_scene_walk *walk)
{
    const crm_body_def *body = &walk->scene->bodies.bodies[walk->body];
    return crm_body_turns(body) < 3 || walk->component < walk->scene->bodies.dimension + 3;
}

bool crm_scene_next(crm_scene_walk *walk)
{
    walk->rate += walk->component != SIZE_MAX && crm_scene_has_rate(walk);
    walk->component++;
    while (walk->body < walk->scene->bodies.body_count && walk->component >= components(walk)) {
        walk->bob += hangs(walk);
        walk->body++;
        walk->component = 0;
    }
    return walk->body < walk->scene->bodies.body_count;
}

size_t crm_scene_positions(const crm_scene_def *scene)
{
    size_t count = 0;
    for (crm_scene_walk walk = crm_scene_begin(scene); crm_scene_next(&walk);) {
        count++;
    }
    return count;
}

size_t crm_scene_velocities(const crm_scene_def *scene)
{
    crm_scene_walk walk = crm_scene_begin(scene);
    while (crm_scene_next(&walk)) {
    }
    return walk.rate;
}

void crm_scene_name(const crm_scene_walk *walk, bool velocity, char *text, size_t size)
{
    static const char *const places[] = {"x", "y", "z"}, *const rates[] = {"vx", "vy", "vz"};
    static const char *const turns[] = {"orientation w", "orientation x", "orientation y",
                                        "orientation z"};
    static const char *const spins[] = {"spin x", "spin y", "spin z"};
    unsigned dimension = walk->scene->bodies.dimension;
    const char *word = velocity ? "spin" : "angle";
    if (!hangs(walk) && walk->component < dimension) {
        word = velocity ? rates[walk->component] : places[walk->component];
    } else if (!hangs(walk) && dimension == 3) {
        word = velocity ? spins[walk->component - 3] : turns[walk->component - 3];
    }
    crm_party_name(&walk->scene->bodies, walk->body, text, size);
    size_t used = strlen(text);
    snprintf(text + used, size - used, " %s", word);
}

/* ---- States --------------------------------------------------------------------------------- */

static void write_names(const crm_scene_def *scene, bool velocity, FILE *stream)
{
    for (crm_scene_walk walk = crm_scene_begin(scene); crm_scene_next(&walk);) {
        char name[CRM_COORDINATE_SIZE];
        if (velocity && !crm_scene_has_rate(&walk)) {
            continue;
        }
        crm_scene_name(&walk, velocity, name, sizeof name);
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
    for (crm_scene_walk walk = crm_scene_begin(report->scene); crm_scene_next(&walk); index++) {
        char name[CRM_COORDINATE_SIZE];
        crm_scene_name(&walk, false, name, sizeof name);
        fprintf(stream, "%zu,", index + 1);
        crm_csv_text(stream, name);
        write_numbers(stream, 1, &report->position[index]);
        crm_scene_has_rate(&walk) ? write_numbers(stream, 1, &report->velocity[walk.rate])
                                  : (void)fputc(',', stream);
        fputc('\n', stream);
    }
}

/* ---- Impacts -------------------------------------------------------------------------------- */

void crm_impacts_begin(FILE *stream)
{
    fputs("impact,time,contacts,closing_speed,lost,impulse,status,kinematic,kinetic,energetic,"
          "unique\n",
          stream);
}

/* Quoted when one of the names must be. False: no memory. */
static bool write_contacts(const crm_scene_def *scene, FILE *stream,
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
    bool whole = names != NULL && !ferror(names);
    whole = names != NULL && fclose(names) == 0 && text != NULL && whole;
    if (whole) {
        crm_csv_text(stream, text);
    }
    free(text);
    return whole;
}

static void write_joined(FILE *stream, size_t count, const double *values)
{
    for (size_t j = 0; j < count; j++) {
        fputs(j > 0 ? ";" : "", stream);
        crm_csv_number(stream, values[j]);
    }
}

bool crm_impacts_row(const crm_scene_def *scene, FILE *stream, const crm_impact_report *impact)
{
    fprintf(stream, "%llu,", (unsigned long long)impact->number);
    crm_csv_number(stream, impact->time);
    fputc(',', stream);
    bool whole = write_contacts(scene, stream, impact);
    fputc(',', stream);
    write_joined(stream, impact->contacts, impact->closing_speed);
    fputc(',', stream);
    crm_csv_number(stream, impact->lost);
    fputc(',', stream);
    write_joined(stream, impact->contacts, impact->impulse);
    fprintf(stream, ",%s,%d,%d,%d,%d\n", crm_result_text(impact->result), impact->kinematic,
            impact->kinetic, impact->energetic, impact->unique);
    return whole;
}
