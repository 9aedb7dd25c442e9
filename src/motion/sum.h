/* A compensated sum: `remainder` is the sum of the rounding errors of `sum`, each of them exact (D.
 * E. Knuth's two-sum).
 */
#ifndef CRM_MOTION_SUM_H
#define CRM_MOTION_SUM_H

typedef struct crm_sum {
    double sum, remainder;
} crm_sum;

static inline void crm_sum_add(crm_sum *sum, double term)
{
    double whole = sum->sum + term;
    double part = whole - sum->sum;
    sum->remainder += (sum->sum - (whole - part)) + (term - part);
    sum->sum = whole;
}

#endif
