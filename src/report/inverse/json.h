/* A fit as JSON. */
#ifndef CRM_INVERSE_JSON_H
#define CRM_INVERSE_JSON_H

#include <jansson.h>

#include "report/inverse.h"

/* As crm_fit_json prints it; NULL where memory ran out. */
json_t *crm_fit_object(const crm_fit *fit);

#endif
