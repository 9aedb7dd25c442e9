#include "carom/version.h"

const char *crm_version(void)
{
    return CRM_VERSION_TEXT;
}
