/* A chain of balls as plain arrays: what every code that is measured starts from. */
#ifndef CAROM_BENCH_CHAIN_H
#define CAROM_BENCH_CHAIN_H

#include <carom/carom.h>
#include <stdbool.h>
#include <stddef.h>

/* Contact j is between balls j and j+1; with a wall, the last contact is between the last ball and
 * a wall on its right.
 */
typedef struct chain {
    size_t balls, contacts;
    double *mass;
    double *stiffness;
    double *velocity;   /* before the impact */
    double exponent;    /* 3/2 in all cases: the codes beside ours know no other */
    double restitution; /* the same everywhere */
} chain;

/* P1 section 4.3: identical elastic steel beads, the first at 1 m/s. */
chain chain_of_steel(size_t balls);
/* The same beads, masses drawn evenly between half and one and a half times theirs, e = 0.96. */
chain chain_disordered(size_t balls);
/* The same beads, elastic, all of them at 1 m/s towards a wall of the same steel. */
chain chain_on_wall(size_t balls);
void chain_release(chain *c);

bool chain_has_wall(const chain *c);
double chain_energy(const chain *c, const double *velocity);
/* A contact held between two beads of this chain alone lasts a few of these: (m / K)^{2/5} at 1
 * m/s. */
double chain_time(const chain *c);
/* The nearest velocities (in kinetic energy) with which no contact closes: where a lossy impact
 * ends whose contacts that still work are all going to stay together. For chains without a wall.
 */
void chain_project(const chain *c, double *velocity);
/* NULL after a message on standard error. */
crm_model *chain_model(const chain *c);

#endif
