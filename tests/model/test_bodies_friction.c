/* Friction of bodies: tangents and D worked out by hand, the relative velocity of the points where
 * random bodies touch, momentum, spins, materials, packings, and what is refused.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support.h"

static const double ROUNDING = 1e-13;
/* Bodies touch up to 1e-9 of their size, and ellipses are solved for. */
static const double TOUCHING = 1e-8;
enum { MOST = 64 };

/* ---- Making bodies --------------------------------------------------------------------------- */

static crm_body_def body_of(crm_shape shape, double mass, double x, double y, double z)
{
    crm_body_def body = crm_body_def_default();
    body.shape = shape;
    body.mass = mass;
    body.position[0] = x;
    body.position[1] = y;
    body.position[2] = z;
    return body;
}

static crm_body_def sphere(double radius, double x, double y, double z)
{
    crm_body_def body = body_of(CRM_SHAPE_SPHERE, 1, x, y, z);
    body.radius = radius;
    return body;
}

static crm_wall_def wall_of(double x, double y, double z)
{
    crm_wall_def wall = crm_wall_def_default();
    wall.normal[0] = x;
    wall.normal[1] = y;
    wall.normal[2] = z;
    return wall;
}

static crm_bodies_def rough_def(unsigned dimension, const crm_body_def *bodies, size_t count)
{
    crm_bodies_def def = bodies_def(dimension, bodies, count);
    def.contact.friction = 0.3;
    return def;
}

static crm_model *model_of(const crm_bodies_def *def)
{
    crm_model *model = NULL;
    crm_error error = {0};
    assert_ok(crm_model_from_bodies(def, &model, &error), &error);
    return model;
}

static void refused(const crm_bodies_def *def, const char *place, const char *message)
{
    crm_model *model = NULL;
    crm_error error = {0};
    assert_int_not_equal(crm_model_from_bodies(def, &model, &error), CRM_OK);
    assert_null(model);
    assert_string_equal(error.place, place);
    assert_non_null(strstr(error.message, message));
}

/* ---- Columns and products -------------------------------------------------------------------- */

static void add_column(size_t count, const uint32_t *row, const double *value, double factor,
                       double *sum)
{
    for (size_t k = 0; k < count; k++) {
        sum[row[k]] += factor * value[k];
    }
}

/* Direction 0 of a contact is its normal, the others are its tangents. */
static void direction(const crm_model *model, size_t contact, unsigned which, double *column)
{
    size_t count;
    const uint32_t *row;
    const double *value;
    if (which == 0) {
        crm_model_gradient(model, contact, &count, &row, &value);
    } else {
        crm_model_tangent(model, contact, which - 1, &count, &row, &value);
    }
    memset(column, 0, crm_model_coordinates(model) * sizeof *column);
    add_column(count, row, value, 1, column);
}

/* a'M^-1 b, of a diagonal M. */
static double product(const crm_model *model, const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = 0; i < crm_model_coordinates(model); i++) {
        sum += a[i] * b[i] / crm_model_mass(model, i, i);
    }
    return sum;
}

static double delassus(const crm_model *model, size_t i, unsigned of_i, size_t j, unsigned of_j)
{
    double a[MOST], b[MOST];
    direction(model, i, of_i, a);
    direction(model, j, of_j, b);
    return product(model, a, b);
}

static void assert_direction(const crm_model *model, size_t contact, unsigned which,
                             const double *want)
{
    double column[MOST];
    direction(model, contact, which, column);
    for (size_t i = 0; i < crm_model_coordinates(model); i++) {
        assert_near(column[i], want[i], ROUNDING);
    }
}

/* ---- By hand --------------------------------------------------------------------------------- */

/* Its lower corners are at (-1, -H) and (1, -H): the gap opens with v_y -+ omega, and with the
 * tangent (1, 0), the normal into the floor turned by +90 degrees, the floor slips with
 * -(v_x + H omega). D by hand, J = (1 + H^2)/3.
 */
static void block_of(double height)
{
    crm_body_def block = body_of(CRM_SHAPE_BOX, 1, 0, height, 0);
    block.size[0] = 2;
    block.size[1] = 2 * height;
    crm_wall_def floor = wall_of(0, 1, 0);
    crm_bodies_def def = rough_def(2, &block, 1);
    def.walls = &floor;
    def.wall_count = 1;
    crm_model *model = model_of(&def);
    double inertia = (1 + height * height) / 3;
    assert_int_equal(crm_model_contacts(model), 2);
    assert_int_equal(crm_model_tangents(model), 1);
    for (size_t j = 0; j < 2; j++) {
        double w[3];
        direction(model, j, 0, w);
        double side = w[2]; /* -1 of the left corner, 1 of the right one */
        assert_near(fabs(side), 1, ROUNDING);
        assert_direction(model, j, 0, (double[]){0, 1, side});
        assert_direction(model, j, 1, (double[]){-1, 0, -height});
        assert_near(delassus(model, j, 0, j, 0), 1 + 1 / inertia, ROUNDING);
        assert_near(delassus(model, j, 0, j, 1), -side * height / inertia, ROUNDING);
        assert_near(delassus(model, j, 1, 1 - j, 1), 1 + height * height / inertia, ROUNDING);
        assert_near(crm_model_friction(model)[j], 0.3, 0);
    }
    crm_model_free(model);
}

static void a_block_has_the_directions_of_its_corners(void **state)
{
    (void)state;
    block_of(2);
    block_of(1);
    block_of(0.5);
}

/* Discs of radius 1 and J = 1/2 (Bernoulli): n at an angle, t = n turned by +90 degrees, u_t =
 * t.(v_2 - v_1) - (omega_1 + omega_2), D_tt = 2 + 4 of one contact, and of the two of disc 1
 * t_a.t_b + 2.
 */
static void bernoullis_discs(void **state)
{
    (void)state;
    const double s = 0.5 * sqrt(3);
    crm_body_def discs[] = {sphere(1, 0, 0, 0), sphere(1, 2 * s, 1, 0), sphere(1, 2 * s, -1, 0)};
    crm_bodies_def def = rough_def(2, discs, 3);
    crm_model *model = model_of(&def);
    assert_int_equal(crm_model_contacts(model), 3);
    assert_int_equal(crm_model_coordinates(model), 9);
    assert_direction(model, 0, 1, (double[]){0.5, -s, -1, -0.5, s, -1, 0, 0, 0});
    assert_direction(model, 1, 1, (double[]){-0.5, -s, -1, 0, 0, 0, 0.5, s, -1});
    assert_direction(model, 2, 1, (double[]){0, 0, 0, -1, 0, -1, 1, 0, -1});
    for (size_t i = 0; i < 9; i++) {
        assert_near(crm_model_mass(model, i, i), i % 3 == 2 ? 0.5 : 1, ROUNDING);
        assert_int_equal(crm_model_is_angle(model, i), i % 3 == 2);
    }
    assert_near(delassus(model, 0, 1, 0, 1), 6, ROUNDING);
    assert_near(delassus(model, 0, 0, 0, 1), 0, ROUNDING);
    assert_near(delassus(model, 0, 1, 1, 1), 0.5 + 2, ROUNDING);
    crm_model_free(model);
}

/* A solid sphere on three supports (one of 120 degrees apart): D_tt = (1 + 5/2) I of each contact, D_nt = 0, and
 * of two contacts t_a.t_b + 5/2 (n_a x t_a).(n_b x t_b).
 */
static void a_sphere_on_three_supports(void **state)
{
    (void)state;
    crm_body_def ball = sphere(1, 0, 0, 0);
    crm_wall_def walls[3];
    const double third = 2 * 3.14159265358979323846 / 3;
    for (int k = 0; k < 3; k++) {
        walls[k] = wall_of(-0.5 * cos(k * third), -0.5 * sin(k * third), 0.5 * sqrt(3));
        for (int d = 0; d < 3; d++) {
            walls[k].point[d] = -walls[k].normal[d];
        }
    }
    crm_bodies_def def = rough_def(3, &ball, 1);
    def.walls = walls;
    def.wall_count = 3;
    crm_model *model = model_of(&def);
    assert_int_equal(crm_model_contacts(model), 3);
    assert_int_equal(crm_model_coordinates(model), 6);
    for (size_t i = 0; i < 6; i++) {
        assert_near(crm_model_mass(model, i, i), i < 3 ? 1 : 0.4, ROUNDING);
    }
    for (size_t j = 0; j < 3; j++) {
        for (unsigned k = 1; k <= 2; k++) {
            assert_near(delassus(model, j, k, j, k), 3.5, ROUNDING);
            assert_near(delassus(model, j, 0, j, k), 0, ROUNDING);
        }
        assert_near(delassus(model, j, 1, j, 2), 0, ROUNDING);
    }
    /* At the first, n = (1, 0, -sqrt(3))/2 into the wall; y is farthest from it, and n x y. */
    assert_direction(model, 0, 1, (double[]){0, -1, 0, -0.5 * sqrt(3), 0, -0.5});
    assert_direction(model, 0, 2, (double[]){-0.5 * sqrt(3), 0, -0.5, 0, 1, 0});
    crm_model_free(model);
}

static void a_given_inertia_is_taken(void **state)
{
    (void)state;
    crm_body_def balls[] = {sphere(1, 0, 0, 0), sphere(1, 2, 0, 0)};
    balls[0].inertia = 0.25;
    crm_bodies_def def = rough_def(3, balls, 2);
    crm_model *model = model_of(&def);
    assert_near(crm_model_mass(model, 4, 4), 0.25, 0);
    assert_near(crm_model_mass(model, 9, 9), 0.4, ROUNDING);
    crm_model_free(model);
    balls[0].inertia = -1;
    refused(&def, "bodies[1].inertia", "inertia is -1");
}

/* ---- Random bodies, by the velocities of the points that touch ------------------------------- */

static void cross(const double a[3], const double b[3], double c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void normalize(double a[3])
{
    double length = sqrt(dot(a, a));
    for (int d = 0; d < 3; d++) {
        a[d] /= length;
    }
}

/* The axes of a body, of its orientation in space or its angle in the plane. */
static void axes_of(const crm_body_def *body, unsigned dimension, double axis[3][3])
{
    memset(axis, 0, 9 * sizeof(double));
    const double *q = body->orientation;
    if (dimension == 2) {
        axis[0][0] = axis[1][1] = cos(body->angle);
        axis[0][1] = sin(body->angle);
        axis[1][0] = -sin(body->angle);
        axis[2][2] = 1;
        return;
    }
    for (int k = 0; k < 3; k++) { /* e + 2 w (v x e) + 2 v x (v x e) */
        double e[3] = {k == 0, k == 1, k == 2}, once[3], twice[3];
        cross(q + 1, e, once);
        cross(q + 1, once, twice);
        for (int d = 0; d < 3; d++) {
            axis[k][d] = e[d] + 2 * q[0] * once[d] + 2 * twice[d];
        }
    }
}

/* The boundary point of a curved body with the outward normal n, from its centre. */
static void boundary(const crm_body_def *body, unsigned dimension, const double n[3], double p[3])
{
    double axis[3][3], square = 0, along[3];
    axes_of(body, dimension, axis);
    memset(p, 0, 3 * sizeof *p);
    for (unsigned k = 0; k < dimension; k++) {
        double a = body->shape == CRM_SHAPE_SPHERE ? body->radius : body->semi_axes[k];
        along[k] = a * a * dot(axis[k], n);
        square += along[k] * dot(axis[k], n);
    }
    for (unsigned k = 0; k < dimension; k++) {
        for (int d = 0; d < 3; d++) {
            p[d] += along[k] / sqrt(square) * axis[k][d];
        }
    }
}

static void random_direction(rng *r, unsigned dimension, double n[3])
{
    n[2] = 0;
    for (unsigned d = 0; d < dimension; d++) {
        n[d] = rng_normal(r);
    }
    normalize(n);
}

static crm_body_def random_curved(rng *r, unsigned dimension)
{
    crm_body_def body = sphere(rng_log(r, 0.3, 3), 0, 0, 0);
    body.mass = rng_log(r, 0.1, 10);
    body.angle = rng_uniform(r, -3, 3);
    if (rng_below(r, 2) == 0) {
        body.shape = dimension == 2 ? CRM_SHAPE_ELLIPSE : CRM_SHAPE_ELLIPSOID;
        double length = 0;
        for (int k = 0; k < 4; k++) {
            body.orientation[k] = rng_normal(r);
            length += body.orientation[k] * body.orientation[k];
        }
        for (int k = 0; k < 4; k++) {
            body.orientation[k] /= sqrt(length);
        }
        for (int k = 0; k < 3; k++) {
            body.semi_axes[k] = rng_uniform(r, 0.5, 1.5);
        }
    }
    return body;
}

/* A side of a rod or box, and a point on it away from the corners. */
static crm_body_def random_flat(rng *r, double n[3], double p[3])
{
    crm_body_def body = body_of(CRM_SHAPE_ROD, rng_log(r, 0.1, 10), 0, 0, 0);
    body.angle = rng_uniform(r, -3, 3);
    body.length = rng_uniform(r, 2, 4);
    body.radius = rng_uniform(r, 0.1, 0.3);
    double half[2] = {0.5 * body.length, body.radius};
    int out = 1;
    if (rng_below(r, 2) == 0) {
        body.shape = CRM_SHAPE_BOX;
        for (int k = 0; k < 2; k++) {
            body.size[k] = rng_uniform(r, 2, 4);
            half[k] = 0.5 * body.size[k];
        }
        out = (int)rng_below(r, 2);
    }
    double axis[3][3], side = rng_below(r, 2) == 0 ? 1 : -1;
    double along = rng_uniform(r, -0.5, 0.5) * half[1 - out];
    axes_of(&body, 2, axis);
    for (int d = 0; d < 3; d++) {
        n[d] = side * axis[out][d];
        p[d] = side * half[out] * axis[out][d] + along * axis[1 - out][d];
    }
    return body;
}

/* Two bodies that touch at a known point. */
typedef struct touching {
    unsigned dimension;
    crm_body_def body[2];
    double n[3], arm[2][3];
} touching;

static touching random_touching(rng *r, unsigned dimension)
{
    touching t = {.dimension = dimension};
    if (dimension == 2 && rng_below(r, 2) == 0) {
        t.body[0] = random_flat(r, t.n, t.arm[0]);
    } else {
        t.body[0] = random_curved(r, dimension);
        random_direction(r, dimension, t.n);
        boundary(&t.body[0], dimension, t.n, t.arm[0]);
    }
    t.body[1] = random_curved(r, dimension);
    const double back[3] = {-t.n[0], -t.n[1], -t.n[2]};
    boundary(&t.body[1], dimension, back, t.arm[1]);
    for (unsigned d = 0; d < dimension; d++) {
        t.body[0].position[d] = rng_uniform(r, -5, 5);
        t.body[1].position[d] = t.body[0].position[d] + t.arm[0][d] - t.arm[1][d];
    }
    return t;
}

/* The velocity of the point that touches: v + omega x r, of an ellipsoid by its own axes. */
static void point_velocity(const touching *t, int which, const double *v, double u[3])
{
    unsigned d = t->dimension;
    double spin[3] = {0}, axis[3][3], turning[3];
    axes_of(&t->body[which], d, axis);
    for (unsigned k = 0; k < 3 && d == 3; k++) {
        for (int i = 0; i < 3; i++) {
            bool own = t->body[which].shape == CRM_SHAPE_ELLIPSOID;
            spin[i] += v[3 + k] * (own ? axis[k][i] : (double)(i == (int)k));
        }
    }
    spin[2] = d == 2 ? v[2] : spin[2];
    cross(spin, t->arm[which], turning);
    for (unsigned i = 0; i < 3; i++) {
        u[i] = (i < d ? v[i] : 0) + turning[i];
    }
}

static void tangents_of(const touching *t, double tangent[2][3])
{
    const double *n = t->n;
    memset(tangent, 0, 6 * sizeof(double));
    if (t->dimension == 2) {
        tangent[0][0] = -n[1];
        tangent[0][1] = n[0];
        return;
    }
    int far = 0;
    for (int k = 1; k < 3; k++) {
        far = fabs(n[k]) < fabs(n[far]) ? k : far;
    }
    for (int d = 0; d < 3; d++) {
        tangent[0][d] = (d == far) - n[far] * n[d];
    }
    normalize(tangent[0]);
    cross(n, tangent[0], tangent[1]);
}

static void assert_slip(const touching *t, rng *r)
{
    crm_bodies_def def = rough_def(t->dimension, t->body, 2);
    crm_model *model = model_of(&def);
    size_t each = t->dimension == 2 ? 3 : 6;
    double v[12], u[2], apart[3], tangent[2][3], first[3], second[3];
    assert_int_equal(crm_model_coordinates(model), 2 * each);
    assert_int_equal(crm_model_contacts(model), 1);
    for (size_t i = 0; i < 2 * each; i++) {
        v[i] = rng_normal(r);
    }
    point_velocity(t, 0, v, first);
    point_velocity(t, 1, v + each, second);
    for (int d = 0; d < 3; d++) {
        apart[d] = second[d] - first[d];
    }
    tangents_of(t, tangent);
    crm_model_slip_velocity(model, v, u);
    for (unsigned k = 0; k < t->dimension - 1; k++) {
        assert_near(u[k], dot(tangent[k], apart), 100 * TOUCHING);
    }
    crm_model_gap_velocity(model, v, u);
    assert_near(u[0], dot(t->n, apart), 100 * TOUCHING);
    crm_model_free(model);
}

static void slip_is_the_relative_velocity_of_the_points(void **state)
{
    (void)state;
    rng r = rng_seeded(381);
    for (int trial = 0; trial < 400; trial++) {
        touching t = random_touching(&r, trial % 2 == 0 ? 2 : 3);
        assert_slip(&t, &r);
    }
}

/* W p + T q of free bodies, for any p and q, has no momentum and no angular momentum. */
static void assert_balance(const touching *t, rng *r)
{
    crm_bodies_def def = rough_def(t->dimension, t->body, 2);
    crm_model *model = model_of(&def);
    size_t each = t->dimension == 2 ? 3 : 6;
    double sum[12] = {0}, column[12], linear[3] = {0}, angular[3] = {0};
    for (unsigned k = 0; k < t->dimension; k++) {
        double impulse = rng_normal(r);
        direction(model, 0, k, column);
        for (size_t i = 0; i < 2 * each; i++) {
            sum[i] += impulse * column[i];
        }
    }
    for (int b = 0; b < 2; b++) {
        double p[3] = {0}, own[3], axis[3][3], x[3] = {0};
        const double *part = sum + (size_t)b * each;
        axes_of(&t->body[b], t->dimension, axis);
        memcpy(p, part, t->dimension * sizeof *p);
        memcpy(x, t->body[b].position, t->dimension * sizeof *x);
        cross(x, p, own);
        for (int d = 0; d < 3; d++) {
            linear[d] += p[d];
            for (unsigned k = 0; k < 3 && t->dimension == 3; k++) {
                bool turned = t->body[b].shape == CRM_SHAPE_ELLIPSOID;
                own[d] += part[3 + k] * (turned ? axis[k][d] : (double)(d == (int)k));
            }
            angular[d] += own[d];
        }
        angular[2] += t->dimension == 2 ? part[2] : 0;
    }
    for (int d = 0; d < 3; d++) {
        assert_near(linear[d], 0, 100 * ROUNDING);
        assert_near(angular[d], 0, 100 * ROUNDING);
    }
    crm_model_free(model);
}

static void impulses_have_no_momentum(void **state)
{
    (void)state;
    rng r = rng_seeded(382);
    for (int trial = 0; trial < 400; trial++) {
        touching t = random_touching(&r, trial % 2 == 0 ? 2 : 3);
        assert_balance(&t, &r);
    }
}

/* Nor does it where bodies are apart, or overlap, within the tolerance. */
static void a_contact_is_one_point_for_both(void **state)
{
    (void)state;
    crm_body_def discs[] = {sphere(1, 0, 0, 0), sphere(2, 3.001, 0, 0)};
    crm_bodies_def def = rough_def(2, discs, 2);
    def.tolerance = 1e-2;
    crm_model *model = model_of(&def);
    double column[6];
    direction(model, 0, 1, column);
    assert_near(column[2] + column[5] + 3.001 * column[4], 0, ROUNDING);
    assert_near(column[2], -1.0005, ROUNDING);
    crm_model_free(model);
}

/* ---- When there are spins -------------------------------------------------------------------- */

static void spheres_turn_only_with_friction(void **state)
{
    (void)state;
    crm_body_def discs[] = {sphere(1, 0, 0, 0), sphere(1, 2, 0, 0), sphere(1, 4, 0, 0)};
    crm_pair_def pair = {.first = 0, .second = 1, .contact = crm_contact_def_default()};
    crm_bodies_def def = bodies_def(2, discs, 3);
    def.pairs = &pair;
    def.pair_count = 1;
    const double all[] = {NAN, 0, 0.5, 0, NAN}, own[] = {NAN, NAN, NAN, 0.5, 0};
    const size_t want[] = {6, 6, 9, 9, 6};
    for (int k = 0; k < 5; k++) {
        def.contact.friction = all[k];
        pair.contact.friction = own[k];
        crm_model *model = model_of(&def);
        assert_int_equal(crm_model_coordinates(model), want[k]);
        assert_int_equal(crm_model_tangents(model), want[k] == 9);
        assert_int_equal(crm_model_friction(model) != NULL, want[k] == 9);
        crm_model_free(model);
    }
    def.contact.friction = 0;
    pair.contact.friction = 0.5;
    crm_model *model = model_of(&def);
    assert_near(crm_model_friction(model)[0], 0.5, 0);
    assert_near(crm_model_friction(model)[1], 0, 0);
    crm_model_free(model);
}

/* What is along the normal stays, bit by bit. */
static void friction_leaves_normals_alone(void **state)
{
    (void)state;
    rng r = rng_seeded(384);
    for (int trial = 0; trial < 50; trial++) {
        touching t = random_touching(&r, 2);
        crm_bodies_def def = bodies_def(2, t.body, 2);
        crm_model *smooth = model_of(&def);
        def.contact.friction = 1;
        crm_model *rough = model_of(&def);
        double d[] = {crm_model_delassus(smooth, 0, 0), crm_model_delassus(rough, 0, 0)};
        assert_memory_equal(&d[0], &d[1], sizeof d[0]);
        crm_model_free(smooth);
        crm_model_free(rough);
    }
}

static void walls_move_along_themselves(void **state)
{
    (void)state;
    crm_body_def ball = sphere(2, 0, 0, 2);
    crm_wall_def belt = wall_of(0, 0, 5);
    belt.velocity[0] = 3;
    belt.velocity[1] = -4;
    belt.velocity[2] = 0.5;
    crm_bodies_def def = rough_def(3, &ball, 1);
    def.walls = &belt;
    def.wall_count = 1;
    crm_model *model = model_of(&def);
    double v[6] = {0}, u[2], gap;
    crm_model_gap_velocity(model, v, &gap);
    assert_near(gap, -0.5, ROUNDING);
    crm_model_slip_velocity(model, v, u); /* along y, and n x y = (0, 0, -1) x y = x */
    assert_near(u[0], -4, ROUNDING);
    assert_near(u[1], 3, ROUNDING);
    v[0] = 3;
    v[4] = -2; /* rolling: at the lowest point (0, 0, -2) the spin (0, -2, 0) gives x = 4 */
    crm_model_slip_velocity(model, v, u);
    assert_near(u[1], 3 - 3 - 4, ROUNDING);
    crm_model_free(model);
}

/* ---- Materials ------------------------------------------------------------------------------- */

static void materials_have_friction_in_pairs(void **state)
{
    (void)state;
    const crm_material a = {0, 0, 1}, b = {0, 0, 1};
    crm_body_def discs[] = {sphere(1, 0, 0, 0), sphere(1, 2, 0, 0), sphere(1, 4, 0, 0)};
    discs[0].material = discs[1].material = &a;
    discs[2].material = &b;
    const crm_material_friction frictions[] = {{&a, &a, 0.1}, {&b, &a, 0.2}};
    crm_bodies_def def = bodies_def(2, discs, 3);
    def.material_friction = frictions;
    def.material_friction_count = 2;
    crm_model *model = model_of(&def);
    assert_near(crm_model_friction(model)[0], 0.1, 0);
    assert_near(crm_model_friction(model)[1], 0.2, 0);
    crm_model_free(model);
    def.contact.friction = 0.7; /* a number for all is what it says */
    model = model_of(&def);
    assert_near(crm_model_friction(model)[0], 0.7, 0);
    crm_model_free(model);
    def.contact.friction = NAN;
    def.material_friction_count = 1;
    model = model_of(&def);
    assert_near(crm_model_friction(model)[1], 0, 0);
    crm_model_free(model);
    def.friction_of_materials = true;
    refused(&def, "contacts.friction", "the friction of body 2 on body 3 is not known");
}

static void named_materials_have_friction(void **state)
{
    (void)state;
    assert_true(crm_material_friction_count() > 0);
    assert_null(crm_material_friction_at(crm_material_friction_count()));
    for (size_t i = 0; i < crm_material_friction_count(); i++) {
        const crm_named_friction *f = crm_material_friction_at(i);
        assert_non_null(crm_material_find(f->first));
        assert_non_null(crm_material_find(f->second));
        assert_true(f->friction > 0 && f->friction < 2);
        assert_ptr_equal(crm_material_friction_find(f->second, f->first), f);
    }
    assert_null(crm_material_friction_find("steel", "cheese"));
    assert_null(crm_material_friction_find(NULL, "steel"));
}

/* ---- Packings -------------------------------------------------------------------------------- */

/* The balls of a hexagonal packing of two rows, three and two, in a box, and one on top. */
static crm_model *same_bodies(void)
{
    const double h = sqrt(3);
    crm_body_def balls[] = {sphere(1, 0, 0, 0), sphere(1, 2, 0, 0), sphere(1, 4, 0, 0),
                            sphere(1, 1, h, 0), sphere(1, 3, h, 0), sphere(1, 2, 2 * h, 0)};
    crm_wall_def walls[] = {wall_of(0, 1, 0), wall_of(1, 0, 0), wall_of(-1, 0, 0)};
    walls[0].point[1] = -1;
    walls[1].point[0] = -1;
    walls[2].point[0] = 5;
    crm_bodies_def def = rough_def(2, balls, 6);
    def.walls = walls;
    def.wall_count = 3;
    return model_of(&def);
}

static void a_packing_has_the_tangents_of_its_balls(void **state)
{
    (void)state;
    crm_packing_def def = crm_packing_def_default();
    crm_projectile_def top = crm_projectile_def_default();
    crm_model *packing = NULL, *bodies = same_bodies();
    crm_error error = {0};
    def.columns = 3;
    def.rows = 2;
    def.radius = 1;
    def.friction.all = 0.3;
    def.walls = CRM_PACKING_BOX;
    def.projectile = &top;
    assert_ok(crm_model_from_packing(&def, &packing, &error), &error);
    size_t n = crm_model_coordinates(bodies), s = crm_model_contacts(bodies);
    assert_int_equal(crm_model_coordinates(packing), n);
    assert_int_equal(crm_model_contacts(packing), s);
    rng r = rng_seeded(385);
    double v[MOST], one[MOST], other[MOST];
    for (size_t i = 0; i < n; i++) {
        v[i] = rng_normal(&r);
        assert_near(crm_model_mass(packing, i, i), crm_model_mass(bodies, i, i), ROUNDING);
        assert_int_equal(crm_model_is_angle(packing, i), crm_model_is_angle(bodies, i));
    }
    crm_model_slip_velocity(packing, v, one);
    crm_model_slip_velocity(bodies, v, other);
    for (size_t j = 0; j < s; j++) {
        assert_int_equal(crm_model_party(packing, j, 0), crm_model_party(bodies, j, 0));
        assert_int_equal(crm_model_party(packing, j, 1), crm_model_party(bodies, j, 1));
        assert_near(one[j], other[j], 10 * TOUCHING);
        assert_near(crm_model_friction(packing)[j], 0.3, 0);
    }
    crm_model_free(packing);
    crm_model_free(bodies);
}

/* In space, by rolling: every ball of a layer turns about y, and slips on the floor with R omega.
 */
static void a_packing_in_space_turns(void **state)
{
    (void)state;
    crm_packing_def def = crm_packing_def_default();
    crm_model *model = NULL;
    crm_error error = {0};
    def.lattice = CRM_LATTICE_CUBIC;
    def.columns = def.rows = 2;
    def.layers = 1;
    def.radius = 0.5;
    def.walls = CRM_PACKING_FLOOR;
    def.wall.friction = 0.2;
    assert_ok(crm_model_from_packing(&def, &model, &error), &error);
    assert_int_equal(crm_model_coordinates(model), 4 * 6);
    assert_int_equal(crm_model_tangents(model), 2);
    double v[24] = {0}, u[16];
    for (size_t i = 0; i < 4; i++) {
        v[6 * i + 4] = 2; /* omega y: (0, 0, -1/2) moves with (0, 2, 0) x it = (-1, 0, 0) */
        assert_near(crm_model_mass(model, 6 * i + 4, 6 * i + 4), 0.4 * 0.25, ROUNDING);
    }
    crm_model_slip_velocity(model, v, u);
    for (size_t j = 4; j < 8; j++) {
        assert_near(crm_model_friction(model)[j], 0.2, 0);
        assert_near(u[2 * j], 0, ROUNDING);     /* y */
        assert_near(u[2 * j + 1], 1, ROUNDING); /* x, of the floor relative to the ball */
    }
    crm_model_free(model);
    def.radius = NAN;
    assert_int_equal(crm_model_from_packing(&def, &model, &error), CRM_ERROR_MODEL);
    assert_string_equal(error.place, "radius");
}

/* ---- What is refused ------------------------------------------------------------------------- */

static void what_is_refused(void **state)
{
    (void)state;
    crm_body_def beads[] = {sphere(1, 0, 0, 0), sphere(1, 2, 0, 0)};
    crm_bodies_def def = rough_def(1, beads, 2);
    refused(&def, "contacts.friction", "there is no friction on a line");
    def = rough_def(2, beads, 2);
    def.contact.friction = -0.1;
    refused(&def, "contacts.friction", "friction is -0.1, must be between 0 and 1e6");
    crm_pair_def pair = {.first = 0, .second = 1, .contact = crm_contact_def_default()};
    pair.contact.friction = 2e6;
    def = bodies_def(2, beads, 2);
    def.pairs = &pair;
    def.pair_count = 1;
    refused(&def, "pairs[1].friction", "must be between 0 and 1e6");
    pair.contact.friction = 1;
    def.dimension = 1;
    refused(&def, "pairs[1].friction", "there is no friction on a line");

    crm_chain_def chain = crm_chain_def_default();
    crm_model *model = NULL;
    crm_error error = {0};
    chain.count = 2;
    chain.wall_side = CRM_WALL_RIGHT;
    chain.wall.friction = 0.1;
    assert_int_equal(crm_model_from_chain(&chain, &model, &error), CRM_ERROR_MODEL);
    assert_string_equal(error.place, "wall.friction");
    assert_non_null(strstr(error.message, "bodies in the plane"));
}

static void motions_refuse_friction(void **state)
{
    (void)state;
    crm_body_def discs[] = {sphere(1, 0, 0, 0), sphere(1, 3, 0, 0)};
    crm_scene_def scene = crm_scene_def_default();
    scene.bodies = rough_def(2, discs, 2);
    crm_motion_options options = crm_motion_options_default();
    crm_motion *motion = NULL;
    crm_error error = {0};
    const crm_motion_scheme schemes[] = {CRM_EVENT_DRIVEN, CRM_TIME_STEPPING};
    for (int k = 0; k < 2; k++) {
        options.scheme = schemes[k];
        assert_int_equal(crm_motion_from_scene(&scene, &options, &motion, &error), CRM_ERROR_MODEL);
        assert_string_equal(error.place, "contacts.friction");
        assert_non_null(strstr(error.message, "without friction so far"));
    }
}

static void the_admissible_set_is_without_friction(void **state)
{
    (void)state;
    const double v[6] = {1};
    crm_body_def discs[] = {sphere(1, 0, 0, 0), sphere(1, 2, 0, 0)};
    crm_bodies_def def = rough_def(2, discs, 2);
    crm_model *model = model_of(&def);
    crm_admissible_def wanted = crm_admissible_def_default();
    crm_admissible *set = NULL;
    crm_error error = {0};
    wanted.model = model;
    wanted.velocity = v;
    assert_int_equal(crm_admissible_create(&wanted, &set, &error), CRM_ERROR_MODEL);
    assert_string_equal(error.place, "contacts.friction");
    crm_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_has_the_directions_of_its_corners),
        cmocka_unit_test(bernoullis_discs),
        cmocka_unit_test(a_sphere_on_three_supports),
        cmocka_unit_test(a_given_inertia_is_taken),
        cmocka_unit_test(slip_is_the_relative_velocity_of_the_points),
        cmocka_unit_test(impulses_have_no_momentum),
        cmocka_unit_test(a_contact_is_one_point_for_both),
        cmocka_unit_test(spheres_turn_only_with_friction),
        cmocka_unit_test(friction_leaves_normals_alone),
        cmocka_unit_test(walls_move_along_themselves),
        cmocka_unit_test(materials_have_friction_in_pairs),
        cmocka_unit_test(named_materials_have_friction),
        cmocka_unit_test(a_packing_has_the_tangents_of_its_balls),
        cmocka_unit_test(a_packing_in_space_turns),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(motions_refuse_friction),
        cmocka_unit_test(the_admissible_set_is_without_friction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
