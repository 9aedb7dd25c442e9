/* campaign_settle [SCENES [FIRST [SECONDS]]]: random heaps of discs, boxes, rods and ellipses that
 * settle under gravity in a V, a box or a trough, event-driven, e from 0 to .5, by several laws.
 *
 * Each must end (at rest, or after DURATION) within SECONDS of processor time (default 20), must
 * not gain energy, must close its account, and must not overlap, by support functions
 * (tests/support/judge/overlap.c). Heaps are counted by how they end: at rest; in motion without
 * losses (there is no friction: bodies may slide on a floor or swing in a V for ever); still losing
 * energy in impacts. Each that fails, or takes more than half of SECONDS, is printed with its
 * number: `campaign_settle 1 NUMBER` repeats it.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "carom/carom.h"
#include "motion_call.h"
#include "overlap.h"
#include "rng.h"

static const double PI = 3.14159265358979323846, GRAVITY = 9.81;
enum { BODIES = 8, WALLS = 4, COORDINATES = 3 * BODIES };
/* Seconds of a motion, and its last part, in which losses are required. */
static const double DURATION = 4, LAST = 0.5;
enum { LOOKS = 160 };
/* What is promised of positions is 1e-9 of the largest body's size, which is below 1. */
static const double WITHIN = 1e-8;

typedef struct heap {
    crm_scene_def def;
    crm_body_def body[BODIES];
    crm_wall_def wall[WALLS];
    double velocity[COORDINATES];
    const char *law, *kind;
} heap;

/* ---- Scenes ---------------------------------------------------------------------------------- */

static void add_wall(heap *h, double x, double y, double angle)
{
    crm_wall_def *wall = &h->wall[h->def.bodies.wall_count++];
    *wall = crm_wall_def_default();
    wall->point[0] = x;
    wall->point[1] = y;
    wall->normal[0] = cos(angle);
    wall->normal[1] = sin(angle);
}

static void draw_walls(rng *r, heap *h)
{
    switch (rng_below(r, 3)) {
    case 0:
        h->kind = "V";
        add_wall(h, 0, 0, PI / 2 - rng_uniform(r, 0.2, 1));
        add_wall(h, 0, 0, PI / 2 + rng_uniform(r, 0.2, 1));
        break;
    case 1:
        h->kind = "box";
        add_wall(h, 0, 0, PI / 2);
        add_wall(h, -1, 0, 0);
        add_wall(h, 1, 0, PI);
        break;
    default:
        h->kind = "trough";
        add_wall(h, -0.4, 0, PI / 2 - rng_uniform(r, 0, 0.4));
        add_wall(h, -0.4, 0, PI / 2 - rng_uniform(r, 0.6, 1.2));
        add_wall(h, 0.4, 0, PI / 2 + rng_uniform(r, 0, 0.4));
        add_wall(h, 0.4, 0, PI / 2 + rng_uniform(r, 0.6, 1.2));
        break;
    }
}

static void draw_body(rng *r, crm_body_def *b)
{
    static const crm_shape shapes[] = {CRM_SHAPE_SPHERE, CRM_SHAPE_ROD, CRM_SHAPE_ELLIPSE,
                                       CRM_SHAPE_BOX};
    *b = crm_body_def_default();
    b->shape = shapes[rng_below(r, 4)];
    b->mass = rng_log(r, 0.3, 3);
    b->angle = rng_below(r, 3) == 0 || b->shape == CRM_SHAPE_SPHERE ? 0 : rng_uniform(r, -PI, PI);
    switch (b->shape) {
    case CRM_SHAPE_SPHERE:
        b->radius = rng_uniform(r, 0.08, 0.3);
        break;
    case CRM_SHAPE_ROD:
        b->radius = rng_uniform(r, 0.02, 0.1);
        b->length = rng_uniform(r, 0.2, 0.6);
        break;
    case CRM_SHAPE_ELLIPSE:
        b->semi_axes[0] = rng_uniform(r, 0.1, 0.32);
        b->semi_axes[1] = rng_uniform(r, 0.1, 0.32);
        break;
    default:
        b->size[0] = rng_uniform(r, 0.15, 0.5);
        b->size[1] = rng_uniform(r, 0.15, 0.5);
        break;
    }
}

/* One above the other, well above the walls, falling. */
static void draw_heap(uint64_t number, heap *h)
{
    static const char *const laws[] = {"newton", "moreau", "poisson", "lzb", "binary"};
    rng r = rng_seeded(0x5e771e + number);
    *h = (heap){.def = crm_scene_def_default()};
    h->law = laws[rng_below(&r, 5)];
    h->def.bodies.dimension = 2;
    h->def.bodies.body_count =
        2 + rng_below(&r, 4) + (rng_below(&r, 4) == 0 ? rng_below(&r, 4) : 0);
    h->def.bodies.bodies = h->body;
    h->def.bodies.walls = h->wall;
    h->def.bodies.pairs_apart = true;
    h->def.bodies.contact.restitution = rng_below(&r, 3) == 0 ? 0 : rng_uniform(&r, 0, 0.5);
    h->def.bodies.contact.stiffness = 1e6;
    h->def.velocity = h->velocity;
    h->def.gravity[1] = -GRAVITY;
    draw_walls(&r, h);
    size_t at = 0;
    for (size_t i = 0; i < h->def.bodies.body_count; i++) {
        draw_body(&r, &h->body[i]);
        h->body[i].position[0] = rng_uniform(&r, -0.5, 0.5);
        h->body[i].position[1] = 1.4 + 0.7 * (double)i;
        h->velocity[at++] = rng_uniform(&r, -1, 1);
        h->velocity[at++] = rng_uniform(&r, -1, 1);
        if (h->body[i].shape != CRM_SHAPE_SPHERE) {
            h->velocity[at++] = rng_uniform(&r, -3, 3);
        }
    }
}

/* ---- A heap ---------------------------------------------------------------------------------- */

typedef enum ending { AT_REST, WITHOUT_LOSS, STILL_LOSING, ENDINGS } ending;

typedef struct course {
    const char *wrong; /* NULL: nothing */
    char reason[512];
    ending ending;
    crm_motion_summary summary;
    double time, seconds;
    double rise, overlap, error, lost_last; /* energies as parts of the first */
} course;

static double seconds_now(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static bool in_time(void *context, const crm_watch_report *progress)
{
    const double *until = context;
    (void)progress;
    return seconds_now() < *until;
}

/* In LOOKS runs, which are one motion: at the end of each, energy and overlap. */
static crm_motion_stop follow(const heap *h, crm_motion *motion, double most_seconds, course *c)
{
    double q[COORDINATES], before = INFINITY, lost = 0, begin = seconds_now();
    crm_motion_stop stopped = CRM_STOP_DURATION;
    for (int k = 1; k <= LOOKS && stopped == CRM_STOP_DURATION; k++) {
        double until = begin + most_seconds;
        const crm_watch watch = {.context = &until, .go_on = in_time};
        crm_error error = {0};
        crm_motion_watch(motion, &watch);
        if (crm_motion_run(motion, DURATION * k / LOOKS, NULL, &stopped, &error) != CRM_OK) {
            snprintf(c->reason, sizeof c->reason, "%s", error.message);
            return CRM_STOP_FAILED;
        }
        c->summary = crm_motion_summarize(motion);
        const crm_motion_account *e = &c->summary.energy;
        double scale = e->kinetic_before + fabs(e->potential_before);
        double now = e->kinetic_after + e->potential_after;
        c->rise = fmax(c->rise, (now - before) / scale);
        c->error = fmax(c->error, fabs(e->error) / scale);
        before = now;
        crm_motion_read(motion, q, NULL);
        c->overlap = fmax(c->overlap, overlap_in_scene(&h->def, 0, q).depth);
        lost = crm_motion_time(motion) < DURATION - LAST ? e->lost : lost;
        c->lost_last = (e->lost - lost) / scale;
    }
    return stopped;
}

static course judge_heap(const heap *h, double most_seconds)
{
    course c = {.ending = STILL_LOSING};
    double begin = seconds_now();
    crm_error error = {0};
    crm_settings *law = law_named(h->law);
    crm_motion_options options = crm_motion_options_default();
    crm_motion *motion = NULL;
    options.law = law;
    options.stop_at_rest = true;
    if (crm_motion_from_scene(&h->def, &options, &motion, &error) != CRM_OK) {
        snprintf(c.reason, sizeof c.reason, "%s", error.message);
        c.wrong = c.reason;
    } else {
        crm_motion_stop stopped = follow(h, motion, most_seconds, &c);
        c.time = crm_motion_time(motion);
        c.ending = stopped == CRM_STOP_AT_REST ? AT_REST
                   : c.lost_last < WITHIN      ? WITHOUT_LOSS
                                               : STILL_LOSING;
        if (stopped == CRM_STOP_FAILED && c.reason[0] == '\0') {
            snprintf(c.reason, sizeof c.reason, "%s", crm_motion_reason(motion));
        }
        c.wrong = stopped == CRM_STOP_FAILED        ? c.reason
                  : stopped == CRM_STOP_INTERRUPTED ? "takes too long"
                  : c.overlap > WITHIN              ? "bodies overlap"
                  : c.rise > WITHIN                 ? "energy rises"
                  : c.error > WITHIN                ? "the account does not close"
                                                    : NULL;
    }
    crm_motion_free(motion);
    crm_settings_free(law);
    c.seconds = seconds_now() - begin;
    return c;
}

static void print_heap(uint64_t number, const heap *h, const course *c)
{
    printf("%llu: %zu bodies in a %s, %s, e = %.3f, t = %.6f, %llu impacts, %.1f s, overlap %.1e, "
           "rise %.1e, error %.1e: %s\n",
           (unsigned long long)number, h->def.bodies.body_count, h->kind, h->law,
           h->def.bodies.contact.restitution, c->time, (unsigned long long)c->summary.impacts,
           c->seconds, c->overlap, c->rise, c->error, c->wrong != NULL ? c->wrong : "slow");
    fflush(stdout);
}

int main(int count, char **argument)
{
    uint64_t heaps = count > 1 ? strtoull(argument[1], NULL, 10) : 200;
    uint64_t first = count > 2 ? strtoull(argument[2], NULL, 10) : 1;
    double most_seconds = count > 3 ? strtod(argument[3], NULL) : 20, slowest = 0;
    uint64_t off = 0, impacts = 0, ends[ENDINGS] = {0};
    for (uint64_t number = first; number < first + heaps; number++) {
        heap h;
        draw_heap(number, &h);
        course c = judge_heap(&h, most_seconds);
        off += c.wrong != NULL ? 1 : 0;
        ends[c.ending] += c.wrong == NULL ? 1 : 0;
        impacts += c.summary.impacts;
        slowest = fmax(slowest, c.seconds);
        if (c.wrong != NULL || c.seconds > 0.5 * most_seconds) {
            print_heap(number, &h, &c);
        }
    }
    printf("%llu heaps, %llu impacts, %llu off; %llu at rest, %llu without loss, %llu still losing "
           "after %g s; %.1f s, the slowest %.1f s\n",
           (unsigned long long)heaps, (unsigned long long)impacts, (unsigned long long)off,
           (unsigned long long)ends[AT_REST], (unsigned long long)ends[WITHOUT_LOSS],
           (unsigned long long)ends[STILL_LOSING], DURATION, seconds_now(), slowest);
    return off > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
