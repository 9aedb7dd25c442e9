/* A drawn system as a scenario. */
#include <stdio.h>

#include "draw.h"

static void print_row(const double *values, size_t count)
{
    printf("[");
    for (size_t i = 0; i < count; i++) {
        printf("%s%.17g", i > 0 ? ", " : "", values[i]);
    }
    printf("]");
}

void draw_dump(const draw *d, double tolerance, const char *title)
{
    const small_system *s = &d->system;
    printf("title: \"%s\"\n", title);
    printf("laws: [{law: lzb, stiffness_model: %s, tolerance: %g}]\nsystem:\n  mass:\n",
           d->mono ? "mono" : "bi", tolerance);
    for (size_t i = 0; i < s->n; i++) {
        printf("    - ");
        print_row(&s->mass[i * s->n], s->n);
        printf("\n");
    }
    printf("  velocity: ");
    print_row(s->velocity, s->n);
    printf("\n  contacts:\n");
    for (size_t j = 0; j < s->s; j++) {
        printf("    - {w: ");
        print_row(&s->w[j * s->n], s->n);
        printf(", stiffness: %.17g, exponent: %.17g, restitution: %.17g", s->stiffness[j],
               s->exponent[j], s->restitution[j]);
        if (s->stored_energy[j] > 0) {
            printf(", energy: %.17g", s->stored_energy[j]);
        }
        if (s->boundary_velocity[j] != 0) {
            printf(", boundary_velocity: %.17g", s->boundary_velocity[j]);
        }
        printf("}\n");
    }
}
