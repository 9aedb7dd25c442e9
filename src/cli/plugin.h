/* Files that are installed with the program, found relative to it, so that an installed tree may be
 * moved. Modules are loaded when they are needed (src/plugin/plugin.h).
 */
#ifndef CRM_CLI_PLUGIN_H
#define CRM_CLI_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>

#include "plugin/plugin.h"

/* The absolute path of what is at `relative` from the program's folder; false: it is not known. */
bool crm_plugin_path(const char *relative, char *path, size_t size);

/* *table is what module "crm_hdf5" exports under its own name. CRM_EXIT_MEMORY: there was not
 * enough to load it, which it says; CRM_EXIT_USAGE: it was not built, what it needs is missing, or
 * it is not to be trusted; `problem` says which. Never unloaded.
 */
int crm_plugin_load(const char *module, const void **table, char *problem, size_t size);

/* The same for a module that will write `path`; prints that this carom `lack`s it, why, and the
 * remedy.
 */
int crm_plugin_need(const char *module, const char *path, const char *lack, const char *remedy,
                    const void **table);

/* Whether a file is to be HDF5 by its name. */
bool crm_plugin_is_hdf5(const char *path);
/* The module that will write `path`; an exit status, after printing what is missing. */
int crm_plugin_hdf5(const char *path, const crm_hdf5_module **module);

#endif
