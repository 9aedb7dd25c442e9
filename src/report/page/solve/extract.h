/* Which bodies and contacts a page is about: all, or of a large system those nearest to the blow.
 */
#ifndef CRM_EXTRACT_H
#define CRM_EXTRACT_H

#include "carom/carom.h"

/* A page of a larger system would neither open nor be looked at. */
enum { CRM_EXTRACT_MOST = 4096 };

typedef struct crm_extract {
    size_t body_count, contact_count, coordinate_count;
    size_t *bodies, *contacts, *coordinates; /* numbers in the model, ascending */
    bool whole;                              /* they are all there are */
} crm_extract;

/* At most `most` bodies and twice as many contacts, counted in contacts from those that close
 * before the impact, or have energy stored in them. To be freed also after an error.
 */
crm_status crm_extract_make(const crm_model *model, const double *velocity, size_t most,
                            crm_extract *extract, crm_error *error);
void crm_extract_free(crm_extract *extract);

#endif
