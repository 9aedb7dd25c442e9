/* How good derivatives of lzb outcomes are: random systems against differences of the judge's.
 *
 *     campaign_sensitivity [SYSTEMS [FIRST]]     (default 1000 0)
 *
 * Those of tests/inverse/test_sensitivity.c and more: longer chains, stiffness in a ratio of 1e4, e
 * = 0 more often. A system is `smooth` when its margin is 1e-2 or more; of the others, and of those
 * that the judge does not finish soon, only forward and reverse are compared. `rough`: the judge's
 * own differences with steps of 1e-4 and 1e-5 are more than 1e-6 apart. Prints what is off by more
 * than 1e-6 (and more than thrice what the judge doubts) and the distributions.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sensitivity_call.h"

static const double WANTED = 1e-6;

static small_system draw(rng *r)
{
    random_choice choice = random_choice_default();
    size_t kind = rng_below(r, 4);
    choice.most_contacts = 3 + rng_below(r, 6);
    choice.stored_energy = rng_below(r, 4) == 0;
    choice.plastic_sometimes = rng_below(r, 3) == 0;
    choice.elastic = rng_below(r, 6) == 0;
    choice.uniform_exponent = rng_below(r, 2);
    choice.least_restitution = rng_below(r, 2) ? 0.1 : 0.5;
    choice.stiffness_spread = rng_below(r, 3) ? 10 : 100;
    disc_patch patch;
    small_system system = kind == 0   ? random_chain(r, choice, false)
                          : kind == 1 ? random_chain(r, choice, true)
                          : kind == 2 ? random_lagrangian(r, choice)
                                      : random_disc_patch(r, choice, &patch);
    for (size_t i = 0; i < system.n; i++) {
        system.velocity[i] += 0.1 * rng_uniform(r, -1, 1);
    }
    return system;
}

static double apart(const double *got, const double *want, size_t count)
{
    return largest_difference(got, want, count) / fmax(1e-3, largest_size(want, count));
}

static double worst_of(const small_system *system, const small_response *got,
                       const small_response *want)
{
    double worst = fmax(apart(got->velocity, want->velocity, system->n),
                        apart(got->impulse, want->impulse, system->s));
    worst = fmax(worst, fmax(apart(got->loss, want->loss, system->s),
                             apart(got->peak_force, want->peak_force, system->s)));
    worst = fmax(worst, apart(&got->energy, &want->energy, 1));
    return isnan(got->duration) ? worst : fmax(worst, apart(&got->duration, &want->duration, 1));
}

typedef struct tally {
    size_t smooth, near, slow, rough, refused, off;
    double *error, *adjoint;
    size_t adjoints;
} tally;

static void compare_reverse(rng *r, const small_system *system, const crm_model *model,
                            const crm_settings *settings, const small_variation *by,
                            small_response got, tally *count)
{
    small_response weights;
    small_variation gradient;
    double *numbers = (double *)&weights;
    for (size_t i = 0; i < sizeof weights / sizeof *numbers; i++) {
        numbers[i] = rng_uniform(r, -1, 1);
    }
    if (isnan(got.duration)) {
        got.duration = weights.duration = 0;
    }
    crm_response view = response_view(&weights);
    crm_variation to = variation_view(&gradient);
    if (crm_solve_reverse(NULL, model, system->velocity, settings, 1, &view, &to, NULL, NULL) ==
        CRM_OK) {
        double forward = response_product(model, &weights, &got);
        count->adjoint[count->adjoints++] =
            fabs(variation_product(model, &gradient, by) - forward) / fmax(1, fabs(forward));
    }
}

static void try_system(size_t number, tally *count)
{
    rng r = rng_seeded(40000 + number);
    small_system system = draw(&r);
    bool mono = rng_below(&r, 2);
    crm_model *model = small_system_model(&system);
    crm_settings *settings = lzb_settings(mono ? lzb_mono : lzb_bi);
    small_variation by = random_direction(&r, &system, model);
    small_response got, coarse, fine;
    crm_response view = response_view(&got);
    crm_variation direction = variation_view(&by);
    crm_smoothness smoothness;
    crm_error error;
    if (crm_solve_forward(NULL, model, system.velocity, settings, 1, &direction, &view, &smoothness,
                          &error) != CRM_OK) {
        printf("system %zu: %s\n", number, error.message);
        count->refused++;
    } else {
        got.energy = view.energy;
        got.duration = view.duration;
        compare_reverse(&r, &system, model, settings, &by, got, count);
        judgement outcome = {0};
        if (smoothness.margin < 1e-2) {
            count->near++;
        } else if (outcome = judge(&system, mono, 0),
                   !outcome.finished || outcome.tail || outcome.steps > 2000 ||
                       !judge_differences(&system, model, mono, &by, 1e-4, &coarse) ||
                       !judge_differences(&system, model, mono, &by, 1e-5, &fine)) {
            count->slow++;
        } else {
            double doubt = worst_of(&system, &coarse, &fine);
            double worst = fmin(worst_of(&system, &got, &coarse), worst_of(&system, &got, &fine));
            count->error[count->smooth++] = worst;
            count->rough += doubt > WANTED;
            if (!(worst <= fmax(WANTED, 3 * doubt))) {
                count->off++;
                printf("system %zu (%s): off by %.1e, the judge doubts %.1e, margin %.1e\n", number,
                       mono ? "mono" : "bi", worst, doubt, smoothness.margin);
            }
        }
    }
    crm_settings_free(settings);
    crm_model_free(model);
}

int main(int argc, char **words)
{
    size_t systems = argc > 1 ? strtoul(words[1], NULL, 10) : 1000;
    size_t first = argc > 2 ? strtoul(words[2], NULL, 10) : 0;
    tally count = {.error = calloc(systems + 1, sizeof(double)),
                   .adjoint = calloc(systems + 1, sizeof(double))};
    if (count.error == NULL || count.adjoint == NULL) {
        return 1;
    }
    for (size_t i = 0; i < systems; i++) {
        try_system(first + i, &count);
    }
    printf("%zu systems: %zu smooth and compared, %zu near a kink, %zu slow for the judge, %zu "
           "refused; %zu rough, %zu off\n",
           systems, count.smooth, count.near, count.slow, count.refused, count.rough, count.off);
    print_distribution_head();
    print_distribution("against the judge", count.error, count.smooth);
    print_distribution("forward and reverse", count.adjoint, count.adjoints);
    free(count.error);
    free(count.adjoint);
    return count.off > 0;
}
