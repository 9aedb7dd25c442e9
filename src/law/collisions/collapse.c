/* A proof of inelastic collapse.
 *
 * Suppose that the latest collisions are a sequence of contacts, here called a word, repeated three
 * times or more. One pass through the word is a linear map A of the gap velocities u of its
 * contacts, for nothing else changes them. The word continues as long as at each of its places k
 * the order of collisions selects the contact that the word has there. That is a set of linear
 * conditions
 *     f(u) >= 0:  -u_j > 0 for the contact j at k, and every contact that would collide before it
 *                 does not close (order by index, random), or closes no faster (fastest first).
 * Let A have a simple eigenvalue L, 0 < L < 1, larger in modulus than all others, with A w = L w,
 * l A = L l, l w = 1. From u = a w + r, l r = 0, n passes through the word lead to
 *     A^n u = L^n (a w + C^n r),   C = A / L - w l.
 * If every f(w) > 0, the word repeats without end once
 *     |f|_1 G |r|_max <= a f(w) / 2 for every f,   G >= |C^n|_max for all n:
 * then f(A^n u) >= L^n a f(w) / 2 for all n. G is the product of the norms above 1 of C, C^2, C^4,
 * ... down to one of a norm below 1/2. Until the condition holds, the word is followed collision by
 * collision, and every f is evaluated.
 *
 * Contacts outside the word that could collide before one of its contacts must not begin to close.
 * The impulses to come reduce their gap velocities, and their sums are geometric: the reduction is
 * at most
 * sum_j max(0, -D_ij) Q_j, where from the condition on Q_j <= 3/2 a / (1 - L) of what one word from
 * w gives.
 */
#include "law/collisions/collapse.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "law/collisions/collisions.h"

/* A proof is first tried after so many collisions, then whenever their number has grown by a
 * sixteenth; it uses between so many of the latest collisions.
 */
enum { FIRST_PROOF = 10000, SHARE = 16, LATEST_LEAST = 256, LATEST_MOST = 8192 };
enum { REPEATS = 3, SQUARINGS = 40, FOLLOWED = 1 << 16, MOST = CRM_COLLAPSE_CONTACTS };
/* Products of numbers for a proof, so that it takes little time beside the collisions. */
static const double WORK_PER_COLLISION = 32;
/* Beside rounding, of sums over a word: forms this small are not known to be positive, ... */
static const double SURE = 1e-9;
/* ... this is an eigenvector, and such a matrix has rank 1. */
static const double EIGEN = 1e-11, RANK_ONE = 1e-13;

typedef double square[MOST][MOST];

typedef struct proof {
    crm_collisions *collisions;
    crm_order order;
    size_t n, period;
    uint32_t contact[MOST];                 /* of the word, in order */
    uint32_t *word;                         /* places in contact[] */
    square d, a, power, product, phi, rest; /* rest: C */
    double e[MOST], weight[MOST]; /* weight: of closing speeds, when the fastest goes first */
    double w[MOST], l[MOST], u[MOST];
    double factor, least, growth; /* L, the least f(w) / |f|_1, G */
    double impulse[MOST];         /* of one word from w, ... */
    double bound[MOST];           /* ... and Q */
    double *pushed;               /* contacts */
} proof;

/* ---- The word ------------------------------------------------------------------------------- */

/* The least period that the latest collisions have had for three times, by the failure function of
 * their sequence from the latest backwards; 0: there is none.
 */
static size_t find_period(const uint32_t *recent, size_t count, uint32_t *border)
{
    const uint32_t *last = recent + count - 1;
    size_t k = 0;
    border[0] = 0;
    for (size_t i = 1; i < count; i++) {
        while (k > 0 && *(last - i) != *(last - k)) {
            k = border[k - 1];
        }
        k += *(last - i) == *(last - k);
        border[i] = (uint32_t)k;
        size_t period = i + 1 - k;
        if (i + 1 >= REPEATS * period) {
            return period;
        }
    }
    return 0;
}

static int by_index(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Places of the word, and its contacts in order. False: they are too many. */
static bool find_contacts(proof *p, const uint32_t *latest)
{
    for (size_t k = 0; k < p->period; k++) {
        size_t i = 0;
        while (i < p->n && p->contact[i] != latest[k]) {
            i++;
        }
        if (i == MOST) {
            return false;
        }
        p->contact[i] = latest[k];
        p->n += i == p->n;
    }
    qsort(p->contact, p->n, sizeof p->contact[0], by_index);
    for (size_t k = 0; k < p->period; k++) {
        const uint32_t *at = bsearch(&latest[k], p->contact, p->n, sizeof p->contact[0], by_index);
        p->word[k] = (uint32_t)(at - p->contact);
    }
    return true;
}

static size_t place_of(const proof *p, uint32_t contact)
{
    const uint32_t *at = bsearch(&contact, p->contact, p->n, sizeof contact, by_index);
    return at != NULL ? (size_t)(at - p->contact) : MOST;
}

static crm_status gather(proof *p, crm_error *error)
{
    const crm_model *model = p->collisions->problem->model;
    for (size_t j = 0; j < p->n; j++) {
        crm_row row;
        uint32_t contact = p->contact[j];
        crm_status status = crm_rows_get(&p->collisions->rows, contact, &row, error);
        if (status != CRM_OK) {
            return status;
        }
        for (size_t k = 0; k < row.count; k++) {
            size_t i = place_of(p, row.column[k]);
            if (i < MOST) {
                p->d[i][j] = row.value[k];
            }
        }
        p->e[j] = model->restitution[contact];
        p->u[j] = p->collisions->gap_velocity[contact];
        p->weight[j] = p->order == CRM_ORDER_WORK ? 1 / sqrt(model->d_diagonal[contact]) : 1;
    }
    return CRM_OK;
}

/* ---- Through the word ----------------------------------------------------------------------- */

static void collide(const proof *p, size_t j, double *u)
{
    double impulse = -(1 + p->e[j]) * u[j] / p->d[j][j], after = -p->e[j] * u[j];
    for (size_t i = 0; i < p->n; i++) {
        u[i] += p->d[i][j] * impulse;
    }
    u[j] = after;
}

/* The same of every column of a matrix. */
static void collide_all(const proof *p, size_t j, square m)
{
    double row[MOST], part = -(1 + p->e[j]) / p->d[j][j];
    memcpy(row, m[j], sizeof row);
    for (size_t i = 0; i < p->n; i++) {
        for (size_t k = 0; k < p->n; k++) {
            m[i][k] = i == j ? -p->e[j] * row[k] : m[i][k] + p->d[i][j] * part * row[k];
        }
    }
}

/* Whether contact i, not j, says anything about j being picked. */
static bool competes(const proof *p, size_t i, size_t j)
{
    return i != j && !(p->order == CRM_ORDER_LEAST && i > j) &&
           !(p->order == CRM_ORDER_GREATEST && i < j);
}

static bool is_by_speed(const proof *p)
{
    return p->order == CRM_ORDER_FASTEST || p->order == CRM_ORDER_WORK;
}

/* The form that says that i does not go before j; i == j: that j closes. */
static double form(const proof *p, size_t i, size_t j, double u_i, double u_j)
{
    if (i == j) {
        return -u_j;
    }
    return is_by_speed(p) ? p->weight[i] * u_i - p->weight[j] * u_j : u_i;
}

/* |form|_1, from the rows of what leads from the beginning of the word to here. */
static double form_norm(const proof *p, size_t i, size_t j)
{
    double sum = 0;
    for (size_t k = 0; k < p->n; k++) {
        sum += fabs(form(p, i, j, p->phi[i][k], p->phi[j][k]));
    }
    return sum;
}

/* Whether the word is followed once from u, which then is the u after it. */
static bool follow(const proof *p, double *u, double *impulse)
{
    for (size_t k = 0; k < p->period; k++) {
        size_t j = p->word[k];
        for (size_t i = 0; i < p->n; i++) {
            double f = form(p, i, j, u[i], u[j]);
            if (i == j ? !(f > 0) : competes(p, i, j) && !(f >= 0)) {
                return false;
            }
        }
        impulse[j] -= (1 + p->e[j]) * u[j] / p->d[j][j];
        collide(p, j, u);
    }
    return true;
}

/* The least f(w) / |f|_1, and the impulses from w. Forms that are 0 whatever u is, after a plastic
 * collision, say nothing.
 */
static void find_least_form(proof *p)
{
    double w[MOST];
    memcpy(w, p->w, sizeof w);
    memset(p->phi, 0, sizeof p->phi);
    for (size_t i = 0; i < p->n; i++) {
        p->phi[i][i] = 1;
    }
    p->least = INFINITY;
    for (size_t k = 0; k < p->period; k++) {
        size_t j = p->word[k];
        for (size_t i = 0; i < p->n; i++) {
            double norm = i == j || competes(p, i, j) ? form_norm(p, i, j) : 0;
            if (norm > 0 || i == j) {
                p->least = fmin(p->least, form(p, i, j, w[i], w[j]) / norm);
            }
        }
        p->impulse[j] -= (1 + p->e[j]) * w[j] / p->d[j][j];
        collide(p, j, w);
        collide_all(p, j, p->phi);
    }
}

/* ---- The eigenvector ------------------------------------------------------------------------ */

static double norm_of(const proof *p, square m)
{
    double most = 0;
    for (size_t i = 0; i < p->n; i++) {
        double sum = 0;
        for (size_t k = 0; k < p->n; k++) {
            sum += fabs(m[i][k]);
        }
        most = fmax(most, sum);
    }
    return most;
}

/* m = by m */
static void multiply(proof *p, square by, square m)
{
    for (size_t i = 0; i < p->n; i++) {
        for (size_t k = 0; k < p->n; k++) {
            double sum = 0;
            for (size_t q = 0; q < p->n; q++) {
                sum += by[i][q] * m[q][k];
            }
            p->product[i][k] = sum;
        }
    }
    memcpy(m, p->product, sizeof p->product);
}

/* m = w l, with the largest entry of w 1? */
static bool has_rank_one(proof *p, square m)
{
    size_t row = 0, column = 0;
    for (size_t i = 0; i < p->n; i++) {
        for (size_t k = 0; k < p->n; k++) {
            if (fabs(m[i][k]) > fabs(m[row][column])) {
                row = i;
                column = k;
            }
        }
    }
    double most = m[row][column];
    for (size_t i = 0; i < p->n; i++) {
        p->w[i] = m[i][column] / most;
        p->l[i] = m[row][i];
        for (size_t k = 0; k < p->n; k++) {
            if (!(fabs(m[i][k] - m[i][column] * m[row][k] / most) <= RANK_ONE * fabs(most))) {
                return false;
            }
        }
    }
    return true;
}

/* w and l with l w = 1, l u > 0; L, and whether it is one. */
static bool find_factor(proof *p)
{
    double both = 0, along = 0, most = 0;
    for (size_t i = 0; i < p->n; i++) {
        both += p->l[i] * p->w[i];
    }
    for (size_t i = 0; i < p->n; i++) {
        p->l[i] /= both;
        along += p->l[i] * p->u[i];
    }
    p->factor = 0;
    for (size_t i = 0; i < p->n; i++) {
        double sum = 0;
        for (size_t k = 0; k < p->n; k++) {
            sum += p->a[i][k] * p->w[k];
        }
        p->product[0][i] = sum;
        p->factor = fabs(p->w[i]) == 1 ? sum / p->w[i] : p->factor;
    }
    for (size_t i = 0; i < p->n; i++) {
        most = fmax(most, fabs(p->product[0][i] - p->factor * p->w[i]));
        p->w[i] *= along > 0 ? 1 : -1;
        p->l[i] *= along > 0 ? 1 : -1;
    }
    return isfinite(both) && p->factor > 0 && p->factor < 1 - SURE && along != 0 &&
           most <= EIGEN * p->factor;
}

static bool find_eigenvector(proof *p)
{
    memset(p->a, 0, sizeof p->a);
    for (size_t i = 0; i < p->n; i++) {
        p->a[i][i] = 1;
    }
    for (size_t k = 0; k < p->period; k++) {
        collide_all(p, p->word[k], p->a);
    }
    memcpy(p->power, p->a, sizeof p->a);
    for (int k = 0; k < SQUARINGS; k++) {
        double norm = norm_of(p, p->power);
        if (!(norm > 0) || !isfinite(norm)) {
            return false;
        }
        for (size_t i = 0; i < p->n * MOST; i++) {
            p->power[i / MOST][i % MOST] /= norm;
        }
        if (has_rank_one(p, p->power)) {
            return find_factor(p);
        }
        multiply(p, p->power, p->power);
    }
    return false;
}

/* G; false: what is not along w does not die away faster, or hardly. */
static bool find_growth(proof *p)
{
    double work = (double)(p->n * p->n * p->n);
    double left = WORK_PER_COLLISION * (double)p->collisions->count;
    for (size_t i = 0; i < p->n; i++) {
        for (size_t k = 0; k < p->n; k++) {
            p->rest[i][k] = p->a[i][k] / p->factor - p->w[i] * p->l[k];
        }
    }
    memcpy(p->power, p->rest, sizeof p->rest);
    for (p->growth = 1; left > 0; left -= work) {
        double norm = norm_of(p, p->power);
        if (norm < 0.5) {
            return true;
        }
        p->growth = fmax(p->growth, norm);
        multiply(p, p->rest, p->power);
    }
    return false;
}

/* ---- The proof ------------------------------------------------------------------------------ */

/* a and |r|_max of u. */
static double part_along(const proof *p, const double *u, double *rest)
{
    double along = 0;
    *rest = 0;
    for (size_t i = 0; i < p->n; i++) {
        along += p->l[i] * u[i];
    }
    for (size_t i = 0; i < p->n; i++) {
        *rest = fmax(*rest, fabs(u[i] - along * p->w[i]));
    }
    return along;
}

/* Whether the word repeats without end from u; fills in Q, too. */
static bool repeats(proof *p)
{
    double u[MOST], rest = 0;
    memcpy(u, p->u, sizeof u);
    for (size_t done = 0; done <= FOLLOWED; done += p->period) {
        double along = part_along(p, u, &rest);
        if (!(along > 0)) {
            return false;
        }
        if (p->growth * rest <= p->least * along / 2) {
            for (size_t j = 0; j < p->n; j++) {
                p->bound[j] += 1.5 * along / (1 - p->factor) * p->impulse[j];
            }
            return true;
        }
        if (!follow(p, u, p->bound)) {
            return false;
        }
    }
    return false;
}

/* Whether contacts outside the word that could collide before one of its contacts stay open. */
static crm_status check_other_contacts(proof *p, bool *stay_open, crm_error *error)
{
    crm_collisions *c = p->collisions;
    for (size_t j = 0; j < p->n; j++) {
        crm_row row;
        crm_status status = crm_rows_get(&c->rows, p->contact[j], &row, error);
        if (status != CRM_OK) {
            return status;
        }
        for (size_t k = 0; k < row.count; k++) {
            p->pushed[row.column[k]] += fmax(0, -row.value[k]) * p->bound[j];
        }
    }
    uint32_t first = p->contact[0], last = p->contact[p->n - 1];
    for (uint32_t i = 0; i < c->contacts && *stay_open; i++) {
        bool later = (p->order == CRM_ORDER_LEAST && i > last) ||
                     (p->order == CRM_ORDER_GREATEST && i < first);
        double u = c->gap_velocity[i], left = u - p->pushed[i];
        bool open = p->pushed[i] > 0 ? left > SURE * u : u >= 0;
        *stay_open = later || place_of(p, i) < MOST || open;
    }
    return CRM_OK;
}

static crm_status prove(proof *p, const uint32_t *latest, bool *proved, crm_error *error)
{
    if (!find_contacts(p, latest)) {
        return CRM_OK;
    }
    crm_status status = gather(p, error);
    if (status != CRM_OK || !find_eigenvector(p)) {
        return status;
    }
    find_least_form(p);
    if (!(p->least > SURE) || !find_growth(p) || !repeats(p)) {
        return CRM_OK;
    }
    *proved = true;
    return check_other_contacts(p, proved, error);
}

static crm_status try_to_prove(crm_collisions *c, crm_order order, bool *proved, crm_error *error)
{
    crm_collapse *collapse = &c->collapse;
    proof *p = CRM_NEW(proof, 1);
    uint32_t *border = CRM_NEW(uint32_t, collapse->count);
    double *pushed = CRM_NEW(double, c->contacts);
    crm_status status = CRM_OK;
    if (p == NULL || border == NULL || pushed == NULL) {
        status = crm_fail_memory(error);
    } else {
        size_t period = find_period(collapse->recent, collapse->count, border);
        p->collisions = c;
        p->order = order;
        p->period = period;
        p->word = border;
        p->pushed = pushed;
        if (period > 0) {
            status = prove(p, collapse->recent + collapse->count - period, proved, error);
        }
    }
    if (status == CRM_OK && *proved) {
        collapse->period = p->period;
        collapse->contacts = p->n;
        memcpy(collapse->contact, p->contact, sizeof p->contact);
        collapse->factor = p->factor;
    }
    free(p);
    free(border);
    free(pushed);
    return status;
}

crm_status crm_collapse_observe(crm_collisions *c, const crm_collision_plan *plan, size_t j,
                                bool *proved, crm_error *error)
{
    crm_collapse *collapse = &c->collapse;
    *proved = false;
    const crm_model *model = c->problem->model;
    bool linear = !crm_model_has_compliance(model) && model->tangents == 0;
    if (!linear || c->count < FIRST_PROOF || c->count < collapse->begin) {
        return CRM_OK;
    }
    if (collapse->recent == NULL) {
        collapse->recent = CRM_NEW(uint32_t, LATEST_MOST);
        collapse->capacity = LATEST_LEAST;
        if (collapse->recent == NULL) {
            return crm_fail_memory(error);
        }
    }
    collapse->recent[collapse->count++] = (uint32_t)j;
    if (collapse->count < collapse->capacity) {
        return CRM_OK;
    }
    crm_status status = try_to_prove(c, plan->order, proved, error);
    uint64_t share = c->count / SHARE;
    collapse->count = 0;
    collapse->capacity = share < LATEST_MOST ? (size_t)share : LATEST_MOST;
    collapse->begin = c->count + share - collapse->capacity;
    return status;
}

void crm_collapse_release(crm_collapse *collapse)
{
    free(collapse->recent);
}

void crm_collapse_describe(const crm_collisions *c, char *text, size_t size)
{
    enum { NAMED = 8 };
    const crm_collapse *collapse = &c->collapse;
    snprintf(text, size,
             "inelastic collapse: after %llu collisions a sequence of %zu more, at contact%s",
             (unsigned long long)c->count, collapse->period, collapse->contacts == 1 ? "" : "s");
    for (size_t i = 0; i < collapse->contacts && i < NAMED; i++) {
        crm_text_append(text, size, "%s %u", i > 0 ? "," : "", collapse->contact[i] + 1);
    }
    crm_text_append(text, size,
                    "%s, repeats for ever and multiplies closing speeds by %.6g each time",
                    collapse->contacts > NAMED ? ", ..." : "", collapse->factor);
}
