/* Modules that are loaded when they are needed (src/plugin/plugin.h). */
#ifndef CRM_CLI_PLUGIN_H
#define CRM_CLI_PLUGIN_H

/* The table that module "crm_hdf5" exports under its own name; NULL: it was not built, or what it
 * needs is missing; `problem` says which. Never unloaded.
 */
const void *crm_plugin_load(const char *module, char *problem, unsigned long size);

#endif
