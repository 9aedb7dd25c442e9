/* Text from outside, before people see it. */
#ifndef CRM_TEXT_H
#define CRM_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* The character of UTF-8 that `text` (not empty) begins with: its length in bytes. *hidden: it is
 * not to be shown as it is, because a terminal would act on it or a reader be misled. Those are
 * the control characters, of ASCII and U+0080 to U+009F; whatever reorders, joins or hides text
 * (Unicode's format characters, the separators of lines and paragraphs); and bytes that are no
 * UTF-8, one at a time.
 */
size_t crm_text_character(const char *text, bool *hidden);

bool crm_text_hides(const char *text); /* a character of it is hidden */

enum { CRM_ESCAPE_SIZE = 12 };
/* The first character as one writes it in YAML or C: "\u009b", "\x80"; as it is, if not hidden.
 * Returns its length in bytes within `text`.
 */
size_t crm_text_escape(const char *text, char escape[CRM_ESCAPE_SIZE]);

#endif
