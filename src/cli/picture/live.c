#include "cli/picture/live.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "carom/version.h"
#include "cli/plugin.h"
#include "scenario/scenario.h"

/* What scripts/playground writes: "carom VERSION" and sizes in the first line, then the program. */
static bool is_of_this_version(const char *text)
{
    static const char head[] = "carom " CRM_VERSION_TEXT " ";
    return strncmp(text, head, sizeof head - 1) == 0;
}

/* Nothing that would end the element of the page it stands in. */
static bool is_plain(const char *text)
{
    return text[strcspn(text, "<&")] == '\0';
}

int crm_live_load(const crm_options *options, char **solver)
{
    char path[4096];
    size_t length;
    crm_read_error error = {0};
    *solver = NULL;
    if (!options->live) {
        return CRM_EXIT_DONE;
    }
    if (options->report == NULL) {
        return crm_message(CRM_EXIT_USAGE,
                           "--live is for the page of --report FILE.html; give both");
    }
    if (!crm_plugin_path(CAROM_SOLVER, path, sizeof path)) {
        return crm_message(CRM_EXIT_USAGE, "--live cannot find the solver for pages here");
    }
    FILE *there = fopen(path, "r");
    if (there == NULL) {
        return crm_message(
            CRM_EXIT_USAGE,
            "--live needs the solver for pages, which was not built with this carom; "
            "'make playground' in its sources builds it, as %s",
            path);
    }
    fclose(there);
    if (crm_file_read(path, solver, &length, &error) != CRM_OK) {
        return crm_message_read_error(CRM_EXIT_USAGE, &error);
    }
    if (!is_of_this_version(*solver) || !is_plain(*solver)) {
        free(*solver);
        *solver = NULL;
        return crm_message(CRM_EXIT_USAGE,
                           "--live needs the solver for pages of carom " CRM_VERSION_TEXT
                           "; %s is another one: build it again with 'make playground'",
                           path);
    }
    return CRM_EXIT_DONE;
}
