/* Tools shared by the readers of the parts of a scenario. Internal to src/scenario and src/study.
 */
#ifndef CRM_READER_H
#define CRM_READER_H

#include "base/base.h"
#include "carom/carom.h"
#include "scenario/block/blocks.h"
#include "scenario/mistakes.h"
#include "scenario/scenario.h"
#include "scenario/yaml/tree.h"

/* Names are looked up by bisection: a million bodies may have a million pairs. */
typedef struct crm_name {
    const char *text;
    size_t index;
    const crm_node *node;
} crm_name;

enum { CRM_NAME_MOST = 80 }; /* bytes; reports give names a line's width */

typedef struct crm_names {
    size_t count;
    crm_name *sorted;
    bool unsure; /* there may be others, which could not be read */
} crm_names;

typedef struct crm_reader {
    crm_tree *tree;
    crm_arena scratch; /* lists that live until the model is made */
    crm_read_error *error;
    crm_mistakes *mistakes;      /* NULL: the first one ends the reading */
    const crm_node *failed_node; /* the node of the last error; NULL: none in the file */
    bool coordinates_reported;   /* an error in their number has been reported: one is enough */
    crm_names material_names;
    crm_material *materials;
    crm_warnings *warnings;
    bool moves;                 /* for a motion rather than an impact */
    const size_t *drawn;        /* numbers of bodies, ascending: only their places are wanted; */
    size_t drawn_count;         /* NULL: it is to be computed with */
    crm_scenario_motion motion; /* what was read of it, in either case */
    crm_suspension *bobs;       /* of its scene, while they are read */
} crm_reader;

/* A range of numbers and its text: {0, 1, false, "a number from 0 to 1"}. */
typedef struct crm_range {
    double least, most;
    bool open_least;
    const char *text;
} crm_range;

/* ---- Errors ---------------------------------------------------------------------------------- */

/* "PATH MESSAGE", with the node's place. */
crm_status crm_reader_fail(crm_reader *reader, const crm_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same without PATH. */
crm_status crm_reader_fail_bare(crm_reader *reader, const crm_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* "PATH is VALUE; must be ALLOWED" */
crm_status crm_reader_fail_value(crm_reader *reader, const crm_node *node, const char *allowed);
crm_status crm_reader_fail_memory(crm_reader *reader);
/* A system takes about `system` bytes, and a law at least as many again: are they allowed? */
crm_status crm_reader_check_bytes(crm_reader *reader, const crm_node *node, double system);
/* An error of the library about a field below `from`, with the place of that field. */
crm_status crm_reader_fail_library(crm_reader *reader, const crm_node *from,
                                   const crm_error *error);

/* "PATH MESSAGE", a warning about a value that can be read, but is hardly meant; beyond
 * CRM_WARNINGS_MOST they are dropped.
 */
void crm_reader_warn(crm_reader *reader, const crm_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- Mappings ----------------------------------------------------------------------------- */

/* Sort the fields of a mapping into fields[], in the order of names[]; NULL: not given. Unknown
 * fields are refused with the nearest known one.
 */
crm_status crm_reader_fields(crm_reader *reader, const crm_node *mapping, const char *const *names,
                             size_t count, const crm_node **fields);
/* The same for a block; fields[] has as many entries as the block has fields. */
crm_status crm_reader_block(crm_reader *reader, const crm_node *mapping, crm_block_index block,
                            const crm_node **fields);
/* That what carries a unit carries one of the field's kind: of a number, or of all in a list. */
crm_status crm_reader_check_unit(crm_reader *reader, const crm_node *node, const char *unit);
crm_status crm_reader_fail_missing(crm_reader *reader, const crm_node *mapping, const char *field);

/* ---- Values ------------------------------------------------------------------------------- */

/* Readers of numbers, and of what is computed from them, record their errors themselves and return
 * CRM_OK (scenario/mistakes.h): the value is unchanged, and callers that compute with it check
 * crm_mistakes_any. Readers of counts, words and texts return their errors.
 */
crm_status crm_reader_number(crm_reader *reader, const crm_node *node, double *value);
crm_status crm_reader_in_range(crm_reader *reader, const crm_node *node, crm_range range,
                               double *value);
/* A whole number in [1, most]. */
crm_status crm_reader_count(crm_reader *reader, const crm_node *node, size_t most, size_t *value);
/* The seed of random draws. */
crm_status crm_reader_seed(crm_reader *reader, const crm_node *node, uint64_t *seed);
/* Words for people: nothing that hides or controls (base/text.h). */
crm_status crm_reader_text(crm_reader *reader, const crm_node *node, const char **value);
/* A text that cannot be mistaken for an index. */
crm_status crm_reader_name(crm_reader *reader, const crm_node *node, const char **name);
/* One of `choices`, as its index. */
crm_status crm_reader_choice(crm_reader *reader, const crm_node *node, const char *const *choices,
                             size_t count, size_t *value);
/* true or false; as it was when there is no node. */
crm_status crm_reader_flag(crm_reader *reader, const crm_node *node, bool *value);

/* Whether an error in the number of coordinates has been reported already. */
bool crm_reader_coordinates_reported(const crm_reader *reader);
/* Exactly count numbers into values[]; `per` says what they belong to ("ball"). */
crm_status crm_reader_list(crm_reader *reader, const crm_node *node, size_t count, const char *per,
                           double *values);
/* A vector of the given dimension; in the line a bare number will do. NULL node: stays. */
crm_status crm_reader_vector(crm_reader *reader, const crm_node *node, unsigned dimension,
                             double *vector);
/* The same for velocities, each within the range for them (carom/model.h). */
crm_status crm_reader_velocity(crm_reader *reader, const crm_node *node, unsigned dimension,
                               double *velocity);
/* A number for all, a list, or a rule for one, kept in the scratch memory. NULL node: nothing
 * changes.
 */
crm_status crm_reader_values(crm_reader *reader, const crm_node *node, const crm_field *field,
                             size_t count, const char *per, crm_values *values);
/* `count` numbers by formula, pattern or chance; `unit` is the field's. Passes its mistakes. */
crm_status crm_series_read(crm_reader *reader, const crm_node *node, const char *unit, size_t count,
                           double *each);

/* ---- Names -------------------------------------------------------------------------------- */

/* Sort in place; two of the same name are refused. */
crm_status crm_names_sort(crm_reader *reader, crm_names *names, const char *what);
const crm_name *crm_names_find(const crm_names *names, const char *text); /* NULL: none */
/* The name that was meant, for "did you mean"; "" when none is near, or there are too many. */
const char *crm_names_nearest(const crm_names *names, const char *text);

/* ---- The parts ---------------------------------------------------------------------------- */

crm_status crm_materials_read(crm_reader *reader, const crm_node *node);
/* A name from `materials` or a mapping of its own. NULL node: *material stays. */
crm_status crm_material_read(crm_reader *reader, const crm_node *node,
                             const crm_material **material);

/* Radii in metres above which another unit was probably meant. */
#define CRM_BALL_LARGEST 1.0
#define CRM_BODY_LARGEST 10.0
/* Warn of a radius above `largest`, and of a mass that a ball of this radius and density can hardly
 * have; NAN, or no material: nothing to compare. Returns whether there was a warning, so that one
 * stands for many.
 */
bool crm_warnings_check_radius(crm_reader *reader, const crm_node *node, double radius,
                               const crm_material *material, double largest);
bool crm_warnings_check_mass(crm_reader *reader, const crm_node *node, double mass, double radius,
                             const crm_material *material);
/* The first of each kind among the bodies of a list (NULL: none), and of their angles. */
void crm_warnings_check_bodies(crm_reader *reader, const crm_node *list, const crm_bodies_def *def);

/* Parts of the top level that describe bodies. */
typedef struct crm_bodies_nodes {
    const crm_node *bodies, *gas; /* one of them may be NULL */
    const crm_node *walls, *contacts, *pairs, *springs, *simulate;
} crm_bodies_nodes;

/* What is struck, and the materials it is made of; nothing else of the scenario. */
crm_status crm_scenario_read_definition(crm_reader *reader, crm_scenario *scenario);
crm_status crm_chain_read(crm_reader *reader, const crm_node *node, crm_scenario *scenario);
crm_status crm_packing_read(crm_reader *reader, const crm_node *node, crm_scenario *scenario);
/* The balls of a packing that are drawn, into reader->motion. */
crm_status crm_lattice_place_packing(crm_reader *reader, const crm_node *node,
                                     const crm_packing_def *def);
crm_status crm_bodies_read(crm_reader *reader, const crm_bodies_nodes *nodes,
                           crm_scenario *scenario);
crm_status crm_pairs_read(crm_reader *reader, const crm_node *node, const crm_names *names,
                          size_t things, crm_bodies_def *def);
/* A name or an index from 1; bodies are counted first, then walls. */
crm_status crm_pairs_read_party(crm_reader *reader, const crm_node *node, const crm_names *names,
                                size_t things, size_t *party);
crm_status crm_system_read(crm_reader *reader, const crm_node *node, crm_scenario *scenario);
/* After the model: options may be lists with one entry per contact. */
crm_status crm_laws_read(crm_reader *reader, const crm_node *node, crm_scenario *scenario);

/* A single law; options that are lists have an entry for each of this many contacts. */
crm_status crm_laws_read_one(crm_reader *reader, const crm_node *node, size_t contacts,
                             crm_scenario_law *entry);

/* ---- Motion: into reader->motion ------------------------------------------------------------ */

crm_status crm_simulate_read_suspended(crm_reader *reader, const crm_node *node,
                                       crm_suspension *suspension);
crm_status crm_simulate_read_wall_motion(crm_reader *reader, const crm_node *node,
                                         crm_wall_motion *motion);
/* A wall as it is at time 0. */
void crm_simulate_start_wall(const crm_wall_motion *motion, unsigned dimension, crm_wall_def *wall);
/* The balls of a chain that has been found good. */
crm_status crm_chain_motion_make(crm_reader *reader, const crm_chain_def *chain);
crm_status crm_simulate_read_closure(crm_reader *reader, const crm_node *node);
crm_status crm_simulate_read_springs(crm_reader *reader, const crm_node *node,
                                     const crm_names *names, const crm_bodies_def *def);
/* After what moves. */
crm_status crm_simulate_read(crm_reader *reader, const crm_node *node);

/* The fields of one contact, which come first in every block that has them. */
enum { CRM_CONTACTS_APART(CRM_FIELD_INDEX, CRM_CONTACT) CRM_CONTACT_FIELDS };
/* Those that are numbers. */
enum { CRM_CONTACT_NUMBERS = CRM_CONTACT_FORCE + 1 };

/* fields[] begins with the contact's; those not given stay as they are. */
crm_status crm_reader_contact(crm_reader *reader, const crm_node *const *fields,
                              crm_contact_def *contact);

/* What curves and rules they give; a restitution that is one is no number. */
crm_status crm_compliance_read(crm_reader *reader, const crm_node *const *fields,
                               crm_compliance_def *compliance);
bool crm_compliance_is_by_impact(const crm_node *restitution);

#define CRM_COUNT(array) (sizeof(array) / sizeof((array)[0]))

#endif
