/* The step of the lanes by itself: closed forms of one contact, and the same bits in vectors of any
 * width. (Whole systems in lanes: test_batch.c.)
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "law/lzb/batch/batch.h"
#include "law/lzb/batch/kernel.h"
#include "support.h"

static const double tolerance = 1e-10;
enum { STEPS = 400 };

static lanes_pack *new_pack(size_t contacts, lzb_kind kind)
{
    lanes_pack *q = aligned_alloc(LANES_ALIGNMENT, sizeof *q);
    memset(q, 0, sizeof *q);
    q->contacts = contacts;
    q->kind = kind;
    q->tolerance = tolerance;
    q->longest += LANES_LONGEST;
    return q;
}

static void set_contact(lanes_pack *q, size_t j, unsigned l, double exponent, double closing)
{
    q->d[j][j][l] = q->rate[j][l] = q->stiffness[j][l] = 1;
    q->exponent[j][l] = exponent;
    q->feedback[j][l] = 1.0 / (2.0 * (exponent + 1) * (exponent + 1) * (exponent + 2));
    q->per_growth[j][l] = 1.0 / (2.0 * exponent + 2.0);
    q->c[j][l] = closing;
}

/* c = cos t, x = sin t, until it opens at pi. */
static void a_linear_contact_swings(void **state)
{
    (void)state;
    lanes_pack *q = new_pack(1, LZB_LINEAR);
    set_contact(q, 0, 0, 1, 1);
    unsigned events = 0, steps = 0;
    for (; events == 0 && steps < STEPS; steps++) {
        events = lzb_batch_step_16(q);
        assert_near(q->c[0][0], cos(q->time[0]), 20 * tolerance);
        assert_near(q->x[0][0], sin(q->time[0]), 20 * tolerance);
        assert_near(q->p[0][0], 1 - cos(q->time[0]), 20 * tolerance);
    }
    assert_int_equal(events, 1);
    assert_true(q->opens[0][0] != 0);
    assert_near(q->opened[0], acos(-1), 100 * tolerance);
    free(q);
}

/* One contact of each exponent: energy kept, returned at the speed it came with, after the time
 * 2 X sqrt(pi) Gamma(1 + 1/m) / Gamma(1/2 + 1/m), m = eta + 1, X = (m / 2)^(1/m) the depth.
 */
static void contacts_of_any_exponent_give_back_what_they_took(void **state)
{
    (void)state;
    const double exponents[LZB_LANES] = {1, 1.1, 1.25, 1.5, 2, 2.5, 3.3, 5};
    lanes_pack *q = new_pack(1, LZB_POWER);
    double open_after[LZB_LANES];
    for (unsigned l = 0; l < LZB_LANES; l++) {
        double m = exponents[l] + 1;
        set_contact(q, 0, l, exponents[l], 1);
        open_after[l] =
            2 * pow(m / 2, 1 / m) * sqrt(acos(-1)) * tgamma(1 + 1 / m) / tgamma(0.5 + 1 / m);
    }
    unsigned opened = 0;
    for (unsigned step = 0; opened != 255 && step < STEPS; step++) {
        unsigned events = lzb_batch_step_16(q);
        for (unsigned l = 0; l < LZB_LANES; l++) {
            double c = q->c[0][l], m = exponents[l] + 1;
            assert_near(c * c / 2 + pow(q->x[0][l], m) / m, 0.5, 100 * tolerance);
            if (events >> l & 1) {
                assert_near(c, -1, 100 * tolerance);
                assert_near(q->time[l], open_after[l], 1000 * tolerance);
                q->rate[0][l] = 0;
            }
        }
        opened |= events;
    }
    assert_int_equal(opened, 255);
    for (unsigned l = 0; l < LZB_LANES; l++) { /* all lengths were foreseen */
        assert_true(q->tries[l] == q->steps[l]);
    }
    free(q);
}

/* Contacts 0 and 2 swing, x = sin t and sin(2t)/2; contact 1, open between them, has no force but
 * feels theirs: c = rise - 1/2 - 2 (1 - cos t) + (1 - cos 2t), which is `rise` at its highest,
 * before contact 2 opens at pi/2. It first is 0 where cos t = (1 + sqrt(2 rise)) / 2: within steps
 * at both of whose ends it is below, as it is when it does not rise so far.
 */
static void a_speed_that_comes_and_goes_within_a_step_is_met(void **state)
{
    (void)state;
    const double rise[LZB_LANES] = {1e-7, 1e-5, 1e-4, 1e-3, 1e-2, 3e-2, 0.1, -1e-3};
    lanes_pack *q = new_pack(3, LZB_LINEAR);
    q->band = 2;
    for (unsigned l = 0; l < LZB_LANES; l++) {
        set_contact(q, 0, l, 1, 1);
        set_contact(q, 1, l, 1, rise[l] - 0.5);
        set_contact(q, 2, l, 1, 1);
        q->stiffness[2][l] = 4;
        q->rate[1][l] = 0;
        q->watch[1][l] = 1;
        q->d[1][0][l] = 2;
        q->d[1][2][l] = -1;
    }
    unsigned met = 0, opened = 0;
    for (unsigned step = 0; opened != 255 && step < STEPS; step++) {
        unsigned events = lzb_batch_step_16(q);
        for (unsigned l = 0; l < LZB_LANES; l++) {
            if ((events >> l & 1) && q->turns[1][l] != 0) {
                double cosine = 0.5 * (1 + sqrt(2 * rise[l]));
                assert_near(q->c[1][l], 0, 100 * tolerance);
                assert_near(cos(q->time[l]), cosine, 100 * tolerance / sqrt(rise[l]));
                q->watch[1][l] = 0;
                met |= 1U << l;
            }
            if ((events >> l & 1) && q->opens[2][l] != 0) {
                assert_near(q->time[l], acos(-1) / 2, 100 * tolerance);
                q->rate[2][l] = 0;
                opened |= 1U << l;
            }
        }
    }
    assert_int_equal(met, 127);
    assert_int_equal(opened, 255);
    free(q);
}

/* Twelve contacts in a row, each lane with speeds and losses of its own. */
static void set_row(lanes_pack *q, lzb_kind kind)
{
    rng r = rng_seeded(7);
    q->band = 1;
    for (size_t j = 0; j < q->contacts; j++) {
        for (unsigned l = 0; l < LZB_LANES; l++) {
            double exponent = kind == LZB_LINEAR  ? 1
                              : kind == LZB_HERTZ ? 1.5
                                                  : rng_uniform(&r, 1, 3);
            set_contact(q, j, l, exponent, rng_uniform(&r, -1, 1));
            q->rate[j][l] = q->c[j][l] > 0 ? 1 : 0;
            q->watch[j][l] = q->c[j][l] > 0 ? -1 : 1;
            q->d[j][j > 0 ? j - 1 : 0][l] = j > 0 ? -0.5 : 1;
            if (j + 1 < q->contacts) {
                q->d[j][j + 1][l] = -0.5;
            }
        }
    }
}

static void all_widths_give_the_same_bits(void **state)
{
    (void)state;
    const lzb_kind kinds[] = {LZB_LINEAR, LZB_HERTZ, LZB_POWER};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        for (crm_width width = CRM_WIDTH_32; width <= crm_widest(); width++) {
            lanes_stepper *step = lzb_batch_stepper(width);
            lanes_pack *wide = new_pack(LZB_BATCH_CONTACTS, kinds[k]);
            set_row(wide, kinds[k]);
            lanes_pack *narrow = new_pack(LZB_BATCH_CONTACTS, kinds[k]);
            set_row(narrow, kinds[k]);
            for (unsigned n = 0; n < 20; n++) {
                assert_int_equal(step(wide), lzb_batch_step_16(narrow));
                assert_memory_equal(wide->x, narrow->x, sizeof wide->x);
                assert_memory_equal(wide->c, narrow->c, sizeof wide->c);
                assert_memory_equal(wide->p, narrow->p, sizeof wide->p);
                assert_memory_equal(&wide->time, &narrow->time, sizeof wide->time);
                assert_memory_equal(&wide->error, &narrow->error, sizeof wide->error);
            }
            free(wide);
            free(narrow);
        }
    }
}

/* Random chains, one after the other: those that the lanes have solved are right, and steps are
 * rarely tried again. One that is refused and tried again as it was would never end.
 */
static void few_steps_are_tried_again(void **state)
{
    (void)state;
    enum { CHAINS = 200 };
    rng r = rng_seeded(8);
    random_choice choice = random_choice_default();
    crm_settings *settings = lzb_settings(lzb_bi);
    size_t solved = 0, steps = 0, tries = 0;
    for (int i = 0; i < CHAINS; i++) {
        choice.uniform_exponent = i % 2;
        small_system system = random_chain(&r, choice, false);
        crm_model *model = small_system_model(&system);
        lzb_batch *batch = NULL;
        crm_lane_end end;
        double u[SMALL];
        crm_error error = {0};
        crm_model_gap_velocity(model, system.velocity, u);
        assert_ok(lzb_batch_create(settings, &batch, &error), &error);
        if (lzb_batch_fit(model)) {
            assert_true(lzb_batch_take(batch, model, u, 0));
            for (tries++; lzb_batch_advance(batch, &end) == 0; tries++) {
            }
            crm_outcome *outcome = lzb_solve_small(&system, (lzb_choices){.tolerance = 1e-10});
            for (size_t j = 0; end.solved && j < system.s; j++) {
                assert_near(lzb_batch_impulse(batch, end.lane, j), outcome->impulse[j], 1e-7);
            }
            solved += end.solved;
            steps += end.steps;
            crm_outcome_free(outcome);
        }
        lzb_batch_free(batch);
        crm_model_free(model);
    }
    print_message("%zu of %d chains, %zu steps, %zu tries\n", solved, CHAINS, steps, tries);
    assert_true(solved > CHAINS / 2);
    assert_true(10 * tries < 11 * steps);
    crm_settings_free(settings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_linear_contact_swings),
        cmocka_unit_test(contacts_of_any_exponent_give_back_what_they_took),
        cmocka_unit_test(a_speed_that_comes_and_goes_within_a_step_is_met),
        cmocka_unit_test(all_widths_give_the_same_bits),
        cmocka_unit_test(few_steps_are_tried_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
