#include "cli/cli.h"

#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "base/locale.h"
#include "base/text.h"
#include "cli/limits.h"

/* ---- The commands ------------------------------------------------------------------------- */

/* The options of every command that reads a scenario. */
enum {
    LIMITED = CRM_TAKES(CRM_OPTION_MAX_SECONDS) | CRM_TAKES(CRM_OPTION_MAX_MEMORY),
    READS_SCENARIO = LIMITED | CRM_TAKES(CRM_OPTION_LAW) | CRM_TAKES(CRM_OPTION_SET) |
                     CRM_TAKES(CRM_OPTION_OUTPUT) | CRM_TAKES(CRM_OPTION_QUIET) |
                     CRM_TAKES(CRM_OPTION_HELP)
};

static const crm_command commands[] = {
    {.name = "solve",
     .operands = "FILE",
     .summary = "one multiple impact, by one or several laws side by side",
     .text = "Reads a scenario (YAML or JSON) and gives, for each law, the velocities after the "
             "impact, the impulses, where the energy went, and whether the answer keeps to the "
             "laws of mechanics. FILE - is standard input.",
     .options = READS_SCENARIO | CRM_TAKES(CRM_OPTION_FORMAT) | CRM_TAKES(CRM_OPTION_HISTORY) |
                CRM_TAKES(CRM_OPTION_SUMMARY) | CRM_TAKES(CRM_OPTION_SHOW) |
                CRM_TAKES(CRM_OPTION_ROWS) | CRM_TAKES(CRM_OPTION_JOBS) |
                CRM_TAKES(CRM_OPTION_REPORT) | CRM_TAKES(CRM_OPTION_PLOT) |
                CRM_TAKES(CRM_OPTION_PLOT_OF),
     .least = 1,
     .most = 1,
     .run = crm_cli_solve},
    {.name = "check",
     .operands = "FILE",
     .summary = "say what a scenario was understood to be, compute nothing",
     .text = "Shows bodies and masses, contacts with their stiffness K, exponent eta and "
             "restitution e, what nearly touches, the kinetic angles between contacts that share a "
             "body, and the rank of the Delassus matrix D; of a motion, a study, a fit or a "
             "design what they would go through. What solve, simulate, sweep, sensitivity, fit or "
             "design would refuse is refused.",
     .options = READS_SCENARIO | CRM_TAKES(CRM_OPTION_ROWS) | CRM_TAKES(CRM_OPTION_FORMAT),
     .least = 1,
     .most = 1,
     .run = crm_cli_check},
    {.name = "laws",
     .operands = "[NAME]",
     .summary = "the impact laws: what each assumes, its parameters, its reference",
     .text = "Without a name: a list. With one: everything about that law.",
     .options = CRM_TAKES(CRM_OPTION_HELP),
     .most = 1,
     .run = crm_cli_laws},
    {.name = "materials",
     .operands = "[NAME]",
     .summary = "materials that a scenario can name: their values and where they come from",
     .text = "Without a name: a list. With one: its values as a scenario would give them, to be "
             "changed there, and their source. A material of the same name in the scenario comes "
             "first.",
     .options = CRM_TAKES(CRM_OPTION_HELP),
     .most = 1,
     .run = crm_cli_materials},
    {.name = "fields",
     .operands = "[BLOCK]",
     .summary = "the fields of a scenario and of an outcome, and their meaning",
     .text = "Without a block: a list of the blocks. With one, such as chain or bodies: its "
             "fields, what "
             "they take and their defaults; with outcome, what there is to record. "
             "docs/scenario.md and docs/sweep.md have them too.",
     .options = CRM_TAKES(CRM_OPTION_HELP),
     .most = 1,
     .run = crm_cli_fields},
    {.name = "examples",
     .operands = "[NAME]",
     .summary = "scenarios to start from, and what each of them is for",
     .text = "Without a name: a list, and where the files are. With one: the scenario itself, to "
             "read, or to keep and change with -o FILE.",
     .options = CRM_TAKES(CRM_OPTION_OUTPUT) | CRM_TAKES(CRM_OPTION_HELP),
     .most = 1,
     .run = crm_cli_examples},
    {.name = "init",
     .operands = "[KIND]",
     .summary = "a commented scenario of a kind: chain, bodies, packing, system, simulate, sweep",
     .text = "Prints a short scenario that can be solved as it is, with a comment for what one "
             "would change first; -o FILE keeps it. Without a kind: a list of them.",
     .options = CRM_TAKES(CRM_OPTION_OUTPUT) | CRM_TAKES(CRM_OPTION_HELP),
     .most = 1,
     .run = crm_cli_init},
    {.name = "simulate",
     .operands = "FILE",
     .summary = "motion in time with impacts",
     .text = "Lets the bodies of a scenario fly, bounce, rest and collide for the time that its "
             "'simulate' block names; a law resolves every impact (--law: one). Tells how long "
             "and how often, where the energy went, and where things are at the end. --history "
             "writes states in time, --impacts a row for every impact, --report a page that shows "
             "the motion. When interrupted, what there is so far is written (exit status 130); "
             "with --checkpoint the run can go on later by --resume. docs/simulate.md has "
             "examples, docs/scenario.md the fields.",
     .options = READS_SCENARIO | CRM_TAKES(CRM_OPTION_FORMAT) | CRM_TAKES(CRM_OPTION_HISTORY) |
                CRM_TAKES(CRM_OPTION_IMPACTS) | CRM_TAKES(CRM_OPTION_CHECKPOINT) |
                CRM_TAKES(CRM_OPTION_CHECKPOINT_EVERY) | CRM_TAKES(CRM_OPTION_RESUME_FROM) |
                CRM_TAKES(CRM_OPTION_SUMMARY) | CRM_TAKES(CRM_OPTION_ROWS) |
                CRM_TAKES(CRM_OPTION_REPORT) | CRM_TAKES(CRM_OPTION_PLOT) |
                CRM_TAKES(CRM_OPTION_PLOT_MOTION),
     .least = 1,
     .most = 1,
     .run = crm_cli_simulate},
    {.name = "sweep",
     .operands = "FILE",
     .summary = "a parameter study: every point of a grid, every law",
     .text = "Solves the scenario again and again with the fields of its 'sweep' block set to "
             "other values: lists, ranges, or random draws. Gives a table (CSV; HDF5 with -o "
             "FILE.h5) with one row per point and law, in the same order and to the same bit for "
             "any number of jobs. A point that fails is a row with its reason. With -o, finished "
             "points are kept in FILE.part until the table is whole, so that an interrupted study "
             "goes on with --resume. Under mpirun the work is spread over the ranks. docs/sweep.md "
             "has examples.",
     .options = READS_SCENARIO | CRM_TAKES(CRM_OPTION_JOBS) | CRM_TAKES(CRM_OPTION_RESUME) |
                CRM_TAKES(CRM_OPTION_SHARD) | CRM_TAKES(CRM_OPTION_REPORT) |
                CRM_TAKES(CRM_OPTION_PLOT) | CRM_TAKES(CRM_OPTION_PLOT_QUANTITY),
     .least = 1,
     .most = 1,
     .run = crm_cli_sweep},
    {.name = "sensitivity",
     .operands = "FILE",
     .summary = "how outcomes change with the fields of a scenario: derivatives",
     .text = "Gives the derivative of every quantity that the scenario's 'sensitivity' block lists "
             "to every field that it lists, by the first law of the scenario or the one of --law. "
             "With 'uncertainty' also what uncertain fields make of every quantity: to first "
             "order, by the derivatives, and beside it by random draws, and where the two "
             "disagree. docs/inverse.md has examples.",
     .options = READS_SCENARIO | CRM_TAKES(CRM_OPTION_FORMAT),
     .least = 1,
     .most = 1,
     .run = crm_cli_sensitivity},
    {.name = "fit",
     .operands = "FILE",
     .summary = "parameters from measured outcomes",
     .text = "Finds the values of the fields that the scenario's 'fit' block lists, within their "
             "bounds, that come nearest to what was measured: least squares, each in its "
             "uncertainty, by the first law of the scenario or the one of --law. Gives their "
             "uncertainties, 95 % intervals and correlations, and says which of them the data "
             "cannot determine. Exit status 4: it came to no minimum. docs/inverse.md has "
             "examples.",
     .options = READS_SCENARIO | CRM_TAKES(CRM_OPTION_FORMAT) | CRM_TAKES(CRM_OPTION_REPORT),
     .least = 1,
     .most = 1,
     .run = crm_cli_fit},
    {.name = "design",
     .operands = "FILE",
     .summary = "the fields that make a quantity largest or least",
     .text = "Looks for the values of the fields that the scenario's 'design' block lists, within "
             "their bounds and linear rules such as sum(chain.mass) = 20, that make a quantity "
             "largest or least, from several starts; by the first law of the scenario or the one "
             "of --law. Says how much better it is than the scenario as it stands. -o FILE.yaml "
             "writes the scenario with the best values, to be solved; the report goes to standard "
             "output. Needs NLopt. docs/inverse.md has examples.",
     .options = READS_SCENARIO | CRM_TAKES(CRM_OPTION_FORMAT),
     .least = 1,
     .most = 1,
     .run = crm_cli_design},
    {.name = "reproduce",
     .operands = "[NAME...]",
     .summary = "published tables and figures, printed beside ours",
     .text =
         "Computes what the papers print and sets it beside the printed values, with the "
         "deviation and a verdict: matches (ours rounds to what is printed), erratum (it "
         "differs for a reason that is given), deviates. Without a name: a list of the items. "
         "'all' stands for every item, 'quick' for those that take a moment, P1 or P1-table for "
         "those of a paper; a file that ends in .yaml is an item of your own. Up to four items "
         "are shown in full, more by a line each. -o FILE.md writes markdown, as "
         "docs/record.md is made. Items are looked for in the directory that CAROM_REPRODUCE "
         "names, else where carom is installed or was built. Exit status 4: something "
         "deviates.",
     .options = LIMITED | CRM_TAKES(CRM_OPTION_FORMAT) | CRM_TAKES(CRM_OPTION_OUTPUT) |
                CRM_TAKES(CRM_OPTION_JOBS) | CRM_TAKES(CRM_OPTION_QUIET) |
                CRM_TAKES(CRM_OPTION_HELP) | CRM_TAKES(CRM_OPTION_REPORT),
     .most = SIZE_MAX,
     .run = crm_cli_reproduce},
    {.name = "help",
     .operands = "[COMMAND]",
     .summary = "this overview, or all about one command",
     .text = "Without a command: an overview.",
     .options = CRM_TAKES(CRM_OPTION_HELP),
     .most = 1,
     .run = crm_cli_help},
    {.name = "version",
     .operands = "",
     .summary = "the version of carom, and its optional parts",
     .text = "Prints the version, and which optional parts this carom has, as --version does.",
     .options = CRM_TAKES(CRM_OPTION_HELP),
     .run = crm_cli_version},
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

const crm_command *crm_command_at(size_t index)
{
    return index < COMMANDS ? &commands[index] : NULL;
}

const crm_command *crm_command_find(const char *name)
{
    for (size_t i = 0; i < COMMANDS; i++) {
        if (strcmp(commands[i].name, name) == 0) {
            return &commands[i];
        }
    }
    return NULL;
}

/* ---- Running one -------------------------------------------------------------------------- */

void crm_message_line(const char *text)
{
    char piece[CRM_ESCAPE_SIZE];
    while (*text != '\0') {
        text += crm_text_escape(text, piece);
        fputs(piece, stderr);
    }
    fputc('\n', stderr);
}

int crm_message(int status, const char *format, ...)
{
    char text[4096];
    va_list arguments;
    va_start(arguments, format);
    crm_vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fputs("carom: ", stderr);
    crm_message_line(text);
    return status;
}

int crm_message_unknown(const char *what, const char *word, const char *const *names, size_t count,
                        const char *list)
{
    const char *nearest = count > 0 ? names[crm_text_nearest(word, names, count)] : "";
    return count > 0 && crm_text_is_near(word, nearest)
               ? crm_message(CRM_EXIT_USAGE, "%s '%s'; did you mean '%s'? ('%s' lists all)", what,
                             word, nearest, list)
               : crm_message(CRM_EXIT_USAGE, "%s '%s'; '%s' lists all", what, word, list);
}

int crm_message_memory(void)
{
    return crm_message(CRM_EXIT_MEMORY, "out of memory");
}

int crm_message_error(int status, const crm_error *error)
{
    return crm_message(error->status == CRM_ERROR_MEMORY ? CRM_EXIT_MEMORY : status, "%s",
                       error->message);
}

int crm_message_read_error(int status, const crm_read_error *error)
{
    crm_message_line(error->text);
    for (const char *line = error->more; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        fprintf(stderr, "%.*s\n", (int)length, line); /* nothing is hidden in it */
        line += length + (line[length] != '\0');
    }
    return error->status == CRM_ERROR_MEMORY ? CRM_EXIT_MEMORY : status;
}

static bool looks_like_file(const char *text)
{
    const char *dot = strrchr(text, '.');
    return strcmp(text, "-") == 0 ||
           (dot != NULL &&
            (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0 || strcmp(dot, ".json") == 0));
}

static int refuse_command(const char *name)
{
    if (looks_like_file(name)) {
        return crm_message(CRM_EXIT_USAGE, "'%s' is no command; did you mean 'carom solve %s'?",
                           name, name);
    }
    const char *names[COMMANDS], *what = name[0] == '-' ? "unknown option" : "unknown command";
    size_t count = 0;
    for (size_t i = 0; i < COMMANDS; i++) {
        if (commands[i].run != NULL) {
            names[count++] = commands[i].name;
        }
    }
    return crm_message_unknown(what, name, names, count, "carom help");
}

static int check_operands(const crm_command *command, const crm_options *options)
{
    if (options->operand_count < command->least) {
        return crm_message(CRM_EXIT_USAGE, "%s needs %s; see 'carom help %s'", command->name,
                           command->operands, command->name);
    }
    if (options->operand_count > command->most) {
        return crm_message(CRM_EXIT_USAGE, "%s: unexpected '%s'; usage: carom %s [OPTION...] %s",
                           command->name, options->operands[command->most], command->name,
                           command->operands);
    }
    return CRM_EXIT_DONE;
}

static int run_command(const crm_command *command, int argc, char **argv)
{
    if (command->run == NULL) {
        return crm_message(CRM_EXIT_USAGE, "command '%s' is not available yet", command->name);
    }
    crm_options options;
    int status = crm_options_parse(command, argc, argv, &options);
    if (status == CRM_EXIT_DONE && options.help) {
        crm_help_print_command(stdout, command);
    } else {
        status = status == CRM_EXIT_DONE ? check_operands(command, &options) : status;
        status = status == CRM_EXIT_DONE ? crm_names_check(&options) : status;
        crm_limits_begin(&options);
        status = status == CRM_EXIT_DONE ? command->run(&options) : status;
    }
    crm_limits_end();
    crm_options_free(&options);
    return status;
}

/* What went to standard output may still be in a buffer, and the disk may be full. */
static int finish(int status)
{
    bool failed = ferror(stdout) != 0;
    failed = fflush(stdout) != 0 || failed;
    if (failed && status != CRM_EXIT_WRITE) {
        return crm_message(CRM_EXIT_WRITE, "standard output could not be written");
    }
    return status;
}

/* A file that is opened while standard output is closed would get its number, and what is printed.
 * In its place comes one that refuses; what is said on a closed standard error goes nowhere.
 */
static void fill_closed_streams(void)
{
    static const int modes[] = {
        [STDIN_FILENO] = O_WRONLY, [STDOUT_FILENO] = O_RDONLY, [STDERR_FILENO] = O_WRONLY};
    for (int number = STDIN_FILENO; number <= STDERR_FILENO; number++) {
        if (fcntl(number, F_GETFD) < 0) {
            (void)!open("/dev/null", modes[number]); /* the least number is taken */
        }
    }
}

/* --help and --version stand for the commands of that name. */
static const char *command_name(const char *word)
{
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        return "help";
    }
    return strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0 ? "version" : word;
}

int crm_cli(int argc, char **argv)
{
    fill_closed_streams();
    if (argc < 2) {
        crm_help_print(stderr);
        return CRM_EXIT_USAGE;
    }
    const char *name = command_name(argv[1]);
    const crm_command *command = crm_command_find(name);
    if (command == NULL) {
        return refuse_command(name);
    }
    crm_interrupt_install();
    return finish(run_command(command, argc - 2, argv + 2));
}
