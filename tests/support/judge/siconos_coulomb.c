#include "siconos_coulomb.h"

static const char *const names[] = {"NSGS", "NSN_AC", "NSN_AC full", "Lemke"};

const char *siconos_coulomb_name(siconos_coulomb_solver solver)
{
    return names[solver];
}

#ifdef CAROM_HAVE_SICONOS

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsSparseMatrix.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
#include <fc2d_Solvers.h>
#include <fc3d_Solvers.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double cpu(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static NumericsMatrix *full(const coulomb_data *data)
{
    double *d = malloc((data->size * data->size + 1) * sizeof *d);
    for (size_t i = 0; i < data->size; i++) {
        for (size_t j = 0; j < data->size; j++) {
            d[i + j * data->size] = data->d[i * data->size + j];
        }
    }
    return NM_create_from_data(NM_DENSE, (int)data->size, (int)data->size, d);
}

static NumericsMatrix *sparse(const coulomb_data *data)
{
    int size = (int)data->size;
    NumericsMatrix *made = NM_create(NM_SPARSE, size, size);
    NM_triplet_alloc(made, (CS_INT)(data->size * data->size));
    for (size_t i = 0; i < data->size; i++) {
        for (size_t j = 0; j < data->size; j++) {
            if (data->d[i * data->size + j] != 0 || i == j) {
                NM_entry(made, (int)i, (int)j, data->d[i * data->size + j]);
            }
        }
    }
    NM_csc(made);
    made->matrix2->origin = NSM_CSC;
    return made;
}

static NumericsMatrix *blocks(const coulomb_data *data)
{
    int size = (int)data->size;
    NumericsMatrix *entries = sparse(data), *made = NM_create(NM_SPARSE_BLOCK, size, size);
    made->matrix1 = SBM_new();
    SBM_from_csparse((int)data->dim, NM_csc(entries), made->matrix1);
    NM_clear(entries);
    free(entries);
    return made;
}

static int id_of(siconos_coulomb_solver solver, size_t dim)
{
    switch (solver) {
    case SICONOS_NSGS:
        return dim == 3 ? SICONOS_FRICTION_3D_NSGS : SICONOS_FRICTION_2D_NSGS;
    case SICONOS_COULOMB_LEMKE:
        return dim == 2 ? SICONOS_FRICTION_2D_LEMKE : 0;
    default:
        return dim == 3 ? SICONOS_FRICTION_3D_NSN_AC : 0;
    }
}

bool siconos_coulomb(siconos_coulomb_solver solver, const coulomb_data *data, double tolerance,
                     int iterations, double *r, double *seconds)
{
    int id = id_of(solver, data->dim);
    if (id == 0) {
        return false;
    }
    bool by_blocks = solver == SICONOS_NSGS && data->dim == 3;
    NumericsMatrix *d = by_blocks               ? blocks(data)
                        : solver == SICONOS_NSN ? sparse(data)
                                                : full(data);
    double *q = malloc((data->size + 1) * sizeof *q), *u = calloc(data->size + 1, sizeof *u);
    memcpy(q, data->q, data->size * sizeof *q);
    memset(r, 0, data->size * sizeof *r);
    FrictionContactProblem problem = {.dimension = (int)data->dim,
                                      .numberOfContacts = (int)data->contacts,
                                      .M = d,
                                      .q = q,
                                      .mu = data->mu};
    SolverOptions *options = solver_options_create(id);
    options->dparam[SICONOS_DPARAM_TOL] = tolerance;
    options->iparam[SICONOS_IPARAM_MAX_ITER] = iterations;
    double start = cpu();
    int failed = data->dim == 3 ? fc3d_driver(&problem, r, u, options)
                                : fc2d_driver(&problem, r, u, options);
    *seconds = cpu() - start;
    solver_options_delete(options);
    free(options);
    NM_clear(d);
    free(d);
    free(q);
    free(u);
    return failed == 0;
}

#else

bool siconos_coulomb(siconos_coulomb_solver solver, const coulomb_data *data, double tolerance,
                     int iterations, double *r, double *seconds)
{
    (void)solver;
    (void)data;
    (void)tolerance;
    (void)iterations;
    (void)r;
    (void)seconds;
    return false;
}

#endif
