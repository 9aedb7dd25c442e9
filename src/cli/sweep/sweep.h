/* The parts of `carom sweep`. Internal to src/cli/sweep. */
#ifndef CRM_SWEEP_H
#define CRM_SWEEP_H

#include <pthread.h>

#include "cli/cli.h"
#include "plugin/plugin.h"
#include "study/study.h"

/* ---- Rows ----------------------------------------------------------------------------------- */

void crm_sweep_heading(const crm_study *study, FILE *stream);
/* One row per law; *unsolved becomes the number of those without an answer. The text is to be
 * freed; NULL: out of memory.
 */
char *crm_sweep_rows(const crm_study *study, size_t point, const crm_study_row *rows,
                     size_t *length, size_t *unsolved);

/* What every row of the point begins with: "3,0.5,", to be freed; NULL: out of memory. */
char *crm_sweep_values(const crm_study *study, size_t point, size_t *length);

/* The rows of a point, cut into cells. */
typedef struct crm_cells {
    char *copy; /* of the rows, cut in place; to be freed */
    size_t size;
    char *at; /* what is left; at its end all is */
} crm_cells;

bool crm_cells_load(crm_cells *cells, const char *text, size_t length); /* false: no memory */
/* The next one, without its quotes. */
char *crm_cells_next(crm_cells *cells);

/* ---- The journal ---------------------------------------------------------------------------- */

/* Finished points, in the order in which they were finished; each is written at once, so that a
 * killed program loses only the points it was computing. Text:
 *
 *   carom sweep journal 2: DIGEST FIRST LAST       once; points FIRST to LAST-1, from 0
 *   @POINT LENGTH UNSOLVED HASH                    and LENGTH bytes of rows, for every point
 *
 * HASH is of the three numbers before it and of the rows. A record that is cut short, or whose hash
 * is wrong, ends the journal.
 */
typedef struct crm_journal {
    char *path; /* NULL: an unnamed file, which cannot be resumed */
    int file;
    bool owned;         /* it is locked by this process, to write and to remove */
    size_t first, last; /* points */
    size_t size;        /* bytes, all of them in complete records */
    size_t *offset;     /* of the rows of point first + i; 0: not done */
    uint32_t *length;
    size_t done;     /* points */
    size_t unsolved; /* rows, ... */
    size_t reached;  /* ... of them with the state that a law had reached */
    int problem;     /* errno of the write that failed; 0: none */
    pthread_mutex_t lock;
} crm_journal;

typedef enum crm_journal_owner {
    CRM_JOURNAL_NOBODYS, /* nothing, or a heading like ours that was cut: nothing to lose */
    CRM_JOURNAL_OURS,    /* of this very study */
    CRM_JOURNAL_OTHERS,  /* of another study */
    CRM_JOURNAL_FOREIGN  /* no journal at all */
} crm_journal_owner;

enum { CRM_JOURNAL_LINE = 128 }; /* bytes of a heading or of a record's line, at most */

/* Whose these bytes are. If ours, all records that are whole are noted, and journal->size is where
 * they end. The bytes may be anything, of any size but 0.
 */
crm_journal_owner crm_journal_parse(crm_journal *journal, const char *heading, const char *bytes,
                                    size_t size);
/* Note a record; the first of two records of one point counts. `text` has the rows. */
void crm_journal_note(crm_journal *journal, size_t point, size_t offset, const char *text,
                      size_t length, size_t unsolved);
/* Hash of everything in a record: what its line says, and the rows. */
uint64_t crm_journal_hash(size_t point, const char *text, size_t length, size_t unsolved);

/* Bytes of memory that a journal of these points takes. */
double crm_journal_bytes(size_t first, size_t last);
/* `target` NULL: nameless. With `resume`, points already done are taken over. Returns an exit
 * status, after printing what went wrong.
 */
int crm_journal_open(crm_journal *journal, const char *target, const crm_study *study, size_t first,
                     size_t last, bool resume);
/* False: it could not be written; journal->problem says why. May be called by any thread. */
bool crm_journal_add(crm_journal *journal, size_t point, const char *text, size_t length,
                     size_t unsolved);
size_t crm_journal_done(crm_journal *journal); /* points; any thread may ask */
bool crm_journal_has(const crm_journal *journal, size_t point);
/* The rows of all points in order, for which the journal must be complete. The text of each is
 * borrowed for the call; false stops.
 */
typedef bool crm_journal_reader(void *context, const char *text, size_t length);
bool crm_journal_read(crm_journal *journal, crm_journal_reader *reader, void *context);
/* A journal of ours without a point is of no use, and removed in any case. Also when zeroed. */
void crm_journal_close(crm_journal *journal, bool remove);

/* ---- The table ------------------------------------------------------------------------------ */

/* From the complete journal to the file, completely or not at all. `output` is open when the target
 * cannot be replaced (standard output, a device), else zeroed; the caller abandons it. Returns an
 * exit status.
 */
int crm_sweep_write(const crm_study *study, crm_journal *journal, const char *target,
                    crm_output *output, bool heading);
/* The HDF5 table at `path`. */
int crm_sweep_write_hdf5(const crm_study *study, crm_journal *journal, const char *path,
                         const char *target);

/* Whether the finished table at `target` is that of points `first` to `last` - 1 of this study. An
 * exit status, after printing that it is not, or what went wrong.
 */
int crm_sweep_check(const crm_study *study, const char *target, size_t first, size_t last,
                    bool heading);

enum { CRM_SIGNATURE_SIZE = 64 };
#define CRM_SIGNATURE_NAME "study"
/* A signature that differs between different tables; an attribute of HDF5 files. */
void crm_sweep_sign(const crm_study *study, size_t first, size_t last,
                    char text[CRM_SIGNATURE_SIZE]);

/* All rows of a complete journal as numbers; to be freed by crm_study_table_free. False: no memory.
 */
bool crm_sweep_table(const crm_study *study, crm_journal *journal, crm_study_table *table);

/* ---- Pictures ------------------------------------------------------------------------------- */

typedef struct crm_sweep_pictures {
    crm_output page, figure;
    size_t quantity; /* of the figure */
} crm_sweep_pictures;

/* Exit statuses, after printing what went wrong. */
int crm_sweep_pictures_open(crm_sweep_pictures *pictures, const crm_study *study,
                            const crm_options *options);
/* From the complete journal. */
int crm_sweep_pictures_write(crm_sweep_pictures *pictures, const crm_study *study,
                             crm_journal *journal, const crm_options *options);
void crm_sweep_pictures_abandon(crm_sweep_pictures *pictures); /* also when zeroed */

/* ---- The work ------------------------------------------------------------------------------- */

/* Points of the journal that are not done yet, handed out one by one; any thread may ask. */
typedef struct crm_sweep_queue {
    const crm_journal *journal;
    size_t next;
    bool closed; /* no more, though there are */
    pthread_mutex_t lock;
} crm_sweep_queue;

/* Over the points, until the time is up. */
extern const crm_watch crm_sweep_watch;

bool crm_sweep_next_point(crm_sweep_queue *queue, size_t *point);

/* ---- Several ranks -------------------------------------------------------------------------- */

/* What rank 0 does with points that other ranks have computed. */
typedef struct crm_ranks_service {
    const crm_messenger *messenger;
    int ranks;
    crm_sweep_queue *queue;
    void *context;
    void (*take)(void *context, size_t point, const char *text, size_t length, size_t unsolved);
} crm_ranks_service;

/* Rank 0: hand out points to the others and take what they send, until all know that there are no
 * more. False: one of them failed.
 */
bool crm_ranks_serve(const crm_ranks_service *service);
/* Any other rank: compute what rank 0 hands out. */
crm_status crm_ranks_work(const crm_messenger *messenger, const crm_study *study, unsigned jobs,
                          crm_error *error);

#endif
