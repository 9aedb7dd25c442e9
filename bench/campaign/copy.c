#include "copy.h"

#include <math.h>
#include <string.h>

#define COPY_TEXT(name, text) text,
static const char *const texts[] = {COPY_LIST(COPY_TEXT)};
#undef COPY_TEXT

const char *copy_kind_text(copy_kind kind)
{
    return texts[kind];
}

/* ---- Coordinates ----------------------------------------------------------------------------- */

/* q = Q q': M' = Q'MQ, W' = Q'W, v' = Q'v. */
static void turn_coordinates(copy *c)
{
    small_system *s = &c->system;
    const size_t n = s->n;
    const double *q = c->turn;
    double half[SMALL * SMALL] = {0}, mass[SMALL * SMALL] = {0}, w[SMALL * SMALL] = {0};
    double v[SMALL] = {0};
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < n; k++) {
            for (size_t l = 0; l < n; l++) {
                half[i * n + k] += s->mass[i * n + l] * q[l * n + k];
            }
            v[i] += q[k * n + i] * s->velocity[k];
        }
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k <= i; k++) {
            for (size_t l = 0; l < n; l++) {
                mass[i * n + k] += q[l * n + i] * half[l * n + k];
            }
            mass[k * n + i] = mass[i * n + k];
        }
    }
    for (size_t j = 0; j < s->s; j++) {
        for (size_t i = 0; i < n; i++) {
            for (size_t l = 0; l < n; l++) {
                w[j * n + i] += q[l * n + i] * s->w[j * n + l];
            }
        }
    }
    memcpy(s->mass, mass, sizeof mass);
    memcpy(s->w, w, sizeof w);
    memcpy(s->velocity, v, sizeof v);
}

/* A mirror in a random direction, and another one: a rotation. */
static void draw_turn(rng *r, size_t n, double *q)
{
    for (size_t i = 0; i < n; i++) {
        q[i * n + i] = 1;
    }
    for (int round = 0; round < 2; round++) {
        double way[SMALL], square = 0;
        for (size_t i = 0; i < n; i++) {
            way[i] = rng_normal(r);
            square += way[i] * way[i];
        }
        for (size_t i = 0; i < n; i++) {
            double along = 0;
            for (size_t k = 0; k < n; k++) {
                along += q[i * n + k] * way[k];
            }
            for (size_t k = 0; k < n; k++) {
                q[i * n + k] -= 2 * along / square * way[k];
            }
        }
    }
}

static void make_order(rng *r, const small_system *system, copy *c)
{
    size_t contacts[SMALL], coordinates[SMALL];
    rng_shuffle(r, contacts, system->s);
    rng_shuffle(r, coordinates, system->n);
    c->system = small_system_renumbered(system, contacts, coordinates);
    memset(c->turn, 0, sizeof c->turn);
    for (size_t i = 0; i < system->n; i++) {
        c->turn[coordinates[i] * system->n + i] = 1;
    }
}

static void make_mirror(copy *c)
{
    size_t n = c->system.n;
    memset(c->turn, 0, sizeof c->turn);
    for (size_t i = 0; i < n; i++) {
        c->turn[i * n + n - 1 - i] = -1;
    }
    turn_coordinates(c);
}

/* ---- Units and motion ------------------------------------------------------------------------ */

static void make_units(rng *r, copy *c)
{
    small_system *s = &c->system;
    double mass = pow(10, (double)rng_below(r, 13) - 6),
           length = pow(10, (double)rng_below(r, 13) - 6);
    double time = pow(10, (double)rng_below(r, 13) - 6);
    c->speed = length / time;
    for (size_t i = 0; i < s->n * s->n; i++) {
        s->mass[i] *= mass;
    }
    for (size_t i = 0; i < s->n; i++) {
        s->velocity[i] *= c->speed;
    }
    for (size_t j = 0; j < s->s; j++) {
        s->stiffness[j] *= mass / (time * time) * pow(length, 1 - s->exponent[j]);
        s->stored_energy[j] *= mass * c->speed * c->speed;
        s->boundary_velocity[j] *= c->speed;
    }
}

/* A common velocity that no contact notices: of all balls along one axis. */
static bool make_boost(rng *r, copy *c)
{
    small_system *s = &c->system;
    for (size_t dimension = 1; dimension <= 3; dimension++) {
        bool unnoticed = s->n % dimension == 0;
        for (size_t j = 0; j < s->s && unnoticed; j++) {
            double sum = 0;
            for (size_t i = 0; i < s->n; i += dimension) {
                sum += s->w[j * s->n + i];
            }
            unnoticed = fabs(sum) < 1e-15;
        }
        if (unnoticed) {
            double by = 3 * rng_normal(r) * draw_speed(s);
            for (size_t i = 0; i < s->n; i += dimension) {
                c->boost[i] = by;
                s->velocity[i] += by;
            }
            return true;
        }
    }
    return false;
}

/* Two balls that nobody touches, slower than the rest: by any law they part. */
static bool make_beside(rng *r, const small_system *system, copy *c)
{
    size_t more = 2, n = system->n, all = n + more;
    if (all > SMALL || system->s + 1 > SMALL) {
        return false;
    }
    small_system both = small_system_blank(all, system->s + 1);
    double speed = draw_speed(system) * rng_log(r, 1e-4, 0.9), exponent = rng_uniform(r, 1, 2);
    for (size_t i = 0; i < n; i++) {
        both.velocity[i] = system->velocity[i];
        memcpy(&both.mass[i * all], &system->mass[i * n], n * sizeof(double));
    }
    for (size_t i = n; i < all; i++) {
        both.mass[i * all + i] = system->mass[0] * rng_log(r, 0.1, 10);
    }
    both.velocity[n] = speed;
    for (size_t j = 0; j < both.s; j++) {
        bool old = j < system->s;
        size_t k = old ? j : rng_below(r, system->s);
        both.stiffness[j] = system->stiffness[k] * (old ? 1 : rng_log(r, 1e-2, 1));
        both.exponent[j] = old ? system->exponent[k] : exponent;
        both.restitution[j] = old ? system->restitution[k] : rng_uniform(r, 0.1, 1);
        both.stored_energy[j] = old ? system->stored_energy[k] : 0;
        both.boundary_velocity[j] = old ? system->boundary_velocity[k] : 0;
        if (old) {
            memcpy(&both.w[j * all], &system->w[j * n], n * sizeof(double));
        } else {
            both.w[j * all + n] = -1;
            both.w[j * all + n + 1] = 1;
        }
    }
    c->system = both;
    return true;
}

/* ---- Chains ---------------------------------------------------------------------------------- */

static bool is_chain(const small_system *system)
{
    size_t n = system->n;
    if (system->s + 1 != n && system->s != n) {
        return false;
    }
    small_system chain = small_system_chain(n, system->s == n);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < n; k++) {
            if (i != k && system->mass[i * n + k] != 0) {
                return false;
            }
        }
    }
    for (size_t k = 0; k < n * system->s; k++) {
        if (system->w[k] != chain.w[k]) {
            return false;
        }
    }
    return true;
}

static crm_contact_def contact_of(const small_system *s, size_t j)
{
    return (crm_contact_def){.stiffness = s->stiffness[j],
                             .exponent = s->exponent[j],
                             .restitution = s->restitution[j],
                             .stored_energy = s->stored_energy[j]};
}

static crm_model *as_chain(const small_system *s)
{
    double mass[SMALL];
    for (size_t i = 0; i < s->n; i++) {
        mass[i] = s->mass[i * s->n + i];
    }
    crm_chain_def def = crm_chain_def_default();
    def.count = s->n;
    def.mass.each = mass;
    def.stiffness.each = s->stiffness;
    def.exponent.each = s->exponent;
    def.restitution.each = s->restitution;
    def.stored_energy.each = s->stored_energy;
    if (s->s == s->n) {
        def.wall_side = CRM_WALL_RIGHT;
        def.wall = contact_of(s, s->s - 1);
        def.wall_velocity = s->boundary_velocity[s->s - 1];
    }
    return chain_model(&def);
}

static crm_model *as_bodies(const small_system *s)
{
    crm_body_def balls[SMALL];
    crm_pair_def pairs[SMALL];
    crm_wall_def wall = crm_wall_def_default();
    for (size_t i = 0; i < s->n; i++) {
        balls[i] = ball_at(0.5, s->mass[i * s->n + i], (double)i, 0, 0);
    }
    for (size_t j = 0; j < s->s; j++) {
        pairs[j] = (crm_pair_def){j, j + 1, contact_of(s, j)};
    }
    crm_bodies_def def = bodies_def(1, balls, s->n);
    def.pair_count = s->s;
    def.pairs = pairs;
    if (s->s == s->n) {
        wall.point[0] = (double)s->n - 0.5;
        wall.normal[0] = -1;
        wall.velocity[0] = s->boundary_velocity[s->s - 1];
        def.wall_count = 1;
        def.walls = &wall;
    }
    crm_model *model = NULL;
    crm_error error = {0};
    check_ok(crm_model_from_bodies(&def, &model, &error), &error, "bodies", __FILE__, __LINE__);
    return model;
}

/* ---- A copy ---------------------------------------------------------------------------------- */

bool copy_make(rng *r, const small_system *system, copy_kind kind, copy *c)
{
    *c = (copy){.kind = kind, .system = *system, .speed = 1};
    for (size_t i = 0; i < system->n; i++) {
        c->turn[i * system->n + i] = 1;
    }
    switch (kind) {
    case COPY_ORDER:
        make_order(r, system, c);
        return true;
    case COPY_UNITS:
        make_units(r, c);
        return true;
    case COPY_FRAME:
        memset(c->turn, 0, sizeof c->turn);
        draw_turn(r, system->n, c->turn);
        turn_coordinates(c);
        return true;
    case COPY_BOOST:
        return make_boost(r, c);
    case COPY_MIRROR:
        make_mirror(c);
        return true;
    case COPY_BESIDE:
        return make_beside(r, system, c);
    default:
        return is_chain(system);
    }
}

crm_model *copy_model(const copy *c)
{
    return c->kind == COPY_CHAIN    ? as_chain(&c->system)
           : c->kind == COPY_BODIES ? as_bodies(&c->system)
                                    : small_system_model(&c->system);
}

void copy_back(const copy *c, const small_system *system, const double *of_copy, double *velocity)
{
    for (size_t i = 0; i < system->n; i++) {
        velocity[i] = 0;
        for (size_t k = 0; k < system->n; k++) {
            velocity[i] += c->turn[i * system->n + k] * (of_copy[k] - c->boost[k]) / c->speed;
        }
    }
}
