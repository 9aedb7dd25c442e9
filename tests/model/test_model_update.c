/* A model that is changed in place is the same, to the last bit, as one made anew; what cannot be
 * leaves it as it was.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "carom/carom.h"
#include "support.h"

enum { SYSTEMS = 200 };

static void assert_same_model(const crm_model *a, const crm_model *b)
{
    size_t s = crm_model_contacts(b), n = crm_model_coordinates(b);
    assert_int_equal(crm_model_contacts(a), s);
    for (size_t i = 0; i < s; i++) {
        for (size_t j = 0; j < s; j++) {
            assert_near(crm_model_delassus(a, i, j), crm_model_delassus(b, i, j), 0);
        }
        for (int party = 0; party < 2; party++) {
            assert_int_equal(crm_model_party(a, i, party), crm_model_party(b, i, party));
        }
    }
    assert_all_near(crm_model_stiffness(a), crm_model_stiffness(b), s, 0);
    assert_all_near(crm_model_exponent(a), crm_model_exponent(b), s, 0);
    assert_all_near(crm_model_restitution(a), crm_model_restitution(b), s, 0);
    double v[SMALL], u[SMALL], w[SMALL];
    for (size_t i = 0; i < n; i++) {
        v[i] = sin((double)i + 1);
    }
    crm_model_gap_velocity(a, v, u);
    crm_model_gap_velocity(b, v, w);
    assert_all_near(u, w, s, 0);
    assert_near(crm_model_kinetic_energy(a, v), crm_model_kinetic_energy(b, v), 0);
}

/* The second system with some parts of the first, as `from` has them. */
static void update_and_compare(const small_system *from, const small_system *to,
                               const crm_system_def *changes)
{
    crm_model *model = small_system_model(from), *wanted = small_system_model(to);
    crm_error error = {0};
    assert_ok(crm_model_update(model, changes, &error), &error);
    assert_same_model(model, wanted);
    crm_model_free(model);
    crm_model_free(wanted);
}

static void test_parts_are_replaced(void **state)
{
    (void)state;
    rng r = rng_seeded(18);
    random_choice choice = random_choice_default();
    for (int k = 0; k < SYSTEMS; k++) {
        small_system a = random_lagrangian(&r, choice), b = random_lagrangian(&r, choice);
        if (a.n != b.n) {
            continue;
        }
        crm_system_def all = small_system_def(&b), only = crm_system_def_default();
        update_and_compare(&a, &b, &all);
        small_system with = a;
        memcpy(with.mass, b.mass, sizeof with.mass);
        only.mass_dense = b.mass;
        update_and_compare(&a, &with, &only);
        if (a.s != b.s) {
            continue;
        }
        with = a;
        memcpy(with.w, b.w, sizeof with.w);
        only = crm_system_def_default();
        only.contacts = b.s;
        only.w_dense = b.w;
        update_and_compare(&a, &with, &only);
        with = a;
        memcpy(with.restitution, b.restitution, sizeof with.restitution);
        only = crm_system_def_default();
        only.restitution = b.restitution;
        update_and_compare(&a, &with, &only);
    }
}

/* Other contacts: what is not given has its default. */
static void test_contacts_come_and_go(void **state)
{
    (void)state;
    small_system three = small_system_chain(3, false), wanted = three;
    for (size_t j = 0; j < three.s; j++) {
        three.restitution[j] = 0.5;
    }
    wanted.s = 1;
    wanted.restitution[0] = 1;
    crm_system_def def = crm_system_def_default();
    def.contacts = 1;
    def.w_dense = three.w;
    update_and_compare(&three, &wanted, &def);
}

static void assert_refused(crm_model *model, const crm_model *before, const crm_system_def *def,
                           const char *place)
{
    crm_error error = {0};
    assert_int_not_equal(crm_model_update(model, def, &error), CRM_OK);
    assert_string_equal(error.place, place);
    assert_same_model(model, before);
}

static void test_on_an_error_it_is_as_it_was(void **state)
{
    (void)state;
    small_system system = small_system_chain(3, true);
    crm_model *model = small_system_model(&system), *before = small_system_model(&system);
    small_system other = system;
    other.mass[1] = 0.5; /* not across the diagonal */
    crm_system_def def = small_system_def(&other);
    assert_refused(model, before, &def, "mass[2][1]");
    other = system;
    other.w[system.n] = NAN;
    def = small_system_def(&other);
    assert_refused(model, before, &def, "contacts[2].w[1]");
    other = system;
    other.restitution[2] = 2;
    def = small_system_def(&other);
    assert_refused(model, before, &def, "contacts[3].restitution");
    def = small_system_def(&system);
    def.coordinates = 4;
    assert_refused(model, before, &def, "coordinates");
    def = small_system_def(&system);
    def.mass_diagonal = system.mass;
    assert_refused(model, before, &def, "mass");
    def = crm_system_def_default();
    def.contacts = 1;
    assert_refused(model, before, &def, "contacts");
    assert_int_equal(crm_model_update(NULL, &def, NULL), CRM_ERROR_ARGUMENT);
    assert_int_equal(crm_model_update(model, NULL, NULL), CRM_ERROR_ARGUMENT);
    crm_model_free(model);
    crm_model_free(before);
}

/* Bodies with several coordinates keep who touches whom. */
static void test_bodies_keep_their_parties(void **state)
{
    (void)state;
    const crm_body_def balls[] = {ball_at(1, 1, 0, 0, 0), ball_at(1, 1, 2, 0, 0)};
    crm_bodies_def def = bodies_def(2, balls, 2);
    crm_model *model = NULL;
    crm_error error = {0};
    assert_ok(crm_model_from_bodies(&def, &model, &error), &error);
    const double turned[] = {0, -1, 0, 1}, twice[] = {0, -1, 0, 1, -1, 0, 1, 0};
    crm_system_def changes = crm_system_def_default();
    changes.contacts = 1;
    changes.w_dense = turned;
    assert_ok(crm_model_update(model, &changes, &error), &error);
    assert_int_equal(crm_model_party(model, 0, 0), 0);
    assert_int_equal(crm_model_party(model, 0, 1), 1);
    assert_near(crm_model_delassus(model, 0, 0), 2, 0);
    changes.contacts = 2;
    changes.w_dense = twice;
    assert_int_equal(crm_model_update(model, &changes, &error), CRM_ERROR_ARGUMENT);
    assert_string_equal(error.place, "contacts");
    crm_model_free(model);
}

static void assert_name(const crm_model *model, size_t contact, const char *wanted)
{
    char name[32];
    crm_model_contact_name(model, contact, name, sizeof name);
    assert_string_equal(name, wanted);
}

/* Names stay with their contacts, and other contacts have none, or their own. */
static void test_names_of_contacts(void **state)
{
    (void)state;
    static const char *const names[] = {"left", "right"}, *const other[] = {"single"};
    small_system system = small_system_chain(3, false);
    crm_system_def def = small_system_def(&system);
    crm_model *model = NULL;
    crm_error error = {0};
    def.contact_names = names;
    assert_ok(crm_model_from_system(&def, &model, &error), &error);
    def.contact_names = NULL;
    assert_ok(crm_model_update(model, &def, &error), &error);
    assert_name(model, 1, "right");
    def.contacts = 1;
    assert_ok(crm_model_update(model, &def, &error), &error);
    assert_name(model, 0, "");
    def.contact_names = other;
    assert_ok(crm_model_update(model, &def, &error), &error);
    assert_name(model, 0, "single");
    crm_model_free(model);
}

/* Column j of W as it was given. */
static void test_gradients_can_be_read(void **state)
{
    (void)state;
    small_system system = small_system_chain(4, true);
    crm_model *model = small_system_model(&system);
    for (size_t j = 0; j < system.s; j++) {
        double dense[SMALL] = {0};
        size_t count = 0;
        const uint32_t *row = NULL;
        const double *value = NULL;
        crm_model_gradient(model, j, &count, &row, &value);
        for (size_t k = 0; k < count; k++) {
            dense[row[k]] = value[k];
        }
        assert_all_near(dense, system.w + j * system.n, system.n, 0);
    }
    crm_model_free(model);
}

/* An outcome that is taken lives on, and the workspace goes on with another. */
static void test_outcomes_can_be_taken(void **state)
{
    (void)state;
    small_system system = small_system_chain(2, false);
    crm_model *model = small_system_model(&system);
    crm_settings *law = law_settings(crm_law_find("newton"));
    crm_workspace *workspace = NULL;
    crm_outcome *taken = NULL;
    const crm_outcome *outcome = NULL;
    const double slow[] = {1, 0}, fast[] = {3, 0};
    crm_error error = {0};
    assert_ok(crm_workspace_create(&workspace, &error), &error);
    assert_int_equal(crm_workspace_take_outcome(workspace, &taken, &error), CRM_ERROR_ARGUMENT);
    assert_ok(crm_solve_with(workspace, model, slow, law, NULL, &outcome, &error), &error);
    assert_ok(crm_workspace_take_outcome(workspace, &taken, &error), &error);
    crm_outcome *none = NULL;
    assert_int_equal(crm_workspace_take_outcome(workspace, &none, &error), CRM_ERROR_ARGUMENT);
    assert_ok(crm_solve_with(workspace, model, fast, law, NULL, &outcome, &error), &error);
    crm_workspace_free(workspace);
    assert_near(taken->velocity[1], 1, 1e-15);
    crm_outcome_free(taken);
    crm_settings_free(law);
    crm_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts_are_replaced),
        cmocka_unit_test(test_contacts_come_and_go),
        cmocka_unit_test(test_on_an_error_it_is_as_it_was),
        cmocka_unit_test(test_bodies_keep_their_parties),
        cmocka_unit_test(test_names_of_contacts),
        cmocka_unit_test(test_gradients_can_be_read),
        cmocka_unit_test(test_outcomes_can_be_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
