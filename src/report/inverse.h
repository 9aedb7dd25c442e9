/* Reports of derivatives, fits and designs. */
#ifndef CRM_REPORT_INVERSE_H
#define CRM_REPORT_INVERSE_H

#include <stdio.h>

#include <jansson.h>

#include "carom/admissible.h"
#include "carom/inverse.h"
#include "inverse/admissible/problem.h"
#include "inverse/design/design.h"
#include "report/report.h"

/* As in carom/report.h: a write that failed shows in ferror(), the status is about memory only. */
crm_status crm_sensitivity_json(const crm_sensitivity *table, FILE *stream, crm_error *error);
void crm_sensitivity_table(const crm_sensitivity *table, crm_style style, FILE *stream);
/* One row per quantity: its name, its value, then a column per field; those of uncertainties last.
 */
void crm_sensitivity_csv(const crm_sensitivity *table, FILE *stream);

/* As crm_fit_json prints it; NULL where memory ran out. */
json_t *crm_fit_object(const crm_fit *fit);
crm_status crm_fit_json(const crm_fit *fit, FILE *stream, crm_error *error);
void crm_fit_table(const crm_fit *fit, crm_style style, FILE *stream);
/* One row per parameter. */
void crm_fit_csv(const crm_fit *fit, FILE *stream);

crm_status crm_design_json(const crm_design *design, FILE *stream, crm_error *error);
void crm_design_table(const crm_design *design, crm_style style, FILE *stream);
/* One row per field. */
void crm_design_csv(const crm_design *design, FILE *stream);

/* As crm_admissible_json prints it; NULL where memory ran out. */
json_t *crm_admissible_object(const crm_admissible_table *table);
crm_status crm_admissible_json(const crm_admissible_table *table, FILE *stream, crm_error *error);
crm_status crm_admissible_print(const crm_admissible_table *table, crm_style style, FILE *stream,
                                crm_error *error);
/* The curves of its picture: as JSON, and as CSV with one row per point. */
json_t *crm_admissible_picture_object(const crm_admissible_picture *picture);
void crm_admissible_picture_csv(const crm_admissible_picture *picture, FILE *stream);
/* One row per quantity, with its range and what each law gives; then whether that is inside. */
void crm_admissible_csv(const crm_admissible_table *table, FILE *stream);

#endif
