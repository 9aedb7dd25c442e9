/* Bytes as the fields of definitions, for fuzzers of the C interface.
 *
 * A byte of 0, and the end of the bytes, leave a field as it is by default. What a call cannot
 * check is kept: arrays have as many entries as the sizes beside them say, each in a block of its
 * own, so that a sanitizer sees what is read beyond.
 */
#ifndef CAROM_TEST_FEED_H
#define CAROM_TEST_FEED_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "carom/carom.h"

enum { FEED_ENTRIES = 6, FEED_KEPT = 128, FEED_NAME = 8, FEED_MOST = 4096 };

typedef struct feed {
    const uint8_t *at, *end;
    void *kept[FEED_KEPT];
    size_t count;
} feed;

/* ---- Fields --------------------------------------------------------------------------------- */

static unsigned feed_byte(feed *f)
{
    return f->at < f->end ? *f->at++ : 0;
}

/* A byte for the values that matter most, nine for any. */
static double feed_number(feed *f, double standard)
{
    static const double edges[] = {0,        1,      -1,    0.5,    2,        1e-9,
                                   1e9,      1e-30,  1e30,  1e-60,  1e60,     1e-150,
                                   1e150,    1e-320, 1e300, -1e300, 1e308,    1 + 1e-9,
                                   1 - 1e-9, 3.1416, -0.0,  NAN,    INFINITY, -INFINITY};
    enum { EDGES = sizeof edges / sizeof edges[0], PLAIN = 224 };
    unsigned byte = feed_byte(f);
    double any = 0;
    if (byte == 0) {
        return standard;
    }
    if (byte <= EDGES) {
        return edges[byte - 1];
    }
    if (byte < PLAIN || f->end - f->at < (ptrdiff_t)sizeof any) {
        return ((double)byte - 124) / 8;
    }
    memcpy(&any, f->at, sizeof any);
    f->at += sizeof any;
    return any;
}

static void feed_numbers(feed *f, size_t count, double *values)
{
    for (size_t i = 0; i < count; i++) {
        values[i] = feed_number(f, values[i]);
    }
}

/* Few, or so many that they cannot be. */
static size_t feed_size(feed *f, size_t standard)
{
    unsigned byte = feed_byte(f);
    return byte == 0     ? standard
           : byte == 254 ? SIZE_MAX / 8
           : byte == 255 ? SIZE_MAX
                         : (byte - 1) % (FEED_ENTRIES + 1);
}

/* Of an enumeration of `count` values, or outside of it. */
static int feed_choice(feed *f, int count)
{
    unsigned byte = feed_byte(f);
    return byte < 240 ? (int)byte % count : (int)byte - 248;
}

static bool feed_yes(feed *f)
{
    return feed_byte(f) % 2 == 1;
}

/* ---- What fields point to ------------------------------------------------------------------- */

/* A block of exactly this size, freed at the end; NULL: none is wanted, or it cannot be. */
static void *feed_block(feed *f, size_t count, size_t size)
{
    if (count > FEED_MOST || f->count == FEED_KEPT) {
        return NULL;
    }
    void *block = calloc(count > 0 ? count : 1, size);
    if (block != NULL) {
        f->kept[f->count++] = block;
    }
    return block;
}

static double *feed_list(feed *f, size_t count, double standard)
{
    double *list = feed_yes(f) ? feed_block(f, count, sizeof *list) : NULL;
    for (size_t i = 0; list != NULL && i < count; i++) {
        list[i] = feed_number(f, standard);
    }
    return list;
}

static const char *feed_name(feed *f)
{
    size_t length = feed_byte(f) % FEED_NAME;
    char *name = length > 0 ? feed_block(f, length, 1) : NULL;
    for (size_t i = 0; name != NULL && i + 1 < length; i++) {
        name[i] = (char)feed_byte(f);
    }
    return name;
}

static const char *const *feed_names(feed *f, size_t count)
{
    const char **names = feed_yes(f) ? feed_block(f, count, sizeof *names) : NULL;
    for (size_t i = 0; names != NULL && i < count; i++) {
        names[i] = feed_name(f);
    }
    return names;
}

static const crm_material *feed_material(feed *f)
{
    crm_material *material = feed_yes(f) ? feed_block(f, 1, sizeof *material) : NULL;
    if (material != NULL) {
        material->young = feed_number(f, 1e9);
        material->poisson = feed_number(f, 0.3);
        material->density = feed_number(f, 1000);
    }
    return material;
}

/* Starts and rows in any order and of any size; as many entries as the last start says. */
static const crm_sparse_view *feed_sparse(feed *f, size_t columns)
{
    crm_sparse_view *view = feed_yes(f) ? feed_block(f, 1, sizeof *view) : NULL;
    size_t *start =
        view != NULL && columns <= FEED_ENTRIES ? feed_block(f, columns + 1, sizeof *start) : NULL;
    if (start == NULL) {
        return view;
    }
    for (size_t j = 0; j < columns; j++) {
        start[j + 1] = feed_byte(f) < 250 ? start[j] + feed_byte(f) % 3 : feed_size(f, 0);
    }
    uint32_t *row = feed_block(f, start[columns], sizeof *row);
    for (size_t k = 0; row != NULL && k < start[columns]; k++) {
        row[k] = feed_byte(f) % (FEED_ENTRIES + 1);
    }
    view->column_start = start;
    view->row = row;
    view->value = row != NULL ? feed_list(f, start[columns], 1) : NULL;
    return view;
}

static crm_contact_def feed_contact(feed *f)
{
    crm_contact_def contact = crm_contact_def_default();
    contact.stiffness = feed_number(f, contact.stiffness);
    contact.exponent = feed_number(f, contact.exponent);
    contact.restitution = feed_number(f, contact.restitution);
    contact.stored_energy = feed_number(f, contact.stored_energy);
    return contact;
}

static crm_values feed_values(feed *f, size_t count, crm_values standard)
{
    standard.all = feed_number(f, standard.all);
    standard.each = feed_list(f, count, 1);
    return standard;
}

static void feed_free(feed *f)
{
    while (f->count > 0) {
        free(f->kept[--f->count]);
    }
}

#endif
