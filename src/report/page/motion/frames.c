#include "report/page/motion/frames.h"

crm_status crm_frames_create(const crm_cast *cast, crm_film *film, crm_error *error)
{
    bool same = cast->turn_count == cast->spin_count;
    const crm_film_def def = {
        .track_count = 4,
        .tracks = {[CRM_FRAMES_PLACE] = {.name = "place",
                                         .count = cast->place_count,
                                         .shifted = true,
                                         .rate = 1 + CRM_FRAMES_VELOCITY},
                   /* orientations in space have four numbers, and other rates */
                   [CRM_FRAMES_TURN] = {.name = "turn",
                                        .count = cast->turn_count,
                                        .shifted = true,
                                        .rate = same ? 1 + CRM_FRAMES_SPIN : 0},
                   [CRM_FRAMES_VELOCITY] = {.name = "velocity", .count = cast->velocity_count},
                   [CRM_FRAMES_SPIN] = {.name = "spin", .count = cast->spin_count}},
        .series_count = CRM_FRAMES_SERIES,
        .series = {[CRM_FRAMES_KINETIC] = "kinetic",
                   [CRM_FRAMES_POTENTIAL] = "potential",
                   [CRM_FRAMES_LOST] = "lost",
                   [CRM_FRAMES_WORK] = "work",
                   [CRM_FRAMES_CORRECTION] = "correction"}};
    return crm_film_create(&def, film, error);
}

void crm_frames_add(crm_film *film, const crm_cast *cast, double time, const double *position,
                    const double *velocity, const crm_motion_account *energy, crm_film_join join)
{
    crm_film_begin(film, time);
    crm_film_joined(film, join);
    crm_film_put(film, CRM_FRAMES_PLACE, position, cast->places);
    crm_film_put(film, CRM_FRAMES_TURN, position, cast->turns);
    crm_film_put(film, CRM_FRAMES_VELOCITY, velocity, cast->velocities);
    crm_film_put(film, CRM_FRAMES_SPIN, velocity, cast->spins);
    crm_film_put_series(film, CRM_FRAMES_KINETIC, energy->kinetic_after);
    crm_film_put_series(film, CRM_FRAMES_POTENTIAL, energy->potential_after);
    crm_film_put_series(film, CRM_FRAMES_LOST, energy->lost);
    crm_film_put_series(film, CRM_FRAMES_WORK, energy->work);
    crm_film_put_series(film, CRM_FRAMES_CORRECTION, energy->correction);
}
