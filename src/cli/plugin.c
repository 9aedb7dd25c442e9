#define _XOPEN_SOURCE 700 /* readlink */
#include "cli/plugin.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "cli/cli.h"

enum { PATH_SIZE = 4096 + 256 };

/* The folder of the program itself. */
static int program_folder(char *folder, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", folder, size - 1);
    if (length <= 0) {
        return 0;
    }
    folder[length] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash == NULL) {
        return 0;
    }
    *slash = '\0';
    return 1;
}

/* In the build tree modules lie beside the program, installed where CAROM_MODULES leads from it;
 * a test program lies one folder deeper.
 */
const void *crm_plugin_load(const char *module, char *problem, unsigned long size)
{
    static const char *const places[] = {".", CAROM_MODULES, ".."};
    char folder[4096], path[PATH_SIZE];
    snprintf(problem, size, "it was not built");
    if (!program_folder(folder, sizeof folder)) {
        return NULL;
    }
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        snprintf(path, sizeof path, "%.4000s/%s/%s.so", folder, places[i], module);
        if (access(path, R_OK) != 0) {
            continue;
        }
        void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
        const void *table = library != NULL ? dlsym(library, module) : NULL;
        if (table != NULL) {
            return table;
        }
        const char *why = dlerror();
        snprintf(problem, size, "%s", why != NULL ? why : "it cannot be loaded");
    }
    return NULL;
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
