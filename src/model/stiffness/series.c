/* Two springs in series. */
#include "carom/model.h"

double crm_series_stiffness(double stiffness_a, double stiffness_b)
{
    return stiffness_a * stiffness_b / (stiffness_a + stiffness_b);
}
