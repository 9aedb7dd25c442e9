#include "coulomb_case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *coulomb_kind_name(coulomb_kind kind)
{
    static const char *const names[] = {"regular", "dependent", "object", "stack", "capsules",
                                        "uneven",  "wedged",    "sticky", "skew"};
    return names[kind];
}

coulomb_data coulomb_allocate(size_t contacts, size_t dim)
{
    size_t size = contacts * dim;
    return (coulomb_data){.contacts = contacts,
                          .dim = dim,
                          .size = size,
                          .d = calloc(size * size + 1, sizeof(double)),
                          .q = calloc(size + 1, sizeof(double)),
                          .mu = calloc(contacts + 1, sizeof(double))};
}

void coulomb_data_free(coulomb_data *data)
{
    free(data->d);
    free(data->q);
    free(data->mu);
    free(data->r);
    *data = (coulomb_data){0};
}

/* ---- Bodies that touch ------------------------------------------------------------------- */

/* Rows of H' M^-1/2: for each component of a contact its two bodies with up to six coordinates. */
typedef struct heap {
    size_t bodies, coordinates; /* 3 in the plane, 6 in space; body 0 is the ground */
    double *weight;             /* inverse roots of mass and inertia, by body: 2 */
    double *velocity;           /* times root of mass */
    size_t (*pair)[2];
    double *row; /* component, side, coordinate */
} heap;

static heap heap_of(rng *r, size_t bodies, size_t contacts, size_t dim, double uneven)
{
    heap made = {.bodies = bodies, .coordinates = dim == 2 ? 3 : 6};
    made.weight = calloc(2 * bodies, sizeof(double));
    made.velocity = calloc(bodies * made.coordinates, sizeof(double));
    made.pair = calloc(contacts + 1, sizeof *made.pair);
    made.row = calloc((contacts + 1) * dim * 2 * made.coordinates, sizeof(double));
    for (size_t b = 1; b < bodies; b++) {
        double mass = uneven > 1 ? rng_log(r, 1 / uneven, uneven) : 1;
        made.weight[2 * b] = 1 / sqrt(mass);
        made.weight[2 * b + 1] = 1 / sqrt(mass * rng_uniform(r, 0.05, 0.4));
        for (size_t k = 0; k < made.coordinates; k++) {
            double speed = 0.1 * rng_normal(r) - (k == dim - 1 ? 1 : 0);
            made.velocity[b * made.coordinates + k] = speed / made.weight[2 * b + (k >= dim)];
        }
    }
    return made;
}

static void heap_free(heap *h)
{
    free(h->weight);
    free(h->velocity);
    free(h->pair);
    free(h->row);
}

static void cross(const double *a, const double *b, double *out)
{
    for (int k = 0; k < 3; k++) {
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
    }
}

/* Normal and tangents; dim 2: in the first two coordinates. */
static void frame_of(size_t dim, const double *normal, double frame[3][3])
{
    double length = 0, other[3] = {0};
    memset(frame, 0, 9 * sizeof(double));
    for (size_t k = 0; k < dim; k++) {
        length += normal[k] * normal[k];
    }
    for (size_t k = 0; k < dim; k++) {
        frame[0][k] = normal[k] / sqrt(length);
    }
    if (dim == 2) {
        frame[1][0] = frame[0][1];
        frame[1][1] = -frame[0][0];
        return;
    }
    other[fabs(frame[0][0]) < 0.6 ? 0 : 1] = 1;
    cross(frame[0], other, frame[1]);
    length =
        sqrt(frame[1][0] * frame[1][0] + frame[1][1] * frame[1][1] + frame[1][2] * frame[1][2]);
    for (int k = 0; k < 3; k++) {
        frame[1][k] /= length;
    }
    cross(frame[0], frame[1], frame[2]);
}

/* Contact j: body a is pushed along the normal, b against it; arms from their centres. */
static void touch(heap *h, size_t j, size_t dim, const double *normal, size_t a,
                  const double *arm_a, size_t b, const double *arm_b)
{
    double frame[3][3];
    frame_of(dim, normal, frame);
    h->pair[j][0] = a;
    h->pair[j][1] = b;
    for (size_t c = 0; c < dim; c++) {
        for (size_t side = 0; side < 2; side++) {
            size_t body = h->pair[j][side];
            const double *arm = side == 0 ? arm_a : arm_b;
            double sign = side == 0 ? 1 : -1, turn[3];
            double *row = h->row + ((j * dim + c) * 2 + side) * h->coordinates;
            for (size_t k = 0; k < dim; k++) {
                row[k] = sign * frame[c][k] * h->weight[2 * body];
            }
            cross(arm, frame[c], turn);
            for (size_t k = dim; k < h->coordinates; k++) {
                row[k] = sign * turn[dim == 2 ? 2 : k - 3] * h->weight[2 * body + 1];
            }
        }
    }
}

static void finish(const heap *h, coulomb_data *data)
{
    size_t n = h->coordinates;
    for (size_t i = 0; i < data->size; i++) {
        for (size_t k = 0; k < 2; k++) {
            size_t body = h->pair[i / data->dim][k];
            const double *row = h->row + (2 * i + k) * n;
            for (size_t c = 0; c < n; c++) {
                data->q[i] += row[c] * h->velocity[body * n + c];
            }
            for (size_t m = 0; m < 2 * data->size; m++) {
                if (h->pair[m / 2 / data->dim][m % 2] == body && body > 0) {
                    for (size_t c = 0; c < n; c++) {
                        data->d[i * data->size + m / 2] += row[c] * h->row[m * n + c];
                    }
                }
            }
        }
    }
}

static void random_arm(rng *r, size_t dim, double *arm)
{
    for (size_t k = 0; k < 3; k++) {
        arm[k] = k < dim ? rng_uniform(r, -0.5, 0.5) : 0;
    }
}

/* Bodies upon bodies: each contact's normal is upward, more or less. `twice`: contacts come in
 * pairs that differ by little.
 */
static coulomb_data random_heap(rng *r, size_t dim, size_t contacts, bool twice, double uneven)
{
    size_t bodies = 2 + contacts / (dim == 2 ? 2 : 3);
    coulomb_data made = coulomb_allocate(contacts, dim);
    heap h = heap_of(r, bodies, contacts, dim, uneven);
    double normal[3], arm_a[3], arm_b[3];
    for (size_t j = 0; j < contacts; j++) {
        size_t a = 1 + j % (bodies - 1), b = a > 8 ? a - 1 - rng_below(r, 8) : rng_below(r, a);
        if (!twice || j % 2 == 0) {
            for (size_t k = 0; k < 3; k++) {
                normal[k] = 0.6 * rng_normal(r) + (k == dim - 1 ? 1 : 0);
            }
            random_arm(r, dim, arm_a);
            random_arm(r, dim, arm_b);
        } else {
            a = h.pair[j - 1][0];
            b = h.pair[j - 1][1];
            arm_a[0] += 0.05;
            arm_b[0] += 0.05;
        }
        touch(&h, j, dim, normal, a, arm_a, b, arm_b);
    }
    finish(&h, &made);
    heap_free(&h);
    return made;
}

static coulomb_data random_object(rng *r, size_t dim, size_t contacts)
{
    coulomb_data made = coulomb_allocate(contacts, dim);
    heap h = heap_of(r, 2, contacts, dim, 1);
    for (size_t j = 0; j < contacts; j++) {
        double normal[3], arm[3];
        random_arm(r, dim, arm);
        for (size_t k = 0; k < 3; k++) {
            normal[k] = 0.3 * rng_normal(r) + (k == dim - 1 ? 1 : 0);
        }
        touch(&h, j, dim, normal, 1, arm, 0, arm);
    }
    finish(&h, &made);
    heap_free(&h);
    return made;
}

static coulomb_data random_stack(rng *r, size_t dim, size_t contacts)
{
    size_t corners = dim == 2 ? 2 : 4, boxes = contacts / corners + 1;
    coulomb_data made = coulomb_allocate(boxes * corners, dim);
    heap h = heap_of(r, boxes + 1, made.contacts, dim, 1);
    for (size_t j = 0; j < made.contacts; j++) {
        size_t box = j / corners + 1;
        double normal[3] = {0}, low[3] = {0}, high[3] = {0};
        normal[dim - 1] = 1;
        low[0] = high[0] = j % 2 == 0 ? -0.5 : 0.5;
        low[1] = high[1] = dim == 2 ? 0 : (j / 2 % 2 == 0 ? -0.5 : 0.5);
        low[dim - 1] = -0.5;
        high[dim - 1] = 0.5;
        touch(&h, j, dim, normal, box, low, box - 1, high);
    }
    finish(&h, &made);
    heap_free(&h);
    return made;
}

/* Balls, each in a groove of its own that is narrower than friction; and on the one before. */
static coulomb_data random_wedges(rng *r, size_t dim, size_t contacts)
{
    size_t balls = contacts / 3 + 1;
    coulomb_data made = coulomb_allocate(balls * 3, dim);
    heap h = heap_of(r, balls + 1, made.contacts, dim, 1);
    for (size_t j = 0; j < made.contacts; j++) {
        double angle = rng_uniform(r, 0.1, 0.6), normal[3] = {0}, arm_a[3] = {0}, arm_b[3] = {0};
        double across = j % 3 == 2 ? 0.3 * rng_normal(r) : (j % 3 == 0 ? cos(angle) : -cos(angle));
        normal[0] = across;
        normal[dim - 1] = j % 3 == 2 ? 1 : sin(angle);
        for (size_t k = 0; k < 3; k++) {
            arm_a[k] = -0.5 * normal[k];
            arm_b[k] = 0.5 * normal[k];
        }
        touch(&h, j, dim, normal, j / 3 + 1, arm_a, j % 3 == 2 ? j / 3 : 0, arm_b);
    }
    finish(&h, &made);
    heap_free(&h);
    return made;
}

/* ---- Known solutions ----------------------------------------------------------------------- */

/* r and u at random, open, stuck and slipping; q = u - D r. */
static coulomb_data known_solution(rng *r, size_t dim, size_t contacts, size_t rank)
{
    coulomb_data made = coulomb_allocate(contacts, dim);
    double *a = malloc(rank * made.size * sizeof *a), *u = calloc(made.size, sizeof *u);
    made.r = calloc(made.size, sizeof *made.r);
    for (size_t k = 0; k < rank * made.size; k++) {
        a[k] = rng_normal(r) / sqrt((double)rank);
    }
    for (size_t i = 0; i < made.size; i++) {
        for (size_t j = 0; j < made.size; j++) {
            for (size_t k = 0; k < rank; k++) {
                made.d[i * made.size + j] += a[i * rank + k] * a[j * rank + k];
            }
        }
    }
    for (size_t j = 0; j < contacts; j++) {
        double angle = rng_uniform(r, 0, 6.283185307179586), t[2] = {cos(angle), sin(angle)};
        double *own = made.r + j * dim, share = 1;
        size_t mode = rng_below(r, 3);
        made.mu[j] = rng_below(r, 6) == 0 ? 0 : rng_log(r, 0.05, 1.5);
        t[0] = dim == 2 ? (t[0] < 0 ? -1 : 1) : t[0];
        if (mode == 0) {
            u[j * dim] = rng_log(r, 0.1, 3);
        } else {
            own[0] = rng_log(r, 0.1, 3);
            share = mode == 1 ? rng_uniform(r, 0, 0.95) : 1;
        }
        for (size_t k = 1; k < dim; k++) {
            own[k] = share * made.mu[j] * own[0] * t[k - 1];
            u[j * dim + k] = mode == 0   ? rng_normal(r)
                             : mode == 2 ? -rng_log(r, 0.5, 2) * t[k - 1]
                                         : 0;
        }
        if (mode == 2 && dim == 3) {
            double speed = rng_log(r, 0.1, 3);
            u[j * dim + 1] = -speed * t[0];
            u[j * dim + 2] = -speed * t[1];
        }
    }
    for (size_t i = 0; i < made.size; i++) {
        made.q[i] = u[i];
        for (size_t j = 0; j < made.size; j++) {
            made.q[i] -= made.d[i * made.size + j] * made.r[j];
        }
    }
    free(a);
    free(u);
    return made;
}

static void skew(rng *r, coulomb_data *data)
{
    for (size_t i = 0; i < data->size; i++) {
        for (size_t j = 0; j < data->size; j++) {
            data->d[i * data->size + j] *= i == j ? 1 : 1 + 1e-3 * rng_normal(r);
        }
    }
}

coulomb_data coulomb_random(rng *r, coulomb_kind kind, size_t dim, size_t contacts)
{
    coulomb_data made;
    switch (kind) {
    case COULOMB_REGULAR:
        return known_solution(r, dim, contacts, contacts * dim + 2);
    case COULOMB_DEPENDENT:
        return known_solution(r, dim, contacts, contacts * dim / 2 + 1);
    case COULOMB_OBJECT:
        made = random_object(r, dim, contacts);
        break;
    case COULOMB_STACK:
        made = random_stack(r, dim, contacts);
        break;
    case COULOMB_WEDGED:
        made = random_wedges(r, dim, contacts);
        break;
    case COULOMB_UNEVEN:
        made = random_heap(r, dim, contacts, false, 1e3);
        break;
    default:
        made = random_heap(r, dim, contacts, kind == COULOMB_CAPSULES, 1);
        break;
    }
    double most = kind == COULOMB_STICKY ? 5 : kind == COULOMB_WEDGED ? 2 : 1;
    double mu = rng_uniform(r, 0.1, most);
    for (size_t j = 0; j < made.contacts; j++) {
        made.mu[j] = kind == COULOMB_STICKY ? rng_uniform(r, 0, 5) : mu;
    }
    if (kind == COULOMB_SKEW) {
        skew(r, &made);
    }
    return made;
}

/* ---- D by columns, and the residual ---------------------------------------------------------- */

coulomb_columns coulomb_columns_of(const coulomb_data *data)
{
    size_t size = data->size, entry = 0;
    coulomb_columns made = {malloc((size + 1) * sizeof(size_t)),
                            malloc((size * size + 1) * sizeof(uint32_t)),
                            malloc((size * size + 1) * sizeof(double))};
    for (size_t j = 0; j < size; j++) {
        made.start[j] = entry;
        for (size_t i = 0; i < size; i++) {
            if (data->d[i * size + j] != 0) {
                made.row[entry] = (uint32_t)i;
                made.value[entry++] = data->d[i * size + j];
            }
        }
    }
    made.start[size] = entry;
    return made;
}

crm_sparse_view coulomb_view(const coulomb_columns *columns)
{
    return (crm_sparse_view){columns->start, columns->row, columns->value};
}

void coulomb_columns_free(coulomb_columns *columns)
{
    free(columns->start);
    free(columns->row);
    free(columns->value);
    *columns = (coulomb_columns){0};
}

double coulomb_residual(const coulomb_data *data, const double *r)
{
    long double error = 0, scale = 0;
    size_t dim = data->dim;
    for (size_t j = 0; j < data->contacts; j++) {
        long double u[3] = {0}, z[3] = {0}, slip = 0, tangent = 0, mu = data->mu[j];
        for (size_t a = 0; a < dim; a++) {
            size_t i = j * dim + a;
            u[a] = data->q[i];
            scale += u[a] * u[a];
            for (size_t k = 0; k < data->size; k++) {
                u[a] += (long double)data->d[i * data->size + k] * r[k];
            }
            slip += a > 0 ? u[a] * u[a] : 0;
        }
        for (size_t a = 0; a < dim; a++) {
            z[a] = r[j * dim + a] - u[a] - (a == 0 ? mu * sqrtl(slip) : 0);
            tangent += a > 0 ? z[a] * z[a] : 0;
        }
        tangent = sqrtl(tangent);
        /* The cone's nearest point: z itself, the tip, or on the side. */
        long double along = (z[0] + mu * tangent) / (1 + mu * mu);
        bool outside = tangent > mu * z[0];
        z[0] = outside ? (along > 0 ? along : 0) : z[0];
        for (size_t a = 1; a < dim && outside; a++) {
            z[a] = along > 0 ? mu * along * z[a] / tangent : 0;
        }
        for (size_t a = 0; a < dim; a++) {
            error += (r[j * dim + a] - z[a]) * (r[j * dim + a] - z[a]);
        }
    }
    return (double)sqrtl(error / (scale > 0 ? scale : 1));
}
