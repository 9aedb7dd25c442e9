/* See soft.h. State: indentations x and closing speeds c; impulses follow along for the velocities.
 */
#include "soft.h"

#include <math.h>
#include <string.h>

#include "fehlberg.h"

enum { PARTS = 3 };

typedef struct contacts {
    size_t n, s;
    double d[SMALL * SMALL], spread[SMALL * SMALL]; /* D; M^-1 W, rows of s */
    double stiffness[SMALL], exponent[SMALL], back[SMALL];
    double soft[SMALL], slope[SMALL], x_scale[SMALL];
    double speed, softness;
} contacts;

/* x, c, p, one after the other */
typedef double state[PARTS * SMALL];

static double force(const contacts *k, size_t j, double x)
{
    return x <= 0 ? 0 : x < k->soft[j] ? k->slope[j] * x : k->stiffness[j] * pow(x, k->exponent[j]);
}

static void rates(const contacts *k, const double *y, double *rate)
{
    const double *x = y, *c = y + SMALL;
    for (size_t j = 0; j < k->s; j++) {
        rate[2 * SMALL + j] = force(k, j, x[j]);
        rate[j] = c[j] > 0 ? c[j] : x[j] > 0 ? k->back[j] * c[j] : 0;
    }
    for (size_t j = 0; j < k->s; j++) {
        double sum = 0;
        for (size_t i = 0; i < k->s; i++) {
            sum -= k->d[j * SMALL + i] * rate[2 * SMALL + i];
        }
        rate[SMALL + j] = sum;
    }
}

/* A diagonal M; D = W' M^-1 W. */
static void set_up(contacts *k, const small_system *system, double softness)
{
    memset(k, 0, sizeof *k);
    k->n = system->n;
    k->s = system->s;
    k->softness = softness;
    for (size_t j = 0; j < k->s; j++) {
        double u = 0;
        for (size_t i = 0; i < k->n; i++) {
            u += system->w[j * k->n + i] * system->velocity[i];
            k->spread[i * SMALL + j] = system->w[j * k->n + i] / system->mass[i * k->n + i];
        }
        k->speed = fmax(k->speed, -u);
    }
    for (size_t j = 0; j < k->s; j++) {
        for (size_t l = 0; l < k->s; l++) {
            for (size_t i = 0; i < k->n; i++) {
                k->d[j * SMALL + l] += system->w[j * k->n + i] * k->spread[i * SMALL + l];
            }
        }
        double e = system->restitution[j], eta = system->exponent[j], power = 1 + eta;
        k->stiffness[j] = system->stiffness[j];
        k->exponent[j] = eta;
        k->back[j] = 1 / (e * e);
        double energy = k->speed * k->speed / (2 * k->d[j * SMALL + j]);
        k->x_scale[j] = pow(power * energy / k->stiffness[j], 1 / power);
        k->soft[j] = k->x_scale[j] * pow(softness, 2 / power);
        k->slope[j] = k->stiffness[j] * pow(k->soft[j], eta - 1);
        if (eta >= 1) {
            k->soft[j] = 0;
        }
    }
}

/* The coefficients in double: there are many steps. */
typedef struct formula {
    double stage[FEHLBERG_STAGES][FEHLBERG_STAGES], weight[FEHLBERG_STAGES], error_weight;
} formula;

static formula formula_in_double(void)
{
    formula f = {.error_weight = (double)fehlberg_error_weight};
    for (size_t i = 0; i < FEHLBERG_STAGES; i++) {
        f.weight[i] = (double)fehlberg_weight[i];
        for (size_t m = 0; m < i; m++) {
            f.stage[i][m] = (double)fehlberg_stage[i][m];
        }
    }
    return f;
}

static double take_step(const contacts *k, const formula *f, double h, const double *y0, double *y1)
{
    double rate[FEHLBERG_STAGES][PARTS * SMALL];
    state y;
    for (size_t i = 0; i < FEHLBERG_STAGES; i++) {
        for (size_t part = 0; part < PARTS; part++) {
            for (size_t j = part * SMALL; j < part * SMALL + k->s; j++) {
                double sum = 0;
                for (size_t m = 0; m < i; m++) {
                    sum += f->stage[i][m] * rate[m][j];
                }
                y[j] = y0[j] + h * sum;
            }
        }
        rates(k, y, rate[i]);
    }
    double worst = 0;
    for (size_t j = 0; j < k->s; j++) {
        for (size_t part = 0; part < PARTS; part++) {
            size_t l = part * SMALL + j;
            double sum = 0;
            for (size_t i = 0; i < FEHLBERG_STAGES; i++) {
                sum += f->weight[i] * rate[i][l];
            }
            y1[l] = y0[l] + h * sum;
            double error =
                fabs(f->error_weight * h * (rate[0][l] + rate[10][l] - rate[11][l] - rate[12][l]));
            /* an error of x is one of energy, and counts the more the slower the swing is */
            double scale =
                part == 0 ? fmax(sqrt(fmax(y1[l], 0) * k->x_scale[j]), k->softness * k->x_scale[j])
                          : k->speed;
            worst = part == 2 ? worst : fmax(worst, error / scale);
        }
    }
    return worst;
}

static bool is_over(const contacts *k, const double *y)
{
    double slow = 1e-3 * k->softness * k->speed;
    for (size_t j = 0; j < k->s; j++) {
        if (y[j] > 0 || y[SMALL + j] > slow) {
            return false;
        }
    }
    return true;
}

soft_judgement judge_softly(const small_system *system, double softness, double tolerance,
                            unsigned long most_steps)
{
    soft_judgement result = {0};
    contacts k;
    formula f = formula_in_double();
    double h = INFINITY;
    state y = {0};
    set_up(&k, system, softness);
    double u[SMALL];
    small_system_gap_velocity(system, system->velocity, u);
    for (size_t j = 0; j < k.s; j++) {
        y[SMALL + j] = -u[j];
        h = fmin(h, 1e-3 * k.x_scale[j] / k.speed);
    }
    while (!(result.finished = is_over(&k, y)) && result.steps < most_steps) {
        state next = {0};
        double error = take_step(&k, &f, h, y, next);
        result.steps++;
        double growth = 0.9 * pow(tolerance / fmax(error, 1e-30), 0.125);
        if (error <= tolerance) {
            memcpy(y, next, sizeof y);
            for (size_t j = 0; j < k.s; j++) {
                y[j] = fmax(y[j], 0);
            }
        }
        h *= fmin(fmax(growth, 0.1), error <= tolerance ? 3.0 : 0.7);
    }
    for (size_t i = 0; i < k.n; i++) {
        result.velocity[i] = system->velocity[i];
        for (size_t j = 0; j < k.s; j++) {
            result.velocity[i] += k.spread[i * SMALL + j] * y[2 * SMALL + j];
        }
    }
    return result;
}
