/* The C interface answers whatever it is handed: a status, a place, a message; never a crash. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "abuse.h"
#include "support.h"

#define FIELDS(list) list, sizeof list / sizeof list[0]

/* ---- Chains --------------------------------------------------------------------------------- */

static crm_status call_chain(void *copy, crm_error *error)
{
    crm_model *model = NULL;
    crm_status status = crm_model_from_chain(copy, &model, error);
    assert_true((status == CRM_OK) == (model != NULL));
    crm_model_free(model);
    return status;
}

#define CHAIN(member, kind, may, place) ABUSE_FIELD(crm_chain_def, member, kind, may, place)

static void chains_with_a_bad_field(void **state)
{
    (void)state;
    static const abuse_field fields[] = {
        CHAIN(count, SIZE, 0, NULL),
        CHAIN(mass.all, NUMBER, MAY_BE_NAN, "mass"),
        CHAIN(radius.all, NUMBER, MAY_BE_NAN, "radius"),
        CHAIN(stiffness.all, NUMBER, MAY_BE_NAN, "stiffness"),
        CHAIN(exponent.all, NUMBER, MAY_BE_NAN, "exponent"),
        CHAIN(restitution.all, NUMBER, MAY_BE_NAN | MAY_BE_ZERO, "restitution"),
        CHAIN(stored_energy.all, NUMBER, MAY_BE_NAN | MAY_BE_ZERO, "energy"),
        CHAIN(wall_side, CHOICE, 0, NULL),
        CHAIN(wall.stiffness, NUMBER, MAY_BE_NAN, NULL),
        CHAIN(wall.exponent, NUMBER, MAY_BE_NAN, NULL),
        CHAIN(wall.restitution, NUMBER, MAY_BE_NAN | MAY_BE_ZERO, NULL),
        CHAIN(wall.stored_energy, NUMBER, MAY_BE_NAN | MAY_BE_ZERO, "wall.energy"),
        CHAIN(wall_velocity, NUMBER, ANY_PLACE, "wall.velocity"),
    };
    crm_chain_def good = crm_chain_def_default();
    good.count = 3;
    good.wall_side = CRM_WALL_RIGHT;
    abuse_all(&(abuse_case){"chain", &good, sizeof good, call_chain, FIELDS(fields)});
}

/* ---- Packings ------------------------------------------------------------------------------- */

static crm_status call_packing(void *copy, crm_error *error)
{
    crm_model *model = NULL;
    crm_status status = crm_model_from_packing(copy, &model, error);
    assert_true((status == CRM_OK) == (model != NULL));
    crm_model_free(model);
    return status;
}

#define PACKING(member, kind, may, place) ABUSE_FIELD(crm_packing_def, member, kind, may, place)

static void packings_with_a_bad_field(void **state)
{
    (void)state;
    static const abuse_field fields[] = {
        PACKING(lattice, CHOICE, 0, NULL),
        PACKING(columns, SIZE, 0, ""),
        PACKING(rows, SIZE, 0, ""),
        PACKING(layers, SIZE, 0, ""),
        PACKING(mass.all, NUMBER, MAY_BE_NAN, "mass"),
        PACKING(radius, NUMBER, MAY_BE_NAN, NULL),
        PACKING(stiffness.all, NUMBER, MAY_BE_NAN, "stiffness"),
        PACKING(exponent.all, NUMBER, MAY_BE_NAN, "exponent"),
        PACKING(restitution.all, NUMBER, MAY_BE_NAN | MAY_BE_ZERO, "restitution"),
        PACKING(stored_energy.all, NUMBER, MAY_BE_NAN | MAY_BE_ZERO, "energy"),
        PACKING(walls, CHOICE, 0, NULL),
        PACKING(wall.stiffness, NUMBER, MAY_BE_NAN, "stiffness"),
        PACKING(wall.exponent, NUMBER, MAY_BE_NAN, "exponent"),
        PACKING(wall.restitution, NUMBER, MAY_BE_NAN | MAY_BE_ZERO, "restitution"),
        PACKING(wall.stored_energy, NUMBER, MAY_BE_NAN | MAY_BE_ZERO, "energy"),
    };
    crm_packing_def good = crm_packing_def_default();
    good.lattice = CRM_LATTICE_CUBIC; /* in the plane layers do not count */
    good.columns = good.rows = good.layers = 2;
    good.walls = CRM_PACKING_BOX;
    abuse_all(&(abuse_case){"packing", &good, sizeof good, call_packing, FIELDS(fields)});
}

/* ---- Bodies --------------------------------------------------------------------------------- */

typedef struct bodies_case {
    crm_bodies_def def;
    crm_body_def body;
    crm_wall_def wall;
    crm_pair_def pair;
} bodies_case;

static crm_status call_bodies(void *copy, crm_error *error)
{
    bodies_case *c = copy;
    crm_model *model = NULL;
    c->def.bodies = c->def.bodies != NULL ? &c->body : NULL;
    c->def.walls = c->def.walls != NULL ? &c->wall : NULL;
    c->def.pairs = c->def.pairs != NULL ? &c->pair : NULL;
    crm_status status = crm_model_from_bodies(&c->def, &model, error);
    assert_true((status == CRM_OK) == (model != NULL));
    crm_model_free(model);
    return status;
}

#define BODIES(member, kind, may, place) ABUSE_FIELD(bodies_case, member, kind, may, place)

static void bodies_with_a_bad_field(void **state)
{
    (void)state;
    static const abuse_field fields[] = {
        BODIES(def.body_count, SIZE, 0, "bodies"),
        BODIES(def.bodies, POINTER, 0, "bodies"),
        BODIES(def.wall_count, SIZE, MAY_BE_ZERO, ""),
        BODIES(def.walls, POINTER, 0, "walls"),
        BODIES(def.pair_count, SIZE, MAY_BE_ZERO, ""),
        BODIES(def.pairs, POINTER, 0, "pairs"),
        BODIES(def.tolerance, NUMBER, MAY_BE_ZERO | MAY_BE_TINY | MAY_BE_HUGE, "tolerance"),
        BODIES(def.contact.stiffness, NUMBER, MAY_BE_NAN, "stiffness"),
        BODIES(def.contact.exponent, NUMBER, MAY_BE_NAN, "exponent"),
        BODIES(def.contact.restitution, NUMBER, MAY_BE_NAN | MAY_BE_ZERO, "restitution"),
        BODIES(def.contact.stored_energy, NUMBER, MAY_BE_NAN | MAY_BE_ZERO, "energy"),
        BODIES(body.shape, CHOICE, 0, "shape"),
        BODIES(body.radius, NUMBER, 0, "radius"),
        BODIES(body.mass, NUMBER, MAY_BE_NAN, "mass"),
        BODIES(body.position[0], NUMBER, ANY_PLACE, "position"),
        BODIES(body.position[1], NUMBER, ANY_PLACE, "position"),
        BODIES(wall.point[1], NUMBER, ANY_PLACE, "point"),
        BODIES(wall.normal[0], NUMBER, ANY_PLACE, "normal"),
        BODIES(wall.velocity[1], NUMBER, ANY_PLACE, "velocity"),
        BODIES(pair.first, SIZE, MAY_BE_ZERO, "pairs"),
        BODIES(pair.second, SIZE, 0, "pairs"),
        BODIES(pair.contact.stiffness, NUMBER, MAY_BE_NAN, "stiffness"),
        BODIES(pair.contact.restitution, NUMBER, MAY_BE_NAN | MAY_BE_ZERO, "restitution"),
    };
    bodies_case good = {.body = ball_at(1, 1, 0, 1, 0), .wall = crm_wall_def_default()};
    good.wall.normal[1] = 1;
    good.pair = (crm_pair_def){0, 1, crm_contact_def_default()};
    good.def = bodies_def(2, &good.body, 1);
    good.def.walls = &good.wall;
    good.def.pairs = &good.pair;
    good.def.wall_count = good.def.pair_count = 1;
    abuse_all(&(abuse_case){"bodies", &good, sizeof good, call_bodies, FIELDS(fields)});
}

/* ---- Any system ----------------------------------------------------------------------------- */

typedef struct system_case {
    crm_system_def def;
    crm_sparse_view w;
    double mass[2], value[2], stiffness, exponent, restitution, energy, boundary;
    size_t start[2];
    uint32_t row[2];
    const char *names[2];
} system_case;

static crm_status call_system(void *copy, crm_error *error)
{
    system_case *c = copy;
    crm_model *model = NULL;
    c->def.mass_diagonal = c->def.mass_diagonal != NULL ? c->mass : NULL;
    c->def.w_sparse = c->def.w_sparse != NULL ? &c->w : NULL;
    c->w.column_start = c->w.column_start != NULL ? c->start : NULL;
    c->w.row = c->w.row != NULL ? c->row : NULL;
    c->w.value = c->w.value != NULL ? c->value : NULL;
    c->def.stiffness = &c->stiffness;
    c->def.exponent = &c->exponent;
    c->def.restitution = &c->restitution;
    c->def.stored_energy = &c->energy;
    c->def.boundary_velocity = &c->boundary;
    c->def.coordinate_names = c->names;
    crm_status status = crm_model_from_system(&c->def, &model, error);
    assert_true((status == CRM_OK) == (model != NULL));
    crm_model_free(model);
    return status;
}

#define SYSTEM(member, kind, may, place) ABUSE_FIELD(system_case, member, kind, may, place)

static void systems_with_a_bad_field(void **state)
{
    (void)state;
    static const abuse_field fields[] = {
        SYSTEM(def.coordinates, SIZE, 0, ""),
        SYSTEM(def.contacts, SIZE, MAY_BE_ZERO, "contacts"),
        SYSTEM(def.mass_diagonal, POINTER, 0, "mass"),
        SYSTEM(def.w_sparse, POINTER, 0, "contacts"),
        SYSTEM(w.column_start, POINTER, 0, "contacts.w"),
        SYSTEM(w.row, POINTER, 0, "contacts.w"),
        SYSTEM(w.value, POINTER, 0, "contacts.w"),
        SYSTEM(mass[1], NUMBER, 0, "mass[2]"),
        SYSTEM(value[0], NUMBER, ANY_PLACE, "contacts[1].w"),
        SYSTEM(stiffness, NUMBER, 0, NULL),
        SYSTEM(exponent, NUMBER, 0, NULL),
        SYSTEM(restitution, NUMBER, MAY_BE_ZERO, NULL),
        SYSTEM(energy, NUMBER, MAY_BE_ZERO, NULL),
        SYSTEM(boundary, NUMBER, ANY_PLACE, NULL),
        SYSTEM(names[1], POINTER, 0, "coordinate_names[2]"),
    };
    system_case good = {.mass = {1, 1},
                        .value = {-1, 1},
                        .stiffness = 1,
                        .exponent = 1.5,
                        .restitution = 1,
                        .start = {0, 2},
                        .row = {0, 1},
                        .names = {"a", "b"}};
    good.w = (crm_sparse_view){good.start, good.row, good.value};
    good.def.coordinates = 2;
    good.def.contacts = 1;
    good.def.mass_diagonal = good.mass;
    good.def.w_sparse = &good.w;
    abuse_all(&(abuse_case){"system", &good, sizeof good, call_system, FIELDS(fields)});
}

/* ---- Pointers that are not there ------------------------------------------------------------ */

#define REFUSED(call, place)                                                                       \
    do {                                                                                           \
        crm_error error = {0}, *to = &error;                                                       \
        abuse_check(#call, (call), to, place);                                                     \
        to = NULL;                                                                                 \
        assert_int_equal((call), CRM_ERROR_ARGUMENT); /* without an error, too */                  \
    } while (0)

static void missing_pointers_of_models(void **state)
{
    (void)state;
    crm_model *model = NULL;
    crm_system_def system = crm_system_def_default();
    crm_chain_def chain = crm_chain_def_default();
    crm_bodies_def bodies = crm_bodies_def_default();
    crm_packing_def packing = crm_packing_def_default();
    double v[3] = {0};
    size_t rank;
    REFUSED(crm_model_from_system(NULL, &model, to), "def");
    REFUSED(crm_model_from_system(&system, NULL, to), "model");
    REFUSED(crm_model_from_chain(NULL, &model, to), "def");
    REFUSED(crm_model_from_chain(&chain, NULL, to), "model");
    REFUSED(crm_model_from_bodies(NULL, &model, to), "def");
    REFUSED(crm_model_from_bodies(&bodies, NULL, to), "model");
    REFUSED(crm_model_from_packing(NULL, &model, to), "def");
    REFUSED(crm_model_from_packing(&packing, NULL, to), "model");
    assert_int_equal(crm_packing_balls(NULL), 0);
    assert_int_equal(crm_packing_contacts(NULL), 0);
    chain.count = 3;
    model = chain_model(&chain);
    REFUSED(crm_model_apply_impulse(NULL, v, v, to), "model");
    REFUSED(crm_model_apply_impulse(model, NULL, v, to), "impulse");
    REFUSED(crm_model_apply_impulse(model, v, NULL, to), "velocity");
    REFUSED(crm_model_delassus_apply(NULL, v, v, to), "model");
    REFUSED(crm_model_delassus_apply(model, NULL, v, to), "p");
    REFUSED(crm_model_delassus_apply(model, v, NULL, to), "out");
    REFUSED(crm_model_rank(NULL, &rank, to), "model");
    REFUSED(crm_model_rank(model, NULL, to), "rank");
    REFUSED(crm_model_update(NULL, &system, to), "model");
    REFUSED(crm_model_update(model, NULL, to), "def");
    crm_model_free(model);
}

static void missing_pointers_of_laws(void **state)
{
    (void)state;
    crm_settings *settings = NULL;
    const crm_law *law = crm_law_find("lzb");
    assert_null(crm_law_find(NULL));
    assert_null(crm_law_at(SIZE_MAX));
    assert_non_null(crm_law_nearest(NULL));
    REFUSED(crm_settings_create(NULL, &settings, to), "law");
    REFUSED(crm_settings_create(law, NULL, to), "settings");
    settings = law_settings(crm_law_find("impulse-ratio"));
    REFUSED(crm_settings_set_number(NULL, "tolerance", 1, to), "settings");
    REFUSED(crm_settings_set_number(settings, NULL, 1, to), "name");
    REFUSED(crm_settings_set_text(settings, "from", NULL, to), "value");
    REFUSED(crm_settings_set_text(NULL, "from", "lzb", to), "settings");
    REFUSED(crm_settings_set_list(settings, "ratios", 3, NULL, to), "values");
    REFUSED(crm_settings_set_list(NULL, "ratios", 0, NULL, to), "settings");
    double number = 0;
    size_t count = 0;
    char text[8];
    const double *values = NULL;
    REFUSED(crm_settings_get_number(NULL, "energy_ratio", &number, to), "settings");
    REFUSED(crm_settings_get_number(settings, NULL, &number, to), "name");
    REFUSED(crm_settings_get_number(settings, "energy_ratio", NULL, to), "value");
    REFUSED(crm_settings_get_text(NULL, "from", text, sizeof text, to), "settings");
    REFUSED(crm_settings_get_text(settings, "from", NULL, sizeof text, to), "text");
    REFUSED(crm_settings_get_list(settings, "ratios", NULL, &values, to), "count");
    REFUSED(crm_settings_get_list(settings, "ratios", &count, NULL, to), "values");
    crm_settings_free(settings);
}

static void missing_pointers_of_scenarios(void **state)
{
    (void)state;
    static const char text[] = "chain: {count: 2}";
    const crm_source source = {.text = text, .length = sizeof text - 1}, empty = {0};
    const crm_source without = {.path = "x", .override_count = 1};
    const crm_source lawless = {.path = "x", .own_law_count = 1};
    crm_scenario *scenario = NULL;
    crm_study *study = NULL;
    crm_motion *motion = NULL;
    char *written = NULL;
    crm_report_def report = {0};
    const double v[2] = {0};
    REFUSED(crm_scenario_load(NULL, &scenario, to), "source");
    REFUSED(crm_scenario_load(&empty, &scenario, to), "source.path");
    REFUSED(crm_scenario_load(&source, NULL, to), "scenario");
    REFUSED(crm_scenario_load(&without, &scenario, to), "source.overrides");
    REFUSED(crm_scenario_load(&lawless, &scenario, to), "source.own_laws");
    REFUSED(crm_scenario_load_motion(NULL, &scenario, to), "source");
    REFUSED(crm_study_load(NULL, NULL, 0, &study, to), "source");
    REFUSED(crm_study_load(&source, NULL, 0, NULL, to), "study");
    REFUSED(crm_study_load(&source, &(const char *){NULL}, 1, &study, to), "record");
    REFUSED(crm_study_solve_all(NULL, 1, NULL, &(crm_study_table){0}, to), "study");
    REFUSED(crm_report_write(NULL, CRM_REPORT_JSON, &written, to), "def");
    REFUSED(crm_report_write(&report, CRM_REPORT_JSON, NULL, to), "text");
    REFUSED(crm_report_write(&report, CRM_REPORT_JSON, &written, to), "model");
    assert_int_equal(crm_scenario_load(&source, &scenario, NULL), CRM_OK);
    report.model = crm_scenario_model(scenario);
    REFUSED(crm_report_write(&report, CRM_REPORT_JSON, &written, to), "velocity");
    report.velocity = v;
    REFUSED(crm_report_write(&report, CRM_REPORT_JSON, &written, to), "count");
    report.count = 1;
    REFUSED(crm_report_write(&report, CRM_REPORT_JSON, &written, to), "labels");
    REFUSED(crm_scenario_make_motion(NULL, &motion, to), "scenario");
    REFUSED(crm_scenario_make_motion(scenario, NULL, to), "motion");
    REFUSED(crm_scenario_make_motion(scenario, &motion, to), "scenario.simulate");
    crm_scenario_free(scenario);
    crm_scenario_free(NULL);
    crm_study_free(NULL);
    crm_study_table_free(NULL);
    crm_text_free(NULL);
}

static crm_status no_record(void *context, const crm_sample *sample)
{
    (void)context;
    (void)sample;
    return CRM_OK;
}

static void missing_pointers_of_impacts(void **state)
{
    (void)state;
    crm_chain_def chain = crm_chain_def_default();
    chain.count = 3;
    crm_model *model = chain_model(&chain);
    crm_settings *settings = law_settings(crm_law_find("lzb"));
    crm_outcome *outcome = NULL;
    const crm_outcome *found = NULL;
    crm_workspace *workspace = NULL;
    const crm_recorder silent = {0}, backwards = {.interval = -1};
    double v[3] = {1};
    assert_int_equal(crm_workspace_create(&workspace, NULL), CRM_OK);
    REFUSED(crm_workspace_create(NULL, to), "workspace");
    REFUSED(crm_workspace_take_outcome(NULL, &outcome, to), "workspace");
    REFUSED(crm_workspace_take_outcome(workspace, NULL, to), "outcome");
    REFUSED(crm_workspace_take_outcome(workspace, &outcome, to), "workspace");
    REFUSED(crm_solve(NULL, v, settings, NULL, &outcome, to), "model");
    REFUSED(crm_solve(model, NULL, settings, NULL, &outcome, to), "velocity");
    REFUSED(crm_solve(model, v, NULL, NULL, &outcome, to), "settings");
    REFUSED(crm_solve(model, v, settings, NULL, NULL, to), "outcome");
    REFUSED(crm_solve(model, v, settings, &silent, &outcome, to), "recorder.record");
    REFUSED(crm_solve(model, v, settings, &backwards, &outcome, to), "recorder.interval");
    REFUSED(crm_record_end(NULL, &(crm_outcome){0}, 0, to), "recorder");
    REFUSED(crm_record_end(&silent, &(crm_outcome){0}, 0, to), "recorder.record");
    REFUSED(crm_record_end(&(crm_recorder){.record = no_record}, NULL, 0, to), "outcome");
    REFUSED(crm_solve_with(NULL, model, v, settings, NULL, &found, to), "workspace");
    REFUSED(crm_solve_with(workspace, model, v, settings, NULL, NULL, to), "outcome");
    const crm_batch_results results = {0};
    crm_batch_def batch = {.count = 1, .model = model, .velocities = v, .settings = settings};
    REFUSED(crm_solve_batch(NULL, &results, to), "def");
    REFUSED(crm_solve_batch(&batch, NULL, to), "results");
    batch.count = SIZE_MAX;
    REFUSED(crm_solve_batch(&batch, &results, to), "count");
    batch.count = 1;
    batch.velocities = NULL;
    REFUSED(crm_solve_batch(&batch, &results, to), "velocities");
    batch.velocities = v;
    batch.settings = NULL;
    REFUSED(crm_solve_batch(&batch, &results, to), "settings");
    crm_workspace_free(workspace);
    crm_settings_free(settings);
    crm_model_free(model);
}

static void missing_pointers_of_complementarity(void **state)
{
    (void)state;
    static const size_t start[] = {0, 1}, falling[] = {1, 0};
    static const uint32_t row[] = {0}, outside[] = {7};
    static const double value[] = {1};
    crm_sparse_view d = {start, row, value};
    crm_lcp *lcp = NULL;
    double q[1] = {-1}, p[1];
    REFUSED(crm_lcp_create(1, NULL, &lcp, to), "D");
    REFUSED(crm_lcp_create(1, &d, NULL, to), "lcp");
    REFUSED(crm_lcp_create(SIZE_MAX, &d, &lcp, to), "D");
    REFUSED(crm_lcp_create_for_model(NULL, &lcp, to), "model");
    d.row = outside;
    REFUSED(crm_lcp_create(1, &d, &lcp, to), "D");
    d.row = NULL;
    REFUSED(crm_lcp_create(1, &d, &lcp, to), "D");
    d = (crm_sparse_view){falling, row, value};
    REFUSED(crm_lcp_create(1, &d, &lcp, to), "D");
    d.column_start = start;
    assert_int_equal(crm_lcp_create(1, &d, &lcp, NULL), CRM_OK);
    crm_lcp_options options = crm_lcp_options_default();
    REFUSED(crm_lcp_solve(NULL, q, NULL, p, NULL, NULL, to), "lcp");
    REFUSED(crm_lcp_solve(lcp, NULL, NULL, p, NULL, NULL, to), "q");
    REFUSED(crm_lcp_solve(lcp, q, NULL, NULL, NULL, NULL, to), "p");
    options.tolerance = NAN;
    REFUSED(crm_lcp_solve(lcp, q, &options, p, NULL, NULL, to), "tolerance");
    q[0] = NAN;
    REFUSED(crm_lcp_solve(lcp, q, NULL, p, NULL, NULL, to), "q");
    crm_lcp_free(lcp);
}

static void missing_pointers_of_motions(void **state)
{
    (void)state;
    crm_motion *motion = NULL;
    crm_scene_def scene = crm_scene_def_default();
    crm_lagrangian_def def = crm_lagrangian_def_default();
    REFUSED(crm_motion_from_scene(NULL, NULL, &motion, to), "def");
    REFUSED(crm_motion_from_scene(&scene, NULL, NULL, to), "motion");
    REFUSED(crm_motion_from_lagrangian(NULL, NULL, &motion, to), "def");
    REFUSED(crm_motion_from_lagrangian(&def, NULL, NULL, to), "motion");
    REFUSED(crm_motion_run(NULL, 1, NULL, NULL, to), "motion");
    def.positions = def.velocities = SIZE_MAX;
    REFUSED(crm_motion_from_lagrangian(&def, NULL, &motion, to), "positions");
    const crm_body_def ball = ball_at(1, 1, 0, 0, 0);
    scene.bodies = bodies_def(2, &ball, 1);
    scene.suspended_count = 1;
    REFUSED(crm_motion_from_scene(&scene, NULL, &motion, to), "suspended");
    scene.suspended_count = SIZE_MAX;
    REFUSED(crm_motion_from_scene(&scene, NULL, &motion, to), "suspended");
    scene.suspended_count = 0;
    scene.spring_count = 1;
    REFUSED(crm_motion_from_scene(&scene, NULL, &motion, to), "springs");
    scene.spring_count = SIZE_MAX;
    REFUSED(crm_motion_from_scene(&scene, NULL, &motion, to), "springs");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_with_a_bad_field),
        cmocka_unit_test(packings_with_a_bad_field),
        cmocka_unit_test(bodies_with_a_bad_field),
        cmocka_unit_test(systems_with_a_bad_field),
        cmocka_unit_test(missing_pointers_of_models),
        cmocka_unit_test(missing_pointers_of_scenarios),
        cmocka_unit_test(missing_pointers_of_laws),
        cmocka_unit_test(missing_pointers_of_impacts),
        cmocka_unit_test(missing_pointers_of_complementarity),
        cmocka_unit_test(missing_pointers_of_motions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
