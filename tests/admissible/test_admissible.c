/* Extremes over all outcomes that any law may give: against enumeration, against random admissible
 * impulses, against closed forms; and that every one is attained and proven.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "admissible_judge.h"
#include "complementarity_call.h"

/* A system, its set, and what a test needs of it, computed here. */
typedef struct subject {
    small_system system;
    crm_model *model;
    crm_admissible *set;
    double d[SMALL * SMALL], u[SMALL];
    double energy, limit; /* T-, and what u-'p + p'Dp/2 may be */
} subject;

static subject subject_of(const small_system *system)
{
    subject t = {.system = *system, .model = small_system_model(system)};
    crm_admissible_def def = crm_admissible_def_default();
    crm_error error;
    def.model = t.model;
    def.velocity = t.system.velocity;
    assert_ok(crm_admissible_create(&def, &t.set, &error), &error);
    for (size_t i = 0; i < system->s; i++) {
        t.limit += system->stored_energy[i];
        for (size_t j = 0; j < system->s; j++) {
            t.d[i * system->s + j] = crm_model_delassus(t.model, i, j);
        }
    }
    small_system_gap_velocity(system, system->velocity, t.u);
    t.energy = small_system_energy(system, system->velocity);
    return t;
}

static void subject_free(subject *t)
{
    crm_admissible_free(t->set);
    crm_model_free(t->model);
}

/* ---- Quantities ------------------------------------------------------------------------------ */

typedef struct range {
    crm_extreme least, most;
} range;

static range range_of(const subject *t, const crm_admissible_quantity *quantity)
{
    range r;
    crm_error error;
    double p[SMALL], v[SMALL];
    assert_ok(crm_admissible_least(t->set, quantity, &r.least, p, v, &error), &error);
    assert_ok(crm_admissible_most(t->set, quantity, &r.most, p, v, &error), &error);
    return r;
}

static range range_of_velocity(const subject *t, size_t k)
{
    double weight[SMALL] = {0};
    weight[k] = 1;
    return range_of(t, &(crm_admissible_quantity){.velocity = weight});
}

static range range_of_impulse(const subject *t, size_t j)
{
    double weight[SMALL] = {0};
    weight[j] = 1;
    return range_of(t, &(crm_admissible_quantity){.impulse = weight});
}

/* Coefficients by p of velocity k, that is e_k'M^-1 W. */
static void of_velocity(const subject *t, size_t k, double *c)
{
    for (size_t j = 0; j < t->system.s; j++) {
        double p[SMALL] = {0}, v[SMALL] = {0};
        crm_error error;
        p[j] = 1;
        assert_ok(crm_model_apply_impulse(t->model, p, v, &error), &error);
        c[j] = v[k];
    }
}

/* ---- Closed forms ---------------------------------------------------------------------------- */

/* Three equal balls, the first at speed 1. With v1 <= v2 <= v3, their sum 1 and the sum of squares
 * at most 1: v3 is from 1/3 (all together) to 1; v1 from -1/3 (the others together) to 1/3; v2 from
 * 0 (0, 0, 1) to 2/3.
 */
static void three_balls_have_closed_forms(void **state)
{
    (void)state;
    small_system system = small_system_chain(3, false);
    system.velocity[0] = 1;
    subject t = subject_of(&system);
    static const double least[] = {-1.0 / 3, 0, 1.0 / 3}, most[] = {1.0 / 3, 2.0 / 3, 1};
    for (size_t k = 0; k < 3; k++) {
        range r = range_of_velocity(&t, k);
        assert_near(r.least.value, least[k], 1e-10);
        assert_near(r.least.bound, least[k], 1e-10);
        assert_near(r.most.value, most[k], 1e-10);
        assert_near(r.most.bound, most[k], 1e-10);
    }
    range r = range_of(&t, &(crm_admissible_quantity){.energy = 2});
    assert_near(r.least.value, 1.0 / 3, 1e-10);
    assert_near(r.most.value, 1, 1e-14);
    subject_free(&t);
}

/* Any number of balls: all energy may end in the last. */
static void the_last_ball_may_get_all(void **state)
{
    (void)state;
    for (size_t n = 2; n <= SMALL; n++) {
        small_system system = small_system_chain(n, false);
        system.velocity[0] = 1;
        subject t = subject_of(&system);
        range r = range_of_velocity(&t, n - 1);
        assert_near(r.most.value, 1, 1e-9);
        assert_near(r.most.bound, 1, 1e-9);
        assert_near(r.least.value, 1.0 / (double)n, 1e-9);
        subject_free(&t);
    }
}

/* A ball between two walls cannot move; one that strikes it rebounds with e in [0, 1]. */
static void a_pinched_ball_stays(void **state)
{
    (void)state;
    small_system system = small_system_blank(2, 3);
    static const double w[] = {-1, 1, 0, 1, 0, -1};
    memcpy(system.w, w, sizeof w);
    system.velocity[0] = 1;
    subject t = subject_of(&system);
    const bool *pinched = crm_admissible_pinched(t.set);
    assert_true(!pinched[0] && pinched[1] && pinched[2]);
    range first = range_of_velocity(&t, 0), second = range_of_velocity(&t, 1);
    assert_near(first.least.value, -1, 1e-10);
    assert_near(first.most.value, 0, 1e-10);
    assert_near(second.least.value, 0, 1e-12);
    assert_near(second.most.value, 0, 1e-12);
    assert_true(isinf(range_of_impulse(&t, 1).most.value));
    assert_near(range_of_impulse(&t, 0).most.value, 2, 1e-10);
    subject_free(&t);
}

static void nothing_closing_is_a_single_outcome(void **state)
{
    (void)state;
    small_system system = small_system_chain(3, false);
    system.velocity[2] = 1;
    subject t = subject_of(&system);
    assert_int_equal(crm_admissible_kind_of(t.set), CRM_ADMISSIBLE_SINGLE);
    for (size_t k = 0; k < 3; k++) {
        range r = range_of_velocity(&t, k);
        assert_true(r.least.value == system.velocity[k] && r.most.value == system.velocity[k]);
    }
    subject_free(&t);
}

static void no_contacts_are_a_single_outcome(void **state)
{
    (void)state;
    small_system system = small_system_blank(1, 0);
    system.velocity[0] = 3;
    subject t = subject_of(&system);
    range r = range_of_velocity(&t, 0);
    assert_true(r.least.value == 3 && r.most.value == 3);
    subject_free(&t);
}

/* ---- Enumeration ----------------------------------------------------------------------------- */

/* Against the judge: numbers of the size of `scale`. */
static double error_of(const subject *t, double theta, const double *c, double constant, double got,
                       double scale)
{
    size_t s = t->system.s;
    double largest = 0;
    for (size_t j = 0; j < s; j++) {
        largest = fmax(largest, fabs(t->u[j]));
    }
    double want =
        constant + admissible_judge_least(s, t->d, t->u, t->limit, theta, c, 1e-9 * largest);
    return fabs(want - got) / scale;
}

static double compare_all(const subject *t)
{
    double worst = 0, minus[SMALL];
    for (size_t k = 0; k < t->system.n; k++) {
        double c[SMALL];
        of_velocity(t, k, c);
        range r = range_of_velocity(t, k);
        double at = t->system.velocity[k], scale = fabs(at) + fabs(r.least.value - r.most.value);
        for (size_t j = 0; j < t->system.s; j++) {
            minus[j] = -c[j];
        }
        worst = fmax(worst, error_of(t, 0, c, at, r.least.value, scale));
        worst = fmax(worst, error_of(t, 0, minus, -at, -r.most.value, scale));
    }
    for (size_t j = 0; j < t->system.s; j++) {
        double c[SMALL] = {0};
        range r = range_of_impulse(t, j);
        c[j] = 1;
        worst = fmax(worst, error_of(t, 0, c, 0, r.least.value, r.most.value));
        c[j] = -1;
        worst = fmax(worst, error_of(t, 0, c, 0, -r.most.value, r.most.value));
    }
    range r = range_of(t, &(crm_admissible_quantity){.energy = 1});
    double c[SMALL];
    for (size_t j = 0; j < t->system.s; j++) {
        c[j] = -t->system.boundary_velocity[j];
    }
    return fmax(worst, error_of(t, 1, c, t->energy, r.least.value, t->energy));
}

static void enumeration_agrees(void **state)
{
    (void)state;
    rng r = rng_seeded(41);
    double worst = 0;
    size_t compared = 0;
    random_choice choice = random_choice_default();
    choice.most_contacts = 3;
    for (size_t i = 0; compared < rounds(300, 40); i++) {
        small_system system =
            i % 2 ? random_lagrangian(&r, choice) : random_chain(&r, choice, i % 4 == 0);
        if (system.s > 3 || system.s > system.n) {
            continue;
        }
        subject t = subject_of(&system);
        if (crm_admissible_kind_of(t.set) == CRM_ADMISSIBLE_REGION) {
            double error = compare_all(&t);
            if (error > 1e-9) {
                small_system_print(&system);
                print_message("error %g\n", error);
            }
            worst = fmax(worst, error);
            compared++;
        }
        subject_free(&t);
    }
    print_message("%zu systems, largest difference %.2g\n", compared, worst);
    assert_true(worst < 1e-9);
}

/* ---- Random outcomes ------------------------------------------------------------------------- */

/* From p along d: the interval in which all stays admissible. */
static void clip_interval(const subject *t, const double *p, const double *d, double *low,
                          double *high)
{
    size_t s = t->system.s;
    double a = 0, b = 0, c = -t->limit;
    *low = -INFINITY;
    *high = INFINITY;
    for (size_t i = 0; i < s; i++) {
        double w = t->u[i], change = 0;
        for (size_t j = 0; j < s; j++) {
            w += t->d[i * s + j] * p[j];
            change += t->d[i * s + j] * d[j];
        }
        a += 0.5 * d[i] * change;
        b += d[i] * w;
        c += p[i] * (t->u[i] + w) / 2;
        const double at[] = {p[i], w}, by[] = {d[i], change};
        for (int k = 0; k < 2; k++) {
            if (by[k] > 0) {
                *low = fmax(*low, -at[k] / by[k]);
            } else if (by[k] < 0) {
                *high = fmin(*high, -at[k] / by[k]);
            }
        }
    }
    if (a > 0) {
        double root = sqrt(fmax(b * b - 4 * a * c, 0));
        *low = fmax(*low, (-b - root) / (2 * a));
        *high = fmin(*high, (-b + root) / (2 * a));
    }
    *low = fmin(*low, 0);
    *high = fmax(*high, 0);
}

static void wander(const subject *t, rng *r, double *p)
{
    double d[SMALL], low, high;
    for (size_t j = 0; j < t->system.s; j++) {
        d[j] = rng_normal(r) / sqrt(t->d[j * t->system.s + j]);
        if (rng_below(r, 3) == 0) {
            d[j] = 0;
        }
    }
    clip_interval(t, p, d, &low, &high);
    if (isfinite(low) && isfinite(high)) {
        double step = rng_uniform(r, low, high);
        step = rng_below(r, 4) == 0 ? (rng_below(r, 2) ? low : high) : step;
        for (size_t j = 0; j < t->system.s; j++) {
            p[j] = fmax(p[j] + step * d[j], 0);
        }
    }
}

/* An admissible p to start from: that at which velocity 0 is least. */
static void random_outcomes_stay_within(const subject *t, rng *r)
{
    range velocity[SMALL];
    double p[SMALL], v[SMALL], speed = 0;
    crm_error error;
    crm_extreme start;
    double weight[SMALL] = {1};
    assert_ok(crm_admissible_least(t->set, &(crm_admissible_quantity){.velocity = weight}, &start,
                                   p, NULL, &error),
              &error);
    for (size_t k = 0; k < t->system.n; k++) {
        velocity[k] = range_of_velocity(t, k);
    }
    for (int i = 0; i < 400; i++) {
        wander(t, r, p);
        memcpy(v, t->system.velocity, sizeof v);
        assert_ok(crm_model_apply_impulse(t->model, p, v, &error), &error);
        speed = fmax(speed, largest_size(v, t->system.n));
        for (size_t k = 0; k < t->system.n; k++) {
            assert_true(v[k] >= velocity[k].least.bound - 1e-8 * speed);
            assert_true(v[k] <= velocity[k].most.bound + 1e-8 * speed);
        }
    }
}

/* Attained, by an admissible p, and proven: the gap to the bound is nothing beside the range. */
static double check_proof(const subject *t, size_t k)
{
    range r = range_of_velocity(t, k);
    double scale = fabs(t->system.velocity[k]) + r.most.value - r.least.value;
    scale = scale > 0 ? scale : 1;
    assert_true(r.least.bound <= r.least.value + 1e-9 * scale);
    assert_true(r.most.bound >= r.most.value - 1e-9 * scale);
    return fmax(fmax((r.least.value - r.least.bound), (r.most.bound - r.most.value)) / scale,
                fmax(r.least.violation, r.most.violation));
}

static void random_systems_are_proven(void **state)
{
    (void)state;
    rng r = rng_seeded(7);
    double worst = 0;
    size_t regions = 0;
    for (size_t i = 0; i < rounds(600, 36); i++) {
        small_system system = random_struck_system(&r, (int)i);
        subject t = subject_of(&system);
        if (crm_admissible_kind_of(t.set) == CRM_ADMISSIBLE_REGION) {
            double here = 0;
            for (size_t k = 0; k < system.n; k++) {
                here = fmax(here, check_proof(&t, k));
            }
            if (here > 1e-8) {
                print_message("system %zu kind %zu: %g\n", i, i % 12, here);
            }
            worst = fmax(worst, here);
            random_outcomes_stay_within(&t, &r);
            regions++;
        }
        subject_free(&t);
    }
    print_message("%zu systems, largest gap or violation %.2g\n", regions, worst);
    assert_true(regions > 0 && worst < 1e-8);
}

/* ---- Ugly systems ---------------------------------------------------------------------------- */

/* Contact b becomes contact a, up to so much and a factor. */
static void make_parallel(small_system *system, size_t a, size_t b, double factor, double apart)
{
    for (size_t i = 0; i < system->n; i++) {
        double *w = system->w + b * system->n + i;
        *w = factor * system->w[a * system->n + i] + apart * *w;
    }
}

/* Masses over twelve orders of magnitude, any unit of speed, contacts that are the same, opposite
 * (which pinches), or nearly parallel, moving walls, stored energy.
 */
static small_system ugly_system(rng *r, size_t number)
{
    size_t n = 1 + rng_below(r, 6), s = 1 + rng_below(r, 7);
    small_system system = small_system_blank(n, s);
    double unit = number % 5 == 0 ? rng_log(r, 1e-15, 1e15) : 1;
    double spread = number % 3 == 0 ? 1e3 : 3;
    for (size_t i = 0; i < n; i++) {
        system.mass[i * n + i] = rng_log(r, 1 / spread, spread);
        system.velocity[i] = unit * (rng_below(r, 3) == 0 ? 0 : rng_normal(r));
    }
    for (size_t k = 0; k < n * s; k++) {
        system.w[k] = rng_normal(r);
    }
    for (size_t j = 1; j < s; j++) {
        size_t a = rng_below(r, j);
        double side = rng_below(r, 4) == 0 ? -rng_log(r, 0.1, 10) : rng_log(r, 0.1, 10);
        if (number % 4 == 1) {
            make_parallel(&system, a, j, side, 0);
        } else if (number % 4 == 2 && side > 0) {
            make_parallel(&system, a, j, side, rng_log(r, 1e-5, 1e-1));
        }
        if (number % 7 == 3) {
            system.stored_energy[j] = rng_below(r, 2) ? 0 : unit * unit * rng_log(r, 1e-3, 1);
        }
    }
    return system;
}

typedef struct ugly_counts {
    size_t regions, singles, empty, pinched, unresolved, wide;
    double worst;
} ugly_counts;

static void check_ugly(const small_system *system, rng *r, ugly_counts *counts)
{
    crm_model *model = small_system_model(system);
    crm_admissible_def def = crm_admissible_def_default();
    crm_error error;
    crm_admissible *set;
    def.model = model;
    def.velocity = system->velocity;
    crm_status status = crm_admissible_create(&def, &set, &error);
    if (status != CRM_OK) {
        assert_int_equal(status, CRM_ERROR_NUMERICS);
        counts->unresolved++;
        crm_model_free(model);
        return;
    }
    counts->empty += crm_admissible_kind_of(set) == CRM_ADMISSIBLE_EMPTY;
    counts->singles += crm_admissible_kind_of(set) == CRM_ADMISSIBLE_SINGLE;
    bool region = crm_admissible_kind_of(set) == CRM_ADMISSIBLE_REGION;
    for (size_t j = 0; j < system->s; j++) {
        counts->pinched += crm_admissible_pinched(set)[j];
    }
    crm_admissible_free(set);
    crm_model_free(model);
    if (region) {
        subject t = subject_of(system);
        double here = 0;
        for (size_t k = 0; k < system->n; k++) {
            here = fmax(here, check_proof(&t, k));
        }
        counts->wide += here > 1e-7;
        counts->worst = fmax(counts->worst, here);
        counts->regions++;
        random_outcomes_stay_within(&t, r);
        subject_free(&t);
    }
}

static void ugly_systems_are_proven(void **state)
{
    (void)state;
    rng r = rng_seeded(11);
    ugly_counts counts = {0};
    for (size_t i = 0; i < rounds(1000, 50); i++) {
        small_system system = ugly_system(&r, i);
        check_ugly(&system, &r, &counts);
    }
    print_message("%zu regions, %zu single, %zu empty, %zu pinched contacts, %zu not resolved; "
                  "gap or violation above 1e-7 in %zu, at most %.2g\n",
                  counts.regions, counts.singles, counts.empty, counts.pinched, counts.unresolved,
                  counts.wide, counts.worst);
    assert_true(counts.regions > 0 && counts.pinched > 0 && 50 * counts.wide <= counts.regions);
    assert_true(counts.worst < 1e-3);
}

/* ---- The laws -------------------------------------------------------------------------------- */

/* Verdicts allow for 1e-10 of rounding, or the error of the integration. Where the energy meets an
 * edge of the set at a small angle, its root is how far outside that may be.
 */
static void check_inside(const subject *t, const crm_outcome *outcome, double allowed)
{
    crm_extreme distance;
    crm_error error;
    double speed = fmax(largest_size(outcome->velocity, t->system.n),
                        largest_size(t->system.velocity, t->system.n));
    for (size_t k = 0; k < t->system.n; k++) {
        range r = range_of_velocity(t, k);
        assert_true(outcome->velocity[k] >= r.least.bound - allowed * speed);
        assert_true(outcome->velocity[k] <= r.most.bound + allowed * speed);
    }
    assert_ok(crm_admissible_distance(t->set, outcome->impulse, &distance, &error), &error);
    assert_true(distance.bound <= allowed);
}

static void outcomes_that_pass_the_verdicts_are_inside(void **state)
{
    (void)state;
    rng r = rng_seeded(23);
    size_t passed = 0, outside = 0;
    for (size_t i = 0; i < rounds(240, 24); i++) {
        small_system system = random_struck_system(&r, (int)i);
        subject t = subject_of(&system);
        const crm_law *law = crm_law_at(i / 12 % crm_law_count());
        crm_settings *settings = law_settings(law);
        crm_outcome *outcome = NULL;
        crm_error error;
        bool region = crm_admissible_kind_of(t.set) == CRM_ADMISSIBLE_REGION;
        if (region &&
            crm_solve(t.model, system.velocity, settings, NULL, &outcome, &error) == CRM_OK) {
            bool good = outcome->result == CRM_SOLVED && outcome->kinematic && outcome->kinetic &&
                        outcome->energetic;
            if (good) {
                double estimate = isnan(outcome->error_estimate) ? 0 : outcome->error_estimate;
                check_inside(&t, outcome, 1e-2 * sqrt(fmax(1e-10, 2 * estimate)));
            }
            passed += good;
            outside += outcome->result == CRM_SOLVED && !good;
        }
        crm_outcome_free(outcome);
        crm_settings_free(settings);
        subject_free(&t);
    }
    print_message("%zu outcomes pass, %zu do not\n", passed, outside);
    assert_true(passed > 5);
}

/* Two equal balls: v = (1 - p, p), admissible from p = 1/2 to 1. At p = 3/2 both are 1/2 too far,
 * which has the energy 1/4; T- = 1/2.
 */
static void what_is_outside_has_its_distance(void **state)
{
    (void)state;
    small_system system = small_system_chain(2, false);
    system.velocity[0] = 1;
    subject t = subject_of(&system);
    const double p = 1.5;
    crm_extreme distance;
    crm_error error;
    assert_ok(crm_admissible_distance(t.set, &p, &distance, &error), &error);
    assert_near(distance.value, sqrt(0.5), 1e-9);
    assert_near(distance.bound, sqrt(0.5), 1e-9);
    subject_free(&t);
}

/* Less energy, less room: nested sets. Two equal balls: T+/T- = (1 + e^2)/2. */
static void levels_of_energy_are_nested(void **state)
{
    (void)state;
    small_system system = small_system_chain(2, false);
    system.velocity[0] = 1;
    crm_model *model = small_system_model(&system);
    for (int k = 0; k <= 10; k++) {
        double e = k / 10.0, weight[SMALL] = {0, 1};
        crm_admissible_def def = crm_admissible_def_default();
        crm_admissible *set;
        crm_extreme extreme;
        crm_error error;
        def.model = model;
        def.velocity = system.velocity;
        def.energy_ratio = k == 0 ? 0.5 + 1e-15 : (1 + e * e) / 2;
        assert_ok(crm_admissible_create(&def, &set, &error), &error);
        const crm_admissible_quantity quantity = {.velocity = weight};
        assert_ok(crm_admissible_most(set, &quantity, &extreme, NULL, NULL, &error), &error);
        assert_near(extreme.value, (1 + e) / 2, 1e-7);
        crm_admissible_free(set);
    }
    crm_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_balls_have_closed_forms),
        cmocka_unit_test(the_last_ball_may_get_all),
        cmocka_unit_test(a_pinched_ball_stays),
        cmocka_unit_test(nothing_closing_is_a_single_outcome),
        cmocka_unit_test(no_contacts_are_a_single_outcome),
        cmocka_unit_test(enumeration_agrees),
        cmocka_unit_test(random_systems_are_proven),
        cmocka_unit_test(ugly_systems_are_proven),
        cmocka_unit_test(outcomes_that_pass_the_verdicts_are_inside),
        cmocka_unit_test(what_is_outside_has_its_distance),
        cmocka_unit_test(levels_of_energy_are_nested),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
