/* What nearly every file uses: errors, memory, text. */
#ifndef CRM_BASE_H
#define CRM_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compare.h"
#include "base/fail.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/text.h"
#include "carom/status.h"

#endif
