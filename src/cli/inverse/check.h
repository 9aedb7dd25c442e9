/* The blocks sensitivity, fit, design and admissible of a scenario, for `carom check`: read and
 * described, but not computed.
 */
#ifndef CRM_CLI_INVERSE_CHECK_H
#define CRM_CLI_INVERSE_CHECK_H

#include "inverse/admissible/problem.h"
#include "inverse/design/design.h"
#include "inverse/fit/fit.h"
#include "inverse/sensitivity/sensitivity.h"

typedef struct crm_inverse_blocks {
    bool has_sensitivity, has_fit, has_design, has_admissible;
    crm_sensitivity_problem sensitivity;
    crm_fit_problem fit;
    crm_design_problem design;
    crm_scenario *scenario; /* that the next is of; owned */
    crm_admissible_problem admissible;
} crm_inverse_blocks;

/* Those that the tree has; zeroed before, to be forgotten also after an error. */
crm_status crm_check_read(crm_inverse_blocks *blocks, const crm_study_def *def,
                          const crm_tree *tree, crm_read_error *error);
void crm_check_free(crm_inverse_blocks *blocks);

void crm_check_print(const crm_inverse_blocks *blocks, int width, FILE *stream);

#endif
