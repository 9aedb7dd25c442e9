/* How fast the complementarity problem of an impact is solved: balls in a line, and hexagonal
 * packings of balls, beside Siconos' Lemke and projected Gauss-Seidel where these can be had and as
 * far as a full matrix goes. CPU seconds; machines are noisy, the ratios in one run are the figure
 * to look at. Every answer is judged by the same residual, max |min(p, D p + q)|.
 *
 *     OPENBLAS_NUM_THREADS=1 bench_lcp [most contacts]      (default 30000; 100000 takes minutes)
 */
#include <carom/carom.h>
#include <carom/lcp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "siconos_peer.h"

/* A full matrix and methods of order n^3, or that hardly converge: beyond this only ours runs. */
static const size_t MOST_LEMKE = 1000;
static const size_t MOST_GAUSS_SEIDEL = 200;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void demand(crm_status status, const crm_error *error)
{
    if (status != CRM_OK) {
        fprintf(stderr, "%s\n", error->message);
        exit(1);
    }
}

static double *numbers(size_t count)
{
    double *made = calloc(count > 0 ? count : 1, sizeof *made);
    if (made == NULL) {
        exit(1);
    }
    return made;
}

/* ---- Systems -----------------------------------------------------------------------------------
 */

static crm_model *line(size_t contacts)
{
    crm_chain_def def = crm_chain_def_default();
    crm_model *model = NULL;
    crm_error error = {0};
    def.count = contacts + 1;
    demand(crm_model_from_chain(&def, &model, &error), &error);
    return model;
}

/* About three contacts for each ball. */
static crm_model *packing(size_t contacts)
{
    size_t side = (size_t)ceil(sqrt((double)contacts / 3.0)) + 1;
    crm_body_def *balls = calloc(side * side, sizeof *balls);
    crm_bodies_def def = crm_bodies_def_default();
    crm_model *model = NULL;
    crm_error error = {0};
    if (balls == NULL) {
        exit(1);
    }
    for (size_t k = 0; k < side * side; k++) {
        balls[k] = crm_body_def_default();
        balls[k].radius = 0.5;
        balls[k].mass = 1.0;
        balls[k].position[0] = (double)(k % side) + 0.5 * (double)(k / side % 2);
        balls[k].position[1] = sqrt(0.75) * (double)(k / side);
    }
    def.dimension = 2;
    def.body_count = side * side;
    def.bodies = balls;
    demand(crm_model_from_bodies(&def, &model, &error), &error);
    free(balls);
    return model;
}

/* The gap velocities: every ball at random, or the first alone (into the middle of the row). */
static double *speeds(const crm_model *model, bool random)
{
    size_t n = crm_model_coordinates(model);
    double *velocity = numbers(n);
    double *u = numbers(crm_model_contacts(model));
    uint64_t state = 1;
    for (size_t i = 0; random && i < n; i++) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        velocity[i] = (double)(state >> 11) / 4503599627370496.0 - 1.0;
    }
    velocity[0] = random ? velocity[0] : 1.0;
    crm_model_gap_velocity(model, velocity, u);
    free(velocity);
    return u;
}

/* ---- Solvers -----------------------------------------------------------------------------------
 */

typedef struct run {
    double seconds;
    double residual;
    bool solved;
} run;

static double residual(const crm_model *model, const double *q, const double *p)
{
    size_t size = crm_model_contacts(model);
    double *w = numbers(size);
    crm_error error = {0};
    double largest = 0.0;
    demand(crm_model_delassus_apply(model, p, w, &error), &error);
    for (size_t j = 0; j < size; j++) {
        largest = fmax(largest, fabs(fmin(p[j], w[j] + q[j])));
    }
    free(w);
    return largest;
}

static run run_ours(const crm_model *model, const double *q, crm_lcp_info *info)
{
    double *p = numbers(crm_model_contacts(model));
    crm_lcp *lcp = NULL;
    crm_error error = {0};
    double begin = now();
    demand(crm_lcp_create_for_model(model, &lcp, &error), &error);
    demand(crm_lcp_solve(lcp, q, NULL, p, NULL, info, &error), &error);
    run made = {now() - begin, residual(model, q, p), info->result == CRM_LCP_SOLVED};
    crm_lcp_free(lcp);
    free(p);
    return made;
}

static run run_theirs(const crm_model *model, const double *q, siconos_solver solver)
{
    size_t size = crm_model_contacts(model);
    double *d = numbers(size * size);
    double *p = numbers(size);
    double *w = numbers(size);
    for (size_t j = 0; j < size; j++) {
        size_t count;
        const uint32_t *column;
        const double *value;
        crm_model_delassus_row(model, j, &count, &column, &value);
        for (size_t k = 0; k < count; k++) {
            d[j * size + column[k]] = value[k];
        }
    }
    double begin = now();
    bool solved = siconos_solve(solver, size, d, q, 1e-12, p, w);
    run made = {now() - begin, residual(model, q, p), solved};
    free(d);
    free(p);
    free(w);
    return made;
}

/* ---- The table ------------------------------------------------------------------------------ */

static void print_theirs(const crm_model *model, const double *q, siconos_solver solver,
                         double ours)
{
    size_t most = solver == SICONOS_LEMKE ? MOST_LEMKE : MOST_GAUSS_SEIDEL;
    if (!siconos_is_there() || crm_model_contacts(model) > most) {
        printf("  %24s", "-");
        return;
    }
    run theirs = run_theirs(model, q, solver);
    printf("  %9.2e %7.0e %6.1f%c", theirs.seconds, theirs.residual, theirs.seconds / ours,
           theirs.solved ? 'x' : '!');
}

static void print_row(const char *name, crm_model *model, bool random)
{
    double *q = speeds(model, random);
    crm_lcp_info info;
    run ours = run_ours(model, q, &info);
    printf("%-18s %8zu  %9.2e %7.0e %5zu %s", name, crm_model_contacts(model), ours.seconds,
           ours.residual, info.factorizations, ours.solved ? " " : "!");
    print_theirs(model, q, SICONOS_LEMKE, ours.seconds);
    print_theirs(model, q, SICONOS_GAUSS_SEIDEL, ours.seconds);
    printf("\n");
    fflush(stdout);
    free(q);
    crm_model_free(model);
}

int main(int count, char **argument)
{
    size_t most = count > 1 ? (size_t)strtoull(argument[1], NULL, 10) : 30000;
    printf("%-18s %8s  %9s %7s %5s    %24s  %24s\n", "", "contacts", "seconds", "resid.", "fact.",
           "Siconos Lemke: s, r, ratio", "Gauss-Seidel: s, r, ratio");
    for (size_t contacts = 100; contacts <= most; contacts *= 10) {
        print_row("line, first moves", line(contacts), false);
        print_row("line, all move", line(contacts), true);
    }
    const size_t sizes[] = {100, 300, 1000, 3000, 10000, 30000, 100000};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0] && sizes[k] <= most; k++) {
        print_row("packing, one moves", packing(sizes[k]), false);
        print_row("packing, all move", packing(sizes[k]), true);
    }
    if (!siconos_is_there()) {
        printf("Siconos' numerics library is not installed.\n");
    }
    printf("x: its time over ours. !: says it failed.\n");
    return 0;
}
