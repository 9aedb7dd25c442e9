/* Remarks on a fit, in sentences. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/locale.h"
#include "inverse/fit/fitting.h"

enum { NOTE_SIZE = 640, LISTED_IN_FULL = 3 };

static void note(crm_fitting *f, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void note(crm_fitting *f, const char *format, ...)
{
    char text[NOTE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    crm_vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const char *keep =
        f->notes < CRM_FIT_NOTES ? crm_arena_text(&f->kept->arena, text, strlen(text)) : NULL;
    if (keep != NULL) {
        f->note[f->notes++] = keep;
    }
}

static const char *name_of(const crm_fitting *f, size_t j)
{
    return f->problem->map.unknowns[j].name;
}

/* The change of an unknown in per cent of itself, or of a thousandth of its range. */
static double part_of(const crm_fitting *f, const double *null, size_t j)
{
    double range = f->to[j] - f->from[j], x = fabs(f->attempts[f->best].x[j]);
    return null[j] * f->scale[j] / fmin(range, fmax(x, 1e-3 * range));
}

/* "chain.stiffness by +1 %, chain.restitution by -0.4 %" */
static void note_combination(crm_fitting *f, const double *null)
{
    char text[NOTE_SIZE - 160] = "";
    size_t count = 0, only = 0;
    double most = 0;
    for (size_t j = 0; j < f->n; j++) {
        double part = part_of(f, null, j);
        most = fabs(part) > fabs(most) ? part : most;
    }
    for (size_t j = 0; j < f->n; j++) {
        if (crm_identify_moves(null, j)) {
            crm_text_append(text, sizeof text, "%s%s by %+.3g %%", count > 0 ? ", " : "",
                            name_of(f, j), part_of(f, null, j) / most);
            only = j;
            count++;
        }
    }
    bool bound = count == 1 && f->kept->fit.parameters[only].at_bound;
    if (bound && f->derived.note[0] != '\0') {
        note(f,
             "%s cannot be determined at its bound, where the derivative with respect to it may "
             "not exist.",
             name_of(f, only));
    } else if (count == 1) {
        note(f, "%s cannot be determined: no measured quantity depends on it%s.", name_of(f, only),
             bound ? " at its bound" : "");
    } else {
        note(f,
             "These cannot be determined separately: a simultaneous change of %s leaves all "
             "measured quantities unchanged.",
             text);
    }
}

/* ---- Minima --------------------------------------------------------------------------------- */

static void note_minimum(crm_fitting *f, const crm_fit_minimum *other)
{
    const crm_fit *fit = &f->kept->fit;
    char at[256] = "", sum[64] = "equally good";
    for (size_t j = 0; j < f->n && j < 4; j++) {
        crm_text_append(at, sizeof at, "%s%s = %.5g", j > 0 ? ", " : "", name_of(f, j),
                        other->values[j]);
    }
    if (!crm_minima_is_as_good(f, other->chi2)) {
        crm_snprintf(sum, sizeof sum, "with chi2 = %.5g", other->chi2);
    }
    note(f, "%zu of %zu starts ended in another minimum, %s: %s.", other->starts, fit->starts, sum,
         at);
}

static void note_minima(crm_fitting *f)
{
    const crm_fit *fit = &f->kept->fit;
    size_t listed = 1;
    for (; listed < fit->minimum_count && listed <= LISTED_IN_FULL; listed++) {
        note_minimum(f, &fit->minima[listed]);
    }
    size_t more = fit->minimum_count - listed;
    if (fit->minimum_count > listed) {
        note(f, "%zu more %s found, with chi2 from %.5g to %.5g.", more,
             more == 1 ? "minimum was" : "minima were", fit->minima[listed].chi2,
             fit->minima[fit->minimum_count - 1].chi2);
    }
    if (fit->failed > 0) {
        note(f, "%zu of %zu starts did not converge.", fit->failed, fit->starts);
    }
}

static void note_confirmation(crm_fitting *f)
{
    const crm_fit *fit = &f->kept->fit;
    if (!fit->converged) {
        note(f, "The search did not converge; the best point that it found is given.");
    } else if (!crm_minima_is_confirmed(f)) {
        note(f,
             "The best minimum is not confirmed: %s. No parameter counts as determined; try more "
             "starts (%zu %s made).",
             crm_minima_starts(f) > 1 ? "a start that did not converge went lower"
                                      : "only one start ended in it",
             fit->starts, fit->starts == 1 ? "was" : "were");
    }
    if (crm_minima_is_poor(f)) {
        note(f,
             "chi2 is %.4g for %zu degrees of freedom, more than these uncertainties allow: no "
             "parameter counts as determined. Try more starts (%zu %s made) or wider bounds; if "
             "that does not help, the model does not describe the measurements.",
             fit->chi2, fit->degrees_of_freedom, fit->starts, fit->starts == 1 ? "was" : "were");
    }
}

void crm_notes_write(crm_fitting *f)
{
    const crm_fit *fit = &f->kept->fit;
    note_confirmation(f);
    for (size_t k = 0; k < f->null_count; k++) {
        note_combination(f, f->null + k * f->n);
    }
    for (size_t j = 0; j < f->n; j++) {
        const crm_fit_parameter *p = &fit->parameters[j];
        if (f->wide[j]) {
            note(f, "The measurements do not narrow %s within its bounds.", p->name);
        }
        if (p->at_bound) {
            note(f, "%s is at its bound, %.9g.", p->name, p->value);
        }
    }
    note_minima(f);
    if (f->derived.note[0] != '\0') {
        note(f, "%s; uncertainties there are rough.", f->derived.note);
    }
}
