/* The units there are. */
#include <string.h>

#include "scenario/number/number.h"

static const long double PI = 3.14159265358979323846264338327950288L;

typedef struct unit {
    const char *name;
    bool prefixed; /* may be milli, kilo, ... */
    long double value;
    double dimension[CRM_DIMENSIONS];
} unit;

static const unit units[] = {
    {"m", true, 1, {1, 0, 0}},           {"g", true, 1e-3L, {0, 1, 0}},
    {"s", true, 1, {0, 0, 1}},           {"Hz", true, 1, {0, 0, -1}},
    {"N", true, 1, {1, 1, -2}},          {"Pa", true, 1, {-1, 1, -2}},
    {"J", true, 1, {2, 1, -2}},          {"min", false, 60, {0, 0, 1}},
    {"h", false, 3600, {0, 0, 1}},       {"t", false, 1000, {0, 1, 0}},
    {"in", false, 0.0254L, {1, 0, 0}},   {"rad", false, 1, {0, 0, 0}},
    {"deg", false, PI / 180, {0, 0, 0}}, {"pi", false, PI, {0, 0, 0}},
};

static const struct {
    const char *name;
    long double factor;
} prefixes[] = {
    {"n", 1e-9L}, {"u", 1e-6L}, {"\xc2\xb5", 1e-6L}, {"\xce\xbc", 1e-6L}, {"m", 1e-3L},
    {"c", 1e-2L}, {"k", 1e3L},  {"M", 1e6L},         {"G", 1e9L},
};

static bool is_called(const char *name, size_t length, const char *known)
{
    return strlen(known) == length && memcmp(name, known, length) == 0;
}

/* The name with a prefix before it, if it is one: cm, GPa. */
static bool find_prefixed(const unit *u, const char *name, size_t length, crm_quantity *quantity)
{
    for (size_t i = 0; u->prefixed && i < sizeof prefixes / sizeof prefixes[0]; i++) {
        size_t before = strlen(prefixes[i].name);
        if (before < length && memcmp(name, prefixes[i].name, before) == 0 &&
            is_called(name + before, length - before, u->name)) {
            quantity->value *= prefixes[i].factor;
            return true;
        }
    }
    return false;
}

bool crm_unit_find(const char *name, size_t length, crm_quantity *quantity)
{
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        const unit *u = &units[i];
        crm_quantity found = {.value = u->value};
        memcpy(found.dimension, u->dimension, sizeof found.dimension);
        if (is_called(name, length, u->name) || find_prefixed(u, name, length, &found)) {
            *quantity = found;
            return true;
        }
    }
    return false;
}
