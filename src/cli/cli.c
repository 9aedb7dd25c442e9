#include "cli/cli.h"

#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "base/locale.h"
#include "base/text.h"
#include "cli/limits.h"

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
        return crm_message(CRM_EXIT_USAGE, "'%s' is not a command; did you mean 'carom solve %s'?",
                           name, name);
    }
    enum { NAMES_MOST = 64 };
    const char *names[NAMES_MOST], *what = name[0] == '-' ? "unknown option" : "unknown command";
    size_t count = 0;
    for (; count < NAMES_MOST && crm_command_at(count) != NULL; count++) {
        names[count] = crm_command_at(count)->name;
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

/* Output may still be buffered, and the disk may be full. */
static int finish(int status)
{
    bool failed = ferror(stdout) != 0;
    failed = fflush(stdout) != 0 || failed;
    if (failed && status != CRM_EXIT_WRITE) {
        return crm_message(CRM_EXIT_WRITE, "standard output could not be written");
    }
    return status;
}

/* A file that is opened while standard output is closed would get its descriptor, and the output.
 * /dev/null takes the place of a closed stream: writing to standard output fails, messages go
 * nowhere.
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
