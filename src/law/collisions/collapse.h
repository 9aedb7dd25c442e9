/* Inelastic collapse: a sequence of collisions that repeats without end. Internal to the library;
 * used by the laws of collisions.
 */
#ifndef CRM_COLLAPSE_H
#define CRM_COLLAPSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "carom/status.h"

struct crm_collisions;
struct crm_collision_plan;

/* Contacts that may take part in a sequence that is proved to repeat. */
enum { CRM_COLLAPSE_CONTACTS = 32 };

typedef struct crm_collapse {
    uint32_t *recent; /* the latest collisions, since `begin` */
    size_t count, capacity;
    uint64_t begin;
    /* What was proved; period 0: nothing. */
    size_t period, contacts;
    uint32_t contact[CRM_COLLAPSE_CONTACTS];
    double factor; /* of closing speeds, in each repetition */
} crm_collapse;

/* Contact j has collided. After some thousand collisions *proved says whether those to come are
 * proved to repeat without end; with friction, where collisions are not linear, never.
 */
crm_status crm_collapse_observe(struct crm_collisions *collisions,
                                const struct crm_collision_plan *plan, size_t j, bool *proved,
                                crm_error *error);
void crm_collapse_release(crm_collapse *collapse);
/* "after 12000 collisions inelastic collapse: ..." */
void crm_collapse_describe(const struct crm_collisions *collisions, char *text, size_t size);

#endif
