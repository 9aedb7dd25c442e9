/* Quantities by name: what a study records of an outcome. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "report/report.h"
#include "study/study.h"

/* ---- Numbers -------------------------------------------------------------------------------- */

/* Bodies whose velocity is this close to the first law's count as near; as `solve` reports it. */
static const double NEAR = 0.01;

static double energy_ratio(const crm_impact *i)
{
    return i->outcome->energy_after / i->outcome->energy_before;
}

static double energy_before(const crm_impact *i)
{
    return i->outcome->energy_before;
}

static double energy_after(const crm_impact *i)
{
    return i->outcome->energy_after;
}

static double stored_before(const crm_impact *i)
{
    return i->outcome->stored_before;
}

static double boundary_work(const crm_impact *i)
{
    return i->outcome->boundary_work;
}

static double energy_error(const crm_impact *i)
{
    return i->outcome->energy_error;
}

static double duration(const crm_impact *i)
{
    return i->outcome->duration;
}

static double error_estimate(const crm_impact *i)
{
    return i->outcome->error_estimate;
}

static double steps(const crm_impact *i)
{
    return (double)i->outcome->steps;
}

static double evaluations(const crm_impact *i)
{
    return (double)i->outcome->evaluations;
}

static double tail_closed(const crm_impact *i)
{
    return i->outcome->tail_closed;
}

static double tail_speed(const crm_impact *i)
{
    return i->outcome->tail_speed;
}

static double kinematic(const crm_impact *i)
{
    return i->outcome->kinematic;
}

static double kinetic(const crm_impact *i)
{
    return i->outcome->kinetic;
}

static double energetic(const crm_impact *i)
{
    return i->outcome->energetic;
}

static double unique(const crm_impact *i)
{
    return i->outcome->unique;
}

static double bodies(const crm_impact *i)
{
    return (double)crm_model_bodies(i->model);
}

static double contacts(const crm_impact *i)
{
    return (double)crm_model_contacts(i->model);
}

static double dispersion(const crm_impact *i)
{
    return crm_measure_dispersion(i->model, i->outcome->velocity);
}

static double gap_percent(const crm_impact *i)
{
    return i->first != NULL
               ? crm_measure_gap_percent(i->model, i->outcome->velocity, i->first->velocity)
               : NAN;
}

static double near(const crm_impact *i)
{
    return i->first != NULL
               ? (double)crm_measure_near(i->model, i->outcome->velocity, i->first->velocity, NEAR)
               : NAN;
}

static double forward(const crm_impact *i)
{
    return (double)crm_measure_forward(i->model, i->outcome->velocity);
}

static double forward_share(const crm_impact *i)
{
    return crm_measure_forward_share(i->model, i->outcome->velocity);
}

static double last_share(const crm_impact *i)
{
    return crm_measure_last_share(i->model, i->outcome->velocity);
}

static double stuck_pairs(const crm_impact *i)
{
    return (double)crm_measure_stuck_pairs(i->model, i->velocity, i->outcome->velocity);
}

static double effective_restitution(const crm_impact *i)
{
    return crm_measure_effective_restitution(i->model, i->velocity, i->outcome->velocity);
}

typedef struct number {
    const char *name;
    double (*value)(const crm_impact *impact);
} number;

static const number numbers[] = {
    {"energy_ratio", energy_ratio},
    {"energy_before", energy_before},
    {"energy_after", energy_after},
    {"stored_before", stored_before},
    {"boundary_work", boundary_work},
    {"energy_error", energy_error},
    {"duration", duration},
    {"error_estimate", error_estimate},
    {"steps", steps},
    {"evaluations", evaluations},
    {"tail_closed", tail_closed},
    {"tail_speed", tail_speed},
    {"kinematic", kinematic},
    {"kinetic", kinetic},
    {"energetic", energetic},
    {"unique", unique},
    {"bodies", bodies},
    {"contacts", contacts},
    {"dispersion", dispersion},
    {"gap_percent", gap_percent},
    {"near", near},
    {"forward", forward},
    {"forward_share", forward_share},
    {"last_share", last_share},
    {"stuck_pairs", stuck_pairs},
    {"effective_restitution", effective_restitution},
};

/* ---- Lists ---------------------------------------------------------------------------------- */

static double entry_of(const double *values, size_t i)
{
    return values != NULL ? values[i] : NAN;
}

static double velocity(const crm_impact *i, size_t k)
{
    return entry_of(i->outcome->velocity, k);
}

static double velocity_before(const crm_impact *i, size_t k)
{
    return i->velocity[k];
}

static double impulse(const crm_impact *i, size_t k)
{
    return entry_of(i->outcome->impulse, k);
}

static double gap_velocity(const crm_impact *i, size_t k)
{
    return entry_of(i->outcome->gap_velocity, k);
}

static double loss(const crm_impact *i, size_t k)
{
    return entry_of(i->outcome->loss, k);
}

static double peak_force(const crm_impact *i, size_t k)
{
    return entry_of(i->outcome->peak_force, k);
}

static double contact_duration(const crm_impact *i, size_t k)
{
    return entry_of(i->outcome->contact_duration, k);
}

static double compressions(const crm_impact *i, size_t k)
{
    return i->outcome->compressions != NULL ? (double)i->outcome->compressions[k] : NAN;
}

static double body_energy(const crm_impact *i, size_t k)
{
    return crm_model_body_energy(i->model, k, i->outcome->velocity);
}

typedef struct list {
    const char *name;
    size_t (*count)(const crm_model *model);
    void (*entry_name)(const crm_model *model, size_t index, char *text, size_t size);
    double (*value)(const crm_impact *impact, size_t index);
} list;

static const list lists[] = {
    {"velocity", crm_model_coordinates, crm_coordinate_name, velocity},
    {"velocity_before", crm_model_coordinates, crm_coordinate_name, velocity_before},
    {"impulse", crm_model_contacts, crm_contact_name, impulse},
    {"gap_velocity", crm_model_contacts, crm_contact_name, gap_velocity},
    {"loss", crm_model_contacts, crm_contact_name, loss},
    {"peak_force", crm_model_contacts, crm_contact_name, peak_force},
    {"contact_duration", crm_model_contacts, crm_contact_name, contact_duration},
    {"compressions", crm_model_contacts, crm_contact_name, compressions},
    {"body_energy", crm_model_bodies, crm_model_body_name, body_energy},
};

enum {
    NUMBERS = sizeof numbers / sizeof numbers[0],
    LISTS = sizeof lists / sizeof lists[0],
    NAMES = NUMBERS + LISTS
};

/* ---- Reductions ----------------------------------------------------------------------------- */

enum { NONE, MAX, MIN, SUM, MEAN, REDUCTIONS };

static const char *const reductions[REDUCTIONS] = {
    [NONE] = "", [MAX] = "max", [MIN] = "min", [SUM] = "sum", [MEAN] = "mean"};

static double reduce(const crm_quantity *q, const crm_impact *impact)
{
    const list *of = &lists[q->which];
    size_t count = of->count(impact->model);
    double result = count > 0 ? of->value(impact, 0) : NAN;
    for (size_t i = 1; i < count; i++) {
        double value = of->value(impact, i);
        switch (q->reduction) {
        case MAX:
            result = value > result ? value : result;
            break;
        case MIN:
            result = value < result ? value : result;
            break;
        default:
            result += value;
            break;
        }
    }
    return q->reduction == MEAN ? result / (double)count : result;
}

/* ---- Values --------------------------------------------------------------------------------- */

/* Where the entry is in this model; SIZE_MAX: nowhere. */
static size_t locate(const crm_quantity *q, const crm_model *model)
{
    const list *of = &lists[q->which];
    size_t count = of->count(model);
    if (q->index != 0) {
        size_t away = (size_t)labs(q->index);
        return away > count ? SIZE_MAX : q->index > 0 ? away - 1 : count - away;
    }
    for (size_t i = 0; i < count; i++) {
        char name[CRM_NAME_SIZE];
        of->entry_name(model, i, name, sizeof name);
        if (strcmp(name, q->entry) == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}

bool crm_quantity_exists(const crm_quantity *quantity, const crm_model *model)
{
    return !quantity->is_list || quantity->reduction != NONE || locate(quantity, model) != SIZE_MAX;
}

double crm_quantity_value(const crm_quantity *quantity, const crm_impact *impact)
{
    if (impact->outcome == NULL) {
        return NAN;
    }
    if (!quantity->is_list) {
        return numbers[quantity->which].value(impact);
    }
    if (quantity->reduction != NONE) {
        return reduce(quantity, impact);
    }
    size_t index = locate(quantity, impact->model);
    return index != SIZE_MAX ? lists[quantity->which].value(impact, index) : NAN;
}

/* ---- Names ---------------------------------------------------------------------------------- */

static bool find_name(const char *text, size_t length, crm_quantity *quantity)
{
    for (size_t i = 0; i < NAMES; i++) {
        const char *name = i < NUMBERS ? numbers[i].name : lists[i - NUMBERS].name;
        if (strlen(name) == length && strncmp(name, text, length) == 0) {
            quantity->is_list = i >= NUMBERS;
            quantity->which = quantity->is_list ? i - NUMBERS : i;
            return true;
        }
    }
    return false;
}

static bool refuse_name(const char *text, size_t length, char *problem, size_t size)
{
    const char *names[NAMES];
    for (size_t i = 0; i < NAMES; i++) {
        names[i] = i < NUMBERS ? numbers[i].name : lists[i - NUMBERS].name;
    }
    char bare[64];
    snprintf(bare, sizeof bare, "%.*s", (int)length, text);
    snprintf(problem, size, "is no quantity of an outcome; did you mean '%s'?",
             names[crm_text_nearest(bare, names, NAMES)]);
    return false;
}

/* "max(" and the like; NONE when the text is no call at all. */
static int take_reduction(const char **text)
{
    size_t length = strcspn(*text, "(");
    if ((*text)[length] != '(') {
        return NONE;
    }
    for (int i = MAX; i < REDUCTIONS; i++) {
        if (strlen(reductions[i]) == length && strncmp(reductions[i], *text, length) == 0) {
            *text += length + 1;
            return i;
        }
    }
    return REDUCTIONS;
}

enum { INDEX_MOST = 1000000000 };

/* What stands between the brackets: a place or a name. */
static bool parse_entry(const char *text, size_t length, crm_quantity *quantity)
{
    if (length == 0 || length >= sizeof quantity->entry) {
        return false;
    }
    memcpy(quantity->entry, text, length);
    quantity->entry[length] = '\0';
    char *end;
    long index = strtol(quantity->entry, &end, 10);
    if (*end == '\0') {
        quantity->index = index;
        return index != 0 && index >= -INDEX_MOST && index <= INDEX_MOST;
    }
    return true;
}

static bool parse_rest(const char *rest, crm_quantity *quantity, char *problem, size_t size)
{
    size_t length = strlen(rest);
    if (!quantity->is_list && length > 0) {
        snprintf(problem, size, "is a single number; leave out '%s'", rest);
        return false;
    }
    if (quantity->reduction != NONE) {
        if (quantity->is_list && strcmp(rest, ")") == 0) {
            return true;
        }
        snprintf(problem, size, "must be %s(LIST), such as %s(peak_force)",
                 reductions[quantity->reduction], reductions[quantity->reduction]);
        return false;
    }
    if (!quantity->is_list) {
        return true;
    }
    const char *name = lists[quantity->which].name;
    if (length > 2 && rest[0] == '[' && rest[length - 1] == ']' &&
        parse_entry(rest + 1, length - 2, quantity)) {
        return true;
    }
    snprintf(problem, size, "must name an entry, such as %s[1] or %s[-1], or be max(%s)", name,
             name, name);
    return false;
}

bool crm_quantity_parse(const char *name, crm_quantity *quantity, char *problem, size_t size)
{
    *quantity = (crm_quantity){.name = name};
    const char *rest = name;
    quantity->reduction = take_reduction(&rest);
    if (quantity->reduction == REDUCTIONS) {
        snprintf(problem, size, "must be max, min, sum or mean of a list");
        return false;
    }
    size_t length = strcspn(rest, "[)");
    if (!find_name(rest, length, quantity)) {
        return refuse_name(rest, length, problem, size);
    }
    if (quantity->reduction != NONE && !quantity->is_list) {
        snprintf(problem, size, "is of a single number; write '%.*s'", (int)length, rest);
        return false;
    }
    return parse_rest(rest + length, quantity, problem, size);
}
