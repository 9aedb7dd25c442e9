/* Helpers of the tests: comparisons, random systems, calls. See support.h. */
#include "support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- Comparing ----------------------------------------------------------------------------- */

void check_near(double got, double want, double tolerance, const char *what, const char *file,
                int line)
{
    if (fabs(got - want) <= tolerance) {
        return;
    }
    print_error("%s: got %.17g, want %.17g, off by %.3g, allowed %.3g\n", what, got, want,
                got - want, tolerance);
    _fail(file, line);
}

void check_all_near(const double *got, const double *want, size_t count, double tolerance,
                    const char *what, const char *file, int line)
{
    for (size_t i = 0; i < count; i++) {
        if (!(fabs(got[i] - want[i]) <= tolerance)) {
            print_error("%s[%zu]: ", what, i);
            check_near(got[i], want[i], tolerance, what, file, line);
        }
    }
}

void check_ok(crm_status status, const crm_error *error, const char *what, const char *file,
              int line)
{
    if (status == CRM_OK) {
        return;
    }
    print_error("%s: %s (%s: %s)\n", what, crm_status_text(status), error ? error->place : "",
                error ? error->message : "");
    _fail(file, line);
}

double largest_difference(const double *a, const double *b, size_t count)
{
    double largest = 0.0;
    for (size_t i = 0; i < count; i++) {
        double d = fabs(a[i] - b[i]);
        largest = d <= largest ? largest : d; /* a NAN is kept */
    }
    return largest;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void print_distribution_head(void)
{
    printf("%-17s  %7s  %7s  %7s  %7s\n", "", "median", "9 in 10", "99%", "worst");
}

void print_distribution(const char *what, double *values, size_t count)
{
    qsort(values, count, sizeof *values, ascending);
    printf("%-17s", what);
    const double parts[] = {0.5, 0.9, 0.99, 1};
    for (size_t i = 0; i < 4 && count > 0; i++) {
        size_t place = (size_t)(parts[i] * (double)(count - 1) + 0.5);
        printf("  %7.1e", values[place]);
    }
    printf("\n");
}

double largest_size(const double *a, size_t count)
{
    double largest = 0.0;
    for (size_t i = 0; i < count; i++) {
        largest = fmax(largest, fabs(a[i]));
    }
    return largest;
}

/* ---- Random numbers ------------------------------------------------------------------------ */

rng rng_seeded(uint64_t seed)
{
    return (rng){seed};
}

uint64_t rng_next(rng *r)
{
    uint64_t z = (r->state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

size_t rng_below(rng *r, size_t bound)
{
    return (size_t)(rng_next(r) % bound);
}

double rng_uniform(rng *r, double low, double high)
{
    return low + (high - low) * ((double)(rng_next(r) >> 11) * 0x1p-53);
}

double rng_log(rng *r, double low, double high)
{
    return exp(rng_uniform(r, log(low), log(high)));
}

double rng_normal(rng *r)
{
    const double two_pi = 6.283185307179586;
    return sqrt(-2.0 * log(rng_uniform(r, 1e-300, 1.0))) * cos(rng_uniform(r, 0.0, two_pi));
}

void rng_shuffle(rng *r, size_t *order, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        order[i] = i;
    }
    for (size_t i = count; i > 1; i--) {
        size_t k = rng_below(r, i);
        size_t kept = order[i - 1];
        order[i - 1] = order[k];
        order[k] = kept;
    }
}

/* ---- Small systems ------------------------------------------------------------------------- */

small_system small_system_blank(size_t n, size_t s)
{
    small_system system = {.n = n, .s = s};
    for (size_t i = 0; i < n; i++) {
        system.mass[i * n + i] = 1.0;
    }
    for (size_t j = 0; j < s; j++) {
        system.stiffness[j] = 1.0;
        system.exponent[j] = 1.5;
        system.restitution[j] = 1.0;
    }
    return system;
}

small_system small_system_chain(size_t count, bool wall)
{
    small_system system = small_system_blank(count, count - 1 + (wall ? 1 : 0));
    for (size_t j = 0; j + 1 < count; j++) {
        system.w[j * count + j] = -1.0;
        system.w[j * count + j + 1] = 1.0;
    }
    if (wall) {
        system.w[(count - 1) * count + count - 1] = -1.0;
    }
    return system;
}

size_t rounds(size_t many, size_t few)
{
    return getenv("CAROM_TEST_QUICK") != NULL ? few : many;
}

crm_system_def small_system_def(const small_system *system)
{
    crm_system_def def = crm_system_def_default();
    def.coordinates = system->n;
    def.contacts = system->s;
    def.mass_dense = system->mass;
    def.w_dense = system->w;
    def.stiffness = system->stiffness;
    def.exponent = system->exponent;
    def.restitution = system->restitution;
    def.stored_energy = system->stored_energy;
    def.boundary_velocity = system->boundary_velocity;
    def.gap = system->gap;
    return def;
}

crm_model *small_system_model(const small_system *system)
{
    crm_system_def def = small_system_def(system);
    crm_model *model = NULL;
    crm_error error = {0};
    assert_ok(crm_model_from_system(&def, &model, &error), &error);
    return model;
}

small_system small_system_renumbered(const small_system *system, const size_t *contact_order,
                                     const size_t *coordinate_order)
{
    small_system result = *system;
    size_t n = system->n;
    for (size_t i = 0; i < n; i++) {
        size_t from = coordinate_order[i];
        result.velocity[i] = system->velocity[from];
        for (size_t k = 0; k < n; k++) {
            result.mass[i * n + k] = system->mass[from * n + coordinate_order[k]];
        }
    }
    for (size_t j = 0; j < system->s; j++) {
        size_t from = contact_order[j];
        result.stiffness[j] = system->stiffness[from];
        result.exponent[j] = system->exponent[from];
        result.restitution[j] = system->restitution[from];
        result.stored_energy[j] = system->stored_energy[from];
        result.boundary_velocity[j] = system->boundary_velocity[from];
        result.gap[j] = system->gap[from];
        for (size_t i = 0; i < n; i++) {
            result.w[j * n + i] = system->w[from * n + coordinate_order[i]];
        }
    }
    return result;
}

double small_system_energy(const small_system *system, const double *velocity)
{
    double twice = 0.0;
    for (size_t i = 0; i < system->n; i++) {
        for (size_t k = 0; k < system->n; k++) {
            twice += velocity[i] * system->mass[i * system->n + k] * velocity[k];
        }
    }
    return 0.5 * twice;
}

void small_system_gap_velocity(const small_system *system, const double *velocity, double *u)
{
    for (size_t j = 0; j < system->s; j++) {
        u[j] = system->boundary_velocity[j];
        for (size_t i = 0; i < system->n; i++) {
            u[j] += system->w[j * system->n + i] * velocity[i];
        }
    }
}

static double largest_closing_speed(const small_system *system)
{
    double u[SMALL], speed = 0;
    small_system_gap_velocity(system, system->velocity, u);
    for (size_t j = 0; j < system->s; j++) {
        speed = fmax(speed, -u[j]);
    }
    return speed;
}

double small_system_error(const small_system *system, const double *velocity, const double *truth)
{
    double worst = 0;
    for (size_t i = 0; i < system->n; i++) {
        worst = fmax(worst, fabs(velocity[i] - truth[i]));
    }
    return worst / largest_closing_speed(system);
}

static void print_list(const char *name, const double *values, size_t count)
{
    print_message("  %s:", name);
    for (size_t i = 0; i < count; i++) {
        print_message(" %.17g", values[i]);
    }
    print_message("\n");
}

void small_system_print(const small_system *system)
{
    print_message("system of %zu coordinates, %zu contacts\n", system->n, system->s);
    print_list("mass", system->mass, system->n * system->n);
    print_list("w", system->w, system->s * system->n);
    print_list("stiffness", system->stiffness, system->s);
    print_list("exponent", system->exponent, system->s);
    print_list("restitution", system->restitution, system->s);
    print_list("stored_energy", system->stored_energy, system->s);
    print_list("boundary_velocity", system->boundary_velocity, system->s);
    print_list("velocity", system->velocity, system->n);
}

/* ---- Random systems ------------------------------------------------------------------------- */

random_choice random_choice_default(void)
{
    return (random_choice){.most_contacts = 5,
                           .least_restitution = 0.1,
                           .most_restitution = 1.0,
                           .stiffness_spread = 10.0};
}

static double random_exponent(rng *r)
{
    static const double common[] = {1.0, 1.5, 1.5, 1.5, 2.0, 3.0};
    return rng_below(r, 3) ? common[rng_below(r, 6)] : rng_uniform(r, 0.6, 3.0);
}

static double random_restitution(rng *r, random_choice choice)
{
    if (choice.elastic) {
        return 1.0;
    }
    if (choice.plastic_sometimes && rng_below(r, 6) == 0) {
        return 0.0;
    }
    if (choice.most_restitution == 1.0 && rng_below(r, 6) == 0) {
        return 1.0;
    }
    return rng_uniform(r, choice.least_restitution, choice.most_restitution);
}

static void random_contacts(rng *r, random_choice choice, small_system *system)
{
    double eta = random_exponent(r);
    for (size_t j = 0; j < system->s; j++) {
        system->stiffness[j] = rng_log(r, 1.0 / choice.stiffness_spread, choice.stiffness_spread);
        system->exponent[j] = choice.uniform_exponent ? eta : random_exponent(r);
        system->restitution[j] = random_restitution(r, choice);
        if (choice.stored_energy && rng_below(r, 3) == 0) {
            system->stored_energy[j] = rng_log(r, 1e-3, 1.0);
        }
    }
}

/* Some contact must close: turn a velocity that separates everywhere round. */
static void make_it_strike(small_system *system)
{
    double u[SMALL];
    small_system_gap_velocity(system, system->velocity, u);
    for (size_t j = 0; j < system->s; j++) {
        if (u[j] < 0.0) {
            return;
        }
    }
    for (size_t i = 0; i < system->n; i++) {
        system->velocity[i] = -system->velocity[i];
    }
}

small_system random_chain(rng *r, random_choice choice, bool wall)
{
    size_t contacts = 1 + rng_below(r, choice.most_contacts);
    small_system system = small_system_chain(contacts + (wall ? 0 : 1), wall);
    random_contacts(r, choice, &system);
    for (size_t i = 0; i < system.n; i++) {
        system.mass[i * system.n + i] = rng_log(r, 0.3, 3.0);
        system.velocity[i] = rng_uniform(r, -1.0, 1.0);
    }
    if (rng_below(r, 2)) { /* the classical case: one end struck, the rest at rest */
        memset(system.velocity, 0, sizeof system.velocity);
        system.velocity[0] = 1.0;
    }
    make_it_strike(&system);
    return system;
}

small_system random_stiff_chain(rng *r, double least, double most, bool each)
{
    bool wall = rng_below(r, 2), equal = rng_below(r, 2), elastic = rng_below(r, 2);
    bool all_move = wall && rng_below(r, 2);
    small_system chain = small_system_chain(3 + rng_below(r, 6), wall);
    double exponent = rng_log(r, least, most);
    for (size_t i = 0; i < chain.n; i++) {
        chain.mass[i * chain.n + i] = equal ? 1 : rng_log(r, 0.1, 10);
        chain.velocity[i] = i == 0 || all_move ? 1 : 0;
    }
    for (size_t j = 0; j < chain.s; j++) {
        chain.exponent[j] = each ? rng_log(r, least, most) : exponent;
        chain.stiffness[j] = equal ? 1 : rng_log(r, 0.01, 100);
        chain.restitution[j] = elastic ? 1 : rng_uniform(r, 0.2, 1);
    }
    return chain;
}

small_system random_lagrangian(rng *r, random_choice choice)
{
    size_t n = 1 + rng_below(r, choice.most_contacts);
    size_t s = 1 + rng_below(r, choice.most_contacts);
    small_system system = small_system_blank(n, s);
    random_contacts(r, choice, &system);
    double factor[SMALL * SMALL];
    for (size_t i = 0; i < n * n; i++) {
        factor[i] = rng_normal(r);
    }
    for (size_t i = 0; i < n; i++) { /* M = F F' + I/2: symmetric, well conditioned */
        for (size_t k = 0; k <= i; k++) {
            double sum = i == k ? 0.5 : 0.0;
            for (size_t l = 0; l < n; l++) {
                sum += factor[i * n + l] * factor[k * n + l];
            }
            system.mass[i * n + k] = system.mass[k * n + i] = sum;
        }
    }
    double common[SMALL]; /* W' common > 0 for every contact */
    for (size_t i = 0; i < n; i++) {
        common[i] = rng_normal(r);
    }
    double length = 0.0;
    for (size_t i = 0; i < n; i++) {
        length += common[i] * common[i];
    }
    for (size_t j = 0; j < s; j++) {
        double along = 0.0;
        for (size_t i = 0; i < n; i++) {
            system.w[j * n + i] = rng_normal(r);
            along += system.w[j * n + i] * common[i];
        }
        double wanted = rng_uniform(r, 0.1, 1.0) * sqrt(length);
        for (size_t i = 0; i < n; i++) {
            system.w[j * n + i] += (wanted - along) / length * common[i];
        }
    }
    for (size_t i = 0; i < n; i++) {
        system.velocity[i] = rng_uniform(r, -1.0, 1.0);
    }
    make_it_strike(&system);
    return system;
}

static bool patch_touches(const disc_patch *patch, double x, double y)
{
    for (size_t i = 0; i < patch->count; i++) {
        double d = hypot(patch->position[i][0] - x, patch->position[i][1] - y);
        if (d < 1.9 * patch->radius) {
            return false; /* taken */
        }
    }
    return true;
}

/* Grow a patch on the hexagonal lattice, each disc beside an earlier one. */
static void grow_patch(rng *r, disc_patch *patch, size_t count)
{
    const double third = 1.0471975511965977; /* pi/3 */
    patch->radius = 0.5;
    patch->count = 1;
    patch->position[0][0] = patch->position[0][1] = 0.0;
    while (patch->count < count) {
        const double *from = patch->position[rng_below(r, patch->count)];
        double angle = third * (double)rng_below(r, 6);
        double x = from[0] + 2.0 * patch->radius * cos(angle);
        double y = from[1] + 2.0 * patch->radius * sin(angle);
        if (patch_touches(patch, x, y)) {
            patch->position[patch->count][0] = x;
            patch->position[patch->count][1] = y;
            patch->count++;
        }
    }
}

small_system random_disc_patch(rng *r, random_choice choice, disc_patch *patch)
{
    size_t most = choice.most_contacts < 7 ? 4 : 6;
    small_system system;
    do {
        grow_patch(r, patch, 2 + rng_below(r, most - 1));
        system = small_system_blank(2 * patch->count, 0);
        for (size_t a = 0; a < patch->count; a++) {
            for (size_t b = a + 1; b < patch->count; b++) {
                double x = patch->position[b][0] - patch->position[a][0];
                double y = patch->position[b][1] - patch->position[a][1];
                double d = hypot(x, y);
                if (d > 2.1 * patch->radius || system.s == SMALL) {
                    continue;
                }
                double *w = &system.w[system.s++ * system.n];
                w[2 * a] = -x / d;
                w[2 * a + 1] = -y / d;
                w[2 * b] = x / d;
                w[2 * b + 1] = y / d;
            }
        }
    } while (system.s > choice.most_contacts);
    random_contacts(r, choice, &system);
    for (size_t i = 0; i < patch->count; i++) {
        double mass = rng_log(r, 0.5, 2.0);
        system.mass[(2 * i) * (system.n + 1)] = mass;
        system.mass[(2 * i + 1) * (system.n + 1)] = mass;
    }
    for (size_t i = 0; i < system.n; i++) {
        system.velocity[i] = rng_uniform(r, -1.0, 1.0);
    }
    make_it_strike(&system);
    return system;
}

/* ---- Calling a law --------------------------------------------------------------------------- */

/* What laws must be told: a choice, or a number. */
static const struct {
    const char *law, *option, *choice;
    double number;
} told[] = {{"impulse-ratio", "from", "lzb", 0}, {"icr", "ratio", NULL, 0.2}};

crm_settings *law_settings(const crm_law *law)
{
    crm_settings *settings = NULL;
    crm_error error = {0};
    assert_ok(crm_settings_create(law, &settings, &error), &error);
    for (size_t k = 0; k < sizeof told / sizeof told[0]; k++) {
        if (strcmp(law->name, told[k].law) == 0) {
            crm_status status =
                told[k].choice != NULL
                    ? crm_settings_set_text(settings, told[k].option, told[k].choice, &error)
                    : crm_settings_set_number(settings, told[k].option, told[k].number, &error);
            assert_ok(status, &error);
        }
    }
    return settings;
}

const lzb_choices lzb_bi = {.stiffness_model = "bi"};
const lzb_choices lzb_mono = {.stiffness_model = "mono"};

crm_settings *lzb_settings(lzb_choices options)
{
    crm_error error = {0};
    const crm_law *law = crm_law_find("lzb");
    assert_non_null(law);
    crm_settings *settings = NULL;
    assert_ok(crm_settings_create(law, &settings, &error), &error);
    if (options.stiffness_model) {
        assert_ok(
            crm_settings_set_text(settings, "stiffness_model", options.stiffness_model, &error),
            &error);
    }
    if (options.scheme) {
        assert_ok(crm_settings_set_text(settings, "scheme", options.scheme, &error), &error);
    }
    if (options.tolerance > 0.0) {
        assert_ok(crm_settings_set_number(settings, "tolerance", options.tolerance, &error),
                  &error);
    }
    if (options.step > 0.0) {
        assert_ok(crm_settings_set_number(settings, "step", options.step, &error), &error);
    }
    if (options.max_steps > 0.0) {
        assert_ok(crm_settings_set_number(settings, "max_steps", options.max_steps, &error),
                  &error);
    }
    return settings;
}

crm_outcome *lzb_outcome(const crm_model *model, const double *velocity, lzb_choices options)
{
    crm_settings *settings = lzb_settings(options);
    crm_outcome *outcome = NULL;
    crm_error error = {0};
    assert_ok(crm_solve(model, velocity, settings, NULL, &outcome, &error), &error);
    crm_settings_free(settings);
    return outcome;
}

crm_outcome *lzb_solve(const crm_model *model, const double *velocity, lzb_choices options)
{
    crm_outcome *outcome = lzb_outcome(model, velocity, options);
    if (outcome->result != CRM_SOLVED) {
        fail_msg("not solved: %s", outcome->reason);
    }
    return outcome;
}

crm_outcome *lzb_solve_small(const small_system *system, lzb_choices options)
{
    crm_model *model = small_system_model(system);
    crm_outcome *outcome = lzb_solve(model, system->velocity, options);
    crm_model_free(model);
    return outcome;
}

/* ---- Chains and bodies
 * ---------------------------------------------------------------------------------- */

crm_model *chain_model(const crm_chain_def *def)
{
    crm_model *model = NULL;
    crm_error error = {0};
    assert_ok(crm_model_from_chain(def, &model, &error), &error);
    return model;
}

crm_body_def ball_at(double radius, double mass, double x, double y, double z)
{
    crm_body_def ball = crm_body_def_default();
    ball.radius = radius;
    ball.mass = mass;
    ball.position[0] = x;
    ball.position[1] = y;
    ball.position[2] = z;
    return ball;
}

crm_bodies_def bodies_def(unsigned dimension, const crm_body_def *bodies, size_t count)
{
    crm_bodies_def def = crm_bodies_def_default();
    def.dimension = dimension;
    def.bodies = bodies;
    def.body_count = count;
    return def;
}
