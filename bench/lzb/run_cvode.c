#include <cvode/cvode.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "../clock.h"
#include "runner.h"

static const double STORED = 1e-15;

/* y = (v, x) of all balls. */
static int right_side(double t, N_Vector y, N_Vector change, void *data)
{
    const chain *c = data;
    const double *v = NV_DATA_S(y), *x = v + c->balls;
    double *dv = NV_DATA_S(change), *dx = dv + c->balls;
    double left = 0;
    (void)t;
    for (size_t i = 0; i < c->balls; i++) {
        double d = i < c->contacts ? fmax(x[i] - x[i + 1], 0) : 0;
        double right = d > 0 ? c->stiffness[i] * d * sqrt(d) : 0;
        dx[i] = v[i];
        dv[i] = (left - right) / c->mass[i];
        left = right;
    }
    return 0;
}

static double stored(const chain *c, const double *x)
{
    double energy = 0;
    for (size_t j = 0; j < c->contacts; j++) {
        double d = fmax(x[j] - x[j + 1], 0);
        energy += 0.4 * c->stiffness[j] * d * d * sqrt(d);
    }
    return energy;
}

static void march(void *cvode, const chain *c, uint64_t budget, N_Vector y, answer *result)
{
    const double *v = NV_DATA_S(y);
    double quiet = STORED * chain_energy(c, c->velocity);
    while (!result->finished && (budget == 0 || result->steps < budget)) {
        if (CVode(cvode, 1e3, y, &result->duration, CV_ONE_STEP) < 0) {
            return;
        }
        result->steps++;
        result->finished = v[c->balls - 1] > 0 && stored(c, v + c->balls) < quiet;
    }
}

void run_cvode(const chain *c, double tolerance, uint64_t budget, answer *result)
{
    SUNContext context = NULL;
    result->steps = 0;
    result->finished = false;
    if (SUNContext_Create(NULL, &context) != 0) {
        exit(1);
    }
    N_Vector y = N_VNew_Serial((sunindextype)(2 * c->balls), context);
    N_Vector least = N_VClone(y);
    double *v = NV_DATA_S(y), *allowed = NV_DATA_S(least);
    for (size_t i = 0; i < c->balls; i++) {
        v[i] = c->velocity[i];
        v[c->balls + i] = 0;
        allowed[i] = tolerance;
        allowed[c->balls + i] = tolerance * chain_time(c);
    }
    void *cvode = CVodeCreate(CV_ADAMS, context);
    SUNNonlinearSolver iteration = SUNNonlinSol_FixedPoint(y, 0, context);
    double begin = cpu_seconds();
    if (CVodeInit(cvode, right_side, 0, y) != 0 ||
        CVodeSVtolerances(cvode, tolerance, least) != 0 ||
        CVodeSetUserData(cvode, (void *)c) != 0 || CVodeSetNonlinearSolver(cvode, iteration) != 0) {
        exit(1);
    }
    march(cvode, c, budget, y, result);
    result->seconds = cpu_seconds() - begin;
    memcpy(result->velocity, v, c->balls * sizeof *v);
    SUNNonlinSolFree(iteration);
    CVodeFree(&cvode);
    N_VDestroy(least);
    N_VDestroy(y);
    SUNContext_Free(&context);
}
