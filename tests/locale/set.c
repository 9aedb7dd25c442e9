/* Loaded before any program (LD_PRELOAD), this sets the locale CAROM_TEST_LOCALE as a host program
 * would, before main: tests/locale/run.
 */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((constructor)) static void set(void)
{
    const char *name = getenv("CAROM_TEST_LOCALE");
    if (name != NULL && setlocale(LC_ALL, name) == NULL) {
        fprintf(stderr, "there is no locale %s\n", name);
        abort();
    }
    setlocale(LC_MESSAGES, "C"); /* in what language the system tells of a full disk is no matter */
}
