/* What unistd.h of wasi-libc does not declare. */
#ifndef CRM_POSIX_UNISTD_H
#define CRM_POSIX_UNISTD_H

#include_next <unistd.h>

int dup(int file);
int fchown(int file, uid_t owner, gid_t group);
uid_t geteuid(void);
int lockf(int file, int command, off_t size);

#endif
