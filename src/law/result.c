#include "carom/outcome.h"

const char *crm_result_text(crm_result result)
{
#define CRM_RESULT_CASE(name, text) text,
    static const char *const texts[] = {CRM_RESULT_LIST(CRM_RESULT_CASE)};
#undef CRM_RESULT_CASE
    return (unsigned)result < CRM_RESULT_COUNT ? texts[result] : "unknown result";
}
