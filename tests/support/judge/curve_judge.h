/* An independent solution of LZB for contacts of any rising curve, with e by the impact and with
 * unloading curves.
 *
 * Fehlberg's pair in long double, with steps short beside every swing and events found by halving;
 * curves, their energies and the table's cubics are written down here once more.
 */
#ifndef CAROM_TEST_CURVE_JUDGE_H
#define CAROM_TEST_CURVE_JUDGE_H

#include "support.h"

enum { CURVE_POINTS = 6 };

typedef enum curve_kind { CURVE_POWERS, CURVE_BOUNDED, CURVE_POINTS_TABLE } curve_kind;

typedef struct drawn_curve {
    curve_kind kind;
    size_t count;
    double a[CURVE_POINTS], b[CURVE_POINTS]; /* K and eta; x and F of points */
    double yield;
    long double slope[CURVE_POINTS]; /* the judge's, at points */
} drawn_curve;

typedef enum drawn_restitution {
    DRAWN_NUMBER,
    DRAWN_YIELD,
    DRAWN_VISCOELASTIC,
    DRAWN_OF_WORK /* 1 / (1 + parameter W), a function of the caller's */
} drawn_restitution;

typedef struct drawn_contact {
    bool plain; /* the system's numbers */
    drawn_curve loading;
    bool unloads;
    drawn_curve unloading;
    drawn_restitution form;
    double parameter;
} drawn_contact;

typedef struct curve_system {
    small_system system;
    drawn_contact contact[SMALL];
} curve_system;

/* A random chain or Lagrangian system whose contacts are of all sorts. */
curve_system curve_system_draw(rng *r, size_t most_contacts);
/* NULL: refused, *error says why. */
crm_outcome *curve_system_solve(const curve_system *system, bool mono, double tolerance,
                                crm_error *error);

typedef struct curve_judgement {
    bool finished;
    double left; /* a gap velocity can change by this much after the end, relative */
    unsigned long steps;
    double velocity[SMALL], impulse[SMALL], loss[SMALL], peak_force[SMALL];
    unsigned compressions; /* of all contacts: how often c of one that presses falls through 0 */
} curve_judgement;

/* `shift`: relative, of the velocities before; to see how sensitive the impact is. */
curve_judgement curve_judge(const curve_system *system, bool mono, double shift);

/* What came of solving random systems, beside the judge. */
typedef struct curve_tally {
    size_t systems, unsolved, unjudged, sensitive, above_tolerance, above_estimate, wrong_account;
    double worst, worst_of_estimate;
} curve_tally;

/* Systems first to first + count - 1 of a seed; each offender is printed. */
curve_tally curve_judge_campaign(uint64_t seed, size_t first, size_t count, double tolerance);

#endif
