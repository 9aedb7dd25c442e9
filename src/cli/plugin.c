#define _XOPEN_SOURCE 700 /* readlink */
#include "cli/plugin.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"

enum { PATH_SIZE = 4096 };

/* A program that is linked statically loads no modules. */
#ifdef CAROM_STATIC
static const bool loads_modules = false;
#else
static const bool loads_modules = true;
#endif

bool crm_plugin_path(const char *relative, char *path, size_t size)
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

/* The loader has no status for it. It shows in the message, in errno, or in a module that existed a
 * moment ago and cannot be found now.
 */
static bool lacks_memory(int number, const char *why, const char *path)
{
    size_t length = strlen(path);
    return number == ENOMEM || strstr(why, "memory") != NULL ||
           strstr(why, "cannot create shared object descriptor") != NULL ||
           (strncmp(why, path, length) == 0 && strstr(why + length, strerror(ENOENT)) != NULL);
}

static int explain(const char *why, int number, const char *path, char *problem, size_t size)
{
    snprintf(problem, size, "%s", why);
    return lacks_memory(number, why, path) ? crm_message_memory() : CRM_EXIT_USAGE;
}

/* One place, the same in the installation and in the build tree; nothing else is searched. */
int crm_plugin_load(const char *module, const void **table, char *problem, size_t size)
{
    char folder[PATH_SIZE], path[PATH_SIZE + 64];
    *table = NULL;
    snprintf(problem, size, "the module was not built");
    if (!loads_modules || !crm_plugin_path(CAROM_MODULES, folder, sizeof folder)) {
        return CRM_EXIT_USAGE;
    }
    snprintf(path, sizeof path, "%s/%.32s.so", folder, module);
    if (access(path, R_OK) != 0) {
        return CRM_EXIT_USAGE;
    }
    if (!is_trusted(folder) || !is_trusted(path)) {
        snprintf(problem, size, "%.400s belongs to another user, or is writable by others", path);
        return CRM_EXIT_USAGE;
    }
    errno = 0;
    void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    *table = library != NULL ? dlsym(library, module) : NULL;
    int number = errno;
    const char *why = *table == NULL ? dlerror() : NULL;
    return *table != NULL
               ? CRM_EXIT_DONE
               : explain(why != NULL ? why : "it cannot be loaded", number, path, problem, size);
}

int crm_plugin_need(const char *module, const char *path, const char *lack, const char *remedy,
                    const void **table)
{
    char problem[512];
    int status = crm_plugin_load(module, table, problem, sizeof problem);
    return status != CRM_EXIT_USAGE
               ? status
               : crm_message(status, "%s: this carom %s (%s); %s", path, lack, problem, remedy);
}

/* ---- HDF5 ----------------------------------------------------------------------------------- */

bool crm_plugin_is_hdf5(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot != NULL && (strcasecmp(dot, ".h5") == 0 || strcasecmp(dot, ".hdf5") == 0);
}

int crm_plugin_hdf5(const char *path, const crm_hdf5_module **module)
{
    const void *table;
    int status =
        crm_plugin_need(CRM_HDF5_MODULE, path, "has no HDF5",
                        "write a .csv file, or install libhdf5-dev and build again", &table);
    *module = table;
    return status;
}
