/* All lanes go through the same operations, in the widest vectors there are. */
#include "law/lzb_lanes_kernel.h"

#include "law/lzb_power.h"
#include "law/lzb_wide.h"

typedef int64_t lanes_bits __attribute__((vector_size(LZB_LANES * sizeof(int64_t))));

INLINE void start_row(lanes_pack *q, unsigned row, size_t contacts, const lanes_vector *h)
{
    lanes_vector *x = q->row[row], *c = x + contacts, *p = c + contacts;
    for (size_t j = 0; j < contacts; j++) {
        x[j] = q->x[j] + 0.5 * *h * q->rate[j] * q->c[j];
        c[j] = q->c[j];
        p[j] = (lanes_vector){0};
    }
}

INLINE void find_forces(lanes_pack *q, size_t contacts, lzb_kind kind, const lanes_vector *x)
{
    for (size_t j = 0; j < contacts; j++) {
        lanes_vector depth = (lanes_vector)((lanes_bits)x[j] & (x[j] > 0)), power;
        for (unsigned l = 0; l < LZB_LANES; l++) {
            power[l] = kind == LZB_LINEAR  ? 1.0
                       : kind == LZB_HERTZ ? __builtin_sqrt(depth[l])
                                           : lzb_power(depth[l], q->exponent[j][l]);
        }
        q->force[j] = kind == LZB_POWER ? q->stiffness[j] * power : q->stiffness[j] * depth * power;
    }
}

/* D times the forces. */
INLINE void press(const lanes_pack *q, size_t contacts, size_t j, lanes_vector *product)
{
    size_t first = j > q->band ? j - q->band : 0;
    size_t last = j + q->band < contacts ? j + q->band : contacts - 1;
    lanes_vector sum = {0};
    for (size_t k = first; k <= last; k++) {
        sum += q->d[j][k] * q->force[k];
    }
    *product = sum;
}

INLINE void accelerate(lanes_pack *q, size_t contacts, lzb_kind kind, const lanes_vector *x,
                       lanes_vector *a)
{
    find_forces(q, contacts, kind, x);
    for (size_t j = 0; j < contacts; j++) {
        press(q, contacts, j, &a[j]);
        a[j] = -a[j];
    }
}

/* One kick and the drift after it: half of one at the end of the row. */
INLINE void substep(lanes_pack *q, unsigned row, size_t contacts, lzb_kind kind,
                    const lanes_vector *h, double part)
{
    lanes_vector *x = q->row[row], *c = x + contacts, *p = c + contacts;
    find_forces(q, contacts, kind, x);
    for (size_t j = 0; j < contacts; j++) {
        lanes_vector product;
        press(q, contacts, j, &product);
        lanes_vector speed = c[j] - *h * product;
        c[j] = speed;
        p[j] += *h * q->force[j];
        x[j] += part * *h * q->rate[j] * speed;
    }
}

/* Extrapolation to substep 0 (Aitken, Neville): row 0 ends with the highest order, row 1 with the
 * next lower.
 */
INLINE void extrapolate(lanes_pack *q, size_t contacts)
{
    double factor[LANES_ROWS][LANES_ROWS];
    for (unsigned row = 1; row < LANES_ROWS; row++) {
        for (unsigned k = 1; k <= row; k++) {
            double ratio = (double)(row + 1) / (double)k;
            factor[row][k] = 1.0 / (ratio * ratio - 1.0);
        }
    }
    for (size_t i = 0; i < 3 * contacts; i++) {
        lanes_vector column[LANES_ROWS];
        column[0] = q->row[0][i];
        for (unsigned row = 1; row < LANES_ROWS; row++) {
            column[row] = q->row[row][i];
            for (unsigned k = row; k >= 1; k--) {
                column[k - 1] = column[k] + factor[row][k] * (column[k] - column[k - 1]);
            }
        }
        q->row[0][i] = column[0];
        q->row[1][i] = column[1];
    }
}

INLINE void take_result(lanes_pack *q, size_t contacts, double per_tolerance)
{
    const lanes_vector *x = q->row[0], *c = x + contacts, *p = c + contacts;
    const lanes_vector *x_lower = q->row[1], *c_lower = x_lower + contacts;
    for (unsigned l = 0; l < LZB_LANES; l++) {
        q->error[l] = 0;
    }
    for (size_t j = 0; j < contacts; j++) {
        lanes_vector dx = (x[j] - x_lower[j]) * q->per_scale[j];
        lanes_vector dc = (c[j] - c_lower[j]) * q->per_speed;
        for (unsigned l = 0; l < LZB_LANES; l++) {
            double a = __builtin_fabs(dx[l]), b = __builtin_fabs(dc[l]);
            double larger = (a > b ? a : b) + 0.0 * (a + b); /* NAN if one overflowed */
            q->error[l] = larger <= q->error[l] ? q->error[l] : larger;
        }
        q->end_x[j] = x[j];
        q->end_c[j] = c[j];
        q->end_p[j] = p[j];
    }
    q->error *= per_tolerance;
}

/* Rows do not depend on each other: going through them side by side gives the processor something
 * to do while a force is on its way.
 */
INLINE void try_kind(lanes_pack *q, size_t contacts, lzb_kind kind, double per_tolerance)
{
    lanes_vector h[LANES_ROWS];
    for (unsigned row = 0; row < LANES_ROWS; row++) {
        h[row] = q->length / (row + 1.0);
        start_row(q, row, contacts, &h[row]);
    }
    for (unsigned i = 0; i < LANES_ROWS; i++) {
        for (unsigned row = i; row < LANES_ROWS; row++) {
            substep(q, row, contacts, kind, &h[row], i < row ? 1.0 : 0.5);
        }
    }
    extrapolate(q, contacts);
    take_result(q, contacts, per_tolerance);
    accelerate(q, contacts, kind, q->x, q->a);
    accelerate(q, contacts, kind, q->end_x, q->end_a);
}

static WIDE void try_linear(lanes_pack *q, double per_tolerance)
{
    try_kind(q, q->contacts, LZB_LINEAR, per_tolerance);
}

static WIDE void try_hertz(lanes_pack *q, double per_tolerance)
{
    try_kind(q, q->contacts, LZB_HERTZ, per_tolerance);
}

static WIDE void try_power(lanes_pack *q, double per_tolerance)
{
    try_kind(q, q->contacts, LZB_POWER, per_tolerance);
}

void lzb_lanes_try(lanes_pack *q, double per_tolerance)
{
    switch (q->kind) {
    case LZB_LINEAR:
        try_linear(q, per_tolerance);
        return;
    case LZB_HERTZ:
        try_hertz(q, per_tolerance);
        return;
    case LZB_POWER:
        try_power(q, per_tolerance);
    }
}
