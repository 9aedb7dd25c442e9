/* One step tried in all lanes: the arithmetic under lzb_lanes.c. Internal. */
#ifndef CRM_LZB_LANES_KERNEL_H
#define CRM_LZB_LANES_KERNEL_H

#include "law/lzb_lanes.h"

/* The tableau always has this many rows: order 12. */
enum { LANES_ROWS = 6, LANES_ALIGNMENT = 64 };

typedef double lanes_vector __attribute__((vector_size(LZB_LANES * sizeof(double))));

/* By contact, then lane. */
typedef struct lanes_pack {
    lanes_vector length; /* of the step to try */
    lanes_vector per_speed;
    lanes_vector error; /* of the try, in units of the tolerance */
    lanes_vector x[LZB_LANES_CONTACTS], c[LZB_LANES_CONTACTS], p[LZB_LANES_CONTACTS];
    lanes_vector end_x[LZB_LANES_CONTACTS], end_c[LZB_LANES_CONTACTS];
    lanes_vector end_p[LZB_LANES_CONTACTS];                        /* impulse of the step */
    lanes_vector a[LZB_LANES_CONTACTS], end_a[LZB_LANES_CONTACTS]; /* c' at start and end */
    lanes_vector rate[LZB_LANES_CONTACTS], per_scale[LZB_LANES_CONTACTS];
    lanes_vector stiffness[LZB_LANES_CONTACTS], exponent[LZB_LANES_CONTACTS];
    lanes_vector d[LZB_LANES_CONTACTS][LZB_LANES_CONTACTS];
    lanes_vector row[LANES_ROWS][3 * LZB_LANES_CONTACTS]; /* x, then c, then p */
    lanes_vector force[LZB_LANES_CONTACTS];
    size_t contacts;
    size_t band; /* contacts further apart than this do not meet, in any lane */
    lzb_kind kind;
} lanes_pack;

/* From (x, c) over the length of each lane to end_*, a, error. */
void lzb_lanes_try(lanes_pack *pack, double per_tolerance);

#endif
