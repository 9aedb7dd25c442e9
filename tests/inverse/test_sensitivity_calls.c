/* The calls for derivatives: what they refuse, and what they tell of places without any. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sensitivity_call.h"

/* Three balls, the first strikes. */
typedef struct cradle {
    crm_model *model;
    crm_settings *settings;
    double velocity[3];
} cradle;

static cradle cradle_of(const small_system *system, lzb_choices choices)
{
    cradle c = {.model = small_system_model(system), .settings = lzb_settings(choices)};
    memcpy(c.velocity, system->velocity, sizeof c.velocity);
    return c;
}

static small_system three_balls(void)
{
    small_system system = small_system_chain(3, false);
    system.velocity[0] = 1;
    return system;
}

static void cradle_free(cradle *c)
{
    crm_model_free(c->model);
    crm_settings_free(c->settings);
}

static crm_smoothness along(const cradle *c, crm_variation direction)
{
    small_response response;
    crm_response view = response_view(&response);
    crm_smoothness smoothness;
    crm_error error;
    assert_ok(crm_solve_forward(NULL, c->model, c->velocity, c->settings, 1, &direction, &view,
                                &smoothness, &error),
              &error);
    return smoothness;
}

/* Of the last velocity. */
static crm_smoothness gradient_of_last(const cradle *c, crm_variation gradient)
{
    double weight[] = {0, 0, 1};
    crm_response weights = {.velocity = weight};
    crm_smoothness smoothness;
    crm_error error;
    assert_ok(crm_solve_reverse(NULL, c->model, c->velocity, c->settings, 1, &weights, &gradient,
                                &smoothness, &error),
              &error);
    return smoothness;
}

/* ---- Refused --------------------------------------------------------------------------------- */

static void missing_arguments_are_refused(void **state)
{
    (void)state;
    small_system system = three_balls();
    cradle c = cradle_of(&system, lzb_bi);
    crm_variation v = {0};
    crm_response r = {0};
    crm_error error;
    for (int missing = 0; missing < 5; missing++) {
        const crm_model *model = missing == 0 ? NULL : c.model;
        const double *velocity = missing == 1 ? NULL : c.velocity;
        const crm_settings *settings = missing == 2 ? NULL : c.settings;
        crm_variation *variation = missing == 3 ? NULL : &v;
        crm_response *response = missing == 4 ? NULL : &r;
        static const char *const forward[] = {"model", "velocity", "settings", "directions",
                                              "responses"};
        static const char *const reverse[] = {"model", "velocity", "settings", "gradients",
                                              "weights"};
        assert_int_equal(crm_solve_forward(NULL, model, velocity, settings, 1, variation, response,
                                           NULL, &error),
                         CRM_ERROR_ARGUMENT);
        assert_string_equal(error.place, forward[missing]);
        assert_int_equal(crm_solve_reverse(NULL, model, velocity, settings, 1, response, variation,
                                           NULL, &error),
                         CRM_ERROR_ARGUMENT);
        assert_string_equal(error.place, reverse[missing]);
        assert_int_equal(
            crm_solve_forward(NULL, model, velocity, settings, 1, variation, response, NULL, NULL),
            CRM_ERROR_ARGUMENT);
    }
    assert_ok(crm_solve_forward(NULL, c.model, c.velocity, c.settings, 0, &v, &r, NULL, &error),
              &error);
    assert_ok(crm_solve_reverse(NULL, c.model, c.velocity, c.settings, 1, &r, &v, NULL, &error),
              &error);
    cradle_free(&c);
}

static void numbers_that_are_none_are_refused(void **state)
{
    (void)state;
    small_system system = three_balls();
    cradle c = cradle_of(&system, lzb_bi);
    double bad[9] = {0, NAN, 0, 0, INFINITY, 0, 0, 0, 0};
    crm_error error;
    crm_response responses[2] = {0};
    crm_variation directions[][2] = {
        {{0}, {.velocity = bad}},      {{0}, {.mass = bad}},
        {{0}, {.jacobian = bad}},      {{0}, {.stiffness = bad}},
        {{0}, {.exponent = bad}},      {{0}, {.restitution = bad}},
        {{0}, {.stored_energy = bad}}, {{0}, {.boundary_velocity = bad}}};
    for (size_t i = 0; i < sizeof directions / sizeof *directions; i++) {
        assert_int_equal(crm_solve_forward(NULL, c.model, c.velocity, c.settings, 2, directions[i],
                                           responses, NULL, &error),
                         CRM_ERROR_ARGUMENT);
        assert_int_equal(strncmp(error.place, "directions[2].", 14), 0);
        assert_non_null(strstr(error.place, "[2]"));
    }
    crm_response weights[] = {{.velocity = bad},   {.impulse = bad}, {.loss = bad},
                              {.peak_force = bad}, {.energy = NAN},  {.duration = INFINITY}};
    crm_variation gradient = {0};
    for (size_t i = 0; i < sizeof weights / sizeof *weights; i++) {
        assert_int_equal(crm_solve_reverse(NULL, c.model, c.velocity, c.settings, 1, &weights[i],
                                           &gradient, NULL, &error),
                         CRM_ERROR_ARGUMENT);
        assert_int_equal(strncmp(error.place, "weights[1].", 11), 0);
    }
    double nowhere[] = {NAN, 0, 0};
    assert_int_equal(crm_solve_forward(NULL, c.model, nowhere, c.settings, 1, directions[0],
                                       responses, NULL, &error),
                     CRM_ERROR_MODEL);
    cradle_free(&c);
}

static void laws_without_derivatives_say_so(void **state)
{
    (void)state;
    small_system system = three_balls();
    cradle c = cradle_of(&system, (lzb_choices){.scheme = "time-euler"});
    crm_variation v = {0};
    crm_response r = {0};
    crm_error error;
    assert_int_equal(
        crm_solve_forward(NULL, c.model, c.velocity, c.settings, 1, &v, &r, NULL, &error),
        CRM_ERROR_OPTION);
    assert_non_null(strstr(error.message, "these options"));
    static const char *const without[] = {"compliant", "icr", "impulse-ratio", "sequential"};
    for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
        crm_settings *settings = law_settings(crm_law_find(without[i]));
        assert_int_equal(
            crm_solve_reverse(NULL, c.model, c.velocity, settings, 1, &r, &v, NULL, &error),
            CRM_ERROR_OPTION);
        assert_non_null(strstr(error.message, without[i]));
        crm_settings_free(settings);
    }
    cradle_free(&c);
}

static bool end_at_once(void *context, const crm_watch_report *progress)
{
    (void)context;
    (void)progress;
    return false;
}

static void a_call_that_is_told_to_end_ends(void **state)
{
    (void)state;
    enum { BALLS = 400 };
    crm_chain_def def = crm_chain_def_default();
    def.count = BALLS;
    crm_model *model = chain_model(&def);
    crm_settings *settings = lzb_settings(lzb_bi);
    crm_workspace *workspace;
    crm_error error;
    assert_ok(crm_workspace_create(&workspace, &error), &error);
    double velocity[BALLS] = {1}, mass[BALLS];
    crm_response weights = {.velocity = velocity};
    crm_variation gradient = {.mass = mass};
    crm_workspace_watch(workspace, &(crm_watch){.every = 1e-9, .go_on = end_at_once});
    assert_int_equal(crm_solve_reverse(workspace, model, velocity, settings, 1, &weights, &gradient,
                                       NULL, &error),
                     CRM_ERROR_STOPPED);
    crm_workspace_watch(workspace, NULL);
    assert_ok(crm_solve_reverse(workspace, model, velocity, settings, 1, &weights, &gradient, NULL,
                                &error),
              &error);
    crm_workspace_free(workspace);
    crm_settings_free(settings);
    crm_model_free(model);
}

/* ---- Places without derivatives -------------------------------------------------------------- */

static void smooth_places_are_smooth(void **state)
{
    (void)state;
    small_system system = three_balls();
    cradle c = cradle_of(&system, lzb_bi);
    double faster[] = {1, 0, 0}, masses[9], stiffnesses[2], exponents[2];
    assert_true(along(&c, (crm_variation){.velocity = faster}).differentiable);
    assert_true(
        gradient_of_last(
            &c, (crm_variation){.mass = masses, .stiffness = stiffnesses, .exponent = exponents})
            .differentiable);
    cradle_free(&c);
}

/* Ball 4 and 5 touch at rest: they may be let apart, or pressed, before the wave is there. */
static void contacts_at_rest_are_told(void **state)
{
    (void)state;
    small_system system = small_system_chain(5, false);
    system.velocity[0] = 1;
    crm_model *model = small_system_model(&system);
    crm_settings *settings = lzb_settings(lzb_bi);
    double away[] = {0, 0, 0, 0, 1}, weight[] = {0, 0, 0, 0, 1}, velocities[5], masses[25];
    crm_variation direction = {.velocity = away}, gradient = {.velocity = velocities},
                  by_mass = {.mass = masses};
    crm_response response = {0}, weights = {.velocity = weight};
    crm_smoothness found;
    crm_error error;
    assert_ok(crm_solve_forward(NULL, model, system.velocity, settings, 1, &direction, &response,
                                &found, &error),
              &error);
    assert_false(found.differentiable);
    assert_int_equal(found.contact, 3);
    assert_non_null(strstr(found.reason, "at rest"));
    assert_ok(crm_solve_reverse(NULL, model, system.velocity, settings, 1, &weights, &gradient,
                                &found, &error),
              &error);
    assert_false(found.differentiable);
    assert_ok(crm_solve_reverse(NULL, model, system.velocity, settings, 1, &weights, &by_mass,
                                &found, &error),
              &error);
    assert_false(found.differentiable); /* M is full: entries off its diagonal couple all balls */
    crm_model_free(model);
    crm_chain_def def = crm_chain_def_default();
    def.count = 5;
    model = chain_model(&def);
    assert_ok(crm_solve_reverse(NULL, model, system.velocity, settings, 1, &weights, &by_mass,
                                &found, &error),
              &error);
    assert_true(found.differentiable);
    crm_settings_free(settings);
    crm_model_free(model);
}

/* Balls 3 and 4 stick together before ball 2 comes to them. A mass that couples them with the first
 * two lets them apart meanwhile, or presses them: the judge has another slope on either side.
 */
static void contacts_at_rest_after_a_stop_are_told(void **state)
{
    (void)state;
    small_system system = small_system_chain(4, false);
    system.velocity[0] = 1;
    system.velocity[2] = 0.2;
    system.restitution[2] = 0;
    system.stiffness[0] = 1e-3;
    system.stiffness[2] = 0.1;
    crm_model *model = small_system_model(&system);
    assert_int_equal(crm_variation_mass_size(model), 16);
    small_variation by = {.mass = {[1 * 4 + 2] = 1, [2 * 4 + 1] = 1}}, own = {.mass = {[15] = 1}};
    double slope[2];
    const double at_zero = judge(&system, false, 0).velocity[3];
    for (size_t i = 0; i < 2; i++) {
        double t = i == 0 ? -1e-5 : 1e-5;
        small_system beside = moved(&system, model, &by, t);
        slope[i] = (judge(&beside, false, 0).velocity[3] - at_zero) / t;
    }
    assert_true(fabs(slope[0] - slope[1]) > 1e-3);
    crm_settings *settings = lzb_settings(lzb_bi);
    crm_variation directions[] = {variation_view(&by), variation_view(&own)};
    crm_response responses[2] = {0};
    crm_smoothness found[2];
    crm_error error;
    assert_ok(crm_solve_forward(NULL, model, system.velocity, settings, 2, directions, responses,
                                found, &error),
              &error);
    assert_false(found[0].differentiable);
    assert_int_equal(found[0].contact, 2);
    assert_non_null(strstr(found[0].reason, "at rest"));
    assert_true(found[1].differentiable);
    double masses[16], weight[] = {0, 0, 0, 1};
    crm_variation gradient = {.mass = masses};
    assert_ok(crm_solve_reverse(NULL, model, system.velocity, settings, 1,
                                &(crm_response){.velocity = weight}, &gradient, found, &error),
              &error);
    assert_false(found[0].differentiable);
    assert_int_equal(found[0].contact, 2);
    crm_settings_free(settings);
    crm_model_free(model);
}

static void ends_of_ranges_are_told(void **state)
{
    (void)state;
    small_system system = three_balls();
    system.restitution[1] = 0;
    cradle c = cradle_of(&system, lzb_bi);
    double second[] = {0, 1}, two[2];
    crm_smoothness found = along(&c, (crm_variation){.stored_energy = second});
    assert_false(found.differentiable);
    assert_int_equal(found.contact, 1);
    assert_non_null(strstr(found.reason, "no energy"));
    found = along(&c, (crm_variation){.restitution = second});
    assert_false(found.differentiable);
    assert_int_equal(found.contact, 1);
    assert_non_null(strstr(found.reason, "restitution is 0"));
    assert_false(gradient_of_last(&c, (crm_variation){.stored_energy = two}).differentiable);
    assert_false(gradient_of_last(&c, (crm_variation){.restitution = two}).differentiable);
    cradle_free(&c);
}

/* Two balls at the same speed beside an impact that does not concern them: pressed together they
 * would strike, let apart they would not.
 */
static void contacts_left_at_speed_0_are_told(void **state)
{
    (void)state;
    small_system system = small_system_blank(4, 2);
    system.w[0] = system.w[4 + 2] = -1;
    system.w[1] = system.w[4 + 3] = 1;
    system.velocity[0] = 1;
    crm_model *model = small_system_model(&system);
    crm_settings *settings = lzb_settings(lzb_bi);
    double apart[] = {0, 0, 0, 1}, first[] = {1, 0, 0, 0};
    crm_variation directions[] = {{.velocity = apart}, {.velocity = first}};
    crm_response responses[2] = {0};
    crm_smoothness found[2];
    crm_error error;
    assert_ok(crm_solve_forward(NULL, model, system.velocity, settings, 2, directions, responses,
                                found, &error),
              &error);
    assert_false(found[0].differentiable);
    assert_int_equal(found[0].contact, 1);
    assert_true(found[0].margin == 0);
    assert_non_null(strstr(found[0].reason, "near 0"));
    assert_true(found[1].differentiable);
    crm_settings_free(settings);
    crm_model_free(model);
}

/* Along the mass of the second ball, or backwards from all velocities, each with a weight of its
 * own.
 */
static crm_smoothness at_mass(small_system *system, lzb_choices choices, double mass,
                              bool backwards)
{
    size_t n = system->n;
    system->mass[n + 1] = mass;
    crm_model *model = small_system_model(system);
    crm_settings *settings = lzb_settings(choices);
    double masses[SMALL * SMALL] = {0}, weight[SMALL];
    masses[crm_variation_mass_size(model) == n ? 1 : n + 1] = 1;
    for (size_t i = 0; i < n; i++) {
        weight[i] = (double)(i * i) + 1;
    }
    crm_variation variation = {.mass = masses};
    crm_response response = {.velocity = backwards ? weight : NULL};
    crm_smoothness found;
    crm_error error;
    crm_status status = backwards ? crm_solve_reverse(NULL, model, system->velocity, settings, 1,
                                                      &response, &variation, &found, &error)
                                  : crm_solve_forward(NULL, model, system->velocity, settings, 1,
                                                      &variation, &response, &found, &error);
    assert_ok(status, &error);
    crm_settings_free(settings);
    crm_model_free(model);
    return found;
}

/* How often contact 1 has begun to press. */
typedef struct presses {
    bool pressed;
    double count;
} presses;

static crm_status count_presses(void *context, const crm_sample *sample)
{
    presses *p = context;
    bool pressed = sample->force[0] > 0;
    p->count += pressed && !p->pressed;
    p->pressed = pressed;
    return CRM_OK;
}

typedef enum telling { LAST_VELOCITY, COMPRESSIONS, PRESSES } telling;

/* What the solver says of the last ball, or of how often contact 1 is compressed, or presses. */
static double tell(small_system *system, lzb_choices choices, double mass, telling what)
{
    system->mass[system->n + 1] = mass;
    choices.tolerance = 1e-12;
    crm_model *model = small_system_model(system);
    crm_settings *settings = lzb_settings(choices);
    crm_outcome *outcome = NULL;
    crm_error error;
    presses p = {0};
    const crm_recorder recorder = {.context = &p, .record = count_presses};
    assert_ok(crm_solve(model, system->velocity, settings, &recorder, &outcome, &error), &error);
    const double told[] = {[LAST_VELOCITY] = outcome->velocity[system->n - 1],
                           [COMPRESSIONS] = outcome->compressions[0],
                           [PRESSES] = p.count};
    crm_outcome_free(outcome);
    crm_settings_free(settings);
    crm_model_free(model);
    return told[what];
}

/* Places nearer than this have no derivative (docs/sensitivity.md). */
static const double TOO_NEAR = 1e-8;

/* Between two masses what is told changes at once: both sides of that, by bisection, say that it is
 * nearer than `most`, forwards and backwards.
 */
static void check_both_sides(small_system *system, lzb_choices choices, double low, double high,
                             telling what, size_t contact, const char *word, double most)
{
    double at_low = tell(system, choices, low, what), at_high = tell(system, choices, high, what);
    double beside = low;
    for (int k = 0; k < 36; k++) {
        double middle = 0.5 * (low + high), here = tell(system, choices, middle, what);
        bool is_low = fabs(here - at_low) < fabs(here - at_high);
        *(is_low ? &low : &high) = middle;
        *(is_low ? &at_low : &at_high) = here;
    }
    assert_true(fabs(at_high - at_low) > 1e-3);
    for (int i = 0; i < 4; i++) {
        crm_smoothness side = at_mass(system, choices, i % 2 == 0 ? low : high, i / 2);
        assert_true(side.margin < most);
        assert_int_equal(side.differentiable, side.margin >= TOO_NEAR);
        assert_int_equal(side.contact, contact);
        assert_non_null(strstr(side.reason, word));
    }
    assert_true(at_mass(system, choices, beside, false).margin > 1e-5);
    assert_true(at_mass(system, choices, beside, true).margin > 1e-5);
}

/* Contact 1 is just entered again, or just not. */
static void contacts_just_entered_again_are_told(void **state)
{
    (void)state;
    small_system system = three_balls();
    system.restitution[0] = system.restitution[1] = 0.6;
    check_both_sides(&system, lzb_mono, 0.23, 0.26, COMPRESSIONS, 0, "near 0", TOO_NEAR);
}

/* Mono-stiffness: contact 1 is pressed again while it expands, or just not, when contact 2 opens;
 * v+ jumps by 5e-3. In any unit of time.
 */
static void jumps_are_told(void **state)
{
    (void)state;
    for (int k = -10; k <= 10; k += 10) {
        small_system system = small_system_chain(4, false);
        const double restitution[] = {0.6, 0.4, 0.3}, stiffness[] = {1, 4, 0.25};
        memcpy(system.restitution, restitution, sizeof restitution);
        for (size_t j = 0; j < 3; j++) {
            system.stiffness[j] = stiffness[j] * pow(10, k);
        }
        system.velocity[0] = 1;
        assert_true(fabs(tell(&system, lzb_mono, 0.4241249, LAST_VELOCITY) -
                         tell(&system, lzb_mono, 0.4241251, LAST_VELOCITY)) > 5e-3);
        check_both_sides(&system, lzb_mono, 0.42, 0.426, LAST_VELOCITY, 0, "jumps", TOO_NEAR);
    }
}

/* The same in the midst of a step, with nothing sudden: contact 2 expands, comes to a halt, and is
 * pressed again, or just not; v+ jumps by 2e-2.
 */
static void smooth_turns_are_told(void **state)
{
    (void)state;
    for (int k = -10; k <= 10; k += 10) {
        small_system system = three_balls();
        system.restitution[0] = system.restitution[1] = 0.9;
        system.stiffness[0] = 16 * pow(10, k);
        system.stiffness[1] = pow(10, k);
        check_both_sides(&system, lzb_mono, 0.275, 0.29, LAST_VELOCITY, 1,
                         "pressed again, or barely not", TOO_NEAR);
    }
}

/* Bi-stiffness: contact 1 has just opened when it is pressed again, or just not. */
static void contacts_that_barely_open_are_told(void **state)
{
    (void)state;
    small_system system = three_balls();
    system.restitution[0] = system.restitution[1] = 0.6;
    check_both_sides(&system, lzb_bi, 0.5, 0.7, PRESSES, 0, "before it has opened", TOO_NEAR);
}

/* A plastic contact stops, and loses all, or just not, for the second ball bounces back from the
 * third in time to be pressed on: the first thing that happens to any contact.
 */
static void contacts_that_barely_stop_are_told(void **state)
{
    (void)state;
    small_system system = three_balls();
    system.restitution[0] = 0;
    system.restitution[1] = 1;
    system.stiffness[1] = 4;
    check_both_sides(&system, lzb_bi, 0.3, 0.4, LAST_VELOCITY, 0, "barely stops", TOO_NEAR);
}

/* Of three balls, the middle one struck from both sides, when the first is made faster. */
static crm_smoothness struck_from_both_sides(double stiffness, double other_speed, bool mono,
                                             double *duration)
{
    small_system system = three_balls();
    system.velocity[2] = -other_speed;
    system.restitution[0] = system.restitution[1] = 0.6;
    system.stiffness[0] = system.stiffness[1] = stiffness;
    cradle c = cradle_of(&system, mono ? lzb_mono : lzb_bi);
    double faster[] = {1, 0, 0};
    crm_variation direction = {.velocity = faster};
    crm_response response = {0};
    crm_smoothness found;
    crm_error error;
    assert_ok(crm_solve_forward(NULL, c.model, c.velocity, c.settings, 1, &direction, &response,
                                &found, &error),
              &error);
    *duration = response.duration;
    cradle_free(&c);
    return found;
}

/* Struck alike, both contacts open at one instant, and which is the last to change the duration
 * depends on the direction. By mono-stiffness they let go under force, and each feels the other. In
 * any unit of time; and not at other speeds.
 */
static void contacts_that_open_together_are_told(void **state)
{
    (void)state;
    static const double stiffnesses[] = {1, 1e12, 1e-12};
    for (size_t k = 0; k < 6; k++) {
        bool mono = k % 2;
        double together, apart;
        crm_smoothness found = struck_from_both_sides(stiffnesses[k / 2], 1, mono, &together);
        assert_int_equal(found.differentiable, !mono);
        assert_true(!mono || strstr(found.reason, "same instant") != NULL);
        assert_true(isnan(together));
        found = struck_from_both_sides(stiffnesses[k / 2], 0.9, mono, &apart);
        assert_true(found.differentiable);
        assert_true(isfinite(apart));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missing_arguments_are_refused),
        cmocka_unit_test(numbers_that_are_none_are_refused),
        cmocka_unit_test(laws_without_derivatives_say_so),
        cmocka_unit_test(a_call_that_is_told_to_end_ends),
        cmocka_unit_test(smooth_places_are_smooth),
        cmocka_unit_test(contacts_at_rest_are_told),
        cmocka_unit_test(contacts_at_rest_after_a_stop_are_told),
        cmocka_unit_test(ends_of_ranges_are_told),
        cmocka_unit_test(contacts_left_at_speed_0_are_told),
        cmocka_unit_test(contacts_just_entered_again_are_told),
        cmocka_unit_test(jumps_are_told),
        cmocka_unit_test(smooth_turns_are_told),
        cmocka_unit_test(contacts_that_barely_open_are_told),
        cmocka_unit_test(contacts_that_barely_stop_are_told),
        cmocka_unit_test(contacts_that_open_together_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
