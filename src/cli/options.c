#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/base.h"
#include "base/locale.h"
#include "cli/cli.h"
#include "cli/plugin.h"
#include "report/text/sheet.h"

enum { JOBS_MOST = 1024, SHARDS_MOST = 1000000 };
static const double CHECKPOINT_SECONDS = 60, SECONDS_MOST = 1e9;

static const crm_option table[CRM_OPTION_COUNT] = {
    [CRM_OPTION_LAW] =
        {"law", 'l', "NAME[,NAME...]",
         "use these laws instead of those in the file; a label from the file keeps its options"},
    [CRM_OPTION_FORMAT] = {"format", 'f', "table|json|csv",
                           "output format (default: by the extension of -o FILE, else table)"},
    [CRM_OPTION_OUTPUT] = {"output", 'o', "FILE", "write to FILE, completely or not at all"},
    [CRM_OPTION_SET] = {"set", 's', "PATH=VALUE",
                        "override a field of the scenario, such as chain.restitution=0.9 or "
                        "bodies[cue].velocity=[1, 0]; may be repeated"},
    [CRM_OPTION_HISTORY] = {"history", 0, "FILE.csv|FILE.h5",
                            "write forces, energies and velocities during the impact, at every "
                            "step or at multiples of history.interval; for a motion, states at "
                            "multiples of simulate.output_every (FILE.pvd: "
                            "for ParaView)"},
    [CRM_OPTION_IMPACTS] = {"impacts", 0, "FILE.csv|FILE.h5", "write one row per impact"},
    [CRM_OPTION_CHECKPOINT] = {"checkpoint", 0, "FILE",
                               "save to FILE what --resume continues from: at the end, on "
                               "interruption, and regularly during the run"},
    [CRM_OPTION_CHECKPOINT_EVERY] = {"checkpoint-every", 0, "SECONDS",
                                     "seconds between checkpoints (default: 60)"},
    [CRM_OPTION_RESUME_FROM] =
        {"resume", 0, "FILE",
         "resume from the checkpoint in FILE, bit-identical to an uninterrupted run; the files of "
         "--history and --impacts are continued"},
    [CRM_OPTION_SUMMARY] =
        {"summary", 0, NULL,
         "print only the summary (default on a terminal too short for the whole table)"},
    [CRM_OPTION_SHOW] = {"show", 0, "PART[,PART...]",
                         "print only these parts of the table: energy, course, checks, notes, all, "
                         "or a list quantity such as velocity, impulse or peak_force"},
    [CRM_OPTION_ROWS] =
        {"rows", 0, "LIST",
         "print only these rows of lists: numbers such as 1-5,-1 (-1: the last; 5-: from the fifth "
         "on; -3-: the last three) or names of bodies and contacts"},
    [CRM_OPTION_JOBS] = {"jobs", 'j', "N",
                         "number of threads, used for the laws of a solve (within a large impact "
                         "if there are fewer laws) and for the points of a sweep; default: all "
                         "cores, with laws one after another"},
    [CRM_OPTION_MAX_SECONDS] =
        {"max-seconds", 0, "N",
         "stop after N seconds and give what has been computed (exit status 4)"},
    [CRM_OPTION_MAX_MEMORY] = {"max-memory", 0, "SIZE",
                               "refuse what needs more memory than this, such as 500M or 16G (exit "
                               "status 6); default: half of the machine's memory"},
    [CRM_OPTION_QUIET] = {"quiet", 'q', NULL, "print only errors on standard error"},
    [CRM_OPTION_REPORT] =
        {"report", 0, "FILE.html",
         "write the result as an interactive page: one self-contained file for any browser"},
    [CRM_OPTION_LIVE] = {"live", 0, NULL,
                         "with --report: a page that solves again when its scenario is changed "
                         "there, as the program itself is in it "
                         "(0.7 MB; the solver is built by 'make playground')"},
    [CRM_OPTION_PLOT] = {"plot", 0, "FILE.svg|FILE.pdf|FILE.png",
                         "write one figure for a paper, one column wide, in black and white"},
    [CRM_OPTION_PLOT_REGION] =
        {"plot", 0, "FILE.svg|FILE.pdf|FILE.png|FILE.csv",
         "draw the plane of two quantities: what is admissible, the outcomes of the laws, and "
         "their loci as a parameter runs; .csv: the numbers of the figure"},
    [CRM_OPTION_PLOT_OF] =
        {"plot-of", 0, "velocities|forces|wave|energy",
         "what the figure shows: velocities after the impact by every law (default); or, for the "
         "first law that resolves the impact in time, forces against time, a map of the energy in "
         "the contacts (wave), or energies against time"},
    [CRM_OPTION_PLOT_QUANTITY] =
        {"plot-of", 0, "QUANTITY",
         "which recorded quantity the figure shows (default: the first); for a list, such as "
         "velocity, its recorded entries against their index"},
    [CRM_OPTION_PLOT_MOTION] = {"plot-of", 0, "energy|positions|angles|velocities",
                                "what the figure shows against time: energies (default), or up to "
                                "eight coordinates, evenly chosen"},
    [CRM_OPTION_RESUME] = {"resume", 0, NULL, "continue an interrupted run of -o FILE"},
    [CRM_OPTION_SHARD] =
        {"shard", 0, "I/N",
         "compute only part I of N of the points; the N tables in order make up the whole table"},
    [CRM_OPTION_HELP] = {"help", 'h', NULL, "describe the command"},
};

const crm_option *crm_option_at(size_t index)
{
    return index < CRM_OPTION_COUNT ? &table[index] : NULL;
}

bool crm_option_applies(const crm_command *command, size_t option)
{
    return (command->options & CRM_TAKES(option)) != 0;
}

/* ---- Describing --------------------------------------------------------------------------- */

void crm_option_tag(const crm_option *option, const char *no_letter, char *text, size_t size)
{
    char letter[8];
    snprintf(letter, sizeof letter, "-%c, ", option->letter);
    snprintf(text, size, "%s--%s%s%s", option->letter != 0 ? letter : no_letter, option->name,
             option->value != NULL ? " " : "", option->value != NULL ? option->value : "");
}

void crm_options_describe(FILE *stream, const crm_command *command)
{
    enum { TEXT_COLUMN = 30 };
    int width = crm_terminal_width(stream);
    for (size_t i = 0; i < CRM_OPTION_COUNT; i++) {
        if (crm_option_applies(command, i)) {
            char tag[CRM_OPTION_TAG];
            crm_option_tag(&table[i], "    ", tag, sizeof tag);
            crm_text_entry(stream, width, tag, TEXT_COLUMN, table[i].text);
        }
    }
}

/* ---- Finding ------------------------------------------------------------------------------ */

/* Among those the command takes: one name may be two options. */
static size_t find_long(const crm_command *command, const char *name, size_t length)
{
    size_t i = 0;
    while (i < CRM_OPTION_COUNT &&
           ((command->options & CRM_TAKES(i)) == 0 || strncmp(table[i].name, name, length) != 0 ||
            table[i].name[length] != '\0')) {
        i++;
    }
    return i;
}

static size_t find_letter(char letter)
{
    size_t i = 0;
    while (i < CRM_OPTION_COUNT && table[i].letter != letter) {
        i++;
    }
    return i;
}

static bool is_field(const char *name)
{
    const crm_block *chain = crm_block_at(CRM_BLOCK_CHAIN);
    size_t i = 0;
    while (i < chain->count && strcmp(chain->fields[i].name, name) != 0) {
        i++;
    }
    return i < chain->count;
}

/* The nearest among those the command takes. */
static int refuse_unknown(const crm_command *command, const char *word)
{
    const char *names[CRM_OPTION_COUNT];
    size_t count = 0;
    char bare[64];
    snprintf(bare, sizeof bare, "%.*s", (int)strcspn(word, "="), word);
    for (size_t i = 0; i < CRM_OPTION_COUNT; i++) {
        if ((command->options & CRM_TAKES(i)) != 0) {
            names[count++] = table[i].name;
        }
    }
    const char *name = bare + strspn(bare, "-");
    if (is_field(name)) {
        return crm_message(
            CRM_EXIT_USAGE,
            "%s: unknown option '%s'; fields of the scenario are set by --set, such as "
            "--set chain.%s=...",
            command->name, bare, name);
    }
    const char *nearest = names[crm_text_nearest(name, names, count)];
    return crm_text_is_near(name, nearest)
               ? crm_message(CRM_EXIT_USAGE, "%s: unknown option '%s'; did you mean '--%s'?",
                             command->name, bare, nearest)
               : crm_message(CRM_EXIT_USAGE, "%s: unknown option '%s'; 'carom help %s' lists them",
                             command->name, bare, command->name);
}

/* ---- Applying ----------------------------------------------------------------------------- */

static int set_format(crm_options *options, const char *value)
{
    static const char *const formats[] = {
        [CRM_FORMAT_TABLE] = "table", [CRM_FORMAT_JSON] = "json", [CRM_FORMAT_CSV] = "csv"};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (strcmp(value, formats[i]) == 0) {
            options->format = (crm_format)i;
            options->format_given = true;
            return CRM_EXIT_DONE;
        }
    }
    return crm_message(CRM_EXIT_USAGE, "--format is '%s'; must be table, json or csv", value);
}

static int refuse_part(const char *word, size_t length)
{
    enum { PARTS_MOST = 64 };
    char part[64];
    const char *names[PARTS_MOST];
    size_t count = 0;
    while (count < PARTS_MOST && crm_table_part_name(count) != NULL) {
        names[count] = crm_table_part_name(count);
        count++;
    }
    snprintf(part, sizeof part, "%.*s", (int)length, word);
    const char *nearest = names[crm_text_nearest(part, names, count)];
    if (crm_text_is_near(part, nearest)) {
        return crm_message(CRM_EXIT_USAGE, "--show: unknown part '%s'; did you mean '%s'?", part,
                           nearest);
    }
    char all[512] = "";
    for (size_t i = 0; i < count; i++) {
        crm_text_append(all, sizeof all, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    return crm_message(CRM_EXIT_USAGE, "--show: unknown part '%s'; must be one of %s", part, all);
}

static int set_show(crm_options *options, const char *value)
{
    for (const char *at = value; at != NULL;) {
        size_t length = strcspn(at, ","), i = 0;
        while (crm_table_part_name(i) != NULL &&
               (strlen(crm_table_part_name(i)) != length ||
                strncmp(crm_table_part_name(i), at, length) != 0)) {
            i++;
        }
        if (crm_table_part_name(i) == NULL) {
            return refuse_part(at, length);
        }
        at = at[length] == ',' ? at + length + 1 : NULL;
    }
    options->show = value;
    return CRM_EXIT_DONE;
}

static int set_rows(crm_options *options, const char *value)
{
    options->rows = value;
    return crm_rows_are_valid(value)
               ? CRM_EXIT_DONE
               : crm_message(
                     CRM_EXIT_USAGE,
                     "--rows is '%s'; must be a list such as 1-5,-1 (rows from 1, the last is "
                     "-1) or names",
                     value);
}

static int set_jobs(crm_options *options, const char *value)
{
    char *end;
    long jobs = strtol(value, &end, 10);
    if (end == value || *end != '\0' || jobs < 1 || jobs > JOBS_MOST) {
        return crm_message(CRM_EXIT_USAGE, "--jobs is '%s'; must be a whole number from 1 to %d",
                           value, JOBS_MOST);
    }
    options->jobs = (unsigned)jobs;
    return CRM_EXIT_DONE;
}

static int set_max_seconds(crm_options *options, const char *value)
{
    char *end;
    options->max_seconds = crm_strtod(value, &end);
    bool good = end != value && *end == '\0' && options->max_seconds > 0;
    return good && isfinite(options->max_seconds)
               ? CRM_EXIT_DONE
               : crm_message(CRM_EXIT_USAGE, "--max-seconds is '%s'; must be a number above 0",
                             value);
}

/* Bytes, or with a letter thousands, millions, ... of them. */
static int set_max_memory(crm_options *options, const char *value)
{
    static const char letters[] = "kMGT";
    char *end;
    double bytes = crm_strtod(value, &end);
    const char *letter = *end != '\0' ? strchr(letters, *end == 'K' ? 'k' : *end) : NULL;
    for (const char *at = letters; letter != NULL && at <= letter; at++) {
        bytes *= 1000;
    }
    bool good = end != value && *(end + (letter != NULL)) == '\0' && bytes > 0 && isfinite(bytes);
    options->max_memory = bytes;
    return good ? CRM_EXIT_DONE
                : crm_message(
                      CRM_EXIT_USAGE,
                      "--max-memory is '%s'; must be a number of bytes above 0, such as 500M "
                      "or 16G",
                      value);
}

static int set_shard(crm_options *options, const char *value)
{
    char *end, *slash;
    long part = strtol(value, &slash, 10), count = 0;
    bool good = slash != value && *slash == '/';
    if (good) {
        count = strtol(slash + 1, &end, 10);
        good =
            end != slash + 1 && *end == '\0' && part >= 1 && part <= count && count <= SHARDS_MOST;
    }
    if (!good) {
        return crm_message(CRM_EXIT_USAGE, "--shard is '%s'; must be I/N, such as 1/4 to 4/4",
                           value);
    }
    options->shard = (size_t)part;
    options->shard_count = (size_t)count;
    return CRM_EXIT_DONE;
}

static bool ends_in(const char *path, const char *ending)
{
    const char *dot = strrchr(path, '.');
    return dot != NULL && strcasecmp(dot, ending) == 0;
}

/* A motion, which is what has checkpoints, may be watched in ParaView. */
static int set_history(const crm_command *command, crm_options *options, const char *value)
{
    bool moves = (command->options & CRM_TAKES(CRM_OPTION_CHECKPOINT)) != 0;
    if (!crm_plugin_is_hdf5(value) && !ends_in(value, ".csv") &&
        !(moves && ends_in(value, ".pvd"))) {
        return crm_message(
            CRM_EXIT_USAGE,
            "--history is '%s'; must be a file that ends in .csv, or in .h5 or .hdf5 for "
            "HDF5%s",
            value, moves ? ", or in .pvd for ParaView" : "");
    }
    options->history = value;
    return CRM_EXIT_DONE;
}

static int set_impacts(crm_options *options, const char *value)
{
    if (!crm_plugin_is_hdf5(value) && !ends_in(value, ".csv")) {
        return crm_message(
            CRM_EXIT_USAGE,
            "--impacts is '%s'; must be a file that ends in .csv, or in .h5 or .hdf5 "
            "for HDF5",
            value);
    }
    options->impacts = value;
    return CRM_EXIT_DONE;
}

static int set_report(crm_options *options, const char *value)
{
    if (!ends_in(value, ".html") && !ends_in(value, ".htm")) {
        return crm_message(CRM_EXIT_USAGE, "--report is '%s'; must be a file that ends in .html",
                           value);
    }
    options->report = value;
    return CRM_EXIT_DONE;
}

static int set_plot(crm_options *options, const char *value)
{
    if (!ends_in(value, ".svg") && !ends_in(value, ".pdf") && !ends_in(value, ".png")) {
        return crm_message(CRM_EXIT_USAGE,
                           "--plot is '%s'; must be a file that ends in .svg, .pdf or .png", value);
    }
    options->plot = value;
    return CRM_EXIT_DONE;
}

static int set_plot_region(crm_options *options, const char *value)
{
    if (ends_in(value, ".csv")) {
        options->plot = value;
        return CRM_EXIT_DONE;
    }
    return set_plot(options, value);
}

static int set_checkpoint_every(crm_options *options, const char *value)
{
    char *end;
    double seconds = crm_strtod(value, &end);
    if (end == value || *end != '\0' || !(seconds >= 0 && seconds <= SECONDS_MOST)) {
        return crm_message(CRM_EXIT_USAGE,
                           "--checkpoint-every is '%s'; must be a number of seconds from 0 to %g",
                           value, SECONDS_MOST);
    }
    options->checkpoint_every = seconds;
    return CRM_EXIT_DONE;
}

static int add_set(crm_options *options, const char *value)
{
    const char *equals = strchr(value, '=');
    if (equals == NULL || equals == value) {
        return crm_message(CRM_EXIT_USAGE,
                           "--set is '%s'; must be PATH=VALUE, such as chain.restitution=0.9",
                           value);
    }
    size_t path = (size_t)(equals - value) + 1;
    for (size_t i = 0; i < options->set_count; i++) {
        if (strncmp(options->sets[i], value, path) == 0) {
            return crm_message(CRM_EXIT_USAGE, "--set gives %.*s twice: '%s' and '%s'",
                               (int)path - 1, value, options->sets[i] + path, value + path);
        }
    }
    options->sets[options->set_count++] = value;
    return CRM_EXIT_DONE;
}

/* One value would be lost. The lists are joined by commas; --set alone may be repeated. */
static int refuse_repeated(size_t which, const char *first, const char *second)
{
    const char *name = table[which].name;
    bool list = table[which].value != NULL && strstr(table[which].value, "[,") != NULL;
    if (list || which == CRM_OPTION_ROWS) {
        return crm_message(CRM_EXIT_USAGE, "--%s is given twice; write --%s %s,%s", name, name,
                           first, second);
    }
    return crm_message(CRM_EXIT_USAGE, "--%s is given twice, '%s' and '%s'; give it once", name,
                       first, second);
}

static int apply(const crm_command *command, crm_options *options, size_t which, const char *value)
{
    switch (which) {
    case CRM_OPTION_LAW:
        options->laws = value;
        return CRM_EXIT_DONE;
    case CRM_OPTION_FORMAT:
        return set_format(options, value);
    case CRM_OPTION_OUTPUT:
        options->output = value;
        return CRM_EXIT_DONE;
    case CRM_OPTION_SET:
        return add_set(options, value);
    case CRM_OPTION_HISTORY:
        return set_history(command, options, value);
    case CRM_OPTION_IMPACTS:
        return set_impacts(options, value);
    case CRM_OPTION_SUMMARY:
        options->summary = true;
        return CRM_EXIT_DONE;
    case CRM_OPTION_SHOW:
        return set_show(options, value);
    case CRM_OPTION_ROWS:
        return set_rows(options, value);
    case CRM_OPTION_JOBS:
        return set_jobs(options, value);
    case CRM_OPTION_MAX_SECONDS:
        return set_max_seconds(options, value);
    case CRM_OPTION_MAX_MEMORY:
        return set_max_memory(options, value);
    case CRM_OPTION_QUIET:
        options->quiet = true;
        return CRM_EXIT_DONE;
    case CRM_OPTION_REPORT:
        return set_report(options, value);
    case CRM_OPTION_LIVE:
        options->live = true;
        return CRM_EXIT_DONE;
    case CRM_OPTION_PLOT:
        return set_plot(options, value);
    case CRM_OPTION_PLOT_REGION:
        return set_plot_region(options, value);
    case CRM_OPTION_PLOT_OF:
    case CRM_OPTION_PLOT_QUANTITY:
    case CRM_OPTION_PLOT_MOTION:
        options->plot_of = value;
        return CRM_EXIT_DONE;
    case CRM_OPTION_RESUME:
        options->resume = true;
        return CRM_EXIT_DONE;
    case CRM_OPTION_CHECKPOINT:
        options->checkpoint = value;
        return CRM_EXIT_DONE;
    case CRM_OPTION_CHECKPOINT_EVERY:
        return set_checkpoint_every(options, value);
    case CRM_OPTION_RESUME_FROM:
        options->resume_from = value;
        return CRM_EXIT_DONE;
    case CRM_OPTION_SHARD:
        return set_shard(options, value);
    default:
        options->help = true;
        return CRM_EXIT_DONE;
    }
}

/* ---- Parsing ------------------------------------------------------------------------------ */

/* One word of the command line that begins with a dash; *at moves on over a value it takes.
 * values[] are those given so far, by option.
 */
static int parse_option(const crm_command *command, int argc, char **argv, int *at,
                        const char **values, crm_options *options)
{
    const char *word = argv[*at];
    bool is_long = word[1] == '-';
    size_t length = strcspn(word, "=");
    size_t which = is_long ? find_long(command, word + 2, length - 2) : find_letter(word[1]);
    if (which == CRM_OPTION_COUNT || (command->options & CRM_TAKES(which)) == 0) {
        return refuse_unknown(command, word);
    }
    const char *attached = is_long ? (word[length] == '=' ? word + length + 1 : NULL)
                                   : (word[2] != '\0' ? word + 2 : NULL);
    if (table[which].value == NULL && attached != NULL) {
        return crm_message(CRM_EXIT_USAGE, "option '--%s' takes no value", table[which].name);
    }
    if (table[which].value == NULL) {
        return apply(command, options, which, NULL);
    }
    if (attached == NULL && *at + 1 >= argc) {
        return crm_message(CRM_EXIT_USAGE, "option '--%s' needs a value: %s", table[which].name,
                           table[which].value);
    }
    *at += attached == NULL;
    const char *value = attached != NULL ? attached : argv[*at], *before = values[which];
    if (before != NULL && which != CRM_OPTION_SET) {
        return refuse_repeated(which, before, value);
    }
    values[which] = value;
    return apply(command, options, which, value);
}

/* -o t.json is written as JSON, unless --format says otherwise. */
static void imply_format(const crm_command *command, crm_options *options)
{
    bool open = (command->options & CRM_TAKES(CRM_OPTION_FORMAT)) != 0 && !options->format_given;
    if (open && options->output != NULL) {
        options->format = ends_in(options->output, ".json")  ? CRM_FORMAT_JSON
                          : ends_in(options->output, ".csv") ? CRM_FORMAT_CSV
                                                             : options->format;
    }
}

int crm_options_parse(const crm_command *command, int argc, char **argv, crm_options *options)
{
    *options = (crm_options){.checkpoint_every = CHECKPOINT_SECONDS};
    options->operands = CRM_NEW(const char *, (size_t)argc);
    options->sets = CRM_NEW(const char *, (size_t)argc);
    if (options->operands == NULL || options->sets == NULL) {
        return crm_message_memory();
    }
    const char *values[CRM_OPTION_COUNT] = {NULL};
    bool only_operands = false;
    int status = CRM_EXIT_DONE;
    for (int i = 0; i < argc && status == CRM_EXIT_DONE; i++) {
        if (!only_operands && strcmp(argv[i], "--") == 0) {
            only_operands = true;
        } else if (!only_operands && argv[i][0] == '-' && argv[i][1] != '\0') {
            status = parse_option(command, argc, argv, &i, values, options);
        } else {
            options->operands[options->operand_count++] = argv[i];
        }
    }
    imply_format(command, options);
    if (status == CRM_EXIT_DONE && options->plot_of != NULL && options->plot == NULL) {
        status = crm_message(CRM_EXIT_USAGE, "--plot-of needs --plot FILE");
    }
    return status;
}

void crm_options_free(crm_options *options)
{
    free(options->operands);
    free(options->sets);
}
