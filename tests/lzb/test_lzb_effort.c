/* What LZB takes to get its answers, in evaluations of all forces: by what must hold for any method
 * of high order that finds its events by Newton's method, not by what it took once.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "solve/solve.h"
#include "support.h"

/* Of chains of several lengths, struck by their first ball. */
static double evaluations(double e, double tolerance)
{
    enum { MOST = 20 };
    static const double velocity[MOST] = {1};
    double sum = 0;
    for (size_t balls = 2; balls <= MOST; balls += 3) {
        crm_chain_def def = crm_chain_def_default();
        def.count = balls;
        def.restitution.all = e;
        crm_model *model = chain_model(&def);
        crm_outcome *outcome = lzb_solve(model, velocity, (lzb_choices){.tolerance = tolerance});
        sum += (double)outcome->evaluations;
        crm_outcome_free(outcome);
        crm_model_free(model);
    }
    return sum;
}

/* A method of order p takes 10^(1/p) times as many steps for one digit more (Gauss's: 16, and less
 * in steps at whose ends forces begin or end; 12 on the whole). Forces at the nodes of a step are
 * found by an iteration, which gains about as many digits with each pass: from 11 digits in a step
 * (1e-8, and 3e-3 of that for each) to 14 takes 14/11 as many passes.
 */
static void three_digits_more_cost_little(void **state)
{
    (void)state;
    double few = evaluations(1, 1e-8), many = evaluations(1, 1e-11);
    print_message("%g and %g evaluations: order %.1f\n", few, many, 3 / log10(many / few));
    const double order = 12, digits = 14.0 / 11;
    assert_true(many < few * pow(10, 3 / order) * digits);
}

/* Contacts that lose a thousandth go the same way, but for their law, which changes at the end of
 * compression, and for steps that end there and at openings. Newton's method takes a try or two
 * more for each.
 */
static void events_cost_little(void **state)
{
    (void)state;
    for (double tolerance = 1e-4; tolerance > 1e-11; tolerance *= 1e-3) {
        double none = evaluations(1, tolerance), all = evaluations(0.999, tolerance);
        print_message("%.0e: %g evaluations without events, %g with them\n", tolerance, none, all);
        assert_true(all < 1.6 * none);
    }
}

/* Six lossy balls that are driven against a wall, with an error that the caller allows; 0: none. */
static double evaluations_allowed(double allowed, double *velocity)
{
    enum { BALLS = 6 };
    static const double falling[BALLS] = {1, 0.7, 1.2, 1, 0.5, 0.9};
    crm_chain_def def = crm_chain_def_default();
    def.count = BALLS;
    def.restitution.all = 0.7;
    def.wall_side = CRM_WALL_RIGHT;
    crm_model *model = chain_model(&def);
    crm_workspace *workspace = NULL;
    const crm_outcome *outcome = NULL;
    assert_int_equal(crm_workspace_create(&workspace, NULL), CRM_OK);
    workspace->allowed_error = allowed;
    crm_settings *settings = lzb_settings(lzb_bi);
    assert_int_equal(crm_solve_with(workspace, model, falling, settings, NULL, &outcome, NULL),
                     CRM_OK);
    memcpy(velocity, outcome->velocity, BALLS * sizeof *velocity);
    double count = (double)outcome->evaluations;
    crm_settings_free(settings);
    crm_workspace_free(workspace);
    crm_model_free(model);
    return count;
}

/* A motion asks for no more than it can use: errors are kept below that, and what is slower is not
 * followed.
 */
static void what_a_caller_allows_saves_work(void **state)
{
    (void)state;
    double exact[6], near[6], full = evaluations_allowed(0, exact);
    assert_true(evaluations_allowed(1e-12, near) == full);
    assert_memory_equal(near, exact, sizeof near);
    for (double allowed = 1e-6; allowed < 5e-3; allowed *= 10) {
        double some = evaluations_allowed(allowed, near);
        print_message("%.0e allowed: %g of %g evaluations, off by %.1e\n", allowed, some, full,
                      largest_difference(near, exact, 6));
        assert_true(some < 0.8 * full);
        assert_true(largest_difference(near, exact, 6) <= allowed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_digits_more_cost_little),
        cmocka_unit_test(events_cost_little),
        cmocka_unit_test(what_a_caller_allows_saves_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
