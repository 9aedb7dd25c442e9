#define _XOPEN_SOURCE 700 /* realpath */
/* The files that a command line names: each is read or written by one of them alone. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "cli/cli.h"

/* ---- Which file a name means ---------------------------------------------------------------- */

/* A file by its device and number; one that is not there yet by those of its folder and its name.
 */
typedef struct identity {
    bool known;
    dev_t device;
    ino_t number;
    const char *name; /* NULL: the file itself; borrowed from the path */
} identity;

static identity identity_of(const struct stat *info)
{
    return (identity){S_ISREG(info->st_mode), info->st_dev, info->st_ino, NULL};
}

static identity identify_new(const char *path)
{
    struct stat info;
    const char *slash = strrchr(path, '/');
    char *folder = crm_memory_copy_text(slash != NULL ? path : ".");
    if (folder != NULL && slash != NULL) {
        folder[slash - path + 1] = '\0';
    }
    bool known = folder != NULL && stat(folder, &info) == 0;
    free(folder);
    return known ? (identity){true, info.st_dev, info.st_ino, slash != NULL ? slash + 1 : path}
                 : (identity){0};
}

static identity identify(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 ? identity_of(&info) : identify_new(path);
}

static identity identify_open(int file)
{
    struct stat info;
    return fstat(file, &info) == 0 ? identity_of(&info) : (identity){0};
}

static bool are_same(identity a, identity b)
{
    bool same = a.known && b.known && a.device == b.device && a.number == b.number;
    return same && (a.name == NULL) == (b.name == NULL) &&
           (a.name == NULL || strcmp(a.name, b.name) == 0);
}

bool crm_names_same(const char *a, const char *b)
{
    return are_same(identify(a), identify(b));
}

/* ---- The command line ----------------------------------------------------------------------- */

enum { CHECKPOINT = 5, OUTPUTS };

typedef struct result {
    const char *option; /* "--history" */
    const char *path;   /* NULL: not given */
    identity identity;
} result;

static bool is_stream(const char *path)
{
    return path == NULL || strcmp(path, "-") == 0;
}

static void list_results(const crm_options *options, result results[OUTPUTS])
{
    bool printed = is_stream(options->output);
    results[0] = (result){printed ? "standard output" : "-o", options->output,
                          printed ? identify_open(STDOUT_FILENO) : identify(options->output)};
    results[1] = (result){"--history", options->history, {0}};
    results[2] = (result){"--impacts", options->impacts, {0}};
    results[3] = (result){"--report", options->report, {0}};
    results[4] = (result){"--plot", options->plot, {0}};
    results[CHECKPOINT] = (result){"--checkpoint", options->checkpoint, {0}};
    for (size_t i = 1; i < OUTPUTS; i++) {
        if (results[i].path != NULL) {
            results[i].identity = identify(results[i].path);
        }
    }
}

/* Words that are no files (names of laws, of items) match none. Standard output was opened by the
 * shell: what it did to the file is done.
 */
static int check_input(const char *word, const result *results, size_t count)
{
    identity input = is_stream(word) ? identify_open(STDIN_FILENO) : identify(word);
    for (size_t k = 0; k < count; k++) {
        bool written = k > 0 || !is_stream(results[k].path);
        if (written && input.name == NULL && are_same(input, results[k].identity)) {
            return crm_message(CRM_EXIT_USAGE,
                               "%s '%s' would overwrite the input '%s'; choose another file",
                               results[k].option, results[k].path, word);
        }
    }
    return CRM_EXIT_DONE;
}

/* A checkpoint may replace the one that the run resumes from, which has been read by then. */
static int check_inputs(const crm_options *options, const result *results)
{
    int status = CRM_EXIT_DONE;
    for (size_t i = 0; i < options->operand_count && status == CRM_EXIT_DONE; i++) {
        status = check_input(options->operands[i], results, OUTPUTS);
    }
    return status == CRM_EXIT_DONE && options->resume_from != NULL
               ? check_input(options->resume_from, results, CHECKPOINT)
               : status;
}

/* Files for states, NAME/NAME_000000.vtp and so on, are written over: nothing else that is named
 * may lie there.
 */
static bool lies_in(const char *path, const struct stat *folder)
{
    struct stat info;
    char *whole = realpath(path, NULL);
    char *slash = whole != NULL ? strrchr(whole, '/') : NULL;
    if (slash != NULL) {
        slash[slash == whole] = '\0';
    }
    bool within = slash != NULL && stat(whole, &info) == 0 && info.st_dev == folder->st_dev &&
                  info.st_ino == folder->st_ino;
    free(whole);
    return within;
}

static int check_folder(const crm_options *options, const result *results)
{
    static const char ending[] = ".pvd";
    struct stat folder;
    size_t length = options->history != NULL ? strlen(options->history) : 0;
    bool collects = length >= sizeof ending &&
                    strcasecmp(options->history + length - (sizeof ending - 1), ending) == 0;
    char *name = collects ? crm_memory_copy_text(options->history) : NULL;
    if (name != NULL) {
        name[length - (sizeof ending - 1)] = '\0';
    }
    bool there = name != NULL && stat(name, &folder) == 0;
    free(name);
    const char *within = NULL;
    for (size_t i = 0; there && i < options->operand_count; i++) {
        within = lies_in(options->operands[i], &folder) ? options->operands[i] : within;
    }
    for (size_t k = 0; there && k < OUTPUTS; k++) {
        const char *path = is_stream(results[k].path) ? NULL : results[k].path;
        within = path != NULL && lies_in(path, &folder) ? path : within;
    }
    if (there && options->resume_from != NULL && lies_in(options->resume_from, &folder)) {
        within = options->resume_from;
    }
    return within == NULL ? CRM_EXIT_DONE
                          : crm_message(CRM_EXIT_USAGE,
                                        "'%s' is in the folder that --history '%s' writes states "
                                        "to; choose another name for one of them",
                                        within, options->history);
}

int crm_names_check(const crm_options *options)
{
    result results[OUTPUTS];
    list_results(options, results);
    int status = check_folder(options, results);
    if (status != CRM_EXIT_DONE) {
        return status;
    }
    for (size_t i = 0; i < OUTPUTS; i++) {
        for (size_t k = i + 1; k < OUTPUTS; k++) {
            if (are_same(results[i].identity, results[k].identity)) {
                return crm_message(
                    CRM_EXIT_USAGE,
                    "%s and %s name the same file, '%s'; choose another for one of them",
                    results[i].option, results[k].option, results[k].path);
            }
        }
    }
    return check_inputs(options, results);
}
