/* What every HDF5 file of ours has in common. */
#include "plugin/hdf5/hdf5.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

hid_t crm_hdf5_text_type(size_t width)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    bool good = H5Tset_size(type, width > 0 ? width : 1) >= 0 &&
                H5Tset_strpad(type, H5T_STR_NULLPAD) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0;
    if (!good && type >= 0) {
        H5Tclose(type);
    }
    return good ? type : H5I_INVALID_HID;
}

hid_t crm_hdf5_keep_if(bool good, hid_t properties)
{
    if (!good && properties >= 0) {
        H5Pclose(properties);
    }
    return good ? properties : H5I_INVALID_HID;
}

bool crm_hdf5_compress(hid_t properties)
{
    const unsigned level = CRM_HDF5_COMPRESSION;
    return H5Pset_filter(properties, H5Z_FILTER_SHUFFLE, H5Z_FLAG_MANDATORY, 0, NULL) >= 0 &&
           H5Pset_filter(properties, H5Z_FILTER_DEFLATE, H5Z_FLAG_MANDATORY, 1, &level) >= 0;
}

static bool put_text(hid_t at, const char *name, const char *value)
{
    hid_t type = crm_hdf5_text_type(strlen(value));
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    bool good = attribute >= 0 && H5Awrite(attribute, type, value[0] != '\0' ? value : "\0") >= 0;
    good = (attribute < 0 || H5Aclose(attribute) >= 0) && good;
    H5Sclose(space);
    H5Tclose(type);
    return good;
}

bool crm_hdf5_put_texts(hid_t at, const crm_texts *texts)
{
    bool good = true;
    for (size_t i = 0; i < texts->count && good; i++) {
        good = put_text(at, texts->names[i], texts->values[i]);
    }
    return good;
}

static bool read_text(hid_t attribute, char *value, size_t size)
{
    hid_t type = H5Aget_type(attribute);
    size_t width = H5Tget_size(type);
    bool good = H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 && width < size &&
                H5Aread(attribute, type, value) >= 0;
    value[good ? width : 0] = '\0';
    H5Tclose(type);
    return good;
}

bool crm_hdf5_text(const char *path, const char *name, char *value, size_t size)
{
    crm_hdf5_begin();
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t attribute = file >= 0 ? H5Aopen(file, name, H5P_DEFAULT) : -1;
    bool good = attribute >= 0 && read_text(attribute, value, size);
    if (attribute >= 0) {
        H5Aclose(attribute);
    }
    if (file >= 0) {
        H5Fclose(file);
    }
    return good;
}

void crm_hdf5_name(const char *name, char text[CRM_HDF5_NAME_SIZE])
{
    snprintf(text, CRM_HDF5_NAME_SIZE, "%s", name);
    for (char *at = text; *at != '\0'; at++) {
        *at = *at == '/' ? '|' : *at;
    }
}

hid_t crm_hdf5_file_access(void)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    return crm_hdf5_keep_if(H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_LATEST) >= 0,
                            access);
}

hid_t crm_hdf5_group_properties(void)
{
    hid_t group = H5Pcreate(H5P_GROUP_CREATE);
    unsigned order = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;
    bool good =
        H5Pset_link_creation_order(group, order) >= 0 && H5Pset_obj_track_times(group, false) >= 0;
    return crm_hdf5_keep_if(good, group);
}

/* ---- Problems ------------------------------------------------------------------------------- */

/* The innermost complaint is the one that says why; of memory HDF5 may complain further out. */
static herr_t keep_problem(unsigned depth, const H5E_error2_t *error, void *context)
{
    if (error->maj_num == H5E_RESOURCE) {
        snprintf(context, CRM_HDF5_NAME_SIZE, "out of memory");
    } else if (depth == 0) {
        snprintf(context, CRM_HDF5_NAME_SIZE, "%s", error->desc != NULL ? error->desc : "");
    }
    return 0;
}

/* Of "file write failed: time = ..., error message = 'No space left on device', buf = ..." the
 * words of the system are enough.
 */
static void cut_to_the_message(char *text)
{
    static const char before[] = "error message = '";
    char *message = strstr(text, before);
    if (message != NULL) {
        message += sizeof before - 1;
        message[strcspn(message, "'")] = '\0';
        memmove(text, message, strlen(message) + 1);
    }
}

void crm_hdf5_problem(char text[CRM_HDF5_NAME_SIZE])
{
    text[0] = '\0';
    bool starved = errno == ENOMEM; /* whatever it says, that comes of it */
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_problem, text);
    cut_to_the_message(text);
    if (starved) {
        snprintf(text, CRM_HDF5_NAME_SIZE, "out of memory");
    }
}

/* The library is not to finish files at the program's end: those that are good are closed by then,
 * and those that are not would bring it down.
 */
void crm_hdf5_begin(void)
{
    errno = 0;
    H5dont_atexit();
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}
