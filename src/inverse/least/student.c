#include "inverse/least/student.h"

#include <math.h>

#include "base/elementary.h"

/* With t = sqrt(nu) tan(theta), the probability of |T| < t is a finite sum of powers of cos(theta)
 * (Abramowitz and Stegun, 26.7.3 and 26.7.4).
 */
static double within(double theta, size_t nu)
{
    double c = crm_cos(theta), s = crm_sin(theta), pi = 2 * crm_asin(1);
    double sum = 0, term = nu % 2 == 1 ? c : 1;
    for (size_t k = nu % 2 == 1 ? 3 : 2; k <= nu; k += 2) {
        sum += term;
        term *= c * c * (double)(k - 1) / (double)k;
    }
    return nu % 2 == 1 ? 2 / pi * (theta + s * sum) : s * sum;
}

double crm_student(double probability, size_t degrees_of_freedom)
{
    double low = 0, high = crm_asin(1);
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (within(middle, degrees_of_freedom) < probability) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return sqrt((double)degrees_of_freedom) * crm_sin(low) / crm_cos(low);
}

double crm_student_normal(double probability)
{
    double low = 0, high = 40;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (crm_erf(middle / sqrt(2)) < probability) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}
