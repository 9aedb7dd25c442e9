/* A journal's text: whose it is, and which records of it are whole. */
#include <stdio.h>
#include <string.h>

#include "cli/sweep/sweep.h"

enum { LINE_SIZE = CRM_JOURNAL_LINE };

/* FNV-1a: against records that were cut or mixed up, not against malice. */
static uint64_t hash_on(uint64_t hash, const char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        hash = (hash ^ (unsigned char)bytes[i]) * 0x100000001b3u;
    }
    return hash;
}

uint64_t crm_journal_hash(size_t point, const char *text, size_t length, size_t unsolved)
{
    char counts[LINE_SIZE];
    int used = snprintf(counts, sizeof counts, "%zu %zu %zu ", point, length, unsolved);
    return hash_on(hash_on(0xcbf29ce484222325u, counts, (size_t)used), text, length);
}

/* The line at `at`, without its end, copied so that it ends; false: it is cut, or no text. */
static bool take_line(const char *bytes, size_t size, size_t at, char *line)
{
    size_t most = size - at < LINE_SIZE ? size - at : LINE_SIZE;
    const char *end = memchr(bytes + at, '\n', most);
    if (end == NULL) {
        return false;
    }
    size_t length = (size_t)(end - (bytes + at));
    memcpy(line, bytes + at, length);
    line[length] = '\0';
    return strlen(line) == length;
}

/* Rows whose law did not terminate: their status says so, between two commas. */
static size_t count_reached(const char *text, size_t length)
{
    char status[32];
    int size = snprintf(status, sizeof status, ",%s,", crm_result_text(CRM_NOT_TERMINATED));
    size_t count = 0;
    for (size_t at = 0, row = 0; at < length; at++) {
        bool here = length - at >= (size_t)size && memcmp(text + at, status, (size_t)size) == 0;
        count += here && row == 0;
        row = text[at] == '\n' ? 0 : row + here;
    }
    return count;
}

void crm_journal_note(crm_journal *journal, size_t point, size_t offset, const char *text,
                      size_t length, size_t unsolved)
{
    size_t i = point - journal->first;
    if (journal->offset[i] == 0) {
        journal->done++;
        journal->unsolved += unsolved;
        journal->reached += unsolved > 0 ? count_reached(text, length) : 0;
        journal->offset[i] = offset;
        journal->length[i] = (uint32_t)length;
    }
}

/* One record; false: the journal ends before it. */
static bool take_record(crm_journal *journal, const char *bytes, size_t size)
{
    char line[LINE_SIZE + 1];
    size_t point, length, unsolved;
    unsigned long long hash;
    int used = 0;
    if (journal->size >= size || !take_line(bytes, size, journal->size, line) ||
        sscanf(line, "@%zu %zu %zu %llx%n", &point, &length, &unsolved, &hash, &used) != 4 ||
        line[used] != '\0') {
        return false;
    }
    size_t start = journal->size + (size_t)used + 1;
    if (point < journal->first || point >= journal->last || length > size - start ||
        length > UINT32_MAX || hash != crm_journal_hash(point, bytes + start, length, unsolved)) {
        return false;
    }
    crm_journal_note(journal, point, start, bytes + start, length, unsolved);
    journal->size = start + length;
    return true;
}

static crm_journal_owner owner_of(const char *bytes, size_t size, const char *heading)
{
    static const char kind[] = "carom sweep journal ";
    char line[LINE_SIZE + 1] = "";
    if (!take_line(bytes, size, 0, line)) {
        return size < strlen(heading) && memcmp(bytes, heading, size) == 0 ? CRM_JOURNAL_NOBODYS
                                                                           : CRM_JOURNAL_FOREIGN;
    }
    if (strcmp(line, heading) == 0) {
        return CRM_JOURNAL_OURS;
    }
    return strncmp(line, kind, sizeof kind - 1) == 0 ? CRM_JOURNAL_OTHERS : CRM_JOURNAL_FOREIGN;
}

crm_journal_owner crm_journal_parse(crm_journal *journal, const char *heading, const char *bytes,
                                    size_t size)
{
    crm_journal_owner owner = owner_of(bytes, size, heading);
    journal->size = owner == CRM_JOURNAL_OURS ? strlen(heading) + 1 : 0;
    while (owner == CRM_JOURNAL_OURS && take_record(journal, bytes, size)) {
    }
    return owner;
}
