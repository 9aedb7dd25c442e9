/* An interrupted program leaves no half-written files. A signal handler can reach nothing but
 * globals, so the names of the temporary files, and what was caught, are the only ones there are.
 */
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

enum { FILES_MOST = 4 };

static const char *volatile watched[FILES_MOST];
static const char *volatile last_words;

static volatile sig_atomic_t catching, caught;

static void on_signal(int signal_number)
{
    if (catching && !caught && (signal_number == SIGINT || signal_number == SIGTERM)) {
        caught = 1;
        return;
    }
    for (size_t i = 0; i < FILES_MOST; i++) {
        if (watched[i] != NULL) {
            unlink(watched[i]);
        }
    }
    const char *text = last_words;
    ssize_t written = text != NULL ? write(STDERR_FILENO, text, strlen(text)) : 0;
    (void)written; /* there is nobody left to tell */
    _exit(signal_number == SIGINT ? CRM_EXIT_INTERRUPTED : 128 + signal_number);
}

void crm_interrupt_install(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    signal(SIGXFSZ, SIG_IGN); /* a file too large is told like a full disk */
}

void crm_interrupt_say(const char *text)
{
    last_words = text;
}

void crm_interrupt_catch(void)
{
    catching = 1;
}

bool crm_interrupted(void)
{
    return caught != 0;
}

void crm_interrupt_watch(const char *temporary)
{
    for (size_t i = 0; i < FILES_MOST; i++) {
        if (watched[i] == NULL) {
            watched[i] = temporary;
            return;
        }
    }
}

void crm_interrupt_forget(const char *temporary)
{
    for (size_t i = 0; i < FILES_MOST; i++) {
        if (watched[i] == temporary) {
            watched[i] = NULL;
        }
    }
}
