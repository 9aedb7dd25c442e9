/* A journal (FILE.part) must survive any bytes: whole records are taken over, the rest is not.
 *
 * The input is the journal's text. Bytes that were merely damaged never come further than the
 * checksums, so these are made right: a record whose hash is written "*" gets its own.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/sweep/sweep.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FIRST = 2, LAST = 10, POINTS = LAST - FIRST };

static const char heading[] = "carom sweep journal 2: 0123456789abcdef 2 10";

typedef struct text {
    char *bytes;
    size_t length, room;
} text;

static void append(text *t, const void *bytes, size_t length)
{
    if (length > t->room - t->length) {
        abort();
    }
    memcpy(t->bytes + t->length, bytes, length);
    t->length += length;
}

/* "@POINT LENGTH UNSOLVED *" with the hash in place of the star, if there is one. */
static void append_line(text *t, const char *line, size_t size, const char *end)
{
    char copy[CRM_JOURNAL_LINE];
    size_t point, length, unsolved;
    int used = 0;
    if (size < sizeof copy) {
        memcpy(copy, line, size);
        copy[size] = '\0';
        if (sscanf(copy, "@%zu %zu %zu %n", &point, &length, &unsolved, &used) == 3 && used > 0 &&
            strcmp(copy + used, "*") == 0 && length <= (size_t)(end - (line + size + 1))) {
            char hash[20];
            snprintf(
                hash, sizeof hash, "%016llx",
                (unsigned long long)crm_journal_hash(point, line + size + 1, length, unsolved));
            append(t, line, (size_t)used);
            append(t, hash, strlen(hash));
            return;
        }
    }
    append(t, line, size);
}

/* In a block of its own size, so that a sanitizer sees what is read beyond. */
static text sign(const uint8_t *data, size_t size)
{
    enum { HASH = 16 };
    const char *at = (const char *)data, *end = at + size;
    text t = {.bytes = malloc((HASH + 1) * size + 1), .room = (HASH + 1) * size + 1};
    while (t.bytes != NULL && at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (stop == NULL) {
            append(&t, at, (size_t)(end - at));
            break;
        }
        append_line(&t, at, (size_t)(stop - at), end);
        append(&t, "\n", 1);
        at = stop + 1;
    }
    char *fitted = t.bytes != NULL ? realloc(t.bytes, t.length > 0 ? t.length : 1) : NULL;
    t.bytes = fitted != NULL ? fitted : t.bytes;
    return t;
}

/* All records lie within what was taken over, after the heading, and their number is right. */
static void require_records(const crm_journal *journal, const char *bytes, size_t size)
{
    size_t done = 0;
    if (journal->size < sizeof heading || journal->size > size ||
        memcmp(bytes, heading, sizeof heading - 1) != 0 || bytes[sizeof heading - 1] != '\n') {
        abort();
    }
    for (size_t i = 0; i < POINTS; i++) {
        size_t offset = journal->offset[i], length = journal->length[i];
        bool is_done = offset != 0;
        done += is_done;
        if (is_done != crm_journal_has(journal, FIRST + i) ||
            (is_done && (offset <= sizeof heading || length > journal->size - offset ||
                         bytes[offset - 1] != '\n'))) {
            abort();
        }
    }
    if (done != journal->done) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t offsets[POINTS] = {0};
    uint32_t lengths[POINTS] = {0};
    crm_journal journal = {
        .file = -1, .first = FIRST, .last = LAST, .offset = offsets, .length = lengths};
    text t = size > 0 ? sign(data, size) : (text){0};
    if (t.bytes == NULL) {
        return 0;
    }
    if (crm_journal_parse(&journal, heading, t.bytes, t.length) == CRM_JOURNAL_OURS) {
        require_records(&journal, t.bytes, t.length);
    } else if (journal.done != 0 || journal.size != 0) {
        abort();
    }
    free(t.bytes);
    return 0;
}
