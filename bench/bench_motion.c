/* A gas of equal elastic discs in a square box at area fraction 0.3, by crm_motion_run and by a
 * program written for it alone (motion/plain_discs.c): impacts of pairs per second of processor
 * time, in one run, and their ratio.
 *
 *     bench_motion [--full]      (--full: 10^6 discs as well)
 *
 * A fifth of the impacts is for warming up. Prints the median of three rounds; in each round both
 * begin anew.
 */
#include <carom/carom.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "clock.h"
#include "motion/plain_discs.h"
#include "support.h"

static const double RADIUS = 0.5, FRACTION = 0.3, PI = 3.14159265358979323846;
enum { ROUNDS = 3 };

/* ---- The gas --------------------------------------------------------------------------------- */

typedef struct gas {
    size_t count;
    double side;
    double *state; /* x, y, vx, vy */
} gas;

/* On a square lattice, shaken a little; numbered in rows, as codes that sort would have them. */
static gas make_gas(size_t count)
{
    gas g = {.count = count, .side = sqrt((double)count * PI * RADIUS * RADIUS / FRACTION)};
    size_t across = (size_t)ceil(sqrt((double)count));
    double step = g.side / (double)across, play = 0.5 * step - RADIUS;
    rng r = rng_seeded(count);
    g.state = malloc(4 * count * sizeof *g.state);
    if (g.state == NULL) {
        fprintf(stderr, "no memory\n");
        exit(1);
    }
    for (size_t i = 0; i < count; i++) {
        double *s = g.state + 4 * i;
        s[0] = ((double)(i % across) + 0.5) * step + rng_uniform(&r, -play, play) * 0.99;
        s[1] = ((double)(i / across) + 0.5) * step + rng_uniform(&r, -play, play) * 0.99;
        s[2] = rng_normal(&r);
        s[3] = rng_normal(&r);
    }
    return g;
}

static crm_motion *make_motion(const gas *g, const crm_settings *law)
{
    crm_body_def *body = calloc(g->count, sizeof *body);
    double *velocity = calloc(2 * g->count, sizeof *velocity);
    crm_wall_def wall[4];
    for (size_t k = 0; k < 4; k++) {
        wall[k] = crm_wall_def_default();
        wall[k].normal[k / 2] = k % 2 == 0 ? 1 : -1;
        wall[k].point[k / 2] = k % 2 == 0 ? 0 : g->side;
    }
    for (size_t i = 0; body != NULL && velocity != NULL && i < g->count; i++) {
        body[i] = crm_body_def_default();
        body[i].radius = RADIUS;
        body[i].mass = 1;
        memcpy(body[i].position, g->state + 4 * i, 2 * sizeof(double));
        memcpy(velocity + 2 * i, g->state + 4 * i + 2, 2 * sizeof(double));
    }
    crm_scene_def def = crm_scene_def_default();
    crm_motion_options options = crm_motion_options_default();
    crm_error error = {0};
    crm_motion *motion = NULL;
    options.law = law;
    def.bodies.body_count = g->count;
    def.bodies.bodies = body;
    def.bodies.wall_count = 4;
    def.bodies.walls = wall;
    def.velocity = velocity;
    check(crm_motion_from_scene(&def, &options, &motion, &error), &error);
    free(body);
    free(velocity);
    return motion;
}

/* ---- Rounds ---------------------------------------------------------------------------------- */

/* Impacts per second of the plain code; *until: the time it has reached. */
static double run_plain(const gas *g, uint64_t warm, uint64_t impacts, double *begin, double *until)
{
    plain_discs *p = plain_discs_create(g->count, g->side, RADIUS, g->state);
    if (p == NULL) {
        fprintf(stderr, "no memory\n");
        exit(1);
    }
    plain_discs_run(p, warm);
    *begin = plain_discs_time(p);
    double t = cpu_seconds();
    plain_discs_run(p, warm + impacts);
    t = cpu_seconds() - t;
    *until = plain_discs_time(p);
    plain_discs_free(p);
    return (double)impacts / t;
}

/* The same stretch of time; impacts of walls are not counted: `pairs` of all `impacts`. */
static double run_carom(const gas *g, const crm_settings *law, double begin, double until,
                        uint64_t pairs)
{
    crm_error error = {0};
    crm_motion *motion = make_motion(g, law);
    check(crm_motion_run(motion, begin, NULL, NULL, &error), &error);
    double t = cpu_seconds();
    check(crm_motion_run(motion, until, NULL, NULL, &error), &error);
    t = cpu_seconds() - t;
    crm_motion_free(motion);
    return (double)pairs / t;
}

static int by_size(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static double median(double *values)
{
    qsort(values, ROUNDS, sizeof *values, by_size);
    return values[ROUNDS / 2];
}

static void measure(size_t count, const crm_settings *law)
{
    gas g = make_gas(count);
    uint64_t impacts = count < 100000 ? 500000 : 3 * count;
    double plain[ROUNDS], carom[ROUNDS], begin, until;
    for (int k = 0; k < ROUNDS; k++) {
        plain[k] = run_plain(&g, impacts / 5, impacts, &begin, &until);
        carom[k] = run_carom(&g, law, begin, until, impacts);
    }
    double a = median(plain), b = median(carom);
    printf("%8zu  %12.0f  %12.0f  %6.2f\n", count, a, b, a / b);
    fflush(stdout);
    free(g.state);
}

int main(int argc, char **argv)
{
    bool full = argc > 1 && strcmp(argv[1], "--full") == 0;
    crm_settings *law = NULL;
    crm_error error = {0};
    check(crm_settings_create(crm_law_find("newton"), &law, &error), &error);
    printf("impacts of pairs per second of processor time\n");
    printf("   discs         plain         carom   ratio\n");
    for (size_t count = 1000; count <= (full ? 1000000u : 100000u); count *= 10) {
        measure(count, law);
    }
    crm_settings_free(law);
    return 0;
}
