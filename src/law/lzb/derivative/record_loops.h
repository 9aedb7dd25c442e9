/* The loops of record.c, for each width of vectors (base/loops.h). */
#include "law/lzb/nodes/apply_loops.h"

/* Indentations at the nodes, from 0, by the forces of the trial. */
static void WIDE(depths)(const lzb_engine *e, lzb_nodal *depth)
{
    const lzb_engine_window *w = &e->window;
    const lzb_table *table = lzb_engine_table(e);
    double h = e->trial.length;
    lzb_nodal time = h * table->time, twice;
    for (size_t i = 0; i < w->pressing; i++) {
        const lzb_member *member = &w->member[i];
        lzb_nodal pull = {0};
        for (uint32_t k = w->start[i]; k < w->start[i + 1]; k++) {
            pull += w->value[k] * e->force[w->column[k]];
        }
        WIDE(apply)(table->twice, &pull, &twice);
        depth[i] = member->x + member->rate * (time * member->c - h * h * twice) + member->open;
    }
}

/* How the force of a contact may change, at the nodes: its slope times the change of x, at most
 * `most`, no faster than `pace` after it began to press at a time `since` before the step.
 */
static void WIDE(changes)(const lzb_engine *e, size_t i, const lzb_nodal *depth, double since,
                          double pace, double most, lzb_nodal *change)
{
    const lzb_member *member = &e->window.member[i];
    double h = e->trial.length, reach = pace * (since + h), part = most < reach ? most / reach : 1;
    lzb_nodal within = part * pace * (since + h * lzb_engine_table(e)->time);
    for (unsigned l = 0; l < LZB_NODES; l++) {
        (*change)[l] = (*depth)[l] > 0 ? member->exponent * e->force[i][l] / (*depth)[l] : 0;
    }
    *change *= within;
}
