/* What the files of this folder share. Internal. */
#ifndef CRM_WIDE_INNER_H
#define CRM_WIDE_INNER_H

#include "scenario/number/wide/wide.h"

/* A sum of numbers of size 1 that is less is rounding. */
#define WIDE_NOTHING 0x1p-100

/* part 2^exponent for any part. */
crm_wide wide_make(crm_twofold part, long exponent);
/* The value itself, if it is of no extreme size. */
crm_twofold wide_pair(crm_wide a);
/* a^exponent by repeated squares, exact where it can be. */
crm_wide wide_whole_power(crm_wide a, unsigned long exponent);

#endif
