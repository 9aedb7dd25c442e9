/* Models whose contacts are a line. Internal. */
#ifndef CRM_LZB_LINE_H
#define CRM_LZB_LINE_H

#include <stdbool.h>

#include "model/model.h"

/* Does each contact meet just the one before and the one after? D is stored. */
bool lzb_line_fits(const crm_model *model);

/* The plastic projection p >= 0, w = D p + q >= 0, p'w = 0. false: not a line of bodies in a row,
 * or not found this way.
 */
bool lzb_line_project(const crm_model *model, const double *q, double *p, double *w);

#endif
