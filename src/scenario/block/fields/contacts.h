/* Fields of contacts, with their curves and restitution. Internal. */
#ifndef CRM_FIELDS_CONTACTS_H
#define CRM_FIELDS_CONTACTS_H

#include "scenario/block/fields/ranges.h"

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

/* In blocks whose contacts can slip. */
#define CRM_FRICTION_FIELD(X, PREFIX, KIND, ALLOWED, STANDARD)                                     \
    X(PREFIX##_FRICTION, "friction", KIND, NULL, ALLOWED, STANDARD,                                \
      "coefficient of friction, μ of |Q| <= μ P")

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

#endif
