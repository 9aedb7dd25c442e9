/* Where outcomes are not differentiable: the nearest place. */
#include "law/derivative.h"

#include <math.h>

crm_smoothness crm_smooth(void)
{
    return (crm_smoothness){
        .differentiable = true, .contact = SIZE_MAX, .reason = "", .margin = INFINITY};
}

void crm_smooth_note(crm_smoothness *smoothness, size_t contact, double margin, double near,
                     const char *reason)
{
    if (margin < smoothness->margin) {
        smoothness->contact = contact;
        smoothness->margin = margin;
        smoothness->reason = reason;
        smoothness->differentiable = !(margin < near);
    }
}
