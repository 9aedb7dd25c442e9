/* Small systems: M, W and the contacts written out in full, so that the library, the judge
 * (judge.h) and a test's own arithmetic start from the same plain numbers.
 */
#ifndef CAROM_TEST_SMALL_SYSTEM_H
#define CAROM_TEST_SMALL_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>

#include "carom/carom.h"

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

#endif
