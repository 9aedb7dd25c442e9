#include "friction_call.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "friction_model.h"

crm_model *friction_model(const friction_case *c)
{
    crm_error error = {0};
    crm_model *model = friction_make_model(c, &error);
    if (model == NULL) {
        fail_msg("%s: %s", error.place, error.message);
    }
    return model;
}

crm_outcome *friction_outcome(const char *law, const friction_case *c)
{
    crm_model *model = friction_model(c);
    crm_settings *settings = law_settings(crm_law_find(law));
    crm_outcome *outcome = NULL;
    crm_error error = {0};
    assert_ok(crm_solve(model, c->velocity, settings, NULL, &outcome, &error), &error);
    crm_settings_free(settings);
    crm_model_free(model);
    return outcome;
}

crm_outcome *friction_solve(const char *law, const friction_case *c)
{
    crm_outcome *outcome = friction_outcome(law, c);
    if (outcome->result != CRM_SOLVED) {
        fail_msg("%s: %s", law, outcome->reason);
    }
    return outcome;
}

friction_case friction_from_delassus(size_t contacts, size_t dim, const double *d, const double *u)
{
    size_t n = contacts * (1 + dim);
    friction_case c = friction_blank(n, contacts, dim);
    long double l[FRICTION_ROWS][FRICTION_ROWS] = {{0}};
    for (size_t i = 0; i < n; i++) {
        c.mass[i * n + i] = 1;
        long double v = u[i];
        for (size_t k = 0; k <= i; k++) {
            long double sum = d[i * n + k];
            for (size_t m = 0; m < k; m++) {
                sum -= l[i][m] * l[k][m];
            }
            l[i][k] = i == k ? sqrtl(sum) : sum / l[k][k];
            size_t j = i / (1 + dim), a = i % (1 + dim);
            double *direction = a == 0 ? c.w + j * n : c.t + (j * dim + a - 1) * n;
            direction[k] = (double)l[i][k];
            v -= k < i ? l[i][k] * c.velocity[k] : 0;
        }
        c.velocity[i] = (double)(v / l[i][i]);
    }
    return c;
}

/* ---- Coulomb's law --------------------------------------------------------------------------- */

/* Without any friction there is none. */
static double tangential(const crm_outcome *outcome, size_t k)
{
    return outcome->tangential_impulse != NULL ? outcome->tangential_impulse[k] : 0;
}

typedef struct measures {
    double speed, impulse;
} measures;

static double of_contact(const friction_case *c, size_t j, const long double *u, double wanted,
                         double p, const double *q, double floor, measures size)
{
    double length = 0, slip = 0, product = 0, mu = c->friction[j];
    for (size_t k = 0; k < c->dim; k++) {
        double u_t = (double)u[c->s + j * c->dim + k];
        length = hypot(length, q[k]);
        slip = hypot(slip, u_t);
        product += q[k] * u_t;
    }
    double gap = (double)u[j] - wanted, worst = 0;
    worst = fmax(worst, -gap / size.speed);
    worst = fmax(worst, (floor - p) / size.impulse);
    worst = fmax(worst, fabs((p - floor) * gap) / size.impulse / size.speed);
    worst = fmax(worst, (length - mu * p) / size.impulse / (1 + mu));
    return fmax(worst, (product + mu * p * slip) / size.impulse / size.speed / (1 + mu));
}

/* M (v+ - v-) = W P + T Q, beside the largest M v. */
static double of_motion(const friction_case *c, const crm_outcome *outcome)
{
    double worst = 0, scale = 0;
    for (size_t i = 0; i < c->n; i++) {
        long double sum = 0;
        double terms = 0;
        for (size_t k = 0; k < c->n; k++) {
            double m = c->mass[i * c->n + k];
            sum += (long double)m * ((long double)outcome->velocity[k] - c->velocity[k]);
            terms += fabs(m) * (fabs(outcome->velocity[k]) + fabs(c->velocity[k]));
        }
        for (size_t j = 0; j < c->s; j++) {
            sum -= (long double)c->w[j * c->n + i] * outcome->impulse[j];
            terms += fabs(c->w[j * c->n + i] * outcome->impulse[j]);
            for (size_t k = c->dim * j; k < c->dim * (j + 1); k++) {
                sum -= (long double)c->t[k * c->n + i] * tangential(outcome, k);
                terms += fabs(c->t[k * c->n + i] * tangential(outcome, k));
            }
        }
        worst = fmax(worst, fabs((double)sum));
        scale = fmax(scale, terms);
    }
    return scale > 0 ? worst / scale : 0;
}

void friction_terms(const friction_case *c, const crm_outcome *outcome, double *terms)
{
    size_t rows = c->s * (1 + c->dim);
    long double d[FRICTION_ROWS * FRICTION_ROWS];
    assert_true(friction_delassus(c, d, NULL));
    for (size_t i = 0; i < rows; i++) {
        terms[i] = 0;
        for (size_t k = 0; k < rows; k++) {
            double r = k < c->s ? outcome->impulse[k] : tangential(outcome, k - c->s);
            terms[i] += (double)fabsl(d[i * FRICTION_ROWS + k]) * fabs(r);
        }
    }
}

double friction_defect(const friction_case *c, const crm_outcome *outcome,
                       const crm_outcome *compression)
{
    long double before[FRICTION_ROWS], after[FRICTION_ROWS];
    friction_slip(c, c->velocity, before);
    friction_slip(c, outcome->velocity, after);
    measures size = {friction_speed(c), largest_size(outcome->impulse, c->s)};
    size.impulse = size.impulse > 0 ? size.impulse : 1;
    double terms[FRICTION_ROWS];
    friction_terms(c, outcome, terms);
    size.speed = fmax(size.speed, largest_size(terms, c->s * (1 + c->dim)) / 100);
    double worst = of_motion(c, outcome);
    for (size_t j = 0; j < c->s; j++) {
        double p = outcome->impulse[j], q[2], e = c->restitution[j], floor = 0;
        double wanted = -e * (double)before[j];
        for (size_t k = 0; k < c->dim; k++) {
            q[k] = tangential(outcome, j * c->dim + k);
        }
        if (compression != NULL) {
            p -= compression->impulse[j];
            floor = e * compression->impulse[j];
            wanted = 0;
            for (size_t k = 0; k < c->dim; k++) {
                q[k] -= tangential(compression, j * c->dim + k);
            }
        }
        worst = fmax(worst, of_contact(c, j, after, wanted, p, q, floor, size));
    }
    return worst;
}
