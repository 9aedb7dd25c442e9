/* The state of a motion as bytes: written and read by the same function. Internal to the library.
 *
 * A kind of motion lists its state once, in a visitor:
 *
 *     static void archive(crm_motion *motion, crm_archive *archive)
 *     {
 *         ...
 *         crm_archive_number(archive, &m->t);
 *         crm_archive_numbers(archive, m->y, m->dimension);
 *         crm_archive_count(archive, &m->loaded_count, m->gaps);
 *     }
 *
 * Writing an archive changes no values; reading one sets them. Values that follow from the
 * definition (sizes, masses, names) are not listed: a motion is read into one that was created from
 * the same definition, which is checked first. Values that follow from listed ones (a tree of
 * minima) are computed at the end, if crm_archive_reads.
 *
 * Calls need no checks between them: after an error all further calls do nothing, and values that
 * were not read stay as they were. A value is checked as it is read, so that an index stays within
 * its array whatever the bytes are. (A forged archive with right checksums can make a motion that
 * is meaningless and never ends, but no access outside of its memory.)
 *
 * The bytes: "carom motion\n", the byte order, the format, then blocks of size, content, and
 * checksum of all contents so far; an empty block is the last. A visitor has only data of complete
 * blocks.
 */
#ifndef CRM_ARCHIVE_H
#define CRM_ARCHIVE_H

#include "motion/motion.h"

/* It is being read, without an error so far. */
bool crm_archive_reads(const crm_archive *archive);
bool crm_archive_is_good(const crm_archive *archive);
/* Fails with a reason. Only the first one counts. */
void crm_archive_refuse(crm_archive *archive, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void crm_archive_fail_memory(crm_archive *archive);

void crm_archive_number(crm_archive *archive, double *value); /* any, NAN, too */
void crm_archive_numbers(crm_archive *archive, double *values, size_t count);
void crm_archive_flag(crm_archive *archive, bool *value);

void crm_archive_word(crm_archive *archive, uint32_t *value);               /* any */
void crm_archive_long(crm_archive *archive, uint64_t *value);               /* any */
void crm_archive_place(crm_archive *archive, int64_t *value, int64_t most); /* from -most to most */
void crm_archive_byte(crm_archive *archive, uint8_t *value, size_t most);   /* up to most */
void crm_archive_count(crm_archive *archive, size_t *value, size_t most);   /* up to most */
/* Below `count`, or UINT32_MAX: none. */
void crm_archive_index(crm_archive *archive, uint32_t *value, size_t count);
/* With its end, in `size` bytes. */
void crm_archive_text(crm_archive *archive, char *text, size_t size);

/* The state of a whole motion, for one that is part of another. */
void crm_motion_archive_state(crm_archive *archive, crm_motion *motion);

/* ---- Hashes of a definition ------------------------------------------------------------------ */

/* A hash of everything that `list` lists. */
typedef void (*crm_archive_list)(crm_archive *archive, const void *of);
uint64_t crm_archive_hash(crm_archive_list list, const void *of);

/* For such lists. */
void crm_archive_fixed_numbers(crm_archive *archive, const double *values, size_t count);
void crm_archive_fixed_count(crm_archive *archive, size_t value);

/* ---- Opening and closing, for save.c --------------------------------------------------------- */

/* NULL: no memory. Errors of the archive are returned by crm_archive_end, which also frees it. */
crm_archive *crm_archive_to(crm_write_bytes write, void *context, crm_error *error);
crm_archive *crm_archive_from(crm_read_bytes read, void *context, crm_error *error);
crm_status crm_archive_end(crm_archive *archive);

#endif
