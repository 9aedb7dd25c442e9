/* States for ParaView: NAME.pvd, a list of times, and a folder NAME beside it with a file for each.
 *
 * The list grows in place: every entry is written together with the end of the list, which the next
 * one overwrites, and only when its file is whole. So whatever ends the program, what is there can
 * be opened. The folder must be new, or have nothing in it but such files: those of a run before,
 * which are replaced.
 */
#define _XOPEN_SOURCE 700 /* O_NOFOLLOW, fdopen */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "cli/simulate/simulate.h"

enum { NUMBER_SIZE = 32 };

struct crm_collection {
    const crm_scene_def *scene;
    const bool *chosen; /* by body; NULL: all */
    crm_pose *places;
    char *path;   /* of the list */
    char *folder; /* the same without .pvd */
    char *file;   /* room for a name in it */
    size_t file_size;
    const char *base; /* last part of folder */
    FILE *list;
    crm_mark mark; /* its end is not counted */
    int problem;   /* errno; 0: none */
};

/* ---- Files of the folder --------------------------------------------------------------------- */

/* "name/name_000012.vtp": as the list has it, and, after the folder before it, as the system does.
 */
static const char *name_file(crm_collection *c, uint64_t row)
{
    snprintf(c->file, c->file_size, "%s/%s_%06llu.vtp", c->folder, c->base,
             (unsigned long long)row);
    return c->file + (c->base - c->folder);
}

/* Whether a name in the folder is one of ours; its number. */
static bool is_ours(const crm_collection *c, const char *name, uint64_t *row)
{
    size_t length = strlen(c->base);
    if (strncmp(name, c->base, length) != 0 || name[length] != '_') {
        return false;
    }
    const char *digits = name + length + 1;
    size_t count = strspn(digits, "0123456789");
    *row = strtoull(digits, NULL, 10);
    return count >= 6 && strcmp(digits + count, ".vtp") == 0;
}

/* All that is in the folder: refuse what is not ours, remove ours from row `from` on. */
static int clean_folder(crm_collection *c, uint64_t from)
{
    DIR *folder = opendir(c->folder);
    if (folder == NULL) {
        return crm_output_refuse(c->folder, errno);
    }
    int status = CRM_EXIT_DONE;
    for (struct dirent *entry; status == CRM_EXIT_DONE && (entry = readdir(folder)) != NULL;) {
        uint64_t row;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) {
            continue;
        }
        if (!is_ours(c, entry->d_name, &row)) {
            status = crm_message(CRM_EXIT_USAGE,
                                 "the folder %s contains another file (%s); choose another name "
                                 "for --history, or remove that file",
                                 c->folder, entry->d_name);
        } else if (row >= from) {
            name_file(c, row);
            unlink(c->file);
        }
    }
    closedir(folder);
    return status;
}

static int make_folder(crm_collection *c)
{
    if (mkdir(c->folder, 0777) == 0) {
        return CRM_EXIT_DONE;
    }
    if (errno != EEXIST) {
        return crm_output_refuse(c->folder, errno);
    }
    return clean_folder(c, UINT64_MAX);
}

/* The places of the bodies chosen come first; how many they are. */
static size_t find_places(crm_collection *c, const double *position, const double *velocity)
{
    size_t bodies = c->scene->bodies.body_count, count = 0;
    crm_poses_compute(c->scene, position, velocity, c->places);
    for (size_t i = 0; i < bodies; i++) {
        if (c->chosen == NULL || c->chosen[i]) {
            c->places[count++] = c->places[i];
        }
    }
    return count;
}

static bool write_file(crm_collection *c, double time, size_t places)
{
    unlink(c->file);
    errno = 0;
    int file = open(c->file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0666);
    FILE *stream = file >= 0 ? fdopen(file, "w") : NULL;
    if (stream == NULL) {
        int problem = errno;
        close(file);
        errno = problem;
        return false;
    }
    crm_vtk_states(stream, time, c->places, places);
    bool good = !ferror(stream);
    return fclose(stream) == 0 && good;
}

/* ---- The list -------------------------------------------------------------------------------- */

static void write_heading(const void *of, FILE *stream)
{
    (void)of; /* the same for all */
    crm_vtk_collection_begin(stream);
}

/* The list so far, as a new file in place of the old one. */
static int begin_list(crm_collection *c, const crm_mark *from)
{
    crm_output output = {0};
    char *heading = crm_resumed_heading(write_heading, NULL);
    int status = heading != NULL ? crm_output_open(&output, c->path) : crm_message_memory();
    if (status == CRM_EXIT_DONE && output.temporary == NULL) {
        status = crm_message(CRM_EXIT_WRITE, "%s must be a regular file, not a device or a pipe",
                             c->path);
    }
    if (status == CRM_EXIT_DONE) {
        status = crm_resumed_copy(c->path, heading, from, output.stream, &c->mark);
    }
    if (status == CRM_EXIT_DONE) {
        crm_vtk_collection_end(output.stream);
        status = crm_output_commit(&output);
    }
    crm_output_abandon(&output);
    free(heading);
    return status;
}

static bool put(const crm_collection *c, const char *text, size_t size)
{
    return pwrite(fileno(c->list), text, size, (off_t)c->mark.bytes) == (ssize_t)size;
}

/* In one piece: the entry and the end of the list after it. Where that does not fit, the list is
 * ended again as it was.
 */
static bool write_entry(crm_collection *c, double time, const char *name)
{
    char *text = NULL;
    size_t size = 0, entry;
    FILE *stream = open_memstream(&text, &size);
    if (stream == NULL) {
        return false;
    }
    crm_vtk_collection_entry(stream, time, name);
    bool good = fflush(stream) == 0;
    entry = size;
    crm_vtk_collection_end(stream);
    good = fclose(stream) == 0 && good;
    if (text == NULL) { /* the stream's first block, of which it says nothing */
        errno = ENOMEM;
        return false;
    }
    if (good && !put(c, text, size)) {
        int problem = errno;
        bool ended = put(c, text + entry, size - entry) &&
                     ftruncate(fileno(c->list), (off_t)(c->mark.bytes + size - entry)) == 0;
        errno = problem != 0 || ended ? problem : errno;
        good = false;
    }
    c->mark.bytes += good ? entry : 0;
    c->mark.rows += good;
    free(text);
    return good;
}

/* ---- All ------------------------------------------------------------------------------------- */

static bool take_names(crm_collection *c, const char *path)
{
    size_t length = strlen(path);
    c->path = crm_memory_copy_text(path);
    c->folder = crm_memory_copy_text(path);
    c->places = CRM_NEW(crm_pose, c->scene->bodies.body_count);
    c->file_size = 2 * length + NUMBER_SIZE;
    c->file = CRM_NEW(char, c->file_size);
    if (c->path == NULL || c->folder == NULL || c->places == NULL || c->file == NULL) {
        return false;
    }
    c->folder[length - strlen(".pvd")] = '\0';
    const char *slash = strrchr(c->folder, '/');
    c->base = slash != NULL ? slash + 1 : c->folder;
    return true;
}

int crm_collection_open(crm_collection **collection, const char *path, const crm_scene_def *scene,
                        const bool *chosen, const crm_mark *from)
{
    crm_collection *c = *collection = CRM_NEW(crm_collection, 1);
    if (c == NULL) {
        return crm_message_memory();
    }
    c->scene = scene;
    c->chosen = chosen;
    if (!take_names(c, path)) {
        return crm_message_memory();
    }
    if (c->base[0] == '\0') {
        return crm_message(CRM_EXIT_USAGE, "--history is '%s'; must have a name before .pvd", path);
    }
    int status = make_folder(c);
    status = status == CRM_EXIT_DONE ? begin_list(c, from) : status;
    if (status != CRM_EXIT_DONE) {
        return status;
    }
    c->list = fopen(c->path, "r+");
    return c->list != NULL ? CRM_EXIT_DONE : crm_output_refuse(c->path, errno);
}

bool crm_collection_add(crm_collection *c, double time, const double *position,
                        const double *velocity)
{
    if (c->problem != 0) {
        return false;
    }
    errno = 0;
    const char *name = name_file(c, c->mark.rows);
    size_t places = find_places(c, position, velocity);
    if (!write_file(c, time, places) || !write_entry(c, time, name)) {
        c->problem = errno != 0 ? errno : ENOSPC;
        unlink(c->file);
    }
    return c->problem == 0;
}

bool crm_collection_failed(const crm_collection *c)
{
    return c != NULL && c->problem != 0;
}

crm_mark crm_collection_mark(const crm_collection *c)
{
    return c->mark;
}

/* Remove files that a longer earlier run has left. */
int crm_collection_commit(crm_collection *c)
{
    return c->problem == 0 ? clean_folder(c, c->mark.rows) : crm_output_refuse(c->path, c->problem);
}

void crm_collection_abandon(crm_collection *c)
{
    if (c == NULL) {
        return;
    }
    if (c->list != NULL) {
        fclose(c->list);
    }
    free(c->places);
    free(c->path);
    free(c->folder);
    free(c->file);
    free(c);
}
