/* The table of a motion: duration, impacts, energies, final state. */
#include <math.h>

#include "base/base.h"
#include "base/locale.h"
#include "model/bodies/touches.h"
#include "report/motion/bodies.h"

enum { LABEL_WIDTH = 22, COLUMN_WIDTH = 12 };

/* Overlaps below this part of the positions are rounding. */
static const double ROUNDING = 1e-12;

typedef struct table {
    const crm_motion_report *report;
    crm_sheet sheet;
    int width;
} table;

static double largest_of(const double *values, size_t count)
{
    double largest = 0;
    for (size_t i = 0; i < count; i++) {
        largest = fmax(largest, fabs(values[i]));
    }
    return largest;
}

/* ---- What happened --------------------------------------------------------------------------- */

static const char *stop_text(crm_motion_stop stop)
{
    switch (stop) {
    case CRM_STOP_AT_REST:
        return "stopped, all bodies at rest";
    case CRM_STOP_IMPACTS:
        return "stopped at the requested number of impacts";
    case CRM_STOP_INTERRUPTED:
        return "interrupted";
    default:
        return "failed";
    }
}

static void print_title(const table *t)
{
    const crm_motion_report *r = t->report;
    if (r->title[0] != '\0') {
        crm_sheet_text(&t->sheet, CRM_TONE_STRONG, r->title);
        fputc('\n', t->sheet.stream);
    }
    fprintf(t->sheet.stream, "%zu %s, %zu %s; %s, impacts by %s\n",
            r->moved.scene->bodies.body_count,
            r->moved.scene->bodies.body_count == 1 ? "body" : "bodies",
            r->moved.scene->bodies.wall_count,
            r->moved.scene->bodies.wall_count == 1 ? "wall" : "walls",
            crm_motion_scheme_text(r->scheme), r->law);
}

static void print_strongest(const table *t)
{
    const crm_strongest *s = &t->report->moved.strongest;
    char first[CRM_NAME_SIZE], second[CRM_NAME_SIZE];
    if (s->number == 0) {
        return;
    }
    crm_bodies_party_name(&t->report->moved.scene->bodies, s->party[0], first, sizeof first);
    crm_bodies_party_name(&t->report->moved.scene->bodies, s->party[1], second, sizeof second);
    crm_sheet_name(&t->sheet, "strongest");
    crm_fprintf(t->sheet.stream, "  at %.9g s: %s - %s, closing %.6g m/s\n", s->time, first, second,
                s->closing_speed);
}

/* Speeds below this part of the strongest impact count as rest: what the default tolerance
 * promises. */
static const double SLOW = 1e-9;

typedef struct moving {
    size_t bodies, still;
} moving;

/* How many bodies can move, and how many of these are still. */
static moving count_moving(const crm_motion_state *moved)
{
    moving count = {0, 0};
    double slow = SLOW * (moved->strongest.number > 0 ? moved->strongest.closing_speed : 0);
    const double *v = moved->velocity;
    for (crm_scene_walk walk = {.scene = moved->scene}; walk.body < moved->scene->bodies.body_count;
         crm_scene_skip(&walk)) {
        size_t own = crm_scene_components(&walk, true);
        count.bodies += own > 0;
        count.still += own > 0 && largest_of(v, own) <= slow;
        v += own;
    }
    return count;
}

static void print_rest(const table *t)
{
    const crm_motion_state *moved = &t->report->moved;
    FILE *stream = t->sheet.stream;
    moving count = count_moving(moved);
    crm_sheet_name(&t->sheet, "at rest");
    if (!isnan(moved->summary.at_rest_since)) {
        crm_fprintf(stream, "  %s since %.9g s\n", count.bodies == 1 ? "yes," : "all bodies,",
                    moved->summary.at_rest_since);
    } else if (count.bodies == 1) {
        fputs("  no\n", stream);
    } else if (count.still == 0) {
        fprintf(stream, "  none of %zu bodies\n", count.bodies);
    } else {
        fprintf(stream, "  %zu of %zu bodies\n", count.still, count.bodies);
    }
}

static void print_time(const table *t)
{
    const crm_motion_report *r = t->report;
    FILE *stream = t->sheet.stream;
    crm_sheet_name(&t->sheet, "time");
    if (r->moved.stopped == CRM_STOP_DURATION) {
        crm_fprintf(stream, "  %.9g s, the whole duration\n", r->moved.time);
        return;
    }
    crm_fprintf(stream, "  %.9g s of %.9g s: %s\n", r->moved.time, r->duration,
                stop_text(r->moved.stopped));
    if (r->moved.stopped == CRM_STOP_FAILED) {
        crm_sheet_name(&t->sheet, "");
        fputs("  ", stream);
        crm_text_wrap(stream, t->width, r->reason, t->sheet.name_width + 4,
                      t->sheet.name_width + 4);
    }
}

static void print_impacts(const table *t)
{
    const crm_motion_state *moved = &t->report->moved;
    FILE *stream = t->sheet.stream;
    fputc('\n', stream);
    print_time(t);
    crm_sheet_name(&t->sheet, "impacts");
    fprintf(stream, "  %llu\n", (unsigned long long)moved->summary.impacts);
    print_strongest(t);
    if (moved->unsolved > 0) {
        crm_sheet_name(&t->sheet, "not solved");
        fprintf(stream, "  %llu of them: the law stopped early, its last state was used\n",
                (unsigned long long)moved->unsolved);
    }
    print_rest(t);
    double size = largest_of(moved->position, crm_scene_coordinates(moved->scene, false));
    if (moved->summary.max_penetration > ROUNDING * size) {
        crm_sheet_name(&t->sheet, "largest overlap");
        crm_fprintf(stream, "  %.3g m\n", moved->summary.max_penetration);
    }
}

/* ---- Energy ---------------------------------------------------------------------------------- */

static void print_row(const table *t, const char *name, crm_scale scale, double before,
                      double after)
{
    const double values[] = {before, after, after - before};
    crm_sheet_name(&t->sheet, name);
    for (int k = 0; k < 3; k++) {
        char text[40];
        crm_scale_format(scale, values[k], text, sizeof text);
        crm_sheet_cell(&t->sheet, CRM_TONE_PLAIN, text);
    }
    crm_sheet_end_row(&t->sheet);
}

/* A part of the change, in the column of changes. */
static void print_cause(const table *t, const char *name, crm_scale scale, double value)
{
    char text[40];
    crm_sheet_name(&t->sheet, name);
    crm_sheet_cell(&t->sheet, CRM_TONE_PLAIN, "");
    crm_sheet_cell(&t->sheet, CRM_TONE_PLAIN, "");
    crm_scale_format(scale, value, text, sizeof text);
    crm_sheet_cell(&t->sheet, CRM_TONE_PLAIN, text);
}

/* Where all energy is kinetic, also as a percentage. */
static void print_lost(const table *t, crm_scale scale, const crm_motion_account *e)
{
    bool kinetic =
        e->potential_before == 0 && e->potential_after == 0 && e->work == 0 && e->correction == 0;
    print_cause(t, "lost in contacts", scale, e->lost > 0 ? -e->lost : 0);
    if (kinetic && e->kinetic_before > 0 && e->lost > scale.zero) {
        crm_fprintf(t->sheet.stream, "   %.3g %%", 100 * e->lost / e->kinetic_before);
    }
    crm_sheet_end_row(&t->sheet);
}

static void print_energy(table *t)
{
    static const char *const titles[] = {"before", "after", "change"};
    const crm_motion_account *e = &t->report->moved.summary.energy;
    double before = e->kinetic_before + e->potential_before;
    double after = e->kinetic_after + e->potential_after;
    double largest = fmax(fmax(fabs(e->kinetic_before), fabs(e->potential_before)),
                          fmax(fabs(e->kinetic_after), fabs(e->potential_after)));
    crm_scale scale = crm_scale_for(largest);
    t->sheet.titles = titles;
    t->sheet.columns = 3;
    crm_sheet_heading(&t->sheet, "energy, J");
    print_row(t, "kinetic", scale, e->kinetic_before, e->kinetic_after);
    print_row(t, "potential", scale, e->potential_before, e->potential_after);
    print_row(t, "total", scale, before, after);
    print_lost(t, scale, e);
    if (fabs(e->work) > scale.zero) {
        print_cause(t, "work of walls, dampers", scale, e->work);
        crm_sheet_end_row(&t->sheet);
    }
    if (fabs(e->correction) > scale.zero) {
        print_cause(t, "position correction", scale, e->correction);
        crm_sheet_end_row(&t->sheet);
    }
    if (fabs(e->error) > scale.zero) {
        print_cause(t, "unaccounted", scale, -e->error);
        crm_sheet_end_row(&t->sheet);
    }
}

static void print_note(const table *t, bool first, const char *text)
{
    fputs(first ? "\nnote: " : "note: ", t->sheet.stream);
    crm_text_wrap(t->sheet.stream, t->width, text, 6, 4);
}

static void print_notes(const table *t)
{
    const crm_warnings *warnings = t->report->warnings;
    size_t count = warnings != NULL ? warnings->count : 0;
    char warning[CRM_WARNING_SIZE];
    for (size_t i = 0; i < count; i++) {
        print_note(t, i == 0, warnings->text[i]);
    }
    if (crm_motion_warning(&t->report->moved, warning, sizeof warning)) {
        print_note(t, count == 0, warning);
    }
}

/* ---- The whole ------------------------------------------------------------------------------- */

crm_status crm_motion_report_table(const crm_motion_report *report, crm_style style, FILE *stream,
                                   crm_error *error)
{
    table t = {.report = report,
               .width = style.width,
               .sheet = {.stream = stream,
                         .colour = style.colour,
                         .width = style.width,
                         .name_width = LABEL_WIDTH,
                         .first_titled = true,
                         .column_width = COLUMN_WIDTH}};
    print_title(&t);
    print_impacts(&t);
    print_energy(&t);
    crm_status status =
        style.summary ? CRM_OK : crm_motion_print_bodies(report, style, &t.sheet, error);
    print_notes(&t);
    return status;
}
