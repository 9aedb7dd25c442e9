#include "carom/version.h"

const char *crm_version(void)
{
    return CRM_VERSION_TEXT;
}

int crm_version_number(void)
{
    return CRM_VERSION_NUMBER;
}
