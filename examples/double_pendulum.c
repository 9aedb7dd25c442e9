/* A double pendulum whose knee bends one way only and whose upper arm has a stop: chaotic, and
 * elastic, so that its energy must not change. Prints the state ten times a second. Build with
 *     cc double_pendulum.c $(pkg-config --cflags --libs carom) -lm
 */
#include <carom/carom.h>
#include <math.h>
#include <stdio.h>

static const double GRAVITY = 9.81;

/* Angles of both arms from straight down; unit lengths, unit masses at their ends. */
static crm_status mass(void *context, const double *q, double *m)
{
    (void)context;
    m[0] = 2;
    m[1] = m[2] = cos(q[0] - q[1]);
    m[3] = 1;
    return CRM_OK;
}

static crm_status force(void *context, double t, const double *q, const double *v, double *h)
{
    (void)context, (void)t;
    double s = sin(q[0] - q[1]);
    h[0] = -s * v[1] * v[1] - 2 * GRAVITY * sin(q[0]);
    h[1] = s * v[0] * v[0] - GRAVITY * sin(q[1]);
    return CRM_OK;
}

/* The stop of the upper arm at 1 rad, and the knee. */
static crm_status gap(void *context, double t, const double *q, double *g)
{
    (void)context, (void)t;
    g[0] = 1 - q[0];
    g[1] = q[0] - q[1];
    return CRM_OK;
}

static double potential(void *context, double t, const double *q)
{
    (void)context, (void)t;
    return -GRAVITY * (2 * cos(q[0]) + cos(q[1]));
}

static crm_status print_state(void *context, double t, const double *q, const double *v)
{
    (void)context;
    printf("t = %.1f s  angles %+.6f %+.6f  rates %+.6f %+.6f\n", t, q[0], q[1], v[0], v[1]);
    return CRM_OK;
}

int main(void)
{
    const double angles[] = {-1.5, -1.6}, rates[] = {0, 0};
    crm_lagrangian_def def = crm_lagrangian_def_default();
    def.positions = def.velocities = def.gaps = 2;
    def.mass = mass;
    def.force = force;
    def.gap = gap;
    def.potential = potential;
    def.position = angles;
    def.velocity = rates;

    const crm_observer observer = {.every = 0.1, .state = print_state};
    crm_motion *motion = NULL;
    crm_motion_stop stopped;
    crm_error error = {0};
    crm_status status = crm_motion_from_lagrangian(&def, NULL, &motion, &error);
    if (status == CRM_OK) {
        status = crm_motion_run(motion, 5, &observer, &stopped, &error);
    }
    if (status != CRM_OK) {
        fprintf(stderr, "%s: %s\n", error.place, error.message);
    } else {
        crm_motion_summary summary = crm_motion_summarize(motion);
        crm_motion_account e = summary.energy;
        double drift = e.kinetic_after + e.potential_after - e.kinetic_before - e.potential_before;
        printf("%llu impacts; the energy is %s\n", (unsigned long long)summary.impacts,
               fabs(drift) < 1e-8 ? "what it was" : "not what it was");
    }
    crm_motion_free(motion);
    return status != CRM_OK;
}
