/* Quantiles for intervals. */
#ifndef CRM_STUDENT_H
#define CRM_STUDENT_H

#include <stddef.h>

/* t such that a variable of Student's distribution lies within -t ... t with this probability. */
double crm_student(double probability, size_t degrees_of_freedom);
/* The same of the normal distribution. */
double crm_student_normal(double probability);

#endif
