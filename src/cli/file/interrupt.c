/* An ended program leaves no half-written files. A signal handler can reach nothing but globals,
 * so the names of the temporary files, and what was caught, are the only ones there are. The names
 * are copied: the handler may run in any thread, at any time, also while one is forgotten.
 */
#define _XOPEN_SOURCE 700 /* SIGXCPU, SIGXFSZ, setitimer */
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "cli/cli.h"

enum { FILES_MOST = 16, NAME_SIZE = 4096, STACK_SIZE = 1 << 16 };

static char names[FILES_MOST][NAME_SIZE];
static volatile sig_atomic_t watched[FILES_MOST];
static const char *volatile exit_message;
static const char *volatile alarm_message; /* NULL: an alarm is not ours */

/* A crash may be a stack that is full. */
static char crash_stack[STACK_SIZE];

static volatile sig_atomic_t catching, caught;

/* Returns whether there were any. */
static bool remove_temporaries(void)
{
    bool found = false;
    for (size_t i = 0; i < FILES_MOST; i++) {
        if (watched[i]) {
            unlink(names[i]);
            found = true;
        }
    }
    return found;
}

static void write_message(const char *text)
{
    ssize_t written = text != NULL ? write(STDERR_FILENO, text, strlen(text)) : 0;
    (void)written; /* a failure cannot be reported any more */
}

/* _exit by way of a pointer. The address sanitizer allocates before a call that is known not to
 * return; a handler that has interrupted an allocation would wait for it for ever.
 */
static void (*const volatile end_process)(int) = _exit;

/* Nobody reads a message after SIGPIPE. */
static void on_end(int signal_number)
{
    if (signal_number == SIGALRM && alarm_message != NULL) {
        remove_temporaries();
        write_message(alarm_message);
        end_process(CRM_EXIT_NO_ANSWER);
    }
    if (catching && !caught && (signal_number == SIGINT || signal_number == SIGTERM)) {
        caught = signal_number;
        return;
    }
    remove_temporaries();
    write_message(signal_number != SIGPIPE ? exit_message : NULL);
    end_process(signal_number == SIGINT ? CRM_EXIT_INTERRUPTED : 128 + signal_number);
}

/* A library that does not check its allocations may crash when memory runs out (HDF5 does); then
 * the last error was that of an allocation. Otherwise the program or a library is broken, and it
 * ends as it would without this handler.
 */
static void end_if_out_of_memory(int problem)
{
    if (problem == ENOMEM) {
        write_message("carom: out of memory in a library that could not recover\n");
        end_process(CRM_EXIT_MEMORY);
    }
}

static void on_crash(int signal_number)
{
    int last = errno;
    remove_temporaries();
    end_if_out_of_memory(last);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

/* The program itself ends when its files are closed; HDF5, of some failures, by exit(). */
static void on_exit_of_a_library(void)
{
    int last = errno;
    if (remove_temporaries()) {
        end_if_out_of_memory(last);
    }
}

/* A handler that is set already (by nohup, a sanitizer) stays. Not so for SIGINT, which shells make
 * background programs ignore, though whoever sends it means it.
 */
static void handle(int signal_number, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART | SA_ONSTACK}, before;
    sigfillset(&action.sa_mask);
    if (sigaction(signal_number, NULL, &before) == 0 &&
        (before.sa_handler == SIG_DFL || signal_number == SIGINT)) {
        sigaction(signal_number, &action, NULL);
    }
}

void crm_interrupt_install(void)
{
    static const int ends[] = {SIGINT,  SIGTERM, SIGHUP,  SIGPIPE,   SIGQUIT,
                               SIGALRM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU};
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    const stack_t stack = {.ss_sp = crash_stack, .ss_size = sizeof crash_stack};
    stack_t before;
    atexit(on_exit_of_a_library);
    if (sigaltstack(NULL, &before) == 0 && (before.ss_flags & SS_DISABLE) != 0) {
        sigaltstack(&stack, NULL); /* a sanitizer has one of its own */
    }
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        handle(ends[i], on_end);
    }
    for (size_t i = 0; i < sizeof crashes / sizeof crashes[0]; i++) {
        handle(crashes[i], on_crash);
    }
    signal(SIGXFSZ, SIG_IGN); /* a file too large is reported like a full disk */
}

void crm_interrupt_set_message(const char *text)
{
    exit_message = text;
}

void crm_interrupt_set_alarm(double seconds, const char *text)
{
    static const double MICROSECOND = 1e-6, LONGEST = 1e9;
    double rest = seconds < LONGEST ? seconds : LONGEST;
    struct itimerval timer = {.it_value = {.tv_sec = (time_t)rest}};
    timer.it_value.tv_usec = (suseconds_t)((rest - (double)timer.it_value.tv_sec) / MICROSECOND);
    if (rest > 0 && timer.it_value.tv_sec == 0 && timer.it_value.tv_usec == 0) {
        timer.it_value.tv_usec = 1;
    }
    if (text != NULL) {
        alarm_message = text; /* stays: a last alarm may be under way */
    }
    if (rest > 0) { /* whoever started the program may have ignored or blocked it: not for us */
        struct sigaction action = {.sa_handler = on_end, .sa_flags = SA_RESTART | SA_ONSTACK};
        sigset_t alarm;
        sigfillset(&action.sa_mask);
        sigemptyset(&alarm);
        sigaddset(&alarm, SIGALRM);
        sigaction(SIGALRM, &action, NULL);
        sigprocmask(SIG_UNBLOCK, &alarm, NULL);
    }
    setitimer(ITIMER_REAL, &timer, NULL);
}

void crm_interrupt_catch(void)
{
    catching = 1;
}

void crm_interrupt_release(void)
{
    catching = 0;
}

bool crm_interrupt_caught(void)
{
    return caught != 0;
}

int crm_interrupt_status(void)
{
    return caught == 0 || caught == SIGINT ? CRM_EXIT_INTERRUPTED : 128 + caught;
}

bool crm_interrupt_add_file(const char *temporary)
{
    size_t size = strlen(temporary) + 1, i = 0;
    while (i < FILES_MOST && watched[i]) {
        i++;
    }
    if (i == FILES_MOST || size > NAME_SIZE) {
        return false;
    }
    memcpy(names[i], temporary, size);
    atomic_signal_fence(memory_order_seq_cst);
    watched[i] = 1;
    return true;
}

void crm_interrupt_remove_file(const char *temporary)
{
    for (size_t i = 0; i < FILES_MOST; i++) {
        if (watched[i] && strcmp(names[i], temporary) == 0) {
            watched[i] = 0;
        }
    }
}
