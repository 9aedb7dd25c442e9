#include "report/page/admissible/admissible_page.h"

#include "base/base.h"
#include "report/inverse.h"
#include "report/json.h"
#include "report/page/assets.h"
#include "report/page/parts.h"

static json_t *about(const crm_page_source *source, const crm_admissible_picture *picture)
{
    json_t *object = json_object(), *report = json_object();
    crm_json_put(&report, "kind", json_string("admissible"));
    crm_json_put(&report, "source", crm_page_source_object(source));
    crm_json_put(&object, "report", report);
    crm_json_put(&object, "picture", crm_admissible_picture_object(picture));
    return object;
}

crm_status crm_admissible_page_write(const crm_admissible_table *table,
                                     const crm_admissible_picture *picture,
                                     const crm_page_source *source, FILE *stream, crm_error *error)
{
    static const unsigned char *const SCRIPTS[] = {crm_asset_common_js, crm_asset_chart_js,
                                                   crm_asset_admissible_js, NULL};
    crm_page_begin(stream, source);
    bool good = crm_page_members(stream, crm_admissible_object(table));
    fputs(",\n", stream);
    good = good && crm_page_members(stream, about(source, picture));
    crm_page_end(stream, SCRIPTS, source);
    return good ? CRM_OK : crm_fail_memory(error);
}
