#include "model/packing/lattice.h"

#include <math.h>
#include <string.h>

unsigned crm_lattice_dimension(crm_lattice lattice)
{
    return lattice == CRM_LATTICE_CUBIC || lattice == CRM_LATTICE_FCC ? 3 : 2;
}

crm_lattice_shape crm_lattice_shape_of(const crm_packing_def *def)
{
    unsigned dimension = crm_lattice_dimension(def->lattice);
    bool rack = def->lattice == CRM_LATTICE_RACK;
    return (crm_lattice_shape){
        .dimension = dimension,
        .staggered =
            rack || def->lattice == CRM_LATTICE_HEXAGONAL || def->lattice == CRM_LATTICE_FCC,
        .tapering = rack,
        .size = {rack ? def->rows : def->columns, def->rows, dimension == 3 ? def->layers : 1}};
}

/* Contacts and coordinates are numbered with 32 bits; no lattice has more than 6 contacts, or 3
 * coordinates, per ball.
 */
crm_status crm_lattice_check(const crm_lattice_shape *shape, crm_error *error)
{
    static const char *const names[] = {"columns", "rows", "layers"};
    bool flat = crm_lattice_levels(shape) == 1;
    double balls = 1;
    for (unsigned d = 0; d < shape->dimension; d++) {
        bool hollows = shape->staggered && !shape->tapering && !flat && d + 1 < shape->dimension;
        if (shape->size[d] < 1 || (hollows && shape->size[d] < 2)) {
            return crm_fail(error, CRM_ERROR_MODEL, names[d], "%s is %zu, must be %s", names[d],
                            shape->size[d],
                            hollows ? "2 or more: balls lie in hollows" : "1 or more");
        }
        balls *= (double)shape->size[d];
        if (CRM_NEIGHBOURS_MOST * balls >= (double)UINT32_MAX) {
            return crm_fail(error, CRM_ERROR_MODEL, names[d],
                            "%s is %zu, which makes more balls than can be numbered (%u)", names[d],
                            shape->size[d], UINT32_MAX / CRM_NEIGHBOURS_MOST);
        }
    }
    return CRM_OK;
}

size_t crm_lattice_levels(const crm_lattice_shape *shape)
{
    return shape->size[shape->dimension - 1];
}

bool crm_lattice_in_hollows(const crm_lattice_shape *shape, size_t level)
{
    return shape->staggered && (shape->tapering ? level > 0 : level % 2 == 1);
}

size_t crm_lattice_length(const crm_lattice_shape *shape, size_t level, unsigned axis)
{
    bool horizontal = axis + 1 < shape->dimension;
    size_t less = shape->tapering ? level : crm_lattice_in_hollows(shape, level);
    return horizontal ? shape->size[axis] - less : 1;
}

static size_t balls_in(const crm_lattice_shape *shape, size_t level)
{
    return crm_lattice_length(shape, level, 0) * crm_lattice_length(shape, level, 1);
}

/* Balls below a level. */
static size_t level_start(const crm_lattice_shape *shape, size_t level)
{
    if (shape->tapering) {
        return level * shape->size[0] - level * (level - (level > 0)) / 2;
    }
    return (level + 1) / 2 * balls_in(shape, 0) + level / 2 * balls_in(shape, 1);
}

size_t crm_lattice_balls(const crm_lattice_shape *shape)
{
    return level_start(shape, crm_lattice_levels(shape));
}

static size_t contacts_within(const crm_lattice_shape *shape, size_t level)
{
    size_t x = crm_lattice_length(shape, level, 0), y = crm_lattice_length(shape, level, 1);
    return (x - 1) * y + x * (y - 1);
}

/* Two levels meet at each ball of the smaller one, in a hollow at every ball around it. */
static size_t contacts_between(const crm_lattice_shape *shape)
{
    size_t around = !shape->staggered ? 1 : shape->dimension == 2 ? 2 : 4;
    return around * balls_in(shape, 1);
}

/* Contacts between all levels. In a rack of n rows every ball but those of the lowest lies on two:
 * n (n - 1). */
static size_t all_between(const crm_lattice_shape *shape)
{
    size_t levels = crm_lattice_levels(shape);
    if (shape->tapering) {
        return levels * (levels - 1);
    }
    return levels == 1 ? 0 : (levels - 1) * contacts_between(shape);
}

static size_t all_within(const crm_lattice_shape *shape)
{
    size_t levels = crm_lattice_levels(shape);
    if (shape->tapering) {
        return levels * (levels - 1) / 2;
    }
    return (levels + 1) / 2 * contacts_within(shape, 0) +
           (levels > 1 ? levels / 2 * contacts_within(shape, 1) : 0);
}

size_t crm_lattice_contacts(const crm_lattice_shape *shape)
{
    return all_within(shape) + all_between(shape);
}

size_t crm_lattice_entries(const crm_lattice_shape *shape)
{
    size_t between = all_between(shape);
    size_t slanting = shape->staggered ? 2 * (shape->dimension - 1) * between : 0;
    return 2 * crm_lattice_contacts(shape) + slanting;
}

crm_lattice_line crm_lattice_line_at(const crm_lattice_shape *shape, size_t level, size_t y)
{
    size_t length = crm_lattice_length(shape, level, 0);
    return (crm_lattice_line){level, y, level_start(shape, level) + y * length, length};
}

static crm_neighbour straight(size_t ball, unsigned axis)
{
    crm_neighbour n = {.ball = ball};
    n.normal[axis] = 1;
    return n;
}

/* Along a horizontal axis the ball above a hollow lies half a diameter from either side of it. Ball
 * `at` of a full level, or of a rack, has the hollows at - 1 and at beside it; ball `at` in a
 * hollow has the balls at and at + 1.
 */
static size_t above(const crm_lattice_shape *shape, size_t level, size_t at, unsigned axis,
                    size_t *place, double *slant)
{
    size_t length = crm_lattice_length(shape, level + 1, axis), count = 0;
    size_t shift = crm_lattice_in_hollows(shape, level) && !shape->tapering ? 1 : 0;
    for (size_t side = 0; side < 2; side++) {
        if (at + side + shift >= 1 && at + side + shift - 1 < length) {
            place[count] = at + side + shift - 1;
            slant[count++] = side == 0 ? -0.5 : 0.5;
        }
    }
    return count;
}

static size_t neighbours_in_hollows(const crm_lattice_shape *shape, const crm_lattice_line *line,
                                    size_t x, crm_neighbour *neighbours)
{
    size_t x_place[2], y_place[2] = {0, 0}, count = 0, y_count = 1;
    double x_slant[2], y_slant[2] = {0, 0};
    size_t x_count = above(shape, line->level, x, 0, x_place, x_slant);
    if (shape->dimension == 3) {
        y_count = above(shape, line->level, line->y, 1, y_place, y_slant);
    }
    for (size_t k = 0; k < y_count; k++) {
        crm_lattice_line next = crm_lattice_line_at(shape, line->level + 1, y_place[k]);
        for (size_t i = 0; i < x_count; i++) {
            crm_neighbour *n = &neighbours[count++];
            *n = (crm_neighbour){.ball = next.first + x_place[i], .normal = {x_slant[i]}};
            n->normal[1] = shape->dimension == 3 ? y_slant[k] : sqrt(0.75);
            n->normal[2] = shape->dimension == 3 ? sqrt(0.5) : 0;
        }
    }
    return count;
}

size_t crm_lattice_neighbours(const crm_lattice_shape *shape, const crm_lattice_line *line,
                              size_t x, crm_neighbour *neighbours)
{
    size_t count = 0, ball = line->first + x;
    if (x + 1 < line->length) {
        neighbours[count++] = straight(ball + 1, 0);
    }
    if (line->y + 1 < crm_lattice_length(shape, line->level, 1)) {
        neighbours[count++] = straight(ball + line->length, 1);
    }
    if (line->level + 1 == crm_lattice_levels(shape)) {
        return count;
    }
    if (shape->staggered) {
        return count + neighbours_in_hollows(shape, line, x, neighbours + count);
    }
    neighbours[count++] = straight(ball + balls_in(shape, line->level), shape->dimension - 1);
    return count;
}
