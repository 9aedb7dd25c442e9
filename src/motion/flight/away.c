/* Bodies that others move, and what the flight cannot do itself. */
#include <math.h>
#include <stdlib.h>

#include "motion/flight/flight.h"

/* Without memory the motion cannot go on. */
void flight_ask_about(flight *f, size_t ball, size_t body)
{
    if (f->asks == f->ask_room) {
        size_t room = 2 * f->ask_room + 16;
        flight_ask *larger = crm_memory_resize(f->ask, room, sizeof *larger);
        if (larger == NULL) {
            flight_fail(f, "no memory for what body %zu rests on", ball + 1);
            return;
        }
        f->ask = larger;
        f->ask_room = room;
    }
    f->ask[f->asks++] = (flight_ask){(uint32_t)ball, (uint32_t)body};
}

static void leave_agenda(flight *f, size_t ball)
{
    flight_slot *slot = &f->slot[ball];
    slot->meeting = slot->wall_meeting = slot->crossing = INFINITY;
    flight_file(f, ball);
}

void flight_take_away(flight *f, size_t ball, double t)
{
    flight_advance(f, ball, t);
    flight_quit_cells(f, ball);
    leave_agenda(f, ball);
    f->moving -= f->slot[ball].moves ? 1 : 0;
    f->slot[ball].moves = false;
    f->mode[ball] = FLIGHT_AWAY;
    f->away[f->aways++] = (uint32_t)ball;
    flight_set_berth(f, ball, t, f->ball[ball].x, f->ball[ball].radius);
}

static void strike_off(flight *f, size_t ball)
{
    size_t place = 0;
    while (f->away[place] != ball) {
        place++;
    }
    for (f->aways--; place < f->aways; place++) {
        f->away[place] = f->away[place + 1];
    }
}

crm_status flight_bring_back(flight *f, size_t ball, double t, double radius, const double *x,
                             const double *v, crm_error *error)
{
    flight_ball *b = &f->ball[ball];
    strike_off(f, ball);
    *b = (flight_ball){.time = t, .radius = radius};
    for (unsigned d = 0; d < f->dimension; d++) {
        b->x[d] = x[d];
        b->v[d] = v[d];
    }
    f->mode[ball] = FLIGHT_FREE;
    f->stamp[ball]++;
    crm_status status = flight_enter_cells(f, ball, t, error);
    status = status == CRM_OK ? flight_find_supports(f, ball, t, error) : status;
    if (status == CRM_OK) {
        flight_settle(f, ball, f->cluster.contact, f->cluster.contacts, t, 0);
    }
    flight_cluster_clear(f);
    return status;
}

void flight_set_berth(flight *f, size_t body, double t, const double *centre, double radius)
{
    flight_ball *b = &f->ball[body];
    *b = (flight_ball){.time = t, .radius = radius};
    for (unsigned d = 0; d < f->dimension; d++) {
        b->x[d] = centre[d];
    }
    f->stamp[body]++;
    flight_predict_berth(f, body, t);
}
