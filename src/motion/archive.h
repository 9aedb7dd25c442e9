/* The state of a motion as bytes: written and read by one function. Internal to the library.
 *
 * An engine lists what its state is made of once, in a visitor:
 *
 *     static void archive(crm_motion *motion, crm_archive *archive)
 *     {
 *         ...
 *         crm_archive_number(archive, &m->t);
 *         crm_archive_numbers(archive, m->y, m->dimension);
 *         crm_archive_count(archive, &m->loaded_count, m->gaps);
 *     }
 *
 * An archive that is written takes the values and changes none, one that is read gives them. What
 * was made from the definition (sizes, masses, names) is not listed: a motion is read into one that
 * was made of the same definition, which is checked first. What follows from the listed (a tree of
 * minima) is made anew at the end, if crm_archive_reads.
 *
 * Nothing has to be asked between two calls: once something is wrong all further calls do nothing,
 * and values that were not read stay as they were. A value is checked as it is read, so that
 * whatever the bytes are an index stays within its array. (Whoever forges an archive, checksums and
 * all, can make a motion that makes no sense, and never ends, but no access to memory that is not
 * its own.)
 *
 * The bytes: "carom motion\n", the order of bytes, the format, then blocks: size, content, checksum
 * of all contents so far; an empty block ends them. A visitor is given only what is in blocks that
 * are whole.
 */
#ifndef CRM_ARCHIVE_H
#define CRM_ARCHIVE_H

#include "motion/motion.h"

/* It is read, and all is well so far. */
bool crm_archive_reads(const crm_archive *archive);
bool crm_archive_is_good(const crm_archive *archive);
/* It is not what it should be. Only the first reason counts. */
void crm_archive_refuse(crm_archive *archive, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void crm_archive_fail_memory(crm_archive *archive);

void crm_archive_number(crm_archive *archive, double *value); /* any, NAN, too */
void crm_archive_numbers(crm_archive *archive, double *values, size_t count);
void crm_archive_flag(crm_archive *archive, bool *value);
void crm_archive_flags(crm_archive *archive, bool *values, size_t count);
void crm_archive_word(crm_archive *archive, uint32_t *value);               /* any */
void crm_archive_long(crm_archive *archive, uint64_t *value);               /* any */
void crm_archive_place(crm_archive *archive, int64_t *value, int64_t most); /* from -most to most */
void crm_archive_byte(crm_archive *archive, uint8_t *value, size_t most);   /* up to most */
void crm_archive_count(crm_archive *archive, size_t *value, size_t most);   /* up to most */
/* Below `count`, or UINT32_MAX: none. */
void crm_archive_index(crm_archive *archive, uint32_t *value, size_t count);
/* With its end, in `size` bytes. */
void crm_archive_text(crm_archive *archive, char *text, size_t size);

/* The state of a whole motion, for one that is moved by another. */
void crm_motion_archive_state(crm_archive *archive, crm_motion *motion);

/* ---- What a motion is made of ---------------------------------------------------------------- */

/* A hash of what is written to an archive that goes nowhere. */
typedef void (*crm_archive_list)(crm_archive *archive, const void *of);
uint64_t crm_archive_hash(crm_archive_list list, const void *of);

/* For such a list. */
void crm_archive_fixed_numbers(crm_archive *archive, const double *values, size_t count);
void crm_archive_fixed_count(crm_archive *archive, size_t value);
void crm_archive_fixed_text(crm_archive *archive, const char *text); /* NULL is fine */

/* ---- Where it begins and ends: for save.c ---------------------------------------------------- */

/* NULL: no memory. What is wrong with the archive shows in crm_archive_end, which also frees it. */
crm_archive *crm_archive_to(crm_write_bytes write, void *context, crm_error *error);
crm_archive *crm_archive_from(crm_read_bytes read, void *context, crm_error *error);
crm_status crm_archive_end(crm_archive *archive);

#endif
