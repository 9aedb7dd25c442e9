#include "draw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "dense.h"

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

/* ---- Contacts -------------------------------------------------------------------------------- */

static bool odds(rng *r, size_t one_in)
{
    return rng_below(r, one_in) == 0;
}

static double common_exponent(rng *r)
{
    static const double common[] = {1, 1.5, 1.5, 1.5, 2, 3};
    return odds(r, 3) ? rng_uniform(r, 1, 3) : common[rng_below(r, 6)];
}

typedef double draw_number(rng *r);

static double any_restitution(rng *r)
{
    return rng_uniform(r, 0, 1);
}

static double high_restitution(rng *r)
{
    return rng_uniform(r, 0.7, 1);
}

static double extreme_restitution(rng *r)
{
    static const double ends[] = {0, 1};
    switch (rng_below(r, 4)) {
    case 0:
        return 1 - rng_log(r, 1e-9, 0.1);
    case 1:
        return rng_log(r, 1e-6, 0.1);
    case 2:
        return ends[rng_below(r, 2)];
    default:
        return rng_uniform(r, 0, 1);
    }
}

static double elastic_restitution(rng *r)
{
    (void)r;
    return 1;
}

/* One value for all of them, or each its own. */
static void fill(rng *r, double *values, size_t count, draw_number *number, bool same)
{
    double first = number(r);
    for (size_t j = 0; j < count; j++) {
        values[j] = same || j == 0 ? first : number(r);
    }
}

static double near_one(rng *r)
{
    return rng_log(r, 0.1, 10);
}

static double one(rng *r)
{
    (void)r;
    return 1;
}

static void draw_contacts(rng *r, small_system *system)
{
    draw_number *const restitutions[] = {any_restitution, any_restitution, high_restitution,
                                         elastic_restitution, extreme_restitution};
    bool own = odds(r, 2), mixed = odds(r, 2), spread = !odds(r, 3);
    fill(r, system->restitution, system->s, restitutions[rng_below(r, 5)], own);
    fill(r, system->exponent, system->s, common_exponent, !mixed);
    fill(r, system->stiffness, system->s, spread ? near_one : one, false);
}

static void store_energy(rng *r, small_system *system)
{
    for (size_t j = 0; j < system->s; j++) {
        system->stored_energy[j] = odds(r, 3) ? rng_log(r, 1e-6, 1) : 0;
    }
    system->stored_energy[rng_below(r, system->s)] = rng_log(r, 1e-3, 1);
}

/* ---- Chains ---------------------------------------------------------------------------------- */

static void set_masses(small_system *system, const double *mass)
{
    for (size_t i = 0; i < system->n; i++) {
        system->mass[i * system->n + i] = mass[i];
    }
}

static void draw_masses(rng *r, small_system *system)
{
    double mass[SMALL];
    fill(r, mass, system->n, odds(r, 3) ? one : near_one, false);
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
    small_system chain = draw_chain(r, 4, 9, odds(r, 2));
    fill(r, chain.restitution, chain.s, lossy_restitution, odds(r, 2));
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
    small_system chain = draw_chain(r, 2, 7, odds(r, 2));
    fill(r, chain.exponent, chain.s, odds(r, 3) ? common_exponent : low_exponent, odds(r, 2));
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
    small_system chain = draw_chain(r, 2, 7, odds(r, 2));
    fill(r, mass, chain.n, odds(r, 3) ? one : far_from_one, false);
    set_masses(&chain, mass);
    fill(r, chain.stiffness, chain.s, odds(r, 3) ? one : far_from_one, false);
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
    small_system chain = draw_chain(r, 2, 8, odds(r, 2));
    if (odds(r, 2)) {
        memset(chain.velocity, 0, sizeof chain.velocity);
    }
    store_energy(r, &chain);
    return chain;
}

/* ---- Discs and balls ------------------------------------------------------------------------- */

typedef struct cluster {
    size_t count, dimension;
    double position[SMALL][3]; /* of balls of diameter 1 */
} cluster;

static void add_contact(small_system *system, const double *direction, size_t dimension, size_t a,
                        size_t b)
{
    double *w = &system->w[system->s * system->n];
    memset(w, 0, system->n * sizeof *w);
    for (size_t k = 0; k < dimension; k++) {
        w[a * dimension + k] = -direction[k];
        if (b < SMALL) {
            w[b * dimension + k] = direction[k];
        }
    }
    system->s++;
}

static small_system touching(const cluster *c)
{
    small_system system = small_system_blank(c->count * c->dimension, 0);
    for (size_t a = 0; a < c->count; a++) {
        for (size_t b = a + 1; b < c->count; b++) {
            double way[3] = {0}, square = 0;
            for (size_t k = 0; k < c->dimension; k++) {
                way[k] = c->position[b][k] - c->position[a][k];
                square += way[k] * way[k];
            }
            if (fabs(square - 1) < 1e-9 && system.s < SMALL) {
                add_contact(&system, way, c->dimension, a, b);
            }
        }
    }
    return system;
}

static void draw_balls(rng *r, small_system *system, size_t dimension)
{
    double mass[SMALL];
    bool equal = odds(r, 3), struck = odds(r, 2);
    draw_contacts(r, system);
    for (size_t i = 0; i < system->n; i++) {
        mass[i] = i % dimension > 0 ? mass[i - 1] : equal ? 1 : near_one(r);
        system->velocity[i] = struck && i >= dimension ? 0 : rng_normal(r);
    }
    set_masses(system, mass);
}

static small_system draw_patch(rng *r)
{
    disc_patch patch;
    random_choice choice = random_choice_default();
    choice.most_contacts = 12;
    small_system system = random_disc_patch(r, choice, &patch);
    draw_contacts(r, &system);
    return system;
}

static small_system draw_ring(rng *r)
{
    cluster ring = {.count = 3 + rng_below(r, 6), .dimension = 2};
    double step = 6.283185307179586 / (double)ring.count, radius = 0.5 / sin(step / 2);
    for (size_t i = 0; i < ring.count; i++) {
        ring.position[i][0] = radius * cos(step * (double)i);
        ring.position[i][1] = radius * sin(step * (double)i);
    }
    small_system system = touching(&ring);
    draw_balls(r, &system, 2);
    if (odds(r, 2)) { /* all move inwards */
        for (size_t i = 0; i < system.n; i++) {
            system.velocity[i] = -ring.position[i / 2][i % 2] / radius;
        }
    }
    return system;
}

/* Rows of discs on each other, the lowest on the floor; struck from above. */
static small_system draw_stack(rng *r)
{
    const double height = 0.8660254037844386, down[2] = {0, -1};
    cluster stack = {.dimension = 2};
    size_t base = 2 + rng_below(r, 2);
    for (size_t row = 0; row < base; row++) {
        for (size_t i = 0; i < base - row; i++, stack.count++) {
            stack.position[stack.count][0] = (double)i + 0.5 * (double)row;
            stack.position[stack.count][1] = height * (double)row;
        }
    }
    small_system system = touching(&stack);
    for (size_t i = 0; i < base; i++) {
        add_contact(&system, down, 2, i, SMALL);
    }
    draw_balls(r, &system, 2);
    memset(system.velocity, 0, sizeof system.velocity);
    system.velocity[system.n - 1] = -1;
    system.velocity[system.n - 2] = odds(r, 2) ? 0 : rng_normal(r);
    return system;
}

/* Two balls to two tetrahedra, grown one by one in the hollow of three others; or a string. */
static small_system draw_space(rng *r)
{
    static const double places[][3] = {{0, 0, 0},
                                       {1, 0, 0},
                                       {0.5, 0.8660254037844386, 0},
                                       {0.5, 0.28867513459481287, 0.8164965809277260},
                                       {0.5, 0.28867513459481287, -0.8164965809277260}};
    cluster c = {.count = 2 + rng_below(r, 4), .dimension = 3};
    memcpy(c.position, places, sizeof places);
    for (size_t i = 2; i < c.count && odds(r, 3); i++) { /* beside the last one, anywhere */
        double angle = rng_uniform(r, 0, 1.5);
        c.position[i][0] = c.position[i - 1][0] + cos(angle);
        c.position[i][1] = c.position[i - 1][1] - sin(angle);
        c.position[i][2] = c.position[i - 1][2];
    }
    small_system system = touching(&c);
    draw_balls(r, &system, 3);
    return system;
}

/* ---- Awkward ones ---------------------------------------------------------------------------- */

/* The same from both ends, or all alike. */
static small_system draw_ties(rng *r)
{
    if (odds(r, 3)) {
        small_system ring = draw_ring(r);
        ring = odds(r, 2) ? draw_stack(r) : ring;
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
    bool alike = odds(r, 2);
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
    small_system system = odds(r, 2) ? draw_dense(r, 7) : draw_chain(r, 3, 6, odds(r, 2));
    if (system.n < 2) {
        return system;
    }
    size_t from = rng_below(r, system.s);
    double side = odds(r, 3) ? -1 : 1; /* what comes into a wedge of 1e-3 bounces 1e3 times */
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
    small_system system = odds(r, 2) ? draw_dense(r, 6) : draw_chain(r, 3, 6, odds(r, 2));
    size_t more = 1 + rng_below(r, 3);
    for (size_t k = 0; k < more; k++) {
        size_t a = rng_below(r, system.s), b = rng_below(r, system.s);
        double of_a = rng_uniform(r, 0.2, 2), of_b = odds(r, 2) ? 0 : rng_uniform(r, 0.2, 2);
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
    bool only = odds(r, 2);
    add_like(&chain, 0);
    memset(&chain.w[(chain.s - 1) * chain.n], 0, chain.n * sizeof *chain.w);
    chain.w[(chain.s - 1) * chain.n] = odds(r, 2) ? 1 : rng_uniform(r, 0.2, 2);
    for (size_t j = 0; j < chain.s; j++) {
        chain.restitution[j] = only || odds(r, 2) ? 0 : rng_uniform(r, 0, 0.9);
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

static small_system draw_parts(rng *r)
{
    small_system first = draw_chain(r, 2, 6, odds(r, 2)), second = draw_chain(r, 2, 6, odds(r, 2));
    if (odds(r, 2)) {
        second = first;
    }
    double slow = odds(r, 2) ? 1 : rng_log(r, 1e-6, 1), soft = odds(r, 2) ? 1 : rng_log(r, 1e-4, 1);
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
    case DRAW_TIES:
        return draw_ties(r);
    case DRAW_DECADES:
        return draw_decades(r);
    case DRAW_PARALLEL:
        return draw_parallel(r);
    case DRAW_DEPENDENT:
        return draw_dependent(r);
    case DRAW_PINCHED:
        return draw_pinched(r);
    case DRAW_PARTS:
        return draw_parts(r);
    case DRAW_UNITS:
        return draw_units(r);
    case DRAW_STORED:
        return draw_stored(r);
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

draw draw_system(uint64_t seed, size_t index)
{
    rng r = rng_seeded(seed * 0x9e3779b97f4a7c15u + index);
    r = rng_seeded(rng_next(&r));
    size_t round = 0, place, kind = 0;
    for (size_t k = 0; k < DRAW_KINDS; k++) {
        round += shares[k];
    }
    for (place = index % round; place >= shares[kind]; kind++) {
        place -= shares[kind];
    }
    draw d = {.kind = (draw_kind)kind, .mono = rng_below(&r, 4) == 0};
    do {
        d.system = draw_kind_of(&r, d.kind);
    } while (!strikes(&d.system));
    return d;
}

/* ---- As a scenario --------------------------------------------------------------------------- */

static void print_row(const double *values, size_t count)
{
    printf("[");
    for (size_t i = 0; i < count; i++) {
        printf("%s%.17g", i > 0 ? ", " : "", values[i]);
    }
    printf("]");
}

void draw_dump(const draw *d, double tolerance, const char *title)
{
    const small_system *s = &d->system;
    printf("title: \"%s\"\n", title);
    printf("laws: [{law: lzb, stiffness_model: %s, tolerance: %g}]\nsystem:\n  mass:\n",
           d->mono ? "mono" : "bi", tolerance);
    for (size_t i = 0; i < s->n; i++) {
        printf("    - ");
        print_row(&s->mass[i * s->n], s->n);
        printf("\n");
    }
    printf("  velocity: ");
    print_row(s->velocity, s->n);
    printf("\n  contacts:\n");
    for (size_t j = 0; j < s->s; j++) {
        printf("    - {w: ");
        print_row(&s->w[j * s->n], s->n);
        printf(", stiffness: %.17g, exponent: %.17g, restitution: %.17g", s->stiffness[j],
               s->exponent[j], s->restitution[j]);
        if (s->stored_energy[j] > 0) {
            printf(", energy: %.17g", s->stored_energy[j]);
        }
        if (s->boundary_velocity[j] != 0) {
            printf(", boundary_velocity: %.17g", s->boundary_velocity[j]);
        }
        printf("}\n");
    }
}
