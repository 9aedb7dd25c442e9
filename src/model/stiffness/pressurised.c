/* Contact stiffness of a pressurised ball (docs/theory.md, section 1). */
#include "carom/model.h"

static const double PI = 3.14159265358979323846;

double crm_pressurised_stiffness(double pressure, double radius)
{
    return 2.0 * PI * pressure * radius;
}
