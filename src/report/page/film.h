/* An impact as it went, in as many instants as a page has room for.
 *
 * Samples are kept as they come until there is no room; then those go that the lines between their
 * neighbours tell best, and what remains are instants of the impact as it was computed. The forces
 * and energies of an instant that goes are not lost: the nearer of its neighbours takes the larger
 * of the two for each contact, so that every contact's peak stays.
 */
#ifndef CRM_FILM_H
#define CRM_FILM_H

#include "report/page/extract.h"

typedef struct crm_film {
    const crm_model *model;
    const crm_extract *extract;
    size_t width; /* of a row: velocities, forces, energies */
    size_t capacity, rows;
    uint64_t samples; /* there were */
    double *time, *primary_impulse;
    double *kinetic, *stored; /* energy of all bodies, in all contacts */
    uint32_t *primary;        /* from 1; 0: none */
    double *values;           /* row by row, as they were at the time */
    double *peaks;            /* forces and energies: the largest since, row by row */
    double *cost, *sorted;    /* of leaving rows out */
    double scale[3];          /* the largest velocity, force and energy so far */
} crm_film;

/* Zeroed by a failure, and by crm_film_free. The model and the extract must outlive it. */
crm_status crm_film_create(const crm_model *model, const crm_extract *extract, crm_film *film,
                           crm_error *error);
void crm_film_free(crm_film *film);

void crm_film_add(crm_film *film, const crm_sample *sample);
/* Leave out a quarter of the rows or more; those that are told best by the others. */
void crm_film_thin(crm_film *film);

/* Within a row; forces and energies with the peaks of what was left out beside it. */
const double *crm_film_velocity(const crm_film *film, size_t row);
const double *crm_film_force(const crm_film *film, size_t row);
const double *crm_film_energy(const crm_film *film, size_t row);

#endif
