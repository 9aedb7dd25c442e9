/* The next meeting in a scene of balls and walls, by looking at all of them, in long doubles.
 *
 * Balls that are not fixed fall freely. Meetings of two such balls and with steady walls are roots
 * of quadratics; with fixed balls and swinging walls they are looked for in small steps and then
 * between two of them.
 */
#ifndef FLIGHT_JUDGE_H
#define FLIGHT_JUDGE_H

#include <stdbool.h>
#include <stddef.h>

enum { JUDGE_BALLS = 64, JUDGE_WALLS = 8 };

typedef struct judge_scene {
    unsigned dimension;
    size_t balls, walls;
    double radius[JUDGE_BALLS], mass[JUDGE_BALLS];
    bool fixed[JUDGE_BALLS];
    double normal[JUDGE_WALLS][3], offset[JUDGE_WALLS], speed[JUDGE_WALLS];
    double amplitude[JUDGE_WALLS], omega[JUDGE_WALLS], phase[JUDGE_WALLS];
    double gravity[3];
    double time, x[JUDGE_BALLS][3], v[JUDGE_BALLS][3];
} judge_scene;

typedef struct judge_meeting {
    double time; /* INFINITY: none within `horizon` */
    size_t first, second;
} judge_meeting;

/* The soonest, not more than `horizon` after the scene's time. */
judge_meeting judge_next(const judge_scene *scene, double horizon);
/* The gap of two parties (walls from `balls` on) at a time, and its velocity. */
double judge_gap(const judge_scene *scene, size_t first, size_t second, double time, double *u);
/* The two velocities after one contact has met at `time` with restitution e; wall: the first. */
void judge_bounce(const judge_scene *scene, judge_meeting meeting, double e, double first[3],
                  double second[3]);
/* The largest overlap at the scene's time. */
double judge_overlap(const judge_scene *scene);

#endif
