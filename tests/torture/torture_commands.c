/* The commands of the program, each in a child of its own, in a folder with a few small files.
 *
 * An earlier file must be there afterwards, as it was or whole and new; nothing else may be left
 * but what is documented to stay (the journal of a study, FILE.part; the states of a collection,
 * which grow from row to row).
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/plugin.h"
#include "faults.h"
#include "inverse/design/search.h"
#include "torture.h"

enum { WORDS_MOST = 16, RESULTS = 2, SECONDS_MOST = 20, TEXT_MOST = 1 << 20 };

typedef struct command {
    const char *line;             /* words after "carom" */
    const char *results[RESULTS]; /* files it writes; NULL: none */
    bool grows;                   /* they may have what was written until it ended */
    const char *module;           /* that it wants; NULL: none */
    bool loads;                   /* the module is not there before: its loading runs out, too */
    size_t daily;                 /* stride of every day; 0: it is not for every day */
} command;

static const command commands[] = {
    {.line = "solve impact.yaml"},
    {.line = "solve --jobs 1 -f json -o result impact.yaml", .results = {"result"}, .daily = 7},
    {.line = "solve --jobs 1 -f csv -o result bodies.yaml", .results = {"result"}},
    {.line = "solve --history steps.csv -o result bodies.yaml", .results = {"result", "steps.csv"}},
    {.line = "solve -q --history cold.h5 bodies.yaml",
     .results = {"cold.h5"},
     .module = CRM_HDF5_MODULE,
     .loads = true},
    {.line = "solve -q --history steps.h5 bodies.yaml",
     .results = {"steps.h5"},
     .module = CRM_HDF5_MODULE,
     .daily = 149},
    {.line = "solve -q --report page.html bodies.yaml", .results = {"page.html"}},
    {.line = "check impact.yaml"},
    {.line = "check --set chain.count=5 -o result impact.yaml", .results = {"result"}},
    {.line = "laws"},
    {.line = "laws lzb"},
    {.line = "fields"},
    {.line = "fields chain"},
    {.line = "fields outcome"},
    {.line = "fields motion"},
    {.line = "materials"},
    {.line = "materials steel"},
    {.line = "examples three_balls"},
    {.line = "init"}, /* as "examples", of fewer files */
    {.line = "init chain"},
    {.line = "sweep --jobs 1 study.yaml"},
    {.line = "sweep -q --jobs 1 --report page.html study.yaml", .results = {"page.html"}},
    {.line = "sweep --jobs 2 -o result.csv study.yaml", .results = {"result.csv"}},
    {.line = "sweep --jobs 1 -o result.h5 study.yaml",
     .results = {"result.h5"},
     .module = CRM_HDF5_MODULE},
    {.line = "sweep --jobs 1 -o result.csv moves.yaml", .results = {"result.csv"}},
    {.line = "sweep --jobs 1 --shard 1/2 -o result.csv study.yaml", .results = {"result.csv"}},
    {.line = "sensitivity -f json -o result back.yaml", .results = {"result"}},
    {.line = "sensitivity back.yaml"},
    {.line = "admissible -f json -o result back.yaml", .results = {"result"}},
    {.line = "admissible --law newton,fremond --plot plot.csv --report page.html back.yaml",
     .results = {"plot.csv", "page.html"},
     .daily = 97},
    {.line = "sensitivity -f csv --law newton back.yaml"},
    {.line = "design -q back.yaml", .module = CRM_NLOPT_MODULE, .loads = true},
    {.line = "design -o best.yaml back.yaml", .results = {"best.yaml"}, .module = CRM_NLOPT_MODULE},
    {.line = "design -f json back.yaml", .module = CRM_NLOPT_MODULE},
    {.line = "fit -f json -o result back.yaml", .results = {"result"}, .daily = 97},
    {.line = "fit back.yaml"},
    {.line = "check back.yaml"},
    {.line = "simulate motion.yaml"},
    {.line = "simulate -f json -o result motion.yaml", .results = {"result"}},
    {.line = "simulate --history s.csv --impacts i.csv motion.yaml",
     .results = {"s.csv", "i.csv"},
     .daily = 1},
    {.line = "simulate --history s.h5 --impacts i.h5 motion.yaml",
     .results = {"s.h5", "i.h5"},
     .module = CRM_HDF5_MODULE},
    {.line = "simulate --history s.pvd motion.yaml",
     .results = {"s.pvd", "s/s_000003.vtp"},
     .grows = true,
     .daily = 7},
    {.line = "simulate --checkpoint state steps.yaml", .results = {"state"}},
    {.line = "simulate --resume before steps.yaml"},
    {.line = "simulate -f csv swing.yaml"},
    {.line = "simulate -q --report page.html motion.yaml", .results = {"page.html"}},
    {.line = "fit -q --report page.html fit.yaml", .results = {"page.html"}},
    {.line = "reproduce --jobs 1 item", .daily = 1},
    {.line = "reproduce -q --jobs 1 --report page.html item", .results = {"page.html"}},
    {.line = "reproduce --jobs 1 -f json -o result item", .results = {"result"}},
    {.line = "reproduce --jobs 1 -o result.md item", .results = {"result.md"}},
    {.line = "help"},
    {.line = "help solve"},
    {.line = "version"},
};

static const struct {
    const char *name, *text;
} inputs[] = {
    {"impact.yaml", "laws: [lzb, moreau, binary, compliant, {law: newton, label: N}]\n"
                    "chain: {count: 3, velocity: [1], restitution: 0.9, wall: right}\n"},
    {"bodies.yaml", "laws: [lzb]\n"
                    "materials: {steel: {young: 2.1e11, poisson: 0.3, density: 7800}}\n"
                    "bodies:\n"
                    "  - {name: cue, shape: sphere, radius: 1, material: steel, position: [0, 1], "
                    "velocity: [1, -1]}\n"
                    "  - {shape: sphere, radius: 1, material: steel, position: [2, 1]}\n"
                    "walls: [{point: [0, 0], normal: [0, 1], material: steel}]\n"},
    {"study.yaml", "laws: [lzb, moreau]\n"
                   "chain: {count: 3, velocity: [1]}\n"
                   "sweep: {grid: {chain.restitution: [0.5, 1], chain.count: [2, 3]}}\n"},
    {"back.yaml", "chain: {count: 3, velocity: [1], stiffness: [1, 2], restitution: 0.9}\n"
                  "sensitivity: {to: chain.stiffness, uncertainty: {chain.restitution: 0.01}, "
                  "samples: 2}\n"
                  "fit:\n"
                  "  parameters: {chain.restitution: {from: 0, to: 1}}\n"
                  "  measured: [{what: \"velocity[3]\", value: 0.9}, {what: \"velocity[1]\", "
                  "value: 0}]\n"
                  "design:\n"
                  "  maximize: \"velocity[3]\"\n"
                  "  over: {chain.mass: {from: 1, to: 2, each: 3}}\n"
                  "  subject_to: [sum(chain.mass) = 4]\n"
                  "  starts: 1\n"},
    {"motion.yaml", "bodies: [{shape: sphere, radius: 0.5, mass: 1, position: [0, 1]}]\n"
                    "walls: [{point: [0, 0], normal: [0, 1]}]\n"
                    "contacts: {restitution: 0.5}\n"
                    "simulate: {duration: 0.5, gravity: [0, -9.81], output_every: 0.1}\n"},
    {"fit.yaml", "laws: [newton]\n"
                 "chain: {count: 2, velocity: [1], restitution: 0.5}\n"
                 "fit:\n"
                 "  parameters: {chain.restitution: {from: 0, to: 1}}\n"
                 "  measured: [{what: \"velocity[2]\", value: 0.9, uncertainty: 0.02}]\n"},
    {"swing.yaml", "bodies:\n"
                   "  - {shape: sphere, radius: 0.1, mass: 1, angle: -0.5, "
                   "suspended: {from: [0, 0], length: 0.5}}\n"
                   "  - {shape: sphere, radius: 0.1, mass: 1, angle: 0, "
                   "suspended: {from: [0.2, 0], length: 0.5}}\n"
                   "simulate: {duration: 0.5, gravity: [0, -9.81], law: moreau}\n"},
    {"steps.yaml", "bodies:\n"
                   "  - {shape: sphere, radius: 0.5, mass: 1, position: [0, 1]}\n"
                   "  - {shape: box, size: [1, 1], mass: 1, position: [2, 0.6]}\n"
                   "walls: [{point: [0, 0], normal: [0, 1]}]\n"
                   "contacts: {restitution: 0.5}\n"
                   "simulate: {duration: 0.2, gravity: [0, -9.81], scheme: time-stepping, step: "
                   "0.01}\n"},
    {"moves.yaml",
     "bodies: [{shape: sphere, radius: 0.5, mass: 1, position: [0, 1]}]\n"
     "walls: [{point: [0, 0], normal: [0, 1]}]\n"
     "contacts: {restitution: 0.5}\n"
     "simulate: {duration: 0.5, gravity: [0, -9.81]}\n"
     "sweep: {grid: {contacts.restitution: [0.5, 0.6]}, record: [\"velocity[2]\"]}\n"},
    {"items/item.yaml",
     "name: item\n"
     "source: \"Newton\"\n"
     "title: \"two balls\"\n"
     "kind: table\n"
     "scenario: {laws: [lzb], chain: {count: 2, velocity: [1], restitution: 0.5}}\n"
     "published: [{velocities: [0.25, 0.75]}]\n"},
};

static const char EARLIER[] = "earlier\n";

/* ---- Files ---------------------------------------------------------------------------------- */

static void put(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0) {
        perror(name);
        exit(1);
    }
}

static uint64_t hash_of(const char *name)
{
    static char text[TEXT_MOST];
    uint64_t hash = 0;
    FILE *file = fopen(name, "r");
    if (file != NULL) {
        size_t length = fread(text, 1, sizeof text, file);
        torture_mix(&hash, text, length);
        torture_mix(&hash, &length, sizeof length);
        fclose(file);
    }
    return hash;
}

static bool says(const char *name, const char *words)
{
    static char text[TEXT_MOST];
    FILE *file = fopen(name, "r");
    text[file != NULL ? fread(text, 1, sizeof text - 1, file) : 0] = '\0';
    if (file != NULL) {
        fclose(file);
    }
    return strstr(text, words) != NULL;
}

static bool is_known(const command *c, const char *name)
{
    bool known = strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || strcmp(name, "out") == 0 ||
                 strcmp(name, "err") == 0 || strcmp(name, "items") == 0 ||
                 strcmp(name, "before") == 0 || strcmp(name, "s") == 0 ||
                 strstr(name, ".yaml") != NULL || strstr(name, ".part") != NULL;
    for (int i = 0; i < RESULTS; i++) {
        known |= c->results[i] != NULL && strcmp(name, c->results[i]) == 0;
    }
    return known;
}

/* Removes what does not belong there, and journals; true: there was something of the former. */
static bool sweep_up(const command *c)
{
    bool found = false;
    DIR *folder = opendir(".");
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        bool known = is_known(c, entry->d_name);
        if (!known || strstr(entry->d_name, ".part") != NULL) {
            unlink(entry->d_name);
        }
        found |= !known;
    }
    closedir(folder);
    return found;
}

/* ---- One run -------------------------------------------------------------------------------- */

/* How a run ended, in memory that it shares with the parent. */
typedef struct ending {
    int signal; /* 0: it returned ... */
    int status; /* ... this */
    size_t allocations;
    long lost; /* blocks that were not there before */
    uint64_t out, result[RESULTS];
} ending;

static void be_the_program(const command *c, size_t first, bool onwards, bool traces, ending *end)
{
    static char line[1024], buffer[BUFSIZ];
    char *words[WORDS_MOST] = {"carom"};
    int count = 1;
    snprintf(line, sizeof line, "%s", c->line);
    for (char *word = strtok(line, " "); word != NULL; word = strtok(NULL, " ")) {
        words[count++] = word;
    }
    if (freopen("out", "w", stdout) == NULL || freopen("err", "w", stderr) == NULL) {
        _exit(1);
    }
    /* Their buffers are no loss. */
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    setvbuf(stderr, NULL, _IONBF, 0);
    alarm(SECONDS_MOST);
    faults_trace(traces);
    size_t before = faults_live();
    faults_arm(first, onwards);
    end->status = crm_cli(count, words);
    end->allocations = faults_disarm();
    end->lost = (long)(faults_live() - before);
    fflush(NULL);
    faults_leave(0);
}

static void run(const command *c, size_t first, bool onwards, bool traces, ending *end)
{
    int result = 0;
    for (int i = 0; i < RESULTS; i++) {
        if (c->results[i] != NULL) {
            put(c->results[i], EARLIER);
        }
    }
    memset(end, 0, sizeof *end);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        be_the_program(c, first, onwards, traces, end);
    }
    if (child < 0 || waitpid(child, &result, 0) != child) {
        perror("fork");
        exit(1);
    }
    end->signal = WIFSIGNALED(result) ? WTERMSIG(result) : 0;
    if (WIFEXITED(result) && WEXITSTATUS(result) != 0) { /* by a handler of the program */
        end->status = WEXITSTATUS(result);
    }
    end->out = hash_of("out");
    for (int i = 0; i < RESULTS && c->results[i] != NULL; i++) {
        end->result[i] = hash_of(c->results[i]);
    }
}

/* Each result is the earlier one or the whole new one; all new, if so demanded. */
static bool results_are_whole(const command *c, const ending *end, const ending *usual,
                              uint64_t earlier, bool all_new)
{
    bool good = true;
    for (int i = 0; i < RESULTS && c->results[i] != NULL; i++) {
        good &= end->result[i] == usual->result[i] || (!all_new && end->result[i] == earlier);
    }
    return good;
}

/* HDF5 does not survive all failures of its own, nor does the loader. */
static bool may_be_ended(const command *c)
{
    return c->loads || (c->module != NULL && strcmp(c->module, CRM_HDF5_MODULE) == 0);
}

static torture_verdict judge(const command *c, const ending *end, const ending *usual,
                             uint64_t earlier)
{
    bool answered = end->status == usual->status;
    if (sweep_up(c) || (!c->grows && !results_are_whole(c, end, usual, earlier, false))) {
        return TORTURE_LITTERED;
    }
    /* The loader ends a program for which it has no memory, a thread library another. */
    bool ended = end->signal != 0 || end->status == 127 || end->status == 255;
    if (may_be_ended(c) && ended) {
        return TORTURE_ENDED;
    }
    if (end->signal != 0) {
        return TORTURE_CRASHED;
    }
    if (!answered && end->status != CRM_EXIT_MEMORY) {
        return TORTURE_MISTAKEN;
    }
    if (end->lost > usual->lost && !may_be_ended(c)) {
        return TORTURE_LEAKED;
    }
    if (answered) {
        return end->out == usual->out && results_are_whole(c, end, usual, earlier, true)
                   ? TORTURE_ANSWERED
                   : TORTURE_DEVIATED;
    }
    return says("err", "out of memory") ? TORTURE_REFUSED : TORTURE_SILENT;
}

/* ---- All of them ---------------------------------------------------------------------------- */

static void show(const ending *end)
{
    char text[512] = "";
    FILE *file = fopen("err", "r");
    if (file != NULL) {
        text[fread(text, 1, sizeof text - 1, file)] = '\0';
        fclose(file);
    }
    fprintf(stderr, "  signal %d, status %d, %ld blocks: %s\n", end->signal, end->status, end->lost,
            text);
}

/* Children are born with the module: loading it is slow, and has a command of its own. */
static bool load(const char *module)
{
    const void *table;
    char problem[512];
    return crm_plugin_load(module, &table, problem, sizeof problem) == CRM_EXIT_DONE;
}

/* Asked of a child, so that the module is not there for the commands that load it. */
static bool is_built(const char *module)
{
    int result = 1;
    pid_t child = fork();
    if (child == 0) {
        _exit(load(module) ? 0 : 1);
    }
    return child > 0 && waitpid(child, &result, 0) == child && result == 0;
}

static bool is_wanted(const command *c, const torture_plan *plan)
{
    return torture_wants(plan, c->line) && (plan->daily == 0 || c->daily > 0) &&
           (c->module == NULL || is_built(c->module));
}

static void torture_command(const command *c, const torture_plan *plan, ending *end,
                            torture_tally *tally)
{
    static const command nothing;
    ending usual;
    if (c->module != NULL && !c->loads) {
        load(c->module);
    }
    sweep_up(&nothing); /* results of the command before */
    run(c, 0, false, false, end);
    usual = *end;
    if (usual.signal != 0 || usual.status != CRM_EXIT_DONE) {
        fprintf(stderr, "%s cannot be done\n", c->line);
        show(end);
        exit(1);
    }
    put("earlier.yaml", EARLIER);
    uint64_t earlier = hash_of("earlier.yaml");
    sweep_up(c);
    size_t stride = plan->daily > 0 ? plan->daily * c->daily : plan->stride;
    for (size_t first = 1; first <= usual.allocations; first += stride) {
        for (int onwards = 0; onwards < 2; onwards++) {
            run(c, first, onwards, plan->traces, end);
            torture_verdict verdict = judge(c, end, &usual, earlier);
            torture_note(tally, verdict, c->line, first, onwards);
            if (verdict != TORTURE_ANSWERED && verdict != TORTURE_REFUSED) {
                show(end);
            }
        }
    }
    if (plan->tells) {
        printf("%6zu allocations: carom %s\n", usual.allocations, c->line);
        fflush(stdout);
    }
}

void torture_commands(const torture_plan *plan, const char *folder, torture_tally *tally)
{
    ending *end =
        mmap(NULL, sizeof *end, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (end == MAP_FAILED || chdir(folder) != 0 || mkdir("items", 0777) != 0 ||
        mkdir("s", 0777) != 0 || setenv("CAROM_REPRODUCE", "items", 1) != 0) {
        perror(folder);
        exit(1);
    }
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) {
        put(inputs[i].name, inputs[i].text);
    }
    run(&(command){.line = "simulate --set simulate.duration=0.1 --checkpoint before steps.yaml"},
        0, false, false, end);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (is_wanted(&commands[i], plan)) {
            torture_command(&commands[i], plan, end, tally);
        }
    }
    munmap(end, sizeof *end);
}
