#include "report/page/solve/solve_page.h"

#include <stdlib.h>

#include "base/base.h"
#include "report/json.h"
#include "report/page/assets.h"
#include "report/page/parts.h"
#include "report/page/solve/model_subset.h"
#include "report/page/solve/solve_scene.h"

/* Of the frames of all laws together; a number takes five or six bytes. */
static const size_t NUMBERS_MOST = 550000;

static const unsigned char *const SCRIPTS[] = {crm_asset_uPlot_iife_min_js, crm_asset_common_js,
                                               crm_asset_chart_js,          crm_asset_scene_js,
                                               crm_asset_impact_js,         NULL};

static json_t *names_of_coordinates(const crm_report *report)
{
    json_t *array = json_array();
    for (size_t i = 0; i < report->subset->coordinate_count; i++) {
        char name[2 * CRM_NAME_SIZE];
        crm_coordinate_name(report->model, report->subset->coordinates[i], name, sizeof name);
        crm_json_add(&array, json_string(name));
    }
    return array;
}

/* The first coordinate of each body among those of the subset, and their number at the end. */
static json_t *starts_of_bodies(const crm_report *report)
{
    const crm_model_subset *e = report->subset;
    json_t *array = json_array();
    size_t start = 0;
    for (size_t i = 0; i < e->body_count; i++) {
        crm_json_add(&array, json_integer((json_int_t)start));
        start += crm_model_body_start(report->model, e->bodies[i] + 1) -
                 crm_model_body_start(report->model, e->bodies[i]);
    }
    crm_json_add(&array, json_integer((json_int_t)start));
    return array;
}

/* How many bodies and contacts there are, of which the page may show a part. */
static json_t *sizes(const crm_report *report)
{
    json_t *object = json_object();
    crm_json_put(&object, "bodies", json_integer((json_int_t)crm_model_bodies(report->model)));
    crm_json_put(&object, "contacts", json_integer((json_int_t)crm_model_contacts(report->model)));
    crm_json_put(&object, "whole", json_boolean(report->subset->whole));
    return object;
}

static bool nothing_happens(const crm_report *report)
{
    size_t contacts = crm_model_contacts(report->model);
    double *gap = CRM_NEW(double, contacts);
    if (gap != NULL) {
        crm_model_gap_velocity(report->model, report->velocity, gap);
    }
    bool nothing = gap != NULL && crm_report_nothing_happens(report->model, gap);
    free(gap);
    return nothing;
}

/* What each law is, in a line. */
static json_t *law_summaries(const crm_report *report)
{
    json_t *array = json_array();
    for (size_t i = 0; i < report->count; i++) {
        crm_json_add(&array, json_string(report->entries[i].law->summary));
    }
    return array;
}

static json_t *about(const crm_solve_page *page)
{
    json_t *object = json_object();
    crm_json_put(&object, "kind", json_string("solve"));
    crm_json_put(&object, "source", crm_page_source_object(&page->source));
    crm_json_put(&object, "generalized", json_boolean(page->report->generalized));
    crm_json_put(&object, "units",
                 crm_page_units(crm_field_unit(page->report->model, "N"),
                                crm_field_unit(page->report->model, "s")));
    crm_json_put(&object, "nothing_happens", json_boolean(nothing_happens(page->report)));
    crm_json_put(&object, "sizes", sizes(page->report));
    crm_json_put(&object, "laws", law_summaries(page->report));
    crm_json_put(&object, "coordinates", names_of_coordinates(page->report));
    crm_json_put(&object, "starts", starts_of_bodies(page->report));
    crm_json_put(&object, "scene", crm_solve_scene_object(page->report, page->layout));
    json_t *whole = json_object();
    crm_json_put(&whole, "report", object);
    return whole;
}

static void write_frames(const crm_solve_page *page, FILE *stream)
{
    size_t count = 0;
    for (size_t i = 0; i < page->report->count; i++) {
        count += page->frames[i].count > 0;
    }
    const char *comma = "";
    fputs(",\"histories\":[", stream);
    for (size_t i = 0; i < page->report->count; i++) {
        if (page->frames[i].count > 0) {
            fprintf(stream, "%s{\"result\":%zu,", comma, i);
            crm_frames_json_write(stream, &page->frames[i], NUMBERS_MOST / count);
            fputc('}', stream);
            comma = ",\n";
        }
    }
    fputc(']', stream);
}

crm_status crm_solve_page_write(const crm_solve_page *page, FILE *stream, crm_error *error)
{
    crm_page_begin(stream, &page->source);
    bool whole = crm_page_members(stream, crm_report_object(page->report));
    fputs(",\n", stream);
    whole = whole && crm_page_members(stream, about(page));
    write_frames(page, stream);
    crm_page_end(stream, SCRIPTS, &page->source);
    return whole ? CRM_OK : crm_fail_memory(error);
}
