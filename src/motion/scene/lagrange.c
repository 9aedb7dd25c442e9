/* A scene as a Lagrangian system: callbacks for motion/lagrange. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/bodies/bodies.h"
#include "motion/lagrange/lagrange.h"
#include "motion/scene/scene.h"

/* A Lagrangian motion is dense: its work grows with the cube of the number of gaps. */
enum { MOST_GAPS = 200 };

/* Nearest points of a gap, of state number `state` and time t. */
typedef struct known_gap {
    crm_gap nearest;
    double t;
    uint64_t state;
    unsigned feature;
} known_gap;

/* The scene, and all gaps between its bodies and walls. What is computed of positions is kept until
 * others come: a gap, its gradient and its bias are asked for at the same ones.
 */
typedef struct scene_context {
    scene_system *s;
    double *position; /* state number `state`; 0: none yet */
    uint64_t state;
    crm_solid *solid; /* of each body, of state number solid_state */
    uint64_t *solid_state;
    known_gap *nearest; /* of each gap */
    size_t gaps;
    scene_gap *gap;
    size_t (*party)[2];     /* of each gap */
    const size_t *selected; /* the gaps to be computed; NULL: all */
    size_t selected_count;
} scene_context;

static size_t count_selected(const scene_context *w)
{
    return w->selected != NULL ? w->selected_count : w->gaps;
}

static size_t selected_gap(const scene_context *w, size_t k)
{
    return w->selected != NULL ? w->selected[k] : k;
}

static void free_context(void *context)
{
    scene_context *w = context;
    if (w != NULL) {
        scene_free(w->s);
        free(w->position);
        free(w->solid);
        free(w->solid_state);
        free(w->nearest);
        free(w->gap);
        free(w->party);
        free(w);
    }
}

/* ---- What is known of a state ---------------------------------------------------------------- */

static void set_state(scene_context *w, const double *q)
{
    size_t size = w->s->positions * sizeof *q;
    if (w->state == 0 || memcmp(w->position, q, size) != 0) {
        memcpy(w->position, q, size);
        w->state++;
    }
}

static const crm_solid *solid_of(scene_context *w, size_t body)
{
    if (w->solid_state[body] != w->state) {
        w->solid[body] = scene_solid(w->s, body, w->position);
        w->solid_state[body] = w->state;
    }
    return &w->solid[body];
}

static scene_pair pair_of(scene_context *w, size_t j)
{
    const scene_gap *gap = &w->gap[j];
    bool wall = gap->second >= w->s->bodies;
    return (scene_pair){{solid_of(w, gap->first), wall ? NULL : solid_of(w, gap->second)}};
}

/* v NULL: the bias may be of any velocities. */
static const crm_gap *gap_of(scene_context *w, size_t j, double t, const double *v)
{
    known_gap *known = &w->nearest[j];
    const scene_gap *gap = &w->gap[j];
    if (v != NULL || known->state != w->state || known->t != t || known->feature != gap->feature) {
        scene_pair pair = pair_of(w, j);
        known->nearest = scene_gap_between(w->s, gap, &pair, t, w->position, v);
        known->state = w->state;
        known->t = t;
        known->feature = gap->feature;
    }
    return &known->nearest;
}

/* ---- Callbacks ------------------------------------------------------------------------------- */

static crm_status give_mass(void *context, const double *q, double *mass)
{
    const scene_system *s = ((const scene_context *)context)->s;
    (void)q;
    memset(mass, 0, s->velocities * s->velocities * sizeof *mass);
    for (size_t i = 0; i < s->velocities; i++) {
        mass[i * s->velocities + i] = s->inertia[i];
    }
    return CRM_OK;
}

static crm_status give_force(void *context, double t, const double *q, const double *v,
                             double *force)
{
    (void)t;
    scene_forces(((const scene_context *)context)->s, q, v, force);
    return CRM_OK;
}

static crm_status give_gap(void *context, double t, const double *q, double *gap)
{
    scene_context *w = context;
    set_state(w, q);
    for (size_t k = 0; k < count_selected(w); k++) {
        size_t j = selected_gap(w, k);
        gap[j] = gap_of(w, j, t, NULL)->gap;
    }
    return CRM_OK;
}

static crm_status give_gradient(void *context, double t, const double *q, double *gradient)
{
    scene_context *w = context;
    set_state(w, q);
    for (size_t k = 0; k < count_selected(w); k++) {
        size_t j = selected_gap(w, k);
        scene_pair pair = pair_of(w, j);
        scene_gap_gradient_of(w->s, &w->gap[j], &pair, gap_of(w, j, t, NULL), q,
                              gradient + j * w->s->velocities);
    }
    return CRM_OK;
}

static crm_status give_rate(void *context, double t, const double *q, double *rate)
{
    const scene_context *w = context;
    (void)q;
    for (size_t k = 0; k < count_selected(w); k++) {
        size_t j = selected_gap(w, k);
        rate[j] = scene_gap_rate(w->s, &w->gap[j], t);
    }
    return CRM_OK;
}

static crm_status give_bias(void *context, double t, const double *q, const double *v, double *bias)
{
    scene_context *w = context;
    set_state(w, q);
    for (size_t k = 0; k < count_selected(w); k++) {
        size_t j = selected_gap(w, k);
        bias[j] = gap_of(w, j, t, v)->bias;
    }
    return CRM_OK;
}

static crm_status give_kinematics(void *context, const double *q, const double *v, double *rate)
{
    scene_kinematics(((const scene_context *)context)->s, q, v, rate);
    return CRM_OK;
}

static double give_potential(void *context, double t, const double *q)
{
    (void)t;
    return scene_potential(((const scene_context *)context)->s, q);
}

/* ---- Features -------------------------------------------------------------------------------- */

static size_t give_margins(void *context, size_t j, const double *q,
                           double margin[LAGRANGE_MARGINS])
{
    scene_context *w = context;
    if (w->gap[j].feature == CRM_FEATURE_NONE) {
        return 0;
    }
    set_state(w, q);
    scene_pair pair = pair_of(w, j);
    return scene_gap_margins(&w->gap[j], &pair, margin);
}

static void cross_margin(void *context, size_t j, const double *q, size_t margin)
{
    scene_context *w = context;
    w->gap[j].feature = scene_gap_beyond(w->s, &w->gap[j], q, margin);
}

static void choose_feature(void *context, size_t j, const double *q)
{
    scene_context *w = context;
    w->gap[j].feature = scene_gap_feature(w->s, &w->gap[j], q);
}

/* By spheres around two free bodies; gaps with walls cost little. */
static bool are_apart(void *context, size_t j, const double *middle, const double *way,
                      double least)
{
    const scene_context *w = context;
    const scene_system *s = w->s;
    size_t a = w->gap[j].first, b = w->gap[j].second;
    if (b >= s->bodies || s->body[a].hold != SCENE_FREE || s->body[b].hold != SCENE_FREE) {
        return false;
    }
    double reach = scene_reach(s, a) + scene_reach(s, b) + least, square = 0;
    for (unsigned d = 0; d < s->dimension; d++) {
        size_t i = s->body[a].position + d, k = s->body[b].position + d;
        double between = fmax(0, fabs(middle[i] - middle[k]) - way[i] - way[k]);
        square += between * between;
    }
    return square > reach * reach;
}

static unsigned *feature_of(void *context, size_t j)
{
    return &((scene_context *)context)->gap[j].feature;
}

static void select_gaps(void *context, const size_t *gaps, size_t count)
{
    scene_context *w = context;
    w->selected = gaps;
    w->selected_count = count;
}

static const lagrange_features FEATURES = {.select_gaps = select_gaps,
                                           .margins = give_margins,
                                           .cross = cross_margin,
                                           .choose = choose_feature,
                                           .are_apart = are_apart,
                                           .of = feature_of,
                                           .most = CRM_FEATURE_COUNT - 1};

static void choose_features(scene_context *w, const double *q)
{
    for (size_t j = 0; j < w->gaps; j++) {
        choose_feature(w, j, q);
    }
}

/* ---- All pairs ------------------------------------------------------------------------------- */

/* In the order of a model's contacts: (1,2), (1,3), ..., then walls. With w->gap NULL gaps are only
 * counted.
 */
static size_t pass_pairs(scene_context *w)
{
    const scene_system *s = w->s;
    size_t filled = 0;
    for (size_t k = 0; k < s->bodies + s->walls; k++) {
        bool wall = k >= s->bodies;
        size_t least = wall ? 0 : k + 1;
        for (size_t i = least; i < s->bodies; i++) {
            const size_t party[2] = {wall ? i : k, wall ? k : i};
            scene_gap gap[SCENE_GAPS_MOST];
            size_t count = scene_pair_gaps(s, party[0], party[1], gap);
            for (size_t j = 0; j < count && w->gap != NULL; j++) {
                w->gap[filled + j] = gap[j];
                memcpy(w->party[filled + j], party, sizeof party);
            }
            filled += count;
        }
    }
    return filled;
}

static crm_status list_gaps(scene_context *w, crm_error *error)
{
    w->gaps = pass_pairs(w);
    if (w->gaps > MOST_GAPS) {
        return crm_fail(error, CRM_ERROR_MODEL, "bodies",
                        "the bodies and walls make %zu pairs that can meet; with rods, strings or "
                        "springs there may be at most %d",
                        w->gaps, MOST_GAPS);
    }
    w->gap = CRM_NEW(scene_gap, w->gaps);
    w->nearest = CRM_NEW(known_gap, w->gaps);
    w->position = CRM_NEW(double, w->s->positions);
    w->solid = CRM_NEW(crm_solid, w->s->bodies);
    w->solid_state = CRM_NEW(uint64_t, w->s->bodies);
    w->party = (size_t(*)[2])crm_memory_allocate(w->gaps, sizeof *w->party);
    if (w->gap == NULL || w->nearest == NULL || w->position == NULL || w->solid == NULL ||
        w->solid_state == NULL || w->party == NULL) {
        return crm_fail_memory(error);
    }
    pass_pairs(w);
    return CRM_OK;
}

/* ---- The start ------------------------------------------------------------------------------- */

/* Arrays that the definition points to. */
typedef struct start {
    double *position, *velocity;
    double *stiffness, *exponent, *restitution;
    crm_compliance_def *compliance;
} start;

static bool take_start(const scene_context *w, start *at)
{
    *at = (start){.position = CRM_NEW(double, w->s->positions),
                  .velocity = CRM_NEW(double, w->s->velocities),
                  .stiffness = CRM_NEW(double, w->gaps),
                  .exponent = CRM_NEW(double, w->gaps),
                  .restitution = CRM_NEW(double, w->gaps),
                  .compliance = CRM_NEW(crm_compliance_def, w->gaps)};
    return at->position != NULL && at->velocity != NULL && at->stiffness != NULL &&
           at->exponent != NULL && at->restitution != NULL && at->compliance != NULL;
}

static void release_start(start *at)
{
    free(at->position);
    free(at->velocity);
    free(at->stiffness);
    free(at->exponent);
    free(at->restitution);
    free(at->compliance);
}

static crm_status list_pairs(const scene_context *w, const crm_bodies_def *def, crm_touches *list,
                             crm_error *error)
{
    crm_status status = CRM_OK;
    for (size_t j = 0; j < w->gaps && status == CRM_OK; j++) {
        crm_touch touch = {.first = (uint32_t)w->party[j][0], .second = (uint32_t)w->party[j][1]};
        status = crm_touches_add(def, list, touch, error);
    }
    return status;
}

static crm_status fill_contacts(const scene_context *w, const crm_bodies_def *def, start *at,
                                crm_error *error)
{
    crm_touches list = {0};
    crm_contact_def *contact = CRM_NEW(crm_contact_def, w->gaps);
    crm_status status = contact != NULL ? list_pairs(w, def, &list, error) : crm_fail_memory(error);
    if (status == CRM_OK) {
        status = crm_contacts_complete(def, &list, contact, error);
    }
    for (size_t j = 0; j < w->gaps && status == CRM_OK; j++) {
        at->stiffness[j] = contact[j].stiffness;
        at->exponent[j] = contact[j].exponent;
        at->restitution[j] = contact[j].restitution;
        at->compliance[j] = contact[j].compliance;
    }
    free(contact);
    free(list.items);
    return status;
}

/* Each pair once: it may have several gaps. */
static crm_status check_pairs(const scene_context *w, const crm_bodies_def *def, const double *q,
                              crm_error *error)
{
    crm_status status = CRM_OK;
    for (size_t j = 0; j < w->gaps && status == CRM_OK; j++) {
        if (j == 0 || memcmp(w->party[j], w->party[j - 1], sizeof w->party[j]) != 0) {
            status = scene_check_pair(w->s, def, w->party[j][0], w->party[j][1], q, error);
        }
    }
    return status;
}

/* ---- Together -------------------------------------------------------------------------------- */

static crm_lagrangian_def define(scene_context *w, const start *at)
{
    crm_lagrangian_def def = crm_lagrangian_def_default();
    def.context = w;
    def.positions = w->s->positions;
    def.velocities = w->s->velocities;
    def.gaps = w->gaps;
    def.mass = give_mass;
    def.force = give_force;
    def.gap = give_gap;
    def.gradient = give_gradient;
    def.gap_rate = give_rate;
    def.gap_bias = give_bias;
    def.kinematics = w->s->positions != w->s->velocities ? give_kinematics : NULL;
    def.potential = give_potential;
    def.gaps_move = scene_walls_move(w->s);
    def.position = at->position;
    def.velocity = at->velocity;
    def.size = scene_size(w->s);
    def.stiffness = at->stiffness;
    def.exponent = at->exponent;
    def.restitution = at->restitution;
    def.compliance = at->compliance;
    return def;
}

/* Overlaps are checked at the start of a motion only. */
static crm_status fill_state(const scene_context *w, const crm_scene_def *def,
                             const scene_from *from, start *at, crm_error *error)
{
    if (from == NULL) {
        scene_start(w->s, def, at->position, at->velocity);
    } else {
        memcpy(at->position, from->position, w->s->positions * sizeof(double));
        memcpy(at->velocity, from->velocity, w->s->velocities * sizeof(double));
    }
    return from == NULL || from->time == 0 ? check_pairs(w, &def->bodies, at->position, error)
                                           : CRM_OK;
}

static crm_status begin(scene_context *w, const crm_scene_def *def, const scene_from *from,
                        const crm_motion_options *options, crm_motion **motion, crm_error *error)
{
    start at;
    crm_status status =
        take_start(w, &at) ? fill_state(w, def, from, &at, error) : crm_fail_memory(error);
    status = status == CRM_OK ? fill_contacts(w, &def->bodies, &at, error) : status;
    if (status == CRM_OK) {
        choose_features(w, at.position);
        crm_lagrangian_def system = define(w, &at);
        system.start = from != NULL ? from->time : 0;
        system.size = from != NULL ? from->size : system.size;
        status = crm_motion_from_lagrangian(&system, options, motion, error);
    }
    release_start(&at);
    if (status == CRM_OK) {
        status = lagrange_attach_scene(*motion, w->party, &FEATURES, free_context, error);
    }
    return status;
}

crm_status scene_create_from(const crm_scene_def *def, const scene_from *from,
                             const crm_motion_options *options, crm_motion **motion,
                             crm_error *error)
{
    *motion = NULL;
    scene_context *w = CRM_NEW(scene_context, 1);
    crm_status status = w != NULL ? scene_make(def, &w->s, error) : crm_fail_memory(error);
    status = status == CRM_OK ? list_gaps(w, error) : status;
    status = status == CRM_OK ? begin(w, def, from, options, motion, error) : status;
    if (status != CRM_OK) {
        crm_motion_free(*motion);
        *motion = NULL;
        free_context(w);
    }
    return status;
}

crm_status crm_scene_create(const crm_scene_def *def, const crm_motion_options *options,
                            crm_motion **motion, crm_error *error)
{
    return scene_create_from(def, NULL, options, motion, error);
}

const scene_system *scene_of(const crm_motion *motion)
{
    return ((const scene_context *)((const lagrange_motion *)motion)->def.context)->s;
}
