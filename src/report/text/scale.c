/* One format for a block of numbers. */
#include <math.h>

#include "base/elementary.h"
#include "base/locale.h"
#include "report/text/sheet.h"

enum { DIGITS = 6 };

crm_scale crm_scale_for(double largest)
{
    crm_scale scale = {.decimals = DIGITS - 1, .zero = largest * 1e-12};
    if (!(largest > 0) || !isfinite(largest)) {
        return scale;
    }
    int magnitude = (int)floor(crm_log10(largest));
    scale.scientific = magnitude < -3 || magnitude > 6;
    if (!scale.scientific) {
        int decimals = DIGITS - 1 - magnitude;
        scale.decimals = decimals > 0 ? decimals : 0;
    }
    return scale;
}

/* Zero is a plain 0 aligned with the units, so that other values stand out. */
static void format_zero(crm_scale scale, char *text, size_t size)
{
    int behind = scale.decimals > 0 ? scale.decimals + 1 : 0;
    snprintf(text, size, "0%*s", scale.scientific ? 0 : behind, "");
}

void crm_scale_format(crm_scale scale, double value, char *text, size_t size)
{
    if (isnan(value)) {
        snprintf(text, size, "-");
    } else if (fabs(value) <= scale.zero) {
        format_zero(scale, text, size);
    } else if (scale.scientific) {
        crm_snprintf(text, size, "%.*e", DIGITS - 1, value);
    } else if (fabs(value) < 0.5 * crm_pow(10, -scale.decimals)) {
        crm_snprintf(text, size, "%.1e", value); /* small, but not rounding: no row of zeros */
    } else {
        crm_snprintf(text, size, "%.*f", scale.decimals, value);
    }
}
