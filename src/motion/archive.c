/* Archives: values to bytes in blocks, and back. */
#include "motion/archive.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"

enum { BLOCK = 1 << 16 };
/* Shows the byte order. */
static const uint32_t ORDER = 0x01020304;
/* Changes whenever a kind of motion lists its state in another way. */
static const uint32_t FORMAT = 2;
static const char HEADING[] = "carom motion\n";

typedef enum archive_way { WRITES, READS, HASHES } archive_way;

struct crm_archive {
    archive_way way;
    crm_write_bytes write;
    crm_read_bytes read;
    void *context;
    unsigned char *block; /* of BLOCK bytes */
    size_t used, filled;
    uint64_t hash; /* of all contents so far */
    crm_status status;
    crm_error *error;
};

bool crm_archive_is_good(const crm_archive *archive)
{
    return archive->status == CRM_OK;
}

bool crm_archive_reads(const crm_archive *archive)
{
    return archive->way == READS && archive->status == CRM_OK;
}

void crm_archive_refuse(crm_archive *archive, const char *format, ...)
{
    if (archive->status != CRM_OK) {
        return;
    }
    char why[384];
    va_list arguments;
    va_start(arguments, format);
    crm_vsnprintf(why, sizeof why, format, arguments); /* NOLINT */
    va_end(arguments);
    archive->status = crm_fail(archive->error, CRM_ERROR_ARGUMENT, "archive", "%s", why);
}

void crm_archive_fail_memory(crm_archive *archive)
{
    if (archive->status == CRM_OK) {
        archive->status = crm_fail_memory(archive->error);
    }
}

/* ---- Bytes ----------------------------------------------------------------------------------- */

static void put(crm_archive *a, const void *bytes, size_t size)
{
    if (a->status == CRM_OK && size > 0 && a->write(a->context, bytes, size) != CRM_OK) {
        a->status = crm_fail(a->error, CRM_ERROR_STOPPED, "archive", "it could not be written");
    }
}

static void get(crm_archive *a, void *bytes, size_t size)
{
    if (a->status == CRM_OK && size > 0 && a->read(a->context, bytes, size) != CRM_OK) {
        crm_archive_refuse(a, "it ends too early, or could not be read");
    }
}

static void put_block(crm_archive *a)
{
    uint32_t size = (uint32_t)a->used;
    a->hash = crm_hash(a->hash, a->block, a->used);
    put(a, &size, sizeof size);
    put(a, a->block, a->used);
    put(a, &a->hash, sizeof a->hash);
    a->used = 0;
}

static void get_block(crm_archive *a)
{
    uint32_t size = 0;
    uint64_t hash = 0;
    get(a, &size, sizeof size);
    if (a->status == CRM_OK && size > BLOCK) {
        crm_archive_refuse(a, "it is damaged: a block has %u bytes, must have up to %d", size,
                           BLOCK);
    }
    get(a, a->block, size);
    get(a, &hash, sizeof hash);
    if (a->status != CRM_OK) {
        return;
    }
    a->hash = crm_hash(a->hash, a->block, size);
    a->used = 0;
    a->filled = size;
    if (hash != a->hash) {
        crm_archive_refuse(a, "it is damaged: its checksum is wrong");
    }
}

static void write_some(crm_archive *a, const unsigned char *bytes, size_t size)
{
    while (size > 0 && a->status == CRM_OK) {
        size_t part = BLOCK - a->used < size ? BLOCK - a->used : size;
        memcpy(a->block + a->used, bytes, part);
        a->used += part;
        bytes += part;
        size -= part;
        if (a->used == BLOCK) {
            put_block(a);
        }
    }
}

static void read_some(crm_archive *a, unsigned char *bytes, size_t size)
{
    while (size > 0 && a->status == CRM_OK) {
        if (a->used == a->filled) {
            get_block(a);
            if (a->status == CRM_OK && a->filled == 0) {
                crm_archive_refuse(a, "it is damaged: it has less in it than the motion needs");
            }
            continue;
        }
        size_t part = a->filled - a->used < size ? a->filled - a->used : size;
        memcpy(bytes, a->block + a->used, part);
        a->used += part;
        bytes += part;
        size -= part;
    }
}

static void exchange(crm_archive *a, void *bytes, size_t size)
{
    switch (a->way) {
    case WRITES:
        write_some(a, bytes, size);
        return;
    case READS:
        read_some(a, bytes, size);
        return;
    default:
        a->hash = crm_hash(a->hash, bytes, size);
    }
}

/* ---- Beginning and end ----------------------------------------------------------------------- */

static crm_archive *create(archive_way way, void *context, crm_error *error)
{
    crm_archive *a = CRM_NEW(crm_archive, 1);
    unsigned char *block = CRM_NEW(unsigned char, BLOCK);
    if (a == NULL || block == NULL) {
        free(a);
        free(block);
        crm_fail_memory(error);
        return NULL;
    }
    *a = (crm_archive){
        .way = way, .context = context, .block = block, .hash = CRM_HASH_START, .error = error};
    return a;
}

crm_archive *crm_archive_to(crm_write_bytes write, void *context, crm_error *error)
{
    crm_archive *a = create(WRITES, context, error);
    if (a != NULL) {
        a->write = write;
        put(a, HEADING, sizeof HEADING - 1);
        put(a, &ORDER, sizeof ORDER);
        put(a, &FORMAT, sizeof FORMAT);
    }
    return a;
}

crm_archive *crm_archive_from(crm_read_bytes read, void *context, crm_error *error)
{
    crm_archive *a = create(READS, context, error);
    if (a == NULL) {
        return NULL;
    }
    char heading[sizeof HEADING - 1] = {0};
    uint32_t order = ORDER, format = FORMAT;
    a->read = read;
    get(a, heading, sizeof heading);
    if (a->status == CRM_OK && memcmp(heading, HEADING, sizeof heading) != 0) {
        crm_archive_refuse(a, "it is no motion saved by carom");
    }
    get(a, &order, sizeof order);
    get(a, &format, sizeof format);
    if (order != ORDER || format != FORMAT) {
        crm_archive_refuse(a, "it was saved on another kind of machine, or by another version of "
                              "carom");
    }
    return a;
}

crm_status crm_archive_end(crm_archive *a)
{
    if (a->way == WRITES && a->status == CRM_OK) {
        if (a->used > 0) {
            put_block(a);
        }
        put_block(a);
    }
    if (a->way == READS && a->status == CRM_OK) {
        bool over = a->used == a->filled;
        if (over) {
            get_block(a);
        }
        if (!over || a->filled > 0) {
            crm_archive_refuse(a, "it is damaged: it has more in it than the motion needs");
        }
    }
    crm_status status = a->status;
    free(a->block);
    free(a);
    return status;
}

/* ---- Values ---------------------------------------------------------------------------------- */

void crm_archive_numbers(crm_archive *a, double *values, size_t count)
{
    exchange(a, values, count * sizeof *values);
}

void crm_archive_number(crm_archive *a, double *value)
{
    exchange(a, value, sizeof *value);
}

void crm_archive_word(crm_archive *a, uint32_t *value)
{
    exchange(a, value, sizeof *value);
}

void crm_archive_long(crm_archive *a, uint64_t *value)
{
    exchange(a, value, sizeof *value);
}

static void refuse_value(crm_archive *a, long long value, unsigned long long most)
{
    crm_archive_refuse(a, "it is damaged: a number is %lld, must be up to %llu", value, most);
}

void crm_archive_byte(crm_archive *a, uint8_t *value, size_t most)
{
    uint8_t byte = *value;
    exchange(a, &byte, sizeof byte);
    if (byte > most) {
        refuse_value(a, byte, most);
    } else if (a->status == CRM_OK) {
        *value = byte;
    }
}

void crm_archive_flag(crm_archive *a, bool *value)
{
    uint8_t byte = *value;
    crm_archive_byte(a, &byte, 1);
    *value = byte != 0;
}

void crm_archive_count(crm_archive *a, size_t *value, size_t most)
{
    uint64_t count = *value;
    exchange(a, &count, sizeof count);
    if (count > most) {
        refuse_value(a, (long long)count, most);
    } else if (a->status == CRM_OK) {
        *value = (size_t)count;
    }
}

void crm_archive_place(crm_archive *a, int64_t *value, int64_t most)
{
    int64_t place = *value;
    exchange(a, &place, sizeof place);
    if (place < -most || place > most) {
        refuse_value(a, place, (unsigned long long)most);
    } else if (a->status == CRM_OK) {
        *value = place;
    }
}

void crm_archive_index(crm_archive *a, uint32_t *value, size_t count)
{
    uint32_t index = *value;
    exchange(a, &index, sizeof index);
    if (index >= count && index != UINT32_MAX) {
        refuse_value(a, index, count);
    } else if (a->status == CRM_OK) {
        *value = index;
    }
}

void crm_archive_text(crm_archive *a, char *text, size_t size)
{
    size_t length = strlen(text);
    crm_archive_count(a, &length, size - 1);
    exchange(a, text, length);
    text[length] = '\0';
}

/* ---- Hashes ---------------------------------------------------------------------------------- */

uint64_t crm_archive_hash(crm_archive_list list, const void *of)
{
    crm_archive a = {.way = HASHES, .hash = CRM_HASH_START};
    list(&a, of);
    return a.hash;
}

void crm_archive_fixed_numbers(crm_archive *a, const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double value = values[i];
        exchange(a, &value, sizeof value);
    }
}

void crm_archive_fixed_count(crm_archive *a, size_t value)
{
    uint64_t count = value;
    exchange(a, &count, sizeof count);
}
