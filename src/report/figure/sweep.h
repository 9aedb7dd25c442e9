/* The figure of a parameter study: a quantity against a field, or a map over two. */
#ifndef CRM_FIGURE_SWEEP_H
#define CRM_FIGURE_SWEEP_H

#include "report/figure/solve.h"
#include "report/page/sweep/study_view.h"

/* Against the field with most values, one curve for every law and value of the other fields; where
 * these are more than a figure has room for and there are two fields of numbers, a map of the first
 * law. False: as of crm_figure_draw. True: `problem` says what is not shown, or is empty.
 */
bool crm_sweep_figure_draw(const crm_study_view *view, size_t quantity,
                           const crm_figure_target *target, char *problem, size_t size);

/* A list of which entries are recorded, such as "velocity", against their numbers: a curve for
 * every point and law, or for as many points as there is room for, evenly spread.
 */
bool crm_sweep_figure_draw_list(const crm_study_view *view, const char *list,
                                const crm_figure_target *target, char *problem, size_t size);
/* How many of its entries are recorded by number. */
size_t crm_sweep_figure_list_entries(const crm_study *study, const char *list);

#endif
