/* The fallback of time-stepping when its own solver fails: the same problem by crm_lcp. No problem
 * is known on which it fails, so the fallback is called directly.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "motion/stepping/primal/internal.h"
#include "support.h"

/* Bodies of two coordinates in a row, each touching the next, some a wall: columns of length 1. */
enum { BODIES = 7, WIDTH = 2, CONTACTS = BODIES - 1 + 3 };

typedef struct row {
    uint32_t first[BODIES + 1], pair[BODIES - 1][2];
    crm_primal_contact contact[CONTACTS];
    double value[2 * WIDTH * CONTACTS], p[CONTACTS], x[WIDTH * BODIES];
    crm_primal_problem problem;
} row;

static void set_column(row *r, size_t j, uint32_t a, uint32_t b, double angle, double bound)
{
    double *value = r->value + 2 * WIDTH * j;
    double share = b != CRM_PRIMAL_NOBODY ? sqrt(0.5) : 1;
    value[0] = -share * cos(angle);
    value[1] = -share * sin(angle);
    value[2] = share * cos(angle);
    value[3] = share * sin(angle);
    r->contact[j] = (crm_primal_contact){{a, b}, a, (uint32_t)(2 * WIDTH * j), bound};
}

/* Contacts come in no order. */
static void make_row(row *r, uint64_t seed)
{
    memset(r, 0, sizeof *r);
    for (uint32_t b = 0; b <= BODIES; b++) {
        r->first[b] = WIDTH * b;
    }
    for (uint32_t k = 0; k + 1 < BODIES; k++) {
        size_t j = (5 * k + seed) % CONTACTS;
        while (r->contact[j].bound != 0) {
            j = (j + 1) % CONTACTS;
        }
        r->pair[k][0] = k;
        r->pair[k][1] = k + 1;
        set_column(r, j, k, k + 1, 0.3 * (double)k, sin((double)(seed * (k + 1))));
    }
    for (size_t j = 0, wall = 0; j < CONTACTS; j++) {
        if (r->contact[j].bound == 0) {
            set_column(r, j, (uint32_t)(3 * wall), CRM_PRIMAL_NOBODY, 1.0 + (double)wall,
                       cos((double)(seed + wall)));
            wall++;
        }
    }
    r->problem =
        (crm_primal_problem){.shape = {BODIES, r->first, BODIES - 1, (const uint32_t(*)[2])r->pair},
                             .contacts = CONTACTS,
                             .contact = r->contact,
                             .value = r->value,
                             .p = r->p,
                             .x = r->x};
}

/* The conditions themselves, by x = C p. */
static void assert_complementary(row *r, const double *b)
{
    crm_primal_apply(&r->problem, r->p, r->x);
    for (size_t j = 0; j < CONTACTS; j++) {
        double w = crm_primal_dot(&r->problem, j, r->x) - b[j];
        assert_true(r->p[j] >= 0);
        assert_true(w >= -1e-12);
        assert_true(fmin(r->p[j], w) <= 1e-12);
    }
}

static void the_dual_solves_the_same_problem(void **state)
{
    (void)state;
    size_t at_work = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        row r;
        double b[CONTACTS];
        crm_error error;
        bool infeasible = true;
        make_row(&r, seed);
        for (size_t j = 0; j < CONTACTS; j++) {
            b[j] = r.contact[j].bound;
        }
        assert_int_equal(crm_primal_solve_dual(&r.problem, b, r.p, &infeasible, &error), CRM_OK);
        assert_false(infeasible);
        assert_complementary(&r, b);
        for (size_t j = 0; j < CONTACTS; j++) {
            at_work += r.p[j] > 0;
        }
    }
    assert_in_range(at_work, 60, 300); /* neither none nor all */
}

/* Between two walls that close: the one coordinate would have to go both ways. */
static void the_dual_tells_that_nothing_does_it(void **state)
{
    (void)state;
    const uint32_t first[] = {0, 1};
    const crm_primal_contact contact[] = {{{0, CRM_PRIMAL_NOBODY}, 0, 0, 1},
                                          {{0, CRM_PRIMAL_NOBODY}, 0, 1, 1}};
    const double value[] = {1, -1}, b[] = {1, 1};
    double p[2] = {0};
    bool infeasible = false;
    crm_error error;
    const crm_primal_problem problem = {
        .shape = {.blocks = 1, .first = first}, .contacts = 2, .contact = contact, .value = value};
    assert_int_equal(crm_primal_solve_dual(&problem, b, p, &infeasible, &error), CRM_OK);
    assert_true(infeasible);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_dual_solves_the_same_problem),
        cmocka_unit_test(the_dual_tells_that_nothing_does_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
