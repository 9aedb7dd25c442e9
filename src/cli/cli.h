/* The command line: the only part that prints, exits and reads the environment. */
#ifndef CRM_CLI_H
#define CRM_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/file/output.h"
#include "cli/terminal/message.h"
#include "report/report.h"
#include "scenario/block/blocks.h"

/* Exit statuses, which scripts rely on. */
enum {
    CRM_EXIT_DONE = 0,
    CRM_EXIT_USAGE = 2,
    CRM_EXIT_SCENARIO = 3,
    CRM_EXIT_NO_ANSWER = 4,
    CRM_EXIT_WRITE = 5,
    CRM_EXIT_MEMORY = 6,
    CRM_EXIT_INTERRUPTED = 130
};

/* An exit status and its description; NULL past the end. */
typedef struct crm_exit {
    int status;
    const char *text;
} crm_exit;

const crm_exit *crm_help_exit_at(size_t index);

typedef enum crm_format { CRM_FORMAT_TABLE, CRM_FORMAT_JSON, CRM_FORMAT_CSV } crm_format;

typedef enum crm_option_name {
    CRM_OPTION_LAW,
    CRM_OPTION_FORMAT,
    CRM_OPTION_OUTPUT,
    CRM_OPTION_SET,
    CRM_OPTION_HISTORY,
    CRM_OPTION_IMPACTS,
    CRM_OPTION_SUMMARY,
    CRM_OPTION_SHOW,
    CRM_OPTION_ROWS,
    CRM_OPTION_JOBS,
    CRM_OPTION_MAX_SECONDS,
    CRM_OPTION_MAX_MEMORY,
    CRM_OPTION_QUIET,
    CRM_OPTION_REPORT,
    CRM_OPTION_LIVE,
    CRM_OPTION_PLOT,
    CRM_OPTION_PLOT_REGION,
    CRM_OPTION_PLOT_OF,
    CRM_OPTION_PLOT_QUANTITY,
    CRM_OPTION_PLOT_MOTION,
    CRM_OPTION_RESUME,
    CRM_OPTION_CHECKPOINT,
    CRM_OPTION_CHECKPOINT_EVERY,
    CRM_OPTION_RESUME_FROM,
    CRM_OPTION_SHARD,
    CRM_OPTION_HELP,
    CRM_OPTION_COUNT
} crm_option_name;

#define CRM_TAKES(option) (1u << (option))

typedef struct crm_options {
    const char **operands; /* arguments that are not options: FILE, NAME */
    size_t operand_count;
    const char *laws; /* NULL: those of the file */
    crm_format format;
    bool format_given;
    const char *output;  /* NULL: standard output */
    const char *history; /* NULL: none; ends in .csv, .h5 or .hdf5, of a motion also in .pvd */
    const char *impacts; /* NULL: none; ends in .csv, .h5 or .hdf5 */
    const char *report;  /* NULL: none; ends in .html */
    bool live;           /* the page solves again */
    const char *plot;    /* NULL: none; ends in .svg, .pdf or .png */
    const char *plot_of; /* what it shows; NULL: the usual */
    const char *checkpoint, *resume_from; /* NULL: none */
    double checkpoint_every;              /* seconds */
    const char **sets;
    size_t set_count;
    bool summary;
    const char *show, *rows; /* NULL: the default selection */
    unsigned jobs;           /* 0: not given */
    double max_seconds;      /* 0: any time */
    double max_memory;       /* bytes; 0: not given */
    bool resume;
    size_t shard, shard_count; /* from 1; 0 of 0: all */
    bool quiet;
    bool help;
} crm_options;

typedef struct crm_command {
    const char *name;
    const char *operands;                   /* for the usage line: "FILE" */
    const char *summary;                    /* one line */
    const char *text;                       /* a paragraph for `carom help COMMAND` */
    unsigned options;                       /* CRM_TAKES(...) | ... */
    size_t least, most;                     /* operands */
    int (*run)(const crm_options *options); /* returns the exit status */
} crm_command;

/* Runs the program; returns the exit status. */
int crm_cli(int argc, char **argv);

/* ---- Commands ----------------------------------------------------------------------------- */

const crm_command *crm_command_find(const char *name); /* NULL: none */
const crm_command *crm_command_at(size_t index);       /* NULL past the end */

int crm_cli_solve(const crm_options *options);
int crm_cli_check(const crm_options *options);
int crm_cli_laws(const crm_options *options);
int crm_cli_materials(const crm_options *options);
int crm_cli_fields(const crm_options *options);
int crm_cli_examples(const crm_options *options);
int crm_cli_init(const crm_options *options);
int crm_cli_simulate(const crm_options *options);
int crm_cli_sweep(const crm_options *options);
int crm_cli_sensitivity(const crm_options *options);
int crm_cli_fit(const crm_options *options);
int crm_cli_design(const crm_options *options);
int crm_cli_admissible(const crm_options *options);
int crm_cli_reproduce(const crm_options *options);
int crm_cli_help(const crm_options *options);
int crm_cli_version(const crm_options *options);

/* ---- Options ------------------------------------------------------------------------------ */

typedef struct crm_option {
    const char *name;  /* without the dashes */
    char letter;       /* 0: none */
    const char *value; /* describes its value; NULL: it takes none */
    const char *text;
} crm_option;

const crm_option *crm_option_at(size_t index); /* by crm_option_name; NULL past the end */

/* Arguments after the command. The arrays of *options are to be freed by crm_options_free. */
int crm_options_parse(const crm_command *command, int argc, char **argv, crm_options *options);
void crm_options_free(crm_options *options);
bool crm_option_applies(const crm_command *command, size_t option);
/* "-o, --output FILE"; one without a letter has `no_letter` in its place. */
enum { CRM_OPTION_TAG = 128 };
void crm_option_tag(const crm_option *option, const char *no_letter, char *text, size_t size);
/* "  -o, --output FILE   write to FILE ..." for those the command takes. */
void crm_options_describe(FILE *stream, const crm_command *command);

/* ---- Help ------------------------------------------------------------------------------------ */

void crm_help_print(FILE *stream);
void crm_help_print_command(FILE *stream, const crm_command *command);
/* "a number, from 1e-60 to 1e60, in kg": the type of a scenario's field. */
void crm_fields_add_type(const crm_field *field, char *text, size_t size); /* appended */

/* ---- Output ------------------------------------------------------------------------------- */

/* Colour and bars only on a terminal, unless the environment declines them; as wide as the
 * terminal.
 */
crm_style crm_style_of_output(const crm_output *output);
bool crm_terminal_shows(FILE *stream); /* standard output or error, on a terminal */
int crm_terminal_height(FILE *stream); /* lines of the terminal; 0: none, or not known */
int crm_terminal_width(FILE *stream);  /* columns for running text */

/* No input may be overwritten, and no two results may go to one file, under whatever names. Returns
 * an exit status, after printing which.
 */
int crm_names_check(const crm_options *options);
bool crm_names_same(const char *a, const char *b); /* one regular file, there or not yet */

#endif
