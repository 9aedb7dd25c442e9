/* The bodies and contacts that a page shows: all, or those of a large system nearest to the impact.
 */
#ifndef CRM_MODEL_SUBSET_H
#define CRM_MODEL_SUBSET_H

#include "carom/carom.h"

/* A page of a larger system would not open. */
enum { CRM_MODEL_SUBSET_MOST = 4096 };

typedef struct crm_model_subset {
    size_t body_count, contact_count, coordinate_count;
    size_t *bodies, *contacts, *coordinates; /* numbers in the model, ascending */
    bool whole;                              /* they are all there are */
} crm_model_subset;

/* At most `most` bodies and twice as many contacts, counted in contacts from those that close
 * before the impact, or have energy stored in them. To be freed also after an error.
 */
crm_status crm_model_subset_make(const crm_model *model, const double *velocity, size_t most,
                                 crm_model_subset *subset, crm_error *error);
void crm_model_subset_free(crm_model_subset *subset);

#endif
