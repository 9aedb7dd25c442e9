/* What sys/stat.h of wasi-libc does not declare. */
#ifndef CRM_POSIX_SYS_STAT_H
#define CRM_POSIX_SYS_STAT_H

#include_next <sys/stat.h>

int fchmod(int file, mode_t mode);

#endif
