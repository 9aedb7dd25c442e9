/* Points that are done, kept until the table is whole. */
#define _XOPEN_SOURCE 700 /* lockf */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "cli/sweep/sweep.h"

enum { LINE_SIZE = CRM_JOURNAL_LINE };

static int refuse(const crm_journal *journal, int problem)
{
    return crm_output_refuse(journal->path != NULL ? journal->path : "a temporary file", problem);
}

/* All of it, however often the system takes less. */
static bool write_whole(int file, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t written = write(file, bytes, length);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return false;
        }
        bytes += written;
        length -= (size_t)written;
    }
    return true;
}

/* ---- Taking over ---------------------------------------------------------------------------- */

/* The whole file, to be unmapped; NULL: it is empty, or cannot be mapped. */
static char *map(const crm_journal *journal, size_t size)
{
    void *bytes = size > 0 ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, journal->file, 0) : NULL;
    return bytes == MAP_FAILED ? NULL : bytes;
}

/* An existing journal is either continued or refused: finished points are never overwritten. */
static int take_over(crm_journal *journal, const char *heading, size_t size, bool resume)
{
    char *bytes = map(journal, size);
    if (bytes == NULL) {
        return size == 0 ? CRM_EXIT_DONE : refuse(journal, errno);
    }
    crm_journal_owner is = crm_journal_parse(journal, heading, bytes, size);
    munmap(bytes, size);
    if (is == CRM_JOURNAL_FOREIGN) {
        return crm_message(CRM_EXIT_USAGE,
                           "%s is needed to keep finished points, but is another kind of file; "
                           "move it away, or choose another -o FILE",
                           journal->path);
    }
    if (is == CRM_JOURNAL_OTHERS && resume) {
        return crm_message(CRM_EXIT_USAGE,
                           "%s belongs to another study (the scenario, an option or the version "
                           "differs); remove it to start over",
                           journal->path);
    }
    if (!resume && (is == CRM_JOURNAL_OTHERS || journal->done > 0)) {
        return crm_message(CRM_EXIT_USAGE,
                           "%s holds the finished points of an interrupted study; continue it with "
                           "--resume, or remove it to start over",
                           journal->path);
    }
    return CRM_EXIT_DONE;
}

/* ---- Opening -------------------------------------------------------------------------------- */

static int open_nameless(crm_journal *journal)
{
    FILE *stream = tmpfile();
    journal->file = stream != NULL ? dup(fileno(stream)) : -1;
    int problem = errno;
    if (stream != NULL) {
        fclose(stream);
    }
    return journal->file >= 0 ? CRM_EXIT_DONE : refuse(journal, problem);
}

/* Who held the lock may have finished, and removed the file that was opened. */
static bool is_in_place(const crm_journal *journal)
{
    struct stat named, open;
    return lstat(journal->path, &named) == 0 && fstat(journal->file, &open) == 0 &&
           named.st_dev == open.st_dev && named.st_ino == open.st_ino;
}

static int open_beside(crm_journal *journal, const char *target)
{
    size_t size = strlen(target) + sizeof ".part";
    journal->path = CRM_NEW(char, size);
    if (journal->path == NULL) {
        return refuse(journal, ENOMEM);
    }
    snprintf(journal->path, size, "%s.part", target);
    journal->file = open(journal->path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (journal->file < 0) {
        return errno == ELOOP ? crm_message(CRM_EXIT_WRITE, "%s could not be written: it is a link",
                                            journal->path)
                              : refuse(journal, errno);
    }
    bool locked = lockf(journal->file, F_TLOCK, 0) == 0 || (errno != EACCES && errno != EAGAIN);
    return locked && is_in_place(journal)
               ? CRM_EXIT_DONE
               : crm_message(CRM_EXIT_WRITE, "%s is being written by another carom process process",
                             journal->path);
}

/* Cut off what is not whole, and begin with the heading if there is none. */
static int prepare(crm_journal *journal, const char *heading)
{
    journal->owned = true;
    if (ftruncate(journal->file, (off_t)journal->size) != 0 ||
        lseek(journal->file, 0, SEEK_END) < 0) {
        return refuse(journal, errno);
    }
    if (journal->size > 0) {
        return CRM_EXIT_DONE;
    }
    char line[LINE_SIZE + 2];
    int length = snprintf(line, sizeof line, "%s\n", heading);
    journal->size = (size_t)length;
    return write_whole(journal->file, line, (size_t)length) ? CRM_EXIT_DONE
                                                            : refuse(journal, errno);
}

double crm_journal_bytes(size_t first, size_t last)
{
    const crm_journal *journal = NULL;
    return (double)(last - first) * (double)(sizeof *journal->offset + sizeof *journal->length);
}

int crm_journal_open(crm_journal *journal, const char *target, const crm_study *study, size_t first,
                     size_t last, bool resume)
{
    char heading[LINE_SIZE], signature[CRM_SIGNATURE_SIZE];
    struct stat info;
    *journal = (crm_journal){.file = -1, .first = first, .last = last};
    pthread_mutex_init(&journal->lock, NULL);
    crm_sweep_sign(study, first, last, signature);
    snprintf(heading, sizeof heading, "carom sweep journal 2: %s", signature);
    journal->offset = CRM_NEW(size_t, last - first);
    journal->length = CRM_NEW(uint32_t, last - first);
    if (journal->offset == NULL || journal->length == NULL) {
        return crm_message_memory();
    }
    int status = target != NULL ? open_beside(journal, target) : open_nameless(journal);
    if (status == CRM_EXIT_DONE && fstat(journal->file, &info) != 0) {
        status = refuse(journal, errno);
    }
    if (status == CRM_EXIT_DONE && !S_ISREG(info.st_mode)) {
        status = refuse(journal, EEXIST);
    }
    if (status == CRM_EXIT_DONE) {
        status = take_over(journal, heading, (size_t)info.st_size, resume);
    }
    return status == CRM_EXIT_DONE ? prepare(journal, heading) : status;
}

/* ---- Adding and reading --------------------------------------------------------------------- */

static bool append(crm_journal *journal, size_t point, const char *text, size_t length,
                   size_t unsolved)
{
    char line[LINE_SIZE];
    int used = snprintf(line, sizeof line, "@%zu %zu %zu %016llx\n", point, length, unsolved,
                        (unsigned long long)crm_journal_hash(point, text, length, unsolved));
    size_t size = (size_t)used + length;
    char *record = CRM_NEW(char, size);
    if (record == NULL) {
        journal->problem = ENOMEM;
        return false;
    }
    memcpy(record, line, (size_t)used);
    memcpy(record + used, text, length);
    bool good = write_whole(journal->file, record, size);
    free(record);
    if (!good) {
        journal->problem = errno != 0 ? errno : EIO;
        /* Whole records stay; a cut one would be found by its hash as well. */
        (void)!ftruncate(journal->file, (off_t)journal->size);
        return false;
    }
    crm_journal_note(journal, point, journal->size + (size_t)used, text, length, unsolved);
    journal->size += size;
    return true;
}

bool crm_journal_add(crm_journal *journal, size_t point, const char *text, size_t length,
                     size_t unsolved)
{
    pthread_mutex_lock(&journal->lock);
    bool good = journal->problem == 0 && append(journal, point, text, length, unsolved);
    pthread_mutex_unlock(&journal->lock);
    return good;
}

size_t crm_journal_done(crm_journal *journal)
{
    pthread_mutex_lock(&journal->lock);
    size_t done = journal->done;
    pthread_mutex_unlock(&journal->lock);
    return done;
}

bool crm_journal_has(const crm_journal *journal, size_t point)
{
    return journal->offset[point - journal->first] != 0;
}

bool crm_journal_read(crm_journal *journal, crm_journal_reader *reader, void *context)
{
    char *bytes = map(journal, journal->size);
    bool good = bytes != NULL;
    for (size_t i = 0; i < journal->last - journal->first && good; i++) {
        good = reader(context, bytes + journal->offset[i], journal->length[i]);
    }
    if (bytes != NULL) {
        munmap(bytes, journal->size);
    }
    return good;
}

void crm_journal_close(crm_journal *journal, bool remove)
{
    if (journal->offset == NULL && journal->length == NULL) {
        return;
    }
    if (journal->owned && journal->path != NULL && (remove || journal->done == 0)) {
        unlink(journal->path);
    }
    if (journal->file >= 0) {
        close(journal->file);
    }
    pthread_mutex_destroy(&journal->lock);
    free(journal->path);
    free(journal->offset);
    free(journal->length);
    *journal = (crm_journal){0};
}
