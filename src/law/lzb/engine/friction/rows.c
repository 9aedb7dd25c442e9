/* The rows of the window with friction, by who sticks and who slips. */
#include <math.h>
#include <string.h>

#include "law/lzb/engine/friction/friction.h"

/* ---- One row, gathered by column ------------------------------------------------------------- */

static void add(lzb_friction *f, size_t column, double value)
{
    if (!f->seen[column]) {
        f->seen[column] = true;
        f->list[f->listed++] = (uint32_t)column;
        f->sum[column] = 0;
    }
    f->sum[column] += value;
}

/* The row of a direction of a contact: of D, with friction forces put in as they follow from the
 * columns; those of contacts that stick, too, once they have rows.
 */
static void gather(lzb_engine *e, size_t direction, bool with_sticking)
{
    lzb_friction *f = e->friction;
    const crm_model *all = f->all;
    for (size_t l = all->d_start[direction]; l < all->d_start[direction + 1]; l++) {
        size_t contact = all->d_column[l] / (1 + f->d), t = all->d_column[l] % (1 + f->d);
        size_t place = e->window.place[contact];
        double value = all->d_value[l];
        if (place == 0 || place > e->window.pressing) {
            continue;
        }
        size_t i = place - 1;
        if (t == 0) {
            add(f, i, value);
        } else if (!lzb_friction_acts(e, i)) {
            continue;
        } else if (lzb_friction_grip(e, i) == LZB_SLIPS) {
            unsigned k = (unsigned)t - 1;
            add(f, i, -value * f->coefficient[contact] * f->direction[contact * f->d + k]);
            if (f->d > 1) {
                add(f, lzb_friction_column(e, i, k), value);
            }
        } else if (with_sticking) {
            size_t row = i * f->d + t - 1;
            for (uint32_t k = f->force.start[row]; k < f->force.start[row + 1]; k++) {
                add(f, f->force.column[k], value * f->force.value[k]);
            }
        }
    }
}

static bool make_room(lzb_engine *e, lzb_rows *rows, size_t entries)
{
    if (entries <= rows->room) {
        return true;
    }
    size_t room = 2 * entries;
    uint32_t *column = CRM_TAKE(e->state->pool, uint32_t, room);
    double *value = CRM_TAKE(e->state->pool, double, room);
    if (column == NULL || value == NULL) {
        return false;
    }
    if (rows->room > 0) {
        memcpy(column, rows->column, rows->room * sizeof *column);
        memcpy(value, rows->value, rows->room * sizeof *value);
    }
    rows->column = column;
    rows->value = value;
    rows->room = (uint32_t)room;
    return true;
}

/* The row gathered becomes the next one. */
static bool append(lzb_engine *e, lzb_rows *rows, size_t row)
{
    lzb_friction *f = e->friction;
    uint32_t end = rows->start[row];
    bool room = make_room(e, rows, end + f->listed);
    for (size_t k = 0; k < f->listed; k++) {
        uint32_t column = f->list[k];
        if (room) {
            rows->column[end] = column;
            rows->value[end++] = f->sum[column];
        }
        f->seen[column] = false;
    }
    f->listed = 0;
    rows->start[row + 1] = end;
    return room;
}

/* ---- Friction forces ------------------------------------------------------------------------- */

static size_t columns_of(const lzb_engine *e)
{
    return e->friction->contacts * (1 + e->friction->d);
}

/* f_S = -A^+ q of all columns: `of` is m by columns, and becomes f. */
static bool solve_sticking(lzb_engine *e, double **of)
{
    lzb_friction *f = e->friction;
    lzb_sticking *held = &f->sticking;
    size_t m = held->count * f->d, columns = columns_of(e);
    if (m * columns > held->columns_room) {
        held->columns_room = 2 * m * columns;
        held->columns = CRM_TAKE(e->state->pool, double, held->columns_room);
    }
    double *x = CRM_TAKE(e->state->pool, double, m);
    *of = held->columns;
    if (x == NULL || (*of == NULL && m > 0)) {
        return false;
    }
    if (m > 0) {
        memset(*of, 0, m * columns * sizeof **of);
    }
    for (size_t r = 0; r < m; r++) {
        size_t contact = e->window.member[held->place[r / f->d]].contact;
        gather(e, contact * (1 + f->d) + 1 + r % f->d, false);
        for (size_t k = 0; k < f->listed; k++) {
            (*of)[r * columns + f->list[k]] = -f->sum[f->list[k]];
            f->seen[f->list[k]] = false;
        }
        f->listed = 0;
    }
    for (size_t c = 0; c < columns && m > 0; c++) {
        bool any = false;
        for (size_t r = 0; r < m; r++) {
            x[r] = (*of)[r * columns + c];
            any |= x[r] != 0;
        }
        if (any) {
            lzb_discs_solve_factor(held->factor, held->pivot, held->rank, m, x, held->work);
            for (size_t r = 0; r < m; r++) {
                (*of)[r * columns + c] = x[r];
            }
        }
    }
    return true;
}

static bool make_force_rows(lzb_engine *e)
{
    lzb_friction *f = e->friction;
    double *held;
    bool good = solve_sticking(e, &held);
    f->force.start[0] = 0;
    for (size_t i = 0, next = 0; i < e->window.pressing; i++) {
        size_t j = e->window.member[i].contact;
        bool acts = lzb_friction_acts(e, i), slips = lzb_friction_grip(e, i) == LZB_SLIPS;
        for (unsigned k = 0; k < f->d; k++) {
            if (acts && slips) {
                add(f, i, -f->coefficient[j] * f->direction[j * f->d + k]);
                if (f->d > 1) {
                    add(f, lzb_friction_column(e, i, k), 1);
                }
            }
            for (size_t c = 0; acts && !slips && good && c < columns_of(e); c++) {
                double value = held[(next * f->d + k) * columns_of(e) + c];
                if (value != 0) {
                    add(f, c, value);
                }
            }
            good &= append(e, &f->force, i * f->d + k);
        }
        next += acts && !slips;
    }
    return good;
}

crm_status lzb_friction_make_rows(lzb_engine *e, crm_error *error)
{
    lzb_friction *f = e->friction;
    lzb_engine_window *w = &e->window;
    lzb_rows rows = {w->start, w->column, w->value, f->window_room};
    bool good = make_force_rows(e);
    rows.start[0] = 0;
    for (size_t i = 0; i < w->count && good; i++) {
        gather(e, w->member[i].contact * (1 + (size_t)f->d), true);
        good = append(e, &rows, i);
    }
    for (size_t r = 0; r < w->pressing * f->d && good; r++) {
        if (lzb_friction_acts(e, r / f->d)) {
            gather(e, w->member[r / f->d].contact * (1 + (size_t)f->d) + 1 + r % f->d, true);
        }
        good = append(e, &rows, w->count + r);
    }
    w->column = rows.column;
    w->value = rows.value;
    f->window_room = rows.room;
    memset(f->sum, 0, columns_of(e) * sizeof *f->sum);
    return good ? CRM_OK : crm_fail_memory(error);
}

double lzb_friction_force(const lzb_engine *e, size_t i, unsigned k, const double *from,
                          double *size)
{
    const lzb_rows *rows = &e->friction->force;
    double sum = 0;
    for (uint32_t l = rows->start[i * e->friction->d + k];
         l < rows->start[i * e->friction->d + k + 1]; l++) {
        sum += rows->value[l] * from[rows->column[l]];
        *size = fmax(*size, fabs(rows->value[l] * from[rows->column[l]]));
    }
    return sum;
}

void lzb_friction_force_at_nodes(const lzb_engine *e, size_t i, unsigned k, lzb_nodal *force)
{
    const lzb_rows *rows = &e->friction->force;
    *force = (lzb_nodal){0};
    for (uint32_t l = rows->start[i * e->friction->d + k];
         l < rows->start[i * e->friction->d + k + 1]; l++) {
        *force += rows->value[l] * e->force[rows->column[l]];
    }
}
