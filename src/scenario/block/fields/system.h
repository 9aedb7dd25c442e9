/* Fields of systems. Internal. */
#ifndef CRM_FIELDS_SYSTEM_H
#define CRM_FIELDS_SYSTEM_H

#include "scenario/block/fields/contacts.h"
#include "scenario/block/fields/ranges.h"

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
    CRM_FRICTION_FIELD(X, CONTACT, CRM_KIND_NUMBER, CRM_FRICTIONS, "0")                            \
    X(CONTACT_W, "w", CRM_KIND_PER_COORDINATE, CRM_OF_SYSTEM,                                      \
      "or a mapping of those that are not 0; the largest from 1e-30 to 1e30 in size", NULL,        \
      "gradient of the gap: where w·v is positive, the gap opens")                                 \
    X(CONTACT_T, "t", CRM_KIND_OTHER, CRM_OF_SYSTEM,                                               \
      "like w; in space a list of two such; entries up to 1e30 in size", "required with friction", \
      "tangent: the contact slips with t·v; of unit length, and orthogonal, as seen in space")     \
    X(CONTACT_TANGENTIAL_VELOCITY, "tangential_velocity", CRM_KIND_OTHER, CRM_OF_SYSTEM,           \
      "a number; in space a list of two; up to 1e70 in size", "0", "added to t·v")                 \
    X(CONTACT_BOUNDARY_VELOCITY, "boundary_velocity", CRM_KIND_NUMBER, CRM_OF_SYSTEM,              \
      "up to 1e70 in size", "0", "added to w·v")                                                   \
    X(CONTACT_GAP, "gap", CRM_KIND_NUMBER, CRM_OF_SYSTEM, "0 or " CRM_LENGTHS, "0",                \
      "initial gap (law compliant only)")                                                          \
    X(CONTACT_NAME, "name", CRM_KIND_TEXT, NULL, NULL, "contact 1, ...",                           \
      "of the contact, for reports")

#endif
