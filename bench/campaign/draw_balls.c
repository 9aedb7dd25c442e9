/* Discs and balls that touch. */
#include <math.h>
#include <string.h>

#include "draw_parts.h"

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
    bool equal = one_chance_in(r, 3), struck = one_chance_in(r, 2);
    draw_contacts(r, system);
    for (size_t i = 0; i < system->n; i++) {
        mass[i] = i % dimension > 0 ? mass[i - 1] : equal ? 1 : near_one(r);
        system->velocity[i] = struck && i >= dimension ? 0 : rng_normal(r);
    }
    set_masses(system, mass);
}

small_system draw_patch(rng *r)
{
    disc_patch patch;
    random_choice choice = random_choice_default();
    choice.most_contacts = 12;
    small_system system = random_disc_patch(r, choice, &patch);
    draw_contacts(r, &system);
    return system;
}

small_system draw_ring(rng *r)
{
    cluster ring = {.count = 3 + rng_below(r, 6), .dimension = 2};
    double step = 6.283185307179586 / (double)ring.count, radius = 0.5 / sin(step / 2);
    for (size_t i = 0; i < ring.count; i++) {
        ring.position[i][0] = radius * cos(step * (double)i);
        ring.position[i][1] = radius * sin(step * (double)i);
    }
    small_system system = touching(&ring);
    draw_balls(r, &system, 2);
    if (one_chance_in(r, 2)) { /* all move inwards */
        for (size_t i = 0; i < system.n; i++) {
            system.velocity[i] = -ring.position[i / 2][i % 2] / radius;
        }
    }
    return system;
}

/* Rows of discs on each other, the lowest on the floor; struck from above. */
small_system draw_stack(rng *r)
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
    system.velocity[system.n - 2] = one_chance_in(r, 2) ? 0 : rng_normal(r);
    return system;
}

/* Two balls to two tetrahedra, grown one by one in the hollow of three others; or a string. */
small_system draw_space(rng *r)
{
    static const double places[][3] = {{0, 0, 0},
                                       {1, 0, 0},
                                       {0.5, 0.8660254037844386, 0},
                                       {0.5, 0.28867513459481287, 0.8164965809277260},
                                       {0.5, 0.28867513459481287, -0.8164965809277260}};
    cluster c = {.count = 2 + rng_below(r, 4), .dimension = 3};
    memcpy(c.position, places, sizeof places);
    for (size_t i = 2; i < c.count && one_chance_in(r, 3);
         i++) { /* beside the last one, anywhere */
        double angle = rng_uniform(r, 0, 1.5);
        c.position[i][0] = c.position[i - 1][0] + cos(angle);
        c.position[i][1] = c.position[i - 1][1] - sin(angle);
        c.position[i][2] = c.position[i - 1][2];
    }
    small_system system = touching(&c);
    draw_balls(r, &system, 3);
    return system;
}
