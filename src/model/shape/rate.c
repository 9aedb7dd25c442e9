/* The bias of a gap: u' without the terms that contain v'.
 *
 * With n free to turn, g = max s(n, t) gives u = s_t at fixed n (the points move with their
 * bodies), and as s_n = 0 holds at all times, n' = -s_nn^-1 s_nt along the tangents:
 *
 *     u' = s_tt + s_nt.(-s_nn)^-1 s_nt,   -s_nn = H_1 + H_2 + s,
 *
 * H the second derivatives of the support functions; s comes from |n| = 1. At fixed n the support
 * point of a body that turns with w moves by x' = w x x - H (w x n), so that with k_i = t_i.(w x n)
 *
 *     s_nt = t.(v_2 + w_2 x x_2) + H_2 k_2 - t.(v_1 + w_1 x x_1) + H_1 k_1
 *     s_tt = n.(a_2 + w_2 x (w_2 x x_2)) - k_2.H_2 k_2 - n.(a_1 + w_1 x (w_1 x x_1)) - k_1.H_1 k_1.
 *
 * Where n is the normal of a face, n' = w t is that of its body (in the plane, w a number), and g
 * is the height of the other's support point over the face: with that body's o and x, d between the
 * centres,
 *
 *     u' = n.(a_o - a) - o^2 n.x + 2 w t.(v_o - v + o x x) - w^2 n.(d + x) - H (o - w)^2.
 *
 * A wall has a fixed normal: u' = -n.(a + w x (w x x)) - k.H k, n into the wall.
 */
#include "model/shape/shape.h"

/* a.(v + w x x) */
static double along(const double a[3], const crm_solid_rate *rate, const double x[3])
{
    double turned[3];
    crm_cross3(rate->spin, x, turned);
    return crm_dot3(a, rate->velocity) + crm_dot3(a, turned);
}

/* n.(a + w x (w x x)) */
static double normal_acceleration(const double n[3], const crm_solid_rate *rate, const double x[3])
{
    double square = crm_dot3(rate->spin, rate->spin);
    return crm_dot3(n, rate->bias) + crm_dot3(n, rate->spin) * crm_dot3(rate->spin, x) -
           square * crm_dot3(n, x);
}

/* t_i.(w x n) */
static void turn(const double n[3], double t[2][3], unsigned tangents, const crm_solid_rate *rate,
                 double k[2])
{
    double turned[3];
    crm_cross3(rate->spin, n, turned);
    k[0] = crm_dot3(t[0], turned);
    k[1] = tangents > 1 ? crm_dot3(t[1], turned) : 0;
}

static double quadratic_form(const double curve[3], const double k[2])
{
    return curve[0] * k[0] * k[0] + 2 * curve[1] * k[0] * k[1] + curve[2] * k[1] * k[1];
}

static double free_bias(unsigned dimension, const crm_nearest_points *m,
                        const crm_solid_rate rate[2])
{
    double t[2][3], mixed[2] = {0, 0}, bias = 0;
    unsigned tangents = dimension - 1;
    crm_solid_tangents(dimension, m->n, t);
    for (int b = 0; b < 2; b++) {
        double sign = b == 0 ? -1 : 1, k[2];
        const double *curve = m->curve[b];
        turn(m->n, t, tangents, &rate[b], k);
        bias += sign * normal_acceleration(m->n, &rate[b], m->p[b]) - quadratic_form(curve, k);
        mixed[0] += sign * along(t[0], &rate[b], m->p[b]) + curve[0] * k[0] + curve[1] * k[1];
        mixed[1] += sign * along(t[1], &rate[b], m->p[b]) + curve[1] * k[0] + curve[2] * k[1];
    }
    double a = m->curve[0][0] + m->curve[1][0] + m->apart;
    double c = m->curve[0][2] + m->curve[1][2] + m->apart;
    double b = m->curve[0][1] + m->curve[1][1];
    if (tangents < 2) {
        return tangents == 0 || !(a > 0) ? bias : bias + mixed[0] * mixed[0] / a;
    }
    double determinant = a * c - b * b;
    double bent = c * mixed[0] * mixed[0] - 2 * b * mixed[0] * mixed[1] + a * mixed[1] * mixed[1];
    return determinant > 0 ? bias + bent / determinant : bias;
}

static double face_bias(const crm_solid *first, const crm_solid *second,
                        const crm_nearest_points *m, const crm_solid_rate rate[2])
{
    int f = m->face, o = 1 - f;
    double sign = f == 0 ? 1 : -1, n[3], t[2][3], r[3];
    const double *x = m->p[o];
    double w = rate[f].spin[2], other = rate[o].spin[2];
    for (int d = 0; d < 3; d++) { /* out of the face */
        n[d] = sign * m->n[d];
        r[d] = sign * (second->centre[d] - first->centre[d]) + x[d];
    }
    crm_solid_tangents(2, n, t);
    double sliding = along(t[0], &rate[o], x) - crm_dot3(t[0], rate[f].velocity);
    double curve = m->curve[o][0] * (other - w) * (other - w);
    return normal_acceleration(n, &rate[o], x) - crm_dot3(n, rate[f].bias) + 2 * w * sliding -
           w * w * crm_dot3(n, r) - curve;
}

double crm_rate_bias(const crm_solid *first, const crm_solid *second, const crm_nearest_points *m,
                     const crm_solid_rate rate[2])
{
    return m->face >= 0 ? face_bias(first, second, m, rate) : free_bias(first->dimension, m, rate);
}

double crm_rate_wall_bias(const crm_nearest_points *m, double t[2][3], unsigned dimension,
                          const crm_solid_rate *rate)
{
    double k[2];
    turn(m->n, t, dimension - 1, rate, k);
    return -normal_acceleration(m->n, rate, m->p[0]) - quadratic_form(m->curve[0], k);
}
