/* Where contacts that touch are at rest before the impact: closing and parting have different
 * derivatives there, by every law, and a note says so. The judge: differences to
 * either side, of whole solves.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "carom/inverse.h"
#include "law_call.h"
#include "support.h"

enum { MOST = 3 };

typedef struct scene {
    size_t balls;
    double velocity[MOST];
    bool wall;     /* right of the last ball */
    double energy; /* stored between all */
    bool kinks;    /* by mechanics */
} scene;

/* e = .5 and no other law than v+ = v- where nothing closes. A contact with u- = 0 is at a kink,
 * unless energy is stored in it, which presses it apart whatever u- is.
 */
static const scene scenes[] = {
    {2, {0, 0}, false, 0, true},
    {2, {1, 1}, false, 0, true},
    {2, {0.1 + 0.2, 0.3}, false, 0, true}, /* u- is rounding, whichever sign it has */
    {2, {0.3, 0.1 + 0.2}, false, 0, true},
    {2, {1e3 * (0.1 + 0.2), 1e3 * 0.3}, false, 0, true},
    {3, {0, 0, 0}, false, 0, true},
    {3, {0.3, 0.3, 5}, false, 0, true}, /* at rest beside one that parts */
    {2, {0, 0}, true, 0, true},
    {2, {-1, 0}, true, 0, true},
    {2, {0, 1}, false, 0, false},
    {2, {1e-7, 3e-7}, false, 0, false}, /* slow is not at rest */
    {3, {-1, 0, 1}, false, 0, false},
    {2, {1, 0}, false, 0, false},
};

enum { SCENES = sizeof scenes / sizeof scenes[0] };

static bool has_parting(const scene *s)
{
    for (size_t i = 0; i + 1 < s->balls; i++) {
        if (s->velocity[i + 1] - s->velocity[i] > 0.5) {
            return true;
        }
    }
    return false;
}

/* The percussions of Fremond's law act on a contact that parts, too, and so take the one at rest
 * beside it away from its kink.
 */
static bool has_kink_by_mechanics(const scene *s, const crm_law *law)
{
    return s->kinks && !(strcmp(law->name, "fremond") == 0 && has_parting(s));
}

static crm_model *model_of(const scene *s)
{
    crm_chain_def def = crm_chain_def_default();
    def.count = s->balls;
    def.restitution.all = 0.5;
    def.stored_energy.all = s->energy;
    def.wall_side = s->wall ? CRM_WALL_RIGHT : CRM_WALL_NONE;
    return chain_model(&def);
}

/* Of all velocities along velocity k, to the side of `step`. */
static void difference(const crm_model *model, const scene *s, const crm_law *law, size_t k,
                       double step, double *slope)
{
    crm_error error = {0};
    crm_settings *settings = law_settings(law);
    double after[2][MOST], v[MOST];
    memcpy(v, s->velocity, sizeof v);
    for (int i = 0; i < 2; i++) {
        crm_outcome *outcome = NULL;
        v[k] = s->velocity[k] + i * step;
        assert_ok(crm_solve(model, v, settings, NULL, &outcome, &error), &error);
        memcpy(after[i], outcome->velocity, s->balls * sizeof(double));
        crm_outcome_free(outcome);
    }
    crm_settings_free(settings);
    for (size_t i = 0; i < s->balls; i++) {
        slope[i] = (after[1][i] - after[0][i]) / step;
    }
}

/* Whether differences to both sides are two. */
static bool has_kink(const scene *s, const crm_law *law)
{
    static const double APART = 1e-2; /* of slopes of the order of 1 */
    crm_model *model = model_of(s);
    bool kinks = false;
    double size = 0;
    for (size_t k = 0; k < s->balls; k++) {
        size = fmax(size, fabs(s->velocity[k]));
    }
    double step = 1e-4 * (size > 0 ? size : 1);
    for (size_t k = 0; k < s->balls; k++) {
        double below[MOST], above[MOST];
        difference(model, s, law, k, -step, below);
        difference(model, s, law, k, step, above);
        for (size_t i = 0; i < s->balls; i++) {
            kinks |= fabs(above[i] - below[i]) > APART;
        }
    }
    crm_model_free(model);
    return kinks;
}

/* Whether it is said that there is no derivative. */
static bool is_noted(const scene *s, const crm_law *law)
{
    char text[1024];
    const char *option = strcmp(law->name, "icr") == 0             ? ", ratio: 0.2"
                         : strcmp(law->name, "impulse-ratio") == 0 ? ", from: lzb"
                                                                   : "";
    int used =
        snprintf(text, sizeof text,
                 "laws: [{law: %s%s}]\nchain: {count: %zu, restitution: 0.5, wall: %s, energy: %g, "
                 "velocity: [",
                 law->name, option, s->balls, s->wall ? "right" : "none", s->energy);
    for (size_t i = 0; i < s->balls; i++) {
        used += snprintf(text + used, sizeof text - (size_t)used, "%s%.17g", i > 0 ? ", " : "",
                         s->velocity[i]);
    }
    snprintf(text + used, sizeof text - (size_t)used,
             "]}\nsensitivity: {of: [velocity], to: [chain.velocity]}\n");
    crm_source source = {.path = "s.yaml", .text = text, .length = strlen(text)};
    crm_sensitivity *table = NULL;
    crm_error error = {0};
    crm_status status = crm_sensitivity_solve(&source, NULL, &table, &error);
    if (status == CRM_ERROR_MODEL && strstr(error.message, "has no answer") != NULL) {
        return true; /* refused */
    }
    assert_ok(status, &error);
    bool noted = table->note[0] != '\0';
    crm_sensitivity_free(table);
    return noted;
}

static void kinks_at_rest_are_told_by_all_laws(void **state)
{
    (void)state;
    size_t asked = 0;
    for (size_t l = 0; crm_law_at(l) != NULL; l++) {
        const crm_law *law = crm_law_at(l);
        for (size_t i = 0; i < SCENES; i++) {
            bool kinks = has_kink(&scenes[i], law), noted = is_noted(&scenes[i], law);
            bool expected = has_kink_by_mechanics(&scenes[i], law);
            if (kinks != expected || noted != kinks) {
                fail_msg("%s, scene %zu: by mechanics %d, by differences %d, noted %d", law->name,
                         i, expected, kinks, noted);
            }
            asked++;
        }
    }
    assert_true(asked >= 10 * SCENES);
}

/* Stored energy presses contacts apart, by laws that know it: no kink at u- = 0. */
static void where_energy_is_stored_rest_is_no_kink(void **state)
{
    (void)state;
    const scene s = {2, {0, 0}, false, 0.25, false};
    const crm_law *law = crm_law_find("lzb");
    assert_false(has_kink(&s, law));
    assert_false(is_noted(&s, law));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinks_at_rest_are_told_by_all_laws),
        cmocka_unit_test(where_energy_is_stored_rest_is_no_kink),
    };
    return cmocka_run_group_tests_name("sensitivity_rest", tests, NULL, NULL);
}
