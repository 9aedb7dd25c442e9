/* Numbers as people write them: 2*sqrt(3), pi/6, 30 deg, 1 cm, 7.8 g/cm^3. Inside everything is in
 * kilograms, metres, seconds and radians.
 *
 *     sum     = product { ("+" | "-") product }
 *     product = signed { ("*" | "/") signed | NAME }
 *     signed  = { "+" | "-" } power
 *     power   = value [ "^" signed ]
 *     value   = NUMBER | NAME | FUNCTION "(" sum ")" | "(" sum ")"
 *
 * A NAME behind a value, a unit or a constant, multiplies it.
 * Products go from left to right: 1/2 m is half a metre.
 */
#ifndef CRM_NUMBER_H
#define CRM_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

#include "scenario/number/wide/wide.h"
#include "scenario/yaml/tree.h"

typedef enum crm_dimension {
    CRM_DIMENSION_LENGTH,
    CRM_DIMENSION_MASS,
    CRM_DIMENSION_TIME,
    CRM_DIMENSIONS
} crm_dimension;

typedef struct crm_quantity {
    crm_wide value;                   /* wider than what is kept, so that 0.1 + 0.2 is 0.3 */
    double dimension[CRM_DIMENSIONS]; /* powers of m, kg and s */
} crm_quantity;

/* A name that an expression may use beside units and constants, and before them. */
typedef struct crm_symbol {
    const char *name; /* letters */
    crm_quantity quantity;
} crm_symbol;

typedef struct crm_symbols {
    const crm_symbol *entries;
    size_t count;
} crm_symbols;

/* What the text says. False: *problem, fit for a message, says what is wrong with it. */
bool crm_expression_read(const char *text, crm_quantity *quantity, char *problem, size_t size);
/* The same of a text with names of its own. */
bool crm_expression_compute(const char *text, crm_symbols symbols, crm_quantity *quantity,
                            char *problem, size_t size);
/* Whether a name is free for a symbol: letters alone, and no unit, constant or function. */
bool crm_expression_name_is_free(const char *name);
/* Whether its unit is `unit`, or it has none (crm_number_fits). */
bool crm_number_fits_quantity(const crm_quantity *quantity, const char *unit);

/* A unit or constant by its name: "cm", "pi". False: there is none. */
bool crm_unit_find(const char *name, size_t length, crm_quantity *unit);

/* The value of a number or an expression, in SI units. False, *value untouched: neither. */
bool crm_number_value(const crm_node *node, double *value);
/* Whether a scalar may stand where this unit is wanted; NULL: a number without unit. A bare number
 * may always, and where the unit is not one of ours ("of the field") anything.
 */
bool crm_number_fits(const crm_node *node, const char *unit);

#endif
