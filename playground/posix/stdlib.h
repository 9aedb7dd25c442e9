/* What stdlib.h of wasi-libc does not declare. */
#ifndef CRM_POSIX_STDLIB_H
#define CRM_POSIX_STDLIB_H

#include_next <stdlib.h>

char *realpath(const char *restrict path, char *restrict resolved);

#endif
