#include "carom/status.h"

const char *crm_status_text(crm_status status)
{
#define CRM_STATUS_CASE(name, text) text,
    static const char *const texts[] = {CRM_STATUS_LIST(CRM_STATUS_CASE)};
#undef CRM_STATUS_CASE
    return (unsigned)status < CRM_STATUS_COUNT ? texts[status] : "unknown status";
}
