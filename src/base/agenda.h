/* Who comes first among those that wait. */
#ifndef CRM_AGENDA_H
#define CRM_AGENDA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Contacts that wait, the one of greatest key first (least index among equals): a binary
 * heap that knows where each contact is, so that a change costs the logarithm of how many wait.
 */
typedef struct crm_agenda {
    size_t count;
    uint32_t *heap;  /* the first `count` entries wait */
    uint32_t *place; /* contact -> place in the heap; UINT32_MAX: does not wait */
    double *key;
} crm_agenda;

/* For contacts 0 .. size-1. False: no memory; release in any case. */
bool crm_agenda_create(crm_agenda *agenda, size_t size);
void crm_agenda_release(crm_agenda *agenda);
void crm_agenda_put(crm_agenda *agenda, size_t contact, double key); /* enter, or change the key */
void crm_agenda_drop(crm_agenda *agenda, size_t contact); /* nothing if it does not wait */

#endif
