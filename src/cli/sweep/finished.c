/* Whether an existing table is the complete table of this study, so that nothing is left to resume.
 *
 * A table of CSV says nothing of where it comes from. It is this study's if its heading and the
 * values of the fields in every row are, and if what it says of the first and of the last point is
 * what comes out when they are solved again. HDF5 keeps the study's signature.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "base/locale.h"
#include "cli/plugin.h"
#include "cli/sweep/sweep.h"

void crm_sweep_sign(const crm_study *study, size_t first, size_t last,
                    char text[CRM_SIGNATURE_SIZE])
{
    snprintf(text, CRM_SIGNATURE_SIZE, "%016llx %zu %zu",
             (unsigned long long)crm_study_digest(study), first, last);
}

/* ---- Rows ----------------------------------------------------------------------------------- */

typedef struct table {
    const char *at, *end; /* what is not looked at yet */
} table;

/* Whether the rest begins with this text, which is passed then. */
static bool pass(table *t, const char *text, size_t length)
{
    bool same = (size_t)(t->end - t->at) >= length && memcmp(t->at, text, length) == 0;
    t->at += same ? length : 0;
    return same;
}

/* The next cell, as it stands there; a line's end or a comma follows, which is passed. */
static table next_cell(table *t)
{
    table cell = {t->at, t->at};
    bool quoted = false;
    while (cell.end < t->end && (quoted || (*cell.end != ',' && *cell.end != '\n'))) {
        quoted ^= *cell.end == '"';
        cell.end++;
    }
    t->at = cell.end < t->end ? cell.end + 1 : cell.end;
    return cell;
}

static void pass_line(table *t)
{
    bool last = false;
    while (!last && t->at < t->end) {
        last = *next_cell(t).end == '\n';
    }
}

/* Another machine may round otherwise, a cluster have several kinds: SAME is far above what that
 * does to a solved impact, and below what a change of the scenario does. A quantity that is zero
 * but for rounding is below NOTHING, in any unit of SI that people compute in.
 */
static const double SAME = 1e-6, NOTHING = 1e-12;

static bool same_cells(table a, table b)
{
    char text[2][64] = {"", ""}, *end[2];
    size_t length[2] = {(size_t)(a.end - a.at), (size_t)(b.end - b.at)};
    if (length[0] == length[1] && memcmp(a.at, b.at, length[0]) == 0) {
        return true;
    }
    if (length[0] >= sizeof text[0] || length[1] >= sizeof text[1]) {
        return false;
    }
    memcpy(text[0], a.at, length[0]);
    memcpy(text[1], b.at, length[1]);
    double x = crm_strtod(text[0], &end[0]), y = crm_strtod(text[1], &end[1]);
    bool numbers = length[0] > 0 && length[1] > 0 && *end[0] == '\0' && *end[1] == '\0';
    double larger = fmax(fabs(x), fabs(y));
    return numbers && (larger < NOTHING || fabs(x - y) <= SAME * larger);
}

static bool same_rows(table a, table b)
{
    bool same = true;
    while (same && a.at < a.end && b.at < b.end) {
        same = same_cells(next_cell(&a), next_cell(&b));
    }
    return same && a.at == a.end && b.at == b.end;
}

/* ---- CSV ------------------------------------------------------------------------------------ */

typedef struct check {
    const crm_study *study;
    size_t first, last;
    bool heading;
    table rows[2];      /* of the first and of the last point */
    bool out_of_memory; /* memory ran out */
} check;

static bool pass_heading(check *c, table *t)
{
    char *text = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&text, &length);
    if (memory != NULL) {
        crm_sweep_heading(c->study, memory);
    }
    c->out_of_memory = memory == NULL || fclose(memory) != 0 || text == NULL;
    bool same = !c->out_of_memory && pass(t, text, length);
    free(text);
    return same;
}

/* The rows of one point: each begins with the point and the values of the fields. */
static bool pass_point(check *c, table *t, size_t point)
{
    size_t length = 0;
    char *values = crm_sweep_values(c->study, point, &length);
    bool same = values != NULL;
    c->out_of_memory = values == NULL;
    for (size_t law = 0; law < crm_study_laws(c->study) && same; law++) {
        same = pass(t, values, length);
        pass_line(t);
    }
    free(values);
    return same;
}

static bool has_our_points(check *c, table t)
{
    bool same = !c->heading || pass_heading(c, &t);
    for (size_t point = c->first; point < c->last && same; point++) {
        table rows = t;
        same = pass_point(c, &t, point);
        rows.end = t.at;
        c->rows[0] = point == c->first ? rows : c->rows[0];
        c->rows[1] = rows;
    }
    return same && t.at == t.end;
}

static crm_status compare_point(const check *c, crm_study_worker *worker, size_t point, table rows,
                                bool *same, crm_error *error)
{
    const crm_study_row *solved;
    size_t length = 0, unsolved = 0;
    crm_status status = crm_study_solve(worker, point, &solved, error);
    char *text =
        status == CRM_OK ? crm_sweep_rows(c->study, point, solved, &length, &unsolved) : NULL;
    if (text == NULL) {
        return status != CRM_OK ? status : crm_fail_memory(error);
    }
    *same = same_rows(rows, (table){text, text + length});
    free(text);
    return CRM_OK;
}

static crm_status has_our_results(const check *c, bool *same, crm_error *error)
{
    crm_study_worker *worker = NULL;
    *same = true;
    if (c->first == c->last) {
        return CRM_OK;
    }
    crm_status status = crm_study_worker_create(c->study, &worker, error);
    if (status == CRM_OK) {
        status = compare_point(c, worker, c->first, c->rows[0], same, error);
    }
    if (status == CRM_OK && *same && c->last - c->first > 1) {
        status = compare_point(c, worker, c->last - 1, c->rows[1], same, error);
    }
    crm_study_worker_free(worker);
    return status;
}

static int check_csv(check *c, const char *target, bool *same)
{
    struct stat info;
    crm_error error = {0};
    int file = open(target, O_RDONLY | O_CLOEXEC);
    if (file < 0 || fstat(file, &info) != 0) {
        int problem = errno;
        if (file >= 0) {
            close(file);
        }
        return crm_message(CRM_EXIT_WRITE, "%s could not be read: %s", target, strerror(problem));
    }
    size_t size = (size_t)info.st_size;
    char *bytes = size > 0 ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
    close(file);
    *same = false;
    crm_status status = CRM_OK;
    if (bytes != MAP_FAILED) {
        if (has_our_points(c, (table){bytes, bytes + size})) {
            status = has_our_results(c, same, &error);
        }
        munmap(bytes, size);
    }
    if (c->out_of_memory) {
        return crm_message_memory();
    }
    return status == CRM_OK ? CRM_EXIT_DONE : crm_message_error(CRM_EXIT_NO_ANSWER, &error);
}

/* ---- Either --------------------------------------------------------------------------------- */

static int check_hdf5(const check *c, const char *target, bool *same)
{
    char wanted[CRM_SIGNATURE_SIZE], found[CRM_SIGNATURE_SIZE] = "";
    const crm_hdf5_module *module;
    int status = crm_plugin_hdf5(target, &module);
    if (status == CRM_EXIT_DONE) {
        crm_sweep_sign(c->study, c->first, c->last, wanted);
        *same = module->text(target, CRM_SIGNATURE_NAME, found, sizeof found) &&
                strcmp(found, wanted) == 0;
    }
    return status;
}

int crm_sweep_check(const crm_study *study, const char *target, size_t first, size_t last,
                    bool heading)
{
    check c = {.study = study, .first = first, .last = last, .heading = heading};
    bool same = false;
    int status =
        crm_plugin_is_hdf5(target) ? check_hdf5(&c, target, &same) : check_csv(&c, target, &same);
    if (status == CRM_EXIT_DONE && !same) {
        status = crm_message(CRM_EXIT_USAGE,
                             "%s is not the table of this study, and there is no %s.part to resume "
                             "from; choose another -o FILE, or omit --resume to replace it",
                             target, target);
    }
    return status;
}
