/* Contact stiffness by Hertz (docs/theory.md, section 1; P0 107-118). */
#include <math.h>

#include "base/elementary.h"
#include "carom/model.h"

double crm_hertz_stiffness(crm_material a, double radius_a, crm_material b, double radius_b)
{
    double curvature = 1.0 / radius_a + 1.0 / radius_b; /* 1/inf = 0: a plane */
    double compliance =
        (1.0 - a.poisson * a.poisson) / a.young + (1.0 - b.poisson * b.poisson) / b.young;
    return 4.0 / 3.0 / (sqrt(curvature) * compliance);
}

double crm_hertz_stiffness_from_duration(double mass, double duration, double speed)
{
    /* tau = 2.94 (5m/4K)^{2/5} v^{-1/5}  =>  K = 5m/4 (2.94/tau)^{5/2} v^{-1/2} */
    return 1.25 * mass * crm_pow(2.94 / duration, 2.5) / sqrt(speed);
}
