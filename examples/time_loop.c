/* Impacts in a time loop: a small ball on a large one, dropped together. At every impact the
 * contacts that are closed make a new W; the workspace keeps the memory. Build with
 *     cc time_loop.c $(pkg-config --cflags --libs carom)
 */
#include <carom/carom.h>
#include <stdio.h>

enum { BALLS = 2 };

/* One impact: the velocities change in place. closed[j]: contact j (0: floor, 1: between the balls)
 * takes part.
 */
static crm_status impact(crm_workspace *workspace, const crm_settings *law, const int *closed,
                         double *velocity, crm_error *error)
{
    const double mass[BALLS] = {0.6, 0.06};
    const double gradient[BALLS][BALLS] = {{1, 0}, {-1, 1}}; /* of the gaps q1 and q2 - q1 */
    const double restitution[BALLS] = {0.8, 0.8};
    double w[BALLS * BALLS];
    size_t contacts = 0;
    for (size_t j = 0; j < BALLS; j++) {
        for (size_t i = 0; closed[j] && i < BALLS; i++) {
            w[contacts * BALLS + i] = gradient[j][i];
        }
        contacts += closed[j] != 0;
    }
    crm_system_def def = crm_system_def_default();
    def.coordinates = BALLS;
    def.contacts = contacts;
    def.mass_diagonal = mass;
    def.w_dense = w;
    def.restitution = restitution;
    crm_model *model = NULL;
    const crm_outcome *after; /* the workspace's: not to be freed */
    crm_status status = crm_model_from_system(&def, &model, error);
    if (status == CRM_OK) {
        status = crm_solve_with(workspace, model, velocity, law, NULL, &after, error);
    }
    for (size_t i = 0; status == CRM_OK && i < BALLS; i++) {
        velocity[i] = after->velocity[i];
    }
    crm_model_free(model);
    return status;
}

int main(void)
{
    const double step = 1e-4, gravity = -9.81;
    double height[BALLS] = {1, 1}, velocity[BALLS] = {0}; /* above the place where all touch */
    crm_workspace *workspace = NULL;
    crm_settings *law = NULL;
    crm_error error = {0};
    crm_status status = crm_workspace_create(&workspace, &error);
    if (status == CRM_OK) {
        status = crm_settings_create(crm_law_find("lzb"), &law, &error);
    }
    for (int k = 0; status == CRM_OK && k <= 10000; k++) {
        if (k % 1000 == 0) {
            printf("t = %.1f s  heights %.3f %.3f m\n", k * step, height[0], height[1]);
        }
        for (size_t i = 0; i < BALLS; i++) {
            velocity[i] += gravity * step;
            height[i] += velocity[i] * step;
        }
        const int closed[BALLS] = {height[0] <= 0, height[1] - height[0] <= 1e-12};
        if ((closed[0] && velocity[0] < 0) || (closed[1] && velocity[1] < velocity[0])) {
            status = impact(workspace, law, closed, velocity, &error);
        }
    }
    if (status != CRM_OK) {
        fprintf(stderr, "%s: %s\n", error.place, error.message);
    }
    crm_settings_free(law);
    crm_workspace_free(workspace);
    return status != CRM_OK;
}
