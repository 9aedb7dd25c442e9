/* sweep: a parameter study, from the scenario to the table. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "base/team.h"
#include "cli/limits.h"
#include "cli/plugin.h"
#include "cli/sweep/sweep.h"
#include "cli/terminal/progress.h"

typedef struct sweep {
    const crm_options *options;
    const crm_messenger *messenger; /* NULL: one rank */
    int rank, ranks;
    char *text;
    size_t length;
    crm_study *study;
    char *target;      /* NULL: `output` is written in place */
    crm_output output; /* standard output, or a device */
    crm_sweep_pictures pictures;
    crm_journal journal;
    crm_sweep_queue queue;
    crm_progress progress;
    crm_error error;
} sweep;

/* ---- The queue ------------------------------------------------------------------------------ */

bool crm_sweep_next_point(crm_sweep_queue *queue, size_t *point)
{
    const crm_journal *journal = queue->journal;
    pthread_mutex_lock(&queue->lock);
    /* Only points behind `next` are ever added to the journal while it is read here. */
    while (queue->next < journal->last && crm_journal_has(journal, queue->next)) {
        queue->next++;
    }
    bool any = !queue->closed && queue->next < journal->last && crm_limits_time_left() > 0;
    if (any) {
        *point = queue->next++;
    }
    pthread_mutex_unlock(&queue->lock);
    return any;
}

static void close_queue(crm_sweep_queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    queue->closed = true;
    pthread_mutex_unlock(&queue->lock);
}

static bool time_is_left(void *context, const crm_watch_report *progress)
{
    (void)context, (void)progress;
    return crm_limits_time_left() > 0;
}

const crm_watch crm_sweep_watch = {.go_on = time_is_left};

/* ---- Before --------------------------------------------------------------------------------- */

static int read_study(sweep *s, bool quiet)
{
    const crm_options *o = s->options;
    crm_yaml_limits limits = crm_limits_for_scenario();
    crm_read_error error = {0};
    crm_study_def def = {.text = s->text,
                         .length = s->length,
                         .source =
                             strcmp(o->operands[0], "-") == 0 ? "standard input" : o->operands[0],
                         .overrides = o->sets,
                         .override_count = o->set_count,
                         .laws = o->laws,
                         .limits = &limits};
    crm_status status = crm_study_read(&def, &s->study, &error);
    if (status != CRM_OK && !quiet) {
        fputs(status == CRM_ERROR_OPTION ? "carom: " : "", stderr);
        crm_message_line(error.text);
    }
    if (status != CRM_OK) {
        return status == CRM_ERROR_MEMORY   ? CRM_EXIT_MEMORY
               : status == CRM_ERROR_OPTION ? CRM_EXIT_USAGE
                                            : CRM_EXIT_SCENARIO;
    }
    if (crm_study_fields(s->study) == 0) {
        char text[1024];
        snprintf(text, sizeof text,
                 "%s: scenario has no field 'sweep', which says what to vary; see docs/sweep.md",
                 def.source);
        crm_message_line(text);
        return CRM_EXIT_SCENARIO;
    }
    return CRM_EXIT_DONE;
}

static int read_text(sweep *s)
{
    crm_read_error error = {0};
    if (crm_file_read(s->options->operands[0], &s->text, &s->length, &error) != CRM_OK) {
        return crm_message_read_error(CRM_EXIT_SCENARIO, &error);
    }
    return CRM_EXIT_DONE;
}

/* A file that can be replaced is known by its real name; the rest is written in place. */
static int choose_target(sweep *s)
{
    const char *path = s->options->output;
    int status = crm_output_locate(path, &s->target);
    if (status != CRM_EXIT_DONE) {
        return status;
    }
    if (s->target == NULL) {
        return s->options->resume ? crm_message(CRM_EXIT_USAGE, "--resume needs -o FILE")
                                  : crm_output_open(&s->output, path);
    }
    const crm_hdf5_module *module; /* checked before anything is computed */
    return crm_plugin_is_hdf5(path) ? crm_plugin_hdf5(path, &module) : CRM_EXIT_DONE;
}

/* The points of this part: with the others, each exactly once. */
static void choose_points(const sweep *s, size_t *first, size_t *last)
{
    size_t points = crm_study_points(s->study);
    size_t part = s->options->shard, parts = s->options->shard_count;
    *first = parts > 0 ? (part - 1) * points / parts : 0;
    *last = parts > 0 ? part * points / parts : points;
}

/* Least size of the rows: a cell has at least one byte and a comma. */
static double least_bytes(const sweep *s, size_t points)
{
    size_t cells = 3 + crm_study_fields(s->study) + crm_study_quantities(s->study);
    return 2.0 * (double)cells * (double)points * (double)crm_study_laws(s->study);
}

static bool is_finished(const sweep *s)
{
    if (!s->options->resume || s->target == NULL || access(s->target, F_OK) != 0) {
        return false;
    }
    size_t size = strlen(s->target) + sizeof ".part";
    char *part = CRM_NEW(char, size);
    if (part == NULL) {
        return false;
    }
    snprintf(part, size, "%s.part", s->target);
    bool finished = access(part, F_OK) != 0;
    free(part);
    return finished;
}

static int prepare(sweep *s)
{
    int status = read_text(s);
    if (status == CRM_EXIT_DONE) {
        status = read_study(s, false);
    }
    if (status == CRM_EXIT_DONE) {
        status = choose_target(s);
    }
    if (status == CRM_EXIT_DONE) {
        status = crm_sweep_pictures_open(&s->pictures, s->study, s->options);
    }
    if (status != CRM_EXIT_DONE) {
        return status;
    }
    size_t first, last;
    choose_points(s, &first, &last);
    if (is_finished(s)) {
        return crm_sweep_check(s->study, s->target, first, last, s->options->shard <= 1);
    }
    if (!crm_limits_memory_allows(crm_journal_bytes(first, last),
                                  "a study with this many points")) {
        return CRM_EXIT_MEMORY;
    }
    if (!crm_limits_disk_allows(least_bytes(s, last - first), s->target)) {
        return CRM_EXIT_WRITE;
    }
    if (s->target != NULL) {
        crm_interrupt_set_message(
            "carom: interrupted; finished points are kept, continue with --resume\n");
    }
    return crm_journal_open(&s->journal, s->target, s->study, first, last, s->options->resume);
}

/* ---- The work ------------------------------------------------------------------------------- */

static void keep(void *context, size_t point, const char *text, size_t length, size_t unsolved)
{
    sweep *s = context;
    if (crm_journal_add(&s->journal, point, text, length, unsolved)) {
        crm_progress_show(&s->progress, crm_journal_done(&s->journal));
    } else {
        close_queue(&s->queue);
    }
}

static bool next_point(void *context, size_t *point)
{
    sweep *s = context;
    return crm_sweep_next_point(&s->queue, point);
}

static bool take_point(void *context, const crm_study_worker *worker, size_t point,
                       const crm_study_row *rows)
{
    (void)worker;
    sweep *s = context;
    size_t length = 0, unsolved = 0;
    char *text = crm_sweep_rows(s->study, point, rows, &length, &unsolved);
    if (text == NULL) {
        return false;
    }
    keep(s, point, text, length, unsolved);
    free(text);
    return true;
}

static unsigned job_count(const sweep *s)
{
    unsigned jobs = crm_limits_jobs(s->options);
    if (s->options->jobs == 0 && s->messenger != NULL) {
        unsigned sharing = (unsigned)s->messenger->neighbours();
        /* Ranks that are not bound to cores of their own share them. */
        bool bound = jobs < crm_team_processors();
        jobs = bound || jobs < sharing ? (bound ? jobs : 1) : jobs / sharing;
    }
    return jobs;
}

typedef struct worker_call {
    sweep *sweep;
    unsigned jobs;
} worker_call;

static void *run_workers(void *context)
{
    const worker_call *call = context;
    crm_study_workers workers = {.jobs = call->jobs,
                                 .watch = &crm_sweep_watch,
                                 .context = call->sweep,
                                 .next = next_point,
                                 .take = take_point};
    crm_study_run(call->sweep->study, &workers, &call->sweep->error);
    return NULL;
}

/* Rank 0: the workers compute in threads of their own, and this one serves the other ranks. */
static void run_and_serve(sweep *s, worker_call *call)
{
    pthread_t thread;
    bool started = pthread_create(&thread, NULL, run_workers, call) == 0;
    crm_ranks_service service = {.messenger = s->messenger,
                                 .ranks = s->ranks,
                                 .queue = &s->queue,
                                 .context = s,
                                 .take = keep};
    crm_ranks_serve(&service);
    if (started) {
        pthread_join(thread, NULL);
    }
}

/* What cannot be resumed is printed as far as it is. */
static int report_late(sweep *s, size_t count, const char *advice)
{
    int status = CRM_EXIT_DONE;
    if (s->target == NULL) {
        status = crm_sweep_write(s->study, &s->journal, NULL, &s->output, s->options->shard <= 1);
    }
    return status != CRM_EXIT_DONE
               ? status
               : crm_message(CRM_EXIT_NO_ANSWER,
                             "time limit of %.3g s reached; %zu of %zu points done%s",
                             s->options->max_seconds, s->journal.done, count, advice);
}

static int run(sweep *s, unsigned jobs)
{
    worker_call call = {s, jobs};
    s->queue = (crm_sweep_queue){.journal = &s->journal, .next = s->journal.first};
    pthread_mutex_init(&s->queue.lock, NULL);
    crm_progress_begin(&s->progress, "points", s->journal.last - s->journal.first,
                       s->options->quiet);
    s->progress.before = s->journal.done;
    crm_limits_begin_polling();
    if (s->messenger != NULL) {
        run_and_serve(s, &call);
    } else {
        run_workers(&call);
    }
    crm_progress_end(&s->progress);
    pthread_mutex_destroy(&s->queue.lock);
    size_t count = s->journal.last - s->journal.first;
    if (s->journal.done == count) {
        return CRM_EXIT_DONE;
    }
    const char *where = s->journal.path != NULL ? s->journal.path : "a temporary file";
    const char *advice = s->journal.path != NULL && s->journal.done > 0
                             ? "; finished points are kept for --resume"
                             : "";
    if (s->journal.problem != 0 && s->journal.problem != ENOMEM) {
        return crm_message(CRM_EXIT_WRITE, "%s could not be written: %s%s", where,
                           strerror(s->journal.problem), advice);
    }
    if (s->error.status == CRM_OK && crm_limits_time_left() == 0) {
        return report_late(s, count, advice);
    }
    /* A worker that stops says why, unless a row's text found no room. */
    bool out_of_memory = s->error.status == CRM_OK || s->error.status == CRM_ERROR_MEMORY;
    return crm_message(out_of_memory ? CRM_EXIT_MEMORY : CRM_EXIT_NO_ANSWER,
                       "only %zu of %zu points could be computed: %s%s", s->journal.done, count,
                       s->error.status == CRM_OK ? "out of memory" : s->error.message, advice);
}

static int finish(sweep *s)
{
    crm_limits_begin_writing();
    size_t unsolved = s->journal.unsolved;
    size_t rows = (s->journal.last - s->journal.first) * crm_study_laws(s->study);
    int status =
        crm_sweep_write(s->study, &s->journal, s->target, &s->output, s->options->shard <= 1);
    if (status == CRM_EXIT_DONE) {
        status = crm_sweep_pictures_write(&s->pictures, s->study, &s->journal, s->options);
    }
    if (status != CRM_EXIT_DONE || unsolved == 0) {
        return status;
    }
    size_t reached = s->journal.reached;
    if (!s->options->quiet && unsolved > reached) {
        crm_message(0, "%zu of %zu rows have no answer; the column 'reason' says why",
                    unsolved - reached, rows);
    }
    if (!s->options->quiet && reached > 0) {
        crm_message(0,
                    "%zu of %zu rows hold the state reached by a law that did not terminate "
                    "(not_terminated); the column 'reason' says why",
                    reached, rows);
    }
    return CRM_EXIT_NO_ANSWER;
}

static bool is_written(int status)
{
    return status == CRM_EXIT_DONE || status == CRM_EXIT_NO_ANSWER;
}

static int lead(sweep *s, unsigned jobs)
{
    if (s->journal.offset == NULL) {
        if (!s->options->quiet) {
            crm_message(0, "%s is complete; nothing is left to resume", s->target);
        }
        return CRM_EXIT_DONE;
    }
    int status = run(s, jobs);
    if (status != CRM_EXIT_DONE) {
        return status;
    }
    status = finish(s);
    crm_journal_close(&s->journal, is_written(status));
    return status;
}

/* ---- Several ranks -------------------------------------------------------------------------- */

/* Variables that launchers set for the programs they start. */
static bool is_launched(void)
{
    static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const char *value = getenv(sizes[i]);
        if (value != NULL) {
            return strtol(value, NULL, 10) > 1;
        }
    }
    return getenv("PMIX_RANK") != NULL; /* of how many, MPI itself will say */
}

static int start_ranks(sweep *s)
{
    char problem[512];
    s->ranks = 1;
    if (!is_launched()) {
        return CRM_EXIT_DONE;
    }
    const void *table;
    int status = crm_plugin_load(CRM_MPI_MODULE, &table, problem, sizeof problem);
    s->messenger = table;
    if (status == CRM_EXIT_USAGE) {
        return crm_message(
            status,
            "started by mpirun, but this carom has no MPI (%s); install libopenmpi-dev "
            "and build again, or use --shard",
            problem);
    }
    if (status != CRM_EXIT_DONE) {
        return status;
    }
    if (!s->messenger->start(&s->rank, &s->ranks)) {
        return crm_message(CRM_EXIT_USAGE, "this MPI library does not support threads");
    }
    return CRM_EXIT_DONE;
}

/* The others learn from rank 0 whether to begin, and with which text. */
static int share_text(sweep *s, int status)
{
    uint64_t notice[3] = {(uint64_t)status, s->length, s->journal.offset != NULL};
    s->messenger->broadcast(notice, sizeof notice);
    if ((int)notice[0] != CRM_EXIT_DONE || notice[2] == 0) {
        return (int)notice[0];
    }
    if (s->rank > 0) {
        s->length = (size_t)notice[1];
        s->text = CRM_NEW(char, s->length + 1);
        if (s->text == NULL) {
            abort(); /* mpirun ends the others */
        }
    }
    s->messenger->broadcast(s->text, s->length);
    return CRM_EXIT_DONE;
}

static int run_ranks(sweep *s)
{
    int status = s->rank == 0 ? prepare(s) : CRM_EXIT_DONE;
    status = share_text(s, status);
    unsigned jobs = job_count(s);
    if (status == CRM_EXIT_DONE && s->rank == 0) {
        status = lead(s, jobs);
    } else if (status == CRM_EXIT_DONE && s->text != NULL && read_study(s, true) == 0) {
        crm_ranks_work(s->messenger, s->study, jobs, &s->error);
    }
    /* All leave with the same answer. */
    uint64_t last = (uint64_t)status;
    s->messenger->broadcast(&last, sizeof last);
    s->messenger->stop();
    return (int)last;
}

int crm_cli_sweep(const crm_options *options)
{
    sweep s = {.options = options};
    int status = start_ranks(&s);
    if (status == CRM_EXIT_DONE && s.messenger != NULL) {
        status = run_ranks(&s);
    } else if (status == CRM_EXIT_DONE) {
        status = prepare(&s);
        status = status == CRM_EXIT_DONE ? lead(&s, crm_limits_jobs(options)) : status;
    }
    crm_interrupt_set_message(NULL);
    crm_journal_close(&s.journal, false);
    crm_output_abandon(&s.output);
    crm_sweep_pictures_abandon(&s.pictures);
    crm_study_free(s.study);
    free(s.target);
    free(s.text);
    return status;
}
