/* Random impacts with friction, ugly ones among them; the same for the same state of the rng. */
#ifndef CAROM_TEST_FRICTION_RANDOM_H
#define CAROM_TEST_FRICTION_RANDOM_H

#include "friction_case.h"

/* One contact in the plane: n 2 to 4, K 1e-2 to 1e3, eta 1 to 3, e with 0 and 1, mu to 10; now and
 * then no slip before, or D singular or nearly so.
 */
friction_case friction_random_plane(rng *r);
/* A sphere of any mass, radius and inertia with spin, on the floor or a wall that moves. */
friction_case friction_random_sphere(rng *r);
/* One contact in space with any M, w and T. */
friction_case friction_random_space(rng *r);

typedef enum friction_kind {
    FRICTION_ANY,       /* any M, W, T */
    FRICTION_PILE,      /* bodies with corners on a floor and on each other */
    FRICTION_ROUND,     /* discs or spheres: D_nt = 0 at a contact by itself */
    FRICTION_DEPENDENT, /* bodies with several contacts of one plane: T is rank-deficient */
    FRICTION_UNEVEN,    /* a pile with masses from 1e-3 to 1e3 */
    FRICTION_WEDGED,    /* normals of all directions: friction may hold what is between them */
    FRICTION_KINDS
} friction_kind;

const char *friction_kind_name(friction_kind kind);

typedef struct friction_draw {
    friction_kind kind;
    size_t dim;      /* 1 or 2 */
    size_t contacts; /* 2 to FRICTION_CONTACTS */
    double most_mu;  /* 5, say */
} friction_draw;

friction_case friction_random(rng *r, friction_draw draw);
/* System `index` of a seed: its kind, dimension and number of contacts are drawn, too. */
friction_case friction_random_of(uint64_t seed, size_t index, size_t most_contacts,
                                 friction_draw *draw);

#endif
