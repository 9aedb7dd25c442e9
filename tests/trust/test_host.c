/* What a host program may have done before it calls: forked, set traps or another rounding of
 * floating-point numbers, arranged for signals. The answers are the same bits, and what the host
 * has set is as it was.
 */
#include <fenv.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/base.h"
#include "base/team.h"
#include "support.h"

/* ---- Forks ---------------------------------------------------------------------------------- */

/* Large enough that moreau factors it with its threads. */
typedef struct large {
    crm_model *model;
    crm_settings *settings;
    crm_workspace *workspace;
    double *velocity;
} large;

static large make_large(void)
{
    large l = {.settings = law_settings(crm_law_find("moreau"))};
    crm_packing_def def = crm_packing_def_default();
    crm_projectile_def projectile = crm_projectile_def_default();
    def.columns = def.rows = rounds(85, 30); /* 85: enough for threads to share */
    def.walls = CRM_PACKING_FLOOR;
    def.projectile = &projectile;
    assert_int_equal(crm_model_from_packing(&def, &l.model, NULL), CRM_OK);
    size_t n = crm_model_coordinates(l.model);
    l.velocity = calloc(n, sizeof *l.velocity);
    assert_non_null(l.velocity);
    l.velocity[n - 1] = -1;
    assert_int_equal(crm_workspace_create(&l.workspace, NULL), CRM_OK);
    crm_workspace_use_threads(l.workspace, 2);
    return l;
}

static void free_large(large *l)
{
    crm_workspace_free(l->workspace);
    crm_settings_free(l->settings);
    crm_model_free(l->model);
    free(l->velocity);
}

static uint64_t solve_large(const large *l)
{
    const crm_outcome *outcome = NULL;
    crm_error error = {0};
    crm_status status =
        crm_solve_with(l->workspace, l->model, l->velocity, l->settings, NULL, &outcome, &error);
    return status == CRM_OK ? crm_hash(CRM_HASH_START, outcome->velocity,
                                       outcome->coordinates * sizeof *outcome->velocity)
                            : 0;
}

/* In a child, which has no more than a minute: its exit status, or the signal that ended it. */
static int in_a_child(bool (*right)(void *context), void *context)
{
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGALRM, SIG_DFL);
        alarm(60);
        _exit(right(context) ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

static bool free_workspace(void *context)
{
    large *l = context;
    crm_workspace_free(l->workspace);
    return true;
}

typedef struct again {
    large *large;
    uint64_t bits;
} again;

static bool solve_again_and_free(void *context)
{
    const again *a = context;
    bool same = solve_large(a->large) == a->bits;
    crm_workspace_use_threads(a->large->workspace, 3);
    same = same && solve_large(a->large) == a->bits;
    crm_workspace_free(a->large->workspace);
    return same;
}

static bool fork_once_more(void *context)
{
    const again *a = context;
    return solve_large(a->large) == a->bits && in_a_child(solve_again_and_free, context) == 0;
}

static void a_workspace_in_a_forked_child(void **state)
{
    (void)state;
    large l = make_large();
    again a = {&l, solve_large(&l)};
    assert_true(a.bits != 0);
    assert_int_equal(in_a_child(free_workspace, &l), 0);
    assert_int_equal(in_a_child(solve_again_and_free, &a), 0);
    assert_int_equal(in_a_child(fork_once_more, &a), 0);
    assert_true(solve_large(&l) == a.bits); /* the parent's is as it was */
    free_large(&l);
}

/* ---- The floating-point environment --------------------------------------------------------- */

static uint64_t hash_doubles(uint64_t hash, const double *values, size_t count)
{
    return crm_hash(hash, values, count * sizeof *values);
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
    return crm_hash(hash, text, strlen(text));
}

/* Of all calls below one is a mistake. */
static size_t refusals;

static uint64_t refused(const crm_error *error)
{
    if (refusals++ > 0) {
        print_message("%s\n", error->message);
    }
    return hash_text(CRM_HASH_START, error->message);
}

/* What comes of a scenario: each is read, made, solved or moved, and told. */
static uint64_t of_impact(const char *text)
{
    const crm_source source = {.text = text, .length = strlen(text)};
    crm_scenario *read = NULL;
    crm_error error = {0};
    if (crm_scenario_load(&source, &read, &error) != CRM_OK) {
        return refused(&error);
    }
    const crm_model *model = crm_scenario_model(read);
    const double *velocity = crm_scenario_velocity(read);
    uint64_t hash = CRM_HASH_START;
    for (size_t i = 0; i < crm_scenario_law_count(read); i++) {
        crm_outcome *outcome = NULL;
        const crm_settings *settings = crm_scenario_settings(read, i);
        crm_status status = crm_solve(model, velocity, settings, NULL, &outcome, &error);
        if (status != CRM_OK) {
            hash ^= refused(&error);
            continue;
        }
        const char *label = crm_scenario_label(read, i);
        const crm_outcome *made = outcome;
        crm_report_def def = {.scenario = read,
                              .model = model,
                              .velocity = velocity,
                              .count = 1,
                              .labels = &label,
                              .settings = &settings,
                              .outcomes = &made};
        for (int form = CRM_REPORT_TABLE; form <= CRM_REPORT_CSV; form++) {
            char *told = NULL;
            status = crm_report_write(&def, (crm_report_form)form, &told, &error);
            hash = status == CRM_OK ? hash_text(hash, told) : refused(&error);
            crm_text_free(told);
        }
        hash = hash_doubles(hash, outcome->velocity, outcome->coordinates);
        const double measured[] = {
            crm_measure_dispersion(model, outcome->velocity),
            crm_measure_difference_percent(model, outcome->velocity, velocity),
            crm_measure_forward_share(model, outcome->velocity),
            crm_measure_effective_restitution(model, velocity, velocity),
            crm_model_kinetic_energy(model, outcome->velocity)};
        hash = hash_doubles(hash, measured, sizeof measured / sizeof measured[0]);
        crm_outcome_free(outcome);
    }
    crm_scenario_free(read);
    return hash;
}

static uint64_t of_motion(const char *text)
{
    const crm_source source = {.text = text, .length = strlen(text)};
    crm_scenario *read = NULL;
    crm_motion *motion = NULL;
    crm_motion_stop stopped = CRM_STOP_FAILED;
    crm_error error = {0};
    if (crm_scenario_load_motion(&source, &read, &error) != CRM_OK ||
        crm_scenario_make_motion(read, &motion, &error) != CRM_OK ||
        crm_motion_run(motion, crm_scenario_duration(read), NULL, &stopped, &error) != CRM_OK) {
        crm_scenario_free(read);
        return refused(&error);
    }
    double position[64], velocity[64];
    assert_true(crm_motion_positions(motion) <= 64 && crm_motion_velocities(motion) <= 64);
    crm_motion_read(motion, position, velocity);
    crm_motion_summary summary = crm_motion_summarize(motion);
    uint64_t hash = hash_doubles(CRM_HASH_START, position, crm_motion_positions(motion));
    hash = hash_doubles(hash, velocity, crm_motion_velocities(motion));
    hash = hash_doubles(hash, &summary.max_penetration, 1);
    crm_motion_free(motion);
    crm_scenario_free(read);
    return hash;
}

static uint64_t of_study(const char *text)
{
    const crm_source source = {.text = text, .length = strlen(text)};
    crm_study *study = NULL;
    crm_study_table table;
    crm_error error = {0};
    if (crm_study_load(&source, NULL, 0, &study, &error) != CRM_OK ||
        crm_study_solve_all(study, 2, NULL, &table, &error) != CRM_OK) {
        crm_study_free(study);
        return refused(&error);
    }
    uint64_t hash = hash_doubles(CRM_HASH_START, table.values, table.rows * table.quantities);
    crm_study_table_free(&table);
    crm_study_free(study);
    return hash;
}

static uint64_t of_sensitivity(const char *text)
{
    const crm_source source = {.text = text, .length = strlen(text)};
    crm_sensitivity *made = NULL;
    crm_error error = {0};
    if (crm_sensitivity_solve(&source, NULL, &made, &error) != CRM_OK) {
        return refused(&error);
    }
    uint64_t hash = hash_doubles(CRM_HASH_START, made->derivative, made->of_count * made->to_count);
    crm_sensitivity_free(made);
    return hash;
}

static uint64_t of_fit(const char *text)
{
    const crm_source source = {.text = text, .length = strlen(text)};
    crm_fit *made = NULL;
    crm_error error = {0};
    if (crm_fit_solve(&source, NULL, &made, &error) != CRM_OK) {
        return refused(&error);
    }
    uint64_t hash = CRM_HASH_START;
    for (size_t j = 0; j < made->parameter_count; j++) {
        hash = hash_doubles(hash, &made->parameters[j].value, 1);
        hash = hash_doubles(hash, made->parameters[j].interval, 2);
    }
    crm_fit_free(made);
    return hash;
}

/* Definitions with NANs for what is not given, batches with and without lanes, and a refusal. */
static uint64_t of_calls(const char *text)
{
    (void)text;
    enum { BALLS = 5, SYSTEMS = 40 };
    static double before[SYSTEMS][BALLS], after[SYSTEMS][BALLS];
    crm_chain_def def = crm_chain_def_default();
    def.count = BALLS;
    crm_model *model = NULL;
    crm_settings *settings = NULL;
    crm_error error = {0};
    if (crm_model_from_chain(&def, &model, &error) != CRM_OK ||
        crm_settings_create(crm_law_find("lzb"), &settings, &error) != CRM_OK ||
        crm_settings_set_number(settings, "tolerance", NAN, &error) == CRM_OK ||
        crm_settings_set_number(settings, "tolerance", 1e-9, &error) != CRM_OK) {
        return refused(&error);
    }
    uint64_t hash = hash_text(CRM_HASH_START, error.message);
    for (size_t k = 0; k < SYSTEMS; k++) {
        before[k][k % BALLS] = k < BALLS ? 1 : -0.75;
    }
    for (int lanes = 0; lanes < 2; lanes++) {
        const crm_batch_def batch = {.count = SYSTEMS,
                                     .model = model,
                                     .velocities = before[0],
                                     .settings = settings,
                                     .threads = 3,
                                     .in_lanes = lanes != 0};
        const crm_batch_results results = {.velocities = after[0]};
        crm_status status = crm_solve_batch(&batch, &results, &error);
        hash = status == CRM_OK ? hash_doubles(hash, after[0], (size_t)SYSTEMS * BALLS)
                                : refused(&error);
    }
    const size_t start[] = {0, 1, 2};
    const uint32_t row[] = {0, 1};
    const double value[] = {3, 7}, q[] = {-1, -1};
    const crm_sparse_view d = {start, row, value};
    crm_lcp *lcp = NULL;
    double p[2] = {0};
    if (crm_lcp_create(2, &d, &lcp, &error) != CRM_OK ||
        crm_lcp_solve(lcp, q, NULL, p, NULL, NULL, &error) != CRM_OK) {
        hash = refused(&error);
    }
    crm_lcp_free(lcp);
    crm_settings_free(settings);
    crm_model_free(model);
    return hash_doubles(hash, p, 2);
}

#define FIVE                                                                                       \
    "chain: {count: 5, velocity: [1.1], mass: [1.3, 2.7, 3.1, 1.7, 0.9], restitution: 0.7}\n"
#define BALLS                                                                                      \
    "bodies: [{radius: 0.1, mass: 0.7, position: [0, 1.1], velocity: [0.3, 0]},\n"                 \
    "         {radius: 0.15, mass: 1.3, position: [0.37, 0.9], velocity: [-0.7, 0.1]}]\n"          \
    "walls: [{point: [0, 0], normal: [0.1, 1]}, {point: [-0.7, 0], normal: [1, 0]}]\n"             \
    "contacts: {restitution: 0.83}\n"

static const struct {
    const char *name;
    uint64_t (*run)(const char *text);
    const char *text;
} calls[] = {
    {"calls", of_calls, ""},
    {"a chain", of_impact,
     "laws: [lzb, {law: lzb, stiffness_model: mono, label: m}, moreau, newton, poisson, binary,\n"
     "       sequential, generalized-newton, {law: compliant, damping: 0.1}]\n" FIVE},
    {"a packing", of_impact,
     "laws: [moreau, lzb]\n"
     "packing: {lattice: hexagonal, columns: 4, rows: 3, walls: floor, restitution: 0.8, "
     "projectile: {velocity: [0, "
     "-1]}}\n"},
    {"a rod on edges", of_impact,
     "laws: [newton, lzb]\n"
     "bodies: [{shape: rod, length: 1.3, mass: 0.7, position: [0, 0], velocity: [0, -1]}]\n"
     "walls: [{point: [0, 0], normal: [0, 1]}]\n"},
    {"a mistake", of_impact, "chain: {count: 3, velocity: [1], restitution: 1.7}\n"},
    {"flight", of_motion, "simulate: {duration: 2.3, gravity: [0, -9.81]}\n" BALLS},
    {"equal steps", of_motion,
     "simulate: {scheme: time-stepping, step: 1e-3, duration: 0.5, gravity: [0, -9.81]}\nlaws: "
     "moreau\n" BALLS},
    {"bodies in the plane", of_motion,
     "simulate: {duration: 1, gravity: [0, -9.81]}\n"
     "bodies: [{shape: rod, length: 1.1, mass: 0.7, position: [0, 1.1], angle: 0.3, spin: 1}]\n"
     "walls: [{point: [0, 0], normal: [0, 1]}]\ncontacts: {restitution: 0.5}\n"},
    {"a study", of_study,
     "laws: [moreau, lzb]\n" FIVE
     "sweep: {grid: {chain.restitution: {from: 0.1, to: 0.93, steps: 7}}}\n"},
    {"derivatives", of_sensitivity,
     "laws: lzb\n" FIVE
     "sensitivity: {of: ['velocity[5]', 'velocity[1]'], to: ['chain.mass[2]']}\n"},
    {"a fit", of_fit,
     "laws: newton\nchain: {count: 2, velocity: [1.1], mass: [1.3, 2.1], restitution: 0.5}\n"
     "fit: {parameters: {chain.restitution: {from: 0.1, to: 0.95}}, starts: 3,\n"
     "      measured: [{what: 'velocity[2]', value: 0.7, uncertainty: 0.01}]}\n"},
};

enum { CALLS = sizeof calls / sizeof calls[0] };

static uint64_t usual[CALLS];

static void find_the_usual(void)
{
    refusals = 0;
    for (size_t k = 0; k < CALLS; k++) {
        usual[k] = calls[k].run(calls[k].text);
    }
    assert_int_equal(refusals, 1);
}

static void all_are_the_usual(const char *under)
{
    uint64_t found[CALLS];
    refusals = 0;
    fenv_t was;
    int rounding = fegetround(), traps = fegetexcept();
#if defined(__x86_64__)
    unsigned vectors = __builtin_ia32_stmxcsr();
#endif
    bool kept = true;
    for (size_t k = 0; k < CALLS; k++) {
        found[k] = calls[k].run(calls[k].text);
        kept = kept && fegetround() == rounding && fegetexcept() == traps;
#if defined(__x86_64__)
        kept = kept && __builtin_ia32_stmxcsr() == vectors; /* no exception was raised, either */
#endif
    }
    feholdexcept(&was);
    fesetenv(FE_DFL_ENV);
    for (size_t k = 0; k < CALLS; k++) {
        if (found[k] != usual[k]) {
            fail_msg("%s: %s differs", under, calls[k].name);
        }
    }
    if (!kept) {
        fail_msg("%s: what the host has set is changed", under);
    }
}

static void traps_do_not_end_the_host(void **state)
{
    (void)state;
    find_the_usual();
    feclearexcept(FE_ALL_EXCEPT);
    feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW);
    all_are_the_usual("traps");
}

static void any_rounding_gives_the_same_bits(void **state)
{
    (void)state;
    static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    find_the_usual();
    for (size_t k = 0; k < sizeof modes / sizeof modes[0]; k++) {
        feclearexcept(FE_ALL_EXCEPT);
        fesetround(modes[k]);
        all_are_the_usual("rounding");
    }
}

static void flushing_to_zero_gives_the_same_bits(void **state)
{
    (void)state;
#if defined(__x86_64__)
    find_the_usual();
    feclearexcept(FE_ALL_EXCEPT);
    __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040); /* also: numbers so small are 0 */
    all_are_the_usual("flushing to zero");
#else
    skip();
#endif
}

static int usual_again(void **state)
{
    (void)state;
    return fesetenv(FE_DFL_ENV);
}

/* ---- Signals -------------------------------------------------------------------------------- */

static void *tell_mask(void *context)
{
    pthread_sigmask(SIG_SETMASK, NULL, context);
    return NULL;
}

/* A handler of the host does not run in a thread that it knows nothing of. */
static void signals_are_left_to_the_host_s_threads(void **state)
{
    (void)state;
    static const int theirs[] = {SIGALRM, SIGINT, SIGTERM, SIGUSR1, SIGCHLD};
    sigset_t before, within, after;
    pthread_t thread;
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    assert_true(crm_team_start(&thread, tell_mask, &within));
    pthread_join(thread, NULL);
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    for (size_t k = 0; k < sizeof theirs / sizeof theirs[0]; k++) {
        assert_true(sigismember(&within, theirs[k]));
    }
    assert_false(sigismember(&within, SIGSEGV));
    assert_false(sigismember(&within, SIGFPE));
    for (int number = 1; number < SIGRTMIN; number++) {
        assert_int_equal(sigismember(&before, number), sigismember(&after, number));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_workspace_in_a_forked_child),
        cmocka_unit_test_teardown(traps_do_not_end_the_host, usual_again),
        cmocka_unit_test_teardown(any_rounding_gives_the_same_bits, usual_again),
        cmocka_unit_test_teardown(flushing_to_zero_gives_the_same_bits, usual_again),
        cmocka_unit_test(signals_are_left_to_the_host_s_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
