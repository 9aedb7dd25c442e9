/* The points of a parameter study that a page or figure shows, with their quantities. */
#ifndef CRM_STUDY_VIEW_H
#define CRM_STUDY_VIEW_H

#include "report/page/page.h"
#include "study/study.h"

typedef struct crm_study_view {
    const crm_study *study;
    const crm_study_table *table; /* of points first, first + 1, ... */
    size_t first;
} crm_study_view;

size_t crm_study_view_points(const crm_study_view *view);
/* NAN: not defined, or no answer. */
double crm_study_view_value(const crm_study_view *view, size_t point, size_t law, size_t quantity);
/* A field at a point, counted from `first`; of a field that is no number NAN. */
double crm_study_view_field(const crm_study_view *view, size_t point, size_t field);
/* What a measure of impacts means, and a unit such as "m/s"; NULL: none. */
const char *crm_study_view_text(const crm_study_view *view, size_t quantity);
const char *crm_study_view_unit(const crm_study_view *view, size_t quantity);

crm_status crm_sweep_page_write(const crm_study_view *view, const crm_page_source *source,
                                FILE *stream, crm_error *error);

#endif
