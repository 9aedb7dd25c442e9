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

static bool is_list(const crm_recorded *recorded)
{
    return recorded->kind->is_list(recorded->field);
}

static double reduce(const crm_recorded *q, const void *of)
{
    size_t count = q->kind->count(q->field, of);
    double result = count > 0 ? q->kind->value(q->field, of, 0) : NAN;
    for (size_t i = 1; i < count; i++) {
        double value = q->kind->value(q->field, of, i);
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
static size_t locate(const crm_recorded *q, const void *of)
{
    size_t count = q->kind->count(q->field, of);
    if (q->index != 0) {
        size_t away = (size_t)labs(q->index);
        return away > count ? SIZE_MAX : q->index > 0 ? away - 1 : count - away;
    }
    for (size_t i = 0; i < count; i++) {
        char name[CRM_NAME_SIZE];
        q->kind->entry(q->field, of, i, name, sizeof name);
        if (strcmp(name, q->entry) == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}

bool crm_recorded_exists(const crm_recorded *recorded, const void *of)
{
    return !is_list(recorded) || recorded->reduction != NONE || locate(recorded, of) != SIZE_MAX;
}

double crm_recorded_value(const crm_recorded *recorded, const void *of)
{
    if (recorded->closeness > 0) {
        return recorded->kind->near(of, recorded->closeness);
    }
    if (!is_list(recorded)) {
        return recorded->kind->value(recorded->field, of, 0);
    }
    if (recorded->reduction != NONE) {
        return reduce(recorded, of);
    }
    size_t index = locate(recorded, of);
    return index != SIZE_MAX ? recorded->kind->value(recorded->field, of, index) : NAN;
}

double crm_recorded_weight(const crm_recorded *recorded, const void *of, size_t i)
{
    switch (recorded->reduction) {
    case NONE:
        return !is_list(recorded) || locate(recorded, of) == i ? 1 : 0;
    case SUM:
        return 1;
    case MEAN:
        return 1 / (double)recorded->kind->count(recorded->field, of);
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
static bool parse_entry(const char *text, size_t length, crm_recorded *recorded)
{
    if (length == 0 || length >= sizeof recorded->entry) {
        return false;
    }
    memcpy(recorded->entry, text, length);
    recorded->entry[length] = '\0';
    char *end;
    long index = strtol(recorded->entry, &end, 10);
    if (*end == '\0') {
        recorded->index = index;
        return index != 0 && index >= -INDEX_MOST && index <= INDEX_MOST;
    }
    return true;
}

static bool parse_rest(const char *rest, crm_recorded *recorded, char *problem, size_t size)
{
    size_t length = strlen(rest);
    if (!is_list(recorded) && length > 0) {
        snprintf(problem, size, "is a single number; leave out '%s'", rest);
        return false;
    }
    if (recorded->reduction != NONE) {
        if (is_list(recorded) && strcmp(rest, ")") == 0) {
            return true;
        }
        snprintf(problem, size, "must be %s(LIST), such as %s(%s)", reductions[recorded->reduction],
                 reductions[recorded->reduction], recorded->kind->example);
        return false;
    }
    if (!is_list(recorded)) {
        return true;
    }
    const char *name = recorded->kind->name(recorded->field);
    if (length > 2 && rest[0] == '[' && rest[length - 1] == ']' &&
        parse_entry(rest + 1, length - 2, recorded)) {
        return true;
    }
    snprintf(problem, size, "must name an entry, such as %s[1] or %s[-1], or be max(%s)", name,
             name, name);
    return false;
}

bool crm_recorded_parse_list(const crm_recordable *kind, const char *name, crm_recorded *recorded)
{
    *recorded = (crm_recorded){.name = name, .kind = kind, .whole = true};
    recorded->field = find_field(kind, name, strlen(name));
    return recorded->field < kind->fields() && is_list(recorded);
}

static const char NEAR[] = "near";

/* "near(0.05)": the number between the brackets. */
static bool parse_near(const char *name, crm_recorded *recorded, char *problem, size_t size)
{
    char *end;
    recorded->field = find_field(recorded->kind, NEAR, strlen(NEAR));
    recorded->closeness = crm_strtod(name + strlen(NEAR) + 1, &end);
    if (strcmp(end, ")") == 0 && recorded->closeness > 0 && isfinite(recorded->closeness)) {
        return true;
    }
    snprintf(problem, size, "must have a number above 0 between its brackets, as near(0.05)");
    return false;
}

bool crm_recorded_parse(const crm_recordable *kind, const char *name, crm_recorded *recorded,
                        char *problem, size_t size)
{
    *recorded = (crm_recorded){.name = name, .kind = kind};
    if (kind->near != NULL && strncmp(name, "near(", 5) == 0) {
        return parse_near(name, recorded, problem, size);
    }
    const char *rest = name;
    recorded->reduction = take_reduction(&rest);
    if (recorded->reduction == REDUCTIONS) {
        snprintf(problem, size, "must be max, min, sum or mean of a list");
        return false;
    }
    size_t length = strcspn(rest, "[)");
    recorded->field = find_field(kind, rest, length);
    if (recorded->field == kind->fields()) {
        return refuse_name(kind, rest, length, problem, size);
    }
    if (recorded->reduction != NONE && !is_list(recorded)) {
        snprintf(problem, size, "is applied to a single number; write '%.*s'", (int)length, rest);
        return false;
    }
    return parse_rest(rest + length, recorded, problem, size);
}
