/* What is recorded of an impact, by name. */
#ifndef CRM_RECORDED_H
#define CRM_RECORDED_H

#include "field/field.h"

/* A name, taken apart:
 *   energy_ratio            a number of the outcome, or a measure
 *   velocity[3]             an entry from the front, from 1
 *   velocity[-1]            and from the back
 *   velocity[cue x]         by the name that reports use, of a coordinate or a contact
 *   max(peak_force)         max, min, sum or mean of a list
 */
typedef struct crm_recorded {
    const char *name; /* borrowed */
    const crm_outcome_field *field;
    int reduction; /* 0: none */
    long index;    /* 0: by name */
    char entry[128];
} crm_recorded;

/* False: no such quantity; `problem` says why and what is meant. */
bool crm_recorded_parse(const char *name, crm_recorded *recorded, char *problem, size_t size);
/* NAN: the law does not define it, or the list has no such entry. */
double crm_recorded_value(const crm_recorded *recorded, const crm_impact *impact);
/* Whether the model has the entry. */
bool crm_recorded_exists(const crm_recorded *recorded, const crm_model *model);

#endif
