/* materials: printed from the library's table. */
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
        return CRM_EXIT_DONE;
    }
    const crm_named_material *m = crm_material_find(options->operands[0]);
    if (m == NULL) {
        return refuse_name(options->operands[0]);
    }
    print_material(m);
    return CRM_EXIT_DONE;
}
