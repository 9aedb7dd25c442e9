/* The same impact told in another way: what comes out must be the same. */
#ifndef CAROM_CAMPAIGN_COPY_H
#define CAROM_CAMPAIGN_COPY_H

#include "draw.h"

#define COPY_LIST(X)                                                                               \
    X(COPY_ORDER, "order")   /* contacts and coordinates renumbered */                             \
    X(COPY_UNITS, "units")   /* of mass, length and time */                                        \
    X(COPY_FRAME, "frame")   /* coordinates turned, all of them together */                        \
    X(COPY_BOOST, "boost")   /* seen from a moving carriage, if there are no walls */              \
    X(COPY_MIRROR, "mirror") /* all ways the other way round, last coordinate first */             \
    X(COPY_BESIDE, "beside") /* something else goes on beside it */                                \
    X(COPY_CHAIN, "chain")   /* made as a chain, if it is one */                                   \
    X(COPY_BODIES, "bodies") /* made of balls and a wall, if it is a chain */

#define COPY_ENUM(name, text) name,
typedef enum copy_kind { COPY_LIST(COPY_ENUM) COPY_KINDS } copy_kind;
#undef COPY_ENUM

const char *copy_kind_text(copy_kind kind);

typedef struct copy {
    copy_kind kind;
    small_system system;
    double turn[SMALL * SMALL]; /* velocities of the copy = speed (turn' v) + boost */
    double speed, boost[SMALL];
} copy;

/* false: cannot be told in that way. */
bool copy_make(rng *r, const small_system *system, copy_kind kind, copy *c);
/* Must succeed. */
crm_model *copy_model(const copy *c);
/* Velocities of the copy, as the original counts them. */
void copy_back(const copy *c, const small_system *system, const double *of_copy, double *velocity);

#endif
