#include "report/page/motion/motion_frames.h"

#include <math.h>

crm_status crm_motion_frames_create(const crm_scene_subset *subset, crm_frames *frames,
                                    crm_error *error)
{
    bool same = subset->rotation_count == subset->spin_count;
    const crm_frames_def def = {
        .track_count = 4,
        .tracks = {[CRM_MOTION_FRAMES_TRANSLATION] = {.name = "translation",
                                                      .count = subset->translation_count,
                                                      .shifted = true,
                                                      .rate = 1 + CRM_MOTION_FRAMES_VELOCITY},
                   /* orientations in space have four numbers, and other rates */
                   [CRM_MOTION_FRAMES_ROTATION] = {.name = "rotation",
                                                   .count = subset->rotation_count,
                                                   .shifted = true,
                                                   .rate = same ? 1 + CRM_MOTION_FRAMES_SPIN : 0},
                   [CRM_MOTION_FRAMES_VELOCITY] = {.name = "velocity",
                                                   .count = subset->velocity_count},
                   [CRM_MOTION_FRAMES_SPIN] = {.name = "spin", .count = subset->spin_count}},
        .series_count = CRM_MOTION_FRAMES_SERIES,
        .series = {[CRM_MOTION_FRAMES_KINETIC] = "kinetic",
                   [CRM_MOTION_FRAMES_POTENTIAL] = "potential",
                   [CRM_MOTION_FRAMES_LOST] = "lost",
                   [CRM_MOTION_FRAMES_WORK] = "work",
                   [CRM_MOTION_FRAMES_CORRECTION] = "correction",
                   [CRM_MOTION_FRAMES_POTENTIAL_RATE] = "potential_rate"}};
    return crm_frames_create(&def, frames, error);
}

void crm_motion_frames_add(crm_frames *frames, const crm_scene_subset *subset,
                           const crm_motion_frame *frame)
{
    const crm_motion_account *energy = &frame->energy;
    crm_frames_begin(frames, frame->time);
    crm_frames_set_join(frames, frame->join);
    crm_frames_put(frames, CRM_MOTION_FRAMES_TRANSLATION, frame->position, subset->translations);
    crm_frames_put(frames, CRM_MOTION_FRAMES_ROTATION, frame->position, subset->rotations);
    crm_frames_put(frames, CRM_MOTION_FRAMES_VELOCITY, frame->velocity, subset->velocities);
    crm_frames_put(frames, CRM_MOTION_FRAMES_SPIN, frame->velocity, subset->spins);
    crm_frames_put_series(frames, CRM_MOTION_FRAMES_KINETIC, energy->kinetic_after);
    crm_frames_put_series(frames, CRM_MOTION_FRAMES_POTENTIAL, energy->potential_after);
    crm_frames_put_series(frames, CRM_MOTION_FRAMES_LOST, energy->lost);
    crm_frames_put_series(frames, CRM_MOTION_FRAMES_WORK, energy->work);
    crm_frames_put_series(frames, CRM_MOTION_FRAMES_CORRECTION, energy->correction);
    crm_frames_put_series(frames, CRM_MOTION_FRAMES_POTENTIAL_RATE, frame->potential_rate);
}

/* ---- Energies between frames ----------------------------------------------------------------- */

static double linear(const crm_frames *frames, size_t energy, size_t row, double s)
{
    double a = crm_frames_series(frames, energy, row);
    return a + s * (crm_frames_series(frames, energy, row + 1) - a);
}

static double potential_between(const crm_frames *frames, size_t row, double s)
{
    enum { RATE = CRM_MOTION_FRAMES_POTENTIAL_RATE };
    double h = frames->time[row + 1] - frames->time[row];
    double u = crm_frames_series(frames, CRM_MOTION_FRAMES_POTENTIAL, row);
    double rise = crm_frames_series(frames, CRM_MOTION_FRAMES_POTENTIAL, row + 1) - u;
    double d0 = h * crm_frames_series(frames, RATE, row);
    double d1 = frames->join[row + 1] == CRM_FRAMES_IMPACT
                    ? 2 * rise - d0
                    : h * crm_frames_series(frames, RATE, row + 1);
    return u + s * (d0 + s * (3 * rise - 2 * d0 - d1 + s * (d0 + d1 - 2 * rise)));
}

/* At a part s of the time from a frame to the next; just before an impact for s = 1. */
static double energy_between(const crm_frames *frames, size_t energy, size_t row, double s)
{
    bool struck = frames->join[row + 1] == CRM_FRAMES_IMPACT;
    double lost = struck ? crm_frames_series(frames, CRM_MOTION_FRAMES_LOST, row)
                         : linear(frames, CRM_MOTION_FRAMES_LOST, row, s);
    if (energy == CRM_MOTION_FRAMES_LOST) {
        return lost;
    }
    if (energy == CRM_MOTION_FRAMES_POTENTIAL) {
        return potential_between(frames, row, s);
    }
    if (energy == CRM_MOTION_FRAMES_KINETIC) {
        double total = linear(frames, CRM_MOTION_FRAMES_KINETIC, row, s) +
                       linear(frames, CRM_MOTION_FRAMES_POTENTIAL, row, s) +
                       linear(frames, CRM_MOTION_FRAMES_LOST, row, s);
        return fmax(0, total - lost - potential_between(frames, row, s));
    }
    return linear(frames, energy, row, s);
}

size_t crm_motion_frames_curve(const crm_frames *frames, size_t energy, unsigned fine, double *x,
                               double *y)
{
    size_t count = 0;
    for (size_t row = 0; row < frames->count; row++) {
        x[count] = frames->time[row];
        y[count++] = crm_frames_series(frames, energy, row);
        unsigned join = row + 1 < frames->count ? frames->join[row + 1] : CRM_FRAMES_LINE;
        unsigned last = join == CRM_FRAMES_IMPACT ? fine : fine - 1;
        for (unsigned k = 1; join != CRM_FRAMES_LINE && k <= last; k++) {
            double s = (double)k / fine;
            x[count] = frames->time[row] + s * (frames->time[row + 1] - frames->time[row]);
            y[count++] = energy_between(frames, energy, row, s);
        }
    }
    return count;
}
