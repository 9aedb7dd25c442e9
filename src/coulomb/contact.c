#include <math.h>

#include "coulomb/contact.h"

crm_coulomb_contact crm_coulomb_contact_of(size_t dim, const double *block)
{
    crm_coulomb_contact made = {.normal = block[0]};
    size_t tangents = dim - 1;
    for (size_t a = 0; made.normal > 0 && a < tangents; a++) {
        made.row[a] = block[1 + a];
        made.column[a] = block[(1 + a) * dim];
        for (size_t b = 0; b < tangents; b++) {
            made.reduced[2 * a + b] =
                block[(1 + a) * dim + 1 + b] - block[(1 + a) * dim] * (block[1 + b] / made.normal);
        }
    }
    return made;
}

/* With z = r - y, y = u + mu |u_t| n: r - P(z) = y + (z - P(z)), so that a small y is not lost
 * beside a large r. z - P(z) is 0 inside the cone, z where its polar begins, else along the outer
 * normal
 * (-mu, z_t / |z_t|).
 */
double crm_coulomb_contact_residual(size_t dim, double mu, const double *r, const double *u)
{
    double y[CRM_COULOMB_MOST] = {u[0] + mu * crm_coulomb_tangent(dim, u)};
    double z[CRM_COULOMB_MOST] = {r[0] - y[0]};
    for (size_t a = 1; a < dim; a++) {
        y[a] = u[a];
        z[a] = r[a] - y[a];
    }
    double tangent = crm_coulomb_tangent(dim, z), outside = tangent - mu * z[0], sum = 0;
    if (z[0] + mu * tangent <= 0) {
        for (size_t a = 0; a < dim; a++) {
            sum += r[a] * r[a];
        }
        return sum;
    }
    double along = outside > 0 ? outside / (1 + mu * mu) : 0;
    double rest = y[0] - mu * along;
    sum = rest * rest;
    for (size_t a = 1; a < dim; a++) {
        rest = y[a] + (along > 0 ? along * (z[a] / tangent) : 0);
        sum += rest * rest;
    }
    return sum;
}

/* (reduced + shift) t = -q, with at most two tangents. false: singular. */
static bool solve_tangents(const crm_coulomb_contact *contact, size_t dim, double shift,
                           const double *q, double *t)
{
    const double *d = contact->reduced;
    if (dim == 2) {
        t[0] = -q[0] / (d[0] + shift);
        return d[0] + shift > 0;
    }
    double a = d[0] + shift, b = d[3] + shift, determinant = a * b - d[1] * d[2];
    t[0] = (d[1] * q[1] - b * q[0]) / determinant;
    t[1] = (d[2] * q[0] - a * q[1]) / determinant;
    return determinant > 1e-15 * a * b;
}

/* r_n that closes the contact with the friction impulse in r. */
static double normal_impulse(const crm_coulomb_contact *contact, size_t dim, double q,
                             const double *r)
{
    double sum = q;
    for (size_t a = 1; a < dim; a++) {
        sum += contact->row[a - 1] * r[a];
    }
    return -sum / contact->normal;
}

/* The answer is (reduced + s) r_t = -q~ for the s = |u_t| / |r_t| > 0 where g(s) = mu r_n / |r_t|
 * is 1. g(0) < 1, for it cannot stick, and g grows without bound since q_n < 0; where reduced is a
 * multiple of the unit matrix it is linear. Newton's method, within the bracket that it narrows.
 */
static void slide(const crm_coulomb_contact *contact, size_t dim, double mu, double q_normal,
                  const double *q, double *slip, double *r)
{
    const double PRECISION = 1e-15;
    enum { MOST_STEPS = 100 };
    double low = 0, high = INFINITY;
    double length = dim == 3 ? sqrt(q[0] * q[0] + q[1] * q[1]) : fabs(q[0]);
    double s = *slip > 0 ? *slip : length * contact->normal / (mu * -q_normal);
    for (int step = 0; step < MOST_STEPS; step++) {
        double rate[2] = {0};
        solve_tangents(contact, dim, s, q, r + 1);
        r[0] = normal_impulse(contact, dim, q_normal, r);
        double tangent = crm_coulomb_tangent(dim, r), over = mu * r[0] - tangent;
        if (fabs(over) <= PRECISION * tangent) {
            break;
        }
        *(over > 0 ? &high : &low) = s;
        solve_tangents(contact, dim, s, r + 1, rate); /* -dr_t/ds = (reduced + s)^-1 r_t */
        double along = 0, across = 0;
        for (size_t a = 1; a < dim; a++) {
            along += r[a] * rate[a - 1];
            across += contact->row[a - 1] * rate[a - 1];
        }
        double slope = mu * (-across / contact->normal * tangent - r[0] * along / tangent) /
                       (tangent * tangent);
        double next = s - over / tangent / slope;
        if (!(next > low && next < high)) {
            next = high < INFINITY ? 0.5 * (low + high) : 4 * s;
        }
        if (next == s) {
            break;
        }
        s = next;
    }
    *slip = s;
    double tangent = crm_coulomb_tangent(dim, r);
    r[0] = r[0] > 0 ? r[0] : 0;
    for (size_t a = 1; a < dim && tangent > 0; a++) {
        r[a] *= mu * r[0] / tangent;
    }
}

void crm_coulomb_contact_solve(const crm_coulomb_contact *contact, size_t dim, double mu,
                               const double *q, double *slip, double *r)
{
    double reduced[2] = {0}, largest = 0;
    r[0] = r[1] = r[dim - 1] = 0;
    if (!(q[0] < 0) || !(contact->normal > 0)) {
        return;
    }
    for (size_t a = 1; a < dim; a++) {
        reduced[a - 1] = q[a] - contact->column[a - 1] * (q[0] / contact->normal);
        largest = fmax(largest, fabs(reduced[a - 1]));
    }
    r[0] = -q[0] / contact->normal;
    if (!(largest > 0) || !(mu > 0)) {
        return;
    }
    if (solve_tangents(contact, dim, 0, reduced, r + 1)) {
        r[0] = normal_impulse(contact, dim, q[0], r);
        if (crm_coulomb_tangent(dim, r) <= mu * r[0]) {
            return;
        }
    }
    slide(contact, dim, mu, q[0], reduced, slip, r);
}
