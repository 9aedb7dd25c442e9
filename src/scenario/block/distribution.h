/* Distributions of random draws: {normal: [1, 0.05], within: [0.8, 1.2]}. */
#ifndef CRM_DISTRIBUTION_H
#define CRM_DISTRIBUTION_H

#include "base/random.h"
#include "scenario/reader.h"

typedef enum crm_distribution_kind { CRM_UNIFORM, CRM_NORMAL, CRM_LOGNORMAL } crm_distribution_kind;

typedef struct crm_distribution {
    crm_distribution_kind kind;
    double a, b;        /* ends; mean and deviation, of the logarithm for CRM_LOGNORMAL */
    double least, most; /* draws outside are made again */
} crm_distribution;

/* Of the fields CRM_DISTRIBUTION_FIELDS (blocks.h), which come first in fields[]. */
crm_status crm_distribution_read(crm_reader *reader, const crm_node *node,
                                 const crm_node *const *fields, crm_distribution *distribution);
/* A pure function of the place. */
double crm_distribution_draw(const crm_distribution *distribution, crm_random_place place);

#endif
