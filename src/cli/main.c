#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/cli.h"

/* The program ends here, without the exit handlers of libraries: all files are closed and checked
 * by then. OpenBLAS, where a library brings it, waits for its threads, and where address space is
 * short (`ulimit -v`) these ask for their memory again and again and never end. Sanitizers and
 * coverage report at the usual end.
 */
int main(int argc, char **argv)
{
    int status = crm_cli(argc, argv);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(CAROM_COVERAGE)
    fflush(NULL);
    _exit(status);
#endif
    return status;
}
