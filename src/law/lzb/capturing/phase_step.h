/* Lengths of substeps without error control. Internal. */
#ifndef CRM_LZB_PHASE_STEP_H
#define CRM_LZB_PHASE_STEP_H

#include "law/lzb/capturing/step.h"

/* The largest speed of a contact of the window, or that its stored energy could give; relative. */
double lzb_phase_step_amplitude(const lzb_stepper *stepper);

/* The length of a substep at this amplitude; `single`: of the third order, in single precision. */
double lzb_phase_step_time(const lzb_capturing_steps *steps, const lzb_stepper *stepper,
                           bool single, double amplitude);

#endif
