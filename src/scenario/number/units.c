/* The units there are. */
#include <string.h>

#include "scenario/number/number.h"

/* Each is times/per, and pi of these where it says so: 0.0254 is no double, but 254 and 10^4 are.
 */
typedef struct unit {
    const char *name;
    bool prefixed; /* may be milli, kilo, ... */
    double times, per;
    double dimension[CRM_DIMENSIONS];
    bool of_pi;
} unit;

static const unit units[] = {
    {"m", true, 1, 1, {1, 0, 0}, false},       {"g", true, 1, 1000, {0, 1, 0}, false},
    {"s", true, 1, 1, {0, 0, 1}, false},       {"Hz", true, 1, 1, {0, 0, -1}, false},
    {"N", true, 1, 1, {1, 1, -2}, false},      {"Pa", true, 1, 1, {-1, 1, -2}, false},
    {"J", true, 1, 1, {2, 1, -2}, false},      {"min", false, 60, 1, {0, 0, 1}, false},
    {"h", false, 3600, 1, {0, 0, 1}, false},   {"t", false, 1000, 1, {0, 1, 0}, false},
    {"in", false, 254, 1e4, {1, 0, 0}, false}, {"rad", false, 1, 1, {0, 0, 0}, false},
    {"deg", false, 1, 180, {0, 0, 0}, true},   {"pi", false, 1, 1, {0, 0, 0}, true},
};

static const struct {
    const char *name;
    double times, per;
} prefixes[] = {
    {"n", 1, 1e9}, {"u", 1, 1e6}, {"\xc2\xb5", 1, 1e6}, {"\xce\xbc", 1, 1e6}, {"m", 1, 1e3},
    {"c", 1, 1e2}, {"k", 1e3, 1}, {"M", 1e6, 1},        {"G", 1e9, 1},
};

/* times/per of the quantity. */
static void multiply(crm_quantity *quantity, double times, double per)
{
    quantity->value = crm_wide_product(quantity->value, crm_wide_of(times));
    quantity->value = crm_wide_quotient(quantity->value, crm_wide_of(per));
}

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
            multiply(quantity, prefixes[i].times, prefixes[i].per);
            return true;
        }
    }
    return false;
}

bool crm_unit_find(const char *name, size_t length, crm_quantity *quantity)
{
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        const unit *u = &units[i];
        crm_quantity found = {.value = u->of_pi ? crm_wide_pi : crm_wide_of(1)};
        multiply(&found, u->times, u->per);
        memcpy(found.dimension, u->dimension, sizeof found.dimension);
        if (is_called(name, length, u->name) || find_prefixed(u, name, length, &found)) {
            *quantity = found;
            return true;
        }
    }
    return false;
}
