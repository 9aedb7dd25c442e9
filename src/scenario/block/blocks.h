/* What a scenario may say: the one description of its fields, block by block. The readers take
 * their fields from here, errors about unknown fields their suggestions, `carom fields` and the
 * tables of docs/scenario.md and docs/sweep.md their text.
 *
 * The lists are in fields/. A new field is one line there and its use in the block's reader; a new
 * block is a list there, a line in CRM_BLOCK_LIST, and a reader that makes an enumeration of the
 * list:
 *     enum { CRM_CHAIN_FIELDS(CRM_FIELD_INDEX) CHAIN_FIELDS };
 */
#ifndef CRM_BLOCKS_H
#define CRM_BLOCKS_H

#include <stddef.h>

#include "scenario/block/fields/balls.h"
#include "scenario/block/fields/bodies.h"
#include "scenario/block/fields/contacts.h"
#include "scenario/block/fields/motion.h"
#include "scenario/block/fields/studies.h"
#include "scenario/block/fields/system.h"
#include "scenario/block/fields/top.h"

/* ---- Descriptions --------------------------------------------------------------------------- */

/* Those of numbers come first. */
#define CRM_KIND_LIST(X)                                                                           \
    X(CRM_KIND_NUMBER, "a number")                                                                 \
    X(CRM_KIND_PER_BALL, "a number, or one per ball")                                              \
    X(CRM_KIND_PER_CONTACT, "a number, or one per contact between balls")                          \
    X(CRM_KIND_PER_COORDINATE, "a list, one per coordinate")                                       \
    X(CRM_KIND_PAIR, "a list of two numbers")                                                      \
    X(CRM_KIND_VECTOR, "a vector")                                                                 \
    X(CRM_KIND_COUNT, "a whole number")                                                            \
    X(CRM_KIND_TEXT, "text")                                                                       \
    X(CRM_KIND_WORD, "one of")                                                                     \
    X(CRM_KIND_MATERIAL, "a name (from materials, or a built-in one) or a mapping")                \
    X(CRM_KIND_MAPPING, "a mapping")                                                               \
    X(CRM_KIND_LISTED, "a list")                                                                   \
    X(CRM_KIND_OTHER, "")

#define CRM_KIND_ENUM(name, text) name,
typedef enum crm_kind { CRM_KIND_LIST(CRM_KIND_ENUM) CRM_KINDS } crm_kind;
#undef CRM_KIND_ENUM

const char *crm_block_kind_text(crm_kind kind);

typedef struct crm_field {
    const char *name;
    crm_kind kind;
    const char *unit;     /* NULL: none */
    const char *allowed;  /* the range, or what its kind leaves open; NULL: nothing to say */
    const char *standard; /* when it is not given; NULL: it must be given */
    const char *text;
} crm_field;

typedef struct crm_block {
    const char *name; /* where it stands: "chain.wall", "bodies[]" */
    const char *text;
    size_t count;
    const crm_field *fields;
} crm_block;

/* Of X(INDEX, name, kind, unit, allowed, standard, text). */
#define CRM_FIELD_INDEX(index, name, kind, unit, allowed, standard, text) index,

/* ---- All of them ---------------------------------------------------------------------------- */

/* X(BLOCK, fields, name, text) */
#define CRM_BLOCK_LIST(X)                                                                          \
    X(CRM_BLOCK_TOP, CRM_TOP_FIELDS, "scenario", "the top level")                                  \
    X(CRM_BLOCK_LAW, CRM_LAW_FIELDS, "laws[]", "one law and its options")                          \
    X(CRM_BLOCK_MATERIAL, CRM_MATERIAL_FIELDS, "materials.NAME", "one material")                   \
    X(CRM_BLOCK_HISTORY, CRM_HISTORY_FIELDS, "history", "what --history writes")                   \
    X(CRM_BLOCK_CHAIN, CRM_CHAIN_FIELDS, "chain", "balls in a line")                               \
    X(CRM_BLOCK_CHAIN_WALL, CRM_CHAIN_WALL_FIELDS, "chain.wall", "a wall at one end of the chain") \
    X(CRM_BLOCK_SERIES, CRM_SERIES_FIELDS, "chain.FIELD",                                          \
      "a list by formula, pattern or chance; for fields with one value per ball or contact, also " \
      "of a packing")                                                                              \
    X(CRM_BLOCK_DISORDER, CRM_DISORDER_FIELDS, "chain.FIELD.disorder", "random factors")           \
    X(CRM_BLOCK_PACKING, CRM_PACKING_FIELDS, "packing", "equal balls on a lattice")                \
    X(CRM_BLOCK_PACKING_WALLS, CRM_PACKING_WALLS_FIELDS, "packing.walls",                          \
      "walls around a packing")                                                                    \
    X(CRM_BLOCK_PROJECTILE, CRM_PROJECTILE_FIELDS, "packing.projectile",                           \
      "a ball that strikes the packing")                                                           \
    X(CRM_BLOCK_BODY, CRM_BODY_FIELDS, "bodies[]", "one body")                                     \
    X(CRM_BLOCK_GAS, CRM_GAS_FIELDS, "gas", "bodies at random positions")                          \
    X(CRM_BLOCK_SUSPENDED, CRM_SUSPENDED_FIELDS, "bodies[].suspended", "a string")                 \
    X(CRM_BLOCK_WALL, CRM_WALL_FIELDS, "walls[]", "one wall")                                      \
    X(CRM_BLOCK_WALL_MOTION, CRM_WALL_MOTION_FIELDS, "walls[].motion", "how a wall oscillates")    \
    X(CRM_BLOCK_CONTACTS, CRM_CONTACTS_FIELDS, "contacts",                                         \
      "properties common to all contacts of bodies")                                               \
    X(CRM_BLOCK_PAIR, CRM_PAIR_FIELDS, "pairs[]", "properties of one contact")                     \
    X(CRM_BLOCK_CURVE, CRM_CURVE_FIELDS, "contacts.loading", "a loading or unloading curve")       \
    X(CRM_BLOCK_TERM, CRM_TERM_FIELDS, "contacts.loading.sum[]", "one power of a sum")             \
    X(CRM_BLOCK_BOUNDED, CRM_BOUNDED_FIELDS, "contacts.loading.bounded",                           \
      "a power that becomes a line")                                                               \
    X(CRM_BLOCK_RESTITUTION, CRM_RESTITUTION_FIELDS, "contacts.restitution",                       \
      "restitution by the impact")                                                                 \
    X(CRM_BLOCK_SPRING, CRM_SPRING_FIELDS, "springs[]", "one spring")                              \
    X(CRM_BLOCK_SIMULATE, CRM_SIMULATE_FIELDS, "simulate", "motion in time")                       \
    X(CRM_BLOCK_STOP, CRM_STOP_FIELDS, "simulate.stop", "conditions that end a motion early")      \
    X(CRM_BLOCK_SYSTEM, CRM_SYSTEM_FIELDS, "system", "any Lagrangian system")                      \
    X(CRM_BLOCK_SYSTEM_CONTACT, CRM_SYSTEM_CONTACT_FIELDS, "system.contacts[]",                    \
      "one contact of a system")                                                                   \
    X(CRM_BLOCK_SWEEP, CRM_SWEEP_FIELDS, "sweep", "a parameter study")                             \
    X(CRM_BLOCK_RANGE, CRM_RANGE_FIELDS, "sweep.grid.PATH", "a range of values")                   \
    X(CRM_BLOCK_SAMPLE, CRM_SAMPLE_FIELDS, "sweep.sample", "random draws")                         \
    X(CRM_BLOCK_DRAW, CRM_DRAW_FIELDS, "sweep.sample.of.PATH", "the distribution of a draw")       \
    X(CRM_BLOCK_SENSITIVITY, CRM_SENSITIVITY_FIELDS, "sensitivity", "derivatives of outcomes")     \
    X(CRM_BLOCK_FIT, CRM_FIT_FIELDS, "fit", "parameters estimated from measurements")              \
    X(CRM_BLOCK_PARAMETER, CRM_UNKNOWN_FIELDS, "fit.parameters.PATH", "a parameter to estimate")   \
    X(CRM_BLOCK_MEASURED, CRM_MEASURED_FIELDS, "fit.measured[]", "one measured quantity")          \
    X(CRM_BLOCK_DESIGN, CRM_DESIGN_FIELDS, "design", "a quantity to maximize or minimize")         \
    X(CRM_BLOCK_CHOSEN, CRM_UNKNOWN_FIELDS, "design.over.PATH", "a field to vary")                 \
    X(CRM_BLOCK_ADMISSIBLE, CRM_ADMISSIBLE_FIELDS, "admissible",                                   \
      "least and greatest values over all outcomes that any law may give")

#define CRM_BLOCK_ENUM(block, fields, name, text) block,
typedef enum crm_block_index { CRM_BLOCK_LIST(CRM_BLOCK_ENUM) CRM_BLOCKS } crm_block_index;
#undef CRM_BLOCK_ENUM

/* Fields of a block, and of a law with its options. */
enum { CRM_FIELDS_MOST = 64 };

const crm_block *crm_block_at(crm_block_index index);

#endif
