/* reproduce: recompute published tables and figures, and compare. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/base.h"
#include "cli/cli.h"
#include "cli/limits.h"
#include "cli/picture/picture.h"
#include "cli/plugin.h"
#include "cli/terminal/progress.h"
#include "reproduce/item_index.h"
#include "reproduce/record.h"

enum { PATH_SIZE = 4096 };

typedef struct reproduce {
    const crm_options *options;
    crm_item_index index;
    size_t count;
    crm_record **records;
    crm_output output, page;
    size_t left; /* items that were not computed in time */
} reproduce;

/* ---- Where the items are -------------------------------------------------------------------- */

static bool is_directory(const char *path)
{
    struct stat found;
    return stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

/* Where CAROM_REPRODUCE says; else where CAROM_ITEMS leads from the program's folder, in the
 * installation as in the build tree.
 */
static const char *find_directory(char *path, size_t size)
{
    const char *wanted = getenv("CAROM_REPRODUCE");
    if (wanted != NULL && wanted[0] != '\0') {
        return wanted;
    }
    return crm_plugin_path(CAROM_ITEMS, path, size) && is_directory(path) ? path : NULL;
}

static int report_error(const crm_read_error *error)
{
    return crm_message_read_error(CRM_EXIT_SCENARIO, error);
}

static int read_index(reproduce *r)
{
    char path[PATH_SIZE];
    crm_read_error error = {0};
    const char *directory = find_directory(path, sizeof path);
    if (directory == NULL) {
        return crm_message(
            CRM_EXIT_USAGE,
            "the published items were not found; set CAROM_REPRODUCE to their directory");
    }
    return crm_item_index_read(directory, &r->index, &error) == CRM_OK ? CRM_EXIT_DONE
                                                                       : report_error(&error);
}

/* ---- Which are meant ------------------------------------------------------------------------ */

static bool is_file(const char *word)
{
    size_t length = strlen(word);
    return strchr(word, '/') != NULL || (length > 5 && strcmp(word + length - 5, ".yaml") == 0);
}

static int refuse_name(const reproduce *r, const char *word)
{
    const char **names = CRM_NEW(const char *, r->index.count);
    if (names == NULL || r->index.count == 0) {
        free(names);
        return crm_message(CRM_EXIT_USAGE, "unknown item '%s'", word);
    }
    for (size_t i = 0; i < r->index.count; i++) {
        names[i] = r->index.items[i]->name;
    }
    int status =
        crm_message_unknown("unknown item", word, names, r->index.count, "carom reproduce");
    free(names);
    return status;
}

static int check_names(reproduce *r)
{
    const crm_options *options = r->options;
    for (size_t i = 0; i < options->operand_count; i++) {
        const char *word = options->operands[i];
        bool meant = is_file(word);
        for (size_t k = 0; k < r->index.count && !meant; k++) {
            meant = crm_item_index_matches(r->index.items[k], word);
        }
        if (!meant) {
            return refuse_name(r, word);
        }
    }
    return CRM_EXIT_DONE;
}

/* Files that are named come after the items. */
static int add_files(reproduce *r, size_t *first)
{
    crm_read_error error = {0};
    *first = r->index.count;
    for (size_t i = 0; i < r->options->operand_count; i++) {
        const char *word = r->options->operands[i];
        if (is_file(word) && crm_item_index_add(&r->index, word, &error) != CRM_OK) {
            return report_error(&error);
        }
    }
    return CRM_EXIT_DONE;
}

static bool is_meant(const reproduce *r, size_t item)
{
    for (size_t i = 0; i < r->options->operand_count; i++) {
        if (crm_item_index_matches(r->index.items[item], r->options->operands[i])) {
            return true;
        }
    }
    return false;
}

static int choose(reproduce *r)
{
    size_t first = 0;
    crm_error error = {0};
    int status = check_names(r);
    status = status == CRM_EXIT_DONE ? add_files(r, &first) : status;
    if (status != CRM_EXIT_DONE) {
        return status;
    }
    r->records = CRM_NEW(crm_record *, r->index.count);
    for (size_t i = 0; i < r->index.count; i++) {
        if (i < first && !is_meant(r, i)) {
            continue;
        }
        if (r->records == NULL ||
            crm_record_create(r->index.items[i], &r->records[r->count], &error) != CRM_OK) {
            return crm_message_memory();
        }
        r->count++;
    }
    return CRM_EXIT_DONE;
}

/* ---- Computing and printing ------------------------------------------------------------------ */

static void show_progress(void *context, size_t done, size_t count)
{
    (void)count;
    crm_progress_show(context, done);
}

static bool time_is_left(void *context, const crm_watch_report *progress)
{
    (void)context, (void)progress;
    return crm_limits_time_left() > 0;
}

/* Items that were not computed in time are only counted. */
static void leave_out_late(reproduce *r)
{
    size_t kept = 0;
    for (size_t i = 0; i < r->count; i++) {
        if (crm_record_is_computed(r->records[i])) {
            r->records[kept++] = r->records[i];
        } else {
            crm_record_free(r->records[i]);
            r->left++;
        }
    }
    r->count = kept;
}

static int run(reproduce *r)
{
    const crm_watch watch = {.bytes = crm_limits_memory(), .go_on = time_is_left};
    crm_progress progress;
    size_t points = 0;
    for (size_t i = 0; i < r->count; i++) {
        points += r->records[i]->point_count;
    }
    crm_progress_begin(&progress, "points", points, r->options->quiet);
    crm_record_progress callback = {.context = &progress, .done = show_progress, .watch = &watch};
    crm_limits_begin_polling();
    crm_status status =
        crm_records_run(r->records, r->count, crm_limits_jobs(r->options), &callback);
    crm_progress_end(&progress);
    leave_out_late(r);
    return status == CRM_OK ? CRM_EXIT_DONE : crm_message_memory();
}

static bool is_markdown(const char *path)
{
    size_t length = path != NULL ? strlen(path) : 0;
    return length > 3 && strcmp(path + length - 3, ".md") == 0;
}

/* Several items are summed up; one, or a few that were named, are shown in full. */
static void write_tables(const reproduce *r)
{
    enum { IN_FULL = 4 };
    crm_style style = crm_style_of_output(&r->output);
    for (size_t i = 0; i < r->count && r->count <= IN_FULL; i++) {
        crm_print_table(r->records[i], style, r->output.stream);
        fputc('\n', r->output.stream);
    }
    if (r->count > 1) {
        crm_print_summary(r->records, r->count, style, r->output.stream);
    }
}

static int write_records(const reproduce *r)
{
    crm_error error = {0};
    if (is_markdown(r->options->output)) {
        crm_print_markdown(r->records, r->count, r->output.stream);
    } else if (r->options->format == CRM_FORMAT_CSV) {
        crm_print_csv(r->records, r->count, r->output.stream);
    } else if (r->options->format == CRM_FORMAT_TABLE) {
        write_tables(r);
    } else if (crm_print_json(r->records, r->count, r->output.stream, &error) != CRM_OK) {
        return crm_message_error(CRM_EXIT_NO_ANSWER, &error);
    }
    return CRM_EXIT_DONE;
}

static int write_page(reproduce *r)
{
    crm_error error = {0};
    if (r->options->report == NULL) {
        return CRM_EXIT_DONE;
    }
    char *command = crm_picture_command_line("reproduce", r->options);
    const crm_page_source source = {.file = "the published record", .command = command};
    bool good = command != NULL &&
                crm_html_record(r->records, r->count, &source, r->page.stream, &error) == CRM_OK;
    free(command);
    return good ? crm_output_commit(&r->page) : crm_message_memory();
}

static int verdict_status(const reproduce *r)
{
    for (size_t i = 0; i < r->count; i++) {
        if (r->records[i]->verdict == CRM_VERDICT_DEVIATES) {
            return CRM_EXIT_NO_ANSWER;
        }
    }
    return CRM_EXIT_DONE;
}

static int report_late(const reproduce *r, const char *what)
{
    return crm_message(CRM_EXIT_NO_ANSWER,
                       "time limit of %.3g s reached; %zu of %zu items computed%s",
                       r->options->max_seconds, r->count, r->count + r->left, what);
}

/* No item is written over, whether it was named or not. */
static int check_output(const reproduce *r)
{
    const char *path = r->options->output;
    for (size_t i = 0; path != NULL && i < r->index.count; i++) {
        if (crm_names_same(path, r->index.items[i]->path)) {
            return crm_message(CRM_EXIT_USAGE,
                               "-o '%s' would overwrite an item; choose another file", path);
        }
    }
    return CRM_EXIT_DONE;
}

static int run_and_write(reproduce *r)
{
    int status = choose(r);
    status = status == CRM_EXIT_DONE ? check_output(r) : status;
    status = status == CRM_EXIT_DONE ? crm_output_open(&r->output, r->options->output) : status;
    if (status == CRM_EXIT_DONE && r->options->report != NULL) {
        status = crm_output_open(&r->page, r->options->report);
    }
    if (status != CRM_EXIT_DONE) {
        return status;
    }
    status = run(r);
    bool for_files = r->output.target != NULL || r->options->report != NULL;
    if (status == CRM_EXIT_DONE && r->left > 0 && for_files) {
        return report_late(r, "; no file was replaced");
    }
    crm_limits_begin_writing();
    status = status == CRM_EXIT_DONE ? write_records(r) : status;
    status = status == CRM_EXIT_DONE ? write_page(r) : status;
    status = status == CRM_EXIT_DONE ? crm_output_commit(&r->output) : status;
    if (status == CRM_EXIT_DONE && r->left > 0) {
        return report_late(r, "");
    }
    return status == CRM_EXIT_DONE ? verdict_status(r) : status;
}

static bool asks_for_list(const crm_options *options)
{
    return options->operand_count == 0 ||
           (options->operand_count == 1 && strcmp(options->operands[0], "list") == 0);
}

static int list(reproduce *r)
{
    int status = check_output(r);
    status = status == CRM_EXIT_DONE ? crm_output_open(&r->output, r->options->output) : status;
    if (status != CRM_EXIT_DONE) {
        return status;
    }
    crm_print_list((const crm_item *const *)r->index.items, r->index.count,
                   crm_style_of_output(&r->output).width, r->output.stream);
    return crm_output_commit(&r->output);
}

int crm_cli_reproduce(const crm_options *options)
{
    reproduce r = {.options = options};
    int status = read_index(&r);
    if (status == CRM_EXIT_DONE) {
        status = asks_for_list(options) ? list(&r) : run_and_write(&r);
    }
    crm_output_abandon(&r.output);
    crm_output_abandon(&r.page);
    for (size_t i = 0; i < r.count; i++) {
        crm_record_free(r.records[i]);
    }
    free(r.records);
    crm_item_index_free(&r.index);
    return status;
}
