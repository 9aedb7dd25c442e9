/* Where the bodies are at the end of a motion: a row for each. */
#include "report/motion/bodies.h"

#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "model/touches.h"

enum { LABEL_LEAST = 12, LABEL_MOST = 60, COLUMNS_MOST = 8, NUMBER_WIDTH = 9, LONG_WIDTH = 12 };

/* Speeds below this part of the strongest blow are rounding. */
static const double STILL = 1e-12;
/* Angles, and spins in a second, that are told apart from 0 as well as this one need no more
 * digits. */
static const double SMALL_ANGLE = 0.01;

typedef struct cells {
    size_t count; /* of columns */
    const char *titles[COLUMNS_MOST];
    bool turns; /* something does: there are columns for it */
    unsigned dimension;
    crm_scale place, angle, speed, spin;
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

static row first_row(const crm_moved *moved)
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

static size_t measure(const crm_moved *moved, const crm_pose *poses, cells *c)
{
    double place = 0, angle = 0, speed = 0, spin = 0;
    double still = moved->strongest.number > 0 ? STILL * moved->strongest.closing_speed : 0;
    size_t shown = 0;
    for (row r = first_row(moved); !is_over(&r); next_row(&r)) {
        if (!is_shown(&r)) {
            continue;
        }
        const crm_pose *pose = &poses[r.walk.body];
        widen(&place, pose->x, c->dimension);
        widen(&speed, pose->v, c->dimension);
        widen(&angle, angle_in(&r.walk, r.q, false), 1);
        widen(&spin, angle_in(&r.walk, r.v, true), 1);
        c->turns |= angle_in(&r.walk, r.q, false) != NULL;
        shown++;
    }
    c->place = crm_scale_for(place);
    c->angle = crm_scale_for(fmax(angle, SMALL_ANGLE));
    c->speed = crm_scale_for(speed);
    c->speed.zero = fmax(c->speed.zero, still);
    c->speed.scientific &= speed > still;
    c->spin = crm_scale_for(fmax(spin, SMALL_ANGLE));
    return shown;
}

static void name_columns(cells *c)
{
    static const char *const places[] = {"x", "y", "z"}, *const rates[] = {"vx", "vy", "vz"};
    for (unsigned d = 0; d < c->dimension; d++) {
        c->titles[c->count++] = places[d];
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

static int name_width(const crm_moved *moved)
{
    int width = LABEL_LEAST;
    for (row r = first_row(moved); !is_over(&r); next_row(&r)) {
        char name[CRM_NAME_SIZE];
        crm_party_name(&moved->scene->bodies, r.walk.body, name, sizeof name);
        int own = crm_text_width(name);
        width = is_shown(&r) && own > width && own <= LABEL_MOST ? own : width;
    }
    return width;
}

/* ---- Rows -------------------------------------------------------------------------------------
 */

static void print_number(const crm_sheet *sheet, crm_scale scale, const double *value)
{
    char text[40] = "";
    if (value != NULL) {
        crm_scale_format(scale, *value, text, sizeof text);
    }
    crm_sheet_cell(sheet, CRM_TONE_PLAIN, text);
}

static void print_body(const crm_sheet *sheet, const cells *c, const row *r, const crm_pose *pose)
{
    char name[CRM_NAME_SIZE];
    crm_party_name(&r->walk.scene->bodies, r->walk.body, name, sizeof name);
    crm_sheet_name(sheet, name);
    for (unsigned d = 0; d < c->dimension; d++) {
        print_number(sheet, c->place, &pose->x[d]);
    }
    if (c->turns) {
        print_number(sheet, c->angle, angle_in(&r->walk, r->q, false));
    }
    for (unsigned d = 0; d < c->dimension; d++) {
        print_number(sheet, c->speed, &pose->v[d]);
    }
    if (c->turns) {
        print_number(sheet, c->spin, angle_in(&r->walk, r->v, true));
    }
    crm_sheet_end_row(sheet);
}

static void print_rows(const crm_moved *moved, const crm_pose *poses, const cells *c, size_t count,
                       const crm_sheet *sheet)
{
    size_t at = 0, shown = 0;
    for (row r = first_row(moved); !is_over(&r); next_row(&r)) {
        if (!is_shown(&r) || at++ != shown) {
            continue;
        }
        print_body(sheet, c, &r, &poses[r.walk.body]);
        size_t next = crm_sheet_next_row(shown, count);
        crm_sheet_gap(sheet, shown, next, "bodies");
        shown = next;
    }
}

crm_status crm_motion_print_bodies(const crm_motion_report *report, crm_sheet *sheet,
                                   crm_error *error)
{
    const crm_moved *moved = &report->moved;
    cells c = {.dimension = moved->scene->bodies.dimension};
    crm_pose *poses = CRM_NEW(crm_pose, moved->scene->bodies.body_count);
    if (poses == NULL) {
        return crm_fail_memory(error);
    }
    crm_scene_poses(moved->scene, moved->position, moved->velocity, poses);
    size_t count = measure(moved, poses, &c);
    bool wide = c.place.scientific || c.angle.scientific || c.speed.scientific || c.spin.scientific;
    name_columns(&c);
    sheet->name_width = name_width(moved);
    sheet->columns = c.count;
    sheet->titles = c.titles;
    sheet->column_width = wide ? LONG_WIDTH : NUMBER_WIDTH;
    crm_sheet_heading(sheet, "at the end, SI");
    print_rows(moved, poses, &c, count, sheet);
    free(poses);
    return CRM_OK;
}
