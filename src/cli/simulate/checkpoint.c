/* A motion in a file, to go on from. One line of text says how far the run's other files were:
 *
 *     carom checkpoint 1: STATES BYTES IMPACTS BYTES UNSOLVED STRONGEST PARTIES TIME SPEED HASH
 *
 * (numbers of the strongest impact in hexadecimal, so that they are read as they were), then comes
 * the motion as the library archives it.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/base.h"
#include "base/locale.h"
#include "cli/simulate/simulate.h"

enum { LINE_SIZE = 512 };

/* ---- Writing --------------------------------------------------------------------------------- */

static crm_status write_bytes(void *context, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, context) == size ? CRM_OK : CRM_ERROR_STOPPED;
}

static void write_line(FILE *stream, const crm_checkpoint *c)
{
    char line[LINE_SIZE];
    const crm_strongest *s = &c->strongest;
    int length =
        crm_snprintf(line, sizeof line,
                     "carom checkpoint 1: %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
                     " %" PRIu64 " %zu %zu %a %a ",
                     c->states.rows, c->states.bytes, c->impacts.rows, c->impacts.bytes,
                     c->unsolved, s->number, s->party[0], s->party[1], s->time, s->closing_speed);
    fprintf(stream, "%s%016" PRIx64 "\n", line, crm_hash(CRM_HASH_START, line, (size_t)length));
}

int crm_checkpoint_write(const char *path, const crm_checkpoint *checkpoint,
                         const crm_motion *motion)
{
    crm_output output;
    crm_error error = {0};
    int status = crm_output_open(&output, path);
    if (status == CRM_EXIT_DONE) {
        write_line(output.stream, checkpoint);
        crm_status saved = crm_motion_save(motion, write_bytes, output.stream, &error);
        if (saved == CRM_ERROR_MEMORY) {
            status = crm_message_memory();
        } else if (saved == CRM_ERROR_ARGUMENT) {
            status = crm_message(CRM_EXIT_NO_ANSWER, "--checkpoint: %s", error.message);
        }
    }
    status = status == CRM_EXIT_DONE ? crm_output_commit(&output) : status;
    crm_output_abandon(&output);
    return status;
}

/* ---- Reading --------------------------------------------------------------------------------- */

static crm_status read_bytes(void *context, void *bytes, size_t size)
{
    return fread(bytes, 1, size, context) == size ? CRM_OK : CRM_ERROR_STOPPED;
}

static bool read_line(FILE *stream, crm_checkpoint *c)
{
    char line[LINE_SIZE];
    crm_strongest *s = &c->strongest;
    uint64_t hash;
    int used = 0;
    if (fgets(line, sizeof line, stream) == NULL) {
        return false;
    }
    int count = crm_sscanf(line,
                           "carom checkpoint 1: %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
                           " %" SCNu64 " %" SCNu64 " %zu %zu %la %la %n%16" SCNx64,
                           &c->states.rows, &c->states.bytes, &c->impacts.rows, &c->impacts.bytes,
                           &c->unsolved, &s->number, &s->party[0], &s->party[1], &s->time,
                           &s->closing_speed, &used, &hash);
    return count == 11 && hash == crm_hash(CRM_HASH_START, line, (size_t)used);
}

static int load(FILE *stream, const char *path, crm_checkpoint *checkpoint, crm_motion *motion)
{
    crm_error error = {0};
    if (!read_line(stream, checkpoint)) {
        return crm_message(CRM_EXIT_USAGE, "--resume '%s' is not a carom checkpoint, or is damaged",
                           path);
    }
    crm_status loaded = crm_motion_load(motion, read_bytes, stream, &error);
    if (loaded == CRM_ERROR_MEMORY) {
        return crm_message_memory();
    }
    if (loaded != CRM_OK) {
        return crm_message(CRM_EXIT_USAGE, "--resume '%s' does not fit this scenario: %s", path,
                           error.message);
    }
    return fgetc(stream) == EOF
               ? CRM_EXIT_DONE
               : crm_message(CRM_EXIT_USAGE,
                             "--resume '%s' has data after the end of the checkpoint", path);
}

int crm_checkpoint_read(const char *path, crm_checkpoint *checkpoint, crm_motion *motion)
{
    FILE *stream = fopen(path, "rb");
    if (stream == NULL) {
        int problem = errno;
        return problem == ENOMEM ? crm_message_memory()
                                 : crm_message(CRM_EXIT_USAGE, "--resume '%s' cannot be read: %s",
                                               path, strerror(problem));
    }
    int status = load(stream, path, checkpoint, motion);
    fclose(stream);
    return status;
}
