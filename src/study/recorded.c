/* Quantities by name: what a study records. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/locale.h"
#include "study/recorded.h"

/* ---- Reductions ----------------------------------------------------------------------------- */

enum { NONE, MAX, MIN, SUM, MEAN, REDUCTIONS };

static const char *const reductions[REDUCTIONS] = {
    [NONE] = "", [MAX] = "max", [MIN] = "min", [SUM] = "sum", [MEAN] = "mean"};

typedef crm_recordable kind_of;
typedef crm_recorded_factor factor;

static double reduce(const kind_of *kind, const factor *q, const void *of)
{
    size_t count = kind->count(q->field, of);
    double result = count > 0 ? kind->value(q->field, of, 0) : NAN;
    for (size_t i = 1; i < count; i++) {
        double value = kind->value(q->field, of, i);
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

/* Where the entry is; SIZE_MAX: nowhere. */
static size_t locate(const kind_of *kind, const factor *q, const void *of)
{
    size_t count = kind->count(q->field, of);
    if (q->index != 0) {
        size_t away = (size_t)labs(q->index);
        return away > count ? SIZE_MAX : q->index > 0 ? away - 1 : count - away;
    }
    for (size_t i = 0; i < count; i++) {
        char name[CRM_NAME_SIZE];
        kind->entry(q->field, of, i, name, sizeof name);
        if (strcmp(name, q->entry) == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}

bool crm_recorded_exists(const crm_recorded *recorded, const void *of)
{
    const kind_of *kind = recorded->kind;
    bool exists = true;
    for (size_t k = 0; k < recorded->factor_count; k++) {
        const factor *q = &recorded->factors[k];
        exists = exists && (!kind->is_list(q->field) || q->reduction != NONE ||
                            locate(kind, q, of) != SIZE_MAX);
    }
    return exists;
}

static double value_of(const kind_of *kind, const factor *q, const void *of)
{
    if (q->closeness > 0) {
        return kind->near(of, q->closeness);
    }
    if (!kind->is_list(q->field)) {
        return kind->value(q->field, of, 0);
    }
    if (q->reduction != NONE) {
        return reduce(kind, q, of);
    }
    size_t index = locate(kind, q, of);
    return index != SIZE_MAX ? kind->value(q->field, of, index) : NAN;
}

/* Nothing divided by nothing, or anything else, is not defined. */
double crm_recorded_value(const crm_recorded *recorded, const void *of)
{
    double value = value_of(recorded->kind, &recorded->factors[0], of);
    for (size_t k = 1; k < recorded->factor_count; k++) {
        const factor *q = &recorded->factors[k];
        double next = value_of(recorded->kind, q, of);
        value = !q->divides ? value * next : next != 0 ? value / next : NAN;
    }
    return value;
}

bool crm_recorded_is_number(const crm_recorded *recorded)
{
    bool number = true;
    for (size_t k = 0; k < recorded->factor_count; k++) {
        number = number && recorded->kind->is_number(recorded->factors[k].field);
    }
    return number;
}

double crm_recorded_weight(const crm_recorded *recorded, const void *of, size_t i)
{
    const kind_of *kind = recorded->kind;
    const factor *q = &recorded->factors[0];
    switch (recorded->factor_count > 1 ? MAX : q->reduction) {
    case NONE:
        return !kind->is_list(q->field) || locate(kind, q, of) == i ? 1 : 0;
    case SUM:
        return 1;
    case MEAN:
        return 1 / (double)kind->count(q->field, of);
    default:
        return NAN;
    }
}

/* ---- Names ---------------------------------------------------------------------------------- */

enum { NAMES_MOST = 256 };

static size_t find_field(const crm_recordable *kind, const char *name, size_t length)
{
    size_t i = 0;
    while (i < kind->fields() &&
           (strlen(kind->name(i)) != length || strncmp(kind->name(i), name, length) != 0)) {
        i++;
    }
    return i;
}

/* The present name of a quantity that was renamed; NULL: the name is not an old one. */
static const char *new_name(const crm_recordable *kind, const char *name)
{
    static const char present[] = "difference_percent";
    bool renamed = strcmp(name, "gap_percent") == 0 &&
                   find_field(kind, present, sizeof present - 1) < kind->fields();
    return renamed ? present : NULL;
}

static bool refuse_name(const crm_recordable *kind, const char *text, size_t length, char *problem,
                        size_t size)
{
    const char *names[NAMES_MOST];
    size_t count = 0;
    for (int lists = 0; lists <= 1; lists++) { /* of two as near, the single number */
        for (size_t i = 0; i < kind->fields() && count < NAMES_MOST; i++) {
            if (kind->is_list(i) == lists) {
                names[count++] = kind->name(i);
            }
        }
    }
    char bare[64];
    snprintf(bare, sizeof bare, "%.*s", (int)length, text);
    const char *renamed = new_name(kind, bare);
    const char *nearest = renamed != NULL ? renamed : names[crm_text_nearest(bare, names, count)];
    if (renamed != NULL || crm_text_is_near(bare, nearest)) {
        snprintf(problem, size, "is not a quantity of %s; did you mean '%s'?", kind->of, nearest);
    } else {
        snprintf(problem, size, "is not a quantity of %s; 'carom fields' lists them", kind->of);
    }
    return false;
}

/* "max(" and the like; NONE when the text is no call at all: names of entries may have brackets. */
static int take_reduction(const char **text)
{
    size_t length = strcspn(*text, "([");
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
static bool parse_entry(const char *text, size_t length, factor *q)
{
    if (length == 0 || length >= sizeof q->entry) {
        return false;
    }
    memcpy(q->entry, text, length);
    q->entry[length] = '\0';
    char *end;
    long index = strtol(q->entry, &end, 10);
    if (*end == '\0') {
        q->index = index;
        return index != 0 && index >= -INDEX_MOST && index <= INDEX_MOST;
    }
    return true;
}

static bool parse_rest(const kind_of *kind, const char *rest, size_t length, factor *q,
                       char *problem, size_t size)
{
    bool list = kind->is_list(q->field);
    if (!list && length > 0) {
        snprintf(problem, size, "is a single number; leave out '%.*s'", (int)length, rest);
        return false;
    }
    if (q->reduction != NONE) {
        if (list && length == 1 && rest[0] == ')') {
            return true;
        }
        snprintf(problem, size, "must be %s(LIST), such as %s(%s)", reductions[q->reduction],
                 reductions[q->reduction], kind->example);
        return false;
    }
    if (!list) {
        return true;
    }
    const char *name = kind->name(q->field);
    if (length > 2 && rest[0] == '[' && rest[length - 1] == ']' &&
        parse_entry(rest + 1, length - 2, q)) {
        return true;
    }
    snprintf(problem, size, "must name an entry, such as %s[1] or %s[-1], or be max(%s)", name,
             name, name);
    return false;
}

static const char NEAR[] = "near";

/* "near(0.05)": the number between the brackets. */
static bool parse_near(const kind_of *kind, const char *text, size_t length, factor *q,
                       char *problem, size_t size)
{
    char *end;
    q->field = find_field(kind, NEAR, strlen(NEAR));
    q->closeness = crm_strtod(text + strlen(NEAR) + 1, &end);
    if (end == text + length - 1 && *end == ')' && q->closeness > 0 && isfinite(q->closeness)) {
        return true;
    }
    snprintf(problem, size, "must have a number above 0 between its brackets, as near(0.05)");
    return false;
}

static bool parse_factor(const kind_of *kind, const char *text, size_t length, factor *q,
                         char *problem, size_t size)
{
    const char *rest = text;
    if (kind->near != NULL && strncmp(text, "near(", 5) == 0) {
        return parse_near(kind, text, length, q, problem, size);
    }
    static const char of_force[] = "period(force";
    size_t before = sizeof of_force - 1;
    if (kind == &crm_recordable_impact && length > before + 1 && text[length - 1] == ')' &&
        strncmp(text, of_force, before) == 0) {
        q->field = find_field(kind, of_force, strcspn(of_force, "("));
        return parse_rest(kind, text + before, length - before - 1, q, problem, size);
    }
    q->reduction = take_reduction(&rest);
    if (q->reduction == REDUCTIONS) {
        snprintf(problem, size, "must be max, min, sum or mean of a list");
        return false;
    }
    size_t left = length - (size_t)(rest - text), name = strcspn(rest, "[)");
    name = name < left ? name : left;
    q->field = find_field(kind, rest, name);
    if (q->field == kind->fields()) {
        return refuse_name(kind, rest, name, problem, size);
    }
    if (q->reduction != NONE && !kind->is_list(q->field)) {
        snprintf(problem, size, "is applied to a single number; write '%.*s'", (int)name, rest);
        return false;
    }
    return parse_rest(kind, rest + name, left - name, q, problem, size);
}

/* Up to the next * or / outside brackets, which names of entries may have. */
static size_t factor_length(const char *text)
{
    size_t i = 0;
    for (int depth = 0; text[i] != '\0'; i++) {
        depth += (text[i] == '[' || text[i] == '(') - (text[i] == ']' || text[i] == ')');
        if (depth <= 0 && (text[i] == '*' || text[i] == '/')) {
            break;
        }
    }
    return i;
}

bool crm_recorded_parse_list(const crm_recordable *kind, const char *name, crm_recorded *recorded)
{
    *recorded = (crm_recorded){.name = name, .kind = kind, .whole = true};
    recorded->field = find_field(kind, name, strlen(name));
    return recorded->field < kind->fields() && kind->is_list(recorded->field);
}

bool crm_recorded_parse(const crm_recordable *kind, const char *name, crm_recorded *recorded,
                        char *problem, size_t size)
{
    *recorded = (crm_recorded){.name = name, .kind = kind};
    bool divides = false, more = true;
    for (const char *at = name; more;) {
        if (recorded->factor_count == CRM_FACTORS_MOST) {
            snprintf(problem, size, "has more than %d factors", CRM_FACTORS_MOST);
            return false;
        }
        factor *q = &recorded->factors[recorded->factor_count++];
        size_t length = factor_length(at);
        q->divides = divides;
        if (!parse_factor(kind, at, length, q, problem, size)) {
            return false;
        }
        at += length;
        more = *at != '\0';
        divides = *at == '/';
        at += more;
    }
    recorded->field = recorded->factors[0].field;
    return true;
}
