/* Fields of sweeps, fits, designs and other studies. Internal. */
#ifndef CRM_FIELDS_STUDIES_H
#define CRM_FIELDS_STUDIES_H

#include "scenario/block/fields/ranges.h"

/* ---- sweep ---------------------------------------------------------------------------------- */

#define CRM_SWEEP_FIELDS(X)                                                                        \
    X(SWEEP_GRID, "grid", CRM_KIND_MAPPING, NULL, "from paths to values", "none",                  \
      "fields that take the values of lists or ranges; a sweep needs a grid, a sample or both")    \
    X(SWEEP_SAMPLE, "sample", CRM_KIND_MAPPING, NULL, NULL, "none",                                \
      "fields that are drawn at random")                                                           \
    X(SWEEP_RECORD, "record", CRM_KIND_LISTED, NULL, "of quantities",                              \
      "energy_ratio, dispersion, difference_percent", "quantities to record")

#define CRM_RANGE_FIELDS(X)                                                                        \
    X(RANGE_FROM, "from", CRM_KIND_NUMBER, CRM_OF_FIELD, NULL, NULL, "the first value")            \
    X(RANGE_TO, "to", CRM_KIND_NUMBER, CRM_OF_FIELD, NULL, NULL, "the last value")                 \
    X(RANGE_STEPS, "steps", CRM_KIND_COUNT, NULL, "from 2", NULL,                                  \
      "number of values, both ends included")                                                      \
    X(RANGE_SCALE, "scale", CRM_KIND_WORD, NULL, "linear and log", "linear",                       \
      "evenly spaced in the value, or in its logarithm")

#define CRM_SAMPLE_FIELDS(X)                                                                       \
    X(SAMPLE_POINTS, "points", CRM_KIND_COUNT, NULL, "from 1 to 1e9", NULL, "number of draws")     \
    X(SAMPLE_SEED, "seed", CRM_KIND_COUNT, NULL, "from 0 to 2^53", "1", "of the random numbers")   \
    X(SAMPLE_OF, "of", CRM_KIND_MAPPING, NULL, "from paths to distributions", NULL,                \
      "the fields that are drawn")

/* The distributions come first. */
#define CRM_DISTRIBUTION_FIELDS(X, PREFIX, UNIT)                                                   \
    X(PREFIX##_UNIFORM, "uniform", CRM_KIND_PAIR, UNIT, NULL, "one of the three is required",      \
      "[a, b]: uniform between a and b")                                                           \
    X(PREFIX##_NORMAL, "normal", CRM_KIND_PAIR, UNIT, NULL, "one of the three is required",        \
      "[m, s]: mean m, standard deviation s")                                                      \
    X(PREFIX##_LOGNORMAL, "lognormal", CRM_KIND_PAIR, NULL, NULL, "one of the three is required",  \
      "[m, s]: its logarithm is normal, with mean m and deviation s")                              \
    X(PREFIX##_WITHIN, "within", CRM_KIND_PAIR, UNIT, NULL, "no limits",                           \
      "[a, b]: draws outside are repeated; must contain at least 1 % of the distribution")

#define CRM_DRAW_FIELDS(X)                                                                         \
    CRM_DISTRIBUTION_FIELDS(X, DRAW, CRM_OF_FIELD)                                                 \
    X(DRAW_AS, "as", CRM_KIND_WORD, NULL, "value, factor and offset", "value",                     \
      "a factor multiplies the scenario's value, an offset is added to it")                        \
    X(DRAW_EACH, "each", CRM_KIND_OTHER, NULL, "true, false, or a whole number", "false",          \
      "true: every entry of the scenario's list is drawn separately, in columns chain.mass[1], "   \
      "...; 5: likewise, with a list of five in place of a single number or none")

/* ---- sensitivity, fit, design ---------------------------------------------------------------- */

#define CRM_SENSITIVITY_FIELDS(X)                                                                  \
    X(SENSITIVITY_OF, "of", CRM_KIND_LISTED, NULL, "of quantities",                                \
      "velocity, impulse, energy_after",                                                           \
      "quantities to differentiate; of a list such as velocity, every entry")                      \
    X(SENSITIVITY_TO, "to", CRM_KIND_LISTED, NULL, "of paths", "those of uncertainty",             \
      "fields to differentiate with respect to; a list gives one column per entry")                \
    X(SENSITIVITY_UNCERTAINTY, "uncertainty", CRM_KIND_MAPPING, NULL,                              \
      "from paths to standard deviations, in the field's unit", "none",                            \
      "uncertainties of fields, which are propagated to every quantity")                           \
    X(SENSITIVITY_SAMPLES, "samples", CRM_KIND_COUNT, NULL, "from 2 to 1e6", "1000",               \
      "random draws of the uncertain fields, for comparison with the derivatives")                 \
    X(SENSITIVITY_SEED, "seed", CRM_KIND_COUNT, NULL, "from 0 to 2^53", "1",                       \
      "of the random numbers")

#define CRM_ADMISSIBLE_FIELDS(X)                                                                   \
    X(ADMISSIBLE_OF, "of", CRM_KIND_LISTED, NULL, "of quantities", "velocity, energy_ratio",       \
      "quantities whose least and greatest values are wanted; of a list such as velocity, every "  \
      "entry")                                                                                     \
    X(ADMISSIBLE_PLANE, "plane", CRM_KIND_LISTED, NULL, "of two quantities",                       \
      "the gap velocities of two contacts, else the first two quantities",                         \
      "the axes of the picture")

#define CRM_FIT_FIELDS(X)                                                                          \
    X(FIT_PARAMETERS, "parameters", CRM_KIND_MAPPING, NULL, "from paths to ranges", NULL,          \
      "parameters to estimate")                                                                    \
    X(FIT_MEASURED, "measured", CRM_KIND_LISTED, NULL, "of mappings", NULL, "measured quantities") \
    X(FIT_STARTS, "starts", CRM_KIND_COUNT, NULL, "from 1 to 10000",                               \
      "as many as it takes, at most 100",                                                          \
      "number of starting points: the first guess, then random ones within the ranges")            \
    X(FIT_SEED, "seed", CRM_KIND_COUNT, NULL, "from 0 to 2^53", "1", "of the random numbers")

#define CRM_UNKNOWN_FIELDS(X)                                                                      \
    X(UNKNOWN_FROM, "from", CRM_KIND_NUMBER, CRM_OF_FIELD, NULL, NULL, "lower bound")              \
    X(UNKNOWN_TO, "to", CRM_KIND_NUMBER, CRM_OF_FIELD, NULL, NULL, "upper bound")                  \
    X(UNKNOWN_START, "start", CRM_KIND_NUMBER, CRM_OF_FIELD, "from `from` to `to`",                \
      "the scenario's value, else the middle of the range", "the first guess")                     \
    X(UNKNOWN_EACH, "each", CRM_KIND_COUNT, NULL, "from 1 to 100000",                              \
      "as many as the scenario's list has",                                                        \
      "replaces a single number of the scenario by a list of this length, each entry with a "      \
      "value of its own")

#define CRM_MEASURED_FIELDS(X)                                                                     \
    X(MEASURED_WHAT, "what", CRM_KIND_TEXT, NULL, "that names a quantity, such as velocity[1]",    \
      NULL, "the measured quantity")                                                               \
    X(MEASURED_VALUE, "value", CRM_KIND_NUMBER, "the quantity's unit", NULL, NULL,                 \
      "the measured value")                                                                        \
    X(MEASURED_UNCERTAINTY, "uncertainty", CRM_KIND_NUMBER, "the quantity's unit", "above 0",      \
      "the same for all, estimated from their scatter; then none may have one",                    \
      "one standard deviation")                                                                    \
    X(MEASURED_SET, "set", CRM_KIND_LISTED, NULL, "of \"PATH=VALUE\"", "none",                     \
      "what differs in this experiment, as for --set")

#define CRM_DESIGN_FIELDS(X)                                                                       \
    X(DESIGN_MAXIMIZE, "maximize", CRM_KIND_TEXT, NULL, "that names a quantity",                   \
      "then minimize is required", "the quantity to maximize")                                     \
    X(DESIGN_MINIMIZE, "minimize", CRM_KIND_TEXT, NULL, "that names a quantity",                   \
      "then maximize is required", "the quantity to minimize")                                     \
    X(DESIGN_OVER, "over", CRM_KIND_MAPPING, NULL, "from paths to ranges", NULL, "fields to vary") \
    X(DESIGN_SUBJECT_TO, "subject_to", CRM_KIND_LISTED, NULL,                                      \
      "such as sum(chain.mass) = 20, 2*chain.mass[1] <= chain.mass[2], increasing(chain.mass)",    \
      "none", "linear constraints on these fields")                                                \
    X(DESIGN_STARTS, "starts", CRM_KIND_COUNT, NULL, "from 1 to 10000", "10",                      \
      "number of starting points: the scenario's own, then random ones")                           \
    X(DESIGN_SEED, "seed", CRM_KIND_COUNT, NULL, "from 0 to 2^53", "1", "of the random numbers")

#endif
