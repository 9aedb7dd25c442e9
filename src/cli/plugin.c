#define _XOPEN_SOURCE 700 /* readlink */
#include "cli/plugin.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"

enum { PATH_SIZE = 4096 };

bool crm_program_path(const char *relative, char *path, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", path, size - 1);
    if (length <= 0 || (size_t)length >= size - 1) {
        return false;
    }
    path[length] = '\0';
    char *slash = strrchr(path, '/');
    if (path[0] != '/' || slash == NULL) {
        return false;
    }
    size_t left = size - (size_t)(slash + 1 - path);
    int used = snprintf(slash + 1, left, "%s", relative);
    return used > 0 && (size_t)used < left;
}

/* Code that someone else could have put there is not run: it must belong to whoever runs the
 * program, or to root, and nobody else may write it.
 */
static bool is_trusted(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && (info.st_uid == 0 || info.st_uid == geteuid()) &&
           (info.st_mode & S_IWOTH) == 0;
}

/* One place, the same in the installation and in the build tree; nothing else is searched. */
const void *crm_plugin_load(const char *module, char *problem, unsigned long size)
{
    char folder[PATH_SIZE], path[PATH_SIZE + 64];
    snprintf(problem, size, "it was not built");
    if (!crm_program_path(CAROM_MODULES, folder, sizeof folder)) {
        return NULL;
    }
    snprintf(path, sizeof path, "%s/%.32s.so", folder, module);
    if (access(path, R_OK) != 0) {
        return NULL;
    }
    if (!is_trusted(folder) || !is_trusted(path)) {
        snprintf(problem, size, "%.400s belongs to others, or others may write it", path);
        return NULL;
    }
    void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    const void *table = library != NULL ? dlsym(library, module) : NULL;
    const char *why = table == NULL ? dlerror() : NULL;
    if (table == NULL) {
        snprintf(problem, size, "%s", why != NULL ? why : "it cannot be loaded");
    }
    return table;
}

/* ---- HDF5 ----------------------------------------------------------------------------------- */

bool crm_is_hdf5(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot != NULL && (strcasecmp(dot, ".h5") == 0 || strcasecmp(dot, ".hdf5") == 0);
}

const crm_hdf5_module *crm_plugin_hdf5(const char *path)
{
    char problem[512];
    const crm_hdf5_module *module = crm_plugin_load(CRM_HDF5_MODULE, problem, sizeof problem);
    if (module == NULL) {
        crm_say(CRM_EXIT_USAGE,
                "%s: this carom has no HDF5 (%s); write a .csv file, or install libhdf5-dev and "
                "build again",
                path, problem);
    }
    return module;
}
