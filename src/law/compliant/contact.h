/* The force of one contact, by its model. Internal.
 *
 * With the indentation x > 0 of a contact's spring and its closing speed c,
 *
 *     elastic         f = K x^eta                            x' = c
 *     Kelvin-Voigt    f = x^(eta-1) (K x + C c)              x' = c
 *     Hunt-Crossley   f = K x^eta (1 + chi c)                x' = c
 *     Maxwell         f = K x^eta                            x' = c - f/C
 *     Zener           f = x^(eta-1) (K x + K1 z)             x' = c,  z' = c - (K1/C) z
 *     hysteretic      f = K x^eta                            x' = c, or c/e^2 while c < 0
 *
 * and no force where that would pull: then the contact is released, until the force is positive
 * again or x = 0. Below x = 0 it is open, x = -gap, x' = c, and a Zener contact has z = 0. What a
 * Maxwell contact has yielded, and a hysteretic one has not given back, stays: their gaps are
 * counted from there.
 *
 * Stored are E = K x^(eta+1)/(eta+1), and in the arm of a Zener contact, y = x - z being the way of
 * its dashpot, K1 (x^(eta+1)/(eta+1) - y x^eta/eta + y^(eta+1)/(eta (eta+1))), which is never
 * negative. What work is not stored is lost. (docs/theory/compliant.md)
 */
#ifndef CRM_COMPLIANT_CONTACT_H
#define CRM_COMPLIANT_CONTACT_H

#include "law/lzb/contact/contact.h"

typedef enum compliant_model {
    COMPLIANT_ELASTIC,
    COMPLIANT_KELVIN_VOIGT,
    COMPLIANT_HUNT_CROSSLEY,
    COMPLIANT_MAXWELL,
    COMPLIANT_ZENER,
    COMPLIANT_HYSTERETIC
} compliant_model;

typedef enum compliant_mode {
    COMPLIANT_OPEN,
    COMPLIANT_PRESSING,
    COMPLIANT_EXPANDING, /* a hysteretic contact that presses with c < 0 */
    COMPLIANT_RELEASED
} compliant_mode;

typedef struct compliant_contact {
    compliant_model model;
    lzb_kind kind;
    double stiffness, exponent, restitution;
    double damping; /* C, chi */
    double arm;     /* K1 */
} compliant_contact;

static inline bool compliant_presses(uint8_t mode)
{
    return mode == COMPLIANT_PRESSING || mode == COMPLIANT_EXPANDING;
}

/* Can it be released while it is indented? */
static inline bool compliant_can_release(const compliant_contact *of)
{
    return of->model == COMPLIANT_KELVIN_VOIGT || of->model == COMPLIANT_HUNT_CROSSLEY ||
           of->model == COMPLIANT_ZENER;
}

/* x^(eta-1) */
static inline double compliant_shape(const compliant_contact *of, double x)
{
    return of->kind == LZB_LINEAR  ? 1
           : of->kind == LZB_HERTZ ? sqrt(x)
                                   : crm_pow(x, of->exponent - 1.0);
}

/* Has the sign of the force: the factor of x^(eta-1), for Hunt-Crossley that of K x^eta. */
static inline double compliant_pull(const compliant_contact *of, double x, double c, double z)
{
    switch (of->model) {
    case COMPLIANT_KELVIN_VOIGT:
        return of->stiffness * x + of->damping * c;
    case COMPLIANT_HUNT_CROSSLEY:
        return 1 + of->damping * c;
    case COMPLIANT_ZENER:
        return of->stiffness * x + of->arm * z;
    default:
        return of->stiffness * x;
    }
}

/* May be negative where the contact is released. */
static inline double compliant_force(const compliant_contact *of, double x, double c, double z)
{
    if (!(x > 0)) {
        return of->model == COMPLIANT_KELVIN_VOIGT && of->kind == LZB_LINEAR && x == 0
                   ? of->damping * c
                   : 0;
    }
    switch (of->model) {
    case COMPLIANT_KELVIN_VOIGT:
    case COMPLIANT_ZENER:
        return compliant_shape(of, x) * compliant_pull(of, x, c, z);
    case COMPLIANT_HUNT_CROSSLEY:
        return lzb_contact_force(of->stiffness, of->exponent, x) * (1 + of->damping * c);
    default:
        return lzb_contact_force(of->stiffness, of->exponent, x);
    }
}

/* The derivative of the force by x, ... */
static inline double compliant_slope(const compliant_contact *of, double x, double c, double z)
{
    if (!(x > 0)) {
        return of->kind == LZB_LINEAR ? of->stiffness : 0;
    }
    double force = compliant_force(of, x, c, z);
    switch (of->model) {
    case COMPLIANT_KELVIN_VOIGT:
    case COMPLIANT_ZENER:
        return (of->exponent - 1) * force / x + compliant_shape(of, x) * of->stiffness;
    default:
        return of->exponent * force / x;
    }
}

/* ... and what answers to c as fast as c changes. */
static inline double compliant_resistance(const compliant_contact *of, double x)
{
    switch (of->model) {
    case COMPLIANT_KELVIN_VOIGT:
        return x > 0 || of->kind == LZB_LINEAR ? compliant_shape(of, x) * of->damping : 0;
    case COMPLIANT_HUNT_CROSSLEY:
        return lzb_contact_force(of->stiffness, of->exponent, x) * of->damping;
    default:
        return 0;
    }
}

/* A rate of its own, at which x or z yields: f'/C, K1/C. */
static inline double compliant_yield(const compliant_contact *of, double x)
{
    switch (of->model) {
    case COMPLIANT_MAXWELL:
        return compliant_slope(of, x, 0, 0) / of->damping;
    case COMPLIANT_ZENER:
        return of->damping > 0 ? of->arm / of->damping : 0;
    default:
        return 0;
    }
}

static inline double compliant_stored(const compliant_contact *of, double x, double z)
{
    double energy = lzb_contact_energy(of->stiffness, of->exponent, x);
    if (of->model != COMPLIANT_ZENER || z == 0) {
        return energy;
    }
    if (of->kind == LZB_LINEAR) {
        return energy + 0.5 * of->arm * z * z;
    }
    double eta = of->exponent, deep = lzb_larger(x, 0), y = deep - z;
    double by_x = crm_pow(deep, eta) * (deep / (eta + 1) - y / eta);
    return energy + of->arm * lzb_larger(by_x + crm_pow(y, eta + 1) / (eta * (eta + 1)), 0);
}

#endif
