/* Linear constraints, as text.
 *
 *     constraint = side ("=" | "<=" | ">=") side | ("increasing" | "decreasing") "(" PATH ")"
 *     side = ["-"] term { ("+" | "-") term }
 *     term = NUMBER | [NUMBER "*"] (FIELD | "sum" "(" PATH ")")
 *
 * A FIELD is one of those that are varied, a PATH one of their lists.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "inverse/design/design.h"

typedef struct parser {
    crm_reader *reader;
    const crm_map *map;
    const crm_node *node;
    const char *at;
    double *row, right;
    double sign; /* of the side that is read */
} parser;

static crm_status refuse(const parser *p, const char *why)
{
    char shown[128];
    crm_yaml_show_text(p->node->text, shown, sizeof shown);
    return crm_yaml_fail(p->reader->tree, p->node, p->reader->error,
                         "'%s' is not a constraint: %s; examples are sum(chain.mass) = 20, "
                         "chain.mass[1] <= 2*chain.mass[2] and increasing(chain.mass)",
                         shown, why);
}

static void skip(parser *p)
{
    p->at += strspn(p->at, " \t");
}

/* ---- Fields --------------------------------------------------------------------------------- */

/* A path: up to what cannot be in one, but for what stands in brackets. */
static bool take_path(parser *p, char *path, size_t size)
{
    size_t length = 0;
    bool bracket = false;
    while (p->at[length] != '\0' && (bracket || strchr(" \t+-*=<>)", p->at[length]) == NULL)) {
        bracket = p->at[length] == '[' || (bracket && p->at[length] != ']');
        length++;
    }
    if (length == 0 || length >= size) {
        return false;
    }
    memcpy(path, p->at, length);
    path[length] = '\0';
    p->at += length;
    return true;
}

static crm_status refuse_field(const parser *p, const char *path, bool list)
{
    char why[512], known[256] = "";
    size_t field = strcspn(path, "[");
    bool single = false; /* an entry is meant of what is varied as one number */
    for (size_t j = 0; j < p->map->unknown_count; j++) {
        const crm_unknown *u = &p->map->unknowns[j];
        single |=
            path[field] == '[' && strlen(u->name) == field && strncmp(u->name, path, field) == 0;
        bool again = list && j > 0 && u->node == p->map->unknowns[j - 1].node;
        if (!again) {
            crm_text_append(known, sizeof known, "%s%s", j > 0 ? ", " : "",
                            list ? u->node->text : u->name);
        }
    }
    snprintf(why, sizeof why, "%.100s is not varied%s; varied are %s", path,
             list || single ? " as a list (each: makes one of a number)" : "", known);
    return refuse(p, why);
}

/* The unknowns of a list, one after the other. */
static bool find_list(const parser *p, const char *path, size_t *first, size_t *count)
{
    *count = 0;
    for (size_t j = 0; j < p->map->unknown_count; j++) {
        const crm_unknown *u = &p->map->unknowns[j];
        bool entry = strcmp(u->node->text, path) == 0 && strcmp(u->name, path) != 0;
        *first = entry && *count == 0 ? j : *first;
        *count += entry;
    }
    return *count > 0;
}

static crm_status add_sum(parser *p, double factor)
{
    char path[128];
    size_t first = 0, count;
    skip(p);
    if (!take_path(p, path, sizeof path)) {
        return refuse(p, "a list is missing");
    }
    if (!find_list(p, path, &first, &count)) {
        return refuse_field(p, path, true);
    }
    skip(p);
    if (*p->at != ')') {
        return refuse(p, "a ')' is missing");
    }
    p->at++;
    for (size_t j = first; j < first + count; j++) {
        p->row[j] += factor;
    }
    return CRM_OK;
}

static crm_status add_field(parser *p, double factor)
{
    char path[128];
    if (strncmp(p->at, "sum(", 4) == 0) {
        p->at += 4;
        return add_sum(p, factor);
    }
    if (!take_path(p, path, sizeof path)) {
        return refuse(p, "a field is missing");
    }
    for (size_t j = 0; j < p->map->unknown_count; j++) {
        if (strcmp(p->map->unknowns[j].name, path) == 0) {
            p->row[j] += factor;
            return CRM_OK;
        }
    }
    return refuse_field(p, path, false);
}

/* ---- Sides ---------------------------------------------------------------------------------- */

static crm_status add_term(parser *p, double sign)
{
    char *end;
    skip(p);
    double number = crm_strtod(p->at, &end);
    if (end == p->at) {
        return add_field(p, sign);
    }
    p->at = end;
    skip(p);
    if (*p->at != '*') {
        p->right -= sign * number;
        return CRM_OK;
    }
    p->at++;
    skip(p);
    return add_field(p, sign * number);
}

static bool ends_side(char c)
{
    return c == '\0' || c == '=' || c == '<' || c == '>';
}

static crm_status add_side(parser *p)
{
    crm_status status = CRM_OK;
    skip(p);
    do {
        double sign = p->sign * (*p->at == '-' ? -1 : 1);
        p->at += *p->at == '-' || *p->at == '+';
        status = add_term(p, sign);
        skip(p);
        if (status == CRM_OK && !ends_side(*p->at) && *p->at != '+' && *p->at != '-') {
            status = refuse(p, "'+', '-', '=', '<=' or '>=' is missing");
        }
    } while (status == CRM_OK && !ends_side(*p->at));
    return status;
}

/* -1: <=, 0: =, 1: >= */
static bool take_relation(parser *p, int *relation)
{
    *relation = *p->at == '<' ? -1 : *p->at == '>' ? 1 : 0;
    p->at += *p->at == '<' || *p->at == '>';
    p->at += *p->at == '=';
    return true;
}

static crm_status read_relation(parser *p, bool *equal)
{
    int relation = 0;
    p->sign = 1;
    crm_status status = add_side(p);
    if (status == CRM_OK && *p->at == '\0') {
        return refuse(p, "'=', '<=' or '>=' is missing");
    }
    if (status == CRM_OK && take_relation(p, &relation)) {
        p->sign = -1;
        status = add_side(p);
    }
    if (status == CRM_OK && *p->at != '\0') {
        return refuse(p, "it has two relations");
    }
    *equal = relation == 0;
    for (size_t j = 0; j < p->map->unknown_count && relation > 0; j++) {
        p->row[j] = -p->row[j];
    }
    p->right = relation > 0 ? -p->right : p->right;
    return status;
}

/* ---- Order ---------------------------------------------------------------------------------- */

typedef struct order {
    size_t first, count;
    double sign;
} order;

/* "increasing(PATH)"; count 0: it is none. */
static crm_status read_order(parser *p, order *o)
{
    static const char *const words[] = {"increasing(", "decreasing("};
    char path[128];
    *o = (order){0};
    for (int k = 0; k < 2; k++) {
        if (strncmp(p->at, words[k], strlen(words[k])) == 0) {
            p->at += strlen(words[k]);
            o->sign = k == 0 ? 1 : -1;
        }
    }
    if (o->sign == 0) {
        return CRM_OK;
    }
    if (!take_path(p, path, sizeof path) || strcmp(p->at, ")") != 0) {
        return refuse(p, "it must be increasing(PATH) or decreasing(PATH)");
    }
    return find_list(p, path, &o->first, &o->count) ? CRM_OK : refuse_field(p, path, true);
}

/* ---- All of them ---------------------------------------------------------------------------- */

static crm_status add_constraint(parser *p, crm_constraints *constraints)
{
    size_t n = p->map->unknown_count;
    order o;
    p->row = constraints->rows + constraints->count * n;
    p->right = 0;
    skip(p);
    crm_status status = read_order(p, &o);
    for (size_t k = 0; k + 1 < o.count && status == CRM_OK; k++) {
        double *row = constraints->rows + constraints->count * n;
        row[o.first + k] = o.sign;
        row[o.first + k + 1] = -o.sign;
        constraints->count++;
    }
    if (status != CRM_OK || o.count > 0) {
        return status;
    }
    status = read_relation(p, &constraints->equal[constraints->count]);
    bool any = false;
    for (size_t j = 0; j < n; j++) {
        any = any || p->row[j] != 0;
    }
    constraints->right[constraints->count++] = p->right;
    return status != CRM_OK || any ? status : refuse(p, "no field is left in it");
}

crm_status crm_constraints_read(crm_reader *reader, const crm_node *node, const crm_map *map,
                                crm_constraints *constraints)
{
    bool list = node->kind == CRM_NODE_SEQUENCE;
    size_t items = list ? node->count : 1, n = map->unknown_count;
    size_t most = items * (n > 0 ? n : 1); /* an order has one fewer than there are fields */
    crm_arena *arena = &map->tree->arena;
    constraints->rows = CRM_ARENA_NEW(arena, double, most *n);
    constraints->right = CRM_ARENA_NEW(arena, double, most);
    constraints->equal = CRM_ARENA_NEW(arena, bool, most);
    if (constraints->rows == NULL || constraints->right == NULL || constraints->equal == NULL) {
        return crm_reader_fail_memory(reader);
    }
    crm_status status = CRM_OK;
    for (size_t i = 0; i < items && status == CRM_OK; i++) {
        parser p = {.reader = reader, .map = map, .node = list ? node->items[i] : node};
        status = crm_reader_text(reader, p.node, &p.at);
        if (status == CRM_OK) {
            status = add_constraint(&p, constraints);
        }
    }
    return status;
}

double crm_constraints_violation(const crm_constraints *constraints, const crm_map *map,
                                 const double *x)
{
    size_t n = map->unknown_count;
    double worst = 0;
    for (size_t i = 0; i < constraints->count; i++) {
        double sum = -constraints->right[i], size = 0;
        for (size_t j = 0; j < n; j++) {
            double factor = constraints->rows[i * n + j];
            sum += factor * x[j];
            size += fabs(factor) * (map->unknowns[j].to - map->unknowns[j].from);
        }
        worst = fmax(worst, (constraints->equal[i] ? fabs(sum) : sum) / size);
    }
    return worst;
}

/* ---- The nearest feasible point -------------------------------------------------------------- */

/* Dykstra's alternating projections, in unknowns counted in their ranges: on each rule in turn, and
 * on the bounds, what the last projection on the same had moved being given back first.
 */
enum { ITERATIONS_MOST = 20000 };
static const double CONVERGED = 1e-13;

typedef struct projection {
    const crm_constraints *constraints;
    const crm_map *map;
    double *x;
    double *multiplier; /* of each rule, along its row */
    double *beyond;     /* of each unknown, by its bounds */
} projection;

static double range(const projection *p, size_t j)
{
    return p->map->unknowns[j].to - p->map->unknowns[j].from;
}

static double project_on_constraint(projection *p, size_t i)
{
    size_t n = p->map->unknown_count;
    const double *row = p->constraints->rows + i * n;
    double sum = -p->constraints->right[i], square = 0;
    for (size_t j = 0; j < n; j++) {
        double r = range(p, j);
        sum += row[j] * p->x[j];
        square += row[j] * r * row[j] * r;
    }
    double multiplier = sum / square + p->multiplier[i];
    multiplier = p->constraints->equal[i] || multiplier > 0 ? multiplier : 0;
    double moved = multiplier - p->multiplier[i];
    for (size_t j = 0; j < n; j++) {
        p->x[j] -= moved * row[j] * range(p, j) * range(p, j);
    }
    p->multiplier[i] = multiplier;
    return fabs(moved) * sqrt(square);
}

static double project_on_bounds(projection *p)
{
    double most = 0;
    for (size_t j = 0; j < p->map->unknown_count; j++) {
        const crm_unknown *u = &p->map->unknowns[j];
        double free = p->x[j] + p->beyond[j], kept = fmin(fmax(free, u->from), u->to);
        most = fmax(most, fabs(kept - p->x[j]) / range(p, j));
        p->beyond[j] = free - kept;
        p->x[j] = kept;
    }
    return most;
}

bool crm_constraints_project(const crm_constraints *constraints, const crm_map *map, double *x,
                             double *room)
{
    projection p = {.constraints = constraints,
                    .map = map,
                    .x = x,
                    .multiplier = room,
                    .beyond = room + constraints->count};
    double moved = 1;
    for (size_t i = 0; i < constraints->count + map->unknown_count; i++) {
        room[i] = 0;
    }
    for (int sweep = 0; sweep < ITERATIONS_MOST && moved > CONVERGED; sweep++) {
        moved = 0;
        for (size_t i = 0; i < constraints->count; i++) {
            moved = fmax(moved, project_on_constraint(&p, i));
        }
        moved = fmax(moved, project_on_bounds(&p));
    }
    return crm_constraints_violation(constraints, map, x) <= CRM_CONSTRAINTS_TOLERANCE;
}
