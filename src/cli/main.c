#include "cli/cli.h"

int main(int argc, char **argv)
{
    return crm_cli(argc, argv);
}
