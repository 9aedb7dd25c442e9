#include "law/single/course.h"

#include <math.h>

/* Expansion returns e^2 of what is stored; if it is pressed together again before its end, what is
 * left counts as stored again (e > 0).
 */
void crm_course_turn(crm_course *course)
{
    double square = course->restitution * course->restitution;
    double stored = course->expands ? course->work / square : course->work;
    course->lost += (course->expands ? -1 : 1) * (1 - square) * stored;
    course->work = course->expands ? stored : square * stored;
    course->expands = !course->expands;
    course->closing = 0;
    course->ended = course->expands && !(course->work > 0);
}

static double compress(crm_course *course, double slope, double most)
{
    double turn = slope > 0 ? course->closing / slope : INFINITY;
    double way = fmin(turn, most), before = course->closing;
    if (!(way < INFINITY)) {
        course->locked = true;
        return 0;
    }
    course->closing = way < turn ? before - slope * way : 0;
    course->work += 0.5 * (before + course->closing) * way;
    if (!(way < turn)) {
        crm_course_turn(course);
    }
    return way;
}

/* From the opening speed v the work w is returned after 2 w / (v + v'), v'^2 = v^2 + 2 slope w. */
static double expand(crm_course *course, double slope, double most)
{
    double speed = -course->closing, square = speed * speed + 2 * slope * course->work;
    double last = square > 0 ? sqrt(square) : 0;
    bool returns = square < 0; /* pressed together again before */
    double turn = returns ? -speed / slope : 2 * course->work / (speed + last);
    double way = fmin(turn, most);
    if (!(way < INFINITY)) {
        course->locked = true;
        return 0;
    }
    if (way < turn) {
        double next = speed + slope * way;
        course->work -= 0.5 * (speed + next) * way;
        course->closing = -next;
    } else if (returns) {
        course->work -= 0.5 * speed * way;
        crm_course_turn(course);
    } else {
        course->work = 0;
        course->closing = -last;
        course->ended = true;
    }
    return way;
}

double crm_course_follow(crm_course *course, double slope, double most)
{
    double way = 0;
    while (!course->ended && !course->locked && way < most) {
        way += course->expands ? expand(course, slope, most - way)
                               : compress(course, slope, most - way);
    }
    return way;
}
