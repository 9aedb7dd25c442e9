/* A table as HDF5: one dataset per column in the group "table", texts as attributes of the file.
 * Nothing in the file depends on when it was written. It is made in memory and then written as a
 * whole: HDF5 1.10 does not survive a disk that is full when it closes a file.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "carom/status.h"
#include "plugin/hdf5/hdf5.h"

enum { BLOCK_ROWS = 8192, GRAIN = 4096 };

extern CRM_API const crm_hdf5_module crm_hdf5;

/* The bytes of the file, once it is closed. */
typedef struct image {
    void *bytes;
    size_t size; /* a multiple of GRAIN */
} image;

typedef struct writer {
    const crm_hdf5_table *table;
    image *image;
    hid_t file, group;
    hid_t *sets, *types;
    void **blocks;
} writer;

static hid_t column_type(const crm_column *column)
{
    switch (column->kind) {
    case CRM_COLUMN_INTEGER:
        return H5Tcopy(H5T_NATIVE_UINT64);
    case CRM_COLUMN_NUMBER:
        return H5Tcopy(H5T_NATIVE_DOUBLE);
    default:
        return crm_hdf5_text_type(column->width);
    }
}

/* The format of the file is the same on every machine. */
static hid_t stored_type(const crm_column *column)
{
    switch (column->kind) {
    case CRM_COLUMN_INTEGER:
        return H5Tcopy(H5T_STD_U64LE);
    case CRM_COLUMN_NUMBER:
        return H5Tcopy(H5T_IEEE_F64LE);
    default:
        return crm_hdf5_text_type(column->width);
    }
}

static bool create_set(writer *w, size_t i)
{
    const crm_column *column = &w->table->columns[i];
    char name[CRM_HDF5_NAME_SIZE];
    crm_hdf5_name(column->name, name);
    hsize_t rows = w->table->rows;
    hsize_t chunk = rows < BLOCK_ROWS ? rows : BLOCK_ROWS;
    hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    bool good = H5Pset_obj_track_times(properties, false) >= 0;
    if (rows > 0) { /* an empty table has no chunks */
        good = good && H5Pset_chunk(properties, 1, &chunk) >= 0 && crm_hdf5_compress(properties);
    }
    properties = crm_hdf5_keep_if(good, properties);
    hid_t space = H5Screate_simple(1, &rows, NULL);
    hid_t stored = stored_type(column);
    size_t size = column->kind == CRM_COLUMN_TEXT ? column->width : sizeof(double);
    w->types[i] = column_type(column);
    w->sets[i] =
        good ? H5Dcreate2(w->group, name, stored, space, H5P_DEFAULT, properties, H5P_DEFAULT)
             : H5I_INVALID_HID;
    w->blocks[i] = calloc(BLOCK_ROWS, size > 0 ? size : 1);
    H5Tclose(stored);
    H5Sclose(space);
    H5Pclose(properties);
    return w->sets[i] >= 0 && w->types[i] >= 0 && w->blocks[i] != NULL;
}

static bool write_block(writer *w, hsize_t first, hsize_t count)
{
    bool good = w->table->fill(w->table->context, (size_t)count, w->blocks);
    hid_t memory = H5Screate_simple(1, &count, NULL);
    for (size_t i = 0; i < w->table->column_count && good; i++) {
        hid_t space = H5Dget_space(w->sets[i]);
        good = H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, NULL, &count, NULL) >= 0 &&
               H5Dwrite(w->sets[i], w->types[i], memory, space, H5P_DEFAULT, w->blocks[i]) >= 0;
        H5Sclose(space);
    }
    H5Sclose(memory);
    return good;
}

static bool write_columns(writer *w)
{
    bool good = true;
    for (size_t i = 0; i < w->table->column_count && good; i++) {
        good = create_set(w, i);
    }
    for (size_t first = 0; first < w->table->rows && good; first += BLOCK_ROWS) {
        size_t left = w->table->rows - first;
        good = write_block(w, first, left < BLOCK_ROWS ? left : BLOCK_ROWS);
    }
    return good;
}

/* ---- A file in memory ------------------------------------------------------------------------ */

static void *resize(void *bytes, size_t size, H5FD_file_image_op_t operation, void *context)
{
    (void)operation;
    image *i = context;
    void *larger = realloc(bytes, size);
    if (larger != NULL && size > i->size) {
        memset((char *)larger + i->size, 0, size - i->size);
    }
    i->size = larger != NULL ? size : i->size;
    return larger;
}

static void *allocate(size_t size, H5FD_file_image_op_t operation, void *context)
{
    return resize(NULL, size, operation, context);
}

/* The last moment, when everything is in it. */
static herr_t keep_bytes(void *bytes, H5FD_file_image_op_t operation, void *context)
{
    image *i = context;
    if (operation == H5FD_FILE_IMAGE_OP_FILE_CLOSE) {
        i->bytes = bytes;
    } else {
        free(bytes);
    }
    return 0;
}

static void *same_context(void *context)
{
    return context;
}

static herr_t no_context(void *context)
{
    (void)context;
    return 0;
}

static bool keep_in_memory(hid_t access, image *i)
{
    H5FD_file_image_callbacks_t callbacks = {.image_malloc = allocate,
                                             .image_realloc = resize,
                                             .image_free = keep_bytes,
                                             .udata_copy = same_context,
                                             .udata_free = no_context,
                                             .udata = i};
    return H5Pset_fapl_core(access, GRAIN, false) >= 0 &&
           H5Pset_file_image_callbacks(access, &callbacks) >= 0;
}

static bool open_file(writer *w, const char *path)
{
    size_t count = w->table->column_count;
    w->sets = calloc(count, sizeof *w->sets);
    w->types = calloc(count, sizeof *w->types);
    w->blocks = calloc(count, sizeof *w->blocks);
    if (w->sets == NULL || w->types == NULL || w->blocks == NULL) {
        return false;
    }
    hid_t access = crm_hdf5_file_access(), file = H5Pcreate(H5P_FILE_CREATE);
    hid_t group = crm_hdf5_group_properties();
    bool good = keep_in_memory(access, w->image) && H5Pset_obj_track_times(file, false) >= 0;
    w->file = good ? H5Fcreate(path, H5F_ACC_TRUNC, file, access) : H5I_INVALID_HID;
    w->group = w->file >= 0 ? H5Gcreate2(w->file, "table", H5P_DEFAULT, group, H5P_DEFAULT) : -1;
    H5Pclose(group);
    H5Pclose(file);
    H5Pclose(access);
    return w->group >= 0;
}

/* False: a set that was not whole until then is not now. */
static bool close_sets(writer *w)
{
    bool good = true;
    for (size_t i = 0; w->blocks != NULL && i < w->table->column_count; i++) {
        if (w->sets[i] > 0) {
            good = H5Dclose(w->sets[i]) >= 0 && good;
        }
        if (w->types[i] > 0) {
            H5Tclose(w->types[i]);
        }
        free(w->blocks[i]);
    }
    free(w->sets);
    free(w->types);
    free(w->blocks);
    if (w->group >= 0) {
        good = H5Gclose(w->group) >= 0 && good;
    }
    return good;
}

static bool write_image(const char *path, const image *i)
{
    FILE *stream = fopen(path, "wb");
    if (stream == NULL) {
        return false;
    }
    bool good = fwrite(i->bytes, 1, i->size, stream) == i->size && fflush(stream) == 0 &&
                fsync(fileno(stream)) == 0;
    int problem = errno;
    good = fclose(stream) == 0 && good;
    errno = problem;
    return good;
}

static bool make_file(const char *path, const crm_hdf5_table *table, image *i, char *why)
{
    writer w = {.table = table, .image = i, .file = -1, .group = -1};
    crm_hdf5_begin();
    bool good =
        open_file(&w, path) && crm_hdf5_put_texts(w.file, &table->attributes) && write_columns(&w);
    if (!good) {
        crm_hdf5_problem(why);
    }
    good = close_sets(&w) && good;
    return (w.file < 0 || H5Fclose(w.file) >= 0) && good && i->bytes != NULL;
}

static bool write_table(const char *path, const crm_hdf5_table *table, char *problem, size_t size)
{
    char why[CRM_HDF5_NAME_SIZE] = "";
    image whole = {0};
    bool good = make_file(path, table, &whole, why);
    errno = 0;
    good = good && write_image(path, &whole);
    snprintf(problem, size, "%s",
             why[0] != '\0'                  ? why
             : errno != 0 && errno != ENOMEM ? strerror(errno)
                                             : "out of memory");
    free(whole.bytes);
    return good;
}

const crm_hdf5_module crm_hdf5 = {.write = write_table,
                                  .text = crm_hdf5_text,
                                  .open = crm_hdf5_stream_open,
                                  .group = crm_hdf5_stream_group,
                                  .reopen = crm_hdf5_stream_reopen,
                                  .append = crm_hdf5_stream_append,
                                  .close = crm_hdf5_stream_close,
                                  .abandon = crm_hdf5_stream_abandon};
