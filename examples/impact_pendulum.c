/* A pendulum against a wall that stands in its way before the lowest point: it swings from the
 * horizontal, strikes with restitution 0.8, and bounces until it leans on the wall. Build with
 *     cc impact_pendulum.c $(pkg-config --cflags --libs carom) -lm
 */
#include <carom/carom.h>
#include <math.h>
#include <stdio.h>

static const double LENGTH = 0.5, MASS = 0.2, WALL = 0.3, GRAVITY = 9.81;

/* One coordinate: the angle from straight down. */
static crm_status mass(void *context, const double *q, double *m)
{
    (void)context, (void)q;
    m[0] = MASS * LENGTH * LENGTH;
    return CRM_OK;
}

static crm_status force(void *context, double t, const double *q, const double *v, double *h)
{
    (void)context, (void)t, (void)v;
    h[0] = -MASS * GRAVITY * LENGTH * sin(q[0]);
    return CRM_OK;
}

static crm_status gap(void *context, double t, const double *q, double *g)
{
    (void)context, (void)t;
    g[0] = LENGTH * (q[0] - WALL);
    return CRM_OK;
}

static double potential(void *context, double t, const double *q)
{
    (void)context, (void)t;
    return MASS * GRAVITY * LENGTH * (1 - cos(q[0]));
}

static crm_status print_impact(void *context, const crm_impact_report *impact)
{
    (void)context;
    if (impact->number <= 5) {
        printf("impact %llu at t = %.9f s: speed %.6f m/s, %.6f J lost\n",
               (unsigned long long)impact->number, impact->time, impact->closing_speed[0],
               impact->lost);
    }
    return CRM_OK;
}

int main(void)
{
    const double angle = 1.5707963267948966, still = 0, restitution = 0.8;
    crm_lagrangian_def def = crm_lagrangian_def_default();
    def.positions = def.velocities = def.gaps = 1;
    def.mass = mass;
    def.force = force;
    def.gap = gap; /* its derivatives are found by differences */
    def.potential = potential;
    def.position = &angle;
    def.velocity = &still;
    def.restitution = &restitution;
    def.size = LENGTH;

    crm_motion_options options = crm_motion_options_default();
    options.stop_at_rest = true;
    const crm_observer observer = {.impact = print_impact};
    crm_motion *motion = NULL;
    crm_motion_stop stopped = CRM_STOP_FAILED;
    crm_error error = {0};
    crm_status status = crm_motion_from_lagrangian(&def, &options, &motion, &error);
    if (status == CRM_OK) {
        status = crm_motion_run(motion, 100, &observer, &stopped, &error);
    }
    if (status != CRM_OK) {
        fprintf(stderr, "%s: %s\n", error.place, error.message);
    } else {
        crm_motion_summary summary = crm_motion_summarize(motion);
        printf("%s at t = %.9f s after %llu impacts, %.6f J lost\n", crm_motion_stop_text(stopped),
               crm_motion_time(motion), (unsigned long long)summary.impacts, summary.energy.lost);
    }
    crm_motion_free(motion);
    return status != CRM_OK;
}
