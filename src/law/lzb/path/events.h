/* Changes of modes along a path. Internal to its room. */
#ifndef CRM_LZB_PATH_EVENTS_H
#define CRM_LZB_PATH_EVENTS_H

#include "law/lzb/path/path.h"

/* A contact of the band passes a change of its mode at a part t of the step that was tried last. */
typedef struct lzb_crossing {
    size_t place; /* SIZE_MAX: none */
    lzb_path_kind kind;
    double t;
} lzb_crossing;

/* An open contact begins to close: as a kind of its own, which is not kept. */
enum { LZB_PATH_ENTER = LZB_PATH_STOP + 1 };

/* Must its closing speed be seen to change its sign? An elastic contact does not care. */
bool lzb_events_located(const lzb_path *path, size_t contact);
/* How it opens. */
lzb_path_kind lzb_events_opening(const lzb_path *path, size_t contact);
/* The mode of a contact that begins to close. */
lzb_mode lzb_events_closing_mode(const lzb_path *path, size_t contact);

/* The first change within the step. */
lzb_crossing lzb_events_first(const lzb_path *path, double length);
/* How far the contact is from its change at the end of the step, how fast that shrinks, and how
 * near is near enough.
 */
typedef struct lzb_distance {
    double value, slope, near;
} lzb_distance;
lzb_distance lzb_events_distance(const lzb_path *path, size_t place, lzb_path_kind kind);

/* Where in a step, as a part of it, a closing speed first nearly changes its sign and that would
 * make a difference; 1: nowhere but near its ends.
 */
double lzb_events_near_turn(const lzb_path *path, double length);

/* After a step has been taken: closing speeds that nearly changed their sign within it, where that
 * would have made a difference.
 */
crm_status lzb_events_note_turns(lzb_path *path, double length, crm_error *error);
/* The same where the rate of a closing speed has just changed its sign at an event. */
crm_status lzb_events_note_breaks(lzb_path *path, crm_error *error);
/* After a step has been taken: all changes that are due at its end, that of `target` for certain.
 */
crm_status lzb_events_act(lzb_path *path, lzb_crossing target, crm_error *error);
/* One of them, by contact; a is c'. */
crm_status lzb_events_happen(lzb_path *path, size_t contact, lzb_path_kind kind, double a,
                             crm_error *error);

#endif
