/* More than the first of what is wrong with a scenario. Internal to src/scenario, src/study and
 * src/inverse.
 *
 * A reader returns a status, and its callers return it in turn: the first mistake ends the reading.
 * Where what follows does not depend on what went wrong, the status goes through crm_mistakes_pass,
 * which keeps the error and lets the reading continue. What does depend on it (a model on its
 * masses, a list on how many entries it must have) asks crm_mistakes_any, or is left out by a
 * status that is not passed. Only the first error of a node counts: others follow from it.
 */
#ifndef CRM_MISTAKES_H
#define CRM_MISTAKES_H

#include "scenario/yaml/tree.h"

struct crm_reader;

/* How many are listed; how many end the reading. */
enum { CRM_MISTAKES_LISTED = 10, CRM_MISTAKES_MOST = 100 };

typedef struct crm_mistakes {
    crm_read_error *first; /* the first, and the others in `more` */
    crm_read_error next;   /* what is wrong now, after the first */
    size_t count, mark;
    const crm_node *at[CRM_MISTAKES_MOST]; /* nodes with an error so far; NULL: none in the file */
} crm_mistakes;

/* From now on the reader's errors are kept in *mistakes; *reader->error is the first. */
void crm_mistakes_begin(struct crm_reader *reader, crm_mistakes *mistakes);
/* Keep the error, if the status is one, and continue: CRM_OK. Memory that ran out, too many
 * mistakes, and a reader that keeps none end the reading: the status as it was.
 */
crm_status crm_mistakes_pass(struct crm_reader *reader, crm_status status);
/* When there was a mistake since the mark, no model is made: look for numbers out of their ranges,
 * as it would have, in the fields of this node (NULL: there is none) and of blocks in it.
 */
void crm_mistakes_check_ranges(struct crm_reader *reader, const crm_node *node);
void crm_mistakes_mark(struct crm_reader *reader);
bool crm_mistakes_any(const struct crm_reader *reader); /* since the mark */
size_t crm_mistakes_count(const struct crm_reader *reader);
/* The last status of all, which counts as the others do; the first one's, or CRM_OK. */
crm_status crm_mistakes_end(struct crm_reader *reader, crm_status status);

#endif
