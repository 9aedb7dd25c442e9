/* LZB as a black box: you have M, W and v-, you want v+. Build with
 *     cc black_box.c $(pkg-config --cflags --libs carom)
 */
#include <carom/carom.h>
#include <stdio.h>

int main(void)
{
    const double mass[] = {1, 1, 1}, restitution[] = {0.97, 0.97}, before[] = {1, 0, 0};
    const double w[] = {-1, 1,  0, /* gap 1 = q2 - q1 */
                        0,  -1, 1 /* gap 2 = q3 - q2 */};
    crm_system_def def = crm_system_def_default();
    def.coordinates = 3;
    def.contacts = 2;
    def.mass_diagonal = mass;
    def.w_dense = w;
    def.restitution = restitution;

    crm_model *model = NULL;
    crm_settings *law = NULL;
    crm_outcome *after = NULL;
    crm_error error = {0};
    if (crm_model_from_system(&def, &model, &error) != CRM_OK ||
        crm_settings_create(crm_law_find("lzb"), &law, &error) != CRM_OK ||
        crm_solve(model, before, law, NULL, &after, &error) != CRM_OK) {
        fprintf(stderr, "%s: %s\n", error.place, error.message);
    } else {
        printf("%.4f %.4f %.4f\n", after->velocity[0], after->velocity[1], after->velocity[2]);
    }
    int failed = after == NULL;
    crm_outcome_free(after);
    crm_settings_free(law);
    crm_model_free(model);
    return failed;
}
