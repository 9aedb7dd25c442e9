/* POSIX threads where there is one thread: what src/ uses of them. A lock is always free, and a thread that is asked
 * for is not to be had, which base/team.c takes for a machine with one core.
 */
#ifndef CRM_POSIX_PTHREAD_H
#define CRM_POSIX_PTHREAD_H

#include <errno.h>
#include <signal.h>
#include <stddef.h>

typedef int pthread_t, pthread_mutex_t, pthread_cond_t;

#define pthread_self()              0
#define pthread_equal(a, b)         ((a) == (b))
#define pthread_create(t, a, f, x)  ((void)(t), (void)(f), (void)(x), EAGAIN)
#define pthread_join(t, r)          ((void)(t), 0)
#define pthread_mutex_init(m, a)    (*(m) = 0)
#define pthread_mutex_destroy(m)    ((void)(m))
#define pthread_mutex_lock(m)       ((void)(m), 0)
#define pthread_mutex_trylock(m)    ((void)(m), 0)
#define pthread_mutex_unlock(m)     ((void)(m), 0)
#define pthread_cond_init(c, a)     (*(c) = 0)
#define pthread_cond_destroy(c)     ((void)(c))
#define pthread_cond_wait(c, m)     ((void)(c), (void)(m), 0)
#define pthread_cond_signal(c)      ((void)(c), 0)
#define pthread_cond_broadcast(c)   ((void)(c), 0)
#define pthread_sigmask(how, s, b)  sigprocmask(how, s, b)

#endif
