#include "law/single/stronge.h"

#include <math.h>

/* Expansion returns e^2 of what is stored; if it is pressed together again before its end, what is
 * left counts as stored again (e > 0).
 */
void crm_stronge_turn(crm_stronge *stronge)
{
    double square = stronge->restitution * stronge->restitution;
    double stored = stronge->expands ? stronge->work / square : stronge->work;
    stronge->lost += (stronge->expands ? -1 : 1) * (1 - square) * stored;
    stronge->work = stronge->expands ? stored : square * stored;
    stronge->expands = !stronge->expands;
    stronge->closing = 0;
    stronge->ended = stronge->expands && !(stronge->work > 0);
}

static double compress(crm_stronge *stronge, double slope, double most)
{
    double turn = slope > 0 ? stronge->closing / slope : INFINITY;
    double way = fmin(turn, most), before = stronge->closing;
    if (!(way < INFINITY)) {
        stronge->locked = true;
        return 0;
    }
    stronge->closing = way < turn ? before - slope * way : 0;
    stronge->work += 0.5 * (before + stronge->closing) * way;
    if (!(way < turn)) {
        crm_stronge_turn(stronge);
    }
    return way;
}

/* From the opening speed v the work w is returned after 2 w / (v + v'), v'^2 = v^2 + 2 slope w. */
static double expand(crm_stronge *stronge, double slope, double most)
{
    double speed = -stronge->closing, square = speed * speed + 2 * slope * stronge->work;
    double last = square > 0 ? sqrt(square) : 0;
    bool returns = square < 0; /* pressed together again before */
    double turn = returns ? -speed / slope : 2 * stronge->work / (speed + last);
    double way = fmin(turn, most);
    if (!(way < INFINITY)) {
        stronge->locked = true;
        return 0;
    }
    if (way < turn) {
        double next = speed + slope * way;
        stronge->work -= 0.5 * (speed + next) * way;
        stronge->closing = -next;
    } else if (returns) {
        stronge->work -= 0.5 * speed * way;
        crm_stronge_turn(stronge);
    } else {
        stronge->work = 0;
        stronge->closing = -last;
        stronge->ended = true;
    }
    return way;
}

double crm_stronge_follow(crm_stronge *stronge, double slope, double most)
{
    double way = 0;
    while (!stronge->ended && !stronge->locked && way < most) {
        way += stronge->expands ? expand(stronge, slope, most - way)
                                : compress(stronge, slope, most - way);
    }
    return way;
}
