#include "report/page/solve/impact_frames.h"

crm_status crm_impact_frames_create(const crm_model_subset *subset, crm_frames *frames,
                                    crm_error *error)
{
    const crm_frames_def def = {
        .track_count = 3,
        .tracks = {[CRM_IMPACT_FRAMES_VELOCITY] = {.name = "velocity",
                                                   .count = subset->coordinate_count,
                                                   .extremes = 2},
                   [CRM_IMPACT_FRAMES_FORCE] = {.name = "force",
                                                .count = subset->contact_count,
                                                .extremes = 1},
                   [CRM_IMPACT_FRAMES_ENERGY] = {.name = "energy",
                                                 .count = subset->contact_count,
                                                 .peaks = true,
                                                 .extremes = 1}},
        .series_count = 4,
        .series = {[CRM_IMPACT_FRAMES_PRIMARY] = "primary",
                   [CRM_IMPACT_FRAMES_PRIMARY_IMPULSE] = "primary_impulse",
                   [CRM_IMPACT_FRAMES_KINETIC] = "kinetic",
                   [CRM_IMPACT_FRAMES_STORED] = "stored"}};
    return crm_frames_create(&def, frames, error);
}

static double sum(const double *values, size_t count)
{
    double total = 0;
    for (size_t i = 0; i < count; i++) {
        total += values[i];
    }
    return total;
}

void crm_impact_frames_add(crm_frames *frames, const crm_model *model,
                           const crm_model_subset *subset, const crm_sample *sample)
{
    double primary = sample->primary != SIZE_MAX ? (double)(sample->primary + 1) : 0;
    crm_frames_begin(frames, sample->time);
    crm_frames_put(frames, CRM_IMPACT_FRAMES_VELOCITY, sample->velocity, subset->coordinates);
    crm_frames_put(frames, CRM_IMPACT_FRAMES_FORCE, sample->force, subset->contacts);
    crm_frames_put(frames, CRM_IMPACT_FRAMES_ENERGY, sample->stored_energy, subset->contacts);
    crm_frames_put_series(frames, CRM_IMPACT_FRAMES_PRIMARY, primary);
    crm_frames_put_series(frames, CRM_IMPACT_FRAMES_PRIMARY_IMPULSE, sample->primary_impulse);
    crm_frames_put_series(frames, CRM_IMPACT_FRAMES_KINETIC,
                          crm_model_kinetic_energy(model, sample->velocity));
    crm_frames_put_series(frames, CRM_IMPACT_FRAMES_STORED,
                          sum(sample->stored_energy, crm_model_contacts(model)));
}
