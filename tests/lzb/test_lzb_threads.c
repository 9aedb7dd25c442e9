/* Threads within one impact: the team, and the same bits for any number of them. */
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/team.h"
#include "support.h"

static const size_t some_threads[] = {1, 2, 3, 7};
enum { KINDS_OF_TEAM = sizeof some_threads / sizeof some_threads[0] };

/* ---- The team ------------------------------------------------------------------------------- */

typedef struct job {
    atomic_uint done[64];
    double value[64];
} job;

static void do_part(void *context, size_t part)
{
    job *j = context;
    atomic_fetch_add(&j->done[part], 1);
    j->value[part] += (double)part; /* not atomic: it is this thread's alone */
}

static void every_part_is_done_once(void **state)
{
    (void)state;
    enum { JOBS = 2000 };
    for (size_t t = 0; t < KINDS_OF_TEAM; t++) {
        crm_team *team = crm_team_create(some_threads[t]);
        assert_true(crm_team_threads(team) <= some_threads[t]);
        job *j = calloc(1, sizeof *j);
        for (unsigned i = 0; i < JOBS; i++) {
            size_t parts = i % 65;
            for (size_t part = 0; part < 64; part++) {
                atomic_store(&j->done[part], 0);
                j->value[part] = i;
            }
            crm_team_run(team, parts, do_part, j);
            for (size_t part = 0; part < 64; part++) {
                assert_int_equal(atomic_load(&j->done[part]), part < parts);
                assert_true(j->value[part] == i + (part < parts ? (double)part : 0));
            }
        }
        free(j);
        crm_team_free(team);
    }
}

/* ---- Large impacts -------------------------------------------------------------------------- */

typedef struct large_impact {
    crm_model *model;
    double *velocity;
} large_impact;

typedef struct kind {
    const char *name, *stiffness;
    double restitution;  /* of the first contact; ... */
    double spread;       /* ... the others lower by up to this */
    double exponents[2]; /* between these */
} kind;

static const kind kinds[] = {{"elastic", "bi", 1, 0, {1.5, 1.5}},
                             {"linear", "bi", 1, 0, {1, 1}},
                             {"lossy", "bi", 0.9, 0.3, {1.5, 1.5}},
                             {"mixed", "bi", 1, 0.4, {1.1, 2}},
                             {"mono", "mono", 0.9, 0.3, {1.5, 1.5}}};
enum { KINDS = sizeof kinds / sizeof kinds[0], COLUMNS = 31, ROWS = 30, BEADS = 3000 };

static double *random_list(rng *r, size_t count, double low, double high)
{
    double *list = malloc(count * sizeof *list);
    for (size_t i = 0; i < count; i++) {
        list[i] = rng_uniform(r, low, high);
    }
    return list;
}

/* Everything moves inwards, each ball a little differently: all contacts are soon at work. */
static void squeeze(const crm_model *model, rng *r, double *velocity)
{
    size_t n = crm_model_coordinates(model), s = crm_model_contacts(model);
    double *u = calloc(s, sizeof *u), *p = calloc(s, sizeof *p);
    for (size_t round = 0; round < 60; round++) { /* until every contact closes, at about 1 */
        crm_model_gap_velocity(model, velocity, u);
        for (size_t j = 0; j < s; j++) {
            p[j] = -0.2 * (u[j] + 1) / crm_model_delassus(model, j, j);
        }
        assert_int_equal(crm_model_apply_impulse(model, p, velocity, NULL), CRM_OK);
    }
    for (size_t i = 0; i < n; i++) {
        velocity[i] += rng_uniform(r, -0.4, 0.4);
    }
    free(u);
    free(p);
}

static large_impact packing_sized(const kind *k, size_t columns, size_t rows, uint64_t seed)
{
    rng r = rng_seeded(seed);
    crm_packing_def def = crm_packing_def_default();
    def.columns = columns;
    def.rows = rows;
    size_t balls = crm_packing_balls(&def), contacts = crm_packing_contacts(&def);
    double *mass = random_list(&r, balls, 0.5, 2), *stiffness = random_list(&r, contacts, 0.5, 2);
    double *exponent = random_list(&r, contacts, k->exponents[0], k->exponents[1]);
    double *restitution =
        random_list(&r, contacts, k->restitution - k->spread, k->restitution + 1e-300);
    def.mass.each = mass;
    def.stiffness.each = stiffness;
    def.exponent.each = exponent;
    def.restitution.each = restitution;
    large_impact made = {0};
    crm_error error = {0};
    assert_ok(crm_model_from_packing(&def, &made.model, &error), &error);
    made.velocity = calloc(crm_model_coordinates(made.model), sizeof *made.velocity);
    squeeze(made.model, &r, made.velocity);
    free(mass);
    free(stiffness);
    free(exponent);
    free(restitution);
    return made;
}

static large_impact packing_of(const kind *k, uint64_t seed)
{
    return packing_sized(k, COLUMNS, ROWS, seed);
}

/* D is three diagonals. */
static large_impact chain_of(const kind *k, uint64_t seed)
{
    rng r = rng_seeded(seed);
    crm_chain_def def = crm_chain_def_default();
    def.count = BEADS;
    def.stiffness.all = 1;
    def.exponent.all = k->exponents[0];
    def.restitution.all = k->restitution;
    large_impact made = {.velocity = calloc(BEADS, sizeof(double))};
    crm_error error = {0};
    assert_ok(crm_model_from_chain(&def, &made.model, &error), &error);
    for (size_t i = 0; i < BEADS; i++) {
        made.velocity[i] = -(double)i + rng_uniform(&r, -0.4, 0.4);
    }
    return made;
}

static void release(large_impact *it)
{
    crm_model_free(it->model);
    free(it->velocity);
}

static crm_settings *settings_of(const kind *k, double steps)
{
    crm_settings *settings = NULL;
    crm_error error = {0};
    assert_ok(crm_settings_create(crm_law_find("lzb"), &settings, &error), &error);
    assert_ok(crm_settings_set_text(settings, "stiffness_model", k->stiffness, &error), &error);
    assert_ok(crm_settings_set_number(settings, "tolerance", 1e-6, &error), &error);
    assert_ok(crm_settings_set_number(settings, "max_steps", steps, &error), &error);
    return settings;
}

static const crm_outcome *solve(crm_workspace *workspace, const large_impact *it,
                                const crm_settings *settings)
{
    const crm_outcome *outcome = NULL;
    crm_error error = {0};
    assert_ok(crm_solve_with(workspace, it->model, it->velocity, settings, NULL, &outcome, &error),
              &error);
    return outcome;
}

static void same_bits(const crm_outcome *a, const crm_outcome *b)
{
    size_t n = a->coordinates * sizeof(double), s = a->contacts * sizeof(double);
    assert_int_equal(a->steps, b->steps);
    assert_int_equal(a->evaluations, b->evaluations);
    assert_int_equal(a->result, b->result);
    assert_memory_equal(&a->duration, &b->duration, sizeof a->duration);
    assert_memory_equal(&a->error_estimate, &b->error_estimate, sizeof a->error_estimate);
    assert_memory_equal(a->velocity, b->velocity, n);
    assert_memory_equal(a->impulse, b->impulse, s);
    assert_memory_equal(a->loss, b->loss, s);
    assert_memory_equal(a->peak_force, b->peak_force, s);
    assert_memory_equal(a->contact_duration, b->contact_duration, s);
    assert_memory_equal(a->compressions, b->compressions, a->contacts * sizeof *a->compressions);
}

static void check_all_threads(const large_impact *it, const crm_settings *settings)
{
    crm_outcome *expected = NULL;
    crm_error error = {0};
    assert_ok(crm_solve(it->model, it->velocity, settings, NULL, &expected, &error), &error);
    for (size_t t = 0; t < KINDS_OF_TEAM; t++) {
        crm_workspace *workspace = NULL;
        assert_ok(crm_workspace_create(&workspace, &error), &error);
        crm_workspace_use_threads(workspace, some_threads[t]);
        same_bits(solve(workspace, it, settings), expected);
        crm_workspace_free(workspace);
    }
    crm_outcome_free(expected);
}

static void packings_have_the_same_bits(void **state)
{
    (void)state;
    for (size_t k = 0; k < KINDS; k++) {
        large_impact it = packing_of(&kinds[k], 100 + k);
        crm_settings *settings = settings_of(&kinds[k], 12);
        check_all_threads(&it, settings);
        crm_settings_free(settings);
        release(&it);
    }
}

static void chains_have_the_same_bits(void **state)
{
    (void)state;
    for (size_t k = 0; k < 3; k++) {
        large_impact it = chain_of(&kinds[k], 200 + k);
        crm_settings *settings = settings_of(&kinds[k], 15);
        check_all_threads(&it, settings);
        crm_settings_free(settings);
        release(&it);
    }
}

/* ---- A plain leapfrog, to compare with ------------------------------------------------------ */

/* Bi-stiffness, theory section 2, every contact at every step: the velocities at time `end`. Of
 * second order between kinks, of first at them.
 */
static double *plain_leapfrog(const large_impact *it, double end, size_t steps)
{
    const crm_model *m = it->model;
    size_t n = crm_model_coordinates(m), s = crm_model_contacts(m);
    const double *stiffness = crm_model_stiffness(m), *e = crm_model_restitution(m),
                 *exponent = crm_model_exponent(m);
    double *v = malloc(n * sizeof *v), *x = calloc(s, sizeof *x), *u = calloc(s, sizeof *u);
    double *p = calloc(s, sizeof *p), h = end / (double)steps;
    memcpy(v, it->velocity, n * sizeof *v);
    for (size_t i = 0; i <= steps; i++) {
        double drift = i == 0 || i == steps ? 0.5 * h : h;
        crm_model_gap_velocity(m, v, u);
        for (size_t j = 0; j < s; j++) {
            x[j] = fmax(x[j] - drift * u[j] / (u[j] > 0 ? e[j] * e[j] : 1), 0);
            p[j] = h * stiffness[j] *
                   (exponent[j] == 1.5 ? x[j] * sqrt(x[j]) : pow(x[j], exponent[j]));
        }
        if (i < steps) {
            assert_int_equal(crm_model_apply_impulse(m, p, v, NULL), CRM_OK);
        }
    }
    free(x);
    free(u);
    free(p);
    return v;
}

typedef struct comparison {
    double moved;  /* largest change of a velocity in the impact */
    double off;    /* largest difference to the leapfrog of so many steps, ... */
    double change; /* ... and by how much that one changes from half as many */
} comparison;

static comparison compare_with_leapfrog(const large_impact *it, const crm_outcome *outcome,
                                        size_t steps)
{
    double *coarse = plain_leapfrog(it, outcome->duration, steps / 2);
    double *fine = plain_leapfrog(it, outcome->duration, steps);
    comparison c = {0};
    for (size_t i = 0; i < outcome->coordinates; i++) {
        c.off = fmax(c.off, fabs(outcome->velocity[i] - fine[i]));
        c.change = fmax(c.change, fabs(coarse[i] - fine[i]));
        c.moved = fmax(c.moved, fabs(fine[i] - it->velocity[i]));
    }
    free(coarse);
    free(fine);
    return c;
}

static void large_impacts_agree_with_a_plain_leapfrog(void **state)
{
    (void)state;
    const kind lossy = {"lossy", "bi", 0.8, 0.2, {1.5, 1.5}};
    const kind *chosen[] = {&kinds[0], &lossy, &kinds[3]};
    for (size_t k = 0; k < sizeof chosen / sizeof chosen[0]; k++) {
        large_impact it = packing_of(chosen[k], 300 + k);
        crm_settings *settings = settings_of(chosen[k], 40);
        crm_workspace *workspace = NULL;
        assert_int_equal(crm_workspace_create(&workspace, NULL), CRM_OK);
        crm_workspace_use_threads(workspace, 2);
        const crm_outcome *outcome = solve(workspace, &it, settings);
        comparison c = compare_with_leapfrog(&it, outcome, 2000);
        printf("%s: to t = %.3f, velocities change by %.2f; off %.1e, uncertain by %.1e\n",
               chosen[k]->name, outcome->duration, c.moved, c.off, c.change);
        assert_true(c.moved > 0.3);
        assert_true(c.change < 1e-3 && c.off < 2 * c.change);
        crm_workspace_free(workspace);
        crm_settings_free(settings);
        release(&it);
    }
}

/* So many contacts that the substeps go through them in waves. */
static void waves_agree_with_a_plain_leapfrog(void **state)
{
    (void)state;
    enum { SIDE = 152, STEPS = 8 };
    large_impact impacts[2] = {packing_sized(&kinds[0], SIDE, SIDE, 700), {0}};
    crm_chain_def def = crm_chain_def_default();
    def.count = 70000;
    def.stiffness.all = 1;
    def.exponent.all = 1.5;
    impacts[1].velocity = calloc(def.count, sizeof *impacts[1].velocity);
    assert_int_equal(crm_model_from_chain(&def, &impacts[1].model, NULL), CRM_OK);
    rng r = rng_seeded(701);
    for (size_t i = 0; i < def.count; i++) {
        impacts[1].velocity[i] = (i % 2 == 0 ? 1 : -1) * rng_uniform(&r, 0.5, 1);
    }
    crm_settings *settings = settings_of(&kinds[0], STEPS);
    assert_int_equal(crm_settings_set_number(settings, "tolerance", 1e-3, NULL), CRM_OK);
    for (size_t i = 0; i < 2; i++) {
        crm_workspace *one = NULL, *two = NULL;
        assert_int_equal(crm_workspace_create(&one, NULL), CRM_OK);
        assert_int_equal(crm_workspace_create(&two, NULL), CRM_OK);
        crm_workspace_use_threads(two, 2);
        const crm_outcome *outcome = solve(one, &impacts[i], settings);
        same_bits(solve(two, &impacts[i], settings), outcome);
        comparison c = compare_with_leapfrog(&impacts[i], outcome, 60);
        printf("%zu contacts: to t = %.3f, velocities change by %.2f; off %.1e, uncertain by "
               "%.1e\n",
               outcome->contacts, outcome->duration, c.moved, c.off, c.change);
        assert_true(c.moved > 1e-3);
        assert_true(c.change < 0.03 * c.moved && c.off < 2 * c.change);
        crm_workspace_free(one);
        crm_workspace_free(two);
        release(&impacts[i]);
    }
    crm_settings_free(settings);
}

/* ---- The workspace -------------------------------------------------------------------------- */

static void a_workspace_changes_its_threads(void **state)
{
    (void)state;
    large_impact large = packing_of(&kinds[2], 400), line = chain_of(&kinds[0], 401);
    crm_settings *settings = settings_of(&kinds[2], 12);
    crm_outcome *expected[2];
    assert_int_equal(crm_solve(large.model, large.velocity, settings, NULL, &expected[0], NULL),
                     CRM_OK);
    assert_int_equal(crm_solve(line.model, line.velocity, settings, NULL, &expected[1], NULL),
                     CRM_OK);
    crm_workspace *workspace = NULL;
    assert_int_equal(crm_workspace_create(&workspace, NULL), CRM_OK);
    const size_t threads[] = {2, 2, 3, 1, 0, 2};
    for (size_t i = 0; i < sizeof threads / sizeof threads[0]; i++) {
        crm_workspace_use_threads(workspace, threads[i]);
        same_bits(solve(workspace, i % 2 == 0 ? &large : &line, settings), expected[i % 2]);
        same_bits(solve(workspace, i % 2 == 0 ? &line : &large, settings), expected[1 - i % 2]);
    }
    crm_workspace_free(workspace);
    crm_outcome_free(expected[0]);
    crm_outcome_free(expected[1]);
    crm_settings_free(settings);
    release(&large);
    release(&line);
}

/* Threads of this process; 0 where the system does not say. */
static size_t threads_now(void)
{
    DIR *tasks = opendir("/proc/self/task");
    size_t count = 0;
    for (struct dirent *d = tasks != NULL ? readdir(tasks) : NULL; d != NULL; d = readdir(tasks)) {
        count += d->d_name[0] != '.';
    }
    if (tasks != NULL) {
        closedir(tasks);
    }
    return count;
}

static crm_status count_threads(void *context, const crm_sample *sample)
{
    (void)sample;
    size_t *most = context, now = threads_now();
    *most = now > *most ? now : *most;
    return CRM_OK;
}

static size_t threads_during(size_t threads, const large_impact *it, const crm_settings *settings)
{
    size_t most = 0;
    const crm_recorder recorder = {.context = &most, .record = count_threads};
    const crm_outcome *outcome;
    crm_workspace *workspace = NULL;
    assert_int_equal(crm_workspace_create(&workspace, NULL), CRM_OK);
    if (threads != 1) {
        crm_workspace_use_threads(workspace, threads);
    }
    assert_int_equal(
        crm_solve_with(workspace, it->model, it->velocity, settings, &recorder, &outcome, NULL),
        CRM_OK);
    crm_workspace_free(workspace);
    return most;
}

static void threads_are_those_asked_for(void **state)
{
    (void)state;
    size_t before = threads_now();
    if (before == 0) {
        skip();
    }
    large_impact large = packing_of(&kinds[0], 500);
    crm_settings *settings = settings_of(&kinds[0], 3);
    assert_int_equal(threads_during(1, &large, settings), before);
    assert_int_equal(threads_during(3, &large, settings), before + 2);
    assert_int_equal(threads_now(), before);
    double *small = calloc(crm_model_coordinates(large.model), sizeof *small);
    small[0] = 1; /* one ball into the others: a few contacts only */
    small[1] = 1;
    large_impact struck = {.model = large.model, .velocity = small};
    assert_int_equal(threads_during(3, &struck, settings), before);
    free(small);
    crm_settings_free(settings);
    release(&large);
}

/* Its threads are shared among the systems; each impact stays on one. */
static void batches_have_the_same_bits(void **state)
{
    (void)state;
    enum { SYSTEMS = 3 };
    large_impact it = packing_of(&kinds[2], 600);
    crm_settings *settings = settings_of(&kinds[2], 8);
    size_t n = crm_model_coordinates(it.model);
    double *before = malloc(SYSTEMS * n * sizeof *before);
    double *after = malloc(SYSTEMS * n * sizeof *after);
    for (size_t i = 0; i < SYSTEMS * n; i++) {
        before[i] = it.velocity[i % n];
    }
    const crm_batch_def def = {.count = SYSTEMS,
                               .model = it.model,
                               .velocities = before,
                               .settings = settings,
                               .threads = 2};
    const crm_batch_results results = {.velocities = after};
    assert_int_equal(crm_solve_batch(&def, &results, NULL), CRM_OK);
    crm_outcome *expected = NULL;
    assert_int_equal(crm_solve(it.model, it.velocity, settings, NULL, &expected, NULL), CRM_OK);
    for (size_t i = 0; i < SYSTEMS; i++) {
        assert_memory_equal(after + i * n, expected->velocity, n * sizeof *after);
    }
    crm_outcome_free(expected);
    free(before);
    free(after);
    crm_settings_free(settings);
    release(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_part_is_done_once),
        cmocka_unit_test(packings_have_the_same_bits),
        cmocka_unit_test(chains_have_the_same_bits),
        cmocka_unit_test(large_impacts_agree_with_a_plain_leapfrog),
        cmocka_unit_test(waves_agree_with_a_plain_leapfrog),
        cmocka_unit_test(a_workspace_changes_its_threads),
        cmocka_unit_test(threads_are_those_asked_for),
        cmocka_unit_test(batches_have_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
