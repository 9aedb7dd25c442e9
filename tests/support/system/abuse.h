/* Definitions with one field that cannot be: each must be refused, with a message that says where.
 *
 * A case is a struct with a definition, and what it points to, that is accepted as it is. Its
 * fields are given in turn every value of a list of bad ones for their kind.
 */
#ifndef CAROM_TEST_ABUSE_H
#define CAROM_TEST_ABUSE_H

#include <stddef.h>

#include "carom/carom.h"

typedef enum abuse_kind { ABUSE_NUMBER, ABUSE_SIZE, ABUSE_CHOICE, ABUSE_POINTER } abuse_kind;

/* Bad values that are good for the field, or that make no difference. */
enum {
    MAY_BE_NAN = 1,
    MAY_BE_NEGATIVE = 2,
    MAY_BE_ZERO = 4, /* of a pointer: NULL */
    MAY_BE_TINY = 8, /* 5e-324 */
    MAY_BE_HUGE = 16,
    MAY_BE_INFINITE = 32,
    ANY_PLACE = MAY_BE_NEGATIVE | MAY_BE_ZERO | MAY_BE_TINY
};

typedef struct abuse_field {
    const char *name;
    abuse_kind kind;
    size_t offset;
    int may;
    const char *place; /* part of the place that the error names; NULL: `name` */
} abuse_field;

typedef struct abuse_case {
    const char *name;
    const void *good;
    size_t size;
    /* Points the definition to the arrays of this copy, unless they were taken away, and calls. */
    crm_status (*call)(void *copy, crm_error *error);
    const abuse_field *fields;
    size_t count;
} abuse_case;

/* How many abuses there were; fails the test at one that was not refused, after all were tried. */
size_t abuse_all(const abuse_case *c);
/* The same of a call as it is: refused, with a place that contains the text. */
void abuse_check(const char *name, crm_status status, const crm_error *error, const char *place);

#define ABUSE_FIELD(type, member, kind, may, place)                                                \
    {                                                                                              \
#member, ABUSE_##kind, offsetof(type, member), (may), (place)                              \
    }

#endif
