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

#include "scenario/yaml/tree.h"

typedef enum crm_dimension {
    CRM_DIMENSION_LENGTH,
    CRM_DIMENSION_MASS,
    CRM_DIMENSION_TIME,
    CRM_DIMENSIONS
} crm_dimension;

typedef struct crm_quantity {
    long double value;                /* wider than what is kept, so that 0.1 + 0.2 is 0.3 */
    double dimension[CRM_DIMENSIONS]; /* powers of m, kg and s */
} crm_quantity;

/* What the text says. False: *problem, fit for a message, says what is wrong with it. */
bool crm_expression_read(const char *text, crm_quantity *quantity, char *problem, size_t size);

/* The same with names for numbers, which win over units; `used` is set of those that occur. */
typedef struct crm_named_number {
    const char *name;
    double value;
    bool used;
} crm_named_number;

bool crm_expression_read_with(const char *text, crm_named_number *variables, size_t count,
                              crm_quantity *quantity, char *problem, size_t size);
bool crm_quantity_has_unit(const crm_quantity *quantity);

/* A unit or constant by its name: "cm", "pi". False: there is none. */
bool crm_unit_find(const char *name, size_t length, crm_quantity *unit);

/* A bare number, or what an expression comes to, in SI units. False, *value untouched: neither. */
bool crm_number_value(const crm_node *node, double *value);
/* Whether a scalar may stand where this unit is wanted; NULL: a number without unit. A bare number
 * may always, and where the unit is not one of ours ("of the field") anything.
 */
bool crm_number_fits(const crm_node *node, const char *unit);

#endif
