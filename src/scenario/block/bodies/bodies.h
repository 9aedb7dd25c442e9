/* What the readers of bodies share. Internal to src/scenario/block/bodies. */
#ifndef CRM_BLOCK_BODIES_H
#define CRM_BLOCK_BODIES_H

#include "model/bodies/bodies.h"
#include "scenario/reader.h"

/* One body of the list. Its velocities are as many as it has coordinates; of a suspended one its
 * rate of turning alone.
 */
crm_status crm_body_read(crm_reader *reader, const crm_node *node, size_t index, unsigned dimension,
                         crm_names *names, crm_body_def *body, double *velocity);
/* Of a body or wall; NULL node: none. */
crm_status crm_body_read_name(crm_reader *reader, const crm_node *node, size_t index,
                              crm_names *names, const char **name);

/* How many spins spheres have: crm_bodies_sphere_turns of what has not been read yet. Mistakes are
 * left to those who read it. A friction of 0 beside a spin is that of a study which begins without
 * friction: the velocities are the same at all its points.
 */
unsigned crm_friction_find_turns(const crm_reader *reader, const crm_bodies_nodes *nodes,
                                 unsigned dimension);
/* `friction` of `contacts`: a number, or "materials". NULL node: not given. */
crm_status crm_friction_read(crm_reader *reader, const crm_node *node, crm_bodies_def *def);
crm_status crm_friction_refuse_motion(crm_reader *reader, const crm_bodies_nodes *nodes,
                                      const crm_bodies_def *def);

#endif
