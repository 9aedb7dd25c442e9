/* What the tests share: numbers to compare, systems to try, and the call to the law.
 *
 * A `small_system` is M, W and the contacts written out in full, so that the library, the judge
 * (judge.h) and a test's own arithmetic start from the same plain numbers.
 */
#ifndef CAROM_TEST_SUPPORT_H
#define CAROM_TEST_SUPPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "carom/carom.h"

/* ---- Comparing ----------------------------------------------------------------------------- */

/* |got - want| <= tolerance, else fail with both numbers. NAN never passes. */
#define assert_near(got, want, tolerance)                                                          \
    check_near((double)(got), (double)(want), (double)(tolerance), #got, __FILE__, __LINE__)
void check_near(double got, double want, double tolerance, const char *what, const char *file,
                int line);

/* The same for `count` entries. */
#define assert_all_near(got, want, count, tolerance)                                               \
    check_all_near((got), (want), (count), (double)(tolerance), #got, __FILE__, __LINE__)
void check_all_near(const double *got, const double *want, size_t count, double tolerance,
                    const char *what, const char *file, int line);

/* CRM_OK, else fail with the library's own message. */
#define assert_ok(status, error) check_ok((status), (error), #status, __FILE__, __LINE__)
void check_ok(crm_status status, const crm_error *error, const char *what, const char *file,
              int line);

/* How many of something: under the sanitizers (CAROM_TEST_QUICK) few, which look for other faults
 * than those that only many show.
 */
size_t rounds(size_t many, size_t few);

double largest_difference(const double *a, const double *b, size_t count);

/* A line of a table: the median and what nine in ten, 99 in 100 and all stay below. Sorts them. */
void print_distribution_head(void);
void print_distribution(const char *what, double *values, size_t count);
double largest_size(const double *a, size_t count);

/* ---- Random numbers ------------------------------------------------------------------------ */

/* splitmix64: one word of state, the same sequence everywhere. */
typedef struct rng {
    uint64_t state;
} rng;

rng rng_seeded(uint64_t seed);
uint64_t rng_next(rng *r);
size_t rng_below(rng *r, size_t bound);              /* 0 .. bound-1 */
double rng_uniform(rng *r, double low, double high); /* [low, high) */
double rng_log(rng *r, double low, double high);     /* uniform in the logarithm */
double rng_normal(rng *r);
void rng_shuffle(rng *r, size_t *order, size_t count); /* a random permutation of 0 .. count-1 */

/* ---- Small systems, written out in full ------------------------------------------------------ */

enum { SMALL = 16 };

typedef struct small_system {
    size_t n, s;
    double mass[SMALL * SMALL]; /* M, rows of n */
    double w[SMALL * SMALL];    /* contact after contact: w[j*n + i] */
    double stiffness[SMALL], exponent[SMALL], restitution[SMALL], stored_energy[SMALL];
    double boundary_velocity[SMALL];
    double gap[SMALL];      /* for the compliant law; else 0 */
    double velocity[SMALL]; /* v- */
} small_system;

/* n coordinates, s contacts; unit masses, Hertz, e = 1, everything else 0. */
small_system small_system_blank(size_t n, size_t s);
/* Balls in a line, contact j between j and j+1; `wall` adds a last contact right of the last. */
small_system small_system_chain(size_t count, bool wall);
/* What the library makes a model of; it points into the system. */
crm_system_def small_system_def(const small_system *system);
/* The library's model of it. Fails the test if it is refused. */
crm_model *small_system_model(const small_system *system);
/* Contacts and coordinates renumbered: entry k of the result is entry order[k] of the system. */
small_system small_system_renumbered(const small_system *system, const size_t *contact_order,
                                     const size_t *coordinate_order);
/* T = v'Mv/2 and u_j = w_j'v + boundary velocity, computed here. */
double small_system_energy(const small_system *system, const double *velocity);
void small_system_gap_velocity(const small_system *system, const double *velocity, double *u);
/* How far velocities are off, relative to the largest closing speed before. */
double small_system_error(const small_system *system, const double *velocity, const double *truth);
/* For messages: everything needed to try it again. */
void small_system_print(const small_system *system);

/* What a random system may contain. */
typedef struct random_choice {
    size_t most_contacts;
    bool uniform_exponent; /* one eta for all contacts */
    bool elastic;          /* e = 1 everywhere */
    double least_restitution, most_restitution;
    bool plastic_sometimes;  /* some e = 0 */
    bool stored_energy;      /* some E0 > 0 */
    double stiffness_spread; /* K from 1/spread to spread */
} random_choice;

random_choice random_choice_default(void);
/* A free chain, a struck chain on a wall (never with e = 1 alone) ... */
small_system random_chain(rng *r, random_choice choice, bool wall);
/* A chain of 3 to 8 balls, free or on a wall, with exponents from `least` to `most` (one for the
 * chain, or for each contact its own), equal or mixed masses and stiffnesses, e = 1 or mixed;
 * struck by the first ball, or thrown against the wall.
 */
small_system random_stiff_chain(rng *r, double least, double most, bool each);
/* A full symmetric M and any W; every w has a positive component along one common direction of
 * M^-1, so that a velocity with W'v > 0 exists and the impact can end. Contacts may outnumber
 * coordinates.
 */
small_system random_lagrangian(rng *r, random_choice choice);
/* A connected patch of touching discs cut from a hexagonal packing; fills the geometry too. */
typedef struct disc_patch {
    size_t count;
    double radius;
    double position[SMALL / 2][2];
} disc_patch;
small_system random_disc_patch(rng *r, random_choice choice, disc_patch *patch);

/* ---- Calling a law --------------------------------------------------------------------------- */

/* Its defaults, and what it cannot do without (one table in support.c). */
crm_settings *law_settings(const crm_law *law);

/* NULL or 0 leaves an option at its default. */
typedef struct lzb_choices {
    const char *stiffness_model; /* bi | mono */
    const char *scheme;          /* auto | impulse-euler | time-euler */
    double tolerance;
    double step;
    double max_steps;
} lzb_choices;

extern const lzb_choices lzb_bi;
extern const lzb_choices lzb_mono;

crm_settings *lzb_settings(lzb_choices options);
/* One impact by LZB; the call must succeed, the outcome may be anything. Free the outcome. */
crm_outcome *lzb_outcome(const crm_model *model, const double *velocity, lzb_choices options);
/* The same, and it must be solved. */
crm_outcome *lzb_solve(const crm_model *model, const double *velocity, lzb_choices options);
crm_outcome *lzb_solve_small(const small_system *system, lzb_choices options);

/* ---- Chains and bodies
 * ---------------------------------------------------------------------------------- */

/* Must succeed. */
crm_model *chain_model(const crm_chain_def *def);

crm_body_def ball_at(double radius, double mass, double x, double y, double z);
crm_bodies_def bodies_def(unsigned dimension, const crm_body_def *bodies, size_t count);

#endif
