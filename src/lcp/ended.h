/* A status that never leaves the library: what was to be made is not, because whoever watches has
 * told the call to end. No error is filled.
 */
#ifndef CRM_LCP_ENDED_H
#define CRM_LCP_ENDED_H

#include "base/watch.h"
#include "carom/status.h"

#define CRM_LCP_ENDED ((crm_status)CRM_STATUS_COUNT)

#endif
