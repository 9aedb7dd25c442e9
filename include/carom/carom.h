/* carom: multiple impacts. Include this one. */
#ifndef CAROM_CAROM_H
#define CAROM_CAROM_H

#include "carom/admissible.h"
#include "carom/coulomb.h"
#include "carom/inverse.h"
#include "carom/law.h"
#include "carom/lcp.h"
#include "carom/model.h"
#include "carom/motion.h"
#include "carom/outcome.h"
#include "carom/problem.h"
#include "carom/report.h"
#include "carom/scenario.h"
#include "carom/sensitivity.h"
#include "carom/status.h"
#include "carom/study.h"
#include "carom/version.h"
#include "carom/watch.h"
#include "carom/workspace.h"

#endif
