/* Watching over long calls: every law and solver asks, ends when it is told to, and is otherwise
 * as if nobody watched.
 */
#include <malloc.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "support.h"

/* ---- Who watches ----------------------------------------------------------------------------- */

/* Lets a call go on so many times, then no more. */
typedef struct caller {
    size_t calls_allowed, asked;
    crm_watch_report last;
} caller;

static bool allow(void *context, const crm_watch_report *report)
{
    caller *w = context;
    assert_true(report->seconds >= 0);
    assert_true(report->seconds >= w->last.seconds);
    w->last = *report;
    w->asked++;
    return w->asked <= w->calls_allowed;
}

/* At every look. */
static crm_watch watch_by(caller *w)
{
    return (crm_watch){.every = 1e-9, .context = w, .go_on = allow};
}

/* ---- Long calls ------------------------------------------------------------------------------ */

/* Balls of which the first strikes; they stay together and even out for minutes. */
static crm_model *lossy_chain(double **velocity)
{
    crm_chain_def def = crm_chain_def_default();
    def.count = 1000;
    def.restitution.all = 0.9;
    *velocity = test_calloc(def.count, sizeof **velocity);
    (*velocity)[0] = 1;
    return chain_model(&def);
}

/* As many collisions as pi has digits: 3e8. */
static crm_model *galperin(double **velocity)
{
    static const double mass[] = {1e16, 1};
    crm_chain_def def = crm_chain_def_default();
    def.count = 2;
    def.mass.each = mass;
    def.wall_side = CRM_WALL_RIGHT;
    *velocity = test_calloc(def.count, sizeof **velocity);
    (*velocity)[0] = 1;
    return chain_model(&def);
}

/* Orders in which its contacts can collide: more than can be counted. */
static crm_model *many_orders(double **velocity)
{
    static double mass[24];
    crm_chain_def def = crm_chain_def_default();
    def.count = sizeof mass / sizeof mass[0];
    for (size_t i = 0; i < def.count; i++) {
        mass[i] = 1 + 0.1 * (double)(i * i % 7);
    }
    def.mass.each = mass;
    *velocity = test_calloc(def.count, sizeof **velocity);
    for (size_t i = 0; i < def.count; i++) {
        (*velocity)[i] = -(double)i;
    }
    return chain_model(&def);
}

static crm_model *packing(double **velocity)
{
    crm_packing_def def = crm_packing_def_default();
    def.lattice = CRM_LATTICE_HEXAGONAL;
    def.columns = def.rows = 60;
    def.walls = CRM_PACKING_BOX;
    crm_model *model = NULL;
    crm_error error = {0};
    assert_ok(crm_model_from_packing(&def, &model, &error), &error);
    size_t n = crm_model_coordinates(model);
    rng r = rng_seeded(5);
    *velocity = test_calloc(n, sizeof **velocity);
    for (size_t i = 0; i < n; i++) {
        (*velocity)[i] = rng_normal(&r);
    }
    return model;
}

static crm_model *fcc_of(size_t side, double **velocity)
{
    crm_packing_def def = crm_packing_def_default();
    crm_model *model = NULL;
    def.lattice = CRM_LATTICE_FCC;
    def.columns = def.rows = def.layers = side;
    def.walls = CRM_PACKING_FLOOR;
    assert_int_equal(crm_model_from_packing(&def, &model, NULL), CRM_OK);
    *velocity = test_calloc(crm_model_coordinates(model), sizeof **velocity);
    (*velocity)[crm_model_coordinates(model) - 1] = -1;
    return model;
}

static crm_model *fcc_packing(double **velocity)
{
    return fcc_of(6, velocity);
}

/* Nested dissection orders it. */
static crm_model *large_fcc_packing(double **velocity)
{
    return fcc_of(10, velocity);
}

typedef struct long_call {
    const char *law, *option, *choice;
    double number;
    crm_model *(*model)(double **velocity);
} long_call;

static const long_call long_calls[] = {
    {"lzb", NULL, NULL, 0, lossy_chain},
    {"lzb", "stiffness_model", "mono", 0, lossy_chain},
    {"lzb", "scheme", "time-euler", 0, lossy_chain},
    {"lzb", "scheme", "impulse-euler", 0, lossy_chain},
    {"lzb", NULL, NULL, 0, packing},
    {"compliant", NULL, NULL, 0, lossy_chain},
    {"impulse-ratio", NULL, NULL, 0, lossy_chain},
    {"moreau", NULL, NULL, 0, packing},
    {"newton", NULL, NULL, 0, packing},
    {"poisson", NULL, NULL, 0, packing},
    {"binary", "max_collisions", NULL, 1e15, galperin},
    {"binary", "order", "all", 0, many_orders},
    {"sequential", NULL, NULL, 0, many_orders},
    {"icr", "max_collisions", NULL, 1e15, galperin},
};

static crm_settings *settings_of(const long_call *call)
{
    crm_settings *settings = law_settings(crm_law_find(call->law));
    crm_error error = {0};
    if (call->choice != NULL) {
        assert_ok(crm_settings_set_text(settings, call->option, call->choice, &error), &error);
    } else if (call->option != NULL) {
        assert_ok(crm_settings_set_number(settings, call->option, call->number, &error), &error);
    }
    return settings;
}

static void assert_ended(const crm_outcome *outcome, const char *why)
{
    assert_int_equal(outcome->result, CRM_NOT_TERMINATED);
    assert_non_null(strstr(outcome->reason, why));
    for (size_t i = 0; i < outcome->coordinates; i++) {
        assert_true(isfinite(outcome->velocity[i]));
    }
    for (size_t j = 0; j < outcome->contacts; j++) {
        assert_true(outcome->impulse[j] >= 0);
    }
}

/* Asked for the first time each law ends, and does not ask again. */
static void every_law_ends_when_it_is_told_to(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof long_calls / sizeof long_calls[0]; k++) {
        const long_call *call = &long_calls[k];
        caller w = {0};
        crm_watch watch = watch_by(&w);
        double *velocity;
        crm_model *model = call->model(&velocity);
        crm_settings *settings = settings_of(call);
        crm_workspace *workspace = NULL;
        const crm_outcome *outcome = NULL;
        crm_error error = {0};
        assert_ok(crm_workspace_create(&workspace, &error), &error);
        crm_workspace_watch(workspace, &watch);
        assert_ok(crm_solve_with(workspace, model, velocity, settings, NULL, &outcome, &error),
                  &error);
        if (w.asked != 1 || outcome->result != CRM_NOT_TERMINATED) {
            print_error("%s %s: asked %zu times, %s\n", call->law,
                        call->option != NULL ? call->option : "", w.asked,
                        crm_result_text(outcome->result));
        }
        assert_int_equal(w.asked, 1);
        assert_ended(outcome, "stopped after");
        crm_workspace_free(workspace);
        crm_settings_free(settings);
        crm_model_free(model);
        test_free(velocity);
    }
}

/* At whatever look a law by complementarity is told to: while the problem is made, its matrix
 * ordered and factored, and while it is solved. From then on it does not ask again, and the next
 * call is as the first.
 */
static void laws_by_complementarity_end_at_any_look(void **state)
{
    (void)state;
    static crm_model *(*const models[])(double **) = {packing, fcc_packing, lossy_chain};
    for (size_t k = 0; k < sizeof models / sizeof models[0]; k++) {
        double *velocity = NULL;
        crm_model *model = models[k](&velocity);
        crm_settings *settings = law_settings(crm_law_find("poisson"));
        crm_workspace *workspace = NULL;
        const crm_outcome *outcome = NULL;
        crm_error error = {0};
        assert_ok(crm_workspace_create(&workspace, &error), &error);
        bool ended = true;
        for (size_t calls_allowed = 0; ended; calls_allowed = calls_allowed * 5 / 4 + 1) {
            caller w = {.calls_allowed = calls_allowed};
            crm_watch watch = watch_by(&w);
            crm_workspace_watch(workspace, &watch);
            assert_ok(crm_solve_with(workspace, model, velocity, settings, NULL, &outcome, &error),
                      &error);
            ended = w.asked > calls_allowed;
            if (ended) {
                assert_int_equal(w.asked, calls_allowed + 1);
                assert_ended(outcome, "stopped after");
            }
        }
        assert_int_equal(outcome->result, CRM_SOLVED);
        crm_workspace_free(workspace);
        crm_settings_free(settings);
        crm_model_free(model);
        test_free(velocity);
    }
}

/* Looks before there is a problem to tell of, and the work in contacts between two of them. */
typedef struct listener {
    size_t set_up, others;
} listener;

static bool listen(void *context, const crm_watch_report *report)
{
    listener *l = context;
    l->set_up += report->working == 0;
    l->others += report->working > 0;
    return true;
}

/* What is done before the first factorization (some 10^4 contacts are gone through a hundred times
 * while they are ordered) looks up all along.
 */
static void setting_up_looks_up(void **state)
{
    (void)state;
    double *velocity = NULL;
    crm_model *model = large_fcc_packing(&velocity);
    crm_settings *settings = law_settings(crm_law_find("moreau"));
    crm_workspace *workspace = NULL;
    const crm_outcome *outcome = NULL;
    crm_error error = {0};
    listener l = {0};
    crm_watch watch = {.every = 1e-9, .context = &l, .go_on = listen};
    assert_ok(crm_workspace_create(&workspace, &error), &error);
    crm_workspace_watch(workspace, &watch);
    assert_ok(crm_solve_with(workspace, model, velocity, settings, NULL, &outcome, &error), &error);
    print_message("%zu looks while it is set up, %zu later\n", l.set_up, l.others);
    assert_true(l.set_up > 145);
    assert_true(l.others > 1000);
    crm_workspace_free(workspace);
    crm_settings_free(settings);
    crm_model_free(model);
    test_free(velocity);
}

static void a_call_ends_when_its_time_is_up(void **state)
{
    (void)state;
    const crm_watch watch = {.seconds = 0.02};
    double *velocity;
    crm_model *model = lossy_chain(&velocity);
    crm_settings *settings = law_settings(crm_law_find("lzb"));
    crm_workspace *workspace = NULL;
    const crm_outcome *outcome = NULL;
    crm_error error = {0};
    assert_ok(crm_workspace_create(&workspace, &error), &error);
    crm_workspace_watch(workspace, &watch);
    assert_ok(crm_solve_with(workspace, model, velocity, settings, NULL, &outcome, &error), &error);
    assert_ended(outcome, "time limit of 0.02 s reached");
    assert_true(outcome->steps > 0);
    assert_true(outcome->energy_after < outcome->energy_before);
    crm_workspace_free(workspace);
    crm_settings_free(settings);
    crm_model_free(model);
    test_free(velocity);
}

/* What is told grows, and what is left falls. */
static void lzb_tells_how_far_it_is(void **state)
{
    (void)state;
    caller w = {.calls_allowed = 200};
    crm_watch watch = watch_by(&w);
    double *velocity;
    crm_model *model = lossy_chain(&velocity);
    crm_settings *settings = law_settings(crm_law_find("lzb"));
    crm_workspace *workspace = NULL;
    const crm_outcome *outcome = NULL;
    crm_error error = {0};
    assert_ok(crm_workspace_create(&workspace, &error), &error);
    crm_workspace_watch(workspace, &watch);
    assert_ok(crm_solve_with(workspace, model, velocity, settings, NULL, &outcome, &error), &error);
    assert_int_equal(w.asked, 201);
    assert_true(w.last.time > 0);
    assert_true(w.last.steps >= 200);
    assert_true(w.last.working > 0 && w.last.working <= 999);
    assert_true(w.last.left > 0 && w.last.left < 1.5);
    crm_workspace_free(workspace);
    crm_settings_free(settings);
    crm_model_free(model);
    test_free(velocity);
}

/* ---- As if nobody watched -------------------------------------------------------------------- */

static void to_be_watched_changes_no_bit(void **state)
{
    (void)state;
    const small_system chain = small_system_chain(5, false);
    crm_model *model = small_system_model(&chain);
    const double velocity[5] = {1, 0, 0, -0.5, 0};
    for (size_t k = 0; k < crm_law_count(); k++) {
        const crm_law *law = crm_law_at(k);
        if (strcmp(law->name, "generalized-newton") == 0) {
            continue; /* needs a matrix; it is newton's code */
        }
        crm_settings *settings = law_settings(law);
        crm_workspace *workspace = NULL;
        const crm_outcome *watched = NULL;
        crm_outcome *alone = NULL;
        crm_error error = {0};
        caller w = {.calls_allowed = SIZE_MAX};
        crm_watch watch = watch_by(&w);
        assert_ok(crm_workspace_create(&workspace, &error), &error);
        crm_workspace_watch(workspace, &watch);
        assert_ok(crm_solve(model, velocity, settings, NULL, &alone, &error), &error);
        assert_ok(crm_solve_with(workspace, model, velocity, settings, NULL, &watched, &error),
                  &error);
        assert_int_equal(watched->result, alone->result);
        assert_memory_equal(watched->velocity, alone->velocity, sizeof velocity);
        assert_int_equal(watched->steps, alone->steps);
        crm_outcome_free(alone);
        crm_workspace_free(workspace);
        crm_settings_free(settings);
    }
    crm_model_free(model);
}

/* A call that was cut short leaves nothing behind for the next one with the workspace. */
static void a_workspace_recovers(void **state)
{
    (void)state;
    double *velocity;
    crm_model *model = packing(&velocity);
    crm_settings *settings = law_settings(crm_law_find("moreau"));
    crm_workspace *workspace = NULL;
    const crm_outcome *outcome = NULL;
    crm_outcome *alone = NULL;
    crm_error error = {0};
    caller w = {0};
    crm_watch watch = watch_by(&w);
    assert_ok(crm_workspace_create(&workspace, &error), &error);
    crm_workspace_watch(workspace, &watch);
    assert_ok(crm_solve_with(workspace, model, velocity, settings, NULL, &outcome, &error), &error);
    assert_ended(outcome, "stopped after");
    crm_workspace_watch(workspace, NULL);
    assert_ok(crm_solve_with(workspace, model, velocity, settings, NULL, &outcome, &error), &error);
    assert_ok(crm_solve(model, velocity, settings, NULL, &alone, &error), &error);
    assert_int_equal(outcome->result, CRM_SOLVED);
    assert_memory_equal(outcome->velocity, alone->velocity,
                        outcome->coordinates * sizeof *alone->velocity);
    crm_outcome_free(alone);
    crm_workspace_free(workspace);
    crm_settings_free(settings);
    crm_model_free(model);
    test_free(velocity);
}

/* ---- Batches and complementarity problems ---------------------------------------------------- */

enum { SYSTEMS = 4000, BALLS = 5 };

static void a_batch_ends_as_a_whole(void **state)
{
    (void)state;
    const small_system chain = small_system_chain(BALLS, false);
    crm_model *model = small_system_model(&chain);
    crm_settings *settings = law_settings(crm_law_find("lzb"));
    double *velocity = test_calloc(SYSTEMS * BALLS, sizeof *velocity);
    crm_batch_item *items = test_calloc(SYSTEMS, sizeof *items);
    for (size_t i = 0; i < SYSTEMS; i++) {
        velocity[i * BALLS] = 1 + (double)i / SYSTEMS;
    }
    for (int lanes = 0; lanes <= 1; lanes++) {
        for (size_t threads = 1; threads <= 2; threads++) {
            caller w = {.calls_allowed = 2};
            crm_watch watch = watch_by(&w);
            const crm_batch_def def = {.count = SYSTEMS,
                                       .model = model,
                                       .velocities = velocity,
                                       .settings = settings,
                                       .threads = threads,
                                       .in_lanes = lanes,
                                       .watch = &watch};
            const crm_batch_results results = {.items = items};
            crm_error error = {0};
            assert_ok(crm_solve_batch(&def, &results, &error), &error);
            assert_int_equal(w.asked, 3);
            assert_int_equal(items[0].result, CRM_SOLVED);
            assert_int_equal(items[SYSTEMS - 1].result, CRM_NOT_TERMINATED);
        }
    }
    test_free(items);
    test_free(velocity);
    crm_settings_free(settings);
    crm_model_free(model);
}

static void a_complementarity_problem_ends_and_can_be_solved_again(void **state)
{
    (void)state;
    double *velocity;
    crm_model *model = packing(&velocity);
    size_t s = crm_model_contacts(model);
    double *q = test_calloc(s, sizeof *q), *p = test_calloc(s, sizeof *p);
    crm_model_gap_velocity(model, velocity, q);
    crm_lcp *lcp = NULL;
    crm_error error = {0};
    crm_lcp_info info;
    assert_ok(crm_lcp_create_for_model(model, &lcp, &error), &error);
    caller w = {0};
    crm_watch watch = watch_by(&w);
    crm_lcp_options options = crm_lcp_options_default();
    options.watch = &watch;
    assert_ok(crm_lcp_solve(lcp, q, &options, p, NULL, &info, &error), &error);
    assert_int_equal(info.result, CRM_LCP_NOT_TERMINATED);
    assert_int_equal(w.asked, 1);
    options.watch = NULL;
    assert_ok(crm_lcp_solve(lcp, q, &options, p, NULL, &info, &error), &error);
    assert_int_equal(info.result, CRM_LCP_SOLVED);
    crm_lcp_free(lcp);
    crm_model_free(model);
    test_free(p);
    test_free(q);
    test_free(velocity);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

/* The factorization of some hundred contacts takes megabytes, all known before. */
static void a_call_that_needs_too_much_is_refused(void **state)
{
    (void)state;
    double *velocity = NULL;
    crm_model *model = fcc_packing(&velocity);
    crm_settings *settings = law_settings(crm_law_find("moreau"));
    crm_workspace *workspace = NULL;
    const crm_outcome *outcome = NULL;
    crm_error error = {0};
    crm_watch watch = {.bytes = 600e3};
    assert_int_equal(crm_workspace_create(&workspace, NULL), CRM_OK);
    crm_workspace_watch(workspace, &watch);
    assert_int_equal(crm_solve_with(workspace, model, velocity, settings, NULL, &outcome, &error),
                     CRM_ERROR_MEMORY);
    assert_null(outcome);
    assert_non_null(strstr(error.message, "needs about "));
    assert_non_null(strstr(error.message, " MB of memory; the limit is 600 kB"));
    watch.bytes = 1; /* not even the law's arrays */
    crm_workspace_watch(workspace, &watch);
    assert_int_equal(crm_solve_with(workspace, model, velocity, settings, NULL, &outcome, &error),
                     CRM_ERROR_MEMORY);
    watch.bytes = 1e9;
    crm_workspace_watch(workspace, &watch);
    assert_int_equal(crm_solve_with(workspace, model, velocity, settings, NULL, &outcome, &error),
                     CRM_OK);
    assert_int_equal(outcome->result, CRM_SOLVED);
    crm_workspace_free(workspace);
    crm_settings_free(settings);
    crm_model_free(model);
    test_free(velocity);
}

/* What the C library has given out, in all. Sanitizers have their own. */
static double bytes_given(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return NAN;
#else
    struct mallinfo2 info = mallinfo2();
    return (double)info.uordblks + (double)info.hblkhd;
#endif
}

/* The model that stays, without what it took while it was made, is less; by how much is no secret.
 */
static void assert_estimate(const char *what, double estimate, crm_model *model, double before)
{
    double taken = bytes_given() - before;
    if (!isnan(taken)) {
        print_message("%s: estimate %.3g, the model has %.3g bytes\n", what, estimate, taken);
        assert_true(taken <= estimate);
        assert_true(estimate <= 3 * taken);
    }
    crm_model_free(model);
}

static void the_estimates_of_models_hold(void **state)
{
    (void)state;
    crm_chain_def chain = crm_chain_def_default();
    crm_model *model = NULL;
    chain.count = 100000;
    double before = bytes_given();
    assert_int_equal(crm_model_from_chain(&chain, &model, NULL), CRM_OK);
    assert_estimate("chain", crm_chain_memory(&chain), model, before);
    static const char *const names[] = {"square", "hexagonal", "cubic", "fcc"};
    static const crm_lattice lattices[] = {CRM_LATTICE_SQUARE, CRM_LATTICE_HEXAGONAL,
                                           CRM_LATTICE_CUBIC, CRM_LATTICE_FCC};
    for (size_t i = 0; i < 4; i++) {
        crm_packing_def def = crm_packing_def_default();
        bool plane = crm_lattice_dimension(lattices[i]) == 2;
        def.lattice = lattices[i];
        def.columns = def.rows = plane ? 150 : 25;
        def.layers = plane ? 0 : 25;
        before = bytes_given();
        assert_int_equal(crm_model_from_packing(&def, &model, NULL), CRM_OK);
        assert_estimate(names[i], crm_packing_memory(&def), model, before);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_law_ends_when_it_is_told_to),
        cmocka_unit_test(laws_by_complementarity_end_at_any_look),
        cmocka_unit_test(setting_up_looks_up),
        cmocka_unit_test(a_call_ends_when_its_time_is_up),
        cmocka_unit_test(lzb_tells_how_far_it_is),
        cmocka_unit_test(to_be_watched_changes_no_bit),
        cmocka_unit_test(a_workspace_recovers),
        cmocka_unit_test(a_batch_ends_as_a_whole),
        cmocka_unit_test(a_complementarity_problem_ends_and_can_be_solved_again),
        cmocka_unit_test(a_call_that_needs_too_much_is_refused),
        cmocka_unit_test(the_estimates_of_models_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
