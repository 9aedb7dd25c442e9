/* Text in buffers: appending, the candidate a misspelt name meant, characters not to be shown. */
#ifndef CRM_TEXT_H
#define CRM_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* Append to the text in a buffer of `size` bytes. A text that does not fit ends in "...". */
void crm_text_append(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void crm_text_append_list(char *text, size_t size, const char *format, va_list arguments);

/* A number of bytes with two digits and its unit: "39 GB". */
void crm_text_bytes(double bytes, char *text, size_t size);

/* Edit distance (insert, delete, replace, swap neighbours: 1 each), for "did you mean". */
size_t crm_text_distance(const char *a, const char *b);
/* Index of the candidate nearest to text; count > 0. */
size_t crm_text_nearest(const char *text, const char *const *candidates, size_t count);
/* Is the candidate near enough to have been meant? */
bool crm_text_is_near(const char *text, const char *candidate);

/* The UTF-8 character at the beginning of `text` (not empty): its length in bytes. *hidden: it must
 * not be shown as it is, because a terminal would act on it or a reader be misled. These are
 * control characters (ASCII and U+0080 to U+009F); characters that reorder, join or hide text
 * (Unicode's format characters, line and paragraph separators); and bytes that are not UTF-8, one
 * at a time.
 */
size_t crm_text_character(const char *text, bool *hidden);

bool crm_text_hides(const char *text); /* does it contain such a character? */

enum { CRM_ESCAPE_SIZE = 12 };
/* The first character, escaped as in YAML or C if it is hidden: "\u009b", "\x80". Returns its
 * length in bytes within `text`.
 */
size_t crm_text_escape(const char *text, char escape[CRM_ESCAPE_SIZE]);

#endif
