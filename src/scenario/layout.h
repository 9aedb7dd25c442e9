/* Where the bodies of a scenario are, to be drawn: its definition read once more for its geometry.
 */
#ifndef CRM_LAYOUT_H
#define CRM_LAYOUT_H

#include "scenario/scenario.h"

typedef struct crm_layout {
    crm_arena memory;
    unsigned dimension; /* 0: it has no geometry, as a system */
    size_t count;       /* bodies that were asked for, in their order */
    crm_body_def *bodies;
    size_t fixed_count;
    crm_body_def *fixed;
    size_t wall_count;
    crm_wall_def *walls;
} crm_layout;

/* `bodies`: numbers of bodies of the model, ascending. To be freed also after an error. */
crm_status crm_layout_make(const crm_scenario *scenario, const size_t *bodies, size_t count,
                           crm_layout *layout, crm_read_error *error);
void crm_layout_free(crm_layout *layout);

#endif
