/* See friction_case.h. */
#include "friction_case.h"

#include <math.h>
#include <string.h>

typedef long double real;

enum { N = FRICTION_COORDINATES, ROWS = FRICTION_ROWS };

friction_case friction_blank(size_t n, size_t s, size_t dim)
{
    friction_case c = {.n = n, .s = s, .dim = dim};
    friction_set_all(&c, 1.5, 1, 0);
    for (size_t j = 0; j < s; j++) {
        c.stiffness[j] = 1;
    }
    return c;
}

void friction_set_all(friction_case *c, double exponent, double restitution, double friction)
{
    for (size_t j = 0; j < c->s; j++) {
        c->exponent[j] = exponent;
        c->restitution[j] = restitution;
        c->friction[j] = friction;
    }
}

/* ---- Rigid bodies ---------------------------------------------------------------------------- */

void friction_add_body(friction_case *c, size_t body, double mass, const double *inertia)
{
    size_t moves = c->dim + 1, turns = c->dim == 1 ? 1 : 3, first = body * (moves + turns);
    for (size_t k = 0; k < moves; k++) {
        c->mass[(first + k) * (c->n + 1)] = mass;
    }
    for (size_t k = 0; k < turns; k++) {
        for (size_t l = 0; l < turns; l++) {
            c->mass[(first + moves + k) * c->n + first + moves + l] = inertia[k * turns + l];
        }
    }
}

/* The row of a direction at the end of a lever arm: the direction and its moment. */
static void add_row(const friction_case *c, size_t body, const double *arm, const double *a,
                    double sign, double *row)
{
    if (body == FRICTION_FLOOR) {
        return;
    }
    double moment[3] = {arm[1] * a[2] - arm[2] * a[1], arm[2] * a[0] - arm[0] * a[2],
                        arm[0] * a[1] - arm[1] * a[0]};
    row += body * (c->dim == 1 ? 3 : 6);
    for (size_t k = 0; k < c->dim + 1; k++) {
        row[k] += sign * a[k];
    }
    for (size_t k = 0; k < (c->dim == 1 ? 1u : 3u); k++) {
        row[c->dim + 1 + k] += sign * moment[c->dim == 1 ? 2 : k];
    }
}

/* A right-handed frame: normal, then the tangents. */
static void find_tangents(size_t dim, const double *n, double *tangent)
{
    if (dim == 1) {
        memcpy(tangent, (double[3]){-n[1], n[0], 0}, 3 * sizeof *tangent);
        return;
    }
    double axis[3] = {fabs(n[0]) < 0.6, fabs(n[0]) >= 0.6, 0}, dot = 0, length = 0;
    for (int k = 0; k < 3; k++) {
        dot += axis[k] * n[k];
    }
    for (int k = 0; k < 3; k++) {
        tangent[k] = axis[k] - dot * n[k];
        length += tangent[k] * tangent[k];
    }
    for (int k = 0; k < 3; k++) {
        tangent[k] /= sqrt(length);
    }
    for (int k = 0; k < 3; k++) {
        int l = (k + 1) % 3, m = (k + 2) % 3;
        tangent[3 + k] = n[l] * tangent[m] - n[m] * tangent[l];
    }
}

void friction_add_contact(friction_case *c, size_t j, const friction_touch *touch)
{
    double chosen[6];
    const double *tangent = touch->tangent;
    if (tangent == NULL) {
        find_tangents(c->dim, touch->normal, chosen);
        tangent = chosen;
    }
    add_row(c, touch->from, touch->arm_from, touch->normal, -1, &c->w[j * c->n]);
    add_row(c, touch->to, touch->arm_to, touch->normal, 1, &c->w[j * c->n]);
    for (size_t k = 0; k < c->dim; k++) {
        double *row = &c->t[(j * c->dim + k) * c->n];
        add_row(c, touch->from, touch->arm_from, tangent + 3 * k, -1, row);
        add_row(c, touch->to, touch->arm_to, tangent + 3 * k, 1, row);
    }
}

/* ---- What follows from the numbers ----------------------------------------------------------- */

static const double *direction(const friction_case *c, size_t row)
{
    return row < c->s ? &c->w[row * c->n] : &c->t[(row - c->s) * c->n];
}

static bool factorize(const friction_case *c, real *a)
{
    for (size_t i = 0; i < c->n; i++) {
        for (size_t k = 0; k <= i; k++) {
            real sum = c->mass[i * c->n + k];
            for (size_t l = 0; l < k; l++) {
                sum -= a[i * N + l] * a[k * N + l];
            }
            if (i == k && !(sum > 0)) {
                return false;
            }
            a[i * N + k] = i == k ? sqrtl(sum) : sum / a[k * N + k];
        }
    }
    return true;
}

bool friction_delassus(const friction_case *c, real *d, real *to_velocity)
{
    real a[N * N], half[ROWS][N];
    size_t rows = c->s * (1 + c->dim);
    if (!factorize(c, a)) {
        return false;
    }
    for (size_t row = 0; row < rows; row++) {
        real *b = half[row];
        for (size_t i = 0; i < c->n; i++) {
            b[i] = direction(c, row)[i];
            for (size_t l = 0; l < i; l++) {
                b[i] -= a[i * N + l] * b[l];
            }
            b[i] /= a[i * N + i];
        }
    }
    for (size_t row = 0; d != NULL && row < rows; row++) {
        for (size_t k = 0; k < rows; k++) {
            d[row * ROWS + k] = 0;
            for (size_t i = 0; i < c->n; i++) {
                d[row * ROWS + k] += half[row][i] * half[k][i];
            }
        }
    }
    for (size_t row = 0; to_velocity != NULL && row < rows; row++) {
        real *b = &to_velocity[row * N];
        for (size_t i = c->n; i-- > 0;) {
            b[i] = half[row][i];
            for (size_t l = i + 1; l < c->n; l++) {
                b[i] -= a[l * N + i] * b[l];
            }
            b[i] /= a[i * N + i];
        }
    }
    return true;
}

void friction_slip(const friction_case *c, const double *velocity, real *u)
{
    for (size_t row = 0; row < c->s * (1 + c->dim); row++) {
        u[row] = row < c->s ? c->wall_normal[row] : c->wall_tangent[row - c->s];
        for (size_t i = 0; i < c->n; i++) {
            u[row] += (real)direction(c, row)[i] * velocity[i];
        }
    }
}

double friction_energy(const friction_case *c, const double *velocity)
{
    real sum = 0;
    for (size_t i = 0; i < c->n; i++) {
        for (size_t k = 0; k < c->n; k++) {
            sum += (real)c->mass[i * c->n + k] * velocity[i] * velocity[k];
        }
    }
    return (double)(sum / 2);
}

double friction_speed(const friction_case *c)
{
    real u[ROWS], most = 0;
    friction_slip(c, c->velocity, u);
    for (size_t row = 0; row < c->s * (1 + c->dim); row++) {
        most = fmaxl(most, fabsl(u[row]));
    }
    return (double)most;
}
