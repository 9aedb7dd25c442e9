/* Words for units and ranges in the lists of fields. Internal. */
#ifndef CRM_FIELDS_RANGES_H
#define CRM_FIELDS_RANGES_H

/* ---- Units that a scenario's author chooses -------------------------------------------------- */

#define CRM_OF_FIELD  "the field's unit"
#define CRM_OF_SYSTEM "units of your own"

/* ---- The ranges of numbers (carom/model.h) -------------------------------------------------- */

#define CRM_MASSES      "from 1e-60 to 1e60"
#define CRM_LENGTHS     "from 1e-30 to 1e30"
#define CRM_POSITIONS   "up to 1e30 in size"
#define CRM_VELOCITIES  "up to 1e40 in size"
#define CRM_STIFFNESSES "from 1e-150 to 1e150"
#define CRM_EXPONENTS   "from 1e-4 to 100"
#define CRM_RESTITUTED  "0 or from 1e-14 to 1"
#define CRM_FRICTIONS   "from 0 to 1e6"
#define CRM_ENERGIES    "0 or from 1e-140 to 1e140"
#define CRM_MODULI      "from 1e-150 to 1e150"

#endif
