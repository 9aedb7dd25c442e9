/* Fields of springs and of motions. Internal. */
#ifndef CRM_FIELDS_MOTION_H
#define CRM_FIELDS_MOTION_H

#include "scenario/block/fields/ranges.h"

#define CRM_SPRING_FIELDS(X)                                                                       \
    X(SPRING_BETWEEN, "between", CRM_KIND_LISTED, NULL, "of two: a body, and a body or a point",   \
      NULL, "what it connects, centre to centre")                                                  \
    X(SPRING_STIFFNESS, "stiffness", CRM_KIND_NUMBER, "N/m", "from 0", NULL,                       \
      "force per elongation")                                                                      \
    X(SPRING_DAMPING, "damping", CRM_KIND_NUMBER, "N s/m", "from 0", "0",                          \
      "force per rate of elongation")                                                              \
    X(SPRING_LENGTH, "length", CRM_KIND_NUMBER, "m", "from 0", "0", "at rest (without force)")

#define CRM_SIMULATE_FIELDS(X)                                                                     \
    X(SIMULATE_DURATION, "duration", CRM_KIND_NUMBER, "s", "above 0", NULL,                        \
      "length of the motion, from time 0")                                                         \
    X(SIMULATE_GRAVITY, "gravity", CRM_KIND_VECTOR, "m/s^2", CRM_VELOCITIES, "0",                  \
      "acceleration of free fall; on a line, a number suffices")                                   \
    X(SIMULATE_SCHEME, "scheme", CRM_KIND_WORD, NULL, "event-driven and time-stepping",            \
      "event-driven",                                                                              \
      "event-driven locates every impact in time, time-stepping takes equal steps")                \
    X(SIMULATE_LAW, "law", CRM_KIND_OTHER, NULL, "a law: a name or a mapping",                     \
      "the first of laws", "the law that resolves the impacts")                                    \
    X(SIMULATE_TOLERANCE, "tolerance", CRM_KIND_NUMBER, NULL, "from 1e-13 to 0.01", "1e-9",        \
      "event-driven: relative, of positions and times")                                            \
    X(SIMULATE_STEP, "step", CRM_KIND_NUMBER, "s", "above 0", "1e-3",                              \
      "time-stepping: length of a step")                                                           \
    X(SIMULATE_OUTPUT_EVERY, "output_every", CRM_KIND_NUMBER, "s", "from 0",                       \
      "a thousandth of the duration",                                                              \
      "time between rows of --history; 0: a row after every impact")                               \
    X(SIMULATE_STOP, "stop", CRM_KIND_MAPPING, NULL, NULL, "at the end of the duration",           \
      "conditions that end the motion early")

#define CRM_STOP_FIELDS(X)                                                                         \
    X(STOP_AT_REST, "at_rest", CRM_KIND_WORD, NULL, "true and false", "false",                     \
      "when all bodies are at rest")                                                               \
    X(STOP_IMPACTS, "impacts", CRM_KIND_COUNT, NULL, "from 1 to 2^53", "no limit",                 \
      "after this many impacts")

#endif
