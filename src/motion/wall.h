/* A moving wall: the plane n.x = offset + speed t + amplitude sin(omega t + phase). */
#ifndef CRM_MOTION_WALL_H
#define CRM_MOTION_WALL_H

#include "base/elementary.h"

typedef struct crm_wall {
    double normal[3]; /* of length 1, into the free side */
    double offset, speed;
    double amplitude, omega, phase; /* amplitude 0: no oscillation */
} crm_wall;

static inline double crm_wall_angle(const crm_wall *wall, double t)
{
    return wall->omega * t + wall->phase;
}

/* Along the normal, like speed and acceleration. */
static inline double crm_wall_position(const crm_wall *wall, double t)
{
    double swing = wall->amplitude != 0 ? wall->amplitude * crm_sin(crm_wall_angle(wall, t)) : 0;
    return wall->offset + wall->speed * t + swing;
}

static inline double crm_wall_speed(const crm_wall *wall, double t)
{
    double swing =
        wall->amplitude != 0 ? wall->amplitude * wall->omega * crm_cos(crm_wall_angle(wall, t)) : 0;
    return wall->speed + swing;
}

static inline double crm_wall_acceleration(const crm_wall *wall, double t)
{
    return wall->amplitude != 0
               ? -wall->amplitude * wall->omega * wall->omega * crm_sin(crm_wall_angle(wall, t))
               : 0;
}

#endif
