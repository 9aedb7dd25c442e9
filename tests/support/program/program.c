#define _XOPEN_SOURCE 700 /* nftw */
#include "program.h"

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    strcpy(f->folder, "/tmp/carom-test-XXXXXX");
    assert_non_null(mkdtemp(f->folder));
    *state = f;
    return 0;
}

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *walk)
{
    (void)info, (void)type, (void)walk;
    return remove(path);
}

int tear_down(void **state)
{
    fixture *f = *state;
    nftw(f->folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    free(f->out);
    free(f->err);
    free(f);
    return 0;
}

const char *in_folder(const fixture *f, const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", f->folder, name);
    return path;
}

bool is_there(const fixture *f, const char *name)
{
    return access(in_folder(f, name), F_OK) == 0;
}

size_t count_files(const fixture *f)
{
    char command[128];
    unsigned count = 0;
    snprintf(command, sizeof command, "ls -A %s | wc -l", f->folder);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    assert_int_equal(fscanf(pipe, "%u", &count), 1);
    pclose(pipe);
    return count;
}

void put_file(const fixture *f, const char *name, const char *text)
{
    FILE *file = fopen(in_folder(f, name), "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

char *get_file(const fixture *f, const char *name)
{
    FILE *file = fopen(in_folder(f, name), "r");
    if (file == NULL) {
        return NULL;
    }
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = calloc((size_t)size + 1, 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)size, file), size);
    fclose(file);
    return text;
}

int shell_with(fixture *f, const char *program, const char *text)
{
    char command[4096];
    int length = snprintf(command, sizeof command, "cd %s && carom='%s' && ( %s ) 2>.err >.out",
                          f->folder, program, text);
    assert_true(length > 0 && (size_t)length < sizeof command);
    int status = system(command);
    free(f->out);
    free(f->err);
    f->out = get_file(f, ".out");
    f->err = get_file(f, ".err");
    remove(in_folder(f, ".out"));
    remove(in_folder(f, ".err"));
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

int run_carom(fixture *f, const char *arguments)
{
    char command[2048];
    snprintf(command, sizeof command, "\"$carom\" %s", arguments);
    return shell_with(f, CAROM_PROGRAM, command);
}
