/* Fields of the top level, of laws, materials and histories. Internal. */
#ifndef CRM_FIELDS_TOP_H
#define CRM_FIELDS_TOP_H

#include "scenario/block/fields/ranges.h"

#define CRM_TOP_FIELDS(X)                                                                          \
    X(TOP_TITLE, "title", CRM_KIND_TEXT, NULL, NULL, "none", "title of the reports")               \
    X(TOP_LAWS, "laws", CRM_KIND_OTHER, NULL, "a law, or a list of them: names or mappings",       \
      "lzb", "the laws to use, side by side")                                                      \
    X(TOP_MATERIALS, "materials", CRM_KIND_MAPPING, NULL, "from names to materials", "none",       \
      "materials that other fields can name")                                                      \
    X(TOP_CHAIN, "chain", CRM_KIND_MAPPING, NULL, NULL, "none",                                    \
      "balls in a line; exactly one of chain, packing, bodies and system is required")             \
    X(TOP_PACKING, "packing", CRM_KIND_MAPPING, NULL, NULL, "none",                                \
      "equal balls on a lattice, struck from above")                                               \
    X(TOP_BODIES, "bodies", CRM_KIND_LISTED, NULL, NULL, "none",                                   \
      "bodies on a line, in the plane or in space")                                                \
    X(TOP_GAS, "gas", CRM_KIND_MAPPING, NULL, NULL, "none",                                        \
      "bodies at random positions, instead of listed bodies or in addition to them")               \
    X(TOP_SYSTEM, "system", CRM_KIND_MAPPING, NULL, NULL, "none",                                  \
      "any Lagrangian system, given by M and W")                                                   \
    X(TOP_WALLS, "walls", CRM_KIND_LISTED, NULL, NULL, "none", "walls around the bodies")          \
    X(TOP_CONTACTS, "contacts", CRM_KIND_MAPPING, NULL, NULL, "none",                              \
      "properties common to all contacts of bodies")                                               \
    X(TOP_PAIRS, "pairs", CRM_KIND_LISTED, NULL, NULL, "none",                                     \
      "properties of single contacts, where they differ")                                          \
    X(TOP_SPRINGS, "springs", CRM_KIND_LISTED, NULL, NULL, "none",                                 \
      "springs between the bodies, for carom simulate")                                            \
    X(TOP_HISTORY, "history", CRM_KIND_MAPPING, NULL, NULL, "every step", "what --history writes") \
    X(TOP_SWEEP, "sweep", CRM_KIND_MAPPING, NULL, NULL, "none",                                    \
      "a parameter study, for carom sweep; other commands ignore it")                              \
    X(TOP_SIMULATE, "simulate", CRM_KIND_MAPPING, NULL, NULL, "none",                              \
      "motion in time, for carom simulate; other commands ignore it")                              \
    X(TOP_SENSITIVITY, "sensitivity", CRM_KIND_MAPPING, NULL, NULL, "none",                        \
      "derivatives, for carom sensitivity; other commands ignore it")                              \
    X(TOP_FIT, "fit", CRM_KIND_MAPPING, NULL, NULL, "none",                                        \
      "parameters estimated from measurements, for carom fit; other commands ignore it")           \
    X(TOP_DESIGN, "design", CRM_KIND_MAPPING, NULL, NULL, "none",                                  \
      "fields that maximize or minimize a quantity, for carom design; other commands ignore it")   \
    X(TOP_ADMISSIBLE, "admissible", CRM_KIND_MAPPING, NULL, NULL, "none",                          \
      "quantities to bound over all outcomes, for carom admissible; other commands ignore it")

#define CRM_LAW_FIELDS(X)                                                                          \
    X(LAW_NAME, "law", CRM_KIND_TEXT, NULL, NULL, NULL,                                            \
      "the law's name; carom laws lists the laws, carom laws NAME a law's options")                \
    X(LAW_LABEL, "label", CRM_KIND_TEXT, NULL, NULL, "the law's name, numbered if it is taken",    \
      "its name in reports; must be unique")

#define CRM_MATERIAL_FIELDS(X)                                                                     \
    X(MATERIAL_YOUNG, "young", CRM_KIND_NUMBER, "Pa", CRM_MODULI, "none",                          \
      "Young's modulus; with poisson it gives the Hertz stiffness of contacts")                    \
    X(MATERIAL_POISSON, "poisson", CRM_KIND_NUMBER, NULL, "above -1 and at most 0.5", "none",      \
      "Poisson's ratio")                                                                           \
    X(MATERIAL_DENSITY, "density", CRM_KIND_NUMBER, "kg/m^3", CRM_MODULI, "none",                  \
      "with a radius it gives the mass of a ball")                                                 \
    X(MATERIAL_FRICTION, "friction", CRM_KIND_OTHER, NULL,                                         \
      "a number, or a mapping from names of materials to numbers; " CRM_FRICTIONS, "none",         \
      "coefficient of friction with the same material, or with others, where contacts and pairs "  \
      "give none; of materials with a name")

#define CRM_HISTORY_FIELDS(X)                                                                      \
    X(HISTORY_INTERVAL, "interval", CRM_KIND_NUMBER, "s", "above 0", "every step of the solver",   \
      "samples only at multiples of this time, and at the end")                                    \
    X(HISTORY_OF, "of", CRM_KIND_TEXT, NULL, "such as \"cue, 1-3, -1\"", "everything",             \
      "only these bodies and contacts, by name or number; of a motion, only bodies")

#endif
