/* The admissible set in a plane: its outline, levels of energy, loci and outcomes of laws. */
#ifndef CRM_FIGURE_ADMISSIBLE_H
#define CRM_FIGURE_ADMISSIBLE_H

#include "inverse/admissible/problem.h"
#include "report/figure/figure.h"

/* False: as of crm_figure_draw. */
bool crm_admissible_figure_draw(const crm_admissible_picture *picture,
                                const crm_figure_target *target, char *problem, size_t size);

#endif
