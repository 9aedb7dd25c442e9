/* gas: many spheres or discs at random places in a box, with random velocities.
 *
 * Places are drawn uniformly, one body after the other from the largest on, each again until it is
 * free of those before (random sequential addition; B. Widom, J. Chem. Phys. 44 (1966)). That fills
 * at most .547 of the plane, .38 of space and .748 of the line, and the last percents of it slowly.
 * Every draw is a function of the seed and of what is drawn, so that other radii, say, do not
 * change the velocities.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/random.h"
#include "model/shape/shape.h"
#include "scenario/block/bodies/gas.h"

enum { CRM_GAS_FIELDS(CRM_FIELD_INDEX) GAS_FIELDS };

/* What is drawn. */
enum { DRAW_PLACE, DRAW_VELOCITY, DRAW_RADIUS };
/* Places tried, in the mean over all bodies, before it is said that they do not fit. */
static const double TRIES = 1000;
static const double PI = 3.14159265358979323846;
static const crm_range LENGTHS = {1e-30, 1e30, false, "a length " CRM_LENGTHS};

/* ---- What is said ---------------------------------------------------------------------------- */

static double box_volume(const crm_gas *gas)
{
    double volume = 1;
    for (unsigned d = 0; d < gas->dimension; d++) {
        volume *= gas->box[d];
    }
    return volume;
}

/* Of a ball with radius r: r^dimension times this. */
static double ball_volume(unsigned dimension)
{
    return dimension == 1 ? 2 : dimension == 2 ? PI : 4 * PI / 3;
}

/* The radius that fills a fraction of the box. */
static double filling_radius(const crm_gas *gas, double fraction)
{
    double power = fraction * box_volume(gas) / ((double)gas->count * ball_volume(gas->dimension));
    return gas->dimension == 1 ? power : gas->dimension == 2 ? sqrt(power) : crm_cbrt(power);
}

static crm_status read_radius(crm_reader *reader, const crm_node *node, crm_gas *gas)
{
    if (node->kind == CRM_NODE_SCALAR) {
        crm_status status = crm_reader_in_range(reader, node, LENGTHS, &gas->radius[0]);
        gas->radius[1] = gas->radius[0];
        return status;
    }
    crm_status status = crm_reader_list(reader, node, 2, "end of the range", gas->radius);
    bool two = node->kind == CRM_NODE_SEQUENCE && node->count == 2; /* else it has been reported */
    for (size_t k = 0; k < 2 && status == CRM_OK && two; k++) {
        status = crm_reader_in_range(reader, node->items[k], LENGTHS, &gas->radius[k]);
    }
    return status == CRM_OK && gas->radius[0] > gas->radius[1]
               ? crm_reader_fail(reader, node, "is %g to %g; the smaller radius must come first",
                                 gas->radius[0], gas->radius[1])
               : status;
}

static crm_status read_sizes(crm_reader *reader, const crm_node *node,
                             const crm_node *const *fields, crm_gas *gas)
{
    static const crm_range fractions = {0, 1, true, "a part of the box, above 0 and below 1"};
    const crm_node *radius = fields[GAS_RADIUS], *fraction = fields[GAS_FRACTION];
    double part = 0;
    if (radius != NULL && fraction != NULL) {
        return crm_reader_fail(reader, fraction, "is given beside radius, from which it follows");
    }
    if (radius == NULL && fraction == NULL) {
        return crm_reader_fail(reader, node, "needs one of radius and fraction");
    }
    if (radius != NULL) {
        return read_radius(reader, radius, gas);
    }
    crm_status status = crm_reader_in_range(reader, fraction, fractions, &part);
    gas->radius[0] = gas->radius[1] = filling_radius(gas, part);
    return status;
}

static crm_status check_room(crm_reader *reader, const crm_node *box, const crm_gas *gas)
{
    for (unsigned d = 0; d < gas->dimension; d++) {
        if (!(gas->box[d] > 2 * gas->radius[1])) {
            return crm_reader_fail(reader, box,
                                   "has a side of %g m; must be longer than the largest body, %g m",
                                   gas->box[d], 2 * gas->radius[1]);
        }
    }
    return CRM_OK;
}

static crm_status read_box(crm_reader *reader, const crm_node *const *fields, crm_gas *gas)
{
    const crm_node *box = fields[GAS_BOX];
    crm_status status = crm_reader_vector(reader, box, gas->dimension, gas->box);
    for (unsigned d = 0; d < gas->dimension && status == CRM_OK; d++) {
        if (!(gas->box[d] >= LENGTHS.least && gas->box[d] <= LENGTHS.most)) {
            status = crm_reader_fail(reader, box, "has a side of %g m; must be %s", gas->box[d],
                                     LENGTHS.text);
        }
    }
    return status == CRM_OK
               ? crm_reader_vector(reader, fields[GAS_CORNER], gas->dimension, gas->corner)
               : status;
}

static crm_status read_seed(crm_reader *reader, const crm_node *node, uint64_t *seed)
{
    static const crm_range seeds = {0, 0x1p53, false, "a whole number from 0 to 2^53"};
    double number = 1;
    crm_status status = node != NULL ? crm_reader_in_range(reader, node, seeds, &number) : CRM_OK;
    if (status == CRM_OK && number != floor(number)) {
        status = crm_reader_fail_value(reader, node, seeds.text);
    }
    *seed = (uint64_t)number;
    return status;
}

static crm_status read_walls(crm_reader *reader, const crm_node *node, crm_gas *gas)
{
    static const char *const kinds[] = {
        [CRM_GAS_NONE] = "none", [CRM_GAS_OPEN] = "open", [CRM_GAS_CLOSED] = "closed"};
    size_t kind = CRM_GAS_CLOSED;
    crm_status status =
        node != NULL ? crm_reader_choice(reader, node, kinds, CRM_COUNT(kinds), &kind) : CRM_OK;
    gas->walls = (crm_gas_walls)kind;
    return status;
}

static crm_status read_matter(crm_reader *reader, const crm_node *const *fields, crm_gas *gas)
{
    static const crm_range masses = {1e-60, 1e60, false, "a mass " CRM_MASSES};
    static const crm_range energies = {0, 1e140, false, "an energy from 0 to 1e140, in J"};
    crm_status status = crm_material_read(reader, fields[GAS_MATERIAL], &gas->material);
    if (status == CRM_OK && fields[GAS_MASS] != NULL) {
        status = crm_reader_in_range(reader, fields[GAS_MASS], masses, &gas->mass);
    }
    if (status == CRM_OK && fields[GAS_TEMPERATURE] != NULL) {
        status = crm_reader_in_range(reader, fields[GAS_TEMPERATURE], energies, &gas->temperature);
    }
    return status == CRM_OK
               ? crm_reader_velocity(reader, fields[GAS_VELOCITY], gas->dimension, gas->velocity)
               : status;
}

crm_status crm_gas_read(crm_reader *reader, const crm_node *node, unsigned dimension, crm_gas *gas)
{
    const crm_node *fields[GAS_FIELDS];
    *gas = (crm_gas){.node = node, .dimension = dimension, .mass = NAN};
    crm_status status = crm_reader_block(reader, node, CRM_BLOCK_GAS, fields);
    if (status == CRM_OK && (fields[GAS_COUNT] == NULL || fields[GAS_BOX] == NULL)) {
        return crm_reader_fail_missing(reader, node, fields[GAS_COUNT] == NULL ? "count" : "box");
    }
    status = status == CRM_OK ? crm_reader_count(reader, fields[GAS_COUNT],
                                                 reader->tree->limits.bodies, &gas->count)
                              : status;
    status = status == CRM_OK ? read_box(reader, fields, gas) : status;
    status = status == CRM_OK ? read_sizes(reader, node, fields, gas) : status;
    if (status == CRM_OK && !crm_mistakes_any(reader)) {
        status = check_room(reader, fields[GAS_BOX], gas);
    }
    status = status == CRM_OK ? read_matter(reader, fields, gas) : status;
    status = status == CRM_OK ? read_walls(reader, fields[GAS_WALLS], gas) : status;
    if (status == CRM_OK && !crm_mistakes_any(reader)) {
        crm_warnings_check_radius(reader, fields[GAS_RADIUS], gas->radius[1], gas->material,
                                  CRM_BALL_LARGEST);
    }
    return status == CRM_OK ? read_seed(reader, fields[GAS_SEED], &gas->seed) : status;
}

/* ---- Radii and masses ------------------------------------------------------------------------ */

static int larger_first(const void *a, const void *b)
{
    double x = ((const crm_body_def *)a)->radius, y = ((const crm_body_def *)b)->radius;
    return (x < y) - (x > y);
}

/* Of one density: m r^dimension/R^dimension of the largest, R. */
static double mass_of(const crm_gas *gas, double radius)
{
    double part = radius / gas->radius[1];
    if (isnan(gas->mass) && gas->material != NULL && !isnan(gas->material->density)) {
        return gas->material->density * ball_volume(3) * radius * radius * radius;
    }
    double whole = isnan(gas->mass) ? 1 : gas->mass;
    return whole * (gas->dimension == 1   ? part
                    : gas->dimension == 2 ? part * part
                                          : part * part * part);
}

static void make_bodies(const crm_gas *gas, crm_body_def *bodies)
{
    double range = gas->radius[1] - gas->radius[0];
    for (size_t i = 0; i < gas->count; i++) {
        crm_random_place at = {.seed = gas->seed, .draw = (uint32_t)i, .field = DRAW_RADIUS};
        bodies[i] = crm_body_def_default();
        bodies[i].radius =
            range > 0 ? gas->radius[0] + range * crm_random_uniform(at) : gas->radius[0];
        bodies[i].material = gas->material;
    }
    if (range > 0) {
        qsort(bodies, gas->count, sizeof *bodies, larger_first);
    }
    for (size_t i = 0; i < gas->count; i++) {
        bodies[i].mass = mass_of(gas, bodies[i].radius);
    }
}

/* ---- Places ---------------------------------------------------------------------------------- */

/* Cells no narrower than the largest body, with lists of those in them. */
typedef struct cells {
    const crm_gas *gas;
    const crm_body_def *bodies;
    size_t across[3];
    uint32_t *head, *next; /* UINT32_MAX: none */
} cells;

/* No more cells than a few for every body. */
static void choose_cells(const crm_gas *gas, size_t across[3])
{
    double side = 2 * gas->radius[1], number = INFINITY;
    for (; number > 4 * (double)gas->count + 1; side *= 2) {
        number = 1;
        for (unsigned d = 0; d < 3; d++) {
            double here = d < gas->dimension ? fmax(1, floor(gas->box[d] / side)) : 1;
            across[d] = here < 1e9 ? (size_t)here : 1;
            number *= here;
        }
    }
}

static void find_cell(const cells *c, const double place[3], size_t cell[3])
{
    for (unsigned d = 0; d < 3; d++) {
        double part = d < c->gas->dimension
                          ? (place[d] - c->gas->corner[d]) / c->gas->box[d] * (double)c->across[d]
                          : 0;
        size_t index = part > 0 ? (size_t)part : 0;
        cell[d] = index < c->across[d] ? index : c->across[d] - 1;
    }
}

static size_t cell_number(const cells *c, size_t x, size_t y, size_t z)
{
    return (z * c->across[1] + y) * c->across[0] + x;
}

static bool overlap(const double *a, const double *b, double reach)
{
    double square = 0;
    for (unsigned d = 0; d < 3; d++) {
        square += (a[d] - b[d]) * (a[d] - b[d]);
    }
    return square <= reach * reach;
}

static bool cell_is_free(const cells *c, size_t number, const crm_body_def *body)
{
    for (uint32_t j = c->head[number]; j != UINT32_MAX; j = c->next[j]) {
        if (overlap(body->position, c->bodies[j].position, body->radius + c->bodies[j].radius)) {
            return false;
        }
    }
    return true;
}

static bool is_free(const cells *c, const crm_body_def *body)
{
    size_t cell[3], low[3], high[3];
    find_cell(c, body->position, cell);
    for (unsigned d = 0; d < 3; d++) {
        low[d] = cell[d] > 0 ? cell[d] - 1 : 0;
        high[d] = cell[d] + 1 < c->across[d] ? cell[d] + 1 : cell[d];
    }
    for (size_t z = low[2]; z <= high[2]; z++) {
        for (size_t y = low[1]; y <= high[1]; y++) {
            for (size_t x = low[0]; x <= high[0]; x++) {
                if (!cell_is_free(c, cell_number(c, x, y, z), body)) {
                    return false;
                }
            }
        }
    }
    return true;
}

/* Bodies that are listed by themselves; of those that hang the place is not known here, and the
 * motion refuses what overlaps them.
 */
static bool is_free_of_others(const crm_gas_others *others, const crm_body_def *body,
                              unsigned dimension)
{
    for (size_t j = 0; j < others->count; j++) {
        const crm_body_def *other = &others->bodies[j];
        crm_solid solid = crm_solid_of(other, dimension);
        if (!others->hangs[j] &&
            overlap(body->position, other->position, body->radius + crm_solid_reach(&solid))) {
            return false;
        }
    }
    return true;
}

static void draw_place(const crm_gas *gas, size_t index, uint32_t attempt, crm_body_def *body)
{
    for (unsigned d = 0; d < gas->dimension; d++) {
        crm_random_place at = {.seed = gas->seed,
                               .draw = (uint32_t)index,
                               .attempt = attempt,
                               .field = DRAW_PLACE,
                               .entry = d};
        double room = gas->box[d] - 2 * body->radius;
        body->position[d] = gas->corner[d] + body->radius + room * crm_random_uniform(at);
    }
}

static bool place_body(cells *c, size_t i, const crm_gas_others *others, crm_body_def *body,
                       double *tries)
{
    uint32_t attempt = 0;
    do {
        if (*tries <= 0 || attempt == UINT32_MAX) {
            return false;
        }
        --*tries;
        draw_place(c->gas, i, attempt++, body);
    } while (!is_free(c, body) || !is_free_of_others(others, body, c->gas->dimension));
    size_t cell[3];
    find_cell(c, body->position, cell);
    uint32_t *head = &c->head[cell_number(c, cell[0], cell[1], cell[2])];
    c->next[i] = *head;
    *head = (uint32_t)i;
    return true;
}

static crm_status place_bodies(crm_reader *reader, const crm_gas *gas, const crm_gas_others *others,
                               crm_body_def *bodies)
{
    cells c = {.gas = gas, .bodies = bodies};
    choose_cells(gas, c.across);
    size_t number = c.across[0] * c.across[1] * c.across[2];
    c.head = CRM_ARENA_NEW(&reader->scratch, uint32_t, number);
    c.next = CRM_ARENA_NEW(&reader->scratch, uint32_t, gas->count);
    if (c.head == NULL || c.next == NULL) {
        return crm_reader_fail_memory(reader);
    }
    memset(c.head, 0xff, number * sizeof *c.head); /* UINT32_MAX */
    double tries = TRIES * (double)gas->count;
    for (size_t i = 0; i < gas->count; i++) {
        if (!place_body(&c, i, others, &bodies[i], &tries)) {
            return crm_reader_fail(reader, gas->node,
                                   "has room for %zu of %zu bodies, placed at random one after the "
                                   "other: give fewer or smaller ones, or a larger box",
                                   i, gas->count);
        }
    }
    return CRM_OK;
}

/* ---- Velocities ------------------------------------------------------------------------------ */

/* m v'v over all. */
static double weigh(const crm_gas *gas, const crm_body_def *bodies, const double *velocity)
{
    double sum = 0;
    for (size_t k = 0; k < gas->count * gas->dimension; k++) {
        sum += bodies[k / gas->dimension].mass * velocity[k] * velocity[k];
    }
    return sum;
}

/* Without their common motion; one body alone keeps its own. */
static void subtract_mean(const crm_gas *gas, const crm_body_def *bodies, double *velocity)
{
    for (unsigned d = 0; d < gas->dimension && gas->count > 1; d++) {
        double momentum = 0, mass = 0;
        for (size_t i = 0; i < gas->count; i++) {
            momentum += bodies[i].mass * velocity[i * gas->dimension + d];
            mass += bodies[i].mass;
        }
        for (size_t i = 0; i < gas->count; i++) {
            velocity[i * gas->dimension + d] -= momentum / mass;
        }
    }
}

/* Normal with T/m in each direction; then scaled, so that the temperature is exactly the one asked
 * for.
 */
static void draw_velocities(const crm_gas *gas, const crm_body_def *bodies, double *velocity)
{
    size_t numbers = gas->count * gas->dimension;
    for (size_t k = 0; k < numbers; k++) {
        crm_random_place at = {.seed = gas->seed,
                               .draw = (uint32_t)(k / gas->dimension),
                               .field = DRAW_VELOCITY,
                               .entry = (uint32_t)(k % gas->dimension)};
        velocity[k] = gas->temperature > 0
                          ? crm_random_normal(at) / sqrt(bodies[k / gas->dimension].mass)
                          : 0;
    }
    subtract_mean(gas, bodies, velocity);
    double drawn = weigh(gas, bodies, velocity);
    double scale = drawn > 0 ? sqrt((double)numbers * gas->temperature / drawn) : 0;
    for (size_t k = 0; k < numbers; k++) {
        velocity[k] = scale * velocity[k] + gas->velocity[k % gas->dimension];
    }
}

crm_status crm_gas_fill(crm_reader *reader, const crm_gas *gas, const crm_gas_others *others,
                        crm_body_def *bodies, double *velocity)
{
    make_bodies(gas, bodies);
    crm_status status = place_bodies(reader, gas, others, bodies);
    if (status == CRM_OK) {
        draw_velocities(gas, bodies, velocity);
    }
    return status;
}

/* ---- Walls ----------------------------------------------------------------------------------- */

size_t crm_gas_wall_count(const crm_gas *gas)
{
    return gas->walls == CRM_GAS_NONE ? 0 : 2 * gas->dimension - (gas->walls == CRM_GAS_OPEN);
}

void crm_gas_fill_walls(const crm_gas *gas, crm_wall_def *walls)
{
    static const char *const names[3][2] = {
        {"left wall", "right wall"}, {"front wall", "back wall"}, {"floor", "ceiling"}};
    for (size_t k = 0; k < crm_gas_wall_count(gas); k++) {
        size_t d = k / 2, side = k % 2;
        walls[k] = crm_wall_def_default();
        walls[k].name = names[d > 0 && d + 1 == gas->dimension ? 2 : d][side];
        walls[k].normal[d] = side == 0 ? 1 : -1;
        walls[k].point[d] = gas->corner[d] + (side == 0 ? 0 : gas->box[d]);
        walls[k].material = gas->material;
    }
}
