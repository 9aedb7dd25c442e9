/* Cholesky factors of D on a set of contacts, stored from each row's first entry to its diagonal.
 * Internal. Three diagonals stay three diagonals; a set that is singular is not taken.
 */
#ifndef CRM_LZB_SKYLINE_H
#define CRM_LZB_SKYLINE_H

#include "model/model.h"

typedef struct lzb_skyline {
    size_t size, row_room, entry_room;
    size_t *first; /* column of each row's first entry */
    size_t *start; /* where that is: entry (i, j) at start[i] + j - first[i] */
    double *value;
} lzb_skyline;

/* The set is member[0 .. size), ascending; place[j] is the place of contact j in it, or SIZE_MAX.
 * *singular: the place of a row that depends on those before it; SIZE_MAX: there is none.
 */
crm_status lzb_skyline_factorize(lzb_skyline *skyline, const crm_model *model,
                                 const uint32_t *member, size_t size, const size_t *place,
                                 size_t *singular, crm_error *error);

/* x := D_SS^-1 x */
void lzb_skyline_solve(const lzb_skyline *skyline, double *x);

void lzb_skyline_release(lzb_skyline *skyline);

#endif
