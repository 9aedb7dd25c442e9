/* A packing that is drawn: where the balls of its lattice lie, and the walls around them. */
#include <math.h>
#include <string.h>

#include "model/packing/packing.h"
#include "scenario/reader.h"

/* Of balls whose radius is not given. */
static const double RADIUS = 1;

enum { WALLS_MOST = 5 };

typedef struct lattice {
    const crm_packing_def *def;
    crm_lattice_shape shape;
    double radius;
    double rise; /* from level to level */
} lattice;

static lattice lattice_of(const crm_packing_def *def)
{
    lattice l = {.def = def,
                 .shape = crm_lattice_shape_of(def),
                 .radius = isnan(def->radius) ? RADIUS : def->radius};
    double steep = !l.shape.staggered ? 1 : l.shape.dimension == 2 ? sqrt(0.75) : sqrt(0.5);
    l.rise = 2 * l.radius * steep;
    return l;
}

/* Ball x of a line; the lowest level and the outermost balls touch the planes through 0. */
static crm_body_def ball_at(const lattice *l, const crm_lattice_line *line, size_t x)
{
    crm_body_def ball = crm_body_def_default();
    double shift = l->shape.tapering                                ? 1 + (double)line->level
                   : crm_lattice_in_hollows(&l->shape, line->level) ? 2
                                                                    : 1;
    ball.radius = l->radius;
    ball.position[0] = (2 * (double)x + shift) * l->radius;
    ball.position[1] = (2 * (double)line->y + shift) * l->radius;
    ball.position[l->shape.dimension - 1] = l->radius + (double)line->level * l->rise;
    return ball;
}

/* The line that holds a ball of the lattice. */
static crm_lattice_line line_of(const lattice *l, size_t ball)
{
    size_t low = 0, high = crm_lattice_levels(&l->shape);
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        bool above = crm_lattice_line_at(&l->shape, middle, 0).first <= ball;
        low = above ? middle : low;
        high = above ? high : middle;
    }
    crm_lattice_line line = crm_lattice_line_at(&l->shape, low, 0);
    return crm_lattice_line_at(&l->shape, low, (ball - line.first) / line.length);
}

static crm_body_def place_ball(const lattice *l, size_t ball)
{
    crm_lattice_line line = line_of(l, ball);
    return ball_at(l, &line, ball - line.first);
}

static crm_status place_projectile(const lattice *l, crm_body_def *body, crm_error *error)
{
    crm_packing_strike strike = {0};
    crm_status status = crm_packing_find_strike(l->def, &l->shape, &strike, error);
    if (status != CRM_OK) {
        return status;
    }
    double radius = isnan(l->def->projectile->radius) ? l->radius : l->def->projectile->radius;
    *body = place_ball(l, strike.ball[0]);
    for (unsigned d = 0; d < l->shape.dimension; d++) {
        body->position[d] += strike.normal[0][d] * (l->radius + radius);
    }
    body->radius = radius;
    return CRM_OK;
}

/* A floor, and sides by their axis. */
static size_t place_walls(const lattice *l, crm_wall_def *walls)
{
    size_t count = 0, up = l->shape.dimension - 1;
    if (l->def->walls == CRM_PACKING_OPEN) {
        return 0;
    }
    walls[count] = crm_wall_def_default();
    walls[count++].normal[up] = 1;
    for (size_t d = 0; d < up && l->def->walls == CRM_PACKING_BOX; d++) {
        walls[count] = crm_wall_def_default();
        walls[count++].normal[d] = 1;
        walls[count] = crm_wall_def_default();
        walls[count].point[d] = 2 * (double)l->shape.size[d] * l->radius;
        walls[count++].normal[d] = -1;
    }
    return count;
}

crm_status crm_lattice_place_packing(crm_reader *reader, const crm_node *node,
                                     const crm_packing_def *def)
{
    lattice l = lattice_of(def);
    crm_error error = {0};
    size_t balls = crm_lattice_balls(&l.shape);
    crm_bodies_def *placed = &reader->motion.scene.bodies;
    crm_body_def *bodies = CRM_ARENA_NEW(&reader->scratch, crm_body_def, reader->drawn_count);
    crm_wall_def *walls = CRM_ARENA_NEW(&reader->scratch, crm_wall_def, WALLS_MOST);
    if (bodies == NULL || walls == NULL) {
        return crm_reader_fail_memory(reader);
    }
    for (size_t i = 0; i < reader->drawn_count; i++) {
        if (reader->drawn[i] < balls) {
            bodies[i] = place_ball(&l, reader->drawn[i]);
        } else if (place_projectile(&l, &bodies[i], &error) != CRM_OK) {
            return crm_reader_fail_library(reader, node, &error);
        }
    }
    placed->dimension = l.shape.dimension;
    placed->body_count = reader->drawn_count;
    placed->bodies = bodies;
    placed->wall_count = place_walls(&l, walls);
    placed->walls = walls;
    return CRM_OK;
}
