/* What is loaded only when it is used: libraries whose mere presence would slow every start. Each
 * module exports one constant table under the name below. Modules know nothing of the program.
 */
#ifndef CRM_PLUGIN_H
#define CRM_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>

/* ---- HDF5 ----------------------------------------------------------------------------------- */

typedef enum crm_column_kind {
    CRM_COLUMN_INTEGER, /* uint64_t */
    CRM_COLUMN_NUMBER,  /* double */
    CRM_COLUMN_TEXT     /* char[width], filled with NUL */
} crm_column_kind;

typedef struct crm_column {
    const char *name;
    crm_column_kind kind;
    size_t width; /* bytes of a text, at least 1 */
} crm_column;

/* Attributes, by name. */
typedef struct crm_texts {
    size_t count;
    const char *const *names, *const *values;
} crm_texts;

typedef struct crm_hdf5_table {
    size_t rows;
    size_t column_count;
    const crm_column *columns;
    crm_texts attributes; /* of the file */
    void *context;
    /* The next `count` rows into blocks[], one array per column. */
    bool (*fill)(void *context, size_t count, void *const *blocks);
} crm_hdf5_table;

/* A dataset that grows by rows. */
typedef struct crm_series {
    const char *name;
    crm_column_kind kind; /* an integer or a number */
    bool single;          /* a row is one value, the set has one dimension */
    size_t width;         /* else: values in a row, may be 0 */
    crm_texts about;
} crm_series;

typedef struct crm_hdf5_stream crm_hdf5_stream;

typedef struct crm_hdf5_module {
    /* A whole table. False: `problem` says why, and there may be part of a file. */
    bool (*write)(const char *path, const crm_hdf5_table *table, char *problem, size_t size);

    /* The text of an attribute of a file; false: there is none, or it does not fit. */
    bool (*text)(const char *path, const char *name, char *value, size_t size);

    /* A file of groups that grow row by row, in memory that does not depend on their number. After
     * a call that returned false all others do, and close says why. NULL: `problem` does.
     */
    crm_hdf5_stream *(*open)(const char *path, const crm_texts *about, char *problem, size_t size);
    /* The next group, which the rows that follow belong to; it refers to the texts of `series`
     * until it ends.
     */
    bool (*group)(crm_hdf5_stream *stream, const char *name, const crm_texts *about,
                  const crm_series *series, size_t count);
    /* Reopen a closed file and continue its only group after `rows` rows. By its series "time" the
     * last of these must be at or before `until`, and any row after them at or after it. NULL: as
     * for open, or the file does not match.
     */
    crm_hdf5_stream *(*reopen)(const char *path, const char *group, const crm_series *series,
                               size_t count, size_t rows, double until, char *problem, size_t size);
    /* One row of each series; NULL: numbers that are not known. */
    bool (*append)(crm_hdf5_stream *stream, const void *const *rows);
    /* Either ends the stream. False: there may be part of a file, as after abandon. */
    bool (*close)(crm_hdf5_stream *stream, char *problem, size_t size);
    void (*abandon)(crm_hdf5_stream *stream); /* may be NULL */
} crm_hdf5_module;

#define CRM_HDF5_MODULE "crm_hdf5"

/* ---- MPI ------------------------------------------------------------------------------------ */

/* One thread at a time may call. */
typedef struct crm_messenger {
    bool (*start)(int *rank, int *size);        /* false: threads are not supported */
    int (*neighbours)(void);                    /* ranks on this machine, this one included */
    void (*broadcast)(void *data, size_t size); /* from rank 0 */
    void (*send)(int to, const void *data, size_t size);
    bool (*poll)(int *from, size_t *size); /* whether a message waits; does not wait itself */
    void (*receive)(int from, void *data, size_t size);
    void (*wait)(int *from, size_t *size); /* for a message */
    void (*stop)(void);
} crm_messenger;

#define CRM_MPI_MODULE "crm_mpi"

#endif
