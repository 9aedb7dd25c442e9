/* The judges of impacts with friction, beside each other, closed forms and printed values: those of
 * the tables were computed by two integrators of another author, to eight digits.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "friction_closed.h"
#include "friction_judge.h"
#include "friction_named.h"
#include "friction_proximal.h"
#include "friction_random.h"

/* What is printed to eight digits, the last of them off by one here and there. */
static const double PRINTED = 1.6e-8;

static void close_to(double value, double printed)
{
    if (!(fabs(value - printed) <= PRINTED)) {
        fail_msg("%.10f where %.8f is printed", value, printed);
    }
}

static void all_close_to(const double *value, const double *printed, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        close_to(value[i], printed[i]);
    }
}

static double sum_of(const double *numbers, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += numbers[i];
    }
    return sum;
}

/* What holds whatever the impact: the account, L_t >= 0, the cones, nothing closes at the end. */
static void assert_lawful(const friction_case *c, const friction_answer *answer)
{
    long double u[FRICTION_ROWS];
    friction_slip(c, answer->velocity, u);
    assert_true(fabs(answer->account) < 1e-13);
    for (size_t j = 0; j < c->s; j++) {
        const double *q = &answer->tangential[j * c->dim];
        double size = c->dim == 1 ? fabs(q[0]) : hypot(q[0], q[1]);
        assert_true(answer->loss_normal[j] >= -1e-15 && answer->loss_tangential[j] >= 0);
        assert_true(size <= c->friction[j] * answer->impulse[j] * (1 + 1e-9) + 1e-15);
        assert_true(answer->status != FRICTION_ENDED || u[j] > -2e-12 * friction_speed(c));
    }
}

/* An impact with the status that is expected, and lawful. */
static friction_answer judged(const friction_case *c, friction_status status)
{
    friction_answer answer;
    assert_true(friction_judge_solve(c, &answer));
    assert_int_equal(answer.status, status);
    assert_lawful(c, &answer);
    return answer;
}

/* ---- Printed values -------------------------------------------------------------------------- */

typedef struct block_row {
    double half_height, e, exponent, mu, velocity[3], impulse[2], q, loss_normal, loss_tangential;
} block_row;

static const block_row BLOCK[] = {
    {2,
     0,
     1,
     0,
     {2.00000000, 0.25000000, -0.25000000},
     {0.00000000, 1.25000000},
     0.00000000,
     1.25000000,
     0.00000000},
    {2,
     0,
     1.5,
     0,
     {2.00000000, 0.25000000, -0.25000000},
     {0.00000000, 1.25000000},
     0.00000000,
     1.25000000,
     0.00000000},
    {2,
     0,
     1,
     0.2,
     {1.70588235, 0.47058824, -0.47058824},
     {0.00000000, 1.47058824},
     -0.29411765,
     1.47058824,
     0.11245675},
    {2,
     0,
     1.5,
     0.2,
     {1.70588235, 0.47058824, -0.47058824},
     {0.00000000, 1.47058824},
     -0.29411765,
     1.47058824,
     0.11245675},
    {2,
     0,
     1,
     0.5,
     {1.40000000, 0.70000000, -0.70000000},
     {0.00000000, 1.70000000},
     -0.60000000,
     1.70000000,
     0.00000000},
    {2,
     0,
     1.5,
     0.5,
     {1.40000000, 0.70000000, -0.70000000},
     {0.00000000, 1.70000000},
     -0.60000000,
     1.70000000,
     0.00000000},
    {2,
     0,
     1,
     2,
     {1.40000000, 0.70000000, -0.70000000},
     {0.00000000, 1.70000000},
     -0.60000000,
     1.70000000,
     0.00000000},
    {2,
     0,
     1.5,
     2,
     {1.40000000, 0.70000000, -0.70000000},
     {0.00000000, 1.70000000},
     -0.60000000,
     1.70000000,
     0.00000000},
    {2,
     0.5,
     1,
     0,
     {2.00000000, 0.87500000, 0.12500000},
     {0.00000000, 1.87500000},
     0.00000000,
     0.93750000,
     0.00000000},
    {2,
     0.5,
     1.5,
     0,
     {2.00000000, 0.87500000, 0.12500000},
     {0.00000000, 1.87500000},
     0.00000000,
     0.93750000,
     0.00000000},
    {2,
     0.5,
     1,
     0.2,
     {1.55882353, 1.20588235, -0.20588235},
     {0.00000000, 2.20588235},
     -0.44117647,
     1.10294118,
     0.25302768},
    {2,
     0.5,
     1.5,
     0.2,
     {1.55882353, 1.20588235, -0.20588235},
     {0.00000000, 2.20588235},
     -0.44117647,
     1.10294118,
     0.25302768},
    {2,
     0.5,
     1,
     0.5,
     {1.10000000, 1.55000000, -0.55000000},
     {0.00000000, 2.55000000},
     -0.90000000,
     1.27500000,
     0.00000000},
    {2,
     0.5,
     1.5,
     0.5,
     {1.10000000, 1.55000000, -0.55000000},
     {0.00000000, 2.55000000},
     -0.90000000,
     1.27500000,
     0.00000000},
    {2,
     0.5,
     1,
     2,
     {1.10000000, 1.55000000, -0.55000000},
     {0.00000000, 2.55000000},
     -0.90000000,
     1.27500000,
     0.00000000},
    {2,
     0.5,
     1.5,
     2,
     {1.10000000, 1.55000000, -0.55000000},
     {0.00000000, 2.55000000},
     -0.90000000,
     1.27500000,
     0.00000000},
    {1,
     0,
     1,
     0,
     {1.00000000, 0.00000000, 0.00000000},
     {0.16666667, 0.83333333},
     0.00000000,
     0.83333333,
     0.00000000},
    {1,
     0,
     1.5,
     0,
     {1.00000000, 0.00000000, 0.00000000},
     {0.16666667, 0.83333333},
     0.00000000,
     0.83333333,
     0.00000000},
    {1,
     0,
     1,
     0.2,
     {0.80000000, 0.00000000, 0.00000000},
     {0.06666667, 0.93333333},
     -0.20000000,
     0.91837229,
     0.09496105},
    {1,
     0,
     1.5,
     0.2,
     {0.80000000, 0.00000000, 0.00000000},
     {0.06666667, 0.93333333},
     -0.20000000,
     0.91591619,
     0.09741714},
    {1,
     0,
     1,
     0.5,
     {0.42857143, 0.14285714, -0.14285714},
     {0.00000000, 1.14285714},
     -0.57142857,
     1.14285714,
     0.08163265},
    {1,
     0,
     1.5,
     0.5,
     {0.42857143, 0.14285714, -0.14285714},
     {0.00000000, 1.14285714},
     -0.57142857,
     1.14285714,
     0.08163265},
    {1,
     0,
     1,
     2,
     {0.25000000, 0.25000000, -0.25000000},
     {0.00000000, 1.25000000},
     -0.75000000,
     1.25000000,
     0.00000000},
    {1,
     0,
     1.5,
     2,
     {0.25000000, 0.25000000, -0.25000000},
     {0.00000000, 1.25000000},
     -0.75000000,
     1.25000000,
     0.00000000},
    {1,
     0.5,
     1,
     0,
     {1.00000000, 0.56298067, 0.29891490},
     {0.34851870, 1.21446197},
     0.00000000,
     0.64507634,
     0.00000000},
    {1,
     0.5,
     1.5,
     0,
     {1.00000000, 0.56130706, 0.26976485},
     {0.35739858, 1.20390848},
     0.00000000,
     0.65154283,
     0.00000000},
    {1,
     0.5,
     1,
     0.2,
     {0.69676679, 0.51616606, 0.40093311},
     {0.13948872, 1.37667734},
     -0.30323321,
     0.69191446,
     0.21188074},
    {1,
     0.5,
     1.5,
     0.2,
     {0.69776598, 0.51117012, 0.37823038},
     {0.14505792, 1.36611220},
     -0.30223402,
     0.69163084,
     0.21993030},
    {1,
     0.5,
     1,
     0.5,
     {0.14285714, 0.71428571, 0.28571429},
     {0.00000000, 1.71428571},
     -0.85714286,
     0.85714286,
     0.18367347},
    {1,
     0.5,
     1.5,
     0.5,
     {0.14285714, 0.71428571, 0.28571429},
     {0.00000000, 1.71428571},
     -0.85714286,
     0.85714286,
     0.18367347},
    {1,
     0.5,
     1,
     2,
     {-0.12500000, 0.87500000, 0.12500000},
     {0.00000000, 1.87500000},
     -1.12500000,
     0.93750000,
     0.00000000},
    {1,
     0.5,
     1.5,
     2,
     {-0.12500000, 0.87500000, 0.12500000},
     {0.00000000, 1.87500000},
     -1.12500000,
     0.93750000,
     0.00000000},
    {0.5,
     0,
     1,
     0,
     {0.50000000, 0.00000000, 0.00000000},
     {0.29166667, 0.70833333},
     0.00000000,
     0.70833334,
     0.00000000},
    {0.5,
     0,
     1.5,
     0,
     {0.50000000, 0.00000000, 0.00000000},
     {0.29166667, 0.70833333},
     0.00000000,
     0.70833334,
     0.00000000},
    {0.5,
     0,
     1,
     0.2,
     {0.30000000, 0.00000000, 0.00000000},
     {0.24166667, 0.75833333},
     -0.20000000,
     0.72966188,
     0.05867146},
    {0.5,
     0,
     1.5,
     0.2,
     {0.30000000, 0.00000000, 0.00000000},
     {0.24166667, 0.75833333},
     -0.20000000,
     0.72729566,
     0.06103767},
    {0.5,
     0,
     1,
     0.5,
     {0.00000000, 0.00000000, 0.00000000},
     {0.16666667, 0.83333333},
     -0.50000000,
     0.77862715,
     0.05470618},
    {0.5,
     0,
     1.5,
     0.5,
     {0.00000000, 0.00000000, 0.00000000},
     {0.16666667, 0.83333333},
     -0.50000000,
     0.77202326,
     0.06131008},
    {0.5,
     0,
     1,
     2,
     {0.00000000, 0.00000000, 0.00000000},
     {0.16666667, 0.83333333},
     -0.50000000,
     0.83333333,
     0.00000000},
    {0.5,
     0,
     1.5,
     2,
     {0.00000000, 0.00000000, 0.00000000},
     {0.16666667, 0.83333333},
     -0.50000000,
     0.83333333,
     0.00000000},
    {0.5,
     0.5,
     1,
     0,
     {0.50000000, 0.48136392, -0.08072782},
     {0.54916692, 0.93219700},
     0.00000000,
     0.59112002,
     0.00000000},
    {0.5,
     0.5,
     1.5,
     0,
     {0.50000000, 0.44825830, -0.15275887},
     {0.54762058, 0.90063772},
     0.00000000,
     0.60300407,
     0.00000000},
    {0.5,
     0.5,
     1,
     0.2,
     {0.20680546, 0.46597270, -0.02586782},
     {0.45674351, 1.00922919},
     -0.29319454,
     0.58709530,
     0.11614910},
    {0.5,
     0.5,
     1.5,
     0.2,
     {0.21476861, 0.42615696, -0.10798797},
     {0.45593479, 0.97022217},
     -0.28523139,
     0.59506968,
     0.12196655},
    {0.5,
     0.5,
     1,
     0.5,
     {-0.12996649, 0.47939743, 0.17214720},
     {0.33800976, 1.14138767},
     -0.62996648,
     0.60145298,
     0.10234987},
    {0.5,
     0.5,
     1.5,
     0.5,
     {-0.09431445, 0.43558346, 0.08984707},
     {0.34216164, 1.09342182},
     -0.59431445,
     0.60274104,
     0.12959643},
    {0.5,
     0.5,
     1,
     2,
     {-0.14945745, 0.56298067, 0.29891490},
     {0.34851870, 1.21446197},
     -0.64945744,
     0.64507634,
     0.00000000},
    {0.5,
     0.5,
     1.5,
     2,
     {-0.13488243, 0.56130706, 0.26976485},
     {0.35739858, 1.20390848},
     -0.63488242,
     0.65154283,
     0.00000000},
};

static void a_rocking_block(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof BLOCK / sizeof *BLOCK; i++) {
        const block_row *row = &BLOCK[i];
        friction_case c = friction_rocking_block(row->half_height,
                                                 (friction_law){row->exponent, row->e, row->mu});
        friction_answer answer = judged(&c, FRICTION_ENDED);
        all_close_to(answer.velocity, row->velocity, 3);
        all_close_to(answer.impulse, row->impulse, 2);
        close_to(sum_of(answer.tangential, 2), row->q);
        close_to(sum_of(answer.loss_normal, 2), row->loss_normal);
        close_to(sum_of(answer.loss_tangential, 2), row->loss_tangential);
    }
}

typedef struct line_row {
    double e, mu, velocity[9], impulse[2], tangential[2], loss_normal, loss_tangential;
} line_row;

static const line_row LINE[] = {
    {1,
     0,
     {-0.07095235, 0.30000000, 1.00000000, 0.07640304, 0.00000000, 0.00000000, 0.99454931,
      0.00000000, 0.00000000},
     {1.07095235, 0.99454931},
     {0.00000000, 0.00000000},
     0.00000000,
     0.00000000},
    {1,
     0.1,
     {-0.07095235, 0.19290476, 0.78580953, 0.07640304, 0.12494444, -0.17849206, 0.99454931,
      -0.01784921, 0.03569841},
     {1.07095235, 0.99454931},
     {0.10709524, -0.01784921},
     0.00000000,
     0.10577142},
    {1,
     0.3,
     {-0.07095235, 0.07714286, 0.55428571, 0.07640304, 0.26000000, -0.37142857, 0.99454931,
      -0.03714286, 0.07428571},
     {1.07095235, 0.99454931},
     {0.22285714, -0.03714286},
     0.00000000,
     0.14485714},
    {1,
     1,
     {-0.07095235, 0.07714286, 0.55428571, 0.07640304, 0.26000000, -0.37142857, 0.99454931,
      -0.03714286, 0.07428571},
     {1.07095235, 0.99454931},
     {0.22285714, -0.03714286},
     0.00000000,
     0.14485715},
    {0.8,
     0,
     {0.05175173, 0.30000000, 1.00000000, 0.13185807, 0.00000000, 0.00000000, 0.81639020,
      0.00000000, 0.00000000},
     {0.94824827, 0.81639020},
     {0.00000000, 0.00000000},
     0.15672113,
     0.00000000},
    {0.8,
     0.1,
     {0.05175173, 0.20517517, 0.81035035, 0.13185807, 0.11062896, -0.15804138, 0.81639020,
      -0.01580414, 0.03160828},
     {0.94824827, 0.81639020},
     {0.09482483, -0.01580414},
     0.15672113,
     0.09704635},
    {0.8,
     0.3,
     {0.05175173, 0.07714286, 0.55428571, 0.13185807, 0.26000000, -0.37142857, 0.81639020,
      -0.03714286, 0.07428571},
     {0.94824827, 0.81639020},
     {0.22285714, -0.03714286},
     0.15672113,
     0.14485714},
    {0.8,
     1,
     {0.05175173, 0.07714286, 0.55428571, 0.13185807, 0.26000000, -0.37142857, 0.81639020,
      -0.03714286, 0.07428571},
     {0.94824827, 0.81639020},
     {0.22285714, -0.03714286},
     0.15672113,
     0.14485715},
};

static void three_discs_in_a_line(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof LINE / sizeof *LINE; i++) {
        const line_row *row = &LINE[i];
        friction_case c = friction_disc_line((friction_law){1.5, row->e, row->mu});
        friction_answer answer = judged(&c, FRICTION_ENDED);
        all_close_to(answer.velocity, row->velocity, 9);
        all_close_to(answer.impulse, row->impulse, 2);
        all_close_to(answer.tangential, row->tangential, 2);
        close_to(sum_of(answer.loss_normal, 2), row->loss_normal);
        close_to(sum_of(answer.loss_tangential, 2), row->loss_tangential);
    }
}

typedef struct bernoulli_row {
    double e, mu, cue, x, y, spin, p, q, p23, loss_normal, loss_tangential;
} bernoulli_row;

static const bernoulli_row BERNOULLI[] = {
    {1, 0, -0.20000000, 0.60000000, 0.34641016, 0.00000000, 0.69282032, 0.00000000, 0.00000000,
     0.00000000, 0.00000000},
    {1, 0.1, -0.18647430, 0.59323715, 0.32567527, 0.02915103, 0.67659608, -0.01457552, 0.00000000,
     0.00000000, 0.02419408},
    {1, 0.5, -0.13023597, 0.56511799, 0.35133495, -0.04341199, 0.66507401, 0.02170600, 0.00000000,
     0.00000000, 0.04778242},
    {1, 0.8, -0.12351513, 0.56175756, 0.34842715, -0.04088958, 0.66046557, 0.02044479, 0.00048866,
     0.00000000, 0.05456298},
    {0.8, 0, -0.08000000, 0.54000000, 0.31176915, 0.00000000, 0.62353829, 0.00000000, 0.00000000,
     0.10800000, 0.00000000},
    {0.8, 0.1, -0.07359766, 0.53679883, 0.28510440, 0.04298352, 0.60743362, -0.02149176, 0.00000000,
     0.10438404, 0.02254636},
    {0.8, 0.5, -0.02918878, 0.51459439, 0.30271859, -0.00972959, 0.59701111, 0.00486480, 0.00000000,
     0.09529834, 0.04778242},
    {0.8, 0.8, -0.02380366, 0.51190183, 0.30042692, -0.00767540, 0.59330901, 0.00383770, 0.00044887,
     0.09282444, 0.05456298},
};

static void bernoulli_with_friction(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof BERNOULLI / sizeof *BERNOULLI; i++) {
        const bernoulli_row *row = &BERNOULLI[i];
        friction_case c = friction_bernoulli(1, 0, 0, (friction_law){1.5, row->e, row->mu});
        friction_answer answer = judged(&c, FRICTION_ENDED);
        all_close_to(
            answer.velocity,
            (double[9]){row->cue, 0, 0, row->x, row->y, row->spin, row->x, -row->y, -row->spin}, 9);
        all_close_to(answer.impulse, (double[3]){row->p, row->p, row->p23}, 3);
        all_close_to(answer.tangential, (double[2]){row->q, -row->q}, 2);
        close_to(sum_of(answer.loss_normal, 3), row->loss_normal);
        close_to(sum_of(answer.loss_tangential, 3), row->loss_tangential);
    }
}

static void bernoulli_not_symmetric(void **state)
{
    (void)state;
    friction_case c = friction_bernoulli(1, 0.2, 0.3, (friction_law){1.5, 0.8, 0.3});
    friction_answer answer = judged(&c, FRICTION_ENDED);
    all_close_to(answer.velocity,
                 (double[9]){-0.04663507, 0.03018375, 0.11381047, 0.57728796, 0.39590194,
                             -0.10843431, 0.46934712, -0.22608569, -0.07775522},
                 9);
    all_close_to(answer.impulse, (double[3]){0.69789700, 0.51950937, 0}, 3);
    all_close_to(answer.tangential, (double[3]){0.05421716, 0.03887761, 0}, 3);
    close_to(sum_of(answer.loss_normal, 3), 0.10506910);
    close_to(sum_of(answer.loss_tangential, 3), 0.04749819);
}

typedef struct sphere_row {
    double before[6], mu, velocity[6], impulse[3], loss_normal, loss_tangential;
} sphere_row;

static const sphere_row SPHERE[] = {
    {{0, 0, -1, 0, 0, 3},
     0.0,
     {0.00000000, 0.00000000, 0.80000000, 0.00000000, 0.00000000, 3.00000000},
     {0.69282032, 0.69282032, 0.69282032},
     0.18000000,
     0.00000000},
    {{0, 0, -1, 0, 0, 3},
     0.1,
     {0.00000000, 0.00000000, 0.79075154, 0.00000000, 0.00000000, 2.74603601},
     {0.68811752, 0.68811752, 0.68811752},
     0.17776923,
     0.30144402},
    {{0, 0, -1, 0, 0, 3},
     0.3,
     {0.00000000, 0.00000000, 0.77036660, 0.00000000, 0.00000000, 2.25003864},
     {0.67897685, 0.67897685, 0.67897685},
     0.17334369,
     0.81738918},
    {{0.3, 0.1, -1, 1, 0, 2},
     0.0,
     {0.05532250, 0.03326845, 0.84547006, 1.00000000, 0.00000000, 2.00000000},
     {1.03655842, 0.62425838, 0.47014846},
     0.19050651,
     0.00000000},
    {{0.3, 0.1, -1, 1, 0, 2},
     0.1,
     {0.04598846, -0.07597520, 0.83572834, 0.66586901, 0.01331461, 1.78889010},
     {1.04429347, 0.59474215, 0.49584902},
     0.19035540,
     0.27774278},
    {{0.3, 0.1, -1, 1, 0, 2},
     0.3,
     {0.00985318, -0.21241317, 0.81557527, 0.23964535, 0.10956374, 1.29741256},
     {1.05292170, 0.55238566, 0.54068470},
     0.18985727,
     0.65441030},
};

static void a_sphere_on_three_supports(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof SPHERE / sizeof *SPHERE; i++) {
        const sphere_row *row = &SPHERE[i];
        friction_case c = friction_sphere_on_three(row->before, (friction_law){1.5, 0.8, row->mu});
        friction_answer answer = judged(&c, FRICTION_ENDED);
        all_close_to(answer.velocity, row->velocity, 6);
        all_close_to(answer.impulse, row->impulse, 3);
        close_to(sum_of(answer.loss_normal, 3), row->loss_normal);
        close_to(sum_of(answer.loss_tangential, 3), row->loss_tangential);
    }
}

typedef struct rod_row {
    double u_n, u_t, mu, e, after_n, after_t, p, q, loss_normal, loss_tangential;
    friction_path path;
} rod_row;

static const rod_row ROD[] = {
    {-1, -1, 0.3, 0, 0.00000000, -1.14516129, 0.80645161, 0.24193548, 0.40322581, 0.25949532,
     FRICTION_SLIPS},
    {-1, -1, 0.3, 0.5, 0.50000000, -1.21774194, 1.20967742, 0.36290323, 0.30241935, 0.40241285,
     FRICTION_SLIPS},
    {-1, -1, 0.3, 1, 1.00000000, -1.29032258, 1.61290323, 0.48387097, 0.00000000, 0.55411030,
     FRICTION_SLIPS},
    {-1, -1, 1, 0.5, 0.64064640, 0.00000000, 1.69454944, 0.89219392, 0.52329545, 0.22727273,
     FRICTION_STOPS},
    {-1, -1, 1, 1, 1.28129280, 0.00000000, 2.23909888, 1.08438784, 0.00000000, 0.22727273,
     FRICTION_STOPS},
    {-1, -1, 4.0 / 3, 0, 0.00000000, 0.00000000, 1.15000000, 0.70000000, 0.72500000, 0.20000000,
     FRICTION_STOPS},
    {-1, -1, 4.0 / 3, 0.5, 0.65304716, 0.00000000, 1.70509008, 0.89591415, 0.54375000, 0.20000000,
     FRICTION_STOPS},
    {-1, -1, 4.0 / 3, 1, 1.30609431, 0.00000000, 2.26018017, 1.09182829, 0.00000000, 0.20000000,
     FRICTION_STOPS},
    {-1, -1, 2, 0, 0.00000000, 0.00000000, 1.15000000, 0.70000000, 0.74642857, 0.17857143,
     FRICTION_JAMS},
    {-1, -1, 2, 0.5, 0.66262782, 0.00000000, 1.71323365, 0.89878835, 0.55982143, 0.17857143,
     FRICTION_JAMS},
    {-1, -1, 2, 1, 1.32525564, 0.00000000, 2.27646730, 1.09757669, 0.00000000, 0.17857143,
     FRICTION_JAMS},
    {-1, -1, 5, 0.5, 0.67159693, 0.00000000, 1.72085739, 0.90147908, 0.57507911, 0.15822785,
     FRICTION_JAMS},
    {-1, -1, 5, 1, 1.34319387, 0.00000000, 2.29171479, 1.10295816, 0.00000000, 0.15822785,
     FRICTION_JAMS},
    {-0.001, -1, 0.3, 0, 0.00000000, -1.00014516, 0.00080645, 0.00024194, 0.00000040, 0.00024195,
     FRICTION_SLIPS},
    {-0.001, -1, 0.3, 0.5, 0.00050000, -1.00021774, 0.00120968, 0.00036290, 0.00000030, 0.00036294,
     FRICTION_SLIPS},
    {-0.001, -1, 0.3, 1, 0.00100000, -1.00029032, 0.00161290, 0.00048387, 0.00000000, 0.00048394,
     FRICTION_SLIPS},
    {-0.001, -1, 1, 0.5, 0.00050000, -0.99175000, 0.00375000, 0.00375000, 0.00000094, 0.00373453,
     FRICTION_SLIPS},
    {-0.001, -1, 1, 1, 0.00100000, -0.98900000, 0.00500000, 0.00500000, 0.00000000, 0.00497250,
     FRICTION_SLIPS},
    {-0.001, -1, 4.0 / 3, 0, 0.00000000, 0.00000000, 0.30085000, 0.40030000, 0.00030042, 0.20000000,
     FRICTION_STOPS},
    {-0.001, -1, 4.0 / 3, 0.5, 0.01329363, 0.00000000, 0.31214959, 0.40428809, 0.00022532,
     0.20000000, FRICTION_STOPS},
    {-0.001, -1, 4.0 / 3, 1, 0.02658726, 0.00000000, 0.32344917, 0.40827618, 0.00000000, 0.20000000,
     FRICTION_STOPS},
    {-0.001, -1, 2, 0, 0.00000000, 0.00000000, 0.30085000, 0.40030000, 0.02172900, 0.17857143,
     FRICTION_JAMS},
    {-0.001, -1, 2, 0.5, 0.11305646, 0.00000000, 0.39694799, 0.43421694, 0.01629675, 0.17857143,
     FRICTION_JAMS},
    {-0.001, -1, 2, 1, 0.22611292, 0.00000000, 0.49304598, 0.46813387, 0.00000000, 0.17857143,
     FRICTION_JAMS},
    {-0.001, -1, 5, 0.5, 0.15731680, 0.00000000, 0.43456928, 0.44749504, 0.03155443, 0.15822785,
     FRICTION_JAMS},
    {-0.001, -1, 5, 1, 0.31463359, 0.00000000, 0.56828856, 0.49469008, 0.00000000, 0.15822785,
     FRICTION_JAMS},
    {-1, 1, 0.3, 0, 0.00000000, -0.01700087, 0.54489974, -0.10680035, 0.25713377, 0.06780843,
     FRICTION_REVERSES},
    {-1, 1, 0.3, 0.5, 0.39927802, -0.07496058, 0.86689814, -0.01020083, 0.19285033, 0.07225014,
     FRICTION_REVERSES},
    {-1, 1, 0.3, 1, 0.79855604, -0.13292030, 1.18889654, 0.08639869, 0.00000000, 0.08229074,
     FRICTION_REVERSES},
    {-1, 1, 1, 0.5, 0.35670415, 0.00000000, 0.85319853, 0.00701125, 0.16222826, 0.10869565,
     FRICTION_STOPS},
    {-1, 1, 1, 1, 0.71340830, 0.00000000, 1.15639706, 0.11402249, 0.00000000, 0.10869565,
     FRICTION_STOPS},
    {-1, 1, 4.0 / 3, 0, 0.00000000, 0.00000000, 0.55000000, -0.10000000, 0.20872093, 0.11627907,
     FRICTION_STOPS},
    {-1, 1, 4.0 / 3, 0.5, 0.35039552, 0.00000000, 0.84783619, 0.00511865, 0.15654070, 0.11627907,
     FRICTION_STOPS},
    {-1, 1, 4.0 / 3, 1, 0.70079103, 0.00000000, 1.14567238, 0.11023731, 0.00000000, 0.11627907,
     FRICTION_STOPS},
    {-1, 1, 2, 0, 0.00000000, 0.00000000, 0.55000000, -0.10000000, 0.20000000, 0.12500000,
     FRICTION_STOPS},
    {-1, 1, 2, 0.5, 0.34299717, 0.00000000, 0.84154759, 0.00289915, 0.15000000, 0.12500000,
     FRICTION_STOPS},
    {-1, 1, 2, 1, 0.68599434, 0.00000000, 1.13309519, 0.10579830, 0.00000000, 0.12500000,
     FRICTION_STOPS},
    {-1, 1, 5, 0.5, 0.33222721, 0.00000000, 0.83239313, -0.00033184, 0.14072802, 0.13736264,
     FRICTION_STOPS},
    {-1, 1, 5, 1, 0.66445442, 0.00000000, 1.11478626, 0.09933633, 0.00000000, 0.13736264,
     FRICTION_STOPS},
};

static void a_rod_on_a_rough_floor(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof ROD / sizeof *ROD; i++) {
        const rod_row *row = &ROD[i];
        friction_case c = friction_rod(2, row->u_n, row->u_t, (friction_law){1.5, row->e, row->mu});
        friction_answer answer = judged(&c, FRICTION_ENDED);
        friction_closed out;
        assert_true(friction_closed_solve(&c, &out));
        const double printed[6] = {row->after_n, row->after_t,     row->p,
                                   row->q,       row->loss_normal, row->loss_tangential};
        const double closed[6] = {(double)out.u_n,         (double)out.u_t[0],
                                  (double)out.impulse,     (double)out.tangential[0],
                                  (double)out.loss_normal, (double)out.loss_tangential};
        all_close_to(closed, printed, 6);
        assert_int_equal(out.path, row->path);
        long double u[FRICTION_ROWS];
        friction_slip(&c, answer.velocity, u);
        all_close_to((double[6]){(double)u[0], (double)u[1], answer.impulse[0],
                                 answer.tangential[0], answer.loss_normal[0],
                                 answer.loss_tangential[0]},
                     printed, 6);
    }
}

/* ---- Grooves, the pendulum, the limit of a jam ------------------------------------------------
 */

static void a_disc_in_a_groove(void **state)
{
    (void)state;
    friction_case c = friction_groove(0.6, 0, (friction_law){1.5, 1, 0.8});
    friction_answer answer = judged(&c, FRICTION_LOCKED);
    for (size_t j = 0; j < 2; j++) {
        close_to(answer.held[j], 0.11524153);
        close_to(answer.loss_tangential[j], 0.13475847);
    }
    for (int half = 0; half < 2; half++) {
        c = friction_groove(0.6, 0, (friction_law){1.5, half ? 0.5 : 1, 0.3});
        answer = judged(&c, FRICTION_ENDED);
        close_to(answer.velocity[1], half ? 0.31238144 : 0.62476289);
    }
}

static void a_spinning_disc_is_bound_or_released_late(void **state)
{
    (void)state;
    friction_case c = friction_groove(0.6, 0.3, (friction_law){1.5, 0.8, 0.8});
    friction_answer answer = judged(&c, FRICTION_ENDED);
    const double printed[3] = {3.5355e-5, 8.4104e-5, 4.9451e-5};
    for (size_t i = 0; i < 3; i++) {
        assert_true(fabs(answer.velocity[i] - printed[i]) < 0.6e-9);
    }
    assert_true(fabs(answer.impulse[0] - 13.7299) < 0.6e-4);
    assert_true(fabs(answer.impulse[1] - 13.6272) < 0.6e-4);
    c = friction_groove(0.6, 0.3, (friction_law){1.5, 1, 0.8});
    friction_judge_solve(&c, &answer);
    assert_int_equal(answer.status, FRICTION_BOUND);
}

static void an_impact_pendulum(void **state)
{
    (void)state;
    const double degree = 3.14159265358979323846 / 180;
    friction_case c = friction_pendulum(30 * degree, (friction_law){1.5, 1, 0.8});
    judged(&c, FRICTION_LOCKED);
    c = friction_pendulum(80 * degree, (friction_law){1.5, 1, 0.8});
    assert_true(fabs(judged(&c, FRICTION_ENDED).velocity[0] - 0.8676138399) < 0.6e-10);
    c = friction_pendulum(80 * degree, (friction_law){1.5, 0.5, 0.8});
    assert_true(fabs(judged(&c, FRICTION_ENDED).velocity[0] - 0.4338069199) < 0.6e-10);
}

/* The rod, closed form alone: at c- = 0 itself nothing happens. */
static void the_limit_of_a_jam(void **state)
{
    (void)state;
    friction_closed out = friction_closed_plane(
        (friction_plane){.a = 1.6L, .b = -1.2L, .d = 3.4L, .c0 = 0, .u_t = -1, .e = 1, .mu = 2});
    assert_true(fabsl(out.u_n - 0.2245443566L) < 0.6e-10L);
    assert_true(fabsl(out.impulse - 0.4908627031L) < 0.6e-10L);
    assert_true(fabsl(out.loss_tangential - 0.1785714286L) < 0.6e-10L);
}

/* ---- Random single contacts against the closed form -------------------------------------------
 */

/* Where D is nearly singular a contact that sticks has next to no resistance left to its closing:
 * rounding in D counts by D_nn over what is left of it.
 */
static void assert_as_closed(const friction_case *c)
{
    friction_closed out;
    friction_answer answer;
    double speed = friction_speed(c), off = 0;
    assert_true(friction_closed_solve(c, &out));
    assert_true(friction_judge_solve(c, &answer));
    assert_int_equal(answer.status, out.locked ? FRICTION_LOCKED : FRICTION_ENDED);
    assert_lawful(c, &answer);
    for (size_t i = 0; i < c->n; i++) {
        off = fmax(off, fabs(answer.velocity[i] - (double)out.velocity[i]) / speed);
    }
    if (!out.locked) {
        off = fmax(off, fabs(answer.impulse[0] / (double)out.impulse - 1));
        for (size_t k = 0; k < c->dim; k++) {
            double q = (double)out.tangential[k];
            off = fmax(off, fabs(answer.tangential[k] - q) / (double)out.impulse);
        }
    }
    double lost = (double)(out.loss_normal + out.loss_tangential + out.held);
    off = fmax(off, fabs(answer.loss_normal[0] - (double)out.loss_normal) / lost);
    off = fmax(off, fabs(answer.loss_tangential[0] - (double)out.loss_tangential) / lost);
    if (off > fmax(1e-10, 1e-16 * (double)out.conditioning)) {
        fail_msg("off by %g, path %d, conditioning %Lg", off, out.path, out.conditioning);
    }
}

static void random_contacts_in_the_plane(void **state)
{
    (void)state;
    rng r = rng_seeded(1);
    for (int i = 0; i < 1000; i++) {
        friction_case c = friction_random_plane(&r);
        assert_as_closed(&c);
    }
}

static void random_spheres(void **state)
{
    (void)state;
    rng r = rng_seeded(2);
    for (int i = 0; i < 100; i++) {
        friction_case c = friction_random_sphere(&r);
        assert_as_closed(&c);
    }
}

/* One contact: the impulse can be the time, so K and eta do not matter. */
static void one_contact_in_space_for_any_curve(void **state)
{
    (void)state;
    rng r = rng_seeded(3);
    for (int i = 0; i < 20; i++) {
        friction_case c = friction_random_space(&r);
        friction_answer first, second;
        friction_judge_solve(&c, &first);
        c.stiffness[0] = 37;
        c.exponent[0] = 2.2;
        friction_judge_solve(&c, &second);
        assert_int_equal(first.status, second.status);
        for (size_t k = 0; first.status == FRICTION_ENDED && k < c.n; k++) {
            double off = fabs(first.velocity[k] - second.velocity[k]) / friction_speed(&c);
            assert_true(off < 1e-10);
        }
    }
}

/* ---- Random systems, by both judges -----------------------------------------------------------
 */

static double apart(const friction_case *c, const double *a, const double *b)
{
    double off = 0;
    for (size_t i = 0; i < c->n; i++) {
        off = fmax(off, fabs(a[i] - b[i]) / friction_speed(c));
    }
    return off;
}

typedef struct beside {
    unsigned compared, unfinished;
    double sum_coarse, sum_fine, worst_fine; /* of the fixed steps */
} beside;

static void set_beside(const friction_case *c, beside *tally)
{
    friction_answer answer;
    proximal_answer coarse, fine;
    friction_judge_solve(c, &answer);
    if (answer.status != FRICTION_ENDED || !(answer.error < 1e-9)) {
        tally->unfinished++;
        return;
    }
    assert_lawful(c, &answer);
    friction_proximal(c, 100, 100000, &coarse);
    friction_proximal(c, 400, 400000, &fine);
    if (!coarse.ended || !fine.ended) {
        tally->unfinished++;
        return;
    }
    tally->compared++;
    tally->sum_coarse += log(apart(c, coarse.velocity, answer.velocity) + 1e-12);
    tally->sum_fine += log(apart(c, fine.velocity, answer.velocity) + 1e-12);
    tally->worst_fine = fmax(tally->worst_fine, apart(c, fine.velocity, answer.velocity));
}

static void random_systems_by_both_judges(void **state)
{
    (void)state;
    beside tally = {0};
    for (size_t i = 0; i < 60; i++) {
        friction_draw draw;
        friction_case c = friction_random_of(38, i, 4, &draw);
        set_beside(&c, &tally);
    }
    double ratio = exp((tally.sum_coarse - tally.sum_fine) / tally.compared);
    printf("%u systems, %u unfinished; four times as fine steps: error / %.2f; worst %.1e\n",
           tally.compared, tally.unfinished, ratio, tally.worst_fine);
    assert_true(tally.compared >= 50);
    assert_true(ratio > 3 && tally.worst_fine < 1e-2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rocking_block),
        cmocka_unit_test(three_discs_in_a_line),
        cmocka_unit_test(bernoulli_with_friction),
        cmocka_unit_test(bernoulli_not_symmetric),
        cmocka_unit_test(a_sphere_on_three_supports),
        cmocka_unit_test(a_rod_on_a_rough_floor),
        cmocka_unit_test(a_disc_in_a_groove),
        cmocka_unit_test(a_spinning_disc_is_bound_or_released_late),
        cmocka_unit_test(an_impact_pendulum),
        cmocka_unit_test(the_limit_of_a_jam),
        cmocka_unit_test(random_contacts_in_the_plane),
        cmocka_unit_test(random_spheres),
        cmocka_unit_test(one_contact_in_space_for_any_curve),
        cmocka_unit_test(random_systems_by_both_judges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
