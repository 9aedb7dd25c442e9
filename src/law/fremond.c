/* fremond: percussions from a pseudo-potential of dissipation (Fremond, Cholet; P3 3.2).
 *
 * With the mean gap velocities m = (u+ + u-)/2, k symmetric and >= 0,
 *     p = -k m + r,    r >= 0,  u+ >= 0,  complementary.
 * Off-diagonal entries of k let one contact's motion press another: percussion at a distance. One
 * contact leaves at -e u- for k = 2 (1 + e)/((1 - e) D_jj), which is the usual k; e = 1 is k
 * infinite, so that the law is written with the compliance C = k^-1 where k is a diagonal.
 *
 * Energy: T+ - T- - (work of the boundaries) = m'p = -m'k m + r'm <= -m'k m <= 0 when no contact
 * separates before the impact: r'u+ = 0, and r'u- <= 0.
 *
 * Elimination. s = k m is C s = m = (u- + u- + D (r - s))/2, that is S s = 2 u- + D r with
 * S = D + 2 C; then u+ = 2 C s - u-. As a problem in r alone
 *     u+ = N D r + 2 N u- - u-,    N = (I + D k/2)^-1 = 2 C S^-1,
 * and N D = (D^-1 + k/2)^-1 = 2 C - 2 C S^-1 2 C is symmetric, >= 0: a convex problem, u+ unique. A
 * contact with e = 1 (c = 0) needs no r where u- <= 0: u+ = -u-. Where it separates before, k ->
 * infinity gives u+ = 0, with u- in the place of 2 u-.
 */
#include <math.h>
#include <string.h>

#include "carom/lcp.h"
#include "law/law.h"
#include "lcp/solver.h"

enum { DISSIPATION_MATRIX };

static const crm_parameter parameters[] = {
    [DISSIPATION_MATRIX] =
        {.name = "dissipation_matrix",
         .kind = CRM_PARAMETER_MATRIX,
         .standard = NAN,
         .least = -INFINITY,
         .most = INFINITY,
         .standard_text = "2 (1 + e)/((1 - e) D_jj) on the diagonal, of the contacts' restitution",
         .text = "k, symmetric with no eigenvalue below 0, in N s/m: row i, column j: the impulse "
                 "at contact i against the mean gap velocity of contact j."},
};

/* What is left of a unit diagonal when its row depends on others, to rounding; what k may lack of
 * symmetry; and of what is asked where rows depend on each other, what may be missing.
 */
static const double DEPENDENT = 1e-13, SYMMETRIC = 1e-12, INCONSISTENT = 1e-9;
/* Most contacts: several full matrices are made. */
enum { CONTACTS_MOST = 4000 };

typedef struct fremond {
    size_t s;
    const double *k;  /* NULL: a diagonal of which c is known */
    double *c;        /* 2/k_jj */
    double *d;        /* D, full */
    double *inverse;  /* S^-1 by a diagonal, else (I + D k/2)^-1 */
    double *a, *q;    /* N D, 2 N u- - u- */
    double *b, *work; /* 2 u- or, see above, u-; rows */
    double *r, *after;
    double missing; /* relative, of what dependent contacts are asked */
} fremond;

static double dot(const double *a, const double *b, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* ---- k --------------------------------------------------------------------------------------- */

static crm_status fail_matrix(crm_error *error, const char *why)
{
    return crm_fail(error, CRM_ERROR_OPTION, "dissipation_matrix",
                    "law fremond: dissipation_matrix %s", why);
}

/* Cholesky of k with a unit diagonal: rows that depend on others leave 0, and no less. */
static bool is_semidefinite(const double *k, size_t s, double *l)
{
    for (size_t i = 0; i < s; i++) {
        double *row = l + i * s;
        for (size_t j = 0; j <= i; j++) {
            double size = sqrt(k[i * s + i]) * sqrt(k[j * s + j]);
            double rest = (size > 0 ? k[i * s + j] / size : 0) - dot(row, l + j * s, j);
            double pivot = l[j * s + j];
            if (i == j) {
                row[i] = rest > SYMMETRIC ? sqrt(rest) : 0;
            } else {
                row[j] = pivot > 0 ? rest / pivot : 0;
            }
            bool outside = i != j && pivot == 0 && fabs(rest) > sqrt(SYMMETRIC);
            if (outside || (i == j && rest < -SYMMETRIC * (double)s)) {
                return false;
            }
        }
    }
    return true;
}

static crm_status read_matrix(const crm_problem *problem, fremond *f, crm_error *error)
{
    size_t count, s = f->s;
    f->k = crm_settings_list(problem->settings, DISSIPATION_MATRIX, &count);
    for (size_t j = 0; f->k == NULL && j < s; j++) {
        if (isnan(problem->model->restitution[j])) {
            return crm_fail(error, CRM_ERROR_OPTION, "restitution",
                            "law fremond takes a number as restitution; that of contact %zu "
                            "depends on the impact",
                            j + 1);
        }
    }
    if (f->k == NULL) {
        return CRM_OK;
    }
    if (s > 0 ? count / s != s || count % s != 0 : count != 0) {
        return crm_fail(error, CRM_ERROR_OPTION, "dissipation_matrix",
                        "law fremond: dissipation_matrix has %zu numbers, must have a row and a "
                        "column for each of the %zu contacts (%zu x %zu)",
                        count, s, s, s);
    }
    for (size_t i = 0; i < s; i++) {
        if (!(f->k[i * s + i] >= 0)) {
            return fail_matrix(error, "has a negative number on its diagonal");
        }
        for (size_t j = 0; j < i; j++) {
            double size = sqrt(f->k[i * s + i]) * sqrt(f->k[j * s + j]);
            if (!(fabs(f->k[i * s + j] - f->k[j * s + i]) <= SYMMETRIC * size)) {
                return fail_matrix(error, "must be symmetric");
            }
            if (!(fabs(f->k[i * s + j]) <= size * (1 + SYMMETRIC))) {
                return fail_matrix(error, "must have no negative eigenvalue");
            }
        }
    }
    return is_semidefinite(f->k, s, f->inverse)
               ? CRM_OK
               : fail_matrix(error, "must have no negative eigenvalue");
}

/* ---- S^-1 ------------------------------------------------------------------------------------ */

/* S^-1, or where it does not exist the pseudo-inverse, of a symmetric S >= 0 of unit diagonal. By
 * Cholesky with pivots S = L L', L with as many columns as S has rank; the inverse is
 * L (L'L)^-1 (L'L)^-1 L'.
 */
static size_t factorize_pivoted(size_t s, const double *matrix, double *l, double *rest)
{
    size_t rank = 0;
    for (size_t j = 0; j < s; j++) {
        rest[j] = matrix[j * s + j];
    }
    for (; rank < s; rank++) {
        size_t best = 0;
        for (size_t j = 1; j < s; j++) {
            best = rest[j] > rest[best] ? j : best;
        }
        if (!(rest[best] > DEPENDENT)) {
            break;
        }
        double root = sqrt(rest[best]);
        for (size_t j = 0; j < s; j++) {
            double sum = matrix[best * s + j] - dot(l + best * s, l + j * s, rank);
            l[j * s + rank] = sum / root;
        }
        for (size_t j = 0; j < s; j++) {
            rest[j] -= l[j * s + rank] * l[j * s + rank];
        }
        rest[best] = 0;
    }
    return rank;
}

/* x := (G G')^-1 x, G lower triangular with `count` rows. */
static void solve_cholesky(const double *g, size_t count, double *x)
{
    for (size_t i = 0; i < count; i++) {
        x[i] = (x[i] - dot(g + i * count, x, i)) / g[i * count + i];
    }
    for (size_t i = count; i-- > 0;) {
        x[i] /= g[i * count + i];
        for (size_t j = 0; j < i; j++) {
            x[j] -= g[i * count + j] * x[i];
        }
    }
}

/* *unique: S has full rank. f->a and f->work are used. */
static void invert_symmetric(fremond *f, double *matrix, bool *unique)
{
    size_t s = f->s;
    double *l = f->inverse, *gram = f->a;
    size_t rank = factorize_pivoted(s, matrix, l, f->work);
    *unique = rank == s;
    for (size_t i = 0; i < rank; i++) {
        for (size_t j = 0; j <= i; j++) {
            double sum = 0;
            for (size_t k = 0; k < s; k++) {
                sum += l[k * s + i] * l[k * s + j];
            }
            double less = dot(gram + i * rank, gram + j * rank, j);
            gram[i * rank + j] =
                i == j ? sqrt(fmax(sum - less, 0)) : (sum - less) / gram[j * rank + j];
        }
    }
    for (size_t j = 0; j < s; j++) { /* column j of the inverse, into the row of the matrix */
        memcpy(f->work, l + j * s, rank * sizeof *l);
        solve_cholesky(gram, rank, f->work);
        solve_cholesky(gram, rank, f->work);
        for (size_t i = 0; i < s; i++) {
            matrix[j * s + i] = dot(l + i * s, f->work, rank);
        }
    }
    memcpy(f->inverse, matrix, s * s * sizeof *matrix);
}

/* ---- The problem in r ------------------------------------------------------------------------ */

static void multiply(const double *matrix, const double *x, size_t s, double *out)
{
    for (size_t i = 0; i < s; i++) {
        out[i] = dot(matrix + i * s, x, s);
    }
}

/* A row i of zeros in `a` and q_i = u+_i: r_i = 0, its u+ is known. */
static void pose_by_diagonal(const crm_problem *problem, fremond *f, bool *unique)
{
    const crm_model *model = problem->model;
    const double *u = problem->gap_velocity;
    size_t s = f->s;
    double *matrix = f->r; /* s * s */
    for (size_t i = 0; i < s; i++) {
        double e = model->restitution[i];
        f->c[i] = model->d_diagonal[i] * (1 - e) / (1 + e);
        f->b[i] = f->c[i] == 0 && u[i] > 0 ? u[i] : 2 * u[i];
    }
    for (size_t i = 0; i < s; i++) {
        for (size_t j = 0; j < s; j++) {
            double size = sqrt(model->d_diagonal[i]) * sqrt(model->d_diagonal[j]);
            matrix[i * s + j] = (f->d[i * s + j] + (i == j ? f->c[i] : 0)) / size;
        }
    }
    invert_symmetric(f, matrix, unique);
    for (size_t i = 0; i < s; i++) {
        for (size_t j = 0; j < s; j++) {
            f->inverse[i * s + j] /= sqrt(model->d_diagonal[i]) * sqrt(model->d_diagonal[j]);
        }
    }
    multiply(f->inverse, f->b, s, f->work);
    for (size_t i = 0; i < s; i++) {
        f->q[i] = f->c[i] > 0 ? f->c[i] * f->work[i] - u[i] : fmax(-u[i], 0);
        for (size_t j = 0; j < s; j++) {
            f->a[i * s + j] = (i == j ? f->c[i] : 0) - f->c[i] * f->inverse[i * s + j] * f->c[j];
        }
    }
}

/* X := A^-1 X by elimination with row pivots, X of `columns` columns. A is destroyed. */
static void eliminate(double *a, double *x, size_t s, size_t columns)
{
    for (size_t k = 0; k < s; k++) {
        size_t best = k;
        for (size_t i = k + 1; i < s; i++) {
            best = fabs(a[i * s + k]) > fabs(a[best * s + k]) ? i : best;
        }
        for (size_t j = 0; j < s && best != k; j++) {
            double t = a[k * s + j];
            a[k * s + j] = a[best * s + j];
            a[best * s + j] = t;
        }
        for (size_t j = 0; j < columns && best != k; j++) {
            double t = x[k * columns + j];
            x[k * columns + j] = x[best * columns + j];
            x[best * columns + j] = t;
        }
        for (size_t i = k + 1; i < s; i++) {
            double part = a[i * s + k] / a[k * s + k];
            for (size_t j = k; j < s && part != 0; j++) {
                a[i * s + j] -= part * a[k * s + j];
            }
            for (size_t j = 0; j < columns && part != 0; j++) {
                x[i * columns + j] -= part * x[k * columns + j];
            }
        }
    }
    for (size_t k = s; k-- > 0;) {
        for (size_t j = 0; j < columns; j++) {
            double sum = x[k * columns + j];
            for (size_t i = k + 1; i < s; i++) {
                sum -= a[k * s + i] * x[i * columns + j];
            }
            x[k * columns + j] = sum / a[k * s + k];
        }
    }
}

/* I + D k/2 has no eigenvalue below 1: it is similar to I + D^1/2 k D^1/2 / 2. */
static void pose_by_matrix(const crm_problem *problem, fremond *f)
{
    const double *u = problem->gap_velocity;
    size_t s = f->s;
    double *matrix = f->r; /* s * s */
    for (size_t i = 0; i < s; i++) {
        f->c[i] = 1;
        for (size_t j = 0; j < s; j++) {
            f->inverse[i * s + j] = i == j;
            matrix[i * s + j] = (i == j) + 0.5 * dot(f->d + i * s, f->k + j * s, s);
        }
    }
    eliminate(matrix, f->inverse, s, s);
    for (size_t i = 0; i < s; i++) {
        f->q[i] = 2 * dot(f->inverse + i * s, u, s) - u[i];
        for (size_t j = 0; j < s; j++) {
            f->a[i * s + j] = dot(f->inverse + i * s, f->d + j * s, s);
        }
    }
}

/* Rounding leaves N D not quite symmetric. */
static void symmetrize(double *a, size_t s)
{
    for (size_t i = 0; i < s; i++) {
        for (size_t j = 0; j < i; j++) {
            a[i * s + j] = a[j * s + i] = 0.5 * (a[i * s + j] + a[j * s + i]);
        }
    }
}

static crm_status solve_reactions(const crm_problem *problem, fremond *f, crm_outcome *outcome,
                                  crm_error *error)
{
    size_t s = f->s, entries = 0;
    crm_lcp *lcp = NULL;
    crm_lcp_info info = {0};
    size_t *start = CRM_TAKE(problem->pool, size_t, s + 1);
    uint32_t *column = CRM_TAKE(problem->pool, uint32_t, s * s);
    double *value = CRM_TAKE(problem->pool, double, s *s);
    if (start == NULL || column == NULL || value == NULL) {
        return crm_fail_memory(error);
    }
    for (size_t i = 0; i < s; i++) {
        for (size_t j = 0; j < s; j++) {
            if (f->a[i * s + j] != 0) {
                column[entries] = (uint32_t)j;
                value[entries++] = f->a[i * s + j];
            }
        }
        start[i + 1] = entries;
    }
    const crm_sparse_view view = {start, column, value};
    crm_lcp_limits limits = {0, problem->watching};
    crm_status status = crm_lcp_create_within(s, &view, limits, &lcp, error);
    if (status == CRM_OK) {
        crm_lcp_watch(lcp, problem->watching);
        status = crm_lcp_solve(lcp, f->q, NULL, f->r, f->after, &info, error);
    }
    crm_lcp_free(lcp);
    if (status != CRM_OK) {
        outcome->result = status == CRM_LCP_INTERRUPTED ? CRM_NOT_TERMINATED : outcome->result;
        return status == CRM_LCP_INTERRUPTED ? CRM_OK : status;
    }
    outcome->steps += info.pivots;
    outcome->error_estimate = info.relative_residual;
    if (info.result != CRM_LCP_SOLVED) {
        outcome->result = info.result == CRM_LCP_INFEASIBLE ? CRM_INFEASIBLE : CRM_NOT_TERMINATED;
        crm_text_append(outcome->reason, sizeof outcome->reason,
                        "no reactions keep the contacts that depend on each other from closing");
    }
    return CRM_OK;
}

/* ---- The impulses ---------------------------------------------------------------------------- */

/* r - k m; with S, which is D + 2 C, r - S^-1 (b + D r) is S^-1 (2 C r - b), without the difference
 * of two that grow beyond all bounds as e tends to 1.
 */
static void find_impulses(const crm_problem *problem, fremond *f, crm_outcome *outcome)
{
    const double *u = problem->gap_velocity;
    size_t s = f->s;
    for (size_t i = 0; i < s; i++) {
        f->work[i] = f->k != NULL ? 0.5 * (u[i] + f->after[i]) : f->b[i] - f->c[i] * f->r[i];
    }
    for (size_t i = 0; i < s; i++) {
        outcome->impulse[i] = f->k != NULL ? f->r[i] - dot(f->k + i * s, f->work, s)
                                           : -dot(f->inverse + i * s, f->work, s);
    }
}

/* u- + D p beside the u+ of the problem: rounding, or contacts with e = 1 that depend on each other
 * and are asked what cannot be.
 */
static void check_impulses(const crm_problem *problem, fremond *f, crm_outcome *outcome)
{
    size_t s = f->s;
    double most = 0, size = 0;
    for (size_t i = 0; i < s; i++) {
        double u = problem->gap_velocity[i];
        double after = u + dot(f->d + i * s, outcome->impulse, s);
        most = fmax(most, fabs(after - f->after[i]));
        size = fmax(size, fmax(fabs(u), fabs(f->after[i])));
    }
    f->missing = size > 0 ? most / size : 0;
    outcome->error_estimate = fmax(outcome->error_estimate, f->missing);
    if (f->missing > INCONSISTENT && !outcome->unique) {
        outcome->result = CRM_INFEASIBLE;
        crm_text_append(outcome->reason, sizeof outcome->reason,
                        "contacts with restitution 1 depend on each other, and no impulses give "
                        "each the gap velocity that the law asks for");
        memset(outcome->impulse, 0, s * sizeof *outcome->impulse);
    }
}

static void add_notes(const crm_problem *problem, const fremond *f, crm_outcome *outcome)
{
    bool pulls = false, parts = false;
    double most = 0;
    for (size_t i = 0; i < f->s; i++) {
        most = fmax(most, fabs(outcome->impulse[i]));
    }
    for (size_t i = 0; i < f->s; i++) {
        pulls |= outcome->impulse[i] < -1e-10 * most;
        parts |= problem->gap_velocity[i] > 0;
    }
    if (pulls) {
        crm_note_add(outcome, "A contact pulls: the dissipation resists the opening of contacts as "
                              "it does their closing.");
    }
    if (parts) {
        crm_note_add(outcome, "A contact separates before the impact, where the law does not "
                              "exclude a gain of energy.");
    }
    if (!outcome->unique) {
        crm_note_add(outcome, "Contacts depend on each other: of the impulses, which are not "
                              "unique, those with the least sum of squares are taken.");
    }
}

/* ---- The law --------------------------------------------------------------------------------- */

static bool take_arrays(const crm_problem *problem, fremond *f)
{
    size_t s = f->s;
    crm_pool *pool = problem->pool;
    f->d = CRM_TAKE(pool, double, s *s);
    f->inverse = CRM_TAKE(pool, double, s *s);
    f->a = CRM_TAKE(pool, double, s *s);
    f->r = CRM_TAKE(pool, double, s *s);
    f->c = CRM_TAKE(pool, double, 5 * s);
    if (f->c != NULL) {
        f->q = f->c + s;
        f->b = f->q + s;
        f->work = f->b + s;
        f->after = f->work + s;
    }
    return f->d != NULL && f->inverse != NULL && f->a != NULL && f->r != NULL && f->c != NULL;
}

static void fill_delassus(const crm_model *model, double *d)
{
    for (size_t i = 0; i < model->contacts; i++) {
        size_t count;
        const uint32_t *column;
        const double *value;
        crm_model_delassus_row(model, i, &count, &column, &value);
        for (size_t k = 0; k < count; k++) {
            d[i * model->contacts + column[k]] = value[k];
        }
    }
}

static bool is_too_large(const crm_model *model, crm_outcome *outcome)
{
    if (crm_model_has_delassus(model) && model->contacts <= CONTACTS_MOST) {
        return false;
    }
    outcome->result = CRM_FAILED;
    crm_text_append(outcome->reason, sizeof outcome->reason,
                    "law fremond makes full matrices, and takes up to %d contacts; this system has "
                    "%zu",
                    CONTACTS_MOST, model->contacts);
    return true;
}

static crm_status solve(const crm_problem *problem, crm_outcome *outcome, crm_error *error)
{
    fremond f = {.s = problem->model->contacts};
    if (is_too_large(problem->model, outcome)) {
        return CRM_OK;
    }
    crm_status status = take_arrays(problem, &f) ? CRM_OK : crm_fail_memory(error);
    if (status == CRM_OK) {
        status = read_matrix(problem, &f, error);
    }
    if (status != CRM_OK) {
        return status;
    }
    fill_delassus(problem->model, f.d);
    memset(f.inverse, 0, f.s * f.s * sizeof *f.inverse);
    if (f.k != NULL) {
        pose_by_matrix(problem, &f);
    } else {
        pose_by_diagonal(problem, &f, &outcome->unique);
    }
    symmetrize(f.a, f.s);
    status = solve_reactions(problem, &f, outcome, error);
    if (status == CRM_OK && outcome->result == CRM_SOLVED) {
        find_impulses(problem, &f, outcome);
        check_impulses(problem, &f, outcome);
        add_notes(problem, &f, outcome);
    }
    return status;
}

/* With the usual k. */
static double single(const crm_settings *settings, double restitution)
{
    size_t count;
    return crm_settings_list(settings, DISSIPATION_MATRIX, &count) == NULL ? restitution : NAN;
}

extern const crm_law crm_law_fremond;
const crm_law crm_law_fremond = {
    .name = "fremond",
    .summary = "Fremond-Cholet: percussions from a pseudo-potential of dissipation",
    .description =
        "The impulses resist the mean of the gap velocities before and after, as a damper would, "
        "and a reaction keeps contacts from closing. Entries of the matrix off its diagonal let "
        "what happens at one contact press another: percussion at a distance. With the usual "
        "matrix, of the contacts' restitution, a single contact leaves at e times the speed at "
        "which it closed.",
    .equation = "p = −k (u⁺ + u⁻)/2 + r,  0 ≤ r ⊥ u⁺ = u⁻ + D p ≥ 0\n"
                "default:  k = diag 2(1 + e_j)/((1 − e_j) D_jj)",
    .assumptions =
        "The pseudo-potential is a quadratic form of the mean gap velocities; all contacts act at "
        "once; no friction; stored energies are disregarded. Always u+ >= 0. If no contact was "
        "separating, T+ <= T-. A contact may pull (p < 0), for the form resists opening, too: the "
        "outcome then is not kinetic. The entries of the matrix have no obvious meaning in "
        "mechanics, and must be measured.",
    .restitution = "kinematic: of the gap velocity of a contact alone; with other contacts it only "
                   "sets the dissipation",
    .reference = "M. Fremond, Phys. Lett. A 204 (1995) 33-41; C. Cholet, Chocs de solides rigides, "
                 "thesis, Paris 6 (1998); as quoted by HAL inria-00424055, section 3.2.",
    .parameters = parameters,
    .parameter_count = sizeof parameters / sizeof parameters[0],
    .solve = solve,
    .single = single};
