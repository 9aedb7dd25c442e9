/* Vectors of numbers of twice the working precision (base/twofold.h), eight at a time: blocks of
 * eight high parts and the eight low parts. What fills the last block is 0. Compiled for several
 * widths of vectors, of which the caller chooses one; sums are those of eight lanes whatever the
 * width, so that all give the same bits.
 */
#ifndef CRM_LCP_ROW_H
#define CRM_LCP_ROW_H

#include <stddef.h>

#include "base/twofold.h"
#include "base/width.h"

enum { CRM_ROW_LANES = 8, CRM_ROW_BLOCK = 2 * CRM_ROW_LANES };

/* Blocks for `count` numbers; a row has CRM_ROW_BLOCK doubles for each. */
static inline size_t crm_row_blocks(size_t count)
{
    return (count + CRM_ROW_LANES - 1) / CRM_ROW_LANES;
}

static inline crm_twofold crm_row_get(const double *row, size_t i)
{
    const double *place = row + i / CRM_ROW_LANES * CRM_ROW_BLOCK + i % CRM_ROW_LANES;
    return (crm_twofold){place[0], place[CRM_ROW_LANES]};
}

static inline void crm_row_set(double *row, size_t i, crm_twofold value)
{
    double *place = row + i / CRM_ROW_LANES * CRM_ROW_BLOCK + i % CRM_ROW_LANES;
    place[0] = value.high;
    place[CRM_ROW_LANES] = value.low;
}

crm_twofold crm_row_dot(crm_width width, size_t blocks, const double *a, const double *b);
/* a += factor b */
void crm_row_add(crm_width width, size_t blocks, double *a, crm_twofold factor, const double *b);
/* out = factor a */
void crm_row_scale(crm_width width, size_t blocks, crm_twofold factor, const double *a,
                   double *out);
/* a, b := c a + s b, c b - s a */
void crm_row_rotate(crm_width width, size_t blocks, crm_twofold c, crm_twofold s, double *a,
                    double *b);

/* The product of the high parts alone, in doubles. */
double crm_row_rough_dot(crm_width width, size_t blocks, const double *a, const double *b);

#endif
