/* Fields of bodies, walls, contacts and pairs. Internal. */
#ifndef CRM_FIELDS_BODIES_H
#define CRM_FIELDS_BODIES_H

#include "scenario/block/fields/contacts.h"
#include "scenario/block/fields/ranges.h"

#define CRM_BODY_FIELDS(X)                                                                         \
    X(BODY_NAME, "name", CRM_KIND_TEXT, NULL, "that does not look like a number", "body 1, ...",   \
      "for reports, pairs and --set")                                                              \
    X(BODY_SHAPE, "shape", CRM_KIND_WORD, NULL, "sphere, disc, rod, box, ellipse and ellipsoid",   \
      "sphere",                                                                                    \
      "without friction a disc behaves like a sphere; rods (thin), boxes and ellipses (plates) "   \
      "are for the plane, "                                                                        \
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
    X(BODY_SPIN, "spin", CRM_KIND_OTHER, "rad/s", "a number; in space a list of three", "0",       \
      "angular velocity before the impact of a body that has an angle, and with friction of a "    \
      "sphere or disc; in space about the axes of space (sphere) or its own (ellipsoid); of a "    \
      "suspended body, about its pivot")                                                           \
    X(BODY_INERTIA, "inertia", CRM_KIND_NUMBER, "kg m^2", CRM_MASSES,                              \
      "rod m l^2 / 12, box m (w^2 + h^2) / 12, ellipse m (a^2 + b^2) / 4, disc m r^2 / 2, sphere " \
      "2/5 m r^2",                                                                                 \
      "of a rod, box or ellipse, and with friction of a sphere or disc, about its centre")         \
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
    X(WALL_VELOCITY, "velocity", CRM_KIND_VECTOR, "m/s", CRM_VELOCITIES, "0",                      \
      "of the wall; along it, for friction")                                                       \
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
    CRM_FRICTION_FIELD(X, CONTACTS, CRM_KIND_OTHER,                                                \
                       "a number " CRM_FRICTIONS ", or the word materials: that of each pair of "  \
                       "materials, which must be known",                                           \
                       "from the materials that have one, else 0")                                 \
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
    CRM_FRICTION_FIELD(X, PAIR, CRM_KIND_NUMBER, CRM_FRICTIONS, "as for all contacts")             \
    X(PAIR_BETWEEN, "between", CRM_KIND_LISTED, NULL,                                              \
      "of two names or numbers; bodies are counted first, then walls", NULL,                       \
      "the two that are in contact")

#endif
