/* Shared by the parts of the HDF5 module. */
#ifndef CRM_PLUGIN_HDF5_H
#define CRM_PLUGIN_HDF5_H

#include <hdf5.h>
#include <stdbool.h>
#include <stddef.h>

#include "plugin/plugin.h"

enum { CRM_HDF5_COMPRESSION = 4, CRM_HDF5_NAME_SIZE = 512 };

/* Every call may fail for lack of memory. A property list or a type that could not be set up
 * completely is returned as an identifier < 0, with which the call that uses it fails; an
 * incomplete one would silently produce a different file.
 */

/* The properties if they are good; else they are closed, and the result is invalid. */
hid_t crm_hdf5_keep_if(bool good, hid_t properties);
/* Compress chunks. A chunk that cannot be compressed is written as it is. */
bool crm_hdf5_compress(hid_t properties);
/* A text of `width` bytes, filled with NUL. */
hid_t crm_hdf5_text_type(size_t width);
bool crm_hdf5_put_texts(hid_t at, const crm_texts *texts);
/* The name with its slashes replaced, which HDF5 would take for a path. */
void crm_hdf5_name(const char *name, char text[CRM_HDF5_NAME_SIZE]);
/* Access to a file in the format of HDF5 1.8 and later: attributes of any length, entries in the
 * order they were made; to be closed with H5Pclose.
 */
hid_t crm_hdf5_file_access(void);
/* Properties of a group that keeps the order of its entries, and of nothing that depends on when
 * it was written; to be closed with H5Pclose.
 */
hid_t crm_hdf5_group_properties(void);
/* The last error of HDF5; empty: none. */
void crm_hdf5_problem(char text[CRM_HDF5_NAME_SIZE]);
/* Before the first use of the library. */
void crm_hdf5_begin(void);

/* The calls of crm_hdf5_module, see plugin.h. */
bool crm_hdf5_text(const char *path, const char *name, char *value, size_t size);
crm_hdf5_stream *crm_hdf5_stream_open(const char *path, const crm_texts *about, char *problem,
                                      size_t size);
bool crm_hdf5_stream_group(crm_hdf5_stream *stream, const char *name, const crm_texts *about,
                           const crm_series *series, size_t count);
crm_hdf5_stream *crm_hdf5_stream_reopen(const char *path, const char *group,
                                        const crm_series *series, size_t count, size_t rows,
                                        double until, char *problem, size_t size);
bool crm_hdf5_stream_append(crm_hdf5_stream *stream, const void *const *rows);
bool crm_hdf5_stream_close(crm_hdf5_stream *stream, char *problem, size_t size);
void crm_hdf5_stream_abandon(crm_hdf5_stream *stream);

#endif
