/* Completions for three shells. What is listed (laws, examples, materials) is asked of the program
 * when it is wanted.
 */
#include <string.h>

#include "cli/manual/manual.h"

/* ---- What a word stands for ----------------------------------------------------------------- */

typedef enum wants { WANTS_NOTHING, WANTS_FILE, WANTS_LAWS, WANTS_CHOICE, WANTS_LISTED } wants;

static wants wants_of_option(const crm_option *o)
{
    return o->value == NULL                     ? WANTS_NOTHING
           : strncmp(o->value, "FILE", 4) == 0  ? WANTS_FILE
           : strncmp(o->value, "NAME[", 5) == 0 ? WANTS_LAWS
           : strchr(o->value, '|') != NULL      ? WANTS_CHOICE
                                                : WANTS_NOTHING;
}

static wants wants_of_command(const crm_command *command)
{
    return command->operands[0] == '\0'             ? WANTS_NOTHING
           : strcmp(command->operands, "FILE") == 0 ? WANTS_FILE
                                                    : WANTS_LISTED;
}

/* "table|json|csv" as words. */
static void print_choices(FILE *stream, const char *choices)
{
    for (; *choices != '\0'; choices++) {
        fputc(*choices == '|' ? ' ' : *choices, stream);
    }
}

/* Nothing in a quoted text ends it. */
static void print_quoted(FILE *stream, const char *text, const char *escaped)
{
    for (; *text != '\0'; text++) {
        if (*text == '\'') {
            fputs("'\\''", stream);
        } else {
            if (strchr(escaped, *text) != NULL) {
                fputc('\\', stream);
            }
            fputc(*text, stream);
        }
    }
}

/* The first words of the lines of a list: at most two blanks, a name, at least two blanks. */
static const char LIST[] =
    "sed -n 's/^ \\{0,2\\}\\([A-Za-z][A-Za-z0-9_.-]*\\)\\(\\[\\]\\)\\{0,1\\}  .*/\\1/p'";

/* ---- bash ----------------------------------------------------------------------------------- */

static void print_flags(FILE *stream, const crm_command *command)
{
    for (size_t i = 0; i < CRM_OPTION_COUNT; i++) {
        if (crm_option_applies(command, i)) {
            fprintf(stream, " --%s", crm_option_at(i)->name);
        }
    }
}

static void print_bash_value(FILE *stream, const crm_option *o)
{
    static const char *const given[] = {
        [WANTS_NOTHING] = "",
        [WANTS_FILE] = "COMPREPLY=($(compgen -f -- \"$word\")); ",
        [WANTS_LAWS] =
            "COMPREPLY=($(compgen -P \"${word%\"${word##*,}\"}\" -W \"$(_carom_list laws)\" "
            "-- \"${word##*,}\")); ",
    };
    wants what = wants_of_option(o);
    fputs("        ", stream);
    if (o->letter != 0) {
        fprintf(stream, "-%c | ", o->letter);
    }
    fprintf(stream, "--%s) ", o->name);
    if (what == WANTS_CHOICE) {
        fputs("COMPREPLY=($(compgen -W '", stream);
        print_choices(stream, o->value);
        fputs("' -- \"$word\")); ", stream);
    } else {
        fputs(given[what], stream);
    }
    fputs("return ;;\n", stream);
}

static void print_bash_options(FILE *stream, const crm_command *command)
{
    fprintf(stream, "    %s)\n        case $before in\n", command->name);
    for (size_t i = 0; i < CRM_OPTION_COUNT; i++) {
        if (crm_option_applies(command, i) && crm_option_at(i)->value != NULL) {
            print_bash_value(stream, crm_option_at(i));
        }
    }
    fputs("        esac\n        options='", stream);
    print_flags(stream, command);
    fputs("' ", stream);
    static const char *const operands[] = {[WANTS_NOTHING] = "names=", [WANTS_FILE] = "files=yes"};
    if (wants_of_command(command) == WANTS_LISTED) {
        fprintf(stream, "names=$(_carom_list %s)", command->name);
    } else {
        fputs(operands[wants_of_command(command)], stream);
    }
    fputs("\n        ;;\n", stream);
}

void crm_manual_complete_bash(FILE *stream)
{
    fprintf(stream,
            "# bash completion for carom\n"
            "_carom_list() { carom \"$1\" 2>/dev/null | %s; }\n\n"
            "_carom() {\n"
            "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
            "    local options= names= files=\n"
            "    COMPREPLY=()\n"
            "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
            "        COMPREPLY=($(compgen -W '",
            LIST);
    for (size_t i = 0; crm_command_at(i) != NULL; i++) {
        fprintf(stream, "%s ", crm_command_at(i)->name);
    }
    fputs("' -- \"$word\"))\n        return\n    fi\n    case ${COMP_WORDS[1]} in\n", stream);
    for (size_t i = 0; crm_command_at(i) != NULL; i++) {
        print_bash_options(stream, crm_command_at(i));
    }
    fputs("    esac\n"
          "    case $word in\n"
          "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
          "    *)\n"
          "        COMPREPLY=($(compgen -W \"$names\" -- \"$word\"))\n"
          "        [ -z \"$files\" ] || COMPREPLY=($(compgen -f -- \"$word\"))\n"
          "        ;;\n"
          "    esac\n"
          "}\n\n"
          "complete -o filenames -F _carom carom\n",
          stream);
}

/* ---- zsh ------------------------------------------------------------------------------------ */

static void print_zsh_value(FILE *stream, const crm_option *o)
{
    static const char *const given[] = {[WANTS_NOTHING] = ": ",
                                        [WANTS_FILE] = ":file:_files",
                                        [WANTS_LAWS] = ":law:_carom_list laws"};
    if (o->value == NULL) {
        return;
    }
    if (wants_of_option(o) == WANTS_CHOICE) {
        fputs(":choice:(", stream);
        print_choices(stream, o->value);
        fputc(')', stream);
    } else {
        fputs(given[wants_of_option(o)], stream);
    }
}

static void print_zsh_option(FILE *stream, const crm_option *o)
{
    char letter[2] = {o->letter, '\0'};
    for (int form = o->letter != 0 ? 0 : 1; form < 2; form++) {
        fprintf(stream, " \\\n            '*%s%s[", form == 0 ? "-" : "--",
                form == 0 ? letter : o->name);
        print_quoted(stream, o->text, "[]:\\");
        fputc(']', stream);
        print_zsh_value(stream, o);
        fputc('\'', stream);
    }
}

static void print_zsh_command(FILE *stream, const crm_command *command)
{
    fprintf(stream, "    %s)\n        _arguments", command->name);
    for (size_t i = 0; i < CRM_OPTION_COUNT; i++) {
        if (crm_option_applies(command, i)) {
            print_zsh_option(stream, crm_option_at(i));
        }
    }
    if (wants_of_command(command) == WANTS_FILE) {
        fputs(" \\\n            '*:file:_files'", stream);
    } else if (wants_of_command(command) == WANTS_LISTED) {
        fprintf(stream, " \\\n            '*:name:_carom_list %s'", command->name);
    }
    fputs("\n        ;;\n", stream);
}

void crm_manual_complete_zsh(FILE *stream)
{
    fprintf(stream,
            "#compdef carom\n\n"
            "_carom_list() {\n"
            "    local -a names\n"
            "    names=(${(f)\"$(carom $1 2>/dev/null | %s)\"})\n"
            "    compadd -a names\n"
            "}\n\n"
            "_carom() {\n"
            "    local -a commands\n"
            "    commands=(",
            LIST);
    for (size_t i = 0; crm_command_at(i) != NULL; i++) {
        fprintf(stream, "\n        '%s:", crm_command_at(i)->name);
        print_quoted(stream, crm_command_at(i)->summary, ":\\");
        fputc('\'', stream);
    }
    fputs(")\n"
          "    if (( CURRENT == 2 )); then\n"
          "        _describe command commands\n"
          "        return\n"
          "    fi\n"
          "    local command=$words[2]\n"
          "    shift words\n"
          "    (( CURRENT-- ))\n"
          "    case $command in\n",
          stream);
    for (size_t i = 0; crm_command_at(i) != NULL; i++) {
        print_zsh_command(stream, crm_command_at(i));
    }
    fputs("    esac\n}\n\n_carom \"$@\"\n", stream);
}

/* ---- fish ----------------------------------------------------------------------------------- */

static void print_fish_option(FILE *stream, const crm_command *command, const crm_option *o)
{
    fprintf(stream, "complete -c carom -n '__fish_seen_subcommand_from %s'", command->name);
    if (o->letter != 0) {
        fprintf(stream, " -s %c", o->letter);
    }
    fprintf(stream, " -l %s", o->name);
    wants what = wants_of_option(o);
    if (what == WANTS_FILE) {
        fputs(" -rF", stream);
    } else if (what == WANTS_LAWS) {
        fputs(" -xa '(__carom_list laws)'", stream);
    } else if (what == WANTS_CHOICE) {
        fputs(" -xa '", stream);
        print_choices(stream, o->value);
        fputc('\'', stream);
    } else if (o->value != NULL) {
        fputs(" -x", stream);
    }
    fputs(" -d '", stream);
    print_quoted(stream, o->text, "");
    fputs("'\n", stream);
}

static void print_fish_command(FILE *stream, const crm_command *command)
{
    fprintf(stream, "\ncomplete -c carom -n __fish_use_subcommand -fa %s -d '", command->name);
    print_quoted(stream, command->summary, "");
    fputs("'\n", stream);
    for (size_t i = 0; i < CRM_OPTION_COUNT; i++) {
        if (crm_option_applies(command, i)) {
            print_fish_option(stream, command, crm_option_at(i));
        }
    }
    wants what = wants_of_command(command);
    if (what != WANTS_FILE) {
        fprintf(stream, "complete -c carom -n '__fish_seen_subcommand_from %s' -f", command->name);
        if (what == WANTS_LISTED) {
            fprintf(stream, "a '(__carom_list %s)'", command->name);
        }
        fputc('\n', stream);
    }
}

void crm_manual_complete_fish(FILE *stream)
{
    fprintf(stream,
            "# fish completion for carom\n"
            "function __carom_list\n    carom $argv[1] 2>/dev/null | %s\nend\n",
            LIST);
    for (size_t i = 0; crm_command_at(i) != NULL; i++) {
        print_fish_command(stream, crm_command_at(i));
    }
}
