#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "torture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "faults.h"

#if defined(__SANITIZE_ADDRESS__)
int __lsan_do_recoverable_leak_check(void);
#else
static int __lsan_do_recoverable_leak_check(void)
{
    return 0;
}
#endif

enum { SECONDS_MOST = 20 }; /* seconds for a run; a loop without end is a crash */

/* ---- The tally ------------------------------------------------------------------------------ */

static const char *verdict_text(torture_verdict verdict)
{
#define TORTURE_VERDICT_TEXT(name, text) text,
    static const char *const texts[] = {TORTURE_VERDICT_LIST(TORTURE_VERDICT_TEXT)};
#undef TORTURE_VERDICT_TEXT
    return texts[verdict];
}

static bool is_borne(torture_verdict verdict)
{
    return verdict == TORTURE_ANSWERED || verdict == TORTURE_REFUSED || verdict == TORTURE_ENDED;
}

bool torture_wants(const torture_plan *plan, const char *name)
{
    return plan->only == NULL || strstr(name, plan->only) != NULL;
}

void torture_note(torture_tally *tally, torture_verdict verdict, const char *name, size_t first,
                  bool onwards)
{
    tally->runs++;
    tally->of[verdict]++;
    if (!is_borne(verdict)) {
        fprintf(stderr, "%s: allocation %zu%s fails: %s\n", name, first,
                onwards ? " and all later" : "", verdict_text(verdict));
    }
}

size_t torture_faults(const torture_tally *tally)
{
    size_t faults = 0;
    for (int v = 0; v < TORTURE_VERDICTS; v++) {
        faults += is_borne((torture_verdict)v) ? 0 : tally->of[v];
    }
    return faults;
}

void torture_print(const char *what, const torture_tally *tally)
{
    printf("%s: %zu runs\n", what, tally->runs);
    for (int v = 0; v < TORTURE_VERDICTS; v++) {
        if (tally->of[v] > 0) {
            printf("  %8zu  %s\n", tally->of[v], verdict_text((torture_verdict)v));
        }
    }
}

void torture_mix(uint64_t *hash, const void *bytes, size_t size)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < size; i++) {
        *hash = (*hash ^ byte[i]) * UINT64_C(0x100000001b3);
    }
}

/* ---- Calls ---------------------------------------------------------------------------------- */

static const uint64_t EMPTY_HASH = UINT64_C(0xcbf29ce484222325);

/* What parent and child share. */
typedef struct board {
    size_t at;          /* the run that is being done */
    size_t allocations; /* of the deed when nothing fails */
    uint64_t answer;
    signed char verdict[]; /* of the runs: 2 k alone, 2 k + 1 onwards; -1: not done */
} board;

enum { RUNS_MOST = 1 << 20 };

static board *make_board(void)
{
    void *shared = mmap(NULL, sizeof(board) + RUNS_MOST, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        perror("mmap");
        exit(1);
    }
    board *b = shared;
    memset(b->verdict, -1, RUNS_MOST);
    return b;
}

static torture_verdict judge_status(crm_status status, const crm_error *error, uint64_t hash,
                                    uint64_t answer)
{
    if (status == CRM_OK) {
        return hash == answer ? TORTURE_ANSWERED : TORTURE_DEVIATED;
    }
    if (status != CRM_ERROR_MEMORY || error->status != status) {
        fprintf(stderr, "status %d, error %d: %s: %s\n", (int)status, (int)error->status,
                error->place, error->message);
        return TORTURE_MISTAKEN;
    }
    return error->message[0] != '\0' ? TORTURE_REFUSED : TORTURE_SILENT;
}

static torture_verdict one_run(const torture_deed *deed, const board *b, size_t first, bool onwards)
{
    crm_error error = {0};
    uint64_t hash = EMPTY_HASH, again = EMPTY_HASH;
    size_t before = faults_live();
    faults_arm(first, onwards);
    crm_status status = deed->act(deed->input, &hash, &error);
    faults_disarm();
    torture_verdict verdict = judge_status(status, &error, hash, b->answer);
    if (is_borne(verdict) && faults_live() != before) {
        return TORTURE_LEAKED;
    }
    crm_status second = is_borne(verdict) ? deed->act(deed->input, &again, &error) : CRM_OK;
    bool spoiled = is_borne(verdict) && (second != CRM_OK || again != b->answer);
    return spoiled ? TORTURE_SPOILED : verdict;
}

/* The child: how often memory is asked for, then one run after the other. What is made once and
 * kept by other libraries is made by the first call.
 */
static void do_runs(const torture_deed *deed, const torture_plan *plan, board *b)
{
    crm_error error = {0};
    for (int i = 0; i < 2; i++) {
        b->answer = EMPTY_HASH;
        faults_arm(0, false);
        crm_status status = deed->act(deed->input, &b->answer, &error);
        b->allocations = faults_disarm();
        if (status != CRM_OK) {
            fprintf(stderr, "%s: %s: %s\n", deed->name, error.place, error.message);
            _exit(2);
        }
    }
    faults_trace(plan->traces);
    for (; b->at / 2 < b->allocations; b->at += b->at % 2 == 0 ? 1 : 2 * plan->stride - 1) {
        alarm(SECONDS_MOST);
        b->verdict[b->at] = (signed char)one_run(deed, b, b->at / 2 + 1, b->at % 2 == 1);
    }
    faults_leave(__lsan_do_recoverable_leak_check() != 0 ? 3 : 0);
}

/* A child that dies is followed by one that goes on behind the run that killed it. */
static void do_all_runs(const torture_deed *deed, const torture_plan *plan, board *b)
{
    for (int result = -1; result != 0;) {
        pid_t child = fork();
        if (child == 0) {
            do_runs(deed, plan, b);
        }
        if (child < 0 || waitpid(child, &result, 0) != child ||
            (WIFEXITED(result) && WEXITSTATUS(result) == 2)) {
            fprintf(stderr, "%s cannot be done\n", deed->name);
            exit(1);
        }
        if (WIFEXITED(result) && WEXITSTATUS(result) == 3) {
            b->verdict[0] = TORTURE_LEAKED;
            return;
        }
        if (result != 0) {
            b->verdict[b->at] = TORTURE_CRASHED;
            b->at += b->at % 2 == 0 ? 1 : 2 * plan->stride - 1;
        }
    }
}

void torture_call(const torture_deed *deed, const torture_plan *plan, torture_tally *tally)
{
    if (!torture_wants(plan, deed->name)) {
        return;
    }
    board *b = make_board();
    do_all_runs(deed, plan, b);
    for (size_t i = 0; i < RUNS_MOST && i / 2 < b->allocations; i++) {
        if (b->verdict[i] >= 0) {
            torture_note(tally, (torture_verdict)b->verdict[i], deed->name, i / 2 + 1, i % 2 == 1);
        }
    }
    if (plan->tells) {
        printf("%6zu allocations: %s\n", b->allocations, deed->name);
        fflush(stdout);
    }
    munmap(b, sizeof(board) + RUNS_MOST);
}
