/* What is recorded of an impact or a motion, by name. */
#ifndef CRM_RECORDED_H
#define CRM_RECORDED_H

#include "field/field.h"
#include "field/motion.h"

/* The fields of a kind of thing, by their place in its table. Counts and names need only be asked
 * of what is known before anything is computed: a model, a scene.
 */
typedef struct crm_recordable {
    const char *of;      /* "an outcome" */
    const char *example; /* a list */
    size_t (*fields)(void);
    const char *(*name)(size_t field);
    bool (*is_list)(size_t field);
    bool (*is_number)(size_t field); /* rather than a count, or yes or no */
    size_t (*count)(size_t field, const void *of);
    void (*entry)(size_t field, const void *of, size_t index, char *text, size_t size);
    double (*value)(size_t field, const void *of, size_t index); /* NAN: not defined */
    double (*near)(const void *of, double closeness);            /* NULL: there is no near(c) */
} crm_recordable;

extern const crm_recordable crm_recordable_impact; /* of a crm_impact */
extern const crm_recordable crm_recordable_motion; /* of a crm_motion_state */

/* A name, taken apart:
 *   energy_ratio            a number of the outcome, or a measure
 *   velocity[3]             an entry from the front, from 1
 *   velocity[-1]            and from the back
 *   velocity[cue x]         by the name that reports use, of a coordinate or a contact
 *   max(peak_force)         max, min, sum or mean of a list
 *   period(force[2])        period[2]
 *   near(0.05)              bodies that close to the first law's velocities
 *   loss[1]/sum(loss)       a product or ratio of up to four of them
 */
typedef struct crm_recorded_factor {
    size_t field;
    bool divides;     /* rather than multiplies */
    int reduction;    /* 0: none */
    long index;       /* 0: by name */
    double closeness; /* of near(c); 0: it is none */
    char entry[128];
} crm_recorded_factor;

enum { CRM_FACTORS_MOST = 4 };

typedef struct crm_recorded {
    const char *name; /* borrowed */
    const crm_recordable *kind;
    bool whole;   /* the list itself, to be taken apart (crm_recorded_parse_list) */
    size_t field; /* of the first factor */
    size_t factor_count;
    crm_recorded_factor factors[CRM_FACTORS_MOST];
} crm_recorded;

/* False: no such quantity; `problem` says why and what is meant. */
bool crm_recorded_parse(const crm_recordable *kind, const char *name, crm_recorded *recorded,
                        char *problem, size_t size);
/* Whether a name is that of a list: all of its entries are meant. */
bool crm_recorded_parse_list(const crm_recordable *kind, const char *name, crm_recorded *recorded);
/* The value in `of`, which is what its kind says. NAN: not defined, or the list has no such entry.
 */
double crm_recorded_value(const crm_recorded *recorded, const void *of);
/* Whether it is a number, rather than a count, or yes or no. */
bool crm_recorded_is_number(const crm_recorded *recorded);
/* Whether there is such an entry. */
bool crm_recorded_exists(const crm_recorded *recorded, const void *of);
/* What entry i of its list counts in it: 1 or 0, of a mean its part; NAN: it is no sum of entries.
 */
double crm_recorded_weight(const crm_recorded *recorded, const void *of, size_t i);

#endif
