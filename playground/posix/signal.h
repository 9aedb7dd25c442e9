/* Signals where none arrive: what src/ uses beyond the emulation of wasi-libc. */
#ifndef CRM_POSIX_SIGNAL_H
#define CRM_POSIX_SIGNAL_H

#include_next <signal.h>

#include <__typedef_sigset_t.h>

typedef struct stack_t {
    void *ss_sp;
    size_t ss_size;
    int ss_flags;
} stack_t;

struct sigaction {
    void (*sa_handler)(int);
    sigset_t sa_mask;
    int sa_flags;
};

enum { SA_RESTART, SA_ONSTACK, SS_DISABLE, SIG_SETMASK, SIG_UNBLOCK };

#define sigfillset(set)              ((void)(set), 0)
#define sigemptyset(set)             ((void)(set), 0)
#define sigaddset(set, n)            ((void)(set), (void)(n), 0)
#define sigdelset(set, n)            ((void)(set), (void)(n), 0)
#define sigaction(n, set, before)    ((void)(n), (void)(set), (void)(before), -1)
#define sigaltstack(stack, before)   ((void)(stack), (void)(before), -1)
#define sigprocmask(how, set, before) ((void)(set), (void)(before), 0)

#endif
