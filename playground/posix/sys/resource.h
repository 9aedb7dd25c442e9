/* Limits of a process: none but the largest memory of the module. */
#ifndef CRM_POSIX_SYS_RESOURCE_H
#define CRM_POSIX_SYS_RESOURCE_H

typedef unsigned long long rlim_t;

struct rlimit {
    rlim_t rlim_cur, rlim_max;
};

enum { RLIMIT_DATA };

#define getrlimit(which, limit) ((void)(limit), -1)
#define setrlimit(which, limit) ((void)(limit), -1)

#endif
