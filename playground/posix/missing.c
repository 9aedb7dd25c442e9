/* Functions of POSIX that wasi-libc does not have: there are no users, links, locks or pages to advise on. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int madvise(void *start, size_t size, int advice)
{
    (void)start, (void)size, (void)advice;
    return 0;
}

char *realpath(const char *restrict path, char *restrict resolved)
{
    return resolved != NULL ? strcpy(resolved, path) : strdup(path);
}

int fchmod(int file, mode_t mode)
{
    (void)file, (void)mode;
    return 0;
}

int fchown(int file, uid_t owner, gid_t group)
{
    (void)file, (void)owner, (void)group;
    return 0;
}

uid_t geteuid(void)
{
    return 0;
}

int lockf(int file, int command, off_t size)
{
    (void)file, (void)command, (void)size;
    return 0;
}

int dup(int file)
{
    (void)file;
    errno = ENOSYS;
    return -1;
}

FILE *tmpfile(void)
{
    errno = ENOSYS;
    return NULL;
}
