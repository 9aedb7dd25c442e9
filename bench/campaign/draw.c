#include "draw.h"

#include <math.h>
#include <string.h>

#include "dense.h"
#include "draw_parts.h"

#define DRAW_TEXT(name, share, text) text,
static const char *const texts[] = {DRAW_LIST(DRAW_TEXT)};
#undef DRAW_TEXT
#define DRAW_SHARE(name, share, text) share,
static const size_t shares[] = {DRAW_LIST(DRAW_SHARE)};
#undef DRAW_SHARE

const char *draw_kind_text(draw_kind kind)
{
    return texts[kind];
}

/* ---- Chains ---------------------------------------------------------------------------------- */

static void draw_masses(rng *r, small_system *system)
{
    double mass[SMALL];
    fill(r, mass, system->n, one_chance_in(r, 3) ? one : near_one, false);
    set_masses(system, mass);
}

/* Struck at the end, thrown at a wall, or all moving anyhow. */
static void draw_motion(rng *r, small_system *system)
{
    size_t manner = rng_below(r, 4);
    for (size_t i = 0; i < system->n; i++) {
        system->velocity[i] = manner == 0   ? (i == 0 ? 1 : 0)
                              : manner == 1 ? (i < 2 ? 1 : 0)
                              : manner == 2 ? (system->s == system->n ? 1 : rng_normal(r))
                                            : rng_normal(r);
    }
}

static small_system draw_chain(rng *r, size_t least, size_t most, bool wall)
{
    small_system chain = small_system_chain(least + rng_below(r, most - least + 1), wall);
    draw_contacts(r, &chain);
    draw_masses(r, &chain);
    draw_motion(r, &chain);
    return chain;
}

static double lossy_restitution(rng *r)
{
    return rng_uniform(r, 0.1, 0.95);
}

static small_system draw_lossy(rng *r)
{
    small_system chain = draw_chain(r, 4, 9, one_chance_in(r, 2));
    fill(r, chain.restitution, chain.s, lossy_restitution, one_chance_in(r, 2));
    fill(r, chain.exponent, chain.s, one, true);
    for (size_t j = 0; j < chain.s; j++) {
        chain.exponent[j] = 1.5;
        chain.stiffness[j] = pow(chain.stiffness[j], 2);
    }
    return chain;
}

static double low_exponent(rng *r)
{
    return rng_uniform(r, 0.5, 1);
}

static small_system draw_soft(rng *r)
{
    small_system chain = draw_chain(r, 2, 7, one_chance_in(r, 2));
    fill(r, chain.exponent, chain.s, one_chance_in(r, 3) ? common_exponent : low_exponent,
         one_chance_in(r, 2));
    chain.exponent[rng_below(r, chain.s)] = low_exponent(r);
    return chain;
}

static double far_from_one(rng *r)
{
    return rng_log(r, 1e-3, 1e3);
}

static small_system draw_decades(rng *r)
{
    double mass[SMALL];
    small_system chain = draw_chain(r, 2, 7, one_chance_in(r, 2));
    fill(r, mass, chain.n, one_chance_in(r, 3) ? one : far_from_one, false);
    set_masses(&chain, mass);
    fill(r, chain.stiffness, chain.s, one_chance_in(r, 3) ? one : far_from_one, false);
    return chain;
}

static small_system draw_moving(rng *r)
{
    small_system chain = draw_chain(r, 2, 8, true);
    chain.boundary_velocity[chain.s - 1] = rng_normal(r);
    return chain;
}

static small_system draw_stored(rng *r)
{
    small_system chain = draw_chain(r, 2, 8, one_chance_in(r, 2));
    if (one_chance_in(r, 2)) {
        memset(chain.velocity, 0, sizeof chain.velocity);
    }
    store_energy(r, &chain);
    return chain;
}

/* ---- Awkward ones ---------------------------------------------------------------------------- */

/* The same from both ends, or all alike. */
static small_system draw_simultaneous(rng *r)
{
    if (one_chance_in(r, 3)) {
        small_system ring = draw_ring(r);
        ring = one_chance_in(r, 2) ? draw_stack(r) : ring;
        for (size_t j = 0; j < ring.s; j++) {
            ring.stiffness[j] = ring.stiffness[0];
            ring.exponent[j] = ring.exponent[0];
            ring.restitution[j] = ring.restitution[0];
        }
        for (size_t i = 0; i < ring.n; i++) {
            ring.mass[i * ring.n + i] = 1;
        }
        return ring;
    }
    small_system chain = draw_chain(r, 3, 9, false);
    bool alike = one_chance_in(r, 2);
    for (size_t i = 0; i < chain.n; i++) {
        size_t twin = alike ? 0 : i < chain.n - 1 - i ? i : chain.n - 1 - i;
        chain.mass[i * chain.n + i] = chain.mass[twin * chain.n + twin];
        chain.velocity[i] = i == 0 ? 1 : i == chain.n - 1 ? -1 : 0;
    }
    for (size_t j = 0; j < chain.s; j++) {
        size_t twin = alike ? 0 : j < chain.s - 1 - j ? j : chain.s - 1 - j;
        chain.stiffness[j] = chain.stiffness[twin];
        chain.exponent[j] = chain.exponent[twin];
        chain.restitution[j] = chain.restitution[twin];
    }
    return chain;
}

static small_system draw_dense(rng *r, size_t most)
{
    random_choice choice = random_choice_default();
    choice.most_contacts = most;
    small_system system = random_lagrangian(r, choice);
    draw_contacts(r, &system);
    return system;
}

static void add_like(small_system *system, size_t from)
{
    size_t to = system->s++;
    memcpy(&system->w[to * system->n], &system->w[from * system->n], system->n * sizeof *system->w);
    system->stiffness[to] = system->stiffness[from];
    system->exponent[to] = system->exponent[from];
    system->restitution[to] = system->restitution[from];
}

/* A contact beside another one, or against it: a wedge. */
static small_system draw_parallel(rng *r)
{
    small_system system =
        one_chance_in(r, 2) ? draw_dense(r, 7) : draw_chain(r, 3, 6, one_chance_in(r, 2));
    if (system.n < 2) {
        return system;
    }
    size_t from = rng_below(r, system.s);
    double side =
        one_chance_in(r, 3) ? -1 : 1; /* what comes into a wedge of 1e-3 bounces 1e3 times */
    double angle = side > 0 ? rng_log(r, 1e-9, 0.1) : rng_log(r, 1e-2, 0.3);
    add_like(&system, from);
    for (size_t i = 0; i < system.n; i++) {
        double *w = &system.w[(system.s - 1) * system.n + i];
        *w = side * *w + angle * rng_normal(r);
    }
    system.stiffness[system.s - 1] *= near_one(r);
    system.restitution[system.s - 1] = any_restitution(r);
    return system;
}

/* Contacts that are the sum of others, or the same again. */
static small_system draw_dependent(rng *r)
{
    small_system system =
        one_chance_in(r, 2) ? draw_dense(r, 6) : draw_chain(r, 3, 6, one_chance_in(r, 2));
    size_t more = 1 + rng_below(r, 3);
    for (size_t k = 0; k < more; k++) {
        size_t a = rng_below(r, system.s), b = rng_below(r, system.s);
        double of_a = rng_uniform(r, 0.2, 2),
               of_b = one_chance_in(r, 2) ? 0 : rng_uniform(r, 0.2, 2);
        add_like(&system, a);
        for (size_t i = 0; i < system.n; i++) {
            system.w[(system.s - 1) * system.n + i] =
                of_a * system.w[a * system.n + i] + of_b * system.w[b * system.n + i];
        }
        system.stiffness[system.s - 1] = near_one(r);
    }
    return system;
}

/* A chain between two walls, some of its contacts plastic, none elastic. */
static small_system draw_pinched(rng *r)
{
    small_system chain = draw_chain(r, 1, 5, true);
    bool only = one_chance_in(r, 2);
    add_like(&chain, 0);
    memset(&chain.w[(chain.s - 1) * chain.n], 0, chain.n * sizeof *chain.w);
    chain.w[(chain.s - 1) * chain.n] = one_chance_in(r, 2) ? 1 : rng_uniform(r, 0.2, 2);
    for (size_t j = 0; j < chain.s; j++) {
        chain.restitution[j] = only || one_chance_in(r, 2) ? 0 : rng_uniform(r, 0, 0.9);
    }
    return chain;
}

/* Two systems that have nothing to do with each other; the second one slower, or softer. */
static small_system side_by_side(const small_system *a, const small_system *b)
{
    small_system both = small_system_blank(a->n + b->n, a->s + b->s);
    for (size_t i = 0; i < both.n; i++) {
        both.velocity[i] = i < a->n ? a->velocity[i] : b->velocity[i - a->n];
        both.mass[i * both.n + i] =
            i < a->n ? a->mass[i * a->n + i] : b->mass[(i - a->n) * b->n + i - a->n];
    }
    for (size_t j = 0; j < both.s; j++) {
        const small_system *from = j < a->s ? a : b;
        size_t k = j < a->s ? j : j - a->s, shift = j < a->s ? 0 : a->n;
        memcpy(&both.w[j * both.n + shift], &from->w[k * from->n], from->n * sizeof *both.w);
        both.stiffness[j] = from->stiffness[k];
        both.exponent[j] = from->exponent[k];
        both.restitution[j] = from->restitution[k];
    }
    return both;
}

static small_system draw_disjoint(rng *r)
{
    small_system first = draw_chain(r, 2, 6, one_chance_in(r, 2)),
                 second = draw_chain(r, 2, 6, one_chance_in(r, 2));
    if (one_chance_in(r, 2)) {
        second = first;
    }
    double slow = one_chance_in(r, 2) ? 1 : rng_log(r, 1e-6, 1),
           soft = one_chance_in(r, 2) ? 1 : rng_log(r, 1e-4, 1);
    for (size_t i = 0; i < second.n; i++) {
        second.velocity[i] *= slow;
    }
    for (size_t j = 0; j < second.s; j++) {
        second.stiffness[j] *= soft;
    }
    return side_by_side(&first, &second);
}

static small_system draw_plain(rng *r)
{
    switch (rng_below(r, 4)) {
    case 0:
        return draw_chain(r, 2, 8, false);
    case 1:
        return draw_chain(r, 1, 8, true);
    case 2:
        return draw_patch(r);
    default:
        return draw_dense(r, 8);
    }
}

static small_system draw_units(rng *r)
{
    small_system system = draw_plain(r);
    double mass = rng_log(r, 1e-15, 1e15), speed = rng_log(r, 1e-9, 1e9);
    double stiffness = rng_log(r, 1e-12, 1e12);
    for (size_t i = 0; i < system.n * system.n; i++) {
        system.mass[i] *= mass;
    }
    for (size_t i = 0; i < system.n; i++) {
        system.velocity[i] *= speed;
    }
    for (size_t j = 0; j < system.s; j++) {
        system.stiffness[j] *= stiffness;
        /* the same depth at all contacts in the new units, or exponents would differ in meaning */
        system.stiffness[j] *= pow(mass * speed * speed / stiffness, (1 - system.exponent[j]) / 2);
    }
    return system;
}

/* ---- Hard ones ------------------------------------------------------------------------------- */

static double high_exponent(rng *r)
{
    static const double whole[] = {2, 3, 4};
    return one_chance_in(r, 3) ? whole[rng_below(r, 3)] : rng_uniform(r, 1.5, 4);
}

/* Contacts that store next to nothing, and part slowly or not at all, until a wave gets there. */
static small_system draw_weak(rng *r)
{
    small_system chain = draw_chain(r, 3, 7, one_chance_in(r, 3));
    for (size_t i = 0; i < chain.n; i++) {
        double slow = rng_log(r, 1e-8, 1e-1);
        chain.velocity[i] = i == 0                ? 1
                            : one_chance_in(r, 2) ? 0
                            : one_chance_in(r, 4) ? -slow
                                                  : slow;
    }
    double energy = small_system_energy(&chain, chain.velocity);
    for (size_t j = 0; j < chain.s; j++) {
        chain.exponent[j] = one_chance_in(r, 3) ? chain.exponent[j] : high_exponent(r);
        chain.stored_energy[j] =
            j > 0 && one_chance_in(r, 2) ? energy * rng_log(r, 1e-20, 1e-8) : 0;
    }
    return chain;
}

/* Some of the contacts give next to nothing back. */
static small_system draw_nearly_plastic(rng *r)
{
    small_system system =
        one_chance_in(r, 4) ? draw_dense(r, 7) : draw_chain(r, 2, 8, one_chance_in(r, 3));
    for (size_t j = 0; j < system.s; j++) {
        if (one_chance_in(r, 2)) {
            system.restitution[j] = rng_log(r, 1e-12, 1e-2);
        }
    }
    return system;
}

static double nearly_elastic(rng *r)
{
    return rng_uniform(r, 0.85, 0.999);
}

/* More contacts than coordinates, of all sorts, that lose little: bodies may be caught among them.
 */
static small_system draw_mixed(rng *r)
{
    random_choice choice = random_choice_default();
    small_system system;
    choice.most_contacts = 8;
    do {
        system = random_lagrangian(r, choice);
    } while (system.s <= system.n);
    bool caught = one_chance_in(r, 2); /* else all can part */
    for (size_t k = 0; caught && k < system.s * system.n; k++) {
        system.w[k] = one_chance_in(r, 4) ? 0 : rng_normal(r);
    }
    for (size_t j = 0; j < system.s; j++) {
        system.w[j * system.n + rng_below(r, system.n)] += 1; /* not all of them zero */
        system.exponent[j] = one_chance_in(r, 2) ? 1.5 : rng_uniform(r, 1, 2.75);
        system.stiffness[j] = rng_log(r, 0.1, 100);
    }
    fill(r, system.restitution, system.s, nearly_elastic, false);
    return system;
}

/* ---- One of them ----------------------------------------------------------------------------- */

static small_system draw_kind_of(rng *r, draw_kind kind)
{
    switch (kind) {
    case DRAW_CHAIN:
        return draw_chain(r, 2, 10, false);
    case DRAW_WALL:
        return draw_chain(r, 1, 9, true);
    case DRAW_LOSSY:
        return draw_lossy(r);
    case DRAW_SOFT:
        return draw_soft(r);
    case DRAW_PATCH:
        return draw_patch(r);
    case DRAW_RING:
        return draw_ring(r);
    case DRAW_STACK:
        return draw_stack(r);
    case DRAW_SPACE:
        return draw_space(r);
    case DRAW_DENSE:
        return draw_dense(r, 10);
    case DRAW_SIMULTANEOUS:
        return draw_simultaneous(r);
    case DRAW_DECADES:
        return draw_decades(r);
    case DRAW_PARALLEL:
        return draw_parallel(r);
    case DRAW_DEPENDENT:
        return draw_dependent(r);
    case DRAW_PINCHED:
        return draw_pinched(r);
    case DRAW_DISJOINT:
        return draw_disjoint(r);
    case DRAW_UNITS:
        return draw_units(r);
    case DRAW_STORED:
        return draw_stored(r);
    case DRAW_WEAK:
        return draw_weak(r);
    case DRAW_PLASTIC:
        return draw_nearly_plastic(r);
    case DRAW_MIXED:
        return draw_mixed(r);
    default:
        return draw_moving(r);
    }
}

double draw_speed(const small_system *system)
{
    long double mass[SMALL * SMALL];
    double u[SMALL], speed = 0;
    small_system_gap_velocity(system, system->velocity, u);
    for (size_t i = 0; i < system->n; i++) {
        for (size_t k = 0; k < system->n; k++) {
            mass[i * SMALL + k] = system->mass[i * system->n + k];
        }
    }
    dense_factorize(mass, system->n);
    for (size_t j = 0; j < system->s; j++) {
        const double *w = &system->w[j * system->n];
        long double answer[SMALL], d = 0;
        for (size_t i = 0; i < system->n; i++) {
            answer[i] = w[i];
        }
        dense_solve(mass, system->n, answer);
        for (size_t i = 0; i < system->n; i++) {
            d += w[i] * answer[i];
        }
        speed = fmax(speed, fmax(-u[j], sqrt(2 * system->stored_energy[j] * (double)d)));
    }
    return speed;
}

double draw_energy(const small_system *system)
{
    double energy = small_system_energy(system, system->velocity);
    for (size_t j = 0; j < system->s; j++) {
        energy += system->stored_energy[j];
    }
    return energy;
}

static bool strikes(const small_system *system)
{
    double u[SMALL];
    small_system_gap_velocity(system, system->velocity, u);
    for (size_t j = 0; j < system->s; j++) {
        if (u[j] < 0 || system->stored_energy[j] > 0) {
            return true;
        }
    }
    return false;
}

static draw_kind kind_at(size_t index)
{
    size_t round = 0, place, kind = 0;
    if (index >= DRAW_HARD) {
        return (draw_kind)(DRAW_FIRST_HARD + (index - DRAW_HARD) % (DRAW_KINDS - DRAW_FIRST_HARD));
    }
    for (size_t k = 0; k < DRAW_KINDS; k++) {
        round += shares[k];
    }
    for (place = index % round; place >= shares[kind]; kind++) {
        place -= shares[kind];
    }
    return (draw_kind)kind;
}

draw draw_system(uint64_t seed, size_t index)
{
    rng r = rng_seeded(seed * 0x9e3779b97f4a7c15u + index);
    r = rng_seeded(rng_next(&r));
    draw d = {.kind = kind_at(index), .mono = rng_below(&r, 4) == 0};
    do {
        d.system = draw_kind_of(&r, d.kind);
    } while (!strikes(&d.system));
    return d;
}
