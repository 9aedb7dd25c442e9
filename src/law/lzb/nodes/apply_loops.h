/* The columns of a table, by the values of a quantity at the nodes (base/loops.h). */

INLINE void WIDE(apply)(const lzb_nodal *columns, const lzb_nodal *y, lzb_nodal *to)
{
    lzb_nodal even = columns[0] * (*y)[0], odd = columns[1] * (*y)[1];
    for (unsigned j = 2; j < LZB_NODES; j += 2) {
        even += columns[j] * (*y)[j];
        odd += columns[j + 1] * (*y)[j + 1];
    }
    *to = even + odd;
}
