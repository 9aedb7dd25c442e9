/* Histories of LZB: they run forward, can be stopped, and samples do not depend on each other. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "judge.h"

typedef struct watch {
    size_t n, s, samples, stop_after;
    double last_time, impulse[SMALL], velocity[SMALL];
    bool monotone, signs;
} watch;

static crm_status look(void *context, const crm_sample *sample)
{
    watch *w = context;
    w->monotone = w->monotone && (w->samples == 0 || sample->time >= w->last_time);
    for (size_t j = 0; j < w->s; j++) {
        /* an increment of nearly nothing may be negative by rounding */
        w->monotone = w->monotone && sample->impulse[j] >= w->impulse[j] * (1.0 - 1e-12) - 1e-14;
        w->signs = w->signs && sample->force[j] >= 0.0 && sample->stored_energy[j] >= 0.0;
        w->impulse[j] = sample->impulse[j];
    }
    memcpy(w->velocity, sample->velocity, w->n * sizeof *w->velocity);
    w->last_time = sample->time;
    w->samples++;
    return w->stop_after && w->samples >= w->stop_after ? CRM_ERROR_STOPPED : CRM_OK;
}

static void histories_run_forward_and_can_be_stopped(void **state)
{
    (void)state;
    rng r = rng_seeded(51);
    random_choice choice = random_choice_default();
    choice.least_restitution = 0.3;
    for (int i = 0; i < 20; i++) {
        small_system system = random_chain(&r, choice, false);
        crm_model *model = small_system_model(&system);
        crm_settings *settings = lzb_settings(i % 2 ? lzb_mono : lzb_bi);
        watch w = {.n = system.n, .s = system.s, .monotone = true, .signs = true};
        crm_recorder recorder = {.context = &w, .record = look};
        crm_outcome *outcome = NULL;
        crm_error error = {0};
        assert_ok(crm_solve(model, system.velocity, settings, &recorder, &outcome, &error), &error);
        assert_true(w.monotone && w.signs && w.samples > 2);
        if (!outcome->tail_closed) {
            assert_all_near(w.velocity, outcome->velocity, system.n, 1e-9);
            /* the last step may end a little before the last contact has opened, or after it */
            assert_ok(crm_record_end(&recorder, outcome, w.last_time, &error), &error);
            assert_true(w.last_time >= outcome->duration * (1.0 - 1e-9));
            assert_near(w.last_time, outcome->duration, 1e-4 * outcome->duration);
        }
        crm_outcome_free(outcome);
        w = (watch){.n = system.n, .s = system.s, .stop_after = 2};
        assert_int_equal(crm_solve(model, system.velocity, settings, &recorder, &outcome, &error),
                         CRM_ERROR_STOPPED);
        assert_null(outcome);
        crm_settings_free(settings);
        crm_model_free(model);
    }
}

/* Samples at the multiples of the interval, and at the start. */
typedef struct kept_samples {
    double interval;
    size_t count, calls;
    double number[128][4]; /* time, primary contact and impulse, a force */
} kept_samples;

static crm_status keep_multiples(void *context, const crm_sample *sample)
{
    kept_samples *kept = context;
    double multiple = sample->time / kept->interval;
    kept->calls++;
    if (fabs(multiple - nearbyint(multiple)) < 1e-9 && kept->count < 128) {
        double *number = kept->number[kept->count++];
        number[0] = sample->time;
        number[1] = (double)sample->primary;
        number[2] = sample->primary_impulse;
        number[3] = sample->force[2];
    }
    return CRM_OK;
}

static void samples_at_multiples_do_not_depend_on_those_between(void **state)
{
    (void)state;
    small_system chain = small_system_chain(8, true);
    chain.velocity[0] = 1.0;
    crm_model *model = small_system_model(&chain);
    kept_samples kept[2] = {{.interval = 0.25}, {.interval = 0.25}};
    crm_settings *settings = lzb_settings((lzb_choices){0});
    for (int only = 0; only < 2; only++) {
        crm_recorder recorder = {.context = &kept[only],
                                 .interval = kept[only].interval,
                                 .only_multiples = only,
                                 .record = keep_multiples};
        crm_outcome *outcome;
        crm_error error = {0};
        assert_ok(crm_solve(model, chain.velocity, settings, &recorder, &outcome, &error), &error);
        crm_outcome_free(outcome);
    }
    assert_true(kept[0].count > 8);
    assert_true(kept[0].calls > kept[0].count);
    assert_int_equal(kept[1].calls, kept[1].count);
    assert_int_equal(kept[0].count, kept[1].count);
    assert_memory_equal(kept[0].number, kept[1].number, sizeof kept[0].number);
    crm_settings_free(settings);
    crm_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(histories_run_forward_and_can_be_stopped),
        cmocka_unit_test(samples_at_multiples_do_not_depend_on_those_between),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
