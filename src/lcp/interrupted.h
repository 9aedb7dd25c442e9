/* A status that never leaves the library: the object was not made, because the watch ended the
 * call. No error is filled.
 */
#ifndef CRM_LCP_INTERRUPTED_H
#define CRM_LCP_INTERRUPTED_H

#include "base/watch.h"
#include "carom/status.h"

#define CRM_LCP_INTERRUPTED ((crm_status)CRM_STATUS_COUNT)

#endif
