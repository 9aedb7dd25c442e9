/* Gaps between bodies that cannot meet within the step.
 *
 * The motion within the step is y + h sum_m series_m P_m(tau) with |P_m| <= 1: coordinate i stays
 * within h sum_{m>0} |series_m| of y_i + h series_0. Where the spheres around two bodies do not
 * meet, whatever the centres do within these bounds, their gaps have no event. They are neither
 * measured nor followed, and the step does not end where another feature of a body becomes the
 * nearest: at the end of the step the features are chosen anew.
 *
 * At the nodes such a gap is DBL_MAX.
 */
#include <float.h>
#include <math.h>

#include "motion/lagrange/lagrange.h"

bool lagrange_is_apart(const lagrange_motion *m, size_t j)
{
    return m->node[0].gap[j] == DBL_MAX;
}

/* The bounds of all coordinates of positions. */
static void bound_positions(const lagrange_motion *m, double *middle, double *way)
{
    for (size_t i = 0; i < m->positions; i++) {
        const double *series = m->series + i * LAGRANGE_TERMS;
        double sum = 0;
        for (size_t k = 1; k < LAGRANGE_TERMS; k++) {
            sum += fabs(series[k]);
        }
        middle[i] = m->y[i] + m->h * series[0];
        way[i] = m->h * sum;
    }
}

static void mark_apart(lagrange_motion *m, size_t j)
{
    for (size_t k = 0; k < LAGRANGE_NODES; k++) {
        m->node[k].gap[j] = DBL_MAX;
        m->node[k].speed[j] = 0;
    }
}

size_t lagrange_list_near(lagrange_motion *m, size_t *list)
{
    double *middle = m->spare, *way = m->spare + m->positions;
    size_t count = 0;
    if (m->features != NULL) {
        bound_positions(m, middle, way);
    }
    for (size_t j = 0; j < m->gaps; j++) {
        const lagrange_contact *contact = &m->contact[j];
        bool may_be =
            m->features != NULL && contact->state == LAGRANGE_OPEN && !contact->low_bounce;
        if (may_be &&
            m->features->are_apart(m->def.context, j, middle, way, lagrange_low_bounce_height(m))) {
            mark_apart(m, j);
        } else {
            list[count++] = j;
        }
    }
    return count;
}

void lagrange_choose_features(lagrange_motion *m)
{
    for (size_t j = 0; j < m->gaps && m->features != NULL; j++) {
        if (lagrange_is_apart(m, j)) {
            m->features->choose(m->def.context, j, m->y);
        }
    }
}
