/* What the tests of carom simulate share: running it, and reading what it says. */
#ifndef CRM_SIMULATING_H
#define CRM_SIMULATING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "program.h"

#define EXAMPLE(name) CAROM_SOURCE_DIR "/examples/" name ".yaml"

static inline int run(fixture *f, const char *rest)
{
    char arguments[2048];
    snprintf(arguments, sizeof arguments, "simulate %s", rest);
    return run_carom(f, arguments);
}

/* The JSON of a run that is done. */
static inline json_t *simulate(fixture *f, const char *rest)
{
    char all[1024];
    json_error_t error;
    snprintf(all, sizeof all, "-f json %s", rest);
    if (run(f, all) != 0) {
        fail_msg("%s: %s", rest, f->err);
    }
    json_t *root = json_loads(f->out, 0, &error);
    if (root == NULL) {
        fail_msg("line %d: %s", error.line, error.text);
    }
    return root;
}

static inline double number_of(const json_t *root, const char *key)
{
    const json_t *value = json_object_get(root, key);
    assert_true(json_is_number(value));
    return json_number_value(value);
}

static inline size_t count(const char *text, char letter)
{
    size_t found = 0;
    for (; *text != '\0'; text++) {
        found += *text == letter;
    }
    return found;
}

/* A ball that is thrown, and bounces. */
static const char THROWN[] =
    "bodies: [{name: ball, radius: 0.1, mass: 1, position: [0, 1.1], velocity: [2, 0]}]\n"
    "walls: [{name: floor, point: [0, 0], normal: [0, 1]}]\n"
    "contacts: {restitution: 0.5}\n"
    "simulate: {duration: 0.875, gravity: [0, -9.81], output_every: 0.125}\n";

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
