/* Memory of one impact by the LZB law, beyond the model: an elastic chain struck at one end.
 *
 *     bench_memory [BALLS] [TOLERANCE]
 */
#include <carom/carom.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"

/* Bytes in memory now; 0 where the system does not say. */
static double resident(void)
{
    unsigned long whole, pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%lu %lu", &whole, &pages) != 2) {
        pages = 0;
    }
    if (file != NULL) {
        fclose(file);
    }
    return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

int main(int argc, char **argv)
{
    const crm_material steel = {.young = 203e9, .poisson = 0.3, .density = 7780};
    crm_chain_def def = crm_chain_def_default();
    def.count = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000000;
    def.radius.all = 0.01;
    def.material = &steel;
    crm_error error = {0};
    crm_model *model;
    double start = resident();
    check(crm_model_from_chain(&def, &model, &error), &error);
    double with_model = resident();
    double *velocity = calloc(def.count, sizeof *velocity);
    crm_settings *settings;
    crm_workspace *workspace;
    const crm_outcome *outcome;
    if (velocity == NULL) {
        return 1;
    }
    velocity[0] = 1;
    check(crm_settings_create(crm_law_find("lzb"), &settings, &error), &error);
    check(crm_settings_set_number(settings, "tolerance", argc > 2 ? strtod(argv[2], NULL) : 1e-3,
                                  &error),
          &error);
    check(crm_workspace_create(&workspace, &error), &error);
    double before = cpu_seconds();
    check(crm_solve_with(workspace, model, velocity, settings, NULL, &outcome, &error), &error);
    double contacts = (double)crm_model_contacts(model);
    printf("%zu balls: model %.0f bytes per contact, the impact %.0f more (workspace and outcome), "
           "%.2f s\n",
           def.count, (with_model - start) / contacts, (resident() - with_model) / contacts,
           cpu_seconds() - before);
    crm_workspace_free(workspace);
    crm_settings_free(settings);
    crm_model_free(model);
    free(velocity);
    return 0;
}
