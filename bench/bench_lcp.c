/* How fast the complementarity problem of an impact is solved: balls in a line and hexagonal
 * packings of balls, beside Siconos' methods where these can be had and as far as they go. CPU
 * seconds; machines are noisy, the ratios in one run are the figure to look at. Every answer is
 * judged by the same residual, max |min(D_jj p, D p + q)|.
 *
 *     OPENBLAS_NUM_THREADS=1 bench_lcp [most contacts]      (default 100000; 1000000 takes minutes)
 */
#include <carom/lcp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "clock.h"
#include "packing.h"
#include "siconos_peer.h"

/* Siconos' direct methods take a full matrix and time of order n^3, two of them more than the third
 * from some size on; its sparse one converges ever more slowly, and not at all on lines.
 */
static const size_t MOST_ANY_DENSE = 400;
static const size_t MOST_DENSE = 1200;
static const size_t MOST_SPARSE = 11000;
static const size_t MOST_SWEEPS = 100000;
/* A peer's residual that counts as an answer. */
static const double GOOD = 1e-10;

static void *demand(void *made)
{
    if (made == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return made;
}

static double *numbers(size_t count)
{
    return demand(calloc(count > 0 ? count : 1, sizeof(double)));
}

/* ---- Problems -------------------------------------------------------------------------------- */

typedef struct bench_case {
    size_t size;
    crm_sparse_view d;
    double *q, *near; /* near: with every speed changed by about 1e-4 of the fastest */
    packing packed;
} bench_case;

/* Balls in a line: the same arrays as a packing's. */
static packing line(size_t contacts)
{
    packing made = {.balls = contacts + 1, .contacts = contacts};
    made.pair = demand(calloc(contacts, sizeof *made.pair));
    made.normal = demand(calloc(contacts, sizeof *made.normal));
    made.mass = numbers(made.balls);
    made.start = demand(calloc(contacts + 1, sizeof *made.start));
    made.column = demand(calloc(3 * contacts, sizeof *made.column));
    made.value = numbers(3 * contacts);
    size_t entry = 0;
    for (size_t j = 0; j < contacts; j++) {
        made.pair[j][0] = j;
        made.pair[j][1] = j + 1;
        made.normal[j][0] = 1.0;
        for (size_t k = j > 0 ? j - 1 : 0; k <= j + 1 && k < contacts; k++) {
            made.column[entry] = (uint32_t)k;
            made.value[entry++] = k == j ? 2.0 : -1.0;
        }
        made.start[j + 1] = entry;
    }
    return made;
}

static bench_case make_case(packing packed, packing_motion motion)
{
    rng r = rng_seeded(1);
    bench_case made = {.size = packed.contacts, .d = packing_delassus(&packed), .packed = packed};
    double *velocity = numbers(3 * packed.balls);
    made.q = numbers(made.size);
    made.near = numbers(made.size);
    packing_velocities(&packed, motion, &r, velocity);
    packing_speeds(&packed, velocity, made.q);
    for (size_t i = 0; i < 3 * packed.balls; i++) {
        velocity[i] += 1e-4 * rng_normal(&r);
    }
    packing_speeds(&packed, velocity, made.near);
    free(velocity);
    return made;
}

static void case_free(bench_case *p)
{
    packing_free(&p->packed);
    free(p->q);
    free(p->near);
}

/* max |min(D_jj p, D p + q)| */
static double residual(const bench_case *problem, const double *q, const double *p)
{
    double largest = 0.0;
    for (size_t i = 0; i < problem->size; i++) {
        double w = q[i];
        double diagonal = 0.0;
        for (size_t k = problem->d.column_start[i]; k < problem->d.column_start[i + 1]; k++) {
            w += problem->d.value[k] * p[problem->d.row[k]];
            diagonal = problem->d.row[k] == i ? problem->d.value[k] : diagonal;
        }
        largest = fmax(largest, fabs(fmin(diagonal * p[i], w)));
    }
    return largest;
}

/* ---- Solvers --------------------------------------------------------------------------------- */

typedef struct run {
    double seconds;
    double residual;
    bool solved;
    const char *name;
} run;

typedef struct our_runs {
    run cold;  /* made and solved once */
    run least; /* a near problem, by the same crm_lcp, from the answer to the first */
    run again; /* the same, from any solution to any */
    size_t factorizations;
} our_runs;

static run solve_once(crm_lcp *lcp, const bench_case *problem, const double *q,
                      const crm_lcp_options *options, double *p, size_t *factorizations)
{
    crm_error error = {0};
    crm_lcp_info info;
    double begin = cpu_seconds();
    if (crm_lcp_solve(lcp, q, options, p, NULL, &info, &error) != CRM_OK) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
    double seconds = cpu_seconds() - begin;
    *factorizations = info.factorizations;
    return (run){seconds, residual(problem, q, p), info.result == CRM_LCP_SOLVED, "carom"};
}

static our_runs run_ours(const bench_case *problem)
{
    our_runs made;
    size_t unread;
    crm_error error = {0};
    crm_lcp *lcp = NULL;
    double *p = numbers(problem->size);
    crm_lcp_options near = crm_lcp_options_default();
    near.warm_start = true;
    crm_lcp_options any = crm_lcp_options_default();
    any.least_norm = false;
    crm_lcp_options warm = any;
    warm.warm_start = true;
    double begin = cpu_seconds();
    if (crm_lcp_create(problem->size, &problem->d, &lcp, &error) != CRM_OK) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
    double seconds = cpu_seconds() - begin;
    made.cold = solve_once(lcp, problem, problem->q, NULL, p, &made.factorizations);
    made.cold.seconds += seconds;
    made.least = solve_once(lcp, problem, problem->near, &near, p, &unread);
    solve_once(lcp, problem, problem->q, &any, p, &unread);
    made.again = solve_once(lcp, problem, problem->near, &warm, p, &unread);
    crm_lcp_free(lcp);
    free(p);
    return made;
}

static run run_dense(const bench_case *problem, siconos_solver solver)
{
    size_t size = problem->size;
    double *d = numbers(size * size), *p = numbers(size), *w = numbers(size);
    for (size_t i = 0; i < size; i++) {
        for (size_t k = problem->d.column_start[i]; k < problem->d.column_start[i + 1]; k++) {
            d[i * size + problem->d.row[k]] = problem->d.value[k];
        }
    }
    double begin = cpu_seconds();
    bool solved = siconos_solve(solver, size, d, problem->q, 1e-12, p, w);
    run made = {cpu_seconds() - begin, residual(problem, problem->q, p), solved,
                siconos_name(solver)};
    free(d);
    free(p);
    free(w);
    return made;
}

static run run_sparse(const bench_case *problem)
{
    double *p = numbers(problem->size), *w = numbers(problem->size);
    double begin = cpu_seconds();
    bool solved =
        siconos_solve_sparse(problem->size, &problem->d, problem->q, 1e-12, MOST_SWEEPS, p, w);
    run made = {cpu_seconds() - begin, residual(problem, problem->q, p), solved,
                "sparse Gauss-Seidel"};
    free(p);
    free(w);
    return made;
}

/* The quickest of those that found an answer; solved is false when none did. */
static run run_theirs(const bench_case *problem, bool iterate)
{
    size_t methods = problem->size <= MOST_ANY_DENSE ? 3 : 1;
    run best = {.seconds = INFINITY, .name = "-"};
    const siconos_solver dense[] = {SICONOS_LEMKE, SICONOS_PIVOT, SICONOS_NEWTON};
    for (size_t k = 0; siconos_is_there() && problem->size <= MOST_DENSE && k < methods; k++) {
        run made = run_dense(problem, dense[k]);
        best = made.residual <= GOOD && made.seconds < best.seconds ? made : best;
    }
    if (siconos_is_there() && iterate && problem->size <= MOST_SPARSE) {
        run made = run_sparse(problem);
        best = made.residual <= GOOD && made.seconds < best.seconds ? made : best;
        best = isfinite(best.seconds) ? best : made;
    }
    return best;
}

/* ---- The table ------------------------------------------------------------------------------- */

/* The row before, for the exponent of growth. */
typedef struct before {
    double size;
    double seconds;
} before;

static void print_row(const char *name, packing packed, packing_motion motion, bool iterate,
                      before *last)
{
    bench_case p = make_case(packed, motion);
    our_runs ours = run_ours(&p);
    run theirs = run_theirs(&p, iterate);
    printf("%-19s %8zu %9.2e%c %7.0e %4zu %9.2e%c %9.2e%c", name, p.size, ours.cold.seconds,
           ours.cold.solved ? ' ' : '!', ours.cold.residual, ours.factorizations,
           ours.least.seconds, ours.least.solved ? ' ' : '!', ours.again.seconds,
           ours.again.solved ? ' ' : '!');
    if (last->size > 0.0) {
        printf(" %6.2f", log(ours.cold.seconds / last->seconds) / log((double)p.size / last->size));
    } else {
        printf(" %6s", "");
    }
    if (isfinite(theirs.seconds)) {
        printf("  %9.2e%c %7.0e %9.1f  %s", theirs.seconds, theirs.residual <= GOOD ? ' ' : '!',
               theirs.residual, theirs.seconds / ours.cold.seconds, theirs.name);
    }
    printf("\n");
    fflush(stdout);
    *last = (before){(double)p.size, ours.cold.seconds};
    case_free(&p);
}

/* About three contacts for each ball. */
static packing hexagonal(size_t contacts)
{
    rng r = rng_seeded(1);
    return packing_make(PACKING_HEXAGONAL, (size_t)ceil(sqrt((double)contacts / 3.0)) + 1, 0.0, &r);
}

/* Masses from 1e-4 to 1e4 side by side: how many are solved. */
static void print_unequal_masses(void)
{
    rng r = rng_seeded(100);
    size_t solved = 0, contacts = 0, unread;
    double seconds = 0.0;
    for (size_t trial = 0; trial < 12; trial++) {
        bench_case p = make_case(packing_make(PACKING_HEXAGONAL, 40, 4.0, &r),
                                 (packing_motion)(trial % PACKING_MOTIONS));
        double *impulse = numbers(p.size);
        crm_lcp *lcp = NULL;
        if (crm_lcp_create(p.size, &p.d, &lcp, NULL) != CRM_OK) {
            exit(1);
        }
        run made = solve_once(lcp, &p, p.q, NULL, impulse, &unread);
        seconds += made.seconds;
        solved += made.solved;
        contacts = p.size;
        crm_lcp_free(lcp);
        free(impulse);
        case_free(&p);
    }
    printf("masses from 1e-4 to 1e4: %zu of 12 packings of %zu contacts solved, %.2g s each\n",
           solved, contacts, seconds / 12.0);
}

/* Close packed: 5 094, 14 664 and 44 289 contacts, the first two always. */
static void print_packings_in_space(size_t most)
{
    const size_t sides[] = {10, 14, 20};
    before last = {0};
    for (size_t k = 0; k < 3 && (k < 2 || most >= 100000); k++) {
        rng r = rng_seeded(1);
        print_row("in space, one moves", packing_make(PACKING_DENSE, sides[k], 0.0, &r),
                  PACKING_STRUCK, false, &last);
    }
}

static void print_memory(void)
{
    struct rusage used;
    if (getrusage(RUSAGE_SELF, &used) == 0) {
        printf("most memory, all rows: %.0f MB\n", (double)used.ru_maxrss / 1024.0);
    }
}

int main(int count, char **argument)
{
    size_t most = count > 1 ? (size_t)strtoull(argument[1], NULL, 10) : 100000;
    printf("%-19s %8s %10s %7s %4s %10s %10s %6s  %10s %7s %9s  %s\n", "", "contacts", "seconds",
           "resid.", "fact", "warm, s", "any, s", "growth", "Siconos, s", "resid.", "ratio",
           "its best");
    const packing_motion motions[] = {PACKING_STRUCK, PACKING_ALL_MOVE};
    for (size_t m = 0; m < 2; m++) {
        before last = {0};
        const char *name = m == 0 ? "line, one moves" : "line, all move";
        for (size_t contacts = 100; contacts <= (most > 1000000 ? most : 1000000); contacts *= 10) {
            print_row(name, line(contacts), motions[m], false, &last);
        }
    }
    for (size_t m = 0; m < 2; m++) {
        before last = {0};
        const char *name = m == 0 ? "packing, one moves" : "packing, all move";
        const size_t sizes[] = {100, 1000, 10000, 30000, 100000, 300000, 1000000};
        for (size_t k = 0; k < sizeof sizes / sizeof sizes[0] && sizes[k] <= most; k++) {
            print_row(name, hexagonal(sizes[k]), motions[m], true, &last);
        }
    }
    print_packings_in_space(most);
    print_unequal_masses();
    print_memory();
    if (!siconos_is_there()) {
        printf("Siconos' numerics library is not installed.\n");
    }
    printf(
        "warm: a problem whose speeds differ by 1e-4, from the answer to the first; any: the same "
        "from any to any solution.\ngrowth: exponent of n since the row above. ratio: its seconds "
        "over ours. !: not solved.\n");
    return 0;
}
