#include "report/page/solve/shots.h"

crm_status crm_shots_create(const crm_extract *extract, crm_film *film, crm_error *error)
{
    const crm_film_def def = {.track_count = 3,
                              .tracks = {[CRM_SHOTS_VELOCITY] = {.name = "velocity",
                                                                 .count = extract->coordinate_count,
                                                                 .extremes = 2},
                                         [CRM_SHOTS_FORCE] = {.name = "force",
                                                              .count = extract->contact_count,
                                                              .extremes = 1},
                                         [CRM_SHOTS_ENERGY] = {.name = "energy",
                                                               .count = extract->contact_count,
                                                               .peaks = true,
                                                               .extremes = 1}},
                              .series_count = 4,
                              .series = {[CRM_SHOTS_PRIMARY] = "primary",
                                         [CRM_SHOTS_PRIMARY_IMPULSE] = "primary_impulse",
                                         [CRM_SHOTS_KINETIC] = "kinetic",
                                         [CRM_SHOTS_STORED] = "stored"}};
    return crm_film_create(&def, film, error);
}

static double sum(const double *values, size_t count)
{
    double total = 0;
    for (size_t i = 0; i < count; i++) {
        total += values[i];
    }
    return total;
}

void crm_shots_add(crm_film *film, const crm_model *model, const crm_extract *extract,
                   const crm_sample *sample)
{
    double primary = sample->primary != SIZE_MAX ? (double)(sample->primary + 1) : 0;
    crm_film_begin(film, sample->time);
    crm_film_put(film, CRM_SHOTS_VELOCITY, sample->velocity, extract->coordinates);
    crm_film_put(film, CRM_SHOTS_FORCE, sample->force, extract->contacts);
    crm_film_put(film, CRM_SHOTS_ENERGY, sample->stored_energy, extract->contacts);
    crm_film_put_series(film, CRM_SHOTS_PRIMARY, primary);
    crm_film_put_series(film, CRM_SHOTS_PRIMARY_IMPULSE, sample->primary_impulse);
    crm_film_put_series(film, CRM_SHOTS_KINETIC, crm_model_kinetic_energy(model, sample->velocity));
    crm_film_put_series(film, CRM_SHOTS_STORED,
                        sum(sample->stored_energy, crm_model_contacts(model)));
}
