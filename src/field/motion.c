/* The table of a motion's fields. */
#include "field/motion.h"

#include <math.h>

void crm_motion_add_impact(crm_motion_state *moved, const crm_impact_report *impact)
{
    crm_strongest *strongest = &moved->strongest;
    moved->unsolved += impact->result != CRM_SOLVED;
    for (size_t j = 0; j < impact->contacts; j++) {
        if (strongest->number == 0 || impact->closing_speed[j] > strongest->closing_speed) {
            *strongest = (crm_strongest){.number = impact->number,
                                         .time = impact->time,
                                         .closing_speed = impact->closing_speed[j],
                                         .party = {impact->party[j][0], impact->party[j][1]}};
        }
    }
}

/* ---- Values --------------------------------------------------------------------------------- */

static double position(const crm_motion_state *m, size_t k)
{
    return m->position[k];
}

static double velocity(const crm_motion_state *m, size_t k)
{
    return m->velocity[k];
}

/* A number of the motion itself. */
#define OF_MOTION(name, expression)                                                                \
    static double name(const crm_motion_state *m, size_t k)                                        \
    {                                                                                              \
        (void)k;                                                                                   \
        return (double)(expression);                                                               \
    }

OF_MOTION(time, m->time)
OF_MOTION(stopped, m->stopped)
OF_MOTION(impacts, m->summary.impacts)
OF_MOTION(unsolved, m->unsolved)
OF_MOTION(at_rest_since, m->summary.at_rest_since)
OF_MOTION(max_penetration, m->summary.max_penetration)
OF_MOTION(strongest, m->strongest.number > 0 ? m->strongest.closing_speed : NAN)
OF_MOTION(strongest_time, m->strongest.number > 0 ? m->strongest.time : NAN)
OF_MOTION(kinetic_before, m->summary.energy.kinetic_before)
OF_MOTION(potential_before, m->summary.energy.potential_before)
OF_MOTION(kinetic_after, m->summary.energy.kinetic_after)
OF_MOTION(potential_after, m->summary.energy.potential_after)
OF_MOTION(lost, m->summary.energy.lost)
OF_MOTION(work, m->summary.energy.work)
OF_MOTION(correction, m->summary.energy.correction)
OF_MOTION(error, m->summary.energy.error)

/* ---- The table ------------------------------------------------------------------------------ */

#define FIELD(member, words) .name = #member, .text = words, .value = member
#define ENERGY(member, words)                                                                      \
    .name = "energy." #member, .text = words, .value = member, .unit = "J", .json = true
#define COUNT .kind = CRM_FIELD_COUNT
#define JSON  .json = true

/* In the order of JSON. */
static const crm_motion_field fields[] = {
    {FIELD(time, "at which the motion ended"), .unit = "s", JSON},
    {FIELD(stopped, "why the motion ended: 0 duration, 1 at rest, 2 impacts, 3 interrupted, 4 "
                    "failed; in JSON a word"),
     COUNT},
    {FIELD(position, "of coordinate i at the end"), .unit = "m; rad of an angle",
     .of = CRM_OF_POSITION, JSON},
    {FIELD(velocity, "of coordinate i at the end"), .unit = "m/s; rad/s of a spin",
     .of = CRM_OF_VELOCITY, JSON},
    {FIELD(impacts, "number of impacts"), COUNT, JSON},
    {FIELD(unsolved, "impacts that the law did not complete"), COUNT},
    {FIELD(strongest, "highest closing speed of all impacts"), .unit = "m/s"},
    {FIELD(strongest_time, "time of that impact"), .unit = "s"},
    {FIELD(at_rest_since, "when the last body came to rest; not defined while any body moves"),
     .unit = "s", JSON},
    {FIELD(max_penetration, "deepest overlap of two bodies"), .unit = "m", JSON},
    {ENERGY(kinetic_before, "kinetic energy at the start")},
    {ENERGY(potential_before, "potential energy at the start")},
    {ENERGY(kinetic_after, "kinetic energy at the end")},
    {ENERGY(potential_after, "potential energy at the end")},
    {ENERGY(lost, "dissipated in contacts")},
    {ENERGY(work, "work of moving walls and dampers")},
    {ENERGY(correction, "work of position correction, which separates overlapping bodies in "
                        "time-stepping")},
    {ENERGY(error, "error of the energy balance")},
};

size_t crm_motion_fields(void)
{
    return sizeof fields / sizeof fields[0];
}

const crm_motion_field *crm_motion_field_at(size_t index)
{
    return &fields[index];
}

size_t crm_motion_field_count(const crm_motion_field *field, const crm_scene_def *scene)
{
    return field->of == CRM_OF_MOTION ? 1
                                      : crm_scene_coordinates(scene, field->of == CRM_OF_VELOCITY);
}

void crm_motion_entry_name(const crm_motion_field *field, const crm_scene_def *scene, size_t index,
                           char *text, size_t size)
{
    crm_scene_name_at(scene, field->of == CRM_OF_VELOCITY, index, text, size);
}
