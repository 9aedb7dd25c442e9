#include "packing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NEIGHBOURS = 12 };

/* Neighbours with a higher number, in steps of the lattice that depend on the parity of row and
 * layer. Lattice place (x, y, z) is at
 *     X = x + (y % 2) / 2 + (z % 2) / 2,  Y = sqrt(3)/2 y + sqrt(3)/6 (z % 2),  Z = sqrt(2/3) z.
 */
static void place(size_t x, size_t y, size_t z, double *position)
{
    position[0] = (double)x + 0.5 * (double)(y % 2) + 0.5 * (double)(z % 2);
    position[1] = sqrt(0.75) * (double)y + sqrt(3.0) / 6.0 * (double)(z % 2);
    position[2] = sqrt(2.0 / 3.0) * (double)z;
}

/* Whether two balls of diameter 1 touch; the normal if they do. */
static bool touches(const double *a, const double *b, double *normal)
{
    double square = 0.0;
    for (size_t i = 0; i < 3; i++) {
        normal[i] = b[i] - a[i];
        square += normal[i] * normal[i];
    }
    return fabs(square - 1.0) < 1e-6;
}

static void find_contacts(packing *p, size_t side, size_t layers)
{
    for (size_t here = 0; here < p->balls; here++) {
        size_t x = here % side, y = here / side % side, z = here / (side * side);
        double a[3], b[3];
        place(x, y, z, a);
        for (size_t k = 0; k < 5 * 5 * 2; k++) { /* x and y within 2, this layer or the next */
            size_t nx = x + k % 5, ny = y + k / 5 % 5, nz = z + k / 25;
            if (nx < 2 || nx - 2 >= side || ny < 2 || ny - 2 >= side || nz >= layers) {
                continue;
            }
            size_t other = (nz * side + ny - 2) * side + nx - 2;
            place(nx - 2, ny - 2, nz, b);
            if (other > here && touches(a, b, p->normal[p->contacts])) {
                p->pair[p->contacts][0] = here;
                p->pair[p->contacts++][1] = other;
            }
        }
    }
}

static void fill_delassus(packing *p)
{
    size_t *touching = calloc(p->balls * MOST_NEIGHBOURS, sizeof *touching);
    size_t *count = calloc(p->balls, sizeof *count);
    size_t entries = 0;
    for (size_t j = 0; j < p->contacts; j++) {
        for (size_t end = 0; end < 2; end++) {
            size_t ball = p->pair[j][end];
            touching[MOST_NEIGHBOURS * ball + count[ball]++] = j;
        }
    }
    for (size_t i = 0; i < p->balls; i++) {
        entries += count[i] * count[i];
    }
    p->start = calloc(p->contacts + 1, sizeof *p->start);
    p->column = calloc(entries, sizeof *p->column);
    p->value = calloc(entries, sizeof *p->value);
    entries = 0;
    for (size_t j = 0; j < p->contacts; j++) {
        p->column[entries] = (uint32_t)j;
        p->value[entries++] = 1.0 / p->mass[p->pair[j][0]] + 1.0 / p->mass[p->pair[j][1]];
        for (size_t end = 0; end < 2; end++) {
            size_t ball = p->pair[j][end];
            for (size_t k = 0; k < count[ball]; k++) {
                size_t o = touching[MOST_NEIGHBOURS * ball + k];
                double sign = p->pair[o][end] == ball ? 1.0 : -1.0;
                const double *n = p->normal[j], *m = p->normal[o];
                if (o != j) {
                    p->column[entries] = (uint32_t)o;
                    p->value[entries++] =
                        sign * (n[0] * m[0] + n[1] * m[1] + n[2] * m[2]) / p->mass[ball];
                }
            }
        }
        p->start[j + 1] = entries;
    }
    free(touching);
    free(count);
}

static packing packing_allocate(size_t balls)
{
    size_t most = balls * MOST_NEIGHBOURS / 2 + 1;
    return (packing){.balls = balls,
                     .pair = calloc(most, sizeof(size_t[2])),
                     .normal = calloc(most, sizeof(double[3])),
                     .mass = calloc(balls, sizeof(double))};
}

packing packing_make(packing_kind kind, size_t side, double decades, rng *r)
{
    size_t layers = kind == PACKING_DENSE ? side : 1;
    packing made = packing_allocate(side * side * layers);
    for (size_t i = 0; i < made.balls; i++) {
        made.mass[i] = decades > 0.0 ? pow(10.0, rng_uniform(r, -decades, decades)) : 1.0;
    }
    find_contacts(&made, side, layers);
    fill_delassus(&made);
    return made;
}

packing packing_renumbered(const packing *from, const size_t *order)
{
    packing made = packing_allocate(from->balls);
    made.contacts = from->contacts;
    memcpy(made.mass, from->mass, from->balls * sizeof *made.mass);
    for (size_t j = 0; j < from->contacts; j++) {
        memcpy(made.pair[j], from->pair[order[j]], sizeof *made.pair);
        memcpy(made.normal[j], from->normal[order[j]], sizeof *made.normal);
    }
    fill_delassus(&made);
    return made;
}

void packing_free(packing *p)
{
    free(p->pair);
    free(p->normal);
    free(p->mass);
    free(p->start);
    free(p->column);
    free(p->value);
    *p = (packing){0};
}

crm_sparse_view packing_delassus(const packing *p)
{
    return (crm_sparse_view){p->start, p->column, p->value};
}

void packing_velocities(const packing *p, packing_motion motion, rng *r, double *velocity)
{
    for (size_t i = 0; i < p->balls; i++) {
        bool moves = motion == PACKING_ROW ? i < 10 : i == 0;
        for (size_t k = 0; k < 3; k++) {
            velocity[3 * i + k] = motion == PACKING_ALL_MOVE ? rng_normal(r) : 0.0;
        }
        if (motion != PACKING_ALL_MOVE && moves) {
            velocity[3 * i] = 1.0;
            velocity[3 * i + 1] = 0.5;
            velocity[3 * i + 2] = 0.5;
        }
    }
}

void packing_speeds(const packing *p, const double *velocity, double *q)
{
    for (size_t j = 0; j < p->contacts; j++) {
        const double *a = velocity + 3 * p->pair[j][0];
        const double *b = velocity + 3 * p->pair[j][1];
        q[j] = 0.0;
        for (size_t k = 0; k < 3; k++) {
            q[j] += (b[k] - a[k]) * p->normal[j][k];
        }
    }
}
