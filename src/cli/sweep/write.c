/* From the journal to the table, completely or not at all. */
#include "cli/plugin.h"
#include "cli/sweep/sweep.h"

static bool copy_rows(void *context, const char *text, size_t length)
{
    return fwrite(text, 1, length, context) == length;
}

/* Errors of the stream are reported when it is committed; any other is a journal that cannot be
 * read.
 */
static int write_csv(const crm_study *study, crm_journal *journal, FILE *stream, bool heading)
{
    if (heading) {
        crm_sweep_heading(study, stream);
    }
    if (!crm_journal_read(journal, copy_rows, stream) && !ferror(stream)) {
        return crm_message(CRM_EXIT_WRITE, "the finished points could not be read back");
    }
    return CRM_EXIT_DONE;
}

int crm_sweep_write(const crm_study *study, crm_journal *journal, const char *target,
                    crm_output *output, bool heading)
{
    int status = output->stream != NULL ? CRM_EXIT_DONE : crm_output_open(output, target);
    if (status == CRM_EXIT_DONE) {
        status = target != NULL && crm_plugin_is_hdf5(target)
                     ? crm_sweep_write_hdf5(study, journal, output->temporary, target)
                     : write_csv(study, journal, output->stream, heading);
    }
    return status == CRM_EXIT_DONE ? crm_output_commit(output) : status;
}
