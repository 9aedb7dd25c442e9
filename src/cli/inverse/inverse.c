#include "cli/inverse/inverse.h"

#include <stdlib.h>
#include <string.h>

#include "cli/limits.h"

int crm_inverse_begin(crm_inverse_call *call, const crm_options *options)
{
    crm_read_error error = {0};
    const char *path = options->operands[0];
    call->options = options;
    call->limits = crm_limits_for_scenario();
    call->def = (crm_study_def){.source = strcmp(path, "-") == 0 ? "standard input" : path,
                                .overrides = options->sets,
                                .override_count = options->set_count,
                                .laws = options->laws,
                                .limits = &call->limits};
    if (crm_file_read(path, &call->text, &call->def.length, &error) != CRM_OK) {
        return crm_message_read_error(CRM_EXIT_SCENARIO, &error);
    }
    call->def.text = call->text;
    return CRM_EXIT_DONE;
}

/* Stopped by an interrupt or by the time limit. */
static int refuse_ended(const crm_inverse_call *call)
{
    if (crm_interrupt_caught()) {
        crm_message(0, "interrupted; nothing was written");
        return crm_interrupt_status();
    }
    return crm_message(CRM_EXIT_NO_ANSWER, "time limit of %.3g s reached; nothing was written",
                       call->options->max_seconds);
}

int crm_inverse_refuse(const crm_inverse_call *call, const crm_read_error *error)
{
    if (error->status == CRM_ERROR_STOPPED) {
        return refuse_ended(call);
    }
    if (error->status == CRM_ERROR_OPTION) {
        return crm_message(CRM_EXIT_USAGE, "%s", error->text);
    }
    return crm_message_read_error(CRM_EXIT_SCENARIO, error);
}

static bool go_on(void *context, const crm_watch_report *report)
{
    crm_inverse_call *call = context;
    char text[192];
    if (report->steps > 0) {
        snprintf(text, sizeof text, "%llu solves%s%s", (unsigned long long)report->steps,
                 call->so_far[0] != '\0' ? "; " : "", call->so_far);
        crm_progress_show_text(&call->progress, "running", text);
    }
    return !crm_interrupt_caught() && crm_limits_time_left() > 0;
}

void crm_inverse_start(crm_inverse_call *call)
{
    crm_progress_begin(&call->progress, "solves", 0, call->options->quiet);
    call->watch = (crm_watch){.bytes = crm_limits_memory(), .context = call, .go_on = go_on};
    crm_interrupt_catch();
    crm_limits_begin_polling();
}

void crm_inverse_stop(crm_inverse_call *call)
{
    crm_progress_end(&call->progress);
    crm_limits_begin_writing();
}

void crm_inverse_end(crm_inverse_call *call)
{
    free(call->text);
}
