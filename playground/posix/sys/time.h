/* Timers: none; limits of time are polled. */
#ifndef CRM_POSIX_SYS_TIME_H
#define CRM_POSIX_SYS_TIME_H

#include_next <sys/time.h>

struct itimerval {
    struct timeval it_interval, it_value;
};

enum { ITIMER_REAL };

#define setitimer(which, value, before) ((void)(value), (void)(before), -1)

#endif
