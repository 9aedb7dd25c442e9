/* The derivative of a map: along the courses of its impacts where the law can (exact.c), else
 * by differences.
 *
 * By differences of whole solves, D(h) = (y(x + h) - y(x - h)) / 2h for two steps, of which
 * (4 D(h) - D(2h)) / 3 is exact to h^4. The solver's own errors, some 1e-9 of the answer, come in
 * divided by h; at h = 2e-3 of the unknown both are below 1e-6. Where one side is none (a
 * restitution above 1), differences go to the other.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/locale.h"
#include "inverse/map/exact.h"
#include "inverse/map/map.h"

/* Step of the differences, as a fraction of the unknown's size. */
static const double STEP = 2e-3;
/* D(h) and D(2h) that differ by more than this part of the larger are of no smooth function, ... */
static const double UNSETTLED = 0.02;
/* ... unless both are what the solver's errors make: changes of y by this part of it. */
static const double NOISE = 1e-7, ROUNDING = 1e-13;

typedef struct stencil {
    double *at[5]; /* y at x - 2h ... x + 2h; the middle one is y itself */
    bool is[5];
} stencil;

static bool within(const crm_unknown *u, double x)
{
    return x >= u->from && x <= u->to;
}

static crm_status try_side(crm_map *map, double *x, size_t j, double h, stencil *s, int side,
                           crm_error *error)
{
    double middle = x[j];
    crm_status status = CRM_OK;
    for (int k = 1; k <= 2 && status == CRM_OK; k++) {
        int place = 2 + side * k;
        x[j] = middle + side * k * h;
        s->is[place] = within(&map->unknowns[j], x[j]);
        status = s->is[place] ? crm_map_evaluate(map, x, s->at[place], error) : CRM_OK;
        if (status == CRM_ERROR_MODEL) {
            s->is[place] = false;
            status = CRM_OK;
        }
    }
    x[j] = middle;
    s->is[2 + 2 * side] = s->is[2 + side] && s->is[2 + 2 * side];
    return status;
}

/* D(h) and D(2h) of one output; false: there are not enough points. */
static bool slopes(const stencil *s, size_t i, double h, double *fine, double *coarse)
{
    double y[5];
    for (int k = 0; k < 5; k++) {
        y[k] = s->at[k][i];
    }
    if (s->is[0] && s->is[4]) {
        double one = (y[3] - y[1]) / (2 * h), two = (y[4] - y[0]) / (4 * h);
        *fine = (4 * one - two) / 3;
        *coarse = two;
        return true;
    }
    int side = s->is[4] ? 1 : -1;
    if (!s->is[2 + 2 * side]) {
        return false;
    }
    double near = (y[2 + side] - y[2]) / (side * h),
           far = (y[2 + 2 * side] - y[2]) / (2 * side * h);
    *fine = 2 * near - far;
    *coarse = near;
    return true;
}

/* Differences to either side, exact to h^2; of a kink they are two, where D(h) and D(2h) are one.
 */
static bool sides_of(const stencil *s, size_t i, double h, double side[2])
{
    for (int k = 0; k < 2; k++) {
        int to = k == 0 ? -1 : 1;
        double y = s->at[2][i], near = (s->at[2 + to][i] - y) / (to * h);
        double far = (s->at[2 + 2 * to][i] - y) / (2 * to * h);
        side[k] = 2 * near - far;
    }
    return s->is[0] && s->is[4];
}

static void judge_sides(const crm_map *map, size_t i, size_t j, const double side[2], double noise,
                        crm_derived *derived)
{
    double most = fmax(fabs(side[0]), fabs(side[1]));
    if (fabs(side[0] - side[1]) <= UNSETTLED * most + 4 * noise) {
        return;
    }
    if (derived->inconsistent++ == 0) {
        crm_snprintf(derived->note, sizeof derived->note,
                     "not differentiable here: the slope of %s is %.4g for smaller %s and %.4g for "
                     "larger; their mean is given",
                     map->outputs[i].what.name, side[0], map->unknowns[j].name, side[1]);
    }
}

static void judge(const crm_map *map, size_t i, size_t j, double fine, double coarse, double noise,
                  crm_derived *derived)
{
    double most = fmax(fabs(fine), fabs(coarse));
    if (fabs(fine - coarse) <= UNSETTLED * most + noise) {
        return;
    }
    if (derived->inconsistent++ == 0) {
        crm_snprintf(
            derived->note, sizeof derived->note,
            "%s is not smooth in %s here: differences with two step sizes give %.4g and %.4g",
            map->outputs[i].what.name, map->unknowns[j].name, fine, coarse);
    }
}

/* What y may be wrong by: errors of the solver, and of what is 0 rounding of its terms, which are
 * of the size that other outputs have, or that y has beside.
 */
static double noise_of(const crm_map *map, const stencil *s, size_t i)
{
    double largest = 0;
    for (size_t k = 0; k < map->output_count; k++) {
        largest = fmax(largest, fabs(s->at[2][k]));
    }
    return NOISE * fabs(s->at[2][i]) + ROUNDING * largest;
}

static crm_status derive_column(crm_map *map, double *x, size_t j, stencil *s, double *derivative,
                                crm_derived *derived, crm_error *error)
{
    const crm_unknown *u = &map->unknowns[j];
    double h = STEP * (x[j] != 0 ? fmax(fabs(x[j]), 1e-3 * u->scale) : u->scale);
    crm_status status = try_side(map, x, j, h, s, 1, error);
    if (status == CRM_OK) {
        status = try_side(map, x, j, h, s, -1, error);
    }
    for (size_t i = 0; i < map->output_count && status == CRM_OK; i++) {
        double fine, coarse;
        if (!slopes(s, i, h, &fine, &coarse)) {
            return crm_fail(error, CRM_ERROR_MODEL, NULL,
                            "%s cannot be varied by %.3g in either direction from %.9g", u->name,
                            2 * h, x[j]);
        }
        derivative[i * map->unknown_count + j] = fine;
        double noise = noise_of(map, s, i) / h, side[2];
        judge(map, i, j, fine, coarse, noise, derived);
        if (sides_of(s, i, h, side)) {
            judge_sides(map, i, j, side, noise, derived);
        }
    }
    return status;
}

static crm_status derive_by_differences(crm_map *map, double *x, double *y, double *room,
                                        double *derivative, crm_derived *derived, crm_error *error)
{
    size_t outputs = map->output_count;
    stencil s = {.at = {room, room + outputs, y, room + 2 * outputs, room + 3 * outputs}};
    s.is[2] = true;
    crm_status status = crm_map_evaluate(map, x, y, error);
    for (size_t j = 0; j < map->unknown_count && status == CRM_OK; j++) {
        status = derive_column(map, x, j, &s, derivative, derived, error);
    }
    return status;
}

crm_status crm_map_derive(crm_map *map, const double *x, double *y, double *derivative,
                          crm_derived *derived, crm_error *error)
{
    double *own = crm_memory_copy_doubles(x, map->unknown_count);
    double *room = CRM_NEW(double, 4 * map->output_count);
    *derived = (crm_derived){0};
    if (crm_exact_is_possible(map) && own != NULL && room != NULL) {
        crm_status exact = crm_exact_derive(map, x, y, derivative, derived, error);
        if (exact != CRM_ERROR_OPTION) {
            free(own);
            free(room);
            return exact;
        }
        *derived = (crm_derived){0};
    }
    crm_status status = own != NULL && room != NULL
                            ? derive_by_differences(map, own, y, room, derivative, derived, error)
                            : crm_fail_memory(error);
    free(own);
    free(room);
    return status;
}
