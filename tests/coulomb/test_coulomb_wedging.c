/* Wedging, with what proves either: grooves in closed form, blocks, pinched balls, and random
 * systems in which the answer is known by how they are made.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support.h"

enum { N = 6, MOST = 16 };

static crm_coulomb_wedging found(const crm_model *model, double *witness)
{
    crm_coulomb_wedging wedging = CRM_COULOMB_WEDGING_UNKNOWN;
    crm_error error = {0};
    assert_ok(crm_coulomb_find_wedging(model, &wedging, witness, &error), &error);
    return wedging;
}

static double along(const crm_model *model, size_t contact, int tangent, const double *v)
{
    size_t count;
    const uint32_t *row;
    const double *value;
    double sum = 0;
    if (tangent < 0) {
        crm_model_gradient(model, contact, &count, &row, &value);
    } else {
        crm_model_tangent(model, contact, (unsigned)tangent, &count, &row, &value);
    }
    for (size_t k = 0; k < count; k++) {
        sum += value[k] * v[row[k]];
    }
    return sum;
}

/* Every contact opens by more than it could slip with; the least by 1. */
static void assert_opens(const crm_model *model, const double *v)
{
    double least = INFINITY;
    for (size_t j = 0; j < crm_model_contacts(model); j++) {
        double u = along(model, j, 0, v);
        double w = crm_model_tangents(model) > 1 ? along(model, j, 1, v) : 0;
        least = fmin(least, along(model, j, -1, v) - crm_model_friction(model)[j] * hypot(u, w));
    }
    assert_near(least, 1, 1e-9);
}

/* ---- Grooves --------------------------------------------------------------------------------- */

/* A disc between walls at gamma to the vertical wedges from mu = tan gamma on (theory 2). In space
 * the groove is a cone of so many walls, at the same angle: the same, but for the 1 % between the
 * pyramids.
 */
static crm_model *groove(double gamma, double mu, unsigned dimension)
{
    enum { WALLS = 5 };
    crm_body_def ball = crm_body_def_default();
    crm_wall_def walls[WALLS];
    size_t count = dimension == 2 ? 2 : WALLS;
    ball.radius = ball.mass = 1;
    for (size_t k = 0; k < count; k++) {
        double turn = 2 * acos(-1) * (double)k / (double)count;
        walls[k] = crm_wall_def_default();
        walls[k].normal[0] = cos(gamma) * (dimension == 2 ? 1 - 2.0 * (double)k : cos(turn));
        walls[k].normal[1] = dimension == 2 ? sin(gamma) : cos(gamma) * sin(turn);
        walls[k].normal[2] = dimension == 2 ? 0 : sin(gamma);
        for (int d = 0; d < 3; d++) {
            walls[k].point[d] = -walls[k].normal[d];
        }
    }
    crm_bodies_def def = bodies_def(dimension, &ball, 1);
    def.walls = walls;
    def.wall_count = count;
    def.contact.friction = mu;
    crm_model *model = NULL;
    crm_error error = {0};
    assert_ok(crm_model_from_bodies(&def, &model, &error), &error);
    return model;
}

static void a_groove_wedges_from_its_angle_on(void **state)
{
    (void)state;
    for (int k = 1; k < 15; k++) {
        for (unsigned dimension = 2; dimension <= 3; dimension++) {
            double gamma = 0.1 * k, near = dimension == 2 ? 1e-4 : 0.02, witness[MOST];
            crm_model *below = groove(gamma, tan(gamma) * (1 - near), dimension);
            crm_model *above = groove(gamma, tan(gamma) * (1 + near), dimension);
            assert_int_equal(found(below, witness), CRM_COULOMB_WEDGING_IMPOSSIBLE);
            assert_opens(below, witness);
            assert_int_equal(found(above, witness), CRM_COULOMB_WEDGING_POSSIBLE);
            crm_model_free(below);
            crm_model_free(above);
        }
    }
}

/* On a floor nothing wedges, whatever the friction; between two plates a ball does without any. */
static void floors_and_plates(void **state)
{
    (void)state;
    crm_body_def ball = crm_body_def_default();
    crm_wall_def walls[] = {crm_wall_def_default(), crm_wall_def_default()};
    ball.radius = ball.mass = 1;
    walls[0].normal[1] = 1;
    walls[0].point[1] = -1;
    walls[1].normal[1] = -1;
    walls[1].point[1] = 1;
    crm_bodies_def def = bodies_def(2, &ball, 1);
    def.walls = walls;
    def.contact.friction = 1e3;
    crm_model *model = NULL;
    double witness[MOST];
    def.wall_count = 1;
    assert_int_equal(crm_model_from_bodies(&def, &model, NULL), CRM_OK);
    assert_int_equal(found(model, witness), CRM_COULOMB_WEDGING_IMPOSSIBLE);
    assert_opens(model, witness);
    crm_model_free(model);
    def.wall_count = 2;
    def.contact.friction = 0;
    assert_int_equal(crm_model_from_bodies(&def, &model, NULL), CRM_OK);
    assert_int_equal(found(model, witness), CRM_COULOMB_WEDGING_POSSIBLE);
    assert_near(witness[0], 1, 1e-9);
    assert_near(witness[1], 1, 1e-9);
    crm_model_free(model);
}

/* ---- Made to be known ------------------------------------------------------------------------ */

typedef struct made {
    size_t contacts;
    unsigned tangents;
    double w[MOST * N], t[MOST * 2 * N], mu[MOST];
} made;

static crm_model *model_of(const made *m)
{
    const double mass[N] = {1, 2, 0.5, 3, 1, 0.2};
    crm_system_def def = crm_system_def_default();
    def.coordinates = N;
    def.contacts = m->contacts;
    def.mass_diagonal = mass;
    def.w_dense = m->w;
    def.friction = m->mu;
    def.tangents = m->tangents;
    def.t_dense = m->t;
    crm_model *model = NULL;
    crm_error error = {0};
    assert_ok(crm_model_from_system(&def, &model, &error), &error);
    return model;
}

static made random_made(rng *r)
{
    made m = {.contacts = 2 + rng_below(r, 7), .tangents = 1 + (unsigned)rng_below(r, 2)};
    for (size_t i = 0; i < MOST * N; i++) {
        m.w[i] = rng_normal(r);
        m.t[2 * i] = rng_normal(r);
        m.t[2 * i + 1] = rng_normal(r);
    }
    for (size_t j = 0; j < MOST; j++) {
        m.mu[j] = rng_log(r, 0.1, 3);
    }
    return m;
}

static double dot(const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < N; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* Along a v every normal is bent until it opens by more than it slips with. */
static void what_opens_does_not_wedge(void **state)
{
    (void)state;
    rng r = rng_seeded(386);
    for (int trial = 0; trial < 300; trial++) {
        made m = random_made(&r);
        double v[N], witness[MOST];
        for (int i = 0; i < N; i++) {
            v[i] = rng_normal(&r);
        }
        for (size_t j = 0; j < m.contacts; j++) {
            const double *t = m.t + j * m.tangents * N;
            double slip = m.tangents == 1 ? fabs(dot(t, v)) : hypot(dot(t, v), dot(t + N, v));
            double wanted = 1.05 * m.mu[j] * slip + rng_uniform(&r, 0.1, 1);
            double part = (wanted - dot(m.w + j * N, v)) / dot(v, v);
            for (int i = 0; i < N; i++) {
                m.w[j * N + (size_t)i] += part * v[i];
            }
        }
        crm_model *model = model_of(&m);
        assert_int_equal(found(model, witness), CRM_COULOMB_WEDGING_IMPOSSIBLE);
        assert_opens(model, witness);
        crm_model_free(model);
    }
}

/* The last normal balances random impulses, of which the tangential ones are well within the cones.
 */
static void what_is_balanced_wedges(void **state)
{
    (void)state;
    rng r = rng_seeded(387);
    for (int trial = 0; trial < 300; trial++) {
        made m = random_made(&r);
        size_t last = m.contacts - 1;
        double sum[N] = {0}, witness[MOST];
        for (size_t j = 0; j <= last; j++) {
            double p = j < last ? rng_uniform(&r, 0.1, 1) : 1, q[2], turn = rng_uniform(&r, 0, 6);
            double size = 0.9 * m.mu[j] * p * rng_uniform(&r, 0, 1);
            q[0] = m.tangents == 1 ? size : size * cos(turn);
            q[1] = size * sin(turn);
            for (size_t i = 0; i < N; i++) {
                sum[i] += j < last ? p * m.w[j * N + i] : 0;
                for (unsigned k = 0; k < m.tangents; k++) {
                    sum[i] += q[k] * m.t[(j * m.tangents + k) * N + i];
                }
            }
        }
        for (size_t i = 0; i < N; i++) {
            m.w[last * N + i] = -sum[i];
        }
        crm_model *model = model_of(&m);
        assert_int_equal(found(model, witness), CRM_COULOMB_WEDGING_POSSIBLE);
        crm_model_free(model);
    }
}

/* ---- Critical friction, rank of T ------------------------------------------------------------ */

/* A rod at tan 2 on a floor: a = 1.6, b = -1.2, jams from 4/3 on; both corners of a block slide along
 * the same floor.
 */
static void critical_friction_and_rank(void **state)
{
    (void)state;
    const double mass[] = {1, 1, 1.0 / 3, 1, 1, 1.0 / 3}, s = 1 / sqrt(5);
    const double w[] = {0, 1, -s, 0, 0, 0, 0, 0, 0, 0, 1, 0};
    const double t[] = {1, 0, 2 * s, 0, 0, 0, 0, 0, 0, 1, 0, 0};
    const double mu[] = {1, 1};
    crm_system_def def = crm_system_def_default();
    def.coordinates = 6;
    def.contacts = 2;
    def.mass_diagonal = mass;
    def.w_dense = w;
    def.friction = mu;
    def.tangents = 1;
    def.t_dense = t;
    crm_model *model = NULL;
    size_t rank = 0;
    assert_int_equal(crm_model_from_system(&def, &model, NULL), CRM_OK);
    assert_near(crm_model_critical_friction(model, 0), 4.0 / 3, 1e-14);
    assert_true(isinf(crm_model_critical_friction(model, 1)));
    assert_int_equal(crm_model_tangent_rank(model, &rank, NULL), CRM_OK);
    assert_int_equal(rank, 2);
    crm_model_free(model);
    const double same[] = {1, 0, 2 * s, 0, 0, 0, -1, 0, -2 * s, 0, 0, 0};
    def.t_dense = same;
    assert_int_equal(crm_model_from_system(&def, &model, NULL), CRM_OK);
    assert_int_equal(crm_model_tangent_rank(model, &rank, NULL), CRM_OK);
    assert_int_equal(rank, 1);
    crm_model_free(model);
    def.friction = NULL;
    assert_int_equal(crm_model_from_system(&def, &model, NULL), CRM_OK);
    assert_int_equal(crm_model_tangent_rank(model, &rank, NULL), CRM_OK);
    assert_int_equal(rank, 0);
    assert_true(isnan(crm_model_critical_friction(model, 0)));
    crm_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_groove_wedges_from_its_angle_on),
        cmocka_unit_test(floors_and_plates),
        cmocka_unit_test(what_opens_does_not_wedge),
        cmocka_unit_test(what_is_balanced_wedges),
        cmocka_unit_test(critical_friction_and_rank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
