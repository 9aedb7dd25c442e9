/* A motion for people: how long, what struck, where the energy went, where things are. */
#include <math.h>

#include "base/base.h"
#include "model/touches.h"
#include "report/motion.h"
#include "report/sheet.h"

enum { LABEL_LEAST = 22, LABEL_MOST = 60, COLUMN_WIDTH = 14 };

/* Overlaps below this part of where things are come of writing places as numbers. */
static const double ROUNDING = 1e-12;

typedef struct table {
    const crm_motion_report *report;
    crm_sheet sheet;
} table;

static double largest_of(const double *values, size_t count)
{
    double largest = 0;
    for (size_t i = 0; i < count; i++) {
        largest = fmax(largest, fabs(values[i]));
    }
    return largest;
}

/* ---- What happened -------------------------------------------------------------------------- */

static const char *how_it_ended(crm_motion_stop stop)
{
    switch (stop) {
    case CRM_STOP_DURATION:
        return "the whole duration";
    case CRM_STOP_AT_REST:
        return "stopped when all was at rest";
    case CRM_STOP_IMPACTS:
        return "stopped after as many impacts as were asked for";
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
    fprintf(t->sheet.stream, "%zu %s, %zu %s; %s, impacts by %s\n", r->scene->bodies.body_count,
            r->scene->bodies.body_count == 1 ? "body" : "bodies", r->scene->bodies.wall_count,
            r->scene->bodies.wall_count == 1 ? "wall" : "walls", crm_motion_scheme_text(r->scheme),
            r->law);
}

static void print_strongest(const table *t)
{
    const crm_strongest *s = &t->report->strongest;
    char first[CRM_NAME_SIZE], second[CRM_NAME_SIZE];
    if (s->number == 0) {
        return;
    }
    crm_party_name(&t->report->scene->bodies, s->party[0], first, sizeof first);
    crm_party_name(&t->report->scene->bodies, s->party[1], second, sizeof second);
    crm_sheet_name(&t->sheet, "strongest");
    fprintf(t->sheet.stream, "  number %llu, at %.9g s: %s - %s close at %.6g m/s\n",
            (unsigned long long)s->number, s->time, first, second, s->closing_speed);
}

static void print_course(const table *t)
{
    const crm_motion_report *r = t->report;
    FILE *stream = t->sheet.stream;
    fputc('\n', stream);
    crm_sheet_name(&t->sheet, "time");
    fprintf(stream, "  %.9g s of %.9g s: %s\n", r->time, r->duration, how_it_ended(r->stopped));
    if (r->stopped == CRM_STOP_FAILED) {
        crm_sheet_name(&t->sheet, "");
        fprintf(stream, "  %s\n", r->reason);
    }
    crm_sheet_name(&t->sheet, "impacts");
    fprintf(stream, "  %llu\n", (unsigned long long)r->summary.impacts);
    print_strongest(t);
    if (r->unsolved > 0) {
        crm_sheet_name(&t->sheet, "not solved");
        fprintf(stream, "  %llu of them: the law broke off, and its last state counts\n",
                (unsigned long long)r->unsolved);
    }
    crm_sheet_name(&t->sheet, "at rest");
    if (isnan(r->summary.at_rest_since)) {
        fputs("  no: something moves\n", stream);
    } else {
        fprintf(stream, "  since %.9g s\n", r->summary.at_rest_since);
    }
    double size = largest_of(r->position, crm_scene_positions(r->scene));
    if (r->summary.max_penetration > ROUNDING * size) {
        crm_sheet_name(&t->sheet, "deepest overlap");
        fprintf(stream, "  %.3g m\n", r->summary.max_penetration);
    }
}

/* ---- Energy --------------------------------------------------------------------------------- */

static void print_row(const table *t, const char *name, crm_scale scale, double first,
                      double second)
{
    char text[40];
    crm_sheet_name(&t->sheet, name);
    crm_scale_format(scale, first, text, sizeof text);
    crm_sheet_cell(&t->sheet, CRM_TONE_PLAIN, text);
    crm_scale_format(scale, second, text, sizeof text);
    crm_sheet_cell(&t->sheet, CRM_TONE_PLAIN, text);
    crm_sheet_end_row(&t->sheet);
}

static void print_entry(const table *t, const char *name, double value)
{
    crm_sheet_name(&t->sheet, name);
    fprintf(t->sheet.stream, "  %.6g\n", value == 0 ? 0.0 : value);
}

static void print_energy(table *t)
{
    static const char *const titles[] = {"before", "after"};
    const crm_motion_account *e = &t->report->summary.energy;
    double largest = fmax(fmax(fabs(e->kinetic_before), fabs(e->potential_before)),
                          fmax(fabs(e->kinetic_after), fabs(e->potential_after)));
    crm_scale scale = crm_scale_for(largest);
    t->sheet.titles = titles;
    crm_sheet_heading(&t->sheet, "energy, J");
    print_row(t, "kinetic", scale, e->kinetic_before, e->kinetic_after);
    print_row(t, "potential", scale, e->potential_before, e->potential_after);
    fputc('\n', t->sheet.stream);
    print_entry(t, "lost in contacts, J", e->lost);
    print_entry(t, "work of the outside, J", e->work);
    print_entry(t, "unaccounted for, J", e->error);
}

/* ---- The last state ------------------------------------------------------------------------- */

static void print_coordinate(const table *t, const crm_scene_walk *walk, size_t index,
                             const crm_scale *scales)
{
    const crm_motion_report *r = t->report;
    char name[CRM_COORDINATE_SIZE], text[40];
    crm_scene_name(walk, false, name, sizeof name);
    crm_sheet_name(&t->sheet, name);
    crm_scale_format(scales[0], r->position[index], text, sizeof text);
    crm_sheet_cell(&t->sheet, CRM_TONE_PLAIN, text);
    crm_scale_format(scales[1], crm_scene_has_rate(walk) ? r->velocity[walk->rate] : (double)NAN,
                     text, sizeof text);
    crm_sheet_cell(&t->sheet, CRM_TONE_PLAIN, text);
    crm_sheet_end_row(&t->sheet);
}

static void print_state(table *t, size_t count)
{
    static const char *const titles[] = {"position", "velocity"};
    const crm_motion_report *r = t->report;
    const crm_scale scales[] = {
        crm_scale_for(largest_of(r->position, count)),
        crm_scale_for(largest_of(r->velocity, crm_scene_velocities(r->scene)))};
    t->sheet.titles = titles;
    crm_sheet_heading(&t->sheet, "at the end, SI units");
    crm_scene_walk walk = crm_scene_begin(r->scene);
    size_t shown = 0;
    for (size_t i = 0; crm_scene_next(&walk); i++) {
        if (i != shown) {
            continue;
        }
        print_coordinate(t, &walk, i, scales);
        shown = crm_sheet_next_row(i, count);
        crm_sheet_gap(&t->sheet, i, shown, "coordinates");
    }
}

/* ---- The whole ------------------------------------------------------------------------------ */

static int label_width(const crm_scene_def *scene)
{
    int width = LABEL_LEAST;
    for (crm_scene_walk walk = crm_scene_begin(scene); crm_scene_next(&walk);) {
        char name[CRM_COORDINATE_SIZE];
        crm_scene_name(&walk, false, name, sizeof name);
        int own = crm_text_width(name);
        width = own > width && own <= LABEL_MOST ? own : width;
    }
    return width;
}

void crm_motion_report_table(const crm_motion_report *report, crm_style style, FILE *stream)
{
    table t = {.report = report,
               .sheet = {.stream = stream,
                         .colour = style.colour,
                         .name_width = label_width(report->scene),
                         .columns = 2,
                         .first_titled = true,
                         .column_width = COLUMN_WIDTH}};
    print_title(&t);
    print_course(&t);
    print_energy(&t);
    print_state(&t, crm_scene_positions(report->scene));
}
