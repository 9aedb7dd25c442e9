/* Running the program in a folder of its own, as a person or a script would. */
#ifndef CAROM_TEST_PROGRAM_H
#define CAROM_TEST_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

typedef struct fixture {
    char folder[64];
    char *out, *err; /* of the last command */
} fixture;

/* For cmocka: *state is a fixture with an empty folder, removed at the end. */
int set_up(void **state);
int tear_down(void **state);

/* The path of a file of the folder, until the next call. */
const char *in_folder(const fixture *f, const char *name);
bool is_there(const fixture *f, const char *name);
size_t count_files(const fixture *f);
void put_file(const fixture *f, const char *name, const char *text);
/* The text of a file, to be freed; NULL if there is none. */
char *get_file(const fixture *f, const char *name);

/* A shell command in the folder, in which $carom is the given program; the exit status. */
int shell_with(fixture *f, const char *program, const char *command);
/* The program with these arguments; they may redirect. The exit status. */
int run_carom(fixture *f, const char *arguments);

/* With cmocka.h before. */
#define ASSERT_SAYS(text, words)                                                                   \
    do {                                                                                           \
        if (strstr((text), (words)) == NULL) {                                                     \
            fail_msg("'%s' does not say '%s'", (text), (words));                                   \
        }                                                                                          \
    } while (0)

#endif
