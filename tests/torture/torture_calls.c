/* The calls of the library that can run out of memory, each with inputs that take it through as
 * much of its code as a small system can.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"
#include "torture.h"

static void mix_doubles(uint64_t *hash, const double *values, size_t count)
{
    if (values != NULL) {
        torture_mix(hash, values, count * sizeof *values);
    }
}

/* ---- Models --------------------------------------------------------------------------------- */

static void mix_model(uint64_t *hash, const crm_model *model)
{
    size_t s = crm_model_contacts(model);
    mix_doubles(hash, crm_model_stiffness(model), s);
    mix_doubles(hash, crm_model_boundary_velocity(model), s);
    for (size_t j = 0; j < s; j++) {
        size_t count;
        const uint32_t *column;
        const double *value;
        crm_model_delassus_row(model, j, &count, &column, &value);
        mix_doubles(hash, value, count);
    }
}

/* A model is made, and its rank, D p and M^-1 W p are asked for. */
static crm_status use_model(crm_status made, crm_model *model, uint64_t *hash, crm_error *error)
{
    if (made != CRM_OK) {
        return model == NULL ? made : CRM_ERROR_ARGUMENT;
    }
    enum { MOST = 2048 };
    static const double zero[MOST];
    double impulse[MOST], velocity[MOST];
    size_t rank = 0;
    for (size_t j = 0; j < MOST; j++) {
        impulse[j] = 1 + 0.25 * (double)(j % 3);
    }
    memcpy(velocity, zero, sizeof zero);
    crm_status status = crm_model_rank(model, &rank, error);
    if (status == CRM_OK) {
        status = crm_model_apply_impulse(model, impulse, velocity, error);
    }
    if (status == CRM_OK) {
        mix_model(hash, model);
        mix_doubles(hash, velocity, crm_model_coordinates(model));
        status = crm_model_delassus_apply(model, impulse, velocity, error);
        mix_doubles(hash, velocity, crm_model_contacts(model));
    }
    torture_mix(hash, &rank, sizeof rank);
    crm_model_free(model);
    return status;
}

static crm_status make_system(const void *input, uint64_t *hash, crm_error *error)
{
    crm_model *model = NULL;
    crm_status status = crm_model_from_system(input, &model, error);
    return use_model(status, model, hash, error);
}

static crm_status make_chain(const void *input, uint64_t *hash, crm_error *error)
{
    crm_model *model = NULL;
    crm_status status = crm_model_from_chain(input, &model, error);
    return use_model(status, model, hash, error);
}

static crm_status make_bodies(const void *input, uint64_t *hash, crm_error *error)
{
    crm_model *model = NULL;
    crm_status status = crm_model_from_bodies(input, &model, error);
    return use_model(status, model, hash, error);
}

static crm_status make_packing(const void *input, uint64_t *hash, crm_error *error)
{
    crm_model *model = NULL;
    crm_status status = crm_model_from_packing(input, &model, error);
    return use_model(status, model, hash, error);
}

/* M full and W full; M sparse in two blocks; M sparse, too large for blocks, with a full inverse.
 */
static void torture_systems(const torture_plan *plan, torture_tally *tally)
{
    static const double dense[] = {2, 0.5, 0, 0.5, 3, 0.25, 0, 0.25, 1};
    static const double w[] = {-1, 1, 0, 0, -1, 1, 1, 0, 0};
    static const char *const names[] = {"base", "arm", "tip"};
    crm_system_def def = crm_system_def_default();
    def.coordinates = 3;
    def.contacts = 3;
    def.mass_dense = dense;
    def.w_dense = w;
    def.coordinate_names = names;
    torture_call(&(torture_deed){"system with a full M", make_system, &def}, plan, tally);

    static const size_t blocks_start[] = {0, 2, 4, 5}, w_start[] = {0, 2, 4};
    static const uint32_t blocks_row[] = {0, 1, 0, 1, 2}, w_row[] = {0, 1, 1, 2};
    static const double blocks[] = {2, 0.5, 0.5, 3, 1}, w_value[] = {-1, 1, -1, 1};
    const crm_sparse_view mass_view = {blocks_start, blocks_row, blocks};
    const crm_sparse_view w_view = {w_start, w_row, w_value};
    crm_system_def sparse = crm_system_def_default();
    sparse.coordinates = 3;
    sparse.contacts = 2;
    sparse.mass_sparse = &mass_view;
    sparse.w_sparse = &w_view;
    torture_call(&(torture_deed){"system with a sparse M", make_system, &sparse}, plan, tally);

    enum { N = 600 };
    static size_t start[N + 1], large_start[N];
    static uint32_t row[3 * N], large_row[2 * N];
    static double value[3 * N], large_value[2 * N];
    for (size_t j = 0, k = 0; j < N; j++) {
        for (size_t i = j > 0 ? j - 1 : 0; i <= j + 1 && i < N; i++, k++) {
            row[k] = (uint32_t)i;
            value[k] = i == j ? 4 : -1;
        }
        start[j + 1] = k;
    }
    for (size_t j = 0; j < 4; j++) {
        large_start[j + 1] = 2 * (j + 1);
        large_row[2 * j] = (uint32_t)(100 * j);
        large_row[2 * j + 1] = (uint32_t)(100 * j + 1);
        large_value[2 * j] = -1;
        large_value[2 * j + 1] = 1;
    }
    const crm_sparse_view large_mass = {start, row, value};
    const crm_sparse_view large_w = {large_start, large_row, large_value};
    crm_system_def large = crm_system_def_default();
    large.coordinates = N;
    large.contacts = 4;
    large.mass_sparse = &large_mass;
    large.w_sparse = &large_w;
    torture_call(&(torture_deed){"system with a large M", make_system, &large}, plan, tally);
}

static void torture_models(const torture_plan *plan, torture_tally *tally)
{
    static const double mass[] = {1, 2, 3, 4}, stiffness[] = {1, 10, 100};
    crm_chain_def chain = crm_chain_def_default();
    chain.count = 4;
    chain.mass.each = mass;
    chain.stiffness.each = stiffness;
    chain.wall_side = CRM_WALL_RIGHT;
    chain.wall.stiffness = 10;
    torture_call(&(torture_deed){"chain", make_chain, &chain}, plan, tally);
    chain.count = 700; /* too many for the rank by eigenvalues */
    chain.mass.each = chain.stiffness.each = NULL;
    torture_call(&(torture_deed){"long chain", make_chain, &chain}, plan, tally);

    const crm_material steel = {2.1e11, 0.3, 7800};
    crm_body_def body[4] = {ball_at(1, 1, 0, 1, 0), ball_at(1, 2, 2, 1, 0), ball_at(1, 1, 1, 1, 0),
                            crm_body_def_default()};
    body[2].position[1] = 1 + sqrt(3);
    body[0].material = body[1].material = body[2].material = &steel;
    body[0].name = "cue";
    body[3].shape = CRM_SHAPE_ROD;
    body[3].length = 2;
    body[3].mass = 1;
    body[3].position[1] = 6;
    crm_wall_def floor = crm_wall_def_default();
    floor.normal[1] = 1;
    floor.material = &steel;
    const crm_pair_def pair = {
        0, 1, {.stiffness = 5, .exponent = NAN, .restitution = 0.5, .stored_energy = NAN}};
    crm_bodies_def bodies = bodies_def(2, body, 4);
    bodies.walls = &floor;
    bodies.wall_count = 1;
    bodies.pairs = &pair;
    bodies.pair_count = 1;
    torture_call(&(torture_deed){"bodies", make_bodies, &bodies}, plan, tally);

    crm_projectile_def cue = crm_projectile_def_default();
    crm_packing_def packing = crm_packing_def_default();
    packing.columns = 4;
    packing.rows = 3;
    packing.walls = CRM_PACKING_BOX;
    packing.projectile = &cue;
    torture_call(&(torture_deed){"packing", make_packing, &packing}, plan, tally);
}

/* ---- Settings ------------------------------------------------------------------------------- */

static crm_status set_options(const void *input, uint64_t *hash, crm_error *error)
{
    static const double ratios[3] = {1, 2, 3};
    crm_settings *settings = NULL;
    crm_status status = crm_settings_create(input, &settings, error);
    for (int i = 0; i < 2 && status == CRM_OK; i++) { /* the second in place of the first */
        status = crm_settings_set_list(settings, "ratios", 3, ratios, error);
    }
    torture_mix(hash, &status, sizeof status);
    crm_settings_free(settings);
    return status;
}

static crm_status set_text(const void *input, uint64_t *hash, crm_error *error)
{
    crm_settings *settings = NULL;
    crm_status status = crm_settings_create(input, &settings, error);
    if (status == CRM_OK) {
        status = crm_settings_set_text(settings, "scheme", "time-euler", error);
    }
    if (status == CRM_OK) {
        status = crm_settings_set_number(settings, "tolerance", 1e-6, error);
    }
    torture_mix(hash, &status, sizeof status);
    crm_settings_free(settings);
    return status;
}

/* ---- Impacts -------------------------------------------------------------------------------- */

typedef struct impact {
    const crm_model *model;
    const double *velocity;
    const crm_settings *settings;
} impact;

static void mix_outcome(uint64_t *hash, const crm_outcome *outcome)
{
    torture_mix(hash, &outcome->result, sizeof outcome->result);
    mix_doubles(hash, outcome->velocity, outcome->coordinates);
    mix_doubles(hash, outcome->impulse, outcome->contacts);
    mix_doubles(hash, outcome->loss, outcome->contacts);
    mix_doubles(hash, outcome->peak_force, outcome->contacts);
    mix_doubles(hash, &outcome->energy_after, 1);
    mix_doubles(hash, &outcome->error_estimate, 1);
}

static crm_status see_sample(void *context, const crm_sample *sample)
{
    torture_mix(context, &sample->time, sizeof sample->time);
    return CRM_OK;
}

static crm_status solve(const void *input, uint64_t *hash, crm_error *error)
{
    const impact *i = input;
    crm_outcome *outcome = NULL;
    uint64_t samples = 0;
    const crm_recorder recorder = {.context = &samples, .record = see_sample};
    crm_status status = crm_solve(i->model, i->velocity, i->settings, &recorder, &outcome, error);
    if (status == CRM_OK) {
        mix_outcome(hash, outcome);
        torture_mix(hash, &samples, sizeof samples);
    } else if (outcome != NULL) {
        status = CRM_ERROR_ARGUMENT;
    }
    crm_outcome_free(outcome);
    return status;
}

/* The workspace that ran out of memory must serve afterwards. */
static crm_status solve_with(const void *input, uint64_t *hash, crm_error *error)
{
    const impact *i = input;
    crm_workspace *workspace = NULL;
    crm_status status = crm_workspace_create(&workspace, error);
    const crm_outcome *outcome = NULL;
    if (status == CRM_OK) {
        crm_workspace_use_threads(workspace, 2);
        status =
            crm_solve_with(workspace, i->model, i->velocity, i->settings, NULL, &outcome, error);
    }
    if (status == CRM_OK) {
        status =
            crm_solve_with(workspace, i->model, i->velocity, i->settings, NULL, &outcome, error);
    }
    if (status == CRM_OK) {
        mix_outcome(hash, outcome);
    }
    crm_workspace_free(workspace);
    return status;
}

/* Derivatives, forwards and backwards, with and without a workspace. */
static crm_status differentiate(const void *input, uint64_t *hash, crm_error *error)
{
    enum { MOST = 64 };
    const impact *i = input;
    size_t n = crm_model_coordinates(i->model), s = crm_model_contacts(i->model);
    double by[MOST], change[MOST] = {0}, gradient[MOST] = {0}, exponents[MOST] = {0};
    for (size_t k = 0; k < MOST; k++) {
        by[k] = 1 + 0.5 * (double)(k % 3);
    }
    crm_variation direction = {.velocity = by, .restitution = by},
                  to = {.velocity = gradient, .exponent = exponents};
    crm_response response = {.velocity = change}, weights = {.velocity = by};
    crm_workspace *workspace = NULL;
    crm_status status = crm_workspace_create(&workspace, error);
    if (status == CRM_OK) {
        status = crm_solve_forward(workspace, i->model, i->velocity, i->settings, 1, &direction,
                                   &response, NULL, error);
    }
    if (status == CRM_OK) {
        status = crm_solve_reverse(NULL, i->model, i->velocity, i->settings, 1, &weights, &to, NULL,
                                   error);
    }
    mix_doubles(hash, change, n);
    mix_doubles(hash, gradient, n);
    mix_doubles(hash, exponents, s);
    crm_workspace_free(workspace);
    return status;
}

static void torture_impact(const crm_model *model, const double *velocity, const char *system,
                           const torture_plan *plan, torture_tally *tally)
{
    for (size_t k = 0; k < crm_law_count(); k++) {
        char name[96];
        const crm_law *law = crm_law_at(k);
        crm_settings *settings = law_settings(law);
        const impact i = {model, velocity, settings};
        snprintf(name, sizeof name, "solve %s by %s", system, law->name);
        torture_call(&(torture_deed){name, solve, &i}, plan, tally);
        snprintf(name, sizeof name, "solve %s by %s with a workspace", system, law->name);
        torture_call(&(torture_deed){name, solve_with, &i}, plan, tally);
        if (law->derivative != NULL) {
            snprintf(name, sizeof name, "derivatives of %s by %s", system, law->name);
            torture_call(&(torture_deed){name, differentiate, &i}, plan, tally);
        }
        crm_settings_free(settings);
    }
}

/* Contacts so stiff that LZB holds some of them as bonds. */
static void torture_bonds(const torture_plan *plan, torture_tally *tally)
{
    static const double along[3] = {1};
    crm_chain_def chain = crm_chain_def_default();
    chain.count = 3;
    chain.exponent.all = 1e-3;
    crm_model *model = chain_model(&chain);
    crm_settings *settings = law_settings(crm_law_find("lzb"));
    const impact i = {model, along, settings};
    torture_call(&(torture_deed){"solve a stiff chain by lzb", solve, &i}, plan, tally);
    torture_call(&(torture_deed){"solve a stiff chain by lzb with a workspace", solve_with, &i},
                 plan, tally);
    crm_settings_free(settings);
    crm_model_free(model);
}

/* Independent contacts, and dependent ones struck by a ball. */
static void torture_impacts(const torture_plan *plan, torture_tally *tally)
{
    static const double along[4] = {1};
    crm_chain_def chain = crm_chain_def_default();
    chain.count = 3;
    chain.wall_side = CRM_WALL_RIGHT;
    crm_model *model = chain_model(&chain);
    torture_impact(model, along, "a chain", plan, tally);
    crm_model_free(model);

    crm_projectile_def cue = crm_projectile_def_default();
    crm_packing_def packing = crm_packing_def_default();
    packing.columns = 2;
    packing.rows = 2;
    packing.walls = CRM_PACKING_FLOOR;
    packing.restitution.all = 0.8;
    packing.projectile = &cue;
    crm_error error = {0};
    size_t cue_ball = crm_packing_balls(&packing);
    double velocity[64] = {0};
    if (crm_model_from_packing(&packing, &model, &error) != CRM_OK) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
    velocity[2 * cue_ball + 1] = -1;
    torture_impact(model, velocity, "a packing", plan, tally);
    crm_model_free(model);
    torture_bonds(plan, tally);
}

/* ---- Batches -------------------------------------------------------------------------------- */

enum { SYSTEMS = 12 };

static crm_status solve_batch(const void *input, uint64_t *hash, crm_error *error)
{
    double velocity[4 * SYSTEMS];
    crm_batch_item item[SYSTEMS];
    const crm_batch_results results = {.velocities = velocity, .items = item};
    crm_status status = crm_solve_batch(input, &results, error);
    if (status == CRM_OK) {
        mix_doubles(hash, velocity, 4 * SYSTEMS);
    }
    return status;
}

static void torture_batches(const torture_plan *plan, torture_tally *tally)
{
    static double velocity[4 * SYSTEMS];
    crm_chain_def chain = crm_chain_def_default();
    chain.count = 4;
    crm_model *model = chain_model(&chain);
    crm_settings *settings = law_settings(crm_law_find("lzb"));
    for (size_t i = 0; i < SYSTEMS; i++) {
        velocity[4 * i] = 1 + (double)i;
    }
    crm_batch_def def = {.count = SYSTEMS,
                         .model = model,
                         .velocities = velocity,
                         .settings = settings,
                         .threads = 1};
    torture_call(&(torture_deed){"batch", solve_batch, &def}, plan, tally);
    def.in_lanes = true;
    torture_call(&(torture_deed){"batch in lanes", solve_batch, &def}, plan, tally);
    def.threads = 2;
    torture_call(&(torture_deed){"batch in lanes, two threads", solve_batch, &def}, plan, tally);
    crm_settings_free(settings);
    crm_model_free(model);
}

/* ---- Complementarity ------------------------------------------------------------------------ */

static crm_status solve_lcp(const void *input, uint64_t *hash, crm_error *error)
{
    const crm_model *model = input;
    size_t s = crm_model_contacts(model);
    double *q = calloc(3 * s, sizeof *q);
    if (q == NULL) {
        snprintf(error->message, sizeof error->message, "the test's own");
        return error->status = CRM_ERROR_MEMORY;
    }
    for (size_t j = 0; j < s; j++) {
        q[j] = j % 7 == 0 ? -1 : 0.25 * (double)(j % 3);
    }
    crm_lcp *lcp = NULL;
    crm_lcp_info info = {0};
    crm_lcp_options options = crm_lcp_options_default();
    crm_status status = crm_lcp_create_for_model(model, &lcp, error);
    for (int warm = 0; warm < 2 && status == CRM_OK; warm++) {
        options.warm_start = warm == 1;
        status = crm_lcp_solve(lcp, q, &options, q + s, q + 2 * s, &info, error);
    }
    if (status == CRM_OK) {
        mix_doubles(hash, q + s, 2 * s);
        torture_mix(hash, &info.result, sizeof info.result);
    }
    crm_lcp_free(lcp);
    free(q);
    return status;
}

/* A matrix of the caller's own. */
static crm_status solve_own_lcp(const void *input, uint64_t *hash, crm_error *error)
{
    static const size_t start[] = {0, 2, 5, 7};
    static const uint32_t row[] = {0, 1, 0, 1, 2, 1, 2};
    static const double value[] = {2, -1, -1, 2, -1, -1, 2}, q[] = {-1, 0.5, -2};
    const crm_sparse_view d = {start, row, value};
    crm_lcp *lcp = NULL;
    crm_lcp_info info = {0};
    double found[6] = {0};
    (void)input;
    crm_status status = crm_lcp_create(3, &d, &lcp, error);
    if (status == CRM_OK) {
        status = crm_lcp_solve(lcp, q, NULL, found, found + 3, &info, error);
    }
    if (status == CRM_OK) {
        mix_doubles(hash, found, 6);
    }
    crm_lcp_free(lcp);
    return status;
}

/* Coulomb's law at three contacts in the plane that depend on each other. */
static crm_status solve_coulomb(const void *input, uint64_t *hash, crm_error *error)
{
    enum { SIZE = 6 };
    static const double a[2][SIZE] = {{1, 0.3, 1, -0.2, 0.5, 1}, {0.2, 1, -0.4, 1, 1, 0.1}};
    static const double q[SIZE] = {-1, 0.4, -0.5, 0.3, -0.7, -0.2}, mu[] = {0.3, 0.6, 0};
    size_t start[SIZE + 1];
    uint32_t row[SIZE * SIZE];
    double value[SIZE * SIZE], found[2 * SIZE] = {0};
    for (size_t k = 0; k < SIZE * SIZE; k++) {
        start[k / SIZE] = k / SIZE * SIZE;
        row[k] = (uint32_t)(k % SIZE);
        value[k] = a[0][k / SIZE] * a[0][k % SIZE] + a[1][k / SIZE] * a[1][k % SIZE];
    }
    start[SIZE] = (size_t)SIZE * SIZE;
    const crm_sparse_view d = {start, row, value};
    crm_coulomb *coulomb = NULL;
    (void)input;
    crm_status status = crm_coulomb_create(3, 2, &d, &coulomb, error);
    if (status == CRM_OK) {
        status = crm_coulomb_solve(coulomb, q, mu, NULL, found, found + SIZE, NULL, error);
    }
    if (status == CRM_OK) {
        mix_doubles(hash, found, (size_t)2 * SIZE);
    }
    crm_coulomb_free(coulomb);
    return status;
}

static void torture_lcps(const torture_plan *plan, torture_tally *tally)
{
    crm_packing_def packing = crm_packing_def_default();
    crm_error error = {0};
    crm_model *model = NULL;
    packing.walls = CRM_PACKING_BOX;
    torture_call(&(torture_deed){"complementarity of a matrix", solve_own_lcp, NULL}, plan, tally);
    torture_call(&(torture_deed){"Coulomb's law", solve_coulomb, NULL}, plan, tally);
    const size_t columns[] = {4, 14};
    for (size_t i = 0; i < 2; i++) {
        char name[64];
        packing.columns = packing.rows = columns[i];
        if (crm_model_from_packing(&packing, &model, &error) != CRM_OK) {
            exit(1);
        }
        snprintf(name, sizeof name, "complementarity of %zu contacts", crm_model_contacts(model));
        torture_call(&(torture_deed){name, solve_lcp, model}, plan, tally);
        crm_model_free(model);
    }
}

void torture_calls(const torture_plan *plan, torture_tally *tally)
{
    torture_systems(plan, tally);
    torture_models(plan, tally);
    torture_call(&(torture_deed){"settings", set_options, crm_law_find("impulse-ratio")}, plan,
                 tally);
    torture_call(&(torture_deed){"settings of texts", set_text, crm_law_find("lzb")}, plan, tally);
    torture_impacts(plan, tally);
    torture_batches(plan, tally);
    torture_lcps(plan, tally);
    torture_motions(plan, tally);
    torture_scenarios(plan, tally);
}
