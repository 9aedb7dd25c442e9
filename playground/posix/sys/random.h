/* Random bytes: from the host. */
#ifndef CRM_POSIX_SYS_RANDOM_H
#define CRM_POSIX_SYS_RANDOM_H

#include <stddef.h>
#include <unistd.h>

int getentropy(void *bytes, size_t size);

enum { GRND_NONBLOCK };

#define getrandom(bytes, size, flags) (getentropy((bytes), (size)) == 0 ? (ssize_t)(size) : -1)

#endif
