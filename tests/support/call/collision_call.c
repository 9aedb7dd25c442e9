#include "collision_call.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

crm_outcome *solve_model(const char *law, const crm_model *model, const double *velocity,
                         const option *options)
{
    crm_error error = {0};
    crm_settings *settings;
    assert_ok(crm_settings_create(crm_law_find(law), &settings, &error), &error);
    for (size_t i = 0; i < OPTIONS && options != NULL && options[i].name != NULL; i++) {
        assert_ok(
            options[i].text != NULL
                ? crm_settings_set_text(settings, options[i].name, options[i].text, &error)
                : crm_settings_set_number(settings, options[i].name, options[i].number, &error),
            &error);
    }
    crm_outcome *outcome;
    assert_ok(crm_solve(model, velocity, settings, NULL, &outcome, &error), &error);
    crm_settings_free(settings);
    return outcome;
}

crm_outcome *solve_small(const char *law, const small_system *system, const option *options)
{
    crm_model *model = small_system_model(system);
    crm_outcome *outcome = solve_model(law, model, system->velocity, options);
    crm_model_free(model);
    return outcome;
}

void check_option_refused(const char *law, option o, const char *says)
{
    crm_error error = {0};
    crm_settings *settings;
    char parts[256], *part = parts;
    snprintf(parts, sizeof parts, "%s|law %s|%s", says, law, o.name);
    assert_ok(crm_settings_create(crm_law_find(law), &settings, &error), &error);
    assert_int_equal(o.text != NULL ? crm_settings_set_text(settings, o.name, o.text, &error)
                                    : crm_settings_set_number(settings, o.name, o.number, &error),
                     CRM_ERROR_OPTION);
    while (part != NULL) {
        char *end = strchr(part, '|');
        if (end != NULL) {
            *end++ = '\0';
        }
        assert_non_null(strstr(error.message, part));
        part = end;
    }
    crm_settings_free(settings);
}

small_system chain_of(size_t count, const double *mass, const double *velocity, double e)
{
    small_system chain = small_system_chain(count, false);
    for (size_t i = 0; i < count; i++) {
        chain.mass[i * count + i] = mass != NULL ? mass[i] : 1;
        chain.velocity[i] = velocity != NULL ? velocity[i] : i == 0;
    }
    for (size_t j = 0; j + 1 < count; j++) {
        chain.restitution[j] = e;
    }
    return chain;
}

crm_model *long_chain(size_t count, const double *mass, double e)
{
    crm_error error = {0};
    crm_chain_def def = crm_chain_def_default();
    def.count = count;
    def.mass = (crm_values){.all = 1, .each = mass};
    def.restitution.all = e;
    crm_model *model;
    assert_ok(crm_model_from_chain(&def, &model, &error), &error);
    return model;
}

/* Neither of two contacts separates, both push, both are reversed (elastic). */
static void follow_both(tree *t, const double *v)
{
    const double *m = t->chain->mass;
    double c1 = v[0] - v[1], c2 = v[1] - v[2];
    double d11 = 1 / m[0] + 1 / m[4], d12 = -1 / m[4], d22 = 1 / m[4] + 1 / m[8];
    double determinant = d11 * d22 - d12 * d12;
    double p1 = 2 * (d22 * c1 - d12 * c2) / determinant;
    double p2 = 2 * (d11 * c2 - d12 * c1) / determinant;
    if (c1 > -1e-12 && c2 > -1e-12 && fmax(c1, c2) > 1e-12 && p1 > 0 && p2 > 0) {
        follow(t, (const double[]){v[0] - p1 / m[0], v[1] + (p1 - p2) / m[4], v[2] + p2 / m[8]});
    }
}

void follow(tree *t, const double *v)
{
    size_t n = t->chain->n;
    bool ended = true;
    if (t->simultaneous) {
        follow_both(t, v);
    }
    for (size_t k = 0; k < t->chain->s; k++) {
        if (v[k] - v[k + 1] > 1e-12) {
            double next[SMALL], a = t->chain->mass[k * n + k];
            double b = t->chain->mass[(k + 1) * n + k + 1], e = t->chain->restitution[k];
            double p = (1 + e) * (v[k] - v[k + 1]) / (1 / a + 1 / b);
            memcpy(next, v, n * sizeof *v);
            next[k] -= p / a;
            next[k + 1] += p / b;
            follow(t, next);
            ended = false;
        }
    }
    for (size_t i = 0; i < t->count && ended; i++) {
        ended = largest_difference(t->found[i], v, n) > 1e-8;
    }
    if (ended) {
        assert_true(t->count < 256);
        memcpy(t->found[t->count++], v, n * sizeof *v);
    }
}
