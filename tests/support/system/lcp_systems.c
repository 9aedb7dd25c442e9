#include "lcp_systems.h"

#include <math.h>
#include <string.h>

#include "model/model.h"

const char *const lcp_kind_names[LCP_KINDS] = {"wedge",   "bundle", "dependent", "uneven", "chain",
                                               "diamond", "patch",  "doubled",   "scaled", "apart"};

/* ---- Parts ----------------------------------------------------------------------------------- */

static void fill_contacts(rng *r, small_system *system)
{
    size_t how = rng_below(r, 4);
    double common = rng_uniform(r, 0, 1);
    bool moving = rng_below(r, 4) == 0;
    for (size_t j = 0; j < system->s; j++) {
        double own = rng_below(r, 3) == 0 ? 0 : rng_uniform(r, 0, 1);
        system->restitution[j] = how == 0 ? 0 : how == 1 ? 1 : how == 2 ? common : own;
        system->boundary_velocity[j] = moving ? rng_uniform(r, -0.5, 0.5) : 0;
    }
}

static void fill_velocity(rng *r, small_system *system)
{
    bool coarse = rng_below(r, 4) == 0;
    for (size_t i = 0; i < system->n; i++) {
        system->velocity[i] = coarse ? (double)rng_below(r, 3) - 1 : rng_normal(r);
    }
}

/* M = diag(root) (I + B'B) diag(root), so that a spread of masses stays a spread. */
static void fill_mass(rng *r, double spread, bool full, small_system *system)
{
    size_t n = system->n;
    double root[SMALL], b[SMALL * SMALL];
    for (size_t i = 0; i < n; i++) {
        root[i] = sqrt(rng_log(r, 1 / spread, spread));
    }
    for (size_t i = 0; i < n * n; i++) {
        b[i] = full ? rng_uniform(r, -0.5, 0.5) : 0;
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k <= i; k++) {
            double sum = i == k;
            for (size_t l = 0; l < n; l++) {
                sum += b[l * n + i] * b[l * n + k];
            }
            system->mass[i * n + k] = system->mass[k * n + i] = root[i] * sum * root[k];
        }
    }
}

static void any_mass(rng *r, small_system *system)
{
    size_t how = rng_below(r, 3);
    fill_mass(r, how == 0 ? 1 : how == 1 ? 10 : 100, rng_below(r, 2) == 0, system);
}

static void direction(rng *r, size_t n, double *x)
{
    double square = 0;
    for (size_t i = 0; i < n; i++) {
        x[i] = rng_normal(r);
        square += x[i] * x[i];
    }
    for (size_t i = 0; i < n; i++) {
        x[i] /= sqrt(square);
    }
}

/* ---- Kinds ----------------------------------------------------------------------------------- */

/* `near` contacts along +-axis but for an angle each, then `other` ones anywhere. */
static small_system along_a_line(rng *r, size_t near, size_t other)
{
    size_t n = 2 + rng_below(r, 5);
    small_system system = small_system_blank(n, near + other);
    double axis[SMALL], beside[SMALL];
    bool plain = rng_below(r, 3) == 0; /* the axis is a coordinate's */
    direction(r, n, axis);
    for (size_t i = 0; plain && i < n; i++) {
        axis[i] = i == 1;
    }
    for (size_t j = 0; j < near + other; j++) {
        double angle = j < near ? rng_log(r, 1e-8, 0.1) : 1;
        double side = j < near ? (j % 2 == 0 ? 1 : -1) : 0;
        direction(r, n, beside);
        for (size_t i = 0; i < n; i++) {
            beside[i] = plain && j < near ? i == 0 : beside[i];
            system.w[j * n + i] = side * axis[i] + (j == 0 && plain ? 0 : angle * beside[i]);
        }
    }
    any_mass(r, &system);
    return system;
}

static small_system dependent(rng *r)
{
    size_t n = 1 + rng_below(r, 5), s = n + rng_below(r, 6);
    small_system system = small_system_blank(n, s);
    for (size_t j = 0; j < s; j++) {
        for (size_t i = 0; i < n; i++) {
            system.w[j * n + i] = (double)rng_below(r, 5) - 2;
        }
        system.w[j * n + rng_below(r, n)] = 1;
    }
    if (rng_below(r, 2) == 0) {
        any_mass(r, &system);
    }
    return system;
}

static small_system uneven(rng *r)
{
    size_t n = 2 + rng_below(r, 9), s = 1 + rng_below(r, n + 2);
    small_system system = small_system_blank(n, s);
    for (size_t k = 0; k < n * s; k++) {
        system.w[k] = rng_normal(r);
    }
    fill_mass(r, rng_below(r, 2) == 0 ? 1e4 : 1e6, rng_below(r, 2) == 0, &system);
    return system;
}

static small_system chain(rng *r)
{
    small_system system = small_system_chain(2 + rng_below(r, 11), rng_below(r, 2) == 0);
    const double spread[] = {1, 10, 1e4, 1e6};
    fill_mass(r, spread[rng_below(r, 4)], false, &system);
    return system;
}

/* Discs in a ring, each touching the next; turned, or standing on its lowest disc. */
static small_system diamond(rng *r)
{
    size_t count = 3 + rng_below(r, 6);
    bool floor = rng_below(r, 2) == 0;
    double turn = floor ? 2 * acos(-1) * 0.75 : rng_uniform(r, 0, 6);
    double far = 1 / sin(acos(-1) / (double)count);
    crm_body_def body[8];
    for (size_t i = 0; i < count; i++) {
        double angle = turn + 2 * acos(-1) * (double)i / (double)count;
        body[i] =
            ball_at(1, 0.1 * (double)(1 + rng_below(r, 30)), far * cos(angle), far * sin(angle), 0);
    }
    crm_wall_def wall = crm_wall_def_default();
    wall.point[1] = -far - 1;
    wall.normal[1] = 1;
    crm_bodies_def def = bodies_def(2, body, count);
    def.walls = &wall;
    def.wall_count = floor;
    crm_model *model = NULL;
    crm_error error = {0};
    assert_ok(crm_model_from_bodies(&def, &model, &error), &error);
    small_system system = lcp_system_of(model);
    crm_model_free(model);
    return system;
}

static small_system patch(rng *r)
{
    disc_patch discs;
    random_choice choice = random_choice_default();
    choice.most_contacts = 14;
    return random_disc_patch(r, choice, &discs);
}

static small_system simple(rng *r, lcp_kind kind)
{
    switch (kind) {
    case LCP_WEDGE:
        return along_a_line(r, 2, rng_below(r, 3));
    case LCP_BUNDLE:
        return along_a_line(r, 3 + rng_below(r, 6), rng_below(r, 3));
    case LCP_DEPENDENT:
        return dependent(r);
    case LCP_UNEVEN:
        return uneven(r);
    case LCP_CHAIN:
        return chain(r);
    case LCP_DIAMOND:
        return diamond(r);
    default:
        return patch(r);
    }
}

/* ---- Made of others -------------------------------------------------------------------------- */

static void add_multiple(rng *r, small_system *system)
{
    const double by[] = {1, -1, 2, -0.5, 3, 0.1};
    size_t n = system->n, j = rng_below(r, system->s);
    double factor = by[rng_below(r, 6)];
    for (size_t i = 0; i < n; i++) {
        system->w[system->s * n + i] = factor * system->w[j * n + i];
    }
    system->stiffness[system->s] = 1;
    system->exponent[system->s] = 1.5;
    system->s++;
}

static small_system side_by_side(rng *r, const small_system *a, const small_system *b)
{
    small_system both = small_system_blank(a->n + b->n, a->s + b->s);
    size_t contacts[SMALL], coordinates[SMALL];
    memset(both.mass, 0, sizeof both.mass);
    for (size_t part = 0; part < 2; part++) {
        const small_system *from = part == 0 ? a : b;
        size_t row = part == 0 ? 0 : a->n, contact = part == 0 ? 0 : a->s;
        for (size_t i = 0; i < from->n; i++) {
            for (size_t k = 0; k < from->n; k++) {
                both.mass[(row + i) * both.n + row + k] = from->mass[i * from->n + k];
            }
            for (size_t j = 0; j < from->s; j++) {
                both.w[(contact + j) * both.n + row + i] = from->w[j * from->n + i];
            }
        }
    }
    rng_shuffle(r, contacts, both.s);
    rng_shuffle(r, coordinates, both.n);
    return small_system_renumbered(&both, contacts, coordinates);
}

static void change_units(rng *r, small_system *system)
{
    double mass = rng_log(r, 1e-50, 1e50), length = rng_log(r, 1e-20, 1e20);
    for (size_t i = 0; i < system->n * system->n; i++) {
        system->mass[i] *= mass;
    }
    for (size_t k = 0; k < system->n * system->s; k++) {
        system->w[k] *= length;
    }
}

static small_system shape(rng *r, lcp_kind kind)
{
    small_system system = simple(r, kind < LCP_DOUBLED ? kind : rng_below(r, LCP_DOUBLED));
    if (kind == LCP_DOUBLED) {
        for (size_t count = 1 + rng_below(r, 3); count > 0 && system.s < SMALL; count--) {
            add_multiple(r, &system);
        }
    } else if (kind == LCP_APART) {
        small_system other = simple(r, rng_below(r, LCP_DOUBLED));
        if (system.n + other.n <= SMALL && system.s + other.s <= SMALL) {
            system = side_by_side(r, &system, &other);
        }
    }
    return system;
}

small_system lcp_random_system(rng *r, lcp_kind kind)
{
    small_system system = shape(r, kind);
    fill_velocity(r, &system);
    fill_contacts(r, &system);
    if (kind == LCP_SCALED) {
        double speed = rng_log(r, 1e-30, 1e30);
        change_units(r, &system);
        for (size_t i = 0; i < system.n; i++) {
            system.velocity[i] *= speed;
        }
        memset(system.boundary_velocity, 0, sizeof system.boundary_velocity);
    }
    return system;
}

/* ---- Others ---------------------------------------------------------------------------------- */

small_system lcp_system_of(const crm_model *model)
{
    small_system system = small_system_blank(model->coordinates, model->contacts);
    for (size_t i = 0; i < system.n; i++) {
        system.mass[i * system.n + i] = model->mass.diagonal[i];
    }
    for (size_t j = 0; j < system.s; j++) {
        system.restitution[j] = model->restitution[j];
        system.boundary_velocity[j] = model->boundary_velocity[j];
        for (size_t k = model->w_start[j]; k < model->w_start[j + 1]; k++) {
            system.w[j * system.n + model->w_row[k]] = model->w_value[k];
        }
    }
    return system;
}

small_system lcp_nudged(const small_system *system, rng *r)
{
    small_system nudged = *system;
    for (size_t k = 0; k < system->n * system->s; k++) {
        double to[] = {-INFINITY, system->w[k], INFINITY};
        nudged.w[k] = system->w[k] != 0 ? nextafter(system->w[k], to[rng_below(r, 3)]) : 0;
    }
    return nudged;
}
