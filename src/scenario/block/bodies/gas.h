/* Many bodies at random, which are added to those of the list. Internal to src/scenario/block. */
#ifndef CRM_GAS_H
#define CRM_GAS_H

#include "scenario/reader.h"

typedef enum crm_gas_walls {
    CRM_GAS_NONE,
    CRM_GAS_OPEN, /* above: without the last wall */
    CRM_GAS_CLOSED
} crm_gas_walls;

typedef struct crm_gas {
    const crm_node *node;
    unsigned dimension;
    size_t count;
    double box[3], corner[3];
    double radius[2]; /* from, to */
    double mass;      /* of the largest; NAN: from the density, else 1 */
    const crm_material *material;
    double temperature;
    double velocity[3];
    uint64_t seed;
    crm_gas_walls walls;
} crm_gas;

/* What there is besides. */
typedef struct crm_gas_others {
    size_t count;
    const crm_body_def *bodies;
    const bool *hangs;
} crm_gas_others;

crm_status crm_gas_read(crm_reader *reader, const crm_node *node, unsigned dimension, crm_gas *gas);
/* gas->count bodies, and gas->dimension velocities of each. */
crm_status crm_gas_fill(crm_reader *reader, const crm_gas *gas, const crm_gas_others *others,
                        crm_body_def *bodies, double *velocity);
size_t crm_gas_wall_count(const crm_gas *gas);
/* So many, with names. */
void crm_gas_fill_walls(const crm_gas *gas, crm_wall_def *walls);

#endif
