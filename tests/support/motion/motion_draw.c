#include "motion_draw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "motion_call.h"

/* ---- Scenes ---------------------------------------------------------------------------------- */

static const double PI = 3.14159265358979323846;
static const double CELL = 1; /* each body starts in one of its own */

static crm_body_def draw_body(rng *r, double x, double y)
{
    crm_body_def body = crm_body_def_default();
    body.position[0] = x;
    body.position[1] = y;
    body.mass = rng_log(r, 0.2, 5);
    body.angle = rng_below(r, 4) == 0 ? 0 : rng_uniform(r, -PI, PI);
    switch (rng_below(r, 4)) {
    case 0:
        body.shape = CRM_SHAPE_SPHERE;
        body.radius = rng_uniform(r, 0.1, 0.45);
        break;
    case 1:
        body.shape = CRM_SHAPE_ROD;
        body.radius = rng_uniform(r, 0.02, 0.1);
        body.length = rng_uniform(r, 0.2, 0.7);
        break;
    case 2:
        body.shape = CRM_SHAPE_ELLIPSE;
        body.semi_axes[0] = rng_uniform(r, 0.1, 0.45);
        body.semi_axes[1] = rng_uniform(r, 0.1, 0.45);
        break;
    default:
        body.shape = CRM_SHAPE_BOX;
        body.size[0] = rng_uniform(r, 0.15, 0.63);
        body.size[1] = rng_uniform(r, 0.15, 0.63);
        break;
    }
    return body;
}

static void add_wall(drawn_scene *s, double x, double y, double normal_x, double normal_y)
{
    crm_wall_def *wall = &s->wall[s->def.bodies.wall_count++];
    *wall = crm_wall_def_default();
    wall->point[0] = x;
    wall->point[1] = y;
    wall->normal[0] = normal_x;
    wall->normal[1] = normal_y;
}

static void draw_walls(rng *r, drawn_scene *s, double width)
{
    double tilt = rng_below(r, 3) == 0 ? rng_uniform(r, -0.3, 0.3) : 0;
    add_wall(s, 0, 0, sin(tilt), cos(tilt));
    add_wall(s, -0.5 * width, 0, 1, 0);
    add_wall(s, 0.5 * width, 0, -1, 0);
}

/* Their order in the cells is random; a tilted floor lies below all of them. */
static void draw_bodies(rng *r, drawn_scene *s, size_t columns)
{
    size_t place[2 * DRAWN_BODIES];
    size_t at = 0;
    double low = 0.2 + 0.16 * (double)columns;
    rng_shuffle(r, place, 2 * columns);
    for (size_t i = 0; i < s->def.bodies.body_count; i++) {
        double x = ((double)(place[i] % columns) - 0.5 * (double)(columns - 1)) * CELL;
        double y = low + (0.5 + (double)(place[i] / columns)) * CELL;
        s->body[i] = draw_body(r, x, y);
        s->body[i].fixed = i > 0 && rng_below(r, 6) == 0;
        if (s->body[i].fixed) {
            continue;
        }
        s->velocity[at++] = rng_uniform(r, -2, 2);
        s->velocity[at++] = rng_uniform(r, -2, 2);
        if (s->body[i].shape != CRM_SHAPE_SPHERE) {
            s->velocity[at++] = rng_uniform(r, -5, 5);
        }
    }
}

void draw_scene(uint64_t seed, drawn_scene *s)
{
    static const char *const laws[] = {"lzb", "moreau", "newton", "poisson", "binary"};
    rng r = rng_seeded(0x5eed0000 + seed);
    *s = (drawn_scene){.def = crm_scene_def_default(), .duration = 2};
    size_t columns = 1 + rng_below(&r, 3), kind = rng_below(&r, 4);
    s->law = laws[rng_below(&r, 5)];
    s->restitution = kind == 0 ? 0 : kind == 1 ? 1 : rng_uniform(&r, 0, 0.9);
    s->def.bodies.dimension = 2;
    s->def.bodies.body_count = 1 + rng_below(&r, columns == 1 ? 2 : 2 * columns - 1);
    s->def.bodies.bodies = s->body;
    s->def.bodies.walls = s->wall;
    s->def.bodies.pairs_apart = true;
    s->def.bodies.contact.restitution = s->restitution;
    s->def.bodies.contact.stiffness = 1e6;
    s->def.velocity = s->velocity;
    s->def.gravity[1] = rng_below(&r, 6) == 0 ? 0 : -9.81;
    draw_walls(&r, s, (double)columns * CELL);
    draw_bodies(&r, s, columns);
}

/* ---- Overlaps, by support functions ---------------------------------------------------------- */

typedef struct pose {
    double x, y, angle;
} pose;

/* Support function of a body at the origin. */
static double support(const crm_body_def *b, double angle, double direction)
{
    double along = cos(direction - angle), across = sin(direction - angle);
    switch (b->shape) {
    case CRM_SHAPE_SPHERE:
        return b->radius;
    case CRM_SHAPE_ROD:
        return 0.5 * b->length * fabs(along) + b->radius;
    case CRM_SHAPE_BOX:
        return 0.5 * (b->size[0] * fabs(along) + b->size[1] * fabs(across));
    default:
        return hypot(b->semi_axes[0] * along, b->semi_axes[1] * across);
    }
}

static double room(const drawn_scene *s, const pose *p, size_t a, size_t b, double direction)
{
    double dx = p[b].x - p[a].x, dy = p[b].y - p[a].y;
    return dx * cos(direction) + dy * sin(direction) - support(&s->body[a], p[a].angle, direction) -
           support(&s->body[b], p[b].angle, direction + PI);
}

/* The largest room over all directions, by golden sections around the best of many. */
static double distance(const drawn_scene *s, const pose *p, size_t a, size_t b)
{
    enum { DIRECTIONS = 360, SECTIONS = 60 };
    const double width = 2 * PI / DIRECTIONS, golden = 0.6180339887498949;
    double best = 0;
    for (int k = 1; k < DIRECTIONS; k++) {
        best = room(s, p, a, b, k * width) > room(s, p, a, b, best) ? k * width : best;
    }
    double low = best - width, high = best + width;
    for (int k = 0; k < SECTIONS; k++) {
        double left = high - golden * (high - low), right = low + golden * (high - low);
        *(room(s, p, a, b, left) > room(s, p, a, b, right) ? &high : &low) =
            room(s, p, a, b, left) > room(s, p, a, b, right) ? right : left;
    }
    return fmax(room(s, p, a, b, best), room(s, p, a, b, 0.5 * (low + high)));
}

static double height(const drawn_scene *s, const pose *p, size_t body, const crm_wall_def *wall)
{
    double direction = atan2(wall->normal[1], wall->normal[0]);
    return (p->x - wall->point[0]) * cos(direction) + (p->y - wall->point[1]) * sin(direction) -
           support(&s->body[body], p->angle, direction + PI);
}

static void find_poses(const drawn_scene *s, const double *q, pose *p)
{
    for (size_t i = 0; i < s->def.bodies.body_count; i++) {
        const crm_body_def *b = &s->body[i];
        p[i] = (pose){b->position[0], b->position[1], b->angle};
        if (!b->fixed) {
            p[i].x = *q++;
            p[i].y = *q++;
            p[i].angle = b->shape == CRM_SHAPE_SPHERE ? 0 : *q++;
        }
    }
}

static double largest_overlap(const drawn_scene *s, const double *q)
{
    pose p[DRAWN_BODIES];
    double most = 0;
    find_poses(s, q, p);
    for (size_t i = 0; i < s->def.bodies.body_count; i++) {
        for (size_t k = 0; k < i; k++) {
            bool fixed = s->body[i].fixed && s->body[k].fixed;
            most = fmax(most, fixed ? 0 : -distance(s, p, k, i));
        }
        for (size_t k = 0; k < s->def.bodies.wall_count && !s->body[i].fixed; k++) {
            most = fmax(most, -height(s, &p[i], i, &s->wall[k]));
        }
    }
    return most;
}

/* ---- The motion ------------------------------------------------------------------------------ */

typedef struct overlap_watch {
    const drawn_scene *scene;
    double most;
} overlap_watch;

static crm_status look(void *context, double t, const double *position, const double *velocity)
{
    overlap_watch *w = context;
    (void)t, (void)velocity;
    w->most = fmax(w->most, largest_overlap(w->scene, position));
    return CRM_OK;
}

drawn_course follow_scene(const drawn_scene *s, uint64_t impacts)
{
    drawn_course c = {.stopped = CRM_STOP_FAILED};
    overlap_watch watch = {.scene = s};
    const crm_observer observer = {.context = &watch, .state = look, .every = s->duration / 50};
    crm_settings *law = law_named(s->law);
    crm_motion_options options = crm_motion_options_default();
    crm_motion *motion = NULL;
    options.law = law;
    options.stop_impacts = impacts;
    c.status = crm_motion_from_scene(&s->def, &options, &motion, &c.error);
    if (c.status == CRM_OK) {
        c.status = crm_motion_run(motion, s->duration, &observer, &c.stopped, &c.error);
        crm_motion_summary summary = crm_motion_summarize(motion);
        const crm_motion_account *e = &summary.energy;
        double scale = e->kinetic_before + fabs(e->potential_before);
        snprintf(c.reason, sizeof c.reason, "%s", crm_motion_reason(motion));
        c.impacts = summary.impacts;
        c.time = crm_motion_time(motion);
        c.error_part = fabs(e->error) / scale;
        c.gained_part = fmax(0, -e->lost) / scale;
        c.penetration = summary.max_penetration;
        c.overlap = watch.most;
    }
    crm_motion_free(motion);
    crm_settings_free(law);
    return c;
}

const char *judge_course(const drawn_course *c)
{
    /* What is promised of positions is 1e-9 of the largest body's size, which is below 1. */
    static const double WITHIN = 1e-9;
    if (c->status != CRM_OK) {
        return c->error.message;
    }
    return c->stopped == CRM_STOP_FAILED  ? c->reason
           : c->error_part > 10 * WITHIN  ? "the account does not close"
           : c->gained_part > 10 * WITHIN ? "energy is gained"
           : c->penetration > 10 * WITHIN ? "a gap is negative"
           : c->overlap > 10 * WITHIN     ? "bodies overlap"
                                          : NULL;
}
