/* Spheres (discs, beads) in 1 to 3 dimensions, rods in the plane, fixed bodies and walls: contacts
 * found from the geometry.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/touches.h"

static const double PI = 3.14159265358979323846;
static const double DEFAULT_TOLERANCE = 1e-9;

crm_bodies_def crm_bodies_def_default(void)
{
    return (crm_bodies_def){
        .dimension = 2, .contact = crm_contact_def_default(), .tolerance = DEFAULT_TOLERANCE};
}

crm_body_def crm_body_def_default(void)
{
    return (crm_body_def){
        .shape = CRM_SHAPE_SPHERE, .radius = NAN, .mass = NAN, .length = NAN, .inertia = NAN};
}

crm_wall_def crm_wall_def_default(void)
{
    return (crm_wall_def){0};
}

/* ---- Checks ------------------------------------------------------------------------------- */

static crm_status check_vector(const double *vector, unsigned dimension, const char *field,
                               const char *noun, size_t index, crm_error *error)
{
    for (unsigned d = 0; d < dimension; d++) {
        if (!isfinite(vector[d])) {
            char place[96];
            snprintf(place, sizeof place, "%s[%zu].%s[%u]", noun, index + 1, field, d + 1);
            return crm_fail(error, CRM_ERROR_MODEL, place, "%s is %g, must be a finite number",
                            field, vector[d]);
        }
    }
    return CRM_OK;
}

static crm_status fail_body(size_t i, const char *field, double value, const char *allowed,
                            crm_error *error)
{
    char place[64];
    snprintf(place, sizeof place, "bodies[%zu].%s", i + 1, field);
    return crm_fail(error, CRM_ERROR_MODEL, place, "%s is %g, must be %s", field, value, allowed);
}

static bool is_positive(double value)
{
    return isfinite(value) && value > 0;
}

static crm_status check_rod(const crm_bodies_def *def, size_t i, crm_error *error)
{
    const crm_body_def *body = &def->bodies[i];
    double radius = crm_body_radius(body);
    if (def->dimension != 2) {
        char place[64];
        snprintf(place, sizeof place, "bodies[%zu].shape", i + 1);
        return crm_fail(error, CRM_ERROR_MODEL, place,
                        "rods are for the plane, with 2 coordinates; here bodies have %u",
                        def->dimension);
    }
    if (!is_positive(body->length)) {
        return fail_body(i, "length", body->length, "a positive number", error);
    }
    if (!isfinite(radius) || radius < 0) {
        return fail_body(i, "radius", radius, "0 or positive", error);
    }
    if (!isfinite(body->angle)) {
        return fail_body(i, "angle", body->angle, "a finite number", error);
    }
    if (!isnan(body->inertia) && !is_positive(body->inertia)) {
        return fail_body(i, "inertia", body->inertia, "a positive number", error);
    }
    return CRM_OK;
}

static crm_status check_body(const crm_bodies_def *def, size_t i, crm_error *error)
{
    const crm_body_def *body = &def->bodies[i];
    crm_status status = body->shape == CRM_SHAPE_ROD
                            ? check_rod(def, i, error)
                            : crm_check_quantity(CRM_QUANTITY_RADIUS, body->radius,
                                                 "bodies[%zu].radius", i + 1, error);
    if (status == CRM_OK && !isnan(body->mass)) {
        status =
            crm_check_quantity(CRM_QUANTITY_MASS, body->mass, "bodies[%zu].mass", i + 1, error);
    }
    if (status == CRM_OK) {
        status = check_vector(body->position, def->dimension, "position", "bodies", i, error);
    }
    return status;
}

static crm_status check_wall(const crm_bodies_def *def, size_t k, crm_error *error)
{
    const crm_wall_def *wall = &def->walls[k];
    crm_status status = check_vector(wall->point, def->dimension, "point", "walls", k, error);
    if (status == CRM_OK) {
        status = check_vector(wall->normal, def->dimension, "normal", "walls", k, error);
    }
    if (status == CRM_OK) {
        status = check_vector(wall->velocity, def->dimension, "velocity", "walls", k, error);
    }
    if (status == CRM_OK && !(crm_dot(wall->normal, wall->normal, def->dimension) > 0)) {
        char place[64];
        snprintf(place, sizeof place, "walls[%zu].normal", k + 1);
        status = crm_fail(error, CRM_ERROR_MODEL, place,
                          "normal is zero, must point into the free side of the wall");
    }
    return status;
}

static crm_status check_contact(const crm_contact_def *contact, const char *const places[4],
                                size_t index, crm_error *error)
{
    const crm_quantity quantities[] = {CRM_QUANTITY_STIFFNESS, CRM_QUANTITY_EXPONENT,
                                       CRM_QUANTITY_RESTITUTION, CRM_QUANTITY_STORED_ENERGY};
    const double values[] = {contact->stiffness, contact->exponent, contact->restitution,
                             contact->stored_energy};
    for (size_t k = 0; k < 4; k++) {
        crm_status status = isnan(values[k]) ? CRM_OK
                                             : crm_check_quantity(quantities[k], values[k],
                                                                  places[k], index, error);
        if (status != CRM_OK) {
            return status;
        }
    }
    return CRM_OK;
}

static crm_status check_pairs(const crm_bodies_def *def, crm_error *error)
{
    static const char *const places[] = {"pairs[%zu].stiffness", "pairs[%zu].exponent",
                                         "pairs[%zu].restitution", "pairs[%zu].energy"};
    size_t parties = def->body_count + def->wall_count;
    for (size_t k = 0; k < def->pair_count; k++) {
        const crm_pair_def *pair = &def->pairs[k];
        if (pair->first >= parties || pair->second >= parties || pair->first == pair->second) {
            char place[64];
            snprintf(place, sizeof place, "pairs[%zu].between", k + 1);
            return crm_fail(error, CRM_ERROR_MODEL, place,
                            "a pair must name two different bodies or walls");
        }
        crm_status status = check_contact(&pair->contact, places, k + 1, error);
        if (status != CRM_OK) {
            return status;
        }
    }
    return CRM_OK;
}

static bool anything_moves(const crm_bodies_def *def)
{
    for (size_t i = 0; i < def->body_count; i++) {
        if (!def->bodies[i].fixed) {
            return true;
        }
    }
    return false;
}

static crm_status check_bodies(const crm_bodies_def *def, crm_error *error)
{
    static const char *const places[] = {"contacts.stiffness", "contacts.exponent",
                                         "contacts.restitution", "contacts.energy"};
    if (def->dimension < 1 || def->dimension > 3) {
        return crm_fail(error, CRM_ERROR_MODEL, "bodies",
                        "bodies have %u coordinates, must be 1, 2 or 3", def->dimension);
    }
    if (def->body_count == 0) {
        return crm_fail(error, CRM_ERROR_MODEL, "bodies", "there are no bodies");
    }
    if (!anything_moves(def)) {
        return crm_fail(error, CRM_ERROR_MODEL, "bodies", "every body is fixed: nothing moves");
    }
    if (!(def->tolerance >= 0) || !isfinite(def->tolerance)) {
        return crm_fail(error, CRM_ERROR_MODEL, "contacts.tolerance",
                        "tolerance is %g, must be 0 or positive", def->tolerance);
    }
    crm_status status = check_contact(&def->contact, places, 0, error);
    for (size_t i = 0; status == CRM_OK && i < def->body_count; i++) {
        status = check_body(def, i, error);
    }
    for (size_t k = 0; status == CRM_OK && k < def->wall_count; k++) {
        status = check_wall(def, k, error);
    }
    return status == CRM_OK ? check_pairs(def, error) : status;
}

/* ---- What each contact is made of ----------------------------------------------------------- */

static double first_given(double a, double b)
{
    return isnan(a) ? b : a;
}

static crm_contact_def overlay(crm_contact_def over, crm_contact_def under)
{
    return (crm_contact_def){first_given(over.stiffness, under.stiffness),
                             first_given(over.exponent, under.exponent),
                             first_given(over.restitution, under.restitution),
                             first_given(over.stored_energy, under.stored_energy)};
}

static const crm_material *material_of(const crm_bodies_def *def, size_t party)
{
    return party < def->body_count ? def->bodies[party].material
                                   : def->walls[party - def->body_count].material;
}

static double radius_of(const crm_bodies_def *def, size_t party)
{
    return party < def->body_count ? def->bodies[party].radius : INFINITY;
}

/* A stiffness of 1 beside Hertz' 1e9 would be a trap. */
static crm_status fail_half_given(const crm_bodies_def *def, size_t party, crm_error *error)
{
    bool wall = party >= def->body_count;
    size_t index = wall ? party - def->body_count : party;
    char name[48], place[64];
    crm_party_name(def, party, name, sizeof name);
    snprintf(place, sizeof place, "%s[%zu]", wall ? "walls" : "bodies", index + 1);
    return crm_fail(error, CRM_ERROR_MODEL, place,
                    "%s touches a body with a material and has none itself: give it a material "
                    "with young and poisson, or the contact a stiffness",
                    name);
}

static bool is_rod(const crm_bodies_def *def, size_t party)
{
    return party < def->body_count && def->bodies[party].shape == CRM_SHAPE_ROD;
}

/* Hertz' formula is for round against round or flat. */
static crm_status fail_rod_stiffness(const crm_bodies_def *def, const crm_touch *t,
                                     crm_error *error)
{
    size_t rod = is_rod(def, t->first) ? t->first : t->second;
    char name[48], place[64];
    crm_party_name(def, rod, name, sizeof name);
    snprintf(place, sizeof place, "bodies[%zu]", rod + 1);
    return crm_fail(error, CRM_ERROR_MODEL, place,
                    "%s is a rod, and a stiffness from materials is for spheres and walls: give "
                    "the contact a stiffness",
                    name);
}

static crm_status settle_stiffness(const crm_bodies_def *def, const crm_touch *t,
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
    if (is_rod(def, t->first) || is_rod(def, t->second)) {
        return fail_rod_stiffness(def, t, error);
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

/* Pairs are looked up by their parties in a sorted copy; the last one given wins. */
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

static crm_status check_pairs_touch(const crm_bodies_def *def, const pair_key *keys,
                                    const bool *used, crm_error *error)
{
    for (size_t k = 0; k < def->pair_count; k++) {
        if (!used[k]) {
            size_t place_index = keys[k].place;
            char a[48], b[48], place[64];
            crm_party_name(def, keys[k].first, a, sizeof a);
            crm_party_name(def, keys[k].second, b, sizeof b);
            snprintf(place, sizeof place, "pairs[%zu].between", place_index + 1);
            return crm_fail(error, CRM_ERROR_MODEL, place, "%s and %s do not touch", a, b);
        }
    }
    return CRM_OK;
}

static crm_status settle_contacts(const crm_bodies_def *def, const crm_touches *list,
                                  crm_contact_def *contact, crm_error *error)
{
    const crm_contact_def standard = {NAN, 1.5, 1.0, 0.0};
    pair_key *keys = CRM_NEW(pair_key, def->pair_count);
    bool *used = CRM_NEW(bool, def->pair_count);
    crm_status status = keys != NULL && used != NULL ? CRM_OK : crm_fail_memory(error);
    for (size_t k = 0; status == CRM_OK && k < def->pair_count; k++) {
        keys[k] = key_of(def->pairs[k].first, def->pairs[k].second, k);
    }
    if (status == CRM_OK && def->pair_count > 0) {
        qsort(keys, def->pair_count, sizeof *keys, by_pair);
    }
    for (size_t j = 0; status == CRM_OK && j < list->count; j++) {
        pair_key wanted = key_of(list->items[j].first, list->items[j].second, 0);
        pair_key *found = def->pair_count > 0
                              ? bsearch(&wanted, keys, def->pair_count, sizeof *keys, by_pair)
                              : NULL;
        contact[j] = overlay(def->contact, standard);
        if (found != NULL) {
            used[found - keys] = true;
            contact[j] = overlay(def->pairs[found->place].contact, contact[j]);
        }
        status = settle_stiffness(def, &list->items[j], &contact[j], error);
    }
    if (status == CRM_OK) {
        status = check_pairs_touch(def, keys, used, error);
    }
    free(keys);
    free(used);
    return status;
}

/* ---- To a system -------------------------------------------------------------------------- */

/* Where the bodies' coordinates begin (one more than there are bodies), and what the model calls
 * body i: those that move come first, then the fixed ones, then the walls.
 */
typedef struct layout {
    size_t *start;
    uint32_t *number;
    size_t coordinates, moving, fixed;
} layout;

static bool lay_out(const crm_bodies_def *def, layout *l)
{
    size_t things = def->body_count + def->wall_count;
    *l = (layout){.start = CRM_NEW(size_t, def->body_count + 1),
                  .number = CRM_NEW(uint32_t, things)};
    if (l->start == NULL || l->number == NULL) {
        return false;
    }
    for (size_t i = 0; i < def->body_count; i++) {
        const crm_body_def *body = &def->bodies[i];
        l->start[i] = l->coordinates;
        l->coordinates += body->fixed ? 0 : def->dimension + (body->shape == CRM_SHAPE_ROD);
        l->moving += !body->fixed;
    }
    l->start[def->body_count] = l->coordinates;
    size_t moving = 0;
    for (size_t i = 0; i < things; i++) {
        bool moves = i < def->body_count && !def->bodies[i].fixed;
        l->fixed += i < def->body_count && !moves;
        l->number[i] = (uint32_t)(moves ? moving : l->moving + i - moving);
        moving += moves;
    }
    return true;
}

typedef struct parts {
    double *mass;
    size_t *column_start;
    uint32_t *row;
    double *w;
    crm_contact_def *contact;
    double *stiffness, *exponent, *restitution, *stored_energy, *boundary_velocity;
} parts;

static void release(parts *p)
{
    free(p->mass);
    free(p->column_start);
    free(p->row);
    free(p->w);
    free(p->contact);
    free(p->stiffness);
    free(p->exponent);
    free(p->restitution);
    free(p->stored_energy);
    free(p->boundary_velocity);
}

/* A gap depends on two bodies of at most `most` coordinates each. */
static bool allocate(parts *p, size_t coordinates, size_t contacts, unsigned most)
{
    *p = (parts){CRM_NEW(double, coordinates),
                 CRM_NEW(size_t, contacts + 1),
                 CRM_NEW(uint32_t, 2 * most * contacts),
                 CRM_NEW(double, 2 * most * contacts),
                 CRM_NEW(crm_contact_def, contacts),
                 CRM_NEW(double, contacts),
                 CRM_NEW(double, contacts),
                 CRM_NEW(double, contacts),
                 CRM_NEW(double, contacts),
                 CRM_NEW(double, contacts)};
    return p->mass != NULL && p->column_start != NULL && p->row != NULL && p->w != NULL &&
           p->contact != NULL && p->stiffness != NULL && p->exponent != NULL &&
           p->restitution != NULL && p->stored_energy != NULL && p->boundary_velocity != NULL;
}

static crm_status find_mass(const crm_bodies_def *def, size_t i, double *mass, crm_error *error)
{
    const crm_body_def *body = &def->bodies[i];
    bool rod = body->shape == CRM_SHAPE_ROD;
    *mass = body->mass;
    if (isnan(*mass) && !rod && body->material != NULL && body->material->density > 0) {
        *mass = 4.0 / 3.0 * PI * pow(body->radius, 3) * body->material->density;
    }
    if (isnan(*mass)) {
        char place[64];
        snprintf(place, sizeof place, "bodies[%zu]", i + 1);
        return crm_fail(error, CRM_ERROR_MODEL, place,
                        rod ? "no mass: a rod needs its mass given"
                            : "no mass: give mass, or a material with a density");
    }
    return CRM_OK;
}

static crm_status fill_masses(const crm_bodies_def *def, const layout *l, double *mass,
                              crm_error *error)
{
    for (size_t i = 0; i < def->body_count; i++) {
        const crm_body_def *body = &def->bodies[i];
        double value = 0;
        crm_status status = body->fixed ? CRM_OK : find_mass(def, i, &value, error);
        if (status != CRM_OK) {
            return status;
        }
        for (size_t k = l->start[i]; k < l->start[i + 1]; k++) {
            mass[k] = value;
        }
        if (body->shape == CRM_SHAPE_ROD && !body->fixed) {
            double thin = value * body->length * body->length / 12;
            mass[l->start[i + 1] - 1] = isnan(body->inertia) ? thin : body->inertia;
        }
    }
    return CRM_OK;
}

/* The share of one party in w: sign times (normal, lever), as far as it has coordinates. */
static size_t fill_party(const layout *l, size_t party, double sign, const crm_touch *t,
                         unsigned dimension, parts *p, size_t filled)
{
    size_t start = l->start[party], count = l->start[party + 1] - start;
    for (size_t d = 0; d < count; d++) {
        p->row[filled] = (uint32_t)(start + d);
        p->w[filled++] = sign * (d < dimension ? t->normal[d] : t->lever[sign > 0]);
    }
    return filled;
}

static void fill_gradients(const crm_bodies_def *def, const layout *l, const crm_touches *list,
                           parts *p)
{
    size_t filled = 0;
    for (size_t j = 0; j < list->count; j++) {
        const crm_touch *t = &list->items[j];
        filled = fill_party(l, t->first, -1, t, def->dimension, p, filled);
        if (t->second < def->body_count) {
            filled = fill_party(l, t->second, 1, t, def->dimension, p, filled);
        } else {
            const crm_wall_def *wall = &def->walls[t->second - def->body_count];
            p->boundary_velocity[j] = crm_dot(wall->velocity, t->normal, def->dimension);
        }
        p->column_start[j + 1] = filled;
        p->stiffness[j] = p->contact[j].stiffness;
        p->exponent[j] = p->contact[j].exponent;
        p->restitution[j] = p->contact[j].restitution;
        p->stored_energy[j] = p->contact[j].stored_energy;
    }
}

/* The model takes the bodies as they are named here instead of its coordinates. */
static crm_status name_bodies(const crm_bodies_def *def, const layout *l, crm_model *model,
                              crm_error *error)
{
    free(model->wall_names[0]);
    free(model->wall_names);
    model->bodies = l->moving;
    model->walls = 0;
    model->wall_names = CRM_NEW(char *, l->fixed + def->wall_count);
    model->body_names = CRM_NEW(char *, l->moving);
    if (model->wall_names == NULL || model->body_names == NULL) {
        return crm_fail_memory(error);
    }
    model->walls = l->fixed + def->wall_count;
    for (size_t i = 0; i < def->body_count + def->wall_count; i++) {
        char name[96];
        size_t number = l->number[i];
        crm_party_name(def, i, name, sizeof name);
        char **slot = number < l->moving ? &model->body_names[number]
                                         : &model->wall_names[number - l->moving];
        *slot = crm_copy_text(name);
        if (*slot == NULL) {
            return crm_fail_memory(error);
        }
    }
    return CRM_OK;
}

static crm_status place_bodies(const crm_bodies_def *def, const layout *l, const crm_touches *list,
                               crm_model *model, crm_error *error)
{
    model->body_start = CRM_NEW(size_t, l->moving + 1);
    model->is_angle = CRM_NEW(bool, l->coordinates);
    if (model->body_start == NULL || model->is_angle == NULL) {
        return crm_fail_memory(error);
    }
    for (size_t i = 0; i < def->body_count; i++) {
        if (!def->bodies[i].fixed) {
            model->body_start[l->number[i] + 1] = l->start[i + 1];
            model->is_angle[l->start[i + 1] - 1] = def->bodies[i].shape == CRM_SHAPE_ROD;
        }
    }
    for (size_t j = 0; j < list->count; j++) {
        model->party[2 * j] = l->number[list->items[j].first];
        model->party[2 * j + 1] = l->number[list->items[j].second];
    }
    return CRM_OK;
}

static crm_status build(const crm_bodies_def *def, const layout *l, const crm_touches *list,
                        parts *p, crm_model **model, crm_error *error)
{
    crm_status status = fill_masses(def, l, p->mass, error);
    if (status == CRM_OK) {
        status = settle_contacts(def, list, p->contact, error);
    }
    if (status != CRM_OK) {
        return status;
    }
    fill_gradients(def, l, list, p);
    crm_sparse_view w = {p->column_start, p->row, p->w};
    crm_system_def system = {.coordinates = l->coordinates,
                             .contacts = list->count,
                             .mass_diagonal = p->mass,
                             .w_sparse = &w,
                             .stiffness = p->stiffness,
                             .exponent = p->exponent,
                             .restitution = p->restitution,
                             .stored_energy = p->stored_energy,
                             .boundary_velocity = p->boundary_velocity};
    status = crm_model_from_system(&system, model, error);
    if (status == CRM_OK) {
        status = name_bodies(def, l, *model, error);
    }
    return status == CRM_OK ? place_bodies(def, l, list, *model, error) : status;
}

static crm_status assemble(const crm_bodies_def *def, const crm_touches *list, crm_model **model,
                           crm_error *error)
{
    layout l;
    parts p = {0};
    crm_status status = lay_out(def, &l) && allocate(&p, l.coordinates, list->count,
                                                     def->dimension + (def->dimension == 2))
                            ? build(def, &l, list, &p, model, error)
                            : crm_fail_memory(error);
    release(&p);
    free(l.start);
    free(l.number);
    return status;
}

crm_status crm_model_from_bodies(const crm_bodies_def *def, crm_model **model, crm_error *error)
{
    *model = NULL;
    crm_status status = check_bodies(def, error);
    if (status != CRM_OK) {
        return status;
    }
    crm_touches list = {0};
    status = crm_find_touches(def, &list, error);
    if (status == CRM_OK) {
        status = assemble(def, &list, model, error);
    }
    free(list.items);
    if (status != CRM_OK) {
        crm_model_free(*model);
        *model = NULL;
    }
    return status;
}
