/* materials: printed from the library's table. */
#include <string.h>

#include "base/base.h"
#include "base/locale.h"
#include "carom/carom.h"
#include "cli/cli.h"
#include "report/text/sheet.h"

static void list_materials(void)
{
    int width = crm_terminal_width(stdout);
    printf("  %-16s %9s %8s %9s  %s\n", "", "young", "poisson", "density", "young of others");
    printf("  %-16s %9s %8s %9s\n", "", "GPa", "", "kg/m^3");
    for (size_t i = 0; i < crm_material_count(); i++) {
        const crm_named_material *m = crm_material_at(i);
        char entry[96];
        crm_snprintf(entry, sizeof entry, "%-16s %9g %8g %9g", m->name, m->properties.young / 1e9,
                     m->properties.poisson, m->properties.density);
        crm_text_entry(stdout, width, entry, 49, m->range);
    }
    fputc('\n', stdout);
    crm_text_wrap(stdout, width,
                  "'material: steel' in a scenario uses these values; 'carom materials steel' "
                  "shows their source.",
                  0, 0);
}

static void list_frictions(void)
{
    int width = crm_terminal_width(stdout);
    printf("\n  %-16s %-16s %9s  %s\n", "friction of", "on", "mu", "of others");
    for (size_t i = 0; i < crm_material_friction_count(); i++) {
        const crm_named_friction *f = crm_material_friction_at(i);
        char entry[96];
        crm_snprintf(entry, sizeof entry, "%-16s %-16s %9g", f->first, f->second, f->friction);
        crm_text_entry(stdout, width, entry, 46, f->range);
    }
    fputc('\n', stdout);
    crm_text_wrap(stdout, width,
                  "'contacts: {friction: materials}' uses these; without it there is no friction.",
                  0, 0);
}

static void print_frictions(const char *name)
{
    for (size_t i = 0; i < crm_material_friction_count(); i++) {
        const crm_named_friction *f = crm_material_friction_at(i);
        bool first = strcmp(f->first, name) == 0;
        char text[512];
        if (!first && strcmp(f->second, name) != 0) {
            continue;
        }
        crm_snprintf(text, sizeof text, "%g on %s (%s), %s", f->friction,
                     first ? f->second : f->first, f->range, f->source);
        printf("friction: ");
        crm_text_wrap(stdout, crm_terminal_width(stdout), text, 10, 10);
    }
}

/* As a scenario would have it. */
static void print_material(const crm_named_material *m)
{
    const crm_material *p = &m->properties;
    crm_fprintf(stdout,
                "materials:\n  %s: {young: %g GPa, poisson: %g, density: %g}\n\nyoung: ", m->name,
                p->young / 1e9, p->poisson, p->density);
    crm_text_wrap(stdout, crm_terminal_width(stdout), m->range, 7, 7);
    printf("source: ");
    crm_text_wrap(stdout, crm_terminal_width(stdout), m->source, 8, 8);
}

/* The library knows a dozen. */
static int refuse_name(const char *name)
{
    enum { NAMES_MOST = 64 };
    const char *names[NAMES_MOST];
    size_t count = crm_material_count() < NAMES_MOST ? crm_material_count() : NAMES_MOST;
    for (size_t i = 0; i < count; i++) {
        names[i] = crm_material_at(i)->name;
    }
    return crm_message_unknown("unknown material", name, names, count, "carom materials");
}

int crm_cli_materials(const crm_options *options)
{
    if (options->operand_count == 0) {
        list_materials();
        list_frictions();
        return CRM_EXIT_DONE;
    }
    const crm_named_material *m = crm_material_find(options->operands[0]);
    if (m == NULL) {
        return refuse_name(options->operands[0]);
    }
    print_material(m);
    print_frictions(m->name);
    return CRM_EXIT_DONE;
}
