/* What pictures of a parameter study are made from. */
#ifndef CRM_PAGE_STUDY_H
#define CRM_PAGE_STUDY_H

#include "report/page/page.h"
#include "study/study.h"

typedef struct crm_study_picture {
    const crm_study *study;
    const crm_study_table *table; /* of points first, first + 1, ... */
    size_t first;
} crm_study_picture;

size_t crm_picture_points(const crm_study_picture *picture);
/* NAN: not defined, or without an answer. */
double crm_picture_value(const crm_study_picture *picture, size_t point, size_t law,
                         size_t quantity);
/* A field at a point, counted from `first`; of a field that is no number NAN. */
double crm_picture_field(const crm_study_picture *picture, size_t point, size_t field);
/* "m/s", or NULL: it has none. */
const char *crm_picture_unit(const crm_study_picture *picture, size_t quantity);

crm_status crm_page_sweep(const crm_study_picture *picture, const crm_page_source *source,
                          FILE *stream, crm_error *error);

#endif
