/* Named materials. Ranges cover the alloys and grades of that name. */
#include <stddef.h>
#include <string.h>

#include "carom/model.h"

#define GERE "Gere and Goodno, Mechanics of Materials, tables of the appendix"

static const crm_named_material MATERIALS[] = {
    {"steel",
     {203e9, 0.3, 7780},
     "190 to 210 GPa",
     "beads of Nguyen and Brogliato's chains (P1, section 4)"},
    {"stainless_steel",
     {216e9, 0.276, 7650},
     "190 to 216 GPa",
     "Liu, Zhao and Brogliato (P0, section 9.1); density from their bead of 4 mm and 2.05 g"},
    {"aluminium", {70e9, 0.33, 2700}, "70 to 79 GPa", GERE " (6061-T6)"},
    {"brass", {103e9, 0.34, 8500}, "96 to 110 GPa", GERE " (middle of its range)"},
    {"bronze", {108e9, 0.34, 8500}, "96 to 120 GPa", GERE " (middle of its range)"},
    {"copper", {115e9, 0.345, 8900}, "110 to 120 GPa", GERE " (middle of its range)"},
    {"titanium", {110e9, 0.33, 4500}, "100 to 120 GPa", GERE " (middle of its range)"},
    {"glass", {65e9, 0.22, 2600}, "48 to 83 GPa", GERE " (middle of its range)"},
    {"nylon", {2.8e9, 0.4, 1100}, "2.1 to 3.4 GPa", GERE " (middle of its range)"},
    {"ptfe",
     {1.46e9, 0.46, 2178},
     "0.4 to 0.6 GPa when pressed slowly",
     "beads of Daraio, Nesterenko, Herbold and Jin, Phys. Rev. E 73, 026610 (2006)"},
    {"rubber",
     {2e6, 0.48, 1100},
     "0.7 to 4 MPa",
     GERE " (within its range; hardly a Hertz contact beyond small strains)"},
};

enum { MATERIAL_COUNT = sizeof MATERIALS / sizeof MATERIALS[0] };

size_t crm_material_count(void)
{
    return MATERIAL_COUNT;
}

const crm_named_material *crm_material_at(size_t index)
{
    return index < MATERIAL_COUNT ? &MATERIALS[index] : NULL;
}

const crm_named_material *crm_material_find(const char *name)
{
    for (size_t i = 0; name != NULL && i < MATERIAL_COUNT; i++) {
        if (strcmp(MATERIALS[i].name, name) == 0) {
            return &MATERIALS[i];
        }
    }
    return NULL;
}

/* ---- Friction of pairs ----------------------------------------------------------------------- */

/* Sliding, dry, in air. What goes by these names scatters more than any other property of contacts:
 * the ranges are what tables list for clean to greasy and for ground to rough surfaces. The sources
 * say what kind of table that is; no single measurement is behind a value.
 */
#define TABLES                                                                                     \
    "as engineering tables list it that go back to Marks' Standard Handbook (sliding, dry); not "  \
    "checked against the book"

static const crm_named_friction FRICTIONS[] = {
    {"steel", "steel", 0.42, "0.1 greasy to 0.6 clean", TABLES},
    {"aluminium", "steel", 0.47, "0.3 to 0.6", TABLES},
    {"brass", "steel", 0.44, "0.2 to 0.5", TABLES},
    {"bronze", "steel", 0.2, "0.15 to 0.45", "as bearing tables list it; not of one source"},
    {"copper", "steel", 0.36, "0.3 to 0.5", TABLES},
    {"glass", "glass", 0.4, "0.1 wet to 0.9 clean", TABLES},
    {"nylon", "steel", 0.35, "0.2 to 0.5", "as data sheets of nylon list it; not of one source"},
    {"ptfe", "steel", 0.04, "0.04 to 0.1, more with speed", TABLES},
    {"ptfe", "ptfe", 0.04, "0.04 to 0.1, more with speed", TABLES},
};

enum { FRICTION_COUNT = sizeof FRICTIONS / sizeof FRICTIONS[0] };

size_t crm_material_friction_count(void)
{
    return FRICTION_COUNT;
}

const crm_named_friction *crm_material_friction_at(size_t index)
{
    return index < FRICTION_COUNT ? &FRICTIONS[index] : NULL;
}

static bool is_pair(const crm_named_friction *f, const char *first, const char *second)
{
    return strcmp(f->first, first) == 0 && strcmp(f->second, second) == 0;
}

const crm_named_friction *crm_material_friction_find(const char *first, const char *second)
{
    for (size_t i = 0; first != NULL && second != NULL && i < FRICTION_COUNT; i++) {
        if (is_pair(&FRICTIONS[i], first, second) || is_pair(&FRICTIONS[i], second, first)) {
            return &FRICTIONS[i];
        }
    }
    return NULL;
}
