/* Tables that grow while they are written: rows are gathered in blocks, a block is written when it
 * is full, and memory does not depend on how many there are.
 *
 * HDF5 1.10 does not survive a file that it cannot finish: closing it fails, and so does the
 * library's own end. Therefore everything is flushed, which may fail, before a file is closed,
 * which then has nothing left to write; and a file that failed is not touched again.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/hdf5/hdf5.h"

/* Rows are gathered up to BLOCK_BYTES for each series: many enough that one contact can be followed
 * through time without reading the whole file. A chunk is the part that HDF5 packs and unpacks at
 * once; its cache holds one of CHUNK_BYTES.
 */
enum {
    BLOCK_ROWS = 8192,
    BLOCK_BYTES = 4 << 20,
    CHUNK_BYTES = 1 << 20,
    CELL = 8,
    SERIES_MOST = 16
};

typedef struct growing {
    crm_series series;
    hid_t set;      /* -1: not made yet */
    size_t most;    /* rows in a block */
    size_t waiting; /* rows in the block */
    hsize_t rows;   /* in the file */
    char *block;
} growing;

struct crm_hdf5_stream {
    hid_t file, group;
    size_t count;
    growing growing[SERIES_MOST];
    bool failed;
    char problem[CRM_HDF5_NAME_SIZE];
};

_Static_assert(sizeof(double) == CELL && sizeof(uint64_t) == CELL, "cells are of one size");

/* ---- Problems ------------------------------------------------------------------------------- */

/* The first one is kept; what comes after is its consequence. To be called at once: the library
 * forgets what it complained of at the next call.
 */
static bool fail(crm_hdf5_stream *stream, const char *why)
{
    if (!stream->failed) {
        stream->failed = true;
        crm_hdf5_problem(stream->problem);
        if (stream->problem[0] == '\0') {
            snprintf(stream->problem, sizeof stream->problem, "%s", why);
        }
    }
    return false;
}

/* ---- One series ----------------------------------------------------------------------------- */

static size_t width_of(const growing *g)
{
    return g->series.single ? 1 : g->series.width;
}

static int rank_of(const growing *g)
{
    return g->series.single ? 1 : 2;
}

static hsize_t least(hsize_t a, hsize_t b)
{
    return a < b ? a : b;
}

static hsize_t most(hsize_t a, hsize_t b)
{
    return a > b ? a : b;
}

/* A short table gets short chunks: the set is made when its first block is written. */
static hid_t chunked(const growing *g)
{
    static const double unknown = NAN;
    hsize_t rows = most(g->waiting, 1);
    hsize_t chunk[2] = {rows, least(most(width_of(g), 1), CHUNK_BYTES / CELL / rows)};
    hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    bool good = H5Pset_obj_track_times(properties, false) >= 0 &&
                H5Pset_chunk(properties, rank_of(g), chunk) >= 0 && crm_hdf5_compress(properties);
    if (g->series.kind == CRM_COLUMN_NUMBER) {
        good = good && H5Pset_fill_value(properties, H5T_NATIVE_DOUBLE, &unknown) >= 0;
    }
    return crm_hdf5_keep_if(good, properties);
}

static bool make_set(crm_hdf5_stream *stream, growing *g)
{
    const crm_series *series = &g->series;
    hsize_t size[2] = {0, width_of(g)}; /* no chunk fits into a width that stays 0 */
    hsize_t limit[2] = {H5S_UNLIMITED, size[1] > 0 ? size[1] : H5S_UNLIMITED};
    hid_t space = H5Screate_simple(rank_of(g), size, limit);
    hid_t properties = chunked(g);
    hid_t type = series->kind == CRM_COLUMN_INTEGER ? H5T_STD_U64LE : H5T_IEEE_F64LE;
    if (properties >= 0) {
        g->set = H5Dcreate2(stream->group, series->name, type, space, H5P_DEFAULT, properties,
                            H5P_DEFAULT);
    }
    bool good = (g->set >= 0 && crm_hdf5_put_texts(g->set, &series->about)) ||
                fail(stream, "a dataset cannot be made");
    H5Pclose(properties);
    H5Sclose(space);
    return good;
}

/* NULL rows are not known: the file's fill value stands for them. */
static bool write_rows(crm_hdf5_stream *stream, growing *g, const void *rows, hsize_t count)
{
    if (g->set < 0 && !make_set(stream, g)) {
        return false;
    }
    hsize_t start[2] = {g->rows, 0}, part[2] = {count, width_of(g)};
    hsize_t size[2] = {g->rows + count, width_of(g)};
    if (H5Dset_extent(g->set, size) < 0) {
        return fail(stream, "a dataset cannot grow");
    }
    hid_t type = g->series.kind == CRM_COLUMN_INTEGER ? H5T_NATIVE_UINT64 : H5T_NATIVE_DOUBLE;
    hid_t memory = H5Screate_simple(rank_of(g), part, NULL), space = H5Dget_space(g->set);
    bool known = rows != NULL && part[1] > 0;
    bool good = H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, part, NULL) >= 0 ||
                fail(stream, "a block cannot be chosen");
    good = good && (!known || H5Dwrite(g->set, type, memory, space, H5P_DEFAULT, rows) >= 0 ||
                    fail(stream, "a block cannot be written"));
    H5Sclose(space);
    H5Sclose(memory);
    g->rows += count;
    return good;
}

static bool write_block(crm_hdf5_stream *stream, growing *g)
{
    hsize_t count = g->waiting;
    bool good = count == 0 || write_rows(stream, g, g->block, count);
    g->waiting = 0;
    return good;
}

static void copy_row(growing *g, const void *row)
{
    char *to = g->block + g->waiting * width_of(g) * CELL;
    if (row != NULL) {
        memcpy(to, row, width_of(g) * CELL);
    }
    for (size_t i = 0; row == NULL && i < width_of(g); i++) {
        memcpy(to + i * CELL, &(double){NAN}, CELL);
    }
}

/* A row as large as a block is written from where it is. */
static bool append_row(crm_hdf5_stream *stream, growing *g, const void *row)
{
    if (g->most == 1) {
        g->waiting = 1;
        bool good = write_rows(stream, g, row, 1);
        g->waiting = 0;
        return good;
    }
    copy_row(g, row);
    g->waiting++;
    return g->waiting < g->most || write_block(stream, g);
}

static bool begin_series(crm_hdf5_stream *stream, const crm_series *series, growing *g)
{
    *g = (growing){.series = *series, .set = -1};
    size_t row = width_of(g) * CELL;
    g->most = (size_t)least(BLOCK_ROWS, most(BLOCK_BYTES / most(row, CELL), 1));
    g->block = g->most > 1 ? malloc(g->most * most(row, CELL)) : NULL;
    return g->most == 1 || g->block != NULL || fail(stream, "out of memory");
}

static bool end_series(crm_hdf5_stream *stream, growing *g)
{
    bool good = write_block(stream, g) && (g->set >= 0 || make_set(stream, g));
    if (good && H5Dclose(g->set) < 0) {
        good = fail(stream, "a dataset cannot be closed");
    }
    return good;
}

/* ---- Groups --------------------------------------------------------------------------------- */

static void free_blocks(crm_hdf5_stream *stream)
{
    for (size_t i = 0; i < stream->count; i++) {
        free(stream->growing[i].block);
    }
    stream->count = 0;
}

static bool end_group(crm_hdf5_stream *stream)
{
    bool good = !stream->failed;
    for (size_t i = 0; i < stream->count && good; i++) {
        good = end_series(stream, &stream->growing[i]);
    }
    free_blocks(stream);
    if (good && stream->group >= 0 && H5Gclose(stream->group) < 0) {
        good = fail(stream, "a group cannot be closed");
    }
    stream->group = -1;
    return good;
}

/* "." is the file itself; a name that is taken (a/b after a|b) is drawn out. */
static void free_name(const crm_hdf5_stream *stream, const char *name,
                      char text[CRM_HDF5_NAME_SIZE])
{
    crm_hdf5_name(name, text);
    size_t length = strlen(text);
    if (length == 0 || strcmp(text, ".") == 0) {
        length = (size_t)snprintf(text, CRM_HDF5_NAME_SIZE, "_");
    }
    while (length + 1 < CRM_HDF5_NAME_SIZE && H5Lexists(stream->file, text, H5P_DEFAULT) > 0) {
        text[length++] = '_';
        text[length] = '\0';
    }
}

bool crm_hdf5_stream_group(crm_hdf5_stream *stream, const char *name, const crm_texts *about,
                           const crm_series *series, size_t count)
{
    if (!end_group(stream)) {
        return false;
    }
    char text[CRM_HDF5_NAME_SIZE];
    free_name(stream, name, text);
    hid_t properties = crm_hdf5_group_properties();
    if (properties >= 0) {
        stream->group = H5Gcreate2(stream->file, text, H5P_DEFAULT, properties, H5P_DEFAULT);
    }
    bool good = (stream->group >= 0 && crm_hdf5_put_texts(stream->group, about)) ||
                fail(stream, "a group cannot be made");
    H5Pclose(properties);
    good = good && (count <= SERIES_MOST || fail(stream, "too many series"));
    for (size_t i = 0; i < count && good; i++) {
        good = begin_series(stream, &series[i], &stream->growing[i]);
        stream->count++;
    }
    return good;
}

bool crm_hdf5_stream_append(crm_hdf5_stream *stream, const void *const *rows)
{
    bool good = !stream->failed;
    for (size_t i = 0; i < stream->count && good; i++) {
        good = append_row(stream, &stream->growing[i], rows[i]);
    }
    return good;
}

/* ---- The file ------------------------------------------------------------------------------- */

static bool create_file(crm_hdf5_stream *stream, const char *path)
{
    hid_t access = crm_hdf5_file_access(), properties = H5Pcreate(H5P_FILE_CREATE);
    unsigned order = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;
    bool good = access >= 0 && H5Pset_obj_track_times(properties, false) >= 0 &&
                H5Pset_link_creation_order(properties, order) >= 0;
    stream->file = good ? H5Fcreate(path, H5F_ACC_TRUNC, properties, access) : H5I_INVALID_HID;
    good = stream->file >= 0 || fail(stream, "the file cannot be made");
    H5Pclose(properties);
    H5Pclose(access);
    return good;
}

crm_hdf5_stream *crm_hdf5_stream_open(const char *path, const crm_texts *about, char *problem,
                                      size_t size)
{
    snprintf(problem, size, "out of memory");
    crm_hdf5_stream *stream = calloc(1, sizeof *stream);
    if (stream == NULL) {
        return NULL;
    }
    crm_hdf5_begin();
    stream->group = -1;
    if (!create_file(stream, path) || !crm_hdf5_put_texts(stream->file, about)) {
        fail(stream, "the file cannot be written");
        snprintf(problem, size, "%s", stream->problem);
        crm_hdf5_stream_abandon(stream);
        return NULL;
    }
    return stream;
}

/* ---- Going on with a file ------------------------------------------------------------------- */

/* A set of the right shape with at least `rows` rows, of which the others are cut off. */
static bool continue_series(crm_hdf5_stream *stream, growing *g, hsize_t rows)
{
    hsize_t size[2] = {0, 1};
    g->set = H5Dopen2(stream->group, g->series.name, H5P_DEFAULT);
    hid_t space = g->set >= 0 ? H5Dget_space(g->set) : -1;
    bool same = space >= 0 && H5Sget_simple_extent_ndims(space) == rank_of(g) &&
                H5Sget_simple_extent_dims(space, size, NULL) >= 0 && size[0] >= rows &&
                size[1] == width_of(g);
    if (space >= 0) {
        H5Sclose(space);
    }
    size[0] = g->rows = rows;
    return (same && H5Dset_extent(g->set, size) >= 0) || fail(stream, "its datasets are others");
}

/* The time in this row; NAN: there is none. */
static double time_at(hid_t set, hsize_t row)
{
    double time = NAN;
    hsize_t size = 0, one = 1;
    hid_t space = H5Dget_space(set), memory = H5Screate_simple(1, &one, NULL);
    if (H5Sget_simple_extent_ndims(space) == 1 &&
        H5Sget_simple_extent_dims(space, &size, NULL) >= 0 && row < size) {
        if (H5Sselect_hyperslab(space, H5S_SELECT_SET, &row, NULL, &one, NULL) < 0 ||
            H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, &time) < 0) {
            time = NAN;
        }
    }
    H5Sclose(memory);
    H5Sclose(space);
    return time;
}

static bool ends_at(const crm_hdf5_stream *stream, hsize_t rows, double until)
{
    hid_t set = H5Dopen2(stream->group, "time", H5P_DEFAULT);
    if (set < 0) {
        return false;
    }
    double last = rows > 0 ? time_at(set, rows - 1) : until, next = time_at(set, rows);
    H5Dclose(set);
    return last <= until && !(next < until);
}

static bool open_file(crm_hdf5_stream *stream, const char *path, const char *group)
{
    hid_t access = crm_hdf5_file_access();
    stream->file = access >= 0 ? H5Fopen(path, H5F_ACC_RDWR, access) : H5I_INVALID_HID;
    H5Pclose(access);
    stream->group = stream->file >= 0 ? H5Gopen2(stream->file, group, H5P_DEFAULT) : -1;
    return stream->group >= 0 || fail(stream, "it is no such file");
}

crm_hdf5_stream *crm_hdf5_stream_reopen(const char *path, const char *group,
                                        const crm_series *series, size_t count, size_t rows,
                                        double until, char *problem, size_t size)
{
    snprintf(problem, size, "out of memory");
    crm_hdf5_stream *stream = calloc(1, sizeof *stream);
    if (stream == NULL) {
        return NULL;
    }
    crm_hdf5_begin();
    bool good = open_file(stream, path, group) &&
                (ends_at(stream, rows, until) || fail(stream, "it ends at another time"));
    for (size_t i = 0; i < count && good; i++) {
        good = begin_series(stream, &series[i], &stream->growing[i]);
        stream->count++;
        good = good && continue_series(stream, &stream->growing[i], rows);
    }
    if (!good) {
        snprintf(problem, size, "%s", stream->problem);
        crm_hdf5_stream_abandon(stream);
        return NULL;
    }
    return stream;
}

/* ---- The end -------------------------------------------------------------------------------- */

bool crm_hdf5_stream_close(crm_hdf5_stream *stream, char *problem, size_t size)
{
    bool good = end_group(stream);
    if (good && H5Fflush(stream->file, H5F_SCOPE_GLOBAL) < 0) {
        good = fail(stream, "the file cannot be written");
    }
    if (good && H5Fclose(stream->file) < 0) {
        good = fail(stream, "the file cannot be closed");
    }
    snprintf(problem, size, "%s", stream->problem);
    free(stream);
    return good;
}

/* The file stays open in the library: what it still holds would be written by a close. */
void crm_hdf5_stream_abandon(crm_hdf5_stream *stream)
{
    if (stream != NULL) {
        free_blocks(stream);
        free(stream);
    }
}
