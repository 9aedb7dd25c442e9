/* Values to eight digits of impacts with friction, of another author and by other integrators; the
 * last digit is off by one here and there. Contacts are those of friction_named.h.
 */
#ifndef CAROM_TEST_FRICTION_PRINTED_H
#define CAROM_TEST_FRICTION_PRINTED_H

#include "friction_closed.h"

/* friction_rocking_block; q and the losses are sums over both contacts. */
typedef struct friction_block_row {
    double half_height, e, exponent, mu, velocity[3], impulse[2], q, loss_normal, loss_tangential;
} friction_block_row;

enum { FRICTION_BLOCK_ROWS = 48 };
extern const friction_block_row friction_printed_block[FRICTION_BLOCK_ROWS];

/* friction_disc_line, eta = 3/2. */
typedef struct friction_line_row {
    double e, mu, velocity[9], impulse[2], tangential[2], loss_normal, loss_tangential;
} friction_line_row;

enum { FRICTION_LINE_ROWS = 8 };
extern const friction_line_row friction_printed_line[FRICTION_LINE_ROWS];

/* friction_bernoulli(1, 0, 0), eta = 3/2: the cue along x, disc 2, whose mirror is disc 3, P and Q
 * of cue and disc 2, P between discs 2 and 3.
 */
typedef struct friction_bernoulli_row {
    double e, mu, cue, x, y, spin, p, q, p23, loss_normal, loss_tangential;
} friction_bernoulli_row;

enum { FRICTION_BERNOULLI_ROWS = 8 };
extern const friction_bernoulli_row friction_printed_bernoulli[FRICTION_BERNOULLI_ROWS];

/* friction_sphere_on_three, eta = 3/2, e = 0.8. */
typedef struct friction_sphere_row {
    double before[6], mu, velocity[6], impulse[3], loss_normal, loss_tangential;
} friction_sphere_row;

enum { FRICTION_SPHERE_ROWS = 6 };
extern const friction_sphere_row friction_printed_sphere[FRICTION_SPHERE_ROWS];

/* friction_rod of slope 2, one contact. */
typedef struct friction_rod_row {
    double u_n, u_t, mu, e, after_n, after_t, p, q, loss_normal, loss_tangential;
    friction_path path;
} friction_rod_row;

enum { FRICTION_ROD_ROWS = 39 };
extern const friction_rod_row friction_printed_rod[FRICTION_ROD_ROWS];

#endif
