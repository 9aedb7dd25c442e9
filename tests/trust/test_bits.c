/* A restructuring changes no bit of any outcome.
 *
 * tests/bits.txt has a hash for each group of systems below, of everything in their outcomes and
 * histories. It says nothing about right or wrong, which is what the other tests are for.
 *
 *     build/tests/test_bits --print > tests/bits.txt
 *
 * makes it anew. That is for deliberate changes of the numbers only, with a line in CHANGELOG.md
 * that says what changed them and why; a change that was meant to leave them alone and fails here
 * is to be mended instead.
 *
 * The hashes hold on every machine, see docs/reliability/bits.md. What must be alike in itself
 * (threads, histories, workspaces, batches) is checked whatever the file says, see
 * support/bits/bits.c.
 *
 * The ways to solve a system go through the widths of vectors by turns;
 *
 *     build/tests/test_bits --vectors 32
 *
 * takes one for all. scripts/same-bits does so for every build. `--only chains` takes the groups
 * whose names begin so.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bits.h"
#include "bits_systems.h"
#include "expressions.h"
#include "model/model.h"
#include "scenario/number/number.h"
#include "support.h"

/* ---- Settings ------------------------------------------------------------------------------- */

/* What does not end by itself within so many steps is cut short: that has bits as well. */
static const lzb_choices every_scheme[] = {
    {"bi", "auto", 1e-4, 0, 300},         {"bi", "auto", 1e-8, 0, 300},
    {"bi", "auto", 1e-10, 0, 300},        {"mono", "auto", 1e-4, 0, 300},
    {"mono", "auto", 1e-8, 0, 300},       {"mono", "auto", 1e-10, 0, 300},
    {"bi", "auto", 1e-8, 0, 7},           {"bi", "impulse-euler", 0, 0, 200},
    {"mono", "impulse-euler", 0, 0, 200}, {"bi", "time-euler", 0, 0, 200},
    {"mono", "time-euler", 0, 0, 200},
};
enum { SCHEMES = sizeof every_scheme / sizeof every_scheme[0] };

static void solve_by_every_scheme(bits_group *group, const bits_impact *it)
{
    for (size_t k = 0; k < SCHEMES; k++) {
        crm_settings *settings = lzb_settings(every_scheme[k]);
        bits_solve(group, it->model, it->velocity, settings);
        crm_settings_free(settings);
    }
}

static void finish_by_every_scheme(bits_group *group, bits_impact it)
{
    solve_by_every_scheme(group, &it);
    bits_impact_free(&it);
}

/* ---- LZB: small systems --------------------------------------------------------------------- */

static const bits_contacts hertz_lossy = {{1.5, 1.5}, {1, 1}, {1, 1}, {-1, 0}, 0};
static const bits_contacts disordered = {{1, 2.5}, {0.2, 5}, {0.5, 2}, {0.3, 1}, 0};

static const bits_chain chain_kinds[] = {
    {"hertz", {{1.5, 1.5}, {1, 1}, {1, 1}, {1, 1}, 0}, CRM_WALL_NONE, 0},
    {"linear", {{1, 1}, {1, 1}, {1, 1}, {1, 1}, 0}, CRM_WALL_NONE, 0},
    {"hertz-wall", {{1.5, 1.5}, {1, 1}, {1, 1}, {1, 1}, 0}, CRM_WALL_RIGHT, 0},
    {"linear-wall-lossy", {{1, 1}, {0.5, 2}, {1, 1}, {0.4, 1}, 0}, CRM_WALL_LEFT, 0},
    {"moving-wall", {{1.5, 1.5}, {1, 1}, {1, 3}, {0.6, 1}, 0}, CRM_WALL_RIGHT, -0.5},
    {"exponents", {{1, 4}, {0.1, 10}, {1, 1}, {1, 1}, 0}, CRM_WALL_NONE, 0},
    {"low-exponents", {{0.05, 0.8}, {1, 1}, {1, 1}, {0.5, 1}, 0}, CRM_WALL_NONE, 0},
    {"least-exponent", {{0.05, 0.05}, {1, 1}, {1, 1}, {1, 1}, 0}, CRM_WALL_RIGHT, 0},
    {"lossy", {{1.5, 1.5}, {1, 1}, {1, 1}, {-1, 0}, 0}, CRM_WALL_NONE, 0},
    {"lossy-wall", {{1.5, 1.5}, {1, 1}, {1, 1}, {-1, 0}, 0}, CRM_WALL_RIGHT, 0},
    {"mass-ratios", {{1.5, 1.5}, {1, 1}, {0.01, 100}, {0.8, 1}, 0}, CRM_WALL_NONE, 0},
    {"stored", {{1.5, 1.5}, {1, 1}, {1, 1}, {0.7, 1}, 0.2}, CRM_WALL_NONE, 0},
};
enum { CHAIN_KINDS = sizeof chain_kinds / sizeof chain_kinds[0] };

static void solve_chains(bits_group *group, const bits_chain *kind)
{
    for (size_t i = 0; i < 9; i++) {
        size_t balls = 2 + i * 5 % 12;
        bits_system(group, "chain %zu of %zu balls", i, balls);
        finish_by_every_scheme(group, bits_chain_of(kind, balls, i));
    }
}

static void chains(bits_group *group)
{
    const bits_chain *kind = chain_kinds;
    while (strcmp(strchr(group->name, '/') + 1, kind->name) != 0) {
        kind++;
    }
    solve_chains(group, kind);
}

typedef bits_impact maker(const bits_contacts *contacts, size_t number);

static void each_of(bits_group *group, maker *make, const char *name)
{
    const bits_contacts *kinds[] = {&bits_hertz, &hertz_lossy, &disordered};
    for (size_t i = 0; i < 9; i++) {
        bits_system(group, "%s %zu", name, i);
        finish_by_every_scheme(group, make(kinds[i % 3], i));
    }
}

static void discs(bits_group *group)
{
    each_of(group, bits_discs, "discs");
}

static void spheres(bits_group *group)
{
    each_of(group, bits_spheres, "spheres");
}

static void rods(bits_group *group)
{
    each_of(group, bits_rods, "rods");
}

static void apart(bits_group *group)
{
    each_of(group, bits_apart, "chains apart");
}

static bits_impact dense_independent(const bits_contacts *contacts, size_t number)
{
    return bits_dense(contacts, number, false);
}

static bits_impact dense_dependent(const bits_contacts *contacts, size_t number)
{
    return bits_dense(contacts, number, true);
}

static void dense(bits_group *group)
{
    each_of(group, dense_independent, "M and W");
    each_of(group, dense_dependent, "dependent contacts");
}

/* ---- LZB: D as an operator ------------------------------------------------------------------ */

/* Small systems that are made to have no D, and one that has none. */
static void solve_without_delassus(bits_group *group, bits_impact it)
{
    crm_model bare = *it.model;
    bare.d_start = NULL;
    bare.d_column = NULL;
    bare.d_value = NULL;
    solve_by_every_scheme(group, &(bits_impact){&bare, it.velocity});
    bits_impact_free(&it);
}

static void by_operator(bits_group *group)
{
    for (size_t i = 0; i < 6; i++) {
        bits_system(group, "chain %zu without D", i);
        solve_without_delassus(group, bits_chain_of(&chain_kinds[i], 3 + i, i));
        bits_system(group, "M and W %zu without D", i);
        solve_without_delassus(group, bits_dense(&hertz_lossy, i, false));
    }
}

static void large_operator(bits_group *group)
{
    enum { SIZE = 4500 };
    bits_impact it = bits_operator(SIZE);
    assert_false(crm_model_has_delassus(it.model));
    crm_settings *settings = lzb_settings((lzb_choices){"bi", "auto", 1e-4, 0, 2});
    bits_system(group, "M of three diagonals");
    bits_solve_on_threads(group, it.model, it.velocity, settings);
    crm_settings_free(settings);
    bits_impact_free(&it);
}

/* ---- LZB: large systems --------------------------------------------------------------------- */

static void long_chains(bits_group *group)
{
    static const bits_chain kinds[] = {
        {"elastic", {{1.5, 1.5}, {1, 1}, {1, 1}, {1, 1}, 0}, CRM_WALL_NONE, 0},
        {"linear", {{1, 1}, {1, 1}, {1, 1}, {1, 1}, 0}, CRM_WALL_RIGHT, 0},
        {"lossy", {{1.5, 1.5}, {1, 1}, {1, 1}, {0.9, 0.9}, 0}, CRM_WALL_NONE, 0},
        {"disordered", {{1.5, 1.5}, {0.5, 2}, {0.5, 2}, {0.6, 1}, 0}, CRM_WALL_NONE, 0},
        {"exponents", {{1, 2}, {0.5, 2}, {0.5, 2}, {0.8, 1}, 0}, CRM_WALL_RIGHT, 0},
    };
    const size_t balls[] = {200, 400, 1000};
    const double steps[] = {600, 200, 150};
    const char *const models[] = {"bi", "mono"};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        for (size_t i = 0; i < sizeof balls / sizeof balls[0]; i++) {
            bits_impact it = bits_chain_of(&kinds[k], balls[i], i);
            bits_system(group, "%s, %zu balls", kinds[k].name, balls[i]);
            for (size_t m = 0; m < 2; m++) {
                crm_settings *settings =
                    lzb_settings((lzb_choices){models[m], "auto", 1e-4, 0, steps[i]});
                bits_solve_on_threads(group, it.model, it.velocity, settings);
                crm_settings_free(settings);
            }
            bits_impact_free(&it);
        }
    }
}

/* Chains that settle without error control; and one so large that it is divided among threads. */
static void settled_chains(bits_group *group)
{
    static const bits_chain kinds[] = {
        {"Hertz", {{1.5, 1.5}, {1, 1}, {1, 1}, {0.6, 0.6}, 0}, CRM_WALL_NONE, 0},
        {"linear", {{1, 1}, {0.8, 1.2}, {0.5, 2}, {0.4, 0.9}, 0}, CRM_WALL_RIGHT, 0},
        {"powers", {{1.2, 1.2}, {1, 1}, {1, 1}, {0.5, 0.5}, 0}, CRM_WALL_NONE, 0},
    };
    const size_t balls[] = {90, 2600};
    const double steps[] = {20000, 120};
    const char *const models[] = {"bi", "mono"};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        for (size_t i = 0; i < sizeof balls / sizeof balls[0]; i++) {
            bits_impact it = bits_chain_of(&kinds[k], balls[i], i);
            for (size_t n = 0; i == 1 && n < balls[i]; n++) {
                /* all are at work while the blow dies */
                it.velocity[n] = n == 0 ? 1 : -1e-3 * (double)n;
            }
            bits_system(group, "%s, %zu balls", kinds[k].name, balls[i]);
            for (size_t m = 0; m < 2; m++) {
                crm_settings *settings =
                    lzb_settings((lzb_choices){models[m], "auto", 1e-3, 0, steps[i]});
                bits_solve_on_threads(group, it.model, it.velocity, settings);
                crm_settings_free(settings);
            }
            bits_impact_free(&it);
        }
    }
}

static const bits_contacts uneven = {{1.5, 1.5}, {0.5, 2}, {0.5, 2}, {1, 1}, 0};
static const bits_contacts uneven_linear = {{1, 1}, {0.5, 2}, {0.5, 2}, {1, 1}, 0};
static const bits_contacts lossy = {{1.5, 1.5}, {1, 1}, {1, 1}, {0.6, 0.9}, 0};
static const bits_contacts mixed = {{1.1, 2}, {0.5, 2}, {0.5, 2}, {0.6, 1}, 0};
static const bits_contacts pressed = {{1.5, 1.5}, {1, 1}, {1, 1}, {0.9, 1}, 0.1};

/* So large that thousands of contacts are at work, but for the first two. */
typedef struct packing_kind {
    const char *name, *stiffness_model;
    const bits_contacts *contacts;
    size_t side;
    crm_packing_walls walls;
    bits_motion motion;
    double tolerance, steps;
} packing_kind;

static const packing_kind packings[] = {
    {"12, elastic", "bi", &bits_hertz, 12, CRM_PACKING_FLOOR, BITS_STRUCK, 1e-6, 150},
    {"12, lossy", "bi", &lossy, 12, CRM_PACKING_BOX, BITS_STRUCK, 1e-6, 150},
    {"elastic", "bi", &uneven, 60, CRM_PACKING_FLOOR, BITS_SQUEEZED, 1e-4, 5},
    {"linear", "bi", &uneven_linear, 60, CRM_PACKING_BOX, BITS_SQUEEZED, 1e-4, 4},
    {"lossy", "bi", &lossy, 60, CRM_PACKING_BOX, BITS_SQUEEZED, 1e-4, 4},
    {"mixed", "bi", &mixed, 60, CRM_PACKING_OPEN, BITS_SQUEEZED, 1e-8, 5},
    {"mono", "mono", &lossy, 60, CRM_PACKING_BOX, BITS_SQUEEZED, 1e-4, 4},
    {"pressed before", "bi", &pressed, 60, CRM_PACKING_FLOOR, BITS_STRUCK, 1e-4, 8},
    {"struck", "bi", &bits_hertz, 60, CRM_PACKING_FLOOR, BITS_STRUCK, 1e-4, 150},
    {"10^4 discs", "bi", &lossy, 100, CRM_PACKING_BOX, BITS_SQUEEZED, 1e-4, 3},
};

static void solve_packings(bits_group *group)
{
    for (size_t k = 0; k < sizeof packings / sizeof packings[0]; k++) {
        const packing_kind *p = &packings[k];
        bits_impact it = bits_packing(p->contacts, p->side, p->side, p->walls, p->motion);
        crm_settings *settings =
            lzb_settings((lzb_choices){p->stiffness_model, "auto", p->tolerance, 0, p->steps});
        bits_system(group, "packing: %s", p->name);
        bits_solve_on_threads(group, it.model, it.velocity, settings);
        crm_settings_free(settings);
        bits_impact_free(&it);
    }
}

/* ---- LZB: batches --------------------------------------------------------------------------- */

enum { BATCH = 48, MOST_BALLS = 13 };

/* Lanes serve no calls with a limit of steps, so these kinds of chain are those that end soon. */
static const size_t quick_kinds[] = {0, 1, 2, 4, 5, 10, 11};
enum { QUICK_KINDS = sizeof quick_kinds / sizeof quick_kinds[0] };

typedef struct batch_data {
    bits_impact impacts[BATCH];
    const crm_model *models[BATCH];
    double velocities[BATCH * MOST_BALLS];
} batch_data;

/* Chains of all kinds; in lanes those that fit go there, the others one by one. */
static batch_data *chains_in_batch(void)
{
    batch_data *b = calloc(1, sizeof *b);
    assert_non_null(b);
    size_t place = 0;
    for (size_t i = 0; i < BATCH; i++) {
        size_t balls = 2 + i % (MOST_BALLS - 1);
        b->impacts[i] = bits_chain_of(&chain_kinds[quick_kinds[i / 4 % QUICK_KINDS]], balls, i);
        b->models[i] = b->impacts[i].model;
        memcpy(b->velocities + place, b->impacts[i].velocity, balls * sizeof(double));
        place += balls;
    }
    return b;
}

static void free_batch_data(batch_data *b)
{
    for (size_t i = 0; i < BATCH; i++) {
        bits_impact_free(&b->impacts[i]);
    }
    free(b);
}

static void solve_batch_both_ways(bits_group *group, crm_batch_def def)
{
    const double tolerances[] = {1e-4, 1e-8, 1e-10};
    const char *const models[] = {"bi", "bi", "bi", "mono"};
    for (size_t k = 0; k < 4; k++) {
        crm_settings *settings =
            lzb_settings((lzb_choices){models[k], "auto", tolerances[k % 3], 0, 0});
        for (int lanes = 0; lanes < 2; lanes++) {
            def.in_lanes = lanes;
            bits_solve_batch(group, def, settings);
        }
        crm_settings_free(settings);
    }
}

static void batches(bits_group *group)
{
    batch_data *b = chains_in_batch();
    bits_system(group, "a model for each");
    solve_batch_both_ways(
        group, (crm_batch_def){.count = BATCH, .models = b->models, .velocities = b->velocities});
    for (size_t k = 0; k < QUICK_KINDS; k++) {
        const bits_chain *kind = &chain_kinds[quick_kinds[k]];
        bits_impact it = bits_chain_of(kind, 5, k);
        bits_system(group, "one model: %s", kind->name);
        solve_batch_both_ways(
            group, (crm_batch_def){.count = BATCH, .model = it.model, .velocities = b->velocities});
        bits_impact_free(&it);
    }
    free_batch_data(b);
}

/* ---- Every law of the registry -------------------------------------------------------------- */

/* Options to try beside the defaults. A law that is not here is tried with those alone. */
typedef struct law_option {
    const char *law, *number_name;
    double number;
    const char *text_name, *text;
    const char
        *list; /* filled here: 1 on, a little less off the diagonal, or from contact to contact */
} law_option;

static const law_option law_options[] = {
    {"moreau", "restitution", 0.5, NULL, NULL, NULL},
    {"generalized-newton", NULL, 0, NULL, NULL, "restitution_matrix"},
    {"binary", NULL, 0, "order", "right-to-left", NULL},
    {"binary", NULL, 0, "order", "fastest", NULL},
    {"binary", "seed", 7, "order", "random", NULL},
    {"binary", "max_collisions", 40, "order", "all", NULL},
    {"sequential", "max_states", 500, NULL, NULL, NULL},
    {"impulse-ratio", "energy_ratio", 0.8, NULL, NULL, "ratios"},
    {"impulse-ratio", NULL, 0, "from", "lzb", NULL},
    {"impulse-ratio", NULL, 0, "from", "compliant", NULL},
    {"icr", "ratio", 0.3, NULL, NULL, NULL},
    {"icr", "ratio", 0, NULL, NULL, NULL},
    {"compliant", "damping", 0.3, NULL, NULL, NULL},
    {"compliant", "tolerance", 1e-6, NULL, NULL, NULL},
};

static void set_list(crm_settings *settings, const char *name, size_t contacts)
{
    bool matrix = strcmp(name, "restitution_matrix") == 0;
    size_t count = matrix ? contacts * contacts : contacts;
    double *list = malloc((count + 1) * sizeof *list);
    assert_non_null(list);
    for (size_t k = 0; k < count; k++) {
        list[k] = !matrix ? 1 / (1 + 0.125 * (double)k) : k % (contacts + 1) == 0 ? 0.5 : 0.0625;
    }
    crm_error error = {0};
    assert_ok(crm_settings_set_list(settings, name, count, list, &error), &error);
    free(list);
}

static crm_settings *settings_with(const crm_law *law, const law_option *o, size_t contacts)
{
    crm_settings *settings = NULL;
    crm_error error = {0};
    assert_ok(crm_settings_create(law, &settings, &error), &error);
    static const char *const limits[] = {"max_steps", "max_collisions"};
    for (size_t k = 0; k < 2; k++) { /* refused by laws that have no such option */
        crm_settings_set_number(settings, limits[k], 500, NULL);
    }
    if (o != NULL && o->number_name != NULL) {
        assert_ok(crm_settings_set_number(settings, o->number_name, o->number, &error), &error);
    }
    if (o != NULL && o->text_name != NULL) {
        assert_ok(crm_settings_set_text(settings, o->text_name, o->text, &error), &error);
    }
    if (o != NULL && o->list != NULL) {
        set_list(settings, o->list, contacts);
    }
    return settings;
}

static void solve_by_law(bits_group *group, const crm_law *law, bits_impact it)
{
    for (size_t k = 0; k <= sizeof law_options / sizeof law_options[0]; k++) {
        const law_option *o = k > 0 ? &law_options[k - 1] : NULL;
        if (o == NULL || strcmp(o->law, law->name) == 0) {
            crm_settings *settings = settings_with(law, o, crm_model_contacts(it.model));
            bits_solve(group, it.model, it.velocity, settings);
            crm_settings_free(settings);
        }
    }
    bits_impact_free(&it);
}

static void solve_everything_by(bits_group *group, const crm_law *law)
{
    for (size_t kind = 0; kind < CHAIN_KINDS; kind++) {
        bits_system(group, "chain: %s", chain_kinds[kind].name);
        solve_by_law(group, law, bits_chain_of(&chain_kinds[kind], 3 + kind % 3, kind));
    }
    for (size_t i = 0; i < 4; i++) {
        const bits_contacts *contacts = i % 2 == 0 ? &bits_hertz : &disordered;
        bits_system(group, "discs %zu", i);
        solve_by_law(group, law, bits_discs(contacts, 6 * i));
        bits_system(group, "spheres %zu", i);
        solve_by_law(group, law, bits_spheres(contacts, i));
        bits_system(group, "rods %zu", i);
        solve_by_law(group, law, bits_rods(contacts, i));
        bits_system(group, "chains apart %zu", i);
        solve_by_law(group, law, bits_apart(contacts, 2 * i));
        bits_system(group, "M and W %zu", i);
        solve_by_law(group, law, bits_dense(contacts, i, false));
        bits_system(group, "dependent contacts %zu", i);
        solve_by_law(group, law, bits_dense(contacts, i, true));
    }
}

static void law(bits_group *group)
{
    solve_everything_by(group, crm_law_find(strchr(group->name, '/') + 1));
}

static const char *const laws_by_complementarity[] = {"moreau", "newton", "generalized-newton",
                                                      "poisson"};

static void complementarity_in_packings(bits_group *group)
{
    for (size_t k = 0; k < 4; k++) {
        const crm_law *by = crm_law_find(laws_by_complementarity[k]);
        for (size_t side = 6; side <= 18; side += 6) {
            bits_contacts contacts = bits_hertz;
            contacts.mass[1] = side > 6 ? 2 : 1;
            contacts.restitution[0] = contacts.restitution[1] = 0.5;
            bits_system(group, "%s, %zu by %zu discs", by->name, side, side);
            bits_impact it = bits_packing(&contacts, side, side, CRM_PACKING_BOX, BITS_SQUEEZED);
            crm_settings *settings = settings_with(by, NULL, 0);
            bits_solve(group, it.model, it.velocity, settings);
            crm_settings_free(settings);
            bits_impact_free(&it);
        }
    }
}

/* ---- Numbers in scenarios ------------------------------------------------------------------- */

static void expressions(bits_group *group)
{
    enum { SETS = 10, EACH = 1000 };
    rng r = rng_seeded(12);
    for (size_t k = 0; k < SETS; k++) {
        bits_hash *hash = bits_system(group, "set %zu", k + 1);
        for (size_t i = 0; i < EACH; i++) {
            char text[EXPRESSION_LONGEST], problem[128];
            crm_quantity quantity;
            expression_draw(&r, text);
            if (!crm_expression_read(text, &quantity, problem, sizeof problem)) {
                fail_msg("'%s' was not understood: %s", text, problem);
            }
            bits_add_number(hash, crm_wide_narrow(quantity.value));
        }
    }
}

/* ---- Groups --------------------------------------------------------------------------------- */

typedef struct group_kind {
    const char *name;
    void (*solve)(bits_group *group);
    bool large; /* left out when time is short */
} group_kind;

enum { MOST_GROUPS = 64 };

typedef struct group_list {
    group_kind kinds[MOST_GROUPS];
    char names[MOST_GROUPS][BITS_NAME];
    size_t count;
} group_list;

static group_list groups;
static bits_file file;

static void add_group(const char *name, void (*solve)(bits_group *), bool large)
{
    assert_true(groups.count < MOST_GROUPS);
    char *kept = groups.names[groups.count];
    snprintf(kept, BITS_NAME, "%s", name);
    groups.kinds[groups.count++] = (group_kind){kept, solve, large};
}

static void list_groups(void)
{
    char name[BITS_NAME];
    for (size_t k = 0; k < CHAIN_KINDS; k++) {
        snprintf(name, sizeof name, "chains/%s", chain_kinds[k].name);
        add_group(name, chains, false);
    }
    add_group("discs", discs, false);
    add_group("spheres", spheres, false);
    add_group("rods", rods, false);
    add_group("apart", apart, false);
    add_group("dense", dense, false);
    add_group("operator", by_operator, false);
    add_group("large-operator", large_operator, true);
    add_group("batches", batches, false);
    add_group("expressions", expressions, false);
    add_group("examples/solve", bits_solve_examples, true);
    add_group("examples/simulate", bits_move_examples, true);
    add_group("long-chains", long_chains, true);
    add_group("settled-chains", settled_chains, true);
    add_group("packings", solve_packings, true);
    add_group("complementarity", complementarity_in_packings, true);
    for (size_t k = 0; k < crm_law_count(); k++) {
        snprintf(name, sizeof name, "law/%s", crm_law_at(k)->name);
        add_group(name, law, false);
    }
}

static void bits_are_as_they_were(void **state)
{
    const group_kind *kind = *state;
    bits_group *group = malloc(sizeof *group);
    assert_non_null(group);
    bits_group_begin(group, kind->name);
    kind->solve(group);
    bits_file_check(&file, group);
    bits_group_end(group);
    free(group);
}

static void print_file(void)
{
    printf("# Hashes of outcomes, made by test_bits --print; see tests/trust/test_bits.c before "
           "changing them.\n");
    bits_group *group = malloc(sizeof *group);
    for (size_t k = 0; group != NULL && k < groups.count; k++) {
        bits_group_begin(group, groups.kinds[k].name);
        groups.kinds[k].solve(group);
        bits_print_group(group);
        fflush(stdout);
        bits_group_end(group);
    }
    free(group);
}

int main(int count, char **words)
{
    list_groups();
    if (count > 2 && strcmp(words[1], "--vectors") == 0) {
        bits_force_vectors((unsigned)strtoul(words[2], NULL, 10));
    }
    if (count > 1 && strcmp(words[count - 1], "--print") == 0) {
        print_file();
        return 0;
    }
    file = bits_file_read(CAROM_SOURCE_DIR "/tests/bits.txt");
    bool quick = getenv("CAROM_TEST_QUICK") != NULL;
    const char *only = count > 2 && strcmp(words[1], "--only") == 0 ? words[2] : "";
    struct CMUnitTest tests[MOST_GROUPS];
    size_t tried = 0;
    for (size_t k = 0; k < groups.count; k++) {
        if (!(quick && groups.kinds[k].large) &&
            strncmp(groups.kinds[k].name, only, strlen(only)) == 0) {
            tests[tried++] = (struct CMUnitTest){groups.kinds[k].name, bits_are_as_they_were, NULL,
                                                 NULL, &groups.kinds[k]};
        }
    }
    int failed = _cmocka_run_group_tests("bits", tests, tried, NULL, NULL);
    bits_file_free(&file);
    return failed;
}
