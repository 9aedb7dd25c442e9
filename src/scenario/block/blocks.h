/* What a scenario may say: the one description of its fields, block by block. The readers take
 * their fields from here, errors about unknown fields their suggestions, `carom fields` and the
 * tables of docs/scenario.md and docs/sweep.md their text.
 *
 * A new field is one line here and its use in the block's reader; a new block is a list here, a
 * line in CRM_BLOCK_LIST, and a reader that makes an enumeration of the list:
 *     enum { CRM_CHAIN_FIELDS(CRM_FIELD_INDEX) CHAIN_FIELDS };
 */
#ifndef CRM_BLOCKS_H
#define CRM_BLOCKS_H

#include <stddef.h>

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

/* ---- Units that a scenario's author chooses -------------------------------------------------- */

#define CRM_OF_FIELD  "the field's unit"
#define CRM_OF_SYSTEM "units of your own"

/* ---- The ranges of numbers (carom/model.h) -------------------------------------------------- */

#define CRM_MASSES      "from 1e-60 to 1e60"
#define CRM_LENGTHS     "from 1e-30 to 1e30"
#define CRM_POSITIONS   "up to 1e30 in size"
#define CRM_VELOCITIES  "up to 1e40 in size"
#define CRM_STIFFNESSES "from 1e-150 to 1e150"
#define CRM_EXPONENTS   "from 1e-4 to 100"
#define CRM_RESTITUTED  "0 or from 1e-14 to 1"
#define CRM_ENERGIES    "0 or from 1e-140 to 1e140"
#define CRM_MODULI      "from 1e-150 to 1e150"

/* ---- The scenario --------------------------------------------------------------------------- */

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
      "with a radius it gives the mass of a ball")

#define CRM_HISTORY_FIELDS(X)                                                                      \
    X(HISTORY_INTERVAL, "interval", CRM_KIND_NUMBER, "s", "above 0", "every step of the solver",   \
      "samples only at multiples of this time, and at the end")                                    \
    X(HISTORY_OF, "of", CRM_KIND_TEXT, NULL, "such as \"cue, 1-3, -1\"", "everything",             \
      "only these bodies and contacts, by name or number; of a motion, only bodies")

/* ---- Contacts ------------------------------------------------------------------------------- */

/* At the front of every block with contacts: PREFIX_STIFFNESS and so on, in the order of
 * CRM_CONTACT_STIFFNESS and so on (scenario/reader.h).
 */
#define CRM_CONTACT_LIST(X, PREFIX, KIND, K_STANDARD, ETA_STANDARD, E_STANDARD, E0_STANDARD)       \
    X(PREFIX##_STIFFNESS, "stiffness", KIND, "N/m^η", CRM_STIFFNESSES, K_STANDARD,                 \
      "K of F = K x^η")                                                                            \
    X(PREFIX##_EXPONENT, "exponent", KIND, NULL, CRM_EXPONENTS, ETA_STANDARD, "η of F = K x^η")    \
    X(PREFIX##_RESTITUTION, "restitution", KIND, NULL,                                             \
      CRM_RESTITUTED "; or a mapping: by the impact", E_STANDARD, "coefficient of restitution")    \
    X(PREFIX##_ENERGY, "energy", KIND, "J", CRM_ENERGIES, E0_STANDARD,                             \
      "energy stored in the contact before the impact")                                            \
    X(PREFIX##_FORCE, "force", KIND, "N", CRM_ENERGIES, "from energy",                             \
      "force in the contact before the impact, instead of energy")                                 \
    X(PREFIX##_LOADING, "loading", CRM_KIND_MAPPING, NULL, NULL, "stiffness and exponent",         \
      "another rising curve of force against indentation")                                         \
    X(PREFIX##_UNLOADING, "unloading", CRM_KIND_MAPPING, NULL, NULL, "none",                       \
      "the curve along which the contact is unloaded; restitution is then an outcome (lzb)")

#define CRM_CONTACTS_OF_ALL(X, PREFIX, KIND)                                                       \
    CRM_CONTACT_LIST(X, PREFIX, KIND, "from the materials (Hertz), else 1", "1.5", "1", "0")
#define CRM_CONTACTS_APART(X, PREFIX)                                                              \
    CRM_CONTACT_LIST(X, PREFIX, CRM_KIND_NUMBER, "as for all contacts", "as for all contacts",     \
                     "as for all contacts", "as for all contacts")

/* "loading" and "unloading": exactly one of the first three, or a power. */
#define CRM_CURVE_FIELDS(X)                                                                        \
    X(CURVE_TABLE, "table", CRM_KIND_LISTED, NULL, "of points [x, F], the first [0, 0], rising",   \
      "none",                                                                                      \
      "points of the curve, with monotone cubics between them; indentations in m, "                \
      "forces in N")                                                                               \
    X(CURVE_SUM, "sum", CRM_KIND_LISTED, NULL, "of powers {stiffness, exponent}", "none",          \
      "F = K_1 x^η_1 + K_2 x^η_2 + ...")                                                           \
    X(CURVE_BOUNDED, "bounded", CRM_KIND_MAPPING, NULL, "{stiffness, exponent, yield}", "none",    \
      "a power up to the indentation yield, a line beyond")                                        \
    X(CURVE_STIFFNESS, "stiffness", CRM_KIND_NUMBER, "N/m^η", CRM_STIFFNESSES, "none",             \
      "K of F = K x^η")                                                                            \
    X(CURVE_FUNCTION, "function", CRM_KIND_TEXT, NULL, "the name of a function", "none",           \
      "a function of the caller's, from C or Python")                                              \
    X(CURVE_EXPONENT, "exponent", CRM_KIND_NUMBER, NULL, CRM_EXPONENTS, "1.5",                     \
      "η of F = K x^η; of a function the power with which it begins")

#define CRM_TERM_FIELDS(X)                                                                         \
    X(TERM_STIFFNESS, "stiffness", CRM_KIND_NUMBER, "N/m^η", CRM_STIFFNESSES, NULL,                \
      "K of F = K x^η")                                                                            \
    X(TERM_EXPONENT, "exponent", CRM_KIND_NUMBER, NULL, CRM_EXPONENTS, "1.5", "η of F = K x^η")

#define CRM_BOUNDED_FIELDS(X)                                                                      \
    CRM_TERM_FIELDS(X)                                                                             \
    X(TERM_YIELD, "yield", CRM_KIND_NUMBER, "m", "above 0", NULL,                                  \
      "indentation from which on the force is linear")

/* "restitution" by the impact: exactly one of them. */
#define CRM_RESTITUTION_FIELDS(X)                                                                  \
    X(RESTITUTION_SPEED, "speed", CRM_KIND_LISTED, NULL, "of points [s, e], rising in s", "none",  \
      "e by the equivalent closing speed s = sqrt(2 W D_jj) in m/s")                               \
    X(RESTITUTION_WORK, "work", CRM_KIND_LISTED, NULL, "of points [W, e], rising in W", "none",    \
      "e by the work W of compression in J")                                                       \
    X(RESTITUTION_EXPRESSION, "expression", CRM_KIND_TEXT, NULL,                                   \
      "with s or W, such as \"1 - 0.1*s^0.2\"", "none", "e by the speed s or by the work W")       \
    X(RESTITUTION_YIELD_SPEED, "yield_speed", CRM_KIND_NUMBER, "m/s", "above 0", "none",           \
      "e = min(1, (s / yield_speed)^(-1/4)), fully plastic above that speed")                      \
    X(RESTITUTION_VISCOELASTIC, "viscoelastic", CRM_KIND_NUMBER, NULL, "from 0", "none",           \
      "e = 1 - a s^(1/5) with this a")                                                             \
    X(RESTITUTION_FUNCTION, "function", CRM_KIND_TEXT, NULL, "the name of a function", "none",     \
      "a function of the caller's, from C or Python")                                              \
    X(RESTITUTION_OF, "of", CRM_KIND_WORD, NULL, "speed and work", "speed",                        \
      "what the function is of: s or W")

/* ---- chain ---------------------------------------------------------------------------------- */

#define CRM_CHAIN_FIELDS(X)                                                                        \
    CRM_CONTACTS_OF_ALL(X, CHAIN, CRM_KIND_PER_CONTACT)                                            \
    X(CHAIN_COUNT, "count", CRM_KIND_COUNT, NULL, "from 1",                                        \
      "the length of the list mass or radius", "number of balls")                                  \
    X(CHAIN_RADIUS, "radius", CRM_KIND_PER_BALL, "m", CRM_LENGTHS, "none",                         \
      "with a material it gives mass and stiffness")                                               \
    X(CHAIN_MATERIAL, "material", CRM_KIND_MATERIAL, NULL, "or a list of them, one per ball",      \
      "none", "of the balls")                                                                      \
    X(CHAIN_GAP, "gap", CRM_KIND_PER_CONTACT, "m", "0 or " CRM_LENGTHS, "0",                       \
      "between the balls; separated balls do not touch, but may do so in a motion")                \
    X(CHAIN_GAPS_CLOSE, "gaps_close", CRM_KIND_WORD, NULL, "true and false", "false",              \
      "the gaps are contacts that can close during the impact (law compliant only)")               \
    X(CHAIN_MASS, "mass", CRM_KIND_PER_BALL, "kg", CRM_MASSES, "from radius and density, else 1",  \
      "of the balls")                                                                              \
    X(CHAIN_VELOCITY, "velocity", CRM_KIND_OTHER, "m/s",                                           \
      "a number for all, or a list from the first ball on, " CRM_VELOCITIES, "0",                  \
      "before the impact; balls beyond the end of the list are at rest")                           \
    X(CHAIN_WALL, "wall", CRM_KIND_WORD, NULL, "none, left and right, or a mapping", "none",       \
      "a wall at one end; its contact is the last one")

/* What stands for a list with one entry per ball or contact. */
#define CRM_SERIES_FIELDS(X)                                                                       \
    X(SERIES_FORMULA, "formula", CRM_KIND_OTHER, NULL,                                             \
      "an expression in i, the entry's number from 1, n, their number, and names from with",       \
      "pattern, else 1", "of every entry")                                                         \
    X(SERIES_WITH, "with", CRM_KIND_MAPPING, NULL, "from names to numbers", "none",                \
      "numbers that the formula names")                                                            \
    X(SERIES_PATTERN, "pattern", CRM_KIND_LISTED, NULL, "of numbers", "formula, else 1",           \
      "repeated up to the last entry")                                                             \
    X(SERIES_DISORDER, "disorder", CRM_KIND_MAPPING, NULL, NULL, "none",                           \
      "random factors, one per entry, independent of those of other fields")

#define CRM_DISORDER_FIELDS(X)                                                                     \
    CRM_DISTRIBUTION_FIELDS(X, DISORDER, NULL)                                                     \
    X(DISORDER_SEED, "seed", CRM_KIND_COUNT, NULL, "from 0 to 2^53", "1", "of the random numbers")

#define CRM_CHAIN_WALL_FIELDS(X)                                                                   \
    CRM_CONTACTS_APART(X, WALL)                                                                    \
    X(WALL_SIDE, "side", CRM_KIND_WORD, NULL, "none, left and right", NULL,                        \
      "at which end it stands")                                                                    \
    X(WALL_MATERIAL, "material", CRM_KIND_MATERIAL, NULL, NULL,                                    \
      "that of the ball that touches it", "of the wall")                                           \
    X(WALL_VELOCITY, "velocity", CRM_KIND_NUMBER, "m/s", CRM_VELOCITIES, "0",                      \
      "of the wall, along +x")                                                                     \
    X(WALL_GAP, "gap", CRM_KIND_NUMBER, "m", "0 or " CRM_LENGTHS, "0",                             \
      "between the wall and the ball at its side")

/* ---- packing -------------------------------------------------------------------------------- */

#define CRM_PACKING_FIELDS(X)                                                                      \
    CRM_CONTACTS_OF_ALL(X, PACKING, CRM_KIND_PER_CONTACT)                                          \
    X(PACKING_LATTICE, "lattice", CRM_KIND_WORD, NULL, "square, hexagonal, rack, cubic and fcc",   \
      NULL, "cubic and fcc are in space; a rack is a triangle with one ball on top")               \
    X(PACKING_COLUMNS, "columns", CRM_KIND_COUNT, NULL, "from 1", "required, except for a rack",   \
      "balls along x")                                                                             \
    X(PACKING_ROWS, "rows", CRM_KIND_COUNT, NULL, "from 1", NULL,                                  \
      "balls along y; in the plane, upwards")                                                      \
    X(PACKING_LAYERS, "layers", CRM_KIND_COUNT, NULL, "from 1", "required in space",               \
      "balls along z, upwards; in space only")                                                     \
    X(PACKING_RADIUS, "radius", CRM_KIND_NUMBER, "m", CRM_LENGTHS, "none",                         \
      "of every ball; with a material it gives mass and stiffness")                                \
    X(PACKING_MATERIAL, "material", CRM_KIND_MATERIAL, NULL, NULL, "none", "of the balls")         \
    X(PACKING_MASS, "mass", CRM_KIND_PER_BALL, "kg", CRM_MASSES,                                   \
      "from radius and density, else 1", "of the balls")                                           \
    X(PACKING_VELOCITY, "velocity", CRM_KIND_VECTOR, "m/s", CRM_VELOCITIES, "0", "of every ball")  \
    X(PACKING_WALLS, "walls", CRM_KIND_WORD, NULL, "none, floor and box, or a mapping", "none",    \
      "a box has a floor and sides, and is open at the top")                                       \
    X(PACKING_PROJECTILE, "projectile", CRM_KIND_MAPPING, NULL, NULL, "none",                      \
      "an additional ball, on the top level")

#define CRM_PACKING_WALLS_FIELDS(X)                                                                \
    CRM_CONTACTS_APART(X, WALLS)                                                                   \
    X(WALLS_KIND, "kind", CRM_KIND_WORD, NULL, "none, floor and box", NULL,                        \
      "which walls there are")                                                                     \
    X(WALLS_MATERIAL, "material", CRM_KIND_MATERIAL, NULL, NULL, "that of the balls",              \
      "of the walls")

#define CRM_PROJECTILE_FIELDS(X)                                                                   \
    CRM_CONTACTS_APART(X, PROJECTILE)                                                              \
    X(PROJECTILE_OVER, "over", CRM_KIND_OTHER, NULL,                                               \
      "middle, or balls of the top level, counted from 1; in space two numbers", "middle",         \
      "where it lands: 3 is on top of ball 3, 3.5 in the hollow between 3 and 4, any other value " \
      "on the flank of the nearer ball")                                                           \
    X(PROJECTILE_RADIUS, "radius", CRM_KIND_NUMBER, "m", CRM_LENGTHS, "that of the balls",         \
      "of the projectile")                                                                         \
    X(PROJECTILE_MASS, "mass", CRM_KIND_NUMBER, "kg", CRM_MASSES,                                  \
      "from its radius and density, else that of the balls", "of the projectile")                  \
    X(PROJECTILE_MATERIAL, "material", CRM_KIND_MATERIAL, NULL, NULL, "that of the balls",         \
      "of the projectile")                                                                         \
    X(PROJECTILE_VELOCITY, "velocity", CRM_KIND_VECTOR, "m/s", CRM_VELOCITIES, NULL,               \
      "before the impact")

/* ---- bodies, walls, contacts, pairs --------------------------------------------------------- */

#define CRM_BODY_FIELDS(X)                                                                         \
    X(BODY_NAME, "name", CRM_KIND_TEXT, NULL, "that does not look like a number", "body 1, ...",   \
      "for reports, pairs and --set")                                                              \
    X(BODY_SHAPE, "shape", CRM_KIND_WORD, NULL, "sphere, disc, rod, box, ellipse and ellipsoid",   \
      "sphere",                                                                                    \
      "a disc behaves like a sphere; rods (thin), boxes and ellipses (plates) are for the plane, " \
      "ellipsoids for space")                                                                      \
    X(BODY_RADIUS, "radius", CRM_KIND_NUMBER, "m", CRM_LENGTHS,                                    \
      "required for a sphere or disc; 0 for a rod",                                                \
      "of the body; a rod with a radius is a capsule")                                             \
    X(BODY_MASS, "mass", CRM_KIND_NUMBER, "kg", CRM_MASSES,                                        \
      "for a sphere or ellipsoid, from its density", "of the body")                                \
    X(BODY_MATERIAL, "material", CRM_KIND_MATERIAL, NULL, NULL, "none",                            \
      "of a sphere, disc or ellipsoid")                                                            \
    X(BODY_POSITION, "position", CRM_KIND_VECTOR, "m", CRM_POSITIONS, "required unless suspended", \
      "of the centre; the first body's decides between the line, the plane and space")             \
    X(BODY_VELOCITY, "velocity", CRM_KIND_VECTOR, "m/s", CRM_VELOCITIES, "0",                      \
      "of the centre before the impact")                                                           \
    X(BODY_LENGTH, "length", CRM_KIND_NUMBER, "m", CRM_LENGTHS, "required for a rod",              \
      "of a rod, from end to end")                                                                 \
    X(BODY_SIZE, "size", CRM_KIND_PAIR, "m", CRM_LENGTHS, "required for a box",                    \
      "side lengths of a box: along the direction of angle, and across it")                        \
    X(BODY_SEMI_AXES, "semi_axes", CRM_KIND_VECTOR, "m", CRM_LENGTHS,                              \
      "required for an ellipse or ellipsoid",                                                      \
      "two for an ellipse, the first along the direction of angle; three for an ellipsoid")        \
    X(BODY_ANGLE, "angle", CRM_KIND_NUMBER, "rad", NULL, "0",                                      \
      "of a rod, box or ellipse, from x towards y; of a suspended body, from straight down, "      \
      "counterclockwise")                                                                          \
    X(BODY_ORIENTATION, "orientation", CRM_KIND_OTHER, NULL, "four numbers, of norm 1",            \
      "[1, 0, 0, 0]",                                                                              \
      "of an ellipsoid: a quaternion [w, x, y, z] that rotates the axes of space into those of "   \
      "the body")                                                                                  \
    X(BODY_SPIN, "spin", CRM_KIND_OTHER, "rad/s", "a number; of an ellipsoid a list of three",     \
      "0",                                                                                         \
      "angular velocity before the impact of a body that has an angle; of an ellipsoid, about "    \
      "its own axes; of a suspended body, about its pivot")                                        \
    X(BODY_INERTIA, "inertia", CRM_KIND_NUMBER, "kg m^2", CRM_MASSES,                              \
      "rod m l^2 / 12, box m (w^2 + h^2) / 12, ellipse m (a^2 + b^2) / 4",                         \
      "of a rod, box or ellipse about its centre")                                                 \
    X(BODY_FIXED, "fixed", CRM_KIND_WORD, NULL, "true and false", "false",                         \
      "true: the body is an obstacle that does not move")                                          \
    X(BODY_SUSPENDED, "suspended", CRM_KIND_MAPPING, NULL, NULL, "none",                           \
      "hangs on a string, in the plane, for carom simulate")

#define CRM_GAS_FIELDS(X)                                                                          \
    X(GAS_COUNT, "count", CRM_KIND_COUNT, NULL, "from 1", NULL, "number of spheres or discs")      \
    X(GAS_BOX, "box", CRM_KIND_VECTOR, "m", CRM_LENGTHS, NULL,                                     \
      "side lengths of the box; their number decides between the line, the plane and space")       \
    X(GAS_CORNER, "corner", CRM_KIND_VECTOR, "m", CRM_POSITIONS, "0",                              \
      "of the box, where its coordinates are smallest")                                            \
    X(GAS_RADIUS, "radius", CRM_KIND_OTHER, "m",                                                   \
      "a number, or two: [from, to], drawn uniformly; " CRM_LENGTHS, "from fraction",              \
      "of the bodies, which are numbered from largest to smallest")                                \
    X(GAS_FRACTION, "fraction", CRM_KIND_NUMBER, NULL, "above 0 and below 1", "from radius",       \
      "the fraction of the box that they fill; required without radius")                           \
    X(GAS_MASS, "mass", CRM_KIND_NUMBER, "kg", CRM_MASSES, "from radius and density, else 1",      \
      "of the largest; all have the same density (by length, area or volume)")                     \
    X(GAS_MATERIAL, "material", CRM_KIND_MATERIAL, NULL, NULL, "none",                             \
      "of the bodies and the walls")                                                               \
    X(GAS_TEMPERATURE, "temperature", CRM_KIND_NUMBER, "J", "from 0 to 1e140", "0",                \
      "T: velocities are normally distributed, with variance T/mass in each direction, and "       \
      "scaled so that the mean of mass v^2 over all components is exactly T")                      \
    X(GAS_VELOCITY, "velocity", CRM_KIND_VECTOR, "m/s", CRM_VELOCITIES, "0",                       \
      "mean velocity, which is added")                                                             \
    X(GAS_WALLS, "walls", CRM_KIND_WORD, NULL, "none, open and closed", "closed",                  \
      "walls of the box; an open box has none at the top")                                         \
    X(GAS_SEED, "seed", CRM_KIND_COUNT, NULL, "from 0 to 2^53", "1", "of the random numbers")

#define CRM_SUSPENDED_FIELDS(X)                                                                    \
    X(SUSPENDED_FROM, "from", CRM_KIND_PAIR, "m", CRM_POSITIONS, NULL, "the pivot")                \
    X(SUSPENDED_LENGTH, "length", CRM_KIND_NUMBER, "m", CRM_LENGTHS, NULL,                         \
      "of the string, from the pivot to the body's centre")

#define CRM_WALL_FIELDS(X)                                                                         \
    X(WALL_NAME, "name", CRM_KIND_TEXT, NULL, "that does not look like a number", "wall 1, ...",   \
      "for reports, pairs and --set")                                                              \
    X(WALL_POINT, "point", CRM_KIND_VECTOR, "m", CRM_POSITIONS, NULL, "any point of the wall")     \
    X(WALL_NORMAL, "normal", CRM_KIND_VECTOR, NULL, "any length from 1e-30 to 1e30", NULL,         \
      "points into the free side")                                                                 \
    X(WALL_VELOCITY, "velocity", CRM_KIND_VECTOR, "m/s", CRM_VELOCITIES, "0", "of the wall")       \
    X(WALL_MATERIAL, "material", CRM_KIND_MATERIAL, NULL, NULL, "none", "of the wall")             \
    X(WALL_MOTION, "motion", CRM_KIND_MAPPING, NULL, NULL, "none",                                 \
      "oscillates along its normal, for carom simulate")

/* A sin(2 pi f t + phase), along the normal. */
#define CRM_WALL_MOTION_FIELDS(X)                                                                  \
    X(MOTION_AMPLITUDE, "amplitude", CRM_KIND_NUMBER, "m", CRM_POSITIONS, NULL,                    \
      "A of A sin(2πft + phase)")                                                                  \
    X(MOTION_FREQUENCY, "frequency", CRM_KIND_NUMBER, "1/s", "from 0", NULL, "f")                  \
    X(MOTION_PHASE, "phase", CRM_KIND_NUMBER, "rad", NULL, "0", "at time 0")

#define CRM_CONTACTS_FIELDS(X)                                                                     \
    CRM_CONTACTS_OF_ALL(X, CONTACTS, CRM_KIND_NUMBER)                                              \
    X(CONTACTS_TOLERANCE, "tolerance", CRM_KIND_NUMBER, NULL, NULL, "1e-9",                        \
      "bodies touch if their gap is at most this times the sum of their radii")                    \
    X(CONTACTS_SNAP, "snap", CRM_KIND_NUMBER, NULL, "from 0 to 0.01", "0",                         \
      "spheres whose gap or overlap is at most this times the sum of their radii are moved until " \
      "they touch")                                                                                \
    X(CONTACTS_CLOSURE, "closure", CRM_KIND_OTHER, NULL,                                           \
      "a number from 0 to 0.1, or the word indentation", "1e-9",                                   \
      "in a motion, which gaps count as closed at an impact: those of at most this times the sum " \
      "of the radii, or those that the indentation of the impact closes")

#define CRM_PAIR_FIELDS(X)                                                                         \
    CRM_CONTACTS_APART(X, PAIR)                                                                    \
    X(PAIR_BETWEEN, "between", CRM_KIND_LISTED, NULL,                                              \
      "of two names or numbers; bodies are counted first, then walls", NULL,                       \
      "the two that are in contact")

/* ---- springs, simulate ---------------------------------------------------------------------- */

#define CRM_SPRING_FIELDS(X)                                                                       \
    X(SPRING_BETWEEN, "between", CRM_KIND_LISTED, NULL, "of two: a body, and a body or a point",   \
      NULL, "what it connects, centre to centre")                                                  \
    X(SPRING_STIFFNESS, "stiffness", CRM_KIND_NUMBER, "N/m", "from 0", NULL,                       \
      "force per elongation")                                                                      \
    X(SPRING_DAMPING, "damping", CRM_KIND_NUMBER, "N s/m", "from 0", "0",                          \
      "force per rate of elongation")                                                              \
    X(SPRING_LENGTH, "length", CRM_KIND_NUMBER, "m", "from 0", "0", "at rest (without force)")

#define CRM_SIMULATE_FIELDS(X)                                                                     \
    X(SIMULATE_DURATION, "duration", CRM_KIND_NUMBER, "s", "above 0", NULL,                        \
      "length of the motion, from time 0")                                                         \
    X(SIMULATE_GRAVITY, "gravity", CRM_KIND_VECTOR, "m/s^2", CRM_VELOCITIES, "0",                  \
      "acceleration of free fall; on a line, a number suffices")                                   \
    X(SIMULATE_SCHEME, "scheme", CRM_KIND_WORD, NULL, "event-driven and time-stepping",            \
      "event-driven",                                                                              \
      "event-driven locates every impact in time, time-stepping takes equal steps")                \
    X(SIMULATE_LAW, "law", CRM_KIND_OTHER, NULL, "a law: a name or a mapping",                     \
      "the first of laws", "the law that resolves the impacts")                                    \
    X(SIMULATE_TOLERANCE, "tolerance", CRM_KIND_NUMBER, NULL, "from 1e-13 to 0.01", "1e-9",        \
      "event-driven: relative, of positions and times")                                            \
    X(SIMULATE_STEP, "step", CRM_KIND_NUMBER, "s", "above 0", "1e-3",                              \
      "time-stepping: length of a step")                                                           \
    X(SIMULATE_OUTPUT_EVERY, "output_every", CRM_KIND_NUMBER, "s", "from 0",                       \
      "a thousandth of the duration",                                                              \
      "time between rows of --history; 0: a row after every impact")                               \
    X(SIMULATE_STOP, "stop", CRM_KIND_MAPPING, NULL, NULL, "at the end of the duration",           \
      "conditions that end the motion early")

#define CRM_STOP_FIELDS(X)                                                                         \
    X(STOP_AT_REST, "at_rest", CRM_KIND_WORD, NULL, "true and false", "false",                     \
      "when all bodies are at rest")                                                               \
    X(STOP_IMPACTS, "impacts", CRM_KIND_COUNT, NULL, "from 1 to 2^53", "no limit",                 \
      "after this many impacts")

/* ---- system --------------------------------------------------------------------------------- */

#define CRM_SYSTEM_FIELDS(X)                                                                       \
    X(SYSTEM_MASS, "mass", CRM_KIND_OTHER, CRM_OF_SYSTEM,                                          \
      "a number, the diagonal, or rows of the full matrix; " CRM_MASSES, NULL, "M")                \
    X(SYSTEM_VELOCITY, "velocity", CRM_KIND_PER_COORDINATE, CRM_OF_SYSTEM, CRM_VELOCITIES, "0",    \
      "before the impact")                                                                         \
    X(SYSTEM_CONTACTS, "contacts", CRM_KIND_LISTED, NULL, "of mappings", NULL, "the columns of W") \
    X(SYSTEM_NAMES, "names", CRM_KIND_LISTED, NULL, "one per coordinate", "coordinate 1, ...",     \
      "names of the coordinates")

#define CRM_SYSTEM_CONTACT_FIELDS(X)                                                               \
    CRM_CONTACT_LIST(X, CONTACT, CRM_KIND_NUMBER, "1", "1.5", "1", "0")                            \
    X(CONTACT_W, "w", CRM_KIND_PER_COORDINATE, CRM_OF_SYSTEM,                                      \
      "or a mapping of those that are not 0; the largest from 1e-30 to 1e30 in size", NULL,        \
      "gradient of the gap: where w·v is positive, the gap opens")                                 \
    X(CONTACT_BOUNDARY_VELOCITY, "boundary_velocity", CRM_KIND_NUMBER, CRM_OF_SYSTEM,              \
      "up to 1e70 in size", "0", "added to w·v")                                                   \
    X(CONTACT_GAP, "gap", CRM_KIND_NUMBER, CRM_OF_SYSTEM, "0 or " CRM_LENGTHS, "0",                \
      "initial gap (law compliant only)")                                                          \
    X(CONTACT_NAME, "name", CRM_KIND_TEXT, NULL, NULL, "contact 1, ...",                           \
      "of the contact, for reports")

/* ---- sweep ---------------------------------------------------------------------------------- */

#define CRM_SWEEP_FIELDS(X)                                                                        \
    X(SWEEP_GRID, "grid", CRM_KIND_MAPPING, NULL, "from paths to values", "none",                  \
      "fields that take the values of lists or ranges; a sweep needs a grid, a sample or both")    \
    X(SWEEP_SAMPLE, "sample", CRM_KIND_MAPPING, NULL, NULL, "none",                                \
      "fields that are drawn at random")                                                           \
    X(SWEEP_RECORD, "record", CRM_KIND_LISTED, NULL, "of quantities",                              \
      "energy_ratio, dispersion, difference_percent", "quantities to record")

#define CRM_RANGE_FIELDS(X)                                                                        \
    X(RANGE_FROM, "from", CRM_KIND_NUMBER, CRM_OF_FIELD, NULL, NULL, "the first value")            \
    X(RANGE_TO, "to", CRM_KIND_NUMBER, CRM_OF_FIELD, NULL, NULL, "the last value")                 \
    X(RANGE_STEPS, "steps", CRM_KIND_COUNT, NULL, "from 2", NULL,                                  \
      "number of values, both ends included")                                                      \
    X(RANGE_SCALE, "scale", CRM_KIND_WORD, NULL, "linear and log", "linear",                       \
      "evenly spaced in the value, or in its logarithm")

#define CRM_SAMPLE_FIELDS(X)                                                                       \
    X(SAMPLE_POINTS, "points", CRM_KIND_COUNT, NULL, "from 1 to 1e9", NULL, "number of draws")     \
    X(SAMPLE_SEED, "seed", CRM_KIND_COUNT, NULL, "from 0 to 2^53", "1", "of the random numbers")   \
    X(SAMPLE_OF, "of", CRM_KIND_MAPPING, NULL, "from paths to distributions", NULL,                \
      "the fields that are drawn")

/* The distributions come first. */
#define CRM_DISTRIBUTION_FIELDS(X, PREFIX, UNIT)                                                   \
    X(PREFIX##_UNIFORM, "uniform", CRM_KIND_PAIR, UNIT, NULL, "one of the three is required",      \
      "[a, b]: uniform between a and b")                                                           \
    X(PREFIX##_NORMAL, "normal", CRM_KIND_PAIR, UNIT, NULL, "one of the three is required",        \
      "[m, s]: mean m, standard deviation s")                                                      \
    X(PREFIX##_LOGNORMAL, "lognormal", CRM_KIND_PAIR, NULL, NULL, "one of the three is required",  \
      "[m, s]: its logarithm is normal, with mean m and deviation s")                              \
    X(PREFIX##_WITHIN, "within", CRM_KIND_PAIR, UNIT, NULL, "no limits",                           \
      "[a, b]: draws outside are repeated; must contain at least 1 % of the distribution")

#define CRM_DRAW_FIELDS(X)                                                                         \
    CRM_DISTRIBUTION_FIELDS(X, DRAW, CRM_OF_FIELD)                                                 \
    X(DRAW_AS, "as", CRM_KIND_WORD, NULL, "value, factor and offset", "value",                     \
      "a factor multiplies the scenario's value, an offset is added to it")                        \
    X(DRAW_EACH, "each", CRM_KIND_OTHER, NULL, "true, false, or a whole number", "false",          \
      "true: every entry of the scenario's list is drawn separately, in columns chain.mass[1], "   \
      "...; 5: likewise, with a list of five in place of a single number or none")

/* ---- sensitivity, fit, design ---------------------------------------------------------------- */

#define CRM_SENSITIVITY_FIELDS(X)                                                                  \
    X(SENSITIVITY_OF, "of", CRM_KIND_LISTED, NULL, "of quantities",                                \
      "velocity, impulse, energy_after",                                                           \
      "quantities to differentiate; of a list such as velocity, every entry")                      \
    X(SENSITIVITY_TO, "to", CRM_KIND_LISTED, NULL, "of paths", "those of uncertainty",             \
      "fields to differentiate with respect to; a list gives one column per entry")                \
    X(SENSITIVITY_UNCERTAINTY, "uncertainty", CRM_KIND_MAPPING, NULL,                              \
      "from paths to standard deviations, in the field's unit", "none",                            \
      "uncertainties of fields, which are propagated to every quantity")                           \
    X(SENSITIVITY_SAMPLES, "samples", CRM_KIND_COUNT, NULL, "from 2 to 1e6", "1000",               \
      "random draws of the uncertain fields, for comparison with the derivatives")                 \
    X(SENSITIVITY_SEED, "seed", CRM_KIND_COUNT, NULL, "from 0 to 2^53", "1",                       \
      "of the random numbers")

#define CRM_ADMISSIBLE_FIELDS(X)                                                                   \
    X(ADMISSIBLE_OF, "of", CRM_KIND_LISTED, NULL, "of quantities", "velocity, energy_ratio",       \
      "quantities whose least and greatest values are wanted; of a list such as velocity, every "  \
      "entry")                                                                                     \
    X(ADMISSIBLE_PLANE, "plane", CRM_KIND_LISTED, NULL, "of two quantities",                       \
      "the gap velocities of two contacts, else the first two quantities",                         \
      "the axes of the picture")

#define CRM_FIT_FIELDS(X)                                                                          \
    X(FIT_PARAMETERS, "parameters", CRM_KIND_MAPPING, NULL, "from paths to ranges", NULL,          \
      "parameters to estimate")                                                                    \
    X(FIT_MEASURED, "measured", CRM_KIND_LISTED, NULL, "of mappings", NULL, "measured quantities") \
    X(FIT_STARTS, "starts", CRM_KIND_COUNT, NULL, "from 1 to 10000",                               \
      "as many as it takes, at most 100",                                                          \
      "number of starting points: the first guess, then random ones within the ranges")            \
    X(FIT_SEED, "seed", CRM_KIND_COUNT, NULL, "from 0 to 2^53", "1", "of the random numbers")

#define CRM_UNKNOWN_FIELDS(X)                                                                      \
    X(UNKNOWN_FROM, "from", CRM_KIND_NUMBER, CRM_OF_FIELD, NULL, NULL, "lower bound")              \
    X(UNKNOWN_TO, "to", CRM_KIND_NUMBER, CRM_OF_FIELD, NULL, NULL, "upper bound")                  \
    X(UNKNOWN_START, "start", CRM_KIND_NUMBER, CRM_OF_FIELD, "from `from` to `to`",                \
      "the scenario's value, else the middle of the range", "the first guess")                     \
    X(UNKNOWN_EACH, "each", CRM_KIND_COUNT, NULL, "from 1 to 100000",                              \
      "as many as the scenario's list has",                                                        \
      "replaces a single number of the scenario by a list of this length, each entry with a "      \
      "value of its own")

#define CRM_MEASURED_FIELDS(X)                                                                     \
    X(MEASURED_WHAT, "what", CRM_KIND_TEXT, NULL, "that names a quantity, such as velocity[1]",    \
      NULL, "the measured quantity")                                                               \
    X(MEASURED_VALUE, "value", CRM_KIND_NUMBER, "the quantity's unit", NULL, NULL,                 \
      "the measured value")                                                                        \
    X(MEASURED_UNCERTAINTY, "uncertainty", CRM_KIND_NUMBER, "the quantity's unit", "above 0",      \
      "the same for all, estimated from their scatter; then none may have one",                    \
      "one standard deviation")                                                                    \
    X(MEASURED_SET, "set", CRM_KIND_LISTED, NULL, "of \"PATH=VALUE\"", "none",                     \
      "what differs in this experiment, as for --set")

#define CRM_DESIGN_FIELDS(X)                                                                       \
    X(DESIGN_MAXIMIZE, "maximize", CRM_KIND_TEXT, NULL, "that names a quantity",                   \
      "then minimize is required", "the quantity to maximize")                                     \
    X(DESIGN_MINIMIZE, "minimize", CRM_KIND_TEXT, NULL, "that names a quantity",                   \
      "then maximize is required", "the quantity to minimize")                                     \
    X(DESIGN_OVER, "over", CRM_KIND_MAPPING, NULL, "from paths to ranges", NULL, "fields to vary") \
    X(DESIGN_SUBJECT_TO, "subject_to", CRM_KIND_LISTED, NULL,                                      \
      "such as sum(chain.mass) = 20, 2*chain.mass[1] <= chain.mass[2], increasing(chain.mass)",    \
      "none", "linear constraints on these fields")                                                \
    X(DESIGN_STARTS, "starts", CRM_KIND_COUNT, NULL, "from 1 to 10000", "10",                      \
      "number of starting points: the scenario's own, then random ones")                           \
    X(DESIGN_SEED, "seed", CRM_KIND_COUNT, NULL, "from 0 to 2^53", "1", "of the random numbers")

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
