/* A motion that continues others: groups of bodies have joined or split, and each part is a system
 * of its own now.
 *
 * The integrator is a one-step method, so nothing of the past is needed but the state and that of
 * the contacts: whether and where they rest, the height of a low bounce, and their features.
 */
#include <math.h>

#include "motion/lagrange/lagrange.h"

static bool same_parties(const size_t *a, const size_t *b)
{
    return a[0] == b[0] && a[1] == b[1];
}

/* The gap of `before` that is gap j of m: between the same parties, and the same one of theirs. */
static size_t find_gap(const lagrange_motion *m, size_t j, const lagrange_motion *before)
{
    size_t skip = 0;
    for (size_t i = 0; i < j; i++) {
        skip += same_parties(m->party[i], m->party[j]) ? 1 : 0;
    }
    for (size_t i = 0; i < before->gaps; i++) {
        if (same_parties(before->party[i], m->party[j]) && skip-- == 0) {
            return i;
        }
    }
    return before->gaps;
}

void lagrange_inherit(lagrange_motion *m, const lagrange_motion *before)
{
    for (size_t j = 0; j < m->gaps; j++) {
        size_t i = find_gap(m, j, before);
        if (i < before->gaps) {
            m->contact[j] = before->contact[i];
            if (m->features != NULL && before->features != NULL) {
                *m->features->of(m->def.context, j) = *before->features->of(before->def.context, i);
            }
        }
    }
    m->impact_speed = fmax(m->impact_speed, before->impact_speed);
    m->largest_speed = fmax(m->largest_speed, before->largest_speed);
    m->largest_acceleration = fmax(m->largest_acceleration, before->largest_acceleration);
    bool first = m->def.start == m->t;
    m->next_h = first ? before->next_h : fmin(m->next_h, before->next_h);
    m->def.start = fmin(m->def.start, before->def.start);
}
