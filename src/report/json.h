/* Building and writing JSON.
 *
 * Jansson's _new functions take what they are given and pass NULL on, so that a failed allocation
 * anywhere shows as one NULL at the end. These functions keep that property.
 */
#ifndef CRM_JSON_H
#define CRM_JSON_H

#include <jansson.h>
#include <stdio.h>

#include "carom/law.h"
#include "carom/status.h"
#include "report/report.h"
#include "scenario/scenario.h"

void crm_json_put(json_t **object, const char *key, json_t *value);
void crm_json_add(json_t **array, json_t *value);
/* null for NaN and infinity, 0 for -0. */
json_t *crm_json_number(double value);
json_t *crm_json_warnings(const crm_warnings *of);
/* A law's options by name; null for those that are not given and have no default. */
json_t *crm_settings_json(const crm_settings *settings);
/* Write the object, or NULL where memory ran out, and free it. What the stream refuses shows in
 * ferror() alone.
 */
crm_status crm_json_print(json_t *object, FILE *stream, crm_error *error);

/* The report as crm_report_json prints it; NULL where memory ran out. */
json_t *crm_report_object(const crm_report *report);

#endif
