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

typedef struct crm_hdf5_table {
    size_t rows;
    size_t column_count;
    const crm_column *columns;
    size_t attribute_count; /* of the file: texts */
    const char *const *attribute_names;
    const char *const *attribute_values;
    void *context;
    /* The next `count` rows into blocks[], one array per column. */
    bool (*fill)(void *context, size_t count, void *const *blocks);
} crm_hdf5_table;

typedef struct crm_hdf5_module {
    /* False: `problem` says why, and there may be part of a file. */
    bool (*write)(const char *path, const crm_hdf5_table *table, char *problem, size_t size);
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
