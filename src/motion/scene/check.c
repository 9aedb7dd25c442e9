/* Checks of a scene's definition. */
#include <math.h>
#include <stdio.h>

#include "model/bodies/bodies.h"
#include "motion/scene/scene.h"

static crm_status check_energy(const crm_contact_def *contact, const char *place, crm_error *error)
{
    if (contact->force > 0) {
        return crm_fail(error, CRM_ERROR_MODEL, place,
                        "contacts of a motion have no force beforehand: force is %g, must be left "
                        "out or 0",
                        contact->force);
    }
    return contact->stored_energy > 0
               ? crm_fail(error, CRM_ERROR_MODEL, place,
                          "contacts of a motion store no energy beforehand: energy is %g, must be "
                          "left out or 0",
                          contact->stored_energy)
               : CRM_OK;
}

static crm_status fail_friction(const char *place, crm_error *error)
{
    return crm_fail(
        error, CRM_ERROR_MODEL, place,
        "motions, event-driven and by time-stepping, are without friction so far: leave "
        "it out or set it to 0; single impacts take it (carom solve)");
}

static crm_status check_energies(const crm_bodies_def *def, crm_error *error)
{
    crm_status status = check_energy(&def->contact, "contacts.energy", error);
    if (status == CRM_OK && def->contact.friction > 0) {
        status = fail_friction("contacts.friction", error);
    }
    for (size_t k = 0; k < def->pair_count && status == CRM_OK; k++) {
        char place[64];
        snprintf(place, sizeof place, "pairs[%zu].energy", k + 1);
        status = check_energy(&def->pairs[k].contact, place, error);
        if (status == CRM_OK && def->pairs[k].contact.friction > 0) {
            snprintf(place, sizeof place, "pairs[%zu].friction", k + 1);
            status = fail_friction(place, error);
        }
    }
    return status == CRM_OK && crm_bodies_sphere_turns(def) > 0
               ? fail_friction("contacts.friction", error)
               : status;
}

static bool is_hung(const crm_scene_def *def, size_t body)
{
    for (size_t k = 0; k < def->suspended_count; k++) {
        if (def->suspended[k].body == body) {
            return true;
        }
    }
    return false;
}

/* A bob has one entry, which is ignored. */
static crm_status check_velocity(const crm_scene_def *def, crm_error *error)
{
    const crm_bodies_def *bodies = &def->bodies;
    crm_status status = CRM_OK;
    size_t k = 0;
    for (size_t i = 0; i < bodies->body_count && def->velocity != NULL; i++) {
        unsigned turns = crm_body_turns(&bodies->bodies[i], 0);
        if (is_hung(def, i)) {
            k++;
            continue;
        }
        size_t end = k + (bodies->bodies[i].fixed ? 0 : bodies->dimension + turns);
        for (; k < end && status == CRM_OK; k++) {
            status = crm_ranges_check(CRM_DATUM_VELOCITY, def->velocity[k], "velocity[%zu]", k + 1,
                                      error);
        }
    }
    return status;
}

static crm_status check_gravity(const crm_scene_def *def, crm_error *error)
{
    crm_status status = CRM_OK;
    for (unsigned d = 0; d < def->bodies.dimension && status == CRM_OK; d++) {
        status =
            crm_ranges_check(CRM_DATUM_VELOCITY, def->gravity[d], "gravity[%zu]", d + 1, error);
    }
    return status;
}

/* A number, its range and its place in the definition. */
typedef struct datum {
    crm_datum kind;
    double value;
    const char *place; /* with the index */
} datum;

static crm_status check_data(const datum *data, size_t count, size_t index, crm_error *error)
{
    crm_status status = CRM_OK;
    for (size_t f = 0; f < count && status == CRM_OK; f++) {
        status = crm_ranges_check(data[f].kind, data[f].value, data[f].place, index + 1, error);
    }
    return status;
}

static crm_status check_wall_motion(const crm_scene_def *def, crm_error *error)
{
    crm_status status = CRM_OK;
    for (size_t k = 0; def->wall_motion != NULL && k < def->bodies.wall_count && status == CRM_OK;
         k++) {
        const crm_wall_motion *m = &def->wall_motion[k];
        const datum data[] = {{CRM_DATUM_AMPLITUDE, m->amplitude, "walls[%zu].motion"},
                              {CRM_DATUM_FREQUENCY, m->frequency, "walls[%zu].motion"},
                              {CRM_DATUM_PHASE, m->phase, "walls[%zu].motion"}};
        status = check_data(data, sizeof data / sizeof data[0], k, error);
    }
    return status;
}

/* ---- Strings --------------------------------------------------------------------------------- */

/* Indices are counted from 1 in what people read. */
static crm_status check_bob(const crm_scene_def *def, size_t k, crm_error *error)
{
    size_t body = def->suspended[k].body;
    char place[64];
    snprintf(place, sizeof place, "suspended[%zu].body", k + 1);
    if (body >= def->bodies.body_count) {
        return crm_fail(error, CRM_ERROR_MODEL, place, "body is %zu, must be from 1 to %zu",
                        body + 1, def->bodies.body_count);
    }
    char name[48];
    crm_bodies_party_name(&def->bodies, body, name, sizeof name);
    if (def->bodies.bodies[body].fixed || def->bodies.bodies[body].shape != CRM_SHAPE_SPHERE) {
        return crm_fail(
            error, CRM_ERROR_MODEL, place, "%s is %s: what hangs must be a movable disc", name,
            def->bodies.bodies[body].fixed ? "fixed"
                                           : crm_body_shape_noun(def->bodies.bodies[body].shape));
    }
    for (size_t j = 0; j < k; j++) {
        if (def->suspended[j].body == body) {
            return crm_fail(error, CRM_ERROR_MODEL, place,
                            "%s hangs already, by suspended[%zu]: a bob has one string", name,
                            j + 1);
        }
    }
    return CRM_OK;
}

static crm_status check_string(const crm_scene_def *def, size_t k, crm_error *error)
{
    const crm_suspension *hung = &def->suspended[k];
    const datum data[] = {{CRM_DATUM_LENGTH, hung->length, "suspended[%zu].length"},
                          {CRM_DATUM_POSITION, hung->from[0], "suspended[%zu].from[1]"},
                          {CRM_DATUM_POSITION, hung->from[1], "suspended[%zu].from[2]"},
                          {CRM_DATUM_ANGLE, hung->angle, "suspended[%zu].angle"},
                          {CRM_DATUM_SPIN, hung->spin, "suspended[%zu].spin"}};
    return check_data(data, sizeof data / sizeof data[0], k, error);
}

static crm_status check_suspensions(const crm_scene_def *def, crm_error *error)
{
    if (def->suspended_count > 0 && def->bodies.dimension != 2) {
        return crm_fail(error, CRM_ERROR_MODEL, "suspended",
                        "bobs swing in the plane, with 2 coordinates; here bodies have %u",
                        def->bodies.dimension);
    }
    crm_status status = CRM_OK;
    for (size_t k = 0; k < def->suspended_count && status == CRM_OK; k++) {
        status = check_bob(def, k, error);
        status = status == CRM_OK ? check_string(def, k, error) : status;
    }
    return status;
}

/* ---- Springs --------------------------------------------------------------------------------- */

static crm_status check_ends(const crm_scene_def *def, size_t k, crm_error *error)
{
    const crm_spring_def *spring = &def->springs[k];
    size_t count = def->bodies.body_count;
    char place[64];
    if (spring->first >= count || (spring->second >= count && spring->second != SIZE_MAX)) {
        bool first = spring->first >= count;
        snprintf(place, sizeof place, "springs[%zu].%s", k + 1, first ? "first" : "second");
        return crm_fail(error, CRM_ERROR_MODEL, place, "body is %zu, must be from 1 to %zu",
                        (first ? spring->first : spring->second) + 1, count);
    }
    snprintf(place, sizeof place, "springs[%zu].second", k + 1);
    return spring->first != spring->second
               ? CRM_OK
               : crm_fail(error, CRM_ERROR_MODEL, place,
                          "body is %zu, as the first: a spring is between two bodies",
                          spring->second + 1);
}

static crm_status check_spring(const crm_scene_def *def, size_t k, crm_error *error)
{
    const crm_spring_def *spring = &def->springs[k];
    const datum data[] = {{CRM_DATUM_SPRING, spring->stiffness, "springs[%zu].stiffness"},
                          {CRM_DATUM_DAMPING, spring->damping, "springs[%zu].damping"},
                          {CRM_DATUM_SPRING_LENGTH, spring->length, "springs[%zu].length"}};
    static const char *const point[] = {"springs[%zu].point[1]", "springs[%zu].point[2]",
                                        "springs[%zu].point[3]"};
    crm_status status = check_ends(def, k, error);
    if (status == CRM_OK) {
        status = check_data(data, sizeof data / sizeof data[0], k, error);
    }
    for (unsigned d = 0; d < def->bodies.dimension && status == CRM_OK; d++) {
        if (spring->second == SIZE_MAX) {
            status = crm_ranges_check(CRM_DATUM_POSITION, spring->point[d], point[d], k + 1, error);
        }
    }
    return status;
}

/* ---- Together -------------------------------------------------------------------------------- */

static crm_status check_lists(const crm_scene_def *def, crm_error *error)
{
    if (def->suspended_count > def->bodies.body_count) {
        return crm_fail(error, CRM_ERROR_ARGUMENT, "suspended",
                        "%zu strings for %zu bodies: a bob has one string", def->suspended_count,
                        def->bodies.body_count);
    }
    if (def->spring_count > UINT32_MAX) {
        return crm_fail(error, CRM_ERROR_ARGUMENT, "springs", "more than 2^32 springs");
    }
    bool missing =
        (def->suspended_count > 0 && crm_fail_if_null(def->suspended, "suspended", error)) ||
        (def->spring_count > 0 && crm_fail_if_null(def->springs, "springs", error));
    return missing ? CRM_ERROR_ARGUMENT : CRM_OK;
}

crm_status crm_scene_check(const crm_scene_def *def, crm_error *error)
{
    crm_status status = crm_bodies_check(&def->bodies, error);
    status = status == CRM_OK ? check_lists(def, error) : status;
    status = status == CRM_OK ? check_suspensions(def, error) : status;
    for (size_t k = 0; k < def->spring_count && status == CRM_OK; k++) {
        status = check_spring(def, k, error);
    }
    status = status == CRM_OK ? check_velocity(def, error) : status;
    status = status == CRM_OK ? check_gravity(def, error) : status;
    status = status == CRM_OK ? check_wall_motion(def, error) : status;
    return status == CRM_OK ? check_energies(&def->bodies, error) : status;
}
