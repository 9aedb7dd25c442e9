/* External bodies, which groups move, and requests to the groups. */
#include <math.h>
#include <stdlib.h>

#include "motion/flight/flight.h"

/* Without memory the motion cannot go on. */
void flight_add_request(flight *f, size_t ball, size_t body)
{
    if (f->requests == f->request_room) {
        size_t room = 2 * f->request_room + 16;
        flight_request *larger = crm_memory_resize(f->request, room, sizeof *larger);
        if (larger == NULL) {
            flight_fail(f, "no memory for what body %zu rests on", ball + 1);
            return;
        }
        f->request = larger;
        f->request_room = room;
    }
    f->request[f->requests++] = (flight_request){(uint32_t)ball, (uint32_t)body};
}

static void leave_queue(flight *f, size_t ball)
{
    flight_events *events = &f->events[ball];
    events->meeting = events->wall_meeting = events->crossing = INFINITY;
    flight_reschedule(f, ball);
}

void flight_hand_over(flight *f, size_t ball, double t)
{
    flight_advance(f, ball, t);
    flight_leave_cells(f, ball);
    leave_queue(f, ball);
    f->moving -= f->events[ball].moves ? 1 : 0;
    f->events[ball].moves = false;
    f->mode[ball] = FLIGHT_EXTERNAL;
    f->external[f->externals++] = (uint32_t)ball;
    flight_set_clearance(f, ball, t, f->ball[ball].x, f->ball[ball].radius);
}

static void remove_external(flight *f, size_t ball)
{
    size_t place = 0;
    while (f->external[place] != ball) {
        place++;
    }
    for (f->externals--; place < f->externals; place++) {
        f->external[place] = f->external[place + 1];
    }
}

crm_status flight_take_back(flight *f, size_t ball, double t, double radius, const double *x,
                            const double *v, crm_error *error)
{
    flight_ball *b = &f->ball[ball];
    remove_external(f, ball);
    *b = (flight_ball){.time = t, .radius = radius};
    for (unsigned d = 0; d < f->dimension; d++) {
        b->x[d] = x[d];
        b->v[d] = v[d];
    }
    f->mode[ball] = FLIGHT_FREE;
    f->version[ball]++;
    crm_status status = flight_enter_cells(f, ball, t, error);
    status = status == CRM_OK ? flight_find_supports(f, ball, t, error) : status;
    if (status == CRM_OK) {
        flight_update_support(f, ball, f->cluster.contact, f->cluster.contacts, t, 0);
    }
    flight_cluster_clear(f);
    return status;
}

void flight_set_clearance(flight *f, size_t body, double t, const double *centre, double radius)
{
    flight_ball *b = &f->ball[body];
    *b = (flight_ball){.time = t, .radius = radius};
    for (unsigned d = 0; d < f->dimension; d++) {
        b->x[d] = centre[d];
    }
    f->version[body]++;
    flight_predict_clearance(f, body, t);
}
