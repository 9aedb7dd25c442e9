/* Calling the laws of collisions with a few of their options, and what they are compared with. */
#ifndef CAROM_TEST_COLLISION_CALL_H
#define CAROM_TEST_COLLISION_CALL_H

#include "support.h"

typedef struct option {
    const char *name;
    const char *text; /* NULL: a number */
    double number;
} option;

enum { OPTIONS = 4 };

/* The call must succeed; options end at the first without a name, NULL: none. Free the outcome. */
crm_outcome *solve_model(const char *law, const crm_model *model, const double *velocity,
                         const option *options);
crm_outcome *solve_small(const char *law, const small_system *system, const option *options);
/* `says`: what the message must contain, parted by '|'. */
void check_option_refused(const char *law, option o, const char *says);

/* Masses NULL: all 1. Velocities NULL: the first ball at speed 1. */
small_system chain_of(size_t count, const double *mass, const double *velocity, double e);
crm_model *long_chain(size_t count, const double *mass, double e);

/* All outcomes by following the tree of sequences, nothing merged on the way. */
typedef struct tree {
    const small_system *chain;
    bool simultaneous; /* three balls only: both contacts at once, too */
    double found[256][SMALL];
    size_t count;
} tree;

void follow(tree *t, const double *v);

#endif
