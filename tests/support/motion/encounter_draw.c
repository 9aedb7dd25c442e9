#include "encounter_draw.h"

#include <math.h>

#include "overlap.h"

static const double PI = 3.14159265358979323846;
static const double ROOM = 1e-3; /* between bodies at the start */
enum { TRIALS = 300 };
/* So many boxes and rods have less than the 200 gaps that one group may have. */
enum { ANGULAR_MOST = 4 };

/* ---- Bodies ---------------------------------------------------------------------------------- */

/* `round`: no box or rod. */
static void draw_shape(rng *r, unsigned dimension, bool round, crm_body_def *b)
{
    double a = rng_log(r, 0.04, 0.45), c = a * rng_log(r, 0.1, 1);
    *b = crm_body_def_default();
    b->mass = rng_log(r, 0.1, 8);
    b->angle = rng_below(r, 5) == 0 ? 0 : rng_uniform(r, -PI, PI);
    switch (rng_below(r, dimension == 3 || round ? 2 : 5)) {
    case 0:
        b->shape = CRM_SHAPE_SPHERE;
        b->radius = a;
        return;
    case 1:
        b->shape = dimension == 3 ? CRM_SHAPE_ELLIPSOID : CRM_SHAPE_ELLIPSE;
        b->semi_axes[0] = a;
        b->semi_axes[1] = c;
        b->semi_axes[2] = a * rng_log(r, 0.2, 1);
        for (int k = 0; k < 4 && dimension == 3; k++) {
            b->orientation[k] = rng_normal(r);
        }
        return;
    case 2:
        b->shape = CRM_SHAPE_BOX;
        b->size[0] = 2 * a;
        b->size[1] = 2 * c;
        return;
    default:
        b->shape = CRM_SHAPE_ROD;
        b->radius = rng_below(r, 4) == 0 ? 0.3 * a : 0.01;
        b->length = 2 * a;
    }
}

static void normalize(crm_body_def *b)
{
    double *q = b->orientation;
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int k = 0; k < 4 && length > 0; k++) {
        q[k] /= length;
    }
}

/* Positions at the start, of the first `count` bodies. */
static void start(const encounter *s, size_t count, double *q)
{
    unsigned dimension = s->def.bodies.dimension;
    for (size_t i = 0; i < count; i++) {
        const crm_body_def *b = &s->body[i];
        if (s->def.suspended_count > 0 && s->string->body == i) {
            *q++ = s->string->angle;
            continue;
        }
        for (unsigned d = 0; d < dimension && !b->fixed; d++) {
            *q++ = b->position[d];
        }
        for (int k = 0; k < 4 && !b->fixed && b->shape == CRM_SHAPE_ELLIPSOID; k++) {
            *q++ = b->orientation[k];
        }
        if (!b->fixed && dimension == 2 && b->shape != CRM_SHAPE_SPHERE) {
            *q++ = b->angle;
        }
    }
}

/* Whether body i is apart from those before it and the walls: a little larger than it is. */
static bool has_room(const encounter *s, size_t i)
{
    double q[7 * ENCOUNTER_BODIES];
    encounter larger = *s;
    crm_body_def *b = &larger.body[i];
    larger.def.bodies.bodies = larger.body;
    larger.def.bodies.walls = larger.wall;
    larger.def.wall_motion = larger.swing;
    larger.def.suspended = larger.string;
    larger.def.bodies.body_count = i + 1;
    b->radius += b->shape == CRM_SHAPE_SPHERE || b->shape == CRM_SHAPE_ROD ? ROOM : 0;
    for (int k = 0; k < 3; k++) {
        b->semi_axes[k] += ROOM;
        b->size[k % 2] += ROOM;
    }
    start(&larger, i + 1, q);
    return overlap_in_scene(&larger.def, 0, q).depth == 0;
}

/* ---- Walls ----------------------------------------------------------------------------------- */

static void add_wall(encounter *s, rng *r, double angle, double distance)
{
    size_t k = s->def.bodies.wall_count++;
    s->wall[k] = crm_wall_def_default();
    s->wall[k].normal[0] = cos(angle);
    s->wall[k].normal[1] = sin(angle);
    s->wall[k].point[0] = -distance * cos(angle);
    s->wall[k].point[1] = -distance * sin(angle);
    if (rng_below(r, 4) == 0) {
        s->swing[k] = (crm_wall_motion){rng_uniform(r, 0.01, 0.1), rng_uniform(r, 0.3, 4),
                                        rng_uniform(r, 0, 6)};
    }
}

/* A floor at least, and what is open above, so that there is place far away. */
static void draw_walls(encounter *s, rng *r, double half)
{
    add_wall(s, r, 0.5 * PI + (rng_below(r, 3) == 0 ? rng_uniform(r, -0.3, 0.3) : 0), half);
    if (rng_below(r, 3) > 0) {
        add_wall(s, r, 0, half);
        add_wall(s, r, PI, half);
    }
    if (s->def.gravity[1] == 0 && rng_below(r, 3) == 0) {
        add_wall(s, r, -0.5 * PI, half);
    }
}

/* ---- Together -------------------------------------------------------------------------------- */

/* Towards the middle, more or less. */
static void draw_velocity(encounter *s, rng *r, size_t i, double speed, size_t *at)
{
    const crm_body_def *b = &s->body[i];
    unsigned dimension = s->def.bodies.dimension;
    for (unsigned d = 0; d < dimension; d++) {
        double inwards = fabs(b->position[d]) < 5 ? -speed * b->position[d] : 0;
        s->velocity[(*at)++] = inwards + rng_uniform(r, -1, 1) * speed;
    }
    double spin = rng_log(r, 0.3, 15);
    unsigned turns = b->shape == CRM_SHAPE_SPHERE ? 0 : dimension == 3 ? 3 : 1;
    for (unsigned k = 0; k < turns; k++) {
        s->velocity[(*at)++] = rng_uniform(r, -1, 1) * spin;
    }
}

static void place_near(encounter *s, rng *r, size_t i, double half)
{
    for (unsigned d = 0; d < s->def.bodies.dimension; d++) {
        s->body[i].position[d] = rng_uniform(r, -half, half);
    }
}

/* Above everything, far beyond what can come back in the time. */
static void place_far(encounter *s, rng *r, size_t i)
{
    s->body[i].position[0] = rng_uniform(r, -0.4, 0.4);
    s->body[i].position[1] = 60 + 20 * (double)i;
}

static void hang(encounter *s, rng *r, size_t i)
{
    double angle = rng_uniform(r, -1.5, 1.5), length = rng_uniform(r, 0.3, 1);
    crm_body_def *b = &s->body[i];
    *s->string = (crm_suspension){.body = i, .length = length, .angle = angle};
    s->string->spin = rng_uniform(r, -2, 2);
    s->string->from[0] = b->position[0] - length * sin(angle);
    s->string->from[1] = b->position[1] + length * cos(angle);
    s->def.suspended_count = 1;
}

static void draw_bodies(encounter *s, rng *r, double half)
{
    double speed = rng_log(r, 0.3, 4);
    unsigned dimension = s->def.bodies.dimension;
    bool open = s->def.bodies.wall_count < ENCOUNTER_WALLS;
    size_t wanted = 3 + rng_below(r, 8), far = open ? rng_below(r, 3) : 0, at = 0, n = 0,
           angular = 0;
    for (size_t k = 0; k < wanted; k++) {
        draw_shape(r, dimension, angular >= ANGULAR_MOST, &s->body[n]);
        normalize(&s->body[n]);
        int trial = 0;
        do {
            place_near(s, r, n, half);
            if (n > 1 && k + far >= wanted) {
                place_far(s, r, n);
            }
        } while (++trial < TRIALS && !has_room(s, n));
        if (!has_room(s, n)) {
            continue;
        }
        crm_body_def *b = &s->body[n];
        b->fixed = n > 1 && rng_below(r, 12) == 0;
        if (b->shape == CRM_SHAPE_SPHERE && dimension == 2 && !b->fixed &&
            s->def.suspended_count == 0 && rng_below(r, 6) == 0) {
            hang(s, r, n);
            s->velocity[at++] = 0;
        } else if (!b->fixed) {
            draw_velocity(s, r, n, speed, &at);
        }
        angular += b->shape == CRM_SHAPE_BOX || b->shape == CRM_SHAPE_ROD ? 1 : 0;
        n++;
    }
    s->def.bodies.body_count = n;
}

static void draw_springs(encounter *s, rng *r)
{
    size_t count = rng_below(r, 4) == 0 && s->def.bodies.body_count > 1 ? 1 + rng_below(r, 2) : 0;
    for (size_t k = 0; k < count; k++) {
        crm_spring_def *spring = &s->spring[k];
        size_t second = 1 + rng_below(r, s->def.bodies.body_count - 1);
        *spring = (crm_spring_def){.first = 0, .second = k == 0 ? second : SIZE_MAX};
        spring->stiffness = rng_log(r, 1, 30);
        spring->damping = rng_below(r, 2) == 0 ? 0 : 0.2;
        spring->length = rng_uniform(r, 0.2, 1);
        if (s->body[0].fixed || (k == 0 && s->body[second].position[1] > 5)) {
            return;
        }
        s->def.spring_count++;
    }
}

/* A rod that turns meets a small box before a wall; a rod far away. */
static void draw_push(encounter *s, rng *r)
{
    double small = rng_log(r, 0.03, 0.2), half = rng_uniform(r, 0.3, 0.6);
    crm_body_def *b = s->body;
    for (int k = 0; k < 3; k++) {
        b[k] = crm_body_def_default();
        b[k].shape = k == 1 ? CRM_SHAPE_BOX : CRM_SHAPE_ROD;
        b[k].mass = k == 0 ? rng_log(r, 1, 10) : rng_log(r, 0.05, 1);
        b[k].radius = 0.01;
        b[k].length = k == 0 ? 2 * half : 0.1;
        b[k].size[0] = b[k].size[1] = small;
    }
    b[0].angle = rng_uniform(r, 0.4, 2.7);
    do {
        double away = half * rng_uniform(r, 0.3, 2), angle = rng_uniform(r, -1.2, 1.2);
        b[1].position[0] = away * cos(angle);
        b[1].position[1] = away * sin(angle);
        b[1].angle = rng_uniform(r, -1, 1);
    } while (!has_room(s, 1));
    b[2].position[1] = 30;
    s->def.bodies.body_count = 3;
    s->velocity[0] = rng_uniform(r, 0.5, 1.5);
    s->velocity[2] = rng_uniform(r, -3, 3);
    s->velocity[8] = rng_uniform(r, 0, 2);
    add_wall(s, r, PI, fmax(half, b[1].position[0]) + 2 * small + rng_uniform(r, 0, 1));
    s->duration = 4;
}

void draw_encounter(uint64_t seed, encounter *s)
{
    static const char *const laws[] = {"lzb",     "moreau", "newton",
                                       "poisson", "binary", "sequential"};
    static const char *const kinds[] = {"cluster", "arena", "space", "push"};
    rng r = rng_seeded(0xe4c00000 + seed);
    *s = (encounter){.def = crm_scene_def_default()};
    size_t kind = rng_below(&r, 6);
    double half = rng_uniform(&r, 0.5, 1.5);
    s->kind = kinds[kind < 3 ? kind : 3];
    s->law = laws[rng_below(&r, 6)];
    s->restitution = rng_below(&r, 4) == 0 ? 1 : rng_uniform(&r, 0.3, 1);
    s->tolerance = rng_below(&r, 4) == 0 ? 1e-6 : 1e-9;
    s->duration = 2;
    s->def.bodies.dimension = kind == 2 ? 3 : 2;
    s->def.bodies.bodies = s->body;
    s->def.bodies.walls = s->wall;
    s->def.bodies.pairs_apart = true;
    s->def.bodies.contact.restitution = s->restitution;
    s->def.bodies.contact.stiffness = 1e6;
    s->def.velocity = s->velocity;
    s->def.wall_motion = s->swing;
    s->def.suspended = s->string;
    s->def.springs = s->spring;
    s->def.gravity[1] = kind < 3 && rng_below(&r, 2) == 0 ? -9.81 : 0;
    if (kind >= 3) {
        draw_push(s, &r);
        return;
    }
    if (kind == 1 || (kind == 2 && rng_below(&r, 2) == 0)) {
        draw_walls(s, &r, half);
    }
    draw_bodies(s, &r, half);
    draw_springs(s, &r);
}
