#include "chain.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static const crm_material STEEL = {.young = 203e9, .poisson = 0.3, .density = 7780};
static const double RADIUS = 0.01;
static const double PI = 3.14159265358979323846;

static chain steel(size_t balls, bool wall)
{
    chain c = {.balls = balls,
               .contacts = balls - (wall ? 0 : 1),
               .mass = malloc(balls * sizeof *c.mass),
               .stiffness = malloc(balls * sizeof *c.stiffness),
               .velocity = calloc(balls, sizeof *c.velocity),
               .exponent = 1.5,
               .restitution = 1};
    if (c.mass == NULL || c.stiffness == NULL || c.velocity == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    for (size_t i = 0; i < balls; i++) {
        c.mass[i] = STEEL.density * 4.0 / 3.0 * PI * RADIUS * RADIUS * RADIUS;
        c.stiffness[i] = crm_hertz_stiffness(STEEL, RADIUS, STEEL, RADIUS);
    }
    if (wall) {
        c.stiffness[balls - 1] = crm_hertz_stiffness(STEEL, RADIUS, STEEL, INFINITY);
    }
    return c;
}

chain chain_of_steel(size_t balls)
{
    chain c = steel(balls, false);
    c.velocity[0] = 1;
    return c;
}

/* Splitmix64: the same numbers on every machine. */
static double next_number(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

chain chain_disordered(size_t balls)
{
    uint64_t seed = 1;
    chain c = chain_of_steel(balls);
    for (size_t i = 0; i < balls; i++) {
        c.mass[i] *= 0.5 + next_number(&seed);
    }
    c.restitution = 0.96;
    return c;
}

chain chain_on_wall(size_t balls)
{
    chain c = steel(balls, true);
    for (size_t i = 0; i < balls; i++) {
        c.velocity[i] = 1;
    }
    return c;
}

void chain_release(chain *c)
{
    free(c->mass);
    free(c->stiffness);
    free(c->velocity);
}

bool chain_has_wall(const chain *c)
{
    return c->contacts == c->balls;
}

double chain_energy(const chain *c, const double *velocity)
{
    double energy = 0;
    for (size_t i = 0; i < c->balls; i++) {
        energy += 0.5 * c->mass[i] * velocity[i] * velocity[i];
    }
    return energy;
}

double chain_time(const chain *c)
{
    return pow(c->mass[0] / c->stiffness[0], 0.4);
}

/* Neighbours that close are pooled, and pooled again, until none does. */
void chain_project(const chain *c, double *velocity)
{
    size_t blocks = 0, *size = malloc(c->balls * sizeof *size);
    double *mass = malloc(c->balls * sizeof *mass), *speed = malloc(c->balls * sizeof *speed);
    if (size == NULL || mass == NULL || speed == NULL) {
        exit(1);
    }
    for (size_t i = 0; i < c->balls; i++) {
        size_t k = blocks++;
        size[k] = 1;
        mass[k] = c->mass[i];
        speed[k] = velocity[i];
        for (; k > 0 && speed[k - 1] > speed[k]; k--, blocks--) {
            double both = mass[k - 1] + mass[k];
            speed[k - 1] = (mass[k - 1] * speed[k - 1] + mass[k] * speed[k]) / both;
            mass[k - 1] = both;
            size[k - 1] += size[k];
        }
    }
    for (size_t k = 0, i = 0; k < blocks; k++) {
        for (size_t end = i + size[k]; i < end; i++) {
            velocity[i] = speed[k];
        }
    }
    free(size);
    free(mass);
    free(speed);
}

crm_model *chain_model(const chain *c)
{
    crm_chain_def def = crm_chain_def_default();
    def.count = c->balls;
    def.mass.each = c->mass;
    def.stiffness.each = c->stiffness;
    def.exponent.all = c->exponent;
    def.restitution.all = c->restitution;
    if (chain_has_wall(c)) {
        def.wall_side = CRM_WALL_RIGHT;
        def.wall.stiffness = c->stiffness[c->contacts - 1];
    }
    crm_model *model = NULL;
    crm_error error = {0};
    if (crm_model_from_chain(&def, &model, &error) != CRM_OK) {
        fprintf(stderr, "%s\n", error.message);
    }
    return model;
}
