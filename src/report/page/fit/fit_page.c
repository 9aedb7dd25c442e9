#include "report/page/fit/fit_page.h"

#include "base/base.h"
#include "report/json.h"
#include "report/page/assets.h"
#include "report/page/parts.h"

static json_t *about(const crm_page_source *source)
{
    json_t *object = json_object(), *report = json_object();
    crm_json_put(&report, "kind", json_string("fit"));
    crm_json_put(&report, "source", crm_page_source_object(source));
    crm_json_put(&object, "report", report);
    return object;
}

crm_status crm_fit_page_write(const crm_fit *fit, const crm_page_source *source, FILE *stream,
                              crm_error *error)
{
    static const unsigned char *const SCRIPTS[] = {crm_asset_common_js, crm_asset_chart_js,
                                                   crm_asset_fit_js, NULL};
    crm_page_begin(stream, source);
    bool good = crm_page_members(stream, crm_fit_object(fit));
    fputs(",\n", stream);
    good = good && crm_page_members(stream, about(source));
    crm_page_end(stream, SCRIPTS, source);
    return good ? CRM_OK : crm_fail_memory(error);
}
