/* The record as one HTML file. */
#include "base/base.h"
#include "report/json.h"
#include "report/page/assets.h"
#include "report/page/parts.h"
#include "reproduce/page/parts.h"

static json_t *about(crm_record *const *records, size_t count, const crm_page_source *source)
{
    json_t *object = json_object(), *report = json_object(), *notes = json_array(),
           *charts = json_array();
    for (size_t i = 0; i < count; i++) {
        crm_json_add(&notes, json_string(records[i]->item->note));
        crm_json_add(&charts, crm_curves_charts(records[i]));
    }
    crm_json_put(&report, "kind", json_string("reproduce"));
    crm_json_put(&report, "source", crm_page_source_object(source));
    crm_json_put(&report, "notes", notes); /* of the items, in their order */
    crm_json_put(&report, "charts", charts);
    crm_json_put(&object, "carom", json_string(crm_version()));
    crm_json_put(&object, "report", report);
    return object;
}

crm_status crm_html_record(crm_record *const *records, size_t count, const crm_page_source *source,
                           FILE *stream, crm_error *error)
{
    static const unsigned char *const scripts[] = {crm_asset_common_js, crm_asset_chart_js,
                                                   crm_asset_record_js, NULL};
    crm_page_begin(stream, source);
    bool good = crm_page_members(stream, crm_print_json_object(records, count));
    fputs(",\n", stream);
    good = good && crm_page_members(stream, about(records, count, source));
    crm_page_end(stream, scripts, source);
    return good ? CRM_OK : crm_fail_memory(error);
}
