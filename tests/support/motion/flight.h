/* A motion whose files are looked at, and running it. For tests of the program. */
#ifndef TEST_FLIGHT_H
#define TEST_FLIGHT_H

#include <stdio.h>
#include <string.h>

#include "program.h"

/* Three balls that fall on each other and on a floor, thrown aside. */
static const char FLIGHT[] =
    "bodies:\n"
    "  - {name: a, radius: 0.1, mass: 1, position: [0, 1], velocity: [0.1, 0]}\n"
    "  - {name: b, radius: 0.2, mass: 2, position: [0.1, 2], velocity: [0, 0]}\n"
    "  - {name: c, radius: 0.1, mass: 1, position: [2, 3], velocity: [-0.5, 0]}\n"
    "walls: [{name: floor, point: [0, 0], normal: [0, 1]}]\n"
    "contacts: {restitution: 0.8}\n"
    "simulate: {duration: 2, gravity: [0, -9.81], output_every: 0.05}\n";

static inline int run(fixture *f, const char *rest)
{
    char arguments[2048];
    snprintf(arguments, sizeof arguments, "simulate %s", rest);
    return run_carom(f, arguments);
}

static inline void must(fixture *f, const char *rest)
{
    if (run(f, rest) != 0) {
        fail_msg("%s: %s", rest, f->err);
    }
}

/* How often the word is in the text. */
static inline size_t count(const char *text, const char *word)
{
    size_t found = 0;
    while ((text = strstr(text, word)) != NULL) {
        text += strlen(word);
        found++;
    }
    return found;
}

#endif
