/* Equal balls on a lattice, walls around them, and a projectile on top. */
#include "model/packing/packing.h"

#include "base/arithmetic.h"

#include <math.h>
#include <stdlib.h>

crm_packing_def crm_packing_def_default(void)
{
    crm_values none = {NAN, NULL};
    return (crm_packing_def){.lattice = CRM_LATTICE_HEXAGONAL,
                             .mass = none,
                             .radius = NAN,
                             .stiffness = none,
                             .exponent = none,
                             .restitution = none,
                             .stored_energy = none,
                             .force = none,
                             .friction = none,
                             .wall = crm_contact_def_default()};
}

static crm_status check_choices(const crm_packing_def *def, crm_error *error)
{
    crm_status status =
        crm_ranges_check_choice((unsigned)def->lattice, CRM_LATTICE_RACK + 1, "lattice", error);
    return status == CRM_OK
               ? crm_ranges_check_choice((unsigned)def->walls, CRM_PACKING_BOX + 1, "walls", error)
               : status;
}

static bool is_refused(const crm_packing_def *def, const crm_lattice_shape *shape)
{
    return check_choices(def, NULL) != CRM_OK || crm_lattice_check(shape, NULL) != CRM_OK;
}

size_t crm_packing_balls(const crm_packing_def *def)
{
    if (def == NULL) {
        return 0;
    }
    crm_lattice_shape shape = crm_lattice_shape_of(def);
    return is_refused(def, &shape) ? 0 : crm_lattice_balls(&shape);
}

size_t crm_packing_contacts(const crm_packing_def *def)
{
    if (def == NULL) {
        return 0;
    }
    crm_lattice_shape shape = crm_lattice_shape_of(def);
    return is_refused(def, &shape) ? 0 : crm_lattice_contacts(&shape);
}

static bool is_rough(const crm_packing_def *def)
{
    bool rough = def->friction.each == NULL && def->friction.all > 0;
    size_t count = def->friction.each != NULL ? crm_packing_contacts(def) : 0;
    for (size_t j = 0; j < count && !rough; j++) {
        rough = def->friction.each[j] > 0;
    }
    return rough || (def->walls != CRM_PACKING_OPEN && def->wall.friction > 0) ||
           (def->projectile != NULL && def->projectile->contact.friction > 0);
}

unsigned crm_packing_turns(const crm_packing_def *def)
{
    return !is_rough(def) ? 0 : crm_lattice_dimension(def->lattice) == 2 ? 1 : 3;
}

double crm_packing_memory(const crm_packing_def *def)
{
    CRM_USUAL_ARITHMETIC;
    static const double TOUCHING[] = {[CRM_LATTICE_SQUARE] = 4,
                                      [CRM_LATTICE_HEXAGONAL] = 6,
                                      [CRM_LATTICE_CUBIC] = 6,
                                      [CRM_LATTICE_FCC] = 12,
                                      [CRM_LATTICE_RACK] = 6};
    double contacts = (double)crm_packing_contacts(def);
    if (!(contacts > 0)) {
        return 0;
    }
    /* D of all directions is that of as many contacts. */
    double beside = 2 * (TOUCHING[def->lattice] - 1);
    double each = crm_packing_turns(def) > 0 ? crm_lattice_dimension(def->lattice) : 0;
    return crm_model_bytes(contacts, beside) +
           (each > 0 ? crm_model_bytes(each * contacts, each * (beside + 1) - 1) : 0);
}

/* ---- Checks ---------------------------------------------------------------------------------- */

static crm_status check_balls(const crm_packing_def *def, const crm_lattice_shape *shape,
                              crm_error *error)
{
    size_t balls = crm_lattice_balls(shape), contacts = crm_lattice_contacts(shape);
    const crm_values_check checks[] = {
        {CRM_DATUM_MASS, def->mass, balls, "mass[%zu]", "mass"},
        {CRM_DATUM_RADIUS, {def->radius, NULL}, 1, "", "radius"},
        {CRM_DATUM_STIFFNESS, def->stiffness, contacts, "stiffness[%zu]", "stiffness"},
        {CRM_DATUM_EXPONENT, def->exponent, contacts, "exponent[%zu]", "exponent"},
        {CRM_DATUM_RESTITUTION, def->restitution, contacts, "restitution[%zu]", "restitution"},
        {CRM_DATUM_STORED_ENERGY, def->stored_energy, contacts, "energy[%zu]", "energy"},
        {CRM_DATUM_FRICTION, def->friction, contacts, "friction[%zu]", "friction"},
        {CRM_DATUM_STIFFNESS, {def->wall.stiffness, NULL}, 1, "", "walls.stiffness"},
        {CRM_DATUM_EXPONENT, {def->wall.exponent, NULL}, 1, "", "walls.exponent"},
        {CRM_DATUM_RESTITUTION, {def->wall.restitution, NULL}, 1, "", "walls.restitution"},
        {CRM_DATUM_STORED_ENERGY, {def->wall.stored_energy, NULL}, 1, "", "walls.energy"},
        {CRM_DATUM_FRICTION, {def->wall.friction, NULL}, 1, "", "walls.friction"},
    };
    return crm_values_check_all(checks, sizeof checks / sizeof checks[0], error);
}

static crm_status check_projectile(const crm_projectile_def *def, crm_error *error)
{
    const crm_contact_def *contact = &def->contact;
    const crm_values_check checks[] = {
        {CRM_DATUM_RADIUS, {def->radius, NULL}, 1, "", "projectile.radius"},
        {CRM_DATUM_MASS, {def->mass, NULL}, 1, "", "projectile.mass"},
        {CRM_DATUM_STIFFNESS, {contact->stiffness, NULL}, 1, "", "projectile.stiffness"},
        {CRM_DATUM_EXPONENT, {contact->exponent, NULL}, 1, "", "projectile.exponent"},
        {CRM_DATUM_RESTITUTION, {contact->restitution, NULL}, 1, "", "projectile.restitution"},
        {CRM_DATUM_STORED_ENERGY, {contact->stored_energy, NULL}, 1, "", "projectile.energy"},
        {CRM_DATUM_FRICTION, {contact->friction, NULL}, 1, "", "projectile.friction"},
    };
    crm_status status = crm_ranges_check_material(def->material, "projectile.material", 0, error);
    return status == CRM_OK ? crm_values_check_all(checks, sizeof checks / sizeof checks[0], error)
                            : status;
}

static crm_status check_materials(const crm_packing_def *def, crm_error *error)
{
    crm_status status = crm_ranges_check_material(def->material, "material", 0, error);
    return status == CRM_OK
               ? crm_ranges_check_material(def->wall_material, "walls.material", 0, error)
               : status;
}

/* Balls that turn have levers. */
static crm_status check_radius(const crm_packing_def *def, crm_error *error)
{
    bool known =
        !isnan(def->radius) && (def->projectile == NULL || !isnan(crm_packing_radius(def, true)));
    return crm_packing_turns(def) > 0 && !known
               ? crm_fail(error, CRM_ERROR_MODEL, "radius",
                          "balls with friction turn, and need a radius")
               : CRM_OK;
}

static crm_status check_packing(const crm_packing_def *def, const crm_lattice_shape *shape,
                                crm_error *error)
{
    crm_status status = check_choices(def, error);
    if (status == CRM_OK) {
        status = crm_lattice_check(shape, error);
    }
    if (status == CRM_OK) {
        status = check_materials(def, error);
    }
    if (status == CRM_OK) {
        status = check_balls(def, shape, error);
    }
    if (status == CRM_OK && def->projectile != NULL) {
        status = check_projectile(def->projectile, error);
    }
    return status == CRM_OK ? check_radius(def, error) : status;
}

/* ---- Masses ---------------------------------------------------------------------------------- */

static void fill_mass(const crm_packing_filler *f, size_t body, double mass, double radius)
{
    size_t stride = crm_packing_stride(f);
    for (size_t d = 0; d < stride; d++) {
        bool spin = d >= f->shape.dimension;
        double square = spin ? radius * radius * (f->turns == 1 ? 0.5 : 0.4) : 1;
        f->parts->mass[body * stride + d] = mass * square;
    }
}

static crm_status fill_masses(const crm_packing_def *def, const crm_packing_filler *f,
                              crm_error *error)
{
    bool given = crm_values_given(def->mass);
    double mass = 1.0;
    if (def->material != NULL && isnan(def->radius)) {
        return crm_fail(error, CRM_ERROR_MODEL, "material",
                        "a material gives mass and stiffness only together with a radius");
    }
    if (def->material != NULL && !given) {
        mass = crm_values_ball_mass(def->radius, def->material->density);
        if (!(mass > 0)) {
            return crm_fail(error, CRM_ERROR_MODEL, "material",
                            "no mass: give mass, or a density in the material");
        }
    }
    size_t balls = crm_lattice_balls(&f->shape);
    for (size_t i = 0; i < balls; i++) {
        fill_mass(f, i, given ? crm_value_at(def->mass, i) : mass, def->radius);
    }
    return CRM_OK;
}

/* By its own density; without one that of a ball, if it has the same size. */
static crm_status fill_projectile_mass(const crm_packing_def *def, const crm_packing_filler *f,
                                       crm_error *error)
{
    const crm_projectile_def *projectile = def->projectile;
    bool given = crm_values_given(def->mass);
    const crm_material *material =
        projectile->material != NULL || given ? projectile->material : def->material;
    double radius = crm_packing_radius(def, true);
    double mass = projectile->mass;
    if (isnan(mass) && material != NULL && material->density > 0) {
        mass = crm_values_ball_mass(radius, material->density);
    } else if (isnan(mass) && isnan(projectile->radius) && material == NULL) {
        mass = given ? crm_value_for_all(def->mass) : 1.0;
    }
    if (isnan(mass)) {
        return crm_fail(error, CRM_ERROR_MODEL, "projectile",
                        "the projectile has no mass: give it a mass, or a material with a density");
    }
    fill_mass(f, crm_lattice_balls(&f->shape), mass, radius);
    return CRM_OK;
}

/* ---- Together -------------------------------------------------------------------------------- */

enum { WALLS_MOST = 5 };

static const char *const WALL_NAMES[WALLS_MOST] = {"floor", "left wall", "right wall", "front wall",
                                                   "back wall"};

static bool mark_angles(const crm_packing_filler *f, crm_model *model)
{
    if (f->turns == 0) {
        return true;
    }
    model->is_angle = CRM_NEW(bool, model->coordinates);
    for (size_t i = 0; i < model->coordinates && model->is_angle != NULL; i++) {
        model->is_angle[i] = i % crm_packing_stride(f) >= f->shape.dimension;
    }
    return model->is_angle != NULL;
}

static crm_status name_packing(const crm_packing_def *def, crm_packing_filler *f, crm_model *model,
                               crm_error *error)
{
    model->bodies = f->bodies;
    model->body_size = crm_packing_stride(f);
    model->body_noun = "ball";
    model->numbered = crm_lattice_balls(&f->shape);
    free(model->party);
    model->party = f->party;
    f->party = NULL;
    if (!mark_angles(f, model)) {
        return crm_fail_memory(error);
    }
    if (def->projectile != NULL) {
        model->body_names = CRM_NEW(char *, 1);
        if (model->body_names == NULL) {
            return crm_fail_memory(error);
        }
        model->body_names[0] = crm_memory_copy_text("projectile");
        if (model->body_names[0] == NULL) {
            return crm_fail_memory(error);
        }
    }
    return crm_model_name_walls(model, WALL_NAMES, crm_packing_count_walls(def, &f->shape), error);
}

static crm_status build(const crm_packing_def *def, const crm_packing_strike *strike,
                        crm_packing_filler *f, crm_model **model, crm_error *error)
{
    crm_status status = fill_masses(def, f, error);
    if (status == CRM_OK && def->projectile != NULL) {
        status = fill_projectile_mass(def, f, error);
    }
    if (status == CRM_OK) {
        status = crm_packing_fill_contacts(def, strike, f, error);
    }
    if (status == CRM_OK) {
        status = crm_parts_model(f->parts, model, error);
    }
    return status == CRM_OK ? name_packing(def, f, *model, error) : status;
}

static crm_status assemble(const crm_packing_def *def, const crm_packing_strike *strike,
                           crm_packing_filler *f, crm_model **model, crm_error *error)
{
    size_t walls = crm_packing_count_wall_contacts(def, &f->shape, strike);
    size_t contacts = crm_lattice_contacts(&f->shape) + strike->count + walls;
    size_t entries =
        crm_lattice_entries(&f->shape) + (size_t)2 * f->shape.dimension * strike->count + walls;
    crm_parts parts = {0};
    f->parts = &parts;
    f->party = CRM_NEW(uint32_t, 2 * contacts);
    crm_status status = f->party != NULL ? CRM_OK : crm_fail_memory(error);
    if (status == CRM_OK) {
        status =
            crm_parts_create(f->bodies * crm_packing_stride(f), contacts, entries, &parts, error);
    }
    if (status == CRM_OK && f->turns > 0) {
        unsigned each = f->shape.dimension - 1;
        status = crm_parts_add_tangents(&parts, each, 2 * crm_packing_stride(f) * each * contacts,
                                        error);
    }
    if (status == CRM_OK) {
        status = build(def, strike, f, model, error);
    }
    crm_parts_release(&parts);
    free(f->party);
    return status;
}

crm_status crm_model_from_packing(const crm_packing_def *def, crm_model **model, crm_error *error)
{
    CRM_USUAL_ARITHMETIC;
    if (crm_fail_if_null(model, "model", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    *model = NULL;
    if (crm_fail_if_null(def, "def", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    crm_packing_filler f = {.shape = crm_lattice_shape_of(def)};
    crm_packing_strike strike = {0};
    crm_status status = check_packing(def, &f.shape, error);
    if (status == CRM_OK && def->projectile != NULL) {
        status = crm_packing_find_strike(def, &f.shape, &strike, error);
    }
    if (status == CRM_OK) {
        f.turns = crm_packing_turns(def);
        f.bodies = crm_lattice_balls(&f.shape) + (def->projectile != NULL);
        status = assemble(def, &strike, &f, model, error);
    }
    if (status != CRM_OK) {
        crm_model_free(*model);
        *model = NULL;
    }
    return status;
}
