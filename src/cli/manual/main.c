/* carom_manual FOLDER: writes man pages and completions below FOLDER, as share/ has them. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "cli/manual/manual.h"

enum { PATH_SIZE = 4096 };

/* This program is part of the build: what it cannot do ends the build. */
static FILE *create(const char *folder, const char *name)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *stream = fopen(path, "w");
    if (stream == NULL) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    return stream;
}

static void finish(FILE *stream)
{
    if (ferror(stream) != 0 || fclose(stream) != 0) {
        perror("carom_manual");
        exit(EXIT_FAILURE);
    }
}

static void write_whole(const char *folder, const char *name, void (*print)(FILE *stream))
{
    FILE *stream = create(folder, name);
    print(stream);
    finish(stream);
}

static void write_commands(const char *folder)
{
    for (size_t i = 0; crm_command_at(i) != NULL; i++) {
        const crm_command *command = crm_command_at(i);
        char name[64];
        snprintf(name, sizeof name, "carom-%s.1", command->name);
        FILE *stream = create(folder, name);
        crm_manual_print_command(stream, command);
        finish(stream);
    }
}

int main(int count, char **words)
{
    if (count != 2) {
        fputs("usage: carom_manual FOLDER\n", stderr);
        return EXIT_FAILURE;
    }
    mkdir(words[1], 0777); /* there already, or create() says what is wrong */
    write_whole(words[1], "carom.1", crm_manual_print_program);
    write_commands(words[1]);
    write_whole(words[1], "carom-scenario.5", crm_manual_print_scenario);
    write_whole(words[1], "carom.bash", crm_manual_complete_bash);
    write_whole(words[1], "_carom", crm_manual_complete_zsh);
    write_whole(words[1], "carom.fish", crm_manual_complete_fish);
    return EXIT_SUCCESS;
}
