/* Beads on a line, moved by carom and by Siconos, event-driven and by the Moreau-Jean scheme, each
 * beside the judge of the tests, which goes from meeting to meeting in long doubles.
 *
 *     run_motion [--csv FOLDER] [SICONOS_MOTION]      the driver built from siconos_motion.cpp
 *
 * Siconos' impact law, Newton's coefficient in a complementarity problem over all closed contacts,
 * is carom's law moreau. Gaps are such that impacts are of one contact; then newton is the same.
 */
#include <carom/carom.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../clock.h"
#include "flight_call.h"
#include "lzb/report.h"

enum { PARTS = 4, BEADS = 10 };
/* What is short is done again until it has taken so long. */
static const double LONG_ENOUGH = 0.05;
static const double STEPS[] = {1e-3, 1e-4, 1e-5};
enum { STEP_COUNT = sizeof STEPS / sizeof STEPS[0] };

/* ---- Scenes --------------------------------------------------------------------------------- */

typedef struct scene {
    const char *name;
    double restitution, duration;
    judge_scene start;
} scene;

/* Positions and velocities at the ends of the parts. */
typedef struct course {
    bool found;
    double seconds;
    double x[PARTS][BEADS], v[PARTS][BEADS];
} course;

static scene bouncing_ball(void)
{
    scene s = {.name = "bouncing ball", .restitution = 0.9, .duration = 5};
    s.start = judge_scene_blank(1);
    s.start.gravity[0] = -9.81;
    judge_scene_ball(&s.start, 0.1, 1, 1.1, 0, 0);
    judge_scene_wall(&s.start, 1, 0, 0, 0);
    return s;
}

/* Ten beads above each other fall on a floor; the lowest comes back first. */
static scene column_of_beads(void)
{
    scene s = {.name = "column of beads", .restitution = 0.95, .duration = 0.6};
    s.start = judge_scene_blank(1);
    s.start.gravity[0] = -9.81;
    for (int i = 0; i < BEADS; i++) {
        judge_scene_ball(&s.start, 0.01, 0.03, 0.11 + 0.03 * i, 0, 0);
    }
    judge_scene_wall(&s.start, 1, 0, 0, 0);
    return s;
}

/* Light and heavy balls in turn, so that none passes on all that it has. */
static scene chain_of_balls(void)
{
    scene s = {.name = "chain of balls", .restitution = 0.9, .duration = 2};
    s.start = judge_scene_blank(1);
    for (int i = 0; i < BEADS; i++) {
        judge_scene_ball(&s.start, 0.01, i % 2 == 0 ? 0.06 : 0.03, 0.03 * i, 0, 0);
    }
    s.start.v[0][0] = 1;
    return s;
}

static double part_end(const scene *s, int part)
{
    return s->duration * (part + 1) / PARTS;
}

static void keep(const judge_scene *state, int part, course *c)
{
    for (size_t i = 0; i < state->balls; i++) {
        c->x[part][i] = state->x[i][0];
        c->v[part][i] = state->v[i][0];
    }
}

/* ---- The judge ------------------------------------------------------------------------------ */

static void fly(judge_scene *state, double time)
{
    double dt = time - state->time;
    for (size_t i = 0; i < state->balls; i++) {
        state->x[i][0] += dt * (state->v[i][0] + 0.5 * dt * state->gravity[0]);
        state->v[i][0] += dt * state->gravity[0];
    }
    state->time = time;
}

static course run_judge(const scene *s, unsigned *impacts)
{
    course c = {.found = true};
    judge_scene state = s->start;
    *impacts = 0;
    for (int part = 0; part < PARTS; part++) {
        double end = part_end(s, part);
        judge_meeting m = judge_next(&state, end - state.time);
        for (; m.time <= end; m = judge_next(&state, end - state.time), ++*impacts) {
            double first[3], second[3];
            fly(&state, m.time);
            judge_bounce(&state, m, s->restitution, first, second);
            state.v[m.first][0] = first[0];
            if (m.second < state.balls) {
                state.v[m.second][0] = second[0];
            }
        }
        fly(&state, end);
        keep(&state, part, &c);
    }
    return c;
}

/* ---- carom ---------------------------------------------------------------------------------- */

/* Seconds of the run, without making the motion; negative: it cannot. */
static double run_once(const scene *s, const crm_motion_options *options, course *c)
{
    crm_error error = {0};
    crm_motion *motion = NULL;
    scene_parts parts;
    judge_scene state = s->start;
    double seconds = 0;
    flight_scene_parts(&s->start, s->restitution, &parts);
    if (crm_motion_from_scene(&parts.def, options, &motion, &error) != CRM_OK) {
        return -1;
    }
    for (int part = 0; part < PARTS && seconds >= 0; part++) {
        crm_motion_stop stopped = CRM_STOP_FAILED;
        double begin = cpu_seconds();
        crm_status status = crm_motion_run(motion, part_end(s, part), NULL, &stopped, &error);
        seconds += cpu_seconds() - begin;
        if (status != CRM_OK || stopped != CRM_STOP_DURATION) {
            seconds = -1;
        } else {
            flight_scene_read(motion, &state);
            keep(&state, part, c);
        }
    }
    crm_motion_free(motion);
    return seconds;
}

/* step 0: event-driven */
static course run_carom(const scene *s, double step)
{
    course c = {.found = true};
    crm_settings *law = named_law("moreau");
    crm_motion_options options = crm_motion_options_default();
    options.law = law;
    options.scheme = step > 0 ? CRM_TIME_STEPPING : CRM_EVENT_DRIVEN;
    options.step = step;
    unsigned runs = 0;
    for (double all = 0; c.found && all < LONG_ENOUGH; runs++) {
        double seconds = run_once(s, &options, &c);
        c.found = seconds >= 0;
        all += seconds;
        c.seconds = all / (runs + 1);
    }
    crm_settings_free(law);
    return c;
}

/* ---- Siconos -------------------------------------------------------------------------------- */

static bool write_scene(const scene *s, const char *path)
{
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        return false;
    }
    const judge_scene *b = &s->start;
    fprintf(file, "%zu %.17g %.17g %d %.17g %d\n", b->balls, -b->gravity[0], s->restitution,
            b->walls > 0, s->duration, PARTS);
    for (size_t i = 0; i < b->balls; i++) {
        fprintf(file, "%.17g %.17g %.17g %.17g\n", b->mass[i], b->radius[i], b->x[i][0],
                b->v[i][0]);
    }
    return fclose(file) == 0;
}

/* `state TIME POSITION ... VELOCITY ...` */
static bool read_state(char *line, size_t beads, int part, course *c)
{
    char *word = strtok(line, " ");
    size_t n = 0;
    for (word = strtok(NULL, " "); word != NULL && n <= 2 * beads; word = strtok(NULL, " "), n++) {
        if (n > 0) {
            *(n <= beads ? &c->x[part][n - 1] : &c->v[part][n - 1 - beads]) = strtod(word, NULL);
        }
    }
    return n == 2 * beads + 1;
}

static course ask_siconos(const char *command, size_t beads)
{
    course c = {.seconds = NAN};
    char line[2048];
    int part = 0;
    FILE *pipe = popen(command, "r");
    while (pipe != NULL && fgets(line, sizeof line, pipe) != NULL) {
        sscanf(line, "cpu %lf", &c.seconds);
        if (strncmp(line, "state ", 6) == 0 && part < PARTS) {
            part += read_state(line, beads, part, &c);
        }
    }
    c.found = pipe != NULL && pclose(pipe) == 0 && part == PARTS && !isnan(c.seconds);
    return c;
}

static course run_siconos(const char *driver, const scene *s, double step)
{
    char path[] = "/tmp/carom_scene_XXXXXX", command[1024], how[64] = "events";
    int file = mkstemp(path);
    course c = {.found = false};
    if (step > 0) {
        snprintf(how, sizeof how, "steps %.17g", step);
    }
    if (file >= 0) {
        close(file);
        snprintf(command, sizeof command, "'%s' %s %s 2>/dev/null", driver, path, how);
        c = write_scene(s, path) ? ask_siconos(command, s->start.balls) : c;
        unlink(path);
    }
    return c;
}

/* ---- The table ------------------------------------------------------------------------------ */

static double largest(const double *a, const double *b, size_t count)
{
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        most = fmax(most, fabs(a[i] - b[i]));
    }
    return most;
}

static void report(FILE *csv, const scene *s, const char *code, double step, const course *c,
                   const course *judge, double ours)
{
    char setting[32] = "events";
    if (step > 0) {
        snprintf(setting, sizeof setting, "step %g", step);
    }
    if (!c->found) {
        printf("%-16s %-8s %-11s not available, or failed\n", s->name, code, setting);
        return;
    }
    double apart[PARTS], faster = 0;
    for (int part = 0; part < PARTS; part++) {
        apart[part] = largest(c->x[part], judge->x[part], s->start.balls);
        faster = fmax(faster, largest(c->v[part], judge->v[part], s->start.balls));
    }
    printf("%-16s %-8s %-11s %9.3g s %8.3g   %8.1e %8.1e %8.1e %8.1e   %8.1e\n", s->name, code,
           setting, c->seconds, c->seconds / ours, apart[0], apart[1], apart[2], apart[3], faster);
    if (csv != NULL) {
        fprintf(csv, "%s,%zu,%s,%s,%.4g,%.4g,%.2e,%.2e,%.2e,%.2e,%.2e\n", s->name, s->start.balls,
                code, setting, c->seconds, c->seconds / ours, apart[0], apart[1], apart[2],
                apart[3], faster);
    }
    fflush(stdout);
}

static void compare(FILE *csv, const scene *s, const char *driver)
{
    unsigned impacts;
    course judge = run_judge(s, &impacts), ours = run_carom(s, 0);
    printf("%s: %u impacts in %g s\n", s->name, impacts, s->duration);
    for (int k = -1; k < STEP_COUNT; k++) {
        double step = k < 0 ? 0 : STEPS[k];
        course c = k < 0 ? ours : run_carom(s, step);
        report(csv, s, "carom", step, &c, &judge, ours.seconds);
        if (driver != NULL) {
            c = run_siconos(driver, s, step);
            report(csv, s, "Siconos", step, &c, &judge, ours.seconds);
        }
    }
}

int main(int argc, char **argv)
{
    const char *folder = NULL, *driver = NULL;
    for (int k = 1; k < argc; k++) {
        if (strcmp(argv[k], "--csv") == 0 && k + 1 < argc) {
            folder = argv[++k];
        } else {
            driver = argv[k];
        }
    }
    FILE *csv = report_file(folder, "motion_peers.csv",
                            "scene,beads,code,setting,cpu_seconds,ratio_to_carom_events,"
                            "position_error_1,position_error_2,position_error_3,position_error_4,"
                            "velocity_error");
    printf(
        "CPU seconds, times carom's events; largest error of a position at 1/4, 1/2, 3/4 and the "
        "end, of a velocity at any of them\n");
    const scene scenes[] = {bouncing_ball(), column_of_beads(), chain_of_balls()};
    for (size_t k = 0; k < sizeof scenes / sizeof scenes[0]; k++) {
        compare(csv, &scenes[k], driver);
    }
    return csv != NULL && fclose(csv) != 0;
}
