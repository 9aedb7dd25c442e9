/* A block on a smooth floor, tilted and let go: it rocks from corner to corner, each impact
 * plastic, until it stands. Every impact leaves the part (J - m b^2) / (J + m b^2) of the angular
 * velocity, here 7/13. Build with cc rocking_block.c $(pkg-config --cflags --libs carom) -lm
 */
#include <carom/carom.h>
#include <math.h>
#include <stdio.h>

static const double GRAVITY = 9.81;

typedef struct block {
    double mass, half_width, half_height, inertia;
} block;

/* Height of the centre and angle; nothing moves it sideways. */
static crm_status mass(void *context, const double *q, double *m)
{
    const block *b = context;
    (void)q;
    m[0] = b->mass;
    m[1] = m[2] = 0;
    m[3] = b->inertia;
    return CRM_OK;
}

static crm_status force(void *context, double t, const double *q, const double *v, double *h)
{
    const block *b = context;
    (void)t, (void)q, (void)v;
    h[0] = -b->mass * GRAVITY;
    h[1] = 0;
    return CRM_OK;
}

/* The right and the left corner. */
static crm_status gap(void *context, double t, const double *q, double *g)
{
    const block *b = context;
    (void)t;
    g[0] = q[0] + b->half_width * sin(q[1]) - b->half_height * cos(q[1]);
    g[1] = q[0] - b->half_width * sin(q[1]) - b->half_height * cos(q[1]);
    return CRM_OK;
}

static double potential(void *context, double t, const double *q)
{
    const block *b = context;
    (void)t;
    return b->mass * GRAVITY * (q[0] - b->half_height);
}

static crm_status print_impact(void *context, const crm_impact_report *impact)
{
    double *before = context, speed = 0;
    for (size_t j = 0; j < impact->contacts; j++) {
        speed = fmax(speed, impact->closing_speed[j]);
    }
    if (impact->number > 1 && impact->number <= 5) {
        printf("impact %llu at t = %.6f s: %.6f of the speed before\n",
               (unsigned long long)impact->number, impact->time, speed / *before);
    }
    *before = speed;
    return CRM_OK;
}

int main(void)
{
    block b = {1, 0.1, 0.3, (0.01 + 0.09) / 3};
    const double angle = 0.1, restitution[] = {0, 0}, velocity[] = {0, 0};
    const double position[] = {b.half_width * sin(angle) + b.half_height * cos(angle), angle};
    crm_lagrangian_def def = crm_lagrangian_def_default();
    def.context = &b;
    def.positions = def.velocities = def.gaps = 2;
    def.mass = mass;
    def.force = force;
    def.gap = gap;
    def.potential = potential;
    def.position = position;
    def.velocity = velocity;
    def.restitution = restitution;
    def.size = b.half_width;

    crm_motion_options options = crm_motion_options_default();
    options.stop_at_rest = true;
    double before = 0;
    const crm_observer observer = {.context = &before, .impact = print_impact};
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
        printf("%s at t = %.6f s\n", crm_motion_stop_text(stopped), crm_motion_time(motion));
    }
    crm_motion_free(motion);
    return status != CRM_OK;
}
