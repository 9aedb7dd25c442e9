/* The end of a tail on a line of contacts. Internal. */
#ifndef CRM_LZB_TAIL_H
#define CRM_LZB_TAIL_H

#include <stdbool.h>

#include "model/model.h"

/* The plastic projection p >= 0, w = D p + q >= 0, p'w = 0. false: not a line of bodies in a row,
 * or not to be had this way.
 */
bool lzb_project_on_line(const crm_model *model, const double *q, double *p, double *w);

#endif
