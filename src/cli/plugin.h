/* What comes with the program, found from where it lies: an installed tree may be moved. Modules
 * are loaded when they are needed (src/plugin/plugin.h).
 */
#ifndef CRM_CLI_PLUGIN_H
#define CRM_CLI_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>

#include "plugin/plugin.h"

/* The absolute path of what is at `relative` from the program's folder; false: it is not known. */
bool crm_program_path(const char *relative, char *path, size_t size);

/* The table that module "crm_hdf5" exports under its own name; NULL: it was not built, what it
 * needs is missing, or it is not to be trusted; `problem` says which. Never unloaded.
 */
const void *crm_plugin_load(const char *module, char *problem, unsigned long size);

/* Whether a file is to be HDF5 by its name. */
bool crm_is_hdf5(const char *path);
/* The module that will write `path`; NULL: there is none, which it says. */
const crm_hdf5_module *crm_plugin_hdf5(const char *path);

#endif
