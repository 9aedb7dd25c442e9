/* examples and init: scenarios to start from, as they lie beside the program. */
#define _XOPEN_SOURCE 700 /* realpath */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/base.h"
#include "cli/cli.h"
#include "cli/plugin.h"
#include "report/text/sheet.h"
#include "scenario/scenario.h"

enum { PATH_SIZE = 4096, NAME_SIZE = 64 };

/* A set of scenarios to copy, and its folder among the examples. */
typedef struct catalogue {
    const char *command, *noun, *folder, *one;
} catalogue;

static const catalogue examples = {"examples", "example", "", "three_balls"};
static const catalogue starts = {"init", "kind", "/start", "chain"};

/* ---- One of them ---------------------------------------------------------------------------- */

static bool find_folder(const char *sub, char *path, size_t size)
{
    char relative[256];
    snprintf(relative, sizeof relative, "%s%s", CAROM_EXAMPLES, sub);
    return crm_plugin_path(relative, path, size);
}

/* Only names of such files, since the word may be anything. */
static bool is_name(const char *word)
{
    return word[0] != '\0' && strlen(word) < NAME_SIZE &&
           word[strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789_")] == '\0';
}

/* A copy must not overwrite an existing file. */
static bool is_free(const char *path)
{
    struct stat there;
    bool taken = path != NULL && stat(path, &there) == 0 && S_ISREG(there.st_mode);
    if (taken) {
        crm_message(CRM_EXIT_USAGE, "%s already exists; choose another name, or remove it", path);
    }
    return !taken;
}

static int copy_out(const char *path, const crm_options *options)
{
    char *text = NULL;
    size_t length;
    crm_read_error error = {0};
    crm_output output = {0};
    if (crm_file_read(path, &text, &length, &error) != CRM_OK) {
        return crm_message_read_error(CRM_EXIT_SCENARIO, &error);
    }
    int status =
        is_free(options->output) ? crm_output_open(&output, options->output) : CRM_EXIT_USAGE;
    if (status == CRM_EXIT_DONE) {
        fwrite(text, 1, length, output.stream);
        status = crm_output_commit(&output);
    }
    crm_output_abandon(&output);
    free(text);
    return status;
}

/* ---- The list ------------------------------------------------------------------------------- */

typedef struct list {
    size_t count;
    char (*names)[NAME_SIZE];
} list;

/* A scenario's name without its ending; false: it is something else. */
static bool scenario_name(const char *file, char name[NAME_SIZE])
{
    const char *dot = strrchr(file, '.');
    size_t length = dot != NULL ? (size_t)(dot - file) : 0;
    if (length == 0 || length >= NAME_SIZE || strcmp(dot, ".yaml") != 0) {
        return false;
    }
    memcpy(name, file, length);
    name[length] = '\0';
    return is_name(name);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

static crm_status read_list(const char *folder, list *l)
{
    errno = 0;
    DIR *open = opendir(folder);
    char name[NAME_SIZE];
    crm_status status = CRM_OK;
    if (open == NULL) {
        return errno == ENOMEM ? CRM_ERROR_MEMORY : CRM_OK;
    }
    for (struct dirent *entry; status == CRM_OK && (entry = readdir(open)) != NULL;) {
        if (!scenario_name(entry->d_name, name)) {
            continue;
        }
        char(*more)[NAME_SIZE] = crm_memory_resize(l->names, l->count + 1, sizeof *l->names);
        status = more != NULL ? CRM_OK : CRM_ERROR_MEMORY;
        if (more != NULL) {
            l->names = more;
            memcpy(l->names[l->count++], name, NAME_SIZE);
        }
    }
    closedir(open);
    if (l->count > 0) {
        qsort(l->names, l->count, sizeof *l->names, by_name);
    }
    return status;
}

/* What is done with a scenario: the command of the first of these blocks that it has. */
static const char *command_for(const crm_node *root)
{
    static const char *const blocks[] = {"sweep",       "design",   "fit",
                                         "sensitivity", "simulate", "admissible"};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        if (crm_yaml_find(root, blocks[i]) != NULL) {
            return blocks[i];
        }
    }
    return "solve";
}

static int print_entry(const char *folder, const char *name)
{
    char path[PATH_SIZE + NAME_SIZE + 8];
    char *text = NULL;
    size_t length;
    crm_read_error error = {0};
    crm_yaml_limits limits = crm_yaml_limits_default();
    crm_tree *tree = NULL;
    snprintf(path, sizeof path, "%s/%s.yaml", folder, name);
    crm_status status = crm_file_read(path, &text, &length, &error);
    if (status == CRM_OK) {
        status = crm_yaml_parse(text, length, path, &limits, &tree, &error);
    }
    free(text);
    if (status != CRM_OK) {
        return crm_message_read_error(CRM_EXIT_SCENARIO, &error);
    }
    const crm_node *title = crm_yaml_find(tree->root, "title");
    bool titled = title != NULL && title->kind == CRM_NODE_SCALAR;
    char entry[NAME_SIZE + 16];
    snprintf(entry, sizeof entry, "%-22s %s", name, command_for(tree->root));
    crm_text_entry(stdout, crm_terminal_width(stdout), entry, 38, titled ? title->text : "");
    crm_tree_free(tree);
    return CRM_EXIT_DONE;
}

static int print_ending(const catalogue *of, const char *folder)
{
    errno = 0;
    char *plain = realpath(folder, NULL);
    if (plain == NULL && errno == ENOMEM) {
        return crm_message_memory();
    }
    printf("\nThey are in %s\nTo copy one and edit it: carom %s %s -o mine.yaml\n",
           plain != NULL ? plain : folder, of->command, of->one);
    free(plain);
    return CRM_EXIT_DONE;
}

static int print_list(const catalogue *of, const char *folder)
{
    list l = {0};
    int status = read_list(folder, &l) == CRM_OK ? CRM_EXIT_DONE : crm_message_memory();
    for (size_t i = 0; i < l.count && status == CRM_EXIT_DONE; i++) {
        status = print_entry(folder, l.names[i]);
    }
    if (status == CRM_EXIT_DONE && l.count == 0) {
        status = crm_message(CRM_EXIT_USAGE, "no examples are installed with this program");
    } else if (status == CRM_EXIT_DONE) {
        status = print_ending(of, folder);
    }
    free(l.names);
    return status;
}

static int refuse_name(const catalogue *of, const char *folder, const char *word)
{
    list l = {0};
    const char **names = NULL;
    bool read = read_list(folder, &l) == CRM_OK && l.count > 0;
    if (read) {
        names = CRM_NEW(const char *, l.count);
    }
    for (size_t i = 0; names != NULL && i < l.count; i++) {
        names[i] = l.names[i];
    }
    char what[64], all[64];
    snprintf(what, sizeof what, "unknown %s", of->noun);
    snprintf(all, sizeof all, "carom %s", of->command);
    int status = crm_message_unknown(what, word, names, names != NULL ? l.count : 0, all);
    free(names);
    free(l.names);
    return status;
}

static int print_or_list(const catalogue *of, const crm_options *options)
{
    char folder[PATH_SIZE], path[PATH_SIZE + NAME_SIZE + 8];
    if (!find_folder(of->folder, folder, sizeof folder)) {
        return crm_message(CRM_EXIT_USAGE, "no examples are installed with this program");
    }
    if (options->operand_count == 0) {
        return print_list(of, folder);
    }
    const char *word = options->operands[0];
    snprintf(path, sizeof path, "%s/%.*s.yaml", folder, NAME_SIZE, word);
    errno = 0;
    FILE *there = is_name(word) ? fopen(path, "r") : NULL;
    if (there == NULL) {
        return errno == ENOMEM ? crm_message_memory() : refuse_name(of, folder, word);
    }
    fclose(there);
    return copy_out(path, options);
}

int crm_cli_examples(const crm_options *options)
{
    return print_or_list(&examples, options);
}

int crm_cli_init(const crm_options *options)
{
    return print_or_list(&starts, options);
}
