/* A primal-dual interior-point method for the programme of set.h.
 *
 * With the multipliers nu of x >= 0, mu of y >= 0 and lambda of t >= 0 the optimum has
 *
 *     theta y + c + lambda y - D mu - nu = 0,     x nu = 0,   y mu = 0,   t lambda = 0
 *
 * (the gradient of u'x + x'Dx/2 is y itself). The products are made tau instead of 0, and tau goes
 * to 0. Newton's method for rows g_i of slack r_i and multiplier m_i (rows of D, y and mu; -y, t
 * and lambda), dnu eliminated, is
 *
 *     ((theta + lambda) D + diag(nu/x)) dx - sum g_i dm_i = ...,     g_i'dx + (r_i/m_i) dm_i = ...
 *
 * Rows with r_i >= m_i are eliminated, too, which adds g_i g_i' m_i/r_i to the matrix. The others,
 * for which that would drown it, stay: K is the matrix then, and S = diag(r/m) + G K^-1 G' theirs.
 * Both are definite whatever the rank of D. The iterates stay in the interior, so that each of them
 * is an admissible p. Mehrotra's predictor and corrector, with the second-order terms of the
 * products, of t and of lambda y.
 *
 * The bound. Let g = theta + lambda, mu >= 0, and a point x~ with nu~ = c + g (u + D x~) - D mu >=
 * 0. For every admissible x, as the function is convex and x, y, t >= 0,
 *
 *     theta (u'x + x'Dx/2) + c'x >= nu~'x - g x~'Dx~/2 - lambda limit - mu'u
 *                                >=       - g x~'Dx~/2 - lambda limit - mu'u.
 *
 * Rounding and unfinished iterations leave some nu~_j < 0; x~ = x + k h with D h >= 1 mends them.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "admissible/set.h"

/* Fraction of the step at which a product or slack would become 0. */
static const double STEP = 0.995;
/* The least of the products beside their mean. */
static const double CENTRAL = 1e-3;
enum { HALVINGS = 40 };
/* The decrement, squared, at which Newton's method for the centre has arrived. */
static const double NEAR_CENTRE = 1e-4;
/* Gap that is as good as rounding, relative. */
static const double FINISHED = 1e-15;
/* Steps without a smaller gap or tau after which rounding has the word. */
enum { ITERATIONS_MOST = 200, STALLED = 12 };

typedef struct iterate {
    double *x, *y, *nu, *mu;
    double t, lambda;
} iterate;

/* The system of one iterate: K, G K^-1/2 and S, factorized. */
typedef struct system_of_step {
    double *k;     /* m * m */
    size_t count;  /* rows that stay */
    size_t *row;   /* which: a contact, or m for the energy */
    double *z;     /* count * m: L^-1 g, with K = L L' */
    double *s;     /* count * count */
    double *right; /* count */
} system_of_step;

typedef struct interior {
    const crm_program *program;
    double theta;
    const double *c;
    iterate at, step;
    double *residual;  /* of the first equation */
    double *right, *w; /* m */
    system_of_step system;
    double second[2]; /* of t: dx'D dx/2, and dlambda, of the predictor */
    bool corrects;
} interior;

/* ---- Products ---------------------------------------------------------------------------------
 */

static void multiply(const crm_program *p, const double *x, double *out)
{
    for (size_t i = 0; i < p->m; i++) {
        out[i] = crm_admissible_dot(p->d + i * p->m, x, p->m);
    }
}

/* ---- The state --------------------------------------------------------------------------------
 */

/* y, t and the residual of x and the multipliers. */
static void measure(interior *s)
{
    const crm_program *p = s->program;
    iterate *a = &s->at;
    multiply(p, a->x, a->y);
    double energy = 0;
    for (size_t i = 0; i < p->m; i++) {
        energy += a->x[i] * (p->u[i] + 0.5 * a->y[i]);
        a->y[i] += p->u[i];
    }
    a->t = p->limit - energy;
    multiply(p, a->mu, s->w);
    for (size_t i = 0; i < p->m; i++) {
        s->residual[i] = s->c[i] + (s->theta + a->lambda) * a->y[i] - s->w[i] - a->nu[i];
    }
}

static double products(const iterate *a, size_t m)
{
    return (crm_admissible_dot(a->x, a->nu, m) + crm_admissible_dot(a->y, a->mu, m) +
            a->t * a->lambda) /
           (double)(2 * m + 1);
}

static double value_at(const interior *s)
{
    const iterate *a = &s->at;
    size_t m = s->program->m;
    double energy = s->program->limit - a->t;
    return s->theta * energy + crm_admissible_dot(s->c, a->x, m);
}

/* The bound above, of this iterate. What of nu~ is < 0 is mended by k h with g k = most; where g is
 * next to nothing a larger one, for which lambda rises, costs less. `right` and `w` are used.
 */
static double bound_at(interior *s)
{
    const crm_program *p = s->program;
    const iterate *a = &s->at;
    double g = s->theta + a->lambda, most = 0, of_h = 0, of_x = 1;
    multiply(p, p->h, s->w);
    for (size_t i = 0; i < p->m; i++) {
        most = fmax(most, -(s->residual[i] + a->nu[i]));
        of_h += p->h[i] * s->w[i];
        of_x += a->x[i] * (a->y[i] - p->u[i]);
    }
    double raised = fmax(g, most * sqrt(of_h / of_x));
    for (size_t i = 0; i < p->m; i++) {
        s->right[i] = a->x[i] + (most > 0 ? most / raised : 0) * p->h[i];
    }
    multiply(p, s->right, s->w);
    return -0.5 * raised * crm_admissible_dot(s->right, s->w, p->m) -
           (a->lambda + (raised - g)) * p->limit - crm_admissible_dot(a->mu, p->u, p->m);
}

/* ---- One step ---------------------------------------------------------------------------------
 */

/* Entry k of row i: of D, or of -y. */
static double entry(const interior *s, size_t i, size_t k)
{
    size_t m = s->program->m;
    return i < m ? s->program->d[i * m + k] : -s->at.y[k];
}

static void add_row(interior *s, size_t row, double weight)
{
    size_t m = s->program->m;
    for (size_t i = 0; i < m; i++) {
        double left = weight * entry(s, row, i);
        for (size_t j = 0; j <= i; j++) {
            s->system.k[i * m + j] += left * entry(s, row, j);
        }
    }
}

static void fill_system(interior *s)
{
    const crm_program *p = s->program;
    const iterate *a = &s->at;
    system_of_step *system = &s->system;
    size_t m = p->m;
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j <= i; j++) {
            system->k[i * m + j] = (s->theta + a->lambda) * p->d[i * m + j];
        }
        system->k[i * m + i] += a->nu[i] / a->x[i];
    }
    system->count = 0;
    for (size_t i = 0; i <= m; i++) {
        double slack = i < m ? a->y[i] : a->t, multiplier = i < m ? a->mu[i] : a->lambda;
        if (slack < multiplier) {
            system->row[system->count++] = i;
        } else {
            add_row(s, i, multiplier / slack);
        }
    }
    crm_admissible_factorize(system->k, m);
}

static void fill_rows(interior *s)
{
    const iterate *a = &s->at;
    system_of_step *system = &s->system;
    size_t m = s->program->m, count = system->count;
    for (size_t i = 0; i < count; i++) {
        size_t row = system->row[i];
        double *z = system->z + i * m;
        for (size_t k = 0; k < m; k++) {
            z[k] = entry(s, row, k);
        }
        crm_admissible_solve_lower(system->k, m, z);
        for (size_t j = 0; j <= i; j++) {
            system->s[i * count + j] = crm_admissible_dot(z, system->z + j * m, m);
        }
        system->s[i * count + i] += row < m ? a->y[row] / a->mu[row] : a->t / a->lambda;
    }
    crm_admissible_factorize(system->s, count);
}

/* K dx - sum g_i dm_i = x, g_i'dx + (r_i/m_i) dm_i = right_i. x becomes dx, right dm. */
static void solve_system(interior *s, double *x)
{
    system_of_step *system = &s->system;
    size_t m = s->program->m;
    crm_admissible_solve_lower(system->k, m, x);
    for (size_t i = 0; i < system->count; i++) {
        system->right[i] -= crm_admissible_dot(system->z + i * m, x, m);
    }
    crm_admissible_solve_factor(system->s, system->count, system->right);
    for (size_t i = 0; i < system->count; i++) {
        for (size_t k = 0; k < m; k++) {
            x[k] += system->z[i * m + k] * system->right[i];
        }
    }
    crm_admissible_solve_upper(system->k, m, x);
}

/* What the products shall be, less what they are, less the second-order terms of the predictor;
 * nu, mu and lambda of the step hold it.
 */
static void aim(interior *s, double target)
{
    const iterate *a = &s->at;
    iterate *b = &s->step;
    size_t m = s->program->m;
    bool corrects = s->corrects;
    double falls = corrects ? crm_admissible_dot(a->y, b->x, m) : 0;
    b->lambda = target - a->lambda * a->t;
    b->lambda += corrects ? a->lambda * s->second[0] + s->second[1] * falls : 0;
    for (size_t i = 0; i < m; i++) {
        b->nu[i] = target - a->nu[i] * a->x[i] - (corrects ? b->nu[i] * b->x[i] : 0);
        b->mu[i] = target - a->mu[i] * a->y[i] - (corrects ? b->mu[i] * b->y[i] : 0);
        s->right[i] = -s->residual[i] - (corrects ? s->second[1] * b->y[i] : 0);
    }
}

static void find_step(interior *s, double target)
{
    const iterate *a = &s->at;
    iterate *b = &s->step;
    system_of_step *system = &s->system;
    size_t m = s->program->m, next = 0;
    aim(s, target);
    for (size_t i = 0; i < m; i++) {
        b->x[i] = s->right[i] + b->nu[i] / a->x[i];
    }
    for (size_t i = 0; i <= m; i++) {
        double product = i < m ? b->mu[i] : b->lambda;
        if (next < system->count && system->row[next] == i) {
            system->right[next++] = product / (i < m ? a->mu[i] : a->lambda);
            continue;
        }
        double weight = product / (i < m ? a->y[i] : a->t);
        for (size_t k = 0; k < m; k++) {
            b->x[k] += weight * entry(s, i, k);
        }
    }
    solve_system(s, b->x);
    multiply(s->program, b->x, b->y);
    b->t = -crm_admissible_dot(a->y, b->x, m);
    b->lambda = (b->lambda - a->lambda * b->t) / a->t;
    for (size_t i = 0; i < m; i++) {
        b->nu[i] = (b->nu[i] - a->nu[i] * b->x[i]) / a->x[i];
        b->mu[i] = (b->mu[i] - a->mu[i] * b->y[i]) / a->y[i];
    }
    for (size_t i = 0; i < system->count; i++) {
        *(system->row[i] < m ? &b->mu[system->row[i]] : &b->lambda) = system->right[i];
    }
}

static double limit_step(double most, double value, double change)
{
    return change < 0 ? fmin(most, -value / change) : most;
}

/* t + a dt - a^2 q > 0, q = dx'D dx/2 >= 0. */
static double limit_of_t(double t, double dt, double q)
{
    double root = sqrt(dt * dt + 4 * q * t);
    double most = dt > 0 ? (q > 0 ? (dt + root) / (2 * q) : INFINITY) : 2 * t / (root - dt);
    return most > 0 ? most : 0;
}

static double longest_step(const interior *s)
{
    const iterate *a = &s->at, *b = &s->step;
    size_t m = s->program->m;
    double most = limit_of_t(a->t, b->t, 0.5 * crm_admissible_dot(b->x, b->y, m));
    most = limit_step(fmin(most, 1 / STEP), a->lambda, b->lambda);
    for (size_t i = 0; i < m; i++) {
        most = limit_step(most, a->x[i], b->x[i]);
        most = limit_step(most, a->y[i], b->y[i]);
        most = limit_step(most, a->nu[i], b->nu[i]);
        most = limit_step(most, a->mu[i], b->mu[i]);
    }
    return most;
}

/* The mean of the products after so much of the step, and the least of them. */
static double products_after(const interior *s, double part, double *least)
{
    const iterate *a = &s->at, *b = &s->step;
    size_t m = s->program->m;
    double q = 0.5 * crm_admissible_dot(b->x, b->y, m);
    double sum = (a->t + part * b->t - part * part * q) * (a->lambda + part * b->lambda);
    *least = sum;
    for (size_t i = 0; i < m; i++) {
        double of_x = (a->x[i] + part * b->x[i]) * (a->nu[i] + part * b->nu[i]);
        double of_y = (a->y[i] + part * b->y[i]) * (a->mu[i] + part * b->mu[i]);
        *least = fmin(*least, fmin(of_x, of_y));
        sum += of_x + of_y;
    }
    return sum / (double)(2 * m + 1);
}

/* Not so far that a product falls behind the others, which makes the steps to come short. */
static double central_step(const interior *s)
{
    double part = STEP * longest_step(s), least;
    for (int k = 0; k < HALVINGS; k++) {
        double mean = products_after(s, part, &least);
        if (least >= CENTRAL * mean) {
            break;
        }
        part *= 0.8;
    }
    return part;
}

static void move(interior *s, double part)
{
    iterate *a = &s->at;
    const iterate *b = &s->step;
    for (size_t i = 0; i < s->program->m; i++) {
        a->x[i] += part * b->x[i];
        a->nu[i] += part * b->nu[i];
        a->mu[i] += part * b->mu[i];
    }
    a->lambda += part * b->lambda;
}

/* false: rounding leaves no step. */
static bool advance(interior *s)
{
    size_t m = s->program->m;
    double tau = products(&s->at, m);
    fill_system(s);
    fill_rows(s);
    s->corrects = false;
    find_step(s, 0);
    double part = fmin(1, longest_step(s));
    double least, ratio = products_after(s, part, &least) / tau;
    s->second[0] = 0.5 * crm_admissible_dot(s->step.x, s->step.y, m);
    s->second[1] = s->step.lambda;
    s->corrects = true;
    find_step(s, fmin(1, ratio * ratio * ratio) * tau);
    part = central_step(s);
    move(s, part);
    return part > 0;
}

/* ---- The centre -------------------------------------------------------------------------------
 */

/* The multipliers for which all products are tau. */
static void equalize(interior *s, double tau)
{
    iterate *a = &s->at;
    for (size_t i = 0; i < s->program->m; i++) {
        a->nu[i] = tau / a->x[i];
        a->mu[i] = tau / a->y[i];
    }
    a->lambda = tau / a->t;
}

/* How - sum log x - sum log y - log t changes after so much of the step. */
static double slope_after(const interior *s, double part)
{
    const iterate *a = &s->at, *b = &s->step;
    size_t m = s->program->m;
    double q = 0.5 * crm_admissible_dot(b->x, b->y, m);
    double slope = -(b->t - 2 * part * q) / (a->t + part * b->t - part * part * q);
    for (size_t i = 0; i < m; i++) {
        slope -= b->x[i] / (a->x[i] + part * b->x[i]) + b->y[i] / (a->y[i] + part * b->y[i]);
    }
    return slope;
}

/* To the least along the line, on which the function is convex. */
static double step_to_least(const interior *s)
{
    double low = 0, high = longest_step(s);
    for (int k = 0; k < HALVINGS; k++) {
        double middle = 0.5 * (low + high);
        *(slope_after(s, middle) < 0 ? &low : &high) = middle;
    }
    return low;
}

/* Newton's method for the analytic centre, at which sum log x + sum log y + log t is greatest. With
 * c = 0 and the products all 1 the system of a step is its own.
 */
static crm_status find_centre(interior *s, crm_watching *watching, crm_error *error)
{
    size_t m = s->program->m;
    s->corrects = false;
    for (int k = 0; k < ITERATIONS_MOST; k++) {
        measure(s);
        equalize(s, 1);
        measure(s);
        fill_system(s);
        fill_rows(s);
        find_step(s, 1);
        double square = -crm_admissible_dot(s->residual, s->step.x, m);
        if (!(square > NEAR_CENTRE)) {
            break;
        }
        double part = step_to_least(s);
        for (size_t i = 0; i < m; i++) {
            s->at.x[i] += part * s->step.x[i];
        }
        if (crm_watch_interrupts(watching, 1 + m * m * m)) {
            return crm_fail(error, CRM_ERROR_STOPPED, NULL, "interrupted");
        }
    }
    return CRM_OK;
}

/* ---- The whole --------------------------------------------------------------------------------
 */

/* At the centre, with products beside which c is small: it would move x by half of what the
 * interior has in its direction.
 */
static void begin(interior *s)
{
    memcpy(s->at.x, s->program->start, s->program->m * sizeof(double));
    measure(s);
    equalize(s, 1);
    measure(s);
    fill_system(s);
    fill_rows(s);
    s->corrects = false;
    find_step(s, 1);
    double square = -crm_admissible_dot(s->residual, s->step.x, s->program->m);
    equalize(s, square > 0 ? fmax(2 * sqrt(square), 1e-300) : 1);
}

static bool inside(const iterate *a, size_t m)
{
    bool good = a->t > 0 && a->lambda > 0;
    for (size_t i = 0; i < m; i++) {
        good &= a->x[i] > 0 && a->y[i] > 0 && a->nu[i] > 0 && a->mu[i] > 0;
    }
    return good;
}

/* Keeps the best value, with its x, and the best bound. */
static crm_status iterate_all(interior *s, crm_watching *watching, double *x, double *value,
                              double *bound, crm_error *error)
{
    size_t m = s->program->m;
    double least = INFINITY, least_tau = INFINITY;
    int stalled = 0;
    *value = INFINITY;
    *bound = -INFINITY;
    begin(s);
    for (int k = 0; k < ITERATIONS_MOST && stalled < STALLED; k++) {
        measure(s);
        if (!inside(&s->at, m)) {
            break;
        }
        double now = value_at(s), below = bound_at(s);
        if (now < *value) {
            *value = now;
            memcpy(x, s->at.x, m * sizeof *x);
        }
        *bound = below > *bound ? below : *bound;
        double gap = *value - *bound, tau = products(&s->at, m);
        stalled = gap < 0.9 * least || tau < 0.9 * least_tau ? 0 : stalled + 1;
        least = fmin(least, gap);
        least_tau = fmin(least_tau, tau);
        if (gap <= FINISHED * (fabs(*value) + fabs(*bound))) {
            break;
        }
        if (crm_watch_interrupts(watching, 1 + m * m * m)) {
            return crm_fail(error, CRM_ERROR_STOPPED, NULL, "interrupted");
        }
        if (!advance(s)) {
            break;
        }
    }
    return CRM_OK;
}

static void interior_close(interior *s)
{
    free(s->at.x);
    free(s->system.row);
}

static crm_status interior_open(const crm_program *program, interior *s, crm_error *error)
{
    size_t m = program->m;
    double *room = CRM_NEW(double, 12 * m + m * m + (m + 1) * (2 * m + 2));
    *s = (interior){.program = program, .system.row = CRM_NEW(size_t, m + 1)};
    s->at.x = room;
    if (room == NULL || s->system.row == NULL) {
        interior_close(s);
        return crm_fail_memory(error);
    }
    double *const at = room, *const step = room + 4 * m;
    s->at = (iterate){.x = at, .y = at + m, .nu = at + 2 * m, .mu = at + 3 * m};
    s->step = (iterate){.x = step, .y = step + m, .nu = step + 2 * m, .mu = step + 3 * m};
    s->residual = room + 8 * m;
    s->right = room + 9 * m;
    s->w = room + 10 * m;
    s->system.k = room + 12 * m;
    s->system.z = s->system.k + m * m;
    s->system.s = s->system.z + (m + 1) * m;
    s->system.right = s->system.s + (m + 1) * (m + 1);
    return CRM_OK;
}

crm_status crm_admissible_find_centre(crm_program *program, crm_watching *watching,
                                      crm_error *error)
{
    interior s;
    crm_status status = interior_open(program, &s, error);
    if (status != CRM_OK) {
        return status;
    }
    s.c = s.w + program->m; /* zeros */
    memcpy(s.at.x, program->start, program->m * sizeof(double));
    status = find_centre(&s, watching, error);
    memcpy(program->start, s.at.x, program->m * sizeof(double));
    interior_close(&s);
    return status;
}

crm_status crm_admissible_minimise(const crm_program *program, double theta, const double *c,
                                   crm_watching *watching, double *x, double *value, double *bound,
                                   crm_error *error)
{
    interior s;
    crm_status status = interior_open(program, &s, error);
    if (status == CRM_OK) {
        s.theta = theta;
        s.c = c;
        status = iterate_all(&s, watching, x, value, bound, error);
        if (status == CRM_OK && !isfinite(*value)) {
            status = crm_fail(error, CRM_ERROR_NUMERICS, NULL,
                              "rounding leaves no point inside the admissible set");
        }
        interior_close(&s);
    }
    return status;
}
