/* Costs that are not one impact of one chain: growth with n, losses, one small impact, the program.
 */
#ifndef CAROM_BENCH_GROWTH_H
#define CAROM_BENCH_GROWTH_H

#include <stddef.h>
#include <stdio.h>

/* Cost per bead of the elastic chain from 1000 to `most` beads, with the exponents. */
void bench_growth(double tolerance, size_t most, FILE *csv);
/* Equal balls with losses, which stay together in groups that even out. */
void bench_lossy(FILE *csv);
/* Five elastic balls, at tolerance 1e-8, beside CVODE at the same accuracy. */
void bench_cradle(FILE *csv);
/* `program solve file`: wall and CPU time of the whole process. */
void bench_program(const char *program, const char *file, FILE *csv);

#endif
