/* The complementarity solver on what impacts give: chains (D tridiagonal) and hexagonal packings
 * of discs, beside Siconos' dense solvers in the same run where they can still be waited for.
 * Look at the ratios and at the growth, not at the seconds.
 *
 *     bench_lcp [largest chain [largest packing]]      (default 1000000 10000)
 */
#include <carom/carom.h>
#include <carom/lcp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "siconos_peer.h"

/* Siconos' solvers are dense: up to this many contacts. */
enum { DENSE = 1200 };

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

static crm_model *chain(size_t contacts)
{
    crm_chain_def def = crm_chain_def_default();
    crm_model *model = NULL;
    crm_error error = {0};
    def.count = contacts + 1;
    demand(crm_model_from_chain(&def, &model, &error), &error);
    return model;
}

/* rows x rows discs of radius 1/2, about 3 contacts each. */
static crm_model *packing(size_t contacts)
{
    size_t rows = (size_t)ceil(sqrt((double)contacts / 3.0)) + 1;
    crm_body_def *discs = calloc(rows * rows, sizeof *discs);
    for (size_t i = 0; i < rows * rows; i++) {
        size_t row = i / rows, column = i % rows;
        discs[i] = crm_body_def_default();
        discs[i].radius = 0.5;
        discs[i].mass = 1;
        discs[i].position[0] = (double)column + (row % 2 == 0 ? 0.0 : 0.5);
        discs[i].position[1] = (double)row * sqrt(0.75);
    }
    crm_bodies_def def = crm_bodies_def_default();
    def.body_count = rows * rows;
    def.bodies = discs;
    crm_model *model = NULL;
    crm_error error = {0};
    demand(crm_model_from_bodies(&def, &model, &error), &error);
    free(discs);
    return model;
}

/* q = W'v for a body struck at the edge and noise elsewhere, so that many contacts are active. */
static double *struck(const crm_model *model)
{
    size_t n = crm_model_coordinates(model);
    double *v = calloc(n, sizeof *v), *q = calloc(crm_model_contacts(model), sizeof *q);
    unsigned seed = 12345;
    for (size_t i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        v[i] = 0.1 * ((double)(seed >> 8) / (double)(1u << 24) - 0.5);
    }
    v[0] = 1;
    crm_model_gap_velocity(model, v, q);
    free(v);
    return q;
}

static double solve_ours(const crm_model *model, const double *q, crm_lcp_info *info)
{
    crm_error error = {0};
    crm_lcp *lcp = NULL;
    double *p = calloc(crm_model_contacts(model), sizeof *p);
    double begin = now();
    demand(crm_lcp_create_for_model(model, &lcp, &error), &error);
    demand(crm_lcp_solve(lcp, q, NULL, p, NULL, info, &error), &error);
    double seconds = now() - begin;
    crm_lcp_free(lcp);
    free(p);
    return seconds;
}

static double solve_peer(siconos_solver solver, const crm_model *model, const double *q)
{
    size_t s = crm_model_contacts(model);
    double *d = calloc(s * s, sizeof *d), *p = calloc(s, sizeof *p), *w = calloc(s, sizeof *w);
    for (size_t i = 0; i < s; i++) {
        size_t count;
        const uint32_t *column;
        const double *value;
        crm_model_delassus_row(model, i, &count, &column, &value);
        for (size_t k = 0; k < count; k++) {
            d[i * s + column[k]] = value[k];
        }
    }
    double begin = now();
    bool solved = siconos_solve(solver, s, d, q, 1e-10, p, w);
    double seconds = now() - begin;
    free(d);
    free(p);
    free(w);
    return solved ? seconds : NAN;
}

static void print_peer(siconos_solver solver, const crm_model *model, const double *q, double ours)
{
    double seconds = solve_peer(solver, model, q);
    if (isnan(seconds)) {
        printf("  Siconos %s: no answer", siconos_name(solver));
    } else {
        printf("  Siconos %s: %.4f s, %.0f x", siconos_name(solver), seconds, seconds / ours);
    }
}

static void run(const char *name, crm_model *(*build)(size_t), size_t contacts)
{
    crm_model *model = build(contacts);
    double *q = struck(model);
    crm_lcp_info info;
    double ours = solve_ours(model, q, &info);
    size_t s = crm_model_contacts(model);
    printf("%-8s %8zu contacts  %10.5f s  %8.1f ns per contact  residual %.0e", name, s, ours,
           1e9 * ours / (double)s, info.relative_residual);
    if (siconos_is_there() && s <= DENSE) {
        print_peer(SICONOS_LEMKE, model, q, ours);
        print_peer(SICONOS_GAUSS_SEIDEL, model, q, ours);
    }
    printf("\n");
    fflush(stdout);
    free(q);
    crm_model_free(model);
}

int main(int argc, char **argv)
{
    size_t longest = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000000;
    size_t largest = argc > 2 ? strtoul(argv[2], NULL, 10) : 10000;
    for (size_t contacts = 100; contacts <= longest; contacts *= 10) {
        run("chain", chain, contacts);
    }
    for (size_t contacts = 100; contacts <= largest; contacts *= 10) {
        run("packing", packing, contacts);
    }
    return 0;
}
