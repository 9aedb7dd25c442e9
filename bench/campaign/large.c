#include "large.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LARGE_TEXT(name, text) text,
static const char *const texts[] = {LARGE_LIST(LARGE_TEXT)};
#undef LARGE_TEXT

const char *large_kind_text(large_kind kind)
{
    return texts[kind];
}

/* ---- Who touches whom ------------------------------------------------------------------------ */

enum { FEWEST_CONTACTS = 65, SIDE = 10 };

static void touch(large_system *l, size_t entries, const uint32_t *row, const double *value)
{
    large_contact *to = &l->contact[l->s++];
    to->entries = entries;
    memcpy(to->row, row, entries * sizeof *row);
    memcpy(to->value, value, entries * sizeof *value);
}

static void draw_chain(rng *r, large_system *l, bool wall)
{
    const double between[] = {-1, 1}, at_wall[] = {-1};
    size_t most = rng_below(r, 10) == 0 ? LARGE_CONTACTS : 2 * FEWEST_CONTACTS;
    l->n = FEWEST_CONTACTS + 1 + rng_below(r, most - FEWEST_CONTACTS);
    for (uint32_t i = 0; i + 1 < l->n; i++) {
        touch(l, 2, (uint32_t[]){i, i + 1}, between);
    }
    if (wall) {
        touch(l, 1, (uint32_t[]){(uint32_t)l->n - 1}, at_wall);
    }
}

/* Discs of a lattice of triangles, of each of which a part is missing; the lowest row may lie on a
 * floor.
 */
static void draw_discs(rng *r, large_system *l, double missing, bool floor)
{
    static const int beside[3][2] = {{1, 0}, {0, 1}, {-1, 1}};
    uint32_t number[SIDE + 2][SIDE] = {{0}}; /* from 1 */
    size_t wide = 4 + rng_below(r, 5), high = 4 + rng_below(r, 4);
    l->n = l->s = 0;
    for (size_t y = 0; y < high; y++) {
        for (size_t x = 0; x < wide; x++) {
            bool there = rng_uniform(r, 0, 1) >= missing;
            l->n += there ? 2 : 0;
            number[x + 1][y] = there ? (uint32_t)l->n / 2 : 0;
        }
    }
    for (size_t y = 0; y < high; y++) {
        for (size_t x = 1; x <= wide; x++) {
            uint32_t a = number[x][y] * 2 - 2;
            for (size_t k = 0; number[x][y] > 0 && k < 3; k++) {
                uint32_t b = number[(int)x + beside[k][0]][y + (size_t)beside[k][1]];
                double along = beside[k][0] + 0.5 * beside[k][1], up = sqrt(0.75) * beside[k][1];
                if (b > 0 && l->s < LARGE_CONTACTS) {
                    touch(l, k == 0 ? 2 : 4,
                          k == 0 ? (uint32_t[]){a, 2 * b - 2}
                                 : (uint32_t[]){a, a + 1, 2 * b - 2, 2 * b - 1},
                          k == 0 ? (double[]){-along, along} : (double[]){-along, -up, along, up});
                }
            }
            if (number[x][y] > 0 && floor && y == 0 && l->s < LARGE_CONTACTS) {
                touch(l, 1, (uint32_t[]){a + 1}, (double[]){1});
            }
        }
    }
}

static void draw_shape(rng *r, large_system *l)
{
    switch (l->kind) {
    case LARGE_CHAIN:
    case LARGE_WAVE:
        draw_chain(r, l, false);
        return;
    case LARGE_WALL:
        draw_chain(r, l, true);
        return;
    default:
        do {
            draw_discs(r, l, l->kind == LARGE_LOOSE ? rng_uniform(r, 0.1, 0.35) : 0,
                       l->kind == LARGE_FLOOR);
        } while (l->s < FEWEST_CONTACTS);
    }
}

/* ---- What they are like ---------------------------------------------------------------------- */

/* All alike, nearly alike, or over a range. */
static void draw_around_one(rng *r, double *values, size_t count, double range)
{
    double spread = rng_below(r, 4) == 0   ? 0
                    : rng_below(r, 2) == 0 ? rng_uniform(r, 0.01, 0.3)
                                           : log(range);
    for (size_t i = 0; i < count; i++) {
        values[i] = exp(rng_uniform(r, -spread, spread));
    }
}

static void draw_contacts(rng *r, large_system *l)
{
    double lowest = rng_below(r, 2) ? 0.9 : rng_uniform(r, 0.3, 0.95), highest = 0.99;
    if (rng_below(r, 4) == 0) {
        highest = lowest = rng_uniform(r, 0.3, 0.99);
    }
    size_t exponents = rng_below(r, 4);
    draw_around_one(r, l->stiffness, l->s, 3);
    for (size_t j = 0; j < l->s; j++) {
        bool linear = exponents == 0 || (exponents == 1 && rng_below(r, 2));
        l->restitution[j] = rng_uniform(r, lowest, highest);
        l->exponent[j] = linear ? 1 : 1.5;
    }
}

static void draw_motion(rng *r, large_system *l)
{
    size_t struck = l->kind == LARGE_WAVE ? 1 + rng_below(r, l->n / 5) : l->n;
    for (size_t i = 0; i < l->n; i++) {
        double any = rng_normal(r), one = l->kind == LARGE_WAVE ? 1 : any;
        l->velocity[i] = i < struck ? one : 0;
    }
}

void large_draw(uint64_t seed, size_t index, large_system *l)
{
    rng r = rng_seeded(seed * 0x9e3779b97f4a7c15u + index);
    r = rng_seeded(rng_next(&r));
    memset(l, 0, sizeof *l);
    l->kind = (large_kind)(index % LARGE_KINDS);
    l->mono = rng_below(&r, 3) > 0;
    l->tolerance = pow(10, -3 - (double)rng_below(&r, 6));
    draw_shape(&r, l);
    draw_contacts(&r, l);
    draw_around_one(&r, l->mass, l->n, 2.5);
    for (size_t i = 1; i < l->n && l->kind >= LARGE_PACKING && l->kind <= LARGE_LOOSE; i += 2) {
        l->mass[i] = l->mass[i - 1];
    }
    draw_motion(&r, l);
}

double large_speed(const large_system *l)
{
    double most = 0;
    for (size_t j = 0; j < l->s; j++) {
        double u = 0;
        for (size_t e = 0; e < l->contact[j].entries; e++) {
            u += l->contact[j].value[e] * l->velocity[l->contact[j].row[e]];
        }
        most = fmax(most, -u);
    }
    return most;
}

/* ---- For the library, the judge, and to be read ---------------------------------------------- */

crm_model *large_model(const large_system *l)
{
    size_t start[LARGE_CONTACTS + 1] = {0};
    uint32_t row[4 * LARGE_CONTACTS];
    double value[4 * LARGE_CONTACTS];
    for (size_t j = 0; j < l->s; j++) {
        const large_contact *c = &l->contact[j];
        memcpy(row + start[j], c->row, c->entries * sizeof *row);
        memcpy(value + start[j], c->value, c->entries * sizeof *value);
        start[j + 1] = start[j] + c->entries;
    }
    crm_sparse_view w = {.column_start = start, .row = row, .value = value};
    crm_system_def def = crm_system_def_default();
    def.coordinates = l->n;
    def.contacts = l->s;
    def.mass_diagonal = l->mass;
    def.w_sparse = &w;
    def.stiffness = l->stiffness;
    def.exponent = l->exponent;
    def.restitution = l->restitution;
    crm_model *model = NULL;
    return crm_model_from_system(&def, &model, NULL) == CRM_OK ? model : NULL;
}

bool large_judge(const large_system *l, double tail, unsigned long limit, double *velocity,
                 double *left)
{
    double *mass = calloc(l->n * l->n + l->s * l->n + l->s, sizeof *mass);
    if (mass == NULL) {
        return false;
    }
    double *w = mass + l->n * l->n, *none = w + l->s * l->n;
    for (size_t i = 0; i < l->n; i++) {
        mass[i * l->n + i] = l->mass[i];
    }
    for (size_t j = 0; j < l->s; j++) {
        for (size_t e = 0; e < l->contact[j].entries; e++) {
            w[j * l->n + l->contact[j].row[e]] = l->contact[j].value[e];
        }
    }
    series_system system = {l->n,         l->s,        mass,           w,    l->velocity,
                            l->stiffness, l->exponent, l->restitution, none, none};
    series_judgement j = series_judge_large(
        &system, (series_options){.mono = l->mono, .tail = tail, .limit = limit}, velocity);
    free(mass);
    *left = j.tail_speed;
    return j.finished;
}

static void print_list(const char *name, const double *values, size_t count)
{
    printf("  %s: [", name);
    for (size_t i = 0; i < count; i++) {
        printf("%s%.17g", i > 0 ? ", " : "", values[i]);
    }
    puts("]");
}

void large_dump(const large_system *l, const char *title)
{
    printf("title: \"%s\"\nlaws: [{law: lzb, stiffness_model: %s, tolerance: %g}]\nsystem:\n",
           title, l->mono ? "mono" : "bi", l->tolerance);
    print_list("mass", l->mass, l->n);
    print_list("velocity", l->velocity, l->n);
    puts("  contacts:");
    for (size_t j = 0; j < l->s; j++) {
        const large_contact *c = &l->contact[j];
        printf("    - {w: {");
        for (size_t e = 0; e < c->entries; e++) {
            printf("%s%u: %.17g", e > 0 ? ", " : "", c->row[e] + 1, c->value[e]);
        }
        printf("}, stiffness: %.17g, exponent: %g, restitution: %.17g}\n", l->stiffness[j],
               l->exponent[j], l->restitution[j]);
    }
}
