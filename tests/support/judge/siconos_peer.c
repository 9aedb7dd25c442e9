#include "siconos_peer.h"

static const char *const names[] = {"Lemke", "pivoting", "enumeration", "Gauss-Seidel", "Newton"};

const char *siconos_name(siconos_solver solver)
{
    return names[solver];
}

#ifdef CAROM_HAVE_SICONOS

#include <LCP_Solvers.h>
#include <LinearComplementarityProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <lcp_cst.h>
#include <stdlib.h>
#include <string.h>

bool siconos_is_there(void)
{
    return true;
}

bool siconos_solve(siconos_solver solver, size_t size, const double *d, const double *q,
                   double tolerance, double *p, double *w)
{
    static const int ids[] = {SICONOS_LCP_LEMKE, SICONOS_LCP_PIVOT, SICONOS_LCP_ENUM,
                              SICONOS_LCP_PGS, SICONOS_LCP_NEWTON_MIN_FBLSA};
    /* Its solvers may write to their data: give them copies. D is symmetric, so order is no matter.
     */
    double *matrix = malloc(size * size * sizeof *matrix), *vector = malloc(size * sizeof *vector);
    memcpy(matrix, d, size * size * sizeof *matrix);
    memcpy(vector, q, size * sizeof *vector);
    memset(p, 0, size * sizeof *p);
    memset(w, 0, size * sizeof *w);
    LinearComplementarityProblem problem = {
        .size = (int)size,
        .M = NM_create_from_data(NM_DENSE, (int)size, (int)size, matrix),
        .q = vector};
    SolverOptions *options = solver_options_create(ids[solver]);
    options->dparam[SICONOS_DPARAM_TOL] = tolerance;
    options->iparam[SICONOS_IPARAM_MAX_ITER] = solver == SICONOS_NEWTON ? 200 : 100000;
    int failed = linearComplementarity_driver(&problem, p, w, options);
    solver_options_delete(options);
    free(options);
    NM_clear(problem.M); /* frees `matrix` too */
    free(problem.M);
    free(vector);
    return failed == 0;
}

bool siconos_solve_sparse(size_t size, const crm_sparse_view *d, const double *q, double tolerance,
                          size_t sweeps, double *p, double *w)
{
    double *vector = malloc(size * sizeof *vector);
    NumericsMatrix *matrix = NM_create(NM_SPARSE, (int)size, (int)size);
    NM_triplet_alloc(matrix, (CS_INT)d->column_start[size]);
    for (size_t i = 0; i < size; i++) {
        for (size_t k = d->column_start[i]; k < d->column_start[i + 1]; k++) {
            NM_entry(matrix, (int)i, (int)d->row[k], d->value[k]);
        }
    }
    NM_csc(matrix);
    matrix->matrix2->origin = NSM_CSC;
    memcpy(vector, q, size * sizeof *vector);
    memset(p, 0, size * sizeof *p);
    memset(w, 0, size * sizeof *w);
    LinearComplementarityProblem problem = {.size = (int)size, .M = matrix, .q = vector};
    SolverOptions *options = solver_options_create(SICONOS_LCP_PGS);
    options->dparam[SICONOS_DPARAM_TOL] = tolerance;
    options->iparam[SICONOS_IPARAM_MAX_ITER] = (int)sweeps;
    int failed = linearComplementarity_driver(&problem, p, w, options);
    solver_options_delete(options);
    free(options);
    NM_clear(matrix);
    free(matrix);
    free(vector);
    return failed == 0;
}

#else

bool siconos_is_there(void)
{
    return false;
}

bool siconos_solve(siconos_solver solver, size_t size, const double *d, const double *q,
                   double tolerance, double *p, double *w)
{
    (void)solver;
    (void)size;
    (void)d;
    (void)q;
    (void)tolerance;
    (void)p;
    (void)w;
    return false;
}

bool siconos_solve_sparse(size_t size, const crm_sparse_view *d, const double *q, double tolerance,
                          size_t sweeps, double *p, double *w)
{
    (void)size;
    (void)d;
    (void)q;
    (void)tolerance;
    (void)sweeps;
    (void)p;
    (void)w;
    return false;
}

#endif
