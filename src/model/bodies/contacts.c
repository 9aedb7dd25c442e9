/* The parameters of each contact between bodies: of its pair, else of the defaults, else of the
 * materials.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/bodies/bodies.h"
#include "model/values.h"

static const crm_material *material_of(const crm_bodies_def *def, size_t party)
{
    return party < def->body_count ? def->bodies[party].material
                                   : def->walls[party - def->body_count].material;
}

static double radius_of(const crm_bodies_def *def, size_t party)
{
    return party < def->body_count ? def->bodies[party].radius : INFINITY;
}

/* A default stiffness of 1 beside those of Hertz, some 1e9, would be a silent error. */
static crm_status fail_half_given(const crm_bodies_def *def, size_t party, crm_error *error)
{
    bool wall = party >= def->body_count;
    size_t index = wall ? party - def->body_count : party;
    char name[48], place[64];
    crm_bodies_party_name(def, party, name, sizeof name);
    snprintf(place, sizeof place, "%s[%zu]", wall ? "walls" : "bodies", index + 1);
    return crm_fail(error, CRM_ERROR_MODEL, place,
                    "%s touches a body with a material and has none itself: give it a material "
                    "with young and poisson, or the contact a stiffness",
                    name);
}

static bool is_round(const crm_bodies_def *def, size_t party)
{
    return party >= def->body_count || def->bodies[party].shape == CRM_SHAPE_SPHERE;
}

/* Hertz' formula holds for spheres and for a sphere on a plane. */
static crm_status fail_stiffness(const crm_bodies_def *def, const crm_touch *t, crm_error *error)
{
    size_t body = is_round(def, t->first) ? t->second : t->first;
    char name[48], place[64];
    crm_bodies_party_name(def, body, name, sizeof name);
    snprintf(place, sizeof place, "bodies[%zu]", body + 1);
    return crm_fail(error, CRM_ERROR_MODEL, place,
                    "%s is %s, and a stiffness from materials is for spheres and walls: give the "
                    "contact a stiffness",
                    name, crm_body_shape_noun(def->bodies[body].shape));
}

static crm_status complete_stiffness(const crm_bodies_def *def, const crm_touch *t,
                                     crm_contact_def *contact, crm_error *error)
{
    const crm_material *a = material_of(def, t->first), *b = material_of(def, t->second);
    if (!isnan(contact->stiffness)) {
        return CRM_OK;
    }
    bool elastic_a = a != NULL && a->young > 0, elastic_b = b != NULL && b->young > 0;
    if (!elastic_a && !elastic_b) {
        contact->stiffness = 1.0;
        return CRM_OK;
    }
    if (!is_round(def, t->first) || !is_round(def, t->second)) {
        return fail_stiffness(def, t, error);
    }
    if (!elastic_a || !elastic_b) {
        return fail_half_given(def, elastic_a ? t->second : t->first, error);
    }
    if (contact->exponent != 1.5) {
        return crm_fail(error, CRM_ERROR_MODEL, "contacts.exponent",
                        "a stiffness from materials is Hertz', with exponent 1.5; for exponent %g "
                        "give stiffness as well",
                        contact->exponent);
    }
    contact->stiffness =
        crm_hertz_stiffness(*a, radius_of(def, t->first), *b, radius_of(def, t->second));
    return CRM_OK;
}

static crm_status complete_friction(const crm_bodies_def *def, const crm_touch *t,
                                    crm_contact_def *contact, crm_error *error)
{
    const crm_material *a = material_of(def, t->first), *b = material_of(def, t->second);
    for (size_t k = 0; isnan(contact->friction) && k < def->material_friction_count; k++) {
        const crm_material_friction *f = &def->material_friction[k];
        bool these = (f->first == a && f->second == b) || (f->first == b && f->second == a);
        if (these && a != NULL && b != NULL) {
            contact->friction = f->friction;
        }
    }
    if (!isnan(contact->friction)) {
        return CRM_OK;
    }
    contact->friction = 0;
    char first[48], second[48];
    crm_bodies_party_name(def, t->first, first, sizeof first);
    crm_bodies_party_name(def, t->second, second, sizeof second);
    return def->friction_of_materials
               ? crm_fail(error, CRM_ERROR_MODEL, "contacts.friction",
                          "the friction of %s on %s is not known: give their materials one, or the "
                          "pair",
                          first, second)
               : CRM_OK;
}

/* Pairs are looked up by their parties in a sorted copy. */
typedef struct pair_key {
    uint32_t first, second, place;
} pair_key;

static int by_pair(const void *a, const void *b)
{
    const pair_key *x = a, *y = b;
    if (x->first != y->first) {
        return x->first < y->first ? -1 : 1;
    }
    return (x->second > y->second) - (x->second < y->second);
}

static pair_key key_of(size_t a, size_t b, size_t place)
{
    return (pair_key){(uint32_t)(a < b ? a : b), (uint32_t)(a < b ? b : a), (uint32_t)place};
}

static pair_key *sorted_keys(const crm_bodies_def *def)
{
    pair_key *keys = CRM_NEW(pair_key, def->pair_count);
    for (size_t k = 0; keys != NULL && k < def->pair_count; k++) {
        keys[k] = key_of(def->pairs[k].first, def->pairs[k].second, k);
    }
    if (keys != NULL && def->pair_count > 0) {
        qsort(keys, def->pair_count, sizeof *keys, by_pair);
    }
    return keys;
}

static crm_status fail_pair_again(const crm_bodies_def *def, const pair_key *one,
                                  const pair_key *other, crm_error *error)
{
    char a[48], b[48], place[64];
    size_t first = one->place < other->place ? one->place : other->place;
    size_t again = one->place < other->place ? other->place : one->place;
    crm_bodies_party_name(def, one->first, a, sizeof a);
    crm_bodies_party_name(def, one->second, b, sizeof b);
    snprintf(place, sizeof place, "pairs[%zu].between", again + 1);
    return crm_fail(error, CRM_ERROR_MODEL, place, "%s and %s are pair %zu already", a, b,
                    first + 1);
}

crm_status crm_bodies_check_pairs(const crm_bodies_def *def, crm_error *error)
{
    pair_key *keys = sorted_keys(def);
    crm_status status = keys != NULL ? CRM_OK : crm_fail_memory(error);
    for (size_t k = 1; status == CRM_OK && k < def->pair_count; k++) {
        if (by_pair(&keys[k - 1], &keys[k]) == 0) {
            status = fail_pair_again(def, &keys[k - 1], &keys[k], error);
        }
    }
    free(keys);
    return status;
}

static crm_status check_pairs_touch(const crm_bodies_def *def, const pair_key *keys,
                                    const bool *used, crm_error *error)
{
    for (size_t k = 0; k < def->pair_count && !def->pairs_apart; k++) {
        if (!used[k]) {
            size_t place_index = keys[k].place;
            char a[48], b[48], place[64];
            crm_bodies_party_name(def, keys[k].first, a, sizeof a);
            crm_bodies_party_name(def, keys[k].second, b, sizeof b);
            snprintf(place, sizeof place, "pairs[%zu].between", place_index + 1);
            return crm_fail(error, CRM_ERROR_MODEL, place, "%s and %s do not touch", a, b);
        }
    }
    return CRM_OK;
}

crm_status crm_contacts_complete(const crm_bodies_def *def, const crm_touches *list,
                                 crm_contact_def *contact, crm_error *error)
{
    const crm_contact_def standard = {NAN, 1.5, 1.0, 0.0, 0.0, {0}, NAN};
    pair_key *keys = sorted_keys(def);
    bool *used = CRM_NEW(bool, def->pair_count);
    crm_status status = keys != NULL && used != NULL ? CRM_OK : crm_fail_memory(error);
    for (size_t j = 0; status == CRM_OK && j < list->count; j++) {
        pair_key wanted = key_of(list->items[j].first, list->items[j].second, 0);
        pair_key *found = def->pair_count > 0
                              ? bsearch(&wanted, keys, def->pair_count, sizeof *keys, by_pair)
                              : NULL;
        contact[j] = crm_values_overlay(def->contact, standard);
        if (found != NULL) {
            used[found - keys] = true;
            contact[j] = crm_values_overlay(def->pairs[found->place].contact, contact[j]);
        }
        status = complete_stiffness(def, &list->items[j], &contact[j], error);
        if (status == CRM_OK) {
            status = complete_friction(def, &list->items[j], &contact[j], error);
        }
    }
    if (status == CRM_OK) {
        status = check_pairs_touch(def, keys, used, error);
    }
    free(keys);
    free(used);
    return status;
}
