/* Many small allocations that all die together: the nodes of a scenario file, the temporary lists
 * of its reader. One call frees everything, so that no error path has anything to undo.
 */
#ifndef CRM_ARENA_H
#define CRM_ARENA_H

#include <stddef.h>

typedef struct crm_arena {
    struct crm_arena_block *last; /* zero-initialize: {0} is an empty arena */
} crm_arena;

/* count * size zeroed bytes, aligned for any type; NULL when they do not exist. */
void *crm_arena_allocate(crm_arena *arena, size_t count, size_t size);
/* A terminated copy of length bytes; NULL when out of memory. */
char *crm_arena_text(crm_arena *arena, const char *text, size_t length);
void crm_arena_free(crm_arena *arena); /* leaves it empty */

/* How full an arena is, to give back later what was taken since. */
typedef struct crm_arena_mark {
    struct crm_arena_block *last;
    size_t used;
} crm_arena_mark;

crm_arena_mark crm_arena_now(const crm_arena *arena);
void crm_arena_return(crm_arena *arena, crm_arena_mark mark);

#define CRM_ARENA_NEW(arena, type, count)                                                          \
    ((type *)crm_arena_allocate((arena), (count), sizeof(type)))

#endif
