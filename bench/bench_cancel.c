/* How long a call that is told to end goes on: the longest time between two looks of each law, on
 * large systems.
 *
 *     bench_cancel [SECONDS [COUNT [LAW [SYSTEM]]]]     of each law and system, or of one (default
 *                                                       5 40000; COUNT: contacts, about)
 *
 * Whoever watches is asked at every look. The first look comes after what is set up, the last time
 * is that from the last look to the return. Time of the processor.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "carom/carom.h"
#include "clock.h"

typedef struct looks {
    double began, last, first, longest, seconds;
    size_t count;
} looks;

static bool go_on(void *context, const crm_watch_report *report)
{
    (void)report;
    looks *l = context;
    double time = cpu_seconds();
    if (l->count++ == 0) {
        l->first = time - l->began;
    } else {
        l->longest = fmax(l->longest, time - l->last);
    }
    l->last = time;
    return time - l->began < l->seconds;
}

static void measure(const char *what, const crm_model *model, const double *velocity,
                    const crm_law *law, double seconds)
{
    looks l = {.seconds = seconds};
    const crm_watch watch = {.every = 1e-9, .context = &l, .go_on = go_on};
    crm_settings *settings = NULL;
    crm_workspace *workspace = NULL;
    const crm_outcome *outcome = NULL;
    crm_error error = {0};
    if (crm_settings_create(law, &settings, &error) != CRM_OK ||
        crm_workspace_create(&workspace, &error) != CRM_OK) {
        exit(1);
    }
    crm_workspace_watch(workspace, &watch);
    l.began = l.last = cpu_seconds();
    crm_status status =
        crm_solve_with(workspace, model, velocity, settings, NULL, &outcome, &error);
    double end = cpu_seconds();
    if (status == CRM_OK) {
        printf("%-14s %-18s %-15s %9zu looks; first %7.3f, longest %7.3f, end %7.3f s\n", what,
               law->name, crm_result_text(outcome->result), l.count, l.first, l.longest,
               end - l.last);
    } else {
        printf("%-14s %-18s %s\n", what, law->name, error.message);
    }
    fflush(stdout);
    crm_workspace_free(workspace);
    crm_settings_free(settings);
}

typedef struct wanted {
    double seconds, contacts;
    const char *law, *system; /* NULL: all */
} wanted;

static bool is_chosen(const char *name, const char *chosen)
{
    return chosen == NULL || strcmp(name, chosen) == 0;
}

static void measure_all(const char *what, crm_model *model, const wanted *choice)
{
    size_t n = crm_model_coordinates(model);
    double *velocity = calloc(n, sizeof *velocity);
    if (velocity == NULL) {
        exit(1);
    }
    velocity[n - 1] = -1;
    for (size_t i = 0; i < crm_law_count(); i++) {
        if (is_chosen(crm_law_at(i)->name, choice->law)) {
            measure(what, model, velocity, crm_law_at(i), choice->seconds);
        }
    }
    free(velocity);
    crm_model_free(model);
}

static crm_model *packing(crm_lattice lattice, double contacts)
{
    crm_packing_def def = crm_packing_def_default();
    bool plane = crm_lattice_dimension(lattice) == 2;
    size_t side = (size_t)(plane ? sqrt(contacts / 3) : cbrt(contacts / 6));
    crm_model *model = NULL;
    def.lattice = lattice;
    def.columns = def.rows = side;
    def.layers = plane ? 0 : side;
    def.walls = CRM_PACKING_BOX;
    def.restitution.all = 0.9;
    if (crm_model_from_packing(&def, &model, NULL) != CRM_OK) {
        exit(1);
    }
    return model;
}

static crm_model *chain(double contacts)
{
    crm_chain_def def = crm_chain_def_default();
    crm_model *model = NULL;
    def.count = (size_t)contacts;
    def.restitution.all = 0.9;
    if (crm_model_from_chain(&def, &model, NULL) != CRM_OK) {
        exit(1);
    }
    return model;
}

int main(int argc, char **argv)
{
    const wanted choice = {.seconds = argc > 1 ? strtod(argv[1], NULL) : 5,
                           .contacts = argc > 2 ? strtod(argv[2], NULL) : 40000,
                           .law = argc > 3 ? argv[3] : NULL,
                           .system = argc > 4 ? argv[4] : NULL};
    if (is_chosen("chain", choice.system)) {
        measure_all("chain", chain(choice.contacts), &choice);
    }
    if (is_chosen("hexagonal", choice.system)) {
        measure_all("hexagonal", packing(CRM_LATTICE_HEXAGONAL, choice.contacts), &choice);
    }
    if (is_chosen("fcc", choice.system)) {
        measure_all("fcc", packing(CRM_LATTICE_FCC, choice.contacts), &choice);
    }
    return 0;
}
