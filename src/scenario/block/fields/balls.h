/* Fields of chains and packings. Internal. */
#ifndef CRM_FIELDS_BALLS_H
#define CRM_FIELDS_BALLS_H

#include "scenario/block/fields/contacts.h"
#include "scenario/block/fields/ranges.h"

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
    CRM_FRICTION_FIELD(X, PACKING, CRM_KIND_PER_CONTACT, CRM_FRICTIONS, "0")                       \
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
    CRM_FRICTION_FIELD(X, WALLS, CRM_KIND_NUMBER, CRM_FRICTIONS, "as for all contacts")            \
    X(WALLS_KIND, "kind", CRM_KIND_WORD, NULL, "none, floor and box", NULL,                        \
      "which walls there are")                                                                     \
    X(WALLS_MATERIAL, "material", CRM_KIND_MATERIAL, NULL, NULL, "that of the balls",              \
      "of the walls")

#define CRM_PROJECTILE_FIELDS(X)                                                                   \
    CRM_CONTACTS_APART(X, PROJECTILE)                                                              \
    CRM_FRICTION_FIELD(X, PROJECTILE, CRM_KIND_NUMBER, CRM_FRICTIONS, "as for all contacts")       \
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

#endif
