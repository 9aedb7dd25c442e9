/* What LZB takes to get its answers, in evaluations of all forces: by what must hold for any method
 * of high order that finds its events by Newton's method, not by what it took once.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_digits_more_cost_little),
        cmocka_unit_test(events_cost_little),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
