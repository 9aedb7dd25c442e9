/* The final state of the bodies of a motion: a row for each. */
#include "report/motion/bodies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "model/bodies/touches.h"
#include "report/text/rows.h"

enum { LABEL_LEAST = 12, LABEL_MOST = 60, COLUMNS_MOST = 8, NUMBER_WIDTH = 9 };

/* Speeds below this part of the strongest impact are rounding. */
static const double STILL = 1e-12;
/* Angles, and spins in rad/s, are printed with no more digits than this one needs. */
static const double SMALL_ANGLE = 0.01;

typedef struct cells {
    size_t count; /* of columns */
    const char *titles[COLUMNS_MOST];
    bool turns;     /* some body does: there are columns for it */
    bool halves[2]; /* positions, velocities: whether they are printed now */
    unsigned dimension;
    crm_scale position, angle, speed, spin;
    int width; /* of a column */
} cells;

/* The angle of a body in the plane, or on a string, is its last coordinate; NULL: it has none. */
static const double *angle_in(const crm_scene_walk *walk, const double *own, bool velocity)
{
    unsigned dimension = walk->scene->bodies.dimension;
    size_t count = crm_scene_components(walk, velocity);
    bool hangs = crm_scene_bob(walk) != NULL;
    return hangs || (dimension == 2 && count == 3) ? &own[count - 1] : NULL;
}

/* One body, and its own coordinates. */
typedef struct row {
    crm_scene_walk walk;
    const double *q, *v;
} row;

static bool is_shown(const row *r)
{
    return crm_scene_components(&r->walk, true) > 0;
}

static row first_row(const crm_motion_state *moved)
{
    return (row){{.scene = moved->scene}, moved->position, moved->velocity};
}

static void next_row(row *r)
{
    r->q += crm_scene_components(&r->walk, false);
    r->v += crm_scene_components(&r->walk, true);
    crm_scene_skip(&r->walk);
}

static bool is_over(const row *r)
{
    return r->walk.body >= r->walk.scene->bodies.body_count;
}

/* ---- Columns --------------------------------------------------------------------------------- */

static void widen(double *largest, const double *values, size_t count)
{
    for (size_t i = 0; i < count && values != NULL; i++) {
        *largest = fmax(*largest, fabs(values[i]));
    }
}

/* A scale for values up to `largest`, and room for them. */
static crm_scale scale_for(double largest, int *width)
{
    crm_scale scale = crm_scale_for(largest);
    char text[40];
    crm_scale_format(scale, -largest, text, sizeof text);
    int own = crm_text_width(text);
    *width = own > *width ? own : *width;
    return scale;
}

static void measure(const crm_motion_state *moved, const crm_pose *poses, cells *c)
{
    double position = 0, angle = 0, speed = 0, spin = 0;
    double still = moved->strongest.number > 0 ? STILL * moved->strongest.closing_speed : 0;
    for (row r = first_row(moved); !is_over(&r); next_row(&r)) {
        if (!is_shown(&r)) {
            continue;
        }
        const crm_pose *pose = &poses[r.walk.body];
        widen(&position, pose->x, c->dimension);
        widen(&speed, pose->v, c->dimension);
        widen(&angle, angle_in(&r.walk, r.q, false), 1);
        widen(&spin, angle_in(&r.walk, r.v, true), 1);
        c->turns |= angle_in(&r.walk, r.q, false) != NULL;
    }
    c->width = NUMBER_WIDTH;
    c->position = scale_for(position, &c->width);
    c->speed = scale_for(speed, &c->width);
    c->speed.zero = fmax(c->speed.zero, still);
    c->speed.scientific &= speed > still;
    if (c->turns) {
        c->angle = scale_for(fmax(angle, SMALL_ANGLE), &c->width);
        c->spin = scale_for(fmax(spin, SMALL_ANGLE), &c->width);
    }
}

static void name_columns(cells *c)
{
    static const char *const positions[] = {"x", "y", "z"}, *const rates[] = {"vx", "vy", "vz"};
    for (unsigned d = 0; d < c->dimension; d++) {
        c->titles[c->count++] = positions[d];
    }
    if (c->turns) {
        c->titles[c->count++] = "angle";
    }
    for (unsigned d = 0; d < c->dimension; d++) {
        c->titles[c->count++] = rates[d];
    }
    if (c->turns) {
        c->titles[c->count++] = "spin";
    }
}

static int name_width(const crm_motion_state *moved)
{
    int width = LABEL_LEAST;
    for (row r = first_row(moved); !is_over(&r); next_row(&r)) {
        char name[CRM_NAME_SIZE];
        crm_bodies_party_name(&moved->scene->bodies, r.walk.body, name, sizeof name);
        int own = crm_text_width(name);
        width = is_shown(&r) && own > width && own <= LABEL_MOST ? own : width;
    }
    return width;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static void print_number(const crm_sheet *sheet, crm_scale scale, const double *value)
{
    char text[40] = "";
    if (value != NULL) {
        crm_scale_format(scale, *value, text, sizeof text);
    }
    crm_sheet_cell(sheet, CRM_TONE_PLAIN, text);
}

/* Half of the columns: positions, or velocities. */
static void print_half(const crm_sheet *sheet, const cells *c, const row *r, const crm_pose *pose,
                       bool velocity)
{
    for (unsigned d = 0; d < c->dimension; d++) {
        print_number(sheet, velocity ? c->speed : c->position,
                     velocity ? &pose->v[d] : &pose->x[d]);
    }
    if (c->turns) {
        print_number(sheet, velocity ? c->spin : c->angle,
                     angle_in(&r->walk, velocity ? r->v : r->q, velocity));
    }
}

static void print_body(const crm_sheet *sheet, const cells *c, const row *r, const crm_pose *pose)
{
    char name[CRM_NAME_SIZE];
    crm_bodies_party_name(&r->walk.scene->bodies, r->walk.body, name, sizeof name);
    crm_sheet_name(sheet, name);
    for (int half = 0; half < 2; half++) {
        if (c->halves[half]) {
            print_half(sheet, c, r, pose, half == 1);
        }
    }
    crm_sheet_end_row(sheet);
}

/* In the order of the scene. */
static void print_rows(const crm_motion_state *moved, const crm_pose *poses, const cells *c,
                       const crm_rows *rows, const crm_sheet *sheet)
{
    size_t at = 0, shown = 0;
    for (row r = first_row(moved); !is_over(&r); next_row(&r)) {
        if (!is_shown(&r) || shown == rows->count || at++ != rows->index[shown]) {
            continue;
        }
        print_body(sheet, c, &r, &poses[r.walk.body]);
        crm_rows_print_omission(rows, shown, "bodies", sheet);
        shown++;
    }
}

/* ---- Which rows ------------------------------------------------------------------------------ */

typedef struct shown_bodies {
    const crm_bodies_def *def;
    size_t count;
    size_t *body; /* by row */
} shown_bodies;

static bool is_called(const void *context, size_t at, const char *name)
{
    const shown_bodies *shown = context;
    return crm_scene_is_called(shown->def, shown->body[at], name);
}

static int ascending(const void *a, const void *b)
{
    size_t first = *(const size_t *)a, second = *(const size_t *)b;
    return (first > second) - (first < second);
}

static crm_status choose_rows(const crm_motion_state *moved, const char *wanted, crm_rows *rows,
                              crm_error *error)
{
    shown_bodies shown = {.def = &moved->scene->bodies,
                          .body = CRM_NEW(size_t, moved->scene->bodies.body_count)};
    *rows = (crm_rows){0};
    if (shown.body == NULL) {
        return crm_fail_memory(error);
    }
    for (row r = first_row(moved); !is_over(&r); next_row(&r)) {
        if (is_shown(&r)) {
            shown.body[shown.count++] = r.walk.body;
        }
    }
    const crm_listed list = {
        .context = &shown, .total = shown.count, .what = "bodies", .is_called = is_called};
    crm_status status = crm_rows_choose(&list, wanted, CRM_ROWS_MOST, rows, error);
    if (status == CRM_OK && rows->count > 1) {
        qsort(rows->index, rows->count, sizeof *rows->index, ascending);
    }
    free(shown.body);
    return status;
}

crm_status crm_motion_print_bodies(const crm_motion_report *report, crm_style style,
                                   crm_sheet *sheet, crm_error *error)
{
    const crm_motion_state *moved = &report->moved;
    cells c = {.dimension = moved->scene->bodies.dimension};
    crm_pose *poses = CRM_NEW(crm_pose, moved->scene->bodies.body_count);
    if (poses == NULL) {
        return crm_fail_memory(error);
    }
    crm_poses_compute(moved->scene, moved->position, moved->velocity, poses);
    measure(moved, poses, &c);
    crm_rows rows;
    if (choose_rows(moved, style.rows, &rows, error) != CRM_OK) {
        free(poses);
        return CRM_ERROR_MEMORY;
    }
    name_columns(&c);
    sheet->name_width = name_width(moved);
    sheet->column_width = c.width;
    int all = sheet->name_width + 2 + (int)c.count * (sheet->column_width + 2);
    int parts = all > style.width ? 2 : 1; /* where they do not fit, velocities go below */
    sheet->columns = c.count / (size_t)parts;
    for (int part = 0; part < parts && rows.count > 0; part++) {
        c.halves[0] = part == 0;
        c.halves[1] = part + 1 == parts;
        sheet->titles = c.titles + (size_t)part * sheet->columns;
        crm_sheet_heading(sheet, "end state, SI");
        print_rows(moved, poses, &c, &rows, sheet);
    }
    crm_rows_free(&rows);
    free(poses);
    return CRM_OK;
}
