/* The items of a directory. */
#ifndef CRM_REPRODUCE_ITEM_INDEX_H
#define CRM_REPRODUCE_ITEM_INDEX_H

#include "reproduce/item.h"

typedef struct crm_item_index {
    size_t count;
    crm_item **items; /* in the order of paper, kind and number */
} crm_item_index;

/* Every *.yaml of the directory; the first mistake in any of them ends it. */
crm_status crm_item_index_read(const char *directory, crm_item_index *index, crm_read_error *error);
/* One more file. */
crm_status crm_item_index_add(crm_item_index *index, const char *path, crm_read_error *error);
void crm_item_index_free(crm_item_index *index);

/* Whether a word of the command line means the item: its name, the beginning of it up to a hyphen
 * ("P1", "P1-table"), one of several figures ("P0-figure-26" of "P0-figure-24-27"), one that
 * prints the same ("P4-table-5" of P0-table-5), "all", or "quick".
 */
bool crm_item_index_matches(const crm_item *item, const char *word);

#endif
