/* Discs settled in a box, by time-stepping and by Chipmunk with 10 and with 100 iterations:
 * milliseconds of processor time for a step, and the deepest overlap, in one run.
 *
 *     bench_stepping [DISCS]      (1000)
 *
 * carom makes the heap: equal discs fall without restitution until they rest. Then each program
 * continues from there, first for steps that are not measured. Chipmunk is compared if it was found
 * when this was built.
 */
#include <carom/carom.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "motion/stepping/stepping.h"
#include "support.h"
#ifdef HAVE_CHIPMUNK
#include "clock.h"
#include "motion/chipmunk_discs.h"
#endif

static const double RADIUS = 0.01, GRAVITY = 9.81, STEP = 1e-3, WARM = 0.1;
/* A heap that has not come to rest by then is measured as it is. */
static const double LONGEST = 6;
enum { STEPS = 300 };

typedef struct heap {
    size_t count;
    double width;
    double *place; /* x, y */
} heap;

/* Rows of discs that nearly touch, every second one shifted, shaken a little. */
static heap make_heap(size_t count)
{
    heap h = {.count = count};
    size_t across = (size_t)ceil(sqrt((double)count));
    double apart = 2.02 * RADIUS, play = 0.004 * RADIUS;
    rng r = rng_seeded(count);
    h.width = ((double)across + 0.5) * apart;
    h.place = malloc(2 * count * sizeof *h.place);
    if (h.place == NULL) {
        fprintf(stderr, "no memory\n");
        exit(1);
    }
    for (size_t i = 0; i < count; i++) {
        double shift = i / across % 2 == 0 ? 0.5 : 1;
        h.place[2 * i] = ((double)(i % across) + shift) * apart + rng_uniform(&r, -play, play);
        h.place[2 * i + 1] =
            (0.5 + 0.87 * (double)(i / across)) * apart + rng_uniform(&r, -play, play);
    }
    return h;
}

static crm_motion *make_motion(const heap *h)
{
    crm_body_def *body = calloc(h->count, sizeof *body);
    crm_wall_def wall[3] = {crm_wall_def_default(), crm_wall_def_default(), crm_wall_def_default()};
    wall[0].normal[1] = wall[1].normal[0] = 1;
    wall[2].normal[0] = -1;
    wall[2].point[0] = h->width;
    for (size_t i = 0; body != NULL && i < h->count; i++) {
        body[i] = crm_body_def_default();
        body[i].radius = RADIUS;
        body[i].mass = 1;
        body[i].position[0] = h->place[2 * i];
        body[i].position[1] = h->place[2 * i + 1];
    }
    crm_scene_def def = crm_scene_def_default();
    crm_motion_options options = crm_motion_options_default();
    crm_error error = {0};
    crm_motion *motion = NULL;
    options.scheme = CRM_TIME_STEPPING;
    options.step = STEP;
    options.stop_at_rest = true;
    def.bodies.dimension = 2;
    def.bodies.body_count = h->count;
    def.bodies.bodies = body;
    def.bodies.wall_count = 3;
    def.bodies.walls = wall;
    def.bodies.contact.restitution = 0;
    def.gravity[1] = -GRAVITY;
    check(crm_motion_from_scene(&def, &options, &motion, &error), &error);
    free(body);
    return motion;
}

/* The deepest overlap, as a part of a diameter, by looking at all pairs. */
static double overlap(const heap *h, const double *place)
{
    double deepest = 0;
    for (size_t i = 0; i < h->count; i++) {
        const double *a = place + 2 * i;
        double wall = fmin(a[1], fmin(a[0], h->width - a[0])) - RADIUS;
        deepest = fmax(deepest, -wall);
        for (size_t j = i + 1; j < h->count; j++) {
            double apart = hypot(a[0] - place[2 * j], a[1] - place[2 * j + 1]);
            deepest = fmax(deepest, 2 * RADIUS - apart);
        }
    }
    return deepest / (2 * RADIUS);
}

static void settle(heap *h)
{
    crm_error error = {0};
    crm_motion *motion = make_motion(h);
    double *velocity = malloc(2 * h->count * sizeof *velocity);
    check(crm_motion_run(motion, LONGEST, NULL, NULL, &error), &error);
    printf("%zu discs, let fall in a box until %s\n", h->count,
           isnan(crm_motion_summarize(motion).at_rest_since) ? "they hardly move" : "they rest");
    crm_motion_read(motion, h->place, velocity);
    crm_motion_free(motion);
    free(velocity);
}

static double run_carom(const heap *h)
{
    crm_error error = {0};
    crm_motion *motion = make_motion(h);
    stepping *s = (stepping *)motion;
    double *place = malloc(4 * h->count * sizeof *place), worst = 0, residual = 0;
    motion->options.stop_at_rest = false;
    check(crm_motion_run(motion, WARM, NULL, NULL, &error), &error);
    double used = 0;
    for (unsigned k = 0; k < STEPS; k++) {
        double t = cpu_seconds();
        check(crm_motion_run(motion, WARM + (k + 1) * STEP, NULL, NULL, &error), &error);
        used += cpu_seconds() - t;
        residual = fmax(residual, s->residual);
    }
    crm_motion_read(motion, place, place + 2 * h->count);
    worst = fmax(overlap(h, place), crm_motion_summarize(motion).max_penetration / (2 * RADIUS));
    printf("  %-26s %7.3f ms/step   overlap %8.1e diameters   %zu contacts, residual %.1e\n",
           "carom", 1e3 * used / STEPS, worst, s->contacts.count, residual);
    crm_motion_free(motion);
    free(place);
    return used / STEPS;
}

#ifdef HAVE_CHIPMUNK
static double run_chipmunk(const heap *h, int iterations)
{
    double *place = malloc(2 * h->count * sizeof *place);
    chipmunk_discs *d =
        chipmunk_discs_create(h->count, RADIUS, h->width, GRAVITY, h->place, iterations);
    if (d == NULL || place == NULL) {
        fprintf(stderr, "no memory\n");
        exit(1);
    }
    for (unsigned k = 0; k < (unsigned)(10 * WARM / STEP); k++) {
        chipmunk_discs_step(d, STEP);
    }
    double t = cpu_seconds();
    for (unsigned k = 0; k < STEPS; k++) {
        chipmunk_discs_step(d, STEP);
    }
    t = cpu_seconds() - t;
    chipmunk_discs_read(d, place);
    printf("  Chipmunk, %3d iterations   %7.3f ms/step   overlap %8.1e diameters\n", iterations,
           1e3 * t / STEPS, overlap(h, place));
    chipmunk_discs_free(d);
    free(place);
    return t / STEPS;
}
#endif

int main(int count, char **arguments)
{
    heap h = make_heap(count > 1 ? strtoul(arguments[1], NULL, 10) : 1000);
    settle(&h);
    double carom = run_carom(&h);
#ifdef HAVE_CHIPMUNK
    double ten = run_chipmunk(&h, 10);
    run_chipmunk(&h, 100);
    printf("carom takes %.2f times as long as Chipmunk with 10 iterations\n", carom / ten);
#else
    (void)carom;
    puts("  Chipmunk was not there when this was built");
#endif
    free(h.place);
    return 0;
}
