/* The commands: names, texts for help and man pages, options. */
#include <stdint.h>
#include <string.h>

#include "cli/cli.h"

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
     .summary = "solve one multiple impact by one or several laws, side by side",
     .text = "Reads a scenario (YAML or JSON) and gives, for each law, the velocities after the "
             "impact, the impulses, where the energy went, and whether the outcome is consistent "
             "with mechanics. FILE may be - for standard input.",
     .options = READS_SCENARIO | CRM_TAKES(CRM_OPTION_FORMAT) | CRM_TAKES(CRM_OPTION_HISTORY) |
                CRM_TAKES(CRM_OPTION_SUMMARY) | CRM_TAKES(CRM_OPTION_SHOW) |
                CRM_TAKES(CRM_OPTION_ROWS) | CRM_TAKES(CRM_OPTION_JOBS) |
                CRM_TAKES(CRM_OPTION_REPORT) | CRM_TAKES(CRM_OPTION_LIVE) |
                CRM_TAKES(CRM_OPTION_PLOT) | CRM_TAKES(CRM_OPTION_PLOT_OF),
     .least = 1,
     .most = 1,
     .run = crm_cli_solve},
    {.name = "check",
     .operands = "FILE",
     .summary = "show how a scenario was read, without computing anything",
     .text =
         "Shows bodies and masses, contacts with their stiffness K, exponent eta and "
         "restitution e, pairs that nearly touch, the kinetic angles between contacts that share a "
         "body, and the rank of the Delassus matrix D; for a motion, study, fit or design also "
         "what it would compute. Reports the errors that solve, simulate, sweep, sensitivity, fit, "
         "design or admissible would report. A law that does not apply is named, with the reason, "
         "and the others continue (exit status 4).",
     .options = READS_SCENARIO | CRM_TAKES(CRM_OPTION_ROWS) | CRM_TAKES(CRM_OPTION_FORMAT),
     .least = 1,
     .most = 1,
     .run = crm_cli_check},
    {.name = "laws",
     .operands = "[NAME]",
     .summary = "list the impact laws, or describe one: assumptions, parameters, reference",
     .text = "Without NAME, lists the laws; with NAME, describes that law in full.",
     .options = CRM_TAKES(CRM_OPTION_HELP),
     .most = 1,
     .run = crm_cli_laws},
    {.name = "materials",
     .operands = "[NAME]",
     .summary = "list the built-in materials, or show the values and source of one",
     .text =
         "Without NAME, lists the materials; with NAME, prints its values as a scenario would give "
         "them, and their source. A material of the same name in the scenario takes precedence.",
     .options = CRM_TAKES(CRM_OPTION_HELP),
     .most = 1,
     .run = crm_cli_materials},
    {.name = "fields",
     .operands = "[BLOCK]",
     .summary = "describe the fields of a scenario and of an outcome",
     .text = "Without BLOCK, lists the blocks of a scenario. With a block, such as chain or "
             "bodies, lists its fields with their types and defaults; with outcome or motion, the "
             "quantities that can be recorded. docs/scenario.md and docs/sweep.md list them, too.",
     .options = CRM_TAKES(CRM_OPTION_HELP),
     .most = 1,
     .run = crm_cli_fields},
    {.name = "examples",
     .operands = "[NAME]",
     .summary = "list the example scenarios, or print one",
     .text = "Without NAME, lists the examples and the folder they are in. With NAME, prints that "
             "scenario; -o FILE saves a copy to edit.",
     .options = CRM_TAKES(CRM_OPTION_OUTPUT) | CRM_TAKES(CRM_OPTION_HELP),
     .most = 1,
     .run = crm_cli_examples},
    {.name = "init",
     .operands = "[KIND]",
     .summary = "print a commented template: chain, bodies, packing, system, simulate or sweep",
     .text = "Prints a short scenario that can be run as it is, with comments on what to change "
             "first; -o FILE saves it. Without KIND, lists the kinds.",
     .options = CRM_TAKES(CRM_OPTION_OUTPUT) | CRM_TAKES(CRM_OPTION_HELP),
     .most = 1,
     .run = crm_cli_init},
    {.name = "simulate",
     .operands = "FILE",
     .summary = "simulate motion in time with impacts",
     .text =
         "Lets bodies fly, bounce, rest and collide for the duration given in the scenario's "
         "'simulate' block; one law resolves every impact (--law chooses it; a second one is shown "
         "beside it in the page). Reports the number "
         "of impacts, where the energy went, and the final state. --history writes states in time, "
         "--impacts one row per impact, --report a page that plays the motion. An interrupted run "
         "writes what it has computed (exit status 130); with --checkpoint it can be continued "
         "later by --resume. docs/simulate.md has examples, docs/scenario.md lists the fields.",
     .options = READS_SCENARIO | CRM_TAKES(CRM_OPTION_FORMAT) | CRM_TAKES(CRM_OPTION_HISTORY) |
                CRM_TAKES(CRM_OPTION_IMPACTS) | CRM_TAKES(CRM_OPTION_CHECKPOINT) |
                CRM_TAKES(CRM_OPTION_CHECKPOINT_EVERY) | CRM_TAKES(CRM_OPTION_RESUME_FROM) |
                CRM_TAKES(CRM_OPTION_SUMMARY) | CRM_TAKES(CRM_OPTION_ROWS) |
                CRM_TAKES(CRM_OPTION_REPORT) | CRM_TAKES(CRM_OPTION_LIVE) |
                CRM_TAKES(CRM_OPTION_PLOT) | CRM_TAKES(CRM_OPTION_PLOT_MOTION),
     .least = 1,
     .most = 1,
     .run = crm_cli_simulate},
    {.name = "sweep",
     .operands = "FILE",
     .summary = "run a parameter study: every point of a grid, by every law",
     .text = "Solves the scenario repeatedly, with the fields in its 'sweep' block set to other "
             "values: lists, ranges or random draws. Writes a table (CSV; HDF5 with -o FILE.h5) "
             "with one row per point and law, bit-identical and in the same order for any number "
             "of jobs. A point that fails becomes a row that gives the reason. With -o, finished "
             "points are kept in FILE.part until the table is complete, so that --resume can "
             "continue an interrupted study. Under mpirun the points are distributed over the "
             "ranks. docs/sweep.md has examples.",
     .options = READS_SCENARIO | CRM_TAKES(CRM_OPTION_JOBS) | CRM_TAKES(CRM_OPTION_RESUME) |
                CRM_TAKES(CRM_OPTION_SHARD) | CRM_TAKES(CRM_OPTION_REPORT) |
                CRM_TAKES(CRM_OPTION_PLOT) | CRM_TAKES(CRM_OPTION_PLOT_QUANTITY),
     .least = 1,
     .most = 1,
     .run = crm_cli_sweep},
    {.name = "sensitivity",
     .operands = "FILE",
     .summary = "compute derivatives of outcomes with respect to scenario fields",
     .text = "Computes the derivative of every quantity listed in the scenario's 'sensitivity' "
             "block with respect to every field listed there, by the scenario's first law or the "
             "one given by --law. With 'uncertainty' it also propagates the uncertainties of "
             "fields to every quantity: to first order from the derivatives and, for comparison, "
             "by random draws, and marks where the two disagree. docs/inverse.md has examples.",
     .options = READS_SCENARIO | CRM_TAKES(CRM_OPTION_FORMAT),
     .least = 1,
     .most = 1,
     .run = crm_cli_sensitivity},
    {.name = "fit",
     .operands = "FILE",
     .summary = "estimate parameters from measured outcomes",
     .text = "Finds the values of the fields listed in the scenario's 'fit' block, within their "
             "bounds, that agree best with the measured quantities: least squares, weighted by the "
             "uncertainties, by the scenario's first law or the one given by --law. Gives "
             "uncertainties, 95 % intervals and correlations, and says which parameters the data "
             "do not determine. Exit status 4: no minimum was found. docs/inverse.md has examples.",
     .options = READS_SCENARIO | CRM_TAKES(CRM_OPTION_FORMAT) | CRM_TAKES(CRM_OPTION_REPORT),
     .least = 1,
     .most = 1,
     .run = crm_cli_fit},
    {.name = "design",
     .operands = "FILE",
     .summary = "find the field values that maximize or minimize a quantity",
     .text = "Searches, from several starting points, for values of the fields listed in the "
             "scenario's 'design' block that maximize or minimize a quantity within bounds and "
             "linear constraints such as sum(chain.mass) = 20; by the scenario's first law or the "
             "one given by --law. Reports the improvement over the scenario as it stands. -o "
             "FILE.yaml writes the scenario with the best values; the report goes to standard "
             "output. Needs NLopt. docs/inverse.md has examples.",
     .options = READS_SCENARIO | CRM_TAKES(CRM_OPTION_FORMAT),
     .least = 1,
     .most = 1,
     .run = crm_cli_design},
    {.name = "admissible",
     .operands = "FILE",
     .summary = "find the least and greatest values that any law may give",
     .text =
         "Under any law impulses only push, no contact closes after the impact, and no energy is "
         "created. Over all outcomes that obey these, finds the extremes of the quantities listed "
         "in the scenario's 'admissible' block (default: velocity and energy_ratio), each with "
         "impulses that attain it and a bound that proves it. Says for every law in the scenario "
         "whether its outcome is inside, and how far away it is if not. docs/admissible.md has "
         "examples.",
     .options = READS_SCENARIO | CRM_TAKES(CRM_OPTION_FORMAT) | CRM_TAKES(CRM_OPTION_REPORT) |
                CRM_TAKES(CRM_OPTION_PLOT_REGION),
     .least = 1,
     .most = 1,
     .run = crm_cli_admissible},
    {.name = "reproduce",
     .operands = "[NAME...]",
     .summary = "recompute published tables and figures, and compare",
     .text =
         "Recomputes published tables and figures and prints the results beside the printed "
         "values, with the deviation and a verdict: matches (our value rounds to the printed one), "
         "scheme (the printed value carries the step error of the paper's scheme), erratum (the "
         "paper errs, for the reason given), not explained (ours is right, and no run reproduces "
         "the printed value), deviates. Without NAME, or with 'list', lists the items. 'all' "
         "selects every item, 'quick' those that take under two seconds, P1 or P1-table those of "
         "one paper; a file name that ends in .yaml is an item of your own. Up to four items are "
         "shown in full; if there are more, each has one line. -o FILE.md writes Markdown, as for "
         "docs/record.md. "
         "Items are read from the directory in CAROM_REPRODUCE if it is set, else from the "
         "installation or the build tree. Exit status 4: something deviates.",
     .options = LIMITED | CRM_TAKES(CRM_OPTION_FORMAT) | CRM_TAKES(CRM_OPTION_OUTPUT) |
                CRM_TAKES(CRM_OPTION_JOBS) | CRM_TAKES(CRM_OPTION_QUIET) |
                CRM_TAKES(CRM_OPTION_HELP) | CRM_TAKES(CRM_OPTION_REPORT),
     .most = SIZE_MAX,
     .run = crm_cli_reproduce},
    {.name = "help",
     .operands = "[COMMAND]",
     .summary = "show this overview, or describe one command",
     .text = "Without COMMAND, shows the overview; with COMMAND, describes that command and its "
             "options.",
     .options = CRM_TAKES(CRM_OPTION_HELP),
     .most = 1,
     .run = crm_cli_help},
    {.name = "version",
     .operands = "",
     .summary = "print the version and which optional parts are available",
     .text = "Prints the version and which optional parts are available, as --version does.",
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
