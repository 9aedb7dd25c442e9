/* The definition, checked and copied. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "law/law.h"
#include "model/bodies/bodies.h"
#include "model/values.h"
#include "motion/stepping/stepping.h"

/* A pair of parties with a restitution of its own. */
typedef struct stepping_pair_restitution {
    uint32_t party[2];
    stepping_bounce bounce;
} stepping_pair_restitution;

/* ---- Checks ---------------------------------------------------------------------------------- */

static crm_status check_law(const crm_settings *law, crm_error *error)
{
    return law == NULL || strcmp(crm_settings_law(law)->name, "moreau") == 0
               ? CRM_OK
               : crm_fail(error, CRM_ERROR_ARGUMENT, "law",
                          "time-stepping is Moreau's law in every step, by each contact's own "
                          "restitution: law %s is for the event-driven scheme",
                          crm_settings_law(law)->name);
}

static crm_status check_closure(const crm_motion_options *options, crm_error *error)
{
    return options->closure_kind == CRM_CLOSURE_DISTANCE
               ? CRM_OK
               : crm_fail(error, CRM_ERROR_ARGUMENT, "closure",
                          "closure by indentation is for the event-driven scheme: in "
                          "time-stepping a contact is closed by its gap in the middle of the step");
}

/* The leapfrog is stable while h omega < 2. The largest eigenvalue omega^2 is at most the largest
 * row sum of M^-1 K: twice the stiffness of a body's springs over its mass; a pendulum adds g/l.
 */
static crm_status check_step(const stepping *s, crm_error *error)
{
    double h = s->common.options.step, fastest = 0;
    double gravity = sqrt(crm_bodies_dot(s->scene->gravity, s->scene->gravity, 3));
    memset(s->force_change, 0, s->scene->bodies * sizeof *s->force_change);
    for (size_t k = 0; k < s->scene->springs; k++) {
        const crm_spring_def *spring = &s->scene->spring[k];
        bool both = spring->second != SIZE_MAX;
        s->force_change[spring->first] += (both ? 2 : 1) * spring->stiffness;
        if (both) {
            s->force_change[spring->second] += 2 * spring->stiffness;
        }
    }
    for (size_t i = 0; i < s->scene->bodies; i++) {
        const scene_body *body = &s->scene->body[i];
        double hung = body->hold == SCENE_HUNG ? gravity / body->string : 0;
        fastest = fmax(fastest, body->mass > 0 ? s->force_change[i] / body->mass + hung : 0);
    }
    return h * h * fastest < 4
               ? CRM_OK
               : crm_fail(error, CRM_ERROR_ARGUMENT, "step",
                          "step is %g s, must be below %g s: twice the time in which the springs "
                          "and strings of the scene swing by a radian",
                          h, 2 / sqrt(fastest));
}

static crm_status check_overlaps(const stepping *s, const crm_bodies_def *def, crm_error *error)
{
    crm_status status = CRM_OK;
    for (size_t k = 0; k < s->keys && status == CRM_OK; k++) {
        status =
            scene_check_pair(s->scene, def, s->key[k] >> 32, s->key[k] & UINT32_MAX, s->q, error);
    }
    return status;
}

/* ---- Restitution ----------------------------------------------------------------------------- */

static int by_party(const void *a, const void *b)
{
    const stepping_pair_restitution *x = a, *y = b;
    for (unsigned side = 0; side < 2; side++) {
        if (x->party[side] != y->party[side]) {
            return x->party[side] < y->party[side] ? -1 : 1;
        }
    }
    return 0;
}

/* The law's option `restitution`, if it is given, replaces the contact's own. */
static stepping_bounce bounce_of(const stepping *s, const crm_contact_def *contact)
{
    const crm_settings *law = s->common.options.law;
    double own = isnan(contact->restitution) ? 1 : contact->restitution;
    const crm_compliance *c = contact->compliance.made;
    double e = law != NULL ? crm_settings_law(law)->single(law, own) : own;
    double other = law != NULL ? crm_settings_law(law)->single(law, 0.5 * own) : 0.5 * own;
    bool replaced = e == other && own > 0; /* whatever the contact's is */
    return (stepping_bounce){e, c != NULL && c->restitution != NULL && !replaced ? c : NULL};
}

stepping_bounce stepping_bounce_between(const stepping *s, size_t first, size_t second)
{
    const stepping_pair_restitution wanted = {.party = {(uint32_t)first, (uint32_t)second}};
    const stepping_pair_restitution *found =
        s->pair_restitution_count > 0 ? bsearch(&wanted, s->pair_restitution,
                                                s->pair_restitution_count, sizeof wanted, by_party)
                                      : NULL;
    return found != NULL ? found->bounce : s->bounce;
}

/* Of pairs given twice the last counts. */
static crm_status copy_restitution(stepping *s, const crm_bodies_def *def, crm_error *error)
{
    s->bounce = bounce_of(s, &def->contact);
    s->pair_restitution = CRM_NEW(stepping_pair_restitution, def->pair_count);
    if (s->pair_restitution == NULL) {
        return crm_fail_memory(error);
    }
    for (size_t k = def->pair_count; k-- > 0;) {
        size_t a = def->pairs[k].first, b = def->pairs[k].second;
        const crm_contact_def contact = crm_values_overlay(def->pairs[k].contact, def->contact);
        stepping_pair_restitution pair_restitution = {
            {(uint32_t)(a < b ? a : b), (uint32_t)(a < b ? b : a)}, bounce_of(s, &contact)};
        bool known = false;
        for (size_t m = 0; m < s->pair_restitution_count; m++) {
            known |= by_party(&s->pair_restitution[m], &pair_restitution) == 0;
        }
        if (!known) {
            s->pair_restitution[s->pair_restitution_count++] = pair_restitution;
        }
    }
    if (s->pair_restitution_count > 0) {
        qsort(s->pair_restitution, s->pair_restitution_count, sizeof *s->pair_restitution,
              by_party);
    }
    return CRM_OK;
}

/* ---- Names ----------------------------------------------------------------------------------- */

static crm_status copy_names(stepping *s, const crm_bodies_def *def, crm_error *error)
{
    size_t parties = def->body_count + def->wall_count;
    s->name = CRM_NEW(char *, parties);
    for (size_t i = 0; s->name != NULL && i < parties; i++) {
        char name[48];
        crm_bodies_party_name(def, i, name, sizeof name);
        s->name[i] = crm_memory_copy_text(name);
        if (s->name[i] == NULL) {
            return crm_fail_memory(error);
        }
    }
    return s->name != NULL ? CRM_OK : crm_fail_memory(error);
}

void stepping_party_name(const stepping *s, size_t party, char *name, size_t size)
{
    snprintf(name, size, "%s", s->name[party]);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static bool take_state(stepping *s)
{
    size_t n = s->scene->velocities, q = s->scene->positions;
    size_t most = n > q ? n : q;
    double **of_velocities[] = {&s->v, &s->v0, &s->free, &s->force, &s->mean, &s->root, &s->kick};
    double **of_positions[] = {&s->q, &s->q0, &s->middle};
    bool made = true;
    for (size_t k = 0; k < sizeof of_velocities / sizeof *of_velocities; k++) {
        *of_velocities[k] = CRM_NEW(double, n);
        made &= *of_velocities[k] != NULL;
    }
    for (size_t k = 0; k < sizeof of_positions / sizeof *of_positions; k++) {
        *of_positions[k] = CRM_NEW(double, q);
        made &= *of_positions[k] != NULL;
    }
    s->work = CRM_NEW(double, most);
    s->end_rates = CRM_NEW(double, 2 * q);
    s->state = CRM_NEW(double, n + q);
    s->force_change = CRM_NEW(double, s->scene->bodies);
    s->pad = CRM_NEW(double, s->scene->bodies);
    s->body = CRM_NEW(stepping_body, s->scene->bodies);
    s->centre = (double(*)[3])crm_memory_allocate(s->scene->bodies, sizeof *s->centre);
    s->wall_place = CRM_NEW(double, s->scene->walls);
    s->wall_pad = CRM_NEW(double, s->scene->walls);
    return made && s->work != NULL && s->end_rates != NULL && s->state != NULL &&
           s->force_change != NULL && s->pad != NULL && s->body != NULL && s->centre != NULL &&
           s->wall_place != NULL && s->wall_pad != NULL;
}

static bool take_islands(stepping_islands *i, size_t bodies, size_t velocities)
{
    i->root = CRM_NEW(uint32_t, bodies);
    i->island = CRM_NEW(uint32_t, bodies);
    i->local = CRM_NEW(uint32_t, bodies);
    i->body = CRM_NEW(uint32_t, bodies);
    i->first = CRM_NEW(uint32_t, bodies + 1);
    i->body_start = CRM_NEW(size_t, bodies + 1);
    i->contact_start = CRM_NEW(size_t, bodies + 1);
    i->pair_start = CRM_NEW(size_t, bodies + 1);
    i->x = CRM_NEW(double, velocities);
    return i->root != NULL && i->island != NULL && i->local != NULL && i->body != NULL &&
           i->first != NULL && i->body_start != NULL && i->contact_start != NULL &&
           i->pair_start != NULL && i->x != NULL;
}

static crm_status take_solvers(stepping_solvers *solvers, crm_error *error)
{
    crm_status status = crm_primal_create(&solvers->small, error);
    for (size_t k = 0; k < STEPPING_SOLVERS && status == CRM_OK; k++) {
        status = crm_primal_create(&solvers->large[k], error);
    }
    return status;
}

static void release_solvers(stepping_solvers *solvers)
{
    crm_primal_free(solvers->small);
    for (size_t k = 0; k < STEPPING_SOLVERS; k++) {
        crm_primal_free(solvers->large[k]);
    }
}

static void release_lists(stepping *s)
{
    stepping_islands *i = &s->islands;
    void *arrays[] = {i->root,
                      i->island,
                      i->local,
                      i->body,
                      i->first,
                      i->body_start,
                      i->contact_start,
                      i->pair_start,
                      i->x,
                      i->pair,
                      i->pair_of,
                      i->contact,
                      i->column,
                      i->p,
                      s->key,
                      s->pair,
                      s->gap,
                      s->old,
                      s->gap_pair,
                      s->distance,
                      s->pair_restitution,
                      s->report_party,
                      s->report_speed,
                      s->report_impulse,
                      s->contacts.contact,
                      s->contacts.value,
                      s->overlaps.contact,
                      s->overlaps.value};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        free(arrays[k]);
    }
}

void crm_stepping_free(crm_motion *motion)
{
    stepping *s = (stepping *)motion;
    void *arrays[] = {s->q,       s->v,    s->q0,        s->v0,    s->middle,       s->free,
                      s->force,   s->mean, s->work,      s->root,  s->force_change, s->pad,
                      s->kick,    s->body, s->end_rates, s->state, s->centre,       s->wall_place,
                      s->wall_pad};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        free(arrays[k]);
    }
    for (size_t i = 0; s->name != NULL && i < s->scene->bodies + s->scene->walls; i++) {
        free(s->name[i]);
    }
    free(s->name);
    release_lists(s);
    release_solvers(&s->velocity);
    release_solvers(&s->position);
    stepping_cells_free(&s->cells);
    scene_free(s->scene);
    crm_motion_end(motion);
    free(s);
}

/* ---- Together -------------------------------------------------------------------------------- */

static crm_status take_memory(stepping *s, crm_error *error)
{
    bool made = take_state(s) && take_islands(&s->islands, s->scene->bodies, s->scene->velocities);
    crm_status status = made ? stepping_cells_create(s, error) : crm_fail_memory(error);
    status = status == CRM_OK ? take_solvers(&s->velocity, error) : status;
    return status == CRM_OK ? take_solvers(&s->position, error) : status;
}

static void find_kind_of_forces(stepping *s)
{
    s->steady = s->scene->springs == 0;
    for (size_t k = 0; k < s->scene->springs; k++) {
        s->damped |= s->scene->spring[k].damping > 0;
    }
    for (size_t i = 0; i < s->scene->bodies; i++) {
        s->damped |= s->scene->body[i].turns == 3;
        s->steady &= s->scene->body[i].hold != SCENE_HUNG;
    }
    s->steady &= !s->damped;
    if (s->steady) {
        scene_forces(s->scene, s->q, s->v, s->kick);
    }
    for (size_t k = 0; k < s->scene->velocities; k++) {
        s->kick[k] = s->common.options.step * s->kick[k] / s->scene->inertia[k];
    }
}

static void begin(stepping *s, const crm_scene_def *def)
{
    s->common.positions = s->scene->positions;
    s->common.velocities = s->scene->velocities;
    s->notified_until = -INFINITY;
    scene_start(s->scene, def, s->q, s->v);
    for (size_t k = 0; k < s->scene->velocities; k++) {
        s->root[k] = sqrt(s->scene->inertia[k]);
    }
    find_kind_of_forces(s);
    s->common.kinetic_before = stepping_kinetic(s, s->v);
    s->common.potential_before = scene_potential(s->scene, s->q);
}

static crm_status make(stepping *s, const crm_scene_def *def, const crm_motion_options *options,
                       crm_error *error)
{
    crm_status status = crm_motion_begin(&s->common, options, error);
    status = status == CRM_OK ? check_law(s->common.options.law, error) : status;
    status = status == CRM_OK ? check_closure(&s->common.options, error) : status;
    status = status == CRM_OK ? scene_make(def, &s->scene, error) : status;
    status = status == CRM_OK ? take_memory(s, error) : status;
    if (status == CRM_OK) {
        stepping_geometry_begin(s);
    }
    status = status == CRM_OK ? copy_names(s, &def->bodies, error) : status;
    status = status == CRM_OK ? copy_restitution(s, &def->bodies, error) : status;
    status = status == CRM_OK ? check_step(s, error) : status;
    if (status == CRM_OK) {
        begin(s, def);
        status = stepping_candidates_update(s, s->q, 0, error);
    }
    return status == CRM_OK ? check_overlaps(s, &def->bodies, error) : status;
}

crm_status crm_stepping_create(const crm_scene_def *def, const crm_motion_options *options,
                               crm_motion **motion, crm_error *error)
{
    *motion = NULL;
    stepping *s = CRM_NEW(stepping, 1);
    if (s == NULL) {
        return crm_fail_memory(error);
    }
    s->common.kind = &crm_stepping_kind;
    crm_status status = make(s, def, options, error);
    if (status != CRM_OK) {
        crm_stepping_free(&s->common);
        return status;
    }
    *motion = &s->common;
    return CRM_OK;
}
