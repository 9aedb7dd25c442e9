#include "abuse.h"

#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct {
    double value;
    int may;
} numbers[] = {
    {NAN, MAY_BE_NAN},
    {INFINITY, MAY_BE_INFINITE},
    {-INFINITY, MAY_BE_INFINITE | MAY_BE_NEGATIVE},
    {-1, MAY_BE_NEGATIVE},
    {0, MAY_BE_ZERO},
    {5e-324, MAY_BE_TINY},
    {-5e-324, MAY_BE_TINY | MAY_BE_NEGATIVE},
    {1e308, MAY_BE_HUGE},
    {-1e308, MAY_BE_HUGE | MAY_BE_NEGATIVE},
};

static const size_t sizes[] = {0, SIZE_MAX, SIZE_MAX / 2 + 1, SIZE_MAX / 8, SIZE_MAX / 24 + 1};
static const int choices[] = {-1, 99, INT_MAX, INT_MIN};

static size_t value_count(abuse_kind kind)
{
    const size_t counts[] = {sizeof numbers / sizeof numbers[0], sizeof sizes / sizeof sizes[0],
                             sizeof choices / sizeof choices[0], 1};
    return counts[kind];
}

/* Writes bad value v into the field; whether it may be refused or not, and its text. */
static bool spoil(const abuse_field *field, size_t v, void *copy, char text[64])
{
    void *at = (char *)copy + field->offset;
    switch (field->kind) {
    case ABUSE_NUMBER:
        memcpy(at, &numbers[v].value, sizeof(double));
        snprintf(text, 64, "%g", numbers[v].value);
        return (numbers[v].may & ~field->may) == 0;
    case ABUSE_SIZE:
        memcpy(at, &sizes[v], sizeof(size_t));
        snprintf(text, 64, "%zu", sizes[v]);
        return sizes[v] == 0 && (field->may & MAY_BE_ZERO) != 0;
    case ABUSE_CHOICE:
        memcpy(at, &choices[v], sizeof(int));
        snprintf(text, 64, "%d", choices[v]);
        return false;
    default:
        memset(at, 0, sizeof(void *));
        snprintf(text, 64, "NULL");
        return (field->may & MAY_BE_ZERO) != 0;
    }
}

/* What is wrong with the answer to something that must be refused; NULL: nothing. */
static const char *fault(crm_status status, const crm_error *error, const char *place)
{
    return status == CRM_OK                      ? "it was accepted"
           : status != error->status             ? "the error has another status"
           : error->message[0] == '\0'           ? "there is no message"
           : strstr(error->place, place) == NULL ? "the place is another"
           : status == CRM_ERROR_MEMORY          ? "it was tried"
                                                 : NULL;
}

void abuse_check(const char *name, crm_status status, const crm_error *error, const char *place)
{
    const char *wrong = fault(status, error, place);
    if (wrong != NULL) {
        fail_msg("%s: %s (status %d, %s: %s)", name, wrong, (int)status, error->place,
                 error->message);
    }
}

static bool try_one(const abuse_case *c, const abuse_field *field, size_t v, void *copy)
{
    char text[64];
    crm_error error = {0};
    memcpy(copy, c->good, c->size);
    bool allowed = spoil(field, v, copy, text);
    crm_status status = c->call(copy, &error);
    const char *wrong =
        allowed ? status == CRM_OK || error.message[0] != '\0' ? NULL : "no message"
                : fault(status, &error, field->place != NULL ? field->place : field->name);
    if (wrong != NULL) {
        print_error("%s with %s = %s: %s (status %d, %s: %s)\n", c->name, field->name, text, wrong,
                    (int)status, error.place, error.message);
    }
    return wrong == NULL;
}

size_t abuse_all(const abuse_case *c)
{
    size_t tried = 0, wrong = 0;
    void *copy = malloc(c->size);
    assert_non_null(copy);
    crm_error error = {0};
    memcpy(copy, c->good, c->size);
    if (c->call(copy, &error) != CRM_OK) {
        fail_msg("%s as it is: %s: %s", c->name, error.place, error.message);
    }
    for (size_t f = 0; f < c->count; f++) {
        for (size_t v = 0; v < value_count(c->fields[f].kind); v++, tried++) {
            wrong += !try_one(c, &c->fields[f], v, copy);
        }
    }
    free(copy);
    if (wrong > 0) {
        fail_msg("%s: %zu of %zu abuses", c->name, wrong, tried);
    }
    print_message("%s: %zu abuses\n", c->name, tried);
    return tried;
}
