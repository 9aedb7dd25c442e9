/* The table of an outcome's fields, and what is computed rather than kept. */
#include <math.h>
#include <stdlib.h>

#include "field/field.h"
#include "model/model.h"

/* ---- Before the impact ---------------------------------------------------------------------- */

static double velocity_before(const crm_impact *i, size_t k)
{
    return i->velocity[k];
}

static double gap_velocity_before(const crm_impact *i, size_t j)
{
    const crm_model *model = i->model;
    double sum = model->boundary_velocity[j];
    for (size_t k = model->w_start[j]; k < model->w_start[j + 1]; k++) {
        sum += model->w_value[k] * i->velocity[model->w_row[k]];
    }
    return sum;
}

/* What was solved. */
static double mass(const crm_impact *i, size_t k)
{
    return crm_model_mass(i->model, k, k);
}

static double stiffness(const crm_impact *i, size_t j)
{
    return crm_model_stiffness(i->model)[j];
}

static double exponent(const crm_impact *i, size_t j)
{
    return crm_model_exponent(i->model)[j];
}

static double restitution(const crm_impact *i, size_t j)
{
    return crm_model_restitution(i->model)[j];
}

static double stored_energy(const crm_impact *i, size_t j)
{
    return crm_model_stored_energy(i->model)[j];
}

static double gap(const crm_impact *i, size_t j)
{
    return crm_model_gap(i->model) != NULL ? crm_model_gap(i->model)[j] : 0;
}

/* ---- Friction, in models that have it -------------------------------------------------------- */

static double friction(const crm_impact *i, size_t j)
{
    return crm_model_friction(i->model)[j];
}

static double slip_velocity_before(const crm_impact *i, size_t k)
{
    unsigned each = crm_model_tangents(i->model), which = (unsigned)(k % each);
    const crm_model *all = i->model->directions;
    size_t column = k / each * (1 + each) + 1 + which;
    double sum = all->boundary_velocity[column];
    for (size_t l = all->w_start[column]; l < all->w_start[column + 1]; l++) {
        sum += all->w_value[l] * i->velocity[all->w_row[l]];
    }
    return sum;
}

/* Where the law determines no more than what all of them do together, none of them is known. */
static double tangential_impulse(const crm_impact *i, size_t k)
{
    return i->outcome->tangential_unique ? i->outcome->tangential_impulse[k] : NAN;
}

static double loss_restitution(const crm_impact *i, size_t j)
{
    return i->outcome->loss[j] - i->outcome->loss_friction[j];
}

static bool knows_losses(const crm_impact *i)
{
    return i->outcome->loss != NULL && i->outcome->loss_friction != NULL;
}

static double path(const crm_impact *i, size_t j)
{
    return i->outcome->path[j];
}

static bool knows_path(const crm_impact *i)
{
    return i->outcome->path != NULL;
}

static double energy_before(const crm_impact *i, size_t k)
{
    (void)k;
    return crm_model_kinetic_energy(i->model, i->velocity);
}

static double bodies(const crm_impact *i, size_t k)
{
    (void)k;
    return (double)crm_model_bodies(i->model);
}

static double contacts(const crm_impact *i, size_t k)
{
    (void)k;
    return (double)crm_model_contacts(i->model);
}

/* ---- Measures ------------------------------------------------------------------------------- */

/* Bodies whose velocity is this close to the first law's, relative to its largeness, are near. */
static const double NEAR = 0.01;

static double peak_time(const crm_impact *i, size_t j)
{
    return i->course != NULL ? i->course->peak_time[j] : NAN;
}

static double arrival(const crm_impact *i, size_t j)
{
    return i->course != NULL ? i->course->arrival[j] : NAN;
}

static double period(const crm_impact *i, size_t j)
{
    return i->course != NULL ? i->course->period[j] : NAN;
}

static double energy_ratio(const crm_impact *i, size_t k)
{
    (void)k;
    return i->outcome->energy_after / i->outcome->energy_before;
}

static double dispersion(const crm_impact *i, size_t k)
{
    (void)k;
    return crm_measure_dispersion(i->model, i->outcome->velocity);
}

static double closing_left(const crm_impact *i, size_t k);

/* Where a law has left an endless tail, velocities of about its size mean nothing. */
static double tail_of(const crm_impact *i)
{
    static const double TAIL = 1e-6, ABOUT = 10;
    double left = i->outcome->result == CRM_NOT_TERMINATED ? closing_left(i, 0) : 0;
    return left > 0 && left < TAIL ? ABOUT * left : 0;
}

/* Velocities up to this one may be nothing but error: the estimate is relative to the largest speed
 * or closing speed before, or what stored energy makes of one: sqrt(2 E0 D_jj).
 */
static double noise(const crm_impact *i)
{
    double most = 0, part = fmax(isnan(i->outcome->error_estimate) ? 0 : i->outcome->error_estimate,
                                 tail_of(i));
    if (!(part > 0)) {
        return 0;
    }
    for (size_t k = 0; k < crm_model_coordinates(i->model); k++) {
        most = fmax(most, fabs(i->velocity[k]));
    }
    for (size_t j = 0; j < crm_model_contacts(i->model); j++) {
        double made = sqrt(2 * i->outcome->stored_before * i->model->d_diagonal[j]);
        most = fmax(most, fmax(-gap_velocity_before(i, j), made));
    }
    return part * most;
}

static double forward(const crm_impact *i, size_t k)
{
    (void)k;
    return (double)crm_measure_forward_above(i->model, i->outcome->velocity, noise(i));
}

static double effective_restitution(const crm_impact *i, size_t k)
{
    (void)k;
    return crm_measure_effective_restitution_above(i->model, i->velocity, i->outcome->velocity,
                                                   noise(i));
}

static double forward_share(const crm_impact *i, size_t k)
{
    (void)k;
    return crm_measure_forward_share(i->model, i->outcome->velocity);
}

static double last_share(const crm_impact *i, size_t k)
{
    (void)k;
    return crm_measure_last_share(i->model, i->outcome->velocity);
}

static double stuck_pairs(const crm_impact *i, size_t k)
{
    (void)k;
    return (double)crm_measure_stuck_pairs(i->model, i->velocity, i->outcome->velocity);
}

static double difference_percent(const crm_impact *i, size_t k)
{
    (void)k;
    return i->first != NULL
               ? crm_measure_difference_percent(i->model, i->outcome->velocity, i->first->velocity)
               : NAN;
}

static double near(const crm_impact *i, size_t k)
{
    (void)k;
    return i->first != NULL
               ? (double)crm_measure_near(i->model, i->outcome->velocity, i->first->velocity, NEAR)
               : NAN;
}

/* Beside the largest before. */
static double closing_left(const crm_impact *i, size_t k)
{
    (void)k;
    double before = 0, after = 0;
    for (size_t j = 0; j < crm_model_contacts(i->model); j++) {
        before = fmax(before, -gap_velocity_before(i, j));
        after = fmax(after, -i->outcome->gap_velocity[j]);
    }
    return before > 0 ? after / before : NAN;
}

static double body_energy(const crm_impact *i, size_t k)
{
    return crm_model_body_energy(i->model, k, i->outcome->velocity);
}

/* ---- What people need not see --------------------------------------------------------------- */

/* Of nothing there is no ratio. */
static bool nothing_before(const crm_impact *i)
{
    return !(i->outcome->energy_before > 0);
}

/* The kinetic energy after the impact is rounding, whose dispersion has no meaning. */
static bool at_rest(const crm_impact *i)
{
    const crm_outcome *o = i->outcome;
    return o->energy_after <=
           1e-18 * (o->energy_before + o->stored_before + fabs(o->boundary_work));
}

/* The law takes no steps. */
static bool no_steps(const crm_impact *i)
{
    return i->outcome->steps == 0;
}

/* ---- The table ------------------------------------------------------------------------------ */

/* A member that crm_field_value knows how to read; any other type does not compile. */
#define KIND_OF(member)                                                                            \
    _Generic((member),                                                                             \
        double: CRM_FIELD_NUMBER,                                                                  \
        double *: CRM_FIELD_NUMBER,                                                                \
        uint64_t: CRM_FIELD_COUNT,                                                                 \
        uint32_t *: CRM_FIELD_COUNT,                                                               \
        bool: CRM_FIELD_FLAG)
/* A member of crm_outcome by its own name, and what is computed by a function of that name. */
#define KEPT(member, words)                                                                        \
    .name = #member, .text = words, .kind = KIND_OF(((crm_outcome *)0)->member),                   \
    .offset = offsetof(crm_outcome, member)
#define COMPUTED(member, words) .name = #member, .text = words, .value = member

#define COORDINATES .of = CRM_OF_COORDINATE
#define CONTACTS    .of = CRM_OF_CONTACT
#define TANGENTS    .of = CRM_OF_TANGENT
#define FRICTION    .friction = true
#define COUNT       .kind = CRM_FIELD_COUNT
#define BEFORE      .before = true
#define RESULT      .json = CRM_JSON_RESULT
#define MEASURE     .json = CRM_JSON_MEASURES

/* Columns of the two sheets of the table's summary. */
#define ENERGY(n, words, as) .place = n, .title = words, .look = CRM_LOOK_##as
#define COURSE(n, words, as) .place = n, .course = true, .title = words, .look = CRM_LOOK_##as

/* In the order of JSON. */
static const crm_outcome_field fields[] = {
    {COMPUTED(velocity_before, "of coordinate i before the impact"), COORDINATES, BEFORE,
     .unit = "m/s", .json = CRM_JSON_SYSTEM, .csv = 1},
    {COMPUTED(gap_velocity_before, "of contact j before; negative: it closes"), CONTACTS, BEFORE,
     .unit = "m/s", .csv = 3},
    {COMPUTED(energy_before, "kinetic energy before"), BEFORE, .unit = "J", .json = CRM_JSON_SYSTEM,
     .csv = 10},
    {COMPUTED(mass, "that coordinate i moves: the diagonal of M"), COORDINATES, BEFORE,
     .unit = "kg; kg m^2 of a spin", .json = CRM_JSON_SYSTEM, .csv = 14},
    {COMPUTED(stiffness, "K of contact j"), CONTACTS, BEFORE, .unit = "N/m^eta",
     .json = CRM_JSON_SYSTEM, .csv = 15},
    {COMPUTED(exponent, "eta of contact j"), CONTACTS, BEFORE, .json = CRM_JSON_SYSTEM, .csv = 16},
    {COMPUTED(restitution, "e of contact j"), CONTACTS, BEFORE, .json = CRM_JSON_SYSTEM, .csv = 17},
    {COMPUTED(stored_energy, "in contact j before"), CONTACTS, BEFORE, .unit = "J",
     .json = CRM_JSON_SYSTEM, .csv = 18},
    {COMPUTED(gap, "of contact j before"), CONTACTS, BEFORE, .unit = "m", .json = CRM_JSON_SYSTEM,
     .csv = 33},
    {COMPUTED(friction, "mu of contact j"), CONTACTS, BEFORE, FRICTION, .json = CRM_JSON_SYSTEM,
     .csv = 34},
    {COMPUTED(slip_velocity_before, "u_t of contact j before; in space two of each contact"),
     TANGENTS, BEFORE, FRICTION, .unit = "m/s", .json = CRM_JSON_SYSTEM, .csv = 35},
    {COMPUTED(bodies, "number of bodies"), COUNT, BEFORE},
    {COMPUTED(contacts, "number of contacts"), COUNT, BEFORE},

    {KEPT(velocity, "of coordinate i after the impact"), COORDINATES, RESULT, .unit = "m/s",
     .csv = 2, .heading = "velocity"},
    {KEPT(impulse, "of contact j"), CONTACTS, RESULT, .unit = "N s", .csv = 5,
     .heading = "impulse"},
    {KEPT(gap_velocity, "of contact j after; negative: still closing"), CONTACTS, RESULT,
     .unit = "m/s", .csv = 4},
    {COMPUTED(tangential_impulse,
              "of contact j; in space two of each contact. Undefined where only their sum is "
              "determined"),
     TANGENTS, RESULT, FRICTION, .unit = "N s", .csv = 36, .heading = "tangential impulse"},
    {KEPT(slip_velocity, "u_t of contact j after; in space two of each contact"), TANGENTS, RESULT,
     FRICTION, .unit = "m/s", .csv = 37, .heading = "slip velocity"},
    {COMPUTED(path, "what contact j did: 1 slip, 2 stick, 4 reversed slip, 8 jam, and their sums"),
     CONTACTS, RESULT, FRICTION, .kind = CRM_FIELD_PATH, .csv = 38, .heading = "path",
     .defined = knows_path},
    {KEPT(energy_after, "kinetic energy after"), RESULT, .unit = "J", .csv = 11,
     .summary = {ENERGY(1, "kinetic", ENERGY)}},
    {COMPUTED(energy_ratio, "energy_after divided by energy_before"), RESULT, .csv = 19,
     .summary = {ENERGY(7, "ratio", RATIO), .blank = nothing_before}},
    {KEPT(loss, "energy dissipated in contact j"), CONTACTS, RESULT, .unit = "J", .csv = 6,
     .heading = "lost at", .summary = {ENERGY(2, "lost", ENERGY)}},
    {COMPUTED(loss_restitution, "of loss, by restitution"), CONTACTS, RESULT, FRICTION, .unit = "J",
     .csv = 39, .defined = knows_losses},
    {KEPT(loss_friction, "of loss, by friction"), CONTACTS, RESULT, FRICTION, .unit = "J",
     .csv = 40, .summary = {ENERGY(5, "by friction", ENERGY)}},
    {KEPT(energy_held, "elastic energy of contacts that friction holds closed"), RESULT, FRICTION,
     .unit = "J", .csv = 41, .summary = {ENERGY(6, "held", ENERGY), .shown = CRM_SHOWN_NONZERO}},
    {KEPT(stored_before, "energy stored in the contacts before"), RESULT, .unit = "J",
     .summary = {ENERGY(3, "stored before", ENERGY), .shown = CRM_SHOWN_NONZERO}},
    {KEPT(boundary_work, "work done by moving walls"), RESULT, .unit = "J",
     .summary = {ENERGY(4, "work of walls", ENERGY), .shown = CRM_SHOWN_NONZERO}},
    {KEPT(kinematic, "no contact is still closing"), RESULT, .csv = 20},
    {KEPT(kinetic, "no contact pulls; with friction, each impulse is in its cone"), RESULT,
     .csv = 21},
    {KEPT(energetic, "no energy is created"), RESULT, .csv = 22},
    {KEPT(unique, "the law has no other answer"), RESULT, .csv = 23},
    {KEPT(unique_unknown, "unique is false, but no other answer was found"), RESULT, FRICTION,
     .csv = 43},
    {KEPT(tangential_unique, "the law determines each tangential impulse"), RESULT, FRICTION,
     .csv = 42},
    {KEPT(duration, "from first touch to last opening"), RESULT, .unit = "s", .csv = 12,
     .summary = {COURSE(1, "duration", TIME)}},
    {KEPT(peak_force, "of contact j"), CONTACTS, RESULT, .unit = "N", .csv = 7,
     .heading = "peak force"},
    {KEPT(contact_duration, "total time for which contact j was closed"), CONTACTS, RESULT,
     .unit = "s", .csv = 8},
    {KEPT(compressions, "how many times contact j was compressed"), CONTACTS, RESULT, .csv = 9,
     .summary = {COURSE(2, "compressions", WHOLE)}},
    {KEPT(contact_restitution, "e of contact j's last compression, where it is an outcome"),
     CONTACTS, RESULT, .optional = true, .heading = "restitution"},
    {KEPT(steps, "of the solver"), RESULT, .csv = 13,
     .summary = {COURSE(3, "steps", WHOLE), .blank = no_steps}},
    {KEPT(evaluations, "of the forces of all loaded contacts"), RESULT},
    {KEPT(error_estimate, "of the velocities, relative to the largest closing speed"), RESULT,
     .csv = 24, .summary = {COURSE(4, "relative error", ERROR)}},
    {KEPT(energy_error, "of the energy balance, relative to the energy before"), RESULT, .csv = 25},
    {KEPT(tail_closed, "an endless tail was truncated by a plastic projection"), RESULT, .csv = 26},
    {KEPT(tail_speed, "largest relative change of velocity by that"), RESULT, .csv = 27},
    {COMPUTED(closing_left, "largest closing speed after, relative to the largest before"), RESULT,
     .csv = 32},

    {COMPUTED(dispersion, "standard deviation over mean of the bodies' kinetic energies"), MEASURE,
     .csv = 28,
     .summary = {ENERGY(8, "dispersion", PLAIN), .shown = CRM_SHOWN_SEVERAL_BODIES,
                 .blank = at_rest}},
    {COMPUTED(forward, "bodies that move forward, along +x"), COUNT, MEASURE, .csv = 29,
     .summary = {ENERGY(9, "forward", OF_BODIES), .shown = CRM_SHOWN_LINE}},
    {COMPUTED(effective_restitution, "-sum of v+ over sum of v-, along x"), MEASURE, .csv = 30,
     .summary = {ENERGY(10, "effective restitution", SHORT), .shown = CRM_SHOWN_REBOUND}},
    {COMPUTED(forward_share, "share of the kinetic energy in bodies that move forward"), MEASURE},
    {COMPUTED(last_share, "share of the kinetic energy in the last body"), MEASURE},
    {COMPUTED(stuck_pairs, "contacts that stay together"), COUNT, MEASURE},
    {COMPUTED(difference_percent, "difference from the first law's velocities"), MEASURE, .csv = 31,
     .unit = "%",
     .summary = {ENERGY(11, "difference from first", SHORT), .shown = CRM_SHOWN_SEVERAL_LAWS}},
    {COMPUTED(near, "bodies within 1 % of the first law's velocities"), COUNT, MEASURE},

    {COMPUTED(peak_time, "when the force of contact j is largest"), CONTACTS, .unit = "s",
     .of_course = true},
    {COMPUTED(arrival, "when the force of contact j has reached 1 % of its largest"), CONTACTS,
     .unit = "s", .of_course = true},
    {COMPUTED(period, "mean time between peaks of the force of contact j; also period(force[j])"),
     CONTACTS, .unit = "s", .of_course = true},

    {COMPUTED(body_energy, "kinetic energy of body i after"), .of = CRM_OF_BODY, .unit = "J"},
};

enum { FIELDS = sizeof fields / sizeof fields[0] };

size_t crm_outcome_fields(void)
{
    return FIELDS;
}

const crm_outcome_field *crm_outcome_field_at(size_t index)
{
    return &fields[index];
}
