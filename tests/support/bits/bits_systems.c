#include "bits_systems.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support.h"

const bits_contacts bits_hertz = {{1.5, 1.5}, {1, 1}, {1, 1}, {1, 1}, 0};

void bits_impact_free(bits_impact *impact)
{
    crm_model_free(impact->model);
    free(impact->velocity);
}

/* ---- Lists ---------------------------------------------------------------------------------- */

static double value_between(rng *r, const double *ends)
{
    return ends[0] < ends[1] ? rng_uniform(r, ends[0], ends[1]) : ends[0];
}

static double restitution_of(rng *r, const bits_contacts *c)
{
    const double some[] = {0, 1e-3, 0.5, 0.9, 1};
    return c->restitution[0] < 0 ? some[rng_below(r, 5)] : value_between(r, c->restitution);
}

/* For every contact, or ball. */
typedef struct lists {
    double *mass, *stiffness, *exponent, *restitution, *stored;
} lists;

static double *new_numbers(size_t count)
{
    double *numbers = calloc(count + 1, sizeof *numbers);
    assert_non_null(numbers);
    return numbers;
}

static lists lists_of(rng *r, const bits_contacts *c, size_t masses, size_t contacts)
{
    lists l = {new_numbers(masses), new_numbers(contacts), new_numbers(contacts),
               new_numbers(contacts), new_numbers(contacts)};
    for (size_t i = 0; i < masses; i++) {
        l.mass[i] = value_between(r, c->mass);
    }
    for (size_t j = 0; j < contacts; j++) {
        l.stiffness[j] = value_between(r, c->stiffness);
        l.exponent[j] = value_between(r, c->exponent);
        l.restitution[j] = restitution_of(r, c);
        l.stored[j] = j % 2 == 0 && c->stored_energy > 0 ? rng_uniform(r, 0, c->stored_energy) : 0;
    }
    return l;
}

static void free_lists(lists *l)
{
    free(l->mass);
    free(l->stiffness);
    free(l->exponent);
    free(l->restitution);
    free(l->stored);
}

/* ---- Motions -------------------------------------------------------------------------------- */

static void move_at_random(rng *r, const crm_model *model, double *velocity)
{
    for (size_t i = 0; i < crm_model_coordinates(model); i++) {
        velocity[i] = rng_uniform(r, -1, 1);
    }
}

/* The other way, if nothing closes. */
static void make_it_strike(bits_impact *it)
{
    size_t n = crm_model_coordinates(it->model), s = crm_model_contacts(it->model);
    double *u = new_numbers(s);
    bool closes = false;
    crm_model_gap_velocity(it->model, it->velocity, u);
    for (size_t j = 0; j < s; j++) {
        closes = closes || u[j] < 0;
    }
    for (size_t i = 0; !closes && i < n; i++) {
        it->velocity[i] = -it->velocity[i];
    }
    free(u);
}

/* ---- Chains --------------------------------------------------------------------------------- */

bits_impact bits_chain_of(const bits_chain *chain, size_t balls, size_t number)
{
    rng r = rng_seeded(1000 + number);
    lists l = lists_of(&r, &chain->contacts, balls, balls);
    crm_chain_def def = crm_chain_def_default();
    def.count = balls;
    def.mass.each = l.mass;
    def.stiffness.each = l.stiffness;
    def.exponent.each = l.exponent;
    def.restitution.each = l.restitution;
    def.stored_energy.each = l.stored;
    def.wall_side = chain->wall;
    def.wall_velocity = chain->wall_velocity;
    def.wall = (crm_contact_def){l.stiffness[balls - 1],
                                 l.exponent[balls - 1],
                                 l.restitution[balls - 1],
                                 l.stored[balls - 1],
                                 0,
                                 {0},
                                 0};
    bits_impact made = {chain_model(&def), new_numbers(balls)};
    if (number % 3 == 1) {
        move_at_random(&r, made.model, made.velocity);
    } else {
        made.velocity[number % 3 == 0 ? 0 : balls - 1] = number % 3 == 0 ? 1 : -1;
    }
    make_it_strike(&made);
    free_lists(&l);
    return made;
}

/* ---- Bodies --------------------------------------------------------------------------------- */

enum { MOST_BODIES = 16 };

static bits_impact impact_of_bodies(rng *r, const bits_contacts *c, crm_bodies_def *def)
{
    def->contact.stiffness = value_between(r, c->stiffness);
    def->contact.exponent = value_between(r, c->exponent);
    def->contact.restitution = restitution_of(r, c);
    def->contact.stored_energy = c->stored_energy;
    bits_impact made = {0};
    crm_error error = {0};
    assert_ok(crm_model_from_bodies(def, &made.model, &error), &error);
    made.velocity = new_numbers(crm_model_coordinates(made.model));
    move_at_random(r, made.model, made.velocity);
    make_it_strike(&made);
    return made;
}

static crm_wall_def wall_with(double x, double y, double z, double speed)
{
    crm_wall_def wall = crm_wall_def_default();
    const double normal[3] = {x, y, z};
    for (size_t i = 0; i < 3; i++) {
        wall.normal[i] = normal[i];
        wall.velocity[i] = speed * normal[i];
    }
    return wall;
}

bits_impact bits_discs(const bits_contacts *c, size_t number)
{
    rng r = rng_seeded(2000 + number);
    crm_body_def bodies[MOST_BODIES];
    size_t count = 0, columns = 2 + number % 3, rows = 2 + number % 2;
    for (size_t row = 0; row < rows; row++) {
        for (size_t i = 0; i < columns; i++) {
            bodies[count++] =
                ball_at(1, value_between(&r, c->mass), 1 + 2 * (double)i + (double)(row % 2),
                        1 + (double)row * sqrt(3), 0);
        }
    }
    crm_wall_def walls[2] = {wall_with(0, 1, 0, 0),
                             wall_with(1, 0, 0, 0.25 * (double)(number % 2))};
    crm_bodies_def def = bodies_def(2, bodies, count);
    def.walls = walls;
    def.wall_count = number % 4 == 0 ? 0 : 2;
    return impact_of_bodies(&r, c, &def);
}

/* The origin touches three walls, the others lie along the axes and in the hollow between. */
bits_impact bits_spheres(const bits_contacts *c, size_t number)
{
    rng r = rng_seeded(3000 + number);
    const double place[7][3] = {{0, 0, 0}, {2, 0, 0},       {0, 2, 0}, {0, 0, 2},
                                {2, 2, 0}, {1, 1, sqrt(2)}, {2, 0, 2}};
    crm_body_def bodies[7];
    size_t count = number % 2 == 0 ? 4 : 5;
    for (size_t i = 0; i < count; i++) {
        bodies[i] = ball_at(1, value_between(&r, c->mass), place[i][0] + 1, place[i][1] + 1,
                            place[i][2] + 1);
    }
    crm_wall_def walls[3] = {wall_with(0, 0, 1, 0), wall_with(1, 0, 0, 0),
                             wall_with(0, 1, 0, -0.1)};
    crm_bodies_def def = bodies_def(3, bodies, count);
    def.walls = walls;
    def.wall_count = number % 4;
    return impact_of_bodies(&r, c, &def);
}

/* A rod that leans or lies on the floor, a disc upon it, another beneath or beside. */
bits_impact bits_rods(const bits_contacts *c, size_t number)
{
    rng r = rng_seeded(4000 + number);
    crm_body_def bodies[3] = {crm_body_def_default(), crm_body_def_default(),
                              crm_body_def_default()};
    for (size_t i = 0; i < 2; i++) {
        bodies[i].shape = CRM_SHAPE_ROD;
        bodies[i].mass = value_between(&r, c->mass);
        bodies[i].length = 4 - (double)i;
        bodies[i].radius = 0.25;
        bodies[i].position[0] = 0.5 * (double)i;
        bodies[i].position[1] = 0.25 + 0.5 * (double)i;
        bodies[i].angle = 0;
    }
    bodies[2] = ball_at(1, value_between(&r, c->mass), 0.3 * (double)(number % 4), 2, 0);
    crm_wall_def floor = wall_with(0, 1, 0, number % 3 == 0 ? 0.2 : 0);
    crm_bodies_def def = bodies_def(2, bodies, 3);
    def.walls = &floor;
    def.wall_count = 1;
    return impact_of_bodies(&r, c, &def);
}

/* ---- Systems by M and W --------------------------------------------------------------------- */

static bits_impact impact_of_system(rng *r, const bits_contacts *c, crm_system_def *def)
{
    lists l = lists_of(r, c, 0, def->contacts);
    def->stiffness = l.stiffness;
    def->exponent = l.exponent;
    def->restitution = l.restitution;
    def->stored_energy = l.stored;
    bits_impact made = {0};
    crm_error error = {0};
    assert_ok(crm_model_from_system(def, &made.model, &error), &error);
    made.velocity = new_numbers(def->coordinates);
    move_at_random(r, made.model, made.velocity);
    make_it_strike(&made);
    free_lists(&l);
    return made;
}

/* All w point upwards in the first coordinate, and M couples it little: there is a way out. */
static double gradient(rng *r, size_t i, bool dependent)
{
    if (i == 0) {
        return 2;
    }
    return dependent ? (double)rng_below(r, 3) - 1 : rng_uniform(r, -1, 1);
}

bits_impact bits_dense(const bits_contacts *c, size_t number, bool dependent)
{
    rng r = rng_seeded(5000 + number);
    size_t n = 3 + number % 5, s = dependent ? n + 2 : 2 + number % 6;
    double *mass = new_numbers(n * n), *w = new_numbers(n * s);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++) {
            mass[i * n + k] = mass[k * n + i] = rng_uniform(&r, -0.1, 0.1);
        }
        mass[i * n + i] = value_between(&r, c->mass);
    }
    for (size_t k = 0; k < n * s; k++) {
        w[k] = gradient(&r, k % n, dependent);
    }
    crm_system_def def = crm_system_def_default();
    def.coordinates = n;
    def.contacts = s;
    def.mass_dense = mass;
    def.w_dense = w;
    bits_impact made = impact_of_system(&r, c, &def);
    free(mass);
    free(w);
    return made;
}

bits_impact bits_apart(const bits_contacts *c, size_t number)
{
    rng r = rng_seeded(6000 + number);
    size_t parts = 2 + number % 2, balls = 3 + number % 4, n = parts * balls;
    size_t s = parts * (balls - 1);
    double *mass = new_numbers(n), *w = new_numbers(n * s);
    for (size_t i = 0; i < n; i++) {
        mass[i] = value_between(&r, c->mass);
    }
    for (size_t j = 0; j < s; j++) {
        size_t part = j % parts, link = j / parts;
        w[j * n + part * balls + link] = -1;
        w[j * n + part * balls + link + 1] = 1;
    }
    crm_system_def def = crm_system_def_default();
    def.coordinates = n;
    def.contacts = s;
    def.mass_diagonal = mass;
    def.w_dense = w;
    bits_impact made = impact_of_system(&r, c, &def);
    free(mass);
    free(w);
    return made;
}

/* M has three diagonals; contact i is the floor under coordinate i. */
bits_impact bits_operator(size_t size)
{
    rng r = rng_seeded(7000);
    size_t *start = calloc(2 * (size + 1), sizeof *start), *w_start = start + size + 1, count = 0;
    uint32_t *row = calloc(4 * size, sizeof *row), *w_row = row + 3 * size;
    double *value = new_numbers(4 * size), *w_value = value + 3 * size;
    assert_true(start != NULL && row != NULL);
    for (size_t i = 0; i < size; i++) {
        for (size_t k = i > 0 ? i - 1 : 0; k <= i + 1 && k < size; k++) {
            row[count] = (uint32_t)k;
            value[count++] = k == i ? 2.01 : 1;
        }
        start[i + 1] = count;
        w_start[i + 1] = i + 1;
        w_row[i] = (uint32_t)i;
        w_value[i] = 1;
    }
    crm_sparse_view mass = {start, row, value}, w = {w_start, w_row, w_value};
    crm_system_def def = crm_system_def_default();
    def.coordinates = def.contacts = size;
    def.mass_sparse = &mass;
    def.w_sparse = &w;
    bits_impact made = impact_of_system(&r, &bits_hertz, &def);
    free(start);
    free(row);
    free(value);
    return made;
}

/* ---- Packings ------------------------------------------------------------------------------- */

/* Towards the middle and downwards, each ball a little differently. */
static void squeeze(rng *r, const crm_model *model, size_t columns, double *velocity)
{
    for (size_t i = 0; i + 1 < crm_model_coordinates(model); i += 2) {
        double across = (double)(i / 2 % columns) / (double)columns - 0.5;
        double up = (double)(i / 2) / (double)(columns * columns);
        velocity[i] = -20 * across + rng_uniform(r, -0.3, 0.3);
        velocity[i + 1] = -20 * up + rng_uniform(r, -0.3, 0.3);
    }
}

bits_impact bits_packing(const bits_contacts *c, size_t columns, size_t rows,
                         crm_packing_walls walls, bits_motion motion)
{
    rng r = rng_seeded(8000 + columns);
    crm_packing_def def = crm_packing_def_default();
    def.columns = columns;
    def.rows = rows;
    lists l = lists_of(&r, c, crm_packing_balls(&def), crm_packing_contacts(&def));
    crm_projectile_def projectile = crm_projectile_def_default();
    def.mass.each = l.mass;
    def.stiffness.each = l.stiffness;
    def.exponent.each = l.exponent;
    def.restitution.each = l.restitution;
    def.stored_energy.each = l.stored;
    def.walls = walls;
    projectile.mass = 3;
    def.projectile = motion == BITS_STRUCK ? &projectile : NULL;
    def.wall = projectile.contact =
        (crm_contact_def){1.5, c->exponent[0], fabs(c->restitution[0]), 0, 0, {0}, 0};
    bits_impact made = {0};
    crm_error error = {0};
    assert_ok(crm_model_from_packing(&def, &made.model, &error), &error);
    size_t n = crm_model_coordinates(made.model);
    made.velocity = new_numbers(n);
    if (motion == BITS_STRUCK) {
        made.velocity[n - 1] = -1;
    } else {
        squeeze(&r, made.model, columns, made.velocity);
    }
    free_lists(&l);
    return made;
}
