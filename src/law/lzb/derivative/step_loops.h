/* The loops of step.c, for each width of vectors (base/loops.h). */
#include "law/lzb/nodes/apply_loops.h"

/* Force and slope at the nodes. Linear contacts go on below 0, where their openings are. */
static void WIDE(tangent)(lzb_tangent_contact *b)
{
    if (b->kind == LZB_LINEAR) {
        b->force = b->stiffness * b->depth;
        b->slope = b->stiffness + (lzb_nodal){0};
        return;
    }
    double depth[LZB_NODES], shape[LZB_NODES];
    memcpy(depth, &b->depth, sizeof depth);
    for (unsigned l = 0; l < LZB_NODES; l++) {
        depth[l] = depth[l] > 0 ? depth[l] : 0;
    }
    if (b->kind == LZB_HERTZ) {
        for (unsigned l = 0; l < LZB_NODES; l++) {
            shape[l] = __builtin_sqrt(depth[l]);
        }
        for (unsigned l = 0; l < LZB_NODES; l++) {
            b->force[l] = b->stiffness * depth[l] * shape[l];
            b->slope[l] = 1.5 * b->stiffness * shape[l];
        }
        return;
    }
    for (unsigned l = 0; l < LZB_NODES; l++) {
        shape[l] = lzb_power(depth[l], b->exponent);
    }
    for (unsigned l = 0; l < LZB_NODES; l++) {
        b->force[l] = b->stiffness * shape[l];
        b->slope[l] = depth[l] > 0 ? b->exponent * b->force[l] / depth[l] : 0;
    }
}

INLINE void WIDE(row)(const lzb_tangent *b, size_t i, const lzb_nodal *from, lzb_nodal *sum)
{
    *sum = (lzb_nodal){0};
    for (uint32_t k = b->start[i]; k < b->start[i + 1]; k++) {
        *sum += b->d[k] * from[b->column[k]];
    }
}

INLINE double WIDE(largest)(const lzb_nodal *values)
{
    double most = 0;
    for (unsigned l = 0; l < LZB_NODES; l++) {
        double size = __builtin_fabs((*values)[l]);
        most = size > most ? size : most;
    }
    return most;
}

/* h^2 r S B y */
INLINE void WIDE(answer)(const lzb_tangent *b, size_t i, const lzb_nodal *y, lzb_nodal *to)
{
    lzb_nodal twice;
    WIDE(apply)(lzb_nodes_gauss.map[b->map].twice, y, &twice);
    *to = (b->length * b->length * b->pressed[i].rate) * b->pressed[i].slope * twice;
}

/* Each contact in turn: the change of its force from those of the others. Returns the largest
 * change of that, and the largest of all, by what they do to their own contact.
 */
static double WIDE(forward)(lzb_tangent *b, double *largest)
{
    double most = 0;
    *largest = 0;
    for (size_t i = 0; i < b->pressing; i++) {
        lzb_nodal pull, answer;
        WIDE(row)(b, i, b->change, &pull);
        WIDE(answer)(b, i, &pull, &answer);
        lzb_nodal next = b->known[i] - answer, off = next - b->change[i];
        b->change[i] = next;
        double moved = b->pressed[i].own * WIDE(largest)(&off);
        double size = b->pressed[i].own * WIDE(largest)(&next);
        most = moved > most ? moved : most;
        *largest = size > *largest ? size : *largest;
    }
    return most;
}

/* r B' S y: what the weights of the changes of force at a contact are worth to its closing speeds.
 */
INLINE void WIDE(pull_of)(const lzb_tangent *b, size_t i, lzb_nodal *pull)
{
    lzb_nodal weight = b->pressed[i].slope * b->change[i];
    WIDE(apply)(b->transposed, &weight, pull);
    *pull *= b->pressed[i].rate;
}

/* The transpose, from the last contact to the first: weights of the changes of force. */
static double WIDE(reverse)(lzb_tangent *b, double *largest)
{
    double most = 0, square = b->length * b->length;
    *largest = 0;
    for (size_t i = b->pressing; i-- > 0;) {
        lzb_nodal sum;
        WIDE(row)(b, i, b->pull, &sum);
        lzb_nodal next = b->known[i] - square * sum, off = next - b->change[i];
        b->change[i] = next;
        WIDE(pull_of)(b, i, &b->pull[i]);
        double moved = WIDE(largest)(&off) / b->pressed[i].own;
        double size = WIDE(largest)(&next) / b->pressed[i].own;
        most = moved > most ? moved : most;
        *largest = size > *largest ? size : *largest;
    }
    return most;
}
