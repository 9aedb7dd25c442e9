/* Which bodies of a scene a list names; the unit of its forces; warnings about its motion. */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "base/locale.h"
#include "model/bodies/touches.h"
#include "report/motion.h"
#include "report/text/rows.h"

static bool has_stiffness(const crm_contact_def *contact)
{
    return !isnan(contact->stiffness) && contact->stiffness != 1;
}

static bool is_elastic(const crm_material *material)
{
    return material != NULL && material->young > 0;
}

const char *crm_scene_force_unit(const crm_scene_def *scene)
{
    const crm_bodies_def *bodies = &scene->bodies;
    bool given = has_stiffness(&bodies->contact);
    for (size_t k = 0; k < bodies->pair_count; k++) {
        given = given || has_stiffness(&bodies->pairs[k].contact);
    }
    for (size_t i = 0; i < bodies->body_count; i++) {
        given = given || is_elastic(bodies->bodies[i].material);
    }
    for (size_t k = 0; k < bodies->wall_count; k++) {
        given = given || is_elastic(bodies->walls[k].material);
    }
    return given ? "N" : crm_field_unit_relative;
}

bool crm_scene_is_called(const crm_bodies_def *bodies, size_t body, const char *name)
{
    char own[CRM_NAME_SIZE];
    crm_bodies_party_name(bodies, body, own, sizeof own);
    return strcmp(own, name) == 0;
}

static bool is_called(const void *context, size_t row, const char *name)
{
    return crm_scene_is_called(context, row, name);
}

crm_status crm_scene_choose(const crm_scene_def *scene, const char *list, bool *chosen,
                            crm_error *error)
{
    const crm_bodies_def *bodies = &scene->bodies;
    const crm_listed listed = {
        .context = bodies, .total = bodies->body_count, .what = "bodies", .is_called = is_called};
    crm_rows rows;
    crm_status status = crm_rows_choose(&listed, list, bodies->body_count, &rows, error);
    for (size_t i = 0; status == CRM_OK && i < rows.count; i++) {
        chosen[rows.index[i]] = true;
    }
    if (status == CRM_OK && rows.count == 0) {
        status = crm_fail(error, CRM_ERROR_OPTION, "rows", "'%s' names none of the %zu bodies",
                          list, bodies->body_count);
    }
    crm_rows_free(&rows);
    return status;
}

/* ---- Warnings -------------------------------------------------------------------------------- */

/* Position correction that does this part of the energy lost in contacts is reported. */
static const double WORTH_A_WARNING = 0.05;

bool crm_motion_warning(const crm_motion_state *moved, char *text, size_t size)
{
    const crm_motion_account *e = &moved->summary.energy;
    bool warns = e->correction > 0 && e->correction >= WORTH_A_WARNING * e->lost;
    if (warns) {
        crm_snprintf(text, size,
                     "separating overlapping bodies (position correction) did %.3g J of work, "
                     "%.2g %% of the %.3g J lost in contacts; a shorter simulate.step reduces it",
                     e->correction, 100 * e->correction / e->lost, e->lost);
    }
    return warns;
}
